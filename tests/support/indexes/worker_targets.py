"""Functions the worker tests have run in worker processes."""

from __future__ import annotations

import ctypes
import importlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, make_dataclass
from pathlib import Path
from typing import Any

from sidecar.api import DamagedError, FormatError, NotFoundError
from sidecar.toolkit.programs.process_tree import run_tree

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


def held_up(target: str, seconds: float, *args: Any) -> Any:
    """What a function of a module gives that has to wait, once it has begun to work, so long for the processor."""
    module, _, function = target.partition(":")
    called = getattr(importlib.import_module(module), function)

    def wait(*_: object) -> None:
        time.sleep(seconds)

    signal.signal(signal.SIGVTALRM, wait)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
    try:
        return called(*args)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def wait_for_busy_child() -> None:
    with tempfile.TemporaryDirectory() as directory:
        run_tree([sys.executable, "-c", "while True: pass"], seconds=60, cwd=Path(directory))


def connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def send_datagram(port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"hello", ("127.0.0.1", port))


def write(path: str) -> None:
    Path(path).write_text("written by a worker")


def write_by_shell(path: str) -> None:
    subprocess.run(["/bin/sh", "-c", 'echo written > "$0"', path], check=True, stderr=subprocess.DEVNULL)


def remove(path: str) -> None:
    Path(path).unlink()


def write_scratch() -> str:
    with tempfile.NamedTemporaryFile("w+", suffix=".txt") as file:
        file.write("written by a worker")
        return file.name


@dataclass(frozen=True)
class Made:
    """Something a plugin's own function gives."""

    name: str
    sizes: tuple[int, ...]


class Bomb:
    """What pickle would run on loading: it makes a directory."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.place,)


def bomb(place: str) -> Bomb:
    return Bomb(place)


def made() -> list[Made]:
    return [Made("a", (1, 2)), Made("b", ())]


def unknown_to_the_caller() -> Any:
    """An object of a class that the serving process has not imported."""
    return make_dataclass("Local", [("x", int)])(1)


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


def read_file(path: str) -> bytes:
    return Path(path).read_bytes()


def list_folder(path: str) -> list[str]:
    return [str(entry) for entry in Path(path).iterdir()]


def start_program() -> str:
    return subprocess.run(["true"], check=True, capture_output=True, text=True).stdout


def local_socket() -> None:
    socket.socket(socket.AF_UNIX).close()


def late_import() -> int:
    import colorsys  # which nothing else imports

    return round(colorsys.rgb_to_hsv(1, 1, 1)[2])
