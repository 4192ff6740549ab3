"""Finds tables whose cells are drawn: grids of ruling lines. A grid is trusted when text stands in its cells, or when
it is regular enough to be a form that waits to be filled in. `aligned` finds tables without cell borders."""

from collections.abc import Iterable
from itertools import pairwise

from sidecar.api import Box, Merge
from sidecar_pdf.layout.lines import lines_between
from sidecar_pdf.layout.tables.borders.drawn_grid import (
    AT_RULE,
    DrawnGrid,
    Place,
    components,
    grid_of,
    merged_cells,
    merged_rules,
    pillar_grids,
    stacked_grids,
    without_gaps,
    without_margins,
)
from sidecar_pdf.layout.tables.borders.every_other import every_other_grids, with_filled_foot
from sidecar_pdf.layout.tables.borders.filled import (
    cell_grids,
    with_fill_borders,
    with_filled_head,
    with_filled_levels,
    with_head_sides,
    with_header_fills,
    with_names_beside,
)
from sidecar_pdf.layout.tables.borders.head_frames import (
    HEAD_OVER_FILL,
    HEAD_OVER_RULE,
    head_frames,
    with_groups_over,
    with_head_over,
    with_rules_within,
)
from sidecar_pdf.layout.tables.borders.pieced import pieced_grids, with_cut_sides, with_rule_ends, with_tops_of_heads
from sidecar_pdf.layout.tables.borders.prose import grids_in_frame, without_prose
from sidecar_pdf.layout.tables.borders.tick_boxes import after_ticks
from sidecar_pdf.layout.tables.borders.turned import read_turned
from sidecar_pdf.layout.tables.borders.undrawn import with_text_rows
from sidecar_pdf.layout.tables.borders.undrawn_columns import with_text_columns
from sidecar_pdf.layout.tables.flaws.confidence import drawn_flaws
from sidecar_pdf.layout.tables.found import FoundTable, cell_text, header_rows, without_leaders
from sidecar_pdf.layout.tables.grid_rows import Cells
from sidecar_pdf.layout.tables.known_flaws import DRAWN, MARKS_DRAWN, SUSPECT
from sidecar_pdf.layout.tables.row_labels import with_row_labels
from sidecar_pdf.layout.tables.side_by_side import HEAD_AND_BODY, half_ruled, lists_beside
from sidecar_pdf.pdfium.geometry import area, contains_centre
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.letters.broken import narrow_columns, unbroken
from sidecar_pdf.text.segments import Segment, Word

# Points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_OUTSIDE, _AROUND = 6.0, 2.0  # by which a curve may reach out of a plot; within which it only frames or ticks
_MIN_COLUMN, _MIN_ROW = 18.0, 8.0  # of a cell large enough to write in
_HEAD_SIDE = 3.0  # between the sides of one column in a head and in its body
_HEADER = 2.0  # under the first row border, in which the header's text ends
# Counts.
_MAX_RULES, _MAX_CELLS = 1_200, 20_000  # of a page and of a table: more are a map or a drawing
_MAX_FORM_CELLS = 600  # borders of an empty form
_SMALL_CELLS = 6  # of a table whose rules need not run through
_HEAD_ROWS = 2  # of the heads of a table, at most, that rules of their own part
_POINTS = 5  # blanks between the points of a plot, at least
# Shares.
_FRAME_AREA = 0.5  # of the page: a larger grid of two cells is a frame
_THROUGH_ACROSS, _THROUGH_DOWN = 0.33, 0.3  # of the grid's lines that are drawn in a table
_MAX_NAMED = 40  # grids of filled cells, beside which names of rows are looked for
_MIN_MARK, _MAX_MARK = 3.0, 18.0  # sides of a sign that is drawn in a cell
_CROSSING = 0.25  # of the width or height that a curve over a plot's frame covers
_AS_CERTAIN = 0.8  # of the confidence of a table of drawn cells, that one of more columns has
_PAINTED = 0.5  # cells that are filled in a heat map
_ROOMY = 0.6  # rows and columns of a form that are large enough to write in
_FORM_ACROSS, _FORM_DOWN = 0.85, 0.8  # of a form's borders that are drawn
_TWO_ROWS_ACROSS, _TWO_ROWS_DOWN, _TWO_ROWS_EVEN = 0.97, 0.95, 1.2  # the same of two rows; widest to narrowest column
_SQUARED = 1.15  # largest to smallest side of the cells of squared paper
_BEGUN = 1.5  # ems of a text within the cell whose side it runs over, at least
_FILLED, _BOXES_CELLS, _BOXES_FILLED = 0.25, 0.66, 0.5  # cells with text; cells that are not merged away, those filled


