"""Characters as pdfium gives them made those a reader sees: hyphens at line ends, small capitals and figures at private
places, ligatures kept as placeholders, negated signs."""

from __future__ import annotations

import re
import unicodedata

from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.word.symbols import without_private
from sidecar_pdf.pdfium.encodings import expand_placeholders
from sidecar_pdf.pdfium.glyph_names import NEGATION
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.segments import SOFT_HYPHEN

HYPHENATED = "\x02"
"""What pdfium puts for a hyphen it drew."""
LINE_END_HYPHEN = f"{HYPHENATED}\ufffe"
"""What pdfium puts for a hyphen at the end of a line."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ufeff\u200b]")
_NEGATED = re.compile(rf"{NEGATION}(\S)")
_EXPERT_SET = {
    **{0xF730 + digit: str(digit) for digit in range(10)},
    **{0xF761 + at: chr(ord("A") + at) for at in range(26)},
    **{0xF638 + digit: str(digit) for digit in range(2, 10)},
    0xF639: "0", 0xF6DC: "1",
}  # fmt: skip
"""Figures and small capitals at the private places Adobe's fonts give them (Adobe Glyph List, corporate use)."""


def with_negated(text: str) -> str:
    """The text with signs struck through, where TeX sets the stroke before them; as long as before."""
    return _NEGATED.sub(_negated, text)


def _negated(match: re.Match[str]) -> str:
    """The sign after the stroke, struck through, and a blank of no width in its place."""
    sign = unicodedata.normalize("NFC", match[1] + NEGATION)
    return sign + ZERO_WIDTH_SPACE if len(sign) == 1 else match[0]


def clean(token: str, font: str = "") -> str:
    """A word without control characters, those at private places of the font Symbol as what it draws there; a final
    hyphen mark of pdfium becomes U+00AD, for `paragraphs` to judge."""
    if token[-1] in LINE_END_HYPHEN:
        token = token[:-1] + SOFT_HYPHEN
    if not token.isprintable():
        token = without_private(token) if font.startswith("Symbol") else token
        token = without_surrogates(expand_placeholders(_CONTROL.sub("", token)).translate(_EXPERT_SET))
    return token
