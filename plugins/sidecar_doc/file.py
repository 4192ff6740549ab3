"""The streams of a Word file and what its information block tells of them ([MS-DOC] 2.5), its text by piece."""

import struct
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from sidecar.api import DamagedError, EncryptedError, UnsupportedError
from sidecar.toolkit.ole.compound import Compound, damage_errors, write_compound
from sidecar.toolkit.word.symbols import language_codec
from sidecar_doc.word_95 import WORD_2, WORD_6, WORD_97, byte_strings, modern

_WORD_97, _WORD_6, _WORD_2 = 0xA5EC, 0xA5DC, 0xA5DB
_EAST_ASIAN = {0xA697: "cp932", 0xA698: "cp949", 0xA699: "gb18030"}
"""Word 6 and 95 of Japan, Korea and China, and what their text is in: a character has two bytes, the second first."""
_WIDE = 0x1000
"""The flag that says so (fExtChar)."""
_PLAIN_HEAD = _WORD_2.to_bytes(2, "little")
"""What a file of Word 2 begins with, which is not a compound file."""
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200
_PAIRS_AT = 152
"""Where the number of pairs of offset and length stands (cbRgFcLcb)."""
_OLDEST, _OLDEST_6 = 0xC1, 0x65
"""`nFib` of Word 97 and of Word 6; older programs kept everything elsewhere."""
_SMALL = 1 << 30
"""The bit of a piece's offset that says it is one byte a character."""


class Place(IntEnum):
    """Tables, by the number of their pair in the information block (FibRgFcLcb97 and later)."""

    STYLES = 1
    FOOTNOTE_REFERENCES = 2
    FOOTNOTES = 3
    COMMENT_REFERENCES = 4
    COMMENTS = 5
    SECTIONS = 6
    HEADERS = 11
    CHARACTER_PAGES = 12
    PARAGRAPH_PAGES = 13
    FONTS = 15
    BOOKMARK_NAMES = 21
    BOOKMARKS = 22
    PIECES = 33
    COMMENT_AUTHORS = 36
    SHAPES = 40
    ENDNOTE_REFERENCES = 46
    ENDNOTES = 47
    DRAWINGS = 50
    REVISION_AUTHORS = 51
    TEXT_BOXES = 56
    HEADER_TEXT_BOXES = 58
    LISTS = 73
    LIST_OVERRIDES = 74
    COMMENT_DATES = 112


_OF_WORD_2 = frozenset((Place.FOOTNOTE_REFERENCES, Place.FOOTNOTES, Place.HEADERS, Place.PIECES))


class StoryPlace(IntEnum):
    """The stories in the order in which their text follows one another, by the place of their length."""

    MAIN = 3
    FOOTNOTES = 4
    HEADERS = 5
    COMMENTS = 7
    ENDNOTES = 8
    TEXT_BOXES = 9
    HEADER_TEXT_BOXES = 10


@dataclass(frozen=True)
class Piece:
    """A run of text that lies together: its characters `start` to `end`, and where the first of them is in the file."""

    start: int
    end: int
    offset: int
    width: int
    """Bytes a character, 1 or 2."""
    changes: bytes
    """Properties laid over its text, when the file was saved quickly (a `grpprl`)."""


