"""Stored segments as blocks, no more of them than an answer has room for.

Knows no address and no view: which parts are decoded, and how they are shown, is the readers' business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice

from sidecar.api import AnyBlock, Table, decode_blocks
from sidecar.server.reading.address_query import LAST_BLOCK
from sidecar.store.documents.records import PartRecord, Segment
from sidecar.toolkit.cell_references import CellRange
from sidecar.views.parts import BlockRange, fitting_blocks

TEXT_PER_BYTE = 2
"""How many characters take as long to render as a compressed byte takes to decode."""
_PART_CHARS = 40
"""What a part costs beside its text: its title and what stands between parts."""
_CELL_CHARS = 3
_DECODED_AHEAD = 2
"""Of a sheet this many times the room is decoded: rows may be hidden behind the cut or outside the range."""


def stored_bytes(parts: Sequence[PartRecord]) -> int:
    """The size of what has to be decoded, compressed."""
    return sum(len(segment.data) for part in parts for segment in part.segments)


def _blocks(part: PartRecord, low: int, high: int) -> tuple[Iterator[AnyBlock], int]:
    """The blocks of a part from `low` to `high`, each segment decoded when it is come to, and the first's number."""
    first = part.segments[0].first_block if part.segments else 1
    begin = max(low - first, 0)
    blocks = chain.from_iterable(decode_blocks(segment.data) for segment in part.segments)
    return islice(blocks, begin, max(high - first + 1, begin)), first + begin


def fitting_parts(parts: Sequence[PartRecord], max_chars: int) -> list[int]:
    """The numbers of the first parts whose text fits; at least one."""
    numbers: list[int] = []
    room = max_chars
    for part in parts:
        if numbers and part.chars > room:
            break
        numbers.append(part.n)
        room -= part.chars + _PART_CHARS
    return numbers


def ranges_within(
    parts: Sequence[PartRecord], bounds: Callable[[PartRecord], tuple[int, int]], max_chars: int, *, hidden: bool
) -> tuple[list[BlockRange], tuple[int, int] | None]:
    """Decoded parts until the room is used up, and the (part, block) to go on with, None when all is there.

    `bounds` gives the first and last block wanted of a part; `hidden` text takes room only where it is wanted."""
    found: list[BlockRange] = []
    room = max_chars
    for part in parts:
        low, high = bounds(part)
        if room <= 0:
            return found, (part.n, low)
        taken, following, used = fitting_blocks(part, *_blocks(part, low, high), room, hidden=hidden)
        room -= used
        if taken.blocks or low == 1:
            found.append(taken)
        if following is not None:
            return found, (part.n, following)
    return found, None


def from_block_of(first: int, block: int) -> Callable[[PartRecord], tuple[int, int]]:
    """Bounds for `ranges_within`: part `first` from that block on, every other part whole."""
    return lambda part: (block if part.n == first else 1, LAST_BLOCK)


def sheet_blocks(segments: Sequence[Segment], area: CellRange, max_chars: int) -> Iterator[AnyBlock]:
    """The blocks that a view of the area needs, decoding only these: what lies outside or below the cut is skipped.

    Segments without table rows, and the last one, hold the sheet's notes and figures and are always looked at."""
    decoded = 0
    unmeasured: list[Table] = []  # until another segment asks whether there is room
    for index, segment in enumerate(segments):
        if segment.first_row >= 0 and index < len(segments) - 1:
            if segment.first_row > area.bottom or segment.last_row < area.top:
                continue
            decoded += sum(map(_table_chars, unmeasured))
            unmeasured.clear()
            if decoded > max_chars * _DECODED_AHEAD:
                continue
        for block in decode_blocks(segment.data):
            if isinstance(block, Table) and segment.first_row >= 0:
                unmeasured.append(block)
            yield block


def _table_chars(table: Table) -> int:
    cells = list(chain.from_iterable(table.rows))
    return sum(map(len, cells)) + _CELL_CHARS * len(cells)
