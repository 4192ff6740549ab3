"""SQL that SQLite takes for something else, or refuses, and that an assistant writes all the same: what is meant is
answered, and what is refused is told with what to write instead."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from mcp.client.client import Client
from openpyxl import Workbook
from support.clients.harness import text_of
from support.clients.opened import Opened, opened

from sidecar.toolkit.answers.budget import json_tokens

STAFF = (
    "Name,Team,Hired,Left On,Pay,Chief\nAnna Berg,Sales,2019-03-01,2019-03-31,52000,Dora\n"
    "Ben Ode,Sales,2020-07-15,2020-09-15,48000.5,\nCleo Ito,Support,2021-01-10,,41000,Eli\n"
)
WORK = "Task,Came,Went,Worked,Paid\na,9:00,17:30,8:30,TRUE\nb,8:15,18:20,10:05,FALSE\nc,10:00,19:45,9:45,TRUE\n"
SHIFTS = "Begin,End\n2024-01-01 08:00:00,2024-01-01 20:00:00\n2024-01-02 06:00:00,2024-01-04 06:00:00\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """A list of staff, shifts, and a workbook of two sheets."""
    place = tmp_path_factory.mktemp("library")
    files = place / "files"
    files.mkdir()
    (files / "staff-list.csv").write_text(STAFF, "utf-8")
    (files / "shifts.csv").write_text(SHIFTS, "utf-8")
    (files / "work.csv").write_text(WORK, "utf-8")
    (files / "sold-by.csv").write_text("Item,Channel,Units\nA,web,10\nA,shop,4\nB,web,7\nB,shop,\nA,web,5\n")
    (files / "months.csv").write_text("Item,Jan,Feb,Mar\nDesk,1,2,3\nLamp,4,,6\n")
    (files / "tags.csv").write_text("Person,Tags\nAnn,red;blue\nBen,green\nCem,red;green;blue\n")
    (files / "later.csv").write_text("Day,N\n" + "".join(f"2024-0{1 + (at > 150)}-03,1\n" for at in range(304)))
    (files / "wide.csv").write_text(
        "".join(",".join(f"{of}{at}" for at in range(300)) + "\n" for of in ("sensor ", ""))
    )
    book = Workbook()
    for name, rows in (("Sold", ((1, 2.5), (2, 4))), ("Plans", ((1, 3), (2, 5)))):
        sheet = book.create_sheet(name)
        for row in (("Quarter", "Worth (EUR)"), *rows):
            sheet.append(row)
    del book["Sheet"]
    spent = book.create_sheet("Spent")
    for days in ("Time", 0.5, 1.25, 0.3125):
        spent.append([days])
        spent.cell(spent.max_row, 1).number_format = "[h]:mm"
    book.save(files / "Year Book.xlsx")
    with opened(place) as library:
        yield library


MEANT: dict[str, Any] = {
    # differences and shifts of dates are in days
    "SELECT left_on - hired FROM staff_list": [[30], [62], [None]],
    "SELECT avg(s.left_on::date - s.hired::date) FROM staff_list s": [[46]],
    "SELECT max(hired) - min(hired) FROM staff_list": [[681]],
    "SELECT l - f FROM (SELECT min(hired) AS f, max(hired) AS l FROM staff_list)": [[681]],
    "SELECT hired - LAG(hired) OVER (ORDER BY hired) FROM staff_list": [[None], [502], [179]],
    "SELECT DATE '2019-03-11' - hired FROM staff_list LIMIT 1": [[10]],
    "SELECT hired + 7, hired - 1 FROM staff_list LIMIT 1": [["2019-03-08", "2019-02-28"]],
    "SELECT CURRENT_DATE - CURRENT_DATE": [[0]],
    'SELECT "end" - "begin" FROM shifts': [[0.5], [2]],
    "SELECT pay - 2 FROM staff_list WHERE name = 'Anna Berg'": [[51998]],
    # days and times are compared as columns hold them, however they are written
    """SELECT count(*) FROM shifts WHERE "begin" = '2024-01-01T08:00' OR "end" IN ('2024-01-04 06:00', '')""": [[2]],
    """SELECT count(*) FROM shifts s WHERE s."begin" > '2024-01-01 08:00'""": [[1]],
    "SELECT name FROM staff_list WHERE hired >= '2021-01-10 00:00:00' AND hired <= '2021/1/10'": [["Cleo Ito"]],
    "SELECT name FROM staff_list WHERE hired BETWEEN '2020' AND '2020' AND hired <= '2020-07'": [["Ben Ode"]],
    "SELECT count(*) FROM staff_list s WHERE s.hired IN ('2019-03', '2021-01') AND min(hired, hired) > '2019-02'": [
        [2]
    ],
    """SELECT count(*) FROM shifts WHERE time("begin") = '06:00' OR "end"::time > '20:00'""": [[1]],
    "SELECT name FROM staff_list WHERE hired - 1 = '2020-07-14'": [["Ben Ode"]],
    # ages, in whole units
    "SELECT AGE('2001-04-10', '1957-06-13'), EXTRACT(YEAR FROM AGE('2024-02-29', hired)) FROM staff_list LIMIT 1": [
        ["43 years 9 mons 27 days", 4]
    ],
    "SELECT TIMESTAMPDIFF(YEAR, '2020-08-01', '2024-05-01'), TIMESTAMPDIFF(MONTH, '2024-03-31', '2024-01-31')": [
        [3, -2]
    ],
    # shares of counts have a fraction
    "SELECT count(*) FILTER (WHERE paid) / count(*), sum(paid) * 100 / NULLIF(count(*), 0) FROM work": [
        [0.666666666666667, 66.6666666666667]
    ],
    "SELECT count(*) / (SELECT count(*) FROM work), 7 / 2 FROM work WHERE paid": [[0.666666666666667, 3]],
    "SELECT count(*) / 2, (count(*) + 1) / 2, 100 * count(*) / 8, sum(paid) * 7 / 4 FROM work": [[1.5, 2, 37.5, 3.5]],
    "SELECT count(*) * count(*), count(*) * 2, 2 * sum(paid) * count(*) FROM work": [[9, 6, 12]],
    "SELECT task FROM work ORDER BY task LIMIT 1 OFFSET (SELECT count(*) / 2 FROM work)": [["b"]],
    # what is in small letters equals no capitals
    "SELECT count(*) FROM staff_list WHERE lower(team) = 'Sales' OR UPPER(name) IN ('Cleo Ito', 'x')": [[3]],
    "SELECT (row_number() OVER (ORDER BY task) - 1) * 2 / count(*) OVER () FROM work": [[0], [0], [1]],
    # times are compared by their length and added up as hours
    "SELECT task FROM work WHERE worked > '9:00' ORDER BY worked": [["c"], ["b"]],
    "SELECT max(worked), min(w.came), round(sum(w.worked), 4) FROM work w": [["10:05", "8:15", 28.3333]],
    "SELECT went - came, came + '1:00' FROM work WHERE came = '09:00'": [[8.5, 10]],
    "SELECT strftime('%H', came), julianday(w.went) > julianday(w.came) FROM work w LIMIT 1": [["09", 1]],
    "SELECT went - came - '0:30', round(worked * 20, 2), worked - 8, -came FROM work LIMIT 1": [[8, 170, 0.5, -9]],
    "SELECT task FROM work WHERE worked > 9 AND came BETWEEN 8 AND 9.5": [["b"]],
    "SELECT sum((w.went - w.came) * 10) / sum(w.worked) FROM work w WHERE task = 'a'": [[10]],
    "SELECT hour(went), minute(went), date_part('hour', came) FROM work LIMIT 1": [[17, 30, 9]],
    "SELECT sum(hours(time)), sum(time), max(time) FROM year_book__spent": [[49.5, 49.5, "30:00"]],
    "SELECT count(*) FROM work WHERE paid = 'true' OR paid <> 'TRUE'": [[3]],
    "SELECT count(*) FROM work WHERE paid == 'yes' AND 'true' = 'true'": [[2]],
    # texts are joined, numbers as they are shown
    "SELECT team + ': ' + name FROM staff_list LIMIT 1": [["Sales: Anna Berg"]],
    "SELECT 'Q' || quarter || '/' || worth_eur FROM year_book__sold": [["Q1/2.5"], ["Q2/4"]],
    "SELECT pay::text, CAST(pay AS VARCHAR(9)), CONVERT(pay, CHAR) FROM staff_list LIMIT 1": [["52000"] * 3],
    # numbers and texts of digits are compared by what they say
    "SELECT name FROM staff_list WHERE YEAR(hired) = '2020'": [["Ben Ode"]],
    "SELECT count(*) FROM staff_list WHERE YEAR(hired) IN ('2020', '2021') AND name > ''": [[2]],
    "SELECT name FROM staff_list WHERE strftime('%Y', hired) = 2020 AND 1": [["Ben Ode"]],
    "SELECT count(*) FROM staff_list WHERE strftime('%m', hired) BETWEEN 1 AND 3": [[2]],
    "SELECT count(*) FROM staff_list WHERE substr(hired, 1, 4) = 2020": [[1]],
    "SELECT count(*) FROM staff_list WHERE strftime('%m', hired) = '03'": [[1]],
    "SELECT name FROM staff_list WHERE chief = NULL": [["Ben Ode"]],
    "SELECT count(*) FROM staff_list WHERE chief <> NULL AND chief != NULL": [[2]],
    # forms, quantiles, order of clauses
    "SELECT FORMAT(hired, 'yyyy-MM'), FORMAT(hired, 'MMM yyyy') FROM staff_list LIMIT 1": [["2019-03", "Mar 2019"]],
    "SELECT FORMAT(pay, 'N2'), FORMAT(pay, 1), FORMAT(0.5, 'P0') FROM staff_list LIMIT 1": [
        ["52,000.00", "52,000.0", "50%"]
    ],
    "SELECT format('%.1f', pay), format('{:.2f} of {}', pay, name) FROM staff_list LIMIT 1": [
        ["52000.0", "52000.00 of Anna Berg"]
    ],
    "SELECT PERCENTILE(pay, 50), MODE() WITHIN GROUP (ORDER BY team) FROM staff_list": [[48000.5, "Sales"]],
    "SELECT DATENAME(month, hired), CONVERT(INT, pay), HOUR(hired) FROM staff_list LIMIT 1": [["March", 52000, 0]],
    "SELECT name FROM staff_list ORDER BY pay OFFSET 1 LIMIT 1": [["Ben Ode"]],
    "SELECT name FROM staff_list ORDER BY pay OFFSET 2": [["Anna Berg"]],
    "SELECT team FROM staff_list MINUS SELECT 'Sales'": [["Support"]],
    "SELECT name FROM staff_list WHERE name !~ 'e' AND name !~* 'ODE'": [],
    "SELECT count(*) FROM staff_list WHERE contains(name, 'Berg') OR ends_with(name, 'Ito')": [[2]],
    "SELECT bool_or(pay > 50000), approx_count_distinct(team) FROM staff_list": [[1, 2]],
    "SELECT count(*) FROM (SELECT name FROM staff_list ORDER BY RAND() LIMIT 2)": [[2]],
    # groups and their totals
    "SELECT team, count(*) FROM staff_list GROUP BY ROLLUP(team) ORDER BY 1": [[None, 3], ["Sales", 2], ["Support", 1]],
    "SELECT COALESCE(team, 'All') t, sum(pay) p FROM staff_list s GROUP BY s.team WITH ROLLUP HAVING p > 50000": [
        ["Sales", 100000.5],
        ["All", 141000.5],
    ],
    "SELECT team, name, max(pay) FROM staff_list GROUP BY GROUPING SETS ((team), (name), ()) ORDER BY max(pay), 1, 2": [
        [None, "Cleo Ito", 41000],
        ["Support", None, 41000],
        [None, "Ben Ode", 48000.5],
        [None, None, 52000],
        [None, "Anna Berg", 52000],
        ["Sales", None, 52000],
    ],
    "SELECT GROUPING(team), GROUPING(chief), count(*) FROM staff_list GROUP BY CUBE(team, chief) ORDER BY 1, 2, 3": [
        [0, 0, 1],
        [0, 0, 1],
        [0, 0, 1],
        [0, 1, 1],
        [0, 1, 2],
        [1, 0, 1],
        [1, 0, 1],
        [1, 0, 1],
        [1, 1, 3],
    ],
    "SELECT count(*) FROM (SELECT team, chief FROM staff_list GROUP BY team, ROLLUP(chief))": [[5]],
    "SELECT COUNT(DISTINCT team, hired), COUNT(DISTINCT team) FROM staff_list": [[3, 2]],
    "SELECT DISTINCT team, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY pay) OVER (PARTITION BY team) FROM staff_list": [
        ["Sales", 50000.25],
        ["Support", 41000],
    ],
    "SELECT median(pay) OVER (ORDER BY hired ROWS 1 PRECEDING) FROM staff_list": [[52000], [50000.25], [44500.25]],
    "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY pay), REGR_SLOPE(pay, pay) FROM staff_list": [[48000.5, 1]],
    "SELECT team, RATIO_TO_REPORT(count(*)) OVER () FROM staff_list GROUP BY team ORDER BY 2 LIMIT 1": [
        ["Support", 0.333333333333333]
    ],
    # dates of texts, cases, lists, names
    "SELECT name FROM staff_list WHERE hired > TO_DATE('15/07/2020', 'DD/MM/YYYY')": [["Cleo Ito"]],
    "SELECT STR_TO_DATE(hired, '%d.%m.%Y'), PARSE_DATE('%m/%d/%Y', '12/31/2024') FROM staff_list LIMIT 1": [
        ["2019-03-01", "2024-12-31"]
    ],
    "SELECT DECODE(chief, 'Dora', 1, NULL, 2, 3) FROM staff_list": [[1], [2], [3]],
    "SELECT DIV(17, 5), TO_CHAR(1234.5, 'FM9,999.00'), TO_CHAR(3, '9')": [[3, "1,234.50", "3"]],
    "SELECT t.name FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, name) WHERE t.id = 2": [["b"]],
    "SELECT team, ARRAY_TO_STRING(ARRAY_AGG(name ORDER BY name DESC), '; ') FROM staff_list GROUP BY 1 LIMIT 1": [
        ["Sales", "Ben Ode; Anna Berg"]
    ],
    "SELECT name FROM staff_list WHERE chief <=> NULL": [["Ben Ode"]],
    "SELECT count(*) FROM dbo.staff_list WITH (NOLOCK) WHERE pay > 42000": [[2]],
    # files and documents where a table is expected
    "SELECT count(*) FROM 'staff-list.csv'": [[3]],
    "SELECT count(*) FROM staff-list": [[3]],
    "SELECT count(*) FROM staff-list.csv s": [[3]],
    "SELECT count(*) FROM read_csv_auto('data/staff-list.csv', header=true)": [[3]],
    "SELECT sum(s.worth_eur) FROM year_book.sold s JOIN year_book.plans p ON s.quarter = p.quarter": [[6.5]],
    "SELECT s.team FROM main.staff_list s LIMIT 1": [["Sales"]],
    # columns that only the tables know
    "PIVOT sold_by ON channel USING sum(units) GROUP BY item ORDER BY item": [["A", 4, 15], ["B", None, 7]],
    "PIVOT sold_by ON channel IN ('web') USING max(units) AS most, count(*) AS n GROUP BY item": [
        ["A", 10, 2],
        ["B", 7, 1],
    ],
    "WITH p AS (PIVOT later ON strftime('%Y-%m', day) USING sum(n)) SELECT `2024-02` - `2024-01` FROM p": [[2]],
    "WITH a AS (SELECT * FROM sold_by WHERE item = 'A'), p AS (PIVOT a ON channel USING sum(units) GROUP BY item) "
    "SELECT web / shop FROM p": [[3.75]],
    "SELECT p.item, p.shop FROM (SELECT item, channel, units FROM sold_by) AS s "
    "PIVOT (SUM(units) FOR channel IN ([web], [shop])) AS p": [["A", 4], ["B", None]],
    "SELECT item, sum(v) FROM months UNPIVOT (v FOR month IN (jan, feb, mar)) u GROUP BY item": [
        ["Desk", 6],
        ["Lamp", 10],
    ],
    "UNPIVOT months ON COLUMNS(* EXCLUDE item) INTO NAME month VALUE v ORDER BY v DESC LIMIT 2": [
        ["Lamp", "mar", 6],
        ["Lamp", "jan", 4],
    ],
    "SELECT * EXCLUDE (_sheet, _row, _uri) REPLACE (units * 2 AS units) FROM sold_by LIMIT 1": [["A", "web", 20]],
    "SELECT s.* EXCEPT (channel, _sheet, _row, _uri), s.units + 1 AS more FROM sold_by s LIMIT 1": [["A", 10, 11]],
    "SELECT item FROM sold_by EXCEPT SELECT 'A'": [["B"]],
    "SELECT list(n ORDER BY n DESC) FROM (SELECT 1.0 AS n UNION SELECT 2.5)": [["2.5,1"]],
    "SELECT [units] FROM sold_by LIMIT 1": [[10]],
    # where rows stand is said once, by their source, unless it is asked for
    "SELECT * FROM months LIMIT 1": [["Desk", 1, 2, 3, 2]],
    "SELECT m.*, m._uri FROM months m LIMIT 1": [["Desk", 1, 2, 3, 2, *2 * ["sheet://months/1?range=A2:D2"]]],
    "SELECT count(*) FROM (SELECT * FROM months)": [[2]],
    'SELECT * FROM "mont*" LIMIT 1': [["Desk", 1, 2, 3, "months", "months", 2, "sheet://months/1?range=A2:D2"]],
}


def test_what_sqlite_would_take_for_something_else_is_answered_as_meant(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql, rows in MEANT.items():
            result = await client.call_tool("query_tables", {"sql": sql})
            assert not result.is_error, (sql, text_of(result))
            assert (result.structured_content or {})["rows"] == rows, sql

    library.play(body, "auto")


def test_a_wide_table_is_described_page_by_page_in_twelve_hundred_tokens(library: Opened) -> None:
    async def body(client: Client) -> None:
        start: int | None = 0
        names: list[str] = []
        told: Any = None
        while start is not None:
            answer = await client.call_tool("describe_table", {"table": "wide", "start": start})
            told = answer.structured_content
            assert json_tokens(told) <= 1200
            names += [column["name"] for column in told["columns"]]
            start = told.get("next_start")
            if start is not None:
                assert told["further_columns"].startswith(f"sensor_{len(names)}, sensor_{len(names) + 1}")
        assert names == [f"sensor_{at}" for at in range(300)]
        assert "further_columns" not in told

    library.play(body, "auto")


TOLD = {
    "SELECT count(*) FROM staff_list WHERE Left On > '2020-01-01'": "write left_on for Left On",
    "SELECT Worth (EUR) FROM year_book__sold": "write worth_eur for Worth (EUR)",
    "SELECT * FROM Year Book": "did you mean year_book__",
    'SELECT * FROM "Year Book.xlsx"': "Year Book.xlsx names 3 tables; write one of year_book__sold, year_book__plans",
    "SELECT name FROM staff_list WHERE ROWNUM <= 3": "write LIMIT 5",
    "SELECT MAX(pay) KEEP (DENSE_RANK FIRST ORDER BY hired) FROM staff_list": "write max_by(x, y)",
    "SELECT FIRST(name) FROM staff_list": "write min_by(x, _row)",
    "SELECT SUBSTRING_INDEX(name, ' ', 1) FROM staff_list": "write split_part",
    "SELECT count((name) FROM staff_list": "a bracket is not closed",
    'SELECT "name FROM staff_list': 'a " is not closed',
    "WITH x AS (SELECT 1), SELECT * FROM x": "leave out the comma before SELECT",
    "SELECT team FROM staff_list ORDER BY 1 GROUP BY team": "write GROUP BY before ORDER BY",
    "SELECT name FROM staff_list s LEFT ANTI JOIN shifts t ON s.name = t.begin": "WHERE NOT EXISTS",
    "SELECT LAG(pay) IGNORE NULLS OVER (ORDER BY hired) FROM staff_list": "IS NOT NULL in a SELECT inside",
    "PRAGMA table_info(staff_list)": "describe_table tells more",
}


FOLLOWED: dict[str, tuple[str, str, Any]] = {
    "SELECT TOP 34 PERCENT name FROM staff_list": (
        "LIMIT (SELECT CAST(count(*) / 10 AS INTEGER) FROM t)",
        "SELECT name FROM staff_list LIMIT (SELECT CAST(count(*) / 3 AS INTEGER) FROM staff_list)",
        [["Anna Berg"]],
    ),
    "SELECT name FROM staff_list LIMIT (SELECT count(*) / 2 FROM staff_list)": (
        "write CAST(x AS INTEGER)",
        "SELECT name FROM staff_list LIMIT (SELECT CAST(count(*) / 3 AS INTEGER) FROM staff_list)",
        [["Anna Berg"]],
    ),
    "SELECT unnest(string_split(tags, ';')) AS tag FROM tags": (
        "WITH RECURSIVE p(item, rest) AS (SELECT '', x || ';' FROM t UNION ALL SELECT substr(rest, 1, instr(rest, ';') "
        "- 1), substr(rest, instr(rest, ';') + 1) FROM p WHERE rest <> '') SELECT item, count(*) FROM p WHERE item <> "
        "'' GROUP BY 1",
        "WITH RECURSIVE p(item, rest) AS (SELECT '', tags || ';' FROM tags UNION ALL SELECT substr(rest, 1, "
        "instr(rest, ';') - 1), substr(rest, instr(rest, ';') + 1) FROM p WHERE rest <> '') SELECT item, count(*) "
        "FROM p WHERE item <> '' GROUP BY 1",
        [["blue", 2], ["green", 2], ["red", 2]],
    ),
    "SELECT t.tag FROM tags, UNNEST(string_to_array(tags, ';')) AS t(tag)": (
        "split_part(x, ';', 1) for the first",
        "SELECT split_part(tags, ';', 1) FROM tags LIMIT 1",
        [["red"]],
    ),
    "SELECT count(*) FROM tags WHERE list_contains(tags, 'green')": (
        "write ';' || x || ';' LIKE '%;a;%'",
        "SELECT count(*) FROM tags WHERE ';' || tags || ';' LIKE '%;green;%'",
        [[2]],
    ),
    "SELECT s.team, x.top FROM staff_list s CROSS JOIN LATERAL (SELECT max(pay) top FROM staff_list t) x": (
        "WHERE n <= 3 around row_number() OVER (PARTITION BY a ORDER BY b) AS n",
        "SELECT team, pay FROM (SELECT team, pay, row_number() OVER (PARTITION BY team ORDER BY pay DESC) AS n FROM "
        "staff_list) WHERE n <= 1",
        [["Sales", 52000], ["Support", 41000]],
    ),
    "SELECT name FROM staff_list WHERE team = ANY(ARRAY['Sales', 'IT'])": (
        "write x IN ('a', 'b')",
        "SELECT count(*) FROM staff_list WHERE team IN ('Sales', 'IT')",
        [[2]],
    ),
    "SELECT last(name ORDER BY hired) FROM staff_list": (
        "max_by(x, y) for the last",
        "SELECT max_by(name, hired) FROM staff_list",
        [["Cleo Ito"]],
    ),
    "SELECT split(tags, ';')[OFFSET(0)] FROM tags": (
        "write split_part(x, ';', 1)",
        "SELECT split_part(tags, ';', 1) FROM tags LIMIT 1",
        [["red"]],
    ),
    "SELECT array_agg(name ORDER BY pay)[1] FROM staff_list": (
        "max_by(x, y) for one row's",
        "SELECT max_by(name, pay) FROM staff_list",
        [["Anna Berg"]],
    ),
    "SELECT sum(n) OVER (ORDER BY day RANGE BETWEEN INTERVAL '31 days' PRECEDING AND CURRENT ROW) FROM later": (
        "write ORDER BY julianday(x) RANGE BETWEEN 30 PRECEDING AND CURRENT ROW",
        "SELECT DISTINCT day, sum(n) OVER (ORDER BY julianday(day) RANGE BETWEEN 30 PRECEDING AND CURRENT ROW) AS s "
        "FROM later ORDER BY day LIMIT 1",
        [["2024-01-03", 151]],
    ),
    "SELECT pay AS p, p * 2 FROM staff_list": (
        "p is a name that the same SELECT gives; write what it stands for once more",
        "SELECT pay AS p, pay * 2 FROM staff_list LIMIT 1",
        [[52000, 104000]],
    ),
    "SELECT pay ^ 2 FROM staff_list LIMIT 1": (
        "write power(x, 2)",
        "SELECT power(units, 2) FROM sold_by LIMIT 1",
        [[100]],
    ),
    "SELECT pay // 1000 FROM staff_list": (
        "write floor(x / y)",
        "SELECT floor(pay / 1000) FROM staff_list LIMIT 1",
        [[52]],
    ),
    "SELECT name FROM staff_list s SEMI JOIN sold_by t ON s.name = t.item": (
        "WHERE EXISTS for SEMI JOIN",
        "SELECT count(*) FROM staff_list s WHERE EXISTS (SELECT 1 FROM tags t WHERE s.name LIKE t.person || '%')",
        [[2]],
    ),
    "SELECT * FROM generate_series(1, 2)": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2) SELECT i FROM n",
        [[1], [2]],
    ),
    "PIVOT sold_by USING sum(units)": (
        "write PIVOT t ON a IN ('x', 'y') USING sum(b) GROUP BY c",
        "PIVOT sold_by ON channel IN ('web', 'shop') USING sum(units) GROUP BY item",
        [["A", 15, 4], ["B", 7, None]],
    ),
    "SELECT count(*) FROM sold_by NATURAL JOIN months": (
        "write JOIN … USING (a)",
        "SELECT count(*) FROM sold_by JOIN months USING (item)",
        [[0]],
    ),
}
"""What is refused, what is said of it, and the query that does what was said."""


def test_what_a_refusal_says_leads_to_the_answer(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql, (said, second, rows) in FOLLOWED.items():
            refused = await client.call_tool("query_tables", {"sql": sql})
            assert refused.is_error, sql
            assert said in text_of(refused), (sql, text_of(refused))
            result = await client.call_tool("query_tables", {"sql": second})
            assert (result.structured_content or {}).get("rows") == rows, (second, text_of(result))

    library.play(body, "auto")


def test_a_pivot_of_a_hundred_values_is_made_and_of_more_refused(library: Opened) -> None:
    async def body(client: Client) -> None:
        for most, columns in ((100, 101), (101, 0)):
            sql = f"PIVOT (SELECT _row AS r, n FROM later WHERE _row < {most + 2}) ON r USING sum(n) GROUP BY n"
            result = await client.call_tool("query_tables", {"sql": sql})
            assert len((result.structured_content or {}).get("columns", ())) == columns
            assert result.is_error == (not columns)
            assert columns or "name those wanted by IN ('a', 'b')" in text_of(result)

    library.play(body, "auto")


def test_what_cannot_be_answered_is_told_with_what_to_write(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql, said in TOLD.items():
            result = await client.call_tool("query_tables", {"sql": sql})
            assert result.is_error, sql
            assert said in text_of(result), (sql, text_of(result))

    library.play(body, "auto")
