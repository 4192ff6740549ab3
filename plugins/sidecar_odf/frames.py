"""Frames and shapes (ODF §10): pictures, text boxes, formulas, charts, groups; and the text of blocks in them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from sidecar.api import AnyBlock, Box, Equation, Figure, Heading, ListItem, Note, Paragraph, Span, Table
from sidecar.api.model import NoteKind
from sidecar.toolkit.hidden import MIN_POINTS
from sidecar.toolkit.markup.inline import Inline
from sidecar.toolkit.markup.odf_charts import read_odf_chart, words_of
from sidecar.toolkit.markup.odf_forms import control_note
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.ooxml.hidden_text import is_solid_part
from sidecar.toolkit.visible import link_note, trimmed, visible
from sidecar.toolkit.word.occlusion import Drawings, Floating
from sidecar.toolkit.xml import XmlElement, outermost, unsigned
from sidecar_odf.names import DRAW, FO, OFFICE, STYLE, SVG, TABLE, TEXT, XLINK, points
from sidecar_odf.objects import PackageObjects
from sidecar_odf.styles import UNKNOWN_COLOUR, Styles

MAX_REPEATS: Final = 100_000


@dataclass
class Repeats:
    """How often cells of a document's tables may still be written out again: each row may say that it repeats."""

    left: int = MAX_REPEATS

    def take(self, wanted: int) -> int:
        """As many as are wanted, or are left."""
        taken = min(wanted, self.left)
        self.left -= taken
        return taken


class FrameReader(Protocol):
    """What frames and tables need of the reader that comes upon them."""

    styles: Styles
    pictures: Pictures
    objects: PackageObjects
    page: int | None
    """The slide or page being read, None in a text document."""
    line: Inline
    """The paragraph being read."""
    drawings: Drawings
    """Those that hang on the paragraph being read."""
    blocks: list[AnyBlock]
    after: list[AnyBlock]
    """Blocks that follow the paragraph being read."""
    repeats: Repeats

    def inner(self, family: str = "", style: str = "", shape: XmlElement | None = None) -> "FrameReader":
        """A reader of something set apart: a cell of a style, the words in a shape."""
        ...

    def content(self, node: XmlElement, style: str = "") -> None:
        """Read everything inside a body, section, cell or box."""


_SCALED = re.compile(r"scale\s*\(\s*(-?[\d.]{1,9})(?:[\s,]+(-?[\d.]{1,9}))?")
_MOVED = re.compile(r"translate\s*\(\s*(-?[\d.]+[a-z]*)[\s,]+(-?[\d.]+[a-z]*)")
_MIN_SCALE = 0.05
_FAR = -100.0
"""Points left of or above what a shape in a text hangs on, from which it is on no page."""
_BOXES = (f"{DRAW}frame", f"{DRAW}custom-shape", f"{DRAW}rect")
_SQUARE = ("rectangle", "round-rectangle", "ooxml-rect", "ooxml-roundRect")
_PARAGRAPHS = (f"{TEXT}p", f"{TEXT}h")
_TEXTS = (*_PARAGRAPHS, f"{TEXT}list")


def read_shape(node: XmlElement, story: FrameReader) -> None:
    """What a frame, group or shape holds goes to `story.after`: it stands beside the text, not in the line."""
    before = len(story.after)
    _read_shape(node, story)
    drawing = _floating(node, story) if story.page is None else None
    if drawing is not None:
        story.drawings.add(drawing, story.after[before:])


def _floating(node: XmlElement, story: FrameReader) -> Floating | None:
    """A frame or shape of a text by its place (§20.325, §20.331, §20.413), None where that is not told."""
    style, box = node.get(f"{DRAW}style-name") or "", box_of(node)
    if box is None or node.tag == f"{DRAW}g":
        return None

    def look(name: str) -> str:
        return story.styles.attribute_of("graphic", style, STYLE + name)

    across, down = look("horizontal-rel"), look("vertical-rel")
    return Floating(
        box, ("column" if across == "paragraph" else across, down), unsigned(node.get(f"{DRAW}z-index")),
        look("wrap") == "run-through" and look("run-through") != "background", partial(_is_opaque, node, story),
    )  # fmt: skip


def is_opaque_picture(node: XmlElement, objects: PackageObjects) -> bool:
    """Whether a frame shows a picture without a pixel that lets through what is below."""
    image = node.find(f"{DRAW}image")
    return image is not None and is_solid_part(objects.package, objects.path(image.get(f"{XLINK}href") or ""))


