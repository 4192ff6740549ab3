"""`docsidecar list`, `outline` and `grep`: what is there, what a document consists of, and where a pattern stands."""

from __future__ import annotations

import argparse
from typing import Any

from sidecar.api import DocumentPage, GrepAnswer, OutlineEntry
from sidecar.cli.output import complain, print_json, print_table, show
from sidecar.config import Overrides, load

_MOST = 1_000_000
"""A terminal pages by itself."""


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    listing = commands.add_parser(
        "list", parents=[shared], help="list the documents",
        description="The documents by title, with the slug by which the other commands take them.",
    )  # fmt: skip
    listing.add_argument("--in", dest="inside", metavar="PATH", help="only those whose folder has this in its path")
    listing.add_argument("--type", metavar="TYPE", help="only these: pdf, word, excel, slides, mail, code, …")
    listing.add_argument("--state", metavar="STATE", help="only those in this state: indexed, damaged, encrypted, …")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=run_list)
    outline = commands.add_parser(
        "outline", parents=[shared], help="show a document's table of contents",
        description="The parts and sections of a document, with their URIs and about how many tokens each has.",
    )  # fmt: skip
    outline.add_argument("document", metavar="SLUG", help="the document's slug, doc_id or file name")
    outline.add_argument("--depth", type=int, default=2, help="how many levels below the parts (default 2)")
    outline.add_argument("--json", action="store_true", help="print JSON")
    outline.set_defaults(run=run_outline)
    grep = commands.add_parser(
        "grep", parents=[shared], help="find a regular expression in the documents",
        description="Every match of a regular expression in the indexed text, with the URI of its place.",
    )  # fmt: skip
    grep.add_argument("pattern", metavar="PATTERN")
    grep.add_argument("--document", metavar="SLUG", help="in this document only")
    grep.add_argument("--path", help="only in documents whose path has this in it")
    grep.add_argument("-i", "--ignore-case", action="store_true", help="capitals and small letters alike")
    grep.add_argument("--limit", type=int, default=100, help="most matches to show (default 100)")
    grep.add_argument("--json", action="store_true", help="print JSON")
    grep.set_defaults(run=run_grep)


def run_list(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the documents; exit code 1 when there are none."""
    from sidecar import app

    async def ask(application: app.Application) -> tuple[DocumentPage, str]:
        page = await application.library.documents(
            1, _MOST, folder=arguments.inside, kind=arguments.type, state=arguments.state
        )
        return page, await application.library.progress()

    page, progress = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json({"documents": page.documents, "total": page.total})
    elif page.documents:
        rows = [(one.slug, one.title, one.parts, one.modified[:10], one.state, one.path) for one in page.documents]
        print_table(("SLUG", "TITLE", "PARTS", "CHANGED", "STATE", "PATH"), rows)
    if progress:
        complain(progress, 0)
    return 0 if page.documents else complain("no document is there; `docsidecar status` says what is indexed.", 1)


def run_outline(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the table of contents."""
    from sidecar import app

    async def ask(application: app.Application) -> tuple[OutlineEntry, ...]:
        return await application.library.outline(arguments.document, arguments.depth)

    entries = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json({"entries": entries})
        return 0
    for entry in entries:
        print(f"{'  ' * entry.level}{show(entry.title) or '(untitled)'}  {entry.uri}  {entry.tokens:,} tokens")
    return 0


def run_grep(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the matches; exit code 1 when there are none."""
    from sidecar import app

    async def ask(application: app.Application) -> GrepAnswer:
        return await application.library.grep(
            arguments.pattern, arguments.document, arguments.path, ignore_case=arguments.ignore_case,
            limit=max(arguments.limit, 1),
        )  # fmt: skip

    answer = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json({"matches": answer.hits, "complete": answer.complete, "remark": answer.remark})
        return 0 if answer.hits else 1
    for hit in answer.hits:
        print(f"{hit.uri}: {show(hit.line)}")
    if answer.remark:
        complain(answer.remark, 0)
    return 0 if answer.hits else complain("no match.", 1)
