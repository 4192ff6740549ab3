"""One worker process as its parent sees it: started, asked, listened to, killed. Which worker does what is `pool`'s;
what counts as the time of a call is `toolkit.platform.time_limit`'s."""

import asyncio
import contextlib
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sidecar.api import LimitError, SidecarError, UnavailableError, WorkerCrash, WorkerTimeout
from sidecar.toolkit.platform import system
from sidecar.toolkit.platform.time_limit import LOOKS, TimeTaken
from sidecar.toolkit.programs.process_tree import exit_name
from sidecar.workers import frames, results


class _TimeLimit:
    """Calls `over` once when the process `pid` and all it started have had `seconds` for one step of their work.

    Must be made on the event loop. `restart` begins a step, `pause` ends it, `cancel` ends the watch."""

    def __init__(self, pid: int, seconds: float, over: Callable[[], None]) -> None:
        self._pid = pid
        self._seconds = seconds
        self._over = over
        self._loop = asyncio.get_running_loop()
        self._paused = self._new_step = True
        self._taken = TimeTaken(seconds, self._loop.time())
        self._cancelled = False
        self._sample_later()

    def restart(self) -> None:
        """The next step begins."""
        self._paused, self._new_step = False, True

    def pause(self) -> None:
        """The step is over; what comes until the next one is not its time."""
        self._paused = True

    def cancel(self) -> None:
        """No more looks."""
        self._cancelled = True
        self._timer.cancel()

    def _sample(self) -> None:
        """Begin a look. It is taken in a thread: it asks the kernel about every process of the machine."""
        if self._paused:
            self._sample_later()
        else:
            self._loop.run_in_executor(None, system.tree_usage, self._pid).add_done_callback(self._sampled)

    def _sampled(self, sample: asyncio.Future[tuple[float, bool]]) -> None:
        if self._cancelled or sample.cancelled():
            return
        if not self._paused and self._measure(*sample.result()):
            self._over()
            return
        self._sample_later()

    def _sample_later(self) -> None:
        self._timer = self._loop.call_later(self._seconds / LOOKS, self._sample)

    def _measure(self, used: float, wanting: bool) -> bool:
        if self._new_step:  # its time counts from the first look at it, so that the many short ones cost nothing
            self._new_step = False
            self._taken.restart(self._loop.time(), used)
            return False
        return self._taken.look(self._loop.time(), used, wanting)


_START_SECONDS = 30.0
"""How long a worker may take to come up; a frozen build on a cold disk takes several seconds."""
_END_SECONDS = 10.0
"""How long a worker that has closed its pipe may take to be gone: what ends closes it, and is then reaped."""
_BUFFER = 1 << 20
_LARGE_BYTES = 1 << 18
"""An answer above it is taken in pieces, and put together in a thread: with 24 MB that held the serving loop for 20 to
90 ms."""
_DECODED_BYTES = 1 << 14
"""An answer above it is decoded in a thread: one of 200 pages has 80,000 bytes and takes 3 ms."""


@dataclass(frozen=True)
class Bounds:
    """`memory_bytes` 0 is unbounded; `background` workers run at lower priority, on one thread of numeric libraries."""

    memory_bytes: int = 0
    background: bool = False
    scratch: str = ""
    """Where the worker's temporary files go; "" leaves that to the system."""
    writable: tuple[str, ...] = ()
    """Directories it may write to besides."""
    sockets: tuple[str, ...] = ()
    """Directories where programs that it starts make local sockets of theirs, and remove them."""
    only: str = ""
    """The module whose functions alone it calls: imported first, after which the worker reads no file any more, and
    starts no program, where the system has the means. "" for a worker that is for all."""


