"""Tables asked through real clients of both eras and through the command line: found, described, asked by SQL."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName
from support.clients.harness import ERAS, in_process, text_of
from support.clients.opened import Opened, opened
from support.formats.pdf_builder import Pdf, rule, text
from support.programs import program

from sidecar.app import Application
from sidecar.server.reading.tables import TableReader
from sidecar.store import Tables
from sidecar.store.documents.views import IndexedTable
from sidecar.toolkit.answers.budget import json_tokens, text_tokens

GERMAN = (
    "Region;Umsatz (EUR);Datum;Anteil\nNord;1.234,50;31.12.2024;12,5 %\nSüd;987,00;01.02.2024;7,25 %\n"
    "West;k. A.;03.04.2024;1 %\nOst;unbekannt;04.04.2024;2 %\nMitte;10,00;05.05.2024;3 %\nRand;1,00;06.06.2024;4 %\n"
    "Summe;2.232,50;;\n"
)
BUDGET = "Region,Plan\nNord,2000\nSüd,1000\n"


def folder(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    files.mkdir()
    (files / "umsatz-de.csv").write_text(GERMAN, "utf-8")
    (files / "budget.csv").write_text(BUDGET, "utf-8")
    (files / "balance.csv").write_text(
        "Item,Note,Amount\nAssets,,\nCash,1,100\nStock,2,200\nDebts,,\nLoan,3,50\nTax,4,20\n"
    )
    (files / "report.md").write_text(
        "# Report\n\n| Item | Price |\n| --- | --- |\n| Pen | $1,250.00 |\n| Ink | $3.50 |\n"
    )
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Sensor log"
    sheet["B2"] = "Readings of January"
    for col, name in enumerate(["Sensor", "Highest", "Note"], 2):
        sheet.cell(4, col, name)
    for index in range(400):
        for col, value in enumerate([f"S{index % 4}", index * 0.5, "x" * 30], 2):
            sheet.cell(5 + index, col, value)
    sheet.row_dimensions[12].hidden = True
    for index, (name, value) in enumerate([("Code", "Rate"), ("EUR", 1), ("USD", 1.25)]):
        sheet.cell(4 + index, 7, name)
        sheet.cell(4 + index, 8, value)
    book.save(files / "log.xlsx")
    return files


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """The same documents for all tests that change nothing of them."""
    place = tmp_path_factory.mktemp("library")
    folder(place)
    with opened(place) as library:
        yield library


async def ask(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, text_of(answer)
    return answer.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return text_of(answer)


@pytest.mark.parametrize("era", ERAS)
def test_a_table_is_found_described_and_asked(library: Opened, era: str) -> None:
    async def body(client: Client) -> None:
        found = await ask(client, "find_tables", query="Umsatz nach Region")
        first = found["tables"][0]
        assert first["name"] == "umsatz_de"
        assert first["rows"] == 6
        assert "umsatz_eur money EUR: 1.234,50, 987,00" in first["columns"]
        described = await ask(client, "describe_table", table="umsatz_de")
        columns = {column["name"]: column for column in described["columns"]}
        assert (
            columns["umsatz_eur"] | {"title": "Umsatz (EUR)", "type": "money", "unit": "EUR", "gaps": 2}
            == columns["umsatz_eur"]
        )
        assert (columns["datum"]["min"], columns["datum"]["max"]) == ("2024-02-01", "2024-12-31")
        assert columns["anteil"]["max"] == 0.125
        assert described["totals"] == [{"_row": 8, "region": "Summe", "umsatz_eur": "2.232,50"}]
        sql = "SELECT count(*), sum(umsatz_eur), max(datum) FROM umsatz_de"
        answer = await ask(client, "query_tables", sql=sql)
        assert answer["rows"] == [[6, 2232.5, "2024-12-31"]]
        source = answer["sources"][0]
        assert source["uri"] == "sheet://umsatz-de/1?range=A1:D8"
        assert source["left_out"] == ["1 × total (row 8)", "1 × text in the money column umsatz_eur: 'unbekannt' (B5)"]

    library.play(body, era)


def test_rows_are_asked_by_the_heading_inside_the_table_they_stand_under(library: Opened) -> None:
    async def body(client: Client) -> None:
        sql = "SELECT _heading, sum(amount) FROM balance GROUP BY _heading ORDER BY min(_row)"
        answer = await ask(client, "query_tables", sql=sql)
        assert answer["rows"] == [["Assets", 300], ["Debts", 70]]
        assert answer["sources"][0]["left_out"] == ["2 × headings inside the table, in _heading (rows 2, 5)"]
        whole = await ask(client, "query_tables", sql="SELECT * FROM balance WHERE item = 'Loan'")
        assert dict(zip(whole["columns"], whole["rows"][0], strict=True)) | {"_heading": "Debts", "_row": 6} == dict(
            zip(whole["columns"], whole["rows"][0], strict=True)
        )
        described = await ask(client, "describe_table", table="balance")
        (heading,) = [column for column in described["columns"] if column["name"] == "_heading"]
        assert heading["common"] == [["Assets", 2], ["Debts", 2]]
        plain = await ask(client, "query_tables", sql="SELECT * FROM budget")
        assert "_heading" not in plain["columns"], "an empty column costs every answer"
        assert "no heading stands inside" in await refused(client, "query_tables", sql="SELECT _heading FROM budget")

    library.play(body)


def test_rows_name_their_cells_and_tables_are_joined_across_documents(library: Opened) -> None:
    async def body(client: Client) -> None:
        joined = "umsatz_de u JOIN budget b USING (region)"
        sql = f"SELECT u.region, umsatz_eur / plan AS reached, u._uri FROM {joined} ORDER BY 2 DESC"
        answer = await ask(client, "query_tables", sql=sql)
        assert answer["rows"] == [
            ["Süd", 0.987, "sheet://umsatz-de/1?range=A3:D3"], ["Nord", 0.61725, "sheet://umsatz-de/1?range=A2:D2"],
        ]  # fmt: skip
        assert {source["table"] for source in answer["sources"]} == {"umsatz_de", "budget"}
        row = await client.call_tool("read", {"uri": answer["rows"][0][2]})
        assert "987,00" in text_of(row)

    library.play(body)


def test_tables_of_one_sheet_are_told_apart_and_hidden_rows_left_out(library: Opened) -> None:
    async def body(client: Client) -> None:
        found = (await ask(client, "find_tables", document_slug="log"))["tables"]
        assert [(table["name"], table["uri"].partition("range=")[2]) for table in found] == [
            ("log__readings_of_january", "B4:D404"), ("log__sensor_log_2", "G4:H6"),
        ]  # fmt: skip
        sql = "SELECT count(*), min(_row), max(highest) FROM readings_of_january WHERE sensor = 'S3'"
        answer = await ask(client, "query_tables", sql=sql)
        assert answer["rows"] == [[99, 8, 199.5]], "row 12 holds S3 and is hidden"
        assert answer["sources"][0]["left_out"] == ["1 × hidden row (row 12)"]
        assert (
            await ask(client, "query_tables", sql="SELECT rate FROM sensor_log_2 WHERE code = 'USD'", tables=["log"])
        )["rows"] == [[1.25]]

    library.play(body, "auto")


def test_long_answers_come_in_pages_within_the_budget(library: Opened) -> None:
    async def body(client: Client) -> None:
        rows: list[Any] = []
        start: int | None = 0
        pages = 0
        while start is not None:
            sql = "SELECT _row, sensor, highest, note FROM log__readings_of_january ORDER BY _row"
            answer = await client.call_tool("query_tables", {"sql": sql, "start": start})
            assert not answer.is_error, text_of(answer)
            structured: Any = answer.structured_content
            assert json_tokens(structured) + text_tokens(text_of(answer)) <= 1500
            assert text_of(answer).startswith("| _row | sensor | highest | note |\n| --- |")
            rows += structured["rows"]
            start = structured.get("next_start")
            pages += 1
        assert pages > 3
        assert [row[0] for row in rows] == [*range(5, 12), *range(13, 405)]
        assert "beyond the end" in await refused(client, "query_tables", sql="SELECT 1", start=5)

    library.play(body, "auto", 1500)


def test_a_table_costs_sixty_tokens_in_a_list(library: Opened) -> None:
    async def body(client: Client) -> None:
        for table in (await ask(client, "find_tables", query=""))["tables"]:
            assert len(json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()) <= 240

    library.play(body, "auto")


def test_what_the_three_tools_cost_in_the_list(library: Opened) -> None:
    async def body(client: Client) -> None:
        tools = [tool for tool in (await client.list_tools()).tools if tool.name.endswith(("_tables", "_table"))]
        assert {tool.name for tool in tools} == {"find_tables", "describe_table", "query_tables"}
        assert sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools) / 4 <= 400

    library.play(body, "auto")


MISTAKES = {
    "SELECT umsatz FROM umsatz_de": "There is no column umsatz; did you mean umsatz_eur?",
    'SELECT "Anteil%" FROM umsatz_de': "There is no column Anteil%; did you mean anteil?",
    'SELECT * FROM umsatz_de WHERE region = "Nord"': "Texts stand in single quotes.",
    "SELECT Anteil% FROM umsatz_de": "There is no column Anteil%; did you mean anteil?",
    "SELECT sum(Umsatz (€)) FROM umsatz_de": "There is no column Umsatz (€); did you mean umsatz_eur?",
    "SELECT * FROM umsatz_d": "There is no table umsatz_d; did you mean umsatz_de?",
    "SELECT medium(plan) FROM budget": "There is no function medium; did you mean median?",
    "SELECT xyzzy(plan) FROM budget": "There is no function xyzzy; SQLite's are there,",
    "SELECT region FROM umsatz_de, budget": "The column region is in several of the tables; write table.column, or",
    "SELEC 1": "begin sql with SELECT.",
    "SELECT sum( FROM budget": "SQLite does not understand sql: near",
    "SELECT TOP 2 * FROM budget UNION SELECT 1": "write LIMIT 5 at the end for TOP 5.",
    "SELECT 1 UNION SELECT plan FROM budget QUALIFY plan = 1": "put the query in brackets",
    "SELECT DISTINCT ON (region) * FROM budget ORDER BY 1, plan": "write GROUP BY, or row_number()",
    "SELECT 1 UNION SELECT DISTINCT ON (region) plan FROM budget": "write GROUP BY, or row_number()",
    "SELECT * FROM budget GROUP BY ALL": "name the columns for GROUP BY ALL.",
    "SELECT region FROM budget WHERE count(*) > 1": "An aggregate stands where none can (misuse of aggregate",
    "SELECT 1 FROM budget GROUP BY lower(region) WITH ROLLUP": "write UNION ALL with a SELECT of the totals",
    "SELECT region, FROM budget": "leave out the comma before FROM.",
    "SELECT * FROM information_schema.tables": "find_tables lists them with their columns.",
    "SELECT decode(plan, 1) FROM budget": "write CASE x WHEN 1 THEN 'a' END.",
    "SELECT weekday(region) FROM budget": "write strftime('%w', x), 0 is Sunday.",
    "SELECT date_trunc('fortnight', '2024-01-01')": "A function of sql was given what it cannot take",
    "SELECT region FROM budget WHERE region REGEXP '(N'": "(N is not a regular expression: missing )",
    "DESCRIBE budget": "find_tables lists tables with their columns",
    "SELECT sum( FROM budget WHERE region = 'TOP 5::'": "syntax error; a bracket is not closed.",
}


def test_mistakes_are_met_with_one_sentence_and_near_names(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql, says in MISTAKES.items():
            said = await refused(client, "query_tables", sql=sql)
            assert says in said, said
            assert "\n" not in said
        said = await refused(client, "describe_table", table="budgte")
        assert "did you mean budget?" in said
        assert "log__readings_of_january" in await refused(client, "describe_table", table="log")

    library.play(body, "auto")


def test_headings_in_quotes_are_columns_too(library: Opened) -> None:
    async def body(client: Client) -> None:
        answer = await ask(
            client, "query_tables", sql="SELECT sum(\"Umsatz (EUR)\") AS s FROM umsatz_de WHERE [Region] = 'Süd'"
        )
        assert answer["rows"] == [[987]]
        liked = "SELECT region FROM umsatz_de WHERE region ILIKE 'sü%' OR region = 'ilike'"
        assert (await ask(client, "query_tables", sql=liked))["rows"] == [["Süd"]]

    library.play(body, "auto")


_T = "WITH t(a, b, c) AS (VALUES ('x', 1, 7), ('x', 3, 5), ('y', 2, 6), ('y', 4, NULL)) "
DIALECTS = {
    _T + "SELECT a, b FROM t QUALIFY row_number() OVER (PARTITION BY a ORDER BY b DESC) = 1 ORDER BY c": [
        ["y", 4],
        ["x", 3],
    ],
    _T + "SELECT *, rank() OVER (ORDER BY b) AS r FROM t WHERE b > 1 QUALIFY r <= 2 ORDER BY r DESC LIMIT 1": [
        ["x", 3, 5, 2]
    ],
    _T + "SELECT a, sum(b) AS s FROM t GROUP BY a QUALIFY rank() OVER (ORDER BY sum(b) DESC) = 1": [["y", 6]],
    _T + "SELECT count(*) FROM (SELECT a FROM t QUALIFY count(*) OVER (PARTITION BY a, c) = 1) x": [[4]],
    _T + "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC": [["x", 3], ["y", 4]],
    _T + "SELECT DISTINCT ON (a) *, b + c AS d FROM t WHERE c > 1 ORDER BY a, d LIMIT 1": [["x", 1, 7, 8]],
    _T + "SELECT c FROM t WHERE b IN (SELECT b FROM t QUALIFY row_number() OVER (ORDER BY b) = 2)": [[6]],
    _T + "SELECT DISTINCT ON (a) b AS n, a FROM t ORDER BY 2, n DESC": [[3, "x"], [4, "y"]],
    _T + "SELECT DISTINCT ON (lower(a)) a, b * 2 AS d FROM t ORDER BY lower(a) DESC, d LIMIT 1": [["y", 4]],
    _T + "SELECT b AS qualify FROM t WHERE a = 'x' ORDER BY qualify": [[1], [3]],
    "SELECT TOP 1 region FROM budget ORDER BY plan DESC": [["Nord"]],
    "SELECT region FROM (SELECT TOP (1) region FROM budget ORDER BY plan) x": [["Süd"]],
    "SELECT region FROM budget ORDER BY plan OFFSET 1 ROWS FETCH NEXT 1 ROWS ONLY": [["Nord"]],
    "SELECT plan::int, (plan / 3)::numeric(10, 2)::text, '12'::varchar FROM budget LIMIT 1": [
        [2000, "666.666666666667", "12"]
    ],
    "SELECT EXTRACT(YEAR FROM datum), extract(month from datum) FROM umsatz_de LIMIT 1": [[2024, 12]],
    "SELECT date_trunc('month', datum), DATE_TRUNC(datum, QUARTER) FROM umsatz_de LIMIT 1": [
        ["2024-12-01", "2024-10-01"]
    ],
    "SELECT to_char(datum, 'DD.MM.YYYY'), date_format(datum, '%d %M %Y') FROM umsatz_de LIMIT 1": [
        ["31.12.2024", "31 December 2024"]
    ],
    "SELECT strftime(datum, '%Y'), strftime('%m', datum) FROM umsatz_de LIMIT 1": [["2024", "12"]],
    "SELECT datediff('month', '2023-12-31', datum), DATEDIFF(datum, '2024-12-01') FROM umsatz_de LIMIT 1": [[12, 30]],
    "SELECT date_diff('2024-03-01', '2024-02-01', DAY), DATEADD(month, 1, '2024-01-31')": [[29, "2024-02-29"]],
    "SELECT DATE_SUB('2024-03-31', INTERVAL 1 MONTH), '2024-01-01' + INTERVAL '2 days'": [["2024-02-29", "2024-01-03"]],
    "SELECT count(*) FROM umsatz_de WHERE datum BETWEEN DATE '2024-02-01' AND DATE '2024-04-30'": [[3]],
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY plan), percentile_cont(plan, 0.5) FROM budget": [[1500, 1500]],
    "SELECT string_agg(DISTINCT region, ' + ' ORDER BY region DESC) FROM budget": [["Süd + Nord"]],
    "SELECT group_concat(region SEPARATOR '/'), listagg(plan, ',') WITHIN GROUP (ORDER BY plan) FROM budget": [
        ["Nord/Süd", "1000,2000"]
    ],
    "SELECT LEFT(region, 2), right(region, 1), substring(region from 2 for 1) FROM budget LIMIT 1": [["No", "d", "o"]],
    "SELECT position('r' IN region), charindex('r', region), strpos(region, 'r') FROM budget LIMIT 1": [[3, 3, 3]],
    "SELECT TRIM(BOTH 'x' FROM 'xax'), trim(' b '), split_part('a-b-c', '-', -1)": [["a", "b", "c"]],
    "SELECT lpad('7', 3, '0'), reverse('abc'), initcap('new york'), repeat('ab', 2), concat('a', 1, NULL)": [
        ["007", "cba", "New York", "abab", "a1"]
    ],
    "SELECT region FROM budget WHERE region REGEXP '^n' OR region ~ 'ü'": [["Süd"]],
    "SELECT region FROM budget WHERE regexp_like(region, '^N', 'i')": [["Nord"]],
    "SELECT regexp_replace('a1b22', '[0-9]+', '#'), regexp_extract('INV-0042', '(\\d+)')": [["a#b#", "0042"]],
    "SELECT if(plan > 1500, 'big', 'small'), greatest(plan, 1500), nvl(NULL, 3) FROM budget LIMIT 1": [
        ["big", 2000, 3]
    ],
    "SELECT count_if(plan > 1500), max_by(region, plan), mode(region), stddev_pop(plan) FROM budget": [
        [1, "Nord", "Nord", 500]
    ],
    "SELECT CAST('1,234.50' AS REAL), CAST('€ 1.234,50' AS DECIMAL(10, 2)), TRY_CAST('(12)' AS INT64)": [
        [1234.5, 1234.5, -12]
    ],
    "SELECT CAST('n/a' AS INTEGER), CAST('0012' AS INT), CAST(12 AS TEXT), CAST('7 kg' AS float)": [
        [None, 12, "12", 7]
    ],
    "SELECT 'x::int', \"Plan\"::int FROM budget LIMIT 1": [["x::int", 2000]],
    "SELECT region, max(plan) AS m FROM budget GROUP BY ALL ORDER BY m": [["Süd", 1000], ["Nord", 2000]],
    "SELECT count(*) FROM (SELECT region, plan FROM budget GROUP BY ALL) x": [[2]],
    "SELECT max(plan), 'group by all' FROM budget GROUP BY ALL": [[2000, "group by all"]],
    "SELECT iff(plan > 1500, 1, 0), nvl2(NULL, 1, 2), zeroifnull(NULL), isnumeric('x') FROM budget LIMIT 1": [
        [1, 2, 0, 0]
    ],
    "SELECT locate('r', region), replicate('a', 2), add_months('2024-01-31', 1), chr(65) FROM budget LIMIT 1": [
        [3, "aa", "2024-02-29", "A"]
    ],
    'SELECT count(*) FROM "budget.csv", "Umsatz-DE" u': [[12]],
    "WITH len(n) AS (SELECT plan FROM budget), today (d) AS (SELECT 1) SELECT max(n), d FROM len, today": [[2000, 1]],
}
"""SQL of PostgreSQL, MySQL, SQL Server, BigQuery and DuckDB, and what it gives."""


def test_what_other_dialects_write_is_understood(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql, rows in DIALECTS.items():
            assert (await ask(client, "query_tables", sql=sql))["rows"] == rows, sql

    library.play(body, "auto")


def test_columns_are_called_as_the_query_writes_them(library: Opened) -> None:
    async def body(client: Client) -> None:
        sql = (
            "SELECT DISTINCT TOP 1 LEFT(region, 2), \"Plan\"::int, string_agg(region, ',') WITHIN GROUP "
            "(ORDER BY plan) , plan * 2 AS twice, Region FROM budget GROUP BY 1, 2, 4, 5"
        )
        assert (await ask(client, "query_tables", sql=sql))["columns"] == [
            "LEFT(region, 2)", '"Plan"::int', "string_agg(region, ',') WITHIN GROUP (ORDER BY plan)", "twice", "region",
        ]  # fmt: skip

    library.play(body, "auto")


def test_search_and_document_info_name_the_tables(library: Opened) -> None:
    async def body(client: Client) -> None:
        hits = (await ask(client, "search_documents", query="Süd Umsatz"))["results"]
        assert [hit["table"] for hit in hits if hit["document_slug"] == "umsatz-de"] == ["umsatz_de"]
        record = await ask(client, "get_document_info", document_slug="log")
        assert record["tables"] == {"total": 2, "names": ["log__readings_of_january", "log__sensor_log_2"]}

    library.play(body, "auto")


def test_the_tour_says_how_many_tables_there_are_and_how_they_are_asked(library: Opened) -> None:
    async def body(client: Client) -> None:
        tour: Any = (await client.read_resource("tour://library")).contents[0]
        tables = await ask(client, "find_tables", query="", limit=1)
        assert f"5 documents with {tables['total']} tables for `query_tables`" in tour.text
        assert "`find_tables(" in tour.text

    library.play(body, "auto")


async def test_a_changed_file_is_asked_in_its_new_version(tmp_path: Path) -> None:
    async def main() -> None:
        files = folder(tmp_path)
        async with in_process(files, tmp_path / "data") as (application, _, _):
            library = application.library
            assert (await library.query_tables("SELECT sum(plan) FROM budget")).rows == ((3000,),)
            (files / "budget.csv").write_text("Region,Plan,Spent\nNord,7,1\n", "utf-8")
            await application.indexer.scan_once()
            assert (await library.query_tables("SELECT sum(plan), sum(spent) FROM budget")).rows == ((7, 1),)
            (files / "budget.csv").unlink()
            await application.indexer.scan_once()
            assert (await library.find_tables("plan")).total == 0

    await main()


def cached_records(source: str) -> bytes:
    """A workbook whose pivot cache holds records from `source` (attributes of `worksheetSource`), and a named range."""
    data = io.BytesIO()
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Plan"
    for row in (("Region", "Goal"), ("North", 5), ("South", 7), ("West", 9)):
        sheet.append(row)
    book.defined_names["NorthSouth"] = DefinedName("NorthSouth", attr_text="Plan!$A$2:$B$3")
    book.save(data)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    link = f'<Relationship Id="rId9{{0}}" Type="{office}/{{0}}" Target="{{1}}"/></Relationships>'
    out = io.BytesIO()
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name).decode()
            if name == "xl/_rels/workbook.xml.rels":
                cache = link.format("pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml")
                content = content.replace("</Relationships>", cache)
            new.writestr(name, content)
        new.writestr(
            "xl/pivotCache/pivotCacheDefinition1.xml",
            f'<pivotCacheDefinition xmlns="{main}" recordCount="3"><cacheSource type="worksheet">'
            f"<worksheetSource {source}/></cacheSource>"
            '<cacheFields><cacheField name="Shop"><sharedItems><s v="Aa"/><m/><s v="Bb"/></sharedItems>'
            '</cacheField><cacheField name="Sold"><sharedItems/></cacheField><cacheField name="Day"><sharedItems/>'
            "</cacheField></cacheFields></pivotCacheDefinition>",
        )
        records = link.format("pivotCacheRecords", "pivotCacheRecords1.xml")
        space = "http://schemas.openxmlformats.org/package/2006/relationships"
        new.writestr("xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels", f'<Relationships xmlns="{space}">{records}')
        rows = (
            (2, "12.500000000000002", "2024-01-31"),
            (0, 3, "2024-02-01"),
            (2, 4, "2024-03-01"),
            (1, 9, "2024-04-01"),
        )
        inside = "".join(f'<r><x v="{shop}"/><n v="{sold}"/><d v="{day}T00:00:00"/></r>' for shop, sold, day in rows)
        new.writestr(
            "xl/pivotCache/pivotCacheRecords1.xml", f'<pivotCacheRecords xmlns="{main}">{inside}</pivotCacheRecords>'
        )
    return out.getvalue()


async def test_what_a_document_is_called_finds_its_tables(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "inventory.csv").write_text("Shop,Pieces\nNorth,7\nSouth,9\n", "utf-8")
    (files / "notes.md").write_text("# Harbour fees\n\n| Ship | Fee |\n| --- | --- |\n| Anna | 3 |\n", "utf-8")
    (files / "other.csv").write_text("Inventory,Shop\nA7,North\n", "utf-8")
    two = "| Crew | Age |\n| --- | --- |\n| Bo | 30 |\n\nAnd:\n\n| Port | Fee |\n| --- | --- |\n| Rye | 7 |\n"
    (files / "pair.md").write_text(two, "utf-8")

    async def main() -> None:
        data = tmp_path / "data"
        async with in_process(files, data) as (application, server, _), Client(server, mode="auto") as client:

            async def names(query: str, **more: Any) -> list[str]:
                found = await ask(client, "find_tables", query=query, **more)
                assert found["total"] == len(found["tables"])
                return [one["name"] for one in found["tables"]]

            # Some models write null for what they would leave out.
            assert await names("inventory", document_slug=None, limit=None, start=None) == ["inventory", "other"]
            assert await names("inventory pieces") == ["inventory", "other"]
            assert await names("harbour") == ["notes"]
            assert await names("notes", folder="files") == ["notes"]
            assert await names("notes", document_slug="other") == []
            choices = ", ".join(await names("pair"))
            told = await refused(client, "query_tables", sql="SELECT * FROM pair")
            assert f'pair names 2 tables; write one of {choices}, or "pair__*"' in told
            (files / "inventory.csv").rename(files / "stock.csv")
            await application.indexer.scan_once()
            assert await names("stock") == ["inventory"]  # a slug stays what it was

    await main()


async def test_a_document_of_many_tables_does_not_hide_those_of_others(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    pieces = "\n\n".join(f"Piece {at}\n\n| Plan {at} | Plan |\n| --- | --- |\n| {at} | 7 |" for at in range(8))
    (files / "pieces.md").write_text(pieces, "utf-8")
    (files / "sales.csv").write_text("Shop,Region,Manager,Plan,Sold\nNorth,A,Bo,7,8\nSouth,B,Anna,9,10\n", "utf-8")

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
            found = await ask(client, "find_tables", query="plan", limit=5)
            assert found["total"] == 9
            assert [one["name"].partition("__")[0] for one in found["tables"]] == [*["pieces"] * 3, "sales", "pieces"]
            onward = await ask(client, "find_tables", query="plan", limit=5, start=5)
            assert len({one["name"] for one in (*found["tables"], *onward["tables"])}) == 9
            assert found["next_names"] == [one["name"] for one in onward["tables"]]
            assert "next_names" not in onward
            assert (await ask(client, "find_tables", query="plan"))["tables"] == found["tables"]
            assert len((await ask(client, "find_tables"))["tables"]) == 9

    await main()


async def test_what_is_asked_in_other_words_is_found_by_meaning(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "staff.csv").write_text("Person,Income,Birthday\nAnna,3000,1990-04-01\nBo,4100,1985-12-24\n", "utf-8")
    (files / "ships.csv").write_text("Vessel,Tonnage\nAurora,7000\nBorealis,9000\n", "utf-8")

    async def main() -> None:
        data = tmp_path / "data"
        async with in_process(files, data) as (application, server, _), Client(server, mode="auto") as client:
            await application.embed_once()
            found = await ask(client, "find_tables", query="earnings of employees")
            assert found["tables"][0]["name"] == "staff"
            assert (found["total"], found["by_meaning"]) == (0, len(found["tables"]))
            found = await ask(client, "find_tables", query="tonnage and income", limit=2)
            assert (found["total"], len(found["tables"]), "by_meaning" in found) == (2, 2, False)
            for foreign in ("Fuhrpark Reifenwechsel", "le salaire des employés", "درآمد کارکنان", "従業員の収入"):
                assert (await ask(client, "find_tables", query=foreign))["tables"] == [], "all rows are alike to it"
            for narrowed in ({"document_slug": "ships"}, {"folder": "elsewhere"}):
                found = await ask(client, "find_tables", query="earnings of employees", **narrowed)
                assert "staff" not in [one["name"] for one in found["tables"]]

    await main()


async def test_named_ranges_and_pivot_caches_are_tables(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "far.xlsx").write_bytes(cached_records('ref="A1:C5" sheet="Gone"'))
    (files / "near.xlsx").write_bytes(cached_records('ref="A1:B4" sheet="Plan"'))

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:
            found = await ask(client, "find_tables", query="region goal", document_slug="near")
            assert [(one["name"], one["rows"]) for one in found["tables"]] == [
                ("near__plan", 3),
                ("near__northsouth", 2),
            ]
            answer = await ask(client, "query_tables", sql="SELECT sum(goal) FROM near__northsouth")
            assert answer["rows"] == [[12]]
            assert answer["sources"][0]["uri"] == "sheet://near/Plan?range=A2:B3"
            described = await ask(client, "describe_table", table="far__northsouth")
            assert [column["name"] for column in described["columns"]] == ["region", "goal"]
            # Records are there where their source is not, and only there.
            found = await ask(client, "find_tables", query="shop sold")
            assert [one["name"] for one in found["tables"]] == ["far__pivot_cache_1"]
            sql = "SELECT shop, sum(sold), min(day) FROM far__pivot_cache_1 GROUP BY 1 ORDER BY 1"
            rows = (await ask(client, "query_tables", sql=sql))["rows"]
            assert rows == [[None, 9, "2024-04-01"], ["Aa", 3, "2024-02-01"], ["Bb", 16.5, "2024-01-31"]]
            page = text_of(await client.call_tool("read", {"uri": "sheet://far/Pivot cache 1"}))
            assert "| Bb | 12.5 | 2024-01-31 |" in page

    await main()


def pivoted() -> bytes:
    """A workbook with a pivot table from A3 on: captions of fields, then the row that heads its columns."""
    data = io.BytesIO()
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    rows = (("Sum - Amount", "Year"), ("Order", 2), ("Ink", 7), ("Pen", 5), ("Total", 12))
    for at, row in enumerate(rows, 3):
        for col, value in enumerate(row, 1):
            sheet.cell(at, col, value)
    book.save(data)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(data, "a") as file:
        file.writestr(
            "xl/worksheets/_rels/sheet1.xml.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="rId1" Type="{office}/pivotTable" '
            'Target="../pivotTables/pivotTable1.xml"/></Relationships>',
        )
        file.writestr(
            "xl/pivotTables/pivotTable1.xml",
            f'<pivotTableDefinition xmlns="{main}" name="By year"><location ref="A3:B7" firstHeaderRow="1" '
            'firstDataRow="2" firstDataCol="1"/></pivotTableDefinition>',
        )
    return data.getvalue()


async def test_a_pivot_table_says_which_row_heads_it(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "sums.xlsx").write_bytes(pivoted())

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (application, _, _):
            answer = await application.library.query_tables("SELECT order_, c_2, _row FROM sums")
            assert answer.rows == (("Ink", 7, 5), ("Pen", 5, 6))

    await main()


async def test_a_query_says_which_of_its_columns_stayed_text_and_why(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "towns.md").write_text(
        "| Town | Men | Women |\n| - | - | - |\n| Ulm | 6,768 | 7 |\n| Bonn | 3,370 | 9 |\n"
    )

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server) as client:
            answer = await ask(client, "query_tables", sql="SELECT max(men) FROM towns")
            (said,) = answer["sources"][0]["remarks"]
            assert said.startswith("men stayed text: ambiguous numbers")
            answer = await ask(client, "query_tables", sql="SELECT sum(women) FROM towns")
            assert answer["rows"] == [[16]] and "remarks" not in answer["sources"][0]
            answer = await ask(client, "query_tables", sql="SELECT sum(town) FROM towns")
            (said,) = answer["sources"][0]["remarks"]
            assert said.startswith("town stayed text: it is no column of numbers")
            answer = await ask(client, "query_tables", sql="SELECT max(town), sum(women) FROM towns")
            assert "remarks" not in answer["sources"][0]

    await main()


async def test_times_add_up_in_hours(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    times = (
        "7:30",
        "5:28:39",
        "-0:45",
        "8:30 PM",
        "12:10 am",
        "27:00:00",
        "1h30",
        "2 h 15 min",
        "90 Min.",
        "1,5 Std.",
        "0h:45m:36s",
    )
    lines = "\n".join(f"| p{number} | {time} |" for number, time in enumerate(times))
    (files / "worked.md").write_text(f"| Who | Worked |\n| - | - |\n{lines}\n| q | ill |\n| r | 10:75 |\n")

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server) as client:
            answer = await ask(client, "query_tables", sql="SELECT who, round(hours(worked), 4) FROM worked")
            found = [hours for _, hours in answer["rows"]]
            assert found == [7.5, 5.4775, -0.75, 20.5, 0.1667, 27, 1.5, 2.25, 1.5, 1.5, 0.76, None, None]
            answer = await ask(client, "query_tables", sql="SELECT sum(worked) FROM worked")
            (said,) = answer["sources"][0]["remarks"]
            assert "sum(hours(worked))" in said

    await main()


async def test_a_dash_for_the_cents_is_no_text_and_no_minus(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "pay.md").write_text(
        "| Name | Lohn | Preis |\n| - | - | - |\n| A | 102'508.– | 1.250,- € |\n"
        "| B | CHF 95.- | 2,50 € |\n| C | 80.50 | 3,-- € |\n",
        "utf-8",
    )

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server) as client:
            answer = await ask(client, "query_tables", sql="SELECT sum(lohn), sum(preis) FROM pay")
            assert answer["rows"] == [[102683.5, 1255.5]]

    await main()


async def test_amounts_as_accounts_show_them_and_degrees_are_numbers(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "accounts.csv").write_text(
        "Account;Open;Closed;Room\nBank; $1,200.50 ;1.200,50 €;-5°C\nLoan;$ (300.00);(300,00 €);10°C\n"
        "Cash; $-   ;- €;3.5 °C\nTill;$(20.25);€ –;2°C\n",
        "utf-8",
    )

    async def main() -> None:
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server) as client:
            answer = await ask(
                client, "query_tables", sql="SELECT sum(open), sum(closed), count(open), sum(room) FROM accounts"
            )
            assert answer["rows"] == [[880.25, 900.5, 4, 10.5]]
            assert "left_out" not in answer["sources"][0]

    await main()


def over_pages(count: int) -> bytes:
    """A PDF whose only table has thirty rows on each page, under the header said again."""
    pdf = Pdf()
    columns = (72, 200, 300)
    for page in range(count):
        lines = [(f"Place {page * 30 + at}", str(1900 + at), f"{page * 30 + at}.5") for at in range(30)]
        y, content = 780.0, ""
        content += rule(72, y + 11, 360, y + 11) + rule(72, y - 5, 360, y - 5)
        content += "".join(text(x, y, title) for x, title in zip(columns, ("Place", "Year", "Height"), strict=True))
        for at, line in enumerate(lines):
            content += "".join(text(x, y - 18 - 14 * at, cell) for x, cell in zip(columns, line, strict=True))
        end = y - 18 - 14 * 30 + 8
        pdf.page(content + rule(72, end, 360, end))
    return pdf.bytes()


def mail_with(*attached: tuple[str, bytes]) -> bytes:
    """A mail with these files."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "ada@example.org", "alan@example.org", "Figures"
    mail.set_content("Here they are.")
    for name, data in attached:
        mail.add_attachment(data, "application", "octet-stream", filename=name)
    return mail.as_bytes()


