"""The document model: what a format plugin returns and what the store keeps.

Everything is a frozen `msgspec.Struct`: typed, immutable, cheap to build by the hundred thousand, and encoded
by msgspec ten times faster than dataclasses through `json`. Nothing here knows about files, SQL or MCP.

Text is kept once, as plain searchable `text`; what a run of it looks like or means (bold, a link, a tracked
deletion, inline mathematics) stands beside it as `Span`s over character offsets.
Lengths are PDF points (1/72 inch) with the origin at the top left of the page, unless said otherwise."""

import zlib
from typing import Literal

import msgspec

from sidecar.api.errors import DamagedIndexError

Box = tuple[float, float, float, float]
"""`(left, top, right, bottom)` in points from the top left corner of the page or slide."""

PartKind = Literal["chapter", "sheet", "slide", "page", "message"]
ElementType = Literal["figure", "table", "equation", "diagram", "chart"]
EmbedKind = Literal["image", "chart", "media", "attachment", "font"]
SpanKind = Literal[
    "bold", "italic", "underline", "strike", "code", "sub", "sup", "link", "ins", "del", "math", "note", "comment",
    "field", "hidden",
]  # fmt: skip
NoteKind = Literal[
    "header", "footer", "footnote", "endnote", "comment", "speaker", "textbox", "annotation", "form", "smartart"
]
NoticeCode = Literal[
    "no_text_layer", "ocr", "encrypted", "truncated_at", "hidden_content", "external_content", "macros",
    "missing_tool", "damaged_part", "pivot_cache", "encoding_guessed", "unsupported_content", "tracked_changes",
    "left_out", "not_computed", "recalculated", "uncertain_table", "unverified_text", "words_only", "picture_text",
]  # fmt: skip
Scalar = str | int | float | bool | None
FormulaState = Literal["", "not_computed", "recalculated", "unverified"]
"""How a cell with a formula came by its value: it is stored in the file (""), nobody has calculated it, it was
calculated while reading, or it is stored and may be old: the file asks to calculate anew, or contradicts itself."""


