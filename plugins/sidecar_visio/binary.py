"""Reads a drawing of Visio 2000 to 2010 (.vsd): a part a page, with what its shapes say in the order in which the file
has them; a shape without words of its own says its master's. Pictures and data of shapes are not read."""

import math
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Final

from sidecar.api import DamagedError, Limits, Notice, Paragraph, ParsedDocument, Part, Source, UnsupportedError
from sidecar.toolkit.ole.compound import Compound
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.text import without_surrogates
from sidecar_visio.streams import SIGNATURE, Chunk, Pointer, Streams

_PAGES, _PAGE, _MASTERS, _MASTER = 0x27, 0x15, 0x1D, 0x1E
_NAMES, _NAME, _NAMES_OF = 0x32, 0x33, 0xC9
_SHAPES: Final = frozenset((0x47, 0x48, 0x4E))
"""Chunks that begin a shape: a group, a shape, something foreign."""
_TEXT, _SHAPE_NAME, _FIELD = 0x0E, 0x2D, 0xA1
_TEXT_AT, _MASTER_AT, _MASTER_SHAPE_AT = 8, 18, 26
_FIELD_CELL_AT, _FIELD_VALUE_AT = 7, 8
_TEXT_CELL, _DATE_CELL, _SHARE_CELL = 0xE8, 0x28, 0x21
"""What a field's value is: one of the shape's names, a date, a share."""
_UNITS: Final = {
    43: (7.0, "weeks"), 44: (1.0, "days"), 45: (1 / 24, "hours"), 46: (1 / 1440, "minutes"), 47: (1 / 86400, "seconds"),
    50: (1 / 72, "pt"), 51: (1 / 6, "p"), 66: (12.0, "ft"), 68: (63360.0, "mi."), 69: (1 / 2.54, "cm"),
    70: (1 / 25.4, "mm"), 71: (100 / 2.54, "m"), 72: (100_000 / 2.54, "km"), 65: (1.0, "in."), 75: (36.0, "yd"),
    81: (math.pi / 180, "deg."), 83: (1.0, "rad."),
}  # fmt: skip
"""By what a value is: how many of Visio's own units (inches, days, radians) one of it is, and what stands behind it."""
_MIN_NUMBER = 1e-300
"""What is smaller is not a number that anybody wrote: the field keeps its value elsewhere."""
_FIELD_BLOCKS_AT, _FORMAT_BLOCK, _FORMAT_MARK = 0x36, 2, 0x80
_DATES: Final = frozenset((*range(20, 37), *range(44, 82), *range(200, 217)))
"""Numbers of formats that show dates and times."""
_NO_MASTER = 0xFFFFFFFF
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - a day, nowhere in particular
_OLDEST, _UNICODE_FROM = 6, 11


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The drawing as a document of pages. Raises FormatError."""
    compound = Compound(source.read(limits.max_file_bytes))
    data = compound.stream("VisioDocument")
    if data is None or not data.startswith(SIGNATURE):
        raise DamagedError(f"{source.name} is a compound file without a Visio drawing.")
    streams = Streams(data, source.name)
    if streams.version < _OLDEST:
        raise UnsupportedError(f"{source.name} was written by Visio 5 or older; save it as .vsdx to index it.")
    drawing = _Drawing(streams, "utf-16-le" if streams.version >= _UNICODE_FROM else "cp1252")
    drawing.read()
    pages = drawing.pages[: limits.max_parts]
    notices: list[Notice] = []
    if len(drawing.pages) > limits.max_parts:
        notices.append(
            Notice("truncated_at", f"Only the first {limits.max_parts:,} of {len(drawing.pages):,} pages are read.")
        )
    metadata = read_properties(compound)
    return ParsedDocument(
        title=metadata.pop("title", ""), description=metadata.pop("description", ""), metadata=metadata,
        parts=tuple(drawing.part(page) for page in pages), notices=tuple(notices),
    )  # fmt: skip


@dataclass
class _VisioShape:
    """A shape: the master it is one of, and its words; None where it has none of its own."""

    master: tuple[int, int] = (_NO_MASTER, _NO_MASTER)
    text: bytes | None = None
    names: dict[int, bytes] = field(default_factory=dict[int, bytes])
    fields: list[bytes] = field(default_factory=list[bytes])


class _Drawing:
    def __init__(self, streams: Streams, codec: str) -> None:
        self._streams, self._codec = streams, codec
        self.pages: list[Pointer] = []
        self._names: dict[int, str] = {}
        self._masters: dict[tuple[int, int], str] = {}
        self._page_names: dict[int, int] = {}

    def read(self) -> None:
        """Find the pages, their names and what masters say."""
        for path in self._streams.all():
            pointer, above = path[-1], [one.kind for one in path[:-1]]
            if pointer.kind == _PAGE and _PAGES in above and pointer.leads_to_chunks:
                self.pages.append(pointer)
            elif pointer.kind == _MASTER and _MASTERS in above and pointer.leads_to_chunks:
                for identity, shape in _shapes(self._streams.chunks(pointer)):
                    self._masters[pointer.number, identity] = self._text_of(shape)
            elif pointer.kind == _NAME and _NAMES in above:
                self._names[pointer.number] = self._text(self._streams.bytes_of(pointer)[4:])
            elif pointer.kind == _NAMES_OF and above[-1:] == [_PAGES]:
                self._page_names = _named(self._streams.bytes_of(pointer))

    def part(self, page: Pointer) -> Part:
        """A page with what its shapes say. Raises LimitError."""
        shapes = _shapes(self._streams.chunks(page))
        texts = [self._text_of(shape) if shape.text else self._masters.get(shape.master, "") for _, shape in shapes]
        title = self._names.get(self._page_names.get(page.number, -1), "")
        return Part(kind="page", title=title, blocks=tuple(Paragraph(text=text) for text in texts if text))

    def _text_of(self, shape: _VisioShape) -> str:
        text = self._text(shape.text or b"", whole=True)
        mark = "\ufffc" if self._codec == "utf-16-le" else "\x1e"
        pieces = text.split(mark)
        values = iter(shape.fields)
        text = pieces[0] + "".join(self._value(next(values, b""), shape.names) + piece for piece in pieces[1:])
        lines = text.replace("\u2028", "\n").replace("\r", "\n").replace("\x0b", "\n").splitlines()
        return "\n".join(line for line in map(str.strip, lines) if line)

    def _value(self, data: bytes, names: Mapping[int, bytes]) -> str:
        """What a field shows."""
        if len(data) < _FIELD_VALUE_AT + 8:
            return ""
        if data[_FIELD_CELL_AT] == _TEXT_CELL:
            return self._text(names.get(struct.unpack_from("<i", data, _FIELD_VALUE_AT)[0], b""))
        return _number(data)

    def _text(self, data: bytes, *, whole: bool = False) -> str:
        """Text up to the NUL that ends it, or all of it but that."""
        size = len(data) // 2 * 2 if self._codec == "utf-16-le" else len(data)
        text = without_surrogates(data[:size].decode(self._codec, "replace"))
        return text.replace("\0", "") if whole else text.partition("\0")[0]


def _number(data: bytes) -> str:
    """The number of a field in its unit, or its date; not in the form that it is shown in."""
    number: float = struct.unpack_from("<d", data, _FIELD_VALUE_AT)[0]
    cell = data[_FIELD_CELL_AT]
    if cell == _DATE_CELL or _format(data) in _DATES:
        try:
            when = _EPOCH + timedelta(days=number)
        except (OverflowError, ValueError):
            return ""
        return when.date().isoformat() if when.time() == time.min else when.isoformat(" ", "minutes")
    if cell == _SHARE_CELL:
        return f"{number * 100:.10g}%"
    size, unit = _UNITS.get(cell, (1.0, ""))
    if not math.isfinite(number) or 0 < abs(number) < _MIN_NUMBER:
        return ""
    return f"{number / size:.10g} {unit}".strip()


def _format(data: bytes) -> int:
    """The number of a field's format, -1 where it says none: in a block of the second kind."""
    at = _FIELD_BLOCKS_AT
    while at + 10 <= len(data):
        size = int.from_bytes(data[at : at + 4], "little")
        if not size:
            break
        if data[at + 5] == _FORMAT_BLOCK and data[at + 9] == _FORMAT_MARK:
            return int.from_bytes(data[at + 7 : at + 9], "little")
        at += size
    return -1


