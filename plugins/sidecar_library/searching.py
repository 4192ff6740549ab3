"""The tools that search: `search_documents` and `search_visual_elements`."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from pydantic import Field

from sidecar.api import Call, ElementType, Result, SearchAnswer, SearchHit, Text, Tool, UsageError
from sidecar.toolkit.answers.budget import (
    FitCache,
    answer_tokens,
    fit_texts,
    next_start,
    shorten,
    shorten_around,
    whole_answer_tokens,
)
from sidecar.toolkit.answers.windows import OnDemand
from sidecar.toolkit.provenance import escape_frame_lines
from sidecar.toolkit.settings import Start, ToolArguments
from sidecar.toolkit.text import few, with_filters
from sidecar_library.documents import contexts_of
from sidecar_library.elements import element_fields
from sidecar_library.records import context_lines
from sidecar_library.schemas import ELEMENTS_FOUND, PASSAGES_FOUND, REMARK_CHARS, Limit, check_start

DEFAULT_TOKENS = 700
"""What an answer costs where no `limit` is given: as many of the `_DEFAULT_LIMIT` first as it holds. Over a mixed
library of 2,000 files it was 550 to 570 on average, 637 at most, and answered 34 of 40 questions in its first three
results, as many as whole answers do (`tests/bench/search/questions.py` compares the two)."""
_DEFAULT_LIMIT = 10
_FEW = 20
"""Results up to which an answer is written on the loop, in under 8 ms; one of more is written in a thread."""
_FULL = 400
"""Characters of a passage where all that was found fits."""
_OVER = 120
"""How much more is tried first, since sums of estimates are over what the whole answer costs; then less by what the
whole answer is over, and by `_LESS` at least: ten times at most."""
_LESS = 12
_NAMED_TOKENS = 4
"""What a field costs beside its value: its name, the brackets around it in the text."""
_CHARS_A_TOKEN = 3
"""How many characters a token has, at least, in most texts."""
_WORTH = 9
"""Fewer characters are not worth lengthening a text by."""
_UNLIKELY = 0.5
"""Share of the best score below which a result leaves the best ones their text."""
_SENDER_CHARS = 40
_MAX_COPIES = 2
"""How many documents with the same text are named."""
_ALWAYS = frozenset({"document_slug", "doc_id", "uri", "title", "path"})
"""What a result has though it be empty."""
_MIN_RESULTS = 3
"""How many results must fit before any has a longer text."""


class SearchDocuments(ToolArguments):
    """Arguments of `search_documents`."""

    query: str = Field(description='words, "phrase", -word, from: to: subject: author: name: state: modified:2024-03')
    limit: Limit | None = None
    document_slug: str | None = None
    folder: str = ""
    type: str = Field("", description="pdf, word, excel, slides, mail, code")
    after: str = Field("", description="2024-01-31")
    before: str = ""
    sort: Literal["relevance", "newest"] = "relevance"
    start: Start = 0

    def narrowed(self) -> str:
        """The query with the filters of the other arguments, as one types them."""
        sort = self.sort if self.sort != "relevance" else ""
        return with_filters(
            self.query, folder=self.folder, type=self.type, after=self.after, before=self.before, sort=sort
        )


class SearchElements(ToolArguments):
    """Arguments of `search_visual_elements`."""

    query: str
    element_type: ElementType | None = None
    limit: Limit | None = None
    document_slug: str | None = None
    start: Start = 0


async def search_documents(call: Call, arguments: SearchDocuments) -> Result:
    """Search the text of all documents."""
    query = arguments.narrowed()
    _need_words(query)
    library = call.services.library
    answer = await library.search(query, arguments.limit or _DEFAULT_LIMIT, arguments.document_slug, arguments.start)
    hits = OnDemand([partial(_entry, answer, at) for at in range(len(answer.hits))])
    remark = _remark(answer.remark, await library.progress(), found=bool(hits))
    if not hits and not remark:
        remark = "Nothing found; try fewer or other words, or find_document for a name."
    frame: dict[str, Any] = {"mode": answer.mode} | ({"ranked": answer.ranked} if answer.ranked else {})
    frame |= await contexts_of(call, answer.paths)
    if answer.total is not None:
        frame["total"] = answer.total
        check_start(arguments.start, answer.total, "results")
    texts = ("snippet", "title", "element_label")
    found = _Found(hits, texts, frame, remark, _passage_lines, answer.more)
    written = partial(_answer, call, arguments, found)
    return written() if len(hits) <= _FEW else await asyncio.to_thread(written)


def _remark(of_search: str, progress: str, *, found: bool) -> str:
    """Where nothing was found, how far the index is comes first: "nowhere in the texts" is of those that are read."""
    return " ".join(filter(None, (of_search, progress) if found else (progress, of_search)))


def _entry(answer: SearchAnswer, at: int) -> dict[str, object]:
    return _hit_fields(answer.hits[at], dated=answer.by_date)


def _hit_fields(hit: SearchHit, *, dated: bool) -> dict[str, object]:
    """A hit as a record; what it does not have is left out. `dated`: the date of its file is told where it has none."""
    fields: dict[str, object] = {
        "document_slug": hit.document_slug, "doc_id": hit.doc_id, "uri": hit.uri, "title": hit.title,
        "element_label": hit.element_label, "page": hit.page, "path": hit.path,
        "date": hit.date[:10] if hit.own_date or dated else "", "from": shorten(hit.sender, _SENDER_CHARS),
        "lacking": hit.lacking, "table": hit.table, "weak": hit.weak, "also_in": few(hit.copies, _MAX_COPIES),
    }  # fmt: skip
    shown = {key: value for key, value in fields.items() if value or key in _ALWAYS}
    return shown | {"snippet": hit.snippet, "score": round(hit.score, 4)}


async def search_visual_elements(call: Call, arguments: SearchElements) -> Result:
    """Search figures, tables, equations, diagrams and charts by what they show."""
    _need_words(arguments.query)
    library = call.services.library
    answer = await library.search_elements(
        arguments.query, arguments.element_type, arguments.limit or _DEFAULT_LIMIT, arguments.document_slug
    )
    entries = [element_fields(element) | {"score": round(element.score, 4)} for element in answer.elements]
    remark = _remark(answer.remark, await library.progress(), found=bool(entries))
    if not entries and not remark:
        remark = "No element found; try other words, or leave out element_type."
    frame = {"ranked": answer.ranked} if answer.ranked else {}
    check_start(arguments.start, len(entries), "results")
    shown, texts = entries[arguments.start :], ("context", "caption")
    return _answer(call, arguments, _Found(shown, texts, frame, remark, _element_lines))


@dataclass(frozen=True)
class _Found:
    """The results from `start` on, the keys of their texts, what stands around them, and what writes one as text.
    `more` says that the same search has others behind them."""

    entries: Sequence[Mapping[str, Any]]
    texts: Sequence[str]
    frame: dict[str, Any]
    remark: str
    lines: Callable[[Mapping[str, Any]], str]
    more: bool = False


def _answer(call: Call, arguments: SearchDocuments | SearchElements, found: _Found) -> Result:
    """As many of the results as fit, their texts shortened first."""
    entries, texts, frame = found.entries, found.texts, found.frame
    if found.remark:  # before the results, which may be less than it asks
        frame = {"remark": shorten(found.remark, REMARK_CHARS)} | frame
    # That not all is embedded yet shortens no text: an answer then says as much as by words alone.
    ranked = answer_tokens(frame["ranked"], call.paid) + _NAMED_TOKENS if "ranked" in frame else 0
    budget, least = (
        (call.budget, None) if arguments.limit else (min(call.budget, DEFAULT_TOKENS + ranked), _MIN_RESULTS)
    )
    # What is behind the last likely one does not shorten those before it.
    likely = max((at for at, entry in enumerate(entries[:_MIN_RESULTS], 1) if _likely(entry, entries[0])), default=0)
    around = {**frame, "results": [], "omitted": 50, "next_start": 50}
    over = 0 if arguments.limit else _OVER
    known = FitCache()
    written = _Written(arguments.start, len(entries), frame, found.lines, more=found.more)
    while True:
        fitting = fit_texts(
            entries, texts, budget + over, frame=around, paid=call.paid, line=written.line, least=least,
            sure=likely or _MIN_RESULTS, full=_FULL, known=known, as_it_is=True,
        )  # fmt: skip
        answer = written.result(fitting)
        spent = whole_answer_tokens(answer, call.paid)
        if spent <= budget or not over:
            break
        over = max(over - max(spent - budget, _LESS), 0)
    # Lengths are tried in steps and estimates are over: the texts take what is left, the best one's first.
    for at, entry in enumerate(fitting):
        text, whole = entry.get(texts[0], ""), entries[at].get(texts[0], "")
        room = (budget - spent) * _CHARS_A_TOKEN // (2 if call.paid == "both" else 1)
        if room < _WORTH or len(text) >= min(len(whole), _FULL):
            continue
        longer = entry | {texts[0]: shorten_around(whole, min(len(text) + room, _FULL))}
        tried = [*fitting[:at], longer, *fitting[at + 1 :]]
        tried_answer = written.result(tried)
        if (cost := whole_answer_tokens(tried_answer, call.paid)) <= budget:
            fitting, answer, spent = tried, tried_answer, cost
    return answer


def _likely(entry: Mapping[str, Any], best: Mapping[str, Any]) -> bool:
    return "weak" not in entry and entry["score"] >= _UNLIKELY * best["score"]


class _Written:
    """Writes answers of the same search, each result once whatever answers it is tried in. `there` is how many results
    there are from `start` on."""

    def __init__(
        self, start: int, there: int, frame: Mapping[str, Any], lines: Callable[[Mapping[str, Any]], str], *, more: bool
    ) -> None:
        self._start, self._there, self._more = start, there, more
        self._frame, self._lines = frame, lines
        remark = " ".join(filter(None, (frame.get("remark"), frame.get("ranked", "") and f"({frame['ranked']})")))
        self._head = [*([remark] if remark else ()), *context_lines(frame)]
        self._lines_of: dict[int, tuple[Mapping[str, object], str]] = {}
        """By the identity of a result, which is kept with it for that reason."""

    def line(self, entry: Mapping[str, Any]) -> str:
        """A result as text."""
        if (kept := self._lines_of.get(id(entry))) is None:
            kept = self._lines_of[id(entry)] = entry, self._lines(entry)
        return kept[1]

    def result(self, fitting: Sequence[Mapping[str, Any]]) -> Result:
        """The answer with those of the results."""
        given, there, frame = len(fitting), self._there, self._frame
        structured: dict[str, Any] = {**frame, "results": fitting} | next_start(self._start, given, there + self._more)
        lines = [f"{number}. {self.line(entry)}" for number, entry in enumerate(fitting, self._start + 1)]
        if given < there:
            structured["omitted"] = there - given
        if "next_start" in structured:
            behind = f"{frame['total'] - structured['next_start']:,} more" if "total" in frame else "More"
            lines.append(f"{behind}: start={structured['next_start']}.")
        return Result((Text("\n".join((*self._head, *lines))),), structured)


def _passage_lines(entry: Mapping[str, Any]) -> str:
    """A result of `search_documents` as text, the same facts as its record but for what only programs need."""
    page = f" p. {entry['page']}" if "page" in entry else ""
    label = f" [{entry['element_label']}]" if "element_label" in entry else ""
    place = "/".join(entry["path"].replace("\\", "/").rsplit("/", 2)[-2:])
    weak = " (weak)" if "weak" in entry else ""
    label += f" [table {entry['table']}]" if "table" in entry and not weak else ""
    origin = ", ".join(filter(None, (place, *(entry.get(key, "") for key in ("date", "from", "lacking")))))
    also = f" (also in {entry['also_in']})" if "also_in" in entry else ""
    return (
        f"{entry['title']}{page}{label}{weak} ({origin}) {entry['uri']}{also}\n{escape_frame_lines(entry['snippet'])}"
    )


def _element_lines(entry: Mapping[str, Any]) -> str:
    """A result of `search_visual_elements` as text."""
    page = f" p. {entry['page']}" if "page" in entry else ""
    around = [" ".join(entry[key].split()) for key in ("caption", "context") if key in entry]
    text = escape_frame_lines("\n".join((*around, *([entry["text"]] if "text" in entry else ()))))
    return (
        f"{entry['element_label']} ({entry['element_type']}) of {entry['document_slug']}{page} {entry['uri']}\n{text}"
    )


def _need_words(query: str) -> None:
    if not query.strip():
        raise UsageError("query is empty; say what to look for.")


SEARCH_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_documents", "Search documents",
        "Search the text of the user's documents. Results carry URIs to read and cite.", SearchDocuments,
        search_documents,
        output=PASSAGES_FOUND, in_app=True,
    ),
    Tool(
        "search_visual_elements", "Search figures, tables, charts",
        "Find figures, tables, equations, diagrams and charts by caption, content and context.", SearchElements,
        search_visual_elements, output=ELEMENTS_FOUND,
    ),
)  # fmt: skip
