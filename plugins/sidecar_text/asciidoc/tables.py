"""Tables of AsciiDoc: cells behind bars with their spans, and delimited values."""

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final

from sidecar.api import AnyBlock, Merge
from sidecar.toolkit.markup.grid import table_windows
from sidecar_text.asciidoc.inline import Attributes, read_inline
from sidecar_text.cells import MAX_COLUMNS, SpannedCell, flowed, placed, span_of

_BAR: Final = re.compile(
    r"(?P<spec>(?<![^\s|])(?:(?P<wide>\d{1,4})?(?:\.(?P<tall>\d{1,4}))?(?P<what>[+*]))?"
    r"(?:[<^>]?(?:\.[<^>])?)[adehlmsv]?)?(?<!\\)\|"
)
_COLUMN: Final = re.compile(r"\s*(?:(\d{1,3})\*)?")
_MAX_REPEATED_CHARS: Final = 200_000
"""Of the cells of a table that are written once for several; those beyond stand once."""
_LINE_END: Final = re.compile(r"[ \t]*\n[ \t]*")


def read_table(mark: str, body: Sequence[str], given: str, caption: str, attributes: Attributes) -> list[AnyBlock]:
    """The table between two lines of that mark, with the attributes written before it."""
    named = _options(given)
    columns = _columns(named.get("cols", ""))
    lines = list(body)
    while lines and not lines[0].strip():
        lines.pop(0)
    form = {",": "csv", ":": "dsv"}.get(mark[0], named.get("format", "psv"))
    if form in ("csv", "tsv", "dsv"):
        part = named.get("separator") or {"csv": ",", "tsv": "\t", "dsv": ":"}[form]
        filled = [line for line in lines if line.strip()]
        rows = [[cell.strip() for cell in row] for row in csv.reader(filled, delimiter=part[:1])]
        merges: list[Merge] = []
    else:
        rows, merges = _barred(lines, mark[0] if mark[0] == "!" else named.get("separator", "|")[:1] or "|", columns)
    options = named.get("options", "")
    first_alone = len(lines) > 1 and not lines[1].strip() and bool(lines[0].strip())
    headed = "header" in options or "%header" in given or (first_alone and "noheader" not in given + options)
    shown = [[_LINE_END.sub("\n", read_inline(cell, attributes)[0]) for cell in row] for row in rows]
    if not shown:
        return []
    return [*table_windows(shown, header_rows=int(headed and len(shown) > 1), merges=merges, caption=caption)]


def _options(given: str) -> dict[str, str]:
    """The named attributes in brackets, values with or without quotes."""
    found = re.findall(r"([\w-]{1,40}+)=(?:\"([^\"]*+)\"|([^,\"]*+))", given)
    return {"options" if name == "opts" else name: quoted or plain.strip() for name, quoted, plain in found}


def _columns(spec: str) -> int:
    """How many columns `cols` tells of; 0 where it tells nothing."""
    count = 0
    for one in re.split(r"[,;]", spec) if spec.strip() else ():
        times = _COLUMN.match(one)
        count += int(times[1]) if times and times[1] else 1
    return min(count, MAX_COLUMNS)


def _barred(lines: Sequence[str], bar: str, columns: int) -> tuple[list[list[str]], list[Merge]]:
    """Rows of cells behind bars: of as many columns as are told, else as the first line has cells."""
    text = "\n".join(lines)
    if bar != "|":
        text = text.replace("|", "\\|").replace(bar, "|")
    bars = list(_BAR.finditer(text))
    if not bars:
        return [], []
    if not columns:
        end = text.find("\n", bars[0].end())
        columns = sum(_times(found) * _width(found) for found in bars if end < 0 or found.start() < end)
    columns = min(max(columns, 1), MAX_COLUMNS)
    rows, _ = flowed(_cells(text, bars), columns, cut=True)
    return placed(rows, columns) or ([], [])


def _cells(text: str, bars: Sequence[re.Match[str]]) -> Iterator[SpannedCell]:
    """The cells behind the bars, as often as they stand in the table."""
    room = _MAX_REPEATED_CHARS
    for found, end in zip(bars, [*(bar.start() for bar in bars[1:]), len(text)], strict=True):
        shown = text[found.end() : end].replace("\\|", "|").strip()
        times = min(_times(found), MAX_COLUMNS)
        room -= (times - 1) * len(shown)
        tall = found["tall"] if found["what"] == "+" else None
        yield from repeat(SpannedCell(shown, cols=max(_width(found), 1), rows=span_of(tall)), times if room >= 0 else 1)


def _times(found: re.Match[str]) -> int:
    return int(found["wide"] or 1) if found["what"] == "*" else 1


def _width(found: re.Match[str]) -> int:
    return int(found["wide"] or 1) if found["what"] == "+" else 1
