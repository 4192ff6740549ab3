"""Finds tables without cell borders: rows between full-width rules, and columns that line up without any rule.

Without rules the bar is high (several rows, several columns, short cells, clean white between them), since running text
in columns must never become a table.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from sidecar.api import Box
from sidecar_pdf.layout.cells import NUMERIC, cell_text, header_rows
from sidecar_pdf.layout.tables import FoundTable, merged_rules, positions
from sidecar_pdf.text.scan import Scene
from sidecar_pdf.text.segments import Segment, Word

_MAX_STOPS, _MAX_RULES = 7, 24
_LEAST, _SHORT = 60.0, 30.0
"""Points a table between rules is wide, and the rules of a group of its columns are long."""
_BLANK = 10.0
"""Points between two rules with nothing in between that part two tables."""
_BREAK = 16.0
"""Points between the rules of two groups of columns."""
_LISTED = 0.5
"""The share of figures among the cells from which on typewriter type is a table's after all."""
_LEADERS = re.compile(r"(?:\.\s?){5,}|…{2,}|_{5,}")


def rule_bands(scene: Scene, tables: list[FoundTable], segments: Sequence[Segment]) -> list[list[Box]]:
    """Areas between stacked horizontal rules of one extent, with no vertical rule: how scientific tables are set. Each
    comes with its parts between some of the rules, the tallest first: rules may part sections of a page as well."""
    bands: list[tuple[float, float, list[float]]] = []
    for y, left, right in sorted(merged_rules(scene.horizontal)):
        if right - left < _SHORT or any(
            t.x0 - 4 <= left and right <= t.x1 + 4 and t.y0 - 4 <= y <= t.y1 + 4 for t in tables
        ):
            continue
        for band in bands:
            if abs(band[0] - left) < 5 and abs(band[1] - right) < 5 and y - band[2][-1] < 330:
                band[2].append(y)
                break
        else:
            for band in bands:  # the last rule of a table may run on into the margin
                if left < band[0] + 5 and right > band[1] - 5 and len(band[2]) > 1 and y - band[2][-1] < 330:
                    band[2].append(y)
            bands.append((left, right, [y]))
    found: list[list[Box]] = []
    middles = [((s.x0 + s.x1) / 2, (s.y0 + s.y1) / 2) for s in segments] if bands else []
    parts = [
        (left, right, part) for left, right, ys in _joined(bands)
        for part in _parted(positions(ys), sorted(y for x, y in middles if left <= x <= right))
    ]  # fmt: skip
    for left, right, stops in parts:
        if len(stops) < 2 or stops[-1] - stops[0] <= 14:
            continue
        near = stops if len(stops) <= _MAX_RULES else []
        spans = [(a, b) for at, a in enumerate(near) for b in near[at + 1 : at + _MAX_STOPS] if b - a > 14]
        if len(stops) > _MAX_STOPS:  # one tall table, or several of one width below each other
            spans.append((stops[0], stops[-1]))
        spans.sort(key=lambda span: span[0] - span[1])
        found.append([(left, a, right, b) for a, b in spans])
    return found


def _parted(stops: list[float], texts: list[float]) -> list[list[float]]:
    """Rules parted where nothing stands between two of them: the foot of one table and the head of the next. `texts`
    are the heights text stands at."""
    parts: list[list[float]] = [[]]
    for at, stop in enumerate(stops):
        parts[-1].append(stop)
        below = stops[at + 1] if at + 1 < len(stops) else stop
        blank = below - stop > _BLANK and bisect_right(texts, stop) == bisect_right(texts, below)
        if blank and len(parts[-1]) > 1 and at + 2 < len(stops):
            parts.append([])
    return parts


_Band = tuple[float, float, list[float]]


