"""A session with this very program in each protocol era, started as a client starts it."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from sidecar.cli.checks.finding import Finding
from sidecar.config import Overrides
from sidecar.server.transport.loopback import Era, LoopbackError, Session, talk

_ERAS: dict[Era, str] = {"legacy": "session by handshake", "auto": "session by discovery"}
_SLOW = 20.0
"""Seconds; some clients give up on a server after 30."""


def sessions(overrides: Overrides, own: Sequence[str]) -> Iterator[Finding]:
    """One finding for each era; both at once, for most of it is waiting for the program to start."""
    command = [*own, "serve", *_said(overrides)]
    told = {key: value for key, value in os.environ.items() if key.startswith(("DOCSIDECAR_", "XDG_"))}

    def ask(era: Era) -> Session | LoopbackError:
        try:
            return talk(command, era=era, variables=told, patience=0.0)
        except LoopbackError as error:
            return error

    with ThreadPoolExecutor() as pool:
        for what, session in zip(_ERAS.values(), pool.map(ask, _ERAS), strict=True):
            if isinstance(session, LoopbackError):
                remedy = f"run `{' '.join(command)} --log-level debug` in a terminal, and read what it says."
                yield Finding("problem", what, str(session), remedy)
                continue
            said = f"{session.tools} tools after {session.seconds:.1f} s (protocol {session.protocol})."
            if session.seconds > _SLOW:
                yield Finding("note", what, said, "clients may give up on it; look for what keeps this machine busy.")
            else:
                yield Finding("ok", what, said)


def _said(overrides: Overrides) -> list[str]:
    words = [word for folder in overrides.folders for word in ("--folder", str(folder.expanduser().absolute()))]
    if overrides.config is not None:
        words += ["--config", str(overrides.config.expanduser().absolute())]
    if overrides.data_dir is not None:
        words += ["--data-dir", str(overrides.data_dir.expanduser().absolute())]
    return words
