"""Sections of Microsoft OneNote (.one)."""

from sidecar_onenote.plugin import OnenoteFormat as OnenoteFormat
