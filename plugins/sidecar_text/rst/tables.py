"""reStructuredText tables as they are drawn: grid tables with their spans, and simple tables with column rules."""

import heapq
import re
from bisect import bisect_left
from dataclasses import dataclass

from sidecar.api import Merge

_GRID_RULE = re.compile(r"\+(?:[-=]+\+)+$")
_BLANK = ("..", "\\")
"""How a simple table says that the first cell of a row is empty, and the row not more of the one above."""
_MAX_SIMPLE_COLUMNS = 256
"""Each short line below a rule is a row of as many cells."""
_SIMPLE_RULE = re.compile(rf"=+(?: +=+){{1,{_MAX_SIMPLE_COLUMNS - 1}}}$")


@dataclass(frozen=True)
class TextGrid:
    """Cell texts as written (inline markup still in it)."""

    rows: list[list[str]]
    header_rows: int
    merges: list[Merge]


def is_grid_rule(line: str) -> bool:
    """Whether a line is a border of a grid table."""
    return line.startswith("+") and _GRID_RULE.match(line.rstrip()) is not None


def is_simple_rule(line: str) -> bool:
    """Whether a line is a rule of a simple table with two columns or more."""
    return line.startswith("=") and _SIMPLE_RULE.match(line.rstrip()) is not None


def read_grid(lines: list[str]) -> TextGrid:
    """A grid table (docutils "grid tables"): cells are found by walking the borders from each top left corner."""
    width = max(map(len, lines))
    drawn = [line.ljust(width) for line in lines]
    height = len(drawn)
    boxes: list[tuple[int, int, int, int]] = []
    done: set[tuple[int, int]] = set()
    pending = [(0, 0)]
    while pending:
        top, left = heapq.heappop(pending)
        if (top, left) in done or top >= height - 1 or left >= width - 1 or drawn[top][left] != "+":
            continue
        done.add((top, left))
        box = _box(drawn, top, left, height, width)
        if box:
            bottom, right = box
            boxes.append((top, left, bottom, right))
            heapq.heappush(pending, (top, right))
            heapq.heappush(pending, (bottom, left))
    corners = sorted({box[0] for box in boxes})
    columns = sorted({box[1] for box in boxes})
    rows = [[""] * len(columns) for _ in corners]
    merges: list[Merge] = []
    for top, left, bottom, right in boxes:
        row, col = bisect_left(corners, top), bisect_left(columns, left)
        tall = bisect_left(corners, bottom) - row
        wide = bisect_left(columns, right) - col
        rows[row][col] = "\n".join(drawn[at][left + 1 : right].strip() for at in range(top + 1, bottom)).strip()
        if tall > 1 or wide > 1:
            merges.append(Merge(row, col, tall, wide))
    head = next((at for at, line in enumerate(drawn) if at and line.startswith("+=")), 0)
    return TextGrid(rows, bisect_left(corners, head), merges)


def _box(drawn: list[str], top: int, left: int, height: int, width: int) -> tuple[int, int] | None:
    """The bottom right corner of the cell whose top left corner is given (docutils `scan_cell`)."""
    for right in range(left + 1, width):
        edge = drawn[top][right]
        if edge == "+":
            for bottom in range(top + 1, height):
                side = drawn[bottom][right]
                if side == "+" and drawn[bottom][left] == "+" and set(drawn[bottom][left:right]) <= set("-=+"):
                    return bottom, right
                if side not in "|+" or drawn[bottom][left] not in "|+":
                    break
        elif edge not in "-=":
            return None
    return None


def read_simple(lines: list[str]) -> TextGrid:
    """A simple table, from its first rule to its last: columns where the rule's runs stand."""
    starts = [run.start() for run in re.finditer(r"=+", lines[0])]
    rules = [at for at, line in enumerate(lines) if is_simple_rule(line) or (line and set(line.strip()) == {"="})]
    rows: list[list[str]] = []
    merges: list[Merge] = []
    head = last = 0
    for at, line in enumerate(lines[1:], 1):
        if at in rules:
            if len(rules) > 2 and at == rules[1]:
                head = len(rows)
            continue
        if line.strip() and set(line.strip()) <= set("- "):
            # A rule of dashes under a heading row says which columns its cells span.
            spans = [run.start() for run in re.finditer(r"-+", line)]
            for number, start in enumerate(spans):
                stop = spans[number + 1] if number + 1 < len(spans) else 10**9
                inside = [col for col, place in enumerate(starts) if start <= place < stop]
                if len(inside) > 1 and rows:
                    said = "\n".join(one[start:stop].strip() for one in lines[last:at])
                    rows[-1][inside[0] : inside[-1] + 1] = [said.strip(), *[""] * (len(inside) - 1)]
                    merges.append(Merge(len(rows) - 1, inside[0], 1, len(inside)))
            last = at + 1
            continue
        if not line.strip():
            continue
        ends = [*starts[1:], None]
        cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if rows and not cells[0] and len(rows) > head:
            rows[-1] = [f"{above}\n{below}".strip() for above, below in zip(rows[-1], cells, strict=True)]
        else:
            cells[0] = "" if cells[0] in _BLANK else cells[0]
            rows.append(cells)
            last = at
    return TextGrid(rows, head, merges)
