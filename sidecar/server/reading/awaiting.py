"""What is done where a document is asked for that is not in the index yet: its file is read first, and waited for; and
where only its words are, the rest; and where all are asked before the folders have been looked through."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from sidecar.api import NotFoundError, SidecarError, UnavailableError, slugify
from sidecar.server.ports import Indexing
from sidecar.store import Documents
from sidecar.store.documents.records import Progress
from sidecar.toolkit.answers.notices import has_only_words

logger = logging.getLogger(__name__)

WAIT_SECONDS = 2.0
"""A call waits this long for a file it names: most are read in less, and a client that hears nothing gives up."""
_NAMED_SECONDS: Final = 1.0
"""A search waits this long for files that are named in its words; a user who asks again finds what takes longer."""
_WORD: Final = re.compile(r"[^\W_]+")
_LOOK_SECONDS: Final = 0.05
"""How often it is asked whether the file was met: with another process, perhaps, which sends no event."""

_WORDS_ONLY_SECONDS: Final = 0.25
"""How long it is taken as known whether there are documents of which only the words were read."""

Answer = TypeVar("Answer")


def _indexing_sentence(progress: Progress) -> str:
    """How far the index is: "indexing, 6,700 of 20,001"."""
    if not progress.pending:
        return "indexing, the folders are being looked through"
    return f"indexing, {progress.searchable:,} of {progress.total:,}"


def searchable_sentence(progress: Progress) -> str:
    """What an answer over all documents says while not all of them are in the index, "" when they are."""
    if progress.state == "idle" or progress.advice:
        return progress.advice
    if not progress.pending:
        return "The folders are being looked through just now."
    if progress.slow:
        what = "scans and pictures are" if progress.pending > 1 else "scan or picture is"
        return f"{progress.pending:,} {what} still being read; all else is searchable."
    if progress.searchable == progress.total and progress.words_only:
        which = "one document" if progress.words_only == 1 else f"{progress.words_only:,} documents"
        return f"The words of all are searchable; headings, tables and figures of {which} are still being read."
    if progress.searchable == progress.total:
        return f"Read again: {progress.pending:,} of {progress.total:,} documents, found as they were till then."
    return f"Indexed {progress.searchable:,} of {progress.total:,} documents so far."


@dataclass
class _FirstWalk:
    """The look through the folders with which a run begins: until when calls wait for it, and whether none does."""

    until: float = 0.0
    over: bool = False


class _AwaitedFile(NamedTuple):
    """A file that is read because a call asked for it, and since when by the clock of the event loop."""

    path: str
    task: asyncio.Task[None]
    since: float


@dataclass
class _WordsOnly:
    """Whether there are documents of which only the words were read, and until when that holds."""

    until: float = 0.0
    any: bool = False


@dataclass(frozen=True)
class Awaiting:
    """Runs work that may miss a document."""

    stored: Documents
    indexing: Indexing
    _reading: dict[str, _AwaitedFile] = field(default_factory=dict[str, _AwaitedFile])
    """Slug → the reading of it that calls have asked for and not seen the end of."""

    _walk: _FirstWalk = field(default_factory=_FirstWalk)
    _words_only: _WordsOnly = field(default_factory=_WordsOnly)

    async def first_walk(self) -> None:
        """Wait, where a run has just begun, until the folders have been looked through and what is read quickly is in
        the index, `WAIT_SECONDS` after the first call that asks for this at most: what is looked for may be in any file
        then. Later looks through the folders keep nobody waiting."""
        await self._walked(lambda now: now.state == "idle" or now.slow)
        self._walk.over = True

    async def before_search(self, query: str) -> None:
        """Before documents are searched: as `first_walk`, and of the files that are not in the index yet those whose
        names say what the query does are read first and waited for, `_NAMED_SECONDS` at most."""
        await self._walked(lambda now: not now.scanning)
        now = self.indexing.progress
        if now.searchable < now.total and not now.slow:
            with suppress(TimeoutError):
                async with asyncio.timeout(_NAMED_SECONDS):
                    await self.indexing.read_first(_WORD.findall(query))
        await self.first_walk()

    async def _walked(self, enough: Callable[[Progress], bool]) -> None:
        """Wait until the progress of the first walk is enough, or it is over."""
        walk, clock = self._walk, asyncio.get_running_loop().time
        self._begin_walk()
        while True:
            if walk.over or clock() >= walk.until or enough(self.indexing.progress):
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def _begin_walk(self) -> None:
        """Have the time run out that calls wait for the first walk, from the first that may have to."""
        if not self._walk.until:
            self._walk.until = asyncio.get_running_loop().time() + WAIT_SECONDS
            self._walk.over = not self.indexing.progress.scanning

    async def once_there(self, doc: str, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """What `work` gives; where it misses `doc` because its file is not met or not read yet, once more after that.

        Raises:
            UnavailableError: it was not read in `WAIT_SECONDS`; it is the next that is.
            NotFoundError: as `work` raised it, with how far the index is where that may be the reason."""
        until = asyncio.get_running_loop().time() + WAIT_SECONDS
        if self._any_words_only():
            await self._once_laid_out(doc)
        try:
            return await work()
        except NotFoundError as error:
            slug = slugify(doc)
            if self.indexing.progress.state != "idle":  # else it may have come just now, or never will
                await self._wait_for_doc(doc, slug, error, until)
        if slug in self._reading:
            await self._wait_for(slug, until)
        return await work()

    def _any_words_only(self) -> bool:
        """Whether there are documents of which only the words were read; looked at now and then, since a process that
        does not index reads it from a file."""
        cached, now = self._words_only, asyncio.get_running_loop().time()
        if now >= cached.until:
            cached.until, cached.any = now + _WORDS_ONLY_SECONDS, self.indexing.progress.words_only > 0
        return cached.any

    async def _once_laid_out(self, doc: str) -> None:
        """Where only the words of a document are in the index, have it read whole now, and wait for that up to
        `WAIT_SECONDS` from the first call that asks for it; its words do where it takes longer."""
        try:
            info = await self.stored.info(doc)
        except NotFoundError:
            return
        if not has_only_words(info.notices):
            return
        if info.slug not in self._reading:
            self._begin(info.slug, info.path)
        _, task, since = self._reading[info.slug]
        await _ended(task, since + WAIT_SECONDS)

    async def with_progress(self, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """What `work` gives; where it misses what no file is named for, the error says how far the index is."""
        try:
            return await work()
        except NotFoundError as error:
            now = self.indexing.progress
            if now.state == "idle":
                return await work()  # it may have come since
            raise _not_yet(error, now) from error

    async def once_named(self, names: str, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """What `work` gives; where it misses a table, whose name begins as its file's does, once more when the files
        that are called so have been read, as `before_search` has them. The error says how far the index is."""
        self._begin_walk()
        try:
            return await work()
        except NotFoundError:
            await self.before_search(names)
        return await self.with_progress(work)

    async def _wait_for_doc(self, doc: str, slug: str, error: NotFoundError, until: float) -> None:
        """Wait until `doc` is in the index or its file is being read, or all folders have been looked through. Raises
        `error` with how far the index is where that may be the reason."""
        while slug not in self._reading and not await self._known(doc):
            now = self.indexing.progress
            if (path := await self.indexing.pending_named(doc)) is not None:
                if slug not in self._reading:  # another call may have asked meanwhile
                    self._begin(slug, path)
            elif not await self._known(doc):  # it may have been committed between the two questions
                if now.state == "idle":
                    return
                if not now.scanning or asyncio.get_running_loop().time() >= until:
                    raise _not_yet(error, now) from error
                await asyncio.sleep(_LOOK_SECONDS)

    async def _known(self, doc: str) -> bool:
        try:
            await self.stored.info(doc)
        except NotFoundError:
            return False
        return True

    async def _wait_for(self, slug: str, until: float) -> None:
        path, task, _ = self._reading[slug]
        if not await _ended(task, until):
            name = path.replace("\\", "/").rpartition("/")[2]
            state = _indexing_sentence(self.indexing.progress)
            raise UnavailableError(f"{name} is not read yet: {state}; this file is next. Ask again in a moment.")

    def _begin(self, slug: str, path: str) -> None:
        now = asyncio.get_running_loop().time()
        self._reading[slug] = _AwaitedFile(path, asyncio.create_task(self._read(slug, path)), now)

    async def _read(self, slug: str, path: str) -> None:
        try:
            await self.indexing.index_now(path)
        except SidecarError as error:  # the index says of the file why it could not be read
            logger.info("%s was asked for before it was indexed: %s", path, error)
        finally:
            self._reading.pop(slug, None)


async def _ended(task: asyncio.Task[None], until: float) -> bool:
    """Whether a task has ended, which is waited for until then."""
    await asyncio.wait({task}, timeout=max(0.0, until - asyncio.get_running_loop().time()))
    return task.done()


def _not_yet(error: NotFoundError, now: Progress) -> NotFoundError:
    """The error with how far the index is, where that may be why the document was missed."""
    known = not now.scanning and now.searchable == now.total  # files are only read again
    message = str(error) if known else f"{error} Now {_indexing_sentence(now)}; it may not be there yet."
    return NotFoundError(message, uri=error.uri, near=error.near)
