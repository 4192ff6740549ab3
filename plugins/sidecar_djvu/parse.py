"""Reads a DjVu document: the recognised text of its pages, what its outline calls them, its links and properties."""

import re
import time
from collections.abc import Iterator

from sidecar.api import AnyBlock, DamagedError, Limits, Note, Notice, Paragraph, ParsedDocument, Part, Source, Span
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.text import without_surrogates
from sidecar_djvu.file import Component, DjvuFile

_SHARE = 0.8
"""Of the time a parse may take, what unpacking may use; the rest is for what follows."""
_PARAGRAPHS = re.compile("[\x0b\x1d\x1f]")
"""Ends of columns, regions and paragraphs (8.3.5)."""
_BROKEN = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_A-Z])")
"""A word parted at the end of a line."""
_STRING = r'"((?:[^"\\]|\\.)*)"'
_AREA = re.compile(rf"\(maparea\s+(?:\(url\s+)?{_STRING}(?:\s+{_STRING}\s*\))?\s*(?:{_STRING})?")
_METADATA = re.compile(r"\(metadata((?:\s*\([^()\"]*\"(?:[^\"\\]|\\.)*\"\s*\))*)")
_FACT = re.compile(rf"\(\s*([A-Za-z-]+)\s+{_STRING}\s*\)")
_FACTS = {
    "author": "author", "subject": "subject", "keywords": "keywords", "producer": "producer", "creator": "creator",
    "creationdate": "created", "moddate": "modified", "year": "created", "publisher": "company",
}  # fmt: skip
_MAX_LINKS = 200
"""Of one page."""
_SHORT = 0.75
"""Of the usual length of a line: one that is shorter and ends a sentence ends its paragraph."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The document page by page. Raises FormatError."""
    source.check_size(limits)
    until = time.process_time() + limits.max_seconds * _SHARE
    try:
        file = DjvuFile(source.read(limits.max_file_bytes), source.name)
    except ValueError as error:
        raise DamagedError(f"{source.name} is a damaged DjVu document: it {error}.") from error
    pages = [one for one in file.components if one.is_page]
    if not pages:
        raise DamagedError(f"{source.name} is a damaged DjVu document: no page of it can be found.")
    titles = _titles(file, pages)
    parts: list[Part] = []
    notices: list[Notice] = []
    metadata: dict[str, str] = {}
    room = limits.max_text_chars
    for number, page in enumerate(pages, 1):
        if number > limits.max_parts or room <= 0 or time.process_time() > until:
            notices.append(Notice("truncated_at", f"Only the first {number - 1:,} of {len(pages):,} pages were read."))
            break
        try:
            blocks = [*_blocks(file.text_of(page, b"TXT"), number, room)]
            annotations = file.text_of(page, b"ANT").decode("utf-8", "replace")
        except ValueError as error:
            notices.append(Notice("damaged_part", f"The text of page {number} cannot be read: it {error}.", number))
            blocks, annotations = [], ""
        else:
            if not blocks:
                notices.append(
                    Notice("no_text_layer", "The page is a picture without text, which is not recognised here.", number)
                )
        room -= sum(len(block.text) for block in blocks)
        metadata = metadata or _facts(annotations)
        width, height = file.size(page)
        links = _links(annotations, number)
        parts.append(
            Part(kind="page", title=titles.get(number, ""), blocks=(*blocks, *links), width=width, height=height)
        )
    for shared in () if metadata else (one for one in file.components if not one.is_page):
        metadata = metadata or _facts(_annotations(file, shared))
    return ParsedDocument(
        title=metadata.pop("title", ""), metadata={**metadata, "pages": str(len(pages))}, parts=tuple(parts),
        elements=elements_of(parts), notices=tuple(notices),
    )  # fmt: skip


def _annotations(file: DjvuFile, component: Component) -> str:
    try:
        return file.text_of(component, b"ANT").decode("utf-8", "replace")
    except ValueError:
        return ""


def _blocks(data: bytes, number: int, room: int) -> Iterator[Paragraph]:
    """The paragraphs of a page's text chunk: its length, then the text; what follows says where its words stand."""
    length = int.from_bytes(data[:3], "big")
    text = without_surrogates(data[3 : 3 + length].decode("utf-8", "replace")).replace("\0", "")[:room]
    pieces = [piece for piece in _PARAGRAPHS.split(text) if piece.strip()]
    if len(pieces) < 2 and pieces:
        pieces = [*_sentences(pieces[0])]
    for piece in pieces:
        lines = "\n".join(" ".join(line.split()) for line in piece.splitlines())
        words = " ".join(_BROKEN.sub("", lines.strip()).split())
        if words:
            yield Paragraph(text=words, page=number)


def _sentences(text: str) -> Iterator[str]:
    """A text without marks of paragraphs: an empty line ends one, and a short line at the end of a sentence."""
    lines = text.splitlines()
    lengths = sorted(len(line.strip()) for line in lines if line.strip())
    usual = lengths[len(lengths) * 3 // 4] if lengths else 0
    piece: list[str] = []
    for line in lines:
        piece.append(line)
        stripped = line.strip()
        if not stripped or (len(stripped) < _SHORT * usual and stripped.endswith((".", "?", "!", ":", "…", "。"))):
            yield "\n".join(piece)
            piece = []
    yield "\n".join(piece)


def _titles(file: DjvuFile, pages: list[Component]) -> dict[int, str]:
    """What the outline calls pages: the first and highest of the entries that lead to each."""
    by_name = {page.name: number for number, page in enumerate(pages, 1) if page.name}
    found: dict[int, tuple[int, str]] = {}
    for mark in file.bookmarks:
        target = mark.target.removeprefix("#")
        number = by_name.get(target) or (int(target) if target.isdecimal() and len(target) < 7 else 0)
        if mark.title and 1 <= number <= len(pages) and (number not in found or mark.level < found[number][0]):
            found[number] = mark.level, mark.title
    return {number: title[:300] for number, (_, title) in found.items()}


def _links(annotations: str, number: int) -> Iterator[AnyBlock]:
    """Links to elsewhere and remarks that lie on a page (8.3.4.2)."""
    for count, area in enumerate(_AREA.finditer(annotations)):
        if count >= _MAX_LINKS:
            break
        target, comment = _plain(area[1]), _plain(area[3] or "")
        target = "" if target.startswith("#") else target
        text = comment or target
        if text:
            spans = (Span("link", 0, len(text), target),) if target else ()
            yield Note(kind="annotation", text=text, spans=spans, page=number)


def _facts(annotations: str) -> dict[str, str]:
    """The properties of the document, which stand among the annotations."""
    found = _METADATA.search(annotations)
    values = {key.lower(): _plain(value) for key, value in _FACT.findall(found[1])} if found else {}
    facts = {_FACTS[key]: value[:2000] for key, value in values.items() if key in _FACTS and value}
    return facts | ({"title": values["title"][:500]} if values.get("title") else {})


def _plain(text: str) -> str:
    """A string of annotations without what escapes its signs."""
    return " ".join(without_surrogates(re.sub(r"\\(.)", r"\1", text)).replace("\0", "").split())
