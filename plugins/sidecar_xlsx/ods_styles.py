"""What styles of an OpenDocument spreadsheet hide of what is in cells and in the heads of pages (ODF 1.3 part 3 §16.2,
§20): words in the colour of the background, or too small to read. Not responsible for hidden rows, columns and sheets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from sidecar.toolkit.cell_references import CellRange, parse_range
from sidecar.toolkit.markup.odf_charts import words_of
from sidecar.toolkit.ooxml.hidden_text import MIN_POINTS, WHITE, HiddenKind, hex_colour, similar_colours
from sidecar.toolkit.xml import XmlElement, count_of
from sidecar_xlsx.cells.conditions import test

_NS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_STYLE, _FO, _TEXT, _OFFICE, _NUMBER = (
    _NS % name for name in ("style", "xsl-fo-compatible", "text", "office", "datastyle")
)
_FAMILY, _NAME, _CELL, _RUN = f"{_STYLE}family", f"{_STYLE}name", "table-cell", "text"
_MAX_DEPTH = 10
"""Styles that inherit from one another."""
_COMPARED = re.compile(r"cell-content\(\)(!?=)(.+)")
_FORMULA = re.compile(r"is-true-formula\((.+)\)")
_REFERENCE = re.compile(r"\[\.([^\]]+)\]")
_AREA = re.compile(r"\.\$?([A-Z]{1,3}\$?\d{1,7})(?::(?:'[^']*+'|[^\s.':]*+)\.?\$?([A-Z]{1,3}\$?\d{1,7}))?")
_CALC_EXT = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_RULE = re.compile(r'(!?=|(?:not-)?contains-text|begins-with|ends-with|formula-is)\(?"?(.*?)"?\)?$', re.DOTALL)
_OPERATORS = {
    "=": "equal", "!=": "notEqual", "contains-text": "containsText", "not-contains-text": "notContains",
    "begins-with": "beginsWith", "ends-with": "endsWith",
}  # fmt: skip
_STATES = {"is-error": "containsErrors", "is-no-error": "notContainsErrors"}
_MAX_FORMATS = 200
"""Conditional formats of a sheet."""
_Holds = Callable[[int, int, str], bool | None]
_MAX_SPACES = 1000  # as `words_of` writes of one element


class _Appearance(NamedTuple):
    """What a style says itself; None where it says nothing."""

    parent: str = ""
    colour: int | None = None
    background: int | None = None
    points: float | None = None

    def over(self, other: _Appearance) -> _Appearance:
        """This appearance, and of the other what this one does not say."""
        return _Appearance(
            "",
            other.colour if self.colour is None else self.colour,
            other.background if self.background is None else self.background,
            other.points if self.points is None else self.points,
        )


class ConditionalFormat(NamedTuple):
    """Areas, and the cell styles that their cells have besides their own: the first whose condition holds."""

    areas: tuple[CellRange, ...]
    rules: tuple[tuple[_Holds, str], ...]


class Appearances:
    """The styles of cells and of runs in them, of the files of a workbook."""

    def __init__(self, roots: Iterable[XmlElement]) -> None:
        self._appearances: dict[tuple[str, str], _Appearance] = {}
        self._names: dict[str, str] = {}
        self._conditional: dict[str, list[tuple[_Holds, str]]] = {}
        """Cell styles that depend on conditions (§16.3): the styles in their place, the first that holds."""
        inks: dict[str, int] = {}
        for root in roots:
            inks |= _format_inks(root)
            for style in root.iter(f"{_STYLE}style"):
                family, name = style.get(_FAMILY, ""), style.get(_NAME, "")
                if family in (_CELL, _RUN):
                    ink = inks.get(style.get(f"{_STYLE}data-style-name", ""))
                    appearance = _appearance(style)
                    self._appearances[family, name] = appearance if ink is None else appearance._replace(colour=ink)
                if family == _CELL and (maps := style.findall(f"{_STYLE}map")):
                    applied = f"{_STYLE}apply-style-name"
                    self._conditional[name] = [(_condition(one), one.get(applied, "")) for one in maps]
                if family == _CELL and (shown := style.get(f"{_STYLE}display-name")):
                    self._names[shown] = name
        self._runs: dict[tuple[str, str], HiddenKind | None] = {}

    @cached_property
    def hidden(self) -> Mapping[str, HiddenKind]:
        """The names of the cell styles that hide, and how; what conditions do to them aside."""
        found: dict[str, HiddenKind] = {}
        for family, name in self._appearances:
            kind = _hidden_by(self._whole(family, name)) if family == _CELL else None
            if kind is not None:
                found[name] = kind
        return found

    def formats(self, table: XmlElement) -> tuple[ConditionalFormat, ...]:
        """The conditional formats of a sheet that LibreOffice keeps beside its styles, those that may hide words."""
        found: list[ConditionalFormat] = []
        for node in table.iterfind(f"{_CALC_EXT}conditional-formats/{_CALC_EXT}conditional-format"):
            where = node.get(f"{_CALC_EXT}target-range-address", "")
            areas = (parse_range(":".join(filter(None, one.groups()))) for one in _AREA.finditer(where))
            applied: list[tuple[XmlElement, str]] = [
                (one, one.get(f"{_CALC_EXT}apply-style-name", "")) for one in node.iterchildren(f"{_CALC_EXT}condition")
            ]
            rules = [(_calc_condition(one), self._names.get(name, name)) for one, name in applied if name]
            if len(found) < _MAX_FORMATS and any(self._whole(_CELL, name) != _Appearance() for _, name in rules):
                found.append(ConditionalFormat(tuple(filter(None, areas)), tuple(rules)))
        return tuple(found)

    def hides(
        self, name: str, place: tuple[int, int], text: str, formats: Iterable[ConditionalFormat]
    ) -> HiddenKind | None:
        """How a cell of that style hides that text there, row and column from 0, on a sheet with these formats."""
        rules = [rule for one in formats if any(area.holds(*place) for area in one.areas) for rule in one.rules]
        for holds, applied in (*rules, *self._conditional.get(name, ())):
            held = holds(*place, text)
            if held:
                return _hidden_by(self._whole(_CELL, applied).over(self._whole(_CELL, name)))
            if held is None:
                return None
        return self.hidden.get(name)

    def hidden_runs(self, paragraph: XmlElement, cell: str = "") -> Iterator[tuple[int, int, HiddenKind]]:
        """Where words of a paragraph, as `words_of` writes them, are not seen in a cell of that style."""
        if paragraph.find(f"{_TEXT}span") is None:
            return
        at = len(paragraph.text or "")
        for child in paragraph:
            end = at + _width(child)
            kind = self._run(child.get(f"{_TEXT}style-name", ""), cell) if child.tag == f"{_TEXT}span" else None
            if kind is not None and end > at:
                yield at, end, kind
            at = end + len(child.tail or "")

    def _run(self, name: str, cell: str) -> HiddenKind | None:
        key = name, cell
        if key not in self._runs:
            run = self._whole(_RUN, name)
            look = run.colour is not None or run.points is not None  # what the cell's style hides, it hides as a whole
            look = look and cell not in self._conditional
            self._runs[key] = _hidden_by(run.over(self._whole(_CELL, cell))) if look else None
        return self._runs[key]

    def _whole(self, family: str, name: str) -> _Appearance:
        """A style with what those it derives from say."""
        whole = _Appearance()
        for _ in range(_MAX_DEPTH):
            appearance = self._appearances.get((family, name))
            if appearance is None:
                break
            whole = whole.over(appearance)
            name = appearance.parent
        return whole


def _width(node: XmlElement) -> int:
    """How many characters `words_of` writes of a child of a paragraph."""
    if node.tag == f"{_TEXT}s":
        return min(count_of(node.get(f"{_TEXT}c")), _MAX_SPACES)
    if node.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
        return 1
    return len(words_of(node)) if isinstance(node.tag, str) and node.tag != f"{_OFFICE}annotation" else 0


def _condition(node: XmlElement) -> _Holds:
    """When a style takes another's place (§19.479); of formulas those are known that are of conditional formats."""
    rule, base = node.get(f"{_STYLE}condition", ""), node.get(f"{_STYLE}base-cell-address", "")
    area = parse_range(base.rpartition(".")[2].replace("$", "")) or CellRange(0, 0, 0, 0)
    if compared := _COMPARED.fullmatch(rule):
        return test("cellIs", compared[2], area, "equal" if compared[1] == "=" else "notEqual", "")
    formula = _FORMULA.fullmatch(rule)
    return test("expression" if formula else "", _REFERENCE.sub(r"\1", formula[1]) if formula else "", area, "", "")


