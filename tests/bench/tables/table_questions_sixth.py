"""What a reader of a table would ask, with the answer worked out from the values the table was made of."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from table_blocks_sixth import Block, Value


@dataclass(frozen=True)
class Held:
    """A table as a reader knows it: the file, the sheet, what stands above it and its headings."""

    file: str
    sheet: str
    title: str
    headings: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """`sql` has `[A]` for a table and `[A:Heading]` for a column; `where` is the condition of the rows it is from."""

    kind: str
    layout: str
    question: str
    sql: str
    expected: list[tuple[Value, ...]]
    tables: dict[str, Held]
    where: str
    rows: list[int] | None


def quoted(value: Value) -> str:
    return "'" + str(value).replace("'", "''") + "'" if isinstance(value, str | dt.date) else str(value)


@dataclass
class Asking:
    """The questions of one table; `base` is the row number of its first line."""

    rng: random.Random
    block: Block
    held: Held
    kind: str
    layout: str
    base: int
    found: list[Asked] = field(default_factory=list[Asked])

    def __post_init__(self) -> None:
        self.records = [record for _, record in self.block.records]
        self.every = list(range(len(self.records)))
        self.figures = self.block.of("int", "num", "money", "paren")
        self.labels = self.block.of("key", "serial", "code", "art")
        self.name = {at: f"[A:{column.heading}]" for at, column in enumerate(self.block.columns)}
        self.said = {at: " ".join(column.heads).split("~")[0] for at, column in enumerate(self.block.columns)}

    def ask(self, words: str, sql: str, expected: Sequence[tuple[Value, ...]], where: str, used: list[int]) -> None:
        rows = [self.base + self.block.records[at][0] for at in used]
        text = f"{words} [{self.block.title}]"
        one = Asked(self.kind, self.layout, text, f"SELECT {sql}", [*expected], {"A": self.held}, where, rows)
        self.found.append(one)

    def count(self, words: str, where: str, used: list[int]) -> None:
        self.ask(words, f"count(*) FROM [A] WHERE {where}", [(len(used),)], where, used)

    def named(self, at: int, row: int) -> str:
        """The condition that is true of one row, by a column that tells rows apart."""
        return f"{self.name[at]} = {quoted(self.records[row][at])}"

    def of_figures(self, at: int) -> None:
        name, said = self.name[at], self.said[at]
        known = [(v, row) for row in self.every if isinstance(v := self.records[row][at], int | float)]
        whole = round(sum(v for v, _ in known), 2)
        self.ask(f"Total {said}?", f"sum({name}) FROM [A]", [(whole,)], "1=1", self.every)
        if len(known) < len(self.every):
            self.ask(f"How many {said} are given?", f"count({name}) FROM [A]", [(len(known),)], "1=1", self.every)
        most, row = max(known)
        label = self.rng.choice(self.labels)
        if [v for v, _ in known].count(most) == 1:
            sql = f"{self.name[label]}, {name} FROM [A] WHERE {name} IS NOT NULL ORDER BY 2 DESC LIMIT 1"
            words = f"Which {self.said[label]} has the largest {said}?"
            self.ask(words, sql, [(self.records[row][label], most)], self.named(label, row), [row])
        middle = sorted(v for v, _ in known)[len(known) // 2]
        self.count(f"How many have {said} above {middle}?", f"{name} > {middle}", [r for v, r in known if v > middle])
        row = self.rng.choice(self.every)
        where = self.named(label, row)
        expected = [(self.records[row][at],)]
        self.ask(f"{said} of {self.records[row][label]}?", f"{name} FROM [A] WHERE {where}", expected, where, [row])

    def of_shares(self, at: int) -> None:
        known = [(v, row) for row in self.every if isinstance(v := self.records[row][at], float)]
        mean = sum(v for v, _ in known) / len(known)
        self.ask(f"Average {self.said[at]}?", f"avg({self.name[at]}) FROM [A]", [(mean,)], "1=1", self.every)
        if self.block.columns[at].style == "pct":
            some = [row for v, row in known if v > 0.1]
            self.count(f"How many have {self.said[at]} above 10 %?", f"{self.name[at]} > 0.1", some)

    def of_kinds(self, at: int) -> None:
        kinds = sorted({str(record[at]) for record in self.records})
        if self.figures:
            of = self.rng.choice(self.figures)
            pairs = [(record[at], v) for record in self.records if isinstance(v := record[of], int | float)]
            held = {kind: [v for k, v in pairs if k == kind] for kind in kinds}
            expected = [(kind, round(sum(v), 2) if v else None) for kind, v in held.items()]
            sql = f"{self.name[at]}, sum({self.name[of]}) FROM [A] GROUP BY 1 ORDER BY 1"
            self.ask(f"{self.said[of]} by {self.said[at]}?", sql, expected, "1=1", self.every)
        one = self.rng.choice(kinds)
        some = [row for row in self.every if self.records[row][at] == one]
        self.count(f"How many rows of {one}?", f"{self.name[at]} = {quoted(one)}", some)

    def of_dates(self, at: int) -> None:
        dates = [(d, row) for row in self.every if isinstance(d := self.records[row][at], dt.date)]
        month = self.rng.choice(dates)[0].month
        some = [row for d, row in dates if d.month == month]
        self.count(f"How many rows of month {month}?", f"month({self.name[at]}) = {month}", some)
        last = max(d for d, _ in dates)
        some, where = [row for d, row in dates if d == last], f"{self.name[at]} = '{last}'"
        self.ask(f"Latest {self.said[at]}?", f"max({self.name[at]}) FROM [A]", [(last,)], where, some)

    def of_stamps(self, at: int) -> None:
        stamps = [(d, row) for row in self.every if isinstance(d := self.records[row][at], dt.date)]
        one = self.rng.choice(stamps)[0]
        some = [row for d, row in stamps if (d.year, d.month) == (one.year, one.month)]
        self.count(f"How many rows of month {one.month}?", f"month({self.name[at]}) = {one.month}", some)
        some = [row for d, row in stamps if f"{d:%F}" == f"{one:%F}"]
        self.count(f"How many rows of {one:%F}?", f"date({self.name[at]}) = '{one:%F}'", some)

    def of_codes(self, at: int) -> None:
        row = self.rng.choice(self.every)
        other = next(iter(self.block.of("key")), self.figures[0])
        words = f"{self.said[other]} of {self.records[row][at]}?"
        where = self.named(at, row)
        self.ask(words, f"{self.name[other]} FROM [A] WHERE {where}", [(self.records[row][other],)], where, [row])

    def of_two(self) -> None:
        """What one column is above another, in one row."""
        a, b = self.rng.sample(self.figures, 2)
        row = self.rng.choice(self.every)
        first, second = self.records[row][a], self.records[row][b]
        if not isinstance(first, int | float) or not isinstance(second, int | float):
            return
        where = self.named(self.labels[0], row)
        sql = f"round({self.name[b]} - {self.name[a]}, 2) FROM [A] WHERE {where}"
        words = f"{self.said[b]} less {self.said[a]} of {self.records[row][self.labels[0]]}?"
        self.ask(words, sql, [(round(second - first, 2),)], where, [row])


def asks(rng: random.Random, block: Block, held: Held, kind: str, layout: str, base: int) -> list[Asked]:
    """Every sort of question that the table's columns allow."""
    asking = Asking(rng, block, held, kind, layout, base)
    for at in rng.sample(asking.figures, min(2, len(asking.figures))):
        asking.of_figures(at)
    for at in block.of("signed", "pct"):
        asking.of_shares(at)
    for at in block.of("cat"):
        asking.of_kinds(at)
    for at in block.of("date"):
        asking.of_dates(at)
    for at in block.of("code", "art"):
        asking.of_codes(at)
    for at in block.of("stamp"):
        asking.of_stamps(at)
    for at in block.of("bool"):
        some = [row for row in asking.every if asking.records[row][at]]
        asking.count(f"How many are {asking.said[at]}?", f"{asking.name[at]} = 1", some)
    asking.count("How many rows?", "1=1", asking.every)
    if len(block.columns[-1].heads) == 2 or layout in ("years", "losses", "months"):
        asking.of_two()
    return asking.found
