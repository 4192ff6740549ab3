"""How a table is laid out: the widths of its columns, the size of its text, and what happens when it is too wide.

Widths are in points, estimated from the text: the engine's own automatic columns give one long cell all the room and
let words of the others run over their edges."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar_render.markdown.text import widest_word, width

PORTRAIT, _LANDSCAPE = 459.0, 706.0
"""Room between the margins of an A4 page; other paper is close enough, because the widths are shares."""
_CHARACTER = 0.49
"""Width of an average character of the text face, in its size."""
_MAX_WORD_CHARS = 18
"""Longer words may be broken, so they do not keep a column wide."""
_MAX_ROWS = 60
"""Rows of a long table that are looked at, evenly spaced, for its widths."""
_STEPS = 32
_NUMBER = re.compile(r"[-+−±<>~≈(]?[\s$€£¥]?\d[\d\s.,'’_]*(?:[%‰°]|\s?[A-Za-zµ°%/²³]{0,6})?\)?")


@dataclass(frozen=True)
class TableLayout:
    """`widths` are shares of the room, all 0 for columns as wide as they need; `words` is for each column how many
    characters of a word fit, beyond which it must be breakable."""

    widths: tuple[float, ...]
    size: float
    inset: float
    wide: bool
    words: tuple[int, ...]


def lay_out(cells: Sequence[Sequence[str]], count: int, room: float = PORTRAIT) -> TableLayout | None:
    """The layout of a table of `count` columns whose rows are `cells`; None when not even a landscape page holds it."""
    columns = [[row[at] for row in cells if at < len(row)] for at in range(count)]
    natural = [max((width(line) for text in column for line in text.split("\n")), default=0) for column in columns]
    words = [min(max(map(widest_word, column), default=0), _MAX_WORD_CHARS) for column in columns]
    wide_room = _LANDSCAPE if room == PORTRAIT else room
    for size, inset, space, wide in (
        (9.5, 6.0, room, False),
        (8.0, 4.5, room, False),
        (7.0, 3.0, room, False),
        (8.0, 4.5, wide_room, True),
        (7.0, 3.0, wide_room, True),
    ):
        letter = size * _CHARACTER
        whole = [length * letter * 1.04 + 2 * inset + 2 for length in natural]
        if sum(whole) <= space:
            return TableLayout((0.0,) * count, size, inset, wide and space > room, (1000,) * count)
        least = [max(word, 2) * letter * 1.08 + 2 * inset for word in words]
        if sum(least) <= space:
            shares = _shares(cells, whole, least, space, letter, inset)
            fitting = tuple(max(int((share - 2 * inset) / letter / 1.08), 4) for share in shares)
            return TableLayout(shares, size, inset, wide and space > room, fitting)
    return None


def _shares(
    cells: Sequence[Sequence[str]], whole: Sequence[float], least: Sequence[float], space: float, letter: float,
    inset: float,
) -> tuple[float, ...]:  # fmt: skip
    """The widths at which the table is lowest: from the least, what is left goes step by step to the column that
    shortens the rows most. A row's height is a smooth maximum (the fourth power mean) of its cells' lines, so that two
    columns of equal need both gain."""
    rows = cells if len(cells) <= _MAX_ROWS else cells[:: len(cells) // _MAX_ROWS + 1]
    needs = [[width(text) * letter * 1.04 for text in row] for row in rows]
    edges = 2 * inset + 2
    given = list(least)
    step = max((space - sum(least)) / _STEPS, 0.5)
    powers = [[_power(need, room - edges) for need, room in zip(row, given, strict=False)] for row in needs]
    while space - sum(given) >= step:
        heights = [sum(row) for row in powers]
        best, gain, tried = -1, 0.0, []
        for at, room in enumerate(given):
            if room >= whole[at]:
                continue
            wider = [_power(row[at], room + step - edges) if at < len(row) else 1.0 for row in needs]
            saved = sum(
                height**0.25 - (height - powers[number][at] + wider[number]) ** 0.25
                for number, height in enumerate(heights)
                if at < len(powers[number])
            )
            if best < 0 or (saved, whole[at] - room) > (gain, whole[best] - given[best]):
                best, gain, tried = at, saved, wider
        if best < 0:
            break
        given[best] += step
        for number, row in enumerate(powers):
            if best < len(row):
                row[best] = tried[number]
    spare = (space - sum(given)) / len(given)
    return tuple(round(room + spare, 1) for room in given)


def _power(need: float, room: float) -> float:
    """The fourth power of how many lines a cell takes, one at least."""
    lines = need / max(room, 1.0)
    return lines**4 if lines > 1 else 1.0


def lines_of(cells: Sequence[Sequence[str]], layout: TableLayout | None) -> list[int]:
    """How many lines each row takes, about."""
    if layout is None or not any(layout.widths):
        return [max((text.count("\n") + 1 for text in row), default=1) for row in cells]
    letter = layout.size * _CHARACTER
    rooms = [max(share - 2 * layout.inset, 1.0) for share in layout.widths]
    return [
        max((math.ceil(width(text) * letter * 1.1 / room) for text, room in zip(row, rooms, strict=False)), default=1)
        for row in cells
    ]


def split_columns(cells: Sequence[Sequence[str]], count: int, room: float) -> list[list[int]]:
    """The columns in groups that fit a page each; the first column is repeated in every group, as the rows' name."""
    groups: list[list[int]] = []
    group: list[int] = []
    for at in range(count):
        wider = [*(group or ([0] if at else [])), at]
        picked = [[row[i] if i < len(row) else "" for i in wider] for row in cells]
        if group and len(wider) > 2 and lay_out(picked, len(wider), room) is None:
            groups.append(group)
            wider = [0, at]
        group = wider
    return [*groups, group]


def numeric(column: Sequence[str]) -> bool:
    """Whether a column's filled cells are all numbers, so that it reads better set to the right."""
    filled = [text.strip() for text in column if text.strip() not in ("", "-", "–", "—")]
    return bool(filled) and all(_NUMBER.fullmatch(text) for text in filled)
