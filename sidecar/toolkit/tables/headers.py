"""The head of a table: titles above it, and the one, two or three rows that name its columns."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from sidecar.toolkit.tables.cells import typed_cell
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow
from sidecar.toolkit.tables.naming import (
    UNIT_WORD,
    counts_columns,
    in_deep_runs,
    in_runs,
    is_dense,
    is_numbered_alike,
    is_pair,
    is_units,
    names_columns,
    numbers_groups,
    numbers_name,
    pivot_head,
    repeats_names,
)

_LOOKED_AT: Final = 12
"""Rows from the top among which the head is looked for."""
_NARROW: Final = 2
_LEVELS: Final = 3
"""Rows of a head, the row of units not counted."""
_WORD = re.compile(r"[^\W\d_]{2}")
_LISTED: Final = 60
"""Characters of a heading over words, and of an entry of a list."""


@dataclass(frozen=True)
class Head:
    """`body` is the place in the region's rows where data begin; `titles` are the names of its columns, in order."""

    first: int
    body: int
    titles: tuple[str, ...]
    title: str
    """What stood above: a title, a remark."""


def find_head(grid: Grid, region: GridRegion, declared: int) -> Head:
    """The head of a region. `declared` is how many rows the document itself calls heading rows."""
    rows = region.rows
    first, count = found if (found := pivot_head(grid, region))[1] else _declared(grid, region, declared)
    labelled = repeats_names(grid, region, first)
    if labelled:
        count = labelled
    elif not count and region.width <= _NARROW and grid.tables[0].header_cols:
        first = first or _begin(grid, region)  # names and what they stand for
    elif not count and (not first or region.width > _NARROW):
        first, count = _found(grid, region, max(first, _begin(grid, region)))
    title = " · ".join(filter(None, (region.title, *(_line(grid, region, row) for row in rows[:first]))))
    body = first + count
    while not labelled and 0 < body - first < _LEVELS and _goes_on(grid, region, body):
        body += 1
    named = int(body > first and body < len(rows) - 1 and _names_rows(grid, region, rows[first:body], rows[body:]))
    body += named
    named = named or int(labelled > 1)
    behind = range(first + 1, min(body + 1, len(rows) - 1) if body > first else 0)
    counted = [at for at in behind if counts_columns(grid, region, rows[at], rows[at + 1 :][:_LEVELS])]
    body = max([body, *(at + 1 for at in counted)])
    units = (
        body > first
        and body < len(rows) - 1
        and is_units(grid, region, rows[body], rows[body + 1 : body + 1 + _LOOKED_AT])
    )
    body += units
    heads = [rows[at] for at in range(first, body) if at not in counted]
    titles = _titles(grid, region, heads[: len(heads) - named], units=units)
    if named:
        titles = tuple(
            grid.text(heads[-1], col).strip() or text for col, text in zip(region.columns, titles, strict=True)
        )
    return Head(first, body, titles, title[:300])


def _declared(grid: Grid, region: GridRegion, declared: int) -> tuple[int, int]:
    """The first of the rows that the document calls heading rows and names columns, and how many do."""
    rows = region.rows
    first = 0
    while first < declared and (
        _is_title_row(grid, region, rows[first])
        or counts_columns(grid, region, rows[first], rows[first + 1 :][:_LEVELS])
    ):
        first += 1
    count = min(declared - first, len(rows) - first - 1)
    if count == 1 and len(grid.spans(rows[first])) > 1:  # it groups columns that the next rows name
        levels = _levels(grid, region, first)
        if levels > 1 and _heads(grid, region, rows[first + levels - 1], rows[first + levels :][:_LOOKED_AT]):
            count = levels
    return first, count + (count == 1 and _is_lower(grid, region, rows[first : first + 3]))


def _found(grid: Grid, region: GridRegion, start: int) -> tuple[int, int]:
    """The first row that names columns and how many do, looked for from `start` on, groups above it included."""
    rows = region.rows
    count = _heading_rows(grid, region, start)
    if not count:
        start, count = _below_few(grid, region, start)
    if count and in_deep_runs(grid, region, rows[start : start + _LEVELS + 1]):
        return start, _LEVELS
    if count == 1 and _is_lower(grid, region, rows[start : start + 3]):
        return start, 2
    if count == 1 and _is_title(region, rows, start) and (below := _heading_rows(grid, region, start + 1)):
        start, count = start + 1, below
    first = start
    while count and first and start - first < _LEVELS and _groups(grid, region, first - 1, start + count - first):
        first -= 1
    return first, start + count - first


