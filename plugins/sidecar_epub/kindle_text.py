"""Reads a Kindle book as a document of chapters: its text is one page of HTML, whose pictures are named by numbers."""

import re
from typing import Final

from sidecar.api import (
    AnyBlock,
    DamagedError,
    Limits,
    NotFoundError,
    Notice,
    Paragraph,
    ParsedDocument,
    Payload,
    Source,
)
from sidecar.toolkit.hidden import find_hidden
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.html import parse_html, read_html
from sidecar.toolkit.markup.pictures import InnerFile, Pictures, payload
from sidecar.toolkit.pictures import EXTENSIONS, HEAD_BYTES, sniff_image
from sidecar.toolkit.text import cut_notice
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.xml import XmlElement
from sidecar_epub.kindle import KindleBook, read_book

_RECORD: Final = "record:"
_EMBEDDED: Final = re.compile(r"kindle:embed:([0-9A-V]{1,6})", re.IGNORECASE)
_PARAGRAPHS: Final = re.compile(r"\r?\n\s*\r?\n")


def parse_kindle(source: Source, limits: Limits) -> ParsedDocument:
    """The book. Raises FormatError."""
    book = read_book(source.read(limits.max_file_bytes), source.name, limits.max_text_chars)
    facts = dict(book.facts)
    title = facts.pop("title", "")
    pictures = Pictures(limits.max_embedded, lambda src: _inner(book, src))
    notices: list[Notice] = []
    if len(book.html) >= limits.max_text_chars:
        notices.append(cut_notice(limits.max_text_chars))
    chapters = split_chapters(_blocks(book, source.name, pictures), title, limits.max_parts)
    if not chapters.parts:
        raise DamagedError(f"{source.name} has no text that can be read.")
    parts = chapters.parts
    return ParsedDocument(
        title=title or chapters.title, description=facts.pop("description", ""), metadata=facts, parts=parts,
        elements=elements_of(parts), embedded=place_embeds(parts, pictures.embedded),
        notices=(*notices, *hidden_notice(block for part in parts for block in part.blocks), *pictures.notices()),
    )  # fmt: skip


def open_kindle(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture by the number of its record. Raises NotFoundError, FormatError."""
    book = read_book(source.read(limits.max_file_bytes), source.name, limits.max_text_chars)
    found = _inner(book, ref)
    if found is None:
        raise NotFoundError(f"{source.name} holds no file {ref!r}.")
    return payload(book.pictures[_number(ref) - 1], found.media_type, found.name)


def _blocks(book: KindleBook, name: str, pictures: Pictures) -> list[AnyBlock]:
    if book.is_text:
        texts = (" ".join(text.split()) for text in _PARAGRAPHS.split(book.html))
        return [Paragraph(text=text) for text in texts if text]
    root = parse_html(book.html, name)
    body = root.find("body")
    body = root if body is None else body
    for node in body.iter("img", "image"):
        _name_picture(node)
    return read_html(body, pictures, hidden=find_hidden(body))


def _name_picture(node: XmlElement) -> None:
    """Give a picture the address of its record: MOBI tells a number, KF8 one in base 32."""
    embedded = _EMBEDDED.match(node.get("src") or "")
    number = node.get("recindex") or node.get("hirecindex") or ""
    if embedded:
        node.set("src", f"{_RECORD}{int(embedded[1], 32)}")
    elif number.isdecimal():
        node.set("src", f"{_RECORD}{int(number[:9])}")


def _number(ref: str) -> int:
    digits = ref.removeprefix(_RECORD)
    return int(digits) if ref.startswith(_RECORD) and digits.isdecimal() and len(digits) < 9 else 0


def _inner(book: KindleBook, src: str) -> InnerFile | None:
    number = _number(src)
    if not 0 < number <= len(book.pictures):
        return None
    data = book.pictures[number - 1]
    info = sniff_image(data[:HEAD_BYTES])
    if info is None:
        return None
    name = f"picture{number}{EXTENSIONS.get(info.media_type, '')}"
    return InnerFile(src, name, info.media_type, len(data), data[:HEAD_BYTES])
