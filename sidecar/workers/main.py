"""A worker process: calls the functions it is asked to, one at a time, and sends back what they give.

It knows nothing of documents. Frozen builds call `main()` through the command line's `_worker`. It must start
quickly (everything heavy is imported by the functions called), must never write to the client's wire (its standard
output becomes standard error), and must never outlive its parent, even when busy."""

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, BinaryIO, Final, cast

from sidecar.toolkit.platform import system
from sidecar.workers import bounds, frames

_NICE: Final = 2
"""Answers that take no worker go first: the serving process gets a processor as soon as it wants one."""
_BACKGROUND_NICE: Final = 5
_RETIRE_BYTES: Final = 768 * 2**20
"""A worker that has grown to this is replaced after its task: allocators rarely give a large document's memory back."""


def main() -> int:
    """Serve requests from standard input until it ends. Never returns normally while the parent lives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)  # a print in a parser must not corrupt the frames, nor reach the client
    sys.stdout = sys.stderr
    system.set_binary(requests.fileno(), answers.fileno())

    kind, payload = _receive(requests)
    if kind != frames.SETUP:
        return 2
    in_force = _set_up(pickle.loads(payload))  # noqa: S301 - our own parent wrote it
    queue: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests, queue), daemon=True).start()
    _send(answers, frames.READY, in_force.encode())
    while True:
        _serve(answers, queue.get())


def _set_up(setup: dict[str, Any]) -> str:
    """Gives what is in force of the confinement."""
    if not system.die_with_parent(setup["parent"]):
        os._exit(frames.EXIT_ORPHANED)
    bounds.limit_memory(setup["memory_bytes"])
    system.resident_bytes()  # while it may read what tells
    system.lower_priority(_BACKGROUND_NICE if setup["background"] else _NICE)
    sys.path[:] = setup["sys_path"]
    import faulthandler

    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] - None in a windowed frozen build
        faulthandler.enable()
    in_force = system.confine(setup["writable"], setup["sockets"])
    if setup["only"]:
        import importlib

        importlib.import_module("sidecar.workers.results")
        importlib.import_module(setup["only"])
        in_force = ", ".join(filter(None, (system.isolate(_libraries()), in_force)))
    return in_force


def _libraries() -> list[str]:
    """Where Python's own modules and those that are installed lie; a module may be imported late."""
    own = __file__.rpartition(os.sep + "workers")[0]
    installed = [entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages", ".zip"))]
    return list(dict.fromkeys((sys.prefix, sys.base_prefix, getattr(sys, "_MEIPASS", own), own, *installed)))


def _listen(requests: BinaryIO, queue: SimpleQueue[bytes]) -> None:
    """Pass requests on; when the parent closes its end (or dies), end this process whatever it is doing."""
    while True:
        kind, payload = _receive(requests)
        if kind == frames.CALL:
            queue.put(payload)


def _receive(requests: BinaryIO) -> tuple[int, bytes]:
    kind, length = frames.HEADER.unpack(_exactly(requests, frames.HEADER.size))
    return kind, _exactly(requests, length)


def _exactly(requests: BinaryIO, count: int) -> bytes:
    pieces: list[bytes] = []
    while count:
        piece = requests.read(count)
        if not piece:
            os._exit(0)
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _send(answers: BinaryIO, kind: int, payload: bytes) -> None:
    data = memoryview(frames.frame(kind, payload))
    try:
        while data:
            data = data[answers.write(data) :]
    except OSError:  # the parent is gone
        os._exit(0)


def _serve(answers: BinaryIO, payload: bytes) -> None:
    from sidecar.workers import results  # once the search path is set

    out_of_memory = False
    try:
        target, args = pickle.loads(payload)  # noqa: S301 - our own parent wrote it
        result = resolve(target)(*args)
        if isinstance(result, Iterator):
            for item in cast("Iterator[Any]", result):
                if isinstance(item, bytes):
                    _send(answers, frames.RAW, item)
                else:
                    _send(answers, frames.ITEM, results.encode(item))
            result = None
        kind, answer = frames.DONE, results.encode(result)
    except MemoryError as error:
        out_of_memory = True
        kind, answer = frames.FAILED, results.encode_error(error)
    except Exception as error:  # the boundary: whatever a task raises belongs to its caller, not to this process
        if not isinstance(error, results.SidecarError):
            traceback.print_exception(error, file=sys.stderr)
        kind, answer = frames.FAILED, results.encode_error(error)
    if out_of_memory or system.resident_bytes() > _RETIRE_BYTES:
        _send(answers, kind | frames.LAST, answer)
        os._exit(0)
    _send(answers, kind, answer)


def resolve(target: str) -> Any:
    """What "package.module:name" names. Raises ImportError, AttributeError."""
    import importlib

    module, _, name = target.partition(":")
    found: Any = importlib.import_module(module)
    for step in name.split("."):
        found = getattr(found, step)
    return found


if __name__ == "__main__":
    sys.exit(main())
