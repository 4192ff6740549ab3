"""The plugin class: what the reading plugin registers. The tools themselves are in the modules it imports."""

from collections.abc import Mapping
from typing import Any

from sidecar.api import Registrar
from sidecar_reading.finding import OUTLINE
from sidecar_reading.matching import GREP
from sidecar_reading.reading import READING_TOOLS


class ReadingFeature:
    """Registers the reading tools. It has no settings."""

    name = "reading"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Add the tools."""
        for tool in (*READING_TOOLS, GREP, OUTLINE):
            registrar.tool(tool)
