"""The worker pool: real processes, killed, crashed and replaced."""

from __future__ import annotations

import asyncio
import ctypes
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.clients.harness import alive
from support.indexes.worker_targets import Made
from support.programs import forks

from sidecar.api import (
    DamagedError,
    LimitError,
    Limits,
    NotFoundError,
    SidecarError,
    UnavailableError,
    WorkerCrash,
    WorkerError,
    WorkerTimeout,
)
from sidecar.store.queries.statements import QueryOutcome
from sidecar.toolkit.platform import system
from sidecar.toolkit.platform.time_limit import TimeTaken
from sidecar.workers import process
from sidecar.workers.pool import WorkerPool

HERE = "support.indexes.worker_targets"


@pytest.fixture(autouse=True)
def as_users_start_them() -> Generator[None]:
    forks.without()
    yield
    forks.fork(forks.template)


async def with_pool(scenario: Callable[[WorkerPool], Awaitable[Any]], **limits: Any) -> Any:
    pool = WorkerPool(1, Limits(**limits))
    try:
        return await scenario(pool)
    finally:
        await pool.aclose()


def names(folder: Path) -> set[str]:
    """What lies in a folder."""
    return {path.name for path in folder.iterdir()}


async def test_a_call_runs_in_another_process_that_is_kept() -> None:
    async def scenario(pool: WorkerPool) -> None:
        first = await pool.run("os:getpid")
        assert first != os.getpid()
        assert await pool.run("os:getpid") == first
        assert await pool.run("os:getpid", pool="parse") != first
        assert await pool.run(f"{HERE}:echo", {"a": (1, "é\0")}) == {"a": (1, "é\0")}

    await with_pool(scenario)


async def test_generators_stream_and_bytes_come_through_as_they_are() -> None:
    async def scenario(pool: WorkerPool) -> None:
        items: list[Any] = []
        async with aclosing(pool.stream(f"{HERE}:count", 3)) as stream:
            items = [item async for item in stream]
        assert items == [b"0", 1, b"2"]
        assert await pool.run(f"{HERE}:count", 3) == [b"0", 1, b"2"]
        large = await pool.run("os:urandom", 5_000_000)
        assert len(large) == 5_000_000

    await with_pool(scenario)


async def test_prints_of_a_task_do_not_reach_the_wire(capfd: pytest.CaptureFixture[str]) -> None:
    async def scenario(pool: WorkerPool) -> None:
        assert await pool.run(f"{HERE}:noisy") == "done"

    await with_pool(scenario)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "from print" in captured.err
    assert "from the descriptor" in captured.err


@pytest.mark.parametrize(
    ("target", "error", "words"),
    [
        ("die", WorkerCrash, "SIGSEGV|exit code"),
        ("leave", WorkerCrash, "exit code 3"),
        ("hang", WorkerTimeout, "longer than 0.3 seconds"),
        ("hold_the_lock", WorkerTimeout, "longer than 0.3 seconds"),
        ("eat", LimitError, "max_memory_bytes"),
        ("fail", WorkerError, "ZeroDivisionError"),
        ("no_such_function", WorkerError, "AttributeError"),
        ("damaged", DamagedError, "torn"),
        ("odd_error", SidecarError, "an error of an odd class"),
        ("unpicklable", WorkerError, "pickle"),
    ],
)
async def test_whatever_happens_to_one_call_the_next_one_works(
    target: str, error: type[SidecarError], words: str
) -> None:
    async def scenario(pool: WorkerPool) -> None:
        with pytest.raises(error, match=words):
            await pool.run(f"{HERE}:{target}", timeout=0.3 if error is WorkerTimeout else 20)
        assert await pool.run(f"{HERE}:echo", 1) == 1

    await with_pool(scenario, max_memory_bytes=400 * 2**20)


@contextmanager
def busy_machine(programs: int) -> Generator[None]:
    """So many busy loops beside what is tested."""
    code = "print(flush=True)\nwhile True: pass"
    loops = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(programs)]
    try:
        for loop in loops:  # each has begun
            assert loop.stdout is not None
            loop.stdout.readline()
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.communicate()


