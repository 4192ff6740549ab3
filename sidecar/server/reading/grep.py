"""Regular expressions over the indexed text: safe in time, each match addressed by its paragraph, cell, slide or page.

Passages are looked through first (one query gives hundreds); only those that match are opened to find the very block.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread

from sidecar.api import AnyBlock, GrepAnswer, GrepHit, NotFoundError, Table, UsageError, format_uri
from sidecar.store import Documents
from sidecar.store.documents.records import PartRecord, decode_blocks
from sidecar.store.documents.views import Passage
from sidecar.toolkit.cell_references import cell_name
from sidecar.views.embedded import passage_uri
from sidecar.views.plain import blocks_text
from sidecar.views.sources import part_uri

__all__ = ["grep"]

SECONDS = 5.0
"""The whole search takes no longer; what was found until then is the answer."""
PASSAGE_SECONDS = 0.5
"""One pattern on one passage; a pattern that needs longer would never end."""
BATCH = 500
MAX_PATTERN = 1000


@dataclass
class _Search:
    pattern: Any
    limit: int
    context: int
    start: int
    deadline: float
    hits: list[GrepHit] = field(default_factory=list[GrepHit])
    found: int = 0
    """Matches seen; the first `start` of them are not kept."""
    more: bool = False
    stopped: str = ""
    seen: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    """Blocks looked at: passages of one block may come in different batches."""

    @property
    def over(self) -> bool:
        return bool(self.stopped)


async def grep(
    documents: Documents, pattern: str, doc: str | None, path: str | None, *, ignore_case: bool, context: int,
    limit: int, start: int = 0,
) -> GrepAnswer:  # fmt: skip
    """Matches in order of document and place: `limit` of them after the first `start`.

    Raises:
        UsageError: the pattern cannot be compiled.
        NotFoundError: `doc` is unknown, or a former version.
    """
    search = _Search(_compiled(pattern, ignore_case), limit, context, start, time.monotonic() + SECONDS)
    after: tuple[str, int] | None = None
    while not search.over:
        passages = await documents.passages(doc=doc, path=path, after=after, limit=BATCH)
        if not passages:
            break
        after = (passages[-1].slug, passages[-1].id)
        matching = await anyio.to_thread.run_sync(_matching, search, passages)
        await _open(documents, search, matching)
    return GrepAnswer(tuple(search.hits), not search.over, search.stopped, search.found, search.more)


def _compiled(pattern: str, ignore_case: bool) -> Any:
    import regex  # 20 ms to import: only those who grep pay for it

    if len(pattern) > MAX_PATTERN:
        raise UsageError(f"the pattern has {len(pattern):,} characters; at most {MAX_PATTERN:,} are allowed.")
    flags = regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0)
    try:
        return regex.compile(pattern, flags)
    except regex.error as error:
        raise UsageError(f"the pattern is not a regular expression: {error}.") from error


def _matching(search: _Search, passages: Sequence[Passage]) -> list[Passage]:
    """The passages in which the pattern occurs. Runs in a thread; `concurrent` lets go of the interpreter lock."""
    found: list[Passage] = []
    for passage in passages:
        if time.monotonic() > search.deadline:
            search.stopped = _too_slow()
            break
        try:
            if search.pattern.search(passage.text, concurrent=True, timeout=PASSAGE_SECONDS):
                found.append(passage)
        except TimeoutError:
            search.stopped = _too_slow()
            break
    return found


async def _open(documents: Documents, search: _Search, passages: Sequence[Passage]) -> None:
    """Find the blocks behind the passages, a part at a time; passages may overlap, so blocks are seen once."""
    stopped, search.stopped = search.stopped, ""
    for passage in passages:
        if search.over:
            break
        span = (passage.first_block, max(passage.last_block, passage.first_block))
        try:
            view = await documents.part(passage.doc_id, passage.part, blocks=span)
        except NotFoundError:
            continue  # changed since the passages were read: its new text is not this passage's
        await anyio.to_thread.run_sync(_hits, search, passage, view.part)
    search.stopped = search.stopped or stopped


def _hits(search: _Search, passage: Passage, part: PartRecord) -> None:
    before = search.found
    for segment in part.segments:
        for number, block in enumerate(decode_blocks(segment.data), segment.first_block):
            if not passage.first_block <= number <= passage.last_block or (passage.slug, part.n, number) in search.seen:
                continue
            search.seen.add((passage.slug, part.n, number))
            for line in _lines(block, number, passage.slug, part):
                if not _look(search, passage.slug, line):
                    return
    if search.found == before and passage.first_block == 0:
        # The words of an embedded object, of a part's own properties or of an attached document: no block holds them.
        attached = passage_uri(passage)
        lines = passage.text.split("\n") if attached else [passage.text]
        for index, text in enumerate(lines):
            around = lines[max(index - 10, 0) : index], lines[index + 1 : index + 11]
            if not _look(search, passage.slug, _Line(text, attached or part_uri(part, passage.slug), *around)):
                return


@dataclass(frozen=True)
class _Line:
    text: str
    uri: str
    before: Sequence[str]
    after: Sequence[str]
    cells: Callable[[int, int], str] | None = None
    """For a row: the URI of the cells that a match from … to … touches."""


def _look(search: _Search, slug: str, line: _Line) -> bool:
    """Add the line's matches; False when the search is over."""
    if time.monotonic() > search.deadline:
        search.stopped = _too_slow()
        return False
    try:
        for match in search.pattern.finditer(line.text, concurrent=True, timeout=PASSAGE_SECONDS):
            if len(search.hits) >= search.limit:
                search.more = True
                there = f"There are more than {search.found:,} matches"
                search.stopped = f"{there}; raise limit, or narrow by document or path."
                return False
            search.found += 1
            if search.found <= search.start:
                continue
            start, end = match.span()
            uri = line.cells(start, end) if line.cells is not None else line.uri
            near = search.context
            search.hits.append(
                GrepHit(
                    slug, uri, line.text, start, end, tuple(line.before[-near:] if near else ()),
                    tuple(line.after[:near]),
                )
            )  # fmt: skip
    except TimeoutError:
        search.stopped = _too_slow()
        return False
    return True


