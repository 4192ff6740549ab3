"""A third set of files for `ask_tables`, made after the code: layouts drawn at random (stacked, beside one another,
grouped, crossed, spaced, repeated heads, units under the head), written as people of three languages write them, in
eleven formats."""

from __future__ import annotations

import datetime as dt
import json
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter as letter
from openpyxl.worksheet.worksheet import Worksheet
from table_files import Column, Made, Value, amount

Row = list[Value]

WORDS: dict[str, dict[str, list[tuple[str, str]]]] = {
    "de": {
        "group": [
            ("Standort", "Graz Linz Wels Steyr"),
            ("Warengruppe", "Möbel Licht Küche Garten"),
            ("Kostenstelle", "K-100 K-200 K-310 K-420"),
        ],
        "money": [("Kosten", "€"), ("Nettobetrag", "EUR"), ("Rechnungsbetrag", "CHF"), ("Deckungsbeitrag", "€")],
        "int": [("Anzahl", ""), ("Besucher", ""), ("Stückzahl", "")],
        "number": [("Gewicht", "kg"), ("Strecke", "km"), ("Verbrauch", "kWh"), ("Fläche", "m²")],
        "percent": [("Auslastung", ""), ("Anteil", ""), ("Rabatt", "")],
        "date": [("Lieferdatum", ""), ("Fällig am", ""), ("Buchungstag", "")],
    },
    "fr": {
        "group": [
            ("Agence", "Lyon Nantes Lille Nice"),
            ("Rayon", "Épicerie Fruits Viande Pain"),
            ("Service", "Achats Paie Ventes Stock"),
        ],
        "money": [("Montant HT", "€"), ("Prix", "EUR"), ("Solde", "€"), ("Budget", "CHF")],
        "int": [("Effectif", ""), ("Quantité", ""), ("Nombre de pièces", "")],
        "number": [("Poids", "kg"), ("Surface", "m²"), ("Durée", "h")],
        "percent": [("Taux", ""), ("Remise", ""), ("Part", "")],
        "date": [("Échéance", ""), ("Date de facture", ""), ("Livré le", "")],
    },
    "en": {
        "group": [
            ("Warehouse", "Leeds York Derby Hull"),
            ("Category", "Tools Paint Timber Pipes"),
            ("Team", "Red Blue Green Amber"),
        ],
        "money": [("Net amount", "$"), ("Cost", "USD"), ("Balance", "£"), ("Freight", "$")],
        "int": [("Headcount", ""), ("Units sold", ""), ("Orders", "")],
        "number": [("Weight", "kg"), ("Distance", "mi"), ("Energy", "MWh")],
        "percent": [("Yield", ""), ("Share", ""), ("Occupancy", "")],
        "date": [("Due", ""), ("Invoice date", ""), ("Shipped", "")],
    },
}
TITLES = {
    "de": ["Auswertung 2. Halbjahr", "Übersicht aller Vorgänge", "Anlage 3: Einzelposten"],
    "fr": ["État au 30 juin", "Récapitulatif général", "Annexe 2 : détail"],
    "en": ["Schedule B: detail", "Status of all items", "Review for the board"],
}
NOTES = {
    "de": ["Stand: 31.12.2024", "Quelle: eigene Erhebung", "* vorläufige Werte"],
    "fr": ["Source : comptabilité", "Chiffres provisoires", "* hors taxes"],
    "en": ["Source: ledger", "Figures are provisional.", "* restated"],
}
TOTALS = {
    "de": ["Gesamt", "Summe", "Insgesamt"],
    "fr": ["Total", "Total général", "Somme"],
    "en": ["Total", "Grand total", "TOTAL"],
}
SUBTOTALS = {"de": "Zwischensumme", "fr": "Sous-total", "en": "Subtotal"}
MONTHS = {
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}


