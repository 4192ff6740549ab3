"""Tells by their places lines that head nothing, once all pages are known: what repeats at the edge of pages, names the
way to a page, or stands where running heads and feet do; labels that repeat on one page, and what stands within a
paragraph; and lines that begin left of all running text, as titles do and labels do not."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

from sidecar_pdf.structure.headings.levels import style_key
from sidecar_pdf.structure.numbering import WORDED, heading_text
from sidecar_pdf.structure.regions import PageRegions, Region, RunningPlace
from sidecar_pdf.structure.styles import face, is_title, words_in

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<!\S)(?!(?:19|20)\d\d)\d{1,4}(?!\S)")
"""What may be the number of a page, and no year."""
_PAGED = re.compile(r"(?<!\d)\d{1,3}$")
"""Ends with what may be the number of a page."""
_TRAIL = re.compile(r"\S\s?[|›»]\s?\S|\w \|$|^/ \w|\w / [^/]+ / \w")
"""The way to a page, as navigation shows it; of two names with a slash between them a title may consist."""
_FOLIO = re.compile(r"^(?:\d{1,3}|[ivxlc]+)\s+(?=\S)|\s(?:\d{1,3}|[ivxlc]+)$")
"""A number of a page at either end of a line, or that of a part at its start."""
_RIGHTWARDS = re.compile(r"[\u0590-\u08ff]")
"""A letter of a script that runs right to left."""
# Counts and shares. Chosen on the corpus (tests/bench/layout/pdf_elements.py).
_REPEATED = 4  # pages at whose edge one line stands before it is taken for a running head, whatever its type
_EVERY = 3  # pages of a document at whose edge it stands on every one
_TEXT_LINES = 3  # of running text
_LABELS_ALIKE = 3  # lines of one text on a page, from which on they are labels
_NAMES_ALIKE = 5  # lines of one text with a colon in a document, from which on they are labels
_NAMED_SIZE = 1.3  # times the size of text: of headings that say the same
_SLIDE_TITLE = 1.1  # times the size of text: of the title of a slide
_PLAIN_SIZE = 1.5  # times the size of text: of a title in plain type that runs as well
_TITLE_WORDS = 3  # of a title that runs over all pages: fewer are the name of a company
_ECHOED, _CUT = 5, 12  # letters of a head that says a title again; of one that says the beginning of a title
_NEAR, _TITLE_LINES = 3, 4  # pages from a title to a head that says it again; lines of it
_ECHO_SIZE, _TITLE_LARGER = 1.06, 1.05  # times the size of text: of such a head, at most; times that: of its title
_HEAD_APART = 0.55  # ems from such a head down to the text
_PAGED_EDGE = 0.17  # of the page height, where a head with the number of its page stands
_OUTERMOST = 0.055  # of the page height, where nothing stands but running heads and feet
_EDGE = 0.13  # of the page height, at head and foot
_RUNNING_SIZE = 1.3  # a running head's at most
_LEFT_LETTERS = 0.2  # of the letters of running text, that make a left edge one of its edges
_SIDE_BAR = 0.28  # of the page width, at the right side
_OUTDENT, _FAR = 0.5, 6.0  # ems left of running text; so far left stands what is beside it
_STAMP_SIZE, _ACROSS = 2.0, 0.5  # times the size of text: of a stamp at least; ems by which it stands on a line of it
_UNDER = 3.0  # ems down to what a line leads to
_SLACK = 0.5  # points, by which a box may reach over that it stands in
_LEVEL = 0.4  # of the height of a line, that it shares with text on either side of it

EdgeKey = tuple[str, int, float, bool]
"""Text, hundredths of the page height, size and weight."""


def folded(text: str) -> str:
    """What texts are compared by: the letters and digits of their words."""
    return "".join(_WORD.findall(text.casefold()))


def repeated_lines(pages: list[PageRegions]) -> set[EdgeKey]:
    """Lines that stand at one height at the edge of several pages, as running heads do that change too seldom, or stand
    too close to the text or beside it, to be told on the page. What stands in its type further in more often is a
    heading of parts that are built alike. Slides repeat their titles, so pages wider than high do not count."""
    counts: Counter[EdgeKey] = Counter()
    further_in: Counter[tuple[str, float, bool]] = Counter()
    for number, page in enumerate(pages):
        if page.width <= page.height:
            edge = page.height * _EDGE
            text = [region.box for region in page.regions if region.kind == "text" and region.lines >= _TEXT_LINES]
            left, right = min((b[0] for b in text), default=0.0), max((b[2] for b in text), default=page.width)
            for region in page.regions:
                across = region.box[3] < edge or region.box[1] > page.height - edge
                aside = region.box[2] < left or region.box[0] > right
                if region.kind not in {"text", "list"}:
                    continue
                if not (across or aside):
                    further_in[folded(heading_text(region)), *style_key(region)] += 1
                elif not _is_under_title(region, page):
                    counts.update(set(_edge_keys(region, page, number)))
    least = min(_REPEATED, max(_EVERY, len(pages)))
    return {key for key, count in counts.items() if count >= max(least, further_in[key[0], *key[2:]])}


def _is_under_title(region: Region, page: PageRegions) -> bool:
    """Whether a line stands under a larger one that is not a running head, as the head of the first part does under the
    title of each chapter; or in bold under a plain running head and over text indented from it, as those of manual
    pages do."""
    over = [r for r in page.regions if r.box[3] <= region.box[1] and r.kind == "text" and not r.hidden]
    if any(other.size >= _RUNNING_SIZE * region.size and not other.running for other in over):
        return True
    if not region.bold or not any(other.running == "head" and not other.bold for other in over):
        return False
    under = min((r for r in page.texts() if r.box[1] >= region.box[3]), key=lambda r: r.box[1], default=None)
    return under is not None and not under.bold and under.box[0] > region.box[0] + region.size


def _edge_keys(region: Region, page: PageRegions, number: int) -> tuple[EdgeKey, EdgeKey]:
    """What a line may repeat as: its text, height and style, as it is and with numbers counted from that of the page
    on, as page numbers are."""
    text, height = heading_text(region), int(region.box[1] / max(page.height, 1.0) * 100)
    counted = _NUMBER.sub(lambda match: f"page{int(match[0]) - number} ", text)
    return (folded(text), height, *style_key(region)), (folded(counted), height, *style_key(region))


def mark_running(pages: list[PageRegions], body: float) -> None:
    """Takes for running what says on one page, numbers aside, what runs in the same place on others, as a head does
    that text stands close to; and stamps, which are far larger than the text of `body` points, stand across it and say
    the same in the same place on most pages."""
    counts: Counter[tuple[str, int, str]] = Counter()
    stamped: Counter[tuple[str, int, int]] = Counter()
    across: set[tuple[str, int, int]] = set()
    for page in pages:
        for region in page.regions:
            if region.running:
                counts[(*_running_place(region), region.running)] += 1
            elif region.size >= _STAMP_SIZE * body and region.lines == 1 and page.width <= page.height:
                stamped[_place(region)] += 1
                if any(_is_across(region, other) for other in page.regions):
                    across.add(_place(region))
    heights = {height for _, height, _ in counts}
    stamps = {place for place in across if stamped[place] >= max(_REPEATED, len(pages) / 2)}
    _mark_side_bars(pages)
    _mark_echoes(pages, body)
    for page in pages:
        for region in page.regions:
            if region.kind != "text" or region.running or region.lines > 1:
                continue
            edge: RunningPlace = "head" if region.box[3] < page.height / 2 else "foot"
            near = round(region.box[1]) in heights
            if _place(region) in stamps or (near and counts[(*_running_place(region), edge)] >= _REPEATED):
                region.running = edge


def _mark_echoes(pages: list[PageRegions], body: float) -> None:
    """Takes for running the first line of a page, in the type of running text, that says a larger or bolder title of
    this page or one before again: the head of a part that runs over a page or two repeats too seldom to be told by its
    place. Beside the number of its page a head may be as bold, lower on the page, cut, or say what stands at its other
    end too."""
    titles: defaultdict[str, list[tuple[int, Region]]] = defaultdict(list)
    for number, page in enumerate(pages):
        lines = [r for r in page.texts() if r.lines <= _TITLE_LINES]
        for region in lines:
            titles[letters_of(region)].append((number, region))
        first = min(lines, key=lambda region: region.box[1], default=None)
        if first is None or page.is_slide or first.size > _ECHO_SIZE * body:
            continue
        head, paged = letters_of(first), _FOLIO.search(heading_text(first)) is not None
        echoed = titles[head] if len(head) >= _ECHOED else []
        if paged and len(head) >= _CUT:
            echoed = [one for text, found in titles.items() if _says(head, text) for one in found]
        if _is_at_head(first, page, _PAGED_EDGE if paged else _EDGE) and any(
            number - at <= _NEAR and _is_title_of(region, first, paged=paged) for at, region in echoed
        ):
            first.running = "head"


def _says(head: str, title: str) -> bool:
    """Whether one begins with the other, both being long."""
    return len(title) >= _CUT and (title.startswith(head) or head.startswith(title))


def letters_of(region: Region) -> str:
    """What a title is said again by: numbers of parts and pages aside, and "Chapter 3" before it."""
    worded = WORDED.match(region.text)
    return "".join(filter(str.isalpha, region.text[worded.end() if worded else 0 :].casefold()))


def _is_at_head(region: Region, page: PageRegions, edge: float) -> bool:
    """Whether a line stands by itself at the head of the page, over all else and set apart from it; `edge` is a share
    of the page height."""
    below = min((r.box[1] for r in page.regions if r is not region and not r.running), default=page.height)
    return (
        region.kind == "text" and region.lines == 1 and region.box[3] < edge * page.height
        and below - region.box[3] > _HEAD_APART * region.size
    )  # fmt: skip


def _is_title_of(title: Region, head: Region, *, paged: bool) -> bool:
    """Whether a line is set as the title that a head says again: larger, or bold where the head is not; beside the
    number of its page a head may be as bold."""
    larger = title.size > _TITLE_LARGER * head.size and (paged or not head.bold)
    return title is not head and (larger or (title.bold and not head.bold and title.size >= head.size))


def _mark_side_bars(pages: list[PageRegions]) -> None:
    """Takes for running what a side bar of slides says in one place on most of them."""
    aside = Counter(_place(region) for page in pages for region in _in_side_bar(page))
    for page in pages:
        for region in _in_side_bar(page):
            if aside[_place(region)] >= max(_REPEATED, len(pages) / 2):
                region.running = "head" if region.box[3] < page.height / 2 else "foot"


def _in_side_bar(page: PageRegions) -> list[Region]:
    """The text at the right side of a slide, where decks show the way through their parts."""
    return [r for r in page.texts() if page.is_slide and r.box[0] > (1 - _SIDE_BAR) * page.width]


def show_title(pages: list[PageRegions], body: float) -> set[int]:
    """Takes the running head of the first page for its title where it is set as one: far larger than the text of `body`
    points, and longer than the name of a company, or no head of another page. Its ids: it may be on several lines."""
    uses = Counter(region.text for page in pages for region in page.regions if region.running == "head")
    heads = [
        r for r in pages[0].regions
        if r.running == "head" and r.size >= (_RUNNING_SIZE if r.bold else _PLAIN_SIZE) * body
        and is_title(r, body) and not _PAGED.search(r.text)
    ]  # fmt: skip
    long = words_in(" ".join(region.text for region in heads)) >= _TITLE_WORDS
    shown = {id(region) for region in heads if long or uses[region.text] == 1}
    for region in heads:
        region.running = "" if id(region) in shown else region.running
    uses -= Counter(region.text for region in heads if id(region) in shown)
    for page in pages:
        if page.is_slide:
            _show_slide_title(page, {text for text, count in uses.items() if 2 * count <= len(pages)}, body)
    return shown


def _show_slide_title(page: PageRegions, titles: set[str], body: float) -> None:
    """Takes a running head that is the largest text of its slide for a title, which several slides may have, if it is
    one of `titles`, which most slides do not say."""
    largest = max((region.size for region in page.regions if not region.hidden), default=0.0)
    for region in page.regions:
        large = region.size == largest and region.size >= _SLIDE_TITLE * body
        if region.running == "head" and large and region.text in titles and is_title(region):
            region.running = ""


def _running_place(region: Region) -> tuple[str, int]:
    return re.sub(r"\d+", "#", heading_text(region)), round(region.box[1])


def _place(region: Region) -> tuple[str, int, int]:
    return region.text, round(region.box[0]), round(region.box[1])


def _is_across(one: Region, other: Region) -> bool:
    """Whether two texts stand on one another."""
    if one is other or other.kind not in {"text", "list"}:
        return False
    (x0, y0, x1, y1), (left, top, right, bottom) = one.box, other.box
    em = min(one.size, other.size)
    return min(x1, right) - max(x0, left) > em and min(y1, bottom) - max(y0, top) > _ACROSS * em


def is_running(region: Region, page: PageRegions, number: int, running: set[EdgeKey], body: float) -> bool:
    """Whether a line repeats at the edge of pages, or stands where running heads and feet do, in type that is hardly
    larger than the text."""
    if running:
        as_is, counted = _edge_keys(region, page, number)
        # Titles count on with their pages too, where each page begins with one ("Problem 3").
        if as_is in running or (counted in running and region.size < _RUNNING_SIZE * body):
            return True
    edge = region.box[3] < _EDGE * page.height or region.box[1] > (1 - _EDGE) * page.height
    if edge and _TRAIL.search(region.text):
        return True
    if region.box[3] < _EDGE / 2 * page.height and page.width / 2 < region.box[0] and page.width < page.height:
        # In the corner at the head names of parts stand, but not beside others of their style, over columns.
        beside = (r for r in page.texts() if r is not region and abs(r.box[1] - region.box[1]) < 1)
        over_columns = any(face(r) == face(region) for r in beside)
        return not over_columns and not _RIGHTWARDS.search(region.text)
    outside = region.box[3] < _OUTERMOST * page.height or region.box[1] > (1 - _OUTERMOST) * page.height
    return outside and region.size < _RUNNING_SIZE * body and not region.bold


def repeated_on_page(pages: list[PageRegions], body: float) -> set[int]:
    """The lines that stand several times on one page, as the labels of charts and forms do, and those with a colon that
    do so in the whole document, or lead to nothing in most places, as buttons do. Bold ones larger than the text of
    `body` points that all stand over some are headings of one name, as are those of functions declared under them."""
    named = Counter(r.text for page in pages for r in page.regions if r.text[-1:] == ":")
    upright = [region for page in pages if not page.is_slide for region in page.texts()]
    uses = Counter(r.text for r in upright if r.lines == 1 and r.size < _NAMED_SIZE * body)
    leading = Counter(
        region.text for page in pages for region, below in pairwise(page.regions)
        if uses[region.text] >= _LABELS_ALIKE and _leads_to(region, below)
    )  # fmt: skip
    found = {
        id(r) for page in pages for r in page.regions
        if named[r.text] >= _NAMES_ALIKE or (uses[r.text] >= _LABELS_ALIKE and 2 * leading[r.text] < uses[r.text])
    }  # fmt: skip
    for page in pages:
        counts = Counter(region.text for region in page.regions)
        over = Counter(
            region.text for region, below in pairwise(page.regions)
            if region.bold and region.size >= _NAMED_SIZE * body and below.kind == "text" and below.lines >= _TEXT_LINES
        )  # fmt: skip
        parts = _parts_alike(page, body) | {r.text for r, below in pairwise(page.regions) if _is_declared(r, below)}
        found.update(
            id(region) for region in page.regions
            if max(_LABELS_ALIKE, over[region.text] + 1) <= counts[region.text] and region.text not in parts
        )  # fmt: skip
    return found


def _parts_alike(page: PageRegions, body: float) -> set[str]:
    """What bold lines of a page say, that stand once each under titles larger than they are and than the text of `body`
    points, as parts of descriptions of functions do."""
    last: dict[str, int] = {}
    parts, others = set[str](), set[str]()
    for at, region in enumerate(page.regions):
        if not region.bold:
            others.add(region.text)
        elif region.text in last:
            least = _TITLE_LARGER * max(region.size, body)
            titled = any(r.bold and r.size > least for r in page.regions[last[region.text] + 1 : at])
            (parts if titled else others).add(region.text)
        last[region.text] = at
    return parts - others


def _leads_to(region: Region, below: Region) -> bool:
    """Whether what follows a line stands near under it, indented at most where the line is bold, and is no larger but
    for a declaration of what it names."""
    under = -region.size < below.box[1] - region.box[3] < _UNDER * region.size
    across = (region.bold or below.box[0] < region.box[2]) and region.box[0] < below.box[2]
    return under and across and (below.size < _TITLE_LARGER * region.size or _is_declared(region, below))


def _is_declared(region: Region, below: Region) -> bool:
    """Whether a bold line is the name of what a line of a program under it declares, as one of several of a name."""
    return region.bold and below.mono and not region.mono and region.text.removesuffix("()") in below.text


def within_text(page: PageRegions) -> set[int]:
    """The lines that stand within a paragraph of the page, or level with one of several pieces and between its ends:
    pieces of samples, tables and formulas."""
    texts = page.texts()
    around = [(*r.box, r.pieces > 1) for r in texts if r.lines >= _TEXT_LINES - 1]
    found: set[int] = set()
    for region in texts if around else ():
        if region.lines > 1:
            continue
        x0, y0, x1, y1 = region.box
        high = y1 - y0
        if any(
            left <= x0 + _SLACK and x1 <= right + _SLACK and bottom - top > high
            and min(y1, bottom) - max(y0, top) > (_LEVEL * high if pieced else high - _SLACK)
            for left, top, right, bottom, pieced in around
        ):  # fmt: skip
            found.add(id(region))
    return found


def text_left(pages: list[PageRegions]) -> float:
    """The leftmost edge that much of the running text of a document begins at, in points; 0 where there is none."""
    letters: Counter[int] = Counter()
    for page in pages:
        for region in page.regions:
            if region.kind == "text" and region.lines >= _TEXT_LINES and not region.hidden:
                letters[round(region.box[0])] += len(region.text)
    return float(min((x for x, count in letters.items() if count >= _LEFT_LETTERS * letters.total()), default=0))


def is_outdented(region: Region, left: float) -> bool:
    """Whether a line begins a little left of all running text, which begins `left` points from the edge."""
    return _OUTDENT * region.size < left - region.box[0] < _FAR * region.size
