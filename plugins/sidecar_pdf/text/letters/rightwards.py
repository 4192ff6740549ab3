"""Words of lines that run right to left, put in the order in which they are read by where their characters stand:
pdfium turns lines round by its own lights, and numbers, brackets, signs and words in Latin letters among them end up
elsewhere. What is shown is taken back to what was meant by the rules that show it (Unicode Annex 9)."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.geometry import bounding_box, lines_of, overlap_across
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.segments import COVERED, RIGHTWARDS, Onward, Word

_ARABIC = re.compile(r"[\u0600-\u06ef\u06fa-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_NUMBER = re.compile(r"\d(?:[.,:/\u066b\u066c]?\d)*")
"""Digits with single common separators (rule W4)."""
_SIGNED = re.compile(r"[%$€£#°]*\d(?:[-+.,:/]?\d)*[%$€£#°]*")
"""The same where no Arabic letters make Arabic numbers of them: with signs, and with units (rules W4, W5)."""
_MARKER = re.compile(r"[.:)(،,]\d[-+\d.,:/]*|[.:،,][()].*")
"""A number of a list, or the end of a number and of a sentence, as a line that runs right to left shows it."""
_BRACKETS = {char: pair for pair in ("()", "[]", "{}", "«»", "‹›") for char in pair}
_OF_RUN = {*_BRACKETS, "%"}
"""Signs that end a stretch of letters that run to the right."""
_MARKS = "".join(map(chr, [*range(0x0591, 0x05C8), *range(0x064B, 0x0660), 0x0670]))
_BLANK, _UNKNOWN = " ", "? "
_SPACE = re.compile(r"\s")
_SAME_SCRIPT, _OTHER_SCRIPT = ("LL", "RR"), ("LR", "RL", "NR", "RN")
# Ems.
_CELL = 0.95  # between two words, from which on they may be of two columns or cells
_LEFT_OUT = 0.11  # of white between letters of two scripts that is a blank
_WIDE = 0.5  # the same between letters of one, where pdfium saw none
_USUAL, _NARROWED = 0.3, 0.65  # a blank where no others tell; of a usual one that one beside a sign is wide
_SHARED = 0.5  # of the width of the narrower of two words over one another
_TOUCHING = 0.3  # of the height of the lower of two words that those of two lines share, at most
_STACKED = 0.5  # of the height of what stands above, twice what another stands lower
_FAR = 0.3  # between letters that are not neighbours in a word
_MOSTLY, _MUCH = 0.5, 0.3  # of the letters of a line, and of a page written from the right, that run to the left
_OTHER_SIZE = 1.2  # times the size of the smaller of two pieces of a word that are set differently

Place = Callable[[int], tuple[Box, Style] | None]
"""The box as shown, and the style, of the character at a position of the page's text."""


class _Char(NamedTuple):
    """One or more characters that stand at one place, and their position in the page's text; -1 where not known."""

    text: str
    box: Box
    style: Style
    at: int

    @property
    def kind(self) -> str:
        """R for letters that run to the left, L for other letters, N for digits, the character itself for others."""
        return _kind_of(self.text[0])


@lru_cache(4096)
def _kind_of(char: str) -> str:
    if char.isdigit():
        return "N"
    if RIGHTWARDS.match(char) and char.isalpha():
        return "R"
    return "L" if char.isalpha() else char


def turned(words: list[Word], text: str, place: Place) -> list[Word]:
    """The words of a page with those of lines that run right to left in the order they are read; `text` is the page's,
    in which their positions are."""
    mostly, arabic = _share(text) > _MUCH, _ARABIC.search(text) is not None
    made: dict[int, list[Word]] = {}
    chars = [_characters(word, text, place) for word in words]
    # pdfium's order of a word is not that of its characters, so that its ends may be those of one in its midst
    words = [word._replace(**_extent(found)) for word, found in zip(words, chars, strict=True)]
    for cell in _cells(words):
        shown = "".join([_shown(chars[at]) for at in cell])
        share = _share(shown)
        if share > (0 if mostly else _MOSTLY) or (mostly and _MARKER.fullmatch(shown)):
            made |= {at: list[Word]() for at in cell}
            parts = _columns([c for at in cell for c in chars[at]])
            made[min(cell)] = [word for part in reversed(parts) for word in _read(part, text, arabic=arabic)]
        else:
            made |= {at: [words[at]._replace(text=_among_others(chars[at], text, arabic=arabic))] for at in cell}
    return [other for at, word in enumerate(words) for other in made.get(at, (word,))]


