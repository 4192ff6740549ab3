"""When to look at what: files that settle, directories to walk again, folders to poll, the survey of everything.

Times only; the looking itself is `run`'s.
"""

from __future__ import annotations

import asyncio
import math
import os
from typing import Final

from sidecar.config import IndexSettings
from sidecar.ingest.reading.files import file_stat
from sidecar.ingest.watching.events import Event
from sidecar.ingest.watching.settle import Settling
from sidecar.ingest.watching.tree import topmost
from sidecar.store import FileStat

_GATHER_SECONDS: Final = 0.05
"""A directory tree that is unpacked is walked once, not once for each directory."""
_WRITTEN_SHARE: Final = 1 / 3
"""A file that was closed or put in place whole needs less rest than one being written."""
_POLL_SHARE: Final = 20
"""Polling takes at most one part in so many of the time, however slow the file system."""


class Schedule:
    """What is due, on the loop's clock."""

    def __init__(self, settings: IndexSettings) -> None:
        self.settling = Settling()
        self.polled: set[bytes] = set()
        self.forced: set[bytes] = set()
        """Directories whose files are to be read again though they look the same."""
        self._settings = settings
        self._marked: set[bytes] = set()
        self._marked_due = math.inf
        self._next_survey = -math.inf
        self._next_poll = math.inf
        self._walk_seconds = 0.0
        self._woken = asyncio.Event()

    def configure(self, settings: IndexSettings) -> None:
        self._settings = settings

    def wake(self) -> None:
        """Something was noted."""
        self._woken.set()

    # everything

    def survey_now(self) -> None:
        self._next_survey = -math.inf
        self._woken.set()

    def survey_due(self, now: float) -> bool:
        return now >= self._next_survey

    def surveying(self, now: float) -> None:
        """A survey begins: what is asked for from now on is another one."""
        self._next_survey = now + self._settings.rescan_seconds

    def surveyed(self, now: float) -> None:
        """A survey is over; one that was asked for meanwhile is still due."""
        if self._next_survey > now:
            self._next_survey = now + self._settings.rescan_seconds
        self._next_poll = now + self._settings.poll_seconds

    # directories

    def mark(self, directory: bytes | None, now: float) -> None:
        """Have the directory walked soon; None is let go by."""
        if directory is not None:
            if not self._marked:
                self._marked_due = now + _GATHER_SECONDS
                self._woken.set()
            self._marked.add(directory)

    def directories_due(self, now: float) -> list[bytes]:
        due: set[bytes] = set()
        if now >= self._marked_due:
            due, self._marked = self._marked, set()
            self._marked_due = math.inf
        if self.polled and now >= self._next_poll:
            due |= self.polled
            self._next_poll = math.inf
        return topmost(due)

    def walked(self, started: float, now: float) -> None:
        """A walk of due directories is over."""
        seconds = now - started
        self._next_poll = min(self._next_poll, now + max(self._settings.poll_seconds, _POLL_SHARE * seconds))

    # files

    def note(self, event: Event, now: float) -> None:
        """A file was written, is being written, or is gone."""
        quiet = self._settings.settle_seconds
        if event.kind == "written":
            quiet *= _WRITTEN_SHARE
        before = len(self.settling)
        seen: FileStat | None = None
        if event.path not in self.settling and event.kind != "gone":
            try:
                seen = file_stat(os.lstat(event.path))
            except OSError:
                seen = None
        self.settling.note(event.path, now, quiet, seen)
        if len(self.settling) > before or event.kind == "written":
            self._woken.set()

    def due(self, now: float) -> list[bytes]:
        return self.settling.due(now)

    def looked(self, path: bytes, now: float, status: os.stat_result | None) -> bool:
        return self.settling.looked(path, now, file_stat(status) if status is not None else None)

    async def wait_for_file(self, now: float) -> None:
        """Until a settling file is due."""
        due = self.settling.next_due()
        if due is not None and due > now:
            await asyncio.sleep(due - now)

    async def wait(self, now: float) -> None:
        """Until something is due or was noted."""
        times = [self._next_survey, self._marked_due, self._next_poll if self.polled else math.inf]
        file_due = self.settling.next_due()
        seconds = min(*times, math.inf if file_due is None else file_due) - now
        if seconds > 0:
            try:
                async with asyncio.timeout(None if seconds == math.inf else seconds):
                    await self._woken.wait()
            except TimeoutError:
                pass
        self._woken.clear()
