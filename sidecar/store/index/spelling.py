"""Which words of the index one that stands nowhere in it was meant to be: a letter or two wrong, left out, too many or
swapped (Damerau, "A technique for computer detection and correction of spelling errors", CACM 1964), an umlaut written
in another way, or a word of several that stand apart there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import permutations

from sidecar.store.analysis import stem
from sidecar.store.database.session import Session
from sidecar.store.index.distances import distance
from sidecar.store.index.english import is_form
from sidecar.store.index.near_words import beginning_alike, beginning_otherwise
from sidecar.store.index.variants import folded, signed
from sidecar.store.index.vocabulary import Vocabulary

_MIN_LETTERS = 4
"""A shorter word comes near too many others."""
_OFTEN = 2
"""A word of four letters is taken for one that stands in this many texts, and has its letters in another order or one
more: another letter of four makes another right word ("prix" is not a misspelt "prim")."""
_LOOKED_UP = 20
_TWO_WRONG = 7
"""In this long a word two letters may be wrong."""
_SURE = 10
"""How long a word must be for one wrong letter not to make another right word of it."""
_LONG_HALF = 6
"""Letters from which a part of a compound is told though the index has it in other compounds only."""
_HALF = 4
"""Letters of the shortest word that a compound is taken apart into."""
_PREFIXES = frozenset(("aller", "ausser", "durch", "erst", "gegen", "hinter", "mehr", "nach", "uber", "unter", "wider"))
"""What German verbs begin with: "erst" is not a half of "Erstattung", where the index has only that."""
_LINKS = ("", "s", "n", "en", "es", "er", "e")
"""What stands between the words of a German or Dutch compound."""
_MAX_ENDING = 2
"""Letters that a beginning as short as `is_short` says goes on with where it is the same word."""
_MAX_OTHER_ENDING = 4
"""Letters that a stem goes on with in another form of its word."""
_BEGUN = 50
_TURKISH = frozenset(("lar", "ler", "ları", "lari", "leri", "ların", "larin", "lerin", "dan", "den", "nın", "nin"))
"""Longer endings of Turkish words, as the index has them."""
_SHORT_HALF = 3
_JOINED = 6
"""How many words, of that length or longer, are tried written together with one another."""
_FEW_WORDS = 8
"""A text of fewer tells no language."""
_BEFORE = "wagen"
"""A word that stands before an ending, so that this is stemmed as the ending of a compound."""
_ENDED = 4
_MIN_CODE, _MAX_CODE, _DIGITS_OF_CODE = 5, 40, 3
"""Characters of a number or code, and digits at least, that may be written in several pieces."""
_MIN_NUMBER_DIGITS = 8
"""Digits from which a number without letters may stand in any pieces: 571700 is not the end of 154.57 before 1700."""
_GROUP = 4
"""Account and card numbers stand in groups of this many."""
_MAX_WAYS, _MAX_BEGUN_WAYS = 40, 400
"""How many ways to take one apart are looked up, and how many are begun."""
_VERSION = re.compile(r"v?[0-9]+[ .][0-9]+[ .][0-9]")
_AMOUNT = re.compile(r"[1-9][0-9]{3,8}(?:[.][0-9]{1,2})?")
_MAX_ZEROS = 6
"""How many zeros may stand before a number."""
_WORD = re.compile(r"\w+")


def correction(
    session: Session, vocabulary: Vocabulary, word: str, language: AbstractSet[str], *, english: bool = False,
    name: bool = False,
) -> str:  # fmt: skip
    """The word of the index that comes nearest to `word`, the commonest of several; "" where none does. Where the
    query is in a `language` (words that only it has and that say nothing), a word that the texts have just so, in that
    language: endings are English ones, and "Halle" is not a misspelt "hall". An `english` word is right as it is: only
    another form of it is given. A `name` is taken only for what the texts have with a capital letter."""
    typed, word = word, folded(word)
    if len(word) < _MIN_LETTERS or not word.isalpha():
        return ""
    near = [*beginning_alike(vocabulary, word, 2 if len(word) >= _TWO_WRONG else 1)]
    if not near or min(near).distance > 1:
        near += beginning_otherwise(vocabulary, word)
    if english:
        near = [one for one in near if is_form(word, one.word)]
    if len(word) == _MIN_LETTERS:
        near = [one for one in near if -one.rarity >= _OFTEN and _has_all_letters(word, one.word)]
    akin, far = "", 0
    for one in sorted(near)[:_LOOKED_UP]:
        if akin and one.distance > far:
            break
        stems = one.distance < 2 and not (language or name)
        found = _attested(session, vocabulary.fts, one.word, language, stems=stems)
        if name and found and not _is_name(session, vocabulary.fts, [found]):
            return ""
        if folded(found) == one.word:
            return found
        if found and not akin:  # a word of its stem, where the texts have none that is as near
            akin, far = found, one.distance
    other = typed.lower() if english else signed(typed.lower())
    again = not akin and other != typed.lower()
    return correction(session, vocabulary, other, language, name=name) if again else akin


def _has_all_letters(word: str, other: str) -> bool:
    """Whether the `other` word, as long or longer, has no other letter in the place of one of the word's."""
    return len(other) > len(word) or sorted(other) == sorted(word)