def _joined(bands: list[_Band]) -> list[_Band]:
    """The bands with those side by side made one whose rules stand at the same heights: the rules of one table, broken
    between groups of its columns."""
    joined: list[_Band] = []
    for band in sorted(bands, key=lambda band: (band[0], band[1])):
        for at, (left, right, ys) in enumerate(joined):
            if not -1.0 <= band[0] - right < _BREAK:
                continue
            shared = sum(any(abs(y - other) < 1.5 for other in ys) for y in band[2])
            if shared >= 3 and shared >= 0.7 * max(len(ys), len(band[2])):
                joined[at] = (left, band[1], positions([*ys, *band[2]]))
                break
        else:
            joined.append(band)
    whole: list[_Band] = []
    for left, right, ys in joined:
        same = next((b for b in whole if abs(b[0] - left) < 5 and abs(b[1] - right) < 5), None)
        if same and min(ys[-1], same[2][-1]) > max(ys[0], same[2][0]):
            same[2][:] = positions([*same[2], *ys])
        elif right - left >= _LEAST:
            whole.append((left, right, ys))
    return whole


def aligned_table(rows: list[list[Segment]], *, between_rules: bool, rules: Sequence[float] = ()) -> FoundTable | None:
    """The rows as a table if their columns line up, else None. `rows` are consecutive lines of text; `rules` are the
    heights of the rules they stand between, which tell rows of several lines."""
    body = [row for row in rows if len(row) >= 2]
    if len(body) < (2 if between_rules else 3) or len(body) < 0.6 * len(rows):
        return None
    columns = _column_spans(body)
    if len(columns) < 2:
        return None
    texts, lengths = [], []
    starts = [c[0] - 1 for c in columns]
    for row in rows:
        cells: list[list[Word]] = [[] for _ in columns]
        for segment in sorted(row, key=lambda s: s.x0):
            for word in segment.words:
                at = max(bisect_right(starts, word.x0 + 0.01) - 1, 0)
                cells[at].append(word)
        texts.append([cell_text(cell) for cell in cells])
        lengths += [len(text) for text in texts[-1] if text]
    filled = len(lengths) / (len(texts) * len(columns))
    numeric = [t for row in texts for t in row[1:] if t]
    figures = sum(bool(NUMERIC.match(t)) for t in numeric) / max(len(numeric), 1)
    if any(_LEADERS.search(t) for row in texts for t in row) or max(lengths) > 240:
        return None
    if all(segment.style.mono for row in rows for segment in row) and not figures > _LISTED:
        return None  # a listing, which lines up all by itself
    mean = sum(lengths) / len(lengths)
    if between_rules:
        if filled < 0.4 or mean > 60 or (figures < 0.2 and not _is_filled(texts)):
            return None
    elif (
        filled < 0.55 or mean > (34 if figures > 0.3 else 22) or not _is_even(body) or not _lines_up(body, columns)
        or (_used(texts) < 3 and not _is_paired(body, texts, figures))
    ):  # fmt: skip
        return None
    texts = _gathered(texts, rows, rules)
    segments = [segment for row in rows for segment in row]
    table = FoundTable(
        min(s.x0 for s in segments), min(s.y0 for s in segments), max(s.x1 for s in segments),
        max(s.y1 for s in segments), texts, order=min(s.order for s in segments), segments=segments,
    )  # fmt: skip
    table.header_rows = header_rows(texts, bold=all(s.style.bold for s in rows[0]))
    return table


def _gathered(texts: list[list[str]], rows: list[list[Segment]], rules: Sequence[float]) -> list[list[str]]:
    """Lines between two rules as one row, where rules part all rows: no two of their lines open one."""
    groups: dict[int, list[list[str]]] = {}
    for text, row in zip(texts, rows, strict=True):
        middle = (min(s.y0 for s in row) + max(s.y1 for s in row)) / 2
        groups.setdefault(bisect_right(rules, middle), []).append(text)
    if len(groups) < 3 or any(not group[0][0] or any(line[0] for line in group[1:]) for group in groups.values()):
        return texts
    return [[" ".join(filter(None, cell)) for cell in zip(*group, strict=True)] for group in groups.values()]


