"""`docsidecar index [--once]`: bring the index up to date from the command line, with progress a person can follow."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from sidecar.cli.output import NO_FOLDER, Commands, print_error, print_json, show
from sidecar.cli.progress import Bar, ProgressDisplay
from sidecar.config import Overrides, load

if TYPE_CHECKING:
    from sidecar import app


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "index", parents=[shared], help="index the folders, and keep watching them unless --once",
        description="Index every document in the watched folders; then, without --once, keep the index up to date.",
    )  # fmt: skip
    parser.add_argument("--once", action="store_true", help="stop when everything is indexed")
    parser.add_argument("--embed", action="store_true", help="with --once: also embed all texts, for search by meaning")
    parser.add_argument("--json", action="store_true", help="with --once: print the report as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Index; exit code 1 when there is nothing to index or a folder cannot be read."""
    from sidecar import app

    config = load(overrides)
    if not config.folders:
        return print_error(NO_FOLDER, 1)
    problems = config.folder_problems()
    for problem in problems:
        print_error(problem, 1)

    async def once(application: "app.Application") -> dict[str, Any]:
        async with _with_progress(ProgressDisplay(quiet=arguments.json).follow(application.indexer)):
            report = await application.index_once()
        if arguments.embed:
            async with _with_progress(_follow_embedding(application, quiet=arguments.json)):
                report["embedded"] = await application.embed_once()
        return report

    if arguments.once:
        report = app.run_command(config, once, indexing=True)
        if arguments.json:
            print_json(report)
        else:
            _print_report(report)
        return 1 if problems else 0

    async def forever(application: "app.Application") -> None:
        progress = ProgressDisplay(quiet=False)
        await asyncio.gather(application.indexer.run(), progress.follow(application.indexer))

    with contextlib.suppress(KeyboardInterrupt):
        app.run_command(config, forever, indexing=True)
    return 0


@asynccontextmanager
async def _with_progress(work: Coroutine[Any, Any, None]) -> AsyncGenerator[None]:
    """Show progress meanwhile."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _follow_embedding(application: "app.Application", *, quiet: bool) -> None:
    bar = Bar("embedding", "texts", quiet=quiet)
    try:
        while application.semantic is not None:
            now = await application.semantic.status()
            bar.show(now["done"], now["total"])
            await asyncio.sleep(0.5)
    finally:
        bar.close()


def _print_report(report: dict[str, Any]) -> None:
    if report.get("remark"):
        print_error(report["remark"], 0)
    rate = report["files"] / report["seconds"] if report["seconds"] else 0.0
    print(f"{report['files']:,} files in {report['seconds']:.1f} s ({rate:,.0f} files/s)")
    for state, count in sorted(report["states"].items(), key=lambda item: -item[1]):
        print(f"  {state}: {count:,}")
    for failure in report["failures"]:
        print(f"  {failure['state']}: {show(failure['path'])}: {show(failure['reason'])}", file=sys.stderr)
