"""Text analysis as the index does it, for texts and queries alike: scripts without spaces as pairs of characters, and
Porter's stemmer. Splitting into words is SQLite's (unicode61), and what reads a query only has to agree with it.

Scripts without spaces between words are Chinese, Japanese and Korean (which has spaces, but not between a word and its
endings), Thai, Lao, Burmese and Khmer. SQLite's tokenizer takes a run of them for one word, or splits it at vowel
signs. Overlapping pairs of characters make any two or more findable. They stand in a column of their own; each run ends
with its last character alone, so that a phrase of pairs never runs across two runs. Words of other scripts that stand
against such a run, and the words that names in programs are written together of, stand there too."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from sidecar.store.inflection import korean
from sidecar.store.letters import has_small_figures, indexed, with_full_figures
from sidecar.toolkit.times import month_number, other_months

_SCRIPTS = (  # compiled when a text holds any: every start would pay for it
    "[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
    "\u0e01-\u0e3a\u0e40-\u0eff\u1000-\u109f\u1780-\u17ff\uaa60-\uaa7f]+"
)
_HAN = "[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_ENDING = "[\u3041-\u3096](?<![はがをにへとでのもや])"
"""A letter of hiragana that is not a particle: what a Japanese word goes on with (忘れ物, 強い)."""
_WORD = f"[\u30a1-\u30fa\u30fc]{{2,}}|{_HAN}+(?:{_ENDING}{_HAN}+)*(?:{_ENDING})?"
_ASKED = frozenset("何誰")
"""Single characters that only ask."""
_LETTER = re.compile("[\u3041-\u3096]")
_WORD_CHARS = 4
_PAIR_AND_ONE = 3
_COMPATIBILITY = "\uf900"
"""From here on characters stand for others, full-width letters and ligatures among them."""
_COMPOSED = {"\u0e4d\u0e32": "\u0e33", "\u0ecd\u0eb2": "\u0eb3"}
"""Vowel signs am of Thai and Lao, which compatibility forms take apart but nobody writes so."""

_YEARS, _CENTURIES = range(1990, 2040), (19, 20)
"""Years that stand beside a month's number in names of files: FTS5 knows no beginning of a word within a phrase."""

_STEP2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"),
    ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
"""Here, as in the next two, of several that fit the longest stands first."""
_STEP3 = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_STEP4 = (
    "ement", "ment", "ance", "ence", "able", "ible", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic", "ou",
)  # fmt: skip
_STEP2_ENDS, _STEP3_ENDS = (tuple(ending for ending, _ in table) for table in (_STEP2, _STEP3))
_VOWELS = frozenset("aeiou")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def cjk_runs(text: str) -> list[str]:
    """The runs of such characters in `text`, compatibility forms (half-width kana) made regular."""
    return [] if text.isascii() else [_regular(run) for run in _compiled(_SCRIPTS).findall(text)]


def _regular(run: str) -> str:
    run = unicodedata.normalize("NFKC", run)
    for apart, composed in _COMPOSED.items():
        run = run.replace(apart, composed)
    return run


def cjk_words(run: str) -> list[str]:
    """The words of katakana and of Chinese characters, with the hiragana within and after them, of a run too long for
    one word: what a Japanese sentence is about, without its grammar, and a whole Chinese one. None of a shorter run,
    nor where it is little more than a pair, which may straddle others' words (京都 in 東京都)."""
    found: list[str] = _compiled(_WORD).findall(run) if len(run) > _WORD_CHARS else []
    enough = any(len(word) > 2 for word in found) or len(_LETTER.sub("", "".join(found))) > _PAIR_AND_ONE
    return [word for word in found if word not in _ASKED] if enough else []


def without_cjk(text: str) -> str:
    """`text` with every CJK run blanked."""
    return text if text.isascii() else _compiled(_SCRIPTS).sub(" ", text)


def cjk_apart(text: str) -> str:
    """`text` with a space on either side of every CJK run."""
    return text if text.isascii() else _compiled(_SCRIPTS).sub(r" \g<0> ", text)


def is_cjk(character: str) -> bool:
    """Whether it is written without spaces between words."""
    return _compiled(_SCRIPTS).match(character) is not None


_PHRASE = 'cjk : "'
_INNER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 100


