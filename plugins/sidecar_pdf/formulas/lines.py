"""Lines of a formula: their type size and baseline, which items are of which, and what is a script within a script."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median, median_high

from sidecar.toolkit.ooxml.mathsymbols import ACCENTS
from sidecar_pdf.formulas.items import DELIMITERS, Item, is_tall
from sidecar_pdf.formulas.pieces import OPERATORS, accented, row

MARKS = frozenset(ACCENTS) - {"→"}
"""What stands over letters."""
# Ems of the line, unless said.
SCRIPT_SIZE = 0.9  # of the size of the line: what is smaller is a script
ROWS_APART = 1.0  # between the baselines of two lines
_BARS = frozenset("|‖:")
ROW_APART, _MIN_CELLS = 0.5, 3  # of white space between the cells of a single row; its cells
_CALLED = 0.1  # between a name and the bracket of what it is of: before a matrix stands a thin space
_OVER, _OFF_BASE = 0.5, 0.5  # shares of the narrower of two signs over one another; ems between their baselines
_SAME_SIZE, _SCRIPT_OFF = 0.05, 0.06  # shares of a size by which equal ones, and baselines of one line, differ
_NESTED_GAP, _NESTED_OFF = 0.3, 0.25  # of its size from a script to its own; by which their middles are beyond it
_MARK_INTO, _MARK_OVER = 0.1, 0.3  # of the size of a script by which a mark reaches into it, or stands over it
_WIDE_MARK_OVER = 0.6  # by which the lowest of the letters under one mark is under it


def size_of(items: list[Item]) -> float:
    """The type size of the line: the largest that is not an operator's, delimiter's or radical's."""
    sizes = [i.size for i in items if i.text not in DELIMITERS | OPERATORS | {"√"}] or [i.size for i in items]
    return max(*sizes, 1.0)


def base_of(items: list[Item], em: float) -> float:
    """The baseline of a line: that of the signs in its size."""
    full = [i.base for i in items if i.size >= SCRIPT_SIZE * em and i.text not in MARKS]
    return median_high(full or [i.base for i in items]) if items else 0.0


def lines_of(items: list[Item], em: float) -> list[list[Item]]:
    """Items by line, top to bottom; what is smaller goes to the nearest."""
    full = [i for i in items if i.size >= SCRIPT_SIZE * em and i.text not in MARKS and not is_tall(i)]
    bases: list[list[float]] = []
    for item in sorted(full, key=lambda i: i.base):
        if bases and item.base - bases[-1][-1] < ROWS_APART * em:
            bases[-1].append(item.base)
        else:
            bases.append([item.base])
    if len(bases) < 2:
        return [items] if items else []
    levels = [median(level) for level in bases]
    lines: list[list[Item]] = [[] for _ in levels]
    for item in items:
        lines[min(range(len(levels)), key=lambda at: abs(levels[at] - item.base))].append(item)
    return lines


def is_garbled(items: list[Item], em: float) -> bool:
    """Whether signs of one line and size stand over one another."""
    plain = [i for i in items if not i.made]
    return any(
        min(one.x1, other.x1) - max(one.x0, other.x0) > _OVER * min(one.x1 - one.x0, other.x1 - other.x0)
        and abs(one.base - other.base) > _OFF_BASE * em
        for one, other in pairwise(plain)
    )


def are_uneven(items: list[Item]) -> bool:
    """Whether a letter and a letter or figure right behind it, of its size, stand higher or lower than it: one may be a
    script that is as large as its letter."""
    return any(
        one.text[-1:].isalpha() and other.text.isalnum() and abs(one.size - other.size) < _SAME_SIZE * one.size
        and _SCRIPT_OFF * one.size < abs(one.base - other.base)
        for one, other in pairwise(items) if not one.made and not other.made
    )  # fmt: skip


def with_marked_scripts(items: list[Item], em: float) -> list[Item]:
    """The items of a line with marks that stand close over a script made one with it."""
    for mark in [i for i in items if i.text in MARKS]:
        small = [i for i in items if i is not mark and i.size < SCRIPT_SIZE * em and i.x0 < mark.middle < i.x1]
        under = [i for i in small if -_MARK_INTO * i.size < i.y0 - mark.y1 < _MARK_OVER * i.size]
        if under:
            letter = min(under, key=lambda i: i.y0 - mark.y1)
            made = Item(accented(letter.piece, mark.text), letter.text, letter.x0, mark.y0, letter.x1, letter.y1,
                        letter.base, letter.size, letter.upright)  # fmt: skip
            items = [made if i is letter else i for i in items if i is not mark]
    return items


def with_wide_marks(items: list[Item], em: float) -> list[Item]:
    """The items of a line with each mark that is as wide as several letters made one with these."""
    for mark in [i for i in items if i.text in MARKS]:
        under = [
            i for i in items if i.text not in MARKS and mark.x0 < i.middle < mark.x1 and i.size >= SCRIPT_SIZE * em
            and i.text.isalpha() and -_MARK_INTO * em < i.y0 - mark.y1 < _WIDE_MARK_OVER * em
        ]  # fmt: skip
        if len(under) > 1:
            under.sort(key=lambda i: i.x0)
            piece = accented(row([(i.piece, 0.0) for i in under]), mark.text)
            made = Item(piece, "", under[0].x0, mark.y0, under[-1].x1, max(i.y1 for i in under), under[0].base, em)
            items = [*(i for i in items if i not in under and i is not mark), made]
    return items


def script_around(sides: Sequence[list[Item]], item: Item) -> list[Item] | None:
    """The lower or upper script that an item is a script within: it is smaller, right behind it and level with it."""
    found: list[tuple[float, list[Item]]] = []
    for side in sides:
        size = max((i.size for i in side), default=0.0)
        if item.made or item.size >= SCRIPT_SIZE * size or item.x0 - max(i.x1 for i in side) > _NESTED_GAP * size:
            continue
        full = next(i for i in side if i.size == size)
        if min(i.y0 for i in side) - _NESTED_OFF * size < item.center < max(i.y1 for i in side) + _NESTED_OFF * size:
            found.append((abs(full.center - item.center), side))
    return min(found, key=lambda one: one[0])[1] if found else None


def is_row(items: list[Item], inside: list[Item], left: Item, em: float) -> bool:
    """Whether what stands between brackets is cells of one row: three or more, parted by white space alone. Right
    behind a name they are what it is of, however its letters stand."""
    called = any(-_CALLED * em < left.x0 - i.x1 < _CALLED * em and i.text[-1:].isalpha() for i in items)
    if (
        left.text not in "(["
        or called
        or any(i.piece.kind in {"comma", "word", "open"} or i.text in _BARS for i in inside)
    ):
        return False
    ends, cells = -math.inf, 0
    for item in sorted(inside, key=lambda i: i.x0):
        cells += item.x0 - ends > ROW_APART * em
        ends = max(ends, item.x1)
    return cells >= _MIN_CELLS


def of_one_size(above: list[Item], below: list[Item]) -> tuple[list[Item], list[Item]]:
    """The halves of a fraction without letters and figures too large for the other: those stand beside it, as what is
    lowered under a fraction that is raised does."""
    own = [max((i.size for i in side if not i.made), default=0.0) for side in (above, below)]
    most = min(own) / SCRIPT_SIZE if all(own) else math.inf
    above, below = ([i for i in side if i.made or i.size < most or not i.text.isalnum()] for side in (above, below))
    return above, below
