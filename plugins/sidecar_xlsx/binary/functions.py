"""The functions of formulas by the number that binary workbooks give them ([MS-XLS] 2.5.198.17 and [MS-XLSB] 2.5.97.10,
Ftab), and how many arguments those take that always take as many."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

USER_DEFINED = 255
"""Stands for a function of an add-in or a macro, whose name is the first argument."""
_TABLE = Path(__file__).with_name("functions.txt")
"""`@n` begins a run of numbers; `NAME/2` takes two arguments always, `NAME` as many as the formula says."""


@cache
def functions() -> Mapping[int, tuple[str, int]]:
    """Number → name, and how many arguments it takes; -1 where the formula says."""
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