@dataclass(frozen=True)
class Data:
    """What a table says: columns, rows, and the units of the columns that have one."""

    language: str
    columns: list[Column]
    units: list[str]
    rows: list[Row]

    def total(self, label: str, rows: Sequence[Row] | None = None) -> Row:
        """A row of sums under the columns of money and counts."""
        rows = self.rows if rows is None else rows
        return [
            label if not at else sum_of(rows, at) if column.kind in ("money", "int") else None
            for at, column in enumerate(self.columns)
        ]


def sum_of(rows: Sequence[Row], at: int) -> float:
    """The sum of a column, to the cent."""
    return round(sum(amount(row[at]) or 0.0 for row in rows), 2)


def data(chance: random.Random, kinds: str = "", count: int = 0) -> Data:
    """Rows of a group, a code or running name, and some of money, int, number, percent and date."""
    language = chance.choice(["de", "fr", "en"])
    words = WORDS[language]
    wanted = kinds.split() or ["money", *chance.sample(["int", "number", "percent", "date"], chance.randrange(2, 4))]
    heading, names = chance.choice(words["group"])
    columns, units = [Column(heading, "text")], [""]
    for kind in wanted:
        name, unit = chance.choice(words[kind])
        columns.append(Column(name, kind))
        units.append(unit)
    rows: list[Row] = []
    count = count or chance.randrange(12, 45)
    cents = chance.sample(range(-90_000, 1_900_000), count)
    pieces = chance.sample(range(1, 30_000), count)
    groups = names.split()
    for at in range(count):
        row: Row = [groups[at * len(groups) // count]]
        for kind in wanted:
            gap = chance.random() < 0.05 and kind != "date"
            row.append(None if gap else value_of(chance, kind, cents[at], pieces[at]))
        if row.count(None) == len(wanted):
            row[1] = value_of(chance, wanted[0], cents[at], pieces[at])
        rows.append(row)
    return Data(language, columns, units, rows)


def value_of(chance: random.Random, kind: str, cents: int, pieces: int) -> Value:
    """A value of that kind."""
    if kind == "date":
        return dt.date(2023, 1, 1) + dt.timedelta(days=chance.randrange(900))
    if kind == "percent":
        return round(chance.uniform(0.01, 0.99), 3)
    if kind == "number":
        return round(chance.uniform(0.1, 4000), 1)
    return cents / 100 if kind == "money" else pieces


def speller(chance: random.Random, language: str, *, units: bool = True) -> Callable[[Value, Column, str], str]:
    """How one author writes values: separators, minus, currency and date are drawn once for the file."""
    decimal = "." if language == "en" else ","
    thousands = chance.choice(
        {"de": [".", "'", "", "\u00a0"], "fr": [" ", "\u202f", "\u00a0"], "en": [",", ",", ""]}[language]
    )
    minus = chance.choice(["-", "\u2212", "()", "-", "after"])
    currency = chance.choice(["before", "after", "none"]) if units else "none"
    gap = chance.choice(["", " ", "\u00a0"])
    day = chance.choice(
        {
            "de": ["%d.%m.%Y", "%-d.%-m.%Y", "long"],
            "fr": ["%d/%m/%Y", "long"],
            "en": ["%m/%d/%Y", "%Y-%m-%d", "%b %-d, %Y", "%-d-%b-%y"],
        }[language]
    )

    def spell(value: Value, column: Column, unit: str) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if isinstance(value, dt.date):
            if day != "long":
                return value.strftime(day)
            dot = "." if language == "de" else ""
            return f"{value.day}{dot} {MONTHS[language][value.month - 1]} {value.year}"
        digits = {"money": 2, "int": 0}.get(column.kind, 1)
        text = f"{abs(value) * (100 if column.kind == 'percent' else 1):,.{digits}f}"
        text = text.replace(",", "\0").replace(".", decimal).replace("\0", thousands)
        if column.kind == "percent":
            return f"{text}{gap}%"
        if column.kind == "money" and currency != "none":
            text = f"{unit}{gap or ' '}{text}" if currency == "before" else f"{text}{gap or ' '}{unit}"
        if value < 0:
            text = (
                f"({text})"
                if minus == "()"
                else f"{text}-"
                if minus == "after" and currency == "none"
                else f"{'-' if minus in ('after', '()') else minus}{text}"
            )
        return text

    return spell


FORMATS = {"money": "#,##0.00", "percent": "0.0%", "date": "dd.mm.yyyy", "int": "#,##0", "number": "0.0"}


def put(sheet: Worksheet, top: int, left: int, row: Sequence[Value], columns: Sequence[Column] = ()) -> None:
    """Write a row of a sheet from that cell on."""
    for at, value in enumerate(row):
        if value is None:
            continue
        cell = sheet.cell(top, left + at, value)
        if columns and columns[at].kind in FORMATS and not isinstance(value, str):
            cell.number_format = FORMATS[columns[at].kind]


def area(top: int, left: int, bottom: int, width: int) -> str:
    return f"{letter(left)}{top}:{letter(left + width - 1)}{bottom}"


def workbook(chance: random.Random, language: str) -> tuple[Workbook, Worksheet]:
    """A workbook with one sheet, named as its author would."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = chance.choice(
        {"de": ["Tabelle1", "Zahlen", "Übersicht"], "fr": ["Feuil1", "Données"], "en": ["Sheet1", "Data", "FY24"]}[
            language
        ]
    )
    return book, sheet


def titled(table: Data) -> list[Column]:
    """Headings with the unit in them, where there is one."""
    return [
        Column(f"{column.heading} ({unit})" if unit else column.heading, column.kind)
        for column, unit in zip(table.columns, table.units, strict=True)
    ]


@dataclass(frozen=True)
class Written:
    """Where a table was put: the rows of its data, its area's last row, rows apart."""

    numbers: list[int]
    last: int
    apart: int


def simple(sheet: Worksheet, top: int, left: int, table: Data, chance: random.Random, *, bold: bool) -> Written:
    """A head, its rows, a total at the top, at the end or nowhere."""
    columns = titled(table)
    put(sheet, top, left, [column.heading for column in columns])
    if bold:
        for at in range(len(columns)):
            sheet.cell(top, left + at).font = Font(bold=True)
    where = chance.choice(["top", "end", "none"])
    label = chance.choice(TOTALS[table.language])
    at = top
    if where == "top":
        at += 1
        put(sheet, at, left, table.total(label), columns)
    numbers: list[int] = []
    for row in table.rows:
        at += 1
        numbers.append(at)
        put(sheet, at, left, row, columns)
    if where == "end":
        at += 1
        put(sheet, at, left, table.total(label), columns)
    return Written(numbers, at, where != "none")


def stacked(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """Tables one below the other, each with a title, notes between."""
    found: list[Made] = []
    tables = [data(chance, count=chance.randrange(5, 20)) for _ in range(chance.randrange(2, 4))]
    book, sheet = workbook(chance, tables[0].language)
    at, left = chance.choice([1, 2, 4]), chance.choice([1, 2])
    heads: set[tuple[str, ...]] = set()
    for number, table in enumerate(tables):
        if (key := tuple(column.heading for column in titled(table))) in heads:
            continue
        heads.add(key)
        put(sheet, at, left, [chance.choice(TITLES[table.language])])
        at += chance.choice([1, 2])
        done = simple(sheet, at, left, table, chance, bold=chance.random() < 0.5)
        found.append(
            Made(
                f"{name}.xlsx",
                titled(table),
                table.rows,
                done.numbers,
                area(at, left, done.last, len(table.columns)),
                sheet.title,
                done.apart,
                key=f"{number}",
            )
        )
        at = done.last + 2
        if chance.random() < 0.5:
            put(sheet, at, left, [chance.choice(NOTES[table.language])])
            at += 2
        at += chance.choice([0, 1])
    book.save(folder / f"{name}.xlsx")
    return distinct(found)


def beside(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """Tables beside one another, of different lengths, a title over each."""
    tables = [
        data(chance, chance.choice(["money int", "number percent", "int date", "money date"]), chance.randrange(4, 22))
        for _ in range(3)
    ]
    book, sheet = workbook(chance, tables[0].language)
    found: list[Made] = []
    left, top = 1, chance.choice([1, 3])
    named = chance.random() < 0.6
    for number, table in enumerate(tables):
        if named:
            put(sheet, top, left, [chance.choice(TITLES[table.language])])
        head = top + (chance.choice([1, 2]) if named else 0)
        done = simple(sheet, head, left, table, chance, bold=True)
        found.append(
            Made(
                f"{name}.xlsx",
                titled(table),
                table.rows,
                done.numbers,
                area(head, left, done.last, len(table.columns)),
                sheet.title,
                done.apart,
                key=f"{number}",
            )
        )
        left += len(table.columns) + chance.choice([1, 2])
    book.save(folder / f"{name}.xlsx")
    return distinct(found)


def distinct(found: list[Made]) -> list[Made]:
    """Those that their headings tell apart from every other of the file."""
    heads = [{column.heading for column in one.columns} for one in found]
    return [
        one
        for at, one in enumerate(found)
        if not any(heads[at] <= head for other, head in enumerate(heads) if other != at)
    ]


def grouped(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """Groups with a subtotal each and a total at the end; the group's name in every row, or merged over its rows."""
    table = data(chance, "money int number")
    columns = titled(table)
    book, sheet = workbook(chance, table.language)
    top, left = chance.choice([(1, 1), (3, 1), (5, 2)])
    if top > 1:
        put(sheet, 1, left, [chance.choice(TITLES[table.language])])
    put(sheet, top, left, [column.heading for column in columns])
    merged = chance.random() < 0.6
    numbers: list[int] = []
    at, apart = top, 0
    groups = list(dict.fromkeys(str(row[0]) for row in table.rows))
    for group in groups:
        rows = [row for row in table.rows if row[0] == group]
        for index, row in enumerate(rows):
            at += 1
            numbers.append(at)
            put(sheet, at, left, [None, *row[1:]] if merged and index else row, columns)
        if merged and len(rows) > 1:
            sheet.merge_cells(start_row=at - len(rows) + 1, end_row=at, start_column=left, end_column=left)
        at += 1
        apart += 1
        label = chance.choice([SUBTOTALS[table.language], f"{SUBTOTALS[table.language]} {group}"])
        put(sheet, at, left, table.total(label, rows), columns)
        if not merged and chance.random() < 0.3:
            at += 1
    at += 1
    put(sheet, at, left, table.total(chance.choice(TOTALS[table.language])), columns)
    book.save(folder / f"{name}.xlsx")
    return [
        Made(f"{name}.xlsx", columns, table.rows, numbers, area(top, left, at, len(columns)), sheet.title, apart + 1)
    ]


def crossed(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """A cross-tab whose head has two or three levels, merged or written once, with totals in row and column."""
    language = chance.choice(["de", "fr", "en"])
    heading, names = chance.choice(WORDS[language]["group"])
    levels = chance.choice([2, 3])
    years, halves = ["2023", "2024"], {"de": ["1. Hj.", "2. Hj."], "fr": ["S1", "S2"], "en": ["H1", "H2"]}[language]
    kinds = {"de": ["Plan", "Ist"], "fr": ["Prévu", "Réel"], "en": ["Budget", "Actual"]}[language]
    paths = (
        [[y, k] for y in years for k in kinds]
        if levels == 2
        else [[y, h, k] for y in years for h in halves for k in kinds]
    )
    numeric = chance.random() < 0.5
    merged = chance.random() < 0.7
    book, sheet = workbook(chance, language)
    top, left = chance.choice([(1, 1), (4, 2), (3, 1)])
    if top > 1:
        put(sheet, 1, left, [chance.choice(TITLES[language])])
    sheet.cell(top + (0 if merged else levels - 1), left, heading)
    if merged:
        sheet.merge_cells(start_row=top, end_row=top + levels - 1, start_column=left, end_column=left)
    for level in range(levels):
        begin = 0
        for at, path in enumerate(paths):
            if at and path[: level + 1] == paths[at - 1][: level + 1] and level < levels - 1:
                continue
            value = path[level]
            sheet.cell(top + level, left + 1 + at, int(value) if numeric and value.isdigit() else value)
            begin = at
            end = max(other for other, one in enumerate(paths) if one[: level + 1] == path[: level + 1])
            if merged and end > begin:
                sheet.merge_cells(
                    start_row=top + level, end_row=top + level, start_column=left + 1 + begin, end_column=left + 1 + end
                )
    total = chance.choice(TOTALS[language])
    if total_column := chance.random() < 0.5:
        sheet.cell(top + (0 if merged else levels - 1), left + 1 + len(paths), total)
        if merged:
            sheet.merge_cells(
                start_row=top,
                end_row=top + levels - 1,
                start_column=left + 1 + len(paths),
                end_column=left + 1 + len(paths),
            )
    rows: list[Row] = []
    at = top + levels - 1
    for place in [f"{one} {suffix}" for one in names.split() for suffix in ("A", "B", "C")][: chance.randrange(5, 12)]:
        at += 1
        row: Row = [place, *chance.sample(range(10, 99_000), len(paths))]
        rows.append(row)
        put(sheet, at, left, [*row, sum(int(amount(v) or 0) for v in row[1:])] if total_column else row)
    put(sheet, at + 1, left, [total, *(int(sum_of(rows, col)) for col in range(1, len(paths) + 1))])
    book.save(folder / f"{name}.xlsx")
    columns = [Column(heading, "text"), *(Column(" ".join(path), "int") for path in paths)]
    width = len(columns) + total_column
    return [
        Made(
            f"{name}.xlsx",
            columns,
            rows,
            list(range(top + levels, at + 1)),
            area(top, left, at + 1, width),
            sheet.title,
            1,
        )
    ]


def units_below(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """Units in a row of their own under the head."""
    table = data(chance, "money number int date")
    book, sheet = workbook(chance, table.language)
    put(sheet, 1, 1, [column.heading for column in table.columns])
    shown = [f"[{unit}]" if unit else None for unit in table.units]
    put(sheet, 2, 1, shown)
    for at, row in enumerate(table.rows):
        put(sheet, 3 + at, 1, row, table.columns)
    book.save(folder / f"{name}.xlsx")
    columns = [
        Column(f"{column.heading} {unit}" if unit else column.heading, column.kind)
        for column, unit in zip(table.columns, shown, strict=True)
    ]
    return [
        Made(
            f"{name}.xlsx",
            columns,
            table.rows,
            list(range(3, 3 + len(table.rows))),
            area(1, 1, 2 + len(table.rows), len(columns)),
            sheet.title,
        )
    ]


def as_text(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """A sheet whose figures and dates are all texts, as exports leave them; a note at once below."""
    table = data(chance, "money number percent date")
    spell = speller(chance, table.language)
    book, sheet = workbook(chance, table.language)
    columns = titled(table)
    put(sheet, 2, 2, [column.heading for column in columns])
    for at, row in enumerate(table.rows):
        put(
            sheet,
            3 + at,
            2,
            [spell(value, column, unit) or None for value, column, unit in zip(row, columns, table.units, strict=True)],
        )
    last = 2 + len(table.rows)
    note = chance.random() < 0.5
    if note:
        put(sheet, last + 2, 2, [chance.choice(NOTES[table.language])])
    book.save(folder / f"{name}.xlsx")
    return [
        Made(f"{name}.xlsx", columns, table.rows, list(range(3, last + 1)), area(2, 2, last, len(columns)), sheet.title)
    ]


def spaced(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """Empty columns between the columns and an empty row after each group: made to be looked at."""
    table = data(chance, "money int percent")
    columns = titled(table)
    book, sheet = workbook(chance, table.language)
    put(sheet, 1, 1, [chance.choice(TITLES[table.language])])
    places = [1, 2, 4, 6] if chance.random() < 0.6 else [1, 3, 5, 7]
    top = 3
    for col, column in zip(places, columns, strict=True):
        sheet.cell(top, col, column.heading)
    at = top
    numbers: list[int] = []
    last: Value = table.rows[0][0]
    for row in table.rows:
        at += 1 + (row[0] != last)
        last = row[0]
        numbers.append(at)
        for col, value, column in zip(places, row, columns, strict=True):
            if value is not None:
                sheet.cell(at, col, value).number_format = FORMATS.get(column.kind, "General")
    book.save(folder / f"{name}.xlsx")
    return [Made(f"{name}.xlsx", columns, table.rows, numbers, area(top, 1, at, places[-1]), sheet.title)]


def printed(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """The head again on every page, as programs print lists into sheets; a table of formulas' results beside."""
    table = data(chance, "money int date", chance.randrange(30, 60))
    columns = titled(table)
    book, sheet = workbook(chance, table.language)
    every = chance.choice([10, 15, 20])
    at, apart = 0, -1
    numbers: list[int] = []
    for index, row in enumerate(table.rows):
        if index % every == 0:
            at += 1
            apart += 1
            put(sheet, at, 1, [column.heading for column in columns])
        at += 1
        numbers.append(at)
        put(sheet, at, 1, row, columns)
    book.save(folder / f"{name}.xlsx")
    return [Made(f"{name}.xlsx", columns, table.rows, numbers, area(1, 1, at, len(columns)), sheet.title, apart)]


def lines_of(table: Data, spell: Callable[[Value, Column, str], str]) -> list[list[str]]:
    """The rows as texts."""
    return [[spell(*one) for one in zip(row, table.columns, table.units, strict=True)] for row in table.rows]


def delimited(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """A list in one of the encodings, with lines above the head and below the rows."""
    table = data(chance, "money number percent date", chance.randrange(20, 50))
    language = table.language
    columns = titled(table)
    delimiter = chance.choice([";", "\t", "|"] if language != "en" else [",", ";", "\t"])
    encoding = chance.choice(["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    above = chance.choice(
        [[], [chance.choice(TITLES[language])], [chance.choice(TITLES[language]), NOTES[language][0], ""]]
    )
    total = chance.random() < 0.4
    spell = speller(chance, language)
    quoted = [[f'"{cell}"' if delimiter in cell else cell for cell in line] for line in lines_of(table, spell)]
    if total:
        row = table.total(chance.choice(TOTALS[language]))
        cells = [
            spell(value, column, unit) for value, column, unit in zip(row, table.columns, table.units, strict=True)
        ]
        quoted.append([f'"{cell}"' if delimiter in cell else cell for cell in cells])
    lines = [*above, delimiter.join(column.heading for column in columns), *(delimiter.join(line) for line in quoted)]
    text = chance.choice(["\n", "\r\n"]).join(lines) + "\n"
    if encoding == "cp1252":
        text = text.replace("\u202f", "\u00a0").replace("\u2212", "-")
    suffix = "tsv" if delimiter == "\t" else "csv"
    (folder / f"{name}.{suffix}").write_bytes(text.encode(encoding))
    top = len(above) + 1
    numbers = list(range(top + 1, top + 1 + len(table.rows)))
    return [
        Made(
            f"{name}.{suffix}",
            columns,
            table.rows,
            numbers,
            area(top, 1, numbers[-1] + total, len(columns)),
            "",
            int(total),
        )
    ]


def html_of(table: Data, spell: Callable[[Value, Column, str], str], chance: random.Random) -> tuple[str, bool]:
    """A table in HTML: row headers that span their group, a total in the foot."""
    columns = titled(table)
    head = "".join(f"<th>{column.heading}</th>" for column in columns)
    body = ""
    for at, line in enumerate(lines_of(table, spell)):
        first = not at or table.rows[at - 1][0] != table.rows[at][0]
        span = sum(row[0] == table.rows[at][0] for row in table.rows)
        cells = "".join(f"<td align='right'>{cell}</td>" for cell in line[1:])
        body += f"<tr>{f'<th rowspan={span} scope=row>{line[0]}</th>' if first else ''}{cells}</tr>"
    foot = ""
    if total := chance.random() < 0.5:
        row = table.total(chance.choice(TOTALS[table.language]))
        foot = "".join(f"<td>{spell(v, c, u)}</td>" for v, c, u in zip(row, table.columns, table.units, strict=True))
    style = "" if chance.random() < 0.5 else "<caption>Zahlen · Figures · Chiffres</caption>"
    end = f"<tfoot><tr>{foot}</tr></tfoot>" if total else ""
    return f"<table>{style}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>{end}</table>", total


def page(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """A web page with navigation laid out as a table, and the same as a mail."""
    table = data(chance, "money int percent", chance.randrange(8, 20))
    markup, total = html_of(table, speller(chance, table.language), chance)
    menu = "<table><tr><td><a href='/'>Home</a></td><td><a href='/x'>Index</a></td></tr></table>"
    title, note = chance.choice(TITLES[table.language]), chance.choice(NOTES[table.language])
    body = f"{menu}<h2>{title}</h2>{markup}<p>{note}</p>"
    text = f"<html lang='{table.language}'><body>{body}</body></html>"
    rows = list(range(2, 2 + len(table.rows)))
    if chance.random() < 0.5:
        (folder / f"{name}.html").write_text(f"<!doctype html><meta charset=utf-8>{text}", "utf-8")
        return [Made(f"{name}.html", titled(table), table.rows, rows, left_out=int(total))]
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "Figures"
    mail["Date"] = "Mon, 06 May 2024 10:00:00 +0200"
    mail.set_content("See the table.")
    mail.add_alternative(text, subtype="html")
    (folder / f"{name}.eml").write_bytes(mail.as_bytes())
    return [Made(f"{name}.eml", titled(table), table.rows, rows, left_out=int(total))]


def notebook(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """A notebook whose output is a data frame in HTML, with its index."""
    table = replace(data(chance, "money int", chance.randrange(6, 15)), language="en")
    columns = [Column(column.heading.replace(" ", "_").lower(), column.kind) for column in table.columns]
    head = "".join(f"<th>{column.heading}</th>" for column in columns)
    body = "".join(
        f"<tr><th>{at}</th>{''.join('<td>NaN</td>' if value is None else f'<td>{value}</td>' for value in row)}</tr>"
        for at, row in enumerate(table.rows)
    )
    output = (
        f'<table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "source": ["frame"],
        "outputs": [
            {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/html": [output]}}
        ],
    }
    (folder / f"{name}.ipynb").write_text(
        json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    return [Made(f"{name}.ipynb", columns, table.rows, list(range(2, 2 + len(table.rows))))]


def markdown(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """Two tables in Markdown under headings."""
    found: list[Made] = []
    text = ""
    for number in range(2):
        table = data(chance, "number percent date" if number else "money int", chance.randrange(5, 15))
        columns = titled(table)
        spell = speller(chance, table.language)
        text += f"# {chance.choice(TITLES[table.language])}\n\n"
        text += f"| {' | '.join(c.heading for c in columns)} |\n|{' ---: |' * len(columns)}\n"
        text += "".join(f"| {' | '.join(line)} |\n" for line in lines_of(table, spell)) + "\n"
        found.append(Made(f"{name}.md", columns, table.rows, list(range(2, 2 + len(table.rows))), key=f"{number}"))
    (folder / f"{name}.md").write_text(text, "utf-8")
    return distinct(found)


def word(folder: Path, name: str, chance: random.Random, *, suffix: str = "docx") -> list[Made]:
    """A Word report: group names merged over their rows, a row of units under the head, a total."""
    from docx import Document

    table = data(chance, "money number int", chance.randrange(8, 18))
    spell = speller(chance, table.language, units=False)
    columns = titled(table)
    document = Document()
    document.add_heading(chance.choice(TITLES[table.language]), 1)
    document.add_paragraph(chance.choice(NOTES[table.language]))
    grid = document.add_table(1, len(columns))
    grid.style = "Table Grid"
    for cell, column in zip(grid.rows[0].cells, columns, strict=True):
        cell.text = column.heading
    for line in lines_of(table, spell):
        for cell, text in zip(grid.add_row().cells, line, strict=True):
            cell.text = text
    if merged := chance.random() < 0.5 and suffix == "docx":
        for group in dict.fromkeys(row[0] for row in table.rows):
            numbers = [at for at, row in enumerate(table.rows, 1) if row[0] == group]
            for at in numbers[1:]:
                grid.cell(at, 0).text = ""
            if len(numbers) > 1:
                one = grid.cell(numbers[0], 0).merge(grid.cell(numbers[-1], 0))
                one.text = str(group)
    total = not merged and chance.random() < 0.6
    if total:
        row = table.total(chance.choice(TOTALS[table.language]))
        for cell, value, column, unit in zip(grid.add_row().cells, row, table.columns, table.units, strict=True):
            cell.text = spell(value, column, unit)
    path = folder / f"{name}.docx"
    document.save(str(path))
    if suffix != "docx" and not convert(path, suffix):
        return []
    return [Made(f"{name}.{suffix}", columns, table.rows, list(range(2, 2 + len(table.rows))), left_out=int(total))]


def slide(folder: Path, name: str, chance: random.Random) -> list[Made]:
    """A table on a slide, figures as their author writes them."""
    from pptx import Presentation
    from pptx.util import Inches

    table = data(chance, "money percent", chance.randrange(5, 9))
    columns = titled(table)
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = chance.choice(TITLES[table.language])  # pyright: ignore[reportOptionalMemberAccess]
    grid = slide.shapes.add_table(len(table.rows) + 1, 3, Inches(1), Inches(2), Inches(8), Inches(4)).table
    lines = [[column.heading for column in columns], *lines_of(table, speller(chance, table.language))]
    for at, line in enumerate(lines):
        for cell, text in zip(grid.rows[at].cells, line, strict=True):
            cell.text = text
    deck.save(str(folder / f"{name}.pptx"))
    return [Made(f"{name}.pptx", columns, table.rows, list(range(2, 2 + len(table.rows))))]


def convert(path: Path, suffix: str) -> bool:
    """Write a file in another format by LibreOffice and remove it; False where there is none."""
    soffice = shutil.which("soffice")
    if soffice is not None:
        command = [soffice, "--headless", "--convert-to", suffix, "--outdir", str(path.parent), str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=180)
    path.unlink()
    return soffice is not None


def make(folder: Path, seed: int) -> list[Made]:
    """All of them."""
    chance = random.Random(seed)
    found: list[Made] = []
    for kind in (stacked, beside, grouped, crossed, delimited, delimited, word, page):
        for number in range(2):
            found += kind(folder, f"{kind.__name__}-{len(found)}-{number}", chance)
    for kind in (units_below, as_text, spaced, printed, notebook, markdown, slide):
        found += kind(folder, kind.__name__, chance)
    found += word(folder, "word-as-pdf", chance, suffix="pdf")
    for kind, suffix in ((stacked, "xls"), (crossed, "ods"), (grouped, "xls"), (beside, "ods")):
        name = f"{kind.__name__}-as-{suffix}"
        made = kind(folder, name, chance)
        if convert(folder / f"{name}.xlsx", suffix):
            found += [replace(one, file=f"{name}.{suffix}") for one in made]
    return found
