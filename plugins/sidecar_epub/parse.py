"""Reads a book: each file of the reading order through the HTML reader, cut into the chapters its contents name. The
package of an EPUB (EPUB 3.3 §5, OCF): what it is about, its files, the order to read them in, its contents."""

import contextlib
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from sidecar.api.errors import DamagedError, EncryptedError, NotFoundError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, Figure, Heading, Notice, ParsedDocument, Part
from sidecar.toolkit.hidden import find_hidden
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.html import declared_encoding, parse_html, read_html
from sidecar.toolkit.markup.pictures import InnerFile, Pictures, open_data_url, payload
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar.toolkit.text import decode, without_surrogates
from sidecar.toolkit.text.cut_parts import tell_cut
from sidecar.toolkit.visible import comment_notes, comments_notice, hidden_notice, source_comments
from sidecar.toolkit.xml import XmlElement, outermost, words_of
from sidecar_epub.plugin import is_kindle

_DC = "{http://purl.org/dc/elements/1.1/}"
_FACTS = {"creator": "author", "contributor": "contributor", "publisher": "publisher", "language": "language",
          "subject": "keywords", "date": "created", "rights": "rights", "identifier": "identifier"}  # fmt: skip
_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_XHTML = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")

_PAGES = (".xhtml", ".html", ".htm")
_NO_TYPES = Notice(
    "damaged_part",
    "The package document is missing: chapters stand as they are packed, title and authors are not told.",
)
_LINKED = re.compile(r"""<link\b[^>]{0,500}?\bhref\s*=\s*["']([^"'>]{1,500}\.css)["']""", re.IGNORECASE)
_MAX_HEAD_CHARS, _MAX_SHEET_BYTES = 20_000, 500_000
"""How much of a chapter and of a style sheet is looked at."""
_Entries: TypeAlias = dict[str, list[tuple[str, str]]]


class _Item(NamedTuple):
    """A file of the book, as the manifest declares it (EPUB 3.3 §5.6.2)."""

    path: str
    media_type: str
    properties: str


@dataclass(frozen=True)
class Chapter:
    """A file of the reading order, and the contents' entries into it: `(fragment, name)`, fragment "" for its start."""

    path: str
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Book:
    """An opened e-book: its metadata and what it shows, in order."""

    title: str
    description: str
    metadata: dict[str, str]
    chapters: tuple[Chapter, ...]
    types: dict[str, str]
    """Declared media type of each file, by its path."""
    cover: str


def _open_book(package: Package, name: str) -> Book:
    """Read container, package document and contents. Raises DamagedError, EncryptedError."""
    _refuse_protected(package, name)
    opf_path = _package_document(package)
    if not opf_path:
        return _as_archived(package, name)
    root = package.xml(opf_path)
    base = posixpath.dirname(opf_path)
    manifest: dict[str, _Item] = {}
    for item in _all(root, "item"):
        path = _resolve(base, item.get("href") or "")
        kind, properties = (item.get("media-type") or "").lower(), item.get("properties") or ""
        manifest[item.get("id") or ""] = _Item(path, kind, properties)
    order = [item.get("idref") or "" for item in _all(root, "itemref")]
    paths = [manifest[key].path for key in order if key in manifest and manifest[key].media_type in _XHTML]
    if not paths:  # a broken spine: what the manifest lists, in its order
        paths = [item.path for item in manifest.values() if item.media_type in _XHTML]
    names = _contents(package, manifest)
    title, description, metadata = _facts(root)
    cover = next((item.path for item in manifest.values() if "cover-image" in item.properties.split()), "")
    if not cover:
        named = [meta.get("content") or "" for meta in _all(root, "meta") if meta.get("name") == "cover"]
        cover = next((manifest[key].path for key in named if key in manifest), "")
    return Book(
        title, description, metadata,
        tuple(Chapter(path, tuple(names.get(path.lower(), ()))) for path in dict.fromkeys(paths)),
        {item.path.lower(): item.media_type for item in manifest.values()}, cover,
    )  # fmt: skip


