"""The one error tree of the project. Every message is one sentence a person can act on: what, where, what to do.

SidecarError
├── ConfigError          the configuration cannot be used (carries file, line, key)
├── StoreError           the index file cannot be used
│   └── DamagedIndexError  what it holds is damaged, and is being mended
├── UsageError           an argument of a call or command is wrong
├── NotFoundError        a document, part, element or resource does not exist (carries near misses)
├── AmbiguousError       a label fits several elements (carries the choices)
├── UnavailableError     it exists but cannot be had now (source changed, no LibreOffice, upstream down)
├── WorkerError          a worker process failed
│   ├── WorkerTimeout
│   └── WorkerCrash
└── FormatError          a format plugin cannot read the bytes
    ├── EncryptedError   password protected
    ├── DamagedError     not what it claims to be, truncated, malformed
    ├── UnsupportedError recognised, but not readable here
    └── LimitError       larger than the configured limits allow"""

from collections.abc import Mapping, Sequence
from typing import Any


class SidecarError(Exception):
    """Base of every error DocSidecar raises on purpose; `str(error)` is fit to show a user."""

    @property
    def details(self) -> Mapping[str, Any] | None:
        """What a program may read of it beside the sentence, as a tool's structured answer; None for most errors."""
        return None


class ConfigError(SidecarError):
    """The configuration cannot be used.

    Args:
        message: what was wrong and what was expected.
        file: the configuration file, if the fault is in one.
        line: 1-based line in `file`, if known.
        key: dotted key, for instance `index.workers`, if known."""

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, key: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.key = key

    def __str__(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        key = f"{self.key}: " if self.key else ""
        return f"{place}: {key}{self.message}" if place else f"{key}{self.message}"


class StoreError(SidecarError):
    """The index file cannot be used (newer schema, not writable, damaged beyond rebuilding)."""


class DamagedIndexError(StoreError):
    """What the index holds at that place is damaged; whichever sidecar indexes reads the file again, or all files."""

    advice = "it is read again from its file by the docsidecar that serves; ask again in a moment."
    """How its messages end."""


class UsageError(SidecarError):
    """An argument is wrong; the message names it and says what is accepted."""


class NotFoundError(SidecarError):
    """Nothing is there under that name.

    Args:
        message: the sentence to show, near misses included.
        uri: the URI asked for, if the call was by URI.
        near: up to five names that exist and come close."""

    def __init__(self, message: str, *, uri: str | None = None, near: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.uri = uri
        self.near = tuple(near)


class AmbiguousError(SidecarError):
    """Several elements answer to the name; `choices` tells them apart."""

    def __init__(self, message: str, *, choices: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.choices = tuple(choices)


class UnavailableError(SidecarError):
    """The thing exists but cannot be produced now; the message says what would make it possible."""


class WorkerError(SidecarError):
    """A worker process could not do what it was asked."""


class WorkerTimeout(WorkerError):
    """The worker was still busy when its time was up, and was killed."""


class WorkerCrash(WorkerError):
    """The worker process died (crash, out of memory, killed)."""


class FormatError(SidecarError):
    """A format plugin cannot read these bytes. `state` is what the document's status becomes."""

    state = "damaged"


class EncryptedError(FormatError):
    """The file is protected by a password."""

    state = "encrypted"


class DamagedError(FormatError):
    """The bytes are not what the name or the header claims, or are cut short or malformed."""

    state = "damaged"


class UnsupportedError(FormatError):
    """The format is recognised but cannot be read here; the message says what to install, if anything helps."""

    state = "unsupported"


class LimitError(FormatError):
    """Reading on would exceed a limit of the configuration; the message names the limit."""

    state = "too_large"


def shortened(text: str) -> str:
    """What was asked for, as an error repeats it."""
    return text if len(text) <= 80 else text[:77] + "..."
