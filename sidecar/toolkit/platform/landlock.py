"""What a worker gives up before its first task: the network, and writing anywhere but where it is told it may; one that
needs no file at all gives up reading them, too, and starting programs. What a program that it starts may read.

Linux's: landlock(7) for files and TCP, and a seccomp(2) filter for every socket but local ones, as far as the kernel
has them. What a process started holds for all it starts. A hostile file that takes a parser over
can still read what the user can, and talk to the user's own programs over local sockets."""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

# landlock_create_ruleset(2) and its neighbours have these numbers on every architecture; constants of linux/landlock.h.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION: Final = 1
_RULE_PATH_BENEATH: Final = 1
_WRITE_FILE: Final = 1 << 1
_CHANGE_DIRECTORY: Final = sum(1 << bit for bit in range(4, 13))  # REMOVE_DIR to MAKE_SYM
_SOCKET_ENTRIES: Final = 1 << 5 | 1 << 9  # REMOVE_FILE, MAKE_SOCK
_SINCE: Final = ((2, 1 << 13), (3, 1 << 14))  # REFER and TRUNCATE, and the version of the interface each came with
_TRUNCATE: Final = 1 << 14
_TCP: Final = 0b11  # LANDLOCK_ACCESS_NET_BIND_TCP and CONNECT_TCP, version 4
_SCOPES: Final = 0b11  # abstract local sockets, signals: version 6

_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 22, 38, 2
_ARCHITECTURES: Final = {"x86_64": (0xC000003E, 41, 21, 24), "aarch64": (0xC00000B7, 198, 48, 32)}
"""Machine → AUDIT_ARCH_* of linux/audit.h, the numbers of socket(2) and of what the C library calls for access(2), and
where in seccomp_data that has its mode."""
_UNWANTED: Final = {"x86_64": (41, 53, 59, 101, 310, 311, 322), "aarch64": (117, 198, 199, 221, 270, 271, 281)}
"""The numbers of socket, socketpair, execve, execveat, ptrace, process_vm_readv and process_vm_writev(2)."""
_EXECUTE, _READ_FILE, _READ_DIRECTORY = 1 << 0, 1 << 2, 1 << 3
_IO_URING_SETUP: Final = 425  # its requests would pass the filter by
_X32: Final = 0x40000000  # system calls of the x32 ABI
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JGE|K, BPF_RET|K
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_AF_UNIX, _W_OK = 1, 2


def confine(writable: Iterable[str], sockets: Iterable[str]) -> str:
    """Give up the network, and writing outside of the directories `writable`; gives what is in force now, "" for
    nothing. In the directories `sockets` local sockets may still be made, and entries removed.

    Without `sockets`, access(2) denies that one may write: where it does not, LibreOffice, which knows nothing of
    landlock, makes its socket in /tmp. To be called on the main thread before any other is started."""
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return ""
    sockets = tuple(sockets)
    filtered = _filter_sockets(system, may_ask=bool(sockets))
    version = _restrict_files(system, writable, sockets if filtered else ("/tmp",))  # noqa: S108
    means = [f"landlock {version}"] * bool(version) + ["seccomp"] * filtered
    promises = ["no network"] * filtered + ["no writing outside their own directories"] * bool(version)
    return f"{', '.join(promises)} ({', '.join(means)})" if means else ""


def isolate(readable: Iterable[str]) -> str:
    """Give up, besides, reading files outside of the directories `readable`, starting programs, and sockets of every
    kind; gives what is in force now, "" for nothing. To be called after `confine`, where that is said to be."""
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return ""
    version = _restrict_reading(system, readable, _EXECUTE | _READ_FILE | _READ_DIRECTORY)
    filtered = _filter_calls(system)
    promises = ["no files"] * bool(version) + ["no programs"] * filtered
    return ", ".join(promises)


def restrict_reading(readable: Iterable[str]) -> bool:
    """Give up, for this thread and what it starts from now on, reading files outside of the directories `readable`;
    whether that is in force. What other directories list may still be asked: LibreOffice gives up without."""
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    return _restrict_reading(system, readable, _READ_FILE)


def _restrict_reading(system: Any, readable: Iterable[str], rights: int) -> bool:
    if system.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION) < 1:
        return False
    ruleset = system.syscall(_CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    if ruleset < 0:
        return False
    try:
        for place in readable:
            _permit(system, ruleset, place, rights & (_READ_FILE | _READ_DIRECTORY))
        return system.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _filter_calls(system: Any) -> bool:
    """Whether the system calls of `_UNWANTED` are refused from now on."""
    machine = platform.machine()
    if sys.maxsize < 2**32 or machine not in _UNWANTED:
        return False
    unwanted = _UNWANTED[machine]
    refuse = _ERRNO | errno.EPERM
    # Each comparison that holds jumps over those after it and over the permission.
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, _ARCHITECTURES[machine][0]), (_RETURN, 0, 0, refuse), (_LOAD, 0, 0, 0)]
    program += [(_EQUAL, len(unwanted) - at, 0, number) for at, number in enumerate(unwanted)]
    program += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, refuse)]
    return _install(system, program)


def _restrict_files(system: Any, writable: Iterable[str], sockets: Iterable[str]) -> int:
    """The version of landlock that is in force, 0 for none."""
    version = system.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < 1:
        return 0
    rights = _WRITE_FILE | _CHANGE_DIRECTORY | sum(right for since, right in _SINCE if version >= since)
    attributes = struct.pack("=QQQ", rights, _TCP, _SCOPES)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = system.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return 0
    try:
        _permit(system, ruleset, os.devnull, rights & (_WRITE_FILE | _TRUNCATE))
        for place in writable:
            _permit(system, ruleset, place, rights)
        for place in sockets:
            _permit(system, ruleset, place, _SOCKET_ENTRIES)
        return version if system.syscall(_RESTRICT_SELF, ruleset, 0) == 0 else 0
    finally:
        os.close(ruleset)


def _permit(system: Any, ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, getattr(os, "O_PATH", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:  # what is not there cannot be written to either
        return
    rule = struct.pack("=Qi", rights, place)
    system.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    os.close(place)


def _filter_sockets(system: Any, *, may_ask: bool) -> bool:
    """Whether sockets other than local ones are refused from now on; so is access(2) for writing, unless `may_ask`."""
    machine = platform.machine()
    if sys.maxsize < 2**32 or machine not in _ARCHITECTURES:
        return False
    architecture, socket, access, mode = _ARCHITECTURES[machine]
    refuse, deny = _ERRNO | errno.EPERM, _ERRNO | errno.EACCES
    # seccomp_data: number at 0, architecture at 4, the low half of the first argument at 16. Jumps count from the next.
    program = (
        (_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, 0), (_AT_LEAST, 9, 0, _X32), (_EQUAL, 8, 0, _IO_URING_SETUP),
        (_EQUAL, 1, 0, access), (_EQUAL, 2, 4, socket),
        (_LOAD, 0, 0, mode), (_EQUAL, 2 if may_ask else 3, 2, _W_OK),
        (_LOAD, 0, 0, 16), (_EQUAL, 0, 1, _AF_UNIX),
        (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, deny), (_RETURN, 0, 0, refuse),
    )  # fmt: skip
    return _install(system, program)


def _install(system: Any, program: Sequence[tuple[int, int, int, int]]) -> bool:
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in program))
    filter_program = struct.pack("@HP", len(program), ctypes.addressof(code))
    return system.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, filter_program, 0, 0) == 0
