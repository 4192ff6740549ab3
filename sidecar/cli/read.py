"""`docsidecar read URI`: what a client would get for a resource, on stdout or into a file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from sidecar.api import ResourceContent, UsageError, format_uri
from sidecar.cli.output import complain, print_json
from sidecar.config import Overrides, load


def register(commands: Any, shared: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "read", parents=[shared], help="print a resource, such as document://annual-report",
        description="Print a resource: document://SLUG is the outline, which lists the parts and their URIs.",
    )  # fmt: skip
    parser.add_argument("uri", metavar="URI", help="a URI, or a document's slug: its whole text")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write into this file (needed for pictures)")
    parser.add_argument("--json", action="store_true", help="print URI, MIME type and size of each content instead")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, overrides: Overrides) -> int:
    """Print or write the contents."""
    from sidecar import app

    async def ask(application: app.Application) -> tuple[ResourceContent, ...]:
        uri = arguments.uri
        if "://" not in uri:
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
            return complain(f"{arguments.output} cannot be written: {error.strerror}.", 1)
        return 0
    if binary and sys.stdout.isatty():
        raise UsageError("this resource is binary; write it into a file with -o FILE.")
    sys.stdout.flush()
    sys.stdout.buffer.write((b"" if binary else b"\n").join(pieces))
    if not binary:
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
    return 0
