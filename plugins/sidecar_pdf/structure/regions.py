"""The regions of a page (text, list item, equation, table, figure) before the whole document is known. A region holds
its text and the few facts that `headings` and `blocks` decide by, not its words."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from sidecar.api import UNCERTAIN_TABLE, Box, Merge, Note, Span
from sidecar.toolkit.captions import Caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.columns.edges import ColumnEdges, column_edges
from sidecar_pdf.layout.tables.columns.heads import part_groups, part_title
from sidecar_pdf.layout.tables.columns.rightwards import read_rightwards
from sidecar_pdf.layout.tables.columns.whole_figures import with_whole_figures
from sidecar_pdf.layout.tables.flaws.around import flaws_of
from sidecar_pdf.layout.tables.found import FoundTable, as_lines, without_hyphenation
from sidecar_pdf.layout.tables.known_flaws import likelihood, reasons
from sidecar_pdf.pdfium.geometry import PageFrame, is_slide
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment

RegionKind = Literal["text", "list", "equation", "table", "figure"]
RunningPlace = Literal["", "head", "foot"]
# Chosen on the corpus.
_FLANKED, _MIDDLE = 2.5, 0.2  # ems from a line to the rules at either side; of these from its middle
_BESIDE, _MAX_BAR = 3.0, 0.6  # ems from a bar to the text it marks, at most; of the height of the page: a bar's length
_LONGER, _TOUCH = 1.5, 3.0  # ems by which a bar is longer than its text, at either end; points between rules that meet
_UNDER, _UNDERLINED, _MAX_RULES = 0.3, 0.8, 400  # ems from a line's foot; share of its length; rules of a page

_UNDER_TITLE, _LONGER_RULE = 0.6, 2.0  # ems down to the rule under a title; times its length, of that rule


@dataclass(slots=True)
class Region:
    """A piece of a page. `size` is its type size in points, `box` lies on the page as read."""

    kind: RegionKind
    text: str
    box: Box
    size: float = 0.0
    bold: bool = False
    italic: bool = False
    mono: bool = False
    capitals: bool = False
    """Set in small capitals."""
    family: str = ""
    """Of its font."""
    color: int = 0
    """`0xRRGGBB`."""
    lines: int = 1
    leading: float = 0.0
    """Points from line to line, where its lines are of one height and evenly spaced; else 0."""
    pieces: int = 1
    """Pieces of a line that wide gaps keep apart; numbers and what follows them do not count."""
    hidden: bool = False
    alone: bool = False
    """Set apart above and below by more than line spacing."""
    over_white: bool = False
    """With as much white under it as under a title."""
    spans: tuple[Span, ...] = ()
    running: RunningPlace = ""
    """Where a line of running content stands."""
    rotated: bool = False
    """Runs another way than most text of its page, as stamps along the margin do."""
    marker: str = ""
    label: str = ""
    """An equation's number."""
    math: float = 0.0
    """Share of its characters in mathematical type."""
    latex: str = ""
    """An equation's, where every sign of it is known."""
    flaw: str = ""
    """Why an equation may say something else than what is printed."""
    caption: Caption | None = None
    code: str = ""
    """The lines of a listing as set; until `join_listings` has judged them, those of any monospaced text."""
    rows: list[list[str]] = field(default_factory=list[list[str]])
    merges: tuple[Merge, ...] = ()
    header_rows: int = 0
    columns: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Left and right end of each column of a table."""
    edges: ColumnEdges | None = None
    """What the lines of a table keep to."""
    first_row: int = 0
    """The row of the whole table this part of it begins with; 0 where it does not go on from an earlier page."""
    confidence: float = 1.0
    """How likely a table's rows and columns are right."""
    flaws: tuple[str, ...] = ()
    """What speaks against the rows and columns of a table."""
    table_lines: tuple[str, ...] = ()
    """The lines of an uncertain table as they stand."""
    header: list[list[str]] = field(default_factory=list[list[str]])
    """The header of the whole table, in a part that goes on from an earlier page."""
    images: tuple[int, ...] = ()
    """Positions in the document's embedded images."""
    artifact: bool = False
    """A drawing that belongs to the design of the page: a logo, a banner, printer's marks."""
    comes_back: bool = False
    """An artifact that an earlier page has too."""
    tag: str = ""
    """What the structure tree says it is: "H1" to "H6", "Note", "LI", "P"; "" where it says nothing."""
    column_left: float = 0.0
    """The left edge of its column, in points."""
    opens: float = 0.0
    """The left edge of its first line, in points, of text."""
    held_to: float = 0.0
    """Of lines that begin under one another, set in from the left edge of their column: the right edge, in points, that
    they keep at most, for with more room the first word of the next would have stood on most of them; else 0."""
    line_ends: tuple[int, ...] = ()
    """Of a paragraph, the blanks in its text that lines end at which a person ended."""
    quoted: bool = False
    """Set in from both edges of the column, or marked by a bar."""
    full: bool = False
    """Its last line, of text, reaches the right edge of its column."""
    drawn: int = 0
    """How many paths a figure consists of."""
    ruled_off: bool = False
    """A line with a rule under it that begins with it and is far longer."""

    @property
    def in_flow(self) -> bool:
        """Whether a reader meets it among the text: not in the margin of every page, not turned, not unseen."""
        return not (self.running or self.hidden or self.rotated)


