"""What is usual in a column of lines: its edges, its leading and its type; how a line stands to the one above; where
entries of an index begin, which end with the numbers of pages."""

import re
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from sidecar_pdf.layout.lines import Line, differ_in_capitals, ends_at_margin, fits_on, width_of
from sidecar_pdf.layout.tables.columns.sides import NUMBER_ALONE
from sidecar_pdf.structure.numbering import counts_on
from sidecar_pdf.text.segments import FIRST_CJK, SOFT_HYPHEN, Segment

END = re.compile(r"[.!?:;。．！？：；…।۔؟؛][\"'”’»)\]」』）】]*$")
"""What a sentence ends with, or leads on."""
_CLAUSE_END = re.compile(rf"{END.pattern}|[,;] (?:and|or|und|oder|et|ou|y|o|e)$")
"""What a clause ends with before the next."""
_ADDRESS = re.compile(r"\S*@\S|www\.|https?:|\w+\.\w+(?:[./]\w+)+$|c/o\b")
"""Small letters that open a line of an address, rather than carry a sentence on."""
_PAGE = r"(?:\d{1,4}(?:[-–—]\d{1,4})?|[A-Z]?\d{0,2}-\d{1,3}|[ivxlc]{1,6}(?:[-–—][ivxlc]{1,6})?)(?:ff?\.?|n\.?\d*)?"
_ENTRY_END = re.compile(rf",\s*{_PAGE}$")
"""The number of a page behind a comma."""
_SIGN_OR_LETTER = re.compile(r"[^\W\d_]|[^\w\s]\Z")
"""What stands before it: a letter anywhere, or a sign right there."""

# Chosen on indexes by makeindex and Doxygen, typeset by pdfTeX and dvipdfm(x), and the leadings on the corpus.
_MIN_ENTRIES, _MOSTLY = 6, 0.5  # lines that end as entries do; share of the column's lines, wrapped ones being more
_SAME_EDGE = 0.3  # ems between two left edges of one level
_CARRIED_LEADING = 1.4  # leadings to a line that carries an entry on
_TYPEWRITTEN = 0.7  # of the lines in a typewriter face: so is the running text
_LEADING_QUANTILE = 0.4  # of the distances from line to line, sorted: headings and blank lines raise the median
_DEFAULT_LEADING, _MAX_LEADING = 1.25, 2.6  # of the size: leading of a single line, and largest leading that counts
_CLOSE_LEADING, _TEXT_STEPS = 0.7, 6  # of the size: what only labels of a drawing have; steps of lines of text beside
_WIDE_LEADING = 1.45  # of the size: a leading over it may be from paragraph to paragraph
_LOOSE_LEADING = 1.9  # of the size: a leading over it may be that of paragraphs alone
_SINGLE_LEADING, _SINGLE_STEPS = (1.05, 1.35), 2  # of the size, that of lines set solid; steps that tell it
_OPEN_LINE, _OPEN_EMS = 0.2, 3.0  # of the width that lines may have, left over by one that ends; ems of that, at least
_SMALL_WORD = 4  # has fewer characters: as a rule it ends no title
_TITLE_SIZE = 1.1  # times the usual size: a title's
_TITLE_APART = 1.6  # ems from one title to the next, at least: the lines of one title are closer
_BY_HAND, _TABBED, _RAGGED = 0.5, 1.5, 1.5  # ems left over by a word on the next line; of white; by which ends differ
_SHORT_LINES, _SHORT_WORDS = 3, 6  # lines of an address, at least; words of each, or of a line with a comma at its end
_FEW_WORDS, _FEW_CHARS = 8, 60  # words and characters of a line ended by hand within a sentence
_SHORT_TITLE = 2.0  # ems left over on the right of a line that a title ends with, or stands under
_HYPHENS = f"-{SOFT_HYPHEN}\u2010"
BREAK_LEADING = 1.32  # of the leading: a paragraph ends
LEADING_SLACK = 0.6  # points added to a multiple of the leading, for rounded positions; sizes within it are one
FIRST_INDENT, _MAX_HANGING = 0.8, 15.0  # ems of a first-line indent, at least; of a line that hangs, at most


class ColumnMetrics(NamedTuple):
    """What is usual in a column: its edges, the distance from line to line and the type size, in points."""

    left: float
    right: float
    leading: float
    size: float
    mono: bool
    """Running text is set in a typewriter face."""
    margin: float
    """The right edge that lines keep, but for one that runs over it."""
    hanging: tuple[float, ...]
    """The left edges of lines that hang: all but the first of a paragraph, as in lists of references and of terms."""
    open_to: float
    """Where lines may end, of a column in which no sentence runs on over a line end: its longest line then does not
    tell; its right edge otherwise."""


