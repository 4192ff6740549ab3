"""Reads Stata's data sets, releases 104 to 119.

After Stata's own description of them (`help dta`, and `help dta_113` to `dta_118` for the older ones). Missing values
are empty, the extended ones `.a` to `.z`; dates and times are shown as such."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import isnan
from typing import Final

from sidecar_statistics.dataset import DataSet, ValueCursor, Variable, moment

_NAMED: Final = b"<stata_dta>"
_EPOCH: Final = datetime(1960, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400
_LAST_RELEASE: Final = 119
_LONG_TEXT: Final = 32768
_KINDS: Final = {
    65526: "d", 65527: "f", 65528: "i", 65529: "h", 65530: "b",
    255: "d", 254: "f", 253: "i", 252: "h", 251: "b",
}  # fmt: skip
"""Types of numbers as `struct` knows them: since release 117, and from 111 on."""
_LETTERS: Final = {ord("d"): "d", ord("f"): "f", ord("l"): "i", ord("i"): "h", ord("b"): "b"}
"""Before release 111; texts have their size and 127."""
_MISSING: Final[Mapping[str, float]] = {"b": 101, "h": 32741, "i": 2147483621, "f": 2.0**127, "d": 2.0**1023}
"""The value of `.`, the first of the missing ones."""
_OLD_MISSING: Final[Mapping[str, float]] = {"b": 127, "h": 32767, "i": 2147483647, "f": 2.0**127, "d": 2.0**1023}
"""Before release 113, which had `.` alone."""
_STEPS: Final = 4096
"""Extended missing values of `float` and `double` are this share of the first apart."""


@dataclass(frozen=True)
class _Layout:
    """Sizes in bytes of the fields of one release."""

    name: int
    format: int
    label: int
    text_of_data: str


def _layout(release: int) -> _Layout:
    if release >= 118:
        return _Layout(129, 57, 321, "H")
    if release >= 110:
        return _Layout(33, 49 if release >= 114 else 12, 81, "B")
    return _Layout(9, 12 if release >= 105 else 7, 81 if release >= 108 else 32, "B")


@dataclass(frozen=True)
class _StataHeader:
    """What stands before the cases."""

    title: str
    count: int
    types: tuple[int, ...]
    names: list[str]
    formats: list[str]
    label_names: list[str]
    labels: list[str]


def read(data: bytes) -> DataSet:
    """The data set. Raises ValueError and what `struct` raises for one that is damaged."""
    return _named(data) if data.startswith(_NAMED) else _old(data)


def _named(data: bytes) -> DataSet:
    """Since release 117: everything between tags of its own, and a map of where they are."""
    if data[11:28] != b"<header><release>" or not data[28:31].isdigit():
        raise ValueError("its header is none")
    release = int(data[28:31])
    if release > _LAST_RELEASE:
        raise ValueError(f"release {release} is not known")
    layout = _layout(release)
    order = "<" if data[52:55] == b"LSF" else ">"
    cursor = ValueCursor(data, data.index(b"<K>") + 3, order, "utf-8" if release >= 118 else "")
    variables = cursor.number("I" if release >= 119 else "H")
    cursor.read(len("</K><N>"))
    count = cursor.number("Q" if release >= 118 else "I")
    cursor.read(len("</N><label>"))
    title = cursor.text(cursor.number(layout.text_of_data))
    cursor.at = data.index(b"<map>", cursor.at) + 5
    places = cursor.numbers(14, "Q")

    def section(number: int, tag: str) -> ValueCursor:
        cursor.at = places[number] + len(tag) + 2
        if data[places[number] : cursor.at] != f"<{tag}>".encode():
            raise ValueError(f"{tag} is not at the offset that its map declares")
        return cursor

    described = _StataHeader(
        title,
        count,
        section(2, "variable_types").numbers(variables, "H"),
        section(3, "varnames").texts(variables, layout.name),
        section(5, "formats").texts(variables, layout.format),
        section(6, "value_label_names").texts(variables, layout.name),
        section(7, "variable_labels").texts(variables, layout.label),
    )
    texts = _long_texts(section(10, "strls"), release)
    tables: dict[str, dict[int, str]] = {}
    section(11, "value_labels")
    while cursor.read(5) == b"<lbl>":
        _add_labels(cursor, layout, tables)
        cursor.read(len("</lbl>"))
    return _data_set(described, tables, section(9, "data"), release, texts)


def _long_texts(cursor: ValueCursor, release: int) -> dict[tuple[int, int], str]:
    """Texts of any length, by the variable and the case that had them first."""
    found: dict[tuple[int, int], str] = {}
    while cursor.read(3) == b"GSO":
        variable = cursor.number("I")
        case = cursor.number("Q" if release >= 118 else "I")
        binary = cursor.number("B") == 129
        content = cursor.read(cursor.number("I"))
        found[variable, case] = "" if binary else cursor.decoded(content)
    return found


def _old(data: bytes) -> DataSet:
    """Before release 117: fields one after the other, the texts of values behind the cases."""
    release, order = data[0], "<" if data[1] == 2 else ">"
    layout = _layout(release)
    cursor = ValueCursor(data, 4, order, "")
    variables, count = cursor.number("H"), cursor.number("I")
    title = cursor.text(layout.label)
    if release >= 105:
        cursor.read(18)  # when it was saved
    types = tuple(cursor.read(variables))
    names = cursor.texts(variables, layout.name)
    cursor.read(2 * (variables + 1))  # by what the cases are sorted
    formats = cursor.texts(variables, layout.format)
    label_names = cursor.texts(variables, layout.name)
    described = _StataHeader(title, count, types, names, formats, label_names, cursor.texts(variables, layout.label))
    while release >= 105:  # notes and what programs keep for themselves
        kind, size = cursor.number("B"), cursor.number("i" if release >= 110 else "h")
        if not kind and not size:
            break
        cursor.read(size)
    start = cursor.at
    tables: dict[str, dict[int, str]] = {}
    cursor.at += count * sum(map(struct.calcsize, (f"={one}" for one in _row(types, release))))
    while release >= 108 and cursor.at < len(data):
        _add_labels(cursor, layout, tables)
    cursor.at = start
    return _data_set(described, tables, cursor, release, {})


def _row(types: tuple[int, ...], release: int) -> list[str]:
    """The fields of a case as `struct` knows them. Raises ValueError for a type that is none."""
    found: list[str] = []
    for kind in types:
        if release >= 117 and kind == _LONG_TEXT:
            found.append("8s")
        elif release < 111:
            found.append(_LETTERS.get(kind) or f"{kind - 127}s")
        else:
            found.append(_KINDS.get(kind) or f"{kind}s")
        if found[-1][0] in "-0":
            raise ValueError(f"variable type {kind} is not known")
    return found


def _add_labels(cursor: ValueCursor, layout: _Layout, tables: dict[str, dict[int, str]]) -> None:
    """One table of texts for values."""
    size = cursor.number("i")
    name = cursor.text(layout.name)
    cursor.read(3)
    end = cursor.at + size
    count, length = cursor.numbers(2, "i")
    starts, values = cursor.numbers(count, "i"), cursor.numbers(count, "i")
    texts = cursor.read(length)
    tables[name] = {
        value: cursor.decoded(texts[start:].partition(b"\0")[0])
        for start, value in sorted(zip(starts, values, strict=True), key=lambda pair: pair[1])
        if 0 <= start < length
    }
    cursor.at = end


def _data_set(
    described: _StataHeader,
    tables: Mapping[str, Mapping[int, str]],
    cursor: ValueCursor,
    release: int,
    texts: Mapping[tuple[int, int], str],
) -> DataSet:
    row = _row(described.types, release)
    shows: list[Callable[..., str]] = []
    variables: list[Variable] = []
    for number, field in enumerate(row):
        values = tables.get(described.label_names[number], {})
        named = {
            _missing(value - 2147483621) if value >= 2147483621 else str(value): text for value, text in values.items()
        }
        variables.append(Variable(described.names[number], described.labels[number], named))
        if release >= 117 and described.types[number] == _LONG_TEXT:
            shows.append(partial(_long_text, release, cursor.order, texts))
        elif field.endswith("s"):
            shows.append(cursor.decoded_field)
        else:
            shows.append(_Number(field, described.formats[number], release >= 113, named).format_value)
    cases = _cases(cursor, struct.Struct(cursor.order + "".join(row)), described.count, shows)
    metadata = {"release": str(release)}
    return DataSet("application/x-stata-dta", described.title, tuple(variables), described.count, cases, metadata)


def _cases(
    cursor: ValueCursor, row: struct.Struct, count: int, shows: list[Callable[..., str]]
) -> Iterator[tuple[str, ...]]:
    last = min(cursor.at + count * row.size, len(cursor.data) - row.size + 1)
    for at in range(cursor.at, last, row.size):
        fields = row.unpack_from(cursor.data, at)
        yield tuple([show(value) for show, value in zip(shows, fields, strict=True)])


def _long_text(release: int, order: str, texts: Mapping[tuple[int, int], str], field: bytes) -> str:
    """A reference to a long text: the variable's number has 4 bytes, from release 118 on 2, then 3."""
    split = 4 if release < 118 else release - 116
    name = "little" if order == "<" else "big"
    return texts.get((int.from_bytes(field[:split], name), int.from_bytes(field[split:], name)), "")


