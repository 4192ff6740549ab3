"""Tells which lines of a scan's invisible text layer do not say what its ink says: they stand beside the ink, their
words do not part where the ink has gaps, or were stretched to do so, some letters wide and others narrow. Nothing is
recognised: a layer whose words are as long as those of the ink passes, until `layer_words` reads the ink."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import log
from statistics import fmean, median
from typing import NamedTuple

from PIL import Image

from sidecar_pdf.pdfium.geometry import PageFrame
from sidecar_pdf.pdfium.rendering import ink_of
from sidecar_pdf.text.segments import INVISIBLE, Segment, Word

# Chosen on the corpus's scans: of the gaps between words of a layer 0.95 are gaps of the ink, of those of a layer that
# was moved by a letter or two 0.22.
_SPECK = 10  # of 255: the mean of a column of pixels below which it holds no ink
_GAP = 0.14  # of the height of a line: the least width of a gap in the ink
_REACH = 0.05  # of the height of a line by which a gap may lie beside where the layer has it
_MANY, _MANY_ALONE = 6, 8  # gaps it takes to judge several lines, and one
_DIFFERS, _ALONE = 0.4, 0.25  # share of the gaps of lines in a row, and of one line, under which they differ
_SUSPECT = 0.6  # share of the gaps of a line under which it is looked at together with its neighbours
_FITS, _SOME = 0.8, 4  # share of the gaps of a line that fits, and how many it has
_ASKEW = 0.1  # share of such lines up to which what fits does by chance
# Of 438 lines of scans none comes over 0.15; of as many whose words were put where others are, 0.96 come over 0.3.
_STRETCHED = 0.3  # mean natural logarithm by which the words of a line are wider or narrower than its middle one
_WORDS = 6  # words it takes to tell
_MAX_STRETCH = 1.5  # one word counts for no more
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]-"), frozenset("mwMW@%")
_NARROW_WIDTH, _WIDE_WIDTH, _CAPITAL_WIDTH = 0.5, 1.5, 1.2  # times a letter of usual width
_LATIN = "\u0250"  # below it letters have the widths of Latin type


class _LayerLine(NamedTuple):
    """A line of the layer: how many gaps between its words there are, how many of them the ink has, whether there is
    ink below it at all, and how unlike its words are stretched."""

    segment: Segment
    gaps: int
    found: int
    inked: bool
    stretch: float | None = 0.0

    @property
    def suspect(self) -> bool:
        return self.found < _SUSPECT * self.gaps or not self.gaps

    @property
    def fits(self) -> bool:
        return self.gaps >= _SOME and self.found >= _FITS * self.gaps


def flag_differing_layer(picture: Image.Image, frame: PageFrame, segments: Sequence[Segment]) -> bool:
    """Mark the lines that differ from the `picture` of the page, in shades of grey, as hidden. False where hardly any
    of the layer fits the picture: it may only lie askew, or its letters at equal steps, and is left as it is."""
    layer = [one for one in segments if one.style.mode in INVISIBLE and not one.hidden and not one.vertical]
    if not layer:
        return True
    ink = ink_of(picture)
    scale = frame.scale(picture.width)
    lines = [_looked_at(ink, scale, frame, segment) for segment in layer]
    stretched = _stretched(lines)
    differing = [line.segment for line in lines if not line.inked] + [line.segment for line in stretched]
    for run in _runs(line for line in lines if line.inked and line not in stretched):
        gaps, found = sum(line.gaps for line in run), sum(line.found for line in run)
        most, least = (_DIFFERS, _MANY) if len(run) > 1 else (_ALONE, _MANY_ALONE)
        if gaps >= least and found < most * gaps:
            differing += [line.segment for line in run]
    spaced = sum(line.gaps >= _SOME for line in lines)
    if differing and sum(line.fits for line in lines) <= _ASKEW * spaced and any(line.inked for line in lines):
        return False
    for segment in differing:
        segment.hidden = True
    return True


def _looked_at(ink: Image.Image, scale: float, frame: PageFrame, segment: Segment) -> _LayerLine:
    left, top, right, bottom = (edge * scale for edge in frame.shown(segment.box))
    height = bottom - top
    x0, x1 = max(int(left - height), 0), min(int(right + height) + 1, ink.width)
    y0, y1 = max(int(top), 0), min(int(bottom) + 1, ink.height)
    if x1 <= x0 or y1 <= y0:
        return _LayerLine(segment, 0, 0, inked=True)
    columns = ink.crop((x0, y0, x1, y1)).resize((x1 - x0, 1), Image.Resampling.BOX).tobytes()
    inside = columns[max(int(left) - x0, 0) : int(right) - x0 + 1]
    gaps = found = 0
    for before, word in pairwise(segment.words):
        if not word.joined and word.x0 > before.x1:
            begin = int(before.x1 * scale - _REACH * height) - x0
            end = int(word.x0 * scale + _REACH * height) + 1 - x0
            gaps += 1
            found += _longest_blank(columns[max(begin, 0) : end]) >= max(2.0, _GAP * height)
    return _LayerLine(segment, gaps, found, any(shade >= _SPECK for shade in inside), _stretch(segment.words))


def _stretched(lines: Iterable[_LayerLine]) -> list[_LayerLine]:
    """The lines whose words were stretched to lie on others; one of too few words goes along with the one before it."""
    found: list[_LayerLine] = []
    before = False
    for line in lines:
        before = line.inked and (before if line.stretch is None else line.stretch > _STRETCHED)
        if before:
            found.append(line)
    return found


def _stretch(words: Sequence[Word]) -> float | None:
    """How unlike the words are stretched, in type of one width or of many, whichever fits better; None where there are
    too few to tell."""
    plain = [one for one in words if len(one.text) > 1 and one.x1 > one.x0 and max(one.text) < _LATIN]
    if len(plain) < _WORDS:
        return None
    found: list[float] = []
    for width_of in (len, _usual_width):
        ratios = [log((one.x1 - one.x0) / width_of(one.text)) for one in plain]
        middle = median(ratios)
        found.append(fmean(min(abs(ratio - middle), _MAX_STRETCH) for ratio in ratios))
    return min(found)


def _usual_width(text: str) -> float:
    """The width of a word in letters of usual width."""
    return sum(
        _NARROW_WIDTH if c in _NARROW else _WIDE_WIDTH if c in _WIDE else _CAPITAL_WIDTH if c.isupper() else 1.0
        for c in text
    )


def _longest_blank(columns: bytes) -> int:
    longest = run = 0
    for shade in columns:
        run = run + 1 if shade < _SPECK else 0
        longest = max(longest, run)
    return longest


def _runs(lines: Iterable[_LayerLine]) -> Iterator[list[_LayerLine]]:
    """Lines that are suspect and follow one another; a line without gaps goes along with those before it."""
    run: list[_LayerLine] = []
    for line in lines:
        if line.suspect and (run or line.gaps):
            run.append(line)
        elif run:
            yield run
            run = []
    if run:
        yield run