@dataclass(slots=True)
class PageRegions:
    """One page: its regions in reading order, and what annotations added."""

    width: float
    height: float
    frame: PageFrame | None = None
    """Where boxes lie on the page as shown, which is rotated where most of its text runs another way."""
    name: str = ""
    regions: list[Region] = field(default_factory=list[Region])
    notes: list[Note] = field(default_factory=list[Note])
    has_text: bool = False
    """Whether the page had a text layer with letters in it."""
    has_graphics: bool = False
    """Whether anything but text is drawn on it."""
    first_lines: list[list[Segment]] = field(default_factory=list[list[Segment]])
    """The lines before any table and figure, a few; `last_lines` are those behind the last of them."""
    last_lines: list[list[Segment]] = field(default_factory=list[list[Segment]])
    truncated: bool = False
    failure: str = ""
    """What broke off the layout of the page (the name of an exception), so that its text is lines as they stand."""
    loose_drawings: list[Box] = field(default_factory=list[Box])
    """Small drawings no figure was made of; a caption without a figure may still label them."""

    @property
    def is_slide(self) -> bool:
        """Whether it has the shape of a slide."""
        return is_slide(self.width, self.height)

    def texts(self) -> list[Region]:
        """Its paragraphs and list items in the flow of the text."""
        return [region for region in self.regions if region.kind in {"text", "list"} and region.in_flow]

    def shown(self, box: Box) -> Box:
        """A box of the page as read on the page as shown, to a tenth of a point."""
        x0, y0, x1, y1 = self.frame.shown(box) if self.frame else box
        return round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1)


def insert_beside(regions: list[Region], notes: list[Region]) -> None:
    """Puts notes of the margin each before the text, nearest to it, that stands beside its first line."""
    for note in notes:
        x0, top, x1, _ = note.box
        y = top + note.size / 2
        flow = [(at, r.box) for at, r in enumerate(regions) if r.in_flow]
        beside = [(max(box[0] - x1, x0 - box[2]), at) for at, box in flow if box[1] <= y < box[3]]
        under = (at for at, box in flow if box[1] > y)
        regions.insert(min(beside)[1] if beside else next(under, len(regions)), note)


def mark_by_drawings(page: PageRegions, graphics: PageGraphics) -> None:
    """Tells what rules and bars say of the text they stand by."""
    _mark_underlined(page.regions, graphics)
    _mark_ruled_off(page.regions, graphics)
    _mark_quoted(page, graphics)


def _mark_quoted(page: PageRegions, graphics: PageGraphics) -> None:
    """Paragraphs in the midst of others that are set in from both edges of the column count as quoted, as do those that
    a bar at the left edge of the text marks."""
    bars = graphics.vertical if len(graphics.vertical) <= _MAX_RULES else []
    bars = [bar for bar in bars if bar[2] - bar[1] < _MAX_BAR * page.height]
    flow = [region for region in page.regions if region.in_flow]
    edges: dict[float, float] = {}  # the right edges of columns, by their left ones, as far as their paragraphs tell
    for region in flow:
        left, right = region.column_left, region.box[2]
        if region.kind != "text" or region.code or region.caption or region.bold:
            continue
        if region.lines > 1 and abs(region.box[0] - left) < region.size / 2:
            edges[left] = max(right, edges.get(left, 0.0))
        inset = region.held_to > 0 and max(region.held_to, right + region.size) < edges.get(left, 0.0)
        region.quoted = inset or any(_is_marked(region, bar, flow) and not _is_framed(bar, graphics) for bar in bars)


