"""Tells the entries of an index, which end with the numbers of pages, from one another."""

from __future__ import annotations

import re
from itertools import pairwise

from sidecar_pdf.layout.lines import Line

_PAGE = r"(?:\d{1,4}(?:[-–—]\d{1,4})?|[A-Z]?\d{0,2}-\d{1,3}|[ivxlc]{1,6}(?:[-–—][ivxlc]{1,6})?)(?:ff?\.?|n\.?\d*)?"
_ENTRY_END = re.compile(rf"[^\W\d_].*,\s*{_PAGE}$|[^\w\s]+,\s*{_PAGE}$")
"""Words or a sign, and the number of a page behind a comma."""

# Chosen on indexes by makeindex and Doxygen, typeset by pdfTeX and dvipdfm(x).
_LEAST_ENTRIES, _MOSTLY = 6, 0.5  # lines that end as entries do; share of the column's lines, wrapped ones being more
_SAME_EDGE = 0.3  # ems between two left edges of one level
_CARRIED_LEADING = 1.4  # leadings to a line that carries an entry on


def entry_edges(lines: list[Line]) -> tuple[float, ...]:
    """The left edges of the entries of an index, none where the lines of a column are no index."""
    ended = sum(ends_entry(line) for line in lines)
    if ended < max(_LEAST_ENTRIES, _MOSTLY * len(lines)):
        return ()
    opening = [lines[0], *(line for before, line in pairwise(lines) if ends_entry(before))]
    return tuple({round(line.x0, 1): line.x0 for line in opening}.values())


def ends_entry(line: Line) -> bool:
    """Whether a line ends with the number of a page."""
    return _ENTRY_END.search(line.text) is not None


def begins_entry(edges: tuple[float, ...], before: Line, line: Line, leading: float) -> bool:
    """Whether a line of an index opens an entry, rather than to carry on the one `before` belongs to."""
    pitch = line.y1 - before.y1
    if not 0 < pitch < _CARRIED_LEADING * leading:
        return True
    if before.text[-1:] == ",":
        return False  # more pages
    return ends_entry(before) or any(abs(line.x0 - edge) < _SAME_EDGE * line.size for edge in edges)
