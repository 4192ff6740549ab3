"""Regular expressions over the indexed text, in bounded time; each match leads to its paragraph, cells, slide or page.

Passages are looked through first (one query gives hundreds); only those that match are opened to find the very block.
Patterns are compiled and matched in a worker process (`grep_matching`), never in this one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sidecar.api import (
    AnyBlock,
    GrepAnswer,
    GrepHit,
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
from sidecar.server.reading.decoding import in_thread, stored_bytes
from sidecar.store import Documents
from sidecar.store.documents.records import PartRecord
from sidecar.store.documents.views import Passage
from sidecar.toolkit.cell_references import cell_name
from sidecar.toolkit.visible import visible
from sidecar.views.embedded import passage_uri
from sidecar.views.plain import blocks_text
from sidecar.views.sources import part_uri

__all__ = ["GrepQuery", "grep"]

SECONDS = 5.0
"""The whole search takes no longer; what was found until then is the answer."""
MAX_PATTERN = 1000
MAX_REPEAT = 1000
"""The highest count a pattern may repeat something: `a{1000000000}` would be written out a billion times."""
_COMPILE_SECONDS = 2.0
_GRACE_SECONDS = 1.0
"""A worker that has not answered so long after its time was up is killed."""
_BATCH = 500
"""Passages a query fetches and a worker looks through at a time."""
_CONTEXT_LINES = 10
"""The most lines around a match that can be asked for."""
_CELL_GAP = len(" | ")
_TASKS = "sidecar.server.reading.grep_matching"
_POOL = "grep"
_REPEAT = re.compile(r"\{(\d*)(?:,(\d*))?\}")
_TOO_SLOW = "The search was stopped for time; narrow it by document or path, or use a simpler pattern."


@dataclass(frozen=True)
class GrepQuery:
    """What to look for: `limit` matches after the first `start`, with `context` lines around each; `doc` (slug or
    doc_id) and `path` (part of a file's path) narrow it."""

    pattern: str
    doc: str | None = None
    path: str | None = None
    ignore_case: bool = False
    context: int = 0
    limit: int = 50
    start: int = 0


@dataclass(frozen=True)
class _Line:
    text: str
    uri: str
    before: Sequence[str]
    after: Sequence[str]
    cells: Callable[[int, int], str] | None = None
    """For a row: the URI of the cells that a match from … to … touches."""


async def grep(documents: Documents, workers: Workers, query: GrepQuery) -> GrepAnswer:
    """Matches in order of document and place.

    Raises:
        UsageError: the pattern cannot be compiled, or needs too much to be.
        NotFoundError: `doc` is unknown, or a former version.
    """
    _check(query.pattern)
    search = _Search(documents, workers, query)
    await search.run()
    return GrepAnswer(tuple(search.hits), not search.stopped, search.stopped, search.found, search.more)


@dataclass
class _Search:
    """One search under way."""

    documents: Documents
    workers: Workers
    query: GrepQuery
    hits: list[GrepHit] = field(default_factory=list[GrepHit])
    found: int = 0
    """Matches seen; the first `start` of them are not kept."""
    more: bool = False
    stopped: str = ""
    seen: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    """Blocks looked at: passages of one block may come in different batches."""
    deadline: float = 0.0

    async def run(self) -> None:
        """Fill `hits`; what stopped it is in `stopped`."""
        try:
            await self._call("check", seconds=_COMPILE_SECONDS)
        except WorkerTimeout:
            raise UsageError("the pattern takes too long to compile; use a simpler one.") from None
        self.deadline = time.monotonic() + SECONDS
        after: tuple[str, int] | None = None
        try:
            while not self.stopped:
                passages = await self.documents.passages(
                    doc=self.query.doc, path=self.query.path, after=after, limit=_BATCH
                )
                if not passages:
                    break
                after = (passages[-1].slug, passages[-1].id)
                await self._look_through(passages)
        except WorkerTimeout:
            self.stopped = _TOO_SLOW

    async def _look_through(self, passages: Sequence[Passage]) -> None:
        """Find the passages that match and the blocks behind them, a part at a time."""
        texts = [passage.text for passage in passages]
        indexes, finished = await self._call("matching", texts, self._left())
        for index in indexes:
            if self.stopped:
                return
            await self._open(passages[index])
        if not finished:
            self.stopped = self.stopped or _TOO_SLOW

    async def _open(self, passage: Passage) -> None:
        span = (passage.first_block, max(passage.last_block, passage.first_block))
        try:
            part = (await self.documents.part(passage.doc_id, passage.part, blocks=span)).part
        except NotFoundError:
            return  # changed since the passages were read: its new text is not this passage's
        lines = await in_thread(stored_bytes([part]), lambda: self._lines(passage, part))
        before = self.found
        await self._match(passage.slug, lines)
        if self.found == before and passage.first_block == 0 and not self.stopped:
            # The words of an embedded object, of a part's own properties or of an attached document: no block holds
            # them.
            attached = passage_uri(passage)
            texts = passage.text.split("\n") if attached else [passage.text]
            uri = attached or part_uri(part, passage.slug)
            await self._match(passage.slug, [_line(texts, index, uri) for index in range(len(texts))])

    def _lines(self, passage: Passage, part: PartRecord) -> list[_Line]:
        """The lines of the passage's blocks that were not looked at yet; passages may overlap."""
        lines: list[_Line] = []
        for segment in part.segments:
            for number, block in enumerate(map(visible, decode_blocks(segment.data)), segment.first_block):
                key = (passage.slug, part.n, number)
                if passage.first_block <= number <= passage.last_block and key not in self.seen:
                    self.seen.add(key)
                    lines += _lines(block, number, passage.slug, part)
        return lines

    async def _match(self, slug: str, lines: Sequence[_Line]) -> None:
        """Add the matches of the lines."""
        if not lines:
            return
        query = self.query
        most = query.start + query.limit - self.found + 1
        found, finished = await self._call("spans", [line.text for line in lines], most, self._left())
        for line, spans in zip(lines, found, strict=False):
            for start, end in spans:
                if len(self.hits) >= query.limit:
                    self.more = True
                    there = f"There are more than {self.found:,} matches"
                    self.stopped = f"{there}; raise limit, or narrow by document or path."
                    return
                self.found += 1
                if self.found > query.start:
                    self.hits.append(_hit(slug, line, start, end, query.context))
        if not finished:
            self.stopped = _TOO_SLOW

    def _left(self) -> float:
        return max(self.deadline - time.monotonic(), 0.0)

    async def _call(self, task: str, *arguments: Any, seconds: float | None = None) -> Any:
        """Raises WorkerTimeout, and UsageError where the pattern took all the memory the worker has."""
        timeout = (self._left() if seconds is None else seconds) + _GRACE_SECONDS
        call = (self.query.pattern, self.query.ignore_case, *arguments)
        try:
            return await self.workers.run(f"{_TASKS}:{task}", *call, timeout=timeout, pool=_POOL)
        except WorkerTimeout:
            raise
        except (WorkerError, LimitError) as error:
            raise UsageError(
                "the pattern needs too much memory; use a simpler one, with lower repeat counts."
            ) from error


def _check(pattern: str) -> None:
    """What can be told of a pattern without compiling it. Raises UsageError."""
    if len(pattern) > MAX_PATTERN:
        raise UsageError(f"the pattern has {len(pattern):,} characters; at most {MAX_PATTERN:,} are allowed.")
    for match in _REPEAT.finditer(pattern):
        for count in match.groups():
            if count and (len(count) > len(str(MAX_REPEAT)) or int(count) > MAX_REPEAT):
                raise UsageError(
                    f"the pattern repeats something {count[:20]} times ({match[0][:40]}); at most {MAX_REPEAT:,} are "
                    "allowed. Use + or *."
                )


def _hit(slug: str, line: _Line, start: int, end: int, context: int) -> GrepHit:
    uri = line.cells(start, end) if line.cells is not None else line.uri
    before = tuple(line.before[-context:]) if context else ()
    return GrepHit(slug, uri, line.text, start, end, before, tuple(line.after[:context]))


def _line(texts: Sequence[str], index: int, uri: str, cells: Callable[[int, int], str] | None = None) -> _Line:
    """The line of that index with the lines around it."""
    after = texts[index + 1 : index + 1 + _CONTEXT_LINES]
    return _Line(texts[index], uri, texts[max(index - _CONTEXT_LINES, 0) : index], after, cells)


def _lines(block: AnyBlock, number: int, slug: str, part: PartRecord) -> Iterator[_Line]:
    """The lines of a block with their addresses; rows of tables are lines."""
    uri = _block_uri(slug, part, number)
    if isinstance(block, Table):
        rows = [" | ".join(row) for row in block.rows]
        for index in range(len(rows)):
            cells = _cells(block, index, slug, part) if part.kind == "sheet" else None
            yield _line(rows, index, uri, cells)
        if block.caption:
            yield _Line(block.caption, uri, (), ())
        return
    texts = [getattr(block, name, "") for name in ("text", "caption", "alt")]
    lines = [line for text in dict.fromkeys(texts) if text for line in text.split("\n")]
    if not lines:
        lines = blocks_text([block]).split("\n")
    for index in range(len(lines)):
        yield _line(lines, index, uri)


def _block_uri(slug: str, part: PartRecord, number: int) -> str:
    if part.kind in {"sheet", "slide", "page"}:
        return part_uri(part, slug)
    return format_uri("paragraph", slug, part.n, number)


def _cells(table: Table, index: int, slug: str, part: PartRecord) -> Callable[[int, int], str]:
    def uri(start: int, end: int) -> str:
        at = 0
        touched: list[int] = []
        for col, text in enumerate(table.rows[index]):
            if at <= start < at + len(text) + _CELL_GAP or start <= at < end:
                touched.append(col)
            at += len(text) + _CELL_GAP
        row = table.first_row + index
        first, last = (touched[0], touched[-1]) if touched else (0, 0)
        area = cell_name(row, table.first_col + first)
        if last > first:
            area += ":" + cell_name(row, table.first_col + last)
        return format_uri("sheet", slug, part.name or part.n, query={"range": area})

    return uri
