"""The tool `resources`: what other servers offer, and reading it in the shape a program expects."""

import base64
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from pydantic import Field

from sidecar.api import Call, Content, Image, ResourceContent, Result, Text, Tool, UsageError
from sidecar.toolkit.answers.budget import (
    ENVELOPE_TOKENS,
    FRAME_TOKENS,
    PICTURE_TOKENS,
    answer_tokens,
    fit,
    next_start,
    shorten,
    within_tokens,
)
from sidecar.toolkit.pictures import WEB_PICTURES
from sidecar.toolkit.settings import ToolArguments
from sidecar_upstream.provider import UpstreamProvider
from sidecar_upstream.resources import address, prefix
from sidecar_upstream.state import ServerState

_ITEM_TOKENS = 60
"""What stands around an item: its block, its URI twice, a remark."""


class Resources(ToolArguments):
    """Arguments of `resources`."""

    server_name: Annotated[str | None, Field(description="without it: the servers")] = None
    uri: Annotated[str | None, Field(description="without it: the server's URIs")] = None
    start: Annotated[int, Field(ge=0, description="skip so many entries")] = 0


def resources_tool(provider: UpstreamProvider) -> Tool[Resources]:
    """The tool over what that provider gathers."""

    async def resources(call: Call, arguments: Resources) -> Result:
        server, uri, start = arguments.server_name, arguments.uri, arguments.start
        if server is None:
            await provider.until_listed(call.services, provider.servers.values())
            server = _owner(provider.servers, uri) if uri is not None else None
        if server is None:
            entries = [{"server_name": name, **one.report()} for name, one in provider.servers.items()]
            return _paged({}, "servers", entries[start:], range(start, len(entries)), call.budget)
        state = provider.server(server)
        if uri is None:
            await provider.until_listed(call.services, [state])
            return _uris(call, state, start)
        own = uri.removeprefix(prefix(state.name))
        return _read(call, state.name, own, await call.services.library.read(address(state.name, own)))

    return Tool(
        "resources",
        "Other servers' resources",
        "Read a resource of another MCP server; without uri list what it has, without server_name the servers.",
        Resources,
        resources,
        open_world=True,
    )


def _owner(servers: Mapping[str, ServerState], uri: str) -> str:
    """The server a URI is of, where none is named: as upstream://NAME/…, or listed by one alone. Raises UsageError."""
    scheme, _, rest = uri.partition("://")
    if scheme.lower() == "upstream":
        return rest.partition("/")[0]
    owners = [name for name, state in servers.items() if address(name, uri) in state.listing.entries]
    if len(owners) == 1:
        return owners[0]
    which = f"{' and '.join(owners)} have it" if owners else f"the servers are {', '.join(servers) or 'none'}"
    raise UsageError(f"Whose resource is {shorten(uri, 200)}? Give server_name; {which}.")


def _uris(call: Call, state: ServerState, start: int) -> Result:
    entries: list[dict[str, Any]] = []
    listing = state.listing
    for one in islice(listing.entries.values(), start, start + call.budget):  # none costs less than a token
        description = shorten(listing.description(one), 120)
        optional = {"description": description, "mime_type": one.media_type, "size": one.size}
        entries.append({"uri": one.uri, "name": one.name} | {key: value for key, value in optional.items() if value})
    head: dict[str, object] = {"server_name": state.name, "total": len(listing.entries)}
    if listing.templates:
        head["templates"] = [template.uri for template in islice(listing.templates.values(), 20)]
    report = state.report()
    head |= {key: report[key] for key in ("state", "error", "remark") if key in report}
    return _paged(head, "resources", entries, range(start, len(listing.entries)), call.budget)


def _paged(
    head: Mapping[str, object], key: str, entries: Sequence[Mapping[str, object]], left: range, budget: int
) -> Result:
    """The first `entries`, as many as fit below the `head`; `left` are the places of all from them on."""
    count = fit(entries, budget - answer_tokens(dict(head)))
    following = next_start(left.start, count, left.stop - left.start) if count else {}
    return Result(structured={**head, key: list(entries[:count]), **following})


def _read(call: Call, name: str, own: str, contents: Sequence[ResourceContent]) -> Result:
    """Text becomes the string, a binary `{uri, mime_type, blob}`, several items a list; all within the budget."""
    left = call.budget - FRAME_TOKENS - ENVELOPE_TOKENS
    shown: list[Content] = []
    values: list[object] = []
    remarks: list[str] = []
    for number, item in enumerate(contents):
        left -= _ITEM_TOKENS
        if left < 50:
            remarks.append(f"{len(contents) - number} of {len(contents)} items left out to fit the budget.")
            break
        if item.text is not None:
            text, spent = within_tokens(item.text, left, answer_tokens)
            if len(text) < len(item.text):
                on = f"read(uri={own!r}, server={name!r}, start_offset={len(text.encode())})"
                remarks.append(f"Cut to fit the budget; {on} goes on.")
            left -= spent
            values.append(text)
            shown.append(Text(text))
            continue
        data = item.data or b""
        value: dict[str, object] = {"uri": item.uri, "mime_type": item.media_type, "size": len(data)}
        if item.media_type in WEB_PICTURES and left > PICTURE_TOKENS:
            shown.append(Image(data, item.media_type, item.uri))
            left -= PICTURE_TOKENS
        else:
            shown.append(Text(f"[{item.media_type}, {len(data):,} bytes: {item.uri}]"))
        cost = len(data) * 4 // 3 // 2  # base64 has no words: about two characters a token
        if cost <= left:
            value["blob"] = base64.b64encode(data).decode()
            left -= cost
        else:
            value["remark"] = "too large to inline; read the resource by its URI."
        values.append(value)
    structured: dict[str, object] = {"result": values[0] if len(values) == 1 and len(contents) == 1 else values}
    if remarks:
        structured["remark"] = " ".join(remarks)
        shown.append(Text(structured["remark"]))
    if not shown:
        shown.append(Text(f"{own} of {name} is empty."))
    return Result(tuple(shown), structured)
