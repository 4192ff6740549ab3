"""Tells clients what changed: coalesced, in both protocol eras, to subscribers of parts as well as of documents.

Changes are gathered and sent together: shortly after the first one (a save should be seen at once), then at growing
intervals while more keep coming (an index of ten thousand files is not ten thousand notifications)."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)

from sidecar.api import SidecarError, parse_uri
from sidecar.store.documents.records import Change

logger = logging.getLogger(__name__)

_FIRST_SECONDS = 0.08
"""How long the first change after a quiet time waits for others."""
_REST_SECONDS, _MAX_SECONDS = 0.25, 2.0
"""The interval between notifications while changes keep coming: at first, and at most."""
_GROWTH = 1.5
"""How much longer each interval is than the one before."""
_SEND_SECONDS = 5.0
"""A client that does not read is given this long; the notification is then dropped, as they may be."""


@dataclass(eq=False)
class Peer:
    """One connection of the handshake era: its session once it is initialized, and what it subscribed to."""

    session: ServerSession | None = None
    subscriptions: set[str] = field(default_factory=set[str])


class Notifier:
    """Made once a server. `run` sends until cancelled; the other methods may be called at any time on the loop."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        self._listened: Counter[str] = Counter()
        self._peers: set[Peer] = set()
        self._list_changed = False
        self._tools_changed = False
        self._slugs: set[str] = set()
        self._uris: set[str] = set()
        self._wake = asyncio.Event()

    @contextmanager
    def peer(self) -> Generator[Peer]:
        """A connection, for as long as it lasts."""
        peer = Peer()
        self._peers.add(peer)
        try:
            yield peer
        finally:
            self._peers.discard(peer)

    async def listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """`subscriptions/listen`: the SDK's handler, and a record of which URIs it listens to, so that a change of a
        document can be told to those who listen to its parts."""
        uris = Counter(params.notifications.resource_subscriptions or ())
        self._listened.update(uris)
        try:
            return await self._listen(context, params)
        finally:
            self._listened.subtract(uris)
            self._listened += Counter()

    def changed(self, changes: Sequence[Change]) -> None:
        """Rows of the change feed: added, removed and renamed change the list; any may change what a URI gives."""
        for change in changes:
            if change.kind != "updated":
                self._list_changed = True
            self._slugs.add(change.slug)
        if changes:
            self._wake.set()

    def resources_changed(self) -> None:
        """The list of resources changed in another way (a feature plugin's)."""
        self._list_changed = True
        self._wake.set()

    def tools_changed(self) -> None:
        """Tools came or went, because the configuration changed."""
        self._tools_changed = True
        self._wake.set()

    def resource_updated(self, uri: str) -> None:
        """One resource of a feature plugin changed."""
        self._uris.add(uri)
        self._wake.set()

    def subscribed(self) -> set[str]:
        """The URIs that clients of either era want to hear of."""
        return {*self._listened, *(uri for peer in self._peers for uri in peer.subscriptions)}

    async def run(self) -> None:
        """Send what has gathered, until cancelled."""
        loop = asyncio.get_running_loop()
        interval = _REST_SECONDS
        sent_at = 0.0
        while True:
            await self._wake.wait()
            quiet = loop.time() - sent_at
            if quiet >= interval * 2:
                interval = _REST_SECONDS
            # The first after a quiet time goes out almost at once; only a steady stream makes the intervals grow.
            await asyncio.sleep(_FIRST_SECONDS if quiet >= interval else interval - quiet)
            if quiet < interval / 2:
                interval = min(interval * _GROWTH, _MAX_SECONDS)
            self._wake.clear()
            await self.flush()
            sent_at = loop.time()

    async def flush(self) -> None:
        """Send what has gathered so far."""
        list_changed, self._list_changed = self._list_changed, False
        tools_changed, self._tools_changed = self._tools_changed, False
        slugs, self._slugs = self._slugs, set()
        uris, self._uris = self._uris, set()
        for peer in list(self._peers):
            if peer.session is not None:
                updated = self._updated(peer.subscriptions, slugs, uris)
                await self._tell(peer.session, list_changed, tools_changed, updated)
        if tools_changed:
            await self._bus.publish(ToolsListChanged())
        if list_changed:
            await self._bus.publish(ResourcesListChanged())
        for uri in self._updated(self._listened, slugs, uris):
            await self._bus.publish(ResourceUpdated(uri=uri))

    async def _tell(
        self, session: ServerSession, list_changed: bool, tools_changed: bool, updated: Sequence[str]
    ) -> None:
        try:
            async with asyncio.timeout(_SEND_SECONDS):
                if tools_changed:
                    await session.send_notification(types.ToolListChangedNotification())
                if list_changed:
                    await session.send_notification(types.ResourceListChangedNotification())
                for uri in updated:
                    await session.send_resource_updated(uri)
        except TimeoutError:
            # It may be suspended, and hear of the next change.
            logger.warning("a client does not read; a notification to it is dropped")

    @staticmethod
    def _updated(subscribed: Iterable[str], slugs: set[str], uris: set[str]) -> list[str]:
        """The subscribed URIs that are touched: given ones, and those of changed documents and their parts."""
        return sorted(uri for uri in subscribed if uri in uris or (slugs and _document_of(uri) in slugs))


def _document_of(uri: str) -> str:
    try:
        return parse_uri(uri).doc
    except SidecarError:  # a feature plugin's scheme: it tells its own changes
        return ""
