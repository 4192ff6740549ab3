"""Finds headings by what counts on over the document, in whatever type: a word with a number ("Article 3"), numbers,
letters, and what stands between two numbers that are headings. `finding` decides on all others."""

import re
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise, zip_longest
from typing import NamedTuple

from sidecar_pdf.pdfium.geometry import union
from sidecar_pdf.structure.headings.candidates import LARGE, LEADERS, candidates, is_no_heading
from sidecar_pdf.structure.numbering import heading_text, is_next_number, number_and_text
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import Face, face, is_running_text, is_title, words_in

_COUNT = re.compile(
    r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?=[“‘„«’\"'\\#]?\.?[^\W\d_])"
    r"|(\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+(?=\d[\w/+-]{0,12}\s[^\W\d_]{2})"
)
"""The number of a heading that counts on."""
_LABEL = re.compile(
    r"((?!\d)\w{2,14}\.?|§+)\s?(?<=[\s§\u3040-\u9fff])(\d{1,3}|[IVXLC]{1,6}|[A-Z])\b(?!\.\d)[a-z]?[.:–—-]?\s*"
)
"""A word and a number, as in "Chapter 3", "§ 12a" or "議題1"."""
_COUNTED_UNIT = re.compile(
    r"(?=[第제]\s?\d{1,3}\s?([章节節條条编編部장절조]))[第제]\s?(\d{1,3})\s?\w(?=[\s\u3000(（]|$)\s*"
)
"""The number of a part or an article of a statute, Chinese, Japanese or Korean, in figures."""
_ARTICLE = re.compile(r"第[一二三四五六七八九十百\d]{1,5}条")
_CAPTION = re.compile(r"[（(][^（()）]{1,40}[）)]")
"""The title of an article of a Japanese statute, which stands over it in brackets."""
_SENTENCE = re.compile(r":|\.$")
"""Leads to something, or ends as a sentence does."""
_FIGURES = re.compile(r"\s?\b\d[\d.]*\b")
_PROGRAM = re.compile(r"[>{};=\\]$")
"""Ends a prompt, or a line of a program."""
_LETTER = re.compile(r"\(?([a-z])\)")
"""The letter of a paragraph of an order or a statute."""
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
# Counts, words, ems and shares. Chosen on the corpus (tests/bench/pages/pdf_pages.py).
_TITLE_SHRINKS = 0.75  # of the size of a label: plain type under it that is smaller is text
_WORDED_WORDS = 12  # words of a line such as "Article 3"
_ASKED_LINES, _ASKED_WORDS = 4, 32  # of one such as "Question 3: Has it been …?"
_LABEL_APART, _TITLE_UNDER = 0.35, 2.0  # ems of white space over such a line; down to its title, at most
_LABEL_OVER = 0.6  # of such lines of one word: they do not stand over one another; a title stands under them
_SEVERAL = 2  # articles with a title in brackets; titles over rules
_COUNTED, _COUNTED_WORDS, _IN_TURN = 3, 12, 0.8  # numbered lines over text, words of one; share that follows another
_FOOTNOTE_SIZE = 0.92  # times the size of the text it stands over: smaller, and a numbered line is a footnote
_TITLE_LINES = 2  # of a line such as "Article 3"


class _Labelled(NamedTuple):
    """A line such as "Article 3", the value of its number, and what stands under it."""

    value: int
    region: Region
    below: Region | None
    page: PageRegions
    bare: bool
    """It has no title beside the number."""


def labelled_headings(pages: list[PageRegions], outside: set[int]) -> list[Region]:
    """Lines of their own that a word and a number open ("Article 3", "§ 4 Scope", "Art. 5"), in whatever type, where
    the numbers of one word count on over the document. A title that stands under most of them joins each. `outside`
    are the ids of what runs at the edge of pages, or names authors."""
    found: dict[str, list[_Labelled]] = {}
    for page in pages:
        for above, region, below in zip([None, *page.regions], page.regions, [*page.regions[1:], None], strict=False):
            said = heading_text(region)
            match = None if LEADERS.search(region.text) else _LABEL.match(said) or _COUNTED_UNIT.match(said)
            if match and id(region) not in outside and _is_labelled(region, above, match):
                own = _Labelled(_value(match[2]), region, below, page, match.end() == len(region.text))
                found.setdefault(match[1].casefold(), []).append(own)
    headings: list[Region] = []
    for numbered in found.values():
        in_turn = sum(after.value in (before.value + 1, 1) for before, after in pairwise(numbered))
        several = len(numbered) >= _COUNTED or [one.value for one in numbered] == [1, 2]
        own = {id(one.region) for one in numbered}
        over = sum(id(one.below) not in own for one in numbered)
        if several and in_turn >= _IN_TURN * (len(numbered) - 1) and over >= _LABEL_OVER * len(numbered):
            headings += [one.region for one in numbered]
            titled = [one for one in numbered if one.bare and one.below and _is_title_under(one.below, one.region)]
            for one in titled if len(titled) >= _LABEL_OVER * len(numbered) else ():
                _join_title(one)
    return headings


def _is_title_under(region: Region, label: Region) -> bool:
    """Whether a line may be the title of a label over it: text is set far smaller than its heading, a title is not,
    and what begins with the label and a further number is a label below it ("Part 1.1" under "Part 1")."""
    below = heading_text(region).startswith(f"{heading_text(label).rstrip('.: ')}.")
    return is_title(region) and region.size >= _TITLE_SHRINKS * label.size and not below


def _join_title(one: _Labelled) -> None:
    region, title = one.region, one.below
    if title is not None and title.kind == "text" and title.box[1] - region.box[3] < _TITLE_UNDER * region.size:
        region.text, region.lines = f"{region.text} {title.text}", region.lines + title.lines
        if title.size > region.size:
            region.size, region.bold = title.size, title.bold
        region.box = union(region.box, title.box)
        one.page.regions.remove(title)


def _is_labelled(region: Region, above: Region | None, match: re.Match[str]) -> bool:
    """Whether a line or two set apart from what is above are a label with its number, and perhaps a title, which may be
    a longer question in bold."""
    asked = region.bold and region.text[-1] == "?"
    lines, words = (_ASKED_LINES, _ASKED_WORDS) if asked else (_TITLE_LINES, _WORDED_WORDS)
    if region.kind != "text" or region.running or region.hidden or region.caption or region.lines > lines:
        return False
    rest = region.text[match.end() :].strip()
    if rest[:1].islower() or region.text[-1] in ",;:" or (rest and rest[-1] == "."):
        return False
    gap = region.box[1] - above.box[3] if above is not None else region.size
    apart = region.alone or not -region.size < gap < _LABEL_APART * region.size
    return apart and words_in(region.text) <= words and not match[1][:1].islower()


def _value(number: str) -> int:
    """The value of a number in figures, Roman ones or letters."""
    if number.isdecimal():
        return int(number)
    if len(number) == 1 and number not in _ROMAN:
        return ord(number.casefold()) - ord("a") + 1
    values = [_ROMAN.get(figure, 0) for figure in number]
    return sum(-one if one < after else one for one, after in pairwise([*values, 0]))


def numbered_headings(pages: list[PageRegions], outside: set[int]) -> list[Region]:
    """Lines of their own, in whatever type, whose numbers count on over the whole document ("1.", "2.", "2.1") and each
    of which stands over text or points not indented from it, or over the first of the next depth: the items of a list
    stand over one another, and their numbers begin anew. Where those do not count on by themselves, they may with
    numbers of several parts over whatever stands under them. `outside` are the ids of what runs at the edge of pages,
    or names authors."""
    shown = [r for page in pages for r in page.regions if r.in_flow and not r.caption]
    shown = [region for region in shown if id(region) not in outside]
    counted: list[tuple[tuple[int, ...], Region]] = []
    with_others: list[tuple[tuple[int, ...], Region]] = []
    for above, region, below in zip([None, *shown], shown, shown[1:], strict=False):
        number = _count(region)
        if number and (":" in region.text or below.text[:1].islower()):
            continue  # an item whose text goes on
        if number and region.size < _FOOTNOTE_SIZE * below.size:
            continue  # the last line of a page may be a footnote
        if number and (_counts_next(region, below) or (above and _counts_next(above, region))):
            continue  # an item of a list, or its last
        under = _count(below) if number else ()
        over_points = below.kind == "list" and not _count(below) and below.box[0] < region.box[0] + region.size
        deeper = len(under) > len(number) and under[: len(number)] == number
        over = over_points or is_running_text(below) or deeper
        if number and (over or len(number) > 1):
            with_others.append((number, region))
        if number and over:
            counted.append((number, region))
    for found in (counted, with_others if len(counted) >= _LABEL_OVER * len(with_others) else []):
        in_turn = sum(_follows(before, number) for (before, _), (number, _) in pairwise(found))
        if len(found) >= _COUNTED and in_turn >= _IN_TURN * (len(found) - 1):
            return [r for _, r in found]
    return []


def _counts_next(region: Region, below: Region) -> bool:
    """Whether two regions are items of a list, marked with a number and the next one."""
    return region.kind == below.kind == "list" and is_next_number(
        region.marker.strip("().[]"), below.marker.strip("().[]")
    )


def _follows(before: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether a number is the next on its depth, or on one above, or the first of a later part."""
    above = before[: len(number)]
    return number == (*above[:-1], above[-1] + 1) or (number[-1] == 1 and number > before)


def _count(region: Region) -> tuple[int, ...]:
    """The numbers that open a line with the shape of a title; none where it has another."""
    match = _COUNT.match(heading_text(region))
    if match is None or region.lines > 1 or not region.alone or _PROGRAM.search(region.text):
        return ()
    number = match[1] or match[2]
    text = region.text.removesuffix(".")
    if "." in number:  # figures among few words, as of a release, speak against a title less behind such a number
        text = match[0] + _FIGURES.sub("", heading_text(region)[match.end() :])
    if not is_title(replace(region, text=text)):
        return ()
    return tuple(map(int, number.split("."))) if words_in(region.text) <= _COUNTED_WORDS else ()


def lettered_headings(pages: list[PageRegions], outside: set[int]) -> list[Region]:
    """Lines in bold over plain text that letters count over the whole document, "(a)", "(b)", as paragraphs of orders
    and statutes have them, in whatever size. `outside` are the ids of what runs at the edge of pages."""
    lettered: list[tuple[int, Region]] = []
    for page in pages:
        for region, below in zip_longest(page.regions, page.regions[1:]):
            match = _LETTER.fullmatch(region.marker) if region.kind == "list" and region.bold else None
            if match and is_title(region) and id(region) not in outside and not (below and below.bold):
                lettered.append((ord(match[1]), region))
    in_turn = sum(number == before + 1 for (before, _), (number, _) in pairwise(lettered))
    return [r for _, r in lettered] if len(lettered) >= _COUNTED and in_turn >= _IN_TURN * (len(lettered) - 1) else []


def lettered_parts(pages: list[PageRegions], body: float) -> list[Region]:
    """Single letters in type larger than that of the text, of `body` points, that count on over the document as the
    parts of glossaries and indexes do."""
    letters = [
        region for page in pages for region in page.texts()
        if len(region.text) == 1 and region.text.isalpha() and not region.text.islower()
        and region.size >= LARGE * body and not region.marker
    ]  # fmt: skip
    rising = sum(one.text < other.text for one, other in pairwise(letters))
    return letters if len(letters) >= _COUNTED and rising >= _IN_TURN * (len(letters) - 1) else []


def captions_of_articles(pages: list[PageRegions]) -> list[Region]:
    """Lines in brackets over what begins with the number of an article, where a document has several."""
    found = [
        one for page in pages for one, below in pairwise(page.texts())
        if one.kind == "text" and _CAPTION.fullmatch(one.text) and _ARTICLE.match(below.text)
    ]  # fmt: skip
    return found if len(found) >= _SEVERAL else []


def ruled_off_headings(pages: list[PageRegions], body: float) -> list[Region]:
    """Bold lines, each over a rule that sets it off from what stands under it, where a document has several: titles of
    sections, in the type of the entries under them too. `body` is the size of running text in points."""
    found = [
        one for page in pages for one, below in pairwise(page.texts())
        if one.ruled_off and one.bold and is_title(one) and not (below.ruled_off or is_no_heading(one, body))
        and one.box[3] < below.box[1] + one.size
    ]  # fmt: skip
    return found if len(found) >= _SEVERAL else []


def counts_on(region: Region, others: list[Region]) -> bool:
    """Whether the number of a line is the one after that of one of the others set like it."""
    number = _last_number(region)
    before = (number[0], number[1] - 1) if number else None
    return any(_last_number(other) == before and face(other) == face(region) for other in others) if before else False


def between_numbers(pages: list[PageRegions], found: set[int]) -> list[Region]:
    """Lines whose number stands between those of two headings set alike, however long they are, or in bold is the next
    after those of three or more: an outline goes on there. `found` are the ids of the headings known."""
    numbered: defaultdict[tuple[Face, str], set[int]] = defaultdict(set)
    for page in pages:
        for region in page.regions:
            if id(region) in found and (number := _last_number(region)) is not None:
                numbered[face(region), number[0]].add(number[1])
    missing = {
        (style, above, last + 1) for (style, above), values in numbered.items() for last in values
        if last + 1 not in values and (last + 2 in values or (style[1] and {last - 1, last - 2} <= values))
    }  # fmt: skip
    return [
        region for page in pages if missing for region in candidates(page)
        if id(region) not in found and (number := _last_number(region)) and (face(region), *number) in missing
    ]  # fmt: skip


def under_numbers(pages: list[PageRegions], found: set[int], outside: set[int]) -> list[Region]:
    """Lines in the type of the text whose number is the first under that of a heading, or goes on from there ("1.2.1",
    "1.2.2" under "1.2"), each over something that has no such number. `found` are the ids of the headings known,
    `outside` of what runs at the edge of pages, or names authors."""
    shown = [r for page in pages for r in page.regions if r.in_flow and not r.caption]
    known, headings = set[tuple[int, ...]](), list[Region]()
    for region, below in pairwise(shown):
        number = _count(region)
        if number and id(region) in found:
            known.add(number)
        elif len(number) > 1 and id(region) not in outside and not (_count(below) or _SENTENCE.search(region.text)):
            before = number[:-1] if number[-1] == 1 else (*number[:-1], number[-1] - 1)
            if number[:-1] in known and before in known and number not in known:
                known.add(number)
                headings.append(region)
    return headings


def _last_number(region: Region) -> tuple[str, int] | None:
    """The number a line opens with, parted before its last figure; None where it has none."""
    above, _, last = number_and_text(heading_text(region))[0].rpartition(".")
    return (above, int(last)) if last.isdecimal() else None
