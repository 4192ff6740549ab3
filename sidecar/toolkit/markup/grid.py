"""Tables from cells: what stands in one as text, a grid of them cut into `Table` blocks of at most `TABLE_WINDOW` rows,
merges and rich cells with it, and sheets of a database's tables."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from sidecar.api.model import (
    TABLE_WINDOW,
    AnyBlock,
    Cell,
    Equation,
    Figure,
    ListItem,
    Merge,
    Note,
    Notice,
    Part,
    Span,
    Table,
)
from sidecar.toolkit.visible import moved


def table_windows(
    rows: Sequence[Sequence[str]],
    *,
    header_rows: int = 0,
    header_cols: int = 0,
    merges: Sequence[Merge] = (),
    cells: Sequence[Cell] = (),
    caption: str = "",
    name: str = "",
    hidden: bool = False,
) -> list[Table]:
    """The grid as consecutive tables; only the first has the caption and the heading rows.

    `merges` and `cells` are placed in the whole grid. A merge that crosses a cut goes on in the next window."""
    tables: list[Table] = []
    for first in range(0, max(len(rows), 1), TABLE_WINDOW):
        last = min(first + TABLE_WINDOW, len(rows))
        whole = first == 0 and last == len(rows)
        tables.append(
            Table(
                rows=tuple(map(tuple, rows[first:last])), header_rows=min(header_rows, last) if first == 0 else 0,
                header_cols=header_cols, first_row=first,
                merges=tuple(merges) if whole else _merges(merges, first, last),
                cells=tuple(cells) if whole else _cells(cells, first, last), caption=caption if first == 0 else "",
                name=name, anchor=name if first == 0 else "", hidden=hidden,
            )
        )  # fmt: skip
    return tables


class DatabaseSheets:
    """The tables of a database as sheets, as far as there is room for cells and characters."""

    def __init__(self, cells: int, chars: int) -> None:
        self.parts: list[Part] = []
        self.notices: list[Notice] = []
        self._cells = cells
        self._chars = chars

    def add(self, name: str, rows: Iterable[tuple[tuple[str, ...], int]]) -> bool:
        """A table by its rows, the names of the columns first, each with how many of its values no text shows. False
        where there is no room behind it."""
        kept: list[tuple[str, ...]] = []
        objects = 0
        for row, unseen in rows:
            self._cells -= len(row)
            if self._cells < 0 or self._chars < 0:
                break
            kept.append(row)
            objects += unseen
            self._chars -= sum(map(len, row))
        blocks = table_windows(kept, header_rows=1) if kept else ()
        self.parts.append(Part(kind="sheet", name=name, title=name, blocks=tuple(blocks)))
        if objects:
            message = f"{objects:,} values of {name} are pictures, files or bytes and are not shown."
            self.notices.append(Notice("left_out", message, len(self.parts)))
        full = self._cells < 0 or self._chars < 0
        if full:
            message = f"Only the first {max(len(kept) - 1, 0):,} rows of {name} and nothing behind them were read."
            self.notices.append(Notice("truncated_at", message, len(self.parts)))
        return not full


def cell_content(
    blocks: Sequence[AnyBlock], *, markers: bool
) -> tuple[str, tuple[Span, ...], Table | None, list[AnyBlock]]:
    """What stands in a cell: its text with spans, the first table in it, and the figures and notes, which are not text.

    `markers` says whether items show their bullets."""
    texts: list[str] = []
    spans: list[Span] = []
    nested: Table | None = None
    loose: list[AnyBlock] = []
    at = 0
    for block in blocks:
        if isinstance(block, (Figure, Note)):
            loose.append(block)
            continue
        if isinstance(block, Table):
            if nested is None:
                nested = block
                continue
            text = table_lines(block)
        else:
            marker = f"{block.marker} " if markers and isinstance(block, ListItem) and block.marker else ""
            text = marker + block.text
            own: Sequence[Span] = (
                (Span("math", 0, len(block.text), block.latex),)
                if isinstance(block, Equation)
                else getattr(block, "spans", ())
            )
            spans += moved(own, at + len(marker))
        if block.hidden and text:
            spans = [*spans, Span("hidden", at, at + len(text))]
        texts.append(text)
        at += len(text) + 1
    return "\n".join(texts), tuple(spans), nested, loose


def laid_out(cells: Sequence[Sequence[AnyBlock]]) -> list[AnyBlock] | None:
    """What stands in a table that only places other tables on a page, in order: cells that hold tables with their
    pictures and notes, and no word beside them. None of any other table."""
    blocks = [block for cell in cells for block in cell]
    if any(isinstance(block, Table) for block in blocks) and all(
        isinstance(block, (Table, Figure, Note)) for block in blocks
    ):
        return blocks
    return None


def table_lines(table: Table) -> str:
    """A table as lines of cells, what stands in tables in its cells behind those cells' own words."""
    inner = {(cell.row, cell.col): cell.table for cell in table.cells if cell.table}
    lines: list[str] = []
    for at, row in enumerate(table.rows):
        cells = [
            " ".join(filter(None, [text, table_lines(inner[at, col]).replace("\n", " ") if (at, col) in inner else ""]))
            for col, text in enumerate(row)
        ]
        lines.append("\t".join(cells))
    return "\n".join(lines)


def _merges(merges: Sequence[Merge], first: int, last: int) -> tuple[Merge, ...]:
    cut = [(merge, max(merge.row, first), min(merge.row + merge.rows, last)) for merge in merges]
    pieces = [Merge(top - first, merge.col, end - top, merge.cols) for merge, top, end in cut if end > top]
    return tuple(piece for piece in pieces if piece.rows > 1 or piece.cols > 1)


def _cells(cells: Sequence[Cell], first: int, last: int) -> tuple[Cell, ...]:
    return tuple(replace(cell, row=cell.row - first) for cell in cells if first <= cell.row < last)
