"""The indexer lease: an operating-system lock on `indexer.lock`, so that of several sidecars on one data directory
exactly one indexes. The system drops the lock with its process, however that ends; from a holder that hangs it can be
taken, where the system lets a locked file be replaced. What such a holder may still write, `terms` says."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from sidecar.api import StoreError
from sidecar.toolkit.platform import system

_LOCKED_BYTE = 1 << 30
"""Windows locks bytes, and a locked byte cannot be read: lock one far behind the holder's number."""


class DisplacedError(StoreError):
    """This process indexes no more: another has taken the lease, or the data directory is another one."""


class FileLock:
    """An exclusive lock on a file, held by this object. Not reentrant; the file stays when the lock is released,
    because removing it would let two processes lock two files of one name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None

    @property
    def held(self) -> bool:
        """Whether this process holds it."""
        return self._fd is not None

    @property
    def displaced(self) -> bool:
        """Whether the file that is locked bears its name no longer (the data directory was removed or replaced), so
        that another process may hold a lock of the same name."""
        if self._fd is None:
            return False
        try:
            return not os.path.samestat(os.fstat(self._fd), os.stat(self._path))  # noqa: PTH116 - beside fstat
        except OSError:
            return True

    def try_acquire(self) -> bool:
        """Take the lock if it is free. Raises StoreError where the file cannot be made or locked."""
        if self._fd is not None:
            return True
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be opened: {error.strerror}; check the data directory.") from error
        try:
            taken = system.try_lock(fd, _LOCKED_BYTE)
        except OSError as error:
            os.close(fd)
            raise StoreError(
                f"{self._path} cannot be locked ({error.strerror}); put the data directory on a local disk."
            ) from error
        if not taken:
            os.close(fd)
            return False
        self._fd = fd
        return True

    def release(self) -> None:
        """Let go; harmless when not held."""
        if self._fd is not None:
            fd, self._fd = self._fd, None
            try:
                system.unlock(fd, _LOCKED_BYTE)
            finally:
                os.close(fd)


class Lease(FileLock):
    """The right to index one data directory. The holder's process id stands in the lock file, for `holder`."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / "indexer.lock"
        super().__init__(self._file)

    def try_acquire(self) -> bool:
        """Take the lease if nobody has it; whether it is held now."""
        if self.held:
            return True
        if not super().try_acquire() or self._fd is None:
            return False
        self._sign(self._fd)
        return True

    def displace(self) -> bool:
        """Take the lease from a holder that hangs: another file takes the place of the one it has locked, and it finds
        itself `displaced` when it goes on. False where the system does not let a locked file be replaced (Windows).
        Call it under a lock of its own, or two would displace one another. Raises StoreError."""
        if not system.replaces_locked_files:
            return False
        new = FileLock(self._file.with_name(f"{self._file.name}.{os.getpid()}"))
        if not new.try_acquire() or new._fd is None:
            return False
        try:
            self._sign(new._fd)
            new._path.replace(self._file)
        except OSError as error:
            new.release()
            raise StoreError(f"{self._file} cannot be replaced: {error.strerror}; check the data directory.") from error
        self._fd = new._fd
        return True

    def beat(self) -> None:
        """Show the others that the holder runs: the time of the lock file is that of its last beat."""
        with contextlib.suppress(OSError):
            if self._fd is not None:
                now = time.time_ns()  # the system's own notion of now stands still between two of its ticks
                os.utime(self._fd if os.utime in os.supports_fd else self._file, ns=(now, now))

    def last_beat(self) -> int:
        """A number that differs after every beat of the holder; 0 where there is no lock file."""
        try:
            return self._file.stat().st_mtime_ns
        except OSError:
            return 0

    @staticmethod
    def _sign(fd: int) -> None:
        os.ftruncate(fd, 0)
        os.lseek(fd, 0, os.SEEK_SET)
        os.write(fd, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Let it go; nothing where it is not held."""
        if self._fd is not None:
            os.ftruncate(self._fd, 0)
        super().release()

    def holder(self) -> int | None:
        """The process id of the holder, None when nobody holds it. Tries the lock for an instant to find out, twice:
        what is locked at first may be so by another who tries, over the number of a holder that is dead."""
        if self.held:
            return os.getpid()
        found = self._signed()
        return found if found is not None and found == self._signed() else None

    def _signed(self) -> int | None:
        """The number in the lock file, where it is locked; a number that nobody stands behind any more is wiped."""
        probe = FileLock(self._file)
        try:
            if not self._file.exists():
                return None
            if probe.try_acquire() and probe._fd is not None:
                if os.fstat(probe._fd).st_size:
                    os.ftruncate(probe._fd, 0)
                return None
            return int(self._file.read_bytes().split(b"\n")[0])
        except (StoreError, OSError, ValueError):
            return None
        finally:
            probe.release()
