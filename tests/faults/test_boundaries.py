"""Nobody reads what lies outside the folders: through links, through `..`, or by swapping a directory for a link."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.indexes.indexer import rig, running
from support.indexes.plain_format import PlainFormat

from sidecar.api import Limits, Payload, Source, UnavailableError, UsageError
from sidecar.ingest.reading.detect import detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader
from sidecar.server.reading.drawing import FileRef, open_bytes
from sidecar.toolkit.platform import system
from sidecar.workers.opening import DirectoryListing, open_below

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")

SECRET = "the crown jewels lie under the third oak"
RACE_SECONDS = 1.0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a directory and a file, and a secret outside of it under the same names."""
    for name, text in (("docs", "harmless"), ("outside", SECRET)):
        (tmp_path / name / "inner").mkdir(parents=True)
        (tmp_path / name / "inner" / "a.txt").write_text(text)
    (tmp_path / "docs" / "linkdir").symlink_to(tmp_path / "outside" / "inner")
    (tmp_path / "docs" / "here").symlink_to(tmp_path / "docs" / "inner")
    return tmp_path


def text_of(descriptor: int) -> str:
    """What an open file holds; closes it."""
    with os.fdopen(descriptor) as file:
        return file.read()


@pytest.mark.parametrize("follow", [False, True])
@pytest.mark.parametrize("walk", [False, True])
def test_no_path_leads_out(place: Path, monkeypatch: pytest.MonkeyPatch, *, follow: bool, walk: bool) -> None:
    if walk:  # as where the kernel has no openat2
        monkeypatch.setattr(system, "open_beneath", lambda: None)
    docs = os.fsencode(place / "docs")
    assert text_of(open_below(docs, docs + b"/inner/a.txt", follow_links=follow)) == "harmless"
    for path in (b"/linkdir/a.txt", b"/inner/../../outside/inner/a.txt", b"/../outside/inner/a.txt"):
        with pytest.raises(OSError, match=r"link|outside|Not a directory"):
            os.close(open_below(docs, docs + path, follow_links=follow))
    with pytest.raises(OSError, match="outside"):
        os.close(open_below(docs, os.fsencode(place / "outside" / "inner" / "a.txt")))
    if follow:
        assert text_of(open_below(docs, docs + b"/here/a.txt", follow_links=True)) == "harmless"
    else:
        with pytest.raises(OSError, match=r"link|Not a directory"):
            os.close(open_below(docs, docs + b"/here/a.txt"))


@pytest.mark.parametrize("hidden", [False, True])
async def test_a_named_file_is_indexed_only_where_a_scan_meets_it(place: Path, *, hidden: bool) -> None:
    docs = place / "docs"
    (docs / "here.txt").symlink_to(docs / "inner" / "a.txt")
    async with rig(place / "data", docs, hidden=hidden) as r, running(r):
        for path in (
            "linkdir/a.txt",
            "../outside/inner/a.txt",
            "inner/../../outside/inner/a.txt",
            "linkdir/../inner/a.txt",
        ):
            with pytest.raises(UsageError, match="lies in no watched folder"):
                await r.indexer.index_now(f"{docs}/{path}")
        await r.indexer.index_now(f"{docs}/inner/../inner/a.txt")
        await r.indexer.index_now(f"{docs}/here.txt")  # it lies in the folder: indexed where it lies
        assert await r.texts() == {os.fsencode(docs / "inner" / "a.txt"): "harmless"}


def modes(directory: Path) -> dict[str, int]:
    """The permissions of a directory and of the files in it."""
    found: dict[str, int] = {}
    for entry in (directory, *directory.iterdir()):
        with contextlib.suppress(FileNotFoundError):  # written beside another, whose place it has taken
            found[entry.name] = stat.S_IMODE(entry.stat().st_mode)
    return found


async def test_the_data_directory_is_its_users_alone(place: Path) -> None:
    data = place / "data"
    before = os.umask(0o022)
    try:
        for _ in range(2):
            async with rig(data, place / "docs") as r, running(r):
                there = modes(data)
                assert {"data", "index.db", "index.db-wal", "open.lock"} <= there.keys()
                assert {name: oct(mode) for name, mode in there.items() if mode & 0o077} == {}
            data.chmod(0o755)  # as an earlier version left it
            for file in data.iterdir():
                file.chmod(0o644)
    finally:
        os.umask(before)


async def test_a_directory_of_other_things_keeps_its_permissions(place: Path) -> None:
    (place / "mine").mkdir(mode=0o755)
    (place / "mine" / "letter.txt").write_text("dear all")
    (place / "mine" / "letter.txt").chmod(0o644)
    async with rig(place / "mine", place / "docs") as r:
        await r.indexer.scan_once()
    there = modes(place / "mine")
    assert there["letter.txt"] == 0o644
    assert there["index.db"] == 0o600


class Whole(PlainFormat):
    """Gives all the bytes of a file as what is embedded in it."""

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        return Payload(source.read(limits.max_file_bytes), "text/plain")


@contextmanager
def swapping(swap: Callable[[], None]) -> Generator[None]:
    """`swap` in a thread, over and over."""
    done = threading.Event()

    def loop() -> None:
        while not done.is_set():
            swap()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("what", ["directory", "file"])
def test_a_swap_for_a_link_never_wins(place: Path, what: str) -> None:
    docs = place / "docs"
    target = docs / "inner" if what == "directory" else docs / "inner" / "a.txt"
    outside = place / "outside" / "inner" if what == "directory" else place / "outside" / "inner" / "a.txt"
    kept, link = docs / "kept", docs / "link"

    def swap() -> None:
        link.symlink_to(outside)
        target.rename(kept)
        link.rename(target)
        target.unlink()
        kept.rename(target)

    job = Job(os.fsencode(docs / "inner" / "a.txt"), folder=os.fsencode(docs))
    detector, limits = detector_of(Loader()), Limits()
    digest = hashlib.sha256(b"harmless").hexdigest()
    ref = FileRef(str(docs / "inner" / "a.txt"), -1, -1, digest, "text/plain", str(docs))
    reads = 0
    with swapping(swap):
        end = time.monotonic() + RACE_SECONDS
        while time.monotonic() < end or reads <= 10:
            assert SECRET not in repr(read_file(job, detector, limits))
            with contextlib.suppress(UnavailableError):
                assert open_bytes(Whole(), ref, "", limits).data == b"harmless"
            inner = os.fsencode(docs / "inner")
            with contextlib.suppress(OSError), DirectoryListing(os.fsencode(docs), inner) as entries:
                assert all(entry.stat(follow_symlinks=False).st_size != len(SECRET) for entry in entries)
            reads += 1
