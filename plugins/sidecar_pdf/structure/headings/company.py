"""Tells by the lines around it what heads nothing, however it is set: items among items, lines of a list of contents,
names of columns side by side, running heads, and what stands on a cover under its title."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise, takewhile

from sidecar_pdf.structure.headings.bylines import inscribed
from sidecar_pdf.structure.headings.candidates import MAX_DEPTH, MUCH_LARGER
from sidecar_pdf.structure.headings.edges import letters_of
from sidecar_pdf.structure.headings.labels import labels, title_size
from sidecar_pdf.structure.numbering import WORDED, heading_text, is_named, is_next_number, is_numbered
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import Face, face, words_in

_PAGED = re.compile(r"(?=.*[^\W\d_]).*\s(?!(?:19|20)\d\d$)(\d{1,4})")
"""A title and the number of its page, which is no year: that is of the day of a release."""
_TO_PAGE = re.compile(r"#page=(\d+)")
"""The target of a link to a page."""
_NOTE = re.compile(r"\d{1,3} [^\W\d_A-Z]")
"""The number of a note and what goes on as no title does."""
# Counts. Chosen on real documents (tests/bench/pages/pdf_pages.py, the sixth to the tenth truth of headings).
_SEVERAL_PAGED = 6  # lines of a page that end with numbers that rise, from which on it is a list of contents
_LISTED, _LISTED_LETTERS = 3, 4  # lines of a list of contents; letters of each
_SAID_AGAIN = 0.6  # of the lines of a list of contents are said again
_MOST_OF_LINE = 0.8  # of the characters of a line, that lead to a page
_LISTED_SIZE = 1.1  # times the size of text, of its lines at most
_PAGED_LINES = 3  # of one of them, or of some that were joined
_PLAIN_ITEMS = 3  # items of a list that are not candidates, from which on one that counts on with them is an item too
_PARAGRAPH_WORDS, _SENTENCE_WORDS = 30, 20  # of a paragraph, at least; of one that ends as a sentence does
_FEW_WORDS, _NAME_WORDS = 8, 12  # of a sentence, at least; of a line of names, at most
_FEW_TOLD, _NAMES = 1, 9  # sentences under a title, with more the text begins; lines to its abstract, fewer are names
_COVER_LINES, _HEAD = 16, 0.13  # regions of a cover, at most; of the page height, where running heads stand
_TITLE_SIZE = 0.8  # times the largest size of a cover, from which on a line may be its title
_COVER_SIZE, _PLAIN_COVER_SIZE = 1.4, 2.0  # times the size of text, of a title under the name of a series: bold, plain
_SAME_EDGE = 1.0  # ems between the left edges of the items of a list
_FULL, _NEXT_LINE = 2.0, 1.5  # ems a line of text leaves over; white space over the next, of widely set text
_SAME_SIZE = 0.06  # share of the size, by which those of items differ
_PATHS = 8  # of a drawing, at least: fewer are a picture in a frame
_OVER_DRAWING = 2.5  # ems of white over a drawing, under its name
_MID_DRAWING = 0.06  # share of the width of a drawing, by which its middle differs from that of its name


def without_company(found: list[Region], pages: list[PageRegions], slides: list[Region], body: float) -> list[Region]:
    """The headings found by style less those that the lines around them tell to be none, and less rows of several
    pieces but for titles far larger than the text of `body` points, beside which labels may stand; `slides` are the
    titles of the slides of a deck."""
    own = {id(region) for region in found}
    titles = {id(region) for region in slides}
    none = _front_lines(pages, found, body) | inscribed(pages) | _listed(pages, body) | labels(pages, found, body)
    for number, page in enumerate(pages, 1):
        none |= _paged_lines(page) | _items(page, own) | _on_slide(page, titles) | _linked(page, number)
        none |= _full_lines(page) | _names_of_drawings(page, found, first=page is pages[0])
        none |= _falling(page) | _notes_at_foot(page)
    return [r for r in found if id(r) not in none and (r.pieces < 2 or r.size >= MUCH_LARGER * body)]


def _front_lines(pages: list[PageRegions], found: list[Region], body: float) -> set[int]:
    """What stands under the title of a document and over its first paragraph: who wrote it, for whom, when, and which
    version it is. Parts known by their names, or that a word and a number open, are headings wherever they stand, and
    so are, over a paragraph on that page, the line right above it, and what is bold or set as headings elsewhere. On a
    cover, which has none, and few lines, the latter are, over figures, and the first that is far larger than the text
    of `body` points, in plain type more so: the name of a series over the title may be larger. Lines in the type of the
    title itself name who wrote it, where nothing else is set so."""
    visible = [r for r in pages[0].regions if r.in_flow]
    over_figures = {id(one) for one, other in pairwise(visible) if other.kind == "figure"}
    shown = [region for region in visible if region.kind != "figure"]
    end = next((at for at, region in enumerate(shown) if _is_paragraph(region)), _titled_sentence(shown))
    told = [at for at, region in enumerate(shown[:end]) if _is_told(region, body)][_FEW_TOLD:]
    end = min([end, *told, *(at for at, r in enumerate(shown) if r.mono and at and "@" not in r.text)])
    lettered = (region for region in shown[:end] if any(map(str.isalpha, region.text)))
    title = max(lettered, key=lambda region: region.size, default=None)
    if title is None:
        return set()
    before_abstract = _before_abstract(shown[shown.index(title) + 1 :], title)
    if len(pages) < 2:
        return before_abstract
    under = shown[shown.index(title) + 1 : end]
    front = {id(region) for region in shown[:end]}
    elsewhere = {face(region) for region in found if id(region) not in front}
    if end < len(shown) or len(shown) > _COVER_LINES:
        last = len(under) - (end < len(shown) and not shown[end].bold)
        under = [region for region in under[:last] if not region.bold]
    else:
        under = [region for region in under if not (id(region) in over_figures and face(region) in elsewhere)]
        other = [r for r in under if (not title.bold or r.family != title.family) and "=" not in r.text]
        large = [r for r in other if r.size >= (_COVER_SIZE if r.bold else _PLAIN_COVER_SIZE) * body]
        bold = {style for style in elsewhere if style.bold and style.size >= _COVER_SIZE * body}
        under = [region for region in under if region not in large[:1]]
        elsewhere &= {face(title), *bold}
    return before_abstract | {
        id(region) for region in under
        if not (WORDED.match(region.text) or is_named(region) or face(region) in elsewhere)
        and words_in(region.text) <= _NAME_WORDS
        and (region.size < _TITLE_SIZE * title.size or face(region) == face(title))
    }  # fmt: skip


def _before_abstract(under: list[Region], title: Region) -> set[int]:
    """The lines from the title of a document down to its abstract or contents, no larger than the name of that, where
    they are few, and none a sentence: who wrote it, where and when, however they are set."""
    lines = [*takewhile(lambda region: not is_named(region), under)]
    prose = any(r.kind != "text" or r.text[-1:] == "." or words_in(r.text) > _NAME_WORDS for r in lines)
    if prose or len(lines) >= min(len(under), _NAMES):
        return set()
    most = (1 + _SAME_SIZE) * under[len(lines)].size
    return {id(r) for r in lines if r.size < most and face(r) != face(title) and not WORDED.match(r.text)}


def _is_paragraph(region: Region) -> bool:
    least = _SENTENCE_WORDS if _is_sentence(region) else _PARAGRAPH_WORDS
    return region.kind != "text" or words_in(region.text) >= least


def _titled_sentence(shown: list[Region]) -> int:
    """The place of the first sentence right under a bold line that is smaller than another above: where a page has no
    longer ones, it is a paragraph. Behind all lines where there is none."""
    largest = 0.0
    for at, (one, other) in enumerate(pairwise(shown), 1):
        if one.bold and one.size < largest and _is_sentence(other):
            return at
        largest = max(largest, one.size)
    return len(shown)


def _is_sentence(region: Region) -> bool:
    """Whether plain lines end as a sentence does."""
    few = words_in(region.text) < _FEW_WORDS
    return region.kind == "text" and region.lines > 1 and not (region.bold or few) and region.text[-1:] in ".!?"


def _is_told(region: Region, body: float) -> bool:
    """Whether a plain line in the size of the text, `body` points, ends as a sentence does or leads on to something."""
    plain = region.kind == "text" and not region.bold and abs(region.size - body) < _SAME_SIZE * body
    return plain and words_in(region.text) >= _FEW_WORDS and region.text[-1] in ".!?:"


def _paged_lines(page: PageRegions) -> set[int]:
    """The lines of a page that end with the number of a page, where several do one after the other and these rise, or
    that stand so right under the name of a part: lines of contents that were joined."""
    under = {id(below) for name, below in pairwise(page.texts()) if is_named(name)}
    paged = [
        (int(match[1]), region) for region in page.regions
        if region.kind == "text" and region.lines <= _PAGED_LINES and region.text[-1:].isdigit()
        and (match := _PAGED.fullmatch(region.text)) is not None
    ]  # fmt: skip
    runs: list[list[Region]] = []
    before = 0
    for number, region in paged:
        if not runs or number < before:
            runs.append([])
        runs[-1].append(region)
        before = number
    return {id(region) for run in runs if len(run) >= _SEVERAL_PAGED or id(run[0]) in under for region in run}


def _linked(page: PageRegions, number: int) -> set[int]:
    """The lines of a page, the `number`th of the document, all of which lead to a later one: those of its contents. A
    heading may lead back to them."""
    return {
        id(region) for region in page.regions for span in region.spans
        if span.kind == "link" and span.end - span.start >= _MOST_OF_LINE * len(region.text)
        and (match := _TO_PAGE.fullmatch(span.value)) and int(match[1]) > number
    }  # fmt: skip


def _listed(pages: list[PageRegions], body: float) -> set[int]:
    """The lines of lists of contents, with or without pages: several under one another in the type of the text, which
    has `body` points, most of which lines behind them say again, none smaller and some larger; under the name of such
    a part in larger type as well."""
    shown = [region for page in pages for region in page.regions if region.in_flow]
    last = {letters_of(region): (at, region.size) for at, region in enumerate(shown)}
    none: set[int] = set()
    plain = _LISTED_SIZE * body
    for listed, run in groupby(zip(enumerate(shown), _may_be_listed(shown, plain), strict=True), lambda item: item[1]):
        lines = [item for item, _ in run] if listed else []
        again = [
            at for at, (_, region) in enumerate(lines)
            if len(letters_of(region)) >= _LISTED_LETTERS and last[letters_of(region)][0] > lines[-1][0]
            and last[letters_of(region)][1] > (1 - _SAME_SIZE) * region.size
        ]  # fmt: skip
        larger = any(last[letters_of(lines[at][1])][1] > min(lines[at][1].size, plain) for at in again)
        between = lines[again[0] : again[-1] + 1] if again else []
        if larger and len(again) >= max(_LISTED, _SAID_AGAIN * len(between)):
            none.update(id(region) for _, region in between)
    return none


def _may_be_listed(shown: list[Region], plain: float) -> Iterator[bool]:
    """Whether each is a line no larger than `plain` points or, under the name of a part, than the first there."""
    most, under = plain, False
    for region in shown:
        most = max(plain, (1 + _SAME_SIZE) * region.size) if under else most
        listed = region.kind in {"text", "list"} and region.lines <= _PAGED_LINES and region.size < most
        most, under = most if listed else plain, is_named(region)
        yield listed


def _notes_at_foot(page: PageRegions) -> set[int]:
    """The last lines of a page where they open with a number alone and no capital: notes."""
    return {id(region) for region in takewhile(lambda region: _NOTE.match(region.text), reversed(page.texts()))}


def _falling(page: PageRegions) -> set[int]:
    """Lines each smaller than the one before, more of them than headings have levels: they show the sizes of a type."""
    runs: list[list[Region]] = [[]]
    for region in (r for r in page.regions if r.in_flow):
        runs += [] if runs[-1] and region.lines == 1 and region.size < runs[-1][-1].size else [[]]
        runs[-1].append(region)
    return {id(region) for run in runs if len(run) > MAX_DEPTH for region in run}


def _full_lines(page: PageRegions) -> set[int]:
    """Lines in plain capitals as long as the lines of text in their column, with another right under them:
    sentences in capitals."""
    shown = [r for r in page.regions if r.kind == "text" and r.in_flow]
    ends: dict[int, float] = {}
    for region in shown:
        if region.lines > 1:
            left = round(region.column_left)
            ends[left] = max(ends.get(left, 0.0), region.box[2])
    return {
        id(one) for one, other in pairwise(shown)
        if one.text.isupper() and not one.bold and one.lines == 1
        and one.box[2] > ends.get(round(one.column_left), page.width) - _FULL * one.size
        and abs(one.box[0] - one.column_left) < _SAME_EDGE * one.size and abs(one.box[0] - other.box[0]) < one.size
        and 0 < other.box[1] - one.box[3] < _NEXT_LINE * one.size and one.size < (1 + _SAME_SIZE) * other.size
    }  # fmt: skip


def _names_of_drawings(page: PageRegions, found: list[Region], *, first: bool) -> set[int]:
    """Lines in the middle over or under a drawing, as names of plots and axes are, in a type that stands more seldom
    elsewhere. The largest line of the first page is the title of the document."""
    drawings = [r for r in page.regions if r.kind == "figure" and r.drawn >= _PATHS]
    if not drawings:
        return set()
    own = {id(region) for region in found}
    edges = [region.box[0] for region in page.texts() if region.lines > 1]
    title = title_size(page) if first else math.inf
    named = [
        r for r in page.regions
        if id(r) in own and r.lines == 1 and r.size < title
        and all(abs(r.box[0] - edge) > _SAME_EDGE * r.size for edge in edges)
        and not (r.kind == "list" or is_numbered(heading_text(r)) or is_named(r))
        and any(_is_at_middle(r, drawing) for drawing in drawings)
    ]  # fmt: skip
    drawn = {id(region) for region in named}
    others = Counter(face(region) for region in found if id(region) not in drawn)
    alike = Counter(map(face, named))
    return {id(region) for region in named if others[face(region)] < alike[face(region)]}


def _is_at_middle(region: Region, drawing: Region) -> bool:
    """Whether a line stands close over a drawing, at its upper edge or close under it, centred, and is narrower."""
    (x0, top, x1, bottom), (left, upper, right, lower) = region.box, drawing.box
    reach = _OVER_DRAWING * region.size
    near = (-reach < upper - bottom < reach and top < lower) or 0 <= top - lower < reach
    middle = abs(x0 + x1 - left - right) / 2 < _MID_DRAWING * (right - left)
    return near and middle and x1 - x0 < right - left


def _on_slide(page: PageRegions, titles: set[int]) -> set[int]:
    """What is smaller than the title of its slide, its points and labels of what it shows, but for lines in a type that
    mostly stands bold over plain lines: columns are read one after the other, so some heads stand over one another."""
    size = max((region.size for region in page.regions if id(region) in titles), default=0.0)
    lines, heads = Counter[Face](), Counter[Face]()
    for region, below in pairwise(page.regions):
        lines[face(region)] += 1
        over = region.bold and not (region.mono or below.bold) and region.text[-1:] != ":"
        heads[face(region)] += over
    return {
        id(region) for region in page.regions if region.size < size and 2 * heads[face(region)] <= lines[face(region)]
    }


def said_again(page: PageRegions, candidates: list[Region]) -> set[int]:
    """The candidates at the head of a page that say what a larger one under them says, and those between both, as the
    name of the chapter in a line of navigation: running heads."""
    heads = [region for region in candidates if region.box[3] < _HEAD * page.height]
    largest: dict[str, Region] = {}
    for region in candidates if heads else ():
        text = region.text.casefold()
        if text not in largest or region.size > largest[text].size:
            largest[text] = region
    titles = {id(head): largest[head.text.casefold()] for head in heads}
    again = [head for head in heads if titles[id(head)].size > head.size and titles[id(head)].box[1] >= head.box[3]]
    between = [
        one for one in heads
        if any(head.box[1] < one.box[1] and one.box[3] <= titles[id(head)].box[1] for head in again)
        and all(one.size < titles[id(head)].size for head in again)
    ]  # fmt: skip
    return {id(region) for region in (*again, *between)}


def _items(page: PageRegions, found: set[int]) -> set[int]:
    """The items of numbered lists of a page of which several are not candidates, and bold ones among more plain
    ones."""
    runs: list[list[Region]] = []
    for region in page.regions:
        number = region.marker.rstrip(".)")
        if region.kind != "list" or not number.isdecimal():
            continue
        before = runs[-1][-1] if runs else None
        if before is not None and is_next_number(before.marker.rstrip(".)"), number) and _set_alike(before, region):
            runs[-1].append(region)
        else:
            runs.append([region])
    plain = {id(r) for run in runs if sum(id(one) not in found for one in run) >= _PLAIN_ITEMS for r in run}
    return plain | {id(r) for run in runs if 2 * sum(one.bold for one in run) < len(run) for r in run if r.bold}


def _set_alike(one: Region, other: Region) -> bool:
    return abs(one.box[0] - other.box[0]) < _SAME_EDGE * one.size and other.size < _LISTED_SIZE * one.size
