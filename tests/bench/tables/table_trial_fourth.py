"""What the fourth trial of tables is made of (`table_books_fourth`, `table_texts_fourth`): a table as it was made, a
question with the rows that pandas gives, and what writes them down."""

from __future__ import annotations

import datetime as dt
import importlib
import random
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openpyxl.utils import get_column_letter as letter
from openpyxl.worksheet.worksheet import Worksheet

pd: Any = importlib.import_module("pandas")  # in the bench alone

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Held:
    """A table as it was made: what finds it (its file, headings, sheet), and what an answer must tell of it: its range
    with the heading (of sheets), how many rows of data it has, and how many stand apart."""

    file: str
    headings: tuple[str, ...]
    rows: int
    area: str = ""
    sheet: str = ""
    left_out: int = 0


@dataclass(frozen=True)
class Asked:
    """A question: SQL in which `{a}` is the table that `tables` calls so and `{a.Heading}` a column of it."""

    kind: str
    sql: str
    tables: dict[str, Held]
    expected: Rows


@dataclass
class Made:
    """What was written so far."""

    folder: Path
    chance: random.Random
    asked: list[Asked] = field(default_factory=list[Asked])

    def ask(self, kind: str, sql: str, expected: object, **tables: Held) -> None:
        """Note a question; `expected` is a value, a row, a frame, or a series with its index."""
        self.asked.append(Asked(kind, sql, tables, rows_of(expected)))

    def pick(self, words: str, count: int = 1) -> list[str]:
        """So many of the words parted by commas."""
        return self.chance.sample([word.strip() for word in words.split(",")], count)

    def suffix(self, own: str, *others: str) -> str:
        """A suffix that files can have here: another one where LibreOffice writes it."""
        return self.chance.choice([own, *(others if shutil.which("soffice") else ())])

    def money(self, low: int, high: int) -> float:
        """An amount with cents."""
        return self.chance.randint(low * 100, high * 100) / 100

    def day(self, year: int = 2024) -> dt.date:
        """A day of a year."""
        return dt.date(year, 1, 1) + dt.timedelta(days=self.chance.randrange(365))


def rows_of(value: Any) -> Rows:
    """Rows of plain values."""
    if isinstance(value, pd.Series):
        value = value.reset_index()
    if isinstance(value, pd.DataFrame):
        return [tuple(map(plain, row)) for row in value.itertuples(index=False)]
    return [tuple(map(plain, value))] if isinstance(value, tuple) else [(plain(value),)]


def plain(value: Any) -> Any:
    """A value as an answer holds it."""
    if isinstance(value, dt.datetime):
        return value.strftime("%Y-%m-%d") if value.time() == dt.time() else value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, dt.date):
        return value.isoformat()
    if value is None or pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


def area(top: int, left: int, bottom: int, right: int) -> str:
    return f"{letter(left)}{top}:{letter(right)}{bottom}"


def put(sheet: Worksheet, top: int, left: int, rows: Iterable[Sequence[Any]], formats: Sequence[str] = ()) -> None:
    """Write rows into a sheet."""
    for at, row in enumerate(rows):
        for col, value in enumerate(row):
            if value is not None:
                cell = sheet.cell(top + at, left + col, value)
                if col < len(formats) and formats[col] and not isinstance(value, str):
                    cell.number_format = formats[col]


def records(frame: Any) -> list[list[Any]]:
    """The rows of a frame as Python's own values, None for gaps."""
    return [[plain_cell(value) for value in row] for row in frame.itertuples(index=False)]


def plain_cell(value: Any) -> Any:
    if isinstance(value, dt.date | dt.datetime):
        return value
    return None if value is None or pd.isna(value) else value.item() if hasattr(value, "item") else value


def converted(path: Path, suffix: str) -> None:
    """The file in another format in its place, written by LibreOffice."""
    if suffix != path.suffix:
        command = ["soffice", "--headless", "--convert-to", suffix[1:], "--outdir", str(path.parent), str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=180)
        path.unlink()
