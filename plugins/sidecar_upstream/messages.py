"""Bounds what a server may say, message by message, before the SDK sees it, and takes note of its notifications.

Lists and contents are taken out of answers here and cleaned entry by entry, so that a bad entry costs one entry, what
is beyond a limit costs nothing, and however much a server sends at once, the event loop goes on. Notifications
about resources end here; all others are dropped but those the SDK's session itself needs. Both transports pass every
message through, as the bytes of its JSON."""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from mcp_types import INTERNAL_ERROR

from sidecar.api import ResourceEntry
from sidecar.toolkit.tasks import Bucket
from sidecar_upstream.resources import address, clean_entry
from sidecar_upstream.servers import Upstream

_MESSAGES_A_SECOND, _MESSAGES_AT_ONCE = 1000.0, 2000.0
_SLOWER_SECONDS = 0.02
_REQUESTS_A_SECOND, _REQUESTS_AT_ONCE = 20.0, 50.0
_MAX_PENDING = 1000
_HEADROOM = 65536
_MAX_TEMPLATES = 200
_MAX_ENTRY_BYTES = 4 * 2**20
_BATCH = 50
"""Entries that are cleaned before the event loop gets its turn: about a millisecond."""
_NEEDED = frozenset({"notifications/cancelled", "notifications/subscriptions/acknowledged"})
_LISTS = {"resources/list": ("resources", "uri"), "resources/templates/list": ("resourceTemplates", "uriTemplate")}
"""By the method, where a page holds its entries and an entry its URI."""


class NotMCPError(ValueError):
    """It is not a JSON-RPC message."""


class _Message(msgspec.Struct):
    """A JSON-RPC 2.0 request, notification or response; what it carries is decoded only where it is wanted."""

    jsonrpc: Literal["2.0"]
    id: int | str | None = None
    method: str = ""
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()


def largest_message(server: Upstream) -> int:
    """Bytes of one message: what `max_bytes` becomes in base64 or with its characters escaped, and the rest."""
    return server.max_bytes * 2 + _HEADROOM


def error_answer(request: object, words: str) -> bytes:
    """An error in place of the answer to the request of that id."""
    error = {"code": INTERNAL_ERROR, "message": words}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": request, "error": error})


class Gathered:
    """The pages of a server's lists so far: `entries` and `templates` by our URIs, of several with one URI the first,
    as `mask` shows them; of resources, not of templates, it is counted how many have no usable URI, and in `beyond`
    how many no room."""

    def __init__(self, server: Upstream, mask: Callable[[str], str]) -> None:
        self._server, self._mask = server, mask
        self.entries: dict[str, ResourceEntry] = {}
        self.templates: dict[str, ResourceEntry] = {}
        self.beyond = self._unusable = 0

    def __len__(self) -> int:
        return len(self.entries) + len(self.templates)

    async def extract(self, page: dict[str, Any], name: str, key: str) -> None:
        """Take the entries out of a page, where they stand under `name`, each with its URI under `key`."""
        counted = key == "uri"
        found, most = (self.entries, self._server.max_resources) if counted else (self.templates, _MAX_TEMPLATES)
        raw, page[name] = page.get(name), []
        if not isinstance(_decoded(page.get("nextCursor")), str):
            page.pop("nextCursor", None)
        try:
            raws = msgspec.json.decode(raw or b"[]", type=list[msgspec.Raw])
        except msgspec.MsgspecError:
            return
        for number, one in enumerate(raws):
            if number % _BATCH == _BATCH - 1:
                await asyncio.sleep(0)
            if len(found) >= most:
                self.beyond += len(raws) - number if counted else 0
                return
            entry = clean_entry(_decoded(one), key, self._mask) if len(bytes(one)) <= _MAX_ENTRY_BYTES else None
            if entry is None:
                self._unusable += counted
            else:
                found.setdefault(address(self._server.name, entry.uri, "" if counted else "{}"), entry)

    def remarks(self) -> list[str]:
        """What is missing of what was listed."""
        most, left_out = self._server.max_resources, f"{self._unusable:,} entries without a usable URI were left out"
        more = f"it lists more than {most:,} resources (max_resources); the others can be read but are not listed"
        return [remark for count, remark in ((self.beyond, more), (self._unusable, left_out)) if count]


