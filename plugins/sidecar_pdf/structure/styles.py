"""Judges the styles of a document by all their uses: a style sets headings where nearly all that is set in it is short
and stands over text; labels, lists of contents and second sizes of text are told by the same count."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sidecar_pdf.structure.numbering import heading_text, is_numbered, number_and_text
from sidecar_pdf.structure.regions import PageRegions, Region

_CJK = re.compile(r"[\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_CLOSED = re.compile(r"[.,;!。．，；！]$|[.!?。．！？][\"'”’」]$")
_SENTENCE = re.compile(r"[.!?。．！？][\"'”’)\]]*$")
_TOLD = re.compile(r"[.!?:。．！？：][\"'”’)\]]*$")
"""The end of a sentence, or of what leads to a list."""
_SINCE = re.compile(r"\D \d{1,3}(?:\.\d{1,3})+$")
"""Ends with the number of a release: a remark on what is new, where it is in italics."""
_IDENTIFIER = re.compile(r"[a-z][\w.]{3,}(?: [\w.]{3,20}){0,3}")
"""The name of something in a program, and perhaps what it is."""
_PROGRAM = re.compile(r"^[{}$]|[;{}]$")
"""Opens or ends as lines of programs do, whatever their type."""
_BRACKETED = re.compile(r"\s*\([^()]*\)")
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\$?\{[^{}]*\}|<\w[^<>]* [^<>]*>")
"""What a template stands in for something that is entered, as in "{{ name }}", "${date}" or "<your name>"."""
VERSION = re.compile(
    r"v\d{1,3}(?:\.\d{1,3}){0,3}|\d{1,3}(?:\.\d{1,3}){1,3}[.-]?(?:rc|alpha|beta|dev|a|b)[.-]?\d{1,3}"
    r"|\[?v?\d{1,4}(?:\.\d{1,4}){1,3}[\w.-]{0,8}\]? ?[-–—:(] ?[^()]{0,20}(?:19|20)\d\d[\d.-]{0,6}\)?"
)
"""The number of a release, alone or with its day, as parts of lists of changes are named: "v2.1", "5.0.0rc3", "2.1.0
(May 4, 2026)"."""
_LABELLED = re.compile(rf"[^\W\d_]{{3,}} \d{{1,2}}\.\d{{1,2}}|{VERSION.pattern}")
"""A word and a number of two levels, "Unit 2.1", or a release: figures are as many as letters where words are short."""
# Counts. Chosen on the corpus (tests/bench/pages/pdf_pages.py).
_CJK_WORD = 2.5  # characters of a word in scripts written without spaces
_MAX_WORDS, _MAX_LINES, _MAX_CHARS = 16, 2, 160  # of a title
_QUESTION_LINES, _QUESTION_WORDS = 4, 30  # of a question in larger type
_NUMBERED_WORDS = 24  # of a title in bold with a number, such as a question of a list of questions
_CLOSED_WORDS = 10  # of a large bold title that ends as a sentence does
_NAMED_WORDS = 6  # of a title that ends with a colon: more are a question of a form
_PROSE_LINES, _PROSE_CHARS = 3, 80  # from which on text is running text
_TOLD_WORDS = 5  # of a line that ends as a sentence does: fewer are the value of a field
_USES, _LABELS, _FIELDS = 2, 3, 5  # of a style that may set headings, or text; labels; names of fields
_MIN_SIZE = 3.0  # points, of type that can be read
_NO_SIZE = 10.0  # points, of running text where there is none
_MIN_TABLE = 6.5  # points, of type in tables: smaller is the small print of a form, beside which no text is large
_SAMPLE_PAGES = 400  # pages that tell the body size
_GREY, _WHITE = 48, 224  # of 255, by which the parts of a colour differ at least; of each part of white
# Shares.
_TYPEWRITTEN = 0.6  # of the letters in a typewriter face: so is the running text
_LISTINGS = 0.1  # of the letters in listings: running text below it is none
_LETTERS = 0.6  # of the characters of a title
_TITLES, _LEADING, _OVER_TEXT = 0.8, 0.6, 0.5  # of a style's uses: titles; of them over something, over running text
_FIELD_OVER_TEXT = 0.25  # of the titles in a style that stand over text: fewer, and they name fields of a form
_LABEL_LEADING = 0.4  # of the titles in a style that stand over something: fewer, and they are labels
_PROSE, _FEW_TITLES = 0.6, 0.4  # of a text style's letters: running text; of its uses: titles
_COMMON = 0.12  # of all letters: a style this common is a text's own
_FILLED = 0.5  # of a line's letters in what is to be filled in: more, and it is not a title
_SAME_SIZE = 0.06  # of the size: running text differs by less
_SMALL_PRINT, _SMALL_PARAGRAPHS = 0.8, 4  # of a page's letters, and paragraphs of one size, that are its running text
_LARGE_PRINT, _LARGE_LINES = 0.9, 12  # the same of larger type, where nearly all of a page is set in it, and its lines
_NEAR = 0.1  # of a size, by which another size of the text of such a page differs
_LARGER, _MUCH_LARGER, _NOT_SMALLER = 1.05, 1.165, 0.92  # times the size of running text
_BOLD_SIZE = 0.8  # times that size: browsers set the bold titles of a fifth level in 0.83 of it
_HARDLY_LARGER = 1.3  # times the size of a title


