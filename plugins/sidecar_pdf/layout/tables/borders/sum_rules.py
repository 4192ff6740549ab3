"""Tells the rules over and under sums, which are as wide as columns of figures and leave their labels out, from those
that a table is drawn by."""

from collections.abc import Sequence
from itertools import pairwise

from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.borders.drawn_grid import merged_rules
from sidecar_pdf.layout.tables.found import NUMERIC
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment, has_letters

# Points.
_SAME_EXTENT, _SAME_END = 4.0, 2.0  # to which ends of rules are rounded; between the ends of a piece and of its rule
_OVER, _UNDER = 24.0, 3.0  # from the line over the first rule down to it; from the last line to the rule under it
_OUT_OF_RULE = 3.0  # by which figures may reach out of the rule over them
_BASELINE = 1.0  # from the foot of a label to that of its figures
# Counts and shares.
_MIN_RULES, _MAX_RULES, _MAX_EXTENTS = 3, 400, 40  # of one extent, and of a page that is looked at; extents looked at
_MIN_LINES = 4  # of figures
_LABELLED = 0.8  # of the lines of figures have a label
_RULED = 0.75  # of the lines of figures, less than which are ruled off
_DOUBLE = 6.0  # points between two rules under one line, at most


def without_sum_rules(graphics: PageGraphics, segments: Sequence[Segment]) -> None:
    """Takes out of the rules of a page those over sums: several of one extent with nothing but figures between them and
    on the line over the first, nearly each line of these behind a label, which no rule reaches."""
    if not _MIN_RULES <= len(graphics.horizontal) <= _MAX_RULES:
        return
    extents: dict[tuple[int, int], list[Rule]] = {}
    for rule in merged_rules(graphics.horizontal):
        extents.setdefault((round(rule[1] / _SAME_EXTENT), round(rule[2] / _SAME_EXTENT)), []).append(rule)
    several = [rules for rules in extents.values() if len(rules) >= _MIN_RULES]
    if not several or len(several) > _MAX_EXTENTS:
        return
    level = [s for s in segments if not s.vertical]
    sums = [rule for rules in several if _are_over_sums(rules, level, graphics.vertical) for rule in rules]
    graphics.horizontal = [rule for rule in graphics.horizontal if not any(_is_piece(rule, one) for one in sums)]


def _are_over_sums(rules: list[Rule], level: list[Segment], vertical: list[Rule]) -> bool:
    """Whether rules of one extent, from the top, stand over sums."""
    left, right = min(rule[1] for rule in rules), max(rule[2] for rule in rules)
    first, last = rules[0][0], rules[-1][0]
    if any(left - _SAME_END < x < right + _SAME_END and top < last and bottom > first for x, top, bottom in vertical):
        return False
    near = [s for s in level if first - _OVER < (s.y0 + s.y1) / 2 < last + _UNDER and s.x0 < right]
    lines = rows_of(s for s in near if s.x1 > left + _OUT_OF_RULE)
    while lines and len(lines) > 1 and (lines[1][0].y0 + lines[1][0].y1) / 2 < first:
        lines = lines[1:]  # only the line right over the first rule counts
    inside = [s for line in lines for s in line]
    if not inside or not all(s.x0 > left - _OUT_OF_RULE and NUMERIC.match(s.text) for s in inside):
        return False
    labels = sorted(s.y1 for s in near if s.x1 <= left + _OUT_OF_RULE and has_letters([s]))
    labelled = [any(abs(line[0].y1 - y) <= _BASELINE for y in labels) for line in lines]
    heights = 1 + sum(other[0] - one[0] > _DOUBLE for one, other in pairwise(rules))
    several = len(lines) >= _MIN_LINES and heights < _RULED * len(lines)
    return several and labelled[0] and sum(labelled) >= _LABELLED * len(lines)


def _is_piece(rule: Rule, whole: Rule) -> bool:
    """Whether a rule is one that was merged with others, or a piece of it."""
    ends = whole[1] - _SAME_END < rule[1] and rule[2] < whole[2] + _SAME_END
    return ends and abs(rule[0] - whole[0]) < _SAME_END
