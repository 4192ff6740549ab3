"""Reads SPSS's portable files (.por), after "Portable File Format" in the developer's guide of PSPP.

They are text in lines of 80 characters, whose ends say nothing. Numbers are written to the base of 30 and end with "/",
texts with their length before them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sidecar_statistics.dataset import DataSet, ValueCursor, Variable
from sidecar_statistics.spss import shows

_MARK: Final = b"SPSSPORT"
_MARK_AT: Final = 456
"""Behind five lines for people and a table of characters."""
_LINE: Final = 80
_BASE: Final = 30
_MAX_WIDTH: Final = 32_767
"""Characters of a text in SPSS."""
_MAX_LABELS: Final = 5_000_000
_TEXTS: Final = b"1236"
"""Records of one text: product, author, more of the product, the variable that weighs."""
_NUMBERS: Final = b"45"
"""Records of one number: how many variables there are, how many digits numbers have."""
_MISSING_VALUES: Final = {ord("8"): 1, ord("9"): 1, ord("A"): 1, ord("B"): 2}
"""Records of values that count as missing, and how many they name."""


def begins_portable(head: bytes) -> bool:
    """Whether a file that begins so is a portable one: its mark stands in the sixth line; blanks at the ends of those
    before it may have been left out."""
    return _MARK in head[: _MARK_AT + _LINE]


@dataclass
class _PortableVariable:
    """A variable: `width` 0 for numbers, what their format shows, and the texts that stand for values."""

    name: str
    width: int
    format: int
    label: str = ""
    labels: dict[str, str] = field(default_factory=dict[str, str])

    def format_value(self, value: float | str | None) -> str:
        """A value without the text that stands for it."""
        if isinstance(value, str):
            return value
        return "" if value is None else shows(self.format)(value)


class _PortableReader(ValueCursor):
    """The values of the file from first to last."""

    def byte(self) -> int:
        """The next byte."""
        return self.read(1)[0]

    def value(self) -> float | None:
        """A number, None where it is missing. Raises ValueError for what is none."""
        while self.data[self.at : self.at + 1] == b" ":
            self.at += 1
        if self.data[self.at : self.at + 1] == b"*":
            self.at += 2
            return None
        end = self.data.find(b"/", self.at, self.at + 100)
        if end < 0:
            raise ValueError("a number has no end")
        digits = self.data[self.at : end].decode("ascii")
        self.at = end + 1
        sign = -1 if digits.startswith("-") else 1
        mantissa, exponent = digits.lstrip("+-"), 0
        for mark in "+-":
            if mark in mantissa:
                mantissa, _, power = mantissa.partition(mark)
                exponent = int(mark + power, _BASE)
        whole, _, fraction = mantissa.partition(".")
        exponent -= len(fraction)
        if abs(exponent) > 250:
            raise ValueError("a number is too large")
        number = int(whole + fraction or "0", _BASE)
        return sign * (number * _BASE**exponent if exponent >= 0 else number / _BASE**-exponent)

    def count(self) -> int:
        """A number that counts."""
        value = self.value()
        return int(value) if value is not None and value >= 0 else 0

    def string(self) -> str:
        """A text. Raises ValueError, EOFError."""
        size = self.count()
        if size > _MAX_WIDTH:
            raise ValueError("a text is too long")
        return self.decoded(self.read(size))


def read(data: bytes) -> DataSet:
    """The data set. Raises ValueError and EOFError for one that is damaged."""
    text = b"".join(line.ljust(_LINE) for line in data.replace(b"\r", b"").split(b"\n")) if b"\n" in data else data
    if text[_MARK_AT : _MARK_AT + len(_MARK)] != _MARK:
        raise ValueError("its character encoding is not supported")
    reader = _PortableReader(text, _MARK_AT + len(_MARK) + 1, "<", "")
    reader.string()  # the day
    reader.string()  # and the time at which it was written
    variables, notes = _dictionary(reader)
    columns = tuple(Variable(one.name, one.label, one.labels) for one in variables)
    metadata = {"description": notes} if notes else {}
    return DataSet("application/x-spss-por", "", columns, -1, _cases(reader, variables), metadata)


def _dictionary(reader: _PortableReader) -> tuple[list[_PortableVariable], str]:
    """The variables, and what is told of the data. Raises ValueError."""
    variables: list[_PortableVariable] = []
    named: dict[str, _PortableVariable] = {}
    notes = ""
    while (kind := reader.byte()) != ord("F"):
        if kind in _TEXTS:
            reader.string()
        elif kind in _NUMBERS:
            reader.count()
        elif kind == ord("7"):
            width, name = reader.count(), reader.string()
            shown_as = [reader.count() for _ in range(6)]
            variables.append(_PortableVariable(name, width, shown_as[0]))
            named[name] = variables[-1]
        elif kind in _MISSING_VALUES and variables:
            for _ in range(_MISSING_VALUES[kind]):
                _value(reader, variables[-1])
        elif kind == ord("C") and variables:
            variables[-1].label = reader.string()
        elif kind == ord("D"):
            _labels(reader, named)
        elif kind == ord("E"):
            notes = "\n".join(reader.string() for _ in range(reader.count()))
        else:
            raise ValueError(f"record type {chr(kind)!r} is not known")
    return variables, notes.strip()


def _labels(reader: _PortableReader, named: dict[str, _PortableVariable]) -> None:
    """The texts that stand for values of some variables."""
    names = dict.fromkeys(reader.string() for _ in range(reader.count()))
    these = [named[name] for name in names if name in named]
    count = reader.count()
    if count * len(these) > _MAX_LABELS:
        raise ValueError("it has more value labels than are read")
    for _ in range(count):
        value = _value(reader, these[0]) if these else reader.value()
        label = reader.string()
        for one in these:
            one.labels[one.format_value(value)] = label


def _value(reader: _PortableReader, described: _PortableVariable) -> float | str | None:
    return reader.string() if described.width else reader.value()


def _cases(reader: _PortableReader, variables: list[_PortableVariable]) -> Iterator[tuple[str, ...]]:
    """The cases, up to the mark of the end. Raises ValueError, EOFError."""
    while reader.data[reader.at : reader.at + 1] != b"Z":
        shown = [one.format_value(_value(reader, one)) for one in variables]
        yield tuple(one.labels.get(text) or text for one, text in zip(variables, shown, strict=True))
