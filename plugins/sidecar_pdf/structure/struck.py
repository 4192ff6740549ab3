"""Tells words that a line is drawn through: a redlined contract, a bill with what it strikes, an old price. Without it
what was deleted reads as what holds."""

from collections.abc import Iterator, Sequence

from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment, Word

# Shares of a word's height, from its top, between which a line runs through it: over them an overline, a radical or a
# border may be drawn, under them an underline, at .71 in a font with tall boxes. Browsers draw at .55, LibreOffice at
# .52.
_FROM, _TO = 0.36, 0.64
_ENDS = 0.3  # ems by which the line may end beside the first and the last of its words
_BAND = 8.0  # points: lines of text are looked up by bands so high
_FEWEST = 2  # letters and figures that are struck: a stroke through one alone may be a sign
_MOST = 4_000  # rules of a page that are looked at: more are a drawing


def mark_struck(graphics: PageGraphics, segments: Sequence[Segment]) -> None:
    """Marks the words that a level rule runs through from end to end, and takes such rules out of those of the page:
    they part no table."""
    if not graphics.horizontal or len(graphics.horizontal) > _MOST:
        return
    bands: dict[int, list[Segment]] = {}
    for segment in segments:
        if not segment.vertical:
            for band in range(int(segment.y0 // _BAND), int(segment.y1 // _BAND) + 1):
                bands.setdefault(band, []).append(segment)
    struck = {rule for rule in graphics.horizontal if _strike(rule, bands.get(int(rule[0] // _BAND), ()))}
    graphics.horizontal = [rule for rule in graphics.horizontal if rule not in struck]


def _strike(rule: Rule, near: Sequence[Segment]) -> bool:
    """Marks the words that a rule runs through; whether there are any."""
    found = [(segment, at, word) for segment in near for at, word in _through(rule, segment)]
    if sum(sum(map(str.isalnum, word.text)) for _, _, word in found) < _FEWEST:
        return False
    em = max(word.style.size for _, _, word in found)
    left, right = min(word.x0 for _, _, word in found), max(word.x1 for _, _, word in found)
    if max(abs(rule[1] - left), abs(rule[2] - right)) > _ENDS * em:
        return False
    for segment, at, word in found:
        segment.words[at] = word._replace(style=word.style._replace(struck=True))
    return True


def _through(rule: Rule, segment: Segment) -> Iterator[tuple[int, Word]]:
    """The words of a segment, by their places in it, that a rule runs through the middle of."""
    y, left, right = rule
    if not (segment.y0 < y < segment.y1 and segment.x0 < right and left < segment.x1):
        return
    for at, word in enumerate(segment.words):
        height, reach = word.y1 - word.y0, _ENDS * word.style.size
        inside = left - reach < word.x0 and word.x1 < right + reach
        if inside and word.y0 + _FROM * height < y < word.y0 + _TO * height:
            yield at, word
