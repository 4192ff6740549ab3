"""Layouts less usual than those of `table_blocks_sixth`: exports, reports and statements as they are really kept."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from dataclasses import replace

from table_blocks_sixth import (
    CITIES,
    NUMBERS,
    WORDS,
    At,
    Block,
    Cell,
    Column,
    Tongue,
    Value,
    cells,
    crosstab,
    grouped,
    plain,
    put,
    put_head,
    subject,
    total,
    totals,
    values,
)
from table_writers_sixth import show

FIGURES = (*NUMBERS, "pct", "date")


def texted(block: Block, change: Callable[[str], str] = str) -> Block:
    """Figures and dates as the texts their author writes, `change` made to each."""
    for at, line in enumerate(block.lines):
        if at not in block.heads:
            block.lines[at] = [
                Cell(change(show(cell, block)), "text") if cell.style in FIGURES and cell.value is not None else cell
                for cell in line
            ]
    return block


def down(block: Block) -> Block:
    """The block one line further down, for a row put above all."""
    block.lines.insert(0, [Cell()] * len(block.columns))
    block.heads = {line + 1 for line in block.heads} | {0}
    block.records = [(line + 1, record) for line, record in block.records]
    block.merges = [(a + 1, b, c + 1, d) for a, b, c, d in block.merges]
    return block


def outline(rng: random.Random, tongue: Tongue) -> Block:
    """As a pivot table is pasted: a kind stands once, its sum follows ("North Total"), a grand total ends it."""
    block, groups = grouped(rng, tongue)
    word = {"de": "{} Ergebnis", "fr": "Total {}", "en": "{} Total"}[tongue.language]
    put_head(block)
    every, sums = list[list[Value]](), list[int]()
    for kind, records in groups:
        lines = list[int]()
        for at, record in enumerate(records):
            lines.append(put(block, record, [Cell() if at else Cell(kind, "text"), *cells(block, record)[1:]]))
        block.lines.append(total(block, word.format(kind), records, lines))
        sums.append(len(block.lines) - 1)
        every += records
    last = {"de": "Gesamtergebnis", "fr": "Total général", "en": "Grand Total"}[tongue.language]
    block.lines.append(total(block, last, every, sums))
    block.columns[0] = replace(block.columns[0], style="text")
    return block


def total_first(rng: random.Random, tongue: Tongue) -> Block:
    """The sums stand right below the headings."""
    block, records = subject(rng, tongue)
    put_head(block)
    word = {"de": "Gesamt", "fr": "Ensemble", "en": "All"}[tongue.language]
    block.lines.append(total(block, word, records, range(2, 2 + len(records))))
    for record in records:
        put(block, record)
    return block


def total_beside(rng: random.Random, tongue: Tongue) -> Block:
    """The word for the total stands in the second column."""
    block = totals(rng, tongue)
    last = block.lines[-1]
    if last[1].value is None:
        last[0], last[1] = Cell(), last[0]
    return block


def ruled(rng: random.Random, tongue: Tongue) -> Block:
    """A row of dashes below the headings and above the total, as old programs print."""
    block = totals(rng, tongue)
    rule = [Cell("-" * 10, "text")] * len(block.columns)
    block.lines.insert(1, rule)
    block.lines.insert(-1, rule)
    block.records = [(line + 1, record) for line, record in block.records]
    block.lines[-1] = [replace(cell, formula=None) for cell in block.lines[-1]]
    return block


def total_column(rng: random.Random, tongue: Tongue) -> Block:
    """Years across with a sum of each row at the end and of each column below."""
    block = crosstab(rng, tongue, [2021, 2022, 2023, 2024])
    word = WORDS[tongue.language][0]
    block.columns.append(Column((word,), "num"))
    block.lines[0].append(Cell(word, "head"))
    for line, record in block.records:
        whole = round(sum(v for v in record if isinstance(v, float)), 2)

        def across(at: At, line: int = line) -> str:
            return f"=SUM({at(line, 1)}:{at(line, 4)})"

        record.append(whole)
        block.lines[line].append(Cell(whole, "num", across))
    lines = [line for line, _ in block.records]
    block.lines.append(total(block, word, [record for _, record in block.records], lines))
    return block


def levels(rng: random.Random, tongue: Tongue, merged: bool, three: bool) -> Block:
    """Two or three levels of headings; where not merged, an upper heading stands above its first column alone."""
    subs = {"de": ("Menge", "Wert"), "fr": ("Volume", "Valeur"), "en": ("Volume", "Value")}[tongue.language]
    tops = ["Inland", "Export"] if tongue.language == "de" else ["France", "Export"]
    middles = ["2023", "2024"] if three else [""]
    label = {"de": "Werk", "fr": "Usine", "en": "Plant"}[tongue.language]
    groups = [tuple(p for p in (top, middle) if p) for top in tops for middle in middles]
    columns = [Column((label,), "key"), *(Column((*g, s), "num") for g in groups for s in subs)]
    block = Block("Absatz nach Markt" if tongue.language == "de" else "Markets", tongue, columns, tongue.dates[0])
    for level in range(len(groups[0])):
        row, start = [Cell()], 1
        while start < len(columns):
            path = columns[start].heads[: level + 1]
            wide = sum(column.heads[: level + 1] == path for column in columns)
            row += [Cell(path[-1], "head"), *[Cell()] * (wide - 1)]
            if merged:
                block.merges.append((level, start, level, start + wide - 1))
            start += wide
        put_head(block, row)
    put_head(block)
    for place in rng.sample(CITIES, rng.randrange(6, 11)):
        put(block, [place, *(values(rng, "num", "", "", 1)[0] for _ in columns[1:])])
    return block


def spread_heads(rng: random.Random, tongue: Tongue) -> Block:
    return levels(rng, tongue, False, False)


def three_level(rng: random.Random, tongue: Tongue) -> Block:
    return levels(rng, tongue, True, True)


def wrapped_heads(rng: random.Random, tongue: Tongue) -> Block:
    """Headings with line breaks, units and marks of notes."""
    block = plain(rng, tongue)
    signs = {
        "int": "\n(Anzahl)" if tongue.language == "de" else "\n(no.)",
        "num": "*",
        "date": "\n",
        "money": "\n(netto)",
    }
    for at, column in enumerate(block.columns):
        block.lines[0][at] = Cell(column.heads[0] + signs.get(column.style, ""), "head")
    return block


def numbered(rng: random.Random, tongue: Tongue) -> Block:
    """A column of running numbers in front."""
    block = totals(rng, tongue)
    word = {"de": "Lfd. Nr.", "fr": "N°", "en": "No."}[tongue.language]
    return fronted(block, word)


def unnamed(rng: random.Random, tongue: Tongue) -> Block:
    """Running numbers in front without a heading, as data frames are saved."""
    return fronted(plain(rng, tongue), "")


def fronted(block: Block, word: str) -> Block:
    block.columns.insert(0, Column((word or "unnamed",), "text"))
    numbers = {line: at for at, (line, _) in enumerate(block.records)}
    for at, line in enumerate(block.lines):
        line[:] = [replace(cell, formula=None) for cell in line]
        first = Cell(word or None, "head") if at in block.heads else Cell(numbers.get(at), "year")
        line.insert(0, first)
    block.records = [(line, [numbers[line], *record]) for line, record in block.records]
    return block


def remarked(rng: random.Random, tongue: Tongue) -> Block:
    """A remark right below the last row, and none of it is a record."""
    block = plain(rng, tongue)
    note = WORDS[tongue.language][2]
    block.lines.append([Cell(note, "text"), *[Cell()] * (len(block.columns) - 1)])
    return block


def titled_inside(rng: random.Random, tongue: Tongue) -> Block:
    """The title is the table's first row, merged over its width."""
    block = down(totals(rng, tongue))
    block.lines[0][0] = Cell(block.title, "head")
    block.merges.append((0, 0, 0, len(block.columns) - 1))
    block.lines = [[replace(cell, formula=None) for cell in line] for line in block.lines]
    return block


