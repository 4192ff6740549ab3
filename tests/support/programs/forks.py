"""Starts of the program and its workers without importing everything anew, which is most of what a short test costs: a
process that has their modules in memory (`preloaded.py`) forks them, and they become children of who wanted them.

What runs is what runs in any: its process id, streams, environment, directory, confinement and limits are its own.
Linux only; where the environment says how Python itself is to start, it is started as users start it.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = (sys.executable, "-m", "sidecar.cli.main")
REQUEST_BYTES: Final = 1 << 20
"""No request, which is a command line and an environment, is longer."""
_SCRIPT: Final = str(Path(sys.executable).with_name("docsidecar"))
_WORKER: Final = "from sidecar.workers.main import main"
_AT_START: Final = ("PYTHON", "LC_", "LANG", "TZ", "COVERAGE", "LD_", "MALLOC")
"""What the names of variables begin with that are read when Python starts."""
_NO_MATTER: Final = {
    ("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONUNBUFFERED", "1"), ("LANG", "C.UTF-8"), ("LC_CTYPE", "C.UTF-8"),
}  # fmt: skip
"""What changes nothing of what is said and done; Python goes on as in C.UTF-8 where no language is chosen."""
_PR_SET_CHILD_SUBREAPER: Final = 36  # linux/prctl.h
_programs: ContextVar[bool] = ContextVar("programs", default=False)
_execute: Callable[..., None] = getattr(subprocess.Popen, "_execute_child", lambda *_: None)


class Limited:
    """Limits of a process that is started, by `resource.RLIMIT_…`: the soft and the hard one. As `preexec_fn` of a
    start they hold from then on, whether it is forked or not."""

    def __init__(self, limits: Mapping[int, tuple[int, int]]) -> None:
        self.limits = dict(limits)

    def __call__(self) -> None:
        import resource

        for kind, soft_and_hard in self.limits.items():
            resource.setrlimit(kind, soft_and_hard)


@contextmanager
def programs() -> Generator[None]:
    """The program is forked where it is started in this context; its workers are in any case (see `fork`)."""
    before = _programs.set(True)
    try:
        yield
    finally:
        _programs.reset(before)


def fork(template: Callable[[], socket.socket], *, whole: bool = False) -> None:
    """From now on what this process starts of ours is forked by the process at the other end of what `template` gives,
    which is one below this one: workers, and the program in `programs` or always (`whole`), then by its script too."""
    if sys.platform != "linux":
        return
    taking_turns = threading.Lock()

    def execute(
        self: Any, args: Any, executable: Any, preexec_fn: Any, close_fds: Any, pass_fds: Any, cwd: Any, env: Any,
        startupinfo: Any, creationflags: Any, shell: Any, p2cread: int, p2cwrite: int, c2pread: int, c2pwrite: int,
        errread: int, errwrite: int, restore_signals: Any, gid: Any, gids: Any, uid: Any, umask: Any,
        start_new_session: Any, *others: Any,
    ) -> None:  # fmt: skip
        environment = dict(os.environ if env is None else env)
        words = _words(args, whole)
        limited = preexec_fn.limits if isinstance(preexec_fn, Limited) else {}
        other_start = preexec_fn is not None and not limited
        if words is None or other_start or pass_fds or not _same_at_start(environment):
            _execute(
                self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
                p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, restore_signals, gid, gids, uid, umask,
                start_new_session, *others,
            )  # fmt: skip
            return
        request = {
            "words": words, "environment": environment, "directory": os.fspath(cwd or Path.cwd()),
            "limits": list(limited.items()), "session": bool(start_new_session),
        }  # fmt: skip
        streams = [own if given == -1 else given for own, given in enumerate((p2cread, c2pwrite, errwrite))]
        with taking_turns, _adopting():
            control = template()
            socket.send_fds(control, [json.dumps(request).encode()], streams)
            self.pid = int(control.recv(32))
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)

    setattr(subprocess.Popen, "_execute_child", execute)  # noqa: B010 - it is private


def without() -> None:
    """Everything is started as users start it, until `fork`."""
    if sys.platform == "linux":
        setattr(subprocess.Popen, "_execute_child", _execute)  # noqa: B010


@cache
def template() -> socket.socket:
    """A process that forks what this one starts, and ends with it; where it takes requests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, str(Path(__file__).with_name("preloaded.py")), str(theirs.fileno())]
        _templates.append(subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL))
    return ours


_templates: list[subprocess.Popen[bytes]] = []
"""One at most; kept, because it lives as long as the tests."""


def _words(command: Any, whole: bool) -> list[str] | None:
    """The arguments of a command that may be forked: those of the program, none for a worker."""
    if isinstance(command, list | tuple):
        words = [os.fspath(word) for word in command]
        if _WORKER in words[-1]:
            return []
        if (whole or _programs.get()) and tuple(words[:3]) == PROGRAM:
            return words[2:]
        if whole and words[0] == _SCRIPT:
            return [PROGRAM[2], *words[1:]]
    return None


def _same_at_start(environment: Mapping[str, str]) -> bool:
    def at_start(variables: Mapping[str, str]) -> set[tuple[str, str]]:
        return {(name, value) for name, value in variables.items() if name.startswith(_AT_START)} - _NO_MATTER

    return at_start(environment) == at_start(os.environ)


@contextmanager
def _adopting() -> Generator[None]:
    """What is below this process and loses its parent becomes its child."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
