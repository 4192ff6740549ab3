"""Whether a row of a table could name its columns: by words, by years and days, by counting them; or gives their
units."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Final

from sidecar.toolkit.tables.cells import typed_cell
from sidecar.toolkit.tables.grid import Grid, GridRegion, GridRow

_YEAR = re.compile(r"(?:[FC]Y ?|Q[1-4] |H[12] )?(?:19|20)\d\d(?:/\d\d(?:\d\d)?)?(?:[A-Za-z*]| ?[FC]Y)?")
_LATER_YEAR = re.compile(r"21\d\d|2200")
_UNIT = re.compile(
    r"[\[(][^\])]{1,16}[\])]|%|‰|US\$|[€$£¥]|EUR|USD|GBP|CHF|"
    r"(?:T|k|Tsd\.?|Mio\.?|Mrd\.?|mn|bn) ?(?:EUR|€|USD|\$|CHF|GBP|£)|"
    r"°[CFK]|[kmcµ]?g|t|[kmcµn]?m[²³]?|ha|m?l|hl|d|h|min|m?s|Tage|days|jours|[kMGT]?W(?:h|p)?|[km]?V|m?A|[kMG]?Hz|k?N|"
    r"[hkM]?Pa|m?bar|[kM]?J|kcal|mol|ppm|dB|lx|Stk\.?|Stück|pcs\.?|units|pièces|UTC|GMT|CES?T|MES?Z|"
    r"[kMm]?[NJWgmlVA€$] ?/ ?(?:[kcm]?[gmls]|h|min|ha) ?[23²³]?"
)
"""Units as they stand in a row of their own under the head."""
UNIT_WORD = re.compile(r"[\[(]?(?:units?|einheit(?:en)?|unités?)[\])]?:?", re.IGNORECASE)
"""What heads a row of units."""
_UNIT_CHARS: Final = 12
_UNIT_ROWS: Final = 2
"""Rows of figures below signs from which on they are units, one of them being known as one."""
_REMARK = re.compile(r"[\[(][^\d\])][^\])]{2,38}[\])]")
"""What a row right below the head says of each of its columns, in brackets."""
_ITEM = re.compile(r"\(?(?:[ivxlc]{1,6}|[a-z]|\d{1,3})[.)]", re.IGNORECASE)
"""What stands before the items of a list."""
_DIGITS = re.compile(r"\d+")
_GROUPS: Final = 3
"""Numbers in a text at least that is not an amount: an address, a version."""
_ADDRESS = re.compile(r"\S[^\s@]*@\S+\.\w+")
_SHARE = re.compile(r"[\d.,]+ ?\([\d.,]+ ?%?\)")
"""A count with what share it is, "12 (4.5 %)"."""
_PAIR: Final = (0b1, 0b11)
"""The columns of a row that holds a key and its value, or a title."""
_WITH_UNIT: Final = 0b111
_COUNTED: Final = 4
"""Columns that a row beside a word counts when it heads them; under an empty corner one less is enough."""
_LABELS: Final = 4
"""Rows below keys among which their labels are."""
_SPELT: Final = 3
"""Letters of a word that is said again; single letters are data as well."""
_KEYS: Final = 3
"""Fewer columns may say the same by chance."""
_FIGURES: Final[tuple[set[str], ...]] = ({"number"}, {"date"})
_COUNTABLE: Final = frozenset(("number", "date", "bool"))
"""What a word stands over that names a column, and does not among words."""
_LONG: Final = 120
_MAX_HEADING_CHARS: Final = 300
"""Characters that headings do not have on the average, and none has: a survey calls columns by its questions."""

_PIVOT_ROWS: Final = 8
"""Rows from the top of a pivot table among which that with the names of its rows is looked for."""
_ROW_LABELS: Final = frozenset(
    (
        "row labels", "zeilenbeschriftungen", "étiquettes de lignes", "etiquetas de fila", "etichette di riga",
        "rijlabels", "rótulos de linha", "etykiety wierszy",
    )
)  # fmt: skip
_COLUMN_LABELS: Final = frozenset(
    (
        "column labels", "spaltenbeschriftungen", "étiquettes de colonnes", "etiquetas de columna",
        "etichette di colonna", "kolomlabels", "rótulos de coluna", "etykiety kolumn",
    )
)  # fmt: skip
"""What Excel calls the names of rows and columns of a pivot table, in eight languages."""


def names_columns(
    grid: Grid, region: GridRegion, row: GridRow, below: Sequence[GridRow], *, sparse: bool = False
) -> bool:
    """Whether a row could name columns: words, or years and dates beside a word or an empty corner, none twice and none
    with years or dates right below; over half of the columns, unless `sparse`."""
    texts = [text.strip() for text in grid.texts(row, region.left, region.right)]
    filled = [text for text in texts if text]
    lengths = [len(text) for text in filled]
    if not filled or median(lengths) > _LONG or max(lengths) > _MAX_HEADING_CHARS or any(map(_is_value, filled)):
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
    periods = _periods(grid, region, row)
    different = len(numbers) if sparse or grid.spans(row) else len(set(numbers))
    return (
        (kinds[0] in ("text", "") or _is_series(grid, row, periods, region.width))
        and len(periods) == len(numbers) == different
        and not any(_is_period(grid, one, col) for one in below for col in periods)
    )


def pivot_head(grid: Grid, region: GridRegion) -> tuple[int, int]:
    """The first of the rows that name the columns of a pivot table, and how many do: that which Excel names the rows
    in, and those above it with the groups of its columns. (0, 0) where there is none."""
    rows = region.rows[:_PIVOT_ROWS]
    at = next((at for at, row in enumerate(rows) if grid.text(row, region.left).strip().lower() in _ROW_LABELS), 0)
    first = at
    while first and not region.mask(rows[first - 1]) & 1:
        words = {grid.text(rows[first - 1], col).strip().lower() for col in region.columns}
        if words & _COLUMN_LABELS:
            break
        first -= 1
    return (first, at + 1 - first) if at and at < len(region.rows) - 1 else (0, 0)


def repeats_names(grid: Grid, region: GridRegion, first: int) -> int:
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
        spelt = sum(len(plain[col]) >= _SPELT for col in same)
        if len(same) * 2 > len(keys) and spelt and any(labels[col] != keys[col] for col in same):
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


def is_dense(grid: Grid, region: GridRegion, row: GridRow) -> bool:
    """Whether a row has data in half of the columns, or cells over several of them."""
    return region.mask(row).bit_count() * 2 >= region.width or bool(grid.spans(row))


def _is_counted(grid: Grid, region: GridRegion, row: GridRow, below: Sequence[GridRow], kinds: Sequence[str]) -> bool:
    """Whether a row counts its columns, 1, 2, 3 …, beside an empty corner or a word, and no row below counts on; or
    counts all of them, the first too, over words alone."""
    counts = [_counts(grid, region, one) for one in (row, *below)]
    if kinds[0] == "number":
        own = [grid.text(row, col).strip() for col in region.columns[:2]]
        under = {grid.kind(one, col) for one in below for col in region.columns}
        return counts[0] > 1 and own in (["0", "1"], ["1", "2"]) and under - {"", "gap"} == {"text"}
    enough = _COUNTED if kinds[0] == "text" else _COUNTED - 1
    return kinds[0] in ("text", "") and counts[0] >= enough and not any(counts[1:])


def numbers_groups(grid: Grid, region: GridRegion, row: GridRow) -> bool:
    """Whether a row counts groups of columns, 1, 2, 3 …, all of one width, beside a word or an empty corner."""
    numbers = [(col, text) for col in region.columns[1:] if (text := grid.text(row, col).strip())]
    steps = {later[0] - earlier[0] for earlier, later in pairwise(numbers)}
    (step,) = steps if len(steps) == 1 else (0,)
    return (
        step > 1 and region.left + 1 + step * len(numbers) == region.right + 1
        and [text for _, text in numbers] == [str(at) for at in range(1, len(numbers) + 1)]
        and grid.kind(row, region.left) in ("text", "")
    )  # fmt: skip


def _counts(grid: Grid, region: GridRegion, row: GridRow) -> int:
    """How many columns a row counts one after the other, from any number on, words only behind them; else 0."""
    texts = [grid.text(row, col).strip() for col in range(region.left + 1, region.right + 1)]
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 5]
    plain = all(text.isdecimal() == (at < len(numbers)) for at, text in enumerate(texts))
    steps = all(later - earlier == 1 for earlier, later in pairwise(numbers))
    return len(numbers) if plain and steps and numbers and len(set(texts)) == len(texts) else 0


def _is_numbered(grid: Grid, region: GridRegion, below: Sequence[GridRow], kinds: Sequence[str]) -> bool:
    """Whether only the corner of a row holds a number and the rest are words, over two columns without words at
    least: the head of a list whose rows are numbered."""
    over = [{grid.kind(one, col) for one in below} - {"", "gap"} for col in range(region.left + 1, region.right + 1)]
    return kinds[0] == "number" and set(kinds[1:]) == {"text"} and sum(own in _FIGURES for own in over) > 1


def _is_series(grid: Grid, row: GridRow, periods: Sequence[int], width: int) -> bool:
    """Whether a row holds days alone that rise or fall: they head columns, whose labels may stand apart."""
    days = [cell.value for col in periods if (cell := grid.cell(row, col)) is not None and isinstance(cell.value, str)]
    return len(days) == len(set(days)) == width > 2 and days in (sorted(days), sorted(days, reverse=True))


def _periods(grid: Grid, region: GridRegion, row: GridRow) -> list[int]:
    """The columns that a row heads by years or days; years of the next century only behind others, in projections."""
    found = [col for col in region.columns if _is_period(grid, row, col)]
    if found:
        behind = range(found[-1] + 1, region.right + 1)
        found += [col for col in behind if _LATER_YEAR.fullmatch(grid.text(row, col).strip())]
    return found


def _is_period(grid: Grid, row: GridRow, col: int) -> bool:
    text = grid.text(row, col).strip()
    kind = grid.kind(row, col)
    return kind == "date" or (kind == "number" and _YEAR.fullmatch(text) is not None)


def is_units(grid: Grid, region: GridRegion, row: GridRow, rows: Sequence[GridRow]) -> bool:
    """Whether a row under the head gives the units of the columns: units only, over figures; what is in brackets alone;
    or a few signs in each column of figures alone, under a corner that names nothing or is such a column."""
    filled = {col: text for col in region.columns if (text := grid.text(row, col).strip())}
    texts = {col: text for col, text in filled.items() if typed_cell(text, None).kind != "gap"}
    if len(texts) > 1 and UNIT_WORD.fullmatch(texts.get(region.left, "")):
        del texts[region.left]
    if len(set(texts.values())) > 1 and texts == filled and all(map(_REMARK.fullmatch, texts.values())):
        return not all(_REMARK.fullmatch(text) for col in texts if (text := grid.text(rows[0], col).strip()))
    if len(texts) > 1 and max(map(len, texts.values())) <= _UNIT_CHARS:
        under = [{grid.kind(one, col) for one in rows} - {"", "gap"} for col in texts]
        known = any(map(_UNIT.fullmatch, texts.values()))
        if known and len(rows) >= _UNIT_ROWS and all(own == {"number"} for own in under):
            return True
    return (
        len(texts) * 2 > len(filled)
        and all(_UNIT.fullmatch(text) for text in texts.values())
        and any(grid.kind(one, col) == "number" for one in rows for col in texts)
    )


def numbers_name(grid: Grid, region: GridRegion, row: GridRow, below: Sequence[GridRow]) -> bool:
    """Whether whole numbers, none twice, name columns beside words: over words or truth values alone, each of them; as
    a series, which no row below is; or where words stand over half of the columns of figures."""
    texts = [text.strip() for text in grid.texts(row, region.left, region.right)]
    kinds = grid.kinds(row, region.left, region.right)
    numbers = [text for text, kind in zip(texts, kinds, strict=True) if kind == "number"]
    if (
        len(below) < _LABELS or not numbers or not all(map(str.isdecimal, numbers)) or not all(texts[1:])
        or len(set(texts)) < len(texts) or not set(kinds) <= {"text", "number", ""} or any(map(_is_value, texts[1:]))
    ):  # fmt: skip
        return False
    if _is_stepped(texts, kinds) and kinds[0] != "number":
        return not any(
            _is_stepped([text.strip() for text in grid.texts(one, region.left, region.right)], kinds) for one in below
        )
    own = [{grid.kind(one, col) for one in below} - {"", "gap", "error", "formula"} for col in region.columns]
    figures = sum(bool(under) and under <= _COUNTABLE for under in own)
    named = [under for under, kind in zip(own, kinds, strict=True) if kind == "text"]
    words = sum(bool(under) and under <= _COUNTABLE for under in named)
    over = [under for under, kind in zip(own, kinds, strict=True) if kind == "number"]
    if words:
        return words * 2 >= figures
    return len(over) > 1 and all(under in ({"text"}, {"bool"}) for under in over)


def _is_stepped(texts: Sequence[str], kinds: Sequence[str]) -> bool:
    """Whether the columns headed by numbers hold whole numbers that each are as much larger than the one before."""
    numbers = [text for text, kind in zip(texts, kinds, strict=True) if kind == "number"]
    if len(numbers) < _COUNTED or not all(map(str.isdecimal, numbers)):
        return False
    steps = {int(later[:9]) - int(earlier[:9]) for earlier, later in pairwise(numbers)}
    return len(steps) == 1 and steps != {0}


def in_runs(grid: Grid, region: GridRegion, rows: Sequence[GridRow]) -> bool:
    """Whether the first row says what groups columns over each of them, and the second other words, over figures:
    delimited files have no merges."""
    (upper, lower), figures = (grid.texts(row, region.left + 1, region.right) for row in rows[:2]), rows[2]
    runs = [len([*group]) for _, group in groupby(upper)]
    return (
        len(runs) > 1 and min(runs) > 1 and all(upper) and all(lower)
        and len(set(zip(upper, lower, strict=True))) == len(lower)
        and set(grid.kinds(rows[1], region.left + 1, region.right)) == {"text"}
        and set(grid.kinds(figures, region.left + 1, region.right)) <= {"number", "gap", ""}
    )  # fmt: skip


def in_deep_runs(grid: Grid, region: GridRegion, rows: Sequence[GridRow]) -> bool:
    """Whether three rows of words name columns as `in_runs` has it of two: the first two again over each column of
    their groups, the third different ones in each."""
    if len(rows) < 4:  # three levels, and figures below
        return False
    upper, middle, lower = (grid.texts(row, region.left + 1, region.right) for row in rows[:3])
    names = [*zip(upper, middle, strict=True)]
    outer, inner = ([len([*group]) for _, group in groupby(one)] for one in (upper, names))
    return (
        len(outer) > 1 and min(outer) > 1 and len(inner) > len(outer) and min(inner) > 1
        and all(upper) and all(middle) and all(lower)
        and len(set(zip(names, lower, strict=True))) == len(lower)
        and all(set(grid.kinds(row, region.left + 1, region.right)) == {"text"} for row in rows[1:3])
        and set(grid.kinds(rows[3], region.left + 1, region.right)) <= {"number", "gap", ""}
    )  # fmt: skip


def counts_columns(grid: Grid, region: GridRegion, row: GridRow, below: Sequence[GridRow]) -> bool:
    """Whether a row numbers all columns from 1 on, bare or in brackets, as forms do below their headings, so that text
    refers to "column 3"; what stands below its first number is none."""
    texts = [text.strip().strip("()[].") for text in grid.texts(row, region.left, region.right)]
    first = {grid.kind(one, region.left) for one in below}
    return (
        len(texts) >= _KEYS and texts == [str(at) for at in range(1, len(texts) + 1)]
        and bool(first) and "number" not in first and "" not in first
    )  # fmt: skip


def is_pair(grid: Grid, region: GridRegion, row: GridRow) -> bool:
    """Whether a row holds a key and its value, or a title; a key that ends in a colon may have a unit as well."""
    mask = region.mask(row)
    return mask in _PAIR or (mask == _WITH_UNIT and grid.text(row, region.left).rstrip().endswith(":"))


def is_numbered_alike(text: str, others: Iterable[str]) -> bool:
    """Whether a text of letters and digits, or of several numbers, differs from all the others in its digits alone:
    "gene1" over "gene2", "127.1.0.1" over "127.1.0.2", or all of them number items: "(i)" over "(ii)"."""
    shape = _DIGITS.sub("0", text)
    if shape == text and _ITEM.fullmatch(text) is None:  # most: the others need not be looked at
        return False
    others = [*filter(None, others)]
    named = shape != text and (any(map(str.isalpha, shape)) or shape.count("0") >= _GROUPS)
    digits = named and all(_DIGITS.sub("0", one) == shape for one in others)
    return bool(others) and (digits or all(_ITEM.fullmatch(one) for one in (text, *others)))
