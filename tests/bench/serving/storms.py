"""Kills, windows, storms of saves and a full disk: what was lost, and how long it took.

    PYTHONPATH=tests python tests/bench/serving/storms.py [--share 1.0]

Holds: nothing lost, nothing stale, no process left, no index begun anew; the write-ahead log stays below 64 MB.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from support.programs.storms import Count, fill_disk, kill, open_windows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the full figures")
    share: float = parser.parse_args().share

    def of(full: int) -> int:
        return max(round(full * share), 1)

    trials: dict[str, Callable[[Path], Count]] = {
        "killed while it indexes": lambda base: kill(base, of(80), 60),
        "eight windows, no kill": lambda base: open_windows(base, 8, of(1500), 0),
        "eight windows, holders killed": lambda base: open_windows(base, 8, of(1500), 6),
        "one window, storm of saves": lambda base: open_windows(base, 1, of(5000), 0),
        "no more room for files": lambda base: fill_disk(base, of(10)),
    }
    print("| what | blows | saves | lost, stale or left | longest log | seconds |\n|---|---|---|---|---|---|")
    for name, trial in trials.items():
        with tempfile.TemporaryDirectory() as scratch:
            count = trial(Path(scratch))
        log = f"{count.longest_log / 2**20:.1f} MB" if count.longest_log else "-"
        print(f"| {name} | {count.blows} | {count.saves:,} | {len(count.wrong)} | {log} | {count.seconds:.0f} |")
        for wrong in count.wrong[:10]:
            print(f"  {wrong}")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
