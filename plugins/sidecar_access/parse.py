"""Reads an Access database: each table of the user's is a sheet. Queries and linked tables are named; forms, reports
and macros are not looked for."""

from collections.abc import Iterator
from typing import Final

from sidecar.api import Limits, Notice, ParsedDocument, Source
from sidecar.toolkit.markup.chapters import elements_of
from sidecar.toolkit.markup.grid import DatabaseSheets
from sidecar_access.file import CATALOGUE, AccessFile, Definition
from sidecar_access.rows import RowReader

_TABLE, _LINKED, _QUERY = "1", ("4", "6"), "5"
_SYSTEM: Final = 0x80000000 | 0x2 | 0x8
"""Flags of objects that programs keep for themselves, or hide."""
_PAGE: Final = 0xFFFFFF
_MAX_CELLS: Final = 4_000_000


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The tables as a document of sheets. Raises FormatError."""
    source.check_size(limits)
    file = AccessFile(source.read(limits.max_file_bytes), source.name)
    tables, queries, linked = _objects(file)
    sheets = DatabaseSheets(_MAX_CELLS, limits.max_text_chars)
    for name, definition in tables[: limits.max_parts]:
        if not sheets.add(name, RowReader(file, definition).table()):
            break
    if linked:
        shown = f"Tables that lie in other files or on servers were not read: {', '.join(linked)}."
        sheets.notices.append(Notice("external_content", shown))
    found = tuple(sheets.parts)
    return ParsedDocument(
        metadata={"tables": str(len(tables))} | ({"queries": ", ".join(queries)} if queries else {}),
        parts=found, elements=elements_of(found), notices=tuple(sheets.notices),
    )  # fmt: skip


def _number(text: str | None) -> int:
    """A number of the catalogue; 0 where damage has made something else of it."""
    return int(text) if text and len(text) < 20 and text.lstrip("-").isdecimal() else 0


def _objects(file: AccessFile) -> tuple[list[tuple[str, Definition]], list[str], list[str]]:
    """The user's tables, the names of the queries, and of linked tables, each by name."""
    tables: dict[str, Definition] = {}
    queries: list[str] = []
    linked: list[str] = []
    for entry in _entries(file):
        name, kind = entry.get("Name", ""), entry.get("Type", "")
        if _number(entry.get("Flags")) & _SYSTEM or name.startswith(("MSys", "~")):
            continue
        if kind == _TABLE:
            definition = file.definition(_number(entry.get("Id")) & _PAGE)
            if definition is not None and definition.columns:
                tables[name] = definition
        elif kind == _QUERY:
            queries.append(name)
        elif kind in _LINKED:
            linked.append(name)
    return sorted(tables.items()), sorted(queries), sorted(linked)


def _entries(file: AccessFile) -> Iterator[dict[str, str]]:
    catalogue = file.definition(CATALOGUE)
    if catalogue is None:
        return
    reader = RowReader(file, catalogue)
    for row in file.rows(catalogue):
        yield dict(zip((column.name for column in catalogue.columns), reader.values(row), strict=True))
