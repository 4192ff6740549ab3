"""Writes tables into workbooks, CSVs, documents, pages, messages and notebooks, each as its producers do."""

from __future__ import annotations

import csv
import datetime as dt
import html
import importlib
import io
import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table as SheetTable
from pptx.util import Cm
from table_blocks_sixth import NUMBERS, SHEET_FORMATS, WORDS, Block, Cell, Tongue
from table_files_third import MONTHS


def grouped_digits(value: float, places: int, tongue: Tongue, thousands: bool) -> str:
    text = f"{abs(value):,.{places}f}" if thousands else f"{abs(value):.{places}f}"
    return text.replace(",", "\0").replace(".", tongue.point).replace("\0", tongue.thousands)


def dated(day: dt.date, shape: str, language: str) -> str:
    if shape != "long":
        return day.strftime(shape)
    month = MONTHS[language][day.month - 1]
    return f"{day.day}{'.' if language == 'de' else ''} {month} {day.year}"


def show(cell: Cell, block: Block, thousands: bool = True) -> str:
    """The cell as its author writes it in a text."""
    value, tongue = cell.value, block.tongue
    if cell.style == "month" and isinstance(value, dt.date):
        return value.strftime("%b %y")
    if isinstance(value, dt.date):
        return dated(value, block.date, tongue.language)
    if value is None or isinstance(value, str) or cell.style == "year":
        return "" if value is None else str(value)
    if cell.style == "pct":
        figure = f"{value * 100:.1f}".replace(".", tongue.point)
        return figure + ("%" if tongue.language == "en" else " %")
    text = grouped_digits(value, 0 if cell.style == "int" else 2, tongue, thousands)
    if cell.style == "money":
        text = tongue.money.replace("#", text)
    if value >= 0:
        return text
    return f"({text})" if tongue.language == "en" and cell.style == "paren" else f"-{text}"


@dataclass
class Page:
    """A sheet: cells by row and column from 1, with what is merged and hidden."""

    name: str
    cells: dict[tuple[int, int], tuple[Cell, Block]] = field(default_factory=dict[tuple[int, int], tuple[Cell, Block]])
    formulas: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    merges: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    hidden: set[int] = field(default_factory=set[int])
    filters: str = ""
    tables: dict[str, str] = field(default_factory=dict[str, str])
    named: dict[str, str] = field(default_factory=dict[str, str])

    def write(self, block: Block, row: int, column: int, titled: bool, noted: bool) -> int:
        """Puts a block with its title above, at a corner; the row its first line stands in."""
        if titled:
            self.cells[row, column] = (Cell(block.title, "title"), block)
            row += 2
        for at, line in enumerate(block.lines):
            for beside, cell in enumerate(line):
                if cell.value is None and not cell.formula:
                    continue
                self.cells[row + at, column + beside] = (cell, block)
                if cell.formula:
                    self.formulas[row + at, column + beside] = cell.formula(
                        lambda line, col: f"{get_column_letter(column + col)}{row + line}"
                    )
        self.merges += [(row + a, column + b, row + c, column + d) for a, b, c, d in block.merges]
        self.hidden |= {row + line for line in block.hidden}
        if noted:
            for at, note in enumerate(block.notes):
                self.cells[row + len(block.lines) + 1 + at, column] = (Cell(note, "text"), block)
        return row

    def area(self, block: Block, row: int, column: int) -> str:
        last = get_column_letter(column + len(block.columns) - 1)
        return f"{get_column_letter(column)}{row}:{last}{row + len(block.lines) - 1}"


def sheet_format(cell: Cell, block: Block) -> str:
    if cell.style in ("date", "stamp"):
        shapes = {
            "%d.%m.%Y": "dd.mm.yyyy",
            "%d/%m/%Y": "dd/mm/yyyy",
            "%Y-%m-%d": "yyyy-mm-dd",
            "%m/%d/%Y": "mm/dd/yyyy",
        }
        day = shapes.get(block.date.removesuffix(" %H:%M"), "d mmm yyyy")
        return f"{day} hh:mm" if cell.style == "stamp" else day
    if cell.style == "money":
        return block.tongue.sheet_money
    return {"month": "mmm yy", **SHEET_FORMATS}.get(cell.style, "General")


