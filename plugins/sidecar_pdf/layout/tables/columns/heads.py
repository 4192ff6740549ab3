"""The pieces of lines of heads, before these are cells: what stands over one of several rules, or over one of several
columns, is a head, though heads stand as close as words. And names of groups of columns, over names that are the same
in each group, taken out of the cells of these."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from sidecar.api import Merge
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable, off_edges
from sidecar_pdf.layout.tables.grid_rows import AT_RULE, UNDER_HEADER, Columns
from sidecar_pdf.layout.tables.known_flaws import DRAWN
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Segment, Word

_APART = 0.8  # points between two rules that are not pieces of one
# Ems.
_ONE_HEAD = 0.6  # ems between two words of a head over one rule, at most
_HEAD_GAP = 0.2  # ems between two heads, which may stand as close as words
_PIECES = 0.6  # ems of white between two names of one line, at least
_MAX_LEVELS, _GROUPED = 3, 2  # lines of names of groups; columns of a group, and groups, at least
_ONE_COLUMN = 0.5  # of what a name shares with its column, that it shares with another at most
_ROWS, _AS_FAR = 3, 0.95  # rows of a table; of the step between others, from its head to the first
_SET_AS = 0.25  # ems by which a head is off its column's left, right or middle


def heads_over_rules(runs: list[list[Word]], rules: Sequence[Rule]) -> list[list[Word]]:
    """The pieces of a line of heads as the rules right under it tell: what stands over one of several rules is one
    head, unless wide white parts it, and what stands over two are two."""
    bottom = max(w.y1 for run in runs for w in run)
    near = sorted((left, right) for y, left, right in rules if -AT_RULE < y - bottom + AT_RULE < UNDER_HEADER)
    if len(near) < 2 or any(other - right < _APART for (_, right), (other, _) in pairwise(near)):
        return runs  # one rule, or pieces of one

    def over(word: Word) -> int:
        return next((at for at, (x0, x1) in enumerate(near) if x0 < (word.x0 + word.x1) / 2 < x1), -1)

    parts: list[list[Word]] = []
    for run in runs:
        for word in run:
            before = parts[-1][-1] if parts else None
            begins = word is run[0]
            if before is not None and over(word) >= 0:
                near_by = word.x0 - before.x1 < _ONE_HEAD * max(word.style.size, 1.0)
                begins = not (over(before) == over(word) and (near_by or not begins))
            elif before is not None and over(before) >= 0:
                begins = True
            if begins or before is None:
                parts.append([])
            parts[-1].append(word)
    return parts


def parted_heads(runs: list[list[Word]], columns: Columns, em: float) -> list[list[Word]]:
    """The pieces of the line of heads right over the rows, those over several columns parted between words where that
    gives each of these a head set as it is, left, right or in the middle: heads are wider than figures, and stand as
    close as words."""
    parts: list[list[Word]] = []
    for run in runs:
        over = [at for at, (x0, x1) in enumerate(columns) if x0 < run[-1].x1 and x1 > run[0].x0]
        parts += _parted_head(run, [columns[at] for at in over], em) if 1 < len(over) <= len(run) else [run]
    return parts


def _parted_head(run: list[Word], columns: Columns, em: float) -> list[list[Word]]:
    """The words over each of the columns; the run as it is where one of them has none, or one not set as it is."""
    ends = {0: [0]}  # where the heads of the columns so far may end, each with the ends before it
    for left, column in enumerate(columns, 1 - len(columns)):
        longer: dict[int, list[int]] = {}
        for start, before in ends.items():
            for end in range(start + 1, len(run) + left + 1) if left else (len(run),):
                if end not in longer and _may_end(run, end, em) and _is_set_as(run[start:end], column, em):
                    longer[end] = [*before, end]
        ends = longer
    return [run[start:end] for start, end in pairwise(ends[len(run)])] if ends else [run]


def _may_end(run: list[Word], end: int, em: float) -> bool:
    """Whether a head may end before that word: not where a unit in brackets, or no white, follows."""
    if end == len(run):
        return True
    one, other = run[end - 1], run[end]
    return other.x0 - one.x1 > _HEAD_GAP * em and not (other.text[0] == "(" and one.text[-1] != ")")


def _is_set_as(head: list[Word], column: tuple[float, float], em: float) -> bool:
    """Whether a head begins, ends or has its middle where its column does."""
    return off_edges((head[0].x0, head[-1].x1), column) < _SET_AS * em


def are_heads(runs: list[list[Word]], columns: Columns) -> bool:
    """Whether a line names the columns one by one, though its words may stand beside them: as many pieces as columns,
    each clear of those next to its own."""
    if len(runs) != len(columns):
        return False
    clear = (run[-1].x1 < after[1] for run, after in zip(runs, columns[1:], strict=False))
    return all(clear) and all(run[0].x0 > before[0] for run, before in zip(runs[1:], columns, strict=False))


def part_groups(table: FoundTable) -> None:
    """Parts the first row of a table that holds names of groups of columns together with those of the columns, where
    the latter are the same in each group: a row for each line of them, every name in the first column of its group. In
    rows of their own they get their places."""
    if table.base >= DRAWN or len(table.rows) < 2:
        return
    lines = rows_of(s for s in table.segments if not s.vertical)[: _MAX_LEVELS + 1]
    for at in range(1, len(lines)):
        names = _names_of(lines[at], table.columns)
        groups = _repeated(names)
        held = sorted("".join(word.text for line in lines[: at + 1] for s in line for word in s.words))
        own = next((n for n in (1, at + 1) if groups and _letters(table.rows[:n]) == held), 0)
        if not own or any(merge.row < own and merge.cols > 1 for merge in table.merges):
            continue  # rules may tell what they reach over
        rows, merges = [names], list[Merge]()
        for level in range(at - 1, -1, -1):
            pieces = _pieces_of(lines[level])
            groups = _under(pieces, groups, table.columns)
            if not groups:
                return
            row = [""] * len(names)
            for words, (start, end) in zip(pieces, groups, strict=True):
                row[start] = " ".join(word.text for word in words)
                merges.append(Merge(level, start, 1, end - start))
            rows.insert(0, row)
        table.rows[:own] = rows
        more = at + 1 - own
        table.merges = (*merges, *(Merge(m.row + more, m.col, m.rows, m.cols) for m in table.merges if m.row >= own))
        table.header_rows = max(table.header_rows + more, at + 1)
        return


def _letters(rows: Sequence[Sequence[str]]) -> list[str]:
    """All signs of some rows, in order of the alphabet."""
    return sorted("".join("".join(text for row in rows for text in row).split()))


def part_title(table: FoundTable) -> None:
    """Parts the first row of a table that holds names of all columns together with the row under them, where that is a
    title in the first column, or has figures, and stands as far from them as all other rows, of one line each, do from
    one another."""
    if table.base >= DRAWN or len(table.rows) < _ROWS or any(m.row == 0 for m in table.merges):
        return
    lines = rows_of(s for s in table.segments if not s.vertical)
    if len(lines) != len(table.rows) + 1:
        return
    names, row = (_names_of(line, table.columns) for line in lines[:2])
    titled = row[:1] != [""] and sum(map(bool, row)) == 1 and row[0][0].isupper()
    if not names or not all(names) or any(map(NUMERIC.match, names)) or not (titled or any(map(NUMERIC.match, row))):
        return
    joined = [" ".join(filter(None, pair)) for pair in zip(names, row, strict=False)]
    steps = [below[0].y1 - above[0].y1 for above, below in pairwise(lines)]
    if joined == table.rows[0] and steps[0] > _AS_FAR * median(steps[1:]):
        table.rows[:1] = [names, row]
        table.merges = tuple(Merge(m.row + 1, m.col, m.rows, m.cols) for m in table.merges)
        table.header_rows = 1


def _names_of(line: Sequence[Segment], columns: Columns) -> list[str]:
    """The text of a line over each column; none where a piece of it stands over several."""
    names = [""] * len(columns)
    for words in _pieces_of(line):
        over = sorted((max(x0, words[0].x0) - min(x1, words[-1].x1), at) for at, (x0, x1) in enumerate(columns))
        near, at = over[0]
        if near >= 0 or names[at] or (len(over) > 1 and over[1][0] < _ONE_COLUMN * near):
            return []
        names[at] = " ".join(word.text for word in words)
    return names


def _pieces_of(line: Sequence[Segment]) -> list[list[Word]]:
    pieces: list[list[Word]] = []
    for word in sorted((w for s in line for w in s.words), key=lambda w: w.x0):
        if not pieces or word.x0 - pieces[-1][-1].x1 > _PIECES * max(word.style.size, 1.0):
            pieces.append([])
        pieces[-1].append(word)
    return pieces


def _repeated(names: list[str]) -> list[tuple[int, int]]:
    """The first column and the one past the last of each group, where all names from one on come again in order."""
    for start in range(1, len(names)):
        own = names[start:]
        for width in range(_GROUPED, len(own) // _GROUPED + 1):
            first = own[:width]
            if len(own) % width == 0 and all(first) and len(set(first)) == width and own == first * (len(own) // width):
                return [(at, at + width) for at in range(start, len(names), width)]
    return []


def _under(
    pieces: Sequence[Sequence[Word]], groups: Sequence[tuple[int, int]], columns: Columns
) -> list[tuple[int, int]]:
    """The columns under each piece of a line of names of groups: those groups that have it nearest to their middle.
    None where a piece has none, or stands beside its own."""
    middles = [(words[0].x0 + words[-1].x1) / 2 for words in pieces]
    under: list[list[tuple[int, int]]] = [[] for _ in pieces]
    for start, end in groups:
        middle = (columns[start][0] + columns[end - 1][1]) / 2
        nearest = min(range(len(pieces)), key=lambda at: abs(middles[at] - middle))
        under[nearest].append((start, end))
    if not all(under):
        return []
    spans = [(own[0][0], own[-1][1]) for own in under]
    inside = all(columns[a][0] < x < columns[b - 1][1] for x, (a, b) in zip(middles, spans, strict=True))
    return spans if inside else []
