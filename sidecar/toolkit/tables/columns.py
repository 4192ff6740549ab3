"""The type of a column from its cells: what most of them are, the unit they share, and how both are written.

What is ambiguous in every cell is decided by other columns (hints); where nothing decides, the column stays text. What
columns tell one another is `finding`'s."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sidecar.api import Cell, ColumnType
from sidecar.toolkit.tables import dates
from sidecar.toolkit.tables.cells import AMOUNTS, POINTED, TypedCell, format_unit, heading_unit, is_stretch, typed_cell
from sidecar.toolkit.tables.dates import WrittenDate
from sidecar.toolkit.tables.numbers import (
    CREDIT_OR_DEBIT,
    CURRENCIES,
    MULTIPLIERS,
    SCALED,
    Hints,
    Written,
    are_currencies,
    before_remark,
    currency_in,
    is_limit,
    read_fraction,
    read_number,
    same_quantity,
)

_SAMPLES: Final = 2
"""Different texts of a column that are kept to be shown."""
_STRAY: Final = 0.2
"""The share of cells that may be something else than the column's type; they are left out and told of."""
_FLAGS: Final = frozenset("abcefinprux¹²³⁴⁵⁶⁷⁸⁹")
"""Single letters that are flags of statistics or marks of notes behind some numbers ("45.6 p"), and no usual units."""
_NOTED: Final = "numbers with marks of notes or flags behind some of them, which are not among the values"
_MARGINS: Final = "numbers with their margins of error behind them (±), which are not among the values"
_SIDES: Final = (
    "CR or DR stands behind some numbers: whether credits or debits are to be subtracted is not said; as_number(x) of "
    "those WHERE x LIKE '%CR' adds up one side"
)
_LENGTH = re.compile(r"(?:h|m|s|min|sec)|[hm] ?\d{1,2} ?(?:m|s|min)?")
"""What stands behind the first number of a length of time: "m23s" of "2m23s"."""
_BRACKETS: Final = frozenset(")]）")
_LAPS: Final = "times such as 1:02.33, as their seconds"
_OF_BYTES: Final = ", 1 MB as 1,000 KB"
_MIXED: Final = "percentages and other values in one column: 12.5 % is 0.125, and no sum is of both"
_LENGTHS: Final = "lengths of time such as 2m23s; hours(x) gives their hours"


def _counts() -> defaultdict[str, int]:
    """A table has four of them a column; a Counter takes ten times as long to make."""
    return defaultdict(int)


