"""The feature plugin: resources of other MCP servers appear among ours as `upstream://{server}/{+uri}`.

Servers are configured as `[upstream.NAME]` tables; a change of these takes effect at once (`register` is called again).
Without any there is no tool `resources` and no `upstream` in the status, nothing of the SDK's client is imported, and
the scheme only says how a server is configured."""

from collections.abc import Mapping

from sidecar.api import Registrar
from sidecar_upstream.provider import UpstreamProvider
from sidecar_upstream.servers import read_settings


class UpstreamFeature:
    """Registers the tool `resources`, the scheme `upstream` and the task that holds the connections."""

    name = "upstream"
    version = "1"

    def __init__(self) -> None:
        self._provider = UpstreamProvider()

    def register(self, registrar: Registrar, settings: Mapping[str, object]) -> None:
        """Raises ConfigError when a server's table is wrong."""
        servers = read_settings(settings)
        self._provider.configure(servers)
        registrar.provider(self._provider)
        if servers:
            from sidecar_upstream.tool import resources_tool

            registrar.tool(resources_tool(self._provider))
            registrar.background("upstream servers", self._provider.run)
            registrar.status("upstream", self._provider.report)
