"""Reads an OWPML document (KS X 6101), or an older one written as such: the package, its facts, styles and sections."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sidecar.api import DamagedError, EncryptedError, Limits, Notice, ParsedDocument, Source
from sidecar.toolkit.markup.chapters import elements_of, place_embeds, split_chapters
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.xml import XmlElement
from sidecar_hwpx.body import BodyReader, Looks, local
from sidecar_hwpx.hwp import packed

_CONTENTS = "Contents/content.hpf"
_METADATA = {"creator": "author", "lastsaveby": "last_modified_by", "CreatedDate": "created",
             "ModifiedDate": "modified", "keyword": "keywords", "subject": "subject"}  # fmt: skip


@dataclass(frozen=True)
class _Contents:
    """What the package says of itself (OPF 2.0): facts, sections in order, and the files behind ids."""

    title: str
    facts: Mapping[str, str]
    sections: tuple[str, ...]
    files: Mapping[str, str]


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The document's chapters. Raises FormatError."""
    source = packed(source, limits)
    with Package(source, limits) as package:
        if "META-INF/manifest.xml" in package and b"encryption-data" in package.read("META-INF/manifest.xml"):
            raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
        contents = _contents(package, source)
        embeds = EmbedRegister(package, limits)
        head = package.xml("Contents/header.xml") if "Contents/header.xml" in package else None
        reader = BodyReader(Looks.of(head), contents.files, embeds)
        notices: list[Notice] = []
        for name in contents.sections:
            try:
                reader.section(package.xml(name))
            except DamagedError as error:
                notices.append(Notice("damaged_part", f"A section could not be read: {error}"))
        embeds.add_unplaced()
        chapters = split_chapters(reader.blocks, contents.title, limits.max_parts)
        return ParsedDocument(
            title=chapters.title,
            metadata=dict(contents.facts),
            parts=chapters.parts,
            elements=elements_of(chapters.parts),
            embedded=place_embeds(chapters.parts, embeds.done()),
            notices=(*notices, *hidden_notice(reader.blocks)),
        )


def _contents(package: Package, source: Source) -> _Contents:
    if _CONTENTS not in package:
        sections = tuple(sorted(_named(package), key=lambda name: (len(name), name)))
        if not sections:
            raise DamagedError(f"{source.name} is a zip file but holds no Hancom document.")
        return _Contents("", {}, sections, {})
    root = package.xml(_CONTENTS)
    files = {one.get("id", ""): one.get("href", "") for one in _all(root, "item")}
    listed = (files.get(one.get("idref", ""), "") for one in _all(root, "itemref"))
    sections = tuple(name for name in listed if "section" in name.lower() and name in package)
    facts: dict[str, str] = {}
    for one in _all(root, "meta"):
        key, text = _METADATA.get(one.get("name", ""), ""), (one.text or "").strip()
        if key and text:
            facts[key] = text
    title = next((one.text.strip() for one in _all(root, "title") if one.text), "")
    return _Contents(title, facts, sections or tuple(sorted(_named(package))), files)


def _named(package: Package) -> Iterator[str]:
    return (name for name in package.names() if name.lower().startswith("contents/section"))


def _all(root: XmlElement, name: str) -> Iterator[XmlElement]:
    return (one for one in root.iter() if local(one) == name)
