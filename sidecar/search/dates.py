"""Days and months that a query names, as FTS5 expressions of the ways texts write them: "14 March 2024" also finds
"2024-03-14", "14.03.2024" and "14. März 2024"; and the months and years that it names, which a document's own date may
be in. Which times documents must be of is a filter's (`filters`)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from typing import Final

from sidecar.store.index.variants import folded
from sidecar.toolkit.times import names

_LANGUAGES: Final = ("en", "de", "fr", "es", "it", "nl")
_SPANISH: Final = names("es").months
_NAMES: Final = tuple(
    tuple(dict.fromkeys(name.lower() for name in month))
    for month in zip(*(names(language).months for language in _LANGUAGES), names("en").short_months, strict=True)
)
"""Each month in these languages, and as English shortens it."""
_SHORT: Final = tuple(
    tuple(month.split())
    for month in (
        "janv jän jänner ene gen", "feb févr fév feber", "mär mrz mrt", "avr abr", "mai mag mei", "juin giu",
        "juil lug", "août ago", "sept set", "okt ott", "nov", "déc dez dic",
    )
)  # fmt: skip
"""As the other languages shorten them, and as Austria calls two of them."""
_WORDS: Final = frozenset(("gen", "mag", "set", "ago", "lug", "ene"))
"""Of these what a query means otherwise: "data set 2020"."""


_NUMBERS: Final = {folded(name): number for number, month in enumerate(_NAMES, 1) for name in month} | {
    folded(name): number for number, month in enumerate(_SHORT, 1) for name in month if name not in _WORDS
}
_MONTH: Final = rf"(?P<month>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\.?"
_DAY: Final = r"(?P<day>\d{1,2})"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_FORMS: Final = tuple(
    re.compile(rf"(?<![\w.\-/]){form}(?![\w\-/]|\.\d)")
    for form in (
        rf"{_YEAR}[-/.](?P<number>\d{{1,2}})(?:[-/.]{_DAY})?",
        rf"{_YEAR}(?P<number>0[1-9]|1[0-2])(?P<day>[0-3]\d)",
        rf"{_DAY}\.\s?(?P<number>\d{{1,2}})\.\s?{_YEAR}",
        rf"{_DAY}/(?P<number>\d{{1,2}})/{_YEAR}",
        rf"(?P<number>\d{{1,2}})/{_DAY}/{_YEAR}",
        rf"(?P<number>\d{{1,2}})/{_YEAR}",
        rf"{_DAY}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?{_MONTH},?\s+(?:de\s+)?{_YEAR}",
        rf"{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"{_MONTH}\s+(?:of\s+|de\s+)?{_YEAR}",
    )
)


_MONTHS, _DAYS = 12, 31
_ORDINALS: Final = {1: "st", 2: "nd", 3: "rd"}
_TEENS: Final = range(11, 14)
_OF_ANY_YEAR: Final = re.compile(
    rf"(?<![\w.\-/])(?:{_DAY}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?{_MONTH}"
    rf"|(?!may\s+\d+(?!\d|st|nd|rd|th))(?:{_MONTH.replace('month', 'name')})\s+"
    rf"{_DAY.replace('day', 'number')}(?:st|nd|rd|th)?)(?!,?\s+(?:of\s+|de\s+)?{_YEAR})(?![\w\-/]|\.\d)"
)
_LONG_NAME: Final = 4
_IN: Final = frozenset(("in", "im", "en", "of", "vom", "von", "de", "du", "del", "au", "am", "for", "fur", "from"))
_BEFORE: Final = frozenset(("before", "until", "vor", "bis", "avant", "antes", "prima"))
_SINCE: Final = frozenset(("since", "after", "seit", "ab", "nach", "depuis", "apres", "desde", "despues", "dopo"))
_PERIOD: Final = re.compile(
    rf"(?<![\w.\-/])(?:\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?)?"
    rf"(?:{_MONTH}(?!\w)(?:,?\s+(?:\d{{1,2}},?\s+)?(?:of\s+|de\s+)?{_YEAR}(?![\w\-/]))?"
    r"|(?P<alone>(?:19|20)\d\d)(?![\w\-/]|\.\d))"
)
MONTH_IN_NAME: Final = re.compile(
    r"(?<!\d)(?:(?P<year>(?:19|20)\d\d)[-_. ]?(?P<month>0[1-9]|1[0-2])"
    r"|(?P<number>0[1-9]|1[0-2])[-_. ](?P<of>(?:19|20)\d\d))(?![0-9])"
)
"""A year and a month of it as names of files have them."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def dates(text: str) -> list[str]:
    """One expression a day or month of a year that the text names, each at most once. A day and a month in numbers and
    slashes count where one of them can only be the day."""
    plain = folded(text)
    found: dict[str, None] = {}
    taken: set[int] = set()
    for form in _FORMS:
        for one in form.finditer(plain):
            parts = one.groupdict()
            month = int(parts.get("number") or 0) or _NUMBERS.get(parts.get("month") or "", 0)
            day = int(parts.get("day") or 0)
            year = int(parts["year"])
            certain = "/" not in one[0] or not day or max(day, month) > _MONTHS
            if 1 <= month <= _MONTHS and day <= _DAYS and certain and taken.isdisjoint(range(*one.span())):
                taken.update(range(*one.span()))
                found[f"({' OR '.join(dict.fromkeys(_written(year, month, day)))})"] = None
    return list(found)


