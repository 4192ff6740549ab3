"""Dates, durations and rules of recurrence (RFC 5545 §3.3) as people read them, and as ISO 8601."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from sidecar_calendar.lines import Component, Property

_MOMENT = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d+)?(Z)?)?")
_DURATION = re.compile(r"([+-])?P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?")
_DAYS = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_UNITS = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour"}
_ORDINALS = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last"}
_BY_DAY = re.compile(r"([+-]?\d+)?(MO|TU|WE|TH|FR|SA|SU)")


def moment(prop: Property) -> date | None:
    """The day (`date`) or time (`datetime`, with its zone where known) of a property, None for anything else."""
    found = _MOMENT.match(prop.value.strip())
    if found is None:
        return None
    year, month, day, *clock = (int(one or 0) for one in found.groups()[:6])
    try:
        if found[4] is None:
            return date(year, month, day)
        zone = UTC if found[7] else _zone(prop.parameter("TZID"))
        return datetime(year, month, day, clock[0], clock[1], min(clock[2], 59), tzinfo=zone)
    except ValueError:
        return None


def _zone(name: str) -> ZoneInfo | None:
    """A zone of the IANA's database; other names (Windows') stay words."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None


def iso(prop: Property | None) -> str:
    """ISO 8601, as documents' dates are told; "" where there is none."""
    found = moment(prop) if prop else None
    return found.isoformat() if found else ""


def format_time(prop: Property) -> str:
    """A day with its weekday, the time where there is one, and its zone; as written where it is not a date."""
    found = moment(prop)
    if found is None:
        return prop.text.strip()
    return f"{_day(found)}{_clock(found)}{_zone_name(prop, found)}"


def span_of(component: Component) -> str:
    """From when to when something is: the end is told by itself, or by how long it takes (RFC 5545 §3.6.1)."""
    start = next(iter(component.all("DTSTART")), None)
    if start is None:
        return ""
    begin = moment(start)
    if begin is None:
        return start.text.strip()
    given = next(iter(component.all("DTEND")), None)
    end = moment(given) if given else _after(begin, component.text("DURATION"))
    if not isinstance(begin, datetime):
        # The end of whole days is the day after (RFC 5545 §3.6.1).
        last = end - timedelta(days=1) if end and not isinstance(end, datetime) else None
        return f"{_day(begin)} to {_day(last)}" if last and last > begin else f"{_day(begin)}, all day"
    text = f"{_day(begin)}{_clock(begin)}"
    if isinstance(end, datetime):
        text += f" to {end:%H:%M}" if end.date() == begin.date() else f" to {_day(end)}{_clock(end)}"
    return text + _zone_name(start, begin)


def _day(found: date) -> str:
    return f"{list(_DAYS.values())[found.weekday()]} {found.year:04}-{found:%m-%d}"


def _clock(found: date) -> str:
    return f" {found:%H:%M}" if isinstance(found, datetime) else ""


def _zone_name(prop: Property, found: date) -> str:
    if not isinstance(found, datetime):
        return ""
    name = "UTC" if found.tzinfo is UTC else prop.parameter("TZID")
    return f" ({name})" if name else ""


def _after(begin: date, duration: str) -> date | None:
    found = _DURATION.fullmatch(duration)
    if found is None or found[1] == "-":
        return None
    weeks, days, hours, minutes, seconds = (int(one or 0) for one in found.groups()[1:])
    try:
        return begin + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    except OverflowError:
        return None


def recurrence(rule: str) -> str:
    """A rule (RFC 5545 §3.3.10) in words: "every 2 weeks on Monday, 10 times". As written where it says more."""
    fields = dict(part.upper().split("=", 1) for part in rule.split(";") if "=" in part)
    unit = _UNITS.get(fields.pop("FREQ", ""), "")
    days = [_BY_DAY.fullmatch(one) for one in fields.pop("BYDAY", "").split(",") if one]
    every = fields.pop("INTERVAL", "1")
    count, until = fields.pop("COUNT", ""), fields.pop("UNTIL", "")
    fields.pop("WKST", None)
    of_month = fields.pop("BYMONTHDAY", "")
    if not unit or fields or not all(days):
        return rule
    text = f"every {unit}" if every == "1" else f"every {every} {unit}s"
    if days:
        named = [f"{_ORDINALS.get((one[1] or '').lstrip('+'), one[1] or '')} {_DAYS[one[2]]}" for one in days if one]
        text += f" on {', '.join(one.strip() for one in named)}"
    if of_month:
        text += f" on day {of_month.replace(',', ', ')} of the month"
    if count:
        text += f", {count} times"
    return f"{text}, until {format_time(Property('UNTIL', until))}" if until else text