def write_openpyxl(path: Path, pages: list[Page], epoch: dt.datetime | None = None) -> None:
    """Formulas without results, as programs write them."""
    book = openpyxl.Workbook()
    book.epoch = epoch or book.epoch
    for at, page in enumerate(pages):
        sheet: Any = book.worksheets[0] if not at else book.create_sheet()
        sheet.title = page.name
        for (row, column), (cell, block) in page.cells.items():
            target = sheet.cell(row, column, page.formulas.get((row, column), cell.value))
            target.number_format = sheet_format(cell, block)
            if cell.style not in ("title", "text"):
                wide = sheet.column_dimensions[get_column_letter(column)]
                wide.width = max(wide.width, 4 + len(show(cell, block)))
            target.font = Font(bold=cell.style in ("head", "title", "year", "month"))
        for top, left, bottom, right in page.merges:
            sheet.merge_cells(start_row=top, start_column=left, end_row=bottom, end_column=right)
        for row in page.hidden:
            sheet.row_dimensions[row].hidden = True
        if page.filters:
            sheet.auto_filter.ref = page.filters
        for name, area in page.tables.items():
            sheet.add_table(SheetTable(displayName=name, ref=area))
        for name, area in page.named.items():
            first, last = area.split(":")
            fixed = ":".join(re.sub(r"([A-Z]+)(\d+)", r"$\1$\2", part) for part in (first, last))
            book.defined_names[name] = DefinedName(name, attr_text=f"'{page.name}'!{fixed}")
    book.save(path)


def write_xlsxwriter(path: Path, pages: list[Page]) -> None:
    """Formulas with their results, as spreadsheet programs store them."""
    book: Any = importlib.import_module("xlsxwriter").Workbook(str(path))
    for page in pages:
        sheet: Any = book.add_worksheet(page.name)
        for top, left, bottom, right in page.merges:
            sheet.merge_range(top - 1, left - 1, bottom - 1, right - 1, "")
        for (row, column), (cell, block) in page.cells.items():
            bold = cell.style in ("head", "title", "year", "month")
            shape = book.add_format({"num_format": sheet_format(cell, block), "bold": bold})
            if formula := page.formulas.get((row, column)):
                sheet.write_formula(row - 1, column - 1, formula, shape, cell.value)
            elif isinstance(cell.value, dt.date):
                sheet.write_datetime(row - 1, column - 1, cell.value, shape)
            elif isinstance(cell.value, str):
                sheet.write_string(row - 1, column - 1, cell.value, shape)
            else:
                sheet.write(row - 1, column - 1, cell.value, shape)
        for row in page.hidden:
            sheet.set_row(row - 1, None, None, {"hidden": True})
        if page.filters:
            sheet.autofilter(page.filters)
        for name, area in page.tables.items():
            block = next(block for _, block in page.cells.values())
            heads = [{"header": column.heads[0]} for column in block.columns]
            sheet.add_table(area, {"name": name, "columns": heads})
        for name, area in page.named.items():
            book.define_name(name, f"='{page.name}'!{area}")
    book.close()


def write_csv(path: Path, page: Page, delimiter: str, encoding: str, thousands: bool) -> None:
    width = max(column for _, column in page.cells)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    for row in range(1, max(row for row, _ in page.cells) + 1):
        found = [page.cells.get((row, column)) for column in range(1, width + 1)]
        writer.writerow([show(*held, thousands) if held else "" for held in found])
    path.write_bytes(out.getvalue().encode(encoding, "replace"))


def write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def html_table(block: Block, caption: bool, tag: str = "th") -> str:
    spans = {(a, b): (c - a + 1, d - b + 1) for a, b, c, d in block.merges}
    covered = {(r, k) for a, b, c, d in block.merges for r in range(a, c + 1) for k in range(b, d + 1)} - set(spans)
    rows = list[str]()
    for at, line in enumerate(block.lines):
        name = tag if at in block.heads else "td"
        made = ""
        for beside, cell in enumerate(line):
            if (at, beside) in covered:
                continue
            tall, wide = spans.get((at, beside), (1, 1))
            more = (f' rowspan="{tall}"' if tall > 1 else "") + (f' colspan="{wide}"' if wide > 1 else "")
            made += f"<{name}{more}>{html.escape(show(cell, block))}</{name}>"
        rows.append(f"<tr>{made}</tr>")
    head = f"<caption>{html.escape(block.title)}</caption>" if caption else ""
    above = "" if caption else f"<h2>{html.escape(block.title)}</h2>"
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in block.notes)
    return f'{above}<table border="1">{head}{"".join(rows)}</table>{notes}'


