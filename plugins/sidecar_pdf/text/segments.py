"""Joins words to segments: words that follow one another on a line without a gap a column or a cell could hide in."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from sidecar.api import Box
from sidecar.toolkit.hidden import MIN_POINTS
from sidecar_pdf.pdfium.fonts import Style
from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.orientation import Orientation

RIGHTWARDS = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LTR = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]")
_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_SYMBOLS = re.compile(r"Wingdings|Webdings|Dingbat", re.IGNORECASE)
_ICONS = re.compile(r"Awesome|Icons|Ionicons|academicons|fontello|icomoon", re.IGNORECASE)
"""Fonts whose glyphs are pictures, whatever letters their codes stand for."""
_WINGDINGS = dict(zip("üûþýo¨qàèßØ§", "✓✗☑☒☐☐☐→➔←➢▪", strict=True))
"""What Wingdings draws for the characters its encoding borrows, where Unicode has the same sign."""
_CLUB, _SPADE = "♣", "♠"
"""The code of a club in Symbol is that of a small black square in Wingdings: files that set its bullets in another font
of symbols give clubs, where a hand of cards has spades as well."""

FIRST_CJK = "\u2e80"
TYPED_SPACE = 0.8
"""Ems of white within one run of typewriter type, whose blanks are as wide as its letters."""
SOFT_HYPHEN = "\xad"
"""The last character of a word that pdfium saw run on in the next line."""
# Ems, unless said. Chosen on the corpus (tests/bench/formats/recall_pdf.py).
_GAP = 0.95  # between two words of a segment; a wider gap may be a gutter or a cell border, which `layout` decides
_OTHER_SIZE = 1.25  # times the size of the other of two words, from which on the smaller of them measures the gap
_BACKWARD = 0.6  # by which a word may begin before the end of the one before
_TALLER = 2.0  # times its width that a word is tall which does not run level
_NARROW = 1.5  # of a segment that may go on in words which do not run level
_VERTICAL_ASIDE, _VERTICAL_GAP = 0.5, 1.2  # between words below one another: across, and down
_SHARED_HEIGHT = 0.5  # of the lower of two words on one line
_CJK_ASIDE, _CJK_GAP, _CJK_STEP = 0.6, 0.6, 0.3  # widths between characters below one another: across, down, at least
_DOWNWARDS = 0.5  # share of the words of a page that stand below one another where it is written in columns
_SMALL_PAGE = 200.0  # points of its shorter side under which a page is made to be enlarged
_SCANNED = 0.25  # share of the page that is images where it is a scan
NARROWEST, _COLUMN = 0.25, 4.0  # points a character is wide that can be told, and tall in a column of them
_SMALLEST, _LARGEST = 0.6, 2.6  # times the size of type that a word is tall, if no form scales it
_TOLD = 10.0  # points, from which on a size times that is hardly one that a form scales
_ADVANCE = 0.3  # times the size of type that a character is wide on the average, at least, if no form scales it
_BOX_HEIGHT = 1.15  # times the size of type that a character's box is tall
_UPRIGHT = 3.0  # times its width that a word is tall whose width tells the size

_SIGN_CHARS = 2
"""Characters of a sign or a raised number, whose size tells nothing of the gap beside it."""
_INITIAL = 1.6  # times the size of its line: that of an initial
_INITIAL_GAP, _INITIAL_APART = 0.15, 0.6  # ems of white behind an initial that may be a word by itself; behind others
_LETTER_WORDS = "AIOYÀÉEU"
_FEW_WORDS = 4
"""Labels of a drawing made small are not sentences."""
_COMPOUND = re.compile(r"\b\w++(?:-\w++)+")
COVERED = 8
"""Stands for the rendering mode of text that the drawn page does not show (`unseen`)."""
_PLAIN = frozenset((0, 1, 4, 5))
"""Modes in one colour: filled or stroked, and made a clip path besides."""
INVISIBLE = frozenset((3, 7))
"""Text rendering modes that show nothing (ISO 32000-1, 9.3.6): the text layer of a scan."""


class Word(NamedTuple):
    """A word as shown, in points."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    style: Style
    joined: bool
    """True when no space stands before it in the document's own text."""
    at: int = -1
    """Where it begins in the page's text; unknown of what was put together otherwise."""
    apart: bool | None = None
    """Whether it was set on its own, at a place of its own: the document writes blanks between the words of a run, and
    none before it. None where the page does not tell."""


