"""Documents attached to documents: read on request by address, and their text as passages that lead to them. The bytes
are opened by whoever knows the file, the plugin is found as for any file.

Runs in a worker. What is attached comes after the file itself is in the index: what one does to its reader must not
keep the file from being read."""

import dataclasses
import logging
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from sidecar.api.errors import SidecarError, UnavailableError
from sidecar.api.formats import HoldsDocuments, Limits, OpensEmbedded, Payload
from sidecar.api.model import Embed, Notice, ParsedDocument
from sidecar.api.tables import Attached, TableRecord
from sidecar.ingest.reading.detect import Detector, ReadableFile, detector_of, file_of, guarded
from sidecar.ingest.reading.jobs import LATE, Loader
from sidecar.ingest.reading.pictures import (
    MIN_RECOGNISED_SECONDS,
    RECOGNISED_SHARE,
    lacks_words,
    read_inner,
    read_recognised,
)
from sidecar.ingest.reading.prepare import prepare_inner
from sidecar.store.documents.records import HEADINGS_APART, PassageRecord, Prepared
from sidecar.toolkit.answers.notices import is_read_in_part
from sidecar.toolkit.tables.finding import MAX_TABLES
from sidecar.toolkit.tables.names import unique_names
from sidecar.views.embedded import without_workbooks
from sidecar.workers.main import resolve

logger = logging.getLogger(__name__)

_RECOGNISED_PAGES: Final = 8
"""Scans of more pages keep their notice: whoever asked waits for an answer, and a page takes seconds."""


def read_attached(loader: Loader, limits: Limits, refs: Sequence[str], opener: str, *arguments: Any) -> bytes:
    """An attached document as a `store.records.Prepared` without passages, encoded.

    `opener` ("package.module:function", called with `arguments`) gives the attached file; `refs` lead on from there,
    each an `Embed.ref` in the document before.

    Raises:
        FormatError: it cannot be read; UnsupportedError when no plugin does.
        SidecarError: it cannot be opened."""
    payload = open_attached(loader, limits, refs, opener, *arguments)
    file = file_of(detector_of(loader), payload, limits).with_media_type()
    parsed = read_inner(file, recognise=False)
    pages = sum(notice.code == "no_text_layer" for notice in parsed.notices) or len(parsed.parts)
    if limits.ocr and lacks_words(parsed, file) and pages <= _RECOGNISED_PAGES:
        parsed = guarded(file.entry, lambda: read_recognised(file))
    return msgspec.msgpack.encode(replace(prepare_inner(parsed, file), passages=()))


def open_attached(loader: Loader, limits: Limits, refs: Sequence[str], opener: str, *arguments: Any) -> Payload:
    """The bytes at the end of that way. Raises as `read_attached` does."""
    payload: Payload = resolve(opener)(*arguments)
    for ref in refs:
        file = file_of(detector_of(loader), payload, limits)
        plugin = file.entry.plugin
        if not isinstance(plugin, OpensEmbedded):
            raise UnavailableError(f"The format {file.entry.name} cannot open what is embedded in its files.")
        payload = guarded(file.entry, partial(plugin.open_embedded, file.source, ref, limits))
    return payload


def has_attached(parsed: ParsedDocument, file: ReadableFile) -> bool:
    """Whether there is something to be read: an attachment whose suffix belongs to a plugin."""
    # In this order: few files hold any, and to compare a plugin with a protocol is slow.
    return any(_readable(parsed.embedded, file.detector)) and isinstance(file.entry.plugin, HoldsDocuments)


def may_be_scanned(embedded: Sequence[Embed], detector: Detector) -> bool:
    """Whether something is attached whose pages may be pictures."""
    names = (embed.name.lower().encode("utf-8", "replace") for embed in _readable(embedded, detector))
    return any(name.endswith((b".pdf", *LATE)) for name in names)


