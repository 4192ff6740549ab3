"""Texts of Microsoft Publisher (.pub) and Works (.wps)."""

from sidecar_works.plugin import WorksFormat as WorksFormat
