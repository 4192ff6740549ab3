"""Joins the letters of words that are spaced out, as scanners and titles do (tracking)."""

import re
from collections.abc import Callable
from itertools import pairwise
from statistics import median

from sidecar.api import Box
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.characters import LEVEL, ON_LINE
from sidecar_pdf.text.segments import FIRST_CJK, Word

_WORDS_LOOKED_AT = 16  # of a page, to tell whether its letters are spaced out
_MIN_SPACING, _MAX_SPACING = 0.08, 0.4  # ems between letters that are
_SAME_SPACING = 1.25  # of it, up to which a step is one more
_LETTER = re.compile(r"(?<!\S)(?![AaIi](?!\S))[^\W\d_](?!\S)")
_LOOSE, _LOOSEST = 0.6, 1.3  # ems between letters of a tracked title, as a rule, and where its words tell so
_WORD_STEP = 1.8  # times that between its words, at least
_MIN_LETTERS, _MEAN_LETTERS = 8, 3.0  # of a title whose words tell that it is one, and of each of them
_TRACKED_STEPS = 4  # between letters where words are told apart
_KERNED = 0.4  # of the least step, between two letters that are kerned
_LETTERS = 0.75  # of the characters of a title that are

_ALONE = 2.0  # ems of white on both sides of a single word
_LONGEST_INITIALS, _OTHER_LETTERS, _VOWELS = 4, 4, (0.2, 0.7)  # letters; different ones; of them that are vowels
_VOWEL = frozenset("aeiouyäöüàâèéêëîïôûáíóúãõåæøаеёиоуыэюяєіїαεηιουωάέήίόύώ")
_MONTHS = "jfmamjjasond"  # the initials of twelve columns

Spacing = Callable[[Word], float]
"""How far the first two letters of a word stand apart, in ems; 0 of a single one."""


def rejoined(
    words: list[Word], text: str, place: Callable[[int], Box | None], made_up: Callable[[int], bool]
) -> list[Word]:
    """The words of a page with those whole whose letters are spaced out, as scanners and titles do (tracking). `place`
    gives the box of a character by its position in the text, `made_up` tells whether pdfium put that character there.
    Only wider gaps between words tell letterspacing from single letters."""

    def spacing(word: Word) -> float:
        return _spacing(word, text, place)

    return _with_tracked(_without_steps(words, spacing, made_up), text, spacing, made_up)


