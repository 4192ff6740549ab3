"""The index: one SQLite file, one writer, read-only readers, migrations, the change feed and the indexer lease.

Parse workers import the records only, so what needs SQLite is imported when it is asked for: it would cost each worker
46 ms at its start."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sidecar.store.documents.records import (
    Change,
    FileStat,
    Indexed,
    KnownFile,
    PartRecord,
    PassageRecord,
    Prepared,
    SectionRecord,
    Segment,
)

if TYPE_CHECKING:
    from sidecar.store.database.lease import DisplacedError, FileLock, Lease
    from sidecar.store.database.requests import Reply, Request
    from sidecar.store.documents.views import Entry, Passage
    from sidecar.store.index.filters import Filter, TextMatch
    from sidecar.store.ports import ChangeFeed, Documents, Embeddings, Files, Requests, SearchIndex, Settings, Tables
    from sidecar.store.store import Store

_PLACES: Final = {
    **dict.fromkeys(
        ("ChangeFeed", "Documents", "Embeddings", "Files", "Requests", "SearchIndex", "Settings", "Tables"), "ports"
    ),
    **dict.fromkeys(("FileLock", "Lease"), "database.lease"),
    **dict.fromkeys(("Reply", "Request"), "database.requests"),
    "DisplacedError": "database.lease",
    **dict.fromkeys(("Filter", "TextMatch"), "index.filters"),
    **dict.fromkeys(("Entry", "Passage"), "documents.views"),
    "Store": "store",
}
"""Where what is imported late stands."""


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


__all__ = [
    "Change", "ChangeFeed", "DisplacedError", "Documents", "Embeddings", "Entry", "FileLock", "FileStat", "Files",
    "Filter", "Indexed", "KnownFile", "Lease", "PartRecord", "Passage", "PassageRecord", "Prepared", "Reply",
    "Request", "Requests", "SearchIndex", "SectionRecord", "Segment", "Settings", "Store", "Tables", "TextMatch",
]  # fmt: skip
