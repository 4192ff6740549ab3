"""Types the sub- and superscripts of formulas in the middle of a sentence: `x^2`, `a_1`, `e^(−kt)`; raised numbers of
notes, which stand beside words of a language, stay as they are."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from sidecar_pdf.text.segments import Word

_ALPHABET = re.compile("[\U0001d400-\U0001d7ffℎℝℕℤΑ-Ωα-ω]")
"""A letter of a mathematical alphabet, or a Greek one."""
_CLOSING = re.compile(r"[)\]|\d]$")
"""What letters in mathematical type may be scripts of."""
_CLOSERS = frozenset(")]}|⟩∑∏∫⋃⋂∞′*⌉⌋∂∇‖")
"""Signs that may have scripts; letters and figures may."""
_OPENED = re.compile(r"[(\[{|−+=<>≤≥∼≈∈→×·/][A-Za-z]$")
"""A letter right behind a bracket or sign, in whose type a word of both counts."""
_NAMED = re.compile(r"(?:log|lim|max|min|sup|inf|arg)$")
"""What is written with an index."""
_MARKS = "\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u20d7"
"""Marks over letters that are not a character together."""
_OVER = dict(zip("^ˆ~˜¯‾ˉ˘˙¨ˇ→" + _MARKS, "\u0302\u0302\u0303\u0303\u0304\u0304" + _MARKS[2:] + _MARKS, strict=True))
"""What stands for a mark over a letter where it is drawn by itself."""
MARKS = frozenset(_OVER)
_HATTED = re.compile(r"([^\W\d_])([\^ˉ˘ˇ])(?![\w(∗*⊤⊺†+−-])")
_ROOTS, _RINGS, _TIMES = {"3": "∛", "4": "∜"}, frozenset("◦∘○"), frozenset("×·⋅")
_BRACKETED = re.compile(r"\([^()]*\)")
_TERM = re.compile(r"√?(?:[^\W_]|[.,′]|_(?!\())++(?:[_^](?:(?:[^\W_]|_(?!\())++|\([^()]*\)))*")
"""One term: a number, letters, and their scripts."""
_PRIMES = "′″‴"
_MINUS = frozenset("−–-")
_TRANSPOSED = frozenset("⊤⊺")
_RAISED_SIGNS = _MINUS | _TRANSPOSED | {"+"}
_SIGNS = frozenset("+−=×·<>≤≥")
_POWER = re.compile(r"[−–-]\d+$")
"""A power of a number that notes cannot be."""
_NOTE_MARK = re.compile(r"\d{1,3}|[*∗†‡§¶]{1,3}")
"""What calls a note where it is raised."""
_NUMBER = re.compile(r"[-−–]?\d{1,3}")
_UNIT = re.compile(r"(?:^|[\W\d_])(?:[a-zµ]{1,2}|[A-Z])$|\d$")
"""Ends a word that may have a power: a unit, a variable or a number."""
# Chosen on typeset formulas (tests/bench/layout/pdf_equations.py).
SMALLER = 0.85  # of the size of its base: a script
_RAISED_FOOT = 0.15  # of its line's height, by which its foot stands over the line's: the mark of a note, or a power
_RAISED, _LOWERED = -0.08, 0.13  # ems of the base, from its middle to that of its script
_SUNK = 0.05  # by which both its ends are lower: where boxes are those of the ink, middles tell less
_MAX_LOOKED_BACK = 32  # words in which parentheses are opened
_NEAR = 0.35  # ems from a base, or script, to the next script


def may_be_script(word: Word) -> bool:
    """Whether a line that holds a word is looked through for scripts: it is of a formula, a power below 0, or a letter
    in italics alone."""
    alone = word.style.italic and word.text[0].isalpha() and (len(word.text) == 1 or word.text[1:] in MARKS)
    return word.style.math or alone or (word.joined and word.text[0] in _MINUS)


def typed_scripts(stretches: list[list[Word]]) -> list[Word]:
    """The words of the stretches of a line, each run of scripts as one word that is joined to its base."""
    words = [word if at else word._replace(joined=False) for words in stretches for at, word in enumerate(words)]
    words = _with_marks(words)
    typed: list[Word] = []
    base: Word | None = None
    runs: list[tuple[str, list[Word]]] = []
    for at, word in enumerate(words):
        before = typed[-2].text if len(typed) > 1 and not runs else ""
        after = words[at + 1] if at + 1 < len(words) else word
        if base is not None and not runs and (sign := one_sign(base, word)):
            typed[-1] = base = base._replace(text=sign, x1=max(base.x1, word.x1))
            continue
        side = _side(base, runs, word, (before, after)) if base is not None else ""
        if base is not None and not (side or runs) and _is_raised_behind(typed, word):
            side = "^"
        if runs and not side and _is_nested(runs[-1][1], word):
            side = runs[-1][0]
        if not side:
            typed += _typed(runs, base)
            typed.append(word)
            base, runs = word, []
        elif runs and runs[-1][0] == side:
            runs[-1][1].append(word)
        else:
            runs.append((side, [word]))
    return _with_ellipses(typed + _typed(runs, base))


def _with_marks(words: list[Word]) -> list[Word]:
    """The words with each mark drawn by itself that stands over a letter of the word before or behind it as that
    letter's."""
    made: list[Word | None] = [
        w._replace(text=_own_mark(w)) if w.text[:1] in _OVER or _HATTED.search(w.text) else w for w in words
    ]
    for at, word in enumerate(words):
        mark = _OVER.get(word.text, "")
        for near in (at - 1, at + 1) if mark else ():
            host = made[near] if 0 <= near < len(made) else None
            if host is not None and (text := _marked(host, word, mark)):
                made[near] = host._replace(text=text, joined=(word if near > at else host).joined)
                made[at] = None
                break
    return [word for word in made if word is not None]


