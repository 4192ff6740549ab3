"""A server of 2026-07-28 for the tests of gathering, made with the SDK: over stdio, or HTTP on a port it prints.

It reads what it offers from a JSON file (first argument); `http` as second argument serves HTTP. Whenever somebody
begins to listen, it offers one note more, up to as many as it is told in `control://grow`.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ResourceUpdated


def build(world: Path) -> Server[Any]:
    bus = InMemorySubscriptionBus()

    def offered() -> dict[str, str]:
        return json.loads(world.read_text())

    def put(uri: str, text: str) -> None:
        beside = world.with_suffix(".new")
        beside.write_text(json.dumps(offered() | {uri: text}))
        beside.replace(world)

    listen = ListenHandler(bus)

    async def listened(context: Any, params: types.SubscriptionsListenRequestParams) -> Any:
        growing = [uri for uri in offered() if uri.startswith("note://grown/")]
        if len(growing) < int(offered().get("control://grow", "0")):
            put(f"note://grown/{len(growing) + 1}", "Grown.")
            await bus.publish(ResourcesListChanged())
        return await listen(context, params)

    async def list_resources(context: Any, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[types.Resource(uri=uri, name=uri, mime_type="text/plain") for uri in offered()]
        )

    async def read_resource(context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = params.uri
        if uri.startswith("control://add/"):
            new = uri.removeprefix("control://add/")
            put(new, f"This is {new}.")
            await bus.publish(ResourcesListChanged())
        elif uri.startswith("control://update/"):
            new, _, text = uri.removeprefix("control://update/").partition("=")
            put(new, text)
            await bus.publish(ResourceUpdated(uri=new))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="text/plain", text=offered().get(uri, "done"))]
        )

    return Server(
        "modern", on_list_resources=list_resources, on_read_resource=read_resource, on_subscriptions_listen=listened
    )


async def over_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def over_http(server: Server[Any]) -> None:
    import os

    import uvicorn

    listening = socket.create_server(("127.0.0.1", int(os.environ.get("TEST_PORT", "0"))))
    print(listening.getsockname()[1], flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    config = uvicorn.Config(server.streamable_http_app(), log_level="error")
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if __name__ == "__main__":
    built = build(Path(sys.argv[1]))
    if sys.argv[2:] == ["http"]:
        over_http(built)
    else:
        asyncio.run(over_stdio(built))