def _is_framed(bar: Rule, graphics: PageGraphics) -> bool:
    """Whether a bar is the side of a frame or of a table: level rules begin or end at it, or another is as long."""
    x, top, bottom = bar
    level = any(a - _TOUCH < x < b + _TOUCH and top - _TOUCH < y < bottom + _TOUCH for y, a, b in graphics.horizontal)
    alike = (
        abs(y0 - top) + abs(y1 - bottom) < _TOUCH and abs(other - x) > _TOUCH for other, y0, y1 in graphics.vertical
    )
    return level or any(alike)


def _is_marked(region: Region, bar: Rule, flow: list[Region]) -> bool:
    """Whether a bar stands along a paragraph, no longer than what it marks, where other text begins."""
    (x, top, bottom), em = bar, region.size
    x0, y0, _, y1 = region.box
    if not 0 < x0 - x < _BESIDE * em or top > y0 + em / 2 or bottom < y1 - em / 2:
        return False
    beside = [other for other in flow if other.box[1] < bottom - em / 2 and other.box[3] > top + em / 2]
    if not beside or any(other.box[0] < x or other.kind not in {"text", "list"} for other in beside):
        return False
    ends = min(other.box[1] for other in beside) - top, bottom - max(other.box[3] for other in beside)
    level = any(
        abs(other.box[0] - x) < em and other.box[0] < x0 - em / 2
        for other in flow
        if other.box[3] <= top or other.box[1] >= bottom
    )
    return level and max(ends) < _LONGER * em


def _mark_underlined(regions: list[Region], graphics: PageGraphics) -> None:
    """Lines that are underlined from end to end count as bold, as do those between two rules at their height: so
    typewriters set off, and many still do."""
    rules = graphics.horizontal if len(graphics.horizontal) <= _MAX_RULES else []
    for region in regions if rules else ():
        x0, _, x1, bottom = region.box
        em = region.size
        if region.kind not in {"text", "list"} or region.lines > 1 or region.running or region.bold:
            continue
        if any(span.kind == "link" for span in region.spans):
            continue
        under = [(a, b) for y, a, b in rules if abs(y - bottom) < _UNDER * em and a > x0 - em and b < x1 + em]
        region.bold = _covered(under) > _UNDERLINED * (x1 - x0) or _is_flanked(region, rules)


def _mark_ruled_off(regions: list[Region], graphics: PageGraphics) -> None:
    """Lines over a rule as wide as their column, as sections of CVs and of web pages have under their titles."""
    rules = graphics.horizontal if len(graphics.horizontal) <= _MAX_RULES else []
    for region in regions if rules else ():
        x0, _, x1, bottom = region.box
        if region.kind == "text" and region.lines == region.pieces == 1 and not region.running:
            em = region.size
            region.ruled_off = any(
                -_UNDER * em < y - bottom < _UNDER_TITLE * em
                and abs(a - x0) < em / 2
                and b - x0 > _LONGER_RULE * (x1 - x0)
                for y, a, b in rules
            )


def _covered(rules: list[tuple[float, float]]) -> float:
    """How long rules are together, where several lie over one another as the edges of boxes do."""
    total, reached = 0.0, float("-inf")
    for left, right in sorted(rules):
        total += max(right - max(left, reached), 0.0)
        reached = max(reached, right)
    return total


def _is_flanked(region: Region, rules: list[Rule]) -> bool:
    """Whether a rule ends right before a line, and another begins right behind it."""
    x0, top, x1, bottom = region.box
    middle = (top + bottom) / 2  # blanks to be filled in end at the foot of a line
    level = [(a, b) for y, a, b in rules if abs(y - middle) < _MIDDLE * region.size and b - a > region.size]
    reach = _FLANKED * region.size
    return any(0 < x0 - b < reach for _, b in level) and any(0 < a - x1 < reach for a, _ in level)


def table_region(table: FoundTable, vocabulary: set[str]) -> Region:
    """The region of a table: its rows in the order they are read in, and how sure they are. `vocabulary` holds the
    document's words in small letters."""
    part_groups(table)
    part_title(table)
    edges = None if read_rightwards(table) else column_edges(table)
    rows = with_whole_figures(without_hyphenation(table, vocabulary))
    flaws = flaws_of(table, rows)
    confidence = likelihood(table.base, flaws)
    upright = [s for s in table.segments if not s.vertical] or table.segments
    return Region(
        "table", "", table.box, rows=rows, merges=tuple(table.merges), header_rows=table.header_rows,
        columns=table.columns, confidence=confidence, flaws=reasons(flaws),
        table_lines=as_lines(rows_of(upright)) if confidence < UNCERTAIN_TABLE and upright else (),
        size=median(s.style.size for s in table.segments) if table.segments else 0.0, edges=edges,
    )  # fmt: skip
