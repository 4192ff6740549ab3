"""What the indexer says about itself: how far it is, what a whole run came to, and the small file by which the other
sidecars of the data directory learn it."""

import contextlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from sidecar.api import DocumentState
from sidecar.store import Store
from sidecar.store.documents.paths import shown
from sidecar.store.documents.records import Progress
from sidecar.toolkit.platform.private import make_private_file

AHEAD: Final = Progress(state="indexing", scanning=True)
"""Of who is about to look the folders through for the first time."""


@dataclass(frozen=True)
class Failure:
    """One file that is not indexed, and why, in a sentence."""

    path: str
    state: DocumentState
    reason: str


@dataclass(frozen=True)
class ScanReport:
    """What `index --once` came to. `files` counts all that were looked at, `read` those that had to be opened;
    `states` and `formats` (plugin name → documents) describe the folders afterwards; `bytes` of all files seen."""

    files: int
    states: Mapping[str, int]
    failures: tuple[Failure, ...]
    seconds: float
    formats: Mapping[str, int] = field(default_factory=dict[str, int])
    read: int = 0
    bytes: int = 0


class ScanCounts(NamedTuple):
    """How many files a scan looked at, how many of them it opened, their size in bytes, and how long it took."""

    files: int
    read: int
    bytes: int
    seconds: float


async def scan_report(store: Store, failures: Mapping[bytes, Failure], counts: ScanCounts) -> ScanReport:
    """The report of a scan that is over. Counts documents; files nothing reads are "unsupported". `failures` of this
    run come before those the index has from earlier ones."""
    known = await store.files.known()
    found = dict(failures)
    for path, one in known.items():
        recognised = one.state != "unsupported" or one.plugin
        if one.state != "indexed" and recognised and path not in found:
            info = await store.documents.info_at(path)
            found[path] = Failure(shown(path), one.state, info.reason if info is not None else "")
    totals = await store.documents.totals()
    return ScanReport(
        files=counts.files, states=dict(sorted(totals.states.items())),
        failures=tuple(found[path] for path in sorted(found)), seconds=round(counts.seconds, 3),
        formats=dict(sorted(Counter(one.plugin for one in known.values() if one.state == "indexed").items())),
        read=counts.read, bytes=counts.bytes,
    )  # fmt: skip


class _Written(msgspec.Struct):
    pid: int
    progress: Progress


class StatusFile:
    """The file `progress.json` of a data directory.

    A file rather than a table: it is written twice a second while indexing, and nobody needs it to be durable. It
    holds its writer's process id, because a process that was killed leaves its last word behind."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "progress.json"
        self._written: Progress | None = None

    def write(self, progress: Progress) -> None:
        """Write it, when it differs from what was written last; a full disk only leaves the others uninformed."""
        if progress == self._written:
            return
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            make_private_file(new)
            new.write_bytes(msgspec.json.encode(_Written(os.getpid(), progress)))
            new.replace(self._path)
            self._written = progress
            return
        with contextlib.suppress(OSError):
            new.unlink()

    def read(self, holder: int | None) -> Progress:
        """What process `holder`, which holds the lease, wrote last, as seen from another one.

        What any other process has left there counts for nothing: one that holds the lease and has not written yet is
        about to scan the folders."""
        if holder is None:
            return Progress()
        try:
            written = msgspec.json.decode(self._path.read_bytes(), type=_Written)
        except (OSError, msgspec.DecodeError):
            return AHEAD
        return replace(written.progress, leader=False) if written.pid == holder else AHEAD

    def clear(self) -> None:
        """Nobody is indexing any more."""
        if self._written is None:
            return
        self._written = None
        with contextlib.suppress(OSError, msgspec.DecodeError):
            written = msgspec.json.decode(self._path.read_bytes(), type=_Written)
            if written.pid == os.getpid():  # else another has taken over and tells its own
                self._path.unlink()
