"""`resources/read` of a chapter and `resources/list` while every attack on the serving loop is under way, and quiet.

`python tests/bench/serving/attacked.py [--reads N]`. Holds: p99 of reads at most 50 ms on a quiet machine.

Hostile requests go over the same connection, eight at once; a storm of saves, a second window whose client does not
read, and a `.gitignore` that backtracks go on beside them. The client looks at no more of an answer than its number, so
that what is timed is the server. Shown beside: the time without what server and client waited for a processor
(schedstat), and how much of the machine other programs and the hypervisor took; only where those are near nothing do
the times themselves mean anything.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from read_latency import make_folder
from support.formats.large_documents import long_csv, many_pages, sparse_workbook
from support.indexes.prepared import indexed

from sidecar.store import Store

UNDER_WAY = 8
"""Hostile requests that are under way at once."""
UNREAD = 4000
"""Requests of the client that does not read its answers."""
SAVES_A_SECOND = 50
READS = (
    "sheet://sparse/Data.csv", "sheet://sparse/Data.json", "sheet://long/1.csv", "sheet://long/1.json",
    "document://long.md", "document://long.html", "document://pages", "document://pages.json",
    "pages://pages/1-100000", "pages://pages/" + ",".join(["1-100000"] * 50),
    "chapters://book/" + ",".join(["1-40"] * 200), "document://book?" + "x" * 5000, "x" * 5_000_000,
)  # fmt: skip
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("grep", {"pattern": "a{1000000000}"}), ("grep", {"pattern": "(((a{1000}){1000}){1000}){1000}"}),
    ("grep", {"pattern": "(a|aa)+$"}), ("grep", {"pattern": "name 29999\\d"}),
    ("get_outline", {"document_slug": "pages"}), ("list_embedded_resources", {"document_slug": "pages"}),
    ("search_documents", {"query": "river " * 2000}), ("read_embedded", {"uri": "document://long.md"}),
)  # fmt: skip
_NUMBER = re.compile(rb'"id": ?(\d+)')


class Client:
    """Requests that need not wait for one another on one server's pipes."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Queue[bytes]] = {}
        self._sending = threading.Lock()
        threading.Thread(target=self._receive, daemon=True).start()
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    @property
    def pid(self) -> int:
        return self._process.pid

    def request(self, method: str, params: dict[str, Any]) -> bytes:
        """The line of the answer."""
        number = next(self._numbers)
        answer = self._waiting[number] = Queue[bytes]()
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return answer.get()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._sending:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _receive(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = _NUMBER.search(line[:200])
            if found is not None and (answer := self._waiting.pop(int(found[1]), None)) is not None:
                answer.put(line)


class Machine:
    """What the machine did between two looks: shares of all its cores, in percent."""

    def __init__(self) -> None:
        self._times = psutil.cpu_times()
        self._own = own_seconds()

    def told(self) -> str:
        now, own = psutil.cpu_times(), own_seconds()
        spent = [after - before for after, before in zip(now, self._times, strict=True)]
        total, idle = sum(spent), now.idle - self._times.idle + now.iowait - self._times.iowait
        stolen = now.steal - self._times.steal
        others = max(total - idle - stolen - (own - self._own), 0.0)
        return f"others had {others / total:4.0%} of the cores, the hypervisor {stolen / total:4.0%}"


def own_seconds() -> float:
    """Processor time of this process and all it started."""
    me = psutil.Process()
    return sum(
        sum(process.cpu_times()[:4]) if process.pid == me.pid else sum(process.cpu_times()[:2])
        for process in (me, *me.children(recursive=True))
    )


def waited_ms(server: int) -> float:
    """How long the server's loop and this thread were ready and had no processor, so far (Documentation/scheduler)."""
    places = (f"/proc/{server}/task/{server}/schedstat", f"/proc/self/task/{threading.get_native_id()}/schedstat")
    return sum(int(Path(place).read_text().split()[1]) for place in places) / 1e6


def measure(client: Client, name: str, requests: int, ask: Callable[[int], object]) -> None:
    times: list[float] = []
    unhindered: list[float] = []
    machine = Machine()
    for number in range(requests):
        waited, started = waited_ms(client.pid), time.perf_counter()
        ask(number)
        times.append((time.perf_counter() - started) * 1000)
        unhindered.append(times[-1] - waited_ms(client.pid) + waited)
    times.sort()
    unhindered.sort()
    p99 = int(len(times) * 0.99)
    print(
        f"{name:15} p50 {statistics.median(times):7.2f} ms   p99 {times[p99]:7.2f} ms   longest {times[-1]:7.2f} ms   "
        f"(without waiting for a processor p99 {unhindered[p99]:7.2f}, longest {unhindered[-1]:7.2f}); {machine.told()}"
    )


def attack(client: Client, first: int, over: threading.Event, tried: list[int]) -> None:
    """One hostile request after another until it is over."""
    requests = [("resources/read", {"uri": uri}) for uri in READS]
    requests += [("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS]
    for number in itertools.count(first * len(requests) // UNDER_WAY):
        if over.is_set():
            return
        client.request(*requests[number % len(requests)])
        tried[0] += 1


def save(folder: Path, over: threading.Event, tried: list[int]) -> None:
    """A storm of saves: a hundred files that change all the time, and some that come and go."""
    for number in itertools.count():
        if over.wait(1 / SAVES_A_SECOND):
            return
        (folder / f"note{number % 100}.md").write_text(f"# Note {number}\n\nSaved as number {number}.\n")
        if number % 10 == 9:
            (folder / f"note{(number + 50) % 100}.md").unlink(missing_ok=True)
        tried[1] += 1


def do_not_read(command: list[str], env: dict[str, str]) -> subprocess.Popen[bytes]:
    """A second window on the index, whose client asks and never reads."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    )
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "deaf", "version": "1"}}
    lines = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}]
    lines += [
        {"jsonrpc": "2.0", "id": n, "method": "resources/read", "params": {"uri": "document://long.md"}}
        for n in range(1, UNREAD)
    ]

    def write() -> None:
        assert process.stdin is not None
        try:
            for line in lines:
                process.stdin.write(json.dumps(line).encode() + b"\n")
                process.stdin.flush()
        except OSError:  # it was ended
            return

    threading.Thread(target=write, daemon=True).start()
    return process


async def add_pages(folder: Path, data: Path) -> None:
    """A document of a hundred thousand pages, as if it had been read from a file that is there."""
    prepared = many_pages()
    place = folder / "pages.pdf"
    place.write_bytes(b"%PDF-1.7\n%"[: prepared.size].ljust(prepared.size, b"%"))
    status = place.stat()
    store = await Store.open(data)
    try:
        await store.files.commit([indexed("pages.pdf", prepared, folder=os.fsencode(folder), mtime=status.st_mtime_ns)])
    finally:
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reads", type=int, default=3000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, data = Path(scratch) / "documents", Path(scratch) / "data"
        make_folder(folder)
        long_csv(folder / "long.csv")
        sparse_workbook(folder / "sparse.xlsx")
        (folder / ".gitignore").write_text("*a*a*a*a*b\n")
        env = {**os.environ, "DOCSIDECAR_CONFIG": str(Path(scratch) / "none.toml")}
        command = [sys.executable, "-m", "sidecar.cli.main"]
        where = ["--folder", str(folder), "--data-dir", str(data)]
        subprocess.run([*command, "index", "--once", *where], check=True, stdout=subprocess.DEVNULL, env=env)
        asyncio.run(add_pages(folder, data))
        client = Client([*command, "serve", *where], env)

        def read(number: int) -> bytes:
            return client.request("resources/read", {"uri": f"chapter://book/{number % 40 + 1}"})

        def listed(_: int) -> bytes:
            return client.request("resources/list", {})

        assert b'"uri"' in client.request("resources/read", {"uri": "page://pages/99999"}), "the pages are gone"
        measure(client, "quiet read", arguments.reads, read)
        measure(client, "quiet list", arguments.reads // 10, listed)
        over, tried = threading.Event(), [0, 0]
        threading.Thread(target=save, args=(folder, over, tried), daemon=True).start()
        measure(client, "storm read", arguments.reads, read)
        measure(client, "storm list", arguments.reads // 10, listed)
        deaf = do_not_read([*command, "serve", *where], env)
        for first in range(UNDER_WAY):
            threading.Thread(target=attack, args=(client, first, over, tried), daemon=True).start()
        measure(client, "attacked read", arguments.reads, read)
        measure(client, "attacked list", arguments.reads // 10, listed)
        memory = [psutil.Process(pid).memory_info().rss / 2**20 for pid in (client.pid, deaf.pid)]
        print(
            f"{tried[0]:,} hostile requests and {tried[1]:,} saves; resident: {memory[0]:,.0f} MB, "
            f"{memory[1]:,.0f} MB where {UNREAD:,} answers are not read"
        )
        over.set()
        client.end()
        deaf.kill()
        deaf.wait()


if __name__ == "__main__":
    main()
