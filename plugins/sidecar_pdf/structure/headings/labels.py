"""Tells labels from headings by what stands around them: fields and their keys, terms over what they mean, names of
values, words that count chapters over their titles, and the version of a document under its title."""

import math
import re
from collections import defaultdict
from itertools import pairwise

from sidecar_pdf.structure.headings.bylines import names_version
from sidecar_pdf.structure.headings.candidates import LARGE, is_address
from sidecar_pdf.structure.numbering import WORDED, heading_text, is_named, is_numbered
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import Face, face, words_in

_FIELD = re.compile(r"(?=\D)\w[^\d:：?!]{1,38}(?::\s+|\s?：\s*)\S")
"""A key without a number, and its value."""
_FROM_TO = re.compile(r"(?:19|20)\d\d\D.*(?:19|20)\d\d|(?:19|20)\d\d[./-]?\d{0,2} ?[-–—~至]")
"""From a year to another, or to now."""
_CHAPTER = re.compile(
    r"chapter|appendix|part|(?:(?:chapter|part) )?(?:(?:twenty|thirty)[- ])?(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty)",
    re.IGNORECASE,
)
"""Counts a chapter in words over its title, or says that what stands under it does."""
# Counts and shares. Chosen on real documents (tests/bench/pages/pdf_pages.py, the sixth to the tenth truth of headings,
# the last two on the thirty-fourth).
_SAME_EDGE = 1.0  # ems between the left edges of fields
_SAME_SIZE = 0.06  # share of the size, by which those of fields differ
_VALUE_LINES, _OVER_VALUE = 8, 1.5  # lines of a value or an address; ems of white over it, under its label
_LABEL_LINES, _CODE_DIGITS = 2, 3  # lines of a label; digits of a value
_TERMS, _MOST_TERMS = 3, 0.8  # terms over what they mean; share of the lines set like them
_TERM_INDENT, _TERM_OVER = 1.5, 0.35  # ems that this is indented; of white over it
_COLUMN_LINES, _OVER_COLUMN = 3, 5.0  # values under one another; ems of white over them, under the name of the column
_KEYED, _UNDER_TITLES = 4, 0.8  # headings that open with one key; share of them right under a title
_TITLE_WORDS, _NAME_WORDS = 8, 12  # of a title over a field; of that of a chapter


def _fields(page: PageRegions) -> set[int]:
    """The lines of a page that are fields of a card or form, a key and its value: two under one another, set alike."""
    texts = [region for region in page.regions if region.kind == "text" and not (region.running or region.hidden)]
    keyed = {id(region) for region in texts if region.lines == 1 and _FIELD.match(region.text)}
    return {
        id(field) for one, other in pairwise(texts)
        if {id(one), id(other)} <= keyed and abs(one.box[0] - other.box[0]) < _SAME_EDGE * one.size
        and abs(one.size - other.size) < _SAME_SIZE * one.size
        for field in (one, other)
    }  # fmt: skip


def _terms(pages: list[PageRegions], found: list[Region], body: float) -> set[int]:
    """Bold lines in the size of the text, which has `body` points, that nearly all stand close over plain text indented
    from them, under larger headings: terms over what they mean."""
    own = {id(region): face(region) for region in found if region.size > (1 + _SAME_SIZE) * body or _is_term(region)}
    over: dict[Face, list[bool]] = {}
    for page in pages:
        for one, below in pairwise(page.texts()):
            if id(one) in own and one.size <= (1 + _SAME_SIZE) * body:
                indented = below.box[0] - one.box[0] > _TERM_INDENT * one.size and below.kind == "text"
                close = abs(below.box[1] - one.box[3]) < _TERM_OVER * one.size
                over.setdefault(face(one), []).append(indented and close and not below.bold)
    if all(style in over for style in own.values()):
        return set()  # nothing larger
    used = {style for style, terms in over.items() if len(terms) >= _TERMS and sum(terms) >= _MOST_TERMS * len(terms)}
    return {id(region) for region in found if own.get(id(region)) in used}


def _is_term(region: Region) -> bool:
    numbered = is_numbered(heading_text(region)) or WORDED.match(region.text) is not None
    return region.bold and region.lines == 1 and not (numbered or region.text.isupper() or region.marker)


