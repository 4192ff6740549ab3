"""Numbers as people write them: signs, thousands, decimal comma or point, currency, percent, a unit behind.

One number alone may be ambiguous ("1,234"); what decides is the other numbers of its column (see `columns`), else how
its document writes numbers and dates: by its delimiter, by the language it names or is written in."""

import math
import re
import unicodedata
from collections.abc import Collection
from typing import Any, Final, NamedTuple, TypeVar

from sidecar.api.model import Heading, ListItem, Paragraph, ParsedDocument, Part

CURRENCIES = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "zł": "PLN",
    "Kč": "CZK", "US$": "USD", "Fr.": "CHF", "kr": "SEK", "円": "JPY", "원": "KRW", "元": "CNY", "R$": "BRL",
    "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD",
}  # fmt: skip
"""Signs of currencies and their codes (ISO 4217)."""
_CODES = (
    "EUR|USD|GBP|CHF|JPY|CNY|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|INR|BRL|ZAR|TRY|KRW|MXN|NZD|SGD|HKD|ILS|RON|BGN|ISK"
)
_CURRENCY = rf"(?:US|R|AU?|CA?|NZ|HK|S)\$|[€$£¥₹₽₩₺]|[円元원](?!\w)|zł|Kč|Fr\.|(?:{_CODES})(?![^\W\d_])"
_POWERS = {
    "k": 3, "K": 3, "T": 3, "Tsd": 3, "Tsd.": 3, "M": 6, "m": 6, "mn": 6, "Mio": 6, "Mio.": 6, "million": 6,
    "millions": 6, "B": 9, "bn": 9, "Mrd": 9, "Mrd.": 9, "billion": 9, "billions": 9, "milliard": 9,
    "milliards": 9, "万": 4, "萬": 4, "만": 4, "億": 8, "亿": 8, "억": 8, "兆": 12, "조": 12,
}  # fmt: skip
"""Powers of ten as amounts of money are shortened; single letters are units where no currency stands beside them."""
MULTIPLIERS: Final = {letter: _POWERS[letter] for letter in "kKMB"}
"""Letters that are units where they stand alone in a column, and multiply where there are several."""
SCALED: Final = "scaled"  # the order of a column of numbers that such letters multiply, or units of one quantity
_QUANTITIES: Final = (
    {"µg": -6, "mg": -3, "g": 0, "kg": 3}, {"µm": -6, "mm": -3, "cm": -2, "m": 0, "km": 3},
    {"ml": -3, "cl": -2, "dl": -1, "l": 0, "hl": 2}, {"W": 0, "kW": 3, "MW": 6, "GW": 9},
    {"B": 0, "kB": 3, "KB": 3, "MB": 6, "GB": 9, "TB": 12}, {"Wh": 0, "kWh": 3, "MWh": 6, "GWh": 9, "TWh": 12},
)  # fmt: skip
"""Units of one quantity each, as powers of ten of one of them."""
_TIMES = "|".join(re.escape(word) for word in sorted(_POWERS, key=len, reverse=True))
_SPACE = r"[ \u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"(?P<open>\()?{_SPACE}*+(?P<sign>[-+−–]){{0,1}}{_SPACE}*+(?P<before>{_CURRENCY})?{_SPACE}*+(?P<inner>[-+−–])?"
    rf"(?P<digits>\d(?:[\d.,'’]|{_SPACE}(?=\d))*|[.,]\d+)(?P<exponent>[eE][-+]?\d{{1,3}})?"
    rf"(?:{_SPACE}?(?P<times>{_TIMES})(?={_SPACE}*(?:{_CURRENCY}|[-−)]|$)))?"
    rf"(?:{_SPACE}*(?P<after>{_CURRENCY}|%|‰)|{_SPACE}?(?P<unit>°{_SPACE}?[CFK]|(?![年년]{_SPACE}?\d)[^\W\d_ªº¼-¾⅐-⅞][^\W_¹²³⁴-⁹ªº¼-¾⅐-⅞]{{0,9}}[²³]?(?:/[^\W\d_]\w{{0,5}}[²³]?)?))?"
    rf"{_SPACE}*(?P<close>\))?(?P<trailing>[-−])?"
)
_CAPITALS = frozenset((
    "KB", "MB", "GB", "TB", "PB", "KG", "KM", "CM", "MM", "ML", "KW", "MW", "GW", "KWH", "MWH", "GWH", "TWH", "KVA",
    "MVA", "KHZ", "MHZ", "GHZ", "HZ", "HP", "PS", "DPI", "PX", "PT", "RPM", "PPM", "DB",
))  # fmt: skip
"""Units that are written in capitals right behind digits; other capitals there end the number of a part ("15464SA")."""
CREDIT_OR_DEBIT: Final = frozenset(("CR", "DR"))
"""What accounts write behind amounts of one side."""
_NO_CENTS = re.compile(r"(?<=\d)([.,])[-−–—]{1,2}(?![\d-])")
"""A dash for the cents, as in Swiss and German prices ("95.–", "1.250,-"): not the minus behind a number."""
_NOTHING = re.compile(
    rf"\(?(?P<before>{_CURRENCY}){_SPACE}*[-–—]{{1,2}}{_SPACE}*\)?|[-–—]{{1,2}}{_SPACE}*(?P<after>{_CURRENCY})"
)
"""Nought as accounts show it: "$-", "- €"."""
_SIGN_OUTSIDE = re.compile(rf"({_CURRENCY}){_SPACE}*\(({_SPACE}*\d[^()]*)\)")
"""A negative amount as accounts show it, with the sign before the brackets: "$ (300.00)"."""
_UNIT_OUTSIDE = re.compile(
    rf"(?:\(({_SPACE}*\d[^()]*)\)|(\d(?:[\d.,'’]|{_SPACE}(?=\d))*)[-−]){_SPACE}*({_CURRENCY}|kr|%)"
)
"""A negative amount with its unit behind the brackets or the minus: "(300,00) €", "300,00- €"."""
_GROUPED = re.compile(r"\d{1,3}(?:(?P<by>[.,'’ \u00a0\u2009\u202f])\d{3})(?:(?P=by)\d{3})*")
_INDIAN = re.compile(r"\d{1,2}(?:,\d\d)+,\d{3}")
"""Thousands, lakhs and crores: "1,23,456"."""
_MARKED = re.compile(
    r"(.*[^\s*†‡§¹²³⁴-⁹ªº\]])"
    r"(?: ?[*†‡§]{1,3}|[¹²³⁴-⁹ªº]{1,2}|(?<=[€$£¥₹₽₩₺%)−-])[a-f]|(?: ?\[(?:[a-z]|[A-Za-z]?\d{1,3})\]){1,3})"
)
"""A number with the mark of a note behind it: "1,234*", "45 [2]", "8 % [S1][S2]", "12 kr†", "8 %a"."""
_PLUS_MINUS: Final = ("±", "+/-", "+/−")
_MARGIN = re.compile(
    rf"{_SPACE}*(?:\d[\d.,]*|[.,]\d+)\)?"
    rf"(?P<unit>{_SPACE}?(?:%|‰|°{_SPACE}?[CFK]|[^\W\d_ªº]\w{{0,9}}[²³]?(?:/[^\W\d_]\w{{0,5}}[²³]?)?))?\)?"
)
_POWER = re.compile(
    rf"{_SPACE}?[×x·*]{_SPACE}?10(?:(?:\^|\*\*)\(?(?P<plain>[-−+]?\d{{1,3}})\)?|(?P<raised>[⁻⁺]?[⁰¹²³⁴-⁹]{{1,2}}))"
)
"""A power of ten as people write it: "8.4 × 10^-3", "8.4×10⁻³"."""
_LOWERED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_FRACTION = re.compile(r"\d{1,3}/\d{1,3}")
_MIXED = re.compile(
    rf"(?:(?P<whole>\d{{1,4}}){_SPACE}(?=\d{{1,3}}/)|(?P<before>\d{{1,4}}){_SPACE}?(?=[¼-¾⅐-⅞]))?"
    rf"(?:(?P<sign>[¼-¾⅐-⅞])|(?P<over>\d{{1,3}}/\d{{1,3}}))(?:{_SPACE}?(?P<inches>[\"″]))?"
)
"""A number with a fraction behind: "3 3/4", "½", and one alone before the sign of inches."""
_CENTS_PLUS = re.compile(r"(.*\d[.,]\d\d)\+")
"""An amount with its sign behind, as statements of banks write it: "1.040,94+"; "35+" is at least 35."""
_LIMITS: Final = "<>≤≥＜＞"
_REMARKED = re.compile(r"(.*?[^\s(（]) ?(?:\([^()]{1,80}\)|（[^（）]{1,80}）|\[[^][]{1,80}\])")
_CURRENCY_IN = re.compile(rf"(?<!\w)(?:{_CURRENCY})")
_MAX_INTEGER = 2**53
"""Whole numbers beyond are kept as binary fractions."""
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
    marked: bool = False
    """The mark of a note stood behind it."""
    margin: bool = False
    """Its margin of error stood behind it."""
    fraction: bool = False
    """It was written with a fraction: "3 3/4", "3¾"."""


