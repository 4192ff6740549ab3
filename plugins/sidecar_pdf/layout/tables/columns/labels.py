"""Labels in the first column that stand beside several rows, in the middle of them: where no rule tells which rows
those are, the white between them, or how far the label is from the first and the last, does. And those that stand over
rows, as their title, on a line of their own."""

from __future__ import annotations

from itertools import pairwise, takewhile

from sidecar_pdf.layout.tables.found import NUMERIC
from sidecar_pdf.layout.tables.grid_rows import Columns, GrowingRow
from sidecar_pdf.text.segments import Word

_LABEL_GAP = 0.75  # of the usual distance from line to line: less, and a label stands between two rows
_CENTRED = 0.3  # ems between the middle of a label and that of its rows
_SPACE = 0.28  # ems of a word space, where what would have fitted on a line is reckoned
_SAME_STEP = 0.12  # ems by which the steps from row to row of a group differ
_APART = 0.2  # of such a step, by which the one to the next group is larger, at least
_GROUPED = 4  # rows
_GROUPS = 2  # groups of several rows that tell such labels


def take_labels(rows: list[GrowingRow], labels: list[GrowingRow]) -> None:
    """Gives each label that stands between two rows to the first of the rows it is the middle of: those above it, from
    the last that has a label on, which are as many as below."""
    for label in labels:
        between = [other for other in labels if other.section == label.section]
        own = [row for row in rows if row.section == label.section]
        above = [row for row in own if row.bottom < label.bottom]
        free = list(takewhile(lambda row: not row.cells[0], reversed(above)))
        half = len(free) if len(between) == 1 else _half_group(between, label, own)
        if free:
            free[min(half, len(free)) - 1].cells[0] = label.cells[0]


def _half_group(labels: list[GrowingRow], label: GrowingRow, rows: list[GrowingRow]) -> int:
    """How many rows nearer to a label than to the others stand above it."""
    nearest = [min(labels, key=lambda other: abs(other.bottom - row.bottom)) for row in rows]
    return sum(near is label and row.bottom < label.bottom for near, row in zip(nearest, rows, strict=True))


def stands_between(above: GrowingRow, line: GrowingRow, below: GrowingRow, least: float) -> bool:
    """Whether a line is a label in the first column, halfway between two rows whose first cells are empty, and nearer
    to one of them than rows are to each other, `least` points: as far as those from both it is the title of a group."""
    if line.filled != {0} or not above.section == line.section == below.section:
        return False
    near = _LABEL_GAP * (below.bottom - above.bottom)
    up, down = line.bottom - above.bottom, below.bottom - line.bottom
    return max(up, down) < near and min(up, down) < least and not above.cells[0] and not below.cells[0]


def with_centred_labels(rows: list[GrowingRow], em: float) -> list[tuple[int, int]]:
    """Moves each label in the middle of several rows to the first of them, where all labels are such and each row has
    one; lines of a label alone go. The place of each and the count of its rows."""
    start = next((at for at, row in enumerate(rows[:2]) if not row.cells[0]), -1)
    if start == 0 and len(rows) > 1 and rows[1].cells[0] and _is_head(rows):
        return []  # the first row under the heads has its label
    body = [row for row in rows[max(start, 0) :] if row.filled != {0}]
    labels = [row.cells[0] for row in rows[max(start, 0) :] if row.cells[0]]
    if start < 0 or len(labels) < _GROUPS or len({row.section for row in rows}) > 1 or any(r.spans for r in body):
        return []
    groups: list[tuple[int, int]] = []
    at = 0
    for label in labels:
        twice = 2 * _middle(label)
        top = _middle(_behind(body[at])) if at < len(body) else twice
        ends = (i for i in range(at, len(body)) if abs(top + _middle(_behind(body[i])) - twice) < 2 * _CENTRED * em)
        end = next(ends, -1)
        if end < 0:
            return []
        groups.append((at, end - at + 1))
        at = end + 1
    if at < len(body) or sum(count > 1 for _, count in groups) < _GROUPS:
        return []
    for row in body:
        row.cells[0] = []
    for (place, _), label in zip(groups, labels, strict=True):
        body[place].cells[0] = label
    rows[start:] = body
    return [(place + start, count) for place, count in groups]


