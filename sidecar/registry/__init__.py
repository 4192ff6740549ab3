"""Finds plugins through entry points, validates them and keeps their load failures; never lets one stop the others."""

from sidecar.registry.features import Features, load_features
from sidecar.registry.formats import FormatEntry, Formats, load_formats
from sidecar.registry.loading import LoadFailure, allow_plugins, waiting_plugins
from sidecar.registry.selection import chosen_tools, unused_settings

__all__ = [
    "Features", "FormatEntry", "Formats", "LoadFailure", "allow_plugins", "chosen_tools", "load_features",
    "load_formats", "unused_settings", "waiting_plugins",
]  # fmt: skip