async def test_a_limit_counts_the_processor_time_a_call_got() -> None:
    async def scenario(pool: WorkerPool) -> None:
        await pool.run(f"{HERE}:echo", 1, pool="parse")
        passed = 0.0
        for programs in (2, 8, 32):  # a core; a system may share its processors between groups of programs
            if passed <= 0.4:
                with busy_machine(programs * (os.cpu_count() or 1)):
                    began = time.monotonic()
                    assert await pool.run(f"{HERE}:use_processor", 0.3, timeout=0.4, pool="parse") == 0.3
                    passed = time.monotonic() - began
        assert passed > 0.4, "the machine was not busy enough to show anything"
        with pytest.raises(WorkerTimeout):
            await pool.run(f"{HERE}:use_processor", 3600, timeout=1.0, pool="parse")

    await with_pool(scenario)


@pytest.mark.parametrize(
    ("used", "wanting", "over_after"),
    [
        (1.0, True, 10),  # all of a core
        (0.1, True, 100), (0.1, False, 100),  # a tenth, on a busy machine
        (0.0, True, 1000),  # none, though it wants it, or the disk
        (0.01, False, 10),  # it waits for something, or hangs
    ],
)  # fmt: skip
def test_what_waits_for_the_processor_has_more_time_than_what_waits_for_nothing(
    used: float, wanting: bool, over_after: int
) -> None:
    taken = TimeTaken(10.0, 50.0, 7.0)
    looks = (taken.look(50 + second, 7 + used * second, wanting) for second in range(1, 2000))
    assert next(second for second, over in enumerate(looks, 1) if over) == pytest.approx(over_after, abs=1)


def test_time_in_which_nobody_looked_is_not_taken_for_waiting() -> None:
    """On a busy machine who looks does not run either: what was answered meanwhile was said to have taken too long."""
    taken = TimeTaken(10.0, 50.0, 7.0)
    assert not taken.look(51, 7, False)
    assert not taken.look(81, 7, False)
    looks = (taken.look(81 + second, 7, False) for second in range(1, 20))
    assert 5 <= next(second for second, over in enumerate(looks, 1) if over) <= 8, "what hangs is stopped all the same"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such timer")
async def test_a_query_and_a_search_that_wait_for_the_processor_are_not_stopped() -> None:
    counting = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n"

    async def scenario(pool: WorkerPool) -> None:
        query = ("sidecar.store.queries.engine:run", 0.6, counting, [], 0, 1, 0.5)
        outcome: QueryOutcome = await pool.run(f"{HERE}:held_up", *query)
        assert outcome.answer is not None
        assert [list(row) for row in outcome.answer.rows] == [[300_000]]
        await pool.run("sidecar.server.reading.grep.matching:check", "a{30}b", False)
        grep = ("sidecar.server.reading.grep.matching:matching", 0.6, "a{30}b", False, ["a" * 200] * 1_500, 0.5)
        assert await pool.run(f"{HERE}:held_up", *grep) == ([], True)

    await with_pool(scenario)


async def test_a_worker_that_does_not_come_up_is_ended_and_blames_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import time\ntime.sleep(3600)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(process, "_START_SECONDS", 0.2)

    async def scenario(pool: WorkerPool) -> None:
        with pytest.raises(UnavailableError, match=r"did not come up within 0 s\."):
            await pool.run(f"{HERE}:echo", 1)
        assert pool.pids() == []

    await with_pool(scenario)


@pytest.mark.skipif(sys.platform == "win32", reason="only the worker's own time is known there")
async def test_what_a_call_starts_counts_as_its_own() -> None:
    async def scenario(pool: WorkerPool) -> None:
        began, used = time.monotonic(), time.process_time()
        with pytest.raises(WorkerTimeout):
            await pool.run(f"{HERE}:wait_for_busy_child", timeout=1.0)
        used, passed = time.process_time() - used, time.monotonic() - began
        assert used < passed * 0.7, "looking at the processes costs too much"

    await with_pool(scenario)


async def test_results_are_data_and_never_unpickled(tmp_path: Path) -> None:
    async def scenario(pool: WorkerPool) -> None:
        assert await pool.run(f"{HERE}:made") == [Made("a", (1, 2)), Made("b", ())]
        for target, *given in (("bomb", str(tmp_path / "unpickled")), ("unknown_to_the_caller",)):
            with pytest.raises(WorkerError, match=r"not data|not a data class"):
                await pool.run(f"{HERE}:{target}", *given)
        value = (1, [2.5, (None, True)], {"k": b"\0"})
        assert await pool.run(f"{HERE}:echo", value) == value

    await with_pool(scenario)
    assert names(tmp_path) == set()


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has the means")
@pytest.mark.parametrize("kind", ["tasks", "parse", "mine"])
async def test_workers_have_no_network(kind: str) -> None:
    async def scenario(pool: WorkerPool) -> None:
        await pool.run(f"{HERE}:echo", 1, pool=kind)
        if "no network" not in pool.confinement:
            pytest.skip(f"not to be had here: {pool.confinement or 'nothing is in force'}")
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            for target in ("connect", "send_datagram"):
                with pytest.raises(WorkerError, match="PermissionError"):
                    await pool.run(f"{HERE}:{target}", port, pool=kind)

    await with_pool(scenario)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has the means")
