"""Reading order: the order the author drew in, corrected where the places of the shapes plainly contradict it.

PowerPoint's own reading order is the drawing order, and it is mostly right. It misleads when something was added late
at the top or to the left. So drawing order stands unless a shape lies wholly above another in the same column, or
wholly before another in the same row; these two relations are Breuel's partial order ("High Performance Document
Layout Analysis", 2003, §4), and the answer is its topological sort with drawing order to settle what it leaves open.
Grids read either way, by columns or by rows, as they were drawn. Sorting by (top, left) would tear columns apart."""

import heapq
from collections.abc import Sequence
from itertools import combinations

from sidecar.api import Box

_MAX_PIECES = 400  # pairs grow with the square; beyond this drawing order stands
_SLACK = 3.0  # points two neighbours may overlap and still count as apart


def reading_order(boxes: Sequence[Box | None], rtl: bool = False) -> list[int]:
    """Indices of `boxes` in reading order. Shapes without a box keep their turn. `rtl`: rows run right to left."""
    count = len(boxes)
    plain = list(range(count))
    if count < 2 or count > _MAX_PIECES:
        return plain
    before, after, disordered = _precedence(boxes, rtl)
    if not disordered:
        return plain
    ready = [i for i in plain if before[i] == 0]
    heapq.heapify(ready)
    left = set(plain)
    order: list[int] = []
    while left:
        # Four shapes around a middle can each precede the next: break such a ring at the one drawn first.
        i = heapq.heappop(ready) if ready else min(left)
        if i not in left:
            continue
        left.remove(i)
        order.append(i)
        for j in after[i]:
            before[j] -= 1
            if before[j] == 0:
                heapq.heappush(ready, j)
    return order


def _precedence(boxes: Sequence[Box | None], rtl: bool) -> tuple[list[int], list[list[int]], bool]:
    """How many boxes precede each, which follow each, and whether any was drawn after one it precedes."""
    before = [0] * len(boxes)
    after: list[list[int]] = [[] for _ in boxes]
    disordered = False
    known = [(index, box) for index, box in enumerate(boxes) if box is not None]
    for (i, first), (j, second) in combinations(known, 2):
        turn = _relation(first, second, rtl)
        if turn > 0:
            after[i].append(j)
            before[j] += 1
        elif turn < 0:
            after[j].append(i)
            before[i] += 1
            disordered = True
    return before, after, disordered


def _relation(first: Box, second: Box, rtl: bool) -> int:
    """1 when `first` must be read before `second`, -1 for the reverse, 0 when their places do not say."""
    wide = min(first[2], second[2]) - max(first[0], second[0])
    high = min(first[3], second[3]) - max(first[1], second[1])
    if wide > _SLACK and high <= _SLACK:
        return 1 if first[1] < second[1] else -1
    if high > _SLACK and wide <= _SLACK:
        return 1 if (first[0] < second[0]) != rtl else -1
    return 0