class Step:
    """From one line to the next: the paragraph so far, the line after it, and what is usual around them. What several
    rules ask for is told once."""

    __slots__ = ("before", "column", "em", "group", "later", "leading", "line", "pitch")

    def __init__(self, group: list[Line], line: Line, later: Line | None, column: ColumnMetrics) -> None:
        before = group[-1]
        self.group, self.line, self.later, self.column, self.before = group, line, later, column, before
        self.em = max(line.size, before.size, 1.0)
        self.pitch = line.y1 - before.y1
        """From baseline to baseline, in points."""
        self.leading = column.leading * max(self.em / column.size, 1.0)
        """The leading that would be usual here."""

    def left_over(self, ems: float) -> bool:
        """Whether the line before ends so many ems before the right edge."""
        return self.before.x1 < self.column.right - ems * self.em

    def opens_clause(self) -> bool:
        """Whether the line opens with the number after the one its paragraph opens with, and the line before ended."""
        ended = self.left_over(_SHORT_TITLE) or _CLAUSE_END.search(self.before.text) is not None
        return ended and counts_on(self.group[0].text, self.line.text)

    def ends_open(self) -> bool:
        """Whether a sentence ends far before where lines may end, in a column where none runs on over a line end, and
        another may begin."""
        column = self.column
        least = max(_OPEN_LINE * (column.open_to - column.left), _OPEN_EMS * self.em)
        short = column.open_to > max(column.right, self.before.x1 + least)
        return short and END.search(self.before.text) is not None and self.line.text[:1].isupper()

    def leaves_room(self) -> bool:
        """Whether the line before ends where a line of text would have gone on: all of this line would have stood on
        it, or its first word where this line is indented, as what is said of a term is."""
        before, line, em = self.before, self.line, self.em
        if line.size > _TITLE_SIZE * self.column.size or (before.style.bold and line.style.bold):
            return False  # titles are broken by hand
        if (before.style.mono and line.style.mono) or self.hangs_from_first():
            return False
        if line.segments[0].rtl or (line.text[:1].islower() and END.search(before.text) is None):
            return False
        if before.x1 + line.x1 - line.x0 < self.column.margin - em:
            return True
        indented = FIRST_INDENT * em < line.x0 - before.x0 < _MAX_HANGING * em
        return indented and fits_on(line.words, before, self.column.margin - em)

    def hangs_from_first(self) -> bool:
        """Whether the line stands under the second word of the paragraph, the first being a number or a mark."""
        words, near = self.group[0].words, _SAME_EDGE * self.em
        outdent = self.line.x0 - self.group[0].x0 > FIRST_INDENT * self.em
        return outdent and len(words) > 1 and abs(words[1].x0 - self.line.x0) < near

    def stacks_titles(self) -> bool:
        """Whether two bold lines, far from one another, are two titles: the lower would have had room beside the upper,
        which leads on to nothing."""
        before, line, em = self.before, self.line, self.em
        alike = abs(line.size - before.size) < LEADING_SLACK and abs(line.x0 - before.x0) < _SAME_EDGE * em
        bold = all(word.style.bold for word in (*before.words, *line.words))
        if len(self.group) > 1 or not (alike and bold) or self.pitch < _TITLE_APART * em:
            return False
        room = max(self.column.right, self.column.open_to) - before.x1 - (line.x1 - line.x0)
        last = before.words[-1].text
        leads_on = last[-1] in ":-–—,&" or (last.islower() and len(last) < _SMALL_WORD)
        return room > em and line.text[:1].isupper() and not leads_on

    def changes_type(self) -> bool:
        """Whether a title begins or ends between two lines: each has a colour of its own from end to end, or one of two
        titles is in capitals and the other is not."""
        before, line = self.before, self.line
        if line.style.mono or line.text[:1].islower() or not self.left_over(_SHORT_TITLE):
            return False
        if before.text[-1] in ":-–—,&" or NUMBER_ALONE.fullmatch(before.text):
            return False
        if before.style.color != line.style.color:
            return all(word.style.color == one.style.color for one in (before, line) for word in one.words)
        large = min(before.size, line.size) > _TITLE_SIZE * self.column.size
        titles = large or all(word.style.bold for word in (*before.words, *line.words))
        return titles and differ_in_capitals(before.text, line.text)


