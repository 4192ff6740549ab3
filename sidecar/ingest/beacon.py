"""How far the indexing process is, told to the other sidecars of the data directory through a small file.

A file rather than a table: it is written twice a second while indexing, and nobody needs it to be durable.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from sidecar.ingest.progress import Progress


class Beacon:
    """The file `progress.json` of a data directory."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "progress.json"
        self._told: Progress | None = None

    def tell(self, progress: Progress) -> None:
        """Write it, when it differs from what was written last; a full disk only leaves the others uninformed."""
        if progress == self._told:
            return
        self._told = progress
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            new.write_bytes(msgspec.json.encode(progress))
            new.replace(self._path)

    def read(self) -> Progress:
        """What the indexing process told last, as seen from another one; idle when nothing can be read."""
        try:
            told = msgspec.json.decode(self._path.read_bytes(), type=Progress)
        except (OSError, msgspec.DecodeError):
            return Progress()
        return Progress(told.state, told.pending, told.indexed, told.total, told.current, False, told.remarks)

    def clear(self) -> None:
        """Nobody is indexing any more."""
        self._told = None
        with contextlib.suppress(OSError):
            self._path.unlink()
