"""Queries that give an answer and yet not what was meant: what an assistant is told of what they compare."""

from __future__ import annotations

from collections.abc import Generator
from itertools import permutations
from typing import Any

import pytest
from mcp.client.client import Client
from openpyxl import Workbook
from support.clients.harness import text_of
from support.clients.opened import Opened, opened

CUSTOMERS = "Customer No,Name,City,Since,Share\n" + "".join(
    f"{number:03},Firm {name},{city},2024-01-{number:02},{number} %\n"
    for number, name, city in ((7, "A", "Köln"), (8, "B", "Bonn"), (12, "C", "Bonn"), (15, "D", "Aachen"))
)
ORDERS = (
    "Order,Customer No,Amount,Placed\nA1,7,10.5,2024-01-01 10:30:00\n"
    "A2,12,1250,2024-01-02 00:00:00\nA3,99,5,2024-01-03 09:00:00\n"
)
CODES = "Key,Customer,Label\n1 ,7,first\n2,8,second\nx,16,third\n"
LATVIA = "Pilsēta,Ūdens\nRīga,1\nCēsis,2\n"
STATES = "State,Sales\nGermany,600\nNorth,100\nSouth,200\nEast,250\nWest,50\n"
DEATHS = "Day,Ward,Deaths\n2021-02-01,a,7\n2021-02-02,b,8\n2021-02-03,a,\n2021-02-04,b,15\n,a,40965\n2021-02-06,,10\n"
YEARS = "Country,1950,1951,Member\nA,10,11,TRUE\nB,20,21,FALSE\nC,30,31,TRUE\n"
AREAS = (
    "Area,People,Size\nGermany,83,357\nNorth,20,100\nSouth,40,150\nWest,23,107\nFrance,67,551\n"
    "Nord,30,200\nSud,37,351\n"
)
MODELS = "What,Alpha,Beta\nHeight,120,340\nOpened,2001-05-01,1998-03-12\nSensors,4,80\nColour,red,blue\n"
SHOPS = "City,Shop\nBonn,1\nBonn,2\nKöln,3\n"
WEIGHTS = "Part,Weight\na,10 kg\nb,12 kg\n"
MEDALS = "Country,Gold\nFrance,16\nUSA,40\nJapan,20\nItaly,12\n"
NATIONS = "Name,Continent\nFrance,Europe\nJapan,Asia\nItaly,Europe\nKenya,Africa\nPeru,America\nChile,America\n"
BOOKED = "Item,Currency,Price\na,EUR,10\nb,USD,20\nc,EUR,30\nd,EUR,5\n"
MONTHLY = "Month,Paid,Logged\nDec-23,5,Jan-01\nJan-24,1,Jan-02\nFeb-24,2,Jan-03\n"
QUARTERS = "Quarter,Sold\nQ3 2023,1\nQ4 2023,2\nQ1 2024,4\nQ2 2024,8\n"
BOOKED_DAYS = "Id,Posted,Amount\n1,20240131,5\n2,20240215,7\n3,20240301,9\n4,20231224,2\n5,,3\n"
CASH = "Position,W1,W2\nInflow,120,80.5\nOutflow,-100,-90\nWages,-30,-30\nNet change,-10,-39.5\n"
SCORES = "Pupil,Score\na,90\nb,-999\nc,70\nd,60\ne,80\n"
FROST = "Day,Degrees\n1,-3\n2,-9999\n3,4\n4,-9999\n5,2\n6,-1\n"
CALLS = "Note,Cost\nUrgent repair,30\nurgent call,10\nPlanned repair,25\n"
STAYS = "Car,Parked\na,2d 3h\nb,7h 30m\nc,1 day\nd,45m\n"
CLAUSES = "Clause,Pages\n4,1\n4.1,2\n4.2,3\n5,4\n"
FILMS = 'Film,Genres\nF1,"Drama, Comedy"\nF2,Comedy\nF3,Action; Comedy\nF4,Drama\n'
CLIENTS = "Client,Country\nAcme,US\nAcme Europe,DE\nBolt,US\n"
SALES = 'Sale,Client,Total\n11,Acme,100\n12,Acme Europe,200\n13,Bolt,50\n14,"acme ",25\n'
MEMBERS = "Who,Admin,Joined\nA,Yes,13/02/2024\nB,No,02/14/2024\nC,Yes,05/06/2024\nD,No,30/01/2024\n"
REGIONS = "Region,Item,Sold\nNorth,Beer,1\n,Wine,2\n,Tea,3\nSouth,Beer,4\n,Wine,5\n,Tea,6\n"
WEEKS = "Week,Minutes,Guests,Open\nKW 5,30 min,~50,yes\nKW 6,45 min,90,YES\nKW 12,60 min,70,no\n"
TWINS = "Key,Amount,Amount\na,5,7\nb,6,9\n"
STATEMENT = "Posted;Account;Amount\n18.01.2024;DE75;54,72\n24.02.2024;DE58;5.908,10\n;Endsaldo;1.234,50\n"
NIGHTS = "Came,Went\n22:00,6:00\n8:00,16:30\n9:15,17:00\n"
TENURES = "Who,Member since,File\nA,03/2019,01/2019\nB,11/2020,02/2019\nC,07/2018,03/2019\n"
NAMED = "Month,Sold\nJanuary,1\nFebruary,2\nMarch,3\nApril,4\n"
BUDGET = "Dept,Jan,Feb,Mar\na,1,2,3\nb,,4,5\nc,6,-,7\nd,,,\ne,1,1,1\n"
CLAIMS = "Claim,Currency,Value\nc1,USD,100\nc2,GBP,50\nc3,EUR,80\nc4,CHF,10\n"
RATES = "Currency,Rate\nUSD,0.92\nGBP,1.17\nEUR,1\n"
BRANCHES = "Town,Phone\nKÖLN ,11\nBONN,12\nAACHEN,13\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generator[Opened]:
    """Tables whose keys are written in several ways."""
    place = tmp_path_factory.mktemp("library")
    files = place / "files"
    files.mkdir()
    for name, content in (
        ("customers", CUSTOMERS),
        ("orders", ORDERS),
        ("codes", CODES),
        ("twins", TWINS),
        ("statement", STATEMENT),
        ("branches", BRANCHES),
        ("claims", CLAIMS),
        ("rates", RATES),
        ("nights", NIGHTS),
        ("named", NAMED),
        ("tenures", TENURES),
        ("budget", BUDGET),
        ("cash", CASH),
        ("scores", SCORES),
        ("frost", FROST),
        ("calls", CALLS),
        ("stays", STAYS),
        ("clauses", CLAUSES),
        ("films", FILMS),
        ("members", MEMBERS),
        ("regions", REGIONS),
        ("weeks", WEEKS),
        ("clients", CLIENTS),
        ("sales", SALES),
        ("medals", MEDALS),
        ("nations", NATIONS),
        ("latvia", LATVIA),
        ("states", STATES),
        ("years", YEARS),
        ("deaths", DEATHS),
        ("shops", SHOPS),
        ("monthly", MONTHLY),
        ("booked_days", BOOKED_DAYS),
        ("quarters", QUARTERS),
        ("booked", BOOKED),
        ("areas", AREAS),
        ("models", MODELS),
        ("weights", WEIGHTS),
        ("stock--of_a__b", WEIGHTS),
    ):
        (files / f"{name}.csv").write_text(content, "utf-8")
    book = Workbook()
    for row in (("Item", "Amount"), ("Boat", 10), ("Oar", 20)):
        book[book.sheetnames[0]].append(row)
    book.save(files / "ledger.xlsx")
    whole = (files / "ledger.xlsx").read_bytes()
    (files / "ledger.xlsx").write_bytes(whole[: whole.index(b"PK\x01\x02")])  # no central directory
    with opened(place) as library:
        yield library


