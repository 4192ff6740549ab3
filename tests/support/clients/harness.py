"""What the end-to-end tests share: folders of real files, a sidecar in a subprocess or in process, both eras."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import re
import time
import warnings
import zipfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPDeprecationWarning
from support.clients.waiting import DEADLINE, until
from support.programs import forks, program

from sidecar.api import Limits
from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.server.handlers import Readiness, build_server
from sidecar.server.notifications import Notifier, Peer

ERAS = ("legacy", "auto")
"""The SDK client's modes: the handshake era, and discovery, which ends in 2026-07-28."""
COMMAND = (*program.PROGRAM, "serve")

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000020806000000"
    "72b60d24000000164944415478da63fccf50cf00024c0c0c0c8c0c0c0c000d2402016ef0c4d10000000049454e44ae426082"
)


def fill(folder: Path) -> None:
    """One document of each of the main formats, with words that are nowhere else."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "notes.md").write_text(
        "# Capybaras\n\nThe capybara rests by the river.\n\n## Food\n\nGrass and reeds.\n\n"
        "# Narwhals\n\nIn cold seas.\n"
    )
    (folder / "list.csv").write_text("animal,count\ncapybara,12\nnarwhal,7\n")
    (folder / "report.docx").write_bytes(docx())
    (folder / "figures.xlsx").write_bytes(xlsx())
    (folder / "talk.pptx").write_bytes(pptx())


def picture(width: int = 64, height: int = 32) -> bytes:
    """A PNG of that size."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), "white")
    ImageDraw.Draw(image).rectangle((2, 2, width - 3, height - 3), outline="red", fill="blue")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@cache
def docx() -> bytes:
    import docx as library

    document = library.Document()
    document.add_heading("Wombats", 1)
    document.add_paragraph("The wombat digs burrows.")
    document.add_picture(io.BytesIO(picture(600, 300)))
    document.add_paragraph("Figure 1. A wombat burrow", style="Caption")
    document.add_heading("Quokkas", 1)
    document.add_paragraph("The quokka smiles.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@cache
def xlsx() -> bytes:
    import openpyxl
    from openpyxl.chart import BarChart, Reference

    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Data"
    sheet.append(["species", "weight"])
    for row in (["wombat", 26.5], ["quokka", 3.2]):
        sheet.append(row)
    sheet["B4"] = "=SUM(B2:B3)"
    chart: Any = BarChart()
    chart.title = "Weights"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
    sheet.add_chart(chart, "D2")
    other: Any = book.create_sheet("Second sheet")
    other["A1"] = "echidna"
    out = io.BytesIO()
    book.save(out)
    return calculated(out.getvalue(), {"B4": "29.7"})


def calculated(data: bytes, results: Mapping[str, str]) -> bytes:
    """A workbook of openpyxl with the results of formulas on its first sheet, as a program that calculates stores
    them."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            text = given.read(name)
            for cell, result in results.items() if name == "xl/worksheets/sheet1.xml" else ():
                lacking = rf'(<c r="{cell}"[^>]*><f>[^<]*</f>)<v ?(?:/>|></v>)'
                text = re.sub(lacking.encode(), rb"\g<1><v>%s</v>" % result.encode(), text)
            made.writestr(name, text.replace(b' fullCalcOnLoad="1"', b""))
    return out.getvalue()


@cache
def pptx() -> bytes:
    import pptx as library

    deck = library.Presentation()
    for title, text in (("Platypus", "lays eggs"), ("Numbat", "eats termites")):
        slide: Any = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
        slide.notes_slide.notes_text_frame.text = f"Say something about the {title}."
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@dataclass
class Heard:
    """Notifications a client received; `wait` gives the first that fits, those received before included."""

    events: list[str] = field(default_factory=list[str])
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, event: str) -> None:
        self.events.append(event)
        self._more.set()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification):
            self.add("list")
        elif isinstance(message, types.ResourceUpdatedNotification):
            self.add(message.params.uri)

    async def wait(self, event: str) -> None:
        async with asyncio.timeout(DEADLINE):
            while event not in self.events:
                self._more.clear()
                await self._more.wait()

    def forget(self) -> None:
        self.events.clear()


@asynccontextmanager
async def hearing(client: Client, heard: Heard, *uris: str) -> AsyncGenerator[None]:
    """Subscribe to the list and those URIs in whichever way the client's era has."""
    if client.protocol_version < "2026":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)  # it is the era under test
            for uri in uris:
                await client.subscribe_resource(uri)  # pyright: ignore[reportDeprecated]
        yield
        return
    async with client.listen(resources_list_changed=True, resource_subscriptions=uris) as stream:

        async def follow() -> None:
            async for event in stream:
                heard.add(getattr(event, "uri", "list"))

        task = asyncio.create_task(follow())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def parameters(folder: Path, data: Path) -> StdioServerParameters:
    """How a client starts the sidecar on that folder."""
    return StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "--folder", str(folder), "--data-dir", str(data)], env=environment(data)
    )


