"""The text of documents attached to a message, as passages that lead to them. Runs in a worker, after the message
itself is in the index: what an attachment does to its reader must not keep the message from being read.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from sidecar.api.errors import SidecarError
from sidecar.api.formats import Limits, OpensEmbedded, Source
from sidecar.api.model import Embed, Notice, ParsedDocument
from sidecar.ingest.reading.detect import Detector, Format
from sidecar.ingest.reading.inner import guarded, parse_inner
from sidecar.store.documents.records import PassageRecord, Prepared

__all__ = ["has_attached", "with_attached"]

logger = logging.getLogger(__name__)

MOST: Final = 16
MOST_BYTES: Final = 16 * 2**20
MOST_CHARS: Final = 400_000
"""Of the text of all attachments of one file together."""
SECONDS: Final = 20.0
"""No further attachment is begun after this; one that takes too long itself is the worker's time limit's."""


def has_attached(parsed: ParsedDocument, detector: Detector) -> bool:
    """Whether there is something to be read: a message's attachment whose suffix a plugin claims."""
    kind = parsed.parts[0].kind if parsed.parts else ""
    return next(_readable(kind, parsed.embedded, detector), None) is not None


def with_attached(prepared: Prepared, entry: Format, source: Source, detector: Detector, limits: Limits) -> Prepared:
    """The same with passages of the attached documents: block 0 to -(id + 1) of the message's part says which one, the
    section is the number of the part inside it. What cannot be read or is beyond the bounds is left out, and said."""
    began = time.monotonic()
    found: list[PassageRecord] = []
    left_out: list[str] = []
    count = size = chars = 0
    for embed in _readable(prepared.part_kind, prepared.embedded, detector):
        over = count >= MOST or size + embed.size > MOST_BYTES or chars >= MOST_CHARS
        if over or time.monotonic() - began > SECONDS:
            left_out.append(embed.name)
            continue
        count += 1
        size += embed.size
        for passage in _passages(embed, entry, source, detector, limits):
            chars += len(passage.text)
            if chars > MOST_CHARS:
                left_out.append(embed.name)
                break
            found.append(passage)
    notices = prepared.notices
    if left_out:
        names = ", ".join(name[:80] for name in left_out[:5]) + (", …" if len(left_out) > 5 else "")
        message = f"Too much is attached to be searched whole; read {names} by their own addresses."
        notices += (Notice("left_out", message),)
    return replace(prepared, passages=prepared.passages + tuple(found), notices=notices)


def _readable(part_kind: str, embedded: Iterable[Embed], detector: Detector) -> Iterator[Embed]:
    if part_kind != "message":
        return
    for embed in embedded:
        if embed.kind == "attachment" and embed.ref and detector.claims(embed.name):
            yield embed


def _passages(
    embed: Embed, entry: Format, source: Source, detector: Detector, limits: Limits
) -> Iterator[PassageRecord]:
    plugin = entry.plugin
    if not isinstance(plugin, OpensEmbedded):
        return
    try:
        payload = guarded(entry, lambda: plugin.open_embedded(source, embed.ref, limits))
        inner = parse_inner(detector, payload, limits, recognise=False)
    except SidecarError as error:
        logger.info("%s in %s is not searched: %s", embed.name, source.name, error)
        return
    name = " ".join(embed.name.split())[:120]
    for passage in inner.passages:
        heading = f"{name} › {passage.heading}" if passage.heading else name
        yield PassageRecord(embed.part or 1, 0, -embed.id - 1, str(passage.part), heading, passage.text, 0)
