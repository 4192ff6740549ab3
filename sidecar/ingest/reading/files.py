"""Reads files inside a worker process: open, detect, hash, parse, prepare; one honest outcome a file.

The indexer calls `read_files` by name through the pool; time and memory are bounded from outside."""

import dataclasses
import errno
import hashlib
import logging
import os
import stat
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, cast, get_args

from msgspec.structs import replace

from sidecar.api import DocumentState, FormatError, Limits, Notice, ParsedDocument, Source
from sidecar.ingest.reading.attachments import has_attached, may_be_scanned, with_attached
from sidecar.ingest.reading.cut import is_cut_short, with_cut_notice
from sidecar.ingest.reading.detect import Detector, ReadableFile, contradicting_type, detector_of, media_type, unread
from sidecar.ingest.reading.jobs import LATE, UNFINISHED, WORDS, Job, Loader, Outcome, encode
from sidecar.ingest.reading.members import with_members
from sidecar.ingest.reading.pictures import has_pictures, read_recognised, with_picture_text
from sidecar.ingest.reading.prepare import Identity, prepare
from sidecar.ingest.secrets import secret_content, secret_head
from sidecar.registry.formats import FormatEntry
from sidecar.store.documents.records import FileStat
from sidecar.toolkit.answers.notices import has_only_words
from sidecar.toolkit.text.cut_parts import cut_parts
from sidecar.workers.opening import open_below

logger = logging.getLogger(__name__)

_WHOLE_BYTES: Final = 16 * 2**20
"""Files up to this size are read once: hashed and parsed from the same bytes, whatever happens to them meanwhile."""
_COMING: Final = "OCR comes when everything else is indexed."
_TO_BE_DONE: Final = ("not_computed", "unverified_text", "picture_text")
"""Notices of what is done in the second reading of a file, besides recognition."""


def read_files(jobs: list[Job], loader: Loader, limits: Limits) -> Iterator[bytes]:
    """The frames of each job's outcome (see `jobs.encode`), in order."""
    detector = detector_of(loader)
    for job in jobs:
        yield from encode(read_file(job, detector, limits))


def preload(loader: Loader) -> None:
    """Import the formats ahead of the first file."""
    detector_of(loader)