def read_number(text: str) -> Written | None:
    """The number a text is, None when it is none."""
    match = _NUMBER.fullmatch(_NO_CENTS.sub(r"\g<1>00", text))
    if match is None:
        return _otherwise(text)
    if bool(match["open"]) != bool(match["close"]):
        return None
    digits = match["digits"]
    decimal = _decimal(digits)
    if decimal is None:
        return None
    glued = match["unit"] or ""
    capitals = len(glued) > 1 and glued.isalpha() and glued.isupper() and glued not in _CAPITALS
    if capitals and digits.isdecimal() and digits + glued in text:
        return None
    negative = bool(match["open"]) or any(match[name] in ("-", "−", "–") for name in ("sign", "inner", "trailing"))
    sign, times = match["before"] or match["after"] or "", match["times"] or ""
    unit = (glued if glued.upper() in CREDIT_OR_DEBIT else CURRENCIES.get(sign, sign)) or glued.replace(" ", "")
    exponent = match["exponent"] or ""
    if times and (len(times) > 1 or (unit and sign not in "%‰")):
        exponent = f"e{_POWERS[times] + int(exponent[1:] or 0)}"
    return Written(digits, decimal, negative, exponent, unit or (times if len(times) == 1 else ""))


def _otherwise(text: str) -> Written | None:
    """The number that a text is which is written in none of the usual ways."""
    if (parts := _MIXED.fullmatch(text)) and not _FRACTION.fullmatch(text):
        over = parts["over"] or unicodedata.normalize("NFKC", parts["sign"]).replace("\u2044", "/")
        found = _of_fraction(parts["whole"] or parts["before"] or "0", over)
        return found and found._replace(unit="in" * bool(parts["inches"]), fraction=True)
    if nothing := _NOTHING.fullmatch(text):
        sign = nothing["before"] or nothing["after"]
        return Written("0", "", negative=False, exponent="", unit=CURRENCIES.get(sign, sign))
    if outside := _SIGN_OUTSIDE.fullmatch(text):
        return read_number(f"({outside[1]}{outside[2]})")
    if outside := _UNIT_OUTSIDE.fullmatch(text):
        return read_number(f"-{outside[1] or outside[2]}{outside[3]}")
    if "10" in text and (power := _POWER.search(text)):
        exponent = (power["plain"] or power["raised"]).translate(_LOWERED)
        return read_number(f"{text[: power.start()]}e{exponent}{text[power.end() :]}")
    if signed := _CENTS_PLUS.fullmatch(text):
        return read_number(signed[1])
    if marked := _MARKED.fullmatch(text):
        found = read_number(marked[1])
        return found._replace(marked=True) if found is not None else None
    if before := _before_margin(text):
        found = read_number(before)
        return found._replace(margin=True) if found is not None else None
    return None