def _is_filled(texts: list[list[str]]) -> bool:
    """Whether at least three columns, or two in most rows, hold words: an address between two rules has none of it."""
    if _used(texts) >= 3:
        return True
    leading = [row for row in texts if row[0]]  # the others carry on a cell of the row above
    return (
        len(texts[0]) == 2
        and len(leading) >= 0.4 * len(texts)
        and sum(bool(r[1]) for r in leading) >= 0.8 * len(leading)
    )


def _used(texts: list[list[str]]) -> int:
    """Columns that hold more than a stray cell."""
    return sum(sum(bool(row[c]) for row in texts) >= max(2, 0.3 * len(texts)) for c in range(len(texts[0])))


def _is_even(rows: list[list[Segment]]) -> bool:
    """Whether the rows are set in one size: letterheads and forms mix several."""
    sizes = sorted(segment.style.size for row in rows for segment in row)
    middle = sizes[len(sizes) // 2]
    return sum(abs(size - middle) <= 0.12 * middle for size in sizes) >= 0.75 * len(sizes)


def _lines_up(rows: list[list[Segment]], columns: list[tuple[float, float]]) -> bool:
    """Whether the pieces of each column share an edge or their middle; wide spaces in justified lines do not."""
    em = rows[0][0].style.size or 9.0
    starts = [c[0] - 1 for c in columns]
    members: list[list[Segment]] = [[] for _ in columns]
    for row in rows:
        for segment in row:
            members[max(bisect_right(starts, segment.x0 + 0.01) - 1, 0)].append(segment)
    for own in members:
        if len(own) < 3:
            continue
        edges = [s.x0 for s in own], [s.x1 for s in own], [(s.x0 + s.x1) / 2 for s in own]
        if min(_spread(values) for values in edges) > 0.8 * em:
            return False
    return True


def _spread(values: list[float]) -> float:
    """The median distance from the median."""
    middle = sorted(values)[len(values) // 2]
    return sorted(abs(value - middle) for value in values)[len(values) // 2]


def _is_paired(body: list[list[Segment]], texts: list[list[str]], figures: float) -> bool:
    """Two columns are a table where the second holds figures, or where names stand against values in five rows or
    more, each column on its own left edge."""
    if len(body) < 4 or all(len(row[0]) <= 3 for row in texts):
        return False  # bullets or numbers before text: a list
    pages = [row[1] for row in texts]
    if all(page.isdigit() for page in pages) and sorted(pages, key=int) == pages:
        return False  # titles and their pages: contents
    if figures >= 0.7:
        return True
    em = body[0][0].style.size or 9.0
    pairs = [sorted(row, key=lambda s: s.x0) for row in body if len(row) == 2]
    if len(pairs) < 5 or len(pairs) < 0.8 * len(body):
        return False
    gutter = min(right.x0 - left.x1 for left, right in pairs)
    return gutter > em and max(_spread([p[0].x0 for p in pairs]), _spread([p[1].x0 for p in pairs])) < 1.0


def _column_spans(rows: list[list[Segment]]) -> list[tuple[float, float]]:
    """Column extents: what is covered by segments of at least a tenth of the rows, split by clean white."""
    edges: list[tuple[float, int]] = []
    for row in rows:
        for segment in row:
            edges += ((segment.x0, 1), (segment.x1, -1))
    edges.sort()
    need = 1 + len(rows) // 12
    em = rows[0][0].style.size or 9.0
    spans: list[tuple[float, float]] = []
    depth, start = 0, 0.0
    for x, step in edges:
        before, depth = depth, depth + step
        if before < need <= depth:
            start = x
        elif before >= need > depth:
            if spans and start - spans[-1][1] < 0.4 * em:
                spans[-1] = (spans[-1][0], x)
            else:
                spans.append((start, x))
    return spans
