"""Reads one PowerPoint 97–2003 file: slides in their order, with what they share ([MS-PPT] 2.4)."""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sidecar.api import DamagedError, Limits, Notice, ParsedDocument, Part, Payload, Source
from sidecar.toolkit.markup.chapters import elements_of, place_embeds
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ole.officeart import Record, records, walk
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.ole.vba import VBA_TYPE, macros_notice
from sidecar.toolkit.visible import hidden_notice, hidden_slides_notice
from sidecar.toolkit.word.embeds import StoryEmbeds
from sidecar_ppt.file import Kind, PptFile, text_of
from sidecar_ppt.numbers import outline_numbers
from sidecar_ppt.powerpoint_95 import read_older
from sidecar_ppt.slide import Deck, SlideContainers, read_slide
from sidecar_ppt.text import SlideFields, read_texts

_MASTERS, _SLIDES, _NOTES = 1, 0, 2
"""Instances of lists of slides."""
_UNITS = 8
_HAS_DATE, _HAS_HEADER, _HAS_FOOTER = 0x0004, 0x0010, 0x0020
_DATE, _HEADER, _FOOTER = 0, 1, 2
_SLIDE_EDGES = 3


@dataclass
class _SlideEntry:
    """A slide in its list: the number it is kept under, its own number, its texts in the outline."""

    kept: int
    number: int
    texts: list[Record] = field(default_factory=list[Record])


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The whole presentation. Raises FormatError."""
    try:
        file, embeds, parts, notices = _read(source, limits)
    except DamagedError:  # a file saved for PowerPoint 95 and 97 at once has both, and the newer one says more
        older = read_older(source, limits)
        if older is None:
            raise
        return older
    metadata = read_properties(file.compound)
    metadata["slides"] = str(len(parts))
    title = metadata.pop("title", "")
    for number, part in enumerate(parts, 1):
        notices += hidden_notice(part.blocks, number)
    notices += hidden_slides_notice(parts)
    document = ParsedDocument(
        title="" if title.lower() in ("powerpoint presentation", "slide 1") else title,
        description=metadata.pop("description", ""), metadata=metadata, parts=parts,
        elements=elements_of(parts, embeds.pictures.embedded), embedded=place_embeds(parts, embeds.pictures.embedded),
        notices=(*notices, *embeds.pictures.notices()),
    )  # fmt: skip
    return with_drawn_words(document, embeds.files.__getitem__)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture, sound or attached file of that name. Raises NotFoundError."""
    _, embeds, _, _ = _read(source, limits)
    return embeds.open(ref, source.name)


def _read(source: Source, limits: Limits) -> tuple[PptFile, StoryEmbeds, tuple[Part, ...], list[Notice]]:
    file = PptFile(source.read(limits.max_file_bytes), source.name)
    embeds = StoryEmbeds(limits.max_embedded)
    width, height = _size(file.document)
    deck = Deck(file, embeds, file.pictures(), _objects(file.document), width, height)
    notes = {entry.number: entry.kept for entry in _list(file.document, _NOTES)}
    masters = {entry.number: entry.kept for entry in _list(file.document, _MASTERS)}
    shared = _shared_words(file.document)
    numbers = outline_numbers(file.document)
    parts: list[Part] = []
    notices: list[Notice] = []
    room = limits.max_text_chars
    for number, entry in enumerate(_list(file.document, _SLIDES), 1):
        if number > limits.max_parts or room <= 0:
            notices.append(Notice("truncated_at", f"Only the first {number - 1:,} slides are read."))
            break
        slide = file.object(entry.kept)
        if slide is None or slide.kind != Kind.SLIDE:
            notices.append(Notice("damaged_part", f"Slide {number} is missing from the file.", number))
            parts.append(Part(kind="slide", width=width, height=height))
            continue
        head = next((record.content for record in records(slide.content) if record.kind == Kind.SLIDE_HEAD), b"")
        master, page = struct.unpack_from("<II", head, 12) if len(head) >= 20 else (0, 0)
        words = replace(_edges(slide.content, shared), number=str(number))
        outline = read_texts(entry.texts, words)
        for at, text in enumerate(outline):
            text.numbers = numbers.get((entry.number, at), b"")
        notes_page = _container(file, notes.get(page, 0), Kind.NOTES)
        design = _container(file, masters.get(master, 0), 0)
        containers = SlideContainers(slide.content, notes_page, design, _styles_of(file, masters, design))
        part = read_slide(deck, containers, outline, number, words)
        parts.append(part)
        room -= sum(len(getattr(block, "text", "")) for block in part.blocks)
    _add_sounds(file.document, embeds)
    notices += _macros(file, embeds)
    return file, embeds, tuple(parts), notices


