"""The head of a table: titles above it, and the one, two or three rows that name its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from sidecar.toolkit.tables.cells import judge
from sidecar.toolkit.tables.grid import Grid, GridRow
from sidecar.toolkit.tables.regions import Region

__all__ = ["Head", "find_head"]

_LOOKED_AT: Final = 12
"""Rows from the top among which the head is looked for."""
_YEAR = re.compile(r"(?:FY|Q[1-4] |H[12] )?(?:19|20)\d\d(?:/\d\d(?:\d\d)?)?[A-Za-z*]?")
_ADDRESS = re.compile(r"://|^\S+@\S+\.\w+$")
"""What no heading is."""
_NARROW: Final = 2
_LONG: Final = 120
"""Characters no heading has."""


@dataclass(frozen=True)
class Head:
    """`body` is the place in the region's rows where data begin; `titles` are the names of its columns, in order."""

    first: int
    body: int
    titles: tuple[str, ...]
    title: str
    """What stood above: a title, a remark."""


def find_head(grid: Grid, region: Region, declared: int = 0) -> Head:
    """The head of a region. `declared` is how many rows the document itself calls heading rows."""
    rows = region.rows
    start = 0
    while declared and region.width > _NARROW and region.mask(rows[start]).bit_count() == 1:
        start, declared = start + 1, declared - 1  # a title over the whole width, which names no column
    start = start if declared else max(start, _begin(region))
    title = " · ".join(filter(None, (region.title, *(_joined(grid, region, row) for row in rows[:start]))))
    count = min(declared, len(rows) - start - 1) if declared else _heading_rows(grid, region, start)
    if count == 1 and len(rows) - start > 2 and _is_lower(grid, region, rows[start : start + 3]):
        count = 2
    heads = rows[start : start + count]
    return Head(start, start + count, _titles(grid, region, heads), title[:300])


