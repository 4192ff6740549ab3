"""The control words that define a row of a table (RTF 1.9.1, "Table Definitions"); not what its cells hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sidecar.toolkit.hidden import MIN_POINTS
from sidecar.toolkit.word.story import CellShape, Row

_MIN_HEIGHT = MIN_POINTS * 20
"""Twips of an exact height below which nothing of a row's words is seen."""


@dataclass
class RowHead:
    """The head of the row that is read, or was last: a row without one has that of the row before."""

    row: Row = field(default_factory=Row)
    is_flat: bool = False
    """Whether the row has no height in which words could be seen."""
    _joins_left: bool = False
    _joins_above: bool = False
    _background: int = 0
    _backgrounds: list[int] = field(default_factory=list[int])
    _ended: int = 0

    @property
    def background(self) -> int:
        """The number of the colour behind the cell that is read, 0 for none and -1 where it is not told."""
        return self._backgrounds[self._ended] if self._ended < len(self._backgrounds) else -1

    def ended_cell(self) -> None:
        """The text of a cell has ended."""
        self._ended += 1

    def ended_row(self) -> None:
        """The text of the row has ended."""
        self._ended = 0

    def begin(self, _number: int | None) -> None:
        """`trowd`: another head."""
        self.row, self.is_flat = Row(), False
        self._joins_left = self._joins_above = False
        self._background, self._backgrounds = 0, []

    def paint(self, number: int | None) -> None:
        """`clcbpat`: the colour behind the next cell."""
        self._background = number or 0

    def pattern(self, number: int | None) -> None:
        """`clshdng`: another colour over it, of some share."""
        self._background = -1 if number else self._background

    def height(self, number: int | None) -> None:
        """`trrh`: the row's height in twips, exact where it is negative."""
        self.is_flat = -_MIN_HEIGHT < (number or 0) < 0

    def repeat(self, _number: int | None) -> None:
        """`trhdr`: the row heads the table on each page."""
        self.row.is_head = True

    def join_left(self, _number: int | None) -> None:
        """`clmrg`: the next cell is one with that before it."""
        self._joins_left = True

    def join_above(self, _number: int | None) -> None:
        """`clvmrg`: the next cell is one with that above it."""
        self._joins_above = True

    def end_cell(self, number: int | None) -> None:
        """`cellx`: the cell's right edge in twips, behind what else is said of it."""
        self.row.shapes.append(CellShape(number or 0, self._joins_left, self._joins_above))
        self._joins_left = self._joins_above = False
        self._backgrounds.append(self._background)
        self._background = 0


ROW_HEAD: Mapping[str, Callable[[RowHead, int | None], None]] = {
    "trowd": RowHead.begin, "trhdr": RowHead.repeat, "clmrg": RowHead.join_left, "clvmrg": RowHead.join_above,
    "cellx": RowHead.end_cell, "clcbpat": RowHead.paint, "clshdng": RowHead.pattern, "trrh": RowHead.height,
}  # fmt: skip
"""What each word does."""