class Span(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A stretch `text[start:end]` of a block's text and what it is.

    `value` by kind: `link` the target URL or `#anchor`; `math` the LaTeX (the text under it is its plain form); `note`
    and `comment` the `Note.id`; `field` the field code; `ins` and `del` the author. `date` (ISO 8601) belongs to `ins`
    and `del`. An `ins`/`del` stretch is part of the text, so both stay searchable."""

    kind: SpanKind
    start: int
    end: int
    value: str = ""
    date: str = ""


class Block(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="k", kw_only=True):
    """What every block carries: where it stands and whether a reader of the document would see it.

    `page` is 1-based, where the format has pages. `anchor` is the document's own name for the place (bookmark, id)."""

    page: int | None = None
    box: Box | None = None
    anchor: str = ""
    hidden: bool = False


class Heading(Block, frozen=True, tag="h", kw_only=True):
    """A heading; `level` 1 is the highest. `number` is the document's own numbering ("2.3"), not part of `text`."""

    text: str
    level: int = 1
    number: str = ""
    spans: tuple[Span, ...] = ()


class Paragraph(Block, frozen=True, tag="p", kw_only=True):
    """A paragraph; `style` is "", "quote", "title", "subtitle", "caption" or "toc"."""

    text: str
    style: str = ""
    spans: tuple[Span, ...] = ()


class ListItem(Block, frozen=True, tag="li", kw_only=True):
    """One list item. `marker` is what the reader sees ("1.", "b)", "•"); `level` 0 is the outermost list."""

    text: str
    level: int = 0
    marker: str = "•"
    ordered: bool = False
    spans: tuple[Span, ...] = ()


class Code(Block, frozen=True, tag="code", kw_only=True):
    """Preformatted text, line breaks kept."""

    text: str
    language: str = ""


class Equation(Block, frozen=True, tag="eq", kw_only=True):
    """A displayed equation: `latex` where known, `text` its plain form, `label` its number ("(3.2)") if any."""

    text: str
    latex: str = ""
    label: str = ""
    flaw: str = ""
    """Why it may say something else than what is printed, a phrase; "" where it was read."""
    element: str = ""
    """The label of its `Element`, whose picture is named beside it where it has a flaw."""


class Figure(Block, frozen=True, tag="fig", kw_only=True):
    """A picture, chart, media or attached object standing in the text.

    `embed` is `(kind, id)` of the `Embed` whose bytes it shows; None for drawn content without bytes of its own."""

    embed: tuple[EmbedKind, int] | None = None
    alt: str = ""
    caption: str = ""
    text: str = ""
    """Text inside the figure (shape text, SmartArt, OCR), searchable."""
    source: str = ""
    """Where the picture lies when its bytes are outside the document: a URL or a relative path, as written."""


class Note(Block, frozen=True, tag="n", kw_only=True):
    """Text set apart from the body: header, footer, footnote, comment, speaker note, text box, …

    `id` is unique in its document within `kind` and is what `Span.value` refers to; `parent` is the id of the
    comment this one replies to; `target` the text (or "B7" for a cell) it is about; `date` ISO 8601; `resolved` says
    that a comment and its replies are settled."""

    kind: NoteKind
    text: str
    id: str = ""
    author: str = ""
    date: str = ""
    target: str = ""
    parent: str = ""
    spans: tuple[Span, ...] = ()
    resolved: bool = False


class Merge(msgspec.Struct, frozen=True, gc=False):
    """A merged region of a table, 0-based inside the block's `rows`; its text stands in the top left cell only."""

    row: int
    col: int
    rows: int
    cols: int


class Cell(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a table cell holds beyond its shown text; kept only for cells that hold more.

    `value` is the raw value where it differs from the shown text (1234.5 under "1,234.50 €"); dates as ISO 8601."""

    row: int
    col: int
    value: Scalar = None
    formula: str = ""
    format: str = ""
    link: str = ""
    spans: tuple[Span, ...] = ()
    table: "Table | None" = None
    """A table nested in this cell."""
    state: FormulaState = ""
    array: str = ""
    """The range of the sheet that the formula fills ("B2:B9"), where it is not this cell alone."""


class Table(Block, frozen=True, tag="t", kw_only=True):
    """A table, or one window of a large one.

    `rows[r][c]` is the text as the application shows it; rows may be ragged. The first `header_rows` rows are
    headings. A sheet of many rows comes as several consecutive `Table` blocks of at most `TABLE_WINDOW` rows:
    `first_row` and `first_col` (0-based) place the window in the sheet, and only the first has `header_rows`; the part
    of a table that goes on over a page has them too, and its `first_row` counts the rows before it without them."""

    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 0
    header_cols: int = 0
    """How many columns from the left hold headings of their rows, where the format says so."""
    first_row: int = 0
    first_col: int = 0
    merges: tuple[Merge, ...] = ()
    cells: tuple[Cell, ...] = ()
    caption: str = ""
    name: str = ""
    """The table's own name (an Excel table, an HTML id)."""
    hidden_rows: tuple[int, ...] = ()
    hidden_cols: tuple[int, ...] = ()
    confidence: float = 1.0
    """How likely rows and columns are as the page shows them, 0 to 1; 1 where the format says its cells itself.
    Below `UNCERTAIN_TABLE` the table is shown with a remark and by `lines`."""
    flaws: tuple[str, ...] = ()
    """What speaks against its rows and columns, a phrase each, the weightiest first."""
    lines: tuple[str, ...] = ()
    """The lines of an uncertain table as they stand on the page, top to bottom, gaps between cells as spaces."""


UNCERTAIN_TABLE = 0.5
"""The confidence below which a table is shown as lines, with a notice `uncertain_table`."""

TABLE_WINDOW = 256
"""Rows a single `Table` block should hold at most; larger tables are given as consecutive windows."""

AnyBlock = Heading | Paragraph | ListItem | Code | Equation | Figure | Note | Table

_BLOCKS = msgspec.msgpack.Decoder(list[AnyBlock])


def decode_blocks(data: bytes) -> list[AnyBlock]:
    """The blocks of a segment. Raises DamagedIndexError for bytes that are not a segment."""
    try:
        return _BLOCKS.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError) as error:
        raise DamagedIndexError(f"A text in the index is damaged ({error}); {DamagedIndexError.advice}") from error


def encode_blocks(blocks: list[AnyBlock]) -> bytes:
    """A segment's bytes; level 1 because it is three times faster than the default and 10 % larger."""
    return zlib.compress(msgspec.msgpack.encode(blocks), 1)


class Part(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A unit a person would name. Parts of one document are all of one kind and numbered from 1 in order.

    `name` is the sheet's own name, or the page label ("iv"), empty where the format has none.
    `width`/`height` in points, for pages and slides."""

    kind: PartKind
    title: str = ""
    name: str = ""
    hidden: bool = False
    blocks: tuple[AnyBlock, ...] = ()
    width: float = 0.0
    height: float = 0.0
    metadata: dict[str, str] = {}


class Element(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A labelled thing inside a document, found by (document_slug, label).

    `part` is the 1-based part and `block` the 1-based block inside it where it stands; `page` 1-based, where the
    format has pages (slide number for slides). `context` is up to 600 characters of the text around it.
    An element the document does not label gets a stable label of the form "Figure p12-1" (page, ordinal on it)."""

    type: ElementType
    label: str
    part: int
    block: int = 0
    page: int | None = None
    box: Box | None = None
    caption: str = ""
    context: str = ""
    text: str = ""
    """The element's own text: a table's cells, a chart's titles and series names."""
    latex: str = ""
    embed: tuple[EmbedKind, int] | None = None
    generated: bool = False
    """True when the label is ours because the document gives none."""
    confidence: float = 1.0
    """That of the table (`Table.confidence`), 1 for all others."""
    flaw: str = ""
    """That of the equation (`Equation.flaw`)."""


class Series(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One series of a chart; `values[i]` belongs to `ChartData.categories[i]`, None where the document has a gap.

    `x` holds the horizontal values of scatter and bubble charts, `size` the bubble sizes; `type` is given where a
    combined chart draws this series differently from the chart's own type."""

    name: str = ""
    values: tuple[float | None, ...] = ()
    x: tuple[float | str | None, ...] = ()
    size: tuple[float | None, ...] = ()
    format: str = ""
    type: str = ""
    secondary: bool = False
    """Plotted on the secondary axis."""
    totals: tuple[int, ...] = ()
    """In a waterfall: which values, counted from 0, stand for the sum so far and not for a step."""


class ChartData(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The data of a chart. `type` is "bar", "column", "line", "area", "pie", "doughnut", "scatter", "bubble",
    "radar", "stock", "surface", "treemap", "sunburst", "histogram", "boxWhisker", "waterfall", "funnel" or "other";
    `grouping` is "clustered", "stacked", "percentStacked" or ""."""

    type: str
    title: str = ""
    x_title: str = ""
    y_title: str = ""
    categories: tuple[str, ...] = ()
    series: tuple[Series, ...] = ()
    grouping: str = ""
    number_format: str = ""
    source: str = ""
    """The cell range the data came from ("Sheet1!A1:C5"), where the document says."""
    y2_title: str = ""
    """Title of the secondary value axis."""
    texts: tuple[str, ...] = ()
    """Other words a reader sees in it: custom data labels, trendline names, the depth axis title, text boxes."""


class Embed(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Bytes inside a document. `id` counts from 0 within its kind; URIs accept the id or the `name`.

    `ref` is the plugin's own key for `open_embedded` (a zip member, an object number); "" when the bytes cannot be
    had, for a `chart` whose only content is `chart`. `size` in bytes, `width`/`height` in pixels, 0 when unknown."""

    kind: EmbedKind
    id: int
    name: str
    media_type: str
    ref: str = ""
    size: int = 0
    width: int = 0
    height: int = 0
    alt: str = ""
    part: int | None = None
    block: int = 0
    context: str = ""
    """Up to 200 characters of the text around it."""
    hidden: bool = False
    chart: ChartData | None = None
    looks: str = ""
    """What a picture looks like, in words that it is searched by (`toolkit.ocr.kinds`)."""


class Notice(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What is to be known of a version, stored with it: what could not be read, what was left out, what is hidden."""

    code: NoticeCode
    message: str
    part: int | None = None


CLERICAL_METADATA = frozenset(
    (
        "pages", "words", "characters", "lines", "paragraphs", "slides", "producer", "creator", "application",
        "app_version", "revision", "template", "last_printed", "editing_minutes", "encoding", "delimiter", "version",
        "security", "format", "created", "modified", "range", "state", "kind", "message_id",
    )
)  # fmt: skip
"""Metadata of documents and parts that is bookkeeping: nobody searches for its words."""

OWN_METADATA = "custom."
"""What the names of properties begin with that a document's users made up themselves; no word of theirs."""


NAVIGATION = "navigation"
"""The `kind` in the metadata of a part that holds what stands around a document's text: menus, banners, footers of a
page. It is read as any part, and found when no text says as much."""

PAGE_FURNITURE = frozenset(("header", "footer", "margin"))
"""Metadata of pages that stands at their edges and is not text of theirs: running heads and feet, page numbers, stamps.
It is searched, and shown with a page's properties, but not with its text."""


class ParsedDocument(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What `FormatPlugin.parse` returns: the whole document, as the format really holds it.

    `title` is the document's own ("" where it has none), `printed_title` the one its pages show, by which it is called
    where its own tells nothing ("untitled", a file's name); `description` its own summary.
    `metadata` keys are lower-case words: author, created, modified, subject, keywords, language, company, pages, …
    `media_type` is given when the content shows another type than the name suggests."""

    title: str = ""
    printed_title: str = ""
    description: str = ""
    media_type: str = ""
    metadata: dict[str, str] = {}
    parts: tuple[Part, ...] = ()
    elements: tuple[Element, ...] = ()
    embedded: tuple[Embed, ...] = ()
    notices: tuple[Notice, ...] = ()
