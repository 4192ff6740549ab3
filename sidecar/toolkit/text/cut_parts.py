"""Who reads a file learns here which parts of it had no end, whatever plugin and reader they went through."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_MOST = 1000
"""Names that are kept of one file."""
_named: ContextVar[list[str] | None] = ContextVar("cut_parts", default=None)


@contextmanager
def cut_parts() -> Generator[list[str]]:
    """What is read within names the parts without an end in this list, each once, in the order they are read. A
    reading inside another has a list of its own."""
    names: list[str] = []
    token = _named.set(names)
    try:
        yield names
    finally:
        _named.reset(token)


def is_listening() -> bool:
    """Whether anybody learns of parts without an end; to look for it costs time."""
    return _named.get() is not None


def tell_cut(*parts: str) -> None:
    """Name parts that were read as far as they go, though their end is missing."""
    names = _named.get()
    if names is not None:
        names += [part for part in dict.fromkeys(parts) if part not in names][: _MOST - len(names)]
