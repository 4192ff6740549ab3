"""The tables, as numbered migrations. Statements stand one by one, because `executescript` commits behind our back.

STRICT tables, SQLite 3.37 features only. Large values (segments, blobs) stand in rowid tables of their own."""

from __future__ import annotations

APPLICATION_ID = 0x44534358
"""`PRAGMA application_id` of our file ("DSCX"), so that another program's database is never taken for ours."""

_FIRST = (
    # Files: what the scan compares. A row with a slug is a document; without one it only makes re-scans skip the file.
    """CREATE TABLE files (
        id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, folder BLOB NOT NULL,
        size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, device INTEGER NOT NULL,
        sha256 TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
        plugin TEXT NOT NULL, plugin_version TEXT NOT NULL, strikes INTEGER NOT NULL,
        slug TEXT UNIQUE, name TEXT NOT NULL, shown TEXT NOT NULL, place TEXT NOT NULL,
        title TEXT NOT NULL, added REAL NOT NULL,
        version_id INTEGER REFERENCES versions (id)
    ) STRICT""",
    "CREATE INDEX files_folder ON files (folder)",
    "CREATE INDEX files_version ON files (version_id) WHERE version_id IS NOT NULL",
    # Versions: one content as one plugin version read it; copies of a file share it.
    """CREATE TABLE versions (
        id INTEGER PRIMARY KEY, doc_id TEXT NOT NULL, sha256 TEXT NOT NULL, suffix TEXT NOT NULL,
        plugin TEXT NOT NULL, plugin_version TEXT NOT NULL,
        title TEXT NOT NULL, description TEXT NOT NULL, format TEXT NOT NULL, media_type TEXT NOT NULL,
        size INTEGER NOT NULL, metadata BLOB NOT NULL, part_kind TEXT NOT NULL, parts INTEGER NOT NULL,
        tokens INTEGER NOT NULL, notices BLOB NOT NULL, counts BLOB NOT NULL,
        UNIQUE (doc_id, sha256, plugin, plugin_version, suffix)
    ) STRICT""",
    # Former versions of a document, newest last; gone when the retention is over.
    """CREATE TABLE history (
        id INTEGER PRIMARY KEY, slug TEXT NOT NULL, name TEXT NOT NULL, ended REAL NOT NULL,
        version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE
    ) STRICT""",
    "CREATE INDEX history_slug ON history (slug, id)",
    "CREATE INDEX history_version ON history (version_id)",
    """CREATE TABLE parts (
        version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE, n INTEGER NOT NULL,
        kind TEXT NOT NULL, title TEXT NOT NULL, name TEXT NOT NULL, hidden INTEGER NOT NULL,
        width REAL NOT NULL, height REAL NOT NULL, tokens INTEGER NOT NULL, chars INTEGER NOT NULL,
        rows INTEGER NOT NULL, cols INTEGER NOT NULL, metadata BLOB NOT NULL,
        PRIMARY KEY (version_id, n)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE segments (
        id INTEGER PRIMARY KEY, version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
        part INTEGER NOT NULL, first_block INTEGER NOT NULL, last_block INTEGER NOT NULL,
        first_row INTEGER NOT NULL, last_row INTEGER NOT NULL, data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX segments_place ON segments (version_id, part, first_block)",
    """CREATE TABLE sections (
        version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
        id TEXT NOT NULL, n INTEGER NOT NULL, level INTEGER NOT NULL, title TEXT NOT NULL,
        part INTEGER NOT NULL, block INTEGER NOT NULL, end_part INTEGER NOT NULL, end_block INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        PRIMARY KEY (version_id, seq)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX sections_id ON sections (version_id, id)",
    """CREATE TABLE elements (
        version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
        type TEXT NOT NULL, label TEXT NOT NULL, key TEXT NOT NULL, part INTEGER NOT NULL, block INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (version_id, seq)
    ) STRICT""",
    "CREATE INDEX elements_key ON elements (version_id, key)",
    """CREATE TABLE embeds (
        version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE, kind TEXT NOT NULL,
        id INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (version_id, kind, id)
    ) STRICT""",
    # Search rows exist for current versions only; `digest` tells unchanged text apart across versions and copies.
    """CREATE TABLE passages (
        id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL REFERENCES versions (id),
        digest INTEGER NOT NULL,
        part INTEGER NOT NULL, first_block INTEGER NOT NULL, last_block INTEGER NOT NULL,
        section TEXT NOT NULL, page INTEGER NOT NULL,
        heading TEXT NOT NULL, text TEXT NOT NULL, cjk TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX passages_version ON passages (version_id)",
    "CREATE INDEX passages_digest ON passages (digest)",
    """CREATE VIRTUAL TABLE passages_fts USING fts5 (
        heading, text, cjk, content='passages', content_rowid='id',
        tokenize='porter unicode61 remove_diacritics 2'
    )""",
    """CREATE TABLE element_texts (
        id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL REFERENCES versions (id),
        seq INTEGER NOT NULL,
        digest INTEGER NOT NULL, label TEXT NOT NULL, caption TEXT NOT NULL, context TEXT NOT NULL,
        text TEXT NOT NULL, cjk TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX element_texts_version ON element_texts (version_id)",
    "CREATE INDEX element_texts_digest ON element_texts (digest)",
    """CREATE VIRTUAL TABLE element_fts USING fts5 (
        label, caption, context, text, cjk, content='element_texts', content_rowid='id',
        tokenize='porter unicode61 remove_diacritics 2'
    )""",
    # Titles and file names; rowid is the file's id. It keeps its own copy, being small.
    """CREATE VIRTUAL TABLE names_fts USING fts5 (
        title, name, cjk, tokenize='porter unicode61 remove_diacritics 2'
    )""",
    # `old_doc_id` is "" now: nobody asked, and a column less would stop a sidecar of an older version that still runs.
    """CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, slug TEXT NOT NULL,
        doc_id TEXT NOT NULL, old_doc_id TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE requests (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, path BLOB NOT NULL, asked REAL NOT NULL,
        done INTEGER NOT NULL, error TEXT NOT NULL, slug TEXT NOT NULL
    ) STRICT""",
    "CREATE TABLE blobs (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT",
    """CREATE TABLE cache (
        name TEXT NOT NULL, key TEXT NOT NULL, sha256 TEXT NOT NULL REFERENCES blobs (sha256),
        size INTEGER NOT NULL, created REAL NOT NULL, used REAL NOT NULL, metadata BLOB NOT NULL,
        PRIMARY KEY (name, key)
    ) STRICT""",
    "CREATE INDEX cache_sha256 ON cache (sha256)",
    # Embeddings belong to texts, not rows: an edit re-embeds what it changed, a copy nothing.
    """CREATE TABLE embeddings (
        model TEXT NOT NULL, digest INTEGER NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, digest)
    ) STRICT, WITHOUT ROWID""",
)

_SECOND = ("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",)

_THIRD = (
    # The rows of common words as packed bits; see `common_words`. Made by upkeep, and no harm when they are gone.
    """CREATE TABLE postings (
        fts TEXT NOT NULL, name TEXT NOT NULL, known INTEGER NOT NULL, rows BLOB NOT NULL, PRIMARY KEY (fts, name)
    ) STRICT""",
    "CREATE VIRTUAL TABLE passages_fts_terms USING fts5vocab (passages_fts, row)",
    "CREATE VIRTUAL TABLE element_fts_terms USING fts5vocab (element_fts, row)",
)

_FOURTH = (
    # Watched folders that are not there now (a disk that was unplugged): what they held stays, and is marked.
    "CREATE TABLE away_folders (folder BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
)

_FIFTH = (
    # Tables as relations. `id` is the row in `tables_fts`, which keeps its own copy and knows current versions only.
    """CREATE TABLE tables (
        id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL, name TEXT NOT NULL, part INTEGER NOT NULL, first_block INTEGER NOT NULL,
        last_block INTEGER NOT NULL, data BLOB NOT NULL
    ) STRICT""",
    "CREATE INDEX tables_version ON tables (version_id, part, first_block)",
    "CREATE INDEX tables_name ON tables (name)",
    """CREATE VIRTUAL TABLE tables_fts USING fts5 (
        name, columns, words, cjk, tokenize='porter unicode61 remove_diacritics 2'
    )""",
    # What was indexed before has no relations yet: another version of the plugin than today's has files read again.
    "UPDATE versions SET plugin_version = plugin_version || '-tables'",
    "UPDATE files SET plugin_version = plugin_version || '-tables' WHERE version_id IS NOT NULL",
)

_SIXTH = (
    # What filters look at; see `Attribution`. Part 0 is the whole document.
    """CREATE TABLE attributions (
        version_id INTEGER NOT NULL REFERENCES versions (id) ON DELETE CASCADE, part INTEGER NOT NULL,
        author TEXT NOT NULL, recipients TEXT NOT NULL, subject TEXT NOT NULL, dated INTEGER,
        PRIMARY KEY (version_id, part)
    ) STRICT, WITHOUT ROWID""",
    "INSERT INTO attributions SELECT id, 0, '', '', '', NULL FROM versions",
    # No plugin has these versions, so every file is read once more, for its dates and names.
    "UPDATE files SET plugin_version = 'before 6: ' || plugin_version WHERE plugin != ''",
    "UPDATE versions SET plugin_version = 'before 6: ' || plugin_version",
    "DELETE FROM cache WHERE name = 'attached'",
    "DELETE FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM cache)",
)

_SEVENTH = (
    # A table that goes on over pages is one relation now: what may hold such a table is read once more.
    *(
        f"UPDATE {table} SET plugin_version = 'before 7: ' || plugin_version WHERE {key} IN "  # noqa: S608  # ours
        "(SELECT t.version_id FROM tables t JOIN versions v ON v.id = t.version_id WHERE v.part_kind != 'sheet' "
        "GROUP BY t.version_id HAVING count(DISTINCT t.part) > 1)"
        for table, key in (("files", "version_id"), ("versions", "id"))
    ),
)

_EIGHTH = (
    # Where the file of a former version was, so that a folder's history can be forgotten with it; x'' is not known.
    "ALTER TABLE history ADD COLUMN path BLOB NOT NULL DEFAULT x''",
    "UPDATE history SET path = coalesce((SELECT path FROM files WHERE files.slug = history.slug), x'')",
)

_NINTH = (
    # LaTeX within texts is searched, estimates count what Markdown adds, and dates of templates are none: every file is
    # read once more.
    "UPDATE files SET plugin_version = 'before 9: ' || plugin_version WHERE plugin != ''",
    "UPDATE versions SET plugin_version = 'before 9: ' || plugin_version",
    "DELETE FROM cache WHERE name = 'attached'",
    "DELETE FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM cache)",
)

_TENTH = (
    # Members of archives are documents of their own: the path of the archive on the disk, NULL for a file.
    "ALTER TABLE files ADD COLUMN archive BLOB",
    "CREATE INDEX files_archive ON files (archive) WHERE archive IS NOT NULL",
)

_ELEVENTH = (
    # Records of tables are packed from here on (`records.encode_table`): an earlier program would not know them.
    "UPDATE tables SET name = name WHERE id < 0",
)

_TWELFTH = ("CREATE VIRTUAL TABLE names_fts_terms USING fts5vocab (names_fts, row)",)

_THIRTEENTH = ("UPDATE facts SET name = 'plugin_suffixes' WHERE name = 'claims'",)

_FOURTEENTH = (
    # The rows of a sheet that a passage holds (see `PassageRecord`); -1 of what was indexed before, and of all others.
    "ALTER TABLE passages ADD COLUMN first_row INTEGER NOT NULL DEFAULT -1",
    "ALTER TABLE passages ADD COLUMN last_row INTEGER NOT NULL DEFAULT -1",
    # Long sheets are read once more for them, and what has charts so that these are found by their types.
    *(
        f"UPDATE {table} SET plugin_version = 'before 14: ' || plugin_version WHERE {key} IN "  # noqa: S608  # ours
        "(SELECT id FROM versions WHERE part_kind = 'sheet' AND tokens > 1500 "
        "UNION SELECT version_id FROM embeds WHERE kind = 'chart')"
        for table, key in (("files", "version_id"), ("versions", "id"))
    ),
)

_FIFTEENTH = (
    # Words that stand against Chinese, Japanese or Korean are found: what has any of that is read once more.
    *(
        f"UPDATE {table} SET plugin_version = 'before 15: ' || plugin_version WHERE {key} IN "  # noqa: S608  # ours
        "(SELECT version_id FROM passages WHERE cjk GLOB '*[^ -~]*' "
        "UNION SELECT version_id FROM element_texts WHERE cjk GLOB '*[^ -~]*' "
        "UNION SELECT version_id FROM files WHERE id IN (SELECT rowid FROM names_fts WHERE cjk GLOB '*[^ -~]*'))"
        for table, key in (("files", "version_id"), ("versions", "id"))
    ),
)


def _read_again(number: int, texts: str) -> tuple[str, ...]:
    """Has what holds texts, a title or a name like that pattern (GLOB) read once more."""
    return tuple(
        f"UPDATE {table} SET plugin_version = 'before {number}: ' || plugin_version WHERE {key} IN "  # noqa: S608  # ours
        f"(SELECT version_id FROM passages WHERE text GLOB '{texts}' "
        f"UNION SELECT version_id FROM element_texts WHERE text GLOB '{texts}' "
        f"UNION SELECT version_id FROM files WHERE id IN (SELECT rowid FROM names_fts WHERE title GLOB '{texts}' "
        f"OR name GLOB '{texts}'))"
        for table, key in (("files", "version_id"), ("versions", "id"))
    )


# Words with letters that are written in more than one way (`letters`) are found however they are typed: what has
# Hebrew, Arabic, Indic or other letters of that part of Unicode, or an apostrophe that is one.
_SIXTEENTH = _read_again(16, "*[\u02bb\u02bc\u0591-\u1dff\u1f00-\u1fff]*")
# Words with raised or lowered figures ("m²", "CO₂") are found as people type them, and numbers without the powers and
# notes behind them.
_SEVENTEENTH = _read_again(17, "*[¹²³⁰⁴-⁹₀-₉]*")

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    _FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH, _SEVENTH, _EIGHTH, _NINTH, _TENTH,
    _ELEVENTH, _TWELFTH, _THIRTEENTH, _FOURTEENTH, _FIFTEENTH, _SIXTEENTH, _SEVENTEENTH,
)  # fmt: skip
"""`MIGRATIONS[n]` takes a database of `user_version` n to n + 1, in one transaction."""

LAST_ROWS = (
    *(
        f"SELECT {key} FROM {table} ORDER BY {key} DESC LIMIT 1"  # noqa: S608  # names written here
        for table, key in (
            ("files", "id"), ("versions", "id"), ("history", "id"), ("parts", "version_id"), ("segments", "id"),
            ("sections", "version_id"), ("elements", "rowid"), ("embeds", "rowid"), ("passages", "id"),
            ("element_texts", "id"), ("changes", "seq"), ("requests", "id"), ("blobs", "rowid"), ("cache", "rowid"),
            ("embeddings", "model"), ("facts", "name"), ("postings", "rowid"), ("away_folders", "folder"),
            ("tables", "id"), ("tables_fts", "rowid"), ("attributions", "version_id"),
        )
    ),
)  # fmt: skip
"""Reads the right edge of every table."""
