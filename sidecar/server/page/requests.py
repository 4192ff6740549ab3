"""The JSON-RPC requests of the page: `tools/call` of the tools that only read this library, and `resources/read` of
documents and their parts. What a host passes on for the MCP App, this answers for the page over HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import cast

import mcp_types as types

from sidecar.api import Client, DamagedIndexError, Payload, SidecarError, UsageError
from sidecar.api.uris import SUFFIXES
from sidecar.config import ServerSettings
from sidecar.server.contents import resource_contents
from sidecar.server.handlers import UNAVAILABLE, Readiness
from sidecar.server.ports import Backend
from sidecar.server.tools import UnknownTool, call_tool

logger = logging.getLogger(__name__)

_PAGE_TOKENS = 200_000
"""A person's screen has no token budget; this bounds what one answer weighs."""
_CLIENT = Client("docsidecar-page")


@dataclass(frozen=True)
class PageRequests:
    """Answers the page's requests once the index is open."""

    readiness: Readiness

    async def answer(self, message: object) -> bytes:
        """The response to a JSON-RPC request, as JSON. Faults become its errors; nothing is raised."""
        request = cast(Mapping[str, object], message) if isinstance(message, dict) else {}
        params = request.get("params")
        response: dict[str, object] = {"jsonrpc": "2.0", "id": request.get("id")}
        try:
            named = cast(Mapping[str, object], params) if isinstance(params, dict) else {}
            response["result"] = await self._result(str(request.get("method")), named)
        except (SidecarError, UnknownTool) as error:
            code = types.INVALID_PARAMS if isinstance(error, UsageError | UnknownTool) else UNAVAILABLE
            response["error"] = {"code": code, "message": str(error)}
        except Exception:  # a plugin may raise anything: it is logged here, and its text never leaves
            logger.exception("a request of the page failed")
            response["error"] = {"code": types.INTERNAL_ERROR, "message": "That failed; the fault has been logged."}
        return await asyncio.to_thread(lambda: json.dumps(response, ensure_ascii=False).encode("utf-8", "replace"))

    async def picture(self, uri: str) -> Payload:
        """The picture of a page, slide, element, chart or image. Raises SidecarError."""
        async with self._backend(uri) as backend:
            return await backend.services.library.picture(uri)

    async def _result(self, method: str, params: Mapping[str, object]) -> dict[str, object]:
        match method:
            case "tools/call":
                arguments = params.get("arguments")
                given = cast(Mapping[str, object], arguments) if isinstance(arguments, dict) else {}
                async with self._backend() as backend:
                    result = await call_tool(_reading(backend), _CLIENT, str(params.get("name")), given)
            case "resources/read":
                uri = str(params.get("uri"))
                async with self._backend(uri) as backend:
                    contents = await backend.services.library.read(uri)
                result = types.ReadResourceResult(contents=await resource_contents(contents))
            case _:
                raise UsageError(f"The page has no method {method[:80]!r}; it has tools/call and resources/read.")
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    @asynccontextmanager
    async def _backend(self, uri: str = "document://") -> AsyncGenerator[Backend]:
        """What reads; `uri` must be one of a document or of its parts, since others may lead to other machines."""
        if uri.partition("://")[0].lower() not in SUFFIXES:
            raise UsageError(f"{uri[:200]!r} is no URI of a document or of its parts.")
        backend = await self.readiness.backend()
        try:
            yield backend
        except DamagedIndexError:
            backend.documents.suspect()
            raise


def _reading(backend: Backend) -> Backend:
    """The backend with the tools that change nothing and stay on this machine, whatever `[server] tools` says."""
    tools = tuple(name for name, tool in backend.features.tools.items() if tool.read_only and not tool.open_world)

    def settings() -> ServerSettings:
        return replace(backend.settings(), tools=tools, budget_tokens=_PAGE_TOKENS)

    return replace(backend, settings=settings)
