"""Views that are too much work for the serving process, made in a worker process that reads the index by itself.

Imported there and by whoever asks for one. What is too much is told by `text`, before anything is built.
"""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

from sidecar.api import ResourceContent, WorkerCrash, Workers, parse_uri
from sidecar.server.reading.decoding import result_of
from sidecar.server.reading.text import Contents, TextReader
from sidecar.store import Documents
from sidecar.views.embedded import Readable

__all__ = ["make_view"]

SECONDS: Final = 60.0
"""Every view is bounded; one that takes so long is stuck."""
_MAKE: Final = f"{__name__}:make"


async def make_view(workers: Workers, index: Path, uri: str, readable: Readable, max_chars: int) -> Contents:
    """The contents of an address that `TextReader` reads. Raises as it does, and WorkerError."""
    arguments = str(index), uri, readable.suffixes, readable.media_types, max_chars
    call = partial(workers.run, _MAKE, *arguments, timeout=SECONDS, pool="views")
    try:
        return tuple(await call())
    except WorkerCrash:  # it may have been killed while nobody asked; the next one starts fresh
        return tuple(await call())


def make(
    index: str, uri: str, suffixes: frozenset[str], media_types: frozenset[str], max_chars: int
) -> list[ResourceContent]:
    """The same, in the worker."""
    from sidecar.store.database.pool import OneReader

    with closing(OneReader(Path(index))) as database:
        readable = Readable(suffixes, media_types)
        text = TextReader(Documents(database), readable, lambda: max_chars, in_worker=True)
        address = parse_uri(uri)
        return list(result_of(text.readers()[address.scheme](uri, address)))
