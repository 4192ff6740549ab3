"""Puts words and figures together that a cell was too narrow for: programs break them without a hyphen."""

import re
from collections.abc import Sequence, Set

from sidecar_pdf.text.segments import Word

_LETTERS = re.compile(r"[^\W\d_]+")
_WHOLE = re.compile(r"\d{1,2}([./])\d{1,2}\1\d{4}|\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[\w.+-]+@[\w.-]*")
"""A date, a time or an address, which no blank parts."""
_BROKEN_CHARS = 8  # of a word that is wider than its cell
_REST_CHARS = 2  # of its rest, at most, that is told from a word by itself
_SHORT_WORD = re.compile(
    "[aàeèioylhmt]|ab|al|am|an|as|at|au|by|cm|da|de|di|do|du|el|en|et|ex|go|he|if|il|im|in|is|it|je|kg|km|la|le|lo|me|mm|"
    "my|ne|ni|no|ob|of|on|or|os|ou|où|pa|pi|qm|re|sa|se|si|so|su|te|to|tu|um|un|up|us|vs|we|wo|zu|ça"
)
_MIN_CELLS = 3  # broken, of a column of which every cell of several lines is


def unbroken(
    words: list[Word], left: float, right: float, known: Set[str], *, figures: bool = False, breaks: bool = False
) -> list[Word]:
    """The words of a cell between two rules, those put together again that it was too narrow for: a long word alone on
    its line, which has no room for another letter, goes on below with what is not a word, or makes one of those `known`
    (in small letters). Where the table `breaks` words any goes on with small letters, and in its narrow columns
    `figures` with what stands below them."""
    found: list[Word] = []
    for word in words:
        before = found[-1] if found else None
        above = found[-2].y1 if len(found) > 1 else 0.0
        alone = before is not None and above <= (before.y0 + before.y1) / 2
        if before is not None and alone and _has_no_room(before, word, left, right):
            rest = _LETTERS.match(word.text)
            small = rest is not None and rest[0].islower() and before.text.isalpha()
            if figures or (breaks and small) or _is_broken(before, word, known):
                found[-1] = word._replace(text=before.text + word.text)
                continue
        found.append(word)
    return found


def narrow_columns(rows: Sequence[Sequence[list[Word]]], columns: Sequence[tuple[float, float]]) -> set[int]:
    """The columns, by their places, of a ruled table that are too narrow for their figures: all lines of their cells
    are single words, and in several cells the first has no room for another letter and a shorter one stands below.
    Values below one another are hardly all shorter than those above, and a cell is made as wide as its longest word."""
    return {at for at, column in enumerate(columns) if _is_narrow([row[at] for row in rows], *column)}


def _is_narrow(cells: list[list[Word]], left: float, right: float) -> bool:
    several = [words for words in cells if len(words) > 1]
    figured = sum(words[0].text[0].isdigit() for words in several)
    if len(several) < _MIN_CELLS or figured < 2:
        return False
    return all(
        len(words) == 2 and len(words[1].text) < len(words[0].text) and words[1].text.isalnum()
        and _has_no_room(words[0], words[1], left, right)
        for words in several
    )  # fmt: skip


def _has_no_room(before: Word, word: Word, left: float, right: float) -> bool:
    """Whether a word under another, alone on its line, is there for want of room for a single letter."""
    letter = (word.x1 - word.x0) / len(word.text)
    room = right - (before.x0 - left) - before.x1  # the cell is as far from its rules on the right as on the left
    return word.y0 >= (before.y0 + before.y1) / 2 and -letter < room < letter


def _is_broken(before: Word, word: Word, known: Set[str]) -> bool:
    if len(before.text) < _BROKEN_CHARS:
        return False
    if _WHOLE.fullmatch(before.text + word.text) and not _WHOLE.fullmatch(word.text):
        return True
    rest = _LETTERS.match(word.text)
    if rest is None or not rest[0].islower() or not before.text.isalpha():
        return False
    part = len(rest[0]) <= _REST_CHARS and not _SHORT_WORD.fullmatch(rest[0])
    return part or (before.text + rest[0]).lower() in known
