"""When to look at what: files that settle, directories to scan again, folders to poll, the scan of everything.

Times only; the looking itself is `run`'s."""

import asyncio
import math
import os
from dataclasses import dataclass
from typing import Final

from sidecar.config import IndexSettings
from sidecar.ingest.watching.events import Event
from sidecar.ingest.watching.folders import topmost
from sidecar.ingest.watching.settle import Settling
from sidecar.store import FileStat

_GATHER_SECONDS: Final = 0.05
"""A directory tree that is unpacked is walked once, not once for each directory."""
_WRITTEN_SHARE: Final = 1 / 3
"""A file that was closed or put in place whole needs less rest than one being written."""
_POLL_SHARE: Final = 20
"""Polling takes at most one part in this many of the time, however slow the file system."""


@dataclass(frozen=True)
class Due:
    """What is to be looked at now: everything, or some directories, and files whose quiet time is over."""

    everything: bool = False
    directories: tuple[bytes, ...] = ()
    files: tuple[bytes, ...] = ()


class Schedule:
    """What is due and when, on the running loop's clock."""

    def __init__(self, settings: IndexSettings) -> None:
        self.settings = settings
        self.settling = Settling()
        self.polled: set[bytes] = set()
        """Directories no watch covers."""
        self._now = asyncio.get_running_loop().time
        self._marked: set[bytes] = set()
        self._marked_due = math.inf
        self._next_scan = -math.inf
        self._next_poll = math.inf
        self._woken = asyncio.Event()

    @property
    def scan_due(self) -> bool:
        """Whether everything is to be scanned now."""
        return self._now() >= self._next_scan

    def scan_now(self) -> None:
        """Have everything scanned as soon as possible, once more if it is being scanned already."""
        self._next_scan = -math.inf
        self._woken.set()

    def scanned(self) -> None:
        """A scan of everything is over; one that was asked for meanwhile is still due."""
        now = self._now()
        if self._next_scan > now:
            self._next_scan = now + self.settings.rescan_seconds
        self._next_poll = now + self.settings.poll_seconds

    def mark(self, directory: bytes | None) -> None:
        """Have the directory scanned soon; None is let go by."""
        if directory is not None:
            if not self._marked:
                self._marked_due = self._now() + _GATHER_SECONDS
                self._woken.set()
            self._marked.add(directory)

    def polled_in(self, seconds: float) -> None:
        """A scan of due directories took `seconds`."""
        pause = max(self.settings.poll_seconds, _POLL_SHARE * seconds)
        self._next_poll = min(self._next_poll, self._now() + pause)

    def note(self, event: Event) -> None:
        """A file was written, is being written, or is gone."""
        quiet = self.settings.settle_seconds
        if event.kind == "written":
            quiet *= _WRITTEN_SHARE
        is_new = event.path not in self.settling
        seen: FileStat | None = None
        # What is closed looks as it will stay, most often: compared with how it looked when its writing began, every
        # save would have to rest twice.
        if event.kind == "written" or (is_new and event.kind != "deleted"):
            try:
                seen = FileStat.of(os.lstat(event.path))
            except OSError:
                seen = None
        self.settling.note(event.path, self._now(), quiet, seen)
        if is_new or event.kind == "written":
            self._woken.set()

    def wait_for(self, path: bytes, seen: FileStat) -> None:
        """The file is perhaps being written: look at it when it has settled. `seen` is how it looked."""
        self.settling.note(path, self._now(), self.settings.settle_seconds, seen)
        self._woken.set()

    def recheck(self, path: bytes) -> None:
        """Look at the file at once: what it held when it was read is no longer true, or it is gone."""
        self.settling.note(path, self._now(), 0.0, None)
        self._woken.set()

    def check(self, path: bytes, status: os.stat_result | None) -> bool:
        """What a file that was due looks like (None: it is gone). True when it has settled."""
        return self.settling.check(path, self._now(), FileStat.of(status) if status is not None else None)

    async def next(self) -> Due:
        """Wait until something is due, and give what is. What is given is due no more."""
        while True:
            now = self._now()
            if now >= self._next_scan:
                self._next_scan = now + self.settings.rescan_seconds
                return Due(everything=True)
            due = Due(directories=tuple(self._directories_due(now)), files=tuple(self.settling.due(now)))
            if due.directories or due.files:
                return due
            await self._sleep(now)

    async def next_files(self) -> tuple[bytes, ...]:
        """Wait until a settling file is due, and give all that are."""
        due = self.settling.next_due()
        if due is not None:
            await asyncio.sleep(due - self._now())
        return tuple(self.settling.due(self._now()))

    def _directories_due(self, now: float) -> list[bytes]:
        due: set[bytes] = set()
        if now >= self._marked_due:
            due, self._marked = self._marked, set()
            self._marked_due = math.inf
        if self.polled and now >= self._next_poll:
            due |= self.polled
            self._next_poll = math.inf
        return topmost(due)

    async def _sleep(self, now: float) -> None:
        """Until something is due or was noted."""
        times = [self._next_scan, self._marked_due, self._next_poll if self.polled else math.inf]
        file_due = self.settling.next_due()
        seconds = min(*times, math.inf if file_due is None else file_due) - now
        if seconds > 0:
            try:
                async with asyncio.timeout(None if seconds == math.inf else seconds):
                    await self._woken.wait()
            except TimeoutError:
                pass
        self._woken.clear()