def _shown(chars: list[_Char]) -> str:
    """Characters as they stand, from the left."""
    return "".join(c.text for c in sorted(chars, key=lambda c: c.box[0] + c.box[2]))


def _columns(chars: list[_Char]) -> list[list[_Char]]:
    """The characters of a line, parted where pdfium saw one word in several columns."""
    ordered = sorted(chars, key=lambda c: c.box)
    found, end = [ordered[:1]], ordered[0].box[2]
    for char in ordered[1:]:
        if char.box[0] - end >= _CELL * max(char.style.size, 1.0):
            found.append([])
        found[-1].append(char)
        end = max(end, char.box[2])
    return [sorted(part, key=chars.index) for part in found] if len(found) > 1 else [chars]


def _among_others(chars: list[_Char], text: str, *, arabic: bool) -> str:
    """A word of a line that runs to the right, with letters that run to the left turned."""
    places = [_middle([c]) for c in chars if c.kind == "R"]
    if not places:
        level = ((one.box, other.box) for one, other in pairwise(chars) if not _is_lower(one.box, other.box))
        backwards = any(after[2] <= before[0] for before, after in level)
        return _shown(chars) if backwards else "".join(c.text for c in chars)
    sides = [c for c in chars if _middle([c]) < min(places)], [c for c in chars if _middle([c]) > max(places)]
    inner = [c for c in chars if c not in sides[0] and c not in sides[1]]
    read = "".join(word.text for word in _read(inner, text, arabic=arabic))
    return _shown(sides[0]) + read + _shown(sides[1])


def _is_lower(box: Box, other: Box) -> bool:
    """Whether one of two stands a quarter of its height lower than the other, as what is under a limit does."""
    return abs(other[1] + other[3] - box[1] - box[3]) > _STACKED * (box[3] - box[1])


def _extent(chars: list[_Char]) -> dict[str, float]:
    return dict(zip(("x0", "y0", "x1", "y1"), bounding_box(c.box for c in chars), strict=True))


def _share(text: str) -> float:
    """The share of letters that run to the left."""
    letters = [char for char in text if char.isalpha()]
    return sum(RIGHTWARDS.match(char) is not None for char in letters) / len(letters) if letters else 0.0


def _cells(words: list[Word]) -> list[list[int]]:
    """The places of words that stand on one line without a gap that may part columns, from the left, line by line."""
    level = [at for at, word in enumerate(words) if word.text and word.x1 - word.x0 > 0]
    placed = [words[at] for at in level]
    rows = lines_of([word[1:5] for word in placed], lambda row, at: _is_stacked(placed, row, at))
    cells = [cell for row in rows for cell in _parted([level[at] for at in row], words)]
    return [line for cell in cells for line in _lines_in(cell, words)]


def _lines_in(cell: list[int], words: list[Word]) -> list[list[int]]:
    """A cell, or its lines where some of its words stand under others: what is taller beside it made them one line."""
    boxes = [words[at][1:5] for at in cell]
    if not any(_stands_under(one, other) for one, other in pairwise(boxes)):
        return [cell]
    return [[cell[at] for at in sorted(line)] for line in lines_of(boxes)]


def _stands_under(one: Box, other: Box) -> bool:
    across = overlap_across(one, other) > _SHARED * min(one[2] - one[0], other[2] - other[0])
    level = min(one[3], other[3]) - max(one[1], other[1])
    return across and level < _TOUCHING * min(one[3] - one[1], other[3] - other[1])


def _is_stacked(words: list[Word], row: Sequence[int], at: int) -> bool:
    """Whether a word in letters or digits that run to the right stands under or over one of the line, as the limit of a
    sum does: the letters of both would come one by the other."""
    word = words[at]
    if RIGHTWARDS.search(word.text):
        return False
    return any(
        min(word.x1, other.x1) - max(word.x0, other.x0) > _SHARED * min(word.x1 - word.x0, other.x1 - other.x0)
        and _is_lower(word[1:5], other[1:5])
        for other in (words[one] for one in row)
    )


def _parted(row: list[int], words: list[Word]) -> Iterator[list[int]]:
    """A line in what is seen and what may not be, parted at wide gaps."""
    looks: dict[tuple[bool, bool], list[int]] = {}
    for at in sorted(row, key=lambda at: words[at].x0):
        looks.setdefault((words[at].style.white, words[at].style.mode == COVERED), []).append(at)
    for alike in looks.values():
        cell, end = [alike[0]], words[alike[0]].x1
        for at in alike[1:]:
            word = words[at]
            if word.x0 - end >= _CELL * max(word.style.size, words[cell[-1]].style.size, 1.0):
                yield cell
                cell, end = [], word.x1
            cell.append(at)
            end = max(end, word.x1)
        yield cell


