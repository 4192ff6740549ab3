"""Functions the worker tests have run in worker processes."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sidecar.api import DamagedError, FormatError, NotFoundError
from sidecar.toolkit.process_tree import run_tree

_SEEN: list[int] = []


def echo(value: Any) -> Any:
    return value


def count(number: int) -> Iterator[int | bytes]:
    for value in range(number):
        yield value if value % 2 else str(value).encode()


def noisy() -> str:
    print("from print", flush=True)
    os.write(1, b"from the descriptor\n")
    return "done"


def remember() -> int:
    _SEEN.append(1)
    return len(_SEEN)


def die() -> None:
    ctypes.string_at(0)


def leave() -> None:
    os._exit(3)


def hang() -> None:
    time.sleep(3600)


def hold_the_lock() -> None:
    """Busy in C without giving the interpreter lock back: no Python thread of the process runs any more."""
    re.match(r"(a+)+$", "a" * 64 + "b")


def use_processor(seconds: float) -> float:
    """Busy until this process has had so much processor time."""
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass
    return seconds


def wait_for_busy_child(directory: str) -> None:
    run_tree([sys.executable, "-c", "while True: pass"], seconds=60, cwd=Path(directory))


def eat() -> int:
    return len([bytearray(1 << 24) for _ in range(1 << 12)])


def fail() -> float:
    return 1 / 0


def unpicklable() -> Any:
    return lambda: None


def damaged() -> None:
    raise DamagedError("the file is torn")


def not_found() -> None:
    raise NotFoundError("no such chapter", uri="chapter://x/9", near=["chapter-1"])


class OddError(FormatError):
    """A third party's error that pickle cannot make again."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"an error of an odd class: {one} {two}")


def odd_error() -> None:
    raise OddError("a", "b")
