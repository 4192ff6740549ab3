"""A sheet, or a range of one, as Markdown with cell addresses, CSV, JSON and HTML; windowed when it is large.

The caller hands in the blocks that touch the range, in order; reading them piecemeal is its business. A sheet may have
two cells a million rows apart: only what is in use is kept, and no view is built larger than the grid's room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from sidecar.api import AnyBlock, Cell, Figure, Merge, Note, Table, format_uri
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import CellRange, cell_name, column_name, parse_range
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.toolkit.visible import ASK, NOTHING, HiddenCount, is_empty, left_out, visible
from sidecar.views.blocks.markdown import Embeds, blocks_markdown
from sidecar.views.blocks.markup import Markup, element, join
from sidecar.views.blocks.plain import blocks_text
from sidecar.views.blocks.tables import (
    MERGE_LEGEND,
    cell_markdown,
    covered_text,
    csv_text,
    escape_cell,
    merge_repeat,
    shown_text,
)
from sidecar.views.sources import Origin, left_out_line, part_facts

__all__ = [
    "Grid",
    "dense",
    "grid",
    "onward_uri",
    "sheet_csv",
    "sheet_html",
    "sheet_json",
    "sheet_markdown",
    "sheet_text",
]

_CELL_CHARS, _ROW_CHARS = 3, 6
"""What Markdown puts around a cell and a row; a cell of CSV or JSON has less."""
_PADDING = 2
"""Empty cells between the others may take as much room again as the text."""
_MERGED_ROWS, _MERGED_COLUMNS = 4096, 256
"""So many rows and columns of one merged region are marked as covered."""
_MERGED_CELLS = 50_000
"""So many covered cells are marked in one view."""


@dataclass
class Grid:
    """The cells of a range, by absolute 0-based row and column. `rows` holds only rows that have something in them."""

    area: CellRange
    max_chars: int
    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    details: dict[tuple[int, int], Cell] = field(default_factory=dict[tuple[int, int], Cell])
    merges: list[tuple[CellRange, str]] = field(default_factory=list[tuple[CellRange, str]])
    """Merged regions, with what the cells they cover repeat."""
    merged: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """Covered cells of `rows`, as they are shown."""
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_cols: set[int] = field(default_factory=set[int])
    names: list[tuple[str, CellRange]] = field(default_factory=list[tuple[str, CellRange]])
    others: list[AnyBlock] = field(default_factory=list[AnyBlock])
    """Notes on shown cells, figures and whatever else stands on the sheet."""
    cut_at: int | None = None
    """The first row left out for want of room, None when all of the area is here."""
    asked: CellRange | None = None
    """The area as it was asked for; `area` shrinks to what is in use."""
    hidden: bool = False
    """Text hidden from readers is in it."""
    left_out: HiddenCount = NOTHING
    """What of such text is not."""
    uri: str = ""
    """Where the same range is read with it."""

    def next_row(self, part: PartRecord) -> int | None:
        """The row to go on with: after a cut, or after a range of several rows that ends before the sheet does."""
        if self.cut_at is not None or self.asked is None:
            return self.cut_at
        more = self.asked.bottom > self.asked.top and self.asked.bottom + 1 < part.rows
        return self.asked.bottom + 1 if more else None


def grid(
    blocks: Iterable[AnyBlock], area: CellRange, max_chars: int, *, whole: bool, hidden: bool = False, uri: str = ""
) -> Grid:
    """The cells of `area`, rows from the top until their text passes `max_chars`; at least one row.

    `whole` says that the area is the sheet itself: notes without a cell in it and figures then belong to the view.
    `hidden` keeps text that readers do not see, else it is counted, and `uri` is where it is shown.
    """
    found = Grid(area, max_chars, asked=area, hidden=hidden, uri=uri)
    room = max_chars
    for stored in blocks:
        block = stored if hidden else visible(stored)
        if block is not stored and found.cut_at is None:
            found.left_out = found.left_out.plus(_missing(stored, block, area))
        if is_empty(block):
            continue
        if not isinstance(block, Table):
            if whole or (isinstance(block, Note) and _inside(block.target, area)):
                found.others.append(block)
        elif found.cut_at is None:
            room = _add(found, block, room)
    if found.cut_at is not None:
        _drop_from(found, found.cut_at)  # rows of side-by-side tables may lie below the cut
    _fit(found, dense=False)
    return found


def _missing(stored: AnyBlock, shown: AnyBlock, area: CellRange) -> HiddenCount:
    """What of a block's hidden text lies in the area."""
    if not isinstance(stored, Table) or not isinstance(shown, Table):
        return left_out(stored, shown)
    rows = slice(max(area.top - stored.first_row, 0), max(area.bottom - stored.first_row + 1, 0))
    columns = slice(max(area.left - stored.first_col, 0), max(area.right - stored.first_col + 1, 0))
    both = [msgspec.structs.replace(one, rows=tuple(row[columns] for row in one.rows[rows])) for one in (stored, shown)]
    return left_out(both[0], both[1])


