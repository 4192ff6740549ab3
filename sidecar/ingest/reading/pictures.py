"""Recognises the words in a document's pictures, in its second reading: screenshots in a manual, slides that are
pictures, scans pasted into a letter. They become the text of the figures that show them.

Pages are left to the plugins that read them, which know which of them are scans."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import logging
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from operator import is_
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from sidecar.api.errors import SidecarError
from sidecar.api.formats import Limits, OpensEmbedded, ShowsPages
from sidecar.api.model import AnyBlock, Element, Embed, Figure, Notice, Paragraph, ParsedDocument, Part, Table
from sidecar.ingest.reading.cut import with_cut_notice
from sidecar.ingest.reading.detect import ReadableFile, guarded
from sidecar.ingest.reading.jobs import LATE
from sidecar.registry.formats import FormatEntry
from sidecar.toolkit.pictures import WEB_PICTURES
from sidecar.toolkit.text.cut_parts import cut_parts

if TYPE_CHECKING:
    from sidecar.toolkit.ocr import PictureReader

logger = logging.getLogger(__name__)

_TYPES: Final = WEB_PICTURES | {"image/bmp", "image/tiff"}
_MIN_SIDE, _MIN_LENGTH, _MIN_BYTES = 40, 120, 800
"""Pixels of the shorter and the longer side, and bytes: smaller pictures are icons and rules."""
_REPEATED: Final = 3
"""A picture in more parts than that is a logo."""
_MAX_PICTURES: Final = 200
_SHARE: Final = 0.4
"""Of the time that reading a document may take."""
_MAX_CHARS: Final = 4000
_SAMPLE: Final = 100
"""Blocks of text that tell the letters a document is written in."""
_ELEMENT_CHARS: Final = 20_000
_KNOWN: Final = 256
"""Texts of pictures that a worker remembers: a template's pictures are in every document made from it."""

RECOGNISED_SHARE: Final = 0.6
"""Of the time that reading a file may take, that after which nothing inside it is recognised any more."""
MIN_RECOGNISED_SECONDS: Final = 2.0
"""That must be left of it for one."""
_WITHOUT_WORDS: Final = frozenset(("no_text_layer", "picture_text", "unverified_text"))
"""Notices of what recognition may add to a document."""

_seen: dict[bytes, tuple[str, str]] = {}


def read_recognised(file: ReadableFile) -> ParsedDocument:
    """The document with what is recognised of it. What shows pages is read as a document of pages, headings, tables and
    all. Raises FormatError, and what a plugin at fault raises."""
    plugin, source, limits = file.entry.plugin, file.source, file.limits
    if not limits.ocr or not isinstance(plugin, ShowsPages):
        return plugin.parse(source, limits)
    try:
        payload = plugin.as_pages(source, limits)
        if payload is not None:
            shown = file.inner(payload)
            read = guarded(shown.entry, lambda: shown.entry.plugin.parse(shown.source, limits))
            if any(_has_text(block) for part in read.parts for block in part.blocks):
                return _with_pages(plugin.parse(source, dataclasses.replace(limits, ocr=False)), read)
    except SidecarError as error:
        logger.info("%s is not read as pages: %s", source.name, error)
    return plugin.parse(source, limits)


def _with_pages(document: ParsedDocument, read: ParsedDocument) -> ParsedDocument:
    """The document with what was read of its pages behind what its parts show, and the elements in that."""
    parts: list[Part] = []
    elements: list[Element] = []
    texts: list[str] = []
    for number, (part, page) in enumerate(zip(document.parts, read.parts, strict=False), 1):
        blocks, places = [*part.blocks], dict[int, int]()
        for at, block in enumerate(page.blocks, 1):
            taken = Paragraph(text=block.text, page=number) if isinstance(block, Figure) else replace(block, box=None)
            if isinstance(taken, Table) or taken.text.strip():
                blocks.append(taken)
                places[at] = len(blocks)
                texts += [] if isinstance(taken, Table) or number > 1 else [taken.text]
        parts.append(replace(part, blocks=tuple(blocks)))
        elements += [
            replace(element, block=places[element.block], box=None)
            for element in read.elements
            if element.part == number and element.type != "figure" and element.block in places
        ]
    text = "\n".join(texts)
    own = [replace(one, context=text[:600], text=text[:_ELEMENT_CHARS]) for one in document.elements]
    return replace(
        document,
        parts=(*parts, *document.parts[len(parts) :]),
        printed_title=read.printed_title,
        elements=(*own, *elements),
        notices=(*document.notices, *(notice for notice in read.notices if notice.code != "no_text_layer")),
    )


