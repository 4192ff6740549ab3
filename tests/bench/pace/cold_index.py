"""Cold index of real documents, all cores, to searchable; against markitdown and kreuzberg merely converting them.

    python tests/bench/pace/cold_index.py [--peer PYTHON] [--files N] [--formats docx,pdf] [--ocr] [--all]

`--peer` is the Python of an environment with markitdown and kreuzberg; without it only our own figures are printed.
`--files` is how many of each suffix are taken (spread over the corpus), `--ocr` adds a row with OCR on for pictures and
PDF, `--all` indexes the whole corpus (no comparison). The corpus is DOCSIDECAR_CORPUS, by default ../shared/corpus.

After the formats one by one, all of their files in one folder: until each is found by its words, as a server does it,
and until all is read. 400 workbooks, 400 decks, 400 Word files, 400 pages and 100 PDFs of packages (larger than the
corpus's): found after 41.7 s of processor time where PDFs' words alone came first, 25.2 where large workbooks' do too.

Everybody gets the same files in one run, is loaded and warmed before the clock starts, and runs at the priority our
workers have. markitdown converts in one process and in one a core; kreuzberg extracts by its batch call, which uses all
cores, without its cache. OCR is off on all sides. Hold: 10 times markitdown (one process); the moonshot is kreuzberg.

Processor time a file is printed too, ours as that of the serving process and of its workers, kreuzberg's as that of all
its threads: on a machine that is busy with other things it says more than files a second.

Byte code is made first, as an installed program has it: workers may write none, and without it each of them compiles
every module that it comes to need while the clock runs (of 128 pptx 5.3 ms of processor time a file were the workers',
3.0 with byte code; of 158 docx 4.9, 3.8 with it).
"""

from __future__ import annotations

import argparse
import asyncio
import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import psutil

from sidecar.config import Config, Folder
from sidecar.ingest.indexing.indexer import Indexer
from sidecar.ingest.indexing.readers import READ
from sidecar.ingest.indexing.status import ScanReport
from sidecar.ingest.reading.jobs import Job, Loader
from sidecar.registry import load_formats
from sidecar.store import Store
from sidecar.workers.pool import WorkerPool

FORMATS = ("docx", "xlsx", "pptx", "html", "pdf")
OCR_FORMATS = ("png", "pdf")
CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[3] / ".." / "shared" / "corpus"))
ROUNDS = 3

MARKITDOWN = """
import json, os, sys, time, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from multiprocessing import Pool
from markitdown import MarkItDown
convert = MarkItDown().convert
def one(path):
    try:
        convert(path)
    except Exception:
        return 0
    return 1
if __name__ == "__main__":
    os.nice(5)
    paths = json.load(sys.stdin)
    with Pool(int(sys.argv[1])) as pool:
        pool.map(one, [paths[0]] * int(sys.argv[1]) * 2, 1)
        started = time.perf_counter()
        good = sum(pool.map(one, paths, 1))
        print(json.dumps([time.perf_counter() - started, good]))
"""
KREUZBERG = """
import json, os, sys, time
from kreuzberg import ExtractionConfig, OcrConfig, batch_extract_files_sync
os.nice(5)
paths = json.load(sys.stdin)
settings = {"ocr": OcrConfig(backend="tesseract")} if sys.argv[1] == "ocr" else {"disable_ocr": True}
config = ExtractionConfig(use_cache=False, **settings)
batch_extract_files_sync(paths[:2], config)
started, used = time.perf_counter(), time.process_time()
results = batch_extract_files_sync(paths, config)
seconds, used = time.perf_counter() - started, time.process_time() - used
print(json.dumps([seconds, sum(1 for result in results if not (result.metadata or {}).get("error")), used]))
"""


class Indexed(NamedTuple):
    """A run, and the seconds of processor time of the serving process and of its workers."""

    report: ScanReport
    own: float
    workers: float


async def index(folder: Path, data: Path, *, ocr: bool, words: bool = False, whole: bool = False) -> Indexed:
    """`words`: as a server does it, which reads the words of PDFs and of large workbooks first where much waits, and
    until those of all files are searchable; `whole` the same until everything is read."""
    config = Config(folders=(Folder(folder),), data_dir=data)
    config = replace(config, limits=replace(config.limits, ocr=ocr))
    store = await Store.open(data)
    workers = WorkerPool(0, config.limits)
    try:
        indexer = Indexer(store, load_formats().entries, lambda: config, workers)
        # The peers' clocks start when they are loaded and have read a file, so ours does too.
        first = [Job(os.fsencode(path)) for path in sorted(folder.rglob("*.*"))[:1]]  # noqa: ASYNC240 - nothing else runs yet
        calls = [
            workers.run(READ, first, Loader(), config.limits, pool="parse", timeout=100)
            for _ in range(workers.parse_workers)
        ]
        await asyncio.gather(*calls)
        reading = [psutil.Process(pid) for pid in workers.pids()]
        own, before = time.process_time(), _used(reading)
        report = await (_searchable(indexer, whole=whole) if words or whole else indexer.scan_once())
        return Indexed(report, time.process_time() - own, _used(reading) - before)
    finally:
        await workers.aclose()
        await store.close()


