"""What is asked of a system, whichever it is. Which one this is, the package says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

OpenBeneath = Callable[[int, bytes, int], int]
"""Opens a path below the directory of a descriptor, with flags of open(2), following no link; raises OSError."""


class System(Protocol):
    """What is asked of a system."""

    @property
    def has_attributes(self) -> bool:
        """Whether a file's status may say that it is hidden, or that its content is in a cloud."""
        ...

    @property
    def has_modes(self) -> bool:
        """Whether permissions are those of POSIX; elsewhere access lists of the user's profile keep others out."""
        ...

    @property
    def has_screen(self) -> bool:
        """Whether a program may open a window."""
        ...

    @property
    def replaces_locked_files(self) -> bool:
        """Whether another file may take the name of one that is locked."""
        ...

    @property
    def follows_home(self) -> bool:
        """Whether programs keep to the HOME that the environment gives them."""
        ...

    # Files

    def try_lock(self, descriptor: int, offset: int = 0) -> bool:
        """Whether the file is now locked for this descriptor alone; at `offset` where single bytes are locked."""
        ...

    def unlock(self, descriptor: int, offset: int = 0) -> None:
        """Undo `try_lock`."""
        ...

    def set_binary(self, *descriptors: int) -> None:
        """Have line ends pass through as they are."""
        ...

    def is_ours(self, owner: int) -> bool:
        """Whether a file of that owner (`st_uid`) is this user's."""
        ...

    @property
    def user(self) -> str:
        """What sets this user's files in shared directories apart from others'; fit for a file name."""
        ...

    def open_beneath(self) -> OpenBeneath | None:
        """The kernel's own call for it; None where there is none, or what guards us forbids it."""
        ...

    def open_shared(self, path: bytes, flags: int) -> int:
        """open(2), in the way that lets others rename, replace and remove the file meanwhile. Raises OSError."""
        ...

    def real_path(self, path: bytes) -> bytes:
        """The path without links; spelled as directories list it where upper and lower case are one to the system."""
        ...

    def path_of(self, descriptor: int) -> str:
        """Where the file that is open really lies, in normal case. Raises OSError, also where that cannot be asked."""
        ...

    # The machine

    def cores(self) -> int:
        """Cores this process may run on: containers and `taskset` allow fewer than the machine has."""
        ...

    def font_folders(self) -> list[str]:
        """Where fonts are installed, for all users and for this one."""
        ...

    def saving_power(self) -> bool:
        """Whether the machine is set to save power; False where nothing tells."""
        ...

    # Processes

    def lower_priority(self, nice: int) -> None:
        """Let other programs go first: by how much where there is `nice`(2), of the calling thread and its children."""
        ...

    def die_with_parent(self, parent: int) -> bool:
        """Have the kernel kill this process when the thread that started it ends, where it can; False when `parent` has
        ended already."""
        ...

    def limit_memory(self, limit: int) -> bool:
        """Refuse this process more than `limit` bytes of private memory, 0 leaving it unbounded; False where the kernel
        does not."""
        ...

    def resident_bytes(self) -> int:
        """Resident memory of this process, now or at its highest; 0 where it cannot be told."""
        ...

    def release_memory(self) -> None:
        """Give the system back what was freed, where an allocator keeps it: for after rare things that need much."""
        ...

    def kill(self, process: Any) -> None:
        """End a process of asyncio or subprocess now. Raises ProcessLookupError."""
        ...

    def kill_command(self, pid: int) -> str:
        """What a person types to end a process, a stopped one too."""
        ...

    def tree_usage(self, pid: int) -> tuple[float, bool]:
        """Processor seconds that a process and all its descendants have got, 0 where it cannot be told (anymore); and
        whether one of them could use the processor, or waits for the disk, this very moment (False where unknown)."""
        ...

    def programs_seconds(self) -> float:
        """A clock: the processor time of programs that ended, or where that cannot be told, the wall's."""
        ...

    def confine(self, writable: Sequence[str], sockets: Sequence[str]) -> str:
        """Give up the network, and writing outside of `writable`; gives what is in force, "" for nothing."""
        ...

    def isolate(self, readable: Sequence[str]) -> str:
        """Give up, besides, reading files outside of `readable`, starting programs and sockets of every kind; gives
        what is in force, "" for nothing."""
        ...

    def own_group(self) -> dict[str, Any]:
        """Options of `subprocess.Popen` with which what a program starts ends with it, and the program with us."""
        ...

    def bound(self, pid: int, nice: int) -> Callable[[], None]:
        """Lower the priority of a program started in its own group, and have what it starts end with us at the latest;
        gives what lets go of it."""
        ...

    def end_group(self, pid: int, *, force: bool) -> bool:
        """Ask what was started in the group of `pid`, or with `force` have it, to end; False where nobody is left in
        it, or groups cannot be asked."""
        ...

    def run(
        self,
        command: Sequence[str],
        seconds: float,
        cwd: str,
        env: Mapping[str, str] | None,
        output: int,
        readable: Sequence[str] = (),
    ) -> int | None:
        """The return code of a program; None when it took longer (see `time_limit`) and was killed with all it started.
        With `readable` it reads only what lies in these directories, where the system has the means. Raises OSError."""
        ...

    def parent_descriptor(self, parent: int) -> int | None:
        """A descriptor that becomes readable when the parent process is gone; None where there is no such thing."""
        ...

    def parent_probe(self, parent: int) -> Callable[[], bool]:
        """What tells whether the parent process still lives; always, where there is none to outlive."""
        ...

    # Pipes

    def room_probe(self, descriptor: int) -> Callable[[], bool]:
        """What tells whether a short message can be written to a pipe at once; never, where there is no poll(2)."""
        ...

    def is_hung_up(self, descriptor: int) -> bool:
        """Whether nobody can write to a pipe any more, which may hold something still; False without poll(2)."""
        ...