def _own_mark(word: Word) -> str:
    """The text of a word that a mark begins, or the hat behind a letter of a formula, with the mark on its letter."""
    text = word.text
    drawn = not word.style.font if text[0] in "~˜ˆ" else word.style.math and not word.joined and text[0] == "^"
    if text[0] in _OVER and text[1:2].isalpha() and (text[0] in _MARKS or drawn):
        text = text[1] + _OVER[text[0]] + text[2:]
    if word.style.math or word.style.italic:
        text = _HATTED.sub(lambda match: match[1] + _OVER[match[2]], text)
    return unicodedata.normalize("NFC", text)


def _marked(host: Word, word: Word, mark: str) -> str:
    """The text of a word with a mark over the letter that another word stands over; "" where it stands over none."""
    share = ((word.x0 + word.x1) / 2 - host.x0) / max(host.x1 - host.x0, _NEAR)
    place = int(share * len(host.text))
    over = word.text == mark or word.y0 + word.y1 < host.y0 + host.y1
    if not over or not 0 <= share < 1 or not host.text[place].isalpha():
        return ""
    return unicodedata.normalize("NFC", f"{host.text[: place + 1]}{mark}{host.text[place + 1 :]}")


def _is_nested(run: list[Word], word: Word) -> bool:
    """Whether a word is a script of a script, wherever between the two sides of the line it stands."""
    em = run[0].style.size
    return word.style.size < SMALLER * em and -_NEAR * em < word.x0 - run[-1].x1 < _NEAR * em


def one_sign(base: Word, word: Word) -> str:
    """A word with a small one that belongs into it: a root with its index, a number with the ring of degrees; "" of
    others."""
    if word.style.size >= SMALLER * base.style.size or word.y0 + word.y1 >= base.y0 + base.y1:
        return ""
    if base.text == "√" and word.x0 < base.x1:
        return _ROOTS.get(word.text, f"{word.text}√") if word.text.isalnum() else ""
    degrees = word.text in _RINGS and base.text[-1:].isdigit() and word.x0 - base.x1 < _NEAR * base.style.size
    return f"{base.text}°" if degrees else ""


