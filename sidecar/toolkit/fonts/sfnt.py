"""Reads tables of TrueType and OpenType font files, collections included (OpenType 1.9): where a table lies, and which
character each glyph of `cmap` draws. It draws nothing and knows no glyph shapes.

fontTools was measured instead: over ten times slower on the fonts embedded in the corpus's PDFs, and it refused eleven
of seventeen, since subsets lack the tables it asks for."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_MAX_TABLES, _MAX_SUBTABLES, _MAX_GROUPS = 200, 50, 100_000
"""More than any sound font has; one made to keep us busy may claim billions."""
_LAST_CODE_POINT = 0x10FFFF
_VARIATION_SEQUENCES = 5
"""The encoding of platform 0 that maps no single characters."""


@dataclass(frozen=True, slots=True)
class CharacterRange:
    """Characters `first` to `last` of a `cmap` subtable. Their glyphs are `first_glyph` and on, modulo 65,536; where
    the subtable lists them (format 4), they are those of `table` at `glyphs_at`, plus `first_glyph - first`."""

    first: int
    last: int
    first_glyph: int
    table: bytes = b""
    glyphs_at: int = 0

    def glyphs(self) -> Iterator[tuple[int, int]]:
        """`(character code, glyph)` in order; glyph 0 is none. Ends where the table is cut short."""
        if not self.table:
            for code in range(self.first, self.last + 1):
                yield code, (self.first_glyph + code - self.first) & 0xFFFF
            return
        for code in range(self.first, self.last + 1):
            place = self.glyphs_at + 2 * (code - self.first)
            if place + 2 > len(self.table):
                return
            (glyph,) = struct.unpack_from(">H", self.table, place)
            yield code, (glyph + self.first_glyph - self.first) & 0xFFFF if glyph else 0


def read_table(file: BinaryIO, tag: bytes) -> bytes:
    """One table of a font file, or of the first of a collection; b"" where there is none or the file is not a font."""
    try:
        head = file.read(16)
        start = struct.unpack_from(">I", head, 12)[0] if head[:4] == b"ttcf" else 0
        file.seek(start)
        count = struct.unpack_from(">H", file.read(12), 4)[0]
        records = file.read(16 * min(count, _MAX_TABLES))
        for at in range(0, len(records), 16):
            if records[at : at + 4] == tag:
                offset, length = struct.unpack_from(">II", records, at + 8)
                file.seek(offset)
                return file.read(length)
    except struct.error:
        pass
    return b""


def character_ranges(cmap: bytes) -> Iterator[CharacterRange]:
    """The ranges of the subtables keyed by Unicode (platform 0, or 3 with encoding 1 or 10) in formats 4, 6 and 12.

    Raises:
        struct.error: the table is cut short."""
    (count,) = struct.unpack_from(">H", cmap, 2) if cmap else (0,)
    for index in range(min(count, _MAX_SUBTABLES)):
        platform, encoding, at = struct.unpack_from(">HHI", cmap, 4 + 8 * index)
        if (platform == 0 and encoding != _VARIATION_SEQUENCES) or (platform == 3 and encoding in {1, 10}):
            yield from _ranges(cmap[at:])


def _ranges(table: bytes) -> Iterator[CharacterRange]:
    (kind,) = struct.unpack_from(">H", table, 0)
    if kind == 4:
        yield from _segments(table)
    elif kind == 6:
        first, count = struct.unpack_from(">HH", table, 6)
        yield CharacterRange(first, first + count - 1, first, table, 10)
    elif kind == 12:
        for group in range(min(struct.unpack_from(">I", table, 12)[0], _MAX_GROUPS)):
            first, last, glyph = struct.unpack_from(">III", table, 16 + 12 * group)
            yield CharacterRange(first, min(last, _LAST_CODE_POINT), glyph)


def _segments(table: bytes) -> Iterator[CharacterRange]:
    """The segments of format 4, the last of which (0xFFFF) only ends the table."""
    (twice,) = struct.unpack_from(">H", table, 6)
    count = twice // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts = struct.unpack_from(f">{count}H", table, 16 + twice)
    deltas = struct.unpack_from(f">{count}H", table, 16 + 2 * twice)
    offsets_at = 16 + 3 * twice
    offsets = struct.unpack_from(f">{count}H", table, offsets_at)
    for at, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        if first == 0xFFFF:
            continue
        glyphs_at = offsets_at + 2 * at + offset
        listed = (table, glyphs_at) if offset else (b"", 0)
        yield CharacterRange(first, min(last, 0xFFFE), first + delta, *listed)
