"""Tells displayed equations from text, line by line, and gathers the pieces fractions and limits fall into."""

import re
from itertools import islice

from sidecar_pdf.layout.lines import Line
from sidecar_pdf.layout.scripts import SMALLER
from sidecar_pdf.text.segments import Segment, Word

_EQUATION_NUMBER = re.compile(r"^[(\[]\s?([A-Z]?\.?\d{1,3}(?:[.\-–]\d{1,3}){0,2}[a-z]?'?)\s?[)\]]$")
_MATH = re.compile(r"[=≤≥≠≪≫≈∼≃≅≡∝∈∉⊂⊆∪∩∑∏∫∬∮∂∇√∞±×÷·⋅∘→←↔↦⟶⟹⟺⇒⇔∀∃¬∧∨⊕⊗α-ωΑ-Ω⟨⟩⌊⌋⌈⌉‖∣ℝℕℤ𝑎-𝟿]|\\[a-z]+")
_RELATION = re.compile(r"[=≠≤≥≲≳≪≫≈∼≃≅≡≢∝→←↔↦⟶⟹⟺⇒⇔∈∉∋⊂⊆⊃⊇≺≻⊢⊨≜≔<>]")
_OPERATOR = re.compile(rf"{_RELATION.pattern}|[+−*/^·×±∪∩∧∨⊕⊗∘∖]")
_VARIABLE = re.compile(r"[^\W\d_]{3}")
"""What letters set as variables are not: words."""
_END = re.compile(r"[.!?:;。．！？：；…][\"'”’)\]]*$")
_WORDED = re.compile(r"[.;:!?]$|[^\W\d_]{4}")
"""What ends a sentence, or is a word of one."""
_ITEM = re.compile(r"[•◦▪‣●○■□–—]\s|-\s+[a-zA-Z]")
_SENTENCE = re.compile(
    r"[A-Z][a-z]{2,}\s\d{1,2}(?:\.\d{1,2}){0,2}[.:]?\s|(?:\(?[ivx]{1,4}\)|\d{1,2}\.)\s[A-Z][a-z]+\s|\d{1,2}[A-Z][a-z]{2,}\s[a-z]{2}"
)
"""How a caption, a theorem, an item of a list or a note begins, of whose words few may be none of mathematics."""
_LATIN = re.compile(r"(?![A-Za-z]{1,3}[a-z][A-Z][,;:.]?$|[a-z](?:sin|cos|tan|exp|det)[,;:.]?$)[A-Za-zÀ-ɏ]{4,}[,;:.]?$")
"""A word, which short products of variables, such as those of `C_p dT` and `i sin x`, are none of."""
_WORD = re.compile(r"[^\W\d_]{4}")
_DOTS = re.compile(r"[.·⋅⋮⋱⋯…]+")
_ALPHABET = re.compile("[\U0001d400-\U0001d7ffℎ]")
"""A letter of a mathematical alphabet, as browsers write variables with."""
_LEAD = re.compile(r"or|so|if|as|by|is|[A-Za-zÀ-ɏ][a-zß-ɏ]{2,}")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_SHORT_NAMES = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "log", "ln", "lg", "exp", "lim", "max", "min", "sup", "inf", "det", "dim",
     "ker", "arg", "gcd", "mod", "deg")
)  # fmt: skip
_NAMES = frozenset(
    ("sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "argmax", "argmin", "rank", "sign", "diag", "span", "trace",
     "prob", "mean", "median")
)  # fmt: skip

