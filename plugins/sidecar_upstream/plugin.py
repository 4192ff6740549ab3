"""The feature plugin: resources of other MCP servers appear among ours as `upstream://{server}/{+uri}`.

Servers are configured as `[upstream.NAME]` tables; a change of these takes effect at once (`register` is called again).
Without any, this plugin registers nothing and imports nothing: there is then no tool `resources` and no `upstream` in
the status.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sidecar.api import Registrar

if TYPE_CHECKING:
    from sidecar_upstream.provider import UpstreamProvider

__all__ = ["UpstreamFeature"]


class UpstreamFeature:
    """Registers the tool `resources`, the scheme `upstream` and the task that holds the connections."""

    name = "upstream"
    version = "1"

    def __init__(self) -> None:
        self._provider: UpstreamProvider | None = None

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Raises ConfigError when a server's table is wrong."""
        if not settings.get("servers") and len(settings) <= 1 and self._provider is None:
            return
        from sidecar_upstream.servers import read_settings

        servers = read_settings(settings)
        if self._provider is None:
            if not servers:
                return
            from sidecar_upstream.provider import UpstreamProvider

            self._provider = UpstreamProvider()
        provider = self._provider
        provider.configure(servers)
        if servers:
            registrar.tool(provider.tool())
            registrar.provider(provider)
            registrar.background("upstream servers", provider.run)
            registrar.status("upstream", provider.report)
