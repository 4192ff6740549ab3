"""Outlook data files (.pst)."""

from sidecar_pst.plugin import PstFormat as PstFormat
