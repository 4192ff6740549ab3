"""SQL that tries to get out of its tables: files, the index, settings, writes, endless work and memory. Each attempt is
refused in one sentence, and the next question is answered."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.clients.harness import in_process

from sidecar.api import LimitError, NotFoundError, SidecarError, WorkerError
from sidecar.app import Application

CSV = "Region,Sales\nNorth,10\nSouth,20\n"
REFUSED = {
    # other databases, files, extensions
    "attach": "ATTACH DATABASE '{index}' AS x",
    "attach in a select": "SELECT 1; ATTACH DATABASE '{index}' AS x",
    "detach": "DETACH DATABASE main",
    "vacuum into a file": "VACUUM INTO '{loot}'",
    "load an extension": "SELECT load_extension('{index}')",
    "read a file": "SELECT readfile('/etc/passwd')",
    "write a file": "SELECT writefile('{loot}', 'x')",
    "edit": "SELECT edit('x', 'touch {loot}')",
    "tokenizer pointer": "SELECT fts3_tokenizer('simple')",
    "directory listing": "SELECT * FROM fsdir('/')",
    "database as a file": "SELECT * FROM dbstat",
    "schema": "SELECT * FROM sqlite_master",
    "schema by its other name": "SELECT sql FROM sqlite_schema",
    "temporary schema": "SELECT * FROM sqlite_temp_master",
    "schema behind a cte": "WITH x AS (SELECT name FROM sqlite_master) SELECT * FROM x",
    "schema in a subquery": "SELECT (SELECT group_concat(sql) FROM sqlite_master) FROM sales",
    "table valued pragma": "SELECT * FROM pragma_database_list",
    "table valued pragma of settings": "SELECT * FROM pragma_temp_store_directory('/tmp')",
    "pragma list": "SELECT name FROM pragma_function_list",
    "json tree": "SELECT * FROM json_tree('[1]')",
    "statement table": "SELECT * FROM sqlite_stmt",
    # settings
    "pragma": "PRAGMA writable_schema=ON",
    "pragma of memory": "PRAGMA hard_heap_limit=0",
    "pragma of a file": "PRAGMA temp_store_directory='/tmp'",
    "pragma after a select": "SELECT 1; PRAGMA trusted_schema=ON",
    # writes
    "insert": "INSERT INTO sales VALUES (1, 2)",
    "update": "UPDATE sales SET sales = 0",
    "delete": "DELETE FROM sales",
    "delete behind a cte": "WITH x AS (SELECT 1) DELETE FROM sales",
    "insert returning": "INSERT INTO sales (region) VALUES ('x') RETURNING *",
    "create": "CREATE TABLE x AS SELECT * FROM sales",
    "create a trigger": "CREATE TEMP TRIGGER x AFTER INSERT ON sales BEGIN SELECT 1; END",
    "create a virtual table": "CREATE VIRTUAL TABLE x USING fts5(a)",
    "drop": "DROP TABLE sales",
    "alter": "ALTER TABLE sales RENAME TO y",
    "begin": "BEGIN EXCLUSIVE",
    "reindex": "REINDEX",
    "analyze": "ANALYZE",
    "explain": "EXPLAIN SELECT * FROM sqlite_master",
    "comment first": "/* SELECT */ DROP TABLE sales",
    "quoted first word": "'SELECT' DROP TABLE sales",
    # too much
    "blob of zeros": "SELECT zeroblob(2000000000)",
    "random blob": "SELECT hex(randomblob(500000000))",
    "deep expression": f"SELECT {'abs(' * 5000}1{')' * 5000}",
    "many unions": " UNION ALL ".join(["SELECT 1"] * 600),
    "long text": f"SELECT '{'x' * 50_000}'",
    "pattern": f"SELECT '{'a' * 400}' LIKE '{'%a' * 300}b'",
    "regular expression that is none": "SELECT 'aaaa' REGEXP '(a+'",
    "text repeated without end": "SELECT repeat('x', 2000000000)",
    "text padded without end": "SELECT lpad('x', 2000000000, 'y')",
    "nul": "SELECT 1\0; DROP TABLE sales",
    "half a surrogate pair": "SELECT \ud83d 1",
    "nothing": "",
    "no sql": "what is the sum of sales?",
    # the worker itself
    "python": "SELECT __import__('os').system('touch {loot}')",
    "a file as a table": "SELECT * FROM '/etc/passwd'",
    "the index as a table": "SELECT * FROM \"{index}\"",
    "another table of the index": "SELECT * FROM passages",
    "the database of the worker": "SELECT * FROM main.`relation 2`",
    "a loaded table by number": "SELECT * FROM `relation 2`",
    "another one by number": "SELECT (SELECT count(*) FROM `relation 1`) FROM sales",
}  # fmt: skip
ENDLESS = {
    "endless recursion": "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x",
    "endless recursion in memory": (
        "WITH RECURSIVE x(n, s) AS (SELECT 1, printf('%100000d', 1) UNION ALL SELECT n + 1, s || n FROM x) "
        "SELECT max(length(s)), count(DISTINCT s) FROM x"
    ),
    "product of itself": (
        "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 100000) "
        "SELECT count(*) FROM x a, x b, x c WHERE a.n + b.n + c.n = 7"
    ),
    "sort of everything": (
        "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 30000000) "
        "SELECT printf('%500d', n) AS s FROM x ORDER BY s"
    ),
    "concatenation": (
        "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 10000000) "
        "SELECT length(group_concat('aaaaaaaaaaaaaaaaaaaa')) FROM x"
    ),
    "values of an aggregate": (
        "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x WHERE n < 300000000) SELECT median(n) FROM x"
    ),
    "a pattern that never ends": "SELECT printf('%.*c', 60, 'a') || '!' REGEXP '(a|aa)+$'",
    "doubling by replace": (
        "WITH RECURSIVE x(n, s) AS (SELECT 1, 'aaaaaaaaaa' UNION ALL "
        "SELECT n + 1, replace(s, 'a', 'aaaaaaaaaa') FROM x WHERE n < 20) SELECT max(length(s)) FROM x"
    ),
}
"""Work or memory without end: stopped by the clock, the heap or the length of a text."""
LONG = ("SELECT printf('%2000000000d', 1)", "SELECT printf('%.*c', 100000000, 'x')")
HARMLESS = {
    "a string of sql": ("SELECT '; DROP TABLE sales; --'", [("; DROP TABLE sales; --",)]),
    "a comment": ("SELECT sum(sales) /* ; PRAGMA x */ FROM sales -- DROP", [(30,)]),
    "a cte of its own name": ("WITH sales AS (SELECT 7 AS x) SELECT x FROM sales", [(7,)]),
    "infinity": ("SELECT 1e999, -1e999", [("inf", "-inf")]),
    "bytes": ("SELECT x'00ff'", [("00ff",)]),
    "a division": ("SELECT 1 / 0, 7 / 2.0", [(None, 3.5)]),
}


async def served(tmp_path: Path, body: Callable[[Application], Awaitable[None]]) -> None:
    """Run `body` on an index of one table; afterwards the index is as it was and the table is answered for."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "sales.csv").write_text(CSV)

    async def main() -> None:
        async with in_process(folder, tmp_path / "data") as (application, _, _):
            total = "SELECT sum(sales) FROM sales"
            assert (await application.library.query_tables(total)).rows == ((30,),)
            before = digest(tmp_path / "data")
            await body(application)
            assert digest(tmp_path / "data") == before
            assert (await application.library.query_tables(total)).rows == ((30,),)

    await main()
    assert not (tmp_path / "loot").exists()


