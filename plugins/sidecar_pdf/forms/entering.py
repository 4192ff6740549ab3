"""Enters what form fields show into the text of a page, so that it is read where it stands: in the cell of a table, in
the line of its label, in the gap of a sentence. Not responsible for what a field shows (`text.fields`)."""

import re
from collections.abc import Iterable
from statistics import median

from msgspec.structs import replace

from sidecar.api import Box, Note
from sidecar_pdf.forms.labels import Labels
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.pdfium.geometry import bounding_box, contains_centre
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.text.fields import FormField
from sidecar_pdf.text.segments import Segment, Word

_FILLER = re.compile(r"[_.\u2026\u00b7\u2013\u2014-]{3,}|_+|\u2026")
"""What draws a line to write on."""
_DRAWN_BOX = frozenset("□☐❏❑❒▢◻◯○⭘⬜☑☒✓✔✗✘•oO")
_SIZE = 10.0
"""Points, of type on a page without text."""
_AFTER_LABEL = 0.3
"""Ems of white between a label and the value under it that is read behind it."""


def enter_fields(
    segments: list[Segment], fields: Iterable[FormField], graphics: PageGraphics, *, recognized: bool
) -> list[Note]:
    """Adds what the fields of a page show to its text, and gives the notes of those that no printed label names, or
    that show nothing. `recognized`: the text was read from the picture of the page, values of fields and all."""
    entering = _Entering(segments, graphics)
    notes: list[Note] = []
    for field in sorted(fields, key=lambda one: (round(one.box[1]), one.box[0])):
        lines = [line for line in field.lines() if line]
        if recognized and lines:
            entering.take(field.box)
        named = entering.enter(field, lines) if lines else False
        if field.note and not named:
            entered = "" if field.value or field.mark else " ".join(word.text for line in lines for word in line)
            if entered or not field.summary.endswith(":"):
                notes.append(replace(field.note, text=f"{field.summary} {entered}".rstrip()))
    entering.finish()
    return notes