def read_inner(file: ReadableFile, *, recognise: bool) -> ParsedDocument:
    """A file inside another, with all that is recognised of it or by its own text alone. Raises SidecarError."""
    if not recognise:
        file = dataclasses.replace(file, limits=dataclasses.replace(file.limits, ocr=False))
    with cut_parts() as cut:
        parsed = guarded(file.entry, lambda: with_cut_notice(read_recognised(file), file.source, cut))
    return with_picture_text(parsed, file) if recognise else parsed


def lacks_words(parsed: ParsedDocument, file: ReadableFile) -> bool:
    """Whether recognition may add words to a file that was read without."""
    late = file.source.suffix.encode("utf-8", "replace") in LATE
    return late or any(notice.code in _WITHOUT_WORDS for notice in parsed.notices) or has_pictures(parsed, file.entry)


def has_pictures(parsed: ParsedDocument, entry: FormatEntry) -> bool:
    """Whether there are pictures that may hold words."""
    # In this order: most files hold none, and to compare a plugin with a protocol is slow.
    if entry.holds_members or not parsed.embedded or not any(_candidates(parsed)):
        return False
    return isinstance(entry.plugin, OpensEmbedded)


def with_picture_text(parsed: ParsedDocument, file: ReadableFile) -> ParsedDocument:
    """The document with the words of its pictures in its figures and elements, and a notice that says so, and with what
    they look like. Pictures that cannot be read, and those for which no time is left, stay without."""
    if not has_pictures(parsed, file.entry):
        return parsed
    seen, left = _recognised(parsed, file)
    found = {key: text for key, (text, _) in seen.items() if text}
    notices = list(parsed.notices)
    if found:
        pictures = "1 picture" if len(found) == 1 else f"{len(found):,} pictures"
        code = "picture_text" if any(_has_text(block) for part in parsed.parts for block in part.blocks) else "ocr"
        notices.append(Notice(code, f"The words of {pictures} were read by OCR and may hold mistakes."))
    if left:
        notices.append(
            Notice("left_out", f"{left:,} pictures were not searched for words: the time for OCR was used up.")
        )
    parts = tuple([_part(part, found) for part in parsed.parts]) if found else parsed.parts
    elements = tuple([_element(element, found) for element in parsed.elements])
    embedded = [
        replace(one, looks=seen[one.id][1]) if one.kind == "image" and one.id in seen else one
        for one in parsed.embedded
    ]
    return replace(parsed, parts=parts, elements=elements, embedded=tuple(embedded), notices=tuple(notices))


def _recognised(parsed: ParsedDocument, file: ReadableFile) -> tuple[dict[int, tuple[str, str]], int]:
    """The words of each picture by its id, with what it looks like, and how many pictures there was no time for."""
    from sidecar.toolkit.ocr import figure_reader

    entry, source, limits = file.entry, file.source, file.limits
    sample = "".join(islice(_texts_of(parsed), _SAMPLE))
    reader = figure_reader(parsed.metadata.get("language", ""), sample, limits.max_seconds * _SHARE)
    ends = time.process_time() + limits.max_seconds * _SHARE
    texts: dict[int, tuple[str, str]] = {}
    plugin = entry.plugin
    assert isinstance(plugin, OpensEmbedded)  # noqa: S101 - `has_pictures`
    candidates = list(_candidates(parsed))
    for at, embed in enumerate(candidates[:_MAX_PICTURES]):
        if reader.seconds <= 0 or time.process_time() > ends:
            return texts, len(candidates) - at
        try:
            payload = guarded(entry, lambda ref=embed.ref: plugin.open_embedded(source, ref, limits))
        except SidecarError as error:
            logger.info("%s in %s is not searched for words: %s", embed.name, source.name, error)
            continue
        texts[embed.id] = _words(payload.data, reader, limits)
    return texts, max(len(candidates) - _MAX_PICTURES, 0)


