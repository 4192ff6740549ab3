"""Column borders of a drawn grid that its rules do not draw and white space tells."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import DrawnGrid
from sidecar_pdf.layout.tables.found import BULLET, NUMERIC
from sidecar_pdf.layout.tables.grid import CURRENCIES
from sidecar_pdf.layout.word_gaps import close_borders, covered_spans
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, Word

_CUT = 2.0  # points by which text may reach over the ends of rules that are cut at one height
_COLUMN_GAP = 1.0  # ems of white space that parts two columns no rule parts
_SIDE_BY_SIDE = 0.6  # columns with text in a line that is a row
_PARTED, _THROUGH = 0.25, 0.2  # of the lines of a column that are parted at one place, and that run on there
_PROSE_WORDS = 4.0  # words of a piece on each side of white space, on average: running text


def with_text_columns(grid: DrawnGrid, taken: list[Segment], ticks: Sequence[Box]) -> DrawnGrid:
    """Adds column borders where white space parts most lines of cells below one another at one place, in the rows it is
    white in: boxes to tick fill it. A border drawn in other rows within that white is the same."""
    borders: list[Rule] = []
    level = [s for s in taken if not s.vertical]
    grid = _with_borders_of_others(grid, level)
    for (left, right), rows in _open_cells(grid, level).items():
        inside = [s for _, cell in rows for s in cell if left <= s.x0 and s.x1 <= right]
        own = [s for s in inside if s.text not in CURRENCIES and not BULLET.match(s.text)]  # no columns of their own
        lines = [sorted(line, key=lambda s: s.x0) for line in rows_of(own)]
        wide = _without_heads_beside(_parting(lines), [[(s.x0, s.x1) for s in line] for line in lines])
        wide = [(low, high) for low, high in wide if not any(low < b[0] < high + 1 for b in ticks)]
        for low, high in wide or ([] if ticks else _close_parting(lines, left, right)):
            x = next((x for x in grid.xs[1:-1] if low - _CUT < x < high + _CUT), (low + high) / 2)
            borders += [(x, *band) for band, cell in rows if _is_clear(x, cell, words=not wide)]
    if borders:
        xs = sorted({*grid.xs, *(rule[0] for rule in borders)})
        grid = replace(grid, xs=xs, vertical=[*grid.vertical, *borders])
    return _with_borders_of_others(grid, level)


def _with_borders_of_others(grid: DrawnGrid, level: list[Segment]) -> DrawnGrid:
    """Carries the column borders of other rows through a row in which they are not drawn, where several texts stand in
    columns of their own, clear of all borders: names of columns, and no cell over these."""
    borders: list[Rule] = []
    for (left, right), rows in _open_cells(grid, level).items():
        inner = [x for x in grid.xs if left < x < right]
        for band, cell in rows if inner else ():
            inside = [s for s in cell if left <= s.x0 and s.x1 <= right]
            clear = not any(s.x0 < x - _CUT and x + _CUT < s.x1 for s in inside for x in inner)
            if inside and clear and all(_stand_apart(grid, line, len(inner) + 1) for line in rows_of(inside)):
                borders += [(x, *band) for x in inner]
            elif label := _label_of_sums(grid, inside):
                borders += [(x, *band) for x in inner if x > label.x1]
    return replace(grid, vertical=[*grid.vertical, *borders]) if borders else grid


def _label_of_sums(grid: DrawnGrid, inside: list[Segment]) -> Segment | None:
    """The first text of a line whose others are figures, each within a column of its own behind it."""
    label, *sums = sorted(inside, key=lambda s: s.x0) if len(inside) > 1 else (None,)
    if label is None or sums[0].x0 <= label.x1 or len(rows_of(inside)) > 1:
        return None
    columns = [grid.column_at((s.x0 + s.x1) / 2) for s in sums]
    within = all(grid.xs[at] <= s.x0 and s.x1 <= grid.xs[at + 1] for at, s in zip(columns, sums, strict=True))
    return label if within and len({*columns}) == len(sums) and all(NUMERIC.match(s.text) for s in sums) else None


def _stand_apart(grid: DrawnGrid, line: list[Segment], width: int) -> bool:
    """Whether the texts of a line stand in columns of their own, in most of so many."""
    return len({grid.column_at((s.x0 + s.x1) / 2) for s in line}) == len(line) >= max(2, _SIDE_BY_SIDE * width)


def _is_clear(x: float, cell: list[Segment], *, words: bool) -> bool:
    """Whether none of the texts of a cell, or of their `words`, runs through a border, and one stands behind it."""
    pieces: Sequence[Segment | Word] = [w for s in cell for w in s.words] if words else cell
    return any(s.x1 > x for s in cell) and not any(p.x0 < x < p.x1 for p in pieces)


def _open_cells(
    grid: DrawnGrid, level: list[Segment]
) -> dict[tuple[float, float], list[tuple[tuple[float, float], list[Segment]]]]:
    """What lies between two column borders with none drawn in between, and of each row it does so in the top and bottom
    and the texts whose middle is in it."""
    rows: dict[int, list[Segment]] = {}
    for segment in level:
        rows.setdefault(bisect_right(grid.ys, (segment.y0 + segment.y1) / 2) - 1, []).append(segment)
    cells: dict[tuple[float, float], list[tuple[tuple[float, float], list[Segment]]]] = {}
    for row, (top, bottom) in enumerate(pairwise(grid.ys)):
        if row not in rows:
            continue
        drawn = [x for c, x in enumerate(grid.xs[1:-1], 1) if grid.has_column_border(c, (top + bottom) / 2)]
        sides = [grid.xs[0], *drawn, grid.xs[-1]]
        texts: dict[int, list[Segment]] = {}
        for segment in rows[row]:
            at = bisect_right(sides, (segment.x0 + segment.x1) / 2) - 1
            texts.setdefault(min(max(at, 0), len(sides) - 2), []).append(segment)
        for at, inside in texts.items():
            cells.setdefault((sides[at], sides[at + 1]), []).append(((top, bottom), inside))
    return cells


def _close_parting(lines: list[list[Segment]], left: float, right: float) -> list[tuple[float, float]]:
    """The white between columns that stand as close as words, within cells of several lines, where a head at the left
    of a cell parts none from figures at the right of it."""
    words = [[w for s in line for w in s.words] for line in lines]
    if not words:
        return []
    em = max(median(w.style.size for line in words for w in line), 1.0)
    borders = [(x, x) for x in close_borders(words, (left, right), em)]
    return _without_heads_beside(borders, [[(w.x0, w.x1) for w in line] for line in words])


def _parting(lines: list[list[Segment]]) -> list[tuple[float, float]]:
    """The white that parts several lines, and through which hardly any line runs on."""
    parted = [line for line in lines if len(line) > 1]
    pieces = [s for line in parted for s in line]
    if len(parted) < 2 or sum(len(s.words) for s in pieces) >= _PROSE_WORDS * len(pieces):
        return []
    em = median(s.style.size for s in pieces)
    found: list[tuple[float, float]] = []
    end = 0.0
    for segment in sorted(pieces, key=lambda s: s.x0):
        if end and segment.x0 - end > _COLUMN_GAP * em:
            x = (end + segment.x0) / 2
            both = sum(line[0].x1 < x < line[-1].x0 for line in parted)
            through = sum(any(s.x0 < x < s.x1 for s in line) for line in lines)
            if both >= max(2, _PARTED * len(lines)) and through <= _THROUGH * len(lines):
                found.append((end, segment.x0))
        end = max(end, segment.x1)
    return found


def _without_heads_beside(
    gaps: list[tuple[float, float]], lines: list[list[tuple[float, float]]]
) -> list[tuple[float, float]]:
    """The white between columns without that between a head and the figures under it on the other edge of its column:
    the first line alone is next to it on the left, and others alone on the right. `lines` are the extents of what
    stands on each."""
    edges = sorted((edge, step) for line in lines for one in line for edge, step in zip(one, (1, -1), strict=True))
    spans = covered_spans(edges, 1, 0.0)
    kept: list[tuple[float, float]] = []
    for low, high in gaps:
        x = (low + high) / 2
        left = max((span for span in spans if span[1] <= x), default=(x, x))
        right = min((span for span in spans if span[0] >= x), default=(x, x))
        head, under = (
            {row for row, line in enumerate(lines) if any(x0 <= start and end <= x1 for start, end in line)}
            for x0, x1 in (left, right)
        )
        if head != {0} or 0 in under or not under:
            kept.append((low, high))
    return kept
