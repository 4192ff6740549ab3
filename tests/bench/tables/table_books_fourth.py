"""Workbooks of the fourth trial of tables: models over several sheets without results, crossed figures, subtotals,
blocks, dates of 1904, named tables."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table
from table_trial_fourth import Held, Made, area, converted, pd, put, records


def model(made: Made) -> None:
    """Prices, orders and rates on sheets of their own; the amounts are formulas over all three, without results."""
    products = made.pick("Bolt M6, Nut M6, Washer, Anchor, Bracket, Hinge, Dowel", 5)
    prices = pd.DataFrame({"Product": products, "List price": [made.money(1, 40) for _ in products]})
    rate = made.chance.choice([0.19, 0.2, 0.077])
    orders = pd.DataFrame({"Order": [f"A-{1000 + at}" for at in range(made.chance.randrange(30, 60))]})
    orders["Product"] = [made.chance.choice(products) for _ in range(len(orders))]
    orders["Qty"] = [made.chance.randrange(1, 90) for _ in range(len(orders))]
    orders["Ordered on"] = [made.day() for _ in range(len(orders))]
    orders["Discount"] = [made.chance.choice([0, 0.05, 0.1, 0.25]) for _ in range(len(orders))]
    book = Workbook()
    first = book.worksheets[0]
    first.title = "Assumptions"
    put(first, 1, 1, [["Assumptions of the model"], [], ["Tax rate", rate], ["Reviewed", dt.date(2024, 5, 6)]])
    first["B3"].number_format = "0.0%"
    book.defined_names["tax_rate"] = DefinedName("tax_rate", attr_text="Assumptions!$B$3")
    second = book.create_sheet("Price list")
    put(second, 3, 2, [prices.columns, *records(prices)], ["", "0.00"])
    third = book.create_sheet("Orders")
    heads = [*orders.columns, "Amount", "Tax"]
    put(third, 1, 1, [heads, *records(orders)], ["", "", "0", "dd/mm/yyyy", "0%"])
    bottom = 3 + len(prices)
    for at in range(2, len(orders) + 2):
        third.cell(at, 6, f"=ROUND(C{at}*VLOOKUP(B{at},'Price list'!$B$4:$C${bottom},2,FALSE)*(1-E{at}),2)")
        third.cell(at, 7, f"=ROUND(F{at}*tax_rate,2)")
    book.save(made.folder / "model.xlsx")
    listed = Held("model.xlsx", tuple(prices.columns), len(prices), area(3, 2, 2 + 1 + len(prices), 3), "Price list")
    ordered = Held("model.xlsx", tuple(heads), len(orders), area(1, 1, 1 + len(orders), 7), "Orders")
    joined = orders.merge(prices, on="Product")
    joined["gross"] = joined["Qty"] * joined["List price"]
    joined["Amount"] = (joined["gross"] * (1 - joined["Discount"]) + 1e-9).round(2)
    joined["month"] = [day.strftime("%Y-%m") for day in joined["Ordered on"]]
    made.ask(
        "gross by join",
        "SELECT round(sum({o.Qty} * {p.List price}), 2) FROM {o} AS o JOIN {p} AS p ON {o.Product} = {p.Product}",
        round(joined["gross"].sum(), 2),
        o=ordered,
        p=listed,
    )
    made.ask(
        "sum of formulas", "SELECT round(sum({o.Amount}), 2) FROM {o}", round(joined["Amount"].sum(), 2), o=ordered
    )
    by = joined.groupby("Product")["Amount"].sum().round(2)
    made.ask(
        "formulas by group",
        "SELECT {o.Product}, round(sum({o.Amount}), 2) FROM {o} GROUP BY 1 ORDER BY 1",
        by,
        o=ordered,
    )
    running = joined.groupby("month")["Qty"].sum().sort_index().cumsum()
    made.ask(
        "running total",
        "WITH m AS (SELECT strftime('%Y-%m', {o.Ordered on}) AS k, sum({o.Qty}) AS s FROM {o} "
        "GROUP BY 1) SELECT k, sum(s) OVER (ORDER BY k) FROM m ORDER BY k",
        running,
        o=ordered,
    )
    top = joined.sort_values(["Qty", "Order"], ascending=[False, True]).drop_duplicates("Product")
    made.ask(
        "largest of each",
        "SELECT {o.Product}, {o.Order} FROM (SELECT *, row_number() OVER (PARTITION BY "
        "{o.Product} ORDER BY {o.Qty} DESC, {o.Order}) AS n FROM {o}) WHERE n = 1 ORDER BY 1",
        top.sort_values("Product")[["Product", "Order"]],
        o=ordered,
    )
    none = sorted(set(products) - set(orders["Product"]))
    made.ask(
        "never ordered",
        "SELECT count(*) FROM {p} WHERE {p.Product} NOT IN (SELECT {o.Product} FROM {o})",
        len(none),
        o=ordered,
        p=listed,
    )


def crossed(made: Made) -> None:
    """Quarters under merged years, a total at the right and at the bottom."""
    branches = made.pick("Leeds, Hull, York, Derby, Bath, Truro", 5)
    years = [2023, 2024]
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Plan"
    sheet["B2"] = "Turnover by branch (thousand £)"
    sheet["B2"].font = Font(bold=True, size=14)
    sheet.cell(4, 2, "Branch")
    frame = pd.DataFrame(index=branches)
    for number, year in enumerate(years):
        left = 3 + number * 4
        sheet.merge_cells(start_row=4, start_column=left, end_row=4, end_column=left + 3)
        sheet.cell(4, left, year)
        for quarter in range(4):
            sheet.cell(5, left + quarter, f"Q{quarter + 1}")
            frame[f"{year} Q{quarter + 1}"] = [made.money(10, 900) for _ in branches]
    sheet.cell(5, 11, "Total")
    put(sheet, 6, 2, [[name, *records(frame)[at], frame.iloc[at].sum()] for at, name in enumerate(branches)])
    put(sheet, 6 + len(branches), 2, [["Total", *frame.sum(), frame.sum().sum()]])
    book.save(made.folder / "plan.xlsx")
    last = 6 + len(branches)
    held = Held("plan.xlsx", ("Branch", *frame.columns), len(branches), area(4, 2, last, 11), "Plan", 1)
    both = " + ".join(f"{{p.2024 Q{at}}}" for at in (1, 2, 3, 4))
    made.ask(
        "sum over columns",
        f"SELECT round(sum({both}), 2) FROM {{p}}",
        round(frame[[f"2024 Q{at}" for at in (1, 2, 3, 4)]].sum().sum(), 2),
        p=held,
    )
    grown = (frame["2024 Q1"] / frame["2023 Q1"] - 1).rename_axis("b").reset_index(name="g").sort_values("b")
    made.ask("growth", "SELECT {p.Branch}, {p.2024 Q1} / {p.2023 Q1} - 1 FROM {p} ORDER BY 1", grown, p=held)
    made.ask(
        "largest quarter",
        "SELECT {p.Branch} FROM {p} ORDER BY {p.2023 Q3} DESC LIMIT 1",
        frame["2023 Q3"].idxmax(),
        p=held,
    )
    long = frame.reset_index(names="b").melt("b").groupby("b")["value"].max()
    union = " UNION ALL ".join(f"SELECT {{p.Branch}} AS b, {{p.{name}}} AS v FROM {{p}}" for name in frame.columns)
    made.ask("unpivoted", f"SELECT b, max(v) FROM ({union}) GROUP BY b ORDER BY b", long, p=held)


def subtotals(made: Made) -> None:
    """Group labels merged over their rows, a subtotal after each group, a grand total, rows hidden by a filter."""
    groups = made.pick("Fleet, Office, Travel, Training, Legal, Rent", 3)
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Costs"
    formats = ["", "", "$#,##0.00", "0"]
    put(sheet, 1, 1, [["Department", "Supplier", "Cost", "Invoices"]])
    at, taken, hidden = 2, [], 0
    total: list[tuple[float, int]] = []
    for group in groups:
        top = at
        rows = [
            (
                f"{made.pick('Ames, Bo & Co, Cray, Dunn, Eck', 1)[0]} {n}",
                made.money(50, 4000),
                made.chance.randrange(1, 30),
            )
            for n in range(made.chance.randrange(3, 7))
        ]
        for n, row in enumerate(rows):
            put(sheet, at, 1, [[group if not n else None, *row]], formats)
            if n == 1 and made.chance.random() < 0.5:
                sheet.row_dimensions[at].hidden = True
                hidden += 1
            else:
                taken.append((group, *row))
            at += 1
        sheet.merge_cells(start_row=top, start_column=1, end_row=at - 1, end_column=1)
        sums = round(sum(row[1] for row in rows), 2), sum(row[2] for row in rows)
        put(sheet, at, 1, [[f"{group} total", None, *sums]], formats)
        total.append(sums)
        at += 1
    put(sheet, at, 1, [["Grand total", None, *(round(sum(one), 2) for one in zip(*total, strict=True))]], formats)
    book.save(made.folder / "costs.xlsx")
    held = Held(
        "costs.xlsx",
        ("Department", "Supplier", "Cost", "Invoices"),
        len(taken),
        area(1, 1, at, 4),
        "Costs",
        len(groups) + 1 + hidden,
    )
    frame = pd.DataFrame(taken, columns=held.headings)
    made.ask(
        "without subtotals",
        "SELECT round(sum({c.Cost}), 2), sum({c.Invoices}) FROM {c}",
        (round(frame["Cost"].sum(), 2), int(frame["Invoices"].sum())),
        c=held,
    )
    made.ask(
        "merged labels",
        "SELECT {c.Department}, count(*), avg({c.Cost}) FROM {c} GROUP BY 1 ORDER BY 1",
        frame.groupby("Department")["Cost"].agg(["count", "mean"]).reset_index(),
        c=held,
    )
    made.ask(
        "rank",
        "SELECT {c.Supplier}, dense_rank() OVER (ORDER BY {c.Invoices} DESC) FROM {c} ORDER BY {c.Invoices} "
        "DESC, {c.Supplier} LIMIT 4",
        frame.assign(r=frame["Invoices"].rank(method="dense", ascending=False).astype(int))
        .sort_values(["Invoices", "Supplier"], ascending=[False, True])[["Supplier", "r"]]
        .head(4),
        c=held,
    )
    costs = frame.groupby("Department")["Cost"].sum()
    made.ask(
        "having",
        "SELECT {c.Department} FROM {c} GROUP BY 1 HAVING sum({c.Cost}) > 6000 ORDER BY 1",
        costs[costs > 6000].reset_index()[["Department"]],
        c=held,
    )


def blocks(made: Made) -> None:
    """One sheet of blocks below one another, each with its title and the same head; the years stand in the titles."""
    years = [2021, 2022, 2023]
    plants = made.pick("Ghent, Turin, Basel, Lodz, Porto", 4)
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Energy"
    at, parts, helds = 1, [], {}
    for year in years:
        frame = pd.DataFrame(
            {
                "Plant": plants,
                f"Power {year} (MWh)": [made.chance.randrange(100, 5000) for _ in plants],
                "Share green": [made.chance.randrange(0, 101) / 100 for _ in plants],
            }
        )
        put(sheet, at, 1, [[f"Consumption {year}"]])
        put(sheet, at + 1, 1, [frame.columns, *records(frame)], ["", "#,##0", "0%"])
        helds[f"y{year}"] = Held("energy.xlsx", tuple(frame.columns), len(plants), area(at + 1, 1, at + 5, 3), "Energy")
        parts.append(frame.rename(columns={f"Power {year} (MWh)": "Power"}).assign(year=year))
        at += 8
    book.save(made.folder / "energy.xlsx")
    whole = pd.concat(parts)
    union = " UNION ALL ".join(
        f"SELECT {year} AS y, {{y{year}.Plant}} AS p, {{y{year}.Power {year} (MWh)}} AS v, "
        f"{{y{year}.Share green}} AS g FROM {{y{year}}}"
        for year in years
    )
    made.ask(
        "union of blocks",
        f"SELECT p, sum(v) FROM ({union}) GROUP BY p ORDER BY p",
        whole.groupby("Plant")["Power"].sum(),
        **helds,
    )
    green = whole.assign(g=whole["Power"] * whole["Share green"]).groupby("year")["g"].sum()
    made.ask("product by block", f"SELECT y, sum(v * g) FROM ({union}) GROUP BY y ORDER BY y", green, **helds)
    wide = whole.sort_values(["Plant", "year"])
    wide["step"] = wide["Power"] - wide.groupby("Plant")["Power"].shift()
    made.ask(
        "change to the year before",
        f"SELECT p, y, v - lag(v) OVER (PARTITION BY p ORDER BY y) FROM ({union}) ORDER BY p, y",
        wide[["Plant", "year", "step"]],
        **helds,
    )
    made.ask(
        "one block",
        "SELECT {y2022.Plant} FROM {y2022} ORDER BY {y2022.Power 2022 (MWh)} LIMIT 1",
        parts[1].sort_values("Power")["Plant"].iloc[0],
        y2022=helds["y2022"],
    )


def epoch(made: Made) -> None:
    """A workbook of the 1904 system: days, moments, percents, and money with a currency in the format."""
    size = made.chance.randrange(15, 40)
    start = dt.datetime.fromisoformat("2024-02-20T06:30")
    frame = pd.DataFrame(
        {
            "Voyage": [f"V{100 + at}" for at in range(size)],
            "Departed": [
                start + dt.timedelta(hours=7 * at, minutes=5 * made.chance.randrange(12)) for at in range(size)
            ],
            "Due": [made.day() for _ in range(size)],
            "Freight": [made.money(900, 70_000) * made.chance.choice([1, 1, -1]) for _ in range(size)],
            "Load": [made.chance.randrange(200, 1000) / 1000 for _ in range(size)],
        }
    )
    book = Workbook()
    book.epoch = CALENDAR_MAC_1904
    sheet = book.worksheets[0]
    sheet.title = "Voyages"
    put(
        sheet,
        2,
        3,
        [
            frame.columns,
            *[
                [cell.to_pydatetime() if hasattr(cell, "to_pydatetime") else cell for cell in row]
                for row in records(frame)
            ],
        ],
        ["", "yyyy-mm-dd hh:mm", "d-mmm-yy", "#,##0.00 [$CHF];[Red](#,##0.00) [$CHF]", "0.0%"],
    )
    book.save(made.folder / "voyages.xlsx")
    name = f"voyages{made.suffix('.xlsx', '.ods', '.xls')}"
    converted(made.folder / "voyages.xlsx", Path(name).suffix)
    held = Held(name, tuple(frame.columns), size, area(2, 3, size + 2, 7), "Voyages")
    made.ask(
        "earliest of 1904", "SELECT min({v.Due}), max({v.Due}) FROM {v}", (min(frame["Due"]), max(frame["Due"])), v=held
    )
    made.ask(
        "moments",
        "SELECT count(*) FROM {v} WHERE {v.Departed} < '2024-03-01 12:00:00'",
        int((frame["Departed"] < dt.datetime.fromisoformat("2024-03-01T12:00")).sum()),
        v=held,
    )
    by = frame.groupby([one.strftime("%Y-%m-%d") for one in frame["Departed"]])["Freight"].sum().round(2)
    made.ask(
        "by day", "SELECT date({v.Departed}), round(sum({v.Freight}), 2) FROM {v} GROUP BY 1 ORDER BY 1", by, v=held
    )
    made.ask(
        "negative money",
        "SELECT round(sum({v.Freight}), 2) FROM {v} WHERE {v.Freight} < 0",
        round(frame["Freight"][frame["Freight"] < 0].sum(), 2) if (frame["Freight"] < 0).any() else None,
        v=held,
    )
    made.ask("mean percent", "SELECT avg({v.Load}), typeof({v.Load}) FROM {v}", (frame["Load"].mean(), "real"), v=held)


def named(made: Made) -> None:
    """Two Excel tables beside each other, one with a row of totals, which formulas reach by their names; no results."""
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Staff"
    people = pd.DataFrame(
        {
            "Name": made.pick("Ada, Ben, Cleo, Dov, Eva, Finn, Gil, Hana, Ivo", 7),
            "Team": [made.chance.choice(["Ops", "Lab"]) for _ in range(7)],
            "Hours": [made.chance.randrange(10, 160) for _ in range(7)],
        }
    )
    rates = pd.DataFrame({"Team": ["Ops", "Lab"], "Rate": [made.money(20, 50), made.money(51, 90)]})
    put(sheet, 4, 1, [[*people.columns, "Pay"], *records(people)])
    for at in range(5, 12):
        sheet.cell(at, 4, f"=C{at}*INDEX(G$5:G$6,MATCH(B{at},F$5:F$6,0))").number_format = '"€"#,##0.00'
    put(sheet, 12, 1, [["Total", None, "=SUBTOTAL(109,C5:C11)", "=SUBTOTAL(109,D5:D11)"]])
    table = Table(displayName="Timesheet", ref="A4:D12", totalsRowCount=1)
    table._initialise_columns()  # pyright: ignore[reportAttributeAccessIssue]  # the library has no other way to a totals row
    for column, head in zip(table.tableColumns, [*people.columns, "Pay"], strict=True):
        column.name = head
    sheet.add_table(table)
    put(sheet, 4, 6, [rates.columns, *records(rates)], ["", "0.00"])
    sheet.add_table(Table(displayName="Rates", ref="F4:G6"))
    book.save(made.folder / "staff.xlsx")
    whole = people.merge(rates, on="Team")
    whole["Pay"] = whole["Hours"] * whole["Rate"]
    p = Held("staff.xlsx", (*people.columns, "Pay"), 7, area(4, 1, 12, 4), "Staff", 1)
    r = Held("staff.xlsx", tuple(rates.columns), 2, area(4, 6, 6, 7), "Staff")
    made.ask(
        "pay by formulas",
        "SELECT round(sum({p.Pay}), 2), sum({p.Hours}) FROM {p}",
        (round(whole["Pay"].sum(), 2), whole["Hours"].sum()),
        p=p,
    )
    made.ask(
        "beside each other",
        "SELECT round(sum({p.Hours} * {r.Rate}), 2) FROM {p} AS p JOIN {r} AS r ON {p.Team} = {r.Team}",
        round(whole["Pay"].sum(), 2),
        p=p,
        r=r,
    )
    teams = people.sort_values("Name").groupby("Team")["Name"].agg(", ".join)
    made.ask(
        "names together",
        "SELECT t, group_concat(n, ', ') FROM (SELECT {p.Team} AS t, {p.Name} AS n FROM {p} ORDER "
        "BY 1, 2) GROUP BY t ORDER BY t",
        teams,
        p=p,
    )
    above = int((people["Hours"] > people["Hours"].mean()).sum())
    made.ask(
        "above the mean", "SELECT count(*) FROM {p} WHERE {p.Hours} > (SELECT avg({p.Hours}) FROM {p})", above, p=p
    )


BOOKS = (model, crossed, subtotals, blocks, epoch, named)
