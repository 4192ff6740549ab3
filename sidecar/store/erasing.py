"""Erases what was forgotten from every byte of a data directory, and looks whether any of it is left.

Deleting rows does not do that: FTS5 marks words as removed, caches and the change feed quote documents, and SQLite
keeps free pages and a log. Which documents are forgotten, `Files.forget_folder` decides."""

from __future__ import annotations

import asyncio
import contextlib
import mmap
import re
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sidecar.api import StoreError
from sidecar.store.database.pool import Pool
from sidecar.store.database.session import Session
from sidecar.store.documents.paths import forgets, shown, under
from sidecar.store.index.embeddings import drop_orphans

_READERS_SECONDS: Final = 30.0
"""How long other processes' reads are waited for, which keep the log from being emptied."""
_RETRY_SECONDS: Final = 0.2
_PASSAGES: Final = 2000
"""Of the forgotten documents, in which rare words are looked for."""
_CANDIDATES: Final = 200
_SOUGHT: Final = 24
"""Words looked for in every file afterwards: some 10 ms each for 100 MB."""
_WORD: Final = re.compile(r"[^\W_]{7,40}")
_QUOTATIONS: Final = (
    "DELETE FROM postings",
    "DELETE FROM facts WHERE name LIKE 'postings %'",
    "DELETE FROM cache",
    "DELETE FROM blobs",
    "DELETE FROM requests WHERE done = 1",
    "DELETE FROM changes WHERE slug NOT IN (SELECT slug FROM files WHERE slug IS NOT NULL) "
    "AND slug NOT IN (SELECT slug FROM history)",
)
"""What repeats words of documents, or what was made of them, and cannot be told to belong to one folder."""
_COMPACTING: Final = ("PRAGMA temp_store=FILE", "VACUUM", "PRAGMA temp_store=MEMORY")
"""VACUUM copies the whole index, which memory may not hold."""


@dataclass(frozen=True)
class Traces:
    """What tells whether anything of some documents is left: how many they are, how many former versions are kept
    beside them, and words and paths of theirs."""

    documents: int
    former: int
    paths: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Erasure:
    """What was erased: `documents`, the bytes of the data directory before and after, the files that were removed or
    emptied, how many `words` were looked for, and in which files one of them is left (none, if all went well)."""

    documents: int
    before: int
    after: int
    files: tuple[str, ...]
    words: int
    left: tuple[str, ...]


def traces(session: Session, folder: bytes | None, kept: Collection[bytes]) -> Traces:
    """Of the documents below `folder` (None: of all) that are not below the folders `kept`: paths, and long words."""
    goes = forgets(folder, kept)
    gone: list[tuple[bytes, int | None]] = [
        (path, version)
        for path, version in session.rows("SELECT path, version_id FROM files WHERE slug IS NOT NULL")
        if goes(path)
    ]
    former = sum(goes(path) for (path,) in session.rows("SELECT path FROM history"))
    words: dict[str, None] = {}
    for version in dict.fromkeys(version for _, version in gone if version is not None):
        for (text,) in session.rows("SELECT text FROM passages WHERE version_id = ? LIMIT 20", (version,)):
            words.update(dict.fromkeys(_WORD.findall(text)))
        if len(words) > _PASSAGES:
            break
    longest = sorted(words, key=len, reverse=True)[:_CANDIDATES]
    return Traces(len(gone), former, tuple(shown(path) for path, _ in gone[:_SOUGHT]), tuple(longest))


def erase_quotations(session: Session, folder: bytes | None) -> None:
    """Empty what quotes documents beside themselves."""
    for statement in _QUOTATIONS:
        session.execute(statement)
    for table, column in (("requests", "path"), ("away_folders", "folder")):
        for (path,) in session.rows(f"SELECT {column} FROM {table}"):  # noqa: S608  # names written here
            if folder is None or under(path, folder):
                session.execute(f"DELETE FROM {table} WHERE {column} = ?", (path,))  # noqa: S608
    if session.one("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'"):  # samples of values, where compiled in
        session.execute("DELETE FROM sqlite_stat4")
    drop_orphans(session)


async def compact(database: Pool) -> None:
    """Rewrite the index without free pages and empty its log. Raises StoreError where another process reads all the
    while, or no space is left."""
    for statement in _COMPACTING:
        await database.pragma(statement)
    deadline = time.monotonic() + _READERS_SECONDS
    while (await database.pragma("PRAGMA wal_checkpoint(TRUNCATE)"))[0][0]:
        if time.monotonic() > deadline:
            raise StoreError(
                f"Another process has been reading {database.path} for {_READERS_SECONDS:.0f} s, so its log still "
                "holds what was forgotten; end the other docsidecar processes and forget again."
            )
        await asyncio.sleep(_RETRY_SECONDS)


def erase_files(data_dir: Path, logs: Iterable[Path]) -> list[str]:
    """Remove copies of damaged indexes, former logs and a status left behind, and empty the log, which other processes
    hold open; the names of what was there. Raises StoreError."""
    done: list[str] = []
    current = list(logs)
    former = [path for log in current for path in log.parent.glob(f"{log.name}.*")]
    try:
        for path in [*data_dir.glob("index.db.damaged-*"), *data_dir.glob("progress.json*"), *former]:
            path.unlink(missing_ok=True)
            done.append(path.name)
        for log in current:
            with contextlib.suppress(FileNotFoundError), log.open("r+b") as stream:
                stream.truncate()
                done.append(log.name)
    except OSError as error:
        raise StoreError(f"{error.filename} cannot be erased: {error.strerror}; remove it yourself.") from error
    return done


def rare(session: Session, known: Traces) -> list[str]:
    """Those of the words that stand in no passage that is left, and the paths of files that are not."""
    found = "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT 1"
    words = [word for word in known.words if not session.one(found, (f'"{word}"',))][:_SOUGHT]
    return [*words, *(path for path in known.paths if not session.one("SELECT 1 FROM files WHERE shown = ?", (path,)))]


def files_with(directory: Path, words: Sequence[str]) -> list[tuple[Path, str]]:
    """Files of a directory with one of the words that stands in them; what is not a file, or is gone, has none."""
    found: list[tuple[Path, str]] = []
    for path in sorted(directory.iterdir()):
        try:
            with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
                found += [(path, word) for word in words if content.find(word.encode()) >= 0]
        except (OSError, ValueError):  # a directory; or empty, which cannot be mapped
            continue
    return found


def occurs_in_row(session: Session, word: str) -> bool:
    """Whether a row that is left says the word, so that it is not a trace of what was erased. The search index, which
    folds case, does not count."""
    tables = session.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%fts_data'")
    for (table,) in [("sqlite_schema",), *tables]:
        columns: list[str] = [row[1] for row in session.rows("SELECT * FROM pragma_table_info(?)", (table,))]
        where = " OR ".join(f'instr(CAST("{one}" AS BLOB), ?1) OR instr(lower("{one}"), ?2)' for one in columns)
        found = f'SELECT 1 FROM "{table}" WHERE {where} LIMIT 1'  # noqa: S608  # our schema
        if session.one(found, (word.encode(), word.lower())):
            return True
    return False


def bytes_in(directory: Path) -> int:
    """What the files of a directory come to."""
    return sum(path.stat().st_size for path in directory.iterdir() if path.is_file())


Step = Callable[[str], None]
"""Told what is being done, in a few words."""
