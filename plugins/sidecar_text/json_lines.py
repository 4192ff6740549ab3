"""Reads records in JSON as a table of one sheet: JSON Lines and JSON arrays of records that are alike, the features of
GeoJSON (RFC 7946), the requests of an HTTP archive (.har, W3C's draft of HTTP Archive 1.2).

A column a name, nested ones with dots between, as of Parquet files; lists stay JSON in their cell. Records that differ
are not a table and are read as source, as is an array whose records hold lists of records: that is a tree."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeGuard, cast

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
_MAX_BODY_CHARS: Final = 2_000
"""Of what a request sent or got."""
_REQUEST: Final = ("method", "url")
_ANSWER: Final = ("status", "statusText")


def are_alike(source: Source) -> bool:
    """Whether the first lines, two at least, are records with much the same names."""
    lines = source.head.decode("utf-8-sig", "replace").split("\n")
    if source.size > len(source.head):
        lines.pop()  # cut off
    records = [_record(line) for line in islice(filter(str.strip, lines), _LOOKED_AT)]
    return _alike(records)


def _alike(records: Sequence[Mapping[str, str] | None]) -> bool:
    """Whether all are records, two at least, and have much the same names."""
    names = [set(record) for record in records if record is not None]
    if len(names) < max(len(records), 2):
        return False
    return len(set[str].intersection(*names)) >= _SHARED * len(set[str].union(*names)) > 0


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of one sheet. Raises FormatError."""
    decoded, notices = read_text(source, limits)
    lines = (_record(line) for line in decoded.text.split("\n") if line.strip())
    return _document(source, lines, notices, "lines")


def parse_whole(source: Source, limits: Limits) -> ParsedDocument:
    """The records, features or requests of one JSON text as such a document, else as source. Raises FormatError."""
    decoded, notices = read_text(source, limits)
    try:
        found = json.loads(decoded.text)
    except (ValueError, RecursionError):
        found = None
    records = _entries(found)
    if not records:
        from sidecar_text.parse import parse as parse_source

        return parse_source(source, limits)
    return _document(source, iter(records), notices, "entries")


def _document(
    source: Source, found: Iterator[dict[str, str] | None], notices: tuple[Notice, ...], what: str
) -> ParsedDocument:
    """A sheet of the records; None among them is none."""
    columns: dict[str, int] = {}
    records: list[dict[str, str]] = []
    unread = cells = 0
    more = False
    for record in found:
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
        notices = (*notices, Notice("damaged_part", f"{unread:,} of the {what} are no records and were left out."))
    if more:
        notices = (*notices, Notice("truncated_at", f"Only the first {len(records):,} records were read."))
    rows = [tuple(columns), *(tuple([record.get(name, "") for name in columns]) for record in records)]
    blocks = tuple(table_windows(rows, header_rows=1))
    parts = (Part(kind="sheet", title=source.name.rpartition(".")[0] or source.name, blocks=blocks),) if columns else ()
    return ParsedDocument(
        metadata={"rows": str(len(records)), "columns": str(len(columns))},
        parts=parts, elements=elements_of(parts), notices=notices,
    )  # fmt: skip


def _entries(found: object) -> list[dict[str, str] | None]:
    """The records of an array, the features of a collection, or the requests of a log; [] of anything else."""
    if isinstance(found, list):
        return _rows(cast("list[object]", found))
    top = _mapping(found)
    features, requests = top.get("features"), _mapping(top.get("log")).get("entries")
    if isinstance(features, list):
        return [_feature(_mapping(one)) if _is_object(one) else None for one in cast("list[object]", features)]
    if isinstance(requests, list):
        return [_request(_mapping(one)) if _is_object(one) else None for one in cast("list[object]", requests)]
    return []


def _rows(found: list[object]) -> list[dict[str, str] | None]:
    """The records of an array where it is a table, [] where not."""
    if any(_is_tree(one) for one in found):
        return []
    rows = [dict(_fields(one, "", 1)) if _is_object(one) else None for one in found]
    return rows if _alike(rows[:_LOOKED_AT]) else []


def _is_tree(value: object) -> bool:
    """Whether a record holds a list of records somewhere."""
    if _is_object(value):
        return any(map(_is_tree, value.values()))
    return isinstance(value, list) and any(map(_is_object, cast("list[object]", value)))


def _feature(feature: Mapping[str, object]) -> dict[str, str]:
    """What is told of a place, what kind of shape it has, and where a single point lies."""
    geometry = _mapping(feature.get("geometry"))
    own = {"id": feature["id"]} if isinstance(feature.get("id"), (str, int)) else {}
    record = dict(_fields({**own, **_mapping(feature.get("properties"))}, "", 1))
    record["geometry"] = _cell_text(geometry.get("type"))
    at = geometry.get("coordinates")
    if geometry.get("type") == "Point" and isinstance(at, list) and len(place := cast("list[object]", at)) >= 2:
        record |= {"latitude": _cell_text(place[1]), "longitude": _cell_text(place[0])}
    return record


def _request(entry: Mapping[str, object]) -> dict[str, str]:
    """What was asked, when, and what came back."""
    request, answer = _mapping(entry.get("request")), _mapping(entry.get("response"))
    content, sent = _mapping(answer.get("content")), _mapping(request.get("postData"))
    body = "" if content.get("encoding") else content.get("text")
    facts = {
        "started": entry.get("startedDateTime"), "milliseconds": entry.get("time"),
        **{name: request.get(name) for name in _REQUEST}, **{name: answer.get(name) for name in _ANSWER},
        "type": content.get("mimeType"), "bytes": content.get("size"), "sent": sent.get("text"), "received": body,
    }  # fmt: skip
    return {name: without_surrogates(_cell_text(value)[:_MAX_BODY_CHARS]) for name, value in facts.items()}


def _mapping(value: object) -> Mapping[str, object]:
    return value if _is_object(value) else {}


def _record(line: str) -> dict[str, str] | None:
    """The fields of a line; None where it is not an object."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return dict(_fields(found, "", 1)) if _is_object(found) else None


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, dict)


def _fields(record: Mapping[str, object], before: str, depth: int) -> Iterator[tuple[str, str]]:
    for name, value in record.items():
        if _is_object(value) and value and depth < _MAX_DEPTH:
            yield from _fields(value, f"{before}{name}.", depth + 1)
        else:
            yield without_surrogates(before + name), without_surrogates(_cell_text(value))


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
