"""Other files for `ask_tables`, made after the code was done and not looked at while it was: sensors, budgets, people,
prices; heads of two levels, sections, subtotals, notes, spacers, 1904 workbooks, old encodings, timestamps, PDF."""

from __future__ import annotations

import datetime as dt
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table
from table_files import Column, Made, Value, amount

DEPARTMENTS = ["Sales", "R&D", "Human Resources", "Summary Office", "IT", "Legal", "Facilities"]
PLACES = ["Zürich", "Genève", "Lugano", "Basel", "St. Gallen", "Bern"]


def sensors(folder: Path, chance: random.Random) -> Made:
    """A tab-separated log with a remark above, timestamps, a unit behind every value, gaps written in words."""
    columns = [
        Column("Sensor", "text"),
        Column("Time", "text"),
        Column("Temperature", "number"),
        Column("Samples", "int"),
    ]
    rows: list[list[Value]] = []
    lines = ["Logger 7, exported by hand", "Sensor\tTime\tTemperature\tSamples"]
    begin = dt.datetime(2024, 1, 1)  # noqa: DTZ001
    for number in range(140):
        at = begin + dt.timedelta(hours=7 * number)
        value = round(chance.uniform(-20, 35), 1) if chance.random() > 0.08 else None
        samples = chance.randrange(1, 90)
        sensor = f"S{number % 5 + 1}"
        rows.append([sensor, at.strftime("%Y-%m-%d %H:%M:%S"), value, samples])
        shown = f"{value} °C" if value is not None else "n/a"
        lines.append(f"{sensor}\t{at:%Y-%m-%d %H:%M}\t{shown}\t{samples}")
    (folder / "sensor-log.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return Made("sensor-log.tsv", columns, rows, list(range(3, 3 + len(rows))), f"A2:D{len(lines)}")


def budget(folder: Path, chance: random.Random) -> list[Made]:
    """One sheet: a title, a head of two levels with merged years, sections with subtotals, a grand total, notes; below
    it a small table, beside it another."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Budget vs Actual"
    sheet["A1"] = "Budget and actual by department"
    sheet["A2"] = "in thousands"
    sheet["A4"], sheet["B4"], sheet["D4"] = "Department", "2023", "2024"
    sheet.merge_cells("A4:A5")
    sheet.merge_cells("B4:C4")
    sheet.merge_cells("D4:E4")
    for col, text in zip("BCDE", ["Plan", "Actual", "Plan", "Actual"], strict=True):
        sheet[f"{col}5"] = text
    columns = [
        Column("Department", "text"),
        *(Column(f"{y} {k}", "int") for y in (2023, 2024) for k in ("Plan", "Actual")),
    ]
    rows: list[list[Value]] = []
    numbers: list[int] = []
    at = 6
    for section in ("Switzerland", "Abroad"):
        sheet.cell(at, 1, section)
        at += 1
        block: list[list[int]] = []
        for department in chance.sample(DEPARTMENTS, 5):
            figures = [chance.randrange(100, 9000) for _ in range(4)]
            block.append(figures)
            name = f"{department} {section}"
            rows.append([name, *figures])
            numbers.append(at)
            for col, value in enumerate([name, *figures], 1):
                sheet.cell(at, col, value)
            at += 1
        for col, value in enumerate([f"Total {section}", *map(sum, zip(*block, strict=True))], 1):
            sheet.cell(at, col, value)
        at += 1
    sums = [sum(int(row[col]) for row in rows) for col in range(1, 5)]  # type: ignore[arg-type]
    for col, value in enumerate(["Grand total", *sums], 1):
        sheet.cell(at, col, value)
    last = at
    sheet.cell(at + 1, 1, "Plan of December; actual as of 31 January.")
    below = at + 4
    rates: list[list[Value]] = [["EUR", 0.96], ["USD", 0.91], ["GBP", 1.12], ["JPY", 0.006]]
    for index, (name, value) in enumerate([("Currency", "Rate"), *((row[0], row[1]) for row in rates)]):
        sheet.cell(below + index, 1, name)
        sheet.cell(below + index, 2, value)
    people: list[list[Value]] = [
        [name, chance.randrange(20, 65)] for name in ("Ada", "Grace", "Alan", "Edsger", "Barbara")
    ]
    for index, (name, value) in enumerate([("Controller", "Age"), *((row[0], row[1]) for row in people)]):
        sheet.cell(4 + index, 8, name)
        sheet.cell(4 + index, 9, value)
    book.save(folder / "budget.xlsx")
    name = "Budget vs Actual"
    return [
        Made("budget.xlsx", columns, rows, numbers, f"A4:E{last + 1}", name, 6),
        Made(
            "budget.xlsx", [Column("Currency", "text"), Column("Rate", "number")], rates,
            [below + 1 + n for n in range(4)], f"A{below}:B{below + 4}", name, key="rates",
        ),
        Made(
            "budget.xlsx", [Column("Controller", "text"), Column("Age", "int")], people, list(range(5, 10)), "H4:I9",
            name, key="people",
        ),
    ]  # fmt: skip


def prices(folder: Path, chance: random.Random) -> Made:
    """An Excel table in a workbook of the 1904 date system, dates as dates, an empty row above it."""
    book = Workbook()
    book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    assert sheet is not None
    sheet.title = "Data"
    columns = [
        Column("Article", "text"),
        Column("Valid from", "date"),
        Column("Price CHF", "money"),
        Column("Discount", "percent"),
    ]
    rows: list[list[Value]] = []
    for col, column in enumerate(columns, 3):
        sheet.cell(6, col, column.heading)
    for number in range(30):
        day = dt.date(2022, 5, 1) + dt.timedelta(days=31 * number)
        row: list[Value] = [
            f"A-{100 + number}",
            day,
            round(chance.uniform(1, 900), 2),
            chance.choice([0.0, 0.05, 0.125, 0.4]),
        ]
        rows.append(row)
        for col, value in enumerate(row, 3):
            sheet.cell(7 + number, col, value)
        sheet.cell(7 + number, 4).number_format = "d. mmm yyyy"
        sheet.cell(7 + number, 5).number_format = "[$CHF] #,##0.00"
        sheet.cell(7 + number, 6).number_format = "0%"
    sheet.add_table(Table(displayName="Preise", ref="C6:F36"))
    book.save(folder / "prices-1904.xlsx")
    return Made("prices-1904.xlsx", columns, rows, list(range(7, 37)), "C6:F36", "Data")


def people(folder: Path, chance: random.Random) -> Made:
    """A list in an old encoding whose whole numbers have points for thousands, with accounting brackets and ids."""
    columns = [
        Column("Ort", "text"), Column("PLZ", "text"), Column("Einwohner", "int"), Column("Saldo", "int"),
        Column("Stand", "date"),
    ]  # fmt: skip
    rows: list[list[Value]] = []
    lines = [";".join(column.heading for column in columns)]
    for number in range(24):
        count, balance = (
            chance.choice([chance.randrange(200, 999), chance.randrange(1000, 400_000)]),
            chance.randrange(-900, 5000),
        )
        day = dt.date(2023, chance.randrange(1, 13), chance.randrange(1, 29))
        place, code = f"{chance.choice(PLACES)} {number}", f"0{chance.randrange(1000, 9999)}"
        rows.append([place, code, count, balance, day])
        grouped = f"{count:,}".replace(",", ".")
        shown = f"({-balance})" if balance < 0 else f"{balance:,}".replace(",", ".")
        lines.append(f"{place};{code};{grouped};{shown};{day.day}.{day.month}.{day.year}")
    (folder / "orte.csv").write_bytes("\r\n".join(lines).encode("cp1252"))
    return Made("orte.csv", columns, rows, list(range(2, 26)), "A1:E25")


def page(folder: Path, chance: random.Random) -> Made:
    """A web page whose head spans columns and whose row labels span rows."""
    columns = [
        Column("Land", "text"),
        Column("Stadt", "text"),
        Column("Gäste 2022", "int"),
        Column("Gäste 2023", "int"),
    ]
    rows: list[list[Value]] = []
    body = ""
    for land, towns in (
        ("Tirol", ["Innsbruck", "Kufstein", "Lienz"]),
        ("Wien", ["Wien"]),
        ("Kärnten", ["Villach", "Klagenfurt"]),
    ):
        for index, town in enumerate(towns):
            first, second = chance.randrange(1000, 90_000), chance.randrange(1000, 90_000)
            rows.append([land, town, first, second])
            label = f'<td rowspan="{len(towns)}">{land}</td>' if not index else ""
            figures = "".join(f"<td>{value:,}</td>".replace(",", ".") for value in (first, second))
            body += f"<tr>{label}<td>{town}</td>{figures}</tr>"
    head = (
        '<tr><th rowspan="2">Land</th><th rowspan="2">Stadt</th><th colspan="2">Gäste</th></tr>'
        "<tr><th>2022</th><th>2023</th></tr>"
    )
    text = f"<html lang='de'><body><p>Zahlen</p><table><thead>{head}</thead><tbody>{body}</tbody></table></body></html>"
    (folder / "gaeste.html").write_text(text, "utf-8")
    return Made("gaeste.html", columns, rows, list(range(3, 3 + len(rows))))


def report(folder: Path, chance: random.Random, *, pdf: bool) -> Made | None:
    """A Word report with a table whose figures carry units and a total; or as PDF, where LibreOffice is."""
    from docx import Document

    columns = [
        Column("Station", "text"),
        Column("Distance (km)", "number"),
        Column("Cost", "money"),
        Column("Opened", "date"),
    ]
    rows: list[list[Value]] = []
    document = Document()
    document.add_heading("Stations of the line", 1)
    document.add_paragraph("All stations, their distance from the terminus and what they cost to build.")
    table = document.add_table(1, 4)
    table.style = "Table Grid"
    for cell, column in zip(table.rows[0].cells, columns, strict=True):
        cell.text = column.heading
    for number in range(14):
        day = dt.date(1990 + number, chance.randrange(1, 13), chance.randrange(1, 29))
        row: list[Value] = [
            f"Station {chr(65 + number)}",
            round(chance.uniform(0.5, 80), 1),
            round(chance.uniform(10, 4000), 2),
            day,
        ]
        rows.append(row)
        shown = [str(row[0]), str(row[1]), f"£{row[2]:,.2f}", day.strftime("%-d %B %Y")]
        for cell, text in zip(table.add_row().cells, shown, strict=True):
            cell.text = text
    last = table.add_row().cells
    last[0].text = "Total"
    last[2].text = f"£{sum(amount(row[2]) or 0.0 for row in rows):,.2f}"  # type: ignore[arg-type]
    name = "line-pdf" if pdf else "line"
    document.save(str(folder / f"{name}.docx"))
    if pdf:
        soffice = shutil.which("soffice")
        if soffice is None:
            (folder / f"{name}.docx").unlink()
            return None
        convert = [soffice, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(folder / f"{name}.docx")]
        subprocess.run(convert, check=True, capture_output=True, timeout=120)
        (folder / f"{name}.docx").unlink()
    suffix = "pdf" if pdf else "docx"
    return Made(f"{name}.{suffix}", columns, rows, list(range(2, 16)), left_out=1)


def quarters(folder: Path, chance: random.Random) -> Made:
    """Months as dates over the columns of a sheet, an empty column between halves, and a slide's worth of rows."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Monate"
    sheet.cell(2, 2, "Filiale")
    columns = [Column("Filiale", "text")]
    places = [3, 4, 5, 7, 8, 9]
    for month, col in enumerate(places, 1):
        cell = sheet.cell(2, col, dt.date(2024, month, 1))
        cell.number_format = "mmm yy"
        columns.append(Column(dt.date(2024, month, 1).strftime("%b %y"), "money"))
    rows: list[list[Value]] = []
    for index in range(18):
        row: list[Value] = [f"Filiale {index + 1}", *(round(chance.uniform(-50, 900), 2) for _ in places)]
        rows.append(row)
        for col, value in zip([2, *places], row, strict=True):
            sheet.cell(3 + index, col, value)
            if col > 2:
                sheet.cell(3 + index, col).number_format = '#,##0.00 "kr"'
    book.save(folder / "monate.xlsx")
    area = f"B2:{get_column_letter(9)}{2 + len(rows)}"
    return Made("monate.xlsx", columns, rows, list(range(3, 21)), area, "Monate")


def slide(folder: Path, chance: random.Random) -> Made:
    """A table on a slide."""
    from pptx import Presentation
    from pptx.util import Inches

    columns = [Column("Produkt", "text"), Column("Stück", "int"), Column("Anteil", "percent")]
    deck = Presentation()
    page = deck.slides.add_slide(deck.slide_layouts[5])
    page.shapes.title.text = "Absatz"  # pyright: ignore[reportOptionalMemberAccess]
    rows: list[list[Value]] = [[f"P{n}", chance.randrange(10, 900), round(chance.uniform(0, 1), 3)] for n in range(7)]
    table = page.shapes.add_table(8, 3, Inches(1), Inches(2), Inches(8), Inches(4)).table
    lines: Sequence[Sequence[str]] = [
        [column.heading for column in columns],
        *([str(name), str(count), f"{float(share) * 100:.1f} %".replace(".", ",")] for name, count, share in rows),  # type: ignore[arg-type]
    ]
    for index, line in enumerate(lines):
        for text, cell in zip(line, table.rows[index].cells, strict=True):
            cell.text = text
    deck.save(str(folder / "absatz.pptx"))
    return Made("absatz.pptx", columns, rows, list(range(2, 9)))


def make(folder: Path, seed: int) -> list[Made]:
    """All of them."""
    chance = random.Random(seed)
    found = [
        sensors(folder, chance), *budget(folder, chance), prices(folder, chance), people(folder, chance),
        page(folder, chance), report(folder, chance, pdf=False), report(folder, chance, pdf=True),
        quarters(folder, chance), slide(folder, chance),
    ]  # fmt: skip
    return [made for made in found if made is not None]
