"""Serial dates: the day numbers of a workbook turned into calendar fields and ISO 8601. Knows no format codes.

The 1900 system counts 1900-01-01 as 1 and keeps the 29 February 1900 that never was (serial 60); the 1904 system
counts 1904-01-01 as 0 (ECMA-376 part 1 §18.17.4.1).
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

LAST_SERIAL = 2_958_466  # the day after 9999-12-31, in the 1900 system
_1904_OFFSET = 1462
_EPOCH = dt.date(1899, 12, 30).toordinal()


class Moment(NamedTuple):
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


def moment(serial: float, *, date1904: bool, decimals: int = 3) -> Moment | None:
    """The fields of a serial, rounded to `decimals` of a second (0 to 6); None outside the calendar."""
    if not 0 <= serial < LAST_SERIAL:
        return None
    unit = 10**decimals
    ticks = round(serial * 86_400 * unit)
    days, ticks = divmod(ticks, 86_400 * unit)
    seconds, rest = divmod(ticks, unit)
    hour, seconds = divmod(seconds, 3600)
    minute, second = divmod(seconds, 60)
    day = days + _1904_OFFSET if date1904 else days
    if day >= LAST_SERIAL:
        return None
    weekday = (day - 1) % 7
    if day == 60:
        date = (1900, 2, 29)
    elif day == 0:
        date = (1900, 1, 0)
    else:
        calendar = dt.date.fromordinal(_EPOCH + day + (1 if day < 60 else 0))
        date = (calendar.year, calendar.month, calendar.day)
    return Moment(*date, weekday, hour, minute, second, rest * (1_000_000 // unit), days)


def iso(serial: float, *, date1904: bool) -> str:
    """ISO 8601 of a serial: a date, a date and time, or a time for a serial below one day; "" outside the calendar."""
    at = moment(serial, date1904=date1904)
    if at is None:
        return ""
    clock = f"{at.hour:02d}:{at.minute:02d}:{at.second:02d}"
    if at.micro:
        clock += f".{at.micro // 1000:03d}"
    if serial < 1 and at.days == 0:
        return clock
    date = f"{at.year:04d}-{at.month:02d}-{at.day:02d}"
    return date if clock == "00:00:00" else f"{date}T{clock}"
