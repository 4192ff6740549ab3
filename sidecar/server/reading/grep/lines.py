"""The lines of a document that patterns are matched against, each with its address: what a reader sees of a block, a
row of a table as one line, and in a workbook the formulas behind it. Matches nothing itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sidecar.api import AnyBlock, Cell, Table, format_uri
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import cell_name
from sidecar.views.grid import cells_of
from sidecar.views.searchable import Embeds, accepted, block_text, formula_text, placed_at, row_texts, rows_with_changes
from sidecar.views.sources import part_uri

_CONTEXT_LINES = 10
"""The most lines around a match that can be asked for."""
_GAP = " | "
_BEYOND = "\u27e8"
"""What opens the words of cells that the cells do not show, formulas and raw values."""
_APART = re.compile(r"[\s|]+")


@dataclass(frozen=True)
class Line:
    """A line, where it leads, and the lines around it. `otherwise` is the same line as it reads with tracked changes
    accepted, "" where there are none; `header` the heading row of its table."""

    text: str
    uri: str
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    cells: Callable[[int, int], str] | None = None
    """For a row of a sheet: the URI of the cells that a match from … to … touches."""
    header: str = ""
    otherwise: str = ""


class ReadPart(NamedTuple):
    """The part of which lines are made, in the document `slug`; `header` is that of the sheet its blocks are windows
    of."""

    slug: str
    part: PartRecord
    embeds: Embeds
    header: str = ""

    def lines(self, block: AnyBlock, number: int) -> Iterator[Line]:
        """The lines of one of its blocks."""
        slug, part = self.slug, self.part
        uri = _block_uri(slug, part, number)
        if isinstance(block, Table):
            yield from text_lines([text for text in (block.caption, block.name) if text], uri)
            yield from _rows(block, uri, slug, part, header_of(block) or self.header)
            return
        if part.kind == "sheet" and (area := cells_of(block)) is not None:
            uri = _sheet_uri(slug, part, {"range": str(area)})
        yield from text_lines(block_text(block, self.embeds).split("\n"), uri)


def text_lines(texts: Sequence[str], uri: str) -> Iterator[Line]:
    """Lines of one place."""
    for index, text in enumerate(texts):
        if text:
            changed = accepted(text)
            yield Line(text, uri, *_around(texts, index), otherwise="" if changed == text else changed)


def header_of(table: Table) -> str:
    """The heading row of a table, "" where it has none."""
    return _GAP.join(table.rows[table.header_rows - 1]) if table.header_rows else ""


def comparable(text: str) -> str:
    """A line as it compares with the same one in another form, empty cells and what it is about left out."""
    return _APART.sub(" ", "".join(piece for _, piece in placed_at(text))).strip()


def _rows(table: Table, uri: str, slug: str, part: PartRecord, header: str) -> Iterator[Line]:
    held: dict[int, list[Cell]] = {}
    for cell in table.cells:
        held.setdefault(cell.row, []).append(cell)
    made = [_row(row, held.get(index, ())) for index, row in enumerate(rows_with_changes(table))]
    texts = [text for text, _ in made]
    for index, (text, places) in enumerate(made):
        cells = _cells(table, index, places, slug, part) if part.kind == "sheet" else None
        own = header if part.kind == "sheet" and index >= table.header_rows else ""
        changed = accepted(text)
        yield Line(text, uri, *_around(texts, index), cells, own, "" if changed == text else changed)


def _row(row: Sequence[str], cells: Sequence[Cell]) -> tuple[str, list[tuple[int, int, int, bool]]]:
    """The row's line, and (start, end, column, whether the cell does not show it) of what stands in it."""
    places: list[tuple[int, int, int, bool]] = []
    at = 0
    for col, text in enumerate(row):
        places.append((at, at + len(text), col, False))
        at += len(text) + len(_GAP)
    line = _GAP.join(row)
    for cell in cells:
        for extra in _beyond(cell, line):
            places.append((len(line) + 1, len(line) + 1 + len(extra), cell.col, extra.startswith(_BEYOND)))
            line = f"{line} {extra}"
    return line, places


def _beyond(cell: Cell, line: str) -> Iterator[str]:
    """What a cell holds that the line does not show."""
    if cell.formula:
        yield f"\u27e8{formula_text(cell.formula)}\u27e9"
    value = "" if cell.value is None else str(cell.value)
    if value and value not in line:
        yield f"\u27e8{value}\u27e9"
    if cell.table is not None:
        yield " / ".join(text for text in row_texts(cell.table) if text)


def _around(texts: Sequence[str], index: int) -> tuple[Sequence[str], Sequence[str]]:
    return texts[max(index - _CONTEXT_LINES, 0) : index], texts[index + 1 : index + 1 + _CONTEXT_LINES]


def _block_uri(slug: str, part: PartRecord, number: int) -> str:
    if part.kind in {"sheet", "slide", "page"}:
        return part_uri(part, slug)
    return format_uri("paragraph", slug, part.n, number)


def _cells(
    table: Table, index: int, places: Sequence[tuple[int, int, int, bool]], slug: str, part: PartRecord
) -> Callable[[int, int], str]:
    def uri(start: int, end: int) -> str:
        touched = [
            (col, unseen)
            for begin, stop, col, unseen in places
            if begin <= start < stop + len(_GAP) or start <= begin < end
        ]
        row = table.first_row + index
        columns = [col for col, _ in touched] or [0]
        area = cell_name(row, table.first_col + min(columns))
        if max(columns) > min(columns):
            area += ":" + cell_name(row, table.first_col + max(columns))
        formulas = {"formulas": "1"} if any(unseen for _, unseen in touched) else {}
        return _sheet_uri(slug, part, {"range": area} | formulas)

    return uri


def _sheet_uri(slug: str, part: PartRecord, query: Mapping[str, str]) -> str:
    return format_uri("sheet", slug, part.name or part.n, query=query)
