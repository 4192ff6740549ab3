"""One slide turned into a `Part` and its elements: its shapes in reading order, then its notes and comments.

ECMA-376 part 1 §19.3. Not responsible for the order of slides, nor for what tables, pictures and objects say
(`frames`)."""

from collections.abc import Iterator
from functools import cache
from math import inf

from sidecar.api import (
    AnyBlock,
    Box,
    DamagedError,
    Element,
    Equation,
    Heading,
    ListItem,
    Note,
    Notice,
    Paragraph,
    Part,
    Span,
)
from sidecar.toolkit.ooxml.drawing import DrawnParagraph, body_text, font_scale, joined, paragraphs
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.reading_order import reading_order
from sidecar.toolkit.visible import link_note, spans_cover, trimmed, union
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_pptx.bullets import Bullets
from sidecar_pptx.comments import read_comments
from sidecar_pptx.context import Page, PresentationState
from sidecar_pptx.elements import ElementCandidate, connected, context_of, label_elements, words_of
from sidecar_pptx.frames import frame, outside, picture, picture_fill
from sidecar_pptx.layouts import text_size
from sidecar_pptx.links import Links
from sidecar_pptx.occlusion import occluded_shapes
from sidecar_pptx.shapes import Shape, flat, shape_tree
from sidecar_pptx.visibility import Visibility

_TITLES = frozenset({"title", "ctrTitle"})
_HEADERS_FOOTERS = {"ftr": "footer", "dt": "footer", "sldNum": "footer", "hdr": "header"}
_EDGE_ON = frozenset(("5400000", "16200000"))
_TITLE_CHARS = 120
_TITLE_LINES = 3
_LARGER = 1.15
"""A title that is no placeholder is larger than all other text by this much."""
_TEXT_SIZE = 2000
"""A box of text with nothing else on its slide is a remark where it is no larger, in hundredths of a point."""
_LST_STYLE, _BODY_LOOK, _SCENE = f"{A}lstStyle", f"{A}bodyPr", f"{A}scene3d"


