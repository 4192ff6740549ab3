"""Tells running heads and feet from text: what stands at the same place at the edge of several pages, digits aside."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from statistics import median

from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.pdfium.geometry import is_slide
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment

# Shares. Chosen on the corpus.
_BAND, _TALL_BAND = 0.13, 0.17  # of the height of pages, and of those higher than wide, where running content stands
_OUTERMOST = 0.08  # of the page height, where a page number at the end of a line needs no second page
_FOLIO_BAND = 0.22  # of the height, in which the lowest line of pages is their number where it stands so on several
_SAME_PLACE = 0.6  # of the pages whose first row stands at one place in one type
_REPEATED_PLACE = 0.3  # of the pages, where a row repeats at that place: titles of parts do so that change now and then
_SLIDES_SHARE = 0.5  # of the slides, from which on one title is their running head
_TYPEWRITTEN = 0.9  # of the pieces of a typewritten page, in typewriter type
_FOLIO_SHARE = 0.4  # of the pages that have their number at one height: what stands there instead is not text either
# Counts.
_ROWS = 4  # of running content at head or foot
_LONG_PIECE = 16  # characters of a piece of a row that repeats beside others
_MAX_CHARS = 160  # of a running row
_FEW_PAGES, _REPEATS, _FEW_REPEATS = 4, 3, 2  # pages a row repeats on, in a document and in one of few pages
_PLACED_PAGES, _PLACED_WORDS = 5, 14  # pages by which a place tells, and words of a row told by it
_MAX_WORDS = 80  # of the innermost running row
_SLOTS, _BASELINE_SLOTS, _SIZE_SLOTS = 200, 400, 2  # a page height; a page height; a point: what one place is
# Ems and points.
_APART, _MIN_SIZE = 0.55, 4.0  # ems of white space between running content and text; least type size
_FOLIO_GAP, _FOLIO_FAR = 1.0, 6.0  # ems between a running head and its page number at the right end, and at the left
_PIECE_GAP, _TYPED_GAP, _HEADER_GAP = (
    0.5,
    1.0,
    2.5,
)  # ems between the cells of a row, and of a typewritten one; from a repeated header down to the row below it
_COLUMNS, _OVER_COLUMNS = 3, 0.6  # of a table whose header repeats; share of its headers that stand over columns
_HEAD_LETTERS, _FOLIO_DIGITS = 5, 3  # of a running head, and of the page number beside it; four are a year
_NEAR_ROWS = 3  # rows next to a row that may tell the columns: one of them may lack a cell
_HEAD_EDGE = 4.0  # points between the left edges of the name of a column and of a cell under it
_CELL_HEIGHT = 80.0  # points of a rule beside a single cell
_TITLE_SIZE = 1.25  # times the size of most of the page
_OPEN = 99.0  # points of white space where there is no text
_FOLIO = re.compile(
    r"[\s\-–—|]*(?:\d{1,4}|(?:page|seite|pagina|página|pág\.?|стр\.?|p\.)\s*\d+(?:\s*(?:of|von|de|sur|di|van|из|/)\s*\d+)?"
    r"|\d{1,4}\s*(?:of|/)\s*\d{1,4})[\s\-–—|]*", re.IGNORECASE,
)  # fmt: skip
"""A page number by itself, which needs no second page to be known for one."""
_ENDS_IN_FOLIO = re.compile(
    r"^\d{1,4}\s*[|•·]\s|\s[|•·]\s*\d{1,4}$|\s\d{1,3}\s?/\s?\d{1,3}$"
    r"|\b(?:page|seite|pagina|página)\s*\d+(?:\s*(?:of|von|de|sur|di|van|/)\s*\d+)?$", re.IGNORECASE,
)  # fmt: skip
"""A line at whose end, or start, a page number is parted off."""
_MOMENT = r"\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}[:.]\d\d(?:\s?[AP]M)?"
_PRINTED = re.compile(rf"^{_MOMENT}(?!\S)|(?<!\S){_MOMENT}$")
"""When a browser printed a page, at the beginning of its head or the end of its foot."""
_BRACKETS = "()[]{}<>,; *"
"""What a line of code may consist of that only closes what others open, and the mark of one in bold."""
_SECTION = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)+\.?\s+\S")
"""Opens the title of a part of a part."""
_NUMBER = re.compile(r"(?:\d+|[A-Z])(?:\.\d+)+\.?")
"""The number of one."""
_CONTENTS = re.compile(r"(?<![.·…])(?<![.·…] )(?:[.·…] ?){4,}\s?(?:\d{1,4}|[ivxlc]{1,6})$", re.IGNORECASE)
"""Ends a line of a list of contents, which is not a running head."""
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")

Rows = list[list[Segment]]
_Place = tuple[int, int, str, bool]
"""Where a row stands and in what type: slot of its foot, size in half points, font; whether at the head."""


class RunningContent:
    """What has been seen at the edges of the pages so far. `learn` some pages, then `split` each of them."""

    def __init__(self) -> None:
        self._texts: Counter[tuple[str, int, bool]] = Counter()
        self._exact: Counter[str] = Counter()
        """Pages with a row of one piece that holds a number, as it is written."""
        self._places: Counter[_Place] = Counter()
        self._at_place: Counter[tuple[_Place, str]] = Counter()
        self._usual: dict[_Place, str] = {}
        """The row that stands most often at a place."""
        self._folios: Counter[tuple[int, bool]] = Counter()
        self._openers: set[str] = set()
        """First words of the pieces of rows at edges."""
        self._further_in: Counter[str] = Counter()
        """Pages on which a line that has stood at an edge stands between the edges."""
        self._sections: Counter[tuple[str, float]] = Counter()
        """Titles of parts of parts, in bold, between the edges of pages, by their type."""
        self._pages = 0

    def learn(self, segments: list[Segment], width: float, height: float) -> None:
        """Remembers the edge rows of one page."""
        self._pages += 1
        at_edge: set[int] = set()
        for top in (True, False):
            rows = _edge(segments, width, height, top=top)
            at_edge.update(id(segment) for row in rows for segment in row)
            self._openers.update(segment.words[0].text for row in rows for segment in row)
            folds = [_fold(row) for row in rows]
            texts = {(text, _slot(row, height)) for text, row in zip(folds, rows, strict=True)}
            if rows:
                texts.update((text, _slot(rows[0], height)) for text in _long_pieces(rows[0]))
            self._exact.update(
                {
                    _text(row)
                    for text, row in zip(folds, rows, strict=True)
                    if "#" in text and (len(row) == 1 or _is_section(row))
                }
            )
            for text, slot in texts:
                for near in (slot, slot + 1):  # two slots a row, so that a rounding border does not part equals
                    self._texts[text, near, top] += 1
            if rows and _apart(rows[:1], segments, top=top, most=_PLACED_WORDS):
                place = self._place(rows[0], height, top=top)
                self._places[place] += 1
                self._at_place[place, folds[0]] += 1
                if self._at_place[place, folds[0]] > self._at_place[place, self._usual.get(place, "")]:
                    self._usual[place] = folds[0]
                self._folios[_baseline(rows[0], height), top] += _FOLIO.fullmatch(rows[0][0].text) is not None
        self._sections.update(_type(s) for s in segments if _is_section([s]) and id(s) not in at_edge)
        known = [s for s in segments if s.words[0].text in self._openers and id(s) not in at_edge]
        self._further_in.update({_fold([s]) for s in known if not s.vertical and not s.hidden})

    def split(
        self, segments: list[Segment], width: float, height: float, vertical: Sequence[Rule]
    ) -> tuple[Rows, Rows]:
        """The running rows at the top and at the bottom of a page that was learnt. What `vertical` rules part, or what
        stands over columns, is the repeated header of a table and no running head."""
        head, foot = (self._running(segments, width, height, top=top) for top in (True, False))
        for at, row in enumerate(head):
            if _has_folio(row):
                continue
            if _is_ruled(row, vertical, segments) or _is_in_columns(row, segments, below=True):
                head = head[:at]
                break
        while foot and (_is_ruled(foot[0], vertical, segments) or _is_in_columns(foot[0], segments, below=False)):
            foot = foot[1:]
        return head, foot

    def _running(self, segments: list[Segment], width: float, height: float, *, top: bool) -> Rows:
        rows = _edge(segments, width, height, top=top)
        rows = [*takewhile(lambda row: _CONTENTS.search(_text(row)) is None, rows)]
        high = bool(rows) and not top and _is_above_margin(rows[0], width, height)
        least = _FEW_REPEATS if self._pages <= _FEW_PAGES and not high else _REPEATS
        last = 0
        for at, row in enumerate(rows):
            text, slot = _fold(row), _slot(row, height)
            within = {text: min(self._further_in[_fold([s])] for s in row)}
            within |= {} if at else {piece: self._further_in[piece] for piece in _long_pieces(row)}
            seen, shown = max((self._texts[one, near, top], one) for one in within for near in (slot, slot + 1))
            if self._is_title(row, segments, first=not at, seen=seen >= least):
                break
            on_slide = at == 0 and top and is_slide(width, height)
            if on_slide and _is_large(row, segments) and seen < _SLIDES_SHARE * self._pages:
                break  # the title of a few slides in turn
            if within[shown] > seen and within[shown] >= least:
                break  # a line of the text, or the row of a list, which repeats everywhere
            own = text.strip(_BRACKETS)  # what closes a bracket ends what stands before it
            if seen >= least and own and len(text) <= _MAX_CHARS and _apart(rows[: at + 1], segments, top=top):
                last = at + 1
            elif sum(len(s.words) for s in row) > _PLACED_WORDS:
                break  # a line of text, over the last word of a paragraph that repeats
        if not last and rows and not high and not self._is_one_of_sections(rows[0]):
            last = int(self._is_told_by_place(rows, segments, height, top=top))
        taken = rows[:last]
        return taken if top else taken[::-1]

    def _is_told_by_place(self, rows: Rows, segments: list[Segment], height: float, *, top: bool) -> bool:
        """Whether the outermost row is running content though it does not repeat: the number of a page, or what stands
        where other pages have theirs."""
        row = rows[0]
        repeated = self._folios[_baseline(row, height), top] >= _FEW_REPEATS
        if _FOLIO.fullmatch(row[0].text) and len(row) == 1 and (repeated or _apart(rows[:1], segments, top=top)):
            return True
        placed = _has_folio(row) or _is_outermost(row, height, top=top)
        if self._pages >= _PLACED_PAGES and not (_is_large(row, segments) or _is_typed_apart(row, segments)):
            place = self._place(row, height, top=top)
            usual = self._usual.get(place, "")
            repeats = self._at_place[place, usual]
            told = repeats >= max(_REPEATS, self._further_in[usual])  # else it is a line of the text
            share = _REPEATED_PLACE if told else _SAME_PLACE
            placed = placed or self._places[place] >= share * self._pages
        placed = placed or self._folios[_baseline(row, height), top] >= max(_FOLIO_SHARE * self._pages, 2)
        return placed and _apart(rows[:1], segments, top=top, most=_PLACED_WORDS)

    def _is_title(self, row: list[Segment], segments: list[Segment], *, first: bool, seen: bool) -> bool:
        """Whether a row at the edge is a title: one that counts on ("Problem 3", "4.2.1 Synopsis"), where each page
        begins with one or others in its type stand on pages, or large type that does not repeat, among rows that do."""
        if _is_large(row, segments) and not seen:
            return True
        if self._exact[_text(row)] != 1 or (_is_folio(row[0]) and len(row) == 1):
            return False
        return (not first and _is_section(row)) or self._is_one_of_sections(row) or _is_large(row, segments)

    def _is_one_of_sections(self, row: list[Segment]) -> bool:
        """Whether a row is the title of a part of a part in the type of others that stand on pages."""
        if not _is_section(row):
            return False
        return self._exact[_text(row)] == 1 and self._sections[_type(row[0])] >= _REPEATS

    @staticmethod
    def _place(row: list[Segment], height: float, *, top: bool) -> _Place:
        style = row[0].style
        return _baseline(row, height), round(style.size * _SIZE_SLOTS), style.font, top


def _is_section(row: list[Segment]) -> bool:
    """Whether a line is the title of a part of a part, in bold, its number perhaps a piece of its own."""
    numbered = len(row) == 1 or (len(row) == 2 and _NUMBER.fullmatch(min(row, key=lambda s: s.x0).text) is not None)
    return numbered and all(s.style.bold for s in row) and _SECTION.match(_text(row)) is not None


def _type(segment: Segment) -> tuple[str, float]:
    return segment.style.font, round(segment.style.size, 1)


def _is_large(row: list[Segment], segments: list[Segment]) -> bool:
    """Whether a row is set larger than most of the page, as titles are, which may stand at one place too."""
    return row[0].style.size > _TITLE_SIZE * median(s.style.size for s in segments)


def _is_typed_apart(row: list[Segment], segments: list[Segment]) -> bool:
    """Whether a row is of a listing: in typewriter type, on a page that is not typewritten."""
    return row[0].style.mono and sum(s.style.mono for s in segments) < _TYPEWRITTEN * len(segments)


def _baseline(row: list[Segment], height: float) -> int:
    return round(row[0].y1 / max(height, 1.0) * _BASELINE_SLOTS)


def _has_folio(row: list[Segment]) -> bool:
    """Whether a line of two pieces is a running head beside its page number: at the right end, or far to its left,
    where the number of a heading does not stand."""
    if len(row) != 2:
        return False
    left, right = sorted(row, key=lambda s: s.x0)
    gap = (right.x0 - left.x1) / max(left.style.size, _MIN_SIZE)
    for folio, head, least in ((right, left, _FOLIO_GAP), (left, right, _FOLIO_FAR)):
        if folio.text.isdecimal() and len(folio.text) <= _FOLIO_DIGITS and gap >= least:
            return sum(map(str.isalpha, head.text)) >= _HEAD_LETTERS and not head.style.bold
    return False


def _is_outermost(row: list[Segment], height: float, *, top: bool) -> bool:
    """Whether a line in plain type right at the edge of the page has a page number, or when it was printed, parted off
    at an end of it."""
    outside = row[0].y1 <= _OUTERMOST * height if top else row[0].y0 >= (1 - _OUTERMOST) * height
    if not outside or row[0].style.bold:
        return False
    return _ENDS_IN_FOLIO.search(_text(row)) is not None or _PRINTED.search(_text(row)) is not None


def _is_folio(segment: Segment) -> bool:
    return bool(_FOLIO.fullmatch(segment.text) or _ENDS_IN_FOLIO.search(segment.text))


def _edge(segments: list[Segment], width: float, height: float, *, top: bool) -> Rows:
    """The outermost rows of the page that lie in the band, outermost first; where there are none at the foot, what may
    be the number of the page: alone, or on pages wider than high at the end of a line; or what may repeat above a wide
    margin."""
    band = (_TALL_BAND if width < height else _BAND) * height
    limit = band if top else height - band
    edge = [s for s in segments if not s.vertical and not s.hidden and (s.y1 <= limit if top else s.y0 >= limit)]
    rows = rows_of(edge)
    if not top:
        rows.reverse()
    return rows[:_ROWS] if rows or top else _lowest(segments, width, height)


def _lowest(segments: list[Segment], width: float, height: float) -> Rows:
    """The lowest row of a page, where it holds what may be the page's number, or few words, which may repeat."""
    level = [s for s in segments if not s.vertical and not s.hidden]
    lowest = max(level, key=lambda s: s.y1, default=None)
    if lowest is None:
        return []
    row = [s for s in level if s.y1 > lowest.y0 + lowest.style.size / 2]
    if width < height:
        few = _FOLIO.fullmatch(lowest.text) or sum(len(s.words) for s in row) <= _PLACED_WORDS
        return [row] if lowest.y0 > (1 - _FOLIO_BAND) * height and few else []
    numbered = len(row) > 1 and _ENDS_IN_FOLIO.search(_text(row)) is not None
    return [row] if numbered and lowest.y0 > (1 - _TALL_BAND) * height else []


