"""`docsidecar search QUERY`: ask the index from the command line."""

from __future__ import annotations

import argparse
from typing import Any

from sidecar.api import SearchAnswer, UnavailableError, UsageError
from sidecar.cli.output import complain, emphasised, print_json, show
from sidecar.config import Overrides, load

_NOTHING = "nothing is indexed yet; `docsidecar index --once` indexes the folders, `docsidecar status` names them."


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "search", parents=[shared], help="search the documents",
        description='Words, "phrases", -word, and filters: type:word, folder:reports, from:anna, after:2024-01-31.',
    )  # fmt: skip
    parser.add_argument("query", nargs="+", metavar="QUERY")
    parser.add_argument("--limit", type=int, default=10, help="most results to show (1-50, default 10)")
    parser.add_argument("--document", metavar="SLUG", help="search in this document only")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the results; exit code 1 when there are none."""
    from sidecar import app

    if not 1 <= arguments.limit <= 50:
        raise UsageError(f"--limit is {arguments.limit}; it must be from 1 to 50.")

    async def ask(application: app.Application) -> tuple[SearchAnswer, str]:
        if not (await application.library.documents(page_size=1)).total:
            raise UnavailableError(await application.library.progress() or _NOTHING)
        answer = await application.library.search(" ".join(arguments.query), arguments.limit, arguments.document)
        return answer, await application.library.progress()

    answer, progress = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json(
            {"results": answer.hits, "mode": answer.mode, "ranked": answer.ranked, "remark": answer.remark or progress}
        )
        return 0 if answer.hits else 1
    for hit in answer.hits:
        place = f" p. {hit.page}" if hit.page else ""
        print(f"{show(hit.title)}{place}  [{hit.score:.2f}]\n  {hit.uri}\n  {emphasised(show(hit.snippet))}\n")
    for remark in filter(None, (answer.remark, answer.ranked, progress)):
        complain(remark, 0)
    return 0 if answer.hits else complain("nothing found; try fewer or other words.", 1)
