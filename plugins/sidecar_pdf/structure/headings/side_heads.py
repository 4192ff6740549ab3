"""Finds side heads, titles in bold or capitals in a column of their own at the left of the text they head, and has each
read before that text: on one line with it they would open its paragraph, as a column they would all come first."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sidecar_pdf.layout.drawn_apart import Placed
from sidecar_pdf.layout.reading_order import reading_order
from sidecar_pdf.structure.headings.candidates import is_no_heading
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import is_title
from sidecar_pdf.text.segments import Segment

_LETTER = re.compile(r"[^\W\d_IVXivx]")
"""A letter that is not a figure of a Roman number."""
# Counts, ems and shares. Chosen on documents made for it (tests/bench/pages_business/heading_kinds.py).
_MIN_HEADS, _MAX_WORDS = 2, 7  # side heads of a page; words of a line of one
_MIN_LINES = 2.2  # of the text beside a head, on the average: fewer, and it is a value beside its label
_MIN_LETTERS, _MIN_CAPITALS = 2, 4  # letters of a head; characters of one in plain capitals
_MIN_WORDS = 5  # of a line of that text that counts as one
_LARGER = 1.03  # times the size of the text: heads so large are not labels, whatever stands beside them
_APART = 0.8  # ems of white between heads and text
_SAME_EDGE = 0.5  # ems between lines of one edge
_LEVEL = 1.3  # ems that the first line of a head stands over or under the first line of its text, at most
_WHITE_OVER = 0.5  # ems of white over a head
_NEXT_LINE = 0.6  # ems of white over a further line of a head, at most
_COMMON = 0.5  # of the lines of a page that begin at the left edge of the text, or right of it


def in_reading_order(pieces: Sequence[Placed], em: float) -> Iterator[list[Placed]]:
    """The pieces of a page as runs in reading order, side heads each before the text beside it. `em` is the size of
    most type in points."""
    heads = _side_heads(pieces, em)
    if not heads:
        yield from reading_order(pieces, em)
        return
    taken = {id(line) for head in heads for line in head}
    tops = [head[0].y0 - _LEVEL * em / 2 for head in heads]
    bands: list[list[Placed]] = [[] for _ in range(len(heads) + 1)]
    for piece in pieces:
        if id(piece) not in taken:
            bands[bisect_left(tops, piece.y0)].append(piece)
    for head, band in zip([[], *heads], bands, strict=True):
        if head:
            yield [*head]
        yield from reading_order(band, em) if band else ()


def side_headings(pages: list[PageRegions], body: float) -> list[Region]:
    """Lines in bold or capitals at the left of the paragraph that is read after them, level with its first line, where
    a document has several. `body` is the size of its running text in points."""
    found = [
        one for page in pages for one, text in pairwise(page.texts())
        if (one.bold or one.text.isupper()) and not text.bold and one.kind == text.kind == "text"
        and one.box[2] < text.box[0] and text.lines > 1 and abs(one.box[1] - text.box[1]) < _LEVEL * one.size
        and is_title(one) and one.text[-1] not in ":：" and not is_no_heading(one, body)
    ]  # fmt: skip
    return found if len(found) >= _MIN_HEADS else []


def _side_heads(pieces: Sequence[Placed], em: float) -> list[list[Segment]]:
    """The side heads of a page from the top, each with its lines; none where anything else stands in their column."""
    lines = [p for p in pieces if isinstance(p, Segment) and not p.rtl]
    marked = [p for p in lines if _is_marked(p) and len(p.words) <= _MAX_WORDS]
    if len(marked) < _MIN_HEADS or 2 * len(marked) > len(lines):
        return []
    left = _left_of_text(lines, em)
    text = sorted((p.y0, p.y1, len(p.words) >= _MIN_WORDS) for p in lines if abs(p.x0 - left) < _SAME_EDGE * em)
    heads = [
        head for head in _heads([p for p in marked if p.x1 < left - _APART * em], em)
        if (at := bisect_left(text, (head[0].y0 - _LEVEL * em,))) < len(text)
        and text[at][0] <= head[0].y0 + _LEVEL * em
    ]  # fmt: skip
    if len(heads) < _MIN_HEADS or not _have_one_edge(heads, em):
        return []
    own = {id(line) for head in heads for line in head}
    bottom = text[-1][1]
    others = [p for p in pieces if id(p) not in own and p.x1 < left - em / 2 and heads[0][0].y0 < p.y0 < bottom]
    if any(not (isinstance(p, Segment) and _is_marked(p)) for p in others):
        return []  # a column of text beside another
    across = sorted(p.y0 for p in pieces if id(p) not in own and p.x0 < left - _SAME_EDGE * em and p.y0 < bottom)
    full = 0
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        top = head[0].y0 - _LEVEL * em
        at = bisect_left(across, top)
        under = across[at] if at < len(across) else bottom  # where other text ends what stands beside the head
        if under < head[-1].y1 + _WHITE_OVER * em and at < len(across):
            return []
        end = min(under, after[0].y0 - em / 2 if after else bottom)
        full += sum(long for *_, long in text[bisect_left(text, (top,)) : bisect_left(text, (end,))])
    large = all(head[0].style.size > _LARGER * em for head in heads)
    return heads if large or full >= _MIN_LINES * len(heads) else []


def _is_marked(line: Segment) -> bool:
    """Whether a line is set as side heads are: in bold, or in capitals."""
    return all(word.style.bold for word in line.words) or (line.text.isupper() and len(line.text) >= _MIN_CAPITALS)


def _left_of_text(lines: list[Segment], em: float) -> float:
    """The left edge of most lines of several words that do not begin at that of the page."""
    page = min(p.x0 for p in lines)
    edges = Counter(round(p.x0) for p in lines if p.x0 > page + em and len(p.words) >= _MIN_WORDS)
    if edges.total() < max(_COMMON * sum(len(p.words) >= _MIN_WORDS for p in lines), _MIN_HEADS):
        return page
    return float(min(edges, key=lambda x: (-edges[x], x)))


def _heads(marked: list[Segment], em: float) -> list[list[Segment]]:
    """Such lines at the left, those right under one another as one head, as far as white stands over it."""
    heads: list[list[Segment]] = []
    for line in sorted(marked, key=lambda p: p.y0):
        if heads and line.y0 - heads[-1][-1].y1 < _NEXT_LINE * em:
            heads[-1].append(line)
        else:
            heads.append([line])
    return heads


def _have_one_edge(heads: list[list[Segment]], em: float) -> bool:
    """Whether heads begin, or end, under one another, have words, and none is set as a label is."""
    lines = [line for head in heads for line in head]
    one = any(max(edges) - min(edges) < _SAME_EDGE * em for edges in ([p.x0 for p in lines], [p.x1 for p in lines]))
    worded = all(len(_LETTER.findall("".join(line.text for line in head))) >= _MIN_LETTERS for head in heads)
    return one and worded and not any(head[-1].text[-1] in ":：," or head[0].text[:1].islower() for head in heads)
