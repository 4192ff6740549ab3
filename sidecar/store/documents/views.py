"""The records reads give back: one view a call, whole, so that the server needs a single hop to the database thread.

A view names the version it was read from, because by the time it is shown a newer one may be in the index."""

from __future__ import annotations

from typing import Literal

import msgspec

from sidecar.api import DocumentInfo, DocumentState, Element, Embed, PartKind, TableRecord
from sidecar.store.documents.records import PartRecord, SectionRecord
from sidecar.toolkit.tables.names import query_name, safe_name


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a document, as far as addressing and showing its parts needs it.

    `current` is False for an old version read by doc_id: its `path` is then b"", because the file on disk holds other
    bytes by now, and `slug` is the one the document had ("" never). `mtime_ns` is the file's, or 0."""

    id: int
    doc_id: str
    sha256: str
    slug: str
    current: bool
    path: bytes
    name: str
    title: str
    format: str
    media_type: str
    plugin: str
    plugin_version: str
    size: int
    part_kind: PartKind | Literal[""]
    parts: int
    tokens: int
    mtime_ns: int
    state: DocumentState = "indexed"
    """That of its file now: this is the last version that could be read."""
    archive: bytes = b""
    """The path of the archive it is a member of, b"" for a file."""
    archive_plugin: str = ""
    """The plugin that reads that archive."""


class PartView(msgspec.Struct, frozen=True):
    """A part and the segments asked for (all, or those that touch the blocks or rows asked for), in order."""

    version: Version
    part: PartRecord


class PartsView(msgspec.Struct, frozen=True):
    """Several parts with their segments, in the order asked for."""

    version: Version
    parts: tuple[PartRecord, ...]


class Compared(msgspec.Struct, frozen=True):
    """A version and a former one to compare it with, None where there is none; `ended` is when that was replaced and
    `added` when the document came into the index, in seconds since the epoch (0: not known)."""

    now: Version
    before: Version | None
    ended: float = 0.0
    added: float = 0.0


class TextRange(msgspec.Struct, frozen=True, gc=False):
    """Blocks `first` to `last` of a part, of a long text without headings; `opening` is how it begins."""

    part: int
    first: int
    last: int
    tokens: int
    opening: str


class OutlineView(msgspec.Struct, frozen=True):
    """Every part (without segments) and every section, in document order; and, where they were asked for, the stretches
    of what is long and has no headings."""

    version: Version
    parts: tuple[PartRecord, ...]
    sections: tuple[SectionRecord, ...]
    text_ranges: tuple[TextRange, ...] = ()


class ElementsView(msgspec.Struct, frozen=True):
    """Elements of one version, in document order."""

    version: Version
    elements: tuple[Element, ...]


class EmbedsView(msgspec.Struct, frozen=True):
    """Embedded bytes of one version: by kind, then by id; `total` counts all that are of the kinds asked for."""

    version: Version
    embeds: tuple[Embed, ...]
    total: int


class Passage(msgspec.Struct, frozen=True, gc=False):
    """A passage with its address: what `grep` walks and what search ranks. `section` is "" where there is none.

    `blocks` of `part` is the range it covers (1-based, inclusive). `page` is 0 where the format has none; `state` is
    that of the file now: what could be read last stays."""

    id: int
    slug: str
    doc_id: str
    title: str
    path: str
    part: int
    part_kind: str
    part_name: str
    first_block: int
    last_block: int
    section: str
    heading: str
    text: str
    page: int
    state: DocumentState
    dated: int
    """When it was written, ns since the epoch: as the document, or its part, tells, else the file's time."""
    properties: bool
    """It says what the document's properties are, and the document has text of its own."""
    packed: bool
    """The document is a member of an archive."""
    first_row: int = -1
    last_row: int = -1
    """See `PassageRecord`."""
    score: float = 0.0


class PassageOrigin(msgspec.Struct, frozen=True, gc=False):
    """Where a passage comes from: who sent the message it is of, "" where it is of none; whether the document or the
    message tells a date of its own; what its text lacks (`lacking_text`); about how many tokens its section has, or its
    part where there is none; and the slugs of the first few files that are just this document."""

    sender: str
    own_date: bool
    lacking: str
    tokens: int
    files: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True):
    """What a filter alone found: a document, or where its parts have authors and dates of their own, one of them.

    `part` is 0 for the whole document; `title` and `text`, its opening words, are the part's. `dated` is ns since the
    epoch."""

    document: DocumentInfo
    part: int
    title: str
    text: str
    dated: int
    sender: str = ""


class FoundElement(msgspec.Struct, frozen=True):
    """An element found by search, with its document's address."""

    id: int
    slug: str
    doc_id: str
    part_kind: PartKind
    path: str
    element: Element
    score: float


class IndexedTable(msgspec.Struct, frozen=True):
    """A table of the index with its document's address; `siblings` counts the tables of the document. `cut` says what
    of its part was not read, "" where all was."""

    id: int
    seq: int
    slug: str
    doc_id: str
    version_id: int
    part_kind: PartKind
    part_name: str
    part_title: str
    record: TableRecord
    siblings: int
    cut: str = ""

    @property
    def name(self) -> str:
        """What SQL calls it."""
        return query_name(self.slug, self.record.name, self.siblings)

    @property
    def names(self) -> frozenset[str]:
        """What a query may call it where nothing else is called so."""
        longer = f"{safe_name(self.slug, 'document')}__{self.record.name}"
        return frozenset((self.name, longer, self.record.name))


class Totals(msgspec.Struct, frozen=True, gc=False):
    """Counts over the whole index: `files` that are documents; all files by state, as lists with that state count them;
    `others` are files nothing reads, unsupported ones that are not documents. `without_text`: see `WITHOUT_TEXT`."""

    files: int
    indexed: int
    passages: int
    states: dict[str, int]
    others: int = 0
    without_text: int = 0
