"""Answers searches: reads the query, ranks by words and (where an index of meaning is there) by meaning, shows hits."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sidecar.api.errors import NotFoundError
from sidecar.api.model import ElementType
from sidecar.api.records import (
    DocumentInfo,
    DocumentPage,
    ElementAnswer,
    ElementInfo,
    FolderInfo,
    Narrowing,
    SearchAnswer,
    SearchHit,
    SortKey,
)
from sidecar.api.uris import format_uri
from sidecar.search.choosing import (
    Lifting,
    Places,
    Scores,
    by_score,
    choose,
    first_kept,
    is_most_of,
    is_placed,
    newest_edition,
    section_of,
    typed_first,
    with_named,
    without_title_repeats,
)
from sidecar.search.dates import month_in_name
from sidecar.search.element_kinds import kinds_asked
from sidecar.search.filters import kind_of_file
from sidecar.search.fusion import Fusion, RankedRows, SemanticIndex, fuse
from sidecar.search.hits import (
    as_signed,
    document_hit,
    entry_hit,
    has_phrase,
    has_word,
    in_one_row,
    passage_hit,
    significant,
    titled,
)
from sidecar.search.query import Query, document_filter, expressions, in_names, parse_query
from sidecar.search.ranking import Ranker
from sidecar.search.weak import ALL_WEAK, shown, weak_passages
from sidecar.search.words import plain
from sidecar.store import Documents, Filter, Passage, SearchIndex
from sidecar.store.analysis import month_in_names
from sidecar.store.chinese import each_spelling
from sidecar.store.index.english import english_words
from sidecar.store.letters import regular
from sidecar.toolkit.answers.windows import OnDemand
from sidecar.toolkit.text import without_surrogates

_MANY = 80
"""Passages above which choosing among them may take over 5 ms, and is done in a thread."""
_LONG_CHARS = 1000
"""A query above it may take over 5 ms to be taken apart, and that is done in a thread."""
_NAMED = 3
"""Documents found by name that join an answer; more of them would crowd out what stands in the texts."""
_EDITIONS = 50
"""How many documents are compared where the latest version of one is asked for."""
_LIKELY = 8
"""The likeliest documents with words of a query in their names: among them those that are meant are looked for."""
_PLACED = 12
"""How many words of a query are looked for in the names of folders."""
_TITLED = 0.5
"""By this much a passage counts more whose document's title has all the query's other words: over the mixed questions
success@1 goes from 0.850 to 0.875, on the collections nothing changes (tests/bench/search/questions.py)."""
_FROM = 1.3
"""What a message counts more that is from whom a question names: to whom it goes stands in it just so."""
_DATED = 1.1
"""What a passage counts more whose document, or message, is itself of a month or year that the question names, or has
it in its name."""
KIND = 1.5
"""What a passage counts more of a file of the kind that the question begins with ("the spreadsheet with …")."""
_CODED = 1.5
"""What a passage counts more that has a word of the query which can only be a name of just this ("putFirmware")."""
_NOTHING_FITS = "No document fits these filters."


class _Best(NamedTuple):
    """Passages chosen from a ranking, best first, and the query as it was searched in the end."""

    asked: Query
    ranking: RankedRows
    chosen: list[tuple[Passage, float]]
    weak: AbstractSet[int]
    """Ids of passages that hardly answer."""
    remark: str
    copies: Mapping[int, tuple[str, ...]]
    """See `Choice.copies`."""


def _is_guessed(asked: Query) -> bool:
    """Whether less than half of the query's words are English."""
    return bool(asked.language) or 2 * len(english_words(asked.marks)) < len(asked.marks)


