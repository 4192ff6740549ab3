"""Tables of MediaWiki, Textile and Typst: their rows, spans, heads and captions. What stands around cells as code
(colours, strokes, widths) is none of the text; a table that had to be calculated first is left as it is written."""

import html
import re
from collections.abc import Callable, Sequence
from typing import Final

from sidecar.api import AnyBlock, Paragraph
from sidecar.toolkit.markup.grid import table_windows
from sidecar_text.cells import CellRows, SpannedCell, placed, span_of
from sidecar_text.light.typst_tables import read_typst


class LightTables:
    """The tables of one text in the language, asked for line by line. `shown` gives the text of a cell without the
    marks of its letters and links."""

    def __init__(self, language: str, shown: Callable[[str], str]) -> None:
        self._read = {"mediawiki": _wiki, "textile": _textile, "typst": read_typst}[language]
        self._shown = shown
        self._none_before = 0
        """The line up to which no table begins: looking again at what was none would take the square of the time."""

    def at(self, lines: Sequence[str], at: int) -> tuple[list[AnyBlock], int] | None:
        """The table that begins in that line, and the line behind it; None where none does."""
        found = self._read(lines, at) if at >= self._none_before else None
        if found is None:
            return None
        read, end = found
        blocks = self._blocks(read) if read is not None else []
        if not blocks:
            self._none_before = end
        return (blocks, end) if blocks else None

    def _blocks(self, read: CellRows) -> list[AnyBlock]:
        found = placed(read.rows)
        if found is None or not any(map(any, found[0])):
            return []
        shown = [[self._shown(text) for text in row] for row in found[0]]
        heads = 0
        while heads < len(read.rows) and read.rows[heads] and all(cell.head for cell in read.rows[heads]):
            heads += 1
        below = read.rows[heads:]
        sided = bool(below) and all(row and row[0].head for row in below)
        tables = table_windows(
            shown, header_rows=heads if below else 0, header_cols=int(sided), merges=found[1],
            caption=self._shown(read.caption),
        )  # fmt: skip
        return [*tables, *([Paragraph(text=self._shown(read.after))] if read.after else [])]


# MediaWiki (Help:Tables)

