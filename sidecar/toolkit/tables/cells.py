"""What one cell of a table holds, judged alone: number, date, truth value, text, gap, error, uncomputed formula."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from sidecar.api.model import Cell
from sidecar.toolkit.tables.dates import WrittenDate, read_date
from sidecar.toolkit.tables.numbers import Written, currency_in, is_identifier, read_number

CellKind = Literal["", "number", "date", "bool", "text", "gap", "error", "formula"]
GAPS = frozenset(
    ("-", "–", "—", "−", "--", "n/a", "na", "n.a.", "n. a.", "nan", "null", "none", "k.a.", "k. a.", "..", "...", "…",
     ".", "·", "•", "/", "?", "tbd", "nd", "n.d.", "n/d", "not available", "keine angabe", "missing", ":")
)  # fmt: skip
"""What people write where a value is missing, in lower case."""
ERRORS = frozenset(
    ("#N/A", "#NV", "#DIV/0!", "#REF!", "#BEZUG!", "#VALUE!", "#WERT!", "#NAME?", "#NUM!", "#ZAHL!", "#NULL!",
     "#SPILL!", "#CALC!", "#VALEUR!", "#NOM?", "#NOMBRE!", "Err:502", "Err:508", "Err:511")
)  # fmt: skip
"""Error values of spreadsheets, in English, German and French."""
TRUTHS = {"true": 1, "false": 0, "wahr": 1, "falsch": 0, "vrai": 1, "faux": 0}
"""Truth values as spreadsheets show them. "yes" and "no" stay words: a question will quote them."""
_STORED_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?)?")
_LOCALE = re.compile(r"\[\$([^]-]*)[^]]*\]")
"""A currency and the language it is written in, either may lack: `[$€-407]`, `[$-409]` (ECMA-376 part 1, 18.8.31)."""
_QUOTED_UNIT = re.compile(r'[0#?]\s*"\s*([^\W\d_][^"\s]{0,9}|°[CFK])\s*"')


class Judged(NamedTuple):
    """A cell taken for what it is. `value` is what a typed cell holds; `written` the number or date a text is."""

    kind: CellKind
    unit: str = ""
    value: float | str | None = None
    written: Written | WrittenDate | None = None


_EMPTY = Judged("")
_GAP = Judged("gap")
_TEXT = Judged("text")


def judge(text: str, cell: Cell | None) -> Judged:
    """What the cell holds; of a typed cell its value counts, else its text."""
    if cell is not None:
        value = cell.value
        if value is True or value is False:
            return Judged("bool", "", int(value))
        if isinstance(value, int | float):
            return Judged("number", format_unit(cell.format), value)
        if isinstance(value, str) and _STORED_DATE.fullmatch(value):
            return Judged("date", "", value)
        if cell.state == "not_computed":
            return Judged("formula")
    return _judge_text(text)


@lru_cache(4096)
def _judge_text(text: str) -> Judged:
    shown = text.strip()
    if not shown:
        return _EMPTY
    lowered = shown.lower()
    if lowered in GAPS:
        return _GAP
    if shown in ERRORS:
        return Judged("error")
    if lowered in TRUTHS:
        return Judged("bool", "", TRUTHS[lowered])
    if is_identifier(shown) or len(shown) > 60:
        return _TEXT
    if (number := read_number(shown)) is not None:
        return Judged("number", number.unit, None, number)
    if (date := read_date(shown)) is not None:
        return Judged("date", "", None, date)
    return _TEXT


def stored_date(value: str) -> str:
    """A date as a typed cell stores it ("2024-01-31T08:00:00") as SQL compares it ("2024-01-31 08:00:00")."""
    return value.replace("T", " ", 1)


@lru_cache(512)
def format_unit(code: str) -> str:
    """The unit a number format shows: "%", a currency code, or quoted words such as `0.0" kg"`; "" for none."""
    if not code or code == "General":
        return ""
    if "%" in code:
        return "%"
    if currency := currency_in(_LOCALE.sub(r" \1 ", code).replace('"', " ").replace("\\", "")):
        return currency
    quoted = _QUOTED_UNIT.search(code)
    return quoted[1] if quoted else ""