async def noticed(client: Client, sql: str) -> tuple[Any, list[str]]:
    answer = await client.call_tool("query_tables", {"sql": sql})
    assert not answer.is_error, text_of(answer)
    given = answer.structured_content
    assert given is not None
    notices: list[str] = given.get("notices", [])
    for notice in notices:
        assert f"Note: {notice}" in text_of(answer)
    return given["rows"], notices


TOLD = {
    "SELECT w2 FROM cash WHERE position = 'Net change'": (
        "'Net change' is a total, row 5 of cash, and no row of data: there w2 -39.5."
    ),
    "SELECT avg(score) FROM scores": (
        "score of scores has -999 in 1 row(s) and nothing else below 0; if that means a missing value, write "
        "nullif(score, -999)."
    ),
    "SELECT count(*) FROM films WHERE genres = 'Comedy'": (
        "2 more rows of films have 'Comedy' in genres beside others ('Drama, Comedy'); if it holds lists, write "
        "genres LIKE '%Comedy%'."
    ),
    "SELECT country, sum(total) FROM sales s JOIN clients c ON s.client LIKE c.client || '%' GROUP BY 1": (
        "1 of 4 rows of sales fit several rows of clients by LIKE, and count once for each; join by = if that is not "
        "meant."
    ),
    "SELECT country, sum(total) FROM sales s JOIN clients c ON s.client = c.client GROUP BY 1": (
        "Keys of sales are in clients but for their case, and do not meet ('acme'); write "
        "lower(sales.client) = lower(clients.client)."
    ),
    "SELECT sum(price) FROM booked": (
        "currency of booked names several currencies (EUR, USD), and price is added up over all of them; "
        "write GROUP BY currency."
    ),
    "SELECT name FROM customers WHERE customer_no = 7": (
        "customer_no is text, and no row has '7'; write customer_no = '007', or CAST(customer_no AS REAL) = 7."
    ),
    "SELECT name FROM customers c WHERE c.customer_no IN ('008', 12)": "write customer_no = '012'",
    "SELECT count(*) FROM customers WHERE customer_no > 9": "write CAST(customer_no AS REAL) > 9.",
    "SELECT count(*) FROM customers WHERE share > 5": "share holds fractions, at most 0.15: write 0.05 for 5 %.",
    "SELECT count(*) FROM customers WHERE share = '8 %'": "'8 %' is a text and equals none of them.",
    "SELECT count(*) FROM orders WHERE amount >= '1,000'": "amount holds numbers; '1,000' is a text",
    "SELECT count(*) FROM customers WHERE since >= '10.01.2024'": "since holds dates as 'YYYY-MM-DD'; '10.01.2024'",
    "SELECT count(*) FROM customers WHERE since = 2024": "2024 is none, and compared as a text.",
    "SELECT count(*) FROM orders WHERE placed BETWEEN '2024-01-01' AND '2024-01-03'": (
        "placed holds times, and '2024-01-03' is the midnight that day begins with; write date(placed)."
    ),
    "SELECT count(*) FROM customers WHERE city = 'bonn'": "No row of customers has city = 'bonn'; there is 'Bonn'.",
    "SELECT count(*) FROM customers WHERE City = 'Achen'": "did you mean Aachen?",
    "SELECT count(*) FROM customers WHERE city LIKE '%koln%'": (
        "No row of customers has city LIKE '%koln%'; but for accents and case there is 'Köln', to be written as it is, "
        "or with _ for a letter."
    ),
    "SELECT count(*) FROM customers WHERE city LIKE 'Oslo%'": ("No row of customers has city LIKE 'Oslo%'; there are "),
    "SELECT count(*) FROM customers c WHERE c.city LIKE 'KÖL%'": (
        "No row of customers has city LIKE 'KÖL%'; but for accents and case there is 'Köln', to be written as it is, "
        "or with _ for a letter."
    ),
    "SELECT count(*) FROM customers WHERE city = 'Rome' -- since > 'x'": "No row of customers has city = 'Rome'.",
    "SELECT * FROM orders o JOIN customers c ON o.customer_no = c.customer_no": (
        "one is text and one a number ('007' equals 7): 2 of 3 keys of orders are in customers."
    ),
    "SELECT * FROM orders JOIN customers USING (customer_no)": "2 of 3 keys of orders are in customers.",
    "SELECT * FROM customers JOIN orders USING (customer_no)": "2 of 4 keys of customers are in orders.",
    "SELECT * FROM customers, branches WHERE customers.city = branches.town": (
        "0 of 3 keys of customers are in branches; more are by lower(customers.city) = lower(branches.town)."
    ),
    "SELECT continent, sum(gold) FROM medals m JOIN nations n ON m.country = n.name GROUP BY 1": (
        "Rows of medals are left out whose country is not in nations.name (1 of 4: USA); LEFT JOIN keeps them."
    ),
    "SELECT * FROM orders o JOIN customers c ON o.placed = c.since": "write date(orders.placed).",
    "SELECT sum(1950), 2 FROM years": "1950 is a number here; the column headed so is y1950.",
    "SELECT 1951 FROM years": "1951 is a number here; the column headed so is y1951.",
    "SELECT country FROM years WHERE member = 'maybe'": "member holds 1 for true and 0 for false; 'maybe' is a text",
    "SELECT avg(sales) FROM states": (
        "Row 2 of states is the sum of all others in sales, and counts as data; if it is a total, "
        "write WHERE _row <> 2."
    ),
    "SELECT sum(people) FROM areas": (
        "Rows 2, 6 of areas are the sums of the rows below each of them in people, and count as data; if they are "
        "totals of groups, write WHERE _row NOT IN (2, 6)."
    ),
    "SELECT max(beta) FROM models": "beta is text, so that '80' comes behind '340'; write as_number(beta)",
    "SELECT what FROM models ORDER BY alpha DESC LIMIT 1": "write as_number(alpha) for its numbers.",
    "SELECT ward FROM deaths ORDER BY deaths LIMIT 1": "1 row(s) of deaths have no deaths and come first in its order",
    "SELECT count(*) FROM deaths WHERE ward <> 'a'": "1 row(s) of deaths have no ward and are not among those unlike",
    "SELECT count(*) FROM deaths d WHERE d.ward NOT IN ('a', 'b')": "write OR ward IS NULL.",
    "SELECT count(*) FROM members WHERE admin": "admin of members is text ('No', 'Yes') and no truth value",
    "SELECT count(*) FROM members m WHERE m.admin IS TRUE AND m.who > ''": "write admin = 'Yes' and the like.",
    "SELECT count(*) FROM members WHERE month(joined) = 2": "joined of members is text ('30/01/2024'), no date",
    "SELECT count(*) FROM members WHERE joined BETWEEN '2024-02-01' AND '2024-02-29'": "dates of both orders",
    "SELECT sum(sold) FROM regions WHERE region = 'North'": (
        "region of regions stands in 2 of 6 rows, as if once for the rows below it; if so, (SELECT b.region "
    ),
    "SELECT count(*) FROM weeks WHERE open = 'yes'": "have 'yes' in open in another case ('YES'); write lower(open)",
    "SELECT week FROM weeks ORDER BY week DESC LIMIT 1": "from 'KW 12' to 'KW 6'; by its numbers",
    "SELECT count(*) FROM weeks w WHERE w.week >= 'KW 6'": "'KW 12' is last.",
    "SELECT max(guests) FROM weeks": "guests of weeks is text and ordered sign by sign, from '70' to '~50'",
    "SELECT sum(hours(minutes)) FROM weeks": "in min, of which hours() knows nothing; write minutes / 60.0.",
    "SELECT year(shop) FROM shops": "shop of shops holds numbers (1), no dates",
    "SELECT sum(went - came) FROM nights": (
        "1 row(s) of nights have went before came, so that the difference is below 0; if these went over midnight, "
        "write iif(went < came, 24, 0) + went - came."
    ),
    "SELECT town FROM branches WHERE town NOT IN (SELECT d.ward FROM deaths d)": (
        "1 row(s) of deaths have no ward, so that NOT IN is true of no row; write WHERE ward IS NOT NULL inside."
    ),
    "SELECT sum(n) FROM (SELECT shop n FROM shops UNION SELECT paid FROM monthly)": "if each counts, write UNION ALL",
    "SELECT sale, client FROM sales WHERE total < 150 ORDER BY total > 40 DESC, length(client) > 3 DESC LIMIT 1": (
        "1 further row(s) have the same total > 40, length(client) > 3 (1, 1) as the last one; write LIMIT 2."
    ),
    "SELECT TOP 1 city FROM shops ORDER BY shop > 1 DESC": "further row(s) have the same shop > 1 (1)",
    "SELECT continent, count(*) AS n FROM nations GROUP BY 1 ORDER BY n DESC LIMIT 1": (
        "1 further row(s) have the same n (2) as the last one; write LIMIT 2."
    ),
    "SELECT count(*) FROM deaths WHERE deaths <> 7": "1 row(s) of deaths have no deaths and are not among those unlike",
    "SELECT sum(b.jan + b.feb - mar) FROM budget b": (
        "2 row(s) of budget have no value in one of jan, feb, mar, and so none of what is computed of them; if that is "
        "0, write coalesce(jan, 0) and the like."
    ),
    "SELECT count(*) FROM orders WHERE amount BETWEEN 900 AND 500": "Nothing is BETWEEN 900 AND 500: the lower one",
    "SELECT count(*) FROM customers WHERE since BETWEEN '2024-02-01' AND '2024-01-01'": "the lower one comes first.",
    "SELECT max(month) FROM named": (
        "month of named is text and ordered by letters, from 'april' to 'march'; for the order of the table write "
        "ORDER BY _row."
    ),
    "SELECT count(DISTINCT open) FROM weeks": "open of weeks has 3 texts, 2 but for case and blanks; if these are the",
    "SELECT open, count(*) FROM weeks GROUP BY open": "are the same, write lower(trim(open)) for open.",
    "SELECT open, count(*) FROM weeks GROUP BY 1": "open of weeks has 3 texts, 2 but for case",
    "SELECT avg(feb) FROM budget": (
        "1 of 4 rows of budget have no feb and are not in its average; if they are 0, write coalesce(feb, 0)."
    ),
    "SELECT sum(c.value * r.rate) FROM claims c JOIN rates r ON r.currency = c.currency": (
        "Rows of claims are left out whose currency is not in rates.currency (1 of 4: CHF); LEFT JOIN keeps them."
    ),
    "SELECT city, avg(shop) FROM shops": "city is of some one row, beside what all rows give; write GROUP BY city",
    "SELECT sum(d.deaths) FROM deaths d": (
        "Row 6 of deaths leaves day empty, which all others fill, and has more in deaths than all others together; "
        "if it is none of them, write WHERE _row <> 6."
    ),
    'SELECT * FROM orders o JOIN customers c ON o."Order" = c.name': "0 of 3 keys of orders are in customers.",
}
QUIET = (
    "SELECT currency, sum(price) FROM booked GROUP BY currency",
    "SELECT sum(price) FROM booked WHERE currency = 'EUR'",
    "SELECT max(price) FROM booked",
    "SELECT name FROM customers WHERE customer_no = '007' AND share > 0.05 AND since >= '2024-01' AND city = 'Köln'",
    "SELECT count(*) FROM orders WHERE amount > '5' OR customer_no = 3 OR placed < '2024-01-03'",
    "SELECT x.city FROM (SELECT upper(city) AS city FROM customers) x WHERE x.city = 'BONN'",
    "WITH x AS (SELECT lower(city) city FROM customers) SELECT * FROM x WHERE city = 'bonn'",
    "SELECT a.name FROM customers a JOIN customers b ON a.city = b.city WHERE lower(a.city) = 'bonn'",
    "SELECT continent, sum(gold) FROM medals m LEFT JOIN nations n ON m.country = n.name GROUP BY 1",
    "SELECT count(*) FROM customers c, shops s WHERE s.city = c.city",
    "SELECT max(sales) FROM states",
    "SELECT city, max(shop) FROM shops",
    "SELECT week FROM weeks ORDER BY week",
    "SELECT count(*) FROM members WHERE admin = 'Yes' AND who BETWEEN 'A' AND 'C'",
    "SELECT sum(sold), count(*) FROM regions WHERE item = 'Wine'",
    "SELECT city, sum(shop) OVER () FROM shops",
    "SELECT count(*) FROM deaths WHERE ward <> 'a' OR ward IS NULL",
    "SELECT max(people), max(what) FROM areas, models ORDER BY what",
    "SELECT max(deaths), count(*) FROM deaths",
    "SELECT sum(iif(went < came, 24, 0) + went - came) FROM nights",
    "SELECT town FROM branches WHERE town NOT IN (SELECT ward FROM deaths WHERE ward IS NOT NULL)",
    "SELECT sum(n) FROM (SELECT shop n FROM shops UNION ALL SELECT paid FROM monthly)",
    "SELECT sum(amount) FROM statement WHERE _row NOT IN (4)",
    "SELECT month FROM named ORDER BY _row DESC LIMIT 1",
    "SELECT sum(coalesce(jan, 0) + coalesce(feb, 0)), sum(jan) + sum(feb) FROM budget",
    "SELECT continent, count(*) n FROM nations GROUP BY 1 ORDER BY n DESC, continent LIMIT 1",
    "SELECT continent, count(*) n FROM nations GROUP BY continent ORDER BY 2 LIMIT 2",
    "SELECT name FROM nations ORDER BY random() LIMIT 2",
    "SELECT count(DISTINCT city), count(DISTINCT lower(town)) FROM shops, branches",
    "SELECT ward FROM deaths ORDER BY deaths NULLS LAST LIMIT 1",
    "SELECT avg(feb) FROM budget WHERE feb IS NOT NULL",
    "SELECT avg(coalesce(feb, 0)), avg(shop) FROM budget, shops",
    "SELECT lower(trim(open)), count(*) FROM weeks GROUP BY lower(trim(open))",
    "SELECT sum(r.rate) FROM claims c JOIN rates r ON r.currency = c.currency",
    "SELECT ward FROM deaths ORDER BY deaths DESC LIMIT 1",
    "SELECT ward FROM deaths WHERE deaths IS NOT NULL ORDER BY deaths LIMIT 1",
    "SELECT sum(amount) FROM orders",
    'SELECT sum("1950"), y1951 FROM years WHERE y1950 > 15 AND y1951 NOT IN (1950, 1951) AND member = 1 GROUP BY 2',
    "SELECT 'city = ''bonn''' FROM customers WHERE city LIKE 'bonn' AND city <> 'Rome'",
    "SELECT count(*) FROM customers WHERE city LIKE '%Oslo%' OR name LIKE '%Oslo%'",
    "SELECT c.name FROM codes k JOIN orders c2 ON k.customer = c2.customer_no JOIN customers c ON 1 = 1",
)


