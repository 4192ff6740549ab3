"""Forms of words in scripts that FTS5 stems none of and folds no accent of: Cyrillic, Greek, Arabic, Hebrew.

The index holds these words as they are written, so this is for reading it: what two forms of a word share, how terms of
the index that share it may begin, and a pattern for them in a text. Latin words are `analysis.stem`'s."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from sidecar.store.letters import alike

_CYRILLIC_ENDINGS: Final = (
    "иями", "ием", "иях", "иям", "ией", "ями", "ами", "ого", "его", "ому", "ему", "ыми", "ими", "ешь", "ишь", "ете",
    "ите", "ові", "еві", "єві", "ах", "ях", "ам", "ям", "ом", "ем", "ов", "ев", "ей", "ой", "ий", "ый", "ая", "яя",
    "ое", "ее", "ые", "ие", "ых", "их", "ым", "им", "ую", "юю", "ью", "ия", "ию", "ии", "ть", "ет", "ит", "ут", "ют",
    "ат", "ят", "ла", "ло", "ли", "ів", "їв", "ою", "ею", "єю", "ій", "ої", "ті", "ти", "а", "я", "о", "е", "ы", "и",
    "у", "ю", "ь", "й", "л", "і", "ї", "є",
)  # fmt: skip
"""What Russian and Ukrainian nouns, adjectives and verbs end in, longer ones before their own ends."""
_REFLEXIVE: Final = ("ся", "сь")
_GREEK_ENDINGS: Final = (
    "οντασ", "ονται", "ματων", "ματοσ", "ματα", "ουμε", "εται", "ουσ", "ουν", "ειτε", "εισ", "εων", "εωσ", "ετε", "ησ",
    "εσ", "οσ", "ασ", "ων", "ου", "ον", "οι", "ει", "αι", "η", "ο", "α", "ε", "ι", "υ", "ω", "μα",
)  # fmt: skip
"""What Greek nouns, adjectives and verbs end in, without accents and with the inner sigma."""
_ARABIC_BEFORE: Final = ("وال", "بال", "كال", "فال", "لل", "ال", "و", "")
_ALSO_BEFORE: Final = ("ل", "ب", "وبال", "ولل")
_ARABIC_BEHIND: Final = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")
"""What stands before and behind an Arabic word as a part of it (light10 of Larkey, Ballesteros, Connell, "Light
Stemming for Arabic Information Retrieval", 2007), with the last letters made one."""
_HEBREW_BEFORE: Final = ("", "ה", "ו", "ב", "ל", "מ", "ש", "כ", "וה", "שה", "מה", "וב", "ול")
"""The article, and the words that are written as one with what follows."""
_HEBREW_BEHIND: Final = ("יים", "יות", "ים", "ות")
"""Plurals."""
_VOWELS: Final = "וי"
_PREPOSITIONS: Final = ("وبال", "ولل", "فال", "نمی", "می", "نمي", "مي", "وب", "ول", "فل", "ل", "ب", "ك", "ف", "س")
"""What is written as one with Arabic words, or before Persian verbs."""
_FINAL: Final = {"כ": "ך", "מ": "ם", "נ": "ן", "פ": "ף", "צ": "ץ"}
"""Letters of Hebrew as they are written at the end of a word."""
_INNER: Final = str.maketrans({final: inner for inner, final in _FINAL.items()})
_KOREAN_ENDINGS: Final = (
    "했습니다", "합니다", "됩니다", "입니다", "습니다", "에서는", "으로는", "에게서", "까지", "부터", "에서",
    "으로", "에게", "한테", "처럼", "보다", "하고", "이랑", "했다", "하다", "한다", "하기", "하는", "해요", "어요",
    "아요", "되나", "은", "는", "이", "가", "을", "를", "에", "의", "로", "와", "과", "도", "만", "기", "다", "요",
)  # fmt: skip
"""Particles of Korean, which are written as one with their words, and what its verbs end in."""
_HANGUL: Final = ("\uac00", "\ud7a3")
_CYRILLIC, _GREEK, _ARABIC, _HEBREW = (
    ("\u0400", "\u052f"), ("\u0370", "\u03ff"), ("\u0620", "\u06ff"), ("\u05d0", "\u05ea"),
)  # fmt: skip
"""The first and last letter of each script."""
_ALSO_CYRILLIC: Final = str.maketrans("ёґ", "ег")
_BARE: Final = 4
"""Letters that are left of a word at least; of a Greek, Arabic or Hebrew one `_SHORT_BARE`."""
_SHORT_BARE: Final = 3
_PERSIAN: Final = frozenset("پچژگکی")
"""Letters that Arabic has not: a Persian word has no Arabic article or plural."""
_PERSIAN_BEFORE: Final = ("مي", "نمي")
"""What stands before verbs, written as one with them or apart."""
_PERSIAN_BEHIND: Final = ("هايي", "هاي", "ها")
"""Plurals, with the last letters made one."""
_ALSO: Final = {"ا": "اأإآٱ", "ي": "يىی", "ك": "كک", "ه": "هةۀہھ", "ء": "ءؤئوي"}
"""The letters that `letters.alike` makes one, and those that are left of them without their signs."""
_ACCENTED: Final = {"α": "ά", "ε": "έ", "η": "ή", "ι": "ίϊΐ", "ο": "ό", "υ": "ύϋΰ", "ω": "ώ"}
_NO_ACCENT: Final = (0, 7, 9)
"""Combining classes of characters that are not accents: letters, and nukta and virama of Indic scripts."""
_MAX_VARIANTS: Final = 64
"""How many spellings of a beginning are looked up at most."""


def korean(run: str) -> str:
    """A run of Hangul without the particle or ending behind it, two syllables at least; any other run as it is."""
    if len(run) < _SHORT_BARE or not _all_in(run, _HANGUL):
        return run
    return _without(run, _KOREAN_ENDINGS, _SHORT_BARE - 1)


@lru_cache(4096)
def bare(word: str) -> str:
    """What the forms of a lower-case word of one of these scripts share, mostly; "" of a shorter or any other word."""
    if word.isascii() or len(word) < _SHORT_BARE:
        return ""
    if _all_in(word, _CYRILLIC):
        return _cyrillic(word.translate(_ALSO_CYRILLIC))
    if _all_in(word, _GREEK):
        return _without(unsigned(word), _GREEK_ENDINGS, _SHORT_BARE)
    if _all_in(word, _ARABIC):
        return _arabic_or_persian(word, persian=not _PERSIAN.isdisjoint(word))
    return _hebrew(word) if _all_in(word, _HEBREW) else ""


def unsigned(text: str) -> str:
    """The text without accents but for those that make another letter, as й is no и, with one sigma in Greek and one i
    in Turkish. Signs that belong to Indic letters stay."""
    apart = "й".join(
        "".join(one for one in unicodedata.normalize("NFKD", piece) if unicodedata.combining(one) in _NO_ACCENT)
        for piece in unicodedata.normalize("NFC", text).split("й")
    )
    return apart.replace("ς", "σ").replace("ı", "i")


def spelt(word: str) -> list[str]:
    """How terms of the index that share `bare(word)` begin: with each accent and each letter that stands for another,
    and with what stands before a word as a part of it. None where the word has no bare form."""
    begin = bare(word)
    if not begin:
        return []
    if _all_in(begin, _HEBREW):
        return [before + one for before in _HEBREW_BEFORE for one in dict.fromkeys((begin, _final(begin)))]
    if _all_in(begin, _ARABIC):
        return [before + begin for before in (*_ARABIC_BEFORE, *_ALSO_BEFORE, *_PERSIAN_BEFORE)]
    signs = {"е": "ё", "г": "ґ"} if _all_in(begin, _CYRILLIC) else _ACCENTED
    signed = (
        begin[:at] + other + begin[at + 1 :] for at, letter in enumerate(begin) for other in signs.get(letter, "")
    )
    typed = unicodedata.normalize("NFC", word)[: len(begin)]
    return list(dict.fromkeys((begin, typed, *signed)))[:_MAX_VARIANTS]


def shorter(word: str) -> list[str]:
    """What a lower-case Hebrew, Arabic or Persian word that stands nowhere may be: without the words that are written
    as one with it, and in Hebrew with and without the letters that only say its vowels. The likeliest first."""
    if _all_in(word, _HEBREW):
        cut = [
            word,
            *(word.removeprefix(one) for one in sorted(_HEBREW_BEFORE, key=len) if one and word.startswith(one)),
        ]
        return [other for one in cut if len(one) >= _SHORT_BARE for other in (one, *_other_vowels(one))][1:]
    if not _all_in(word, _ARABIC):
        return []
    before = (one for one in _PREPOSITIONS if word.startswith(one))
    return [word.removeprefix(one) for one in before if len(word) - len(one) >= _SHORT_BARE]


def _other_vowels(word: str) -> list[str]:
    """The Hebrew word with one letter of vowels more or less within it: ביטוי, בטוי."""
    inner = range(1, len(word) - 1)
    less = [word[:at] + word[at + 1 :] for at in inner if word[at] in _VOWELS and len(word) > _SHORT_BARE]
    return less + [word[:at] + vowel + word[at:] for at in (*inner, len(word) - 1) for vowel in _VOWELS]


def shares(term: str, word: str) -> bool:
    """Whether a term of the index is a form of the word, both in lower case."""
    begin = bare(word)
    if _all_in(begin, _HEBREW):
        return any(bare(term.removeprefix(before)) == begin for before in _HEBREW_BEFORE if term.startswith(before))
    if _all_in(begin, _ARABIC):
        persian = not _PERSIAN.isdisjoint(word)
        before = next(filter(term.startswith, _PERSIAN_BEFORE), "") if persian else ""
        return begin in (_arabic_or_persian(one, persian=persian) for one in (term, term.removeprefix(before)))
    if not _all_in(begin, _CYRILLIC):
        return bare(term) == begin
    term, word = term.translate(_ALSO_CYRILLIC), word.translate(_ALSO_CYRILLIC)
    return begin in (bare(term), term) or bare(term) == word


def pattern(word: str) -> str:
    """A pattern for the forms of a lower-case word in a text in small letters without accents, where й is и; "" where
    it has no bare form."""
    begin = bare(word)
    if not begin:
        return ""
    if _all_in(begin, _HEBREW):
        begin = f"{begin[:-1]}[{begin[-1]}{_final(begin)[-1]}]"
        return f"{_either(_HEBREW_BEFORE)}{begin}{_either(_HEBREW_BEHIND)}?"
    if _all_in(begin, _ARABIC):
        letters = "".join(f"[{_ALSO[one]}]" if one in _ALSO else one for one in begin)
        behind = "|".join("".join(f"[{_ALSO[one]}]" if one in _ALSO else one for one in end) for end in _ARABIC_BEHIND)
        return f"{_either((*_ARABIC_BEFORE, *_ALSO_BEFORE))}{letters}(?:{behind}){{0,2}}"
    if _all_in(begin, _CYRILLIC):
        return f"{begin}{_either(_CYRILLIC_ENDINGS)}?{_either(_REFLEXIVE)}?".replace("й", "и").replace("г", "[гґ]")
    return f"{begin}{_either(_GREEK_ENDINGS)}?"


def _cyrillic(word: str) -> str:
    for one in _REFLEXIVE:
        if word.endswith(one) and len(word) > _BARE + len(one):
            word = word.removesuffix(one)
    return _without(word, _CYRILLIC_ENDINGS, _BARE) if len(word) >= _BARE else ""


def _hebrew(word: str) -> str:
    """Without the article and the plural, and with no final letter. What is left is looked for behind the article too,
    so that a word that only begins like it is found all the same."""
    article = _HEBREW_BEFORE[1]
    word = word.removeprefix(article) if len(word) > _SHORT_BARE else word
    return _without(word, _HEBREW_BEHIND, _SHORT_BARE).translate(_INNER)


def _final(word: str) -> str:
    return word[:-1] + _FINAL.get(word[-1], word[-1])


def _arabic_or_persian(word: str, *, persian: bool) -> str:
    word = alike(word)
    return _without(word, _PERSIAN_BEHIND, _SHORT_BARE) if persian else _arabic(word)


def _arabic(word: str) -> str:
    if word.startswith("و") and len(word) > _SHORT_BARE:
        word = word[1:]
    before = next((one for one in _ARABIC_BEFORE if word.startswith(one) and len(word) - len(one) >= _SHORT_BARE), "")
    word = word.removeprefix(before)
    for one in _ARABIC_BEHIND:
        if word.endswith(one) and len(word) - len(one) >= _SHORT_BARE:
            word = word.removesuffix(one)
    return word if len(word) >= _SHORT_BARE else ""


def _without(word: str, endings: Iterable[str], least: int) -> str:
    ending = next((one for one in endings if word.endswith(one) and len(word) - len(one) >= least), "")
    return word.removesuffix(ending) if len(word) >= least else ""


def _all_in(word: str, script: tuple[str, str]) -> bool:
    return all(script[0] <= letter <= script[1] for letter in word)


def _either(ones: Iterable[str]) -> str:
    return f"(?:{'|'.join(ones)})"
