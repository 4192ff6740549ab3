"""The program in a process of its own, as the tests start it that are not about how it starts: forked (`forks.py`)."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from support.programs import forks

PROGRAM = forks.PROGRAM
Started = subprocess.Popen[bytes]


def start(
    *words: str,
    environment: Mapping[str, str],
    directory: Path | None = None,
    stdin: int = subprocess.PIPE,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    before: Callable[[], None] | None = None,
) -> Started:
    """Start `docsidecar WORDS…`; a stream is PIPE, DEVNULL or the descriptor of a file. `before` runs in it, which is
    not forked then, but for limits."""
    with forks.programs():
        return subprocess.Popen(
            [*PROGRAM, *words], stdin=stdin, stdout=stdout, stderr=stderr, env=environment, cwd=directory,
            preexec_fn=before,  # noqa: PLW1509 - one thread, and limits can be set nowhere else
        )  # fmt: skip


def run_well(*words: str, environment: Mapping[str, str], code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run `docsidecar WORDS…` to its end, which must be with that exit status and without a traceback."""
    done = run(*words, environment=environment)
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def run(
    *words: str,
    environment: Mapping[str, str],
    directory: Path | None = None,
    stdin: int = subprocess.DEVNULL,
    given: str = "",
    seconds: float = 360,
    as_users_do: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run `docsidecar WORDS…` to its end; gives what it printed, in UTF-8. Raises subprocess.TimeoutExpired. It is
    forked, and so is what it starts of ours, unless it is to be started as users start it."""
    with contextlib.nullcontext() if as_users_do else forks.programs():
        return subprocess.run(
            [*PROGRAM, *words], env=environment, cwd=directory, capture_output=True, encoding="utf-8", timeout=seconds,
            check=False, input=given or None, stdin=None if given else stdin,
        )  # fmt: skip
