"""A table found on a page, and what the text of its cells tells: figures, whether the first row names columns, and
whether rows are a list of items or of contents, whose numbers and titles line up as well."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from sidecar.api import Box, Merge
from sidecar_pdf.layout.lines import line_separator, rows_of
from sidecar_pdf.layout.tables.known_flaws import Flaws, score
from sidecar_pdf.text.letters.broken import unbroken
from sidecar_pdf.text.segments import SOFT_HYPHEN, Segment, Vocabulary, Word

_CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|TRY|ZAR|SGD|HKD|ILS|THB|UAH|RUB|ARS"
CODE = re.compile(_CODES)
"""The code of a currency."""
NUMERIC = re.compile(
    rf"^(?:(?:{_CODES})\s?)?[\s$€£¥%()+\-–−.,/:*†‡§<>≤≥~±×#]*+\d[\s$€£¥%()+\-–−.,\d/:*†‡§<>≤≥~±×kKMBx]*+"
    rf"(?:\^\w{{1,2}})?(?:{_CODES})?$|^[-–—]+$|^n/?a$",
    re.IGNORECASE,
)
"""A figure, with a sign or a code of its currency before or behind it."""

_YEAR = re.compile(r"(?:19|20)\d\d")
LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|_{5,}")
"""Dots or a line that lead the eye to the next column, or wait to be written on."""
BULLET = re.compile("[•◦▪‣■➢]$")
"""A word that opens an item of a list, and is not a cell of its own."""
_DOTS = re.compile(r"\s+(?:\.\s?){2,4}$|(?<!\.)(?<!\.\s)\s*(?:\.\s?){5,}$|(?<!…)\s*…{2,}$")
_UNARY = re.compile(r"^− (?=[\d.])")
"""A minus sign that its own font sets a little off its number."""
_HYPHENATED = re.compile(r"\w[.\w]*\d-$|-\w[.\w]*-$")
"""The part of a name before a hyphen that a line may end with."""
_HYPHEN = "\u2010"
_EDGE = 2.0  # points that an edge is wide
_JOINED = 0.5  # points between two words that the document writes without a space
_JOINED_LETTERS = (
    0.15  # ems between such pieces of a word: browsers end a piece behind "fi", with the white of the font
)
# Shares of the size of the word before.
_RAISED_SIZE, _RAISED_BY, _RAISED_GAP = 0.85, 0.15, 0.35  # of a mark's size, height over its foot, distance from it
_HARDLY_SMALL, _HIGH = 0.92, 0.4  # of a mark that is set by hand: size and height over the foot, which is plain to see
_RAISED_CHARS = 3  # of a raised mark
_POWER = re.compile(r"[+−–-]?[^\W_]")
"""What a raised mark of letters or digits begins with: one of signs alone is not part of a number."""
_SOFT = re.compile(f"(?<![^\\W\\d_])([^\\W\\d_]++){SOFT_HYPHEN}([^\\W\\d_]++)")
_LONG_WORD, _WORD_PART = 8, 6.5  # letters of a word that can be hyphenated; those of a part of it, blank and hyphen
_NEXT_LINE = 1.7  # heights of a line from one of a cell to the next
_AS_NEAR = 1.8  # heights of a line, in which the next row begins
_AS_EVEN = 1.1  # times the white between two rows, in which the next row begins
_GAP_IN_LINE = 2  # spaces for each em of white in a line as it stands
_CHARACTER = 0.5  # ems that a character is wide, about
_NUMERIC_BODY = 0.25  # share of figures under a first row of words that make it a header; chosen on the corpus
_BRACKET = re.compile("[(){}\\[\\]\u239b-\u23b3\uf8e6-\uf8fe]")
"""A bracket, or a piece of a large one; fonts of formulas name the pieces in the private area of Adobe's list."""
_TALL_BRACKET = 2.0  # times the size of type that a bracket around several lines is tall
_ROMAN = re.compile(r"[ivxlc]+", re.IGNORECASE)
_NUMBERING = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]+)[.)]")
_SECTION = re.compile(r"(?:\d{1,3}|[A-Z]|[ivxIVX]+)(?:\.\d{1,3})*")
_LISTED = 0.4  # of the rows whose first cell is a sign or a number of a list
_GROUPED_ROWS = 3  # of a table with heads of groups, of names, and a body, at the least


