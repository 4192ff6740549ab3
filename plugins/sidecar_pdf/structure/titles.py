"""Finds headings that only what a document repeats gives away: titles that open a paragraph in bold, heads of theorems,
and short lines in italics over paragraphs. `headings` decides on all others."""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest

from sidecar_pdf.structure.regions import PageRegions, Region

_THEOREM = re.compile(
    r"(?:Definition|Theorem|Lemma|Proposition|Corollary|Claim|Conjecture|Axiom|Satz|Beweis|Théorème|Définition|Teorema"
    r"|Definición)\s+\d+(?:\.\d+)*"
)
_NUMBERED_TITLE = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+([A-Z][^.:;]{2,80}\.)\s+(?=[A-Z])")
"""A title with its number, and a sentence after it."""
_NAME_OF_THEOREM = re.compile(r"\s*\([^()]{3,80}\)\.?")
_REMARK = re.compile(
    r"(?:Notes?|Examples?|Tips?|Cautions?|Warnings?|Important|Hinweis|Remarques?|Nota)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLE_END = re.compile(r"[.:—–-]\s*$")
# Characters, words, counts. Chosen on the corpus (tests/bench/pdf_pages.py).
_LEAST_TITLE, _MAX_TITLE, _TITLE_WORDS = 4, 90, 14  # of a title
_LEAST_REST = 30  # of the text that follows it
_REPEATED = 3  # paragraphs that open so, in one size, from which on the opening is a title
_ITALIC_REPEATED = 2  # short lines in italics over paragraphs
_ITALIC_WORDS = 9
_SAME_SIZE = 0.06  # share of the size by which a line and its paragraph differ
_SAME_LEFT = 1.5  # ems between their left edges


def titled_paragraphs(pages: list[PageRegions], byline: set[int]) -> list[tuple[Region, int]]:
    """Paragraphs that open with a title, and how many characters of them are the title. Heads of theorems are known by
    their words, titles in any type by numbers that follow one another; other bold openings are titles where several
    paragraphs of one size have them."""
    theorems: list[tuple[Region, int]] = []
    openings: dict[float, list[tuple[Region, int]]] = {}
    numbered: dict[tuple[int, ...], list[tuple[Region, int]]] = {}
    for page in pages:
        for region, below in zip_longest(page.regions, page.regions[1:]):
            if region.kind != "text" or region.running or region.hidden or region.caption or id(region) in byline:
                continue
            match = _NUMBERED_TITLE.match(region.text)
            if match and region.lines > 1:
                numbered.setdefault(tuple(map(int, match[1].split("."))), []).append((region, match.end(2)))
                continue
            length = _bold_opening(region, below)
            if not length:
                continue
            theorem = _THEOREM.match(region.text)
            if theorem:
                name = _NAME_OF_THEOREM.match(region.text, theorem.end())
                theorems.append((region, name.end() if name else max(theorem.end(), length)))
            elif _is_title(region, length):
                openings.setdefault(round(region.size * 2) / 2, []).append((region, length))
    in_sequence = [
        one for number, found in numbered.items() for one in found
        if (*number[:-1], number[-1] - 1) in numbered or (*number[:-1], number[-1] + 1) in numbered
    ]  # fmt: skip
    repeated = [one for found in openings.values() if len(found) >= _REPEATED for one in found]
    return theorems + in_sequence + repeated


def _bold_opening(region: Region, below: Region | None) -> int:
    """How many characters the bold type has that a paragraph opens with: all of them, where a bold line that ends as a
    run-in title does stands over its paragraph."""
    if region.bold and region.lines == 1 and region.text[-1] == ".":
        over = below is not None and below.kind == "text" and below.lines > 1 and not below.bold
        alike = below is not None and abs(below.size - region.size) < _SAME_SIZE * region.size
        return len(region.text) if over and alike else 0
    first = next((span for span in region.spans if span.kind == "bold"), None)
    return first.end if first is not None and first.start == 0 and first.end < len(region.text) else 0


def _is_title(region: Region, length: int) -> bool:
    title, rest = region.text[:length].strip(), region.text[length:].strip()
    if not _LEAST_TITLE <= len(title) <= _MAX_TITLE or len(title.split()) > _TITLE_WORDS:
        return False
    if _REMARK.match(title) or not title[0].isupper() or not _WORD.search(title):
        return False
    if length == len(region.text):
        return True
    if len(rest) < _LEAST_REST or region.lines < 2:
        return False
    opens = rest.lstrip("“\"'([«„—–-. ")[:1]
    return opens.isupper() or opens.isdigit() or bool(_TITLE_END.search(title))


def italic_headings(pages: list[PageRegions], body: float) -> list[Region]:
    """Short lines in italics right over a paragraph in upright type that begins at their left edge, where the document
    has several; `body` is the size of running text in points."""
    found = [
        region for page in pages for region, below in pairwise(page.regions) if _is_italic_heading(region, below, body)
    ]
    apart = sum(region.alone for region in found)
    return found if len(found) >= _ITALIC_REPEATED and 2 * apart >= len(found) else []


def _is_italic_heading(region: Region, below: Region, body: float) -> bool:
    if region.kind != "text" or below.kind != "text" or not region.italic or region.bold or region.lines > 1:
        return False
    if region.running or region.hidden or region.caption or region.rotated or below.running or below.italic:
        return False
    if len(region.text.split()) > _ITALIC_WORDS or region.text[-1:] in ".,;:!?" or not region.text[:1].isupper():
        return False
    alike = abs(region.size - below.size) < _SAME_SIZE * below.size and abs(region.size - body) < _SAME_SIZE * body
    left = abs(region.box[0] - below.box[0]) < _SAME_LEFT * max(region.size, 1.0)
    return alike and left and below.lines > 1 and below.text[:1].isupper() and below.box[1] >= region.box[3] - body
