"""`docsidecar add FOLDER` and `docsidecar remove FOLDER`: edit the configuration's list of watched folders."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from sidecar.cli.config_file import add_folder, remove_folder
from sidecar.cli.output import complain
from sidecar.config import Overrides, config_path


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add both commands to the parser."""
    add = commands.add_parser("add", parents=[shared], help="watch a folder", description="Watch a folder from now on.")
    add.add_argument("path", type=Path, metavar="FOLDER", help="the folder to watch")
    add.set_defaults(run=run_add)
    remove = commands.add_parser(
        "remove", parents=[shared], help="stop watching a folder",
        description="Stop watching a folder. Its files stay untouched; its documents leave the index.",
    )  # fmt: skip
    remove.add_argument("path", type=Path, metavar="FOLDER", help="the folder, as `docsidecar config show` lists it")
    remove.set_defaults(run=run_remove)


def run_add(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Add the folder and say so."""
    file = config_path(overrides, os.environ)
    path = arguments.path.expanduser().absolute()
    if not add_folder(file, arguments.path):
        print(f"{path} is watched already ({file}).")
        return 0
    print(f"Watching {path} from now on ({file}). Index it now with `docsidecar index --once`.")
    return 0


def run_remove(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Remove the folder and say so; exit code 1 when it was not watched."""
    file = config_path(overrides, os.environ)
    if not remove_folder(file, arguments.path):
        path = arguments.path.expanduser().absolute()
        return complain(f"{path} is not among the watched folders; `docsidecar config show` lists them.", 1)
    print(f"{arguments.path.expanduser().absolute()} is no longer watched; its files are untouched.")
    return 0
