"""What the indexer does of itself once a day while there is nothing else to do: it looks the index through."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from support.indexes.indexer import Rig, rig, running

DAY = 86_400


def spoil(data: Path) -> None:
    """The stored text of every document becomes zeros, as a failing disk leaves it."""
    with closing(sqlite3.connect(data / "index.db")) as connection, connection:
        connection.execute("UPDATE segments SET data = zeroblob(length(data))")


def spoiled(data: Path) -> int:
    with closing(sqlite3.connect(data / "index.db")) as connection:
        return connection.execute("SELECT count(*) FROM segments WHERE data = zeroblob(length(data))").fetchone()[0]


async def checked(r: Rig) -> float:
    return float(await r.store.settings.get("checked") or 0)


async def test_the_index_is_looked_through_once_a_day_when_idle(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(3):
        (docs / f"{number}.txt").write_text(f"words of file {number}")
    begun = int(time.time())
    async with rig(tmp_path / "data", docs, upkeep_seconds=0.05) as r, running(r):

        async def first() -> bool:
            return await checked(r) >= begun

        await r.until(first, "the index was never looked through, so it is at once")
        assert not spoiled(tmp_path / "data")
        spoil(tmp_path / "data")
        # A look is due when the last was a day ago, and not before: an hour is missing.
        almost = str(int(time.time()) - DAY + 3600)
        await r.store.settings.put("checked", almost)
        for number in range(5):  # upkeep has come by when what is saved meanwhile has been indexed, many times over
            (docs / f"later{number}.txt").write_text(f"later words {number}")
            await r.until_text(docs / f"later{number}.txt", f"later words {number}")
        assert await r.store.settings.get("checked") == almost
        assert spoiled(tmp_path / "data") == 3

        async def mended() -> bool:
            return not spoiled(tmp_path / "data") and begun <= await checked(r) < begun + DAY

        for last in (-DAY - 1, 300 * DAY):  # the latter by a clock that was wrong
            spoil(tmp_path / "data")
            await r.store.settings.put("checked", str(int(time.time()) + last))
            await r.until(mended, "the damaged documents are found and read again")
        assert not list((tmp_path / "data").glob("index.db.damaged-*")), "records alone were damaged"
        assert set((await r.names()).values()) == {"indexed"}
