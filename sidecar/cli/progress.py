"""Shows on standard error how far long work is: bars with rate and time left on a terminal, plain lines elsewhere."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sidecar.cli.output import show

if TYPE_CHECKING:
    from sidecar.ingest.indexing.indexer import Indexer

_LINE_SECONDS = 5.0
"""Between two plain lines."""
_TICK_SECONDS = 0.5
_FORMAT = "{desc} {percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} {unit} [{elapsed}<{remaining}]{postfix}"
_NAME_CHARS = 40
_COLUMNS = 80
_ROWS = 20


def on_terminal() -> bool:
    """Whether standard error is one."""
    return sys.stderr is not None and sys.stderr.isatty()


def _columns() -> int:
    """How wide the terminal is; some say 0, and are given the usual 80."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
    except OSError:
        return _COLUMNS


class Bar:
    """One bar on a terminal, one line every few seconds elsewhere, nothing when `quiet`."""

    def __init__(self, name: str, unit: str, *, quiet: bool = False, row: int = 0) -> None:
        self._name, self._unit, self._quiet, self._row = name, unit, quiet, row
        self._bar: Any = None
        self._last_line = time.monotonic() - _LINE_SECONDS
        self._shown = (-1, -1)

    def show(self, done: int, total: int, current: str = "") -> None:
        """Draw the bar at `done` of `total`; `current` is what is being done."""
        if self._quiet or not total:
            return
        if on_terminal():
            self._draw(done, total, current)
        elif (done, total) != self._shown and time.monotonic() - self._last_line >= _LINE_SECONDS:
            self._last_line, self._shown = time.monotonic(), (done, total)
            print(f"{self._name}: {done:,}/{total:,} {self._unit}  {show(current)}".rstrip(), file=sys.stderr)

    def _draw(self, done: int, total: int, current: str) -> None:
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total, initial=done, desc=f"{self._name:<9}", unit=self._unit, bar_format=_FORMAT, leave=False,
                ncols=_columns(), nrows=_ROWS, file=sys.stderr, position=self._row, mininterval=0,
            )  # fmt: skip
        self._bar.total, self._bar.ncols = total, _columns()
        name = show(current)
        self._bar.set_postfix_str(name if len(name) <= _NAME_CHARS else f"…{name[1 - _NAME_CHARS :]}", refresh=False)
        self._bar.update(done - self._bar.n)
        self._bar.refresh()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class ProgressDisplay:
    """The bar of an indexer that reads files."""

    def __init__(self, *, quiet: bool) -> None:
        self._bar = Bar("reading", "files", quiet=quiet)

    async def follow(self, indexer: "Indexer") -> None:
        """Show progress until cancelled."""
        try:
            while True:
                report = indexer.progress
                if report.state == "indexing":
                    self._bar.show(max(report.total - report.pending, 0), report.total, report.current)
                await asyncio.sleep(0.1)
        finally:
            self._bar.close()


class Steps:
    """What a command of several steps is doing, with the seconds that have passed; on a terminal only."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __enter__(self) -> "Steps":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, step: str) -> None:
        """This is being done now."""
        if not on_terminal():
            return
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(
                bar_format="{desc} … {elapsed}", leave=False, ncols=_columns(), nrows=_ROWS, file=sys.stderr
            )
        self._bar.set_description_str(step)


@contextmanager
def working(step: str) -> Generator[None]:
    """What one step is doing, with the seconds that pass, while it lasts; on a terminal only."""
    if not on_terminal():
        yield
        return
    done = threading.Event()

    def tick(steps: Steps) -> None:
        while True:
            steps.show(step)
            if done.wait(_TICK_SECONDS):
                return

    with Steps() as steps:
        clock = threading.Thread(target=tick, args=(steps,))
        clock.start()
        try:
            yield
        finally:
            done.set()
            clock.join()


def print_above(lines: Sequence[str]) -> None:
    """Print lines on standard output above the bars."""
    from tqdm import tqdm

    for line in lines:
        tqdm.write(line)
