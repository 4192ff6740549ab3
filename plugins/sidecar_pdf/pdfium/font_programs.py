"""What the codes of an embedded font draw, by the names of its glyphs: those of Type 1 programs (Adobe Type 1 Font
Format, 2.2) and of compact ones (Adobe Technical Note 5176, The Compact Font Format), whose encodings stand in them."""

import re
import struct
from collections.abc import Iterator
from itertools import islice, pairwise

from sidecar_pdf.pdfium.glyph_names import meaning

_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/([A-Za-z0-9_.]{1,60})\s+put")
_HEAD = 40_000
"""Bytes in which the encoding of a Type 1 program stands, in clear text."""
_STANDARD_STRINGS = 391
"""Names that every compact font knows, all of which pdfium knows too (5176, appendix A)."""
_CHARSET, _ENCODING, _CHAR_STRINGS = 15, 16, 17
"""Operators of a top dictionary (5176, table 9)."""
_PREDEFINED = 2  # charsets up to this number, encodings below it, stand in no font
_MAX_GLYPHS = 65_535
_SUPPLEMENT = 0x80  # flag of an encoding that has further codes behind it
_LARGEST_BYTES = 4  # of an offset


def program_names(program: bytes) -> dict[int, str]:
    """`{code: characters}` of a font program's encoding, as far as pdfium lacks it; empty for fonts of other kinds."""
    if b"FontType 1" in program[:_HEAD] or program.startswith(b"%!"):
        names = ((int(code), name) for code, name in _ENTRY.findall(program[:_HEAD]))
    else:
        try:
            names = iter(_compact_names(program)) if program[:1] == b"\x01" else iter(())
        except (IndexError, struct.error, ValueError):
            return {}
    found: dict[int, str] = {}
    for code, name in names:
        letters = meaning(name.decode("latin-1"))
        if letters and code < 256:
            found[code] = letters
    return found


def _compact_names(program: bytes) -> list[tuple[int, bytes]]:
    """`(code, name)` of a compact font with an encoding of its own, but for names that all such fonts know."""
    _, at = _index(program, program[2])  # its name
    tops, at = _index(program, at)
    strings, _ = _index(program, at)
    top = _operands(tops[0])
    encoding, charset = top.get(_ENCODING, 0), top.get(_CHARSET, 0)
    if encoding < _PREDEFINED or charset <= _PREDEFINED:
        return []
    count = min(struct.unpack_from(">H", program, top[_CHAR_STRINGS])[0], _MAX_GLYPHS)
    numbers = [0, *islice(_charset(program, charset), count - 1)]
    found: list[tuple[int, bytes]] = []
    for code, number in _codes(program, encoding, numbers):
        if 0 <= number - _STANDARD_STRINGS < len(strings):
            found.append((code, strings[number - _STANDARD_STRINGS]))
    return found


def _index(program: bytes, at: int) -> tuple[list[bytes], int]:
    """The entries of an index, and where it ends (5176, 5)."""
    count = struct.unpack_from(">H", program, at)[0]
    if not count:
        return [], at + 2
    size = program[at + 2]
    if not 0 < size <= _LARGEST_BYTES:
        raise ValueError(size)
    first = at + 3
    offsets = [int.from_bytes(program[first + size * n : first + size * (n + 1)], "big") for n in range(count + 1)]
    data = first + size * (count + 1) - 1
    if offsets[-1] > len(program):
        raise ValueError(offsets[-1])
    return [program[data + a : data + b] for a, b in pairwise(offsets)], data + offsets[-1]


def _operands(dictionary: bytes) -> dict[int, int]:
    """The last whole number before each operator of one byte (5176, 4)."""
    found: dict[int, int] = {}
    at, last = 0, 0
    while at < len(dictionary):
        first = dictionary[at]
        if first > 27:
            last, at = _number(dictionary, at)
        else:
            found[first] = last
            at += 2 if first == 12 else 1
    return found


def _number(dictionary: bytes, at: int) -> tuple[int, int]:
    """The number at a place of a dictionary, 0 for one that is not whole, and where it ends (5176, tables 3 to 5)."""
    first = dictionary[at]
    if first == 28:
        return struct.unpack_from(">h", dictionary, at + 1)[0], at + 3
    if first == 29:
        return struct.unpack_from(">i", dictionary, at + 1)[0], at + 5
    if first == 30:
        end = at + 1
        while 0x0F not in (dictionary[end] >> 4, dictionary[end] & 0x0F):
            end += 1
        return 0, end + 1
    if first < 247:
        return first - 139, at + 1
    second = dictionary[at + 1]
    return ((first - 247) * 256 + second + 108 if first < 251 else (251 - first) * 256 - second - 108), at + 2


def _charset(program: bytes, at: int) -> Iterator[int]:
    """The number of the name of each glyph but the first (5176, 13)."""
    kind, at = program[at], at + 1
    if kind == 0:
        while True:
            yield struct.unpack_from(">H", program, at)[0]
            at += 2
    while True:
        first, left = struct.unpack_from(">HB" if kind == 1 else ">HH", program, at)
        yield from range(first, first + left + 1)
        at += 3 if kind == 1 else 4


def _codes(program: bytes, at: int, numbers: list[int]) -> Iterator[tuple[int, int]]:
    """`(code, number of a name)` of an encoding (5176, 12); `numbers` are those of the glyphs."""
    kind, count, at = program[at], program[at + 1], at + 2
    glyphs = iter(numbers[1:])
    if kind & ~_SUPPLEMENT == 0:
        yield from zip(program[at : at + count], glyphs, strict=False)
        at += count
    else:
        for first, left in zip(program[at : at + 2 * count : 2], program[at + 1 : at + 2 * count : 2], strict=False):
            yield from zip(range(first, first + left + 1), glyphs, strict=False)
        at += 2 * count
    if kind & _SUPPLEMENT:
        yield from struct.iter_unpack(">BH", program[at + 1 : at + 1 + 3 * program[at]])
