"""Visio drawings (.vsdx)."""

from sidecar_visio.plugin import VisioFormat

__all__ = ["VisioFormat"]
