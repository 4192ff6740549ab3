"""What stands on a page, a slide or a sheet: shapes with their text, groups, pictures, films, charts, and tables
(`TST.TableModelArchive`: tiles of rows, and the lists of texts that their cells refer to).

The layout of a cell's bytes (version 5) is not published; after open readers of the format (numbers-parser, MIT)."""

import mimetypes
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from sidecar.api import AnyBlock, Cell, ChartData, Embed, Figure, Merge, Note, Scalar, Series
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.markup.pictures import InnerFile, Pictures
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar_iwork.objects import Objects, Stored
from sidecar_iwork.text import STORAGES, StorageReader, lines_of, moment
from sidecar_iwork.wire import Message

T = TypeVar("T")

_NUMBER, _TEXT, _DATE, _BOOL, _DURATION, _ERROR, _RICH, _CURRENCY = 2, 3, 5, 6, 7, 8, 9, 10
_VERSION: Final = 5
_HEAD: Final = 12
_DECIMAL_BIAS: Final = 0x1820
_WIDTHS = (16, 8, 8, *([4] * 18))
"""Bytes of what a cell may hold, in the order of its flags: decimal, double, seconds, then numbers of list entries."""
_STRING_AT, _RICH_AT, _COMMENT_AT = 3, 4, 19
_NO_CELL: Final = 0xFFFF
_TILE_ROWS: Final = 256
_MAX_CELLS: Final = 5_000_000
_MAX_COLUMNS: Final = 1000
"""Of a table, as Numbers itself has it."""
_MAX_PLACES: Final = 20_000_000
"""Rows times columns, empty cells among them: the number of a row that is damaged would take all memory."""
_AREA_NODE: Final = 67
"""The type of a formula's node that names a rectangle (`COLON_TRACT_NODE`)."""


@dataclass(frozen=True)
class _Lists:
    """What cells refer to by number."""

    texts: dict[int, str]
    rich: dict[int, str]
    comments: dict[int, int]