def sheet_markdown(
    found: Grid, part: PartRecord, doc: str, origin: Origin, embeds: Embeds, *, formulas: bool = False
) -> str:
    """The range as a table with column letters above and row numbers in front; empty rows are left out."""
    pieces = [origin.markdown(), left_out_line(found.left_out, found.uri)]
    pieces.append(f"# {part.name or part.title}{' (hidden)' if part.hidden else ''}")
    pieces.append("\n".join(f"- {fact}" for fact in part_facts(part)))
    pieces += [f"Table **{name}** is {area}." for name, area in found.names]
    if found.rows:
        pieces.append(_markdown_table(found, formulas))
    elif not found.others:
        pieces.append("*(No cell in this range has anything in it.)*")
    if found.merged:
        pieces.append(MERGE_LEGEND)
    pieces += _results_told(found)
    if found.others:
        pieces.append(blocks_markdown(found.others, doc, embeds))
    closing = _continuation(found, part, doc)
    return "\n\n".join(piece for piece in [*pieces, f"*({closing})*" if closing else ""] if piece)


def sheet_text(found: Grid, part: PartRecord, doc: str, origin: Origin, embeds: Embeds) -> str:
    """The range as tab-separated lines."""
    found = dense(found)
    lines = ["\t".join(" ".join(text.split()) for text in row).rstrip() for row in _named(found)]
    pieces = [
        origin.line(),
        left_out_line(found.left_out, found.uri, plain=True),
        f"{part.name or part.title}{' (hidden)' if part.hidden else ''}",
        escape_frame_lines("\n".join(lines)),
        blocks_text(found.others, embeds),
    ]
    return "\n\n".join(piece for piece in [*pieces, _continuation(found, part, doc)] if piece)


def sheet_csv(found: Grid) -> str:
    """The range as CSV: what Excel shows, covered cells of merges empty. Nothing but data: programs read it."""
    return csv_text(_matrix(dense(found)))


def sheet_json(found: Grid, part: PartRecord, doc: str, origin: Origin) -> dict[str, Any]:
    """The range as data: `rows` what is shown, `cells` raw value, formula and number format where they add to it."""
    found = dense(found)
    area = found.area
    cells: list[dict[str, Any]] = []
    for (row, col), cell in sorted(found.details.items()):
        record: dict[str, Any] = {"cell": cell_name(row, col), "shown": found.rows.get(row, {}).get(col, "")}
        record |= {
            key: value
            for key, value in (
                ("value", cell.value), ("formula", cell.formula), ("format", cell.format), ("link", cell.link),
                ("state", cell.state),
            )
            if value not in (None, "")
        }  # fmt: skip
        cells.append(record)
    answer: dict[str, Any] = {
        "source": origin.record(),
        "sheet": part.name or part.title,
        "hidden": part.hidden,
        "range": f"{cell_name(area.top, area.left)}:{cell_name(area.bottom, area.right)}" if found.rows else "",
        "sheet_rows": part.rows,
        "sheet_columns": part.cols,
        "first_row": area.top + 1,
        "columns": [column_name(col) for col in range(area.left, area.right + 1)] if found.rows else [],
        "rows": _matrix(found),
        "cells": cells,
        "merged": [str(merge) for merge, _ in found.merges],
        "hidden_rows": [row + 1 for row in sorted(found.hidden_rows)],
        "hidden_columns": [column_name(col) for col in sorted(found.hidden_cols)],
        "tables": [{"name": name, "range": str(where)} for name, where in found.names],
        "comments": [
            {"cell": note.target, "author": note.author, "date": note.date, "text": note.text}
            for note in found.others
            if isinstance(note, Note) and note.kind == "comment"
        ],
        "notes": [
            {"kind": note.kind, "name": note.anchor, "range": note.target, "text": note.text}
            for note in found.others
            if isinstance(note, Note) and note.kind != "comment"
        ],
        "figures": [
            format_uri("chart" if block.embed[0] == "chart" else block.embed[0], doc, block.embed[1])
            for block in found.others
            if isinstance(block, Figure) and block.embed is not None and block.embed[0] in {"image", "chart", "media"}
        ],
    }
    if found.left_out.places:
        answer["left_out"] = {"hidden_text": str(found.left_out), "uri": found.uri}
    if found.next_row(part) is not None:
        answer["next"] = onward_uri(found, part, doc)
    return answer


