"""Processor time that indexing takes a file and a megabyte, by kind of file: what `docsidecar add` estimates from.

`python tests/bench/pace/reading_cost.py FOLDER [--files N]` indexes, kind by kind, copies of up to N files (40) of a
folder, and prints what each cost beyond the start. Holds: the estimate of `add` is within a factor of three of the sum.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from sidecar.config import Config, Folder
from sidecar.ingest.watching.preview import preview
from sidecar.registry import load_formats

COMMAND = [sys.executable, "-m", "sidecar.cli.main"]


def processor_seconds(folder: Path, data_dir: Path) -> float:
    """What indexing the folder once costs, all processes together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "DOCSIDECAR_CONFIG": str(data_dir / "none.toml")}
    words = ["--folder", str(folder), "--data-dir", str(data_dir), "index", "--once", "--json"]
    subprocess.run([*COMMAND, *words], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure every kind there is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=40)
    arguments = parser.parse_args()
    formats = load_formats()
    kinds: defaultdict[str, list[Path]] = defaultdict(list)
    for path in sorted(arguments.folder.rglob("*")):
        if path.is_file() and path.suffix.lower() in formats.suffixes:
            kinds[path.suffix.lower()].append(path)
    with tempfile.TemporaryDirectory() as scratch:
        empty = Path(scratch) / "empty"
        empty.mkdir()
        start = processor_seconds(empty, Path(scratch) / "data")
        for kind, files in kinds.items():
            place = Path(scratch) / kind
            place.mkdir()
            for number, file in enumerate(files[: arguments.files]):
                shutil.copy(file, place / f"{number}{kind}")
            size = sum(path.stat().st_size for path in place.iterdir())
            spent = max(processor_seconds(place, Path(scratch) / f"data{kind}") - start, 0.0)
            told = preview(Config(), Folder(place), formats).seconds * (os.cpu_count() or 1)
            count = min(len(files), arguments.files)
            print(f"{kind:>7}: {count:3} files, {size / 1e6:6.1f} MB, {spent:6.1f} s ({told:.1f} s estimated)")


if __name__ == "__main__":
    main()
