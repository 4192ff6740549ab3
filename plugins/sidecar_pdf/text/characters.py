"""Characters as pdfium gives them made those a reader sees: hyphens at line ends, small capitals and figures at private
places, signs of pi fonts, ligatures kept as placeholders, negated signs."""

import ctypes
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, pairwise
from statistics import median
from string import ascii_lowercase
from typing import NamedTuple

from sidecar.api import Box
from sidecar.toolkit.text import without_surrogates
from sidecar.toolkit.word.symbols import without_private
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.encodings import expand_placeholders
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.segments import FIRST_CJK, RIGHTWARDS, SOFT_HYPHEN, TYPED_SPACE, Word, sized

JOINED = re.compile(
    "[\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ef\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]+"
)
"""Letters of scripts that join them, where a letter's box tells its ink alone and pdfium may give a word backwards."""
HYPHENATED = "\x02"
"""What pdfium puts for a hyphen it drew."""
LINE_END_HYPHEN = f"{HYPHENATED}\ufffe"
"""What pdfium puts for a hyphen at the end of a line."""
ON_LINE = 0.6  # of the height of the lower of two letters that they share on one line
LEVEL = 0.12  # of the height of a character by which those of one line may stand higher or lower
_MAX_SCRIPTED = 32  # characters of a word among which a script is looked for
_STACKED = 0.4  # of the width of a character by which those written downwards may be aside
_BEHIND = 0.25  # of the narrower of two characters that one which stands behind the other reaches back over it, at most
_APART = 1.0  # heights between two figures that are not of one number
_FAR_APART = 4.0  # heights between a letter and a sign that are not of one word
_BLANK_LEFT = 0.18  # heights of white between two letters that are a blank left out
_BLANK_SHARE = 0.5  # of that, the most between all others
_FIGURE_SIGNS = frozenset("0123456789.,$€£¥%()–—−-")
_PIECE = re.compile(r"\S+")
_INNER_BLANK = re.compile(r" (?<=\S )(?=\S)")  # opens with the blank: a search for that alone is fast
_BLANKS_LOOKED_AT = 60  # of a page
_WRITTEN = 0.95  # share of the blanks within text objects where a page writes them
_LETTER_OBJECTS, _DRAWN = 0.5, 0.5  # text objects for each character where letters are such; blanks that are, there
_TYPED_LETTERS = 8  # letters seen of a font that may be a typewriter's
_EVEN, _MOSTLY_EVEN = 0.03, 0.9  # share by which its letters differ in width; of words that have no others
_UNDECODED_TEXTS, _UNDECODED_SHARE = 40, 0.5  # text objects, and letters for each, that tell of text not decoded
_BMP = 0xFFFF  # the last character of the Basic Multilingual Plane
_LAM = "ل"
_LAM_ALEF = re.compile("[آأإا]ل")
"""What pdfium makes of a ligature of lam and alef in a line that runs right to left: it turns its two letters round."""
_DOUBLED_MATH = re.compile(r"(\ud835[\udc00-\udfff])(?=\1)")
_SYMBOL_FONTS = ("Symbol", "OpenSymbol")
"""Fonts with characters at private places as in Symbol; LibreOffice prints the bullets of Word files in the second."""
_FAR_BLANK = 0.6  # ems between words of two text objects, with a blank, that are not of one run
_NEAR_BLANK = 0.5  # heights of a letter between two words of one sentence, at most
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ufeff\u200b]")
_EXPERT_SET = {
    **{0xF730 + digit: str(digit) for digit in range(10)},
    **{0xF761 + at: chr(ord("A") + at) for at in range(26)},
    **{0xF638 + digit: str(digit) for digit in range(2, 10)},
    0xF639: "0", 0xF6DC: "1",
    **{0xF8EB + at: sign for at, sign in enumerate("⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭")},
}  # fmt: skip
"""Figures, small capitals and pieces of tall delimiters at the private places Adobe's fonts give them (Adobe Glyph
List, corporate use)."""

