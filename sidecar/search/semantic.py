"""Search by meaning: has texts embedded in the background, and asks a worker for the nearest to a query.

The serving process never holds a vector: one worker answers queries and keeps the vectors, another embeds at low
priority, and both retire when idle."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from sidecar.api import Embedder, SidecarError, StoreError, UnavailableError, WorkerCrash, Workers
from sidecar.search.fusion import Nearest
from sidecar.store import ChangeFeed, Embeddings
from sidecar.toolkit.platform import system

_log = logging.getLogger(__name__)

_VECTORS = "sidecar.search.vectors"
_QUERY_SECONDS = 20.0
"""The first query of a worker loads the model and the vectors; at 100,000 sections that takes under a second."""
_BATCH_SECONDS = 120.0
BATCH_TEXTS = 128
_FETCH_TEXTS = 2048
"""Finding what is missing reads the whole table, so this much is fetched at once."""
_WANTED = 8
"""Documents read last whose texts are embedded before others."""
_LOOK_SECONDS = 2.0
_PAUSE_SECONDS = 30.0


class SemanticSearch:
    """Implements `SemanticIndex` with an embedder that a plugin registered."""

    def __init__(self, embeddings: Embeddings, changes: ChangeFeed, workers: Workers, embedder: Embedder) -> None:
        self._embeddings = embeddings
        self._changes = changes
        self._workers = workers
        self._embedder = embedder
        self.model = f"{embedder.name} {embedder.version} {embedder.dimensions}"
        self.unrelated, self.weak = embedder.unrelated, embedder.weak
        self._wanted: dict[str, None] = {}
        self.state: Literal["idle", "embedding", "waiting", "paused", "failed"] = "idle"
        self._reason = ""
        """Why it failed."""

    async def nearest(self, query: str, limit: int, kind: Literal["passage", "element"] = "passage") -> Nearest:
        """See `SemanticIndex.nearest`."""
        embedder = self._embedder
        if not await self._embeddings.any(self.model):
            return Nearest()  # nothing is embedded yet: no worker need be started to find that out
        rows, cosines, embedded, known = await self._ask(
            "nearest", embedder.query_target or embedder.target, embedder.known_target, embedder.dimensions, query,
            kind, limit, list(embedder.arguments),
        )  # fmt: skip
        return Nearest(list(zip(rows, cosines, strict=True)), embedded, known)

    async def embedded(self, rows: Sequence[int], kind: Literal["passage", "element"] = "passage") -> set[int]:
        """See `SemanticIndex.embedded`."""
        return set(await self._ask("embedded", self._embedder.dimensions, kind, list(rows)))

    def wanted(self, doc: str) -> None:
        """A client has read `doc` (a slug or doc_id): its texts are embedded before others."""
        self._wanted.pop(doc, None)
        self._wanted[doc] = None
        if len(self._wanted) > _WANTED:
            del self._wanted[next(iter(self._wanted))]

    async def _ask(self, function: str, *arguments: Any) -> Any:
        """Call a function of `vectors` in the worker that answers queries."""
        call = partial(
            self._workers.run, f"{_VECTORS}:{function}", str(self._embeddings.path), self.model, *arguments,
            timeout=_QUERY_SECONDS, pool="embed",
        )  # fmt: skip
        try:
            try:
                return await call()
            except WorkerCrash:  # it may have died while nobody asked; the next one starts fresh
                return await call()
        except StoreError as error:
            raise UnavailableError(str(error)) from error

    async def status(self) -> dict[str, Any]:
        """How many texts are embedded, and what the embedder is doing: "idle" when all are."""
        # Before the counts, while which are asked for the work goes on: else it is over too early.
        state, reason = self.state, self._reason
        done, total = await self._embeddings.counts(self.model)
        state = "idle" if done >= total else state
        details = {"reason": reason} if state == "failed" else {}
        return {"done": done, "total": total, "model": self._embedder.name, "state": state} | details

    async def embed_all(
        self, may_run: Callable[[], bool], *, look: float = _LOOK_SECONDS, pause: float = _PAUSE_SECONDS
    ) -> None:
        """Embed what is missing, now and whenever texts change, until cancelled.

        `may_run` says whether this process may (it holds the lease, and no file is waiting to be read): words come
        first, meaning follows. It looks every `look` seconds; on battery saver and after a failure it waits `pause`."""
        seen = -1
        while True:
            if not may_run():
                self.state = "waiting"
            elif await asyncio.to_thread(system.saving_power):
                self.state = "paused"
                await asyncio.sleep(pause)
            elif (seq := await self._changes.last_seq()) != seen:
                try:
                    if await self.embed_missing(may_run):
                        seen = seq
                        await self._embeddings.forget_others(self.model)
                except SidecarError as error:
                    _log.warning("embedding stopped for now: %s", error)
                    self.state, self._reason = "failed", str(error)
                    await asyncio.sleep(pause)
            await asyncio.sleep(look)

    async def embed_missing(self, may_run: Callable[[], bool]) -> bool:
        """Embed what is missing once, what was read or changed last first; False when it had to stop half-way.
        Raises UnavailableError, WorkerError, StoreError."""
        while texts := await self._embeddings.missing(self.model, _FETCH_TEXTS, wanted := tuple(self._wanted)):
            self.state = "embedding"
            changed = await self._changes.last_seq()
            for start in range(0, len(texts), BATCH_TEXTS):
                if not may_run():
                    return False
                await self._embed(texts[start : start + BATCH_TEXTS])
                if tuple(self._wanted) != wanted or await self._changes.last_seq() != changed:
                    break  # something else comes first now
        self.state = "idle"
        return True

    async def _embed(self, batch: Sequence[tuple[int, str]]) -> None:
        embedder = self._embedder
        vectors = await self._workers.run(
            f"{_VECTORS}:embed",
            embedder.target, [text for _, text in batch], embedder.dimensions, list(embedder.arguments),
            timeout=_BATCH_SECONDS, pool="embedding",
        )  # fmt: skip
        await self._embeddings.put(
            self.model, [(digest, vector) for (digest, _), vector in zip(batch, vectors, strict=True)]
        )
