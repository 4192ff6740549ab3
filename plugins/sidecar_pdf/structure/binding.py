"""Binds captions to what they label: the nearest figure, table or equation on the page, or, where layout found none,
the drawing or blank between the caption and the text around it."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.api import Box, ElementType
from sidecar_pdf.structure.drafts import Draft, DraftPage

_FAR = 90.0
"""Points between a caption and what it labels."""
_WRONG_SIDE = 32.0
_MARGIN = 72.0
"""Points between a caption set in the margin and what stands beside it."""
_SAMPLE = 300
_BESIDE, _STACKED = 48.0, 40.0
"""Points between two panels of one figure."""
_FIGURES = frozenset(("figure", "diagram", "chart"))


@dataclass(frozen=True)
class Binding:
    """A caption and its region. `target` is the position of the draft it labels, None where only the area is known."""

    caption: int
    target: int | None
    box: Box


@dataclass(frozen=True)
class Sides:
    """Where this document sets its captions: under or over what they label. `body` is the size of its running text in
    points, 0 where that is not known."""

    table_under: bool = False
    figure_under: bool = True
    body: float = 0.0

    def under(self, kind: ElementType) -> bool:
        return self.table_under if kind == "table" else self.figure_under


def caption_sides(pages: list[DraftPage], body: float) -> Sides:
    """The sides by which most captions of the document find something close; stacked tables tell on their own page
    only the wrong story, each being as near to its neighbour's caption as to its own."""

    def fit(kind: str, *, under: bool) -> tuple[int, float]:
        sides = Sides(under, under, body)
        count, total = 0, 0.0
        for page in captioned:
            for at, (region, distance) in _match(page, sides).items():
                caption = page.drafts[at].caption
                if caption is not None and (caption.type == "table") == (kind == "table"):
                    count += page.drafts[region].kind == kind
                    total -= distance
        return count, total

    captioned = [page for page in pages if any(draft.caption for draft in page.drafts)][:_SAMPLE]
    return Sides(
        table_under=fit("table", under=True) > fit("table", under=False),
        figure_under=fit("figure", under=True) >= fit("figure", under=False),
        body=body,
    )


def bind_captions(page: DraftPage, sides: Sides) -> list[Binding]:
    """Every caption of the page with the region it labels; each region is labelled once, the nearest pair first."""
    captions = _captions(page.drafts)
    bound = _match(page, sides)
    used = {region for region, _ in bound.values()}
    bindings: list[Binding] = []
    for caption in captions:
        target = bound[caption][0] if caption in bound else None
        box = _area(page, caption, captions, sides) if target is None else _widened(page, caption, target, used, sides)
        bindings.append(Binding(caption, target, box))
    return bindings


def _captions(drafts: list[Draft]) -> list[int]:
    return [
        at for at, d in enumerate(drafts) if d.caption and d.kind in {"text", "list"} and not d.margin and not d.hidden
    ]


def _match(page: DraftPage, sides: Sides) -> dict[int, tuple[int, float]]:
    """`{caption: (region, distance)}` by position in the page's drafts."""
    drafts = page.drafts
    regions = [at for at, d in enumerate(drafts) if d.kind in {"figure", "table", "equation"} and not d.furniture]
    pairs: list[tuple[float, int, int]] = []
    for caption in _captions(drafts):
        for region in regions:
            distance = _distance(drafts[caption], drafts[region], drafts, sides)
            if distance is not None and drafts[region].kind == "table" and _is_framed(page, drafts[caption], sides):
                continue
            if distance is not None:
                pairs.append((distance, caption, region))
    bound: dict[int, tuple[int, float]] = {}
    used: set[int] = set()
    for distance, caption, region in sorted(pairs):
        if caption not in bound and region not in used:
            bound[caption] = (region, distance)
            used.add(region)
    return bound


def _is_framed(page: DraftPage, draft: Draft, sides: Sides) -> bool:
    caption = draft.caption
    if caption is None or caption.type not in _FIGURES:
        return False
    return _frame(page, draft.box, up=sides.figure_under) is not None


