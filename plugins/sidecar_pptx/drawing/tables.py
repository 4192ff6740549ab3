"""Tables of slides (ECMA-376 part 1 §21.1.3) with the fills, lines and ink of their cells and of their table style
(§20.1.4.2.26). A style that the file does not hold is taken for "Medium Style 2", which PowerPoint gives new tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sidecar.api import Box
from sidecar.toolkit.drawn.model import Anchor, Paint, Stroke, TableCell, TableItem, TextBody, solid
from sidecar.toolkit.ooxml.colours import number_of
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.xml import XmlElement
from sidecar_pptx.drawing.colours import Palette
from sidecar_pptx.drawing.text import TextStyle, read_body

_EMU = 12700
_UNSTYLED = frozenset(("{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}"))
_GRIDDED = "{5940675A-B579-460E-94D1-54222C63F5DA}"
_ANCHORS: dict[str, Anchor] = {"ctr": "middle", "b": "bottom"}
_MARGINS = (("marL", 7.2), ("marT", 3.6), ("marR", 7.2), ("marB", 3.6))
_LINES = ("lnL", "lnT", "lnR", "lnB")
_INNER = {"lnL": "insideV", "lnR": "insideV", "lnT": "insideH", "lnB": "insideH"}
_OUTER = {"lnL": "left", "lnR": "right", "lnT": "top", "lnB": "bottom"}
_MAX_CELLS = 4000


@dataclass(frozen=True)
class _Place:
    """Where in the table a cell is, which decides what of the style it takes."""

    row: int
    col: int
    rows: int
    cols: int

    def sections(self, asked: XmlElement | None) -> list[str]:
        """The parts of a table style that reach the cell, the strongest first (§21.1.3.15)."""

        def on(name: str) -> bool:
            return asked is not None and asked.get(name) in {"1", "true"}

        found: list[str] = []
        if on("firstRow") and self.row == 0:
            found.append("firstRow")
        if on("lastRow") and self.row == self.rows - 1:
            found.append("lastRow")
        if on("firstCol") and self.col == 0:
            found.append("firstCol")
        if on("lastCol") and self.col == self.cols - 1:
            found.append("lastCol")
        if on("bandRow"):
            found.append("band1H" if (self.row - on("firstRow")) % 2 == 0 else "band2H")
        if on("bandCol"):
            found.append("band1V" if (self.col - on("firstCol")) % 2 == 0 else "band2V")
        return [*found, "wholeTbl"]


class _TableStyle:
    """A table style, or what stands for one that is not in the file."""

    def __init__(self, node: XmlElement | None, palette: Palette, name: str) -> None:
        self.node = node
        self.palette = palette
        self.plain = name in _UNSTYLED or (node is None and not name)
        self.grid = name == _GRIDDED

    def fill(self, sections: Sequence[str]) -> Paint | None:
        """The fill of a cell."""
        if self.node is None:
            return None if self.plain else _usual_fill(self.palette, sections)
        for section in sections:
            style = self.node.find(f"{A}{section}/{A}tcStyle")
            fill = style.find(f"{A}fill") if style is not None else None
            if fill is not None and len(fill):
                return self.palette.fill(fill[0])
            reference = style.find(f"{A}fillRef") if style is not None else None
            if reference is not None:
                return self.palette.styled_fill(reference)
        return None

    def ink(self, sections: Sequence[str]) -> tuple[str, bool]:
        """The colour of a cell's text ("" where nothing says), and whether it is bold."""
        if self.node is None:
            head = not self.plain and sections[0] in ("firstRow", "lastRow", "firstCol", "lastCol")
            return (f"#{self.palette.colours['bg1']}" if head else ""), head
        colour, bold = "", False
        for section in sections:
            style = self.node.find(f"{A}{section}/{A}tcTxStyle")
            if style is not None:
                plain = [child for child in style if child.tag != f"{A}fontRef" and isinstance(child.tag, str)]
                colour = colour or (self.palette.colour(plain) if plain else "")
                bold = bold or style.get("b") == "on"
        return colour, bold

    def line(self, sections: Sequence[str], place: _Place, side: str) -> Stroke | None:
        """The line on one side of a cell."""
        if self.node is None:
            white = Stroke(colour=f"#{self.palette.colours['bg1']}", width=1.0)
            return Stroke(colour="#000000", width=1.0) if self.grid else None if self.plain else white
        edge = {"lnL": place.col == 0, "lnT": place.row == 0, "lnR": place.col == place.cols - 1,
                "lnB": place.row == place.rows - 1}[side]  # fmt: skip
        for section in sections:
            borders = self.node.find(f"{A}{section}/{A}tcStyle/{A}tcBdr")
            outer = edge or section in ("firstRow", "lastRow", "firstCol", "lastCol")
            name = _OUTER[side] if outer else _INNER[side]
            border = borders.find(f"{A}{name}") if borders is not None else None
            if border is not None:
                return self.palette.stroke(border.find(f"{A}ln"), border.find(f"{A}lnRef"))
        return None