def _is_above_margin(row: list[Segment], width: float, height: float) -> bool:
    """Whether the lowest row of a page stands where but its repetition tells that it is not text."""
    return width < height and row[0].y0 < (1 - _TALL_BAND) * height and _FOLIO.fullmatch(row[0].text) is None


def _is_ruled(row: list[Segment], vertical: Sequence[Rule], segments: list[Segment]) -> bool:
    """Whether a vertical rule parts the pieces of a row, or the row from another line of the cell beside it."""
    left, right = min(s.x0 for s in row), max(s.x1 for s in row)
    middle = (row[0].y0 + row[0].y1) / 2
    near = [rule for rule in vertical if rule[1] < middle < rule[2]]
    if any(left < x < right for x, _, _ in near):
        return True
    cells = [rule for rule in near if rule[2] - rule[1] < _CELL_HEIGHT]
    return any(
        y0 < (s.y0 + s.y1) / 2 < y1 and (right <= x < s.x0 or s.x1 < x <= left) for x, y0, y1 in cells for s in segments
    )


def _is_in_columns(row: list[Segment], segments: list[Segment], *, below: bool) -> bool:
    """Whether each piece of a row stands over a piece of the row below it, as headers do over their columns, or under
    one of the row above it, as the last row of a table does; or several pieces in bold, over those that begin where
    they do."""
    pieces = _pieces(row)
    em = max(row[0].style.size, _MIN_SIZE)
    named = below and len(pieces) > 1 and all(s.style.bold for s in row)
    if len(pieces) < _COLUMNS and not named:
        return False
    top, bottom = min(s.y0 for s in row), max(s.y1 for s in row)
    level = [s for s in segments if not s.vertical and not s.hidden]
    near = [s for s in level if -1 < (s.y0 - bottom if below else top - s.y1) < _NEAR_ROWS * _HEADER_GAP * em]
    rows = rows_of(near)
    if not rows or (rows[0][0].y0 - bottom if below else top - rows[-1][0].y1) > _HEADER_GAP * em:
        return False
    for other in map(_pieces, rows[:_NEAR_ROWS] if below else rows[-_NEAR_ROWS:]):
        shared = sum(any(min(a[1], b[1]) > max(a[0], b[0]) for b in other) for a in pieces)
        if len(other) >= _COLUMNS <= len(pieces) and shared >= _OVER_COLUMNS * len(pieces):
            return True
        if named and len(other) > 1 and all(any(abs(a[0] - b[0]) < _HEAD_EDGE for b in pieces) for a in other):
            return True
    return False


