"""Tables of LaTeX files: `tabular`, `longtable` and their kin as rows of cells.

What only a run of TeX could tell (tables in tables, lists in cells, macros that make rows) is left to be shown as
source."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sidecar.api import Merge, Table

KINDS = r"(?:tabular[xy]?|longtable|xltabular|supertabular)\*?"
"""Names of the environments, as a pattern."""
_WIDTHS = ("tabular*", "tabularx", "tabulary", "xltabular")
"""Their first argument is a width."""
_COMMENT = re.compile(r"(?<!\\)%[^\n]*(?:\n[ \t]*|\Z)")
_TOKEN = re.compile(r"\\\\\*?(?:[ \t]*\[[^\[\]\n]{0,20}\])?|\\tabularnewline\b|\\.|[{}&]", re.DOTALL)
_RULE = re.compile(
    r"\\(?:h?hline\b(?:\{[^{}]*\})?|(?:top|mid|bottom)rule\b(?:\[[^\]]*\])?"
    r"|hdashline\b(?:\[[^\]]*\])?|(?:cline|cmidrule|cdashline)(?:\[[^\[\]]*\])?(?:\([^()]*\))?\{[^{}]*\}(?:\[[^\]]*\])?|specialrule(?:\{[^{}]*\}){3})\s*"
)
_NO_TEXT = re.compile(
    r"\\(?:caption\*?(?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}|label\{[^{}]*\}|addlinespace\b(?:\[[^\]]*\])?"
    r"|(?:row|cell|column)color(?:\[[^\]]*\])?\{[^{}]*\}|noalign\{(?:[^{}]|\{[^{}]*\})*\}|[hv]space\*?\{[^{}]*\}"
    r"|(?:centering|raggedright|raggedleft|bfseries|itshape|ttfamily|sffamily|scshape|bf|it|tt|sf|rm|em|tiny|small"
    r"|scriptsize|footnotesize|normalsize|large|Large|hfill|hfil|strut|noindent|newline|par|relax|quad|qquad)\b)\s*"
)
_REPEATED = re.compile(r"\\end(firsthead|head|foot|lastfoot)\b")
_SPAN = re.compile(r"\s*\\multi(column|row)\s*(?:\[[^\]]*\])?\{\s*(\d{1,3})\s*\}\s*\*?")
_CAPTION = re.compile(r"\\caption\*?(?:\[[^\]]*\])?\s*(?=\{)")
_FLOAT = re.compile(r"\\(begin|end)\{(?:table|sidewaystable|wraptable)\*?\}")
_FORMULA_OR_BRACE = re.compile(r"(\$[^$]*\$)|[{}]|\\[A-Za-z]")
_FOR_TEX = re.compile(r"\\begin\{|\\[egx]?def\b|\\newcommand\b|#\d")
"""Within an environment: others in it, and macros, whose arguments are not cells yet."""
_MAX_HEADS = 3
"""Rows above the first rule that are headings: below more of them a rule parts what is alike."""
_FLOAT_REACH = 2_000
"""Characters around a table in which the caption of what floats with it is looked for."""


@dataclass
class _Rows:
    rows: list[list[str]] = field(default_factory=list[list[str]])
    merges: list[Merge] = field(default_factory=list[Merge])
    heads: int = 0


def caption(text: str, start: int, end: int, body: str) -> str:
    """The source of the caption of a table at that place: its own, or that of the float around it."""
    before, after = text[max(start - _FLOAT_REACH, 0) : start], text[end : end + _FLOAT_REACH]
    opened, closed = list(_FLOAT.finditer(before)), _FLOAT.search(after)
    around: list[str] = []
    if opened and opened[-1][1] == "begin" and closed and closed[1] == "end":
        around = [before[opened[-1].end() :], after[: closed.start()]]
    for piece in (body, *around):
        if found := _CAPTION.search(piece):
            return piece[found.end() + 1 : _argument(piece, found.end(), "{}") - 1]
    return ""


def table(kind: str, body: str, shown: Callable[[str], str]) -> Table | None:
    """The rows of what stands in an environment; None for a single row or column, and for what TeX alone knows."""
    body = _COMMENT.sub("", body)
    at = _argument(body, 0, "[]")
    for _ in range(2 if kind in _WIDTHS else 1):
        at = _argument(body, at, "{}")
    body = _once(body[at:])
    if _FOR_TEX.search(body):
        return None
    found = _split(body, shown)
    width = max((len(row) for row in found.rows), default=0)
    if width < 2 or len(found.rows) < 2:
        return None
    rows = tuple(tuple(row) + ("",) * (width - len(row)) for row in found.rows)
    heads = found.heads if found.heads < len(rows) else 0
    return Table(rows=rows, header_rows=heads, merges=tuple(_within(rows, found.merges)))


def _within(rows: Sequence[Sequence[str]], merges: Iterable[Merge]) -> Iterator[Merge]:
    """Those that lie in the table and over nothing but empty cells."""
    for one in merges:
        down, across = min(one.rows, len(rows) - one.row), min(one.cols, len(rows[0]) - one.col)
        covered = "".join("".join(row[one.col : one.col + across]) for row in rows[one.row : one.row + down])
        if down * across > 1 and covered == rows[one.row][one.col]:
            yield Merge(one.row, one.col, down, across)


def _unbraced(text: str) -> str:
    """Without the braces outside of formulas, which only hold letters together, unless commands are left there."""
    found = [one[0] for one in _FORMULA_OR_BRACE.finditer(text)]
    if any(mark[0] == "\\" for mark in found):
        return text
    return _FORMULA_OR_BRACE.sub(lambda one: one[1] or "", text).strip()


def _argument(text: str, at: int, marks: str) -> int:
    """The end of what stands in such marks behind blanks; the same place where nothing does."""
    first = at
    while first < len(text) and text[first].isspace():
        first += 1
    if text[first : first + 1] != marks[0]:
        return at
    depth = 0
    for place in range(first, len(text)):
        if text[place] in marks and text[place - 1 : place] != "\\":
            depth += 1 if text[place] == marks[0] else -1
            if not depth:
                return place + 1
    return at


def _once(body: str) -> str:
    """A long table with its heads and feet once, as it stands on one endless page."""
    parts = _REPEATED.split(body)
    named = dict(zip(parts[1::2], parts[::2], strict=False))
    head = named.get("firsthead") or named.get("head", "")
    return f"{head}{parts[-1]}{named.get('lastfoot', '')}"


def _split(body: str, shown: Callable[[str], str]) -> _Rows:
    """The cells between `&`, the rows between `\\\\`; what stands in braces is not a mark of either."""
    found = _Rows()
    row: list[str] = []
    depth = start = 0
    for token in _TOKEN.finditer(body):
        if token[0] in "{}":
            depth += 1 if token[0] == "{" else -1
        elif depth <= 0 and (token[0] == "&" or token[0].startswith(("\\\\", "\\tabularnewline"))):
            row.append(body[start : token.start()])
            start = token.end()
            if token[0] != "&":
                _add(found, row, shown)
                row = []
    _add(found, [*row, body[start:]], shown)
    return found


def _add(found: _Rows, cells: list[str], shown: Callable[[str], str]) -> None:
    """A row with the rules above it; nothing where all its cells are empty."""
    if _RULE.search(cells[0]) and not found.heads and 0 < len(found.rows) <= _MAX_HEADS:
        found.heads = len(found.rows)
    row: list[str] = []
    merges: list[Merge] = []
    for cell in cells:
        text, across, down = _NO_TEXT.sub("", _RULE.sub("", cell)), 1, 1
        while span := _SPAN.match(text):
            if span[1] == "column":
                across = int(span[2])
            else:
                down = int(span[2])
            first = _argument(text, span.end(), "{}") if text[span.end() - 1] != "*" else span.end()
            first = _argument(text, first, "[]")
            text = text[first : _argument(text, first, "{}")].strip()[1:-1]
        if across > 1 or down > 1:
            merges.append(Merge(len(found.rows), len(row), down, across))
        row += [_unbraced(shown(_NO_TEXT.sub("", text))), *[""] * (across - 1)]
    if any(row):
        found.rows.append(row)
        found.merges += merges
