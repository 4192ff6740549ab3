"""The reading tools: `read` in windows, `read_embedded` whole, `grep`, and `get_outline` as the cheap first step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sidecar.api import Registrar
from sidecar_reading.finding import FINDING_TOOLS
from sidecar_reading.reading import READING_TOOLS

__all__ = ["ReadingFeature"]


class ReadingFeature:
    """Registers the reading tools. It has no settings."""

    name = "reading"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Add the tools."""
        for tool in (*READING_TOOLS, *FINDING_TOOLS):
            registrar.tool(tool)
