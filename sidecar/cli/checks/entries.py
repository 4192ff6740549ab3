"""What a client finds: our entries in the assistants' files (whether the command is there, the folders are, and it is
this program), and a session with this very program in each protocol era, started as a client starts it."""

import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path

from sidecar.api import SidecarError
from sidecar.cli.checks import Finding
from sidecar.cli.clients.entries import entry_in, installed
from sidecar.cli.clients.files import Backups
from sidecar.cli.clients.table import CLIENTS, Assistant, Machine, Scope
from sidecar.config import Overrides
from sidecar.server.transport.loopback import Era, LoopbackError, OwnSession, try_session

_ERAS: dict[Era, str] = {"legacy": "session by handshake", "auto": "session by discovery"}
_SLOW = 20.0
"""Seconds; some clients give up on a server after 30."""


def entries(machine: Machine, own: Sequence[str]) -> Iterator[Finding]:
    """One finding for each entry, and one for all assistants without. `own` is the command that starts this program."""
    without: list[str] = []
    entered = unread = False
    for client in CLIENTS:
        files: dict[Path, Scope] = {client.file(machine, "project"): "project"} if client.project else {}
        files[client.file(machine, "user")] = "user"  # at home the two may be one
        for file, scope in files.items():
            try:
                entry = entry_in(client, file)
            except SidecarError as error:
                unread = True
                ours = file.is_file() and b"docsidecar" in file.read_bytes()
                remedy = f"mend it; {client.title} may not read it either."
                yield Finding("problem" if ours else "note", client.title, str(error), remedy)
                continue
            if entry is not None:
                entered = True
                faults = list(_problems(client, scope, file, entry, own))
                yield from faults or [Finding("ok", client.title, f"{' '.join(client.starts(entry))} ({file}).")]
            elif scope == "user" and client.found(machine):
                without.append(client.name)
    if without:
        message = f"not entered: {', '.join(without)}."
        yield Finding("ok" if entered else "note", "assistants", message, "`docsidecar install` offers each.")
    elif not entered and not unread:
        message = "no assistant that we know is on this machine."
        yield Finding("note", "assistants", message, "`docsidecar install CLIENT` sets one up all the same.")


def _problems(
    client: Assistant, scope: Scope, file: Path, entry: dict[str, object], own: Sequence[str]
) -> Iterator[Finding]:
    words = client.starts(entry)
    install = f"docsidecar install {client.name}" + (" --scope project" if scope == "project" else "")
    kept = [word for option in ("--folder", "--config", "--data-dir") for place in _named(words, option)
            for word in (option, place)]  # fmt: skip
    again = f"{install} {shlex.join(kept)}".rstrip()
    fix = partial(_repair, client, file, words, own)
    if not words or shutil.which(words[0]) is None:
        what = f"{words[0]} is gone" if words else "it names no command"
        yield Finding("problem", client.title, f"{what} ({file}).", f"run `{again}`, or doctor --fix.", fix)
    elif not Path(words[0]).is_absolute():
        message = f"the command {words[0]!r} depends on the PATH {client.title} is started with ({file})."
        yield Finding("note", client.title, message, f"run `{again}`, or doctor --fix.", fix)
    elif Path(words[0]).stem == "docsidecar" and os.path.realpath(words[0]) != os.path.realpath(own[0]):
        message = f"starts another docsidecar than this one: {words[0]} ({file})."
        yield Finding("note", client.title, message, f"run `{again}` to have it start {own[0]}.")
    for place in _named(words, "--folder"):
        if not Path(place).is_dir():
            remedy = f"run `{install} --folder FOLDER` with the new one, or bring it back."
            yield Finding("problem", client.title, f"its folder {place} is not there ({file}).", remedy)
    for place in _named(words, "--config"):
        if not Path(place).is_file():
            message = f"its configuration {place} is not there ({file})."
            yield Finding("problem", client.title, message, f"run `{install}`.")
    if entry.get("disabled") is True or entry.get("enabled") is False:
        yield Finding("note", client.title, f"the entry is switched off ({file}).", f"switch it on in {client.title}.")


def _repair(client: Assistant, file: Path, words: Sequence[str], own: Sequence[str]) -> str:
    """The entry with the command of this program and the arguments it has."""
    arguments = words[words.index("serve") :] if "serve" in words else ("serve",)
    change = installed(client, file, (*own, *arguments))
    kept = change.carry_out(Backups())
    return f"starts {own[0]} now ({file}; as it was: {kept})."


def _named(words: Sequence[str], option: str) -> list[str]:
    """The paths that an option names."""
    return [value for word, value in pairwise(words) if word == option]


def sessions(overrides: Overrides, own: Sequence[str]) -> Iterator[Finding]:
    """One finding for each era; both at once, for most of it is waiting for the program to start."""
    command = [*own, "serve", *_arguments(overrides)]
    env = {key: value for key, value in os.environ.items() if key.startswith(("DOCSIDECAR_", "XDG_"))}

    def ask(era: Era) -> OwnSession | LoopbackError:
        try:
            return try_session(command, era=era, variables=env, timeout=0.0)
        except LoopbackError as error:
            return error

    with ThreadPoolExecutor() as pool:
        for what, session in zip(_ERAS.values(), pool.map(ask, _ERAS), strict=True):
            if isinstance(session, LoopbackError):
                remedy = f"run `{' '.join(command)} --log-level debug` in a terminal, and read what it says."
                yield Finding("problem", what, str(session), remedy)
                continue
            text = f"{session.tools} tools after {session.seconds:.1f} s (protocol {session.protocol})."
            if session.seconds > _SLOW:
                yield Finding("note", what, text, "clients may give up on it; look for what keeps this machine busy.")
            else:
                yield Finding("ok", what, text)


def _arguments(overrides: Overrides) -> list[str]:
    words = [word for folder in overrides.folders for word in ("--folder", str(folder.expanduser().absolute()))]
    if overrides.config is not None:
        words += ["--config", str(overrides.config.expanduser().absolute())]
    if overrides.data_dir is not None:
        words += ["--data-dir", str(overrides.data_dir.expanduser().absolute())]
    return words