# Ems and leadings. Chosen on the corpus (tests/bench/layout/pdf_elements.py).
_DISPLAY_GAP, _DISPLAY_DROP = 3.0, 0.5  # ems between a line and a display beside it; by which that reaches lower
_INDENT = 1.2  # ems from both edges of the column, or from the left where it has a number
_MARGIN, _ONE_SIGN_MARGIN = 1.5, 3.0  # ems from both edges of a line of symbols; with a single operator
_SAME_EDGE = 0.3  # ems between the left edges of two lines of one paragraph
_CLOSE = 1.15  # leadings from the line above whose sentence runs on
_FRACTION_OVERLAP, _FRACTION_GAP = 0.3, 0.25  # ems the halves of a fraction overlap; leadings between them
_CONTINUED_GAP, _NUMERATOR_GAP = 0.7, 0.12  # leadings between lines of an equation; between numerator and fraction
# Shares of characters or widths.
_SOME_MATH, _MUCH_MATH, _MOSTLY_MATH, _ALL_MATH, _ONLY_MATH = 0.25, 0.4, 0.5, 0.6, 0.95  # in mathematical type
_CODE = 0.5  # in a typewriter face
_NUMERATOR_WIDTH = 0.8  # of the fraction
# Counts.
_MIN_CHARS, _MAX_CHARS = 3, 220
_PLAIN_WORDS, _WORDS_PER_PLAIN = 2, 6  # words of a language; words of the line for each further one
_SIGNS, _OPERATORS = 3, 2  # that make a line with a relation an equation
_LIMIT_WORDS, _LIMIT_CHARS, _FRAGMENT_WORDS, _FRAGMENT_CHARS = 6, 24, 14, 70  # of limits, and of a half of a fraction


def math_characters(words: list[Word]) -> int:
    """The characters of words set in mathematical type, or in italics as variables are, with what is joined to them."""
    count, in_math = 0, False
    for w in words:
        variable = w.style.italic and w.text[0].isalpha() and not _VARIABLE.search(w.text)
        in_math = w.style.math or variable or (w.joined and in_math)
        count += len(w.text) if in_math else 0
    return count


def number_of(line: Line) -> str:
    """The number at the right end of an equation's line ("(3.2)" gives "3.2"), or ""."""
    words = line.segments[-1].words
    match = _EQUATION_NUMBER.match(words[-1].text)
    if match is None or (len(words) > 1 and len(line.segments) == 1):
        return ""
    return match[1]


def _is_symbols(text: str) -> bool:
    """Whether a text has letters of a mathematical alphabet about a relation, and no words but names of functions."""
    if _ALPHABET.search(text) is None or _RELATION.search(text) is None:
        return False
    return all(name in _SHORT_NAMES for name in _LETTERS.findall(text))


def are_formulas(rows: list[list[Segment]], *, aligned: bool) -> bool:
    """Whether rows are formulas with little between them, or nothing where they are `aligned` as those of a table are
    and not by chance: the rows of a matrix, or of a system. Scripts, dots for what is left out and numbers of equations
    tell nothing."""
    words = [word for row in rows for segment in row for word in segment.words]
    words = [w for w in words if not (w.joined or _DOTS.fullmatch(w.text) or _EQUATION_NUMBER.match(w.text))]
    signs = sum(word.style.math or _MATH.search(word.text) is not None for word in words)
    related = sum(any(_RELATION.search(segment.text) for segment in row) for row in rows)
    return related > 0 and signs > (_ONLY_MATH if aligned else _SOME_MATH) * len(words)


def are_numbered(rows: list[list[Segment]]) -> bool:
    """Whether rows, which stand aligned, are lines of formulas with their numbers at the right, or halves of their
    fractions between these."""
    numbered = 0
    for row in rows:
        *segments, number = sorted(row, key=lambda segment: segment.x0)
        shown = [word for segment in segments for word in segment.words]
        if len(number.words) == 1 and _EQUATION_NUMBER.match(number.text):
            if not shown or not any(_RELATION.search(word.text) for word in shown):
                return False
            numbered += 1
        else:
            shown += number.words
            if not any(word.style.math for word in shown):
                return False
        if _plain(shown, 0):
            return False
    return numbered > 1


def part_displays(lines: list[Line], left: float) -> list[Line]:
    """The lines of a column with each short one at its left edge, such as "where", parted from the display that TeX
    sets beside it: far to its right, and lower than its baseline."""
    parted: list[Line] = []
    for line in lines:
        at = _display_start(line) if len(line.segments) > 1 and line.x0 < left + _INDENT * line.size else 0
        parted += [Line(line.segments[:at]), Line(line.segments[at:])] if at else [line]
    return parted


