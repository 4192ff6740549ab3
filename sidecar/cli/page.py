"""`docsidecar open`: the library as a page in the browser, served on the loopback address alone."""

from __future__ import annotations

import argparse
import threading
import webbrowser
from typing import Any

from sidecar.config import Overrides
from sidecar.toolkit.platform import system


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "open", parents=[shared], help="look at the library in the browser",
        description="Serve a page on 127.0.0.1 that shows what is indexed, searches it, shows documents and their "
        "pictures, and says why files could not be read. Nobody without the printed address can open it. It works "
        "beside assistants' sidecars; where none runs, it keeps the index up to date itself. Ctrl-C ends it.",
    )  # fmt: skip
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (default: any free one)")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Serve the page until Ctrl-C."""
    from sidecar import serving

    def opened(address: str, once: str) -> None:
        print(f"Your library: {address}\nCtrl-C ends it.", flush=True)
        if not arguments.no_browser and _has_screen():
            threading.Thread(target=webbrowser.open, args=(once,), daemon=True).start()

    return serving.run_page(overrides, arguments.port, opened)


def _has_screen() -> bool:
    """Whether a browser would open a window: without a screen, one for the terminal would take the terminal."""
    return system.has_screen
