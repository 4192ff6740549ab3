"""What every kind of archive gives: its members and their bytes; what was unpacked last; and the bounds all keep."""

import zlib
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sidecar.api import DamagedError, LimitError, Limits, NotFoundError, Source
from sidecar.toolkit.times import iso_utc

if TYPE_CHECKING:
    from sidecar_archive.packing.rar_codes import State

MIN_RATED = 2**20
"""Members smaller than this may be packed as well as they like."""
_KEPT_BYTES = 128 * 2**20
_MAX_OPEN, _MAX_OPEN_MEMBERS = 4, 100_000
"""Archives that stay open, as many as are read within one another, and members of all but the last."""


@dataclass(frozen=True)
class Member:
    """A member: `ref` by which it is opened, its name with forward slashes and without a way out, size in bytes (-1
    where only reading it tells), when it was changed (ISO 8601, "" unknown), why it cannot be opened ("" it can)."""

    ref: str
    name: str
    size: int
    modified: str = ""
    closed: str = ""


class Archive:
    """An open archive. `kind` is "zip", "tar", "7z" or the name of a stream of one file;
    `is_cut` where its directory ends in damage. `held` is how many bytes it has in memory, but for what `Unpacked`
    keeps."""

    held = 0

    def __init__(self, kind: str, members: list[Member], *, is_cut: bool = False) -> None:
        self.kind = kind
        self.members = members
        self.is_cut = is_cut

    def read(self, ref: str, limits: Limits) -> bytes:
        """The bytes of a member. Raises NotFoundError, EncryptedError, LimitError, DamagedError."""
        raise NotImplementedError


class Unpacked:
    """What was unpacked last, a compressed tar, a help file, a folder of a 7z: its members are asked for one by one.
    And the archives opened last: to read a directory of 30,000 members takes a fifth of a second."""

    def __init__(self) -> None:
        self._open: list[tuple[Source, Archive, ExitStack]] = []
        self._source: Source | None = None
        self._part = 0
        self._data = b""
        self._progress: tuple[Source, int, State] | None = None

    def opened(self, source: Source) -> Archive | None:
        """The archive where it is open still."""
        return next((archive for kept, archive, _ in self._open if kept is source), None)

    def keep_open(self, source: Source, archive: Archive, closing: ExitStack) -> ExitStack:
        """Keep an archive open until others take its place; gives what closes it, where it is too large for that."""
        if archive.held > _KEPT_BYTES:
            return closing
        left, room = [(source, archive, closing)], _MAX_OPEN_MEMBERS
        for entry in self._open:
            room -= len(entry[1].members)
            if room < 0 or len(left) == _MAX_OPEN:
                entry[2].close()
            else:
                left.append(entry)
        self._open = left
        return ExitStack()

    def get(self, source: Source, part: int = 0) -> bytes:
        """What that part of the source unpacked to, b"" where another was the last."""
        return self._data if source is self._source and part == self._part else b""

    def put(self, source: Source, data: bytes, part: int = 0) -> None:
        """Keep it in place of the one before, where it is no burden."""
        self._source, self._data = (source, data) if len(data) <= _KEPT_BYTES else (None, b"")
        self._part = part

    def progress(self, source: Source) -> "tuple[int, State] | None":
        """Which member of a solid archive was unpacked last, and what the next one needs of it."""
        return self._progress[1:] if self._progress is not None and self._progress[0] is source else None

    def save_progress(self, source: Source, number: int, state: "State") -> None:
        """Keep that for the next one."""
        self._progress = source, number, state


def check_ratio(name: str, size: int, packed: int, limits: Limits) -> None:
    """Raises LimitError for a member that unpacks to too much."""
    if size > MIN_RATED and size > max(packed, 1) * limits.max_ratio:
        raise LimitError(f"{name} unpacks to {size:,} bytes from {packed:,}; it is left alone.")


def number_of(ref: str, count: int) -> int:
    """The number of the member. Raises NotFoundError."""
    if not ref.isdecimal() or int(ref) >= count:
        raise NotFoundError(f"The archive has no member {ref!r}.")
    return int(ref)


def check_sum(name: str, data: bytes, crc: int | None) -> None:
    """Raises DamagedError for a member whose checksum is not the one told (None: none is)."""
    if crc is not None and zlib.crc32(data) != crc:
        raise DamagedError(f"{name} is damaged: its checksum does not match.")


def stamp(seconds: float) -> str:
    """A time of Unix as ISO 8601, "" for what is none."""
    try:
        return iso_utc(datetime.fromtimestamp(seconds, UTC))
    except (OverflowError, OSError, ValueError):
        return ""
