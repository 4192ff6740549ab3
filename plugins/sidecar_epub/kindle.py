"""The records of a Kindle book (.mobi, .azw, .azw3, .prc): its text as HTML, what it says of itself, its pictures.

After what the MobileRead project found out about PalmDOC, MOBI and KF8; their maker has published none of them."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sidecar.api import DamagedError, EncryptedError, UnsupportedError
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.unpacking import repeat_bytes
from sidecar_epub.plugin import MARK_AT, MARKS

_PLAIN, _PALMDOC, _HUFFMAN = 1, 2, 17480
_FACTS: Final = {
    100: "author", 101: "publisher", 103: "description", 104: "isbn", 105: "subject", 106: "created", 503: "title",
    524: "language",
}  # fmt: skip
"""Records of the header EXTH that are told."""
_NOWHERE: Final = 0xFFFFFFFF
_KF8: Final = 8
_MAX_DEPTH: Final = 32
_MAX_RECORDS: Final = 65_535


@dataclass
class KindleBook:
    """A book: `html` is its whole text; `pictures` the records with pictures, as the text counts them from 1."""

    html: str = ""
    facts: dict[str, str] = field(default_factory=dict[str, str])
    pictures: list[bytes] = field(default_factory=list[bytes])
    is_text: bool = False
    """Whether it is plain text, as PalmDOC itself has it."""


def read_book(data: bytes, name: str, most: int) -> KindleBook:
    """The book, of at most `most` bytes of text. Raises DamagedError, EncryptedError, UnsupportedError."""
    try:
        return _Kindle(data, name, most).book()
    except (struct.error, IndexError) as error:
        raise DamagedError(f"{name} is damaged and cannot be read.") from error


class _Kindle:
    def __init__(self, data: bytes, name: str, most: int) -> None:
        if data[MARK_AT : MARK_AT + 8] not in MARKS:
            raise DamagedError(f"{name} is not a Kindle book, whatever its name says.")
        (count,) = struct.unpack_from(">H", data, 76)
        starts = [struct.unpack_from(">I", data, 78 + 8 * at)[0] for at in range(min(count, _MAX_RECORDS))]
        self._records = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
        self._name, self._most = name, most
        self._head = self._records[0]
        self._is_mobi = self._head[16:20] == b"MOBI"

    def book(self) -> KindleBook:
        head = self._head
        packing, size, count, locked = struct.unpack_from(">HxxIHxxH", head)
        if locked:
            raise EncryptedError(f"{self._name} is protected by Kindle's copy protection.")
        raw = self._text(packing, count, min(size, self._most))
        if not self._is_mobi:
            return KindleBook(raw.decode("cp1252", "replace"), {}, is_text=True)
        version = self._number(36)
        if version == _KF8:
            raw = raw[: self._first_flow(len(raw))]
        codec = "utf-8" if self._number(28) == 65001 else "cp1252"
        facts = self._facts(codec)
        if "title" not in facts:
            at, length = self._number(84), self._number(88)
            facts["title"] = head[at : at + length].decode(codec, "replace")
        first = self._number(108)
        pictures = self._records[first:] if first != _NOWHERE else []
        return KindleBook(
            without_surrogates(raw.decode(codec, "replace")), {k: v for k, v in facts.items() if v}, pictures
        )

    def _number(self, at: int) -> int:
        return struct.unpack_from(">I", self._head, at)[0]

    def _facts(self, codec: str) -> dict[str, str]:
        found: dict[str, str] = {}
        if not self._number(128) & 0x40:
            return found
        at = 16 + self._number(20)
        if self._head[at : at + 4] != b"EXTH":
            return found
        (count,) = struct.unpack_from(">I", self._head, at + 8)
        at += 12
        for _ in range(min(count, 1000)):
            kind, length = struct.unpack_from(">II", self._head, at)
            raw = self._head[at + 8 : at + length]
            if kind in _FACTS:
                value = " ".join(without_surrogates(raw.decode(codec, "replace")).replace("\0", "").split())
                name = _FACTS[kind]
                found[name] = f"{found[name]}, {value}" if name == "author" and name in found else value
            at += max(length, 8)
        return found

    def _first_flow(self, size: int) -> int:
        """Where the text of a KF8 book ends and its style sheets and drawings begin (FDST)."""
        if len(self._head) < 200:
            return size
        record = self._number(192)
        table = self._records[record] if record < len(self._records) else b""
        return struct.unpack_from(">I", table, 16)[0] if table.startswith(b"FDST") and len(table) >= 20 else size

    def _text(self, packing: int, count: int, size: int) -> bytes:
        if packing == _HUFFMAN:
            first, several = self._number(112), self._number(116)
            unpack = _Huffman(self._records[first : first + several]).unpack
        elif packing in (_PLAIN, _PALMDOC):
            unpack = _palmdoc if packing == _PALMDOC else bytes
        else:
            raise UnsupportedError(f"{self._name} is packed in a way that is not known here.")
        flags = struct.unpack_from(">H", self._head, 242)[0] if self._is_mobi and self._number(20) >= 228 else 0
        out = bytearray()
        for record in self._records[1 : 1 + count]:
            out += unpack(_without_trailers(record, flags))
            if len(out) >= size:
                break
        return bytes(out[: self._most])


def _without_trailers(record: bytes, flags: int) -> bytes:
    """A record of text without what stands behind the text, whose sizes are told backwards from the end."""
    end = len(record)
    for _ in range((flags >> 1).bit_count()):
        size = shift = 0
        for at in range(end - 1, max(end - 5, -1), -1):
            size |= (record[at] & 0x7F) << shift
            shift += 7
            if record[at] & 0x80:
                break
        end = max(end - size, 0)
    if flags & 1 and end:
        end -= (record[end - 1] & 3) + 1
    return record[: max(end, 0)]


def _palmdoc(record: bytes) -> bytes:
    """Undoes PalmDOC's packing: bytes, spaces with letters, and repetitions of up to ten bytes."""
    out = bytearray()
    at = 0
    while at < len(record):
        byte = record[at]
        at += 1
        if 1 <= byte <= 8:
            out += record[at : at + byte]
            at += byte
        elif byte < 0x80:
            out.append(byte)
        elif byte >= 0xC0:
            out += bytes((0x20, byte ^ 0x80))
        elif at < len(record):
            pair = byte << 8 | record[at]
            at += 1
            distance, length = pair >> 3 & 0x7FF, (pair & 7) + 3
            if 0 < distance <= len(out):
                repeat_bytes(out, distance, length)
    return bytes(out)


