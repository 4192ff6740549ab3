"""The contract a plugin writes against: a plugin that needs more of the core has found a gap, please report it.

The document model (`model`), format plugins (`formats`), feature plugins (`features`, `library`, `contents`), addresses
(`uris`) and the error tree (`errors`) are re-exported here. Readers of common formats, what a page looks
like (`drawn.model`), and what fits an answer into what a model may be given, are in `sidecar.toolkit`."""

# Several names a line, as below; isort knows one.
# isort: off
from sidecar.api.contents import Content, Embedded, Image, Link, Paid, ResourceContent, ResourceEntry, Result, Text
from sidecar.api.errors import (
    AmbiguousError, ConfigError, DamagedError, DamagedIndexError, EncryptedError, FormatError, LimitError,
    NotFoundError, SidecarError, StoreError, UnavailableError, UnsupportedError, UsageError, WorkerCrash, WorkerError,
    WorkerTimeout, shortened,
)  # fmt: skip
from sidecar.api.features import (
    Call, Client, Command, Drawer, Embedder, FeaturePlugin, Prompt, PromptArgument, Registrar, ResourceProvider,
    Skill, Template, Tool,
)  # fmt: skip
from sidecar.api.formats import (
    SNIFF_BYTES, AttachedBounds, DrawsPictures, FormatPlugin, HoldsDocuments, LazyFormat, Limits, OpensEmbedded,
    Payload, ShowsPages, Source,
)  # fmt: skip
from sidecar.api.library import Cache, CacheEntry, Library, Services, Workers
from sidecar.api.model import (
    NAVIGATION, PAGE_FURNITURE, TABLE_WINDOW, UNCERTAIN_TABLE, AnyBlock, Block, Box, Cell, ChartData, Code, Element,
    ElementType, Embed, EmbedKind, Equation, Figure, FormulaState, Heading, ListItem, Merge, Note, NoteKind, Notice,
    Paragraph, ParsedDocument, Part, PartKind, Scalar, Series, Span, SpanKind, Table, decode_blocks,
)  # fmt: skip
from sidecar.api.records import (
    ALL_DOCUMENTS, AttachedFile, DocumentInfo, DocumentPage, DocumentState, ElementAnswer, ElementInfo, EmbedInfo,
    EmbedWindow, FolderInfo, GrepAnswer, GrepFile, GrepHit, GrepQuery, GrepShow, Narrowing, OutlineEntry, OutlineWindow,
    RemovedDocument, SearchAnswer, SearchHit, SortKey, StoredDocument, StoredPart, UnreadFile,
)  # fmt: skip
from sidecar.api.tables import (
    ColumnFacts, ColumnType, FoundTables, LeftOut, QueryAnswer, QuerySource, TableColumn, TableFacts, TableInfo,
    TableRecord,
)  # fmt: skip
from sidecar.api.uris import EMBED_KINDS, EMBED_SCHEMES, Address, format_uri, is_doc_id, parse_uri, slugify

__all__ = [
    "ALL_DOCUMENTS", "EMBED_KINDS", "EMBED_SCHEMES", "NAVIGATION", "PAGE_FURNITURE", "SNIFF_BYTES", "TABLE_WINDOW",
    "UNCERTAIN_TABLE", "Address", "AmbiguousError", "AnyBlock", "AttachedBounds", "AttachedFile", "Block", "Box",
    "Cache", "CacheEntry", "Call", "Cell", "ChartData", "Client", "Code", "ColumnFacts", "ColumnType", "Command",
    "ConfigError", "Content", "DamagedError", "DamagedIndexError", "DocumentInfo", "DocumentPage", "DocumentState",
    "Drawer", "DrawsPictures", "Element", "ElementAnswer", "ElementInfo", "ElementType", "Embed", "EmbedInfo",
    "EmbedKind", "EmbedWindow", "Embedded", "Embedder", "EncryptedError", "Equation", "FeaturePlugin", "Figure",
    "FolderInfo", "FormatError", "FormatPlugin", "FormulaState", "FoundTables", "GrepAnswer", "GrepFile", "GrepHit",
    "GrepQuery", "GrepShow", "Heading", "HoldsDocuments", "Image", "LazyFormat", "LeftOut", "Library", "LimitError",
    "Limits", "Link", "ListItem", "Merge", "Narrowing", "NotFoundError", "Note", "NoteKind", "Notice", "OpensEmbedded",
    "OutlineEntry", "OutlineWindow", "Paid", "Paragraph", "ParsedDocument", "Part", "PartKind", "Payload", "Prompt",
    "PromptArgument", "QueryAnswer", "QuerySource", "Registrar", "RemovedDocument", "ResourceContent", "ResourceEntry",
    "ResourceProvider", "Result", "Scalar", "SearchAnswer", "SearchHit", "Series", "Services", "ShowsPages",
    "SidecarError", "Skill", "SortKey", "Source", "Span", "SpanKind", "StoreError", "StoredDocument", "StoredPart",
    "Table", "TableColumn", "TableFacts", "TableInfo", "TableRecord", "Template", "Text", "Tool", "UnavailableError",
    "UnreadFile", "UnsupportedError", "UsageError", "WorkerCrash", "WorkerError", "WorkerTimeout", "Workers",
    "decode_blocks", "format_uri", "is_doc_id", "parse_uri", "shortened", "slugify",
]  # fmt: skip
