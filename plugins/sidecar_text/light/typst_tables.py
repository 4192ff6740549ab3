"""Tables of Typst (Reference, "table", "figure"): those whose cells are all written out. One with a loop, a variable
or a file in it is none, since what it holds would have to be calculated."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sidecar_text.cells import MAX_COLUMNS, CellRows, SpannedCell, flowed, span_of

_MAX_DEPTH: Final = 100
"""Brackets within brackets."""
_CALL: Final = re.compile(r"[ \t]*#(?P<what>figure|table)\(")
_SHOWN: Final = re.compile(r"(?P<content>\[\s*#)?table\(")
"""How the table of a figure begins: in code, or in content, whose bracket ends the argument."""
_LABEL: Final = re.compile(r"[ \t]*(?:<[\w:.-]+>)?[ \t]*$")
_CODE: Final = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|//[^\n]*|[\[\](){}$`,]")
_SIGNS: Final = {"[": re.compile(r"\\.|[\[\]$`]"), "$": re.compile(r"\\.|\$"), "`": re.compile("`")}
"""What ends or nests in content, a formula and raw text; in all other brackets the signs of code do."""
_ENDS: Final = {"[": "]", "(": ")", "{": "}", "$": "$", "`": "`"}
_NAMED: Final = re.compile(r"([a-z][\w-]*)\s*:(?!:)\s*")
_PIECE: Final = re.compile(r"(?:table\.)?([a-z]+)\(")
_TIMES: Final = re.compile(r"\)\s*\*\s*(\d{1,3})$")
_BREAK: Final = re.compile(r" ?\\(?: |$)")
_LINES: Final = ("hline", "vline")


class _NoTableError(ValueError):
    """It is not written out, or its brackets do not fit."""


def read_typst(lines: Sequence[str], at: int) -> tuple[CellRows | None, int] | None:
    """The table that begins in that line, None where none can be read, and the line behind; None where none begins."""
    call = _CALL.match(lines[at])
    if call is None:
        return None
    end = at
    try:
        line, column = _end_of_call(lines, at, call.end() - 1)
        end = line + 1
        if not _LABEL.match(lines[line], column):
            return None, end
        body = "\n".join([*lines[at:line], lines[line][:column]])[call.end() :]
        return (_table(body) if call["what"] == "table" else _figure(body)), end
    except _NoTableError:
        return None, end if end > at else len(lines)


def _end_of_call(lines: Sequence[str], at: int, column: int) -> tuple[int, int]:
    """The line and column behind the bracket that closes the one there, and content that follows it in brackets."""
    stack: list[str] = []
    for number in range(at, len(lines)):
        line = lines[number]
        for place, sign in _walk(line, stack, column if number == at else 0):
            end = place + len(sign)
            if not stack and not line.startswith("[", end):
                return number, end
    raise _NoTableError


def _walk(text: str, stack: list[str], at: int = 0) -> Iterator[tuple[int, str]]:
    """Every sign with its place; `stack` holds the brackets that are open behind it."""
    while (found := _SIGNS.get(stack[-1] if stack else "", _CODE).search(text, at)) is not None:
        sign, at = found[0], found.end()
        if stack and sign == _ENDS[stack[-1]]:
            stack.pop()
        elif sign in _ENDS:
            stack.append(sign)
        elif sign in ("]", ")", "}"):
            raise _NoTableError
        if len(stack) > _MAX_DEPTH:
            raise _NoTableError
        yield found.start(), sign


def _arguments(text: str) -> list[str]:
    """The arguments of a call, whose closing bracket, and content behind it, end the text."""
    found = [""]
    stack = ["("]
    start = 0
    for at, sign in _walk(text, stack):
        if sign.startswith("//"):  # a comment
            found[-1] += text[start:at]
            start = at + len(sign)
        elif len(stack) <= 1 and (sign == "," or not stack):
            found[-1] += text[start:at]
            found.append("")
            start = at + 1
        if not stack:
            behind = [*_contents(text[start:])]
            if "".join(behind).strip() != text[start:].strip():  # a method, another array: to be calculated
                raise _NoTableError
            return [one for text_ in (*found, *behind) if (one := text_.strip())]
    raise _NoTableError


def _contents(text: str) -> Iterator[str]:
    """Pieces of content that stand one behind another, each in brackets of its own."""
    stack: list[str] = []
    start = 0
    for at, sign in _walk(text, stack):
        if not stack and sign == "]":
            yield text[start : at + 1]
            start = at + 1


def _figure(body: str) -> CellRows:
    """The table of a figure, where that is all it shows."""
    table: CellRows | None = None
    caption = ""
    for argument in _arguments(body):
        named = _NAMED.match(argument)
        if named is not None:
            caption = _text(argument[named.end() :]) if named[1] == "caption" else caption
        elif table is None and (call := _SHOWN.match(argument)) is not None:
            table = _table(argument[call.end() : len(argument) - bool(call["content"])])
        else:
            raise _NoTableError
    if table is None:
        raise _NoTableError
    return table._replace(caption=caption)


def _table(body: str) -> CellRows:
    columns = 1
    cells: list[SpannedCell] = []
    for argument in _arguments(body):
        named = _NAMED.match(argument)
        if named is None:
            cells += _cells(argument)
        elif named[1] == "columns":
            columns = _columns(argument[named.end() :])
    if not 1 <= columns <= MAX_COLUMNS:
        raise _NoTableError
    rows, whole = flowed(cells, columns, cut=False)
    if not whole:
        raise _NoTableError
    return CellRows(rows)


def _columns(text: str) -> int:
    """How many columns are told: by a number, an array of widths, one that is repeated; 0 where by something else."""
    if text.isdecimal():
        return int(text[:4])
    if not text.startswith("("):
        return int(text == "auto" or text[:1].isdecimal())
    times = _TIMES.search(text)
    return len(_arguments(text[1 : times.start() + 1 if times else None])) * int(times[1] if times else 1)


def _cells(argument: str) -> list[SpannedCell]:
    """The cells of an argument that has no name: one, those of a head or foot, none of a rule."""
    piece = _PIECE.match(argument)
    if piece is None or piece[1] not in ("header", "footer"):
        return _cell(argument, piece)
    inner = [one for one in _arguments(argument[piece.end() :]) if not _NAMED.match(one)]
    return [cell._replace(head=piece[1] == "header") for one in inner for cell in _cell(one, _PIECE.match(one))]


def _cell(argument: str, piece: re.Match[str] | None) -> list[SpannedCell]:
    if piece is None:
        return [SpannedCell(_text(argument))]
    if piece[1] in _LINES:
        return []
    inner = _arguments(argument[piece.end() :])
    texts = [one for one in inner if not _NAMED.match(one)]
    given = {named[1]: one[named.end() :] for one in inner if (named := _NAMED.match(one))}
    if piece[1] != "cell" or len(texts) != 1 or not {"x", "y"}.isdisjoint(given):
        raise _NoTableError
    wide, tall = (digits[:4] if (digits := given.get(name, "")).isdecimal() else "" for name in ("colspan", "rowspan"))
    return [SpannedCell(_text(texts[0]), cols=span_of(wide), rows=span_of(tall))]


def _text(text: str) -> str:
    """What is written in brackets or between quotes, a formula or a number. Raises _NoTableError for anything else."""
    if text.startswith("[") and next(_contents(text), "") == text:
        return _BREAK.sub("\n", " ".join(text[1:-1].split()))
    if text.startswith('"') and text.find('"', 1) == len(text) - 1 > 0:
        return text[1:-1]
    if (text.startswith("$") and text.find("$", 1) == len(text) - 1 > 0) or text.replace(".", "", 1).isdecimal():
        return text
    raise _NoTableError
