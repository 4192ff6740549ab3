"""Which stretch of a document an address asks for, and how much of it fits: pure functions over records and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sidecar.api import Address, AnyBlock, UsageError
from sidecar.store.documents.records import PartRecord, Segment, decode_blocks
from sidecar.toolkit.cell_references import CellRange
from sidecar.views.parts import BlockRange, take
from sidecar.views.sheets import Grid, grid

__all__ = [
    "after_start",
    "block_range",
    "fitting",
    "flag",
    "from_block_of",
    "grid_of",
    "ranges_within",
    "sliced",
    "start_of",
]  # fmt: skip


def from_block_of(address: Address) -> tuple[int, int] | None:
    """`?from=N` of a part: the blocks from number N on, None when it is not said."""
    text = address.query.get("from", "")
    if not text:
        return None
    if not text.isdecimal() or not 1 <= int(text) < 2**31:
        raise UsageError(f"from={text[:20]} is not a block number.")
    return int(text), 2**31 - 1


def start_of(address: Address) -> tuple[int, int]:
    """`from=7` (part) or `from=7.812` (block of that part)."""
    text = address.query.get("from", "")
    if not text:
        return 1, 1
    part, _, block = text.partition(".")
    if not part.isdecimal() or (block and not block.isdecimal()) or int(part) < 1 or len(text) > 20:
        raise UsageError(f"from={text[:20]} is not a part's number.")
    return int(part), max(int(block or 1), 1)


def after_start(piece: BlockRange, address: Address) -> BlockRange:
    """The piece from where `?from=` says."""
    begin = from_block_of(address)
    return piece if begin is None else sliced(piece, begin[0], 2**31)


def flag(address: Address, name: str) -> bool:
    """Whether a switch of the query is on: `?formulas=1`."""
    return address.query.get(name, "").lower() in {"1", "true", "yes"}


def block_range(part: PartRecord, blocks: Sequence[AnyBlock]) -> BlockRange:
    """Decoded blocks of a part, numbered as its first segment says."""
    return BlockRange(part, blocks, part.segments[0].first_block if part.segments else 1)


def sliced(piece: BlockRange, low: int, high: int) -> BlockRange:
    """The blocks numbered `low` to `high`."""
    begin = max(low - piece.first_block, 0)
    end = max(high - piece.first_block + 1, 0)
    return BlockRange(piece.part, piece.blocks[begin:end], piece.first_block + begin)


def fitting(parts: Sequence[PartRecord], max_chars: int) -> list[int]:
    """The numbers of the first parts whose text fits; at least one."""
    numbers: list[int] = []
    room = max_chars
    for part in parts:
        if numbers and part.chars > room:
            break
        numbers.append(part.n)
        room -= part.chars + 40
    return numbers


def ranges_within(
    parts: Sequence[PartRecord], first_block: int, max_chars: int
) -> tuple[list[BlockRange], tuple[int, int] | None]:
    """Decoded parts until the room is used up; and the (part, block) to go on with."""
    pieces: list[BlockRange] = []
    room = max_chars
    for index, part in enumerate(parts):
        piece = block_range(part, [block for segment in part.segments for block in decode_blocks(segment.data)])
        if index == 0 and first_block > 1:
            piece = sliced(piece, first_block, 2**31)
        if room <= 0:
            return pieces, (part.n, 1)
        piece, onward, used = take(piece, room)
        room -= used
        pieces.append(piece)
        if onward is not None:
            return pieces, (part.n, onward)
    return pieces, None


def grid_of(segments: Sequence[Segment], area: CellRange, room: int, *, whole: bool) -> Grid:
    """The cells of the area, decoding only what is needed: what lies outside or below the cut is skipped.

    Segments without table rows, and the last one, hold the sheet's notes and figures and are always looked at.
    """
    read = 0

    def blocks() -> Iterator[AnyBlock]:
        nonlocal read
        for index, segment in enumerate(segments):
            last = index == len(segments) - 1
            outside = segment.first_row > area.bottom or segment.last_row < area.top
            if segment.first_row >= 0 and (outside or read > room * 2) and not last:
                continue
            for block in decode_blocks(segment.data):
                if segment.first_row >= 0:
                    read += _weight(block)
                yield block

    return grid(blocks(), area, room, whole=whole)


def _weight(block: AnyBlock) -> int:
    rows = getattr(block, "rows", ())
    return sum(len(text) + 3 for row in rows for text in row)
