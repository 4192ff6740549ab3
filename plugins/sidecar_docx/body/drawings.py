"""Pictures, shapes, charts, SmartArt and attached objects standing in a paragraph, as figures and notes.

DrawingML (ECMA-376 part 1 §20.4) and the older VML (part 4 §14). Walks a drawing once; alternate content is resolved so
that nothing comes twice."""

import re
from collections.abc import Callable

from sidecar.api import AnyBlock, Equation, Figure, FormatError, Note, Notice
from sidecar.toolkit.ooxml.chart import chart_of_part
from sidecar.toolkit.ooxml.colours import FILLS
from sidecar.toolkit.ooxml.diagrams import drawing_of, remove_hidden_runs, smartart
from sidecar.toolkit.ooxml.drawing import described, without_folder
from sidecar.toolkit.ooxml.embeds import EmbedKey
from sidecar.toolkit.ooxml.hidden_text import USUAL_SCHEME, WHITE, DrawnText, drawn_colour, hex_colour, remove_hidden
from sidecar.toolkit.ooxml.namespaces import CX, DGM, A, C, R
from sidecar.toolkit.visible import link_note
from sidecar.toolkit.word.mathtype.equations import EquationText
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.body.context import StoryState
from sidecar_docx.body.occlusion import is_behind_a_picture
from sidecar_docx.body.text import flattened
from sidecar_docx.qualified_names import (
    ALTERNATE,
    ASVG,
    CHOICE,
    FALLBACK,
    OBJECT,
    PIC,
    R_EMBED,
    R_ID,
    R_LINK,
    TXBX_CONTENT,
    WP,
    WP15,
    WPC,
    WPG,
    WPS,
    O,
    V,
    W,
    decimal_attribute,
)
from sidecar_docx.styles.run_properties import UNKNOWN, background

_MAX_DEPTH = 40
_DOC_PR, _PIC, _WSP, _CHART, _CHARTEX, _SMARTART = (
    f"{WP}docPr", f"{PIC}pic", f"{WPS}wsp", f"{C}chart", f"{CX}chart", f"{DGM}relIds",
)  # fmt: skip
_IMAGE_DATA, _OLE, _TEXT_PATH = f"{V}imagedata", f"{O}OLEObject", f"{V}textpath"
_MARGIN, _FARTHEST = 1_371_600, 20_116_800
"""English Metric Units left of or above what a place is measured from (an inch and a half: no margin is wider), and
beyond it (22 inches: no page is larger), where nothing shows."""
_VML_AWAY = re.compile(r"(?:margin-)?(?:left|top):\s*-\d{4,}(?:\.\d+)?(?:pt)?\s*(?:;|$)|visibility:\s*hidden")
_MIN_EMU = 25_400
"""EMU (two points): what is smaller both ways has no room for words."""
_GROUPS = (f"{WPG}wgp", f"{WPC}wpc", f"{V}group")
_SHAPES = frozenset(f"{V}{name}" for name in ("shape", "rect", "oval", "roundrect", "line", "polyline", "arc", "curve"))


def read_drawing(story: StoryState, node: XmlElement, depth: int) -> list[AnyBlock]:
    """The blocks of a `w:drawing`, `w:pict` or `w:object`, in order."""
    walk = _Walk(story)
    properties = next(node.iter(_DOC_PR), None)
    if properties is not None:
        walk.alt = described(properties)
        walk.hidden = properties.get("hidden") in {"1", "true"}
    hidden = walk.hidden
    if _is_away(node) or is_behind_a_picture(story, node):
        walk.hidden = True
    walk.grouped = next(node.iter(*_GROUPS), None) is not None
    walk.visit(node, depth)
    walk.describe(0)
    walk.link(node)
    if walk.hidden and any(isinstance(block, Note) for block in walk.found):
        story.document.hidden.add("formatting" if hidden else "place")
    if node.tag == OBJECT:
        return walk.as_object()
    return walk.found


def equation_object(story: StoryState, node: XmlElement) -> EquationText | None:
    """The equation that a `w:object` holds (of MathType or Equation Editor); None where it is none, or off the page."""
    found = next(node.iterchildren(_OLE), None)
    relation = story.relation(found.get(R_ID, "")) if found is not None else None
    if relation is None or relation.external or _is_away(node):
        return None
    return story.document.equations.of(relation.target)


