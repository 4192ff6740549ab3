"""Tables as relations: what the index knows of each table of a document, and what a query over them gives.

Knows neither how tables are found (`sidecar.toolkit.tables`) nor what runs a query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from sidecar.api.model import PartKind, Scalar

ColumnType = Literal["number", "money", "percent", "date", "datetime", "bool", "text"]
"""What the values of a column are in SQL: `number` and `money` numbers, `percent` a fraction (0.125 for 12.5 %), `date`
"YYYY-MM-DD", `datetime` "YYYY-MM-DD HH:MM:SS", `bool` 1 or 0, `text` what the cell shows."""


class TableColumn(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A column: `name` is unique in its table and needs no quotes in SQL, `title` is what the document writes.

    `col` is its 0-based column in the sheet or table. `unit` is a currency ("EUR"), "%" or another unit ("kg").
    `decimal` ("." or ",") and `order` ("dmy", "mdy") say how its numbers and dates are written, "" where nothing had to
    be decided. `remark` says why a column stayed text, or what is to be known of it."""

    name: str
    title: str
    col: int
    type: ColumnType = "text"
    unit: str = ""
    decimal: str = ""
    order: str = ""
    samples: tuple[str, ...] = ()
    hidden: bool = False
    remark: str = ""


class TablePart(msgspec.Struct, frozen=True, gc=False):
    """Where a relation goes on in a further part of its document, whose name is `name` ("" for none): its blocks there,
    and the first of its rows there, counted on from those before."""

    part: int
    name: str
    first_block: int
    last_block: int
    first_row: int


class Attached(msgspec.Struct, frozen=True, gc=False):
    """The document attached to a message in which a relation lies: the number of the attachment and its file's name,
    the part of the message it belongs to, and what the part inside it is, with its name ("" for none)."""

    embed: int
    file: str
    part: int
    kind: PartKind
    name: str


class TableRecord(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A relation found in a document: the part it begins in, where it lies there, and what its columns are. One that
    goes on in the parts after has them in `further`, and its `last_row` and `rows` count theirs too.

    `name` is unique in its document. Blocks are numbered from 1, rows and columns from 0, both ends inside: rows of the
    sheet, or of the table in documents without sheets. `rows` counts rows of data, without what stands apart (totals,
    hidden rows). `header_rows` is how many rows before `first_row` name the columns."""

    name: str
    title: str
    part: int
    first_block: int
    last_block: int
    first_row: int
    last_row: int
    header_rows: int
    rows: int
    columns: tuple[TableColumn, ...]
    sheet: bool = False
    hidden: bool = False
    decimal: str = ""
    """How ambiguous numbers of its part are to be read ("." or ","), "" where nothing tells."""
    order: str = ""
    """The same for ambiguous dates ("dmy" or "mdy")."""
    confidence: float = 1.0
    beyond: int = 0
    """Columns right of the last that are not among them, since a relation holds this many only."""
    further: tuple[TablePart, ...] = ()
    attached: Attached | None = None
    """Where it lies in an attached document: parts and blocks are that document's."""


@dataclass(frozen=True)
class TableInfo:
    """A table of the library. `name` is what SQL calls it: `slug__table`, or the slug alone where the document has no
    other. `uri` leads to its cells, `place` names sheet and range, or page, in words; `cut` says why rows may be
    missing."""

    name: str
    document_slug: str
    doc_id: str
    uri: str
    place: str
    sheet: str
    record: TableRecord
    cut: str = ""


@dataclass(frozen=True)
class FoundTables:
    """Tables found, best first, and how many there are in all."""

    tables: tuple[TableInfo, ...]
    total: int


class LeftOut(msgspec.Struct, frozen=True, gc=False):
    """Rows or values that a query does not see: how many, why, and where the first of them stand ("C7, C9"). `column`
    is the name of the one whose values they are, "" for rows."""

    reason: str
    count: int
    where: str = ""
    column: str = ""


class QuerySource(msgspec.Struct, frozen=True):
    """A table a query read: its name, URI and range, how many rows it holds, and what was left out of it. `last_uri`
    is the URI of the last part of one that goes on over several. `tables` are those that were put together."""

    table: str
    uri: str
    rows: int
    left_out: tuple[LeftOut, ...] = ()
    last_uri: str = ""
    tables: tuple[str, ...] = ()


class QueryAnswer(msgspec.Struct, frozen=True):
    """Rows of a query from row `start` on. `types` are the columns' types where they come from one, else "".

    `total` counts the rows in all; `complete` is False where counting stopped at the limit. `notices` say of what the
    query compares why it may not give what was meant, a sentence each."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    total: int
    complete: bool
    sources: tuple[QuerySource, ...]
    notices: tuple[str, ...] = ()


class ColumnFacts(msgspec.Struct, frozen=True):
    """What the values of a column are: how many there are, how many different ones, and how many rows have none.

    `common` are the most frequent values with their counts, of a column with few different ones."""

    column: TableColumn
    values: int
    distinct: int
    gaps: int
    lowest: Scalar = None
    highest: Scalar = None
    total: float | None = None
    common: tuple[tuple[Scalar, int], ...] = ()


class TableFacts(msgspec.Struct, frozen=True):
    """A table looked through: its columns, what was left out, and the rows of totals as the document has them."""

    source: QuerySource
    columns: tuple[ColumnFacts, ...]
    totals: tuple[Mapping[str, Scalar], ...] = ()
