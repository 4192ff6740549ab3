"""What one cell of a table holds, judged alone: number, date, truth value, text, gap, error, uncomputed formula; its
value in a column whose type is known; whether a label is one of a total: of a whole table, of a group, or perhaps."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from sidecar.api import Cell, Scalar, TableColumn
from sidecar.toolkit.tables import dates
from sidecar.toolkit.tables.dates import WrittenDate, date, is_period, read_date
from sidecar.toolkit.tables.numbers import (
    CURRENCIES,
    SCALED,
    Written,
    currency_in,
    in_unit,
    is_identifier,
    is_limit,
    is_nought,
    number,
    read_fraction,
    read_number,
)

CellKind = Literal["", "number", "date", "bool", "text", "gap", "error", "formula"]
_GAPS = frozenset(
    ("-", "–", "—", "−", "--", "n/a", "na", "n.a.", "n. a.", "nan", "null", "none", "k.a.", "k. a.", "..", "...", "…",
     ".", "·", "•", "/", "?", "tbd", "nd", "n.d.", "n/d", "not available", "keine angabe", "missing", ":",
     "-nan", "1.#qnan", "-1.#ind", "‐", "‑", "*", "(x)", "(d)", "(s)", "(na)")
)  # fmt: skip
"""What people write where a value is missing, in lower case."""
_ERRORS = frozenset(
    ("#N/A", "#NV", "#DIV/0!", "#REF!", "#BEZUG!", "#VALUE!", "#WERT!", "#NAME?", "#NUM!", "#ZAHL!", "#NULL!",
     "#SPILL!", "#CALC!", "#VALEUR!", "#NOM?", "#NOMBRE!", "Err:502", "Err:508", "Err:511")
)  # fmt: skip
"""Error values of spreadsheets, in English, German and French."""
AMOUNTS: Final = frozenset((int, float))
"""Types of values that are numbers, bool apart."""
BOOLEANS = {"true": 1, "false": 0, "wahr": 1, "falsch": 0, "vrai": 1, "faux": 0}
"""Truth values as spreadsheets show them. "yes" and "no" stay words: a question will quote them."""
_INFINITE = frozenset(
    ("inf", "-inf", "+inf", "infinity", "-infinity", "+infinity", "∞", "-∞", "+∞", "1.#inf", "-1.#inf")
)
"""What programs write for a number that is none they can hold."""
POINTED = re.compile(r"[-+−]?\d{1,15}\.")
"""A whole number with a point behind."""
_DIGIT = re.compile(r"[\d¼-¾⅐-⅞]")
"""No number and no date is without."""
_STORED_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?)?")
_LOCALE = re.compile(r"\[\$([^]-]*)[^]]*\]")
_MAX_CODE_CHARS: Final = 255
"""Of the code of a number format: Excel allows no more."""
"""A currency and the language it is written in, either may lack: `[$€-407]`, `[$-409]` (ECMA-376 part 1, 18.8.31)."""
_QUOTED_UNIT = re.compile(r'[0#?]\s*"\s*([^\W\d_][^"\s]{0,9}|°[CFK])\s*"')
_UNIT_IN_HEADING = re.compile(
    r"(?:[\[(（]\s*([^\])）]{1,20}?)\s*[\])）]|\bin\s+([^\s,;]{1,12}(?:\s(?:EUR|€|USD|\$|CHF|GBP|£))?))\s*$"
)
_NO_UNIT = re.compile(r"\d\d|^\d|:")
"""Years, dates, counts and formulas that stand in brackets behind a heading."""
_NOTE_MARKS: Final = frozenset("abcdefi*")
"""What stands in brackets behind a heading and leads to a note below the table."""
TotalLabel = Literal["", "total", "of a group", "perhaps"]
"""What a label says: nothing of a total, that its row is one, of the group it names, or that it may be one."""

_TOTAL_WORDS = (
    r"grand total|sub-?\s?totals?|totals?|sum|overall total|summe|zwischensumme|gesamt|gesamtsumme|endsumme|insgesamt|"
    r"gesamtergebnis|total général|total general|sous-total|somme|ensemble|σ|∑|average|mean|durchschnitt|mittelwert|"
    r"moyenne|ø|mittel|totale|totale complessivo|somma|suma|suma total|totaal|eindtotaal|total geral|soma|razem|"
    r"suma końcowa|celkem|celkový součet|summa|totalt|totalsumma|i alt|yhteensä|összesen|végösszeg|toplam|genel toplam|"
    r"итого|всего|общий итог|сумма|σύνολο|γενικό σύνολο|合计|总计|小计|总和|合計|総計|小計|總計|합계|총계|소계"
)
_ALL_WORDS = (
    r"all|overall|altogether|combined|aggregate|alles?|zusammen|insg\.|ges\.|tous|toutes|tout|todos|todas|tutti|tutte"
)
_TOTAL = re.compile(rf"(?:{_TOTAL_WORDS})\s*:?", re.IGNORECASE)
_ALL = re.compile(rf"(?:{_ALL_WORDS})\s*:?", re.IGNORECASE)
_BALANCE_WORDS = (
    r"(?:opening|closing|beginning|starting|ending|previous|new|final)\s+balance|balance\s+(?:brought|carried)\s+forward|"
    r"(?:anfangs|eröffnungs|start|schluss|end|alter\s+|neuer\s+|alt|neu)?saldo|saldo(?:vortrag|übertrag)|übertrag|"
    r"(?:ancien\s+|nouveau\s+)?solde(?:\s+(?:initial|final))?|saldo\s+(?:inicial|final|iniziale|finale|anterior)"
)
"""What a row of a statement says that is not an entry of it."""
_BALANCE = re.compile(rf"(?:{_BALANCE_WORDS})(?!\w).*", re.IGNORECASE)
_MAYBE_TOTAL = re.compile(
    rf"(?:{_TOTAL_WORDS}|{_ALL_WORDS}|{_BALANCE_WORDS})(?!\w).*|.*\b(?:totals?|overall|gesamt|summe|ergebnis|insgesamt)\s*:?",
    re.IGNORECASE,
)
_SUM_WORDS = (
    r"(?:sub|grand )?-?\s?totals?|sum|(?:zwischen|gesamt|teil)?summe|gesamt|ergebnis|insgesamt|sous-total|somme|"
    r"totale|suma|totaal|soma|razem|celkem|summa|toplam|итог|итого|всего|сумма|σύνολο"
)
_OF_GROUP = re.compile(
    rf"(?:{_SUM_WORDS})(?:\s+(?:of|for|von|für|de|du|des|di|van))?[\s:]+(?P<after>.+?)\s*:?|"
    rf"(?P<before>.+?)[\s:,-]+(?:{_SUM_WORDS})\s*:?",
    re.IGNORECASE,
)
"""The label of a subtotal that names its group: "Fleet total", "Summe Fuhrpark"."""
_AVERAGE = re.compile(
    r"(?:average|mean|durchschnitt|mittel(?:wert)?|moyenne|ø|avg\.?|promedio|media)(?!\w)", re.IGNORECASE
)
_STATISTIC = re.compile(
    r"max(?:imum|\.)?|min(?:imum|\.)?|highest|lowest|median(?:e|wert)?|médiane|mediana|mode|range|variance|count|"
    r"std\.?(?:\s?dev\.?)?|st\.?\s?dev\.?|standard deviation|standardabweichung|écart[- ]type|s\.?d\.?|anzahl",
    re.IGNORECASE,
)
"""The label of a row that says something of the rows above it, where it stands among totals."""
_LIKE_TOTAL = re.compile(
    r"tota|sum|som[am]|gesamt|mittel|average|mean|durchschnitt|moyenne|ergebnis|ensemble|[øσ∑]|razem|celk|i alt|"
    r"yhteens|össze|toplam|итог|всего|сумма|σύνολο|[合总總小総][计計]|总和|[합총소]계|"
    r"all|overall|altog|combin|aggreg|zusammen|ges\.|insg|tou[st]|tod[oa]s|tutt[ie]|balance|sald|solde|übertrag"
)
"""What every label of a total has somewhere, in lower case: quick to look for, letters alone being asked of a place."""
_NOTE = re.compile(
    r"[¹²³⁴-⁹*†‡§]|\(?\d{1,2}\)|"
    r"(?:notes?|sources?|quellen?|anm|anmerkung(?:en)?|hinweise?|fuentes?|notas?|nota bene)[.: ]",
    re.IGNORECASE,
)
"""What begins a note below a table, which is not a title of the next."""
LABEL_CHARS: Final = 60
"""Longer texts are not labels of rows."""


class TypedCell(NamedTuple):
    """A cell taken for what it is. `value` is what a typed cell holds; `written` the number or date a text is."""

    kind: CellKind
    unit: str = ""
    value: float | str | None = None
    written: Written | WrittenDate | None = None


_EMPTY = TypedCell("")
_GAP = TypedCell("gap")
_TEXT = TypedCell("text")


def typed_cell(text: str, cell: Cell | None) -> TypedCell:
    """What the cell holds; of a typed cell its value counts, else its text."""
    if cell is not None:
        value = cell.value
        if isinstance(value, (int, float)):  # many of them: one look at the type tells
            if value is True or value is False:
                return TypedCell("bool", "", int(value))
            if is_stretch(cell.format):  # days, which nobody reads there
                return typed_text(text)
            return TypedCell("number", format_unit(cell.format), value)
        if value is not None and _STORED_DATE.fullmatch(value):
            return TypedCell("date", "", value)
        if cell.state == "not_computed":
            return TypedCell("formula")
    return typed_text(text)


@lru_cache(4096)
def typed_text(text: str) -> TypedCell:
    """What a text is, there being nothing else in its cell."""
    shown = text.strip()
    if not shown:
        return _EMPTY
    lowered = shown.lower()
    if lowered in _GAPS:
        return _GAP
    if shown in _ERRORS or lowered in _INFINITE:
        return TypedCell("error")
    if lowered in BOOLEANS:
        return TypedCell("bool", "", BOOLEANS[lowered])
    if is_identifier(shown) or len(shown) > 60 or (_DIGIT.search(shown) is None and not is_nought(shown)):
        return _TEXT
    if (number := read_number(shown)) is not None:
        dated = number.unit and (number.unit[-1].isdecimal() or shown[:4].isdecimal())  # "Q24" of "1Q24", or a year
        if dated and (date := read_date(shown)) is not None:
            return TypedCell("date", "", None, date)
        return _TEXT if dated and is_period(shown) else TypedCell("number", number.unit, None, number)
    if (date := read_date(shown)) is not None:
        return TypedCell("date", "", None, date)
    return _TEXT


def is_stretch(code: str) -> bool:
    """Whether a number format shows a number of days as hours beyond 24: `[h]:mm` (ECMA-376 part 1, 18.8.31)."""
    return "[h" in code.lower()


def _stored_date(value: str) -> str:
    """A date as a typed cell stores it ("2024-01-31T08:00:00") as SQL compares it ("2024-01-31 08:00:00")."""
    return value.replace("T", " ", 1)


@lru_cache(512)
def format_unit(code: str) -> str:
    """The unit a number format shows: "%", a currency code, or quoted words such as `0.0" kg"`; "" for none."""
    if not code or code == "General":
        return ""
    if "%" in code:
        return "%"
    if currency := currency_in(_LOCALE.sub(r" \1 ", code[:_MAX_CODE_CHARS]).replace('"', " ").replace("\\", "")):
        return currency
    quoted = _QUOTED_UNIT.search(code)
    return quoted[1] if quoted else ""


def heading_unit(title: str) -> str:
    """The unit a heading names: "Weight (kg)" → "kg", "Umsatz in EUR" → "EUR", "Share %" → "%"; "" for none."""
    if title.rstrip().endswith("%"):
        return "%"
    match = _UNIT_IN_HEADING.search(title.rstrip()[-LABEL_CHARS:])
    if match is None:
        return currency_in(title) if title.rstrip()[-1:] in CURRENCIES else ""
    unit = (match[1] or match[2]).strip().removeprefix("in ")
    if unit in _NOTE_MARKS or (_NO_UNIT.search(unit) and not currency_in(unit)):
        return ""
    return CURRENCIES.get(unit, unit)


def is_average(label: str) -> bool:
    """Whether a row's label is that of an average of other rows."""
    return len(label) <= LABEL_CHARS and _AVERAGE.match(label.strip()) is not None