def _begin(region: Region) -> int:
    """Where the table begins below its titles: the first row nearly as filled as those that follow."""
    counts = [region.mask(row).bit_count() for row in region.rows[: _LOOKED_AT + 30]]
    if len(counts) < 3 or region.width < 2:
        return 0
    usual = median(counts[len(counts) // 3 :])
    for at, count in enumerate(counts[:_LOOKED_AT]):
        if count >= max(2, usual / 2) and at < len(counts) - 1:
            return at
    return 0


def _joined(grid: Grid, region: Region, row: GridRow) -> str:
    texts = (grid.text(row, col).strip() for col in _columns(region))
    return " ".join(dict.fromkeys(filter(None, texts)))


def _heading_rows(grid: Grid, region: Region, start: int) -> int:
    rows = region.rows
    if len(rows) - start < 2:
        return 0
    first, second = rows[start], rows[start + 1]
    if not _names(grid, region, first, rows[start + 1 : start + 3]):
        return 0
    spanned = _spans(grid, first)
    if (
        len(rows) - start > 2
        and _names(grid, region, second, rows[start + 2 : start + 4])
        and _is_upper(grid, region, first, second, spanned)
    ):
        return 2
    return int(_heads(grid, region, first, rows[start + 1 : start + 1 + _LOOKED_AT * 2]))


def _names(grid: Grid, region: Region, row: GridRow, below: Sequence[GridRow]) -> bool:
    """Whether a row could name columns: words, or years and dates beside a word or an empty corner, none twice and none
    with years or dates right below."""
    texts = [grid.text(row, col).strip() for col in _columns(region)]
    filled = [text for text in texts if text]
    if not filled or max(map(len, filled)) > _LONG or any(_ADDRESS.search(text) for text in filled):
        return False
    kinds = [judge(grid.text(row, col), grid.cell(row, col)).kind for col in _columns(region)]
    if "formula" in kinds or "error" in kinds or "bool" in kinds:
        return False
    numbers = [text for text, kind in zip(texts, kinds, strict=True) if kind in ("number", "date")]
    if not numbers:
        return len(filled) * 2 >= len(texts) or bool(_spans(grid, row))
    periods = [col for col in _columns(region) if _is_period(grid, row, col)]
    return (
        kinds[0] in ("text", "") and len(periods) == len(numbers) == len(set(numbers))
        and not any(_is_period(grid, one, col) for one in below for col in periods)
    )  # fmt: skip


def _is_period(grid: Grid, row: GridRow, col: int) -> bool:
    text = grid.text(row, col).strip()
    kind = judge(text, grid.cell(row, col)).kind
    return kind == "date" or (kind == "number" and _YEAR.fullmatch(text) is not None)


def _heads(grid: Grid, region: Region, row: GridRow, below: Sequence[GridRow]) -> bool:
    """Whether a row of words names the columns of the rows below: some column holds something else than words there,
    or, where all are words, none of its own appears among them."""
    if _is_form(grid, region, [row, *below]):
        return False
    own: list[str] = []
    seen: set[str] = set()
    for col in _columns(region):
        text = grid.text(row, col).strip()
        kinds = [judge(grid.text(one, col), grid.cell(one, col)).kind for one in below]
        known = [kind for kind in kinds if kind not in ("", "gap")]
        if text and known and sum(kind != "text" for kind in known) * 2 > len(known):
            return True
        own += [text.lower()] * bool(text)
        seen.update(grid.text(one, col).strip().lower() for one in below)
    longest = max(map(len, own), default=0)
    return region.width > 1 and len(set(own)) == len(own) and not seen.intersection(own) and longest <= 60


def _is_form(grid: Grid, region: Region, rows: Sequence[GridRow]) -> bool:
    """Whether the first column holds labels of what stands beside them ("Name:"), so that no row names columns."""
    labels = [text for row in rows if (text := grid.text(row, region.left).strip())]
    return bool(labels) and sum(label.endswith(":") for label in labels) * 2 > len(labels)


def _spans(grid: Grid, row: GridRow) -> dict[int, int]:
    """First column → how many columns, of the merges in a row that are wider than one column."""
    table = grid.tables[row.window]
    at = row.at - table.first_row
    return {table.first_col + merge.col: merge.cols for merge in table.merges if merge.row == at and merge.cols > 1}


def _is_upper(grid: Grid, region: Region, first: GridRow, second: GridRow, spanned: dict[int, int]) -> bool:
    """Whether `first` groups the columns that `second` names: its cells span columns, or stand over the first column of
    a group with empty ones behind."""
    if spanned:
        return any(cols < region.width or region.width == cols for cols in spanned.values()) and _below_filled(
            region, second, spanned
        )
    upper, lower = region.mask(first), region.mask(second)
    empty = ((1 << region.width) - 1) & ~upper
    return empty.bit_count() * 3 >= region.width and lower & empty == empty and bool(empty & ~1)


def _is_lower(grid: Grid, region: Region, rows: Sequence[GridRow]) -> bool:
    """Whether the second row only names the parts of groups that the first names: it is empty below every other
    heading, and where there is none, figures stand below it."""
    first, second, third = rows
    upper, lower = region.mask(first), region.mask(second)
    empty = ((1 << region.width) - 1) & ~upper
    groups = empty | empty >> 1 & upper  # columns without heading, and the one left of them, which has the group's
    texts = [text for text in (grid.text(second, col).strip() for col in _columns(region)) if text]
    if not all(judge(text, None).kind == "text" for text in texts) or not empty or lower == upper:
        return False
    figures = any(judge(grid.text(third, col), grid.cell(third, col)).kind == "number" for col in _columns(region))
    return lower & empty == empty and not lower & ~groups and (bool(upper & ~groups) or figures)


def _columns(region: Region) -> range:
    return range(region.left, region.right + 1)


def _below_filled(region: Region, second: GridRow, spanned: dict[int, int]) -> bool:
    lower = region.mask(second)
    wanted = sum(
        1 << col - region.left
        for left, cols in spanned.items()
        for col in range(max(left, region.left), min(left + cols, region.right + 1))
    )
    return lower & wanted == wanted


def _titles(grid: Grid, region: Region, heads: Sequence[GridRow]) -> tuple[str, ...]:
    """The title of each column: the headings above it from the top, those of a group spread over its columns."""
    levels: list[list[str]] = []
    for depth, row in enumerate(heads):
        spans = _spans(grid, row)
        texts = [" ".join(grid.text(row, col).split()) for col in _columns(region)]
        for left, cols in spans.items():
            for col in range(left, min(left + cols, region.right + 1)):
                if col >= region.left and 0 <= left - region.left < len(texts):
                    texts[col - region.left] = texts[col - region.left] or texts[left - region.left]
        if not spans and depth < len(heads) - 1:
            texts = _spread(texts, [grid.text(heads[depth + 1], col) for col in _columns(region)])
        levels.append(texts)
    return tuple(
        " ".join(dict.fromkeys(filter(None, (level[at] for level in levels))))[:200] for at in range(region.width)
    )


def _spread(texts: list[str], below: Sequence[str]) -> list[str]:
    """Group headings without merges: each goes on over the empty cells right of it that have a heading below."""
    found: list[str] = []
    for at, text in enumerate(texts):
        goes_on = not text and at > 1 and below[at].strip() and found[at - 1] and below[at - 1].strip()
        found.append(found[at - 1] if goes_on else text)
    return found
