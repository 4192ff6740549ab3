"""Chooses what an answer shows from ranked passages: one a section, or a stretch of a long one, no text twice, no
document alone, few scraps.

The constants shape what a person sees more than they move relevance: turned off one at a time, they change nDCG@10 on
the collections by 0.001 at most and the mean reciprocal rank of questions over mixed documents by 0.01 at most
(tests/bench/search/ablation.py)."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import PurePath
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from sidecar.api import DocumentInfo, slugify
from sidecar.search.dates import MONTH_IN_NAME
from sidecar.search.hits import has_word
from sidecar.search.query import Query
from sidecar.search.words import STOP_WORDS, SeenTexts, key, plain
from sidecar.store import Passage
from sidecar.store.documents.views import FoundElement
from sidecar.toolkit.times import month_number

Row = TypeVar("Row", Passage, FoundElement)
Stays = Callable[[int, int], bool]
"""Whether of two rows the first by words stays before the other (`fusion.Certainty`)."""
_KEPT = 3
"""The place below which nothing puts the first by words: an answer of the default length has it. With the second one
nDCG@10 is 0.003 lower on cisi, and one of 1,314 questions better."""
_NEARLY_ALL = 0.75
"""Share of a query's words: three of four, so that a name of two words is never meant by three."""
_MIN_SHARE = 0.6
"""Share of a query's words that the names of a file and its folders say where they are what is asked for."""
_CALLED = 3
"""How many documents that are called just what was asked for come above all passages."""
_ALONE = 2
"""How many hits of one document count in full; each further one has `CROWDED` of the score of the one before."""
CROWDED = 0.9
_APART = 8
"""How many passages, some 2,000 tokens, lie at least between two of one section that are shown: a text without headings
is one section, however long. One that is nearer stands in what the other leads to, or beside it."""
_SCRAP_CHARS = 100
"""A shorter text says little of its own, and both BM25 and embeddings overrate it: at worst it keeps `SCRAP` of its
score, and a heading with nothing under it `BARE`."""
SCRAP = 0.75
BARE = 0.7
_GOOD = 0.5
"""Share of the best score from which a passage is worth showing where the latest are wanted."""
_EQUAL = 0.8
"""Share of the best score from which a passage answers as well as the best, where a question asks for the latest that
does: more than what a message has that is only to whom it should be from (`Searcher`)."""
_IN_SHEET = 0.65
"""Share of the score of a sheet's best rows from which others of it answer as well: they have all words that those
have, but not side by side."""
_AS_WELL = 0.9
"""Share of a text's score from which a newer version of it is shown in its place: one that lacks a rarer word of the
query has less (tests/bench/search/copies.py)."""
_VERSIONS_APART_NS = 60 * 10**9
"""Nanoseconds between two versions at least: files that were unpacked or fetched together are not versions."""
PROPERTIES = 0.95
"""What a document's properties say comes no higher than this much of the best text's score."""
MEANT = 1.7
"""How many times the best text's score what a document's title and other properties have where the document is what is
asked for: another text may have one word of the question often. Chosen of 1.3 and 1.7 over nine sets of questions
(tests/bench/search/questions.py): of 1,190 two more are right first by words and by meaning, one other by words."""
MARKUP = 0.6
"""What is written for machines (JSON, code) keeps this much where a question is asked in words: prose that says the
same answers it better, and data repeats its words."""
_MARKS = '"{}[]<>=;'
_MARKED = 0.04
"""Share of such characters from which a text is taken for one: prose has a fifth of it."""
_DATA = (".json", ".jsonl", ".ndjson", ".geojson", ".lock")
_SCORE = itemgetter(1)
_EDITION = re.compile(r"v\d{1,3}|draft|final|copy")
"""What a file's name says of its version, which few ask for."""
_BOUNDARY = re.compile(r"(?<=\d)-(?=[^\W\d])|(?<=[^\W\d])-(?=\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_FINAL = 1000


class Choice(NamedTuple):
    """Chosen passages with the scores they are shown with, best first. `copies`: by the id of a passage the slugs of
    the other documents that have just its text."""

    shown: list[tuple[Passage, float]]
    copies: Mapping[int, tuple[str, ...]] = MappingProxyType({})


class Scores(NamedTuple):
    """Scores by the id of a passage: those they are ranked by, those by words where meaning has put them in another
    order, and whether the first by words stays before the other."""

    ranked: Mapping[int, float]
    by_words: Mapping[int, float]
    stays: Stays | None


def choose(passages: Sequence[Passage], scores: Scores, limit: int, asked: Query) -> Choice:
    """At most `limit` passages. The one that comes first by words does so here too where it `stays` before the one that
    would.

    What is just the text of one already chosen, in another document, is told with that one. What is nearly that, or
    repeats it in the same document, comes last, where there is room; of a document and its copy inside another (an
    archive, a mail) it is the copy that repeats, of two versions the older one. Sorted by "newest": those that answer
    about as well as the best, the latest first; where the `latest` are asked for those that answer as well as the best,
    the latest first, before all others."""
    weights = {one.id: _weight(one, asked.in_words) for one in passages}
    weighed = _ranked(passages, scores.ranked, weights)
    worded = _ranked(passages, scores.by_words, weights)
    weighed = first_kept(weighed, worded, scores.stays)
    if asked.latest:
        best = weighed[0][1] if weighed else 0.0
        equal = sorted((one for one, score in weighed if score >= _EQUAL * best), key=lambda one: -one.dated)
        weighed = [*((one, best) for one in equal), *weighed[len(equal) :]]
    if asked.sort == "newest":
        least = _GOOD * weighed[0][1] if weighed else 0.0
        weighed = [one for one in weighed if one[1] >= least]
        weighed.sort(key=lambda one: (-one[0].dated, one[0].properties))
        places = Places()
        return Choice([one for one in weighed if places.add(*one)][:limit])
    places = Places()
    texts = SeenTexts()
    of_document: Counter[str] = Counter()
    chosen: list[tuple[Passage, float]] = []
    repeated: list[list[tuple[Passage, float]]] = []
    for passage, score in weighed:
        if not places.add(passage, score):
            continue
        first = texts.seen(passage.text, len(chosen))
        if first is not None:
            if _instead(passage, score, *chosen[first]):
                (copy, shown), chosen[first] = chosen[first], (passage, chosen[first][1])
                repeated[first].append((copy, shown))
            else:
                repeated[first].append((passage, score))
            continue
        repeated.append([])
        chosen.append((passage, score * CROWDED ** max(0, of_document[passage.slug] + 1 - _ALONE)))
        of_document[passage.slug] += 1
        if len(chosen) == 2 * limit:
            break
    copies: dict[int, tuple[str, ...]] = {}
    again: list[tuple[Passage, float]] = []
    for (passage, _), others in zip(chosen, repeated, strict=True):
        if others:
            same = {one.id for one, _ in others if one.slug != passage.slug and _same_text(one, passage)}
            again += [one for one in others if one[0].id not in same]
            copies[passage.id] = tuple(dict.fromkeys(one.slug for one, _ in others if one.id in same))
    chosen.sort(key=_SCORE, reverse=True)
    if len(chosen) < limit and again:
        last = chosen[-1][1]
        chosen += [(passage, min(score, last)) for passage, score in again]
    return Choice(chosen[:limit], copies)


def _same_text(one: Passage, other: Passage) -> bool:
    """Whether they say the same, white space and formats' marks of links and emphasis apart."""
    return one.text == other.text or plain(one.text) == plain(other.text)


def first_kept(
    ranked: Sequence[tuple[Row, float]], by_words: Sequence[tuple[Row, float]], stays: Stays | None
) -> list[tuple[Row, float]]:
    """The `ranked` rows, the first `by_words` before all others where it stays (`fusion.Certainty`), and never below
    the third place: however sure meaning is of others, a short answer has what words find."""
    first = by_words[0][0] if by_words else None
    if first is None or stays is None or first is ranked[0][0]:
        return list(ranked)
    at = 0 if stays(first.id, ranked[0][0].id) else _KEPT - 1
    if any(one is first for one, _ in ranked[: at + 1]):
        return list(ranked)
    rest = [one for one in ranked if one[0] is not first]
    return [*rest[:at], (first, ranked[at][1]), *rest[at:]]


def by_score(rows: Sequence[Row], scores: Mapping[int, float], weights: Mapping[int, float]) -> list[tuple[Row, float]]:
    """Those of the rows that have a score, with this times their weight, best first."""
    scored = [(one, scores[one.id] * weights[one.id]) for one in rows if one.id in scores]
    return sorted(scored, key=_SCORE, reverse=True)


def _ranked(
    passages: Sequence[Passage], scores: Mapping[int, float], weights: Mapping[int, float]
) -> list[tuple[Passage, float]]:
    """Best first. What a document's properties say never comes before a text, few words that are all asked for: where
    they fit far better than any text, the document is meant, and its own best text comes first in their place."""
    weighed = by_score(passages, scores, weights)
    text = max((score for passage, score in weighed if not passage.properties), default=None)
    if text is None:
        return weighed
    meant = {one.slug: score for one, score in reversed(weighed) if one.properties and score >= MEANT * text}
    texts = [(one, meant.pop(one.slug, score)) for one, score in weighed if not one.properties]
    facts = [(one, score) for one, score in weighed if one.properties]
    capped = [*texts, *((one, score if one.slug in meant else min(score, PROPERTIES * text)) for one, score in facts)]
    return sorted(capped, key=_SCORE, reverse=True)


class Places:
    """Where chosen passages stand: in each section one, and as many in a long one as are `_APART`."""

    def __init__(self, chosen: Iterable[tuple[Passage, float]] = ()) -> None:
        self._taken: dict[tuple[str, str | int], list[tuple[int, float]]] = {}
        for one, score in chosen:
            self.add(one, score)

    def add(self, passage: Passage, score: float) -> bool:
        """Whether none stands where the passage does, as it does from now on. The ids of a document's passages follow
        one another as its text does. Of a sheet others are shown only where they answer as well as the first: each of
        its passages has the words of its heading row."""
        taken = self._taken.setdefault(section_of(passage), [])
        if taken:
            whole = _attached(passage)
            if passage.part_kind == "sheet":
                whole = whole or passage.first_row < 0 or score < _IN_SHEET * taken[0][1]
            if whole or any(abs(passage.id - number) < _APART for number, _ in taken):
                return False
        taken.append((passage.id, score))
        return True


def without_title_repeats(chosen: Sequence[tuple[Passage, float]]) -> list[tuple[Passage, float]]:
    """The same, but a passage that only repeats its document's title gives its place to another one of the document."""
    others = {one.slug: one for one, _ in reversed(chosen) if not _only_title(one)}
    found: dict[int, tuple[Passage, float]] = {}
    for one, score in chosen:
        shown = others.get(one.slug, one) if _only_title(one) else one
        found.setdefault(shown.id, (shown, score))
    return list(found.values())


class Lifting(NamedTuple):
    """What lifts documents named as asked above texts: the edition that is asked for, and the query's words that no
    text has."""

    edition: DocumentInfo | None
    absent: Collection[str]


def with_named(
    chosen: Sequence[tuple[Passage, float]], named: Sequence[DocumentInfo], query: str, lifting: Lifting | None
) -> list[tuple[Passage | DocumentInfo, float]]:
    """The best passage of a document named as asked comes first, with `lifting`; one without any joins below the best
    passage, or above all where the query is nothing but its name, or all in its name and partly absent from every
    text or its suffix, or it is the edition that is asked for."""
    best: dict[str, tuple[Passage, float]] = {}
    for one in chosen:
        best.setdefault(one[0].slug, one)
    top = max((score for _, score in chosen), default=1.0)
    whole = [
        one
        for one in named
        if lifting and (one is lifting.edition or _is_called(one, query) or _is_in_name(one, query, lifting.absent))
    ]
    typed = query.strip().casefold()  # of names that differ in case, accents and what stands between words that one
    whole = sorted(whole, key=lambda one: typed not in f"{one.name}\n{one.title}".casefold())[:_CALLED]
    first: list[Passage | DocumentInfo] = [best[one.slug][0] if one.slug in best else one for one in whole]
    lifted = [best[one.slug][0] for one in named if lifting and one.slug in best and one not in whole]
    rest = [one for one in chosen if one[0] not in lifted and one[0] not in first]
    least = rest[0][1] if rest else top
    joining = [(one, least) for one in named if one.slug not in best and one not in whole]
    return [*((one, top) for one in (*first, *lifted)), *rest[:1], *joining, *rest[1:]]


def newest_edition(named: Sequence[DocumentInfo]) -> DocumentInfo | None:
    """Of documents that are all named as asked the newest, by the year and the version that their names tell and by
    when they were changed; None of none."""
    return max(named, key=_edition, default=None)


def _edition(document: DocumentInfo) -> tuple[int, int, str]:
    words = _name_words(document.name.rpartition(".")[0])
    years = [int(word) for word in words if _YEAR.fullmatch(word)]
    versions = [int(word[1:]) for word in words if word[0] == "v" and _EDITION.fullmatch(word)]
    version = _FINAL if "final" in words else max(versions, default=0)
    return max(years, default=int(document.modified[:4])), version, document.modified


def _is_called(document: DocumentInfo, query: str) -> bool:
    """Whether the query is all of the file's name, with or without its suffix, or of the title; or is a long name and
    little more."""
    names = (document.name, document.name.rpartition(".")[0], document.title)
    return _called(query) in map(_called, names) or is_most_of(document, query, _NEARLY_ALL)


def _is_in_name(document: DocumentInfo, query: str, absent: Collection[str]) -> bool:
    """Whether the file's name has all that the query says, and of that a word that stands in no text or is its suffix:
    "example 10k html" asks for "example-10k-1p.html"."""
    asked, name = set(_telling_words(query)), _name_words(document.name)
    return asked <= set(name) and (
        (len(asked) > 1 and name[-1] in asked) or any(word.lower() in asked for word in absent)
    )


def is_most_of(document: DocumentInfo, query: str, share: float = 0.5) -> bool:
    """Whether the file's name, of several words, is at least that share of what the query says: "annual report Cisco"
    asks for what is in "annual-report.docx", and "the terms of sale" for what is in "Terms of sale v2.docx"."""
    asked = _telling_words(query)
    words = _with_months(_telling_words(document.name.rpartition(".")[0]), asked)
    name = [word for word in words if word in asked or not _EDITION.fullmatch(word)]
    return len(name) > 1 and len(name) >= share * len(asked) and set(name) <= set(asked)


def is_placed(document: DocumentInfo, query: str) -> bool:
    """Whether the file's name and those of its folders are most of what the query says: "budget of the chess club" asks
    for what is in "Chess club/budget.csv"."""
    asked = set(map(key, _telling_words(query)))
    name = set(map(key, _telling_words(document.name.rpartition(".")[0])))
    within = document.path.removeprefix(document.folder).rpartition(document.name)[0]
    folders = set(map(key, _telling_words(f"{PurePath(document.folder).name} {within}")))
    return (
        name <= asked
        and not folders.isdisjoint(asked - name)
        and len(asked & (name | folders)) >= _MIN_SHARE * len(asked)
    )


def _with_months(name: Sequence[str], asked: Collection[str]) -> list[str]:
    """The words of a name with a month that is asked for by its name in place of its number: "2025-03" as "march", and
    the year only where it is asked for too."""
    months = {f"{number:02}": word for word in asked if (number := month_number(word))}
    if not months:
        return list(name)
    found = MONTH_IN_NAME.sub(
        lambda one: (
            f" {months[month]} {year if (year := one['year'] or one['of']) in asked else ''} "
            if (month := one["month"] or one["number"]) in months
            else one[0]
        ),
        " ".join(name),
    )
    return found.split()


def _telling_words(text: str) -> list[str]:
    return [word for word in _name_words(text) if word not in STOP_WORDS]


def _called(text: str) -> str:
    """A name, however it parts its words, and letters from digits."""
    return _BOUNDARY.sub("", "-".join(_name_words(text)))


def _name_words(text: str) -> list[str]:
    return slugify(text).replace("_", "-").split("-")


def typed_first(chosen: Sequence[tuple[Passage, float]], typed: Sequence[str]) -> list[tuple[Passage, float]]:
    """What holds only a word that was taken for a misspelt one comes after the best that holds one as it was typed."""
    at = next((place for place, (one, _) in enumerate(chosen) if has_word(one, typed)), 0)
    score = chosen[at][1] if chosen else 0.0
    return [*chosen[at : at + 1], *((one, min(other, score)) for one, other in chosen[:at]), *chosen[at + 1 :]]


def _only_title(passage: Passage) -> bool:
    return len(passage.text) <= 2 * len(passage.title) and plain(passage.text) == plain(passage.title)


def section_of(passage: Passage) -> tuple[str, str | int]:
    """What a hit leads to: the section, or the part where there are no sections."""
    return passage.slug, passage.section if passage.part_kind == "chapter" and passage.section else passage.part


def _instead(passage: Passage, score: float, shown: Passage, best: float) -> bool:
    """Whether a passage stands for one of the same text: for one inside another file that is none, and for one of an
    older document that of the newest, where it answers as well."""
    if _attached(shown) != _attached(passage):
        return _attached(shown)
    newer = passage.dated - shown.dated >= _VERSIONS_APART_NS
    return newer and passage.slug != shown.slug and score >= _AS_WELL * best


def _attached(passage: Passage) -> bool:
    """Whether it stands in a file inside another one."""
    return passage.packed or passage.last_block < 0


def _weight(passage: Passage, in_words: bool) -> float:
    size = len(passage.text)
    if size >= _SCRAP_CHARS:
        return MARKUP if in_words and _for_machines(passage) else 1.0
    if passage.heading.endswith(passage.text):
        return BARE
    return SCRAP + (1 - SCRAP) * size / _SCRAP_CHARS


def _for_machines(passage: Passage) -> bool:
    marks = sum(map(passage.text.count, _MARKS))
    return marks > _MARKED * len(passage.text) or passage.path.lower().endswith(_DATA)