_WITH_BYTES_SWAPPED = {chr(ord(letter) << 8): letter for letter in ascii_lowercase}
_SWAPPED = re.compile("(?<=[A-Za-z])[{0}]{{2,3}}|[{0}]{{2,3}}(?=[a-z])".format("".join(_WITH_BYTES_SWAPPED)))
"""Ligatures in the midst of Latin words, whose letters a file gives with their bytes swapped: Google's documents that
Ghostscript wrote anew do so, where "f" becomes a Chinese character."""


def _in_place(match: re.Match[str]) -> str:
    return "".join(map(_WITH_BYTES_SWAPPED.__getitem__, match[0]))


def code_units(text_page: raw.Argument, count: int) -> str:
    """The text of a page up to so many characters, one position a character of pdfium's: those beyond the BMP are two,
    the halves of a surrogate pair, where the file's map to Unicode gives them, and one where a glyph's name does."""
    buffer = ctypes.create_string_buffer(2 * count + 2)
    written = raw.get_text(text_page, 0, count, buffer)
    units = buffer.raw[: 2 * max(written - 1, 0)]
    text = _SWAPPED.sub(_in_place, units.decode("utf-16-le", "surrogatepass"))
    text = text if len(text) * 2 == len(units) else "".join(map(chr, memoryview(units).cast("H")))
    return _with_dropped(text_page, text, count) if len(text) < count else text


def _with_dropped(text_page: raw.Argument, text: str, count: int) -> str:
    """The text with the characters beyond the BMP that pdfium has in one position of its own text (as for a glyph named
    `u1D44E`) and drops where it gives that out as UTF-16: without them, all that follows would be out of its place."""
    if not 0 <= raw.char_index(text_page, len(text)) < count:
        return text  # its own text is as long as what it gave
    chars = list(text)
    for index in range(count):
        code = raw.char_code(text_page, index)
        if code > _BMP and (at := raw.text_index(text_page, index)) >= 0:
            chars.insert(at, chr(code))
    return "".join(chars)


def plain_text(page: int, max_chars: int) -> str:
    """The text of a page as pdfium gives it, cut at `max_chars`."""
    text_page = raw.load_text(page)
    if not text_page:
        return ""
    try:
        text = code_units(text_page, min(raw.count_chars(text_page), max_chars))
    finally:
        raw.close_text(text_page)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def left_out(text_page: raw.Argument, length: int, count: int) -> list[int]:
    """The characters, of `count`, that are not in the text of this length: by halving, since they are few."""
    found: list[int] = []
    stack = [(-1, 0, length, count - length)]
    while stack:
        low, before, high, after = stack.pop()
        if before == after:
            continue
        if high - low == 1:
            found += range(low + before + 1, high + after)
            continue
        middle = (low + high) // 2
        between = max(raw.char_index(text_page, middle), 0) - middle
        stack += ((low, before, middle, between), (middle, between, high, after))
    return found


def with_broken_words(text: str, box_at: Callable[[int], Box | None]) -> str:
    """The text with words whole that pdfium breaks at every text object, where it takes a page of short lines for one
    of vertical writing: the break between two letters that touch on one line has no width. `box_at` gives the box of
    the character at a position; the text stays as long."""
    if text.count("\r\n") <= text.count(" "):
        return text
    chars = list(text)
    for before, after in pairwise(_PIECE.finditer(text)):
        (first, end), (start, last) = before.span(), after.span()
        ends = {first, end - 1} if JOINED.search(text, first, last) else {end - 1}
        heads = {start, last - 1} if len(ends) > 1 else {start}
        boxes = [box_at(at) for at in ends], [box_at(at) for at in heads]
        if any(one and other and _touch(one, other) for one in boxes[0] for other in boxes[1]):
            chars[end:start] = ZERO_WIDTH_SPACE * (start - end)
    return "".join(chars)


