"""One run of text being read (the body, a note, a header): its paragraph, its tables, the blocks it has become.

Tables (RTF 1.9.1, "Table Definitions"): a row's cells are told by their right edges, and the rows of one table need not
have the same; the edges of all of them together are the columns."""

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from sidecar.api.model import AnyBlock, Cell, Figure, ListItem, Merge, Span, SpanKind, Table
from sidecar.toolkit.markup.grid import cell_content, laid_out, table_lines, table_windows
from sidecar.toolkit.visible import invisible_spans, trimmed
from sidecar.toolkit.word.nesting import ListNesting
from sidecar.toolkit.word.occlusion import Drawings

_NEAR = 30
"""Twips (1/1440 inch) within which two edges are the same column's."""
_MAX_COLUMNS = 500


class Mark(NamedTuple):
    """What a stretch of text is; see `Span`."""

    kind: SpanKind
    value: str = ""
    date: str = ""


class CellShape(NamedTuple):
    """A cell as the row's head defines it."""

    edge: int
    """Right edge in twips."""
    joins_left: bool
    joins_above: bool


@dataclass
class Row:
    """A row's head: `shapes` by cell, and whether it is repeated on each page, as heading rows are."""

    shapes: list[CellShape] = field(default_factory=list[CellShape])
    is_head: bool = False


@dataclass
class _OpenTable:
    rows: list[tuple[Row, list[list[AnyBlock]]]] = field(default_factory=list[tuple[Row, list[list[AnyBlock]]]])
    cells: list[list[AnyBlock]] = field(default_factory=list[list[AnyBlock]])
    """Of the row being read."""
    cell: list[AnyBlock] = field(default_factory=list[AnyBlock])


class Story:
    """The text so far. `line` is the paragraph being read, in stretches with their marks."""

    def __init__(self) -> None:
        self.blocks: list[AnyBlock] = []
        self.line: list[tuple[str, frozenset[Mark]]] = []
        self.after: list[AnyBlock] = []
        """What hangs on the paragraph being read: pictures, notes."""
        self.anchor = ""
        self.marker = ""
        """The bullet or number of the paragraph being read."""
        self.nesting = ListNesting()
        self._tables: list[_OpenTable] = []
        self.drawings = Drawings()

    def finish_line(self) -> tuple[str, tuple[Span, ...]]:
        """The paragraph's text and spans; begins the next one."""
        text = "".join(piece for piece, _ in self.line)
        spans: list[Span] = []
        opened: dict[Mark, int] = {}
        at = 0
        for piece, marks in (*self.line, ("", frozenset[Mark]())):
            ended = [mark for mark in opened if mark not in marks]
            spans += [Span(mark.kind, opened.pop(mark), at, mark.value, mark.date) for mark in ended]
            for mark in sorted(marks):  # in one order in every run
                opened.setdefault(mark, at)
            at += len(piece)
        self.line.clear()
        if not text.isascii():
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            spans += invisible_spans(text)
        if self.drawings.cover(text):
            spans.append(Span("hidden", 0, len(text)))
        text, kept = trimmed(text, spans)
        left = [span for span in kept if span.end > span.start or span.kind == "comment"]
        return text, tuple(sorted(left, key=lambda span: (span.start, -span.end)))

    def add(self, blocks: list[AnyBlock], depth: int) -> None:
        """Append blocks that stand `depth` tables deep, then what hung on them."""
        self.to_depth(depth)
        if blocks and not isinstance(blocks[-1], ListItem):
            self.nesting.end()
        target = self._tables[-1].cell if self._tables else self.blocks
        target += blocks
        target += self.drawings.end(self.after)
        self.after = []

    def to_depth(self, depth: int) -> None:
        """Begin or end tables until `depth` of them are open."""
        while len(self._tables) > depth:
            table = self._tables.pop()
            if table.cells or table.cell:
                table.rows.append((Row(), [*table.cells, *([table.cell] if table.cell else [])]))
            outer = self._tables[-1].cell if self._tables else self.blocks
            outer += _blocks(table.rows)
        while len(self._tables) < depth:
            self._tables.append(_OpenTable())

    def end_cell(self, depth: int) -> None:
        """The cell being read is done."""
        self.nesting.end()
        self.to_depth(depth)
        table = self._tables[-1]
        table.cells.append(table.cell)
        table.cell = []

    def end_row(self, row: Row, depth: int) -> None:
        """The row being read is done; its head is known by now."""
        self.to_depth(depth)
        table = self._tables[-1]
        if table.cell:
            table.cells.append(table.cell)
        if table.cells:
            table.rows.append((row, table.cells))
        table.cells, table.cell = [], []

    def text(self) -> tuple[str, tuple[Span, ...]]:
        """All of a finished story as one text, as notes hold it."""
        texts: list[str] = []
        spans: list[Span] = []
        for is_table, blocks in groupby(self.blocks, lambda block: isinstance(block, Table)):
            if is_table:
                texts += [table_lines(block) for block in blocks if isinstance(block, Table)]
                continue
            text, found, _, loose = cell_content(list(blocks), markers=True)
            spans += shifted(found, sum(len(one) + 1 for one in texts if one))
            texts += [text, *(block.alt for block in loose if isinstance(block, Figure))]
        return "\n".join(filter(None, texts)), tuple(spans)


