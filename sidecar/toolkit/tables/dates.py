"""Dates, months and quarters as people write them in English, German, French, Spanish, Italian, Portuguese, Dutch,
Chinese, Japanese and Korean, to ISO 8601. `03/04/2024` alone may be either order."""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from sidecar.toolkit.times import names

_CLOCK = (
    r"(?:[ T,]+(?:um )?(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,]\d+)?)?"
    r"\s*([AaPp]\.?[Mm]\.?)?(?: ?Uhr)?"
    r"( ?(?:Z|UTC|GMT|CES?T|MES?Z|E[SD]T|M[SD]T|P[SD]T)|(?: ?UTC)? ?[+-]\d\d(?::?\d\d)?)?)?"
)
_ZONES: Final = {
    "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120, "EST": -300, "EDT": -240, "MST": -420, "MDT": -360, "PST": -480,
    "PDT": -420,
}  # fmt: skip
"""Minutes that time zones are ahead of UTC; names that are those of several are not read."""
_BASIC = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?()(Z|[+-]\d\d(?::?\d\d)?)?")
"""ISO 8601's basic form: "20240131T1030"."""
_ISO = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_CLOCK}")
_NUMERIC = re.compile(rf"(?:[^\W\d_]{{2,10}}(?:\.,?|,) )?(\d{{1,2}})([./-])(\d{{1,2}})\2(\d{{4}}|\d{{2}}){_CLOCK}")
_DAY_FIRST = re.compile(
    rf"(?:[^\W\d_]{{2,10}}\.?,? )?(\d{{1,2}})(?:\.|st|nd|rd|th|er)?[ -](?:de |of )?"
    rf"([^\W\d_]{{3,10}})\.?,?[ -](?:del? )?(\d{{4}}|\d{{2}}){_CLOCK}"
)
_MONTH_FIRST = re.compile(
    rf"(?:[^\W\d_]{{3,9}}, )?([^\W\d_]{{3,9}})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}}){_CLOCK}"
)
_EAST_ASIAN = re.compile(rf"(\d{{4}})[年년] ?(\d{{1,2}})[月월] ?(\d{{1,2}})[日号일]{_CLOCK}")
_MONTH = re.compile(r"([^\W\d_]{3,10})\.?,?[ /-](?:del? )?(\d{4})")
_SHORT_MONTH = re.compile(r"([^\W\d_]{3,9})\.?(?:-| ?['’])(\d{2})")
"""As spreadsheets show it ("Jan-24"), which may be a day of the month as well."""
_YEAR_BEFORE = re.compile(r"(\d{4})[ /-]([^\W\d_]{3,9})\.?")
"""As statistics have it, in the order of time ("1991 Jul")."""
_EAST_ASIAN_MONTH = re.compile(r"(\d{4})[年년] ?(\d{1,2})[月월]")
_DIGIT_MONTH = re.compile(r"(\d{4})-(\d\d)|(0[1-9]|1[0-2])/((?:19|20)\d\d)")
"""Digits alone, which are much else where the heading says nothing of time: "2024-03", "03/2024"."""
_TIME = re.compile(
    r"date|month|period|time|since|start|begin|valid|expir|joined|until|monat|datum|zeit|seit|gültig|mois|depuis|mes\b|"
    r"fecha|desde|periodo|mese|data\b|年|月",
    re.IGNORECASE,
)
_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl")
_OTHER_WORDS: Final = frozenset(("jui", "set", "out", "maar"))
"""Beginnings of months that are two months (juin, juillet) or other words."""
_ALSO = {
    "jänner": 1, "fevrier": 2, "maerz": 3, "mrz": 3, "aout": 8, "sept": 9, "decembre": 12, "setiembre": 9, "mrt": 3,
    "marco": 3,
}  # fmt: skip
"""Months as they are spelled besides."""
_BY_MONTH = {
    name[:length]: number
    for name, number in (
        *((name.lower(), at) for one in _LANGUAGES for at, name in enumerate(names(one).months, 1)),
        *_ALSO.items(),
    )
    for length in (3, 4, len(name))
    if length == len(name) or name[:length] not in _OTHER_WORDS
}
_FISCAL = r"(?:FY[ -]?)?'?"
_FISCAL_SIGNS: Final = "FYfy-' "
_QUARTERS = (
    re.compile(rf"(?P<part>[QHT])(?P<number>[1-4])[ /,-]*{_FISCAL}(?P<year>\d{{4}}|\d\d)", re.IGNORECASE),
    re.compile(r"(?P<year>\d{4}|FY[ -]?'?(?:\d{4}|\d\d))[ /,-]*(?P<part>[QHT])(?P<number>[1-4])", re.IGNORECASE),
    re.compile(rf"(?P<number>[1-4])[ -]?(?P<part>[QH])[ /,-]*{_FISCAL}(?P<year>\d{{4}}|\d\d)", re.IGNORECASE),
    re.compile(
        r"(?P<number>[1-4])(?:\.|st|nd|rd|th|er|[eè]me?)? ?(?P<part>Quarter|Quartal|Half|Halbjahr|Trimestre),? "
        r"(?:of )?(?P<year>\d{4})",
        re.IGNORECASE,
    ),
)
"""Quarters and halves of years: "Q1 2024", "2024-Q3", "FY24 Q1", "1Q24", "H1'24", "T1 2024", "1. Quartal 2024"."""
MONTHLY: Final = "month"
"""The order of day and month of a column whose texts are months, which are dates in SQL."""
QUARTERLY: Final = "quarter"
"""The order of a column of quarters, which stay as they are written."""
COMPACT: Final = "digits"
"""The order of a column of dates written in eight digits."""
ZONED: Final = "utc"
"""The order of a column of times of several zones, which are given in UTC."""
CLOCK: Final = "clock"
"""The order of a column of times h:mm, stretches or times of day, which stay as they are written."""
LAPS: Final = "laps"
"""The order of a column of minutes and seconds with their fractions, which are numbers of seconds."""
PERIODS: Final = {
    CLOCK: "times such as 7:30, compared by their length; what is computed of them is in hours",
    MONTHLY: "months, each as its first day",
    QUARTERLY: "quarters, compared and put in order by time; year(x) and quarter(x) take them",
    COMPACT: "dates written as 20240131",
}
"""What is to be known of such columns."""
_STRETCH = re.compile(r"([-−]?)(\d{1,5}):([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)?")
_LAP = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)[.,](\d{1,3})")
IN_MINUTES: Final = (
    "times some of which have hours, as 0:58:59 beside 1:02:34; those without were written as 58:59, and are compared "
    "with '0:58:59'"
)
"""What is to be known of a column of times that `with_hours` changes."""
_HOURS_OF_DAY: Final = 24
_FEW_HOURS: Final = 3
_MAX_SECONDS: Final = 10**9
"""More than any time h:mm has."""
_DAY_DIGITS: Final = 8
_CENTURIES: Final = ("19", "20")
_SURE_DAYS: Final = 4
_DATED = re.compile(r"date|datum|fecha|dato|\bday|_(?:at|on|dt)$|\b(?:tag|jour|data|dt)\b")
_YEARS: Final = 2
_FEW_MONTHS: Final = 4
"""Different months, quarters at least, where firsts of months tell their order."""
_CENTURY_TURN = 30
"""Two-digit years below it are of this century, as spreadsheets have it."""


