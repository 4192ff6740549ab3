"""The walk and what a comparison makes of it, on real directories without workers or a store."""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sidecar.config import Folder, IndexSettings
from sidecar.ingest.indexing.queue import Queue
from sidecar.ingest.reading.jobs import WORDS, Job
from sidecar.ingest.watching.compare import Comparison, Differences, Pending
from sidecar.ingest.watching.folders import Folders, permitted_path, roots_of, topmost
from sidecar.ingest.watching.moves import find_moves
from sidecar.ingest.watching.scan import DirectoryWalk, ScanResult, Stopped
from sidecar.ingest.watching.versions import STRIKES, Versions, new_suffixes
from sidecar.store import FileStat, KnownFile
from sidecar.store.documents.paths import under
from sidecar.store.documents.records import SettledRow

VERSIONS = Versions({"plain": "1"}, "all")


def known(path: Path, **changes: Any) -> KnownFile:
    fields: dict[str, Any] = {
        "sha256": "x",
        "state": "indexed",
        "plugin": "plain",
        "plugin_version": "1",
        "strikes": 0,
        **changes,
    }
    stat = fields.pop("stat", None) or FileStat.of(path.stat())
    return KnownFile(path=os.fsencode(path), stat=stat, **fields)


def compare(*folders: Folder, index: list[KnownFile] | None = None, quiet: float = 0.0, **settings: Any) -> Comparison:
    roots = Folders(roots_of(folders), IndexSettings(**settings))
    found = {k.path: k for k in index or []}
    compared = {path: _settled_row(one) for path, one in found.items()}
    return Comparison(roots, VERSIONS, compared, lambda: found, lambda _: True, quiet, threading.Event())


def _settled_row(one: KnownFile) -> SettledRow | KnownFile:
    """As the store gives it."""
    if one.state == "indexed" and VERSIONS.plugins.get(one.plugin) == one.plugin_version:
        return (one.path, one.stat.size, one.stat.mtime_ns, one.stat.inode)
    return one


def reads(differences: Differences) -> set[str]:
    return {Path(os.fsdecode(pending.job.path)).name for pending in differences.reads}


def make(root: Path, *names: str) -> list[Path]:
    paths = [root / name for name in names]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name)
    return paths


def test_only_what_differs_is_read(tmp_path: Path) -> None:
    same, edited, older, failed, struck, new = make(tmp_path, *"abcdef")
    index = [
        known(same),
        known(edited, stat=FileStat(1, 1)),
        known(older, plugin_version="0"),
        known(failed, state="crashed", strikes=1),
        known(struck, state="crashed", strikes=STRIKES),
    ]
    differences = compare(Folder(tmp_path), index=index).folders()
    assert reads(differences) == {edited.name, older.name, failed.name, new.name}
    assert differences.seen == 6
    assert differences.removed == []


@pytest.mark.parametrize(
    ("changes", "settled"),
    [
        ({}, True),
        ({"plugin_version": "0"}, False),
        ({"plugin": "gone"}, False),
        ({"state": "damaged"}, True),
        ({"state": "timed_out", "strikes": 2}, False),
        ({"state": "timed_out", "strikes": 3}, True),
        ({"state": "unreadable"}, False),
        ({"state": "unsupported", "plugin": "", "plugin_version": "all"}, True),
        ({"state": "unsupported", "plugin": "", "plugin_version": "fewer"}, False),
        ({"state": "too_large", "plugin": "", "plugin_version": "other limits"}, False),
    ],
)
def test_when_a_file_that_looks_the_same_is_read_again(changes: dict[str, Any], settled: bool) -> None:
    one = known(Path("/x"), stat=FileStat(1, 1), **changes)
    assert VERSIONS.settled(one) is settled


def test_a_replaced_file_of_the_same_size_and_time_is_noticed(tmp_path: Path) -> None:
    (file,) = make(tmp_path, "a.txt")
    before = known(file)
    (tmp_path / "n").write_text("x" * before.stat.size)
    os.utime(tmp_path / "n", ns=(before.stat.mtime_ns, before.stat.mtime_ns))
    (tmp_path / "n").replace(file)
    assert reads(compare(Folder(tmp_path), index=[before]).folders()) == {"a.txt"}