@dataclass
class FoundTable:
    """A table on the page. It is also a piece of the layout, hence `order`."""

    x0: float
    y0: float
    x1: float
    y1: float
    rows: list[list[str]]
    merges: tuple[Merge, ...] = ()
    header_rows: int = 0
    ruled: bool = False
    columns: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Left and right end of each column."""
    base: float = 1.0
    """What the kind of its evidence is worth."""
    flaws: Flaws = ()
    order: int = 0
    segments: list[Segment] = field(default_factory=list[Segment])
    """The text it took, which no longer belongs to the running text."""

    @property
    def score(self) -> float:
        """What it is worth beside other readings of its place, 0 to 1."""
        return score(self.base, self.flaws)

    @property
    def box(self) -> Box:
        """Its extent as shown."""
        return self.x0, self.y0, self.x1, self.y1

    def overlaps(self, box: Box) -> bool:
        """Whether it shares more than an edge with a box."""
        across = self.x0 < box[2] - _EDGE and self.x1 > box[0] + _EDGE
        return across and self.y0 < box[3] - _EDGE and self.y1 > box[1] + _EDGE

    def filled(self) -> float:
        """The share of its cells that hold text."""
        return sum(bool(text) for row in self.rows for text in row) / (len(self.rows) * len(self.rows[0]))

    def is_headed(self) -> bool:
        """Whether heads, some over several columns, stand over rows of which no cell is merged or empty, as boxes of a
        diagram never do."""
        heads, covered = self.header_rows, sum(m.rows * m.cols - 1 for m in self.merges)
        cells = sum(map(len, self.rows))
        return (
            heads > 0 and all(m.row + m.rows <= heads for m in self.merges) and self.filled() * cells >= cells - covered
        )

    def mend(self, cells: list[list[list[Word]]]) -> None:
        """Puts words together that were broken where a column ends; `cells` are the words of each of its cells."""
        for texts, row in zip(self.rows, cells, strict=True):
            for at, (words, (left, right)) in enumerate(zip(row, self.columns, strict=True)):
                whole = unbroken(words, left, right, set()) if len(words) > 1 and texts[at] else words
                texts[at] = cell_text(whole) if len(whole) < len(words) else texts[at]


def cell_text(words: list[Word]) -> str:
    """The words of a cell in order, lines joined by a space; hyphens that `without_hyphenation` may take out are soft.
    Raised letters and digits stand behind `^`, since a mark read as a part of its number makes another number of it;
    words that a line is drawn through stand between `~~`."""
    if not words:
        return ""
    if True in [word.style.struck for word in words]:
        words = _with_strikes(words)
    text = ""
    previous: Word | None = None
    raised = 0.0
    for word in words:
        if previous is None:
            text = word.text
        elif text.endswith(SOFT_HYPHEN):
            _, drop = line_separator(previous.text, word.text, set())
            text = text + word.text if drop else f"{text[:-1]}-{word.text}"
        elif text.endswith(_HYPHEN) and word.y0 > _middle(previous):  # browsers set it where they break a word
            _, drop = line_separator(previous.text, word.text, set())
            text = (text[:-1] if drop else text) + word.text
        elif word.y0 > _middle(previous) and _HYPHENATED.search(previous.text) and word.text[0].isalnum():
            text += word.text
        elif _is_raised(previous, word):
            text += f"^{word.text}" if _POWER.match(word.text) else word.text
        elif word.joined and word.y0 < previous.y1 and word.x0 - previous.x1 < _reach(previous, word, raised):
            text += word.text
        else:
            text += " " + word.text
        raised = word.style.size if previous is not None and _is_raised(previous, word) else 0.0
        previous = word
    if text[-1] == SOFT_HYPHEN:
        text = text[:-1] + "-"
    return _UNARY.sub("−", text.strip())


def _with_strikes(words: list[Word]) -> list[Word]:
    """The words with the marks of Markdown around each run that a line is drawn through."""
    struck = [False, *(word.style.struck for word in words), False]
    marked: list[Word] = []
    for at, word in enumerate(words, 1):
        opening = "~~" if struck[at] > struck[at - 1] else ""
        closing = "~~" if struck[at] > struck[at + 1] else ""
        marked.append(word._replace(text=f"{opening}{word.text}{closing}") if opening or closing else word)
    return marked


def _reach(previous: Word, word: Word, raised: float) -> float:
    """Points that two pieces of a word may be apart; behind a mark `raised` by so much type, further."""
    letters = previous.text[-1:].isalpha() and word.text[:1].isalpha()
    return max(_JOINED + _RAISED_GAP * raised, _JOINED_LETTERS * word.style.size if letters else 0.0)


def without_hyphenation(table: FoundTable, vocabulary: Set[str]) -> list[list[str]]:
    """The texts of a table, words put together that a hyphen parts at the end of a line. It stays where the file has
    the word with it or both its parts as words, and where nothing is hyphenated: long words are carried over whole
    though the line had room for a part of them. `vocabulary` holds the document's words in small letters."""
    if not any(SOFT_HYPHEN in text for row in table.rows for text in row):
        return table.rows
    whole = (isinstance(vocabulary, Vocabulary) and vocabulary.whole) or _carries_words_whole(table)

    def joined(match: re.Match[str]) -> str:
        stem, rest = match[1].lower(), match[2].lower()
        if stem + rest in vocabulary:
            return match[1] + match[2]
        parts = stem in vocabulary and rest in vocabulary
        return f"{match[1]}-{match[2]}" if whole or parts or f"{stem}-{rest}" in vocabulary else match[1] + match[2]

    return [[_SOFT.sub(joined, text).replace(SOFT_HYPHEN, "-") for text in row] for row in table.rows]


