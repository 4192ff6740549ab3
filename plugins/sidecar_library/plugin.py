"""The plugin class: what the library registers. The tools themselves are in the modules it imports."""

from collections.abc import Mapping
from typing import Any

from sidecar.api import Registrar
from sidecar_library.documents import DOCUMENT_TOOLS
from sidecar_library.elements import ELEMENT_TOOLS
from sidecar_library.embedded import EMBEDDED_TOOLS
from sidecar_library.prompts import PROMPTS
from sidecar_library.searching import SEARCH_TOOLS
from sidecar_library.tour import TOUR, read_skill, read_tour


class LibraryFeature:
    """Registers the library's tools and prompts, `tour://library` and the skill `docsidecar`. It has no settings."""

    name = "library"
    version = "1"

    def register(self, registrar: Registrar, settings: Mapping[str, Any]) -> None:
        """Add everything."""
        for tool in (*SEARCH_TOOLS, *DOCUMENT_TOOLS, *ELEMENT_TOOLS, *EMBEDDED_TOOLS):
            registrar.tool(tool)
        for prompt in PROMPTS:
            registrar.prompt(prompt)
        registrar.resource(TOUR, read_tour)
        registrar.skill(read_skill())
