"""Letters that are written in more than one way, made one, for texts and queries alike: signs that few write left out,
digits of other scripts as ASCII has them, and Arabic letters that stand for one another.

SQLite's tokenizer takes a word apart at every sign of a vowel that stands in it, as at a joiner or an apostrophe, takes
the stretching of an Arabic word for letters of it, and knows each digit by itself only. So such words stand once more,
as `indexed` has them, in the search column beside a text (`analysis.beside`), and queries are read as `regular`."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from string import ascii_letters
from typing import Final

_LEFT_OUT: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # points and accents of Hebrew
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"  # signs and stretching of Arabic
    "\u093c\u200c\u200d"  # the dot below letters of Devanagari; joiners
)
_JOINER: Final = "\u200c"
_INSTEAD: Final = {
    **{chr(0xFEE0 + ord(one)): one for one in f"{ascii_letters}-./"},
    "\u02bb": "'", "\u02bc": "'", "\u0901": "\u0902",
}  # fmt: skip
"""Letters of full width; the apostrophes that are letters; the two signs of a nasal vowel in Devanagari."""
_NASALS: Final = "|".join(
    f"{nasal}\u094d(?=[{before}])"
    for nasal, before in (("ङ", "क-घ"), ("ञ", "च-झ"), ("ण", "ट-ढ"), ("न", "त-ध"), ("म", "प-भ"))
)
"""A nasal before a consonant of its own kind, which Hindi mostly writes as a dot: हिन्दी, हिंदी."""
_ABBREVIATED: Final = "(?<=[\u05d0-\u05ea])[\"'\u05f3\u05f4](?=[\u05d0-\u05ea])"
"""The marks within Hebrew abbreviations, whichever key they were typed with."""
_ALIKE: Final = str.maketrans("أإآٱىیئؤکةۀہھ", "ااااييءءكهههه")
"""Arabic letters that are written for one another, Persian and Urdu ones too."""

_SMALL_FIGURES: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"
_FIGURES: Final = str.maketrans(_SMALL_FIGURES, "0123456789" * 2)
_PARTED: Final = (
    f"(?<=[0-9{_SMALL_FIGURES[10:]}])(?=[⁻⁺]?[{_SMALL_FIGURES[:10]}])"  # of a power
    f"|(?<=[{_SMALL_FIGURES}])(?=[0-9])|(?<=[0-9{_SMALL_FIGURES[:10]}])(?=[{_SMALL_FIGURES[10:]}])"
)
"""Between a number and another above or below its line."""


@cache
def _parted() -> re.Pattern[str]:
    return re.compile(_PARTED)


def has_small_figures(text: str) -> bool:
    """Whether a text has raised or lowered figures that are characters of their own: "m²", "CO₂"."""
    if text.isascii():
        return False
    for figure in _SMALL_FIGURES:  # noqa: SIM110  # a generator takes twice as long
        if figure in text:
            return True
    return False


def with_full_figures(text: str) -> str:
    """`text` with such figures as one types them without: "m2", "CO2"; behind a number, which they are no digits of,
    apart from it: "10 5"."""
    return _parted().sub(" ", text).translate(_FIGURES) if has_small_figures(text) else text


@cache
def _irregular() -> re.Pattern[str]:
    """What `regular` replaces: compiled when a text may hold any, as every start would pay for it."""
    return re.compile(f"[{_LEFT_OUT}{re.escape(''.join(_INSTEAD))}]|(?![0-9])\\d|{_NASALS}|{_ABBREVIATED}")


def regular(text: str) -> str:
    """`text` with one spelling of each word that differs in such letters, as a person would still write it."""
    return text if text.isascii() else _irregular().sub(_replaced, text)


def regular_places(text: str) -> tuple[str, list[int]]:
    """`regular`, and the place in `text` of each of its characters and of its end."""
    pieces: list[str] = []
    places: list[int] = []
    end = 0
    for one in _irregular().finditer(text):
        instead = _replaced(one)
        pieces += (text[end : one.start()], instead)
        places += range(end, one.start())
        places += [one.start()] * len(instead)
        end = one.end()
    return "".join((*pieces, text[end:])), [*places, *range(end, len(text) + 1)]


def _replaced(one: re.Match[str]) -> str:
    found = one[0]
    if len(found) > 1:
        return "\u0902"
    return str(unicodedata.decimal(found)) if found.isdecimal() else _INSTEAD.get(found, "")


def alike(word: str) -> str:
    """A `regular` word with Arabic letters that are written for one another made one: for looking it up."""
    return word.translate(_ALIKE)


def indexed(text: str) -> list[str]:
    """The pieces between spaces of a text that hold letters written in more than one way, with these made one; those
    with a joiner as one word and apart; and Greek without the accents of its older spelling."""
    irregular, found = _irregular(), list[str]()
    pieces = text.split()
    apart = [part for piece in pieces if _JOINER in piece for part in piece.split(_JOINER)]
    for piece in (*pieces, *apart):
        if piece.isascii():
            continue
        plain = alike(irregular.sub(_replaced, piece))
        if any("\u1f00" <= one <= "\u1fff" for one in plain):
            plain = "".join(one for one in unicodedata.normalize("NFD", plain) if not unicodedata.combining(one))
        if plain != piece:
            found.append(plain)
    return found