def _read_table(objects: Objects, texts: StorageReader, model_number: int) -> list[AnyBlock]:
    """The table in windows, then the comments on its cells."""
    model = objects.get(model_number)
    store = model.message(4)
    count, width = model.number(6), min(model.number(7), _MAX_COLUMNS)
    if not count or not width:
        return []
    lists = _Lists(
        _listed(objects, store.ref(4), lambda entry: entry.text(3)),
        _listed(objects, store.ref(17), lambda entry: texts.plain(objects.get(entry.ref(9)).ref(1))),
        _listed(objects, store.ref(19), lambda entry: entry.ref(10)),
    )
    rows: dict[int, dict[int, tuple[str, Scalar, int]]] = {}
    left = _MAX_CELLS
    for number, cells in _rows(objects, store.message(3)):
        if number < count and left > 0:
            found = {col: _cell(data, lists) for col, data in cells if col < width}
            left -= len(found)
            rows[number] = found
    used = max((number for number, cells in rows.items() if any(cell[0] for cell in cells.values())), default=-1)
    used = min(used, _MAX_PLACES // width - 1)
    grid: list[list[str]] = []
    rich: list[Cell] = []
    comments: list[AnyBlock] = []
    for number in range(used + 1):
        line = [""] * width
        for col, (shown, value, comment) in rows.get(number, {}).items():
            line[col] = shown
            if value is not None:
                rich.append(Cell(number, col, value=value))
            if comment:
                comments += [block for block in texts.comment(comment, shown) if isinstance(block, Note)]
        grid.append(line)
    if not grid:
        return []
    name = model.text(8) if model.number(22, 1) else ""
    head = min(model.number(9), len(grid) - 1)
    windows = table_windows(grid, header_rows=head, merges=_merges(objects, model, used + 1), cells=rich, caption=name)
    return [*windows, *comments]


def _listed(objects: Objects, number: int, make: Callable[[Message], T]) -> dict[int, T]:
    """The entries of a data list (`TST.TableDataList`) and of the segments it is kept in."""
    stored = objects.get(number)
    pieces: list[Message] = [stored, *(objects.get(segment) for segment in stored.refs(4))]
    return {entry.number(1): make(entry) for piece in pieces for entry in piece.messages(3)}


def _rows(objects: Objects, tiles: Message) -> Iterator[tuple[int, list[tuple[int, bytes]]]]:
    """Each row's number and its cells' bytes by column."""
    height = tiles.number(2) or _TILE_ROWS
    for place in tiles.messages(1):
        for row in objects.get(place.ref(2)).messages(5):
            buffer, offsets = row.data(6), row.data(7)
            step = 4 if row.number(8) else 1
            starts = [start for (start,) in struct.iter_unpack("<H", offsets[: len(offsets) // 2 * 2])]
            cells = [(col, buffer[start * step :]) for col, start in enumerate(starts) if start != _NO_CELL]
            yield place.number(1) * height + row.number(1), cells


def _cell(data: bytes, lists: _Lists) -> tuple[str, Scalar, int]:
    """A cell's text, its value where that is another, and the comment on it (0 none)."""
    if len(data) < _HEAD or data[0] != _VERSION:
        return "", None, 0
    kind = data[1]
    flags = int.from_bytes(data[8:12], "little")
    held: dict[int, bytes] = {}
    at = _HEAD
    for bit, width in enumerate(_WIDTHS):
        if flags >> bit & 1:
            held[bit] = data[at : at + width]
            at += width
    numbers = {bit: int.from_bytes(value, "little") for bit, value in held.items() if len(value) == 4}
    comment = lists.comments.get(numbers.get(_COMMENT_AT, -1), 0)
    if kind in (_NUMBER, _CURRENCY):
        value = _decimal(held.get(0, b"")) if 0 in held else _double(held.get(1, b""))
        shown = "" if value is None else f"{value:.15g}"
        return shown, None, comment
    if kind == _TEXT:
        return lists.texts.get(numbers.get(_STRING_AT, -1), ""), None, comment
    if kind == _RICH:
        return lists.rich.get(numbers.get(_RICH_AT, -1), ""), None, comment
    if kind == _DATE:
        when = moment(_double(held.get(2, b""))).removesuffix("Z")
        return when.removesuffix("T00:00:00").replace("T", " "), when or None, comment
    if kind == _BOOL:
        return ("TRUE" if _double(held.get(1, b"")) else "FALSE"), None, comment
    if kind == _DURATION:
        return _duration(_double(held.get(1, b"")) or 0.0), None, comment
    return ("#ERROR" if kind == _ERROR else ""), None, comment


def _double(data: bytes) -> float | None:
    return float(struct.unpack("<d", data)[0]) if len(data) == 8 else None


def _decimal(data: bytes) -> float | None:
    """A decimal of 128 bits (IEEE 754 with a binary coefficient)."""
    if len(data) < 16:
        return None
    exponent = ((data[15] & 0x7F) << 7 | data[14] >> 1) - _DECIMAL_BIAS
    digits = int.from_bytes(data[:14], "little") | (data[14] & 1) << 112
    try:
        value = float(f"{digits}e{exponent}")
    except (OverflowError, ValueError):
        return None
    return -value if data[15] & 0x80 else value


def _duration(seconds: float) -> str:
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{'-' if seconds < 0 else ''}{hours:.0f}:{minutes:02.0f}:{rest:02.0f}"


def _merges(objects: Objects, model: Message, rows: int) -> list[Merge]:
    """The merged regions: today each a formula that names a rectangle, formerly a list of them
    (`TST.MergeRegionMapArchive`) with row or height in the lower 16 bits, column or width above."""
    areas: list[tuple[int, int, int, int]] = []
    for pair in model.message(47).message(2).messages(3):
        node = next(pair.message(2).message(1).messages(1), Message())
        if node.number(1) == _AREA_NODE:
            across, down = (node.message(40).message(field) for field in (3, 4))
            row, col = down.number(1), across.number(1)
            areas.append((row, col, down.number(2, row) - row + 1, across.number(2, col) - col + 1))
    if not areas:
        for area in objects.get(model.message(4).ref(13)).messages(1):
            origin, size = area.message(1).number(1), area.message(2).number(1)
            areas.append((origin & 0xFFFF, origin >> 16, size & 0xFFFF, size >> 16))
    return [
        Merge(row, col, min(height, rows - row), width)
        for row, col, height, width in areas
        if row < rows and height > 0 and width > 0 and (height > 1 or width > 1)
    ]


_GROUP, _IMAGE, _MOVIE, _CHART = 3008, 3005, 3007, (5000, 5021)
_TABLE, _TABLE_IN_TEXT = 6000, 6007
_PLACEHOLDERS = (7, 12)
"""Keynote's shapes for a slide's title and text, a shape each."""
_CHART_DATA: Final = 10_000
_MAX_DEPTH: Final = 50
_CHART_TYPES = {
    1: "column", 2: "bar", 3: "line", 4: "area", 5: "pie", 6: "column", 7: "bar", 8: "area", 9: "scatter",
    10: "column", 11: "line", 12: "column", 13: "bar", 14: "line", 15: "area", 16: "pie", 17: "column", 18: "bar",
    19: "area", 20: "column", 21: "bar", 22: "scatter", 23: "bubble", 24: "doughnut", 25: "doughnut", 26: "radar",
}  # fmt: skip
"""`TSCH.ChartType`: what three dimensions or stacking add is left out."""
_STACKED = frozenset((6, 7, 8, 17, 18, 19))


class Drawables:
    """Makes blocks of drawables; keeps the pictures and charts it met in `embedded`."""

    def __init__(self, objects: Objects, package: Package, most: int) -> None:
        self.texts = StorageReader(objects, self.blocks)
        self._objects = objects
        self._package = package
        self._pictures = Pictures(most, self._inner)
        self._depth = 0
        self.seen: set[int] = set()
        """Drawables and storages that were read."""

    @property
    def embedded(self) -> list[Embed]:
        """Pictures, films and charts met so far."""
        return self._pictures.embedded

    @property
    def pictures(self) -> Pictures:
        """The pictures, for their notices."""
        return self._pictures

    def blocks(self, number: int) -> list[AnyBlock]:
        """The blocks of a drawable, and of those in it."""
        stored = self._objects.get(number)
        if number in self.seen or self._depth > _MAX_DEPTH:
            return []
        self.seen.add(number)
        self._depth += 1
        try:
            return [*self._own(stored), *self._captions_of(stored)]
        finally:
            self._depth -= 1

    def storage(self, number: int) -> list[AnyBlock]:
        """The blocks of a text storage, once."""
        if not number or number in self.seen:
            return []
        self.seen.add(number)
        return self.texts.blocks(number)

    def words(self, number: int) -> str:
        """The text of a shape as one line a paragraph."""
        return lines_of(self.blocks(number))

    def _own(self, stored: Stored) -> list[AnyBlock]:
        if stored.kind == _GROUP:
            return [block for child in stored.refs(2) for block in self.blocks(child)]
        if stored.kind == _IMAGE:
            return self._picture(stored, 11)
        if stored.kind == _MOVIE:
            return self._picture(stored, 14)
        if stored.kind == _TABLE:
            return _read_table(self._objects, self.texts, stored.ref(2))
        if stored.kind == _TABLE_IN_TEXT:
            return _read_table(self._objects, self.texts, stored.message(1).ref(2))
        if stored.kind in _CHART:
            return self._chart(stored.message(_CHART_DATA))
        if stored.kind in STORAGES:
            return self.texts.blocks(stored.id)
        shape: Message = stored.message(1) if stored.kind in _PLACEHOLDERS else stored
        return [block for field in (4, 2) for block in self.storage(shape.ref(field))]

    def _captions_of(self, stored: Stored) -> list[AnyBlock]:
        """A drawable's title, caption and comment, where they are shown."""
        drawable = stored.message(1)
        found: list[AnyBlock] = []
        if stored.kind in (_IMAGE, _MOVIE, _TABLE, _GROUP, *_CHART):
            for field, hidden in ((10, 12), (11, 13)):
                if not drawable.number(hidden):
                    caption = self._objects.get(drawable.ref(field)).message(1)
                    found += [block for part in (4, 2) for block in self.storage(caption.ref(part))]
            if drawable.ref(6):
                found += self.texts.comment(drawable.ref(6), "")
        return found

    def _picture(self, stored: Stored, field: int) -> list[AnyBlock]:
        alt = stored.message(1).text(8)
        member = self._objects.file(stored.message(field).number(1))
        key = self._pictures.add(member, alt) if member else None
        return [Figure(embed=key, alt=alt)] if key or alt else []

    def _inner(self, member: str) -> InnerFile | None:
        if member not in self._package:
            return None
        name = member.rpartition("/")[2]
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return InnerFile(member, name, media_type, self._package.size(member), self._package.read(member, HEAD_BYTES))

    def _chart(self, chart: Message) -> list[AnyBlock]:
        grid = chart.message(7)
        rows, columns = grid.texts(1), grid.texts(2)
        values = [[value.double(1) for value in row.messages(1)] for row in grid.messages(3)]
        if not values:
            return []
        by_column = chart.number(5) == 2  # each column a series
        names, categories = (columns, rows) if by_column else (rows, columns)
        if by_column:
            values = [list(column) for column in zip(*values, strict=False)]
        kind = chart.number(1)
        data = ChartData(
            type=_CHART_TYPES.get(kind, "other"),
            grouping="stacked" if kind in _STACKED else "",
            categories=tuple(categories),
            series=tuple(
                Series(name=names[at] if at < len(names) else "", values=tuple(line)) for at, line in enumerate(values)
            ),
        )
        key = self._pictures.add_chart(data)
        return [Figure(embed=key)]
