"""Finds the words printed on a page that name a form field: to its left, over it, or beside a box to tick."""

from collections.abc import Iterator

from sidecar.api import Box
from sidecar_pdf.pdfium.geometry import overlap_across
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.fields import CHECKED, UNCHECKED
from sidecar_pdf.text.segments import Segment, Word

# Ems of the page's type, unless said. Chosen on forms made by hand and the filled forms of libraries that read PDFs.
_NEAR, _NAMED = 2.5, 18.0  # from a label to the field beside it; where it ends with a colon
_BESIDE_MARK = 2.0  # from a box to tick to its label
_RATHER_RIGHT = 1.5  # times as far as a label to the left, at most, is the one to the right that is taken
_OVER, _EDGE = 1.0, 1.2  # from a label to the field under it; between their left edges
_INTO = 0.6  # that a label reaches into a field
_STACKED = 0.9  # between two fields of one column
_CELL = 3.0  # up and down to the rules of a cell
_FRAME = 2.0  # points from a field to the frame drawn around it
_SAME = 3.0  # points by which fields of one column may be out of line
_ASIDE = 0.6  # of its height that a box to tick may stand over or under the middle of its label's line
_LEVEL = 0.4  # of the lower of a field and a word on one line
_COLONS = (":", "：")
_MARKS = frozenset((CHECKED, UNCHECKED))
_LABEL_WORDS = 8
"""Of a label over a field: more are a sentence."""

_Found = tuple[float, Segment, int]
"""How far away a label is, its segment, and the place of its word next to the field."""


