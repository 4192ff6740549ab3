"""Views that are too much work for the serving process, made in a worker process that reads the index by itself.

Imported there and by whoever asks for one. What is too much is told by `text` and `outlines`, before anything is built.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from sidecar.api import OutlineWindow, ResourceContent, WorkerCrash, Workers, parse_uri
from sidecar.server.long_work import result_of
from sidecar.server.reading.outlines import OutlineReader, OutlineSpan
from sidecar.server.reading.text import Contents, TextReader
from sidecar.store import Documents
from sidecar.views.embedded import Readable

_SECONDS: Final = 60.0
"""Every view is bounded; one that takes this long is stuck."""
Result = TypeVar("Result")


async def make_view(workers: Workers, index: Path, uri: str, readable: Readable, max_chars: int) -> Contents:
    """The contents of an address that `TextReader` reads. Raises as it does, and WorkerError."""
    return tuple(await _run(workers, "view", str(index), uri, readable.suffixes, readable.media_types, max_chars))


async def make_outline(
    workers: Workers, index: Path, uri: str, readable: Readable, asked: OutlineSpan
) -> OutlineWindow:
    """What `OutlineReader` reads. Raises as it does, and WorkerError."""
    return await _run(workers, "outline", str(index), uri, readable.suffixes, readable.media_types, asked)


async def _run(workers: Workers, function: str, *arguments: Any) -> Any:
    call = partial(workers.run, f"{__name__}:{function}", *arguments, timeout=_SECONDS, pool="views")
    try:
        return await call()
    except WorkerCrash:  # it may have been killed while nobody asked; the next one starts fresh
        return await call()


def view(
    index: str, uri: str, suffixes: frozenset[str], media_types: frozenset[str], max_chars: int
) -> list[ResourceContent]:
    """`make_view`, in the worker."""

    def read(documents: Documents) -> Coroutine[Any, Any, Contents]:
        text = TextReader(documents, Readable(suffixes, media_types), lambda: max_chars, in_worker=True)
        address = parse_uri(uri)
        return text.readers()[address.scheme](uri, address)

    return list(_of_index(index, read))


def outline(
    index: str, uri: str, suffixes: frozenset[str], media_types: frozenset[str], asked: OutlineSpan
) -> OutlineWindow:
    """`make_outline`, in the worker."""
    readable = Readable(suffixes, media_types)
    return _of_index(
        index, lambda documents: OutlineReader(documents, readable, in_worker=True).read(parse_uri(uri), asked)
    )


def _of_index(index: str, read: Callable[[Documents], Coroutine[Any, Any, Result]]) -> Result:
    from sidecar.store.database.pool import OneReader

    with closing(OneReader(Path(index))) as database:
        return result_of(read(Documents(database)))
