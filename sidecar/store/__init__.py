"""The index: one SQLite file, one writer, read-only readers, migrations, the change feed and the indexer lease.

Parse workers import the records only, so what needs SQLite is imported when it is asked for: it would cost each
worker 46 ms at its start.
"""

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
    decode_blocks,
    encode_blocks,
)

if TYPE_CHECKING:
    from sidecar.store.database.lease import FileLock, Lease
    from sidecar.store.database.requests import Reply, Request
    from sidecar.store.documents.views import (
        ElementsView,
        EmbedsView,
        FoundElement,
        OutlineView,
        PartsView,
        PartView,
        Passage,
        SectionView,
        Totals,
        VectorBlock,
        Version,
    )
    from sidecar.store.index.filters import Filter
    from sidecar.store.ports import (
        Caches,
        ChangeFeed,
        Documents,
        Embeddings,
        Files,
        Requests,
        SearchIndex,
        Settings,
    )
    from sidecar.store.store import Store

_PLACES: Final = {
    **dict.fromkeys(
        ("Caches", "ChangeFeed", "Documents", "Embeddings", "Files", "Requests", "SearchIndex", "Settings"), "ports"
    ),
    **dict.fromkeys(("FileLock", "Lease"), "database.lease"),
    **dict.fromkeys(("Reply", "Request"), "database.requests"),
    "Filter": "index.filters",
    "Store": "store",
}
"""Where what is imported late stands; views stand in `documents.views`."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_PLACES.get(name, 'documents.views')}"), name)
    globals()[name] = value
    return value


__all__ = [
    "Caches",
    "Change",
    "ChangeFeed",
    "Documents",
    "ElementsView",
    "Embeddings",
    "EmbedsView",
    "FileLock",
    "FileStat",
    "Files",
    "Filter",
    "FoundElement",
    "Indexed",
    "KnownFile",
    "Lease",
    "OutlineView",
    "PartRecord",
    "PartView",
    "PartsView",
    "Passage",
    "PassageRecord",
    "Prepared",
    "Reply",
    "Request",
    "Requests",
    "SearchIndex",
    "SectionRecord",
    "SectionView",
    "Segment",
    "Settings",
    "Store",
    "Totals",
    "VectorBlock",
    "Version",
    "decode_blocks",
    "encode_blocks",
]
