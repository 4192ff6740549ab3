"""`docsidecar status`: what the index holds and who keeps it up to date; `--watch` follows it while it changes."""

import argparse
import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING, Any

from sidecar.cli.output import Commands, print_json, show
from sidecar.cli.progress import Bar, on_terminal, print_above
from sidecar.config import Overrides, load

if TYPE_CHECKING:
    from sidecar import app

_LOOK_SECONDS = 0.5
_NOTHING = {"done": 0, "total": 0}
_FAILURES = 1000
"""Failed files that are told one by one."""


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "status", parents=[shared], help="what the index holds",
        description="What the index holds, how far indexing is, and which process keeps it up to date.",
    )  # fmt: skip
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print JSON, as the tool get_library_status answers")
    how.add_argument(
        "--watch", action="store_true", help="follow reading and embedding, with the time left, and what fails"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the status, once or until interrupted."""
    from sidecar import app

    config = load(overrides)
    if arguments.watch:
        with contextlib.suppress(KeyboardInterrupt):
            app.run_command(config, _watch)
        return 0

    async def ask(application: "app.Application") -> dict[str, Any]:
        return await application.library.status()

    report = app.run_command(config, ask)
    if arguments.json:
        print_json(report)
    else:
        _print_report(report)
    return 0


def _print_report(report: dict[str, Any]) -> None:
    print(f"{report['indexed']:,} documents indexed ({report['state']})")
    for state, count in sorted(report["states"].items()):
        print(f"  {state}: {count:,}")
    if embedded := report.get("embedded"):
        print(f"searchable by meaning: {embedded['done']:,} of {embedded['total']:,} texts")
    if secrets := report.get("secrets"):
        print(secrets["how"])
        for path in secrets["files"]:
            print(f"  secret: {path}")
    for folder in report["folders"]:
        remark = f" ({folder['problem']})" if folder.get("problem") else ""
        print(f"folder: {folder['path']}{remark}")
    for remark in report.get("remarks", ()):
        print(remark)
    print(f"configuration: {report['config']['source']}")
    if report["config"].get("error"):
        print(f"  broken: {report['config']['error']}")
    if report.get("confinement"):
        print(f"workers: {report['confinement']}")
    print(f"kept up to date by: {_holder(report)}")


def _holder(report: dict[str, Any]) -> str:
    holder = report["lease"].get("holder_pid")
    return f"process {holder}" if holder else "nobody just now"


async def _watch(application: "app.Application") -> None:
    """Follow the index until interrupted: bars on a terminal, a line for each change elsewhere."""
    reading, embedding = Bar("reading", "files"), Bar("embedding", "texts", row=1)
    reported: set[tuple[str, str]] = set()
    shown = ""
    try:
        while True:
            report = await application.library.status()
            unread, _ = await application.library.unread(0, _FAILURES)
            new = [one for one in unread if (one.path, one.state) not in reported]
            reported.update((one.path, one.state) for one in new)
            _print([f"{one.state}: {show(one.path)}: {show(one.reason)}" for one in new])
            if (sentence := _sentence(report)) != shown:
                shown = sentence
                _print([sentence])
            _draw(report, application.indexer.progress.current, reading, embedding)
            await asyncio.sleep(_LOOK_SECONDS)
    finally:
        reading.close()
        embedding.close()


def _draw(report: dict[str, Any], current: str, reading: Bar, embedding: Bar) -> None:
    if report["state"] == "indexing" and report["pending"]:
        reading.show(report["total"] - report["pending"], report["total"], current)
    else:
        reading.close()
    embedded: dict[str, Any] = report.get("embedded") or _NOTHING
    if embedded["done"] < embedded["total"]:
        embedding.show(embedded["done"], embedded["total"])
    else:
        embedding.close()


def _sentence(report: dict[str, Any]) -> str:
    """What is going on, in words that change with it and not with every file."""
    holder = _holder(report)
    if report["state"] == "indexing":
        return f"{holder} is reading."
    nobody = not report["lease"].get("holder_pid")
    by_whom = "nobody indexes just now" if nobody else f"kept up to date by {holder}"
    if not report["indexed"]:
        return f"No document is indexed yet; {by_whom}."
    embedded: dict[str, Any] = report.get("embedded") or _NOTHING
    if embedded["done"] < embedded["total"]:
        doing = by_whom if nobody else f"{holder} is making the rest searchable by meaning"
        return f"All {report['indexed']:,} documents are searchable by their words; {doing}."
    return f"All {report['indexed']:,} documents are searchable; {by_whom}."


def _print(lines: list[str]) -> None:
    if on_terminal():
        print_above(lines)
    else:
        for line in lines:
            print(line)
        sys.stdout.flush()
