"""How conditional formats (ECMA-376 part 1 §18.3.1.10) and Excel tables paint cells, as far as words may get lost in
it: rules that a calculation alone decides are left undecided. Not responsible for what cells look like otherwise."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sidecar.toolkit.cell_references import CellRange, cell_name, parse_range
from sidecar.toolkit.ooxml.hidden_text import WHITE, similar_colours
from sidecar.toolkit.xml import XmlElement, unsigned
from sidecar_xlsx.cells.styles import CellAppearance, CellStyles

_MAX_RULES = 500
_ALWAYS = re.compile(r"TRUE(?:\(\))?|[1-9]\d{0,8}")
_OWN = re.compile(r'LEN\((?:TRIM\()?(\w+)\)\)?>0|LEN\((\w+)\)|(\w+)<>""|NOT\(ISBLANK\((\w+)\)\)|ISTEXT\((\w+)\)')
"""Formulas that hold for every cell with words, where they name the cell itself."""
_ROW = re.compile(r"ROW\(\)=(\d{1,7})")
_STRIPE = re.compile(
    r"MOD\(ROW\(\)[,;](\d{1,4})\)(=|<>|>)(\d{1,4})|(MOD)\(ROW\(\)[,;](\d{1,4})\)|IS(EVEN|ODD)\(ROW\(\)\)"
)
"""Every so manieth row, as stripes are painted."""
_FOUND = re.compile(
    r'NOT\(ISERROR\((?:SEARCH|FIND)\("([^"]+)"[,;](\w+)\)\)\)|ISNUMBER\((?:SEARCH|FIND)\("([^"]+)"[,;](\w+)\)\)',
    re.IGNORECASE,
)
_COMPARED: Mapping[str, Callable[[str, str], bool]] = {
    "equal": lambda text, other: text == other, "notEqual": lambda text, other: text != other,
    "containsText": lambda text, other: other in text, "notContains": lambda text, other: other not in text,
    "beginsWith": lambda text, other: text.startswith(other), "endsWith": lambda text, other: text.endswith(other),
}  # fmt: skip
_STATES: Mapping[str, Callable[[str], bool]] = {
    "notContainsBlanks": lambda text: bool(text.strip()), "containsBlanks": lambda text: not text.strip(),
    "containsErrors": lambda text: text.startswith("#"), "notContainsErrors": lambda text: not text.startswith("#"),
}  # fmt: skip


class ConditionalLook(NamedTuple):
    """A look that cells of some areas have where `holds(row, column, text)`: None there is undecided."""

    areas: tuple[CellRange, ...]
    appearance: CellAppearance
    holds: Callable[[int, int, str], bool | None] = lambda _row, _column, _text: True
    step: int = 1
    """Every so manieth row of an area."""
    usual: bool = False
    """For cells alone whose ink is the workbook's usual one."""


def conditions(rest: XmlElement, styles: CellStyles) -> list[ConditionalLook]:
    """The conditional formats of a sheet that paint, by their rank."""
    found: list[tuple[int, ConditionalLook]] = []
    for node in rest.iterchildren("{*}conditionalFormatting"):
        areas = tuple(area for area in map(parse_range, (node.get("sqref") or "").split()) if area is not None)
        for rule in node.iterchildren("{*}cfRule") if areas else ():
            index = unsigned(rule.get("dxfId"), len(styles.differential))
            if index < len(styles.differential) and len(found) < _MAX_RULES:
                appearance = styles.differential[index]
                kind, formula = rule.get("type", ""), rule.findtext("{*}formula") or ""
                holds = test(kind, formula, areas[0], rule.get("operator", kind), rule.get("text", ""))
                found.append((unsigned(rule.get("priority")), ConditionalLook(areas, appearance, holds)))
    return [paint for _, paint in sorted(found, key=lambda one: one[0])]


def table_paints(
    area: CellRange, style: XmlElement | None, heads: int, styles: CellStyles
) -> Iterator[ConditionalLook]:
    """What an Excel table gives its cells by a style of the workbook's own (§18.8.40)."""
    given = styles.tables.get(style.get("name", ""), {}) if style is not None else {}
    striped = style is not None and style.get("showRowStripes") in ("1", "true")
    first = area.top + heads
    rows = {"headerRow": (area._replace(bottom=first - 1), 1), "wholeTable": (area, 1)}
    if striped:
        rows |= {"firstRowStripe": (area._replace(top=first), 2), "secondRowStripe": (area._replace(top=first + 1), 2)}
    for place, (rows_of, step) in rows.items():
        if place in given and given[place] < len(styles.differential):
            yield ConditionalLook((rows_of,), styles.differential[given[place]], step=step, usual=True)


