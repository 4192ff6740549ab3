"""What the parts and sections of a document cost a model to read: estimated from the very Markdown that reading gives.

A short stretch is shown whole for it, of a long one a sample. Not responsible for the line that says where a text is
from (`views.sources`)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from sidecar.api.model import AnyBlock, Table
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.answers.tokens import estimate_tokens
from sidecar.toolkit.cell_references import EVERYWHERE, column_name
from sidecar.views.blocks.markdown import blocks_markdown
from sidecar.views.grid import grid
from sidecar.views.parts import BlockRange, opening, render_sheet, unrepeated
from sidecar.views.searchable import Embeds
from sidecar.views.sheets import SheetView
from sidecar.views.sources import Origin, part_facts

_SHOWN_CHARS: Final = 20_000
"""Of a longer stretch blocks of about this many characters, spread over it, are shown and stand for the rest."""
_SPECIAL_ROWS: Final = 60
"""How many rows of a sheet, of those whose cells are more than their texts, are shown and stand for the rest."""
_MAX_CELLS: Final = 400_000
"""One block may have more characters; of a sheet no view shows more at once."""
_PIPE, _LINE, _DIGIT = (estimate_tokens(mark * 100) / 100 for mark in "|\n1")
_RULE: Final = 3
"""Dashes between two pipes under the letters of a sheet's columns."""
_LEFT_OUT_TOKENS: Final = 35
"""The line that says so where a view leaves hidden text out."""
_MARK_TOKENS: Final = 6
"""`<!-- slide 3 -->`"""
_DOC: Final = "0" * 12
"""Stands for the slug in the addresses of pictures."""
_NOWHERE: Final = Origin("", "", _DOC, _DOC, "")


