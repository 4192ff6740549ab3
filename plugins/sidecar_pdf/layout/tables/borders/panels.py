"""Finds the upper and lower borders of ruled panels: filled areas whose rows rules part from side to side, but for the
first and the last, which begin and end with the area."""

from bisect import bisect_left
from itertools import pairwise

from sidecar_pdf.layout.tables.borders.drawn_grid import merged_rules
from sidecar_pdf.pdfium.graphics import PageGraphics

# Points.
_SAME_SIDE = 4.0  # between the end of a rule and the side of its panel
_MIN_ROW, _MAX_ROW = 6.0, 90.0  # height of the first or last row, and of any
_MIN_WIDTH = 60.0
# Counts.
_MIN_RULES = 2  # in a panel
_MAX_FILLS, _MAX_RULES = 1_000, 200  # of a page, and of a panel: more are a plot or a map


def add_panel_rules(graphics: PageGraphics) -> None:
    """Adds the upper and lower edges of ruled panels to the rules of a page."""
    rules = sorted(merged_rules(graphics.horizontal)) if graphics.fills else []
    if len(rules) < _MIN_RULES or len(graphics.fills) > _MAX_FILLS:
        return
    for left, top, right, bottom in dict.fromkeys(graphics.fills):
        if right - left < _MIN_WIDTH:
            continue
        first, last = bisect_left(rules, (top + _MIN_ROW,)), bisect_left(rules, (bottom,))
        if last - first > _MAX_RULES:
            continue
        ys = [
            y for y, x0, x1 in rules[first:last] if abs(x0 - left) < _SAME_SIDE and abs(x1 - right) < _SAME_SIDE
        ]  # fmt: skip
        if len(ys) < _MIN_RULES or max(b - a for a, b in pairwise([top, *ys, bottom])) > _MAX_ROW:
            continue
        edges = [top, bottom] if bottom - ys[-1] > _MIN_ROW else [top]
        near = rules[bisect_left(rules, (top - _MIN_ROW,)) : bisect_left(rules, (bottom + _MIN_ROW,))]
        graphics.horizontal += [
            (y, left, right) for y in edges
            if not any(abs(y - rule[0]) < _MIN_ROW and rule[1] < right and rule[2] > left for rule in near)
        ]  # fmt: skip
