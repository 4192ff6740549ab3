"""What the library answers with, as plain records without SQL and MCP: documents, outlines, hits, elements and more."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from sidecar.api.model import ElementType, Embed, EmbedKind, Notice, PartKind

SortKey = Literal["title", "date_added", "page_count", "modified", "name"]
DocumentState = Literal[
    "indexed", "encrypted", "damaged", "unsupported", "too_large", "timed_out", "crashed", "unreadable", "placeholder",
    "secret", "away",
]  # fmt: skip


class DocumentInfo(msgspec.Struct, frozen=True):
    """One document as it stands now. `modified` and `added` are ISO 8601 in UTC; `parts` counts its parts.

    `state` other than "indexed" comes with a `reason`; a document that once could be read keeps its last good version
    (`doc_id`), and says so in `reason`. `doc_id` is "" for a file that never could be read."""

    slug: str
    doc_id: str
    title: str
    path: str
    name: str
    folder: str
    format: str
    media_type: str
    size: int
    parts: int
    part_kind: PartKind | Literal[""]
    tokens: int
    modified: str
    added: str
    state: DocumentState
    reason: str = ""
    description: str = ""
    metadata: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    notices: tuple[Notice, ...] = ()
    elements: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    """Element type → how many."""
    embedded: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    """Embed kind → how many."""


class OutlineEntry(msgspec.Struct, frozen=True):
    """One line of a table of contents. `level` 0 is a part, 1 and more its sections; `tokens` is an estimate, 0 of an
    attached document, which nothing has read yet."""

    uri: str
    title: str
    level: int
    tokens: int
    hidden: bool = False


class OutlineWindow(msgspec.Struct, frozen=True):
    """Some entries of a table of contents. `counts[level]` says how many it has in all down to that level, as far as it
    was asked for; `tokens` is the estimate of all that it leads to."""

    entries: tuple[OutlineEntry, ...]
    counts: tuple[int, ...]
    tokens: int


class EmbedWindow(msgspec.Struct, frozen=True):
    """Some of what is embedded in a document; `total` counts all that is of the kinds asked for."""

    embeds: "tuple[EmbedInfo, ...]"
    total: int


class SearchHit(msgspec.Struct, frozen=True):
    """One search result; `uri` leads to the part or section, `snippet` marks the match with `**`."""

    document_slug: str
    doc_id: str
    uri: str
    title: str
    snippet: str
    score: float
    page: int | None = None
    element_label: str | None = None
    path: str = ""
    table: str | None = None
    """What SQL calls the table it was found in."""
    date: str = ""
    """The document's, or the message's, own date, else the file's: ISO 8601 in UTC."""
    own_date: bool = False
    """Whether the document, or the message, tells `date` itself."""
    sender: str = ""
    """Who sent the message it is of, as it stands there."""
    lacking: str = ""
    """What the document's text lacks, in a few words ("scan without text", "text by OCR")."""
    weak: bool = False
    """It neither comes near in meaning nor holds most of the query's words: likely no answer."""
    copies: tuple[str, ...] = ()
    """Slugs of other documents that have just this text, the likeliest first."""


class SearchAnswer(msgspec.Struct, frozen=True):
    """Search results, best first or latest first. `mode` says how they were found; `remark` is shown to the user when
    not empty, and so is `ranked`: "by words and meaning; 25 % embedded" while not every text is embedded.

    `more`: the same search with `start` behind the last of these has further ones; `total` counts all that the filters
    let through, None where words were searched, of which nearly every text has one. `by_date`: the latest were asked
    for, so that the date of every hit is worth telling.

    A hit may be put together only when it is first asked for: an answer has room for a few of what was found.
    `paths` are the files that the hits lie in, in their order. `guessed`: no word was found, and most are none of
    English, which the model knows best: what it finds near may only look alike."""

    hits: Sequence[SearchHit]
    mode: Literal["lexical", "semantic", "hybrid"] = "lexical"
    remark: str = ""
    ranked: str = ""
    more: bool = False
    total: int | None = None
    by_date: bool = False
    paths: tuple[str, ...] = ()
    guessed: bool = False


class ElementInfo(msgspec.Struct, frozen=True):
    """One labelled thing inside a document, ready for the next call: (`document_slug`, `label`[, `page`])."""

    document_slug: str
    doc_id: str
    type: ElementType
    label: str
    uri: str
    part: int
    part_kind: PartKind
    page: int | None
    box: tuple[float, float, float, float] | None
    caption: str
    context: str
    text: str
    latex: str
    generated: bool
    embed: tuple[EmbedKind, int] | None = None
    score: float = 0.0
    confidence: float = 1.0
    """How likely a table's rows and columns are as the page shows them, 0 to 1."""
    flaw: str = ""
    """Why an equation may say something else than what is printed; "" where it was read."""


