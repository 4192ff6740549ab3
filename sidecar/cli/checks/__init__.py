"""What `docsidecar doctor` looks at, one module a subject. Not imported when serving."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "note", "fixed", "problem"]


@dataclass(frozen=True)
class Finding:
    """One checked thing. "problem" makes the exit code 1, "note" is something that would be good to have or to know,
    "fixed" was one of them. `remedy` is one sentence, for everything but "ok"; `fix` mends it without losing anything,
    gives what it did, and raises OSError or SidecarError where it cannot."""

    level: Level
    what: str
    message: str
    remedy: str = ""
    fix: Callable[[], str] | None = None
