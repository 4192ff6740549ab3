"""Questions over workbooks, lists, Word, HTML, Markdown and PDF tables, asked by SQL, against answers
computed from the data the files were written from: exact answers, provenance, and tokens against reading.

    python tests/bench/tables/ask_tables.py [--other | --third] [--seed N] [--verbose]

`--other` and `--third` take the generators (`table_files_other`, `table_files_third`) written when the code was done.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import table_files
import table_files_other
import table_files_third
from table_files import Made, amount

from sidecar.api import Library, SidecarError, TableInfo
from sidecar.app import open_application
from sidecar.config import Overrides, load
from sidecar.toolkit.answers.tokens import estimate_tokens


@dataclass(frozen=True)
class Question:
    """SQL with `{t}` for the table and `{Heading}` for a column, and the rows expected."""

    kind: str
    made: Made
    sql: str
    expected: list[tuple[Any, ...]]
    row_of: int | None = None
    """The row number the answer must name in its last column."""
    other: Made | None = None


def column_of(made: Made, kind: str) -> tuple[int, str] | None:
    """The first column of that kind: its place and heading."""
    return next(((at, one.heading) for at, one in enumerate(made.columns) if one.kind == kind), None)


def questions(made: Made, chance: random.Random) -> list[Question]:
    """Questions of eight kinds over one table, as far as it has the columns for them."""
    found: list[Question] = []
    group, money, date = column_of(made, "text"), column_of(made, "money"), column_of(made, "date")
    share, units = column_of(made, "percent"), column_of(made, "int")
    figure = money or units or column_of(made, "number")
    if figure is None:
        return []
    at, name = figure
    values = [value for row in made.rows if (value := amount(row[at])) is not None]
    found.append(Question("sum", made, f"SELECT sum({{{name}}}) FROM {{t}}", [(sum(values),)]))
    found.append(Question("median", made, f"SELECT median({{{name}}}) FROM {{t}}", [(statistics.median(values),)]))
    largest = max(values)
    highest = next(index for index, row in enumerate(made.rows) if amount(row[at]) == largest)
    found.append(Question(
        "highest", made, f"SELECT max({{{name}}}), _row FROM {{t}}", [(largest, made.row_numbers[highest])],
        made.row_numbers[highest],
    ))  # fmt: skip
    if group:
        by: dict[str, list[float]] = {}
        for row in made.rows:
            if (value := amount(row[at])) is not None:
                by.setdefault(str(row[group[0]]), []).append(value)
        if len(by) < len(made.rows):
            expected = [(key, sum(by[key]) / len(by[key])) for key in sorted(by)]
            sql = (
                f"SELECT {{{group[1]}}}, avg({{{name}}}) FROM {{t}} WHERE {{{name}}} IS NOT NULL GROUP BY 1 ORDER BY 1"
            )
            found.append(Question("average by group", made, sql, expected))
        wanted = chance.choice(made.rows)[group[0]]
        count = sum(row[group[0]] == wanted for row in made.rows)
        literal = str(wanted).replace("'", "''")
        found.append(
            Question("count", made, f"SELECT count(*) FROM {{t}} WHERE {{{group[1]}}} = '{literal}'", [(count,)])
        )
    if date:
        total = sum(amount(row[at]) or 0.0 for row in made.rows if str(row[date[0]])[:4] == "2024")
        sql = f"SELECT coalesce(sum({{{name}}}), 0) FROM {{t}} WHERE year({{{date[1]}}}) = 2024"
        found.append(Question("sum of a year", made, sql, [(total,)]))
        first = min(str(row[date[0]]) for row in made.rows if row[date[0]] is not None)
        found.append(Question("earliest", made, f"SELECT min({{{date[1]}}}) FROM {{t}}", [(first,)]))
    if share:
        above = sum((amount(row[share[0]]) or 0.0) > 0.3 for row in made.rows)
        found.append(
            Question("share above", made, f"SELECT count(*) FROM {{t}} WHERE {{{share[1]}}} > 0.3", [(above,)])
        )
    return found


def join(one: Made, other: Made) -> Question | None:
    """Groups of two tables set against each other."""
    group, figure = column_of(one, "text"), column_of(one, "int")
    group_2, figure_2 = column_of(other, "text"), column_of(other, "int")
    if not (group and figure and group_2 and figure_2):
        return None
    expected: list[tuple[Any, ...]] = []
    for key in sorted({str(row[group[0]]) for row in one.rows} & {str(row[group_2[0]]) for row in other.rows}):
        sums = [
            sum(amount(row[at]) or 0.0 for row in made.rows if str(row[by]) == key)
            for made, by, at in ((one, group[0], figure[0]), (other, group_2[0], figure_2[0]))
        ]
        expected.append((key, sums[0], sums[1]))
    sql = (
        f"SELECT a.k, a.s, b.s FROM (SELECT {{{group[1]}}} AS k, sum({{{figure[1]}}}) AS s FROM {{t}} GROUP BY 1) a "
        f"JOIN (SELECT {{{group_2[1]}}} AS k, sum({{{figure_2[1]}}}) AS s FROM {{u}} GROUP BY 1) b USING (k) ORDER BY 1"
    )
    return Question("join", one, sql, expected, other=other)


@dataclass
class Score:
    """What came of the questions."""

    asked: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    placed: int = 0
    faults: list[str] = field(default_factory=list[str])
    tokens: int = 0
    reading: int = 0


async def ask(
    library: Library, question: Question, tables: dict[str, TableInfo], score: Score, reading: dict[str, int]
) -> None:
    """Ask one question and judge answer and provenance."""
    score.asked[question.kind] += 1
    made = question.made
    info = tables.get(id_of(made))
    if info is None:
        score.faults.append(f"{made.file}: table not found")
        return
    sql = filled(question.sql, made, info, "t")
    if question.other is not None:
        beside = tables.get(id_of(question.other))
        if beside is None:
            score.faults.append(f"{question.other.file}: table not found")
            return
        sql = filled(sql, question.other, beside, "u")
    try:
        answer = await library.query_tables(sql)
    except SidecarError as error:
        score.faults.append(f"{made.file} {question.kind}: {error}  [{sql}]")
        return
    got = [tuple(row) for row in answer.rows]
    score.tokens += estimate_tokens(f"{sql}{answer.columns}{got}{answer.sources}") + 60
    score.reading += reading.get(made.file, 0)
    if not alike(got, question.expected):
        score.faults.append(f"{made.file} {question.kind}: got {got[:4]}, expected {question.expected[:4]}  [{sql}]")
        return
    score.right[question.kind] += 1
    source = next((one for one in answer.sources if one.table == info.name), None)
    apart = sum(one.count for one in source.left_out if "row" in one.where) if source else -1
    ends = source is not None and (not made.area or source.uri.endswith(f"range={made.area}"))
    if source is None or source.rows != len(made.rows) or not ends or apart != made.left_out:
        score.faults.append(
            f"{made.file} provenance: {source}, expected {made.area} {len(made.rows)} rows, {made.left_out} apart"
        )
        return
    score.placed += 1


def filled(sql: str, made: Made, info: TableInfo, letter: str) -> str:
    """The SQL with names in place of headings."""
    sql = sql.replace(f"{{{letter}}}", info.name)
    for column in info.record.columns:
        sql = sql.replace(f"{{{column.title}}}", column.name)
    return sql


def alike(got: Sequence[tuple[Any, ...]], expected: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the rows are the same, figures to nine digits."""
    if len(got) != len(expected):
        return False
    for one, other in zip(got, expected, strict=True):
        for value, wanted in zip(one, other, strict=True):
            if isinstance(value, int | float) and isinstance(wanted, int | float):
                if abs(value - wanted) > 1e-9 * max(abs(wanted), 1):
                    return False
            elif value != (str(wanted) if isinstance(wanted, dt.date) else wanted):
                return False
    return True


