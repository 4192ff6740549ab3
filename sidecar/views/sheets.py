"""A sheet, or a range of one, as Markdown with cell addresses, CSV, JSON and HTML; windowed when it is large.

The caller hands in the blocks that touch the range, in order; reading them piecemeal is its business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sidecar.api import AnyBlock, Cell, Figure, Merge, Note, Table, UsageError, format_uri
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import CellRange, cell_name, column_letters, parse_range
from sidecar.views.markdown import Embeds, blocks_markdown
from sidecar.views.markup import Markup, element, join
from sidecar.views.plain import blocks_text
from sidecar.views.sources import Origin, part_facts
from sidecar.views.tables import MERGE_LEGEND, REPEAT_CHARS, cell_markdown, csv_text, escape_cell

__all__ = ["Grid", "grid", "sheet_csv", "sheet_html", "sheet_json", "sheet_markdown", "sheet_text"]


@dataclass
class Grid:
    """The cells of a range, by absolute 0-based row and column. `rows` holds only rows that have something in them."""

    area: CellRange
    rows: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    details: dict[tuple[int, int], Cell] = field(default_factory=dict[tuple[int, int], Cell])
    merges: list[CellRange] = field(default_factory=list[CellRange])
    merged: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_cols: set[int] = field(default_factory=set[int])
    names: list[tuple[str, CellRange]] = field(default_factory=list[tuple[str, CellRange]])
    others: list[AnyBlock] = field(default_factory=list[AnyBlock])
    """Notes on shown cells, figures and whatever else stands on the sheet."""
    cut_at: int | None = None
    """The first row left out for want of room, None when all of the area is here."""
    asked: CellRange | None = None
    """The area as it was asked for; `area` shrinks to what is in use."""

    def onward(self, part: PartRecord) -> int | None:
        """The row to go on with: after a cut, or after a range of several rows that ends before the sheet does."""
        if self.cut_at is not None or self.asked is None:
            return self.cut_at
        more = self.asked.last_row > self.asked.first_row and self.asked.last_row + 1 < part.rows
        return self.asked.last_row + 1 if more else None


def grid(blocks: Iterable[AnyBlock], area: CellRange, max_chars: int, *, whole: bool) -> Grid:
    """The cells of `area`, rows from the top until their text passes `max_chars`; at least one row.

    `whole` says that the area is the sheet itself: notes without a cell in it and figures then belong to the view.
    """
    found = Grid(area, asked=area)
    room = max_chars
    for block in blocks:
        if not isinstance(block, Table):
            if whole or (isinstance(block, Note) and _inside(block.target, area)):
                found.others.append(block)
            continue
        if found.cut_at is not None:
            continue
        room = _add(found, block, room)
    if found.cut_at is not None:
        _drop_below(found)
    used = [col for row in found.rows.values() for col in row]
    if used:
        last = max([*used, *(col for _, col in found.merged)])
        found.area = CellRange(area.first_row, area.first_col, _last_row(found), min(area.last_col, last))
    return found


def sheet_markdown(
    found: Grid, part: PartRecord, doc: str, origin: Origin, embeds: Embeds, *, formulas: bool = False
) -> str:
    """The range as a table with column letters above and row numbers in front; empty rows are left out."""
    pieces = [origin.markdown(), f"# {part.name or part.title}{' (hidden)' if part.hidden else ''}"]
    pieces.append("\n".join(f"- {fact}" for fact in part_facts(part)))
    pieces += [f"Table **{name}** is {area}." for name, area in found.names]
    if found.rows:
        pieces.append(_markdown_table(found, formulas))
    elif not found.others:
        pieces.append("*(No cell in this range has anything in it.)*")
    if found.merged:
        pieces.append(MERGE_LEGEND)
    if found.others:
        pieces.append(blocks_markdown(found.others, doc, embeds))
    closing = continuation(found, part, doc)
    return "\n\n".join(piece for piece in [*pieces, f"*({closing})*" if closing else ""] if piece)


def sheet_text(found: Grid, part: PartRecord, doc: str, origin: Origin, embeds: Embeds) -> str:
    """The range as tab-separated lines."""
    lines = ["\t".join(" ".join(text.split()) for text in row).rstrip() for row in _matrix(found)]
    pieces = [origin.line(), part.name or part.title, "\n".join(lines), blocks_text(found.others, embeds)]
    return "\n\n".join(piece for piece in [*pieces, continuation(found, part, doc)] if piece)


def sheet_csv(found: Grid) -> str:
    """The range as CSV: what Excel shows, covered cells of merges empty. Nothing but data: programs read it."""
    return csv_text(_matrix(found))


def sheet_json(found: Grid, part: PartRecord, doc: str, origin: Origin) -> dict[str, Any]:
    """The range as data: `rows` what is shown, `cells` raw value, formula and number format where they add to it."""
    area = found.area
    cells: list[dict[str, Any]] = []
    for (row, col), cell in sorted(found.details.items()):
        record: dict[str, Any] = {"cell": cell_name(row, col), "shown": found.rows.get(row, {}).get(col, "")}
        record |= {
            key: value
            for key, value in (
                ("value", cell.value), ("formula", cell.formula), ("format", cell.format), ("link", cell.link)
            )
            if value not in (None, "")
        }  # fmt: skip
        cells.append(record)
    corner = cell_name(_last_row(found), area.last_col)
    answer: dict[str, Any] = {
        "source": origin.record(),
        "sheet": part.name or part.title,
        "hidden": part.hidden,
        "range": f"{cell_name(area.first_row, area.first_col)}:{corner}" if found.rows else "",
        "sheet_rows": part.rows,
        "sheet_columns": part.cols,
        "first_row": area.first_row + 1,
        "columns": [column_letters(col) for col in range(area.first_col, area.last_col + 1)] if found.rows else [],
        "rows": _matrix(found),
        "cells": cells,
        "merged": [str(merge) for merge in found.merges],
        "hidden_rows": [row + 1 for row in sorted(found.hidden_rows)],
        "hidden_columns": [column_letters(col) for col in sorted(found.hidden_cols)],
        "tables": [{"name": name, "range": str(where)} for name, where in found.names],
        "comments": [
            {"cell": note.target, "author": note.author, "date": note.date, "text": note.text}
            for note in found.others
            if isinstance(note, Note)
        ],
        "figures": [
            format_uri("chart" if block.embed[0] == "chart" else block.embed[0], doc, block.embed[1])
            for block in found.others
            if isinstance(block, Figure) and block.embed is not None and block.embed[0] in {"image", "chart", "media"}
        ],
    }
    if found.onward(part) is not None:
        answer["next"] = _next_uri(found, part, doc)
    return answer


def sheet_html(found: Grid, part: PartRecord, doc: str, origin: Origin | None, others: Markup) -> Markup:
    """The range as an HTML table with column letters and row numbers; the source line where `origin` is given."""
    area = found.area
    columns = list(range(area.first_col, area.last_col + 1)) if found.rows else []
    lines = [element("tr", element("th"), *(element("th", column_letters(col)) for col in columns))]
    for row in sorted(found.rows):
        cells = [element("th", str(row + 1))]
        for col in columns:
            note = found.merged.get((row, col))
            cells.append(element("td", found.rows[row].get(col, "") or (note or "")))
        lines.append(element("tr", *cells, class_="hidden" if row in found.hidden_rows else ""))
    closing = continuation(found, part, doc)
    body = [element("h1", part.name or part.title), element("table", join(*lines, between="\n")), others]
    if origin is not None:
        body.insert(0, element("p", origin.line(), class_="source"))
    if closing:
        body.append(element("p", closing))
    return join(*body, between="\n")


def continuation(found: Grid, part: PartRecord, doc: str) -> str:
    """ "" when nothing was cut, else how to go on."""
    onward = found.onward(part)
    if onward is None:
        return ""
    shown = f"Rows {found.area.first_row + 1}-{onward} of {max(part.rows, onward + 1):,} are shown."
    return f"{shown} Go on with {_next_uri(found, part, doc)}"


def _next_uri(found: Grid, part: PartRecord, doc: str) -> str:
    first = found.onward(part) or 0
    step = max(first - found.area.first_row, 1)
    last_col = column_letters(max(part.cols - 1, found.area.last_col, 0))
    last_row = max(min(first + step, max(part.rows, first + 1)), first + 1)
    area = f"{column_letters(found.area.first_col)}{first + 1}:{last_col}{last_row}"
    return format_uri("sheet", doc, part.name or part.n, query={"range": area})


def _add(found: Grid, table: Table, room: int) -> int:
    area = found.area
    details = {(cell.row, cell.col): cell for cell in table.cells}
    first, left = table.first_row, table.first_col
    for r, texts in enumerate(table.rows):
        row = first + r
        if not area.first_row <= row <= area.last_row:
            continue
        cells = {
            left + c: text
            for c, text in enumerate(texts)
            if (text or (r, c) in details) and area.first_col <= left + c <= area.last_col
        }
        if not cells:
            continue
        cost = sum(map(len, cells.values())) + 3 * len(cells) + 6
        if cost > room and found.rows:
            found.cut_at = row
            break
        room -= cost
        found.rows.setdefault(row, {}).update(cells)
        for col in cells:
            detail = details.get((r, col - left))
            if detail is not None:
                found.details[row, col] = detail
    found.hidden_rows.update(first + r for r in table.hidden_rows if area.first_row <= first + r <= area.last_row)
    found.hidden_cols.update(left + c for c in table.hidden_cols if area.first_col <= left + c <= area.last_col)
    for merge in table.merges:
        _merge(found, table, merge)
    name = table.name or table.caption
    if name and table.rows and name not in {known for known, _ in found.names}:
        width = max(len(row) for row in table.rows)
        where = CellRange(first, left, first + len(table.rows) - 1, left + max(width, 1) - 1)
        found.names.append((name, where))
    return room


def _merge(found: Grid, table: Table, merge: Merge) -> None:
    texts = table.rows[merge.row] if merge.row < len(table.rows) else ()
    text = texts[merge.col] if merge.col < len(texts) else ""
    alone = merge.rows == 1 and sum(1 for cell in texts if cell) <= 1
    short = f" {text}" if text and len(text) <= REPEAT_CHARS and not alone else ""
    top, left = table.first_row + merge.row, table.first_col + merge.col
    whole = CellRange(top, left, top + merge.rows - 1, left + merge.cols - 1)
    area = found.area
    if not whole.meets(area):
        return
    found.merges.append(whole)
    for r in range(max(top, area.first_row), min(whole.last_row, area.last_row, top + 4096) + 1):
        for c in range(max(left, area.first_col), min(whole.last_col, area.last_col, left + 256) + 1):
            if (r, c) != (top, left):
                found.merged[r, c] = ("←" if r == top else "↑") + short


def _drop_below(found: Grid) -> None:
    """Rows of side-by-side tables may lie below the cut; what is shown must be one rectangle."""
    at = found.cut_at
    if at is None:
        return
    for row in [row for row in found.rows if row >= at]:
        del found.rows[row]
    found.details = {key: cell for key, cell in found.details.items() if key[0] < at}
    found.merged = {key: text for key, text in found.merged.items() if key[0] < at}


def _last_row(found: Grid) -> int:
    return max(found.rows, default=found.area.first_row)


def _matrix(found: Grid) -> list[list[str]]:
    """Every row of the area down to the last that holds something, padded to one width: positions stay true."""
    if not found.rows:
        return []
    columns = range(found.area.first_col, found.area.last_col + 1)
    nothing: dict[int, str] = {}
    return [
        [found.rows.get(row, nothing).get(col, "") for col in columns]
        for row in range(found.area.first_row, _last_row(found) + 1)
    ]


def _markdown_table(found: Grid, formulas: bool) -> str:
    columns = _columns(found)
    letters = [column_letters(col) + (" (hidden)" if col in found.hidden_cols else "") for col in columns]
    lines = [f"|  | {' | '.join(letters)} |", "|" + " --- |" * (len(columns) + 1)]
    for row in sorted({*found.rows, *(row for row, _ in found.merged if row in found.rows)}):
        cells = found.rows[row]
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
    used = {col for row in found.rows.values() for col in row} | {col for _, col in found.merged}
    first = min(used, default=found.area.first_col)
    return range(first, max(used, default=first) + 1)


def _inside(target: str, area: CellRange) -> bool:
    if not target or not target[:1].isalpha():
        return False
    try:
        cell = parse_range(target)
    except UsageError:
        return False
    return cell.meets(area)