def _distance(caption: Draft, region: Draft, drafts: list[Draft], sides: Sides) -> float | None:
    """How far the region is, with a preference for the usual side; None where it cannot be the one."""
    assert caption.caption is not None  # noqa: S101 - callers pass captions only
    kind = caption.caption.type
    fits = {
        "table": {"table": 0.0, "figure": 25.0},
        "equation": {"equation": 0.0, "figure": 30.0},
    }.get(kind, {"figure": 0.0, "table": 30.0})
    if region.kind not in fits:
        return None
    a, b = caption.box, region.box
    shared = min(a[2], b[2]) - max(a[0], b[0])
    beside = shared < 0.3 * min(a[2] - a[0], b[2] - b[0])
    if beside:
        level = min(a[3], b[3]) - max(a[1], b[1]) > 0.5 * min(a[3] - a[1], b[3] - b[1])
        across = max(b[0] - a[2], a[0] - b[2])
        return fits[region.kind] + 40 + across if level and across < _MARGIN else None
    below = b[1] - a[3]
    above = a[1] - b[3]
    gap = max(below, above, 0.0)
    if gap > _FAR or _between(caption, region, drafts, sides):
        return None
    wrong_side = below > 0 if sides.under(kind) else above > 0
    return fits[region.kind] + gap + (_WRONG_SIDE if wrong_side else 0)


def _is_running(draft: Draft, sides: Sides) -> bool:
    """Running text, against the labels, keys and sources that belong to a figure or table and are set smaller."""
    return len(draft.text) > 90 and draft.size >= 0.9 * sides.body


def _between(caption: Draft, region: Draft, drafts: list[Draft], sides: Sides) -> bool:
    """Whether running text stands between the two."""
    top, bottom = min(caption.box[3], region.box[3]), max(caption.box[1], region.box[1])
    for draft in drafts:
        if draft is caption or draft is region or draft.hidden or draft.margin or draft.kind not in {"text", "list"}:
            continue
        middle = (draft.box[1] + draft.box[3]) / 2
        overlaps = min(draft.box[2], caption.box[2]) - max(draft.box[0], caption.box[0]) > 0.3 * (
            draft.box[2] - draft.box[0]
        )
        if (
            top < middle < bottom
            and overlaps
            and (_is_running(draft, sides) or (draft.caption and draft.caption != caption.caption))
        ):
            return True
    return False


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _widened(page: DraftPage, caption: int, target: int, used: set[int], sides: Sides) -> Box:
    """The region with its caption, the other panels of the same figure, and the labels between them."""
    drafts = page.drafts
    box = drafts[target].box
    own_caption = drafts[caption].caption
    if own_caption is not None and own_caption.type in _FIGURES:
        box = _panels(page, caption, target, used, sides)
    box = _union(box, drafts[caption].box)
    reach = box[0] - 40, box[2] + 40
    for draft in drafts:
        middle = (draft.box[1] + draft.box[3]) / 2
        label = (
            draft.kind == "text"
            and not draft.margin
            and not draft.caption
            and len(draft.text) <= 60
            and draft.lines <= 3
        )
        if (
            label
            and not draft.hidden
            and box[1] <= middle <= box[3]
            and reach[0] <= draft.box[0]
            and draft.box[2] <= reach[1]
        ):
            box = _union(box, draft.box)
    return box


