"""Rectangles of a sheet that have a name of their own: defined names (ECMA-376 part 1 §18.2.5) and Excel tables that
stand beside others. Which notes tell of them is the document model's; what they hold is `finding`'s."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from sidecar.api.model import Note, Part
from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.tables.grid import Grid, Region
from sidecar.toolkit.tables.headers import Head, find_head

_MEANING = re.compile(
    r"=?\$?(?:'(?:[^']|'')+'|[^\s'!.(),;+*/&<>=]+)[!.](\$?[A-Za-z]{1,3}\$?\d+:\$?[A-Za-z]{1,3}\$?\d+)"
)
"""One range of one sheet, and nothing else."""
_PRINTED: Final = ("Print area", "Print titles")
_NO_HEAD: Final = " (no heading row)"
_MAX_NAMES: Final = 200
"""Names looked at in one sheet."""


class Placed(Protocol):
    """A table found by its place."""

    @property
    def region(self) -> Region:
        """Where its rows lie."""
        ...

    @property
    def head(self) -> Head:
        """What names its columns."""
        ...


def named_areas(part: Part) -> Iterator[tuple[str, CellRange, int]]:
    """The names of ranges of a sheet, each with its range and how many rows it says head it (those of Excel tables);
    not those of what is printed."""
    seen = 0
    for block in part.blocks:
        if not isinstance(block, Note) or block.kind != "annotation" or not block.anchor or block.hidden:
            continue
        left, _, meant = block.text.partition(" = ")
        match = _MEANING.match(meant.removesuffix(_NO_HEAD))
        rest = meant[match.end() :] if match else "?"
        area = parse_range(match[1]) if match and (not rest or rest.startswith(" (")) else None
        name = block.anchor.rpartition("!")[2]
        if area is None or left in _PRINTED or name.startswith("_"):  # Excel's own begin so
            continue
        seen += 1
        if seen > _MAX_NAMES:
            return
        yield name, area, int(left == f"Table {name}" and not meant.endswith(_NO_HEAD))


def named_head(grid: Grid, region: Region, around: Sequence[Placed], declared: int) -> Head:
    """The head of a named range: its own, of which it may say how many rows it has, or, where it holds data only, that
    of the table it lies in."""
    top = region.rows[0].at
    for one in around if not declared else ():
        whole, head = one.region, one.head
        heads = whole.rows[head.first : head.body]
        if heads and heads[-1].at < top <= whole.rows[-1].at and _within(region, whole):
            titles = dict(enumerate(head.titles, whole.left))
            return Head(0, 0, tuple(titles.get(col, "") for col in region.columns), "")
    return find_head(grid, region, declared)


def _within(region: Region, whole: Region) -> bool:
    """Whether a region has data in columns of the other only."""
    outside = ~((1 << whole.right + 1) - (1 << whole.left))
    return not any(region.mask(row) << region.left & outside for row in region.rows)