def _texts_of(block: AnyBlock) -> tuple[str, ...]:
    if isinstance(block, Note):
        return block.text, block.target
    return (block.alt,) if isinstance(block, Figure) else ()


def _is_away(node: XmlElement) -> bool:
    """Whether a drawing stands wholly off the page (§20.4.2.3; VML: its `style`), as far as its place is written, or is
    not shown."""
    for anchor in node.iterchildren(f"{WP}anchor"):
        extent = anchor.find(f"{WP}extent")
        if extent is not None and all(
            decimal_attribute(extent.get(side), _MIN_EMU) < _MIN_EMU for side in ("cx", "cy")
        ):
            return True
        for axis, side in (("positionH", "cx"), ("positionV", "cy")):
            offset = anchor.findtext(f"{WP}{axis}/{WP}posOffset") or "0"
            start = decimal_attribute(offset.lstrip("-")) * (-1 if offset.startswith("-") else 1)
            if (
                start + (decimal_attribute(extent.get(side)) if extent is not None else 0) < -_MARGIN
                or start > _FARTHEST
            ):
                return True
    return any(_VML_AWAY.search(shape.get("style", "")) for shape in node.iterchildren(*_SHAPES))


class _Walk:
    """One drawing being read."""

    def __init__(self, story: StoryState) -> None:
        self.story = story
        self.found: list[AnyBlock] = []
        self.alt = ""
        self.hidden = False
        self.grouped = False
        """Whether there are several shapes, which may stand one behind the other."""

    def visit(self, node: XmlElement, depth: int) -> None:
        if depth > _MAX_DEPTH:
            text = " ".join("".join(t.text or "" for t in p.iter(f"{W}t")) for p in node.iter(f"{W}p"))
            if text.strip():
                self.found.append(Note(kind="textbox", text=text.strip()))
            return
        for child in node:
            handler = _HANDLERS.get(child.tag)
            if handler is not None:
                handler(self, child, depth + 1)
            elif isinstance(child.tag, str) and len(child):
                self.visit(child, depth + 1)

    def describe(self, before: int) -> None:
        """Add the alternative text of what was found since `before`, where nothing there has it: as a figure, or beside
        the words of a shape."""
        made = self.found[before:]
        if not self.alt or any(self.alt in _texts_of(block) for block in made):
            return
        words = next((block.text for block in made if isinstance(block, Note)), "")
        note = Note(kind="annotation", text=self.alt, target=words[:200], hidden=self.hidden)
        self.found.append(note if made else Figure(alt=self.alt, hidden=self.hidden))

    def link(self, node: XmlElement) -> None:
        """Add where clicks on the drawing or a shape of it lead, with their screen tips (§21.1.2.3.5; VML: `href`)."""
        clicks = {
            self.story.link_target(click.get(R_ID), None): click.get("tooltip", "")
            for properties in reversed([*node.iter(_DOC_PR, f"{PIC}cNvPr", f"{WPS}cNvPr")])
            for click in properties.iterchildren(f"{A}hlinkClick")
        }  # a picture repeats what its drawing says, without the tip
        clicks |= {shape.get("href", ""): shape.get("title", "") for shape in node.iter(*_SHAPES)}
        words = next((text for block in self.found for text in _texts_of(block) if text), "")
        for target, tip in clicks.items():
            if target:
                self.found.append(link_note(target, words[:200], tip, hidden=self.hidden))

    # What follows is called as handler(walk, node, depth).

    def alternate(self, node: XmlElement, depth: int) -> None:
        before = len(self.found)
        for branch in (*node.iterchildren(CHOICE), *node.iterchildren(FALLBACK)):
            self.visit(branch, depth)
            if len(self.found) > before:
                return

    def text_path(self, node: XmlElement, depth: int) -> None:
        if node.get("string"):
            self.found.append(Note(kind="textbox", text=node.get("string")))

    def vml_shape(self, node: XmlElement, depth: int) -> None:
        before, outer = len(self.found), self.alt
        self.alt = without_folder(node.get("alt", "")) or outer
        behind = self.story.background
        self.story.background = _vml_fill(node) or (UNKNOWN if self.grouped else behind)
        self.visit(node, depth)
        self.story.background = behind
        if self.alt != outer:
            self.describe(before)
        self.alt = outer

    def shape(self, node: XmlElement, depth: int) -> None:
        before = len(self.found)
        outer = self.alt
        self.alt = described(node.find(f"{WPS}cNvPr")) or outer
        behind = self.story.background
        self.story.background = _shape_fill(node) or (UNKNOWN if self.grouped else behind)
        self.visit(node, depth)
        self.story.background = behind
        fill = node.find(f"{WPS}spPr/{A}blipFill/{A}blip")
        if fill is not None:
            self._blip(fill, self.alt)
        if self.alt != outer:
            self.describe(before)
        self.alt = outer

    def text_box(self, node: XmlElement, depth: int) -> None:
        text, spans, rest = flattened(self.story.inner(node, depth), tables=False)
        if text.strip():
            self.found.append(Note(kind="textbox", text=text, spans=spans, hidden=self.hidden))
        self.found += rest

    def picture(self, node: XmlElement, depth: int) -> None:
        alt = described(node.find(f"{PIC}nvPicPr/{PIC}cNvPr")) or self.alt
        film = node.find(f"{PIC}nvPicPr/{PIC}nvPr/{A}videoFile")
        relation = self.story.relation(film.get(R_LINK, "")) if film is not None else None
        if relation is not None and not relation.external:
            self._show(self._picture_of(relation.target, alt), alt)
        online = next(node.iter(f"{WP15}webVideoPr"), None)
        if online is not None:
            self.story.document.external(online.get("embeddedHtml", "an online video")[:200])
        blip = node.find(f"{PIC}blipFill/{A}blip")
        if blip is not None:
            self._blip(blip, alt)
        elif alt:
            self.found.append(Figure(alt=alt, hidden=self.hidden))

    def _blip(self, blip: XmlElement, alt: str) -> None:
        self._image(blip.get(R_EMBED) or blip.get(R_LINK) or "", alt)
        vector = next(blip.iter(f"{ASVG}svgBlip"), None)
        if vector is not None:
            # The same picture as SVG: readable and searchable, so it is kept too, without a second figure.
            relation = self.story.relation(vector.get(R_EMBED, ""))
            if relation is not None and not relation.external:
                self._picture_of(relation.target, alt)

    def _image(self, relation_id: str, alt: str) -> None:
        relation = self.story.relation(relation_id)
        if relation is None:
            if alt:
                self.found.append(Figure(alt=alt, hidden=self.hidden))
        elif relation.external:
            self.story.document.external(relation.target)
            self.found.append(Figure(alt=alt, source=relation.target, hidden=self.hidden))
        else:
            self._show(self._picture_of(relation.target, alt), alt)

    def _picture_of(self, part: str, alt: str) -> EmbedKey | None:
        """Register a picture (or a film); a damaged one is noticed and not shown."""
        document = self.story.document
        try:
            entry = document.embeds.file(part, strict=True)
        except FormatError as error:
            document.damaged(str(error))
            return None
        if entry is None:
            return None
        entry.alt = entry.alt or alt
        return entry.key

    def _show(self, embed: EmbedKey | None, alt: str) -> None:
        if embed is not None or alt:
            self.found.append(Figure(embed=embed, alt=alt, hidden=self.hidden))

    def vml_image(self, node: XmlElement, depth: int) -> None:
        alt = self.alt or node.get(f"{O}title", "")
        self._image(node.get(R_ID) or node.get(f"{R}href") or node.get(f"{O}relid") or "", alt)

    def chart(self, node: XmlElement, depth: int) -> None:
        document = self.story.document
        relation = self.story.relation(node.get(R_ID, ""))
        if relation is None or relation.external or relation.target not in document.package:
            return
        try:
            root = document.package.xml(relation.target)
            self._add_hidden(remove_hidden(root, self._seen()))
            chart = chart_of_part(document.package, relation.target, root)
        except FormatError as error:
            document.damaged(str(error))
            return
        name = relation.target.rpartition("/")[2].partition(".")[0]
        entry = document.embeds.add("chart", "", name=name, media_type="application/json")
        if entry is None:
            return
        entry.chart, entry.alt = chart, self.alt
        for workbook in document.package.related(relation.target, "package"):
            if not workbook.external:  # what "Edit data" opens
                document.embeds.attachment(workbook.target)
        self.found.append(Figure(embed=entry.key, alt=self.alt, hidden=self.hidden))

    def _seen(self) -> DrawnText:
        """What is seen of text drawn on the page, which is white unless the document says otherwise."""
        behind = None if self.story.background else WHITE
        return DrawnText(self.story.document.hidden, lambda _: behind, lambda node: drawn_colour(node, USUAL_SCHEME))

    def _add_hidden(self, texts: list[str]) -> None:
        self.found += [Note(kind="textbox", text=text, hidden=True) for text in texts]

    def smartart(self, node: XmlElement, depth: int) -> None:
        document = self.story.document
        relation = self.story.relation(node.get(f"{R}dm", ""))
        if relation is None or relation.external:
            return
        try:
            root = document.package.xml(relation.target)
            drawing = drawing_of(root, document.package, self.story.relation)
            self._add_hidden(remove_hidden_runs(root, drawing, self._seen()))
            points = smartart(root, None)
        except FormatError as error:
            document.damaged(str(error))
            return
        text = "\n".join("  " * level + words for level, words in points)
        if text or self.alt:
            self.found.append(Note(kind="smartart", text=text or self.alt, target=self.alt if text else ""))

    def ole_object(self, node: XmlElement, depth: int) -> None:
        """§19.3.2 / VML `o:OLEObject`: embedded, or linked to a file elsewhere."""
        document = self.story.document
        relation = self.story.relation(node.get(R_ID, ""))
        if relation is None:
            return
        program = node.get("ProgID", "")
        if relation.external:
            document.external(relation.target)
            self.found.append(Figure(alt=self.alt or program, source=relation.target))
            return
        equation = document.equations.of(relation.target)
        try:
            entry = document.embeds.attachment(relation.target) if equation is None else None
        except FormatError as error:
            document.damaged(str(error))
            return
        if equation is not None:  # the picture of the shape shows the same
            self.found = [block for block in self.found if not isinstance(block, Figure)]
            self.found.append(Equation(text=equation.text, latex=equation.latex, hidden=self.hidden))
        if entry is not None:
            self.found.append(Figure(embed=entry.key, alt=self.alt or program))

    def control(self, node: XmlElement, depth: int) -> None:
        """An ActiveX control: only its name and its preview picture are shown."""
        if node.get(f"{W}name"):
            self.found.append(Note(kind="form", text=node.get(f"{W}name", "")))
            self.story.document.notices.append(
                Notice("unsupported_content", f"The ActiveX control {node.get(f'{W}name')} is not read.")
            )

    def as_object(self) -> list[AnyBlock]:
        """Of an attached object the file comes first, then the picture Word shows for it."""
        files = [b for b in self.found if isinstance(b, Figure) and b.embed is not None and b.embed[0] == "attachment"]
        return [*files, *(block for block in self.found if block not in files)] if files else self.found


