"""`docsidecar doctor`: checks everything a user could trip over, says what to do about each finding, and mends what is
safe to mend.

The checks are imported when they run: every command, `serve` too, loads this module for its options."""

import argparse
import os
import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar import __version__
from sidecar.api import SidecarError, UsageError
from sidecar.cli.output import Commands, print_json
from sidecar.config import Overrides

if TYPE_CHECKING:
    from sidecar.cli.checks import Finding

_MARKS = {"ok": "ok     ", "note": "note   ", "fixed": "fixed  ", "problem": "PROBLEM"}


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "doctor", parents=[shared], help="check the set-up, say what is wrong, and mend it",
        description="Check configuration, folders, data directory, permissions, disk, watch limits, index, lease, "
        "model, plugins, optional programs, the assistants' entries, and a session in both protocol eras; say what to "
        "do about each finding.",
        epilog="Exit codes: 0 there is no problem (there may be notes); 1 there is one, or one is left after --fix; "
        "2 the command line is wrong.",
    )  # fmt: skip
    parser.add_argument("--fix", action="store_true", help="mend what can be mended without losing anything")
    parser.add_argument(
        "--json", action="store_true", help="print JSON: level, what, message and remedy of each finding"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print all findings; exit code 1 when one is a problem."""
    problem = False
    rows: list[dict[str, str]] = []
    for found in _examine(overrides):
        finding = _repaired(found) if arguments.fix else found
        problem = problem or finding.level == "problem"
        if arguments.json:
            rows.append({name: getattr(finding, name) for name in ("level", "what", "message", "remedy")})
            continue
        print(f"{_MARKS[finding.level]}  {finding.what}: {finding.message}", flush=True)
        if finding.remedy:
            print(f"         → {finding.remedy}", flush=True)
    if arguments.json:
        print_json(rows)
    return 1 if problem else 0


def _repaired(finding: "Finding") -> "Finding":
    if finding.fix is None:
        return finding
    try:
        return replace(finding, level="fixed", message=finding.fix(), remedy="", fix=None)
    except (OSError, SidecarError) as error:
        return replace(finding, remedy=f"{finding.remedy} It could not be mended: {error}")


def _examine(overrides: Overrides) -> "Iterator[Finding]":
    from sidecar.cli.checks import Finding, entries, library, machine
    from sidecar.cli.clients.command import own_command
    from sidecar.cli.clients.table import Machine

    yield Finding("ok", "docsidecar", f"{__version__} on Python {platform.python_version()}, {platform.platform()}")
    config, found = library.configuration(overrides)
    yield found
    yield from library.folders(config)
    yield from machine.data_directory(config)
    yield from machine.permissions(config)
    yield from library.plugins(config)
    yield from library.index(config)
    yield from machine.programs()
    yield from machine.watches(config)
    try:
        own = own_command()
    except UsageError as error:
        yield Finding("problem", "command", str(error), "`uv tool install docsidecar` or `pipx install docsidecar`.")
        return
    yield from entries.entries(Machine(Path.home(), os.environ, Path.cwd()), own)
    yield from entries.sessions(overrides, own)