def _styles_of(file: PptFile, masters: Mapping[int, int], design: bytes) -> bytes:
    """The container with the styles of text: a slide's master, or of a master of titles the one it belongs to."""
    head = next((record.content for record in records(design) if record.kind == Kind.SLIDE_HEAD), b"")
    if len(head) < 16 or any(record.kind == Kind.TEXT_STYLES for record in records(design)):
        return design
    return _container(file, masters.get(int.from_bytes(head[12:16], "little"), 0), 0)


def _macros(file: PptFile, embeds: StoryEmbeds) -> Iterator[Notice]:
    """Attach the source of the macros ([MS-PPT] 2.4.10, VbaInfoAtom), and say that there are any."""
    for record in walk(file.document):
        if record.kind == Kind.MACROS and len(record.content) >= 8 and any(record.content[4:8]):
            project = file.stored(int.from_bytes(record.content[:4], "little"))
            shown = project is not None and project.media_type == VBA_TYPE
            if project is not None and shown:
                embeds.add_file(project)
            yield macros_notice("presentation", shown=shown)
            return


def _container(file: PptFile, number: int, kind: int) -> bytes:
    record = file.object(number) if number else None
    return record.content if record is not None and kind in (0, record.kind) else b""


def _list(document: bytes, instance: int) -> Iterator[_SlideEntry]:
    """The slides of a list; the records behind each are its texts."""
    found = next((r for r in records(document) if r.kind == Kind.SLIDE_LIST and r.instance == instance), None)
    entry: _SlideEntry | None = None
    for record in records(found.content) if found is not None else ():
        if record.kind == Kind.SLIDE_PLACE and len(record.content) >= 16:
            if entry is not None:
                yield entry
            kept, number = struct.unpack_from("<I8xI", record.content)
            entry = _SlideEntry(kept, number)
        elif entry is not None:
            entry.texts.append(record)
    if entry is not None:
        yield entry


def _size(document: bytes) -> tuple[float, float]:
    """Width and height of the slides in points."""
    head = next((record.content for record in records(document) if record.kind == Kind.DOCUMENT_HEAD), b"")
    if len(head) < 8:
        return 720.0, 540.0
    width, height = struct.unpack_from("<ii", head)
    return width / _UNITS, height / _UNITS


def _objects(document: bytes) -> dict[int, int]:
    """Numbers of attached objects → the numbers they are kept under."""
    found: dict[int, int] = {}
    for record in walk(document):
        if record.kind == Kind.OBJECT:
            head = next((r.content for r in records(record.content) if r.kind == Kind.OBJECT_HEAD), b"")
            if len(head) >= 20:
                number, kept = struct.unpack_from("<I4xI", head, 8)
                found[number] = kept
    return found


def _shared_words(document: bytes) -> SlideFields:
    links: dict[int, str] = {}
    fonts: list[str] = []
    for record in walk(document):
        if record.kind == Kind.LINK:
            head = next((r.content for r in records(record.content) if r.kind == Kind.LINK_HEAD), b"")
            strings = {r.instance: text_of(r) for r in records(record.content) if r.kind == Kind.STRING}
            if len(head) >= 4:
                links[int.from_bytes(head[:4], "little")] = strings.get(1, "") or strings.get(3, "")
        elif record.kind == Kind.FONT:
            fonts.append(record.content[:64].decode("utf-16-le", "replace").split("\0", 1)[0])
    return _edges(document, SlideFields(links=links, fonts=tuple(fonts)))


def _edges(content: bytes, words: SlideFields) -> SlideFields:
    """Date, header and footer as a slide has them, else as all have."""
    edges = next((r for r in records(content) if r.kind == Kind.EDGES and r.instance in (0, _SLIDE_EDGES)), None)
    if edges is None:
        return words
    head = next((r.content for r in records(edges.content) if r.kind == Kind.EDGES_HEAD), b"")
    flags = int.from_bytes(head[2:4], "little")
    strings = {r.instance: text_of(r) for r in records(edges.content) if r.kind == Kind.STRING}
    return replace(
        words,
        date=strings.get(_DATE, "") if flags & _HAS_DATE else "",
        header=strings.get(_HEADER, "") if flags & _HAS_HEADER else "",
        footer=strings.get(_FOOTER, "") if flags & _HAS_FOOTER else "",
    )


def _add_sounds(document: bytes, embeds: StoryEmbeds) -> None:
    for record in walk(document):
        if record.kind == Kind.SOUND:
            name = next((text_of(r) for r in records(record.content) if r.kind == Kind.STRING and r.instance == 0), "")
            data = next((r.content for r in records(record.content) if r.kind == Kind.SOUND_DATA), b"")
            if data:
                embeds.add(data, "audio/wav" if data.startswith(b"RIFF") else "audio/basic", name, "")
