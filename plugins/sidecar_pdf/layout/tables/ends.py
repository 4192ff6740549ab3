"""The first and last lines of tables: titles that are not a row, names of columns in two lines of which the first has
few, and sums that stand under a table, before their figures, wherever its rules end; and what heads over rows of marks
tell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from sidecar.api import Box, Merge
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.columns.told import parted
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable, off_edges, white_between
from sidecar_pdf.layout.tables.known_flaws import SUSPECT
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, has_letters

# Points.
_SAME_END = 1.5  # between the right ends of a sum and of the figures over it
_SAME_EDGE = 2.0  # between the edges of two lines of one head
IN_BAND_ACROSS, TOLERANCE = 6.0, 2.0
"""Points around a band between rules across and down, in which the middle of its text is."""
_APART = 0.8  # between two pieces of a rule under heads of groups
# Heights of a line.
_HEAD_ABOVE = 2.0  # within which the names of columns stand over the first rule
_BOLD_ABOVE = 3.0  # the same in bold, one over each cell of a row that is not
_OVER_PIECE = 1.2  # within which these stand over it
_HEAD_LEADING = 0.6  # of white, at most, between two lines of one head
_SUM_LEADING = 1.6  # of white, at most, over a sum
# Counts and shares.
_SUMMED = 0.5  # rows with a figure in the column of a sum, of all
_MIN_ROWS = 3  # of a table that has sums below
_MAX_SUMS, _MAX_TITLES = 8, 2  # under a table
_MARKED_COLUMNS, _MARKED_ROWS = 2, 3  # of a table of marks, without that of its labels and the heads
_MARK = 3  # letters of a mark
_TITLE_SIZE = 1.12  # times the size of most of a table, of a title that stands within its rules


def is_bold_head(rows: Sequence[Sequence[Segment]]) -> bool:
    """Whether several pieces in bold stand over a row that is not, each over a piece of it: names of columns."""
    bold = [all(s.style.bold for s in row) for row in rows[:2]]
    if bold != [True, False]:
        return False
    over = all(any(s.x0 < cell.x1 and s.x1 > cell.x0 for cell in rows[1]) for s in rows[0])
    return len(rows[0]) > 1 and over


def is_short(body: Sequence[Sequence[Segment]]) -> bool:
    """Whether two lines are names over figures, in three columns or more."""
    if len(body) != 2 or not 2 < len(body[0]) == len(body[1]):
        return False
    heads, cells = (sorted(row, key=lambda s: s.x0) for row in body)
    if any(NUMERIC.match(s.text) for s in heads) or not any(NUMERIC.match(s.text) for s in cells):
        return False
    return all(
        min(abs(a.x0 - b.x0), abs(a.x1 - b.x1), abs(a.x0 + a.x1 - b.x0 - b.x1) / 2) < _SAME_EDGE
        for a, b in zip(heads, cells, strict=True)
    )


def names_over(rule: Rule, free: Sequence[Segment]) -> list[Segment]:
    """The pieces of the line right over a rule that has no other rule with it, as far as it reaches, where they may be
    names of columns: several, and no figures."""
    y, left, right = rule
    near = [s for s in free if not s.vertical and s.y0 < y and y - s.y1 < _HEAD_ABOVE * (s.y1 - s.y0)]
    inside = [s for s in near if left - IN_BAND_ACROSS < s.x0 and s.x1 < right + IN_BAND_ACROSS]
    names = parted(rows_of(inside)[-1]) if inside else []
    return names if len(names) > 1 and not any(NUMERIC.match(s.text) for s in names) else []


def are_over(names: Sequence[Segment], table: FoundTable) -> bool:
    """Whether each column of a table, which is certain, has one of the names over it, as that is set."""
    if len(names) != len(table.columns) or table.score < SUSPECT or not all(table.rows[0]):
        return False
    columns = zip(sorted(names, key=lambda s: s.x0), table.columns, strict=True)
    return all(off_edges((name.x0, name.x1), column) < _SAME_EDGE for name, column in columns)


def is_head_above(line: Sequence[Segment], heads: Sequence[Segment], body: Sequence[Segment]) -> bool:
    """Whether a line holds the first lines of a few of the heads below it, in bold over a row that is not: each stands
    over one of them as that is set, at its left, its right or in its middle. Or it is one head over all of several
    groups of columns, over their middle, in bold as they and the names under them are."""
    if len(line) == 1 and 1 < len(heads) < len(body):
        return _is_over_groups(line[0], heads, body)
    if len(heads) < 3 or len(line) >= len(heads) or all(s.style.bold for s in body):
        return False
    if not all(s.style.bold and s.style.size == heads[0].style.size for s in (*line, *heads)):
        return False
    height = heads[0].y1 - heads[0].y0
    if not -height < white_between(line, heads) < _HEAD_LEADING * height:
        return False
    return all(sum(_is_set_over(s, head) for head in heads) == 1 for s in line)


def _is_over_groups(line: Segment, groups: Sequence[Segment], names: Sequence[Segment]) -> bool:
    height = line.y1 - line.y0
    alike = all(s.style.bold and s.style.size == line.style.size for s in (line, *groups, *names))
    near = -height < white_between([line], groups) < height and line.words[0].text[0].isalnum()
    off = (line.x0 + line.x1) / 2 - (min(s.x0 for s in groups) + max(s.x1 for s in groups)) / 2
    return alike and near and abs(off) < line.style.size


def _is_set_over(upper: Segment, lower: Segment) -> bool:
    return off_edges((upper.x0, upper.x1), (lower.x0, lower.x1)) < _SAME_EDGE


def _is_styled_as(one: Segment, other: Segment) -> bool:
    return one.style.size == other.style.size and one.style.bold == other.style.bold


def heads_above(box: Box, rows: list[list[Segment]], free: list[Segment]) -> list[list[Segment]]:
    """The line over the first rule, where it names the columns of the row under it: as many pieces, or all but the
    first, none of them a figure, each over its own; or in bold about as many, or fewer over groups of columns whose
    names are bold too."""
    x0, y0, x1, _ = box
    height = rows[0][0].y1 - rows[0][0].y0
    near = [s for s in free if not s.vertical and y0 - _BOLD_ABOVE * height < s.y0 and s.y1 < y0 + TOLERANCE]
    near = rows_of(near)[-1] if near else []
    told = all(s.style.bold for s in near) and not any(s.style.bold for s in rows[0]) and len(near) == len(rows[0])
    if near and not told and min(s.y0 for s in near) < y0 - _HEAD_ABOVE * height:
        return []
    heads = sorted((s for s in near if x0 - IN_BAND_ACROSS < s.x0 and s.x1 < x1 + IN_BAND_ACROSS), key=lambda s: s.x0)
    below = sorted(rows[0], key=lambda s: s.x0)
    if not heads or len(heads) < len(near) or is_caption(heads) or any(NUMERIC.match(s.text) for s in heads):
        return []
    groups = all(s.style.bold for s in below)
    if all(s.style.bold for s in heads) and len(heads) > (1 if groups else max(2, len(below) - 2)):
        return [heads]
    below = below if len(heads) == len(below) else below[1:]
    if len(heads) != len(below):
        return []
    over = all(a.x0 < b.x1 and a.x1 > b.x0 for a, b in zip(heads, below, strict=True))
    return [*first_lines(heads, free), heads] if over else []


def first_lines(heads: list[Segment], free: list[Segment]) -> list[list[Segment]]:
    """The line over heads, where it holds the first lines of a few of them: in their style, each set over one of them,
    and as near as lines of one text."""
    height = heads[0].y1 - heads[0].y0
    near = [s for s in free if not s.vertical and -height < white_between([s], heads) < _HEAD_LEADING * height]
    line = sorted((s for s in near if s.y1 < min(head.y1 for head in heads) - height / 2), key=lambda s: s.x0)
    under = [[head for head in heads if _is_set_over(s, head)] for s in line]
    over = all(len(own) == 1 and _is_styled_as(s, own[0]) for s, own in zip(line, under, strict=True))
    return [line] if line and over and len(line) < len(heads) else []


def heads_over_pieces(box: Box, rules: list[Rule], free: list[Segment]) -> list[Segment]:
    """The heads of groups of columns right over the pieces that the first rule consists of, one over each."""
    x0, y0, x1, _ = box
    pieces = [r for r in rules if abs(r[0] - y0) < TOLERANCE and r[1] > x0 - TOLERANCE and r[2] < x1 + TOLERANCE]
    pieces = sorted({(left, right) for _, left, right in pieces})
    if len(pieces) < 2 or any(other - right < _APART for (_, right), (other, _) in pairwise(pieces)):
        return []
    near = [s for s in free if not s.vertical and y0 - _OVER_PIECE * (s.y1 - s.y0) < s.y1 < y0 + TOLERANCE]
    heads = [[s for s in near if s.x0 < right and s.x1 > left] for left, right in pieces]
    within = (
        len(own) == 1 and left - TOLERANCE < own[0].x0 and own[0].x1 < right + TOLERANCE and has_letters(own)
        for own, (left, right) in zip(heads, pieces, strict=True)
    )
    return [own[0] for own in heads] if all(within) else []


def lines_of_heads(rows: list[list[Segment]], stops: list[float]) -> int:
    """How many lines stand over the first rule within a table, where none of them holds a figure."""
    over = [row for row in rows if stops and (row[0].y0 + row[0].y1) / 2 < stops[0]]
    return 0 if any(NUMERIC.match(s.text) for row in over for s in row) else len(over)


def turned_text(free: list[Segment], box: Box) -> list[Segment]:
    """The text in the box that runs up or down, as headers of narrow columns do."""
    x0, y0, x1, y1 = box
    return [
        s for s in free
        if s.vertical and x0 - IN_BAND_ACROSS <= s.x0 and s.x1 <= x1 + IN_BAND_ACROSS
        and y0 - TOLERANCE <= s.y0 and s.y1 <= y1 + TOLERANCE
    ]  # fmt: skip


def is_caption(row: list[Segment]) -> bool:
    """Whether a row is the caption of a table."""
    return len(row) == 1 and match_caption(row[0].text) is not None


def without_titles(tables: Sequence[FoundTable]) -> None:
    """Takes the first row off tables where it is a title: a single line in bold in the first column, larger than all
    that stands under it, of which nothing is set alike, as the titles of parts of a table are; or a line of a listing,
    in typewriter type over names of columns in bold that are in none. And the last rows, where they are such titles, of
    what stands under the table."""
    for table in tables:
        for _ in range(_MAX_TITLES):
            _take_title(table, last=True)
        _take_title(table, last=False)


def _take_title(table: FoundTable, *, last: bool) -> None:
    at, least = (-1, 1) if last else (0, _MIN_ROWS)
    if len(table.rows) <= least or sum(map(bool, table.rows[at])) != 1:
        return
    lines = rows_of(s for s in table.segments if not s.vertical)
    if len(lines) <= least or len(lines[at]) > 1 or table.rows[at][0] != lines[at][0].text:
        return
    title = lines.pop(at)[0]
    others = [s.style for line in lines for s in line]
    larger = title.style.bold and title.style.size > _TITLE_SIZE * median(style.size for style in others)
    heads = lines[0] if title.style.mono and not last else []
    listing = len(heads) > 1 and all(s.style.bold and not s.style.mono for s in heads)
    if not (larger and title.style not in others) and not listing:
        return
    table.segments = [s for s in table.segments if s is not title]
    del table.rows[at]
    if last:
        table.y1 = min(table.y1, max(title.y0, *(s.y1 for s in lines[-1])))
        table.header_rows = min(table.header_rows, len(table.rows))
        table.merges = tuple(m for m in table.merges if m.row + m.rows <= len(table.rows))
    else:
        table.y0 = max(table.y0, min(title.y1, *(s.y0 for s in lines[0])))
        table.header_rows = max(table.header_rows - 1, int(listing))
        table.merges = tuple(Merge(m.row - 1, m.col, m.rows, m.cols) for m in table.merges if m.row)


def take_sums(tables: Sequence[FoundTable], free: Sequence[Segment]) -> None:
    """Adds sums under tables to them: lines of a label and of figures that end where those of their columns do."""
    for table in tables:
        if len(table.rows) < _MIN_ROWS or len(table.columns) < _MIN_ROWS:
            continue
        foot = max([table.y1, *(s.y1 for s in table.segments)])
        below = [
            s for s in free
            if s.y0 > foot - _SAME_EDGE and s.x0 > table.x0 - _SAME_EDGE and s.x1 < table.x1 + _SAME_EDGE
            and not s.vertical
        ]  # fmt: skip
        near = (s for s in below if s.y0 - foot < _SUM_LEADING * (s.y1 - s.y0))
        if not any(NUMERIC.match(s.text) for s in near):
            continue  # before the figures of the table are gathered
        ends = _figure_ends(table)
        for line in rows_of(below)[:_MAX_SUMS]:
            row = _sum_row(sorted(line, key=lambda s: s.x0), table, ends) if ends else None
            if row is None or line[0].y0 - foot > _SUM_LEADING * (line[0].y1 - line[0].y0):
                break
            table.rows.append(row)
            table.segments += line
            table.y1 = foot = max(s.y1 for s in line)


def instead_of_parts(
    found: list[FoundTable], suspect: Sequence[FoundTable]
) -> tuple[list[FoundTable], list[FoundTable]]:
    """The tables found, and suspect ones in place of those that are parts of them, unless a lower one of these has
    heads, or all but the first are sums, whose labels hide columns of the table over them: these sums come second."""
    sums: list[FoundTable] = []
    suspect = [table for table in suspect if not any(_has_more_heads(whole, table) for whole in suspect)]
    for table in sorted(suspect, key=lambda table: (table.score, table.y1 - table.y0)):
        parts = sorted((other for other in found if other.overlaps(table.box)), key=lambda part: part.y0)
        below = parts[1:] if parts and parts[0].header_rows and parts[0].score >= SUSPECT else []
        if below and all(_are_sums(part.rows) for part in below):
            sums += below
        elif len(parts) < 2 or not any(part.header_rows for part in parts[1:]):
            found = [other for other in found if other not in parts] + [table]
    return found, sums


def _has_more_heads(whole: FoundTable, table: FoundTable) -> bool:
    """Whether a reading is another one with more lines in its head, where a rule stands within that."""
    same = whole.header_rows and whole.rows[whole.header_rows :] == table.rows[table.header_rows :]
    return bool(same) and whole.overlaps(table.box) and len(whole.segments) > len(table.segments)


def _are_sums(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row holds a label and figures behind it, and nothing else."""
    labels = all(row[0] and not NUMERIC.match(row[0]) and any(row[1:]) for row in rows)
    return labels and all(NUMERIC.match(text) for row in rows for text in row[1:] if text)