def workbook(rows: Sequence[tuple[str | int, ...]], title: str) -> bytes:
    book, held = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(row)
    book.save(held)
    return held.getvalue()


async def test_tables_of_attached_documents_are_asked_and_lead_to_the_attachment(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    book = workbook((("Yard", "Stock"), ("North", 5), ("South", 7), ("Total", 12)), "Yards")
    inner = mail_with(("deep.csv", b"Yard,Stock\nDeep,9\n"))
    attached = (("stock.xlsx", book), ("plan.csv", b"Yard,Plan\nNorth,6\nSouth,6\n"), ("fwd.eml", inner))
    (files / "figures.eml").write_bytes(mail_with(*attached))
    async with in_process(files, tmp_path / "data") as (_, server, _), Client(server, mode="auto") as client:  # pyright: ignore[reportArgumentType]
        found = await ask(client, "find_tables", query="", document_slug="figures")
        uris = ["embed://figures/0.md?part=1", "embed://figures/1.md?part=1"]
        assert [table["uri"] for table in found["tables"]] == uris
        assert (await ask(client, "describe_table", table="figures__yards"))["place"] == "Yards!A1:B4 in stock.xlsx"
        sql = (
            "SELECT y.yard, y._row, y._sheet, y._uri, stock - plan AS left_over FROM figures__yards y "
            "JOIN figures__plan p ON p.yard = y.yard ORDER BY 1"
        )
        answer = await ask(client, "query_tables", sql=sql)
        assert answer["rows"] == [["North", 2, "Yards", uris[0], -1], ["South", 3, "Yards", uris[0], 1]]
        first = next(source for source in answer["sources"] if source["table"] == "figures__yards")
        assert (first["uri"], first["left_out"]) == (uris[0], ["1 × total (row 4)"])
        assert "South" in str(await client.read_resource(uris[0]))
        hits = await ask(client, "search_documents", query="North South Stock")
        assert '"table": "figures__' in json.dumps(hits)


async def test_a_table_over_pages_is_asked_as_one(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "heights.pdf").write_bytes(over_pages(3))

    async def main() -> None:
        async with (
            in_process(tmp_path / "files", tmp_path / "data") as (_, server, _),
            Client(server, mode="auto") as client,
        ):
            tables = (await ask(client, "find_tables", query=""))["tables"]
            assert [(one["name"], one["uri"], one["rows"]) for one in tables] == [("heights", "page://heights/1", 90)]
            answer = await client.call_tool("query_tables", {"sql": "SELECT sum(height), count(*) FROM heights"})
            found: Any = answer.structured_content
            assert found["rows"] == [[sum(at + 0.5 for at in range(90)), 90]]
            assert found["sources"] == [
                {"table": "heights", "uri": "page://heights/1", "last_uri": "page://heights/3", "rows": 90}
            ]
            assert "From page://heights/1 to page://heights/3: 90 rows." in text_of(answer)
            sql = "SELECT _sheet, _uri, count(*), min(place), min(_row), max(_row) FROM heights GROUP BY _uri"
            assert (await ask(client, "query_tables", sql=sql))["rows"] == [
                ["page 1", "page://heights/1", 30, "Place 0", 2, 31],
                ["page 2", "page://heights/2", 30, "Place 30", 32, 61],
                ["page 3", "page://heights/3", 30, "Place 60", 62, 91],
            ]
            facts = await ask(client, "describe_table", table="page://heights/2")
            assert (facts["name"], facts["place"], facts["rows"]) == ("heights", "page 1 to 3", 90)
            hits = (await ask(client, "search_documents", query='"Place 75"'))["results"]
            assert [(hit["uri"], hit["table"]) for hit in hits] == [("page://heights/3", "heights")]

    await main()


async def test_an_index_with_a_table_for_each_page_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "heights.pdf").write_bytes(over_pages(2))
    (tmp_path / "files" / "budget.csv").write_text(BUDGET, "utf-8")
    versions = "SELECT plugin_version FROM versions WHERE suffix = '.csv'"

    async def names() -> list[str]:
        async with in_process(tmp_path / "files", tmp_path / "data") as (application, _, _):
            return [table.name for table in (await application.library.find_tables("")).tables]

    assert await names() == ["budget", "heights"]
    (index,) = (tmp_path / "data").rglob("index.db")
    with closing(sqlite3.connect(index, isolation_level=None)) as database:
        known = database.execute(versions).fetchall()
        database.execute(
            "INSERT INTO tables (version_id, seq, name, part, first_block, last_block, data) "
            "SELECT version_id, seq + 1, 'table_2_1', part + 1, first_block, last_block, data FROM tables "
            "WHERE name != 'budget'"
        )
        database.execute("ALTER TABLE passages DROP COLUMN first_row")  # this and the next came after it
        database.execute("ALTER TABLE passages DROP COLUMN last_row")
        database.execute("DROP TABLE names_fts_terms")
        database.execute("ALTER TABLE history DROP COLUMN path")
        database.execute("DROP INDEX files_archive")
        database.execute("ALTER TABLE files DROP COLUMN archive")
        database.execute("PRAGMA user_version = 6")
    assert await names() == ["budget", "heights"]
    with closing(sqlite3.connect(index, isolation_level=None)) as database:
        assert known
        assert database.execute(versions).fetchall() == known, "read again for nothing"


