"""The files of `ask_tables`: sales in three languages, written as lists, workbooks, Word, HTML and Markdown, with
titles, totals, hidden rows and a table beside, and what each table holds."""

from __future__ import annotations

import csv
import datetime as dt
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

Value = str | float | int | dt.date | None


@dataclass(frozen=True)
class Column:
    """A column of generated data: its heading, and its kind: text, int, money, number, percent or date."""

    heading: str
    kind: str


@dataclass
class Made:
    """A table as it was made: `rows` are its data, `row_numbers` where each stands (1-based), `area` its range with the
    heading (sheets only), `left_out` how many rows stand apart (totals, hidden)."""

    file: str
    columns: list[Column]
    rows: list[list[Value]]
    row_numbers: list[int]
    area: str = ""
    sheet: str = ""
    left_out: int = 0
    key: str = ""
    """A word of the heading of this table alone, to tell several in a file apart."""


REGIONS = {
    "de": ["Nord", "Süd", "Ost", "West"],
    "fr": ["Nord", "Sud", "Est", "Ouest"],
    "en": ["North", "South", "East", "West"],
}
HEADINGS = {
    "de": ["Region", "Kunde", "Umsatz (EUR)", "Marge %", "Datum", "Menge"],
    "fr": ["Région", "Client", "Chiffre d'affaires (€)", "Marge", "Date", "Quantité"],
    "en": ["Region", "Customer", "Revenue ($)", "Margin", "Order date", "Units"],
}
KINDS = ["text", "text", "money", "percent", "date", "int"]
NAMES = [
    "Huber",
    "Müller",
    "O'Brien",
    "Dupont",
    "Garcia",
    "Smith & Sons",
    "Øst",
    "Li",
    "Kowalski",
    "Rossi",
    "Total Wine",
    "Sumner",
]
TOTAL = {"de": "Summe", "fr": "Total général", "en": "Total"}
TITLE = {"de": "Umsätze nach Kunden", "fr": "Ventes par client", "en": "Sales by customer"}


def amount(value: Value) -> float | None:
    """The number a value is, None for anything else."""
    return float(value) if isinstance(value, int | float) else None


def data(chance: random.Random, language: str, count: int) -> tuple[list[Column], list[list[Value]]]:
    """Rows of sales in that language; some cells are empty."""
    columns = [Column(heading, kind) for heading, kind in zip(HEADINGS[language], KINDS, strict=True)]
    rows: list[list[Value]] = []
    for number in range(count):
        day = dt.date(2023, 1, 1) + dt.timedelta(days=chance.randrange(720))
        money: Value = round(chance.uniform(-500, 25_000), 2) if chance.random() > 0.06 else None
        rows.append([
            chance.choice(REGIONS[language]), f"{chance.choice(NAMES)} {number + 1}", money,
            round(chance.uniform(0, 0.6), 3), day, chance.randrange(1, 4000),
        ])  # fmt: skip
    return columns, rows


def shown(value: Value, kind: str, language: str) -> str:
    """A value as people of that language write it."""
    if value is None:
        return ""
    if isinstance(value, dt.date):
        return value.strftime({"de": "%d.%m.%Y", "fr": "%d/%m/%Y", "en": "%m/%d/%Y"}[language])
    if isinstance(value, str):
        return value
    if kind == "percent":
        text = f"{value * 100:.1f}"
        return f"{text.replace('.', ',')} %" if language != "en" else f"{text}%"
    text = f"{value:,.2f}" if kind in ("money", "number") else f"{value:,}"
    if language == "de":
        return text.translate({ord(","): ".", ord("."): ","})
    if language == "fr":
        return text.translate({ord(","): "\u202f", ord("."): ","})
    return text


def total_row(columns: Sequence[Column], rows: Sequence[Sequence[Value]], label: str) -> list[Value]:
    """A last row with the sums of money and units."""
    sums: list[Value] = [
        round(sum(amount(row[at]) or 0.0 for row in rows), 2) if column.kind in ("money", "int") else None
        for at, column in enumerate(columns)
    ]  # fmt: skip
    sums[0] = label
    return sums


def write_csv(folder: Path, name: str, language: str, chance: random.Random) -> Made:
    columns, rows = data(chance, language, chance.randrange(12, 60))
    delimiter = "," if language == "en" else ";"
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, delimiter=delimiter)
        writer.writerow([column.heading for column in columns])
        writer.writerows(
            [[shown(value, column.kind, language) for value, column in zip(row, columns, strict=True)] for row in rows]
        )
        totals = chance.random() < 0.5
        if totals:
            last = total_row(columns, rows, TOTAL[language])
            writer.writerow([shown(value, column.kind, language) for value, column in zip(last, columns, strict=True)])
    return Made(
        f"{name}.csv",
        columns,
        rows,
        list(range(2, 2 + len(rows))),
        f"A1:F{1 + len(rows) + totals}",
        left_out=int(totals),
    )