def _is_opaque(node: XmlElement, story: FrameReader) -> bool:
    if node.find(f"{DRAW}image") is not None:
        return is_opaque_picture(node, story.objects)
    filled = story.styles.background("graphic", node.get(f"{DRAW}style-name") or "", UNKNOWN_COLOUR) != UNKNOWN_COLOUR
    shape = node.find(f"{DRAW}enhanced-geometry")
    square = node.tag == f"{DRAW}rect" or (shape is not None and shape.get(f"{DRAW}type") in _SQUARE)
    return filled and (square or node.find(f"{DRAW}text-box") is not None)


def _read_shape(node: XmlElement, story: FrameReader) -> None:
    tag = node.tag
    before = len(story.after)
    if tag in (f"{DRAW}g", f"{DRAW}a"):
        for child in node:
            if isinstance(child.tag, str) and child.tag.startswith(DRAW):
                read_shape(child, story)
    elif tag == f"{DRAW}frame":
        _frame(node, story)
    elif tag == f"{DRAW}control":
        note = control_note(node, story.objects.controls, story.page)
        story.after += [note] if note is not None else []
    elif any(child.tag in _TEXTS for child in node):
        _words(node, story, box_of(node), node)  # a drawn shape with words in it
    _annotate(node, story, before)


def _annotate(node: XmlElement, story: FrameReader, before: int) -> None:
    """Add the alternative text of what was read since `before`, where nothing there has it, and where a click on it
    leads (ODF §10.4.12): beside it, as in other formats."""
    made = story.after[before:]
    said = [text for block in made for text in _said(block) if text]
    alt, link = _alternative(node), node.get(f"{XLINK}href") or "" if node.tag == f"{DRAW}a" else ""
    box = box_of(node) if story.page else None
    target = said[0][:200] if said else ""
    if alt and made and not any(alt in text for text in said):
        story.after.append(Note(kind="annotation", text=alt, target=target, page=story.page, box=box))
    if link and made:
        story.after.append(link_note(link, target, page=story.page, box=box))


def _said(block: AnyBlock) -> tuple[str, ...]:
    if isinstance(block, Table):
        return (" ".join(block.rows[0]) if block.rows else "",)
    return (block.alt, block.text) if isinstance(block, Figure) else (block.text,)


def _alternative(node: XmlElement) -> str:
    return " ".join(filter(None, (_child_text(node, "title"), _child_text(node, "desc"))))


def box_of(node: XmlElement) -> Box | None:
    """A shape's place in points, None where it gives none."""
    if node.get(f"{SVG}x") is None or node.get(f"{SVG}width") is None:
        return None
    left, top = points(node.get(f"{SVG}x")), points(node.get(f"{SVG}y"))
    return left, top, left + max(points(node.get(f"{SVG}width")), 0), top + max(points(node.get(f"{SVG}height")), 0)


def _frame(node: XmlElement, story: FrameReader) -> None:
    alt = _alternative(node)
    box = box_of(node) if story.page else None
    for child in node:
        if child.tag == f"{DRAW}text-box":
            _words(child, story, box, node)
        elif child.tag == f"{TABLE}table":
            inner = story.inner()
            inner.content(node)
            # One of a single cell is what stands in it; a picture beside a table is its replacement.
            story.after += [block for block in inner.blocks if not isinstance(block, Figure)]
            return
        elif child.tag in (f"{DRAW}object", f"{DRAW}object-ole"):
            if _object(child, node, story, alt, box):
                return  # the picture after it is only its replacement
        elif child.tag in (f"{DRAW}image", f"{DRAW}plugin"):
            href = child.get(f"{XLINK}href") or ""
            key = story.pictures.add(href, alt)
            if key or alt or href:
                story.after.append(Figure(embed=key, alt=alt, source="" if key else href, page=story.page, box=box))
            if any(inner.tag in _TEXTS for inner in child):
                _words(child, story, box, node)  # set over the picture (ODF §10.4.4)
            return  # further images of a frame are the same one in other formats


def _child_text(node: XmlElement, name: str) -> str:
    return " ".join((node.findtext(f"{SVG}{name}") or "").split())


def _object(child: XmlElement, frame: XmlElement, story: FrameReader, alt: str, box: Box | None) -> bool:
    root = next((one for one in child if isinstance(one.tag, str)), None)  # within a flat file
    root = story.objects.content(child.get(f"{XLINK}href") or "") if root is None else root
    if root is None:
        return False
    formula = story.objects.formula(root)
    if formula:
        text, latex = formula
        if next(frame.iterancestors(*_PARAGRAPHS), None) is not None:
            start = story.line.length
            story.line.add_exact(text)
            story.line.span("math", start, latex)
        else:
            story.after.append(Equation(text=text, latex=latex, page=story.page, box=box))
        return True
    chart = read_odf_chart(root)
    if chart is not None:
        key = story.pictures.add_chart(chart, alt)
        story.after.append(Figure(embed=key, alt=alt, page=story.page, box=box))
        return True
    tables = _sheets(root, story)
    words = "" if tables else " ".join(" ".join(words_of(node).split()) for node in outermost(root, f"{TEXT}p"))
    image = frame.find(f"{DRAW}image")
    key = story.pictures.add(image.get(f"{XLINK}href") or "", alt) if image is not None else None
    story.after.append(Figure(embed=key, alt=alt, text=words, page=story.page))
    story.after += tables
    return True


