"""Asks a server the questions of `table_books_sixth` and `table_more_sixth` as an assistant would.

python tests/bench/tables/ask_tables_sixth.py [--seeds 601 602] [--files rare]

`docsidecar serve` indexes the files; every table is looked up by `find_tables` and `describe_table`, its columns by
the headings the document shows, and asked by `query_tables`. Prints what was exact and where the provenance was right,
by layout and by format, and each miss as a line. Provenance is right where the rows asked for have the row numbers a
reader would name, and the source given with the answer is a range that holds them.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

sys.path.insert(0, str(Path(__file__).parents[2]))

import table_books_sixth
import table_more_sixth
from bench.shared.rawclient import RawClient
from table_questions_sixth import Asked, Held, Value

_PLACE = re.compile(r"\[([AB])(?::([^\]]+))?\]")
_RANGE = re.compile(r"range=[A-Z]+(\d+):[A-Z]+(\d+)")
MAKERS = {"usual": table_books_sixth.make, "rare": table_more_sixth.make}
SECONDS = 600.0  # for indexing all files of a seed


class Miss(Exception):
    """Why a question could not be answered."""


def plain(text: str) -> str:
    """Letters and digits alone: what makes two spellings of a heading the same to a reader."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@dataclass
class Asker:
    """A server over one seed's files, and the tables it has told of."""

    client: RawClient
    known: dict[Held, dict[str, Any]] = field(default_factory=dict[Held, dict[str, Any]])

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The tool's structured answer; raises Miss with what it says instead."""
        answer = self.client.request("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise Miss(answer["content"][0]["text"])
        return answer["structuredContent"]

    def pages(self, tool: str, arguments: dict[str, Any], key: str) -> list[Any]:
        """Everything of an answer that comes in pages."""
        found = list[Any]()
        while True:
            answer = self.call(tool, {**arguments, "start": len(found)})
            if not answer[key]:
                return found
            found += answer[key]
            if len(found) >= answer["total"]:
                return found

    def ready(self, files: int) -> None:
        """Waits until every file has been read."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            state = self.client.call("get_library_status", {})
            if state["state"] != "indexing" and state["total"] >= files and not state["pending"]:
                return
            time.sleep(0.5)
        raise Miss(f"not indexed within {SECONDS:.0f} s")

    def table(self, held: Held) -> dict[str, Any]:
        """The table of the file and sheet that has its title above it and most of its headings."""
        if held in self.known:
            return self.known[held]
        query = {"query": held.title, "document_slug": held.file, "limit": 1}
        likely = {found["name"] for found in self.call("find_tables", query)["tables"]}
        best, most = dict[str, Any](), 0
        for found in self.pages("find_tables", {"query": "", "document_slug": held.file, "limit": 50}, "tables"):
            told = self.call("describe_table", {"table": found["name"]})
            while told.get("next_start"):
                more = self.call("describe_table", {"table": found["name"], "start": told["next_start"]})
                told = {**more, "columns": [*told["columns"], *more["columns"]]}
            place = str(told.get("place", "")).rpartition("!")[0].strip("'")
            if held.sheet and place != held.sheet:
                continue
            points = sum(bool(matching(told, heading)) for heading in held.headings)
            points += 2 * (plain(held.title) in plain(str(told.get("title", "")))) if points else 0
            points += bool(points and told["name"] in likely)
            if points > most:
                best, most = told, points
        if not best:
            raise Miss(f"no table with any of {held.headings}")
        self.known[held] = best
        return best

    def rows(self, sql: str) -> tuple[list[tuple[Value, ...]], list[dict[str, Any]]]:
        """All rows of an answer, and its sources."""
        answer = self.call("query_tables", {"sql": sql})
        rows = [tuple(row) for row in answer["rows"]]
        while len(rows) < answer["total"]:
            rows += [tuple(row) for row in self.call("query_tables", {"sql": sql, "start": len(rows)})["rows"]]
        return rows, answer["sources"]


def matching(told: dict[str, Any], heading: str) -> list[str]:
    """The columns a reader takes a heading for: those shown so, else those that show all its parts.

    `2024|Plan` are two levels, `Jan 24~2024-01-01` two ways to write one.
    """
    shown = {column["name"]: plain(column.get("title") or column["name"]) for column in told["columns"]}
    for way in heading.split("~"):
        parts = [plain(part) for part in way.split("|")]
        if exact := [name for name, title in shown.items() if title == "".join(parts)]:
            return exact
        if near := [name for name, title in shown.items() if all(part in title for part in parts)]:
            return near
    return []


def filled(sql: str, tables: dict[str, dict[str, Any]]) -> str:
    """The SQL with the names of tables and columns in place."""

    def named(match: re.Match[str]) -> str:
        told = tables[match[1]]
        if match[2] is None:
            return str(told["name"])
        names = matching(told, match[2])
        if len(names) != 1:
            shown = [column.get("title") or column["name"] for column in told["columns"]]
            raise Miss(f"{len(names)} columns are {match[2]!r} in {told['name']}: {shown}")
        return f'"{names[0]}"'

    return _PLACE.sub(named, sql)


def same(got: Value, expected: Value) -> bool:
    if isinstance(expected, dt.date):
        return got == expected.isoformat()
    if isinstance(expected, int | float) and isinstance(got, int | float):
        return math.isclose(got, expected, rel_tol=1e-9, abs_tol=0.0051 if abs(expected) > 10 else 1e-6)
    return got == expected


def alike(got: Sequence[tuple[Value, ...]], expected: Sequence[tuple[Value, ...]]) -> bool:
    if len(got) != len(expected):
        return False
    return all(len(a) == len(b) and all(map(same, a, b)) for a, b in zip(got, expected, strict=True))


def misplaced(asker: Asker, one: Asked, tables: dict[str, dict[str, Any]], sources: list[dict[str, Any]]) -> str:
    """What the answer says wrongly of where it is from, "" for nothing."""
    told = {source["table"]: source for source in sources}
    for key, table in tables.items():
        if f"[{key}]" in one.sql and table["name"] not in told:
            return f"no source for {table['name']}"
    if one.rows is None:
        return ""
    name = tables["A"]["name"]
    found, _ = asker.rows(filled(f"SELECT _row, _uri FROM [A] WHERE {one.where} ORDER BY _row", tables))
    if [row for row, _ in found] != one.rows:
        return f"rows {[row for row, _ in found]}, expected {one.rows}"
    if held := _RANGE.search(told[name]["uri"]):
        if one.rows and not int(held[1]) <= one.rows[0] <= one.rows[-1] <= int(held[2]):
            return f"range {unquote(told[name]['uri'])} is not around rows {one.rows[0]} to {one.rows[-1]}"
        for row, uri in found:
            if (cells := _RANGE.search(str(uri))) is None or not cells[1] == cells[2] == str(row):
                return f"row {row} is said to be {unquote(str(uri))}"
    return ""


def ask(asker: Asker, one: Asked) -> tuple[bool, str]:
    """Whether the answer is exact, and what is wrong with it or with where it is said to be from."""
    try:
        tables = {key: asker.table(held) for key, held in one.tables.items()}
        got, sources = asker.rows(filled(one.sql, tables))
        if not alike(got, one.expected):
            return False, f"expected {one.expected[:4]}, got {got[:4]}"
    except (Miss, RuntimeError) as error:
        return False, f"expected {one.expected[:4]}, got: {error}"
    try:
        return True, misplaced(asker, one, tables, sources)
    except (Miss, RuntimeError) as error:
        return True, f"provenance: {error}"


def trial(seed: int, make: Callable[[Path, int], list[Asked]]) -> list[tuple[Asked, bool, str]]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "files"
        folder.mkdir()
        asked = make(folder, seed)
        command = [
            sys.executable,
            "-m",
            "sidecar.cli.main",
            "--folder",
            str(folder),
            "--data-dir",
            f"{place}/data",
            "serve",
        ]
        asker = Asker(RawClient(command))
        try:
            asker.ready(len(list(folder.iterdir())))
            return [(one, *ask(asker, one)) for one in asked]
        finally:
            asker.client.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[601])
    parser.add_argument("--files", choices=MAKERS, default="usual")
    arguments = parser.parse_args()
    counts = {"format": Counter[tuple[str, str]](), "layout": Counter[tuple[str, str]]()}
    sums = Counter[str]()
    for seed in arguments.seeds:
        seen = Counter[str]()
        for one, exact, fault in trial(seed, MAKERS[arguments.files]):
            for what in ("asked", *["exact"] * exact, *["placed"] * (exact and not fault)):
                seen[what] += 1
                counts["format"][one.kind, what] += 1
                counts["layout"][one.layout, what] += 1
            if fault:
                what = "MISS" if not exact else "PLACE"
                print(f"{what} {seed} {one.tables['A'].file} | {one.layout} | {one.question} | {fault}")
        print(f"seed {seed}: exact {seen['exact']} of {seen['asked']}, provenance right in {seen['placed']} of these")
        sums += seen
    for by, count in counts.items():
        print(f"by {by}:")
        for name in sorted({name for name, _ in count}):
            asked, exact, placed = (count[name, what] for what in ("asked", "exact", "placed"))
            print(f"  {name:22} exact {exact} of {asked}, provenance {placed} of {exact}")
    print(f"all: exact {sums['exact']} of {sums['asked']}, provenance right in {sums['placed']} of {sums['exact']}")
    return 0 if sums["exact"] >= 0.98 * sums["asked"] and sums["placed"] == sums["exact"] else 1


if __name__ == "__main__":
    sys.exit(main())