def _characters(word: Word, text: str, place: Place) -> list[_Char]:
    """Those of a word, each ligature as one; the word as one where its characters are not in the page's text."""
    found: list[_Char] = []
    known = word.at >= 0 and text.startswith(word.text, word.at)
    for at in range(word.at, word.at + len(word.text)) if known else ():
        placed = place(at)
        if placed is None or text[at] == ZERO_WIDTH_SPACE:
            continue
        box, style = placed
        if found and found[-1].box == box and unicodedata.combining(text[at]) == 0:
            found[-1] = found[-1]._replace(text=found[-1].text + text[at])
        else:
            found.append(_Char(text[at], box, style._replace(size=word.style.size, mode=word.style.mode), at))
    return found or [_Char(word.text, word[1:5], word.style, -1)]


def _read(chars: list[_Char], text: str, *, arabic: bool) -> list[Word]:
    """The words of a line, in the order they are read, of a page with or without Arabic letters."""
    bases = [c for c in chars if not unicodedata.combining(c.text[0])]
    runs = sorted(_letter_runs(bases or chars, text), key=_middle)
    letters = [char for run in runs for char in reversed(run)]
    ends = {run[0].at for run in runs}  # at the right
    for mark in chars if bases else ():
        if unicodedata.combining(mark.text[0]):
            at = min(range(len(letters)), key=lambda at: _apart(letters[at], mark))
            base = letters[at]
            letters[at] = base._replace(text=base.text + mark.text)
    pairs = [(one, other, _between_in(text, one, other)) for one, other in pairwise(letters)]
    blanks = [_gap(one, other) for one, other, found in pairs if one.kind == other.kind == "R" and found.isspace()]
    usual = median(blanks) if blanks else 0.0
    shown: list[_Char | None] = [*letters[:1]]  # None for a blank
    for one, other, found in pairs:
        shown += [None, other] if one.at in ends and _are_parted(one, other, found, usual) else [other]
    return list(_words(_with_brackets(list(_in_order(shown, arabic=arabic)))))


def _middle(run: list[_Char]) -> float:
    return min(c.box[0] for c in run) + max(c.box[2] for c in run)


def _letter_runs(chars: list[_Char], text: str) -> Iterator[list[_Char]]:
    """The characters, with letters that run to the left in runs as the text has them, or turned where it has them
    backwards: letters may be drawn over one another, so that their places alone do not tell their order."""
    run: list[_Char] = []
    for char in chars:
        if run and not _goes_on(run[-1], char, text):
            yield _turned_run(run)
            run = []
        run.append(char)
    if run:
        yield _turned_run(run)


def _turned_run(run: list[_Char]) -> list[_Char]:
    return run if _middle(run[:1]) >= _middle(run[-1:]) else run[::-1]


def _goes_on(one: _Char, other: _Char, text: str) -> bool:
    """Whether a letter stands near the one before it in a word of the text."""
    if one.kind != "R" or other.kind != "R" or _SPACE.search(_between_in(text, one, other)):
        return False
    return max(one.box[0] - other.box[2], other.box[0] - one.box[2]) < _FAR * max(one.style.size, 1.0)


def _apart(letter: _Char, mark: _Char) -> tuple[float, float]:
    """How far a mark stands from a letter: outside of it, from its middle."""
    middle = (mark.box[0] + mark.box[2]) / 2
    outside = max(letter.box[0] - middle, middle - letter.box[2], 0.0) + 1000.0 * (letter.kind not in "LR")
    return outside, abs(middle - (letter.box[0] + letter.box[2]) / 2)


def _gap(left: _Char, right: _Char) -> float:
    return (right.box[0] - left.box[2]) / max(left.style.size, right.style.size, 1.0)


def _between_in(text: str, one: _Char, other: _Char) -> str:
    """What the text of the page has between two characters, but for marks of the first."""
    first, last = sorted((one, other), key=lambda c: c.at)
    between = text[first.at + 1 : last.at] if first.at >= 0 else _UNKNOWN
    return between.lstrip(_MARKS)


