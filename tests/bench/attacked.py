"""p50 and p99 of `resources/read` of a chapter while hostile requests are under way on the same connection, and quiet.

`python tests/bench/attacked.py [--reads N]`. Holds: p99 at most 50 ms on a quiet machine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import Queue
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from read_latency import make_folder
from support.large_documents import long_csv, sparse_workbook

UNDER_WAY = 8
"""Hostile requests that are under way at once."""
READS = (
    "sheet://sparse/Data.csv", "sheet://long/1.csv", "document://long.md", "document://long.html",
    "chapters://book/" + ",".join(["1-40"] * 200), "x" * 50_000,
)  # fmt: skip
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("grep", {"pattern": "a{1000000000}"}), ("grep", {"pattern": "(((a{1000}){1000}){1000}){1000}"}),
    ("grep", {"pattern": "(a|aa)+$"}), ("grep", {"pattern": "name 29999\\d"}),
    ("search_documents", {"query": "river " * 2000}), ("read_embedded", {"uri": "document://long.md"}),
)  # fmt: skip


class Client:
    """Requests that need not wait for one another on one server's pipes."""

    def __init__(self, command: list[str], env: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
        )
        self._numbers = itertools.count(1)
        self._waiting: dict[int, Queue[dict[str, Any]]] = {}
        self._sending = threading.Lock()
        threading.Thread(target=self._receive, daemon=True).start()
        client = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        answer = self._waiting[number] = Queue[dict[str, Any]]()
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return answer.get()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._sending:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _receive(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if message.get("id") in self._waiting:
                self._waiting.pop(message["id"]).put(message)


def measure(client: Client, name: str, reads: int) -> None:
    times: list[float] = []
    for number in range(reads):
        started = time.perf_counter()
        client.request("resources/read", {"uri": f"chapter://book/{number % 40 + 1}"})
        times.append((time.perf_counter() - started) * 1000)
    p99 = sorted(times)[int(len(times) * 0.99)]
    print(f"{name:10} p50 {statistics.median(times):7.2f} ms   p99 {p99:7.2f} ms   longest {max(times):7.2f} ms")


def attack(client: Client, first: int, over: threading.Event) -> None:
    """One hostile request after another until it is over."""
    requests = [("resources/read", {"uri": uri}) for uri in READS]
    requests += [("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS]
    for number in itertools.count(first):
        if over.is_set():
            return
        client.request(*requests[number % len(requests)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reads", type=int, default=1000)
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
        client = Client([*command, "serve", *where], env)
        measure(client, "warm", 50)
        measure(client, "quiet", arguments.reads)
        over = threading.Event()
        for first in range(UNDER_WAY):
            threading.Thread(target=attack, args=(client, first, over), daemon=True).start()
        measure(client, "attacked", arguments.reads)
        over.set()
        client.end()


if __name__ == "__main__":
    main()