class _Huffman:
    """Undoes Mobipocket's packing by prefix codes of phrases, which may be made of codes themselves (HUFF and CDIC)."""

    def __init__(self, tables: Sequence[bytes]) -> None:
        huff = tables[0]
        first, second = struct.unpack_from(">II", huff, 8)
        self._short = [(v & 0x1F, bool(v & 0x80), v >> 8) for v in struct.unpack_from(">256I", huff, first)]
        bounds = struct.unpack_from(">64I", huff, second)
        self._least, self._most = (0, *bounds[::2]), (0, *bounds[1::2])
        self._phrases: list[tuple[bytes, bool]] = []
        for table in tables[1:]:
            phrases, bits = struct.unpack_from(">II", table, 8)
            for at in range(min(1 << min(bits, 16), phrases - len(self._phrases))):
                (start,) = struct.unpack_from(">H", table, 16 + 2 * at)
                (length,) = struct.unpack_from(">H", table, 16 + start)
                own = table[18 + start : 18 + start + (length & 0x7FFF)]
                self._phrases.append((own, bool(length & 0x8000)))
        self._unpacked: dict[int, bytes] = {}

    def unpack(self, data: bytes, depth: int = 0) -> bytes:
        """The text of a record. Raises DamagedError."""
        if depth > _MAX_DEPTH:
            raise DamagedError("The codes of the book's text lead in a circle.")
        whole, left = int.from_bytes(data, "big") << 32, 8 * len(data)
        out = bytearray()
        while left > 0:
            code = whole >> left & 0xFFFFFFFF
            length, ends, most = self._short[code >> 24]
            if not length:
                break
            if ends:
                highest = (most + 1 << 32 - length) - 1
            else:
                while length < 32 and code < self._least[length] << 32 - length:
                    length += 1
                highest = (self._most[length] + 1 << 32 - length) - 1
            left -= length
            if left < 0:
                break
            out += self._phrase(highest - code >> 32 - length, depth)
        return bytes(out)

    def _phrase(self, number: int, depth: int) -> bytes:
        if not 0 <= number < len(self._phrases):
            raise DamagedError("The text of the book is damaged.")
        own, is_plain = self._phrases[number]
        if is_plain:
            return own
        if number not in self._unpacked:
            self._unpacked[number] = self.unpack(own, depth + 1)
        return self._unpacked[number]
