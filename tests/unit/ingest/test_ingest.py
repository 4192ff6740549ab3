"""The indexer on real files, with real workers and a real index: what is on disk is what is in the index."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.indexes.indexer import Rig, rig, running

from sidecar.api import DamagedError, Limits, UnavailableError, UsageError
from sidecar.config import Folder
from sidecar.ingest.indexing import commit, queue
from sidecar.ingest.watching.versions import FACT
from sidecar.store.documents.records import KnownFile

PATIENT = Limits(max_seconds=600)
"""What waits for a gate is given the time a busy machine needs until the gate is there."""


async def test_a_first_scan_reads_everything_and_a_second_reads_nothing(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    (docs / "a.txt").write_text("alpha")
    (docs / "sub" / "b.txt").write_text("beta")
    (docs / "picture.bin").write_bytes(b"\0\1")

    async with rig(tmp_path / "data", docs) as r:
        report = await r.indexer.scan_once()
        assert report.files == 3
        assert report.states == {"indexed": 2, "unsupported": 1}
        assert report.formats == {"plain": 2}
        assert report.failures == ()
        assert await r.text(docs / "sub" / "b.txt") == "beta"
        assert sorted(change.kind for change in await r.changes()) == ["added", "added"]
        assert (await r.indexer.scan_once()).read == 0


async def test_what_is_read_first_is_found_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit, "_GATHER_SECONDS", 600.0)  # as if files gathered for ever
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    (docs / "short.txt").write_text("there already")
    (docs / "long.txt").write_text(f"LONG {gate.as_uri()}\n{'behind all others ' * 9}")
    for path in docs.iterdir():
        os.utime(path, (1, 1))

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())
        await r.until_text(docs / "short.txt", "there already")
        assert not await r.text(docs / "long.txt"), "it is still being read"
        gate.touch()
        await r.until_text(docs / "long.txt", "laid out")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_worker_comes_up_while_a_folder_is_scanned_for_the_first_time_alone(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()

    async with rig(tmp_path / "data", docs) as r, running(r):

        async def up() -> bool:
            return r.workers.ready("parse")

        await r.until(up, "a worker is up before there is a file")
        (docs / "a.txt").write_text("alpha")
        await r.until_text(docs / "a.txt", "alpha")
    async with rig(tmp_path / "data", docs) as r, running(r):
        assert r.workers.pids() == [], "nothing is to be read"


async def test_what_happens_while_it_runs_is_followed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "old.txt").write_text("first")

    async with rig(tmp_path / "data", docs) as r, running(r):
        (docs / "new.txt").write_text("created")
        await r.until_text(docs / "new.txt", "created")
        assert r.indexer.progress.total >= 2, "what came since the last scan counts"
        (docs / "old.txt").write_text("second")
        await r.until_text(docs / "old.txt", "second")
        temporary = docs / "save.tmp"
        temporary.write_text("third")
        temporary.replace(docs / "old.txt")
        await r.until_text(docs / "old.txt", "third")
        (docs / "new.txt").unlink()
        await r.until_gone(docs / "new.txt")
        deep = docs / "one" / "two" / "three"
        deep.mkdir(parents=True)
        (deep / "inner.txt").write_text("deep down")
        await r.until_text(deep / "inner.txt", "deep down")
        (deep / "inner.txt").write_text("deeper still")
        await r.until_text(deep / "inner.txt", "deeper still")
        assert [change.kind for change in await r.changes() if change.slug == "old"] == ["added", "updated", "updated"]


async def test_reading_a_file_does_not_make_it_read_again(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as r, running(r):
        (docs / "b.txt").write_text("beta")
        await r.until_text(docs / "b.txt", "beta")
        run = r.indexer._run  # pyright: ignore[reportPrivateUsage] - the count of files read has no other reader
        assert run is not None
        (docs / "a.txt").read_text()
        (docs / "c.txt").write_text("gamma")
        await r.until_text(docs / "c.txt", "gamma")
        assert run.readers.read == 3


async def test_a_file_asked_for_while_it_settles_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is read between the moment the index was asked for it and the answer."""
    docs = tmp_path / "docs"
    docs.mkdir()

    async with rig(tmp_path / "data", docs, settle_seconds=2.0) as r:
        asked = r.store.files.known
        files: list[Path] = []
        meanwhile: list[Path] = []

        async def known() -> dict[bytes, KnownFile]:
            found = await asked()
            if r.indexer.progress.pending and not meanwhile:
                meanwhile.append(files[-1])
                await r.indexer.index_now(files[-1])
            return found

        monkeypatch.setattr(r.store.files, "known", known)
        while not meanwhile:  # a machine that comes to the folder later finds nothing to wait for
            files.append(docs / f"{len(files)}.txt")
            files[-1].write_text("alpha")
            async with running(r):
                assert (r.indexer.progress.total, r.indexer.progress.indexed) == (len(files), len(files))


