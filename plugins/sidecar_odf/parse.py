"""Reads an OpenDocument package: a text as chapters, a presentation as slides, a drawing as pages (a database:
`database`). What the shapes of a slide or page stand on, and which of them nobody sees: off the page, in a layer that
is not shown, or under a later shape that lets nothing through (ODF 1.3 part 3, §10.2: shapes are drawn in their order).
"""

import posixpath
import re
from collections.abc import Sequence
from itertools import product

from msgspec.structs import replace

from sidecar.api.errors import DamagedError, EncryptedError, NotFoundError, UnsupportedError
from sidecar.api.formats import Limits, Payload, Source
from sidecar.api.model import AnyBlock, Box, Heading, Note, Notice, ParsedDocument, Part, PartKind
from sidecar.toolkit.markup.chapters import behind_first, elements_of, place_embeds, split_chapters
from sidecar.toolkit.markup.flat_odf import custom_properties, packed
from sidecar.toolkit.markup.pictures import Pictures, payload
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.reading_order import reading_order
from sidecar.toolkit.visible import (
    box_contains,
    boxes_overlap,
    changes_notice,
    hidden_notice,
    hidden_slides_notice,
    union,
    visible,
)
from sidecar.toolkit.word.headings import found_headings
from sidecar.toolkit.xml import XmlElement, outermost
from sidecar_odf import frames
from sidecar_odf.content import ContentReader, TrackedChange
from sidecar_odf.database import OFFICE_2004, parse_database
from sidecar_odf.frames import box_of, is_away, is_opaque_picture
from sidecar_odf.names import DC, DRAW, DRAWOOO, FO, META, OFFICE, PRESENTATION, STYLE, TEXT, points
from sidecar_odf.numbering import ListCounters
from sidecar_odf.objects import Objects, index_controls
from sidecar_odf.styles import UNKNOWN_COLOUR, Styles

_SQUARE = frozenset((f"{DRAW}rect", f"{DRAW}frame"))
_FILLED = tuple(
    f"{DRAW}{name}"
    for name in ("rect", "frame", "custom-shape", "ellipse", "circle", "polygon", "path", "regular-polygon", "caption")
)
_RECTANGLES = frozenset(("rectangle", "round-rectangle", "ooxml-rect", "ooxml-roundRect", "mso-spt202"))
"""The kinds of custom shapes (§19.229) that fill their box."""
_NO_FILL = -2
"""What nothing is painted on."""


def _is_square(shape: XmlElement) -> bool:
    geometry = shape.find(f"{DRAW}enhanced-geometry")
    return shape.tag in _SQUARE or (geometry is not None and geometry.get(f"{DRAW}type") in _RECTANGLES)


class _PageBackground:
    """The drawing order of one page and the colours of its shapes."""

    def __init__(self, page: XmlElement, styles: Styles, objects: Objects, size: tuple[float, float]) -> None:
        self._styles, self._objects = styles, objects
        master = styles.master(page.get(f"{DRAW}master-page-name") or "")
        shapes = [node for node in page if isinstance(node.tag, str) and node.tag.startswith(DRAW)]
        self._shapes = [*_of_design(master), *shapes]
        self._places = {node: at for at, node in enumerate(self._shapes)}
        self._boxes = [box_of(node) for node in self._shapes]
        self._fills = [self._fill(node) for node in self._shapes]
        self._opaque: dict[int, bool] = {}  # each is compared with every other: what is asked of it is kept
        self._page: Box | None = (0.0, 0.0, *size) if min(size) > 0 else None
        self._background = styles.page
        for of in (master, page):
            name = of.get(f"{DRAW}style-name") or "" if of is not None else ""
            self._background = styles.background("drawing-page", name, self._background)
        self._moves = any(isinstance(node.tag, str) and node.tag.endswith("}par") for node in page)

    def behind(self, shape: XmlElement) -> int:
        """The colour below a shape; -1 where it is not told: within a group shapes may lie on others."""
        at = self._places[shape]
        if shape.tag == f"{DRAW}g" and any(self._colour(one) != _NO_FILL for one in shape.iter(*_FILLED)):
            return UNKNOWN_COLOUR
        for below in range(at - 1, -1, -1):
            fill = self._fills[below]
            if fill != _NO_FILL and boxes_overlap(self._boxes[below], self._boxes[at]):
                return fill if box_contains(self._boxes[below], self._boxes[at]) else UNKNOWN_COLOUR
        return self._background

    def hides(self, shape: XmlElement) -> bool:
        """Whether nobody sees a shape."""
        at = self._places[shape]
        box = self._boxes[at]
        if shape.get(f"{DRAWOOO}display") == "none" or self._styles.is_hidden_layer(shape.get(f"{DRAW}layer") or ""):
            return True
        if self._moves or (box is None and not is_away(shape)):
            return False
        return (box is None or not boxes_overlap(self._page, box)) or any(
            self._opaque.get(above, True) and box_contains(self._boxes[above], box) and self._is_opaque(above)
            for above in range(at + 1, len(self._shapes))
        )

    def _is_opaque(self, at: int) -> bool:
        if at not in self._opaque:
            shape = self._shapes[at]
            self._opaque[at] = (_is_square(shape) and self._fills[at] >= 0) or is_opaque_picture(shape, self._objects)
        return self._opaque[at]

    def _fill(self, shape: XmlElement) -> int:
        """The colour of a shape, -1 where it is not told; below that for one that is not filled."""
        return UNKNOWN_COLOUR if shape.tag == f"{DRAW}g" else self._colour(shape)

    def _colour(self, shape: XmlElement) -> int:
        has_picture = shape.find(f"{DRAW}image") is not None
        return UNKNOWN_COLOUR if has_picture else self._styles.shape_background(shape, _NO_FILL)


