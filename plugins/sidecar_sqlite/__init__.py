"""SQLite databases: each table a sheet."""

from sidecar_sqlite.plugin import SqliteFormat as SqliteFormat
