"""How deep the items of lists stand. Word keeps a level in each list, but lists of their own are also set below items
of another by their indents alone: the styles "List Bullet 2" and "List Number 3", lists pasted from web pages.

Not responsible for finding the indents, nor for markers."""

from typing import NamedTuple

_MIN_STEP = 180
"""Twentieths of a point by which a list below an item stands farther in: half of what Word steps between levels."""
_DEEPEST = 8


class _Open(NamedTuple):
    indent: int
    level: int
    num: str


class ListNesting:
    """The items that others may stand below, in one run of items without anything between."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._added: dict[str, int] = {}
        """List → how many levels deeper than it says itself it stands."""

    def end(self) -> None:
        """Something else stands after the last item."""
        self._open.clear()
        self._added.clear()

    def level(self, num: str, level: int, indent: int | None) -> int:
        """The level (0-based) of the next item, of list `num` at `level` there; `indent` in twentieths of a point, None
        where nothing tells it."""
        if indent is None:
            return min(level + self._added.get(num, 0), _DEEPEST)
        while self._open and self._open[-1].indent >= indent + _MIN_STEP:
            self._open.pop()
        if num not in self._added:
            above = self._open[-1] if self._open else None
            added = 0
            if above is not None and above.num != num:
                added = max(above.level + (indent >= above.indent + _MIN_STEP) - level, 0)
            self._added[num] = added
        shown = min(level + self._added[num], _DEEPEST)
        self._open.append(_Open(indent, shown, num))
        return shown
