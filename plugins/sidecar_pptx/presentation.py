"""A presentation (`p:presentation`, ECMA-376 part 1 §19.2.1.26) read whole: slides in show order, sections, fonts,
properties. Not responsible for what a slide holds."""

import msgspec

from sidecar.api import (
    DamagedError,
    Element,
    LimitError,
    Limits,
    Notice,
    ParsedDocument,
    Part,
    Source,
    UnsupportedError,
)
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.embeds import EmbedRegister
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package, Relationship
from sidecar.toolkit.ooxml.properties import read_properties
from sidecar.toolkit.visible import hidden_slides_notice
from sidecar.toolkit.xml import XmlElement, parse_xml
from sidecar_pptx.comments import read_authors
from sidecar_pptx.context import PresentationState
from sidecar_pptx.fonts import font_type, unwrapped_size
from sidecar_pptx.layouts import Layouts, without_element
from sidecar_pptx.shapes import P
from sidecar_pptx.slide import SlideReader

_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_ID = f"{R}id"
_LOOKS = b"p:defaultTextStyle"
"""How text looks that has no look of its own (§19.2.1.8): most of a part's bytes in most files, and not read."""
_FONT_STYLES = ("regular", "bold", "italic", "boldItalic")


def read_presentation(source: Source, limits: Limits) -> ParsedDocument:
    """The presentation.

    Raises:
        FormatError: not a presentation, protected, damaged beyond its main part, or beyond the limits."""
    with Package(source, limits) as package:
        return _read(package, source, limits)


def _read(package: Package, source: Source, limits: Limits) -> ParsedDocument:
    outer = package.relationships("")
    main = main_part(package, source, outer)
    root = parse_xml(without_element(package.markup(main), _LOOKS), f"{source.name}: {main}")
    if root.tag != f"{P}presentation":
        raise UnsupportedError(f"{source.name} is an Office file but not a presentation; give it its right suffix.")
    relationships = package.relationships(main)
    slides = slide_parts(root, relationships)
    width, height = slide_size(root)
    state = PresentationState(
        package=package,
        limits=limits,
        embeds=EmbedRegister(package, limits),
        layouts=Layouts(package, [r.target for r in relationships.values() if r.type == "slideMaster"]),
        numbers={name.lower(): number for number, (_, name) in enumerate(slides, 1) if name},
        width=width,
        height=height,
        rtl=root.get("rtl") in {"1", "true"},
        authors=read_authors(package, relationships),
    )
    sections = _sections(root)
    parts: list[Part] = []
    elements: list[Element] = []
    room = limits.max_text_chars
    for number, (slide_id, name) in enumerate(slides, 1):
        if number > limits.max_parts or room <= 0:
            state.notices.append(Notice(code="truncated_at", message=f"Only the first {number - 1} slides are read."))
            break
        part, found = _slide(state, number, name)
        section = sections.get(slide_id, "")
        parts.append(msgspec.structs.replace(part, metadata={"section": section}) if section else part)
        elements += found
        room -= sum(len(getattr(block, "text", "")) for block in part.blocks)
    _fonts(state, root, relationships)
    state.embeds.add_unplaced()  # pictures of layouts and masters, and what else belongs to no slide
    _document_notices(state, parts)
    metadata = read_properties(package, outer)
    metadata["slides"] = str(len(slides))
    title = metadata.pop("title", "")
    document = ParsedDocument(
        title=title,
        description=metadata.pop("description", ""),
        media_type=package.content_type(main).removesuffix(".main+xml") if not _has_suffix(source) else "",
        metadata=metadata,
        parts=tuple(parts),
        elements=tuple(elements),
        embedded=state.embeds.done(),
        notices=tuple(dict.fromkeys(state.notices)),
    )
    return with_drawn_words(document, package.read)


def main_part(package: Package, source: Source, outer: dict[str, Relationship]) -> str:
    """The name of the presentation's own part. Raises DamagedError when there is none."""
    for relationship in outer.values():
        if relationship.type == "officeDocument" and not relationship.external and relationship.target in package:
            return relationship.target
    if "ppt/presentation.xml" in package:  # package relationships lost, presentation still there
        return "ppt/presentation.xml"
    raise DamagedError(f"{source.name} is a zip file but holds no presentation.")


