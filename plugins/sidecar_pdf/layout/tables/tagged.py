"""What a page's structure tree says, checked against the page: tables whose cells stand in rows and columns and hold
the page's words, running heads and feet marked as artifacts, and the kinds of paragraphs. Tags the page contradicts are
not used; what they do not tell is left to the rest of the layout."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from sidecar.api import Box, Merge
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.flaws.confidence import tagged_flaws
from sidecar_pdf.layout.tables.found import FoundTable, cell_text, header_rows
from sidecar_pdf.layout.tables.known_flaws import TAGGED
from sidecar_pdf.layout.tables.listings import is_navigation
from sidecar_pdf.pdfium.geometry import area, bounding_box, contains_centre
from sidecar_pdf.pdfium.tags import PageTags, TaggedCell, TaggedText
from sidecar_pdf.text.segments import Segment, Word

_MIN_KNOWN = 0.6
"""Share of a page's text objects that its tree must hold to be believed."""
_MAX_COLUMNS = 200
_AROUND = 2.0
"""Points around the text of a cell in which the middle of its words lies, and by which rows may stand out of order."""
_STRAY = 0.02
"""Share of a table's words that may stand in none of its cells."""
_FEWER_ROWS = 0.6
"""Of the rows that rules or columns tell, at least, are tagged."""
_TITLED_COLUMNS, _OFF_MIDDLE = 3, 0.08
"""Columns at least under a title, and the share of their width that it is off their middle."""
_BAND = 16.0
"""Points."""
_EDGE = 0.15
"""Of the page's height, at head and foot, where artifacts are running content."""
_MAX_ARTIFACTS = 0.4
"""Share of a page's characters: more of them are text somebody has marked wrongly."""
_COVERED = 0.7
"""Of a paragraph, at least, lies in the element that it is."""

_Rows = list[list[Segment]]
_Place = tuple[int, int]


def is_sane(tags: PageTags) -> bool:
    """Whether the tags hold most of the page, and the cells of a table, if there are any, stand in rows and columns."""
    if tags.known < _MIN_KNOWN:
        return False
    return not tags.tables or any(_in_order(_placed([row for row in rows if row])) for rows in tags.tables)


def with_tagged_tables(found: list[FoundTable], tags: PageTags, segments: list[Segment]) -> list[FoundTable]:
    """The tables found by rules and columns, those that sane tags tell better in their place."""
    tables = list(found)
    for rows in tags.tables:
        tagged = _table(rows, segments)
        if tagged is None:
            continue
        same = [table for table in tables if contains_centre(tagged.box, table.box)]
        if any(len(tagged.rows) < _FEWER_ROWS * len(table.rows) for table in same):
            continue
        if any(_is_within_a_cell(table, rows) for table in same if len(table.rows) > 1):
            continue  # tables within the cells of one that lays out the page
        if len(same) == 1:
            tagged.ruled = same[0].ruled
            tagged.x0, tagged.y0 = min(tagged.x0, same[0].x0), min(tagged.y0, same[0].y0)
            tagged.x1, tagged.y1 = max(tagged.x1, same[0].x1), max(tagged.y1, same[0].y1)
        tables = [table for table in tables if not any(table is other for other in same)]
        tables.append(tagged)
    return tables


def _is_within_a_cell(table: FoundTable, rows: list[list[TaggedCell]]) -> bool:
    """Whether all the text of a table lies in one cell of a tagged one."""
    cells = (bounding_box(cell.boxes) for row in rows for cell in row if cell.boxes)
    return any(all(contains_centre(box, s.box) for s in table.segments) for box in cells)


def _table(rows: list[list[TaggedCell]], segments: list[Segment]) -> FoundTable | None:
    """A tagged table with the words of the page; None where its cells stand in no columns, or do not hold them."""
    cells = _placed([row for row in rows if row])
    boxes = [box for cell in cells.values() for box in cell.boxes]
    height = max((row for row, _ in cells), default=-1) + 1
    width = max((column + cell.columns for (_, column), cell in cells.items()), default=0)
    if height < 2 or not 2 <= width <= _MAX_COLUMNS or not boxes or not _in_order(cells):
        return None
    around = bounding_box(boxes)
    inside = [s for s in segments if contains_centre(around, s.box)]
    words = _words_of_cells(cells, inside)
    if words is None:
        return None
    texts = [[cell_text(words.get((row, column), [])) for column in range(width)] for row in range(height)]
    if is_navigation(texts):
        return None
    merges = tuple(
        Merge(row, column, cell.rows, cell.columns)
        for (row, column), cell in cells.items() if cell.rows > 1 or cell.columns > 1
    )  # fmt: skip
    table = FoundTable(*around, texts, merges, columns=_extents(cells, width), order=min(s.order for s in inside))
    table.segments, table.base, table.flaws = inside, TAGGED, tagged_flaws(texts)
    table.header_rows = _header_rows(cells, height, width) or header_rows(texts)
    return table