class Onward(Word):
    """A word that follows the one before in the reading order of a line that runs right to left, wherever it stands."""

    __slots__ = ()


class Segment:
    """Words on one line, in reading order. `hyphen` tells that pdfium saw the last word run on in the next line.
    `vertical` text does not run level; `orientation` tells where to, where that is along an axis of the page. Of
    what is `ticked` a box to tick stands before the first word. A `cell` is text of a cell of a spreadsheet program's
    sheet."""

    __slots__ = (
        "cell", "hidden", "hyphen", "order", "orientation", "rtl", "style", "ticked", "vertical", "words", "x0", "x1",
        "y0", "y1",
    )  # fmt: skip

    def __init__(self, word: Word, order: int) -> None:
        self.words = [word]
        self.x0, self.y0, self.x1, self.y1 = word.x0, word.y0, word.x1, word.y1
        self.style = word.style
        self.order = order
        self.cell = self.hyphen = False
        self.ticked = False
        self.vertical = False
        self.orientation: Orientation | None = None
        self.hidden = False
        self.rtl = False

    def add(self, word: Word) -> None:
        """Appends a word."""
        self.words.append(word)
        _, x0, y0, x1, y1, _, _, _, _ = word  # what is left over costs a list
        self.x0 = x0 if x0 < self.x0 else self.x0  # min and max cost more, and this runs for every word
        self.x1 = x1 if x1 > self.x1 else self.x1
        self.y0 = y0 if y0 < self.y0 else self.y0
        self.y1 = y1 if y1 > self.y1 else self.y1

    @property
    def box(self) -> Box:
        """Its extent as shown."""
        return self.x0, self.y0, self.x1, self.y1

    @property
    def as_word(self) -> Word:
        """The whole as one word: the order of words that do not run level is not to be had from where they stand."""
        return Word(self.text, self.x0, self.y0, self.x1, self.y1, self.style, joined=False)

    @property
    def text(self) -> str:
        """Its words, with spaces where the document has them."""
        words = self.words
        if len(words) == 1:
            return words[0].text
        return "".join([word.text if word.joined or not at else " " + word.text for at, word in enumerate(words)])


def sized(style: Style, height: float, width: float, *, letters: int) -> Style:
    """The style with the size a word of this height, width and count of letters shows, where a surrounding form scales
    the text, which the text object alone does not tell. A lone full stop or "l" is narrow and does not run upwards; in
    fonts for mathematics its box is as tall as their largest sign."""
    size = style.size
    if _SMALLEST * size <= height <= _LARGEST * size and height <= _UPRIGHT * width:
        return style  # nearly all words
    upright = height > _UPRIGHT * width
    if upright and letters == 1 and height > _LARGEST * size >= _TOLD:
        return style
    tall = min(height, width) if upright and letters > 1 else height
    if tall < _SMALLEST * size and width > _ADVANCE * letters * size:
        return style  # the box is no taller than the letters are
    if size <= 0 or not _SMALLEST * size <= tall <= _LARGEST * size:
        return style._replace(size=round(tall / _BOX_HEIGHT, 2)) if tall > 0 else style
    return style


def has_letters(segments: Iterable[Segment]) -> bool:
    """Whether any word holds a letter or digit: a text layer may consist of marks alone."""
    return any(char.isalnum() for segment in segments for word in segment.words for char in word.text[:3])


def join_words(words: list[Word]) -> list[Segment]:
    """The words as segments, in the order given."""
    dense = any(word.text >= FIRST_CJK for word in words)
    down = dense and sum(_goes_down(a, b) for a, b in pairwise(words)) > _DOWNWARDS * len(words)
    segments: list[Segment] = []
    current: Segment | None = None
    for word in words:
        if not word.text:
            continue
        if current is not None and down and _goes_down(current.words[-1], word):
            current.vertical = True
            current.add(word._replace(joined=True))
        elif current is not None and not current.hyphen and _continues(current, word):
            current.add(word)
        else:
            current = Segment(word, len(segments))
            current.vertical = _is_tall(word)
            segments.append(current)
        if word.text[-1] == SOFT_HYPHEN:
            current.hyphen = True
    cards = any(_SPADE in word.text for word in words)
    for segment in segments:
        _read_opening(segment, cards=cards)
    if RIGHTWARDS.search("".join(word.text for word in words)):
        _read_rightwards(segments)
    return segments