def crossing(paints: Sequence[ConditionalLook], row: int) -> list[ConditionalLook]:
    """The paints with an area in a row, with such areas only."""
    found: list[ConditionalLook] = []
    for paint in paints:
        areas = tuple([area for area in paint.areas if area.top <= row <= area.bottom])
        if areas:
            found.append(paint._replace(areas=areas))
    return found


def is_invisible(
    paints: Sequence[ConditionalLook], place: tuple[int, int], text: str, own: CellAppearance, usual: int | None
) -> bool:
    """Whether the paints hide the words of a cell that has a look of its `own`; `usual` is the usual ink."""
    row, column = place
    ink, behind = None, None
    for paint in paints:
        area = next((one for one in paint.areas if one.holds(row, column)), None)
        if area is None or (row - area.top) % paint.step or (paint.usual and own.ink != usual):
            continue
        holds = paint.holds(row, column, text)
        if holds is None and paint.appearance.behind is not None:
            return False
        if holds and paint.appearance.hides_value:
            return True
        ink = paint.appearance.ink if holds and ink is None else ink
        behind = paint.appearance.behind if holds and behind is None else behind
    if ink is None and behind is None:
        return False
    ink, behind = own.ink if ink is None else ink, own.behind if behind is None else behind
    return behind is not None and similar_colours(ink or 0, behind)


def may_lose(paints: Sequence[ConditionalLook], styles: CellStyles) -> bool:
    """Whether some cell's words may get lost in the paints: most paint dark words on light."""
    inks = {appearance.ink or 0 for appearance in styles.appearances}
    backgrounds = {appearance.behind for appearance in styles.appearances if appearance.behind is not None} | {WHITE}
    backgrounds |= {paint.appearance.behind for paint in paints if paint.appearance.behind is not None}
    return any(
        paint.appearance.hides_value
        or (
            paint.appearance.ink is not None
            and any(similar_colours(paint.appearance.ink, background) for background in backgrounds)
        )
        or (paint.appearance.behind is not None and any(similar_colours(ink, paint.appearance.behind) for ink in inks))
        for paint in paints
    )


def test(kind: str, formula: str, area: CellRange, operator: str, other: str) -> Callable[[int, int, str], bool | None]:
    """Whether a rule of that type holds, by row, column and text of a cell; None there is undecided. References are
    those of the first cell of the area."""
    formula = formula.strip().removeprefix("=")
    if kind in _STATES:
        state = _STATES[kind]
        return lambda _row, _column, text: state(text)
    other = other if kind != "cellIs" else formula.strip('"')
    if operator in _COMPARED and other and (kind != "cellIs" or formula != other or other.isdecimal()):
        compare, known = _COMPARED[operator], other.lower()
        return lambda _row, _column, text: compare(text.lower(), known)
    if kind != "expression":
        return lambda _row, _column, _text: None
    bare = formula.replace("$", "").replace(" ", "").upper()
    own = _OWN.fullmatch(bare)
    if _ALWAYS.fullmatch(bare) or (own and cell_name(area.top, area.left) in own.groups()):
        return lambda _row, _column, text: bool(text)
    if numbered := _ROW.fullmatch(bare):
        return lambda row, _column, _text: row + 1 == int(numbered[1])
    if striped := _STRIPE.fullmatch(bare):
        return _stripe(striped)
    found = _FOUND.fullmatch(formula.replace("$", ""))
    if found and cell_name(area.top, area.left) in (found[2] or found[4]).upper():
        known = (found[1] or found[3]).lower()
        return lambda _row, _column, text: known in text.lower()
    undecided = None if bare not in ("FALSE", "FALSE()", "0") else False
    return lambda _row, _column, _text: undecided


def _stripe(formula: re.Match[str]) -> Callable[[int, int, str], bool | None]:
    step, sign, rest, bare, bare_step, parity = formula.groups()
    step = int(step or bare_step or 2)
    if not step:
        return lambda _row, _column, _text: None
    if parity or bare:
        odd = parity == "ODD"
        return lambda row, _column, _text: bool((row + 1) % step) == (odd if parity else True)
    compare = {"=": int.__eq__, "<>": int.__ne__, ">": int.__gt__}[sign]
    return lambda row, _column, _text: compare((row + 1) % step, int(rest))
