"""Writes the displayed equations of a page as formulas, from the glyphs and bars where they stand; what fractions and
limits were parted into goes back to its equation."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sidecar.api import Box
from sidecar.toolkit.hidden import latex_hides
from sidecar_pdf.formulas.drawn import drawn_signs
from sidecar_pdf.formulas.items import tall_delimiters
from sidecar_pdf.formulas.pieces import is_balanced
from sidecar_pdf.formulas.reading import read_formula
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.structure.equations.gathering import (
    EDGE,
    FRAGMENT_CHARS,
    MATH,
    NUMBER,
    NUMBERED,
    RELATION,
    WORD,
    gather,
    is_left_out,
    is_sign_of,
    join_halves,
    take_number,
    take_own_number,
)
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.text.glyphs import UNKNOWN, Glyph

_SIGN = re.compile(rf"{RELATION.pattern}|[+−*/·×±∪∩∧∨⊕⊗∘∑∏∫∂∇√∞|‖α-ωΑ-Ω^_]")
_OPERATOR = re.compile(r"[+−*/·×±∪∩∧∨⊕⊗∘∑∏∫∂∇√]")
_UNKNOWN = re.compile(rf"[{UNKNOWN}\ue000-\uf8ff\U000f0000-\U0010fffd]")
"""A sign that is not known, or a character of private use."""
_CUT = re.compile(rf" (?:{RELATION.pattern}|[+−])$|√\u0304")
"""How what is a piece of an equation ends, and a root whose line is a mark over it."""
_CASES = re.compile(rf"{RELATION.pattern} ?\{{(?!.*\}})")
"""A brace behind a relation that nothing closes: words beside its rows say where these hold."""
_SOURCE = re.compile(r"\$\$([^$]+)\$\$[.,;]?")
"""LaTeX of a display that a program did not typeset, such as one whose commands it does not know."""
UNKNOWN_SIGNS = "a font does not tell what all its signs are"
LOOSE_PIECES = "its pieces do not join; its signs follow as they stand"
UNSURE_PLACES = "not all its signs have a sure place"
"""The flaws of equations."""
_ENDING = re.compile(r"\s*[.,;]$")
# Ems and counts. Chosen on typeset formulas (tests/bench/layout/pdf_equations.py).
_INK = 0.6  # around an equation in which its ink stands
_FORMULA_LINES, _FORMULA_CHARS = 5, 220
_INSET, _AROUND = 1.2, 2  # ems by which a formula is indented from text around it; regions before and after it
_SIGNS, _SOME_MATH = 2, 0.25  # that make a line so indented a formula; share of its characters that does
_DIGITS_APART, _NUMBER_APART = 0.4, 0.8  # ems between the digits of numbers; before them
_MIN_GLYPHS, _MAX_GLYPHS = 2, 600  # of an equation: fewer or more are something else


def read_formulas(page: PageRegions, glyphs: Sequence[Glyph], graphics: PageGraphics) -> None:
    """Gives each equation its linear text, and LaTeX where every sign has one; what cannot be read stays as it is, and
    its flaw says so."""
    rules = [*graphics.horizontal, *graphics.bars]
    join_halves(page.regions, glyphs, rules)
    for at, region in enumerate(page.regions):
        if (source := _SOURCE.fullmatch(region.text)) and region.kind == "text" and not (region.code or region.mono):
            _take_source(region, source[1])
        elif _is_formula(region, page.regions[max(at - _AROUND, 0) : at + _AROUND + 1]):
            region.kind, region.spans = "equation", ()
            take_own_number(region)
    delimiters = tall_delimiters(glyphs)
    for equation in [region for region in page.regions if region.kind == "equation" and not region.latex]:
        if not any(region is equation for region in page.regions):
            continue
        gather(page.regions, equation, delimiters)
        take_number(page.regions, equation)
    for equation in [region for region in page.regions if region.kind == "equation" and not region.latex]:
        x0, y0, x1, y1 = equation.box
        air = _INK * equation.size
        inside = [
            g for g in glyphs
            if x0 - air < (g.x0 + g.x1) / 2 < x1 + air and y0 - air < (g.y0 + g.y1) / 2 < y1 + air
            and not _belongs_elsewhere(g, page.regions, equation)
        ]  # fmt: skip
        if parts := _numbered_parts(inside, equation, rules):
            at = next(place for place, region in enumerate(page.regions) if region is equation)
            page.regions[at : at + 1] = parts
            continue
        inside = _without_label(inside, equation.label)
        if len(inside) < _MAX_GLYPHS and _covers(inside, equation):
            bars = [r for r in rules if y0 - air < r[0] < y1 + air and x0 - air < r[1] and r[2] < x1 + air]
            signs, others = drawn_signs(inside, graphics)
            if _is_read(equation, [*inside, *signs], bars):
                left_out = any(is_left_out(region, equation) for region in page.regions)
                equation.flaw = equation.flaw or (UNSURE_PLACES if others or left_out else "")
                equation.box = _inked(equation, inside)
                page.regions[:] = [region for region in page.regions if not is_sign_of(region, equation)]
                continue
        equation.flaw = UNKNOWN_SIGNS if _UNKNOWN.search(equation.text) else LOOSE_PIECES


def _take_source(region: Region, source: str) -> None:
    """Makes an equation of LaTeX that a program left as it is."""
    source = source.strip()
    if any(sign in source for sign in "\\^_") and not latex_hides(source):
        region.kind, region.spans, region.text, region.latex = "equation", (), source, source


def _is_read(equation: Region, glyphs: Sequence[Glyph], bars: Sequence[Rule]) -> bool:
    """Gives an equation the text and LaTeX of its glyphs, and what flaw they have; False where they give none."""
    made = read_formula(glyphs, bars) if len(glyphs) >= _MIN_GLYPHS else None
    if made is None or not _holds(made.linear, glyphs):
        return False
    equation.text = _ENDING.sub("", made.linear)
    whole = made.sure and not _CUT.search(equation.text) and is_balanced(equation.text)
    whole = whole and (r"\begin{cases}" in made.latex or equation.text.count("{") == equation.text.count("}"))
    equation.flaw = UNKNOWN_SIGNS if _UNKNOWN.search(equation.text) else "" if whole else UNSURE_PLACES
    equation.latex = _ENDING.sub("", made.latex) if made.sure else ""
    return True


def _numbered_parts(glyphs: list[Glyph], equation: Region, rules: Sequence[Rule]) -> list[Region]:
    """The equations of a system whose lines have numbers of their own at the right, parted where there is white from
    edge to edge between two numbers; [] where it is one, or cannot be parted and read whole."""
    numbers = _numbers_at_edge(glyphs)
    if len(numbers) < 2 or len(glyphs) >= _MAX_GLYPHS or not _covers(glyphs, equation):
        return []
    own = {id(glyph) for _, number in numbers for glyph in number}
    signs = sorted((g for g in glyphs if id(g) not in own), key=lambda g: g.y0)
    cuts = [equation.box[1] - _MAX_GLYPHS]
    for (_, upper), (_, lower) in pairwise(numbers):
        cut = _white_between(signs, upper[0].base, lower[0].base)
        if cut is None:
            return []
        cuts.append(cut)
    parts: list[Region] = []
    for (label, _), top, foot in zip(numbers, cuts, [*cuts[1:], equation.box[3] + _MAX_GLYPHS], strict=True):
        inside = [g for g in signs if top < (g.y0 + g.y1) / 2 < foot]
        x0, x1 = equation.box[0], equation.box[2]
        bars = [r for r in rules if top < r[0] < foot and x0 - equation.size < r[1] and r[2] < x1 + equation.size]
        part = replace(equation, label=label)
        if not _is_read(part, inside, bars):
            return []
        part.box = (x0, min(g.y0 for g in inside), x1, max(g.y1 for g in inside))
        parts.append(part)
    return parts


def _numbers_at_edge(glyphs: Sequence[Glyph]) -> list[tuple[str, list[Glyph]]]:
    """The numbers, from the top on, that stand under one another at the right, apart from what is left of them."""
    right = max((g.x1 for g in glyphs), default=0.0)
    found: list[tuple[str, list[Glyph]]] = []
    for last in sorted((g for g in glyphs if g.text == ")" and g.x1 > right - EDGE * g.size), key=lambda g: g.base):
        level = [g for g in glyphs if abs(g.base - last.base) < EDGE * last.size and g.x0 <= last.x0]
        run: list[Glyph] = []
        for glyph in sorted(level, key=lambda g: -g.x0):
            if run and run[-1].x0 - glyph.x1 > _DIGITS_APART * last.size:
                break
            run.append(glyph)
        number = NUMBER.fullmatch("".join(g.text for g in reversed(run)))
        start = run[-1].x0 - _NUMBER_APART * last.size
        beside = any(g not in run and g.x1 > start and g.y0 < last.base and g.y1 > run[-1].y0 for g in glyphs)
        if number and not beside:
            found.append((number[1], run))
    return found


def _white_between(glyphs: Sequence[Glyph], upper: float, lower: float) -> float | None:
    """The middle of the widest white band, from edge to edge, between two baselines; None where there is none. `glyphs`
    are sorted by their tops."""
    best, foot = (0.0, 0.0), -math.inf
    for glyph in glyphs:
        start, end = max(foot, upper - glyph.size), min(glyph.y0, lower)
        best = max(best, (end - start, (start + end) / 2)) if foot > -math.inf else best
        foot = max(foot, glyph.y1)
    return best[1] if best[0] > 0 else None


def _is_formula(region: Region, near: Sequence[Region]) -> bool:
    """Whether a short stretch is a formula: set in mathematical type around a relation, one in a column of its own
    being indented from nothing, or indented from the text `near` it and of signs rather than of words."""
    if region.kind != "text" or region.running or region.hidden or region.caption or region.lines > _FORMULA_LINES:
        return False
    text = region.text
    related = RELATION.search(text) is not None
    if _CASES.search(text) and len(text) <= FRAGMENT_CHARS:
        return any(_is_inset(region, other, numbered=False) for other in near)
    if WORD.search(text) or len(text) > _FORMULA_CHARS or not (related or _OPERATOR.search(text)):
        return False
    if related and region.math > MATH:
        return True
    numbered = NUMBERED.search(text) is not None
    signs = len(_SIGN.findall(text))
    if not any(_is_inset(region, other, numbered=numbered) for other in near):
        return False
    if not related:
        return region.math > MATH
    return signs >= _SIGNS or region.math > _SOME_MATH or (numbered and signs > 0)


def _is_inset(region: Region, other: Region, *, numbered: bool) -> bool:
    """Whether a region is indented on both sides from running text, or on the left where it ends with a number."""
    if other.kind not in {"text", "list"} or not other.in_flow:
        return False
    air = _INSET * max(region.size, 1.0)
    right = other.box[2] + (air if numbered else -air)
    return other.box[0] < region.box[0] - air and region.box[2] < right and len(other.text) > len(region.text)


def _belongs_elsewhere(glyph: Glyph, regions: Sequence[Region], equation: Region) -> bool:
    """Whether ink near an equation is that of another region."""
    x, y = (glyph.x0 + glyph.x1) / 2, (glyph.y0 + glyph.y1) / 2
    if equation.box[1] <= y <= equation.box[3] and equation.box[0] <= x <= equation.box[2]:
        return False
    return any(
        r is not equation and not r.hidden and r.box[0] <= x <= r.box[2] and r.box[1] <= y <= r.box[3] for r in regions
    )


def _without_label(glyphs: list[Glyph], label: str) -> list[Glyph]:
    """The glyphs without the equation's number at the right."""
    if not label:
        return glyphs
    wanted = f"({label})".replace(" ", "")
    by_place = sorted(glyphs, key=lambda g: g.x0)
    tail = by_place[-len(wanted) :]
    return by_place[: -len(wanted)] if "".join(g.text for g in tail)[1:-1] == wanted[1:-1] else glyphs


