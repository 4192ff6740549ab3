"""The columns that the footer of a Parquet file describes, and their values as text (apache/parquet-format,
LogicalTypes.md)."""

import math
import struct
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sidecar.toolkit.text import without_surrogates
from sidecar_parquet.encodings import DOUBLE, FLOAT, INT96, Kind, Raw
from sidecar_parquet.thrift import Fields, fields_in, integer, text

_REPEATED: Final = 2
_REQUIRED: Final = 0
_ENTRIES: Final = ("list", "element", "array", "bag", "array_element", "item", "key_value")
"""What writers call the levels between a list and its values, which say nothing to a reader."""
_MAX_DEPTH: Final = 50
_MAX_VALUE_CHARS: Final = 1_000_000
"""Characters of one value."""
_JULIAN_EPOCH: Final = 2_440_588
"""The Julian day of 1 January 1970."""
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - moments without a zone are shown without one
_DECIMAL, _DATE = 5, 6
_TIMES: Final = {7: 1_000, 8: 1_000_000}
_TIMESTAMPS: Final = {9: 1_000, 10: 1_000_000}
_UNSIGNED: Final = {11: 8, 12: 16, 13: 32, 14: 64}
_UNITS: Final = {1: 1_000, 2: 1_000_000, 3: 1_000_000_000}
"""A second in the units of a logical type."""

ValueFormat = Callable[[Raw], str | None]
"""A value as text; None where it is bytes that no text shows."""


@dataclass(frozen=True)
class Column:
    """A leaf of the schema: its dotted name, type, how often it may be absent and repeated, and its values as text."""

    name: str
    kind: Kind
    optional: int
    repeated: int
    format_value: ValueFormat


def columns(elements: Sequence[Fields]) -> list[Column]:
    """The leaves below the root, in order. Raises ValueError where the tree is none."""
    left = iter(elements)
    root = next(left, None)
    if root is None:
        raise ValueError("no schema")
    return [column for _ in range(integer(root, 5)) for column in _below(left, (), 0, 0)]


def _below(left: Iterator[Fields], way: tuple[str, ...], optional: int, repeated: int) -> Iterator[Column]:
    element = next(left, None)
    if element is None or len(way) > _MAX_DEPTH:
        raise ValueError("a schema that is no tree")
    way = (*way, text(element, 4))
    repetition = integer(element, 3)
    optional += repetition != _REQUIRED
    repeated += repetition == _REPEATED
    children = integer(element, 5)
    if children <= 0:
        kind = Kind(integer(element, 1, -1), integer(element, 2))
        yield Column(_column_name(way), kind, optional, repeated, _value_format(element, kind))
    for _ in range(children):
        yield from _below(left, way, optional, repeated)


def _column_name(way: Sequence[str]) -> str:
    kept = [name for name in way[1:] if name not in _ENTRIES]
    return without_surrogates(".".join((way[0], *kept)))


def _value_format(element: Fields, kind: Kind) -> ValueFormat:
    """How the values of a leaf are shown, by its logical type, else by the converted type of older writers."""
    logical, converted = fields_in(element, 10), integer(element, 6, -1)
    if 5 in logical or converted == _DECIMAL:
        return decimal_format(integer(fields_in(logical, 5), 1) if 5 in logical else integer(element, 7))
    if 6 in logical or converted == _DATE:
        return format_day
    if 7 in logical or converted in _TIMES:
        return time_format(_unit(fields_in(logical, 7)) if 7 in logical else _TIMES[converted])
    if 8 in logical or converted in _TIMESTAMPS:
        return timestamp_format(_unit(fields_in(logical, 8)) if 8 in logical else _TIMESTAMPS[converted])
    if 14 in logical:
        return _uuid
    if 15 in logical:
        return _float16
    if converted in _UNSIGNED:
        bits = _UNSIGNED[converted]
        return lambda raw: str(raw % (1 << bits)) if isinstance(raw, int) else None
    return _PHYSICAL.get(kind.physical, format_plain)


def _unit(type_: Fields) -> int:
    return next((_UNITS[one] for one in fields_in(type_, 2) if one in _UNITS), 1_000)


def format_plain(raw: Raw) -> str | None:
    """Truth values and numbers as they are; bytes where they are a text, which older writers do not say of them."""
    if isinstance(raw, bool):
        return str(raw).lower()
    if not isinstance(raw, bytes):
        return str(raw)
    try:
        text = raw[: 4 * _MAX_VALUE_CHARS].decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text[:_MAX_VALUE_CHARS]


def number_format(digits: int) -> ValueFormat:
    """Numbers of at most `digits` digits that count; "" for what is not a number."""

    def format_value(raw: Raw) -> str | None:
        if not isinstance(raw, float):
            return None
        if math.isnan(raw):  # not a number: how programs write that there is none
            return ""
        return str(int(raw)) if raw.is_integer() and abs(raw) < 1e15 else f"{raw:.{digits}g}"

    return format_value


def decimal_format(scale: int) -> ValueFormat:
    """A whole number of which the last `scale` digits stand behind the point."""

    def format_value(raw: Raw) -> str | None:
        number = int.from_bytes(raw, "big", signed=True) if isinstance(raw, bytes) and len(raw) <= 32 else raw
        if not isinstance(number, int) or not 0 <= scale <= 100:
            return None
        digits = str(abs(number)).rjust(scale + 1, "0")
        point = len(digits) - scale
        return ("-" if number < 0 else "") + digits[:point] + ("." + digits[point:] if scale else "")

    return format_value


def format_day(raw: Raw) -> str | None:
    """A day, counted from 1970-01-01."""
    try:
        return (_EPOCH.date() + timedelta(days=raw)).isoformat() if isinstance(raw, int) else None
    except OverflowError:
        return str(raw)


def time_format(unit: int) -> ValueFormat:
    """Times of day, counted in so many parts of a second."""

    def format_value(raw: Raw) -> str | None:
        if not isinstance(raw, int):
            return None
        seconds, rest = divmod(raw, unit)
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return clock + _fraction(rest, unit)

    return format_value


def timestamp_format(unit: int) -> ValueFormat:
    """Moments, counted in so many parts of a second from 1970-01-01."""

    def format_value(raw: Raw) -> str | None:
        if not isinstance(raw, int):
            return None
        seconds, rest = divmod(raw, unit)
        try:
            return (_EPOCH + timedelta(seconds=seconds)).isoformat(" ") + _fraction(rest, unit)
        except OverflowError:
            return str(raw)

    return format_value


def _fraction(rest: int, unit: int) -> str:
    return ("." + str(rest).rjust(len(str(unit)) - 1, "0")).rstrip("0").rstrip(".") if rest else ""


def _int96_timestamp(raw: Raw) -> str | None:
    """Of 96 bits: nanoseconds of the day and the Julian day."""
    if not isinstance(raw, bytes) or len(raw) != 12:
        return None
    nanoseconds, day = struct.unpack("<qi", raw)
    return timestamp_format(10**9)((day - _JULIAN_EPOCH) * 86_400 * 10**9 + nanoseconds)


def _uuid(raw: Raw) -> str | None:
    return str(uuid.UUID(bytes=raw)) if isinstance(raw, bytes) and len(raw) == 16 else None


def _float16(raw: Raw) -> str | None:
    return number_format(4)(struct.unpack("<e", raw)[0]) if isinstance(raw, bytes) and len(raw) == 2 else None


_PHYSICAL: Final[dict[int, ValueFormat]] = {FLOAT: number_format(7), DOUBLE: number_format(15), INT96: _int96_timestamp}
