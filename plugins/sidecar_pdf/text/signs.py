"""Signs that a page draws otherwise than its characters tell: those of pi fonts, the alphabets of TeX's fonts for
mathematics, whose glyphs are named as plain letters, signs that TeX puts together of several, and underscores it
draws as rules."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from string import ascii_letters, ascii_uppercase

from sidecar.api import Box
from sidecar_pdf.pdfium.glyph_names import NEGATION
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.segments import Segment, Word

# Points, and ems of the type beside.
_LONGEST_UNDERSCORE = 8.0
_AROUND = 0.3  # of white on both sides of an underscore
_OVER_FOOT, _UNDER_FOOT = 0.36, 0.1  # of it from the foot of a word, whose box may reach as low as its font does
_PI_FONTS = {
    "AdvMathSymb": {"¼": "=", "þ": "+", "ð": "(", "Þ": ")"},
    "AdvPS7DA6": {"2": "−", ",": "<"},
    "AdvPS7CFD": {"£": "×"},
    "AdvP4C4E51": {":": ".", ";": ","},
}
"""What pi fonts for mathematics of the typesetting program Advent 3B2 draw, where they declare the letters of their
codes; as pages set in them show."""
_ALPHABETS = (
    (re.compile(r"MSBM\d|^[tp]xsyb|^bbold|PazoMathBlackboard|BBM[SI]?S?\d|^ds(?:rom|ss)", re.IGNORECASE),
     "DOUBLE-STRUCK CAPITAL"),
    (re.compile(r"CMB?SY\d|LMMathSymbols|^[tp]xb?sy(?!b)|RSFS|EUS[MB]\d", re.IGNORECASE), "SCRIPT CAPITAL"),
    (re.compile(r"EUF[MB]\d", re.IGNORECASE), "FRAKTUR"),
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
