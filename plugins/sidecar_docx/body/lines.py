"""Rows of a table whose cells hold a paragraph for each of several lines of numbers: a reader sees a row a line.

Not responsible for what the cells say: the rows are given as `w:tr` of their own."""

from copy import deepcopy
from typing import Final

from sidecar.toolkit.tables.cells import typed_text
from sidecar.toolkit.xml import XmlElement, child_of, etree
from sidecar_docx.qualified_names import TC, TCPR, TR, TRPR, P, T, W

_MIN_LINES: Final = 3
_MAX_LINE_CHARS: Final = 80
_MOST: Final = 0.6
"""The share of a cell's lines that are numbers, and of those beside a line of the first cell."""
_IN_TURN: Final = (f"{W}vMerge", f"{W}br")
"""Cells over several rows, and lines within a paragraph, after which those beside it stand elsewhere."""
_PLAIN: Final = frozenset((TRPR, TCPR, TC, P, f"{W}tblPrEx"))


def rows_of_lines(row: XmlElement) -> list[XmlElement]:
    """The row, or in its place one for each line: where two or more cells and the longest among them have as many
    paragraphs, most of a cell are numbers, and most of the numbers stand beside a paragraph of the first cell."""
    cells = [child for child in row if child.tag == TC]
    if len(cells) < 2 or len(cells[0]) <= _MIN_LINES or not all(child.tag in _PLAIN for child in row):
        return [row]
    lines = [[node for node in cell if node.tag == P] for cell in cells]
    texts = [["".join(t.text or "" for t in node.iter(T)).strip() for node in one] for one in lines]
    ends = [max((at for at, text in enumerate(one, 1) if text), default=0) for one in texts]
    height = max(ends)
    if (
        height < _MIN_LINES or ends.count(height) < 2
        or any(node.tag not in _PLAIN for cell in cells for node in cell)
        or any(len(text) > _MAX_LINE_CHARS for one in texts for text in one)
        or any(next(cell.iter(*_IN_TURN), None) is not None for cell in cells)
        or not any(_is_column(one, texts[0]) for one in texts[1:])
    ):  # fmt: skip
        return [row]
    return [_line(row, cells, [one[at] if at < len(one) else None for one in lines]) for at in range(height)]


def _is_column(texts: list[str], first: list[str]) -> bool:
    """Whether the lines of a cell are numbers that stand beside those of the row's first cell."""
    numbers = [at for at, text in enumerate(texts) if text and typed_text(text).kind in ("number", "date")]
    beside = sum(at < len(first) and bool(first[at]) for at in numbers)
    filled = sum(map(bool, texts))
    return len(numbers) >= max(_MIN_LINES, _MOST * filled) and beside >= _MOST * len(numbers)


def _line(row: XmlElement, cells: list[XmlElement], paragraphs: list[XmlElement | None]) -> XmlElement:
    """A row of one paragraph of each cell, which are taken out of the table."""
    made = etree.Element(TR)
    properties = child_of(row, TRPR)
    if properties is not None:
        made.append(deepcopy(properties))
    for cell, paragraph in zip(cells, paragraphs, strict=True):
        held = etree.SubElement(made, TC)
        look = child_of(cell, TCPR)
        if look is not None:
            held.append(deepcopy(look))
        if paragraph is not None:
            held.append(paragraph)
    return made