def id_of(made: Made) -> str:
    return f"{made.file}|{made.sheet}|{made.key}|{made.columns[0].heading}"


async def find(library: Library, made: Made) -> TableInfo | None:
    """The table as the index has it: in its document, the one with the heading it begins with."""
    found = await library.find_tables("", 1000)
    for info in found.tables:
        titles = {column.title for column in info.record.columns}
        same = Path((await library.document(info.document_slug)).path).name == made.file
        if (
            same
            and (not made.sheet or info.sheet == made.sheet)
            and {column.heading for column in made.columns} <= titles
        ):
            return info
    return None


async def run(make_files: Callable[[Path, int], list[Made]], verbose: bool, seed: int) -> int:
    score = Score()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "files"
        folder.mkdir()
        made = make_files(folder, seed)
        config = load(Overrides(folders=(folder,), data_dir=Path(place) / "data"), {})
        async with open_application(config) as application:
            report = await application.index_once()
            library = application.library
            tables = {id_of(one): info for one in made if (info := await find(library, one)) is not None}
            reading = {
                Path((document := await library.document(info.document_slug)).path).name: document.tokens
                for info in tables.values()
            }
            chance = random.Random(seed)
            asked = [question for one in made for question in questions(one, chance)]
            asked += [one for a, b in pairwise(made) if (one := join(a, b)) is not None]
            started = time.perf_counter()
            for question in asked:
                await ask(library, question, tables, score, reading)
            seconds = time.perf_counter() - started
    total, right = sum(score.asked.values()), sum(score.right.values())
    print(f"{len(made)} tables in {report['files']} files, {total} questions: exact {right} ({right / total:.3f}), "
          f"provenance right {score.placed} of {right}; {seconds / total * 1000:.0f} ms each")  # fmt: skip
    asking, reading_all = score.tokens / max(total, 1), score.reading / max(total, 1)
    print(f"tokens a question: {asking:.0f} asked by SQL, {reading_all:.0f} to read the document")
    for kind, count in sorted(score.asked.items()):
        print(f"  {kind}: {score.right[kind]} of {count}")
    for fault in score.faults if verbose else score.faults[:10]:
        print("FAULT", fault)
    return 0 if right >= 0.98 * total else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--other", action="store_const", dest="make", const=table_files_other.make)
    files.add_argument("--third", action="store_const", dest="make", const=table_files_third.make)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    return anyio.run(run, arguments.make or table_files.make, arguments.verbose, arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
