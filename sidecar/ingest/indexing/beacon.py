"""How far the indexing process is, told to the other sidecars of the data directory through a small file.

A file rather than a table: it is written twice a second while indexing, and nobody needs it to be durable. It bears
its writer's number, because one that was killed leaves its last word behind.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path

import msgspec

from sidecar.ingest.indexing.progress import Progress


class _Told(msgspec.Struct):
    pid: int
    progress: Progress


class Beacon:
    """The file `progress.json` of a data directory."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "progress.json"
        self._told: Progress | None = None

    def tell(self, progress: Progress) -> None:
        """Write it, when it differs from what was written last; a full disk only leaves the others uninformed."""
        if progress == self._told:
            return
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(_Told(os.getpid(), progress)))
            new.replace(self._path)
            self._told = progress
            return
        with contextlib.suppress(OSError):
            new.unlink()

    def read(self, holder: int | None) -> Progress:
        """What process `holder`, which holds the lease, told last, as seen from another one.

        What any other process has left there counts for nothing: one that holds the lease and has not spoken yet is
        about to survey the folders.
        """
        if holder is None:
            return Progress()
        try:
            told = msgspec.json.decode(self._path.read_bytes(), type=_Told)
        except (OSError, msgspec.DecodeError):
            return Progress(state="indexing")
        return replace(told.progress, leader=False) if told.pid == holder else Progress(state="indexing")

    def clear(self) -> None:
        """Nobody is indexing any more."""
        self._told = None
        with contextlib.suppress(OSError):
            self._path.unlink()
