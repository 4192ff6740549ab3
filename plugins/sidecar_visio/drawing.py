"""Reads a Visio drawing: a part a page, with what its shapes say and how they are connected ([MS-VSDX] 2.2).

Background pages come last, under their own names: they show through the pages that use them.
"""

from collections.abc import Iterable, Mapping

from sidecar.api import AnyBlock, DamagedError, Limits, Note, Notice, ParsedDocument, Part, Source
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.xml import XmlElement
from sidecar_visio.shapes import Masters, PageReader, V, number

_POINTS = 72.0
"""An inch: Visio's own unit."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The drawing as a document of pages. Raises FormatError."""
    with Package(source, limits) as package:
        return _read(package, source, limits)


def _read(package: Package, source: Source, limits: Limits) -> ParsedDocument:
    outer = package.relationships("")
    main = next((one.target for one in outer.values() if one.type == "document" and not one.external), "")
    main = main if main in package else "visio/document.xml"
    if main not in package:
        raise DamagedError(f"{source.name} is a zip file but holds no Visio drawing.")
    masters = Masters(_listed(package, main, "masters", "Master"))
    comments = _comments(package, main)
    embeds = EmbedRegister(package, limits)
    notices: list[Notice] = []
    parts: list[Part] = []
    listed = _listed(package, main, "pages", "Page")
    listed.sort(key=lambda entry: entry[0].get("Background") == "1")
    for page, contents, name in listed[: limits.max_parts]:
        if contents is None:
            notices.append(Notice("damaged_part", f"The page {page.get('Name')} cannot be read.", len(parts) + 1))
        sheet = page.find(f"{V}PageSheet")
        relationships = package.relationships(name) if name else {}
        reader = PageReader(masters, sheet, {key: one.target for key, one in relationships.items()}, embeds)
        blocks: list[AnyBlock] = reader.read(contents) if contents is not None else []
        blocks += comments.get(page.get("ID", ""), ())
        notices += hidden_notice(blocks, len(parts) + 1)
        parts.append(
            Part(
                kind="page",
                title=page.get("Name") or page.get("NameU") or "",
                blocks=tuple(blocks),
                width=number(sheet, "PageWidth") * _POINTS,
                height=number(sheet, "PageHeight") * _POINTS,
                metadata={"kind": "background"} if page.get("Background") == "1" else {},
            )
        )
    if len(listed) > limits.max_parts:
        notices.append(
            Notice("truncated_at", f"Only the first {limits.max_parts:,} of {len(listed):,} pages are read.")
        )
    metadata = read_properties(package, outer)
    return ParsedDocument(
        title=metadata.pop("title", ""),
        description=metadata.pop("description", ""),
        metadata=metadata,
        parts=tuple(parts),
        elements=elements_of(parts),
        embedded=embeds.done(),
        notices=tuple(notices),
    )


def _listed(package: Package, main: str, kind: str, tag: str) -> list[tuple[XmlElement, XmlElement | None, str]]:
    """The entries of the part that lists pages or masters, each with its own part, None where that cannot be read."""
    found: list[tuple[XmlElement, XmlElement | None, str]] = []
    for listing in package.related(main, kind):
        if listing.target not in package:
            continue
        relationships = package.relationships(listing.target)
        for entry in package.xml(listing.target).iter(f"{V}{tag}"):
            pointer = entry.find(f"{V}Rel")
            target = relationships.get(pointer.get(f"{R}id", "")) if pointer is not None else None
            name = target.target if target is not None and target.target in package else ""
            try:
                found.append((entry, package.xml(name) if name else None, name))
            except DamagedError:
                found.append((entry, None, ""))
    return found


def _comments(package: Package, main: str) -> Mapping[str, Iterable[Note]]:
    """The comments by the id of the page they stand on ([MS-VSDX] 2.2.3.2)."""
    found: dict[str, list[Note]] = {}
    for listing in package.related(main, "comments"):
        if listing.target not in package:
            continue
        try:
            root = package.xml(listing.target)
        except DamagedError:
            continue
        authors = {entry.get("ID"): entry.get("Name", "") for entry in root.iter(f"{V}AuthorEntry")}
        for at, entry in enumerate(root.iter(f"{V}CommentEntry")):
            text = "".join(entry.itertext()).strip()
            note = Note(
                kind="comment", id=str(at), text=text, author=authors.get(entry.get("AuthorID"), ""),
                date=entry.get("Date", ""),
            )  # fmt: skip
            found.setdefault(entry.get("PageID", ""), []).append(note)
    return found