def compound(vocabulary: Vocabulary, word: str) -> tuple[str, ...]:
    """The words of the index that `word` is written together of ("Hallenschlüssel"): both where it has both, else the
    longer of those it has; none where it has neither."""
    word = folded(word)
    if len(word) < 2 * _HALF or not word.isalpha():
        return ()
    splits = [
        (word[: at - len(link)], word[at:])
        for at in range(_HALF, len(word) - _HALF + 1)
        for link in _LINKS
        if word[:at].endswith(link) and at - len(link) >= _HALF
    ]
    known = vocabulary.known(stem(half) for halves in splits for half in halves)
    both = [halves for halves in splits if all(stem(half) in known for half in halves)]
    if not both:
        both = [halves for halves in splits if all(map(partial(_begins, vocabulary), halves))]
    if both:
        return max(both, key=lambda halves: len(halves[1]))
    alone = (half for halves in splits for half in halves if half not in _PREFIXES and stem(half) in known)
    return tuple(sorted(alone, key=len)[-1:])


def _begins(vocabulary: Vocabulary, half: str) -> bool:
    """Whether a word of the index is the half of a compound, or begins with one that is long."""
    return bool(vocabulary.rows(stem(half))) or (len(half) >= _LONG_HALF and vocabulary.begins(half))


