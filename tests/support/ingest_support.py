"""What the ingest tests share: a format plugin that misbehaves on request, and an indexer on real files to watch.

The plugin lives here, in an importable module, because worker processes load it by name.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from sidecar.api import (
    AttachedBounds,
    DamagedError,
    Embed,
    Limits,
    NotFoundError,
    Notice,
    Paragraph,
    ParsedDocument,
    Part,
    Payload,
    Source,
)
from sidecar.config import Config, Folder, IndexSettings
from sidecar.ingest.indexing.indexer import Indexer
from sidecar.store import Change, KnownFile, Store
from sidecar.workers.pool import WorkerPool

DEADLINE = 180.0
LOADER = "support.ingest_support:load"


class PlainFormat:
    """Paragraphs of UTF-8 text. The first word of a file may ask for trouble."""

    name = "plain"
    version = "1"
    media_types: tuple[str, ...] = ("text/plain",)
    suffixes: tuple[str, ...] = (".txt", ".md")

    def score(self, source: Source) -> int:
        if source.suffix == ".odd":
            raise RuntimeError("score must not do this")
        return 60 if source.suffix in self.suffixes else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        text = source.read(limits.max_file_bytes).decode("utf-8", "surrogateescape")
        words = text.split()
        if words[:1] == ["ONCE"]:
            mark = Path(tempfile.gettempdir()) / words[1]
            if not mark.exists():
                mark.touch()
                trouble("SPIN")
        if words[:1] == ["SCAN"]:
            return scanned(Path(words[1]), limits)
        if words[:1] == ["LETTER"]:
            return letter(text)
        trouble(words[0] if words else "")
        blocks = tuple(Paragraph(text=line) for line in text.splitlines() if line.strip())
        return ParsedDocument(parts=(Part(kind="chapter", blocks=blocks),))

    attached = AttachedBounds(count=16, bytes=2**20, chars=400_000, seconds=20.0)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        return Payload(source.read().removeprefix(b"LETTER "), "text/plain", ref)


class BetterFormat(PlainFormat):
    """A plugin installed later, which reads Markdown better."""

    name = "better"
    suffixes: tuple[str, ...] = (".md",)

    def score(self, source: Source) -> int:
        return 80 if source.suffix == ".md" else 0


def scanned(gate: Path, limits: Limits) -> ParsedDocument:
    """A page without a text layer; recognising it takes until the gate is there."""
    notice = Notice("no_text_layer", "Page 1 has no text layer.", part=1)
    if not limits.ocr:
        return ParsedDocument(parts=(Part(kind="page"),), notices=(notice,))
    trouble(gate.name)
    while not gate.exists():
        time.sleep(0.01)
    text = gate.read_text("utf-8")
    return ParsedDocument(parts=(Part(kind="page", blocks=(Paragraph(text=text),)),), notices=(notice,))


def letter(text: str) -> ParsedDocument:
    """A message; what follows the first word is attached to it."""
    attached = Embed(kind="attachment", id=0, name="inner.txt", media_type="text/plain", ref="inner.txt", part=1)
    part = Part(kind="message", blocks=(Paragraph(text="the letter itself"),))
    return ParsedDocument(parts=(part,), embedded=(msgspec.structs.replace(attached, size=len(text)),))


def trouble(word: str) -> None:
    if word == "SEGFAULT":
        ctypes.string_at(0)
    elif word == "HANG":
        time.sleep(3600)
    elif word == "SPIN":
        while True:
            pass
    elif word == "EAT":
        hoard = [bytearray(1 << 24) for _ in range(1 << 12)]
        raise AssertionError(len(hoard))
    elif word == "RAISE":
        raise KeyError("a fault in the plugin")
    elif word == "DAMAGED":
        raise DamagedError("the file is torn in two.")
    elif word == "DEEP":
        trouble(word)
    elif word == "EXIT":
        os._exit(7)
    elif word == "PRINT":
        print("this must not reach the wire", flush=True)
        os.write(1, b"nor this\n")


@dataclass(frozen=True)
class Entry:
    """As `sidecar.registry.FormatEntry`."""

    plugin: Any
    builtin: bool = True

    @property
    def name(self) -> str:
        return self.plugin.name

    @property
    def version(self) -> str:
        return self.plugin.version

    @property
    def suffixes(self) -> tuple[str, ...]:
        return self.plugin.suffixes

    @property
    def media_types(self) -> tuple[str, ...]:
        return self.plugin.media_types


@dataclass(frozen=True)
class Loaded:
    entries: tuple[Entry, ...]


def load(disabled: frozenset[str], settings: Mapping[str, Any]) -> Loaded:
    """What a worker calls. `settings` may ask for another version of the plugin, and for a second one."""
    plugin = PlainFormat()
    plugin.version = settings.get("plain", {}).get("version", plugin.version)
    better = (Entry(BetterFormat()),) if settings.get("plain", {}).get("better") else ()
    return Loaded((Entry(plugin), *better))


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
        try:
            async with asyncio.timeout(DEADLINE):
                while not await condition():  # noqa: ASYNC110 - the condition lies in the index, which sends no event
                    await asyncio.sleep(0.01)
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
