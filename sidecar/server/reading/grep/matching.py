"""Compiling and matching regular expressions, called in a worker process only: a pattern may want any time and memory.

What is searched, and where a match leads, is `grep`'s."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sidecar.api import UsageError
from sidecar.workers.bounds import limit_memory

_MEMORY_BYTES = 512 * 2**20
"""What the process may use; an ordinary pattern takes a few hundred kilobytes, two hundred passages with the parts they
stand in a few megabytes."""
_TEXT_SECONDS = 0.5
"""One pattern on one text; a pattern that needs longer would never end."""
Span = tuple[int, int]


def check(pattern: str, ignore_case: bool) -> None:
    """Compile the pattern for the calls that follow. Raises UsageError when it is not a regular expression."""
    _compiled(pattern, ignore_case)


def matching(pattern: str, ignore_case: bool, texts: Sequence[str], seconds: float) -> tuple[list[int], bool]:
    """The indexes of the texts in which the pattern occurs, and whether all of them were looked at in that time."""
    compiled = _compiled(pattern, ignore_case)
    deadline = time.process_time() + seconds
    found: list[int] = []
    for index, text in enumerate(texts):
        left = deadline - time.process_time()
        try:
            if left <= 0:
                return found, False
            if compiled.search(text, timeout=min(left, _TEXT_SECONDS)):
                found.append(index)
        except TimeoutError:
            return found, False
    return found, True


def spans(
    pattern: str, ignore_case: bool, lines: Sequence[str], most: int, seconds: float
) -> tuple[list[list[Span]], bool]:
    """The matches of each line, `most` in all, and whether they were found in that time; lines behind the last one
    looked at are left out."""
    compiled = _compiled(pattern, ignore_case)
    deadline = time.process_time() + seconds
    found: list[list[Span]] = []
    for line in lines:
        here: list[Span] = []
        found.append(here)
        left = deadline - time.process_time()
        try:
            if left <= 0:
                return found, False
            for match in compiled.finditer(line, timeout=min(left, _TEXT_SECONDS)):
                here.append(match.span())
                most -= 1
                if most <= 0:
                    return found, True
        except TimeoutError:
            return found, False
    return found, True


@lru_cache(maxsize=8)
def _compiled(pattern: str, ignore_case: bool) -> Any:
    import regex

    _limit_memory_once()
    try:
        return regex.compile(pattern, regex.MULTILINE | (regex.IGNORECASE if ignore_case else 0))
    except regex.error as error:
        raise UsageError(f"the pattern is not a regular expression: {error}.") from error
    except (RecursionError, MemoryError) as error:
        raise UsageError("the pattern is too large to compile; use a shorter or simpler one.") from error


@lru_cache(maxsize=1)
def _limit_memory_once() -> None:
    limit_memory(_MEMORY_BYTES)
