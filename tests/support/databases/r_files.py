"""Makers of what R serialises, in its portable binary form (R Internals 1.8)."""

import re
import struct
from collections.abc import Mapping, Sequence

_ATTRIBUTES, _TAG = 0x200, 0x400
NOTHING = struct.pack(">i", 254)
NA_REAL = struct.pack(">II", 0x7FF00000, 1954)


def chars(text: str | None) -> bytes:
    if text is None:
        return struct.pack(">ii", 9, -1)
    data = text.encode()
    return struct.pack(">ii", 9 | 8 << 12, len(data)) + data


def symbol(name: str) -> bytes:
    return struct.pack(">i", 1) + chars(name)


def with_references(data: bytes) -> bytes:
    """Symbols as R writes them: after the first time by their number among all (REFSXP)."""
    numbers: dict[bytes, int] = {}

    def once(found: re.Match[bytes]) -> bytes:
        name = found[2][: int.from_bytes(found[1], "big")]
        if name in numbers:
            return struct.pack(">I", numbers[name] << 8 | 0xFF) + found[2][len(name) :]
        numbers[name] = len(numbers) + 1
        return found[0]

    return re.sub(rb"(?s)(?<=\0\0\x04\x02)\0\0\0\x01\0\0\x80\x09(\0\0\0.)([a-z._]+)", once, data)


def pairs(named: Mapping[str, bytes]) -> bytes:
    """A chain of values with their tags."""
    made = (struct.pack(">i", 2 | _TAG) + symbol(name) + value for name, value in named.items())
    return b"".join(made) + NOTHING


def _vector(kind: int, count: int, data: bytes, attributes: Mapping[str, bytes]) -> bytes:
    flags = kind | (_ATTRIBUTES if attributes else 0)
    return struct.pack(">ii", flags, count) + data + (pairs(attributes) if attributes else b"")


def texts(*values: str | None, **attributes: bytes) -> bytes:
    return _vector(16, len(values), b"".join(map(chars, values)), _named(attributes))


def integers(*values: int, kind: int = 13, **attributes: bytes) -> bytes:
    """Whole numbers; of kind 10 truth values. The lowest is NA."""
    return _vector(kind, len(values), struct.pack(f">{len(values)}i", *values), _named(attributes))


def reals(*values: float | None, **attributes: bytes) -> bytes:
    data = b"".join(NA_REAL if one is None else struct.pack(">d", one) for one in values)
    return _vector(14, len(values), data, _named(attributes))


def listed(*values: bytes, **attributes: bytes) -> bytes:
    return _vector(19, len(values), b"".join(values), _named(attributes))


def _named(attributes: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name.replace("class_", "class").replace("_names", ".names"): value for name, value in attributes.items()}


def frame(columns: Mapping[str, bytes], rows: Sequence[str] = ()) -> bytes:
    """A data frame."""
    named = texts(*rows) if rows else integers(-(1 << 31), -3)
    return listed(*columns.values(), names=texts(*columns), row_names=named, class_=texts("data.frame"))


def compact(count: float, first: float, step: float, **attributes: bytes) -> bytes:
    """A row of whole numbers as R keeps it in short."""
    info = struct.pack(">i", 2) + symbol("compact_intseq") + NOTHING
    return struct.pack(">i", 238) + info + reals(count, first, step) + pairs(_named(attributes))


def closure(name: str) -> bytes:
    """A function without arguments that gives a symbol."""
    return struct.pack(">i", 3 | _TAG) + struct.pack(">i", 253) + NOTHING + symbol(name)


def compiled(name: str) -> bytes:
    """The same as R keeps it once it has run: code, and as a constant the call that it was compiled of."""
    constant = struct.pack(">i", 6) + NOTHING + struct.pack(">i", 0) + symbol(name) + struct.pack(">i", 0) + NOTHING
    code = struct.pack(">2i", 21, 1) + integers(12, 20, 0, 1) + struct.pack(">i", 1) + constant
    return struct.pack(">i", 3 | _TAG) + struct.pack(">i", 253) + NOTHING + code


def rds(value: bytes, version: int = 2) -> bytes:
    """The file of one object."""
    encoding = struct.pack(">i", 5) + b"UTF-8" if version == 3 else b""
    return b"X\n" + struct.pack(">3i", version, 0x30600, 0x20300) + encoding + value


def rda(named: Mapping[str, bytes], version: int = 2) -> bytes:
    """The file of several objects."""
    return b"RDX%d\n" % version + rds(pairs(named), version)