@dataclass
class Profile:
    """What was seen of a column's cells."""

    kinds: defaultdict[str, int] = field(default_factory=_counts)
    units: defaultdict[str, int] = field(default_factory=_counts)
    decimals: defaultdict[str, int] = field(default_factory=_counts)
    orders: defaultdict[str, int] = field(default_factory=_counts)
    either: tuple[set[int], set[int], set[int]] = field(default_factory=lambda: (set(), set(), set()))
    """The years and the numbers of dates whose day and month may be either, as they stand."""
    clocks: int = 0
    bare: list[int] = field(default_factory=lambda: [0, 0])
    """Whole numbers without separators below 1000, and above."""
    lengths: set[tuple[int, bool]] = field(default_factory=set[tuple[int, bool]])
    """How many digits whole numbers have that are texts, and whether they begin with a nought."""
    spaced: int = 0
    """Whole numbers whose thousands are parted by spaces or apostrophes."""
    remarked: int = 0
    """Numbers with a remark in brackets behind them."""
    marked: int = 0
    """Numbers with the mark of a note behind them."""
    margins: int = 0
    """Numbers with their margin of error behind them."""
    shares: int = 0
    """Percentages that are texts."""
    months: defaultdict[str, int] = field(default_factory=_counts)
    """Texts that are months: "Jan 2024", "Jan-24"."""
    quarters: int = 0
    fractions: list[int] = field(default_factory=lambda: [0, 0])
    """Numbers with a fraction, "3 3/4" and "½", and texts that are one perhaps, "3/4"."""
    zones: set[str] = field(default_factory=set[str])
    """The time zones that stand behind times, "" for none."""
    stretches: int = 0
    """Texts that are times: "7:30"."""
    firsts: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    """The numbers that times without seconds begin with, and times with seconds."""
    laps: int = 0
    """Texts that are minutes and seconds with their fractions: "1:02.33"."""
    days: defaultdict[str, int] = field(default_factory=_counts)
    """Numbers of eight digits that are days: 20240131."""
    pointed: list[int] = field(default_factory=lambda: [0, 0])
    """How many texts are whole numbers with a point behind, "50.", and how many of them are different: of numbers that
    programs write so they come again, of ordinals they do not."""
    samples: list[str] = field(default_factory=list[str])

    def look_at(self, texts: Sequence[str], cells: Sequence[Cell | None] | None = None) -> None:
        """Look at all cells of the column: their texts, and where some hold more, what each holds beyond its own."""
        if cells is None or not any(cells):
            for text, times in Counter(texts).items():  # what a column says once it says often
                if text:
                    self._add(text, None, times)
            return
        formats: list[str] = []
        for text, cell in zip(texts, cells, strict=True):
            if cell is not None and type(cell.value) in AMOUNTS and not is_stretch(cell.format):  # most that hold more
                formats.append(cell.format)
                self._sample(text)
            elif text or cell is not None:
                self._add(text, cell)
        for code, times in Counter(formats).items():
            self.kinds["number"] += times
            self.units[format_unit(code)] += times

    def _add(self, text: str, cell: Cell | None, times: int = 1) -> None:
        """Look at one more cell, or at `times` alike."""
        judged = typed_cell(text, cell)
        kind = judged.kind
        if not kind:
            return
        if kind == "text":
            self._look_at_text(text.strip(), times)
        else:
            self.kinds[kind] += times
        if kind not in ("gap", "error", "formula"):
            self._sample(text)
        if kind == "number":
            self.units[judged.unit] += times
            if isinstance(judged.written, Written):
                mark = judged.written.decimal
                self.fractions[0] += times * judged.written.fraction
                self.marked += times * judged.written.marked
                self.margins += times * judged.written.margin
                self.shares += times * (judged.unit == "%")
                self.decimals[mark] += times
                if not mark and not judged.written.digits.isdecimal():
                    self.spaced += times
                elif not mark:
                    self.bare[len(judged.written.digits) > 3] += times
                    digits = text.strip()
                    self.lengths.add((len(digits), False))
                    if dates.read_day(digits):
                        self.days[digits] += times
        elif kind == "date":
            self._look_at_date(judged, times)

    def _look_at_date(self, judged: TypedCell, times: int) -> None:
        if isinstance(judged.written, WrittenDate):
            self.orders[judged.written.order] += times
            if judged.written.order == "?":
                for seen, one in zip(self.either, judged.written[:3], strict=True):
                    seen.add(one)
            self.clocks += times * bool(judged.written.clock)
            if judged.written.clock:
                self.zones.add(judged.written.zone)
        elif isinstance(judged.value, str):
            self.clocks += "T" in judged.value

    def _look_at_text(self, text: str, times: int) -> None:
        self.kinds["limit" if is_limit(text) else "text"] += times
        if text[:1] == "0" and text.isdecimal():
            self.lengths.add((len(text), True))
        elif text[-1:] == "." and POINTED.fullmatch(text):
            self.pointed[0] += times
            self.pointed[1] += 1
        elif text[-1:] in _BRACKETS and read_number(before_remark(text)):
            self.remarked += times
        elif read_fraction(text) is not None:
            self.fractions[1] += times
        elif len(text) <= _PERIOD_CHARS and _DIGIT_AT_EDGE.search(text):
            self.quarters += times * bool(dates.read_quarter(text))
            if dates.read_stretch(text) is not None:
                self.stretches += times
                self.firsts[text.count(":") > 1].add(dates.first_of_stretch(text))
            self.laps += times * (dates.read_lap(text) is not None)
            if dates.read_month(text):
                self.months[text] += times

    def _sample(self, text: str) -> None:
        if len(self.samples) < _SAMPLES and text not in self.samples:
            self.samples.append(text[:40])

    @property
    def numbered(self) -> bool:
        """Whether digits name things: all of them are as many, and some begin with a nought."""
        return len({length for length, _ in self.lengths}) == 1 and len(self.lengths) == 2

    @property
    def codes(self) -> bool:
        """Whether the cells name currencies, as far as they were kept."""
        return are_currencies(self.samples)

    @property
    def decimal(self) -> str:
        """The decimal sign the cells show, "" where none does or they contradict each other."""
        points, commas = self.decimals["."], self.decimals[","]
        return "" if bool(points) == bool(commas) else "." if points else ","

    @property
    def order(self) -> str:
        """The order of day and month that the dates show, "" where none does or they contradict each other."""
        days, months = self.orders["dmy"], self.orders["mdy"]
        if not days and not months:
            return dates.order_of_firsts(*self.either)
        return "" if bool(days) == bool(months) else "dmy" if days else "mdy"


