"""Gathers from other MCP servers: their resources appear among ours as `upstream://{server}/{+uri}`.

Servers are configured as `[upstream.NAME]` tables. A change of these tables takes effect at the next start. Without
any, this plugin registers nothing and imports nothing: there is then no tool `resources` and no `upstream` in the
status.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sidecar.api import Registrar

__all__ = ["UpstreamFeature"]


class UpstreamFeature:
    """Registers the tool `resources`, the scheme `upstream` and the task that keeps the servers connected."""

    name = "upstream"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Raises ConfigError when a server's table is wrong."""
        if not settings.get("servers") and len(settings) <= 1:
            return
        from sidecar_upstream.settings import read_settings

        servers = read_settings(settings)
        if not servers:
            return
        from sidecar_upstream.provider import UpstreamProvider
        from sidecar_upstream.registry import Registry
        from sidecar_upstream.tool import resources_tool

        registry = Registry(servers)
        provider = UpstreamProvider(registry)
        registrar.tool(resources_tool(registry))
        registrar.provider(provider)
        registrar.background("upstream servers", provider.gather)
        registrar.status("upstream", provider.report)
