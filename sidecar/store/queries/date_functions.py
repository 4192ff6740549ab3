"""Functions of dates and times that other dialects have: their parts, truncated, shifted, parted, written; and what is
to be known of dates that are compared."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable
from typing import Final

from sidecar.api.tables import TableColumn
from sidecar.store.queries.aggregates import Value, as_text
from sidecar.toolkit.tables.dates import PERIODS, read_day, read_month, read_quarter, read_stretch

_CHAR_FORMS: Final = {
    "YYYY": "%Y", "YY": "%y", "MONTH": "%B", "MON": "%b", "MM": "%m", "DDD": "%j", "DD": "%d", "DAY": "%A",
    "DY": "%a", "HH24": "%H", "HH12": "%I", "HH": "%I", "MI": "%M", "SS": "%S", "IW": "%V", "AM": "%p", "PM": "%p",
}  # fmt: skip
_CHAR_FORM: Final = re.compile("|".join(sorted([*_CHAR_FORMS, "Q"], key=len, reverse=True)), re.IGNORECASE)
_MYSQL_FORMS: Final = {
    "%i": "%M", "%M": "%B", "%W": "%A", "%s": "%S", "%T": "%H:%M:%S", "%h": "%I", "%c": "%m", "%e": "%d",
}  # fmt: skip

_ISO: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[ T]\d\d:\d\d.*)?)?)?")
_AGE: Final = re.compile(r"(-?\d{1,6}) (yea|mon|day)")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def _day_of(date: Value) -> str:
    """A date as ISO 8601 writes it, of a quarter its first day; "" for what is not text."""
    if not isinstance(date, str):
        return ""
    return date if date[4:5] == "-" and date[5:6].isdecimal() else read_quarter(date.strip()) or date


def _digits(date: Value, start: int, stop: int) -> int | None:
    day = _day_of(date)
    text = day[start:stop] if day[4:5] == "-" else ""
    return int(text) if text.isdecimal() else None


def _year(date: Value) -> int | None:
    return _digits(date, 0, 4)


def _month(date: Value) -> int | None:
    return _digits(date, 5, 7)


def _day(date: Value) -> int | None:
    return _digits(date, 8, 10)


def _quarter(date: Value) -> int | None:
    month = _month(date)
    return (month + 2) // 3 if month else None


def _moment(value: Value) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(_day_of(value).strip()) if isinstance(value, str) else None
    except ValueError:
        return None


def _written(moment: dt.datetime, like: Value) -> str:
    """A moment as a date, or with its time where the value it comes from has one."""
    return f"{moment:%Y-%m-%d}" if isinstance(like, str) and len(like.strip()) <= 10 else f"{moment:%Y-%m-%d %H:%M:%S}"


def _unit(name: Value) -> str:
    unit = as_text(name).strip().lower()
    short = {"yy": "year", "yyyy": "year", "qq": "quarter", "mm": "month", "dd": "day", "hh": "hour", "ww": "week"}
    return short.get(unit, unit.removesuffix("s"))


def _truncated(unit: Value, value: Value) -> str | None:
    """`date_trunc('month', x)`: the first moment of the unit x lies in."""
    moment, name = _moment(value), _unit(unit)
    if moment is None:
        return None
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    firsts = {
        "year": day.replace(month=1, day=1), "quarter": day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1),
        "month": day.replace(day=1), "week": day - dt.timedelta(days=day.weekday()), "day": day,
    }  # fmt: skip
    if name in firsts:
        return f"{firsts[name]:%Y-%m-%d}"
    times = {"hour": moment.replace(minute=0, second=0), "minute": moment.replace(second=0), "second": moment}
    return f"{times[name]:%Y-%m-%d %H:%M:%S}"


def _field(unit: Value, value: Value) -> float | None:
    """`date_part('year', x)`; weeks are ISO 8601's."""
    moment, name = _moment(value), as_text(unit).strip().lower()
    if moment is None:
        seconds = read_stretch(value.strip()) if isinstance(value, str) else None
        if seconds is None:
            ages = {part: int(count) for count, part in _AGE.findall(as_text(value))}
            return ages.get(_unit(name)[:3], 0) if ages else None
        parts = {"hour": 3600, "minute": 60, "second": 1}
        by = parts.get(_unit(name))
        return seconds // by % (60 if by < 3600 else seconds + 1) if by else None
    fields = {
        "isodow": moment.isoweekday(), "dow": moment.isoweekday() % 7, "doy": moment.timetuple().tm_yday,
        "week": moment.isocalendar()[1], "isoyear": moment.isocalendar()[0], "quarter": (moment.month + 2) // 3,
        "epoch": calendar.timegm(moment.timetuple()), "year": moment.year, "month": moment.month, "day": moment.day,
        "hour": moment.hour, "minute": moment.minute, "second": moment.second,
    }  # fmt: skip
    return fields[name if name in fields else _unit(name)]


