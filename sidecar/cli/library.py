"""What is asked of the library on the command line: `docsidecar search`, `list`, `outline`, `grep` and `read`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sidecar.api.contents import ResourceContent
from sidecar.api.errors import UnavailableError, UsageError
from sidecar.api.library import Library
from sidecar.api.records import (
    DocumentInfo,
    DocumentPage,
    GrepAnswer,
    GrepQuery,
    Narrowing,
    OutlineWindow,
    SearchAnswer,
)
from sidecar.api.uris import format_uri
from sidecar.cli.output import NO_FOLDER, Commands, emphasised, print_error, print_json, print_table, show
from sidecar.config import Overrides, load
from sidecar.toolkit.answers.notices import lacking_text
from sidecar.toolkit.text import with_filters

_MAX_DOCUMENTS = 1_000_000
"""A terminal pages by itself."""
_NOTHING = "nothing is indexed yet; `docsidecar index --once` indexes the folders, `docsidecar status` names them."


def register(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    search = commands.add_parser(
        "search", parents=[shared], help="search the documents",
        description='Words, "phrases", -word, and filters: type:word, folder:reports, from:anna, after:2024-01-31.',
    )  # fmt: skip
    search.add_argument("query", nargs="+", metavar="QUERY")
    search.add_argument("--limit", type=int, default=10, help="most results to show (1-50, default 10)")
    search.add_argument("--document", metavar="SLUG", help="search in this document only")
    search.add_argument("--in", dest="inside", metavar="PATH", help="as folder:PATH in the query")
    search.add_argument("--type", metavar="TYPE", help="as type:TYPE: pdf, word, excel, slides, mail, code, …")
    search.add_argument("--after", metavar="DATE", help="as after:DATE: 2024-01-31")
    search.add_argument("--before", metavar="DATE", help="as before:DATE")
    search.add_argument("--sort", choices=("relevance", "newest"), help="the best first, or the latest")
    search.add_argument("--json", action="store_true", help="print JSON")
    search.set_defaults(run=_run_search)
    listing = commands.add_parser(
        "list", parents=[shared], help="list the documents",
        description="The documents by title, with the slug by which the other commands take them.",
    )  # fmt: skip
    listing.add_argument("--in", dest="inside", metavar="PATH", help="only those whose folder has this in its path")
    listing.add_argument("--type", metavar="TYPE", help="only these: pdf, word, excel, slides, mail, code, …")
    listing.add_argument("--state", metavar="STATE", help="only those in this state: indexed, damaged, encrypted, …")
    listing.add_argument("--changed-since", metavar="TIME", help="only those changed since: yesterday, 2024-01-31, …")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=_run_list)
    outline = commands.add_parser(
        "outline", parents=[shared], help="show a document's table of contents",
        description="The parts and sections of a document, with their URIs and about how many tokens each has.",
    )  # fmt: skip
    outline.add_argument("document", metavar="SLUG", help="the document's slug, doc_id or file name")
    outline.add_argument("--depth", type=int, default=2, help="how many levels below the parts (default 2)")
    outline.add_argument("--json", action="store_true", help="print JSON")
    outline.set_defaults(run=_run_outline)
    grep = commands.add_parser(
        "grep", parents=[shared], help="find a regular expression in the documents",
        description="Every match of a regular expression in the indexed text, with the URI of its place.",
    )  # fmt: skip
    grep.add_argument("pattern", metavar="PATTERN")
    grep.add_argument("--document", metavar="SLUG", help="in this document only")
    grep.add_argument("--path", help="only in documents whose path has this in it")
    grep.add_argument("-i", "--ignore-case", action="store_true", help="capitals and small letters alike")
    grep.add_argument("--context", type=int, default=0, metavar="N", help="lines around each match (0-10)")
    grep.add_argument("--files-only", dest="shown", action="store_const", const="files", help="name the files alone")
    grep.add_argument(
        "--count", dest="shown", action="store_const", const="count", help="how many matches each file has"
    )
    grep.add_argument("--limit", type=int, default=100, help="most matches, or files, to show (default 100)")
    grep.add_argument("--json", action="store_true", help="print JSON")
    grep.set_defaults(run=_run_grep)
    read = commands.add_parser(
        "read", parents=[shared], help="print a resource, such as document://annual-report",
        description="Print a resource: document://SLUG is the outline, which lists the parts and their URIs.",
    )  # fmt: skip
    read.add_argument("uri", metavar="URI", help="a URI, or a document's slug: its whole text")
    read.add_argument("-o", "--output", type=Path, metavar="FILE", help="write into this file (needed for pictures)")
    read.add_argument("--json", action="store_true", help="print URI, MIME type and size of each content instead")
    read.set_defaults(run=_run_read)


async def _need_documents(library: Library) -> None:
    """Raise UnavailableError where nothing is indexed yet: that nothing is found would say that it is not there. What
    is wrong with a folder is told in any case."""
    folders: list[dict[str, str]] = (await library.status())["folders"]
    wrong = " ".join(folder["problem"] for folder in folders if folder.get("problem"))
    if not (await library.documents(page_size=1)).total:
        raise UnavailableError(
            wrong or await library.progress() or (_NOTHING if folders else f"nothing is indexed yet: {NO_FOLDER}")
        )
    if wrong:
        print_error(wrong, 0)


def _state(info: DocumentInfo) -> str:
    """A document's state, and of one that could be read what its text lacks."""
    return info.state if info.state != "indexed" else lacking_text(info.notices, info.parts, info.tokens) or info.state