def _lines(block: AnyBlock, number: int, slug: str, part: PartRecord) -> Iterator[_Line]:
    """The lines of a block with their addresses; rows of tables are lines."""
    if isinstance(block, Table):
        rows = [" | ".join(row) for row in block.rows]
        for index, text in enumerate(rows):
            uri = _block_uri(slug, part, number)
            cells = _cells(block, index, slug, part) if part.kind == "sheet" else None
            yield _Line(text, uri, rows[max(index - 10, 0) : index], rows[index + 1 : index + 11], cells)
        if block.caption:
            yield _Line(block.caption, _block_uri(slug, part, number), (), ())
        return
    texts = [getattr(block, name, "") for name in ("text", "caption", "alt")]
    lines = [line for text in dict.fromkeys(texts) if text for line in text.split("\n")]
    if not lines:
        lines = blocks_text([block]).split("\n")
    for index, text in enumerate(lines):
        uri = _block_uri(slug, part, number)
        yield _Line(text, uri, lines[max(index - 10, 0) : index], lines[index + 1 : index + 11])


def _block_uri(slug: str, part: PartRecord, number: int) -> str:
    if part.kind in {"sheet", "slide", "page"}:
        return part_uri(part, slug)
    return format_uri("paragraph", slug, part.n, number)


def _cells(table: Table, index: int, slug: str, part: PartRecord) -> Callable[[int, int], str]:
    def uri(start: int, end: int) -> str:
        at = 0
        touched: list[int] = []
        for col, text in enumerate(table.rows[index]):
            if at <= start < at + len(text) + 3 or start <= at < end:
                touched.append(col)
            at += len(text) + 3
        row = table.first_row + index
        first, last = (touched[0], touched[-1]) if touched else (0, 0)
        area = cell_name(row, table.first_col + first)
        if last > first:
            area += ":" + cell_name(row, table.first_col + last)
        return format_uri("sheet", slug, part.name or part.n, query={"range": area})

    return uri


def _too_slow() -> str:
    return "The search was stopped for time; narrow it by document or path, or use a simpler pattern."
