"""What the rendering tests share: a client on the application in process, renderings and their text, quills."""

from __future__ import annotations

import asyncio
import base64
import re
import tempfile
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import mcp_types as types
import pypdfium2
from mcp.client.client import Client
from sidecar_render.model import Plan, Rendering, RenderJob, RenderLimits
from sidecar_render.worker import plan
from sidecar_render.worker import render as render_here
from support.clients.harness import Heard, text_of
from support.clients.opened import Opened, World

from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier

Scenario = Callable[[Client, Application], Awaitable[None]]


@asynccontextmanager
async def _indexed(home: Path, settings: dict[str, Any]) -> AsyncGenerator[World]:
    folder = home / "documents"
    folder.mkdir(exist_ok=True)
    config = Config(folders=(Folder(folder),), data_dir=home / "data")
    budget = settings.pop("budget_tokens", 8000)
    config = replace(config, server=replace(config.server, budget_tokens=budget), plugin_settings={"render": settings})
    async with open_application(config) as application:
        await application.indexer.scan_once()
        readiness, notifier = Readiness(), Notifier()
        application.signals.resources_changed = notifier.resources_changed
        readiness.ready(application.backend())
        telling = asyncio.create_task(notifier.run())
        try:
            yield application, build_server(readiness, notifier), notifier
        finally:
            telling.cancel()


def opened(home: Path, **settings: Any) -> Opened:
    """The folder `documents` of that directory, indexed, with these settings of the plugin."""
    return Opened(home, lambda: _indexed(home, settings))


def play(
    home: Path | Opened, scenario: Scenario, era: str = "auto", heard: Heard | None = None, **settings: Any
) -> None:
    """Connect a client in that era to what is open, or is opened for this alone with these settings, and play."""
    if not isinstance(home, Opened):
        with opened(home, **settings) as alone:
            play(alone, scenario, era, heard)
        return
    application = home.application
    home.play(lambda client: scenario(client, application), era, message_handler=heard, cache=None)


async def render(client: Client, markdown: str, form: str = "PDF", **more: Any) -> dict[str, Any]:
    """The structured answer of a rendering that succeeds."""
    answer = await client.call_tool("render_document", {"markdown": markdown, "output_format": form, **more})
    assert not answer.is_error, text_of(answer)
    found: dict[str, Any] = answer.structured_content
    assert found["success"] is True
    return found


async def failure(client: Client, markdown: str, **more: Any) -> tuple[str, dict[str, Any]]:
    """The sentence and the structured answer of a rendering that is refused."""
    answer = await client.call_tool("render_document", {"markdown": markdown, **more})
    assert answer.is_error
    text = text_of(answer)
    assert text.startswith("Error: ")
    assert "Traceback" not in text
    return text, answer.structured_content or {}


async def blobs(client: Client, uri: str) -> list[bytes]:
    """The bytes of a resource's items."""
    items = (await client.read_resource(uri)).contents
    return [
        base64.b64decode(item.blob) if isinstance(item, types.BlobResourceContents) else item.text.encode()
        for item in items
    ]


async def pdf_text(client: Client, answer: dict[str, Any]) -> list[str]:
    """The text of each page of a rendered PDF."""
    return pages_of((await blobs(client, answer["artifacts"][0]["resource_uri"]))[0])


def pages_of(data: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(data)
    try:
        return [document[at].get_textpage().get_text_bounded().replace("\r\n", "\n") for at in range(len(document))]
    finally:
        document.close()


def drawn(markdown: str, form: str = "PDF") -> Rendering:
    """A rendering by the worker's own functions, in this process and without bounds."""
    planned = plan(markdown, "", (), RenderLimits(0))
    assert isinstance(planned, Plan)
    with tempfile.TemporaryDirectory() as scratch:
        made = render_here(
            RenderJob(markdown, "PDF" if form == "PDF" else "PNG", planned, scratch, {}, RenderLimits(0))
        )
    assert isinstance(made, Rendering), made
    return made


def inflated(data: bytes) -> bytes:
    """A PDF's objects with the compressed streams of objects opened (ISO 32000-1, 7.5.7)."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    opened = [data]
    for stream in streams:
        try:
            opened.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"\n".join(opened)


def write_quill(folder: Path, name: str, plate: str, fields: str = "{}") -> Path:
    """A user's quill."""
    home = folder / name
    home.mkdir(parents=True)
    (home / "Quill.yaml").write_text(
        f'quill:\n  name: {name}\n  version: "1.0.0"\n  backend: typst\n  description: A quill for tests\n'
        f"main:\n  fields: {fields}\ncard_kinds:\n  quote:\n    fields: {{author: {{type: string}}}}\n"
        "typst:\n  plate_file: plate.typ\n"
    )
    (home / "plate.typ").write_text(f'#import "@local/quillmark-helper:0.1.0": data\n{plate}')
    return home
