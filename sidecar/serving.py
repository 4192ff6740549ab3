"""One run of the server: answers the client at once, opens the index behind it, and keeps it true until the end.

What the index needs is imported after the client's first request, because a client that starts many servers counts
every one's time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from sidecar.api import ConfigError, Services, StoreError
from sidecar.config import Config, Overrides, fallback, load
from sidecar.logs import set_up_logging
from sidecar.toolkit.tasks import end, lacks_memory, running

if TYPE_CHECKING:
    from sidecar.app import Application
    from sidecar.server.handlers import Readiness
    from sidecar.server.notifications import Notifier
    from sidecar.server.ports import Registrations

logger = logging.getLogger(__name__)

_OPENING_SECONDS = 5.0
"""Between attempts to open an index that cannot be opened: a data directory may become writable, a disk come back."""
_GREETING_SECONDS = 1.0
"""Opening the index waits this long for the client's first request: `initialize` must not wait for the index."""
_CONFIG_POLL_SECONDS = 1.0
"""Between looks at the configuration file's date."""
_CONFIG_REST_SECONDS = 0.2
"""A configuration file that nobody has written for so long is whole."""
_FEED_POLL_SECONDS = 0.5
"""Between looks at the change feed for what another process wrote."""

_Signature = tuple[int, int, int] | None
"""What tells whether a file was changed: its date in ns, size in bytes and number; None of one that is absent."""

_SWITCH_SECONDS = 0.0005
"""How long a thread that renders keeps the interpreter's lock from the event loop (`sys.setswitchinterval`). The loop
gives the lock up at every call into the kernel, so with the default of 5 ms one request costs many times that."""


def run_server(overrides: Overrides) -> int:
    """`docsidecar serve`: serve on stdin and stdout until the client, a signal or the parent's end says stop."""
    try:
        config = load(overrides)
    except ConfigError as error:
        config = fallback(error, overrides)
    set_up_logging(config)
    sys.setswitchinterval(_SWITCH_SECONDS)
    gc.disable()  # until what is imported is: 200 collections would find nothing, a tenth of the time to the greeting
    if config.error is not None:
        logger.error("the configuration is broken, serving without it: %s", config.error)
    try:
        return anyio.run(_serve, config, overrides)
    except RuntimeError as error:  # the loop's end waits for its threads in one more, which there may be no memory for
        if not lacks_memory(error):
            raise
        return 0


async def _serve(config: Config, overrides: Overrides) -> int:
    """Answer the client at once, open the index behind it, and end both together."""
    from sidecar.server.handlers import Readiness
    from sidecar.server.notifications import Notifier
    from sidecar.server.transport.stdio import serve_stdio

    gc.enable()
    readiness, notifier = Readiness(), Notifier()
    async with running(_run_application(config, overrides, readiness, notifier)):
        await serve_stdio(readiness, notifier)
    return 0


def run_page(overrides: Overrides, port: int, opened: Callable[[str, str], None]) -> int:
    """`docsidecar open`: serve the page over HTTP on the loopback address until a signal says stop. `opened` is told
    the address for a person, and one that opens the page a single time, for a browser that is started.

    Raises:
        ConfigError: the configuration is wrong. UsageError: the port is taken."""
    config = load(overrides)
    set_up_logging(config)
    return anyio.run(_serve_page, config, overrides, port, opened)


async def _serve_page(config: Config, overrides: Overrides, port: int, opened: Callable[[str, str], None]) -> int:
    """Answer the browser at once, open the index behind it, and end both together."""
    from sidecar.server.handlers import Readiness
    from sidecar.server.notifications import Notifier
    from sidecar.server.page.http import Access, listen, serve_page

    readiness = Readiness()
    readiness.greeted.set()  # no client's greeting is to be waited for
    listening = listen(port)
    access = Access(listening.getsockname()[1])
    async with running(_run_application(config, overrides, readiness, Notifier())):
        opened(access.url(access.token), access.url(next(iter(access.once))))
        await serve_page(readiness, access, listening)
    return 0


async def _run_application(config: Config, overrides: Overrides, readiness: Readiness, notifier: Notifier) -> None:
    """Open the index and keep it true until cancelled; a client that greets first is answered first."""
    read = _signature(config.source)  # of what was read just now, before an index is opened, or opened again
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_GREETING_SECONDS):
            await readiness.greeted.wait()
    shown = ""

    def failed(sentence: str) -> None:
        nonlocal shown
        if sentence != shown:
            shown = sentence
            logger.error("%s", sentence)
        readiness.failed(sentence, _registrations(config))

    while True:
        await _serve_index(config, read, overrides, readiness, notifier, failed)
        await asyncio.sleep(_OPENING_SECONDS)


async def _serve_index(
    config: Config,
    read: _Signature,
    overrides: Overrides,
    readiness: Readiness,
    notifier: Notifier,
    failed: Callable[[str], None],
) -> None:
    """Serve the index until cancelled, or until it cannot be opened or fails; `failed` is told why before it is closed,
    so that no request meets one that is."""
    try:
        open_application = await asyncio.to_thread(_opening)
        async with open_application(config, serving=True) as application:
            application.signals.resources_changed = notifier.resources_changed
            application.signals.resource_updated = notifier.resource_updated
            application.signals.tools_changed = notifier.tools_changed
            application.signals.subscribed = notifier.subscribed
            try:
                await _serve_application(application, read, overrides, readiness, notifier)
            except (Exception, BaseExceptionGroup) as error:
                failed(_failure(error))
    except (Exception, BaseExceptionGroup) as error:  # a client that is not told waits for its own time limit
        failed(_failure(error))


