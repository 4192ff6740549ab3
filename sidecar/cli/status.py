"""`docsidecar status`: what the index holds and who keeps it up to date."""

from __future__ import annotations

import argparse
from typing import Any

from sidecar.cli.output import print_json
from sidecar.config import Overrides, load


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "status", parents=[shared], help="what the index holds",
        description="What the index holds, how far indexing is, and which process keeps it up to date.",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON, as the tool get_library_status answers")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the status."""
    from sidecar import app

    async def ask(application: app.Application) -> dict[str, Any]:
        return await application.library.status()

    report = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json(report)
        return 0
    print(f"{report['indexed']:,} documents indexed ({report['state']})")
    for state, count in sorted(report["states"].items()):
        print(f"  {state}: {count:,}")
    if secrets := report.get("secrets"):
        print(f"{secrets['how']}")
        for path in secrets["files"]:
            print(f"  secret: {path}")
    for folder in report["folders"]:
        remark = f" ({folder['problem']})" if folder.get("problem") else ""
        print(f"folder: {folder['path']}{remark}")
    if not report["folders"]:
        print("no folder is watched yet; add one with `docsidecar add FOLDER`.")
    print(f"configuration: {report['config']['source']}")
    if report["config"].get("error"):
        print(f"  broken: {report['config']['error']}")
    if report.get("confinement"):
        print(f"workers: {report['confinement']}")
    holder = report["lease"].get("holder_pid")
    print(f"kept up to date by: {f'process {holder}' if holder else 'nobody just now'}")
    return 0