class Face(NamedTuple):
    """How a region looks; sizes in half points."""

    size: float
    bold: bool
    italic: bool
    family: str
    color: int


@dataclass
class _Use:
    count: int = 0
    letters: int = 0
    titles: int = 0
    prose: int = 0
    """Letters of running text."""
    paragraphs: int = 0
    leading: int = 0
    """Titles with something under them that is not a title of the same kind or a higher."""
    opening: int = 0
    """Those of them that do not begin right of it."""
    over_text: int = 0
    """Titles right over running text, a listing, a table, a figure or an equation."""
    numbered: int = 0
    asked: int = 0
    """Titles that are questions."""


def face(region: Region) -> Face:
    """The style of a region."""
    return Face(round(region.size * 2) / 2, region.bold, region.italic, region.family, region.color)


def words_in(text: str) -> float:
    """How many words a text has, those of scripts written without spaces by their length."""
    dense = len(_CJK.findall(text))
    return dense / _CJK_WORD + len(_CJK.sub(" ", text).split()) if dense else len(text.split())


def is_title(region: Region, body: float = 0.0) -> bool:
    """Whether a region has the shape of a title: a line or two that begin like one and are not a sentence. Where the
    size of running text is given, titles larger than it may begin with a small letter, as names do in programs, and end
    with a colon; names that are set off may begin so too."""
    if region.kind not in {"text", "list"} or region.lines > _MAX_LINES or not 1 < len(region.text) <= _MAX_CHARS:
        return False
    if region.kind == "list" and not any(char.isalnum() for char in region.marker):
        return False
    text, first = region.text, next((char for char in region.text if char.isalnum()), "")
    large = 0 < _LARGER * body < region.size
    solid = _BRACKETED.sub("", number_and_text(text)[1]).replace(" ", "")
    named = text[-1] not in ":：" or ((region.bold or large) and not region.marker and words_in(text) <= _NAMED_WORDS)
    since = region.italic and not region.bold and _SINCE.search(text)
    closed = _CLOSED.search(text) and not (large and region.bold and words_in(text) <= _CLOSED_WORDS)
    if not named or since or closed or (first.islower() and not (large or is_set_off(region))):
        return False
    if sum(map(str.isalpha, solid)) < max(_LETTERS * len(solid), 1) and not _LABELLED.fullmatch(text):
        return False
    numbered = region.bold and is_numbered(heading_text(region))
    return words_in(text) <= (_NUMBERED_WORDS if numbered else _MAX_WORDS)


def is_set_off(region: Region) -> bool:
    """Whether a line in bold is set off by a colour of its own, or white on one, which is not a grey of text and no
    link; or is the name of something in a program over white: titles alone are so where they begin with a small
    letter."""
    if not (region.bold and region.alone) or any(span.kind == "link" for span in region.spans):
        return False
    red, green, blue = region.color >> 16, region.color >> 8 & 255, region.color & 255
    tint = max(red, green, blue) - min(red, green, blue)
    named = region.over_white and _IDENTIFIER.fullmatch(region.text) is not None
    return named or tint > _GREY or min(red, green, blue) > _WHITE


def is_template(text: str) -> bool:
    """Whether most of a text is to be filled in."""
    return sum(map(str.isalpha, "".join(_PLACEHOLDER.findall(text)))) > _FILLED * sum(map(str.isalpha, text))


def body_size(pages: list[PageRegions]) -> float:
    """The size of running text, in points. Listings, often smaller and longer, and capitals, as those of navigation,
    count where there is little else, tables where they say more than the text, as forms do with their small print, or
    where all text of the size is bold lines, the titles of a form."""
    weights: Counter[float] = Counter()
    listings: Counter[float] = Counter()
    tables: Counter[float] = Counter()
    plain: set[float] = set()
    for page in pages[:_SAMPLE_PAGES]:
        for region in page.regions:
            if region.kind == "table" and region.size >= _MIN_SIZE:
                tables[round(region.size * 4) / 4] += sum(len(text) for row in region.rows for text in row)
            if region.kind in {"text", "list"} and not region.running and not region.hidden and region.size:
                sizes = listings if region.mono or region.text.isupper() else weights
                size = round(region.size * 4) / 4
                halves = 1 + (region.lines < 2) + region.bold
                sizes[size] += len(region.text) // halves
                if region.lines > 1 or not region.bold:
                    plain.add(size)
    if weights.total() < tables.total():
        for size, letters in tables.items():
            weights[max(size, _MIN_TABLE)] += letters
    if weights.total() < _LISTINGS * listings.total():
        weights += listings
    body = weights.most_common(1)[0][0] if weights else _NO_SIZE
    if body in plain or body in tables:
        return body
    smaller = [size for size in {*weights, *tables} if _MIN_TABLE <= size < body]
    return max(smaller, key=lambda size: weights[size] + tables[size]) if smaller else body


