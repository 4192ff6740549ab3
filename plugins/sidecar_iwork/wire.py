"""Protocol Buffers messages read without their definitions, by field number, and Snappy blocks unpacked.

Wire format: https://protobuf.dev/programming-guides/encoding; Snappy: `format_description.txt` of its project."""

import struct
from collections.abc import Iterator

from sidecar.toolkit.unpacking import repeat_bytes

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_LITERAL, _COPY1, _COPY2 = 0, 1, 2
_BLOCK_BYTES = 4 * 2**20
"""More than a block unpacks to: writers cut at 64 KiB."""

Value = int | bytes


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, low first, and where it ends. Raises ValueError behind the end."""
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a number is cut short")


class Message:
    """A message by field number. A field that is missing, or of another type than asked for, reads as empty: what is
    required today was not yesterday."""

    __slots__ = ("_fields",)

    def __init__(self, data: bytes = b"") -> None:
        self._fields: dict[int, list[Value]] = {}
        at = 0
        try:
            while at < len(data):
                key, at = varint(data, at)
                kind = key & 7
                if kind == _VARINT:
                    value, at = varint(data, at)
                elif kind == _LENGTH:
                    size, at = varint(data, at)
                    value, at = data[at : at + size], at + size
                elif kind in (_FIXED32, _FIXED64):
                    size = 4 if kind == _FIXED32 else 8
                    value, at = data[at : at + size], at + size
                else:
                    break
                self._fields.setdefault(key >> 3, []).append(value)
        except ValueError:
            pass  # what came before the cut counts

    def __contains__(self, field: int) -> bool:
        return field in self._fields

    def number(self, field: int, default: int = 0) -> int:
        """The last value of a number field, varint or fixed."""
        value = self._fields.get(field, [default])[-1]
        return value if isinstance(value, int) else int.from_bytes(value, "little") if len(value) in (4, 8) else default

    def numbers(self, field: int) -> list[int]:
        """A repeated number, packed or not."""
        found: list[int] = []
        for value in self._fields.get(field, []):
            if isinstance(value, int):
                found.append(value)
                continue
            at = 0
            while at < len(value):
                try:
                    number, at = varint(value, at)
                except ValueError:
                    break
                found.append(number)
        return found

    def data(self, field: int) -> bytes:
        """The last value of a field of bytes."""
        value = self._fields.get(field, [b""])[-1]
        return value if isinstance(value, bytes) else b""

    def text(self, field: int) -> str:
        """The last value of a text field."""
        return self.data(field).decode("utf-8", "replace")

    def texts(self, field: int) -> list[str]:
        """A repeated text."""
        return [v.decode("utf-8", "replace") for v in self._fields.get(field, []) if isinstance(v, bytes)]

    def double(self, field: int) -> float | None:
        """A number of 64 bits, None where there is none."""
        data = self.data(field)
        return float(struct.unpack("<d", data)[0]) if len(data) == 8 else None

    def single(self, field: int) -> float:
        """A number of 32 bits, 0 where there is none."""
        data = self.data(field)
        return float(struct.unpack("<f", data)[0]) if len(data) == 4 else 0.0

    def message(self, field: int) -> "Message":
        """The message in a field, an empty one where there is none."""
        return Message(self.data(field))

    def messages(self, field: int) -> "Iterator[Message]":
        """A repeated message."""
        return (Message(value) for value in self._fields.get(field, []) if isinstance(value, bytes))

    def ref(self, field: int) -> int:
        """The number of the object that a field refers to (`TSP.Reference`), 0 for none."""
        return self.message(field).number(1)

    def refs(self, field: int) -> list[int]:
        """The objects that a repeated field refers to."""
        return [message.number(1) for message in self.messages(field)]


def blocks_unpacked(data: bytes) -> bytes:
    """An `.iwa` file: blocks with a head of four bytes (0, then the length, low byte first). Raises ValueError."""
    out = bytearray()
    at = 0
    while at + 4 <= len(data):
        if data[at]:
            raise ValueError("a block does not begin with 0")
        size = int.from_bytes(data[at + 1 : at + 4], "little")
        out += _unsnapped(data[at + 4 : at + 4 + size])
        at += 4 + size
    return bytes(out)


def _unsnapped(data: bytes) -> bytes:
    """A Snappy block. Raises ValueError."""
    size, at = varint(data, 0)
    if size > _BLOCK_BYTES:
        raise ValueError(f"a block of {size:,} bytes")
    out = bytearray()
    while at < len(data) and len(out) < size:
        tag = data[at]
        at += 1
        kind = tag & 3
        if kind == _LITERAL:
            length = tag >> 2
            if length >= 60:
                extra = length - 59
                length = int.from_bytes(data[at : at + extra], "little")
                at += extra
            length += 1
            out += data[at : at + length]
            at += length
            continue
        if kind == _COPY1:
            length, offset = (tag >> 2 & 7) + 4, (tag >> 5) << 8 | int.from_bytes(data[at : at + 1], "little")
            at += 1
        else:
            width = 2 if kind == _COPY2 else 4
            length, offset = (tag >> 2) + 1, int.from_bytes(data[at : at + width], "little")
            at += width
        if not 0 < offset <= len(out):
            raise ValueError("a copy from before the beginning")
        repeat_bytes(out, offset, length)
    if len(out) != size:
        raise ValueError(f"{len(out):,} of {size:,} bytes")
    return bytes(out)
