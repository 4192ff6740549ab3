"""Reads the character map of an embedded TrueType or OpenType font backwards: which character a glyph draws. Needed
where a PDF numbers glyphs and does not say what they mean (ISO 32000-1, 9.10.2: no ToUnicode)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice

_MAX_PAIRS = 200_000
"""Of all subtables together: a font has 65,535 glyphs, and one that was made to keep us busy may claim billions."""


def glyph_characters(data: bytes) -> dict[int, str]:
    """`{glyph: character}` of a font file (OpenType 1.9, `cmap`), empty where it has no Unicode map or is no sfnt.

    Of several characters drawn by one glyph the lowest is taken; private use characters tell nothing and are left out.
    """
    try:
        table = _table(data, b"cmap")
        characters: dict[int, str] = {}
        pairs = (pair for offset in _unicode_maps(table) for pair in _pairs(table[offset:]))
        for code, glyph in islice(pairs, _MAX_PAIRS):
            if glyph and not 0xE000 <= code <= 0xF8FF and code > 0x1F and not 0xD800 <= code <= 0xDFFF:
                known = characters.get(glyph)
                if known is None or code < ord(known):
                    characters[glyph] = chr(code)
    except (struct.error, ValueError, IndexError):
        return {}
    return characters


def _table(data: bytes, tag: bytes) -> bytes:
    start = 0
    if data[:4] == b"ttcf":
        (start,) = struct.unpack_from(">I", data, 12)
    (count,) = struct.unpack_from(">H", data, start + 4)
    for at in range(min(count, 200)):
        name, _, offset, length = struct.unpack_from(">4sIII", data, start + 12 + 16 * at)
        if name == tag:
            return data[offset : offset + length]
    return b""


def _unicode_maps(table: bytes) -> list[int]:
    """Offsets of the subtables keyed by Unicode: platform 0, or 3 with encoding 1 or 10."""
    if len(table) < 4:
        return []
    (count,) = struct.unpack_from(">H", table, 2)
    offsets: list[int] = []
    for at in range(min(count, 50)):
        platform, encoding, offset = struct.unpack_from(">HHI", table, 4 + 8 * at)
        if (platform == 0 and encoding != 5) or (platform == 3 and encoding in {1, 10}):
            offsets.append(offset)
    return offsets


def _pairs(table: bytes) -> Iterator[tuple[int, int]]:
    """`(character code, glyph)` of one subtable in format 4, 6 or 12; glyph 0 is none, and told so that it counts."""
    (kind,) = struct.unpack_from(">H", table, 0)
    if kind == 4:
        yield from _segments(table)
    elif kind == 6:
        first, count = struct.unpack_from(">HH", table, 6)
        for at, glyph in enumerate(struct.unpack_from(f">{count}H", table, 10)):
            yield first + at, glyph
    elif kind == 12:
        (groups,) = struct.unpack_from(">I", table, 12)
        for at in range(min(groups, _MAX_PAIRS)):
            start, end, glyph = struct.unpack_from(">III", table, 16 + 12 * at)
            if start <= end <= 0x10FFFF and end - start < 0x10000:
                for code in range(start, end + 1):
                    yield code, glyph + code - start


def _segments(table: bytes) -> Iterator[tuple[int, int]]:
    (twice,) = struct.unpack_from(">H", table, 6)
    count = twice // 2
    ends = struct.unpack_from(f">{count}H", table, 14)
    starts = struct.unpack_from(f">{count}H", table, 16 + twice)
    deltas = struct.unpack_from(f">{count}H", table, 16 + 2 * twice)
    ranges_at = 16 + 3 * twice
    ranges = struct.unpack_from(f">{count}H", table, ranges_at)
    for at in range(count):
        for code in range(starts[at], min(ends[at], 0xFFFE) + 1):
            if not ranges[at]:
                yield code, (code + deltas[at]) & 0xFFFF
                continue
            place = ranges_at + 2 * at + ranges[at] + 2 * (code - starts[at])
            if place + 2 > len(table):
                break
            (glyph,) = struct.unpack_from(">H", table, place)
            yield code, (glyph + deltas[at]) & 0xFFFF if glyph else 0