def _touch(one: Box, other: Box) -> bool:
    """Whether two letters, left, bottom, right and top, stand side by side on one line without a blank between."""
    tall = max(one[3] - one[1], other[3] - other[1])
    level = min(one[3], other[3]) - max(one[1], other[1])
    gap = max(one[0] - other[2], other[0] - one[2])
    return level > ON_LINE * min(one[3] - one[1], other[3] - other[1]) and abs(gap) < LEVEL * tall


def without_doubled_math(text: str, box_at: Callable[[int], Box | None]) -> str:
    """The text with mathematical letters once for which one glyph gives two, as Word writes them; as long as before.
    `box_at` gives the box of the character at a position."""

    def shown(match: re.Match[str]) -> str:
        one = box_at(match.start())
        return ZERO_WIDTH_SPACE * 2 if one is not None and one == box_at(match.end()) else match[0]

    return _DOUBLED_MATH.sub(shown, text) if "\ud835" in text else text


def with_lam_alef(text: str, box_at: Callable[[int], Box | None]) -> str:
    """The text with alef and lam as lam and alef where they are one glyph, which no other ligature is; `box_at` gives
    the box of the character at a position."""

    def shown(match: re.Match[str]) -> str:
        alef, lam = (box_at(at) for at in range(*match.span()))
        return match[0][::-1] if alef and lam and alef[::2] == lam[::2] else match[0]

    return _LAM_ALEF.sub(shown, text) if _LAM in text else text


def written_blanks(
    text_page: raw.Argument, text: str, index_of: Callable[[int], int], box_at: Callable[[int], Box | None]
) -> float:
    """The share of the blanks between words that a page writes, rather than to begin each word where it stands: where
    nearly all are, a word without one before it was set by itself. A look at some of them; `index_of` gives the
    character at a position, `box_at` its box. 0 where most words stand a blank behind another and begin where they
    stand: then blanks are written in figures, or in a few lines, alone."""
    step = len(_INNER_BLANK.findall(text)) // _BLANKS_LOOKED_AT + 1
    found = written = begun = 0
    for match in islice(_INNER_BLANK.finditer(text), 0, None, step):
        index = index_of(match.start())
        if raw.text_object(text_page, index - 1) == raw.text_object(text_page, index + 1):
            found += 1
            written += raw.is_generated(text_page, index) == 0
        else:
            begun += raw.is_generated(text_page, index) == 1 and _is_near(box_at, match.start())
    return written / found if found >= begun and found else 0.0


def _is_near(box_at: Callable[[int], Box | None], blank: int) -> bool:
    """Whether the letters around a blank are no farther apart than those of two words."""
    before, after = box_at(blank - 1), box_at(blank + 1)
    if before is None or after is None:
        return False
    return 0 < after[0] - before[2] < _NEAR_BLANK * max(after[3] - after[1], before[3] - before[1])


class RunStarts:
    """Tells, word by word, what stands apart on a page that writes blanks: a text object without a blank before it, or
    far behind one, as cells may end with a blank. `texts` are the page's text objects in the order they are drawn."""

    def __init__(self, text_page: raw.Argument, texts: Sequence[int]) -> None:
        self._text_page = text_page
        self._object, self._end, self._foot = 0, 0.0, 0.0
        self._order = {handle: at for at, handle in enumerate(texts)}

    def draw_blanks(self, text: str, index_of: Callable[[int], int]) -> bool:
        """Whether letters are text objects of their own, and blanks between words too, which pdfium then leaves out for
        blanks that it makes up: browsers set letters so whose widths their fonts round. A look at some blanks."""
        if len(self._order) < _LETTER_OBJECTS * len(text):
            return False
        step = len(_INNER_BLANK.findall(text)) // _BLANKS_LOOKED_AT + 1
        looked_at = [index_of(match.start()) + 1 for match in islice(_INNER_BLANK.finditer(text), 0, None, step)]
        return sum(map(self._follows_blank, looked_at)) >= _DRAWN * len(looked_at) > 0

    def _follows_blank(self, first: int) -> bool:
        """Whether another text object, which is a blank, is drawn between a character and the one before the blank."""
        before, after = (self._order.get(raw.text_object(self._text_page, at) or 0) for at in (first - 2, first))
        return before is not None and after is not None and after - before > 1

    def begins(self, first: int, handle: int, token: str, box: Box, style: Style) -> bool:
        """Whether a word, by its first character, its text object and its box as shown, stands apart from the one told
        before. Leaders that are set dot by dot do not, nor typewriter type, which may be set letter by letter; a full
        stop far behind it does, as statistics write what is missing."""
        gap, level = (box[0] - self._end) / max(style.size, 1.0), box[1] < self._foot
        far = gap > _FAR_BLANK and level
        typed = style.mono and level and 0 < gap < TYPED_SPACE
        alone = handle != self._object and (far or token.strip(".") != "") and not typed
        self._object, self._end, self._foot = handle, box[2], box[3]
        if not alone or far or not first:
            return alone
        return raw.is_generated(self._text_page, first - 1) == 1 and not (level and self._follows_blank(first))