def _between(unit: Value, first: Value, last: Value) -> int | None:
    """How often a unit begins after the first moment, up to the last: `datediff('month', a, b)`."""
    begin, end, name = _moment(first), _moment(last), _unit(unit)
    if begin is None or end is None:
        return None
    months = (end.year - begin.year) * 12 + end.month - begin.month
    quarters = (end.year * 12 + end.month - 1) // 3 - (begin.year * 12 + begin.month - 1) // 3
    seconds = calendar.timegm(end.timetuple()) - calendar.timegm(begin.timetuple())
    days = end.toordinal() - begin.toordinal()
    known = {
        "year": end.year - begin.year, "quarter": quarters, "month": months, "week": int(days / 7), "day": days,
        "hour": int(seconds / 3600), "minute": int(seconds / 60), "second": seconds,
    }  # fmt: skip
    return known[name]


def _complete(unit: Value, first: Value, last: Value) -> int | None:
    """How many whole units lie between two moments: `timestampdiff('year', a, b)` of MySQL, an age."""
    begin, end, name = _moment(first), _moment(last), _unit(unit)
    if begin is None or end is None:
        return None
    if begin > end:
        return -(_complete(unit, last, first) or 0)
    if name == "day":
        return (end - begin).days
    several = {"month": 1, "quarter": 3, "year": 12}.get(name)
    if several is None:
        return _between(unit, first, last)
    months = (end.year - begin.year) * 12 + end.month - begin.month
    return (months - ((end.day, end.time()) < (begin.day, begin.time()))) // several


