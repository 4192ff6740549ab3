"""Re-scan of unchanged files against a bare `os.scandir` + `stat` walk of the same tree, in one run.

python tests/bench/pace/rescan.py [FILES]          (default 10,000; hold: at most 3 times the bare walk)
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from support.indexes.indexer import rig

ROUNDS = 7


def build(root: Path, files: int) -> None:
    for number in range(files):
        place = root / f"d{number % 100:02d}" / f"e{number % 7}"
        if number < 700:
            place.mkdir(parents=True, exist_ok=True)
        (place / f"document number {number}.txt").write_text(f"words of document {number}")


def bare_walk(root: str) -> int:
    count = 0
    stack = [root]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count


async def measure(base: Path, files: int) -> None:
    root = base / "docs"
    build(root, files)
    async with rig(base / "data", root) as r:
        first = await r.indexer.scan_once()
        print(f"cold: {first.files:,} files in {first.seconds:.2f} s, {first.files / first.seconds:,.0f} files/s")
        bare: list[float] = []
        again: list[float] = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            assert bare_walk(str(root)) == files
            bare.append(time.perf_counter() - started)
            started = time.perf_counter()
            run = r.indexer._new_run()  # pyright: ignore[reportPrivateUsage] - without the report, which is the command's
            await run.once()
            again.append(time.perf_counter() - started)
            assert run.readers.read == 0
        print(f"bare walk: {min(bare) * 1000:.1f} ms   re-scan: {min(again) * 1000:.1f} ms   "
              f"ratio {min(again) / min(bare):.2f} (hold: 3)")  # fmt: skip


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(measure(Path(directory), int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
