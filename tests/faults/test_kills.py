"""Killed, starved and robbed: what is left is whole, no process is orphaned, and serving goes on or says why not."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from support.clients.harness import alive, children, fill, stop
from support.clients.waiting import wait_for
from support.office.docx_files import packed
from support.programs import forks, program
from support.programs.server import Server, log_of, one_sentence, own_file_system
from support.programs.storms import arguments, check
from support.trials.xlsx_trial import NS, relationships

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits as POSIX has them")


def notes(folder: Path, count: int, words: int = 300) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"note{number}.md").write_text(
            f"# Note {number}\n\nThe word{number} is here.\n\n" + "filler " * words
        )


def rows(data: Path) -> int:
    """Documents in the index that lies there now, whatever the server has open."""
    try:
        with closing(sqlite3.connect(f"file:{data / 'index.db'}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM files").fetchone()[0]
    except sqlite3.Error:
        return -1


@contextmanager
def stopped(server: Server) -> Generator[None]:
    """The server does nothing meanwhile."""
    stop(server.process.pid)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


def test_killed_while_it_indexes_it_leaves_a_whole_index_and_no_process(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    notes(folder, 600)
    for moment in (1, 150, 400):  # documents in the index when the blow falls
        with Server(*arguments(folder, data)) as server:
            server.until(lambda s, n=moment: s.get("indexed", 0) >= n, f"{moment} are indexed")
            below = children(server.process.pid)
            server.process.kill()
            server.process.wait()
            wait_for(lambda below=below: not alive(below), "its workers are gone")
        check(data)
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(600)
        for number in (0, 299, 599):
            assert server.tool("search_documents", query=f"word{number}")["results"][0]["title"].startswith("Note")
        assert server.end() == 0
    check(data)


def workbook(word: str, rows: int) -> bytes:
    """A workbook with the word in its first cell and that many rows of numbers below."""
    filler = "".join(f"<row><c><v>{number}.25</v></c><c><v>{number + 7}.5</v></c></row>" for number in range(rows))
    cells = f'<row><c t="inlineStr"><is><t>{word}</t></is></c></row>{filler}'
    return packed({
        "_rels/.rels": relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook {NS}><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relationships(("rId1", "worksheet", "worksheets/sheet1.xml")),
        "xl/worksheets/sheet1.xml": f"<worksheet {NS}><sheetData>{cells}</sheetData></worksheet>",
    })  # fmt: skip


def test_killed_when_it_has_the_words_of_workbooks_alone_it_reads_the_rest_at_the_next_start(tmp_path: Path) -> None:
    """With one reader, and so many files that their words come first."""
    folder, data, config = tmp_path / "documents", tmp_path / "data", tmp_path / "config.toml"
    folder.mkdir()
    config.write_text("[index]\nworkers = 1\n[plugins]\ndisabled = ['semantic']\n")
    count, large = 400, 4
    for number in range(count):
        rows = 20_000 if number < large else 1
        path = folder / f"book{number}.xlsx"
        path.write_bytes(workbook(f"otter{number}", rows))
        os.utime(path, (1, 1))  # what was saved just now is read whole at once
    environment = {"DOCSIDECAR_CONFIG": str(config)}
    with Server(*arguments(folder, data), environment=environment) as server:
        server.until(lambda s: s.get("words_only", 0) > 1, "the words of all are there, and not yet the rest")
        assert server.tool("search_documents", query=f"otter{large - 1}")["results"], "found by its words"
        server.process.kill()
        server.process.wait()
    check(data)
    with Server(*arguments(folder, data), environment=environment) as server:
        server.until_indexed(count)
        for number in range(large):
            (hit,) = server.tool("search_documents", query=f"otter{number}")["results"]
            assert "words" not in str(server.tool("get_document_info", document_slug=f"book{number}").get("notices"))
            assert hit["document_slug"] == f"book{number}"
            assert "19999.25" in server.text(f"sheet://book{number}/1?range=A20000:B20001")
        assert server.end() == 0
    check(data)


def test_of_three_sidecars_another_takes_over_each_time_one_is_killed(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    servers = [Server(*arguments(folder, data)) for _ in range(3)]
    try:
        for server in servers:
            server.until_indexed(5)
        for count in (6, 7):
            found = servers[0].until(lambda s: s["lease"]["holder_pid"], "somebody holds the lease")
            holder = next(server for server in servers if server.process.pid == found["lease"]["holder_pid"])
            servers.remove(holder)
            with holder:
                holder.process.kill()
                holder.process.wait()
            # While nobody was looking: only the survey of whoever takes over finds it.
            (folder / f"later{count}.md").write_text(f"# Later\n\nThe later{count}word.\n")
            for server in servers:
                server.until_indexed(count)
                hits = server.tool("search_documents", query=f"later{count}word")["results"]
                assert hits[0]["document_slug"] == f"later{count}"
                assert heard_of_the_list(server)
        assert servers[0].status()["lease"]["held"]
    finally:
        for server in servers:
            with server:
                server.end()


def heard_of_the_list(server: Server) -> bool:
    """Whether its client is told, before the answer to a request that is sent now or soon."""
    told = "notifications/resources/list_changed"
    server.until(lambda _: told in server.heard, "the client is told of the list")
    server.heard.clear()
    return True


def test_a_follower_says_how_far_the_indexer_is_and_nothing_stale(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    notes(folder, 1500)

    def told() -> tuple[int, int]:
        try:
            said = json.loads((data / "progress.json").read_text())
        except FileNotFoundError:
            return 0, 0
        return said["pid"], said["progress"]["pending"]

    with Server(*arguments(folder, data)) as holder:
        wait_for(lambda: told()[1], "it says what is pending")
        stop(holder.process.pid)  # so that nobody finishes, nor takes the lease
        assert told()[0] == holder.process.pid
        with Server(*arguments(folder, data)) as follower:
            found = follower.until(lambda s: s.get("pending", 0) > 0, "the follower knows of pending files")
            assert found["state"] == "indexing"
            assert not found["lease"]["held"]
            os.kill(holder.process.pid, signal.SIGKILL)
            holder.process.wait()
            follower.until_indexed(1500)
            assert follower.end() == 0


def test_what_a_killed_indexer_told_last_does_not_count(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    data.mkdir()
    stale = {"pid": 2**22 + 1, "progress": {"state": "indexing", "pending": 7, "indexed": 1, "total": 8}}
    (data / "progress.json").write_text(json.dumps(stale))
    done = program.run("status", "--json", *arguments(folder, data), environment=os.environ)
    assert json.loads(done.stdout)["state"] == "idle"
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(5)


@pytest.mark.parametrize("files", [20, 32, 48, 80])
def test_with_few_open_files_it_serves_or_says_what_is_missing(tmp_path: Path, files: int) -> None:
    import resource

    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    with Server(*arguments(folder, data), before=forks.Limited({resource.RLIMIT_NOFILE: (files, files)})) as server:

        def known(found: dict[str, object]) -> bool:
            return "error" in found or bool(found.get("remarks")) or found.get("indexed") == 5

        found = server.until(known, "it has indexed, or says why not")
        if "error" in found:
            assert one_sentence(found["error"]), found
        elif found["indexed"] != 5:
            assert any("tried again" in remark for remark in found["remarks"]), found
        assert server.end() == 0
        assert "Traceback" not in server.errors()
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(5)


@pytest.mark.parametrize("megabytes", [160, 256])
def test_with_little_memory_it_serves_or_says_so(tmp_path: Path, megabytes: int) -> None:
    """The address space of the server and of each of its workers."""
    import resource

    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)

    limit = megabytes << 20
    with Server(*arguments(folder, data), before=forks.Limited({resource.RLIMIT_AS: (limit, limit)})) as server:

        def known(found: dict[str, Any]) -> bool:
            assert one_sentence(found.get("error", "Nothing is wrong.")), found
            return "too little memory" in str(found) or found.get("indexed") == 5

        server.until(known, "it has indexed, or says why not")
        assert server.request("tools/list", {})["result"]["tools"]
        assert server.end() == 0
        assert "Traceback" not in server.errors()
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(5)


def test_a_read_only_data_directory_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    fill(folder)
    # /proc takes no files, not even from root.
    with Server(*arguments(folder, Path("/proc/docsidecar"))) as server:
        found = server.until(lambda s: "error" in s, "it says so")
        assert one_sentence(found["error"])
        assert "/proc/docsidecar" in found["error"]
        assert "--data-dir" in found["error"]
        assert server.request("tools/list", {})["result"]["tools"], "a client without tools shows its user nothing"
        assert "/proc/docsidecar" in server.request("resources/list", {})["error"]["message"]
        assert server.end() == 0
        assert "Traceback" not in server.errors()


def test_what_lay_on_a_disk_within_a_folder_is_away_while_it_is_not_mounted(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    disk = folder / "disk"
    with Server(*arguments(folder, data)) as server:
        with own_file_system(disk, megabytes=4):
            notes(disk / "deep", 3)
            server.until_indexed(8)
        (remark,) = server.until(lambda s: s.get("remarks") and s["indexed"] == 5, "it is told")["remarks"]
        assert str(disk) in remark
        assert one_sentence(remark)
        (hit,) = server.tool("search_documents", query="word2")["results"]
        assert "not there now" in hit["title"]
        with own_file_system(disk, megabytes=4):
            notes(disk / "deep", 3)
            assert "remarks" not in server.until_indexed(8)
        server.until(lambda s: s.get("remarks") == [remark] and s["indexed"] == 5, "it is told again")
        assert server.end() == 0
    with Server(*arguments(folder, data)) as server:
        server.until(lambda s: s.get("remarks") == [remark], "at the next start it is away too")
        server.until_indexed(5)
        disk.rmdir()
        gone = "whoever takes the folder away does without what it held"
        server.until(lambda s: not s.get("remarks") and s["states"] == {"indexed": 5}, gone)
        assert not server.tool("search_documents", query="word2")["results"]
        assert server.end() == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of six megabytes."""
    with own_file_system(tmp_path / "disk", megabytes=6) as place:
        yield place


