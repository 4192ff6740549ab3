"""What Word 6 and Word 95 write otherwise than Word 97: places in the information block, sizes of entries, strings of
bytes, and property modifiers of one byte, which are told here as those of Word 97 ([MS-DOC] 2.6).

From Microsoft's "Word 6.0 Binary File Format". Of Word 2, whose text lies as Word 6 has it but whose properties do not,
the places of its text and notes only. Not responsible for reading a file."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace

_FIRST_PLACES, _LATER_PLACES, _PAIR = 0x58, 0x192, 8
_PAIR_2 = 6
"""Bytes of a pair in Word 2, whose lengths have two."""
_LATER = 38
"""From this table on the information block of Word 6 has numbers of pages before the pairs."""
_PLACES_97 = 154


@dataclass(frozen=True)
class Layout:
    """Where things stand in a file, and bytes of entries: of the tables of pages, of a page of paragraphs, of a
    comment, of a text box; and where a font's name stands in its entry ([MS-DOC] 2.9.87, FFN)."""

    is_old: bool
    counts_at: int
    page_entry: int
    paragraph_entry: int
    comment: int
    text_box: int
    font_name: int
    is_plain: bool = False
    """Word 2: nothing is read but text."""

    def pair_at(self, place: int) -> int:
        """Where the information block says where a table stands."""
        if not self.is_old:
            return _PLACES_97 + _PAIR * place
        if self.is_plain:
            return _FIRST_PLACES + _PAIR_2 * place
        return _FIRST_PLACES + _PAIR * place if place < _LATER else _LATER_PLACES + _PAIR * (place - _LATER)


WORD_97 = Layout(is_old=False, counts_at=64, page_entry=4, paragraph_entry=13, comment=30, text_box=22, font_name=39)
WORD_6 = Layout(is_old=True, counts_at=40, page_entry=2, paragraph_entry=7, comment=20, text_box=0, font_name=5)
WORD_2 = replace(WORD_6, is_plain=True)


def byte_strings(data: bytes, encoding: str, *, headed: bool = True) -> list[str]:
    """Strings with their length in a byte before each; where `headed`, behind the length of all of them."""
    found: list[str] = []
    at = 2 if headed else 0
    while at < len(data):
        found.append(data[at + 1 : at + 1 + data[at]].decode(encoding, "replace"))
        at += 1 + data[at]
    return found


_ONE_BYTE = (
    4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 24, 25, 29, 37, 44, 50, 51, 65, 66, 67, 71, 75, *range(85, 93), 94, 98, 100, 102,
    104, 117, 118, 119, 131, 132, 138, 139, 142, 143, 146, 147, *range(150, 154), 158, 159, 162, 185, 186,
)  # fmt: skip
_SIZES = {
    **dict.fromkeys(range(2, 201), 2), **dict.fromkeys(_ONE_BYTE, 1), **dict.fromkeys((52, 83, 163), 0),
    **dict.fromkeys((73, 95, 136, 137), 3), **dict.fromkeys((20, 70, 192, 194, 196, 200), 4), 193: 5, 199: 5, 187: 12,
}  # fmt: skip
"""Bytes of an operand by its modifier; those that say themselves how long they are follow."""
_OWN_LENGTH = frozenset(
    (3, 12, 15, 23, 64, 68, 74, 77, 79, 81, 82, 103, 105, 106, 108, *range(111, 117), 120, 133, 191)
)
_LONG = frozenset((188, 190))
_TABS, _TABS_BY_COUNT = 23, 255
_HEADERS_SHOWN = 153
_CELL, _MODERN_CELL, _MERGES = 10, 20, 3


def _plain(kind: int) -> Callable[[bytes], bytes]:
    return lambda operand: struct.pack("<H", kind) + operand


def _symbol(operand: bytes) -> bytes:
    """Font and character; that stands in the private area since Word 97."""
    return struct.pack("<HHH", 0x6A09, int.from_bytes(operand[:2], "little"), 0xF000 | operand[2])


def _row(operand: bytes) -> bytes:
    """The cells of a row, whose descriptions have grown since."""
    count = operand[0]
    edges = 1 + 2 * (count + 1)
    cells = b"".join(
        bytes([operand[at] & _MERGES]).ljust(_MODERN_CELL, b"\0")
        for at in range(edges, min(edges + _CELL * count, len(operand)), _CELL)
    )
    made = operand[:edges] + cells.ljust(_MODERN_CELL * count, b"\0")
    return struct.pack("<HH", 0xD608, len(made) + 1) + made


_MODERN: dict[int, Callable[[bytes], bytes]] = {
    2: _plain(0x4600), 24: _plain(0x2416), 25: _plain(0x2417), 65: _plain(0x0800), 66: _plain(0x0801),
    69: _plain(0x4804), 70: _plain(0x6805), 74: _symbol, 80: _plain(0x4A30), 85: _plain(0x0835), 86: _plain(0x0836),
    87: _plain(0x0837), 92: _plain(0x083C), 93: _plain(0x4A4F), 94: _plain(0x2A3E), 98: _plain(0x2A42),
    99: _plain(0x4A43), 104: _plain(0x2A48), 117: _plain(0x0855), 186: _plain(0x3404), 190: _row,
}  # fmt: skip
"""Style, in a table, end of a row, deleted and inserted text with author and date, symbol, character style, bold,
italic, struck through, hidden, font, underlined, colour, size, raised, special, head of a table, cells."""


def _operands(data: bytes) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    at = 0
    while at + 1 < len(data):
        kind = data[at]
        at += 1
        size = _SIZES.get(kind)
        if kind in _LONG:
            size = max(int.from_bytes(data[at : at + 2], "little") - 1, 0)
            at += 2
        elif kind == _TABS and data[at] == _TABS_BY_COUNT:
            deleted = data[at + 1] if at + 1 < len(data) else 0
            added_at = at + 2 + 4 * deleted
            size = 3 + 4 * deleted + 3 * (data[added_at] if added_at < len(data) else 0)
        elif kind in _OWN_LENGTH:
            size = data[at]
            at += 1
        if size is None or at + size > len(data):
            break
        found.append((kind, data[at : at + size]))
        at += size
    return found


def modern(data: bytes) -> bytes:
    """A list of Word 6's modifiers as one of Word 97's; those that are not needed are left out."""
    pieces: list[bytes] = []
    for kind, operand in _operands(data):
        made = _MODERN.get(kind)
        try:
            pieces.append(made(operand) if made is not None else b"")
        except IndexError:  # an operand that is too short
            continue
    return b"".join(pieces)


def header_flags(data: bytes) -> int:
    """Which headers and footers a section has, by bits, from its modifiers."""
    return next((operand[0] for kind, operand in _operands(data) if kind == _HEADERS_SHOWN), 0)