class DocFile:
    """One file, opened.

    Raises:
        EncryptedError, UnsupportedError: protected by a password; older than Word 2.
        DamagedError: there is no Word text in it, or it cannot be found."""

    def __init__(self, data: bytes, name: str, max_chars: int) -> None:
        with damage_errors(name):
            self.compound = Compound(write_compound({"WordDocument": data}) if data.startswith(_PLAIN_HEAD) else data)
            main = self.compound.stream_in((), "WordDocument") or self.compound.stream("WordDocument")
        if "EncryptedPackage" in self.compound:
            raise EncryptedError(f"{name} is protected by a password; save a copy without one to index it.")
        if main is None:
            raise DamagedError(f"{name} is a compound file without Word text.")
        self.main = main
        try:
            magic, version = struct.unpack_from("<HH", main)
            language, flags = struct.unpack_from("<H2xH", main, 6)
            self.layout = WORD_97 if magic == _WORD_97 and version >= _OLDEST else WORD_6
            if magic == _WORD_2:
                self.layout = WORD_2
            self._counts = struct.unpack_from("<11i", main, self.layout.counts_at)
            self._pairs = Place.HEADER_TEXT_BOXES + 1
            if not self.layout.is_old:
                self._pairs = struct.unpack_from("<H", main, _PAIRS_AT)[0]
        except struct.error as error:
            raise DamagedError(f"{name} ends in the middle of its header.") from error
        if flags & _ENCRYPTED:
            raise EncryptedError(f"{name} is protected by a password; save a copy without one to index it.")
        if self.layout is WORD_6 and (magic not in (_WORD_6, *_EAST_ASIAN) or version < _OLDEST_6):
            raise UnsupportedError(f"{name} was written by a program older than Word 2; save it as .docx to index it.")
        self.encoding = language_codec(language) if self.layout.is_old else "cp1252"
        self.wide_codec = _EAST_ASIAN.get(magic, "") if flags & _WIDE else ""
        tables = ("1Table", "0Table") if flags & _TABLE_1 else ("0Table", "1Table")
        self._table = next((found for table in tables if (found := self.compound.stream_in((), table))), b"")
        if self.layout.is_old:
            self._table = main
        self.data = self.compound.stream_in((), "Data") or b""
        self.cut = False
        self.pieces = self._read_pieces(max_chars)
        self._starts = [piece.start for piece in self.pieces]
        self.text = "".join(self._decode(piece) for piece in self.pieces)
        if not self.pieces:
            raise DamagedError(f"{name} does not say where its text is.")

    def table(self, place: Place) -> bytes:
        """The bytes of a table, b"" where the file has none."""
        start, length = self._pair(place)
        return self._table[start : start + length]

    def table_from(self, place: Place) -> bytes:
        """A table and all that follows it in its stream: list levels stand behind their table, in no length of it."""
        start, length = self._pair(place)
        return self._table[start:] if length else b""

    def strings(self, place: Place) -> list[str]:
        """A table of strings."""
        data = self.table(place)
        return byte_strings(data, self.encoding) if self.layout.is_old else strings(data)

    def modifiers(self, kept: bytes) -> bytes:
        """A list of property modifiers, as Word 97 would have it."""
        return modern(kept) if self.layout.is_old else kept

    def story(self, story: StoryPlace) -> tuple[int, int]:
        """The first character of a story and the one after its last."""
        start = sum(max(self._counts[before], 0) for before in StoryPlace if before < story)
        return min(start, len(self.text)), min(start + max(self._counts[story], 0), len(self.text))

    def offset(self, character: int) -> int:
        """Where a character stands in the file, by which its properties are found; -1 for none."""
        at = bisect_right(self._starts, character) - 1
        if at < 0:
            return -1
        piece = self.pieces[at]
        return piece.offset + (character - piece.start) * piece.width

    def piece(self, character: int) -> Piece:
        """The piece that a character belongs to."""
        return self.pieces[max(bisect_right(self._starts, character) - 1, 0)]

    def _pair(self, place: Place) -> tuple[int, int]:
        if place >= self._pairs or (self.layout.is_plain and place not in _OF_WORD_2):
            return 0, 0
        try:
            form = "<IH" if self.layout.is_plain else "<Ii"
            start, length = struct.unpack_from(form, self.main, self.layout.pair_at(place))
        except struct.error:
            return 0, 0
        return start, max(length, 0)

    def _read_pieces(self, max_chars: int) -> list[Piece]:
        """The piece table ([MS-DOC] 2.9.38): property lists, then the table itself."""
        data = self.table(Place.PIECES)
        lists: list[bytes] = []
        at = 0
        while at + 3 <= len(data) and data[at] == 1:
            length = struct.unpack_from("<H", data, at + 1)[0]
            lists.append(data[at + 3 : at + 3 + length])
            at += 3 + length
        if at + 5 > len(data) or data[at] != 2:
            return self._one_piece(max_chars)
        pieces: list[Piece] = []
        bounds, entries = places(data[at + 5 : at + 5 + struct.unpack_from("<I", data, at + 1)[0]], 8)
        bounds = _in_order(bounds)
        for number, entry in enumerate(entries):
            start, end = bounds[number], bounds[number + 1]
            if start == end:
                continue
            offset, change = struct.unpack_from("<IH", entry, 2)
            width, where = 2, offset
            if self.layout.is_old:
                width = self._old_width
            elif offset & _SMALL:
                width, where = 1, (offset & ~_SMALL) // 2
            # A piece of a damaged file may claim more than there is.
            end = min(end, start + max(len(self.main) - where, 0) // width)
            if start >= end or (pieces and start != pieces[-1].end) or (not pieces and start):
                break
            if end > max_chars:
                self.cut = True
                end = max_chars
            pieces.append(Piece(start, end, where, width, self._changes(change, lists)))
            if self.cut:
                break
        return pieces

    def _changes(self, change: int, lists: list[bytes]) -> bytes:
        """The properties a piece has of its own ([MS-DOC] 2.9.215): one of the lists, or a small one spelt out."""
        if change & 1:
            number = change >> 1
            return self.modifiers(lists[number]) if number < len(lists) else b""
        number, value = change >> 1 & 0x7F, change >> 8
        if self.layout.is_old:
            return modern(bytes((number, value)))
        small = _SMALL_CHANGES.get(number)
        return struct.pack("<HB", small, value) if small else b""

    def _one_piece(self, max_chars: int) -> list[Piece]:
        """A file without a table of pieces has its text in one run, one byte a character."""
        try:
            start, end = struct.unpack_from("<II", self.main, 24)
        except struct.error:
            return []
        width = self._old_width
        length = (min(end, len(self.main)) - start) // width
        self.cut = length > max_chars
        return [Piece(0, min(length, max_chars), start, width, b"")] if length > 0 else []

    @property
    def _old_width(self) -> int:
        return 2 if self.wide_codec else 1

    def _decode(self, piece: Piece) -> str:
        count = piece.end - piece.start
        raw = self.main[piece.offset : piece.offset + count * piece.width]
        if piece.width == 1:
            # Which codec text of Word 6 is in, its fonts say (`Characters.codec`); until then a byte is a character.
            return raw.decode("latin-1" if self.layout.is_old else "cp1252", "replace")
        if self.wide_codec:
            units = struct.unpack(f"<{len(raw) // 2}H", raw)
            return "".join(_of_two_bytes(unit, self.wide_codec) for unit in units)
        text = raw.decode("utf-16-le", "replace")
        # Properties are found by counting units, so a pair that makes one character stays two.
        return text if len(text) == count else "".join(map(chr, struct.unpack(f"<{len(raw) // 2}H", raw)))


def _in_order(bounds: Sequence[int]) -> list[int]:
    """Bounds of a table of which some are damaged: each not before that before it, and one that is past the next, which
    fits, is the next."""
    kept = list(bounds)
    for at in range(1, len(kept) - 1):
        if kept[at] > kept[at + 1] >= kept[at - 1]:
            kept[at] = kept[at + 1]
        kept[at] = max(kept[at], kept[at - 1])
    return kept


def _of_two_bytes(unit: int, codec: str) -> str:
    """A character of an East Asian Word 6; one of one byte has nothing in the other."""
    pair = bytes((unit >> 8, unit & 0xFF)) if unit > 0xFF else bytes((unit,))
    return pair.decode(codec, "replace")[:1] or "\ufffd"


def places(data: bytes, size: int) -> tuple[tuple[int, ...], list[bytes]]:
    """A PLC ([MS-DOC] 2.2.2): bounds, one more than entries, and the entries of `size` bytes."""
    count = max((len(data) - 4) // (4 + size), 0)
    if not count:
        return (), []
    bounds = struct.unpack_from(f"<{count + 1}I", data)
    start = 4 * (count + 1)
    return bounds, [data[start + size * n : start + size * (n + 1)] for n in range(count)]


def strings(data: bytes) -> list[str]:
    """A table of strings ([MS-DOC] 2.2.4, STTB), without what is kept beside each."""
    found: list[str] = []
    try:
        wide = data[:2] == b"\xff\xff"
        at = 2 if wide else 0
        count, extra = struct.unpack_from("<HH", data, at)
        at += 4
        for _ in range(count):
            if wide:
                length = struct.unpack_from("<H", data, at)[0] * 2
                found.append(data[at + 2 : at + 2 + length].decode("utf-16-le", "replace"))
                at += 2 + length + extra
            else:
                length = data[at]
                found.append(data[at + 1 : at + 1 + length].decode("cp1252", "replace"))
                at += 1 + length + extra
    except (struct.error, IndexError):
        pass
    return found


_SMALL_CHANGES = {
    0x18: 0x2416, 0x19: 0x2417, 0x41: 0x0800, 0x42: 0x0801, 0x43: 0x0802, 0x55: 0x0835, 0x56: 0x0836,
    0x57: 0x0837, 0x5C: 0x083C, 0x5E: 0x2A3E,
}  # fmt: skip
"""Numbers of Prm0 → property modifiers ([MS-DOC] 2.9.214), those that matter here."""
