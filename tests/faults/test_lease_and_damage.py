"""An index that cannot be written, that is damaged, or whose indexer hangs: it is said, served, and mended without a
restart, in every window."""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from support.clients.harness import DEADLINE, alive, children, fill
from support.clients.waiting import wait_for
from support.programs.server import Server, one_sentence, own_file_system
from support.programs.storms import arguments

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and mounts as POSIX has them")

PAGE = 4096
"""SQLite's page size, in bytes."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, which can be made read-only."""
    with own_file_system(tmp_path / "disk", megabytes=100) as place:
        yield place


def remount(place: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(place)], check=True)


def works(server: Server, count: int = 5) -> None:
    """Search, read and lists answer from the index."""
    assert server.tool("search_documents", query="wombat")["results"][0]["document_slug"] == "report"
    listed = server.request("resources/list", {})["result"]["resources"]
    assert sum(entry["uri"].startswith("document://") for entry in listed) == count
    for entry in listed:
        assert server.request("resources/read", {"uri": entry["uri"]})["result"]["contents"]


@pytest.mark.parametrize("ending", ["orderly", "killed"])
def test_a_read_only_data_directory_is_served_and_followed_once_it_can_be_written(
    tmp_path: Path, disk: Path, ending: str
) -> None:
    folder, data = tmp_path / "documents", disk / "data"
    fill(folder)
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(5)
        if ending == "orderly":  # no write-ahead log stays behind
            assert server.end() == 0
        else:  # one does
            below = children(server.process.pid)
            server.process.kill()
            server.process.wait()
            wait_for(lambda: not alive(below), "its workers are gone: one may have a file open there yet")
    assert (data / "index.db-wal").exists() == (ending == "killed")
    remount(disk, "ro")
    with Server(*arguments(folder, data)) as server, Server(*arguments(folder, data)) as second:
        for one in (server, second):
            found = one.until(lambda s: s.get("remarks"), "it says so")
            assert found["read_only"]
            assert found["state"] == "idle"
            assert found["indexed"] == 5
            assert one_sentence(found["remarks"][0])
            assert "read-only" in found["remarks"][0]
            assert "not followed" in found["remarks"][0]
            assert "read-only" not in str(one.tool("search_documents", query="nowheretobefound")), "it is told once"
            works(one)
        (folder / "new.md").write_text("# New\n\nIt came meanwhile: thylacine.\n")
        refused = server.tool("index_document", path=str(folder / "new.md"))
        assert one_sentence(refused["error"]), refused
        remount(disk, "rw")
        for one in (server, second):
            found = one.until_indexed(6)
            assert "read_only" not in found
            one.until(lambda s: not s.get("remarks"), "it says so no more")
            assert one.tool("search_documents", query="thylacine")["results"][0]["document_slug"] == "new"
            works(one, 6)
        assert [server.status()["lease"]["held"], second.status()["lease"]["held"]].count(True) == 1
        assert server.end() == second.end() == 0
        assert "Traceback" not in server.errors() + second.errors()
    assert (data / "docsidecar.log").exists()


def test_a_data_directory_that_can_be_made_later_is_opened_then(tmp_path: Path) -> None:
    folder, place = tmp_path / "documents", tmp_path / "place"
    fill(folder)
    place.write_text("a file is in the way")
    with Server(*arguments(folder, place / "data")) as server:
        found = server.until(lambda s: "error" in s, "it says so")
        assert one_sentence(found["error"])
        place.unlink()
        server.until_indexed(5)
        works(server)
        assert server.end() == 0
        assert server.errors().count("cannot be made") == 1


def fill_many(folder: Path) -> None:
    fill(folder)
    rng = random.Random(7)
    for number in range(300):
        words = " ".join(f"word{rng.randrange(5000)}" for _ in range(900))
        (folder / f"note{number}.md").write_text(f"# Note {number}\n\nmark{number}\n\n{words}\n")


