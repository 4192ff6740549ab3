"""Whether a row of a table could name its columns: by words, by years and days, by counting them."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from sidecar.toolkit.tables.grid import Grid, GridRow
from sidecar.toolkit.tables.regions import Region

_YEAR = re.compile(r"(?:[FC]Y ?|Q[1-4] |H[12] )?(?:19|20)\d\d(?:/\d\d(?:\d\d)?)?(?:[A-Za-z*]| ?[FC]Y)?")
_ADDRESS = re.compile(r"\S+@\S+\.\w+")
_SHARE = re.compile(r"[\d.,]+ ?\([\d.,]+ ?%?\)")
"""A count with what share it is, "12 (4.5 %)"."""
_COUNTED: Final = 4
"""Columns that a row beside a word counts when it heads them; under an empty corner one less is enough."""
_LABELS: Final = 4
"""Rows below keys among which their labels are."""
_KEYS: Final = 3
"""Fewer columns may say the same by chance."""
_FIGURES: Final[tuple[set[str], ...]] = ({"number"}, {"date"})
_LONG: Final = 120
_LONGEST: Final = 300
"""Characters that headings do not have on the average, and none has: a survey calls columns by its questions."""


def names_columns(grid: Grid, region: Region, row: GridRow, below: Sequence[GridRow], *, sparse: bool = False) -> bool:
    """Whether a row could name columns: words, or years and dates beside a word or an empty corner, none twice and none
    with years or dates right below; over half of the columns, unless `sparse`."""
    texts = [text.strip() for text in grid.texts(row, region.left, region.right)]
    filled = [text for text in texts if text]
    lengths = [len(text) for text in filled]
    if not filled or median(lengths) > _LONG or max(lengths) > _LONGEST or any(map(_is_value, filled)):
        return False
    kinds = grid.kinds(row, region.left, region.right)
    if "formula" in kinds or "error" in kinds or "bool" in kinds:
        return False
    numbers = [text for text, kind in zip(texts, kinds, strict=True) if kind in ("number", "date")]
    if not numbers:
        return sparse or is_dense(grid, region, row)
    if _is_counted(grid, region, row, below, kinds) or _is_numbered(grid, region, below, kinds):
        return True
    if sparse and numbers_groups(grid, region, row):
        return True
    periods = [col for col in region.columns if _is_period(grid, row, col)]
    different = len(numbers) if sparse or grid.spans(row) else len(set(numbers))
    return (
        (kinds[0] in ("text", "") or _is_series(grid, row, periods, region.width))
        and len(periods) == len(numbers) == different
        and not any(_is_period(grid, one, col) for one in below for col in periods)
    )  # fmt: skip


def repeats_names(grid: Grid, region: Region, first: int) -> int:
    """How many rows from `first` on name the columns, where one of the next says for people what the first says for
    programs, in most columns and in other letters: templates for imports have keys, remarks on them, and labels. 0
    where none does; a head that is printed again is the same to the letter."""
    rows = region.rows[first : first + 1 + _LABELS]
    keys = {col: text for col in region.columns if (text := grid.text(rows[0], col).strip())} if rows else {}
    plain = {col: _letters(text) for col, text in keys.items()}
    if len(keys) < _KEYS or not all(plain.values()) or len(set(plain.values())) < len(keys):
        return 0
    for at, row in enumerate(rows[1:], 2):
        labels = {col: grid.text(row, col).strip() for col in keys}
        same = [col for col, text in labels.items() if _letters(text) == plain[col]]
        if len(same) * 2 > len(keys) and any(labels[col] != keys[col] for col in same):
            return at if first + at < len(region.rows) else 0
    return 0


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _is_value(text: str) -> bool:
    """Whether a text is what no heading is: an address, a count with its share, a colon."""
    return (
        text == ":"
        or "://" in text
        or ("@" in text and _ADDRESS.fullmatch(text) is not None)
        or (text[-1] == ")" and _SHARE.fullmatch(text) is not None)
    )


def is_dense(grid: Grid, region: Region, row: GridRow) -> bool:
    """Whether a row has data in half of the columns, or cells over several of them."""
    return region.mask(row).bit_count() * 2 >= region.width or bool(grid.spans(row))


def _is_counted(grid: Grid, region: Region, row: GridRow, below: Sequence[GridRow], kinds: Sequence[str]) -> bool:
    """Whether a row counts its columns, 1, 2, 3 …, beside an empty corner or a word, and no row below counts on; or
    counts all of them, the first too, over words alone."""
    counts = [_counts(grid, region, one) for one in (row, *below)]
    if kinds[0] == "number":
        own = [grid.text(row, col).strip() for col in region.columns[:2]]
        under = {grid.kind(one, col) for one in below for col in region.columns}
        return counts[0] > 1 and own in (["0", "1"], ["1", "2"]) and under - {"", "gap"} == {"text"}
    enough = _COUNTED if kinds[0] == "text" else _COUNTED - 1
    return kinds[0] in ("text", "") and counts[0] >= enough and not any(counts[1:])


def numbers_groups(grid: Grid, region: Region, row: GridRow) -> bool:
    """Whether a row counts groups of columns, 1, 2, 3 …, each over as many as the others, beside a word or an empty
    corner."""
    numbers = [(col, text) for col in region.columns[1:] if (text := grid.text(row, col).strip())]
    steps = {later[0] - earlier[0] for earlier, later in pairwise(numbers)}
    (step,) = steps if len(steps) == 1 else (0,)
    return (
        step > 1 and region.left + 1 + step * len(numbers) == region.right + 1
        and [text for _, text in numbers] == [str(at) for at in range(1, len(numbers) + 1)]
        and grid.kind(row, region.left) in ("text", "")
    )  # fmt: skip


def _counts(grid: Grid, region: Region, row: GridRow) -> int:
    """How many columns a row counts one after the other, from any number on, words only behind them; else 0."""
    texts = [grid.text(row, col).strip() for col in range(region.left + 1, region.right + 1)]
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 5]
    plain = all(text.isdecimal() == (at < len(numbers)) for at, text in enumerate(texts))
    steps = all(later - earlier == 1 for earlier, later in pairwise(numbers))
    return len(numbers) if plain and steps and numbers and len(set(texts)) == len(texts) else 0


def _is_numbered(grid: Grid, region: Region, below: Sequence[GridRow], kinds: Sequence[str]) -> bool:
    """Whether only the corner of a row holds a number and the rest are words, over two columns without words at
    least: the head of a list whose rows are numbered."""
    over = [{grid.kind(one, col) for one in below} - {"", "gap"} for col in range(region.left + 1, region.right + 1)]
    return kinds[0] == "number" and set(kinds[1:]) == {"text"} and sum(own in _FIGURES for own in over) > 1


def _is_series(grid: Grid, row: GridRow, periods: Sequence[int], width: int) -> bool:
    """Whether a row holds days alone, each later than the one before, or earlier: they head columns, whose labels may
    stand apart."""
    days = [cell.value for col in periods if (cell := grid.cell(row, col)) is not None and isinstance(cell.value, str)]
    return len(days) == len(set(days)) == width > 2 and days in (sorted(days), sorted(days, reverse=True))


def _is_period(grid: Grid, row: GridRow, col: int) -> bool:
    text = grid.text(row, col).strip()
    kind = grid.kind(row, col)
    return kind == "date" or (kind == "number" and _YEAR.fullmatch(text) is not None)
