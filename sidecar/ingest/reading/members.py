"""The members of an archive as documents of their own, read in the worker that reads the archive, within its bounds.

How an archive is opened is its plugin's; what is not read stays in the archive's own list of members."""

import dataclasses
import hashlib
import logging
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath
from typing import Final, cast, get_args

from msgspec.structs import replace

from sidecar.api.errors import FormatError, SidecarError, UnsupportedError
from sidecar.api.formats import HoldsDocuments, Limits, Source
from sidecar.api.model import Embed, Notice
from sidecar.api.records import DocumentState
from sidecar.ingest.reading.attachments import is_as_whole, is_readable, with_attached
from sidecar.ingest.reading.detect import Detector, ReadableFile, file_of, guarded
from sidecar.ingest.reading.jobs import Outcome
from sidecar.ingest.reading.pictures import MIN_RECOGNISED_SECONDS, RECOGNISED_SHARE, lacks_words, read_inner
from sidecar.ingest.reading.prepare import prepare_inner
from sidecar.ingest.secrets import BY_NAME, FOLDERS, is_secret_name, secret_content
from sidecar.registry.formats import FormatEntry
from sidecar.store.documents.records import FileStat, Prepared

logger = logging.getLogger(__name__)

Content = tuple[str, str, str, str]
"""SHA-256, plugin, its version and suffix of what is indexed."""
_MAX_DEPTH: Final = 3
"""Archives within archives that are opened."""
_NAMED: Final = 5


def with_members(
    prepared: Prepared, file: ReadableFile, *, secrets: bool, known: Collection[Content]
) -> tuple[Prepared, tuple[Outcome, ...]]:
    """The archive, with a notice of what was beyond its bounds, and its members as far as a plugin reads them.

    `secrets`: those that look like keys and credentials are read too, and not only listed. `known`: what the index has
    of members that were read before, which is not read again."""
    reading = _ArchiveReading(file.entry, file.detector, file.limits, secrets=secrets, known=known)
    found = {outcome.name: outcome for outcome in reading.members(prepared.embedded, file.source, "", 1)}
    found |= {outcome.name: outcome for outcome in reading.recognised()}
    if reading.unrecognised:
        what = "1 member" if reading.unrecognised == 1 else f"{reading.unrecognised:,} members"
        message = f"The pictures and scans of {what} were not searched for words: the time for OCR was used up."
        prepared = replace(prepared, notices=(*prepared.notices, Notice("left_out", message)))
    if reading.left_out:
        names = ", ".join(name[:80] for name in reading.left_out[:_NAMED]) + ", …" * (len(reading.left_out) > _NAMED)
        message = f"Too much is in this archive to be indexed whole; unpack it to have {names} too."
        prepared = replace(prepared, notices=(*prepared.notices, Notice("left_out", message)))
    return prepared, tuple(found.values())


