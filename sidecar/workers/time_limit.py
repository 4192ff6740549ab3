"""The time limit of a call in a worker: processor time its processes got, and a generous wall clock for what waits.

On a busy machine a sound file may take ten times as long as on a quiet one; it must not be taken for one that hangs.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from sidecar.toolkit.platform import system

_LOOKS: Final = 8
"""How often the processes are looked at within one limit."""
_WAITING_SHARE: Final = 0.02
"""Of a core: processes that got less since the last look, and do not ask for it or for the disk just now, wait for
something, or hang."""
_PATIENCE: Final = 1.0
"""Times the limit that processes may wait."""
_LONGEST: Final = 100.0
"""Times the limit after which it is over in any case."""


class TimeLimit:
    """Calls `over` once when the process `pid` and all it started have had `seconds` for one step of their work.

    Must be made on the event loop. `restart` begins a step, `pause` ends it, `cancel` ends the watch.
    """

    def __init__(self, pid: int, seconds: float, over: Callable[[], None]) -> None:
        self._pid = pid
        self._seconds = seconds
        self._over = over
        self._loop = asyncio.get_running_loop()
        self._paused = self._new_step = True
        self._used = self._waited = self._passed = 0.0
        self._seen = (0.0, 0.0)
        self._cancelled = False
        self._timer = self._loop.call_later(seconds / _LOOKS, self._look)

    def restart(self) -> None:
        """The next step begins."""
        self._paused, self._new_step = False, True

    def pause(self) -> None:
        """The step is over; what comes until the next one is not its time."""
        self._paused = True

    def cancel(self) -> None:
        """No more looks."""
        self._cancelled = True
        self._timer.cancel()

    def _look(self) -> None:
        """Begin a look. It is taken in a thread: it asks the kernel about every process of the machine."""
        if self._paused:
            self._look_later()
        else:
            self._loop.run_in_executor(None, system.look_at_tree, self._pid).add_done_callback(self._looked)

    def _looked(self, looked: asyncio.Future[tuple[float, bool]]) -> None:
        if self._cancelled or looked.cancelled():
            return
        if not self._paused:
            self._measure(*looked.result())
            limit = self._seconds
            if self._used >= limit or self._waited >= limit * _PATIENCE or self._passed >= limit * _LONGEST:
                self._over()
                return
        self._look_later()

    def _look_later(self) -> None:
        self._timer = self._loop.call_later(self._seconds / _LOOKS, self._look)

    def _measure(self, used: float, wanting: bool) -> None:
        now = self._loop.time()
        if self._new_step:  # its time counts from the first look at it, so that the many short ones cost nothing
            self._new_step = False
            self._used = self._waited = self._passed = 0.0
        else:
            passed, got = now - self._seen[0], max(used - self._seen[1], 0.0)
            self._passed += passed
            self._used += got
            if not wanting and got < passed * _WAITING_SHARE:
                self._waited += passed
        self._seen = now, used
