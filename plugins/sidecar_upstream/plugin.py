"""The feature plugin: resources of other MCP servers appear among ours as `upstream://{server}/{+uri}`.

Servers are configured as `[upstream.NAME]` tables; a change of these takes effect at once (`register` is called again).
Without any, this plugin imports nothing: there is then no tool `resources` and no `upstream` in the status, and the
scheme only says how a server is configured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sidecar.api import NotFoundError, Registrar, ResourceContent, ResourceEntry, Services, Template

if TYPE_CHECKING:
    from sidecar_upstream.provider import UpstreamProvider

_SHOWN = 60


class Unconfigured:
    """Implements `api.ResourceProvider` where no server is configured: it has nothing, and says why."""

    schemes: tuple[str, ...] = ("upstream",)
    templates: tuple[Template, ...] = ()

    async def entries(self, services: Services, after: str, limit: int) -> Sequence[ResourceEntry]:
        """None."""
        return ()

    async def read(self, services: Services, uri: str) -> tuple[ResourceContent, ...]:
        """Raises NotFoundError."""
        server = uri.partition("://")[2].partition("/")[0][:_SHOWN] or "NAME"
        raise NotFoundError(
            f"There is no server {server!r}: none is configured. Write its command or url below [upstream.NAME] in "
            "config.toml (`docsidecar config path` says where that is).",
            uri=uri,
        )

    async def complete(
        self, services: Services, template: str, variable: str, value: str, others: Mapping[str, str]
    ) -> Sequence[str]:
        """None."""
        return ()


class UpstreamFeature:
    """Registers the tool `resources`, the scheme `upstream` and the task that holds the connections."""

    name = "upstream"
    version = "1"

    def __init__(self) -> None:
        self._provider: UpstreamProvider | None = None

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Raises ConfigError when a server's table is wrong."""
        if not settings.get("servers") and len(settings) <= 1 and self._provider is None:
            registrar.provider(Unconfigured())
            return
        from sidecar_upstream.servers import read_settings

        servers = read_settings(settings)
        if self._provider is None:
            if not servers:
                registrar.provider(Unconfigured())
                return
            from sidecar_upstream.provider import UpstreamProvider

            self._provider = UpstreamProvider()
        provider = self._provider
        provider.configure(servers)
        if not servers:
            registrar.provider(Unconfigured())
        else:
            registrar.tool(provider.tool())
            registrar.provider(provider)
            registrar.background("upstream servers", provider.run)
            registrar.status("upstream", provider.report)
