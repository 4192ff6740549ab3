"""The directory of a RAR archive, of version 2.9 to 4 and from 5 on, and the bytes of its members.

After RAR 5.0's own description (rarlab.com/technote.htm) and, for the older ones, libarchive's reader (BSD licence)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import IO, Final

from sidecar.api import DamagedError, EncryptedError, UnsupportedError
from sidecar.toolkit.ole.properties import file_time
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.times import iso_utc
from sidecar.toolkit.unpacking import varint
from sidecar_archive.base import stamp
from sidecar_archive.packing.rar_codes import State, unpack_5, unpack_29

MAGIC: Final = b"Rar!\x1a\x07"
_OLD, _NEW = b"\x00", b"\x01\x00"
_MAX_HEADERS: Final = 200_000
_MAX_HEADER: Final = 2 * 2**20
"""Bytes of one header, as RAR itself bounds them."""
_LOCKED: Final = 0x80
_STORED: Final = 0x30
_OLDEST: Final = 29
"""The version of the packing that RAR has had since 2.9; older ones are another."""
_PART: Final = "goes on in another file of the archive"
PASSWORD: Final = "protected by a password"  # noqa: S105


@dataclass(frozen=True)
class RarEntry:
    """A member: where its packed bytes are, how it is packed (0 stored), why it cannot be opened ("" it can)."""

    name: str
    size: int
    start: int
    packed: int
    method: int = 0
    version: int = 5
    solid: bool = False
    crc: int | None = None
    modified: str = ""
    is_directory: bool = False
    closed: str = ""


@dataclass(frozen=True)
class Rar:
    """An archive's members, in order; `is_cut` where damage ends them."""

    entries: tuple[RarEntry, ...]
    is_cut: bool = False

    @classmethod
    def read(cls, file: IO[bytes], name: str) -> "Rar":
        """Raises DamagedError, EncryptedError, UnsupportedError."""
        file.seek(len(MAGIC))
        mark = file.read(2)
        if mark != _NEW and mark[:1] != _OLD:
            raise UnsupportedError(f"{name} was packed by an unknown version of RAR; pack it as ZIP or 7z.")
        file.seek(len(MAGIC) + len(_NEW if mark == _NEW else _OLD))
        entries: list[RarEntry] = []
        try:
            entries.extend(_entries_5(file, name) if mark == _NEW else _entries_4(file, name))
        except (DamagedError, struct.error, IndexError) as error:
            if not entries:
                raise DamagedError(f"{name} is damaged: it has no directory that can be read.") from error
            return cls(tuple(entries), is_cut=True)
        return cls(tuple(entries))

    def group(self, number: int) -> range:
        """The members that are unpacked together with one: those of a solid archive up to it, else it alone."""
        first = number
        while first and self.entries[first].solid:
            first -= 1
        return range(first, number + 1)

    def unpack(
        self, file: IO[bytes], number: int, name: str, before: tuple[int, State] | None = None
    ) -> tuple[bytes, State]:
        """The bytes of a member, and what the next one of a solid archive needs; `before` is that of an earlier one.
        Raises DamagedError, UnsupportedError."""
        members = self.group(number)
        state, data = State.new(), b""
        if before is not None and before[0] in members[:-1]:
            state, members = before[1], range(before[0] + 1, number + 1)
        for at in members:
            entry = self.entries[at]
            if entry.is_directory or (entry.closed and at != number):
                continue
            file.seek(entry.start)
            packed = file.read(entry.packed)
            if not entry.method:
                data = packed[: entry.size]
                continue
            data = (unpack_5 if entry.version == 5 else unpack_29)(packed, entry.size, state)
        if len(data) != self.entries[number].size:
            raise DamagedError(f"{name} is damaged and cannot be unpacked.")
        return data, state


def _entries_4(file: IO[bytes], name: str) -> Iterator[RarEntry]:
    for _ in range(_MAX_HEADERS):
        at = file.tell()
        head = file.read(7)
        if len(head) < 7:
            return
        kind, flags, size = struct.unpack("<xxBHH", head)
        if size < 7:
            raise DamagedError(f"{name} is damaged: one of its headers has no length.")
        body = file.read(size - 7)
        more = int.from_bytes(body[:4], "little") if flags & 0x8000 or kind in (0x74, 0x7A) else 0
        if kind == 0x73 and flags & _LOCKED:
            raise EncryptedError(f"{name} is protected by a password, the names of its members too.")
        if kind == 0x74:
            entry = _entry_4(flags, body, at + size)
            yield entry
            more = entry.packed
        elif kind == 0x7B:
            return
        file.seek(at + size + more)


def _entry_4(flags: int, body: bytes, start: int) -> RarEntry:
    packed, size, _, crc, stamp, version, method, length = struct.unpack_from("<IIBIIBBH", body)
    at = 25
    if flags & 0x100:
        high_packed, high_size = struct.unpack_from("<II", body, at)
        packed, size, at = packed | high_packed << 32, size | high_size << 32, at + 8
    raw = body[at : at + length]
    entry = RarEntry(
        name=_name_4(raw, bool(flags & 0x200)), size=size, start=start, packed=packed, method=method - _STORED,
        version=4, solid=bool(flags & 0x10), crc=crc, modified=_dos_time(stamp), is_directory=flags & 0xE0 == 0xE0,
        closed=PASSWORD if flags & 4 else _PART if flags & 3 else "",
    )  # fmt: skip
    if entry.method and version != _OLDEST and not entry.closed:
        return replace(entry, closed=f"packed as RAR {version / 10} did, which is not supported")
    return entry