def shifted(spans: tuple[Span, ...], by: int) -> tuple[Span, ...]:
    """Spans of a text that was moved; what falls before its start goes."""
    moved = (Span(s.kind, max(s.start + by, 0), s.end + by, s.value, s.date) for s in spans)
    return tuple(span for span in moved if span.end > span.start or span.kind == "comment")


def _blocks(rows: list[tuple[Row, list[list[AnyBlock]]]]) -> list[AnyBlock]:
    """A table in windows, then the pictures and notes that stood in its cells."""
    if (tables := laid_out([cell for _, cells in rows for cell in cells])) is not None:
        return tables
    edges = _columns([row for row, _ in rows])
    grid: list[list[str]] = []
    merges: list[Merge] = []
    rich: list[Cell] = []
    loose: list[AnyBlock] = []
    above: dict[int, int] = {}  # column → index of the merge that a cell below may join
    head = 0
    for number, (row, cells) in enumerate(rows):
        line: list[str] = []
        below: dict[int, int] = {}
        for at, cell in enumerate(cells[:_MAX_COLUMNS]):
            shape = row.shapes[at] if at < len(row.shapes) else None
            text, spans, nested, more = cell_content(cell, markers=True)
            loose += more
            col = len(line)
            wide = max(bisect_left(edges, shape.edge - _NEAR) + 1 - col, 1) if shape and edges else 1
            if shape and shape.joins_left and merges and merges[-1].row == number and not text:
                last = merges[-1]
                merges[-1] = Merge(last.row, last.col, last.rows, col + wide - last.col)
            elif shape and shape.joins_above and col in above and not text:
                joined = merges[above[col]]
                merges[above[col]] = Merge(joined.row, joined.col, number + 1 - joined.row, joined.cols)
                below[col] = above[col]
            else:
                below[col] = len(merges)
                merges.append(Merge(number, col, 1, wide))
            if spans or nested:
                rich.append(Cell(number, col, spans=spans, table=nested))
            line += [text] + [""] * (wide - 1)
        above = below
        grid.append(line)
        head += row.is_head and head == number
    if not any(map(any, grid)) and not any(cell.table for cell in rich):
        return loose
    real = [merge for merge in merges if merge.rows > 1 or merge.cols > 1]
    return [*table_windows(grid, header_rows=head if head < len(grid) else 0, merges=real, cells=rich), *loose]


def _columns(rows: list[Row]) -> list[int]:
    """The right edges of all columns, near ones taken as one."""
    edges: list[int] = []
    for edge in sorted({shape.edge for row in rows for shape in row.shapes}):
        if not edges or edge - edges[-1] > _NEAR:
            edges.append(edge)
    return edges if len(edges) <= _MAX_COLUMNS else []
