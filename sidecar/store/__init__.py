"""The index: one SQLite file, one writer, read-only readers, migrations, the change feed and the indexer lease."""

from sidecar.store.answers import (
    ElementsView,
    EmbedsView,
    FoundElement,
    OutlineView,
    PartsView,
    PartView,
    Passage,
    Reply,
    Request,
    SectionView,
    Totals,
    VectorBlock,
    Version,
)
from sidecar.store.filters import Filter
from sidecar.store.lease import Lease
from sidecar.store.records import (
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
from sidecar.store.store import Store

__all__ = [
    "Change",
    "ElementsView",
    "EmbedsView",
    "FileStat",
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
    "SectionRecord",
    "SectionView",
    "Segment",
    "Store",
    "Totals",
    "VectorBlock",
    "Version",
    "decode_blocks",
    "encode_blocks",
]
