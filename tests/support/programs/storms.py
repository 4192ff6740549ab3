"""What a sidecar must survive, any number of times: blows while it indexes, many windows, storms of saves, a full disk.

Each gives what was counted, so that a test asserts it of a few and `bench/serving/storms.py` prints it of many.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from support.clients.harness import alive, children
from support.clients.waiting import DEADLINE, pauses
from support.indexes.checks import with_store
from support.programs.server import Server

from sidecar.store import Store

__all__ = ["Count", "Notes", "arguments", "check", "fill_disk", "kill", "open_windows"]

_SAVE_SECONDS = 0.004
"""Between two saves of a storm: faster than a file settles, so that saves overtake one another."""
_RETRIED_SECONDS = 60.0
"""What has failed again and again is tried so long afterwards."""
_ROOM = 100_000
"""Bytes no file may outgrow while the disk is full."""


@dataclass
class Count:
    """`wrong` says what was lost, stale or left behind, and where; empty where all held."""

    blows: int = 0
    saves: int = 0
    seconds: float = 0.0
    longest_log: int = 0
    """Bytes of the longest write-ahead log that was seen."""
    wrong: list[str] = field(default_factory=list[str])


class Notes:
    """A folder of small Markdown files, and what each of them says now."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.chance = random.Random(7)
        self.said: dict[str, str] = {}
        self._number = 0
        folder.mkdir(parents=True)
        for number in range(count):
            self.save(f"note{number}.md")

    def save(self, name: str) -> None:
        """Write new words into the file of that name."""
        self._number += 1
        self.said[name] = f"word{self._number}x"
        (self.folder / name).write_text(f"# {name}\n\nIt says {self.said[name]} now.\n\n" + "filler " * 200)

    def change(self) -> None:
        """Save, make, rename or remove one of them."""
        name = self.chance.choice(sorted(self.said))
        what = self.chance.random()
        if what < 0.7:
            self.save(name)
        elif what < 0.8:
            self.save(f"made{self._number}.md")
        elif what < 0.9:
            new = f"moved{self._number}-{name[-12:]}"
            (self.folder / name).rename(self.folder / new)
            self.said[new] = self.said.pop(name)
        elif len(self.said) > 3:
            (self.folder / name).unlink()
            del self.said[name]

    def differences(self, server: Server) -> Iterator[str]:
        """Where what the server shows is not what the files say."""
        listed = {entry["name"]: entry["uri"] for entry in _listed(server)}
        for name in listed.keys() ^ self.said.keys():
            yield f"{name} is only {'listed' if name in listed else 'on the disk'}"
        for name in listed.keys() & self.said.keys():
            answer = server.request("resources/read", {"uri": f"{listed[name]}.md"})
            if "error" in answer or f"says {self.said[name]} now" not in answer["result"]["contents"][0]["text"]:
                yield f"{name} is not as it was saved last"

    def wait_for(self, server: Server, seconds: float = DEADLINE) -> list[str]:
        """The differences that are left when there are none any more, or at the deadline."""
        deadline = time.monotonic() + seconds
        while left := [*self.differences(server)]:
            if time.monotonic() > deadline:
                break
            server.status()
        return left


def arguments(folder: Path, data: Path) -> list[str]:
    return ["--folder", str(folder), "--data-dir", str(data)]


def check(data: Path) -> None:
    """The index is sound, its search rows included."""

    async def nothing(store: Store) -> None:
        assert store.remark == ""

    asyncio.run(with_store(data, nothing))


