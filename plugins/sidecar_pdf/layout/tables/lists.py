"""Tells lists of items and of contents, whose numbers and titles line up as well, from tables."""

from __future__ import annotations

import re

from sidecar_pdf.layout.tables.found import NUMERIC

_ROMAN = re.compile(r"[ivxlc]+", re.IGNORECASE)
_NUMBERING = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]+)[.)]")
_SECTION = re.compile(r"(?:\d{1,3}|[A-Z]|[ivxIVX]+)(?:\.\d{1,3})*")
_LISTED = 0.4  # of the rows whose first cell is a sign or a number of a list
_MARKERS = 3  # signs before the items of one list and of those in it


def is_contents(texts: list[list[str]]) -> bool:
    """Whether rows are numbered titles with their pages, or pages with their titles, in one list or several."""
    columns = [[text for text in column if text] for column in zip(*texts, strict=True)]
    pages = [are_pages(column) for column in columns]
    if all(pages[::2]) and not any(NUMERIC.match(text) for column in columns[1::2] for text in column):
        return True
    numbers = [row[0].rstrip(".") for row in texts]
    return pages[-1] and len(texts[0]) > 2 and all(_SECTION.fullmatch(number) for number in numbers)


def are_pages(column: list[str]) -> bool:
    """Whether all cells are page numbers, Roman ones first, in order."""
    figures = [text for text in column if text.isdigit()]
    roman = all(map(_ROMAN.fullmatch, column[: len(column) - len(figures)]))
    return bool(figures) and roman and sorted(figures, key=int) == figures == column[-len(figures) :]


def is_list(texts: list[list[str]]) -> bool:
    """Whether the first cells are signs or numbers of list items."""
    first = [row[0] for row in texts if all(row)]
    numbers = [text for text in first if text.isdigit() or _NUMBERING.fullmatch(text)]
    signs = [text for text in first if len(text) == 1 and not text.isalnum()]
    marked = len(numbers) + (len(signs) if len(set(signs)) <= _MARKERS else 0)
    return marked >= _LISTED * len(first)
