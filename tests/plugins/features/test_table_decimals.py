"""Decimal fractions asked by SQL: sums, averages and differences as people add them up, and no real digit lost."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from mcp.client.client import Client
from openpyxl import Workbook
from support.clients.opened import Opened, opened

CENTS = [round(((index * 7919) % 500_000) / 100 - 2000, 2) for index in range(4000)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """A ledger of cents, cells with the noise that formulas leave, and measurements of many digits."""
    place = tmp_path_factory.mktemp("library")
    files = place / "files"
    files.mkdir()
    rows = [f"{index},{cents},{cents + 1000.1:.2f},{index % 7}.5" for index, cents in enumerate(CENTS)]
    (files / "ledger.csv").write_text("\n".join(["Entry,Amount,Closing,Hours", *rows, ""]))
    (files / "measured.csv").write_text(
        "Sample,Mass,Charge\na,1.00000000001,3000000001\nb,2.00000000001,3000000000\nc,0.00000000012,7\nd,4,1000.1\n"
    )
    (files / "hundredths.csv").write_text("Kind,Share\nx,21%\ny,7%\n")
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [
        ("Item", "Balance"), ("a", 12.540000000000001), ("b", 375318.700000009), ("c", 3.25), ("d", 4.0), ("e", 8.75),
        ("f", -1.5), ("g", 2.1), ("h", 5.551115123125783e-17), ("i", 9.5), ("j", 7.25),
    ]:  # fmt: skip
        sheet.append(row)
    book.save(files / "balances.xlsx")
    with opened(place) as library:
        yield library


def rows_of(library: Opened, sql: str) -> Any:
    found: list[Any] = []

    async def body(client: Client) -> None:
        answer = await client.call_tool("query_tables", {"sql": sql})
        assert not answer.is_error, answer
        found.extend((answer.structured_content or {})["rows"])

    library.play(body)
    return found


def test_sums_and_averages_are_those_of_decimal_fractions(library: Opened) -> None:
    whole = sum(round(cents * 100) for cents in CENTS)
    asked = "sum(amount), avg(amount), total(amount), sum(amount) = " + f"{whole / 100}"
    assert rows_of(library, f"SELECT {asked} FROM ledger") == [[whole / 100, whole / 400_000, whole / 100, 1]]
    running = "SELECT sum(amount) OVER (ORDER BY entry), sum(amount) OVER (ORDER BY entry ROWS 1 PRECEDING) FROM ledger"
    assert rows_of(library, f"{running} LIMIT 3 OFFSET 2997") == [
        [sum(round(cents * 100) for cents in CENTS[: at + 1]) / 100, round(CENTS[at] + CENTS[at - 1], 2)]
        for at in (2997, 2998, 2999)
    ]


def test_sums_are_of_the_kinds_that_sqlite_gives(library: Opened) -> None:
    assert rows_of(
        library, "SELECT typeof(sum(_row)), typeof(sum(amount)), sum(_row) / 7 FROM ledger WHERE entry < 4"
    ) == [["integer", "real", 2]]
    assert rows_of(library, "SELECT sum(amount), total(amount), avg(amount) FROM ledger WHERE entry < 0") == [
        [None, 0, None]
    ]
    assert rows_of(library, "SELECT sum(DISTINCT hours), sum(hours) FILTER (WHERE entry < 3) FROM ledger") == [
        [24.5, 4.5]
    ]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("closing - amount", 1000.1),
        ("l.closing - 2000.1 - l.amount + 1000", 0),
        ("(closing - amount) * 3", 3000.3),
        ("max(closing) - max(amount)", 1000.1),
        ("sum(closing) - sum(amount) - 4000400", 0),
        ("sum(closing - amount)", 4000400),
        ("(closing - amount - 1000) / 1000", 0.0001),
        ("CASE WHEN entry < 9 THEN closing - amount END", 1000.1),
    ],
)
def test_results_have_no_noise_of_binary_fractions(library: Opened, what: str, expected: float) -> None:
    assert rows_of(library, f"SELECT {what} AS x FROM ledger l LIMIT 1") == [[expected]]
    inner = f"WITH found AS (SELECT {what} AS x FROM ledger l) SELECT x + 0.5 - 0.5 AS y FROM found LIMIT 1"
    assert rows_of(library, inner) == [[expected]]


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("mass", 1.00000000001),
        ("mass - 0", 1.00000000001),
        ("charge / 3000000000", 1.00000000033333),
        ("charge / 3000000000 - 0", 1.00000000033333),
        ("mass * 1.00000000001", 1.00000000002),
    ],
)
def test_real_digits_stay(library: Opened, what: str, expected: float) -> None:
    assert rows_of(library, f"SELECT {what} AS x FROM measured WHERE sample = 'a'") == [[expected]]


def test_sums_of_many_digits_stay(library: Opened) -> None:
    assert rows_of(library, "SELECT sum(mass), min(mass), sum(mass - 1) FROM measured") == [
        [7.00000000014, 1.2e-10, 3.00000000014]
    ]


def test_cells_are_the_decimal_fractions_they_show(library: Opened) -> None:
    assert rows_of(library, "SELECT balance FROM balances WHERE balance IN (12.54, 375318.7, 0)") == [
        [12.54], [375318.7], [0]
    ]  # fmt: skip
    assert rows_of(library, "SELECT sum(balance) FROM balances") == [[375364.59]]


def test_columns_as_they_are_keep_what_they_hold(library: Opened) -> None:
    held = rows_of(library, "SELECT * FROM measured WHERE sample <> 'b' ORDER BY sample")
    assert [row[:3] for row in held] == [["a", 1.00000000001, 3000000001], ["c", 0.00000000012, 7], ["d", 4, 1000.1]]
    within = "SELECT * FROM (SELECT entry, amount + 0.07 AS more FROM ledger) ORDER BY entry LIMIT 2"
    assert [row[:2] for row in rows_of(library, within)] == [
        [0, round(CENTS[0] + 0.07, 2)], [1, round(CENTS[1] + 0.07, 2)],
    ]  # fmt: skip
    assert [row[:2] for row in rows_of(library, "SELECT *, 1 FROM hundredths ORDER BY kind")] == [
        ["x", 0.21],
        ["y", 0.07],
    ]
