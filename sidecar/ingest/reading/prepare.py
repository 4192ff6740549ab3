"""From a `ParsedDocument` to the records the store writes: segments, sections, passages, estimates. Runs in a worker.

It runs for every document, so it looks at each block once and encodes it once. Not responsible for reading files.

Who wrote a document or a message, to whom, about what and when, out of the metadata its reader found.

Metadata is anybody's text, so a date is taken in any of the forms people and programs write it; what is none is none.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

import msgspec

from sidecar.api.formats import Limits
from sidecar.api.model import AnyBlock, Note, Notice, ParsedDocument, Part, Table, encode_blocks
from sidecar.ingest.reading.costs import ReadingCosts
from sidecar.ingest.reading.detect import ReadableFile, guarded
from sidecar.ingest.reading.passages import Cutter, PartText, document_passages
from sidecar.ingest.reading.sections import SectionOutline
from sidecar.ingest.reading.surroundings import element_words
from sidecar.ingest.reading.titles import TITLE_CHARS, document_title, informative_description
from sidecar.ingest.reading.visible_content import clean_head, named_embeds, without_hidden
from sidecar.store.analysis import folded
from sidecar.store.documents.records import SEGMENT_BYTES, Attribution, PartRecord, PassageRecord, Prepared, Segment
from sidecar.toolkit.answers.tokens import first_words
from sidecar.toolkit.tables.finding import find_relations
from sidecar.toolkit.text import map_texts, on_one_line, without_surrogates, without_turning
from sidecar.toolkit.visible import left_out
from sidecar.views.searchable import Embeds, block_text

_TEXT_CHARS: Final = 1000
_DATES: Final = ("modified", "created")
"""The last change comes first: a document made from another, or from a template, keeps the day that one was made."""
_OWN: Final = ("author", "to", "subject", "created")
"""Metadata of a part that makes it one with an author or a date of its own."""
_FORMS: Final = ("%d %B %Y", "%B %d %Y", "%d %b %Y", "%b %d %Y")
_PARTIAL: Final = re.compile(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?")


def attributions(metadata: Mapping[str, str], parts: Sequence[Mapping[str, str]]) -> tuple[Attribution, ...]:
    """One of the whole document; one of each part where parts have authors, subjects or dates of their own."""
    if any(key in part for part in parts for key in _OWN):
        return tuple(_attribution(part, n) for n, part in enumerate(parts, 1))
    return (_attribution(metadata, 0),)


def moment(text: str) -> int | None:
    """The time a text tells, ns since the epoch; local where it names no zone, a whole day's or year's first moment.

    ISO 8601, RFC 5322, a year or a month alone, "5 March 2024". None for anything else."""
    text = " ".join(text.split())[:60]
    day = _read(text) if any(map(str.isdigit, text)) else None
    try:
        # Beyond these years 64 bits hold no nanoseconds.
        return None if day is None or not 1900 <= day.year < 2262 else int(day.timestamp()) * 10**9
    except (OverflowError, OSError, ValueError):
        return None


def _attribution(metadata: Mapping[str, str], part: int) -> Attribution:
    to = " ".join(filter(None, (metadata.get(key, "") for key in ("to", "cc", "bcc"))))
    dated = next(filter(None, (moment(metadata.get(key, "")) for key in _DATES)), None)
    author, to, subject = (
        folded(text[:_TEXT_CHARS]) for text in (metadata.get("author", ""), to, metadata.get("subject", ""))
    )
    return Attribution(part, author, to, subject, dated)


def _read(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    from email.utils import parsedate_to_datetime  # few dates need it, and it takes as long to load as files to read

    try:
        day = parsedate_to_datetime(text)
        return day if day.tzinfo is not None else day.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(text.replace(",", ""), form)  # noqa: DTZ007  # local time is meant
        except ValueError:
            continue
    partial = _PARTIAL.match(text)
    year, month, day = (int(number or 1) for number in partial.groups()) if partial is not None else (0, 1, 1)
    try:
        return datetime(year, month, day) if year else None  # noqa: DTZ001  # local time is meant
    except ValueError:
        return None


_DESCRIPTION_CHARS: Final = 500
_METADATA_CHARS: Final = 2000
_OPENING: Final = 2
"""In this many passages a document that says who wrote it says so."""
_BLOCK_BYTES: Final = 32
"""What a block weighs besides its text: its tag, keys and numbers."""

T = TypeVar("T")


@dataclass(frozen=True)
class Identity:
    """Whose document it is: the file's SHA-256 (64 hex digits), its size in bytes, and the plugin that read it."""

    sha256: str
    size: int
    plugin: str
    plugin_version: str
    media_type: str = ""


