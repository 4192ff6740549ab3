"""What every format plugin promises, as functions a plugin's own tests can call too.

`check_document` holds a parsed document against the document model's own words, `check_embedded` opens what it says
can be opened, `check_score` and `outcome` run a plugin on bytes. Each raises AssertionError naming the first broken
promise; `outcome` lets any exception through that is not a `FormatError`, which is itself a broken promise.

Use in a plugin's tests:

    from contract.conformance import check_document, check_embedded

    document = MyFormat().parse(source, Limits())
    check_document(document)
    check_embedded(MyFormat(), source, document)
"""

from __future__ import annotations

import math
import typing
from collections.abc import Iterator

import msgspec

from sidecar.api import (
    TABLE_WINDOW,
    AnyBlock,
    Code,
    Equation,
    Figure,
    FormatError,
    FormatPlugin,
    Heading,
    Limits,
    ListItem,
    Note,
    OpensEmbedded,
    Paragraph,
    ParsedDocument,
    Source,
    Span,
    Table,
)

__all__ = ["check_document", "check_embedded", "check_plugin_class", "check_score", "outcome"]

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(ParsedDocument)
_BLOCK_TYPES = typing.get_args(AnyBlock)


def check_plugin_class(plugin: object, entry_name: str) -> None:
    """The class-level promises of `FormatPlugin`; `entry_name` is the name it is declared under."""
    assert isinstance(plugin, FormatPlugin), f"{entry_name} lacks a member of FormatPlugin"
    assert plugin.name == entry_name, f"the plugin calls itself {plugin.name!r} but is declared as {entry_name!r}"
    assert plugin.name.isidentifier(), f"name {plugin.name!r} is not one word"
    assert plugin.name == plugin.name.lower(), f"name {plugin.name!r} is not lower case"
    assert plugin.version.strip(), "version is empty"
    assert plugin.suffixes, "no suffixes"
    for suffix in plugin.suffixes:
        assert suffix.startswith("."), f"suffix {suffix!r} has no dot"
        assert suffix == suffix.lower(), f"suffix {suffix!r} is not lower case"
    assert len(set(plugin.suffixes)) == len(plugin.suffixes), "a suffix is declared twice"
    for media_type in plugin.media_types:
        assert media_type.count("/") == 1, f"{media_type!r} is no media type"


def check_score(plugin: FormatPlugin, source: Source) -> int:
    """`score` is total: any bytes give an int from 0 to 100."""
    score = plugin.score(source)
    assert isinstance(score, int), f"score is a {type(score).__name__}"
    assert 0 <= score <= 100, f"score is {score}"
    return score


def outcome(plugin: FormatPlugin, source: Source, limits: Limits) -> ParsedDocument | FormatError:
    """The document, checked, or the FormatError with a sentence in it."""
    try:
        document = plugin.parse(source, limits)
    except FormatError as error:
        assert str(error).strip(), f"{type(error).__name__} says nothing"
        return error
    check_document(document, limits)
    return document


def check_embedded(plugin: FormatPlugin, source: Source, document: ParsedDocument, *, sound: bool = True) -> int:
    """Open every embed that has a `ref`; how many there were.

    In a sound file all of them open, and size, type and pixels are as announced; in a broken one a `FormatError` or
    another error of the project's own is fine too.
    """
    from sidecar.api import SidecarError

    opened = 0
    for embed in document.embedded:
        if not embed.ref:
            assert embed.chart is not None, f"{embed.kind} {embed.id} has neither bytes nor data"
            continue
        assert isinstance(plugin, OpensEmbedded), "there are references but no open_embedded"
        try:
            payload = plugin.open_embedded(source, embed.ref, Limits())
        except SidecarError as error:
            assert not sound, f"{embed.kind} {embed.id} ({embed.ref}) does not open: {error}"
            continue
        opened += 1
        assert isinstance(payload.data, bytes), f"{embed.ref} gives {type(payload.data).__name__}"
        assert "/" in payload.media_type, f"{embed.ref} has the media type {payload.media_type!r}"
        if sound:
            assert payload.data, f"{embed.ref} opens empty"
            assert payload.media_type == embed.media_type, (
                f"{embed.ref}: {payload.media_type} is not {embed.media_type}"
            )
            assert embed.size in (0, len(payload.data)), f"{embed.ref}: {len(payload.data)} bytes, not {embed.size}"
            if payload.width and embed.width:
                assert (payload.width, payload.height) == (embed.width, embed.height), f"{embed.ref}: other pixels"
    return opened


def check_document(document: ParsedDocument, limits: Limits | None = None) -> None:
    """Hold a document against everything `sidecar.api.model` says of it."""
    limits = limits or Limits()
    assert _DECODER.decode(_ENCODER.encode(document)) == document, "the document does not survive encoding"
    kinds = {part.kind for part in document.parts}
    assert len(kinds) <= 1, f"parts of several kinds: {sorted(kinds)}"
    assert len(document.parts) <= limits.max_parts, "more parts than max_parts"
    for key, value in document.metadata.items():
        assert key == key.lower(), f"metadata key {key!r} is not lower case"
        assert isinstance(value, str), f"metadata {key} is no text"
    embeds = {(embed.kind, embed.id) for embed in document.embedded}
    for number, part in enumerate(document.parts, 1):
        assert _finite(part.width) and _finite(part.height), f"part {number} has no finite size"
        for at, block in enumerate(part.blocks, 1):
            _check_block(block, embeds, f"part {number} block {at}")
    _check_embeds(document, limits)
    _check_elements(document, embeds)
    for notice in document.notices:
        assert notice.message.strip(), f"notice {notice.code} says nothing"
        assert notice.part is None or 1 <= notice.part <= len(document.parts), f"notice {notice.code}: no such part"


