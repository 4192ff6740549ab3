"""Numbers as people write them: signs, thousands, decimal comma or point, currency, percent, a unit behind.

One number alone may be ambiguous ("1,234"); what decides is the other numbers of its column (see `columns`)."""

import re
from collections.abc import Iterable
from typing import NamedTuple

CURRENCIES = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "zł": "PLN",
    "Kč": "CZK", "US$": "USD", "Fr.": "CHF", "kr": "SEK",
}  # fmt: skip
"""Signs of currencies and their codes (ISO 4217)."""
_CODES = (
    "EUR|USD|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|INR|BRL|ZAR|TRY|KRW|MXN|NZD|SGD|HKD|ILS|RON|BGN|ISK"
)
_CURRENCY = rf"US\$|[€$£¥₹₽₩₺]|zł|Kč|Fr\.|(?:{_CODES})\b"
_POWERS = {
    "k": 3, "K": 3, "T": 3, "Tsd": 3, "Tsd.": 3, "M": 6, "m": 6, "mn": 6, "Mio": 6, "Mio.": 6, "million": 6,
    "millions": 6, "B": 9, "bn": 9, "Mrd": 9, "Mrd.": 9, "billion": 9, "billions": 9, "milliard": 9,
    "milliards": 9,
}  # fmt: skip
"""Powers of ten as amounts of money are shortened; single letters are units where no currency stands beside them."""
_TIMES = "|".join(re.escape(word) for word in sorted(_POWERS, key=len, reverse=True))
_SPACE = r"[ \u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"(?P<open>\()?{_SPACE}*(?P<sign>[-+−–]){{0,1}}{_SPACE}*(?P<before>{_CURRENCY})?{_SPACE}*(?P<inner>[-−–])?"
    rf"(?P<digits>\d(?:[\d.,'’]|{_SPACE}(?=\d))*|[.,]\d+)(?P<exponent>[eE][-+]?\d{{1,3}})?"
    rf"(?:{_SPACE}?(?P<times>{_TIMES})(?={_SPACE}*(?:{_CURRENCY}|[-−)]|$)))?"
    rf"(?:{_SPACE}*(?P<after>{_CURRENCY}|%|‰)|{_SPACE}?(?P<unit>°{_SPACE}?[CFK]|(?![年년]{_SPACE}?\d)[^\W\d_][^\W_]{{0,9}}[²³]?(?:/[^\W\d_]\w{{0,5}}[²³]?)?))?"
    rf"{_SPACE}*(?P<close>\))?(?P<trailing>[-−])?"
)
_CAPITALS = frozenset((
    "KB", "MB", "GB", "TB", "PB", "KG", "KM", "CM", "MM", "ML", "KW", "MW", "GW", "KWH", "MWH", "GWH", "TWH", "KVA",
    "MVA", "KHZ", "MHZ", "GHZ", "HZ", "HP", "PS", "DPI", "PX", "PT", "RPM", "PPM", "DB",
))  # fmt: skip
"""Units that are written in capitals right behind digits; other capitals there end the number of a part ("15464SA")."""
_NO_CENTS = re.compile(r"(?<=\d)([.,])[-−–—]{1,2}(?![\d-])")
"""A dash for the cents, as in Swiss and German prices ("95.–", "1.250,-"): not the minus behind a number."""
_GROUPED = re.compile(r"\d{1,3}(?:(?P<by>[.,'’ \u00a0\u2009\u202f])\d{3})(?:(?P=by)\d{3})*")
_CURRENCY_IN = re.compile(rf"(?<!\w)(?:{_CURRENCY})")
_LARGEST = 2**53
"""Whole numbers beyond are kept as binary fractions."""
_ITEM = re.compile(r"\(?(?:[ivxlc]{1,6}|[a-z]|\d{1,3})[.)]", re.IGNORECASE)
"""What stands before the items of a list."""
_DIGITS = re.compile(r"\d+")
_MAX_DIGITS = 15
"""Longer digits are numbers of accounts and the like, and lose their end as binary fractions."""


class Written(NamedTuple):
    """A number taken apart. `decimal` is the decimal sign it shows itself: "." or ",", "" where it has none; "?." and
    "?," where that separator stands once, before three digits, and may part thousands or decimals."""

    digits: str
    decimal: str
    negative: bool
    exponent: str
    unit: str
    """Currency code, "%", "‰", another unit, or ""."""


