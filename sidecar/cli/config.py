"""`docsidecar config path|show|check`, `add FOLDER` and `remove FOLDER`: the configuration, shown and checked, and its
list of watched folders edited (`config_file`)."""

import argparse
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from sidecar.cli.config_file import add_folder, remove_folder
from sidecar.cli.output import Commands, confirm, is_interactive, print_error, print_json
from sidecar.cli.progress import Steps
from sidecar.config import Config, Folder, Overrides, config_path, load
from sidecar.toolkit.settings import mask


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    parser = commands.add_parser(
        "config", parents=[shared], help="show or check the configuration",
        description="path: where the file is. show: what is in force, as JSON (secrets masked). check: verify it.",
    )  # fmt: skip
    parser.add_argument("what", choices=("path", "show", "check"), nargs="?", default="show")
    parser.set_defaults(run=run)
    add = commands.add_parser("add", parents=[shared], help="watch a folder", description="Watch a folder from now on.")
    add.add_argument("path", type=Path, metavar="FOLDER", help="the folder to watch")
    add.set_defaults(run=_run_add)
    remove = commands.add_parser(
        "remove", parents=[shared], help="stop watching a folder",
        description="Stop watching a folder. Its files stay untouched; its documents leave the index.",
    )  # fmt: skip
    remove.add_argument("path", type=Path, metavar="FOLDER", help="the folder, as `docsidecar config show` lists it")
    remove.set_defaults(run=_run_remove)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Answer the question; a broken file is a ConfigError, which the caller reports with exit code 2."""
    if arguments.what == "path":
        print(config_path(overrides, os.environ))
        return 0
    config = load(overrides)
    if arguments.what == "show":
        print_json(describe(config))
        return 0
    from sidecar.cli.checks.library import checked_plugins

    problems = [f"{config.source}: {problem}" for problem in checked_plugins(config)[1]] + config.folder_problems()
    for problem in problems:
        print_error(problem, 1)
    if not config.folders and not problems:
        print(f"{config.source} is right, but no folder is watched yet; add one with `docsidecar add FOLDER`.")
    elif not problems:
        print(f"{config.source} is right: {len(config.folders)} folder(s) watched.")
    return 1 if problems else 0


def _run_add(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Add the folder and say so."""
    file = config_path(overrides, os.environ)
    path = arguments.path.expanduser().absolute()
    if _holds_everything(path) and not _agreed(path):
        return print_error(f"{path} is not watched; add the folders inside it that hold your documents.", 1)
    if path.is_dir():
        _preview(path, overrides)
    if not add_folder(file, arguments.path):
        print(f"{path} is watched already ({file}).")
        return 0
    print(f"Watching {path} from now on ({file}). Index it now with `docsidecar index --once`.")
    return 0


def _preview(path: Path, overrides: Overrides) -> None:
    """Say what indexing the folder will come to, before it begins: a sidecar that runs begins at once."""
    from sidecar.ingest.watching.preview import described, preview
    from sidecar.registry import load_formats

    config = load(replace(overrides, folders=(path,)))  # the file may not be there yet
    with Steps() as steps:
        steps.show(f"looking through {path}")
        formats = load_formats(config.plugins_disabled, config.plugin_settings)
        seen = preview(config, Folder(path), formats)
    for line in described(seen):
        print(line)


def _holds_everything(path: Path) -> bool:
    """Whether it is the top of a drive, a home folder, or what holds that."""
    path = Path(os.path.normpath(path))
    return path == Path(path.anchor) or Path.home().is_relative_to(path)


def _agreed(path: Path) -> bool:
    """Asks on a terminal; elsewhere a warning has to do."""
    warning = f"{path} holds everything you have: all documents in it will be read, and shown to assistants that ask"
    if not is_interactive():
        print_error(f"{warning}. `docsidecar remove {path}` undoes it.", 0)
        return True
    return confirm(f"{warning}. Watch it all the same?", default=False)


def _run_remove(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Remove the folder and say so; exit code 1 when it was not watched."""
    file = config_path(overrides, os.environ)
    if not remove_folder(file, arguments.path):
        path = arguments.path.expanduser().absolute()
        return print_error(f"{path} is not among the watched folders; `docsidecar config show` lists them.", 1)
    folder = Path(os.path.normpath(arguments.path.expanduser().absolute()))
    config = load(overrides)
    if (config.data_dir / "index.db").exists():
        from sidecar import app

        app.run_command(config, lambda application: application.forget_folder(folder))
    print(f"{folder} is no longer watched; its files are untouched.")
    print(f"Its last traces, in caches and logs, are erased by `docsidecar forget {folder}`.")
    return 0


def describe(config: Config) -> dict[str, Any]:
    """The configuration as plain data, for `config show`; settings whose names suggest a secret are masked."""
    return {
        "source": str(config.source) if config.source else None,
        "data_dir": str(config.data_dir),
        "folders": [asdict(folder) | {"path": str(folder.path)} for folder in config.folders],
        **{name: asdict(getattr(config, name)) for name in ("index", "limits", "server", "log")},
        "plugins": {
            "disabled": sorted(config.plugins_disabled),
            "allowed": sorted(config.plugins_allowed),
            "directory": str(config.plugin_directory),
            **mask(config.plugin_settings),
        },
        **mask(config.sections),
        "error": str(config.error) if config.error else None,
    }
