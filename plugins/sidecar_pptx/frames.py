"""What stands in a slide's frames: tables, charts, SmartArt, objects, pictures, sound and film.

ECMA-376 part 1 §19.3.1.21 (graphicFrame), §19.3.1.37 (pic), §19.3.2 (embedded objects). Not responsible for text
shapes, nor for the order things are read in."""

import posixpath
from collections.abc import Iterator
from typing import Literal

import msgspec

from sidecar.api import DamagedError, Equation, Figure, Note, Notice
from sidecar.toolkit.ooxml.chart import chart_of_part, chart_text
from sidecar.toolkit.ooxml.diagrams import drawing_of, remove_hidden_runs, smartart
from sidecar.toolkit.ooxml.drawing import read_table, visible_children
from sidecar.toolkit.ooxml.embeds import EmbedEntry
from sidecar.toolkit.ooxml.hidden_text import remove_hidden
from sidecar.toolkit.ooxml.namespaces import A, R
from sidecar.toolkit.ooxml.package import Relationship
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_pptx.bullets import marked
from sidecar_pptx.context import Page
from sidecar_pptx.elements import ElementCandidate
from sidecar_pptx.shapes import P, Shape

_DATA = f"{A}graphic/{A}graphicData"
_BLIP, _BLIP_FILL = f"{A}blip", f"{A}blipFill"
_VML_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_EMBED, _LINK, _ID = f"{R}embed", f"{R}link", f"{R}id"
_DM = f"{R}dm"
_MEDIA_TAGS = frozenset({f"{A}videoFile", f"{A}audioFile", f"{A}wavAudioFile", f"{A}quickTimeFile"})
_P14_MEDIA = "{http://schemas.microsoft.com/office/powerpoint/2010/main}media"
_CHARTS = frozenset(
    {
        "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart",
        "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart",
    }
)
_REL_IDS = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_OLE = f"{P}oleObj"
_BESIDE_SHAPES: dict[str, Literal["image", "media"]] = {
    "image": "image", "hdphoto": "image", "audio": "media", "video": "media", "media": "media",
}  # fmt: skip


def frame(page: Page, shape: Shape) -> None:
    """Blocks for a graphic frame: whatever its `a:graphicData` holds."""
    data = shape.node.find(_DATA)
    for content in visible_children(data) if data is not None else ():
        if content.tag == f"{A}tbl":
            _table(page, shape, content)
        elif content.tag in _CHARTS:
            _chart(page, shape, content.get(_ID))
        elif content.tag == _REL_IDS:
            _diagram(page, shape, content.get(_DM))
        elif content.tag == _OLE:
            _object(page, shape, content)
        elif content.tag == f"{P}pic":
            picture(page, shape, content)
        elif shape.alt:
            page.describe(shape, "")


def _table(page: Page, shape: Shape, node: XmlElement) -> None:
    read = read_table(node, page.links, lambda cell: page.visibility.of_cell(shape, node, cell), marked)
    table = msgspec.structs.replace(read, page=page.number, box=shape.box, hidden=shape.hidden)
    if not any(any(row) for row in table.rows):
        return
    page.blocks.append(table)
    text = "\n".join(" | ".join(row) for row in table.rows)
    page.found.append(ElementCandidate("table", len(page.blocks), shape.box, text=text))
    if shape.alt:
        page.describe(shape, "")


def _chart(page: Page, shape: Shape, relationship_id: str | None) -> None:
    relationship = page.related(relationship_id)
    if relationship is None or relationship.external:
        _missing(page, shape, "A chart", relationship)
        return
    try:
        root = page.presentation.package.xml(relationship.target)
        _add_hidden(page, shape, remove_hidden(root, page.visibility.of(shape)))
        chart = chart_of_part(page.presentation.package, relationship.target, root)
    except DamagedError:
        page.presentation.damaged(f"A chart on slide {page.number} cannot be read.", page.number)
        _figure(page, shape, None, "")
        return
    entry = page.presentation.embeds.add(
        "chart",
        relationship.target,
        name=posixpath.splitext(posixpath.basename(relationship.target))[0],
        media_type="application/json",
    )
    _figure(page, shape, entry, "", element="chart", caption=chart.title, words=chart_text(chart))
    if entry is not None:
        entry.chart, entry.ref = chart, ""  # a chart is its data; what "Edit data" opens is a file of its own
        for workbook in page.presentation.package.related(relationship.target, "package"):
            if not workbook.external:
                _place(page, page.presentation.embeds.attachment(workbook.target), shape)


def _add_hidden(page: Page, shape: Shape, texts: list[str]) -> None:
    """Words of a chart or diagram that nobody sees."""
    page.blocks += [
        Note(kind="textbox", text=text, target=shape.name, page=page.number, box=shape.box, hidden=True)
        for text in texts
    ]