def _without_steps(words: list[Word], spacing: Spacing, made_up: Callable[[int], bool]) -> list[Word]:
    """The words of a page that spaces its letters out, as scanners do, with what pdfium took for a blank between two
    text objects closed where it is no wider than the step from letter to letter."""
    long = [word for word in words if len(word.text) > 1]
    looked_at = [spacing(word) for word in long[:: len(long) // _WORDS_LOOKED_AT + 1]]
    if not looked_at or median(looked_at) < _MIN_SPACING:
        return words
    found, spaced = words[:1], 0.0  # between letters, in ems, where it was spaced last
    for before, word in pairwise(words):
        em = max(word.style.size, 1.0)
        gap = (word.x0 - before.x1) / em
        step = 0 < gap < _MAX_SPACING and abs(word.y1 - before.y1) < LEVEL * em and not word.joined
        if step:
            spaced = spacing(before) or spacing(word) or spaced
            step = spaced > _MIN_SPACING and gap < _SAME_SPACING * spaced and made_up(word.at - 1)
        found.append(word._replace(joined=True, apart=None if word.apart is None else False) if step else word)
    return found


def _with_tracked(words: list[Word], text: str, spacing: Spacing, made_up: Callable[[int], bool]) -> list[Word]:
    """The words with letters joined that letterspacing sets apart."""
    found, done = words, 0
    for first, word in enumerate(words):
        if len(word.text) != 1 or first < done or word.at < 0 or not _LETTER.match(text, word.at):
            continue
        start, end = first, first + 1
        while start > done and _goes_on(words[start - 1], words[start], spacing):
            start -= 1
        while end < len(words) and _goes_on(words[end - 1], words[end], spacing):
            end += 1
        done, run = end, words[start:end]
        joins = _tracking(run, spacing, made_up) if end - start > 1 else ()
        if not joins and _is_alone(words, start, end):
            joins = _one_word(run)
        for at, joined in enumerate(joins, start + 1):
            if joined:
                found = list(words) if found is words else found
                found[at] = words[at]._replace(joined=True, apart=None)
    return found


def _goes_on(before: Word, word: Word, spacing: Spacing) -> bool:
    """Whether two words are letters, or spaced letters that were kept together, of one line and font."""
    em = max(word.style.size, 1.0)
    level = min(before.y1, word.y1) - max(before.y0, word.y0)
    return (
        0 < word.x0 - before.x1 < 2 * _WORD_STEP * _LOOSEST * em
        and level > ON_LINE * min(before.y1 - before.y0, word.y1 - word.y0)
        and before.style.font == word.style.font and not word.joined and not word.style.math
        and all(len(one.text) == 1 or spacing(one) > _KERNED * _MIN_SPACING for one in (before, word))
    )  # fmt: skip


def _tracking(run: list[Word], spacing: Spacing, made_up: Callable[[int], bool]) -> list[bool]:
    """For each word of a run but the first whether it belongs to the one before, by the step from letter to letter
    rather than a clearly wider one; [] where the steps are not of these two kinds, or may be those of labels, variables
    or initials."""
    text = "".join(word.text for word in run)
    gaps = [(word.x0 - before.x1) / max(word.style.size, 1.0) for before, word in pairwise(run)]
    inner = [spacing(word) for word in run for _ in word.text[1:]]
    step = median(gaps + inner)
    joins = [gap < _SAME_SPACING * step for gap in gaps]
    clear = all(join or gap > _WORD_STEP * step for join, gap in zip(joins, gaps, strict=True))
    letters = sum(char.isalpha() and char < FIRST_CJK for char in text)
    if all(len(word) > 2 and (word.isalpha() or word.isdecimal()) for word in _words_of(run, joins)):
        letters += sum(map(str.isdecimal, text))  # a year stands among words
    written = any(join and not made_up(word.at - 1) for word, join in zip(run[1:], joins, strict=True))
    if not clear or not _MIN_SPACING < step < _LOOSEST or letters < _LETTERS * len(text):
        return []
    if (written or step > _LOOSE) and not _are_words(run, joins):
        return []
    close = sum(joins) + len(inner)
    return joins if not all(joins) and close >= max(_TRACKED_STEPS, 2 * (len(joins) - sum(joins))) else []


def _words_of(run: list[Word], joins: list[bool]) -> list[str]:
    words = [run[0].text]
    for word, joined in zip(run[1:], joins, strict=True):
        words[-1:] = [words[-1] + word.text] if joined else [words[-1], word.text]
    return words


def _is_alone(words: list[Word], start: int, end: int) -> bool:
    """Whether nothing stands near a run of letters on its line."""
    pairs = [(words[at - 1], words[at]) for at in (start, end) if 0 < at < len(words)]
    return not any(
        min(before.y1, word.y1) - max(before.y0, word.y0) > 0
        and -_ALONE * word.style.size < word.x0 - before.x1 < _ALONE * word.style.size
        for before, word in pairs
    )


def _one_word(run: list[Word]) -> list[bool]:
    """As `_tracking`, of a single word, such as "A B S T R A C T": letters of one case in even steps no wider than
    blanks, with vowels and others among them, neither those of the alphabet in turn nor of twelve months."""
    text = "".join(word.text for word in run).lower()
    if len(text) <= _LONGEST_INITIALS or not text.isalpha() or any(len(word.text) > 1 for word in run):
        return []
    steps = [(word.x0 - before.x1) / max(word.style.size, 1.0) for before, word in pairwise(run)]
    if len({word.text.isupper() for word in run}) > 1 or not _MIN_SPACING < median(steps) <= _LOOSE:
        return []
    least, most = _VOWELS
    vowels = sum(char in _VOWEL for char in text)
    in_turn = sum(ord(other) - ord(one) == 1 for one, other in pairwise(text))
    likely = len(set(text)) >= _OTHER_LETTERS and least <= vowels / len(text) <= most and 2 * in_turn < len(text)
    return [True] * len(steps) if likely and text != _MONTHS and max(steps) < _WORD_STEP * median(steps) else []


def _are_words(run: list[Word], joins: list[bool]) -> bool:
    """Whether letters that may also be labels or answers, set so far apart or with blanks between, make several words
    as titles have: whole ones, in capitals or with no capital but the first."""
    words = _words_of(run, joins)
    letters = sum(map(len, words))
    enough = len(words) > 1 and letters >= max(_MIN_LETTERS, _MEAN_LETTERS * len(words))
    return enough and all(word.isalpha() and (word.isupper() or word[1:].islower()) for word in words)


def _spacing(word: Word, text: str, place: Callable[[int], Box | None]) -> float:
    """How far the first two letters of a word stand apart, in ems; 0 of a single one. In a word put together of pieces
    more than one position leads from one to the other."""
    if len(word.text) < 2 or word.at < 0:
        return 0.0
    after = word.at + 1
    while text[after : after + 1] == ZERO_WIDTH_SPACE:
        after += 1
    first, second = place(word.at), place(after)
    return (second[0] - first[2]) / max(word.style.size, 1.0) if first and second else 0.0