def digest(data: Path) -> str:
    return hashlib.sha256((data / "index.db").read_bytes()).hexdigest()


async def told_or_answered(application: Application, sql: str) -> str:
    """The first value of the answer, or the sentence that refuses the query."""
    try:
        return f"{(await application.library.query_tables(sql)).rows[0][0]:g}"
    except SidecarError as error:
        return str(error)


NESTING = ("(", "string_agg(Region, ',' ORDER BY ", "group_concat(Region ORDER BY ", "strftime('x', ", "left(", "CAST(")
"""Ways to open a bracket that are rewritten, or tried to be."""


async def test_what_tries_to_get_out_is_refused_in_a_sentence(tmp_path: Path) -> None:
    index, loot = os.fspath(tmp_path / "data" / "index.db"), os.fspath(tmp_path / "loot")
    said: dict[str, str] = {}

    async def body(application: Application) -> None:
        for name, sql in REFUSED.items():
            try:
                answer = await application.library.query_tables(sql.replace("{index}", index).replace("{loot}", loot))
                said[name] = f"gave {answer.rows}"
            except SidecarError as error:
                said[name] = str(error)

    await served(tmp_path, body)
    assert said.keys() == REFUSED.keys()
    for name, sentence in said.items():
        assert not sentence.startswith("gave"), name
        assert sentence.endswith((".", "?")), name
        assert not sentence.endswith(".."), name
        assert len(sentence) < 400, name


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has the means")
async def test_what_runs_the_sql_can_open_no_file_and_start_no_program(tmp_path: Path) -> None:
    async def body(application: Application) -> None:
        workers = application.workers
        await workers.run("sidecar.store.queries.engine:run", "SELECT 1", [], 0, 1, 5.0, timeout=60, pool="tables")
        if "no files, no programs" not in workers.confinement:
            pytest.skip(f"not to be had here: {workers.confinement or 'nothing is in force'}")
        # Whatever gets past SQLite's own bounds meets those of the process.
        with pytest.raises(WorkerError, match="PermissionError"):
            await workers.run("pathlib:Path.read_bytes", Path("/etc/passwd"), timeout=60, pool="tables")
        with pytest.raises(WorkerError, match="PermissionError"):
            await workers.run("subprocess:run", ["true"], timeout=60, pool="tables")

    await served(tmp_path, body)