def spaced(rng: random.Random, tongue: Tongue) -> Block:
    """Narrow empty columns between groups of columns."""
    block = levels(rng, tongue, True, False)
    gap = Column(("",), "text")
    block.columns[3:3] = [gap]
    for line in block.lines:
        line.insert(3, Cell())
    block.records = [(line, [*record[:3], None, *record[3:]]) for line, record in block.records]
    block.merges = [(0, 1, 0, 2), (0, 4, 0, 5)]
    return block


def flagged(rng: random.Random, tongue: Tongue) -> Block:
    """A column of truth values."""
    block = plain(rng, tongue)
    word = {"de": "geprüft", "fr": "vérifié", "en": "checked"}[tongue.language]
    block.columns.append(Column((word,), "bool"))
    block.lines[0].append(Cell(word, "head"))
    for line, record in block.records:
        record.append(rng.random() < 0.6)
        block.lines[line].append(Cell(record[-1], "bool"))
    return block


def stamped(rng: random.Random, tongue: Tongue) -> Block:
    """A log with day and time."""
    names = {"de": ("Zeitpunkt", "Zähler", "Stand"), "fr": ("Horodatage", "Compteur", "Relevé")}
    heads = names.get(tongue.language, ("Time", "Meter", "Reading"))
    columns = [Column((h,), s) for h, s in zip(heads, ("stamp", "serial", "num"), strict=True)]
    shape = "%Y-%m-%d" if tongue.dates[0] == "long" else tongue.dates[0]
    block = Block("Log", tongue, columns, f"{shape} %H:%M")
    put_head(block)
    at = dt.datetime(2024, 1, 28, 6, 30)  # noqa: DTZ001 - what sheets hold has no zone
    for row in range(rng.randrange(12, 30)):
        put(block, [at, f"Z-{row:03d}", values(rng, "num", "", "", 1)[0]])
        at += dt.timedelta(hours=rng.randrange(20, 240), minutes=rng.randrange(60))
    return block


