"""Days, months and stretches of time as people write them: "2024-03", "31.01.2024", "yesterday", "last week".

Dates within texts and questions are `search.dates`'."""

import re
import unicodedata
from datetime import datetime, timedelta
from typing import Final

from sidecar.api import UsageError

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
        raise UsageError(f"{text[:40]!r} is no date; write 2024-01-31, yesterday or last week.")
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