def _missing(number: int) -> str:
    return f".{chr(96 + number)}" if 0 < number <= 26 else ""


class _Number:
    """How the numbers of one variable are shown: by the texts for them, as dates, or as they are."""

    def __init__(self, kind: str, shown_as: str, extended: bool, labels: Mapping[str, str]) -> None:
        self._kind = kind
        self._first = (_MISSING if extended else _OLD_MISSING)[kind]
        self._labels = labels
        self._date = _DATES.get(_unit(shown_as))

    def format_value(self, value: float) -> str:
        if value >= self._first or isnan(value):
            far = value / self._first - 1 if self._kind in "fd" else 0
            text = _missing(round(far * _STEPS) if self._kind in "fd" else int(value - self._first))
        elif self._date:
            text = self._date(value)
        else:
            text = str(value) if isinstance(value, int) else f"{value:.{15 if self._kind == 'd' else 7}g}"
        return self._labels.get(text, text)


def _unit(shown_as: str) -> str:
    """`td` of `%td`, `%-td` and `%tdDD/NN/CCYY`; `%d` is the old name of `%td`."""
    shown_as = shown_as.lstrip("%-")
    return "td" if shown_as.startswith("d") else shown_as[:2]


def _year_and(each: int, sign: str, digits: int) -> Callable[[float], str]:
    """Of what a year has `each`, counted from the first of 1960."""

    def format_value(value: float) -> str:
        year, rest = divmod(int(value), each)
        return f"{1960 + year:04}{sign}{rest + 1:0{digits}}"

    return format_value


def _plain_year(value: float) -> str:
    return str(int(value))


_DATES: Final[Mapping[str, Callable[[float], str]]] = {
    "td": lambda days: moment(_EPOCH, days * _DAY, day=True),
    "tc": lambda milliseconds: moment(_EPOCH, milliseconds / 1000, day=False),
    "tC": lambda milliseconds: moment(_EPOCH, milliseconds / 1000, day=False),
    "tw": _year_and(52, "w", 1), "tm": _year_and(12, "-", 2), "tq": _year_and(4, "q", 1), "th": _year_and(2, "h", 1),
    "ty": _plain_year,
}  # fmt: skip
"""How a format shows what counts from the first of 1960: days, milliseconds, weeks, months, quarters, halves."""