async def test_endless_work_is_stopped(tmp_path: Path) -> None:
    async def body(application: Application) -> None:
        for sql in ENDLESS.values():
            with pytest.raises(LimitError, match=r"stopped after 0.5 s|more than (the )?\d+ MB|asks for too much"):
                await application.workers.run(
                    "sidecar.store.queries.engine:run", sql, [], 0, 10, 0.5, timeout=60, pool="tables"
                )

    await served(tmp_path, body)


async def test_a_query_without_end_does_not_keep_others_waiting(tmp_path: Path) -> None:
    async def body(application: Application) -> None:
        async with asyncio.TaskGroup() as group:
            endless = group.create_task(told_or_answered(application, ENDLESS["endless recursion"]))
            await asyncio.sleep(0)  # it is asked first
            for _ in range(3):
                assert (await application.library.query_tables("SELECT count(*) FROM sales")).rows == ((2,),)
            _, facts = await application.library.describe_table("sales")
            assert len(facts.columns) == 2
            assert not endless.done()
        assert "stopped after" in endless.result()

    await served(tmp_path, body)


async def test_a_text_beyond_the_limit_is_never_made(tmp_path: Path) -> None:
    async def body(application: Application) -> None:
        for sql in LONG:
            try:
                answer = await application.library.query_tables(sql)
            except SidecarError:
                continue  # newer versions of SQLite say that it is too big, older ones give nothing
            assert answer.rows == ((None,),)

    await served(tmp_path, body)


async def test_what_only_looks_like_an_attack_is_answered(tmp_path: Path) -> None:
    async def body(application: Application) -> None:
        for sql, expected in HARMLESS.values():
            assert [*(await application.library.query_tables(sql)).rows] == expected

    await served(tmp_path, body)


async def test_brackets_in_one_another_cost_no_more_than_their_length_and_are_refused_in_a_sentence(
    tmp_path: Path,
) -> None:
    # A call that stays as it is was rewritten once for the call and once more for what stands in its brackets, which
    # doubled the work with each level; and some hundred levels ended in Python's own error.
    async def body(application: Application) -> None:
        for opening in NESTING:
            for depth in (20, 60, 2_000):
                sql = f"SELECT {opening * depth}Sales{')' * depth} FROM sales"[:20_000]
                told = await told_or_answered(application, sql)
                assert re.fullmatch(
                    r"10|SQLite does not understand sql: .+|The brackets of sql are nested too deeply .+", told
                )
        deep = f"SELECT {'(' * 30}Sales::int{')' * 30} FROM sales ORDER BY 1 LIMIT 1"
        assert (await application.library.query_tables(deep)).rows == ((10,),)

    await served(tmp_path, body)


async def test_a_mistaken_table_is_met_with_near_names(tmp_path: Path) -> None:
    async def body(application: Application) -> None:
        with pytest.raises(NotFoundError, match=r"There is no table sale; did you mean sales\?"):
            await application.library.query_tables("SELECT * FROM sale")

    await served(tmp_path, body)


async def test_a_name_longer_than_any_is_met_like_another(tmp_path: Path) -> None:
    """SQLite refuses so long a pattern, and the index was said to be unusable."""

    async def body(application: Application) -> None:
        library = application.library
        for name in ("%2e%2e/" * 20_000, "sal_" * 20_000, "x" * 100_000):
            with pytest.raises(NotFoundError, match="There is no table"):
                await library.describe_table(name)
            with pytest.raises(NotFoundError, match="no element"):
                await library.element("sales", f"Chart 1-{name}")

    await served(tmp_path, body)