class SlideReader:
    """Collects the blocks of one slide. `box_of` a shape is where it stands, its layout's place included."""

    def __init__(self, presentation: PresentationState, number: int, name: str, root: XmlElement) -> None:
        self.presentation = presentation
        self.number = number
        self.root = root
        relationships = presentation.package.relationships(name)
        self.relationships = relationships
        self.links = Links(lambda: relationships, presentation.numbers, number)
        self.layout = next(
            (presentation.layouts.layout(r.target) for r in self.relationships.values() if r.type == "slideLayout"),
            None,
        )
        self.shapes = shape_tree(root)
        self.visibility = Visibility(presentation.package, root, self.layout, self.shapes)
        self.page = Page(presentation, number, relationships, self.links, self.visibility)
        self.blocks = self.page.blocks
        self.found = self.page.found
        self.hidden_shapes = 0
        self.title: Shape | None = None
        self.title_lines: int | None = None
        """How many paragraphs of the title's shape are the title, where a slide has no placeholder for it."""
        self.first_block: dict[str, int] = {}

    def read(self) -> tuple[Part, list[Element]]:
        """The slide as a part, and its elements."""
        for shape in self.shapes:
            self._settle(shape)
        for shape in occluded_shapes(self.shapes, self.root, self.presentation.package, self.relationships):
            shape.hidden = True
        self._write(self.shapes, top=True)
        self._drawn_diagrams()
        slide_title = next((block.text for block in self.blocks if isinstance(block, Heading) and not block.hidden), "")
        title = slide_title or next((_first_line(block) for block in self.blocks if _first_line(block)), "")
        outside(self.page)
        self._layout_words()
        self._notes()
        self._comments()
        elements = label_elements(self.found, self.blocks, self.number)
        self._contexts()
        hidden = self.root.get("show", "1") in {"0", "false"}
        if self.hidden_shapes:
            shown = "shape is" if self.hidden_shapes == 1 else "shapes are"
            self.presentation.notices.append(
                Notice(
                    code="hidden_content",
                    message=f"{self.hidden_shapes} {shown} hidden, off the slide or behind others.",
                    part=self.number,
                )
            )
        self.presentation.notices += self.visibility.hidden.notices(self.number)
        part = Part(
            kind="slide",
            title=title[:_TITLE_CHARS],
            hidden=hidden,
            blocks=tuple(self.blocks),
            width=self.presentation.width,
            height=self.presentation.height,
        )
        return part, elements

    def _settle(self, shape: Shape) -> None:
        """Give a placeholder its inherited box, and flag what stands wholly off the slide as hidden."""
        if shape.box is None and shape.place is not None and self.layout is not None:
            shape.box = self.layout.box(shape.place)
        box = shape.box
        if box is not None and self.presentation.width > 0:
            gone = box[2] < 0 or box[3] < 0 or box[0] > self.presentation.width or box[1] > self.presentation.height
            if gone or _has_no_room(shape):
                for inner in flat([shape]):
                    inner.hidden = True

    def _write(self, shapes: list[Shape], top: bool) -> None:
        """Blocks of the shapes in reading order; the slide's title first, wherever it stands."""
        order = reading_order([shape.box for shape in shapes], self.presentation.rtl)
        if top:
            titles = [i for i in order if (shapes[i].place or ("",))[0] in _TITLES and _has_words(shapes[i])]
            # LibreOffice writes more than one.
            self.title = shapes[titles[0]] if titles else self._title_without_place(shapes)
            order.sort(key=lambda i: shapes[i] is not self.title)  # stable: only the title moves
        for i in order:
            shape = shapes[i]
            at = len(self.blocks)
            if shape.kind == "group":
                self._write(shape.children, top=False)
                self._alt(shape, "")
            elif shape.kind == "picture":
                picture(self.page, shape)
            elif shape.kind == "frame":
                frame(self.page, shape)
            else:
                self._shape(shape)
            if len(self.blocks) > at:
                self.first_block.setdefault(shape.id, at + 1)
                self.hidden_shapes += shape.hidden

    def _shape(self, shape: Shape) -> None:
        text = self._text(shape, shape.body) if shape.body is not None else ""
        if not picture_fill(self.page, shape):
            self._alt(shape, text)

    def _alt(self, shape: Shape, text: str) -> None:
        """Alt text of what is not a picture stands beside the text it describes; so do links of wordless shapes."""
        if shape.alt and shape.alt != text:
            self.page.describe(shape, text)
        target = self.links.of(shape.properties) if not text else ""
        if target:
            about = shape.alt or shape.name
            self.blocks.append(link_note(target, about, page=self.number, box=shape.box, hidden=shape.hidden))

    def _text(self, shape: Shape, body: XmlElement) -> str:
        """Blocks for a shape's words; returns the plain text ("" when there was none worth keeping)."""
        seen = self.visibility.of(shape)
        parts = [p for p in paragraphs(body, self.links, seen) if p.equations or p.text.strip()]
        if not parts or _only_counts(body):
            return ""
        kind = shape.place[0] if shape.place is not None else ""
        lead = parts[: self.title_lines] if shape is self.title else parts
        text, spans = joined(lead)
        whole = self.links.of(shape.properties)
        if whole:
            spans = (*spans, Span("link", 0, len(text), whole))
        # What a layout has in the place of a footer is no prompt: PowerPoint copies it to its slides.
        prompts = self.layout if kind not in _HEADERS_FOOTERS else None
        if shape.place is not None and prompts is not None and text == prompts.prompt(shape.place):
            return ""
        if kind in _HEADERS_FOOTERS:
            shown = str(self.number) if text == "‹#›" else text
            if kind == "sldNum" and shown == str(self.number):
                return text  # the slide is called by this number already
            self.blocks.append(
                Note(
                    kind="header" if kind == "hdr" else "footer",
                    text=shown,
                    spans=spans if shown == text else (),
                    page=self.number,
                    box=shape.box,
                    hidden=shape.hidden,
                )
            )
        elif shape is self.title and not any(p.equations for p in parts):
            # A heading is one line; the break becomes a space so that the spans stay where they are.
            self.blocks.append(
                Heading(
                    text=text.replace("\n", " "),
                    spans=spans,
                    page=self.number,
                    box=shape.box,
                    hidden=shape.hidden or spans_cover(spans, text),
                )
            )
            self._paragraphs(shape, parts[len(lead) :], "", whole)
        else:
            self._paragraphs(shape, parts, "subtitle" if kind == "subTitle" else "", whole)
        return text

    def _title_without_place(self, shapes: list[Shape]) -> Shape | None:
        """The title of a slide without words in a placeholder for it: the first lines of the topmost text, where they
        are few and larger than all other text."""
        texts = [one for one in flat(shapes) if not one.hidden and (one.kind == "frame" or _is_text(one))]
        first = min(texts, key=lambda one: one.box[1] if one.box is not None else inf, default=None)
        if first is None or first.body is None or first not in shapes:
            return None
        parts = [part for part in paragraphs(first.body) if part.text.strip()]
        sizes = list(self._sizes(first))
        if len(parts) != len(sizes):
            return None
        lines = next((at for at, size in enumerate(sizes) if size < sizes[0]), len(sizes))
        others = [size for one in texts if one is not first for size in self._sizes(one)] + sizes[lines:]
        alone = sizes[0] if first.place is not None and first.place[0] in {"obj", "body"} else _TEXT_SIZE
        large = max(others, default=alone) * _LARGER <= sizes[0]
        bullets = Bullets(lambda: self._styles(first))
        title, _ = joined(parts[:lines])
        if (
            large and lines <= _TITLE_LINES and len(title) <= _TITLE_CHARS and any(map(str.isalpha, title))
            and all(bullets.marker(part) is None for part in parts[:lines])
        ):  # fmt: skip
            self.title_lines = lines
            return first
        return None

    def _sizes(self, shape: Shape) -> Iterator[int]:
        """The size of each paragraph's first words, in hundredths of a point."""
        if shape.body is None:
            return
        scale = font_scale(shape.body)
        styles = list(self._styles(shape))
        for node in shape.body.iterchildren(f"{A}p"):
            run = next((one for one in node.iter(f"{A}t") if (one.text or "").strip()), None)
            if run is not None:
                yield round(text_size(run.getparent(), node, styles) * scale)

    def _paragraphs(self, shape: Shape, parts: list[DrawnParagraph], style: str, whole: str) -> None:
        bullets = Bullets(lambda: self._styles(shape))
        for part in parts:
            text, spans = trimmed(part.text, part.spans)
            if text:
                if whole:
                    spans = (*spans, Span("link", 0, len(text), whole))
                marker = None if style else bullets.marker(part)
                hidden = shape.hidden or spans_cover(spans, text)
                if marker is None:
                    self.blocks.append(
                        Paragraph(text=text, style=style, spans=spans, page=self.number, box=shape.box, hidden=hidden)
                    )
                else:
                    self.blocks.append(
                        ListItem(
                            text=text,
                            level=part.level,
                            marker=marker[0],
                            ordered=marker[1],
                            spans=spans,
                            page=self.number,
                            box=shape.box,
                            hidden=hidden,
                        )
                    )
            for words, source in part.equations:
                self.blocks.append(
                    Equation(text=words, latex=source, page=self.number, box=shape.box, hidden=shape.hidden)
                )
                self.found.append(ElementCandidate("equation", len(self.blocks), shape.box, text=words, latex=source))

    def _styles(self, shape: Shape) -> Iterator[XmlElement]:
        own = child_of(shape.body, _LST_STYLE) if shape.body is not None else None
        if own is not None and len(own):
            yield own
        if shape.place is not None and self.layout is not None:
            yield from self.layout.styles(shape.place)

    def _drawn_diagrams(self) -> None:
        """Boxes joined by connectors are a diagram, though the file knows only shapes."""
        for group in connected(self.shapes):
            blocks = [self.first_block[shape.id] for shape in group if shape.id in self.first_block]
            words = [body_text(shape.body) for shape in group]
            if len(blocks) >= 2:
                box: Box | None = union(shape.box for shape in group)
                text = "\n".join(word for word in words if word)
                self.found.append(ElementCandidate("diagram", min(blocks), box, text=text))

    def _layout_words(self) -> None:
        """Words a layout or master draws itself are on every slide that uses it; they are told once, on the first."""
        layout = self.layout
        if layout is None or self.root.get("showMasterSp", "1") in {"0", "false"}:
            return
        words = layout.own_text()
        if layout.master is not None and layout.shows_master:
            words += layout.master.own_text()
        for text in words:
            if text not in self.presentation.seen_words:
                self.presentation.seen_words.add(text)
                self.blocks.append(
                    Note(kind="textbox", text=text, target="every slide of this layout", page=self.number)
                )

    def _related(self, kind: str, called: str) -> Iterator[tuple[str, XmlElement]]:
        """Names and trees of the parts in a relationship of that type; one that cannot be read is told."""
        for relationship in self.relationships.values():
            if relationship.type != kind or relationship.external:
                continue
            try:
                root = self.presentation.package.xml(relationship.target)
            except DamagedError:
                self.presentation.damaged(f"The {called} of slide {self.number} cannot be read.", self.number)
                continue
            yield relationship.target, root

    def _notes(self) -> None:
        """Speaker notes; a header or footer of the notes pages is told once."""
        for part, root in self._related("notesSlide", "speaker notes"):
            links = self._links_of(part)
            for shape in flat(shape_tree(root)):
                body = shape.body
                kind = shape.place[0] if shape.place is not None else ""
                if body is None or kind in {"sldNum", "dt", "sldImg"} or _only_counts(body):
                    continue
                text, spans = joined(paragraphs(body, links, self.visibility.of_notes()))
                if not text or (kind in _HEADERS_FOOTERS and text in self.presentation.seen_words):
                    continue
                if kind in _HEADERS_FOOTERS:
                    self.presentation.seen_words.add(text)
                    side = "header" if kind == "hdr" else "footer"
                    self.blocks.append(Note(kind=side, text=text, spans=spans, target="notes pages", page=self.number))
                else:
                    self.blocks.append(Note(kind="speaker", text=text, spans=spans, page=self.number))

    def _links_of(self, part: str) -> Links:
        package = self.presentation.package
        return Links(cache(lambda: package.relationships(part)), self.presentation.numbers, self.number)

    def _comments(self) -> None:
        for _, root in self._related("comments", "comments"):
            self.blocks += read_comments(root, self.presentation.authors, self._text_of, self.number)

    def _text_of(self, shape_id: str) -> str:
        shape = next((shape for shape in flat(self.shapes) if shape.id == shape_id), None)
        return body_text(shape.body) if shape is not None else ""

    def _contexts(self) -> None:
        words = words_of(self.blocks)
        for entry in self.presentation.embeds.entries:
            if entry.part == self.number and not entry.context:
                entry.context = context_of(words, entry.block or len(self.blocks), 200)