def ended_by_hand(group: list[Line], column: ColumnMetrics) -> list[int]:
    """Which lines of a paragraph, from the second on, begin where a person ended the one above, as those of an address
    or a stanza do: the first word would have stood there too, or white space parts both into what is said and how much.
    None where a sentence runs on over a line end in small letters, and none where lines hang, or run right to left."""
    pairs = list(pairwise(group))
    if any(line.text[:1].islower() and _ADDRESS.match(line.text) is None for _, line in pairs):
        return []
    first, near = group[0], _SAME_EDGE * group[0].size
    hangs = first.text[0].isdigit() and any(abs(word.x0 - group[-1].x0) < near for word in first.words[1:2])
    if hangs or any(segment.rtl for line in group for segment in line.segments):
        return []
    tabbed = [_is_tabbed(line) for line in group]
    ends = [at for at in range(1, len(group)) if tabbed[at - 1] or _may_end(group[at - 1])]
    found = [at for at in ends if _has_room(group, at, column) or (tabbed[at - 1] and tabbed[at])]
    if any(line.text[0] >= FIRST_CJK for line in group):
        return found
    return ends if 2 * len(found) >= len(pairs) or _are_short(group) else found


def _may_end(line: Line) -> bool:
    """Whether a line has no more words than one of an address, or the end of a sentence."""
    last = line.words[-1].text
    if END.search(last):
        return True
    few = len(line.words) <= (_SHORT_WORDS if last[-1] == "," else _FEW_WORDS)
    return few and width_of(line) <= _FEW_CHARS and last[-1] not in _HYPHENS


def _has_room(group: list[Line], at: int, column: ColumnMetrics) -> bool:
    """Whether the first word of a line would have stood on the one before, or both are set in the middle or at the
    right edge, where words are put on lines by hand."""
    before, line = group[at - 1], group[at]
    em = max(line.size, before.size, 1.0)
    outdent = before.x0 - line.x0
    middle = abs(before.x0 + before.x1 - line.x0 - line.x1) < em / 2
    indented = at == 1 and outdent > 0 and (len(group) > 2 or before.text[0] >= FIRST_CJK)
    right = abs(before.x1 - line.x1) < _SAME_EDGE * em and not indented
    if (middle or right) and abs(outdent) > _SAME_EDGE * em:
        return True
    return fits_on(line.words, before, column.margin - _BY_HAND * em)


def _are_short(group: list[Line]) -> bool:
    """Whether lines of a few words each end where they do, none with a small word that leads on: no prose, however
    narrow its column, begins so many lines with capitals and figures."""
    if len(group) < _SHORT_LINES or any(len(line.words) > _SHORT_WORDS for line in group):
        return False
    ends = [line.x1 for line in group]
    lasts = [line.words[-1].text for line in group[:-1]]
    led_on = any(last.islower() and len(last) < _SMALL_WORD for last in lasts)
    return not led_on and max(ends) - min(ends) > _RAGGED * group[0].size


def _is_tabbed(line: Line) -> bool:
    return any(word.x0 - before.x1 > _TABBED * line.size for before, word in pairwise(line.words))


