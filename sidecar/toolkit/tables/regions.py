"""Where tables lie in a sheet: islands of data parted by empty rows and columns, put together again where an empty row
or column only separates parts of one table. The recursive cut is the XY cut (Nagy & Seth 1984)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Final, NamedTuple

from sidecar.toolkit.cell_references import MAX_COLS
from sidecar.toolkit.tables.cells import total_label
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow, Strips, runs_of
from sidecar.toolkit.tables.layouts import with_titles

_CODE: Final = re.compile(r"\d{1,6}E\d{1,3}")
"""What names an article as well as it is a number: "64E4"."""
_SEPARATOR: Final = 2
"""Empty rows that may stand inside one table."""
_HEAD_ROWS: Final = 3
_SHARED: Final = 0.75
"""The share of their rows that columns parted by an empty one have in common when they are one table."""
_FIGURE: Final = frozenset(("number", "date", "formula", "error"))
_YEAR = re.compile(r"(?:19|20)\d\d(?:/\d\d(?:\d\d)?)?")
_ALIKE_ROWS: Final = 8
"""Rows that columns on both sides of an empty one have, all of them, when their head makes one table of them."""
_NEAR: Final = 5
"""Last rows above an empty one of which each column has a value, where the last of all lacks it."""
_LOOKED_BACK: Final = 100
"""Rows above an empty one among whose words those below it are looked for."""
_DEPTH: Final = 6
"""How often an island is cut again: a sheet of tables in tables ends somewhere."""
_FEW_RUNS: Final = 32
"""Up to this many runs of columns, all rows are looked at for each."""


def find_regions(grid: Grid) -> list[GridRegion]:
    """The tables of a sheet in order, titles above them told apart."""
    if not grid.rows:
        return []
    regions = sorted(_cut(grid, grid.rows, (1 << MAX_COLS) - 1, _DEPTH), key=lambda one: (one.rows[0].at, one.left))
    return with_titles(grid, _stacked(grid, regions))


def _cut(grid: Grid, rows: Sequence[GridRow], window: int, depth: int) -> list[GridRegion]:
    found: list[GridRegion] = []
    ends: list[int] = []
    for band in _bands(rows, window):
        mask = 0
        for row in band:
            mask |= row.mask
        columns = _Columns(band, runs_of(mask & window), window)
        runs = _joined(grid, columns, _Above(found, ends))
        if len(runs) == 1 or not depth:
            found.append(GridRegion(band, runs[0][0], runs[-1][1]))
        else:
            for run in runs:
                found += _cut(grid, columns.rows(run), _within(run), depth - 1)
        ends += [band[-1].at] * (len(found) - len(ends))
    return found


def _within(run: tuple[int, int]) -> int:
    return (1 << run[1] + 1) - (1 << run[0])


class _Columns:
    """A band of rows, its runs of columns, and which rows have data in each; of many, each row is looked at once."""

    def __init__(self, band: list[GridRow], runs: Sequence[tuple[int, int]], window: int) -> None:
        self.band = band
        self.runs = runs
        self._rows: dict[tuple[int, int], list[GridRow]] = {}
        if len(runs) > _FEW_RUNS:
            self._rows = {run: [] for run in runs}
            ends = [right for _, right in runs]
            for row in band:
                for at in {bisect_left(ends, first) for first, _ in runs_of(row.mask & window)}:
                    self._rows[runs[at]].append(row)

    def rows(self, run: tuple[int, int]) -> list[GridRow]:
        """Those with data in a run of columns, or in several put together."""
        if run not in self._rows:
            self._rows[run] = [row for row in self.band if row.mask & _within(run)]
        return self._rows[run]


class _Above(NamedTuple):
    """The regions found over a band of rows, and the last row of the band each was found in, which never falls."""

    regions: Sequence[GridRegion]
    ends: Sequence[int]

    def near(self, top: int) -> list[GridRegion]:
        """Those that end near enough to a row for what begins there to go on with them."""
        least = top - _SEPARATOR - 1
        return [one for one in self.regions[bisect_left(self.ends, least) :] if one.rows[-1].at >= least]

    def chain(self, top: int, left: int) -> Iterator[GridRegion]:
        """Regions over a row one after the other, each near the one below it and beginning in the same column."""
        for one, end in zip(reversed(self.regions), reversed(self.ends), strict=True):
            if end < top - _SEPARATOR - 1:
                return
            if one.left == left and 0 < top - one.rows[-1].at <= _SEPARATOR + 1:
                top = one.rows[0].at
                yield one


def _bands(rows: Sequence[GridRow], window: int) -> list[list[GridRow]]:
    """Runs of rows without an empty one between."""
    bands: list[list[GridRow]] = []
    last = -2
    for row in rows:
        if not row.mask & window:
            continue
        if row.at <= last + 1 and bands:  # or the same number again, which a damaged sheet may give all its rows
            bands[-1].append(row)
        else:
            bands.append([row])
        last = row.at
    return bands


def _joined(grid: Grid, columns: _Columns, above: _Above) -> list[tuple[int, int]]:
    """Runs of columns that only an empty column parts put together: columns of figures right of one belong to the table
    on their left when they have its rows, or when they go on with a region `above` that spans them."""
    band, runs = columns.band, columns.runs
    if len(runs) == 1:
        return [*runs]
    near = above.near(band[0].at)
    whole = GridRegion([*band], runs[0][0], runs[-1][1])
    if not any(one.right >= whole.right for one in near):
        chain = above.chain(band[0].at, whole.left)
        near += [one for one in chain if one.right >= whole.right and _figures_agreed(grid, one, whole, band)]
    found = [runs[0]]
    near.sort(key=lambda one: one.left)
    lefts, furthest = [one.left for one in near], [*accumulate((one.right for one in near), max)]
    for run in runs[1:]:
        before = found[-1]
        spanning = bisect_right(lefts, before[0])  # so many begin no further right
        goes_on = spanning > 0 and run[1] <= furthest[spanning - 1]
        if goes_on or (run[0] - before[1] == _SEPARATOR and _same_table(grid, columns, before, run)):
            found[-1] = before[0], run[1]
        else:
            found.append(run)
    return found


def _same_table(grid: Grid, columns: _Columns, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether `right` holds figures only, in the rows `left` begins with words; a head may stand over them alone."""
    beside = columns.rows(right)
    rows = [row for row in columns.rows(left) if row.at >= beside[0].at]
    shared = {row.at for row in rows} & {row.at for row in beside}
    if (
        len(beside) < 3 or len(shared) < _SHARED * max(len(rows), len(beside))
        or rows[0].at - beside[0].at >= _HEAD_ROWS or abs(rows[-1].at - beside[-1].at) > 1
    ):  # fmt: skip
        return False
    if len(shared) >= max(len(rows) - 1, len(beside) - 1, _ALIKE_ROWS) and _is_headed_on(
        grid, rows, beside, left, right
    ):
        return True
    figures = [_figures(grid, beside[1:], col) for col in range(right[0], right[1] + 1)]
    return all(share > 0.5 for share in figures) and 0 <= _figures(grid, rows[1:], left[0]) <= 0.5