def with_attached(prepared: Prepared, file: ReadableFile, *, recognise: bool) -> Prepared:
    """The same with tables and passages of the attached documents: block 0 to -(id + 1) of the file's part says which
    one, the section is the number of the part inside it. What cannot be read or is beyond the bounds is left out, and
    said. `recognise`: scans among them too, after all others."""
    plugin, limits = file.entry.plugin, file.limits
    if not isinstance(plugin, HoldsDocuments):
        return prepared
    bounds = plugin.attached
    began = time.process_time()
    documents: dict[int, tuple[Embed, Prepared]] = {}
    waiting: list[Embed] = []
    left_out: list[str] = []
    count = size = chars = 0
    for embed in _readable(prepared.embedded, file.detector):
        over = count >= bounds.count or size + embed.size > bounds.bytes or chars >= bounds.chars
        if over or time.process_time() - began > bounds.seconds:
            left_out.append(embed.name)
            continue
        count += 1
        size += embed.size
        inner, lacking = _inner(embed, plugin, file)
        if inner is not None:
            documents[embed.id] = embed, inner
            chars += sum(len(passage.text) for passage in inner.passages)
            waiting += [embed] if lacking else []
    ends = began + min(bounds.seconds, limits.max_seconds * RECOGNISED_SHARE)
    unread = 0
    for at, embed in enumerate(waiting if recognise and limits.ocr else ()):
        left = ends - time.process_time()
        if left < MIN_RECOGNISED_SECONDS:
            unread += len(waiting) - at
            break
        hurried = dataclasses.replace(file, limits=dataclasses.replace(limits, max_seconds=left))
        again, _ = _inner(embed, plugin, hurried, recognise=True)
        if again is None:
            unread += 1
        elif is_as_whole(again, documents[embed.id][1]):
            documents[embed.id] = embed, again
    return _joined(prepared, [*documents.values()], left_out, unread, bounds.chars)


def is_as_whole(again: Prepared, before: Prepared | None) -> bool:
    """Whether what was read once more may take the place of what was read before."""
    return not is_read_in_part(again.notices) or (before is not None and is_read_in_part(before.notices))


def _joined(
    prepared: Prepared, documents: Sequence[tuple[Embed, Prepared]], left_out: list[str], unread: int, most: int
) -> Prepared:
    """The file with what was read of its attachments, `most` characters of them; `unread` scans were not recognised."""
    found: list[PassageRecord] = []
    tables: list[TableRecord] = [*prepared.tables]
    chars = 0
    for embed, inner in documents:
        tables += _tables(embed, inner)
        for passage in _passages(embed, inner):
            chars += len(passage.text)
            if chars > most:
                left_out.append(embed.name)
                break
            found.append(passage)
    notices = prepared.notices
    if left_out:
        names = ", ".join(name[:80] for name in left_out[:5]) + (", …" if len(left_out) > 5 else "")
        message = f"Too much is attached to be searched whole; read {names} by their own addresses."
        notices += (Notice("left_out", message),)
    if unread:
        what = "1 attachment was" if unread == 1 else f"{unread:,} attachments were"
        message = f"The scans and pictures of {what} not searched for words: they failed, or the time was used up."
        notices += (Notice("left_out", message),)
    names = unique_names(table.name for table in tables)
    kept = tuple(replace(table, name=name) for table, name in zip(tables[:MAX_TABLES], names, strict=False))
    return replace(prepared, passages=prepared.passages + tuple(found), tables=kept, notices=notices)


def _readable(embedded: Sequence[Embed], detector: Detector) -> Iterator[Embed]:
    """Those that are files of a kind that a plugin reads, without the workbooks of charts."""
    return (embed for embed in without_workbooks(embedded) if is_readable(embed, detector))


def is_readable(embed: Embed, detector: Detector) -> bool:
    """Whether it is a file of a kind that a plugin reads."""
    return embed.kind == "attachment" and bool(embed.ref) and detector.expects(embed.name)


def _inner(
    embed: Embed, plugin: OpensEmbedded, file: ReadableFile, *, recognise: bool = False
) -> tuple[Prepared | None, bool]:
    """The attached document, None where it cannot be read, and whether recognition may add words to it."""
    try:
        payload = guarded(file.entry, lambda: plugin.open_embedded(file.source, embed.ref, file.limits))
        inner = file.inner(payload).with_media_type()
        parsed = read_inner(inner, recognise=recognise)
        return prepare_inner(parsed, inner), not recognise and lacks_words(parsed, inner)
    except SidecarError as error:
        logger.info("%s in %s is not searched: %s", embed.name, file.source.name, error)
        return None, False


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