def _shapes(chunks: Iterable[Chunk]) -> Iterator[tuple[int, _VisioShape]]:
    """`(id, shape)` of a page or a master."""
    shape, identity, begun = _VisioShape(), 0, False
    for chunk in chunks:
        if chunk.kind in _SHAPES:
            if begun:
                yield identity, shape
            shape, identity, begun = _VisioShape(), chunk.identity, True
            if len(chunk.data) >= _MASTER_SHAPE_AT + 4:
                page = struct.unpack_from("<I", chunk.data, _MASTER_AT)[0]
                shape.master = (page, struct.unpack_from("<I", chunk.data, _MASTER_SHAPE_AT)[0])
        elif chunk.kind == _TEXT:
            shape.text = chunk.data[_TEXT_AT:]
        elif chunk.kind == _SHAPE_NAME:
            shape.names[chunk.identity] = chunk.data
        elif chunk.kind == _FIELD:
            shape.fields.append(chunk.data)
    if begun:
        yield identity, shape


def _named(data: bytes) -> dict[int, int]:
    """The pages' numbers and the numbers of their names: thirteen bytes each, the name's number twice."""
    found: dict[int, int] = {}
    for at in range(4, len(data) - 12, 13):
        name, _, element = struct.unpack_from("<III", data, at)
        found.setdefault(element, name)
    return found