def read_fraction(text: str) -> Written | None:
    """The number that two whole ones with a stroke between are, "3/4", where others of its column are fractions."""
    return _of_fraction("0", text) if _FRACTION.fullmatch(text) else None


def _of_fraction(whole: str, fraction: str) -> Written | None:
    over, _, under = fraction.partition("/")
    if not int(under) or int(over) >= int(under):
        return None
    value = f"{int(over) / int(under):.15f}"[2:].rstrip("0")
    return Written(f"{whole}{value}", "", negative=False, exponent=f"e-{len(value)}" if value else "", unit="")


def _before_margin(text: str) -> str:
    """What stands before a margin of error: "84.2" of "84.2 ± 0.3" and "84.2 (±0.3)", "84.2%" of "84.2 ± 0.3 %",
    "84.2 mg/L" of "84.2 ± 0.3 mg/L"; "" where there is none."""
    for sign in _PLUS_MINUS:
        before, found, after = text.partition(sign)
        if found and (margin := _MARGIN.fullmatch(after)):
            before = before.rstrip(" \u00a0\u2009\u202f(")
            return f"{before}{margin['unit'] or ''}" if before[-1:].isdecimal() else before
    return ""


def is_nought(text: str) -> bool:
    """Whether a text without digits is nought as accounts show it: "$-"."""
    return _NOTHING.fullmatch(text) is not None


