"""Reads a page's text as segments: words that follow one another on a line without a gap a column or a cell could hide
in. Two box calls and one object call a word, not a character: a page of 4,000 characters takes a millisecond."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.pdfium import raw
from sidecar_pdf.pdfium.fonts import NO_STYLE, Fonts, Style, is_slanted, is_unlikely
from sidecar_pdf.pdfium.geometry import PageFrame, bounding_box, give_extent
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.accents import ZERO_WIDTH_SPACE
from sidecar_pdf.text.characters import (
    LEVEL,
    LINE_END_HYPHEN,
    RunStarts,
    Undecoded,
    are_even,
    are_undecoded,
    blanks_between,
    clean,
    decoded,
    holds_script,
    in_lines,
    is_whole,
    run_starts,
    written_blanks,
)
from sidecar_pdf.text.glyphs import (
    CLOSING,
    SIGNS_FROM,
    AssembledSigns,
    Glyph,
    are_of_formulas,
    are_variables,
    dropped_delimiter,
    formula_words,
    has_relations,
    is_drawn_blank,
    told_apart,
)
from sidecar_pdf.text.hidden.replacement import LETTERS_OF_GLYPH
from sidecar_pdf.text.letters.close_cells import object_starts, with_close_cells
from sidecar_pdf.text.letters.rightwards import turned
from sidecar_pdf.text.letters.superiors import with_superiors
from sidecar_pdf.text.letters.tracking import rejoined
from sidecar_pdf.text.orientation import Direction
from sidecar_pdf.text.overprint import without_overprints, without_repeated_letters
from sidecar_pdf.text.page_string import PageString
from sidecar_pdf.text.rotated import read_rotated
from sidecar_pdf.text.segments import COVERED, RIGHTWARDS, SOFT_HYPHEN, Segment, Word, flag_hidden, join_words, sized
from sidecar_pdf.text.signs import font_signs

_WORD = re.compile(rf"[^\s\x00-\x1f\ufffe\ufeff]+[{LINE_END_HYPHEN}]?")
_LETTERS = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"\s|\S+")
_INKED = re.compile("[√∣∥⎜⎟⎢⎥⎪\ue000]")
"""Signs whose boxes do not tell where their ink is."""
_CODE_POINT = re.compile("[\ud800-\udbff][\udc00-\udfff]|.", re.DOTALL)
_DOUBLED = re.compile(r"(.)\1")
_BLANK = 3  # the glyph of the blank, by convention

# Chosen on the corpus.
_WIDEST = 1.0  # heights of a character that those of a word are wide at most
_FEW_OBJECTS = 0.5  # share of a page's text objects that begin words: with fewer some may be left out
_NEARLY_ALL = 0.9  # share of those that hold text where none is


class PageText(NamedTuple):
    """The text of a page in the order the file draws it, and the characters of what may be displayed formulas."""

    segments: list[Segment]
    glyphs: list[Glyph]


def read_text(
    page: int, frame: PageFrame, fonts: Fonts, graphics: PageGraphics, max_chars: int, unseen: Mapping[int, int]
) -> PageText:
    """The page's text; overlong pages are cut at `max_chars`. `unseen` gives the rendering mode of text objects that
    cannot be seen."""
    text_page = raw.load_text(page)
    if not text_page:
        return PageText([], [])
    rotated: list[Segment] = []
    try:
        reader = _WordReader(text_page, frame, fonts, max_chars, unseen, graphics.handles)
        words = reader.words()
        if any(direction is not None for direction in reader.directions.values()):
            others = reader.take_rotated()
            words = reader.words()
            rotated = read_rotated(text_page, others, frame, reader.styles, reader.directions)
        segments = join_words(without_overprints(words)) + rotated
        flag_hidden(segments, frame, graphics)
        glyphs = reader.glyphs(formula_words(segments)) if has_relations(words) else []
        lost = not reader.holds(graphics.texts)
    finally:
        raw.close_text(text_page)
    if lost and give_extent(graphics.handles):
        return read_text(page, frame, fonts, replace(graphics, texts=0), max_chars, unseen)
    letters = sum(len(word.text) for word in words) + sum(len(s.text) for s in rotated)
    graphics.undecoded = are_undecoded(graphics.texts, letters)
    return PageText(segments, glyphs)


class _WordReader(PageString):
    """The words of one page, from what pdfium takes for its text, one position a UTF-16 code unit. `styles` and
    `directions` are those of the text objects met so far, `texts` all of them in the order they are drawn."""

    def __init__(
        self, text_page: raw.Argument, frame: PageFrame, fonts: Fonts, max_chars: int, unseen: Mapping[int, int],
        texts: Sequence[int],
    ) -> None:  # fmt: skip
        self.styles: dict[int, Style] = {}
        self.directions: dict[int, Direction] = {}
        self.objects = 0
        """Text objects that hold any of the text."""
        super().__init__(text_page, frame, fonts, max_chars, unseen)
        self._texts, self._pieced = texts, False
        self._unmapped: dict[int, dict[int, str]] = {}
        self._word_styles: dict[int, Style] = {}
        self._made: dict[int, tuple[int, Word]] = {}
        """The end and the word of each place where one begins, as long as the text stays, but for what is blanked."""

    def _meet(self, index: int, handle: int) -> Style:
        """The style of a text object met for the first time, which is kept with its direction."""
        style, self.directions[handle] = self._style_and_direction(index, handle, self._frame)
        self.styles[handle] = style
        if style.font not in self._fonts.borrowed and font_signs(style.font):
            self._fonts.borrowed |= {style.font}
        if (
            (style.math or not style.font)
            and handle
            and is_unlikely(style.font, chr(raw.char_code(self._text_page, index)))
        ):
            self._fonts.mark_suspect()
        return style

    def take_rotated(self) -> list[tuple[int, str, int]]:
        """Blanks all that does not run level out of the text, and gives it as `(index, character, text object)`."""
        level = list(self._text)
        others: list[tuple[int, str, int]] = []
        for match in _RUN.finditer(self._text):
            start, end = match.span()
            handle, one = self._object(start), end - start == 1
            one = one or handle == self._object(end - 1)  # its ends in one text object, so all of it
            for at in range(start, start + 1 if one and self.directions[handle] is None else end):
                handle = handle if one else self._object(at)
                if self.directions[handle] is not None:
                    level[at] = " "
                    others.append((self._index(at), self._text[at], handle))
        self._text, self.objects = "".join(level), len(self.styles)
        return others

    def _object(self, at: int) -> int:
        """The text object of a position of the text, whose direction is known then; 0 where there is none."""
        handle = self._handle(at)
        if handle not in self.directions:
            self._meet(self._index(at), handle)
        return handle

    def holds(self, objects: int) -> bool:
        """Whether the text is that of so many text objects: it begins words in many of them, or, where words were put
        together of several, it is of nearly all."""
        if self.objects >= _FEW_OBJECTS * objects or ZERO_WIDTH_SPACE not in self._text:
            return self.objects >= _FEW_OBJECTS * objects
        return len({self._handle(at) for at, _ in enumerate(self._text)}) >= _NEARLY_ALL * objects

    def _blanks_written(self) -> float:
        """The share of its blanks that the page writes."""
        known = self._fonts.blanks_written
        return 1.0 if known else written_blanks(self._text_page, self._text, self._index, self._box_at)

    def words(self) -> list[Word]:
        """The words in the order of the text."""
        text, direct, text_page = self._text, self._direct, self._text_page
        rect, values = self._rect.address, self._rect.values
        loose_box, text_object, box, new_word = raw.loose_box, raw.text_object, self._frame.box, tuple.__new__
        styles, unmapped, made = self._word_styles, self._unmapped, self._made
        undecoded, words = list[Undecoded](), list[Word]()
        last_end, suspects, rightwards = -1, self._fonts.suspects, RIGHTWARDS.search(text) is not None
        runs = run_starts(text_page, self._texts, text, self._index, self._blanks_written())
        for match in _WORD.finditer(text):
            start, end = match.span()
            joined, last_end = start == last_end, end
            token = match[0]
            if token[-1] in LINE_END_HYPHEN:
                end -= 1
                if end == start:
                    continue
            if start in made and made[start][0] == end:
                word = made[start][1]
                words.append(word if word.joined == joined else word._replace(joined=joined))
                continue
            first, last = (start, end - 1) if direct else (self._index(start), self._index(end - 1))
            if not loose_box(text_page, first, rect):
                continue
            left, top, right, bottom = values
            handle = text_object(text_page, first) or 0
            style = styles.get(handle) or self._meet_in_word(first, handle)
            if last > first and loose_box(text_page, last, rect):
                end_left, high, end_right, low = values
                if left == end_left < end_right and last - first >= LETTERS_OF_GLYPH:
                    style = style._replace(mode=COVERED)  # all letters in the place of one: a glyph is told to say them
                lean = LEVEL * (top - bottom)
                wide = end_right - left > _WIDEST * (top - bottom) * (last - first + 1)
                script = rightwards and is_whole(text, match, (bottom, top), (low, high), wide=wide)
                uneven = not script and (wide or abs(low - bottom) > lean or abs(high - top) > lean)
                several = not (uneven or rightwards) and text_object(text_page, last) != handle
                self._pieced = self._pieced or several
                uneven = uneven or (several and holds_script(text_page, first, last, (bottom, top), self._rect))
                if uneven or (several and self._misses_blank(start, end)):
                    words += self._split(start, end, runs, joined=joined, blanks=not uneven)
                    continue
                left = end_left if end_left < left else left  # min and max cost more, and this runs for every word
                right = end_right if end_right > right else right
                bottom = low if low < bottom else bottom
                top = high if high > top else top
            token = self._without_repeated_letters(token, start) if direct and _DOUBLED.search(token) else token
            x0, y0, x1, y1 = box(left, bottom, right, top)
            token = token if token.isprintable() else clean(token, style.font)
            own = sized(style, y1 - y0, x1 - x0, letters=len(token)) if token.strip(".") else style  # stops tell none
            apart = runs.begins(first, handle, token, (x0, y0, x1, y1), own) if runs else None
            word = new_word(Word, (token, x0, y0, x1, y1, own, joined, start, apart))  # faster than with names
            if handle in unmapped:
                undecoded.append(Undecoded(len(words), handle, first, last))
            else:
                made[start] = end, word
            words.append(word)
        if self._reads_otherwise(known=suspects) or self._tells_kinds(words):
            return self.words()
        self.objects = self.objects or len(self.styles)
        words = self._with_decoded(words, undecoded) if undecoded else words
        return self._parted(words, told=runs is not None, rightwards=rightwards)

    def _parted(self, words: list[Word], *, told: bool, rightwards: bool) -> list[Word]:
        """The words parted, joined and in the order that the page shows; `told` is whether starts of runs are known."""
        text = self._text
        if _INKED.search(text):
            words = [self._with_ink(word) if _INKED.fullmatch(word.text) and word.at >= 0 else word for word in words]
        if told:
            starts = object_starts(self._texts, self._frame) if self._pieced else []
            words = with_close_cells(words, text, self._character, self._handle, starts)
        words = with_superiors(rejoined(words, text, self._box_at, self._is_made_up), text, self._inked_at)
        return turned(words, text, self._character) if rightwards else words

    def _character(self, at: int) -> tuple[Box, Style] | None:
        """The box as shown, and the style, of the character at a position of the text."""
        index = self._index(at)
        box, handle = self._shown(index), raw.text_object(self._text_page, index) or 0
        return (box, self._word_styles.get(handle) or self._meet_in_word(index, handle)) if box else None

    def _tells_kinds(self, words: list[Word]) -> bool:
        """Whether the words show of fonts without a name, as those of bitmaps and of browsers are, that their letters
        are of one width, or those of mathematics, which was not known."""
        found: dict[int, list[Word]] = {}
        for word in words if any(not style.font for style in self._word_styles.values()) else ():
            if not word.style.font and word.at >= 0:
                found.setdefault(raw.text_font(self._handle(word.at)) or 0, []).append(word)
        told = False
        for font, shown in found.items():
            widths = [(w.text, (w.x1 - w.x0) / len(w.text)) for w in shown if len(w.text) > 1 and not w.style.mono]
            mono, plain = bool(widths) and are_even(widths), [] if shown[0].style.math else shown
            slanted = are_variables([run[0] for w in plain if (run := _LETTERS.match(self._text, w.at))])
            math = slanted or are_of_formulas([w.text for w in plain])
            if font and (mono or math):
                told = True
                self._fonts.set_kind(font, mono=mono, math=math, italic=slanted)
        if told:
            self._word_styles.clear()
            self._made.clear()
        return told

    def _without_repeated_letters(self, token: str, start: int) -> str:
        """A word, by its first character, with letters once that are drawn again over themselves."""
        text_page = self._text_page
        return without_repeated_letters(
            token, lambda at: self._box(start + at), lambda at: raw.text_object(text_page, start + at)
        )

    def _with_ink(self, word: Word) -> Word:
        """A sign with the height of its ink: TeX's radicals hang from their baseline, delimiters may be stretched."""
        box = self._ink(self._index(word.at))
        if box is None or box[3] <= box[1]:
            return word
        size = min(word.style.size, box[3] - box[1])
        return word._replace(y0=box[1], y1=box[3], style=word.style._replace(size=size))

    def _reads_otherwise(self, *, known: frozenset[str]) -> bool:
        """Whether the fonts that were met tell more of the text than did those with the `known` suspects."""
        fonts, text = self._fonts, self._text
        if fonts.suspects is known and fonts.borrowed is self._borrowed and fonts.misread is self._misread:
            return False
        self._borrowed, self._misread = fonts.borrowed, fonts.misread
        made = zip(self._made_out(), text, self._drawn, strict=True)
        self._text = "".join(was if was == " " != drawn else now for now, was, drawn in made)  # turned words stay out
        if changed := self._text != text:
            self._made.clear()
        return changed

    def _meet_in_word(self, first: int, handle: int) -> Style:
        """As `_meet`, by the first character of a word, which tells whether pdfium made out what its font says."""
        style = self._word_styles[handle] = self._meet(first, handle)
        if handle and raw.map_error(self._text_page, first) == 1:
            self._unmapped[handle] = self._fonts.characters(handle)
            if not self._unmapped[handle]:  # no font program that tells characters
                self._fonts.suspect(handle)
        return style

    def _with_decoded(self, words: list[Word], undecoded: list[Undecoded]) -> list[Word]:
        """The words with those made out whose codes are glyph numbers."""
        unmapped = self._unmapped
        numbered = {id(unmapped[word.handle]) for word in undecoded if self._numbers_glyphs(word)}
        for word in reversed(undecoded):
            if id(unmapped[word.handle]) in numbered and word.place < len(words):
                font, style = unmapped[word.handle], self.styles[word.handle]
                words[word.place : word.place + 1] = decoded(word, self._text_page, font, style, self._shown)
        return words

    def _numbers_glyphs(self, word: Undecoded) -> bool:
        """Whether a word's codes are glyph numbers: the blank is glyph 3 by convention, which is not a character at
        all. pdfium marks many fonts it guesses right as well, and those must be left alone."""
        if not self._unmapped[word.handle].get(_BLANK, "").isspace():
            return False
        return any(raw.char_code(self._text_page, index) == _BLANK for index in range(word.first, word.last + 1))

    def _misses_blank(self, start: int, end: int) -> bool:
        """Whether a word of several text objects is two: pdfium misses blanks that it makes up after a broad letter."""
        if not self._text[start:end].isalnum():
            return False
        return bool(blanks_between([box for at in range(start, end) if (box := self._box_at(at))]))

    def _split(self, start: int, end: int, runs: RunStarts | None, *, joined: bool, blanks: bool) -> list[Word]:
        """A word whose ends stand at different heights or far from one another, character by character: a superscript,
        turned text, two lines that the file runs together, figures of two cells, or words whose blank was missed."""
        chars: list[Word] = []
        for at in range(start, end):
            index = self._index(at)
            if (box := self._box(index)) is None:
                continue
            x0, y0, x1, y1 = self._frame.box(*box)
            handle = raw.text_object(self._text_page, index) or 0
            style = self._word_styles.get(handle)
            if style is None:
                style, _ = self._style_and_direction(index, handle, self._frame)
                self.styles[handle] = self._word_styles[handle] = style
            own = sized(style, y1 - y0, x1 - x0, letters=1) if self._text[at] != "." else style
            char = Word(self._text[at], x0, y0, x1, y1, own, joined=True, at=at)
            chars.append(self._with_ink(char) if _INKED.match(char.text) else char)
        words: list[Word] = []
        places = [0, *(blanks_between([char[1:5] for char in chars]) if blanks else ()), len(chars)]
        handles = [self._handle(char.at) for char in chars]
        of_one_object = len(set(handles)) == 1
        pieces = [chars[one:other] for one, other in pairwise(places)] if blanks else in_lines(chars, handles)
        for piece in pieces:
            token = clean("".join(char.text for char in piece))
            box, at = bounding_box(char[1:5] for char in piece), piece[0].at
            apart = runs.begins(self._index(at), self._handle(at), token, box, piece[0].style) if runs else None
            own = next((char.style for char in piece if char.text != ZERO_WIDTH_SPACE), piece[0].style)
            if of_one_object:  # of narrow letters without ascenders the box does not tell the size
                own = max(own, *(char.style for char in piece), key=lambda style: style.size)
            words.append(Word(token, *box, own, not blanks if words else joined, -1 if words else start, apart))
        if words and self._text[end : end + 1] in set(LINE_END_HYPHEN):
            words[-1] = words[-1]._replace(text=words[-1].text + SOFT_HYPHEN)
        return words

    def glyphs(self, words: list[Word]) -> list[Glyph]:
        """The characters of words, each with the box of its ink."""
        found, read = list[Glyph](), set[int]()  # of a word that was cut, both halves tell where they begin
        assembled = AssembledSigns(self._text_page, self._frame, self._texts)
        for word in words:
            match = _WORD.match(self._text, word.at) if word.at >= 0 else None
            for char in _CODE_POINT.finditer(match[0]) if match else ():
                text = char[0] if len(char[0]) == 1 else char[0].encode("utf-16", "surrogatepass").decode("utf-16")
                index = self._index(word.at + char.start())
                if not (text := clean(text, word.style.font)) or index in read or (box := self._ink(index)) is None:
                    continue
                read.add(index)
                handle = raw.text_object(self._text_page, index) or 0
                style = self._word_styles.get(handle) or self._style_and_direction(index, handle, self._frame)[0]
                if text < SIGNS_FROM and style.math and raw.map_error(self._text_page, index) == 1:
                    text = self._named(index, raw.char_code(self._text_page, index)) or text
                glyph = Glyph(text, *box, self._line(index), style.size, is_slanted(style), style.bold, style.math)
                found.append(assembled.whole(told_apart(glyph), handle))
            if match and found and (blank := self._dropped(match.end())):
                found.append(dropped_delimiter(found[-1], blank))
        return found + self.unread_glyphs()

    def _dropped(self, at: int) -> str:
        """What a font draws for the code of a blank, where pdfium takes it for one more blank: the `(` of TeX's tall
        delimiters behind one that closes. "" elsewhere."""
        if self._text[at : at + 1] != " " or self._text[at - 1] not in CLOSING:
            return ""
        handle, place, after = self._handle(at), self._box_at(at), self._box_at(at + 1)
        style = self._word_styles.get(handle, NO_STYLE)
        if not handle or handle != self._handle(at - 1) or not style.math or place is None or after is None:
            return ""
        return self._fonts.named(handle, ord(" "), 0.0) if is_drawn_blank(after[0] - place[0], style.size) else ""
