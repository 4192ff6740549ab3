"""The document library's tools: search, list, look up, show elements and pages, and the tour for newcomers."""

from sidecar_library.plugin import LibraryFeature as LibraryFeature
