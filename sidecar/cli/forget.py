"""`docsidecar forget FOLDER|--all`: what was indexed of a folder is erased from every file of the data directories."""

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sidecar.api import SidecarError
from sidecar.cli.config_file import remove_folder
from sidecar.cli.output import Commands, confirm, is_interactive, print_error
from sidecar.cli.progress import Steps
from sidecar.config import Config, Overrides, config_path, data_dirs, load

if TYPE_CHECKING:
    from sidecar.store.erasing import Erasure


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "forget", parents=[shared], help="erase what was indexed of a folder, or everything",
        description="Stop watching a folder and erase what was indexed of it: documents, former versions, tables, "
        "embeddings, the caches and rendered artifacts of all folders, logs, copies of damaged indexes. Your own files "
        "stay untouched. Other docsidecar processes may be running.",
    )  # fmt: skip
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("path", type=Path, nargs="?", metavar="FOLDER", help="the folder to forget")
    what.add_argument("--all", action="store_true", dest="everything", help="all folders")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask first")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Erase and say what is left; exit code 1 when something is, or a data directory could not be erased."""
    before = load(overrides)
    folder = None if arguments.everything else Path(os.path.normpath(arguments.path.expanduser().absolute()))
    spelt = os.path.normcase
    named = [one.path for one in before.folders if folder is None or spelt(one.path) == spelt(folder)]
    folder = next(iter(named), folder) if folder is not None else None
    what = f"what was indexed of {folder}" if folder is not None else "all that was indexed"
    question = f"erase {what}, former versions and rendered artifacts too?"
    if not arguments.yes and is_interactive() and not confirm(question, default=False):
        return print_error("nothing was forgotten.", 1)
    file = config_path(overrides, os.environ)

    def unlist() -> None:
        for path in named:
            remove_folder(file, path)

    config = replace(before, folders=tuple(one for one in before.folders if one.path not in named))
    # One that was only just removed is looked for in full; pathlib's `exists` raises where a mount is broken.
    known = folder is None or bool(named) or os.path.exists(folder)  # noqa: PTH110
    codes: list[int | None] = []
    for number, data_dir in enumerate(data_dirs(overrides, os.environ)):
        if (data_dir / "index.db").exists():
            folders = config.folders if data_dir == before.data_dir else ()
            there = replace(config, data_dir=data_dir, folders=folders)
            codes.append(_erase(there, folder, unlist, only_if_there=number > 0 or not known))
    if not known and not any(code is not None for code in codes):
        return print_error(
            f"{folder} is not a folder, and nothing of it is indexed; `docsidecar status` names the watched ones.", 1
        )
    code = max((code or 0 for code in codes), default=0)
    if not code:
        unlist()  # where nothing is indexed yet
    _print_remaining(config, file)
    return code


def _erase(config: Config, folder: Path | None, unlist: Callable[[], None], *, only_if_there: bool) -> int | None:
    """Erase it from one data directory; gives the exit code, None when nothing of it was there."""
    from sidecar import app
    from sidecar.ingest.watching.preview import counted

    async def work(application: "app.Application") -> "Erasure | None":
        with Steps() as steps:
            return await application.forget(folder, unlist, steps.show, only_if_there=only_if_there)

    try:
        erasure = app.run_command(config, work)
    except SidecarError as error:
        return print_error(f"{config.data_dir}: {error}", 1)
    if erasure is None:
        return None
    what = str(folder) if folder is not None else "every folder"
    print(
        f"{config.data_dir}: {counted(erasure.documents)} of {what} forgotten; {_size(erasure.before)} are "
        f"{_size(erasure.after)} now. Emptied too: caches and rendered artifacts{_listed(erasure.files)}."
    )
    if erasure.left:
        return print_error(
            f"words of it are left in {', '.join(erasure.left)}; end the other docsidecar processes and forget again.",
            1,
        )
    print(f"{erasure.words} of its words and paths were looked for in all files there: none is left.")
    return 0


def _print_remaining(config: Config, file: Path) -> None:
    if config.folders:
        print(f"Still watched: {', '.join(str(one.path) for one in config.folders)} ({file}).")
    else:
        print(f"No folder is watched any more ({file}).")
    print(
        "A client that starts docsidecar with --folder indexes that folder again; `docsidecar uninstall` takes it out."
    )


def _listed(names: Sequence[str]) -> str:
    return "".join(f", {name}" for name in names)


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"