_ATTRIBUTES: Final = re.compile(r"\s*(?:[\w:-]{1,40}\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'|]+)\s*)+")
_COLSPAN: Final = re.compile(r"\bcolspan\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
_ROWSPAN: Final = re.compile(r"\browspan\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?[A-Za-z]+)\b[^<>]*>")
_PARTING: Final = re.compile(r"\{\{|\[\[|\}\}|\]\]|\|\||!!")


def _wiki(lines: Sequence[str], at: int) -> tuple[CellRows | None, int] | None:
    if not lines[at].lstrip(" :").startswith("{|"):
        return None
    rows: list[list[SpannedCell]] = [[]]
    caption: list[str] = []
    beside: list[str] = []  # what is written in no cell
    cell: list[str] = []
    mark, depth = "", 1

    def end_cell() -> None:
        text = "\n".join(cell)
        cell.clear()
        if mark == "+":
            caption.append(_wiki_cell(text, head=False).text)
        elif mark:
            rows[-1].extend([_wiki_cell(one, head=mark == "!") for one in _parted(text, heads=mark == "!")])

    for number in range(at + 1, len(lines)):
        line = lines[number].strip()
        opens, closes = line.startswith("{|"), line.startswith("|}") and not line.startswith("|}}")
        depth += opens - closes
        if not depth:
            end_cell()
            beside.append(line[2:])
            return CellRows([row for row in rows if row], "\n".join(caption), _wiki_text("\n".join(beside))), number + 1
        if depth > 1 or closes:
            if not (opens or closes or line.startswith("|-")):
                cell.append(line.lstrip("|!+ ").replace("||", " ").replace("!!", " "))
        elif line.startswith("|-"):
            end_cell()
            mark = ""
            rows.append([])
        elif line.startswith(("|", "!")):
            end_cell()
            mark = "+" if line.startswith("|+") else line[0]
            cell.append(line[1 + (mark == "+") :])
        else:
            (cell if mark else beside).append(line)
    return None, len(lines)


def _parted(text: str, *, heads: bool) -> list[str]:
    """The cells of a line: parted by `||`, those of a head by `!!` as well, but not within links and templates."""
    cells: list[str] = []
    start = depth = 0
    for found in _PARTING.finditer(text):
        what = found[0]
        if what in ("{{", "[["):
            depth += 1
        elif what in ("}}", "]]"):
            depth = max(depth - 1, 0)
        elif not depth and (what == "||" or heads):
            cells.append(text[start : found.start()])
            start = found.end()
    return [*cells, text[start:]]


def _wiki_cell(text: str, *, head: bool) -> SpannedCell:
    """A cell, without the attributes that may stand before its text and a bar."""
    given = _ATTRIBUTES.match(text)
    attributes = ""
    if given is not None and text[given.end() : given.end() + 1] == "|":
        attributes, text = given[0], text[given.end() + 1 :]
    wide, tall = _COLSPAN.search(attributes), _ROWSPAN.search(attributes)
    return SpannedCell(_wiki_text(text), head, span_of(wide and wide[1]), span_of(tall and tall[1]))


def _wiki_text(text: str) -> str:
    text = _TAG.sub(lambda tag: "\n" if tag[1].lower() == "br" else "", text)
    return html.unescape("\n".join(filter(None, map(str.strip, text.split("\n")))))


# Textile (its reference, "Tables")

_STYLE: Final = r"\([^()\n]*\)|\{[^{}\n]*\}|\[[^\[\]\n]*\]|[<>=^~_-]"
_TABLE_LINE: Final = re.compile(rf"table(?:{_STYLE}|\d)*\.(?:[ \t]+\S.*)?$")
_ROW: Final = re.compile(rf"(?:(?:{_STYLE})+\.[ \t]+)?\|")
_MODIFIER: Final = re.compile(rf"(?:{_STYLE}|\\(?P<wide>\d{{1,4}})|/(?P<tall>\d{{1,4}}))+\.(?=[ \t]|$)")
_GROUP: Final = re.compile(rf"\|[\^~-](?:{_STYLE})*\.[ \t]*$")
_CAPTION: Final = re.compile(rf"\|=(?:{_STYLE})*\.[ \t]+(?=\S)")


def _textile(lines: Sequence[str], at: int) -> tuple[CellRows | None, int] | None:
    first = at + (_TABLE_LINE.match(lines[at]) is not None)
    if first >= len(lines) or not _ROW.match(lines[first]):
        return None
    end = first
    while end < len(lines) and lines[end].strip():
        end += 1
    rows: list[list[SpannedCell]] = []
    caption = ""
    going_on: list[str] = []  # the lines of a row whose last cell goes on
    for number in range(first, end):
        line = lines[number].rstrip()
        row = _ROW.match(line)
        if not going_on and (captioned := _CAPTION.match(line)):
            caption = line[captioned.end() :].removesuffix("|").rstrip()
            continue
        if not going_on and (_GROUP.match(line) or line.startswith("|:")):
            continue
        if not going_on and row is None:
            return None, end  # lines of prose between rows
        going_on.append(line[row.end() :] if row is not None and not going_on else line)
        if line.endswith("|") and (len(going_on) > 1 or going_on[0]):
            rows.append([_textile_cell(text) for text in "\n".join(going_on)[:-1].split("|")])
            going_on = []
    return (CellRows(rows, caption) if rows and not going_on else None), end


def _textile_cell(text: str) -> SpannedCell:
    given = _MODIFIER.match(text)
    if given is None:
        return SpannedCell(text.strip())
    return SpannedCell(text[given.end() :].strip(), "_" in given[0], span_of(given["wide"]), span_of(given["tall"]))