def _display_start(line: Line) -> int:
    """The segment with which a display begins beside the words of a line, or 0."""
    segments = line.segments
    at = next((at for at in range(1, len(segments))
               if segments[at].x0 - segments[at - 1].x1 > _DISPLAY_GAP * line.size), 0)  # fmt: skip
    shown = segments[at:] if at else []
    words = [word for segment in shown for word in segment.words]
    foot = max(segment.y1 for segment in segments[:at]) if at else 0.0
    if not words or max(segment.y1 for segment in shown) < foot + _DISPLAY_DROP * line.size:
        return 0
    in_math = math_characters(words) > _SOME_MATH * sum(len(word.text) for word in words)
    return at if in_math and not _plain(words, 0) and _is_lead(segments[0].words[0]) else 0


def _is_lead(word: Word) -> bool:
    """Whether a word of a language stands where a display may begin beside it: no differential, no function."""
    text = word.text.strip(",;:.")
    return not word.style.math and _LEAD.fullmatch(text) is not None and text not in _SHORT_NAMES


def is_equation(line: Line, left: float, right: float, leading: float, before: Line | None) -> bool:
    """A displayed equation: mathematical type or signs, indented or numbered at the margin, hardly a running word.
    `before` is the line above it in the column, whose sentence may run on into a line of symbols; `leading` the usual
    distance from line to line."""
    text, number = line.text, number_of(line)
    has_relation = _RELATION.search(text) is not None
    plainly = not has_relation and not number and _MATH.search(text) is None
    if plainly and not any(word.style.math for word in line.words[:3]):
        return False  # nearly all text
    words = line.words
    chars = sum(len(word.text) for word in words)
    least = _MIN_CHARS - (_ALPHABET.search(text) is not None)  # "= k" between two fractions
    if not least <= chars <= _MAX_CHARS or not any(char.isalpha() for char in text) or _SENTENCE.match(text):
        return False
    if sum(len(word.text) for word in words if word.style.mono) > _CODE * chars:
        return False
    most = _PLAIN_WORDS + len(words) // _WORDS_PER_PLAIN
    plain = _plain(words, most)
    if plain > most:
        return False
    signs, in_math = len(_MATH.findall(text)), math_characters(words)
    if not has_relation and not number:
        apart = min(line.x0 - left, right - line.x1) > _ONE_SIGN_MARGIN * line.size
        worded = plain or _WORD.search(text)
        named = all(name in _SHORT_NAMES for w in words if not w.style.math for name in _LETTERS.findall(w.text))
        mathematical = in_math > (_SOME_MATH if named else _ALL_MATH) * chars
        return apart and not worded and mathematical and bool(signs or _OPERATOR.search(text))
    air = _INDENT * line.size
    indented = line.x0 > left + air and (line.x1 < right - air or bool(number))
    if _is_symbols(text) and line.x0 > left + air:
        return True
    if number and len(words) > 1:
        return (signs > 0 or in_math > _SOME_MATH * chars) and (indented or in_math > _MUCH_MATH * chars)
    if _ITEM.match(text) or (not indented and _runs_on(line, right, leading, before)):
        return False
    if plain and before is not None and _is_cut(before, right) and _is_under(line, before):
        return False
    operators = len(_OPERATOR.findall(text))
    margin = min(line.x0 - left, right - line.x1)
    least = (_ONE_SIGN_MARGIN if operators < _OPERATORS else _MARGIN) * line.size
    if plain == 0 and has_relation and margin > least and len(words) > 1:
        return in_math > 0 or operators >= _OPERATORS
    indented = indented or (in_math > _MOSTLY_MATH * chars and plain == 0 and len(words) > 3)
    return indented and has_relation and (in_math > _SOME_MATH * chars or signs >= _SIGNS)


def _runs_on(line: Line, right: float, leading: float, before: Line | None) -> bool:
    """Whether a sentence runs on into the line, or begins with it."""
    if before is not None and (_is_cut(before, right) or line.y1 - before.y1 < _CLOSE * leading):
        return True
    return _opens_sentence(line.words[0])


def _is_under(line: Line, before: Line) -> bool:
    """Whether a line begins under the one above, or under what stands behind its list marker."""
    return any(abs(line.x0 - word.x0) < _SAME_EDGE * line.size for word in before.words[:2])


