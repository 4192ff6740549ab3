"""`docsidecar serve`, the MCP server over stdio, which an assistant starts and which also runs without a command; and
`docsidecar open`, the library as a page in the browser, served on the loopback address alone."""

import argparse
import sys
import threading
from dataclasses import replace
from pathlib import Path

from sidecar.cli.output import Commands
from sidecar.config import Overrides


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    serving = commands.add_parser(
        "serve", parents=[shared], help="serve over MCP on stdin and stdout (the default)",
        description="Serve the watched folders over MCP on stdin and stdout until the client closes them.",
    )  # fmt: skip
    serving.add_argument(
        "folders", nargs="*", type=Path, metavar="FOLDER",
        help="watch these folders, as --folder does: for clients that fill in a list of them",
    )  # fmt: skip
    serving.set_defaults(run=run)
    page = commands.add_parser(
        "open", parents=[shared], help="look at the library in the browser",
        description="Serve a page on 127.0.0.1 that shows what is indexed, searches it, shows documents and their "
        "pictures, and says why files could not be read. Nobody without the printed address can open it. It works "
        "beside assistants' sidecars; where none runs, it keeps the index up to date itself. Ctrl-C ends it.",
    )  # fmt: skip
    page.add_argument("--port", type=int, default=0, help="the port to listen on (default: any free one)")
    page.add_argument("--no-browser", action="store_true", help="print the address only")
    page.set_defaults(run=_run_page)


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


def _run_page(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Serve the page until Ctrl-C."""
    import webbrowser

    from sidecar import serving
    from sidecar.toolkit.platform import system

    def opened(address: str, once: str) -> None:
        print(f"Your library: {address}\nCtrl-C ends it.", flush=True)
        if not arguments.no_browser and system.has_screen:  # without one, a browser would take the terminal
            threading.Thread(target=webbrowser.open, args=(once,), daemon=True).start()

    return serving.run_page(overrides, arguments.port, opened)
