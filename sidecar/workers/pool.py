"""Pools of worker processes: who runs what, how many at once, and when an idle worker goes. Implements `api.Workers`.

Pools keep apart: "parse" reads files in bulk, "tasks" is for whoever waits for an answer, "views" renders what is in
the index, every other name is a plugin's own single process. So a picture never queues behind an index run."""

import asyncio
import contextlib
import shutil
import stat
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sidecar.api import Limits, UnavailableError
from sidecar.toolkit.platform import system
from sidecar.toolkit.programs.libreoffice import find_binary, find_soffice
from sidecar.workers import frames
from sidecar.workers.process import Bounds, WorkerProcess

_CLOSE_SECONDS = 10.0
"""Killed processes are gone at once but on a machine so busy that they do not get to end (over 1 s was met at a load of
17 on two cores): to leave them would leave them unreaped. A server that ends does not wait so long
(`exit_at_the_latest`)."""
_SOCKETS = ("/tmp",)  # noqa: S108  LibreOffice's launcher insists on the socket of its single instance there
_LEFT_SECONDS = 86_400.0
"""What is older in the scratch directory belongs to no worker any more (calls end within minutes): processes killed
while they draw a page for OCR leave its picture, some 25 MB of one of A4 at 300 dpi."""


_ISOLATED_BYTES = 1536 * 2**20
"""Memory of a worker that runs what users write: tables of six million values with what is made of them."""


@dataclass(frozen=True)
class _PoolSettings:
    """At most `size` processes; an idle one goes after `idle_seconds`, the last one after `keep_seconds`."""

    size: int
    bounds: Bounds
    idle_seconds: float = 10.0
    keep_seconds: float = 300.0


class WorkerPool:
    """Implements `sidecar.api.Workers`. Make it and use it on one event loop, and `aclose` it there.

    `workers` is the number of parse processes, 0 for one a core the process may use. All workers go without network
    where the system has the means; those of "parse" and "tasks" write to a scratch directory only (in /tmp they may
    also make sockets and remove what is there if LibreOffice's program is not beside its launcher), plugins' own to any
    temporary one and to the directories `writable`. The pools `isolated` are one process each that calls functions of
    one module only, and neither reads nor writes files (`Bounds.only`)."""

    def __init__(
        self,
        workers: int = 0,
        limits: Limits | None = None,
        writable: Sequence[Path] = (),
        isolated: Mapping[str, str] | None = None,
    ) -> None:
        limits = limits or Limits()
        self.parse_workers = workers or system.cores()
        self.confinement = ""
        """What the worker started last has given up (see `toolkit.platform`)."""
        memory, scratch = limits.max_memory_bytes, _scratch()
        sockets = _SOCKETS if find_soffice() is not None and find_binary() is None else ()
        self._settings = {
            "parse": _PoolSettings(
                self.parse_workers, Bounds(memory, background=True, scratch=scratch, sockets=sockets), 10.0, 900.0
            ),
            "tasks": _PoolSettings(2, Bounds(memory, scratch=scratch, sockets=sockets), 30.0, 120.0),
            # SQLite's readers write to the file `-shm` beside the index.
            "views": _PoolSettings(1, Bounds(memory, scratch=scratch, writable=tuple(map(str, writable)))),
        }
        for name, module in (isolated or {}).items():
            self._settings[name] = _PoolSettings(
                1, Bounds(min(memory or _ISOLATED_BYTES, _ISOLATED_BYTES), only=module)
            )
        # A plugin's own process: its work is held to the same memory as reading a file.
        places = (tempfile.gettempdir(), *map(str, writable))
        self._own = _PoolSettings(1, Bounds(memory, writable=places))
        self._pools: dict[str, _NamedPool] = {}
        self._closed = False

    async def run(self, target: str, *args: object, timeout: float = 60.0, pool: str = "tasks") -> Any:
        """See `sidecar.api.Workers.run`. A function that yields gives the list of what it yielded."""
        items: list[object] = []
        async with aclosing(self._call(target, args, timeout, pool)) as answers:
            async for kind, value in answers:
                if kind == frames.DONE:
                    return items or value
                items.append(value)
        raise AssertionError("a call ends with its result or an error")

    async def stream(self, target: str, *args: Any, timeout: float = 60.0, pool: str = "tasks") -> AsyncGenerator[Any]:
        """What the generator function `target` yields, one by one; `timeout` is for each. Use it with `aclosing`:
        leaving early kills the worker. Raises as `run` does."""
        async with aclosing(self._call(target, args, timeout, pool)) as answers:
            async for kind, value in answers:
                if kind == frames.ITEM:
                    yield value

    def ready(self, pool: str) -> bool:
        """Whether a worker of that pool is up, or could not be had anyway."""
        return self._closed or bool(self._named(pool).workers)

    def pids(self) -> list[int]:
        """The processes alive now."""
        return [worker.pid for named in self._pools.values() for worker in named.workers]

    async def aclose(self) -> None:
        """Kill every worker and wait until they are gone (`_CLOSE_SECONDS` at most)."""
        self._closed = True
        ending = [task for named in self._pools.values() for task in named.close()]
        self._pools.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await asyncio.gather(*ending)

    def _named(self, pool: str) -> "_NamedPool":
        if self._closed:
            raise UnavailableError("DocSidecar is shutting down.")
        named = self._pools.get(pool)
        if named is None:
            named = self._pools[pool] = _NamedPool(self._settings.get(pool) or self._own)
        return named

    async def _call(
        self, target: str, args: tuple[object, ...], timeout: float, pool: str
    ) -> AsyncGenerator[tuple[int, object]]:
        named = self._named(pool)
        worker = await named.take()
        self.confinement = worker.confinement
        finished = False
        try:
            async with aclosing(worker.call(target, args, timeout)) as answers:
                async for kind, value in answers:
                    finished = kind == frames.DONE
                    yield kind, value
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException:
            finished = worker.usable  # the function's own error came back whole; the process is fine
            raise
        finally:
            if not finished:
                worker.kill()
            named.put(worker)


