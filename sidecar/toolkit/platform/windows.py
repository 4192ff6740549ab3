"""Windows: handles, jobs, byte locks, its own folders. Empty elsewhere."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sidecar.toolkit.platform.time_limit import LOOKS, TimeTaken

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes
    from functools import partial

    if TYPE_CHECKING:
        from sidecar.toolkit.platform.protocol import OpenBeneath

    # winnt.h, winbase.h
    _SYNCHRONIZE: Final = 0x00100000
    _QUERY_LIMITED: Final = 0x1000
    _SET_QUOTA_AND_TERMINATE: Final = 0x0101  # PROCESS_SET_QUOTA | PROCESS_TERMINATE: AssignProcessToJobObject's
    _GENERIC_READ: Final = 0x80000000
    _SHARE_ALL: Final = 7  # FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE
    _OPEN_EXISTING: Final = 3
    _INVALID_HANDLE: Final = ctypes.c_void_p(-1).value
    _BELOW_NORMAL: Final = 0x4000
    _CREATE_NO_WINDOW: Final = 0x08000000
    _KILL_ON_JOB_CLOSE: Final = 0x2000
    _LONGEST_PATH: Final = 0x8000  # in UTF-16 units

    class Windows:
        """Windows 10 and later; see `System` for what each method gives."""

        has_attributes = True
        has_modes = False
        has_screen = True
        follows_home = False
        replaces_locked_files = False
        user = "user"

        def try_lock(self, descriptor: int, offset: int = 0) -> bool:
            """The byte at `offset` is locked, and cannot be read by others then."""
            os.lseek(descriptor, offset, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
            return True

        def unlock(self, descriptor: int, offset: int = 0) -> None:
            """The same byte."""
            os.lseek(descriptor, offset, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

        def set_binary(self, *descriptors: int) -> None:
            """The C library would change line ends."""
            for descriptor in descriptors:
                msvcrt.setmode(descriptor, os.O_BINARY)

        def is_ours(self, owner: int) -> bool:
            """The profile's access list sees to it."""
            return True

        def open_beneath(self) -> "OpenBeneath | None":
            """There is none."""
            return None

        def open_shared(self, path: bytes, flags: int) -> int:
            """The C library's open does not share deleting: Word could not save while its document is read here."""
            create = ctypes.WinDLL("kernel32", use_last_error=True).CreateFileW
            create.argtypes = (wintypes.LPCWSTR, *[wintypes.DWORD] * 2, ctypes.c_void_p, *[wintypes.DWORD] * 2,
                               wintypes.HANDLE)  # fmt: skip
            create.restype = wintypes.HANDLE
            handle = create(os.fsdecode(path), _GENERIC_READ, _SHARE_ALL, None, _OPEN_EXISTING, 0, None)
            if handle == _INVALID_HANDLE:
                raise ctypes.WinError(ctypes.get_last_error())
            return msvcrt.open_osfhandle(handle, flags)

        def real_path(self, path: bytes) -> bytes:
            """GetFinalPathNameByHandleW, which realpath asks."""
            return os.path.realpath(path)

        def path_of(self, descriptor: int) -> str:
            """GetFinalPathNameByHandleW, without its prefix."""
            name = ctypes.WinDLL("kernel32", use_last_error=True).GetFinalPathNameByHandleW
            name.argtypes = (wintypes.HANDLE, wintypes.LPWSTR, wintypes.DWORD, wintypes.DWORD)
            name.restype = wintypes.DWORD
            buffer = ctypes.create_unicode_buffer(_LONGEST_PATH)
            if not 0 < name(msvcrt.get_osfhandle(descriptor), buffer, _LONGEST_PATH, 0) < _LONGEST_PATH:
                raise ctypes.WinError(ctypes.get_last_error())
            path = buffer.value
            if path.startswith("\\\\?\\UNC\\"):
                path = "\\\\" + path[8:]
            return os.path.normcase(path.removeprefix("\\\\?\\"))

        def cores(self) -> int:
            """Those of the machine."""
            return os.cpu_count() or 1

        def font_folders(self) -> list[str]:
            """All users', and this user's."""
            folders = [os.environ.get("WINDIR", r"C:\Windows") + r"\Fonts"]
            local = os.environ.get("LOCALAPPDATA")
            return [*folders, rf"{local}\Microsoft\Windows\Fonts"] if local else folders

        def saving_power(self) -> bool:
            """Battery saver: the fourth byte of SYSTEM_POWER_STATUS is SystemStatusFlag."""
            status = (ctypes.c_ubyte * 12)()
            return bool(ctypes.windll.kernel32.GetSystemPowerStatus(ctypes.byref(status))) and status[3] == 1

        def lower_priority(self, nice: int) -> None:
            """The whole process."""
            kernel = ctypes.WinDLL("kernel32")
            kernel.SetPriorityClass(kernel.GetCurrentProcess(), _BELOW_NORMAL)

        def die_with_parent(self, parent: int) -> bool:
            """The end of the request pipe tells instead."""
            return True

        def limit_memory(self, limit: int) -> bool:
            """Not by the kernel."""
            return False

        def release_memory(self) -> None:
            """Its heap gives large blocks back by itself."""

        def resident_bytes(self) -> int:
            """The working set (PROCESS_MEMORY_COUNTERS)."""

            class ProcessMemoryCounters(ctypes.Structure):
                """PROCESS_MEMORY_COUNTERS."""

                _fields_ = [
                    ("cb", wintypes.DWORD), ("faults", wintypes.DWORD), ("peak", ctypes.c_size_t),
                    ("working_set", ctypes.c_size_t), ("rest", ctypes.c_size_t * 6),
                ]  # fmt: skip

            kernel = ctypes.WinDLL("kernel32")
            kernel.GetCurrentProcess.restype = wintypes.HANDLE
            kernel.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)
            counters = ProcessMemoryCounters(cb=ctypes.sizeof(ProcessMemoryCounters))
            kernel.K32GetProcessMemoryInfo(kernel.GetCurrentProcess(), ctypes.byref(counters), ctypes.sizeof(counters))
            return int(counters.working_set)

        def kill(self, process: Any) -> None:
            """TerminateProcess."""
            process.kill()

        def kill_command(self, pid: int) -> str:
            """taskkill, by force."""
            return f"taskkill /F /PID {pid}"

        def tree_usage(self, pid: int) -> tuple[float, bool]:
            """GetProcessTimes, in 100 ns: created, ended, kernel, user; of the process alone."""
            kernel = ctypes.WinDLL("kernel32")
            kernel.OpenProcess.restype = wintypes.HANDLE
            kernel.GetProcessTimes.argtypes = (wintypes.HANDLE, *[ctypes.POINTER(ctypes.c_uint64)] * 4)
            kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
            handle = kernel.OpenProcess(_QUERY_LIMITED, False, pid)
            if not handle:
                return 0.0, False
            times = [ctypes.c_uint64() for _ in range(4)]
            kernel.GetProcessTimes(handle, *map(ctypes.byref, times))
            kernel.CloseHandle(handle)
            return (times[2].value + times[3].value) / 1e7, False

        def programs_seconds(self) -> float:
            """Nothing tells: by the wall."""
            return time.monotonic()

        def confine(self, writable: Sequence[str], sockets: Sequence[str]) -> str:
            """Nothing yet."""
            return ""

        def isolate(self, readable: Sequence[str]) -> str:
            """Nothing either."""
            return ""

        def own_group(self) -> dict[str, Any]:
            """No window; `bound` puts it into a job."""
            return {"creationflags": _CREATE_NO_WINDOW}

        def bound(self, pid: int, nice: int) -> Callable[[], None]:
            """A job that ends the program with its descendants when it is closed, or we are gone."""
            kernel, job = _job()
            kernel.OpenProcess.restype = wintypes.HANDLE
            handle = kernel.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid)
            kernel.AssignProcessToJobObject(job, handle)
            kernel.CloseHandle(handle)
            return partial(kernel.CloseHandle, job)

        def end_group(self, pid: int, *, force: bool) -> bool:
            """A job ends with its handle instead."""
            return False

        def run(
            self,
            command: Sequence[str],
            seconds: float,
            cwd: str,
            env: Mapping[str, str] | None,
            output: int,
            readable: Sequence[str] = (),
        ) -> int | None:
            """In a job with kill-on-close, which the system closes with us."""
            import subprocess

            kernel, job = _job()
            try:
                process = subprocess.Popen(
                    list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=cwd, env=env,
                    creationflags=subprocess.CREATE_NO_WINDOW,
                )  # fmt: skip
                kernel.AssignProcessToJobObject(job, int(vars(process)["_handle"]))  # Popen has no public name for it
                taken = TimeTaken(seconds, time.monotonic())
                while True:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        return process.wait(seconds / LOOKS)
                    if taken.look(time.monotonic(), *self.tree_usage(process.pid)):
                        process.kill()
                        return None
            finally:
                kernel.CloseHandle(job)

        def parent_descriptor(self, parent: int) -> int | None:
            """No loop watches handles of processes."""
            return None

        def parent_probe(self, parent: int) -> Callable[[], bool]:
            """Windows keeps the parent's number after its death, so a handle on the process is asked instead."""
            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.OpenProcess.restype = ctypes.c_void_p
            kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
            handle = kernel.OpenProcess(_SYNCHRONIZE, False, parent)
            if not handle:
                return lambda: True  # not allowed to look: end of input must do
            return lambda: kernel.WaitForSingleObject(handle, 0) != 0

        def room_probe(self, descriptor: int) -> Callable[[], bool]:
            """There is no poll(2)."""
            return lambda: False

        def is_hung_up(self, descriptor: int) -> bool:
            """There is no poll(2)."""
            return False

    def _job() -> tuple[Any, Any]:
        """`kernel32` and a new job that ends every process in it when its last handle is closed."""

        class ExtendedLimits(ctypes.Structure):
            """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; only LimitFlags is set."""

            _fields_ = [
                ("times", ctypes.c_int64 * 2), ("flags", wintypes.DWORD), ("sets", ctypes.c_size_t * 2),
                ("active", wintypes.DWORD), ("affinity", ctypes.c_size_t), ("classes", wintypes.DWORD * 2),
                ("io", ctypes.c_uint64 * 6), ("memory", ctypes.c_size_t * 4),
            ]  # fmt: skip

        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
        kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        job = kernel.CreateJobObjectW(None, None)
        limits = ExtendedLimits(flags=_KILL_ON_JOB_CLOSE)
        kernel.SetInformationJobObject(job, 9, ctypes.byref(limits), ctypes.sizeof(limits))
        return kernel, job