def read_number(text: str) -> Written | None:
    """The number a text is, None when it is none."""
    match = _NUMBER.fullmatch(_NO_CENTS.sub(r"\g<1>00", text))
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    digits = match["digits"]
    decimal = _decimal(digits)
    if decimal is None:
        return None
    glued = match["unit"] or ""
    if digits.isdecimal() and len(glued) > 1 and glued.isupper() and glued not in _CAPITALS and digits + glued in text:
        return None
    negative = bool(match["open"]) or any(match[name] in ("-", "−", "–") for name in ("sign", "inner", "trailing"))
    sign, times = match["before"] or match["after"] or "", match["times"] or ""
    unit = CURRENCIES.get(sign, sign) or (match["unit"] or "").replace(" ", "")
    exponent = match["exponent"] or ""
    if times and (len(times) > 1 or (unit and sign not in "%‰")):
        exponent = f"e{_POWERS[times] + int(exponent[1:] or 0)}"
    return Written(digits, decimal, negative, exponent, unit or (times if len(times) == 1 else ""))


def number(written: Written, decimal: str) -> int | float | None:
    """Its value where `decimal` is the decimal sign of its column; None where it contradicts."""
    if written.decimal in (".", ",") and written.decimal != decimal:
        return None
    plain = "".join([char for char in written.digits if char.isdigit() or char == decimal]).replace(",", ".")
    value: int | float
    try:
        value = float(plain + written.exponent) if "." in plain or written.exponent else int(plain)
    except (ValueError, OverflowError):
        return None
    value = -value if written.negative else value
    return value if abs(value) < _LARGEST else float(value)


def _decimal(digits: str) -> str | None:
    """The decimal sign that digits with separators show, "" for none, "?." and "?," for either; None for no number."""
    if digits.isdecimal():
        return ""
    marks = [char for char in digits if not char.isdecimal()]
    kinds = set(marks)
    spaced = kinds - {".", ","}
    if spaced:  # a space or an apostrophe only ever parts thousands
        if len(spaced) > 1:
            return None
        last = marks[-1]
        whole, _, fraction = digits.rpartition(last) if last in ".," else (digits, "", "")
        if not _GROUPED.fullmatch(whole) or (fraction and not fraction.isdecimal()):
            return None
        return last if last in ".," else ""
    if len(kinds) == 2:
        last = marks[-1]
        whole, _, fraction = digits.rpartition(last)
        return last if _GROUPED.fullmatch(whole) and marks.count(last) == 1 and fraction.isdecimal() else None
    mark = marks[0]
    other = "," if mark == "." else "."
    if len(marks) > 1:
        return other if _GROUPED.fullmatch(digits) else None
    whole, _, fraction = digits.partition(mark)
    if len(fraction) != 3 or not 1 <= len(whole) <= 3 or whole[0] == "0":
        return mark if fraction or not digits.endswith(mark) else None
    return f"?{mark}"


def is_identifier(text: str) -> bool:
    """Whether digits name something and are no amount: a leading zero ("00123"), or more than a number keeps."""
    return text.isdecimal() and ((len(text) > 1 and text[0] == "0") or len(text) > _MAX_DIGITS)


def is_numbered_alike(text: str, others: Iterable[str]) -> bool:
    """Whether a text of letters and digits differs from all the others in its digits alone: "gene1" over "gene2", or
    all of them number items: "(i)" over "(ii)"."""
    shape = _DIGITS.sub("0", text)
    if shape == text and _ITEM.fullmatch(text) is None:  # most: the others need not be looked at
        return False
    others = [*filter(None, others)]
    digits = shape != text and any(map(str.isalpha, shape)) and all(_DIGITS.sub("0", one) == shape for one in others)
    return bool(others) and (digits or all(_ITEM.fullmatch(one) for one in (text, *others)))


def currency_in(text: str) -> str:
    """The code of the currency a heading or a number format names ("Umsatz (€)", "#,##0.00 [$CHF]"), else ""."""
    match = _CURRENCY_IN.search(text)
    return CURRENCIES.get(match[0], match[0]) if match else ""


def is_currency(text: str) -> bool:
    """Whether a text is a currency's sign or code and nothing else."""
    return bool(text) and CURRENCIES.get(text, text) == currency_in(text)
