"""Tells the rules that underline titles and links from those of tables: what stands between two rules of titles is the
text under one, its list perhaps, and the next title."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from sidecar.api import Box
from sidecar_pdf.layout.tables.borders.sum_rules import without_sum_rules
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment

# Counts.
_SEVERAL, _MAX_RULES = 2, 60  # underlined titles of a style on a page, from which on they are titles; rules looked at
# Multiples of the size of the title.
_UNDER, _OVER = 0.9, 0.2  # how far under its box, and within it, its rule is drawn
_ASIDE = 0.6  # between the left ends of a title and its rule
# Shares.
_LARGER = 1.1  # of the usual size of type on the page: that of a title
# Points.
_SAME_EXTENT, _TOUCHES = 5.0, 2.0  # between the ends of rules of one extent; from a rule to one that crosses it
_LINK_END, _OF_LINK = 1.5, 0.9  # by which the line under a link may end beside it; share of the link it is as long as


def without_rules_of_text(graphics: PageGraphics, segments: Sequence[Segment]) -> None:
    """Takes the rules that part no table out of those of a page: under titles, and over sums."""
    _without_title_rules(graphics, segments)
    without_sum_rules(graphics, segments)


def _without_title_rules(graphics: PageGraphics, segments: Sequence[Segment]) -> None:
    """Takes out of the rules of a page those that underline its titles: larger bold lines alone over a rule from where
    they begin, several of a style, each over text that ends before another of them, or no other rule, so wide."""
    level = [s for s in segments if not s.vertical]
    if not _SEVERAL <= len(graphics.horizontal) <= _MAX_RULES or not level:
        return
    least = _LARGER * median(s.style.size for s in level)
    large = [s for s in level if s.style.bold and s.style.size >= least]
    over = {rule: title for rule in graphics.horizontal if (title := _title_over(rule, large, level)) is not None}
    under = {rule: title for rule, title in over.items() if not _is_crossed(rule, graphics.vertical)}
    alone = {rule: title for rule, title in under.items() if _next(rule, graphics.horizontal) in {*under, None}}
    count = Counter(title.style.size for title in alone.values())
    graphics.horizontal = [
        rule for rule in graphics.horizontal if rule not in alone or count[alone[rule].style.size] < _SEVERAL
    ]


def without_link_rules(graphics: PageGraphics, links: Sequence[Box]) -> None:
    """Takes the lines under links, in the places of these, out of the rules of a page: browsers draw them, and links of
    one column below one another are as wide."""
    if not links or not graphics.horizontal:
        return
    begun: dict[int, list[Box]] = {}
    for link in links:
        begun.setdefault(round(link[0]), []).append(link)
    graphics.horizontal = [
        rule for rule in graphics.horizontal
        if not any(_is_under(rule, link) for x in (-1, 0, 1) for link in begun.get(round(rule[1]) + x, ()))
    ]  # fmt: skip


def _is_under(rule: Rule, link: Box) -> bool:
    """Whether a rule runs from end to end of a link, in its lower half: blanks it is set with may have no line."""
    y, left, right = rule
    ends = abs(left - link[0]) < _LINK_END and right - link[2] < _LINK_END
    return ends and right - left > _OF_LINK * (link[2] - link[0]) and (link[1] + link[3]) / 2 < y <= link[3]


def _title_over(rule: Rule, large: list[Segment], level: list[Segment]) -> Segment | None:
    """The line right over a rule, where it is large, begins with the rule, and is alone over it."""
    y, left, right = rule
    for title in large:
        em = title.style.size
        if -_OVER * em < y - title.y1 < _UNDER * em and abs(title.x0 - left) < _ASIDE * em and title.x1 < right:
            beside = [s for s in level if left < s.x1 and s.x0 < right and s.y0 < title.y1 and title.y0 < s.y1]
            return title if len(beside) == 1 else None
    return None


def _is_crossed(rule: Rule, vertical: list[Rule]) -> bool:
    """Whether rules up and down meet a rule, as in a grid."""
    y, left, right = rule
    return any(
        left - _TOUCHES < x < right + _TOUCHES and top - _TOUCHES < y < bottom + _TOUCHES for x, top, bottom in vertical
    )


def _next(rule: Rule, rules: list[Rule]) -> Rule | None:
    """The next rule under one from the same left end to the same right end."""
    y, left, right = rule
    below = [r for r in rules if r[0] > y and max(abs(r[1] - left), abs(r[2] - right)) < _SAME_EXTENT]
    return min(below, default=None)