class WrittenDate(NamedTuple):
    """A date taken apart. `order` is the order it shows itself: "dmy" or "mdy", "" where it needs none, "?" where day
    and month may be either; `first` and `second` are then the two numbers as they stand."""

    year: int
    first: int
    second: int
    order: str
    clock: str
    """ "HH:MM:SS", "" for a date alone."""
    zone: str = ""
    """The time zone as it stands."""


def read_date(text: str) -> WrittenDate | None:
    """The date a text is, None when it is none."""
    if not (6 <= len(text) <= 40):
        return None
    if match := _ISO.fullmatch(text) or _EAST_ASIAN.fullmatch(text) or _BASIC.fullmatch(text):
        return _checked((int(match[1]), int(match[2]), int(match[3])), "", match, 4)
    if match := _NUMERIC.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), _year(match[4])
        order = "dmy" if match[2] == "." or first > 12 else "mdy" if second > 12 else "?"
        if order == "mdy":
            return _checked((year, first, second), order, match, 5)
        found = _checked((year, second, first), order, match, 5)
        return found._replace(first=first, second=second) if found else None
    if match := _DAY_FIRST.fullmatch(text):
        month = _BY_MONTH.get(match[2].lower())
        return _checked((_year(match[3]), month, int(match[1])), "", match, 4) if month else None
    if match := _MONTH_FIRST.fullmatch(text):
        month = _BY_MONTH.get(match[1].lower())
        return _checked((int(match[3]), month, int(match[2])), "", match, 4) if month else None
    return None


