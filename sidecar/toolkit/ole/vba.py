"""The source of the macros in an Office file, out of the storage of its VBA project ([MS-OVBA] 2.3.4, 2.4.1). Nothing
is run; what designers draw and what a compiler left behind is passed over."""

import re
import struct
from collections.abc import Iterator, Mapping

from sidecar.api import Notice, Payload
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.text import code_page

VBA_TYPE = "text/x-vba"
"""Of the file that the modules' source is handed on as."""
_CHUNK = 4096
"""Bytes that one chunk is compressed from."""
_SIGNATURE_BITS, _SIGNATURE = 0x7000, 0x3000
_MAX_BYTES = 16 * 2**20
_CODE_PAGE, _VERSION, _NAME, _STREAM, _PLACE = 0x0003, 0x0009, 0x0019, 0x001A, 0x0031
_VERSION_BYTES = 6
"""Of the version, whose record says 4."""
_ATTRIBUTE = re.compile(r"^Attribute [^\r\n]*(?:\r?\n|\Z)", re.MULTILINE)


def macro_source(compound: Compound, path: tuple[str, ...] = ()) -> str:
    """The source of all modules that have any, each below a comment with its name; "" where there is none. `path` is
    the storage that the project lies in."""
    inside = next((one for one in ((*path, "VBA"), path) if compound.stream_in(one, "dir")), path)
    sources: list[str] = []
    size = 0
    for name, stream, place, codec in _modules(_unpacked(compound.stream_in(inside, "dir") or b"")):
        data = compound.stream_in(inside, stream) or b""
        text = (
            _ATTRIBUTE.sub("", _unpacked(data[place:]).decode(codec, "replace"))
            .replace("\r\n", "\n")
            .replace("\0", "")
            .strip()
        )
        size += len(text)
        if size > _MAX_BYTES:
            break
        if text:
            sources.append(f"' {name}\n{text}\n")
    return "\n".join(sources)


def macro_file(compound: Compound, path: tuple[str, ...] = ()) -> Payload | None:
    """The source of all modules as one file, None where there is none."""
    source = macro_source(compound, path)
    return Payload(source.encode("utf-8", "replace"), VBA_TYPE, "macros.bas") if source else None


def macros_notice(what: str, *, shown: bool) -> Notice:
    """Says that a file, `what` it is, has macros, and whether their source is attached."""
    where = "their source is the attached file macros.bas" if shown else "they are not shown"
    return Notice("macros", f"The {what} holds macros; they were not run, and {where}.")


def _modules(directory: bytes) -> Iterator[tuple[str, str, int, str]]:
    """`(name, stream, where the source begins in it, codec)` of each module."""
    at, codec = 0, "cp1252"
    fields: Mapping[int, bytes] = {}
    while at + 6 <= len(directory):
        kind, size = struct.unpack_from("<HI", directory, at)
        size = _VERSION_BYTES if kind == _VERSION else size
        data = directory[at + 6 : at + 6 + size]
        at += 6 + size
        if kind == _CODE_PAGE and len(data) == 2:
            codec = code_page(int.from_bytes(data, "little"))
        elif kind in (_NAME, _STREAM):
            fields = {**fields, kind: data} if kind == _STREAM else {kind: data}
        elif kind == _PLACE and _STREAM in fields:
            stream = fields[_STREAM].decode(codec, "replace")
            name = fields.get(_NAME, b"").decode(codec, "replace") or stream
            yield name, stream, int.from_bytes(data[:4], "little"), codec


def _unpacked(data: bytes) -> bytes:
    """A compressed container; what is damaged ends it."""
    out = bytearray()
    at = 1
    while data[:1] == b"\1" and at + 2 <= len(data) and len(out) < _MAX_BYTES:
        head = int.from_bytes(data[at : at + 2], "little")
        if head & _SIGNATURE_BITS != _SIGNATURE:
            break
        end = min(at + 3 + (head & 0xFFF), len(data))
        if head & 0x8000:
            _unpack_chunk(data, at + 2, end, out)
        else:
            out += data[at + 2 : at + 2 + _CHUNK]
        at = end
    return bytes(out)


def _unpack_chunk(data: bytes, at: int, end: int, out: bytearray) -> None:
    start = len(out)
    while at < end:
        flags, at = data[at], at + 1
        for bit in range(8):
            if at >= end:
                return
            if not flags >> bit & 1:
                out.append(data[at])
                at += 1
                continue
            token = int.from_bytes(data[at : at + 2], "little")
            at += 2
            # The further into the chunk, the more bits say how far back, and the fewer how much.
            wide = max((len(out) - start - 1).bit_length(), 4)
            length, back = (token & 0xFFFF >> wide) + 3, (token >> 16 - wide) + 1
            if back > len(out) - start or len(out) - start > _CHUNK:
                return
            for _ in range(length):
                out.append(out[-back])
