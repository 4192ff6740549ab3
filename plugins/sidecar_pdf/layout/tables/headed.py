"""Finds tables whose heads alone are ruled: a row of short rules, one under the head of each column or group of
columns, over lines that keep to the columns; financial statements are set so. Rows and cells `aligned` tells."""

import re
from collections.abc import Iterable

from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.layout.tables.aligned import table_between_rules
from sidecar_pdf.layout.tables.borders.drawn_grid import merged_rules
from sidecar_pdf.layout.tables.columns.stretches import goes_on
from sidecar_pdf.layout.tables.found import NUMERIC, FoundTable
from sidecar_pdf.layout.tables.grid import CURRENCIES
from sidecar_pdf.pdfium.graphics import PageGraphics, Rule
from sidecar_pdf.text.segments import Segment, Word

# Points.
_SAME_HEIGHT = 1.5  # between the rules of one row
_MIN_RULE = 18.0  # length of a rule under a head
_MIN_APART, _MAX_APART = 1.5, 160.0  # between two rules of a row
_OUT_OF_RULE = 3.0  # by which text may reach out of the column under its rule
_UNDER_HEAD = 9.0  # from a line of heads down to the rule under it
_IN_TABLE = 4.0  # around a table found before, whose rules are not looked at again
_BASELINE = 1.0  # from the foot of a label to that of its figures
# Heights of a line.
_HEAD_GAP, _ROW_GAP = 0.8, 3.0  # from head to head, and from row to row with a blank one between
# Counts and shares.
_MAX_HEADS = 8  # lines of heads
_FULL_ROW = 3  # pieces of a row that is one without figures too
_FIGURED = 0.4  # lines with figures in the columns, of all
_LABELLED = 0.8  # rows with a label left of the rules, of all
_NEAR_ROWS = 3  # lines under a rule across all columns, of which one has a figure if they are rows
_YEAR = re.compile(r"(?:19|20)\d\d[AEF]?")

_Line = list[Segment]


def headed_tables(graphics: PageGraphics, tables: list[FoundTable], free: list[Segment]) -> list[FoundTable]:
    """The tables under rows of short rules on a page, besides those already found, of `free` text."""
    rules = merged_rules(graphics.horizontal)
    anchors = _rule_rows([rule for rule in rules if not _is_in(rule, tables)])
    level = [s for s in free if not s.vertical] if anchors else []
    found: list[FoundTable] = []
    for anchor in anchors:
        if any(_is_in(rule, found) for rule in anchor) or not _may_have_heads(anchor, rules, level):
            continue
        heads, body = _own_lines(anchor, rules, _lines_at(anchor, level))
        if not body:
            continue
        at = anchor[0][0]
        over = [rule for rule in rules if heads[0][0].y0 < rule[0] <= at + _SAME_HEIGHT]
        table = table_between_rules([*heads, *body], [at], over, named=len(heads))
        if table is not None:
            table.ruled = True
            found.append(table)
            taken = set(map(id, table.segments))
            level = [s for s in level if id(s) not in taken]
    return found


def _is_in(rule: Rule, tables: Iterable[FoundTable]) -> bool:
    y, left, right = rule
    return any(
        t.x0 - _IN_TABLE <= right and left <= t.x1 + _IN_TABLE and t.y0 - _IN_TABLE <= y <= t.y1 + _IN_TABLE
        for t in tables
    )


def _rule_rows(rules: list[Rule]) -> list[list[Rule]]:
    """Rules of one height side by side, top to bottom, left to right."""
    rows: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: (round(rule[0] / _SAME_HEIGHT), rule[1])):
        last = rows[-1][-1] if rows else None
        level = last is not None and abs(rule[0] - last[0]) < _SAME_HEIGHT
        if last is not None and level and _MIN_APART <= rule[1] - last[2] <= _MAX_APART:
            rows[-1].append(rule)
        else:
            rows.append([rule])
    return [row for row in rows if len(row) > 1 and all(right - left >= _MIN_RULE for _, left, right in row)]


def _may_have_heads(anchor: list[Rule], rules: list[Rule], level: list[Segment]) -> bool:
    """Whether the text right over a row of rules keeps to the columns under them: forms have many rules with none, and
    to gather all lines of the page for each costs much."""
    y, left, right = anchor[0][0], anchor[0][1], anchor[-1][2]
    near = [
        s for s in level
        if y - _UNDER_HEAD <= s.y1 and (s.y0 + s.y1) / 2 < y and s.x0 < right and s.x1 > left + _OUT_OF_RULE
    ]  # fmt: skip
    columns = [(x0 - _OUT_OF_RULE, x1 + _OUT_OF_RULE) for _, x0, x1 in anchor]
    return bool(near) and bool(_in_columns(rows_of(near)[-1], columns, rules))


def _lines_at(anchor: list[Rule], level: list[Segment]) -> list[_Line]:
    """The lines in the extent of a row of rules, with what stands left of them where nearly every row has a label there
    on its baseline: the text of another column of the page keeps to other heights."""
    y, left, right = anchor[0][0], anchor[0][1], anchor[-1][2]
    inside = [s for s in level if s.x0 < right and s.x1 > left + _OUT_OF_RULE]
    before = [s for s in level if s.x1 <= left + _OUT_OF_RULE]
    lines = rows_of(inside)
    columns = [(x0 - _OUT_OF_RULE, x1 + _OUT_OF_RULE) for _, x0, x1 in anchor]
    rows = _body([line for line in lines if (line[0].y0 + line[0].y1) / 2 > y], columns, y)
    labelled = sum(any(abs(s.y1 - row[-1].y1) < _BASELINE for s in before) for row in rows)
    return rows_of([*before, *inside]) if rows and labelled >= _LABELLED * len(rows) else lines