async def _searchable(indexer: Indexer, *, whole: bool = False) -> ScanReport:
    """Index until the words of every file are searchable, or until all is read."""
    began, running = time.perf_counter(), asyncio.create_task(indexer.run())
    try:
        while (now := indexer.progress).scanning or not 0 < now.total == (now.indexed if whole else now.searchable):  # noqa: ASYNC110
            await asyncio.sleep(0.005)  # there is no event of it
        return ScanReport(now.total, {"indexed": now.searchable}, (), time.perf_counter() - began)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def _used(processes: list[psutil.Process]) -> float:
    """Seconds of processor time of all; NaN where one has ended."""
    try:
        return sum(sum(one.cpu_times()[:2]) for one in processes)
    except psutil.NoSuchProcess:
        return float("nan")


def sample(suffix: str, count: int, target: Path) -> list[Path]:
    """Copies of `count` files of a suffix, spread evenly over the corpus."""
    files = sorted(path for path in CORPUS.rglob(f"*.{suffix}") if path.is_file())
    chosen = files[:: max(1, len(files) // count)][:count]
    target.mkdir(parents=True)
    return [Path(shutil.copy(path, target / f"{number} {path.name}")) for number, path in enumerate(chosen)]


def peer(python: str, code: str, paths: list[Path], *words: str) -> tuple[float, int, float]:
    """Seconds, files it could convert, and seconds of processor time (NaN where it does not say)."""
    with tempfile.TemporaryDirectory() as scratch:
        script = Path(scratch) / "peer.py"
        script.write_text(code)
        done = subprocess.run(
            [python, str(script), *words], input=json.dumps([str(path) for path in paths]),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        print(f"    (failed: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode})")
        return float("nan"), 0, float("nan")
    seconds, good, *used = json.loads(done.stdout.splitlines()[-1])
    return seconds, good, used[0] if used else float("nan")


def row(name: str, paths: list[Path], seconds: float, good: int, ours: float, *used: float) -> None:
    rate = len(paths) / seconds
    told = " + ".join(f"{1000 * one / len(paths):.2f}" for one in used)
    ratio = f"   ours is {seconds / ours:6.2f} x" if ours else ""
    print(f"    {name:28} {rate:9.1f} files/s  {good:4} read   {told:>13} ms of processor a file{ratio}")


def compare(base: Path, suffix: str, count: int, python: str, *, ocr: bool) -> None:
    name = f"{suffix}{' with OCR' if ocr else ''}"
    paths = sample(suffix, count, base / name)
    print(f"{name}: {len(paths)} files, {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB")
    rounds = range(1 if ocr else ROUNDS)
    runs = [asyncio.run(index(base / name, base / f"data {name} {number}", ocr=ocr)) for number in rounds]
    best, own, workers = min(runs, key=lambda run: run.report.seconds)
    row("docsidecar, searchable", paths, best.seconds, best.states.get("indexed", 0), 0, own, workers)
    if suffix == "pdf" and not ocr:
        runs = [asyncio.run(index(base / name, base / f"words {number}", ocr=ocr, words=True)) for number in rounds]
        soon, own, workers = min(runs, key=lambda run: run.report.seconds)
        row("docsidecar, words searchable", paths, soon.seconds, soon.states["indexed"], 0, own, workers)
    if not python:
        return
    cores = str(len(os.sched_getaffinity(0)))
    rivals: list[tuple[str, str, str]] = [("kreuzberg, all cores", KREUZBERG, "ocr" if ocr else "plain")]
    if not ocr:
        rivals += [("markitdown, 1 process", MARKITDOWN, "1"), (f"markitdown, {cores} processes", MARKITDOWN, cores)]
    for rival, code, word in rivals:
        seconds, good, used = min(
            peer(python, code, paths, word) for _ in range(ROUNDS if code == KREUZBERG and not ocr else 1)
        )
        row(rival, paths, seconds, good, best.seconds, used)


def together(base: Path, suffixes: list[str], count: int) -> None:
    """All formats in one folder, whose words are searchable first."""
    paths = [path for suffix in suffixes for path in sample(suffix, count, base / "together" / suffix)]
    print(f"together: {len(paths)} files")
    for name, whole in (("words searchable", False), ("all read", True)):
        found, own, workers = asyncio.run(index(base / "together", base / name, ocr=False, words=True, whole=whole))
        row(f"docsidecar, {name}", paths, found.seconds, found.states["indexed"], 0, own, workers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", default="")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--ocr", action="store_true")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if not CORPUS.is_dir():
        sys.exit(f"The corpus is not at {CORPUS}; set DOCSIDECAR_CORPUS.")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # peers inherit it
    for package in ("sidecar", "plugins"):
        compileall.compile_dir(Path(__file__).parents[3] / package, quiet=1)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as directory:
        if options.all:
            result = asyncio.run(index(CORPUS / "docs", Path(directory) / "data", ocr=options.ocr)).report
            rate = result.files / result.seconds
            print(f"{result.files:,} files, {result.bytes / 1e6:.0f} MB in {result.seconds:.1f} s: {rate:,.0f} files/s")
            print(f"states {result.states}; formats {result.formats}")
        else:
            for wanted in options.formats.split(","):
                compare(Path(directory), wanted, options.files, options.peer, ocr=False)
            together(Path(directory), options.formats.split(","), options.files)
            for wanted in OCR_FORMATS if options.ocr else ():
                compare(Path(directory), wanted, min(options.files, 12), options.peer, ocr=True)
    print(f"load {os.getloadavg()[0]:.1f}")