def _of_design(master: XmlElement | None) -> list[XmlElement]:
    """What a design draws on each of its slides, below their own shapes: not its placeholders."""
    found = [] if master is None else [node for node in master if isinstance(node.tag, str)]
    return [node for node in found if node.tag.startswith(DRAW) and not node.get(f"{PRESENTATION}class")]


_MANIFEST = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}"
_FACTS = {
    f"{DC}creator": "author", f"{META}initial-creator": "creator", f"{META}creation-date": "created",
    f"{DC}date": "modified", f"{DC}subject": "subject", f"{DC}language": "language", f"{META}generator": "application",
}  # fmt: skip
_COUNTED = re.compile(r"[^\W\d_]{3,}[ _]?\d+")
"""Names that programs give to slides ("page1", "Folie 2"); no reader sees them."""
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
        objects = Objects(package, types, index_controls(root))
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
            parts = _pages(content, reader, styles_root, _KINDS[kind], limits.max_parts)
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
    filled = any(name and styles.background("graphic", name, _NO_FILL) != _NO_FILL for name in names)
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


def _pages(
    content: XmlElement, reader: ContentReader, styles: XmlElement | None, kind: PartKind, most: int
) -> tuple[Part, ...]:
    width, height = _page_size(styles)
    parts: list[Part] = []
    for page in outermost(content, f"{DRAW}page"):
        if len(parts) >= most:
            break
        number = len(parts) + 1
        title, blocks = _page(page, reader, number, (width, height))
        hidden = reader.styles.is_hidden_page(page.get(f"{DRAW}style-name") or "")
        parts.append(
            Part(
                kind=kind, title=title, blocks=tuple(blocks), hidden=hidden, width=width, height=height,
                name="" if _COUNTED.fullmatch(name := page.get(f"{DRAW}name") or "") else name,
            )
        )  # fmt: skip
    return tuple(parts)


def _page(
    page: XmlElement, reader: ContentReader, number: int, size: tuple[float, float]
) -> tuple[str, list[AnyBlock]]:
    """The title and blocks of a slide: the title first, then the shapes as they are read, then the speaker notes."""
    title = ""
    head: list[AnyBlock] = []
    drawn: list[tuple[Box | None, list[AnyBlock]]] = []
    notes: list[AnyBlock] = []
    background = _PageBackground(page, reader.styles, reader.objects, size)
    for shape in page:
        if not isinstance(shape.tag, str):
            continue
        inner = reader.inner()
        inner.page = number
        if shape.tag == f"{PRESENTATION}notes":
            notes += _speaker_notes(shape, inner, number)
        elif shape.tag == f"{OFFICE}annotation":
            inner.comment(shape)
            notes += inner.after
        elif shape.tag.startswith(DRAW):
            inner.background = background.behind(shape)
            blocks = _shape(shape, inner)
            if background.hides(shape):
                blocks = [replace(block, hidden=True) for block in blocks]
            if shape.get(f"{PRESENTATION}class") == "title" and not title:
                title = " ".join(" ".join(frames.texts(blocks)).split())
                if title:
                    unseen = bool(blocks) and all(visible(block).hidden for block in blocks)
                    head.append(Heading(text=title, level=1, page=number, box=frames.box_of(shape), hidden=unseen))
                continue
            drawn.append((_around(shape), blocks))
    order = reading_order([box for box, _ in drawn])
    return title, [*head, *(block for at in order for block in drawn[at][1]), *notes]


def _speaker_notes(page: XmlElement, inner: ContentReader, number: int) -> list[AnyBlock]:
    """What is said beside slide `number`, of its page of notes; none where nothing is."""
    for frame in page.iter(f"{DRAW}frame"):
        inner.blocks += _shape(frame, inner) if frame.get(f"{PRESENTATION}class") == "notes" else []
    return list(frames.notes_of(inner.blocks, "speaker", number))


def _around(shape: XmlElement) -> Box | None:
    """The place of a shape, or of those in a group."""
    if shape.tag != f"{DRAW}g":
        return box_of(shape)
    return union(box_of(node) for node in shape.iter() if isinstance(node.tag, str))


def _shape(shape: XmlElement, inner: ContentReader) -> list[AnyBlock]:
    frames.read_shape(shape, inner)
    blocks, inner.after = inner.after, []
    return blocks


def _page_size(styles: XmlElement | None) -> tuple[float, float]:
    if styles is None:
        return 0.0, 0.0
    sizes = [
        (points(node.get(f"{FO}page-width")), points(node.get(f"{FO}page-height")))
        for node in styles.iter(f"{STYLE}page-layout-properties")
    ]
    # The notes page has a layout too, upright where slides lie.
    return max(sizes, key=lambda size: size[0] / size[1] if size[1] else 0.0, default=(0.0, 0.0))


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