def _resolve(base: str, href: str) -> str:
    """A path inside the package from a reference in a file in folder `base`, without fragment."""
    path = unquote(href.partition("#")[0].partition("?")[0])
    return posixpath.normpath(posixpath.join("/", base, path)).lstrip("/") if path else ""


def _refuse_protected(package: Package, name: str) -> None:
    if "META-INF/encryption.xml" not in package:
        return
    try:
        root = package.xml("META-INF/encryption.xml")
    except DamagedError:
        return
    for method in _all(root, "EncryptionMethod"):
        if method.get("Algorithm") not in _FONT_OBFUSCATION:
            raise EncryptedError(f"{name} is protected by rights management; only its own reader can open it.")


def _as_archived(package: Package, name: str) -> Book:
    """What can be told without a package document, as in a book cut short: the chapters, as they are packed."""
    paths = [member for member in package.names() if member.lower().endswith(_PAGES)]
    if not paths:
        raise DamagedError(f"{name} is a zip file but not an EPUB: it has no package document.")
    return Book("", "", {}, tuple(Chapter(path, ()) for path in paths), {}, "")


def _package_document(package: Package) -> str:
    """The path of the package document, "" where there is none."""
    if "META-INF/container.xml" in package:
        for node in _all(package.xml("META-INF/container.xml"), "rootfile"):
            path = (node.get("full-path") or "").lstrip("/")
            if path in package:
                return path
    return next((member for member in package.names() if member.lower().endswith(".opf")), "")


def _facts(root: XmlElement) -> tuple[str, str, dict[str, str]]:
    values: dict[str, list[str]] = {}
    for node in outermost(root, f"{_DC}*"):
        text = words_of(node)
        if text:
            values.setdefault(node.tag.rpartition("}")[2].lower(), []).append(text)
    metadata = {ours: ", ".join(values[theirs])[:2000] for theirs, ours in _FACTS.items() if theirs in values}
    for node in _all(root, "meta"):
        if node.get("property") == "dcterms:modified" and node.text:
            metadata["modified"] = node.text.strip()
    return (values.get("title") or [""])[0], (values.get("description") or [""])[0][:4000], metadata


def _contents(package: Package, manifest: Mapping[str, _Item]) -> _Entries:
    """What the table of contents names in each file: EPUB 3's navigation document, else EPUB 2's NCX."""
    names: _Entries = {}
    navigation = [item.path for item in manifest.values() if "nav" in item.properties.split()]
    for path, document in _readable(package, navigation[:1]):
        for link in outermost(document, "{*}a"):
            text = words_of(link)
            if text and link.get("href"):
                _enter(names, path, link.get("href"), text)
    if names:
        return names
    tables = [item.path for item in manifest.values() if item.media_type == "application/x-dtbncx+xml"]
    for path, document in _readable(package, tables):
        for point in _all(document, "navPoint"):
            label = next(_all(point, "text"), None)
            content = next(_all(point, "content"), None)
            if label is not None and content is not None and label.text:
                _enter(names, path, content.get("src") or "", " ".join(label.text.split()))
    return names


def _readable(package: Package, paths: Sequence[str]) -> Iterator[tuple[str, XmlElement]]:
    """Those of the files that are there and can be read, as XML."""
    for path in paths:
        with contextlib.suppress(DamagedError):
            if path and path in package:
                yield path, package.xml(path)


def _enter(names: _Entries, contents: str, href: str, text: str) -> None:
    target = _resolve(posixpath.dirname(contents), href).lower()
    fragment = unquote(href.partition("#")[2])
    entries = names.setdefault(target, [])
    if all(fragment != other for other, _ in entries):  # lists of pages and landmarks name places again
        entries.append((fragment, text))


