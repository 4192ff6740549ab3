"""Reads JSON Lines of records that are alike as a table of one sheet.

A column a name, nested ones with dots between, as of Parquet files; lists stay JSON in their cell. Lines that differ
are no table and are read as source."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeGuard

from sidecar.api import Limits, Notice, ParsedDocument, Part, Source
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.text import read_text, without_surrogates

_MAX_CELLS: Final = 4_000_000
"""As of delimited tables, empty cells among them."""
_LOOKED_AT: Final = 20
"""Lines of the first kilobytes that are compared."""
_SHARED: Final = 0.5
"""Of the names in those lines the share that each of them has: logs of events and talks have less."""
_MAX_DEPTH: Final = 4


def are_alike(source: Source) -> bool:
    """Whether the first lines, two at least, are records with much the same names."""
    lines = source.head.decode("utf-8-sig", "replace").split("\n")
    if source.size > len(source.head):
        lines.pop()  # cut off
    records = [_record(line) for line in islice(filter(str.strip, lines), _LOOKED_AT)]
    names = [set(record) for record in records if record is not None]
    if len(names) < max(len(records), 2):
        return False
    return len(set[str].intersection(*names)) >= _SHARED * len(set[str].union(*names)) > 0


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of one sheet. Raises FormatError."""
    decoded, notices = read_text(source, limits)
    columns: dict[str, int] = {}
    records: list[dict[str, str]] = []
    unread = cells = 0
    more = False
    for line in decoded.text.split("\n"):
        if not line.strip():
            continue
        record = _record(line)
        if record is None:
            unread += 1
            continue
        for name in record:
            columns.setdefault(name, len(columns))
        cells = (len(records) + 1) * len(columns)
        if more := cells > _MAX_CELLS:
            break
        records.append(record)
    if unread:
        notices = (*notices, Notice("damaged_part", f"{unread:,} lines are no records and were left out."))
    if more:
        notices = (*notices, Notice("truncated_at", f"Only the first {len(records):,} records were read."))
    rows = [tuple(columns), *(tuple([record.get(name, "") for name in columns]) for record in records)]
    blocks = tuple(table_windows(rows, header_rows=1))
    parts = (Part(kind="sheet", title=source.name.rpartition(".")[0] or source.name, blocks=blocks),) if columns else ()
    return ParsedDocument(
        metadata={"rows": str(len(records)), "columns": str(len(columns))},
        parts=parts, elements=elements_of(parts), notices=notices,
    )  # fmt: skip


def _record(line: str) -> dict[str, str] | None:
    """The fields of a line; None where it is no object."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return dict(_fields(found, "", 1)) if _is_object(found) else None


def _is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def _fields(record: Mapping[str, Any], before: str, depth: int) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        if _is_object(value) and value and depth < _MAX_DEPTH:
            yield from _fields(value, f"{before}{name}.", depth + 1)
        else:
            yield without_surrogates(before + name), without_surrogates(_cell_text(value))


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
