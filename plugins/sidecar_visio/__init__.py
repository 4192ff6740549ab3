"""Visio drawings (.vsdx)."""

from sidecar_visio.plugin import VisioFormat as VisioFormat