def is_statistic(label: str) -> bool:
    """Whether a row's label names an extreme, a deviation, a count; names of people and categories may be the same."""
    return len(label) <= LABEL_CHARS and _STATISTIC.fullmatch(label.rstrip(": ")) is not None


def is_note(text: str) -> bool:
    """Whether a text begins as notes below a table do: with a mark, or as "Source:"."""
    return _NOTE.match(text) is not None


def total_label(label: str, groups: Collection[str] = ()) -> TotalLabel:
    """What a row's label says. `groups` are the labels above it in lower case, one of which it may name."""
    if len(label) > LABEL_CHARS or not _LIKE_TOTAL.search(label.lower()):
        return ""
    if _TOTAL.fullmatch(label):
        return "total"
    if groups and group_of(label) in groups:
        return "of a group"
    return "perhaps" if _MAYBE_TOTAL.fullmatch(label) else ""


def group_of(label: str) -> str:
    """The group that the label of a subtotal names, in lower case: of "Fleet total" and "Summe Fleet" "fleet"."""
    match = _OF_GROUP.fullmatch(label) if len(label) <= LABEL_CHARS else None
    return (match["before"] or match["after"]).lower() if match else ""


def is_balance(label: str) -> bool:
    """Whether a text says that its row is what a statement begins or ends with: "Opening balance", "Endsaldo"."""
    return len(label) <= LABEL_CHARS and _BALANCE.fullmatch(label.strip()) is not None


