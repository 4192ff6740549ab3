"""Axes: a range of values to round ticks, values to pixels, numbers to short labels.

Not responsible for drawing. Ticks follow Heckbert, "Nice Numbers for Graph Labels" (Graphics Gems, 1990)."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

_QUOTED = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]\-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.')
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.([#0?]+))?")
_MAX_VALUE = 1e300  # beyond it differences overflow; nobody can see the difference


@dataclass(frozen=True)
class Scale:
    """A linear axis: `ticks` rise; `low`/`high` are its ends; `start`/`end` their pixels (end may be above start)."""

    low: float
    high: float
    ticks: tuple[float, ...]
    start: float = 0.0
    end: float = 1.0

    def at(self, value: float) -> float:
        """The pixel of a value, kept within the axis."""
        share = (clamped(value) / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def over(self, start: float, end: float) -> "Scale":
        """The same values over other pixels."""
        return Scale(self.low, self.high, self.ticks, start, end)


def clamped(value: float) -> float:
    """A value small enough to reckon with."""
    return min(max(value, -_MAX_VALUE), _MAX_VALUE)


def nice_scale(values: Iterable[float], most: int, *, zero: bool, spread: float = 1 / 6) -> Scale:
    """A scale around `values` with at most about `most` ticks. `zero`: the axis must reach zero (bars, areas); others
    give zero up when their values vary by less than `spread` of their size: a sixth, as spreadsheets do."""
    known = [clamped(value) for value in values]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    size = max(abs(low), abs(high))
    if zero or (high / 2 - low / 2) * 2 > size * spread:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        low, high = (low - abs(low) / 10, high + abs(high) / 10) if low else (0.0, 1.0)
    step = _step((high / 2 - low / 2) / max(most - 1, 1) * 2)
    first, last = math.floor(low / step), math.ceil(high / step)
    if not zero and last - first < 2:
        last = first + 2
    ticks = tuple(number * step for number in range(first, last + 1))
    if len(ticks) < 2 or ticks[0] == ticks[-1]:  # a range narrower than floating point can divide
        ticks = (low, high)
    return Scale(ticks[0], ticks[-1], ticks)


def _step(rough: float) -> float:
    if not rough > 0 or not math.isfinite(rough):
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    if power == 0:
        return rough
    share = rough / power
    return (1 if share <= 1.0001 else 2 if share <= 2.0001 else 5 if share <= 5.0001 else 10) * power


def number_label(value: float, code: str = "", step: float = 0.0) -> str:
    """A number as an axis shows it. `code` is a number format (ECMA-376 part 1 §18.8.31), of which percent, decimals,
    thousands and literal words are honoured; without one, as many decimals as `step` needs, and K, M, B, T for the
    large."""
    shown = _by_code(value, code) if code and code.lower() != "general" else ""
    if shown:
        return shown
    if value == 0:
        return "0"
    size = max(abs(value), abs(step))
    if size >= 1e15 or size < 1e-4:
        return f"{value:.3g}".replace("e+", "e")
    for limit, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e4, "K")):
        if size >= limit and abs(value) >= limit / 10:
            return f"{value / limit * (10 if letter == 'K' else 1):.4g}{letter}"
    decimals = max(0, -math.floor(math.log10(abs(step)) + 1e-9)) if step else 0
    if not step:
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,.{min(decimals, 12)}f}"


def _by_code(value: float, code: str) -> str:
    sections = code[:255].split(";")  # as long as Excel allows
    section = sections[1] if value < 0 and len(sections) > 1 and sections[1] else sections[0]
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return chr(0xE000 + len(literals) - 1) if len(literals) < 0x1000 else ""

    bare = _QUOTED.sub(keep, section)
    digits = _DIGITS.search(bare)
    if digits is None or re.search(r"[dyhsmE]", bare, re.IGNORECASE):
        return ""
    if "%" in bare:
        value *= 100
    decimals = min(len(digits[1] or ""), 8)
    if "," in digits[0]:
        value /= 1000 ** (len(digits[0].partition(".")[0]) - len(digits[0].partition(".")[0].rstrip(",")))
    grouped = "," if "," in digits[0].partition(".")[0].rstrip(",") else ""
    number = abs(value) if section is not sections[0] else value
    if abs(number) >= 1e15:
        return ""
    text = bare[: digits.start()] + f"{number:{grouped}.{decimals}f}" + bare[digits.end() :]
    for index, literal in enumerate(literals):
        text = text.replace(chr(0xE000 + index), literal)
    return text.strip()
