"""Reads a book: each file of the reading order through the HTML reader, cut into the chapters its contents name."""

import posixpath
import re
from html import unescape

from sidecar.api import (
    AnyBlock,
    DamagedError,
    Figure,
    Heading,
    Limits,
    NotFoundError,
    Notice,
    ParsedDocument,
    Part,
    Payload,
    Source,
)
from sidecar.toolkit.hidden import find_hidden
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.html import declared_encoding, parse_html, read_html
from sidecar.toolkit.markup.pictures import Inner, Pictures, open_data_url, payload
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar.toolkit.text import decode, without_surrogates
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, source_comments
from sidecar_epub.book import Book, Chapter, open_book, resolve

_LINKED = re.compile(r"""<link\b[^>]{0,500}?\bhref\s*=\s*["']([^"'>]{1,500}\.css)["']""", re.IGNORECASE)
_HEAD_CHARS, _SHEET_BYTES = 20_000, 500_000
"""How much of a chapter and of a style sheet is looked at."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The book as a document of chapters. Raises FormatError."""
    return _parse(source, limits, "")[0]


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A file of the book by its path, or the n-th `data:` URL."""
    if ref.startswith("data:"):
        url = _parse(source, limits, ref)[1]
        if url:
            return open_data_url(url, f"{source.name}: {ref}")
        raise NotFoundError(f"{source.name} holds no embedded file {ref!r}.")
    with Package(source, limits) as package:
        if ref not in package:
            raise NotFoundError(f"{source.name} holds no file {ref!r}.")
        data = package.read(ref)
        return payload(data, open_book(package, source.name).types.get(ref.lower(), ""), posixpath.basename(ref))


def _parse(source: Source, limits: Limits, wanted: str) -> tuple[ParsedDocument, str]:
    source.check_size(limits)
    with Package(source, limits) as package:
        book = open_book(package, source.name)
        files = _Files(package, book)
        pictures = Pictures(limits.max_embedded, files.inner, wanted)
        notices: list[Notice] = []
        read: list[tuple[Chapter, list[AnyBlock]]] = []
        chars = 0
        for chapter in book.chapters:
            if chars > limits.max_text_chars:
                notices.append(Notice("truncated_at", "The rest of the book is beyond max_text_chars."))
                break
            try:
                data = package.read(chapter.path)
                text = without_surrogates(decode(data, chapter.path, declared_encoding(data)).text)
                chars += len(text)
                root = parse_html(text, chapter.path, files.sheets(text, posixpath.dirname(chapter.path)))
            except DamagedError as error:
                notices.append(Notice("damaged_part", f"A chapter could not be read: {error}"))
                continue
            files.folder = posixpath.dirname(chapter.path)
            body = root.find("body")
            body = root if body is None else body
            comments = source_comments(text)
            read.append((chapter, [*read_html(body, pictures, hidden=find_hidden(body)), *comment_notes(comments)]))
            notices += comments_notice(comments)
        if book.cover and wanted == "":
            files.folder = ""
            pictures.add(f"/{book.cover}", "Cover")
        if not read:
            raise DamagedError(f"{source.name} has no chapter that can be read.")
        parts = _parts(read, limits.max_parts)
        document = ParsedDocument(
            title=book.title,
            description=book.description,
            metadata=book.metadata,
            parts=parts,
            elements=elements_of(parts),
            embedded=place_embeds(parts, pictures.embedded),
            notices=(*notices, *hidden_notice(block for part in parts for block in part.blocks), *pictures.notices()),
        )
        return document, pictures.found_url


class _Files:
    """Finds the file a `src` names, relative to the folder of the chapter being read."""

    def __init__(self, package: Package, book: Book) -> None:
        self.folder = ""
        self._package = package
        self._types = book.types
        self._sheets: dict[str, str] = {}

    def sheets(self, text: str, folder: str) -> list[str]:
        """The style sheets of the book that a chapter in that folder links to."""
        paths = [resolve(folder, unescape(href)) for href in _LINKED.findall(text[:_HEAD_CHARS])]
        for path in paths:
            if path and path not in self._sheets:
                try:
                    data = self._package.read(path, _SHEET_BYTES) if path in self._package else b""
                except DamagedError:
                    data = b""
                self._sheets[path] = data.decode("utf-8", "replace")
        return [self._sheets[path] for path in paths if path]

    def inner(self, src: str) -> Inner | None:
        if "://" in src:
            return None
        path = resolve(self.folder, src)
        if not path or path not in self._package:
            return None
        try:
            head = self._package.read(path, HEAD_BYTES)
        except DamagedError:
            return None
        kind = self._types.get(path.lower(), "")
        return Inner(path, posixpath.basename(path), kind, self._package.size(path), head)


def _parts(read: list[tuple[Chapter, list[AnyBlock]]], most: int) -> tuple[Part, ...]:
    """A part begins where the contents point to: at a file, or at the block of that anchor or that heading in it.

    A file they do not mention begins one when it opens with a heading, and goes on with the part before when not.

    A book in a single file without contents is cut at its headings.
    """
    filled = [(chapter, blocks) for chapter, blocks in read if blocks]
    if len(filled) == 1 and len(filled[0][0].entries) < 2:
        return split_chapters(filled[0][1], "", most).parts
    parts: list[tuple[str, list[AnyBlock]]] = []
    for chapter, blocks in filled:
        inside = {fragment: name for fragment, name in chapter.entries if fragment}
        names = {name.casefold() for name in inside.values()}
        first = next((block for block in blocks if not isinstance(block, Figure)), None)
        title = next((name for fragment, name in chapter.entries if not fragment), "")
        if not title and isinstance(first, Heading):
            title = inside.get(first.anchor, first.text)
        if title or not parts:
            parts.append((title, []))
        for block in blocks:
            heading = block.text if isinstance(block, Heading) else ""
            begins = (block.anchor and block.anchor in inside) or (heading and heading.casefold() in names)
            if begins and parts[-1][1] and not all(isinstance(block, (Figure, Heading)) for block in parts[-1][1]):
                parts.append((inside.get(block.anchor) or heading, []))
            parts[-1][1].append(block)
    return tuple(Part(kind="chapter", title=title, blocks=tuple(blocks)) for title, blocks in parts[:most] if blocks)
