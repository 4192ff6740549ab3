"""Finds headings that only what a document repeats gives away: titles that open a paragraph in bold, heads of theorems,
short lines in italics over paragraphs, and lines that count on. `finding` decides on all others."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise, zip_longest
from typing import Literal, NamedTuple

from sidecar_pdf.pdfium.geometry import union
from sidecar_pdf.structure.headings.candidates import LEADERS
from sidecar_pdf.structure.numbering import depth_of, heading_text
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_running_text, is_title, words_in

_THEOREM = re.compile(
    r"(?:Definition|Theorem|Lemma|Proposition|Corollary|Claim|Conjecture|Axiom|Example|Remark|Property|Assumption|Problem"
    r"|Satz|Beweis|Hilfssatz|Korollar|Beispiel|Bemerkung|Théorème|Définition|Lemme|Corollaire|Exemple|Remarque|Propriété"
    r"|Teorema|Definición|Lema|Corolario|Ejemplo|Definizione|Esempio|Exercise|Question|Aufgabe|Frage|Übung|Exercice"
    r"|Ejercicio|Теорема|Лемма|Определение|Пример|Замечание|Задача|تعريف|نظرية|مبرهنة|مثال|تمرين|خاصية|ملاحظة|نتيجة"
    r"|تعریف|قضیه|لم|تمرین|پرسش|定理|定義|定义|例|命題|引理)\s*[.(]?\s?(?:[A-HIVX]{1,4}\.)?\d+(?:\.\d+)*"
)
_NUMBERED_TITLE = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+((?=[^\W\d_a-z])[^.;]{3,80}[.?!])\s+(?=[^\W\d_a-z])")
"""A title with its number, and a sentence after it."""
_COUNT = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?=[^\W\d_])")
"""The number of a heading that counts on."""
_LABEL = re.compile(r"((?!\d)\w{2,14}\.?|§+)\s?(?<=[\s§])(\d{1,3}|[IVXLC]{1,6}|[A-Z])\b(?!\.\d)[a-z]?[.:–—-]?\s*")
"""A word and a number, as in "Chapter 3" or "§ 12a"."""
_LETTER = re.compile(r"\(?([a-z])\)")
"""The letter of a paragraph of an order or a statute."""
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_NAME_OF_THEOREM = re.compile(r"\s*\([^()]{3,80}\)\.?")
_REMARK = re.compile(
    r"(?:Proof|Beweis|Démonstration|Preuve|Dowód|Demostración|Dimostrazione|Demonstração|Notes?|Examples?|Tips?|Cautions?|Warnings?|Important|Hinweis|Remarques?|Nota)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_NEXT_WORD = re.compile(r"(?<=[^\W\d_]{2}[.?!]) +\S+(?: \S+)?\s*$")
"""A word or two behind the full stop of a title, as bold as it: the name the sentence begins with."""
_ITALIC_END = ".:?!—"
_TITLE_END = re.compile(r"[.:—–-]\s*$")
_COLON, _NO_SIGN = re.compile(r":$"), re.compile(r"[\w)]$")
"""How terms end: before a colon, or with themselves."""
# Characters, words, counts. Chosen on the corpus (tests/bench/pages/pdf_pages.py).
_MIN_TITLE, _MAX_TITLE, _TITLE_WORDS = 4, 90, 14  # of a title
_MIN_REST = 30  # of the text that follows it
_REST_LETTERS = 0.4  # share of that text that is letters: fewer, and it is the lines of a form to write on
_REPEATED = 3  # paragraphs that open so, in one size, from which on the opening is a title
_TERMS = 0.5  # of the openings before a colon, over no more than the rest of their line: more, and they are terms
_UNTITLED = 0.25  # of the numbered paragraphs with a title: more without one, and they open with a sentence
_PUNCTUATION = 2  # characters by which the type of a title may end before or after it
_TITLE_LINES = 2  # of a run-in title that stands over its paragraph
_TITLE_SHRINKS = 0.75  # of the size of a label: plain type under it that is smaller is text
_WORDED_WORDS = 12  # words of a line such as "Article 3"
_ASKED_LINES, _ASKED_WORDS = 4, 32  # of one such as "Question 3: Has it been …?"
_LABEL_APART, _TITLE_UNDER = 0.35, 2.0  # ems of white space over such a line; down to its title, at most
_LABEL_OVER = 0.6  # of such lines of one word: they do not stand over one another; a title stands under them
_ITALIC_REPEATED = 2  # short lines in italics over paragraphs
_ITALIC_WORDS = 9
_TOLD_WORDS = 5  # of a sentence in one line under one
_SAME_SIZE = 0.06  # share of the size by which a line and its paragraph differ
_COUNTED, _COUNTED_WORDS, _IN_TURN = 3, 12, 0.8  # numbered lines over text, words of one; share that follows another
_FOOTNOTE_SIZE = 0.92  # times the size of the text it stands over: smaller, and a numbered line is a footnote
_SAME_LEFT = 1.5  # ems between their left edges
_SPACED, _PLAIN_WORDS, _SHORT = 4, 9, 0.7  # plain lines under more white; words of one; of the width of its paragraph
_PARAGRAPH_WORDS = 14  # of the paragraph under one
_WHITE_OVER, _MORE_WHITE = 0.8, 1.5  # ems over such a line; times the white under it


class RunInTitle(NamedTuple):
    """A paragraph that opens with a title of `length` characters."""

    region: Region
    length: int
    style: Literal["theorem", "bold", "italic"]


def titled_paragraphs(pages: list[PageRegions], byline: set[int], *, bold: bool) -> list[RunInTitle]:
    """Paragraphs that open with a title. Heads of theorems are known by their words, titles in any type by numbers that
    follow one another; other openings in bold, and numbered ones in italics, are titles where several paragraphs of
    one size have them. `bold` says that all text is: its openings then tell nothing."""
    theorems, certain = list[RunInTitle](), list[RunInTitle]()
    openings: dict[tuple[float, str, bool], list[RunInTitle]] = {}
    numbered: dict[tuple[int, ...], list[RunInTitle]] = {}
    sure = set[tuple[int, ...]]()
    untitled = 0
    for page in pages:
        for region, below in zip_longest(page.regions, page.regions[1:]):
            if region.kind not in {"text", "list"} or region.running or region.hidden or region.caption:
                continue
            if id(region) in byline or (region.kind == "list" and region.marker[-1:] != ")") or region.pieces > 1:
                continue
            match = _NUMBERED_TITLE.match(region.text)
            length, italic = _opening(region, below)
            told = match is not None and abs(length - match.end(2)) <= _PUNCTUATION
            if match and (region.lines > 1 or told):
                number = tuple(map(int, match[1].split(".")))
                title = RunInTitle(region, match.end(2), "italic" if italic else "bold")
                if told or _is_set_off(region, match.span(2)):
                    certain.append(title)
                    sure.add(number)
                else:
                    numbered.setdefault(number, []).append(title)
                continue
            untitled += region.lines > 1 and depth_of(region.text) > 1
            if not length or (bold and not italic):
                continue
            theorem = _THEOREM.match(region.text)
            if theorem:
                name = _NAME_OF_THEOREM.match(region.text, theorem.end())
                theorems.append(RunInTitle(region, name.end() if name else max(theorem.end(), length), "theorem"))
            elif _is_title(region, length):
                title = RunInTitle(region, length, "italic" if italic else "bold")
                key = round(region.size * 2) / 2, region.marker and region.kind, not _opens_bold(region)
                openings.setdefault(key, []).append(title)
    in_sequence = [] if untitled > _UNTITLED * (len(numbered) + len(sure)) else [
        one for number, found in numbered.items() for one in found
        if not sure.union(numbered).isdisjoint(((*number[:-1], number[-1] - 1), (*number[:-1], number[-1] + 1)))
    ]  # fmt: skip
    repeated = [one for found in openings.values() if len(found) >= _REPEATED for one in _told_apart(found)]
    return theorems + certain + in_sequence + repeated


def _is_set_off(region: Region, title: tuple[int, int]) -> bool:
    """Whether the words of a title, behind its number, are set in a type of their own."""
    return any(
        span.kind in {"bold", "italic"} and abs(span.start - title[0]) <= 1 and abs(span.end - title[1]) <= _PUNCTUATION
        for span in region.spans
    )


def _opens_bold(region: Region) -> bool:
    return region.bold or any(span.kind == "bold" and not span.start for span in region.spans)


def _told_apart(found: list[RunInTitle]) -> list[RunInTitle]:
    """The openings less labels that recur before a colon, or in italics alone, as "Finding:" does in every part of a
    report, and less terms and keys, before a colon or without any sign, which most of their lines explain in one."""
    counts = Counter(one.region.text[: one.length] for one in found)
    terms: set[int] = set()
    for signs in (_COLON, _NO_SIGN):
        named = [one for one in found if signs.search(one.region.text[: one.length].rstrip())]
        if sum(one.region.lines == 1 or _terms(one.region) > 1 or _goes_on(one) for one in named) > _TERMS * len(named):
            terms.update(map(id, named))
    return [
        one for one in found if id(one) not in terms
        if counts[one.region.text[: one.length]] < _REPEATED
        or (_opens_bold(one.region) and one.region.text[: one.length].rstrip()[-1:] != ":")
    ]  # fmt: skip


def _goes_on(one: RunInTitle) -> bool:
    """Whether a small letter follows the opening of a paragraph: what a term means, and no sentence of its own."""
    return one.region.text[one.length :].lstrip()[:1].islower()


def _terms(region: Region) -> int:
    """How many bold words before colons a paragraph has: keys, each with what it does."""
    bold = (region.text[span.start : span.end].rstrip() for span in region.spans if span.kind == "bold")
    return sum(text.endswith(":") for text in bold)


def _opening(region: Region, below: Region | None) -> tuple[int, bool]:
    """How many characters the type has that a paragraph opens with, and whether it is italic: bold, or italic where it
    ends as a title does. All of them, where a bold line or two that end as a run-in title does stand over the
    paragraph."""
    titled = region.bold and region.text[-1] == "." and is_title(replace(region, text=region.text[:-1]))
    if titled and region.kind == "text":
        over = below is not None and not below.bold and (below.kind == "list" or below.lines > 1)
        alike = below is not None and abs(below.size - region.size) < _SAME_SIZE * region.size
        return (len(region.text), region.italic) if over and alike else (0, False)
    opening = [span for span in region.spans if span.start == 0 and span.end < len(region.text)]
    length = {span.kind: span.end for span in opening}
    if region.kind == "text" and "bold" in length:
        title = region.text[: length["bold"]]
        next_word = _NEXT_WORD.search(title)
        return (next_word.start() if next_word else len(title)), "italic" in length
    if "italic" in length and region.text[: length["italic"]].rstrip()[-1:] in _ITALIC_END:
        return length["italic"], True
    return 0, False


def _is_title(region: Region, length: int) -> bool:
    title, rest = region.text[:length].strip(), region.text[length:].strip()
    if not _MIN_TITLE <= len(title) <= _MAX_TITLE or len(title.split()) > _TITLE_WORDS:
        return False
    opens = title.split(" ", 1)[0]
    if _REMARK.match(title) or (opens.islower() or not opens[0].isalpha()) or not _WORD.search(title):
        return False
    if length == len(region.text):
        return True
    if len(rest) < _MIN_REST or sum(map(str.isalpha, rest)) < _REST_LETTERS * len(rest):
        return False
    opens = rest.lstrip("“\"'([«„—–-. ")[:1]
    return opens.isupper() or opens.isdigit() or bool(_TITLE_END.search(title))


def italic_headings(pages: list[PageRegions]) -> list[Region]:
    """Short lines in italics right over a paragraph in upright type that begins at their left edge, where the document
    has several."""
    found = [region for page in pages for region, below in pairwise(page.regions) if _is_italic_heading(region, below)]
    apart = sum(region.alone for region in found)
    return found if len(found) >= _ITALIC_REPEATED and 2 * apart >= len(found) else []


def _is_italic_heading(region: Region, below: Region) -> bool:
    if region.kind != "text" or not region.italic or region.bold or region.mono or region.lines > 1:
        return False
    if below.kind != "text" and not (below.kind == "list" and below.marker[:1].isdigit()):
        return False
    if not region.in_flow or region.caption or below.running or below.italic:
        return False
    if len(region.text.split()) > _ITALIC_WORDS or region.text[-1:] in ".,;:!" or not region.text[:1].isupper():
        return False
    told = below.lines > 1 or (below.alone and words_in(below.text) >= _TOLD_WORDS and below.text[-1] == ".")
    return _is_set_over(region, below) and told and below.text[:1].isupper()


def spaced_headings(pages: list[PageRegions], outside: set[int], others: int) -> list[Region]:
    """Short lines in the type of the text that nothing tells but the white over them, more than under them, where the
    text they stand over begins: where the document has several, more than lines alike that stand over none, and more
    than the `others` of its headings. `outside` are the ids of what runs at the edge of pages, or names authors."""
    found, apart = list[Region](), 0
    for page in pages:
        shown = [r for r in page.regions if r.in_flow and not r.caption]
        for above, region, below in zip(shown, shown[1:], shown[2:], strict=False):
            if id(region) in outside or not _is_plain_title(region):
                continue
            over = _begins_under(region, below)
            gap, under = region.box[1] - above.box[3], below.box[1] - region.box[3]
            spaced = gap < 0 or gap > max(_WHITE_OVER * region.size, _MORE_WHITE * under)
            if over and spaced and region.box[2] - region.box[0] < _SHORT * (below.box[2] - below.box[0]):
                found.append(region)
            else:
                apart += region.alone
    return found if len(found) >= _SPACED and len(found) > max(apart, others) else []


def _is_plain_title(region: Region) -> bool:
    plain = region.kind == "text" and region.lines == 1 and not (region.bold or region.italic or region.mono)
    return plain and region.pieces < 2 and words_in(region.text) <= _PLAIN_WORDS and is_title(region)


def _begins_under(region: Region, below: Region) -> bool:
    """Whether a paragraph in the type of a line begins right under its left edge."""
    plain = below.kind == "text" and below.lines > 1 and not (below.bold or below.italic or below.mono)
    worded = below.text[:1].isupper() and words_in(below.text) >= _PARAGRAPH_WORDS
    return plain and worded and _is_set_over(region, below)


def _is_set_over(region: Region, below: Region) -> bool:
    """Whether a line has the size and the left edge of what stands under it."""
    alike = abs(region.size - below.size) < _SAME_SIZE * below.size
    return alike and abs(region.box[0] - below.box[0]) < _SAME_LEFT * max(region.size, 1.0)


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
            match = None if LEADERS.search(region.text) else _LABEL.match(heading_text(region))
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
    of which stands over text, or over the first of the next depth: the items of a list stand over one another, and
    their numbers begin anew. `outside` are the ids of what runs at the edge of pages, or names authors."""
    shown = [r for page in pages for r in page.regions if r.in_flow and not r.caption]
    shown = [region for region in shown if id(region) not in outside]
    counted: list[tuple[tuple[int, ...], Region]] = []
    for region, below in pairwise(shown):
        number = _count(region)
        if number and (":" in region.text or below.text[:1].islower()):
            continue  # an item whose text goes on
        if number and region.size < _FOOTNOTE_SIZE * below.size:
            continue  # the last line of a page may be a footnote
        if number and below.kind == "list" and _counts_next(region, below):
            continue  # an item of a list
        under = _count(below) if number else ()
        if number and (is_running_text(below) or (len(under) > len(number) and under[: len(number)] == number)):
            counted.append((number, region))
    in_turn = sum(_follows(before, number) for (before, _), (number, _) in pairwise(counted))
    return [r for _, r in counted] if len(counted) >= _COUNTED and in_turn >= _IN_TURN * (len(counted) - 1) else []


def _counts_next(region: Region, below: Region) -> bool:
    """Whether two regions are marked with a number and the next one."""
    one, other = region.marker.strip("().[]"), below.marker.strip("().[]")
    return one.isdecimal() and other.isdecimal() and int(other) == int(one) + 1


def _follows(before: tuple[int, ...], number: tuple[int, ...]) -> bool:
    """Whether a number is the next on its depth, or on one above, or the first of a later part."""
    above = before[: len(number)]
    return number == (*above[:-1], above[-1] + 1) or (number[-1] == 1 and number > before)


def _count(region: Region) -> tuple[int, ...]:
    """The numbers that open a line with the shape of a title; none where it has another."""
    match = _COUNT.match(heading_text(region))
    if match is None or region.lines > 1 or not region.alone:
        return ()
    if not is_title(replace(region, text=region.text.removesuffix("."))):
        return ()
    return tuple(map(int, match[1].split("."))) if words_in(region.text) <= _COUNTED_WORDS else ()


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
