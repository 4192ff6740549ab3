"""A Word package put together as a `ParsedDocument`: body into chapters, notes to the chapter that calls them.

The order inside a chapter is: the body's blocks; then footnotes, endnotes and comments in the order of their calls;
then the headers and footers of the sections that begin in it. So a new comment never renumbers a paragraph.

Blocks split into chapters at the top-level headings; where a document styles none, at those found by their looks.

Front matter of a few lines (a title, a subtitle, a date) belongs to the first chapter; more is a chapter of its own."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sidecar.api.errors import DamagedError, FormatError, LimitError
from sidecar.api.formats import Limits, Source
from sidecar.api.model import AnyBlock, Heading, Note, Notice, Paragraph, ParsedDocument, Part
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.hidden_text import hex_colour
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.word.headings import found_headings
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_docx.body.context import DocumentState, RunningKind, Section, TextFull
from sidecar_docx.body.plain_paragraphs import IrregularParagraph
from sidecar_docx.body.scanning import split_body
from sidecar_docx.body.story import Story
from sidecar_docx.body.text import text_of
from sidecar_docx.elements import find_elements
from sidecar_docx.embeds import add_fonts, chart_words, placed
from sidecar_docx.notes import Notes
from sidecar_docx.qualified_names import VAL, W, is_on
from sidecar_docx.styles.numbering import Numbering
from sidecar_docx.styles.run_properties import PAGE, UNKNOWN, background
from sidecar_docx.styles.styles import Styles, read_styles

_SCANNED_BYTES = 2**15
"""Main parts from this size on are scanned before a tree is built: in half the time for a book, while reading a short
document takes longer so (tests/bench/formats/twins.py)."""
_FRONT_CHARACTERS = 400


@dataclass(frozen=True)
class Chapter:
    """The body blocks `start` up to `end` (0-based, exclusive) and the title they go by."""

    start: int
    end: int
    title: str


def _split(blocks: Sequence[AnyBlock], most: int) -> list[Chapter]:
    """Chapters of the body, at most `most` of them (what is over stays in the last)."""
    levels = [block.level for block in blocks if isinstance(block, Heading) and not block.hidden]
    if not levels:
        title = next((b.text for b in blocks if isinstance(b, Paragraph) and b.style == "title"), "")
        return [Chapter(0, len(blocks), _short(title))] if blocks else []
    top = min(levels)
    starts = [i for i, b in enumerate(blocks) if isinstance(b, Heading) and b.level == top and not b.hidden][:most]
    chapters = [
        Chapter(start, end, _title(blocks[start]))
        for start, end in zip(starts, [*starts[1:], len(blocks)], strict=True)
    ]
    if starts[0] == 0:
        return chapters
    front = blocks[: starts[0]]
    if _is_short(front):
        chapters[0] = Chapter(0, chapters[0].end, chapters[0].title)
        return chapters
    title = next((b.text for b in front if isinstance(b, Paragraph) and b.style == "title"), "")
    if not title:
        title = next((text_of(b) for b in front if isinstance(b, (Heading, Paragraph))), "")
    return [Chapter(0, starts[0], _short(title, 80)), *chapters]


def _is_short(front: Sequence[AnyBlock]) -> bool:
    plain = all(isinstance(block, (Paragraph, Note)) for block in front)
    return plain and sum(len(text_of(block)) for block in front) <= _FRONT_CHARACTERS


def _title(block: AnyBlock) -> str:
    if isinstance(block, Heading):
        return _short(f"{block.number} {block.text}" if block.number else block.text)
    return _short(text_of(block))


def _short(text: str, longest: int = 200) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


_BACKGROUND = re.compile(rb'<w:background\b[^>]*?\sw:color="([^"]*)"')
_MEDIA_TYPES = {
    "document.main": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "document.macroEnabled": "application/vnd.ms-word.document.macroEnabled.12",
    "template.main": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "template.macroEnabledTemplate": "application/vnd.ms-word.template.macroEnabled.12",
}
"""What the main part's content type tells about the file → the file's media type."""


def read_document(source: Source, limits: Limits) -> ParsedDocument:
    """The document in a .docx, .docm, .dotx or .dotm package. Raises FormatError as `FormatPlugin.parse` does."""
    with Package(source, limits) as package:
        main = package.main_part()
        data = package.markup(main)
        page = _page_background(data)
        scanned = split_body(data) if len(data) >= _SCANNED_BYTES else None
        if scanned is not None:
            try:
                return _read(package, main, page, limits, lambda story, out: story.body(scanned, out))
            except IrregularParagraph:
                pass  # all over again
        root = parse_xml(data, f"{source.name}: {main}")
        del data
        body = root.find(f"{W}body")
        if root.tag != f"{W}document" or body is None:
            raise DamagedError(f"{source.name} is an Office package, but its main part is not a Word document.")
        return _read(package, main, page, limits, lambda story, out: story.blocks(body, out))


def _page_background(data: bytes) -> int:
    """The colour of the pages (§17.2.1), as `shading` gives one; white where the main part names none."""
    written = _BACKGROUND.search(data, 0, max(data.find(b"<w:body"), 0))
    if written is None:
        return PAGE
    colour = hex_colour(written[1].decode("ascii", "replace"))
    return UNKNOWN if colour is None else background(colour)


def _read(
    package: Package, main: str, page: int, limits: Limits, fill: Callable[[Story, list[AnyBlock]], None]
) -> ParsedDocument:
    """The document whose body `fill` reads, on pages of the background `page`. Raises what `fill` does."""
    relations = package.relationships(main)
    parts = {relation.type: relation.target for relation in relations.values() if not relation.external}
    notices: list[Notice] = []
    document = DocumentState(
        package=package, limits=limits, styles=_styles(package, parts.get("styles", "word/styles.xml"), notices),
        numbering=Numbering(lambda: _optional(package, parts.get("numbering", "word/numbering.xml"), notices)),
        embeds=EmbedRegister(package, limits, unique_names=True), page=page, notices=notices,
    )  # fmt: skip
    settings: XmlElement | None = None
    if page != PAGE:  # §17.15.1.25: colours of pages are written, and not always shown
        settings = _optional(package, parts.get("settings", "word/settings.xml"), notices)
        shown = settings is not None and settings.find(f"{W}displayBackgroundShape") is not None
        document.page = page if shown else UNKNOWN
    story = Story(document, main, main=True)
    try:
        fill(story, document.body)
    except TextFull:
        notices.append(Notice("truncated_at", f"The text goes on beyond max_text_chars ({limits.max_text_chars:,})."))
    document.close_sections()
    if settings is None and any(page == "even" for section in document.sections for _, page, _ in section.running):
        settings = _optional(package, parts.get("settings", "word/settings.xml"), notices)
    return _composed(document, main, settings)


def _optional(package: Package, part: str, notices: list[Notice]) -> XmlElement | None:
    """An optional part's root; None where it is absent or damaged, which is noticed."""
    if part not in package:
        return None
    try:
        return package.xml(part)
    except LimitError:
        raise
    except FormatError as error:
        notices.append(Notice("damaged_part", str(error)))
        return None


