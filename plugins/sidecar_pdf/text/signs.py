"""Signs that a page draws otherwise than its characters tell: those of pi fonts, the alphabets of TeX's fonts for
mathematics, whose glyphs are named as plain letters, signs that TeX puts together of several, underscores it draws as
rules, and roots that browsers draw as shapes."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from string import ascii_letters, ascii_uppercase

from sidecar.api import Box
from sidecar.toolkit.drawn.affine import concatenated
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.glyph_names import NEGATION
from sidecar_pdf.pdfium.graphics import FilledPath, PageGraphics, Rule
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.glyphs import Glyph
from sidecar_pdf.text.segments import Segment, Word

# Points, and ems of the type beside.
_LONGEST_UNDERSCORE = 8.0
_AROUND = 0.3  # of white on both sides of an underscore
_OVER_FOOT, _UNDER_FOOT = 0.36, 0.1  # of it from the foot of a word, whose box may reach as low as its font does
_ROOT_WIDTH, _ROOT_BAR, _ROOT_HOOK = 1.2, 0.15, 0.15  # heights of a root: of its sign, its bar, its hook at both ends
_ROOT_POINTS = 5  # of its outline besides the end of its bar
_ROOT_EMS, _ROOT_BODY = 12.0, 0.6  # its height at most, and to what is under its bar
_PI_FONTS = {
    "AdvMathSymb": {"¼": "=", "þ": "+", "ð": "(", "Þ": ")"},
    "AdvPS7DA6": {"2": "−", ",": "<"},
    "AdvPS7CFD": {"£": "×"},
    "AdvP4C4E51": {":": ".", ";": ","},
}
"""What pi fonts for mathematics of the typesetting program Advent 3B2 draw, where they declare the letters of their
codes; as pages set in them show."""
_ALPHABETS = (
    (re.compile(r"MSBM\d|^[tp]xsyb|^bbold|PazoMathBlackboard|BBM[SI]?S?\d|^ds(?:rom|ss)|KaTeX_AMS", re.IGNORECASE),
     "DOUBLE-STRUCK CAPITAL"),
    (re.compile(r"CMB?SY\d|LMMathSymbols|^[tp]xb?sy(?!b)|RSFS|EUS[MB]\d|KaTeX_(?:Calig|Script)", re.IGNORECASE),
     "SCRIPT CAPITAL"),
    (re.compile(r"EUF[MB]\d|KaTeX_Frak", re.IGNORECASE), "FRAKTUR"),
)  # fmt: skip
"""Fonts of alphabets, and how Unicode calls the letters they draw."""
_FRAKTUR = "FRAKTUR"
_ONE = re.compile(r"BBM|^ds(?:rom|ss)", re.IGNORECASE)
"""Fonts whose figure one is the sign of an indicator function."""
_CANDIDATES = {
    "DOUBLE-STRUCK CAPITAL": r"[A-Z1](?![a-z]{2})", "SCRIPT CAPITAL": r"[A-Z](?![a-z]{2})",
    _FRAKTUR: r"(?<![A-Za-z])[A-Za-z](?![a-z])",
}  # fmt: skip
"""What may be in an alphabet: letters of words are not, so few characters are asked for their font; one small letter
may be an index."""
_NEGATED = re.compile(rf"{NEGATION}(\S)")
_COMPOSED = {"↦→": "↦", "=⇒": "⟹", "⇐=": "⟸", "⇐⇒": "⟺", "−→": "⟶", "←−": "⟵", "←→": "⟷"}
_ARROWS = re.compile("|".join(map(re.escape, _COMPOSED)) + "|[©◯○] ?[cC]|[cC] ?[©◯○]")
_TOUCHING = 0.02  # of the width of a sign, by which the next begins after it where both are one


@cache
def font_signs(font: str) -> Mapping[str, str]:
    """What a font draws for characters: empty but for pi fonts and alphabets."""
    if font in _PI_FONTS:
        return _PI_FONTS[font]
    kind = next((kind for fonts, kind in _ALPHABETS if fonts.search(font)), "")
    letters = {"": "", _FRAKTUR: ascii_letters}.get(kind, ascii_uppercase)
    signs = {letter: _letter(kind, letter) for letter in letters}
    return {**signs, "1": "𝟙"} if kind and _ONE.search(font) else signs


@cache
def _letter(kind: str, letter: str) -> str:
    style = f"{kind} {'CAPITAL' if letter.isupper() else 'SMALL'}" if kind == _FRAKTUR else kind
    for block in ("MATHEMATICAL ", "", "BLACK-LETTER "):  # some letters stand among the letterlike symbols
        name = f"{block}{style.replace('FRAKTUR ', '') if block.startswith('BLACK') else style} {letter.upper()}"
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return letter


@cache
def _sign_candidates(fonts: frozenset[str]) -> re.Pattern[str]:
    """Where a text may hold signs of such fonts."""
    patterns = {pattern for font in fonts for pattern in _patterns(font)}
    return re.compile("|".join(sorted(patterns)) or r"(?!)")


def _patterns(font: str) -> list[str]:
    if font in _PI_FONTS:
        return [re.escape(letter) for letter in _PI_FONTS[font]]
    return [_CANDIDATES[kind] for fonts, kind in _ALPHABETS if fonts.search(font)]


def with_font_signs(text: str, fonts: frozenset[str], font_at: Callable[[int], str]) -> str:
    """The text with the signs that such fonts draw for letters; `font_at` gives the font at a position."""
    chars: list[str] | None = None
    for match in _sign_candidates(fonts).finditer(text):
        sign = font_signs(font_at(match.start())).get(match[0])
        if sign is not None:
            chars = list(text) if chars is None else chars
            chars[match.start()] = sign
    return text if chars is None else "".join(chars)


def with_negated(text: str) -> str:
    """The text with signs struck through, where TeX sets the stroke before them; as long as before."""
    return _NEGATED.sub(_negated, text) if NEGATION in text else text


def _negated(match: re.Match[str]) -> str:
    """The sign after the stroke, struck through, and a blank of no width in its place."""
    sign = unicodedata.normalize("NFC", match[1] + NEGATION)
    return sign + ZERO_WIDTH_SPACE if len(sign) == 1 else match[0]


def with_composed_arrows(text: str, box_at: Callable[[int], Box | None]) -> str:
    """The text with long arrows whole, and the sign of copyright, which TeX draws as two signs over one another; as
    long as before. `box_at` gives the box of the character at a position."""

    def shown(match: re.Match[str]) -> str:
        one, other = box_at(match.start()), box_at(match.end() - 1)
        if match[0] not in _COMPOSED:
            ring, letter = (other, one) if match[0][0] in "cC" else (one, other)
            within = ring and letter and ring[0] < letter[0] and letter[2] < ring[2]
            return "©" + ZERO_WIDTH_SPACE * (len(match[0]) - 1) if within else match[0]
        touching = one and other and other[0] < one[2] + _TOUCHING * (one[2] - one[0])
        return _COMPOSED[match[0]] + ZERO_WIDTH_SPACE if touching else match[0]

    return _ARROWS.sub(shown, text)


def join_underscores(segments: list[Segment], graphics: PageGraphics) -> None:
    """Puts words together that an underscore parts which is drawn as a rule: TeX's fonts of seven bits have no such
    sign (`\\textunderscore` in LaTeX's `ltoutenc.dtx`: 0.3 em wide, on the baseline, 0.06 em behind the letter before).
    What is an underscore is not a rule any more."""
    rules = [r for r in (*graphics.horizontal, *graphics.bars) if r[2] - r[1] < _LONGEST_UNDERSCORE]
    used: set[Rule] = set()
    for segment in segments if rules else ():
        own = [r for r in rules if segment.y0 < r[0] < segment.y1 + 1.0 and segment.x0 < r[1] and r[2] < segment.x1]
        if not own or segment.vertical:
            continue
        words = segment.words[:1]
        for before, word in pairwise(segment.words):
            drawn = [r for r in own if _is_underscore(r, before, word)]
            if drawn and word.x0 - before.x1 < sum(r[2] - r[1] + _AROUND * word.style.size for r in drawn):
                last = words.pop()
                box = (last.x0, min(last.y0, word.y0), word.x1, max(last.y1, word.y1))
                words.append(Word(last.text + "_" * len(drawn) + word.text, *box, *last[5:]))
                used.update(drawn)
            else:
                words.append(word)
        segment.words = words
    if used:
        graphics.horizontal = [r for r in graphics.horizontal if r not in used]
        graphics.bars = [r for r in graphics.bars if r not in used]


def _is_underscore(rule: Rule, before: Word, word: Word) -> bool:
    """Whether a rule between two words lies on their baseline."""
    y, x0, x1 = rule
    slack = _AROUND / 2 * word.style.size
    if not before.x1 - slack < x0 or not x1 < word.x0 + slack:
        return False
    under = [(y - one.y1) / max(one.style.size, 1.0) for one in (before, word)]
    return all(-_OVER_FOOT < at < _UNDER_FOOT for at in under)


def join_roots(segments: list[Segment], graphics: PageGraphics, frame: PageFrame) -> list[Glyph]:
    """Adds the signs of roots that are drawn as shapes over words, as KaTeX draws them (its `svgGeometry.ts`), to the
    text of the open page, and their bars to its rules; gives the signs. They are not shapes any more."""
    signs: list[Glyph] = []
    in_math = graphics.outlines and any(word.style.math for segment in segments for word in segment.words)
    for outline in graphics.outlines if in_math else ():
        root = _root_of(_points_of(outline, frame))
        if root is None:
            continue
        left, top, joint, foot = root
        body = [
            word for segment in segments if not segment.vertical and segment.y0 < foot and segment.y1 > top
            for word in segment.words
            if joint < (word.x0 + word.x1) / 2 < outline.box[2] and top < (word.y0 + word.y1) / 2 < foot
        ]  # fmt: skip
        style = max((word.style for word in body), key=lambda style: style.size, default=None)
        if style is None or foot - top > _ROOT_EMS * style.size:
            continue
        if min(word.x0 for word in body) - joint > _ROOT_BODY * style.size:
            continue
        style = style._replace(math=True, italic=False, bold=False)
        segments.append(Segment(Word("√", left, top, joint, foot, style, joined=False), len(segments)))
        signs.append(Glyph("√", left, top, joint, foot, foot, style.size, italic=False, bold=False, math=True))
        graphics.horizontal.append((top, joint, outline.box[2]))
        graphics.shapes.remove(outline.box)
    return signs


def _points_of(outline: FilledPath, frame: PageFrame) -> list[tuple[float, float, bool]]:
    """The points of a shape as shown, bars cut where clip paths end them, and whether a straight line leads to each."""
    matrix, point = raw.Matrix(), raw.floats(2)
    if not raw.object_matrix(outline.handle, matrix):
        return []
    a, b, c, d, e, f = concatenated((matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f), outline.affine)
    points: list[tuple[float, float, bool]] = []
    for at in range(raw.count_segments(outline.handle)):
        segment = raw.get_segment(outline.handle, at)
        if not raw.segment_point(segment, *point.addresses):
            return []
        px, py = point.values
        x, y = a * px + c * py + e, b * px + d * py + f
        shown = frame.box(x, y, x, y)
        points.append((min(shown[0], outline.box[2]), shown[1], raw.segment_type(segment) == raw.LINE))
    return points


def _root_of(points: Sequence[tuple[float, float, bool]]) -> Box | None:
    """The box of a radical sign, whose bar runs on to the right of it, that an outline draws: from its hook down to its
    foot, up to the joint, and along a thin bar at its top; None of other shapes."""
    if not points:
        return None
    end, top, foot = max(x for x, _, _ in points), min(y for _, y, _ in points), max(y for _, y, _ in points)
    height = foot - top
    sign = [(x, y) for x, y, _ in points if x < end - _ROOT_BAR * height]
    level = [one for one, other in pairwise(points) if other[2] and _is_bar(one, other, height)]
    at_end = [y for x, y, _ in points if x >= end - _ROOT_BAR * height]
    if len(sign) < _ROOT_POINTS or not level or max(at_end) - top > _ROOT_BAR * height:
        return None
    left, joint = min(sign), max(x for x, _ in sign)
    lowest = max(sign, key=lambda at: at[1])
    hooked = top + _ROOT_HOOK * height < left[1] < foot - _ROOT_HOOK * height
    narrow = left[0] < lowest[0] < joint < left[0] + _ROOT_WIDTH * height
    return (left[0], top, joint, foot) if hooked and narrow else None


def _is_bar(one: tuple[float, float, bool], other: tuple[float, float, bool], height: float) -> bool:
    """Whether a line runs level, further than a bar is thick."""
    return abs(one[1] - other[1]) < _ROOT_BAR * height / 2 and abs(one[0] - other[0]) > 2 * _ROOT_BAR * height
