"""What the ingest tests share: an indexer on real files to watch, whose workers read them as `plain_format` does."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.clients.waiting import DEADLINE, pauses
from support.indexes.plain_format import LOADER, load

from sidecar.api import Limits, NotFoundError
from sidecar.config import Config, Folder, IndexSettings
from sidecar.ingest.indexing.indexer import Indexer
from sidecar.store import Change, KnownFile, Store
from sidecar.workers.pool import WorkerPool


@dataclass
class Rig:
    """A store, workers and an indexer over folders, as the composition root would wire them."""

    data_dir: Path
    config: Config
    store: Store
    workers: WorkerPool
    indexer: Indexer
    _forgotten: int = 0
    """The last change of the feed that `forget_changes` passed over."""

    async def changes(self) -> list[Change]:
        """The rows of the change feed, since they were forgotten."""
        return await self.store.changes.since(self._forgotten)

    async def forget_changes(self) -> None:
        self._forgotten = await self.store.changes.last_seq()

    async def known(self) -> dict[bytes, KnownFile]:
        return await self.store.files.known()

    async def names(self) -> dict[str, str]:
        """File name → state, of everything the index knows."""
        return {Path(os.fsdecode(path)).name: one.state for path, one in (await self.known()).items()}

    async def text(self, path: Path) -> str:
        """The indexed text of a file, "" when it is not indexed."""
        info = await self.store.documents.info_at(os.fsencode(path))
        if info is None or not info.doc_id:
            return ""
        try:
            passages = await self.store.documents.passages(doc=info.slug)
        except NotFoundError:  # removed between the two reads
            return ""
        return "\n".join(passage.text for passage in passages if passage.slug == info.slug)

    async def texts(self) -> dict[bytes, str]:
        """Path → indexed text of every document that could be read."""
        found: dict[bytes, str] = {}
        for path, one in (await self.known()).items():
            if one.state == "indexed":
                found[path] = await self.text(Path(os.fsdecode(path)))
        return found

    async def until(self, condition: Callable[[], Awaitable[bool]], what: str = "") -> None:
        """Wait for it, asking again whenever the index changes or time passes; fails at the deadline."""
        pause = pauses()
        try:
            async with asyncio.timeout(DEADLINE):
                while not await condition():  # noqa: ASYNC110 - the condition lies in the index, which sends no event
                    await asyncio.sleep(next(pause))
        except TimeoutError:
            raise AssertionError(f"not within {DEADLINE} s: {what} (index: {await self.names()})") from None

    async def until_text(self, path: Path, text: str) -> None:
        async def there() -> bool:
            return text in await self.text(path)

        await self.until(there, f"{path.name} contains {text!r}")

    async def until_gone(self, path: Path) -> None:
        async def gone() -> bool:
            return os.fsencode(path) not in await self.known()

        await self.until(gone, f"{path.name} is gone")

    async def until_idle(self) -> None:
        async def idle() -> bool:
            return self.indexer.progress.leader and self.indexer.progress.state == "idle"

        await self.until(idle, "the first scan is over")


@asynccontextmanager
async def rig(
    data_dir: Path,
    *folders: Folder | Path,
    limits: Limits | None = None,
    version: str = "1",
    better: bool = False,
    upkeep_seconds: float = 600.0,
    **settings: Any,
) -> AsyncGenerator[Rig]:
    """A rig that cleans up after itself; `settings` are those of `[index]`."""
    config = Config(
        folders=tuple(folder if isinstance(folder, Folder) else Folder(folder) for folder in folders),
        index=replace(IndexSettings(workers=2, settle_seconds=0.05, poll_seconds=0.1), **settings),
        limits=limits or Limits(max_seconds=20),
        plugin_settings={"plain": {"version": version, "better": better}},
        data_dir=data_dir,
    )
    store = await Store.open(data_dir)
    workers = WorkerPool(config.index.workers, config.limits)
    made = Rig(data_dir, config, store, workers, None)  # type: ignore[arg-type]  # filled in below
    made.indexer = Indexer(
        store, load(frozenset(), config.plugin_settings).entries, lambda: made.config, workers, loader=LOADER,
        upkeep_seconds=upkeep_seconds,
    )  # fmt: skip
    try:
        yield made
    finally:
        await workers.aclose()
        await store.close()


@asynccontextmanager
async def running(rig: Rig) -> AsyncGenerator[None]:
    """The indexer runs, its first scan over, until the block ends. Its failure fails the test."""
    task = asyncio.create_task(rig.indexer.run())
    try:
        await rig.until_idle()
        yield
    finally:
        if task.done():
            task.result()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
