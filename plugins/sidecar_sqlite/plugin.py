"""The plugin class for SQLite databases: recognised by their first bytes. Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Source

_MAGIC = b"SQLite format 3\0"


class SqliteFormat:
    """Databases of SQLite 3."""

    name = "sqlite"
    version = "7"
    media_types: tuple[str, ...] = ("application/vnd.sqlite3", "application/x-sqlite3")
    suffixes: tuple[str, ...] = (".sqlite", ".sqlite3", ".db", ".db3")

    def score(self, source: Source) -> int:
        """95 for the first bytes of a database; other files called `.db` are none of ours."""
        return 95 if source.head.startswith(_MAGIC) else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The tables as a document of sheets. Raises FormatError."""
        from sidecar_sqlite.parse import parse

        return parse(source, limits)
