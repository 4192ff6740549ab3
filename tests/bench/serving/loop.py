"""How long the event loop is held up while files are indexed: clients are answered on it.

python tests/bench/serving/loop.py [FILES]          (default 3,000; wish: 98 of 100 heartbeats less than 50 ms late)

The floor in the same run is the same heartbeat with nothing else to do, since a busy machine is late by itself.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from support.indexes.indexer import rig

BEAT = 0.005


async def heartbeat(late: list[float]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        before = loop.time()
        await asyncio.sleep(BEAT)
        late.append(loop.time() - before - BEAT)


def told(name: str, late: list[float]) -> None:
    late.sort()
    p50, p98 = late[len(late) // 2] * 1000, late[int(len(late) * 0.98)] * 1000
    print(f"{name}: {len(late):,} beats, late by p50 {p50:.1f} ms, p98 {p98:.1f} ms, max {late[-1] * 1000:.1f} ms")


async def measure(base: Path, files: int) -> None:
    docs = base / "docs"
    for number in range(files):
        place = docs / f"d{number % 20}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.txt").write_text(f"words of file {number}\n" * 20)
    async with rig(base / "data", docs) as r:
        for name in ("indexing", "idle"):
            late: list[float] = []
            pulse = asyncio.create_task(heartbeat(late))
            await (r.indexer.scan_once() if name == "indexing" else asyncio.sleep(3.0))
            pulse.cancel()
            told(name, late)
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(measure(Path(directory), int(sys.argv[1]) if len(sys.argv) > 1 else 3000))
