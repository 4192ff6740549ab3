"""An index that the first version made, opened by this one: nothing of it is lost, and what is new is read in.

`support/indexes/index_of_0_1.db.xz` was written by the program of that time (format 1 of the tables) over the folder
that `old_home` makes, after `edited.txt` had been edited and `removed.txt` removed. Only its paths are put right here.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import time
from pathlib import Path

import pytest
from support.programs import program

OLD_INDEX = Path(__file__).parents[1] / "support" / "indexes" / "index_of_0_1.db.xz"
FIRST_DRAFT, REMOVED = "ef249c7fa84a", "521746525291"
"""doc_ids of former versions."""


class OldHome:
    """A data directory with the old index, and the folder it is of."""

    def __init__(self, home: Path) -> None:
        self.folder, self.data = home / "documents", home / "data"
        self.folder.mkdir()
        self.data.mkdir()
        (self.folder / "notes.md").write_bytes(
            b"# Capybaras\n\nThe capybara rests by the river.\n\n## Food\n\nGrass and reeds.\n"
        )
        (self.folder / "list.csv").write_bytes(b"animal,count\ncapybara,12\nnarwhal,7\n")
        (self.folder / "edited.txt").write_bytes(b"A second draft about quokkas.\n")
        index = self.data / "index.db"
        index.write_bytes(lzma.decompress(OLD_INDEX.read_bytes()))
        database = sqlite3.connect(index)
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
        for row, path in database.execute("SELECT id, shown FROM files").fetchall():
            new = str(self.folder / Path(path).name)
            database.execute(
                "UPDATE files SET path = ?, shown = ?, folder = ? WHERE id = ?",
                (os.fsencode(new), new, os.fsencode(self.folder), row),
            )
        database.execute("UPDATE history SET ended = ?", (time.time(),))
        database.commit()
        database.close()
        self.environment = {
            **os.environ, "DOCSIDECAR_CONFIG": str(home / "none.toml"), "DOCSIDECAR_DATA_DIR": str(self.data),
        }  # fmt: skip

    def run(self, *words: str, code: int = 0) -> str:
        done = program.run("--folder", str(self.folder), *words, environment=self.environment)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture
def old_home(tmp_path: Path) -> OldHome:
    return OldHome(tmp_path)


def test_an_index_of_0_1_answers_at_once_and_is_read_in_anew(old_home: OldHome) -> None:
    assert "The **capybara** rests" in old_home.run("search", "capybara"), "before anything is read anew"
    report = json.loads(old_home.run("index", "--once", "--json"))
    assert report["states"] == {"indexed": 3}
    assert report["read"] == 3, "once more, for what the old version did not keep"
    assert report.get("remark") is None
    documents = json.loads(old_home.run("list", "--json"))["documents"]
    assert sorted(one["slug"] for one in documents) == ["edited", "list", "notes"]
    assert old_home.run("sql", "SELECT sum(count) FROM list", "--csv").split()[-1] == "19", "tables are new since"
    assert json.loads(old_home.run("index", "--once", "--json"))["read"] == 0
    assert not list(old_home.data.glob("index.db.damaged-*"))


def test_former_versions_of_0_1_stay_readable_and_are_forgotten_with_their_folder(old_home: OldHome) -> None:
    old_home.run("index", "--once", "--json")
    assert "A first draft about quokkas." in old_home.run("read", f"document://{FIRST_DRAFT}.txt")
    assert "Gone soon: the numbat." in old_home.run("read", f"document://{REMOVED}.txt")
    old_home.run("forget", str(old_home.folder))
    for doc_id in (FIRST_DRAFT, REMOVED):
        old_home.run("read", f"document://{doc_id}.txt", code=1)
    assert b"numbat" not in b"".join(path.read_bytes() for path in old_home.data.iterdir())