def _header_rows(cells: dict[_Place, TaggedCell], height: int, width: int) -> int:
    """The rows of header cells that a table begins with, and its titles over them: a cell over all columns. Such a one
    below them names a group of rows."""
    rows: list[list[TaggedCell]] = [[] for _ in range(height)]
    for (row, _), cell in cells.items():
        rows[row].append(cell)
    titled = [len(row) == 1 and row[0].columns == width for row in rows]
    headed = [all(cell.header for cell in row) for row in rows]
    titles = titled.index(False) if False in titled else 0
    heads = titles
    while heads < height - 1 and headed[heads] and not (heads > titles and titled[heads]):
        heads += 1
    return heads if heads > titles or all(headed[:titles]) else 0


def _placed(rows: list[list[TaggedCell]]) -> dict[_Place, TaggedCell]:
    """The cells by row and column, past those that reach down into their row (ISO 32000-1, 14.8.4.3.4). Cells without
    text are not told of on a page: those of a row that lacks some stand in the columns they stand under. Empty where
    that cannot be told."""
    cells: dict[_Place, TaggedCell] = {}
    taken: set[_Place] = set()
    ends: list[int] = []
    for row, own in enumerate(rows):
        column = 0
        for cell in own:
            while (row, column) in taken:
                column += 1
            down = min(cell.rows, len(rows) - row)
            cells[row, column] = TaggedCell(cell.boxes, cell.header, down, cell.columns)
            taken.update((row + i, column + j) for i in range(down) for j in range(min(cell.columns, _MAX_COLUMNS)))
            column += cell.columns
        while (row, column) in taken:
            column += 1
        ends.append(column)
    width = min(max(ends, default=0), _MAX_COLUMNS)
    short = [row for row, end in enumerate(ends) if end < width]
    full = {place: cell for place, cell in cells.items() if place[0] not in short}
    extents = _extents(full, width)
    for row in short:
        titled = row == 0 and _is_title(rows[0], extents)
        placed = {(0, 0): replace(rows[0][0], columns=width)} if titled else _placed_by_extent(row, rows[row], extents)
        if placed is None or any(cell.rows > 1 for cell in placed.values()) or taken & placed.keys() - cells.keys():
            return {}
        full.update(placed)
    return full


def _is_title(row: list[TaggedCell], columns: list[tuple[float, float]]) -> bool:
    """Whether the first row is one header in the middle of all of several columns: Word does not say that it reaches
    over them."""
    if len(row) > 1 or len(columns) < _TITLED_COLUMNS or not row[0].header or not row[0].boxes:
        return False
    left, _, right, _ = bounding_box(row[0].boxes)
    off = (left + right - columns[0][0] - columns[-1][1]) / 2
    return abs(off) < _OFF_MIDDLE * (columns[-1][1] - columns[0][0])


def _placed_by_extent(
    row: int, cells: list[TaggedCell], columns: list[tuple[float, float]]
) -> dict[_Place, TaggedCell] | None:
    """The cells of a row in the columns they stand under; None where two stand under one, or one under none."""
    placed: dict[_Place, TaggedCell] = {}
    last = -1
    for cell in cells:
        if not cell.boxes:
            return None
        left, _, right, _ = bounding_box(cell.boxes)
        shared = [min(right, x1) - max(left, x0) for x0, x1 in columns]
        at = max(range(len(columns)), key=shared.__getitem__)
        if shared[at] <= 0 or at <= last:
            return None
        placed[row, at] = cell
        last = at + cell.columns - 1
    return placed