def sheet_html(found: Grid, part: PartRecord, doc: str, origin: Origin | None, others: Markup) -> Markup:
    """The range as an HTML table with column letters and row numbers; the source line where `origin` is given."""
    columns = range(found.area.left, found.area.right + 1) if found.rows else range(0)
    lines = [element("tr", element("th"), *(element("th", column_name(col)) for col in columns))]
    for row in sorted(found.rows):
        cells = [element("th", str(row + 1))]
        cells += [element("td", found.rows[row].get(col, "") or found.merged.get((row, col), "")) for col in columns]
        lines.append(element("tr", *cells, class_="hidden" if row in found.hidden_rows else ""))
    closing = _continuation(found, part, doc)
    body = [
        element("h1", f"{part.name or part.title}{' (hidden)' if part.hidden else ''}"),
        element("table", join(*lines, between="\n")),
        others,
    ]
    if origin is not None and found.left_out.places:
        body.insert(0, element("p", left_out_line(found.left_out, found.uri, plain=True), class_="source"))
    if origin is not None:
        body.insert(0, element("p", origin.line(), class_="source"))
    if closing:
        body.append(element("p", closing))
    return join(*body, between="\n")


def _results_told(found: Grid) -> list[str]:
    """A line for results that are not the file's own, and one for those that it does not vouch for."""
    states = Counter(cell.state for cell in found.details.values())
    told: list[str] = []
    if count := states["recalculated"]:
        told.append(f"*(Results of formulas that the file does not hold, calculated while it was read: {count:,}.)*")
    if count := states["unverified"]:
        told.append(f"*(Stored results that the workbook asks to have calculated anew: {count:,}.)*")
    return told


def _continuation(found: Grid, part: PartRecord, doc: str) -> str:
    """ "" when nothing was cut, else how to go on."""
    following = found.next_row(part)
    if following is None:
        return ""
    shown = f"Rows {found.area.top + 1}-{following} of {max(part.rows, following + 1):,} are shown."
    return f"{shown} Go on with {onward_uri(found, part, doc)}"


def onward_uri(found: Grid, part: PartRecord, doc: str, suffix: str = "") -> str:
    """Where the rows behind those of the grid are read, "" when there are none."""
    first = found.next_row(part)
    if first is None:
        return ""
    step = max(first - found.area.top, 1)
    right = max(part.cols - 1, found.area.right, 0)
    bottom = max(min(first + step, max(part.rows, first + 1)) - 1, first)
    area = f"{cell_name(first, found.area.left)}:{cell_name(bottom, right)}"
    query = {"range": area} | ({ASK: "1"} if found.hidden else {})
    return format_uri("sheet", doc, part.name or part.n, suffix=suffix, query=query)


def _add(found: Grid, table: Table, room: int) -> int:
    """Put the table's cells that lie in the area into the grid; gives the room that is left."""
    area = found.area
    details = {(cell.row, cell.col): cell for cell in table.cells}
    top, left = table.first_row, table.first_col
    for r, texts in enumerate(table.rows):
        row = top + r
        if not area.top <= row <= area.bottom:
            continue
        cells = {
            left + c: shown_text(text, details.get((r, c)))
            for c, text in enumerate(texts)
            if (text or (r, c) in details) and area.left <= left + c <= area.right
        }
        if not cells:
            continue
        cost = sum(map(len, cells.values())) + _CELL_CHARS * len(cells) + _ROW_CHARS
        if cost > room and found.rows:
            found.cut_at = row
            break
        room -= cost
        found.rows.setdefault(row, {}).update(cells)
        for col in cells:
            detail = details.get((r, col - left))
            if detail is not None:
                found.details[row, col] = detail
    found.hidden_rows.update(top + r for r in table.hidden_rows if area.top <= top + r <= area.bottom)
    found.hidden_cols.update(left + c for c in table.hidden_cols if area.left <= left + c <= area.right)
    for merge in table.merges:
        _merge(found, table, merge)
    name = table.name or table.caption
    if name and table.rows and name not in {known for known, _ in found.names}:
        width = max(len(row) for row in table.rows)
        found.names.append((name, CellRange(top, left, top + len(table.rows) - 1, left + max(width, 1) - 1)))
    return room


def _merge(found: Grid, table: Table, merge: Merge) -> None:
    top, left = table.first_row + merge.row, table.first_col + merge.col
    whole = CellRange(top, left, top + merge.rows - 1, left + merge.cols - 1)
    if whole.meets(found.area):
        found.merges.append((whole, merge_repeat(table, merge)))