def print_size(page: PageRegions, body: float) -> float:
    """The size, in points, of the running text of a page, that of the document being `body`: less on pages in small
    print alone, as licences and conditions are, more on pages of many lines in larger type alone, as those behind the
    cover sheet of a form are."""
    letters: Counter[float] = Counter()
    paragraphs: Counter[float] = Counter()
    lines: Counter[float] = Counter()
    for region in page.regions:
        if region.kind in {"text", "list"} and not (region.running or region.hidden or region.mono) and region.size:
            letters[region.size] += len(region.text)
            paragraphs[region.size] += region.lines >= _PROSE_LINES
            lines[region.size] += region.lines
    small = max(letters, key=lambda size: letters[size], default=body)
    wholly = letters[small] >= _SMALL_PRINT * letters.total() and paragraphs[small] >= _SMALL_PARAGRAPHS
    upright = page.width < page.height
    near = [size for size in letters if size > body and abs(size - small) <= _NEAR * small]
    largely = sum(letters[size] for size in near) >= _LARGE_PRINT * letters.total()
    if upright and small > body and largely and sum(lines[size] for size in near) >= _LARGE_LINES:
        return small
    return small if wholly and small < _NOT_SMALLER * body else body


def is_typewritten(pages: list[PageRegions]) -> bool:
    """Whether the running text is set in a typewriter face."""
    mono = total = 0
    for page in pages[:_SAMPLE_PAGES]:
        for region in page.regions:
            if region.kind in {"text", "list"}:
                total += len(region.text)
                mono += len(region.text) if region.mono else 0
    return mono > _TYPEWRITTEN * total


@dataclass
class StyleUsage:
    """What the uses of the styles of a document say."""

    headings: set[Face]
    """Styles that set headings, wherever they stand."""
    labels: set[Face]
    """Styles that set labels, contents or text, and no headings."""
    body: Face
    """That of most running text."""
    shares: dict[Face, tuple[float, float]]
    """Of the uses of each style, the shares that have the shape of titles, and of titles right over running text."""


def judge_styles(pages: list[PageRegions], body: float) -> StyleUsage:
    """The styles of a document whose running text has `body` points."""
    uses: dict[Face, _Use] = {}
    running: Counter[Face] = Counter()
    for region, below in _followed(pages):
        if region.kind not in {"text", "list"} or (region.size < _LARGER * body and is_template(region.text)):
            continue
        if below is not None and _is_beside(region, below):
            continue
        use = uses.setdefault(face(region), _Use())
        use.count += not _runs_in(region)
        use.letters += len(region.text)
        asked = _is_large_question(region, body)
        title = asked or (is_title(region, body) and not (region.mono and region.size < _LARGER * body))
        if is_running_text(region) and not asked and not (title and region.bold and region.size > _LARGER * body):
            use.prose += len(region.text)
            use.paragraphs += 1
        if region.lines > 1 and abs(region.size - body) < _SAME_SIZE * body:
            running[face(region)] += len(region.text)
        if title:
            use.titles += 1
            use.numbered += is_numbered(heading_text(region))
            use.asked += asked or (region.text[-1] in "?？;؟" and region.alone)
            leads = below is not None and not _rivals(region, below)
            use.leading += leads
            use.opening += leads and below is not None and region.box[0] < below.box[0] + region.size
            listed = below is not None and not region.mono and (below.mono or _PROGRAM.search(below.text) is not None)
            use.over_text += below is not None and (listed or is_running_text(below) or _tells(below))
    own = running.most_common(1)[0][0] if running else Face(body, bold=False, italic=False, family="", color=0)
    letters = sum(use.letters for use in uses.values()) + _letters_of_tables(pages)
    headings = {f for f, use in uses.items() if _stands_out(f, own, body) and _sets_headings(use, letters)}
    headings = {f for f in headings if f.size >= _NOT_SMALLER * body or uses[f].opening == uses[f].count}
    headings |= {f for f, use in uses.items() if f != own and f.size >= body and _asks(use)}
    plain = _LARGER * body
    labels = {f for f, use in uses.items() if _sets_labels(use) or (f.size < plain and _names_values(use))}
    shares = {f: (use.titles / max(use.count, 1), use.over_text / max(use.count, 1)) for f, use in uses.items()}
    return StyleUsage(headings, labels - headings, own, shares)


