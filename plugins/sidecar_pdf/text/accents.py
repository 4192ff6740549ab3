"""Puts together letters whose accents a file draws apart: older TeX fonts have no accented letters, so an accent stands
as a character of its own over its letter, before it in the text, after it, or on a "line" of its own."""

import re
import unicodedata
from collections.abc import Callable

from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import marked

_MARKS = dict(
    zip(
        "¨´`ˆ˜¸˚ˇ¯˘˙˝˛\u20d7",
        "\u0308\u0301\u0300\u0302\u0303\u0327\u030a\u030c\u0304\u0306\u0307\u030b\u0328\u20d7",
        strict=True,
    )
)
_ACCENT = re.compile(f"[{''.join(_MARKS)}]")
_DOTLESS = {"ı": "i", "ȷ": "j"}
ZERO_WIDTH_SPACE = "\u200b"
"""Stands where an accent was, so that characters keep their positions."""
_LOOSE = re.compile(rf"(?<=\S)[ \r\n{ZERO_WIDTH_SPACE}]*{ZERO_WIDTH_SPACE}[ \r\n{ZERO_WIDTH_SPACE}]*(?=\S)")
_MAX_ACCENTS = 2_000  # looked at on a page
# Shares of the letter's width or height. Chosen on the corpus.
_INSIDE_LEFT, _INSIDE_RIGHT = 0.2, 0.1  # from the edges of a letter, between which the middle of its accent stands
_RAISED = 0.6  # by which an accent's box stands over or under that of its letter
# Ems.
_SAME_LINE, _OVERLAP, _JOINED = 0.3, 0.5, 0.14  # between two letters of one word: up or down, backwards, apart
_ROW = 8.0  # points of a row of letters, in which those near an accent are looked for

Rect = tuple[float, float, float, float]


def with_accents(text_page: raw.Argument, text: str, index: Callable[[int], int]) -> str:
    """The text of a page with letters and accents as one character, and `ZERO_WIDTH_SPACE` in the accent's place.
    `index` takes a position in the text to that of a character."""
    if _ACCENT.search(text) is None:
        return text
    return _AccentedText(text_page, text, index).read()


class _AccentedText:
    def __init__(self, text_page: raw.Argument, text: str, index: Callable[[int], int]) -> None:
        self._text_page, self._index = text_page, index
        self._chars = list(text)
        self._rect = raw.floats(4)
        self._rows: dict[int, list[int]] | None = None

    def read(self) -> str:
        chars, found = self._chars, False
        for at in [match.start() for match in _ACCENT.finditer("".join(chars))][:_MAX_ACCENTS]:
            box = self._box(at)
            if box is None:
                continue
            base = next((near for near in (at + 1, at - 1, at + 2, at - 2) if self._carries(near, at, box)), None)
            if base is None and self._stands_alone(at):
                base = next((far for far in self._around(box) if self._carries(far, at, box)), None)
            if base is not None:
                chars[base] = _joined(chars[base], chars[at])
                chars[at] = ZERO_WIDTH_SPACE
                found = True
        text = "".join(chars)
        return _LOOSE.sub(self._closed, text) if found else text

    def _box(self, at: int) -> Rect | None:
        if not raw.loose_box(self._text_page, self._index(at), self._rect.address):
            return None
        left, top, right, bottom = self._rect.values
        return (left, bottom, right, top) if right > left else None

    def _carries(self, at: int, accent: int, box: Rect) -> bool:
        """Whether the letter at a position stands under (or over) the accent."""
        if not 0 <= at < len(self._chars) or not _joined(self._chars[at], self._chars[accent]):
            return False
        own = self._box(at)
        if own is None:
            return False
        middle, wide, tall = (box[0] + box[2]) / 2, own[2] - own[0], own[3] - own[1]
        inside = own[0] + _INSIDE_LEFT * wide <= middle <= own[2] - _INSIDE_RIGHT * wide
        return inside and abs(own[1] - box[1]) < _RAISED * tall

    def _stands_alone(self, at: int) -> bool:
        around = self._chars[max(at - 1, 0) : at] + self._chars[at + 1 : at + 2]
        return all(char.isspace() or char == ZERO_WIDTH_SPACE or char in _MARKS for char in around)

    def _around(self, box: Rect) -> list[int]:
        """Letters whose line an accent may belong to."""
        if self._rows is None:
            self._rows = {}
            for at, char in enumerate(self._chars):
                own = self._box(at) if char.isalpha() else None
                if own is not None:
                    self._rows.setdefault(int(own[1] / _ROW), []).append(at)
        row = int(box[1] / _ROW)
        return [at for near in (row - 1, row, row + 1) for at in self._rows.get(near, ())]

    def _closed(self, match: re.Match[str]) -> str:
        """Without the spaces that were only seen because an accent stood between two letters of one word."""
        gap = match[0]
        if gap.strip(ZERO_WIDTH_SPACE):
            left, right = self._box(match.start() - 1), self._box(match.end())
            if left is None or right is None:
                return gap
            em = left[3] - left[1]
            if abs(left[1] - right[1]) > _SAME_LINE * em or not -_OVERLAP * em < right[0] - left[2] < _JOINED * em:
                return gap
        return ZERO_WIDTH_SPACE * len(gap)


def _joined(letter: str, accent: str) -> str:
    """The letter with the accent as one character, or a placeholder; "" where there is no letter."""
    letter = _DOTLESS.get(letter, letter)
    if not letter.isalpha() or letter in _MARKS:  # some of the accents are letters by Unicode
        return ""
    joined = unicodedata.normalize("NFC", letter + _MARKS[accent])
    return joined if len(joined) == 1 else marked(letter, _MARKS[accent])
