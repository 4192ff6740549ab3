"""Life and death: it ends on end of input, on signals and when its parent is gone, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.clients.harness import COMMAND, DEADLINE, Raw, alive, children, environment, fill
from support.clients.waiting import wait_for


def busy_folder(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(400):
        (folder / f"note{number}.md").write_text(f"# Note {number}\n\n" + "words and words\n\n" * 200)


def started(folder: Path, data: Path) -> tuple[Raw, set[int]]:
    """A sidecar at work with its worker processes."""
    raw = Raw(folder, data)
    raw.initialize()

    def below() -> set[int]:
        raw.call("get_library_status", {}, 1)
        return children(raw.process.pid)

    return raw, wait_for(below, "it has worker processes")


def gone(pids: set[int]) -> bool:
    return wait_for(lambda: not alive(pids), "its processes are gone")


def indexed(raw: Raw) -> int:
    return json.loads(raw.call("get_library_status", {}, 1)["result"]["content"][0]["text"])["indexed"]


def check_index(data: Path) -> None:
    """The index is whole and nobody holds its lock."""
    import sqlite3

    connection = sqlite3.connect(data / "index.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    from sidecar.store import Lease

    lease = Lease(data)
    assert lease.try_acquire()
    lease.release()


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "indexing"])
@pytest.mark.parametrize("way", ["eof", "SIGTERM", "SIGINT"])
def test_it_ends(tmp_path: Path, way: str, busy: bool) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    if busy:
        busy_folder(folder)
    else:
        fill(folder)
    raw, below = started(folder, data)
    with raw:
        if not busy:
            wait_for(lambda: indexed(raw) == 5, "all is indexed")
        assert raw.process.stdin is not None
        if way == "eof":
            raw.process.stdin.close()
        elif sys.platform == "win32":
            pytest.skip("Windows has no such signal between processes")
        else:
            raw.process.send_signal(getattr(signal, way))
        assert raw.process.wait(DEADLINE) == 0
        assert gone(below)
        assert raw.process.stderr is not None
        assert b"Traceback" not in raw.process.stderr.read()
    check_index(data)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe that outlives its owner, which is POSIX")
def test_it_ends_when_its_parent_is_gone_though_the_pipe_stays_open(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    # The pipe's write end is ours; the sidecar's parent is a process in between, which we then kill.
    read_end, write_end = os.pipe()
    go_between = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen(sys.argv[1:], stdin=0, stdout=subprocess.DEVNULL)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    arguments = [*COMMAND, "--folder", str(folder), "--data-dir", str(data)]
    parent = subprocess.Popen(
        [sys.executable, "-c", go_between, *arguments], stdin=read_end, stdout=subprocess.PIPE, env=environment(data)
    )
    os.close(read_end)
    try:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        wait_for((data / "index.db").exists, "it has an index")
        below = children(pid) | {pid}
        parent.kill()
        parent.wait()
        assert gone(below)
        os.write(write_end, b"") if alive({pid}) else None
    finally:
        os.close(write_end)
        parent.stdout.close() if parent.stdout is not None else None
    check_index(data)


@pytest.mark.skipif(sys.platform == "win32", reason="a kill there is what TerminateProcess does to the job")
def test_its_workers_die_with_it_when_it_is_killed(tmp_path: Path) -> None:
    busy_folder(tmp_path / "documents")
    raw, below = started(tmp_path / "documents", tmp_path / "data")
    with raw:
        raw.process.kill()
        raw.process.wait()
        assert gone(below)


def test_a_client_that_does_not_read_cannot_keep_it_from_ending(tmp_path: Path) -> None:
    folder, data = tmp_path / "documents", tmp_path / "data"
    fill(folder)
    raw, below = started(folder, data)
    with raw:
        lines = [{"jsonrpc": "2.0", "id": n, "method": "tools/list"} for n in range(300)]
        raw.send(*lines)  # megabytes of answers, and nobody reads them
        if sys.platform == "win32":
            assert raw.process.stdin is not None
            raw.process.stdin.close()
        else:
            raw.process.send_signal(signal.SIGTERM)
        raw.process.wait(DEADLINE)
        assert gone(below)


def test_it_ends_while_the_input_is_a_line_that_never_ends(tmp_path: Path) -> None:
    fill(tmp_path / "documents")
    raw, below = started(tmp_path / "documents", tmp_path / "data")
    with raw:
        assert raw.process.stdin is not None
        raw.process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, ')
        raw.process.stdin.flush()
        if sys.platform == "win32":
            raw.process.stdin.close()
        else:
            raw.process.send_signal(signal.SIGTERM)
        assert raw.process.wait(DEADLINE) == 0
        assert gone(below)
