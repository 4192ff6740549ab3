"""Makes a document of what R keeps in a file (.rds, .rda, .RData): a sheet a data frame, a matrix or a vector, lists by
what lies in them. Functions and environments are told, not shown."""

import itertools
import struct
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from sidecar.api import DamagedError, Limits, Notice, ParsedDocument, Source
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar.toolkit.unpacking import unpack
from sidecar_statistics.dataset import moment
from sidecar_statistics.r_objects import RObject, most_cells, read_objects

_MAX_DEPTH: Final = 6
"""Lists in lists whose data frames and vectors get sheets of their own."""
_MEMORY_FACTOR: Final = 12
"""Bytes that Python's numbers take for one of the file's."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400
_PLAIN: Final = frozenset(("text", "integer", "real", "logical"))
_FAULTS: Final = (EOFError, ValueError, OverflowError, struct.error)
_Row = tuple[tuple[str, ...], int]


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The objects of the file. Raises FormatError."""
    data = _unpacked(source, limits)
    try:
        found = read_objects(data)
    except _FAULTS as error:
        raise DamagedError(f"{source.name} is a damaged file of R: {error}.") from error
    name = source.name.rpartition(".")[0] or source.name
    sheets = DatabaseSheets(most_cells(len(data)), limits.max_text_chars)
    named = (
        list(zip(found.names, found.values, strict=False))
        if found.kind == "pairs" and data[:2] == b"RD"
        else [(name, found)]
    )
    unseen: list[str] = []
    into = _Into(sheets, unseen, limits.max_parts)
    for title, one in named:
        if isinstance(one, RObject) and not _add(into, title, one, 0):
            break
    notices = list(sheets.notices)
    if unseen:
        shown = ", ".join(itertools.islice(dict.fromkeys(unseen), 10))
        notices.append(Notice("left_out", f"Functions, environments and the like are not shown: {shown}."))
    parts = tuple(sheets.parts)
    return ParsedDocument(
        media_type="application/x-r-data", metadata={"objects": str(len(named))}, parts=parts,
        elements=elements_of(parts), notices=tuple(notices),
    )  # fmt: skip


def _unpacked(source: Source, limits: Limits) -> bytes:
    """The bytes that R packed in one of three ways, or not. Raises LimitError, DamagedError."""
    source.check_size(limits)
    data = source.read(limits.max_file_bytes)
    most = min(
        limits.max_expanded_bytes, limits.max_memory_bytes // _MEMORY_FACTOR, max(1 << 24, limits.max_ratio * len(data))
    )
    return unpack(data, most, source.name)


class _Into(NamedTuple):
    """Where the sheets of objects go, the names of objects that are not shown, and how many sheets there may be."""

    sheets: DatabaseSheets
    unseen: list[str]
    most: int


def _add(into: _Into, name: str, found: RObject, depth: int) -> bool:
    """Add the sheets of an object; False where there is no room for more."""
    sheets, unseen, most = into
    if len(sheets.parts) >= most:
        return False
    classes = found.strings("class")
    if "data.frame" in classes:
        return sheets.add(name, _frame(found))
    if found.kind in _PLAIN:
        size = found.attributes.get("dim")
        if size is not None and len(size.values) == 2:
            return sheets.add(name, _matrix(found, size.values))
        return sheets.add(name, _vector(found)) if len(found.values) else True
    if found.kind not in ("list", "pairs"):
        unseen.append(name)
        return True
    names = found.names if found.kind == "pairs" else found.strings("names")
    inside = [
        (title or str(number), one)
        for number, (title, one) in enumerate(itertools.zip_longest(names, found.values), 1)
        if isinstance(one, RObject)
    ]
    short = [(title, one) for title, one in inside if one.kind in _PLAIN and len(one.values) == 1]
    if short and not sheets.add(
        name, iter([(("Name", "Value"), 0), *(((key, next(_texts(one))), 0) for key, one in short)])
    ):
        return False
    if depth == _MAX_DEPTH:
        unseen.append(name)
        return True
    return all(
        _add(into, f"{name}${title}", one, depth + 1)
        for title, one in inside
        if not (one.kind in _PLAIN and len(one.values) == 1) and one.kind != "nothing"
    )


def _frame(found: RObject) -> Iterator[_Row]:
    """The heads of a data frame and its rows, their names first where they have any."""
    columns = [one for one in found.values if isinstance(one, RObject)]
    heads = [*found.strings("names"), *([""] * len(columns))][: len(columns)]
    texts = [_texts(one) for one in columns]
    rows = found.strings("row.names")
    if rows:
        heads = ["", *heads]
    yield tuple(heads), 0
    for row in itertools.zip_longest(*([rows] if rows else ()), *texts, fillvalue=""):
        yield row, 0


def _matrix(found: RObject, size: Sequence[object]) -> Iterator[_Row]:
    """A matrix, whose values stand column by column, with the names of its rows and columns."""
    height, width = (one if isinstance(one, int) and one > 0 else 0 for one in size)
    width = min(width, len(found.values) // max(height, 1))
    named = found.attributes.get("dimnames")
    names = [[*_texts(one)] if isinstance(one, RObject) else [] for one in named.values] if named is not None else []
    down, across = [*names, [], []][:2]
    texts = [*itertools.islice(_texts(found), height * width)]
    yield (*([""] if down else ()), *(across or [f"[,{col + 1}]" for col in range(width)])), 0
    for row in range(height if width else 0):
        yield (*down[row : row + 1], *texts[row::height]), 0


def _vector(found: RObject) -> Iterator[_Row]:
    names = found.strings("names")
    yield ("Name", "Value") if names else ("Value",), 0
    for name, text in itertools.zip_longest(names, _texts(found), fillvalue=""):
        yield (name, text) if names else (text,), 0


def _texts(found: RObject) -> Iterator[str]:
    """What R shows of the values of a column; "" for NA."""
    shown = _shown_by(found)
    return ("" if one is None else shown(one) for one in found.values)


def _shown_by(found: RObject) -> Callable[[object], str]:
    classes = found.strings("class")
    if "factor" in classes:
        levels = found.strings("levels")
        return lambda one: levels[one - 1] if isinstance(one, int) and 0 < one <= len(levels) else ""
    if "Date" in classes:
        return lambda one: moment(_EPOCH, one * _DAY, day=True) if isinstance(one, (int, float)) else ""
    if "POSIXct" in classes:
        return lambda one: moment(_EPOCH, one, day=False) if isinstance(one, (int, float)) else ""
    return _shown


def _shown(value: object) -> str:
    if isinstance(value, RObject):  # a column of lists
        return "; ".join(_texts(value)) if value.kind in _PLAIN else ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    return str(value)