def run_starts(
    text_page: raw.Argument, texts: Sequence[int], text: str, index_of: Callable[[int], int], blanks: float
) -> RunStarts | None:
    """What tells the words of a page that stand apart; None where it neither writes its blanks, of which it does so
    with a share of `blanks`, nor draws them one by one."""
    runs = RunStarts(text_page, texts)
    return runs if blanks >= _WRITTEN or (not blanks and runs.draw_blanks(text, index_of)) else None


def holds_script(
    text_page: raw.Argument, first: int, last: int, ends: tuple[float, float], rect: raw.Numbers[float]
) -> bool:
    """Whether a word of several text objects whose ends are level has a script between them, as "x1," and "F2(x)" have:
    what another object draws, lower than its first character, of which `ends` are foot and head, and off its line.
    `first` and `last` are the indices of its ends."""
    bottom, top = ends
    lean = LEVEL * (top - bottom)
    before = raw.text_object(text_page, first)
    for index in range(first + 1, min(last, first + _MAX_SCRIPTED)):
        handle = raw.text_object(text_page, index)
        if handle == before or not raw.loose_box(text_page, index, rect.address):
            continue
        before = handle
        left, head, _, foot = rect.values
        lower = head - foot < top - bottom - lean and (abs(foot - bottom) > lean or abs(head - top) > lean)
        if lower and raw.loose_box(text_page, index - 1, rect.address) and rect.values[0] < left - lean:
            return True  # and no letter that is drawn again over itself
    return False


def clean(token: str, font: str = "") -> str:
    """A word without control characters, those at private places of the font Symbol as what it draws there; a final
    hyphen mark of pdfium becomes U+00AD, for `paragraphs` to judge."""
    if token[-1] in LINE_END_HYPHEN:
        token = token[:-1] + SOFT_HYPHEN
    if not token.isprintable():
        token = without_private(token) if font.startswith(_SYMBOL_FONTS) else token
        token = without_surrogates(expand_placeholders(_CONTROL.sub("", token)).translate(_EXPERT_SET))
    return token


def blanks_between(boxes: Sequence[Box]) -> list[int]:
    """The places in a row of characters before which a blank was left: as much white as one, and far more than
    between any two others. Boxes are in points or on the page, left to right."""
    gaps = [other[0] - one[2] for one, other in pairwise(boxes)]
    tall = max((abs(box[3] - box[1]) for box in boxes), default=0.0)
    wide = [at + 1 for at, gap in enumerate(gaps) if gap > _BLANK_LEFT * tall]
    others = max((gap for gap in gaps if gap <= _BLANK_LEFT * tall), default=0.0)
    return wide if others < _BLANK_SHARE * _BLANK_LEFT * tall and 2 * len(wide) <= len(gaps) else []


def in_lines(chars: list[Word], handles: list[int]) -> list[list[Word]]:
    """The characters, parted where one is not in line with the one before; those of one text object (`handles`) are
    level, though the boxes of a font may be no taller than its letters."""
    pieces = [chars[:1]] if chars else []
    for (before, handle), (char, other) in pairwise(zip(chars, handles, strict=True)):
        if _in_line(before, char, level=handle == other):
            pieces[-1].append(char)
        else:
            pieces.append([char])
    return pieces