def _check_embeds(document: ParsedDocument, limits: Limits) -> None:
    assert len(document.embedded) <= limits.max_embedded, "more embeds than max_embedded"
    counts: dict[str, int] = {}
    for embed in document.embedded:
        where = f"{embed.kind} {embed.id}"
        assert embed.id == counts.get(embed.kind, 0), f"{where}: ids do not count from 0"
        counts[embed.kind] = embed.id + 1
        assert embed.name, f"{where} has no name"
        assert embed.media_type.count("/") == 1, f"{where} has the media type {embed.media_type!r}"
        assert min(embed.size, embed.width, embed.height) >= 0, f"{where} has a negative size"
        assert len(embed.context) <= 200, f"{where}: {len(embed.context)} characters of context"
        _check_place(document, embed.part, embed.block, where)


def _check_elements(document: ParsedDocument, embeds: set[tuple[str, int]]) -> None:
    for element in document.elements:
        where = f"element {element.label!r}"
        assert element.label.strip(), "an element without a label"
        assert len(element.context) <= 600, f"{where}: {len(element.context)} characters of context"
        assert element.page is None or element.page >= 1, f"{where}: page {element.page}"
        assert element.embed is None or element.embed in embeds, f"{where} shows {element.embed}, which is not there"
        _check_box(element.box, where)
        _check_place(document, element.part, element.block, where)


def _check_place(document: ParsedDocument, part: int | None, block: int, where: str) -> None:
    """1-based part, 1-based block in it; block 0 is the part as a whole."""
    if part is None:
        assert block == 0, f"{where}: block {block} of no part"
        return
    assert 1 <= part <= len(document.parts), f"{where}: part {part} of {len(document.parts)}"
    blocks = len(document.parts[part - 1].blocks)
    assert 0 <= block <= blocks, f"{where}: block {block} of {blocks}"


def _check_block(block: AnyBlock, embeds: set[tuple[str, int]], where: str) -> None:
    where = f"{where} ({type(block).__name__})"
    assert isinstance(block, _BLOCK_TYPES), f"{where} is no block"
    assert block.page is None or block.page >= 1, f"{where}: page {block.page}"
    _check_box(block.box, where)
    if isinstance(block, Heading):
        assert 1 <= block.level <= 9, f"{where}: level {block.level}"
    if isinstance(block, ListItem):
        assert block.level >= 0, f"{where}: level {block.level}"
    if isinstance(block, (Heading, Paragraph, ListItem, Note)):
        _check_spans(block.text, block.spans, where)
    if isinstance(block, (Heading, Paragraph, ListItem, Code, Equation)):
        assert block.text.strip(), f"{where} holds no text"
    if isinstance(block, Figure) and block.embed is not None:
        assert block.embed in embeds, f"{where} shows {block.embed}, which is not there"
    if isinstance(block, Table):
        _check_table(block, where)


def _check_table(table: Table, where: str, depth: int = 0) -> None:
    assert len(table.rows) <= TABLE_WINDOW, f"{where}: {len(table.rows)} rows in one window"
    assert 0 <= table.header_rows <= len(table.rows), f"{where}: {table.header_rows} heading rows"
    assert min(table.first_row, table.first_col) >= 0, f"{where} begins before the table"
    for merge in table.merges:
        assert min(merge.row, merge.col) >= 0, f"{where}: merge before the table"
        assert min(merge.rows, merge.cols) >= 1, f"{where}: empty merge"
        assert merge.row + merge.rows <= len(table.rows), f"{where}: merge below the table"
    for cell in table.cells:
        assert 0 <= cell.row < len(table.rows), f"{where}: cell in row {cell.row} of {len(table.rows)}"
        assert cell.col >= 0, f"{where}: cell in column {cell.col}"
        row = table.rows[cell.row]
        text = row[cell.col] if cell.col < len(row) else ""
        _check_spans(text, cell.spans, f"{where} cell {cell.row},{cell.col}")
        if cell.table is not None and depth < 50:
            _check_table(cell.table, f"{where} cell {cell.row},{cell.col} table", depth + 1)


def _check_spans(text: str, spans: tuple[Span, ...], where: str) -> None:
    for span in spans:
        assert 0 <= span.start <= span.end <= len(text), f"{where}: {span.kind} {span.start}–{span.end} of {len(text)}"
        if span.kind in ("note", "comment"):
            assert span.value, f"{where}: {span.kind} refers to nothing"


def _check_box(box: tuple[float, float, float, float] | None, where: str) -> None:
    if box is None:
        return
    assert len(box) == 4, f"{where}: a box of {len(box)}"
    assert all(map(_finite, box)), f"{where}: box {box} is not finite"
    assert box[0] <= box[2], f"{where}: box {box} has no width"
    assert box[1] <= box[3], f"{where}: box {box} has no height"


def _finite(value: float) -> bool:
    return math.isfinite(value)


def note_references(document: ParsedDocument) -> Iterator[tuple[str, str]]:
    """`(kind, id)` of every note that a span refers to."""
    for part in document.parts:
        for block in part.blocks:
            spans = getattr(block, "spans", ())
            if isinstance(block, Table):
                spans = tuple(span for cell in block.cells for span in cell.spans)
            for span in spans:
                if span.kind in ("note", "comment"):
                    yield span.kind, span.value


def check_notes(document: ParsedDocument) -> None:
    """In a sound document, every reference to a note finds it."""
    known = {block.id for part in document.parts for block in part.blocks if isinstance(block, Note)}
    for kind, value in note_references(document):
        assert value in known, f"a {kind} span refers to {value!r}, and there is no such note"