def _all(root: XmlElement, name: str) -> Iterator[XmlElement]:
    """Every element of that local name, whatever its namespace: many books get theirs wrong."""
    return root.iter(f"{{*}}{name}")


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The book as a document of chapters. Raises FormatError."""
    if is_kindle(source):
        from sidecar_epub.kindle_text import parse_kindle

        return parse_kindle(source, limits)
    return _parse(source, limits, "")[0]


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A file of the book by its path, or the n-th `data:` URL. Raises NotFoundError."""
    if is_kindle(source):
        from sidecar_epub.kindle_text import open_kindle

        return open_kindle(source, ref, limits)
    if ref.startswith("data:"):
        return open_data_url(_parse(source, limits, ref)[1], source.name, ref)
    with Package(source, limits) as package:
        if ref not in package:
            raise NotFoundError(f"{source.name} holds no file {ref!r}.")
        data = package.read(ref)
        return payload(data, _open_book(package, source.name).types.get(ref.lower(), ""), posixpath.basename(ref))


def _parse(source: Source, limits: Limits, wanted: str) -> tuple[ParsedDocument, str]:
    source.check_size(limits)
    with Package(source, limits) as package:
        book = _open_book(package, source.name)
        files = _Files(package, book)
        pictures = Pictures(limits.max_embedded, files.inner, wanted)
        notices = [] if book.types else [_NO_TYPES]
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
                if "<html xmlns" in text and "</body" not in text and "</html" not in text:  # HTML may leave them out
                    tell_cut(chapter.path)
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
            title=book.title, description=book.description, metadata=book.metadata, parts=parts,
            elements=elements_of(parts), embedded=place_embeds(parts, pictures.embedded),
            notices=(*notices, *hidden_notice(block for part in parts for block in part.blocks), *pictures.notices()),
        )  # fmt: skip
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
        paths = [_resolve(folder, unescape(href)) for href in _LINKED.findall(text[:_MAX_HEAD_CHARS])]
        for path in paths:
            if path and path not in self._sheets:
                try:
                    data = self._package.read(path, _MAX_SHEET_BYTES) if path in self._package else b""
                except DamagedError:
                    data = b""
                self._sheets[path] = data.decode("utf-8", "replace")
        return [self._sheets[path] for path in paths if path]

    def inner(self, src: str) -> InnerFile | None:
        if "://" in src:
            return None
        path = _resolve(self.folder, src)
        if not path or path not in self._package:
            return None
        try:
            head = self._package.read(path, HEAD_BYTES)
        except DamagedError:
            return None
        kind = self._types.get(path.lower(), "")
        return InnerFile(path, posixpath.basename(path), kind, self._package.size(path), head)


def _parts(read: list[tuple[Chapter, list[AnyBlock]]], most: int) -> tuple[Part, ...]:
    """A part begins where the contents point to: at a file, or at the block of that anchor or that heading in it.

    A file they do not mention begins one when it opens with a heading, and goes on with the part before when not.

    A book in a single file without contents is cut at its headings."""
    filled = [(chapter, blocks) for chapter, blocks in read if blocks]
    if len(filled) == 1 and len(filled[0][0].entries) < 2:
        return split_chapters(filled[0][1], "", most).parts
    parts: list[tuple[str, list[AnyBlock]]] = []
    has_text = False  # the last part, apart from headings and pictures
    for chapter, blocks in filled:
        inside = {fragment: name for fragment, name in chapter.entries if fragment}
        names = {name.casefold() for name in inside.values()}
        first = next((block for block in blocks if not isinstance(block, Figure)), None)
        title = next((name for fragment, name in chapter.entries if not fragment), "")
        if not title and isinstance(first, Heading):
            title = inside.get(first.anchor, first.text)
        if title or not parts:
            parts.append((title, []))
            has_text = False
        for block in blocks:
            heading = block.text if isinstance(block, Heading) else ""
            begins = (block.anchor and block.anchor in inside) or (heading and heading.casefold() in names)
            if begins and has_text:
                parts.append((inside.get(block.anchor) or heading, []))
                has_text = False
            parts[-1][1].append(block)
            has_text |= not isinstance(block, (Figure, Heading))
    return tuple(Part(kind="chapter", title=title, blocks=tuple(blocks)) for title, blocks in parts[:most] if blocks)