def _covered(found: Grid) -> dict[tuple[int, int], str]:
    """(row, col) → what a cell of a shown row that a merged region covers shows."""
    area = found.area
    covered: dict[tuple[int, int], str] = {}
    for region, repeated in found.merges:
        low, high = max(region.top, area.top), min(region.bottom, area.bottom, region.top + _MERGED_ROWS)
        columns = range(max(region.left, area.left), min(region.right, area.right, region.left + _MERGED_COLUMNS) + 1)
        if len(covered) > _MERGED_CELLS:
            break
        for row in range(low, high + 1):
            if row in found.rows:
                covered |= {(row, col): covered_text(row == region.top, repeated) for col in columns}
        covered.pop((region.top, region.left), None)
    return covered


def _fit(found: Grid, *, dense: bool) -> None:
    """Cut the grid where a table of it, empty cells counted (`dense`: empty rows too), would need much more than
    `max_chars`, and shrink its area to what is in use. At least one row stays; emptiness above it may go."""
    left = found.area.left if dense else min((min(cells) for cells in found.rows.values()), default=0)
    top, right, chars = found.area.top, left, 0
    for count, row in enumerate(sorted(found.rows), 1):
        cells = found.rows[row]
        chars += sum(map(len, cells.values()))
        right = max(right, *cells)
        width = right - left + 1
        if dense and count == 1 and (row - top) * width > found.max_chars:
            top = row
        size = (row - top + 1) * width if dense else count * width * _CELL_CHARS
        if count > 1 and chars + size > found.max_chars * _PADDING:
            found.cut_at = row
            _drop_from(found, row)
            break
    found.merged = _covered(found)
    if found.rows:
        columns = [max(cells) for cells in found.rows.values()] + [col for _, col in found.merged]
        right = min(found.area.right, max(columns))
        found.area = CellRange(top, found.area.left, max(found.rows), right)


def dense(found: Grid) -> Grid:
    """The grid for a view that keeps every position: as many rows as fit with the empty ones between them."""
    fitted = replace(found, rows=dict(found.rows))
    _fit(fitted, dense=True)
    return fitted


def _drop_from(found: Grid, row: int) -> None:
    """Leave out that row and what lies below it."""
    for below in [known for known in found.rows if known >= row]:
        del found.rows[below]
    found.details = {key: cell for key, cell in found.details.items() if key[0] < row}
    found.merges = [merge for merge in found.merges if merge[0].top < row]
    found.hidden_rows = {hidden for hidden in found.hidden_rows if hidden < row}


def _matrix(found: Grid) -> list[list[str]]:
    """Every row of the area down to the last that holds something, padded to one width: positions stay true."""
    if not found.rows:
        return []
    columns = range(found.area.left, found.area.right + 1)
    empty: dict[int, str] = {}
    return [
        [found.rows.get(row, empty).get(col, "") for col in columns]
        for row in range(found.area.top, found.area.bottom + 1)
    ]


def _named(found: Grid) -> list[list[str]]:
    """The matrix, with `[hidden]` before what stands in a row or column that the application hides."""
    matrix = _matrix(found)
    top, left = found.area.top, found.area.left
    for row, texts in enumerate(matrix, top):
        if found.hidden_cols or row in found.hidden_rows:
            texts[:] = [
                f"[hidden] {text}" if text and (row in found.hidden_rows or col in found.hidden_cols) else text
                for col, text in enumerate(texts, left)
            ]
    return matrix


def _markdown_table(found: Grid, formulas: bool) -> str:
    columns = _columns(found)
    letters = [column_name(col) + (" (hidden)" if col in found.hidden_cols else "") for col in columns]
    lines = [f"|  | {' | '.join(letters)} |", "|" + " --- |" * (len(columns) + 1)]
    for row, cells in sorted(found.rows.items()):
        shown = [
            cell_markdown(cells[col], found.details.get((row, col)), formulas=formulas)
            if cells.get(col) or (row, col) in found.details
            else escape_cell(found.merged.get((row, col), ""))
            for col in columns
        ]
        number = f"{row + 1} (hidden)" if row in found.hidden_rows else str(row + 1)
        lines.append(f"| {number} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _columns(found: Grid) -> Sequence[int]:
    used = {col for cells in found.rows.values() for col in cells} | {col for _, col in found.merged}
    return range(min(used), max(used) + 1)


def _inside(target: str, area: CellRange) -> bool:
    """Whether a note's target is a cell or range of the area; other targets are names."""
    cells = parse_range(target.rpartition("!")[2])
    return cells is not None and cells.meets(area)