def _is_headed_on(
    grid: Grid, rows: Sequence[GridRow], beside: Sequence[GridRow], left: tuple[int, int], right: tuple[int, int]
) -> bool:
    """Whether one row of words names the columns on both sides of an empty one, each in other words, and those on the
    right begin with nothing that could name their rows: two lists beside one another have keys each."""
    texts = [grid.text(rows[0], col).strip() for col in (*range(left[0], left[1] + 1), *range(right[0], right[1] + 1))]
    words = [text for text in texts if text]
    keys = [{grid.kind(row, side[0]) for row in rows[1:]} - {"", "gap"} for side in (left, right)]
    return (
        len(words) > len(texts) - 2 and len({text.lower() for text in words}) == len(words)
        and all(grid.kind(rows[0], col) in ("text", "") for col in (*range(left[0], left[1] + 1), right[0]))
        and keys[0] != keys[1] and "date" not in keys[1] and beside[0].at == rows[0].at
    )  # fmt: skip


def _figures(grid: Grid, rows: Sequence[GridRow], col: int) -> float:
    """The share of figures in what stands in a column, -1 where nothing does."""
    filled = [row for row in rows if grid.text(row, col).strip() or grid.cell(row, col) is not None]
    return sum(_is_figure(grid, row, col) for row in filled) / len(filled) if filled else -1.0


