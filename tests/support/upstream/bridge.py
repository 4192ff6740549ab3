"""A bridge for the tests of gathering: a server over stdio, made reachable over streamable HTTP on a port it prints.

`bridge.py NAME COMMAND ARGUMENT…`: introduces itself as NAME, starts the command for as long as it runs, and
passes resources and the news that they changed through. Such bridges hide who is behind them: no environment
variable reaches the server from whoever connects.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from typing import Any

import mcp_types as types
import uvicorn
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged


async def main(name: str, command: list[str], listening: socket.socket) -> None:
    bus = InMemorySubscriptionBus()

    async def heard(message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification):
            await bus.publish(ResourcesListChanged())

    behind = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with Client(behind, mode="legacy", message_handler=heard, cache=None) as client:

        async def list_resources(
            context: Any, params: types.PaginatedRequestParams | None
        ) -> types.ListResourcesResult:
            return await client.list_resources(cursor=params.cursor if params is not None else None)

        async def read_resource(context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
            return await client.read_resource(params.uri)

        server = Server(
            name,
            on_list_resources=list_resources,
            on_read_resource=read_resource,
            on_subscriptions_listen=ListenHandler(bus),
        )
        print(listening.getsockname()[1], flush=True)
        config = uvicorn.Config(server.streamable_http_app(), log_level="error")
        await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    port = socket.create_server(("127.0.0.1", int(os.environ.get("TEST_PORT", "0"))))
    asyncio.run(main(sys.argv[1], sys.argv[2:], port))
