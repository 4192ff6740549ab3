"""Finds headings that only what a document repeats gives away: titles that open a paragraph in bold, heads of theorems,
short lines in italics over paragraphs, and plain ones under more white. `finding` decides on all others."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise, zip_longest
from typing import Literal, NamedTuple

from sidecar_pdf.structure.headings.candidates import candidates
from sidecar_pdf.structure.numbering import depth_of
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_title, words_in

_THEOREM = re.compile(
    r"(?:Definition|Theorem|Lemma|Proposition|Corollary|Claim|Conjecture|Axiom|Example|Remark|Property|Assumption|Problem"
    r"|Satz|Beweis|Hilfssatz|Korollar|Beispiel|Bemerkung|Théorème|Définition|Lemme|Corollaire|Exemple|Remarque|Propriété"
    r"|Teorema|Definición|Lema|Corolario|Ejemplo|Definizione|Esempio|Exercise|Question|Aufgabe|Frage|Übung|Exercice"
    r"|Ejercicio|Теорема|Лемма|Определение|Пример|Замечание|Задача|تعريف|نظرية|مبرهنة|مثال|تمرين|خاصية|ملاحظة|نتيجة"
    r"|تعریف|قضیه|لم|تمرین|پرسش|定理|定義|定义|例|命題|引理)\s*[.(]?\s?(?:[A-HIVX]{1,4}\.)?\d+(?:\.\d+)*"
)
_NUMBERED_TITLE = re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+((?=[^\W\d_a-z])[^.;]{3,80}[.?!])\s+(?=[^\W\d_a-z])")
"""A title with its number, and a sentence after it."""
_NUMBERED_OPENING = re.compile(r"(\d{1,2}(?:\.\d{1,3}){1,4})\.?\s+(?=[^\W\d_])\S.+[^:]")
"""A number of two levels or more and a title, set off from what goes on by its type; before a colon it is a term."""
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
_ITALIC_REPEATED = 2  # short lines in italics over paragraphs
_ITALIC_WORDS = 9
_ITALIC_SIZE = 0.12  # share of the size of its paragraph by which one is smaller
_TOLD_WORDS = 5  # of a sentence in one line under one
_SAME_SIZE = 0.06  # share of the size by which a line and its paragraph differ
_SAME_LEFT = 1.5  # ems between their left edges
_SPACED, _PLAIN_WORDS, _SHORT = 4, 9, 0.7  # plain lines under more white; words of one; of the width of its paragraph
_TYPED, _MOST_TYPED, _TYPED_WORDS = 4, 0.8, 4  # bold lines in a typewriter face; share of them over text; words of one
_TYPED_TOP = 99.0  # points of white over one at the top of a page or column
_PARAGRAPH_WORDS = 14  # of the paragraph under one
_WHITE_OVER, _MORE_WHITE = 0.8, 1.5  # ems over such a line; times the white under it


class RunInTitle(NamedTuple):
    """A paragraph that opens with a title of `length` characters."""

    region: Region
    length: int
    style: Literal["theorem", "bold", "italic"]


def titled_paragraphs(pages: list[PageRegions], byline: set[int], known: set[int], *, bold: bool) -> list[RunInTitle]:
    """Paragraphs that open with a title. Heads of theorems are known by their words, titles in any type by numbers that
    follow one another; other openings in bold, and numbered ones in italics, are titles where several paragraphs of
    one size have them. Of `known` headings (ids) a part in another type is no title by its number. `bold` says that all
    text is: its openings then tell nothing."""
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
            opens = _NUMBERED_OPENING.fullmatch(region.text[:length].strip()) if match is None else None
            if opens and length < len(region.text) and words_in(opens[0]) <= _TITLE_WORDS and id(region) not in known:
                number = tuple(map(int, opens[1].split(".")))
                numbered.setdefault(number, []).append(RunInTitle(region, length, "italic" if italic else "bold"))
                continue
            whole = match is not None and abs(length - match.end(2)) <= _PUNCTUATION
            if match and (region.lines > 1 or whole):
                number = tuple(map(int, match[1].split(".")))
                title = RunInTitle(region, match.end(2), "italic" if italic else "bold")
                if whole or _is_set_off(region, match.span(2)):
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


def typed_headings(pages: list[PageRegions], outside: set[int]) -> list[Region]:
    """Bold lines in a typewriter face right over text in another at their left edge, with more white over them, where
    nearly all such lines of a document stand so: names of settings and commands, each over what it does. Listings,
    terms over indented text and what is typed at a prompt do not. `outside` are the ids of what runs at the edge of
    pages, or names authors."""
    lines = 0
    found: list[Region] = []
    for page in pages:
        shown = [region for region in page.regions if region.in_flow and not region.caption]
        possible = set(map(id, candidates(page)))
        for above, region, below in zip([None, *shown], shown, shown[1:], strict=False):
            typed = region.kind == "text" and region.bold and region.mono and region.lines == 1
            if typed and id(region) not in outside:
                lines += 1
                named = id(region) in possible and _is_typed_heading(above, region, below)
                found += [region] if named else []
    return found if len(found) >= max(_TYPED, _MOST_TYPED * lines) else []


def _is_typed_heading(above: Region | None, region: Region, below: Region) -> bool:
    under = below.box[1] - region.box[3]
    over = region.box[1] - above.box[3] if above is not None and above.box[3] <= region.box[1] else _TYPED_TOP
    named = words_in(region.text) <= _TYPED_WORDS and region.text[-1] not in ",;:{}"
    beside = abs(below.box[0] - region.box[0]) < _SAME_LEFT * region.size
    return named and region.alone and below.kind == "text" and not below.mono and beside and 0 < under < over


def _is_italic_heading(region: Region, below: Region) -> bool:
    if region.kind != "text" or not region.italic or region.bold or region.mono or region.lines > 1:
        return False
    if below.kind != "text" and not (below.kind == "list" and below.marker[:1].isdigit()):
        return False
    if not region.in_flow or region.caption or below.running or below.italic:
        return False
    if len(region.text.split()) > _ITALIC_WORDS or not is_title(region) or not region.text[:1].isupper():
        return False
    prose = below.lines > 1 or (below.alone and words_in(below.text) >= _TOLD_WORDS and below.text[-1] == ".")
    return _is_set_over(region, below, _ITALIC_SIZE) and prose and below.text[:1].isupper()


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


def _is_set_over(region: Region, below: Region, smaller: float = _SAME_SIZE) -> bool:
    """Whether a line has the size, or is `smaller` by that share of it, and the left edge of what stands under it."""
    alike = -smaller * below.size < region.size - below.size < _SAME_SIZE * below.size
    return alike and abs(region.box[0] - below.box[0]) < _SAME_LEFT * max(region.size, 1.0)
