"""Tells running heads and feet from text: what stands at the same place at the edge of several pages, digits aside."""

from __future__ import annotations

import re
from collections import Counter

from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.text.segments import Segment

_BAND = 0.13
"""The part of the page height at top and bottom where running content stands."""
_ROWS = 4
_LONGEST = 160
"""Characters a running line may have."""
_FOLIO = re.compile(
    r"[\s\-–—|]*(?:\d{1,4}|(?:page|seite|pagina|página|pág\.?|стр\.?|p\.)\s*\d+(?:\s*(?:of|von|de|sur|di|van|из|/)\s*\d+)?"
    r"|\d{1,4}\s*(?:of|/)\s*\d{1,4})[\s\-–—|]*", re.IGNORECASE,
)  # fmt: skip
"""A page number by itself, which needs no second page to be known for one."""
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")

Rows = list[list[Segment]]


class RunningContent:
    """What has been seen at the edges of the pages so far. `learn` some pages, then `split` each of them."""

    def __init__(self) -> None:
        self._texts: Counter[tuple[str, int, bool]] = Counter()
        self._places: Counter[tuple[int, int, str, bool]] = Counter()
        self._pages = 0

    def learn(self, segments: list[Segment], height: float) -> None:
        """Remembers the edge rows of one page."""
        self._pages += 1
        for top in (True, False):
            rows = _edge(segments, height, top=top)
            texts = {(_fold(row), _slot(row, height)) for row in rows}
            for text, slot in texts:
                for near in (slot, slot + 1):  # two slots a row, so that a rounding border does not part equals
                    self._texts[text, near, top] += 1
            for row in rows[:1]:
                self._places[self._place(row, height, top=top)] += 1

    def split(self, segments: list[Segment], height: float) -> tuple[Rows, Rows]:
        """The running rows at the top and at the bottom of a page that was learnt."""
        return self._running(segments, height, top=True), self._running(segments, height, top=False)

    def _running(self, segments: list[Segment], height: float, *, top: bool) -> Rows:
        rows = _edge(segments, height, top=top)
        least = 2 if self._pages <= 4 else 3
        last = 0
        for at, row in enumerate(rows):
            text, slot = _fold(row), _slot(row, height)
            seen = max(self._texts[text, slot, top], self._texts[text, slot + 1, top])
            if seen >= least and len(text) <= _LONGEST and _apart(rows[: at + 1], segments, top=top):
                last = at + 1
        if not last and rows and _FOLIO.fullmatch(rows[0][0].text) and len(rows[0]) == 1:
            last = int(_apart(rows[:1], segments, top=top))
        if not last and rows and self._pages >= 5:
            place = self._places[self._place(rows[0], height, top=top)]
            if place >= 0.6 * self._pages and _apart(rows[:1], segments, top=top, most=14):
                last = 1
        taken = rows[:last]
        return taken if top else taken[::-1]

    @staticmethod
    def _place(row: list[Segment], height: float, *, top: bool) -> tuple[int, int, str, bool]:
        style = row[0].style
        return round(row[0].y1 / max(height, 1.0) * 400), round(style.size * 2), style.font, top


def _edge(segments: list[Segment], height: float, *, top: bool) -> Rows:
    """The outermost rows of the page that lie in the band, outermost first."""
    limit = _BAND * height if top else (1 - _BAND) * height
    edge = [s for s in segments if not s.vertical and not s.hidden and (s.y1 <= limit if top else s.y0 >= limit)]
    rows = rows_of(edge)
    if not top:
        rows.reverse()
    return rows[:_ROWS]


def _fold(row: list[Segment]) -> str:
    text = " ".join(s.text for s in sorted(row, key=lambda s: s.x0))
    return _DIGITS.sub("#", text.casefold()).strip()


def _slot(row: list[Segment], height: float) -> int:
    return int(min(s.y0 for s in row) / max(height, 1.0) * 200)


def _apart(rows: Rows, segments: list[Segment], *, top: bool, most: int = 80) -> bool:
    """Whether white space sets the rows apart from the text further in; lines of the text itself may repeat too, on
    forms for instance. `most` bounds the words of the innermost row."""
    ids = {id(segment) for row in rows for segment in row}
    row = rows[-1]
    y0, y1 = min(s.y0 for s in row), max(s.y1 for s in row)
    rest = [s for s in segments if id(s) not in ids and not s.vertical and not s.hidden]
    further = [s.y0 - y1 if top else y0 - s.y1 for s in rest]
    gap = min(further) if further else 99.0
    return gap > 0.55 * max(row[0].style.size, 4.0) and sum(len(s.words) for s in row) <= most