def prepare(parsed: ParsedDocument, identity: Identity, limits: Limits) -> Prepared:
    """Everything the index keeps of one version. Lone surrogates and NUL characters are replaced, limits kept."""
    parsed = _bounded(parsed, limits)
    try:
        return _prepare(parsed, identity, limits)
    except (UnicodeEncodeError, _UncleanText):
        # Rare (a damaged file), so that looking for it must cost nothing: the encoder refuses, then all is cleaned.
        return _prepare(map_texts(parsed, _cleaned), identity, limits)


class _UncleanText(ValueError):
    """A NUL character was found in the text."""


def _head(parsed: ParsedDocument) -> bytes:
    """All of the document but its blocks, as JSON. Raises _UncleanText where a NUL is in it."""
    names = [(part.title, part.name, part.metadata) for part in parsed.parts]
    head = msgspec.json.encode(
        (
            parsed.title,
            parsed.printed_title,
            parsed.description,
            parsed.metadata,
            names,
            parsed.elements,
            parsed.embedded,
            parsed.notices,
        )
    )
    if rb"\u0000" in head and _has_nul(msgspec.json.decode(head)):
        raise _UncleanText
    return head


def _prepare(parsed: ParsedDocument, identity: Identity, limits: Limits) -> Prepared:
    parsed, shown_parts = without_hidden(clean_head(parsed, _head(parsed)))
    embeds: Embeds = {(embed.kind, embed.id): embed for embed in parsed.embedded}
    outline = SectionOutline(shown_parts)
    cutter = Cutter(outline, embeds, parsed.metadata)
    costs = ReadingCosts(embeds)
    parts: list[PartRecord] = []
    passages: list[PassageRecord] = []
    shown: set[tuple[str, int]] = set()
    notices = list(parsed.notices)
    told = parsed.embedded or any(part.blocks or part.metadata for part in parsed.parts)
    if not (told or notices) and identity.size:
        message = "No text, table or picture was found in it; what is drawn without words is not told."
        notices.append(Notice("left_out", message))
    chars = 0
    text = False
    for n, (part, visible_part) in enumerate(zip(parsed.parts, shown_parts, strict=True), 1):
        if chars >= limits.max_text_chars:
            notices.append(_truncated(f"Only the first {n - 1:,} of {len(parsed.parts):,} parts (max_text_chars)."))
            break
        read = cutter.cut(n, visible_part)
        if read.has_nul:
            raise _UncleanText
        chars += read.chars
        text = text or bool(read.passages)
        passages += read.passages
        shown |= read.shown
        if visible_part is not part:
            shown |= named_embeds(part)
        record = _part_record(n, part, visible_part, read)
        tokens = costs.add(record, visible_part.blocks, outline.begins(n), read.ends, hidden=visible_part is not part)
        parts.append(msgspec.structs.replace(record, tokens=tokens))
    title = document_title(parsed, shown_parts)
    words = element_words(parsed.elements, shown_parts, parsed.embedded, passages, title)
    unseen = [embed for embed in parsed.embedded if (embed.kind, embed.id) not in shown]
    passages += document_passages(parsed, unseen, len(parts), passages[:_OPENING])
    return Prepared(
        sha256=identity.sha256, size=identity.size, title=title,
        description=without_turning(_description(parsed.description, shown_parts, embeds)), format=identity.plugin,
        media_type=parsed.media_type or identity.media_type, plugin=identity.plugin,
        plugin_version=identity.plugin_version,
        metadata={key: without_turning(value[:_METADATA_CHARS]) for key, value in parsed.metadata.items() if value},
        part_kind=parsed.parts[0].kind if parsed.parts else "", parts=tuple(parts), tokens=costs.total if text else 0,
        sections=outline.records(costs.between), passages=tuple(passages), elements=parsed.elements,
        embedded=parsed.embedded, notices=tuple(notices),
        tables=find_relations(msgspec.structs.replace(parsed, parts=shown_parts[: len(parts)])),
        attributions=attributions(parsed.metadata, [part.metadata for part in parsed.parts[: len(parts)]]),
        element_words=words,
    )  # fmt: skip


