"""`resources/read` of a chapter against the bare SDK's static text of the same length, alternating in one run.

`python tests/bench/serving/read_latency.py [--reads N]`. Holds: p50 ≤ 2 × the bare server's. Also shown: a page of a
large document, a sheet range, an outline, and `tools/call read`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.rawclient import RawClient

HERE = Path(__file__).parent
WORDS = (
    "river", "lagoon", "burrow", "meadow", "canopy", "estuary", "ridge", "harbour", "valley", "marsh", "delta", "grove",
)  # fmt: skip


def make_folder(folder: Path) -> None:
    """A Markdown book of forty chapters of about 4,000 characters, and a sheet of two thousand rows."""
    folder.mkdir(parents=True)
    chance = random.Random(7)
    chapters: list[str] = []
    for number in range(1, 41):
        lines = [" ".join(chance.choices(WORDS, k=60)).capitalize() + "." for _ in range(10)]
        chapters.append(f"# Chapter {number}\n\n" + "\n\n".join(lines))
    (folder / "book.md").write_text("\n\n".join(chapters))
    rows = [",".join([str(n), *chance.choices(WORDS, k=7)]) for n in range(2000)]
    (folder / "table.csv").write_text("\n".join(["id,a,b,c,d,e,f,g", *rows]))


def timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reads", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, data = Path(scratch) / "documents", Path(scratch) / "data"
        make_folder(folder)
        env = {**os.environ, "DOCSIDECAR_CONFIG": str(Path(scratch) / "none.toml")}
        command = [sys.executable, "-m", "sidecar.cli.main"]
        where = ["--folder", str(folder), "--data-dir", str(data)]
        subprocess.run([*command, "index", "--once", *where], check=True, stdout=subprocess.DEVNULL, env=env)
        ours = RawClient([*command, "serve", *where], env)
        while ours.call("get_library_status", {})["state"] != "idle":
            time.sleep(0.1)
        length = len(ours.request("resources/read", {"uri": "chapter://book/1"})["contents"][0]["text"])
        bare = RawClient([sys.executable, str(HERE / "bare_server.py"), str(length)], env)
        numbers = random.Random(3)

        def chapter() -> object:
            return ours.request("resources/read", {"uri": f"chapter://book/{numbers.randint(1, 40)}"})

        calls: dict[str, Callable[[], object]] = {
            "bare static text": lambda: bare.request("resources/read", {"uri": "static://text"}),
            "chapter": chapter,
            "sheet range": lambda: ours.request("resources/read", {"uri": "sheet://table/1?range=A900:H930"}),
            "outline": lambda: ours.request("resources/read", {"uri": "document://book"}),
            "tool read": lambda: ours.call("read", {"uri": f"chapter://book/{numbers.randint(1, 40)}"}),
            "bare tool": lambda: bare.request("tools/call", {"name": "echo", "arguments": {}}),
        }
        times: dict[str, list[float]] = {name: [] for name in calls}
        for call in calls.values():
            for _ in range(20):
                call()
        for _ in range(arguments.reads):
            for name, call in calls.items():
                times[name].append(timed(call))
        floor = statistics.median(times["bare static text"])
        report = {
            name: {
                "p50_ms": round(statistics.median(found), 3),
                "p95_ms": round(sorted(found)[int(len(found) * 0.95)], 3),
                "ratio": round(statistics.median(found) / floor, 2),
            }
            for name, found in times.items()
        }
        print(json.dumps({"chapter_chars": length, **report}, indent=2))
        ours.close()
        bare.close()


if __name__ == "__main__":
    main()