def _carries_words_whole(table: FoundTable) -> bool:
    """Whether more lines of cells end before a long word of which they had room for a part than within a word."""
    cells = "\0".join(text for row in table.rows for text in row)
    balance = -cells.count(SOFT_HYPHEN)
    level = sorted((s for s in table.segments if not s.vertical), key=lambda s: (round(s.x0), s.y0))
    right: dict[int, float] = {}
    for segment in level:
        right[round(segment.x0)] = max(right.get(round(segment.x0), 0.0), segment.x1)
    for above, below in pairwise(level):
        word = below.words[0]
        near = round(above.x0) == round(below.x0) and 0 < below.y1 - above.y1 < _NEXT_LINE * (above.y1 - above.y0)
        one_cell = near and f"{above.words[-1].text} {word.text}" in cells
        if one_cell and len(word.text) >= _LONG_WORD and word.text.isalpha():
            part = (word.x1 - word.x0) / len(word.text) * _WORD_PART
            balance += right[round(above.x0)] - above.x1 > part
    return balance >= 0


def _middle(word: Word) -> float:
    return (word.y0 + word.y1) / 2


def without_leaders(rows: list[list[str]]) -> list[list[str]]:
    """The texts of cells without the dots that lead from one column to the next, where a table has such."""
    if not LEADERS.search("\0".join([text for row in rows for text in row])):
        return rows
    return [[_DOTS.sub("", text) if _DOTS.sub("", text) else text for text in row] for row in rows]


def _is_raised(before: Word, word: Word) -> bool:
    """Whether a word is a mark set small and high behind the one before."""
    size = before.style.size
    smaller = _HARDLY_SMALL if word.joined and word.y1 < before.y1 - _HIGH * size else _RAISED_SIZE
    if len(word.text) > _RAISED_CHARS or word.style.size > smaller * size or before.text[-1:] in "(=–-/":
        return False
    return word.y1 < before.y1 - _RAISED_BY * size and abs(word.x0 - before.x1) < _RAISED_GAP * size


def header_rows(rows: list[list[str]], *, bold: bool = False) -> int:
    """1 when the first row names columns: set in bold, or words above numbers; 2 when it names groups of them."""
    if len(rows) < 2:
        return 0
    if are_groups(rows):
        return 2 * header_rows(rows[1:], bold=bold)
    first = [text for text in rows[0] if text]
    if not first or any(NUMERIC.match(text) and not _YEAR.fullmatch(text) for text in first):
        return 0
    if bold:
        return 1
    body = [text for row in rows[1:] for text in row if text]
    return int(bool(body) and sum(bool(NUMERIC.match(text)) for text in body) >= _NUMERIC_BODY * len(body))


def are_groups(rows: list[list[str]]) -> bool:
    """Whether the first row names some columns, as the first of their group, over a second one that names them all, and
    none of these is a figure."""
    if len(rows) <= _GROUPED_ROWS:
        return False
    groups, names = [text for text in rows[0] if text], rows[1]
    return 1 < len(groups) < len(names) and all(names) and not any(map(NUMERIC.match, [*groups, *names]))


def share_of_figures(texts: list[list[str]]) -> float:
    """The share of figures among the cells behind the first column."""
    cells = [text for row in texts for text in row[1:] if text]
    return sum(bool(NUMERIC.match(text)) for text in cells) / max(len(cells), 1)


