"""Drops what is drawn again at almost the same place: shadows, halos and weight added by overprinting."""

from collections.abc import Callable
from statistics import median

from sidecar.api import Box
from sidecar_pdf.text.segments import Word

OVERPRINT = 0.75
"""Widths of a character up to which the same one beside it is drawn again rather than written again."""
_STEP = 0.6
"""Of the usual distance between characters of the word, which is less than their width where the font is not there."""
_LOWER = 0.05
"""Widths of a character by which a shadow stands lower than what it belongs to."""
_REACH = 0.2
"""Ems between a word and the same drawn over it."""
_SHARE = 0.2
"""The share of doubled letters from which on a word is looked at."""
_CELL = 6.0
_NARROWEST = 0.1
"""Points."""


def without_repeated_letters(
    token: str, place: Callable[[int], Box | None], drawn_by: Callable[[int], int | None]
) -> str:
    """A word with each character once, where many are drawn again right after themselves. `place` tells where each of
    its characters stands, `drawn_by` which text object draws it: two of one object at the very same place are those of
    one glyph, the ligature in "staff"."""
    twice = [at for at in range(1, len(token)) if token[at] == token[at - 1]]
    if len(twice) < _SHARE * len(token):
        return token
    gaps = {at: _apart(place(at - 1), place(at)) for at in twice}
    near = {
        at: gap for at, gap in gaps.items()
        if max(gap) < OVERPRINT and (max(gap) > 0 or drawn_by(at - 1) != drawn_by(at))
    }  # fmt: skip
    if not near:
        return token
    steps = [_apart(place(at - 1), place(at))[0] for at in range(1, len(token)) if token[at] != token[at - 1]]
    level = min(OVERPRINT, _STEP * (median(steps) if steps else OVERPRINT))
    over = {at for at, (across, down) in near.items() if max(across, down) < (OVERPRINT if down > _LOWER else level)}
    return "".join(char for at, char in enumerate(token) if at not in over)


def _apart(one: Box | None, other: Box | None) -> tuple[float, float]:
    """How far two characters stand from each other, across and down, in widths of the first."""
    if one is None or other is None:
        return 1.0, 0.0
    wide = max(one[2] - one[0], _NARROWEST)
    return abs(one[0] - other[0]) / wide, abs(one[1] - other[1]) / wide


def without_overprints(words: list[Word]) -> list[Word]:
    """The words less those drawn again over themselves. One that can be seen stays rather than a white one."""
    cells = {(word[0], int(word[1] / _CELL), int(word[2] / _CELL)) for word in words}  # by name costs a third more
    if len(cells) == len(words):
        return words
    kept: list[Word | None] = []
    places: dict[tuple[str, int, int], list[int]] = {}
    for word in words:
        column, row = int(word.x0 / _CELL), int(word.y0 / _CELL)
        near = [
            at for i in (column - 1, column, column + 1) for j in (row - 1, row, row + 1)
            for at in places.get((word.text, i, j), ())
        ]  # fmt: skip
        reach = _REACH * max(word.style.size, 1.0)
        for at in near:
            other = kept[at]
            if other is not None and _is_over(word, other, reach):
                if other.style.white and not word.style.white:
                    kept[at] = word
                break
        else:
            places.setdefault((word.text, column, row), []).append(len(kept))
            kept.append(word)
    return [word for word in kept if word is not None]


def _is_over(word: Word, other: Word, reach: float) -> bool:
    return (
        abs(word.x0 - other.x0) < reach and abs(word.y0 - other.y0) < reach
        and abs(word.x1 - other.x1) < reach and abs(word.y1 - other.y1) < reach
    )  # fmt: skip