class WorkerProcess:
    """A started worker. One call at a time."""

    def __init__(self, process: Process, bounds: Bounds) -> None:
        self._process = process
        self._bounds = bounds
        self._leaving = False
        self._killed = False
        self.confinement = ""
        """What the worker has given up, "" for nothing (see `toolkit.platform`)."""
        self._timed_out = False
        """It was killed because the time of its call was up."""

    @classmethod
    async def start(cls, bounds: Bounds) -> "WorkerProcess":
        """Start a process and wait until it answers. Raises UnavailableError when it cannot be had:
        no fault of the task's, and no strike against a file.

        Must be called on the thread that lives as long as the worker should: on Linux it dies with that thread."""
        try:
            process = await asyncio.create_subprocess_exec(
                *_command(), stdin=PIPE, stdout=PIPE, stderr=_standard_error(), env=_environment(bounds), limit=_BUFFER
            )
        except OSError as error:
            raise UnavailableError(f"No worker process can be started: {error.strerror or error}.") from error
        worker = cls(process, bounds)
        setup = {
            "parent": os.getpid(), "memory_bytes": bounds.memory_bytes, "background": bounds.background,
            "writable": [place for place in (bounds.scratch, *bounds.writable) if place], "sockets": bounds.sockets,
            "only": bounds.only, "sys_path": [entry for entry in sys.path if entry],
        }  # fmt: skip
        limit = _TimeLimit(worker.pid, _START_SECONDS, worker._time_out)
        try:
            limit.restart()
            worker._write(frames.SETUP, setup)
            kind, in_force = await worker._read()
        except BaseException as error:
            worker.kill()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await asyncio.shield(worker.wait())
            if worker._timed_out:
                raise UnavailableError(f"A worker process did not come up within {_START_SECONDS:.0f} s.") from error
            if isinstance(error, SidecarError):
                raise UnavailableError(f"A worker process ended before its first task. {error}") from error
            raise
        finally:
            limit.cancel()
        if kind != frames.READY:
            worker.kill()
            raise UnavailableError("A worker process gave an answer of another kind than was asked for.")
        worker.confinement = in_force.decode("utf-8", "replace")[:200]
        return worker

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def usable(self) -> bool:
        """Whether another call may be made."""
        return self._process.returncode is None and not self._leaving

    async def call(self, target: str, args: tuple[object, ...], timeout: float) -> AsyncGenerator[tuple[int, Any]]:
        """Make a call; gives `(frames.ITEM, item)` for what the function yields, at last `(frames.DONE, result)`.

        `timeout` in seconds is for each item anew, as `toolkit.platform.time_limit` counts them. Whoever does not take
        the last one must `kill` this worker.

        Raises:
            WorkerTimeout, WorkerCrash, LimitError: the worker is gone then.
            SidecarError: as the function raised it; the worker is still usable."""
        limit = _TimeLimit(self.pid, timeout, self._time_out)
        try:
            self._write(frames.CALL, (target, args))
            while True:
                limit.restart()
                kind, payload = await self._read()
                limit.pause()
                if kind & frames.LAST:
                    self._leaving = True
                    kind &= ~frames.LAST
                if kind == frames.RAW:
                    yield frames.ITEM, payload
                elif kind == frames.ITEM:
                    yield frames.ITEM, await _decoded(payload)
                elif kind == frames.DONE:
                    yield frames.DONE, await _decoded(payload)
                    return
                else:
                    raise results.decode_error(payload) or self._out_of_memory()
        except WorkerCrash:
            if self._timed_out:
                raise WorkerTimeout(f"It took longer than {timeout:g} seconds and was stopped.") from None
            raise
        finally:
            limit.cancel()

    def _time_out(self) -> None:
        self._timed_out = True
        self.kill()

    def kill(self) -> None:
        """End the process now, whatever it is doing. May be called again."""
        self._leaving = True
        if self._process.returncode is None and not self._killed:
            self._killed = True
            with contextlib.suppress(ProcessLookupError):
                system.kill(self._process)
        if self._process.stdin is not None:
            self._process.stdin.close()

    async def wait(self) -> None:
        """Until the process is gone, reaped, and its pipes are closed."""
        await self._process.wait()
        if self._process.stdout is not None:
            with contextlib.suppress(ConnectionError):
                while await self._process.stdout.read(_BUFFER):
                    pass

    def _write(self, kind: int, message: object) -> None:
        # No drain: a request is a few kilobytes, and a worker that does not read is caught by the call's time limit.
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - it was started with PIPE
        stdin.write(frames.frame(kind, pickle.dumps(message, pickle.HIGHEST_PROTOCOL)))

    async def _read(self) -> tuple[int, bytes]:
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - it was started with PIPE
        try:
            kind, length = frames.HEADER.unpack(await stdout.readexactly(frames.HEADER.size))
            if length <= _LARGE_BYTES:
                return kind, await stdout.readexactly(length)
            pieces: list[bytes] = []
            while length:
                pieces.append(await stdout.readexactly(min(length, _LARGE_BYTES)))
                length -= len(pieces[-1])
            return kind, await asyncio.to_thread(b"".join, pieces)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise await self._explain_end() from None

    async def _explain_end(self) -> SidecarError:
        self._leaving = True
        try:
            async with asyncio.timeout(_END_SECONDS):
                code = await self._process.wait()
        except TimeoutError:  # it closed its pipe and lives on
            self.kill()
            return WorkerCrash("The worker process stopped answering and was ended.")
        if code == frames.EXIT_MEMORY:
            return self._out_of_memory()
        if code >= 0:
            return WorkerCrash(f"The worker process ended by itself with {exit_name(code)}.")
        name = exit_name(code)
        cause = ", probably because the machine ran out of memory" if name == "SIGKILL" else ""
        return WorkerCrash(f"The worker process crashed ({name}){cause}.")

    def _out_of_memory(self) -> LimitError:
        return LimitError(
            f"It needs more than {self._bounds.memory_bytes / 2**20:,.0f} MB of memory (limits.max_memory_bytes)."
        )


async def _decoded(payload: bytes) -> Any:
    if len(payload) <= _DECODED_BYTES:
        return results.decode(payload)
    return await asyncio.to_thread(results.decode, payload)


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "_worker"]
    # -P: never import from the current directory, which may be a workspace full of someone else's code.
    return [sys.executable, "-P", "-c", "import sys; from sidecar.workers.main import main; sys.exit(main())"]


def _standard_error() -> int | None:
    """Our own standard error, or nothing where there is none (a windowed build, a closed descriptor)."""
    try:
        os.fstat(2)
    except OSError:
        return DEVNULL
    return None


def _environment(bounds: Bounds) -> Mapping[str, str]:
    own: dict[str, str] = {"TMPDIR": bounds.scratch} if bounds.scratch else {}
    if bounds.background:
        # Several workers with a thread a core each only get in one another's way.
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        return {**threads, **os.environ, **own}
    return {**os.environ, **own}