def days_of_any_year(text: str) -> list[str]:
    """One expression a day and month that the text names without a year: "14 March", which is written "Mar 14" too."""
    found: dict[str, None] = {}
    for one in _OF_ANY_YEAR.finditer(folded(text)):
        month, day = _NUMBERS[one["month"] or one["name"]], int(one["day"] or one["number"])
        if 1 <= day <= _DAYS:
            found[f"({' OR '.join(dict.fromkeys(_written(0, month, day)))})"] = None
    return list(found)


@dataclass(frozen=True)
class Period:
    """A month of any year (`year` 0), a year (`month` 0) or a month of a year; `side` is -1 for all before, 1 for all
    from then on."""

    year: int
    month: int
    side: int = 0

    def holds(self, nanoseconds: int) -> bool:
        """Whether that time, since the epoch in UTC, is in it."""
        moment = _EPOCH + timedelta(microseconds=nanoseconds // 1000)
        return self.has(moment.year, moment.month)

    def has(self, year: int, month: int) -> bool:
        """Whether that month is in it."""
        there, here = (year, month if self.month else 0), (self.year, self.month)
        if self.side:
            return there < here if self.side < 0 else there >= here
        return (there if self.year else (0, month)) == here


def month_in_name(path: str) -> tuple[int, int] | None:
    """The year and month that a file's name tells ("minutes 2025-02.md", "Report_03_2024.pdf")."""
    name = PurePath(path.replace("\\", "/")).name
    if not (found := MONTH_IN_NAME.search(name)):
        return None
    return int(found["year"] or found["of"]), int(found["month"] or found["number"])


def periods(text: str) -> list[Period]:
    """The months and years that the text names, of days those that they are in. Short names of months and those that
    are words besides ("may", "march") count behind a preposition or before a year only."""
    found: list[Period] = []
    plain = folded(text)
    for one in _PERIOD.finditer(plain):
        before = "".join(plain[: one.start()].split()[-1:])
        name, year = one["month"] or "", int(one["year"] or one["alone"] or 0)
        side = -1 if before in _BEFORE else 1 if before in _SINCE else 0
        if name and not year and (side or (len(name) < _LONG_NAME and before not in _IN)):
            continue
        if name != "march" or year or before in _IN:
            found.append(Period(year, _NUMBERS.get(name, 0), side))
    return found


def belongs_to_day(word: str) -> bool:
    """Whether the word, as `words.plain` has it, may be of a day: a number, a month."""
    return word in _NUMBERS or not any(map(str.isalpha, re.sub(r"(?<=\d)(?:st|nd|rd|th|er)$", "", word)))


def _written(year: int, month: int, day: int) -> Iterator[str]:
    """The ways to write a day (0: the whole month) of a year (0: of any) as phrases; the index takes dots, dashes and
    slashes for spaces."""
    spelled = (*_NAMES[month - 1], *_SHORT[month - 1])
    ordinal = f"{day}{_ORDINALS.get(day % 10 if day not in _TEENS else 0, 'th')}"
    if not year:
        for name in spelled:
            yield from (f'"{day} {name}"', f'"{name} {day}"')
        yield from (f'"{ordinal} {spelled[0]}"', f'"{ordinal} of {spelled[0]}"', f'"{spelled[0]} {ordinal}"')
        yield from (f'"{day} de {_SPANISH[month - 1]}"', f'"{day:02} {spelled[0]}"')
        return
    if not day:
        yield from (f'NEAR("{name}" "{year}", 1)' for name in spelled)  # the day may stand between: "April 6, 2016"
        yield from (f'"{year} {month:02}"', f'"{month:02} {year}"')
        return
    yield from (f'"{day} {name} {year}"' for name in spelled)
    yield from (f'"{english} {one} {year}"' for english in (spelled[0], spelled[0][:3]) for one in (day, ordinal))
    yield from (f'"{day:02} {name} {year}"' for name in spelled)
    yield from (f'"{ordinal} {spelled[0]} {year}"', f'"{ordinal} of {spelled[0]} {year}"')
    yield f'"{day} de {_SPANISH[month - 1]} de {year}"'
    yield f'"{year} {month:02} {day:02}"'
    yield f'"{year} {month:02} {day:02}t" *'  # the time follows at once in ISO 8601
    yield f'"{year}{month:02}{day:02}"'
    for one in (str(year), f"{year % 100:02}"):
        yield from (
            f'"{day:02} {month:02} {one}"',
            f'"{month:02} {day:02} {one}"',
            f'"{day} {month} {one}"',
            f'"{month} {day} {one}"',
        )
