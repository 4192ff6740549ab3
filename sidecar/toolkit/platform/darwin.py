"""macOS: attributes of files, libproc, its own folders. Empty elsewhere."""

import os
import sys


def is_low_power(shown: str) -> bool:
    """Whether what `pmset -g` shows says low power mode."""
    return any(line.split() == ["lowpowermode", "1"] for line in shown.splitlines())


if sys.platform == "darwin":
    import fcntl

    from sidecar.toolkit.platform.posix import Posix

    _PATH_BYTES = 1024  # MAXPATHLEN

    class Darwin(Posix):
        """macOS; see `System` for what each method gives."""

        has_attributes = True
        follows_home = False

        @property
        def has_screen(self) -> bool:
            """Always."""
            return True

        def real_path(self, path: bytes) -> bytes:
            """F_GETPATH of fcntl(2), since realpath leaves upper and lower case as they were typed."""
            real = os.path.realpath(path)
            try:
                descriptor = os.open(real, os.O_EVTONLY)
            except OSError:
                return real
            try:
                return fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(_PATH_BYTES)).rstrip(b"\0") or real
            except OSError:
                return real
            finally:
                os.close(descriptor)

        def font_folders(self) -> list[str]:
            """The system's, all users', this user's."""
            home = os.path.expanduser("~")  # noqa: PTH111
            return ["/System/Library/Fonts", "/Library/Fonts", f"{home}/Library/Fonts"]

        def saving_power(self) -> bool:
            """Low power mode (pmset(1))."""
            import subprocess

            try:
                shown = subprocess.run(["pmset", "-g"], capture_output=True, text=True, timeout=5, check=False).stdout
            except (OSError, subprocess.SubprocessError):
                return False
            return is_low_power(shown)

        def resident_bytes(self) -> int:
            """At its highest; in bytes here (getrusage(2))."""
            import resource

            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def tree_usage(self, pid: int) -> tuple[float, bool]:
            """libproc.h."""
            import ctypes

            system = ctypes.CDLL(None)

            class Timebase(ctypes.Structure):
                """struct mach_timebase_info: the nanoseconds of a tick of the processor time, as a fraction."""

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
            return total * timebase.numer / max(timebase.denom, 1) / 1e9, False
