"""A table of Markdown cells as nodes for the plate: alignment, header, a node for each group of columns that fits."""

from collections.abc import Callable
from dataclasses import dataclass

from sidecar_render.markdown.inlines import Node
from sidecar_render.markdown.table_layout import lay_out, lines_of, numeric, split_columns

_KEPT_LINES, _KEPT_ROW = 10, 12
"""Lines up to which a table, and a row, is not parted by a page's end."""


@dataclass(frozen=True)
class TableCells:
    """`rows` of Markdown, the first `head` of them headings; `align` is "l", "c", "r" or "" for each column."""

    rows: list[list[str]]
    head: int
    align: list[str]
    caption: str = ""


def table_nodes(
    cells: TableCells, room: float, inline: Callable[[str, int], list[Node]], plain: Callable[[str], str]
) -> list[Node]:
    """The nodes; `inline(cell, longest word)` reads a cell, `plain` gives its words, `room` is in points."""
    count = max(map(len, cells.rows), default=0)
    if not count or not any(any(row) for row in cells.rows):
        return []
    rows = [[*row, *[""] * (count - len(row))] for row in cells.rows]
    align = [*cells.align, *[""] * (count - len(cells.align))]
    texts = [[plain(cell) for cell in row] for row in rows]
    body = texts[cells.head :]
    for at in range(count):
        if not align[at] and len(body) > 1 and numeric([row[at] for row in body]):
            align[at] = "r"
    return [
        _grid(TableCells(rows, cells.head, align, cells.caption), texts, group, room, inline)
        for group in split_columns(texts, count, room)
    ]


def _grid(
    cells: TableCells, texts: list[list[str]], group: list[int], room: float, inline: Callable[[str, int], list[Node]]
) -> Node:
    picked = [[row[at] for at in group] for row in texts]
    layout = lay_out(picked, len(group), room)
    lines = lines_of(picked, layout)
    words = layout.words if layout else (8,) * len(group)
    drawn: list[list[dict[str, object]]] = [
        [{"c": inline(row[at], word)} for at, word in zip(group, words, strict=True)] for row in cells.rows
    ]
    return {
        "k": "table", "widths": layout.widths if layout else (1.0,) * len(group),
        "size": layout.size if layout else 7.0, "inset": layout.inset if layout else 3.0,
        "wide": layout.wide if layout else True, "align": [cells.align[at] for at in group],
        "head": [cell["c"] for cell in drawn[0]] if cells.head else [], "rows": drawn[1:] if cells.head else drawn,
        "caption": cells.caption, "keep": sum(lines) <= _KEPT_LINES,
        "long": [number for number, count in enumerate(lines[min(cells.head, 1) :]) if count > _KEPT_ROW],
    }  # fmt: skip
