"""Regular expressions over what a reader sees, in bounded time; a match leads to its paragraph, cells, slide or page.

Passages are looked through first (one query gives hundreds); only those that match are opened to find the very block.
All of it runs in a worker process, which reads the index by itself: a pattern may want any time and any memory
(`matching`), and so may what it is to be found in."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from sidecar.api import (
    AnyBlock,
    GrepAnswer,
    GrepFile,
    GrepHit,
    GrepQuery,
    LimitError,
    NotFoundError,
    Table,
    UsageError,
    WorkerError,
    Workers,
    WorkerTimeout,
    decode_blocks,
    format_uri,
)
from sidecar.server.long_work import result_of
from sidecar.server.reading.grep import matching
from sidecar.server.reading.grep.lines import Line, ReadPart, comparable, header_of, text_lines
from sidecar.store import Documents
from sidecar.store.documents.records import HEADINGS_APART, PartRecord
from sidecar.store.documents.views import Passage
from sidecar.toolkit.visible import visible
from sidecar.views.blocks.repeats import without_repeats
from sidecar.views.embedded import by_key, passage_uri
from sidecar.views.searchable import Embeds, accepted
from sidecar.views.sources import part_uri

_SECONDS = 5.0
"""The whole search works no longer; what was found until then is the answer."""
_MAX_PATTERN = 1000
_MAX_REPEAT = 1000
"""The highest count a pattern may repeat something: `a{1000000000}` would be written out a billion times."""
_COMPILE_SECONDS = 3.0
_GRACE_SECONDS = 1.0
"""A worker that has not answered this long after its time was up is killed."""
_BATCH = 200
"""Passages a query fetches and a worker looks through at a time."""
_SEARCH = f"{__name__}:search"
_COMPILE = "sidecar.server.reading.grep.matching:check"
_POOL = "grep"
_UNBOUNDED = 10**6
_FORMULA = "\u27e8="
_DIGIT = re.compile(r"\d")
_REPEAT = re.compile(r"\{(\d*)(?:,(\d*))?\}")
_TOO_SLOW = "The search was stopped for time; narrow it by document or path, or use a simpler pattern."


async def grep(index: Path, workers: Workers, query: GrepQuery) -> GrepAnswer:
    """Matches in order of document and place, in the index of that file.

    Raises:
        UsageError: the pattern cannot be compiled, or needs too much to be.
        NotFoundError: `doc` is unknown, or a former version."""
    _check(query.pattern)
    try:
        await workers.run(_COMPILE, query.pattern, query.ignore_case, timeout=_COMPILE_SECONDS, pool=_POOL)
    except WorkerTimeout:
        raise UsageError("the pattern takes too long to compile; use a simpler one.") from None
    except (WorkerError, LimitError) as error:
        raise _too_large() from error
    try:
        return await workers.run(_SEARCH, str(index), query, timeout=_SECONDS + _GRACE_SECONDS, pool=_POOL)
    except WorkerTimeout:
        return GrepAnswer((), complete=False, remark=_TOO_SLOW)
    except (WorkerError, LimitError) as error:
        raise _too_large() from error


def search(index: str, query: GrepQuery) -> GrepAnswer:
    """The same, in the worker."""
    from sidecar.store.database.pool import OneReader

    with closing(OneReader(Path(index))) as database:
        one = _Search(Documents(database), query)
        result_of(one.run())
        return one.answer()


@dataclass
class _Search:
    """One search under way."""

    documents: Documents
    query: GrepQuery
    hits: list[GrepHit] = field(default_factory=list[GrepHit])
    found: int = 0
    """Matches seen; the first `start` of them are not kept."""
    more: bool = False
    stopped: str = ""
    missing: str = ""
    """That no document is where the query looks."""
    seen: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    """Blocks looked at: passages of one block may come in different batches."""
    deadline: float = 0.0
    matched: dict[str, GrepFile] = field(default_factory=dict[str, GrepFile])
    """The documents with matches, by slug."""
    shown: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    """Lines that matched, by document and part: a passage says some of them again, in its own way or in pieces."""
    embeds: tuple[str, Embeds] = ("", {})
    """What is embedded in the document looked at last, by its doc_id."""
    headers: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    """The heading rows of sheets."""
    latest: str = ""
    """The document looked at last."""
    titled: set[int] = field(default_factory=set[int])
    """The first passage of each document."""

    def answer(self) -> GrepAnswer:
        """What was found."""
        query = self.query
        if query.show == "lines":
            return GrepAnswer(tuple(self.hits), not self.stopped, self.stopped or self.missing, self.found, self.more)
        files = list(self.matched.values())
        shown = tuple(files[query.start : query.start + query.limit])
        return GrepAnswer((), not self.stopped, self.stopped or self.missing, len(files), self.more, shown)

    async def run(self) -> None:
        """Fill `hits`; what stopped it is in `stopped`."""
        self.deadline = time.process_time() + _SECONDS
        after: tuple[str, int] | None = None
        while not self.stopped:
            passages = await self.documents.passages(
                doc=self.query.doc, path=self.query.path, after=after, limit=_BATCH
            )
            if not passages:
                if after is None and self.query.path:
                    self.missing = f"No document has {self.query.path[:100]!r} in its path."
                break
            after = (passages[-1].slug, passages[-1].id)
            await self._look_through(passages)

    async def _look_through(self, passages: Sequence[Passage]) -> None:
        """Find the passages that match and the blocks behind them, a part at a time."""
        texts = [_all_text(passage) for passage in passages]
        for index, passage in enumerate(passages):
            if passage.slug != self.latest:  # the first of its document answers for the title
                self.latest = passage.slug
                texts[index] = f"{passage.title}\n{texts[index]}"
                self.titled.add(passage.id)
        query = self.query
        indexes, finished = matching.matching(query.pattern, query.ignore_case, texts, self._left())
        if _DIGIT.search(query.pattern):  # formulas that differ in their numbers only stand in a passage once
            formulas = (index for index, passage in enumerate(passages) if _FORMULA in passage.text)
            indexes = sorted({*indexes, *formulas})
        for index in indexes:
            if self.stopped:
                return
            if query.show != "files" or passages[index].slug not in self.matched:
                await self._open(passages[index])
        if not finished:
            self.stopped = self.stopped or _TOO_SLOW

    async def _open(self, passage: Passage) -> None:
        span = (passage.first_block, max(passage.last_block, passage.first_block))
        try:
            part = (await self.documents.part(passage.doc_id, passage.part, blocks=span)).part
            embeds = await self._embeds(passage)
            header = await self._header(passage, part)
        except NotFoundError:
            return  # changed since the passages were read: its new text is not this passage's
        self._match(passage, self._lines(passage, part, embeds, header))
        if self.stopped:
            return
        # Words that no block holds: those of an embedded object, of a part's own properties, of an attached document.
        document = format_uri("document", passage.slug)
        properties = not passage.first_block and passage.part == 1  # which the outline shows
        uri = passage_uri(passage) or (document if properties else part_uri(part, passage.slug))
        texts = passage.text.split("\n")
        if part.kind == "sheet" and not part.hidden:
            texts.insert(0, part.name)
        self._match(passage, [line for line in text_lines(texts, uri) if self._is_new(passage, line)])
        file = PurePath(passage.path)
        if passage.id in self.titled and passage.title not in (file.name, file.stem):
            titles = text_lines([passage.title], document)
            self._match(passage, [line for line in titles if self._is_new(passage, line)])

    def _is_new(self, passage: Passage, line: Line) -> bool:
        return comparable(line.text) not in self.shown.get((passage.slug, passage.part), "")

    async def _embeds(self, passage: Passage) -> Embeds:
        if self.embeds[0] != passage.doc_id:
            self.embeds = passage.doc_id, by_key((await self.documents.embeds(passage.doc_id)).embeds)
        return self.embeds[1]

    async def _header(self, passage: Passage, part: PartRecord) -> str:
        """The heading row of a sheet, which the first of its windows has."""
        if part.kind != "sheet" or passage.first_block <= 1:
            return ""
        place = passage.slug, part.n
        if place not in self.headers:
            first = (await self.documents.part(passage.doc_id, part.n, blocks=(1, 1))).part
            tables = (block for block in _blocks(first) if isinstance(block, Table))
            self.headers[place] = next(map(header_of, tables), "")
        return self.headers[place]

    def _lines(self, passage: Passage, part: PartRecord, embeds: Embeds, header: str) -> list[Line]:
        """The lines of the passage's blocks that were not looked at yet; passages may overlap."""
        lines: list[Line] = []
        read = ReadPart(passage.slug, part, embeds, header)
        blocks = without_repeats(_blocks(part))
        for number, block in enumerate(blocks, part.segments[0].first_block if part.segments else 1):
            key = (passage.slug, part.n, number)
            if passage.first_block <= number <= passage.last_block and key not in self.seen:
                self.seen.add(key)
                lines += read.lines(block, number)
        return lines

    def _match(self, passage: Passage, lines: Sequence[Line]) -> None:
        """Add the matches of the lines, and of those with tracked changes that only match with them accepted."""
        found = self._spans([line.text for line in lines])
        changed = [number for number, line in enumerate(lines) if line.otherwise and not found[number]]
        accepted = iter(self._spans([lines[number].otherwise for number in changed]))
        for number in changed:
            found[number] = [(0, 0)] if next(accepted) else []
        for line, spans in zip(lines, found, strict=True):
            if spans:
                place = passage.slug, passage.part
                self.shown[place] = f"{self.shown.get(place, '')}\n{comparable(line.text)}"
            for start, end in spans:
                self._add(passage, line, start, end)
                if self.more or (self.query.show == "files" and spans):
                    return

    def _spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """The matches of each text."""
        if not texts:
            return []
        query = self.query
        most = query.start + query.limit - self.found + 1 if query.show == "lines" else _UNBOUNDED
        found, finished = matching.spans(query.pattern, query.ignore_case, texts, most, self._left())
        if not finished:
            self.stopped = _TOO_SLOW
        return [*found, *([] for _ in range(len(texts) - len(found)))]

    def _add(self, passage: Passage, line: Line, start: int, end: int) -> None:
        query, slug = self.query, passage.slug
        before = self.matched.get(slug)
        if query.show != "lines" and before is None and len(self.matched) >= query.start + query.limit:
            self._stop(f"There are more than {len(self.matched):,} files with matches")
            return
        if query.show == "lines" and len(self.hits) >= query.limit:
            self._stop(f"There are more than {self.found:,} matches")
            return
        self.found += 1
        self.matched[slug] = GrepFile(slug, passage.path, 1 + (before.matches if before is not None else 0))
        if query.show == "lines" and self.found > query.start:
            self.hits.append(_hit(passage, line, start, end, query.context))

    def _stop(self, there: str) -> None:
        self.more = True
        self.stopped = f"{there}; raise limit, or narrow by document or path."

    def _left(self) -> float:
        return max(self.deadline - time.process_time(), 0.0)


