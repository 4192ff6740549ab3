"""Makes a document of a data set: a sheet of its cases, with the texts that stand for values, and one of what its
variables mean."""

import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

from sidecar.api import DamagedError, Limits, Notice, ParsedDocument, Source
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar_statistics import portable, sas, spss, stata, transport
from sidecar_statistics.dataset import DataSet

_MAX_CELLS: Final = 1_000_000
"""As of Parquet files and of SQLite: what an assistant asks of by SQL."""
_FAULTS: Final = (EOFError, ValueError, IndexError, LookupError, OverflowError, struct.error, zlib.error)
_VALUES: Final = 1_000
"""Values and their texts that the sheet of variables lists of one: codes of occupations or places have more."""


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The whole data set. Raises FormatError."""
    source.check_size(limits)
    data = source.read(limits.max_file_bytes)
    try:
        if data.startswith(transport.MARKS):
            found = transport.read(data)
        elif portable.begins_portable(data):
            found = portable.read(data)
        else:
            reader = spss if data.startswith(b"$FL") else sas if data.startswith(b"\0") else stata
            found = reader.read(data)
    except _FAULTS as error:
        raise DamagedError(f"{source.name} is a damaged data set: {error}.") from error
    if not found.variables:
        raise DamagedError(f"{source.name} is a data set without variables.")
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    faults: list[str] = []
    cases = _Counted(found, faults)
    whole = sheets.add(source.name.rpartition(".")[0] or source.name, cases.rows())
    if faults or (whole and cases.seen < found.count):
        why = f" ({faults[0]})" if faults else ""
        there = f"Of {found.count:,} cases" if found.count >= 0 else "Of its cases"
        sheets.notices.append(Notice("damaged_part", f"{there} {cases.seen:,} can be read{why}."))
    meanings = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)  # many variables may share one long list of texts
    if limits.max_parts > 1 and any(one.label or one.labels for one in found.variables):
        meanings.add("Variables", _described(found))
    parts = (*sheets.parts, *meanings.parts)
    notices = (Notice(one.code, one.message, len(parts)) for one in meanings.notices)
    metadata = {"rows": str(found.count if found.count >= 0 else cases.seen), "columns": str(len(found.variables))}
    return ParsedDocument(
        media_type=found.media_type, title=found.title, metadata=metadata | found.metadata,
        parts=parts, elements=elements_of(parts), notices=(*sheets.notices, *notices),
    )  # fmt: skip


class _Counted:
    """The names of the columns and then the cases, as far as they can be read."""

    def __init__(self, found: DataSet, faults: list[str]) -> None:
        self.seen = 0
        self._found = found
        self._faults = faults

    def rows(self) -> Iterator[tuple[tuple[str, ...], int]]:
        yield tuple(one.name for one in self._found.variables), 0
        try:
            for case in self._found.cases:
                yield case, 0
                self.seen += 1
        except _FAULTS as error:
            self._faults.append(str(error))


def _described(found: DataSet) -> Iterator[tuple[tuple[str, ...], int]]:
    """What the names and values mean."""
    yield ("Variable", "Label", "Values"), 0
    for one in found.variables:
        values = "; ".join(f"{value} = {text}" for value, text in islice(one.labels.items(), _VALUES))
        yield (one.name, one.label, values), 0
