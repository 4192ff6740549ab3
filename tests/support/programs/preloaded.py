"""A process that has the modules of the program and its workers in memory, and forks for each start asked for.

Run by `forks.py`, which is its other side; knows nothing of tests.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import threading
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NoReturn

sys.path.insert(1, str(Path(__file__).parents[2]))
from support.programs import forks

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_MODULES = (
    "sidecar.cli.main", "sidecar.app", "sidecar.serving", "sidecar.registry", "sidecar.workers.main",
    "sidecar.workers.results", "sidecar.ingest.reading.files", "sidecar.server.reading.drawing",
    "sidecar.server.reading.heavy_views", "sidecar.server.handlers", "sidecar.server.page.http",
    "sidecar.server.transport.loopback", "anyio._backends._asyncio", "jsonschema", "regex", "tomlkit",
)  # fmt: skip


def preload() -> None:
    """Import what the commands and workers import, so that none of those forked has to: of the formats everything,
    which starts no thread and none of the numeric libraries."""
    for module in _MODULES:
        importlib.import_module(module)
    for plugin in entry_points(group="docsidecar.formats"):
        package = importlib.import_module(plugin.module.partition(".")[0])
        for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{package.__name__}."):
            importlib.import_module(module.name)
    for plugin in entry_points(group="docsidecar.features"):
        plugin.load()
    gc.collect()
    gc.freeze()


def serve(control: socket.socket) -> dict[str, Any]:
    """Fork for each request until there are no more, and end. Gives in what was forked what it is to run.

    With a request come the three standard streams; the answer is the process id.
    """
    while True:
        request, streams, _, _ = socket.recv_fds(control, forks.REQUEST_BYTES, 3)
        if not request:
            os._exit(0)
        read, write = os.pipe()
        between = os.fork()
        if not between:
            passing = os.getpid()
            started = os.fork()
            if started:
                os.write(write, str(started).encode())
                os._exit(0)
            asked = json.loads(request)
            if asked["session"]:
                os.setsid()
            while os.getppid() == passing:  # both the program and workers end when they lose the parent they began with
                os.sched_yield()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
            control.detach()  # closed with all others by `become`, and not once more by whoever frees it
            return asked
        os.waitpid(between, 0)  # from now on what was started is a child of who asked
        control.send(os.read(read, 32))
        for descriptor in (read, write, *streams):
            os.close(descriptor)


def run(request: dict[str, Any]) -> NoReturn:
    """Run the program, whose workers are forked too, or a worker."""
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    forks.Limited(dict(request["limits"]))()
    os.chdir(request["directory"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[0] = request["directory"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        former = getattr(sys, name)
        lines = number == 2 or os.isatty(number)
        stream = open(  # noqa: SIM115 - as long as the process
            number, "w" if number else "r", encoding=former.encoding, errors=former.errors, closefd=False,
            buffering=1 if lines else -1,
        )  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if not request["words"]:
        sys.argv = ["-c"]
        _end(importlib.import_module("sidecar.workers.main").main)
    control = _template()
    forks.fork(lambda: control, whole=True)
    sys.argv = [sys.modules["sidecar.cli.main"].__file__ or "", *request["words"][1:]]
    sys.orig_argv = [*forks.PROGRAM, *request["words"][1:]]
    _end(importlib.import_module("sidecar.cli.main").main)


def _end(main: Callable[[], int | None]) -> NoReturn:
    """Run `main` and end as Python does, threads, exit handlers and streams included, but without taking apart the
    modules in memory: they are shared, so that would copy them, and cost more than most commands do."""
    code: int | None = 1
    try:
        code = main()
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int | None) else 1
        if isinstance(ending.code, str):
            sys.stderr.write(f"{ending.code}\n")
    except BaseException as error:  # what Python itself would show
        sys.excepthook(type(error), error, error.__traceback__)
    getattr(threading, "_shutdown", lambda: None)()  # both are private
    getattr(atexit, "_run_exitfuncs", lambda: None)()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # closed, or nobody reads it
            stream.flush()
    os._exit(code or 0)


def _template() -> socket.socket:
    """Fork what forks the workers of this process, as long as it has but one thread; where requests are taken."""
    parent = os.getpid()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        theirs.close()
        return ours
    ours.close()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # whoever is at their other ends hears when the parent closes its own
        os.dup2(nothing, stream)
    os.close(nothing)
    run(serve(theirs))


if __name__ == "__main__":
    preload()
    run(serve(socket.socket(fileno=int(sys.argv[1]))))
