"""Writes iWork documents by field numbers, as Pages and Keynote keep them: messages, objects, packages."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Fixed32", "Fixed64", "iwa", "message", "package", "ref"]


class Fixed32(NamedTuple):
    """A number of 32 bits: whole or floating."""

    value: float


class Fixed64(NamedTuple):
    """A floating number of 64 bits."""

    value: float


def ref(number: int) -> dict[int, Any]:
    """A `TSP.Reference`."""
    return {1: number}


def message(fields: Mapping[int, Any]) -> bytes:
    """A message: numbers, texts, bytes, messages as mappings, lists of any of them."""
    out = bytearray()
    for field, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            out += _field(field, value)
    return bytes(out)


def _field(field: int, value: Any) -> bytes:
    if isinstance(value, Mapping):
        value = message(value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return _varint(field << 3 | 2) + _varint(len(value)) + value
    if isinstance(value, Fixed32):
        form = "<f" if isinstance(value.value, float) else "<I"
        return _varint(field << 3 | 5) + struct.pack(form, value.value)
    if isinstance(value, Fixed64):
        return _varint(field << 3 | 1) + struct.pack("<d", value.value)
    return _varint(field << 3) + _varint(int(value))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def iwa(objects: Mapping[int, tuple[int, Mapping[int, Any]]]) -> bytes:
    """An `.iwa` file of objects (number → type and fields), in Snappy blocks of nothing but literals."""
    stream = bytearray()
    for number, (kind, fields) in objects.items():
        body = message(fields)
        info = message({1: number, 2: {1: kind, 3: len(body)}})
        stream += _varint(len(info)) + info + body
    out = bytearray()
    for start in range(0, len(stream), 65536):
        piece = bytes(stream[start : start + 65536])
        block = _varint(len(piece)) + bytes([61 << 2]) + (len(piece) - 1).to_bytes(2, "little") + piece
        out += b"\0" + len(block).to_bytes(3, "little") + block
    return bytes(out)


def package(members: Mapping[str, bytes], nested: bool = False) -> bytes:
    """A package of `.iwa` files and others; `nested` puts `Index/` into an `Index.zip`, as bundles have it."""
    if nested:
        inner = {name: data for name, data in members.items() if name.startswith("Index/")}
        others = {name: data for name, data in members.items() if name not in inner}
        members = {"Index.zip": package(inner), **others}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()
