"""Several tables of the same columns asked as one, by a pattern: monthly files, sheets of a workbook."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from openpyxl import Workbook
from support.clients.harness import text_of
from support.clients.opened import Opened, opened

MONTHS = ("jan", "feb", "mar", "apr")


def folder(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    files.mkdir()
    for number, month in enumerate(MONTHS, 1):
        rows = f"North,{number * 10},x\nSouth,{number},y\nTotal,{number * 11},\n"
        (files / f"sales-2024-{month}.csv").write_text(f"Region,Amount,Note\n{rows}", "utf-8")
    (files / "sales-2024-staff.csv").write_text("Person,Desk\nAda,4\nBob,5\n", "utf-8")
    (files / "sales-2024-may.csv").write_text("Region,Amount (EUR),Note\nNorth,50,x\nSouth,5,y\n", "utf-8")
    for number, month in enumerate(MONTHS):
        (files / f"{month}-2023.csv").write_text(f"Stock,Pieces\nPens,4\nCaps,{number}\n", "utf-8")
    (files / "copy-jan.csv").write_bytes((files / "sales-2024-jan.csv").read_bytes())
    book = Workbook()
    book.remove(book.worksheets[0])
    for number, month in enumerate((*MONTHS, "year"), 1):
        sheet = book.create_sheet(month)
        for row in (("Item", "Cost"), ("Pens", number), ("Ink", number * 2)):
            sheet.append(row)
        if month == "year":
            sheet["B2"], sheet["B3"] = 10, 20
    book.save(files / "costs.xlsx")
    return tmp_path


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    tmp_path = tmp_path_factory.mktemp("united")
    with opened(folder(tmp_path)) as ready:
        yield ready


async def ask(client: Client, sql: str) -> dict[str, Any]:
    answer = await client.call_tool("query_tables", {"sql": sql})
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    return answer.structured_content


def test_tables_of_the_same_columns_are_summed_together(library: Opened) -> None:
    async def asks(client: Client) -> None:
        answer = await ask(client, 'SELECT sum(amount), count(*) FROM "sales_2024_*"')
        assert answer["rows"] == [[110, 10]]
        (source,) = answer["sources"]
        assert source["rows"] == 10
        assert source["tables"] == [
            "sales_2024_apr",
            "sales_2024_feb",
            "sales_2024_jan",
            "sales_2024_mar",
            "sales_2024_may",
        ]
        assert "4 × total (sales_2024_apr row 4; sales_2024_feb row 4; " in source["left_out"][0]
        assert any("sales_2024_staff too, left out" in one for one in answer["notices"])
        assert any("sales_2024_may has no column amount" in one for one in answer["notices"])

    library.play(asks)


@pytest.mark.parametrize(
    "source",
    [
        "sales_2024_*",
        "'files/sales-2024-*.csv'",
        "'/files/s*'",
        "'sales-2024-*.csv'",
        "`sales-2024-*`",
        "[sales_2024_*]",
        "sales-2024-*.csv AS s",
    ],
)
def test_a_pattern_is_written_in_many_ways(library: Opened, source: str) -> None:
    async def asks(client: Client) -> None:
        answer = await ask(
            client, f"SELECT _table, sum(amount) AS a FROM {source} WHERE note = 'x' GROUP BY 1 ORDER BY 2 DESC"
        )
        assert answer["rows"][0] == ["sales_2024_apr", 40]

    library.play(asks)


def test_rows_of_a_union_lead_to_their_cells(library: Opened) -> None:
    async def asks(client: Client) -> None:
        answer = await ask(client, 'SELECT _table, _sheet, _row, _uri FROM "costs__*" WHERE cost = 8')
        assert answer["rows"] == [["costs__apr", "apr", 3, "sheet://costs/apr?range=A3:B3"]]

    library.play(asks)


def test_the_sheet_of_the_year_among_its_months_is_told(library: Opened) -> None:
    async def asks(client: Client) -> None:
        answer = await ask(client, 'SELECT sum(cost) FROM "costs__*"')
        assert answer["rows"] == [[60]]
        assert any("WHERE _table <> 'costs__year'" in one for one in answer["notices"])
        right = await ask(client, "SELECT sum(cost) FROM \"costs__*\" WHERE _table <> 'costs__year'")
        assert right["rows"] == [[30]]

    library.play(asks)


def test_a_file_there_twice_is_told(library: Opened) -> None:
    async def asks(client: Client) -> None:
        answer = await ask(client, 'SELECT sum(amount) FROM "*jan"')
        assert any("the same file is there under another name" in one for one in answer["notices"])

    library.play(asks)


def test_a_union_is_described_and_a_pattern_that_names_nothing_refused(library: Opened) -> None:
    async def asks(client: Client) -> None:
        answer = await client.call_tool("describe_table", {"table": "sales_2024_*"})
        assert answer.structured_content is not None
        assert answer.structured_content["rows"] == 10
        assert {one["name"]: one["distinct"] for one in answer.structured_content["columns"]}["amount"] == 8
        refused = await client.call_tool("query_tables", {"sql": 'SELECT * FROM "nothing_*"'})
        assert "No name of a table fits nothing_*" in text_of(refused)
        refused = await client.call_tool("query_tables", {"sql": "SELECT * FROM '../files/none-?*.csv'"})
        assert "No name of a table fits ../files/none-?*.csv" in text_of(refused)
        several = await client.call_tool("query_tables", {"sql": "SELECT cost FROM costs"})
        assert 'or "costs__*" for those of the same columns as one.' in text_of(several)

    library.play(asks)


def test_tables_alike_are_named_as_one_in_the_list(library: Opened) -> None:
    async def asks(client: Client) -> None:
        answer = await client.call_tool("find_tables", {"query": "amount"})
        assert answer.structured_content is not None
        assert answer.structured_content["alike"] == ["sales_2024_*"]
        months = await client.call_tool("find_tables", {"query": "stock"})
        assert months.structured_content is not None
        assert months.structured_content["alike"] == ["*_2023"]

    library.play(asks)


def test_more_tables_than_can_be_put_together_are_refused_with_what_to_write(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for number in range(402):
        (files / f"log-{number:03}.csv").write_text(f"name,value\nfirst,{number}\nlast,1\n", "utf-8")

    async def asks(client: Client) -> None:
        refused = await client.call_tool("query_tables", {"sql": 'SELECT sum(value) FROM "log_*"'})
        assert "log_* names more than 400 tables" in text_of(refused)
        assert "write more of their names" in text_of(refused)
        few = await client.call_tool("query_tables", {"sql": 'SELECT sum(value) FROM "log_0*"'})
        assert f"| {sum(range(100)) + 100} |" in text_of(few)

    with opened(tmp_path) as library:
        library.play(asks)
