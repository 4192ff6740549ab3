"""`docsidecar serve`: the MCP server over stdio, which an assistant starts. Also what runs without a command."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from sidecar.config import Overrides


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "serve", parents=[shared], help="serve over MCP on stdin and stdout (the default)",
        description="Serve the watched folders over MCP on stdin and stdout until the client closes them.",
    )  # fmt: skip
    parser.add_argument(
        "folders", nargs="*", type=Path, metavar="FOLDER",
        help="watch these folders, as --folder does: for clients that fill in a list of them",
    )  # fmt: skip
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Serve until EOF, a signal, or the parent's end."""
    if sys.stdin is not None and sys.stdin.isatty():
        print(
            "docsidecar speaks MCP on stdin and stdout; an assistant starts it. See also `docsidecar --help`.",
            file=sys.stderr,
        )
    named = (*overrides.folders, *getattr(arguments, "folders", ()))
    from sidecar import serving  # imported late: the other commands must not pay for the server

    return serving.run_server(replace(overrides, folders=named))
