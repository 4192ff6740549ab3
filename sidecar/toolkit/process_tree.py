"""Run one external program so that it, and everything it starts, is gone when its time is up or when we die.

Not responsible for which program, nor for one running at a time. POSIX: a session of its own under a shell that
kills the whole process group once the pipe we hold closes, which happens even when we are killed. Windows: a job
object with kill-on-close, which the system closes with us.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

# fd 3 is our pipe: end of file there means we are gone. `kill -KILL 0` reaches the whole group, the shell included.
_GUARD = """
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ read _ <&3; kill -KILL 0; } &
guard=$!
wait $child
code=$?
kill -KILL $guard 2>/dev/null
exit $code
"""


def run_tree(
    command: Sequence[str], *, seconds: float, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes] | None:
    """Run to the end and give its return code and output (standard error joined in, the last 64 KiB); None when it
    was still running after `seconds` and was killed with all its children. Raises OSError when it cannot start."""
    log = cwd / "output.log"
    with log.open("wb") as output:
        if sys.platform == "win32":
            code = _run_windows(command, seconds, cwd, env, output.fileno())
        else:
            code = _run_posix(command, seconds, cwd, env, output.fileno())
    if code is None:
        return None
    return subprocess.CompletedProcess(list(command), code, log.read_bytes()[-65536:])


def _run_posix(
    command: Sequence[str], seconds: float, cwd: Path, env: Mapping[str, str] | None, output: int
) -> int | None:
    if sys.platform == "win32":
        raise AssertionError("only called elsewhere")
    process = subprocess.Popen(
        ["/bin/sh", "-c", _GUARD, "sh", *command],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=env,
        start_new_session=True,
    )
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        # Also after a normal end: a launcher may leave a daemon behind in its group.
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the group is empty already
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


def _run_windows(
    command: Sequence[str], seconds: float, cwd: Path, env: Mapping[str, str] | None, output: int
) -> int | None:
    if sys.platform != "win32":
        raise AssertionError("only called on Windows")
    kernel, job = windows_job()
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
            creationflags=subprocess.CREATE_NO_WINDOW,
        )
        kernel.AssignProcessToJobObject(job, int(vars(process)["_handle"]))  # Popen has no public name for it
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return None
    finally:
        kernel.CloseHandle(job)


def windows_job() -> tuple[Any, Any]:
    """`kernel32` and a new Windows job that ends every process in it when its last handle is closed."""
    if sys.platform != "win32":
        raise AssertionError("only called on Windows")
    import ctypes
    from ctypes import wintypes

    class ExtendedLimits(ctypes.Structure):
        """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; only LimitFlags is set."""

        _fields_ = [
            ("times", ctypes.c_int64 * 2),
            ("flags", wintypes.DWORD),
            ("sets", ctypes.c_size_t * 2),
            ("active", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("classes", wintypes.DWORD * 2),
            ("io", ctypes.c_uint64 * 6),
            ("memory", ctypes.c_size_t * 4),
        ]

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = wintypes.HANDLE
    kernel.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
    kernel.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
    kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
    job = kernel.CreateJobObjectW(None, None)
    limits = ExtendedLimits(flags=0x2000)  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
    kernel.SetInformationJobObject(job, 9, ctypes.byref(limits), ctypes.sizeof(limits))
    return kernel, job
