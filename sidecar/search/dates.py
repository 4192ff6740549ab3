"""Days and months that a query names, as FTS5 expressions of the ways texts write them: "14 March 2024" also finds
"2024-03-14", "14.03.2024" and "14. März 2024". Which times documents are of is a filter's (`filters`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_LANGUAGES: Final = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
)
"""The months in English, German, French, Spanish, Italian and Dutch, and as English shortens them."""
_SPANISH: Final = _LANGUAGES[3].split()
_NAMES: Final = tuple(tuple(dict.fromkeys(names)) for names in zip(*map(str.split, _LANGUAGES), strict=True))


def _folded(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(one))


_NUMBERS: Final = {_folded(name): number for number, names in enumerate(_NAMES, 1) for name in names} | {"sept": 9}
_MONTH: Final = rf"(?P<month>{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\.?"
_DAY: Final = r"(?P<day>\d{1,2})"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_FORMS: Final = tuple(
    re.compile(rf"(?<![\w.\-/]){form}(?![\w\-/]|\.\d)")
    for form in (
        rf"{_YEAR}[-/.](?P<number>\d{{1,2}})(?:[-/.]{_DAY})?",
        rf"{_DAY}\.\s?(?P<number>\d{{1,2}})\.\s?{_YEAR}",
        rf"{_DAY}(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?{_MONTH},?\s+(?:de\s+)?{_YEAR}",
        rf"{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"{_MONTH}\s+(?:of\s+|de\s+)?{_YEAR}",
    )
)


def dates(text: str) -> list[str]:
    """One expression a day or month of a year that the text names, each at most once."""
    folded = _folded(text)
    found: dict[str, None] = {}
    taken: set[int] = set()
    for form in _FORMS:
        for one in form.finditer(folded):
            parts = one.groupdict()
            month = int(parts.get("number") or 0) or _NUMBERS.get(parts.get("month") or "", 0)
            day = int(parts.get("day") or 0)
            if 1 <= month <= 12 and day <= 31 and taken.isdisjoint(range(*one.span())):
                taken.update(range(*one.span()))
                found[f"({' OR '.join(dict.fromkeys(_written(int(parts['year']), month, day)))})"] = None
    return list(found)


def belongs_to_day(word: str) -> bool:
    """Whether the word, as `words.plain` has it, may be of a day: a number, a month."""
    return word in _NUMBERS or not any(map(str.isalpha, re.sub(r"(?<=\d)(?:st|nd|rd|th|er)$", "", word)))


def _written(year: int, month: int, day: int) -> Iterator[str]:
    """The ways to write a day (0: the whole month) as phrases; the index takes dots, dashes and slashes for spaces."""
    names = _NAMES[month - 1]
    if not day:
        yield from (f'"{name} {year}"' for name in names)
        yield from (f'"{year} {month:02}"', f'"{month:02} {year}"')
        return
    yield from (f'"{day} {name} {year}"' for name in names)
    yield from (f'"{english} {day} {year}"' for english in (names[0], names[0][:3]))
    yield f'"{day} de {_SPANISH[month - 1]} de {year}"'
    yield f'"{year} {month:02} {day:02}"'
    yield f'"{year} {month:02} {day:02}t" *'  # the time follows at once in ISO 8601
    yield from (f'"{day:02} {month:02} {year}"', f'"{day} {month} {year}"', f'"{month} {day} {year}"')