def _read_opening(segment: Segment, *, cards: bool) -> None:
    """Reads the first sign of a segment as what its font draws, and sets an initial aside. `cards` tells that the page
    has suits of cards."""
    first, single = segment.words[0], len(segment.words[0].text) == 1
    if single and first.text.isalpha() and len(segment.words) > 1 and _ICONS.search(first.style.font):
        _drop_icon(segment)
        first, single = segment.words[0], False
    if single and _SYMBOLS.search(first.style.font) and first.text.isprintable():
        segment.words[0] = first._replace(text=_symbol(first))
    elif first.text == _CLUB and first.style.font.endswith("Symbol") and not cards:
        segment.words[0] = first._replace(text=_WINGDINGS["§"])
    if len(segment.words) > 1:
        segment.style = _dominant(segment.words)
        if single and first.style.size > _INITIAL * segment.style.size and first.text.isalpha():
            _set_initial_aside(segment)


def _drop_icon(segment: Segment) -> None:
    """Takes the picture that opens a line off it: the letter that its code stands for says nothing."""
    segment.words = segment.words[1:]
    segment.words[0] = segment.words[0]._replace(joined=False)
    segment.x0, segment.x1 = min(w.x0 for w in segment.words), max(w.x1 for w in segment.words)
    segment.y0, segment.y1 = min(w.y0 for w in segment.words), max(w.y1 for w in segment.words)
    segment.style = segment.words[0].style


def _set_initial_aside(segment: Segment) -> None:
    """Lets a line that a large initial opens stand where its other words do: the initial stands beside the next lines
    too, and no blank parts it from the rest of its word."""
    first, second = segment.words[:2]
    gap = _INITIAL_GAP if first.text in _LETTER_WORDS else _INITIAL_APART
    if second.x0 - first.x1 < gap * second.style.size and second.text[0].isalpha():
        segment.words[1] = second._replace(joined=True)
    rest = segment.words[1:]
    segment.x0, segment.x1 = min(word.x0 for word in rest), max(word.x1 for word in rest)
    segment.y0, segment.y1 = min(word.y0 for word in rest), max(word.y1 for word in rest)


def _read_rightwards(segments: list[Segment]) -> None:
    """Marks the segments of scripts that run right to left."""
    for segment in segments:
        if not RIGHTWARDS.search(segment.text):
            continue
        segment.rtl = True
        if all(one.x1 <= other.x0 and not _LTR.search(one.text + other.text) for one, other in pairwise(segment.words)):
            segment.words.reverse()  # as they stand, where they are not put in order yet


def _symbol(word: Word) -> str:
    """A sign of a symbol font that gives no Unicode for it: the letters such a font borrows are bullets to a reader."""
    if not (word.text.isalnum() or word.text in "¢¨§¥£¤") or ord(word.text) > 0xFF:
        return word.text
    return _WINGDINGS.get(word.text, "•") if word.style.font.endswith("Wingdings") else "•"


def _goes_down(before: Word, word: Word) -> bool:
    """Whether a word of Chinese or Japanese characters stands right under the one before: where most of a page does,
    it is written in columns, though the file sets every character level."""
    across = max(word.x1 - word.x0, before.x1 - before.x0)
    return (
        abs((before.x0 + before.x1) - (word.x0 + word.x1)) < _CJK_ASIDE * across
        and -_CJK_GAP * across < word.y0 - before.y1 < _CJK_GAP * across
        and word.y0 > before.y0 + _CJK_STEP * across
        and bool(_CJK.match(word.text)) and bool(_CJK.match(before.text))
    )  # fmt: skip


def _is_tall(word: Word) -> bool:
    return len(word.text) > 2 and (word.y1 - word.y0) > _TALLER * (word.x1 - word.x0)


