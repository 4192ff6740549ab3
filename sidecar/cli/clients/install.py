"""`docsidecar install [CLIENT]` and `docsidecar uninstall [CLIENT]`: our entry in the assistants' own files.

What they need is imported when they run: every command, `serve` too, loads this module for its options."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.api import SidecarError, UsageError
from sidecar.cli.output import Commands, confirm, is_interactive, print_error, show
from sidecar.config import Overrides

if TYPE_CHECKING:
    from sidecar.cli.clients.entries import EntryChange
    from sidecar.cli.clients.table import Assistant, Machine, Scope
    from sidecar.server.transport.loopback import OwnSession

_NAMES = "claude-desktop, claude-code, vscode, vscode-insiders, cursor, windsurf, zed, codex, gemini, opencode"

_PLUGIN = """
Instead of this entry Claude Code can have the plugin: the server for the folders of `docsidecar add`, a skill, and a
hook that points a Read of an Office file or a large PDF to it.
  claude plugin marketplace add "{folder}"
  claude plugin install docsidecar@docsidecar
  docsidecar uninstall claude-code"""


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    install = commands.add_parser(
        "install", parents=[shared], help="enter docsidecar into an assistant's configuration",
        description="Enter docsidecar into an assistant's own configuration file, and try it. "
        f"CLIENT is one of {_NAMES}; without one, those found on this machine are offered. With --folder the assistant "
        "gets those folders, else the configured ones.",
    )  # fmt: skip
    install.set_defaults(run=_run_install)
    uninstall = commands.add_parser(
        "uninstall", parents=[shared], help="take docsidecar out of an assistant's configuration",
        description=f"Take our entry out of an assistant's own configuration file. CLIENT is one of {_NAMES}; without "
        "one, those that have it are offered, or with --all done unasked.",
    )  # fmt: skip
    uninstall.set_defaults(run=_run_uninstall)
    for parser in (install, uninstall):
        client = parser.add_argument("client", nargs="?", metavar="CLIENT", help="the assistant")
        vars(client)["completer"] = _names
        parser.add_argument(
            "--scope", choices=("user", "project"), default="user",
            help="your own file (the default), or that of the project in this directory",
        )  # fmt: skip
        parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    uninstall.add_argument("--all", action="store_true", help="every assistant that has it, without asking")
    install.add_argument("--print", action="store_true", help="print the entry for pasting, and change nothing")


def _names(**_: object) -> Sequence[str]:
    """What a shell completes a client with (argcomplete's protocol)."""
    return _NAMES.split(", ")


def _run_install(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Enter ourselves into one client, or offer each that is here; exit code 1 when one could not be done."""
    from sidecar.cli.clients.command import own_command, serving_arguments
    from sidecar.cli.clients.table import CLIENTS, client_named

    machine = _machine()
    command = (*own_command(), *serving_arguments(overrides, os.environ))
    if arguments.client:
        return _install(client_named(arguments.client), machine, arguments, command)
    found = [client for client in CLIENTS if client.found(machine) and (arguments.scope == "user" or client.project)]
    if not found:
        return print_error(
            f"no assistant that we know was found here ({_NAMES}); name one to set it up all the same.", 1
        )
    if not is_interactive() or arguments.dry_run or arguments.print:
        return _list(found, machine, arguments.scope, command)
    codes = [
        _install(client, machine, arguments, command)
        for client in found
        if confirm(f"enter it into {client.title} ({client.file(machine, arguments.scope)})?", default=True)
    ]
    return max(codes, default=0)


def _run_uninstall(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Take ourselves out of one client, or offer each that has us; exit code 1 when one could not be done."""
    from sidecar.cli.clients.table import client_named

    machine = _machine()
    if arguments.client and arguments.all:
        raise UsageError("name a client, or say --all.")
    if arguments.client:
        return _uninstall(client_named(arguments.client), machine, arguments)
    having, code = _having(machine, arguments.scope)
    if not having:
        print("No assistant here has an entry of docsidecar.")
        return code
    if not arguments.all and (not is_interactive() or arguments.dry_run):
        for file, client in having.items():
            print(f"{client.title}: {file}")
        print("Name one to take it out, or all: docsidecar uninstall CLIENT|--all.")
        return code
    for file, client in having.items():
        if arguments.all or confirm(f"take it out of {client.title} ({file})?", default=True):
            code = max(code, _uninstall(client, machine, arguments))
    return code


def _having(machine: Machine, scope: Scope) -> tuple[dict[Path, Assistant], int]:
    """The files with an entry of ours, each with its client, and 1 where one could not be read, which is said."""
    from sidecar.cli.clients.entries import entry_in
    from sidecar.cli.clients.table import CLIENTS

    code = 0
    having: dict[Path, Assistant] = {}  # two editions of a client may share a project's file
    for client in CLIENTS:
        if scope == "user" or client.project:
            try:
                if entry_in(client, file := client.file(machine, scope)) is not None:
                    having.setdefault(file, client)
            except SidecarError as error:
                code = print_error(str(error), 1)
    return having, code


def _machine() -> Machine:
    from sidecar.cli.clients.table import Machine

    return Machine(Path.home(), os.environ, Path.cwd())


def _install(client: Assistant, machine: Machine, arguments: argparse.Namespace, command: tuple[str, ...]) -> int:
    from sidecar.cli.clients.entries import entry_in, installed, snippet

    file = client.file(machine, arguments.scope)
    if arguments.print:
        print(f"Add this to {file}:", file=sys.stderr)
        print(snippet(client, command))
        return 0
    try:
        change = installed(client, file, command)
        if arguments.dry_run:
            _preview(change, f"{client.title} has this entry already ({file}).")
            return 0
        _carry_out(change, f"Entered into {client.title}: {file}", f"{client.title} has this entry already: {file}")
        if arguments.scope == "project" and change.needed:
            print("It names places of this machine: share the file with nobody who has them elsewhere.")
        entry = entry_in(client, file) or {}
    except SidecarError as error:
        return print_error(str(error), 1)
    return _try(client, client.starts(entry), client.variables(entry), change.needed)


def _uninstall(client: Assistant, machine: Machine, arguments: argparse.Namespace) -> int:
    from sidecar.cli.clients.entries import uninstalled
    from sidecar.cli.clients.files import Backups

    file = client.file(machine, arguments.scope)
    absent = f"{client.title} has no entry of docsidecar ({file})."
    try:
        change = uninstalled(client, file, Backups())
        if arguments.dry_run:
            _preview(change, absent)
        else:
            _carry_out(change, f"Taken out of {client.title}, when it is started next: {file}", absent)
    except SidecarError as error:
        return print_error(str(error), 1)
    return 0


def _preview(change: EntryChange, same: str) -> None:
    print(change.diff() if change.needed else same)


def _carry_out(change: EntryChange, done: str, same: str) -> None:
    from sidecar.cli.clients.files import Backups

    if not change.needed:
        print(same)
        return
    kept = change.carry_out(Backups())
    print(done)
    if kept is not None:
        print(f"The file as it was: {kept}")


def _try(client: Assistant, command: tuple[str, ...], variables: dict[str, str], new: bool) -> int:
    """A real session through the entry as it stands in the file."""
    from sidecar.server.transport.loopback import LoopbackError, try_session

    print("Trying it …", file=sys.stderr)
    try:
        session = try_session(command, variables=variables)
    except LoopbackError as error:
        return print_error(f"the entry of {client.title} does not work: {error} `docsidecar doctor` may tell more.", 1)
    print(_seen(client, session) + (f" In {client.title}, {client.after}." if new else ""))
    if client.name == "claude-code" and (folder := _claude_plugin()) is not None:
        print(_PLUGIN.format(folder=folder))
    return 0


def _claude_plugin() -> Path | None:
    """Where the plugin for Claude Code lies; None where there is none, or its hook would not find this program."""
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    if shutil.which("docsidecar") is None:
        return None
    for package in sorted({point.module.partition(".")[0] for point in entry_points(group="docsidecar.features")}):
        spec = find_spec(package)
        folder = Path(spec.origin).parent / "claude_code" if spec is not None and spec.origin else None
        if folder is not None and (folder / ".claude-plugin/marketplace.json").is_file():
            return folder
    return None


def _seen(client: Assistant, session: OwnSession) -> str:
    if not session.counted:
        return f"{client.title} will have {session.tools} tool{'' if session.tools == 1 else 's'} of DocSidecar's."
    if session.folders and not session.documents:
        return f"{client.title} will see no document yet: there is none in {', '.join(session.folders)}."
    if not session.folders:
        return f"{client.title} will see no document yet: no folder is watched; add one with `docsidecar add FOLDER`."
    seen = f"{client.title} will see {session.documents:,} document{'' if session.documents == 1 else 's'}"
    if session.pending:
        seen += f" ({session.pending:,} {'is' if session.pending == 1 else 'are'} still being read)"
    question = f"Summarise {show(session.newest)} and cite it." if session.newest else "What can you see?"
    return f'{seen}; try: "{question}"'


def _list(found: list[Assistant], machine: Machine, scope: Scope, command: tuple[str, ...]) -> int:
    """What is here and what state it is in, for a program or a pipe; nothing is changed and nobody asked."""
    from sidecar.cli.clients.entries import installed

    code = 0
    for client in found:
        file = client.file(machine, scope)
        try:
            state = "not entered" if installed(client, file, command).needed else "entered"
        except SidecarError as error:
            state, code = str(error), 1
        print(f"{client.name:<15} {state:<12} {file}")
    print("Set one up with `docsidecar install CLIENT`.")
    return code
