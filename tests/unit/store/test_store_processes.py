"""The index among processes and faults: killed writers, racing starts, newer and damaged files, full disks, lease."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.indexes.checks import verify, with_store
from support.indexes.prepared import file_path, note

from sidecar.api import DamagedIndexError, StoreError, decode_blocks
from sidecar.store import DisplacedError, Lease, Store
from sidecar.store.database.lease import FileLock
from sidecar.store.database.opening import suspect_path
from sidecar.store.store import Repair

TESTS = str(Path(__file__).parents[2])
PRELUDE = f"""
import asyncio, sys
sys.path.insert(0, {TESTS!r})
from pathlib import Path
from support.indexes.prepared import note
from sidecar.api import StoreError
from sidecar.store import Lease, Store
data_dir = Path(sys.argv[1])
"""
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and resource limits are POSIX")


@contextmanager
def child(code: str, data_dir: Path) -> Generator[subprocess.Popen[str]]:
    """A Python process running `code` after PRELUDE; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(code), str(data_dir)],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3],
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@posix
async def test_a_writer_killed_in_the_middle_leaves_a_sound_index(tmp_path: Path) -> None:
    code = """
    async def main():
        store = await Store.open(data_dir)
        print("open", flush=True)
        for turn in range(10_000):
            await store.files.commit([note(f"n{n}.txt", f"turn {turn} of {n} " * 400) for n in range(20)])
            print(turn, flush=True)
    asyncio.run(main())
    """
    for kills in range(3):
        with child(code, tmp_path) as process:
            assert line(process) == "open"
            for _ in range(2 + kills):
                line(process)
            process.send_signal(signal.SIGKILL)
            process.wait()

        async def body(store: Store) -> None:
            assert store.remark == ""
            await verify(store)
            turns = {passage.text.split()[1] for passage in await store.documents.passages()}
            assert len(turns) == 1, "a batch is written whole or not at all"
            assert (await store.documents.totals()).files == 20

        await with_store(tmp_path, body)


def test_processes_that_start_at_once_all_get_the_index(tmp_path: Path) -> None:
    code = """
    async def main():
        print("ready", flush=True)
        store = await Store.open(data_dir)
        await store.files.commit([note(f"{sys.argv[1][-3:]}-{id(store)}.txt", str(id(store)))])
        print(store.remark or "fine", flush=True)
        await store.close()
    asyncio.run(main())
    """
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PRELUDE + textwrap.dedent(code), str(tmp_path)], stdout=subprocess.PIPE, text=True,
            cwd=Path(__file__).parents[3],
        )
        for _ in range(4)
    ]  # fmt: skip
    outputs = [process.communicate(timeout=180)[0].split() for process in processes]
    assert outputs == [["ready", "fine"]] * 4
    assert [process.returncode for process in processes] == [0] * 4

    async def body(store: Store) -> None:
        assert 1 <= (await store.documents.totals()).files <= 4

    asyncio.run(with_store(tmp_path, body))


UNDONE: dict[int, tuple[str, ...]] = {
    16: (),
    15: (),
    14: (),
    13: ("ALTER TABLE passages DROP COLUMN first_row", "ALTER TABLE passages DROP COLUMN last_row"),
    12: ("UPDATE facts SET name = 'claims' WHERE name = 'plugin_suffixes'",),
    11: ("DROP TABLE names_fts_terms",),
    10: (),
    9: ("DROP INDEX files_archive", "ALTER TABLE files DROP COLUMN archive"),
    8: (),
    7: ("ALTER TABLE history DROP COLUMN path",),
    6: (),
    5: ("DROP TABLE attributions",),
    4: ("DROP TABLE tables_fts", "DROP TABLE tables"),
    3: ("DROP TABLE away_folders",),
    2: ("DROP TABLE passages_fts_terms", "DROP TABLE element_fts_terms", "DROP TABLE postings"),
    1: ("DROP TABLE facts",),
}
"""What takes an index back to that format from the one after it."""
TABLES = "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"


