"""What a server lists: gathered page by page, each entry made fit to be shown, and kept as one value, in which its
resources are found again.

However much a server lists, the event loop goes on, and a bad entry costs one entry."""

import asyncio
import difflib
from collections.abc import Callable
from itertools import islice
from typing import Any
from urllib.parse import unquote

import msgspec

from sidecar.api import ResourceEntry
from sidecar_upstream.resources import address, clean_entry, prefix
from sidecar_upstream.servers import Upstream

_MOST_TEMPLATES = 200
_LARGEST_ENTRY = 4 * 2**20
_BATCH = 50
"""Entries that are cleaned before the event loop gets its turn: about a millisecond."""
_NEAR = 200
"""URIs that are compared with one nobody knows."""


class Listing(msgspec.Struct, frozen=True):
    """What a server offers, by our URIs and in their order, each under the server's own (of a template, its form), and
    by the server's own URIs how texts begin that it does not describe."""

    entries: dict[str, ResourceEntry] = {}
    templates: dict[str, ResourceEntry] = {}
    beginnings: dict[str, str] = {}

    def description(self, entry: ResourceEntry) -> str:
        """The server's own, or how the text begins."""
        return entry.description or self.beginnings.get(entry.uri, "")

    def own_uri(self, server: str, path: str) -> str:
        """The server's own URI of what stands behind its name in one of ours, or was typed instead."""
        ways = (prefix(server) + path, address(server, path), address(server, unquote(path)))
        return next((self.entries[uri].uri for uri in ways if uri in self.entries), path)

    def near(self, server: str, uri: str) -> tuple[str, ...]:
        """Up to five of our URIs that come close to one the server does not know."""
        tail = uri.casefold().rstrip("/").rpartition("/")[2]
        close = (ours for ours in self.entries if tail and tail[:12] in ours.casefold())
        pool = dict.fromkeys([*islice(close, _NEAR), *islice(self.entries, _NEAR)])
        return tuple(difflib.get_close_matches(address(server, uri), pool, 5, 0.5))


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

    async def take(self, page: dict[str, Any], name: str, key: str) -> None:
        """Take the entries out of a page, where they stand under `name`, each with its URI under `key`."""
        counted = key == "uri"
        found, most = (self.entries, self._server.max_resources) if counted else (self.templates, _MOST_TEMPLATES)
        raw, page[name] = page.get(name), []
        if not isinstance(decoded(page.get("nextCursor")), str):
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
            entry = clean_entry(decoded(one), key, self._mask) if len(bytes(one)) <= _LARGEST_ENTRY else None
            if entry is None:
                self._unusable += counted
            else:
                found.setdefault(address(self._server.name, entry.uri, "" if counted else "{}"), entry)

    def remarks(self) -> list[str]:
        """What is missing of what was listed."""
        most, left_out = self._server.max_resources, f"{self._unusable:,} entries without a usable URI were left out"
        more = f"it lists more than {most:,} resources (max_resources); the others can be read but are not listed"
        return [remark for count, remark in ((self.beyond, more), (self._unusable, left_out)) if count]


def decoded(raw: msgspec.Raw | None) -> Any:
    """A piece of a message; None where it is none."""
    try:
        return msgspec.json.decode(raw) if raw else None
    except (msgspec.MsgspecError, RecursionError):
        return None
