"""Shows how far indexing is: a bar on a terminal (files, rate, current file, time left), plain lines elsewhere."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections import deque
from typing import Protocol

from sidecar.cli.output import show

_WINDOW_SECONDS = 10.0  # the rate is that of the last seconds, because files differ in size by a thousandfold
_LINE_SECONDS = 5.0


class Report(Protocol):
    """How far an indexer is."""

    @property
    def state(self) -> str:
        """ "indexing" or "idle"."""
        ...

    @property
    def pending(self) -> int:
        """Files that wait to be read."""
        ...

    @property
    def total(self) -> int:
        """Files there are."""
        ...

    @property
    def current(self) -> str:
        """The file begun last."""
        ...


class Source(Protocol):
    """An indexer, as far as this module cares."""

    @property
    def progress(self) -> Report:
        """How far it is now."""
        ...


class Progress:
    """Writes to stderr, so that stdout stays for the report."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._seen: deque[tuple[float, int]] = deque()
        self._last_line = 0.0

    async def follow(self, source: Source) -> None:
        """Show progress until cancelled."""
        if self._quiet:
            return
        while True:
            self.show(source.progress, time.monotonic())
            await asyncio.sleep(0.1 if self._terminal else 0.5)

    def show(self, report: Report, now: float) -> None:
        """Draw one state; `now` in seconds of any clock."""
        done = max(report.total - report.pending, 0)
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > _WINDOW_SECONDS:
            self._seen.popleft()
        if report.state != "indexing" or not report.total:
            return
        elapsed = now - self._seen[0][0]
        rate = (done - self._seen[0][1]) / elapsed if elapsed > 0 else 0.0
        left = f"{_duration(report.pending / rate)} left" if rate > 0 else "…"
        numbers = f"{done:,}/{report.total:,} files  {rate:,.0f}/s  {left}"
        if self._terminal:
            width = shutil.get_terminal_size().columns
            filled = 20 * done // report.total
            line = f"[{'█' * filled}{'·' * (20 - filled)}] {numbers}  {show(report.current)}"
            sys.stderr.write(f"\r\x1b[2K{line[: width - 1]}")
            sys.stderr.flush()
        elif now - self._last_line >= _LINE_SECONDS:
            self._last_line = now
            print(f"indexing: {numbers}  {show(report.current)}", file=sys.stderr)

    def end(self) -> None:
        """Take the bar away."""
        if self._terminal and not self._quiet:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