def read_file(job: Job, detector: Detector, limits: Limits) -> Outcome:
    """What the file holds, or why it could not be read. Raises MemoryError only."""
    path = os.fsdecode(job.path)
    try:
        folder = job.folder or os.path.dirname(job.path) or b"."  # noqa: PTH120 - a path that need not be text
        descriptor = open_below(folder, job.path, follow_links=job.follow_links)
    except OSError as error:
        return _unopened(path, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Outcome(kind="gone")
        seen = FileStat.of(status)
        outcome = _read_open(job, descriptor, seen, detector, limits)
    except OSError as error:
        outcome = Outcome(kind="failed", state="unreadable", reason=f"The file cannot be read: {_words(error)}.")
        seen = FileStat(0, -1)
    finally:
        os.close(descriptor)
    return _unless_changed(path, seen, outcome)


def _read_open(job: Job, descriptor: int, seen: FileStat, detector: Detector, limits: Limits) -> Outcome:
    name = Path(os.fsdecode(job.path.rpartition(os.sep.encode())[2]))
    source = Source(name, seen.size, "", None, descriptor)
    if not job.secrets and (secret := secret_head(source.head, source.suffix)):
        return Outcome(kind="failed", stat=seen, state="secret", reason=secret)
    readers = detector.readers(source)
    if not readers:
        return Outcome(kind="unsupported", stat=seen, state="unsupported", reason=unread(source.suffix))
    failed = Outcome(kind="failed", stat=seen, plugin=readers[0].name, plugin_version=readers[0].version)
    limit, most = limits.of_file(by_member=readers[0].by_member)
    if seen.size > most:
        reason = f"The file has {seen.size:,} bytes; limits.{limit} is {most:,}."
        return replace(failed, state="too_large", reason=reason)
    limits = limits.for_size(seen.size)
    whole = source.read() if seen.size <= _WHOLE_BYTES else None
    if whole is not None and len(whole) != seen.size:  # where it was written meanwhile, `_unless_changed` says so
        return replace(failed, state="unreadable", reason=_other_size(seen.size, len(whole)))
    why = "" if job.secrets else secret_content(whole or source.head, source.suffix)
    if why:
        return Outcome(kind="failed", stat=seen, state="secret", reason=why)
    sha256, read = (hashlib.sha256(whole).hexdigest(), len(whole)) if whole is not None else _digest(source)
    if read < seen.size:
        return replace(failed, state="unreadable", reason=_other_size(seen.size, read))
    tried: list[Outcome] = []
    for entry in readers:
        failed = replace(failed, sha256=sha256, plugin=entry.name, plugin_version=entry.version)
        kind = media_type(entry, source)
        outcome = _indexed_already(job, failed, source.suffix) or _read_with(
            ReadableFile(entry, Source(name, seen.size, kind, whole, descriptor), detector, limits), failed, job
        )
        if outcome.state not in ("damaged", "unsupported"):
            return outcome
        tried.append(outcome)
    return _refused(tried[0], readers, source, detector)


def _refused(first: Outcome, readers: Sequence[FormatEntry], source: Source, detector: Detector) -> Outcome:
    """What is said of a file that none of its readers can read, the `first` with that outcome."""
    if not source.head.strip(b"\0"):
        return replace(first, state="damaged", reason=_nothing_in(source))
    unsupported = Outcome(kind="unsupported", stat=first.stat, sha256=first.sha256, state="unsupported")
    if detector.by_guess(readers[0], source):
        return replace(unsupported, reason=unread(source.suffix))
    what = contradicting_type(readers, source)
    if what:
        return replace(unsupported, reason=f"It is {what}, whatever its name says; no plugin reads it under that name.")
    if first.state == "damaged" and is_cut_short(source):
        return replace(first, reason=f"{source.name} is cut short: its end is missing; copy or download it again.")
    return first


def _nothing_in(source: Source) -> str:
    """What is said of a file without bytes, or of zero bytes from its start."""
    if not source.size:
        return f"{source.name} is empty."
    return f"{source.name} holds only zero bytes at its beginning: it was not written or copied to its end; restore it."


def _indexed_already(job: Job, failed: Outcome, suffix: str) -> Outcome | None:
    """What needs no parsing, because the index has the same content read by the same plugin."""
    sha256, plugin, version = failed.sha256, failed.plugin, failed.plugin_version
    before = job.sha256, job.plugin, job.plugin_version
    if before == (sha256, plugin, version):
        return replace(failed, kind="same")
    if before == (sha256, plugin, version + UNFINISHED) and not job.slow:
        return replace(failed, kind="same", plugin_version=job.plugin_version, unfinished=True)
    return replace(failed, kind="copy") if (sha256, plugin, version, suffix) in job.copies else None


def _read_with(file: ReadableFile, failed: Outcome, job: Job) -> Outcome:
    """What one plugin makes of the file; `failed` with the reason where it cannot read it."""
    entry, source, limits = file.entry, file.source, file.limits
    try:
        with cut_parts() as cut:
            parsed, left = _parse(file, job)
        parsed = with_cut_notice(parsed, source, cut)
        attached = not job.slow and has_attached(parsed, file)
        recognised = job.slow and job.recognise
        if not (left or recognised) and (attached or (limits.ocr and _has_words_to_recognise(parsed, file))):
            left = UNFINISHED
        if recognised and limits.ocr:
            parsed = with_picture_text(parsed, file)
        version = entry.version + left
        identity = Identity(failed.sha256, source.size, entry.name, version, source.media_type)
        prepared = prepare(parsed, identity, limits)
        members: tuple[Outcome, ...] = ()
        if job.slow and entry.holds_members:
            prepared, members = with_members(prepared, file, secrets=job.secrets, known=frozenset(job.copies))
        elif job.slow:
            prepared = with_attached(prepared, file, recognise=recognised)
    except FormatError as error:
        return replace(failed, state=_state(error), reason=_sentence(error))
    except RecursionError:
        return replace(failed, state="damaged", reason="The document is nested too deeply to be read.")
    except (OSError, MemoryError):
        raise
    except Exception as error:  # the boundary to a plugin: its fault is this document's state, not the worker's end
        logger.warning("%s\n%s", source.name, "".join(traceback.format_exception(error)))
        reason = f"The {entry.name} plugin failed with {type(error).__name__}: {_sentence(error)}"
        return replace(failed, state="crashed", reason=reason)
    followed_by = len(members) if entry.holds_members and not left else -1
    return replace(
        failed, kind="read", plugin_version=version, prepared=prepared, unfinished=left != "", attached=attached,
        members=members, followed_by=followed_by,
    )  # fmt: skip


def _has_words_to_recognise(parsed: ParsedDocument, file: ReadableFile) -> bool:
    """Whether there are pictures that may hold words, or scans may be attached; an archive's members are recognised
    when they are read."""
    if has_pictures(parsed, file.entry):
        return True
    scanned = not file.entry.holds_members and may_be_scanned(parsed.embedded, file.detector)
    return scanned and has_attached(parsed, file)


def _parse(file: ReadableFile, job: Job) -> tuple[ParsedDocument, str]:
    """The document, and what follows the plugin's version while more of it is to be read: all but its words, or pages
    that wait to be recognised, formulas to be calculated, invisible text to be compared with what its picture says.
    That takes seconds, and all that needs none of it comes first. Where nothing is lacking, nothing is left."""
    if job.slow and job.recognise:
        return read_recognised(file), ""
    limits = file.limits
    ocr = limits.ocr and file.source.path.suffix.lower().encode() in LATE
    quick = dataclasses.replace(limits, ocr=ocr, words_only=job.words)
    parsed = read_recognised(dataclasses.replace(file, limits=quick))
    if has_only_words(parsed.notices):
        return parsed, WORDS
    if ocr or not limits.ocr:
        return parsed, ""
    pages = sum(notice.code == "no_text_layer" for notice in parsed.notices)
    if not pages:
        return parsed, UNFINISHED if any(notice.code in _TO_BE_DONE for notice in parsed.notices) else ""
    remark = Notice("no_text_layer", f"{pages:,} {'page has' if pages == 1 else 'pages have'} no text layer; {_COMING}")
    kept = [notice for notice in parsed.notices if notice.code != "no_text_layer"]
    return replace(parsed, notices=(*kept, remark)), UNFINISHED


def _unless_changed(path: str, seen: FileStat, outcome: Outcome) -> Outcome:
    """The outcome, unless the path shows another content by now."""
    try:
        now = FileStat.of(os.stat(path))  # noqa: PTH116 - a path that need not be text, once a file
    except FileNotFoundError:
        return Outcome(kind="gone")
    except OSError as error:
        return _unopened(path, error)
    if seen.mtime_ns == -1:  # it broke off before it was clear what was read
        return replace(outcome, stat=now)
    return outcome if now == seen else Outcome(kind="changed", stat=now)


def _unopened(path: str, error: OSError) -> Outcome:
    # Where a link is, no file is: what a walk says of the link holds.
    if isinstance(error, FileNotFoundError | NotADirectoryError) or error.errno in (errno.ELOOP, errno.EXDEV):
        return Outcome(kind="gone")
    reason = f"The file cannot be opened: {_words(error)}."
    try:
        status = os.lstat(path)
    except OSError:
        return Outcome(kind="gone")
    if stat.S_ISDIR(status.st_mode):
        return Outcome(kind="gone")
    return Outcome(kind="failed", stat=FileStat.of(status), state="unreadable", reason=reason)


def _digest(source: Source) -> tuple[str, int]:
    """And of how many bytes it is."""
    with source.open() as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()


def _other_size(size: int, read: int) -> str:
    """What is said of a file of which `read` bytes can be read, though it is said to have `size`."""
    count = "more" if read > size else f"{read:,}"
    return (
        f"The file is said to have {size:,} bytes, and {count} can be read: it lies perhaps in a cloud; have it "
        "kept on this computer."
    )


def _state(error: FormatError) -> DocumentState:
    """The error's own state; a third party's unknown one counts as damaged."""
    return cast("DocumentState", error.state) if error.state in get_args(DocumentState) else "damaged"


def _words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _sentence(error: Exception) -> str:
    """The error's message on one line, without what no database or client could take."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text.encode("utf-8", "replace").decode().replace("\0", "")[:500]
