"""Our own latency while gathering, against the same sidecar without upstream servers, alternating in one run.

`python tests/bench/serving/upstream.py [--calls N] [--rounds N] [--npm DIR] [--restarts N]` (DIR: where `npm install`
put @modelcontextprotocol/server-everything and server-filesystem). Three sidecars on the same index: "none" gathers
from nobody, "calm" from three or four well-behaved servers (npm or Python over stdio, one over HTTP, one of
2026-07-28), "hostile" from those and from one each that floods, sends 50 MB an answer, lists 100,000 resources, never
ends its list, never answers, and exits at once, while reads of these are asked for all the time. Prints p50 and p99 in
ms and the ratios of p50 to "none", the memory of the serving process, how many processes run below a window and below a
second one on the same data directory, and file descriptors and memory over N restarts of a server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.rawclient import RawClient
from support.upstream.gathering import HERE, gathering, http_server, modern, stdio, write_config

from sidecar.api import UnavailableError

CALM_READS = ("upstream://web/note://plain", "upstream://new/note://a")
HOSTILE_READS = ("upstream://enormous/note://plain", "upstream://never/note://plain", "upstream://flood/note://plain")


class Sidecar(RawClient):
    """A sidecar that can also be asked without waiting for the answer."""

    def fire(self, method: str, params: dict[str, Any]) -> None:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})

    def processes(self) -> int:
        """How many run below it."""
        return len(psutil.Process(self._process.pid).children(recursive=True))


def make_folder(folder: Path) -> None:
    folder.mkdir()
    for number in range(200):
        chapters = (f"# Chapter {n}\n\nThe capybara {number} rests by river {n}.\n\n" * 8 for n in range(1, 6))
        (folder / f"book{number}.md").write_text("\n".join(chapters))


def configure(path: Path, tables: dict[str, dict[str, Any]]) -> None:
    # Embedding would run beside, and is not what is measured.
    write_config(path, tables, '[plugins]\ndisabled = ["semantic"]\n')


def timings(sidecar: Sidecar, calls: int, reads: tuple[str, ...]) -> dict[str, list[float]]:
    """Seconds of each call, in ms; every tenth time a read of an upstream is asked for besides."""
    found: dict[str, list[float]] = {"search": [], "read": []}
    for number in range(calls):
        if reads and number % 10 == 0:
            sidecar.fire("resources/read", {"uri": reads[number // 10 % len(reads)]})
        started = time.perf_counter()
        sidecar.call("search_documents", {"query": f"capybara river {number % 200}"})
        found["search"].append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        sidecar.request("resources/read", {"uri": f"chapter://book{number % 200}/3"})
        found["read"].append((time.perf_counter() - started) * 1000)
    return found


def settle(sidecar: Sidecar, expected: int) -> dict[str, Any]:
    """Until the index is idle and so many servers are connected; gives what is said of the servers."""
    cursor: dict[str, Any] | None = {}
    while cursor is not None:  # a server is connected when it is first listed or read
        page = sidecar.request("resources/list", cursor)
        cursor = {"cursor": page["nextCursor"]} if page.get("nextCursor") else None
    while True:
        status = sidecar.call("get_library_status", {})
        upstream = status.get("upstream", {})
        connected = [name for name, one in upstream.items() if one["state"] == "connected" and one["resources"]]
        if status["state"] == "idle" and len(connected) >= expected:
            return upstream
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--npm", type=Path)
    parser.add_argument("--restarts", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        make_folder(root / "documents")
        world, new = root / "world.json", root / "new.json"
        new.write_text(json.dumps({"note://a": "A note."}))
        with http_server(str(HERE / "server.py"), "http", "good", str(world)) as (url, _):
            calm: dict[str, dict[str, Any]] = {"web": {"url": url}, "new": modern(new), "local": stdio("good", world)}
            if arguments.npm is not None:
                modules = arguments.npm / "node_modules"
                node = shutil.which("node", path=os.pathsep.join([str(modules / ".bin"), os.environ["PATH"]])) or "node"
                for name, package, allowed in (("local", "everything", []), ("files", "filesystem", [str(root)])):
                    script = modules / f"@modelcontextprotocol/server-{package}/dist/index.js"
                    calm[name] = {"command": node, "args": [str(script), *allowed]}
            modes = ("flood", "enormous", "many", "endless", "never", "silent", "exits")
            hostile = calm | {mode: stdio(mode, world) for mode in modes}
            measure(root, {"none": {}, "calm": calm, "hostile": hostile}, arguments.calls, arguments.rounds)
        if arguments.restarts:
            asyncio.run(restart(root, arguments.restarts))


def measure(root: Path, kinds: dict[str, dict[str, dict[str, Any]]], calls: int, rounds: int) -> None:
    command = [sys.executable, "-m", "sidecar.cli.main"]
    reads = {"none": (), "calm": CALM_READS, "hostile": (*CALM_READS, *HOSTILE_READS)}
    expected = {"none": 0, "calm": 3, "hostile": 8}
    taken: dict[str, dict[str, list[float]]] = {}
    memory: dict[str, int] = {}
    states: dict[str, Any] = {}
    windows = (0, 0)
    for kind, tables in kinds.items():
        configure(root / f"{kind}.toml", tables)
    for _ in range(rounds):
        for kind in kinds:
            env = {**os.environ, "DOCSIDECAR_CONFIG": str(root / f"{kind}.toml")}
            where = ["--folder", str(root / "documents"), "--data-dir", str(root / f"data-{kind}")]
            subprocess.run([*command, "index", "--once", *where], check=True, stdout=subprocess.DEVNULL, env=env)
            sidecar = Sidecar([*command, "serve", *where], env)
            try:
                states[kind] = settle(sidecar, expected[kind])
                timings(sidecar, 20, ())
                for name, values in timings(sidecar, calls, reads[kind]).items():
                    taken.setdefault(kind, {}).setdefault(name, []).extend(values)
                memory[kind] = sidecar.resident()
                if kind == "calm":
                    second = Sidecar([*command, "serve", *where], env)
                    settle(second, expected[kind])
                    windows = sidecar.processes(), second.processes()
                    second.close()
            finally:
                sidecar.close()
    for kind in kinds:
        print(f"{kind}: serving process {memory[kind] / 2**20:.0f} MB")
        for name, values in taken[kind].items():
            p50, p99 = statistics.median(values), statistics.quantiles(values, n=100)[98]
            ratio = p50 / statistics.median(taken["none"][name])
            print(f"  {name:<7} p50 {p50:.2f} ms  p99 {p99:.2f} ms  p50 ratio {ratio:.2f}")
    print(f"processes below the first window {windows[0]}, below a second one {windows[1]}")
    for name, state in states["hostile"].items():
        print(f"  {name}: {json.dumps(state)}")


async def restart(root: Path, count: int) -> None:
    """Configure a server anew so many times, and kill every other one at that moment."""

    def tables(level: int) -> dict[str, dict[str, Any]]:
        return {"zoo": stdio("good", root / "restarted.json", env={"LEVEL": str(level)})}

    async with gathering(root / "data-restarts", tables(0)) as g:
        await g.reaches("zoo", "connected", resources=5)
        process = psutil.Process()
        started = time.perf_counter()
        for number in range(count + 1):
            if number in {0, count // 2, count}:
                held = f"{process.num_fds()} descriptors {process.memory_info().rss / 2**20:.1f} MB"
                below = process.children(recursive=True)
                zombies = sum(one.status() == psutil.STATUS_ZOMBIE for one in below)
                print(f"after {number} restarts: {held}; {len(below)} below, {zombies} zombies")
            last = await g.server_pid("zoo")
            if number % 2:
                os.kill(last, signal.SIGKILL)
            await g.reconfigure(tables(number + 1))
            while True:
                try:
                    if await g.server_pid("zoo") != last:
                        break
                except UnavailableError:
                    await asyncio.sleep(0.01)
        print(f"{(time.perf_counter() - started) / (count + 1) * 1000:.0f} ms a restart")


if __name__ == "__main__":
    main()