def _styles(package: Package, part: str, notices: list[Notice]) -> Styles:
    """The document's styles; none where they are absent or damaged, which is noticed."""
    if part not in package:
        return Styles()
    try:
        return package.shared(part, read_styles)
    except LimitError:
        raise
    except FormatError as error:
        notices.append(Notice("damaged_part", str(error)))
        return Styles()


def _composed(document: DocumentState, main: str, settings: XmlElement | None) -> ParsedDocument:
    package = document.package
    notes = Notes(document, main)
    body = found_headings(document.body, lambda block: id(block) in document.prominent)
    chapters = _split(body, document.limits.max_parts)
    parts = _chapters(document, notes, body, chapters, _even_pages(settings))
    titles = [chapter.title for chapter in chapters] or [""]
    elements = find_elements(
        parts, [chapter.end - chapter.start for chapter in chapters] or [0], chart_words(document.embeds)
    )
    try:
        add_fonts(document.embeds)
    except FormatError as error:
        document.damaged(str(error))
    document.embeds.add_unplaced()
    metadata = read_properties(package, package.relationships(""))
    title = metadata.pop("title", "") or next(
        (block.text for block in body if isinstance(block, Paragraph) and block.style == "title"), ""
    )
    declared = package.content_type(main)
    media_type = next((media for key, media in _MEDIA_TYPES.items() if key in declared), _MEDIA_TYPES["document.main"])
    document.notices += filter(None, [document.embeds.macros("document")])
    composed = ParsedDocument(
        title=" ".join(title.split())[:500],
        description=metadata.get("description", ""),
        media_type=media_type,
        metadata=metadata,
        parts=tuple(
            Part(kind="chapter", title=name, blocks=tuple(blocks)) for name, blocks in zip(titles, parts, strict=True)
        ),
        elements=tuple(elements),
        embedded=placed(document.embeds, parts),
        notices=tuple(document.remarks()),
    )
    return with_drawn_words(composed, package.read)


def _chapters(
    document: DocumentState, notes: Notes, body: list[AnyBlock], chapters: list[Chapter], even: bool
) -> list[list[AnyBlock]]:
    """The blocks of every chapter, notes included; one chapter at least when there is anything at all."""
    spans = [(chapter.start, chapter.end) for chapter in chapters] or [(0, 0)]
    parts = [body[start:end] for start, end in spans]

    def chapter_at(position: int) -> int:
        return next((i for i, (start, end) in enumerate(spans) if start <= position < end), len(spans) - 1)

    for kind in ("footnote", "endnote", "comment"):
        done = 0
        # Notes may call further notes (a comment in a footnote), which join the end of the list meanwhile.
        while done < len(document.references):
            reference = document.references[done]
            done += 1
            if reference.kind == kind:
                parts[chapter_at(reference.position)] += notes.called(reference.kind, reference.number, reference.shown)
    uses = list(_running(document.sections, even))
    # What some section shows is shown; a first-page header no section switches on is hidden.
    for section, number, kind, page, part, hidden in sorted(uses, key=lambda use: use[-1]):
        parts[chapter_at(section.position)] += notes.running(kind, page, part, number, hidden)
    parts[-1] += notes.unreferenced()
    return parts


def _running(sections: list[Section], even: bool) -> Iterator[tuple[Section, int, RunningKind, str, str, bool]]:
    """Every section's headers and footers: `(section, number, kind, page, part, hidden)`."""
    running: dict[tuple[RunningKind, str], str] = {}
    for number, section in enumerate(sections, 1):
        # A section without a reference of its own continues the one before (§17.10.5).
        running |= {(kind, page): part for kind, page, part in section.running}
        for (kind, page), part in running.items():
            hidden = (page == "first" and not section.title_page) or (page == "even" and not even)
            yield section, number, kind, page, part, hidden


def _even_pages(settings: XmlElement | None) -> bool:
    node = settings.find(f"{W}evenAndOddHeaders") if settings is not None else None
    return node is not None and is_on(node.get(VAL))