def says_all(label: str) -> bool:
    """Whether a row's label is "Overall", "All" or the like and nothing more."""
    return len(label) <= LABEL_CHARS and _ALL.fullmatch(label) is not None


_PERIOD_READERS: Final = {dates.MONTHLY: dates.read_month, dates.COMPACT: dates.read_day}
"""By the order of a column of dates that are written so."""
_MIDNIGHT: Final = " 00:00:00"
_DAY_CHARS: Final = len("2024-01-31")


class Unread(NamedTuple):
    """Stands for the value of a cell not of its column's type; `kind` is "text", "limit", "error" or "formula"."""

    kind: str


_UNREAD_TEXT = Unread("text")
_UNREAD_LIMIT = Unread("limit")
Convert = Callable[[str, Cell | None], "Scalar | Unread"]


def converter(column: TableColumn) -> Convert:
    """The function that gives the values of a column in SQL, None for a gap, `Unread` for what is of another type."""
    match column.type:
        case "number" | "money" | "percent":
            percent = column.type == "percent" or not column.unit
            return _number_converter(column.decimal or ".", column.order, column.unit, percent=percent)
        case "date" | "datetime":
            return _date_converter(column.order, "" if column.type == "date" else _MIDNIGHT)
        case "bool":
            return _boolean
        case "text":
            return _text