def _stacked(grid: Grid, regions: list[GridRegion]) -> list[GridRegion]:
    """Regions below one another that an empty row only separates put together; they come by their first rows."""
    found: dict[int, GridRegion] = {}
    strips = Strips()
    sections: dict[int, _Sections] = {}
    for region in regions:

        def is_near(one: GridRegion, least: int = region.rows[0].at - _SEPARATOR - 1) -> bool:
            return id(one) in found and max(one.rows[-1].at, _heading_at(sections.get(id(one)))) >= least

        near = strips.beside(region, is_near)
        if len(region.rows) == 1 and region.width == 1 and grid.kind(region.rows[0], region.left) == "text":
            over = next((one for one in reversed(near) if one.left == region.left and one.width > 1), None)
            if over is not None:
                sections.setdefault(id(over), _Sections()).heading = region
                found[id(region)] = region
                continue
        heads = _heads(grid, [one for one in near if _stands_over(grid, one, region)], region)
        parted = next((one for one in reversed(near) if _is_section(grid, one, region, sections.get(id(one)))), None)
        above = parted or next((one for one in reversed(near) if _continues(grid, one, region)), None)
        if heads:
            for one in heads:
                del found[id(one)]
            begin = min(heads, key=lambda one: one.rows[0].at)
            title = " · ".join(filter(None, (one.title for one in heads)))
            whole = GridRegion(
                [*begin.rows, *region.rows], region.left, max(one.right for one in (region, *heads)), title
            )
        elif above is not None:
            own = sections.setdefault(id(above), _Sections())
            if parted is not None:
                own.count += 1
                if own.heading is not None:
                    above.rows += own.heading.rows
                    found.pop(id(own.heading), None)
            own.heading = None
            above.rows += region.rows
            strips.widen(above, region.right)
            continue
        else:
            whole = region
        found[id(whole)] = whole
        strips.add(whole)
    return list(found.values())


@dataclass
class _Sections:
    """What is known of the sections of a table that empty rows part: how many were found after the first, and the
    heading that stands alone below the last of them."""

    count: int = 0
    heading: GridRegion | None = None


def _heading_at(sections: _Sections | None) -> int:
    return -1 if sections is None or sections.heading is None else sections.heading.rows[0].at


def _is_section(grid: Grid, above: GridRegion, below: GridRegion, sections: _Sections | None) -> bool:
    """Whether `below` is a further section of the table `above`: under a heading in its first column it has the same
    kinds of cells in the same columns, figures among them or words as others of its sections, and no head."""
    heading = _heading_at(sections)
    rows = [*below.rows]
    while rows and len(below.rows) - len(rows) < _SEPARATOR and rows[0].mask == 1 << above.left:
        rows = rows[1:]
    if (
        not rows or (heading < 0 and len(rows) == len(below.rows)) or len(above.rows) < _SEPARATOR
        or not 1 < below.rows[0].at - max(above.rows[-1].at, heading) <= _SEPARATOR + 1
        or below.left < above.left or below.right > above.right or below.width < _SEPARATOR
        or _usual(grid, above, above.left) is not False
    ):  # fmt: skip
        return False
    figures = _figures_agreed(grid, above, below, rows)
    if figures is None:
        return False
    known = sections.count if sections is not None else 0
    return bool(figures or known) and _is_headed(grid, above) and not _is_years(grid, rows[0], above)


def _figures_agreed(grid: Grid, above: GridRegion, below: GridRegion, rows: Sequence[GridRow]) -> int | None:
    """How many columns of figures `rows` of a region have where the one above has them; None where a column holds other
    kinds of cells there."""
    figures = 0
    for col in range(below.left, below.right + 1):
        own = {kind in _FIGURE for row in rows if (kind := grid.kind(row, col)) not in ("", "gap")}
        usual = _usual(grid, above, col)
        if len(own) > 1 or usual not in (None, *own, *(() if own else (True, False))):
            return None
        figures += usual is True and own == {True}
    return figures


def _usual(grid: Grid, region: GridRegion, col: int) -> bool | None:
    """Whether most cells of a column below its first row are figures, None where there are none."""
    kinds = [kind in _FIGURE for row in region.rows[1:] if (kind := grid.kind(row, col)) not in ("", "gap")]
    return sum(kinds) * 2 > len(kinds) if kinds else None


def _is_headed(grid: Grid, region: GridRegion) -> bool:
    """Whether a word or a year stands over figures."""
    over = [col for col in region.columns if _usual(grid, region, col)]
    cells = ((row, col) for row in region.rows[:_HEAD_ROWS] for col in over)
    heads = (grid.text(row, col).strip() for row, col in cells if not _is_figure(grid, row, col))
    return any(heads) or any(_YEAR.fullmatch(grid.text(region.rows[0], col).strip()) for col in over)


def _is_years(grid: Grid, row: GridRow, above: GridRegion) -> bool:
    """Whether the figures of a row are years, or it is the table's first again: it heads a table of its own."""
    again = [grid.text(row, col) for col in above.columns] == [grid.text(above.rows[0], col) for col in above.columns]
    return again or _heads_years(grid, row, above)


