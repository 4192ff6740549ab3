"""What counts as the time that processes took: processor time they got, and a generous wall clock for what waits.

On a busy machine sound work may take ten times as long as on a quiet one; it must not be taken for what hangs."""

from typing import Final

LOOKS: Final = 8
"""How often processes are looked at within one limit."""
_WAITING_SHARE: Final = 0.02
"""Of a core: processes that got less since the last look, and do not ask for it or for the disk just now, wait for
something, or hang."""
_LATE: Final = 2
"""Times the pause between two looks that one counts as waiting at most."""
_WAITING_LIMIT: Final = 1.0
"""Times the limit that processes may wait."""
_TOTAL_LIMIT: Final = 100.0
"""Times the limit after which it is over in any case."""


class TimeTaken:
    """What processes took of `limit` seconds since `restart`."""

    def __init__(self, limit: float, now: float, used: float = 0.0) -> None:
        self._limit = limit
        self.restart(now, used)

    def restart(self, now: float, used: float) -> None:
        """Count from here: `now` is by a clock of the wall, `used` the processor time that they have had before."""
        self._used = self._waited = self._passed = 0.0
        self._seen = (now, used)

    def look(self, now: float, used: float, wanting: bool) -> bool:
        """Whether the limit is reached; `used` and `wanting` are what `System.tree_usage` gives."""
        passed, got = now - self._seen[0], max(used - self._seen[1], 0.0)
        self._seen = now, used
        self._passed += passed
        self._used += got
        if not wanting and got < passed * _WAITING_SHARE:
            # Who looks late did not run either, and what they answered meanwhile is not read yet.
            self._waited += min(passed, _LATE * self._limit / LOOKS)
        return (
            self._used >= self._limit
            or self._waited >= self._limit * _WAITING_LIMIT
            or self._passed >= self._limit * _TOTAL_LIMIT
        )
