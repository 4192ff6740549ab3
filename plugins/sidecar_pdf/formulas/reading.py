"""Reads a displayed formula from where its glyphs and bars stand: fractions by their bars, roots, limits, scripts,
matrices and cases by their delimiters, line by line.

In the manner of Zanibbi, Blostein and Cordy, "Recognizing mathematical expressions using tree transformation" (IEEE
PAMI 24(11), 2002): baselines first, what stands about them by its region; with ink boxes and type sizes of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sidecar_pdf.formulas.items import AXIS, SCRIPT_SHIFT, Item, chain, items_of, stands_beside
from sidecar_pdf.formulas.lines import (
    MARKS,
    ROW_APART,
    SCRIPT_SIZE,
    are_uneven,
    base_of,
    is_garbled,
    is_row,
    lines_of,
    of_one_size,
    script_around,
    size_of,
    with_marked_scripts,
    with_wide_marks,
)
from sidecar_pdf.formulas.neighbours import (
    BAR_END,
    NEAR,
    ROOT_JOINT,
    is_centred,
    is_label,
    is_underlined,
    is_whole,
    joins,
    own,
    reached,
    replaced,
)
from sidecar_pdf.formulas.pieces import (
    CLOSE,
    EMPTY,
    INTEGRALS,
    LIMIT_NAMES,
    OPEN,
    OPERATORS,
    STACKED,
    Piece,
    accented,
    are_parted,
    braced,
    fraction,
    is_balanced,
    labelled,
    matrix,
    overlined,
    root,
    row,
    scripted,
    stacked,
    underlined,
)
from sidecar_pdf.pdfium.geometry import bounding_box
from sidecar_pdf.pdfium.graphics import Rule
from sidecar_pdf.text.glyphs import Glyph

_BRACES = frozenset("⏟⏞")
_STOPS = frozenset(".,;")
_UNSCRIPTED = frozenset(("relation", "binary", "comma", "open"))
"""What has no scripts beside it."""
# Ems of the line, unless said.
_MATRIX = 1.7  # height of delimiters that may hold rows
_INDEX_WITHIN = 0.1  # by which the index of a root reaches over its sign: what ends before it is a power of another
_INDEX_INTO, _INDEX_BEFORE = 0.6, 0.5  # of the sign's size that it reaches into it; from its left end to the sign
_INDEX_OVER, _INDEX_UNDER = 0.3, 0.1  # by which it ends above the sign's top at most, and below its middle
_CELLS_APART, _CASES_APART = 0.42, 0.7  # of white space between the cells of a matrix, or of cases
_CELL_WITHIN = 0.1  # by which a cell reaches into a delimiter
_FRACTION_SHIFT = 0.25  # by which scripts of what was made of several stand off the baseline
_SMALL, _SMALL_SHIFT = 0.75, 0.05  # of the size of the line, and by which scripts so small are off it at least
_LIMIT_REACH = 1.0  # over and under an operator
_LIMIT_CLOSE, _INTEGRAL_CLOSE = 0.2, 0.05  # by which limits reach into an operator, and into an integral sign
_LABEL_REACH, _LABEL_SIZE = 1.0, 0.5  # of a relation, from its middle to that of what stands over it; of its letters
_MARK_HEIGHT = 0.3  # from the baseline to the foot of a mark over a letter
_MARK_LEFT, _MARK_RIGHT = 0.3, 0.15  # by which the middle of a mark is off its letter: italic ones lean to the right
_BRACE_REACH = 2.5  # from a brace that lies to what it holds together
_ALIKE = 0.3  # of the height of a delimiter by which that of its partner differs
_MIN_SIZE = 0.65  # of the largest size, of scripts of scripts
_RAISED, _SUNK = 0.3, 0.1  # ems of those by which theirs are raised or lowered
_SAME_SIZE = 0.05  # points by which equal sizes differ


def read_formula(glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> Piece | None:
    """The formula that glyphs and horizontal rules `(y, x0, x1)` draw; None where signs of one line stand over one
    another, as halves of a fraction do whose bar is not a rule, or where a bar is left over."""
    items = items_of(glyphs)
    braces = [i for i in items if i.text in _BRACES]
    sizes = [i.size for i in items] or [0.0]
    least = min(sizes) if min(sizes) < _MIN_SIZE * max(sizes) else 0.0
    bars = [r for r in rules if not any(b.y0 < r[0] < b.y1 and b.x0 < r[1] < b.x1 for b in braces)]
    of_roots = {r for r in bars if any(i.text == "√" and joins(i, r[0], r[1]) for i in items)}
    reader = _Recogniser(bars, of_roots, least)
    formula = reader.read(items)
    halved = any(_crosses(rule, items) for rule in reader.unclaimed)
    return None if reader.garbled or halved else formula


def _crosses(rule: Rule, items: list[Item]) -> bool:
    """Whether a bar stands among the signs."""
    y, left, right = rule
    x0, y0, x1, y1 = bounding_box((i.x0, i.y0, i.x1, i.y1) for i in items)
    return y0 < y < y1 and left < x1 and right > x0


class _Recogniser:
    """Reads items; `unclaimed` are the bars that nothing was made of yet, of which `of_roots` go on from radicals,
    `garbled` says that what was read makes no sense."""

    def __init__(self, rules: list[Rule], of_roots: Collection[Rule], least: float) -> None:
        self.unclaimed = rules
        self.garbled = False
        self._of_roots = of_roots
        self._depth = 0
        self._least = least

    def _is_least(self, item: Item, shift: float) -> bool:
        """Whether an item is a script of a script, in which TeX makes type no smaller."""
        off = shift > _RAISED * item.size or -shift > _SUNK * item.size
        return item.size < self._least + _SAME_SIZE and item.text.isalnum() and off

    def read(self, items: list[Item]) -> Piece:
        """What items that belong together say."""
        if not items:
            return EMPTY
        em = size_of(items)
        self._depth += 1
        items = self._with_matrices(self._with_braces(self._with_bars(items, em), em), em)
        lines = lines_of(items, em)
        bases = [base_of(line, em) for line in lines]
        pieces = [self._line(self._with_limits(line, em), em) for line in lines]
        self._depth -= 1
        made = stacked(pieces, nested=self._depth > 0)
        whole = is_balanced(made.linear) if self._depth else not are_parted(pieces)
        left = [i for i in items if i.text in OPEN + CLOSE and not i.made and len(lines) > 1]
        across = any(sum(i.y0 < base < i.y1 for base in bases) > 1 for i in left)
        return made._replace(sure=made.sure and whole and not across)

    def _with_bars(self, items: list[Item], em: float) -> list[Item]:
        """With fractions, roots and overlined stretches made, the widest bar first."""
        x0, y0, x1, y1 = bounding_box((i.x0, i.y0, i.x1, i.y1) for i in items)
        for rule in sorted(self.unclaimed, key=lambda r: r[1] - r[2]):
            y, left, right = rule
            if rule not in self.unclaimed or not (x0 - em < left and right < x1 + em and y0 - em < y < y1 + em):
                continue
            within = [
                i for i in items if left - BAR_END * em <= i.middle <= right + BAR_END * em
                and not (i.text in _STOPS and i.middle > right)
            ]  # fmt: skip
            sign = next((i for i in items if i.text == "√" and not i.made and joins(i, y, left)), None)
            if sign is not None:
                self.unclaimed.remove(rule)
                items = self._rooted(
                    items, sign, [i for i in within if i is not sign and i.y0 > y - BAR_END * em], em, rule
                )
                continue
            if rule in self._of_roots:
                continue
            roots = [i for i in items if i.text == "√" and not i.made]
            bars = [
                r[0] for r in self.unclaimed if r is not rule and left - em < r[1] and r[2] < right + em
                and not any(joins(i, r[0], r[1]) for i in roots)
            ]  # fmt: skip
            above, below = reached(within, y, em, bars, up=True), reached(within, y, em, bars, up=False)
            above, below = of_one_size(above, below)
            if not below and is_underlined([i for i in above if left < i.middle < right], y, em):
                above = [i for i in above if left < i.middle < right]  # what stands close beside it has no line
                self.unclaimed.remove(rule)
                made = underlined(self.read(above))
                items = replaced(items, above, made, base_of(above, em), max(i.size for i in above), (left, right))
                continue
            wordy = any(i.piece.kind == "word" for i in below)
            if not below or (not above and (wordy or min(i.y0 for i in below) - y > ROOT_JOINT * em)):
                continue
            self.unclaimed.remove(rule)
            if not above:
                near = [i for i in below if i.y0 - y < ROOT_JOINT * em or i.base - y < em]
                below = [i for i in near if left < i.middle < right] or near
            taken = [*above, *below]
            over, under = self.read(above), self.read(below)
            self.garbled = self.garbled or any(half.latex.startswith(STACKED) for half in (over, under))
            piece = fraction(over, under) if above else overlined(under)
            size = max(i.size for i in taken)
            base = y + AXIS * size if above else base_of(below, em)
            items = replaced(items, taken, piece, base, size, (left, right))
        return items

    def _rooted(self, items: list[Item], sign: Item, body: list[Item], em: float, bar: Rule) -> list[Item]:
        inner = [r[0] for r in self.unclaimed if bar[1] <= r[1] and r[2] <= bar[2] and abs(r[0] - sign.y1) < NEAR * em]
        foot = max([sign.y1, *(y + em for y in inner)])  # browsers draw the sign without its foot
        body = [i for i in body if i.y1 < foot + ROOT_JOINT * em]
        small = [i for i in items if i is not sign and i not in body and i.size < SCRIPT_SIZE * sign.size]
        small = [
            i for i in small if not any(r[1] < i.middle < r[2] and sign.y0 - em < r[0] < i.y0 for r in self.unclaimed)
        ]
        index = [
            i for i in small if i.x1 <= sign.x0 + _INDEX_INTO * sign.size and i.x1 > sign.x0 + _INDEX_WITHIN * sign.size
            and i.x0 > sign.x0 - _INDEX_BEFORE * em
            and sign.y0 - _INDEX_OVER * em < i.y1 <= (sign.y0 + sign.y1) / 2 + _INDEX_UNDER * em
        ]  # fmt: skip
        piece = root(self.read(body), self.read(index))
        return replaced(items, [sign, *body, *index], piece, base_of(body, em), max(i.size for i in [sign, *body]))

    def _with_braces(self, items: list[Item], em: float) -> list[Item]:
        """With what stands over or under a brace that lies made one with its label."""
        for brace in sorted((i for i in items if i.text in _BRACES), key=lambda i: i.x1 - i.x0):
            under, reach = brace.text == "⏟", _BRACE_REACH * em
            within = [
                i for i in items if i is not brace and brace.x0 - BAR_END * em < i.middle < brace.x1 + BAR_END * em
            ]
            above = [i for i in within if brace.y0 - reach < i.center < brace.center]
            below = [i for i in within if brace.center <= i.center < brace.y1 + reach]
            body, label = (above, below) if under else (below, above)
            label = chain([i for i in items if i.size < SCRIPT_SIZE * em and is_label(i, brace, reach)], brace, em)
            body = [i for i in body if i not in label]
            if body:
                piece = braced(self.read(body), self.read(label), under=under)
                items = replaced(items, [brace, *body, *label], piece, base_of(body, em), em, (brace.x0, brace.x1))
        return items

    def _with_matrices(self, items: list[Item], em: float) -> list[Item]:
        """With what stands in rows between tall delimiters made one."""
        for left in sorted((i for i in items if i.text and i.text in "([{|‖"), key=lambda i: -i.x0):
            tall = left.height > _MATRIX * em
            if left not in items or not (tall or left.text in "(["):
                continue
            rest = sorted(
                (
                    i
                    for i in items
                    if i is not left and i.x0 >= left.x1 - _CELL_WITHIN * em and stands_beside(i, left, em)
                ),
                key=lambda i: i.x0,
            )
            wanted = CLOSE[OPEN.index(left.text)] if left.text in OPEN else left.text
            right = next(
                (i for i in rest if i.text == wanted and abs(i.height - left.height) < _ALIKE * left.height), None
            )
            if right is None and left.text != "{":
                continue
            inside = [i for i in rest if right is None or i.x1 <= right.x0 + _CELL_WITHIN * em]
            inside = [i for i in inside if i is not right]
            rows = lines_of(inside, em) if tall else [inside]
            if len(rows) < 2 and not is_row(items, inside, left, em):
                continue
            apart = ROW_APART if len(rows) < 2 else _CELLS_APART if right else _CASES_APART
            cells = self._cells(rows, em, apart)
            piece = matrix(cells, left.text, right.text if right else "")
            taken = [left, *inside, *([right] if right else [])]
            items = replaced(items, taken, piece, (left.y0 + left.y1) / 2 + AXIS * em, em)
        return items

    def _cells(self, rows: list[list[Item]], em: float, apart: float) -> list[list[Piece]]:
        """Rows parted where white space runs through all of them."""
        spans: list[list[float]] = []
        for item in sorted((i for line in rows for i in line), key=lambda i: i.x0):
            if spans and item.x0 - spans[-1][1] < apart * em:
                spans[-1][1] = max(spans[-1][1], item.x1)
            else:
                spans.append([item.x0, item.x1])
        return [[self.read([i for i in line if x0 <= i.middle <= x1]) for x0, x1 in spans] for line in rows]

    def _with_limits(self, items: list[Item], em: float) -> list[Item]:
        """With what stands over and under operators made theirs."""
        signs = [i for i in items if i.text in OPERATORS or i.text in LIMIT_NAMES]
        for sign in sorted(signs, key=lambda i: i.x0):
            small = [i for i in items if i is not sign and i.size < SCRIPT_SIZE * sign.size]
            reach, close = _LIMIT_REACH * em, (_INTEGRAL_CLOSE if sign.text in INTEGRALS else _LIMIT_CLOSE) * em
            over = chain([i for i in small if i.y1 <= sign.y0 + close and i.y1 > sign.y0 - reach], sign, em)
            under = chain([i for i in small if i.y0 >= sign.y1 - close and i.y0 < sign.y1 + 2 * reach], sign, em)
            over, under = (own(side, sign, signs) for side in (over, under))
            if sign.text in INTEGRALS:
                over, under = (side if is_whole(side, small) else [] for side in (over, under))
            if over or under:
                piece = scripted(sign.piece, self.read(under), self.read(over))
                items = replaced(items, [sign, *over, *under], piece, sign.base, sign.size, (sign.x0, sign.x1))
        for sign in [i for i in items if i.piece.kind == "relation" and not i.made]:
            reach = _LABEL_REACH * sign.size
            near = [i for i in items if i.size < SCRIPT_SIZE * sign.size and abs(i.center - sign.center) < reach]
            near = chain([i for i in near if i.y1 < sign.center or i.y0 > sign.center], sign, _LABEL_SIZE * em)
            over, under = [i for i in near if i.y1 < sign.center], [i for i in near if i.y0 > sign.center]
            over, under = (side if is_centred(side, sign) else [] for side in (over, under))
            if over:
                piece = labelled(sign.piece, self.read(under), self.read(over))
                items = replaced(items, [sign, *over, *under], piece, sign.base, sign.size)
        return items

    def _line(self, items: list[Item], em: float) -> Piece:
        """One line, left to right: scripts go to what they stand beside, marks to what they stand over."""
        base = base_of(items, em)
        items = sorted(with_wide_marks(with_marked_scripts(items, em), em), key=lambda i: (i.x0, i.base))
        marks = [i for i in items if (i.text in MARKS or i.text == "→") and i.y1 < base - _MARK_HEIGHT * em]
        parts: list[tuple[Item, list[Item], list[Item]]] = []
        for item in (i for i in items if i not in marks):
            if host := script_around(parts[-1][1:], item) if parts else None:
                host.append(item)
                continue
            shift = base - item.base
            least = (_FRACTION_SHIFT if item.made else _SMALL_SHIFT if item.size < _SMALL * em else SCRIPT_SHIFT) * em
            small = item.size < SCRIPT_SIZE * em or item.text in "′″‴'" or self._is_least(item, shift)
            if (
                parts
                and small
                and parts[-1][0].piece.kind not in _UNSCRIPTED
                and (abs(shift) > least or (item.text in "′″‴'" and not item.made))
            ):
                (parts[-1][1] if shift < 0 else parts[-1][2]).append(item)
            else:
                parts.append((item, [], []))
        self.garbled = self.garbled or is_garbled([item for item, _, _ in parts], em)
        uneven = are_uneven([item for item, _, _ in parts])
        pieces: list[tuple[Piece, float]] = []
        last = items[0].x0
        for item, below, above in parts:
            piece = item.piece
            slack = 0.0 if piece.kind in {"function", "word"} else em  # a mark close beside a name is another's
            left, right = item.x0 - _MARK_LEFT * slack, item.x1 + _MARK_RIGHT * slack
            later = [other for other, _, _ in parts if other.x0 > item.middle]
            mark = next(
                (m for m in marks if left < m.middle < right and not any(o.x0 <= m.middle <= o.x1 for o in later)), None
            )
            if mark is not None:
                marks.remove(mark)
                piece = accented(piece, mark.text)
            if below or above:
                piece = scripted(piece, self.read(below), self.read(above))
            pieces.append((piece, (item.x0 - last) / em))
            last = max(i.x1 for i in (item, *below, *above))
        made = row(pieces)
        return made._replace(sure=made.sure and not marks and not uneven)