def html_page(blocks: Sequence[Block], caption: bool = False, tag: str = "th") -> str:
    language = blocks[0].tongue.language
    body = "".join(f"<p>{WORDS[language][3]}</p>{html_table(block, caption, tag)}" for block in blocks)
    style = "table{border-collapse:collapse;font:10pt sans-serif}td,th{padding:2px 8px}"
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{html.escape(blocks[0].title)}'
        f"</title><style>{style}</style></head><body>{body}</body></html>"
    )


def fill_table(block: Block, table: Any) -> None:
    for at, line in enumerate(block.lines):
        for beside, cell in enumerate(line):
            table.cell(at, beside).text = show(cell, block)
    for top, left, bottom, right in block.merges:
        table.cell(top, left).merge(table.cell(bottom, right))
        table.cell(top, left).text = show(block.lines[top][left], block)


def write_docx(path: Path, blocks: Sequence[Block]) -> None:
    document = docx.Document()
    for block in blocks:
        document.add_heading(block.title, 2)
        document.add_paragraph(WORDS[block.tongue.language][3])
        table = document.add_table(len(block.lines), len(block.columns))
        table.style = "Table Grid"
        fill_table(block, table)
        for note in block.notes:
            document.add_paragraph(note)
    document.save(str(path))


def write_pptx(path: Path, blocks: Sequence[Block]) -> None:
    deck = pptx.Presentation()
    for block in blocks:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        if slide.shapes.title is not None:
            slide.shapes.title.text_frame.text = block.title
        size = (len(block.lines), len(block.columns), Cm(1), Cm(4), Cm(23), Cm(len(block.lines)))
        fill_table(block, slide.shapes.add_table(*size).table)
    deck.save(str(path))


def markdown(block: Block) -> str:
    def line(texts: Sequence[str]) -> str:
        return "| " + " | ".join(texts) + " |"

    lines = [[show(cell, block) for cell in row] for row in block.lines]
    rule = ["---:" if column.style in (*NUMBERS, "pct") else "---" for column in block.columns]
    body = "\n".join([line(lines[0]), line(rule), *map(line, lines[1:])])
    return f"# {block.title}\n\n{body}\n\n" + "\n\n".join(block.notes) + "\n"


def write_mail(path: Path, block: Block) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a.gross@example.org", "team@example.org", block.title
    mail["Date"] = "Mon, 02 Dec 2024 09:30:00 +0100"
    mail.set_content(f"{block.title}: see the table.\n")
    mail.add_alternative(html_page([block]), subtype="html")
    path.write_bytes(mail.as_bytes())


def write_notebook(path: Path, block: Block, output: bool) -> None:
    """The table as a cell's output, or in a cell of Markdown."""
    text = [{"cell_type": "markdown", "metadata": {}, "source": f"# {block.title}" if output else markdown(block)}]
    data = {"text/html": html_table(block, False), "text/plain": "<table>"}
    ran = {
        "cell_type": "code", "execution_count": 1, "metadata": {}, "source": "frame",
        "outputs": [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}],
    }  # fmt: skip
    held = {"cells": [*text, *([ran] if output else [])], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(held, ensure_ascii=False), encoding="utf-8")


def convert(sources: list[Path], target: str, folder: Path) -> None:
    """What LibreOffice makes of files, all of one target format in one run."""
    if not sources:
        return
    with tempfile.TemporaryDirectory() as profile:
        command = ["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", target]
        subprocess.run(
            [*command, "--outdir", str(folder), *map(str, sources)], check=True, capture_output=True, timeout=300
        )


def print_page(source: Path, target: Path) -> None:
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run(
        [*command, f"--print-to-pdf={target}", source.as_uri()], check=True, capture_output=True, timeout=120
    )