def _is_cut(line: Line, right: float) -> bool:
    """Whether a line is full and ends in the midst of a sentence."""
    return line.x1 > right - line.size and not _END.search(line.text)


def _opens_sentence(word: Word) -> bool:
    return not word.style.math and word.text[:1].isupper() and word.text.isalpha() and 2 <= len(word.text) <= 12


def belongs_to_equation(group: list[Line], line: Line, leading: float, left: float) -> bool:
    """The lower half of a fraction, or limits of a sum, right under an equation."""
    if line.y0 < group[-1].y1 - _FRACTION_OVERLAP * line.size and _is_fragment(line):
        return True
    return (
        line.y0 - group[-1].y1 < _FRACTION_GAP * leading and len(line.words) <= _LIMIT_WORDS
        and line.x0 > left + line.size and len(line.text) <= _LIMIT_CHARS and not _END.search(line.text)
    )  # fmt: skip


def carries_on(group: list[Line], line: Line, leading: float) -> bool:
    """Whether one more line of symbols belongs to the equation above it: close under it, and not after its number
    unless it opens with the sign that links the two."""
    if line.y0 - group[-1].y1 > _CONTINUED_GAP * leading:
        return False
    return not number_of(group[-1]) or (bool(_RELATION.match(line.text)) and not number_of(line))


def gather_equations(groups: list[list[Line]], kinds: list[str], leading: float) -> tuple[list[list[Line]], list[str]]:
    """Joins to an equation the numerators above it: lines of symbols that stand over its width and touch it."""
    gathered: list[list[Line]] = []
    kept: list[str] = []
    for group, kind in zip(groups, kinds, strict=True):
        if kind == "equation" and kept and kept[-1] == "text" and _opens_above(gathered[-1], group, leading):
            gathered[-1:] = [gathered[-1][:-1], gathered[-1][-1:]]
            kept.append("text")
        if kind == "equation" and kept and kept[-1] == "text" and _is_upper_part(gathered[-1], group, leading):
            gathered[-1] = [*gathered[-1], *group]
            kept[-1] = kind
        else:
            gathered.append(group)
            kept.append(kind)
        if kept[-2:] == ["equation", "equation"] and _links(gathered[-2], gathered[-1], leading):
            gathered[-2:] = [[*gathered[-2], *gathered[-1]]]
            kept.pop()
    return gathered, kept


def _links(above: list[Line], below: list[Line], leading: float) -> bool:
    """Whether the second of two equations opens with the sign that links it to the first."""
    opening = any(_RELATION.match(line.text) for line in below[:2])
    return (
        opening and not any(number_of(line) for line in below) and below[0].y0 - above[-1].y1 < _CONTINUED_GAP * leading
    )


def _opens_above(above: list[Line], equation: list[Line], leading: float) -> bool:
    """Whether the last line of a paragraph is rather the upper part of the equation under it, close under a short line
    as TeX sets it."""
    return len(above) > 1 and _WORDED.search(above[-1].text) is None and _is_upper_part(above[-1:], equation, leading)


def _is_upper_part(above: list[Line], equation: list[Line], leading: float) -> bool:
    if len(above) > 1 or not _is_fragment(above[0]):
        return False
    line = above[0]
    left, right = min(g.x0 for g in equation), max(g.x1 for g in equation)
    return (
        equation[0].y0 - line.y1 < _NUMERATOR_GAP * leading
        and line.x0 > left - line.size and line.x1 < right + line.size
        and line.x1 - line.x0 < _NUMERATOR_WIDTH * (right - left)
    )  # fmt: skip


def _is_fragment(line: Line) -> bool:
    words = line.words
    return len(words) <= _FRAGMENT_WORDS and len(line.text) <= _FRAGMENT_CHARS and not _plain(words, 0)


def _plain(words: list[Word], most: int) -> int:
    """Words of a language, function names and indices aside; one more than `most` where there are more."""
    size = max((w.style.size for w in words), default=0.0)
    plain = (
        1 for w in words
        if not w.style.math and _LATIN.match(w.text) and w.text.strip(",;:.").lower() not in _NAMES
        and not (w.joined and w.style.size < SMALLER * size)
    )  # fmt: skip
    return sum(islice(plain, most + 1))
