"""Reads files inside a worker process: open, detect, hash, parse, prepare; one honest outcome a file.

The indexer calls `read_files` by name through the pool; time and memory are bounded from outside.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import os
import stat
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast, get_args

from msgspec.structs import replace

from sidecar.api.errors import FormatError
from sidecar.api.formats import SNIFF_BYTES, Limits, Source
from sidecar.api.library import DocumentState
from sidecar.api.model import Notice, ParsedDocument
from sidecar.ingest.reading.attachments import has_attached, with_attached
from sidecar.ingest.reading.detect import Detector, Format, detector_of, media_type
from sidecar.ingest.reading.jobs import LATE, UNFINISHED, Job, Loader, Outcome, encode
from sidecar.ingest.reading.prepare import Identity, prepare
from sidecar.store.documents.records import FileStat

logger = logging.getLogger(__name__)

_WHOLE_BYTES: Final = 16 * 2**20
"""Files up to this size are read once: hashed and parsed from the same bytes, whatever happens to them meanwhile."""
_COMING: Final = "OCR comes when everything else is indexed."
_SOURCE_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
)


def read_files(jobs: list[Job], loader: Loader, limits: Limits) -> Iterator[bytes]:
    """The frames of each job's outcome (see `jobs.encode`), in order."""
    detector = detector_of(loader)
    for job in jobs:
        yield from encode(read_file(job, detector, limits))


def preload(loader: Loader) -> None:
    """Import the formats ahead of the first file."""
    detector_of(loader)


def file_stat(status: os.stat_result) -> FileStat:
    """What the index remembers of a file's state."""
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)


def read_file(job: Job, detector: Detector, limits: Limits) -> Outcome:
    """What the file holds, or why it could not be read. Raises MemoryError only."""
    path = os.fsdecode(job.path)
    try:
        descriptor = os.open(path, _SOURCE_FLAGS)
    except OSError as error:
        return _unopened(path, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Outcome(kind="gone")
        seen = file_stat(status)
        outcome = _read_open(job, descriptor, seen, detector, limits)
    except OSError as error:
        outcome = Outcome(kind="failed", state="unreadable", reason=f"The file cannot be read: {_words(error)}.")
        seen = FileStat(0, -1)
    finally:
        os.close(descriptor)
    return _unless_changed(path, seen, outcome)


def _read_open(job: Job, descriptor: int, seen: FileStat, detector: Detector, limits: Limits) -> Outcome:
    path = Path(os.fsdecode(job.path))
    source = Source(path, seen.size)
    # `head` is a cached property: given here, so that detecting does not open the file a second time.
    source.__dict__["head"] = _start_of(descriptor)
    entry = detector.detect(source)
    if entry is None:
        return Outcome(kind="unsupported", stat=seen, state="unsupported", reason="No plugin reads this kind of file.")
    failed = Outcome(kind="failed", stat=seen, plugin=entry.name, plugin_version=entry.version)
    if seen.size > limits.max_file_bytes:
        reason = f"The file has {seen.size:,} bytes; limits.max_file_bytes is {limits.max_file_bytes:,}."
        return replace(failed, state="too_large", reason=reason)
    whole = _all_of(descriptor) if seen.size <= _WHOLE_BYTES else None
    if whole is not None and len(whole) != seen.size:
        return Outcome(kind="changed", stat=seen)
    sha256 = _digest(descriptor, whole)
    failed = replace(failed, sha256=sha256)
    before = job.sha256, job.plugin, job.plugin_version
    if before == (sha256, entry.name, entry.version):
        return replace(failed, kind="same")
    if before == (sha256, entry.name, entry.version + UNFINISHED) and not job.slow:
        return replace(failed, kind="same", plugin_version=job.plugin_version, unfinished=True)
    if (sha256, entry.name, entry.version, source.suffix) in job.copies:
        return replace(failed, kind="copy")
    kind = media_type(entry, source)
    try:
        source = Source(path, seen.size, kind, whole)
        parsed, unfinished = _parse(entry, source, limits, slow=job.slow)
        unfinished = unfinished or (not job.slow and has_attached(parsed, detector))
        version = entry.version + UNFINISHED if unfinished else entry.version
        prepared = prepare(parsed, Identity(sha256, seen.size, entry.name, version, kind), limits)
        if job.slow:
            prepared = with_attached(prepared, entry, source, detector, limits)
    except FormatError as error:
        return replace(failed, state=_state(error), reason=_sentence(error))
    except RecursionError:
        reason = "The document is nested too deeply to be read."
        return replace(failed, state="damaged", reason=reason)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # the boundary to a plugin: its fault is this document's state, not the worker's end
        logger.warning("%s\n%s", source.name, "".join(traceback.format_exception(error)))
        reason = f"The {entry.name} plugin failed with {type(error).__name__}: {_sentence(error)}"
        return replace(failed, state="crashed", reason=reason)
    return replace(failed, kind="read", plugin_version=version, prepared=prepared, unfinished=unfinished)


def _parse(entry: Format, source: Source, limits: Limits, *, slow: bool) -> tuple[ParsedDocument, bool]:
    """The document, and whether pages of it wait to be recognised: that takes seconds a page, and all that needs none
    of it comes first. Where no page lacks its text, nothing is left to be done."""
    if slow or not limits.ocr or source.path.suffix.lower().encode() in LATE:
        return entry.plugin.parse(source, limits), False
    parsed = entry.plugin.parse(source, dataclasses.replace(limits, ocr=False))
    pages = sum(notice.code == "no_text_layer" for notice in parsed.notices)
    if not pages:
        return parsed, False
    remark = Notice("no_text_layer", f"{pages:,} {'page has' if pages == 1 else 'pages have'} no text layer; {_COMING}")
    kept = [notice for notice in parsed.notices if notice.code != "no_text_layer"]
    return replace(parsed, notices=(*kept, remark)), True


def _unless_changed(path: str, seen: FileStat, outcome: Outcome) -> Outcome:
    """The outcome, unless the path shows another content by now."""
    try:
        now = file_stat(os.stat(path))  # noqa: PTH116 - a path that need not be text, once a file
    except FileNotFoundError:
        return Outcome(kind="gone")
    except OSError as error:
        return _unopened(path, error)
    if seen.mtime_ns == -1:  # it broke off before it was clear what was read
        return replace(outcome, stat=now)
    return outcome if now == seen else Outcome(kind="changed", stat=now)


def _unopened(path: str, error: OSError) -> Outcome:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Outcome(kind="gone")
    reason = f"The file cannot be opened: {_words(error)}."
    try:
        status = os.lstat(path)
    except OSError:
        return Outcome(kind="gone")
    if stat.S_ISDIR(status.st_mode):
        return Outcome(kind="gone")
    return Outcome(kind="failed", stat=file_stat(status), state="unreadable", reason=reason)


def _start_of(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, SNIFF_BYTES)


def _all_of(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read()


def _digest(descriptor: int, whole: bytes | None) -> str:
    if whole is not None:
        return hashlib.sha256(whole).hexdigest()
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


def _state(error: FormatError) -> DocumentState:
    """The error's own state; a third party's unknown one counts as damaged."""
    return cast("DocumentState", error.state) if error.state in get_args(DocumentState) else "damaged"


def _words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _sentence(error: Exception) -> str:
    """The error's message on one line, without what no database or client could take."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text.encode("utf-8", "replace").decode().replace("\0", "")[:500]
