"""Reads one RTF file: blocks, chapters, headers and footers at the end of the first."""

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.markup.chapters import behind_first, elements_of, place_embeds, split_chapters
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.word.headings import found_headings
from sidecar.toolkit.word.rtf import RtfDocument, read_rtf


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters. Raises FormatError."""
    read = _read(source, limits)
    metadata = dict(read.metadata)
    chapters = split_chapters(found_headings(read.blocks), metadata.pop("title", ""), limits.max_parts)
    parts = behind_first(chapters.parts, read.notes)
    document = ParsedDocument(
        title=chapters.title, description=metadata.pop("description", ""), metadata=metadata, parts=parts,
        elements=elements_of(parts, read.embeds.pictures.embedded),
        embedded=place_embeds(parts, read.embeds.pictures.embedded),
        notices=(*read.notices, *read.embeds.pictures.notices()),
    )  # fmt: skip
    return with_drawn_words(document, read.embeds.files.__getitem__)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture or attached file of that name. Raises NotFoundError."""
    return _read(source, limits).embeds.open(ref, source.name)


def _read(source: Source, limits: Limits) -> RtfDocument:
    data = source.read(limits.max_file_bytes)
    return read_rtf(data, source.name, limits.max_embedded, limits.max_text_chars)
