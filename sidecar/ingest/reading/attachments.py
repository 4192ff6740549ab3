"""Documents attached to documents: read on request by address, and their text as passages that lead to them. The bytes
are opened by whoever knows the file, the plugin is found as for any file.

Runs in a worker. What is attached comes after the file itself is in the index: what one does to its reader must not
keep the file from being read."""

import dataclasses
import hashlib
import logging
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from sidecar.api.errors import DamagedError, LimitError, SidecarError, UnavailableError, UnsupportedError
from sidecar.api.formats import HoldsDocuments, Limits, OpensEmbedded, Payload, Source
from sidecar.api.model import Embed, Notice, ParsedDocument
from sidecar.api.tables import Attached, TableRecord
from sidecar.ingest.reading.cut import with_cut_notice
from sidecar.ingest.reading.detect import Detector, detector_of, media_type
from sidecar.ingest.reading.jobs import Loader
from sidecar.ingest.reading.prepare import Identity, prepare
from sidecar.registry.formats import FormatEntry
from sidecar.store.documents.records import HEADINGS_APART, PassageRecord, Prepared
from sidecar.toolkit.tables.finding import MAX_TABLES
from sidecar.toolkit.tables.names import unique_names
from sidecar.views.embedded import without_workbooks
from sidecar.workers.main import resolve

logger = logging.getLogger(__name__)

_RECOGNISED_PAGES: Final = 8
"""Scans of more pages keep their notice: whoever asked waits for an answer, and a page takes seconds."""

T = TypeVar("T")


def read_attached(loader: Loader, limits: Limits, refs: Sequence[str], opener: str, *arguments: Any) -> bytes:
    """An attached document as a `store.records.Prepared` without passages, encoded.

    `opener` ("package.module:function", called with `arguments`) gives the attached file; `refs` lead on from there,
    each an `Embed.ref` in the document before.

    Raises:
        FormatError: it cannot be read; UnsupportedError when no plugin does.
        SidecarError: it cannot be opened.
    """
    payload = open_attached(loader, limits, refs, opener, *arguments)
    prepared = _parse_payload(detector_of(loader), payload, limits, recognise=limits.ocr)
    return msgspec.msgpack.encode(replace(prepared, passages=()))


def _parse_payload(detector: Detector, payload: Payload, limits: Limits, *, recognise: bool) -> Prepared:
    """A file inside another, read by the plugin of its format; `recognise` also the pages of a short scan.

    Raises:
        FormatError: it cannot be read; UnsupportedError when no plugin does.
    """
    source, entry = with_media_type(*format_of(detector, payload, limits))
    parsed = guarded(entry, lambda: _parsed(entry, source, limits, recognise=recognise))
    return prepare_payload(parsed, entry, source, limits)


def with_media_type(source: Source, entry: FormatEntry) -> tuple[Source, FormatEntry]:
    """The same with the media type that the plugin reads it as."""
    return Source.of_bytes(source.read(), source.name, media_type(entry, source)), entry


def prepare_payload(parsed: ParsedDocument, entry: FormatEntry, source: Source, limits: Limits) -> Prepared:
    """What was read of a file inside another, prepared as any file is. Raises FormatError."""
    digest = hashlib.sha256(source.read(limits.max_file_bytes)).hexdigest()
    identity = Identity(digest, source.size, entry.name, entry.version, source.media_type)
    return guarded(entry, lambda: prepare(parsed, identity, limits))


def open_attached(loader: Loader, limits: Limits, refs: Sequence[str], opener: str, *arguments: Any) -> Payload:
    """The bytes at the end of that way. Raises as `read_attached` does."""
    payload: Payload = resolve(opener)(*arguments)
    for ref in refs:
        source, entry = format_of(detector_of(loader), payload, limits)
        plugin = entry.plugin
        if not isinstance(plugin, OpensEmbedded):
            raise UnavailableError(f"The format {entry.name} cannot open what is embedded in its files.")
        payload = guarded(entry, partial(plugin.open_embedded, source, ref, limits))
    return payload


def format_of(detector: Detector, payload: Payload, limits: Limits) -> tuple[Source, FormatEntry]:
    """The attached bytes as a source, and the plugin that reads them. Raises LimitError, UnsupportedError."""
    name = payload.name.replace("\\", "/").rpartition("/")[2].replace("\0", "") or "attachment"
    source = Source.of_bytes(payload.data, name, payload.media_type)
    if source.size > limits.max_file_bytes:
        raise LimitError(f"It has {source.size:,} bytes; limits.max_file_bytes is {limits.max_file_bytes:,}.")
    entry = detector.detect(source)
    if entry is None:
        raise UnsupportedError(f"No plugin reads files of its kind ({payload.media_type or 'unknown'}).")
    return source, entry


