"""The package of an EPUB (EPUB 3.3 §5, OCF): what it is about, its files, the order to read them in, its contents."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import unquote

from sidecar.api import DamagedError, EncryptedError
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.xml import XmlElement

_DC = "{http://purl.org/dc/elements/1.1/}"
_FACTS = {"creator": "author", "contributor": "contributor", "publisher": "publisher", "language": "language",
          "subject": "keywords", "date": "created", "rights": "rights", "identifier": "identifier"}  # fmt: skip
_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_XHTML = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")


_Entries: TypeAlias = dict[str, list[tuple[str, str]]]


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


def open_book(package: Package, name: str) -> Book:
    """Read container, package document and contents. Raises DamagedError, EncryptedError."""
    _refuse_protected(package, name)
    opf_path = _package_document(package, name)
    root = package.xml(opf_path)
    base = posixpath.dirname(opf_path)
    manifest: dict[str, tuple[str, str, str]] = {}
    for item in _all(root, "item"):
        path = resolve(base, item.get("href") or "")
        manifest[item.get("id") or ""] = (path, (item.get("media-type") or "").lower(), item.get("properties") or "")
    order = [item.get("idref") or "" for item in _all(root, "itemref")]
    paths = [manifest[key][0] for key in order if key in manifest and manifest[key][1] in _XHTML]
    if not paths:  # a broken spine: what the manifest lists, in its order
        paths = [path for path, kind, _ in manifest.values() if kind in _XHTML]
    names = _contents(package, root, manifest)
    title, description, metadata = _facts(root)
    cover = next((path for path, _, properties in manifest.values() if "cover-image" in properties.split()), "")
    if not cover:
        named = [meta.get("content") or "" for meta in _all(root, "meta") if meta.get("name") == "cover"]
        cover = next((manifest[key][0] for key in named if key in manifest), "")
    return Book(
        title,
        description,
        metadata,
        tuple(Chapter(path, tuple(names.get(path.lower(), ()))) for path in dict.fromkeys(paths)),
        {path.lower(): kind for path, kind, _ in manifest.values()},
        cover,
    )


def resolve(base: str, href: str) -> str:
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


def _package_document(package: Package, name: str) -> str:
    if "META-INF/container.xml" in package:
        for node in _all(package.xml("META-INF/container.xml"), "rootfile"):
            path = (node.get("full-path") or "").lstrip("/")
            if path in package:
                return path
    found = next((member for member in package.names() if member.lower().endswith(".opf")), "")
    if not found:
        raise DamagedError(f"{name} is a zip file but no EPUB: it has no package document.")
    return found


def _facts(root: XmlElement) -> tuple[str, str, dict[str, str]]:
    values: dict[str, list[str]] = {}
    for node in root.iter(f"{_DC}*"):
        text = " ".join("".join(node.itertext()).split())
        if text:
            values.setdefault(node.tag.rpartition("}")[2].lower(), []).append(text)
    metadata = {ours: ", ".join(values[theirs])[:2000] for theirs, ours in _FACTS.items() if theirs in values}
    for node in _all(root, "meta"):
        if node.get("property") == "dcterms:modified" and node.text:
            metadata["modified"] = node.text.strip()
    return (values.get("title") or [""])[0], (values.get("description") or [""])[0][:4000], metadata


def _contents(package: Package, root: XmlElement, manifest: dict[str, tuple[str, str, str]]) -> _Entries:
    """What the table of contents names in each file: EPUB 3's navigation document, else EPUB 2's NCX."""
    navigation = next((path for path, _, properties in manifest.values() if "nav" in properties.split()), "")
    names: _Entries = {}
    if navigation in package and navigation:
        try:
            document = package.xml(navigation)
        except DamagedError:
            document = None
        for link in _all(document, "a") if document is not None else ():
            text = " ".join("".join(link.itertext()).split())
            if text and link.get("href"):
                _enter(names, navigation, link.get("href"), text)
    if names:
        return names
    for path, kind, _ in manifest.values():
        if kind == "application/x-dtbncx+xml" and path in package:
            try:
                document = package.xml(path)
            except DamagedError:
                continue
            for point in _all(document, "navPoint"):
                label = next(_all(point, "text"), None)
                content = next(_all(point, "content"), None)
                if label is not None and content is not None and label.text:
                    _enter(names, path, content.get("src") or "", " ".join(label.text.split()))
    return names


def _enter(names: _Entries, contents: str, href: str, text: str) -> None:
    target = resolve(posixpath.dirname(contents), href).lower()
    fragment = unquote(href.partition("#")[2])
    entries = names.setdefault(target, [])
    if all(fragment != other for other, _ in entries):  # lists of pages and landmarks name places again
        entries.append((fragment, text))


def _all(root: XmlElement, name: str) -> Iterator[XmlElement]:
    """Every element of that local name, whatever its namespace: many books get theirs wrong."""
    return root.iter(f"{{*}}{name}")
