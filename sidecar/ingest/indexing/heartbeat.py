"""Whether the process that holds the lease still lives, and taking the lease from one that hangs."""

import contextlib
import logging

from sidecar.api import StoreError
from sidecar.store import FileLock, Lease, Store

logger = logging.getLogger(__name__)

_HUNG_SECONDS = 3.0
"""A holder that has shown no sign of life for this long is said to hang: it beats every `_STATUS_SECONDS`."""
_TAKEOVER_SECONDS = 10.0
"""How long it is given to go on, since whoever takes over looks through all folders again."""


class Heartbeat:
    """How long the holder of the lease has shown no sign of life, as a sidecar sees it that looks every second. By its
    own clock, and only looks count: a machine that slept, or a clock that was set, makes nobody hang."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease
        self._seen = 0
        self._holder: int | None = None
        self.silent = 0.0

    def check(self, seconds: float) -> None:
        """Look again, `seconds` after the last time."""
        holder, beat = self._lease.holder(), self._lease.last_beat()
        same = holder is not None and (holder, beat) == (self._holder, self._seen)
        self._holder, self._seen = holder, beat
        self.silent = self.silent + seconds if same else 0.0

    def sentence(self, holder: int | None) -> str:
        """What is said of `holder`, who has the lease now, where it hangs; "" while it does not, and of another than
        the one that was looked at last, who has just taken over."""
        if self.silent < _HUNG_SECONDS or holder != self._holder:
            return ""
        return (
            f"Process {self._holder}, which keeps the index up to date, has not answered for {self.silent:.0f} s; "
            "what is indexed is served, and another docsidecar takes over as soon as that is safe."
        )

    async def take_over(self, store: Store, seconds: float) -> bool:
        """Take the lease from a holder that hangs, once it has had time to go on; whether it is held now. To be asked
        again every `seconds`.

        First a new term, after which the other cannot write any more: while it hangs inside a transaction no term
        can begin, and the next try comes a second later. Then the lock."""
        self.check(seconds)
        if self.silent < _TAKEOVER_SECONDS:
            return False
        alone = FileLock(store.data_dir / "takeover.lock")
        if not alone.try_acquire():
            return False
        try:
            self.check(0.0)
            if self.silent < _TAKEOVER_SECONDS:
                return False
            with contextlib.suppress(StoreError):  # busy: it hangs inside a transaction
                await store.files.begin_term()
                if self._lease.displace():
                    logger.warning("%s It is taken over now.", self.sentence(self._holder))
            return self._lease.held
        finally:
            alone.release()
