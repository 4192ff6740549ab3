"""What tables cost: the time and size they add to the index, the first and the next questions over a million cells, and
SQLite against DuckDB (where it is installed) over a million rows.

    python tests/bench/pace/table_engines.py [--documents DIR]

Times are processor time of one process unless said otherwise, so that a busy machine does not blur them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

from sidecar.api import Limits, ParsedDocument, Source
from sidecar.app import open_application
from sidecar.config import Overrides, load
from sidecar.ingest.reading.prepare import Identity, prepare
from sidecar.registry import load_formats
from sidecar.toolkit.tables.finding import find_relations

ROWS = 1_000_000
CELLS_ROWS, CELLS_COLUMNS = 100_000, 10
REPEATS = 15
REGIONS = ("North", "South", "East", "West")
QUESTIONS = {
    "sum": "SELECT sum(c3), avg(c4) FROM {t}",
    "group": "SELECT c1, count(*), sum(c3) FROM {t} GROUP BY c1",
    "filter": "SELECT count(*) FROM {t} WHERE c4 > 500 AND c1 = 'West'",
}


def index_share(folder: Path) -> None:
    """Parsing and preparing every document, and how much of it is finding tables."""
    formats = load_formats(frozenset(), {})
    whole = finding = 0.0
    tables = documents = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.stat().st_size > 5_000_000:
            continue
        source = Source.of_bytes(path.read_bytes(), path.name)
        entry = max(formats.entries, key=lambda one: one.plugin.score(source))
        if not entry.plugin.score(source):
            continue
        started = time.process_time()
        try:
            parsed: ParsedDocument = entry.plugin.parse(source, Limits())
            prepare(parsed, Identity("0" * 64, source.size, entry.name, "1"), Limits())
        except Exception:  # noqa: S112  # what cannot be read costs what it costs with tables or without
            continue
        whole += time.process_time() - started
        started = time.process_time()
        tables += len(find_relations(parsed))
        finding += time.process_time() - started
        documents += 1
    share = finding / (whole - finding)
    print(f"{documents} documents, {tables} tables: finding takes {finding:.2f} of {whole:.2f} s, {share:.1%} more")


async def index_size(folder: Path) -> None:
    """The bytes of the index that tables take."""
    with tempfile.TemporaryDirectory() as place:
        config = load(Overrides(folders=(folder,), data_dir=Path(place)), {})
        async with open_application(config) as application:
            await application.index_once()
        database = sqlite3.connect(Path(place) / "index.db")
        pages = dict(database.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
        database.close()
    own = sum(size for name, size in pages.items() if name.startswith("tables"))
    whole = sum(pages.values())
    print(f"index {whole / 2**20:.1f} MB, tables {own / 2**20:.2f} MB: {own / (whole - own):.1%} more")


async def million_cells() -> None:
    """The first and the next questions over a list of a million cells, through the library; wall time."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "files"
        folder.mkdir()
        lines = [",".join(f"c{col}" for col in range(CELLS_COLUMNS))]
        for row in range(CELLS_ROWS):
            figures = ",".join(f"{chance.random() * 1000:.2f}" for _ in range(CELLS_COLUMNS - 3))
            day = f"2024-{1 + row % 12:02}-{1 + row % 28:02}"
            lines.append(f"{row},{chance.choice(REGIONS)},{day},{figures}")
        (folder / "big.csv").write_text("\n".join(lines))
        config = load(Overrides(folders=(folder,), data_dir=Path(place) / "data"), {})
        async with open_application(config) as application:
            await application.index_once()
            library = application.library
            await library.query_tables("SELECT 1")  # the worker's own start is not the table's
            times: dict[str, list[float]] = {}
            started = time.perf_counter()
            await library.query_tables(QUESTIONS["sum"].format(t="big"))
            first = time.perf_counter() - started
            for name, sql in QUESTIONS.items():
                for _ in range(REPEATS):
                    started = time.perf_counter()
                    await library.query_tables(sql.format(t="big"))
                    times.setdefault(name, []).append(time.perf_counter() - started)
    shown = ", ".join(f"{name} {statistics.median(values) * 1000:.0f} ms" for name, values in times.items())
    print(f"a million cells: first question {first:.2f} s; p50 {shown}")


def engines() -> None:
    """SQLite and DuckDB over a million rows of five columns."""
    chance = random.Random(1)
    rows = [
        (row, chance.choice(REGIONS), "2024-01-01", chance.random() * 1000, chance.random() * 1000)
        for row in range(ROWS)
    ]
    kinds = "c0 DOUBLE, c1 VARCHAR, c2 VARCHAR, c3 DOUBLE, c4 DOUBLE"

    def measure(name: str, connect: Callable[[], Any], fill: Callable[[Any], None]) -> None:
        started = time.process_time()
        connection = connect()
        connection.execute(f"CREATE TABLE t ({kinds})")
        opened = time.process_time() - started
        started = time.process_time()
        fill(connection)
        filled = time.process_time() - started
        times: list[str] = []
        for question, sql in QUESTIONS.items():
            taken: list[float] = []
            for _ in range(5):
                started = time.process_time()
                connection.execute(sql.format(t="t")).fetchall()
                taken.append(time.process_time() - started)
            times.append(f"{question} {statistics.median(taken) * 1000:.0f} ms")
        print(f"{name}: open {opened * 1000:.1f} ms, fill {filled:.2f} s, {', '.join(times)}")

    measure(
        "sqlite3",
        lambda: sqlite3.connect(":memory:"),
        lambda one: one.executemany("INSERT INTO t VALUES (?,?,?,?,?)", rows),
    )
    try:
        duckdb: Any = importlib.import_module("duckdb")
    except ImportError:
        print("duckdb is not installed")
        return
    settings = {"enable_external_access": "false", "threads": "1", "memory_limit": "640MB"}

    def fill(connection: Any) -> None:
        import numpy as np

        columns = list(zip(*rows, strict=True))
        data = {f"c{at}": np.array(column) for at, column in enumerate(columns)}
        connection.register("given", data)
        connection.execute("INSERT INTO t SELECT * FROM given")

    measure("duckdb", lambda: duckdb.connect(":memory:", config=settings), fill)
    code = "import time; t = time.process_time(); import {}; print(time.process_time() - t)"
    for name in ("sqlite3", "duckdb"):
        path = os.pathsep.join(sys.path)
        out = subprocess.run(
            [sys.executable, "-c", code.format(name)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": path},
        ).stdout
        print(f"import {name}: {float(out) * 1000:.0f} ms")
    size = sum(
        path.stat().st_size for path in Path(duckdb.__file__).parents[1].rglob("*duckdb*/**/*") if path.is_file()
    )
    size += sum(path.stat().st_size for path in Path(duckdb.__file__).parents[1].glob("_duckdb*.so"))
    print(f"duckdb is {size / 2**20:.0f} MB on disk")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path)
    arguments = parser.parse_args()
    engines()
    anyio.run(million_cells)
    if arguments.documents:
        index_share(arguments.documents)
        anyio.run(index_size, arguments.documents)


if __name__ == "__main__":
    main()
