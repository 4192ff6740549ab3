"""Reads documents inside documents, in a worker process and on request: the bytes are opened by whoever knows the file,
the plugin is found as for any file.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from sidecar.api.errors import DamagedError, LimitError, SidecarError, UnavailableError, UnsupportedError
from sidecar.api.formats import Limits, OpensEmbedded, Payload, Source
from sidecar.api.model import ParsedDocument
from sidecar.ingest.reading.detect import Detector, Format, media_type
from sidecar.ingest.reading.formats import detector_of
from sidecar.ingest.reading.jobs import Loader
from sidecar.ingest.reading.prepare import Identity, prepare
from sidecar.store.documents.records import Prepared
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
    prepared = parse_inner(detector_of(loader), payload, limits, recognise=limits.ocr)
    return msgspec.msgpack.encode(msgspec.structs.replace(prepared, passages=()))


def parse_inner(detector: Detector, payload: Payload, limits: Limits, *, recognise: bool) -> Prepared:
    """A file inside another, read by the plugin of its format; `recognise` also the pages of a short scan.

    Raises:
        FormatError: it cannot be read; UnsupportedError when no plugin does.
    """
    source, entry = _format(detector, payload, limits)
    kind = media_type(entry, source)
    source = Source.of_bytes(payload.data, source.name, kind)
    parsed = guarded(entry, lambda: _parsed(entry, source, limits, recognise=recognise))
    identity = Identity(hashlib.sha256(payload.data).hexdigest(), source.size, entry.name, entry.version, kind)
    return guarded(entry, lambda: prepare(parsed, identity, limits))


def open_attached(loader: Loader, limits: Limits, refs: Sequence[str], opener: str, *arguments: Any) -> Payload:
    """The bytes at the end of that way. Raises as `read_attached` does."""
    payload: Payload = resolve(opener)(*arguments)
    for ref in refs:
        source, entry = _format(detector_of(loader), payload, limits)
        plugin = entry.plugin
        if not isinstance(plugin, OpensEmbedded):
            raise UnavailableError(f"The format {entry.name} cannot open what is embedded in its files.")
        payload = guarded(entry, partial(plugin.open_embedded, source, ref, limits))
    return payload


def _format(detector: Detector, payload: Payload, limits: Limits) -> tuple[Source, Format]:
    name = payload.name.replace("\\", "/").rpartition("/")[2].replace("\0", "") or "attachment"
    source = Source.of_bytes(payload.data, name, payload.media_type)
    if source.size > limits.max_file_bytes:
        raise LimitError(f"It has {source.size:,} bytes; limits.max_file_bytes is {limits.max_file_bytes:,}.")
    entry = detector.detect(source)
    if entry is None:
        raise UnsupportedError(f"No plugin reads files of its kind ({payload.media_type or 'unknown'}).")
    return source, entry


def _parsed(entry: Format, source: Source, limits: Limits, *, recognise: bool) -> ParsedDocument:
    parsed = entry.plugin.parse(source, dataclasses.replace(limits, ocr=False))
    blank = sum(notice.code == "no_text_layer" for notice in parsed.notices)
    if recognise and 0 < blank <= _RECOGNISED_PAGES:
        return entry.plugin.parse(source, limits)
    return parsed


def guarded(entry: Format, work: Callable[[], T]) -> T:
    """The boundary to a plugin: its fault is a damaged file."""
    try:
        return work()
    except (SidecarError, OSError, MemoryError):
        raise
    except RecursionError as error:
        raise DamagedError("It is nested too deeply to be read.") from error
    except Exception as error:
        logger.warning("%s", "".join(traceback.format_exception(error)))
        raise DamagedError(f"The {entry.name} plugin failed with {type(error).__name__}.") from error