def joined(vocabulary: Vocabulary, words: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The words of the index that two of these make, written together in either order, with the two: "Hallenschlüssel"
    of "Schlüssel" and "Halle", with its umlauts or with the pairs of vowels they are typed as."""
    plain = {
        word: dict.fromkeys((folded(word), folded(signed(word.lower()))))
        for word in words
        if len(word) >= _SHORT_HALF and word.isalpha()
    }
    made = {
        begin + link + ending: (one, end)
        for one, end in permutations(list(plain)[:_JOINED], 2)
        for beginning in plain[one]
        for begin in _before(beginning)
        for link in _LINKS
        for ending in plain[end]
    }
    known = vocabulary.known(stem(one) for one in made)
    return {one: pair for one, pair in made.items() if stem(one) in known}


def _before(word: str) -> tuple[str, ...]:
    """The word as it stands before another in a compound: "Schul" of "Schule" besides."""
    return (word, word[:-1]) if word.endswith("e") else (word,)


def ended(
    session: Session, vocabulary: Vocabulary, words: Sequence[str], names: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Word → the compounds of the index that end with it, else those that have it within, the commonest first; of those
    that are `names` where the texts have one with a capital letter."""
    wanted = {word: folded(word) for word in words if len(word) >= _HALF and word.isalpha()}
    endings = {word: stem(_BEFORE + plain).removeprefix(_BEFORE) for word, plain in wanted.items()}
    found: dict[str, tuple[str, ...]] = {}
    if not endings:
        return found
    terms = vocabulary.ending(frozenset(endings.values()), _BEGUN)
    for word, plain in wanted.items():
        made = ((term, term.removesuffix(endings[word]) + plain) for term in terms if term.endswith(endings[word]))
        spelt = [one for term, one in made if len(one) >= len(plain) + _HALF and stem(one) == term]
        if held := tuple(filter(None, (_attested(session, vocabulary.fts, one) for one in spelt)))[:_ENDED]:
            found[word] = held
        elif len(plain) >= _LONG_HALF and (within := vocabulary.within(plain, _ENDED)):
            found[word] = tuple(filter(None, (_attested(session, vocabulary.fts, one, stems=True) for one in within)))
    fts = vocabulary.fts
    return {
        word: several
        for word, several in found.items()
        if several and (word not in names or _is_name(session, fts, several))
    }


def begun(vocabulary: Vocabulary, word: str, *, compounds: bool) -> list[str]:
    """The terms of the index that go on with the short `word`: with an ending, or with a word of the index, as
    compounds do. "mail" is not what "maillot" begins with; in a language of `compounds` any end may be a word."""
    word = folded(word)
    rest = {term: term[len(word) :] for term, _ in vocabulary.beginning(word)[:_BEGUN]}
    if compounds and len(word) >= _HALF:
        return list(rest)
    linked = {
        term: [stem(end[len(link) :]) for link in _LINKS if end.startswith(link) and len(end) - len(link) >= _HALF]
        for term, end in rest.items()
    }
    known = vocabulary.known(one for several in linked.values() for one in several)
    return [
        term
        for term, end in rest.items()
        if len(end) <= _MAX_ENDING or end in _TURKISH or not known.isdisjoint(linked[term])
    ]


def goes_on(vocabulary: Vocabulary, word: str) -> bool:
    """Whether a term of the index begins with the long `word`, or with its stem and ends soon after: "spatialte" is not
    what "spatialtranscriptomics" begins with."""
    word = folded(word)
    lengths = range(len(stem(word)) + _MAX_OTHER_ENDING + 1)
    return vocabulary.begins(word) or bool(vocabulary.beginning(stem(word), lengths))


def taken_apart(vocabulary: Vocabulary, word: str) -> Iterator[str]:
    """The ways in which a number or code, written in fewer pieces, may stand apart in the texts ("AB12990X" or
    "AB-12990-X" for "AB-12-990-X"), as phrases of terms of the index, those of few pieces first."""
    yield from _as_written(vocabulary, folded(word))
    word = "".join(filter(str.isalnum, folded(word)))
    size = len(word)
    if not (word.isalnum() and word.isascii() and _MIN_CODE <= size <= _MAX_CODE):
        return
    if sum(map(str.isdigit, word)) < (_MIN_NUMBER_DIGITS if word.isdecimal() else _DIGITS_OF_CODE):
        return
    yield " ".join(word[at : at + _GROUP] for at in range(0, size, _GROUP))
    known = vocabulary.known(word[begin:end] for begin in range(size) for end in range(begin + 1, size + 1))
    begun: list[tuple[str, ...]] = [()]
    given = 0
    while begun and given < _MAX_WAYS:
        begun = [
            (*one, word[at:end])
            for one in begun
            for at in (sum(map(len, one)),)
            for end in range(at + 1, size + 1)
            if word[at:end] in known
        ][:_MAX_BEGUN_WAYS]
        whole = [one for one in begun if sum(map(len, one)) == size]
        yield from map(" ".join, whole[: _MAX_WAYS - given])
        given += len(whole)
        begun = [one for one in begun if sum(map(len, one)) < size]


def _as_written(vocabulary: Vocabulary, typed: str) -> Iterator[str]:
    """A version with its "v" or without, an amount with its thousands apart, and a number with zeros before it that the
    index has, or without them."""
    if _VERSION.match(typed):
        yield typed[1:] if typed[0] == "v" else f"v{typed}"
    if _AMOUNT.fullmatch(typed):
        whole, sign, rest = typed.partition(".")
        grouped = f"{int(whole):,}".replace(",", " ")
        yield f"{grouped} {rest}" if sign else grouped
        if len(rest) == 1:
            yield from (f"{whole} {rest}0", f"{grouped} {rest}0")
    if typed.isdecimal() and len(typed) > 1:
        filled = ["0" * many + typed for many in range(1, _MAX_ZEROS + 1)]
        yield from sorted(vocabulary.known((*filled, typed.lstrip("0"))), key=len)


def _attested(
    session: Session, fts: str, word: str, language: AbstractSet[str] = frozenset(), *, stems: bool = False
) -> str:
    """The word as the first texts spell it, in texts of the `language` where that is given: without accents where any
    does, else as most do; "" where none has it. With `stems` another word of its stem will do: a stem and an ending
    make words that nobody writes."""
    rows = session.execute(
        f"SELECT * FROM {fts} WHERE {fts} MATCH ? LIMIT {_LOOKED_UP}",  # noqa: S608  # our own name
        (f'"{word}"',),
    )
    near, written = "", Counter[str]()
    for row in rows:
        words = [one for text in row if text for one in _WORD.findall(text.lower())]
        if language and len(words) >= _FEW_WORDS and language.isdisjoint(words):
            continue
        alike = (one for one in words if one[0] == word[0] or not one[0].isascii()) if word.isascii() else ()
        spelt = {folded(one): one for one in alike if folded(one[0]) == word[0]}
        if word in words:
            return word
        if word in spelt:
            written[spelt[word]] += 1
        near = near or next((one for plain, one in spelt.items() if stems and stem(plain) == stem(word)), "")
    return max(written, key=written.__getitem__, default=near)


def capitalised(words: Sequence[str]) -> list[str]:
    """The words with a capital letter, without the first where others have none: there a sentence may begin."""
    named = [word for word in words if word[:1].isupper()]
    return named if len(named) == len(words) else [word for word in named if word != words[0]]


def _is_name(session: Session, fts: str, words: Sequence[str]) -> bool:
    """Whether a text has one of the words, in small letters here, with a capital letter, as names have it, and others
    at times where they begin a sentence; German texts have all nouns so."""
    rows = session.execute(
        f"SELECT * FROM {fts} WHERE {fts} MATCH ? LIMIT {_LOOKED_UP}",  # noqa: S608  # our own name
        (" OR ".join(f'"{word}"' for word in words),),
    )
    candidates = (one for row in rows for text in row if text for one in _WORD.findall(text))
    wanted = set(map(folded, words))
    return any(one.istitle() and folded(one) in wanted for one in candidates)


def is_misspelt(word: str, meant: str) -> bool:
    """Whether there is little doubt that the word is `meant` with one letter wrong."""
    return len(word) >= _SURE and distance(folded(meant), folded(word)) <= 1