def _diagram(page: Page, shape: Shape, relationship_id: str | None) -> None:
    relationship = page.related(relationship_id)
    if relationship is None or relationship.external:
        _missing(page, shape, "A SmartArt diagram", relationship)
        return
    package = page.presentation.package
    try:
        root = package.xml(relationship.target)
        drawing = drawing_of(root, package, page.related)
        if drawing is None:
            drawing = _only_drawing(page)
        _add_hidden(page, shape, remove_hidden_runs(root, drawing, page.visibility.of(shape)))
        words = smartart(root, page.links) or _drawn_words(drawing)
    except DamagedError:
        page.presentation.damaged(f"The text of a SmartArt diagram on slide {page.number} cannot be read.", page.number)
        words = _drawn_words(_only_drawing(page))
    text = "\n".join("  " * level + line.replace("\n", " ") for level, line in words)
    _figure(page, shape, None, text, element="diagram")
    for part in package.relationships(relationship.target).values():
        if part.type == "image" and not part.external:
            _place(page, _package_entry(page, "image", part.target), shape)


def _only_drawing(page: Page) -> XmlElement | None:
    """The drawing PowerPoint keeps beside SmartArt, where the data do not name it."""
    drawings = [r for r in page.relationships.values() if r.type == "diagramDrawing" and not r.external]
    if len(drawings) != 1:  # with several, nothing tells which belongs to which diagram
        return None
    try:
        return page.presentation.package.xml(drawings[0].target)
    except DamagedError:
        return None


def _drawn_words(drawing: XmlElement | None) -> list[tuple[int, str]]:
    """The words of a diagram's drawing, where the data say nothing."""
    paragraphs = drawing.iter(f"{A}p") if drawing is not None else ()
    texts = ("".join(t.text or "" for t in p.iter(f"{A}t")).strip() for p in paragraphs)
    return [(0, text) for text in texts if text]


def _object(page: Page, shape: Shape, node: XmlElement) -> None:
    """An OLE object: the file inside it, and the picture that stands for it."""
    relationship = page.related(node.get(_ID))
    program = node.get("progId", "")
    label = shape.alt or node.get("name", "") or program
    if relationship is not None and not relationship.external and _equation(page, shape, relationship.target):
        return
    if relationship is None or relationship.external:
        _missing(page, shape, f"An object ({program})" if program else "An object", relationship)
    else:
        entry = page.presentation.embeds.attachment(relationship.target)
        if entry is not None and not entry.alt:
            entry.alt = label
        _figure(page, shape, entry, "", alt=label)
    for preview in _previews(page, node):
        if not preview.external:
            _place(page, _package_entry(page, "image", preview.target, shape.alt), shape)
    if shape.alt and relationship is None:
        page.describe(shape, "")


def _equation(page: Page, shape: Shape, target: str) -> bool:
    """Whether an object is an equation, which then stands on the slide as one."""
    equation = page.presentation.equations.of(target)
    if equation is None:
        return False
    page.blocks.append(
        Equation(text=equation.text, latex=equation.latex, page=page.number, box=shape.box, hidden=shape.hidden)
    )
    page.found.append(
        ElementCandidate("equation", len(page.blocks), shape.box, text=equation.text, latex=equation.latex)
    )
    return True


def _previews(page: Page, node: XmlElement) -> Iterator[Relationship]:
    """The pictures that stand for an object: within it, or, as PowerPoint 2007 writes them, in a VML drawing beside the
    slide under the number of its shape (part 4 §19.1)."""
    for blip in node.iter(_BLIP):
        preview = page.related(blip.get(_EMBED))
        if preview is not None:
            yield preview
            return
    number, package = node.get("spid"), page.presentation.package
    drawings = [one.target for one in page.relationships.values() if one.type == "vmlDrawing" and not one.external]
    for target in drawings if number else ():
        if target not in package:
            continue
        try:
            root, beside = package.xml(target), package.relationships(target)
        except DamagedError:
            continue
        for shape in root.iter("{urn:schemas-microsoft-com:vml}shape"):
            if number in (shape.get("id"), shape.get(f"{_VML_OFFICE}spid")):
                for image in shape.iter("{urn:schemas-microsoft-com:vml}imagedata"):
                    preview = beside.get(image.get(f"{_VML_OFFICE}relid") or "")
                    if preview is not None:
                        yield preview


def picture(page: Page, shape: Shape, node: XmlElement | None = None) -> None:
    """A `p:pic`: a picture, or the poster of a sound or film."""
    if _media(page, shape):
        return
    blip = next((shape.node if node is None else node).iter(_BLIP), None)
    embedded = page.related(blip.get(_EMBED)) if blip is not None else None
    linked = page.related(blip.get(_LINK)) if blip is not None else None
    link = page.links.of(shape.properties)
    if embedded is not None and not embedded.external:
        entry = _package_entry(page, "image", embedded.target, shape.alt)
        if entry is None:
            page.presentation.damaged(f"Picture {embedded.target} of slide {page.number} is missing.", page.number)
        _figure(page, shape, entry, link, element="figure")
    elif linked is not None or embedded is not None:
        _missing(page, shape, "A picture", linked or embedded)
    elif shape.alt:
        _figure(page, shape, None, link)


