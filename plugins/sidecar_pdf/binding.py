"""Binds captions to what they label: the nearest figure, table or equation on the page, or, where layout found none,
the drawing or blank between the caption and the text around it."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.api import Box, ElementType
from sidecar_pdf.drafts import Draft, DraftPage

_FAR = 90.0
"""Points between a caption and what it labels."""
_WRONG_SIDE = 32.0
_SAMPLE = 300
_FIGURES = frozenset(("figure", "diagram", "chart"))


@dataclass(frozen=True)
class Binding:
    """A caption and its region. `target` is the position of the draft it labels, None where only the area is known."""

    caption: int
    target: int | None
    box: Box


@dataclass(frozen=True)
class Sides:
    """Where this document sets its captions: under or over what they label."""

    table_under: bool = False
    figure_under: bool = True

    def under(self, kind: ElementType) -> bool:
        return self.table_under if kind == "table" else self.figure_under


def caption_sides(pages: list[DraftPage]) -> Sides:
    """The sides by which most captions of the document find something close; stacked tables tell on their own page
    only the wrong story, each being as near to its neighbour's caption as to its own."""

    def fit(kind: str, *, under: bool) -> tuple[int, float]:
        sides = Sides(under, under)
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
    )


def bind_captions(page: DraftPage, sides: Sides) -> list[Binding]:
    """Every caption of the page with the region it labels; each region is labelled once, the nearest pair first."""
    captions = _captions(page.drafts)
    bound = _match(page, sides)
    used = {region for region, _ in bound.values()}
    bindings: list[Binding] = []
    for caption in captions:
        target = bound[caption][0] if caption in bound else None
        box = _area(page, caption, captions) if target is None else _widened(page, caption, target, used)
        bindings.append(Binding(caption, target, box))
    return bindings


def _captions(drafts: list[Draft]) -> list[int]:
    return [
        at for at, d in enumerate(drafts) if d.caption and d.kind in {"text", "list"} and not d.margin and not d.hidden
    ]


def _match(page: DraftPage, sides: Sides) -> dict[int, tuple[int, float]]:
    """`{caption: (region, distance)}` by position in the page's drafts."""
    drafts = page.drafts
    regions = [at for at, d in enumerate(drafts) if d.kind in {"figure", "table", "equation"}]
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
        return fits[region.kind] + 40 + across if level and across < 40 else None
    below = b[1] - a[3]
    above = a[1] - b[3]
    gap = max(below, above, 0.0)
    if gap > _FAR or _between(caption, region, drafts):
        return None
    wrong_side = below > 0 if sides.under(kind) else above > 0
    return fits[region.kind] + gap + (_WRONG_SIDE if wrong_side else 0)


def _between(caption: Draft, region: Draft, drafts: list[Draft]) -> bool:
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
            and (len(draft.text) > 90 or (draft.caption and draft.caption != caption.caption))
        ):
            return True
    return False


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _widened(page: DraftPage, caption: int, target: int, used: set[int]) -> Box:
    """The region with its caption, the other panels of the same figure, and the labels between them."""
    drafts = page.drafts
    box = drafts[target].box
    own_caption = drafts[caption].caption
    if own_caption is not None and own_caption.type in _FIGURES:
        own = drafts[caption].box
        for at, draft in enumerate(drafts):
            if draft.kind not in {"figure", "table"} or at in used:
                continue
            level = min(box[3], draft.box[3]) - max(box[1], draft.box[1])
            beside = level > 0.5 * min(box[3] - box[1], draft.box[3] - draft.box[1])
            under = min(own[2], draft.box[2]) - max(own[0], draft.box[0]) > 0.5 * (draft.box[2] - draft.box[0])
            stacked = abs(draft.box[3] - box[1]) < 30 and draft.box[3] <= own[1] + 4
            if under and (beside or stacked) and not _between(drafts[caption], draft, drafts):
                box = _union(box, draft.box)
                used.add(at)
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


def _frame(page: DraftPage, own: Box, *, up: bool) -> Box | None:
    """The largest frame or panel right above or below a caption: figures that are set in type, such as algorithms."""
    framed = [
        b for b in page.bits
        if -2 <= (own[1] - b[3] if up else b[1] - own[3]) < 40 and b[2] - b[0] > 60 and b[3] - b[1] > 30
        and min(own[2], b[2]) - max(own[0], b[0]) > 0.5 * (own[2] - own[0])
    ]  # fmt: skip
    return max(framed, key=lambda b: (b[2] - b[0]) * (b[3] - b[1]), default=None)


def _area(page: DraftPage, caption: int, captions: list[int]) -> Box:
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
            running = len(draft.text) > 90 or draft.margin or at in captions or draft.kind in {"figure", "table"}
            if not running:
                continue
            if up and draft.box[3] <= own[1] + 2:
                edge = max(edge, draft.box[3])
            elif not up and draft.box[1] >= own[3] - 2:
                edge = min(edge, draft.box[1])
        low, high = (edge, own[1]) if up else (own[3], edge)
        things = [
            b for b in (*page.bits, *(d.box for d in drafts if not d.margin and not d.hidden and len(d.text) <= 90))
            if b[1] >= low - 2 and b[3] <= high + 2 and b[2] > own[0] - 60 and b[0] < own[2] + 60
        ]  # fmt: skip
        if things and high - low > 20:
            box = own
            for thing in things:
                box = _union(box, thing)
            return box
    return own
