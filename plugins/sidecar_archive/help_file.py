"""The files in one of Microsoft's compiled help files (.chm), after Russotto's description of the format and chmlib."""

import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from sidecar.api import DamagedError, LimitError
from sidecar_archive.packing.lzx import Lzx

MAGIC: Final = b"ITSF"
_DIRECTORY_AT, _DATA_AT = 72, 88
_CONTROL: Final = "::DataSpace/Storage/MSCompressed/ControlData"
_CONTENT: Final = "::DataSpace/Storage/MSCompressed/Content"
_RESETS: Final = (
    "::DataSpace/Storage/MSCompressed/Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable"
)
_UNIT: Final = 0x8000
_LIST_HEAD: Final = 20
_MAX_CHUNKS: Final = 100_000
_MAX_BYTES: Final = 32 * 2**20
"""Of the compressed files together: a second unpacks about half a million (measured on one core of a slow machine)."""


class HelpEntry(NamedTuple):
    """A file: its name, the section it lies in, its place there and its size in bytes."""

    name: str
    section: int
    start: int
    size: int


class HelpFile:
    """One help file, opened. Raises DamagedError, struct.error."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        version = struct.unpack_from("<I", data, 4)[0]
        directory, size = struct.unpack_from("<QQ", data, _DIRECTORY_AT)
        self._start = struct.unpack_from("<Q", data, _DATA_AT)[0] if version > 2 else directory + size
        if data[directory : directory + 4] != b"ITSP":
            raise DamagedError(f"{name} is a help file without a directory.")
        self._all = {entry.name: entry for entry in self._entries(directory)}
        self.entries = [
            entry for entry in self._all.values()
            if entry.name.startswith("/") and not entry.name.startswith(("/#", "/$")) and entry.size
        ]  # fmt: skip

    def stored(self, entry: HelpEntry) -> bytes:
        """A file that lies there as it is."""
        start = self._start + entry.start
        return self._data[start : start + entry.size]

    def unpacked(self) -> bytes:
        """All files of the compressed section, one behind the other. Raises LimitError."""
        control, resets = (self._named(name) for name in (_CONTROL, _RESETS))
        content = self._named(_CONTENT)
        version, interval, window, times = struct.unpack_from("<4I", control, 8)
        unit = _UNIT if version > 1 else 1
        blocks, table_at, size = struct.unpack_from("<4xI4xIQ", resets)
        if size > _MAX_BYTES:
            raise LimitError(f"The help file unpacks to {size:,} bytes; more than {_MAX_BYTES:,} are not.")
        places = [*struct.unpack_from(f"<{min(blocks, len(resets) // 8)}Q", resets, table_at), len(content)]
        window *= unit
        every = max(interval * unit // max(window // 2, 1) * max(times, 1), 1)
        lzx, out = Lzx(window), bytearray()
        for number, (start, end) in enumerate(pairwise(places)):
            if number % every == 0:
                lzx.reset()
            out += lzx.block(content[start:end], min(_UNIT, size - len(out)))
        return bytes(out)

    def _named(self, name: str) -> bytes:
        entry = self._all.get(name)
        if entry is None:
            raise DamagedError(f"The help file lacks {name.rpartition('/')[2]}.")
        return self.stored(entry)

    def _entries(self, directory: int) -> Iterator[HelpEntry]:
        head, _, chunk = struct.unpack_from("<3I", self._data, directory + 8)
        number = struct.unpack_from("<i", self._data, directory + 32)[0]
        seen: set[int] = set()
        while number >= 0 and number not in seen and len(seen) < _MAX_CHUNKS:
            seen.add(number)
            at = directory + head + number * chunk
            listed = self._data[at : at + chunk]
            if listed[:4] != b"PMGL":
                break
            free, number = struct.unpack_from("<I8xi", listed, 4)
            yield from _listed(listed[_LIST_HEAD : max(len(listed) - free, 0)])


def _listed(data: bytes) -> Iterator[HelpEntry]:
    """The entries of one chunk of the directory."""
    at = 0
    while at < len(data):
        length, at = _number(data, at)
        name = data[at : at + length].decode("utf-8", "replace")
        section, at = _number(data, at + length)
        start, at = _number(data, at)
        size, at = _number(data, at)
        yield HelpEntry(name, section, start, size)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in bytes of seven bits, the highest first; the eighth says that more follow."""
    value = 0
    while at < len(data):
        value = value << 7 | data[at] & 0x7F
        at += 1
        if not data[at - 1] & 0x80:
            break
    return value, at