def _heads_years(grid: Grid, row: GridRow, above: GridRegion) -> bool:
    """Whether all figures of a row are years."""
    texts = [text for col in above.columns if _is_figure(grid, row, col) and (text := grid.text(row, col).strip())]
    return bool(texts) and all(map(_YEAR.fullmatch, texts))


def _stands_over(grid: Grid, above: GridRegion, below: GridRegion) -> bool:
    """Whether a few rows stand just over a region, an empty row between, or two where figures follow, and no wider than
    it but by what a row of several cells heads."""
    gap = below.rows[0].at - above.rows[-1].at
    far = gap == _SEPARATOR + 1 and any(_is_figure(grid, below.rows[0], col) for col in below.columns)
    return (
        (1 < gap <= _SEPARATOR or far) and len(above.rows) <= _HEAD_ROWS and below.width > 1
        and below.left <= above.left <= below.right
        and (above.right <= below.right or above.mask(_heading_row(above)).bit_count() >= below.width > _SEPARATOR)
    )  # fmt: skip


def _heading_row(region: GridRegion) -> GridRow:
    """The last row of several cells: below a head a heading of the first rows may stand."""
    return next((row for row in reversed(region.rows) if region.mask(row).bit_count() > 1), region.rows[-1])


def _heads(grid: Grid, above: Sequence[GridRegion], below: GridRegion) -> Sequence[GridRegion]:
    """Those regions `above`, where together they are the head of `below`: words over its columns of figures, or over
    each of its columns, one of figures among them."""
    if not above:  # as mostly: nothing below need be looked at
        return ()
    words = [
        col for one in above for col in range(one.left, one.right + 1)
        if grid.text(row := _heading_row(one), col).strip() and not _is_figure(grid, row, col)
    ]  # fmt: skip
    figures = ([col for col in range(below.left, below.right + 1) if _is_figure(grid, row, col)] for row in below.rows)
    own = next(filter(None, islice(figures, _HEAD_ROWS)), [])
    headed = sum(col in words for col in own)
    filled = [col for col in range(below.left, below.right + 1) if below.rows[0].mask >> col & 1]
    whole = len(below.rows) > _HEAD_ROWS and len(filled) > 1 and sorted(words) == filled
    return above if (headed > 1 and headed >= len(own) - 1) or (own and whole) else ()


def _continues(grid: Grid, above: GridRegion, below: GridRegion) -> bool:
    """Whether `below` goes on with the rows of `above`: the same columns and kinds, no heading of its own."""
    last, first = above.rows[-1], below.rows[0]
    if not 1 < first.at - last.at <= _SEPARATOR + 1 or len(above.rows) < 3 or above.width < 2:
        return False
    if (
        below.left < above.left or below.right > above.right + (above.width > _HEAD_ROWS)
        or below.width * 2 < above.width or _is_remark(grid, above, below)
        or (_heads_years(grid, first, above) and not _heads_years(grid, last, above))
    ):  # fmt: skip
        return False
    filled = [col for col in range(below.left, below.right + 1) if grid.kind(first, col) not in ("", "gap")]
    like = [
        (_is_figure(grid, over, col), _is_figure(grid, first, col)) for col in filled
        if (over := _last_filled(grid, above, col)) is not None
    ]  # fmt: skip
    figures = any(one and other for one, other in like) or _says_again(grid, above, first)
    return figures and all(one == other for one, other in like)


def _last_filled(grid: Grid, region: GridRegion, col: int) -> GridRow | None:
    """The last of its last rows that has something in a column, no sign for what is missing."""
    rows = reversed(region.rows[1:][-_NEAR:])
    return next((row for row in rows if grid.kind(row, col) not in ("", "gap")), None)


def _says_again(grid: Grid, above: GridRegion, row: GridRow) -> bool:
    """Whether most cells of a row say what their columns have said before, which names of columns do not."""
    filled = [col for col in above.columns if grid.text(row, col).strip()]
    again = sum(
        any(grid.text(one, col) == grid.text(row, col) for one in above.rows[1:][-_LOOKED_BACK:]) for col in filled
    )
    return again > 1 and again * 2 >= len(filled)


def _is_remark(grid: Grid, above: GridRegion, below: GridRegion) -> bool:
    """Whether `below` is one row with fewer values than those above, which is not a total: it tells of them."""
    row = below.rows[0]
    label = grid.text(row, above.left).strip()
    short = above.mask(row).bit_count() < above.mask(above.rows[-1]).bit_count() - 1
    return len(below.rows) == 1 and short and bool(label) and not total_label(label)


def _is_figure(grid: Grid, row: GridRow, col: int) -> bool:
    return grid.kind(row, col) in _FIGURE and not _CODE.fullmatch(grid.text(row, col).strip())
