"""Waits until a file's size and time rest, so that half-written files are not read. Pure: time and stats are given.

A file has settled when nothing was heard of it for its quiet time and it looks as it did when last looked at. One
that never rests (a log) is let through after `max_wait`, and again after its next change."""

import heapq
import math
from dataclasses import dataclass

from sidecar.store.documents.records import FileStat

_MAX_WAIT_SECONDS = 30.0


@dataclass
class _Waiting:
    since: float
    due: float
    scheduled: float
    """When the heap will bring it up; later entries of the same path in the heap are void."""
    quiet: float
    seen: FileStat | None


class Settling:
    """The files being waited for. All times in seconds on one clock that never goes back."""

    def __init__(self, max_wait: float = _MAX_WAIT_SECONDS) -> None:
        self._max_wait = max_wait
        self._waiting: dict[bytes, _Waiting] = {}
        self._heap: list[tuple[float, bytes]] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, path: bytes) -> bool:
        return path in self._waiting

    def note(self, path: bytes, now: float, quiet: float, seen: FileStat | None) -> None:
        """Something happened to the file, which looks like `seen` now (None: it is not there, or nobody looked)."""
        waiting = self._waiting.get(path)
        if waiting is None:
            waiting = self._waiting[path] = _Waiting(now, 0.0, math.inf, quiet, seen)
        elif seen is not None:
            waiting.seen = seen
        waiting.due = min(now + quiet, waiting.since + self._max_wait)
        waiting.quiet = quiet
        if waiting.due < waiting.scheduled:
            self._schedule(path, waiting)

    def next_due(self) -> float | None:
        """When to call `due` next; None when nothing is waited for."""
        return self._heap[0][0] if self._heap else None

    def due(self, now: float) -> list[bytes]:
        """Files whose quiet time is over: look at each and call `looked`."""
        ready: list[bytes] = []
        while self._heap and self._heap[0][0] <= now:
            time, path = heapq.heappop(self._heap)
            waiting = self._waiting.get(path)
            if waiting is None or waiting.scheduled != time:
                continue
            waiting.scheduled = math.inf
            if waiting.due <= now:
                ready.append(path)
            else:
                self._schedule(path, waiting)
        return ready

    def check(self, path: bytes, now: float, seen: FileStat | None) -> bool:
        """What a file that was `due` looks like. True when it has settled, and is no longer waited for."""
        waiting = self._waiting.get(path)
        if waiting is None:
            return False
        if seen == waiting.seen or seen is None or now - waiting.since >= self._max_wait:
            del self._waiting[path]
            return True
        waiting.seen = seen
        waiting.due = min(now + waiting.quiet, waiting.since + self._max_wait)
        self._schedule(path, waiting)
        return False

    def forget(self, prefix: bytes) -> None:
        """Wait no longer for anything below that directory."""
        for path in [path for path in self._waiting if path.startswith(prefix)]:
            del self._waiting[path]

    def _schedule(self, path: bytes, waiting: _Waiting) -> None:
        waiting.scheduled = waiting.due
        heapq.heappush(self._heap, (waiting.due, path))
