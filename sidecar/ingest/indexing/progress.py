"""What the indexer says about itself: how far it is, and what a whole run came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sidecar.api import DocumentState


@dataclass(frozen=True)
class Progress:
    """`state` is "indexing" while anything is pending; `total` counts the files that belong into the index, `current`
    is the file begun last ("" when idle). `leader` is False in a sidecar that leaves indexing to another process.
    `remarks` are sentences for the user: folders that are missing, unreadable or polled; `advice` is one that belongs
    into every answer, because nothing can be found before it is followed. `slow` says that only scans, pictures and old
    formats are pending, whose text takes long."""

    state: Literal["idle", "indexing"] = "idle"
    pending: int = 0
    indexed: int = 0
    total: int = 0
    current: str = ""
    leader: bool = False
    remarks: tuple[str, ...] = ()
    advice: str = ""
    slow: bool = False


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
