"""From a source to an exported file, in the serving process: finds out what is meant, gathers it, and has a worker
write it. Formats are the worker's affair (`office`)."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from sidecar.api.errors import AmbiguousError, NotFoundError, UsageError
from sidecar.api.library import Services
from sidecar.api.model import AnyBlock, Heading, Paragraph, Scalar, Span, encode_blocks
from sidecar.api.records import SearchHit, StoredDocument, StoredPart
from sidecar.api.uris import Address, format_uri, parse_uri
from sidecar.toolkit.text.ranges import parse_ranges
from sidecar_render.artifacts import Artifact, Artifacts
from sidecar_render.model import Rendering
from sidecar_render.office.content import Cited, Export, OfficeFormat, Section, Value, ValueTable
from sidecar_render.rendering import Renderer, fetch_pictures, refused

_URIS = re.compile(r"[a-z][a-z0-9+.-]*://\S+(?:\s+[a-z][a-z0-9+.-]*://\S+)*", re.IGNORECASE)
_SQL = re.compile(r"(?:select|with)\s", re.IGNORECASE)
_NAMES = re.compile(r"\w+(?:\s*,\s*\w+)*")
_MARK = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_HITS = 30
_MAX_ROWS = 100_000
_VERSION = "3"
"""Part of every exported file's id: raised when the same source is written differently."""
_PLACE = ("_sheet", "_row", "_uri")
"""Columns every table has that say where its rows stand."""
_ROWED = ("XLSX", "CSV")


@dataclass
class _Gathered:
    """What a source gave so far."""

    title: str = ""
    sections: list[Section] = field(default_factory=list[Section])
    rows: list[ValueTable] = field(default_factory=list[ValueTable])
    sources: list[Cited] = field(default_factory=list[Cited])
    remarks: list[str] = field(default_factory=list[str])


class Exporter:
    """Exports; what it makes is kept with the rendered documents."""

    def __init__(self, renderer: Renderer, artifacts: Artifacts) -> None:
        self._renderer = renderer
        self._artifacts = artifacts

    async def export(self, services: Services, source: str, form: OfficeFormat) -> Artifact:
        """The file made of SQL, names of tables, URIs, a document's path, Markdown or words to search for, now or found
        in the cache.

        Raises:
            UsageError, NotFoundError: the source gives nothing, or is none.
            RenderError: writing took too long or too much memory."""
        text = source.strip()
        if _SQL.match(text):
            places = [name for name in _PLACE if name not in text]  # of `SELECT *`; the sources tell where it is from
            return await self._write(services, await _queried(services, {"Query": text}, form, places))
        if _NAMES.fullmatch(text) and (export := await _named(services, text, form)) is not None:
            return await self._write(services, export)
        if _URIS.fullmatch(text):
            return await self._write(services, await _addressed(services, text.split(), form))
        if "\n" in text or text.startswith("#"):
            return await self.markdown(services, source, form)
        if "/" in text or "." in text:
            with suppress(NotFoundError):  # words, then
                uri = format_uri("document", (await services.library.document(text)).slug)
                return await self._write(services, await _addressed(services, [uri], form))
        return await self._write(services, await _searched(services, text, form))

    async def markdown(self, services: Services, markdown: str, form: OfficeFormat) -> Artifact:
        """The file made of Markdown."""
        self._renderer.check_size(markdown)
        return await self._write(services, Export(form, markdown=markdown))

    async def _write(self, services: Services, export: Export) -> Artifact:
        pictures = await self._renderer.run(services, "export_pictures", export)
        if pictures and export.form not in _ROWED:
            export = replace(export, pictures=await fetch_pictures(services, pictures))
        identity = hashlib.sha256(repr((_VERSION, export)).encode("utf-8", "replace")).hexdigest()[:16]
        known = await self._artifacts.get(services, identity)
        if known is not None:
            return known[0]
        made = await self._renderer.run(services, "export", export, self._renderer.bounds)
        if not isinstance(made, Rendering):
            raise refused(made)
        return await self._artifacts.put(services, identity, export.form, "office", made)


async def _named(services: Services, text: str, form: OfficeFormat) -> Export | None:
    """The rows of the tables named, each a sheet of its own; None where a word names none."""
    names = dict.fromkeys(name.strip() for name in text.split(","))
    try:
        return await _queried(services, {name: f"SELECT * FROM {name}" for name in names}, form, _PLACE)  # noqa: S608 - a word alone
    except (AmbiguousError, NotFoundError, UsageError):  # words, then, and one of them may be SQL's
        return None


async def _queried(
    services: Services, queries: Mapping[str, str], form: OfficeFormat, without: Sequence[str]
) -> Export:
    """The rows of queries by their titles, `without` these columns, with the tables they come from."""
    rows: list[ValueTable] = []
    sources: list[Cited] = []
    for title, sql in queries.items():
        answer = await services.library.query_tables(sql, limit=_MAX_ROWS)
        kept = [at for at, name in enumerate(answer.columns) if name not in without]
        values = tuple(tuple(_value(row[at], answer.types[at]) for at in kept) for row in answer.rows)
        columns, types = (tuple(of[at] for at in kept) for of in (answer.columns, answer.types))
        rows.append(ValueTable(title, columns, values, types, totals=True))
        for source in answer.sources:
            left_out = "; ".join(
                f"{one.count} left out: {one.reason}" if one.count else one.reason for one in source.left_out
            )
            last = f"on to {source.last_uri}" if source.last_uri else ""
            place = ", ".join(filter(None, (f"{source.rows:,} rows", last, left_out)))
            sources.append(await _cited(services, parse_uri(source.uri), place, source.table))
    return Export(form, ", ".join(queries), rows=tuple(rows), sources=tuple(sources))


