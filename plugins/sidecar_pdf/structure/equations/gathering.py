"""Gathers the parts of a displayed formula on a page: halves of its fractions, limits, what its tall delimiters hold
and its number, and tells what may be left out."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from sidecar.api import Box
from sidecar_pdf.formulas.items import Item
from sidecar_pdf.formulas.pieces import CLOSE, OPEN, OPERATORS
from sidecar_pdf.pdfium.geometry import contains_centre, union
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.structure.regions import Region
from sidecar_pdf.text.glyphs import Glyph

WORD = re.compile(r"(?<!_)(?![A-Za-z]{1,3}[a-z][A-Z](?![A-Za-z]))[A-Za-zÀ-ɏ]{4,}")
"""A word, which short products of variables, such as those of `C_p dT`, are none of."""
RELATION = re.compile(r"[=≠<>≤≥≲≳≈≡∝∈∉⊂⊆→↦⇒⇔∼≃≅≪≫⟶⟹⟺⊢≺≻]")
NUMBER = re.compile(r"\(\s?([A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?)\s?\)")
NUMBERED = re.compile(rf"\s{NUMBER.pattern}$")
_RELATED = re.compile(rf"[\w)\]}}|] ?{RELATION.pattern}$")
"""What ends with a relation, whose other side stands beside it; one word of it is the name of a function."""
# Ems and counts. Chosen on typeset formulas (tests/bench/layout/pdf_equations.py).
_NEAR, _BESIDE = 0.35, 2.5  # between an equation and its halves: over and under, and beside
_SCRIPT_SIZE = 0.85  # of the size of an equation: what is smaller is a limit of it
FRAGMENT_CHARS, _FRAGMENT_LINES = 60, 3
MATH = 0.5  # share of the characters of a formula that are in mathematical type
_LIMIT_CHARS, _UNDER = 24, 0.8  # of a limit or half that is left out; ems to it from the equation
_LEVEL = 1.0  # points by which the ends of two delimiters of a pair are apart
_REGIONS_APART = 3  # places in reading order between an equation and its halves
EDGE = 0.3  # ems from numbers, and halves, to the edge
_HALF_GAP, _HALF_ASIDE, _HALF_WIDTH = 0.8, 0.6, 0.8  # ems to the bar; off its middle, twice; share of it that is wide
_HALF_REACH, _HALF_CHARS = 30.0, 120  # points from a bar to what is looked at; characters of a row of halves
_MAX_BARS = 200  # of a page: more are a drawing


def is_sign_of(region: Region, equation: Region) -> bool:
    """Whether a stretch is signs alone that stand in the box of an equation, whose glyphs have them: pieces of its
    braces, primes."""
    if region.kind != "text" or any(map(str.isalnum, region.text)):
        return False
    return contains_centre(equation.box, region.box)


def is_left_out(region: Region, equation: Region) -> bool:
    """Whether a short stretch of mathematical type that is no equation stands in an equation, or right over or under
    it, as a limit or half does; or one beside it that ends with a relation."""
    if region is equation or region.kind != "text" or region.running or region.hidden or region.caption:
        return False
    em = max(equation.size, 1.0)
    across = max(region.box[0] - equation.box[2], equation.box[0] - region.box[2])
    down = max(region.box[1] - equation.box[3], equation.box[1] - region.box[3])
    if _RELATED.search(region.text) and len(region.text) <= FRAGMENT_CHARS and down < 0 and across < _BESIDE * em:
        return True
    short = region.lines == 1 and len(region.text) <= _LIMIT_CHARS and region.math > MATH
    return short and across < 0 and down < _UNDER * em


def join_halves(regions: list[Region], glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> None:
    """Makes one equation of the stretches of a page that the bars of fractions hold together."""
    by_height = sorted(glyphs, key=_middle)
    heights = [_middle(glyph) for glyph in by_height]
    for bar in rules if len(rules) <= _MAX_BARS else ():
        near = slice(bisect_left(heights, bar[0] - _HALF_REACH), bisect_left(heights, bar[0] + _HALF_REACH))
        halves = _halves(by_height[near], bar)
        held = [r for r in regions if any(_holds_middle(r.box, glyph) for glyph in halves)]
        in_math = any(r.math > 0 or RELATION.search(r.text) for r in held)  # a line over a sum has figures alone
        if not in_math or not all(map(_may_be_half, held)) or [r.kind for r in held] == ["equation"]:
            continue
        first, *others = sorted(held, key=lambda region: region.box[1])
        for part in held:
            if part.kind == "text":
                take_own_number(part)
        for other in others:
            first.text, first.box = f"{first.text} {other.text}", union(first.box, other.box)
            first.label = first.label or other.label
            first.size, first.math = max(first.size, other.size), max(first.math, other.math)
            regions.remove(other)
        first.kind, first.spans = "equation", ()


def _halves(glyphs: Sequence[Glyph], bar: Rule) -> list[Glyph]:
    """What stands over and under a fraction's bar: next to it, both in its middle, the wider as wide as it; [] about
    other bars."""
    y, left, right = bar
    found: list[Glyph] = []
    aside = 0.0
    for upper in (True, False):
        side = [g for g in glyphs if (_middle(g) < y) is upper and left < (g.x0 + g.x1) / 2 < right]
        first = min(side, key=lambda g: abs(_middle(g) - y), default=None)
        if first is None or (y - first.y1 if upper else first.y0 - y) > _HALF_GAP * first.size:
            return []
        em = first.size
        level = [g for g in side if abs(g.base - first.base) < _HALF_GAP * em]
        tall = max((g.size for g in side if g.text in OPERATORS), default=0.0)
        if tall > em:  # the first is a limit
            level = [g for g in side if (y - g.y1 if upper else g.y0 - y) < _HALF_GAP * tall]
        x0, x1 = min(g.x0 for g in level), max(g.x1 for g in level)
        if abs(x0 + x1 - left - right) > em * _HALF_ASIDE or x0 < left - EDGE * em or x1 > right + EDGE * em:
            return []
        aside = max(aside, (x1 - x0) / (right - left))
        found += level
    return found if aside > _HALF_WIDTH else []


def _may_be_half(region: Region) -> bool:
    """Whether a stretch is an equation, or so short that it may be a part of one."""
    if region.kind == "equation":
        return True
    if region.kind != "text" or region.running or region.hidden or region.caption or region.marker:
        return False
    mathematical = region.math > 0 or WORD.search(region.text) is None
    return mathematical and region.lines <= _FRAGMENT_LINES and len(region.text) <= _HALF_CHARS


def _middle(glyph: Glyph) -> float:
    return (glyph.y0 + glyph.y1) / 2


def _holds_middle(box: Box, glyph: Glyph) -> bool:
    return box[0] <= (glyph.x0 + glyph.x1) / 2 <= box[2] and box[1] <= _middle(glyph) <= box[3]


def take_own_number(region: Region) -> None:
    """Parts the number from a formula that was found as text."""
    if (number := NUMBERED.search(region.text)) and not region.label:
        region.label, region.text = number[1], region.text[: number.start()].rstrip()


def take_number(regions: list[Region], equation: Region) -> None:
    """Gives an equation the number that stands alone beside it, at the margin."""
    x0, y0, x1, y1 = equation.box
    for other in regions if not equation.label else ():
        number = NUMBER.fullmatch(other.text) if other.kind == "text" and not other.running else None
        middle = (other.box[1] + other.box[3]) / 2
        if number and y0 < middle < y1 and (other.box[0] > x1 or other.box[2] < x0):
            equation.label = number[1]
            regions.remove(other)
            return


def gather(regions: list[Region], equation: Region, delimiters: Sequence[Item]) -> None:
    """Adds to an equation the short stretches of signs that touch it from above, below or beside, and what stands
    between tall delimiters beside it."""
    grown, held = True, list[Box]()
    while grown:
        grown = False
        at = next(place for place, region in enumerate(regions) if region is equation)
        held = _held_boxes(equation, delimiters)
        for place, other in enumerate(regions):
            near = abs(place - at) <= _REGIONS_APART and _is_part(other, equation)
            if other is not equation and (near or (held and _is_held(other, held))):
                if other.kind == "text":
                    take_own_number(other)
                upper, lower = sorted((equation, other), key=lambda region: region.box[1])
                equation.text = f"{upper.text} {lower.text}"
                equation.box = union(equation.box, other.box)
                equation.label = equation.label or other.label
                regions.remove(other)
                grown = True
                break
    for sign in delimiters:
        place = sign.x0, sign.y0, sign.x1, sign.y1
        if any(contains_centre(box, place) for box in held):
            equation.box = union(equation.box, place)


def _held_boxes(equation: Region, delimiters: Sequence[Item]) -> list[Box]:
    """What stands between tall delimiters of an equation, which are on its level and close beside it, or in it."""
    x0, y0, x1, y1 = equation.box
    near = _BESIDE * max(equation.size, 1.0)
    found: list[Box] = []
    for left in delimiters:
        level = left.y0 < (y0 + y1) / 2 < left.y1 or y0 < left.center < y1
        if not level or not x0 - near < left.x0 < x1 + near:
            continue
        right = next((d for d in delimiters if _are_pair(left, d)), None)
        if right is not None:
            found.append((left.x0, left.y0, right.x1, left.y1))
        elif left.text == "{":
            found.append((left.x0, left.y0, x1 + near, left.y1))
    return found


def _are_pair(left: Item, right: Item) -> bool:
    """Whether the second of two tall delimiters closes the first."""
    wanted = CLOSE[OPEN.index(left.text)] if left.text in OPEN else left.text
    apart = max(abs(left.y0 - right.y0), abs(left.y1 - right.y1))
    return right.text == wanted and right.x0 > left.x1 and apart < _LEVEL


def _is_held(region: Region, boxes: Sequence[Box]) -> bool:
    """Whether a short stretch stands between delimiters."""
    if region.running or region.hidden or region.caption or region.kind not in {"text", "equation"}:
        return False
    return len(region.text) <= _HALF_CHARS and any(contains_centre(box, region.box) for box in boxes)


def _is_part(region: Region, equation: Region) -> bool:
    if region.running or region.hidden or region.caption or region.marker or region.kind not in {"text", "equation"}:
        return False
    if region.lines > _FRAGMENT_LINES or len(region.text) > FRAGMENT_CHARS:
        return False
    em = max(equation.size, 1.0)
    across = max(region.box[0] - equation.box[2], equation.box[0] - region.box[2])
    down = max(region.box[1] - equation.box[3], equation.box[1] - region.box[3])
    if WORD.search(region.text) and region.math <= MATH:
        related = _RELATED.search(NUMBERED.sub("", region.text)) is not None
        return related and len(WORD.findall(region.text)) == 1 and down < 0 and across < _BESIDE * em
    if region.kind == "equation" and region.size > _SCRIPT_SIZE * em:
        return down < -_NEAR * em and across < _BESIDE * em
    outside = max(equation.box[0] - region.box[0], region.box[2] - equation.box[2])
    return down < _NEAR * em and (across < _BESIDE * em if down < 0 else across < 0 and outside < _BESIDE * em)