def _name_4(raw: bytes, has_wide: bool) -> str:
    """The name, which may stand twice: in a code page, and behind a NUL as the differences from that in UTF-16."""
    plain, mark, packed = raw.partition(b"\0")
    if not has_wide or not mark:
        try:
            return raw.decode("utf-8").partition("\0")[0]
        except UnicodeDecodeError:
            return plain.decode("cp1252", "replace")
    out: list[str] = []
    high, at, flags, count = packed[0] if packed else 0, 1, 0, 0
    while at < len(packed) and len(out) < len(raw) * 2:
        if not count:
            flags, count, at = packed[at], 4, at + 1
            continue
        count -= 1
        way = flags >> 2 * count & 3
        low = packed[at : at + 1 + (way >= 2)]
        at += 1 + (way == 2)
        if way == 0:
            out.append(chr(low[0]))
        elif way == 1:
            out.append(chr(low[0] | high << 8))
        elif way == 2:
            out.append(chr(int.from_bytes(low, "little")))
        else:
            run, fix = (low[0] & 0x7F) + 2, low[1] if low[0] & 0x80 and len(low) > 1 else None
            at += fix is not None
            letters = plain[len(out) : len(out) + run]
            out += [chr(one) if fix is None else chr((one + fix & 0xFF) | high << 8) for one in letters]
    return without_surrogates("".join(out))


def _entries_5(file: IO[bytes], name: str) -> Iterator[RarEntry]:
    for _ in range(_MAX_HEADERS):
        file.read(4)  # the header's checksum
        at = file.tell()
        size, wide = _vint(file.read(10), 0)
        if not wide:
            return
        if not 0 < size <= _MAX_HEADER:
            raise DamagedError(f"{name} is damaged: one of its headers has no length.")
        begin = at + wide
        file.seek(begin)
        head = file.read(size)
        kind, flags, place, extra, data = _head_5(head)
        if kind == 4:
            raise EncryptedError(f"{name} is protected by a password, the names of its members too.")
        if kind == 2:
            yield _entry_5(head, place, flags, head[len(head) - extra :] if extra else b"", begin + size, data)
        elif kind == 5:
            return
        file.seek(begin + size + data)


def _head_5(head: bytes) -> tuple[int, int, int, int, int]:
    """The kind of a header, its flags, where the rest begins, the bytes of its extra area and of what follows it."""
    kind, at = _vint(head, 0)
    flags, at = _vint(head, at)
    extra, at = _vint(head, at) if flags & 1 else (0, at)
    data, at = _vint(head, at) if flags & 2 else (0, at)
    return kind, flags, at, extra, data


def _entry_5(head: bytes, at: int, flags: int, extra: bytes, start: int, packed: int) -> RarEntry:
    file_flags, at = _vint(head, at)
    size, at = _vint(head, at)
    _, at = _vint(head, at)
    modified, crc = "", None
    if file_flags & 2:
        modified, at = stamp(int.from_bytes(head[at : at + 4], "little")), at + 4
    if file_flags & 4:
        crc, at = int.from_bytes(head[at : at + 4], "little"), at + 4
    packing, at = _vint(head, at)
    _, at = _vint(head, at)
    length, at = _vint(head, at)
    closed = _PART if flags & 0x18 else ""
    for kind, field in _extras(extra):
        if kind == 1:
            closed, crc = PASSWORD, None
        elif kind == 3 and field[:1] and not modified:
            modified = _extra_time(field)
        elif kind == 5:
            closed = "a link"
    if packing & 0x3F and not closed:
        closed = "packed as RAR 7 does for large windows, which is not supported"
    return RarEntry(
        name=head[at : at + length].decode("utf-8", "replace"), size=size, start=start, packed=packed,
        method=packing >> 7 & 7, version=5, solid=bool(packing & 0x40), crc=crc, modified=modified,
        is_directory=bool(file_flags & 1), closed=closed,
    )  # fmt: skip


def _extras(extra: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(extra):
        size, at = _vint(extra, at)
        if not size:
            return
        kind, begin = _vint(extra, at)
        yield kind, extra[begin : at + size]
        at += size


def _extra_time(field: bytes) -> str:
    if field[0] & 3 == 3:
        return stamp(int.from_bytes(field[1:5], "little"))
    moment = file_time(field[1:9]) if field[0] & 2 else None
    return "" if moment is None else iso_utc(moment)


def _vint(data: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends; (0, 0) where there is none."""
    try:
        return varint(data, at)
    except ValueError:
        return 0, 0 if not at else len(data)


def _dos_time(stamp: int) -> str:
    """Local time, of a place nobody told."""
    try:
        day, clock = stamp >> 16, stamp & 0xFFFF
        return datetime(  # noqa: DTZ001
            1980 + (day >> 9), day >> 5 & 15, day & 31, clock >> 11, clock >> 5 & 63, min((clock & 31) * 2, 59)
        ).isoformat()
    except ValueError:
        return ""
