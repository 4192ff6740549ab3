"""The watchers other systems use, and none at all, tried here: what happens on disk is followed all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from support.ingest_support import rig, running

from sidecar.ingest.watching.events import Event, Watcher
from sidecar.ingest.watching.watch import WatchdogWatcher, is_remote

Opener = Callable[[Callable[[Event], None]], Watcher]


def by_watchdog(deliver: Callable[[Event], None]) -> Watcher:
    return WatchdogWatcher(asyncio.get_running_loop(), deliver)


def by_nothing(deliver: Callable[[Event], None]) -> Watcher:
    return Watcher()


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


def test_a_local_folder_is_not_taken_for_a_remote_one(tmp_path: Path) -> None:
    assert not is_remote(bytes(tmp_path))


def test_mounts_are_told_by_their_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (
        b"22 1 0:21 / / rw shared:1 - ext4 /dev/sda1 rw\n"
        b"40 22 0:50 / /mnt/team\\040drive rw - cifs //server/share rw\n"
        b"41 40 0:51 / /mnt/team\\040drive/local rw - ext4 /dev/sdb1 rw\n"
    )

    def mountinfo(path: Path) -> bytes:
        return lines

    monkeypatch.setattr(Path, "read_bytes", mountinfo)
    assert is_remote(b"/mnt/team drive/docs")
    assert not is_remote(b"/mnt/team drive/local/docs")
    assert not is_remote(b"/mnt/team driver")