def _sheets(root: XmlElement, story: FrameReader) -> list[Table]:
    """The tables of a spreadsheet that stands in the text, as it shows them."""
    sheets = root.find(f"{OFFICE}body/{OFFICE}spreadsheet")
    if sheets is None:
        return []
    inner = story.inner()
    inner.content(sheets)
    return [block for block in inner.blocks if isinstance(block, Table)]


def _words(node: XmlElement, story: FrameReader, box: Box | None, shape: XmlElement) -> None:
    """The words of a box that a shape is or holds. One that holds a picture and its caption is that figure; on a slide,
    words are the slide."""
    inner = story.inner(shape=shape)
    inner.content(node)
    if is_away(shape) or (story.page is None and _has_no_room(shape, story)):
        inner.blocks[:] = [replace(block, hidden=True) for block in inner.blocks]
    if story.page is not None:
        story.after += [_placed(block, box) for block in inner.blocks]
    elif any(isinstance(block, Figure) for block in inner.blocks):
        story.after += [
            Paragraph(text=block.text, spans=block.spans, style="caption") if isinstance(block, Paragraph) else block
            for block in sorted(inner.blocks, key=lambda block: not isinstance(block, Figure))
        ]
    elif inner.blocks:
        story.after += notes_of([block for block in inner.blocks if not isinstance(block, Table)], "textbox")
        story.after += [block for block in inner.blocks if isinstance(block, Table)]


def is_away(shape: XmlElement) -> bool:
    """Whether a shape stands wholly off its page to the left or above, or is drawn too small to be seen."""
    moved = shape.get(f"{DRAW}transform") or ""
    if any(abs(float(share)) < _MIN_SCALE for found in _SCALED.findall(moved) for share in found if share):
        return True
    place = _MOVED.search(moved)
    x, y = place.groups() if place is not None else (shape.get(f"{SVG}x"), shape.get(f"{SVG}y"))
    right, below = (points(at) + points(shape.get(SVG + side)) for at, side in ((x, "width"), (y, "height")))
    return min(right, below) < _FAR


def _has_no_room(shape: XmlElement, story: FrameReader) -> bool:
    """Whether a box of a text is too low or too narrow to show a word, and stays so."""
    box = shape.find(f"{DRAW}text-box")
    style = shape.get(f"{DRAW}style-name") or ""
    if shape.tag not in _BOXES or story.styles.attribute_of("graphic", style, f"{DRAW}auto-grow-height") == "true":
        return False
    if box is not None and box.get(f"{FO}min-height"):
        return False
    sides = [points(length) for side in ("width", "height") if (length := shape.get(SVG + side))]
    return any(0 <= side < MIN_POINTS for side in sides)


def _placed(block: AnyBlock, box: Box | None) -> AnyBlock:
    return replace(block, box=box) if box is not None and block.box is None else block


def notes_of(blocks: Sequence[AnyBlock], kind: NoteKind, page: int | None = None) -> Iterator[Note]:
    """A note of what readers see of blocks, and one of those that hold more; none of nothing."""
    seen = [visible(block) for block in blocks]
    unseen = [block for block, shown in zip(blocks, seen, strict=True) if shown is not block]
    for nodes, hidden in ((seen, False), (unseen, True)):
        text, spans = trimmed(*text_with_spans(nodes))
        if text:
            yield Note(kind=kind, text=text, spans=spans, page=page, hidden=hidden)


def text_with_spans(blocks: Sequence[AnyBlock]) -> tuple[str, tuple[Span, ...]]:
    """What a note says that holds such blocks, one line each, and what of it is marked or linked."""
    spans: list[Span] = []
    lines: list[str] = []
    at = 0
    for block in blocks:
        for line in texts([block]):
            if isinstance(block, (Paragraph, Heading, ListItem)):
                before = at + len(line) - len(block.text)  # a marker
                spans += [replace(span, start=span.start + before, end=span.end + before) for span in block.spans]
            lines.append(line)
            at += len(line) + 1
    return "\n".join(lines), tuple(spans)


def texts(blocks: Sequence[AnyBlock]) -> list[str]:
    """The plain text of blocks, one line each."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Table):
            lines += ["\t".join(row) for row in block.rows]
        elif isinstance(block, ListItem):
            lines.append(f"{block.marker} {block.text}".strip())
        else:
            lines.append(block.alt if isinstance(block, Figure) else block.text)
    return [line for line in lines if line]
