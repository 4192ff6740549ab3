"""The shapes of a slide with where they stand and what they hold ([MS-PPT] 2.7; [MS-ODRAW] 2.2.14–2.2.46)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar.toolkit.ole.officeart import ArtShape, Record, read_shape, records, walk
from sidecar_ppt.file import Kind
from sidecar_ppt.numbers import tagged

_UNITS = 8
"""Master units (1/576 inch) a point."""
_MAX_DEPTH = 20


@dataclass
class DrawnShape:
    """A shape; `box` in points, None where nothing says where it stands. `place` is its kind of placeholder, -1 for
    none; `outline` the number of its text among the slide's texts in the outline, -1 for none; `object` the number of
    the object it shows; `numbers` what is said of its numbered paragraphs."""

    shape: ArtShape
    box: Box | None = None
    texts: list[Record] = field(default_factory=list[Record])
    outline: int = -1
    place: int = -1
    object: int = 0
    numbers: bytes = b""
    action: Record | None = None
    children: "list[DrawnShape]" = field(default_factory=list["DrawnShape"])
    is_group: bool = False


def read_shapes(slide: bytes) -> list[DrawnShape]:
    """The shapes on the top level of a slide (the content of its container), in the order they were drawn."""
    drawing = next((record for record in records(slide) if record.kind == Kind.DRAWING), None)
    if drawing is None:
        return []
    outer = next((record for record in walk(drawing.content) if record.kind == Kind.GROUP), None)
    return _group(outer.content, None, 0).children if outer is not None else []


def flat(shapes: list[DrawnShape]) -> Iterator[DrawnShape]:
    """Shapes and those in their groups."""
    for shape in shapes:
        yield shape
        yield from flat(shape.children)


def _group(content: bytes, outer: tuple[Box, Box] | None, depth: int) -> DrawnShape:
    """A group: its first shape stands for the group itself, the others are in it.

    `outer` says how the coordinates of the group around become points."""
    found = DrawnShape(ArtShape(), is_group=True)
    inner = outer
    for number, record in enumerate(records(content)):
        if record.kind == Kind.SHAPE:
            drawn = _shape(record.content, inner if number else outer)
            if number:
                found.children.append(drawn)
                continue
            found.shape, found.box, found.action = drawn.shape, drawn.box, drawn.action
            own = next(
                (r.content for r in drawn.shape.records if r.kind == Kind.GROUP_BOX and len(r.content) >= 16), None
            )
            if own is not None and depth:
                inner = (_box(*struct.unpack("<4i", own[:16])), drawn.box or (0.0, 0.0, 0.0, 0.0))
        elif record.kind == Kind.GROUP and depth < _MAX_DEPTH:
            found.children.append(_group(record.content, inner, depth + 1))
    for child in flat(found.children) if found.shape.hidden else ():
        child.shape.hidden = True
    return found


def _shape(content: bytes, outer: tuple[Box, Box] | None) -> DrawnShape:
    drawn = DrawnShape(read_shape(content))
    for record in drawn.shape.records:
        if record.kind == Kind.TEXT_BOX:
            drawn.texts = list(records(record.content))
            for inner in drawn.texts:
                if inner.kind == Kind.OUTLINE_TEXT and len(inner.content) >= 4:
                    drawn.outline = int.from_bytes(inner.content[:4], "little", signed=True)
        elif record.kind == Kind.CLIENT_DATA:
            _read_client_data(drawn, record.content)
        elif record.kind == Kind.ANCHOR:
            drawn.box = _anchor(record.content)
        elif record.kind == Kind.CHILD_ANCHOR and len(record.content) >= 16:
            drawn.box = _placed(_box(*struct.unpack("<4i", record.content[:16])), outer)
    return drawn


def _read_client_data(drawn: DrawnShape, content: bytes) -> None:
    drawn.numbers = next((record.content for record in tagged(records(content), Kind.TEXT_NUMBERS)), b"")
    for record in records(content):
        if record.kind == Kind.PLACEHOLDER and len(record.content) >= 5:
            drawn.place = record.content[4]
        elif record.kind == Kind.OBJECT_REFERENCE and len(record.content) >= 4:
            drawn.object = int.from_bytes(record.content[:4], "little")
        elif record.kind == Kind.ACTION and drawn.action is None:
            drawn.action = record


def _anchor(content: bytes) -> Box | None:
    """Top, left, right, bottom, in two bytes each or four."""
    if len(content) >= 16:
        top, left, right, bottom = struct.unpack("<4i", content[:16])
    elif len(content) >= 8:
        top, left, right, bottom = struct.unpack("<4h", content[:8])
    else:
        return None
    return left / _UNITS, top / _UNITS, right / _UNITS, bottom / _UNITS


def _box(left: int, top: int, right: int, bottom: int) -> Box:
    return float(left), float(top), float(right), float(bottom)


def _placed(box: Box, outer: tuple[Box, Box] | None) -> Box:
    """A box in a group's own coordinates, in points."""
    if outer is None:
        return box[0] / _UNITS, box[1] / _UNITS, box[2] / _UNITS, box[3] / _UNITS
    own, shown = outer
    wide = (shown[2] - shown[0]) / ((own[2] - own[0]) or 1.0)
    high = (shown[3] - shown[1]) / ((own[3] - own[1]) or 1.0)
    left, top = shown[0] - own[0] * wide, shown[1] - own[1] * high
    return left + box[0] * wide, top + box[1] * high, left + box[2] * wide, top + box[3] * high
