"""Binds captions to what they label: the nearest figure, table or equation on the page, or, where layout found none,
the drawing or blank between the caption and the text around it."""

from __future__ import annotations

from dataclasses import dataclass

from sidecar.api import Box
from sidecar_pdf.drafts import Draft, DraftPage

_FAR = 90.0
"""Points between a caption and what it labels."""
_FIGURES = frozenset(("figure", "diagram", "chart"))


@dataclass(frozen=True)
class Binding:
    """A caption and its region. `target` is the position of the draft it labels, None where only the area is known."""

    caption: int
    target: int | None
    box: Box


def bind_captions(page: DraftPage) -> list[Binding]:
    """Every caption of the page with the region it labels; each region is labelled once, the nearest pair first."""
    drafts = page.drafts
    captions = [
        at for at, d in enumerate(drafts) if d.caption and d.kind in {"text", "list"} and not d.margin and not d.hidden
    ]
    if not captions:
        return []
    regions = [at for at, d in enumerate(drafts) if d.kind in {"figure", "table", "equation"}]
    pairs: list[tuple[float, int, int]] = []
    for caption in captions:
        for region in regions:
            distance = _distance(drafts[caption], drafts[region], drafts)
            if distance is not None:
                pairs.append((distance, caption, region))
    pairs.sort()
    bound: dict[int, int] = {}
    used: set[int] = set()
    for _, caption, region in pairs:
        if caption not in bound and region not in used:
            bound[caption] = region
            used.add(region)
    bindings: list[Binding] = []
    for caption in captions:
        target = bound.get(caption)
        box = _area(page, caption, captions) if target is None else _widened(page, caption, target, used)
        bindings.append(Binding(caption, target, box))
    return bindings


def _distance(caption: Draft, region: Draft, drafts: list[Draft]) -> float | None:
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
    wrong_side = (kind == "table" and above > 0) or (kind != "table" and below > 0)
    return fits[region.kind] + gap + (16 if wrong_side else 0)


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


def _area(page: DraftPage, caption: int, captions: list[int]) -> Box:
    """For a caption without a region: the space to the next running text on its usual side, if anything is in it."""
    drafts = page.drafts
    own = drafts[caption].box
    kind = drafts[caption].caption
    upward = kind is None or kind.type in _FIGURES
    for up in (upward, not upward):
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