def ruled_tables(
    graphics: PageGraphics, segments: list[Segment], width: float, height: float
) -> tuple[list[FoundTable], list[Box], list[Box]]:
    """Tables whose cells are drawn, plain frames, and boxes of diagrams. A word's middle tells its cell."""
    horizontal, vertical = merged_rules(graphics.horizontal), merged_rules(graphics.vertical)
    if len(horizontal) > _MAX_RULES or len(vertical) > _MAX_RULES:
        return [], [], []
    tables: list[FoundTable] = []
    frames: list[Box] = []
    diagrams: list[Box] = []
    framed = _framed_tables(graphics, horizontal, vertical, segments)
    for grid in _grids(horizontal, vertical, graphics.fills, segments, height):
        if any(contains_centre(grid.box, table.box) for table in framed):
            continue  # a panel around it
        if not _is_tabular(grid, graphics, _FRAME_AREA * width * height):
            (frames if grid.columns == grid.rows == 1 else diagrams).append(grid.box)
            continue
        beside = lists_beside(grid, _inside(grid, segments))
        if beside:
            tables += beside
            continue
        table = _table(grid, segments, graphics)
        inner = _without_frame(grid, _inside(grid, segments))
        half = half_ruled(inner, _inside(inner, segments), horizontal)
        table = half if half is not None and (table is None or _tells_more(half, table)) else table
        if table is None:
            diagrams.append(inner.box)
        elif not any(map(any, table.rows)) and _is_painted(table, graphics.fills):
            continue
        elif not any(contains_centre(other.box, table.box) for other in tables):
            tables.append(table)
    tables += framed
    return tables + _filled_tables(graphics, segments, tables), frames, diagrams


def _framed_tables(
    graphics: PageGraphics, horizontal: list[Rule], vertical: list[Rule], segments: list[Segment]
) -> list[FoundTable]:
    """Tables of which only the sides and a filled head are drawn."""
    grids = head_frames(horizontal, vertical, graphics.fills, [s for s in segments if not s.vertical])
    tables = [_table(grid, segments, PageGraphics()) for grid in grids]
    return [table for table in tables if table is not None and table.score >= SUSPECT]


def _grids(
    horizontal: list[Rule], vertical: list[Rule], fills: list[Box], segments: list[Segment], height: float
) -> Iterable[DrawnGrid]:
    """The grids of rules that touch, those in a frame as large as the page without the text in it."""
    for hs, vs in components(horizontal, vertical):
        whole = grid_of(hs, vs)
        for part in _parts(whole, segments, height):
            grid = without_gaps(part, (s.box for s in _inside(part, segments)))
            grid = with_filled_levels(with_header_fills(grid, fills, segments), fills)
            grid = with_filled_head(grid, fills, segments)
            grid = with_head_sides(with_fill_borders(grid, fills, segments), fills, segments)
            yield with_filled_foot(grid, fills, segments)


def _parts(whole: DrawnGrid, segments: list[Segment], height: float) -> Iterable[DrawnGrid]:
    """What a grid of rules that touch consists of: the grids in its frame, and those below one another."""
    for framed in grids_in_frame(whole, _inside(whole, segments), height):
        yield from stacked_grids(framed, (s.box for s in _inside(framed, segments)))


def _tells_more(half: FoundTable, table: FoundTable) -> bool:
    """Whether a table of which white space parts columns, or the rows of one body, has more of them than one of drawn
    cells and is hardly more suspect, or as many of which more have heads, or heads of several levels, or that are less
    suspect."""
    certain = half.score >= _AS_CERTAIN * table.score
    if len(half.columns) != len(table.columns):
        return len(half.columns) > len(table.columns) and certain
    heads = [sum(map(bool, found.rows[0])) for found in (half, table)]
    several = half.header_rows > max(table.header_rows, 1)
    flagged = table.score < SUSPECT <= half.score
    parted = certain and len(half.rows) > len(table.rows) == HEAD_AND_BODY
    return several or flagged or parted or (len(half.rows) == len(table.rows) and heads[0] > heads[1])


