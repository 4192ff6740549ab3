"""The largest answer of each tool over a whole library, in tokens, structured content counted; none may be above.

usage: answer_budget.py [--data-dir DIR] [FOLDER]     (default: docs of the corpus in DOCSIDECAR_CORPUS)
Every tool of the library and of reading is called through a client on the wire, for every document it takes (or a
spread of `--most` of them), with arguments that make it answer as much as it can. Prints for each tool how many
answers and errors there were, the largest with its arguments, and the longest error. Exits with 1 when one is above
the budget.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.client.client import Client

from sidecar.api import SidecarError
from sidecar.api.tokens import estimate_tokens
from sidecar.app import Application, open_application
from sidecar.config import Config, Folder
from sidecar.server.mcp import Readiness, build_server
from sidecar.server.notify import Notifier

PICTURE_TOKENS = 1600
"""What a picture costs a model at most: providers bill by area and scale large ones down to about this."""
SLACK = 1.1
"""Tools fit their answers by the same estimate and may be off by what stands around it."""
QUERIES = (
    "the", "table", "figure", "data", "a report on results by year", "東京", "€", "function", "chart of sales",
    "image", "Introduction", "1", "0.5", "total", "the and of to in a is that it for",
)  # fmt: skip
Calls = AsyncGenerator[tuple[str, dict[str, Any]]]


@dataclass
class Row:
    """What was seen of one tool."""

    answers: int = 0
    errors: int = 0
    largest: int = 0
    seconds: float = 0.0
    of: dict[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""

    def add(self, result: types.CallToolResult, arguments: dict[str, Any]) -> None:
        tokens = cost(result)
        self.answers += 1
        if result.is_error:
            self.errors += 1
            text = "".join(block.text for block in result.content if isinstance(block, types.TextContent))
            self.error = max(self.error, text, key=len)
        if tokens > self.largest:
            self.largest, self.of = tokens, arguments


def cost(result: types.CallToolResult) -> int:
    """Everything the client gets, whichever it feeds to the model."""
    total = 0
    if result.structured_content is not None:
        total += estimate_tokens(json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":")))
    for block in result.content:
        match block:
            case types.TextContent():
                total += estimate_tokens(block.text)
            case types.ImageContent():
                total += PICTURE_TOKENS
            case types.EmbeddedResource(resource=types.TextResourceContents() as text):
                total += estimate_tokens(text.text) + estimate_tokens(text.uri) + 12
            case types.EmbeddedResource(resource=types.BlobResourceContents() as blob):
                picture = (blob.mime_type or "").startswith("image/")
                total += PICTURE_TOKENS if picture else len(blob.blob) // 2
            case types.ResourceLink():
                total += estimate_tokens(block.uri + block.name + (block.title or "") + (block.description or "")) + 12
            case _:
                total += estimate_tokens(block.model_dump_json())
    return total


async def of_the_library() -> Calls:
    """Calls that are about no document."""
    for query in QUERIES:
        for limit in (10, 50):
            yield "search_documents", {"query": query, "limit": limit}
            yield "search_visual_elements", {"query": query, "limit": limit}
        yield "find_document", {"query": query, "limit": 50}
        yield "grep", {"pattern": query, "limit": 500, "context": 10}
    yield "grep", {"pattern": r"\w+", "limit": 500, "context": 10}
    yield "grep", {"pattern": "^.{300,}", "limit": 500}
    yield "list_documents", {}
    yield "get_library_status", {}
    for page in range(1, 12):
        for sort_by in ("title", "date_added", "page_count"):
            yield "list_documents_paginated", {"page": page, "page_size": 100, "sort_by": sort_by}


async def of_a_document(application: Application, slug: str, parts: int, path: str) -> Calls:
    """Calls about one document."""
    library = application.library
    yield "get_document_info", {"document_slug": slug}
    yield "get_outline", {"document_slug": slug, "depth": 9}
    yield "list_embedded_resources", {"file_path": slug}
    yield "extract_images", {"file_path": slug}
    yield "search_documents", {"query": "the a of and", "document_slug": slug, "limit": 50}
    yield "index_document", {"file_path": path}
    yield "read_embedded", {"uri": f"document://{slug}.md"}
    yield "read_embedded", {"uri": f"document://{slug}"}
    yield "grep", {"pattern": ".", "document_slug": slug, "limit": 500}
    for suffix in ("", ".md", ".txt", ".html", ".json"):
        yield "read", {"uri": f"document://{slug}{suffix}"}
    if parts:
        yield "get_page_image", {"document_slug": slug, "page_number": (parts + 1) // 2}
    try:
        elements = await library.elements(slug)
        embedded = await library.embedded(slug)
    except SidecarError:  # a document that never could be read has neither
        return
    for element in (*elements[:1], *elements[-1:]):
        about: dict[str, Any] = {"document_slug": slug, "element_label": element.label}
        yield "get_element_details", about | ({"page_number": element.page} if element.page else {})
        yield "get_element_image", about | ({"page_number": element.page} if element.page else {})
    for item in (*embedded[:1], *embedded[-1:]):
        yield "read", {"uri": item.uri}
        yield "read_embedded", {"uri": item.uri}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--budget", type=int, default=8000)
    arguments = parser.parse_args()
    folder: Path = arguments.folder or Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus")) / "docs"
    with tempfile.TemporaryDirectory() as scratch:
        data: Path = arguments.data_dir or Path(scratch)
        rows = asyncio.run(
            measure(Config(folders=(Folder(folder.resolve()),), data_dir=data.resolve()), arguments.most)
        )
    above = 0
    print(f"{'tool':26} {'answers':>7} {'errors':>6} {'largest':>7} {'seconds':>7}  of")
    for name, row in sorted(rows.items(), key=lambda item: -item[1].largest):
        shown = json.dumps(row.of, ensure_ascii=False)[:100]
        print(f"{name:26} {row.answers:7} {row.errors:6} {row.largest:7} {row.seconds:7.1f}  {shown}")
        above += row.largest > arguments.budget * SLACK
    print()
    for name, row in sorted(rows.items()):
        if row.error:
            print(f"{name}: the longest error: {row.error[:600]}")
    sys.exit(1 if above else 0)


async def measure(config: Config, most: int) -> dict[str, Row]:
    async with open_application(config) as application:
        begun = time.perf_counter()
        await application.index_once()
        print(f"indexed in {time.perf_counter() - begun:.0f} s")
        indexing = asyncio.create_task(application.indexer.run())  # index_document asks whoever indexes
        try:
            return await drive(application, most)
        finally:
            indexing.cancel()
            await asyncio.gather(indexing, return_exceptions=True)


async def drive(application: Application, most: int) -> dict[str, Row]:
    readiness = Readiness()
    readiness.ready(application.serving())
    rows: dict[str, Row] = {}
    documents = await application.store.documents(1, 100_000)
    step = max(len(documents.documents) // most, 1)
    async with Client(build_server(readiness, Notifier())) as client:

        async def run(calls: Calls) -> None:
            async for name, given in calls:
                row = rows.setdefault(name, Row())
                begun = time.perf_counter()
                row.add(await client.call_tool(name, given), given)
                row.seconds += time.perf_counter() - begun

        await run(of_the_library())
        for document in documents.documents[::step]:
            await run(of_a_document(application, document.slug, document.parts, document.path))
    return rows


if __name__ == "__main__":
    main()
