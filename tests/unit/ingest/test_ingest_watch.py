"""The watchers other systems use, and none at all, tried here: what happens on disk is followed all the same."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.indexes.indexer import DEADLINE, rig, running
from watchdog.events import DirCreatedEvent, FileModifiedEvent

from sidecar.api import UsageError
from sidecar.ingest.watching.events import Event, Watcher
from sidecar.ingest.watching.watch import WatchdogWatcher, is_remote

Opener = Callable[[Callable[[Event], None]], Watcher]


def by_watchdog(deliver: Callable[[Event], None]) -> Watcher:
    return WatchdogWatcher(asyncio.get_running_loop(), deliver)


def by_nothing(deliver: Callable[[Event], None]) -> Watcher:
    return Watcher()


# On Linux watchdog may meet a directory made in a fresh one twice and warns; as an error that would end its thread.
@pytest.mark.filterwarnings("default:Callback with id:RuntimeWarning")
@pytest.mark.parametrize("opener", [by_watchdog, by_nothing])
async def test_changes_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opener: Opener) -> None:
    monkeypatch.setattr("sidecar.ingest.indexing.run.open_watcher", opener)
    docs = tmp_path / "docs"
    (docs / "node_modules").mkdir(parents=True)
    (docs / "a.txt").write_text("first")

    async with rig(tmp_path / "data", docs) as r, running(r):
        (docs / "a.txt").write_text("second, longer")
        await r.until_text(docs / "a.txt", "second, longer")
        (docs / "node_modules" / "n.txt").write_text("never")
        (docs / "new" / "deep").mkdir(parents=True)
        (docs / "new" / "deep" / "b.txt").write_text("deep")
        await r.until_text(docs / "new" / "deep" / "b.txt", "deep")
        (docs / "new").rename(docs / "newer")
        await r.until_text(docs / "newer" / "deep" / "b.txt", "deep")
        (docs / "save.tmp").write_text("third, saved whole")
        (docs / "save.tmp").replace(docs / "a.txt")
        await r.until_text(docs / "a.txt", "third, saved whole")
        (docs / "newer" / "deep" / "b.txt").unlink()
        await r.until_gone(docs / "newer" / "deep" / "b.txt")
        assert set(await r.names()) == {"a.txt"}


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a privilege there")
async def test_events_with_real_paths_are_given_as_the_folder_is_configured(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    heard: asyncio.Queue[Event] = asyncio.Queue()
    watcher = WatchdogWatcher(asyncio.get_running_loop(), heard.put_nowait)
    try:
        watcher.start(os.fsencode(link))
        assert watcher.watch(os.fsencode(link / "sub"))
        watcher.dispatch(FileModifiedEvent(str(real / "a.txt")))
        watcher.dispatch(DirCreatedEvent(str(real)))
        watcher.dispatch(FileModifiedEvent(str(tmp_path / "realer" / "a.txt")))
        async with asyncio.timeout(DEADLINE):
            assert await heard.get() == Event("modified", os.fsencode(link / "a.txt"))
            assert await heard.get() == Event("directory", os.fsencode(link))
            assert await heard.get() == Event("modified", os.fsencode(tmp_path / "realer" / "a.txt"))
    finally:
        watcher.close()


async def test_directories_hidden_by_their_attribute_are_not_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = tmp_path / "docs"
    library = docs / "Library"
    library.mkdir(parents=True)
    (library / "a.txt").write_text("of the system")
    (docs / "b.txt").write_text("of the user")
    hidden = library.stat().st_ino
    monkeypatch.setattr("sidecar.ingest.watching.scan.HAS_ATTRIBUTES", True)
    monkeypatch.setattr("sidecar.ingest.watching.folders.HAS_ATTRIBUTES", True)

    def is_hidden(status: os.stat_result) -> bool:
        return status.st_ino == hidden

    for module in ("scan", "folders"):
        monkeypatch.setattr(f"sidecar.ingest.watching.{module}.is_hidden", is_hidden)

    async with rig(tmp_path / "data", docs) as r:
        async with running(r):
            await r.until_text(docs / "b.txt", "of the user")
            (library / "c.txt").write_text("later")
            (library / "sub").mkdir()
            (docs / "d.txt").write_text("after it")
            await r.until_text(docs / "d.txt", "after it")
            assert set(await r.names()) == {"b.txt", "d.txt"}
            with pytest.raises(UsageError, match="ignored"):
                await r.indexer.index_now(library / "a.txt")
        r.config = replace(r.config, index=replace(r.config.index, hidden=True))
        await r.indexer.scan_once()
        assert set(await r.names()) == {"a.txt", "b.txt", "c.txt", "d.txt"}


def test_a_local_folder_is_not_taken_for_a_remote_one(tmp_path: Path) -> None:
    assert not is_remote(bytes(tmp_path))


def test_mounts_are_told_by_their_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (
        b"22 1 0:21 / / rw shared:1 - ext4 /dev/sda1 rw\n"
        b"40 22 0:50 / /mnt/team\\040drive rw - cifs //server/share rw\n"
        b"41 40 0:51 / /mnt/team\\040drive/local rw - ext4 /dev/sdb1 rw\n"
        b"42 22 0:52 / /run/user/1000/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw\n"
        b"43 22 8:17 / /media/a\\134b\\011c rw - fuseblk /dev/sdc1 rw\n"
        b"44 43 0:53 / /media/a\\134b\\011c/cloud rw - fuse cloud rw\n"
    )

    def mountinfo(path: Path) -> bytes:
        return lines

    monkeypatch.setattr(Path, "read_bytes", mountinfo)
    assert is_remote(b"/mnt/team drive/docs")
    assert not is_remote(b"/mnt/team drive/local/docs")
    assert not is_remote(b"/mnt/team driver")
    assert is_remote(b"/run/user/1000/gvfs/google-drive")
    assert not is_remote(b"/media/a\\b\tc")
    assert is_remote(b"/media/a\\b\tc/cloud")


@pytest.mark.filterwarnings("default:Callback with id:RuntimeWarning")
async def test_a_folder_that_went_and_came_back_is_watched_again(tmp_path: Path) -> None:
    """The watch of a folder ends with it, on every system; what was written afterwards was heard minutes later."""
    docs, other = tmp_path / "docs", tmp_path / "docs 2"
    docs.mkdir()
    heard: asyncio.Queue[Event] = asyncio.Queue()
    watcher = WatchdogWatcher(asyncio.get_running_loop(), heard.put_nowait)
    try:
        watcher.start(os.fsencode(docs))
        watcher.start(os.fsencode(other))  # it is not there
        assert watcher.watch(os.fsencode(docs / "sub"))
        assert not watcher.watch(os.fsencode(other))
        shutil.rmtree(docs)
        async with asyncio.timeout(DEADLINE):
            while watcher.watch(os.fsencode(docs)):  # noqa: ASYNC110  # its thread ends without a word
                await asyncio.sleep(0.01)
            docs.mkdir()
            watcher.start(os.fsencode(docs))
            assert watcher.watch(os.fsencode(docs))
            (docs / "a.txt").write_text("written later")
            while (await heard.get()).path != os.fsencode(docs / "a.txt"):
                pass
    finally:
        watcher.close()


async def test_a_file_renamed_in_its_case_only_is_indexed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where upper and lower case are one, a file is found under its former name as well."""
    (docs := tmp_path / "docs").mkdir()
    (docs / "report.txt").write_text("all of it")
    ignore_case(monkeypatch)

    async with rig(tmp_path / "data", docs) as r, running(r):
        await r.until_text(docs / "report.txt", "all of it")
        (docs / "report.txt").rename(docs / "Report.txt")
        await r.until_text(docs / "Report.txt", "all of it")
        await r.until_gone(docs / "report.txt")
        assert [change.kind for change in await r.changes()] == ["added", "renamed"]
        (docs / "Report.txt").unlink()
        await r.until_gone(docs / "Report.txt")


def ignore_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have lstat(2) find what is there in another case, as on macOS and Windows, also where the system tells them
    apart."""
    lstat = os.lstat

    def found(path: Any, **options: Any) -> os.stat_result:
        try:
            return lstat(path, **options)
        except FileNotFoundError:
            sought = Path(os.fsdecode(path))
            listed = os.scandir(sought.parent) if sought.is_absolute() and sought.parent.is_dir() else ()
            twins = [one.path for one in listed if one.name.lower() == sought.name.lower()]
            if not twins:
                raise
            return lstat(twins[0])

    monkeypatch.setattr(os, "lstat", found)
