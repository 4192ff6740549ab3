"""The words of the index that are a letter or two from one which stands nowhere in it, and how far they are.

The vocabulary holds stems, so a stem with each ending that words have is compared with what was typed."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import accumulate
from operator import and_, or_
from string import ascii_lowercase
from typing import NamedTuple

from sidecar.store.analysis import stem
from sidecar.store.index.distances import Distances
from sidecar.store.index.vocabulary import Vocabulary

_ENDING = 2
"""Letters in which two forms of a word may differ at its end."""
_BEGINNING = 2
"""Letters in which words must agree, one letter apart: to read the whole vocabulary takes longer than a search."""
_ENDINGS = (
    "", "s", "e", "es", "ed", "er", "ers", "ing", "ings", "ion", "ions", "ation", "ations", "ment", "ments", "ement",
    "ements", "al", "ly", "ity", "ent", "ance", "ence", "able", "ible", "ive", "ic", "ics", "ical", "ous", "ful",
    "ness", "y", "ate", "ates",
)  # fmt: skip
_VOWELS = "aeiou"
_AFTER_Y = ("y", "ys", "yed", "ying", "yer", "yers", "yment", "yments")


class Near(NamedTuple):
    """A word of the index, nearest and commonest first when sorted; of equally near ones another ending of the word
    that was typed (plurals that English has not: "bateaux") before one that differs within."""

    distance: int
    within: bool
    rarity: int
    word: str


def beginning_alike(vocabulary: Vocabulary, word: str, most: int) -> Iterator[Near]:
    """Words of the index no further than `most` letters from `word`, which begin with the same two."""
    endings = _Endings(word, most)
    # Which letters a term has is told in a fraction of the time that its distance takes, and few have only these.
    others = [endings.others(length) for length in range(len(word) + most + 1)]
    dropped = [most, *(more + 1 for more in others)]  # where it stands without its last letter, or with another
    among = [set(word[: length + most]) for length in range(len(others))]
    lengths = {length for length, more in enumerate(others) if max(more, dropped[length]) >= 0}
    for term, count in vocabulary.beginning(word[:_BEGINNING], lengths):
        length = len(term)
        most_others = max(others[length], dropped[length]) if term[-1] in "ei" else others[length]
        if len(set(term) - among[length]) <= most_others:
            for form, apart in endings.forms(term):
                yield Near(apart, not _inflected(form, word), -count, form)


def _inflected(form: str, word: str) -> bool:
    """Whether they differ in their endings only."""
    alike = next((at for at, pair in enumerate(zip(form, word, strict=False)) if pair[0] != pair[1]), len(word))
    return alike >= max(len(form), len(word)) - _ENDING


class _Endings:
    """The endings that words may have which are no further than `most` letters from `word`: of each its letters, and
    for each distance from none the places in the word, as bits, from whose left letter on it is no further."""

    def __init__(self, word: str, most: int) -> None:
        self._most, self._word = most, word
        self._distances, self._backwards = Distances(word), Distances(word[::-1])
        self._endings, self._after_y, self._y = map(self._fitting, (_ENDINGS, _AFTER_Y, ("y",)))
        every = [places for _, places in self._endings + self._after_y]
        self._places = [reduce(or_, column) for column in zip(*every, strict=True)]

    def _fitting(self, endings: Sequence[str]) -> list[tuple[str, list[int]]]:
        letters = set(self._word)
        placed = ((one, self._placed(one)) for one in endings if len(set(one) - letters) <= self._most)
        return [(one, list(accumulate(places, or_))) for one, places in placed if any(places)]

    def _placed(self, ending: str) -> list[int]:
        size, backwards = len(self._word), self._backwards
        without = backwards.after(backwards.empty, ending[:0:-1])
        near = backwards.beginnings(backwards.after(without, ending[:1]), self._most)
        places = [sum(1 << size - at for at in range(size + 1) if bits >> at & 1) for bits in near]
        if ending:  # its first letter may be swapped with the one before it
            for apart, bits in enumerate(backwards.beginnings(without, self._most)):
                swapped = (size - at for at in range(size - 1) if bits >> at & 1)
                places[apart] |= sum(1 << at - 1 for at in swapped if self._word[at - 2] == ending[0])
        return places

    def others(self, length: int) -> int:
        """How many letters that the word has not a beginning of that length may have; below 0 where none is near."""
        within = [
            (self._most - apart, at - length)
            for apart, places in enumerate(self._places)
            for at in range(max(length - self._most, 0), length + self._most + 1)
            if places >> at & 1
        ]
        return max((left - max(longer, 0) for left, longer in within if left >= abs(longer)), default=-1)

    def forms(self, term: str) -> Iterator[tuple[str, int]]:
        """Words of this stem with how far they are."""
        if term[-1:] == "i" and term[-2:-1] in _VOWELS:  # "pai" is what "pay" is stemmed to, and "paies" no word
            yield from self._near(term[:-1], self._after_y)
            return
        forms = self._near(term, self._endings)
        if term.endswith("e"):  # which goes before a vowel: "glaze", "glazing"
            forms += self._near(term[:-1], [one for one in self._endings if one[0]])
        yield from (one for one in forms if stem(one[0]) == term)
        if term.endswith("i"):
            yield from self._near(term[:-1], self._y)

    def _near(self, begin: str, endings: Sequence[tuple[str, list[int]]]) -> list[tuple[str, int]]:
        most, distances = self._most, self._distances
        row = distances.after(distances.empty, begin)
        # Where the word has no place up to which `begin`, and from which on an ending, are near enough, none is.
        begun = distances.beginnings(row, most)[::-1]
        if not any(map(and_, begun, self._places)):
            return []
        made = (
            (begin + ending, distances.whole(distances.after(row, ending)))
            for ending, places in endings
            if any(map(and_, begun, places))
        )
        return [one for one in made if one[1] <= most]


def beginning_otherwise(vocabulary: Vocabulary, word: str) -> Iterator[Near]:
    """Words of the index one letter from `word`, or with two swapped, in what both begin with."""
    spelt: dict[str, str] = {}
    for candidate in _edits(word):
        spelt.setdefault(stem(candidate), candidate)
    return (
        Near(1, within=True, rarity=-count, word=one) for term, one in spelt.items() if (count := vocabulary.rows(term))
    )


def _edits(word: str) -> Iterator[str]:
    """Every word that differs by one letter of the beginning, or by two that are swapped there."""
    for at in range(_BEGINNING):
        begin, end = word[:at], word[at:]
        yield begin + end[1] + end[0] + end[2:]
        yield begin + end[1:]
        for letter in ascii_lowercase:
            yield begin + letter + end
            yield begin + letter + end[1:]
