"""Makes drawings of Visio 2003 to 2010 (.vsd): streams that are packed with literals only, or not packed."""

import struct
from collections.abc import Sequence

from contract.containers import compound_file

LIST, BYTES, CHUNKS = 0x50, 0x40, 0xD0
_NO_MASTER = 0xFFFFFFFF


def chunk(kind: int, identity: int, data: bytes, level: int = 2) -> bytes:
    """A chunk of a page."""
    end = 4 if level == 3 else 0
    return struct.pack("<IIIIHB", kind, identity, 0, len(data), level, 0x51) + data + bytes(end)


def shape(identity: int, text: str | None, *fields: bytes, master: int = _NO_MASTER, of: int = _NO_MASTER) -> bytes:
    """A shape with its words (None: none of its own), where U+FFFC stands for a field."""
    made = chunk(0x48, identity, bytes(18) + struct.pack("<IiI", master, 0, of))
    if text is not None:
        made += chunk(0x0E, 0, bytes(8) + text.encode("utf-16-le") + b"\0\0", 3)
    return made + b"".join(chunk(0xA1, number, one, 3) for number, one in enumerate(fields))


def number_field(value: float, cell: int = 0x20, form: int | None = None) -> bytes:
    """A field with a number, in Visio's own units, of a type and with a format's number."""
    block = b"" if form is None else struct.pack("<IBBBHBB", 11, 0, 2, 0, form, 0x80, 0xC2)
    return bytes(7) + bytes([cell]) + struct.pack("<d", value) + bytes(0x36 - 16) + block + bytes(8)


def name_field(number: int) -> bytes:
    """A field with one of the shape's names."""
    return bytes(7) + b"\xe8" + struct.pack("<i", number) + bytes(16)


class _Drawing:
    def __init__(self, packed: bool, version: int) -> None:
        self._packed = packed
        self.data = bytearray(b"Visio (TM) Drawing\r\n\0".ljust(0x24 + 18, b"\0"))
        self.data[0x1A] = version

    def put(self, kind: int, form: int, content: bytes) -> bytes:
        """Append a stream; gives the pointer to it."""
        if self._packed:
            form |= 2
            content = bytes(4) + content if form >> 4 != CHUNKS >> 4 else content
            content = b"".join(b"\xff" + content[at : at + 8] for at in range(0, len(content), 8))
        pointer = struct.pack("<IIIIH", kind, 0, len(self.data), len(content), form)
        self.data += content
        return pointer

    def put_list(self, kind: int, pointers: Sequence[bytes]) -> bytes:
        """Append a list of pointers; gives the pointer to it."""
        start = struct.pack("<I", 8) + struct.pack("<IiI", 0, len(pointers), 0)
        return self.put(kind, LIST, start + b"".join(pointers))


def vsd(
    pages: Sequence[tuple[str, bytes]], masters: Sequence[bytes] = (), *, packed: bool = True, version: int = 11
) -> bytes:
    """A drawing: of each page its name and its shapes; of each master its shapes."""
    made = _Drawing(packed, version)
    names = [made.put(0x33, BYTES, struct.pack("<I", 1) + name.encode("utf-16-le") + b"\0\0") for name, _ in pages]
    named = struct.pack("<I", len(pages)) + b"".join(struct.pack("<IIIx", at, at, at) for at in range(len(pages)))
    listed = [made.put(0x15, CHUNKS, chunk(0x15, 0, bytes(96), 0) + shapes) for _, shapes in pages]
    listed.append(made.put(0xC9, BYTES, named))
    models = [made.put(0x1E, CHUNKS, shapes) for shapes in masters]
    top = [made.put_list(0x1D, models), made.put_list(0x32, names), made.put_list(0x27, listed)]
    made.data[0x24 : 0x24 + 18] = made.put_list(0x14, top)
    return compound_file({"VisioDocument": bytes(made.data)})
