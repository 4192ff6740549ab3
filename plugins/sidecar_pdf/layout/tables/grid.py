"""Makes cells of lines of text whose columns line up: columns by the white space that persists over rows, rows by
leading and by what would not have fitted on the line before, spans by the rules and extents of headers.

Columns by projected white space and rows by baselines follow Nurminen, Algorithmic Extraction of Data in Tables in PDF
Documents (2013); cells that span by the extents of headers Shigarov et al., Configurable Table Structure Recognition in
Untagged PDF Documents (2016)."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from sidecar.api import Merge
from sidecar_pdf.layout.tables.columns.heads import are_heads, heads_over_rules, parted_heads
from sidecar_pdf.layout.tables.columns.labels import with_centred_labels
from sidecar_pdf.layout.tables.columns.leaders import without_leader
from sidecar_pdf.layout.tables.columns.told import are_cells, are_told, as_named, as_told, meets, with_complements
from sidecar_pdf.layout.tables.found import BULLET, CODE, NUMERIC, cell_text
from sidecar_pdf.layout.tables.grid_rows import (
    Cells,
    Columns,
    GrowingRow,
    add_stubs,
    add_turned,
    joined_header,
    line_row,
    middle_of,
    on_baselines,
    turned_stubs,
)
from sidecar_pdf.layout.tables.rows.joined import joined_rows
from sidecar_pdf.layout.word_gaps import close_borders, covered_spans, without_justification, word_space
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import TYPED_SPACE, Segment, Word

# Ems of the body. Measured on 78 typeset tables of thirteen styles.
COLUMN_GAP = 0.4  # of white space between two columns, and between two cells of a row; a word space is 0.25 to 0.35
_OVER_BLANK, _MIN_GAP, _MAX_GAP = 1.15, 0.32, 0.55  # times the blank between words; the least and the most of it
_SENTENCE_SPACE = 1.25  # times that, at most, behind a full stop, where TeX sets a wider space
_WRITTEN_SPACE = 1.4  # times that, at most, where a blank is written: in justified lines
_BULLET_GAP = 2.5  # of white, at most, between a bullet and its text
_TOLD_GAP = 0.05  # of white between two columns where the file tells what was set apart
_CUT = 0.5  # points by which words may reach over the side of their column
# Counts and shares.
_PAIR = 2  # columns
_NAMED_LINES = 3  # lines of which the first may name the columns of the others
_FULL_LINES = 3  # that tell columns which labels of sums run over
_ROWS_PER_STRAY = 12  # rows for each that may reach over the white between two columns
_MAX_HEADER_LINES, _MAX_FIGURED_HEADER = 7, 3  # lines over the first rule that are a header; if a word is a figure
_MAX_HEADER_SHARE, _TALL_HEADER_SHARE = 0.5, 0.7  # of all lines; over lines that all hold figures

_ABBREVIATED = re.compile(r"[^\W\d_]{2}\.$|^\w{1,3}\.$")
_ERROR = re.compile(r"±|\+/[-−–]")
CURRENCIES = frozenset("$€£¥₹")


@dataclass
class TableGrid:
    """Rows and columns of a table: its texts, the cells that span, and how many rows are headers. `cells` holds the
    words of each cell, and `columns` the extents of the columns."""

    texts: list[list[str]]
    cells: list[Cells]
    columns: Columns
    merges: list[Merge] = field(default_factory=list[Merge])
    header_rows: int = 0


def table_grid(
    lines: list[list[Segment]],
    stops: Sequence[float],
    rules: Sequence[Rule],
    turned: Sequence[Segment] = (),
    *,
    gap: float = COLUMN_GAP,
    listed: bool = False,
    named: int = 0,
) -> TableGrid | None:
    """The lines, top to bottom, as a table; None where their words form no columns. `stops` are the heights of the
    rules across the whole table, `rules` are all horizontal rules around, which may stand under a part of a header, and
    `turned` are headers that run up or down; `gap` is the white between two columns, in ems. Where cells are `listed`,
    each line is a row; the first `named` lines are the header where that is known."""
    words = [without_leader(sorted((w for s in line for w in s.words), key=lambda w: w.x0)) for line in lines]
    words = on_baselines(words)
    em = max(median(w.style.size for line in words for w in line), 1.0)
    blank = word_space(words)
    gap = min(max(_OVER_BLANK * blank, _MIN_GAP), _MAX_GAP) if blank and gap == COLUMN_GAP else gap
    header = named or _header_lines(words, stops)
    stubs = turned_stubs(turned, words) if turned else []
    turned = [s for s in turned if s not in stubs]
    if turned:
        over = sum(middle_of(line) < max(s.y1 for s in turned) for line in words)
        header, turned = (over, turned) if over < _MAX_HEADER_SHARE * len(words) else (header, ())
    runs = without_justification([_runs(line, gap * em) for line in words])
    runs[:header] = [heads_over_rules(line, rules) for line in runs[:header]]
    white = (_TOLD_GAP if are_told(lines) else gap) * em
    columns = _columns(runs[header:] if header or len(runs) < _NAMED_LINES else runs[1:], white)
    if header and not turned and len(columns) < _parts(words[header - 1], gap * em):
        columns = max(columns, _columns(runs, white), key=len)
    elif not header and not (len(runs) >= _NAMED_LINES and are_heads(runs[0], columns)):
        columns = max(_columns(runs, white), columns, key=len)  # a first line may reach over the white between columns
    columns = as_told(columns, runs[header:]) if are_told(lines) else columns
    columns = _without_sums(columns, runs[max(header - 1, 0) :], white)
    columns = _with_named(columns, runs[max(header - 1, 0)], runs[header or 1 :], gap * em)
    borders = [x for column in columns for x in close_borders(words[header:], column, em, blank)]
    if borders:
        runs = [[part for run in line for part in _cut_at(run, borders)] for line in runs]
        columns = _parted_columns(columns, borders, words[header:])
    columns = _under_heads(_with_signs(_with_errors(columns, words), words, header), words)
    columns = as_named(with_complements(columns, runs), runs) if are_cells(lines) else columns
    if len(columns) < 2:
        return None
    runs[header:] = [_with_figures_apart(line, columns) for line in runs[header:]]
    rows = [line_row(line, columns, stops, rules=()) for line in runs[header:]]
    if not header and not any(NUMERIC.match(w.text) for w in words[0]) and are_heads(runs[0], columns):
        rows[0].cells, rows[0].spans = list(runs[0]), []
    if not listed:
        rows = joined_rows(rows, columns, em)
    if header:
        runs[header - 1] = parted_heads(runs[header - 1], columns, em)
    own = rules
    if turned:  # beside turned heads a label alone is the head of its column, not of all over the rule under it
        own = [rule for rule in rules if rule[1] > columns[0][1] or rule[2] < columns[-1][0]]
    heads = [line_row(line, columns, stops, rules=own) for line in runs[:header]]
    heads = add_turned(joined_header(heads, columns, own, em), turned, columns, rules)
    labels = add_stubs(heads, rows, stubs) if stubs else with_centred_labels(rows, em)
    labels = labels or [(at, row.labelled) for at, row in enumerate(rows) if row.labelled > 1]
    columns = [(min(s.x0 for s in stubs), max(s.x1 for s in stubs)), *columns] if stubs else columns
    cells = [row.cells for row in (*heads, *rows)]
    grid = TableGrid([[cell_text(cell) for cell in row] for row in cells], cells, columns, header_rows=len(heads))
    for at, row in enumerate((*heads, *rows)):
        grid.merges += [Merge(at, column, 1, width) for column, width in row.spans]
    grid.merges += [Merge(at + len(heads), 0, count, 1) for at, count in labels if count > 1]
    grid.merges += [] if labels else _label_merges(rows, grid.texts, len(heads))
    grid.merges += _title_merges(rows, len(heads), len(columns))
    return grid


def _header_lines(words: list[list[Word]], stops: Sequence[float]) -> int:
    """How many lines stand over the first rule inside the table."""
    middles = [middle_of(line) for line in words]
    inside = [y for y in stops if middles[0] < y < middles[-1]]
    if not inside:
        return 0
    count = bisect_right(middles, inside[0])
    if any(NUMERIC.match(w.text) for line in words[:count] for w in line):
        return count if count <= min(_MAX_FIGURED_HEADER, _MAX_HEADER_SHARE * len(words)) else 0
    figured = all(any(NUMERIC.match(w.text) for w in line) for line in words[count:])
    share = _TALL_HEADER_SHARE if figured else _MAX_HEADER_SHARE
    return count if count <= min(_MAX_HEADER_LINES, share * len(words)) else 0


def _runs(line: list[Word], gap: float) -> list[list[Word]]:
    """The words of a line parted where they were set apart, or there is more than a word space between them: behind a
    blank that is written, much more."""
    runs: list[list[Word]] = []
    end, bullet = 0.0, _BULLET_GAP / COLUMN_GAP * gap
    for word in line:
        last, white, widest = runs[-1][-1] if runs else None, word.x0 - end, gap
        if last is not None and word.style.mono and last.style.mono:
            widest = max(gap, TYPED_SPACE * word.style.size)
        elif word.apart is False:
            widest *= _WRITTEN_SPACE
        elif last is not None and last.text.endswith(".") and _ABBREVIATED.search(last.text):
            widest *= _SENTENCE_SPACE
        near = last is not None and not word.apart and white < widest
        if near or (last is not None and white < bullet and _is_bullet(last, word)):
            runs[-1].append(word)
            end = word.x1 if word.x1 > end else end
        else:
            runs.append([word])
            end = word.x1
    return runs


def _is_bullet(sign: Word, word: Word) -> bool:
    """Whether a sign opens an item that goes on with a word: a bullet, or a typewriter's letter taken for a ring."""
    if BULLET.match(sign.text):
        return BULLET.match(word.text) is None
    return sign.text == "o" and sign.style.mono and not word.style.mono


