"""How much memory a worker process may use, set from inside it. What else bounds it is the system's."""

import os
import threading
import time

from sidecar.toolkit.platform import system
from sidecar.workers import frames

_CHECK_SECONDS = 0.2


def limit_memory(limit: int) -> None:
    """Refuse this process more than `limit` bytes of private memory; 0 leaves it unbounded. Where the kernel does not,
    a thread looks at the process's size while it works, and ends it."""
    if limit and not system.limit_memory(limit):
        threading.Thread(target=_watch_size, args=(limit,), daemon=True).start()


def _watch_size(limit: int) -> None:
    while True:
        if system.resident_bytes() > limit:
            os._exit(frames.EXIT_MEMORY)
        time.sleep(_CHECK_SECONDS)