class ElementAnswer(msgspec.Struct, frozen=True):
    """Elements found, best first; `remark` and `ranked` as in `SearchAnswer`."""

    elements: tuple[ElementInfo, ...]
    remark: str = ""
    ranked: str = ""


class EmbedInfo(msgspec.Struct, frozen=True):
    """Bytes inside a document, addressed. `text_uri` reads an attached document as text, "" where none is attached."""

    document_slug: str
    uri: str
    embed: Embed
    text_uri: str = ""


class StoredPart(msgspec.Struct, frozen=True):
    """A part as the index holds it. `segments` are its blocks in order, encoded (see `model.decode_blocks`): they are
    handed on to a worker, for decoding them is work. `n` counts from 1."""

    n: int
    kind: PartKind
    name: str
    title: str
    hidden: bool
    segments: tuple[bytes, ...]


class StoredDocument(msgspec.Struct, frozen=True):
    """One version of a document as the index holds it, whole."""

    slug: str
    doc_id: str
    name: str
    format: str
    parts: tuple[StoredPart, ...]


class FolderInfo(msgspec.Struct, frozen=True):
    """A folder, or one below it, and how many documents lie in it and below."""

    path: str
    documents: int


class AttachedFile(msgspec.Struct, frozen=True):
    """A file in a document: a member of an archive, an attachment of a message. `path` is the document's."""

    name: str
    uri: str
    path: str


class UnreadFile(msgspec.Struct, frozen=True):
    """A file that could not be read: its state and, in a sentence, why. `slug` is "" where no list names it, because no
    plugin reads such files."""

    path: str
    state: str
    reason: str
    slug: str = ""


class RemovedDocument(msgspec.Struct, frozen=True):
    """A document whose file is gone, and the doc_id by which its last version is read while it is kept; `path` is ""
    where it is not known."""

    name: str
    doc_id: str
    path: str


class Narrowing(msgspec.Struct, frozen=True):
    """What a list of documents is narrowed by: those whose path holds `folder`, whose type is `kind` ("pdf"), that are
    in that state and were changed since a time ("2024-01-31", "yesterday"); None for what it is not."""

    folder: str | None = None
    kind: str | None = None
    state: str | None = None
    changed_since: str | None = None


ALL_DOCUMENTS = Narrowing()


class DocumentPage(msgspec.Struct, frozen=True):
    """One page of a listing; `total` counts all documents, `pages` all pages of that size. `removed` are documents that
    went in the time a list of changes is of."""

    documents: tuple[DocumentInfo, ...]
    total: int
    page: int
    pages: int
    removed: tuple[RemovedDocument, ...] = ()


GrepShow = Literal["lines", "files", "count"]


class GrepQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What to look for: `limit` matches after the first `start`, with `context` lines around each, or so many files
    that have some; `doc` (slug or doc_id) and `path` (part of a file's path) narrow it."""

    pattern: str
    doc: str | None = None
    path: str | None = None
    ignore_case: bool = False
    context: int = 0
    limit: int = 50
    start: int = 0
    show: GrepShow = "lines"


class GrepHit(msgspec.Struct, frozen=True):
    """One match of a pattern: `uri` leads to the very paragraph, cell range, slide or page; `line` is its text, a whole
    row of a table, whose heading row is `header` in a sheet, "" elsewhere.

    `start` and `end` are the match's offsets in `line`."""

    document_slug: str
    uri: str
    line: str
    start: int
    end: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    path: str = ""
    header: str = ""


class GrepFile(msgspec.Struct, frozen=True):
    """A document that has matches, and how many; where only the files were asked for, at least one."""

    document_slug: str
    path: str
    matches: int


class GrepAnswer(msgspec.Struct, frozen=True):
    """Matches in document order, or the `files` that have some; `complete` is False when limit or time stopped the
    search, `remark` says which.

    `found` counts the matches (or files) that were seen, skipped ones included; `more` says that the limit stopped it,
    so that the same search from there on gives the next."""

    hits: tuple[GrepHit, ...]
    complete: bool
    remark: str = ""
    found: int = 0
    more: bool = False
    files: tuple[GrepFile, ...] = ()
