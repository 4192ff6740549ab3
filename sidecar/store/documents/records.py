"""The records that go into the store and come out: what a worker prepares for a file, and what the scan has to know.

A worker turns a `ParsedDocument` into a `Prepared` (see `ingest.prepare`); the store writes it in one transaction.
Blocks travel as encoded segments, so the serving process neither builds nor re-encodes them while indexing."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from sidecar.api import DamagedIndexError, DocumentState, Element, Embed, Notice, PartKind, TableRecord

SEGMENT_BYTES = 64 * 1024
"""Aim for the encoded size of one segment; a block larger than this has a segment of its own."""

PASSAGE_CHARS = 1500
"""Aim for the length of one passage, the unit of search: whole blocks under one heading, split only when longer."""

_KNOWN: Final = (
    b"\xde\x00\r\xa4name\xa7table_1\xa5title\xa5Table\xa4part\x01\xabfirst_block\x01\xaalast_block\x01\xa9first_row"
    b"\x01\xa8last_row\x02\xabheader_rows\x01\xa4rows\x02\xa7columns\x95\x88\xa4name\xa5col_a\xa5title\xa0\xa3col"
    b"\x00\xa4type\xa4date\xa5order\xa3dmy\xa7samples\x92\xaa2024-01-31\xa5FALSE\xa6hidden\xc3\xa6remark\xa5mixed"
    b"\x87\xa4name\xa6amount\xa5title\xa6Amount\xa3col\x01\xa4type\xa5money\xa4unit\xa3EUR\xa7decimal\xa1,\xa7sampl"
    b"es\x92\xa11\xa12\x87\xa4name\xa5share\xa5title\xa5Share\xa3col\x02\xa4type\xa7percent\xa4unit\xa1%\xa7decimal"
    b"\xa1.\xa7samples\x92\xa35 %\xa410 %\x85\xa4name\xa5value\xa5title\xa5Value\xa3col\x03\xa4type\xa6number\xa7sa"
    b"mples\x92\xa11\xa12\x84\xa4name\xa4name\xa5title\xa4Name\xa3col\x04\xa7samples\x92\xa1A\xa1B\xa5sheet\xc3\xa7"
    b"decimal\xa1.\xa5order\xa3dmy"
)
"""A record as tables mostly have it (zlib's preset dictionary, RFC 1950 2.2): names of fields, types, usual values. A
part of the format: records packed with another cannot be read."""
_PACKED: Final = b"x"
"""The first byte of a zlib stream, which no map of msgpack begins with: what records were stored as before."""
_RECORD = msgspec.msgpack.Decoder(TableRecord)


def encode_table(record: TableRecord) -> bytes:
    """A table's record as the index keeps it: two fifths of its plain bytes."""
    packing = zlib.compressobj(zdict=_KNOWN)
    return packing.compress(msgspec.msgpack.encode(record)) + packing.flush()


def decode_table(data: bytes) -> TableRecord:
    """The record of a table, packed or plain. Raises DamagedIndexError."""
    try:
        return _RECORD.decode(zlib.decompressobj(zdict=_KNOWN).decompress(data) if data[:1] == _PACKED else data)
    except (zlib.error, msgspec.DecodeError) as error:
        raise DamagedIndexError(f"A table in the index is damaged ({error}); {DamagedIndexError.advice}") from error


class Segment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Consecutive blocks of a part: `data` is zlib-compressed msgpack of `list[AnyBlock]` (see `api.decode_blocks`).

    Blocks are numbered from 1 within their part. `first_row`…`last_row` is the 0-based range of sheet rows inside, or
    -1 where there is no table window."""

    first_block: int
    last_block: int
    first_row: int
    last_row: int
    data: bytes


class PartRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A part without its blocks. `tokens` estimates what its Markdown costs, `chars` counts its text."""

    n: int
    kind: PartKind
    title: str
    name: str
    hidden: bool
    width: float
    height: float
    tokens: int
    chars: int
    rows: int
    cols: int
    metadata: dict[str, str]
    segments: tuple[Segment, ...]


class SectionRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A heading and what stands under it, until the next heading of its level or higher.

    `id` is unique in the version: a slug of the title without its number, which `title` has. `n` counts sections of the
    document's top level from 1, 0 for deeper ones: it makes `chapter://` work where parts are pages or slides. From
    (`part`, `block`) the heading itself, to (`end_part`, `end_block`), both inclusive."""

    id: str
    n: int
    level: int
    title: str
    part: int
    block: int
    end_part: int
    end_block: int
    tokens: int


HEADINGS_APART = " › "
"""What stands between the headings of a path."""


class PassageRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The unit of search and of embedding. `heading` is the path of headings above it; `first_row` and `last_row` (from
    0) are the rows of a sheet it holds, -1 where it holds none."""

    part: int
    first_block: int
    last_block: int
    section: str
    heading: str
    text: str
    page: int
    first_row: int = -1
    last_row: int = -1


class Attribution(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Who wrote a document, to whom, about what and when: what filters like `from:` and `after:` look at.

    `part` is 0 for the document as a whole; where parts have metadata of their own (the messages of a mailbox), each of
    them has one. Texts are folded (see `analysis.folded`), names and addresses of several people in one. `dated` is the
    time the document tells of itself, ns since the epoch, None where it tells none."""

    part: int = 0
    author: str = ""
    recipients: str = ""
    subject: str = ""
    dated: int | None = None


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """Everything one version of one document puts into the index. `sha256` is 64 hex digits, `size` in bytes."""

    sha256: str
    size: int
    title: str
    description: str
    format: str
    media_type: str
    plugin: str
    plugin_version: str
    metadata: dict[str, str]
    part_kind: PartKind | Literal[""]
    parts: tuple[PartRecord, ...]
    tokens: int
    """Of all parts together; 0 where none has a text."""
    sections: tuple[SectionRecord, ...]
    passages: tuple[PassageRecord, ...]
    elements: tuple[Element, ...]
    embedded: tuple[Embed, ...]
    notices: tuple[Notice, ...]
    tables: tuple[TableRecord, ...] = ()
    attributions: tuple[Attribution, ...] = (Attribution(),)
    """One of the whole document, or one of each part."""
    element_words: tuple[str, ...] = ()
    """What each element is searched by besides its own texts."""

    @property
    def doc_id(self) -> str:
        """The first 12 hex digits of the SHA-256."""
        return self.sha256[:12]


class FileStat(msgspec.Struct, frozen=True, gc=False):
    """What a scan compares: size in bytes, mtime in ns, and the file's identity (inode and device, 0 where unknown)."""

    size: int
    mtime_ns: int
    inode: int = 0
    device: int = 0

    @classmethod
    def of(cls, status: os.stat_result) -> FileStat:
        """What the index remembers of a file's state."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)


class KnownFile(msgspec.Struct, frozen=True, gc=False):
    """A file as the index knows it. `sha256` is "" when it was never read; `strikes` counts crashes and timeouts."""

    path: bytes
    stat: FileStat
    sha256: str
    state: DocumentState
    plugin: str
    plugin_version: str
    strikes: int


SettledRow = tuple[bytes, int, int, int]
"""Path, size, mtime_ns and inode of a file that was indexed by what would read it today: all a walk compares."""


class Indexed(msgspec.Struct, frozen=True, kw_only=True):
    """A write: this file was read (`prepared`), or could not be (`state` and `reason`). `folder` is its watched folder.

    `unfinished`: more of the reading is to come, and what crashed or hung there before is not forgiven until then.
    `archive` is the path of the archive on the disk that a member lies in, b"" for a file. `members` are those of an
    archive, which has no others any more; None where they were not looked at. Paths are `os.fsencode`d, because a file
    name need not be valid UTF-8."""

    path: bytes
    folder: bytes
    stat: FileStat
    state: DocumentState = "indexed"
    reason: str = ""
    prepared: Prepared | None = None
    sha256: str = ""
    plugin: str = ""
    plugin_version: str = ""
    unfinished: bool = False
    archive: bytes = b""
    members: tuple[Indexed, ...] | None = None


class Change(msgspec.Struct, frozen=True, gc=False):
    """One row of the change feed; `seq` grows, gaps mean nothing. The slug stays when a file is renamed."""

    seq: int
    kind: Literal["added", "updated", "removed", "renamed"]
    slug: str
    doc_id: str


@dataclass(frozen=True)
class Progress:
    """How far the index is, and who keeps it up to date.

    `state` is "indexing" while anything is pending; `total` counts the files that belong into the index, `current` is
    the file begun last ("" when idle). `leader` is False in a sidecar that leaves indexing to another process.
    `remarks` are sentences for the user: folders that are missing, unreadable or polled; `advice` is one that belongs
    into every answer, because nothing can be found before it is followed. `slow` says that only scans, pictures and old
    formats are pending, whose text takes long. `reread` of the pending are in the index, as they were before or,
    `words_only` of them, by their words alone. While `scanning`, folders are being looked through, or will be at once:
    not all that is pending is known yet."""

    state: Literal["idle", "indexing"] = "idle"
    pending: int = 0
    indexed: int = 0
    total: int = 0
    current: str = ""
    leader: bool = False
    remarks: tuple[str, ...] = ()
    advice: str = ""
    slow: bool = False
    reread: int = 0
    scanning: bool = False
    words_only: int = 0

    @property
    def searchable(self) -> int:
        """Files that are in the index: as they are now, or as they were before."""
        return self.indexed + self.reread
