"""Finds the regions that name authors and where they work, between the title of a document and its first paragraph."""

from __future__ import annotations

import re

from sidecar_pdf.structure.regions import PageRegions

_AFFILIATION = re.compile(
    r"\S@\S|\b(?:Universit|Institut|Department|Dept\.|Faculty|School of|College|Laborator|Academy|Research Cent|GmbH)"
)
_MARK = re.compile(r"[∗*†‡§¶]|[a-z]\d(?:,\d)*(?:\s|$)")
_NAME_END = re.compile(r"[,;·&]|\band\b|[∗*†‡§¶\d]+")
# Counts and characters. Chosen on the corpus.
_BYLINE, _NAME_WORDS = 8, 8  # regions in which an address follows a title; words of a line of names
_PARAGRAPH_CHARS = 200  # of a paragraph, at least


def byline_of(pages: list[PageRegions]) -> set[int]:
    """The regions that name authors and where they work: between the title of the first page and its first paragraph,
    in a document of several pages."""
    if len(pages) < 2:
        return set()
    first = [region for region in pages[0].regions if region.kind == "text" and not region.running]
    address = next((at for at, region in enumerate(first[:_BYLINE]) if _AFFILIATION.search(region.text)), 0)
    end = next((at for at, region in enumerate(first) if len(region.text) >= _PARAGRAPH_CHARS), len(first))
    title = max((region.size for region in first[:end]), default=0.0)
    return {
        id(region) for region in first[1:end]
        if region.size < title and (_AFFILIATION.search(region.text) or _names_people(region.text))
    } | {id(region) for region in first[1:address] if region.size < title and _is_capitalised(region.text)}  # fmt: skip


def _is_capitalised(text: str) -> bool:
    """Whether a line consists of some capitalised words, as names above an address do."""
    words = text.split()
    return 2 <= len(words) <= _NAME_WORDS and all(word[:1].isupper() and not word.isupper() for word in words)


def _names_people(text: str) -> bool:
    """Whether a line is a list of names, each of two to four words, most of which are capitalised."""
    names = [name.split() for name in _NAME_END.split(text) if name.strip()]
    if len(names) < 2 and not _MARK.search(text):
        return False
    return all(2 <= len(name) <= 4 and name[0][:1].isupper() and name[-1][:1].isupper() for name in names)
