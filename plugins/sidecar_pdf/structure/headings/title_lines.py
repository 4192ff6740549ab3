"""Joins the lines of a title in large type that were taken for paragraphs of their own, and takes the sign before one
for a part of it."""

from __future__ import annotations

import re

from sidecar_pdf.layout.lines import differ_in_capitals, shift_spans
from sidecar_pdf.pdfium.geometry import union
from sidecar_pdf.structure.numbering import WORDED, is_numbered
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import face, words_in

_LEADS_ON = re.compile(r"\b(?:of|in|for|the|and|to|with|an?|de|del|der|die|das|für|und|et|du|le|la)$|&$", re.IGNORECASE)
"""Ends a line of a title that goes on."""
_DEEP_NUMBER = re.compile(r"[1-9]\d?(?:\.\d{1,2}){1,4}\.?")
# Chosen on the corpus.
_TITLE = 1.5  # times the size of running text: that of a title whose lines may differ in typeface
_TITLE_OVER = 1.25  # times the size of running text: that of a title that goes on behind a colon or comma
_LARGE = 1.165  # times the size of running text: that of titles whose lines are joined
_JOINED_GAP, _JOINED_ASIDE = 0.75, 0.6  # ems between two lines of a title; between their left edges, or their middles
_NUMBER = 4.0  # ems from the number of a title to the words behind it
_BASELINE = 0.3  # ems between the tops of a number and of the words beside it
_SOLID_GAP = 0.2  # ems between two lines set solid, which a full stop does not part
_LED_GAP = 5.0  # ems between two lines of a title of which the first leads on ("User's manual for")
_SAME_SIZE = 0.06  # share of the size by which the name of a command in a title differs from it
_JOINED_WORDS, _JOINED_LINES = 20, 4  # of a title of several lines


def join_title_lines(pages: list[PageRegions], body: float) -> None:
    """Joins the lines of a title in large type that were taken for paragraphs of their own, as a short first line
    is, and takes the sign before a title for a part of it; `body` is the size of running text in points."""
    _unlist(pages, body)
    for page in pages:
        _join_numbers(page)
        kept: list[Region] = []
        for region in page.regions:
            first = _before(kept, region)
            if first is not None and region.size >= _LARGE * body and _is_next_line(first, region, body):
                start = first.text + " "
                first.text, first.lines = start + region.text, first.lines + region.lines
                first.size = max(first.size, region.size)
                first.spans += shift_spans(region.spans, len(start))
                first.box = union(first.box, region.box)
            else:
                kept.append(region)
        page.regions = kept


def _join_numbers(page: PageRegions) -> None:
    """Puts the number of a title before its words, where it was taken for a line of its own that stands left of them,
    as it is where an equation lies between the columns of a page."""
    kept: list[Region] = []
    for region in page.regions:
        number = kept[-1] if kept else None
        if number is not None and _is_number_of(number, region):
            start = number.text + " "
            region.text, region.spans = start + region.text, shift_spans(region.spans, len(start))
            region.box = union(number.box, region.box)
            kept[-1] = region
        else:
            kept.append(region)
    page.regions = kept


def _is_number_of(number: Region, title: Region) -> bool:
    """Whether a line is nothing but a number of two parts or more, and the other, set like it, stands right of it."""
    em = max(title.size, 1.0)
    return (
        number.kind == title.kind == "text" and number.in_flow and title.in_flow and title.lines == 1
        and _DEEP_NUMBER.fullmatch(number.text) is not None and title.text[:1].isupper() and face(number) == face(title)
        and 0 < title.box[0] - number.box[2] < _NUMBER * em and abs(title.box[1] - number.box[1]) < _BASELINE * em
    )  # fmt: skip


def _unlist(pages: list[PageRegions], body: float) -> None:
    """Takes for text what was taken for the only item of a list, in larger type than the text of `body` points: the
    sign before a title leads to it or adorns it. On slides, lists of one item are in larger type."""
    for page in pages:
        shown = [r for r in page.regions if r.in_flow]
        for above, region, below in zip([None, *shown], shown, [*shown[1:], None], strict=False):
            listed = any(other is not None and other.kind == "list" for other in (above, below))
            if region.kind != "list" or region.lines > 1 or listed or page.is_slide:
                continue
            if region.size >= _LARGE * body and not any(map(str.isalnum, region.marker)):
                start = region.marker + " "
                region.kind, region.marker, region.text = "text", "", start + region.text
                region.spans = shift_spans(region.spans, len(start))


def _before(kept: list[Region], region: Region) -> Region | None:
    """What stands before a region, less a figure beside it, such as the logo beside a title, or behind both."""
    if len(kept) > 1 and kept[-1].kind == "figure":
        left, top, right, bottom = kept[-1].box
        behind = top <= kept[-2].box[1] and region.box[3] <= bottom
        return kept[-2] if behind or right <= region.box[0] or region.box[2] <= left else kept[-1]
    return kept[-1] if kept else None


def _is_next_line(first: Region, region: Region, body: float) -> bool:
    if first.kind != "text" or region.kind != "text" or first.mono or not _is_set_as(first, region, body):
        return False
    on = _LEADS_ON.search(first.text) is not None or _is_led(region)
    large = first.size >= _TITLE_OVER * body
    goes_on = on or (large and first.text[-1:] in ":,")
    parted = (first.tag or region.tag) and not (large and goes_on)  # as the file says
    if parted or any(not r.in_flow for r in (first, region)):
        return False
    if first.lines + region.lines > _JOINED_LINES or words_in(f"{first.text} {region.text}") > _JOINED_WORDS:
        return False
    em = region.size
    solid = region.box[1] - first.box[3] < _SOLID_GAP * em
    if (first.text[-1:] in ".;!?" and not solid) or is_numbered(region.text) or WORDED.match(region.text):
        return False
    if differ_in_capitals(first.text, region.text) and not goes_on:
        return False
    left, right = region.box[0] - first.box[0], region.box[2] - first.box[2]
    if on and is_numbered(first.text) and 0 < left < _NUMBER * em:
        left = 0.0  # under the words of the title, behind its number
    aside = (left, right, (left + right) / 2)
    gap = (_LED_GAP if on and first.size >= _TITLE * body else _JOINED_GAP) * em
    return -em < region.box[1] - first.box[3] < gap and min(map(abs, aside)) < _JOINED_ASIDE * em


def _is_led(region: Region) -> bool:
    """Whether a line opens with a small word that goes on from the one over it ("for version 2", "IN CAPITALS")."""
    word = region.text.partition(" ")[0]
    return (word.islower() or region.text.isupper()) and _LEADS_ON.fullmatch(word) is not None


def _is_set_as(first: Region, region: Region, body: float) -> bool:
    """Whether two lines are set in one style; a title far larger than text may change the typeface, centred as from one
    script to another, else where a small letter goes on, as in the name of a command; and large lines may the size
    after a word that leads on ("Introduction to"), or the weight before the name of a command."""
    weight = first.bold == region.bold or (region.mono and abs(region.size - first.size) < _SAME_SIZE * first.size)
    leads = first.size >= _LARGE * body and weight and _LEADS_ON.search(first.text) is not None
    if leads or face(first) == face(region):
        return True
    alike = (first.size, first.bold) == (region.size, region.bold) and first.size >= _TITLE * body
    middle = (region.box[0] + region.box[2] - first.box[0] - first.box[2]) / 2
    return alike and (region.text[0].islower() or abs(middle) < _JOINED_ASIDE * region.size)