_IN_UTC: Final = "times of several time zones, each given in UTC; those without a zone as they stand"
_OF_ZONES: Final = "times of several time zones, as they stand: which comes first is not what they say"
AMBIGUOUS_DATES: Final = "ambiguous dates: day or month may come first"
"""Why a column of dates stayed text that no other of its document tells how to read."""
_PERIOD_CHARS: Final = 16
_DIGIT_AT_EDGE = re.compile(r"^\d|\d.?$")
CODES: Final = "digits of one length, some of which begin with 0: they name things"
"""Why a column of digits stayed text."""


class TypedColumn(NamedTuple):
    """What a column was found to be; `remark` says why it is text although its cells look like more."""

    type: ColumnType
    unit: str = ""
    decimal: str = ""
    order: str = ""
    remark: str = ""


def typed_column(profile: Profile, title: str, hints: Hints, *, coded: bool) -> TypedColumn:
    """The type of a column. `title` is its heading, which may name the unit; `coded` tells that another column names
    each row's currency."""
    kinds = profile.kinds
    if (given := profile.pointed[0]) and (profile.pointed[1] < given or profile.decimals["."]):
        kinds["text"], kinds["number"] = kinds["text"] - given, kinds["number"] + given
        profile.units[""] += given
        profile.decimals["."] += given
        profile.pointed = [0, 0]
    if all(profile.fractions):
        kinds["text"], kinds["number"] = kinds["text"] - profile.fractions[1], kinds["number"] + profile.fractions[1]
        profile.units[""] += profile.fractions[1]
        profile.fractions = [0, 0]
    cells = sum(kinds[kind] for kind in ("number", "date", "bool", "text"))
    if cells and (periods := _periods(profile, title, cells)) is not None:
        return periods
    if kinds["limit"] > kinds["number"]:
        return TypedColumn("text")
    if not cells:
        remark = "formula, not computed" if kinds["formula"] else ""
        return TypedColumn("text", remark=remark)
    leading = max(("number", "date", "bool", "text"), key=lambda kind: kinds[kind])
    others = cells - kinds[leading]
    if leading == "number" and profile.remarked <= kinds["number"]:
        others -= profile.remarked
    if leading == "text" or others > int(_STRAY * cells):
        return TypedColumn("text")
    if leading == "bool":
        return TypedColumn("bool") if kinds["bool"] == cells else TypedColumn("text")
    if leading == "number" and profile.numbered:
        return TypedColumn("text", remark=CODES)
    return _dates(profile, hints) if leading == "date" else _numbers(profile, title, hints, coded=coded)


