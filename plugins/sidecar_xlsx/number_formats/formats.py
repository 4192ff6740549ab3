"""Number formats: from a format code to a function that shows a cell's value as Excel does.

Source: ECMA-376 part 1 §18.8.30 (built-in ids, here as US English shows them) and §18.8.31 (codes). What depends on the
width of the column is not shown: fill characters, padding and `####`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

from sidecar_xlsx.number_formats.codes import Section, split_sections
from sidecar_xlsx.number_formats.dates import date_renderer
from sidecar_xlsx.number_formats.digits import number_renderer
from sidecar_xlsx.number_formats.general import general

_ACCOUNTING = '_({0}* #,##0{1}_);_({0}* \\(#,##0{1}\\);_({0}* "-"{2}_);_(@_)'
BUILTIN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: '"$"#,##0_);\\("$"#,##0\\)', 6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
    7: '"$"#,##0.00_);\\("$"#,##0.00\\)', 8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
    9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm",
    17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
    37: "#,##0_);(#,##0)", 38: "#,##0_);[Red](#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);[Red](#,##0.00)",
    41: _ACCOUNTING.format("", "", ""), 42: _ACCOUNTING.format('"$"', "", ""),
    43: _ACCOUNTING.format("", ".00", "??"), 44: _ACCOUNTING.format('"$"', ".00", "??"),
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    59: "0", 60: "0.00", 61: "#,##0", 62: "#,##0.00", 67: "0%", 68: "0.00%", 69: "# ?/?", 70: "# ??/??",
    **dict.fromkeys((*range(27, 32), *range(34, 37), *range(50, 55), 57, 58, 71, 72), "m/d/yyyy"),
    **dict.fromkeys((32, 33, 55, 56, 75, 76), "h:mm:ss"), 73: "d-mmm", 74: "mmm-yy", 77: "m/d/yyyy h:mm",
    78: "mm:ss", 79: "[h]:mm:ss", 80: "mm:ss.0", 81: "m/d/yyyy",
}  # fmt: skip
"""Codes of the built-in ids as Excel in US English shows them; East Asian and Thai ids (27-36, 50-81) likewise."""


_MAX_CODE_CHARS = 255  # characters Excel allows in a code


@dataclass(frozen=True)
class NumberFormat:
    """One format code, ready to show values. `code` is "" for General.

    `number` shows a number; `text` shows a string, None when strings stay as they are; `dated` says that numbers under
    it are dates or times (not elapsed time), so that their raw value is best given as ISO 8601."""

    code: str
    number: Callable[[float], str]
    text: Callable[[str], str] | None = None
    dated: bool = False

    @property
    def hides_strings(self) -> bool:
        """Whether strings are not shown, but nothing, or other words."""
        return self.text is not None and "\0" not in self.text("\0")

    @property
    def is_general(self) -> bool:
        """Whether numbers show as they are."""
        return not self.code


GENERAL = NumberFormat("", general)


def compile_format(code: str, *, date1904: bool = False) -> NumberFormat:
    """The format of a code. Total: a code that makes no sense shows numbers as General does."""
    if not code or len(code) > _MAX_CODE_CHARS or code.lower() == "general":
        return GENERAL
    return _compiled(code, date1904)


@lru_cache(maxsize=1024)
def _compiled(code: str, date1904: bool) -> NumberFormat:
    """One for the process: workbook after workbook has the same codes."""
    sections = split_sections(code)
    for_text = sections[3] if len(sections) == 4 else sections[-1] if sections[-1].is_text else None
    numeric = sections[:3] if len(sections) == 4 else [s for s in sections if s is not for_text]
    first = numeric[0] if numeric else None
    dated = bool(first and first.is_date and not any(kind == "elapsed" for kind, _ in first.tokens))
    try:
        number = _safe(_number(numeric, date1904=date1904)) if numeric else general
    except ArithmeticError:  # a hundred percent signs
        number = general
    return NumberFormat(code, number, _text(for_text) if for_text else None, dated)


def _safe(render: Callable[[float], str]) -> Callable[[float], str]:
    """Numbers a code would scale or round beyond all bounds show as General shows them."""

    def safe(value: float) -> str:
        try:
            return render(value)
        except ArithmeticError:
            return general(value)

    return safe


def _text(section: Section) -> Callable[[str], str] | None:
    pieces = section.tokens
    if [kind for kind, text in pieces if text.strip()] in (["at"], ["general"]):
        return None

    def render(value: str) -> str:
        return "".join([value if kind in ("at", "general") else text for kind, text in pieces]).strip()

    return render


def _number(sections: list[Section], *, date1904: bool) -> Callable[[float], str]:
    renders = [_section(section, date1904=date1904) for section in sections]
    only = renders[0]
    if len(sections) == 1 and sections[0].condition is None:
        if sections[0].is_date:
            return lambda value: only(value).strip() if isfinite(value) else general(value)

        def single(value: float) -> str:
            if not isfinite(value):
                return general(value)
            return ("-" + only(-value) if value < 0 else only(value)).strip()

        return single
    choose = _chooser(sections)

    def several(value: float) -> str:
        if not isfinite(value):
            return general(value)
        index, signed = choose(value)
        if index is None:
            return general(value)
        if value < 0 and not sections[index].is_date:
            text = renders[index](-value)
            return ("-" + text if signed else text).strip()
        return renders[index](value).strip()

    return several


def _section(section: Section, *, date1904: bool) -> Callable[[float], str]:
    return date_renderer(section, date1904=date1904) if section.is_date else number_renderer(section)


def _chooser(sections: list[Section]) -> Callable[[float], tuple[int | None, bool]]:
    """Which section shows a number, and whether a minus sign is put before it."""
    conditions = [section.condition for section in sections]
    if not any(conditions):
        zero = 2 if len(sections) > 2 else 0
        return lambda value: (0, False) if value > 0 else (1, False) if value < 0 else (zero, False)

    def choose(value: float) -> tuple[int | None, bool]:
        for index, condition in enumerate(conditions):
            if condition is None:
                # A bare section takes what the conditions before it left, or by its place: negatives second.
                if index == 0 and len(sections) > 1 and value <= 0:
                    continue
                if index == 1 and len(sections) > 2 and value >= 0:
                    continue
                earlier = conditions[index - 1] if index else None
                implied = index == 1 and (earlier is None or earlier.leaves_negative() or len(sections) > 2)
                return index, not implied
            if condition.holds(value):
                return index, not condition.only_negative()
        return (len(sections) - 1, True) if len(sections) > 2 else (None, True)

    return choose