def _is_head(rows: list[GrowingRow]) -> bool:
    """Whether the first row holds no figure, and all others do."""
    figured = [any(NUMERIC.match(word.text) for word in _behind(row)) for row in rows if row.filled != {0}]
    return not figured[0] and all(figured[1:])


def with_labels_of_groups(lines: list[GrowingRow], em: float) -> list[GrowingRow]:
    """The lines, labels in the middle of groups of rows moved to the first of each, where wider white than from row to
    row parts the groups, and each of them has one label, in its middle; lines of a label alone go."""
    body = [line for line in lines if line.filled - {0}]
    if len(body) < _GROUPED or all(line.cells[0] for line in body):
        return lines
    steps = [below.bottom - above.bottom for above, below in pairwise(body)]
    usual = sorted(steps)[len(steps) // 3]
    if any(_SAME_STEP * em < step - usual < _APART * usual for step in steps):
        return lines
    starts = [0, *(at + 1 for at, step in enumerate(steps) if step - usual >= _APART * usual)]
    groups = [body[start:end] for start, end in pairwise([*starts, len(body)])]
    labels = [line for line in lines if line.cells[0]]
    head = len(labels) == len(groups) + 1 and len(groups[0]) > 1 and labels[0] is lines[0]
    if head:  # the names of columns are not a row of the first group
        groups[0], labels = groups[0][1:], labels[1:]
    if len(groups) < _GROUPS or len(labels) != len(groups) or len({line.section for line in lines}) > 1:
        return lines
    middles = [(_middle(_behind(group[0])) + _middle(_behind(group[-1]))) / 2 for group in groups]
    off = [abs(_middle(label.cells[0]) - middle) for label, middle in zip(labels, middles, strict=True)]
    moved = sum(len(group) > 1 and label is not group[0] for label, group in zip(labels, groups, strict=True))
    if max(off) > _CENTRED * em or moved < _GROUPS:
        return lines
    texts = [label.cells[0] for label in labels]
    for label in labels:
        label.cells[0] = []
    for group, text in zip(groups, texts, strict=True):
        group[0].cells[0], group[0].labelled = text, len(group)
    return body


def _behind(row: GrowingRow) -> list[Word]:
    """The words of a row behind its first cell."""
    return [word for cell in row.cells[1:] for word in cell]


def _middle(words: list[Word]) -> float:
    return (min([w.y0 for w in words]) + max([w.y1 for w in words])) / 2


def titles_of_groups(lines: list[GrowingRow], columns: Columns, em: float, least: float) -> set[int]:
    """The lines of a label alone over rows that are titles of groups, no second lines of the label above: they begin in
    no small letter, as far down as rows do (`least` points), and for one of them at least there was room above."""
    alone: dict[int, bool] = {}
    for at, (line, below) in enumerate(pairwise(lines)):
        label, above = line.cells[0], lines[at - 1] if at else line
        if line.filled != {0} or below.filled <= {0} or not below.cells[0] or label[0].text[0].islower():
            continue
        if min(line.bottom - above.bottom if at else least, below.bottom - line.bottom) >= least:
            alone[at] = not at or not had_no_room(above.cells[0], label, columns[0], em)
    return set(alone) if any(alone.values()) else set()


def had_no_room(words: list[Word], below: list[Word], column: tuple[float, float], em: float) -> bool:
    """Whether the first word below, of one piece or several, would not have fitted behind the words of a cell."""
    if not words:
        return False  # nothing stands above
    bottom = max(w.y1 for w in words)
    end = max(w.x1 for w in words if w.y1 > bottom - em / 2)
    word = [below[0], *takewhile(lambda piece: piece.joined, below[1:])]
    return end + _SPACE * em + (word[-1].x1 - word[0].x0) > column[1]
