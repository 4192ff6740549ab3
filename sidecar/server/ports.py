"""What the server needs from the other packages, as Protocols: `app.py` hands in the objects that fit.

Siblings (`ingest`, `search`) are never imported from here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from sidecar.api import DocumentPage, Drawer, FormatPlugin, Limits, Services, SortKey
from sidecar.api.library import Search
from sidecar.api.records import Narrowing

if TYPE_CHECKING:
    from sidecar.config import ServerSettings  # workers import this room and need no settings
    from sidecar.registry import Features
    from sidecar.store import Documents  # what only greets a client needs no SQLite
    from sidecar.store.documents.records import Progress
    from sidecar.views.embedded import Readable


class Indexing(Protocol):
    """The indexer, or what stands for it in a sidecar that only follows."""

    @property
    def progress(self) -> Progress:
        """How far it is."""
        ...

    async def pending_named(self, name: str) -> str | None:
        """The path of a waiting file of that name, slug or end of a path; None where none does, or it is not known."""
        ...

    async def read_first(self, words: Collection[str]) -> None:
        """Have the files that are not in the index yet and are named in such words read before all others, and wait
        until they are searchable."""
        ...

    async def index_now(self, path: str) -> None:
        """Index one file and wait for it. Raises SidecarError."""
        ...


class DocumentSearch(Search, Protocol):
    """What finds: `api.library.Search`, and documents by what narrows a list."""

    async def documents(self, page: int, page_size: int, sort_by: SortKey, narrowing: Narrowing) -> DocumentPage:
        """See `api.Library.documents`."""
        ...


@dataclass(frozen=True)
class AttachedReader:
    """How documents inside documents are read. `read` and `open` are "package.module:function", called in a worker as
    `function(loader(), limits, refs, opener, *arguments)`: `opener` is called with `arguments` for the attached file,
    `refs` lead on from it; they give an encoded `Prepared`, and a `Payload`.

    `readable` says whether a plugin reads files of a name and media type; `versions` changes with what reads."""

    read: str
    open: str
    loader: Callable[[], object]
    readable: Readable
    versions: Callable[[], str]


async def _no_contexts(paths: Iterable[str]) -> Mapping[str, str]:
    """No folder has a context."""
    return {}


@dataclass(frozen=True)
class ReadingPorts:
    """What reading needs beside the store. `formats` gives the plugin of a name, None when it is gone or disabled;
    `folder_of` the watched folder a path lies in, and whether links in there are followed, None when it lies in none;
    `contexts` the contexts of the folders that paths lie in.

    `drawers` are those of the plugins, by what they draw."""

    formats: Callable[[str], FormatPlugin | None]
    folder_of: Callable[[str], tuple[str, bool] | None]
    limits: Callable[[], Limits]
    settings: Callable[[], ServerSettings]
    attaching: AttachedReader
    drawers: Mapping[str, Drawer] = field(default_factory=dict[str, Drawer])
    contexts: Callable[[Iterable[str]], Awaitable[Mapping[str, str]]] = _no_contexts


@dataclass(frozen=True)
class Registrations:
    """What is listed whether there is an index or not: the feature plugins' tools, templates and schemes."""

    features: Features
    settings: Callable[[], ServerSettings]


@dataclass(frozen=True)
class Backend(Registrations):
    """Everything the MCP handlers work on, handed over once the store is open and the plugins are loaded."""

    services: Services
    documents: Documents
