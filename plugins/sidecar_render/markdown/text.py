"""Text made fit for lines and columns: where over-long words may break, how wide text is, which way it runs."""

import re
import unicodedata
from functools import lru_cache

_ZERO_WIDTH_SPACE = "\u200b"
_LONG = re.compile(r"[^\s\u200b]{24,}")
_AFTER = re.compile(r"([/\\._\-=&?#:;,@%+|)\]}]+|[a-z0-9](?=[A-Z]))(?=[^\s])")
_WIDE = re.compile(
    r"[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)
_SPACELESS = re.compile(r"[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003fffd]")


_LETTERS = {
    "zh": re.compile(r"[\u3400-\u9fff\uf900-\ufaff]"), "ja": re.compile(r"[\u3041-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"), "ar": re.compile(r"[\u0620-\u06ff]"), "he": re.compile(r"[\u05d0-\u05ea]"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]"), "th": re.compile(r"[\u0e01-\u0e5b]"),
}  # fmt: skip


def breakable(text: str, longest: int = 40) -> str:
    """The text with invisible break opportunities in words of more than `longest` characters: after punctuation where
    there is some, else every half of `longest`. Shorter words stay as they are, so that they can be copied.

    Opportunities stand a quarter of `longest` apart: each costs the engine, and the more the more a paragraph has."""
    if len(text) <= longest:
        return text

    def split(found: re.Match[str]) -> str:
        word = found[0]
        if len(word) <= longest or _SPACELESS.search(word):
            return word
        step = max(longest // 2, 8)
        pieces = [""]
        for piece in _AFTER.sub("\\1" + _ZERO_WIDTH_SPACE, word).split(_ZERO_WIDTH_SPACE):
            if len(pieces[-1]) < step // 2:
                pieces[-1] += piece
            else:
                pieces.append(piece)
        return _ZERO_WIDTH_SPACE.join(
            _ZERO_WIDTH_SPACE.join(piece[at : at + step] for at in range(0, len(piece), step))
            if len(piece) > longest
            else piece
            for piece in pieces
        )

    return _LONG.sub(split, text) if longest >= 24 else re.sub(rf"[^\s\u200b]{{{longest},}}", split, text)


def width(text: str) -> int:
    """How wide the text is in Latin letters; East Asian characters count twice."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def widest_word(text: str) -> int:
    """The width of the longest word; East Asian text may break anywhere."""
    return max((2 if _SPACELESS.search(word) else len(word) for word in text.split()), default=0)


@lru_cache(maxsize=4096)
def _direction(character: str) -> str:
    return unicodedata.bidirectional(character)


def starts_rtl(text: str) -> bool | None:
    """Whether the first strong character runs right to left (UAX #9, P2); None when there is none."""
    for character in text[:200]:
        direction = _direction(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return None


def language_of(text: str) -> str:
    """The language of a text by its script, where the script says it; else "en"."""
    sample = text[:20_000]
    total = sum(map(str.isalpha, sample)) or 1
    counts = {lang: len(found.findall(sample)) for lang, found in _LETTERS.items()}
    east = counts["zh"] + counts["ja"] + counts["ko"]
    if east * 4 > total:
        return "ko" if counts["ko"] * 2 > east else "ja" if counts["ja"] * 8 > east else "zh"
    lang = max(("ar", "he", "el", "th"), key=counts.__getitem__)
    return lang if counts[lang] * 2 > total else "en"


def slug(text: str) -> str:
    """The anchor GitHub gives a heading: letters, digits, `-` and `_` in lower case, blanks as `-`."""
    return "".join(
        "-" if character == " " else character
        for character in text.lower()
        if character in " -_" or unicodedata.category(character)[0] in "LNM"
    )
