"""Reads one file of Word 6 to 2003: blocks, chapters, headers and footers at the end of the first."""

from sidecar.api import Limits, Notice, ParsedDocument, Payload, Source
from sidecar.toolkit.markup.chapters import behind_first, elements_of, place_embeds, split_chapters
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.word.embeds import Embeds
from sidecar_doc.file import DocFile
from sidecar_doc.reader import read_blocks


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters. Raises FormatError."""
    file = DocFile(source.read(limits.max_file_bytes), source.name, limits.max_text_chars)
    embeds = Embeds(limits.max_embedded)
    blocks, edges, changes = read_blocks(file, embeds)
    metadata = read_properties(file.compound)
    chapters = split_chapters(blocks, metadata.pop("title", ""), limits.max_parts)
    parts = behind_first(chapters.parts, edges)
    notices: list[Notice] = []
    if file.cut:
        notices.append(Notice("truncated_at", f"Only the first {limits.max_text_chars:,} characters were read."))
    if changes:
        notices.append(Notice("tracked_changes", f"The text holds {changes:,} stretches of tracked changes."))
    if "Macros" in file.compound or "_VBA_PROJECT_CUR" in file.compound:
        notices.append(Notice("macros", "The file holds macros; they are neither run nor shown."))
    return ParsedDocument(
        title=chapters.title,
        description=metadata.pop("description", ""),
        metadata=metadata,
        parts=parts,
        elements=elements_of(parts, embeds.pictures.embedded),
        embedded=place_embeds(parts, embeds.pictures.embedded),
        notices=(*notices, *hidden_notice(blocks), *embeds.pictures.notices()),
    )


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture or attached file of that name. Raises NotFoundError."""
    file = DocFile(source.read(limits.max_file_bytes), source.name, limits.max_text_chars)
    embeds = Embeds(limits.max_embedded)
    read_blocks(file, embeds)
    return embeds.open(ref, source.name)
