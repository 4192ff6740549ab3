"""Reads a OneNote section: a chapter a page, with its outlines from top to bottom ([MS-ONE]).

Ink, recordings' marks and pages' former versions are left out."""

import struct
from typing import Final

from sidecar.api import DamagedError, Limits, ParsedDocument, Part, Payload, Source
from sidecar.api.model import AnyBlock, Figure, Heading, Paragraph, Table
from sidecar.toolkit.markup.chapters import block_text, elements_of, place_embeds
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ole.properties import file_time
from sidecar.toolkit.text import cut_notice
from sidecar.toolkit.times import iso_utc
from sidecar.toolkit.word.embeds import StoryEmbeds
from sidecar_onenote.package import is_package, read_package
from sidecar_onenote.spaces import CONTENT_ROLE, METADATA_ROLE, Object, Section, Space
from sidecar_onenote.store import RevisionStore
from sidecar_onenote.text import paragraph, words

_CHILDREN, _CONTENT, _STRUCTURE, _PAGES = 0x24001C20, 0x24001C1F, 0x24001D5F, 0x2C001D63
_TITLE, _PAGE_TITLE, _AUTHOR, _CREATED, _LISTS = (0x1C001CF3, 0x1C001D3C, 0x1C001D75, 0x18001C65, 0x24001C26)
_ACROSS, _DOWN = 0x14001C14, 0x14001C15
_PICTURE, _PICTURE_NAME, _ALT, _FILE, _FILE_NAME, _LIST_FORMAT = (
    0x20001C3F, 0x1C001DD7, 0x1C001E58, 0x20001D9B, 0x1C001D9C, 0x1C001C1A,
)  # fmt: skip
_TEXT, _ELEMENT, _GROUP, _IMAGE, _TABLE, _ATTACHED = (0x6000E, 0x6000D, 0x60019, 0x60011, 0x60022, 0x60035)
_NUMBER: Final = "\ufffd"
"""What stands for the number in the format of a list ([MS-ONE] 2.3.20)."""
_MAX_DEPTH: Final = 40


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The section as a document. Raises FormatError."""
    return _SectionReader(source, limits).document()


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture or an attached file. Raises NotFoundError, FormatError."""
    reader = _SectionReader(source, limits)
    reader.document()
    return reader.embeds.open(ref, source.name)


