"""The text of a page that tables are looked for in between its horizontal rules, box after box."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.aligned import table_between_rules
from sidecar_pdf.layout.tables.found import FoundTable
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Points, chosen on the corpus (tests/bench/pdf_elements.py).
IN_BAND_ACROSS, TOLERANCE = 6.0, 2.0  # around a band across and down, in which the middle of its text is
_AT_END = 1.0  # between the left ends of rules and of running text
_PROSE_WORDS, _PROSE_PART = 8, 0.4  # words, and share of the width of rules, of a line of running text
_NEAR_RULE = 20.0  # from lines of text, beyond which a rule tells nothing of them

_Lines = tuple[tuple[int, ...], tuple[float, ...], tuple[Rule, ...]]
"""The segments of lines, and the rules across and between them."""


class FreeText:
    """The text of a page that is in no table yet, by height: hundreds of boxes are tried on a form. `tried` keeps what
    was made of the same lines between the same rules."""

    def __init__(self, segments: list[Segment], tried: dict[_Lines, FoundTable | None] | None = None) -> None:
        self.segments, self._tried = segments, {} if tried is None else tried
        self.turned = [s for s in segments if s.vertical]
        self._level = sorted((s for s in segments if not s.vertical), key=_middle)
        self._middles = [*map(_middle, self._level)]

    def without(self, table: FoundTable) -> FreeText:
        """The text but for that of a table."""
        taken = set(map(id, table.segments))
        return FreeText([segment for segment in self.segments if id(segment) not in taken], self._tried)

    def inside(self, box: Box) -> list[list[Segment]]:
        """The level lines whose middle is in a box."""
        left, right = box[0] - IN_BAND_ACROSS, box[2] + IN_BAND_ACROSS
        first = bisect_left(self._middles, box[1] - TOLERANCE)
        last = bisect_right(self._middles, box[3] + TOLERANCE)
        return rows_of(s for s in self._level[first:last] if left <= (s.x0 + s.x1) / 2 <= right)

    def table(
        self, lines: list[list[Segment]], stops: list[float], rules: list[Rule], turned: list[Segment]
    ) -> FoundTable | None:
        """As `table_between_rules`; of the rules, those tell nothing that are far from the lines."""
        top, bottom = min(s.y0 for s in lines[0]), max(s.y1 for s in lines[-1])
        near = tuple(rule for rule in rules if top - _NEAR_RULE < rule[0] < bottom + _NEAR_RULE)
        key = tuple(id(s) for line in (*lines, turned) for s in line), tuple(y for y in stops if top < y < bottom), near
        if key not in self._tried:
            self._tried[key] = table_between_rules(lines, stops, near, turned)
        table = self._tried[key]
        return replace(table) if table is not None else None


def _middle(segment: Segment) -> float:
    return (segment.y0 + segment.y1) / 2


def prose_at(segments: Sequence[Segment], left: float, right: float) -> list[float]:
    """The heights of running text between two tables of one extent: alone on its line, it begins where rules do."""
    wide = [
        s for s in segments
        if abs(s.x0 - left) < _AT_END and len(s.words) >= _PROSE_WORDS and s.x1 - s.x0 > _PROSE_PART * (right - left)
        and 2 * sum(w.text.islower() for w in s.words) > len(s.words)
    ]  # fmt: skip
    return sorted(
        (s.y0 + s.y1) / 2 for s in wide
        if not any(o is not s and o.y0 < (s.y0 + s.y1) / 2 < o.y1 and left < o.x1 and o.x0 < right for o in segments)
    )  # fmt: skip