def _filled_tables(graphics: PageGraphics, segments: list[Segment], tables: list[FoundTable]) -> list[FoundTable]:
    """Tables of filled cells without rules, or with none across, besides those already found."""
    found: list[FoundTable] = []
    loose = [
        (x, top, bottom) for x, top, bottom in graphics.vertical
        if not any(t.x0 - _AROUND < x < t.x1 + _AROUND and t.y0 - _AROUND < bottom and top < t.y1 for t in tables)
    ]  # fmt: skip
    texts = [w[1:5] for s in segments if not s.vertical for w in s.words] if loose else []
    level = [s for s in segments if not s.vertical]
    pieced = pieced_grids(with_tops_of_heads(graphics.horizontal, graphics.fills), loose, level)
    painted = cell_grids(graphics.fills)
    if len(painted) <= _MAX_NAMED:
        painted = [with_names_beside(grid, graphics.fills, level) for grid in painted]
    for plain in (
        *every_other_grids(graphics.fills, segments),
        *painted,
        *pillar_grids(graphics.horizontal, loose, texts),
        *pieced,
    ):
        grid = with_row_labels(with_filled_levels(plain, graphics.fills), segments)
        apart = [table for table in tables if plain in pieced and _is_head_of(table, plain)]
        others = (other.box for other in (*tables, *found) if other not in apart)
        if any(contains_centre(other, grid.box) or contains_centre(grid.box, other) for other in others):
            continue
        heads = all(s.style.bold for s in _inside(grid, segments))  # of a table whose rows are not filled, if any text
        table = (
            None if heads or _is_plot(grid, graphics.curves) else _table(grid, segments, PageGraphics(), HEAD_OVER_FILL)
        )
        if table is not None and table.score >= SUSPECT:
            found.append(table)
            tables[:] = [other for other in tables if other not in apart]
    return found


def _is_head_of(table: FoundTable, grid: DrawnGrid) -> bool:
    """Whether a table of one row or two is but the head of a grid, whose cells are filled and have rules between them:
    it fills the first rows from side to side, and has their columns."""
    left, top, right, _ = grid.box
    rows, sides = len(table.rows), [*(start for start, _ in table.columns), table.x1]
    if rows >= grid.rows or len(sides) != len(grid.xs) or rows > _HEAD_ROWS:
        return False
    ends = abs(table.x0 - left) < _AROUND and abs(table.x1 - right) < _AROUND
    alike = all(abs(a - b) < _HEAD_SIDE for a, b in zip(sides, grid.xs, strict=True))
    return ends and alike and abs(table.y0 - top) < _AROUND and abs(table.y1 - grid.ys[rows]) < _AROUND


def _is_tabular(grid: DrawnGrid, graphics: PageGraphics, frame_area: float) -> bool:
    """Whether the rules can be a table's: of several cells, that run through, and are neither a frame nor a plot."""
    if grid.columns < 2 or grid.rows < 1 or len(grid.xs) * len(grid.ys) > _MAX_CELLS:
        return False
    if grid.columns == 2 and grid.rows == 1 and area(grid.box) > frame_area:
        return False
    return _is_coherent(grid) and not _is_plot(grid, graphics.curves)


def _is_coherent(grid: DrawnGrid) -> bool:
    """Whether the rules run through like a table's: boxes of a diagram make many short ones at unrelated places."""
    if grid.columns * grid.rows <= _SMALL_CELLS:
        return True
    across, down = grid.drawn()
    return across > _THROUGH_ACROSS and down > _THROUGH_DOWN


def _is_plot(grid: DrawnGrid, curves: list[Box]) -> bool:
    """Whether curves or slanted lines run over the grid: what they cross is the frame of a plot, not a table's rules.
    A stroke within one cell (a tick, a crossed-out corner) or around the whole (rounded borders) says nothing."""
    left, top, right, bottom = grid.box
    near, crossing = _AROUND, 0.0
    for x0, y0, x1, y1 in curves:
        if x0 < left - _OUTSIDE or x1 > right + _OUTSIDE or y0 < top - _OUTSIDE or y1 > bottom + _OUTSIDE:
            continue
        if x0 <= left + near and x1 >= right - near and y0 <= top + near and y1 >= bottom - near:
            continue
        over_column = any(x0 + near < x < x1 - near for x in grid.xs[1:-1])
        if over_column or any(y0 + near < y < y1 - near for y in grid.ys[1:-1]):
            crossing = max(crossing, (x1 - x0) / (right - left), (y1 - y0) / (bottom - top))
    return crossing > _CROSSING


