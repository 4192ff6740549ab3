"""Listings: program text and what a terminal shows, set in a typewriter face among text in another. Blank lines, and
lines that open as the items of a list do, part them into regions, which are put together again here; of single lines
it is told which are listings."""

from __future__ import annotations

import re
from collections.abc import Container

from sidecar_pdf.pdfium.geometry import union
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_typewritten

# Chosen on manuals and vignettes of many producers.
_PROSE_LINES, _PARAGRAPHS = 2, 3  # lines, and count, of paragraphs in another face that tell listings from text
_BLANK_LINES = 2.5  # lines of white space within one listing, at most
_SAME_SIZE = 0.07  # of the size, by which the lines of one listing differ
_COLUMN = 1.0  # points between the left edges of one column
_INDENT = 1.0  # ems by which a single line of a listing is indented, at least, unless a colon leads to it
_SIGN = re.compile(r"[^\s.,;:@'’“”\"-][\s/\\(){}\[\]<>=$|_:][^\s]|^[-$#>/]|[;{}]$")
"""What tells a line of a listing from a name: several words, or a sign of program text."""


def join_listings(pages: list[PageRegions], apart: Container[int]) -> None:
    """Makes one region of the parts of each listing, with the blank lines between them. `apart` are the ids of regions
    that are headings. A document that is typewritten throughout has no listings."""
    typewritten = is_typewritten(pages) and not _has_prose(pages)
    for page in pages:
        for region in page.regions if typewritten else ():
            region.code = ""
        kept: list[Region] = []
        for region in page.regions:
            if kept and _is_part(kept[-1], apart) and _is_part(region, apart) and _goes_on(kept[-1], region):
                _append(kept[-1], region)
            else:
                kept.append(region)
        page.regions = kept
        for before, region, after in zip([None, *kept], kept, [*kept[1:], None], strict=False):
            if region.code and region.lines == 1 and not (_is_part(region, apart) and _is_line(before, region, after)):
                region.code = ""


def _is_line(before: Region | None, region: Region, after: Region | None) -> bool:
    """Whether a single line is a listing: set apart in the text, and indented or led to by a colon. What is said of a
    term stands under it, indented."""
    if region.kind != "text" or not _SIGN.search(region.text) or any(span.kind == "link" for span in region.spans):
        return False
    if after is not None and after.column_left == region.column_left and after.box[0] > region.box[0] + _INDENT:
        return False
    led = before is not None and before.kind in {"text", "list"} and before.text[-1:] in ":："
    return region.alone and (led or region.box[0] > region.column_left + _INDENT * region.size)


def _has_prose(pages: list[PageRegions]) -> bool:
    """Whether there are paragraphs in another face than a typewriter's: manuals may hold more listings than text."""
    regions = (region for page in pages for region in page.regions)
    return sum(r.kind == "text" and not r.mono and r.lines >= _PROSE_LINES for r in regions) >= _PARAGRAPHS


def _is_part(region: Region, apart: Container[int]) -> bool:
    """Whether a region may be lines of a listing."""
    if not region.code or region.kind not in {"text", "list"} or region.caption is not None:
        return False
    return not (region.running or region.hidden or region.rotated) and id(region) not in apart


def _goes_on(listing: Region, region: Region) -> bool:
    gap = region.box[1] - listing.box[3]
    one_column = abs(listing.column_left - region.column_left) < _COLUMN
    alike = abs(listing.size - region.size) < _SAME_SIZE * region.size
    return alike and one_column and -region.size < gap < _BLANK_LINES * _pitch(listing, region)


def _pitch(listing: Region, region: Region) -> float:
    """From line to line, in points."""
    longer = max(listing, region, key=lambda part: part.lines)
    return max((longer.box[3] - longer.box[1]) / longer.lines, 1.0)


def _append(listing: Region, region: Region) -> None:
    blank = max(round((region.box[1] - listing.box[3]) / _pitch(listing, region)), 0)
    listing.code += "\n" * (blank + 1) + region.code
    listing.text = "\n".join(filter(None, (listing.marker, listing.text, region.marker, region.text)))
    listing.kind, listing.marker, listing.spans = "text", "", ()
    listing.lines += region.lines
    listing.box = union(listing.box, region.box)