FORMATS = {"money": '#,##0.00 "€"', "percent": "0.0%", "date": "dd.mm.yyyy", "int": "#,##0"}


def write_xlsx(folder: Path, name: str, language: str, chance: random.Random) -> Made:
    """A sheet with a title above, an empty column before, hidden rows, a total below, and a small table beside."""
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    columns, rows = data(chance, language, chance.randrange(15, 80))
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = {"de": "Umsätze", "fr": "Ventes 2024", "en": "Sales"}[language]
    top, left = chance.choice([(1, 1), (4, 2), (3, 1)])
    if top > 1:
        sheet.cell(1, left, TITLE[language])
    for at, column in enumerate(columns):
        sheet.cell(top, left + at, column.heading)
    hidden = set(chance.sample(range(len(rows)), 2)) if chance.random() < 0.5 else set[int]()
    for index, row in enumerate(rows):
        for at, (value, column) in enumerate(zip(row, columns, strict=True)):
            cell = sheet.cell(top + 1 + index, left + at, value)
            if column.kind in FORMATS:
                cell.number_format = FORMATS[column.kind]
        if index in hidden:
            sheet.row_dimensions[top + 1 + index].hidden = True
    last = top + len(rows)
    totals = chance.random() < 0.6
    if totals:
        last += 1
        for at, value in enumerate(total_row(columns, rows, TOTAL[language])):
            sheet.cell(last, left + at, value)
    if chance.random() < 0.4:
        for index, (label, value) in enumerate([("Kurs", "Wert"), ("EUR", 1.0), ("USD", 1.08), ("CHF", 0.95)]):
            sheet.cell(top + index, left + 8, label)
            sheet.cell(top + index, left + 9, value)
    book.save(folder / f"{name}.xlsx")
    kept = [index for index in range(len(rows)) if index not in hidden]
    area = f"{get_column_letter(left)}{top}:{get_column_letter(left + 5)}{last}"
    return Made(
        f"{name}.xlsx", columns, [rows[index] for index in kept], [top + 1 + index for index in kept], area,
        sheet.title, len(hidden) + totals, HEADINGS[language][0],
    )  # fmt: skip


def texts(columns: Sequence[Column], rows: Sequence[Sequence[Value]], language: str) -> list[list[str]]:
    """Heading and rows as written."""
    body = [[shown(value, column.kind, language) for value, column in zip(row, columns, strict=True)] for row in rows]
    return [[column.heading for column in columns], *body]


def write_docx(folder: Path, name: str, language: str, chance: random.Random) -> Made:
    from docx import Document

    columns, rows = data(chance, language, chance.randrange(6, 18))
    document = Document()
    document.add_heading(TITLE[language], 1)
    document.add_paragraph("…")
    lines = texts(columns, rows, language)
    table = document.add_table(len(lines), len(columns))
    for line, cells in zip(lines, table.rows, strict=True):
        for text, cell in zip(line, cells.cells, strict=True):
            cell.text = text
    document.save(str(folder / f"{name}.docx"))
    return Made(f"{name}.docx", columns, rows, list(range(2, 2 + len(rows))))


def write_html(folder: Path, name: str, language: str, chance: random.Random) -> Made:
    columns, rows = data(chance, language, chance.randrange(6, 25))
    lines = texts(columns, rows, language)
    body = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in line)}</tr>" for line in lines[1:])
    head = "".join(f"<th>{text}</th>" for text in lines[0])
    page = f"<html lang={language}><body><h1>{TITLE[language]}</h1><table><tr>{head}</tr>{body}</table></body></html>"
    (folder / f"{name}.html").write_text(page.replace("&", "&amp;"), "utf-8")
    return Made(f"{name}.html", columns, rows, list(range(2, 2 + len(rows))))


def write_markdown(folder: Path, name: str, language: str, chance: random.Random) -> Made:
    columns, rows = data(chance, language, chance.randrange(6, 25))
    lines = texts(columns, rows, language)
    lines.insert(1, ["---"] * len(columns))
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    (folder / f"{name}.md").write_text(f"# {TITLE[language]}\n\n{text}\n", "utf-8")
    return Made(f"{name}.md", columns, rows, list(range(2, 2 + len(rows))))


WRITERS: list[Callable[[Path, str, str, random.Random], Made]] = [
    write_csv, write_xlsx, write_xlsx, write_csv, write_docx, write_html, write_markdown,
]  # fmt: skip


def make(folder: Path, seed: int) -> list[Made]:
    """Files of all kinds in three languages."""
    chance = random.Random(seed)
    found: list[Made] = []
    for language in ("de", "fr", "en"):
        for number, writer in enumerate(WRITERS):
            found.append(writer(folder, f"{language}-{writer.__name__[6:]}-{number}", language, chance))
    return found