def _inked(equation: Region, glyphs: Sequence[Glyph]) -> Box:
    """The box of an equation without white over and under its ink: signs of TeX's extension font, which hang from their
    baseline, have boxes that reach into the lines under it. What of its ink stands beyond is in it."""
    x0, y0, x1, y1 = equation.box
    left, top, right, foot = bounding_box((g.x0, g.y0, g.x1, g.y1) for g in glyphs)
    air = _INK * equation.size
    return min(x0, left), min(top, max(y0, top - air)), max(x1, right), max(foot, min(y1, foot + air))


def _holds(text: str, glyphs: Sequence[Glyph]) -> bool:
    """Whether every letter and figure of the glyphs is in a text."""
    spelled = text.replace("∛", "3√").replace("∜", "4√")
    return _counted("".join(g.text for g in glyphs)) <= _counted(spelled)


def _covers(glyphs: Sequence[Glyph], equation: Region) -> bool:
    """Whether the glyphs have every letter and figure of the equation's own text."""
    text = equation.text.replace(f"({equation.label})", "") if equation.label else equation.text
    missing = _counted(text) - _counted("".join(g.text for g in glyphs))
    return missing.total() <= sum(glyph.text == UNKNOWN for glyph in glyphs)


def _counted(text: str) -> Counter[str]:
    return Counter(c for c in unicodedata.normalize("NFKD", text) if c.isalnum() and unicodedata.category(c) != "Lm")
