"""Linux: openat2, /proc, prctl, pidfd, landlock. Empty elsewhere."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

_POWER_PROFILE: Final = "/sys/firmware/acpi/platform_profile"
_SYSTEM_PLACES: Final = (
    "/app", "/bin", "/dev", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/proc", "/run", "/sbin",
    "/snap", "/sys", "/usr", "/var/cache", "/var/lib",
)  # fmt: skip
"""Where programs and what they need lie (hier(7); Flatpak, Guix, Nix, Snap), and no user's documents."""


def is_low_power(profile: str = _POWER_PROFILE) -> bool:
    """Whether the file of the power profile says that power is to be saved."""
    try:
        with open(profile) as file:  # noqa: PTH123 - pathlib is not loaded in a fresh worker
            return file.read().strip() == "low-power"
    except OSError:
        return False


if sys.platform == "linux":
    import signal
    from functools import cache, partial

    from sidecar.toolkit.platform.posix import Posix

    if TYPE_CHECKING:
        from sidecar.toolkit.platform.protocol import OpenBeneath

    _PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
    # linux/openat2.h; the system call has this number on every architecture but alpha.
    _OPENAT2: Final = 437
    _RESOLVE_NO_MAGICLINKS, _RESOLVE_NO_SYMLINKS, _RESOLVE_BENEATH = 0x02, 0x04, 0x08

    class Linux(Posix):
        """Linux 4.7 and later; see `System` for what each method gives."""

        _statm = -1
        """Open from the first question on, so that a process still knows once it may read no file."""

        def open_beneath(self) -> "OpenBeneath | None":
            """openat2(2), without links; since Linux 5.6."""
            return _openat2()

        def cores(self) -> int:
            """Those of the affinity mask."""
            return len(os.sched_getaffinity(0)) or 1

        def saving_power(self) -> bool:
            """The low-power profile."""
            return is_low_power()

        def die_with_parent(self, parent: int) -> bool:
            """prctl(2)."""
            import ctypes

            ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            return os.getppid() == parent

        def limit_memory(self, limit: int) -> bool:
            """RLIMIT_DATA counts private writable memory but not mapped files, so a large document may be mapped whole
            (getrlimit(2)). A lower limit that is there stays."""
            import resource

            if not limit:
                return True
            soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
            ceiling = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            if soft == resource.RLIM_INFINITY or soft > ceiling:
                resource.setrlimit(resource.RLIMIT_DATA, (ceiling, ceiling))
            return True

        def resident_bytes(self) -> int:
            """Now (proc_pid_statm(5)). Without /proc at its highest, which begins with that of who started the process
            (getrusage(2))."""
            try:
                if self._statm < 0:
                    self._statm = os.open("/proc/self/statm", os.O_RDONLY)
                return int(os.pread(self._statm, 256, 0).split()[1]) * os.sysconf("SC_PAGE_SIZE")
            except OSError:
                return super().resident_bytes()

        def release_memory(self) -> None:
            """malloc_trim(3), of the GNU C library, which keeps all that was freed below a block in use."""
            import ctypes

            trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
            if trim is not None:
                trim(0)

        def tree_usage(self, pid: int) -> tuple[float, bool]:
            """proc_pid_stat(5): fields 3 and 4 are state and ppid; 14 to 17 utime, stime, and those of reaped
            children. Not every kernel lists a process's children, so all processes are looked at."""
            seen: dict[int, tuple[int, bool]] = {}
            children: dict[int, list[int]] = {}
            for name in os.listdir("/proc"):  # noqa: PTH208 - hundreds of them
                if name.isdecimal():
                    try:
                        with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                            fields = file.read().rpartition(b")")[2].split()
                    except OSError:
                        continue
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

        def confine(self, writable: Sequence[str], sockets: Sequence[str]) -> str:
            """landlock(7) and seccomp(2)."""
            from sidecar.toolkit.platform.landlock import confine

            return confine(writable, sockets)

        def isolate(self, readable: Sequence[str]) -> str:
            """landlock(7) and seccomp(2)."""
            from sidecar.toolkit.platform.landlock import isolate

            return isolate(readable)

        def run(
            self,
            command: Sequence[str],
            seconds: float,
            cwd: str,
            env: Mapping[str, str] | None,
            output: int,
            readable: Sequence[str] = (),
        ) -> int | None:
            """As on every POSIX system; `readable` by landlock(7), which holds for the thread that asks for it and what
            that starts: this process reads on."""
            if not readable:
                return super().run(command, seconds, cwd, env, output)
            from concurrent.futures import ThreadPoolExecutor

            from sidecar.toolkit.platform.landlock import restrict_reading

            base = super().run

            def run() -> int | None:
                restrict_reading([*_SYSTEM_PLACES, *readable])
                return base(command, seconds, cwd, env, output)

            with ThreadPoolExecutor(1) as thread:
                return thread.submit(run).result()

        def own_group(self) -> dict[str, Any]:
            """Has the kernel kill the program when we are gone, besides. Everything is looked up beforehand and called
            without letting go of the GIL (PyDLL), since little is safe between fork and exec."""
            import ctypes

            bound = partial(ctypes.PyDLL(None).prctl, _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            return {**super().own_group(), "preexec_fn": bound}

        def parent_descriptor(self, parent: int) -> int | None:
            """A pidfd: not a single wake-up until then. Not PR_SET_PDEATHSIG: that fires when the *thread* that started
            us ends, which in some clients is at once."""
            if parent <= 1:
                return None
            try:
                descriptor = os.pidfd_open(parent)
            except (OSError, AttributeError):  # an older kernel, or a sandbox that forbids it
                return None
            if os.getppid() != parent:  # it died in between, and the number may be someone else's by now
                os.close(descriptor)
                return None
            return descriptor

    @cache
    def _openat2() -> "OpenBeneath | None":
        import ctypes

        class OpenHow(ctypes.Structure):
            """struct open_how."""

            _fields_ = [("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64)]

        call = ctypes.CDLL(None, use_errno=True).syscall
        call.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(OpenHow), ctypes.c_size_t)
        call.restype = ctypes.c_long
        resolve = _RESOLVE_BENEATH | _RESOLVE_NO_SYMLINKS | _RESOLVE_NO_MAGICLINKS

        size = ctypes.sizeof(OpenHow)

        @cache
        def how_to(flags: int) -> object:
            return ctypes.byref(OpenHow(flags, 0, resolve))

        def open_beneath(top: int, path: bytes, flags: int) -> int:
            descriptor = call(_OPENAT2, top, path, how_to(flags), size)
            if descriptor < 0:
                code = ctypes.get_errno()
                raise OSError(code, os.strerror(code), os.fsdecode(path))
            return int(descriptor)

        step = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
        top = os.open(b"/", step)
        try:
            os.close(open_beneath(top, b".", step))
        except OSError:
            return None
        finally:
            os.close(top)
        return open_beneath