class Labels:
    """The level text of a page, by where it stands beside a field."""

    def __init__(self, segments: list[Segment], graphics: PageGraphics, em: float) -> None:
        self._segments, self._graphics, self._em = segments, graphics, em
        self._taken: set[int] = set()
        """Labels over a field that have theirs."""

    def forget(self, segment: Segment) -> None:
        """Takes a segment out that has no words any more."""
        self._segments = [one for one in self._segments if one is not segment]

    def level(self, box: Box) -> Iterator[Segment]:
        """The segments that stand at the height of a field."""
        for segment in list(self._segments):
            shared = min(box[3], segment.y1) - max(box[1], segment.y0)
            if shared > 0 and shared > _LEVEL * min(box[3] - box[1], segment.y1 - segment.y0):
                yield segment

    def order(self, box: Box) -> int:
        """The place in the file's order behind which what stands in a box comes: that of the text nearest to it, among
        what stands over and left of it, or of the last in its line where fields stand side by side: rows are drawn in
        turn."""
        x, y = box[0], (box[1] + box[3]) / 2
        before = [s for s in self._segments if s.y0 < y and s.x0 <= x + self._em]
        nearest = min(before, key=lambda s: abs(y - (s.y0 + s.y1) / 2) * 4 + abs(x - s.x1), default=None)
        if nearest is None:
            return 0
        beside = any(other[1] < y < other[3] and (other[2] < x or other[0] > box[2]) for other in self._graphics.fields)
        return max(s.order for s in self.level(nearest.box)) if beside else nearest.order

    def size(self, box: Box) -> float:
        """The size of type that a value is read in, the smallest near it: what is entered heads nothing."""
        reach = _NEAR * self._em
        near = [s.style.size for s in self._segments if s.y0 < box[3] + reach and s.y1 > box[1] - reach]
        return min([self._em, *(size for size in near if size > 0)])

    def names(self, box: Box) -> bool:
        """Whether words stand so near to a field that they name it, though they are read apart from it."""
        if self._is_stacked(box):
            return True  # the column of a table
        reach = _NEAR * self._em
        around = (box[0] - _NAMED * self._em, box[1] - reach, box[2] + reach, box[3] + reach)
        return any(
            around[0] < s.x1 and s.x0 < around[2] and around[1] < s.y1 and s.y0 < around[3] and _says(s)
            for s in self._segments
        )

    def left_of(self, box: Box, *, far: bool) -> tuple[Segment, int] | None:
        """The label to the left of a field in the same cell: its segment, and the place of its last word. It may be
        `far` from the only field in its line; more of them are the columns of a table."""
        ended: list[_Found] = []
        for segment in self.level(box):
            ends = [at for at, w in enumerate(segment.words) if (w.x0 + w.x1) / 2 < box[0] + _INTO * self._em]
            if not ends or segment.rtl:
                continue
            ended.append((box[0] - segment.words[ends[-1]].x1, segment, ends[-1]))
        if not ended:
            return None
        nearest = min(ended, key=lambda one: one[0])
        if box[3] - box[1] < _CELL * self._em:  # behind the last line of a label
            stacked = [one for one in ended if abs(one[1].x0 - nearest[1].x0) < _SAME]
            nearest = max(stacked, key=lambda one: one[1].y0)
        gap, segment, at = nearest
        word = segment.words[at]
        reach = _NAMED if far or word.text.endswith(_COLONS) else _NEAR
        if gap > reach * self._em or self._parted(word, box) or word.text in _MARKS:
            return None
        return segment, at

    def above(self, box: Box) -> Segment | None:
        """The label over a field, where that is not the head of a column of fields."""
        if self._is_stacked(box):
            return None
        found: Segment | None = None
        for segment in self._segments:
            gap = box[1] - segment.y1
            if not -_INTO * self._em < gap < _OVER * self._em or (segment.y0 + segment.y1) / 2 > box[1] + self._em:
                continue
            if not (box[0] - _EDGE * self._em < segment.x0 < box[2] and overlap_across(box, segment.box) > 0):
                continue
            if found is None or abs(segment.x0 - box[0]) < abs(found.x0 - box[0]):
                found = segment
        if found is None or id(found) in self._taken or len(found.words) > _LABEL_WORDS or not _says(found):
            return None
        if found.rtl:
            return None
        self._taken.add(id(found))
        return found

    def of_mark(self, box: Box) -> tuple[Segment, int, bool] | None:
        """The label of a box to tick: its segment, the word's place beside it, whether the box stands behind it."""
        right: _Found | None = None
        left: _Found | None = None
        middle = (box[0] + box[2]) / 2
        for segment in self.level(box):
            if segment.rtl:
                continue
            aside = abs(box[1] + box[3] - segment.y0 - segment.y1) / 2
            aside = aside if aside > _ASIDE * (box[3] - box[1]) else 0.0
            for at, word in enumerate(segment.words):
                if word.text in _MARKS:
                    continue
                if word.x0 > middle:
                    right = _nearer(right, (word.x0 - box[2] + aside, segment, at))
                elif word.x1 < middle:
                    left = _nearer(left, (box[0] - word.x1 + aside, segment, at))
        reach = _BESIDE_MARK * self._em
        right = right if right and right[0] < reach else None
        left = left if left and left[0] < reach else None
        if right and (left is None or right[0] <= _RATHER_RIGHT * max(left[0], 1.0)):
            return right[1], right[2], False
        return (left[1], left[2], True) if left else None

    def _is_stacked(self, box: Box) -> bool:
        """Whether another field as wide stands close over or under a field, as in the column of a table."""
        near = _STACKED * self._em
        return any(
            abs(other[0] - box[0]) < _SAME and abs(other[2] - box[2]) < _SAME
            and (-near < other[1] - box[3] < near or -near < box[1] - other[3] < near)
            for other in self._graphics.fields if other != box
        )  # fmt: skip

    def _parted(self, word: Word, box: Box) -> bool:
        """Whether a word stands in another cell than a field beside it: a rule that runs down between them, in rows
        that rules part."""
        y = (box[1] + box[3]) / 2
        first, last = (word.x1, box[0]) if word.x1 < box[2] else (box[2], word.x0)
        downs = self._graphics.vertical
        down = any(first - _FRAME <= x <= last + _FRAME and top < y < bottom for x, top, bottom in downs)
        middle, reach = (word.x0 + word.x1) / 2, _CELL * self._em
        return down and all(
            any(left <= middle <= right and 0 < side * (level - y) < reach for level, left, right in self._across(box))
            for side in (-1, 1)
        )

    def _across(self, box: Box) -> Iterator[Rule]:
        reach = _CELL * self._em
        for rule in self._graphics.horizontal:
            if box[1] - reach < rule[0] < box[3] + reach:
                yield rule


def _nearer(one: _Found | None, other: _Found) -> _Found:
    """The nearer of two, of those as near the upper: the first line of a label of several."""
    return other if one is None or (round(other[0]), other[1].y0) < (round(one[0]), one[1].y0) else one


def _says(segment: Segment) -> bool:
    return any(char.isalpha() for word in segment.words for char in word.text)
