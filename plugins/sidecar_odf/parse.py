"""Reads an OpenDocument package: a text as chapters, a presentation as slides and a drawing as pages (`slides`), a
database (`database`)."""

import posixpath
from collections.abc import Sequence
from itertools import product

from sidecar.api.errors import DamagedError, EncryptedError, NotFoundError, UnsupportedError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import Note, Notice, ParsedDocument, Part, PartKind
from sidecar.toolkit.markup.chapters import behind_first, elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.flat_odf import custom_properties, packed
from sidecar.toolkit.markup.odf_forms import index_controls
from sidecar.toolkit.markup.pictures import Pictures, payload
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import changes_notice, hidden_notice, hidden_slides_notice
from sidecar.toolkit.word.headings import found_headings
from sidecar.toolkit.xml import XmlElement, outermost
from sidecar_odf import frames
from sidecar_odf.content import ContentReader, TrackedChange
from sidecar_odf.database import OFFICE_2004, parse_database
from sidecar_odf.names import DC, DRAW, META, OFFICE, STYLE, TEXT
from sidecar_odf.numbering import ListCounters
from sidecar_odf.objects import PackageObjects
from sidecar_odf.slides import read_pages
from sidecar_odf.styles import NO_FILL, UNKNOWN_COLOUR, Styles

