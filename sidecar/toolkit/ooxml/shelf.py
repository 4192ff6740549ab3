"""What was made of parts that many files share, kept for the next file: least recently used, bounded by size."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class Shelf:
    """Results by key, `most` bytes of what they were made of; the one asked for longest ago goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._kept: dict[Hashable, tuple[Any, int]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> tuple[Any, int] | None:
        """`(result, size)`, or None when it is not here (any more)."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def put(self, key: Hashable, result: Any, size: int) -> None:
        self._kept[key] = (result, size)
        self._held += size
        while self._held > self._most:
            _, gone = self._kept.pop(next(iter(self._kept)))
            self._held -= gone