class ReadingCosts:
    """Tokens of the parts of one document, added in order, and of any stretch of it between two sections."""

    def __init__(self, embeds: Embeds) -> None:
        self._embeds = embeds
        self._before: dict[tuple[int, int], int] = {}
        self._total = self._marks = 0

    @property
    def total(self) -> int:
        """Tokens of all parts together, in one text that marks where pages and slides begin."""
        return self._total + self._marks

    def add(
        self, part: PartRecord, blocks: Sequence[AnyBlock], begins: Sequence[int], ends: Sequence[int], *, hidden: bool
    ) -> int:
        """Tokens of a part, of which `blocks` are shown. `begins` are the blocks (from 1) that sections begin with;
        `ends` counts the characters up to the end of each block, from 0 for none; `hidden` says that text hidden from
        readers is left out of them."""
        cuts = [1, len(blocks) + 1] if part.kind == "sheet" else sorted({1, *begins, len(blocks) + 1})
        before = self._total
        if part.kind != "sheet":
            self._total += estimate_tokens("\n\n".join(opening(BlockRange(part, blocks))))
        self._total += _LEFT_OUT_TOKENS * hidden
        self._marks += _MARK_TOKENS * (part.kind in {"page", "slide"} and part.n > 1)
        for first, stop in pairwise(cuts):
            self._before[part.n, first] = self._total
            self._total += self._cost(part, blocks, first, stop, ends)
        self._before[part.n, len(blocks) + 1] = self._total
        return self._total - before

    def between(self, part: int, block: int, end_part: int, end_block: int) -> int:
        """Tokens from the beginning of a section to its end, both inclusive."""
        end = self._before.get((end_part, end_block + 1), self._total)
        return end - self._before.get((part, block), end)

    def _cost(self, part: PartRecord, blocks: Sequence[AnyBlock], first: int, stop: int, ends: Sequence[int]) -> int:
        if part.kind == "sheet":
            return self._of_sheet(part, blocks)
        chars = ends[stop - 1] - ends[first - 1]
        times = -(-chars // _SHOWN_CHARS)
        if times < 2:
            return estimate_tokens(self._as_markdown(part, blocks[first - 1 : stop - 1]))
        chosen = range(first - 1, stop - 1, times)
        tokens = estimate_tokens(self._as_markdown(part, [blocks[at] for at in chosen]))
        return round(tokens * chars / max(sum([ends[at + 1] - ends[at] for at in chosen]), 1))

    def _of_sheet(self, part: PartRecord, blocks: Sequence[AnyBlock]) -> int:
        """What the texts of all cells cost in their rows, what longer rows cost besides, and what is not a cell."""
        tables = [block for block in blocks if isinstance(block, Table)]
        tokens = _tokens_of_texts(part, tables)
        if not tokens:
            return estimate_tokens(self._sheet(part, blocks))
        special, times = _special(tables)
        if special:
            tokens += (estimate_tokens(self._sheet(part, special)) - _tokens_of_texts(part, special)) * times
        if len(tables) < len(blocks):
            others = [block for block in blocks if not isinstance(block, Table)]
            tokens += estimate_tokens(blocks_markdown(others, _DOC, self._embeds))
        return round(tokens)

    def _sheet(self, part: PartRecord, blocks: Sequence[AnyBlock]) -> str:
        found = grid(blocks, EVERYWHERE, _MAX_CELLS, whole=True, hidden=True)
        return render_sheet(SheetView(found, part, _NOWHERE, self._embeds), "md")[0].partition("\n\n")[2]

    def _as_markdown(self, part: PartRecord, blocks: Sequence[AnyBlock]) -> str:
        shown = unrepeated(BlockRange(part, blocks))
        return blocks_markdown(shown, _DOC, self._embeds, paged=part.kind == "page")


def _tokens_of_texts(part: PartRecord, tables: Sequence[Table]) -> float:
    """What `views.sheets` makes of a sheet whose cells are nothing but their texts: its heading, letters over the
    columns in use, a number and pipes around each row with something in it. 0 where nothing is in any."""
    last, count = 0, 0
    for table in tables:
        if table.first_row < last:  # side by side
            count = len({at for one in tables for at, row in enumerate(one.rows, one.first_row) if any(row)})
            break
        last = table.first_row + len(table.rows)
        count += sum(map(any, table.rows))
    if not count:
        return 0
    left, end = _columns(tables)
    width = end - left
    text = "".join(["".join(map("".join, table.rows)) for table in tables])
    if "|" in text or "\n" in text:
        text = text.replace("|", "\\|").replace("\n", "<br>")
    letters = "".join(map(column_name, range(left, end)))
    heading = "\n".join((f"# {part.name or part.title}", *part_facts(part), letters))
    marks = (count + 2) * ((width + 2) * _PIPE + _LINE) + (width + 1) * _RULE * _PIPE
    marks += count * len(str(max([table.first_row + len(table.rows) for table in tables]))) * _DIGIT
    return estimate_tokens(text) + estimate_tokens(heading) + marks


def _columns(tables: Sequence[Table]) -> tuple[int, int]:
    """The first column in use, and the one behind the last."""
    first, end = EVERYWHERE.right, 0
    for table in tables:
        left = table.first_col
        widest = left + max(map(len, table.rows), default=0)
        for texts in table.rows:
            if first <= left and end >= widest:
                break
            stop = len(texts)
            if left + stop > end:
                while stop and not texts[stop - 1]:
                    stop -= 1
                end = max(end, left + stop) if stop else end
            if left < first and stop:
                first = min(first, next((left + at for at, text in enumerate(texts) if text), first))
    return first, end


def _special(tables: Sequence[Table]) -> tuple[list[Table], float]:
    """The tables with nothing but rows that are shown as more than the texts of their cells, or some of these, spread
    over them, which stand for so many times as many."""
    rows = [_special_rows(table) for table in tables]
    total = sum(map(len, rows))
    step = -(-total // _SPECIAL_ROWS) or 1
    found: list[Table] = []
    count = 0
    for table, own in zip(tables, rows, strict=True):
        if kept := set(own[::step]):
            texts = tuple([row if at in kept else () for at, row in enumerate(table.rows)])
            found.append(replace(table, rows=texts, cells=tuple([cell for cell in table.cells if cell.row in kept])))
            count += len(kept)
    return found, total / max(count, 1)


def _special_rows(table: Table) -> list[int]:
    """Rows that have links, emphasis, nested tables, formulas without a result or merges in them, or are hidden; the
    first, where something is said of the table."""
    rows = {0} if table.name or table.caption or table.hidden_cols else set[int]()
    rows.update(table.hidden_rows)
    for merge in table.merges:
        rows.update(range(merge.row, min(merge.row + merge.rows, len(table.rows))))
    states: set[str] = {""}
    for cell in table.cells:
        state = cell.state
        if cell.link or cell.spans or cell.table is not None or state == "not_computed" or state not in states:
            rows.add(cell.row)
            states.add(state)
        elif cell.formula and cell.row < len(table.rows):
            texts = table.rows[cell.row]
            if not (cell.col < len(texts) and texts[cell.col]):
                rows.add(cell.row)
    return sorted(rows)