def _parsed(entry: FormatEntry, source: Source, limits: Limits, *, recognise: bool) -> ParsedDocument:
    parsed = with_cut_notice(entry.plugin.parse(source, dataclasses.replace(limits, ocr=False)), source)
    blank = sum(notice.code == "no_text_layer" for notice in parsed.notices)
    if recognise and 0 < blank <= _RECOGNISED_PAGES:
        return entry.plugin.parse(source, limits)
    return parsed


def guarded(entry: FormatEntry, work: Callable[[], T]) -> T:
    """The boundary to a plugin: its fault is a damaged file. Raises DamagedError."""
    try:
        return work()
    except (SidecarError, OSError, MemoryError):
        raise
    except RecursionError as error:
        raise DamagedError("It is nested too deeply to be read.") from error
    except Exception as error:
        logger.warning("%s", "".join(traceback.format_exception(error)))
        raise DamagedError(f"The {entry.name} plugin failed with {type(error).__name__}.") from error


def has_attached(parsed: ParsedDocument, entry: FormatEntry, detector: Detector) -> bool:
    """Whether there is something to be read: an attachment whose suffix belongs to a plugin."""
    # In this order: few files hold any, and to compare a plugin with a protocol is slow.
    return any(readable(parsed.embedded, detector)) and isinstance(entry.plugin, HoldsDocuments)


def with_attached(
    prepared: Prepared, entry: FormatEntry, source: Source, detector: Detector, limits: Limits
) -> Prepared:
    """The same with tables and passages of the attached documents: block 0 to -(id + 1) of the file's part says which
    one, the section is the number of the part inside it. What cannot be read or is beyond the bounds is left out, and
    said."""
    plugin = entry.plugin
    if not isinstance(plugin, HoldsDocuments):
        return prepared
    bounds = plugin.attached
    began = time.process_time()
    found: list[PassageRecord] = []
    left_out: list[str] = []
    count = size = chars = 0
    tables: list[TableRecord] = [*prepared.tables]
    for embed in readable(prepared.embedded, detector):
        over = count >= bounds.count or size + embed.size > bounds.bytes or chars >= bounds.chars
        if over or time.process_time() - began > bounds.seconds:
            left_out.append(embed.name)
            continue
        count += 1
        size += embed.size
        inner = _inner(embed, entry, plugin, source, detector, limits)
        if inner is None:
            continue
        tables += _tables(embed, inner)
        for passage in _passages(embed, inner):
            chars += len(passage.text)
            if chars > bounds.chars:
                left_out.append(embed.name)
                break
            found.append(passage)
    notices = prepared.notices
    if left_out:
        names = ", ".join(name[:80] for name in left_out[:5]) + (", …" if len(left_out) > 5 else "")
        message = f"Too much is attached to be searched whole; read {names} by their own addresses."
        notices += (Notice("left_out", message),)
    names = unique_names(table.name for table in tables)
    kept = tuple(replace(table, name=name) for table, name in zip(tables[:MAX_TABLES], names, strict=False))
    return replace(prepared, passages=prepared.passages + tuple(found), tables=kept, notices=notices)


def readable(embedded: Sequence[Embed], detector: Detector) -> Iterator[Embed]:
    """Those that are files of a kind that a plugin reads, without the workbooks of charts."""
    return (embed for embed in without_workbooks(embedded) if is_readable(embed, detector))


def is_readable(embed: Embed, detector: Detector) -> bool:
    """Whether it is a file of a kind that a plugin reads."""
    return embed.kind == "attachment" and bool(embed.ref) and detector.expects(embed.name)


def _inner(
    embed: Embed, entry: FormatEntry, plugin: OpensEmbedded, source: Source, detector: Detector, limits: Limits
) -> Prepared | None:
    """The attached document, None where it cannot be read."""
    try:
        payload = guarded(entry, lambda: plugin.open_embedded(source, embed.ref, limits))
        return _parse_payload(detector, payload, limits, recognise=False)
    except SidecarError as error:
        logger.info("%s in %s is not searched: %s", embed.name, source.name, error)
        return None


def _tables(embed: Embed, inner: Prepared) -> Iterator[TableRecord]:
    for table in inner.tables:
        if table.attached is None:
            part = inner.parts[table.part - 1]
            place = Attached(embed.id, embed.name[:120], embed.part or 1, part.kind, part.name or part.title)
            yield replace(table, attached=place)


def _passages(embed: Embed, inner: Prepared) -> Iterator[PassageRecord]:
    name = " ".join(embed.name.split())[:120]
    for passage in inner.passages:
        heading = f"{name}{HEADINGS_APART}{passage.heading}" if passage.heading else name
        yield PassageRecord(embed.part or 1, 0, -embed.id - 1, str(passage.part), heading, passage.text, 0)
