"""Finds headings that only what a document repeats gives away: titles that open a paragraph in bold, heads of theorems,
and short lines in italics over paragraphs; and the lines between a title and the text that name authors and are none.
`headings` decides on all others."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise, zip_longest
from typing import Literal, NamedTuple

from sidecar_pdf.pdfium.geometry import union
from sidecar_pdf.structure.numbering import WORDED, depth_of, heading_text, is_named
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_running_text, is_title, words_in

_THEOREM = re.compile(
    r"(?:Definition|Theorem|Lemma|Proposition|Corollary|Claim|Conjecture|Axiom|Example|Remark|Property|Assumption|Problem"
    r"|Satz|Beweis|Hilfssatz|Korollar|Beispiel|Bemerkung|Théorème|Définition|Lemme|Corollaire|Exemple|Remarque|Propriété"
    r"|Teorema|Definición|Lema|Corolario|Ejemplo|Definizione|Esempio|Exercise|Question|Aufgabe|Frage|Übung|Exercice"
    r"|Ejercicio|Теорема|Лемма|Определение|Пример|Замечание|Задача|تعريف|نظرية|مبرهنة|مثال|تمرين|خاصية|ملاحظة|نتيجة"
    r"|تعریف|قضیه|لم|تمرین|پرسش|定理|定義|定义|例|命題|引理)\s*[.(]?\s?\d+(?:\.\d+)*"
)
_NUMBERED_TITLE = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+([A-Z][^.:;]{2,80}\.)\s+(?=[A-Z])")
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
    r"(?:Notes?|Examples?|Tips?|Cautions?|Warnings?|Important|Hinweis|Remarques?|Nota)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLE_END = re.compile(r"[.:—–-]\s*$")
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
_SALUTATION = re.compile(
    r"(?:dear|to whom it may|sehr geehrte|liebe[rs]?|guten tag|hallo|madame|monsieur|cher|chère|estimad[oa]s?"
    r"|egregi[oa]|querid[oa]s?|gentile|spettabile|prezad[oa]s?|geachte|beste|уважаем\w+)\b.{0,60}|.{0,30}様|拝啓.{0,20}",
    re.IGNORECASE,
)
"""Opens a letter."""
_FAREWELL = re.compile(
    r"(?:yours|sincerely|(?:kind|best|warm)(?:est)? (?:regards|wishes)|respectfully|regards|viele grüße"
    r"|hochachtungsvoll|mit (?:freundlich|best|herzlich)\w* \w+|(?:bien )?cordialement|veuillez agréer|atentamente"
    r"|un cordial saludo|cordiali saluti|distinti saluti|atenciosamente|met vriendelijke|с уважением|敬具)\b.{0,60}",
    re.IGNORECASE,
)
"""Ends a letter, before the signature."""
_NAME_END = re.compile(r"[,;·&]|\band\b|[∗*†‡§¶\d]+")
# Counts, characters and shares of a byline. Chosen on the corpus.
_BYLINE, _NAME_WORDS = 8, 8  # regions in which an address follows a title; words of a line of names
_INDENTED, _OFF_CENTRE = 0.2, 0.06  # shares of the page width: beside a centred line, and by which that differs
_PARAGRAPH_CHARS = 200  # of a paragraph, at least
# Characters, words, counts. Chosen on the corpus (tests/bench/pdf_pages.py).
_LEAST_TITLE, _MAX_TITLE, _TITLE_WORDS = 4, 90, 14  # of a title
_LEAST_REST = 30  # of the text that follows it
_REPEATED = 3  # paragraphs that open so, in one size, from which on the opening is a title
_UNTITLED = 0.25  # of the numbered paragraphs with a title: more without one, and they open with a sentence
_TITLE_LINES = 2  # of a run-in title that stands over its paragraph
_WORDED_WORDS = 12  # words of a line such as "Article 3"
_LABEL_APART, _TITLE_UNDER = 0.35, 2.0  # ems of white space over such a line; down to its title, at most
_LABEL_OVER = 0.6  # of such lines of one word: they do not stand over one another; a title stands under them
_TITLE, _SIGNATURE = 1.5, 5  # times the size of running text: that of titles in letters; regions below a farewell
_ITALIC_REPEATED = 2  # short lines in italics over paragraphs
_ITALIC_WORDS = 9
_SAME_SIZE = 0.06  # share of the size by which a line and its paragraph differ
_COUNTED, _COUNTED_WORDS, _IN_TURN = 3, 12, 0.8  # numbered lines over text, words of one; share that follows another
_SAME_LEFT = 1.5  # ems between their left edges


class RunInTitle(NamedTuple):
    """A paragraph that opens with a title of `length` characters."""

    region: Region
    length: int
    style: Literal["theorem", "bold", "italic"]


def titled_paragraphs(pages: list[PageRegions], byline: set[int]) -> list[RunInTitle]:
    """Paragraphs that open with a title. Heads of theorems are known by their words, titles in any type by numbers that
    follow one another; other openings in bold, and numbered ones in italics, are titles where several paragraphs of
    one size have them."""
    theorems: list[RunInTitle] = []
    openings: dict[tuple[float, str], list[RunInTitle]] = {}
    numbered: dict[tuple[int, ...], list[RunInTitle]] = {}
    untitled = 0
    for page in pages:
        for region, below in zip_longest(page.regions, page.regions[1:]):
            if region.kind not in {"text", "list"} or region.running or region.hidden or region.caption:
                continue
            if id(region) in byline or (region.kind == "list" and region.marker[-1:] != ")"):
                continue
            match = _NUMBERED_TITLE.match(region.text)
            if match and region.lines > 1:
                number = tuple(map(int, match[1].split(".")))
                numbered.setdefault(number, []).append(RunInTitle(region, match.end(2), "bold"))
                continue
            untitled += region.lines > 1 and depth_of(region.text) > 1
            length, italic = _opening(region, below)
            if not length:
                continue
            theorem = _THEOREM.match(region.text)
            if theorem:
                name = _NAME_OF_THEOREM.match(region.text, theorem.end())
                theorems.append(RunInTitle(region, name.end() if name else max(theorem.end(), length), "theorem"))
            elif _is_title(region, length):
                title = RunInTitle(region, length, "italic" if italic else "bold")
                openings.setdefault((round(region.size * 2) / 2, region.marker and region.kind), []).append(title)
    in_sequence = [] if untitled > _UNTITLED * len(numbered) else [
        one for number, found in numbered.items() for one in found
        if (*number[:-1], number[-1] - 1) in numbered or (*number[:-1], number[-1] + 1) in numbered
    ]  # fmt: skip
    repeated = [one for found in openings.values() if len(found) >= _REPEATED for one in _told_apart(found)]
    return theorems + in_sequence + repeated


def _told_apart(found: list[RunInTitle]) -> list[RunInTitle]:
    """The openings less labels that recur before a colon, as "Finding:" does in every part of a report."""
    counts = Counter(one.region.text[: one.length] for one in found)
    return [
        one for one in found
        if counts[one.region.text[: one.length]] < _REPEATED or one.region.text[: one.length].rstrip()[-1:] != ":"
    ]  # fmt: skip


def _opening(region: Region, below: Region | None) -> tuple[int, bool]:
    """How many characters the type has that a paragraph opens with, and whether it is italic: bold, or italic where the
    paragraph is numbered. All of them, where a bold line or two that end as a run-in title does stand over the
    paragraph."""
    if region.bold and region.kind == "text" and region.lines <= _TITLE_LINES and region.text[-1] == ".":
        over = below is not None and not below.bold and (below.kind == "list" or below.lines > 1)
        alike = below is not None and abs(below.size - region.size) < _SAME_SIZE * region.size
        return (len(region.text), region.italic) if over and alike else (0, False)
    opening = [span for span in region.spans if span.start == 0 and span.end < len(region.text)]
    length = {span.kind: span.end for span in opening}
    if region.kind == "text" and "bold" in length:
        return length["bold"], "italic" in length
    if region.kind == "list" and "italic" in length and region.text[length["italic"] - 1] in ".:":
        return length["italic"], True
    return 0, False


def _is_title(region: Region, length: int) -> bool:
    title, rest = region.text[:length].strip(), region.text[length:].strip()
    if not _LEAST_TITLE <= len(title) <= _MAX_TITLE or len(title.split()) > _TITLE_WORDS:
        return False
    opens = title.split(" ", 1)[0]
    if _REMARK.match(title) or (opens.islower() or not opens[0].isalpha()) or not _WORD.search(title):
        return False
    if length == len(region.text):
        return True
    if len(rest) < _LEAST_REST:
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
    if region.kind != "text" or not region.italic or region.bold or region.lines > 1:
        return False
    if below.kind != "text" and not (below.kind == "list" and below.marker[:1].isdigit()):
        return False
    if region.running or region.hidden or region.caption or region.rotated or below.running or below.italic:
        return False
    if len(region.text.split()) > _ITALIC_WORDS or region.text[-1:] in ".,;:!" or not region.text[:1].isupper():
        return False
    alike = abs(region.size - below.size) < _SAME_SIZE * below.size and abs(region.size - body) < _SAME_SIZE * body
    left = abs(region.box[0] - below.box[0]) < _SAME_LEFT * max(region.size, 1.0)
    return alike and left and below.lines > 1 and below.text[:1].isupper() and below.box[1] >= region.box[3] - body


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
            match = _LABEL.match(heading_text(region))
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
            titled = [
                one for one in numbered if one.bare and one.below and one.below.lines == 1 and is_title(one.below)
            ]
            for one in titled if len(titled) >= _LABEL_OVER * len(numbered) else ():
                _join_title(one)
    return headings


def _join_title(one: _Labelled) -> None:
    region, title = one.region, one.below
    if title is not None and title.kind == "text" and title.box[1] - region.box[3] < _TITLE_UNDER * region.size:
        region.text, region.lines = f"{region.text} {title.text}", region.lines + 1
        if title.size > region.size:
            region.size, region.bold = title.size, title.bold
        region.box = union(region.box, title.box)
        one.page.regions.remove(title)


def _is_labelled(region: Region, above: Region | None, match: re.Match[str]) -> bool:
    """Whether a line or two set apart from what is above are a label with its number, and perhaps a title."""
    if region.kind != "text" or region.running or region.hidden or region.caption or region.lines > _TITLE_LINES:
        return False
    rest = region.text[match.end() :].strip()
    if rest[:1].islower() or region.text[-1] in ",;:" or (rest and rest[-1] == "." and rest != "."):
        return False
    gap = region.box[1] - above.box[3] if above is not None else region.size
    apart = region.alone or not -region.size < gap < _LABEL_APART * region.size
    return apart and words_in(region.text) <= _WORDED_WORDS and not match[1][:1].islower()


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
    shown = [r for page in pages for r in page.regions if not (r.running or r.hidden or r.rotated or r.caption)]
    shown = [region for region in shown if id(region) not in outside]
    counted: list[tuple[tuple[int, ...], Region]] = []
    for region, below in pairwise(shown):
        number = _count(region)
        if number and (":" in region.text or below.text[:1].islower()):
            continue  # an item whose text goes on
        under = _count(below) if number else ()
        if number and (is_running_text(below) or (len(under) > len(number) and under[: len(number)] == number)):
            counted.append((number, region))
    in_turn = sum(_follows(before, number) for (before, _), (number, _) in pairwise(counted))
    return [r for _, r in counted] if len(counted) >= _COUNTED and in_turn >= _IN_TURN * (len(counted) - 1) else []


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


def byline_of(pages: list[PageRegions]) -> set[int]:
    """The regions that name authors and where they work: between the title of the first page and its first paragraph.
    In a document of one page, a poster, it is only what says where they work."""
    texts = (region for region in pages[0].regions if region.kind == "text" and not region.running)
    first = [region for region in texts if not WORDED.match(region.text)]
    end = next((at for at, region in enumerate(first) if len(region.text) >= _PARAGRAPH_CHARS), len(first))
    addresses = [at for at, region in enumerate(first[: min(_BYLINE, end)]) if _AFFILIATION.search(region.text)]
    address = max(addresses, default=0)
    named = next((at for at, region in enumerate(first[: end + 1]) if _closes(region)), 0)
    title = max((region.size for region in first[:end]), default=0.0)
    if len(pages) < 2:
        return {id(r) for r in first[1:end][:_BYLINE] if r.size < title and _AFFILIATION.search(r.text)}
    return {
        id(region) for region in first[1:end]
        if region.size < title and (_AFFILIATION.search(region.text) or _names_people(region.text))
    } | {
        id(region) for region in first[1 : min(named, _BYLINE)]
        if region.size < title and not region.bold and _is_centred(region, pages[0])
    } | {id(region) for region in first[1:address] if region.size < title and _is_capitalised(region.text)}  # fmt: skip


def letter_lines(pages: list[PageRegions], body: float) -> set[int]:
    """The regions of letters that head nothing: above the salutation the sender, the address and what is referred to,
    but for the line right above it; below the farewell the signature. `body` is the size of running text in points."""
    found: set[int] = set()
    for page in pages:
        shown = [r for r in page.regions if r.kind in {"text", "list"} and not r.running and r.size < _TITLE * body]
        opens = next((at for at, region in enumerate(shown) if _SALUTATION.fullmatch(region.text)), 0)
        ends = next((at for at in range(opens, len(shown)) if _FAREWELL.fullmatch(shown[at].text)), 0)
        if opens and (ends or len(pages) > 1):
            found.update(id(region) for region in shown[: opens - 1])
        if ends:
            found.update(id(region) for region in shown[ends : ends + _SIGNATURE])
    return found


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