class _NamedPool:
    """The processes of one pool. A permit of the semaphore stands for the right to one process."""

    def __init__(self, settings: _PoolSettings) -> None:
        self._settings = settings
        self._permits = asyncio.Semaphore(settings.size)
        self._idle: list[tuple[WorkerProcess, asyncio.TimerHandle]] = []
        self.workers: set[WorkerProcess] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    async def take(self) -> WorkerProcess:
        """An idle process or a new one, once the pool has room. Raises UnavailableError."""
        await self._permits.acquire()
        try:
            while self._idle:
                worker, timer = self._idle.pop()
                timer.cancel()
                if worker.usable:
                    return worker
                self._end(worker)
            return await self._start()
        except BaseException:
            self._permits.release()
            raise

    def put(self, worker: WorkerProcess) -> None:
        """Give back what `take` gave; one that is spent is ended."""
        if worker.usable and not self._closed:
            self._rest(worker)
        else:
            self._end(worker)
        self._permits.release()

    def close(self) -> list[asyncio.Task[None]]:
        """Kill all; gives what to wait for."""
        self._closed = True
        for _, timer in self._idle:
            timer.cancel()
        self._idle.clear()
        for worker in list(self.workers):
            self._end(worker)
        return list(self._ending)

    async def _start(self) -> WorkerProcess:
        if not self.workers and self._settings.bounds.scratch:
            await asyncio.to_thread(_remove_left, self._settings.bounds.scratch)
        worker = await WorkerProcess.start(self._settings.bounds)
        if self._closed:
            self._end(worker)
            raise UnavailableError("DocSidecar is shutting down.")
        self.workers.add(worker)
        return worker

    def _rest(self, worker: WorkerProcess) -> None:
        loop = asyncio.get_running_loop()
        seconds = self._settings.idle_seconds if len(self.workers) > 1 else self._settings.keep_seconds
        self._idle.append((worker, loop.call_later(seconds, self._retire, worker)))

    def _retire(self, worker: WorkerProcess) -> None:
        self._idle = [entry for entry in self._idle if entry[0] is not worker]
        if len(self.workers) > 1:
            self._end(worker)
        elif worker in self.workers:
            # The others went first; the last one stays for the rest of its longer time.
            remaining = self._settings.keep_seconds - self._settings.idle_seconds
            self._idle.append((worker, asyncio.get_running_loop().call_later(remaining, self._expire, worker)))

    def _expire(self, worker: WorkerProcess) -> None:
        self._idle = [entry for entry in self._idle if entry[0] is not worker]
        self._end(worker)

    def _end(self, worker: WorkerProcess) -> None:
        """Kill it, and see it out: an unreaped process and its pipes would outlive the event loop."""
        worker.kill()
        self.workers.discard(worker)
        task = asyncio.create_task(worker.wait())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


def _scratch() -> str:
    """The user's own directory for the temporary files of workers, shared by all their sidecars: LibreOffice's profile
    and what it converted are kept there."""
    path = _own_scratch()
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
    except OSError:
        return tempfile.gettempdir()
    if not stat.S_ISDIR(status.st_mode) or not system.is_ours(status.st_uid):
        return tempfile.mkdtemp(prefix="docsidecar-")  # somebody else was there before us
    return str(path)


def _own_scratch() -> Path:
    return Path(tempfile.gettempdir()) / f"docsidecar-{system.user}"


def _remove_left(scratch: str) -> None:
    """Remove what killed workers left in the user's own scratch directory, and in no other: where that could not be
    had it is the temporary one of everybody. LibreOffice's home in it looks after itself."""
    if Path(scratch) != _own_scratch():
        return
    before = time.time() - _LEFT_SECONDS
    with contextlib.suppress(OSError):
        for path in list(Path(scratch).iterdir()):
            with contextlib.suppress(OSError):
                if path.name.startswith("docsidecar-") or path.lstat().st_mtime >= before:
                    continue
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()
