"""Tables of text documents as GFM pipe tables and CSV; the grid both work on. Sheets have their own view (`sheets`).

A covered cell of a merged region repeats its text behind an arrow, `← text` or `↑ text`, when the text is short, and
shows the arrow alone when it is long or stands alone in its row (a title across the table): every row can be read on
its own, and a merge still differs from equal values. Across a row below the headings the arrow is enough; a region
without words shows nothing."""

import csv
import io
import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from sidecar.api import UNCERTAIN_TABLE, Cell, Merge, Table
from sidecar.toolkit.provenance import escape_script_links
from sidecar.views.inline import marked, target, unlinked

_NOT_COMPUTED = "formula, not computed"
_REPEAT_CHARS = 32
"""Merged text up to this long is repeated in the cells it covers."""
_MERGED_COLUMNS = 1000
"""A merged region is shown no wider."""

_MAX_FLAWS = 3  # of an uncertain table

MERGE_LEGEND = "*(← and ↑ mark cells merged with the one to the left or above.)*"


_ESCAPED = re.compile("[|\\\\\n\r\v\f\u2028\x85\\]<]")
"""What has one of these in it may need to be escaped in a cell, or hold a link that runs something."""


def cells_markdown(texts: Sequence[str]) -> Sequence[str]:
    """The cells of a row that hold nothing beyond their texts."""
    return [cell_markdown(text, None) for text in texts] if _ESCAPED.search("".join(texts)) else texts


def escape_cell(text: str) -> str:
    """Text that stays inside its cell: line breaks as `<br>`, pipes escaped (also behind a backslash)."""
    if "|" in text:
        text = text.replace("\\|", "\\&#124;").replace("|", "\\|")
    if text.endswith("\\"):
        text += " "
    if "\n" in text or "\r" in text or "\v" in text or "\f" in text or "\u2028" in text or "\x85" in text:
        text = "<br>".join(text.splitlines())
    return text


def cell_text(text: str, cell: Cell | None) -> str:
    """What a cell shows: an empty one is not to be taken for one whose formula nobody has calculated."""
    return text or (_NOT_COMPUTED if cell is not None and cell.state == "not_computed" else "")


def cell_markdown(text: str, cell: Cell | None, *, formulas: bool = False) -> str:
    """One cell: its text with emphasis and link, a nested table in brackets, and in parentheses, where asked
    (`formulas`), what the formula bar shows: its formula, else its raw value when that differs from its text. A formula
    that nobody has calculated is told in any case; one whose result is an empty text shows nothing, as in a program."""
    if cell is None:
        return escape_cell(escape_script_links(text))
    shown = marked(text, cell.spans) if text else cell_text(text, cell)
    if cell.link and shown and not any(span.kind == "link" for span in cell.spans):
        link = target(cell.link)
        shown = f"[{shown}]({link})" if link else shown + unlinked(cell.link)
    if cell.formula and (formulas or cell.state == "not_computed"):
        formula = cell.formula if cell.formula.startswith(("=", "{")) else f"={cell.formula}"
        shown = f"{shown} ({formula})".lstrip()
    elif formulas and cell.value is not None and not isinstance(cell.value, bool) and str(cell.value) != text:
        shown = f"{shown} ({cell.value})".lstrip()
    if cell.table is not None:
        shown = f"{shown} [table: {nested_text(cell.table)}]".lstrip()
    return escape_cell(shown)


def nested_text(table: Table) -> str:
    """The filled cells of a table that stands in a cell, in one line, tables in them in brackets."""
    inner = {(cell.row, cell.col): cell.table for cell in table.cells if cell.table is not None}
    rows = list(table.rows)
    for (row, col), below in inner.items():
        if row < len(rows) and col < len(rows[row]):
            shown = f"{rows[row][col]} [table: {nested_text(below)}]".lstrip()
            rows[row] = (*rows[row][:col], shown, *rows[row][col + 1 :])
    return "; ".join(filter(None, (" / ".join(filter(None, row)) for row in rows)))


def covered(table: Table, columns: Sequence[int]) -> Iterator[tuple[Merge, int, int]]:
    """The cells among the `columns` (ascending) that merged regions cover, by row and column, each with its region.

    Regions of a sound file lie beside one another; of one whose regions lie over one another no more is given than the
    table has cells."""
    room = len(table.rows) * len(columns)
    for merge in table.merges:
        rows = range(merge.row, min(merge.row + merge.rows, len(table.rows)))
        inside = columns[bisect_left(columns, merge.col) : bisect_left(columns, merge.col + merge.cols)]
        room -= len(rows) * len(inside)
        if room < 0:
            return
        yield from ((merge, row, col) for row in rows for col in inside if (row, col) != (merge.row, merge.col))


