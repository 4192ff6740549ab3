"""Ranks rows of a full-text index for a query of terms: BM25 (Robertson & Zaragoza 2009) over the likely candidates.

Small results are scored whole. Of large ones the candidates are those with the highest sum of inverse document
frequencies. FTS5 counts the rows of every phrase for each query anew, so the commonest terms of a long query count by
presence only."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, pairwise, product
from operator import and_, or_

import msgspec

from sidecar.store.analysis import cjk_phrase, pairs_of, phrased, stem, without_particle
from sidecar.store.chinese import each_spelling, is_japanese, spellings
from sidecar.store.database.session import Session
from sidecar.store.index.common_words import to_bits
from sidecar.store.index.english import both_spellings
from sidecar.store.index.filters import Filter, of_documents, of_parts
from sidecar.store.index.postings import Postings, best, holding, to_ids
from sidecar.store.index.spelling import begun, goes_on, joined
from sidecar.store.index.variants import has_forms, inflected, is_short
from sidecar.store.index.vocabulary import Vocabulary

WANTED = 200
"""Candidates that are scored when a query matches more than `SCORED_ROWS` rows."""
SCORED_ROWS = 3000
_TIES = 1500
"""Candidates at most, where many hold the same terms."""
SCORED_POSTINGS = 25_000
"""Sum of the row counts of the terms that BM25 scores; commoner terms beyond it count by presence. At 100,000 rows
the top ten keep 97 to 99 % of the full BM25 of the best ten (`bm25_kept` of tests/bench/search/search_latency.py)."""
_MAX_TERMS = 128
_PAIRED = 1.0
"""Of the smaller inverse document frequency of two neighbouring words of a query, what a row that has them side by side
has more. Of 0.25, 0.5 and 1 chosen on halves of the questions over the corpus, whose reciprocal rank goes from 0.777 to
0.804 by words and from 0.888 to 0.950 with meaning; nDCG@10 by words goes from 0.3915 to 0.3932 on cranfield, from
0.3639 to 0.3664 on cisi."""
_MAX_PAIRED_TERMS = 8
"""Of a longer query few words that follow one another do so in a text that answers."""
_MAX_PAIRED_ROWS = 5000
"""Rows that have two words: of more it says little that they stand side by side, and finding out takes long."""
_PART_BITS = 32
"""A version's id and a part's number as one number, which SQLite looks up faster than two."""
_LEADING = 4
"""Terms, the rarest, whose matches in the leading column are looked up."""


@dataclass(frozen=True)
class SearchTable:
    """A full-text table: its content table, and the BM25 weight of each column."""

    fts: str
    content: str
    weights: tuple[float, ...]
    leading: str
    """The column whose matches tell most: it decides between candidates that hold the same terms."""
    part: str
    """An expression for the part that row t stands in."""


_ELEMENT_PART = "(SELECT part FROM elements e WHERE e.version_id = t.version_id AND e.seq = t.seq)"
PASSAGES = SearchTable("passages_fts", "passages", (2.0, 1.0, 1.0), "heading", "t.part")
ELEMENTS = SearchTable("element_fts", "element_texts", (3.0, 3.0, 1.0, 1.0, 1.0), "caption", _ELEMENT_PART)


class FullText:
    """A full-text table as one transaction sees it: `highest` is the highest row id."""

    def __init__(self, session: Session, table: SearchTable, postings: Postings) -> None:
        self.session, self.table, self._postings = session, table, postings
        self.highest: int = session.one("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.content,)) or 0

    @property
    def total(self) -> int:
        """How many rows there are."""
        return self._postings.total(self.session, self.table.content, self.highest)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that stand in it."""
        return self._postings.vocabularies.of(self.session, self.table.fts)

    def bits(self, expression: str) -> int:
        """The rows that match an FTS5 expression, as bits."""
        return self._postings.bits(self.session, self.table.fts, expression, self.highest)


@dataclass(frozen=True)
class Terms:
    """A query as FTS5 expressions: `wanted` are scored, `required` must match (and are scored), `excluded` must not.
    `compounds` says that the query's language writes several words together as one."""

    wanted: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    where: Filter = field(default_factory=Filter)
    compounds: bool = False


