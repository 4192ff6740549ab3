"""Parts from words the raised figures and letters that a font draws as glyphs of their own, on the line of the text and
in its size: the superiors of OpenType (`sups`), as Typst and InDesign set marks of notes. Their characters are those of
plain figures, so that "79.9%" with a note reads as "79.9%1" by them alone."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.text.segments import Word

_FIGURES = re.compile(r"(?:\d{1,3}|(?<=\d)[a-h])(?=[.,;:!?)\]’”»%]*$)")
_LETTER = re.compile(r"[a-z](?=[.,;:!?)\]’”»]*$)")
# Measured on Libertinus, whose superiors are .28 to .37 wide and .35 up; figures of text are .41 to .64, on the line.
_MAX_WIDTH = 0.42  # ems of the step of a superior
_MIN_RAISE = 0.2  # ems from the line to its foot
_HEIGHT = 0.66  # of the size of figures: that of their ink
_ABOVE, _BELOW = 0.9, 0.22  # of the size of text: from its line to the top and to the foot of its box


class Inked(NamedTuple):
    """A character as shown, in points: the box of its ink, and the line it stands on."""

    ink: Box
    line: float


def with_superiors(words: list[Word], text: str, character: Callable[[int, float], Inked | None]) -> list[Word]:
    """The words of a page with the superiors at their ends as smaller words; `character` gives that at a position of
    its `text` where its step is no wider than so many points. Letters are looked at in fonts that show superior figures
    on the page."""
    parted = _parted(words, text, character, _FIGURES, None)
    if len(parted) == len(words) and parted == words:
        return words
    known = {id(word) for word in words}
    return _parted(parted, text, character, _LETTER, {word.style.font for word in parted if id(word) not in known})


def _parted(
    words: list[Word], text: str, character: Callable[[int, float], Inked | None], ends: re.Pattern[str],
    fonts: set[str] | None,
) -> list[Word]:  # fmt: skip
    """The words with what `ends` finds in them apart where it is raised; of the `fonts` alone where there are any."""
    parted = list[Word]()
    for word in words:
        match = ends.search(word.text) if word.at >= 0 and (fonts is None or word.style.font in fonts) else None
        if match is None or not text.startswith(word.text, word.at):
            parted.append(word)
            continue
        raised = list[Inked]()
        for at in range(match.end() - 1, match.start() - 1, -1):
            char = character(word.at + at, _MAX_WIDTH * word.style.size)
            if char is None or char.line - char.ink[3] < _MIN_RAISE * word.style.size:
                break
            raised.append(char)
        parted += _three(word, match.end() - len(raised), raised[::-1]) if raised else [word]
    return parted


def _three(word: Word, place: int, raised: list[Inked]) -> Iterator[Word]:
    """What stands before the raised characters of a word at a `place` in it, these, and what follows them."""
    end = place + len(raised)
    left, right = raised[0].ink[0], raised[-1].ink[2]
    size = (max(char.ink[3] for char in raised) - min(char.ink[1] for char in raised)) / _HEIGHT
    foot = max(char.ink[3] for char in raised)
    if place:
        yield word._replace(text=word.text[:place], x1=left)
    yield word._replace(
        text=word.text[place:end], x0=left, y0=foot - _ABOVE * size, x1=right, y1=foot + _BELOW * size,
        style=word.style._replace(size=size), joined=bool(place) or word.joined, at=word.at + place, apart=None,
    )  # fmt: skip
    if end < len(word.text):
        yield word._replace(text=word.text[end:], x0=right, joined=True, at=word.at + end, apart=None)
