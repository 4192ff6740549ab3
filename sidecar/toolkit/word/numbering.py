"""List numbering as Word counts it (ECMA-376 part 1 §17.9; MS-DOC 2.4.6.3): which marker a numbered paragraph shows.

Counters belong to the abstract definition, so lists that share it continue; an override with a start value restarts
once. Not responsible for reading definitions, nor for deciding which paragraphs are numbered."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sidecar.toolkit.word.number_formats import format_number

_PLACE = re.compile(r"%([1-9])")
LEVELS = 9
FORMS: Mapping[int, str] = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal",
    6: "cardinalText", 7: "ordinalText", 8: "hex", 10: "ideographDigital", 11: "japaneseCounting", 12: "aiueo",
    13: "iroha", 14: "decimalFullWidth", 17: "japaneseDigitalTenThousand", 18: "decimalEnclosedCircle",
    19: "decimalFullWidth2", 20: "aiueoFullWidth", 22: "decimalZero", 23: "bullet", 24: "ganada", 25: "chosung",
    26: "decimalEnclosedFullstop", 27: "decimalEnclosedParen", 28: "decimalEnclosedCircleChinese",
    30: "ideographTraditional", 31: "ideographZodiac", 33: "taiwaneseCounting", 35: "taiwaneseCountingThousand",
    36: "taiwaneseDigital", 37: "chineseCounting", 39: "chineseCountingThousand", 41: "koreanDigital",
    42: "koreanCounting", 44: "koreanDigital2", 45: "hebrew1", 46: "arabicAlpha", 47: "hebrew2", 48: "arabicAbjad",
    57: "numberInDash", 58: "russianLower", 59: "russianUpper", 255: "none",
}  # fmt: skip
"""Number formats ([MS-OSHARED] 2.2.1.3, MSONFC) by the names that WordprocessingML has for them, as far as they are
written in a way of their own; the others are shown as decimals."""


@dataclass(frozen=True)
class Level:
    """One `w:lvl`. `text` is the level text with its `%1` places; `restart` the level (1-based) after which counting
    starts again, 0 for never, None for the default: after any higher level."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    legal: bool = False
    restart: int | None = None
    style: str = ""
    indent: int | None = None
    """How far in its text stands, in twentieths of a point; None where it does not say."""


@dataclass(frozen=True)
class Marker:
    """What stands before a numbered paragraph."""

    text: str
    level: int
    ordered: bool


class Counters:
    """The running counters of one document."""

    def __init__(self) -> None:
        self._counters: dict[str, list[int | None]] = {}
        self._restarted: set[tuple[str, int]] = set()

    def next(
        self, num: str, abstract: str, levels: Mapping[int, Level], starts: Mapping[int, int], level: int
    ) -> Marker:
        """Count one paragraph of list `num` at `level` (0-based) and give its marker.

        `abstract` names the definition that the list counts by, `levels` are its levels with the list's own over them,
        `starts` the values at which the list begins anew."""
        level = min(max(level, 0), LEVELS - 1)
        own = levels.get(level) or Level(text=f"%{level + 1}.")
        counters = self._counters.setdefault(abstract, [None] * LEVELS)
        self._restart(num, starts, level, counters)
        current = counters[level]
        counters[level] = own.start if current is None else current + 1
        for deeper in range(level + 1, LEVELS):
            restart = levels[deeper].restart if deeper in levels else None
            if restart is None or (restart and level < restart):
                counters[deeper] = None
        for higher in range(level):
            if counters[higher] is None and f"%{higher + 1}" in own.text:
                counters[higher] = levels[higher].start if higher in levels else 1
        if own.form == "bullet":
            return Marker(own.text or "•", level, ordered=False)

        def shown(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            count = counters[index]
            form = "decimal" if own.legal else (levels[index].form if index in levels else "decimal")
            return format_number(1 if count is None else count, form)

        return Marker(_PLACE.sub(shown, own.text).strip(), level, ordered=True)

    def _restart(self, num: str, starts: Mapping[int, int], level: int, counters: list[int | None]) -> None:
        for index, start in starts.items():
            if index <= level and (num, index) not in self._restarted and index < LEVELS:
                self._restarted.add((num, index))
                counters[index] = start - 1 if index == level else start
                for deeper in range(index + 1, LEVELS):
                    counters[deeper] = None
