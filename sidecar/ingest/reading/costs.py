"""What the parts and sections of a document cost a model to read: estimated from the very Markdown that reading gives.

A short stretch is shown whole for it, of a long one a sample. Not responsible for the line that says where a text is
from (`views.sources`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from sidecar.api.model import AnyBlock, Heading, ListItem, Paragraph, Table
from sidecar.api.tokens import estimate_tokens
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import EVERYWHERE
from sidecar.views.blocks.markdown import blocks_markdown
from sidecar.views.blocks.repeats import without_repeats
from sidecar.views.grid import grid
from sidecar.views.inline import simple_marks, told_marker
from sidecar.views.parts import BlockRange, opening, render_sheet, unrepeated
from sidecar.views.searchable import Embeds
from sidecar.views.sources import Origin

_SHOWN_CHARS: Final = 20_000
"""Of a longer stretch blocks of about so many characters, spread over it, are shown and stand for the rest."""
_SHEET_CHARS: Final = 6000
"""The same of a sheet and its rows."""
_ROOM: Final = 400_000
"""One block may have more characters; of a sheet no view shows more at once."""
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
            self._total += self._stretch(part, blocks, first, stop, ends)
        self._before[part.n, len(blocks) + 1] = self._total
        return self._total - before

    def between(self, part: int, block: int, end_part: int, end_block: int) -> int:
        """Tokens from the beginning of a section to its end, both inclusive."""
        end = self._before.get((end_part, end_block + 1), self._total)
        return end - self._before.get((part, block), end)

    def _stretch(self, part: PartRecord, blocks: Sequence[AnyBlock], first: int, stop: int, ends: Sequence[int]) -> int:
        chars = ends[stop - 1] - ends[first - 1]
        times = -(-chars // (_SHEET_CHARS if part.kind == "sheet" else _SHOWN_CHARS))
        if times < 2:
            return estimate_tokens(self._shown(part, blocks[first - 1 : stop - 1]))
        if part.kind == "sheet":
            return self._of_sheet(part, blocks, times)
        chosen = range(first - 1, stop - 1, times)
        tokens = estimate_tokens(self._shown(part, [blocks[at] for at in chosen]))
        return round(tokens * chars / max(sum([ends[at + 1] - ends[at] for at in chosen]), 1))

    def _of_sheet(self, part: PartRecord, blocks: Sequence[AnyBlock], times: int) -> int:
        """The text of all cells, and what one row of so many has around its own; what is no cell is shown whole."""
        tables = [block for block in blocks if isinstance(block, Table)]
        chosen = [_one_row_of(table, times) for table in tables]
        lines, some = ([line for one in of for row in one.rows if (line := "".join(row))] for of in (tables, chosen))
        around = estimate_tokens(self._shown(part, chosen)) - estimate_tokens("".join(some))
        others = blocks_markdown([block for block in blocks if not isinstance(block, Table)], _DOC, self._embeds)
        text = estimate_tokens("".join(lines)) + estimate_tokens(others)
        return round(text + around * len(lines) / max(len(some), 1))

    def _shown(self, part: PartRecord, blocks: Sequence[AnyBlock]) -> str:
        if part.kind == "sheet":
            found = grid(blocks, EVERYWHERE, _ROOM, whole=True, hidden=True)
            return render_sheet(found, part, _DOC, _NOWHERE, self._embeds, "md")[0].partition("\n\n")[2]
        words: list[str] = []
        others: list[AnyBlock] = []
        for block in without_repeats(unrepeated(BlockRange(part, blocks))):
            if (text := _written(block)) is None:
                others.append(block)
            else:
                words.append(text)
        words.append(blocks_markdown(others, _DOC, self._embeds, paged=part.kind == "page"))
        return "".join(words)


def _one_row_of(table: Table, times: int) -> Table:
    """The table with one row of so many, in its place."""
    rows = tuple([row if at % times == 0 else () for at, row in enumerate(table.rows)])
    return replace(table, rows=rows, cells=tuple([cell for cell in table.cells if cell.row % times == 0]))


def _written(block: AnyBlock) -> str | None:
    """Characters that cost what the block does as Markdown, marks of emphasis and links behind its text; None for one
    that has to be shown for it."""
    if not isinstance(block, (Paragraph, Heading, ListItem)):
        return None
    marks = simple_marks(block.spans) if block.spans else ""
    if marks is None:
        return None
    if isinstance(block, Heading):
        return f"{'#' * block.level}{block.number}{block.text}{marks}\n\n"
    if isinstance(block, Paragraph):
        return None if block.style else f"{block.text}{marks}\n\n"
    return f"{told_marker(block) or '-'}{block.text}{marks}\n"