def _panels(page: DraftPage, caption: int, target: int, used: set[int], sides: Sides) -> Box:
    """The figure with its other panels: drawings beside it or stacked on it, on its side of the caption, with no
    running text between. Boxes of a diagram that were taken for small tables become part of the figure."""
    drafts = page.drafts
    own, box = drafts[caption].box, drafts[target].box
    above = box[1] < own[1]
    panels = [target]
    blocked = [
        d.box for at, d in enumerate(drafts)
        if d.margin or d.furniture or _is_running(d, sides) or d.caption or (at in used and at != target)
    ]  # fmt: skip
    bits = [b for b in page.bits if b[2] - b[0] >= 4 and b[3] - b[1] >= 4 and not any(_overlap(b, o) for o in blocked)]
    grown = True
    while grown:
        grown = False
        for at, draft in enumerate(drafts):
            if draft.kind not in {"figure", "table"} or at in used or draft.furniture:
                continue
            if (draft.box[3] > own[1] + 6) if above else (draft.box[1] < own[3] - 6):
                continue
            if not _is_near(draft.box, box):
                continue
            if not _in_reach(draft.box, own, box) or _between(drafts[caption], draft, drafts, sides):
                continue
            box = _union(box, draft.box)
            used.add(at)
            panels.append(at)
            grown = True
        for bit in bits:
            apart = bit[3] > own[1] + 6 if above else bit[1] < own[3] - 6
            if apart or _union(box, bit) == box or not _is_near(bit, box) or not _in_reach(bit, own, box, aside=False):
                continue
            box = _union(box, bit)
            grown = True
    if len(panels) > 1:
        for at in panels:
            if drafts[at].kind == "table":
                drafts[at].kind = "figure"
                drafts[at].text = "\n".join(" ".join(filter(None, row)) for row in drafts[at].rows)
    return box


def _is_near(panel: Box, figure: Box) -> bool:
    across = max(panel[0] - figure[2], figure[0] - panel[2])
    down = max(panel[1] - figure[3], figure[1] - panel[3])
    return across < _BESIDE and down < _STACKED


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _in_reach(panel: Box, caption: Box, figure: Box, *, aside: bool = True) -> bool:
    """Whether a panel lies in the column its figure and caption stand in, or, with `aside`, hardly outside."""
    left, right = min(caption[0], figure[0]), max(caption[2], figure[2])
    inside = min(right, panel[2]) - max(left, panel[0])
    if inside > 0.5 * (panel[2] - panel[0]):
        return True
    return aside and max(panel[0] - right, left - panel[2]) < 0.2 * (right - left)


def _frame(page: DraftPage, own: Box, *, up: bool) -> Box | None:
    """The largest frame or panel right above or below a caption: figures that are set in type, such as algorithms."""
    framed = [
        b for b in page.bits
        if -2 <= (own[1] - b[3] if up else b[1] - own[3]) < 40 and b[2] - b[0] > 60 and b[3] - b[1] > 30
        and min(own[2], b[2]) - max(own[0], b[0]) > 0.5 * (own[2] - own[0])
    ]  # fmt: skip
    return max(framed, key=lambda b: (b[2] - b[0]) * (b[3] - b[1]), default=None)


def _area(page: DraftPage, caption: int, captions: list[int], sides: Sides) -> Box:
    """For a caption without a region: the space to the next running text on its usual side, if anything is in it."""
    drafts = page.drafts
    own = drafts[caption].box
    kind = drafts[caption].caption
    upward = kind is None or kind.type in _FIGURES
    for up in (upward, not upward):
        frame = _frame(page, own, up=up)
        if frame is not None:
            return _union(own, frame)
        edge = 0.0 if up else page.height
        for at, draft in enumerate(drafts):
            if at == caption or draft.hidden or min(own[2], draft.box[2]) - max(own[0], draft.box[0]) <= 0:
                continue
            running = _is_running(draft, sides) or draft.margin or at in captions or draft.kind in {"figure", "table"}
            if not running:
                continue
            if up and draft.box[3] <= own[1] + 2:
                edge = max(edge, draft.box[3])
            elif not up and draft.box[1] >= own[3] - 2:
                edge = min(edge, draft.box[1])
        low, high = (edge, own[1]) if up else (own[3], edge)
        labels = [d.box for d in drafts if not d.margin and not d.hidden and not _is_running(d, sides)]
        things = [
            b for b in (*page.bits, *labels)
            if b[1] >= low - 2 and b[3] <= high + 2 and b[2] > own[0] - 60 and b[0] < own[2] + 60
        ]  # fmt: skip
        if things and high - low > 20:
            box = own
            for thing in things:
                box = _union(box, thing)
            return box
    return own
