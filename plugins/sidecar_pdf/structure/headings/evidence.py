"""Weighs all that is known of a line at once, type, place, words and neighbours, as one score: how likely the line is a
heading. `finding` adds to what its rules found the lines that the score is sure of, and takes out those headings that
another score, of what all headings of the document say of one, doubts."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from sidecar_pdf.structure.headings.bylines import is_date
from sidecar_pdf.structure.headings.candidates import candidates, is_no_heading, is_value
from sidecar_pdf.structure.headings.levels import Headings, is_centred
from sidecar_pdf.structure.numbering import WORDED, depth_of, heading_text, is_named, is_numbered
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.structure.styles import StyleUsage, face, is_running_text, is_title, print_size, words_in

_LABEL = re.compile(
    r"(?:notes?|examples?|tips?|cautions?|warnings?|important|hints?|hinweis|achtung|beispiele?|remarques?|exemples?|nota"
    r"|ejemplos?|affiliation|version .*|[\w-]+(?=:)|[\w./:~-]*/[\w./:~-]*)\s?[.:!]?",
    re.IGNORECASE,
)
"""What stands over notes, examples and names, a word with a colon, and paths of files."""
# A logistic regression, fitted on 7,501 lines of 180 documents, 1,514 of them headings, by
# tests/bench/pages/pdf_heading_score.py: documents of word processors and web pages printed without tags, whose
# headings their styles tell, and pages written down by hand that are not held back. What is yes or no counts its
# weight once. Four facts that changed no verdict on truths were taken out, their mean added to the intercept.
_INTERCEPT = -5.29
_WEIGHTS = {
    "larger": -0.60,
    "large": 0.91,
    "largest of its page": 0.97,
    "bold": 2.15,
    "bold, share of bold type": -2.74,
    "italic": 0.91,
    "typewriter": 0.55,
    "colour of its own": -0.18,
    "capitals": 2.88,
    "alone": 1.95,
    "more white over it": 0.39,
    "centred": -0.94,
    "indented": -2.30,
    "fills its line": -1.87,
    "two lines": -1.11,
    "where running heads stand": -0.57,
    "last of the document": -2.50,
    "words": 0.46,
    "share of letters": 2.03,
    "ends as a sentence": -1.93,
    "ends with a comma": -3.10,
    "comma within": -0.57,
    "signs of programs": -0.64,
    "numbered": 0.39,
    "numbered in bold": -0.99,
    "deep number": 2.11,
    "named as parts are": 6.23,
    "says what part it is": 2.17,
    "item of a list": 2.25,
    "item in small type": -1.51,
    "date or number": -1.49,
    "in brackets": -3.40,
    "as what is over it": -0.75,
    "unnumbered, as what is under it": -0.75,
    "over a larger title": -3.16,
    "over smaller type": 0.65,
    "over a list": -0.42,
    "over a table": -0.86,
    "over what goes on": 0.15,
    "shape of a title": 1.25,
    "style: share of titles": -0.72,
    "style: share over text": 0.59,
    "style of headings": 1.46,
    "style of labels": -1.96,
    "style of the text": -1.37,
    "said again": 0.41,
    "said often, with a colon": -0.67,
    "pages": -0.24,
}
_NEVER = ("signs of programs", "where running heads stand", "item in small type")
"""What no line has that only the score tells."""
_HEADING = 0.87  # chance from which on a line is one that no rule found
# A logistic regression of what speaks against a heading that nothing confirms, fitted on 1,164 of them in 293 documents
# by tests/bench/pages/pdf_heading_doubt.py; each fact is yes or no but "in a row", a number. By itself none decides.
_AGAINST_INTERCEPT = -0.29
_AGAINST = {
    "only plain one of its style": 3.24,
    "largest of the first page": -0.82,
    "style of text as well": 1.88,
    "bold": -0.98,
    "alone": -1.43,
    "more white over it": -2.13,
    "indented": 1.63,
    "in a row": 0.33,
    "over short text": 0.33,
    "over a table or figure": 1.11,
    "comma within": 2.35,
    "said again": 1.48,
}
_DOUBTFUL = 0.7  # chance of being none, from which on such a heading is text: takes out 41 of 113 wrong ones, 3 right
_STYLED = 0.8  # of the lines in its style are headings: fewer, and the style sets text as well
_MOST_IN_ROW = 5  # headings right under one another: more say no more
_DECK = 0.5  # of the pages wider than high
_MAX_WORDS = 32  # of a line that is weighed
_LARGE, _LARGER = 1.165, 1.06  # times the size of the text of the page
_SAME_SIZE = 1.05  # times a size, up to which another is the same
_OFTEN = 4  # times a text is said in a document
_WHOLE_LINE = 0.9  # of the width of its column, of a line that fills it
_RIGHT_EDGE = 0.88  # of the page width, where no paragraph tells the right edge of the text
_MIDDLE, _FROM_LEFT = 0.03, 2.0  # of the page width, of a line in its middle; ems from the left edge of its column
_INDENTED = 1.5  # ems from the left edge of its column
_MAX_WHITE, _TOP = 3.0, 9.0  # ems: more white over a line says no more; of white where nothing stands over it
_HEAD = 0.07  # of the page height, where running heads stand
_MIN_CAPITALS = 5  # letters of a line in capitals
_MIN_WIDTH = 50.0  # points, of a column


class _Document(NamedTuple):
    """What is the same for all lines of a document."""

    styles: StyleUsage
    body: float
    bold: float
    """The share of its letters that are bold."""
    pages: float
    """The logarithm of their number."""
    uses: Counter[str]


class _LineInContext(NamedTuple):
    """A line, what stands over and under it, and its page."""

    page: PageRegions
    above: Region | None
    region: Region
    below: Region | None
    text: str
    ratio: float
    """Its size against that of the text of its page."""
    largest: bool
    right: float
    """The right edge of the text of its page, in points."""
    last: bool
    """Nothing stands under it on the last page."""


def likely_headings(pages: list[PageRegions], styles: StyleUsage, found: Headings, settled: set[int]) -> list[Region]:
    """The lines that surely are headings by all that is known of them. Of `settled` (ids) rules have told already;
    italics in the size of the text have rules of their own."""
    if not is_weighed(pages, found):
        return []
    return [
        region for region, values in evidence(pages, styles, found.body)
        if id(region) not in settled and id(region) not in found.levels
        and (not region.italic or region.bold or values["large"])
        and not any(values[name] for name in _NEVER)
        and region.text[-1] != "!" and not _LABEL.fullmatch(region.text) and not is_no_heading(region, found.body)
        and chance(values) > _HEADING
    ]  # fmt: skip


def doubtful(pages: list[PageRegions], styles: StyleUsage, found: Headings, chosen: set[int]) -> set[int]:
    """The headings of `chosen` (ids), which rules and score told, that are none by what all headings of the document,
    those and the ones `found` already, say of one: the only one of a plain style, one of a row of short lines, one set
    as text is elsewhere. Numbers, names of parts and the structure tree confirm a heading. Texts in a typewriter face
    have rules of their own."""
    if found.mono:
        return set()
    return {
        id(region) for region, values in against(pages, styles, {*found.levels, *chosen})
        if id(region) in chosen and not is_confirmed(region)
        and _logistic(_AGAINST_INTERCEPT, _AGAINST, values) > _DOUBTFUL
    }  # fmt: skip


def is_confirmed(region: Region) -> bool:
    """Whether a number, its name or the structure tree tells that a line is a heading."""
    text = heading_text(region)
    return is_numbered(text) or is_named(region) or WORDED.match(region.text) is not None or region.tag[:1] == "H"


def against(
    pages: list[PageRegions], styles: StyleUsage, headings: set[int]
) -> Iterator[tuple[Region, dict[str, float]]]:
    """The headings (ids) of a document, each with what speaks against it, or for it, by the names of the weights."""
    texts = [r for page in pages for r in page.regions if r.in_flow and r.kind in {"text", "list"}]
    said = Counter(region.text.casefold() for region in texts)
    worded = [region for region in texts if any(map(str.isalpha, region.text))]
    uses, titles = Counter(map(face, worded)), Counter(face(r) for r in worded if id(r) in headings)
    of_style = Counter(face(r) for r in texts if id(r) in headings)
    for page in pages:
        flow = [region for region in page.regions if region.in_flow and not region.caption]
        largest = max((region.size for region in flow if region.kind in {"text", "list"}), default=0.0)
        rows = _rows(flow, headings)
        for above, region, below in zip([None, *flow], flow, [*flow[1:], None], strict=False):
            if id(region) not in headings:
                continue
            text, style = heading_text(region), face(region)
            bold = region.bold and not styles.body.bold
            title = page is pages[0] and _SAME_SIZE * region.size >= largest
            short = below is not None and below.kind == "text" and not is_running_text(below)
            yield region, {
                "only plain one of its style": of_style[style] == 1 < len(headings) and not bold and not title,
                "largest of the first page": title,
                "style of text as well": titles[style] < _STYLED * uses[style] and not text.isupper(),
                "bold": bold,
                "alone": region.alone,
                "more white over it": _white_over(above, region) > _white_under(region, below),
                "indented": region.box[0] - region.column_left > _INDENTED * max(region.size, 1.0)
                and not (title or is_centred(region, page)),
                "in a row": min(rows[id(region)], _MOST_IN_ROW),
                "over short text": short and id(below) not in headings,
                "over a table or figure": below is not None and below.kind in {"table", "figure"},
                "comma within": ", " in text,
                "said again": said[region.text.casefold()] > 1,
            }  # fmt: skip


def _rows(flow: list[Region], headings: set[int]) -> dict[int, int]:
    """How many headings stand right under one another with each, those that something confirms left out; those side by
    side are one."""
    rows: dict[int, int] = {}
    for is_heading, row in groupby(flow, lambda region: id(region) in headings):
        together = [*row] if is_heading else []
        doubted = [region for region in together if not is_confirmed(region)]
        under = sum(other.box[1] > (one.box[1] + one.box[3]) / 2 for one, other in pairwise(doubted))
        rows.update(dict.fromkeys(map(id, together), 1 + under))
    return rows


def _white_over(above: Region | None, region: Region) -> float:
    """Ems of white over a line; much at the top of a page or column."""
    em = max(region.size, 1.0)
    beneath = above is not None and above.box[3] <= region.box[1] + em
    return max((region.box[1] - above.box[3]) / em, 0.0) if above is not None and beneath else _TOP


def _white_under(region: Region, below: Region | None) -> float:
    """Ems of white under a line; much at the foot of a page or column."""
    em = max(region.size, 1.0)
    over = below is not None and below.box[1] >= region.box[3] - em
    return max((below.box[1] - region.box[3]) / em, 0.0) if below is not None and over else _TOP


def is_weighed(pages: list[PageRegions], found: Headings) -> bool:
    """Whether the score tells anything of a document: decks and texts in a typewriter face have rules of their own."""
    return not found.mono and sum(page.is_slide for page in pages) < _DECK * len(pages)


def chance(values: dict[str, float]) -> float:
    """How likely a line of that evidence is a heading: 0 to 1."""
    return _logistic(_INTERCEPT, _WEIGHTS, values)


def _logistic(intercept: float, weights: dict[str, float], values: dict[str, float]) -> float:
    score = intercept + sum(weight * values[name] for name, weight in weights.items())
    return 1.0 / (1.0 + math.exp(-max(min(score, 30.0), -30.0)))


def evidence(pages: list[PageRegions], styles: StyleUsage, body: float) -> Iterator[tuple[Region, dict[str, float]]]:
    """The lines of a document that may be headings, each with what is known of it, by the names of the weights."""
    texts = [r for page in pages for r in page.regions if r.kind in {"text", "list"} and not (r.running or r.hidden)]
    letters = sum(len(region.text) for region in texts)
    document = _Document(
        styles, body,
        bold=sum(len(region.text) for region in texts if region.bold) / max(letters, 1),
        pages=math.log(max(len(pages), 1)),
        uses=Counter(region.text.casefold() for region in texts),
    )  # fmt: skip
    for page in pages:
        for line in _lines(page, body, last=page is pages[-1]):
            yield line.region, {
                **_of_type(line, document), **_of_place(line), **_of_words(line), **_of_neighbours(line),
                **_of_uses(line, document),
            }  # fmt: skip


def _lines(page: PageRegions, body: float, *, last: bool) -> Iterator[_LineInContext]:
    shown = [r for r in page.regions if r.in_flow and not r.caption]
    possible = set(map(id, candidates(page)))
    texts = [region for region in shown if region.kind in {"text", "list"}]
    size = max(print_size(page, body), 1.0)
    largest = max((region.size for region in texts), default=size)
    right = max((r.box[2] for r in texts if r.lines > 1), default=_RIGHT_EDGE * page.width)
    for above, region, below in zip([None, *shown], shown, [*shown[1:], None], strict=False):
        text = heading_text(region)
        if id(region) in possible and words_in(text) <= _MAX_WORDS:
            tallest = region.size >= largest and region.size > _LARGER * size
            ends = last and below is None
            yield _LineInContext(page, above, region, below, text, region.size / size, tallest, right, ends)


def _of_type(line: _LineInContext, document: _Document) -> dict[str, float]:
    region, body = line.region, document.styles.body
    letters = [char for char in line.text if char.isalpha()]
    return {
        "larger": _LARGER <= line.ratio < _LARGE,
        "large": line.ratio >= _LARGE,
        "largest of its page": line.largest,
        "bold": region.bold and not body.bold,
        "bold, share of bold type": document.bold if region.bold else 0.0,
        "italic": region.italic and not body.italic,
        "typewriter": region.mono,
        "colour of its own": region.color != body.color,
        "capitals": len(letters) >= _MIN_CAPITALS and all(map(str.isupper, letters)),
    }


def _of_place(line: _LineInContext) -> dict[str, float]:
    region, page, above, below = line.region, line.page, line.above, line.below
    em = max(region.size, 1.0)
    from_left = region.box[0] - region.column_left
    centred = abs(region.box[0] + region.box[2] - page.width) / 2 < _MIDDLE * page.width and from_left > _FROM_LEFT * em
    over, under = _white_over(above, region), _white_under(region, below)
    return {
        "alone": region.alone,
        "more white over it": min(over, _MAX_WHITE) > min(under, _MAX_WHITE),
        "centred": centred,
        "indented": not centred and from_left > _INDENTED * em,
        "fills its line": region.box[2] - region.box[0]
        > _WHOLE_LINE * max(line.right - region.column_left, _MIN_WIDTH),
        "two lines": region.lines == 2,
        "where running heads stand": region.box[3] < _HEAD * page.height,
        "last of the document": line.last,
    }


def _of_words(line: _LineInContext) -> dict[str, float]:
    region, text = line.region, line.text
    words = words_in(text)
    numbered = is_numbered(text)
    dense = max(len(text) - text.count(" "), 1)
    return {
        "words": math.log(max(words, 1.0)),
        "share of letters": sum(map(str.isalpha, text)) / dense,
        "ends as a sentence": text[-1] in ".。",
        "ends with a comma": text[-1] in ",;-–—",
        "comma within": ", " in text,
        "signs of programs": any(sign in "=@_\\{}<>|" for sign in text),
        "numbered": numbered,
        "numbered in bold": numbered and region.bold,
        "deep number": depth_of(text) > 1,
        "named as parts are": is_named(region),
        "says what part it is": WORDED.match(text) is not None,
        "item of a list": region.kind == "list",
        "item in small type": region.kind == "list" and line.ratio < _LARGER and not region.marker[:1].isalnum(),
        "date or number": is_value(text) or is_date(text),
        "in brackets": text[0] in "([" and text[-1] in ")]",
    }


def _of_neighbours(line: _LineInContext) -> dict[str, float]:
    region, above, below = line.region, line.above, line.below
    style = face(region)
    over = above if above is not None and above.kind in {"text", "list"} else None
    under = below if below is not None and below.kind in {"text", "list"} else None
    return {
        "as what is over it": over is not None and face(over) == style,
        "unnumbered, as what is under it": under is not None and face(under) == style and not is_numbered(line.text),
        "over a larger title": under is not None and under.size > _SAME_SIZE * region.size and is_title(under),
        "over smaller type": under is not None and region.size > _SAME_SIZE * under.size,
        "over a list": under is not None and under.kind == "list",
        "over a table": below is not None and below.kind == "table",
        "over what goes on": under is not None and under.text[:1].islower(),
    }


def _of_uses(line: _LineInContext, document: _Document) -> dict[str, float]:
    region, styles = line.region, document.styles
    style = face(region)
    uses = document.uses[region.text.casefold()]
    titles, over_text = styles.shares.get(style, (0.0, 0.0))
    return {
        "shape of a title": is_title(region, document.body),
        "style: share of titles": titles,
        "style: share over text": over_text,
        "style of headings": style in styles.headings,
        "style of labels": style in styles.labels,
        "style of the text": style == styles.body,
        "said again": uses > 1,
        "said often, with a colon": uses >= _OFTEN and line.text[-1] == ":",
        "pages": document.pages,
    }