class _SectionReader:
    def __init__(self, source: Source, limits: Limits) -> None:
        data = source.read(limits.max_file_bytes)
        self._name, self._limits = source.name, limits
        self._section: Section = (read_package if is_package(data) else _stored)(data, source.name)
        self._left = limits.max_text_chars
        self._blocks: list[AnyBlock] = []
        self._seen: set[int] = set()
        self._counts: dict[int, int] = {}
        self.embeds = StoryEmbeds(limits.max_embedded)

    def document(self) -> ParsedDocument:
        """All pages."""
        parts: list[Part] = []
        authors: dict[str, None] = {}
        for space in self._pages():
            if len(parts) < self._limits.max_parts and self._left > 0:
                parts.append(self._page(space, authors))
        if not parts and not self._section.spaces[self._section.first].objects:
            raise DamagedError(f"{self._name} is damaged: it holds no pages.")
        notices = [*self.embeds.pictures.notices()]
        if self._left <= 0:
            notices.append(cut_notice(self._limits.max_text_chars))
        embedded = self.embeds.pictures.embedded
        metadata = {"author": ", ".join(authors)} if authors else {}
        document = ParsedDocument(
            metadata=metadata, parts=tuple(parts), elements=elements_of(parts, embedded),
            embedded=place_embeds(tuple(parts), embedded), notices=tuple(notices),
        )  # fmt: skip
        return with_drawn_words(document, self.embeds.files.__getitem__)

    def _pages(self) -> list[Space]:
        """Those that the section names, in its order; what was deleted is no longer named."""
        root = self._section.spaces[self._section.first]
        section = root.root(CONTENT_ROLE)
        found: list[Space] = []
        for series in root.below(section, _CHILDREN) if section is not None else []:
            listed = series.properties.get(_PAGES)
            for ref in listed if isinstance(listed, list) else []:
                space = self._section.spaces.get(ref) if isinstance(ref, tuple) else None
                if space is not None and space not in found:
                    found.append(space)
        return found

    def _page(self, space: Space, authors: dict[str, None]) -> Part:
        self._blocks, self._seen = [], set()
        about = space.root(METADATA_ROLE) or Object()
        manifest = space.root(CONTENT_ROLE) or Object()
        title = words(about.properties.get(_TITLE))
        for page in space.below(manifest, _CONTENT):
            title = title or words(page.properties.get(_PAGE_TITLE))
            if author := words(page.properties.get(_AUTHOR)):
                authors[author] = None
            if title:
                self._blocks.append(Heading(text=title.strip() or title, level=1))
            for head in space.below(page, _STRUCTURE):
                self._lines_but_title(space, head, title)
            for one in sorted(space.below(page, _CHILDREN), key=_place):
                self._walk(space, one, 0)
        blocks = tuple(block for block in self._blocks if not isinstance(block, Heading) or block.text.strip())
        return Part(kind="chapter", title=title.strip(), blocks=blocks, metadata=_created(about))

    def _lines_but_title(self, space: Space, head: Object, title: str) -> None:
        """The date and time under a page's title; the title itself is there already."""
        before = len(self._blocks)
        self._walk(space, head, 0)
        lines = [block_text(block) for block in self._blocks[before:]]
        del self._blocks[before:]
        text = " ".join(line for line in lines if line.strip() and line.strip() != title.strip())
        if text:
            self._blocks.append(Paragraph(text=text))

    def _walk(self, space: Space, one: Object, level: int, marker: str = "") -> None:
        if id(one) in self._seen or level > _MAX_DEPTH or self._left <= 0:
            return
        self._seen.add(id(one))
        if one.kind == _ELEMENT:
            self._element(space, one, level)
        elif one.kind == _TEXT:
            self._add(paragraph(space, one, marker, max(level - 1, 0)))
        elif one.kind == _IMAGE:
            self._file(space, one, _PICTURE, words(one.properties.get(_PICTURE_NAME)), words(one.properties.get(_ALT)))
        elif one.kind == _ATTACHED:
            name = words(one.properties.get(_FILE_NAME))
            self._file(space, one, _FILE, name, name)
        elif one.kind == _TABLE:
            self._table(space, one)
        else:
            below = one.kind in (_GROUP,)
            for child in [*space.below(one, _CONTENT), *space.below(one, _CHILDREN)]:
                self._walk(space, child, level + below)

    def _element(self, space: Space, one: Object, level: int) -> None:
        """A line of an outline, its mark, and the lines below it."""
        formats = [words(it.properties.get(_LIST_FORMAT)) for it in space.below(one, _LISTS)]
        marker = ""
        if formats:
            numbered = _NUMBER in formats[0]
            self._counts[level] = self._counts.get(level, 0) + 1 if numbered else 0
            marker = f"{self._counts[level]}." if numbered else "•"
        else:
            self._counts[level] = 0
        for deeper in [at for at in self._counts if at > level]:
            del self._counts[deeper]
        for child in space.below(one, _CONTENT):
            self._walk(space, child, level + 1, marker)
        for child in space.below(one, _CHILDREN):
            self._walk(space, child, level + 1)

    def _table(self, space: Space, table: Object) -> None:
        rows: list[tuple[str, ...]] = []
        outer, self._blocks = self._blocks, []
        figures: list[AnyBlock] = []
        for row in space.below(table, _CHILDREN):
            cells: list[str] = []
            for cell in space.below(row, _CHILDREN):
                self._blocks = []
                for child in space.below(cell, _CHILDREN):
                    self._walk(space, child, 0)
                figures += [block for block in self._blocks if isinstance(block, Figure)]
                cells.append("\n".join(block_text(block) for block in self._blocks))
            rows.append(tuple(cells))
        self._blocks = outer
        self._blocks += [*table_windows(rows), *figures] if any(map(any, rows)) else figures

    def _file(self, space: Space, one: Object, prid: int, name: str, alt: str) -> None:
        data = next((self._section.file(held.file) for held in space.below(one, prid) if held.file), b"")
        self._add(self.embeds.add(data, "", name, alt))

    def _add(self, block: AnyBlock | None) -> None:
        if block is not None:
            self._left -= len(block_text(block)) if not isinstance(block, Table) else 0
            self._blocks.append(block)


def _created(about: Object) -> dict[str, str]:
    value = about.properties.get(_CREATED)
    moment = file_time(value.to_bytes(8, "little")) if isinstance(value, int) else None
    return {"created": iso_utc(moment)} if moment is not None else {}


def _stored(data: bytes, name: str) -> Section:
    return RevisionStore(data, name).section()


def _place(one: Object) -> tuple[float, float]:
    """How far down and across a page it stands."""
    down, across = (one.properties.get(prid) for prid in (_DOWN, _ACROSS))
    return _float(down), _float(across)


def _float(value: object) -> float:
    return struct.unpack("<f", struct.pack("<I", value))[0] if isinstance(value, int) else 0.0