def test_what_is_gone_or_ignored_or_of_no_folder_is_removed(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    kept, hidden = make(docs, "kept.txt", "drafts/hidden.txt")
    gone = known(docs / "gone.txt", stat=FileStat(1, 1))
    stray = known(tmp_path / "elsewhere" / "s.txt", stat=FileStat(1, 1))
    differences = compare(Folder(docs, exclude=("drafts/",)), index=[known(kept), known(hidden), gone, stray]).folders()
    assert set(differences.removed) == {os.fsencode(hidden), gone.path, stray.path}


def test_young_files_wait(tmp_path: Path) -> None:
    old, young = make(tmp_path, "old.txt", "young.txt")
    os.utime(old, (1, 1))
    differences = compare(Folder(tmp_path), quiet=60.0).folders()
    assert reads(differences) == {"old.txt"}
    assert [path for path, *_ in differences.unsettled] == [os.fsencode(young)]


def test_each_file_belongs_to_the_innermost_folder(tmp_path: Path) -> None:
    make(tmp_path, "o.txt", "in/i.txt", "in/deep/d.txt")
    differences = compare(Folder(tmp_path), Folder(tmp_path / "in"), Folder(tmp_path / "in")).folders()
    owners = {Path(os.fsdecode(p.job.path)).name: Path(os.fsdecode(p.folder)).name for p in differences.reads}
    assert owners == {"o.txt": tmp_path.name, "i.txt": "in", "d.txt": "in"}


def test_a_folder_that_is_not_recursive(tmp_path: Path) -> None:
    make(tmp_path, "o.txt", "in/i.txt")
    assert reads(compare(Folder(tmp_path, recursive=False)).folders()) == {"o.txt"}


def test_a_folder_that_is_absent_removes_nothing(tmp_path: Path) -> None:
    one = known(tmp_path / "absent" / "a.txt", stat=FileStat(1, 1))
    differences = compare(Folder(tmp_path / "absent"), index=[one]).folders()
    assert differences.removed == []
    assert differences.absent == [os.fsencode(tmp_path / "absent")]


@pytest.mark.parametrize("unmounted", [True, False])
def test_an_empty_mount_point_is_an_absent_folder(tmp_path: Path, unmounted: bool) -> None:
    device = tmp_path.stat().st_dev + unmounted
    one = known(tmp_path / "a.txt", stat=FileStat(1, 1, 1, device))
    differences = compare(Folder(tmp_path), index=[one]).folders()
    assert differences.removed == ([] if unmounted else [one.path])
    assert differences.absent == ([os.fsencode(tmp_path)] if unmounted else [])


@pytest.mark.parametrize("unmounted", [True, False])
def test_an_empty_mount_point_in_a_folder_is_absent_unless_its_file_system_is_still_there(
    tmp_path: Path, unmounted: bool
) -> None:
    """The numbers of all file systems may be others than they were when it was read."""
    (beside,) = make(tmp_path, "beside.txt")
    (tmp_path / "disk").mkdir()
    other = tmp_path.stat().st_dev + 1
    gone = [known(tmp_path / "disk" / name, stat=FileStat(1, 1, 1, other)) for name in ("a.txt", "deep/b.txt")]
    here = known(beside, stat=msgspec.structs.replace(known(beside).stat, device=other - unmounted))
    differences = compare(Folder(tmp_path), index=[here, *gone]).folders()
    assert sorted(differences.removed) == ([] if unmounted else [one.path for one in gone])
    assert differences.absent == ([os.fsencode(tmp_path / "disk") + os.fsencode(os.sep)] if unmounted else [])


def test_a_listing_without_identities_finds_the_same_files_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows gives no inode where it lists, and one where it opens: every start would read everything again."""
    same, edited = make(tmp_path, "a.txt", "b.txt")
    index = [known(same), known(edited, stat=FileStat(1, 1))]
    scandir = os.scandir

    class Entry:
        def __init__(self, entry: os.DirEntry[Any]) -> None:
            self.name, self.is_file, self.is_dir, self.is_symlink = (
                entry.name, entry.is_file, entry.is_dir, entry.is_symlink
            )  # fmt: skip
            self._entry = entry

        def stat(self, **options: Any) -> os.stat_result:
            fields = list(self._entry.stat(**options))
            status = self._entry.stat(**options)
            fields[stat.ST_INO] = fields[stat.ST_DEV] = 0
            return os.stat_result(fields, {"st_mtime_ns": status.st_mtime_ns})

    @contextmanager
    def listed(place: Any) -> Generator[list[Entry]]:
        with scandir(place) as entries:
            yield [Entry(entry) for entry in entries]

    monkeypatch.setattr(os, "scandir", listed)
    assert reads(compare(Folder(tmp_path), index=index).folders()) == {edited.name}


def test_files_at_the_top_of_a_disk_belong_to_it() -> None:
    disk = Path(Path.cwd().anchor)
    top, folders = os.fsencode(disk), Folders(roots_of([Folder(disk)]), IndexSettings())
    folders.accept(top, {top: folders.roots[0].scope(IndexSettings())})
    assert folders.wanted(top + b"a.txt")
    assert folders.start_of_scan(top + b"sub") == top + b"sub"
    assert folders.scope_of(top + b"sub") is not None


def test_a_path_typed_in_another_case_is_the_file_as_it_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where upper and lower case are one, realpath(3) tells what it is called; under both names it would be there
    twice."""
    (path,) = make(tmp_path, "Report.txt")
    realpath = os.path.realpath
    typed = os.fsencode(tmp_path / "REPORT.TXT")

    def as_listed(one: Any) -> Any:
        return os.fsencode(path) if one == typed else realpath(one)

    monkeypatch.setattr(os.path, "realpath", as_listed)
    assert permitted_path(Folders(roots_of([Folder(tmp_path)]), IndexSettings()), typed) == os.fsencode(path)


def test_a_copy_is_told_by_its_size(tmp_path: Path) -> None:
    original, _ = make(tmp_path, "a.txt", "b.txt")
    differences = compare(Folder(tmp_path), index=[known(original)]).folders()
    assert [pending.job.copies for pending in differences.reads] == [(("x", "plain", "1", ".txt"),)]


def test_moves_by_identity_and_by_content(tmp_path: Path) -> None:
    first, second, third = make(tmp_path, "1.txt", "2.txt", "3.txt")
    index = {
        os.fsencode(p): known(p, sha256=hashlib.sha256(p.read_bytes()).hexdigest()) for p in (first, second, third)
    }
    moved = first.rename(tmp_path / "moved.txt")
    copied = tmp_path / "copied.txt"
    copied.write_bytes(second.read_bytes())
    second.unlink()
    twin = tmp_path / "twin.txt"
    twin.write_bytes(third.read_bytes())  # its original is still there
    fresh = [(os.fsencode(p), FileStat.of(p.stat())) for p in (moved, copied, twin)]
    found = find_moves(fresh, index, [os.fsencode(first), os.fsencode(second)], lambda p: not os.path.lexists(p))
    assert {(old, new) for old, new, _ in found} == {
        (os.fsencode(first), os.fsencode(moved)),
        (os.fsencode(second), os.fsencode(copied)),
    }


def test_a_walk_can_be_called_off(tmp_path: Path) -> None:
    make(tmp_path, "a/b.txt")
    walk = DirectoryWalk(os.fsencode(tmp_path), VERSIONS, {}, ScanResult(), stopped=lambda: True)
    folders = Folders(roots_of([Folder(tmp_path)]), IndexSettings())
    with pytest.raises(Stopped):
        walk.run(os.fsencode(tmp_path), folders.roots[0].scope(IndexSettings()))


def test_directories_are_watched_before_they_are_listed(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    late = tmp_path / "d" / "late.txt"

    def watch(directory: bytes) -> bool:
        if directory == os.fsencode(tmp_path / "d"):
            late.write_text("created once the watch stands")
        return True

    one = compare(Folder(tmp_path))
    one.watch = watch
    assert reads(one.folders()) == {"late.txt"}


def test_paths() -> None:
    assert under(b"/a/b", b"/a")
    assert under(b"/a", b"/a")
    assert under(b"/x", b"/")
    assert not under(b"/ab", b"/a")
    assert topmost([b"/a/b/c", b"/a-b", b"/a", b"/b", b"/a/x"]) == [b"/a-b", b"/a", b"/b"]


def test_the_queue_is_taken_from_both_ends() -> None:
    queue = Queue()

    def pending(name: str, size: int) -> Pending:
        return Pending(Job(name.encode()), b"/", FileStat(size, 0))

    for size in (5, 3, 10**9, 7, 2 * 10**9, 1):
        queue.add(pending(str(size), size))
    queue.add(pending("3", 4))
    queue.add(pending("7", 7))
    queue.discard(b"1")
    assert [p.job.path for p in queue.next_batch(large=True)] == [b"2000000000"]
    assert [p.job.path for p in queue.next_batch(large=False)] == [b"3", b"5", b"7"]
    queue.add(pending("8", 8))
    assert [p.job.path for p in queue.next_batch(large=False)] == [b"8"]
    assert [p.job.path for p in queue.next_batch(large=False)] == [b"1000000000"]
    assert queue.next_batch(large=True) == []
    for name in (b"2000000000", b"3", b"5", b"7", b"8", b"1000000000"):
        assert name in queue  # until what was read is committed
        assert not queue.finish(name)
    assert len(queue) == 0


def test_files_that_take_long_come_when_all_others_are_read() -> None:
    queue = Queue()
    for name, size in (("scan.PNG", 1), ("old.gif", 2), ("a.txt", 3), ("b.txt", 10**7)):
        queue.add(Pending(Job(name.encode()), b"/", FileStat(size, 0)))
    assert len(queue) == 4
    assert b"old.gif" in queue
    taken = [[p.job.path for p in queue.next_batch(large=True)] for _ in range(4)]
    assert taken == [[b"b.txt"], [b"a.txt"], [b"old.gif"], [b"scan.PNG"]]
    assert queue.next_batch(large=False) == []


def test_words_come_first_while_what_waits_takes_long() -> None:
    queue = Queue()
    for name, size in (("a.pdf", 10**7), ("b.pdf", 10**6), ("c.txt", 10)):
        queue.add(Pending(Job(name.encode()), b"/", FileStat(size, 0)))
    queue.add(Pending(Job(b"known.pdf", "hash", "pdf", "1"), b"/", FileStat(10**5, 0)))
    queue.add(Pending(Job(b"begun.pdf", "hash", "pdf", f"1{WORDS}"), b"/", FileStat(10**5, 0)))
    queue.add(Pending(Job(b"saved.pdf"), b"/", FileStat(10**8, 0), urgent=True))
    assert queue.words_only == 1
    queue.words_first = True
    taken = [(p.job.path, p.job.words) for _ in range(7) for p in queue.next_batch(large=True)]
    assert taken == [
        (b"saved.pdf", False), (b"a.pdf", True), (b"b.pdf", True), (b"known.pdf", False), (b"c.txt", True),
        (b"begun.pdf", False),
    ]  # fmt: skip
    assert not queue.only_slow
    assert (queue.words_only, queue.searchable) == (1, 2)
    queue.words_first = False
    queue.add(Pending(Job(b"d.pdf"), b"/", FileStat(10**9, 0)))
    assert [p.job.words for p in queue.next_batch(large=True)] == [False], "nobody searches meanwhile"


def test_a_saved_file_comes_first_and_recognition_last() -> None:
    queue = Queue()
    stat = FileStat(5, 0)
    queue.add(Pending(Job(b"a.txt"), b"/", stat))
    queue.add(Pending(Job(b"scan.pdf", slow=True), b"/", stat))
    assert not queue.urgent
    queue.add(Pending(Job(b"saved.txt"), b"/", stat, urgent=True))
    queue.add(Pending(Job(b"a.txt"), b"/", FileStat(6, 1), urgent=True))
    assert queue.urgent
    assert len(queue) == 3
    assert [p.job.path for p in queue.next_batch(only_urgent=True)] == [b"saved.txt", b"a.txt"]
    queue.add(Pending(Job(b"scan.pdf"), b"/", stat))  # a scan meets it again, as it was
    assert [p.job.slow for p in queue.next_batch(large=False)] == [True]
    assert not queue.finish(b"scan.pdf")
    queue.add(Pending(Job(b"scan.pdf", slow=True), b"/", stat))
    queue.add(Pending(Job(b"scan.pdf"), b"/", FileStat(7, 2)))  # it was changed since
    assert [p.job.slow for p in queue.next_batch(large=False)] == [False]
    for name in (b"saved.txt", b"a.txt", b"scan.pdf"):
        assert not queue.finish(name)
    assert len(queue) == 0


def test_the_members_of_a_saved_archive_come_before_what_waits() -> None:
    queue = Queue()
    stat = FileStat(5, 0)
    large = FileStat(10**8, 0)
    for pending in (
        Pending(Job(b"a.txt"), b"/", stat),
        Pending(Job(b"scan.pdf", slow=True), b"/", stat),
        Pending(Job(b"large.zip", slow=True), b"/", large, urgent=True),
        Pending(Job(b"saved.zip", slow=True), b"/", stat, urgent=True),
        Pending(Job(b"saved.txt"), b"/", large, urgent=True),
    ):
        queue.add(pending)
    assert not queue.only_slow
    assert [p.job.path for p in queue.next_batch(only_urgent=True)] == [b"saved.txt"]
    queue.add(Pending(Job(b"saved.zip"), b"/", stat))  # a scan meets it again, as it was
    assert [p.job.path for p in queue.next_batch(only_urgent=True)] == [b"saved.zip"]
    assert queue.next_batch(only_urgent=True) == [], "a large one would hold up what is saved next"
    taken = [[p.job.path for p in queue.next_batch(large=True)] for _ in range(3)]
    assert taken == [[b"large.zip"], [b"a.txt"], [b"scan.pdf"]]


def test_suffixes_are_read_again_once_for_a_plugin_that_is_new_to_them() -> None:
    old = '[["plain","1",[".md",".txt"]]]'
    new = '[["better","1",[".md"]],["plain","1",[".md",".txt"]]]'
    assert new_suffixes("", old) == {b".md", b".txt"}
    assert new_suffixes(old, old) == frozenset()
    assert new_suffixes(old, new) == {b".md"}
    assert new_suffixes(new, old) == frozenset()
    assert new_suffixes(old, old.replace('"1"', '"2"')) == {b".md", b".txt"}
