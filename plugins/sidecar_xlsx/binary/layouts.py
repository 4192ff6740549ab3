"""How versions of the binary format lay out the tokens of formulas, the functions that tokens call by number, and what
tokens ask of their workbook."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

ERRORS: Final[Mapping[int, str]] = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}  # fmt: skip
"""[MS-XLS] 2.5.10 BErr."""
Cell = tuple[int, int]
"""Row and column, 0-based."""
USER_DEFINED = 255
"""Stands for a function of an add-in or a macro, whose name is the first argument."""
_TABLE = Path(__file__).with_name("functions.txt")
"""`@n` begins a run of numbers; `NAME/2` takes two arguments always, `NAME` as many as the formula says."""


class Scope(Protocol):
    """What the indexes in tokens stand for in their workbook."""

    def sheet(self, index: int) -> str:
        """The prefix of references through entry `index` of the table of sheets, `Sheet1!`; "#REF!" for one gone."""
        ...

    def sheets(self, first: int, last: int) -> str:
        """The prefix for the sheets from `first` to `last` (BIFF5); "#REF!" where they are gone."""
        ...

    def name(self, index: int) -> str:
        """The defined name of that number, from 1."""
        ...

    def external_name(self, sheet: int, index: int) -> str:
        """The name of that number in another workbook or add-in, through entry `sheet` of the table of sheets."""
        ...

    def table(self, number: int) -> tuple[str, tuple[str, ...]]:
        """Name and columns of the Excel table of that number."""
        ...


@dataclass(frozen=True)
class TokenLayout:
    """How a version of the format lays tokens out: `reference` unpacks a row and a column with its flags, `area` two
    rows and two columns; sizes in bytes of what stands before an index or where nothing is read."""

    reference: struct.Struct
    area: struct.Struct
    array_bytes: int
    rows: int
    cols: int


BIFF5: Final = TokenLayout(struct.Struct("<HB"), struct.Struct("<HHBB"), 7, 16_384, 256)
BIFF8: Final = TokenLayout(struct.Struct("<HH"), struct.Struct("<HHHH"), 7, 65_536, 256)
BIFF12: Final = TokenLayout(struct.Struct("<IH"), struct.Struct("<IIHH"), 14, 1_048_576, 16_384)


@cache
def functions() -> Mapping[int, tuple[str, int]]:
    """Number → name, and how many arguments it takes; -1 where the formula says ([MS-XLS] 2.5.198.17 and [MS-XLSB]
    2.5.97.10, Ftab)."""
    found: dict[int, tuple[str, int]] = {}
    number = 0
    for word in _TABLE.read_text("utf-8").split():
        if word.startswith("@"):
            number = int(word[1:])
            continue
        name, _, count = word.partition("/")
        found[number] = (name, int(count) if count else -1)
        number += 1
    return MappingProxyType(found)