def _kinds() -> bytes:
    """What each byte of a text in UTF-8 tells: a small letter, a large one, a digit, the first byte of a character of
    which scripts without spaces have some (from U+3000 on), of one that may be written in another way (Hebrew, Arabic,
    letters that are apostrophes), of either (U+0800 to U+1FFF), anything else."""
    kinds = bytearray(b" " * 256)
    for letters, kind in ((b"abcdefghijklmnopqrstuvwxyz", "a"), (b"0123456789", "0")):
        for letter in letters:
            kinds[letter] = ord(kind)
    for letter in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ":
        kinds[letter] = ord("A")
    firsts = ((range(0xE3, 0xF5), b"c"), ((0xE0, 0xE1), b"s"), ((0xCA, *range(0xD6, 0xDC)), b"v"))
    for first, kind in ((one, kind) for ones, kind in firsts for one in ones):
        kinds[first] = ord(kind)
    return bytes(kinds)


_KINDS = _kinds()
_LETTERS = bytes(kind if kind in b"aA0" else ord(" ") for kind in _KINDS)
"""What each character of a text in Latin-1 tells."""
_CASE_CHANGES = (b"aA", b"0A", b"AAaa")
"""Where a name goes on with another word."""


def inner_words(text: str) -> str:
    """The words that names in programs are written together of, each name once: "initial Delay" of "initialDelay"."""
    kinds = text.encode("latin-1", "replace").translate(_LETTERS)  # a byte a character: places are the text's
    for change in _CASE_CHANGES:
        kinds = kinds.replace(change, change[:-1] + b"#")
    names: dict[str, None] = {}
    end = 0
    while (at := kinds.find(b"#", end)) >= 0:
        first = kinds.rfind(b" ", end, at) + 1 or end
        stop = kinds.find(b" ", at)
        end = stop if stop >= 0 else len(kinds)
        if end - first <= _LONGEST and not (first and text[first - 1].isalnum()):
            names[text[first:end]] = None
    return _INNER.sub(" ", " ".join(names))


def beside(text: str) -> str:
    """The search column beside a text: what its words, as SQLite takes them, do not say. Most texts have nothing there,
    which is told first, from their bytes."""
    kinds = text.encode("utf-8", "surrogatepass").translate(_KINDS)
    spaced, other = b"c" not in kinds, b"s" in kinds
    found = [] if spaced and not other else [cjk_pairs(text), _words_within(text)]
    if other or b"v" in kinds:
        found.append(without_cjk(" ".join(indexed(text))))
    if has_small_figures(text):
        found.append(" ".join([with_full_figures(one) for one in without_cjk(text).split() if has_small_figures(one)]))
    if any(hump in kinds for hump in _CASE_CHANGES):
        found.append(inner_words(text))
    return " ".join(filter(None, found))


def may_vary(text: str) -> bool:
    """Whether a text may hold letters written in more than one way (`letters`); told fast where it has none."""
    if text.isascii():
        return False
    kinds = text.encode("utf-8", "surrogatepass").translate(_KINDS)
    return b"v" in kinds or b"s" in kinds


def _words_within(text: str) -> str:
    """The words and numbers that stand against CJK, with which SQLite takes them for one word, and those in full-width
    or other forms for compatibility, made regular: 型番XR700の２０２４年 gives "XR700 2024"."""
    found: list[str] = []
    for word in _compiled(r"[^\W_]+").findall(text):
        if not word.isascii():
            rest = without_cjk(word)
            if rest != word or max(word) >= _COMPATIBILITY:
                found += unicodedata.normalize("NFKC", rest).split()
    return " ".join(found)


def cjk_pairs(text: str) -> str:
    """The pairs of characters of a text, "" where it holds no CJK: 東京都 gives "東京 京都 都"."""
    words: list[str] = []
    for run in cjk_runs(text):
        words += [run[at : at + 2] for at in range(len(run))]
    return " ".join(words)


def cjk_phrase(run: str) -> str:
    """The FTS5 expression a run of a query becomes: a phrase of pairs, or a prefix for a single character."""
    if len(run) == 1:
        return f'cjk : "{run}" *'
    return f'{_PHRASE}{" ".join(run[at : at + 2] for at in range(len(run) - 1))}"'


def pairs_of(expression: str) -> list[str]:
    """The pairs of such a phrase, each an expression of its own: what is looked for where a run stands nowhere, as
    words that a text has apart, none with hiragana, which is mostly grammar. None of a phrase of one pair, nor of any
    other expression."""
    pairs = dict.fromkeys(_pairs(expression))
    return [f'{_PHRASE}{one}"' for one in pairs if not _LETTER.search(one)] if len(pairs) > 1 else []