@dataclass(frozen=True)
class Ranked:
    """Rows best first with their scores (higher is better), how many matched in all, the expressions that match nothing
    in the whole index, filters apart, how many rows there are, and the words of the index that two of the query's make
    written together, which were scored with them. `terms` are the expressions, of each the rows as bits and its
    inverse document frequency."""

    rows: tuple[tuple[int, float], ...]
    matched: int
    absent: tuple[str, ...] = ()
    total: int = 0
    joined: tuple[str, ...] = ()
    terms: tuple[tuple[str, int, float], ...] = ()

    def held(self, row: int) -> float:
        """The share of the query that a row holds: of the inverse document frequencies of its words, those that stand
        nowhere included, 0 to 1."""
        whole = math.fsum(idf for _, _, idf in self.terms)
        return math.fsum(idf for _, bits, idf in self.terms if bits >> row & 1) / whole if whole else 0.0

    def has(self, row: int, expression: str) -> bool:
        """Whether a row holds one of the query's expressions."""
        return any(bits >> row & 1 for one, bits, _ in self.terms if one == expression)


def rank(texts: FullText, terms: Terms, limit: int) -> Ranked:
    """The best `limit` rows; of limit 0 only what stands nowhere and what is joined, without scoring any. Raises
    sqlite3.OperationalError for expressions that are not FTS5's."""
    total = texts.total
    found, inflected_as = _looked_up(texts, terms)
    together: Mapping[str, tuple[str, str]] = {}
    if terms.compounds:
        together = joined(texts.vocabulary, [term.strip('"') for term in terms.wanted])
    held = {f'"{word}"' for pair in together.values() for word in pair}
    absent = tuple(term for term in (term.removesuffix(" *") for term, bits in found if not bits) if term not in held)
    found += [(f'"{word}"', texts.bits(f'"{word}"')) for word in together]
    rows = _matching(texts, terms, found)
    matched = rows.bit_count()
    if not matched:
        return Ranked((), 0, absent, total)
    if not limit:
        return Ranked((), matched, absent, total, tuple(together))
    found = sorted(((term, bits) for term, bits in found if bits), key=lambda pair: pair[1].bit_count())[:_MAX_TERMS]
    if matched > SCORED_ROWS:
        weighted = [(bits, max(1, round(4 * _idf(bits, total)))) for _, bits in found]
        for term, bits in found[:_LEADING]:
            if term.startswith('"') or term in inflected_as:
                leading = texts.bits(f"{texts.table.leading} : {term}")
                weighted.append((leading, max(1, round(2 * _idf(bits, total)))))
        rows = best(weighted, rows, max(WANTED, 2 * limit), max(_TIES, 2 * limit))
    scores = _scores(texts, found, rows, total, inflected_as)
    for bits, more in _side_by_side(texts, terms, dict(found), inflected_as, total):
        for row in holding(list(scores), rows, bits):
            if row in scores:  # it may have gone since
                scores[row] += more
    order = sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:limit]  # of equal ones the older row first
    weights = tuple((term, bits, _idf(bits, total)) for term, bits in (*found, *((term, 0) for term in absent)))
    return Ranked(tuple((row, scores[row]) for row in order), matched, absent, total, tuple(together), weights)


def _looked_up(texts: FullText, terms: Terms) -> tuple[list[tuple[str, int]], Mapping[str, Mapping[str, int]]]:
    """The terms, the required ones first, with the rows that have them; and of those that are inflected their forms
    with the numbers of their rows. Of what stands nowhere its word without a particle, or its pieces, follow."""
    chinese = not is_japanese("".join(terms.wanted))
    forms = {
        term: _spelt(term, texts.bits) if chinese and phrased(term) else _inflected(texts, term)
        for term in terms.wanted
    }
    wanted = {term: f"({' OR '.join(several)})" if several else term for term, several in forms.items()}
    inflected_as = {wanted[term]: several for term, several in forms.items() if several}
    found = [
        _posting(texts, term, compounds=terms.compounds)
        for term in (*map(each_spelling, terms.required), *map(wanted.__getitem__, terms.wanted))
    ]
    for term in [term for term, bits in found[len(terms.required) :] if not bits]:
        bare = without_particle(term)
        if bare and (bits := texts.bits(bare)):
            found.append((bare, bits))
        else:
            pairs = map(each_spelling, pairs_of(term)) if chinese else pairs_of(term)
            found += _in_pieces([(one, texts.bits(one)) for one in pairs])
    return found, inflected_as