def _has_suffix(source: Source) -> bool:
    return source.suffix in {".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"}


def slide_parts(root: XmlElement, relationships: dict[str, Relationship]) -> list[tuple[str, str]]:
    """`(slide id, part name)` in show order; the name is "" for a pointer that leads nowhere. A slide is shown once: a
    few bytes could have one read thousands of times."""
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for node in root.iterfind(f"{P}sldIdLst/{P}sldId"):
        relationship = relationships.get(node.get(_ID, ""))
        name = relationship.target if relationship is not None and not relationship.external else ""
        if not name or name not in seen:
            found.append((node.get("id", ""), name))
        seen.add(name)
    return found


def slide_size(root: XmlElement) -> tuple[float, float]:
    """Width and height of the slides in points."""
    node = root.find(f"{P}sldSz")
    sizes = (node.get("cx", ""), node.get("cy", "")) if node is not None else ("", "")
    if all(size.isdecimal() and len(size) < 12 for size in sizes):
        return int(sizes[0]) / 12700, int(sizes[1]) / 12700
    return 720.0, 540.0  # what PowerPoint assumes (§19.2.1.39)


_UNNAMED = frozenset(
    ("default section", "untitled section", "standardabschnitt", "abschnitt ohne titel", "section par défaut",
     "section sans titre", "sección predeterminada", "sección sin título", "sezione predefinita", "默认节",
     "既定のセクション")
)  # fmt: skip
"""What PowerPoint calls a section that nobody has named."""


def _sections(root: XmlElement) -> dict[str, str]:
    """Section names by slide id (`p14:sectionLst`, [MS-PPTX] §2.4.3)."""
    found: dict[str, str] = {}
    extensions = root.find(f"{P}extLst")
    if extensions is not None:
        for section in extensions.iter(f"{_P14}section"):
            for node in section.iter(f"{_P14}sldId"):
                name = section.get("name", "")
                found[node.get("id", "")] = "" if name.lower() in _UNNAMED else name
    return found


def _slide(state: PresentationState, number: int, name: str) -> tuple[Part, list[Element]]:
    empty = Part(kind="slide", width=state.width, height=state.height)
    if not name or name not in state.package:
        state.damaged(f"Slide {number} is missing from the file.", number)
        return empty, []
    try:
        root = state.package.xml(name)
    except LimitError:
        raise
    except DamagedError:
        state.damaged(f"Slide {number} cannot be read.", number)
        return empty, []
    return SlideReader(state, number, name, root).read()


def _fonts(state: PresentationState, root: XmlElement, relationships: dict[str, Relationship]) -> None:
    for font in root.iterfind(f"{P}embeddedFontLst/{P}embeddedFont"):
        face = font.find(f"{P}font")
        name = face.get("typeface", "font") if face is not None else "font"
        for style in _FONT_STYLES:
            node = font.find(f"{P}{style}")
            relationship = relationships.get(node.get(_ID, "")) if node is not None else None
            if relationship is None or relationship.external or relationship.target not in state.package:
                continue
            try:
                head = state.package.read(relationship.target, 36)
            except DamagedError:
                state.damaged(f"The embedded font {name} cannot be read.")
                continue
            media_type, suffix = font_type(head)
            state.embeds.add(
                "font",
                relationship.target,
                name=f"{name} {style}{suffix}" if style != "regular" else f"{name}{suffix}",
                media_type=media_type,
                size=unwrapped_size(head, state.package.size(relationship.target)),
            )


def _document_notices(state: PresentationState, parts: list[Part]) -> None:
    state.notices += hidden_slides_notice(parts)
    state.notices += filter(None, [state.embeds.macros("presentation")])
    if state.embeds.full:
        limit = state.limits.max_embedded
        state.notices.append(
            Notice(code="truncated_at", message=f"Only the first {limit:,} embedded items are listed.")
        )
    for name in state.layouts.damaged:
        state.damaged(f"{name} cannot be read, so placeholders may miss their places.")