def spread_of(values: list[float]) -> float:
    """The median distance from the median."""
    middle = sorted(values)[len(values) // 2]
    return sorted(abs(value - middle) for value in values)[len(values) // 2]


def rows_beyond(rows: list[list[Segment]], free: list[Segment], sides: tuple[float, float]) -> list[list[Segment]]:
    """The lines between rules, and those, within `sides`, over the first and under the last that go on as evenly, in
    several pieces or between such: rules over sums part a table that has none at its ends."""
    own = {id(s) for row in rows for s in row}
    lines = rows_of(s for s in free if id(s) in own or (not s.vertical and sides[0] < s.x0 and s.x1 < sides[1]))
    inside = [at for at, line in enumerate(lines) if any(id(s) in own for s in line)]
    first, last = inside[0], inside[-1]
    usual = median([white_between(a, b) for a, b in pairwise(lines[first : last + 1])]) if last > first else 0.0
    for step in (-1, 1):
        at = reach = first if step < 0 else last
        while 0 <= at + step < len(lines):
            line, near = lines[at + step], lines[at]
            upper, lower = (line, near) if step < 0 else (near, line)
            far = max(_AS_NEAR * (near[0].y1 - near[0].y0), _AS_EVEN * usual)
            if white_between(upper, lower) > far or (len(line) == 1 and len(near) == 1):
                break
            at += step
            reach = at if len(line) > 1 else reach
        first, last = (reach, last) if step < 0 else (first, reach)
    return [*lines[first : inside[0]], *rows, *lines[inside[-1] + 1 : last + 1]]


def white_between(upper: Sequence[Segment], lower: Sequence[Segment]) -> float:
    """The white between two lines, in points; negative where they overlap."""
    return min(s.y0 for s in lower) - max(s.y1 for s in upper)


def off_edges(head: tuple[float, float], column: tuple[float, float]) -> float:
    """How many points a head is from beginning, ending or having its middle where its column does, whichever is least:
    a head is set to the left, to the right or centred over its column."""
    (x0, x1), (left, right) = head, column
    return min(abs(x0 - left), abs(x1 - right), abs(x0 + x1 - left - right) / 2)


def are_bracketed(lines: Iterable[list[Segment]]) -> bool:
    """Whether brackets of several lines' height stand among lines: those of a matrix, or of cases."""
    words = [word for line in lines for segment in line for word in segment.words]
    signs = [word for word in words if _BRACKET.match(word.text)]
    em = median(word.style.size for word in words) if signs else 0.0
    return any(word.y1 - word.y0 > _TALL_BRACKET * em for word in signs)


def is_contents(texts: list[list[str]]) -> bool:
    """Whether rows are numbered titles with their pages, or pages with their titles, in one list or several."""
    columns = [[text for text in column if text] for column in zip(*texts, strict=True)]
    pages = [are_pages(column) for column in columns]
    if all(pages[::2]) and not any(NUMERIC.match(text) for column in columns[1::2] for text in column):
        return True
    numbers = [number for number in map(_number_of, texts) if number]
    listed = len(set(numbers)) > len(texts) // 2 and all(map(_SECTION.fullmatch, numbers))
    return pages[-1] and len(texts[0]) > 2 and listed


def _number_of(row: list[str]) -> str:
    """The number of a title, where it stands in a cell of its own or before the title; none in a cell over both."""
    first, _, title = row[0].partition(" ")
    alone = not title or row[1]
    number = (row[0] if alone else first).rstrip(".")
    return number if row[1] or _SECTION.fullmatch(number) else ""


def are_pages(column: list[str]) -> bool:
    """Whether all cells are page numbers, Roman ones first, in order."""
    figures = [text for text in column if text.isdecimal()]
    roman = all(map(_ROMAN.fullmatch, column[: len(column) - len(figures)]))
    return bool(figures) and roman and sorted(figures, key=int) == figures == column[-len(figures) :]


def is_list(texts: list[list[str]]) -> bool:
    """Whether the first cells are signs or numbers of list items."""
    first = [row[0] for row in texts if all(row)]
    figures = [int(text[:9]) for text in first if text.isdecimal()]
    counted = sum(other == one + 1 or other == 1 for one, other in pairwise(figures)) * 2 >= len(figures) - 1
    numbers = [text for text in first if _NUMBERING.fullmatch(text) or (counted and text.isdecimal())]
    signs = [
        text for text in first if text == "o" or all(len(sign) == 1 and not sign.isalnum() for sign in text.split())
    ]
    marked = len(numbers) + len(signs)
    return marked >= _LISTED * len(first)


def as_lines(segments: Sequence[Sequence[Segment]]) -> tuple[str, ...]:
    """The lines of a table as they stand, white between words as spaces; those from right to left from the right."""
    level = [s for line in segments for s in line]
    if 2 * sum(s.rtl for s in level) > len(level):
        edge = max(s.x1 for s in level)
        words = [_from_right(line, edge) for line in segments]
    else:
        words = [sorted((w for s in line for w in s.words), key=lambda w: w.x0) for line in segments]
    left = min(line[0].x0 for line in words)
    lines: list[str] = []
    for line in words:
        text, end = "", left
        for word in line:
            em = max(word.style.size, 1.0)
            gap = word.x0 - end
            if text and word.joined and gap < _CHARACTER * em:
                text += word.text
            else:
                spaces = round(gap / em * _GAP_IN_LINE) if gap > em else int(bool(text))
                text += " " * spaces + word.text
            end = word.x1
        lines.append(text)
    return tuple(lines)


def _from_right(line: Sequence[Segment], edge: float) -> list[Word]:
    """The words of a line in the order they are read from the right `edge`, each where it stands from there."""
    ordered = sorted(line, key=lambda s: -s.x1)
    return [w._replace(x0=edge - w.x1, x1=edge - w.x0) for s in ordered for w in s.words]