def _periods(profile: Profile, title: str, cells: int) -> TypedColumn | None:
    """A column of months, days without separators, quarters or times; None where not all of its cells are such."""
    if sum(profile.months.values()) == cells and dates.name_months(profile.months, title):
        return TypedColumn("date", order=dates.MONTHLY, remark=dates.PERIODS[dates.MONTHLY])
    if sum(profile.days.values()) == cells and dates.are_days(profile.days, title):
        return TypedColumn("date", order=dates.COMPACT, remark=dates.PERIODS[dates.COMPACT])
    if profile.quarters == cells:
        return TypedColumn("text", order=dates.QUARTERLY, remark=dates.PERIODS[dates.QUARTERLY])
    if profile.stretches == cells:
        remark = dates.IN_MINUTES if dates.are_minutes(*profile.firsts) else dates.PERIODS[dates.CLOCK]
        return TypedColumn("text", order=dates.CLOCK, remark=remark)
    if profile.laps and profile.laps + profile.kinds["number"] == cells and {"", "s"}.issuperset(profile.units):
        decimal = "," if profile.decimals[","] or profile.decimals["?,"] else "."
        return TypedColumn("number", "s", decimal, dates.LAPS, _LAPS)
    return None


def _dates(profile: Profile, hints: Hints) -> TypedColumn:
    if profile.orders["dmy"] and profile.orders["mdy"]:
        return TypedColumn("text", remark="dates of both orders, day first and month first")
    order = profile.order or (hints.order if profile.orders["?"] else "")
    if profile.orders["?"] and not order:
        return TypedColumn("text", remark=AMBIGUOUS_DATES)
    if len(profile.zones) > 1:
        return TypedColumn("datetime", order=order or dates.ZONED, remark=_OF_ZONES if order else _IN_UTC)
    return TypedColumn("datetime" if profile.clocks else "date", order=order)


def _numbers(profile: Profile, title: str, hints: Hints, *, coded: bool) -> TypedColumn:
    decimals = profile.decimals
    if decimals["."] and decimals[","]:
        return TypedColumn("text", remark="numbers with decimal comma and with decimal point")
    decimal = profile.decimal
    units = [unit for unit in profile.units if unit]
    marks = sum(profile.units[unit] for unit in units)
    noted = bool(units) and _FLAGS.issuperset(units) and marks <= profile.units[""]
    remarks = [_NOTED] * bool(noted or profile.marked) + [_MARGINS] * bool(profile.margins)
    units = [] if noted else units
    if len(profile.units) > 1 and any(unit.upper() in CREDIT_OR_DEBIT for unit in units):
        return TypedColumn("text", remark=_SIDES)
    if any(unit[-1].isdecimal() or unit[1:2].isdecimal() for unit in units) and all(map(_LENGTH.fullmatch, units)):
        return TypedColumn("text", remark=_LENGTHS)
    if not decimal and (decimals["?."] or decimals["?,"]):
        decimal, remark = _unclear_decimal(profile, units or [heading_unit(title)], hints)
        if not decimal:
            return TypedColumn("text", remark=remark)
        remarks += [remark] * bool(remark)
    if len({unit.upper() for unit in units}) > 1 and MULTIPLIERS.keys() >= set(units):
        remarks.append(f"numbers with {' and '.join(sorted(units))} behind them, which are multiplied out")
        return TypedColumn("number", "", decimal, SCALED, "; ".join(remarks))
    if len(units) > 1 and not profile.units[""] and _are_written(profile) and same_quantity(units):
        unit = max(sorted(units), key=profile.units.__getitem__)
        remarks.append(f"{', '.join(sorted(units))} in one column, all in {unit}{_OF_BYTES * ('B' in unit)}")
        return TypedColumn("number", unit, decimal, SCALED, "; ".join(remarks))
    if (mixed := _mixed_units(profile, units, decimal, remarks, coded=coded)) is not None:
        return mixed
    unit = units[0] if units else heading_unit(title)
    if unit == "%" and units:
        return TypedColumn("percent", "%", decimal, remark="; ".join(remarks))
    money = unit in CURRENCIES.values() or bool(currency_in(unit))
    if units and unit != heading_unit(title) and _is_stray(profile, unit):
        shown = f"{profile.units[unit]} of {sum(profile.units.values())}"
        remarks.append(f"only {shown} values show {unit}, the others no unit")
    return TypedColumn("money" if money else "number", unit, decimal, remark="; ".join(remarks))


