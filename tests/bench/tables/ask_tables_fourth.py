"""Asks the questions of `table_books_fourth` and `table_texts_fourth`: exact answers, and where each says that it is
from.

python tests/bench/tables/ask_tables_fourth.py [--seeds 1 2] [--verbose]      (needs pandas)
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import anyio
from ask_tables import alike
from table_books_fourth import BOOKS
from table_texts_fourth import TEXTS
from table_trial_fourth import Asked, Held, Made

from sidecar.api import Library, SidecarError, TableInfo
from sidecar.app import open_application
from sidecar.config import Overrides, load

_FIELD = re.compile(r"\{(\w+)(?:\.([^}]+))?\}")


async def find(library: Library, held: Held) -> TableInfo | None:
    """The table as the index has it."""
    for info in (await library.find_tables("", 1000)).tables:
        if Path((await library.document(info.document_slug)).path).name != held.file:
            continue
        titles = {column.title for column in info.record.columns}
        if (not held.sheet or info.sheet == held.sheet) and set(held.headings) <= titles:
            return info
    return None


def filled(one: Asked, found: dict[str, TableInfo]) -> str:
    """The SQL with names in place of letters and headings; a table is called by its letter where the SQL does."""

    def named(match: re.Match[str]) -> str:
        info = found[match[1]]
        if match[2] is None:
            return info.name
        column = next(column.name for column in info.record.columns if column.title == match[2])
        return f"{match[1]}.{column}" if f"AS {match[1]} " in one.sql else column

    return _FIELD.sub(named, one.sql)


def misplaced(one: Asked, found: dict[str, TableInfo], sources: dict[str, tuple[str, int, int]]) -> str:
    """What the answer says wrongly of its tables, "" for nothing."""
    for key, held in one.tables.items():
        told = sources.get(found[key].name)
        wanted = (held.area, held.rows, held.left_out)
        if told is None or not told[0].endswith(held.area) or told[1:] != wanted[1:]:
            return f"{found[key].name}: told {told}, expected {wanted}"
    return ""


async def ask(library: Library, one: Asked) -> str:
    """ "" where answer and provenance are right; else what is not."""
    found: dict[str, TableInfo] = {}
    for key, held in one.tables.items():
        info = await find(library, held)
        if info is None:
            return f"no table of {held.file} with {held.headings}"
        found[key] = info
    sql = filled(one, found)
    try:
        answer = await library.query_tables(sql)
    except SidecarError as error:
        return f"{error} [{sql}]"
    got = [tuple(row) for row in answer.rows]
    if not alike(got, one.expected):
        return f"got {got[:4]}, expected {one.expected[:4]} [{sql}]"
    sources = {
        source.table: (source.uri, source.rows, sum(left.count for left in source.left_out if "row" in left.where))
        for source in answer.sources
    }
    return (told := misplaced(one, found, sources)) and f"provenance: {told}"


async def run(seeds: list[int], verbose: bool) -> int:
    asked, right, placed = Counter[str](), Counter[str](), 0
    for seed in seeds:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "files"
            folder.mkdir()
            made = Made(folder, random.Random(seed))
            for write in (*BOOKS, *TEXTS):
                write(made)
            config = load(Overrides(folders=(folder,), data_dir=Path(place) / "data"), {})
            async with open_application(config) as application:
                await application.index_once()
                for one in made.asked:
                    fault = await ask(application.library, one)
                    asked[one.kind] += 1
                    right[one.kind] += not fault or fault.startswith("provenance")
                    placed += not fault
                    if fault:
                        print(f"FAULT seed {seed} {one.kind}: {fault if verbose else fault[:300]}")
    total, exact = asked.total(), right.total()
    print(f"{total} questions: exact {exact} ({exact / total:.3f}), provenance right in {placed} of {exact}")
    return 0 if exact >= 0.98 * total and placed == exact else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    return anyio.run(run, arguments.seeds, arguments.verbose)


if __name__ == "__main__":
    sys.exit(main())
