"""Cold index of real documents with all cores, against markitdown converting the same files, in one run.

    python tests/bench/cold_index.py [--peer PYTHON] [--files N] [--all]

`--peer` is the Python of an environment with markitdown; without it only our own figures are printed. `--files` is how
many of each suffix are taken (spread over the corpus), `--all` indexes the whole corpus (no comparison).
The corpus is DOCSIDECAR_CORPUS, by default ../shared/corpus beside the checkout. Hold: 10 times markitdown.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sidecar.config import Config, Folder
from sidecar.ingest.feeding import PRELOAD
from sidecar.ingest.indexer import Indexer
from sidecar.ingest.jobs import Loader
from sidecar.ingest.pool import WorkerPool
from sidecar.ingest.progress import ScanReport
from sidecar.registry import load_formats
from sidecar.store import Store

SUFFIXES = (".docx", ".xlsx", ".pptx", ".html", ".pdf")
CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[2] / ".." / "shared" / "corpus"))

PEER = """
import sys, time, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from markitdown import MarkItDown
convert = MarkItDown().convert
paths = sys.stdin.read().split("\\0")
started = time.perf_counter()
for path in paths:
    try:
        convert(path)
    except Exception:
        pass
print(time.perf_counter() - started)
"""


async def index(folder: Path, data: Path) -> ScanReport:
    store = await Store.open(data)
    workers = WorkerPool()
    try:
        config = Config(folders=(Folder(folder),), data_dir=data)
        indexer = Indexer(store, load_formats().entries, lambda: config, workers)
        # The peer's clock starts when it is loaded, so ours does too.
        preloads = [workers.run(PRELOAD, Loader(), pool="parse") for _ in range(workers.parse_workers)]
        await asyncio.gather(*preloads)
        return await indexer.scan_once()
    finally:
        await workers.aclose()
        await store.close()


def sample(suffix: str, count: int, target: Path) -> list[Path]:
    """Copies of `count` files of a suffix, spread evenly over the corpus."""
    files = sorted(path for path in CORPUS.rglob(f"*{suffix}") if path.is_file())
    chosen = files[:: max(1, len(files) // count)][:count]
    target.mkdir(parents=True)
    return [Path(shutil.copy(path, target / f"{number} {path.name}")) for number, path in enumerate(chosen)]


def peer_seconds(python: str, paths: list[Path]) -> float:
    done = subprocess.run(
        [python, "-c", PEER], input="\0".join(map(str, paths)), capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def compare(base: Path, count: int, peer: str) -> None:
    for suffix in SUFFIXES:
        folder = base / suffix[1:]
        paths = sample(suffix, count, folder)
        report = asyncio.run(index(folder, base / f"data{suffix}"))
        line = f"{suffix:6} {len(paths):4} files  ours {len(paths) / report.seconds:8.1f} files/s"
        if peer:
            theirs = peer_seconds(peer, paths)
            line += f"   markitdown {len(paths) / theirs:7.1f} files/s   ratio {theirs / report.seconds:6.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", default="")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if not CORPUS.is_dir():
        sys.exit(f"The corpus is not at {CORPUS}; set DOCSIDECAR_CORPUS.")
    with tempfile.TemporaryDirectory() as directory:
        if options.all:
            result = asyncio.run(index(CORPUS / "docs", Path(directory) / "data"))
            rate = result.files / result.seconds
            print(f"{result.files:,} files, {result.bytes / 1e6:.0f} MB in {result.seconds:.1f} s: {rate:,.0f} files/s")
            print(f"states {result.states}; formats {result.formats}")
        else:
            compare(Path(directory), options.files, options.peer)
