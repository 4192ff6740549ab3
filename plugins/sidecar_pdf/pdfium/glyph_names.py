"""What names of glyphs say that pdfium does not know: ligatures, the signs of TeX's fonts, the numbers by which fonts
of signs call theirs. pdfium knows the Adobe Glyph List and `uniXXXX`; of other glyphs it gives the code as character.

Names of TeX's signs are those of the fonts cmsy, cmex, msam and msbm; their meaning is in TeX's texglyphlist.txt. The
numbers of Linotype's Universal Pi fonts stand in the order of their keys, which the fonts' own encodings tell."""

import re
import unicodedata
from functools import cache
from pathlib import Path

_LIGATURES = {"ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "longs_t": "ſt", "germandbls": "ß"}
NEGATION = "\u0338"
"""The stroke through a sign, which TeX sets before it."""
_TEX, _KNOWN = Path(__file__).with_name("glyph_names.txt").read_text("utf-8").split("\n\n")
"""`name:sign`, of names that pdfium does not know, and of those it knows."""
_SIGNS = {name: sign for name, _, sign in (entry.partition(":") for entry in _TEX.split())} | {
    "negationslash": NEGATION
}
_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
"""
_SIZES = re.compile(r"(?:text|display|big|Big|bigg|Bigg|tp|bt|ex|mid)+$")
"""What TeX's names say of the size of a sign, or which piece of a tall one it is."""
_OMS = "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘∙≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽"
"""TeX's encoding of signs from 0 on: fonts of 3B2 typesetters call their signs C0, C1, … by the places in it."""
_PI: dict[int, str] = {
    first + at: sign
    for first, signs in (
        (9001, "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"), (9251, "αβγδεζηθικλμνξοπρσςτυφχψω"),
        (11001, "+−×÷=±∓"), (11011, "∼"), (11015, "≈"), (11021, "<>"), (11032, "′″°"), (11349, "≤≥"),
    ) for at, sign in enumerate(signs)
} | {9277: "ϑ", 9278: "φ", 9280: "ε"}  # fmt: skip
_NUMBERED = re.compile(r"H(\d{4,5})")
_DOUBLE_STRUCK = re.compile(r"bb[A-Z]")
_PLACED = re.compile(r"C(\d{1,2})")


def sign(name: str) -> str:
    """The sign a glyph name stands for, known to pdfium or not; "" of letters, figures and names that say nothing."""
    return meaning(name) or _known_signs().get(name, "")


@cache
def _known_signs() -> dict[str, str]:
    """`{name: sign}` of signs and Greek letters that pdfium knows."""
    signs = {name: sign for name, _, sign in (entry.partition(":") for entry in _KNOWN.split())}
    for name in _GREEK.split():
        spelled = name.replace("lambda", "lamda").upper()
        signs[name] = unicodedata.lookup(f"GREEK SMALL LETTER {spelled}")
        signs[name.capitalize()] = unicodedata.lookup(f"GREEK CAPITAL LETTER {spelled}")
    return signs


def meaning(name: str, font: str = "") -> str:
    """The characters a glyph name stands for, where pdfium does not know them; "" of others."""
    base = name.partition(".")[0]
    if base in _LIGATURES:
        return _LIGATURES[base]
    number = _NUMBERED.fullmatch(base)
    if number:
        return _PI.get(int(number[1]), "")
    if _DOUBLE_STRUCK.fullmatch(base):
        letter = base[-1]
        return unicodedata.lookup(f"{'' if letter in 'CHNPQRZ' else 'MATHEMATICAL '}DOUBLE-STRUCK CAPITAL {letter}")
    place = _PLACED.fullmatch(base) if font.startswith("Adv") else None
    if place:
        return _OMS[int(place[1])] if int(place[1]) < len(_OMS) else ""
    sign = _SIGNS.get(base) or _SIGNS.get(_SIZES.sub("", base))
    return sign or _ligature(base)


def _ligature(base: str) -> str:
    """The letters of a name such as `f_i` (Adobe Glyph List Specification, 2)."""
    parts = base.split("_")
    if len(parts) < 2 or any(part != "longs" and not (len(part) == 1 and part.isalpha()) for part in parts):
        return ""
    return "".join("ſ" if part == "longs" else part for part in parts)