def _figure_ends(table: FoundTable) -> dict[int, float]:
    """Where the figures of columns end, of those in which they all, or those of many rows, end at one place; none where
    no column has many."""
    pieces = (p for s in table.segments if not s.vertical for p in ((s,) if NUMERIC.match(s.text) else s.words))
    words = [piece for piece in pieces if NUMERIC.match(piece.text)]  # a currency may stand behind a figure
    found: dict[int, float] = {}
    figured = False
    for at, (left, right) in enumerate(table.columns):
        own = [w.x1 for w in words if left - _SAME_EDGE < w.x0 and w.x1 < right + _SAME_EDGE]
        usual = median(own) if own else 0.0
        level = sum(abs(end - usual) < _SAME_END for end in own)
        many = level >= max(2, _SUMMED * (len(table.rows) - table.header_rows))
        if at and own and (many or (level == len(own) and at < len(table.columns) - 1)):
            found[at] = usual
            figured = figured or many
    return found if figured else {}


def _sum_row(line: Sequence[Segment], table: FoundTable, ends: dict[int, float]) -> list[str] | None:
    """The cells of a line that is a sum, without a label where all of several figures are in bold; None where it is
    anything else."""
    label, *figures = line
    row = [""] * len(table.columns)
    named = not NUMERIC.match(label.text) and any(map(str.isalpha, label.text))
    if not figures or not (named or all(s.style.bold for s in line)):
        return None
    figures = figures if named else [*line]
    for segment in figures:
        at = next((at for at, end in ends.items() if abs(segment.x1 - end) < _SAME_END), None)
        if at is None or row[at] or not NUMERIC.match(segment.text):
            return None
        row[at] = segment.text
    if not row[max(ends)]:
        return None
    if not named:
        return row
    row[_label_column(label, table, min(at for at, text in enumerate(row) if text))] = label.text
    return row


def _label_column(label: Segment, table: FoundTable, before: int) -> int:
    """The column of a label: the one of which cells begin or end where it does, else the one it stands on."""
    for at in reversed(range(before)):
        texts = {row[at] for row in table.rows if row[at]}
        own = [s for s in table.segments if s.text in texts]
        begun = sum(abs(s.x0 - label.x0) < _SAME_END for s in own)
        ended = sum(abs(s.x1 - label.x1) < _SAME_END for s in own)
        if max(begun, ended) > 0:
            return at
    shared = [min(right, label.x1) - max(left, label.x0) for left, right in table.columns[:before]]
    return shared.index(max(shared))


def are_marks(texts: list[list[str]], header_rows: int) -> bool:
    """Whether heads name all columns, and each row is a label and marks in a few of them."""
    heads, body = list(zip(*texts[:header_rows], strict=True))[1:], texts[header_rows:]
    if len(heads) < _MARKED_COLUMNS or len(body) < _MARKED_ROWS or not all(any(cells) for cells in heads):
        return False
    return all(row[0] and any(row[1:]) and max(map(len, row[1:])) <= _MARK for row in body)
