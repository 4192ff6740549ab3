"""How long the serving loop stands still while heavy things are read, in one process with the client.

`PYTHONPATH=tests python tests/bench/serving/loop_lag.py`. Holds on a quiet machine: no stall over 20 ms, the client's
own work on the same loop included. Shown beside: how long each read took.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.client.client import Client
from support.clients.harness import in_process
from support.clients.loop_lag import loop_lag
from support.formats.large_documents import long_csv, many_pages, sparse_workbook
from support.indexes.prepared import indexed

URIS = (
    "document://pages", "document://pages?from=50000", "document://pages.md", "document://pages.json",
    "pages://pages/1-100000", "pages://pages/" + ",".join(["1-100000"] * 50), "sheet://long/1", "sheet://long/1.csv",
    "sheet://long/1.json", "sheet://long/1?range=A250000:C260000", "document://long.md", "document://long.html",
    "sheet://sparse/Data", "sheet://sparse/Data.csv", "sheet://sparse/Data.json",
)  # fmt: skip
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("get_outline", {"document_slug": "pages"}),
    ("read_embedded", {"uri": "document://pages.md"}),
    ("grep", {"pattern": "name 29999\\d"}),
    ("grep", {"pattern": "a{1000000000}"}),
    ("grep", {"pattern": "(((a{1000}){1000}){1000}){1000}"}),
)


async def measure(name: str, call: Callable[[], Awaitable[object]]) -> None:
    """Print one line."""
    started = time.perf_counter()
    async with loop_lag() as lag:
        await call()
    print(f"{name[:60]:60} {time.perf_counter() - started:7.3f} s   stall {lag.longest * 1000:7.1f} ms")


async def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "documents"
        folder.mkdir()
        long_csv(folder / "long.csv")
        sparse_workbook(folder / "sparse.xlsx")
        async with in_process(folder, Path(scratch) / "data") as (application, server, _):
            await application.store.files.commit([indexed("pages.pdf", many_pages(), folder=os.fsencode(folder))])
            async with Client(server) as client:
                await client.list_tools()
                gc.freeze()  # as the server does once it is up
                for uri in URIS:
                    await measure(uri, lambda uri=uri: client.read_resource(uri))
                for tool, arguments in CALLS:
                    name = f"{tool} {next(iter(arguments.values()))}"
                    await measure(name, lambda tool=tool, arguments=arguments: client.call_tool(tool, arguments))


if __name__ == "__main__":
    asyncio.run(main())