def _run_search(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the results; exit code 1 when there are none."""
    from sidecar import app

    if not 1 <= arguments.limit <= 50:
        raise UsageError(f"--limit is {arguments.limit}; it must be from 1 to 50.")

    async def ask(application: app.Application) -> tuple[SearchAnswer, str]:
        await _need_documents(application.library)
        query = with_filters(
            " ".join(arguments.query), folder=arguments.inside, type=arguments.type, after=arguments.after,
            before=arguments.before, sort=arguments.sort,
        )  # fmt: skip
        answer = await application.library.search(query, arguments.limit, arguments.document)
        return answer, await application.library.progress()

    answer, progress = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json(
            {
                "results": [*answer.hits],
                "mode": answer.mode,
                "ranked": answer.ranked,
                "remark": answer.remark or progress,
            }
        )
        return 0 if answer.hits else 1
    for remark in filter(None, (answer.remark, answer.ranked, progress)):
        print_error(remark, 0)
    for hit in answer.hits:
        place = f" p. {hit.page}" if hit.page else ""
        weak = "  [weak]" if hit.weak else ""
        facts = (show(hit.path), hit.date[:10] if hit.own_date or answer.by_date else "", show(hit.sender), hit.lacking)
        print(f"{show(hit.title)}{place}{weak}\n  {hit.uri}\n  {', '.join(filter(None, facts))}")
        print(f"  {emphasised(show(hit.snippet))}\n")
    if answer.hits:
        return 0
    return 1 if answer.remark else print_error("nothing found; try fewer or other words.", 1)


def _run_list(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the documents; exit code 1 when there are none."""
    from sidecar import app

    async def ask(application: app.Application) -> tuple[DocumentPage, str]:
        await _need_documents(application.library)
        narrowing = Narrowing(arguments.inside, arguments.type, arguments.state, arguments.changed_since)
        sort_by = "title" if arguments.changed_since is None else "modified"
        page = await application.library.documents(1, _MAX_DOCUMENTS, sort_by, narrowing)
        return page, await application.library.progress()

    page, progress = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json({"documents": page.documents, "total": page.total, "removed": page.removed})
    elif page.documents:
        rows = [(one.slug, one.title, one.parts, one.modified[:10], _state(one), one.path) for one in page.documents]
        print_table(("SLUG", "TITLE", "PARTS", "CHANGED", "STATE", "PATH"), rows)
    for one in () if arguments.json else page.removed:
        print(f"removed: {show(one.path or one.name)} (document://{one.doc_id})")
    if progress:
        print_error(progress, 0)
    return (
        0
        if page.documents or page.removed
        else print_error("no document is there; `docsidecar status` says what is indexed.", 1)
    )


def _run_outline(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the table of contents."""
    from sidecar import app

    async def ask(application: app.Application) -> OutlineWindow:
        await _need_documents(application.library)
        return await application.library.outline(arguments.document, arguments.depth)

    entries = app.run_command(load(overrides), ask).entries
    if arguments.json:
        print_json({"entries": entries})
        return 0
    for entry in entries:
        print(f"{'  ' * entry.level}{show(entry.title) or '(untitled)'}  {entry.uri}  {entry.tokens:,} tokens")
    return 0


def _run_grep(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print the matches; exit code 1 when there are none."""
    from sidecar import app

    if arguments.limit < 1:
        raise UsageError(f"--limit is {arguments.limit}; it must be 1 or more.")
    if not 0 <= arguments.context <= 10:
        raise UsageError(f"--context is {arguments.context}; it must be from 0 to 10.")

    async def ask(application: app.Application) -> GrepAnswer:
        await _need_documents(application.library)
        query = GrepQuery(
            pattern=arguments.pattern, doc=arguments.document, path=arguments.path, ignore_case=arguments.ignore_case,
            limit=arguments.limit, context=arguments.context, show=arguments.shown or "lines",
        )  # fmt: skip
        return await application.library.grep(query)

    answer = app.run_command(load(overrides), ask)
    if arguments.json:
        print_json(
            {"matches": answer.hits, "files": answer.files, "complete": answer.complete, "remark": answer.remark}
        )
        return 0 if answer.hits or answer.files else 1
    for file in answer.files:
        print(f"{show(file.path)}{f': {file.matches}' if arguments.shown == 'count' else ''}")
    for hit in answer.hits:
        print("\n".join((*map(_context, hit.before), f"{hit.uri}: {show(hit.line)}", *map(_context, hit.after))))
    if answer.remark:
        print_error(answer.remark, 0)
    return 0 if answer.hits or answer.files else print_error("no match.", 1)


def _context(line: str) -> str:
    """A line around a match."""
    return f"    {show(line)}"


def _run_read(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print or write the contents."""
    from sidecar import app

    if not arguments.uri.strip():
        raise UsageError("nothing is named to read; give a URI or a document's slug, which `docsidecar list` shows.")

    async def ask(application: app.Application) -> tuple[ResourceContent, ...]:
        uri = arguments.uri
        if "://" not in uri:
            await _need_documents(application.library)
            uri = format_uri("document", (await application.library.document(uri)).slug, suffix="md")
        return await application.library.read(uri)

    contents = app.run_command(load(overrides), ask)
    pieces = [item.data if item.data is not None else (item.text or "").encode() for item in contents]
    if arguments.json:
        print_json(
            [
                {"uri": item.uri, "mime_type": item.media_type, "bytes": len(piece)}
                for item, piece in zip(contents, pieces, strict=True)
            ]
        )
        return 0
    binary = any(item.data is not None for item in contents)
    if arguments.output is not None:
        try:
            arguments.output.write_bytes((b"" if binary else b"\n").join(pieces))
        except OSError as error:
            return print_error(f"{arguments.output} cannot be written: {error.strerror}.", 1)
        return 0
    if binary and sys.stdout.isatty():
        raise UsageError("this resource is binary; write it into a file with -o FILE.")
    sys.stdout.flush()
    sys.stdout.buffer.write((b"" if binary else b"\n").join(pieces))
    if not binary:
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
    return 0