def _value(value: Scalar, kind: str) -> Value:
    """A value of a query as Office files have it: dates as dates."""
    if not isinstance(value, str) or kind not in ("date", "datetime"):
        return value
    try:
        return date.fromisoformat(value) if kind == "date" else datetime.fromisoformat(value)
    except ValueError:
        return value


async def _searched(services: Services, words: str, form: OfficeFormat) -> Export:
    """The passages found, by document, each with the number of its source."""
    if not words:
        raise UsageError("source is empty; give SQL, names of tables, URIs, a path, Markdown, or words to search for.")
    answer = await services.library.search(words, _HITS)
    found = [hit for hit in answer.hits if not hit.weak]
    if not found:
        near = "What was found hardly answers" if answer.hits else "Nothing was found for"
        raise NotFoundError(f"{near} {words[:80]!r}; there is nothing to export. Give other words, SQL or URIs.")
    sources = tuple(
        [await _cited(services, parse_uri(hit.uri), f"page {hit.page}" if hit.page else "", hit.title) for hit in found]
    )
    title = f"Search: {words}"
    if form in _ROWED:
        columns = ("No", "Document", "Title", "Page", "Passage", "URI")
        rows = tuple(
            (number, hit.document_slug, hit.title, hit.page, hit.snippet.replace("**", ""), hit.uri)
            for number, hit in enumerate(found, 1)
        )
        return Export(form, title, rows=(ValueTable("Results", columns, rows),), sources=sources)
    sections = [Section("", slug, (encode_blocks(list(_report(hits))),)) for slug, hits in _by_document(found)]
    return Export(form, title, sections=tuple(sections), sources=sources)


def _by_document(hits: Sequence[SearchHit]) -> Iterable[tuple[str, list[tuple[int, SearchHit]]]]:
    found: dict[str, list[tuple[int, SearchHit]]] = {}
    for number, hit in enumerate(hits, 1):
        found.setdefault(hit.document_slug, []).append((number, hit))
    return found.items()


def _report(hits: Sequence[tuple[int, SearchHit]]) -> Iterable[AnyBlock]:
    """A document's passages, as a chapter of the report."""
    yield Heading(text=hits[0][1].document_slug, level=1)
    for number, hit in hits:
        yield Heading(text=hit.title or hit.uri, level=2)
        text, spans = _marked(hit.snippet)
        cited = f" [{number}]"
        yield Paragraph(text=text + cited, spans=(*spans, Span("sup", len(text) + 1, len(text) + len(cited))))


def _marked(snippet: str) -> tuple[str, list[Span]]:
    """A snippet's text, its matches in bold."""
    pieces = _MARK.split(" ".join(snippet.split()))
    text = ""
    spans: list[Span] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            spans.append(Span("bold", len(text), len(text) + len(piece)))
        text += piece
    return text, spans


async def _addressed(services: Services, uris: Sequence[str], form: OfficeFormat) -> Export:
    """What the URIs lead to, in their order."""
    found = _Gathered()
    for uri in uris:
        address = parse_uri(uri)
        document = await services.library.stored_document(address.doc)
        parts = _parts(document, address)
        info = await services.library.document(document.slug or document.doc_id)
        if len(uris) == 1:
            found.title = info.title or info.name
        place = str(replace(address, query={})) if address.path else ""
        found.sources.append(await _cited(services, address, "/".join(address.path) if place else "", ""))
        if parts is None:
            found.sections.append(Section("", address.doc, (), markdown=await _text(services, address)))
            continue
        for part in parts:
            if part.hidden and address.scheme == "document":
                found.remarks.append(f"{part.name or part.title or part.n} is hidden in {info.name} and left out.")
                continue
            title = part.name or part.title if part.kind in ("sheet", "message") else ""
            area = address.query.get("range", "")
            found.sections.append(Section(title, address.doc, part.segments, area))
    return Export(
        form, found.title, sections=tuple(found.sections), sources=tuple(found.sources), remarks=tuple(found.remarks)
    )


def _parts(document: StoredDocument, address: Address) -> Sequence[StoredPart] | None:
    """The parts an address means; None where it means something else than whole parts."""
    if address.scheme == "document":
        return document.parts
    kind = document.parts[0].kind if document.parts else ""
    if address.scheme == f"{kind}s":
        return [document.parts[number - 1] for number in parse_ranges(address.path[0], len(document.parts))]
    if address.scheme != kind:
        return None
    wanted = address.path[0]
    if wanted.isdecimal() and len(wanted) < 10 and 1 <= int(wanted) <= len(document.parts):
        return [document.parts[int(wanted) - 1]]
    named = [part for part in document.parts if wanted.casefold() in (part.name.casefold(), part.title.casefold())]
    return named[:1] or None


async def _text(services: Services, address: Address) -> str:
    """What a URI reads as Markdown, without the line that says where it is from. Raises UsageError for bytes."""
    contents = await services.library.read(str(replace(address, suffix="md")))
    texts = [content.text for content in contents if content.text is not None]
    if not texts:
        raise UsageError(f"{address} is not text; documents, their parts and tables are exported.")
    return "\n\n".join(text.partition("\n\n")[2] if text.startswith("*Source") else text for text in texts)


async def _cited(services: Services, address: Address, place: str, title: str) -> Cited:
    """A source with the address of its file."""
    info = await services.library.document(address.doc)
    path = Path(info.path)
    return Cited(title or info.title or info.name, str(address), path.as_uri() if path.is_absolute() else "", place)