def picture_fill(page: Page, shape: Shape) -> bool:
    """A shape filled with a picture shows a picture; whether it was one."""
    filled = child_of(shape.look, _BLIP_FILL) if shape.look is not None else None
    fill = child_of(filled, _BLIP) if filled is not None else None
    relationship = page.related(fill.get(_EMBED)) if fill is not None else None
    if relationship is None or relationship.external:
        return False
    _figure(page, shape, _package_entry(page, "image", relationship.target, shape.alt), "", element="figure")
    return True


def _media(page: Page, shape: Shape) -> bool:
    """Sound and film of a picture shape (`p:nvPr`): embedded ones become media, linked ones a notice."""
    application = shape.application
    if application is None or not len(application):
        return False
    linked: Relationship | None = None
    stored: Relationship | None = None
    for node in application.iter():
        if node.tag in _MEDIA_TAGS or node.tag == _P14_MEDIA:
            for key in (_EMBED, _LINK):
                relationship = page.related(node.get(key))
                if relationship is None:
                    continue
                if relationship.external:
                    linked = linked or relationship
                else:
                    stored = stored or relationship
    if stored is None and linked is None:
        return False
    if stored is not None:
        _figure(page, shape, _package_entry(page, "media", stored.target, shape.alt or shape.name), "")
    else:
        _missing(page, shape, "A sound or film", linked)
    poster = next(shape.node.iter(_BLIP), None)
    relationship = page.related(poster.get(_EMBED)) if poster is not None else None
    if relationship is not None and not relationship.external:
        _place(page, _package_entry(page, "image", relationship.target), shape)
    return True


def outside(page: Page) -> None:
    """What the slide refers to from outside its shapes: backgrounds, sounds of transitions, pictures in fills."""
    for relationship in page.relationships.values():
        if relationship.external:
            continue
        kind = _BESIDE_SHAPES.get(relationship.type)
        if kind is not None:
            # The media relationship of a film repeats its video relationship under another type.
            other = "media" if kind == "image" else "image"
            if page.presentation.embeds.find(other, relationship.target) is None:
                _package_entry(page, kind, relationship.target)
        elif relationship.type in {"oleObject", "package"} and relationship.target in page.presentation.package:
            entry = page.presentation.embeds.attachment(relationship.target)
            if entry is not None and entry.part is None:
                entry.part = page.number


def _package_entry(page: Page, kind: Literal["image", "media"], ref: str, alt: str = "") -> EmbedEntry | None:
    """The register's entry for a file of the package; None when it is absent or the register is full."""
    entry = page.presentation.embeds.file(ref, kind)
    if entry is not None:
        entry.alt = entry.alt or alt
        entry.part = entry.part or page.number
    return entry


def _figure(
    page: Page,
    shape: Shape,
    entry: EmbedEntry | None,
    text: str,
    *,
    alt: str = "",
    element: Literal["figure", "chart", "diagram", ""] = "",
    caption: str = "",
    words: str = "",
    source: str = "",
) -> None:
    """A figure block, and with `element` the element it is; `words` are what it says where the block does not."""
    key = entry.key if entry is not None else None
    page.blocks.append(
        Figure(
            embed=key,
            alt=alt or shape.alt,
            text=text,
            source=source,
            page=page.number,
            box=shape.box,
            hidden=shape.hidden,
        )
    )
    _place(page, entry, shape)
    if element:
        own = "\n".join(word for word in (shape.alt, words or text) if word)
        page.found.append(ElementCandidate(element, len(page.blocks), shape.box, text=own, embed=key, caption=caption))


def _place(page: Page, entry: EmbedEntry | None, shape: Shape) -> None:
    """Remember where an embed first stands."""
    if entry is not None:
        entry.place(page.number, len(page.blocks), alt=shape.alt, hidden=shape.hidden)


def _missing(page: Page, shape: Shape, what: str, relationship: Relationship | None) -> None:
    """Something the file only points at: linked content is told as such, a dangling pointer as damage."""
    if relationship is not None and relationship.external:
        page.presentation.notices.append(
            Notice(
                code="external_content",
                message=f"{what} on slide {page.number} is linked, not stored: {relationship.target}",
                part=page.number,
            )
        )
        _figure(page, shape, None, "", source=relationship.target)
        return
    page.presentation.damaged(f"{what} on slide {page.number} refers to a part that is not in the file.", page.number)
    if shape.alt:
        _figure(page, shape, None, "")