def _is_painted(table: FoundTable, fills: list[Box]) -> bool:
    """Whether most cells of a grid without text are filled: a heat map, not a form."""
    cells = sum(len(row) for row in table.rows)
    painted = {(round(box[0]), round(box[1])) for box in fills if contains_centre(table.box, box)}
    return len(painted) > _PAINTED * cells


def _is_form(grid: DrawnGrid) -> bool:
    """Whether nearly every border of a grid of at least two by two cells is drawn, and cells are large enough to write
    in, and no squares: an empty form, not a pattern or squared paper."""
    if grid.columns < 2 or grid.rows < 2 or len(grid.xs) * len(grid.ys) > _MAX_FORM_CELLS:
        return False
    widths, heights = [b - a for a, b in pairwise(grid.xs)], [b - a for a, b in pairwise(grid.ys)]
    wide = sum(width >= _MIN_COLUMN for width in widths) >= _ROOMY * grid.columns
    tall = sum(height >= _MIN_ROW for height in heights) >= _ROOMY * grid.rows
    if grid.rows > 2 and max(*widths, *heights) < _SQUARED * min(*widths, *heights):
        return False
    across, down = grid.drawn()
    if grid.rows == 2:  # every border, and cells of one width
        even = max(widths) < _TWO_ROWS_EVEN * min(widths)
        return wide and tall and even and across > _TWO_ROWS_ACROSS and down > _TWO_ROWS_DOWN
    return wide and tall and across > _FORM_ACROSS and down > _FORM_DOWN


def _table(
    grid: DrawnGrid, segments: list[Segment], graphics: PageGraphics, reach: float = HEAD_OVER_RULE
) -> FoundTable | None:
    """The grid with its text, the rules of `graphics` as they are drawn; None where it holds too little and is not a
    form. A head stands over it within `reach` heights of a line."""
    taken = _inside(grid, segments)
    grid = with_rules_within(_without_frame(grid, taken), graphics.horizontal, taken)
    taken = _inside(grid, taken)
    form = _is_form(grid)
    if not taken and not form:
        return None
    grid = with_cut_sides(with_rule_ends(grid, taken), graphics.vertical, taken)
    grid = with_text_rows(with_text_columns(grid, taken, graphics.ticks), taken)
    grid = with_groups_over(with_head_over(grid, segments, taken, reach), segments, reach)
    taken = lines_between(_inside(grid, segments), grid.ys[0], grid.ys[-1])
    taken += _over_side(grid, taken, segments)
    anchors, merges = merged_cells(grid)
    cells = _cells(grid, anchors, taken)
    known = {word.text.lower() for segment in segments for word in segment.words}
    columns = list(pairwise(grid.xs))
    narrow = narrow_columns(cells, columns)
    texts = [
        [
            cell_text(unbroken(cell, *column, known, figures=at in narrow, breaks=bool(narrow)))
            for at, (cell, column) in enumerate(zip(row, columns, strict=True))
        ]
        for row in cells
    ]
    texts = without_leaders(texts)
    if (_is_sparse(texts, merges) and not form) or _are_points(texts):
        return None
    above = max((s.order for s in segments if s.y1 <= grid.ys[0]), default=0)
    order = min((s.order for s in taken), default=above)
    table = FoundTable(*grid.box, texts, tuple(merges), ruled=True, columns=columns, order=order, segments=taken)
    bold = bool(taken) and all(s.style.bold for s in taken if s.y1 <= grid.ys[1] + _HEADER)
    table.header_rows = header_rows(texts, bold=bold)
    if graphics.ticks:  # they fill the white before them
        cells = [[after_ticks(words, graphics.ticks) for words in row] for row in cells]
    table.base, table.flaws = DRAWN, drawn_flaws(texts, cells, merges)
    if _marked(grid, texts, graphics.shapes) > 1:
        table.flaws += (MARKS_DRAWN,)
    read_turned(table, grid)
    return table