def _covered(table: Table, columns: Sequence[int]) -> dict[tuple[int, int], str]:
    """(row, col) → what a cell covered by a merge shows."""
    shown: dict[tuple[int, int], str] = {}
    of, repeated, blank = None, "", True
    for merge, row, col in covered(table, columns):
        if merge is not of:
            of, repeated, blank = merge, escape_cell(merge_repeat(table, merge)), is_blank(table, merge)
        same_row = row == merge.row
        text = repeated if not same_row or row < max(table.header_rows, 1) else ""
        shown[row, col] = "" if blank else covered_text(same_row, text)
    return shown


def is_blank(table: Table, merge: Merge) -> bool:
    """Whether a merged region has no words."""
    row = table.rows[merge.row] if merge.row < len(table.rows) else ()
    return merge.col >= len(row) or not row[merge.col]


def _columns(table: Table, width: int) -> Sequence[int]:
    """The columns in which some cell begins: a file may count more, that lie within merged cells in every row."""
    steps = [0] * (width + 1)
    """By how many rows more each column lies within merged cells than the one before it."""
    for merge in table.merges:
        if merge.row < len(table.rows) and merge.col + 1 < width:
            rows = min(merge.rows, len(table.rows) - merge.row)
            steps[merge.col + 1] += rows
            steps[min(merge.col + merge.cols, width)] -= rows
    return [col for col, inside in enumerate(accumulate(steps[:width])) if inside < len(table.rows)]


def merge_repeat(table: Table, merge: Merge) -> str:
    """The text the cells of a merged region repeat; "" where it is long or stands alone in its row."""
    row = table.rows[merge.row] if merge.row < len(table.rows) else ()
    text = row[merge.col] if merge.col < len(row) else ""
    alone = merge.rows == 1 and sum(1 for cell in row if cell) <= 1
    return text if len(text) <= _REPEAT_CHARS and not alone else ""


def covered_text(same_row: bool, repeated: str) -> str:
    """What a covered cell shows, in the row of the region's first cell or below it."""
    arrow = "←" if same_row else "↑"
    return f"{arrow} {repeated}" if repeated else arrow


def table_markdown(table: Table, *, formulas: bool = False) -> str:
    """The table as GFM. Several heading rows: the first is the heading, the others follow in bold.

    A table without heading rows gets an empty heading, since GFM demands one."""
    width = max((len(row) for row in table.rows), default=0)
    for merge in table.merges:
        width = max(width, merge.col + min(merge.cols, _MERGED_COLUMNS))
    if not width:
        return ""
    columns = _columns(table, width)
    shown = _covered(table, columns)
    details = {(cell.row, cell.col): cell for cell in table.cells}
    special = {row for row, _ in details} | {row for row, _ in shown}
    hidden_rows, hidden_cols = set(table.hidden_rows), set(table.hidden_cols)
    lines: list[str] = []
    for r, row in enumerate(table.rows):
        if r in special or len(columns) < width:
            cells = [
                shown[r, c]
                if (r, c) in shown
                else cell_markdown(row[c] if c < len(row) else "", details.get((r, c)), formulas=formulas)
                for c in columns
            ]
        else:
            cells = [*cells_markdown(row), *[""] * (width - len(row))]
        if hidden_cols or r in hidden_rows:
            cells = [
                f"[hidden] {cell}" if cell and (r in hidden_rows or c in hidden_cols) else cell
                for c, cell in zip(columns, cells, strict=True)
            ]
        if 1 <= r < table.header_rows:
            cells = [f"**{cell}**" if cell and not cell.startswith("**") else cell for cell in cells]
        lines.append(f"| {' | '.join(cells)} |")
    rule = "|" + " --- |" * len(columns)
    if table.header_rows:
        lines.insert(1, rule)
    else:
        lines[:0] = ["|" + "  |" * len(columns), rule]
    if any(shown.values()):
        lines += ["", MERGE_LEGEND]
    return "\n".join(lines)


def uncertainty(confidence: float, flaws: Sequence[str] = ()) -> str:
    """What is said of a table whose rows and columns may be wrong, with the weightiest `flaws`; "" of any other."""
    if confidence >= UNCERTAIN_TABLE:
        return ""
    why = f": {'; '.join(flaws[:_MAX_FLAWS])}" if flaws else ""
    uncertain = f"The rows and columns of this table are uncertain (confidence {confidence:.2f}{why})"
    return f"{uncertain}; its lines as they stand:"


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """RFC 4180 with `\\n` line ends. Text that a spreadsheet would run as a formula is kept as it is: a reader of CSV
    data wants the data, and the values come from a file the user already has."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def json_text(record: Mapping[str, object]) -> str:
    """The record as JSON without white space, every script as it is."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
