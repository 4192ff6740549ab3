"""How long work may take a processor, whatever the machine: told in seconds of one on which two known pieces of work
take `_COUNTED_SECONDS` and `_FILLED_SECONDS`, which are measured beside it. Nothing else that runs, and no slower
processor, makes a test fail."""

from __future__ import annotations

import json
import mmap
import sys
from collections.abc import Generator
from contextlib import contextmanager
from time import process_time, thread_time

_COUNTED_SECONDS = 0.018
_FILLED_SECONDS = 0.013
_TRACED = 4
"""A tracer that counts lines, as coverage's does, costs up to this many times the processor time of what it counts."""


def slowness() -> float:
    """How many times as long as usual this machine takes now, at least 1: in counting words, or in making objects and
    filling new memory, which a sandbox or neighbours that fill its caches may slow more."""
    began = thread_time()
    words: dict[str, int] = {}
    for number in range(60_000):
        word = f"word {number % 977}"
        words[word] = words.get(word, 0) + len(word.split(" "))
    counted = thread_time()
    made = [json.loads(f'{{"a": [1, 2, {{"b": "twenty letters and more"}}], "c": "{n}"}}') for n in range(4000)]
    assert len(made) == 4000  # they are kept until the end
    for _ in range(4):
        with mmap.mmap(-1, 1 << 21) as memory:
            for page in range(0, 1 << 21, mmap.PAGESIZE):
                memory[page] = 1
    filled = thread_time() - counted
    taken = max((counted - began) / _COUNTED_SECONDS, filled / _FILLED_SECONDS)
    return max(1.0, taken) * (_TRACED if sys.gettrace() is not None else 1)


@contextmanager
def processor_limit(seconds: float) -> Generator[None]:
    """Fail where what is done within takes this process longer. Work whose time grows with its size takes a twentieth
    of what is allowed, work whose time grows with its square minutes."""
    before, began = slowness(), process_time()
    yield
    taken = process_time() - began
    allowed = seconds * max(before, slowness())
    assert taken < allowed, f"it took {taken:.1f} s of the processor; {allowed:.1f} are allowed on this machine"