def _marked(grid: DrawnGrid, texts: list[list[str]], shapes: list[Box]) -> int:
    """How many cells without text hold a small drawing: a tick, a cross or another sign, which says something."""
    left, top, right, bottom = grid.box
    marked: set[tuple[int, int]] = set()
    for x0, y0, x1, y1 in shapes:
        inside = left < x0 and x1 < right and top < y0 and y1 < bottom
        if inside and min(x1 - x0, y1 - y0) > _MIN_MARK and max(x1 - x0, y1 - y0) < _MAX_MARK:
            (row, column), other = (grid.row_at(y0), grid.column_at(x0)), (grid.row_at(y1), grid.column_at(x1))
            if (row, column) == other and not texts[row][column]:
                marked.add(other)
    return len(marked)


def _inside(grid: DrawnGrid, segments: list[Segment]) -> list[Segment]:
    """The text in the grid."""
    x0, _, x1, _ = grid.box
    return [
        s for s in lines_between(segments, grid.ys[0], grid.ys[-1]) if x0 - AT_RULE <= (s.x0 + s.x1) / 2 <= x1 + AT_RULE
    ]


def _over_side(grid: DrawnGrid, taken: list[Segment], segments: list[Segment]) -> list[Segment]:
    """Text too long for its cell: it begins in one of the last column that holds no other, runs over the side of the
    grid by more than half, and has nothing behind it. Lines of which one has no cell of its own are text over it."""
    left, right = grid.xs[-2:]
    own = set(map(id, taken))
    over = [
        s for s in lines_between(segments, grid.ys[0], grid.ys[-1])
        if id(s) not in own and not s.vertical
        and left - AT_RULE <= s.x0 < right - _BEGUN * s.style.size and s.x1 > right
    ]  # fmt: skip
    if not over:
        return []
    filled = {grid.row_at((s.y0 + s.y1) / 2) for s in taken if s.x1 > left + AT_RULE}
    behind = [(s.y0 + s.y1) / 2 for s in segments if s.x0 > right]
    free = [grid.row_at((s.y0 + s.y1) / 2) not in filled and not any(s.y0 < y < s.y1 for y in behind) for s in over]
    return over if all(free) else []


def _cells(grid: DrawnGrid, anchors: list[list[Place]], taken: list[Segment]) -> list[Cells]:
    """The words of each cell, by row."""
    cells: list[list[list[Word]]] = [[[] for _ in range(grid.columns)] for _ in range(grid.rows)]
    for segment in taken:
        for word in (segment.as_word,) if segment.vertical else segment.words:
            row, column = anchors[grid.row_at((word.y0 + word.y1) / 2)][grid.column_at((word.x0 + word.x1) / 2)]
            cells[row][column].append(word)
    return cells


def _are_points(texts: list[list[str]]) -> bool:
    """Whether several cells hold one sign over and over: the points of plots in a grid of frames."""
    signs = (set(text.split()) for row in texts for text in row if text.count(" ") >= _POINTS)
    return sum(len(own) == 1 and len(min(own)) == 1 and min(own) not in "._…-" for own in signs) > 1  # no leaders


def _is_sparse(texts: list[list[str]], merges: list[Merge]) -> bool:
    """Whether too few cells hold text for a table, no two beside each other, or so many are merged that they are boxes
    of a form or a chart."""
    rows, columns = len(texts), len(texts[0])
    filled = sum(bool(text) for row in texts for text in row)
    used_columns = sum(any(row[c] for row in texts) for c in range(columns))
    used_rows = sum(any(row) for row in texts)
    cells = rows * columns - sum(m.rows * m.cols - 1 for m in merges)
    if used_columns < 2 or filled < _FILLED * cells:
        return True
    if (used_rows < 2 and used_columns < 3) or max(sum(map(bool, row)) for row in texts) < 2:
        return True
    return cells < _BOXES_CELLS * rows * columns and filled < _BOXES_FILLED * cells


def _without_frame(grid: DrawnGrid, taken: list[Segment]) -> DrawnGrid:
    """The grid without what belongs to a frame around a table."""
    grid = without_prose(grid, taken)
    return without_margins(grid, [s.box for s in _inside(grid, taken)])