def _calc_condition(node: XmlElement) -> _Holds:
    """The same of a condition as LibreOffice writes it beside."""
    rule, base = node.get(f"{_CALC_EXT}value", ""), node.get(f"{_CALC_EXT}base-cell-address", "")
    area = parse_range(base.rpartition(".")[2].replace("$", "")) or CellRange(0, 0, 0, 0)
    found = _RULE.match(rule)
    if found is None:
        return test(_STATES.get(rule, ""), "", area, "", "")
    kind, value = found[1], found[2]
    if kind == "formula-is":
        formula = rule.partition("(")[2].removesuffix(")")
        return test("expression", _REFERENCE.sub(r"\1", formula), area, "", "")
    compared = kind in ("=", "!=")
    value = value.replace('""', '"')
    return test("cellIs" if compared else kind, f'"{value}"' if '"' in rule else value, area, _OPERATORS[kind], value)


def _format_inks(root: XmlElement) -> dict[str, int]:
    """The colours that number formats give to all they show, by name (§16.29): they go before a cell's own."""
    found: dict[str, int] = {}
    for styles in (root.find(f"{_OFFICE}styles"), root.find(f"{_OFFICE}automatic-styles")):
        for one in styles if styles is not None else ():
            text = one.find(f"{_STYLE}text-properties") if str(one.tag).startswith(_NUMBER) else None
            ink = _colour(text.get(f"{_FO}color")) if text is not None else None
            is_for_all = str(one.tag) == f"{_NUMBER}text-style" or one.find(f"{_STYLE}map") is None
            if ink is not None and is_for_all:
                found[one.get(_NAME, "")] = ink
    return found