def _parts(line: list[Word], gap: float) -> int:
    """How many pieces white as wide as between columns makes of a line."""
    return 1 + sum(other.x0 - one.x1 >= gap for one, other in pairwise(line))


def _columns(runs: list[list[list[Word]]], gap: float) -> list[tuple[float, float]]:
    """The extents of the columns: what is covered by the words of more than a stray line, split by clean white. Lines
    of a single run, such as the title of a section, say nothing about columns."""
    parted = [line for line in runs if len(line) > 1]
    edges = [(run[0].x0, 1) for line in parted for run in line]
    edges += [(max([w.x1 for w in run]), -1) for line in parted for run in line]  # twice as fast as a generator
    edges.sort()
    need = 1 + len(parted) // _ROWS_PER_STRAY
    spans = covered_spans(edges, need, gap)
    for own in runs:
        if len(own) == 1:
            left, right = own[0][0].x0, max(w.x1 for w in own[0])
            if spans and (right < spans[0][0] - gap or left > spans[-1][1] + gap):
                spans = sorted([*spans, (left, right)])
    return spans


def _without_sums(columns: Columns, runs: list[list[list[Word]]], gap: float) -> Columns:
    """The columns that the lines of most pieces tell, the first one among them, where all that hides one is labels of
    sums, which begin at the left, or stand before nothing but the figure of the last column, and
    run over it, or makes one is such labels in the white before their figures."""
    most = max(map(len, runs))
    full = [line for line in runs if len(line) == most]
    if most == len(columns) or most <= 2 or len(runs[0]) != most or len(full) < _FULL_LINES:
        return columns
    sides = _columns(full, gap)
    if len(sides) != most:
        return columns
    for line in runs:
        sum_of = len(line) <= 2 and line[0][0].x0 < sides[0][1] and any(NUMERIC.match(w.text) for w in line[-1])
        sum_of |= len(line) == 2 and line[1][0].x0 > sides[-2][1] and all(NUMERIC.match(w.text) for w in line[1])
        over = [sum(meets(side, [(run[0].x0, run[-1].x1)]) for side in sides) for run in line]
        if len(line) < most and not sum_of and (max(over) > 1 or 0 in over):
            return columns
    return sides