def _text(text: str, cell: Cell | None) -> Scalar | Unread:
    """Without the spaces around it, which no question would have: "open " is open, and " " is empty."""
    if shown := text.strip():
        value = cell.value if cell is not None else None
        return _stored_date(value) if isinstance(value, str) and typed_cell(text, cell).kind == "date" else shown
    return Unread("formula") if cell is not None and cell.state == "not_computed" else None


def _boolean(text: str, cell: Cell | None) -> Scalar | Unread:
    judged = typed_cell(text, cell)
    if judged.kind == "bool":
        return BOOLEANS[text.strip().lower()] if judged.value is None else judged.value
    return _other(judged.kind)


def _other(kind: str) -> Scalar | Unread:
    return None if kind in ("", "gap") else Unread(kind) if kind in ("error", "formula") else _UNREAD_TEXT


_PLAIN = re.compile(r"(?:-?\d{1,15}(?:\.\d+)?(?:e[-+]?\d{1,3})?\n)*")
_DIGITS: Final = frozenset("0123456789.-\n")
_MAX_DIGITS: Final = 15
_USUAL = {
    mark: re.compile(
        rf"(-)?(?:US\$|[€$£])?[ \u00a0]?(-)?"
        rf"((?:\d{{1,15}}|\d{{1,3}}(?:{re.escape(group)}\d{{3}}){{1,4}})(?:{re.escape(mark)}\d+)?)"
        rf"[ \u00a0]?(?:[€$£]|EUR|USD|GBP|CHF)?(%)?"
    )
    for mark, group in ((".", ","), (",", "."))
}
"""Numbers as they mostly are written, by decimal sign: groups: sign, sign, digits, percent."""