def _are_parted(left: _Char, right: _Char, between: str, usual: float) -> bool:
    """Whether a blank stands between two characters, as they stand beside one another, where one is `usual` as wide, or
    nothing is known of it."""
    gap, kinds, seen = _gap(left, right), left.kind + right.kind, _SPACE.search(between) is not None
    if kinds in _SAME_SCRIPT:
        return between.isspace() or gap > (_LEFT_OUT if seen else _WIDE)
    if kinds in _OTHER_SCRIPT:
        return gap > _LEFT_OUT
    return gap > _NARROWED * (usual or _USUAL) and (seen or usual > 0 or gap > _WIDE)


def _in_order(shown: list[_Char | None], *, arabic: bool) -> Iterator[_Char | None]:
    """What is shown from the left, in the order it is read."""
    end, lettered = len(shown), False
    for at in range(len(shown) - 1, -2, -1):
        char = shown[at] if at >= 0 else None
        if at < 0 or (char and char.kind == "R"):
            # what opens a line that goes on in letters is hardly the end of a number that the line before begins
            yield from _between(shown[at + 1 : end], arabic=arabic and (lettered or at < 0))
            lettered = True
            if char:
                yield char
            end = at


def _between(shown: Sequence[_Char | None], *, arabic: bool) -> Iterator[_Char | None]:
    """The same of what stands between two letters that run to the left: what runs to the right stays as shown."""
    kinds = "".join(c.kind if c else _BLANK for c in shown)
    end = len(shown)
    for start, stop in reversed(_runs(kinds) if "L" in kinds else _numbers(kinds, arabic=arabic)):
        yield from reversed(shown[stop:end])
        yield from shown[start:stop]
        end = start
    yield from reversed(shown[:end])


def _numbers(kinds: str, *, arabic: bool) -> list[tuple[int, int]]:
    """Where numbers stand."""
    return [match.span() for match in (_NUMBER if arabic else _SIGNED).finditer(kinds.replace("N", "0"))]


def _runs(kinds: str) -> list[tuple[int, int]]:
    """Where words in letters that run to the right stand, with numbers and signs among them: brackets are theirs where
    both stand among them, behind such a letter (rule N0)."""
    runs: list[tuple[int, int]] = []
    start = 0
    for at in [*_loose_brackets(kinds), len(kinds)]:
        found = re.search(r"[LN].*[LN]|[LN]", kinds[start:at])
        if found:
            first, last = start + found.start(), start + found.end()
            while last < at and kinds[last] in _OF_RUN:
                last += 1
            runs.append((first, last))
        start = at + 1
    return runs


def _loose_brackets(kinds: str) -> list[int]:
    """The brackets of a stretch that are not those of words that run to the right."""
    opened: dict[str, int] = {}
    loose: list[int] = []
    for at, kind in enumerate(kinds):
        pair = _BRACKETS.get(kind)
        if pair and pair in opened:
            first = opened.pop(pair)
            inside = "L" in kinds[first:at] or "N" in kinds[first:at]
            if not (inside and "L" in kinds[:first]):
                loose += [first, at]
        elif pair:
            opened[pair] = at
    return sorted([*loose, *opened.values()])


def _with_brackets(read: list[_Char | None]) -> list[_Char | None]:
    """The line with brackets that open before what they hold and close behind it: fonts may give either as shown."""
    opened: list[str] = []
    for at, char in enumerate(read):
        pair = _BRACKETS.get(char.text) if char else None
        if char is None or pair is None:
            continue
        behind = at > 0 and (before := read[at - 1]) is not None and before.text not in _BRACKETS
        ahead = at + 1 < len(read) and (after := read[at + 1]) is not None and (after.kind in "LRN")
        opens = ahead if ahead != behind else pair not in opened
        if opens:
            opened.append(pair)
        elif pair in opened:
            opened.remove(pair)
        read[at] = char._replace(text=pair[0] if opens else pair[1])
    return read


def _words(read: Iterable[_Char | None]) -> Iterator[Word]:
    """The words of a line; a piece of one that is set otherwise is a word joined to it."""
    piece: list[_Char] = []
    made, joined = Word, False
    for char in [*read, None]:
        if piece and (char is None or _is_set_otherwise(piece[-1], char)):
            box = bounding_box(c.box for c in piece)
            style = max((c.style for c in piece), key=lambda style: style.size)
            yield made("".join(c.text for c in piece), *box, style, joined)
            made, piece, joined = Onward, [], char is not None
        if char is None:
            joined = False
        else:
            piece.append(char)


def _is_set_otherwise(one: _Char, other: _Char) -> bool:
    small, large = sorted((one.style.size, other.style.size))
    return large > _OTHER_SIZE * small or (one.style[2:5] != other.style[2:5] and one.kind != other.kind)
