"""Figures of a column that a gap between two of their glyphs cut, put together again: "544,343.0 0" under amounts with
two decimals."""

import re
from collections import Counter

_FIGURE = re.compile(
    r"[($€£¥+−–-]*(?:\d{1,3}(?:,\d{3})+|\d+)\.(\d+)[%)]?|[($€£¥+−–-]*(?:\d{1,3}(?:\.\d{3})+|\d+),(\d+)[%)]?"
)
"""A figure with decimals, behind a full stop or a comma."""
_MAX_CHARS = 40  # of a cell that is looked at
_USUAL = 0.8  # of the figures of a column have as many decimals, once they are whole


def with_whole_figures(rows: list[list[str]]) -> list[list[str]]:
    """The texts of a table, those figures whole that blanks cut, of columns where nearly all others have as many
    decimals as they have then, and one at least is whole as it stands."""
    if len(rows) < 2:
        return rows
    columns = [_whole_column(list(column)) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _whole_column(texts: list[str]) -> list[str]:
    """A column with its figures whole."""
    cut = {at: whole for at, text in enumerate(texts) if " " in text and (whole := _whole(text))}
    if not cut:
        return texts
    own = [decimals for text in texts if (decimals := _decimals(text))]
    usual = Counter(own).most_common(1)[0][0] if own else 0
    fitting = {at: whole for at, whole in cut.items() if _decimals(whole) == usual}
    if len(fitting) < len(cut) or sum(decimals == usual for decimals in own) < _USUAL * len(own):
        return texts
    return [fitting.get(at, text) for at, text in enumerate(texts)]


def _whole(text: str) -> str:
    """A cell without its blanks where that makes one figure of it that is not written with them, and the last part is
    none that could stand alone: not "1 234.50", "4.5 (3.2)" or "2.50 3.50"."""
    parts = text.split(" ")
    if len(text) > _MAX_CHARS or not all(parts) or not any(map(str.isdigit, text)):
        return ""
    whole = "".join(parts)
    inner = all(part[0].isdigit() or part[0] in ".," for part in parts[1:])
    if not inner or not _decimals(whole) or any(_decimals(part) == _decimals(whole) for part in parts):
        return ""
    return whole


def _decimals(text: str) -> int:
    """How many decimals a figure has; 0 where it has none, or is not a figure."""
    found = _FIGURE.fullmatch(text)
    return len(found[1] or found[2]) if found else 0
