"""Who wrote a document or a message, to whom, about what and when, out of the metadata its reader found.

Metadata is anybody's text, so a date is taken in any of the forms people and programs write it; what is none is none.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from sidecar.store.analysis import folded
from sidecar.store.documents.records import Attribution

_TEXT_CHARS: Final = 1000
_DATES: Final = ("modified", "created")
"""The last change comes first: a document made from another, or from a template, keeps the day that one was made."""
_OWN: Final = ("author", "to", "subject", "created")
"""Metadata of a part that makes it one with an author or a date of its own."""
_FORMS: Final = ("%d %B %Y", "%B %d %Y", "%d %b %Y", "%b %d %Y")
_PARTIAL: Final = re.compile(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?")


def attributions(metadata: Mapping[str, str], parts: Sequence[Mapping[str, str]]) -> tuple[Attribution, ...]:
    """One of the whole document; one of each part where parts have authors, subjects or dates of their own."""
    if any(key in part for part in parts for key in _OWN):
        return tuple(_attribution(part, n) for n, part in enumerate(parts, 1))
    return (_attribution(metadata, 0),)


def moment(text: str) -> int | None:
    """The time a text tells, ns since the epoch; local where it names no zone, a whole day's or year's first moment.

    ISO 8601, RFC 5322, a year or a month alone, "5 March 2024". None for anything else.
    """
    text = " ".join(text.split())[:60]
    day = _read(text) if any(map(str.isdigit, text)) else None
    try:
        # Beyond these years 64 bits hold no nanoseconds.
        return None if day is None or not 1900 <= day.year < 2262 else int(day.timestamp()) * 10**9
    except (OverflowError, OSError, ValueError):
        return None


def _attribution(metadata: Mapping[str, str], part: int) -> Attribution:
    to = " ".join(filter(None, (metadata.get(key, "") for key in ("to", "cc", "bcc"))))
    dated = next(filter(None, (moment(metadata.get(key, "")) for key in _DATES)), None)
    author, to, subject = (
        folded(text[:_TEXT_CHARS]) for text in (metadata.get("author", ""), to, metadata.get("subject", ""))
    )
    return Attribution(part, author, to, subject, dated)


def _read(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        day = parsedate_to_datetime(text)
        return day if day.tzinfo is not None else day.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(text.replace(",", ""), form)  # noqa: DTZ007  # local time is meant
        except ValueError:
            continue
    partial = _PARTIAL.match(text)
    year, month, day = (int(number or 1) for number in partial.groups()) if partial is not None else (0, 1, 1)
    try:
        return datetime(year, month, day) if year else None  # noqa: DTZ001  # local time is meant
    except ValueError:
        return None