def _in_order(cells: dict[_Place, TaggedCell]) -> bool:
    """Whether rows stand below one another, and the columns of each row beside one another."""
    rows: dict[int, list[Box]] = {}
    for (row, _), cell in sorted(cells.items(), key=lambda item: item[0]):
        if cell.boxes and cell.rows == 1:
            rows.setdefault(row, []).append(bounding_box(cell.boxes))
    middles = [median((top + bottom) / 2 for _, top, _, bottom in own) for own in rows.values()]
    level = all(
        one[0] < other[0] and one[2] < other[2] + _AROUND for own in rows.values() for one, other in pairwise(own)
    )
    several = any(len(own) > 1 for own in rows.values())
    return several and level and all(above < below + _AROUND for above, below in pairwise(middles))


def _words_of_cells(cells: dict[_Place, TaggedCell], segments: Sequence[Segment]) -> dict[_Place, list[Word]] | None:
    """The words of each cell; None where too many stand in none."""
    bands: dict[int, list[tuple[Box, _Place]]] = {}
    for place, cell in cells.items():
        for x0, y0, x1, y1 in cell.boxes:
            box = (x0 - _AROUND, y0 - _AROUND, x1 + _AROUND, y1 + _AROUND)
            for band in range(int(box[1] // _BAND), int(box[3] // _BAND) + 1):
                bands.setdefault(band, []).append((box, place))
    found: dict[_Place, list[Word]] = {}
    stray = total = 0
    for segment in segments:
        for word in (segment.as_word,) if segment.vertical else segment.words:
            own = word[1:5]
            near = [
                (_shared(own, box), place)
                for box, place in bands.get(int((word.y0 + word.y1) / 2 // _BAND), ()) if contains_centre(box, own)
            ]  # fmt: skip
            total += 1
            if near:
                found.setdefault(max(near)[1], []).append(word)
            else:
                stray += 1
    return found if total and stray <= _STRAY * total else None


def _extents(cells: dict[_Place, TaggedCell], width: int) -> list[tuple[float, float]]:
    """Left and right end of each column, those without text between their neighbours."""
    extents: list[tuple[float, float]] = []
    for at in range(width):
        boxes = [b for (_, column), cell in cells.items() if column == at and cell.columns == 1 for b in cell.boxes]
        last = extents[-1][1] if extents else 0.0
        extents.append((min(b[0] for b in boxes), max(b[2] for b in boxes)) if boxes else (last, last))
    return extents


def with_artifacts(
    running: tuple[_Rows, _Rows], tags: PageTags, segments: list[Segment], height: float
) -> tuple[_Rows, _Rows]:
    """Running head and foot, with what is marked as an artifact at the edges of the page, less rows of tables."""
    cells = [box for rows in tags.tables for row in rows for cell in row for box in cell.boxes]
    if cells:
        running = _without_cells(running[0], cells), _without_cells(running[1], cells)
    if not tags.artifacts:
        return running
    marked = {id(s) for s in segments if not s.hidden and _lies_in(s.box, tags.artifacts)}
    if sum(len(s.text) for s in segments if id(s) in marked) > _MAX_ARTIFACTS * sum(len(s.text) for s in segments):
        return running
    known = {id(segment) for rows in running for row in rows for segment in row}
    edge = [s for s in segments if not s.vertical and (s.y1 < _EDGE * height or s.y0 > (1 - _EDGE) * height)]
    rows = [row for row in rows_of(s for s in edge if id(s) not in known) if all(id(s) in marked for s in row)]
    head = [row for row in rows if row[0].y1 < _EDGE * height]
    return [*running[0], *head], [*rows[len(head) :], *running[1]]


def _without_cells(rows: _Rows, cells: list[Box]) -> _Rows:
    return [row for row in rows if not all(_lies_in(segment.box, cells) for segment in row)]


def _lies_in(box: Box, boxes: Iterable[Box]) -> bool:
    return any(contains_centre(other, box) for other in boxes)


def tag_of(box: Box, texts: Sequence[TaggedText]) -> str:
    """The kind of the element a paragraph is: of those that hold it the most telling."""
    kinds = {text.kind for text in texts if _shared(box, text.box) >= _COVERED * max(area(box), 1.0)}
    heading = min((kind for kind in kinds if kind.startswith("H")), default="")
    return heading or next((kind for kind in ("Note", "LI", "P") if kind in kinds), "")


def _shared(one: Box, other: Box) -> float:
    """Square points both boxes cover; those of `other` are a little larger than the ink of its text."""
    across = min(one[2], other[2] + _AROUND) - max(one[0], other[0] - _AROUND)
    down = min(one[3], other[3] + _AROUND) - max(one[1], other[1] - _AROUND)
    return max(across, 0.0) * max(down, 0.0)
