"""Pictures, shapes and attached objects of a Word file: where their bytes are ([MS-DOC] 2.9.190, 2.9.172, 2.4.7)."""

import struct
from functools import partial

from sidecar.api import Figure, Payload
from sidecar.toolkit.hidden import MIN_POINTS
from sidecar.toolkit.ole.objects import inner_storage
from sidecar.toolkit.ole.officeart import (
    DRAWING_GROUP,
    SHAPE,
    ArtShape,
    picture,
    plain_colour,
    records,
    shapes,
    stored_pictures,
)
from sidecar.toolkit.ooxml.hidden_text import is_solid
from sidecar.toolkit.word.embeds import StoryEmbeds
from sidecar.toolkit.word.mathtype.equations import EquationText, equation_in
from sidecar.toolkit.word.occlusion import Floating
from sidecar_doc.file import DocFile, Place, places

_FROM_FILE = 0x66
"""The picture's name stands behind its head (MM_SHAPEFILE)."""
_ANCHOR_BYTES = 26
_TWIPS = 20.0
"""Of a point."""
_FRAMES = (("margin", "page", "column", ""), ("margin", "page", "paragraph", "paragraph"))
_NOT_AROUND, _BELOW_TEXT = 3, 0x4000
"""The kind of wrapping by which text goes on as if the shape were not there, and the flag of one behind it."""


class Drawings:
    """Finds what stands at a place of the text. `anchors` maps characters of the main story to numbers of shapes."""

    def __init__(self, file: DocFile, embeds: StoryEmbeds) -> None:
        self._file = file
        self._embeds = embeds
        self._store: list[bytes] = []
        self._shapes: dict[int, ArtShape] = {}
        self._read(file.table(Place.DRAWINGS))
        bounds, entries = places(file.table(Place.SHAPES), _ANCHOR_BYTES)
        self.anchors: dict[int, int] = {}
        self._places: dict[int, bytes] = {}
        for bound, entry in zip(bounds, entries, strict=False):
            number = self.anchors[bound] = int.from_bytes(entry[:4], "little")
            self._places[number] = entry

    def inline(self, offset: int) -> Figure | None:
        """The picture at an offset of the data stream, None where there is none to show."""
        data = self._file.data
        try:
            length, head, kind = struct.unpack_from("<iHh", data, offset)
        except struct.error:
            return None
        content = data[offset + head : offset + length]
        if kind == _FROM_FILE and content:
            content = content[1 + content[0] :]
        shape = next(shapes(content), ArtShape())
        alt = shape.description or _own_name(shape.name)
        for record in records(content):
            if record.kind != SHAPE:
                packed = struct.pack("<HHI", record.instance << 4 | record.version, record.kind, len(record.content))
                return self._figure(packed + record.content, alt)
        return Figure(alt=alt) if alt else None

    def floating(self, number: int) -> Figure | None:
        """The picture of a shape that stands beside the text."""
        shape = self._shapes.get(number)
        if shape is None:
            return None
        alt = shape.description or _own_name(shape.name)
        if not 1 <= shape.picture <= len(self._store):
            return Figure(alt=shape.description) if shape.description else None
        return self._figure(self._store[shape.picture - 1], alt)

    def background(self, number: int) -> int | None:
        """The colour behind the words of a shape; None where it cannot be told."""
        shape = self._shapes.get(number)
        if shape is None or not shape.filled or shape.fill is None:
            return None  # what it lies on may be anything
        return plain_colour(shape.fill)

    def place(self, number: int, order: int) -> Floating | None:
        """Where a shape stands ([MS-DOC] 2.9.253, Spa), the `order`th of its paragraph; None where it is not told."""
        shape, entry = self._shapes.get(number), self._places.get(number)
        if shape is None or entry is None:
            return None
        *edges, flags = struct.unpack_from("<4iH", entry, 4)
        left, top, right, bottom = (edge / _TWIPS for edge in edges)
        across, down = shape.measured_from
        across = flags >> 1 & 3 if across is None else min(across, 3)
        down = flags >> 3 & 3 if down is None else min(down, 3)
        frames = _FRAMES[0][across], _FRAMES[1][down]
        in_front = flags >> 5 & 0xF == _NOT_AROUND and not flags & _BELOW_TEXT
        return Floating((left, top, right, bottom), frames, order, in_front, partial(self._is_opaque, shape))

    def has_no_room(self, number: int) -> bool:
        """Whether a shape is too low or too narrow to show a word."""
        shape, place = self._shapes.get(number), self.place(number, 0)
        if shape is None or place is None or shape.grows:
            return False
        left, top, right, bottom = place.box
        return 0 <= min(right - left, bottom - top) < MIN_POINTS

    def _is_opaque(self, shape: ArtShape) -> bool:
        if 1 <= shape.picture <= len(self._store):
            found = picture(self._store[shape.picture - 1])
            return found is not None and is_solid(found[0])
        return shape.is_square and bool(shape.filled) and shape.fill is not None

    def stored(self, number: int) -> EquationText | Figure | None:
        """The object of that number: an equation, or a file of its own."""
        payload: Payload | None = inner_storage(self._file.compound, ("ObjectPool", f"_{number}"))
        if payload is None or not payload.data:
            return None
        return equation_in(payload) or self._embeds.add_file(payload)

    def _figure(self, record: bytes, alt: str) -> Figure | None:
        found = picture(record)
        if found is None:
            return Figure(alt=alt) if alt else None
        return self._embeds.add(found[0], found[1], "", alt)

    def _read(self, data: bytes) -> None:
        """The store of pictures, then a drawing for the text and one for headers, each after a byte that says which."""
        group = next(records(data), None)
        if group is None or group.kind != DRAWING_GROUP:
            return
        self._store = stored_pictures(group.content, self._file.main)
        at = 8 + len(group.content)
        while at + 9 <= len(data):
            drawing = next(records(data[at + 1 :]), None)
            if drawing is None:
                break
            for shape in shapes(drawing.content):
                self._shapes.setdefault(shape.number, shape)
            at += 9 + len(drawing.content)


def _own_name(name: str) -> str:
    """A shape's name where somebody gave it one; "Picture 3" is Word's."""
    return "" if name.rpartition(" ")[2].isdecimal() else name