def _has_words(shape: Shape) -> bool:
    return shape.body is not None and any((node.text or "").strip() for node in shape.body.iter(f"{A}t"))


def _is_text(shape: Shape) -> bool:
    return (shape.place is None or shape.place[0] not in _HEADERS_FOOTERS) and _has_words(shape)


def _only_counts(body: XmlElement) -> bool:
    """Whether a shape that is not a placeholder says nothing but the slide's number, by which the slide is called."""
    fields = [node for node in body.iter(f"{A}fld") if node.get("type") == "slidenum"]
    return bool(fields) and all(
        not (node.text or "").strip() or node.getparent() in fields for node in body.iter(f"{A}t")
    )


def _first_line(block: AnyBlock) -> str:
    """The first line of a block of body text; "" for everything else."""
    if isinstance(block, Heading | Paragraph | ListItem) and not block.hidden:
        return block.text.partition("\n")[0]
    return ""


def _has_no_room(shape: Shape) -> bool:
    """Whether a shape cuts its words off where it has no size (§21.1.2.1.1), or is turned edge on (§20.1.5.11)."""
    box, body = shape.box, child_of(shape.body, _BODY_LOOK) if shape.body is not None else None
    scene = child_of(shape.look, _SCENE) if shape.look is not None else None
    turned = scene.find(f"{A}camera/{A}rot") if scene is not None else None
    if turned is not None and _EDGE_ON.intersection((turned.get("lat"), turned.get("lon"))):
        return True
    cut = body is not None and body.get("vertOverflow") == "clip"
    return cut and box is not None and min(box[2] - box[0], box[3] - box[1]) < 1