def _age(*moments: Value) -> str | None:
    """`age(later, earlier)` and `age(earlier)` of PostgreSQL: "4 years 3 mons 2 days"."""
    end, begin = map(_moment, moments if len(moments) > 1 else (dt.date.today().isoformat(), *moments))  # noqa: DTZ011
    if begin is None or end is None:
        return None
    sign, (begin, end) = "-" * (begin > end), sorted((begin, end))
    months = (end.year - begin.year) * 12 + end.month - begin.month - (end.day < begin.day)
    days = end.day - begin.day + (end.day < begin.day) * calendar.monthrange(begin.year, begin.month)[1]
    parts = (("year", months // 12), ("mon", months % 12), ("day", days))
    return " ".join(f"{sign}{count} {name}{'s' * (count != 1)}" for name, count in parts if count) or "0 days"


def _shifted(value: Value, count: Value, unit: Value) -> str | None:
    """A moment `count` units later; the last day of a month stays in its month."""
    moment, number, name = _moment(value), (None if count is None else float(as_text(count))), _unit(unit)
    if moment is None or number is None:
        return None
    months = {"month": 1, "quarter": 3, "year": 12}.get(name)
    if months is None:
        later = moment + dt.timedelta(**{f"{name}s": number})
        return _written(later, value if name in ("day", "week") else None)
    at = moment.year * 12 + moment.month - 1 + int(number) * months
    year, month = divmod(at, 12)
    day = min(moment.day, calendar.monthrange(year, month + 1)[1])
    return _written(moment.replace(year=year, month=month + 1, day=day), value)


def _last_day(value: Value) -> str | None:
    moment = _moment(value)
    return moment and f"{moment:%Y-%m-}{calendar.monthrange(moment.year, moment.month)[1]:02}"


def _formed(value: Value, form: Value) -> str | None:
    """`to_char(x, 'YYYY-MM')` of a date."""
    moment = _moment(value)
    if moment is None:
        return _number_formed(value, as_text(form)) if isinstance(value, int | float) else None
    quarter = str((moment.month + 2) // 3)
    return moment.strftime(
        _CHAR_FORM.sub(lambda one: _CHAR_FORMS.get(one[0].upper(), quarter), as_text(form).replace('"', ""))
    )


def _number_formed(value: float, form: str) -> str:
    """`to_char(x, 'FM999,990.00')` of a number."""
    whole, _, places = form.partition("D" if "D" in form else ".")
    return f"{value:{',' if re.search('[,G]', whole) else ''}.{sum(map(places.count, '09'))}f}"


def _parsed_date(value: Value, form: Value) -> str | None:
    """`to_date(x, 'DD/MM/YYYY')`, `str_to_date(x, '%d/%m/%Y')`: what is a date already stays one."""
    if (moment := _moment(value)) is not None or not isinstance(value, str):
        return moment and f"{moment:%Y-%m-%d}"
    shape = as_text(form)
    shape = shape if "%" in shape else _CHAR_FORM.sub(lambda one: _CHAR_FORMS.get(one[0].upper(), ""), shape)
    try:
        return f"{dt.datetime.strptime(value.strip(), shape.replace('%i', '%M')):%Y-%m-%d}"  # noqa: DTZ007  # a day
    except ValueError:
        return None


def _date_formed(value: Value, form: Value) -> str | None:
    """`date_format(x, '%Y-%m')`, MySQL's."""
    moment = _moment(value)
    return moment and moment.strftime(re.sub("%.", lambda one: _MYSQL_FORMS.get(one[0], one[0]), as_text(form)))


def _named(form: str) -> Callable[[Value], str | None]:
    return lambda value: (moment := _moment(value)) and moment.strftime(form)


def _made_date(year: Value, month: Value, day: Value) -> str:
    return dt.date(int(float(as_text(year))), int(float(as_text(month))), int(float(as_text(day)))).isoformat()


DATES: Final[dict[str, tuple[int, Callable[..., Value]]]] = {
    "year": (1, _year), "month": (1, _month), "day": (1, _day), "quarter": (1, _quarter),
    "date_trunc": (2, _truncated), "date_part": (2, _field), "datediff": (3, _between), "date_shift": (3, _shifted),
    "complete_units": (3, _complete), "age": (-1, _age),
    "last_day": (1, _last_day), "parsed_date": (2, _parsed_date), "to_char": (2, _formed),
    "date_format": (2, _date_formed), "monthname": (1, _named("%B")), "dayname": (1, _named("%A")),
    "make_date": (3, _made_date),
}  # fmt: skip
"""Functions of dates by their names, with how many arguments they take."""


def moment_remark(column: TableColumn, operator: str, shown: str, text: str) -> str:
    """What is to be known of a column of dates or times compared with a literal (`shown`, its text `text`), or ""."""
    form = "YYYY-MM-DD" if column.type == "date" else "YYYY-MM-DD HH:MM:SS"
    if not _ISO.fullmatch(text):
        if day := read_month(text) or read_day(text or shown):
            same = column.order in PERIODS and operator != "LIKE"
            return "" if same else f"{column.name} holds {column.type}s as '{form}'; for {shown} write '{day}'."
        return f"{column.name} holds {column.type}s as '{form}'; {shown} is none, and compared as a text."
    if column.type == "datetime" and operator in ("=", "==", "<=", ">") and _DAY.fullmatch(text):
        return (
            f"{column.name} holds times, and {shown} is the midnight that day begins with; write date({column.name})."
        )
    return ""
