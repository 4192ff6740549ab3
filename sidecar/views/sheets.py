"""A sheet, or a range of one, as Markdown with cell addresses, text, CSV, JSON and HTML. Which cells, `grid` says."""

from collections import Counter
from dataclasses import dataclass, field

from sidecar.api import Embed, EmbedKind, Figure, Note, format_uri
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.answers.budget import shorten
from sidecar.toolkit.cell_references import cell_name, column_name
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.toolkit.visible import ASK
from sidecar.views.blocks.html import Markup, blocks_html, element, join
from sidecar.views.blocks.markdown import Embeds, blocks_markdown
from sidecar.views.blocks.plain import blocks_text
from sidecar.views.blocks.tables import MERGE_LEGEND, cell_markdown, cells_markdown, csv_text, escape_cell
from sidecar.views.grid import SheetRange, dense, matrix, used_columns
from sidecar.views.inline import flat
from sidecar.views.sources import Origin, left_out_line, left_out_record, part_facts

_TITLE_CHARS, _COLUMNS_CHARS = 40, 400
"""Of a heading above a range that is told with it, and of all of them."""


@dataclass(frozen=True)
class SheetView:
    """What to show of a sheet: the range that was found, where it came from, and whether Markdown tells formulas."""

    found: SheetRange
    part: PartRecord
    origin: Origin
    embeds: Embeds = field(default_factory=dict[tuple[EmbedKind, int], Embed])
    formulas: bool = False


def sheet_markdown(view: SheetView) -> str:
    """The range as a table with column letters above and row numbers in front; empty rows are left out."""
    found, part, origin = view.found, view.part, view.origin
    pieces = [origin.markdown(), left_out_line(found.left_out, found.uri)]
    pieces.append(f"# {_title(part)}")
    pieces.append("\n".join(f"- {fact}" for fact in part_facts(part)))
    pieces += [f"Table **{name}** is {area}." for name, area in found.names]
    if found.rows:
        pieces += [_columns(found), _markdown_table(found, view.formulas)]
    elif not found.others:
        pieces.append("*(No cell in this range has anything in it.)*")
    if found.merged:
        pieces.append(MERGE_LEGEND)
    pieces += _result_notices(found)
    if found.others:
        pieces.append(blocks_markdown(found.others, origin.doc, view.embeds))
    closing = _continuation(view, found)
    return "\n\n".join(piece for piece in [*pieces, f"*({closing})*" if closing else ""] if piece)


def _title(part: PartRecord) -> str:
    return f"{flat(part.name or part.title)}{' (hidden)' if part.hidden else ''}"


def _columns(found: SheetRange) -> str:
    """What the heading row above the range calls its columns."""
    named = ", ".join(f"{column_name(col)} {shorten(flat(title), _TITLE_CHARS)}" for col, title in found.columns)
    return f"*(Columns: {shorten(named, _COLUMNS_CHARS).replace('*', '')})*" if named else ""


def sheet_text(view: SheetView) -> str:
    """The range as tab-separated lines."""
    found = dense(view.found)
    lines = ["\t".join(" ".join(text.split()) for text in row).rstrip() for row in _named(found)]
    pieces = [
        view.origin.line(),
        left_out_line(found.left_out, found.uri, plain=True),
        escape_frame_lines("\n".join((_title(view.part), "", *lines))),
        blocks_text(found.others, view.embeds),
    ]
    return "\n\n".join(piece for piece in [*pieces, _continuation(view, found)] if piece)


def sheet_csv(found: SheetRange) -> str:
    """The range as CSV: what Excel shows, covered cells of merges empty. Nothing but data: programs read it."""
    return csv_text(matrix(dense(found)))


def sheet_json(view: SheetView) -> dict[str, object]:
    """The range as data: `rows` what is shown, `cells` raw value, formula and number format where they add to it."""
    found, part, origin = dense(view.found), view.part, view.origin
    area = found.area
    cells: list[dict[str, object]] = []
    for (row, col), cell in sorted(found.details.items()):
        record: dict[str, object] = {"cell": cell_name(row, col), "shown": found.rows.get(row, {}).get(col, "")}
        record |= {
            key: value
            for key, value in (
                ("value", cell.value), ("formula", cell.formula), ("format", cell.format), ("link", cell.link),
                ("state", cell.state),
            )
            if value not in (None, "")
        }  # fmt: skip
        cells.append(record)
    answer: dict[str, object] = {
        "source": origin.record(),
        "sheet": part.name or part.title,
        "hidden": part.hidden,
        "range": f"{cell_name(area.top, area.left)}:{cell_name(area.bottom, area.right)}" if found.rows else "",
        "sheet_rows": part.rows,
        "sheet_columns": part.cols,
        "first_row": area.top + 1,
        "columns": [column_name(col) for col in range(area.left, area.right + 1)] if found.rows else [],
        "rows": matrix(found),
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
            format_uri(block.embed[0], origin.doc, block.embed[1])
            for block in found.others
            if isinstance(block, Figure) and block.embed is not None and block.embed[0] in {"image", "chart", "media"}
        ],
        **left_out_record(found.left_out, found.uri),
    }
    if found.next_row(part) is not None:
        answer["next"] = onward_uri(found, part, origin.doc)
    return answer