def _own_lines(anchor: list[Rule], rules: list[Rule], lines: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """The lines of heads over a row of rules, and those of the rows under it; none where they are not a table's."""
    y = anchor[0][0]
    columns = [(left - _OUT_OF_RULE, right + _OUT_OF_RULE) for _, left, right in anchor]
    above = [line for line in lines if line[0].y1 <= y + _SAME_HEIGHT]
    heads: list[_Line] = []
    for line in reversed(above[-_MAX_HEADS:]):
        own = _in_columns(line, columns, rules)
        top, height = (min(s.y0 for s in heads[0]) if heads else y), line[0].y1 - line[0].y0
        if not own or top - max(s.y1 for s in own) > (_HEAD_GAP * height if heads else _UNDER_HEAD):
            break
        heads.insert(0, own)
    if not heads or not _are_heads([s for line in heads for s in line], columns):
        return [], []
    under = _to_rule_across(anchor, rules, [line for line in lines if (line[0].y0 + line[0].y1) / 2 > y])
    body = _body(under, columns, y)
    return ([], []) if _are_beside(body, columns) else (heads, body)


def _to_rule_across(anchor: list[Rule], rules: list[Rule], lines: list[_Line]) -> list[_Line]:
    """The lines under a row of rules up to the first rule across all of it under which no figure stands in a column:
    there the text of the page begins, under the keywords and the abstract of a paper."""
    y, left, right = anchor[0][0], anchor[0][1], anchor[-1][2]
    across = (rule for rule in rules if rule[1] < left + _OUT_OF_RULE and rule[2] > right - _OUT_OF_RULE)
    for at in (rule[0] for rule in across if rule[0] > y + _SAME_HEIGHT):
        below = [line for line in lines if (line[0].y0 + line[0].y1) / 2 > at]
        if not any(NUMERIC.match(s.text) for line in below[:_NEAR_ROWS] for s in line if s.x0 > left):
            return lines[: len(lines) - len(below)]
    return lines


def _are_beside(body: list[_Line], columns: list[tuple[float, float]]) -> bool:
    """Whether labels and values stand under every rule: tables side by side, each under its title."""
    return all(
        sum(sum(x0 <= s.x0 and s.x1 <= x1 and s.text not in CURRENCIES for s in line) > 1 for line in body)
        > _FIGURED * len(body)
        for x0, x1 in columns
    )


def _are_heads(heads: list[Segment], columns: list[tuple[float, float]]) -> bool:
    """Whether every column but the first has a head, and none is a figure but a year."""
    words = [w for s in heads for w in s.words]
    if any(NUMERIC.match(s.text) and not _YEAR.fullmatch(s.text) for s in heads):
        return False
    return all(any(left <= w.x0 and w.x1 <= right for w in words) for left, right in columns[1:])


def _body(lines: list[_Line], columns: list[tuple[float, float]], top: float) -> list[_Line]:
    """The lines under heads as far as they keep to the columns, up to a caption, and to the last with figures, as many
    pieces as any above, or further lines of its cells."""
    body: list[_Line] = []
    figured = 0
    last = top
    for line in lines:
        own = _in_columns(line, columns, ())
        height = line[0].y1 - line[0].y0
        captioned = len(own) == 1 and match_caption(own[0].text) is not None
        gap = min(s.y0 for s in own) - last if own else 0.0
        if not own or captioned or gap > _ROW_GAP * height:
            break
        body.append(own)
        last = max(last, *(s.y1 for s in own))
        full = gap < height and _FULL_ROW <= len(own) >= max(map(len, body))
        further = len(body) > 1 and figured == len(body) - 1 and goes_on(body[-2], own)
        if full or further or any(s.x1 > columns[0][0] and any(map(str.isdigit, s.text)) for s in own):
            figured = len(body)
    return body[:figured]


def _in_columns(line: _Line, columns: list[tuple[float, float]], rules: Iterable[Rule]) -> _Line:
    """What of a line is in the columns, and the label before it; nothing where a word stands across two of them, unless
    one of the `rules` under the line spans these, or the label comes as near to the first column as words do."""
    left = columns[0][0]
    own = sorted(line, key=lambda s: s.x0)
    words = [w for s in own for w in s.words]
    inside = [w for w in words if w.x1 > left + _OUT_OF_RULE]
    for word in inside:
        if not any(x0 <= word.x0 and word.x1 <= x1 for x0, x1 in columns) and not _is_spanned(word, rules):
            return []
    labels = [s for s in own if s.words[-1].x1 <= left + _OUT_OF_RULE]
    return [*labels[-1:], *(s for s in own if s not in labels)]


def _is_spanned(word: Word, rules: Iterable[Rule]) -> bool:
    return any(
        -_OUT_OF_RULE < y - word.y1 < _UNDER_HEAD and left - _OUT_OF_RULE <= word.x0 and word.x1 <= right + _OUT_OF_RULE
        for y, left, right in rules
    )