_MANIFEST = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}"
_FACTS = {
    f"{DC}creator": "author", f"{META}initial-creator": "creator", f"{META}creation-date": "created",
    f"{DC}date": "modified", f"{DC}subject": "subject", f"{DC}language": "language", f"{META}generator": "application",
}  # fmt: skip
_KINDS: dict[str, PartKind] = {"presentation": "slide", "drawing": "page"}


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The package as a document. Raises FormatError."""
    source.check_size(limits)
    with Package(packed(source, limits), limits) as package:
        types = _manifest(package, source.name)
        if "content.xml" not in package:
            raise DamagedError(f"{source.name} is a zip file but not an OpenDocument file: it has no content.xml.")
        root = package.xml("content.xml")
        styles_root = _optional(package, "styles.xml")
        body = next(iter(root.iter(f"{OFFICE}body", f"{OFFICE_2004}body")), None)
        if body is None or not len(body):
            raise DamagedError(f"{source.name} has no document body.")
        content = body[0]
        kind = content.tag.rpartition("}")[2]
        if kind == "database":
            return parse_database(package, content, limits, _facts(_optional(package, "meta.xml"))[2])
        objects = PackageObjects(package, types, index_controls(root))
        pictures = Pictures(limits.max_embedded, objects.inner)
        styles = Styles(root, styles_root)
        if kind == "spreadsheet":
            raise UnsupportedError(f"{source.name} is a spreadsheet; rename it to .ods to have it read as one.")
        changes = _changes(content, ContentReader(styles, pictures, objects, {}, ListCounters(styles.lists)))
        reader = ContentReader(
            styles,
            pictures,
            objects,
            changes,
            ListCounters(styles.lists),
            background=_background((content, styles_root), styles) if kind == "text" else styles.page,
        )
        title, description, metadata = _facts(_optional(package, "meta.xml"))
        notices: list[Notice] = []
        if kind in _KINDS:
            parts = read_pages(content, reader, styles_root, _KINDS[kind], limits.max_parts)
            notices += hidden_slides_notice(parts)
        else:
            reader.content(content)
            # A title that only the properties say is often some older text's; no reader sees it as a heading.
            chapters = split_chapters(found_headings(reader.blocks), max_parts=limits.max_parts)
            title = title or chapters.title
            parts = _with_edges(chapters.parts, root, styles_root, reader)
            notices += changes_notice(len(changes))
        notices += hidden_notice(block for part in parts for block in part.blocks)
        if not reader.repeats.left:
            message = f"Cells of tables that repeat are written out {frames.MAX_REPEATS:,} times; more are left out."
            notices.append(Notice("truncated_at", message))
        if any("basic/" in name.lower() for name in package.names()):
            notices.append(Notice("macros", "The document holds macros; they are not run."))
        document = ParsedDocument(
            title=title, description=description, metadata=metadata, parts=parts,
            elements=elements_of(parts, pictures.embedded), embedded=place_embeds(parts, pictures.embedded),
            notices=(*notices, *pictures.notices()),
        )  # fmt: skip
        return with_drawn_words(document, package.read)


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """A picture or attached file by its path in the package. Raises NotFoundError."""
    with Package(packed(source, limits), limits) as package:
        if ref not in package:
            raise NotFoundError(f"{source.name} holds no file {ref!r}.")
        data = package.read(ref)
        return payload(data, _manifest(package, source.name).get(ref.lower(), ""), posixpath.basename(ref))


def _manifest(package: Package, name: str) -> dict[str, str]:
    """Media types by path in lower case. Raises EncryptedError for password-protected packages (ODF part 2 §3.4)."""
    root = _optional(package, "META-INF/manifest.xml")
    if root is None:
        return {}
    if next(iter(root.iter(f"{_MANIFEST}encryption-data")), None) is not None:
        raise EncryptedError(f"{name} is protected by a password; save a copy without one to index it.")
    return {
        (entry.get(f"{_MANIFEST}full-path") or "").lower(): entry.get(f"{_MANIFEST}media-type") or ""
        for entry in root.iter(f"{_MANIFEST}file-entry")
    }


def _background(roots: Sequence[XmlElement | None], styles: Styles) -> int:
    """The colour that words of a text stand on; -1 where a filled shape may lie behind some of them."""
    nodes = (node for root in roots if root is not None for node in root.iter() if isinstance(node.tag, str))
    names = {node.get(f"{DRAW}style-name") for node in nodes}
    filled = any(name and styles.background("graphic", name, NO_FILL) != NO_FILL for name in names)
    return UNKNOWN_COLOUR if filled else styles.page


def _optional(package: Package, path: str) -> XmlElement | None:
    if path not in package:
        return None
    try:
        return package.xml(path)
    except DamagedError:
        return None


def _facts(root: XmlElement | None) -> tuple[str, str, dict[str, str]]:
    if root is None:
        return "", "", {}
    values = {node.tag: " ".join(node.text.split()) for node in root.iter() if isinstance(node.tag, str) and node.text}
    metadata = {name: values[tag] for tag, name in _FACTS.items() if values.get(tag)}
    keywords = [node.text.strip() for node in root.iter(f"{META}keyword") if node.text and node.text.strip()]
    if keywords:
        metadata["keywords"] = ", ".join(keywords)
    metadata |= custom_properties(root)
    return values.get(f"{DC}title", ""), values.get(f"{DC}description", ""), metadata


def _changes(content: XmlElement, reader: ContentReader) -> dict[str, TrackedChange]:
    found: dict[str, TrackedChange] = {}
    for region in outermost(content, f"{TEXT}changed-region"):
        key = region.get(f"{TEXT}id") or region.get("{http://www.w3.org/XML/1998/namespace}id") or ""
        for change in region:
            if not isinstance(change.tag, str):
                continue
            inner = reader.inner()
            inner.content(change)
            info = change.find(f"{OFFICE}change-info")
            author = info.findtext(f"{DC}creator") or "" if info is not None else ""
            date = info.findtext(f"{DC}date") or "" if info is not None else ""
            text = "\n".join(frames.texts(inner.blocks)) if change.tag == f"{TEXT}deletion" else ""
            found[key] = TrackedChange(change.tag.rpartition("}")[2], author, date, text)
    return found


def _with_edges(
    parts: tuple[Part, ...], content: XmlElement, styles: XmlElement | None, reader: ContentReader
) -> tuple[Part, ...]:
    """The parts with the page headers and footers as notes at the end of the first, each once."""
    if styles is None:
        return parts
    notes: dict[tuple[str, str], Note] = {}
    pages = _master_pages(content, styles)
    for (kind, page), master in product(product(("header", "footer"), ("", "-left", "-first")), pages):
        for node in master.iterchildren(f"{STYLE}{kind}{page}"):
            inner = reader.inner()
            inner.content(node)
            for note in frames.notes_of(inner.blocks, "header" if kind == "header" else "footer"):
                if not note.text.isdecimal():  # a bare page number
                    notes.setdefault((kind, note.text), note)
    return behind_first(parts, [*notes.values()])


def _master_pages(content: XmlElement, styles: XmlElement) -> list[XmlElement]:
    """The pages a text is set on (ODF §16.9): the usual one, those that its styles name, and those that follow them.
    Templates carry others, which no reader sees."""
    pages = {node.get(f"{STYLE}name") or "": node for node in styles.iter(f"{STYLE}master-page")}
    named = {node.get(f"{STYLE}master-page-name") or "" for node in content.iter(f"{STYLE}style")}
    waiting = [name for name in (*named, "Standard" if "Standard" in pages else next(iter(pages), "")) if name in pages]
    used: list[str] = []
    while waiting:
        name = waiting.pop()
        if name in pages and name not in used:
            used.append(name)
            waiting.append(pages[name].get(f"{STYLE}next-style-name") or "")
    return [page for name, page in pages.items() if name in used]