def _pieces(row: list[Segment]) -> list[tuple[float, float]]:
    """Where the words of a row stand that are parted by more than a word space."""
    pieces: list[tuple[float, float]] = []
    for word in sorted((word for segment in row for word in segment.words), key=lambda word: word.x0):
        gap = _TYPED_GAP if word.style.mono else _PIECE_GAP
        if pieces and word.x0 - pieces[-1][1] < gap * max(word.style.size, _MIN_SIZE):
            pieces[-1] = (pieces[-1][0], max(pieces[-1][1], word.x1))
        else:
            pieces.append((word.x0, word.x1))
    return pieces


def _fold(row: list[Segment]) -> str:
    """What a row repeats as; a bold title is another than the running head that repeats its words."""
    return _DIGITS.sub("#", _text(row).casefold()).strip() + ("*" if row[0].style.bold else "")


def _text(row: list[Segment]) -> str:
    return " ".join(s.text for s in sorted(row, key=lambda s: s.x0))


def _long_pieces(row: list[Segment]) -> list[str]:
    """What the longer pieces of a row repeat as: left and right pages show one of them at either end."""
    return [_fold([segment]) for segment in row if len(segment.text) >= _LONG_PIECE] if len(row) > 1 else []


def _slot(row: list[Segment], height: float) -> int:
    return int(min(s.y0 for s in row) / max(height, 1.0) * _SLOTS)


def _apart(rows: Rows, segments: list[Segment], *, top: bool, most: int = _MAX_WORDS) -> bool:
    """Whether white space sets the rows apart from the text further in; lines of the text itself may repeat too, on
    forms for instance. `most` bounds the words of the innermost row."""
    ids = {id(segment) for row in rows for segment in row}
    row = rows[-1]
    y0, y1 = min(s.y0 for s in row), max(s.y1 for s in row)
    rest = [s for s in segments if id(s) not in ids and not s.vertical and not s.hidden]
    further = [s.y0 - y1 if top else y0 - s.y1 for s in rest]
    gap = min(further) if further else _OPEN
    return gap > _APART * max(row[0].style.size, _MIN_SIZE) and sum(len(s.words) for s in row) <= most
