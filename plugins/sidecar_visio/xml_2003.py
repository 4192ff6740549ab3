"""Drawings of Visio 2003 to 2010 in XML (.vdx, .vsx, .vtx), written as the parts of today, which `drawing` reads.

Source: "Visio 2003 XML Schema Reference" (Microsoft). What is a cell of a section today was an element of its own.
Pictures and comments' places are left out."""

from collections.abc import Iterator
from typing import Final

from sidecar.api import AnyBlock, DamagedError, Limits, Note, Notice, ParsedDocument, Part, Source
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.xml import XmlElement, etree, read_xml
from sidecar_visio.drawing import Masters, PageReader, V, cut_notice, page_part

_OLD: Final = "{http://schemas.microsoft.com/visio/2003/core}"
_CELLS: Final = {
    "XForm": ("PinX", "PinY"), "Misc": ("HideText",), "LayerMem": ("LayerMember",),
    "PageProps": ("PageWidth", "PageHeight"),
}  # fmt: skip
"""Elements whose children are cells of the shape or page itself."""
_SECTIONS: Final = {"Prop": "Property", "Hyperlink": "Hyperlink", "Layer": "Layer"}
"""Elements that are rows of a section."""
_FACTS: Final = {
    "Title": "title", "Subject": "subject", "Creator": "author", "Company": "company", "Desc": "description",
    "Keywords": "keywords", "Category": "category", "Manager": "manager", "TimeCreated": "created",
    "TimeSaved": "modified",
}  # fmt: skip
_MAX_DEPTH: Final = 60


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The drawing as a document of pages. Raises FormatError."""
    source.check_size(limits)
    root = read_xml(source, limits)
    if root.tag != f"{_OLD}VisioDocument":
        raise DamagedError(f"{source.name} is XML, but not a Visio drawing.")
    masters = Masters([(entry, _contents(entry), "") for entry in root.iterfind(f"{_OLD}Masters/{_OLD}Master")])
    reviewers = {one.get("IX"): one.findtext(f"{_OLD}Name") or "" for one in root.iter(f"{_OLD}Reviewer")}
    pages = sorted(root.iterfind(f"{_OLD}Pages/{_OLD}Page"), key=lambda page: page.get("Background") == "1")
    notices: list[Notice] = []
    parts: list[Part] = []
    for page in pages[: limits.max_parts]:
        properties = page.find(f"{_OLD}PageSheet")
        sheet = _shape(properties, "PageSheet", 0) if properties is not None else None
        blocks: list[AnyBlock] = PageReader(masters, sheet, {}, None).read(_contents(page))
        blocks += _comments(page, reviewers)
        notices += hidden_notice(blocks, len(parts) + 1)
        parts.append(page_part(page, sheet, blocks))
    notices += cut_notice(len(pages), limits)
    metadata = {
        name: text
        for old, name in _FACTS.items()
        if (text := " ".join((root.findtext(f"{_OLD}DocumentProperties/{_OLD}{old}") or "").split()))
    }
    return ParsedDocument(
        title=metadata.pop("title", ""), description=metadata.pop("description", ""), metadata=metadata,
        parts=tuple(parts), elements=elements_of(parts), notices=tuple(notices),
    )  # fmt: skip


def _contents(page: XmlElement) -> XmlElement:
    """The shapes of a page or master, and what is connected."""
    made = etree.Element(f"{V}PageContents")
    for group in page.iterchildren(f"{_OLD}Shapes"):
        shapes = etree.SubElement(made, f"{V}Shapes")
        shapes.extend(_shape(one, "Shape", 0) for one in group.iterchildren(f"{_OLD}Shape"))
    for group in page.iterchildren(f"{_OLD}Connects"):
        connects = etree.SubElement(made, f"{V}Connects")
        for one in group.iterchildren(f"{_OLD}Connect"):
            etree.SubElement(connects, f"{V}Connect", dict(one.attrib))
    return made


def _shape(old: XmlElement, name: str, depth: int) -> XmlElement:
    """A shape or the sheet of a page, with its cells, sections, text and shapes."""
    made = etree.Element(V + name, dict(old.attrib))
    for child in old:
        kind = child.tag.removeprefix(_OLD) if isinstance(child.tag, str) else ""
        if kind in _CELLS:
            for cell in _CELLS[kind]:
                _cell(made, cell, child.findtext(_OLD + cell))
        elif kind in _SECTIONS:
            section = etree.SubElement(made, f"{V}Section", {"N": _SECTIONS[kind]})
            row = etree.SubElement(section, f"{V}Row", {"N": child.get("NameU") or "", "IX": child.get("IX") or ""})
            for cell in child:
                if isinstance(cell.tag, str):
                    _cell(row, cell.tag.removeprefix(_OLD), cell.text)
        elif kind == "Text":
            etree.SubElement(made, f"{V}Text").text = "".join(child.itertext())
        elif kind == "Shapes" and depth <= _MAX_DEPTH:
            shapes = etree.SubElement(made, f"{V}Shapes")
            inside = child.iterchildren(f"{_OLD}Shape") if depth < _MAX_DEPTH else child.iter(f"{_OLD}Shape")
            shapes.extend(_shape(one, "Shape", depth + 1) for one in inside)
    return made


def _cell(parent: XmlElement, name: str, value: str | None) -> None:
    if value:
        etree.SubElement(parent, f"{V}Cell", {"N": name, "V": value})


def _comments(page: XmlElement, reviewers: dict[str | None, str]) -> Iterator[Note]:
    for at, note in enumerate(page.iter(f"{_OLD}Annotation")):
        text = (note.findtext(f"{_OLD}Comment") or "").strip()
        if text:
            author = reviewers.get(note.findtext(f"{_OLD}ReviewerID"), "")
            yield Note(kind="comment", id=str(at), text=text, author=author, date=note.findtext(f"{_OLD}Date") or "")