def column_of(lines: list[Line], edge: float) -> ColumnMetrics:
    """What is usual in a column of these lines, on a page whose lines may end at `edge`."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    mono = sum(line.style.mono for line in lines) > _TYPEWRITTEN * len(lines)
    size = max(median(line.size for line in lines), 1.0)
    leading = _leading(lines, size, max(edge, right))
    ends = sorted((line.x1 for line in lines if mono or not line.style.mono), reverse=True)
    margin = next((one for one, other in pairwise(ends) if one - other < size / 2), right)
    hanging = () if mono else _hanging(lines, margin, BREAK_LEADING * leading + LEADING_SLACK)
    open_to = right if any(_runs_on(before, line) for before, line in pairwise(lines)) else max(edge, right)
    return ColumnMetrics(left, right, leading, size, mono, margin, hanging, open_to)


def mirrored(lines: list[Line]) -> list[Line]:
    """Lines of a script that runs right to left as if it ran left to right within their column, so that they begin and
    end, are indented and leave room on the sides they do; others as they are."""
    segments = [segment for line in lines for segment in line.segments]
    if 2 * sum(segment.rtl for segment in segments) <= len(segments):
        return lines
    both = min(line.x0 for line in lines) + max(line.x1 for line in lines)
    return [Line([_mirrored(segment, both) for segment in line.segments]) for line in lines]


def _mirrored(segment: Segment, both: float) -> Segment:
    first, *others = (word._replace(x0=both - word.x1, x1=both - word.x0) for word in segment.words)
    made = Segment(first, segment.order)
    for word in others:
        made.add(word)
    made.style, made.hyphen, made.ticked = segment.style, segment.hyphen, segment.ticked
    return made


def _runs_on(before: Line, line: Line) -> bool:
    """Whether a sentence may run on from one line to the next, as far as its words tell."""
    return line.text[:1].islower() or (END.search(before.text) is None and not line.text[:1].isupper())


def _leading(lines: list[Line], size: float, edge: float) -> float:
    """The usual distance from line to line: not that of paragraphs of one line each, where some have more."""
    pairs = [
        (b.y1 - a.y1, a.size) for a, b in pairwise(lines)
        if abs(a.size - b.size) < LEADING_SLACK and 0 < b.y1 - a.y1 < _MAX_LEADING * max(a.size, 1.0)
    ]  # fmt: skip
    steps = sorted(step for step, _ in pairs)
    if not steps:
        return _DEFAULT_LEADING * size
    leading = steps[int(len(steps) * _LEADING_QUANTILE)]
    if leading < _CLOSE_LEADING * size:
        text = [step for step in steps if step > _CLOSE_LEADING * size]
        return text[int(len(text) * _LEADING_QUANTILE)] if len(text) >= _TEXT_STEPS else leading
    if leading > _WIDE_LEADING * size:
        least, most = _SINGLE_LEADING
        single = [step for step, own in pairs if abs(own - size) < LEADING_SLACK and least * size < step < most * size]
        if len(single) >= _SINGLE_STEPS:
            return min(single)
        if leading > _LOOSE_LEADING * size and _is_loose(lines, edge):
            return _DEFAULT_LEADING * size
    return leading


def _is_loose(lines: list[Line], edge: float) -> bool:
    """Whether lines far from one another are paragraphs of one line each, as in lists of links: more of them leave room
    for the first word of the next than do not. A line of one word leaves room where lines of the page may end."""
    right = max(line.x1 for line in lines)
    loose = 0
    for before, line in pairwise(lines):
        one_word = len(before.words) == 1 and width_of(before) == len(before.text)
        if fits_on(line.words, before, edge if one_word else right):
            loose += 1
        else:
            loose -= 2 if _runs_on(before, line) else 1
    return loose >= 0


def _hanging(lines: list[Line], margin: float, furthest: float) -> tuple[float, ...]:
    """The edges that full lines go on at, indented, in the midst of a sentence: lines that open a paragraph there would
    stand under the end of one. `furthest` is the pitch of lines of one paragraph."""
    votes: dict[int, int] = {}
    edges: dict[int, float] = {}
    for before, line in pairwise(lines):
        em = max(line.size, before.size, 1.0)
        hangs = FIRST_INDENT * em < line.x0 - before.x0 < min(_MAX_HANGING * em, before.x1 - before.x0 - em)
        if not hangs or not 0 < line.y1 - before.y1 < furthest or before.style.mono or line.style.mono:
            continue
        if fits_on(line.words, before, margin) or ends_at_margin(before):
            continue
        at, lower = round(line.x0), line.text[:1].islower()
        votes[at] = votes.get(at, 0) + (lower - 1 if END.search(before.text) else lower + 1)
        edges[at] = line.x0
    return tuple(edge for at, edge in edges.items() if votes[at] > 0)


def entry_edges(lines: list[Line]) -> tuple[float, ...]:
    """The left edges of the entries of an index, none where the lines of a column are no index."""
    ended = sum(_ends_entry(line) for line in lines)
    if ended < max(_MIN_ENTRIES, _MOSTLY * len(lines)):
        return ()
    opening = [lines[0], *(line for before, line in pairwise(lines) if _ends_entry(before))]
    return tuple({round(line.x0, 1): line.x0 for line in opening}.values())


def _ends_entry(line: Line) -> bool:
    """Whether a line ends with the number of a page."""
    end = _ENTRY_END.search(line.text)
    return end is not None and _SIGN_OR_LETTER.search(line.text, 0, end.start()) is not None


def begins_entry(edges: tuple[float, ...], before: Line, line: Line, leading: float) -> bool:
    """Whether a line of an index opens an entry, rather than to carry on the one `before` belongs to."""
    pitch = line.y1 - before.y1
    if not 0 < pitch < _CARRIED_LEADING * leading:
        return True
    if before.text[-1:] == ",":
        return False  # more pages
    return _ends_entry(before) or any(abs(line.x0 - edge) < _SAME_EDGE * line.size for edge in edges)
