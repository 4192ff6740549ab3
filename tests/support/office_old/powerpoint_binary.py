"""Writes small PowerPoint 97–2003 files ([MS-PPT]) for tests, record by record."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from contract.containers import compound_file

__all__ = ["Box", "Slide", "box", "deck", "group", "link_action", "record", "text"]

_UNITS = 8
"""Master units (1/576 inch) a point."""


def record(kind: int, content: bytes, instance: int = 0, *, holds: bool = False) -> bytes:
    """A record; `holds` says that its content is records."""
    return struct.pack("<HHI", instance << 4 | (0xF if holds else 0), kind, len(content)) + content


def text(words: str, kind: int = 4, looks: bytes = b"", *more: bytes, narrow: bool = False) -> bytes:
    """A text: its head, its characters, its looks and what else belongs to it."""
    atom = record(0x0FA8, words.encode("latin-1")) if narrow else record(0x0FA0, words.encode("utf-16-le"))
    return record(0x0F9F, struct.pack("<I", kind)) + atom + (record(0x0FA1, looks) if looks else b"") + b"".join(more)


def link_action(number: int) -> bytes:
    """What a click does: it follows a link."""
    return record(0x0FF2, record(0x0FF3, struct.pack("<II8x", 0, number)), holds=True)


Box = tuple[int, int, int, int]
"""Left, top, right, bottom in points."""


def box(
    at: Box, content: bytes = b"", *, client: bytes = b"", properties: Mapping[int, int | str] | None = None,
    child: bool = False, first: bytes = b"",
) -> bytes:  # fmt: skip
    """A shape with a text box; `child` places it in its group's coordinates."""
    left, top, right, bottom = (side * _UNITS for side in at)
    entries, complex_data = b"", b""
    for number, value in (properties or {}).items():
        raw = value.encode("utf-16-le") + b"\0\0" if isinstance(value, str) else b""
        entries += struct.pack("<HI", number | (0x8000 if raw else 0), len(raw) if raw else value)  # type: ignore[arg-type]
        complex_data += raw
    inner = first + record(0xF00A, struct.pack("<II", 1, 0))
    if entries:
        inner += struct.pack("<HHI", len(entries) // 6 << 4 | 3, 0xF00B, len(entries + complex_data))
        inner += entries + complex_data
    if child:
        inner += record(0xF00F, struct.pack("<4i", left, top, right, bottom))
    else:
        inner += record(0xF010, struct.pack("<4h", top, left, right, bottom))
    inner += record(0xF011, client, holds=True) if client else b""
    inner += record(0xF00D, content, holds=True) if content else b""
    return record(0xF004, inner, holds=True)


def group(at: Box, *shapes: bytes, table: bool = False) -> bytes:
    """A group whose own coordinates are those of the slide."""
    left, top, right, bottom = (side * _UNITS for side in at)
    own = record(0xF009, struct.pack("<4i", left, top, right, bottom))
    head = box(at, first=own, properties={0x039F: 1} if table else None)
    return record(0xF003, head + b"".join(shapes), holds=True)


@dataclass
class Slide:
    """A slide: shapes, texts in the outline, shapes of its notes page, other records of its container, what it takes
    from its master, and the shape that is its background."""

    shapes: Sequence[bytes] = ()
    outline: bytes = b""
    notes: Sequence[bytes] = ()
    more: bytes = b""
    hidden: bool = False
    flags: int = 0
    background: bytes = b""


@dataclass
class _Kept:
    main: bytearray = field(default_factory=bytearray)
    places: dict[int, int] = field(default_factory=dict[int, int])

    def keep(self, number: int, data: bytes) -> None:
        self.places[number] = len(self.main)
        self.main += data


def deck(
    slides: Sequence[Slide], *, document: bytes = b"", master: Sequence[bytes] = (), pictures: Sequence[bytes] = (),
    objects: Mapping[int, bytes] | None = None, streams: Mapping[str, bytes] | None = None,
    token: int = 0xE391C05F, styles: bytes = b"",
) -> bytes:  # fmt: skip
    """A presentation. `objects` are kept under the numbers given, from 500; `pictures` are picture records,
    `styles` are the master's of texts."""
    kept = _Kept()
    listed, noted = b"", b""
    for number, slide in enumerate(slides, 1):
        head = record(0x03EF, bytes(12) + struct.pack("<IIHxx", 900, 700 + number if slide.notes else 0, slide.flags))
        shown = record(0x03F9, bytes(10) + struct.pack("<Hxxxx", 4 if slide.hidden else 0))
        kept.keep(
            100 + number,
            record(0x03EE, head + shown + _drawing(slide.shapes, slide.background) + slide.more, holds=True),
        )
        listed += record(0x03F3, struct.pack("<IIiII", 100 + number, 0, 0, 255 + number, 0)) + slide.outline
        if slide.notes:
            kept.keep(200 + number, record(0x03F0, _drawing(slide.notes), holds=True))
            noted += record(0x03F3, struct.pack("<IIiII", 200 + number, 0, 0, 700 + number, 0))
    kept.keep(90, record(0x03F8, styles + _drawing(master), holds=True))
    masters = record(0x03F3, struct.pack("<IIiII", 90, 0, 0, 900, 0))
    for number, data in (objects or {}).items():
        kept.keep(number, data)
    stream, entries = b"", b""
    for picture in pictures:
        entries += record(0xF007, bytes(28) + struct.pack("<i4x", len(stream)), 6)
        stream += picture
    store = record(0x040B, record(0xF000, record(0xF001, entries, holds=True), holds=True), holds=True)
    body = record(0x03E9, struct.pack("<ii", 720 * _UNITS, 540 * _UNITS)) + document + store
    body += record(0x0FF0, masters, 1, holds=True) + record(0x0FF0, listed, 0, holds=True)
    body += record(0x0FF0, noted, 2, holds=True)
    kept.keep(1, record(0x03E8, body, holds=True))
    numbers = b"".join(struct.pack("<II", number | 1 << 20, place) for number, place in kept.places.items())
    numbers_at = len(kept.main)
    kept.main += record(0x1772, numbers)
    edit_at = len(kept.main)
    kept.main += record(0x0FF5, struct.pack("<IHBBIIIIHH", 256, 0, 0, 3, 0, numbers_at, 1, 9999, 1, 0))
    user = record(0x0FF6, struct.pack("<III", 20, token, edit_at) + bytes(8))
    return compound_file(
        {"PowerPoint Document": bytes(kept.main), "Current User": user}
        | ({"Pictures": stream} if stream else {}) | dict(streams or {})
    )  # fmt: skip


def _drawing(shapes: Sequence[bytes], background: bytes = b"") -> bytes:
    outer = record(0xF004, record(0xF009, bytes(16)) + record(0xF00A, bytes(8)), holds=True)
    tree = record(0xF003, outer + b"".join(shapes), holds=True)
    return record(0x040C, record(0xF002, tree + background, holds=True), holds=True)