def read_month(text: str) -> str:
    """The first day, YYYY-MM-DD, of the month that a text is: "Jan 2024", "Jan-24", "März 2024", "1991 Jul",
    "2024年3月", "2024-03", "03/2024"; "" where it is none."""
    if match := _MONTH.fullmatch(text) or _SHORT_MONTH.fullmatch(text):
        year, month = _year(match[2]), _BY_MONTH.get(match[1].lower(), 0)
    elif match := _YEAR_BEFORE.fullmatch(text):
        year, month = int(match[1]), _BY_MONTH.get(match[2].lower(), 0)
    elif match := _EAST_ASIAN_MONTH.fullmatch(text) or _DIGIT_MONTH.fullmatch(text):
        year, month = int(match[1] or match[4]), int(match[2] or match[3])
    else:
        return ""
    return f"{year:04d}-{month:02d}-01" if 1 <= month <= 12 else ""


def read_day(digits: str) -> str:
    """The day, YYYY-MM-DD, that eight digits are, "20240131"; "" where they are none of these two centuries."""
    if len(digits) != _DAY_DIGITS or digits[:2] not in _CENTURIES or not digits.isdecimal():
        return ""
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:])
    return f"{year:04d}-{month:02d}-{day:02d}" if _exists(year, month, day) else ""


def are_days(digits: Collection[str], title: str) -> bool:
    """Whether the different numbers of a column, each of which `read_day` takes, are days: several are not so by
    chance, fewer under a heading that says so."""
    return len(digits) >= _SURE_DAYS or (bool(digits) and _DATED.search(title.lower()) is not None)


def read_quarter(text: str) -> str:
    """The first day, YYYY-MM-DD, of the quarter or half of a year that a text is, "" where it is none."""
    match = next((match for one in _QUARTERS if (match := one.fullmatch(text))), None)
    if match is None:
        return ""
    number, months = int(match["number"]), 6 if match["part"][0] in "hH" else 3
    month = months * (number - 1) + 1
    return f"{_year(match['year'].lstrip(_FISCAL_SIGNS)):04d}-{month:02d}-01" if month <= 12 else ""


def read_stretch(text: str) -> int | None:
    """The seconds of a time written "h:mm" or "h:mm:ss", None where a text is none."""
    match = _STRETCH.fullmatch(text)
    if match is None:
        return None
    seconds = int(match[2]) * 3600 + int(match[3]) * 60 + int(match[4] or 0)
    return -seconds if match[1] else seconds


def read_lap(text: str) -> float | None:
    """The seconds of a time written "m:ss.ff" or "h:mm:ss.ff", None where a text is none."""
    match = _LAP.fullmatch(text)
    return int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(f"{match[3]}.{match[4]}") if match else None


def first_of_stretch(text: str) -> int:
    """The number that a time which `read_stretch` takes begins with."""
    return int(text.lstrip("-−").partition(":")[0])


def are_minutes(firsts: Collection[int], hours: Collection[int]) -> bool:
    """Whether times without seconds, which begin with `firsts`, are minutes and seconds beside those that have hours
    too: as hours they would be longer than any of these, or than a day, or these have a few hours and are not the
    longest. So races and recordings are listed."""
    if not firsts or not hours or max(hours) >= _HOURS_OF_DAY:
        return False
    few = max(hours) <= _FEW_HOURS and max(firsts) > max(hours)
    return few or min(firsts) > max(hours) or max(firsts) >= _HOURS_OF_DAY


def with_hours(texts: Sequence[str]) -> Sequence[str]:
    """The texts of a column of times, those that `are_minutes` with their hours: "0:58:59" for "58:59"."""
    shown = [text.strip() for text in texts]
    known = {one: one.count(":") for one in shown if one and read_stretch(one) is not None}
    both = [{first_of_stretch(one) for one, colons in known.items() if colons == wanted} for wanted in (1, 2)]
    if not are_minutes(*both):
        return texts
    return [in_hours(one) if known.get(one) == 1 else one for one in shown]


def in_hours(minutes: str) -> str:
    """A time of minutes and seconds with its hours."""
    sign = "-" if minutes[0] in "-−" else ""
    whole, _, seconds = minutes.lstrip("-−").partition(":")
    return f"{sign}{int(whole) // 60}:{int(whole) % 60:02}:{seconds}"