async def test_a_rename_keeps_the_slug(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "drawer").mkdir(parents=True)
    (docs / "report.txt").write_text("the report")
    (docs / "drawer" / "letter.txt").write_text("the letter")

    async with rig(tmp_path / "data", docs) as r, running(r):
        (docs / "report.txt").rename(docs / "final.txt")
        await r.until_text(docs / "final.txt", "the report")
        (docs / "drawer").rename(docs / "cupboard")
        await r.until_text(docs / "cupboard" / "letter.txt", "the letter")
        await r.until_gone(docs / "drawer" / "letter.txt")
        for path, slug in ((docs / "final.txt", "report"), (docs / "cupboard" / "letter.txt", "letter")):
            info = await r.store.documents.info_at(os.fsencode(path))
            assert info is not None
            assert info.slug == slug
        kinds = [change.kind for change in await r.changes()]
        assert kinds.count("added") == 2
        assert kinds.count("renamed") == 2
        assert "removed" not in kinds
        (docs / "cupboard" / "letter.txt").write_text("another letter")
        await r.until_text(docs / "cupboard" / "letter.txt", "another letter")


async def test_a_rename_while_nobody_looked_keeps_the_slug_even_across_disks(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "moved.txt").write_text("moved within the disk")
    (docs / "copied.txt").write_text("copied, then deleted")

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        (docs / "moved.txt").rename(docs / "x.txt")
        (docs / "y.txt").write_bytes((docs / "copied.txt").read_bytes())
        (docs / "copied.txt").unlink()
        report = await r.indexer.scan_once()
        assert report.read == 0
        slugs = {info.name: info.slug for info in await r.store.documents.readable()}
        assert slugs == {"x.txt": "moved", "y.txt": "copied"}