def plain_numbers(texts: Sequence[str], decimal: str) -> Sequence[float] | None:
    """The numbers where every text is one as programs write them, None where any is not."""
    if decimal == "," or not texts:
        return None
    lines = "\n".join(["", *texts, ""])
    usual = _DIGITS.issuperset(lines) and max(map(len, texts)) <= _MAX_DIGITS
    usual = usual and not any(odd in lines for odd in (".\n", "\n.", "-.", "\n\n"))
    if not usual and not _PLAIN.fullmatch(lines, 1):
        return None
    try:
        return [*map(float, texts)]  # what a column of numbers is in SQL
    except ValueError:
        return None


def _number_converter(decimal: str, order: str, unit: str, *, percent: bool) -> Convert:
    usual = _USUAL[decimal].fullmatch
    drop = {ord(mark): "." if mark == decimal else None for mark in ".,"}

    def convert(text: str, cell: Cell | None) -> Scalar | Unread:
        if cell is not None and type(cell.value) in (int, float):
            return cell.value
        if (match := usual(text)) and (cell is None or cell.value is None):
            plain = match[3].translate(drop)
            value = float(plain) if "." in plain else int(plain)
            if match[1] or match[2]:
                value = -value
            return round(value / 100, 12) if percent and match[4] else value
        judged = typed_cell(text, cell)
        if order == dates.LAPS and (seconds := dates.read_lap(text.strip())) is not None:
            return seconds
        if judged.kind == "text" and (part := read_fraction(text.strip())) is not None:
            return number(part, decimal)
        if judged.kind == "text" and decimal == "." and POINTED.fullmatch(text.strip()):
            return float(text.replace("−", "-"))
        if judged.kind != "number":
            return _UNREAD_LIMIT if judged.kind == "text" and is_limit(text) else _other(judged.kind)
        if judged.value is not None:
            return judged.value
        written = judged.written
        if order == SCALED and isinstance(written, Written):
            written = in_unit(written, unit)
        found = number(written, decimal) if isinstance(written, Written) else None
        if found is None:
            return _UNREAD_TEXT
        return round(found / 100, 12) if percent and judged.unit == "%" else found

    return convert


def _date_converter(order: str, midnight: str) -> Convert:
    """`midnight` is what stands behind a day without a time."""
    read = _PERIOD_READERS.get(order)

    def convert(text: str, cell: Cell | None) -> Scalar | Unread:
        judged = typed_cell(text, cell)
        if read is not None and judged.kind in ("text", "number") and (found := read(text.strip())):
            return found
        if judged.kind != "date":
            return _other(judged.kind)
        if isinstance(judged.value, str):
            found = _stored_date(judged.value)
        else:
            found = date(judged.written, order) if isinstance(judged.written, WrittenDate) else None
        if found is None:
            return _UNREAD_TEXT
        return found + midnight if len(found) == _DAY_CHARS else found

    return convert