def _shape_fill(node: XmlElement) -> int:
    """The background a DrawingML shape gives its text (§20.1.2.2.35), as `shading` gives one; 0 where it has none."""
    properties = node.find(f"{WPS}spPr")
    fills = [child for child in properties if child.tag in FILLS] if properties is not None else []
    if fills:
        colour = fills[0].find(f"{A}srgbClr") if fills[0].tag == f"{A}solidFill" else None
        if fills[0].tag == f"{A}noFill":
            return 0
        rgb = hex_colour(colour.get("val")) if colour is not None and not len(colour) else None
        return UNKNOWN if rgb is None else background(rgb)
    style = node.find(f"{WPS}style/{A}fillRef")
    return UNKNOWN if style is not None and style.get("idx", "0") != "0" else 0


def _vml_fill(node: XmlElement) -> int:
    """The same of a VML shape (part 4 §14.1.2.19)."""
    if node.find(f"{V}fill") is not None or (node.get("filled") or "t")[:1] == "f":
        return UNKNOWN
    written = node.get("fillcolor")
    if written is None:
        return 0
    rgb = hex_colour(written.partition(" ")[0].lstrip("#"))
    return UNKNOWN if rgb is None else background(rgb)


_HANDLERS: dict[str, Callable[[_Walk, XmlElement, int], None]] = {
    **dict.fromkeys(_SHAPES, _Walk.vml_shape), _PIC: _Walk.picture, TXBX_CONTENT: _Walk.text_box, _CHART: _Walk.chart,
    _CHARTEX: _Walk.chart, _SMARTART: _Walk.smartart, ALTERNATE: _Walk.alternate, _IMAGE_DATA: _Walk.vml_image,
    _OLE: _Walk.ole_object, _TEXT_PATH: _Walk.text_path, _WSP: _Walk.shape, f"{W}control": _Walk.control,
}  # fmt: skip