def _too_large() -> UsageError:
    return UsageError("the pattern needs too much memory; use a simpler one, with lower repeat counts.")


def _check(pattern: str) -> None:
    """What can be told of a pattern without compiling it. Raises UsageError."""
    if len(pattern) > _MAX_PATTERN:
        raise UsageError(f"the pattern has {len(pattern):,} characters; at most {_MAX_PATTERN:,} are allowed.")
    for match in _REPEAT.finditer(pattern):
        for count in match.groups():
            if count and (len(count) > len(str(_MAX_REPEAT)) or int(count) > _MAX_REPEAT):
                raise UsageError(
                    f"the pattern repeats something {count[:20]} times ({match[0][:40]}); at most {_MAX_REPEAT:,} are "
                    "allowed. Use + or *."
                )


def _hit(passage: Passage, line: Line, start: int, end: int, context: int) -> GrepHit:
    uri = line.cells(start, end) if line.cells is not None else line.uri
    before = tuple(line.before[-context:]) if context else ()
    after = tuple(line.after[:context])
    return GrepHit(passage.slug, uri, line.text, start, end, before, after, passage.path, line.header)


def _blocks(part: PartRecord) -> list[AnyBlock]:
    """The blocks of the part's segments, without what is hidden from readers."""
    return [visible(block) for segment in part.segments for block in decode_blocks(segment.data)]


def _all_text(passage: Passage) -> str:
    """The passage with its headings, and as it reads with tracked changes accepted."""
    changed = accepted(passage.text)
    text = passage.text if changed == passage.text else f"{passage.text}\n{changed}"
    return "\n".join((*passage.heading.split(HEADINGS_APART), text))
