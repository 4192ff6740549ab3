"""The index: one SQLite file, one writer, read-only readers, migrations, the change feed and the indexer lease."""
