"""Tables that programs draw of characters, as database clients print what a query gives: in listings they are
preformatted text, and their rows can be asked all the same."""

import re
from itertools import takewhile

from sidecar.api.model import AnyBlock, Code, Table

_DASHED, _DOUBLED = frozenset("|+:=- "), frozenset("|+= ")
"""Signs of a line between the names of columns and the rows, or around a table, of dashes or of double ones."""
_JOINT = re.compile("[|+]")
_MAX_CHARS = 200_000


def asked_table(block: AnyBlock) -> Table | None:
    """The table that a block is: one with rows, or the only one that a listing shows."""
    if isinstance(block, Table):
        return block if block.rows else None
    if not isinstance(block, Code) or "|" not in block.text or len(block.text) > _MAX_CHARS:
        return None
    rows = _read_table(block.text)
    return Table(rows=tuple(map(tuple, rows)), header_rows=1) if rows else None


def _read_table(text: str) -> list[list[str]]:
    """The cells of the one table in a text, its header first; [] where there is none, or several, or where its lines
    have not as many cells as its header.

    >>> _read_table(" name | qty\\n------+-----\\n pear |  20\\n(1 row)")
    [['name', 'qty'], ['pear', '20']]
    """
    lines = text.splitlines()
    near = zip(lines, lines[1:], lines[2:], strict=False)
    heads = [at for at, (head, rule, row) in enumerate(near) if _is_row(head) and _is_rule(rule) and _is_row(row)]
    if len(heads) != 1:
        return []
    drawn = _JOINT.split(lines[heads[0] + 1].strip().strip("|+"))
    rows = [_cells(line) for line in takewhile(_is_row, [lines[heads[0]], *lines[heads[0] + 2 :]])]
    width = len(rows[0])
    whole = len(drawn) == width > 1 and all(map(str.strip, drawn)) and all(len(row) == width for row in rows)
    gone_on = any(cell.endswith("+") for row in rows for cell in row)  # psql's mark of a line break in a cell
    return rows if whole and any(rows[0]) and not gone_on else []


def _is_rule(line: str) -> bool:
    signs = frozenset(line.strip())
    drawn = ("--" in line and signs <= _DASHED) or ("==" in line and signs <= _DOUBLED)
    return drawn and ("|" in line or "+" in line)


def _is_row(line: str) -> bool:
    return "|" in line and not _is_rule(line)


def _cells(line: str) -> list[str]:
    shown = line.strip()
    if shown[:1] == "|" and shown[-1:] == "|":
        shown = shown[1:-1]
    return [cell.strip() for cell in shown.split("|")]
