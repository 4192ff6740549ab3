"""What a page, slide or sheet looks like, as a format plugin tells it to whoever draws it: shapes, text, pictures,
charts and tables in points from the top left. Not responsible for drawing.

Words are only ever data here; a drawer never takes them for its own language."""

from typing import Literal

import msgspec

from sidecar.api.model import Box, ChartData

Face = Literal["sans", "mono"]
Align = Literal["left", "center", "right", "justify"]
Anchor = Literal["top", "middle", "bottom"]


class Paint(msgspec.Struct, frozen=True, kw_only=True):
    """One colour, or a linear gradient of several: `stops` are ("#rrggbb" or "#rrggbbaa", place from 0 to 100),
    `angle` in degrees, clockwise from left to right."""

    stops: tuple[tuple[str, float], ...]
    angle: float = 0.0


def solid(colour: str) -> Paint:
    """Paint of one colour, "#rrggbb" or "#rrggbbaa"."""
    return Paint(stops=((colour, 0.0),))


class Stroke(msgspec.Struct, frozen=True, kw_only=True):
    """A line's colour and its width in points."""

    colour: str
    width: float = 0.75
    dash: Literal["solid", "dashed", "dotted"] = "solid"


class TextRun(msgspec.Struct, frozen=True, kw_only=True):
    """Words of one look; `size` in points. A line feed breaks the line."""

    text: str
    size: float = 12.0
    colour: str = "#000000"
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    face: Face = "sans"
    raised: Literal["", "sup", "sub"] = ""


class TextParagraph(msgspec.Struct, frozen=True, tag="paragraph", tag_field="k", kw_only=True):
    """A paragraph. `indent` is where its lines begin, `first` how much further the first one does (negative: it hangs,
    and a `marker` stands in that room); `before` and `after` in points, `leading` a share of single spacing. `size` is
    that of an empty one and of the marker."""

    runs: tuple[TextRun, ...] = ()
    align: Align = "left"
    marker: str = ""
    marker_colour: str = "#000000"
    indent: float = 0.0
    first: float = 0.0
    before: float = 0.0
    after: float = 0.0
    leading: float = 1.0
    size: float = 12.0
    rtl: bool = False
    keep: bool = False
    """It stays on the page of what follows it, as headings do."""


class TextBody(msgspec.Struct, frozen=True, kw_only=True):
    """Text in a box: `inset` is left, top, right, bottom in points. Text that is taller than its box is set smaller
    with `fit`, cut off with `clip`, else it stands over. `turn` (90, 270) turns the text in its box."""

    paragraphs: tuple[TextParagraph, ...] = ()
    inset: tuple[float, float, float, float] = (7.2, 3.6, 7.2, 3.6)
    anchor: Anchor = "top"
    wrap: bool = True
    fit: bool = False
    clip: bool = False
    turn: int = 0


class ShapeItem(msgspec.Struct, frozen=True, tag="shape", tag_field="k", kw_only=True):
    """An outline with fill, stroke and text. `rings` are closed polygons, `lines` open ones, in shares of the box (0 to
    1); without them it is a rectangle with corners of `radius` points, or an ellipse. `turn` in degrees, clockwise."""

    box: Box
    fill: Paint | None = None
    stroke: Stroke | None = None
    ellipse: bool = False
    radius: float = 0.0
    rings: tuple[tuple[tuple[float, float], ...], ...] = ()
    lines: tuple[tuple[tuple[float, float], ...], ...] = ()
    turn: float = 0.0
    body: TextBody | None = None


class PictureItem(msgspec.Struct, frozen=True, tag="picture", tag_field="k", kw_only=True):
    """A picture in its box, of which `crop` (left, top, right, bottom, as shares) is cut away. In a text that flows
    only width and height of the box count."""

    box: Box
    data: bytes = b""
    crop: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    turn: float = 0.0
    radius: float = 0.0
    mirrored: bool = False
    align: Align = "left"
    alt: str = ""
    file: str = ""
    """Where the drawer has put the bytes."""


class ChartItem(msgspec.Struct, frozen=True, tag="chart", tag_field="k", kw_only=True):
    """A chart in its box."""

    box: Box
    chart: ChartData


class TableCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell, 0-based; strokes are left, top, right, bottom."""

    row: int
    col: int
    rows: int = 1
    cols: int = 1
    fill: Paint | None = None
    strokes: tuple[Stroke | None, Stroke | None, Stroke | None, Stroke | None] = (None, None, None, None)
    body: TextBody = TextBody()


class TableItem(msgspec.Struct, frozen=True, tag="table", tag_field="k", kw_only=True):
    """A table: `columns` are widths, `heights` the least heights of its rows, in points. In a text that flows its first
    `header_rows` stand on every page, and only the box's left edge counts."""

    box: Box
    columns: tuple[float, ...]
    heights: tuple[float, ...]
    cells: tuple[TableCell, ...]
    header_rows: int = 0


class BreakItem(msgspec.Struct, frozen=True, tag="break", tag_field="k", kw_only=True):
    """A new page begins here."""


PlacedItem = ShapeItem | PictureItem | ChartItem | TableItem
FlowItem = TextParagraph | PictureItem | ChartItem | TableItem | BreakItem


class PageDrawing(msgspec.Struct, frozen=True, kw_only=True):
    """One page with everything at its place, the lowest first, or, with `flow`, text that fills as many pages as it
    takes between `margins` (left, top, right, bottom). `omitted` names in a few words what is not drawn ("2 OLE
    objects"); `remark` is what else whoever looks at it should know."""

    width: float
    height: float
    fill: Paint | None = None
    items: tuple[PlacedItem, ...] = ()
    flow: tuple[FlowItem, ...] = ()
    margins: tuple[float, float, float, float] = (72.0, 72.0, 72.0, 72.0)
    header: tuple[TextParagraph, ...] = ()
    footer: tuple[TextParagraph, ...] = ()
    omitted: tuple[str, ...] = ()
    remark: str = ""