def _unclear_decimal(profile: Profile, units: Sequence[str], hints: Hints) -> tuple[str, str]:
    """The decimal sign where every separator stands before three digits, "" where nothing tells it, and a remark."""
    if decimal := _by_size(profile):
        return decimal, ""
    mark = "." if profile.decimals["?."] else ","
    by_currency = _by_currency(profile, units)
    # Where only the kind of document speaks for decimals, the place of the sign says more: "52.480 €", "$52,480".
    native = bool(by_currency) and by_currency == _by_place(profile)
    decimal = by_currency if hints.assumed and native else hints.decimal or by_currency
    if not decimal:
        thousands = f"thousands, then write replace(x, '{mark}', '')"
        return "", f"ambiguous numbers: '{mark}' may part decimals or {thousands}"
    return decimal, _taken(mark, decimal) if hints.assumed and decimal != by_currency else ""


def _taken(mark: str, decimal: str) -> str:
    """What is to be known of numbers whose separator nothing but the kind of their document tells."""
    parted = "decimals" if mark == decimal else "thousands"
    return f"'{mark}' stands before three digits in each and was taken to part {parted}, which nothing else here shows"


def _mixed_units(
    profile: Profile, units: Sequence[str], decimal: str, remarks: Sequence[str], *, coded: bool
) -> TypedColumn | None:
    """A column of several units, or of percentages and numbers without a unit; None where it has one."""
    cells, currencies = sum(profile.units.values()), sum(map(bool, map(currency_in, units)))
    other = cells - profile.units["%"] > int(_STRAY * cells)
    # Key figures, row by row of another kind: typed cells hold values that their formats do not change.
    if "%" in units and other and currencies < 2 and not profile.shares:
        return TypedColumn("number", remark="; ".join([*remarks, _MIXED]))
    if len(units) > 1:
        money, remark = coded and currencies == len(units), f"mixed units: {', '.join(sorted(units)[:4])}"
        return TypedColumn("money", "", decimal, remark=remark) if money else TypedColumn("text", remark=remark)
    return TypedColumn("text", remark="mixed: some values with %, some without") if "%" in units and other else None


def _is_stray(profile: Profile, unit: str) -> bool:
    """Whether fewer than half of the numbers, all of them texts, have the unit, and not the first of them, which would
    name it for all, as accounts do."""
    few = 2 * profile.units[unit] < sum(profile.units.values())
    return _are_written(profile) and few and typed_cell(profile.samples[0], None).unit != unit


def _are_written(profile: Profile) -> bool:
    """Whether all numbers are texts, whose units stand behind them."""
    return sum(profile.decimals.values()) == profile.kinds["number"]


def _by_size(profile: Profile) -> str:
    """The decimal sign where every separator stands before three digits: numbers below 1000 stand without one and none
    above does, so that it parts thousands."""
    small, large = profile.bare
    marks = [mark for mark in ".," if profile.decimals[f"?{mark}"]]
    return ("," if marks == ["."] else ".") if small and not large and len(marks) == 1 else ""


def _by_currency(profile: Profile, units: Sequence[str]) -> str:
    """The decimal sign where every amount, or the heading, has a currency: money has no three decimals."""
    marks = [mark for mark in ".," if profile.decimals[f"?{mark}"]]
    money = len(units) == 1 and units[0] in CURRENCIES.values() and len(set(profile.units)) == 1
    return ("," if marks == ["."] else ".") if money and len(marks) == 1 else ""


def _by_place(profile: Profile) -> str:
    """The decimal sign of where currencies stand so: behind amounts it is a comma, before them a point; "" for both."""
    behind = {not text.strip(" \u00a0()-−")[-1:].isdecimal() for text in profile.samples}
    return ("," if True in behind else ".") if len(behind) == 1 else ""