def _matching(texts: FullText, terms: Terms, found: Sequence[tuple[str, int]]) -> int:
    """The rows that have any of what was found and all that is required, nothing excluded, and lie where is asked."""
    rows = reduce(or_, (bits for _, bits in found), 0)
    rows = reduce(and_, (bits for _, bits in found[: len(terms.required)]), rows)
    for term in terms.excluded:
        rows &= ~texts.bits(term)
    if not terms.where.empty:
        rows &= _allowed(texts, terms.where)
    return rows


def _scores(
    texts: FullText,
    found: Sequence[tuple[str, int]],
    rows: int,
    total: int,
    inflected_as: Mapping[str, Mapping[str, int]],
) -> dict[int, float]:
    """The scores of `rows` for terms and their rows, the rarest first: by BM25 as far as `SCORED_POSTINGS` goes, by
    presence beyond. `inflected_as`: of some terms their forms with the numbers of their rows."""
    read = accumulate(bits.bit_count() for _, bits in found)
    scored = max(1, sum(count <= SCORED_POSTINGS for count in read))
    matching = reduce(or_, (bits for _, bits in found[:scored]))
    ids = [] if rows == matching and scored == len(found) else to_ids(rows)
    among = None if rows == matching else ids
    scores = _score(texts, [term for term, _ in found[:scored] if term not in inflected_as], among)
    for term, bits in found[:scored]:
        # FTS5 weighs each form by how rare it is, which would put a rare form of a common word first.
        for count in sorted(set(inflected_as.get(term, {}).values())):
            forms = [form for form, several in inflected_as[term].items() if several == count]
            share = _idf(bits, total) / _idf_of(count, total)
            for row, score in _score(texts, forms, among).items():
                scores[row] = scores.get(row, 0.0) + share * score
    for _, bits in found[scored:]:
        weight = _idf(bits, total)
        for row in holding(ids, rows, bits):
            scores[row] = scores.get(row, 0.0) + weight
    return scores


def _side_by_side(
    texts: FullText, terms: Terms, found: Mapping[str, int], inflected_as: Mapping[str, Mapping[str, int]], total: int
) -> Iterator[tuple[int, float]]:
    """Rows that have two neighbouring words of a short query side by side, in either English spelling, as bits, with
    what their scores have more for it (Metzler & Croft, "A Markov random field model for term dependencies", SIGIR
    2005)."""
    if len(terms.wanted) > _MAX_PAIRED_TERMS:
        return
    forms = {one: (one,) for one in terms.wanted if one in found}
    rows = {one: found[one] for one in forms}
    for expression, several in inflected_as.items():
        if expression in found and expression.isascii():
            forms |= dict.fromkeys(several, tuple(several))
            rows |= dict.fromkeys(several, found[expression])
    for one, other in pairwise(terms.wanted):
        both = rows.get(one, 0) & rows.get(other, 0)
        if not both or " " in one or " " in other or both.bit_count() > _MAX_PAIRED_ROWS:
            continue
        pairs = (texts.bits(f"{first[:-1]} {second[1:]}") for first, second in product(forms[one], forms[other]))
        yield reduce(or_, pairs), _PAIRED * min(_idf(rows[one], total), _idf(rows[other], total))


def let_through(texts: FullText, rows: Sequence[int], terms: Terms) -> list[int]:
    """Those of `rows`, which another ranking found, that the filter and required and excluded terms let through."""
    excluded = 0
    for term in terms.excluded:
        excluded |= texts.bits(term)
    among = -1 if terms.where.empty else _allowed(texts, terms.where)
    for term in map(each_spelling, terms.required):
        among &= texts.bits(term)
    return [row for row in rows if (among & ~excluded) >> row & 1]


def _allowed(texts: FullText, where: Filter) -> int:
    """The rows of the documents, and of their parts, that a filter lets through, as bits."""
    session, table = texts.session, texts.table
    documents, values = of_documents(where)
    shown = "FROM files f JOIN versions v ON v.id = f.version_id"
    parts: list[int] = []
    if where.by_part:
        attributed, more = of_parts(where)
        shown = f"{shown} JOIN attributions a ON a.version_id = v.id WHERE {documents} AND {attributed}"
        rows = session.rows(f"SELECT a.version_id, a.part {shown}", (*values, *more))
        parts = [version << _PART_BITS | part for version, part in rows if part]
        among, values = "SELECT value FROM json_each(?)", [_encoded([version for version, part in rows if not part])]
    else:
        among = f"SELECT v.id {shown} WHERE {documents}"
    query = f"SELECT json_group_array(t.id) FROM {table.content} t WHERE (t.version_id IN ({among})"  # noqa: S608
    if parts:
        query += f" OR t.version_id << {_PART_BITS} | {table.part} IN (SELECT value FROM json_each(?))"  # noqa: S608
        values = [*values, _encoded(parts)]
    query += ")"
    if where.kind is not None:
        query += " AND (SELECT type FROM elements e WHERE e.version_id = t.version_id AND e.seq = t.seq) = ?"
        values.append(where.kind)
    ids = msgspec.json.decode(session.one(query, values), type=list[int])
    return to_bits(ids, max(ids)) if ids else 0


