"""The time limit of a call in a worker: processor time its processes got, and a generous wall clock for what waits.

On a busy machine a sound file may take ten times as long as on a quiet one; it must not be taken for one that hangs.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Final

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
            self._loop.run_in_executor(None, look_at_tree, self._pid).add_done_callback(self._looked)

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


def look_at_tree(pid: int) -> tuple[float, bool]:
    """Processor seconds that a process and all its descendants have got, 0 where it cannot be told (anymore); and
    whether one of them could use the processor, or waits for the disk, this very moment (False where unknown)."""
    if sys.platform == "linux":
        return _look_on_linux(pid)
    return (_macos_seconds(pid) if sys.platform == "darwin" else _windows_seconds(pid)), False


def _look_on_linux(pid: int) -> tuple[float, bool]:
    if sys.platform != "linux":
        raise AssertionError("only called on Linux")
    seen: dict[int, tuple[int, bool]] = {}
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - hundreds of them, on the event loop
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            # proc_pid_stat(5): fields 3 and 4 are state and ppid; 14 to 17 utime, stime, and those of reaped children.
            children.setdefault(int(fields[1]), []).append(int(name))
            seen[int(name)] = sum(map(int, fields[11:15])), fields[0] in (b"R", b"D")
    total, wanting = 0, False
    left = [pid]
    while left:
        one = left.pop()
        ticks, wants = seen.get(one, (0, False))
        total, wanting = total + ticks, wanting or wants
        left += children.get(one, ())
    return total / os.sysconf("SC_CLK_TCK"), wanting


def _macos_seconds(pid: int) -> float:
    import ctypes

    system = ctypes.CDLL(None)

    class Timebase(ctypes.Structure):
        """struct mach_timebase_info: how many nanoseconds a tick of the processor time has, as a fraction."""

        _fields_ = [("numer", ctypes.c_uint32), ("denom", ctypes.c_uint32)]

    timebase = Timebase()
    system.mach_timebase_info(ctypes.byref(timebase))
    total = 0
    left = [pid]
    while left:
        one = left.pop()
        usage = (ctypes.c_uint64 * 64)()  # struct rusage_info_v0: a UUID of 16 bytes, then user and system time
        if system.proc_pid_rusage(one, 0, usage) == 0:
            total += usage[2] + usage[3]
        inner = (ctypes.c_int * 256)()
        count = system.proc_listchildpids(one, inner, ctypes.sizeof(inner))
        left += inner[: max(count, 0)]
    return total * timebase.numer / max(timebase.denom, 1) / 1e9


def _windows_seconds(pid: int) -> float:
    if sys.platform != "win32":  # some other POSIX system: only the wall clock counts there
        return 0.0
    import ctypes
    from ctypes import wintypes

    kernel = ctypes.WinDLL("kernel32")
    kernel.OpenProcess.restype = wintypes.HANDLE
    kernel.GetProcessTimes.argtypes = (wintypes.HANDLE, *[ctypes.POINTER(ctypes.c_uint64)] * 4)
    kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return 0.0
    times = [ctypes.c_uint64() for _ in range(4)]  # created, ended, kernel, user; in 100 ns
    kernel.GetProcessTimes(handle, *map(ctypes.byref, times))
    kernel.CloseHandle(handle)
    return (times[2].value + times[3].value) / 1e7