class MessageFilter:
    """One connection's. `on_list_changed` and `on_updated` are called on the spot and must only take note.

    `listed` holds what was listed since `begin_listing`, as `mask` shows it; `spoken` tells whether the server ever
    said anything that is MCP; `closed` is set when the transport ended, and `ending` says why."""

    def __init__(
        self,
        server: Upstream,
        mask: Callable[[str], str],
        on_list_changed: Callable[[], None],
        on_updated: Callable[[str], None],
    ) -> None:
        clock = asyncio.get_running_loop().time
        self.spoken = False
        self.ending = ""
        self.closed = asyncio.Event()
        self._server, self._mask = server, mask
        self._on_list_changed, self._on_updated = on_list_changed, on_updated
        self._messages = Bucket(_MESSAGES_A_SECOND, _MESSAGES_AT_ONCE, clock)
        self._requests = Bucket(_REQUESTS_A_SECOND, _REQUESTS_AT_ONCE, clock)
        self._pending: dict[int | str, str] = {}
        self._contents: dict[str, list[object]] = {}
        self._taken = 0
        self.begin_listing()

    def begin_listing(self) -> Gathered:
        """Gather anew what is listed from now on."""
        self.listed = Gathered(self._server, self._mask)
        return self.listed

    def end(self, why: str) -> None:
        """The transport ended; the first reason holds."""
        self.ending = self.ending or why
        self.closed.set()

    def contents(self, reference: str) -> list[object]:
        """The content items which `receive` replaced by that reference, once."""
        return self._contents.pop(reference, [])

    def sent(self, body: bytes) -> None:
        """Note which request of ours waits for an answer, and which no longer does."""
        message = msgspec.json.decode(body, type=_Message)
        if message.method == "notifications/cancelled":
            self._pending.pop(_field(message.params, "requestId"), None)
        elif message.method and message.id is not None:
            if len(self._pending) >= _MAX_PENDING:  # abandoned ones are forgotten, the oldest first
                self._pending.pop(next(iter(self._pending)))
            self._pending[message.id] = message.method

    async def receive(self, body: bytes) -> bytes | None:
        """The message as the session may have it; None when it is not to be passed on. Raises NotMCPError."""
        if not self._messages.take():
            await asyncio.sleep(_SLOWER_SECONDS)
        try:
            message = msgspec.json.decode(body, type=_Message)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise NotMCPError from None
        self.spoken = True
        if message.method:
            return body if self._may_pass(message) else None
        if message.id is None:
            return body if self._requests.take() else None
        method = self._pending.pop(message.id, "")
        if not method:
            return None  # nobody waits for it
        try:
            result = await self._reduced(method, message.result) if message.result else None
        except (msgspec.MsgspecError, RecursionError):
            return body  # the session says what is wrong with it
        return msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "result": result}) if result else body

    def refuse(self, size: int, near: bytes) -> bytes | None:
        """An error in place of an answer of `size` bytes, which is too large; to the request whose id stands in
        `near`, if any, else to the only one there is."""
        quoted = {one: re.escape(msgspec.json.encode(one)) for one in self._pending}
        ids = [one for one, text in quoted.items() if re.search(rb'"id"\s*:\s*' + text + rb"\s*[,}]", near)]
        if not ids and len(self._pending) == 1:
            ids = list(self._pending)
        if not ids:
            return None
        del self._pending[ids[0]]
        return error_answer(ids[0], f"its answer of {size:,} bytes is larger than max_bytes allows")

    def _may_pass(self, message: _Message) -> bool:
        if message.id is None and message.method == "notifications/resources/list_changed":
            self._on_list_changed()
        uri = _field(message.params, "uri") if message.method == "notifications/resources/updated" else None
        if message.id is None and isinstance(uri, str):
            self._on_updated(uri)
        return (message.id is not None or message.method in _NEEDED) and self._requests.take()

    async def _reduced(self, method: str, raw: msgspec.Raw) -> Mapping[str, object] | None:
        """A result without what was taken out of it; None when it stays as it is. Raises MsgspecError."""
        if method not in {*_LISTS, "resources/read"}:
            return None
        result: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        if method in _LISTS:
            await self.listed.extract(result, *_LISTS[method])
            return result
        # A reference in place of the contents: the SDK would validate and copy megabytes of them.
        contents: object = msgspec.json.decode(result["contents"]) if "contents" in result else None
        self._taken += 1
        reference = f"contents:{self._taken}"
        self._contents[reference] = contents if isinstance(contents, list) else []
        return result | {"contents": [{"uri": reference, "text": ""}]}


def _field(params: msgspec.Raw, name: str) -> Any:
    fields = _decoded(params)
    return fields.get(name) if isinstance(fields, dict) else None


def _decoded(raw: msgspec.Raw | None) -> object:
    try:
        return msgspec.json.decode(raw) if raw else None
    except (msgspec.MsgspecError, RecursionError):
        return None