def _posting(texts: FullText, term: str, *, compounds: bool) -> tuple[str, int]:
    """The term and its rows; a word that stands nowhere is taken for the beginning of one."""
    bits = texts.bits(term)
    if not bits and term.endswith('"') and " " not in term and len(term) > 4:
        term = _beginning(texts, term, compounds=compounds)
        bits = texts.bits(term)
    return term, bits


def _in_pieces(pairs: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Pairs of characters with their rows, of those the rows that hold two pairs at least: one may straddle words."""
    once = twice = 0
    for _, bits in pairs:
        once, twice = once | bits, twice | (once & bits)
    return [(pair, bits & twice) for pair, bits in pairs if bits & twice]


def _inflected(texts: FullText, term: str) -> Mapping[str, int]:
    """The expressions of all forms of a word in letters that FTS5 does not stem, and of its British and American
    spellings where both stand, with the numbers of their rows."""
    word = term.strip('"')
    if not has_forms(word):
        return _both_spellings(texts, term, word)
    vocabulary = texts.vocabulary
    return {f'"{one}"': vocabulary.rows(one) for one in inflected(vocabulary, word)}


def _both_spellings(texts: FullText, term: str, word: str) -> Mapping[str, int]:
    """None where it stands in one spelling only, or FTS5 stems both alike: which is nowhere is told (`corrections`)."""
    others = {f'"{one}"' for one in both_spellings(word) if stem(one) != stem(word.lower())} if word else set[str]()
    found = {one: count for one in sorted(others) if (count := texts.bits(one).bit_count())}
    own = texts.bits(term).bit_count() if found else 0
    return {term: own} | found if own else {}


def _spelt(term: str, rows_of: Callable[[str], int]) -> Mapping[str, int]:
    """The expressions of a run of Chinese in traditional and in simplified characters, with the numbers of their rows,
    none where it stands in no other spelling than its own."""
    several = [cjk_phrase(one) for one in spellings(phrased(term), lambda pair: bool(rows_of(cjk_phrase(pair))))]
    counts = {one: rows_of(one).bit_count() for one in several[1:]}
    others = {one: count for one, count in counts.items() if count}
    return {term: rows_of(term).bit_count()} | others if others else {}


def _beginning(texts: FullText, term: str, *, compounds: bool) -> str:
    """The expression for what begins with the word of `term`."""
    word = term.strip('"')
    if not word.isalpha() or (compounds and not is_short(word)):
        return f"{term} *"
    vocabulary = texts.vocabulary
    if not is_short(word):
        return f"{term} *" if goes_on(vocabulary, word) else term
    known = begun(vocabulary, word, compounds=compounds)
    return " OR ".join(f'"{one}" *' for one in known) or term


def _score(texts: FullText, terms: list[str], among: list[int] | None) -> dict[int, float]:
    """BM25 of the rows that match any of the terms, of those in `among` where given."""
    if not terms:
        return {}
    session, table = texts.session, texts.table
    weights = ", ".join(map(str, table.weights))
    query = f"SELECT rowid, -bm25({table.fts}, {weights}) FROM {table.fts} WHERE {table.fts} MATCH ? "  # noqa: S608  # ours
    expression = " OR ".join(terms)
    if among is None:
        return dict(session.rows(query, (expression,)))
    # The plus keeps SQLite from running the whole query once for each row.
    query += "AND +rowid IN (SELECT value FROM json_each(?))"
    return dict(session.rows(query, (expression, _encoded(among))))


def _encoded(numbers: Sequence[int]) -> str:
    return msgspec.json.encode(numbers).decode()


def _idf(bits: int, total: int) -> float:
    return _idf_of(bits.bit_count(), total)


def _idf_of(count: int, total: int) -> float:
    count = min(count, total)
    return max(1e-6, math.log((total - count + 0.5) / (count + 0.5)))
