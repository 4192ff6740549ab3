"""Turns rows of shown text into `Table` blocks: windows of bounded height, cut at wide gaps, at the edges of Excel
tables, and trimmed to the data. Not responsible for what cells mean."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

from sidecar.api import TABLE_WINDOW, Cell, FormulaState, Merge, Scalar, Span, Table
from sidecar.toolkit.cell_references import MAX_COLS, CellRange
from sidecar_xlsx.cells.conditions import ConditionalLook

_ROW_GAP = 16
"""More empty rows than this between two islands of data start a new block."""
_COL_GAP = 16
_WIDE = 64
"""Blocks up to this many columns are not searched for gaps between columns."""
_SPARSE_CELLS = 2**16
_SPARSE_SHARE = 16
"""A window of more cells than `_SPARSE_CELLS`, less than one in `_SPARSE_SHARE` of them written, is cut: each row has a
place for every cell left of its own, so 16,384 cells on a diagonal took 134 million places."""


class CellExtra(NamedTuple):
    """What a cell holds beyond its text; `row` and `col` 0-based in the sheet."""

    row: int
    col: int
    value: Scalar = None
    formula: str = ""
    format: str = ""
    link: str = ""
    spans: tuple[Span, ...] = ()
    state: FormulaState = ""
    array: str = ""


class TableRegion(NamedTuple):
    """An Excel table on the sheet: its name, range (headings and totals in it), heading rows, what it paints, and its
    alternative text."""

    name: str
    area: CellRange
    header_rows: int
    paints: tuple[ConditionalLook, ...] = ()
    alt: str = ""


@dataclass(frozen=True)
class GridLayout:
    """What a sheet says about its grid, known before its rows are read."""

    merges: tuple[CellRange, ...] = ()
    tables: tuple[TableRegion, ...] = ()
    header: CellRange | None = None
    """A range whose first row is a heading: an auto filter."""
    hidden_cols: tuple[tuple[int, int], ...] = ()
    """First and last column of every hidden run."""
    frozen: int = -1
    """The last of the rows that stay in view, 0-based: a heading where tables begin there."""


class _BuiltRow(NamedTuple):
    at: int
    first: int
    texts: list[str]


@dataclass
class TableBuilder:
    """Collects rows, best in ascending order; `finish` gives the blocks."""

    layout: GridLayout
    blocks: list[Table] = field(default_factory=list[Table])
    _rows: list[_BuiltRow] = field(default_factory=list[_BuiltRow])
    _extras: list[CellExtra] = field(default_factory=list[CellExtra])
    _hidden: list[int] = field(default_factory=list[int])
    _left: int | None = None
    _merge_tops: list[int] = field(default_factory=list[int])
    _merges: list[CellRange] = field(default_factory=list[CellRange])
    _tallest: int = 0
    _breaks: list[int] = field(default_factory=list[int])
    _spread: tuple[int, int, int] = (MAX_COLS, 0, 0)
    """Of the rows gathered: the first column, the one behind the last, and how many cells are written."""

    def __post_init__(self) -> None:
        self._merges = _disjoint(self.layout.merges)
        self._merge_tops = [area.top for area in self._merges]
        self._tallest = max((area.bottom - area.top for area in self._merges), default=0)
        edges = {edge for region in self.layout.tables for edge in (region.area.top, region.area.bottom + 1)}
        self._breaks = sorted(edges)

    def add(self, index: int, first: int, texts: list[str], extras: Sequence[CellExtra], *, hidden: bool) -> None:
        """One row that has data: its 0-based index, the column of `texts[0]`, and what its cells hold besides."""
        left, right, written = self._spread
        end = first + len(texts)
        spread = first if first < left else left, end if end > right else right, written + len(texts)
        if self._rows:
            start, last = self._rows[0].at, self._rows[-1].at
            gap = index - last - 1
            if gap > _ROW_GAP or gap < 0:
                self._flush()
                self._left = None
            elif (
                index - start >= TABLE_WINDOW or self._crosses_edge(last, index, first, texts)
                or _is_sparse(spread, index - start + 1)
            ):  # fmt: skip
                self._flush()
            if not self._rows:
                spread = first, end, len(texts)
        self._spread = spread
        self._rows.append(_BuiltRow(index, first, texts))
        if extras:
            self._extras.extend(extras)
        if hidden:
            self._hidden.append(index)

    def finish(self) -> list[Table]:
        """All blocks, when the last row was added."""
        if self._rows:
            self._flush()
        return self.blocks

    def _crosses_edge(self, last: int, index: int, first: int, texts: list[str]) -> bool:
        """Whether an Excel table begins or ends between the last row and the one that comes, and no other cells go on
        beside it: these would lose their heading."""
        if not self._breaks or bisect_right(self._breaks, last) == bisect_right(self._breaks, index):
            return False
        if index != last + 1:
            return True
        edged = [r.area for r in self.layout.tables if index in (r.area.top, r.area.bottom + 1)]
        above = self._rows[-1]
        both = range(max(first, above.first), min(first + len(texts), above.first + len(above.texts)))
        return not any(
            texts[col - first] and above.texts[col - above.first]
            and not any(area.left <= col <= area.right for area in edged)
            for col in both
        )  # fmt: skip

    def _flush(self) -> None:
        rows, extras, hidden = self._rows, self._extras, self._hidden
        self._rows, self._extras, self._hidden = [], [], []
        left, end, written = self._spread
        right, self._spread = end - 1, (MAX_COLS, 0, 0)
        spans = [(left, right)]
        if right - left >= _WIDE:
            spans = _column_islands(rows, extras)
        if len(spans) == 1:
            # Windows of one island keep one left edge, so that their columns line up.
            shared = left if self._left is None else min(left, self._left)
            if shared == left or not _is_sparse((shared, end, written), len(rows)):
                left = shared
            self._left = left
            spans = [(left, right)]
        for start, stop in spans:
            self._emit(rows, extras, hidden, (start, stop), whole=len(spans) == 1)

    def _emit(
        self,
        rows: list[_BuiltRow],
        extras: list[CellExtra],
        hidden: list[int],
        columns: tuple[int, int],
        *,
        whole: bool,
    ) -> None:
        left, right = columns
        taken = rows if whole else [row for row in (_clipped(row, left, right) for row in rows) if row.texts]
        if not taken:
            return
        top, bottom = taken[0].at, taken[-1].at
        grid: list[tuple[str, ...]] = []
        for row in taken:
            while len(grid) < row.at - top:
                grid.append(())
            grid.append(tuple([""] * (row.first - left) + row.texts) if row.first > left else tuple(row.texts))
        cells = tuple(
            [
                Cell(row - top, col - left, value, formula, code, link, spans, state=state, array=array)
                for row, col, value, formula, code, link, spans, state, array in extras
                if left <= col <= right
            ]
        )
        region = next((r for r in self.layout.tables if _covers(r.area, CellRange(top, left, bottom, right))), None)
        self.blocks.append(
            Table(
                rows=tuple(grid),
                header_rows=self._header_rows(grid, CellRange(top, left, bottom, right), region),
                first_row=top,
                first_col=left,
                merges=self._merges_in(CellRange(top, left, bottom, right)),
                cells=cells,
                name=region.name if region else "",
                hidden_rows=tuple([index - top for index in hidden if top <= index <= bottom]),
                hidden_cols=self._hidden_in(left, right),
            )
        )

    def _header_rows(self, grid: list[tuple[str, ...]], area: CellRange, region: TableRegion | None) -> int:
        if region is not None:
            return region.header_rows if area.top == region.area.top else 0
        if any(table.header_rows and table.first_row + len(table.rows) >= area.top for table in self.blocks[-1:]):
            return 0
        header = self.layout.header
        if header is not None and header.top == area.top:
            return 1
        if area.top == self.layout.frozen and len([text for text in grid[0] if text]) > 1:
            return 1
        if self.blocks and self.blocks[-1].first_row + len(self.blocks[-1].rows) == area.top:
            return 0  # the next window of the same island
        return int(_looks_like_header(grid))

    def _merges_in(self, area: CellRange) -> tuple[Merge, ...]:
        found: list[Merge] = []
        start = bisect_left(self._merge_tops, area.top - self._tallest)
        for merge in self._merges[start : bisect_right(self._merge_tops, area.bottom)]:
            top, left = max(merge.top, area.top), max(merge.left, area.left)
            bottom, right = min(merge.bottom, area.bottom), min(merge.right, area.right)
            if bottom >= top and right >= left and (bottom > top or right > left):
                found.append(Merge(top - area.top, left - area.left, bottom - top + 1, right - left + 1))
        return tuple(found)

    def _hidden_in(self, left: int, right: int) -> tuple[int, ...]:
        hidden: list[int] = []
        for first, last in self.layout.hidden_cols:
            hidden.extend(range(max(first, left) - left, min(last, right) - left + 1))
        return tuple(hidden)


def _is_sparse(spread: tuple[int, int, int], rows: int) -> bool:
    left, end, written = spread
    cells = rows * (end - left)
    return cells > _SPARSE_CELLS and cells > _SPARSE_SHARE * written


def _disjoint(areas: Iterable[CellRange]) -> list[CellRange]:
    """The areas from the top, without those that lie over one before: programs write none, and each of thousands over
    the whole sheet would be looked at for every window of rows."""
    kept: list[CellRange] = []
    last: list[CellRange] = []  # those of them that stand lowest in their columns, from the left
    lefts: list[int] = []
    for area in sorted(areas):
        at = bisect_right(lefts, area.right)
        while at and last[at - 1].right >= area.left and last[at - 1].bottom < area.top:
            at -= 1
            del last[at], lefts[at]
        if not at or last[at - 1].right < area.left:
            kept.append(area)
            last.insert(at, area)
            lefts.insert(at, area.left)
    return kept


def _covers(outer: CellRange, inner: CellRange) -> bool:
    return (
        outer.top <= inner.top
        and outer.left <= inner.left
        and outer.bottom >= inner.bottom
        and outer.right >= inner.right
    )


def _clipped(row: _BuiltRow, left: int, right: int) -> _BuiltRow:
    start = max(left - row.first, 0)
    texts = row.texts[start : max(right - row.first + 1, 0)]
    first = row.first + start
    while texts and not texts[-1]:
        texts.pop()
    skip = next((i for i, text in enumerate(texts) if text), len(texts))
    return _BuiltRow(row.at, first + skip, texts[skip:])


def _column_islands(rows: list[_BuiltRow], extras: list[CellExtra]) -> list[tuple[int, int]]:
    """Runs of columns with data, no run holding more than `_COL_GAP` empty columns in a row."""
    used = {extra.col for extra in extras}
    for row in rows:
        used.update(compress(range(row.first, row.first + len(row.texts)), row.texts))
    runs: list[tuple[int, int]] = []
    for column in sorted(used):
        if runs and column - runs[-1][1] <= _COL_GAP + 1:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


def _looks_like_header(grid: list[tuple[str, ...]]) -> bool:
    """Whether a first row heads a table: words in every column of what follows, and something does follow."""
    if len(grid) < 2 or not grid[0] or not any(grid[1:4]):
        return False
    first = grid[0]
    width = max(len(row) for row in grid[:8])
    words = [text for text in first if text and not text.lstrip("-+$€£¥(")[:1].isdigit()]
    return len(words) == len([text for text in first if text]) and len(words) * 2 > width
