"""Tells renames: a file that is gone and a new one that is the same file, by identity or by content."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from sidecar.store.documents.records import FileStat, KnownFile

_MAX_HASHED_BYTES = 1 << 30
"""How much is hashed at most to find moved content; beyond it a move shows as one removed and one added."""

Fresh = tuple[bytes, FileStat]


def find_moves(
    fresh: Sequence[Fresh],
    known: Mapping[bytes, KnownFile],
    missing: Iterable[bytes],
    is_gone: Callable[[bytes], bool],
    stopped: Callable[[], bool] = lambda: False,
    open_file: Callable[[bytes], int] = lambda path: os.open(path, os.O_RDONLY),
) -> list[tuple[bytes, bytes, FileStat]]:
    """(old path, new path, new stat) of files that moved. Runs in a thread: it may have to read files.

    By identity first: same inode, device, size and time, and the old path is gone (`missing` may not have it yet).
    Then by content: of the same size as a missing file, and of its SHA-256 (a copy to another disk, then a delete)."""
    new = [(path, seen) for path, seen in fresh if path not in known]
    if not new:
        return []
    by_identity = {_identity(one.stat): path for path, one in known.items() if one.stat.inode and one.sha256}
    moves: list[tuple[bytes, bytes, FileStat]] = []
    left: list[Fresh] = []
    moved: set[bytes] = set()
    for path, seen in new:
        old = by_identity.get(_identity(seen)) if seen.inode else None
        if old is not None and old not in moved and is_gone(old):
            moves.append((old, path, seen))
            moved.add(old)
        else:
            left.append((path, seen))
    by_size: dict[int, list[bytes]] = {}
    for path in missing:
        one = known.get(path)
        if one is not None and one.sha256 and one.stat.size and path not in moved:
            by_size.setdefault(one.stat.size, []).append(path)
    budget = _MAX_HASHED_BYTES
    for path, seen in left:
        candidates = by_size.get(seen.size)
        if not candidates or seen.size > budget or stopped():
            continue
        budget -= seen.size
        digest = _sha256(path, open_file)
        old = next((old for old in candidates if known[old].sha256 == digest), None)
        if old is not None:
            candidates.remove(old)
            moves.append((old, path, seen))
    return moves


def _identity(seen: FileStat) -> tuple[int, int, int, int]:
    return seen.inode, seen.device, seen.size, seen.mtime_ns


def _sha256(path: bytes, open_file: Callable[[bytes], int]) -> str:
    """Empty when the file cannot be read, which the reading of it will report."""
    try:
        with os.fdopen(open_file(path), "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