async def _serve_application(
    application: Application, read: _Signature, overrides: Overrides, readiness: Readiness, notifier: Notifier
) -> None:
    """Serve what is open until cancelled; what one of its tasks raises ends all of them."""
    async with asyncio.TaskGroup() as tasks:
        # Before the first answer: a change after it is told, however late the following begins.
        tasks.create_task(follow_changes(application, notifier, await application.store.changes.last_seq()))
        readiness.ready(application.backend())
        gc.freeze()  # collections, which stop every thread, look at what requests make and not at the program
        tasks.create_task(application.indexer.run())
        tasks.create_task(_watch_config(application, read, overrides))
        if application.semantic is not None:
            tasks.create_task(application.semantic.embed_all(application.may_embed))
        tasks.create_task(run_backgrounds(application))


def _failure(error: BaseException) -> str:
    """The sentence that says why the index is not served; a fault of ours is logged."""
    if isinstance(error, StoreError):
        return str(error)
    if lacks_memory(error):
        return (
            "There is too little memory for the index, which is opened again in a moment; close other programs, or "
            "raise the limit of its address space (ulimit -v)."
        )
    logger.error("the index failed", exc_info=error)
    return "The index failed through a fault which has been logged; it is opened again, else restart the server."


def _opening() -> Callable[..., AbstractAsyncContextManager[Application]]:
    """What opens the index. Importing it takes a tenth of a second, in which the loop goes on in another thread."""
    from sidecar.app import open_application

    return open_application


def _registrations(config: Config) -> Registrations | None:
    """What a client is shown when there is no index to serve; None when not even that can be had."""
    try:
        from sidecar.registry import allow_plugins, load_features
        from sidecar.server.ports import Registrations

        allow_plugins(config.plugin_directory, config.plugins_allowed)
        features = load_features(config.plugins_disabled, config.feature_settings())
    except Exception:  # what ails the index, no file left to open perhaps, may ail this too
        logger.exception("the plugins cannot be loaded")
        return None
    return Registrations(features, lambda: config.server)


async def run_backgrounds(application: Application) -> None:
    """Run the feature plugins' background tasks until cancelled. When plugins register anew, tasks that are the same
    as before go on, others end and begin."""
    features, services = application.features, application.services
    started: dict[str, tuple[Callable[[Services], Awaitable[None]], asyncio.Task[None]]] = {}
    try:
        while True:
            application.reconfigured.clear()
            gone = [name for name, (work, _) in started.items() if features.backgrounds.get(name) != work]
            await end(*(started.pop(name)[1] for name in gone))
            for name, work in features.backgrounds.items():
                if name not in started:
                    started[name] = work, asyncio.create_task(_guarded(name, work, services))
            await application.reconfigured.wait()
    finally:
        await end(*(task for _, task in started.values()))


async def _guarded(name: str, task: Callable[[Services], Awaitable[None]], services: Services) -> None:
    """A plugin's background task: its failure is logged and stops nothing else."""
    try:
        await task(services)
    except Exception:  # a third party's task may raise anything
        logger.exception("the background task %s failed", name)


async def _watch_config(application: Application, seen: _Signature, overrides: Overrides) -> None:
    """Reload the configuration whenever its file, which was `seen` when it was read, changes; a broken one leaves the
    last good one in force.

    Polled, because one `stat` a second costs nothing, and editors replace files in ways that watches miss. Many empty
    the file before they write it: in what stands there meanwhile no folder is watched, and their documents would leave
    the index."""
    path = application.config.source
    while path is not None:
        await asyncio.sleep(_CONFIG_POLL_SECONDS)
        if _signature(path) == seen:
            continue
        now = await _at_rest(path)
        config, error = None, None
        try:
            config = load(overrides)
        except ConfigError as broken:
            error = broken
        if _signature(path) != now:
            continue  # it is being written again
        seen = now
        if config is None:
            logger.error("the configuration was changed and is broken; the last good one stays in force: %s", error)
            application.config = replace(application.config, error=error)
            if not application.config.folders:
                await application.indexer.apply(application.config)
            continue
        logger.info("the configuration was changed; %d folder(s) are watched now", len(config.folders))
        try:
            await application.reload(config)
        except StoreError as error:
            logger.error("the new configuration could not be applied: %s", error)  # noqa: TRY400


async def _at_rest(path: Path) -> _Signature:
    """Wait until nobody writes the file any more."""
    now = _signature(path)
    while True:
        before = now
        await asyncio.sleep(_CONFIG_REST_SECONDS)
        if (now := _signature(path)) == before:
            return now


def _signature(path: Path | None) -> _Signature:
    try:
        status = path.stat() if path is not None else None
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino) if status is not None else None


async def follow_changes(application: Application, notifier: Notifier, seq: int) -> None:
    """Hand every row of the change feed after `seq` to the notifier, whichever process made it: at once after an own
    commit, else by polling."""
    store = application.store
    version, generation, logged = -1, store.changes.generation, ""
    while True:
        try:
            try:
                async with asyncio.timeout(_FEED_POLL_SECONDS):
                    await application.committed.wait()
            except TimeoutError:
                if (now := await store.changes.data_version()) == version:
                    continue
                version = now
            application.committed.clear()
            if store.changes.generation != generation:  # another index, whose feed begins anew
                generation, seq = store.changes.generation, 0
            while changes := await store.changes.since(seq):
                seq = changes[-1].seq
                notifier.changed(changes)
        except StoreError as error:  # the disk is gone or full: clients are told when it is back
            if str(error) != logged:
                logged = str(error)
                logger.error("changes cannot be followed: %s", error)  # noqa: TRY400
            await asyncio.sleep(1.0)
