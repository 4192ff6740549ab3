"""The floor the benches measure against: an MCP server on the bare SDK with one static resource and one tool.

Run as a script it serves on stdio: `python bare_server.py [characters of the text]`.
"""

from __future__ import annotations

import sys
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TEXT = "word " * (int(sys.argv[1]) // 5 if len(sys.argv) > 1 else 400)
Context = ServerRequestContext[Any, Any]


async def list_resources(context: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[types.Resource(uri="static://text", name="text")])


async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    content = types.TextResourceContents(uri=params.uri, mime_type="text/plain", text=TEXT)
    return types.ReadResourceResult(contents=[content])


async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name="echo", input_schema={"type": "object"})])


async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text="echo")])


async def main() -> None:
    server = Server[dict[str, Any]](
        "bare",
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