def _part_record(n: int, part: Part, visible_part: Part, read: PartText) -> PartRecord:
    """The record of a part, what it costs to read still 0."""
    name = part.name if part.name.isprintable() else on_one_line(part.name)
    return PartRecord(
        n, kind=part.kind, title=on_one_line(part.title)[:TITLE_CHARS], name=name, hidden=part.hidden, width=part.width,
        height=part.height, tokens=0, chars=read.chars, rows=read.rows, cols=read.cols, metadata=part.metadata,
        segments=_segments(part.blocks, visible_part.blocks, read.ends),
    )  # fmt: skip


def _segments(blocks: Sequence[AnyBlock], shown: Sequence[AnyBlock], ends: Sequence[int]) -> tuple[Segment, ...]:
    """Consecutive blocks encoded together up to about `SEGMENT_BYTES`; the text's length stands for the encoded one,
    `ends` counting what is shown."""
    found: list[Segment] = []
    start = size = 0
    for index in range(len(blocks)):
        weight = ends[index + 1] - ends[index] + _BLOCK_BYTES
        if blocks[index] is not shown[index]:
            weight += left_out(blocks[index], shown[index]).characters
        if size + weight > SEGMENT_BYTES and index > start:
            found.append(_segment(blocks, start, index))
            start, size = index, 0
        size += weight
    if start < len(blocks):
        found.append(_segment(blocks, start, len(blocks)))
    return tuple(found)


def _segment(blocks: Sequence[AnyBlock], start: int, stop: int) -> Segment:
    chosen = list(blocks[start:stop])
    first_row = last_row = -1
    for block in chosen:
        if type(block) is Table and block.rows:
            low, high = block.first_row, block.first_row + len(block.rows) - 1
            first_row = low if first_row < 0 else min(first_row, low)
            last_row = max(last_row, high)
    return Segment(start + 1, stop, first_row, last_row, encode_blocks(chosen))


def _description(description: str, parts: Sequence[Part], embeds: Embeds) -> str:
    """The document's own summary, or the first 100 characters of its text followed by "..."."""
    if own := informative_description(description):
        return own[:_DESCRIPTION_CHARS]
    opening = ""
    for part in parts:
        for block in part.blocks:
            if type(block) is Note and block.kind == "header":
                continue  # whom a message is from and to, or what every page repeats
            opening = f"{opening} {block_text(block, embeds)}" if opening else block_text(block, embeds)
            if len(opening) > 200:
                return first_words(opening)
    return first_words(opening)


def _bounded(parsed: ParsedDocument, limits: Limits) -> ParsedDocument:
    """A plugin keeps the limits itself; one that forgot is cut here, and the document says so."""
    notices = parsed.notices
    parts, embedded = parsed.parts, parsed.embedded
    if len(parts) > limits.max_parts:
        notices += (_truncated(f"Only the first {limits.max_parts:,} of {len(parts):,} parts (max_parts)."),)
        parts = parts[: limits.max_parts]
    if len(embedded) > limits.max_embedded:
        message = f"Only the first {limits.max_embedded:,} of {len(embedded):,} embedded objects (max_embedded)."
        notices += (_truncated(message),)
        embedded = embedded[: limits.max_embedded]
    if notices is parsed.notices:
        return parsed
    return msgspec.structs.replace(parsed, parts=parts, embedded=embedded, notices=notices)


def _truncated(what: str) -> Notice:
    return Notice("truncated_at", f"{what[:-1]} were indexed.")


def _cleaned(text: str) -> str:
    """The text with U+FFFD for every NUL character and lone surrogate."""
    return without_surrogates(text).replace("\0", "\ufffd")


def _has_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, list):
        return any(map(_has_nul, value))
    if isinstance(value, dict):
        return any(_has_nul(key) or _has_nul(item) for key, item in value.items())
    return False


def prepare_inner(parsed: ParsedDocument, file: ReadableFile) -> Prepared:
    """What was read of a file inside another, prepared as any file is. Raises FormatError."""
    entry, source = file.entry, file.source
    digest = hashlib.sha256(source.read(file.limits.max_file_bytes)).hexdigest()
    identity = Identity(digest, source.size, entry.name, entry.version, source.media_type)
    return guarded(entry, lambda: prepare(parsed, identity, file.limits))