def statement(rng: random.Random, tongue: Tongue) -> Block:
    """A balance sheet: days as headings, sections, and sums of sections among the lines."""
    label = {"de": "Position", "fr": "Poste", "en": "Item"}[tongue.language]
    days = [dt.date(2024, 12, 31), dt.date(2023, 12, 31)]
    shapes = {"de": "%d.%m.%Y", "fr": "%d/%m/%Y", "en": "%Y-%m-%d"}
    date = shapes[tongue.language]
    texts = [f"{day:{date}}~{day:%Y-%m-%d}" for day in days]
    block = Block("Bilanz" if tongue.language == "de" else "Balance", tongue, [Column((label,), "key")], date)
    block.columns += [Column((text,), "paren") for text in texts]
    put_head(block, [Cell(label, "head"), *(Cell(day, "date") for day in days)])
    for section, names in (("Aktiva", "Anlagen Vorräte Kasse"), ("Passiva", "Kapital Darlehen Steuern Sonstige")):
        block.lines.append([Cell(section, "head"), Cell(), Cell()])
        made, lines = list[list[Value]](), list[int]()
        for name in names.split():
            made.append([name, *(values(rng, "paren", "", "", 1)[0] for _ in days)])
            lines.append(put(block, made[-1]))
        block.lines.append(
            total(block, f"Summe {section}" if tongue.language == "de" else f"Total {section}", made, lines)
        )
    return block


def large(rng: random.Random, tongue: Tongue) -> Block:
    """Two thousand rows."""
    block = plain(rng, tongue)
    first = dict(enumerate(block.columns))
    kinds = {at: sorted({str(r[at]) for _, r in block.records}) for at in block.of("cat")}
    for row in range(2000):
        record = list[Value]()
        for at, column in first.items():
            if column.style == "cat":
                record.append(rng.choice(kinds[at]))
            elif column.style in ("key", "code", "art", "serial"):
                record.append(f"X{row:05d}")
            else:
                record.append(values(rng, column.style, "", tongue.language, 1)[0])
        put(block, record)
    return block
