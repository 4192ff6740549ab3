"""Reads an XPS document: its pages in their order, with their text and pictures (ECMA-388)."""

import posixpath
from collections.abc import Iterator

from msgspec.structs import replace

from sidecar.api import DamagedError, LimitError, Limits, Notice, ParsedDocument, Part, Source
from sidecar.api.model import AnyBlock, Figure, ListItem, Paragraph
from sidecar.toolkit.markup.chapters import elements_of, place_embeds
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.xml import XmlElement, local_name
from sidecar_xps.glyphs import BULLETS, ParagraphText, number_of, paragraphs, runs

_POINTS = 72 / 96
"""A unit of XPS is the 96th of an inch."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The document page by page. Raises FormatError."""
    source.check_size(limits)
    with Package(source, limits) as package:
        register = EmbedRegister(package, limits)
        parts: list[Part] = []
        notices: list[Notice] = []
        room = limits.max_text_chars
        for name in _pages(package, source):
            if len(parts) >= limits.max_parts or room <= 0:
                notices.append(Notice("truncated_at", f"Only the first {len(parts):,} pages were read."))
                break
            number = len(parts) + 1
            try:
                part = _page(package.xml(name), name, number, register)
            except DamagedError as error:
                notices.append(Notice("damaged_part", str(error), number))
                part = Part(kind="page", name=str(number))
            room -= sum(len(block.text) for block in part.blocks if isinstance(block, Paragraph | ListItem))
            parts.append(part)
        metadata = read_properties(package, package.relationships(""))
    embedded = place_embeds(parts, register.done())
    return ParsedDocument(
        title=metadata.pop("title", ""), description=metadata.pop("description", ""), metadata=metadata,
        parts=tuple(parts), elements=elements_of(parts, embedded), embedded=embedded, notices=tuple(notices),
    )  # fmt: skip


def _pages(package: Package, source: Source) -> Iterator[str]:
    """The names of the parts of all pages, each once. Raises DamagedError."""
    starts = [one.target for one in package.relationships("").values() if one.type == "fixedrepresentation"]
    if not starts or starts[0] not in package:
        raise DamagedError(f"{source.name} is a package, but not an XPS document.")
    pages: dict[str, None] = {}
    for document in dict.fromkeys(_sources(package.xml(starts[0]), "DocumentReference", starts[0])):
        if document in package:
            pages.update(dict.fromkeys(_sources(package.xml(document), "PageContent", document)))
    yield from (page for page in pages if page in package)


def _sources(root: XmlElement, kind: str, base: str) -> Iterator[str]:
    for node in root.iter():
        if isinstance(node.tag, str) and local_name(node) == kind and node.get("Source"):
            yield _absolute(base, node.get("Source", ""))


def _absolute(base: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/" + posixpath.dirname(base), target)).lstrip("/")


def _page(root: XmlElement, name: str, number: int, register: EmbedRegister) -> Part:
    blocks: list[AnyBlock] = []
    for one in paragraphs([*runs(root)]):
        if isinstance(one, str):
            try:
                entry = register.file(_absolute(name, one))
            except LimitError:
                entry = None
            blocks += [Figure(embed=entry.key)] if entry is not None else []
        elif one.text.strip():
            blocks.append(_block(one))
    width, height = (round(number_of(root.get(key)) * _POINTS, 1) for key in ("Width", "Height"))
    return Part(kind="page", name=str(number), blocks=tuple(blocks), width=width, height=height)


def _block(text: ParagraphText) -> Paragraph | ListItem:
    shown = text.text.rstrip()
    begins = len(shown) - len(shown.lstrip())
    marker = shown[begins] if shown[begins] in BULLETS and shown[begins + 1 : begins + 2].isspace() else ""
    if marker:
        begins += len(shown[begins + 1 :]) - len(shown[begins + 1 :].lstrip()) + 1
    moved = ((span, max(span.start - begins, 0), min(span.end, len(shown)) - begins) for span in text.spans)
    spans = tuple(replace(span, start=start, end=end) for span, start, end in moved if start < end)
    shown = shown[begins:]
    return ListItem(text=shown, spans=spans, marker=marker) if marker else Paragraph(text=shown, spans=spans)