def _usual_fill(palette: Palette, sections: Sequence[str]) -> Paint:
    accent = palette.colours["accent1"]
    if sections[0] in ("firstRow", "lastRow", "firstCol", "lastCol"):
        return solid(f"#{accent}")
    share = 0.4 if "band1H" in sections or "band1V" in sections else 0.2
    mixed = (round(255 - (255 - int(accent[at : at + 2], 16)) * share) for at in (0, 2, 4))
    return solid("#" + "".join(f"{part:02x}" for part in mixed))


def read_table(node: XmlElement, box: Box, text_style: TextStyle, styles: XmlElement | None) -> TableItem:
    """An `a:tbl`; `styles` is the root of the file's table styles."""
    columns = [max(number_of(column, "w") / _EMU, 1.0) for column in node.iterfind(f"{A}tblGrid/{A}gridCol")]
    rows = list(node.iterchildren(f"{A}tr"))
    asked = node.find(f"{A}tblPr")
    name = (asked.findtext(f"{A}tableStyleId") or "") if asked is not None else ""
    found = next((one for one in (styles if styles is not None else ()) if one.get("styleId") == name), None)
    style = _TableStyle(found, text_style.palette, name)
    cells: list[TableCell] = []
    for r, row in enumerate(rows):
        for c, cell in enumerate(list(row.iterchildren(f"{A}tc"))[: len(columns)]):
            if cell.get("hMerge") in {"1", "true"} or cell.get("vMerge") in {"1", "true"} or len(cells) >= _MAX_CELLS:
                continue
            place = _Place(r, c, len(rows), len(columns))
            cells.append(_cell(cell, place, place.sections(asked), style, text_style))
    return TableItem(
        box=box,
        columns=tuple(columns),
        heights=tuple(max(number_of(row, "h") / _EMU, 0.0) for row in rows),
        cells=tuple(cells),
    )


def _cell(cell: XmlElement, place: _Place, sections: list[str], style: _TableStyle, text_style: TextStyle) -> TableCell:
    palette = text_style.palette
    properties = cell.find(f"{A}tcPr")
    fill = style.fill(sections)
    own = [child for child in properties if child.tag.endswith("Fill")] if properties is not None else []
    if own:
        fill = palette.fill(own[0])
    strokes: list[Stroke | None] = []
    for side in _LINES:
        line = properties.find(f"{A}{side}") if properties is not None else None
        strokes.append(palette.stroke(line) if line is not None and len(line) else style.line(sections, place, side))
    ink, bold = style.ink(sections)
    body = cell.find(f"{A}txBody")
    text = read_body(body, replace(text_style, ink=ink, bold=bold)) if body is not None else None
    inset = [number_of(properties, key, default * _EMU) / _EMU for key, default in _MARGINS]
    anchor = _ANCHORS.get(properties.get("anchor", ""), "top") if properties is not None else "top"
    shown = TextBody(
        paragraphs=text.paragraphs if text is not None else (),
        inset=(inset[0], inset[1], inset[2], inset[3]),
        anchor=anchor,
    )
    rows = min(max(int(number_of(cell, "rowSpan", 1)), 1), place.rows - place.row)
    cols = min(max(int(number_of(cell, "gridSpan", 1)), 1), place.cols - place.col)
    return TableCell(
        row=place.row, col=place.col, rows=rows, cols=cols, fill=fill,
        strokes=(strokes[0], strokes[1], strokes[2], strokes[3]), body=shown,
    )  # fmt: skip
