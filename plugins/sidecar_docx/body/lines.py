"""Rows of a table whose cells hold a paragraph, or a line of one, for each of several numbers: a reader sees a row a
line.

Not responsible for what the cells say: the rows are given as `w:tr` of their own."""

from copy import deepcopy
from typing import Final

from sidecar.toolkit.tables.cells import typed_text
from sidecar.toolkit.xml import XmlElement, child_of, etree
from sidecar_docx.qualified_names import PPR, RPR, TC, TCPR, TRPR, P, T, W

_MIN_LINES: Final = 3
_MAX_LINES: Final = 100
"""Of a row: each gets the looks of its cells."""
_MAX_LINE_CHARS: Final = 80
_MOST: Final = 0.6
"""The share of a cell's lines that are numbers, and of those beside a line of the first cell."""
_BR: Final = f"{W}br"
_PLAIN: Final = frozenset((TRPR, TCPR, TC, P, f"{W}tblPrEx"))


def rows_of_lines(row: XmlElement) -> list[XmlElement]:
    """The row, or in its place one for each line: where two or more cells and the longest among them have as many
    paragraphs, most of a cell are numbers, and most of the numbers stand beside a paragraph of the first cell."""
    cells = [child for child in row if child.tag == TC]
    if len(cells) < 2 or len(cells[0]) <= _MIN_LINES or not all(child.tag in _PLAIN for child in row):
        return [row]
    lines = [[node for node in cell if node.tag == P] for cell in cells]
    texts = [[text for node in one for text in _texts(node)] for one in lines]
    ends = [max((at for at, text in enumerate(one, 1) if text), default=0) for one in texts]
    height = max(ends)
    if (
        not _MIN_LINES <= height <= _MAX_LINES or ends.count(height) < 2
        or any(node.tag not in _PLAIN for cell in cells for node in cell)
        or any(len(text) > _MAX_LINE_CHARS for one in texts for text in one)
        or any(next(cell.iter(f"{W}vMerge"), None) is not None for cell in cells)
        or any(br.attrib or br.getparent().getparent().tag != P for cell in cells for br in cell.iter(_BR))
        or not any(_is_column(one, texts[0]) for one in texts[1:])
    ):  # fmt: skip
        return [row]
    parts = [[part for node in one for part in _parted(node)] for one in lines]
    return [_line(row, cells, [one[at] if at < len(one) else None for one in parts]) for at in range(height)]


def _texts(paragraph: XmlElement) -> list[str]:
    """The text of each line that a paragraph is broken into."""
    texts = [""]
    for node in paragraph.iter(T, _BR):
        if node.tag == _BR:
            texts.append("")
        else:
            texts[-1] += node.text or ""
    return [text.strip() for text in texts]


def _parted(paragraph: XmlElement) -> list[XmlElement]:
    """A paragraph for each line that one is broken into by its runs."""
    if next(paragraph.iter(_BR), None) is None:
        return [paragraph]
    parts = [_like(paragraph, PPR)]
    for child in list(paragraph):
        if child.tag == PPR:
            continue
        if next(child.iter(_BR), None) is None:
            parts[-1].append(child)
            continue
        run = _like(child, RPR)
        for node in list(child):
            if node.tag == _BR:
                parts[-1].append(run)
                parts.append(_like(paragraph, PPR))
                run = _like(child, RPR)
            elif node.tag != RPR:
                run.append(node)
        parts[-1].append(run)
    return parts


def _like(node: XmlElement, properties: str) -> XmlElement:
    """An element of the same look, empty."""
    made = etree.Element(node.tag)
    look = child_of(node, properties)
    if look is not None:
        made.append(deepcopy(look))
    return made


def _is_column(texts: list[str], first: list[str]) -> bool:
    """Whether the lines of a cell are numbers that stand beside those of the row's first cell."""
    numbers = [at for at, text in enumerate(texts) if text and typed_text(text).kind in ("number", "date")]
    beside = sum(at < len(first) and bool(first[at]) for at in numbers)
    filled = sum(map(bool, texts))
    return len(numbers) >= max(_MIN_LINES, _MOST * filled) and beside >= _MOST * len(numbers)


def _line(row: XmlElement, cells: list[XmlElement], paragraphs: list[XmlElement | None]) -> XmlElement:
    """A row of one paragraph of each cell, which are taken out of the table."""
    made = _like(row, TRPR)
    for cell, paragraph in zip(cells, paragraphs, strict=True):
        made.append(held := _like(cell, TCPR))
        if paragraph is not None:
            held.append(paragraph)
    return made
