"""A process that has the program's modules in memory, and forks itself for each start of it that it is asked for.

Run by `program.py`, which is its other side; knows nothing of tests.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import selectors
import socket
import sys
from contextlib import suppress
from importlib.metadata import entry_points
from typing import Any

REQUEST_BYTES = 1 << 20
"""No request, which is a command line and an environment, is longer."""


def preload() -> None:
    """Import what the commands import, so that none of those forked has to."""
    for module in ("sidecar.cli.main", "sidecar.app", "sidecar.serving"):
        importlib.import_module(module)
    for feature in entry_points(group="docsidecar.features"):
        feature.load()
    gc.collect()
    gc.freeze()


def serve(control: socket.socket) -> dict[str, Any] | None:
    """Fork for each request until there are no more. Gives None then, and in the fork what it is to run.

    With a request come the three standard streams and a socket, which gets the process id and, later, how it ended.
    """
    running: dict[int, tuple[int, socket.socket]] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fd != control.fileno():
                    pid, answers = running.pop(key.fd)
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    _, status = os.waitpid(pid, 0)
                    with answers, suppress(BrokenPipeError):  # nobody may wait for it
                        answers.send(str(os.waitstatus_to_exitcode(status)).encode())
                    continue
                request, streams, _, _ = socket.recv_fds(control, REQUEST_BYTES, 4)
                if not request:
                    return None
                pid = os.fork()
                if not pid:
                    for number, stream in enumerate(streams[:3]):
                        os.dup2(stream, number)
                    for one in (control, *(answers for _, answers in running.values())):
                        one.detach()  # closed with all others by `become`, and not once more by whoever frees it
                    return json.loads(request)
                answers = socket.socket(fileno=streams.pop())
                for stream in streams:
                    os.close(stream)
                answers.send(str(pid).encode())
                ended = os.pidfd_open(pid)
                running[ended] = pid, answers
                selector.register(ended, selectors.EVENT_READ)


def become(request: dict[str, Any]) -> None:
    """Be as if started by that request: directory, environment, arguments, streams."""
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(request["directory"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [sys.modules["sidecar.cli.main"].__file__ or "", *request["words"]]
    sys.orig_argv = [sys.executable, "-m", "sidecar.cli.main", *request["words"]]
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


if __name__ == "__main__":
    if os.fork():
        os._exit(0)  # who started us is no parent of ours: tests count the processes that they have started
    preload()
    asked = serve(socket.socket(fileno=int(sys.argv[1])))
    if asked is not None:
        become(asked)
        sys.exit(importlib.import_module("sidecar.cli.main").main())
