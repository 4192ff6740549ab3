"""The lists that an RTF file defines (RTF 1.9.1, "List Table", "List Override Table"), and the markers of their items
in a file that writes none out, as those of many programs are."""

from dataclasses import dataclass, field

from sidecar.toolkit.word.numbering import FORMS, LEVELS, Counters, Level
from sidecar.toolkit.word.symbols import bullet

LIST_TABLES = frozenset(["listtable", "listoverridetable"])
"""Destinations that define lists."""
_MAX_LISTS = 20_000


@dataclass
class _Level:
    form: int = 0
    start: int = 1
    text: str = ""
    legal: bool = False
    font: int = 0


@dataclass
class _List:
    number: int = 0
    levels: list[_Level] = field(default_factory=list[_Level])


@dataclass
class _Override:
    """What a paragraph refers to: a list, and the values at which it begins anew, by level."""

    list: int = 0
    number: int = 0
    starts: dict[int, int] = field(default_factory=dict[int, int])
    level: int = -1


class Lists:
    """The lists of one file, and their counters."""

    def __init__(self) -> None:
        self.written = False
        """Whether the file writes markers out: then an item without one has none."""
        self._lists: list[_List] = []
        self._overrides: list[_Override] = []
        self._known: dict[int, _Override] | None = None
        self._by_number: dict[int, _List] = {}
        self._levels: dict[int, dict[int, Level]] = {}
        """Of the lists met so far, as they are counted."""
        self._counters = Counters()

    def word(self, table: str, word: str, number: int) -> None:
        """A control word in one of the tables."""
        if word == "list" and len(self._lists) < _MAX_LISTS:
            self._lists.append(_List())
        elif word == "listoverride" and len(self._overrides) < _MAX_LISTS:
            self._overrides.append(_Override())
        elif table == "listtable" and self._lists:
            self._define(self._lists[-1], word, number)
        elif self._overrides:
            self._override(self._overrides[-1], word, number)

    def _define(self, one: _List, word: str, number: int) -> None:
        if word == "listlevel":
            one.levels.append(_Level())
        elif word == "listid":
            one.number = number
        elif one.levels:
            level = one.levels[-1]
            if word in ("levelnfc", "levelnfcn"):
                level.form = number
            elif word == "levelstartat":
                level.start = number
            elif word == "levellegal":
                level.legal = bool(number)
            elif word == "f":
                level.font = number

    def _override(self, one: _Override, word: str, number: int) -> None:
        if word == "listid":
            one.list = number
        elif word == "ls":
            one.number = number
        elif word == "lfolevel":
            one.level += 1
        elif word == "levelstartat" and 0 <= one.level < LEVELS:
            one.starts[one.level] = number

    def level_text(self, text: str) -> None:
        """The template of a level: its length, then what stands there, with the numbers of levels for their counts."""
        if text and self._lists and self._lists[-1].levels:
            shown = text[1 : 1 + ord(text[0])]
            self._lists[-1].levels[-1].text = "".join(
                f"%{ord(char) + 1}" if ord(char) < LEVELS else char for char in shown
            )

    def next(self, number: int, level: int, font_name: dict[int, str]) -> str:
        """Count one paragraph of a list and give its marker, "" for none; `font_name` tells fonts of signs."""
        if self.written:
            return ""
        if self._known is None:
            self._known = {one.number: one for one in self._overrides}
            self._by_number = {one.number: one for one in self._lists}
        own = self._known.get(number)
        found = self._by_number.get(own.list) if own is not None else None
        if own is None or found is None or not found.levels:
            return ""
        levels = self._levels.get(own.list)
        if levels is None:
            levels = {at: _level_of(one, font_name) for at, one in enumerate(found.levels[:LEVELS])}
            self._levels[own.list] = levels
        return self._counters.next(str(number), str(own.list), levels, own.starts, level).text


def _level_of(level: _Level, font_name: dict[int, str]) -> Level:
    form = FORMS.get(level.form, "decimal")
    text = bullet(level.text, font_name.get(level.font, "")) if form == "bullet" else level.text
    return Level(level.start, form, text, level.legal)