class _Entering:
    """The text of one page that values are entered into."""

    def __init__(self, segments: list[Segment], graphics: PageGraphics) -> None:
        self._segments, self._added = segments, list[Segment]()
        sizes = [s.style.size for s in segments if not s.hidden]
        self._style = NO_STYLE._replace(size=median(sizes) if sizes else _SIZE)
        self._labels = Labels([s for s in segments if not s.hidden and not s.vertical], graphics, self._style.size)

    def take(self, box: Box) -> None:
        """Takes the words that stand in a box out of the text."""
        for segment in [s for s in self._segments if any(contains_centre(box, w[1:5]) for w in s.words)]:
            self._put(segment, [word for word in segment.words if not contains_centre(box, word[1:5])])

    def enter(self, field: FormField, lines: list[list[Word]]) -> bool:
        """Enters the words of a field, and tells whether the page names it."""
        size = self._labels.size(field.box)
        lines = [[self._styled(word, size) for word in line] for line in lines]
        if field.mark:
            return self._mark(field.box, lines[0][0])
        own = self._words_in(field.box)
        if own and "".join(own) == "".join(word.text for line in lines for word in line):
            return True  # drawn besides, as content of the page
        first, *rest = lines
        named = self._in_gap(field.box, first) or self._beside(field.box, first)
        if not named and not rest and not field.several:
            named = self._under(field.box, first) or self._beside(field.box, first, far=True)
        if not named:
            self._add(first)
        for line in rest:
            self._add(line)
        return named or self._labels.names(field.box)

    def _styled(self, word: Word, size: float) -> Word:
        size = min(word.style.size or word.y1 - word.y0, size)
        return word._replace(style=self._style._replace(size=size), at=-1)

    def _words_in(self, box: Box) -> list[str]:
        """The words printed in a field."""
        return [w.text for s in self._labels.level(box) for w in s.words if contains_centre(box, w[1:5])]

    def _add(self, words: list[Word]) -> None:
        """Words as a piece of text of their own."""
        added = Segment(words[0], self._labels.order(bounding_box(word[1:5] for word in words)))
        for word in words[1:]:
            added.add(word)
        self._added.append(added)

    def finish(self) -> None:
        """Takes up what was added, each piece with a place of its own in the order in which the page is drawn."""
        if not self._added:
            return
        added = {id(segment) for segment in self._added}
        self._segments += self._added
        for at, segment in enumerate(sorted(self._segments, key=lambda s: (s.order, id(s) in added))):
            segment.order = at

    def _put(self, segment: Segment, words: list[Word]) -> None:
        """Gives a segment other words."""
        if not words:
            self._segments.remove(segment)
            self._labels.forget(segment)
            return
        segment.words = words
        segment.x0, segment.y0, segment.x1, segment.y1 = bounding_box(word[1:5] for word in words)

    def _in_gap(self, box: Box, words: list[Word]) -> bool:
        """Puts a value in the place of the line to write on that is printed there; whether text stands before it."""
        found = False
        for segment in self._labels.level(box):
            made: list[Word] = []
            entered = False
            for word in segment.words:
                match = _FILLER.search(word.text)
                if match is None or not _overlap(box, word):
                    made.append(word)
                    continue
                before, after = word.text[: match.start()], word.text[match.end() :]
                made += [word._replace(text=before, x1=min(word.x1, words[0].x0))] if before else []
                if not found:
                    made += words
                    found = entered = True
                made += [word._replace(text=after, x0=max(word.x0, words[-1].x1), joined=True)] if after else []
                entered = True
            if entered:
                self._put(segment, made)
        return found

    def _beside(self, box: Box, words: list[Word], *, far: bool = False) -> bool:
        """Puts a value behind the label to its left."""
        label = self._labels.left_of(box, far=far)
        if label is None:
            return False
        segment, at = label
        before = segment.words[at]
        # A field may be taller than the lines around it, and stand so far from its label that it seems a column.
        shift = 0.0 if far else min(before.x1 + _AFTER_LABEL * self._style.size - words[0].x0, 0.0)
        words = [w._replace(x0=w.x0 + shift, x1=w.x1 + shift, y0=before.y0, y1=before.y1) for w in words]
        self._put(segment, [*segment.words[: at + 1], *words, *segment.words[at + 1 :]])
        return True

    def _under(self, box: Box, words: list[Word]) -> bool:
        """Puts a value behind the label over it: that names it, and the labels of two fields side by side would be read
        before the values of both."""
        segment = self._labels.above(box)
        if segment is None:
            return False
        left = segment.x1 + _AFTER_LABEL * self._style.size
        right = max(box[2], left + 1.0)
        across = words[-1].x1 - words[0].x0
        scale = min(1.0, (right - left) / across) if across > 0 else 1.0
        start = words[0].x0
        placed = [
            word._replace(
                x0=left + (word.x0 - start) * scale, x1=left + (word.x1 - start) * scale, y0=segment.y0, y1=segment.y1
            )
            for word in words
        ]
        self._put(segment, [*segment.words, *placed])
        return True

    def _mark(self, box: Box, mark: Word) -> bool:
        """Puts the sign of a box to tick before the label to its right, or behind that to its left."""
        for segment in self._labels.level(box):
            for at, word in enumerate(segment.words):
                if word.text in _DRAWN_BOX and contains_centre(box, word[1:5]):
                    sign = word._replace(text=mark.text, at=-1)
                    self._put(segment, [*segment.words[:at], sign, *segment.words[at + 1 :]])
                    segment.ticked = segment.ticked or not at
                    return True
        label = self._labels.of_mark(box)
        if label is None:
            self._add([mark])
            return self._labels.names(box)
        segment, at, after = label
        word = segment.words[at]
        mark = mark._replace(y0=word.y0, y1=word.y1, style=NO_STYLE._replace(size=word.style.size))
        mark = mark._replace(x0=max(mark.x0, word.x1)) if after else mark._replace(x1=word.x0)
        at += after
        rest = segment.words[at:]
        rest = [rest[0]._replace(joined=False), *rest[1:]] if rest else []
        self._put(segment, [*segment.words[:at], mark, *rest])
        segment.ticked = segment.ticked or not at
        return True


def _overlap(box: Box, word: Word) -> bool:
    """Whether most of a word's width or of the box's lies in the other."""
    shared = min(box[2], word.x1) - max(box[0], word.x0)
    return shared > min(box[2] - box[0], word.x1 - word.x0) / 2
