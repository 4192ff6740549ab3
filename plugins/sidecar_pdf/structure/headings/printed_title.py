"""Finds the title that is printed on the first page, for documents whose properties give none."""

from __future__ import annotations

from sidecar_pdf.structure.headings.levels import Headings
from sidecar_pdf.structure.numbering import depth_of, is_named
from sidecar_pdf.structure.regions import PageRegions

# Chosen on 293 PDFs of the corpus: of those without a title of their own, the headings found so are their titles.
_LARGER = 1.15  # times the size of running text, at least
_SAME_SIZE = 0.04  # share of its size by which lines of the title may differ
_MOST_CHARS = 250
_MOST_LINES = 2  # headings of that size one after the other: title and its second line


def printed_title(pages: list[PageRegions], headings: Headings) -> str:
    """The heading on the first page that is set larger than all other headings of the document; "" where none is, or
    more than two are. On slides, whose titles are alike, that of the first is taken."""
    if not pages:
        return ""
    found = [[region for region in page.regions if headings.level(region) and not region.hidden] for page in pages]
    largest = max((region.size for region in found[0]), default=0.0)
    if largest < _LARGER * headings.body:
        return ""
    least = largest * (1 - _SAME_SIZE)
    title = [region for region in found[0] if region.size >= least]
    elsewhere = any(region.size >= least for page in found[1:] for region in page)
    if len(title) > _MOST_LINES or (elsewhere and not pages[0].is_slide):
        return ""
    regions = pages[0].regions
    if len(title) == _MOST_LINES and regions.index(title[1]) != regions.index(title[0]) + 1:
        return ""
    text = " ".join(" ".join(region.text.split()) for region in title)
    return "" if len(text) > _MOST_CHARS or depth_of(text) or is_named(title[0]) else text
