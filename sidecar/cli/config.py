"""`docsidecar config path|show|check`: where the configuration is, what is in force, whether it is right."""

from __future__ import annotations

import argparse
import os
from typing import Any

from sidecar.cli.output import complain, print_json
from sidecar.config import Overrides, config_path, describe, load


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "config", parents=[shared], help="show or check the configuration",
        description="path: where the file is. show: what is in force, as JSON (secrets masked). check: verify it.",
    )  # fmt: skip
    parser.add_argument("what", choices=("path", "show", "check"), nargs="?", default="show")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Answer the question; a broken file is a ConfigError, which the caller reports with exit code 2."""
    if arguments.what == "path":
        print(config_path(overrides, os.environ))
        return 0
    config = load(overrides)
    if arguments.what == "show":
        print_json(describe(config))
        return 0
    problems = config.folder_problems()
    for problem in problems:
        complain(problem, 1)
    if not config.folders:
        print(f"{config.source} is right, but no folder is watched yet; add one with `docsidecar add FOLDER`.")
    elif not problems:
        print(f"{config.source} is right: {len(config.folders)} folder(s) watched.")
    return 1 if problems else 0