def without_particle(expression: str) -> str:
    """The phrase of a Korean word without the particle or ending behind it; "" of any other."""
    run = phrased(expression)
    bare = korean(run)
    return cjk_phrase(bare) if bare != run else ""


def phrased(expression: str) -> str:
    """The run that such a phrase is of; "" of any other expression."""
    pairs = _pairs(expression)
    return "".join((*(pair[0] for pair in pairs), *(pair[1:] for pair in pairs[-1:])))


def _pairs(expression: str) -> list[str]:
    return expression[len(_PHRASE) : -1].split(" ") if expression.startswith(_PHRASE) and expression[-1] == '"' else []


def month_in_names(term: str) -> str:
    """For a term (FTS5 expression) that is a month's name what names of files have for it, as an expression of its own:
    "2025-03", "03_2025" or "202503" for "March", and its other names; "" for any other term."""
    word = term.removesuffix(" *").strip('"')
    if not (number := month_number(word)):
        return ""
    written = [f'"{name}"' for name in sorted(other_months(word))]
    written += [f'"{year}{between}{number:02}"' for year in _YEARS for between in (" ", "")]
    return " OR ".join((*written, *(f'"{number:02} {century}" *' for century in _CENTURIES)))


def folded(text: str) -> str:
    """Case, accents and spelling of characters folded away, one space between words: for finding names and subjects."""
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.casefold())
        text = "".join(character for character in apart if not unicodedata.combining(character))
    return " ".join(text.lower().split())


def stem(word: str) -> str:
    """The stem of a lower-case word; words of fewer than three bytes or with other characters stay.

    M. F. Porter, "An algorithm for suffix stripping", Program 14, 1980, as FTS5 applies it."""
    if not word.isascii():  # to FTS5 each byte of such a letter is a consonant: "straße" is "straß" to it
        stemmed = _stem(word.encode("utf-8", "surrogatepass").decode("latin-1"))
        return stemmed.encode("latin-1").decode("utf-8", "ignore")
    return _stem(word) if word.isalnum() else word


def _stem(word: str) -> str:
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    if word.endswith(_STEP2_ENDS):  # which few words do: a tuple is told at once
        word = _replace(word, _STEP2)
    if word.endswith(_STEP3_ENDS):
        word = _replace(word, _STEP3)
    if word.endswith(_STEP4):
        word = _strip(word)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _plural(word: str) -> str:
    if word[1:].endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past(word: str) -> str:
    if word[1:].endswith("eed"):  # FTS5 asks for a letter before it
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        base = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(base):
            if base.endswith(("at", "bl", "iz")):
                return base + "e"
            if base[-2:-1] == base[-1:] and base[-1:] not in "aeioulsz":  # to FTS5 a y is a consonant here
                return base[:-1]
            return base + "e" if _measure(base) == 1 and _short(base) else base
    return word


def _replace(word: str, table: tuple[tuple[str, str], ...]) -> str:
    """The longest suffix of the table that fits is replaced, if something with a vowel and a consonant is left."""
    for suffix, new in table:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + new if _measure(base) > 0 else word
    return word


def _strip(word: str) -> str:
    for suffix in _STEP4:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            if _measure(base) > 1 and (suffix != "ion" or base.endswith(("s", "t"))):
                return base
            return word
    return word


def _consonant(word: str, at: int) -> bool:
    return word[at] not in _VOWELS and (at == 0 or word[at] != "y" or not _consonant(word, at - 1))


def _has_vowel(word: str) -> bool:
    """A y is one behind a consonant: where there is no other vowel, wherever it does not come first."""
    return not _VOWELS.isdisjoint(word) or "y" in word[1:]


def _measure(word: str) -> int:
    """How many times a vowel run is followed by a consonant run."""
    count, in_vowels = 0, False
    for at, letter in enumerate(word):
        vowel = letter in _VOWELS or (letter == "y" and at > 0 and not in_vowels)
        count += in_vowels and not vowel
        in_vowels = vowel
    return count


def _short(word: str) -> bool:
    """Ends consonant, vowel, consonant, the last not w, x or y."""
    end = len(word) - 1
    return (
        end >= 2
        and _consonant(word, end)
        and not _consonant(word, end - 1)
        and _consonant(word, end - 2)
        and word[end] not in "wxy"
    )