def _continues(segment: Segment, word: Word) -> bool:
    if type(word) is Onward:
        return True
    _, before_x0, before_y0, _, before_y1, before_style, _, _, _ = segment.words[-1]
    _, x0, y0, _, y1, style, _, _, _ = word
    size = smaller = em = style.size
    if style is not before_style:  # as of hardly any two words of a line
        if style.white != before_style.white or (style.mode == COVERED) != (before_style.mode == COVERED):
            return False  # what is seen, and what may not be, are judged apart
        before_size = before_style.size
        smaller, em = (size, before_size) if size < before_size else (before_size, size)
    em = em if em > 1.0 else 1.0
    if segment.vertical or (segment.x1 - segment.x0 < _NARROW * em and _is_tall(word)):
        apart = max(before_y0 - y1, y0 - before_y1)
        # a full stop of vertical writing is small, and stands aside
        within = min(segment.x1, word.x1) - max(segment.x0, x0) > _SHARED_HEIGHT * (word.x1 - x0)
        level = within or abs(before_x0 - x0) < _VERTICAL_ASIDE * em
        return segment.vertical and level and apart < _VERTICAL_GAP * em
    # How far they overlap in height, in parts of the lower one; without min and max, as every word comes through here.
    high, tall = before_y1 - before_y0, y1 - y0
    shared = (y1 if y1 < before_y1 else before_y1) - (y0 if y0 > before_y0 else before_y0)
    if shared < _SHARED_HEIGHT * (tall if tall < high else high):
        return False
    gap = x0 - segment.x1
    if -_BACKWARD * em < gap < _GAP * em:
        # A title in large type ends where the text of the next column begins, closer than a space of its own is wide.
        if gap < _GAP * smaller or em < _OTHER_SIZE * smaller:
            return True
        return min(len(word.text), len(segment.words[-1].text)) <= _SIGN_CHARS
    # Words in letters that run left to right are pieces of their own there: pdfium may give them in either order.
    last = segment.words[-1].text
    if (segment.rtl or RIGHTWARDS.search(word.text + last)) and not _LTR.search(word.text + last):
        gap = segment.x0 - word.x1
        if -_BACKWARD * em < gap < _GAP * em:
            segment.rtl = True
            return True
    return False


def _dominant(words: list[Word]) -> Style:
    first = words[0].style
    for word in words:
        if word.style is not first:
            break
    else:
        return first
    weights: dict[Style, int] = {}
    for word in words:
        weights[word.style] = weights.get(word.style, 0) + len(word.text)
    return max(weights, key=weights.__getitem__)


def _is_tiny(segment: Segment, frame: PageFrame) -> bool:
    """Whether words are too small, or their letters too narrow, to be read on a page of usual size."""
    if min(frame.width, frame.height) < _SMALL_PAGE:
        return False
    across, tall = segment.x1 - segment.x0, segment.y1 - segment.y0
    chars = sum([len(word.text) for word in segment.words])
    if chars > 1 and across < NARROWEST * chars and tall < _COLUMN * chars:
        return not segment.vertical or across < MIN_POINTS or tall < chars
    return not segment.vertical and tall < MIN_POINTS * _BOX_HEIGHT and len(segment.words) >= _FEW_WORDS


def flag_hidden(segments: list[Segment], frame: PageFrame, graphics: PageGraphics) -> None:
    """Marks text a reader cannot see: off the page, covered, too small to read, white where nothing dark lies beneath,
    or drawn invisibly where there is no scan it could belong to (an OCR layer lies over the scan and stays visible)."""
    page_area = frame.width * frame.height or 1.0
    scanned = (
        sum((b[2] - b[0]) * (b[3] - b[1]) for b in (image.box for image in graphics.images)) > _SCANNED * page_area
    )
    for segment in segments:
        x0, y0, x1, y1 = segment.x0, segment.y0, segment.x1, segment.y1
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if (
            x1 <= 0
            or y1 <= 0
            or x0 >= frame.width
            or y0 >= frame.height
            or segment.style.mode == COVERED
            or _is_tiny(segment, frame)
        ):
            segment.hidden = True
        elif segment.style.mode in INVISIBLE:
            segment.hidden = not scanned
        elif segment.style.white and segment.style.mode in _PLAIN:
            dark = any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in graphics.fills)
            segment.hidden = not dark and not any(
                i.box[0] <= x <= i.box[2] and i.box[1] <= y <= i.box[3] for i in graphics.images
            )  # `document` looks at the drawn page before it believes this


class Vocabulary(set[str]):
    """The words of a document in small letters that no line breaks. `whole` tells that its program breaks none either,
    but at a hyphen of its own: browsers set another sign (U+2010) where they break one."""

    whole: bool = False


def learn_words(segments: list[Segment], vocabulary: set[str]) -> None:
    """Adds the words of a page that no line breaks, those that hyphens join without the quotes around them."""
    words = [w[0].lower() for s in segments for w in s.words if w[0][-1] != SOFT_HYPHEN]
    vocabulary.update(words)
    vocabulary.update([match[0] for word in words if "-" in word and (match := _COMPOUND.search(word))])