def _with_ellipses(words: list[Word]) -> list[Word]:
    """The words with three dots of mathematical type, set apart, as one sign."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        dots = words[at : at + len("...")]
        after = words[at + len(dots) : at + len(dots) + 1]
        alone = len(dots) == len("...") and all(word.text != "." for word in (*found[-1:], *after))
        if alone and all(word.text == "." and word.style.math for word in dots):
            found.append(dots[0]._replace(text="…", x1=dots[-1].x1))
            at += len(dots)
        else:
            found.append(words[at])
            at += 1
    return found


def _side(base: Word, runs: list[tuple[str, list[Word]]], word: Word, beside: tuple[str, Word]) -> str:
    """ "^" or "_" where a word is a script of a base that has these; "" where it is none. `beside` are the text before
    the base, and what follows the word."""
    em = base.style.size
    goes_on = bool(runs) and runs[-1][1][-1].text in _MINUS and word.text.isdigit()
    if word.style.size >= SMALLER * em or not (goes_on or _is_math(base, word) or _is_power(base, word, *beside)):
        return ""
    end = max([base.x1, *(run[-1].x1 for _, run in runs)])
    if word.x0 - end > _NEAR * em:
        return ""
    shift = ((word.y0 + word.y1) - (base.y0 + base.y1)) / 2
    sunk = min(word.y1 - base.y1, word.y0 - base.y0) > _SUNK * em  # a figure beside a low letter
    ink = base.style.math and not base.style.font and word.text[:1].isalnum()  # as browsers write MathJax
    sunk = sunk or (ink and shift > -_SUNK * em)
    return "^" if shift < _RAISED * em else "_" if shift > _LOWERED * em or sunk else ""


def _is_power(base: Word, word: Word, before: str, after: Word) -> bool:
    """Whether a raised number is the power of a ten that something is multiplied by, "3 × 10^8", or one below 0,
    "10^(−3)", or has a power of letters itself: "2^(2^n)"."""
    raised = word.text.isdigit() and word.y1 < base.y1
    if base.text.endswith("10") and (before + base.text)[-len("×10") :][:1] in _TIMES:
        return raised
    if word.text in _MINUS and after.text.isdigit() and base.text[-1:].isdigit():
        apart = after.x0 - word.x1 < _NEAR * word.style.size
        return apart and after.style.size < SMALLER * base.style.size and after.y1 < base.y1
    nested = after.style.size < SMALLER * word.style.size and after.x0 - word.x1 < _NEAR * word.style.size
    return raised and base.text[-1:].isdigit() and nested and _is_math(word, after)


def _is_math(base: Word, word: Word) -> bool:
    last = base.text.rstrip(_MARKS)[-1:]
    if not last.isalnum() and last not in _CLOSERS:
        return False  # a brace, or a sign
    if not word.text.strip(_PRIMES):
        return True
    if base.style.math or _ALPHABET.search(base.text) or _OPENED.search(base.text.rstrip(_MARKS)):
        return True
    if _POWER.match(word.text) and base.text[-1:].isdigit():
        return word.y0 + word.y1 < base.y0 + base.y1
    if _NAMED.search(base.text):
        return word.y0 + word.y1 > base.y0 + base.y1
    letter = word.style.math or _ALPHABET.search(word.text) is not None
    raised = word.y0 + word.y1 < base.y0 + base.y1
    if raised and base.style.italic and len(base.text) == 1:  # a power of a variable
        if letter or (word.style.italic and word.text.isalpha()):
            return True
        if base.text.islower() and word.text.isalnum():
            return len(word.text) == 1
    if not raised and last.isalpha():  # no number of a note
        if word.style.italic and word.text.isalpha():
            return True
        variable = (base.style.bold or base.style.italic) and not base.text.rstrip(_MARKS)[-2:-1].isalpha()
        return variable or (letter and word.text[:1].isalpha())
    return letter and any(map(str.isalnum, word.text)) and _CLOSING.search(base.text) is not None


def _is_raised_behind(typed: list[Word], word: Word) -> bool:
    """Whether a small number or sign is the power of what stands in the parentheses before it: there it is not a note's
    where that is a formula."""
    base = typed[-1]
    em = base.style.size
    if not base.text.endswith(")") or word.style.size >= SMALLER * em or word.x0 - base.x1 > _NEAR * em:
        return False
    if (word.y0 + word.y1 - base.y0 - base.y1) / 2 >= _RAISED * em:
        return False
    if not (word.text.isdigit() or word.text in _RAISED_SIGNS):
        return False
    depth, signs, mathematical = 0, False, False
    for before in reversed(typed[-_MAX_LOOKED_BACK:]):
        depth += before.text.count(")") - before.text.count("(")
        signs, mathematical = signs or before.text in _SIGNS, mathematical or before.style.math
        if depth <= 0:
            return signs or mathematical or word.text in _TRANSPOSED
    return False


def raised_as(word: Word, before: Word | None, top: float, foot: float) -> Literal["", "note", "sup"]:
    """Whether a small word is the raised mark of a note behind the word `before`, or where there is none that of the
    note or the verse that the line opens; or a raised number behind a unit, a variable or another number: their power,
    or the mark of a note, which nothing tells from it there. `top` and `foot` are those of its line, in points."""
    base = before.text if before is not None else ""
    if before is not None and word.style.size < SMALLER * before.style.size:
        top, foot = before.y0, before.y1  # lowered figures beside it may have drawn those of the line down
    if foot - word.y1 <= _RAISED_FOOT * (foot - top):
        return ""
    if _UNIT.search(base) or (word.text[0] in _MINUS and base[-1:].isalpha()):
        return "sup" if _NUMBER.fullmatch(word.text) else ""
    return "note" if _NOTE_MARK.fullmatch(word.text) else ""


def is_numerator(text: str, end: int) -> bool:
    """Whether a raised number that ends there stands over another in a fraction."""
    return text[end : end + 2].strip()[:1] in {"/", "⁄"}


def is_base(word: Word) -> bool:
    """Whether scripts may stand over one another beside a word: a sign or letter of formulas."""
    last = word.text.rstrip(_MARKS)[-1:]
    return last in "∑∫∏⋃⋂" or (last.isalnum() and (word.style.math or _ALPHABET.search(last) is not None))


def in_parentheses(text: str) -> str:
    """Typed text as a part of a fraction: in parentheses where it is more than one term."""
    return text if _TERM.fullmatch(text) else f"({text})"


def _typed(runs: list[tuple[str, list[Word]]], base: Word | None) -> list[Word]:
    """Each run as one word, what is lowered first; in italics where its base is, which the figures of an index are
    not."""
    typed = [typed_run(side, run) for side, run in sorted(runs, key=lambda one: one[0] == "^")]
    if base is None:
        return typed
    return [word._replace(style=word.style._replace(italic=base.style.italic)) for word in typed]


def typed_run(side: str, run: list[Word]) -> Word:
    """A run of scripts as one word, joined to its base; more than a number, a sign or an index in parentheses, primes
    as they are."""
    nested = min(word.style.size for word in run) < SMALLER * run[0].style.size
    text = "".join(word.text for word in (typed_scripts([run]) if nested else run))
    plain = len(text) == 1 or text.isdigit() or (text.isalnum() and side == "_") or _BRACKETED.fullmatch(text)
    if side == "^" and not text.strip(_PRIMES):
        return run[0]._replace(text=text, x1=run[-1].x1, joined=True)
    return run[0]._replace(text=side + (text if plain else f"({text})"), x1=run[-1].x1, joined=True)
