"""Slices of a text by byte offset that never cut a character and prefer the edge of a block or a line; and lists whose
entries are made as far as they are looked at.

Pure functions over text in memory; what the text is, and where the next slice is asked for, is the caller's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast, overload

from sidecar.api.errors import UsageError

_EDGES = (b"\n\n", b"\n", b" ")
"""What a window had best end behind, best first."""
_GIVEN_UP, _GIVEN_UP_OF_SHORT = 16, 256
"""A window gives up its last sixteenth for that, a short one half of it and no more than this many bytes."""


@dataclass(frozen=True)
class Window:
    """`text` covers the bytes `start` to `end` of `total` (UTF-8). `next` is where to go on, None at the end."""

    text: str
    start: int
    end: int
    total: int

    @property
    def next(self) -> int | None:
        """The byte to go on from, None at the end."""
        return self.end if self.end < self.total else None


def window(text: str, start: int, max_bytes: int) -> Window:
    """At most `max_bytes` bytes of `text` from byte `start` on; at least one character, however small `max_bytes` is.

    A `start` inside a character moves back to where that character begins. The end is put after a blank line in the
    last sixteenth of the window, else after a line there, else after a space, else after a character: a window is to be
    full rather than to end well.

    Raises:
        UsageError: `start` is negative or beyond the end (0 of an empty text is fine), `max_bytes` is not positive."""
    data = text.encode("utf-8", "replace")
    total = len(data)
    if max_bytes < 1:
        raise UsageError(f"max_bytes is {max_bytes}; it must be 1 or more.")
    if start < 0 or (start >= total and start > 0):
        raise UsageError(f"start_offset {start:,} is outside this text; it has {total:,} bytes (offsets count from 0).")
    while start > 0 and _continues(data[start]):
        start -= 1
    end = start + max_bytes
    if end >= total:
        return Window(data[start:].decode(), start, total, total)
    end = _edge(data, start, end)
    return Window(data[start:end].decode(), start, end, total)


def cut(text: str, max_chars: int) -> tuple[str, bool]:
    """The beginning of `text`, at most `max_chars` characters up to a good edge, and whether anything was left out."""
    if len(text) <= max_chars:
        return text, False
    floor = max_chars // 2
    for mark in ("\n\n", "\n", " "):
        at = text.rfind(mark, floor, max_chars)
        if at >= 0:
            return text[: at + len(mark)], True
    return text[:max_chars], True


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _edge(data: bytes, start: int, end: int) -> int:
    length = end - start
    earliest = end - max(length // _GIVEN_UP, min(length // 2, _GIVEN_UP_OF_SHORT))
    for mark in _EDGES:
        at = data.rfind(mark, earliest, end)
        if at >= 0 and at + len(mark) > start:
            return at + len(mark)
    while end > start and _continues(data[end]):
        end -= 1
    if end > start:
        return end
    end = start + 1  # not even one character fits: give it whole
    while end < len(data) and _continues(data[end]):
        end += 1
    return end


Made = TypeVar("Made")


class OnDemand(Sequence[Made]):
    """A list of what is made when it is first asked for: an answer has room for the first few of what was found."""

    def __init__(self, makers: Sequence[Callable[[], Made]]) -> None:
        self._makers = makers
        self._made: dict[int, Made] = {}

    def __len__(self) -> int:
        return len(self._makers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*cast(Sequence[object], other)]

    def __hash__(self) -> int:
        return hash(tuple(self))

    @overload
    def __getitem__(self, index: int) -> Made: ...
    @overload
    def __getitem__(self, index: slice) -> list[Made]: ...
    def __getitem__(self, index: int | slice) -> Made | list[Made]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        if at not in self._made:
            self._made[at] = self._makers[at]()
        return self._made[at]