async def test_a_copy_is_indexed_without_being_parsed_again(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("the same words")

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        (docs / "b.txt").write_text("the same words")
        await r.indexer.scan_once()
        assert await r.text(docs / "b.txt") == "the same words"
        infos = await r.store.documents.readable()
        assert len({info.doc_id for info in infos}) == 1
        assert len({info.slug for info in infos}) == 2


async def test_a_touched_file_makes_no_change(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        await r.forget_changes()
        os.utime(docs / "a.txt", ns=(1, 1))
        report = await r.indexer.scan_once()
        assert (report.read, await r.changes()) == (1, [])
        known = (await r.known())[os.fsencode(docs / "a.txt")]
        assert known.stat.mtime_ns == 1


async def test_a_newer_plugin_reads_its_files_again(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")
    (docs / "b.bin").write_bytes(b"\0")

    async with rig(tmp_path / "data", docs) as r:
        assert (await r.indexer.scan_once()).read == 2
    async with rig(tmp_path / "data", docs, version="2") as r:
        assert (await r.indexer.scan_once()).read == 2
        assert (await r.known())[os.fsencode(docs / "a.txt")].plugin_version == "2"


async def test_folders_come_and_go_while_it_runs(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / f"{folder.name}.txt").write_text(f"in {folder.name}")

    async with rig(tmp_path / "data", one) as r, running(r):
        await r.until_text(one / "one.txt", "in one")
        r.config = replace(r.config, folders=(Folder(two),))
        await r.indexer.apply(r.config)
        await r.until_text(two / "two.txt", "in two")
        await r.until_gone(one / "one.txt")
        (two / "later.txt").write_text("watched as well")
        await r.until_text(two / "later.txt", "watched as well")
        (one / "two.txt").write_text("no longer ours")
        (two / "last.txt").write_text("last")
        await r.until_text(two / "last.txt", "last")
        assert os.fsencode(one / "two.txt") not in await r.known()


async def test_a_folder_inside_another_owns_its_files(tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    inner = outer / "inner"
    inner.mkdir(parents=True)
    (outer / "o.txt").write_text("outer")
    (inner / "i.txt").write_text("inner")

    async def folder_of(r: Rig, path: Path) -> str:
        info = await r.store.documents.info_at(os.fsencode(path))
        return Path(info.folder).name if info is not None else ""

    async def owned_by(r: Rig, owner: str) -> None:
        async def right() -> bool:
            return await folder_of(r, inner / "i.txt") == owner

        await r.until(right, f"i.txt belongs to {owner}")

    async with rig(tmp_path / "data", outer, inner) as r, running(r):
        await owned_by(r, "inner")
        assert await folder_of(r, outer / "o.txt") == "outer"
        assert len(await r.known()) == 2
        r.config = replace(r.config, folders=(Folder(outer),))
        await r.indexer.apply(r.config)
        await owned_by(r, "outer")
        r.config = replace(r.config, folders=(Folder(outer, exclude=("inner/",)), Folder(inner)))
        await r.indexer.apply(r.config)
        await owned_by(r, "inner")
        assert [change.kind for change in await r.changes()].count("added") == 2


async def test_rules_take_effect_when_they_are_saved(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "drafts").mkdir(parents=True)
    (docs / "drafts" / "d.txt").write_text("a draft")
    (docs / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as r, running(r):
        await r.until_text(docs / "drafts" / "d.txt", "a draft")
        (docs / ".gitignore").write_text("drafts/\n")
        await r.until_gone(docs / "drafts" / "d.txt")
        (docs / ".gitignore").unlink()
        await r.until_text(docs / "drafts" / "d.txt", "a draft")
        assert await r.text(docs / "a.txt") == "alpha"


async def test_the_data_directory_inside_a_folder_is_not_indexed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    data = docs / "index"
    data.mkdir(parents=True)
    (docs / "a.txt").write_text("alpha")

    async with rig(data, docs) as r, running(r):
        await r.until_text(docs / "a.txt", "alpha")
        (data / "log.txt").write_text("written by ourselves")
        (docs / "b.txt").write_text("beta")
        await r.until_text(docs / "b.txt", "beta")
        assert set(await r.names()) == {"a.txt", "b.txt"}


async def test_index_now_indexes_at_once_and_says_why_not(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")
    (docs / ".hidden.txt").write_text("hidden")
    (docs / "bad.txt").write_text("DAMAGED")
    (docs / "sub").mkdir()
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("not ours")
    for path in docs.iterdir():
        os.utime(path, (1, 1))  # at rest long since

    async with rig(tmp_path / "data", docs, settle_seconds=30.0) as r, running(r):
        (docs / "now.txt").write_text("right now")
        await r.indexer.index_now(docs / "now.txt")
        assert await r.text(docs / "now.txt") == "right now"
        (docs / "now.txt").rename(docs / "then.txt")
        await r.indexer.index_now(docs / "then.txt")
        assert await r.text(docs / "then.txt") == "right now"
        for path, message in (
            (elsewhere, "in no watched folder"),
            (docs / ".hidden.txt", "ignored"),
            (docs / "absent.txt", "does not exist"),
            (docs / "sub", "not a file"),
        ):
            with pytest.raises(UsageError, match=message):
                await r.indexer.index_now(path)
        with pytest.raises(DamagedError, match="torn in two"):
            await r.indexer.index_now(docs / "bad.txt")


async def test_recognition_keeps_no_saved_file_waiting_and_is_done_even_after_an_end(tmp_path: Path) -> None:
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    scans = [docs / f"scan{number}.txt" for number in range(3)]
    for number, scan in enumerate(scans):
        scan.write_text(f"SCAN {gate.as_uri()} {number}")
        os.utime(scan, (1, 1))

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def listed() -> bool:
            known = await r.names() == {scan.name: "indexed" for scan in scans}
            return known and r.indexer.progress.pending == 3 and r.indexer.progress.slow

        await r.until(listed, "the scans are listed before they are recognised, and only they are left")
        info = await r.store.documents.info_at(os.fsencode(scans[0]))
        assert info is not None
        assert [notice.code for notice in info.notices] == ["no_text_layer"]
        assert "OCR comes" in info.notices[0].message
        (docs / "saved.txt").write_text("saved meanwhile")
        await r.until_text(docs / "saved.txt", "saved meanwhile")

        async def only_scans() -> bool:
            return r.indexer.progress.pending == 3

        await r.until(only_scans, "the saved file is done, and both readers are still at it")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    gate.write_text("what the scan says", "utf-8")
    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        await r.indexer.scan_once()
        assert {await r.text(scan) for scan in scans} == {"what the scan says"}
        gate.unlink()
        assert (await r.indexer.scan_once()).read == 0, "what is recognised is settled"


async def test_what_is_attached_to_a_saved_file_does_not_wait_for_recognition(tmp_path: Path) -> None:
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    for number in range(3):
        (docs / f"scan{number}.txt").write_text(f"SCAN {gate.as_uri()} {number}")
        os.utime(docs / f"scan{number}.txt", (1, 1))

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def only_scans() -> bool:
            return r.indexer.progress.pending == 3 and r.indexer.progress.slow

        await r.until(only_scans, "only the scans are left, and both readers are at it")
        (docs / "saved.txt").write_text("LETTER words of the attachment")

        async def attached_found() -> bool:
            return "words of the attachment" in {one.text for one in await r.store.documents.passages()}

        await r.until(attached_found, "what is attached is found while the scans are being recognised")
        await r.until(only_scans, "nothing is left of the saved file")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_words_of_all_come_before_layout_and_layout_after_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_LONG_SECONDS", 0.0)
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    books = [docs / f"book{number}.txt" for number in range(3)]
    for number, book in enumerate(books):
        book.write_text(f"LONG {gate.as_uri()} {number}\nthe words of book {number}")
        os.utime(book, (1, 1))

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def all_words() -> bool:
            now = r.indexer.progress
            return (now.pending, now.searchable, now.words_only, now.slow) == (3, 3, 3, False)

        await r.until(all_words, "the words of all are there before one is laid out")
        for number, book in enumerate(books):
            assert f"the words of book {number}" in await r.text(book)
            info = await r.store.documents.info_at(os.fsencode(book))
            assert info is not None
            assert [notice.code for notice in info.notices] == ["words_only"]
        (docs / "saved.txt").write_text("saved meanwhile")
        await r.until_text(docs / "saved.txt", "saved meanwhile")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    gate.touch()
    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        await r.indexer.scan_once()
        for book in books:
            assert (await r.text(book)).startswith("laid out")
            info = await r.store.documents.info_at(os.fsencode(book))
            assert info is not None
            assert not info.notices
        assert (await r.indexer.scan_once()).read == 0, "what is laid out is settled"


async def test_a_restart_before_the_last_scan_is_recognised_reads_nothing_else_again(tmp_path: Path) -> None:
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    for name, text in (("a.txt", "alpha"), ("b.txt", "beta"), ("scan.txt", f"SCAN {gate.as_uri()}")):
        (docs / name).write_text(text)
        os.utime(docs / name, (1, 1))

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def noted() -> bool:
            now = r.indexer.progress
            told = (now.pending, now.indexed, now.searchable, now.total) == (1, 2, 3, 3)
            return told and bool(await r.store.settings.get(FACT))

        await r.until(noted, "all are in the index, which is noted though one waits to be recognised")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    gate.write_text("what the scan says", "utf-8")
    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        assert (await r.indexer.scan_once()).read == 1, "the scan alone"
        assert await r.text(docs / "scan.txt") == "what the scan says"


async def test_scans_that_are_copies_are_recognised_once_and_all_of_them_settle(tmp_path: Path) -> None:
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    scans = [docs / f"scan{number}.txt" for number in range(3)]
    for scan in scans:
        scan.write_text(f"SCAN {gate.as_uri()}")

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def listed() -> bool:
            return await r.names() == {scan.name: "indexed" for scan in scans}

        await r.until(listed, "the scans are listed before they are recognised")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    gate.write_text("what the scan says", "utf-8")
    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        await r.indexer.scan_once()
        assert {await r.text(scan) for scan in scans} == {"what the scan says"}
        assert (await r.indexer.scan_once()).read == 0


async def test_a_scan_renamed_removed_or_rewritten_before_it_is_recognised(tmp_path: Path) -> None:
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    for name in ("busy0", "busy1", "moved", "gone", "edited", "asked"):
        (docs / f"{name}.txt").write_text(f"SCAN {gate.as_uri()} {name}")

    async with rig(tmp_path / "data", docs, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def listed() -> bool:
            return len(await r.names()) == 6 and r.indexer.progress.pending == 6

        await r.until(listed, "the scans are listed before they are recognised")
        (docs / "moved.txt").rename(docs / "here.txt")
        (docs / "gone.txt").unlink()
        (docs / "edited.txt").write_text("typed by hand")
        asking = asyncio.create_task(r.indexer.index_now(docs / "asked.txt"))

        async def noticed() -> bool:
            return {"here.txt"} <= set(await r.names()) and "gone.txt" not in await r.names()

        await r.until(noticed, "the folder as it is now")
        gate.write_text("what the scan says", "utf-8")
        await asking
        await r.until_text(docs / "edited.txt", "typed by hand")
        await r.until_idle()
        said = {Path(os.fsdecode(path)).stem: text for path, text in (await r.texts()).items()}
        assert said.pop("edited") == "typed by hand"
        assert said == dict.fromkeys(("busy0", "busy1", "here", "asked"), "what the scan says")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert (await r.indexer.scan_once()).read == 0


async def test_scans_of_a_folder_that_is_removed_are_not_recognised(tmp_path: Path) -> None:
    docs, kept, gate = tmp_path / "docs", tmp_path / "kept", tmp_path / "gate"
    docs.mkdir()
    kept.mkdir()
    for number in range(6):
        (docs / f"scan{number}.txt").write_text(f"SCAN {gate.as_uri()} {number}")

    async with rig(tmp_path / "data", docs, kept, limits=PATIENT) as r:
        task = asyncio.create_task(r.indexer.run())

        async def listed() -> bool:
            return len(await r.names()) == 6 and r.indexer.progress.pending == 6

        await r.until(listed, "the scans are listed before they are recognised")
        r.config = replace(r.config, folders=(Folder(kept),))
        await r.indexer.apply(r.config)

        async def begun() -> bool:
            return r.indexer.progress.pending <= 2

        await r.until(begun, "no more is read than readers have begun")
        gate.write_text("what the scan says", "utf-8")
        await r.until_idle()
        assert await r.names() == {}
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_scan_is_read_without_recognition_where_that_is_switched_off(tmp_path: Path) -> None:
    docs, gate = tmp_path / "docs", tmp_path / "gate"
    docs.mkdir()
    scan = docs / "scan.txt"
    scan.write_text(f"SCAN {gate.as_uri()}")

    async with rig(tmp_path / "data", docs) as r:
        task = asyncio.create_task(r.indexer.run())

        async def listed() -> bool:
            return await r.names() == {"scan.txt": "indexed"}

        await r.until(listed, "the scan is listed before it is recognised")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    async with rig(tmp_path / "data", docs, limits=Limits(max_seconds=20, ocr=False)) as r:
        await r.indexer.scan_once()
        info = await r.store.documents.info_at(os.fsencode(scan))
        assert info is not None
        assert [notice.message for notice in info.notices] == ["Page 1 has no text layer."]
        assert (await r.indexer.scan_once()).read == 0


async def test_index_now_says_at_once_when_nobody_can_do_it(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")
    (tmp_path / "elsewhere.txt").write_text("not ours")

    async with rig(tmp_path / "data", docs) as r:
        with pytest.raises(UsageError, match="in no watched folder"):
            await r.indexer.index_now(tmp_path / "elsewhere.txt")
        with pytest.raises(UnavailableError, match="No sidecar is indexing"):
            await r.indexer.index_now(docs / "a.txt")


async def test_one_of_two_sidecars_indexes_and_the_other_takes_over(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as first, rig(tmp_path / "data", docs) as second:
        async with running(first):
            follower = asyncio.create_task(second.indexer.run())
            try:
                (docs / "b.txt").write_text("beta")
                await second.indexer.index_now(docs / "b.txt")
                assert await second.text(docs / "b.txt") == "beta"
                assert not second.indexer.progress.leader
                with pytest.raises(UnavailableError, match=f"process {os.getpid()}"):
                    await (await _third(tmp_path, docs))()
            except BaseException:
                follower.cancel()
                raise
        try:
            await second.until_idle()
            (docs / "c.txt").write_text("gamma")
            await second.until_text(docs / "c.txt", "gamma")
        finally:
            follower.cancel()
            await asyncio.gather(follower, return_exceptions=True)


async def _third(tmp_path: Path, docs: Path) -> Callable[[], Awaitable[object]]:
    async def scan() -> object:
        async with rig(tmp_path / "data", docs) as r:
            return await r.indexer.scan_once()

    return scan


async def test_documents_of_a_folder_that_is_gone_are_away_until_it_is_back(tmp_path: Path) -> None:
    docs, other = tmp_path / "docs", tmp_path / "other"
    for folder in (docs, other):
        folder.mkdir()
        (folder / f"in_{folder.name}.txt").write_text(f"words of {folder.name}")

    async def state(r: Rig, slug: str) -> str:
        return (await r.store.documents.info(slug)).state

    async with rig(tmp_path / "data", docs, other) as r:
        async with running(r):
            await r.until_text(docs / "in_docs.txt", "words of docs")
            docs.rename(tmp_path / "unplugged")

            async def away() -> bool:
                return await state(r, "in_docs") == "away"

            await r.until(away, "what was in the folder is away")
            assert await state(r, "in_other") == "indexed"
            totals = await r.store.documents.totals()
            assert (totals.states, totals.indexed) == ({"away": 1, "indexed": 1}, 1)
            info = await r.store.documents.info("in_docs")
            assert "not there now" in info.reason
            assert (await r.store.documents.resolve("in_docs")).state == "away"
            states = {passage.slug: passage.state for passage in await r.store.documents.passages()}
            assert states == {"in_docs": "away", "in_other": "indexed"}
        report = await r.indexer.scan_once()
        assert (report.states, report.read) == ({"away": 1, "indexed": 1}, 0)
        (tmp_path / "unplugged").rename(docs)
        report = await r.indexer.scan_once()
        assert (report.states, report.read) == ({"indexed": 2}, 0)
        docs.rename(tmp_path / "unplugged")
        async with running(r):
            assert await state(r, "in_docs") == "away"
            (tmp_path / "unplugged").rename(docs)

            async def back() -> bool:
                return await state(r, "in_docs") == "indexed"

            await r.until(back, "the folder is back")
            assert not any("is not there" in remark for remark in r.indexer.progress.remarks)
            docs.rename(tmp_path / "unplugged")
            await r.until(away, "it has gone again")
            assert any("is not there" in remark for remark in r.indexer.progress.remarks)
            r.config = replace(r.config, folders=(Folder(other),))
            await r.indexer.apply(r.config)
            await r.until_gone(docs / "in_docs.txt")


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a privilege there")
async def test_a_folder_configured_through_a_link_is_watched_at_its_top_too(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    (real / "sub").mkdir(parents=True)
    link.symlink_to(real)

    async with rig(tmp_path / "data", link) as r, running(r):
        (real / "top.txt").write_text("at the top")
        await r.until_text(link / "top.txt", "at the top")
        (link / "sub" / "below.txt").write_text("below")
        await r.until_text(link / "sub" / "below.txt", "below")
        (real / "top.txt").unlink()
        await r.until_gone(link / "top.txt")
        (real / "named.txt").write_text("by its real path")
        await r.indexer.index_now(real / "named.txt")
        assert await r.text(link / "named.txt") == "by its real path"


async def test_a_missing_folder_is_said_and_keeps_what_was_indexed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("alpha")

    async with rig(tmp_path / "data", docs) as r:
        await r.indexer.scan_once()
        docs.rename(tmp_path / "unplugged")
        async with running(r):
            assert any("is not there" in remark for remark in r.indexer.progress.remarks)
            assert await r.text(docs / "a.txt") == "alpha"
            (tmp_path / "unplugged" / "b.txt").write_text("beta")
            (tmp_path / "unplugged").rename(docs)
            await r.until_text(docs / "b.txt", "beta")
            (docs / "c.txt").write_text("watched again")
            await r.until_text(docs / "c.txt", "watched again")


async def test_limits_are_kept_and_reported(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "big.txt").write_text("x" * 2000)
    (docs / "small.txt").write_text("small")

    async with rig(tmp_path / "data", docs, limits=Limits(max_file_bytes=1000)) as r:
        report = await r.indexer.scan_once()
        assert report.states == {"indexed": 1, "too_large": 1}
        assert "max_file_bytes" in report.failures[0].reason
    async with rig(tmp_path / "data", docs, limits=Limits(max_file_bytes=5000)) as r:
        assert (await r.indexer.scan_once()).states == {"indexed": 2}


async def test_a_slow_writer_is_never_read_half_way(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    settling, rounds, number = 0.3, 0, 0

    async with rig(tmp_path / "data", docs, settle_seconds=settling) as r, running(r):
        while rounds < 3:
            number += 1
            seen: set[str] = set()
            whole = f"begin {number} " + "words " * 50 + f"end {number}"
            longest = 0.0
            with (docs / "a.txt").open("w") as file:
                written = time.monotonic()
                for start in range(0, len(whole), 20):
                    file.write(whole[start : start + 20])
                    file.flush()
                    await asyncio.sleep(0.01)
                    seen.add(await r.text(docs / "a.txt"))
                    longest, written = max(longest, time.monotonic() - written), time.monotonic()
            await r.until_text(docs / "a.txt", f"end {number}")
            if longest > settling:  # the machine kept the writer waiting until the file was at rest
                settling *= 2
                r.config = replace(r.config, index=replace(r.config.index, settle_seconds=settling))
                await r.indexer.apply(r.config)
            else:
                rounds += 1
                assert all(not text or re.fullmatch(r"begin \d+ (words )*end \d+", text) for text in seen), seen


async def test_a_plugin_that_is_new_looks_once_into_the_files_it_claims(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("a.txt", "b.md", "c.md"):
        (docs / name).write_text(f"words of {name}")

    async with rig(tmp_path / "data", docs) as r:
        assert (await r.indexer.scan_once()).read == 3
        assert (await r.indexer.scan_once()).read == 0
    for expected in (2, 0):
        async with rig(tmp_path / "data", docs, better=True) as r:
            assert (await r.indexer.scan_once()).read == expected
            plugins = {Path(os.fsdecode(path)).name: one.plugin for path, one in (await r.known()).items()}
            assert plugins == {"a.txt": "plain", "b.md": "better", "c.md": "better"}
    for better in (False, True):  # it is gone, and back
        async with rig(tmp_path / "data", docs, better=better) as r:
            assert (await r.indexer.scan_once()).read == 2


async def test_folders_that_change_during_a_scan_are_scanned_after_it(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        for number in range(50):
            (folder / f"{folder.name}{number}.txt").write_text(f"in {folder.name}")

    async with rig(tmp_path / "data", one) as r:
        task = asyncio.create_task(r.indexer.run())
        for folder in (two, one, two, one, two):
            await asyncio.sleep(0.005)  # somewhere in the middle of scanning, reading or writing
            r.config = replace(r.config, folders=(Folder(folder),))
            await r.indexer.apply(r.config)

        async def right() -> bool:
            names = await r.names()
            return len(names) == 50 and all(name.startswith("two") for name in names)

        try:
            await r.until(right, "only what is in the last folder is indexed")
            await r.until_idle()
            assert await right()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
