"""Finds figures: images, and clusters of drawn paths with the short text that labels them."""

from __future__ import annotations

from dataclasses import dataclass, field

from sidecar.api import Box
from sidecar.api.captions import match_caption
from sidecar_pdf.scan import PlacedImage, Scene
from sidecar_pdf.segments import Segment
from sidecar_pdf.tables import FoundTable

_NEAR = 9.0
"""Points between two drawings of one figure."""
_REACH = 13.0
"""Points around a drawing in which short text is one of its labels."""
_MIN_SIDE = 26.0
_MAX_BOXES = 4_000
_SENTENCE, _MAX_LABELS = 9, 400
"""Words of a line that is no label, and labels of a page that is one drawing."""
_PANEL, _PANEL_WORDS = 6_000.0, 4
"""Square points of a panel, and words that make a line in it more than a label."""


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


def find_figures(
    scene: Scene, tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[FoundFigure]:
    """Figures of a page, with the text inside and right beside them that is no running text."""
    page_area = max(width * height, 1.0)
    clusters: list[FoundFigure] = []
    for box, image, weight in _material(scene, tables, segments, width, height):
        _place(clusters, box, image, weight)
    _settle(clusters)
    captions = [s for s in segments if not s.vertical and match_caption(s.text)]
    figures: list[FoundFigure] = []
    for cluster in [part for grown in clusters for part in _parted(grown, captions)]:
        across, down = cluster.x1 - cluster.x0, cluster.y1 - cluster.y0
        if across < _MIN_SIDE or down < _MIN_SIDE or across * down < 1_200:
            continue
        if not cluster.images and cluster.drawn < 3:
            continue
        inside = [s for s in segments if _centre_in(s, cluster.box) and not s.hidden]
        inside = _before_caption(inside, captions)
        if _is_background(cluster, inside, across * down / page_area):
            figures += _pictures(cluster, inside, page_area)
            continue
        cluster.segments = inside
        figures.append(cluster)
    for figure in figures:
        _take_labels(figure, segments)
    return _sheet(figures, tables, segments, width, height) or figures


def _sheet(
    figures: list[FoundFigure], tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[FoundFigure]:
    """One figure where the page is nothing but a drawing: parts out to every edge, and no line of running text. Files
    made to be placed in another document are such, and drawings of machines."""
    parts: list[FoundFigure | FoundTable] = [*figures, *tables]
    shown = [s for s in segments if not s.hidden]
    lines = sum(len(s.words) >= _SENTENCE for s in shown)
    if not figures or len(parts) < 2 or lines > 0.1 * len(shown) or len(shown) > _MAX_LABELS:
        return []
    x0, y0 = min(p.x0 for p in parts), min(p.y0 for p in parts)
    x1, y1 = max(p.x1 for p in parts), max(p.y1 for p in parts)
    if x1 - x0 < 0.88 * width or y1 - y0 < 0.84 * height or any(match_caption(s.text) for s in shown):
        return []
    whole = FoundFigure(x0, y0, x1, y1)
    for figure in figures:
        _absorb(whole, figure)
    whole.segments = shown
    whole.x0, whole.y0 = min([x0, *(s.x0 for s in shown)]), min([y0, *(s.y0 for s in shown)])
    whole.x1, whole.y1 = max([x1, *(s.x1 for s in shown)]), max([y1, *(s.y1 for s in shown)])
    return [whole]


def _material(
    scene: Scene, tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[tuple[Box, PlacedImage | None, int]]:
    """Boxes figures can be made of, once each at four-point resolution: what tables use is left out."""
    seen: set[tuple[int, int, int, int, bool]] = set()
    material: list[tuple[Box, PlacedImage | None, int]] = []

    def take(box: Box, image: PlacedImage | None, weight: int) -> None:
        x0, y0, x1, y1 = max(box[0], 0.0), max(box[1], 0.0), min(box[2], width), min(box[3], height)
        if x1 < x0 or y1 < y0 or len(material) > _MAX_BOXES:
            return
        if image is None and x1 - x0 > 0.92 * width and y1 - y0 > 0.6 * height:
            return
        key = (int(x0 / 4), int(y0 / 4), int(x1 / 4), int(y1 / 4), image is not None)
        if key in seen:
            return
        seen.add(key)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if any(t.x0 - 2 <= x <= t.x1 + 2 and t.y0 - 2 <= y <= t.y1 + 2 for t in tables):
            return
        material.append(((x0, y0, x1, y1), image, weight))

    for image in scene.images:
        x0, y0, x1, y1 = image.box
        if x1 - x0 >= 4 and y1 - y0 >= 4:
            take(image.box, image, 1)
    for box in scene.shapes:
        take(box, None, 1)
    texts = [s for s in segments if len(s.words) >= _PANEL_WORDS and not s.hidden]
    for box in scene.rects:
        if not _is_panel(box, texts):
            take(box, None, 1)
    if material:
        for x, top, bottom in scene.vertical:
            if bottom - top < 0.8 * height:
                take((x, top, x, bottom), None, 1)
        for y, left, right in scene.horizontal:
            if right - left < 0.8 * width:
                take((left, y, right, y), None, 0)
    return material


def _is_panel(box: Box, texts: list[Segment]) -> bool:
    """Whether a rectangle is the ground of running text, such as a quotation beside a photograph."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    if area < _PANEL:
        return False
    inside = [s for s in texts if _centre_in(s, box)]
    return len(inside) >= 3 and sum((s.x1 - s.x0) * (s.y1 - s.y0) for s in inside) > 0.08 * area


def _place(
    clusters: list[FoundFigure], box: Box, image: PlacedImage | None, weight: int, *, near: float = _NEAR
) -> None:
    x0, y0, x1, y1 = box
    home: FoundFigure | None = None
    for cluster in clusters:
        if x0 <= cluster.x1 + near and x1 >= cluster.x0 - near and y0 <= cluster.y1 + near and y1 >= cluster.y0 - near:
            home = cluster
            break
    if home is None:
        home = FoundFigure(x0, y0, x1, y1)
        clusters.append(home)
    else:
        home.x0, home.y0, home.x1, home.y1 = min(home.x0, x0), min(home.y0, y0), max(home.x1, x1), max(home.y1, y1)
    home.drawn += weight
    home.pieces.append((box, image, weight))
    if image is not None:
        home.images.append(image)


def _settle(clusters: list[FoundFigure], *, near: float = _NEAR) -> None:
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
                ):  # fmt: skip
                    _absorb(one, other)
                    del clusters[j]
                    changed = True


def _absorb(one: FoundFigure, other: FoundFigure) -> None:
    one.x0, one.y0 = min(one.x0, other.x0), min(one.y0, other.y0)
    one.x1, one.y1 = max(one.x1, other.x1), max(one.y1, other.y1)
    one.drawn += other.drawn
    one.images += other.images
    one.pieces += other.pieces
    one.segments += [s for s in other.segments if s not in one.segments]


def _parted(cluster: FoundFigure, captions: list[Segment]) -> list[FoundFigure]:
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
        _place(groups, box, image, weight, near=1.0)
    _settle(groups, near=1.0)
    if len(groups) == 1:
        return _halved(cluster, own)
    homes: dict[int, FoundFigure] = {}
    for group in groups:
        at = min(range(len(own)), key=lambda at, group=group: _apart(own[at], group))
        home = homes.get(at)
        if home is None:
            homes[at] = group
        else:
            _absorb(home, group)
    return list(homes.values())


def _halved(cluster: FoundFigure, captions: list[Segment]) -> list[FoundFigure]:
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


def _apart(caption: Segment, group: FoundFigure) -> float:
    """How far a caption is from a drawing above it; a drawing under the caption is much farther."""
    aside = max(caption.x0 - group.x1, group.x0 - caption.x1, 0.0)
    centres = abs((caption.x0 + caption.x1) - (group.x0 + group.x1)) / 20
    down = caption.y0 - (group.y0 + group.y1) / 2
    return aside + centres + (down if down >= 0 else 400.0 - down)


def _before_caption(inside: list[Segment], captions: list[Segment]) -> list[Segment]:
    """A frame may enclose the caption too: the caption and the lines under it are no part of the drawing's text."""
    ids = set(map(id, inside))
    for caption in captions:
        if id(caption) not in ids:
            continue
        lower = sum(s.y0 >= caption.y0 - 1 for s in inside)
        if lower <= 0.5 * len(inside):
            return [s for s in inside if s.y0 < caption.y0 - 1]
        return [s for s in inside if s is not caption]
    return inside


def _centre_in(segment: Segment, box: Box) -> bool:
    x, y = (segment.x0 + segment.x1) / 2, (segment.y0 + segment.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def is_prose(segment: Segment, width: float) -> bool:
    """A line of running text, against a label: long, and nearly as wide as where it stands."""
    return len(segment.words) >= 6 and segment.x1 - segment.x0 > 0.55 * width


def _is_background(cluster: FoundFigure, inside: list[Segment], share: float) -> bool:
    """A panel behind running text, a scanned page under its text layer, or a page's frame."""
    if not inside:
        return False
    if share > 0.8:
        return True
    width, height = cluster.x1 - cluster.x0, cluster.y1 - cluster.y0
    prose = sum(s.y1 - s.y0 for s in inside if is_prose(s, width))
    if prose > 0.3 * height:
        return True
    running = sum((s.x1 - s.x0) * (s.y1 - s.y0) for s in inside if len(s.words) >= 5)
    if running > 0.16 * width * height:
        return True
    text = sum((s.x1 - s.x0) * (s.y1 - s.y0) for s in inside)
    return text > 0.55 * width * height and not cluster.images


def _pictures(cluster: FoundFigure, inside: list[Segment], page_area: float) -> list[FoundFigure]:
    """The pictures of a region that as a whole is text on a background, if they are not that background."""
    found: list[FoundFigure] = []
    for box, image, _ in cluster.pieces:
        area = (box[2] - box[0]) * (box[3] - box[1])
        if image is None or min(box[2] - box[0], box[3] - box[1]) < _MIN_SIDE or area > 0.6 * page_area:
            continue
        within = [s for s in inside if _centre_in(s, box)]
        if sum(len(s.words) >= 5 for s in within) >= 3:
            continue
        found.append(FoundFigure(*box, images=[image], drawn=1, pieces=[(box, image, 1)], segments=within))
    _settle(found, near=2.0)
    return found


def _take_labels(figure: FoundFigure, segments: list[Segment]) -> None:
    """Adds axis titles, tick labels and the like, which stand just outside the drawing."""
    taken = set(map(id, figure.segments))
    for _ in range(2):
        x0, y0, x1, y1 = figure.box
        width = x1 - x0
        grown = False
        for segment in segments:
            if id(segment) in taken or segment.hidden:
                continue
            if (
                segment.x1 < x0 - _REACH or segment.x0 > x1 + _REACH
                or segment.y1 < y0 - _REACH or segment.y0 > y1 + _REACH
            ):  # fmt: skip
                continue
            outside = max(x0 - segment.x0, 0) + max(segment.x1 - x1, 0)
            short = len(segment.words) <= 4 and segment.x1 - segment.x0 < 0.6 * width and outside < 60
            if not (short or segment.vertical) or figure.drawn < 4 or segment.style.size > 14:
                continue
            if match_caption(segment.text) or segment.text.endswith((".", ":", ",")) or segment.style.bold:
                continue
            if not segment.vertical and not _alone(segment, segments, figure.box):
                continue
            taken.add(id(segment))
            figure.segments.append(segment)
            figure.x0, figure.y0 = min(figure.x0, segment.x0), min(figure.y0, segment.y0)
            figure.x1, figure.y1 = max(figure.x1, segment.x1), max(figure.y1, segment.y1)
            grown = True
        if not grown:
            return


def _alone(segment: Segment, segments: list[Segment], box: Box) -> bool:
    """A label has no long line right above or below it; the short last line of a paragraph has."""
    for other in segments:
        if other is segment or len(other.words) < 5 or _centre_in(other, box):
            continue
        if (
            min(abs(other.y0 - segment.y1), abs(segment.y0 - other.y1)) < 6
            and other.x0 < segment.x1
            and other.x1 > segment.x0
        ):
            return False
    return True