def fills_and_goes_on(
    folder: Path, data: Path, count: int, make_room: Callable[[Server], None], before: Callable[[], None] | None = None
) -> None:
    """Of so many notes not all have room until some is made."""
    folder.mkdir()
    Image.effect_noise((2000, 1500), 90).save(folder / "noise.png")
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(1)
    notes(folder, count - 1, words=3000)
    with Server(*arguments(folder, data), before=before) as server:
        found = server.until(
            lambda s: s.get("state") == "idle" and any("tried again" in r for r in s.get("remarks", ())),
            "the full disk is told, and nothing is tried meanwhile",
        )
        remark = next(remark for remark in found["remarks"] if "tried again" in remark)
        assert one_sentence(remark)
        assert "space" in remark or "disk" in remark
        listed = server.request("resources/list", {})["result"]["resources"]
        assert server.request("resources/read", {"uri": listed[-1]["uri"]})["result"]["contents"]
        for name, asked in (("search_documents", {"query": "nowheretobefound"}), ("list_documents", {})):
            # What is not there may be in what had no room; between two tries, so that it is asked until one is over.
            call = {"name": name, "arguments": asked}
            wait_for(lambda call=call: "tried again" in str(server.request("tools/call", call)), f"{name} tells it too")
        answer = server.request("resources/read", {"uri": "image://noise/0?size=1600"})
        assert "result" in answer, answer
        drawn = answer["result"]["contents"]
        assert drawn[0]["mimeType"] == "image/png", "it cannot be kept, and is seen"
        make_room(server)
        server.until_indexed(count)
        assert server.end() == 0
        assert "Traceback" not in server.errors()
    check(data)