@dataclass
class _ArchiveReading:
    """The reading of one archive, and of what is left of its bounds."""

    entry: FormatEntry
    detector: Detector
    limits: Limits
    secrets: bool
    known: Collection[Content]
    left_out: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.process_time)
    waiting: list[tuple[Embed, Source, Outcome]] = field(default_factory=list[tuple[Embed, Source, Outcome]])
    """Members whose pictures or scans were not recognised, with the archive each is in and what was read of it."""
    unrecognised: int = 0
    count: int = 0
    size: int = 0
    chars: int = 0

    def members(self, embedded: Iterable[Embed], source: Source, above: str, depth: int) -> Iterator[Outcome]:
        """Each document in there, by the way that leads to it, those in archives within it too."""
        plugin = self.entry.plugin
        assert isinstance(plugin, HoldsDocuments)  # noqa: S101 - `FormatEntry.holds_members`
        bounds = plugin.attached
        for embed in embedded:
            name = f"{above}{embed.name}"
            secret = not self.secrets and _is_secret(name)
            if not _stays_below(embed.name) or not (is_readable(embed, self.detector) or (secret and embed.ref)):
                continue
            over = self.count >= bounds.count or self.size + embed.size > bounds.bytes or self.chars >= bounds.chars
            if over or time.process_time() - self.began > bounds.seconds:
                self.left_out.append(name)
                continue
            self.count += 1
            if secret:
                stat = FileStat(embed.size, 0)
                yield Outcome(kind="failed", name=name, stat=stat, state="secret", reason=BY_NAME)
                continue
            yield from self._member(plugin, embed, source, name, depth)

    def _member(self, plugin: HoldsDocuments, embed: Embed, source: Source, name: str, depth: int) -> Iterator[Outcome]:
        failed = Outcome(kind="failed", name=name, stat=FileStat(embed.size, 0))
        try:
            payload = guarded(self.entry, partial(plugin.open_embedded, source, embed.ref, self.limits))
            self.size += len(payload.data)
            inner = file_of(self.detector, payload, self.limits)
            entry, suffix = inner.entry, inner.source.suffix
            failed = replace(
                failed, stat=FileStat(len(payload.data), 0), sha256=hashlib.sha256(payload.data).hexdigest(),
                plugin=entry.name, plugin_version=entry.version,
            )  # fmt: skip
            why = "" if self.secrets else secret_content(payload.data, suffix)
            if why:
                yield replace(failed, state="secret", reason=why)
                return
            if entry is not self.entry and (failed.sha256, entry.name, entry.version, suffix) in self.known:
                yield replace(failed, kind="same")
                return
            inner = inner.with_media_type()
            parsed = read_inner(inner, recognise=False)
            prepared = prepare_inner(parsed, inner)
        except UnsupportedError:
            return
        except FormatError as error:
            state = cast("DocumentState", error.state) if error.state in get_args(DocumentState) else "damaged"
            yield replace(failed, state=state, reason=str(error)[:500])
            return
        except SidecarError as error:
            logger.info("%s in %s is not read: %s", embed.name, source.name, error)
            return
        if entry is self.entry:
            within = self.members(prepared.embedded, inner.source, f"{name}/", depth + 1) if depth < _MAX_DEPTH else ()
            inside = list(within)
            if depth == _MAX_DEPTH:
                self.left_out += [f"{name}/{one.name}" for one in prepared.embedded]
        else:
            prepared = with_attached(prepared, inner, recognise=False)
            inside = []
        self.chars += sum(len(passage.text) for passage in prepared.passages)
        outcome = replace(failed, kind="read", prepared=prepared)
        if self.limits.ocr and lacks_words(parsed, inner):
            self.waiting.append((embed, source, outcome))
        yield outcome
        yield from inside

    def recognised(self) -> Iterator[Outcome]:
        """The members that have pictures or scans once more, with the words of those, as far as there is time."""
        plugin = self.entry.plugin
        assert isinstance(plugin, HoldsDocuments)  # noqa: S101 - `FormatEntry.holds_members`
        ends = self.began + min(plugin.attached.seconds, self.limits.max_seconds * RECOGNISED_SHARE)
        for at, (embed, source, outcome) in enumerate(self.waiting):
            left = ends - time.process_time()
            if left < MIN_RECOGNISED_SECONDS:
                self.unrecognised = len(self.waiting) - at
                return
            limits = dataclasses.replace(self.limits, max_seconds=left)
            try:
                payload = guarded(self.entry, partial(plugin.open_embedded, source, embed.ref, limits))
                inner = file_of(self.detector, payload, limits).with_media_type()
                parsed = read_inner(inner, recognise=True)
                inner = dataclasses.replace(inner, limits=self.limits)
                prepared = prepare_inner(parsed, inner)
            except SidecarError as error:
                logger.info("%s in %s is not recognised: %s", embed.name, source.name, error)
                continue
            if is_as_whole(prepared, outcome.prepared):
                prepared = with_attached(prepared, inner, recognise=False)
                yield replace(outcome, prepared=prepared)


def _stays_below(name: str) -> bool:
    return "\0" not in name and not any(step in ("", ".", "..") for step in name.split("/"))


def _is_secret(name: str) -> bool:
    *directories, last = (step.encode("utf-8", "replace") for step in PurePosixPath(name).parts)
    return is_secret_name(last) or any(directory.lower() in FOLDERS for directory in directories)