def _with_named(columns: Columns, heads: Cells, lines: list[list[list[Word]]], gap: float) -> Columns:
    """The columns, and one for each head over none of them and apart from the others, in white that no cell below
    crosses, where all others but the first have heads too: hardly any row holds something there."""
    sides = [(run[0].x0, max(w.x1 for w in run)) for run in heads]
    if any(not meets(column, sides) for column in columns[1:]):
        return columns
    added: Columns = []
    for side in sides:
        others = [other for other in sides if other != side]
        if meets(side, columns) or meets((side[0] - 2 * gap, side[1] + 2 * gap), others):
            continue  # before the cells are gathered: nearly all heads
        cells = [(run[0].x0, max(w.x1 for w in run)) for line in lines if len(line) > 1 for run in line]
        own = [side, *(cell for cell in cells if meets(side, [cell]))]
        extent = (min(x0 for x0, _ in own), max(x1 for _, x1 in own))
        added.append(extent)
    return sorted([*columns, *added])


def _with_signs(columns: Columns, words: list[list[Word]], header: int) -> Columns:
    """The columns, one that holds nothing but currency signs, or the same code of one over and over, made one with the
    figures behind it. A head over both is none of its own."""
    lines = words[header:]
    if not any(w.text in CURRENCIES or CODE.fullmatch(w.text) for line in lines for w in line):
        return columns
    joined: Columns = []
    signs = False
    for left, right in columns:
        texts = {w.text for line in lines for w in line if w.x0 < right and w.x1 > left}
        if signs:
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
        code = _is_code(left, right, words, max(header, 1))
        signs = bool(texts) and (texts <= CURRENCIES or code)
    return joined


