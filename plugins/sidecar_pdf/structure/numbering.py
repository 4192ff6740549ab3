"""The numbers of headings: which a text opens with, and how deep they say it stands."""

from __future__ import annotations

import re

from sidecar_pdf.structure.regions import Region

_NUMBERED = re.compile(
    r"((?:\d{1,3}|[A-Z])(?:\.\d{1,3})+\.?|\d{1,2}\.?|[A-Z]\.|[IVX]{1,5}\.)\s+(?=[^\W\d_])"
    r"|(第[一二三四五六七八九十百\d]+[章节節条條编編部]|제\s?\d+[장절조]|(?:[一二三四五六七八九十]{1,3}|\d{1,2})、)\s*(?=\S)"
)
ROMAN = re.compile(r"[IVX]{1,5}\.\s")
"""A heading numbered "IV.", that heads those numbered "A."."""
LETTERED = re.compile(r"[A-HJ-U]\.\s")
"""A heading numbered "B."; "I." is a Roman one."""


def heading_text(region: Region) -> str:
    """The text with its number or marker before it."""
    return f"{region.marker} {region.text}" if region.marker else region.text


def number_and_text(text: str) -> tuple[str, str]:
    """`("2.3", "Method")` of "2.3 Method"; the number is "" where the heading has none, or one of a script that writes
    it without a space."""
    match = _NUMBERED.match(text)
    return (match[1].rstrip("."), text[match.end() :]) if match and match[1] else ("", text)


def is_numbered(text: str) -> bool:
    """Whether a text opens with the number of a heading."""
    return _NUMBERED.match(text) is not None


def depth_of(text: str) -> int:
    """How many numbers a heading's number consists of, 0 where it has none or one of another script."""
    match = _NUMBERED.match(text)
    return match[1].rstrip(".").count(".") + 1 if match and match[1] else 0
