"""What stands on a page, a slide or a sheet: shapes with their text, groups, pictures, films, tables and charts."""

import mimetypes
from typing import Final

from sidecar.api import AnyBlock, Figure
from sidecar.api.model import ChartData, Embed, Series
from sidecar.toolkit.markup.pictures import Inner, Pictures
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES
from sidecar_iwork.objects import Objects, Stored
from sidecar_iwork.tables import read_table
from sidecar_iwork.text import STORAGES, Texts
from sidecar_iwork.wire import Message

_GROUP, _IMAGE, _MOVIE, _CHART = 3008, 3005, 3007, (5000, 5021)
_TABLE, _TABLE_IN_TEXT = 6000, 6007
_PLACEHOLDERS = (7, 12)
"""Keynote's shapes for a slide's title and text, a shape each."""
_CHART_DATA: Final = 10_000
_MOST_DEPTH: Final = 50
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
        self.texts = Texts(objects, self.blocks)
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
        if number in self.seen or self._depth > _MOST_DEPTH:
            return []
        self.seen.add(number)
        self._depth += 1
        try:
            return [*self._own(stored), *self._said_about(stored)]
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
        return "\n".join(filter(None, (getattr(block, "text", "") for block in self.blocks(number))))

    def _own(self, stored: Stored) -> list[AnyBlock]:
        if stored.kind == _GROUP:
            return [block for child in stored.refs(2) for block in self.blocks(child)]
        if stored.kind == _IMAGE:
            return self._picture(stored, 11)
        if stored.kind == _MOVIE:
            return self._picture(stored, 14)
        if stored.kind == _TABLE:
            return read_table(self._objects, self.texts, stored.ref(2))
        if stored.kind == _TABLE_IN_TEXT:
            return read_table(self._objects, self.texts, stored.message(1).ref(2))
        if stored.kind in _CHART:
            return self._chart(stored.message(_CHART_DATA))
        if stored.kind in STORAGES:
            return self.texts.blocks(stored.id)
        shape: Message = stored.message(1) if stored.kind in _PLACEHOLDERS else stored
        return [block for field in (4, 2) for block in self.storage(shape.ref(field))]

    def _said_about(self, stored: Stored) -> list[AnyBlock]:
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

    def _inner(self, member: str) -> Inner | None:
        if member not in self._package:
            return None
        name = member.rpartition("/")[2]
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Inner(member, name, media_type, self._package.size(member), self._package.read(member, HEAD_BYTES))

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
