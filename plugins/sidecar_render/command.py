"""The command `docsidecar render`: a Markdown file to a PDF, SVG or PNG beside it."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import cast

from sidecar.api import Command, Services, UsageError
from sidecar_render.artifacts import Artifact, Artifacts
from sidecar_render.model import OutputFormat
from sidecar_render.rendering import Renderer

_FORMATS = ("pdf", "svg", "png")


def render_command(renderer: Renderer, artifacts: Artifacts) -> Command:
    """`docsidecar render FILE [-o OUT] [--format pdf|svg|png] [--quill NAME]`."""

    async def run(arguments: argparse.Namespace, services: Services) -> int:
        source: Path = arguments.file
        markdown = await asyncio.to_thread(read_file, source)
        suffix = arguments.output.suffix[1:].lower() if arguments.output else ""
        form = arguments.format or (suffix if suffix in _FORMATS else "pdf")
        with services.working(f"rendering {source.name}"):
            artifact = await renderer.render(
                services, markdown, cast(OutputFormat, form.upper()), arguments.quill or "", source.parent
            )
        return await write_artifact(artifacts, services, artifact, arguments.output or source.with_suffix(f".{form}"))

    return Command("render", "render a Markdown file to PDF, SVG or PNG", run, _options)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the Markdown file")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="where to write (default: beside FILE)")
    parser.add_argument("--format", choices=_FORMATS, help="default: by the suffix of OUT, else pdf")
    parser.add_argument("--quill", metavar="NAME", help="a quill of yours, name or name@version")


def read_file(path: Path) -> str:
    """The text of a file that the command line names. Raises UsageError."""
    try:
        return path.read_text("utf-8-sig", "replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error


async def write_artifact(artifacts: Artifacts, services: Services, artifact: Artifact, target: Path) -> int:
    """Write what was made to `target`, and say where it is and what was wrong; gives the exit code."""
    found = await artifacts.get(services, artifact.id)
    written = await asyncio.to_thread(_write_items, target, found[1] if found else ())
    for item in artifact.warnings:
        sys.stderr.write(f"warning: {item.sentence()}\n")
    sys.stdout.write("".join(f"{path}\n" for path in written))
    return 0


def _write_items(target: Path, items: tuple[bytes, ...]) -> list[Path]:
    """One file; several (pages of SVG or PNG, tables as CSV) get their number before the suffix. Raises UsageError."""
    paths = (
        [target]
        if len(items) == 1
        else [target.with_name(f"{target.stem}-{number}{target.suffix}") for number in range(1, len(items) + 1)]
    )
    for path, item in zip(paths, items, strict=True):
        try:
            path.write_bytes(item)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
    return paths
