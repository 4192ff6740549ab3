"""The program in a process of its own, started without importing everything anew: half of what a short command costs.

On Linux a process that has its modules in memory (`preloaded.py`, one for each process of tests) forks itself; what
comes of it has a process id, streams, environment and directory of its own, and ends as any other. Elsewhere, and where
a variable says how Python itself is to start, the program is started as users start it. That start is what the tests
through the SDK's client, at a terminal and of the installed program are about: they do without this module.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

PROGRAM = (sys.executable, "-m", "sidecar.cli.main")
_AT_START = ("PYTHON", "LC_", "LANG", "TZ", "COVERAGE", "LD_", "MALLOC")
"""What the names of variables begin with that are read when Python starts."""


class Process:
    """A forked start of the program; the methods are those of `subprocess.Popen`."""

    def __init__(
        self, words: Sequence[str], streams: Sequence[int], environment: Mapping[str, str], directory: str
    ) -> None:
        self._answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = {"words": [*words], "environment": {**environment}, "directory": directory}
        with theirs:
            socket.send_fds(_preloaded(), [json.dumps(request).encode()], [*streams, theirs.fileno()])
        self.pid = int(self._answers.recv(32))
        self.returncode: int | None = None
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self.stderr: IO[bytes] | None = None

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code once it has ended. Raises subprocess.TimeoutExpired."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(PROGRAM, timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Nothing happens when it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def _ended(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._answers], [], [], seconds)[0]:
            with self._answers:
                self.returncode = int(self._answers.recv(32))
        return self.returncode


Started = subprocess.Popen[bytes] | Process


def start(
    *words: str,
    environment: Mapping[str, str],
    directory: Path | None = None,
    stdin: int = subprocess.PIPE,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    before: Callable[[], None] | None = None,
) -> Started:
    """Start `docsidecar WORDS…`; a stream is PIPE, DEVNULL or the descriptor of a file. `before` runs in it."""
    if before is not None or not _may_fork(environment):
        return subprocess.Popen(
            [*PROGRAM, *words], stdin=stdin, stdout=stdout, stderr=stderr, env=environment, cwd=directory,
            preexec_fn=before,  # noqa: PLW1509 - one thread, and limits can be set nowhere else
        )  # fmt: skip
    given = (stdin, stdout, stderr)
    pipes = {number: os.pipe() for number, stream in enumerate(given) if stream == subprocess.PIPE}
    theirs = [pipes[number][number > 0] if number in pipes else _descriptor(one) for number, one in enumerate(given)]
    ours = {number: ends[number == 0] for number, ends in pipes.items()}
    try:
        process = Process(words, theirs, environment, str(directory or Path.cwd()))
    except BaseException:
        for end in ours.values():
            os.close(end)
        raise
    finally:
        for number in pipes:
            os.close(theirs[number])
    process.stdin, process.stdout, process.stderr = (
        os.fdopen(ours[number], "rb" if number else "wb") if number in ours else None for number in range(3)
    )
    return process


def run(
    *words: str,
    environment: Mapping[str, str],
    directory: Path | None = None,
    stdin: int = subprocess.DEVNULL,
    given: str = "",
    seconds: float = 360,
) -> subprocess.CompletedProcess[str]:
    """Run `docsidecar WORDS…` to its end; gives what it printed, in UTF-8. Raises subprocess.TimeoutExpired."""
    with tempfile.TemporaryFile() as entered, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        entered.write(given.encode())
        entered.seek(0)
        process = start(
            *words, environment=environment, directory=directory, stdin=entered.fileno() if given else stdin,
            stdout=output.fileno(), stderr=errors.fileno(),
        )  # fmt: skip
        try:
            code = process.wait(seconds)
        except BaseException:
            process.kill()
            process.wait()
            raise
        printed: list[str] = []
        for file in (output, errors):
            file.seek(0)
            printed.append(file.read().decode().replace("\r\n", "\n"))
    return subprocess.CompletedProcess([*PROGRAM, *words], code, *printed)


def _descriptor(stream: int) -> int:
    return _nothing() if stream == subprocess.DEVNULL else stream


@cache
def _nothing() -> int:
    return os.open(os.devnull, os.O_RDWR)


def _may_fork(environment: Mapping[str, str]) -> bool:
    def at_start(variables: Mapping[str, str]) -> dict[str, str]:
        return {name: value for name, value in variables.items() if name.startswith(_AT_START)}

    return sys.platform == "linux" and at_start(environment) == at_start(os.environ)


@cache
def _preloaded() -> socket.socket:
    """Where the process that forks takes requests; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, str(Path(__file__).with_name("preloaded.py")), str(theirs.fileno())]
        subprocess.run(command, pass_fds=[theirs.fileno()], check=True)
    return ours
