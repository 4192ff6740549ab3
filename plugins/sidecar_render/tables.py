"""How a table is laid out: the widths of its columns, the size of its text, and what happens when it is too wide.

Widths are in points, estimated from the text: the engine's own automatic columns give one long cell all the room and
let words of the others run over their edges.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar_render.words import widest_word, width

__all__ = ["PORTRAIT", "Layout", "lay_out", "numeric", "split_columns"]

PORTRAIT, LANDSCAPE = 459.0, 706.0
"""Room between the margins of an A4 page; other paper is close enough, because the widths are shares."""
_CHARACTER = 0.49
"""Width of an average character of the text face, in its size."""
_LONGEST_WORD = 18
"""Longer words may be broken, so they do not keep a column wide."""
_NUMBER = re.compile(r"[-+−±<>~≈(]?[\s$€£¥]?\d[\d\s.,'’_]*(?:[%‰°]|\s?[A-Za-zµ°%/²³]{0,6})?\)?")


@dataclass(frozen=True)
class Layout:
    """`widths` are shares of the room, all 0 for columns as wide as they need; `words` is for each column how many
    characters of a word fit, beyond which it must be breakable."""

    widths: tuple[float, ...]
    size: float
    inset: float
    wide: bool
    words: tuple[int, ...]


def lay_out(cells: Sequence[Sequence[str]], count: int, room: float = PORTRAIT) -> Layout | None:
    """The layout of a table of `count` columns whose rows are `cells`; None when not even a landscape page holds it."""
    columns = [[row[at] for row in cells if at < len(row)] for at in range(count)]
    natural = [max((width(line) for text in column for line in text.split("\n")), default=0) for column in columns]
    words = [min(max(map(widest_word, column), default=0), _LONGEST_WORD) for column in columns]
    mass = [sum(width(text) for text in column) / max(len(column), 1) for column in columns]
    wide_room = LANDSCAPE if room == PORTRAIT else room
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
            return Layout((0.0,) * count, size, inset, wide and space > room, (1000,) * count)
        least = [max(word, 2) * letter * 1.08 + 2 * inset for word in words]
        if sum(least) <= space:
            shares = _shares(whole, least, mass, space)
            fitting = tuple(max(int((share - 2 * inset) / letter / 1.08), 4) for share in shares)
            return Layout(shares, size, inset, wide and space > room, fitting)
    return None


def _shares(whole: Sequence[float], least: Sequence[float], mass: Sequence[float], space: float) -> tuple[float, ...]:
    """Columns that fit into a fair share get what they need; the others divide the rest by how much they hold."""
    given: dict[int, float] = {}
    while len(given) < len(whole):
        share = (space - sum(given.values())) / (len(whole) - len(given))
        fitting = [at for at in range(len(whole)) if at not in given and whole[at] <= share]
        if not fitting:
            break
        given |= {at: whole[at] for at in fitting}
    rest = [at for at in range(len(whole)) if at not in given]
    spare = space - sum(given.values()) - sum(least[at] for at in rest)
    if spare < 0:  # the long words need more: everyone starts from the least
        given, rest = {}, list(range(len(whole)))
        spare = space - sum(least)
    weights = {at: math.sqrt(mass[at] + 1) for at in rest}
    total = sum(weights.values()) or 1.0
    return tuple(
        round(given[at] if at in given else least[at] + spare * weights[at] / total, 1) for at in range(len(whole))
    )


def split_columns(cells: Sequence[Sequence[str]], count: int, room: float = PORTRAIT) -> list[list[int]]:
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
