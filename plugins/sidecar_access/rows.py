"""The values in the rows of an Access table, as they are shown; types by MDB Tools (HACKING.md) and Jackcess."""

import struct
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from sidecar.toolkit.text import without_surrogates
from sidecar_access.file import AccessFile, Column, Definition

BOOLEAN, TEXT, OBJECT, MEMO, BINARY = 1, 10, 11, 12, 9
_NUMERIC: Final = 16
_FIRST_DAY: Final = datetime(1899, 12, 30)  # noqa: DTZ001 - days of no zone
_COMPRESSED: Final = b"\xff\xfe"


class RowReader:
    """Reads the rows of one table. `objects` counts the values that are files or bytes and not shown."""

    def __init__(self, file: AccessFile, table: Definition) -> None:
        self._file = file
        self._table = table
        self._columns = table.columns
        self._wide = file.layout.wide
        self.objects = 0

    def table(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """The names of the columns, then the values of all rows, each with how many are files or bytes."""
        yield tuple(column.name for column in self._columns), 0
        for row in self._file.rows(self._table):
            before = self.objects
            yield self.values(row), self.objects - before

    def values(self, row: bytes) -> tuple[str, ...]:
        """The row's values as text, "" for none; what is damaged is none."""
        try:
            count, mask, bounds = self._head(row)
        except (struct.error, IndexError):
            return ("",) * len(self._columns)
        if 8 * len(mask) < count:  # of a damaged row
            return ("",) * len(self._columns)
        return tuple(self._value(column, row, count, mask, bounds) for column in self._columns)

    def _head(self, row: bytes) -> tuple[int, bytes, list[int]]:
        """How many columns the row has, which are not null, and the bounds of those of variable size. Raises
        struct.error, IndexError."""
        if self._wide:
            count = struct.unpack_from("<H", row)[0]
            end = len(row) - (count + 7) // 8
            variable = struct.unpack_from("<H", row, end - 2)[0] if end >= 4 else 0
            variable = min(variable, count)
            bounds = list(struct.unpack_from(f"<{variable + 1}H", row, end - 4 - 2 * variable))[::-1]
            return count, row[end:], bounds
        count = row[0]
        end = len(row) - (count + 7) // 8
        variable = min(row[end - 1], count)
        jumps = (len(row) - 1) // 256
        last = end - 2 - jumps
        if (last - variable) // 256 < jumps:
            jumps -= 1  # the last one points to nothing
        bounds, used = list[int](), 0
        for number in range(variable + 1):
            while used < jumps and row[end - 2 - used] == number:
                used += 1
            bounds.append(row[last - number] + 256 * used)
        return count, row[end:], bounds

    def _value(self, column: Column, row: bytes, count: int, mask: bytes, bounds: list[int]) -> str:
        there = column.number < count and bool(mask[column.number >> 3] >> (column.number & 7) & 1)
        if column.kind == BOOLEAN:
            return "true" if there else "false"
        if not there:
            return ""
        if column.fixed:
            start = (2 if self._wide else 1) + column.place
            data = row[start : start + (column.size or 8)]
        elif column.variable + 1 < len(bounds):
            data = row[bounds[column.variable] : bounds[column.variable + 1]]
        else:
            return ""
        return self._format_value(column, data)

    def _format_value(self, column: Column, data: bytes) -> str:
        if column.kind == TEXT:
            return self._text(data)
        if column.kind == MEMO:
            return self._text(self._file.long_value(data))
        if column.kind in (OBJECT, BINARY):
            self.objects += bool(data)
            return ""
        if column.kind == _NUMERIC:
            return _decimal(data, column.scale)
        read = _PLAIN.get(column.kind)
        try:
            return read(data) if read is not None else ""
        except struct.error:
            return ""

    def _text(self, data: bytes) -> str:
        if not self._wide:
            text = data.decode(self._file.encoding, "replace")
        elif data.startswith(_COMPRESSED):
            text = _expanded(data[2:]).decode("utf-16-le", "replace")
        else:
            text = data.decode("utf-16-le", "replace")
        return without_surrogates(text).replace("\0", "").replace("\r\n", "\n").rstrip()


def _expanded(data: bytes) -> bytes:
    """Text whose letters of Latin 1 have one byte each; zeros part them from stretches of two."""
    out = bytearray()
    at, narrow = 0, True
    while at < len(data):
        if narrow:
            end = data.find(0, at)
            end = len(data) if end < 0 else end
            out += data[at:end].decode("latin-1").encode("utf-16-le")
            at, narrow = end + 1, False
            continue
        if data[at] == 0:
            at, narrow = at + 1, True
            continue
        out += data[at : at + 2]
        at += 2
    return bytes(out)


def _decimal(data: bytes, scale: int) -> str:
    if len(data) < 17:
        return ""
    whole = int.from_bytes(b"".join(data[at : at + 4][::-1] for at in (1, 5, 9, 13)), "big")
    digits = str(whole).rjust(scale + 1, "0")
    shown = f"{digits[:-scale]}.{digits[-scale:]}" if scale else digits
    return f"-{shown}" if data[0] and whole else shown


def _money(data: bytes) -> str:
    return f"{struct.unpack('<q', data[:8])[0] / 10_000:.4f}".rstrip("0").rstrip(".")


def _moment(data: bytes) -> str:
    """Days since the end of 1899; a time alone is on that day."""
    days = struct.unpack("<d", data[:8])[0]
    try:
        # Before the first day the part of the day still counts forwards.
        when = _FIRST_DAY + timedelta(days=int(days), seconds=round(abs(days - int(days)) * 86_400))
    except (OverflowError, ValueError):
        return ""
    if not int(days):
        return when.time().isoformat()
    return when.date().isoformat() if when.time() == _FIRST_DAY.time() else when.isoformat(" ")


def _number(form: str) -> Callable[[bytes], str]:
    size = struct.calcsize(form)

    def read(data: bytes) -> str:
        value = struct.unpack(form, data[:size])[0]
        return f"{value:.{15 if size == 8 else 7}g}" if isinstance(value, float) else str(value)

    return read


_PLAIN: Final[Mapping[int, Callable[[bytes], str]]] = {
    2: _number("<B"), 3: _number("<h"), 4: _number("<i"), 5: _money, 6: _number("<f"), 7: _number("<d"), 8: _moment,
    15: lambda data: str(uuid.UUID(bytes_le=data[:16])) if len(data) >= 16 else "", 19: _number("<q"),
}  # fmt: skip