def _in_line(before: Word, char: Word, *, level: bool) -> bool:
    """Whether a character stands level with the one before, or right under or over it. Letters may be spaced out,
    figures that stand far apart are two."""
    tall, wide = char.y1 - char.y0, char.x1 - char.x0
    gap = char.x0 - before.x1
    if gap > _APART * tall and _FIGURE_SIGNS.issuperset(before.text + char.text):
        return False
    if gap > _FAR_APART * tall and not (before.text.isalpha() and char.text.isalpha()):
        return False
    if level and before.text.isalpha() and char.text.isalpha() and abs(gap) < tall:
        return True
    if abs(before.y1 - char.y1) < LEVEL * tall and abs(before.y0 - char.y0) < LEVEL * tall:
        return True
    near = min(abs(before.y0 - char.y1), abs(before.y1 - char.y0)) < tall
    behind = before.x1 - char.x0 < _BEHIND * min(wide, before.x1 - before.x0)  # a broad letter, behind a raised figure
    return near and not behind and abs(before.x0 - char.x0) < _STACKED * wide


class Undecoded(NamedTuple):
    """A word of a font whose characters pdfium could not make out: its place in the words, its text object, and its
    first and last character."""

    place: int
    handle: int
    first: int
    last: int


def decoded(
    undecoded: Undecoded, text_page: raw.Argument, characters: Mapping[int, str], style: Style,
    place: Callable[[int], Box | None],
) -> list[Word]:  # fmt: skip
    """Words whose "characters" are numbers of glyphs, as what the glyphs draw by `characters`. pdfium takes some for
    control characters and leaves them out of the text, spaces among them, so they are asked for one by one; `place`
    gives the box of a character as shown."""
    words: list[Word] = []
    apart = True
    for index in range(undecoded.first, undecoded.last + 1):
        code = raw.char_code(text_page, index)
        char = characters.get(code) or (chr(code) if 0x20 <= code < 0x110000 else "")
        box = place(index) if char.strip() else None
        if box is None:
            apart = True
            continue
        if apart:
            own = sized(style, box[3] - box[1], box[2] - box[0], letters=1)
            words.append(Word(clean(char), *box, own, joined=False))
        else:
            before = words[-1]
            around = bounding_box((before[1:5], box))
            words[-1] = Word(before.text + clean(char), *around, before.style, before.joined)
        apart = False
    return words


def are_undecoded(texts: int, letters: int) -> bool:
    """Whether most of so many text objects of a page gave no letter."""
    return texts > _UNDECODED_TEXTS and letters < _UNDECODED_SHARE * texts


def are_even(words: list[tuple[str, float]]) -> bool:
    """Whether words, each with the mean width of its characters, are of letters of one width. Signs of East Asian
    scripts always are."""
    usual = median(width for _, width in words)
    even = [text for text, width in words if abs(width - usual) < _EVEN * usual]  # others may end in another font
    return len(even) >= _MOSTLY_EVEN * len(words) and len({c for c in "".join(even) if c < FIRST_CJK}) >= _TYPED_LETTERS


def is_whole(
    text: str, word: re.Match[str], first: tuple[float, float], last: tuple[float, float], *, wide: bool
) -> bool:
    """Whether a word of a page with letters that run to the left is one though its first and last character differ in
    foot and top, as fonts of two scripts do: on a line without such letters one is raised or sunk, and a wide one is
    in letters that join."""
    (bottom, top), (low, high), start = first, last, word.start()
    if low >= top or bottom >= high or (wide and not JOINED.search(word[0])):
        return False
    moved = abs(low - bottom) > LEVEL * (top - bottom) and (low < bottom) == (high < top)
    if not moved:
        return True
    end = text.find("\n", start)
    return RIGHTWARDS.search(text, text.rfind("\n", 0, start) + 1, end if end >= 0 else len(text)) is not None
