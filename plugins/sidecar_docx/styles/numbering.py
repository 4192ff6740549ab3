"""The lists of `numbering.xml`: which definition a list counts by, its levels and overrides (ECMA-376 part 1 §17.9).

Not responsible for counting, nor for deciding which paragraphs are numbered."""

from collections.abc import Callable

from sidecar.toolkit.ooxml.namespaces import MC
from sidecar.toolkit.word.numbering import Counters, Level, Marker
from sidecar.toolkit.word.symbols import bullet
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.qualified_names import CHOICE, FALLBACK, PPR, RPR, VAL, W, decimal_attribute, is_on
from sidecar_docx.styles.paragraph_properties import left_indent


class Numbering:
    """The definitions of `numbering.xml` and the running counters of one document.

    `load` gives the part's root, or None; it is called when the first list turns up, which in most files is never."""

    def __init__(self, load: Callable[[], XmlElement | None]) -> None:
        self._load: Callable[[], XmlElement | None] | None = load
        self._abstract: dict[str, dict[int, Level]] = {}
        self._links: dict[str, str] = {}
        self._by_style: dict[str, str] = {}
        self._nums: dict[str, tuple[str, dict[int, Level], dict[int, int]]] = {}
        self._levels: dict[str, tuple[str, dict[int, Level]]] = {}
        self._counters = Counters()

    def _read(self, root: XmlElement) -> None:
        for node in root:
            if node.tag == f"{W}abstractNum":
                self._read_abstract(node, node.get(f"{W}abstractNumId", ""))
            elif node.tag == f"{W}num":
                abstract = child_of(node, f"{W}abstractNumId")
                counted_by = abstract.get(VAL, "") if abstract is not None else ""
                self._nums[node.get(f"{W}numId", "")] = (counted_by, *_overrides(node))

    def _read_abstract(self, node: XmlElement, name: str) -> None:
        levels = self._abstract[name] = {}
        for child in node:
            if child.tag == f"{W}lvl":
                levels[decimal_attribute(child.get(f"{W}ilvl"))] = _level(child)
            elif child.tag == f"{W}numStyleLink":
                self._links[name] = child.get(VAL, "")
            elif child.tag == f"{W}styleLink":
                self._by_style[child.get(VAL, "")] = name

    def level_of_style(self, num: str, style: str) -> int | None:
        """The level of list `num` that names paragraph style `style`; None when none does."""
        _, levels = self._resolved(num)
        return next((index for index, level in levels.items() if level.style == style), None)

    def indent(self, num: str, level: int) -> int | None:
        """How far in items of list `num` stand at `level`, in twentieths of a point; None where it does not say."""
        own = self._resolved(num)[1].get(level)
        return own.indent if own is not None else None

    def next(self, num: str, level: int) -> Marker | None:
        """Count one paragraph of list `num` at `level` (0-based) and give its marker; None for an unknown list."""
        abstract, levels = self._resolved(num)
        if not levels:
            return None
        return self._counters.next(num, abstract, levels, self._nums[num][2], level)

    def _resolved(self, num: str) -> tuple[str, dict[int, Level]]:
        """The abstract definition `num` counts by and its levels, overrides applied."""
        if self._load is not None:
            root, self._load = self._load(), None
            if root is not None:
                self._read(root)
        known = self._levels.get(num)
        if known is not None:
            return known
        abstract, overrides, _ = self._nums.get(num, ("", {}, {}))
        if not self._abstract.get(abstract) and abstract in self._links:
            abstract = self._by_style.get(self._links[abstract], abstract)
        found = (abstract, {**self._abstract.get(abstract, {}), **overrides})
        self._levels[num] = found
        return found


def _overrides(num: XmlElement) -> tuple[dict[int, Level], dict[int, int]]:
    """The levels that a `w:num` says anew, and with which number levels begin (§17.9.8)."""
    levels: dict[int, Level] = {}
    starts: dict[int, int] = {}
    for override in num.iterchildren(f"{W}lvlOverride"):
        index = decimal_attribute(override.get(f"{W}ilvl"))
        inner = child_of(override, f"{W}lvl")
        if inner is not None:
            levels[index] = _level(inner)
        start = child_of(override, f"{W}startOverride")
        if start is not None:
            starts[index] = decimal_attribute(start.get(VAL), 1)
        elif inner is not None:
            starts[index] = levels[index].start
    return levels, starts


def _level(node: XmlElement) -> Level:
    start, form, text, legal, restart, style, indent = 1, "decimal", "", False, None, "", None
    for child in node:
        tag = child.tag
        if tag == f"{W}start":
            start = decimal_attribute(child.get(VAL), 1)
        elif tag == f"{W}numFmt":
            form = child.get(VAL, "decimal")
        elif tag == f"{W}lvlText":
            text = child.get(VAL, "") if is_on(child.get(f"{W}null", "0")) is False else ""
        elif tag == f"{W}isLgl":
            legal = is_on(child.get(VAL))
        elif tag == f"{W}lvlRestart":
            restart = decimal_attribute(child.get(VAL))
        elif tag == f"{W}pStyle":
            style = child.get(VAL, "")
        elif tag == PPR:
            indent = left_indent(child_of(child, f"{W}ind"))
        elif tag == f"{MC}AlternateContent":
            form = _alternate_format(child) or form
    if form == "bullet":
        text = bullet(text, _font_name(node))
    return Level(start, form, text, legal, restart, style, indent)


def _alternate_format(node: XmlElement) -> str:
    """Word writes custom zero-padded formats as a choice ("001, 002, …") with a decimal fallback."""
    inner = node.find(f"{FALLBACK}/{W}numFmt")
    if inner is None:
        inner = node.find(f"{CHOICE}/{W}numFmt")
    return inner.get(VAL, "decimal") if inner is not None else ""


def _font_name(level: XmlElement) -> str:
    """The font of a level's number or bullet."""
    run = child_of(level, RPR)
    font = child_of(run, f"{W}rFonts") if run is not None else None
    return (font.get(f"{W}ascii") or font.get(f"{W}hAnsi") or "") if font is not None else ""