def environment(data: Path) -> dict[str, str]:
    """The environment of a sidecar that must not see the configuration of whoever runs the tests."""
    return {**os.environ, "DOCSIDECAR_CONFIG": str(data.parent / "no-config.toml")}


@asynccontextmanager
async def subprocess_client(
    folder: Path, data: Path, era: str, heard: Heard | None = None, *, as_users_do: bool = False
) -> AsyncGenerator[Client]:
    """A real client on a real subprocess, which is forked unless it is to be started as users start it."""
    handler = heard if era == "legacy" else None  # in 2026-07-28 notices come by the streams that `hearing` opens
    client = Client(parameters(folder, data), mode=era, message_handler=handler)
    async with client if as_users_do else forked(client):
        yield client


@asynccontextmanager
async def forked(client: Client) -> AsyncGenerator[Client]:
    """The client, connected to a program of ours that is forked for it (`forks.py`)."""
    with forks.programs():
        await client.__aenter__()
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_exit(client)
        yield client


@asynccontextmanager
async def in_process(
    folder: Path, data: Path, *, limits: Limits | None = None, **server_settings: Any
) -> AsyncGenerator[tuple[Application, Server[Peer], Notifier]]:
    """The application over a folder that has been indexed once, its server and its notifier, without a subprocess."""
    config = Config(folders=(Folder(folder),), data_dir=data, limits=limits or Limits())
    if server_settings:
        from dataclasses import replace

        config = replace(config, server=replace(config.server, **server_settings))
    async with open_application(config) as application:
        await application.indexer.scan_once()
        readiness, notifier = Readiness(), Notifier()
        readiness.ready(application.backend())
        yield application, build_server(readiness, notifier), notifier


async def status(client: Client) -> dict[str, Any]:
    answer = await client.call_tool("get_library_status", {})
    assert not answer.is_error, answer.content
    found: dict[str, Any] = answer.structured_content
    return found


async def indexed(client: Client, count: int) -> dict[str, Any]:
    """Wait until that many documents are indexed and nothing is pending."""

    async def check() -> dict[str, Any] | None:
        found = await status(client)
        return found if found["state"] == "idle" and found["indexed"] == count else None

    return await until(check)


def text_of(result: types.CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))


def window_texts(result: types.CallToolResult) -> list[str]:
    """The text of each part of an answer of `read`: its first blocks, one a part."""
    parts: list[Any] = (result.structured_content or {})["parts"]
    return [block.text for block in result.content[: len(parts)] if isinstance(block, types.TextContent)]


async def read_text(client: Client, uri: str) -> str:
    content = (await client.read_resource(uri)).contents[0]
    assert isinstance(content, types.TextResourceContents)
    return content.text


class Raw:
    """A sidecar in a subprocess spoken to in bare lines, for what a well-behaved client never sends."""

    def __init__(self, folder: Path, data: Path) -> None:
        words = ("serve", "--folder", str(folder), "--data-dir", str(data))
        self.process = program.start(*words, environment=environment(data))

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def send(self, *lines: str | bytes | dict[str, Any]) -> None:
        assert self.process.stdin is not None
        for line in lines:
            text = json.dumps(line) if isinstance(line, dict) else line
            data = text.encode() if isinstance(text, str) else text
            self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """The next line that is not a notification."""
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, "the sidecar closed its output"
            message: dict[str, Any] = json.loads(line)
            if "method" not in message:
                return message

    def initialize(self) -> dict[str, Any]:
        self.send(
            {
                "jsonrpc": "2.0",
                "id": "init",
                "method": "initialize",
                "params": {
                    "protocolVersion": "2025-06-18",
                    "capabilities": {},
                    "clientInfo": {"name": "raw", "version": "1"},
                },
            }
        )
        found = self.answer()
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return found

    def call(self, name: str, arguments: dict[str, Any], request_id: int) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params})
        return self.answer()


def children(pid: int) -> set[int]:
    """Every process below that one (Linux, macOS, Windows through psutil)."""
    import psutil

    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


def alive(pids: set[int]) -> set[int]:
    import psutil

    found: set[int] = set()
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                found.add(pid)
    return found


def stop(pid: int) -> None:
    """Suspend a process, and wait until it is: it stops once it is about to run again."""
    import psutil

    process, until = psutil.Process(pid), time.monotonic() + DEADLINE
    process.suspend()
    while process.status() != psutil.STATUS_STOPPED:
        assert time.monotonic() < until, "it does not stop"


def uris_in(markdown: str) -> list[str]:
    """The link targets of a Markdown text."""
    return re.findall(r"\]\(([a-z]+://[^)\s]+)\)", markdown)
