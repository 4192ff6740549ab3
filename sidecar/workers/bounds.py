"""What keeps a worker process within its bounds, set from inside it: memory, priority, and death with its parent.

Linux: RLIMIT_DATA and PR_SET_PDEATHSIG. Elsewhere the kernel enforces neither, so a thread looks at the process's
size while it works, and the end of the request pipe (see `main`) tells that the parent is gone.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from sidecar.workers import frames

PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LOOK_SECONDS = 0.2


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends (prctl(2)); exit if it has already."""
    if sys.platform != "linux":
        return
    import ctypes
    import signal

    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(frames.EXIT_ORPHANED)


def limit_memory(limit: int) -> None:
    """Refuse this process more than `limit` bytes of private memory; 0 leaves it unbounded.

    RLIMIT_DATA counts private writable memory but not mapped files, so a large document may be mapped whole
    (getrlimit(2), Linux 4.7 and later).
    """
    if not limit:
        return
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    else:
        threading.Thread(target=_watch_size, args=(limit,), daemon=True).start()


def lower_priority(nice: int = 5) -> None:
    """Let the serving process and the user's programs go first; by how much is told where there is `nice`(2), of the
    calling thread and those it starts."""
    if sys.platform != "win32":
        os.nice(nice)
    else:
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), 0x4000)  # BELOW_NORMAL_PRIORITY_CLASS


def resident_bytes() -> int:
    """Resident memory now (Linux, Windows) or at its highest (macOS); 0 where it cannot be told."""
    if sys.platform == "linux":
        with open("/proc/self/statm", "rb") as statm:  # noqa: PTH123 - pathlib is not loaded in a fresh worker
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return _windows_working_set()
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _windows_working_set() -> int:
    if sys.platform != "win32":
        raise AssertionError("only called on Windows")
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS."""

        _fields_ = [
            ("cb", wintypes.DWORD),
            ("faults", wintypes.DWORD),
            ("peak", ctypes.c_size_t),
            ("working_set", ctypes.c_size_t),
            ("rest", ctypes.c_size_t * 6),
        ]

    kernel = ctypes.WinDLL("kernel32")
    kernel.GetCurrentProcess.restype = wintypes.HANDLE
    kernel.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)
    counters = Counters(cb=ctypes.sizeof(Counters))
    kernel.K32GetProcessMemoryInfo(kernel.GetCurrentProcess(), ctypes.byref(counters), ctypes.sizeof(counters))
    return int(counters.working_set)


def _watch_size(limit: int) -> None:
    while True:
        if resident_bytes() > limit:
            os._exit(frames.EXIT_MEMORY)
        time.sleep(_LOOK_SECONDS)