def _over_values(page: PageRegions) -> set[int]:
    """Lines without a number right over a value, a code or an address: they name it, as the labels of receipts do, and
    so do those set like them at their height. The one line of a page that is larger than all others is its title."""
    texts, title = [region for region in page.texts() if region.kind == "text"], title_size(page)
    labels = [
        one for one, other in pairwise(texts)
        if one.lines <= _LABEL_LINES and one.size < title and not (is_numbered(heading_text(one)) or is_named(one))
        and any(map(str.isalpha, one.text)) and _is_over_value(one, other)
    ]  # fmt: skip
    beside = {(face(region), round(region.box[3])) for region in labels}
    return {id(region) for region in texts if (face(region), round(region.box[3])) in beside}


def title_size(page: PageRegions) -> float:
    """The size of the one line of a page that is larger than all others, in points; infinity where there is none."""
    largest, *others = sorted((r.size for r in page.texts() if r.kind == "text"), reverse=True) or [0.0]
    return largest if largest > max(others, default=0.0) else math.inf


def _is_over_value(label: Region, value: Region) -> bool:
    """Whether an address stands right under a line, or a value or a column of them."""
    (x0, _, x1, bottom), (left, top, right, _) = label.box, value.box
    aside = min(abs(x0 - left), abs(x1 - right), abs(x0 + x1 - left - right) / 2)
    space = top - bottom
    if aside > _SAME_EDGE * label.size or space < -label.size:
        return False
    if space < _OVER_VALUE * label.size and value.lines <= _VALUE_LINES and is_address(value):
        return label.size <= (1 + _SAME_SIZE) * value.size  # a larger one is the name on a letter
    column = value.lines >= _COLUMN_LINES
    return space < (_OVER_COLUMN if column else _OVER_VALUE) * label.size and _is_code(value.text)


def _is_code(text: str) -> bool:
    """Whether all words of a text have digits and no small letters, or signs alone, and one of them is no small
    number; what says how long something took, as under a line of a CV, is none."""
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    if _FROM_TO.search(text) or not all(any(map(str.isdecimal, word)) for word in words):
        return False
    letters = "".join(filter(str.isalpha, text))
    most = max((sum(map(str.isdecimal, word)) for word in words), default=0)
    return most >= _CODE_DIGITS and (not letters or letters.isupper())


def _repeated_keys(pages: list[PageRegions], found: list[Region], body: float) -> set[int]:
    """Lines little larger than the text of `body` points that open with one key before a colon, several times, nearly
    always right under a title: what is said of each, as the type of a setting."""
    own = {id(region) for region in found if region.size < LARGE * body}
    keyed: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    for page in pages:
        for above, region in pairwise(page.texts()):
            if id(region) in own and _FIELD.match(region.text) and not WORDED.match(region.text):
                title = above.lines == 1 and words_in(above.text) <= _TITLE_WORDS and above.text[-1:] not in ".:;,"
                keyed[region.text.partition(":")[0].casefold()][id(region)] = title
    return {
        key for lines in keyed.values()
        if len(lines) >= _KEYED and sum(lines.values()) >= _UNDER_TITLES * len(lines) for key in lines
    }  # fmt: skip


def _chapter_words(pages: list[PageRegions], found: list[Region]) -> set[int]:
    """Lines that count a chapter in words, or say that it is one, down to the title that stands under them."""
    own = set(map(id, found))
    none: set[int] = set()
    for page in pages:
        shown = page.texts()
        for below, region in pairwise(reversed(shown)):
            title = below.size >= region.size and words_in(below.text) <= _NAME_WORDS
            if _CHAPTER.fullmatch(region.text) and (title or id(below) in own or id(below) in none):
                none.add(id(region))
    return none


def _version_of(pages: list[PageRegions], found: list[Region]) -> set[int]:
    """The lines of the first page that say which version a document is, under its larger title; where later pages have
    such lines too, each heads what changed with it."""
    shown = pages[0].texts()
    first = {id(region) for region in shown}
    if any(names_version(region.text) and id(region) not in first for region in found):
        return set()
    largest = max((region.size for region in shown), default=0.0)
    told = [region for region in shown if names_version(region.text)]
    return {id(region) for region in told if region.size < largest} if len(told) == 1 else set()


def labels(pages: list[PageRegions], found: list[Region], body: float) -> set[int]:
    """The ids of the regions that are labels of what stands beside or under them, however they are set; `found` are
    headings, `body` the size of running text in points."""
    none = _terms(pages, found, body) | _repeated_keys(pages, found, body) | _chapter_words(pages, found)
    return none.union(_version_of(pages, found), *map(_fields, pages), *map(_over_values, pages))
