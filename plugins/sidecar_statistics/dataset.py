"""What the readers of data sets share: variables, cases, and reading bytes from first to last."""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.unpacking import Cursor


@dataclass(frozen=True)
class Variable:
    """A column. `labels` are the texts that stand for values, which the programs show in their stead."""

    name: str
    label: str
    labels: Mapping[str, str]


@dataclass
class DataSet:
    """Variables and cases. `cases` yields as many as there are, `count` as the file promises, -1 where it does not."""

    media_type: str
    title: str
    variables: tuple[Variable, ...]
    count: int
    cases: Iterator[tuple[str, ...]]
    metadata: dict[str, str] = field(default_factory=dict[str, str])


class ValueCursor(Cursor):
    """The numbers and texts of a data set one after another, in its order of bytes and its encoding."""

    def __init__(self, data: bytes, at: int, order: str, encoding: str) -> None:
        super().__init__(data, at)
        self.order = order
        self.encoding = encoding

    def numbers(self, count: int, kind: str) -> tuple[int, ...]:
        """Whole numbers of a kind that `struct` knows."""
        return struct.unpack(f"{self.order}{count}{kind}", self.read(count * struct.calcsize(f"={kind}")))

    def number(self, kind: str) -> int:
        """One whole number."""
        return self.numbers(1, kind)[0]

    def text(self, size: int) -> str:
        """A text that ends with a zero byte or fills its field."""
        return self.decoded_field(self.read(size))

    def texts(self, count: int, size: int) -> list[str]:
        """That many fields of texts, all of one size."""
        whole = self.read(count * size)
        return [self.decoded_field(whole[at : at + size]) for at in range(0, len(whole), size)]

    def decoded_field(self, data: bytes) -> str:
        """As `text`, of bytes that were taken before."""
        return self.decoded(data.partition(b"\0")[0])

    def decoded(self, data: bytes) -> str:
        """A text without blanks behind it and zero bytes; of no known encoding UTF-8, else Windows' western one."""
        try:
            text = data.decode(self.encoding or "utf-8", "replace" if self.encoding else "strict")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
        return without_surrogates(text).replace("\0", "").rstrip()


def moment(epoch: datetime, seconds: float, *, day: bool) -> str:
    """A point in time as a date, or as a date and the time of day; "" where the calendar has none."""
    try:
        when = epoch + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return ""
    return (
        when.date().isoformat()
        if day
        else when.replace(tzinfo=None).isoformat(" ", "milliseconds").removesuffix(".000")
    )


def clock(value: float) -> str:
    """Seconds as hours, minutes and seconds."""
    minutes, seconds = divmod(abs(value), 60)
    hours, minutes = divmod(minutes, 60)
    rest = f"{seconds:06.3f}".removesuffix(".000")
    return f"{'-' if value < 0 else ''}{hours:02.0f}:{minutes:02.0f}:{rest}"