def spoil_pages(data: Path) -> None:
    """Write over the middle of the index, once all of it is in the file."""
    path = data / "index.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:

        def emptied() -> bool:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return busy == 0

        wait_for(emptied, "nobody reads or writes for a moment")
    pages = path.stat().st_size // PAGE
    with path.open("r+b") as file:
        for page in range(pages // 4, pages * 3 // 4):
            file.seek(page * PAGE)
            file.write(os.urandom(PAGE))


def test_a_damaged_index_is_rebuilt_in_every_window_without_a_restart(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill_many(folder)
    with Server(*arguments(folder, data)) as holder, Server(*arguments(folder, data)) as follower:
        for server in (holder, follower):
            server.until_indexed(305)
        spoil_pages(data)
        numbers = itertools.cycle(range(300))

        def met() -> list[Path]:
            number = next(numbers)
            answer = follower.tool("search_documents", query=f"mark{number}")
            assert "error" not in answer or one_sentence(answer["error"]), answer
            follower.request("resources/read", {"uri": f"document://note{number}.md"})
            return list(data.glob("index.db.damaged-*"))

        wait_for(met, "the damage is noticed by whoever meets it first, in whichever window")
        for server in (holder, follower):
            for number in (0, 150, 299):  # what the status says may be of the index before for a moment yet
                wait_for(lambda server=server, number=number: finds(server, number), f"note{number} is found again")
            server.until_indexed(305)
            works_on(server)
        # Whichever of the two came first to index has rebuilt it.
        assert any("damaged" in server.status().get("remark", "") for server in (holder, follower))
        (folder / "new.md").write_text("# New\n\nStill followed.\n")
        for server in (holder, follower):
            server.until_indexed(306)
            assert server.end() == 0
            assert "Traceback" not in server.errors()


def finds(server: Server, number: int) -> bool:
    results = server.tool("search_documents", query=f"mark{number}").get("results")
    return bool(results) and results[0]["document_slug"] == f"note{number}"


def works_on(server: Server) -> None:
    assert server.request("resources/read", {"uri": "document://note7.md"})["result"]["contents"]


def test_a_damaged_record_has_its_one_file_read_again(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    with Server(*arguments(folder, data)) as holder, Server(*arguments(folder, data)) as follower:
        for server in (holder, follower):
            server.until_indexed(5)
        with closing(sqlite3.connect(data / "index.db", timeout=DEADLINE)) as connection, connection:
            connection.execute(
                "UPDATE segments SET data = zeroblob(length(data)) "
                "WHERE version_id = (SELECT version_id FROM files WHERE slug = 'report')"
            )
        answer = follower.request("resources/read", {"uri": "document://report.md"})
        assert one_sentence(answer["error"]["message"]), answer
        assert "ask again" in answer["error"]["message"]

        def read_again() -> list[dict[str, str]]:
            return follower.request("resources/read", {"uri": "document://report.md"}).get("result", {}).get("contents")

        assert "wombat" in wait_for(read_again, "its one file is read again")[0]["text"]
        assert not list(data.glob("index.db.damaged-*"))
        works(holder)
        for server in (holder, follower):
            assert server.end() == 0
            assert "Traceback" not in server.errors()


def test_a_holder_that_hangs_is_told_and_replaced_and_writes_nothing_more(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    with Server(*arguments(folder, data)) as holder:
        holder.until_indexed(5)
        with Server(*arguments(folder, data)) as follower, Server(*arguments(folder, data)) as third:
            for server in (follower, third):
                server.until_indexed(5)
            writing = sqlite3.connect(data / "index.db", isolation_level=None, timeout=DEADLINE)
            writing.execute("BEGIN IMMEDIATE")  # as a holder does that is stopped inside a transaction
            os.kill(holder.process.pid, signal.SIGSTOP)
            stopped = time.monotonic()
            try:
                (folder / "new.md").write_text("# New\n\nIt came meanwhile: thylacine.\n")
                found = follower.until(lambda s: s.get("remarks"), "the follower says that the holder hangs")
                print(f"said after {time.monotonic() - stopped:.1f} s")
                assert one_sentence(found["remarks"][0])
                assert f"Process {holder.process.pid}" in found["remarks"][0]
                answer = follower.tool("search_documents", query="thylacine")
                assert "has not answered" in str(answer)
                works(follower)
                pattern = re.compile(r"not answered for (1[3-9]|[2-9]\d|\d{3,}) s")
                found = third.until(lambda s: pattern.search(str(s.get("remarks"))), "time enough to take over")
                assert [server.status()["lease"]["held"] for server in (follower, third)] == [False, False]
                writing.close()
                for server in (follower, third):
                    server.until(lambda s: s["indexed"] == 6 and s["state"] == "idle", "the change is found")
                print(f"taken over after {time.monotonic() - stopped:.1f} s")
                held = [server.status()["lease"]["held"] for server in (follower, third)]
                assert sorted(held) == [False, True]
                assert not follower.status().get("remarks")
            finally:
                writing.close()
                with suppress(ProcessLookupError):
                    os.kill(holder.process.pid, signal.SIGCONT)
            holder.until(lambda s: not s["lease"]["held"], "it finds itself displaced")
            holder.until_indexed(6)
            (folder / "last.md").write_text("# Last\n\nzorilla\n")
            for server in (holder, follower, third):
                server.until_indexed(7)
                assert server.tool("search_documents", query="zorilla")["results"][0]["document_slug"] == "last"
            pids = {server.status()["lease"]["holder_pid"] for server in (holder, follower, third)}
            assert len(pids) == 1
            assert holder.process.pid not in pids
            for server in (holder, follower, third):
                assert server.end() == 0
                assert "Traceback" not in server.errors()
    assert not list(data.glob("indexer.lock.*"))


def test_a_window_opens_and_reads_while_another_is_stopped_inside_a_transaction(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    with Server(*arguments(folder, data)) as holder:
        holder.until_indexed(5)
        with closing(sqlite3.connect(data / "index.db", isolation_level=None)) as writing:
            writing.execute("BEGIN IMMEDIATE")
            with Server(*arguments(folder, data)) as late:
                works(late)
                assert late.end() == 0
                assert "Traceback" not in late.errors()
        assert holder.end() == 0