class Searcher:
    """`semantic` may be set at any time; None means lexical search alone."""

    def __init__(self, documents: Documents, index: SearchIndex, semantic: SemanticIndex | None = None) -> None:
        self._documents = documents
        self._index = index
        self.semantic = semantic
        self.fuse: Fusion = fuse
        """How the two rankings are put together; another way may be set, for comparison."""

    async def search(self, query: str, limit: int = 10, doc: str | None = None, start: int = 0) -> SearchAnswer:
        """Passages, one a section, and documents whose name or title is what was asked for: `limit` of them after the
        first `start`.

        Raises:
            NotFoundError: no document `doc`, or a former version of one (only present ones are searched)."""
        asked = await self._within(await _parsed(query), doc)
        if not asked.terms and not asked.required:
            return await self._without_words(asked, limit, start)
        upto, ranker = limit, self._ranker()
        found = await self._best(asked, upto, ranker)
        named = await self._named(found, doc, query) if asked.sort == "relevance" else []
        edition = newest_edition(named) if asked.edition else None
        named = [edition] if edition is not None else named
        absent = [term.strip('"') for term in found.ranking.absent]
        lifting = Lifting(edition, absent) if edition is not None or not asked.latest else None
        shown = with_named(found.chosen[:upto], named, query, lifting)
        # A longer answer is not a shorter one with more at its end: each page is what the longer one has beyond those
        # before it.
        while len(shown) <= start and len(found.chosen) > upto:
            upto += limit
            found = await self._best(asked, upto, ranker)
            given = Places((one, score) for one, score in shown if isinstance(one, Passage))
            shown += [one for one in found.chosen if given.add(*one)][:limit]
        more = len(found.chosen) > upto or len(shown) > start + limit
        page = shown[start : start + limit]
        hits, weak, paths = await self._hits(page, found, {document.slug for document in named})
        total = None if more else len(shown) - len(page) + len(hits)
        remark = found.remark
        if weak:
            remark = f"{remark} {ALL_WEAK}".strip()
        if total == 0:
            remark = f"{remark} {await self._nothing_passes(asked)}".strip()
            remark = remark or "Nothing was found; try fewer or other words."
        by_date = asked.latest or asked.sort == "newest"
        guessed = found.ranking.mode == "semantic" and _is_guessed(found.asked)
        return SearchAnswer(
            hits, found.ranking.mode, remark, found.ranking.ranked, more, total, by_date, paths, guessed
        )

    async def _hits(
        self, shown: Sequence[tuple[Passage | DocumentInfo, float]], best: _Best, named: AbstractSet[str]
    ) -> tuple[Sequence[SearchHit], bool, tuple[str, ...]]:
        """The hits, whether all there are are weak, and the files that they lie in. `named` are the slugs of documents
        that are called what was asked for: nothing in them is weak. What was removed since it was ranked is left
        out."""
        passages = [one for one, _ in shown if isinstance(one, Passage)]
        marks, index = (*best.asked.marks, *best.asked.joined), self._index
        details = dict(zip((one.id for one in passages), await index.details(passages), strict=True))
        hits: list[Callable[[], SearchHit]] = []
        weak: list[bool] = []
        paths: list[str] = []
        for one, score in shown:
            if not isinstance(one, Passage):
                hits.append(partial(document_hit, one, score, marks))
                weak.append(False)
                paths.append(one.path)
                continue
            elements, window, table, origin = details[one.id]
            if origin is not None:
                weak.append(one.id in best.weak and one.slug not in named)
                made = partial(passage_hit, one, score, marks, elements, window, origin, weak=weak[-1])
                hits.append(partial(made, table=table and table.name, copies=best.copies.get(one.id, ())))
                paths.append(one.path)
        return OnDemand(hits), bool(weak) and all(weak), tuple(paths)

    async def _best(self, asked: Query, upto: int, ranker: Ranker) -> _Best:
        """The best `upto` passages, and one more where there are more."""
        many = 4 * upto + 20 if not asked.phrases else 8 * upto + 50
        asked, ranking = await ranker.rank(asked, many, "passage")
        passages, literal = await self._passages(ranking, asked, upto)
        lifts, rankings = await self._lifts(passages, asked), (ranking.rows, ranking.by_words)
        ranked, by_words = ({row: score * lifts[row] for row, score in rows if row in lifts} for rows in rankings)
        weak = weak_passages(passages, ranking, asked, self.semantic)
        scores = Scores(ranked, by_words, ranking.stays)
        choice = partial(choose, passages, scores, upto + 1 + len(weak), asked)
        chosen, copies = choice() if len(passages) <= _MANY else await asyncio.to_thread(choice)
        chosen = without_title_repeats(chosen)
        if asked.guessed:
            chosen = typed_first(chosen, [mark for mark in asked.marks if mark not in asked.uncertain_guesses])
        chosen = shown(chosen, weak, upto + 1, asked, ranking)
        return _Best(
            asked, ranking, chosen, weak, " ".join(filter(None, (asked.remark, ranking.remark, literal))), copies
        )

    async def _lifts(self, passages: Sequence[Passage], asked: Query) -> dict[int, float]:
        """What each passage's score is multiplied by: more where the document's title has words of the query that it
        does not repeat, less where no row of a sheet has all its words, more where it has an identifier of the query,
        and where the message is from whom the query says."""
        kinds = kind_of_file(asked.text)
        lifted = {
            one.id: (1 + _TITLED * share)
            * (KIND if one.path.lower().rpartition(".")[2] in kinds else 1)
            * in_one_row(one, asked.marks)
            * as_signed(one, asked.signed)
            * _CODED ** (has_word(one, asked.coded) + any(has_phrase(one, (number,)) for number in asked.numbers))
            for one, share in zip(passages, titled(passages, asked.marks), strict=True)
        }
        dated = [one for one in passages if asked.sender or any(period.holds(one.dated) for period in asked.periods)]
        for one, origin in zip(dated, await self._index.origins(dated) if dated else (), strict=True):
            sender, own_date = (origin.sender, origin.own_date) if origin is not None else ("", False)
            if asked.sender:
                named = set(asked.sender.split()) <= set(plain(sender).split())
                lifted[one.id] *= _FROM if named else 1 / _FROM if asked.latest else 1.0
            if own_date and any(period.holds(one.dated) for period in asked.periods):
                lifted[one.id] *= _DATED
        for one in passages if asked.periods else ():
            month = month_in_name(one.path)
            if month is not None and any(period.has(*month) for period in asked.periods):
                lifted[one.id] *= _DATED
        return lifted

    async def search_elements(
        self, query: str, kind: ElementType | None = None, limit: int = 10, doc: str | None = None
    ) -> ElementAnswer:
        """Figures, tables, equations … by label, caption, surroundings and own text. Raises NotFoundError."""
        asked = await self._within(await _parsed(query), doc)
        asked = replace(asked, where=replace(asked.where, kind=kind))
        if not asked.terms and not asked.required:
            return ElementAnswer((), asked.remark)
        asked, kinds = kinds_asked(asked)
        asked, ranking = await self._ranker().rank(asked, 2 * limit if kinds else limit, "element")
        elements = await self._index.elements(ranking.rows)
        fits = {one.id: kinds.get(one.element.type, 1.0) for one in elements}
        scored, worded = (by_score(elements, dict(rows), fits) for rows in (ranking.rows, ranking.by_words))
        scored = first_kept(scored, worded, ranking.stays)[:limit]
        shown = tuple(
            ElementInfo(
                document_slug=found.slug, doc_id=found.doc_id, type=found.element.type, label=found.element.label,
                uri=format_uri("element", found.slug, found.element.label), part=found.element.part,
                part_kind=found.part_kind, page=found.element.page, box=found.element.box,
                caption=found.element.caption, context=found.element.context, text=found.element.text,
                latex=found.element.latex, generated=found.element.generated, embed=found.element.embed,
                score=significant(score), confidence=found.element.confidence,
                flaw=found.element.flaw,
            )
            for found, score in scored
        )  # fmt: skip
        remark = " ".join(filter(None, (asked.remark, ranking.remark)))
        return ElementAnswer(shown, remark, ranking.ranked)

    async def documents(self, page: int, page_size: int, sort_by: SortKey, narrowing: Narrowing) -> DocumentPage:
        """A page of the documents that this leaves. Raises UsageError, and NotFoundError where none lies in its
        `folder`."""
        where = document_filter(narrowing)
        found = await self._index.documents_listed(page, page_size, sort_by, where)
        if not found.total and not found.removed and (missing := await self._index.missing_folder(where)):
            raise NotFoundError(missing)
        return found

    async def find(self, query: str, limit: int = 10) -> tuple[DocumentInfo, ...]:
        """Documents whose title, file name or slug come close, best first; misspelt names come last."""
        query = regular(without_surrogates(query))
        terms = [
            f"{term} *" if term.endswith('"') and " " not in term else each_spelling(term)
            for term in expressions(query[:500])[:30]
        ]
        terms = [f"({term} OR {month})" if (month := month_in_names(term)) else term for term in terms]
        return tuple(await self._index.documents_near(query, terms, limit))

    async def folders(self, query: str) -> tuple[FolderInfo, ...]:
        """Folders of that name, those with most documents first."""
        return tuple(await self._index.folders_named(query))

    def _ranker(self) -> Ranker:
        return Ranker(self._index, self.semantic, self.fuse)

    async def _within(self, asked: Query, slug: str | None) -> Query:
        if slug is None:
            return asked
        version = await self._documents.resolve(slug)
        if not version.current:
            raise NotFoundError(f"{slug} is a former version of {version.slug}; search the document by its slug.")
        return replace(asked, where=replace(asked.where, version=version.id))

    async def _passages(self, ranking: RankedRows, asked: Query, limit: int) -> tuple[list[Passage], str]:
        """Enough of the ranked passages; quoted words in another form only where the very words are nowhere."""
        # What may stay first is the best of those that words alone would have read.
        head = dict.fromkeys(row for rows in (ranking.rows, ranking.by_words) for row, _ in rows[: 2 * limit])
        ids = list(head | dict.fromkeys(row for row, _ in ranking.rows))
        place = asked.where.places[0] if asked.where.places else ""
        read = 0
        passages: list[Passage] = []
        # Most passages stand in sections of their own, so the first few do; reading all takes as long as ranking.
        for upto in (len(ids),) if asked.phrases or asked.lifting else (len(head), len(ids)):
            chunk, read = ids[read:upto], max(read, upto)
            passages += await self._index.passages(chunk, place)
            if len({section_of(passage) for passage in passages}) >= limit + limit // 2:
                break
        if not asked.phrases:
            return passages, ""
        wanted = [plain(phrase) for phrase in asked.phrases]
        literal = [passage for passage in passages if has_phrase(passage, wanted)]
        if passages and not literal:
            return passages, "The quoted words do not occur in just this form; these passages have other forms of them."
        return literal, ""

    async def _named(self, found: _Best, slug: str | None, query: str) -> list[DocumentInfo]:
        """Documents whose name holds every word asked for, else those whose name, or name and folders, are most of what
        is asked for, else those whose name has a word that stands in no text."""
        asked = found.asked
        if slug is not None or asked.excluded:
            return []
        words = in_names([term for term in (*asked.required, *asked.terms) if not term.startswith("(")])  # a date does
        absent = [term for term in found.ranking.absent if term.startswith('"')]
        named = partial(self._index.documents_named, where=asked.where, readable=True)
        if whole := await named(" AND ".join(words), limit=_EDITIONS if asked.edition else _NAMED):
            return whole
        if words[1:]:
            # Words of titles are in many documents, and rank every one of them: names alone are asked.
            among = f"name : ({' OR '.join(words)})"
            likely = await named(among, limit=_LIKELY)
            if most := [one for one in likely if is_most_of(one, query)]:
                return most[:_NAMED]
            placed = await named(among, limit=_NAMED, placed=asked.marks[:_PLACED]) if likely else []
            if most := [one for one in placed if is_placed(one, query)]:
                return most[:_NAMED]
        return await named(" OR ".join(in_names(absent)), limit=_NAMED) if absent else []

    async def _without_words(self, asked: Query, limit: int, start: int) -> SearchAnswer:
        if replace(asked.where, version=None) == Filter():
            remark = asked.remark or "The query holds no word to search for; type at least one."
            return SearchAnswer((), "lexical", remark)
        entries, total = await self._index.entries_where(asked.where, limit, start)
        remark = asked.remark if total else f"{asked.remark} {await self._nothing_passes(asked)}".strip()
        hits = tuple(entry_hit(one) for one in entries)
        paths = tuple(hit.path for hit in hits)
        return SearchAnswer(hits, "lexical", remark, more=start + len(hits) < total, total=total, paths=paths)

    async def _nothing_passes(self, asked: Query) -> str:
        """A sentence where it is the filters that leave nothing to search."""
        if replace(asked.where, version=None) == Filter():
            return ""
        _, total = await self._index.entries_where(asked.where, 0)
        return "" if total else await self._index.missing_folder(asked.where) or _NOTHING_FITS


async def _parsed(query: str) -> Query:
    return parse_query(query) if len(query) <= _LONG_CHARS else await asyncio.to_thread(parse_query, query)