def is_limit(text: str) -> bool:
    """Whether a text says below or above which number a value is: "<5", "≥ 30 %", "< 0.001"."""
    shown = text.strip()
    return shown[:1] in _LIMITS and shown != "" and read_number(shown[1:].removeprefix("=").strip()) is not None


def before_remark(text: str) -> str:
    """What stands before a remark in brackets: "8.3%" of "8.3% (derived)"; "" where there is none."""
    match = _REMARKED.fullmatch(text.strip())
    return match[1] if match else ""


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
    return value if abs(value) < _MAX_INTEGER else float(value)


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
        grouped = _GROUPED.fullmatch(whole) or (last == "." and _INDIAN.fullmatch(whole))
        ended = fraction.isdecimal() or (last == "." and not fraction)  # "13,096." is how programs write whole numbers
        return last if grouped and marks.count(last) == 1 and ended else None
    mark = marks[0]
    other = "," if mark == "." else "."
    if len(marks) > 1:
        return other if _GROUPED.fullmatch(digits) or (mark == "," and _INDIAN.fullmatch(digits)) else None
    whole, _, fraction = digits.partition(mark)
    if len(fraction) != 3 or not 1 <= len(whole) <= 3 or whole[0] == "0":
        return mark if fraction or not digits.endswith(mark) else None
    return f"?{mark}"


def same_quantity(units: Collection[str]) -> bool:
    """Whether the units are of one quantity, as g and kg are."""
    return any(one.keys() >= set(units) for one in _QUANTITIES)


def in_unit(written: Written, unit: str) -> Written:
    """A number of a `SCALED` column in its unit, "" where letters multiply its numbers."""
    known = next((one for one in _QUANTITIES if unit in one), MULTIPLIERS)
    power = known.get(written.unit, 0) - known.get(unit, 0)
    return written._replace(exponent=f"e{power + int(written.exponent[1:] or 0)}") if power else written


def is_identifier(text: str) -> bool:
    """Whether digits name something and are not an amount: a leading zero ("00123"), or more than a number keeps."""
    return text.isdecimal() and ((len(text) > 1 and text[0] == "0") or len(text) > _MAX_DIGITS)


def currency_in(text: str) -> str:
    """The code of the currency a heading or a number format names ("Umsatz (€)", "#,##0.00 [$CHF]"), else ""."""
    match = _CURRENCY_IN.search(text)
    return CURRENCIES.get(match[0], match[0]) if match else ""


def is_currency(text: str) -> bool:
    """Whether a text is a currency's sign or code and nothing else."""
    return bool(text) and CURRENCIES.get(text, text) == currency_in(text)


def are_currencies(texts: Collection[str]) -> bool:
    """Whether there are texts, and all are currencies."""
    return bool(texts) and all(map(is_currency, texts))


_POINT = frozenset(("the", "of", "and", "is", "are", "was", "for", "with", "this", "that", "from", "by"))
_COMMA = frozenset(
    """
    der die das und ist mit nicht für von den le la les des et est une dans pour el los las por para del il che della
    di sono een het van niet voor não uma dos com och det som är og ikke nie jest się
    """.split()  # noqa: SIM905  # read as words
)
"""The commonest words of English, and of languages of the decimal comma, none of them shared."""
_WORD = re.compile(r"(?<![\w./@-])[^\W\d_]++(?!\w|[@/]|[.-]\w)")
"""A word of a sentence, and no piece of an address: the "com" of "example.com" is Portuguese."""
_WORDS: Final = 3000
"""Words looked at."""
_MIN_EVIDENCE: Final = 3
"""How many of the commonest words tell the language, and this many times as many as the others have."""


