"""What counts as a word when readers are compared, and which words a reader has but parts otherwise.

The same for every reader, so that none is judged by how it writes what all have read: a number or a time is one word
however many zeros end it (`2.0`, `2`) and however its thousands are parted, and a number of many digits is what a
cell without a format shows of it, since some readers show that and others all a file holds (`0.0366059016`); a letter
of a script without spaces is a word, since nobody breaks lines at the same place; a word broken at a line's end is
one; UTF-8 that was taken for Latin-1 is read as what it is; and letters that are drawn several times to look bold
(`ttoottaall`) count once, as do mathematical ones that Word gives twice for one glyph. Addresses are not words.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

_BROKEN = re.compile(r"(?<=\w)(?:\u00ad|[-\u2010]\s*\n)\s*(?=\w)")
_ADDRESSES = re.compile(r"\]\((?:[^()\n]|\([^()\n]*\))*\)|\w+://\w[^\s<>]*|\bmailto:\S*|\bhttps?\b")
"""Those of links and pictures in Markdown, and those written out."""
_GARBLED = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]{1,3}"
)
_MATH_TWICE = re.compile("([\U0001d400-\U0001d7ff])\\1")
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(f"[{_UNSPACED}]+")
_NUMBER = r"\d+(?:[.,:]\d+)*(?:[eE][+-]?\d+)?"
_WORD = re.compile(rf"(?<![^\W\d_])(?:{_NUMBER})(?![^\W\d_])|[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_ZEROS = re.compile(r"(\.\d*?)0+$")
_DRAWN_TWICE = re.compile(r"(?:(.)\1++)++")
_LETTERS = re.compile(r"(.)\1*")
_POINTS = re.compile("[.,:]")
_ROOM, _DIGITS = 10, 7
"""Digits that a cell without a format has room for, one fewer behind the point, and those that are compared: some
readers round otherwise."""
_POWERS = 5
"""Digits where a cell without a format writes powers of ten, with six of them: for numbers of `_LARGE` and more, and
under `_SMALL`."""
_LARGE, _SMALL, _WHOLE = 1e11, 1e-4, 12
_LONGEST = 4  # pieces that one word is parted into


def sequence(text: str) -> list[str]:
    """The words of a text in their order."""
    text = _MATH_TWICE.sub(r"\1", _GARBLED.sub(_repaired, _ADDRESSES.sub(" ", text)))
    text = _BROKEN.sub("", unicodedata.normalize("NFKC", text)).casefold()
    text = _RUN.sub(lambda match: _once(match[0]), text)
    return [_plain(word) for word in _WORD.findall(text)]


def counted(text: str) -> Counter[str]:
    return Counter(sequence(text))


def agreed(counts: Sequence[Counter[str]]) -> Counter[str]:
    """What at least two of the counts hold."""
    both: Counter[str] = Counter()
    for at, one in enumerate(counts):
        for other in counts[at + 1 :]:
            both |= one & other
    return both


def parted(want: Counter[str], have: Sequence[str]) -> Counter[str]:
    """The words of `want` that a reader does not say as often, but whose letters it says in words that nobody wants:
    within a longer one, or in several that follow one another. Each letter counts once."""
    said = Counter(have)
    missing, extra = want - said, said - want
    found: Counter[str] = Counter()
    if not missing or not extra:
        return found
    squeezed = {_POINTS.sub("", word): word for word in missing}
    for at in range(len(have)):
        for count in range(1, _LONGEST + 1):
            pieces = have[at : at + count]
            word = squeezed.get(_POINTS.sub("", "".join(pieces)), "")
            if found[word] < missing[word] and not Counter(pieces) - extra:
                found[word] += 1
                extra -= Counter(pieces)
                break
    letters = " ".join(extra.elements())
    for word in sorted(missing - found, key=len, reverse=True):
        count = min(letters.count(word), missing[word] - found[word])
        letters = letters.replace(word, " ", count)
        found[word] += count
    return +found


def _plain(word: str) -> str:
    if word[0].isdigit() and word.isascii():
        word = _ZEROS.sub(r"\1", _THOUSANDS.sub("", word)).rstrip(".")
        is_short = len(word) <= _DIGITS + 2 or (word.isdigit() and len(word) < _WHOLE)
        return word if is_short and "e" not in word else _shown(word)
    return word if word.isdigit() else _once(word)


def _shown(word: str) -> str:
    """A number as a cell without a format shows it; what is none as it is."""
    try:
        value = float(word)
    except ValueError:  # a time, or points between thousands
        return word
    if value == 0 or not math.isfinite(value):
        return word
    if value >= _LARGE or value < _SMALL:
        return f"{value:.{_POWERS - 1}e}"
    for digits in (_ROOM, _DIGITS):
        value = float(f"{float(f'{value:.{digits}g}'):.{digits - 1}f}")
    return f"{value:.{_DIGITS}f}".rstrip("0").rstrip(".")


def _once(word: str) -> str:
    if len(word) < 2 or not _DRAWN_TWICE.fullmatch(word):
        return word
    runs = [match[0] for match in _LETTERS.finditer(word)]
    times = min(map(len, runs))
    return "".join(run[0] * (len(run) // times) for run in runs)


def _repaired(match: re.Match[str]) -> str:
    for coding in ("cp1252", "latin-1"):
        try:
            return match[0].encode(coding).decode("utf-8")
        except UnicodeError:
            continue
    return match[0]