def _is_code(left: float, right: float, words: list[list[Word]], header: int) -> bool:
    """Whether a column holds the same code of a currency over and over, and no word of a head that is its own."""
    heads = [w for line in words[:header] for w in line if left - _CUT < w.x0 and w.x1 < right + _CUT]
    texts = {w.text for line in words[header:] for w in line if w.x0 < right and w.x1 > left}
    return not heads and len(texts) == 1 and CODE.fullmatch(min(texts)) is not None


def _with_errors(columns: Columns, lines: list[list[Word]]) -> Columns:
    """The columns, one that holds errors of values, and no head of its own, made one with that before."""
    if not any(_ERROR.match(w.text) for line in lines for w in line):
        return columns
    joined: Columns = []
    for left, right in columns:
        inside = [next((at for at, w in enumerate(line) if w.x0 < right and w.x1 > left), -1) for line in lines]
        errors = [bool(_ERROR.match(line[at].text)) for line, at in zip(lines, inside, strict=True) if at >= 0]
        head, first = inside[0], lines[0]
        own = head >= 0 and (not head or first[head].x0 - first[head - 1].x1 > COLUMN_GAP * first[head].style.size)
        behind = bool(joined and errors) and all(errors[head >= 0 :]) and (not own or errors[0])
        joined = [*joined[:-1], (joined[-1][0], right)] if behind else [*joined, (left, right)]
    return joined


def _under_heads(columns: Columns, lines: list[list[Word]]) -> Columns:
    """The columns, a head that stands beside its column, on its other edge, made one with it: neighbours of which one
    holds nothing but the first line, and the other all but that."""
    if all(_is_met(column, lines[1:]) for column in columns if _is_met(column, lines[:1])):
        return columns  # as in nearly all tables
    used = [{at for at, line in enumerate(lines) if _is_met(column, [line])} for column in columns]
    joined: Columns = []
    for at, column in enumerate(columns):
        head, body = (used[at - 1], used[at]) if used[at - 1] == {0} else (used[at], used[at - 1])
        if joined and head == {0} and 0 not in body and len(body) > 1:
            joined[-1] = (joined[-1][0], column[1])
        else:
            joined.append(column)
    return joined