_PLACES: Final = 6
_SIGNIFICANT: Final = 15
"""Digits of a number that spreadsheets show at most; what is behind them is noise of binary fractions."""
_LONG: Final = 12
"""Digits of a number that may end in noise of a difference."""
_NOISE: Final = 2.0**-40
"""Such noise as a share of the largest number of its column: some thousand times what one rounding gives."""
_NOUGHT: Final = 2.0**-10
"""The share of it that nought may be taken for."""
_FEW: Final = 4
"""One number of this many may have noise and no decimal places of its own."""

Held = TypeVar("Held")


def decimal_fractions(values: list[Held]) -> list[Held]:
    """The numbers of a column of cells as they are meant: formulas leave 12.540000000000001 and 375318.700000009 in
    columns whose other numbers have two decimal places."""
    power = 10**_PLACES
    noisy = [
        at
        for at, one in enumerate(values)
        if type(one) is float and abs(one) < _MAX_INTEGER and round(one * power) / power != one
    ]
    if not noisy:
        return values
    found: list[Any] = [*values]
    for at in noisy:
        found[at] = float(f"{found[at]:.{_SIGNIFICANT}g}")
    noisy = [at for at in noisy if _digits(found[at]) > _LONG and round(found[at] * power) / power != found[at]]
    exact = [one for one in found if type(one) is int or (type(one) is float and math.isfinite(one))]
    if not 0 < len(noisy) * _FEW <= len(exact):
        return found
    near = max(map(abs, exact)) * _NOISE
    for at in noisy:
        rounded = (round(found[at], places) for places in range(_PLACES))
        found[at] = next(
            (one for one in rounded if abs(one - found[at]) <= (near if one else near * _NOUGHT)), found[at]
        )
    return found


def _digits(value: float) -> int:
    return len(f"{abs(value):.{_SIGNIFICANT - 1}e}".partition("e")[0].replace(".", "").rstrip("0"))


class Hints(NamedTuple):
    """How the part writes numbers ("." or ",") and dates ("dmy" or "mdy"), where a column cannot tell; "" unknown."""

    decimal: str = ""
    order: str = ""
    assumed: bool = False
    """Whether the decimal sign is what such parts mostly have, which no number of this one shows."""

    def over(self, other: "Hints") -> "Hints":
        """These, and of the other what these do not tell."""
        return Hints(self.decimal or other.decimal, self.order or other.order, other.assumed and not self.decimal)


_BY_LANGUAGE = {"en": Hints("."), "de": Hints(",", "dmy"), "fr": Hints(",", "dmy")}


def document_hints(document: ParsedDocument) -> Hints:
    """What the language of a text document tells: the one it names, or the one its words are in, if few of them."""
    if named := _BY_LANGUAGE.get(document.metadata.get("language", "")[:2].lower()):
        return named
    words = _words(document)
    point, comma = (sum(map(known.__contains__, words)) for known in (_POINT, _COMMA))
    if point >= max(_MIN_EVIDENCE, _MIN_EVIDENCE * comma):
        return Hints(".")
    if comma >= max(_MIN_EVIDENCE, _MIN_EVIDENCE * point):
        return Hints(",", "dmy")
    return Hints("," if comma else ".", assumed=True) if bool(comma) != bool(point) else Hints()


def _words(document: ParsedDocument) -> list[str]:
    """The first of its sentences, in lower case."""
    words: list[str] = []
    for part in document.parts:
        for block in part.blocks:
            if isinstance(block, (Paragraph, Heading, ListItem)):
                words += _WORD.findall(block.text)
                if len(words) >= _WORDS:
                    return [word.lower() for word in words[:_WORDS]]
    return [word.lower() for word in words]


def part_hints(document: ParsedDocument, part: Part, *, delimited: bool) -> Hints | None:
    """What the part's kind tells before any cell is looked at, None where its document's language has to: cells of a
    workbook hold numbers with a decimal point; a list delimited by `;` is written where the comma is the decimal sign,
    one by `,` where it cannot be."""
    if delimited:
        delimiter = part.metadata.get("delimiter") or document.metadata["delimiter"]
        return Hints({";": ",", ",": "."}.get(delimiter, ""), assumed=delimiter == ";")
    return Hints(".", assumed=True) if part.kind == "sheet" else None
