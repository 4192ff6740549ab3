"""Finds the regions that name authors and where they work, between the title of a document and its first paragraph."""

from __future__ import annotations

import re

from sidecar_pdf.structure.numbering import is_named
from sidecar_pdf.structure.regions import PageRegions, Region

_AFFILIATION = re.compile(
    r"\S@\S|\b(?:Universi[td]|Institut|Department|Dept\.|Faculty|School of|College|Laborator|Academy|Research Cent|GmbH"
    r"|Hochschule|Università|Университет|институт|جامعة|دانشگاه)|大学|大學|学院|研究所"
)
_MARK = re.compile(r"[∗*†‡§¶]|[a-z]\d(?:,\d)*(?:\s|$)")
_AFFILIATED = re.compile(r"[a-z]")
"""A raised letter that stands for where an author works."""
_PARTICLES = re.compile(r"van|von|de[rnl]?|della|d[iao]|dos|l[ae]|du|ten|zu|bin|el")
_INITIAL = re.compile(r"[A-Z]\.(?:-[A-Z]\.)?")
_DATE = re.compile(
    r"(?:(?:effective|valid|dated|(?:last )?(?:updated|modified|revised)|issued|published|stand|gültig)[a-z ]*:? )?"
    r"(?:\w+day,? )?(?:\d{1,2}(?:\.|st|nd|rd|th)? (?:of |de )?)?"
    r"(?:jan|feb|fév|fev|mar|mär|apr|avr|abr|ma[iyg]|ju[nl]|jui|giu|lug|aug|août|ago|sep|set|o[ck]t|out|nov|de[czs]|déc|dic"
    r"|gen|ene)\w{0,7}\.?(?: \d{1,2}(?:st|nd|rd|th)?)?,? ?(?:de )?\d{4}"
    r"|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}年\s?\d{1,2}月(?:\s?\d{1,2}日)?",
    re.IGNORECASE,
)
"""A day or a month of a year, or since when something holds, and nothing else."""
_DAY = re.compile(r"\d{1,2} [^\W\d_a-zA-ZÀ-ÿ]{2,12} \d{4}")
"""A day in a script other than Latin, whose months are not known here."""
_ABSTRACT = re.compile(
    r"(?:abstract|summary|zusammenfassung|résumé|resumen|resumo|riassunto|摘\s?要|要旨)\s?[.:：—–-]", re.IGNORECASE
)
"""Opens a paragraph that is the abstract."""
_NAME_END = re.compile(r"[,;·&]|\band\b|[∗*†‡§¶\d]+")
# Counts and characters. Chosen on the corpus.
_BYLINE, _NAME_WORDS = 8, 8  # regions in which an address follows a title; words of a line of names
_INDENTED, _OFF_CENTRE = 0.2, 0.06  # shares of the page width: beside a centred line, and by which that differs
_PARAGRAPH_CHARS = 200  # of a paragraph, at least


def byline_of(pages: list[PageRegions]) -> set[int]:
    """The regions that name authors and where they work: between the title of the first page and its first paragraph,
    in a document of several pages."""
    if len(pages) < 2:
        return set()
    first = [region for region in pages[0].regions if region.kind == "text" and not region.running]
    end = next((at for at, region in enumerate(first) if len(region.text) >= _PARAGRAPH_CHARS), len(first))
    addresses = [at for at, region in enumerate(first[: min(_BYLINE, end)]) if _AFFILIATION.search(region.text)]
    address = max(addresses, default=0)
    named = next((at for at, region in enumerate(first[: end + 1]) if _closes(region)), 0)
    title = max((region.size for region in first[:end]), default=0.0)
    return {
        id(region) for region in first[1:end]
        if region.size < title and (_AFFILIATION.search(region.text) or _names_people(region.text))
    } | {
        id(region) for region in first[1 : min(named, _BYLINE)]
        if region.size < title and not region.bold and _is_centred(region, pages[0])
    } | {id(region) for region in first[1:address] if region.size < title and _is_capitalised(region.text)}  # fmt: skip


def is_date(text: str) -> bool:
    """Whether a text is a day, or a month of a year, and nothing else."""
    return _DATE.fullmatch(text) is not None or _DAY.fullmatch(text) is not None


def _closes(region: Region) -> bool:
    """Whether what stands between the title and this can be but the authors: an abstract, a part known by name, a
    date."""
    return is_named(region) or _ABSTRACT.match(region.text) is not None or is_date(region.text)


def _is_centred(region: Region, page: PageRegions) -> bool:
    """Whether a line stands in the middle of the page, as authors do under a title and headings seldom."""
    left, right = region.box[0], page.width - region.box[2]
    return min(left, right) > _INDENTED * page.width and abs(left - right) < _OFF_CENTRE * page.width


def _is_capitalised(text: str) -> bool:
    """Whether a line consists of some capitalised words, as names above an address do."""
    words = [word for word in text.split() if not _PARTICLES.fullmatch(word) and not _INITIAL.fullmatch(word)]
    return 2 <= len(words) <= _NAME_WORDS and all(word[:1].isupper() and not word.isupper() for word in words)


def _names_people(text: str) -> bool:
    """Whether a line is a list of names, each of two to four words, most of which are capitalised."""
    names = [[word for word in name.split() if not _AFFILIATED.fullmatch(word)] for name in _NAME_END.split(text)]
    names = [name for name in names if name]
    if len(names) < 2 and not _MARK.search(text):
        return False
    return all(2 <= len(name) <= 4 and name[0][:1].isupper() and name[-1][:1].isupper() for name in names)