def is_period(text: str) -> bool:
    """Whether a text is a month or a quarter, although it begins with a number: "1991 Jul", "1Q24"."""
    return bool(read_month(text) or read_quarter(text))


@lru_cache(4096)
def _period_key(text: str) -> str:
    """What a month, a quarter or a day of eight digits is ordered by: its first day, which a quarter shares with no
    month, nor with a half of a year; of a time its seconds."""
    shown = text.strip()
    if (seconds := read_stretch(shown)) is not None:
        return str(_MAX_SECONDS + seconds)
    if quarter := read_quarter(shown):
        return f"{quarter}{'H' if 'h' in shown.lower() else 'Q'}"
    return read_month(shown) or read_day(shown) or text


PERIOD_ORDER: Final = "periods"
"""The collation of SQLite that `compare_periods` is."""


def compare_periods(one: str, other: str) -> int:
    """How two months, quarters, days of eight digits or times follow one another: below 0, 0 or above it."""
    first, second = _period_key(one), _period_key(other)
    return (first > second) - (first < second)


def name_months(texts: Collection[str], title: str) -> bool:
    """Whether the texts of a column, each of which `read_month` takes, are months: of "Jan-01", "Jan-02", "Jan-03" the
    digits are days, since there are more of these than of names; "2024-03" is much else unless the title says so."""
    if any(map(_DIGIT_MONTH.fullmatch, texts)) and not _TIME.search(title):
        return False
    short = [match for text in texts if (match := _SHORT_MONTH.fullmatch(text))]
    return len({match[2] for match in short}) <= len({match[1].lower() for match in short})


def order_of_firsts(years: Collection[int], firsts: Collection[int], seconds: Collection[int]) -> str:
    """The order of dates that are firsts of months through more than a year, of which one number is always 1; "" where
    they are not. Days of every January would not end at the twelfth."""
    if len(years) < _YEARS or len({*firsts, *seconds}) < _FEW_MONTHS:
        return ""
    return "dmy" if {*firsts} == {1} else "mdy" if {*seconds} == {1} else ""


def date(written: WrittenDate, order: str) -> str | None:
    """ "YYYY-MM-DD" or "YYYY-MM-DD HH:MM:SS" where `order` is that of its column; None where it contradicts."""
    month, day = written.first, written.second
    if written.order in ("dmy", "?") and (written.order == "dmy" or order == "dmy"):
        month, day = day, month
    if (written.order in ("dmy", "mdy") and order and written.order != order) or not _exists(written.year, month, day):
        return None
    text = f"{written.year:04d}-{month:02d}-{day:02d}"
    if order == ZONED and written.clock and written.zone:
        moment = dt.datetime.fromisoformat(f"{text} {written.clock}")
        try:
            return f"{moment - dt.timedelta(minutes=_ahead(written.zone)):%Y-%m-%d %H:%M:%S}"
        except OverflowError:  # in the first or the last year of all
            return None
    return f"{text} {written.clock}" if written.clock else text


def _ahead(zone: str) -> int:
    """How many minutes a time zone is ahead of UTC."""
    sign, digits = zone[-6:].lstrip("UTC "), re.sub(r"\D", "", zone)
    minutes = int(digits[:2]) * 60 + int(digits[2:] or 0) if digits else _ZONES.get(zone, 0)
    return -minutes if digits and sign.startswith("-") else minutes


def _checked(day: tuple[int, int, int], order: str, match: re.Match[str], at: int) -> WrittenDate | None:
    """The date, of (year, month, day), with the time of day that begins at group `at` of the match."""
    clock = _clock(match, at)
    if clock is None or not _exists(*day):
        return None
    return WrittenDate(*day, order, clock, (match[at + 4] or "").strip())


def _exists(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def _year(text: str) -> int:
    year = int(text)
    if len(text) == 4:
        return year
    return 2000 + year if year < _CENTURY_TURN else 1900 + year


def _clock(match: re.Match[str], at: int) -> str | None:
    """The time of day; "" for none, None for an impossible one."""
    if match[at] is None:
        return ""
    hour, minute, second = int(match[at]), int(match[at + 1]), int(match[at + 2] or 0)
    half = (match[at + 3] or "").lower().replace(".", "")
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return f"{hour:02d}:{minute:02d}:{second:02d}" if hour < 24 and minute < 60 and second < 60 else None
