"""Reads the structure tree of a page of a tagged PDF (ISO 32000-1, 14.7 and 14.8): tables with their cells, headings,
notes and list items with where their text stands, and what is marked as no content (artifacts). What of it is to be
believed the layout decides."""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import PageFrame, bounding_box

_MAX_ELEMENTS, _MAX_DEPTH = 20_000, 40
_MAX_SPAN = 200
_MAX_MARKS = 4
_NAME_BYTES = 64
_ARTIFACT = "Artifact".encode("utf-16-le")
_HEADINGS = {"H": 1, "Title": 1, **{f"H{level}": level for level in range(1, 7)}}


@dataclass(frozen=True)
class TaggedCell:
    """A cell: the boxes of its text objects, whether it is a header, and how many rows and columns it spans."""

    boxes: tuple[Box, ...]
    header: bool
    rows: int
    columns: int


@dataclass(frozen=True)
class TaggedText:
    """A heading ("H1" to "H6"), a note ("Note"), a list item ("LI") or a paragraph ("P"), and where it stands."""

    kind: str
    box: Box


@dataclass
class PageTags:
    """What the structure tree says of one page, boxes as read."""

    tables: list[list[list[TaggedCell]]] = field(default_factory=list[list[list[TaggedCell]]])
    texts: list[TaggedText] = field(default_factory=list[TaggedText])
    artifacts: list[Box] = field(default_factory=list[Box])
    known: float = 0.0
    """The share of text objects that the tree, or an artifact, holds."""


@dataclass
class _Element:
    kind: str
    children: "list[_Element]"
    contents: list[int]
    handle: int


def is_tagged(document: int) -> bool:
    """Whether the document says that it is tagged."""
    return bool(raw.is_tagged(document))


def read_tags(page: int, frame: PageFrame, handles: Sequence[int]) -> PageTags:
    """The tags of a page; `handles` are its text objects. Empty where it has no structure."""
    tree = raw.load_tags(page) or 0
    if not tree:
        return PageTags()
    try:
        return _TagReader(frame, handles).read(tree)
    finally:
        raw.close_tags(tree)


def is_marked(handle: int, name: bytes, buffer: ctypes.Array[ctypes.c_char], size: ctypes.c_ulong) -> bool:
    """Whether a page object is marked content of that name (ISO 32000-1, 14.6), in UTF-16; the `buffer` for names must
    hold it, and is used for all objects of a page."""
    for index in range(min(raw.count_marks(handle), _MAX_MARKS)):
        mark = raw.get_mark(handle, index) or 0
        if mark and raw.mark_name(mark, buffer, len(buffer), size) and buffer.raw[: size.value - 2] == name:
            return True
    return False


class _TagReader:
    """The state of one page's reading."""

    def __init__(self, frame: PageFrame, handles: Sequence[int]) -> None:
        self._frame = frame
        self._elements = 0
        self._name, self._size = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_ulong()
        self._kinds: dict[bytes, str] = {}
        self._tags = PageTags()
        self._boxes: dict[int, list[Box]] = {}
        self._read_objects(handles)

    def _read_objects(self, handles: Sequence[int]) -> None:
        bounds = raw.floats(4)
        for handle in handles:
            if not raw.object_bounds(handle, *bounds.addresses):
                continue
            box = self._frame.box(*bounds.values)
            content = raw.marked_content(handle)
            if content >= 0:
                self._boxes.setdefault(content, []).append(box)
            elif is_marked(handle, _ARTIFACT, self._name, self._size):
                self._tags.artifacts.append(box)

    def read(self, tree: int) -> PageTags:
        roots = [raw.tree_child(tree, index) or 0 for index in range(raw.count_tree_children(tree))]
        elements = [self._element(handle, 0) for handle in roots if handle]
        seen: set[int] = set()
        for element in elements:
            self._walk(element)
            seen.update(_contents(element))
        held = sum(len(boxes) for content, boxes in self._boxes.items() if content in seen) + len(self._tags.artifacts)
        objects = sum(map(len, self._boxes.values())) + len(self._tags.artifacts)
        self._tags.known = held / objects if objects else 0.0
        return self._tags

    def _element(self, handle: int, depth: int) -> _Element:
        element = _Element(self._kind(handle), [], [], handle)
        self._elements += 1
        for index in range(raw.count_element_children(handle)):
            child = raw.element_child(handle, index) or 0
            if child and depth < _MAX_DEPTH and self._elements < _MAX_ELEMENTS:
                element.children.append(self._element(child, depth + 1))
            elif not child:
                content = raw.child_content(handle, index)
                if content >= 0:
                    element.contents.append(content)
        return element

    def _kind(self, handle: int) -> str:
        """The standard type of an element; "" of one with an overlong name."""
        length = raw.element_type(handle, self._name, _NAME_BYTES)
        if not 2 < length <= _NAME_BYTES:
            return ""
        name = self._name.raw[: length - 2]
        known = self._kinds.get(name)
        if known is None:
            known = self._kinds[name] = name.decode("utf-16-le", "replace")
        return known

    def _walk(self, element: _Element) -> None:
        if element.kind == "Table":
            self._tags.tables.append(list(self._rows(element)))
            return
        level = _HEADINGS.get(element.kind)
        kind = f"H{level}" if level else element.kind
        if level or kind in {"Note", "FENote", "LI", "P"}:
            boxes = self._boxes_of(element)
            if boxes:
                self._tags.texts.append(TaggedText("Note" if kind == "FENote" else kind, bounding_box(boxes)))
        for child in element.children:
            self._walk(child)

    def _rows(self, element: _Element) -> Iterator[list[TaggedCell]]:
        for child in element.children:
            if child.kind in {"THead", "TBody", "TFoot"}:
                yield from self._rows(child)
            elif child.kind == "TR":
                yield [self._cell(cell) for cell in child.children if cell.kind in {"TH", "TD"}]

    def _cell(self, element: _Element) -> TaggedCell:
        rows, columns = _spans(element.handle)
        return TaggedCell(tuple(self._boxes_of(element)), element.kind == "TH", rows, columns)

    def _boxes_of(self, element: _Element) -> list[Box]:
        return [box for content in _contents(element) for box in self._boxes.get(content, ())]


def _contents(element: _Element) -> Iterator[int]:
    """The marked content of an element and all within it."""
    yield from element.contents
    for child in element.children:
        yield from _contents(child)


def _spans(handle: int) -> tuple[int, int]:
    """The rows and columns a cell spans (ISO 32000-1, table 349)."""
    spans = [1, 1]
    number = ctypes.c_float()
    for index in range(raw.count_attributes(handle)):
        attribute = raw.element_attribute(handle, index) or 0
        for at, name in enumerate((b"RowSpan", b"ColSpan")):
            value = raw.attribute_value(attribute, name) or 0 if attribute else 0
            if value and raw.number_value(value, number):
                spans[at] = min(max(int(number.value), 1), _MAX_SPAN)
    return spans[0], spans[1]