def kill(base: Path, blows: int, files: int) -> Count:
    """Kill a sidecar at any moment while it indexes files that change, check the index, start the next."""
    count, begun = Count(blows), time.monotonic()
    notes, data = Notes(base / "documents", files), base / "data"
    for blow in range(blows):
        for _ in range(files // 3):
            notes.change()
            count.saves += 1
        with Server(*arguments(notes.folder, data)) as server:
            server.until(lambda s: s.get("pending", 0) > 0 or s.get("state") == "idle", "it has begun")
            for _ in range(notes.chance.randrange(12)):
                notes.change()
                server.status()
            below = children(server.process.pid)
            server.process.kill()
            server.process.wait()
            if not _within(lambda below=below: not alive(below)):
                count.wrong.append(f"blow {blow}: a process is left of {below}")
        try:
            check(data)
        except Exception as error:  # whatever it is: the figure says so
            count.wrong.append(f"blow {blow}: {error!r}")
    with Server(*arguments(notes.folder, data)) as server:
        count.wrong += notes.wait_for(server)
        server.end()
    check(data)
    count.wrong += [f"{left} was left" for left in data.glob("index.db.damaged-*")]
    count.seconds = time.monotonic() - begun
    return count


def open_windows(base: Path, windows: int, saves: int, blows: int) -> Count:
    """Sidecars on one data directory in a storm of saves; who holds the lease is killed now and then."""
    count, begun = Count(blows), time.monotonic()
    notes, data = Notes(base / "documents", 20), base / "data"
    with ExitStack() as stack:
        servers = [stack.enter_context(Server(*arguments(notes.folder, data))) for _ in range(windows)]
        for server in servers:
            server.until_indexed(20)
        over = threading.Event()
        watching = threading.Thread(target=_watch_log, args=(data, over, count))
        watching.start()
        try:
            for number in range(saves):
                notes.change()
                count.saves += 1
                time.sleep(_SAVE_SECONDS)
                if blows and number % (saves // blows + 1) == saves // (blows + 1) and len(servers) > 1:
                    holder = _holder(servers)
                    servers.remove(holder)
                    holder.process.kill()
            for number, server in enumerate(servers):
                count.wrong += [f"window {number}: {one}" for one in notes.wait_for(server)]
            held = [server.status()["lease"]["held"] for server in servers]
            if held.count(True) != 1:
                count.wrong.append(f"{held.count(True)} windows hold the lease")
            for server in servers:
                if server.end() or "Traceback" in server.errors():
                    count.wrong.append(f"a window ended with {server.process.returncode}: {server.errors()[-200:]}")
        finally:
            over.set()
            watching.join()
    check(data)
    count.wrong += [f"{left} was left" for left in data.glob("index.db.damaged-*")]
    count.seconds = time.monotonic() - begun
    return count


def fill_disk(base: Path, times: int) -> Count:
    """Let no file of a sidecar grow any more while it indexes, as on a full disk, and lift that again."""
    count, begun = Count(times), time.monotonic()
    notes, data = Notes(base / "documents", 100), base / "data"
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    with Server(*arguments(notes.folder, data)) as server:
        server.until_indexed(100)
        for number in range(times):
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (_ROOM, resource.RLIM_INFINITY))
            for name in sorted(notes.said):
                notes.save(name)
                count.saves += 1
            found = server.until(lambda s: s.get("remarks"), "that there is no room is told")
            if not any("space" in one or "disk" in one for one in found["remarks"]):
                count.wrong.append(f"time {number}: it says {found['remarks']}")
            count.wrong += [] if server.request("resources/list", {}).get("result") else [f"time {number}: not served"]
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
            count.wrong += notes.wait_for(server, DEADLINE + _RETRIED_SECONDS)
        if server.end() or "Traceback" in server.errors():
            count.wrong.append(f"it ended with {server.process.returncode}: {server.errors()[-200:]}")
    check(data)
    count.seconds = time.monotonic() - begun
    return count


def _listed(server: Server) -> list[dict[str, str]]:
    """Every document of `resources/list`, page by page."""
    entries: list[dict[str, str]] = []
    cursor: dict[str, str] = {}
    while True:
        page = server.request("resources/list", cursor)["result"]
        entries += [entry for entry in page["resources"] if entry["uri"].startswith("document://")]
        if "nextCursor" not in page:
            return entries
        cursor = {"cursor": page["nextCursor"]}


def _holder(servers: Sequence[Server]) -> Server:
    """Who holds the lease, once somebody does."""
    pids = {server.process.pid: server for server in servers}
    found = servers[0].until(lambda s: s["lease"]["holder_pid"] in pids, "one of them holds the lease")
    return pids[found["lease"]["holder_pid"]]


def _watch_log(data: Path, over: threading.Event, count: Count) -> None:
    while not over.wait(0.05):
        with contextlib.suppress(FileNotFoundError):  # whoever closes the index last removes it
            count.longest_log = max(count.longest_log, (data / "index.db-wal").stat().st_size)


def _within(condition: Callable[[], bool]) -> bool:
    deadline, pause = time.monotonic() + DEADLINE, pauses()
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(next(pause))
    return True
