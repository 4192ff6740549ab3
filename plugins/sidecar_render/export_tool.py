"""The tool `export` and the command `docsidecar export`."""

import argparse
import asyncio
from pathlib import Path
from typing import Annotated, Any, cast, get_args

from pydantic import BeforeValidator, Field

from sidecar.api import Call, Command, Result, Services, Tool, UsageError
from sidecar.toolkit.settings import ToolArguments
from sidecar_render.artifacts import Artifacts
from sidecar_render.command import read_file, write_artifact
from sidecar_render.exporting import Exporter
from sidecar_render.model import upper
from sidecar_render.office.content import OfficeFormat
from sidecar_render.tools import answer_of

_FORMATS = tuple(name.lower() for name in get_args(OfficeFormat))


class ExportArguments(ToolArguments):
    """Arguments of `export`."""

    source: str = Field(min_length=1, description="SQL, table names, URIs, Markdown, or words to search for")
    format: Annotated[OfficeFormat, BeforeValidator(upper)]


def export_tool(exporter: Exporter) -> Tool[Any]:
    """`export(source, format)`."""

    async def export(call: Call, arguments: ExportArguments) -> Result:
        artifact = await exporter.export(call.services, arguments.source, arguments.format)
        return answer_of(artifact, call.budget)

    return Tool(
        "export", "Export", "Make an Office or CSV file with its sources. Returns a render:// URI.",
        ExportArguments, export, read_only=False,
    )  # fmt: skip


def export_command(exporter: Exporter, artifacts: Artifacts) -> Command:
    """`docsidecar export SOURCE -o OUT [--format docx|xlsx|pptx|csv]`."""

    async def run(arguments: argparse.Namespace, services: Services) -> int:
        target: Path = arguments.output
        suffix = target.suffix[1:].lower()
        form = arguments.format or suffix
        if form not in _FORMATS:
            raise UsageError(f"{target} does not show the format; name it .{', .'.join(_FORMATS)}, or give --format.")
        source: str = arguments.source
        if source.startswith("@"):
            source = await asyncio.to_thread(read_file, Path(source[1:]))
        with services.working(f"making {target.name}"):
            artifact = await exporter.export(services, source, cast(OfficeFormat, form.upper()))
        return await write_artifact(artifacts, services, artifact, target)

    return Command("export", "export a query, URIs, Markdown or search results to an Office file or CSV", run, _options)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="SOURCE", help="SQL, table names, URIs, words to search for, or @FILE of one or Markdown"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", required=True, help="where to write")
    parser.add_argument("--format", choices=_FORMATS, help="default: by the suffix of OUT")
