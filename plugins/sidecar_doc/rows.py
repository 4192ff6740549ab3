"""The rows of a Word file's tables ([MS-DOC] 2.6.3): the cells of a row by its end, and what its words stand on; the
colours and shadings that paragraphs and characters have alike."""

import struct
from dataclasses import dataclass

from sidecar.toolkit.ooxml.hidden_text import WHITE
from sidecar.toolkit.word.story import CellShape, Row
from sidecar_doc.formatting import Modifier

PALETTE = (
    -1, 0, 0x0000FF, 0x00FFFF, 0x00FF00, 0xFF00FF, 0xFF0000, 0xFFFF00, WHITE, 0x000080, 0x008080, 0x008000, 0x800080,
    0x800000, 0x808000, 0x808080, 0xC0C0C0,
)  # fmt: skip
"""Colours by their number ([MS-DOC] 2.9.119, Ico)."""
UNKNOWN_COLOUR = -1
"""A background that is no one colour or is not known, and the colour of words that goes by it."""
_ROW_CELLS, _ROW_HEAD, _ROW_MERGES = 0xD608, 0x3404, 0xD62B
_ROW_HEIGHT, _ROW_STYLE, _ROW_SHADES, _ROW_SHADES_80, _TABLE_SHADE = (
    0x9407, 0x563A, (0xD612, 0xD616, 0xD60C), 0xD609, 0xD660,
)  # fmt: skip
_SHADE_BYTES, _SHADES_EACH = 10, 22
"""Of a shading, and of them how many one modifier has."""
_CELL_BYTES = 20
_MERGED_LEFT, _MERGED_ABOVE, _STARTS_BELOW = 0x02, 0x20, 0x40
"""Flags of a cell ([MS-DOC] 2.9.316, TCGRF)."""
FLAT = -40
"""Twips from which lines and rows of an exact height show nothing."""
_HIGHLIGHT = 0x2A0C


@dataclass(frozen=True)
class RowLook:
    """Of a row: whether it has no height in which words could be seen, and what is behind its cells."""

    is_flat: bool = False
    backgrounds: tuple[int | None, ...] = ()
    """The colours by cell, None for none."""
    beyond: int | None = None
    """Of the cells that nothing is said of."""

    def background(self, cell: int) -> int | None:
        """The colour behind a cell, None for none, `UNKNOWN_COLOUR` where it is not known."""
        return self.backgrounds[cell] if cell < len(self.backgrounds) else self.beyond


def signed(value: int) -> int:
    """Two bytes as a number with a sign."""
    return value - 0x10000 if value >= 0x8000 else value


def rgb(written: bytes) -> int:
    """A COLORREF as 0xRRGGBB; what is left to the reader is not told."""
    red, green, blue, auto = written[:4].ljust(4, b"\xff")
    return UNKNOWN_COLOUR if auto else red << 16 | green << 8 | blue


def shading(kind: int, operand: bytes) -> int | None:
    """The colour of a shading ([MS-DOC] 2.9.247 SHD, 2.9.248 Shd80) or highlight; None where it is clear."""
    if len(operand) >= 10:
        pattern, fore, back = int.from_bytes(operand[8:10], "little"), rgb(operand[:4]), rgb(operand[4:8])
        if pattern == 0:
            return None if back == UNKNOWN_COLOUR else back
        return fore if pattern == 1 else UNKNOWN_COLOUR
    value = int.from_bytes(operand, "little")
    if kind == _HIGHLIGHT:
        return (PALETTE[value] if value < len(PALETTE) else UNKNOWN_COLOUR) if value else None
    back, pattern = value >> 5 & 31, value >> 10
    if pattern:
        return UNKNOWN_COLOUR
    return PALETTE[back] if 0 < back < len(PALETTE) else None


def row_of(own: list[Modifier]) -> Row:
    """A row's head from the properties of its end ([MS-DOC] 2.9.321, TDefTableOperand)."""
    row = Row()
    for kind, operand in own:
        if kind == _ROW_CELLS and operand:
            row.shapes = _cells(operand)
        elif kind == _ROW_HEAD:
            row.is_head = bool(operand[:1] != b"\0")
        elif kind == _ROW_MERGES and len(operand) == 2 and operand[0] < len(row.shapes):
            shape = row.shapes[operand[0]]
            row.shapes[operand[0]] = shape._replace(joins_above=operand[1] == 1)
    return row


def look_of(own: list[Modifier]) -> RowLook:
    """What is behind a row's cells ([MS-DOC] 2.6.3), as far as it is told without the style of its table."""
    by_kind = {modifier.kind: modifier for modifier in own}
    height = by_kind.get(_ROW_HEIGHT)
    whole = by_kind.get(_TABLE_SHADE)
    beyond = shading(_TABLE_SHADE, whole.operand) if whole is not None else None
    backgrounds: list[int | None] = []
    for number, kind in enumerate(_ROW_SHADES):
        if kind in by_kind:
            operand = by_kind[kind].operand
            backgrounds += [beyond] * (number * _SHADES_EACH - len(backgrounds))
            backgrounds += [
                shading(kind, operand[at : at + _SHADE_BYTES]) for at in range(0, len(operand), _SHADE_BYTES)
            ]
    if not backgrounds and _ROW_SHADES_80 in by_kind:
        operand = by_kind[_ROW_SHADES_80].operand
        backgrounds = [shading(_ROW_SHADES_80, operand[at : at + 2]) for at in range(0, len(operand), 2)]
    if _ROW_STYLE in by_kind and not backgrounds and whole is None:
        beyond = UNKNOWN_COLOUR
    is_flat = height is not None and FLAT < signed(height.value) < 0
    return RowLook(is_flat, tuple(backgrounds), beyond)


def _cells(operand: bytes) -> list[CellShape]:
    count = operand[0]
    try:
        edges = struct.unpack_from(f"<{count + 1}h", operand, 1)
    except struct.error:
        return []
    start = 1 + 2 * (count + 1)
    shapes: list[CellShape] = []
    for number in range(count):
        at = start + _CELL_BYTES * number
        flags = int.from_bytes(operand[at : at + 2], "little")
        joins_left = bool(flags & _MERGED_LEFT) and number > 0
        joins_above = bool(flags & _MERGED_ABOVE) and not flags & _STARTS_BELOW
        shapes.append(CellShape(edges[number + 1], joins_left, joins_above))
    return shapes
