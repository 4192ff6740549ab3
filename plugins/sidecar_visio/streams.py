"""The streams inside the one stream of a drawing of Visio 2000 to 2010 (.vsd): pointers that lead to packed lists of
pointers, to names and to chunks. Knows where these stand and how they are packed, not what chunks say.

Microsoft publishes no description; the layout is that which the readers libvisio and POI's HDGF agree on."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from sidecar.api.errors import DamagedError, LimitError

SIGNATURE: Final = b"Visio (TM) Drawing\r\n\0"
_VERSION_AT, _FIRST_POINTER_AT = 0x1A, 0x24
_POINTER_BYTES, _CHUNK_HEAD_BYTES = 18, 19
_PACKED = 2
"""Of a pointer's format: what it leads to is packed, and four bytes of its own come first."""
_LIST, _COLOURS = 5, 0x16
_CHUNKS = frozenset((8, 0xC, 0xD))
"""The upper digit of a pointer's format: it leads to pointers, to chunks; else to bytes."""
_MAX_POINTERS, _MAX_DEPTH = 20_000, 8
_MAX_UNPACKED = 64 * 2**20
_WINDOW, _START = 4096, 4078
_SHORTEST = 3
# Chunks that an end of eight bytes follows, of four, and those that none does.
_LONG_ENDS_11 = frozenset((0x2C, 0x65, 0x66, 0x69, 0x6A, 0x6B, 0x70, 0x71))
_ENDS_11 = frozenset((0x64, 0x65, 0x66, 0x69, 0x6A, 0x6B, 0x6F, 0x71, 0x92, 0xA9, 0xB4, 0xB6, 0xB9, 0xC7))
_ENDS_6 = frozenset((0x0D, 0x2C, *range(0x64, 0x74), 0x76))
_ENDLESS_11, _ENDLESS_6 = frozenset((0x1F, 0xC9, 0x2D, 0xD1)), frozenset((0x1F, 0xC9))


class Pointer(NamedTuple):
    """Where a stream stands. `number` is its place in the list it was read from, by which others know it."""

    kind: int
    at: int
    size: int
    form: int
    number: int = 0

    @property
    def leads_to_chunks(self) -> bool:
        """Whether what it leads to is chunks."""
        return self.form >> 4 in _CHUNKS


class Chunk(NamedTuple):
    """A piece of a page; those of a shape follow the one that begins it."""

    kind: int
    identity: int
    data: bytes


@dataclass
class Streams:
    """The drawing's bytes, and how many more may be unpacked from them."""

    data: bytes
    name: str
    left: int = _MAX_UNPACKED
    pointers: int = _MAX_POINTERS

    @property
    def version(self) -> int:
        """6 of Visio 2000 and 2002, 11 of Visio 2003 to 2010."""
        return self.data[_VERSION_AT] if len(self.data) > _VERSION_AT else 0

    def all(self) -> Iterator[tuple[Pointer, ...]]:
        """Every pointer with those above it, the outermost first. Raises DamagedError, LimitError."""
        if len(self.data) < _FIRST_POINTER_AT + _POINTER_BYTES:
            raise DamagedError(f"{self.name} ends in the middle of its header.")
        yield from self._below((_pointer(self.data, _FIRST_POINTER_AT, 0),))

    def _below(self, path: tuple[Pointer, ...]) -> Iterator[tuple[Pointer, ...]]:
        yield path
        last = path[-1]
        if last.form >> 4 != _LIST or last.kind == _COLOURS or len(path) > _MAX_DEPTH:
            return
        for pointer in self._list(last):
            self.pointers -= 1
            if self.pointers < 0:
                raise LimitError(f"{self.name} has more than {_MAX_POINTERS:,} parts.")
            yield from self._below((*path, pointer))

    def _list(self, pointer: Pointer) -> list[Pointer]:
        content, own = self._content(pointer)
        if len(content) < own + 4:
            return []
        at: int = struct.unpack_from("<I", content, own)[0] + own - 4
        if not 0 <= at <= len(content) - 12:
            return []
        count = struct.unpack_from("<i", content, at + 4)[0]
        start = at + 12
        found = [
            _pointer(content, start + number * _POINTER_BYTES, number)
            for number in range(min(max(count, 0), (len(content) - start) // _POINTER_BYTES))
        ]
        return [one for one in found if one.kind and one.size]

    def bytes_of(self, pointer: Pointer) -> bytes:
        """What a pointer leads to, unpacked, without what comes first. Raises LimitError."""
        content, own = self._content(pointer)
        return content[own:]

    def chunks(self, pointer: Pointer) -> Iterator[Chunk]:
        """The chunks that a pointer leads to, as far as they can be read. Raises LimitError."""
        content, _ = self._content(pointer)
        at, size = 0, len(content)
        while at + _CHUNK_HEAD_BYTES <= size:
            if not content[at]:
                at += 1
                continue
            kind, identity, listed, length, level, unknown = struct.unpack_from("<IIIIHB", content, at)
            at += _CHUNK_HEAD_BYTES
            yield Chunk(kind, identity, content[at : at + length])
            at += length + self._end(kind, listed, level, unknown)

    def _end(self, kind: int, listed: int, level: int, unknown: int) -> int:
        """Bytes that follow a chunk."""
        if self.version < 11:
            return 0 if kind in _ENDLESS_6 else 8 if listed or kind in _ENDS_6 else 0
        if kind in _ENDLESS_11:
            return 0
        end = 8 if listed or kind in _LONG_ENDS_11 else 0
        marked = (level == 2 and (unknown == 0x55 or (unknown == 0x54 and kind == 0xAA))) or (
            level == 3 and unknown not in (0x50, 0x54)
        )
        if listed or marked:
            end += 4
        return end + 4 if kind in _ENDS_11 and end not in (4, 12) else end

    def _content(self, pointer: Pointer) -> tuple[bytes, int]:
        """What a pointer leads to, and how many bytes of its own come first."""
        raw = self.data[pointer.at : pointer.at + pointer.size]
        packed = bool(pointer.form & _PACKED)
        found = _unpack(raw, self.left) if packed else raw
        self.left -= len(found)
        if self.left <= 0:
            raise LimitError(f"{self.name} unpacks to more than {_MAX_UNPACKED:,} bytes.")
        return found, 4 if packed else 0


def _pointer(data: bytes, at: int, number: int) -> Pointer:
    kind, _, start, size, form = struct.unpack_from("<IIIIH", data, at)
    return Pointer(kind, start, size, form, number)


def _unpack(data: bytes, most: int) -> bytes:
    """LZSS: eight flags, then for each a byte or a place in the last 4,096 bytes with a length."""
    out = bytearray()
    at, size = 0, len(data)
    while at < size and len(out) < most:
        flags = data[at]
        at += 1
        for bit in range(8):
            if flags >> bit & 1:
                if at >= size:
                    break
                out.append(data[at])
                at += 1
            elif at + 1 < size:
                place, length = data[at] | (data[at + 1] & 0xF0) << 4, (data[at + 1] & 0x0F) + _SHORTEST
                at += 2
                place = (place - _START) % _WINDOW
                _copy(out, (len(out) - place - 1) % _WINDOW + 1, length)
            else:
                return bytes(out)
    return bytes(out)


def _copy(out: bytearray, back: int, length: int) -> None:
    """Repeat what stands so far back; before the beginning are zeros."""
    start = len(out) - back
    piece = bytes(min(max(-start, 0), length))
    piece += out[max(start, 0) : max(start, 0) + length - len(piece)]
    while len(piece) < length:
        piece += piece[: length - len(piece)]
    out += piece
