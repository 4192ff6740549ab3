"""The pieces of lines of heads, before these are cells: what stands over one of several rules, or over one of several
columns, is a head, though heads stand as close as words."""

from collections.abc import Sequence
from itertools import pairwise

from sidecar_pdf.layout.tables.found import off_edges
from sidecar_pdf.layout.tables.grid_rows import AT_RULE, UNDER_HEADER, Columns
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.segments import Word

_APART = 0.8  # points between two rules that are not pieces of one
# Ems.
_ONE_HEAD = 0.6  # ems between two words of a head over one rule, at most
_HEAD_GAP = 0.2  # ems between two heads, which may stand as close as words
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