def test_what_is_compared_and_cannot_be_equal_is_told(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql, says in TOLD.items():
            _, notices = await noticed(client, sql)
            assert len(notices) == 1, (sql, notices)
            assert says in notices[0], (sql, notices)

    library.play(body, "auto")


def test_what_is_as_it_seems_is_not_told_of(library: Opened) -> None:
    async def body(client: Client) -> None:
        for sql in QUIET:
            assert (await noticed(client, sql))[1] == [], sql

    library.play(body, "auto")


def test_keys_written_with_noughts_meet_as_numbers_where_a_cast_is_written(library: Opened) -> None:
    async def body(client: Client) -> None:
        sql = "SELECT name FROM customers c JOIN orders o ON CAST(c.customer_no AS INTEGER) = o.customer_no ORDER BY 1"
        assert await noticed(client, sql) == ([["Firm A"], ["Firm C"]], [])

    library.play(body, "auto")


def test_the_case_of_letters_beyond_ascii_is_no_matter_in_names(library: Opened) -> None:
    async def body(client: Client) -> None:
        for name in ("ŪDENS", '"Ūdens"', "ūdens", "l.Ūdens"):
            assert await noticed(client, f"SELECT sum({name}) FROM latvia l") == ([[3]], [])

    library.play(body, "auto")


def test_months_as_spreadsheets_show_them_are_in_order_and_days_of_one_are_none(library: Opened) -> None:
    async def body(client: Client) -> None:
        assert await noticed(client, "SELECT month, logged FROM monthly ORDER BY month") == (
            [["2023-12-01", "Jan-01"], ["2024-01-01", "Jan-02"], ["2024-02-01", "Jan-03"]],
            [],
        )

    library.play(body, "auto")


def test_months_are_found_however_a_query_writes_them_but_not_by_a_part_of_their_names(library: Opened) -> None:
    async def body(client: Client) -> None:
        for text in ("Jan 2024", "Jan-24", "2024 Jan", "2024-01-01"):
            assert await noticed(client, f"SELECT paid FROM monthly WHERE month = '{text}'") == ([[1]], [])
        assert await noticed(client, "SELECT sum(paid) FROM monthly WHERE month >= 'January 2024'") == ([[3]], [])
        assert await noticed(client, "SELECT paid FROM monthly WHERE month LIKE '2024%'") == ([[1], [2]], [])
        assert await noticed(client, "SELECT paid FROM monthly WHERE month LIKE 'Jan%'") == (
            [],
            ["month holds dates as 'YYYY-MM-DD'; 'Jan%' is none, and compared as a text."],
        )

    library.play(body, "auto")


def test_months_of_digits_are_such_under_a_heading_of_time(library: Opened) -> None:
    async def body(client: Client) -> None:
        later = "SELECT who, file FROM tenures WHERE member_since > '11/2018' ORDER BY member_since"
        assert await noticed(client, later) == ([["A", "01/2019"], ["B", "02/2019"]], [])
        assert await noticed(client, "SELECT min(member_since) FROM tenures") == ([["2018-07-01"]], [])

    library.play(body, "auto")


def test_days_of_eight_digits_are_dates_however_a_query_writes_them(library: Opened) -> None:
    async def body(client: Client) -> None:
        for day in ("20240101", "'20240101'", "'2024-01-01'"):
            sql = f"SELECT sum(amount) FROM booked_days WHERE posted >= {day}"
            assert await noticed(client, sql) == ([[21]], []), day
        months = "SELECT month(posted), sum(amount) FROM booked_days WHERE year(posted) = 2024 GROUP BY 1"
        assert await noticed(client, months) == ([[1, 5], [2, 7], [3, 9]], [])
        said = await client.call_tool("describe_table", {"table": "booked_days"})
        assert "dates written as 20240131" in str(said.content)

    library.play(body, "auto")


def test_quarters_are_compared_and_put_in_order_by_time(library: Opened) -> None:
    asked = {
        "SELECT sum(sold) FROM quarters WHERE quarter >= 'Q1 2024'": [[12]],
        "SELECT sum(sold) FROM quarters WHERE quarter BETWEEN '2023-07-01' AND '2024-03-31'": [[7]],
        "SELECT sold FROM quarters WHERE quarter = '2023-Q4'": [[2]],
        "SELECT max(quarter), min(quarter) FROM quarters": [["Q2 2024", "Q3 2023"]],
        "SELECT sold FROM quarters ORDER BY quarter": [[1], [2], [4], [8]],
        "SELECT year(quarter), sum(sold) FROM quarters GROUP BY 1": [[2023, 3], [2024, 12]],
        "SELECT sold FROM quarters WHERE quarter(quarter) = 4": [[2]],
        "SELECT date_trunc('year', quarter) FROM quarters WHERE quarter LIKE 'Q2%'": [["2024-01-01"]],
    }

    async def body(client: Client) -> None:
        for sql, rows in asked.items():
            assert await noticed(client, sql) == (rows, []), sql

    library.play(body, "auto")


def test_a_field_that_is_a_row_is_refused_with_how_to_ask_for_it(library: Opened) -> None:
    refused = {
        "SELECT height FROM models": "Height is not a column but a row of models; write SELECT alpha, beta FROM models "
        "WHERE what = 'Height'.",
        'SELECT m."Sensors" FROM models m': "WHERE what = 'Sensors'.",
        "SELECT heigt FROM models": "There is no column heigt; there are what, alpha, beta.",
    }

    async def body(client: Client) -> None:
        for sql, told in refused.items():
            answer = await client.call_tool("query_tables", {"sql": sql})
            assert answer.is_error and told in text_of(answer), text_of(answer)

    library.play(body, "auto")


def test_sources_stand_in_the_order_of_the_query(library: Opened) -> None:
    async def body(client: Client) -> None:
        for order in permutations(("customers", "orders", "codes", "branches")):
            answer = await client.call_tool("query_tables", {"sql": f"SELECT count(*) FROM {', '.join(order)}"})
            assert answer.structured_content is not None, text_of(answer)
            assert [one["table"] for one in answer.structured_content["sources"]] == list(order)

    library.play(body, "auto")


def test_numbers_added_once_for_each_row_of_another_table_are_told(library: Opened) -> None:
    joined = "FROM customers c JOIN shops s ON c.city = s.city"
    told = [
        "Rows of customers are left out whose city is not in shops.city (1 of 3: Aachen); LEFT JOIN keeps them.",
        "shops has several rows of one city: 2 rows of customers are added once for each; join SELECT DISTINCT or "
        "GROUP BY of shops if that is not meant.",
    ]

    async def body(client: Client) -> None:
        assert (await noticed(client, f"SELECT sum(c.share) {joined}"))[1] == told
        rows, (turned,) = await noticed(client, f"SELECT sum(s.shop), count(*) {joined}")
        assert rows == [[9, 5]]
        assert turned.startswith("customers has several rows of one city: 2 rows of shops are added")
        assert (await noticed(client, f"SELECT count(*) {joined}"))[1] == []
        assert (await noticed(client, f"SELECT sum(c.share) {joined} WHERE s.shop = 1"))[1] == []
        once = "SELECT sum(share) FROM customers c JOIN (SELECT DISTINCT city AS town FROM shops) s ON c.city = s.town"
        assert (await noticed(client, once))[1] == []

    library.play(body, "auto")


def test_a_number_with_its_unit_is_no_text_of_a_column_of_numbers(library: Opened) -> None:
    async def body(client: Client) -> None:
        rows, notices = await noticed(client, "SELECT part FROM weights WHERE weight = '10 kg'")
        assert (rows, notices) == ([], ["weight holds numbers in kg; write 10 for '10 kg'."])

    library.play(body, "auto")


def test_a_table_is_found_by_its_name_whatever_its_file_is_called(library: Opened) -> None:
    async def body(client: Client) -> None:
        assert await noticed(client, "SELECT count(*) FROM stock_of_a_b") == ([[2]], [])

    library.play(body, "auto")


def test_rows_that_may_be_missing_are_told_wherever_the_table_is(library: Opened) -> None:
    async def body(client: Client) -> None:
        rows, notices = await noticed(client, "SELECT sum(amount) FROM ledger")
        assert rows == [[30]]
        (notice,) = notices
        assert notice.startswith("Rows of ledger may be missing, and sums and counts wrong: The file is cut short")
        found = (await client.call_tool("find_tables", {"query": "boat amount"})).structured_content
        assert found is not None
        assert [one["remark"] for one in found["tables"] if one["name"] == "ledger"] == ["rows may be missing"]
        described = (await client.call_tool("describe_table", {"table": "ledger"})).structured_content
        assert described is not None
        assert described["remark"].startswith("Rows may be missing: The file is cut short")
        assert not (await noticed(client, "SELECT sum(amount) FROM orders"))[1]
        for tool, arguments in (
            ("get_outline", {"document_slug": "ledger"}),
            ("search_documents", {"query": "oar"}),
            ("list_documents", {}),
        ):
            assert "read in part" in text_of(await client.call_tool(tool, arguments)), tool

    library.play(body)


def test_a_column_whose_title_another_has_and_a_balance_among_entries_are_told(library: Opened) -> None:
    async def body(client: Client) -> None:
        _, notices = await noticed(client, "SELECT sum(amount) FROM twins")
        assert notices == ["amount of twins is one of 2 columns of its title, beside amount_2."]
        assert await noticed(client, "SELECT sum(amount), sum(amount_2) FROM twins") == ([[11, 16]], [])
        _, notices = await noticed(client, "SELECT sum(amount) FROM statement")
        assert any("Endsaldo" in notice for notice in notices), notices

    library.play(body, "auto")


def test_numbers_far_below_all_others_that_stand_for_nothing_are_told(library: Opened) -> None:
    async def body(client: Client) -> None:
        _, (notice,) = await noticed(client, "SELECT avg(degrees) FROM frost")
        assert notice.startswith("degrees of frost has -9999 in 2 row(s) and nothing else near it")
        assert (await noticed(client, "SELECT avg(nullif(degrees, -9999)) FROM frost"))[1] == []

    library.play(body, "auto")


def test_lengths_of_time_are_ordered_by_their_hours(library: Opened) -> None:
    async def body(client: Client) -> None:
        told = "parked of stays is text and ordered sign by sign, up to '7h 30m'; by hours(parked) '2d 3h' is last."
        assert await noticed(client, "SELECT car FROM stays ORDER BY parked DESC LIMIT 1") == ([["b"]], [told])
        asked = "SELECT car, hours(parked) FROM stays ORDER BY hours(parked) DESC"
        assert await noticed(client, asked) == ([["a", 51], ["c", 24], ["b", 7.5], ["d", 0.75]], [])

    library.play(body, "auto")


def test_whole_numbers_have_a_point_where_a_pattern_looks_for_one(library: Opened) -> None:
    async def body(client: Client) -> None:
        rows, (notice,) = await noticed(client, "SELECT count(*) FROM clauses WHERE clause LIKE '4.%'")
        assert rows == [[3]]
        assert "(4 as '4.0')" in notice
        assert (await noticed(client, "SELECT count(*) FROM clauses WHERE clause LIKE '4%'"))[1] == []

    library.play(body, "auto")


@pytest.mark.parametrize("asked", ["instr({}, 'Urgent') > 0", "{} GLOB 'Urgent*'", "{} REGEXP '^Urgent'"])
def test_what_is_looked_for_as_it_is_written_is_told_of_in_another_case(library: Opened, asked: str) -> None:
    async def body(client: Client) -> None:
        rows, (notice,) = await noticed(client, f"SELECT sum(cost) FROM calls WHERE {asked.format('note')}")
        assert (rows, notice[:11]) == ([[30]], "1 more row(")
        lower = asked.format("lower(note)").replace("Urgent", "urgent")
        assert await noticed(client, f"SELECT sum(cost) FROM calls WHERE {lower}") == ([[40]], [])

    library.play(body, "auto")
