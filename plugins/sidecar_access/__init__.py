"""Databases of Microsoft Access (.mdb, .accdb): each table a sheet."""

from sidecar_access.plugin import AccessFormat as AccessFormat
