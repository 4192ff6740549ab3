"""Time to `initialize`, resident memory and idle CPU with 10,000 documents indexed, against a bare SDK server.

Both are started in turn in one run: `python tests/bench/serving/start.py [--documents N] [--rounds N]`. Holds: time ≤
1.25, memory ≤ 1.5, idle CPU ≤ 0.5 % of a core. Idle is measured on a sidecar without search by meaning, whose embedding
of that many documents would go on for long after the start: idle is when nothing is left to do.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.rawclient import RawClient

HERE = Path(__file__).parent
BARE = [sys.executable, str(HERE / "bare_server.py")]
SIDECAR = [sys.executable, "-m", "sidecar.cli.main"]
SETTLE_SECONDS = 12.0
"""Idle workers but one go after ten seconds."""
IDLE_SECONDS = 20.0


def make_folder(folder: Path, count: int) -> None:
    for number in range(count):
        place = folder / f"{number // 250:03}"
        place.mkdir(parents=True, exist_ok=True)
        text = f"# Note {number}\n\n" + f"Text of note {number} about topic {number % 97}.\n\n" * 5
        (place / f"note-{number}.md").write_text(text)


def idle_share(where: list[str], config: Path) -> float:
    """The share of a core that a sidecar and its workers use when everything is indexed."""
    config.write_text("[plugins]\ndisabled = ['semantic']\n")
    client = RawClient([*SIDECAR, "serve", *where], {**os.environ, "DOCSIDECAR_CONFIG": str(config)})
    while client.call("get_library_status", {})["state"] != "idle":
        time.sleep(0.1)
    time.sleep(SETTLE_SECONDS)
    before = client.cpu_seconds()
    time.sleep(IDLE_SECONDS)
    share = (client.cpu_seconds() - before) / IDLE_SECONDS
    client.close()
    return share


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, data = Path(scratch) / "documents", Path(scratch) / "data"
        make_folder(folder, arguments.documents)
        env = {**os.environ, "DOCSIDECAR_CONFIG": str(Path(scratch) / "none.toml")}
        where = ["--folder", str(folder), "--data-dir", str(data)]
        started = time.perf_counter()
        subprocess.run([*SIDECAR, "index", "--once", "--json", *where], check=True, stdout=subprocess.DEVNULL, env=env)
        cold = time.perf_counter() - started
        greetings: dict[str, list[float]] = {"bare": [], "sidecar": []}
        resident: dict[str, list[int]] = {"bare": [], "sidecar": []}
        for _ in range(arguments.rounds):
            for name, command in (("bare", BARE), ("sidecar", [*SIDECAR, "serve", *where])):
                client = RawClient(command, env)
                greetings[name].append(client.greeting)
                if name == "sidecar":
                    while client.call("get_library_status", {})["state"] != "idle":
                        time.sleep(0.1)
                    time.sleep(2.0)
                resident[name].append(client.resident())
                client.close()
        idle = idle_share(where, Path(scratch) / "quiet.toml")
        bare, ours = (statistics.median(greetings[name]) for name in ("bare", "sidecar"))
        bare_memory, our_memory = (statistics.median(resident[name]) / 2**20 for name in ("bare", "sidecar"))
        report = {
            "documents": arguments.documents,
            "cold_index_seconds": round(cold, 1),
            "initialize_ms": {
                "bare": round(bare * 1000), "sidecar": round(ours * 1000), "ratio": round(ours / bare, 2),
            },
            "best_ms": {name: round(min(times) * 1000) for name, times in greetings.items()},
            "resident_mb": {
                "bare": round(bare_memory), "sidecar": round(our_memory), "ratio": round(our_memory / bare_memory, 2),
            },
            "idle_cpu_percent": round(idle * 100, 2),
            "load": os.getloadavg()[0],
        }  # fmt: skip
        print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
