"""Protocol Buffers messages read without their definitions, by field number (wire format:
https://protobuf.dev/programming-guides/encoding), and the Snappy blocks they are packed in."""

import struct
from collections.abc import Iterator

from sidecar.toolkit.unpacking import of_snappy, varint

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_BLOCK_BYTES = 4 * 2**20
"""More than a block unpacks to: writers cut at 64 KiB."""

Value = int | bytes


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
        out += of_snappy(data[at + 4 : at + 4 + size], _BLOCK_BYTES)
        at += 4 + size
    return bytes(out)