@pytest.mark.parametrize("version", [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
async def test_an_index_of_an_older_format_is_migrated_with_all_that_is_in_it(tmp_path: Path, version: int) -> None:
    async def fill(store: Store) -> None:
        await store.files.commit([note(f"n{number}.txt", f"text {number}") for number in range(20)])
        await store.settings.put("plugin_suffixes", "[]")

    await with_store(tmp_path, fill)
    database = sqlite3.connect(tmp_path / "index.db", isolation_level=None)
    newest = database.execute("PRAGMA user_version").fetchone()[0]
    assert newest == max(UNDONE) + 1, "a newer format needs its way back here"
    tables = set(database.execute(TABLES))
    for format_, statements in UNDONE.items():
        for statement in statements if format_ >= version else ():
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {version}")
    database.close()

    async def body(store: Store) -> None:
        assert store.remark == ""
        assert len(await store.documents.passages()) == 20
        assert await store.settings.get("plugin_suffixes") == ("[]" if version > 1 else "")
        await store.prune()
        await fill(store)

    await with_store(tmp_path, body)
    database = sqlite3.connect(tmp_path / "index.db")
    assert database.execute("PRAGMA user_version").fetchone()[0] == newest
    assert set(database.execute(TABLES)) == tables
    database.close()


@pytest.mark.parametrize(
    ("version", "texts", "again"),
    [
        (14, {"计划.txt": "plan", "iphone.txt": "本公司的iPhone应用"}, ["iphone.txt", "计划.txt"]),
        (15, {"مشروع.txt": "plan", "bereshit.txt": "בְּרֵאשִׁית", "osoby.txt": "сімʼя"},
         ["bereshit.txt", "osoby.txt", "مشروع.txt"]),
        (16, {"co₂.txt": "plan", "area.txt": "25 m²", "power.txt": "10⁵"}, ["area.txt", "co₂.txt", "power.txt"]),
    ],
)  # fmt: skip
async def test_what_may_be_found_by_more_words_is_read_once_more(
    tmp_path: Path, version: int, texts: dict[str, str], again: list[str]
) -> None:
    others = {"plain.txt": "Été, maxSize, “Tiếng Việt”", "old.txt": "text"}

    async def fill(store: Store) -> None:
        await store.files.commit([note(name, text) for name, text in {**texts, **others}.items()])

    await with_store(tmp_path, fill)
    database = sqlite3.connect(tmp_path / "index.db", isolation_level=None)
    for statement in UNDONE[version]:
        database.execute(statement)
    database.execute(f"PRAGMA user_version = {version}")
    database.close()
    await with_store(tmp_path, _nothing)
    database = sqlite3.connect(tmp_path / "index.db")
    reread = "SELECT name FROM files WHERE plugin_version LIKE ? ORDER BY 1"
    assert [name for (name,) in database.execute(reread, (f"before {version + 1}: %",))] == again
    database.close()


def test_a_newer_index_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    asyncio.run(with_store(tmp_path, _nothing))
    path = tmp_path / "index.db"
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"newer docsidecar \(format 99; this one knows \d+\); update docsidecar"):
        asyncio.run(Store.open(tmp_path))
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*damaged*"))


async def test_another_programs_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE theirs (x)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a docsidecar index"):
        await Store.open(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["text", "half", "header", "zeros"])
def test_a_damaged_index_is_set_aside_and_begun_anew(tmp_path: Path, damage: str) -> None:
    async def fill(store: Store) -> None:
        await store.files.commit([note(f"n{number}.txt", f"text {number} " * 300) for number in range(60)])

    asyncio.run(with_store(tmp_path, fill))
    path = tmp_path / "index.db"
    whole = path.read_bytes()
    broken = {
        "text": b"this is no database" * 500,
        "half": whole[: len(whole) // 2],
        "header": b"\0" * 100 + whole[100:],
        "zeros": whole[:4096] + b"\0" * (len(whole) - 4096),
    }[damage]
    path.write_bytes(broken)

    async def body(store: Store) -> None:
        assert "damaged" in store.remark
        assert (await store.documents.totals()).files == 0
        await fill(store)

    asyncio.run(with_store(tmp_path, body))
    (aside,) = tmp_path.glob("index.db.damaged-*")
    assert aside.read_bytes() == broken

    async def again(store: Store) -> None:
        assert store.remark == ""
        assert (await store.documents.totals()).files == 60

    asyncio.run(with_store(tmp_path, again))


async def test_damage_met_while_running_is_said_once_and_mended_at_the_next_start(tmp_path: Path) -> None:
    store = await Store.open(tmp_path)
    await store.files.commit([note(f"n{number}.txt", f"text {number} " * 300) for number in range(60)])
    await store.prune()
    await store.close()
    path = tmp_path / "index.db"
    size = path.stat().st_size

    store = await Store.open(tmp_path)
    try:
        with path.open("r+b") as file:  # a page in the middle of the passages goes bad under the running sidecar
            for page in range(8, size // 4096 - 30):
                file.seek(page * 4096)
                file.write(b"\x55" * 4096)
        with pytest.raises(StoreError, match=r"is damaged .* is rebuilding it; ask again soon"):
            await store.documents.passages()
    finally:
        await store.close()
    assert suspect_path(path).exists()
    store = await Store.open(tmp_path)
    try:
        assert "damaged" in store.remark
        assert not suspect_path(path).exists()
    finally:
        await store.close()


async def test_damage_is_mended_in_place(tmp_path: Path) -> None:
    store, follower = await Store.open(tmp_path), await Store.open(tmp_path)
    try:
        await store.files.commit([note(f"n{number}.txt", f"text {number} " * 300) for number in range(60)])
        await store.prune()
        version = await follower.changes.data_version()
        path = tmp_path / "index.db"
        assert await store.repair() == Repair()
        with path.open("r+b") as file:
            for page in range(8, path.stat().st_size // 4096 - 30):
                file.seek(page * 4096)
                file.write(b"\x55" * 4096)
        store.documents.suspect()
        assert follower.suspected
        assert await store.repair() == Repair(rebuilt=True)
        assert "kept as index.db.damaged-" in store.remark
        assert not store.suspected
        assert await store.documents.readable() == []
        await store.files.commit([note("again.txt", "read again")])
        assert await follower.changes.data_version() != version
        assert [one.slug for one in await follower.documents.readable()] == ["again"]
    finally:
        await follower.close()
        await store.close()


async def test_a_damaged_record_has_its_file_read_again(tmp_path: Path) -> None:
    store = await Store.open(tmp_path)
    try:
        await store.files.commit([note("good.txt", "good"), note("bad.txt", "bad")])
        bad = await store.documents.resolve("bad")
        await store.database.write(
            lambda session: session.execute("UPDATE segments SET data = x'00' WHERE version_id = ?", (bad.id,))
        )
        view = await store.documents.part("bad", 1)
        with pytest.raises(DamagedIndexError, match="ask again"):
            decode_blocks(view.part.segments[0].data)
        repaired = await store.repair()
        assert repaired == Repair(paths=(file_path("bad.txt"),))
        known = await store.files.known()
        assert known[file_path("bad.txt")].plugin_version != known[file_path("good.txt")].plugin_version
        changes = await store.files.commit([note("bad.txt", "bad")])
        assert [(change.kind, change.slug) for change in changes] == [("updated", "bad")]
        view = await store.documents.part("bad", 1)
        assert decode_blocks(view.part.segments[0].data)
        assert await store.repair() == Repair()
        await store.database.write(lambda session: session.execute("UPDATE versions SET counts = x'c1'"))
        with pytest.raises(DamagedIndexError):
            await store.documents.readable()
        assert store.suspected
        assert len((await store.repair()).paths) == 2
    finally:
        await store.close()


async def test_of_what_was_forgotten_nothing_is_left_in_the_file(tmp_path: Path) -> None:
    store = await Store.open(tmp_path)
    names = [f"n{number}.txt" for number in range(80)]
    try:
        for name in names:  # many small segments of the search index
            await store.files.commit([note(name, f"secretword{name[:-4]}x " * 3 + "common text " * 40)])
        await store.files.forget([file_path(name) for name in names[:40]])
        await store.prune()
        left = await store.database.read(lambda session: session.rows("SELECT term FROM passages_fts_terms"))
    finally:
        await store.close()
    data = (tmp_path / "index.db").read_bytes()
    assert not [name for name in names[:40] if f"secretword{name[:-4]}x".encode() in data]
    assert all(f"secretword{name[:-4]}x".encode() in data for name in names[40:])
    assert len(left) < 80


async def test_who_was_displaced_writes_nothing_more(tmp_path: Path) -> None:
    former, present = await Store.open(tmp_path), await Store.open(tmp_path)
    try:
        await former.files.begin_term()
        await former.files.commit([note("a.txt", "one")])
        await present.files.begin_term()
        with pytest.raises(DisplacedError, match="taken over"):
            await former.files.commit([note("a.txt", "two")])
        for write in (former.files.remove, former.files.forget):
            with pytest.raises(DisplacedError):
                await write([file_path("a.txt")])
        with pytest.raises(DisplacedError):
            await former.files.set_away([b"/watched"])
        assert (await present.documents.resolve("a")).id
        await present.files.commit([note("a.txt", "three")])
        former.files.end_term()
        await former.files.begin_term()
        with pytest.raises(DisplacedError):
            await present.files.remove([file_path("a.txt")])
    finally:
        await present.close()
        await former.close()


@posix
def test_the_lease_is_taken_from_a_holder_that_hangs(tmp_path: Path) -> None:
    holder, other, third = Lease(tmp_path), Lease(tmp_path), Lease(tmp_path)
    assert holder.try_acquire()
    beat = other.last_beat()
    holder.beat()
    assert other.last_beat() > beat
    assert not other.try_acquire()
    assert other.displace()
    assert other.held
    assert holder.displaced
    assert not other.displaced
    assert not third.try_acquire()
    holder.release()
    assert not third.try_acquire()
    other.release()
    assert third.try_acquire()
    third.release()


async def test_a_follower_moves_to_the_index_another_process_has_begun_anew(tmp_path: Path) -> None:
    follower = await Store.open(tmp_path)
    try:
        await follower.files.commit([note("old.txt", "old")])
        before = await follower.changes.data_version()
        (tmp_path / "index.db").rename(tmp_path / "index.db.damaged-x")
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"index.db{suffix}").rename(tmp_path / f"index.db.damaged-x{suffix}")
        other = await Store.open(tmp_path)
        await other.files.commit([note("new.txt", "new")])
        await other.close()
        assert await follower.changes.data_version() != before
        assert [one.slug for one in await follower.documents.readable()] == ["new"]
    finally:
        await follower.close()


@posix
async def test_a_full_disk_is_one_clear_error_and_what_was_there_stays(tmp_path: Path) -> None:
    code = """
    import resource, signal
    async def main():
        store = await Store.open(data_dir)
        await store.files.commit([note("kept.txt", "kept")])
        await store.prune()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
        try:
            for turn in range(100):
                await store.files.commit([note(f"n{turn}-{n}.txt", f"text {turn} {n} " * 3000) for n in range(10)])
        except Exception as error:
            print(type(error).__name__, str(error), flush=True)
        print([one.slug for one in await store.documents.readable(limit=1)], flush=True)
        await store.close()
    asyncio.run(main())
    """
    with child(code, tmp_path) as process:
        said = line(process)
        assert said.startswith("StoreError")
        assert "space" in said
        assert line(process) == "['kept']"
        assert process.wait(timeout=180) == 0

    async def body(store: Store) -> None:
        assert store.remark == ""
        await store.documents.resolve("kept")

    await with_store(tmp_path, body)


@posix
@pytest.mark.parametrize("filled", [False, True])
def test_a_data_directory_that_cannot_be_written_is_one_clear_error(filled: bool) -> None:
    code = """
    import os
    async def main():
        if os.geteuid() == 0:
            os.seteuid(65534)
        try:
            store = await Store.open(data_dir)
        except Exception as error:
            print(type(error).__name__, str(error), flush=True)
        else:
            found = await store.documents.readable()
            try:
                await store.files.remove([b"/watched/a.txt"])
            except StoreError as error:
                print("opened", store.read_only, len(found), error, flush=True)
            await store.close()
    asyncio.run(main())
    """
    with tempfile.TemporaryDirectory() as name:  # not pytest's directory, which only its owner may enter
        place = Path(name)
        if filled:
            asyncio.run(with_store(place, _nothing))
            for file in place.iterdir():
                file.chmod(0o444)
        place.chmod(0o555)
        try:
            # Its owner would have an empty one of its own made writable again.
            with child(code, place if filled or os.geteuid() == 0 else place / "data") as process:
                said = line(process)
            kept = [file.name for file in place.iterdir()]
        finally:
            place.chmod(0o700)
    assert said.startswith("opened True" if filled else "StoreError")
    assert "data directory" in said
    assert sorted(kept) == (["index.db", "open.lock"] if filled else [])


async def test_a_data_directory_that_is_a_file_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    with pytest.raises(StoreError, match="cannot be made"):
        await Store.open(tmp_path / "data")


def test_the_number_of_a_dead_holder_is_told_to_nobody_who_asks_beside_another(tmp_path: Path) -> None:
    lease, other = Lease(tmp_path), Lease(tmp_path)
    (tmp_path / "indexer.lock").write_bytes(b"99999999\n")  # as a killed holder leaves it
    assert lease.holder() is None
    asking = FileLock(tmp_path / "indexer.lock")
    assert asking.try_acquire()
    assert lease.holder() is None
    asking.release()
    assert other.try_acquire()
    assert lease.holder() == os.getpid()
    other.release()
    assert lease.holder() is None


@posix
def test_the_lease_passes_over_when_its_holder_is_killed(tmp_path: Path) -> None:
    code = """
    print(Lease(data_dir).try_acquire(), flush=True)
    sys.stdin.read()
    """
    lease = Lease(tmp_path)
    with child(
        "lease = Lease(data_dir)\nprint(lease.try_acquire(), flush=True)\nsys.stdin.read()", tmp_path
    ) as process:
        assert line(process) == "True"
        assert lease.try_acquire() is False
        assert lease.holder() == process.pid
        process.kill()
        process.wait()
        assert lease.holder() is None
        assert lease.try_acquire() is True
        assert lease.holder() == os.getpid()
        with child(code, tmp_path) as other:
            assert line(other) == "False"
        lease.release()
        assert lease.held is False
        lease.release()
        with child(code, tmp_path) as other:
            assert line(other) == "True"


async def test_readers_that_live_long_see_what_others_write(tmp_path: Path) -> None:
    reader, writer = await Store.open(tmp_path), await Store.open(tmp_path)
    try:
        assert await reader.documents.readable() == []
        seen = await reader.changes.data_version()
        assert await reader.changes.data_version() == seen
        for number in range(5):
            await writer.files.commit([note(f"n{number}.txt", "x")])
            now = await reader.changes.data_version()
            assert now != seen
            seen = now
            assert len(await reader.documents.readable()) == number + 1
        assert len(await reader.changes.since(3)) == 2
    finally:
        await reader.close()
        await writer.close()


async def test_the_write_ahead_log_stays_bounded_under_steady_reading(tmp_path: Path) -> None:
    store = await Store.open(tmp_path)
    follower = await Store.open(tmp_path)
    done = asyncio.Event()

    async def read(one: Store) -> None:
        while not done.is_set():
            await one.documents.passages(limit=50)
            await one.changes.data_version()

    tasks = [asyncio.create_task(read(one)) for one in (store, follower, follower)]
    try:
        written = 0
        for turn in range(60):
            batch = [note(f"n{number}.txt", f"turn {turn} {number} " * 4000) for number in range(10)]
            written += sum(item.stat.size for item in batch)
            await store.files.commit(batch)
        wal = (tmp_path / "index.db-wal").stat().st_size
        assert written > 20_000_000
        assert wal < 20_000_000
    finally:
        done.set()
        await asyncio.gather(*tasks)
        await store.close()
        await follower.close()


async def test_a_cancelled_commit_is_whole_or_absent_and_the_store_goes_on(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        for turn in range(10):
            batch = [note(f"n{number}.txt", f"turn {turn} {number} " * 200) for number in range(20)]
            task = asyncio.create_task(store.files.commit(batch))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            turns = {passage.text.split()[1] for passage in await store.documents.passages()}
            assert len(turns) <= 1
        await store.files.commit([note("last.txt", "last")])
        assert (await store.documents.resolve("last")).path == file_path("last.txt")

    await with_store(tmp_path, body)


async def test_close_ends_long_reads_leaves_no_thread_and_may_come_twice(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    store = await Store.open(tmp_path)
    await store.files.commit([note("a.txt", "x")])
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    reading = asyncio.create_task(store.database.read(lambda session: session.one(endless)))
    await asyncio.sleep(0.05)
    async with asyncio.timeout(180):  # the read would never end by itself
        await store.close()
        await store.close()
    with pytest.raises(StoreError):
        await reading
    with pytest.raises(StoreError, match="closed"):
        await store.documents.resolve("a")
    for thread in set(threading.enumerate()) - before:
        thread.join(180)
        assert not thread.is_alive()


async def test_closing_that_takes_longer_than_a_write_is_given_raises_nothing(tmp_path: Path) -> None:
    store = await Store.open(tmp_path)
    over, loop = threading.Event(), asyncio.get_running_loop()
    raised: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, told: raised.append(told))
    reading = asyncio.create_task(store.database.read(lambda _: over.wait(600)))
    await asyncio.sleep(0)
    loop.call_later(1.5, over.set)  # half a second after the writer's, which is closed by then
    await store.close()
    await asyncio.gather(reading, return_exceptions=True)
    assert over.is_set()
    assert not raised


async def test_one_reader_is_left_for_what_does_not_take_long(tmp_path: Path) -> None:
    store = await Store.open(tmp_path)
    over = threading.Event()
    try:
        await store.files.commit([note("a.txt", "x")])
        long = [asyncio.create_task(store.database.read_long(lambda _: over.wait(600))) for _ in range(20)]
        await asyncio.sleep(0)
        assert (await asyncio.wait_for(store.documents.resolve("a"), 180)).slug == "a"
        assert not any(task.done() for task in long)
        over.set()
        assert all(await asyncio.gather(*long))
    finally:
        over.set()
        await store.close()


async def _nothing(store: Store) -> None:
    assert store.remark == ""