def sheet_html(view: SheetView, *, sourced: bool = True) -> Markup:
    """The range as an HTML table with column letters and row numbers; with its source where it is to be `sourced`."""
    found = view.found
    columns = range(found.area.left, found.area.right + 1) if found.rows else range(0)
    lines = [element("tr", element("th"), *(element("th", column_name(col)) for col in columns))]
    for row in sorted(found.rows):
        cells = [element("th", str(row + 1))]
        cells += [element("td", found.rows[row].get(col, "") or found.merged.get((row, col), "")) for col in columns]
        lines.append(element("tr", *cells, class_="hidden" if row in found.hidden_rows else ""))
    closing = _continuation(view, found)
    others = blocks_html(found.others, view.origin.doc, view.embeds)
    body = [element("h1", _title(view.part)), element("table", join(*lines, between="\n")), others]
    if sourced and found.left_out.places:
        body.insert(0, element("p", left_out_line(found.left_out, found.uri, plain=True), class_="source"))
    if sourced:
        body.insert(0, element("p", view.origin.line(), class_="source"))
    if closing:
        body.append(element("p", closing))
    return join(*body, between="\n")


def _result_notices(found: SheetRange) -> list[str]:
    """A line for results that are not the file's own, and one for those that may be old."""
    states = Counter(cell.state for cell in found.details.values())
    notices: list[str] = []
    if count := states["recalculated"]:
        notices.append(f"*(Results of formulas that the file does not hold, calculated while it was read: {count:,}.)*")
    if count := states["unverified"]:
        notices.append(f"*(Stored results that may be old, and were not calculated anew: {count:,}.)*")
    return notices


def _continuation(view: SheetView, found: SheetRange) -> str:
    """ "" when nothing was cut of what is shown, `found`; else how to go on."""
    following = found.next_row(view.part)
    if following is None:
        return ""
    shown = f"Rows {found.area.top + 1}-{following} of {max(view.part.rows, following + 1):,} are shown."
    return f"{shown} Go on with {onward_uri(found, view.part, view.origin.doc)}"


def onward_uri(found: SheetRange, part: PartRecord, doc: str, suffix: str = "") -> str:
    """Where the rows behind those of the grid are read, "" when there are none."""
    first = found.next_row(part)
    if first is None:
        return ""
    step = max(first - found.area.top, 1)
    right = max(part.cols - 1, found.area.right, 0)
    if found.asked is not None:  # the columns that were asked for, in the next rows too
        right = min(right, found.asked.right)
    bottom = max(min(first + step, max(part.rows, first + 1)) - 1, first)
    area = f"{cell_name(first, found.area.left)}:{cell_name(bottom, right)}"
    query = {"range": area} | ({ASK: "1"} if found.hidden else {})
    return format_uri("sheet", doc, part.name or part.n, suffix=suffix, query=query)


def _named(found: SheetRange) -> list[list[str]]:
    """The matrix, with `[hidden]` before what stands in a row or column that the application hides."""
    named = matrix(found)
    top, left = found.area.top, found.area.left
    for row, texts in enumerate(named, top):
        if found.hidden_cols or row in found.hidden_rows:
            texts[:] = [
                f"[hidden] {text}" if text and (row in found.hidden_rows or col in found.hidden_cols) else text
                for col, text in enumerate(texts, left)
            ]
    return named


def _markdown_table(found: SheetRange, formulas: bool) -> str:
    columns = used_columns(found)
    letters = [column_name(col) + (" (hidden)" if col in found.hidden_cols else "") for col in columns]
    lines = [f"|  | {' | '.join(letters)} |", "|" + " --- |" * (len(columns) + 1)]
    special = {row for row, _ in found.details} | {row for row, _ in found.merged}
    for row, cells in sorted(found.rows.items()):
        if row in special:
            shown = [
                cell_markdown(cells[col], found.details.get((row, col)), formulas=formulas)
                if cells.get(col) or (row, col) in found.details
                else escape_cell(found.merged.get((row, col), ""))
                for col in columns
            ]
        else:
            shown = cells_markdown([cells.get(col, "") for col in columns])
        number = f"{row + 1} (hidden)" if row in found.hidden_rows else str(row + 1)
        lines.append(f"| {number} | {' | '.join(shown)} |")
    return "\n".join(lines)