def _appearance(style: XmlElement) -> _Appearance:
    tags = {child.tag: child for child in reversed(style)}
    text, cell = tags.get(f"{_STYLE}text-properties"), tags.get(f"{_STYLE}table-cell-properties")
    behind = cell if cell is not None else text
    background = behind.get(f"{_FO}background-color") if behind is not None else None
    size = text.get(f"{_FO}font-size", "") if text is not None else ""
    try:
        points = float(size.removesuffix("pt")) if size.endswith("pt") else None
    except ValueError:
        points = None
    colour = _colour(text.get(f"{_FO}color")) if text is not None else None
    if text is not None and text.get(f"{_STYLE}use-window-font-color") == "true":
        colour = None
    is_cell = style.get(_FAMILY) == _CELL
    return _Appearance(
        style.get(f"{_STYLE}parent-style-name", ""), colour,
        WHITE if is_cell and background == "transparent" else _colour(background), points,
    )  # fmt: skip


def _colour(value: str | None) -> int | None:
    return hex_colour(value[1:]) if value is not None and value.startswith("#") else None


def _hidden_by(appearance: _Appearance) -> HiddenKind | None:
    if appearance.points is not None and appearance.points < MIN_POINTS:
        return "size"
    behind = WHITE if appearance.background is None else appearance.background
    return "colour" if appearance.colour is not None and similar_colours(appearance.colour, behind) else None
