"""Other spellings and forms of a word that the index has: umlauts written in another way, strokes and dots left out,
forms in scripts that FTS5 stems nothing of, and plurals and participles of Romance and Turkish words, which are not
a misspelt ones. What is misspelt is `spelling`'s."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import product

from sidecar.store.analysis import stem
from sidecar.store.index.vocabulary import Vocabulary
from sidecar.store.inflection import bare, shares, shorter, spelt
from sidecar.toolkit.times import other_months

_UMLAUTS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("œ", "oe"), ("æ", "ae"))
"""As they are written where a keyboard has none, "ss" in Switzerland, and "oe" in French ("bœuf")."""
_STROKED = (("ł", "l"), ("ø", "o"), ("đ", "d"), ("ø", "oe"))
"""Letters with a stroke, which are not a letter with an accent to the index, and as who has no key for them types
them."""
_MAX_DOTS = 4
"""Letters i in a word, at most, that are tried with a dot and without."""
_SHORT_BEGINNING = 5
_FORMS = (
    ("al", "aux", "ale", "ales"), ("z", "ces"), ("ao", "oes", "aes"), ("el", "eis"), ("al", "ais"), ("m", "ns"),
    ("ar", "ado", "ada", "ados", "adas", "aron", "ando"), ("er", "ir", "ido", "ida", "idos", "idas", "ieron"),
    ("er", "e", "ee", "es", "ees", "ant", "ent"), ("are", "ato", "ata", "ati", "ate"),
    ("ire", "ere", "ito", "ita", "iti", "uto", "uta", "uti"), ("co", "chi"), ("ca", "che"), ("go", "ghi"),
    ("ga", "ghe"), ("io", "i"),
    ("lar", "ları", "lari", "ların", "larin", "u", "ı", "i", ""), ("ler", "leri", "lerin", "i", "u", ""),
)  # fmt: skip
"""Endings of French, Spanish, Portuguese, Italian and Turkish words, without accents, those of each line forms of one
word: nouns, then verbs, then Turkish plurals."""
_LEFT = 2
"""Letters that are left of a word before such an ending."""
_FEW_FORMS = 4
_ALIKE, _ALIKE_SHARE, _ENDING = 5, 0.7, 3
"""Letters, and share of a word, in which forms begin alike, and letters that they go on with."""


def signed(word: str) -> str:
    """The word, in small letters, with the umlauts that its pairs of vowels may stand for."""
    for sign, pair in _UMLAUTS[:3]:
        word = word.replace(pair, sign)
    return word


def spelt_otherwise(vocabulary: Vocabulary, word: str) -> str:
    """`word` with its umlauts and ß written as others do, "Strasse" for "Straße" and the other way round, with a stroke
    or dot where it has none, where the index has that, or with umlauts a word that begins so; "" where not."""
    typed = word.lower()
    plain, umlauts = typed, typed
    for sign, pair in _UMLAUTS:
        plain, umlauts = plain.replace(sign, pair), umlauts.replace(pair, sign)
    each = (typed.replace(old, new) for one in (*_UMLAUTS, *_STROKED) for old, new in (one, (one[1], one[0])))
    wanted = {stem(folded(one)): one for one in (plain, umlauts, *each)}
    wanted.pop(stem(folded(typed)), None)
    known = vocabulary.known(wanted)
    whole = next((wanted[one] for one in wanted if one in known), "")
    if not whole and (dotted := vocabulary.known(_dotted(typed))):
        return max(sorted(dotted), key=vocabulary.rows)
    umlauts = "" if whole or is_short(word) else signed(typed)
    return umlauts if umlauts not in ("", typed) and vocabulary.begins(folded(umlauts)) else whole


def has_forms(word: str) -> bool:
    """Whether the index has the forms of such a word as they are written, so that all have to be looked for."""
    return not word.isascii() and word.isalpha() and ("ı" in word or bare(word.lower()) != "")


def inflected(vocabulary: Vocabulary, word: str) -> list[str]:
    """The forms of a word that the index has, itself included, in a script that FTS5 stems nothing of, and the Turkish
    ones with a dot or without, which it folds in small letters only."""
    word = word.lower()
    if dotless := _dotted(word) if "ı" in word else []:
        return sorted(vocabulary.known(dotless))
    found = (term for begin in spelt(word) for term, _ in vocabulary.beginning(begin) if shares(term, word))
    return list(dict.fromkeys(found))


def formed_otherwise(vocabulary: Vocabulary, word: str) -> tuple[str, ...]:
    """Forms of a Romance, Turkish, Hebrew, Arabic or Persian word that the index has ("juez" for "jueces"), the
    commonest first."""
    word = folded(word)
    if not word.isalpha():
        return ()
    for one in shorter(word):
        if known := inflected(vocabulary, one):
            return _commonest(vocabulary, {form: form for form in known})
    made: dict[str, str] = {}
    for forms in _FORMS:
        for ending in filter(word.endswith, filter(None, forms)):
            left = word.removesuffix(ending)
            others = [left + one for one in forms if one != ending] if len(left) >= _LEFT else ()
            made |= {stem(one): one for one in others}
    return _commonest(vocabulary, made)


def months_otherwise(vocabulary: Vocabulary, word: str) -> tuple[str, ...]:
    """Other names of a month that the index has, in another language or shorter, the commonest first."""
    return _commonest(vocabulary, {stem(folded(name)): name for name in other_months(word)})


def begun_alike(vocabulary: Vocabulary, word: str) -> tuple[str, ...]:
    """The words of the index that begin as `word` does, most of it, and end otherwise: its forms in a language whose
    endings are not known. The commonest first."""
    word = folded(word)
    if not word.isalpha():
        return ()
    least = max(_ALIKE, int(_ALIKE_SHARE * len(word) + 0.5))
    for size in range(len(word) - 1, least - 1, -1):
        if terms := vocabulary.beginning(word[:size], range(size, size + _ENDING + 1)):
            return _commonest(vocabulary, {term: term for term, _ in terms})
    return ()


def _commonest(vocabulary: Vocabulary, made: dict[str, str]) -> tuple[str, ...]:
    known = sorted(vocabulary.known(made), key=lambda one: (-vocabulary.rows(one), one))
    return tuple(made[one] for one in known[:_FEW_FORMS])


def is_short(word: str) -> bool:
    """Whether too many words begin with this one for it to be taken for the beginning of any."""
    return len(word) <= _SHORT_BEGINNING


def folded(text: str) -> str:
    """As the index folds it: Latin letters without their accents, any other as it is, so that й is no и."""
    if text.isascii():
        return text.lower()
    return "".join(map(_unsigned, unicodedata.normalize("NFC", text.lower())))


@lru_cache(4096)
def _unsigned(letter: str) -> str:
    apart = unicodedata.normalize("NFKD", letter)
    plain = "".join(one for one in apart if not unicodedata.combining(one))
    return plain if plain.isascii() else letter


def _dotted(word: str) -> list[str]:
    """The word with each i in it dotted or not: "IŞIK" is in the index as "isik", as is no other of its spellings."""
    word = folded(word)
    if not 0 < sum(map(word.count, "iı")) <= _MAX_DOTS:
        return []
    return ["".join(one) for one in product(*("iı" if letter in "iı" else letter for letter in word))]
