"""Hostile files and unkind moments: readers that crash, hang or eat memory, files that change under the reader,
names that are not text, links that lead astray, and a parent that is killed."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import uuid
import zipfile
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from support.clients.harness import alive
from support.clients.waiting import DEADLINE, wait_for
from support.indexes.indexer import rig, running
from support.programs.server import one_sentence

from sidecar.api import Limits, UnavailableError, WorkerCrash, WorkerTimeout
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader

BOUNDED = Limits(max_seconds=2.0, max_memory_bytes=400 * 2**20)
BRIEF = replace(BOUNDED, max_seconds=1.0)
"""For what hangs three times, which is waited for in full."""


async def test_a_reader_that_misbehaves_costs_its_own_file_only(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    troubles = {
        "crashes.txt": ("SEGFAULT", "crashed", "SIGSEGV|exit code"),
        "exits.txt": ("EXIT", "crashed", "exit code 7"),
        "hangs.txt": ("HANG", "timed_out", "longer than 2 seconds"),
        "spins.txt": ("SPIN", "timed_out", "longer than 2 seconds"),
        "eats.txt": ("EAT", "too_large", "max_memory_bytes"),
        "raises.txt": ("RAISE", "crashed", "KeyError"),
        "torn.txt": ("DAMAGED", "damaged", "torn in two"),
        "deep.txt": ("DEEP", "damaged", "nested too deeply"),
    }
    for name, (word, _, _) in troubles.items():
        (docs / name).write_text(word)
    for number in range(30):
        (docs / f"good{number}.txt").write_text(f"good {number}")
    (docs / "prints.txt").write_text("PRINT and go on")

    async with rig(tmp_path / "data", docs, limits=BOUNDED) as r:
        report = await r.indexer.scan_once()
        assert report.states == {"crashed": 3, "damaged": 2, "indexed": 31, "timed_out": 2, "too_large": 1}
        failures = {Path(failure.path).name: failure for failure in report.failures}
        assert set(failures) == set(troubles)
        for name, (_, state, words) in troubles.items():
            assert failures[name].state == state
            assert any(word in failures[name].reason for word in words.split("|")), failures[name]


async def test_what_took_too_long_is_tried_again_when_all_others_are_read(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "once.txt").write_text(f"ONCE tried-{uuid.uuid4()}")
    (docs / "good.txt").write_text("good")

    async with rig(tmp_path / "data", docs, limits=Limits(max_seconds=1.0)) as r:
        report = await r.indexer.scan_once()
        assert report.states == {"indexed": 2}
        assert report.failures == ()


async def test_three_strikes_and_the_file_is_left_alone_until_it_changes(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "bad.txt").write_text("EXIT")

    async with rig(tmp_path / "data", docs, limits=BOUNDED) as r:
        assert [(await r.indexer.scan_once()).read for _ in range(5)] == [1, 1, 1, 0, 0]
        report = await r.indexer.scan_once()
        assert "left alone until the file changes" in report.failures[0].reason
        (docs / "bad.txt").write_text("mended at last")
        assert (await r.indexer.scan_once()).states == {"indexed": 1}


async def test_recognition_that_crashes_has_three_strikes_too(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "scan.txt").write_text("SCAN EXIT")

    async with rig(tmp_path / "data", docs, limits=BOUNDED) as r:
        assert [(await r.indexer.scan_once()).read for _ in range(5)] == [1, 1, 1, 0, 0]
        report = await r.indexer.scan_once()
        assert "left alone until the file changes" in report.failures[0].reason
        info = await r.store.documents.info_at(os.fsencode(docs / "scan.txt"))
        assert info is not None
        assert (info.state, info.parts) == ("crashed", 1)  # what was read without recognition is still there


async def test_an_attachment_that_crashes_or_hangs_leaves_its_message(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, word in (("bad", "EXIT"), ("slow", "HANG"), ("torn", "DAMAGED"), ("faulty", "RAISE"), ("good", "words")):
        (docs / f"{name}.txt").write_text(f"LETTER {word} of the attachment")

    async with rig(tmp_path / "data", docs, limits=BRIEF) as r:
        for _ in range(3):
            await r.indexer.scan_once()
        report = await r.indexer.scan_once()
        assert report.states == {"crashed": 1, "timed_out": 1, "indexed": 3}
        assert (await r.indexer.scan_once()).read == 0
        texts: dict[str, list[tuple[int, str]]] = {}
        for passage in await r.store.documents.passages():
            texts.setdefault(passage.slug, []).append((passage.last_block, passage.text))
        whole = [(1, "the letter itself")]
        attached = (-1, "words of the attachment")
        found = {slug: [one for one in passages if one[1] != "inner.txt"] for slug, passages in texts.items()}
        assert found == dict.fromkeys(("bad", "slow", "torn", "faulty"), whole) | {"good": [*whole, attached]}


async def test_a_document_that_breaks_keeps_its_last_good_version(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("the good words")

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        (docs / "a.txt").write_text("DAMAGED now")
        await r.indexer.scan_once()
        info = await r.store.documents.info_at(os.fsencode(docs / "a.txt"))
        assert info is not None
        assert info.state == "damaged"
        assert await r.text(docs / "a.txt") == "the good words"
        (docs / "a.txt").write_text("the good words")
        await r.indexer.scan_once()
        assert await r.names() == {"a.txt": "indexed"}


async def test_index_now_says_what_the_reader_did(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "exits.txt").write_text("EXIT")
    (docs / "hangs.txt").write_text("HANG")

    async with rig(tmp_path / "data", docs, limits=BRIEF) as r, running(r):
        with pytest.raises(WorkerCrash, match="exit code 7"):
            await r.indexer.index_now(docs / "exits.txt")
        with pytest.raises(WorkerTimeout, match=r"hangs\.txt: It took longer"):
            await r.indexer.index_now(docs / "hangs.txt")


def test_what_a_name_belies_is_unsupported_and_never_damaged(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as members:
        members.writestr("notes.txt", "in an archive")
    others = {
        "font": b"\0\1\0\0\0\x0f" + bytes(900), "program": b"\x7fELF\2\1\1" + bytes(900), "packed": packed.getvalue(),
        "seven": b"7z\xbc\xaf'\x1c\0\4" + bytes(900), "film": b"\0\0\0\x18ftypmp42" + bytes(900),
    }  # fmt: skip
    for suffix in ("docx", "xlsx", "pptx", "doc", "xls", "ppt", "pdf", "rtf", "ods", "pages"):
        for name, data in others.items():
            (docs / f"{name}.{suffix}").write_bytes(data)
    (docs / "torn.xlsx").write_bytes(b"PK\3\4" + bytes(200))
    (docs / "torn.7z").write_bytes(b"7z\xbc\xaf'\x1c\0\4" + b"\xff" * 900)

    detector = detector_of(Loader())
    states = {path.name: read_file(Job(os.fsencode(path)), detector, Limits()).state for path in docs.iterdir()}
    damaged = {name for name, state in states.items() if state == "damaged"}
    assert damaged == {"torn.xlsx", "torn.7z"}
    assert sum(state == "unsupported" for state in states.values()) >= 45  # one is read as the archive it is


def test_files_of_nothing_are_said_to_be_empty_whatever_reads_them(tmp_path: Path) -> None:
    suffixes = {suffix for entry in entry_points(group="docsidecar.formats") for suffix in entry.load()().suffixes}
    detector = detector_of(Loader())
    said = set[str]()
    for suffix in sorted(suffixes):
        for name, data in (("empty", b""), ("zeros", bytes(20_000))):
            path = tmp_path / f"{name}{suffix}"
            path.write_bytes(data)
            found = read_file(Job(os.fsencode(path)), detector, Limits())
            if found.kind != "read":
                said.add(f"{name}: {found.state}: {found.reason.removeprefix(path.name)}")
    assert said - {
        "zeros: unsupported: No plugin reads this kind of file.",
        "empty: damaged:  is empty.",
        "zeros: damaged:  holds only zero bytes at its beginning: it was not written or copied to its end; restore it.",
    } == set()  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="files whose size is not what can be read of them")
@pytest.mark.parametrize("path", ["/sys/devices/system/cpu/online", "/proc/version"])
def test_a_file_that_is_not_as_long_as_it_is_said_to_be_is_told_and_not_waited_for(path: str) -> None:
    """As files that lie in a cloud, of which the size alone is here: it would be read again for ever."""
    found = read_file(Job(os.fsencode(path)), detector_of(Loader()), Limits())
    assert (found.kind, found.state) == ("failed", "unreadable")
    assert "is said to have" in found.reason
    assert one_sentence(found.reason)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows names are text")
async def test_names_of_every_kind(tmp_path: Path) -> None:
    docs = os.fsencode(tmp_path / "docs")
    (tmp_path / "docs").mkdir()
    names = [
        "名前.txt".encode(), "Übung é.txt".encode(), b"new\nline.txt", b"caf\xe9.txt", b"\xff\xfe.txt", b" .txt",
        b"n" * 251 + b".txt", b"-rf.txt", b"a'b\"c;--.txt", b"%00.txt", b"a.txt ", b"emoji \xf0\x9f\x93\x84.txt",
    ]  # fmt: skip
    for number, name in enumerate(names):
        (Path(os.fsdecode(docs)) / os.fsdecode(name)).write_text(f"content {number}")

    async with rig(tmp_path / "data", tmp_path / "docs") as r:
        report = await r.indexer.scan_once()
        expected = {docs + b"/" + name: f"content {n}" for n, name in enumerate(names) if name.endswith(b".txt")}
        assert await r.texts() == expected
        assert report.states == {"indexed": len(expected), "unsupported": 1}
        infos = await r.store.documents.readable()
        assert len({info.slug for info in infos}) == len(expected)
        for info in infos:
            info.path.encode()  # fit for any client


@pytest.mark.skipif(sys.platform == "win32", reason="such names are refused there")
async def test_a_name_cannot_pass_for_a_line_of_ours_or_for_another_name(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    names = ["a\n*Source: Board; page:x.*.txt", "b\x1b[2J.txt", "c\u202etxt.exe.txt", "d\u2028e.txt", "f\u2066g.txt"]
    for name in names:
        (docs / name).write_text("zebra")

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        infos = await r.store.documents.readable()
        assert len(infos) == len(names)
        for info in infos:
            assert info.path.isprintable()
            assert info.title.isprintable()
            assert "\ufffd" in info.path
        assert set((await r.texts()).values()) == {"zebra"}, "they are opened by their own names"


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a privilege there")
@pytest.mark.parametrize("follow", [False, True])
async def test_links_never_lead_out_nor_round_and_round(tmp_path: Path, *, follow: bool) -> None:
    docs, outside = tmp_path / "docs", tmp_path / "outside"
    (docs / "sub").mkdir(parents=True)
    outside.mkdir()
    (docs / "a.txt").write_text("inside")
    (docs / "sub" / "b.txt").write_text("below")
    (outside / "secret.txt").write_text("not to be indexed")
    (docs / "out.txt").symlink_to(outside / "secret.txt")
    (docs / "away").symlink_to(outside)
    (docs / "sub" / "up").symlink_to(docs)
    (docs / "sub" / "here").symlink_to(docs / "sub")
    (docs / "round.txt").symlink_to(docs / "round.txt")
    (docs / "broken.txt").symlink_to(docs / "nothing.txt")
    (docs / "alias.txt").symlink_to(docs / "a.txt")

    async with rig(tmp_path / "data", docs, follow_symlinks=follow) as r:
        report = await r.indexer.scan_once()
        texts = {os.fsdecode(path): text for path, text in (await r.texts()).items()}
        assert "not to be indexed" not in texts.values()
        expected = {str(docs / "a.txt"): "inside", str(docs / "sub" / "b.txt"): "below"}
        if follow:
            expected[str(docs / "alias.txt")] = "inside"
        assert texts == expected
        reasons = {Path(failure.path).name: failure.reason for failure in report.failures}
        assert set(reasons) == {"out.txt", "away", "round.txt", "broken.txt"}
        assert "leaves the watched folder" in reasons["away"]
        assert "circle" in reasons["round.txt"]
        await r.forget_changes()
        await r.indexer.scan_once()
        assert await r.changes() == []


async def test_a_file_that_keeps_changing_is_indexed_as_it_ends_up(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    file = docs / "growing.txt"

    async with rig(tmp_path / "data", docs) as r, running(r):
        for number in range(40):
            with file.open("a") as handle:
                handle.write(f"line {number}\n")
            await asyncio.sleep(0.005)
            if number % 10 == 9:
                file.rename(docs / "elsewhere.txt")
                (docs / "elsewhere.txt").rename(file)

        async def whole() -> bool:
            return await r.text(file) == file.read_text().strip()

        await r.until(whole, "all lines are indexed")
        assert set(await r.names()) == {"growing.txt"}


async def test_files_deleted_or_replaced_while_they_are_read(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(60):
        (docs / f"{number}.txt").write_text(f"first {number}\n" * 200)

    async with rig(tmp_path / "data", docs) as r:
        scan = asyncio.create_task(r.indexer.scan_once())
        while not r.indexer.progress.pending:  # noqa: ASYNC110 - to act while files are being read
            await asyncio.sleep(0)
        for number in range(0, 60, 3):
            (docs / f"{number}.txt").unlink()
        for number in range(1, 60, 3):
            (docs / "x.tmp").write_text(f"second {number}")
            (docs / "x.tmp").replace(docs / f"{number}.txt")
        await scan
        await r.indexer.scan_once()
        texts = {Path(os.fsdecode(path)).name: text for path, text in (await r.texts()).items()}
        assert set(texts) == {path.name for path in docs.iterdir()}
        assert all(texts[f"{number}.txt"] == f"second {number}" for number in range(1, 60, 3))


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs permissions that bind the user")
async def test_what_may_not_be_read_is_said_and_read_once_it_may(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "closed").mkdir(parents=True)
    (docs / "closed" / "in.txt").write_text("behind the door")
    (docs / "locked.txt").write_text("locked")
    (docs / "locked.txt").chmod(0)

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        (docs / "closed").chmod(0)
        report = await r.indexer.scan_once()
        reasons = {Path(failure.path).name: failure.reason for failure in report.failures}
        assert "permission denied" in reasons["locked.txt"]
        assert "permission denied" in reasons["closed"]
        assert await r.text(docs / "closed" / "in.txt") == "behind the door"
        (docs / "closed").chmod(0o755)
        (docs / "locked.txt").chmod(0o644)
        assert (await r.indexer.scan_once()).failures == ()
        assert await r.text(docs / "locked.txt") == "locked"


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
async def test_when_watches_run_out_folders_are_polled_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidecar.ingest.watching.inotify._max_watches", lambda: 4)
    docs = tmp_path / "docs"
    for number in range(8):
        (docs / f"d{number}").mkdir(parents=True)

    async with rig(tmp_path / "data", docs) as r, running(r):
        assert any("cannot be watched" in remark for remark in r.indexer.progress.remarks)
        for number in range(8):
            (docs / f"d{number}" / "a.txt").write_text(f"text {number}")
        for number in range(8):
            await r.until_text(docs / f"d{number}" / "a.txt", f"text {number}")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_ignored_directories_cost_no_watch(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for path in ("kept/inner", "node_modules/a/b/c", ".git/objects/00", "env/lib/python3", "built/x"):
        (docs / path).mkdir(parents=True)
    (docs / "env" / "pyvenv.cfg").write_text("home = /usr")
    (docs / ".gitignore").write_text("built/\n")
    (docs / "kept" / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as r, running(r):
        await r.until_text(docs / "kept" / "a.txt", "alpha")
        assert watches() == 3  # docs, kept, inner
        (docs / "node_modules" / "later").mkdir()
        (docs / "kept" / "later").mkdir()

        async def grown() -> bool:
            return watches() == 4

        await r.until(grown, "the new directory is watched")


def watches() -> int:
    """inotify watches of this process (proc(5))."""
    count = 0
    for info in Path("/proc/self/fdinfo").iterdir():
        try:
            count += info.read_text().count("inotify wd:")
        except OSError:
            continue
    return count


PARENT = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from support.indexes.indexer import rig, running
async def main():
    async with rig(Path({data!r}), Path({docs!r})) as r:
        task = asyncio.create_task(r.indexer.run())
        async with asyncio.timeout({deadline}):
            while len(r.workers.pids()) < 2:
                await asyncio.sleep(0.01)
        print(*r.workers.pids(), flush=True)
        await task
asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_when_the_parent_is_killed_no_worker_survives(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, word in (("a.txt", "SPIN"), ("b.txt", "HANG")):
        (docs / name).write_text(f"{word} {'x' * 600_000}")  # too large to share a batch, and so a worker
        os.utime(docs / name, (1, 1))
    tests = str(Path(__file__).parents[1])
    code = PARENT.format(tests=tests, data=str(tmp_path / "data"), docs=str(docs), deadline=DEADLINE)
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(workers) == 2
    parent.send_signal(signal.SIGKILL)
    parent.wait(DEADLINE)
    parent.stdout.close()
    wait_for(lambda: not alive({*workers}), "its workers are gone")


async def test_when_no_worker_can_be_started_no_file_is_blamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as r:
        with monkeypatch.context() as broken:
            broken.setattr("sidecar.workers.process._command", lambda: [str(tmp_path / "no-python")])
            with pytest.raises(UnavailableError, match="No worker process can be started"):
                await r.indexer.scan_once()
            broken.setattr("sidecar.workers.process._command", lambda: [sys.executable, "-c", "raise SystemExit(5)"])
            with pytest.raises(UnavailableError, match="exit code 5"):
                await r.indexer.scan_once()
        assert (await r.indexer.scan_once()).states == {"indexed": 1}
