"""Which signs of a formula belong to a bar, a radical, an operator or a relation, by where they stand about it."""

from __future__ import annotations

from sidecar_pdf.formulas.items import SCRIPT_SHIFT, Item, is_tall
from sidecar_pdf.formulas.lines import SCRIPT_SIZE
from sidecar_pdf.formulas.pieces import OPERATORS, Piece
from sidecar_pdf.pdfium.geometry import bounding_box

# Ems of the line, unless said.
BAR_END, ROOT_JOINT = 0.15, 0.35  # by which bars reach past their halves; between a radical and its bar
NEAR, _FURTHER = 0.8, 0.35  # from a bar to its halves; from their first line on to what belongs to it
_OTHER_ROW = 0.8  # between the baseline of a half and what is not part of it: rows of cases stand close
_UNDERLINE_GAP = 0.25  # from letters to the line under them (TeX leaves 0.12)
_ON_LINE = 0.4  # from a line up to the bars of its own fractions: those stand on its axis
_LABEL_ASIDE = 0.25  # of a relation, by which the middle of what stands over it is off its own
_NESTED = 0.3  # of its size from a sign of a limit to the next


def joins(sign: Item, y: float, left: float) -> bool:
    """Whether a bar goes on a radical sign at its top right."""
    near = ROOT_JOINT * sign.size
    return abs(sign.x1 - left) < near and abs(sign.y0 - y) < near


def is_underlined(above: list[Item], y: float, em: float) -> bool:
    """Whether a bar under which nothing stands is a line under what stands over it: closer than those of fractions."""
    return bool(above) and y - max(i.y1 for i in above) < _UNDERLINE_GAP * em


def reached(items: list[Item], y: float, em: float, bars: list[float], *, up: bool) -> list[Item]:
    """Items over (or under) a bar, from one to the next without a gap; a further line of the size of the first is none
    of them, but where one of the other `bars` stands between."""
    slack = BAR_END * em
    side = [i for i in items if (i.y1 <= y + slack if up else i.y0 >= y - slack)]
    signs = [i for i in side if i.text not in OPERATORS | {"√"} and not is_tall(i)]
    over_many = [i for i in side if i.text in OPERATORS]
    # Limits of a sign over many, small and over or under it, are none of these.
    signs = [
        i
        for i in signs
        if i.size >= SCRIPT_SIZE * em or not any(o.x0 - slack < i.middle < o.x1 + slack for o in over_many)
    ]
    own = max((i.size for i in signs if (y - i.y1 if up else i.y0 - y) < NEAR * em), default=em)  # halves may be small
    taken: list[Item] = []
    edge, first = y, None
    for item in sorted(side, key=lambda i: -i.y1 if up else i.y0):
        if (edge - item.y1 if up else item.y0 - edge) > (NEAR if first is None else _FURTHER) * em:
            break
        if item.size >= SCRIPT_SIZE * own and item in signs:
            first = item.base if first is None else first
            low, high = sorted((first, item.base))
            axes = low - _ON_LINE * own, high - _ON_LINE * own
            if high - low > _OTHER_ROW * own and not any(axes[0] < bar < axes[1] for bar in bars):
                break
        taken.append(item)
        edge = min(edge, item.y0) if up else max(edge, item.y1)
    return taken


def is_centred(label: list[Item], sign: Item) -> bool:
    """Whether a label stands in the middle of its sign, as the script of another's limit does by no means."""
    x0, _, x1, _ = bounding_box((i.x0, i.y0, i.x1, i.y1) for i in label or [sign])
    return abs((x0 + x1) / 2 - sign.middle) < _LABEL_ASIDE * sign.size


def is_whole(limit: list[Item], small: list[Item]) -> bool:
    """Whether nothing goes on from a limit on its line, such as the figure of "−1", which reaches over its sign."""
    return not any(
        abs(i.base - one.base) < SCRIPT_SHIFT * one.size and abs(i.x0 - one.x1) < _NESTED * one.size
        for one in limit for i in small if i not in limit
    )  # fmt: skip


def own(limit: list[Item], sign: Item, signs: list[Item]) -> list[Item]:
    """What of a limit is an operator's own, where it runs on under the next: the part whose middle is under its own."""
    if not any(other.x0 > sign.x1 and any(i.x0 < other.x1 and i.x1 > other.x0 for i in limit) for other in signs):
        return limit
    limit = sorted(limit, key=lambda i: i.x0)
    ends = [max(i.x1 for i in limit[:count]) for count in range(1, len(limit) + 1)]
    aside = [abs((limit[0].x0 + end) / 2 - sign.middle) for end in ends]
    return limit[: aside.index(min(aside)) + 1]


def replaced(
    items: list[Item], taken: list[Item], piece: Piece, base: float, size: float,
    across: tuple[float, float] | None = None,
) -> list[Item]:  # fmt: skip
    """The items with those taken as one."""
    x0, y0, x1, y1 = bounding_box((i.x0, i.y0, i.x1, i.y1) for i in taken)
    if across is not None:
        x0, x1 = min(x0, across[0]), max(x1, across[1])
    ids = {id(i) for i in taken}
    made = Item(piece, "", x0, y0, x1, y1, base, size, made=True)
    return [*(i for i in items if id(i) not in ids), made]


def is_label(item: Item, brace: Item, reach: float) -> bool:
    """Whether an item stands beyond a brace that lies, as its label does."""
    return 0 < item.center - brace.center < reach if brace.text == "⏟" else 0 < brace.center - item.center < reach
