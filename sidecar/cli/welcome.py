"""What `docsidecar` alone says to a person at a terminal, where an assistant would be served: what this is, how far the
set-up is, and the next step, which it takes when told to. Changes nothing unasked."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sidecar import __version__
from sidecar.cli.output import confirm, is_interactive
from sidecar.config import Overrides, load

Command = Callable[[Sequence[str]], int]
"""Runs a command line of ours; gives its exit code."""

_GREETING = f"""\
DocSidecar {__version__} gives your AI assistant your documents: it reads the folders you name, on this machine only,
and answers through the Model Context Protocol. An assistant starts `docsidecar` itself and talks to it over a pipe."""
_READY = """\
  docsidecar search "net revenue"   ask the index
  docsidecar open                   look at the library in your browser
  docsidecar status --watch         how far reading is, and what failed
  docsidecar install                connect Claude, VS Code, Cursor, Codex, …
  docsidecar doctor                 check everything
  docsidecar help                   all commands"""


def welcome(overrides: Overrides, command: Command) -> int:
    """Greet, and set up with a person who agrees: a folder, the index, an assistant. Raises ConfigError."""
    print(_GREETING)
    config = load(overrides)
    if not config.folders:
        return _first_time(command)
    print(f"\nWatched: {', '.join(str(folder.path) for folder in config.folders)}")
    if not (config.data_dir / "index.db").exists():
        print("Nothing is indexed yet: `docsidecar index --once` does it now, or the first assistant that starts.")
        if is_interactive() and confirm("index now?", default=True):
            return command(["index", "--once"])
    print(_READY)
    return 0


def _first_time(command: Command) -> int:
    """From nothing to an answer: each step is asked for, and is a command one could type."""
    if not is_interactive():
        print("\nNo folder is watched yet. Begin with `docsidecar add FOLDER`.")
        return 0
    home = Path.home()
    documents = home / "Documents"
    offered = documents if documents.is_dir() else Path.cwd()
    if offered == home:
        offered = None
    print(f"\nWhich folder holds your documents? {f'[{offered}] ' if offered else ''}", end="", flush=True)
    answer = sys.stdin.readline()
    folder = answer.strip() or (str(offered) if offered and answer else "")
    if not folder:
        print("\nNothing is changed. Begin with `docsidecar add FOLDER`.")
        return 0
    if (code := command(["add", folder])) != 0:
        return code
    if confirm("index it now?", default=True) and (code := command(["index", "--once"])) != 0:
        return code
    if confirm("connect your assistant now?", default=True) and (code := command(["install"])) != 0:
        return code
    print(_READY)
    return 0