def _is_met(column: tuple[float, float], lines: list[list[Word]]) -> bool:
    """Whether a word of the lines stands in a column."""
    left, right = column
    return any(w.x0 < right and w.x1 > left for line in lines for w in line)


def _cut_at(run: list[Word], borders: list[float]) -> list[list[Word]]:
    """The words of a run, parted where a border lies between two of them."""
    parts = [run[:1]]
    for one, other in pairwise(run):
        if any(one.x1 < x < other.x0 for x in borders):
            parts.append([])
        parts[-1].append(other)
    return parts


def _with_figures_apart(runs: list[list[Word]], columns: Columns) -> list[list[Word]]:
    """The pieces of a line, a label as wide as its column parted from the figure behind it that stands in the next
    one, where nothing else does."""
    if len(runs) >= len(columns):
        return runs  # of nearly all lines
    parts: list[list[Word]] = []
    lefts = [left for left, _ in columns]
    for run in runs:
        ends = [bisect_right(lefts, word.x0 + _CUT) - 1 for word in run]
        start = ends.index(ends[-1])
        within = ends[-1] > 0 and run[-1].x1 < columns[ends[-1]][1] + _CUT
        figure = start > 0 and within and NUMERIC.match(cell_text(run[start:]))
        others = [w for other in runs if other is not run for w in other]
        if figure and len(set(ends)) == _PAIR and not _is_met(columns[ends[-1]], [others]):
            parts += [run[:start], run[start:]]
        else:
            parts.append(run)
    return parts


def _parted_columns(columns: Columns, borders: list[float], lines: list[list[Word]]) -> Columns:
    """The columns, those with borders in them parted; what holds no whole word of these lines keeps its place."""
    parted: Columns = []
    for left, right in columns:
        sides = [left, *(x for x in borders if left < x < right), right]
        for low, high in pairwise(sides):
            inside = [w for line in lines for w in line if low <= w.x0 and w.x1 <= high]
            parted.append((min((w.x0 for w in inside), default=low), max((w.x1 for w in inside), default=high)))
    return parted


def _label_merges(rows: list[GrowingRow], texts: list[list[str]], header_rows: int) -> list[Merge]:
    """Labels of sections that rules part, each over all rows of its section; moved to the first row where they stand in
    the middle. Only where every section of several rows has just one."""
    sections: dict[int, list[int]] = {}
    for at, row in enumerate(rows):
        sections.setdefault(row.section, []).append(at + header_rows)
    tall = [places for places in sections.values() if len(places) > 1]
    if len(sections) < 2 or not tall or any(sum(bool(texts[at][0]) for at in places) != 1 for places in tall):
        return []
    for places in tall:
        label = next(texts[at][0] for at in places if texts[at][0])
        for at in places:
            texts[at][0] = ""
        texts[places[0]][0] = label
    return [Merge(places[0], 0, len(places), 1) for places in tall]


def _title_merges(rows: list[GrowingRow], header_rows: int, width: int) -> list[Merge]:
    """Titles of sections, each over all columns: rows of nothing but a first cell, set in another weight than the
    first cells of the rows."""
    plain = [row for row in rows if row.filled > {0}]
    bold = sum(_is_bold(row.cells[0]) for row in plain) * 2 > len(plain)
    spanning = {at for at, row in enumerate(rows) if row.spans}
    return [
        Merge(at + header_rows, 0, 1, width) for at, row in enumerate(rows)
        if row.filled == {0} and at not in spanning and at + 1 < len(rows) and rows[at + 1].filled > {0}
        and (_is_bold(row.cells[0]) != bold)
    ]  # fmt: skip


def _is_bold(words: list[Word]) -> bool:
    return bool(words) and all(word.style.bold for word in words)
