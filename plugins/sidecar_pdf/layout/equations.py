"""Tells displayed equations from text, line by line, and gathers the pieces fractions and limits fall into."""

from __future__ import annotations

import re

from sidecar_pdf.layout.lines import Line
from sidecar_pdf.text.segments import Word

_EQUATION_NUMBER = re.compile(r"^[(\[]\s?([A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?'?)\s?[)\]]$")
_MATH = re.compile(r"[=≤≥≠≈∼≃≡∝∈∉⊂⊆∪∩∑∏∫∂∇√∞±×÷·⋅∘→←↔⇒⇔∀∃¬∧∨⊕⊗α-ωΑ-Ω⟨⟩‖∣ℝℕℤ𝑎-𝟿]|\\[a-z]+")
_RELATION = re.compile(r"[=≤≥≈∝≡→∈<>]")
_OPERATOR = re.compile(r"[=≤≥≈∝≡→∈<>+−*/^·×±]")
_END = re.compile(r"[.!?:;。！？：；…][\"'”’)\]]*$")
_ITEM = re.compile(r"[•◦▪‣●○■□–—]\s|-\s+[a-zA-Z]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]{4,}[,;:.]?$")
_NAMES = frozenset(
    ("sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "argmax", "argmin", "rank", "sign", "diag", "span", "trace",
     "prob", "mean", "median")
)  # fmt: skip


def number_of(line: Line) -> str:
    """The number at the right end of an equation's line ("(3.2)" gives "3.2"), or ""."""
    words = line.segments[-1].words
    match = _EQUATION_NUMBER.match(words[-1].text)
    if match is None:
        return ""
    if len(words) > 1 and words[-1].x0 - words[-2].x1 < 0.8 * line.size and len(line.segments) == 1:
        return ""
    return match[1]


def is_equation(line: Line, left: float, right: float, lead: float, before: Line | None) -> bool:
    """A displayed equation: mathematical type or signs, indented or numbered at the margin, hardly a running word.
    `before` is the line above it in the column, whose sentence may run on into a line of symbols; `lead` the usual
    distance from line to line."""
    words = [word for segment in line.segments for word in segment.words]
    chars = sum(len(word.text) for word in words)
    if chars < 3 or chars > 220 or not any(char.isalpha() for char in line.text):
        return False
    if sum(len(word.text) for word in words if word.style.mono) > 0.5 * chars:
        return False  # a line of code
    number = number_of(line)
    signs = len(_MATH.findall(line.text))
    in_math = sum(len(word.text) for word in words if word.style.math)
    plain = _plain(words)
    if plain > 2 + len(words) // 6:
        return False
    indented = line.x0 > left + 1.2 * line.size and (line.x1 < right - 1.2 * line.size or bool(number))
    if number and len(words) > 1:
        return (signs > 0 or in_math > 0.25 * chars) and (indented or in_math > 0.4 * chars)
    if _ITEM.match(line.text):
        return False
    if not indented:
        full = before is not None and before.x1 > right - line.size and not _END.search(before.text)
        close = before is not None and line.y1 - before.y1 < 1.15 * lead
        if full or close or _opens_sentence(words[0]):
            return False
    has_relation = _RELATION.search(line.text) is not None
    operators = len(_OPERATOR.findall(line.text))
    margin = min(line.x0 - left, right - line.x1)
    if plain == 0 and has_relation and margin > (3.0 if operators < 2 else 1.5) * line.size and len(words) > 1:
        return in_math > 0 or operators >= 2
    indented = indented or (in_math > 0.5 * chars and plain == 0 and len(words) > 3)
    return indented and has_relation and (in_math > 0.25 * chars or signs >= 3)


def _opens_sentence(word: Word) -> bool:
    return not word.style.math and word.text[:1].isupper() and word.text.isalpha() and 2 <= len(word.text) <= 12


def belongs_to_equation(group: list[Line], line: Line, lead: float, left: float) -> bool:
    """The lower half of a fraction, or limits of a sum, right under an equation."""
    words = [word for segment in line.segments for word in segment.words]
    if line.y0 < group[-1].y1 - 0.3 * line.size and _is_fragment(line):
        return True
    return (
        line.y0 - group[-1].y1 < 0.25 * lead and len(words) <= 6 and line.x0 > left + line.size
        and len(line.text) <= 24 and not _END.search(line.text)
    )  # fmt: skip


def carries_on(group: list[Line], line: Line, lead: float) -> bool:
    """Whether one more line of symbols belongs to the equation above it: close under it, and not after its number
    unless it opens with the sign that links the two."""
    if line.y0 - group[-1].y1 > 0.7 * lead:
        return False
    return not number_of(group[-1]) or (bool(_RELATION.match(line.text)) and not number_of(line))


def gather_equations(groups: list[list[Line]], kinds: list[str], lead: float) -> tuple[list[list[Line]], list[str]]:
    """Joins to an equation the numerators above it: lines of symbols that stand over its width and touch it."""
    gathered: list[list[Line]] = []
    kept: list[str] = []
    for group, kind in zip(groups, kinds, strict=True):
        if kind == "equation" and kept and kept[-1] == "text" and _is_upper_part(gathered[-1], group, lead):
            gathered[-1] = [*gathered[-1], *group]
            kept[-1] = kind
        else:
            gathered.append(group)
            kept.append(kind)
        if kept[-2:] == ["equation", "equation"] and _links(gathered[-2], gathered[-1], lead):
            gathered[-2:] = [[*gathered[-2], *gathered[-1]]]
            kept.pop()
    return gathered, kept


def _links(above: list[Line], below: list[Line], lead: float) -> bool:
    """Whether the second of two equations opens with the sign that links it to the first."""
    opening = any(_RELATION.match(line.text) for line in below[:2])
    return opening and not any(number_of(line) for line in below) and below[0].y0 - above[-1].y1 < 0.7 * lead


def _is_upper_part(above: list[Line], equation: list[Line], lead: float) -> bool:
    if len(above) > 1 or not _is_fragment(above[0]):
        return False
    line = above[0]
    left, right = min(g.x0 for g in equation), max(g.x1 for g in equation)
    return (
        equation[0].y0 - line.y1 < 0.12 * lead
        and line.x0 > left - line.size and line.x1 < right + line.size
        and line.x1 - line.x0 < 0.8 * (right - left)
    )  # fmt: skip


def _is_fragment(line: Line) -> bool:
    words = [word for segment in line.segments for word in segment.words]
    return len(words) <= 14 and len(line.text) <= 70 and _plain(words) == 0


def _plain(words: list[Word]) -> int:
    """Words of a language, function names aside."""
    return sum(
        1 for w in words if not w.style.math and _LATIN.match(w.text) and w.text.strip(",;:.").lower() not in _NAMES
    )