def command(tmp_path: Path, *arguments: str, code: int = 0) -> str:
    shared = ["--folder", os.fspath(tmp_path / "files"), "--data-dir", os.fspath(tmp_path / "data")]
    environment = {**os.environ, "DOCSIDECAR_CONFIG": os.fspath(tmp_path / "none.toml")}
    done = program.run(*arguments, *shared, environment=environment)
    assert done.returncode == code, done.stderr
    return done.stdout + (done.stderr if code else "")


def test_the_command_line_lists_and_asks(tmp_path: Path) -> None:
    folder(tmp_path)
    command(tmp_path, "index", "--once")
    assert "umsatz_de  (6 rows)" in command(tmp_path, "tables", "umsatz")
    listed = json.loads(command(tmp_path, "tables", "--json"))
    assert listed["total"] == 6
    sql = "SELECT region, umsatz_eur FROM umsatz_de WHERE umsatz_eur > 100 ORDER BY 2"
    rows = list(csv.reader(io.StringIO(command(tmp_path, "sql", sql, "--csv"))))
    assert rows == [["region", "umsatz_eur"], ["Süd", "987"], ["Nord", "1234.5"]]
    record = json.loads(command(tmp_path, "sql", "SELECT count(*) FROM log__readings_of_january", "--json"))
    assert record["rows"] == [[399]]
    assert record["sources"][0]["uri"] == "sheet://log/Sensor%20log?range=B4:D404"
    assert "There is no column nope" in command(tmp_path, "sql", "SELECT nope FROM budget", code=2)
    described = json.loads(command(tmp_path, "tables", "--describe", "budget"))
    assert [column["name"] for column in described["columns"]] == ["region", "plan"]


