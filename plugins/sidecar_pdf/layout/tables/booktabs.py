"""Finds tables set between horizontal rules only, as the LaTeX package booktabs sets them: bands between stacked rules
of one extent, whose rows line up in columns (`aligned`)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from sidecar.api import Box
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.aligned import table_between_rules
from sidecar_pdf.layout.tables.borders.drawn_grid import merged_rules, positions
from sidecar_pdf.layout.tables.borders.filled import stripe_groups
from sidecar_pdf.layout.tables.ends import (
    IN_BAND_ACROSS,
    TOLERANCE,
    are_over,
    first_lines,
    heads_above,
    heads_over_pieces,
    instead_of_parts,
    is_caption,
    lines_of_heads,
    names_over,
    turned_text,
)
from sidecar_pdf.layout.tables.flaws.rows import flag_parts
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable, rows_beyond
from sidecar_pdf.layout.tables.known_flaws import SUSPECT
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment

# Points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_MIN_WIDTH, _MIN_RULE = 60.0, 30.0  # of a table, and of the rules of a group of its columns
_MIN_HEIGHT = 14.0  # of a table, between its rules
_MAX_ROW_GAP = 330.0  # between two rules of one table
_SAME_EXTENT = 5.0  # between the ends of rules of one table
_SAME_RULE = 1.5  # between the heights of one rule in two groups of columns
_GROUP_GAP = 16.0  # between the rules of two groups of columns
_WIDE_GAP = 80.0  # the same, of a table with other rules that run through: a column without a sum
_GROUP_OVERLAP = 1.0  # by which such rules may overlap
_BLANK = 10.0  # between two rules with nothing in between that part two tables
_BLEED = 3.0  # from the edge of the paper: a rule this near runs off it
_IN_TABLE = 4.0  # around a ruled table, whose rules are not looked at again
_MAX_HEADER = 60.0  # height of a header between two rules
# Counts and shares.
_PAIR, _TURNED_ROWS = 2, 3  # rows, or rules; level lines of a table with headers that run up: a plot has fewer
_MIN_OPEN, _MIN_NAMED = 5, 4  # lines of a table without a rule at its end; with names over its only rule
_BESIDE = 1.8  # heights of a line, in which the row above or below a filled one begins
_FAR = 3.0  # heights of the tallest filled row, or of a line, within which the next one begins
_SECOND_ROW, _EVEN = 2, 1.3  # line whose distance from the one above is usual; times that, to the next row at most
_MAX_RULES = 24  # of a band whose parts are looked at
_MAX_PART_RULES = 7  # of a part of a band
_SHARED_RULES, _SHARED_SHARE = 3, 0.7  # rules, and share of them, at one height in two groups of columns
_PROSE_WORDS, _PROSE_WIDTH = 8, 0.85  # words and share of the band's width of a line of running text
_PROSE_NAMES = 0.5  # of its words, at most, that are figures or begin with a capital letter

_NOTES = re.compile(r"(?:Notes?|Sources?|Anmerkung(?:en)?|Quellen?|Notas?|Fuentes?|Remarques?|Fonti?)\s?[:.：]\s")
"""How the notes of a table begin."""
_AT_END = 1.0  # between the left ends of rules and of running text
_TITLE_SIZE, _LIGHT_TITLE, _TITLE_WITHIN = 1.3, 1.5, 1.12  # times the usual size: in bold, in any weight, within rules
_BEARING = 0.15  # ems between the left end of rules and such a title
_APART = 1.2  # times the white between rows, over a line of one piece that is none
_PROSE_PART = 0.4  # share of the width of rules of a line of running text between two tables
_NEAR_RULE = 20.0  # from lines of text, beyond which a rule tells nothing of them

_Band = tuple[float, float, list[float]]
"""Left and right end of stacked rules, and their heights."""
_Tried = tuple[tuple[int, ...], tuple[float, ...], tuple[Rule, ...]]
"""The segments of lines, and the rules across and between them."""


def booktabs_tables(
    graphics: PageGraphics, tables: list[FoundTable], free: list[Segment], width: float
) -> list[FoundTable]:
    """The tables between horizontal rules on a page of `width` points, besides those already found, of `free` text."""
    found: list[FoundTable] = []
    suspect: list[FoundTable] = []
    text, striped, rules = FreeText(free), stripe_groups(graphics.fills), graphics.horizontal
    for band in _rule_bands(graphics, tables, free):
        if band[0][0] < _BLEED and band[0][2] > width - _BLEED:
            continue  # from edge to edge of the paper: a design, or parts of the page set apart
        stops = sorted({y for _, top, _, bottom in band for y in (top, bottom)})
        edges = _stripe_edges(striped, band[0][0], band[0][2])
        for at, box in enumerate(band):
            if any(table.overlaps(box) for table in found):
                continue
            table = _table_between(box, stops, text, rules, least_rows=3 if at else 2, edges=edges)
            later = next((y for y in stops if y > box[1]), box[3])
            if table is not None and later < box[3]:
                lower = _table_between((box[0], later, *box[2:]), stops, text, rules, least_rows=3, edges=edges)
                table = lower if lower is not None and _is_better(lower, table) else table
            if table is None:
                continue
            if table.score < SUSPECT and len(band) > at + 1:  # its parts may be tables of their own
                suspect.append(table)
                continue
            found.append(table)
            text = text.without(table)
    found, sums = instead_of_parts(found, suspect)
    for table in suspect:
        text = text.without(table) if any(table is whole for whole in found) else text
    for left, right, ys in _same_extent(graphics, [*tables, *found]):
        edges = _stripe_edges(striped, left, right)
        heads = names_over((ys[0], left, right), text.segments) if len(ys) < _PAIR else []
        top = min([s.y0 for s in heads] or ys[-_PAIR:])
        header, least = (left, top, right, ys[-1]), _MIN_NAMED if heads else _MIN_OPEN
        table = _open_table(header, text, rules, edges, least) if heads or len(ys) > 1 else None
        if table is not None and right - left >= _MIN_WIDTH and not (heads and not are_over(heads, table)):
            found.append(table)
            text = text.without(table)
    flag_parts([table for table in found if all(table is not part for part in sums)])
    return found


def _stripe_edges(striped: list[list[Box]], left: float, right: float) -> list[float]:
    """The edges of the filled rows that reach from one end of rules to the other."""
    own = (box for stripes in striped if _are_ends_near((left, right, []), *stripes[0][::2]) for box in stripes)
    return [y for box in own for y in box[1::2]]


def _open_table(
    header: Box, text: FreeText, rules: list[Rule], edges: Sequence[float], least: int
) -> FoundTable | None:
    """A table that goes on overleaf: a header between two rules, and rows under it without a rule at their end, with it
    `least` lines. `edges` are those of filled rows."""
    left, top, right, bottom = header
    if bottom - top > _MAX_HEADER:
        return None
    lines = rows_of(
        s for s in text.segments
        if not s.vertical and left - IN_BAND_ACROSS <= (s.x0 + s.x1) / 2 <= right + IN_BAND_ACROSS and s.y1 > top
    )  # fmt: skip
    ends, usual, apart = [bottom], 0.0, False
    for at, line in enumerate(lines):
        gap = min(s.y0 for s in line) - ends[-1]
        second = at == _SECOND_ROW or (at > _SECOND_ROW and usual < 0)  # the first lines may be of one row
        usual = gap if second and gap < _FAR * (line[0].y1 - line[0].y0) else usual
        near = max(_BESIDE * (line[0].y1 - line[0].y0), _EVEN * usual)
        if gap > near or _is_prose_line(line, right - left):
            break
        ends.append(max(ends[-1], *(s.y1 for s in line)))
        apart = len(line) == 1 and 0 < usual * _APART < gap
    last = ends[-2 if apart and len(ends) - 2 >= least else -1]  # without text under it no wider than a cell
    return _table_between((left, top, right, last), [top, bottom, last], text, rules, least_rows=least, edges=edges)


def _is_better(lower: FoundTable, table: FoundTable) -> bool:
    """Whether a table is one only without what stands over its first rule, which hides columns: a table of its own."""
    return len(lower.rows[0]) > len(table.rows[0]) and lower.filled() >= table.filled()


def _table_between(
    box: Box, stops: list[float], text: FreeText, rules: list[Rule], *, least_rows: int, edges: Sequence[float] = ()
) -> FoundTable | None:
    """The text in the box as a table; `stops` are the heights of rules in and around it, `rules` all of the page, and
    `edges` those of filled rows."""
    x0, y0, x1, y1 = box
    rows = text.inside(box)
    turned = turned_text(text.turned, box)
    if rows and _are_notes(rows[-1]):
        rows = rows[:-1]
        y1 = max((s.y1 for row in rows[-1:] for s in row), default=y1)
    if len(rows) < (_TURNED_ROWS if turned else least_rows):
        return None
    divided = any(y0 + TOLERANCE < y < y1 - TOLERANCE for y in stops)
    if divided and (_has_title(rows) or any(_is_prose_line(row, x1 - x0) or is_caption(row) for row in rows)):
        return None  # text between two tables of one width
    stops = positions([*stops, *edges]) if edges else stops
    figured = not turned and any(NUMERIC.match(s.text) for row in rows for s in row)
    groups = heads_over_pieces(box, rules, text.segments) if figured else []
    heads = [] if turned or groups else heads_above(box, rows, text.segments)
    near = [rule for rule in rules if y0 < rule[0] < y1]
    if groups:
        near = [rule for rule in rules if y0 - TOLERANCE < rule[0] < y1]
        named = 1 + lines_of_heads(rows, [y for y in stops if y0 + TOLERANCE < y < y1 - TOLERANCE])
        table = table_between_rules([groups, *rows], [y0, *stops], near, named=named)
    else:
        table = table_between_rules([*heads, *rows], [y0, *stops], near, named=len(heads)) if heads else None
    table = table or text.table(rows, stops, near, turned)
    if table is not None and not turned:
        beyond = rows_beyond(rows, text.segments, (x0 - IN_BAND_ACROSS, x1 + IN_BAND_ACROSS))
        if sum(y0 - TOLERANCE < y < y1 + TOLERANCE for y in stops) > len(rows):  # each row is ruled off
            beyond = [line for line in beyond if (line[0].y0 + line[0].y1) / 2 < y1]
        over = first_lines(beyond[0], text.segments) if beyond and beyond[0] is not rows[0] else []
        longer = text.table([*over, *beyond], stops, near, []) if len(beyond) > len(rows) else None
        usual = longer is not None and len(longer.rows[0]) >= len(table.rows[0])
        table = longer if longer is not None and usual and longer.score >= SUSPECT else table
    if table is not None:
        table.x0, table.y0 = min(x0, table.x0), min(y0, table.y0)
        table.x1, table.y1 = max(x1, table.x1), max(y1, table.y1)
        table.ruled = True
    return table


def _are_notes(row: list[Segment]) -> bool:
    """Whether a row is a line of notes, over the last rule of a table."""
    return len(row) == 1 and _NOTES.match(row[0].text) is not None


def _has_title(rows: list[list[Segment]]) -> bool:
    """Whether a row behind the first, or one of two, is a line of one piece in bold, larger than most of the rows."""
    lines = (row[0].style for row in rows[len(rows) > _PAIR :] if len(row) == 1)
    largest = max((style.size for style in lines if style.bold), default=0.0)
    return largest > 0 and largest > _TITLE_WITHIN * median(s.style.size for row in rows for s in row)


def _is_prose_line(row: list[Segment], width: float) -> bool:
    """Whether a row is a line of running text as wide as the table would be: hardly half of its words are figures
    or begin with a capital letter, as the names of columns do."""
    if len(row) > 1 or len(row[0].words) < _PROSE_WORDS or row[0].x1 - row[0].x0 <= _PROSE_WIDTH * width:
        return False
    named = sum(w.text[0].isupper() or NUMERIC.match(w.text) is not None for w in row[0].words)
    return named <= _PROSE_NAMES * len(row[0].words)


def _rule_bands(graphics: PageGraphics, tables: list[FoundTable], segments: Sequence[Segment]) -> list[list[Box]]:
    """Areas between stacked horizontal rules of one extent, with no vertical rule. Each comes with its parts between
    some of the rules, the tallest first: rules may part sections of a page as well."""
    bands = _same_extent(graphics, tables)
    middles = [((s.x0 + s.x1) / 2, (s.y0 + s.y1) / 2) for s in segments] if bands else []
    parts = [
        (left, right, part) for left, right, ys in _narrow_first(_joined_groups(bands))
        for part in _split_at_blanks(
            positions(ys),
            sorted(y for x, y in middles if left <= x <= right),
            _text_between(segments, left, right, ys) if len(ys) > _SHARED_RULES else [],
        )
    ]  # fmt: skip
    found: list[list[Box]] = []
    for left, right, stops in parts:
        if len(stops) < 2 or stops[-1] - stops[0] <= _MIN_HEIGHT:
            continue
        near = stops if len(stops) <= _MAX_RULES else []
        spans = [
            (a, b) for at, a in enumerate(near) for b in near[at + 1 : at + _MAX_PART_RULES] if b - a > _MIN_HEIGHT
        ]
        if len(stops) > _MAX_PART_RULES:  # one tall table, or several of one width below each other
            spans.append((stops[0], stops[-1]))
        spans.sort(key=lambda span: span[0] - span[1])
        found.append([(left, a, right, b) for a, b in spans])
    return found


def _narrow_first(bands: list[_Band]) -> list[_Band]:
    """The bands, those last that are rules of the page around others with more rules: a table beside its notes."""

    def is_around(band: _Band) -> bool:
        return any(
            band[0] <= left and right <= band[1] and (band[0] < left or right < band[1])
            and len(band[2]) < len(ys) and band[2][0] < ys[-1] and ys[0] < band[2][-1]
            for left, right, ys in bands
        )  # fmt: skip

    return sorted(bands, key=is_around)


def _same_extent(graphics: PageGraphics, tables: list[FoundTable]) -> list[_Band]:
    """Horizontal rules outside the tables, those of one extent together."""
    bands: list[_Band] = []
    for y, left, right in sorted(merged_rules(graphics.horizontal)):
        if right - left < _MIN_RULE or any(
            t.x0 - _IN_TABLE <= left and right <= t.x1 + _IN_TABLE and t.y0 - _IN_TABLE <= y <= t.y1 + _IN_TABLE
            for t in tables
        ):
            continue
        near = [band for band in bands if y - band[2][-1] < _MAX_ROW_GAP]
        same = next((b for b in near if _are_ends_near(b, left, right)), None)
        for band in near:  # the last rule of a table may run on into the margin
            over = left < band[0] + _SAME_EXTENT and right > band[1] - _SAME_EXTENT
            over = over and min(abs(left - band[0]), abs(right - band[1])) < _SAME_EXTENT  # else another table's
            if band is not same and over and len(band[2]) > 1 and (same is None or len(same[2]) == 1):
                band[2].append(y)
        if same is not None:
            same[2].append(y)
        else:
            bands.append((left, right, [y]))
    return bands


def _are_ends_near(band: _Band, left: float, right: float) -> bool:
    return abs(band[0] - left) < _SAME_EXTENT and abs(band[1] - right) < _SAME_EXTENT


def _split_at_blanks(stops: list[float], texts: list[float], prose: list[float]) -> list[list[float]]:
    """Rules parted where nothing stands between two of them: the foot of one table and the head of the next. `texts`
    are the heights text stands at, `prose` those of running text, which parts tables as well."""
    parts: list[list[float]] = [[]]
    for at, stop in enumerate(stops):
        parts[-1].append(stop)
        below = stops[at + 1] if at + 1 < len(stops) else stop
        blank = below - stop > _BLANK and bisect_right(texts, stop) == bisect_right(texts, below)
        blank = blank or bisect_right(prose, stop) < bisect_right(prose, below)
        if blank and len(parts[-1]) > 1 and at + 2 < len(stops):
            parts.append([])
    return parts


def _joined_groups(bands: list[_Band]) -> list[_Band]:
    """The bands with those side by side made one whose rules stand at the same heights: the rules of one table, broken
    between groups of its columns."""
    joined: list[_Band] = []
    for band in sorted(bands, key=lambda band: (band[0], band[1])):
        for at, (left, right, ys) in enumerate(joined):
            across = any(_are_ends_near(other, left, band[1]) for other in bands)  # other rules run through
            if not -_GROUP_OVERLAP <= band[0] - right < (_WIDE_GAP if across else _GROUP_GAP):
                continue
            shared = sum(any(abs(y - other) < _SAME_RULE for other in ys) for y in band[2])
            if shared >= _SHARED_RULES and shared >= _SHARED_SHARE * max(len(ys), len(band[2])):
                joined[at] = (left, band[1], positions([*ys, *band[2]]))
                break
        else:
            joined.append(band)
    whole: list[_Band] = []
    for left, right, ys in joined:
        same = next((b for b in whole if _are_ends_near(b, left, right)), None)
        if same and min(ys[-1], same[2][-1]) > max(ys[0], same[2][0]):
            same[2][:] = positions([*same[2], *ys])
        elif right - left >= _MIN_WIDTH:
            whole.append((left, right, ys))
    return whole


class FreeText:
    """The text of a page that is in no table yet, by height: hundreds of boxes are tried on a form. `tried` keeps what
    was made of the same lines between the same rules."""

    def __init__(self, segments: list[Segment], tried: dict[_Tried, FoundTable | None] | None = None) -> None:
        self.segments, self._tried = segments, {} if tried is None else tried
        self.turned = [s for s in segments if s.vertical]
        self._level = sorted((s for s in segments if not s.vertical), key=_middle)
        self._middles = [*map(_middle, self._level)]

    def without(self, table: FoundTable) -> FreeText:
        """The text but for that of a table."""
        taken = set(map(id, table.segments))
        return FreeText([segment for segment in self.segments if id(segment) not in taken], self._tried)

    def inside(self, box: Box) -> list[list[Segment]]:
        """The level lines whose middle is in a box."""
        left, right = box[0] - IN_BAND_ACROSS, box[2] + IN_BAND_ACROSS
        first = bisect_left(self._middles, box[1] - TOLERANCE)
        last = bisect_right(self._middles, box[3] + TOLERANCE)
        return rows_of(s for s in self._level[first:last] if left <= (s.x0 + s.x1) / 2 <= right)

    def table(
        self, lines: list[list[Segment]], stops: list[float], rules: list[Rule], turned: list[Segment]
    ) -> FoundTable | None:
        """As `table_between_rules`; of the rules, only those tell anything that are near heads: over the first stop."""
        top, bottom = min(s.y0 for s in lines[0]), max(s.y1 for s in lines[-1])
        end = bottom if turned else next((y for y in stops if y > top), top)
        near = tuple(rule for rule in rules if top - _NEAR_RULE < rule[0] < end + _NEAR_RULE)
        key = tuple(id(s) for line in (*lines, turned) for s in line), tuple(y for y in stops if top < y < bottom), near
        if key not in self._tried:
            self._tried[key] = table_between_rules(lines, stops, near, turned)
        table = self._tried[key]
        return replace(table) if table is not None else None


def _middle(segment: Segment) -> float:
    return (segment.y0 + segment.y1) / 2


def _text_between(segments: Sequence[Segment], left: float, right: float, ys: list[float]) -> list[float]:
    """The heights of what stands between tables of one extent: running text, large titles, and lines of one piece over
    a rule under which the heads of the first table are said again."""
    level = [s for s in segments if not s.vertical and s.x1 > left and s.x0 < right and s.y1 > ys[0]]
    rows = rows_of(level) if len(ys) >= 2 * _SHARED_RULES else []
    middles = [_middle(row[0]) for row in rows]
    first = [bisect_right(middles, y) for y in ys]
    heads = [[s.text for s in rows[at]] if at < len(rows) else [] for at in first]
    titles = [
        middles[end - 1] for start, end, head in zip(first, first[1:], heads[1:], strict=False)
        if end - start == 1 == len(rows[start]) and head == heads[0] and len(" ".join(head).split()) > 1
    ]  # fmt: skip
    return sorted([*prose_at(segments, left, right), *titles])


def prose_at(segments: Sequence[Segment], left: float, right: float) -> list[float]:
    """The heights of running text and large titles between two tables of one extent: alone on their lines, they begin
    where rules do."""
    usual = median(s.style.size for s in segments) if segments else 0.0
    wide = [
        s for s in segments
        if (
            s.style.size >= (_TITLE_SIZE if s.style.bold else _LIGHT_TITLE) * usual
            and abs(s.x0 - left) < _BEARING * s.style.size
        )
        or (
            abs(s.x0 - left) < _AT_END and len(s.words) >= _PROSE_WORDS and s.x1 - s.x0 > _PROSE_PART * (right - left)
            and 2 * sum(w.text.islower() for w in s.words) > len(s.words)
        )
    ]  # fmt: skip
    return sorted(
        (s.y0 + s.y1) / 2 for s in wide
        if not any(o is not s and o.y0 < (s.y0 + s.y1) / 2 < o.y1 and left < o.x1 and o.x0 < right for o in segments)
    )  # fmt: skip