@pytest.mark.parametrize("kind", ["tasks", "parse"])
async def test_workers_write_to_their_scratch_only(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "beside"
    place.mkdir()
    kept = place / "kept.txt"
    kept.write_text("as it was")

    async def scenario(pool: WorkerPool) -> None:
        await pool.run(f"{HERE}:echo", 1, pool=kind)
        if "no writing" not in pool.confinement:
            pytest.skip(f"not to be had here: {pool.confinement or 'nothing is in force'}")
        for target in ("write", "write_by_shell", "remove"):
            with pytest.raises(WorkerError, match=r"PermissionError|CalledProcessError"):
                await pool.run(f"{HERE}:{target}", str(kept), pool=kind)
        with pytest.raises(WorkerError, match="PermissionError"):
            await pool.run(f"{HERE}:write", str(place / "new.txt"), pool=kind)
        await pool.run(f"{HERE}:write_scratch", pool=kind)

    await with_pool(scenario)
    assert kept.read_text() == "as it was"
    assert list(place.iterdir()) == [kept]


async def test_errors_arrive_with_what_they_carry() -> None:
    async def scenario(pool: WorkerPool) -> None:
        with pytest.raises(NotFoundError) as caught:
            await pool.run(f"{HERE}:not_found")
        assert caught.value.near == ("chapter-1",)
        assert caught.value.uri == "chapter://x/9"

    await with_pool(scenario)


async def test_cancelling_a_call_ends_its_worker() -> None:
    async def scenario(pool: WorkerPool) -> None:
        pid = await pool.run("os:getpid")
        call = asyncio.create_task(pool.run(f"{HERE}:hang"))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await pool.run("os:getpid") != pid
        assert pid not in pool.pids()

    await with_pool(scenario)


async def test_leaving_a_stream_early_ends_its_worker() -> None:
    async def scenario(pool: WorkerPool) -> None:
        pid = await pool.run("os:getpid")
        async with aclosing(pool.stream(f"{HERE}:count", 10**9)) as stream:
            async for _ in stream:
                break
        assert await pool.run("os:getpid") != pid

    await with_pool(scenario)


async def test_whoever_waits_for_an_answer_does_not_wait_for_the_bulk() -> None:
    async def scenario(pool: WorkerPool) -> None:
        bulk = [asyncio.create_task(pool.run(f"{HERE}:hang", pool="parse")) for _ in range(3)]
        assert await pool.run(f"{HERE}:echo", 1, timeout=60) == 1
        for task in bulk:
            task.cancel()
        await asyncio.gather(*bulk, return_exceptions=True)

    await with_pool(scenario)


async def test_a_named_pool_keeps_its_own_state_in_one_process() -> None:
    async def scenario(pool: WorkerPool) -> None:
        counts = await asyncio.gather(*(pool.run(f"{HERE}:remember", pool="mine") for _ in range(5)))
        assert counts == [1, 2, 3, 4, 5]
        assert await pool.run(f"{HERE}:remember", pool="other") == 1

    await with_pool(scenario)


async def test_closing_kills_busy_workers_at_once() -> None:
    async def scenario(pool: WorkerPool) -> None:
        calls = [asyncio.create_task(pool.run(f"{HERE}:hold_the_lock", pool=name)) for name in ("parse", "tasks", "x")]
        while len(pool.pids()) < 3:  # noqa: ASYNC110 - processes coming up send no event
            await asyncio.sleep(0.01)
        pids = pool.pids()
        async with asyncio.timeout(180):  # none of them would end by itself
            await pool.aclose()
        assert alive({*pids}) == set()
        for result in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(result, SidecarError)
        with pytest.raises(UnavailableError, match="shutting down"):
            await pool.run("os:getpid")

    await with_pool(scenario)


async def test_a_worker_never_imports_from_the_current_directory(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('a workspace ran its code')")
    monkeypatch.chdir(tmp_path)

    async def scenario(pool: WorkerPool) -> None:
        assert await pool.run(f"{HERE}:echo", 1) == 1

    await with_pool(scenario)


async def test_workers_that_end_are_reaped_once_and_by_the_event_loop(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(pool: WorkerPool) -> None:
        for _ in range(5):
            (crash,) = await asyncio.gather(pool.run(f"{HERE}:leave"), return_exceptions=True)
            assert isinstance(crash, WorkerCrash)
            assert "exit code 3" in str(crash)  # and not 255, which is the loop's word for a child it has lost
            with pytest.raises(WorkerTimeout):
                await pool.run(f"{HERE}:hang", timeout=0.01)
            waiting = asyncio.create_task(pool.run(f"{HERE}:hang"))
            while not pool.pids():  # noqa: ASYNC110 - the pool tells nobody of its processes
                await asyncio.sleep(0.005)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)

    await with_pool(scenario)
    assert "child process" not in caplog.text


async def test_what_killed_workers_left_behind_a_day_ago_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch = tmp_path / f"docsidecar-{system.user}"
    for name in ("tesseract-old", "tesseract-new", "docsidecar-office-7"):
        (scratch / name).mkdir(parents=True)
        (scratch / name / "page.ppm").write_bytes(b"P6")
    (scratch / "old.tmp").write_text("old")
    (tmp_path / "of-others.txt").write_text("kept")
    for path in (
        scratch / "tesseract-old",
        scratch / "docsidecar-office-7",
        scratch / "old.tmp",
        tmp_path / "of-others.txt",
    ):
        os.utime(path, (0, 0))

    async def scenario(pool: WorkerPool) -> None:
        assert await pool.run(f"{HERE}:echo", 7) == 7

    await with_pool(scenario)
    assert names(scratch) == {"tesseract-new", "docsidecar-office-7"}
    assert (tmp_path / "of-others.txt").read_text() == "kept"


@pytest.mark.parametrize("kind", ["mine", "isolated"])
async def test_the_memory_of_who_starts_a_worker_is_not_its_own(kind: str) -> None:
    async def scenario() -> None:
        much = b"much" * (200 << 20)  # more than a worker may grow to before it is replaced
        pool = WorkerPool(isolated={"isolated": HERE})
        try:
            assert [await pool.run(f"{HERE}:remember", pool=kind) for _ in range(3)] == [1, 2, 3]
        finally:
            await pool.aclose()
        assert much

    await scenario()


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has the means")
async def test_a_sealed_worker_has_no_files_programs_or_sockets(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("s3cret")
    attempts = (
        ("read_file", str(tmp_path / "secret.txt")), ("read_file", "/etc/passwd"), ("list_folder", str(tmp_path)),
        ("list_folder", "/"), ("write", str(tmp_path / "new.txt")), ("start_program",), ("local_socket",),
    )  # fmt: skip

    async def scenario() -> None:
        pool = WorkerPool(isolated={"isolated": HERE})
        try:
            assert await pool.run(f"{HERE}:echo", 7, pool="isolated") == 7
            if "no files, no programs" not in pool.confinement:
                pytest.skip(f"not to be had here: {pool.confinement or 'nothing is in force'}")
            for target, *arguments in attempts:
                with pytest.raises(WorkerError, match="PermissionError"):
                    await pool.run(f"{HERE}:{target}", *arguments, pool="isolated")
            assert await pool.run(f"{HERE}:late_import", pool="isolated") == 1
            # Others read as before.
            assert await pool.run(f"{HERE}:read_file", str(tmp_path / "secret.txt")) == b"s3cret"
        finally:
            await pool.aclose()

    await scenario()
    assert names(tmp_path) == {"secret.txt"}


@pytest.mark.skipif(
    not hasattr(ctypes.pythonapi, "malloc_trim"),
    reason="only the GNU C library keeps what is freed below what is in use",
)
def test_what_is_freed_goes_back_to_the_system() -> None:
    blocks = [bytearray(b"x") * 100_000 for _ in range(800)]
    held = blocks.pop()
    blocks.clear()
    kept = system.resident_bytes()
    system.release_memory()
    assert kept - system.resident_bytes() > 40_000_000
    assert len(held) == 100_000
