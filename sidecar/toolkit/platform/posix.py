"""What POSIX systems have in common: locks, owners, groups of processes, pipes. Empty on Windows."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sidecar.toolkit.platform.time_limit import LOOKS, TimeTaken

if sys.platform != "win32":
    import fcntl
    import select
    import signal

    if TYPE_CHECKING:
        from sidecar.toolkit.platform.protocol import OpenBeneath

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

    class Posix:
        """Any POSIX system; see `System` for what each method gives."""

        has_attributes = False
        has_modes = True
        follows_home = True
        replaces_locked_files = True

        @property
        def has_screen(self) -> bool:
            """X11 and Wayland say so in the environment."""
            return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

        def try_lock(self, descriptor: int, offset: int = 0) -> bool:
            """flock, not lockf: a POSIX record lock is lost when any descriptor of the file closes in this process."""
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        def unlock(self, descriptor: int, offset: int = 0) -> None:
            """flock(2)."""
            fcntl.flock(descriptor, fcntl.LOCK_UN)

        def set_binary(self, *descriptors: int) -> None:
            """They always are."""

        def is_ours(self, owner: int) -> bool:
            """By user id."""
            return owner == os.getuid()

        @property
        def user(self) -> str:
            """The user id."""
            return str(os.getuid())

        def open_beneath(self) -> "OpenBeneath | None":
            """There is none."""
            return None

        def open_shared(self, path: bytes, flags: int) -> int:
            """Every open file can be renamed and removed."""
            return os.open(path, flags)

        def real_path(self, path: bytes) -> bytes:
            """realpath(3)."""
            return os.path.realpath(path)

        def path_of(self, descriptor: int) -> str:
            """Directories are opened one below the other instead."""
            raise OSError("the path of an open file is not available here")

        def cores(self) -> int:
            """Those of the machine."""
            return os.cpu_count() or 1

        def font_folders(self) -> list[str]:
            """As the XDG base directories and fontconfig have them."""
            home = os.path.expanduser("~")  # noqa: PTH111 - pathlib is not loaded in a fresh worker
            return ["/usr/share/fonts", "/usr/local/share/fonts", f"{home}/.local/share/fonts", f"{home}/.fonts"]

        def saving_power(self) -> bool:
            """Nothing tells."""
            return False

        def lower_priority(self, nice: int) -> None:
            """nice(2)."""
            os.nice(nice)

        def die_with_parent(self, parent: int) -> bool:
            """The end of the request pipe tells instead."""
            return True

        def limit_memory(self, limit: int) -> bool:
            """Not every kernel counts private memory."""
            return False

        def resident_bytes(self) -> int:
            """At its highest; in KiB there (getrusage(2))."""
            import resource

            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

        def release_memory(self) -> None:
            """Nothing is known to keep much."""

        def kill(self, process: Any) -> None:
            """Not Process.kill: that polls, and a poll reaps a process which the event loop waits for as well. The loop
            then finds no child, warns of it, and takes its exit code for 255."""
            os.kill(process.pid, signal.SIGKILL)

        def kill_command(self, pid: int) -> str:
            """A stopped process gets no other signal before it goes on."""
            return f"kill -CONT {pid}; kill {pid}"

        def tree_usage(self, pid: int) -> tuple[float, bool]:
            """Only the wall clock counts."""
            return 0.0, False

        def programs_seconds(self) -> float:
            """Those of children that were waited for, and of theirs (times(2))."""
            spent = os.times()
            return spent.children_user + spent.children_system

        def confine(self, writable: Sequence[str], sockets: Sequence[str]) -> str:
            """There is no means that every such system has."""
            return ""

        def isolate(self, readable: Sequence[str]) -> str:
            """Nothing either."""
            return ""

        def own_group(self) -> dict[str, Any]:
            """A session of its own."""
            return {"start_new_session": True}

        def bound(self, pid: int, nice: int) -> Callable[[], None]:
            """setpriority(2); the group is ended by `end_group`."""
            with contextlib.suppress(OSError):  # it has ended already
                os.setpriority(os.PRIO_PROCESS, pid, nice)
            return lambda: None

        def end_group(self, pid: int, *, force: bool) -> bool:
            """The group may outlive the process that led it."""
            try:
                os.killpg(pid, signal.SIGKILL if force else signal.SIGTERM)
            except (ProcessLookupError, PermissionError):
                return False
            return True

        def run(
            self,
            command: Sequence[str],
            seconds: float,
            cwd: str,
            env: Mapping[str, str] | None,
            output: int,
            readable: Sequence[str] = (),
        ) -> int | None:
            """A session under a shell that kills the whole process group once the pipe we hold closes, which happens
            even when we are killed."""
            import subprocess

            process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "sh", *command], stdin=subprocess.PIPE, stdout=output,
                stderr=subprocess.STDOUT, cwd=cwd, env=env, start_new_session=True,
            )  # fmt: skip
            taken = TimeTaken(seconds, time.monotonic())
            try:
                while True:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        return process.wait(seconds / LOOKS)
                    if taken.look(time.monotonic(), *self.tree_usage(process.pid)):
                        return None
            finally:
                self.end_group(process.pid, force=True)  # after a normal end too: a launcher may leave a daemon behind
                process.wait()
                if process.stdin is not None:
                    process.stdin.close()

        def parent_descriptor(self, parent: int) -> int | None:
            """There is none."""
            return None

        def parent_probe(self, parent: int) -> Callable[[], bool]:
            """Orphans get another parent; those started by init (a container) have none to outlive."""
            if parent <= 1:
                return lambda: True
            return lambda: os.getppid() == parent

        def room_probe(self, descriptor: int) -> Callable[[], bool]:
            """poll(2)."""
            poll = select.poll()
            poll.register(descriptor, select.POLLOUT)

            def has_room() -> bool:
                found = poll.poll(0)
                return bool(found) and bool(found[0][1] & select.POLLOUT)

            return has_room

        def is_hung_up(self, descriptor: int) -> bool:
            """poll(2)."""
            closed = select.POLLHUP | getattr(select, "POLLRDHUP", 0)
            poll = select.poll()
            poll.register(descriptor, closed)
            return any(found & closed for _, found in poll.poll(0))