class _Between(Tables):
    """The tables of an index into which a file comes right after they were looked at for the first time."""

    def __init__(self, application: Application, add: Callable[[], object]) -> None:
        super().__init__(application.store.tables.database)
        self._application, self._add = application, add
        self.looks = 0

    async def named(self, names: Collection[str]) -> list[IndexedTable]:
        found = await super().named(names)
        self.looks += 1
        if self.looks == 1:
            self._add()
            await self._application.indexer.scan_once()
        return found


async def test_a_table_that_comes_while_it_is_looked_for_is_found(tmp_path: Path) -> None:
    async def main() -> None:
        files = folder(tmp_path)
        async with in_process(files, tmp_path / "data") as (application, _, _):
            for name, come in (("sales", "query"), ("costs", "describe")):
                place = files / f"{name}.csv"
                stored = _Between(application, lambda place=place: place.write_text("Item,Price\nPen,2\nInk,3\n"))
                reader = TableReader(
                    stored, application.workers, lambda _: (), lambda: application.library.attached_documents
                )
                if come == "query":
                    answer = await reader.query(f"SELECT sum(price) FROM {name}", (), 0, 10)
                    assert answer.rows == ((5,),)
                    assert stored.looks == 2
                else:
                    info, _ = await reader.describe(name)
                    assert (info.name, info.record.rows) == (name, 2)
                    assert stored.looks == 1  # as a table; then as a document, which was there

    await main()


async def test_a_name_is_described_as_it_is_asked(tmp_path: Path) -> None:
    async def main() -> None:
        files = tmp_path / "files"
        files.mkdir()
        book = Workbook()
        for title in ("Umsatz", "Annahmen"):
            sheet = book.create_sheet(title)
            for row in (("Region", title), ("Nord", 3), ("Süd", 4)):
                sheet.append(row)
        book.save(files / "umsatz.xlsx")
        async with in_process(files, tmp_path / "data") as (_, server, _), Client(server) as client:
            asked = await ask(client, "query_tables", sql="SELECT sum(umsatz) AS s FROM umsatz")
            assert asked["rows"] == [[7]]
            described = await ask(client, "describe_table", table="umsatz")
            assert "umsatz__umsatz" in json.dumps(described)

    await main()
