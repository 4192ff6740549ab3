"""Gathers drawings that stand close together into figures, and parts them again where captions say they are several."""

from __future__ import annotations

from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar_pdf.pdfium.graphics import PlacedImage
from sidecar_pdf.text.segments import Segment

_NEAR = 9.0
"""Points between two drawings of one figure."""


@dataclass
class FoundFigure:
    """A figure on the page; like `FoundTable` it is a piece of the layout."""

    x0: float
    y0: float
    x1: float
    y1: float
    images: list[PlacedImage] = field(default_factory=list[PlacedImage])
    segments: list[Segment] = field(default_factory=list[Segment])
    order: int = 0
    drawn: int = 0
    """How many paths it consists of."""
    pieces: list[tuple[Box, PlacedImage | None, int]] = field(default_factory=list[tuple[Box, PlacedImage | None, int]])

    @property
    def box(self) -> Box:
        return self.x0, self.y0, self.x1, self.y1


def add_to_clusters(
    clusters: list[FoundFigure], box: Box, image: PlacedImage | None, weight: int, *, near: float = _NEAR
) -> None:
    x0, y0, x1, y1 = box
    target: FoundFigure | None = None
    for cluster in clusters:
        if x0 <= cluster.x1 + near and x1 >= cluster.x0 - near and y0 <= cluster.y1 + near and y1 >= cluster.y0 - near:
            if image is not None and _unrelated(cluster, FoundFigure(*box, images=[image], pieces=[(box, image, 1)])):
                continue
            target = cluster
            break
    if target is None:
        target = FoundFigure(x0, y0, x1, y1)
        clusters.append(target)
    else:
        target.x0, target.y0, target.x1, target.y1 = (
            min(target.x0, x0),
            min(target.y0, y0),
            max(target.x1, x1),
            max(target.y1, y1),
        )
    target.drawn += weight
    target.pieces.append((box, image, weight))
    if image is not None:
        target.images.append(image)


def merge_touching(clusters: list[FoundFigure], *, near: float = _NEAR) -> None:
    """Joins clusters that have grown together, until none touch."""
    changed = True
    while changed and len(clusters) < 600:
        changed = False
        for i, one in enumerate(clusters):
            for j in range(len(clusters) - 1, i, -1):
                other = clusters[j]
                if (
                    other.x0 <= one.x1 + near and other.x1 >= one.x0 - near
                    and other.y0 <= one.y1 + near and other.y1 >= one.y0 - near
                    and not _unrelated(one, other)
                ):  # fmt: skip
                    merge(one, other)
                    del clusters[j]
                    changed = True


def _unrelated(one: FoundFigure, other: FoundFigure) -> bool:
    """Whether two pictures only happen to touch: panels of one figure share an edge or their size."""
    if not (len(one.pieces) == len(other.pieces) == 1 and one.images and other.images):
        return False
    shared = (min(one.x1, other.x1) - max(one.x0, other.x0)) * (min(one.y1, other.y1) - max(one.y0, other.y0))
    if min(one.x1, other.x1) > max(one.x0, other.x0) and min(one.y1, other.y1) > max(one.y0, other.y0):
        area = min((f.x1 - f.x0) * (f.y1 - f.y0) for f in (one, other))
        if shared > 0.1 * area:
            return False
    sides = (abs(one.x0 - other.x0), abs(one.x1 - other.x1), abs(one.y0 - other.y0), abs(one.y1 - other.y1))
    return min(sides) > _NEAR


def merge(one: FoundFigure, other: FoundFigure) -> None:
    one.x0, one.y0 = min(one.x0, other.x0), min(one.y0, other.y0)
    one.x1, one.y1 = max(one.x1, other.x1), max(one.y1, other.y1)
    one.drawn += other.drawn
    one.images += other.images
    one.pieces += other.pieces
    one.segments += [s for s in other.segments if s not in one.segments]


def split_by_captions(cluster: FoundFigure, captions: list[Segment]) -> list[FoundFigure]:
    """A cluster over several captions is several figures drawn close together: each piece goes to its caption."""
    x0, y0, x1, y1 = cluster.box
    own = [
        c for c in captions
        if y0 + 12 < c.y0 < y1 + 36 and c.x0 < x1 and c.x1 > x0 and (c.y0 > y0 + 0.25 * (y1 - y0) or len(captions) > 2)
    ]  # fmt: skip
    if len(own) < 2:
        return [cluster]
    groups: list[FoundFigure] = []
    for box, image, weight in cluster.pieces:
        add_to_clusters(groups, box, image, weight, near=1.0)
    merge_touching(groups, near=1.0)
    if len(groups) == 1:
        return _split_in_two(cluster, own)
    by_caption: dict[int, FoundFigure] = {}
    for group in groups:
        at = min(range(len(own)), key=lambda at, group=group: _distance(own[at], group))
        target = by_caption.get(at)
        if target is None:
            by_caption[at] = group
        else:
            merge(target, group)
    return list(by_caption.values())


def _split_in_two(cluster: FoundFigure, captions: list[Segment]) -> list[FoundFigure]:
    """Drawings that overlap (pictures reach past their clipping) over captions side by side: cut where the fewest
    pieces cross, and clip them there."""
    first, second = sorted(captions, key=lambda c: c.x0)[:2]
    if second.x0 < first.x1 or abs(first.y0 - second.y0) > 24:
        return [cluster]
    edges = [x for box, _, _ in cluster.pieces for x in (box[0], box[2]) if first.x1 - 20 <= x <= second.x0 + 6]
    if not edges:
        return [cluster]

    def crossing(x: float) -> tuple[int, float]:
        return sum(box[0] < x - 1 and box[2] > x + 1 for box, _, _ in cluster.pieces), abs(second.x0 - x)

    cut = min(edges, key=crossing)
    halves: list[FoundFigure] = []
    for low, high in ((cluster.x0, cut), (cut, cluster.x1)):
        own = [piece for piece in cluster.pieces if low <= (piece[0][0] + piece[0][2]) / 2 <= high]
        if not own:
            return [cluster]
        whole = [piece for piece in own if piece[0][0] >= low - 1 and piece[0][2] <= high + 1] or own
        half = FoundFigure(
            max(min(p[0][0] for p in whole), low), min(p[0][1] for p in whole),
            min(max(p[0][2] for p in whole), high), max(p[0][3] for p in whole),
        )  # fmt: skip
        half.pieces, half.drawn = own, sum(p[2] for p in own)
        half.images = [p[1] for p in own if p[1] is not None]
        halves.append(half)
    return halves


def _distance(caption: Segment, group: FoundFigure) -> float:
    """How far a caption is from a drawing above it; a drawing under the caption is much farther."""
    aside = max(caption.x0 - group.x1, group.x0 - caption.x1, 0.0)
    centres = abs((caption.x0 + caption.x1) - (group.x0 + group.x1)) / 20
    down = caption.y0 - (group.y0 + group.y1) / 2
    return aside + centres + (down if down >= 0 else 400.0 - down)