def test_when_the_disk_is_full_it_says_so_and_goes_on_when_there_is_room(tmp_path: Path, small_disk: Path) -> None:

    def more_room(server: Server) -> None:
        subprocess.run(["mount", "-o", "remount,size=200m", str(small_disk)], check=True)

    fills_and_goes_on(tmp_path / "documents", small_disk / "data", 400, more_room)


def test_when_files_may_grow_no_more_it_says_so_and_goes_on_when_they_may(tmp_path: Path) -> None:
    import resource

    if not hasattr(resource, "prlimit"):
        pytest.skip("limits of another process are Linux's")

    limit = forks.Limited({resource.RLIMIT_FSIZE: (1_500_000, resource.RLIM_INFINITY)})

    def lift(server: Server) -> None:
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)

    fills_and_goes_on(tmp_path / "documents", tmp_path / "data", 150, lift, limit)


def test_a_data_directory_that_vanishes_is_made_anew(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(5)
        data.rename(tmp_path / "removed")  # in one step: what it writes meanwhile would stop the removing
        shutil.rmtree(tmp_path / "removed", ignore_errors=True)
        wait_for(lambda: rows(data) == 5, "everything is in an index made anew")
        server.until_indexed(5)
        assert server.tool("search_documents", query="wombat")["results"][0]["document_slug"] == "report"
        (folder / "new.md").write_text("# New\n\nStill followed.\n")
        server.until_indexed(6)
        with Server(*arguments(folder, data)) as second:  # the lease is the one others see
            second.until_indexed(6)
            assert not second.status()["lease"]["held"]
            assert second.status()["lease"]["holder_pid"] == server.process.pid
            assert second.end() == 0
        assert server.end() == 0
        assert "Traceback" not in server.errors()
    check(data)


def test_a_data_directory_that_cannot_come_back_is_told_without_flooding_the_log(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "place" / "data"
    fill(folder)
    with Server(*arguments(folder, data)) as server:
        server.until_indexed(5)
        with stopped(server):  # it would make the directory anew between the two
            (tmp_path / "place").rename(tmp_path / "elsewhere")
            (tmp_path / "place").write_text("a file is in the way")
        found = server.until(lambda s: "error" in s or bool(s.get("remarks")), "it is told")
        assert "error" in found or one_sentence(found["remarks"][0])
        lines = len(log_of(tmp_path / "elsewhere" / "data").splitlines()) + len(server.errors().splitlines())
        assert lines < 40
        with stopped(server):
            (tmp_path / "place").unlink()
            (tmp_path / "elsewhere").rename(tmp_path / "place")
        (folder / "new.md").write_text("# New\n\nIt goes on.\n")
        server.until_indexed(6)
        assert server.end() == 0
        assert "Traceback" not in server.errors()