def _below_few(grid: Grid, region: GridRegion, start: int) -> tuple[int, int]:
    """As `_found`, where rows with fewer cells stand above those that name columns of figures: what a calculation is
    given, groups that are numbered."""
    rows, filled = region.rows, 0
    for at in range(start + 1, min(start + _LEVELS, len(rows) - _LEVELS)):
        filled = max(filled, region.mask(rows[at - 1]).bit_count())
        if filled * 4 > region.mask(rows[at]).bit_count() * 3:
            continue
        below = rows[at + 1 : at + 1 + _LOOKED_AT]
        kinds = ({grid.kind(row, col) for row in below} - {"", "gap"} for col in region.columns)
        figures = sum(own == {"number"} for own in kinds)
        if figures > _NARROW and figures * 3 >= region.width * 2 and (count := _heading_rows(grid, region, at)):
            return at, count
    return start, 0


def _begin(grid: Grid, region: GridRegion) -> int:
    """Where the table begins below its titles: the first row nearly as filled as those that follow, or the one that
    names every column below keys and their values."""
    counts = [region.mask(row).bit_count() for row in region.rows[: _LOOKED_AT + 30]]
    if len(counts) < 3 or region.width < 2:
        return 0
    usual = median(counts[len(counts) // 3 :])
    for at, count in enumerate(counts[:_LOOKED_AT]):
        if count >= max(2, usual / 2) and at < len(counts) - 1:
            return _below_pairs(grid, region, at, counts)
    return _below_pairs(grid, region, 0, counts)


def _below_pairs(grid: Grid, region: GridRegion, at: int, counts: Sequence[int]) -> int:
    """The row that names every column, where only keys with a value beside stand from `at` to it, else `at`."""
    whole = next((row for row in range(at, len(counts) - 1) if counts[row] == region.width), at)
    pairs = region.rows[at:whole]
    if region.width <= _NARROW or not all(is_pair(grid, region, row) for row in pairs) or counts[whole + 1] <= 2:
        return at
    kinds = {typed_cell(grid.text(region.rows[whole], col), None).kind for col in region.columns}
    return whole if kinds == {"text"} else at


def _goes_on(grid: Grid, region: GridRegion, at: int) -> bool:
    """Whether a row below a head belongs to it: words over most columns of figures, under an empty corner."""
    row, below = region.rows[at], region.rows[at + 1 : at + 1 + _LOOKED_AT]
    if len(below) < _NARROW or region.mask(row) & 1 or not any(region.mask(one) & 1 for one in below[:_NARROW]):
        return False
    words = [col for col in region.columns if grid.text(row, col).strip()]
    kinds = {grid.kind(row, col) for col in words}
    over = [
        col for col in words
        if sum(grid.kind(one, col) == "number" for one in below) * 2 > sum(bool(grid.text(one, col)) for one in below)
    ]  # fmt: skip
    return kinds == {"text"} and len(over) > 1 and len(over) * 3 >= region.width * 2 and len(over) * 2 > len(words)


def _names_rows(grid: Grid, region: GridRegion, heads: Sequence[GridRow], rows: Sequence[GridRow]) -> bool:
    """Whether the row below a head names the columns in front, which name the rows, and nothing else: pandas writes
    tables so that have levels of columns. One word alone would begin a section."""
    mask = region.mask(rows[0])
    front = mask.bit_count()
    behind = (1 << region.width - front) - 1
    return (
        1 < front < region.width and mask == (1 << front) - 1
        and not any(region.mask(head) & 1 for head in heads)
        and region.mask(heads[-1]) >> front == behind
        and region.mask(rows[1]) >> front > 0
        and all(grid.kind(rows[0], col) == "text" for col in region.columns[:front])
    )  # fmt: skip


def _is_title_row(grid: Grid, region: GridRegion, row: GridRow) -> bool:
    """Whether one text stands over the whole width."""
    return region.mask(row).bit_count() == 1 and (
        region.width > _NARROW or grid.spans(row).get(region.left) == region.width
    )


def _is_title(region: GridRegion, rows: Sequence[GridRow], at: int) -> bool:
    """Whether a row has so few of the cells of the next that it may be a title in several cells."""
    return (
        len(rows) - at > 3
        and region.mask(rows[at]).bit_count() * 3 <= region.mask(rows[at + 1]).bit_count() * 2
        and not region.mask(rows[at]) & ~region.mask(rows[at + 1])
    )


def _line(grid: Grid, region: GridRegion, row: GridRow) -> str:
    texts = (grid.text(row, col).strip() for col in region.columns)
    return " ".join(dict.fromkeys(filter(None, texts)))


def _heading_rows(grid: Grid, region: GridRegion, start: int) -> int:
    rows = region.rows
    if len(rows) - start < 2:
        return 0
    if not names_columns(grid, region, rows[start], rows[start + 1 : start + 3]):
        return int(numbers_name(grid, region, rows[start], rows[start + 1 : start + 1 + _LOOKED_AT * 2]))
    count = _levels(grid, region, start)
    if count > 1:
        return count
    return int(_heads(grid, region, rows[start], rows[start + 1 : start + 1 + _LOOKED_AT * 2]))


def _levels(grid: Grid, region: GridRegion, at: int, most: int = _LEVELS) -> int:
    """How many rows from `at` on name columns together, each grouping the next's names; 0 where the row names none."""
    row, below = region.rows[at], region.rows[at + 1 : at + 3]
    if not below or not names_columns(grid, region, row, below, sparse=True):
        return 0
    lower = _levels(grid, region, at + 1, most - 1) if most > 1 and len(below) > 1 else 0
    if lower and (_is_upper(grid, region, row, below[0], lower) or _is_stacked(grid, region, row, below[0])):
        return lower + 1
    return int(is_dense(grid, region, row))


def _groups(grid: Grid, region: GridRegion, above: int, below: int) -> bool:
    """Whether the row `above` a head groups its columns: two groups at least, beside a merge or an empty corner, since
    a line of title may stand in two cells."""
    row = region.rows[above]
    return (
        region.mask(row).bit_count() > 1
        and (bool(grid.spans(row)) or not region.mask(row) & 1 or numbers_groups(grid, region, row))
        and names_columns(grid, region, row, region.rows[above + 1 : above + 3], sparse=True)
        and _is_upper(grid, region, row, region.rows[above + 1], below)
    )


def _heads(grid: Grid, region: GridRegion, row: GridRow, below: Sequence[GridRow]) -> bool:
    """Whether a row of words names the columns of the rows below: some column holds something else than words there,
    or, where all are words, none of its own appears among them."""
    if _is_form(grid, region, [row, *below]):
        return False
    texts = [text.strip() for text in grid.texts(row, region.left, region.right)]
    # A head is printed again on each page: what is the same to the letter says nothing against it.
    if region.width > 1:
        others = [one for one in below if [t.strip() for t in grid.texts(one, region.left, region.right)] != texts]
        below = others or below
    own: list[str] = []
    seen: set[str] = set()
    for col in region.columns:
        text = grid.text(row, col).strip()
        if below and is_numbered_alike(text, (grid.text(one, col).strip() for one in below)):
            return False
        kinds = [grid.kind(one, col) for one in below]
        known = [kind for kind in kinds if kind not in ("", "gap")]
        if region.width == _NARROW and text.isdecimal() and known.count("text") * 2 > len(known):
            return False  # a year beside its name among other things and their values
        if text and known and sum(kind != "text" for kind in known) * 2 > len(known):
            return True
        own += [text.lower()] * bool(text)
        seen.update(grid.text(one, col).strip().lower() for one in below)
    longest = max(map(len, own), default=0)
    return (
        (region.width > 1 or _is_list(grid, region))
        and len(set(own)) == len(own)
        and not seen.intersection(own)
        and longest <= 60
    )


def _is_list(grid: Grid, region: GridRegion) -> bool:
    """Whether a sheet holds nothing but one column of short words, row after row: the first is its heading."""
    rows = region.rows
    return (
        grid.sheet and len(rows) == len(grid.rows) > _LEVELS and rows[-1].at - rows[0].at == len(rows) - 1
        and all(grid.kind(row, region.left) == "text" for row in rows)
        and max(len(grid.text(row, region.left)) for row in rows) <= _LISTED
        and _WORD.search(grid.text(rows[0], region.left)) is not None
    )  # fmt: skip


def _is_form(grid: Grid, region: GridRegion, rows: Sequence[GridRow]) -> bool:
    """Whether the first column holds labels of what stands beside them ("Name:"), so that no row names columns."""
    labels = [text for row in rows if (text := grid.text(row, region.left).strip())]
    return bool(labels) and sum(label.endswith(":") for label in labels) * 2 > len(labels)


def _is_upper(grid: Grid, region: GridRegion, first: GridRow, second: GridRow, levels: int) -> bool:
    """Whether `first` groups the columns that `second` names, alone or as the uppermost of several `levels`: its cells
    span columns, or stand over the first column of a group with empty ones behind."""
    upper, lower = region.mask(first), region.mask(second)
    covers = grid.spans(second)
    if levels > 1 and not covers:  # a group goes on over the empty cells right of it
        lower |= (1 << region.width) - (lower & ~1 & -(lower & ~1))
    lower |= _bits(region, covers)
    if spans := grid.spans(first):
        wanted = _bits(region, grid.spans(first, 1) or spans)  # a corner merged down has nothing below it
        return bool(wanted) and lower & wanted == wanted
    if numbers_groups(grid, region, first):
        return lower == (1 << region.width) - 1
    empty = ((1 << region.width) - 1) & ~upper
    if not is_dense(grid, region, first) and (upper & 1 or upper.bit_count() < 2):
        return False
    if upper & lower & 1 and (upper & upper >> 1 or upper >> region.width - 1):
        return False  # over a headed first column every group has columns behind, or it is a title in two cells
    return empty.bit_count() * 3 >= region.width and lower & empty & ~1 == empty & ~1 and bool(empty & ~1)


def _is_stacked(grid: Grid, region: GridRegion, first: GridRow, second: GridRow) -> bool:
    """Whether the words of `first` go on in those right below: headings broken over rows by hand, no corner."""
    upper, lower = region.mask(first), region.mask(second)
    corner = upper | lower
    return not (corner & 1 or upper & ~lower or grid.spans(first)) and bool(upper & upper >> 1)


def _bits(region: GridRegion, spans: dict[int, int]) -> int:
    """The columns of a region that spans cover."""
    return sum(
        1 << col - region.left
        for left, cols in spans.items()
        for col in range(max(left, region.left), min(left + cols, region.right + 1))
    )


def _is_lower(grid: Grid, region: GridRegion, rows: Sequence[GridRow]) -> bool:
    """Whether the second row only names the parts of groups that the first names: it is empty below every other
    heading, or says it again, and where there is none, figures stand below it or it has groups itself."""
    if len(rows) < 3:
        return False
    first, second, third = rows
    if _says_again(grid, region, first, second) or in_runs(grid, region, rows):
        return True
    upper, lower = region.mask(first), region.mask(second) | _bits(region, grid.spans(second))
    empty = ((1 << region.width) - 1) & ~upper
    groups = empty | empty >> 1 & upper  # columns without heading, and the one left of them, which has the group's
    texts = [text for text in (grid.text(second, col).strip() for col in region.columns) if text]
    if not all(typed_cell(text, None).kind == "text" for text in texts) or not empty or lower == upper:
        return False
    figures = any(grid.kind(third, col) == "number" for col in region.columns)
    named = lower & empty | 1 == empty | 1 and lower != 1  # a word in the corner alone begins a section of rows
    return named and not lower & ~groups and (bool(upper & ~groups) or figures or bool(grid.spans(second)))


def _says_again(grid: Grid, region: GridRegion, first: GridRow, second: GridRow) -> bool:
    """Whether `first` has a heading over several columns in each of them, and `second` other words there and every
    other heading again: two levels as programs write them into a format without merges."""
    pairs = [(grid.text(first, col).strip(), grid.text(second, col).strip()) for col in region.columns]
    often = Counter(upper for upper, _ in pairs)
    same = [upper == lower for upper, lower in pairs if often[upper] == 1]
    below = [lower for upper, lower in pairs if upper and often[upper] > 1]
    return (
        len(same) > 1 and all(same) and len(below) > 1
        and all(typed_cell(lower, None).kind == "text" for lower in below)
    )  # fmt: skip


def _titles(grid: Grid, region: GridRegion, heads: Sequence[GridRow], *, units: bool) -> tuple[str, ...]:
    """The title of each column: the headings above it from the top, those of a group spread over its columns, then its
    unit where the last row gives `units`."""
    levels: list[list[str]] = []
    for depth in reversed(range(len(heads))):
        row = heads[depth]
        spans = grid.spans(row)
        texts = [" ".join(grid.text(row, col).split()) for col in region.columns]
        for left, cols in spans.items():
            for col in range(left, min(left + cols, region.right + 1)):
                if col >= region.left and 0 <= left - region.left < len(texts):
                    texts[col - region.left] = texts[col - region.left] or texts[left - region.left]
        if units and not levels:
            texts = ["" if typed_cell(text, None).kind == "gap" else text for text in texts]
            texts = [text if text[:1] in ("", "[", "(") else f"({text})" for text in texts]
            texts[0] = "" if UNIT_WORD.fullmatch(texts[0].strip("()")) else texts[0]
        elif not spans and len(levels) > units and not _is_stacked(grid, region, row, heads[depth + 1]):
            texts = _spread(texts, levels[0])
        levels.insert(0, texts)
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