def _letters_of_tables(pages: list[PageRegions]) -> int:
    return sum(len(text) for page in pages for region in page.regions for row in region.rows for text in row)


def _followed(pages: list[PageRegions]) -> Iterator[tuple[Region, Region | None]]:
    """The regions of a document, each with the one it stands over; those outside the text left out."""
    shown = [region for page in pages for region in page.regions if region.in_flow and not region.caption]
    for at, region in enumerate(shown):
        below = shown[at + 1] if at + 1 < len(shown) else None
        if below is not None and _is_behind(region, below):
            below = shown[at + 2] if at + 2 < len(shown) else None
        yield region, below


def _is_large_question(region: Region, body: float) -> bool:
    """Whether a text is a question in larger type, over its answer however long it is."""
    large = region.kind == "text" and region.size >= _MUCH_LARGER * body and region.lines <= _QUESTION_LINES
    return large and region.text[-1] in "?？؟" and words_in(region.text) <= _QUESTION_WORDS


def _is_behind(region: Region, other: Region) -> bool:
    """Whether a line stands on that of a bold title, at the other margin, as days do."""
    level = region.box[1] < (other.box[1] + other.box[3]) / 2 < region.box[3] and other.box[0] > region.box[2]
    return region.bold and other.lines == region.lines == 1 and level and other.size <= region.size


def _is_beside(region: Region, below: Region) -> bool:
    """Whether a line stands at the left of a larger title, as days and labels in a margin do, and over nothing."""
    level = below.box[1] < (region.box[1] + region.box[3]) / 2 < below.box[3] and below.box[0] > region.box[2]
    return region.lines == 1 and level and below.size > region.size and is_title(below)


def _rivals(title: Region, below: Region) -> bool:
    """Whether what stands under a title is another of the same kind or a higher: plain type and small letters that are
    hardly larger than a title in bold or in capitals are no higher."""
    over = title.bold > below.bold or (title.bold and title.text.isupper() and not below.text.isupper())
    if not is_title(below) or (over and below.size < _HARDLY_LARGER * title.size):
        return False
    return below.size > title.size or (below.size == title.size and below.bold >= title.bold)


def _runs_in(region: Region) -> bool:
    """Whether a bold line ends as a title does that runs into its paragraph."""
    return region.bold and region.lines == 1 and region.text[-1:] == "." and words_in(region.text) <= _MAX_WORDS


def is_running_text(region: Region) -> bool:
    """Whether a region is a paragraph of running text, or no text."""
    if region.kind not in {"text", "list"}:
        return True
    many = region.lines >= _PROSE_LINES or words_in(region.text) > _MAX_WORDS or len(region.text) > _PROSE_CHARS
    asked = region.bold and region.text[-1] == "?"  # a question in bold is a title
    return many or (region.lines > 1 and _SENTENCE.search(region.text) is not None and not asked)


def _tells(region: Region) -> bool:
    """Whether a line is a sentence, or one that leads to a list, or opens one."""
    return region.kind == "list" or (words_in(region.text) >= _TOLD_WORDS and _TOLD.search(region.text) is not None)


def _stands_out(own: Face, text: Face, body: float) -> bool:
    """Whether a style differs from the text's in more than slope, and is not smaller, or bold and little smaller."""
    if own.size < (_BOLD_SIZE if own.bold > text.bold else _NOT_SMALLER) * body:
        return False
    return own.size > _LARGER * body or own.bold > text.bold or own.family != text.family or own.color != text.color


def _sets_headings(use: _Use, letters: int) -> bool:
    return (
        use.titles >= _USES and use.titles >= _TITLES * use.count and use.letters <= _COMMON * letters
        and use.leading >= _LEADING * use.titles
        and (use.over_text >= _OVER_TEXT * use.titles or use.numbered >= max(_LABELS, _TITLES * use.titles))
    )  # fmt: skip


def _asks(use: _Use) -> bool:
    """Whether a style is one of questions alone, over their answers."""
    return use.asked == use.count >= _LABELS and use.over_text >= _TITLES * use.count


def _names_values(use: _Use) -> bool:
    """Whether a style of the size of the text is one of the names of fields, over a value each, and not over text."""
    return use.titles >= _FIELDS and use.over_text < _FIELD_OVER_TEXT * use.titles and not use.numbered


def _sets_labels(use: _Use) -> bool:
    """Whether a style is one of text, or of short lines that stand over nothing."""
    if use.count < _LABELS:
        return False
    if (use.paragraphs >= _USES and use.prose > _PROSE * use.letters) or use.titles < _FEW_TITLES * use.count:
        return True
    return use.leading < _LABEL_LEADING * use.titles