def _words(data: bytes, reader: PictureReader, limits: Limits) -> tuple[str, str]:
    """The words of a picture, "" where it shows none that can be told, and what it looks like."""
    digest = hashlib.sha256(data).digest()
    if (known := _seen.get(digest)) is not None:
        return known
    from PIL import Image

    from sidecar.toolkit.ocr.kinds import kind_and_colours
    from sidecar.toolkit.ocr.pictures import are_words, read_paragraphs, reading_errors, taken_by_camera

    text = like = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # size warnings: the limit below is ours
            image = Image.open(io.BytesIO(data))
            if image.width * image.height <= limits.max_pixels:
                text = "" if taken_by_camera(image) else "\n".join(read_paragraphs(reader, image))
                like = kind_and_colours(image, len(text.split()))
    except reading_errors() as error:
        logger.info("A picture cannot be searched for words: %s", error)
    text = text[:_MAX_CHARS] if are_words(text) else ""
    if not reader.failure and reader.seconds > 0:  # else it may have been read in part
        if len(_seen) >= _KNOWN:
            _seen.pop(next(iter(_seen)))
        _seen[digest] = text, like
    return text, like


def _candidates(parsed: ParsedDocument) -> Iterator[Embed]:
    """The pictures that figures show which have no text yet, each once, in order."""
    places: Counter[int] = Counter()
    for part in parsed.parts:
        if part.kind != "page" and not part.hidden:
            places.update({key for block in part.blocks if (key := _picture(block)) is not None})
    if not places:
        return
    for embed in parsed.embedded:
        if embed.kind == "image" and 0 < places[embed.id] <= _REPEATED and _may_hold_words(embed):
            yield embed


def _picture(block: AnyBlock) -> int | None:
    """The id of the picture that a figure without text shows."""
    if isinstance(block, Figure) and block.embed is not None and block.embed[0] == "image" and not block.hidden:
        return None if block.text else block.embed[1]
    return None


def _may_hold_words(embed: Embed) -> bool:
    if not embed.ref or embed.hidden or embed.media_type not in _TYPES or 0 < embed.size < _MIN_BYTES:
        return False
    sides = sorted((embed.width, embed.height))
    return not sides[0] or (sides[0] >= _MIN_SIDE and sides[1] >= _MIN_LENGTH)


def _has_text(block: AnyBlock) -> bool:
    """Whether a block that is not a figure says anything."""
    return not isinstance(block, Figure) and (isinstance(block, Table) or bool(block.text.strip()))


def _texts_of(parsed: ParsedDocument) -> Iterator[str]:
    for part in parsed.parts:
        for block in part.blocks:
            if not isinstance(block, Table) and block.text:
                yield block.text


def _part(part: Part, found: Mapping[int, str]) -> Part:
    """The part with the words of its pictures."""
    blocks = [_block(block, found) for block in part.blocks]
    return part if all(map(is_, blocks, part.blocks)) else replace(part, blocks=tuple(blocks))


def _block(block: AnyBlock, found: Mapping[int, str]) -> AnyBlock:
    picture = _picture(block)
    text = found.get(picture, "") if picture is not None else ""
    return replace(block, text=text) if text else block


def _element(element: Element, found: Mapping[int, str]) -> Element:
    if element.embed is None or element.embed[0] != "image" or not (text := found.get(element.embed[1], "")):
        return element
    return replace(element, text=f"{element.text}\n{text}".strip())
