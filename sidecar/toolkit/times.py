"""Days, months and spans of time as people write them: "2024-03", "31.01.2024", "yesterday", "last week"; the names of
months and weekdays by language; and serial dates, as workbooks keep them.

The 1900 system counts 1900-01-01 as 1 and keeps the 29 February 1900 that never was (serial 60); the 1904 system
counts 1904-01-01 as 0 (ECMA-376 part 1 §18.17.4.1).

Dates within texts and questions are `search.dates`'."""

import re
import unicodedata
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from sidecar.api import UsageError

_LAST_SERIAL: Final = 2_958_466
"""The day after 9999-12-31, in the 1900 system."""
_1904_OFFSET: Final = 1462
_DAY_ZERO: Final = date(1899, 12, 30).toordinal()
_DATE: Final = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?")
_DAY_FIRST: Final = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")
_LAST: Final = re.compile(
    r"(?:(?:the )?(?:last|past) )?(\d{1,4}) ?(hours?|days?|weeks?|months?|years?|h|d|w)( ago)?|"
    r"an? (hour|day|week|month|year) ago"
)
_HOURS: Final = {"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24, "y": 365 * 24}
"""By the first letter of a unit."""
_DAYS_AGO: Final = {
    **dict.fromkeys(("today", "heute", "aujourd'hui", "hoy", "oggi", "vandaag", "今日"), 0),
    **dict.fromkeys(("yesterday", "gestern", "hier", "ayer", "ieri", "gisteren", "昨日"), 1),
}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STRETCHES: Final = {
    **dict.fromkeys(("this week", "diese woche", "cette semaine", "esta semana", "今週"), ("week", 0)),
    **dict.fromkeys(("last week", "letzte woche", "la semaine derniere", "la semana pasada", "先週"), ("week", 1)),
    **dict.fromkeys(("this month", "diesen monat", "ce mois", "este mes", "今月"), ("month", 0)),
    **dict.fromkeys(("last month", "letzten monat", "le mois dernier", "el mes pasado", "先月"), ("month", 1)),
    **dict.fromkeys(("this year", "dieses jahr", "cette annee", "este ano", "今年"), ("year", 0)),
    **dict.fromkeys(("last year", "letztes jahr", "l'annee derniere", "el ano pasado", "去年"), ("year", 1)),
}
"""The unit, and how many of them ago."""
_PRIMARY: Final = {
    0x04: "zh", 0x05: "cs", 0x06: "da", 0x07: "de", 0x09: "en", 0x0A: "es", 0x0B: "fi", 0x0C: "fr", 0x0E: "hu",
    0x10: "it", 0x11: "ja", 0x12: "ko", 0x13: "nl", 0x14: "no", 0x15: "pl", 0x16: "pt", 0x19: "ru", 0x1D: "sv",
    0x1F: "tr",
}  # fmt: skip
_CALENDAR: Final = {
    line[:2]: line[3:] for line in Path(__file__).with_name("calendar_names.txt").read_text("utf-8").splitlines()
}
"""Months, then weekdays from Sunday, then the lengths of the short forms (0: as long, with no short form)."""


def iso_utc(moment: datetime) -> str:
    """A moment in UTC as ISO 8601, to the second: "2024-01-31T14:00:00Z"."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def period(text: str, now: datetime | None = None) -> tuple[int, int] | None:
    """The first moment of what the text names and the first one after it, in ns since the epoch: a day, week, month or
    year in local time, a moment ("2024-01-31T14:00"), or the time since ("3 days", "last 24 hours"). None for anything
    else, and for years before 1900 and after 2260. `now` is local time."""
    wanted = " ".join(_folded(text).replace("_", " ").split())
    now = now or datetime.now()  # noqa: DTZ005  # local time is meant
    try:
        found = _dated(wanted) or _named(wanted, now) or _elapsed(wanted, now) or _moment(text.strip())
        return None if found is None or not 1900 <= found[0].year < 2261 else (_ns(found[0]), _ns(found[1]))
    except (ValueError, OverflowError, OSError):
        return None


def since(text: str) -> int:
    """The first moment of what the text names, as `period`. Raises UsageError where it names none."""
    found = period(text)
    if found is None:
        raise UsageError(f"{text[:40]!r} is not a date; write 2024-01-31, yesterday or last week.")
    return found[0]


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    return unicodedata.normalize("NFC", "".join(one for one in plain if not "\u0300" <= one <= "\u036f"))


def _dated(text: str) -> tuple[datetime, datetime] | None:
    if found := _DAY_FIRST.fullmatch(text):
        day, month, year = map(int, found.groups())
        first = datetime(year, month, day)  # noqa: DTZ001
        return first, first + timedelta(days=1)
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(number) if number else 0 for number in found.groups())
    first = datetime(year, month or 1, day or 1)  # noqa: DTZ001
    if day:
        return first, first + timedelta(days=1)
    return first, _month_after(first) if month else first.replace(year=first.year + 1)


def _named(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = _DAYS_AGO.get(text)
    weekday = text.removeprefix("last ").removeprefix("since ")
    if days is None and weekday in _WEEKDAYS:
        days = (today.weekday() - _WEEKDAYS.index(weekday) - 1) % 7 + 1  # the latest one before today
    if days is not None:
        first = today - timedelta(days=days)
        return first, first + timedelta(days=1)
    unit, ago = _STRETCHES.get(text, ("", 0))
    match unit:
        case "week":
            first = today - timedelta(days=today.weekday() + 7 * ago)
            return first, first + timedelta(days=7)
        case "month":
            first = today.replace(day=1)
            first = (first - timedelta(days=1)).replace(day=1) if ago else first
            return first, _month_after(first)
        case "year":
            first = today.replace(year=today.year - ago, month=1, day=1)
            return first, first.replace(year=first.year + 1)
        case _:
            return None


def _elapsed(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    found = _LAST.fullmatch(text)
    if found is None:
        return None
    hours = int(found[1] or 1) * _HOURS[(found[2] or found[4])[0]]
    first = now - timedelta(hours=hours)
    if (found[3] or found[4]) and hours >= _HOURS["d"]:  # that very day
        first = first.replace(hour=0, minute=0, second=0, microsecond=0)
        return first, first + timedelta(days=1)
    return first, now + timedelta(days=1)


def _moment(text: str) -> tuple[datetime, datetime] | None:
    if len(text) <= len("2024-01-31"):
        return None
    first = datetime.fromisoformat(text)
    return first, first + timedelta(minutes=1)


def _month_after(first: datetime) -> datetime:
    return (first + timedelta(days=32)).replace(day=1)


def _ns(moment: datetime) -> int:
    return int(moment.astimezone().timestamp()) * 10**9


class CalendarNames(NamedTuple):
    """Names of one language: 12 months from January, 7 weekdays from Sunday, each also in its short form."""

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]
    short_days: tuple[str, ...]


def language_of(tag: str) -> str:
    """The language of a format code's locale: hexadecimal Windows id ("407") or name ("de-DE"); "" when unknown."""
    name = tag.lower().partition("-")[0]
    if name in _CALENDAR:
        return name
    try:
        return _PRIMARY.get(int(tag[-4:], 16) & 0x3FF, "")
    except ValueError:
        return ""


def names(language: str) -> CalendarNames:
    """The names of a language, English where it is not known."""
    months, days, lengths = _CALENDAR.get(language, _CALENDAR["en"]).split("|")
    month_length, day_length = (int(length) or None for length in lengths.split())
    full_months, full_days = tuple(months.split()), tuple(days.split())
    return CalendarNames(
        full_months,
        tuple(name[:month_length] for name in full_months),
        full_days,
        tuple(name[:day_length] for name in full_days),
    )


def other_months(word: str) -> frozenset[str]:
    """What else the month that a word names is called, in small letters: whole and short names in the languages that
    call it so ("jul" for "July"), whole ones in all others ("juillet"); empty for any other word."""
    typed, found = word.lower(), set[str]()
    for one in map(names, _CALENDAR):
        for whole, short in zip(one.months, one.short_months, strict=True):
            if typed in (whole.lower(), short.lower()):
                found |= {short, *(names(other).months[one.months.index(whole)] for other in _CALENDAR)}
    return frozenset(name.lower() for name in found if name.isalpha()) - {typed}


def month_number(word: str) -> int:
    """Which month a word is the whole name of, in any of the languages, with or without accents; 0 for any other."""
    return _MONTH_NUMBERS.get(_folded(word), 0)


_MONTH_NUMBERS: Final = {
    _folded(name): number
    for one in map(names, _CALENDAR)
    for number, name in enumerate(one.months, 1)
    if name.isalpha()
}


class SerialFields(NamedTuple):
    """A serial's fields. `weekday` 0 is Sunday; `micro` are microseconds; `days` the whole days of the serial."""

    year: int
    month: int
    day: int
    weekday: int
    hour: int
    minute: int
    second: int
    micro: int
    days: int


def serial_fields(serial: float, *, date1904: bool, decimals: int = 3) -> SerialFields | None:
    """The fields of a serial, rounded to `decimals` of a second (0 to 6); None outside the calendar."""
    if not 0 <= serial < _LAST_SERIAL:
        return None
    unit = 10**decimals
    ticks = round(serial * 86_400 * unit)
    days, ticks = divmod(ticks, 86_400 * unit)
    seconds, rest = divmod(ticks, unit)
    hour, seconds = divmod(seconds, 3600)
    minute, second = divmod(seconds, 60)
    day = days + _1904_OFFSET if date1904 else days
    if day >= _LAST_SERIAL:
        return None
    weekday = (day - 1) % 7
    if day == 60:
        day_of = (1900, 2, 29)
    elif day == 0:
        day_of = (1900, 1, 0)
    else:
        calendar = date.fromordinal(_DAY_ZERO + day + (1 if day < 60 else 0))
        day_of = (calendar.year, calendar.month, calendar.day)
    return SerialFields(*day_of, weekday, hour, minute, second, rest * (1_000_000 // unit), days)


def serial_iso(serial: float, *, date1904: bool, midnight: bool = True) -> str:
    """ISO 8601 of a serial: a date, a date and time, or a time for a serial below one day; "" outside the
    calendar. `midnight`: 0 is a time too, else the first day."""
    at = serial_fields(serial, date1904=date1904)
    if at is None:
        return ""
    clock = f"{at.hour:02d}:{at.minute:02d}:{at.second:02d}"
    if at.micro:
        clock += f".{at.micro // 1000:03d}"
    if serial < 1 and at.days == 0 and (serial or midnight):
        return clock
    written = f"{at.year:04d}-{at.month:02d}-{at.day:02d}"
    return written if clock == "00:00:00" else f"{written}T{clock}"


def serial_of(moment: datetime, *, date1904: bool) -> float:
    """The serial of a moment, whose zone is left out: workbooks know none."""
    first = datetime(1904, 1, 1) if date1904 else datetime(1899, 12, 30)  # noqa: DTZ001
    return (moment.replace(tzinfo=None) - first) / timedelta(days=1)
