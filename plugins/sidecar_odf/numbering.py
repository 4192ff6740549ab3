"""Numbers of list items and headings as an OpenDocument text shows them: levels shown together ("2.1.a)"), prefixes,
starts, lists that go on (ODF 1.3 part 3, §5.3, §16.30–16.37, §19.869–19.890).

Not responsible for the tree of lists, nor for bullets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sidecar.toolkit.xml import XmlElement, count_of
from sidecar_odf.names import LOEXT, STYLE, TEXT, numeral

OUTLINE = "\0outline"
"""The name of the one style that numbers headings outside lists (§16.34); no list style can be called so."""
_PLACE = re.compile(r"%(\d{1,2})%")
_MAX_DEPTH = 10
"""Levels a list style may have (§16.30)."""


@dataclass(frozen=True)
class _Level:
    kind: str
    prefix: str
    suffix: str
    shown: int
    """How many levels the number shows, this one included."""
    start: int
    pattern: str
    """`(%1%.%2%)` where LibreOffice wrote one, which says more than prefix and suffix can."""


class ListStyles:
    """The numbered levels of every list style, and of the outline."""

    def __init__(self) -> None:
        self._levels: dict[tuple[str, int], _Level] = {}
        self._bare: set[tuple[str, int]] = set()

    def read(self, root: XmlElement) -> None:
        """Add the list styles below `root`; a level that is known already stays."""
        for style in root.iter(f"{TEXT}list-style", f"{TEXT}outline-style"):
            outline = style.tag == f"{TEXT}outline-style"
            name = OUTLINE if outline else style.get(f"{STYLE}name") or ""
            for node in style.iter(f"{TEXT}list-level-style-number", f"{TEXT}outline-level-style"):
                depth = count_of(node.get(f"{TEXT}level")) - 1
                kind = node.get(f"{STYLE}num-format") or ""
                if kind:
                    self._levels.setdefault((name, depth), _level(node, kind))
                else:
                    self._bare.add((name, depth))

    def counts(self, name: str, level: int) -> bool:
        """Whether items at a level (0-based) are numbered."""
        return (name, level) in self._levels

    def is_bare(self, name: str, level: int) -> bool:
        """Whether items at a level show nothing at all."""
        return (name, level) in self._bare

    def start(self, name: str, level: int) -> int:
        """The number that a level begins with."""
        found = self._levels.get((name, level))
        return found.start if found is not None else 1

    def text(self, name: str, numbers: list[int]) -> str:
        """What stands before an item whose level is the last of `numbers`."""
        level = len(numbers) - 1
        own = self._levels[name, level]
        if own.pattern:
            return _PLACE.sub(lambda place: self._one(name, numbers, int(place[1]) - 1), own.pattern)
        first = max(level + 1 - own.shown, 0)
        parts = (self._one(name, numbers, at) for at in range(first, level + 1))
        return own.prefix + ".".join(part for part in parts if part) + own.suffix

    def _one(self, name: str, numbers: list[int], level: int) -> str:
        found = self._levels.get((name, level))
        return numeral(numbers[level], found.kind) if found is not None and level < len(numbers) else ""


def _level(node: XmlElement, kind: str) -> _Level:
    start = node.get(f"{TEXT}start-value") or ""
    return _Level(
        kind, node.get(f"{STYLE}num-prefix") or "", node.get(f"{STYLE}num-suffix") or "",
        count_of(node.get(f"{TEXT}display-levels")), _number_of(start) if start else 1,
        node.get(f"{LOEXT}num-list-format") or node.get(f"{STYLE}num-list-format") or "",
    )  # fmt: skip


def _number_of(value: str) -> int:
    """A number that a list begins with, as written; 1 where it is none."""
    return int(value[:9]) if value.isascii() and value.isdecimal() else 1


@dataclass
class ListCounters:
    """The running numbers of all lists of a document, by list and level, and of its comments without a name."""

    styles: ListStyles
    _numbers: dict[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])
    _last: dict[str, str] = field(default_factory=dict[str, str])
    """The last list of each list style."""
    _comments: int = 0
    """Comments without a name so far."""

    def next_comment(self) -> str:
        """A name for a comment that has none, unlike any other of the document, wherever it stands."""
        self._comments += 1
        return f"comment-{self._comments}"

    def list_of(self, node: XmlElement, style: str) -> str:
        """The list that a `text:list` at the top belongs to: itself, or the one that it goes on with (§19.878–880)."""
        own = node.get("{http://www.w3.org/XML/1998/namespace}id") or f"\0{len(self._numbers)}"
        named = node.get(f"{TEXT}continue-list") or ""
        if named in self._numbers:
            own = named
        elif node.get(f"{TEXT}continue-numbering") == "true" or named:
            own = self._last.get(style, own)
        self._numbers.setdefault(own, {})
        self._last[style] = own
        return own

    def next(self, counted: str, style: str, level: int, start: str = "") -> str:
        """Count one item of a list at a level (0-based) and give its number; "" for one without."""
        numbers = self._numbers.setdefault(counted, {})
        for deeper in [known for known in numbers if known > level]:
            del numbers[deeper]
        if start:
            numbers[level] = _number_of(start)
        else:
            numbers[level] = numbers[level] + 1 if level in numbers else self.styles.start(style, level)
        if not self.styles.counts(style, level):
            return ""
        return self.styles.text(style, list(self._path(numbers, style, level)))

    def _path(self, numbers: dict[int, int], style: str, level: int) -> Iterator[int]:
        for at in range(min(level, _MAX_DEPTH) + 1):
            yield numbers.setdefault(at, self.styles.start(style, at))  # a level that nothing stood at yet
