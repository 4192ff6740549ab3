"""Gathers drawings that stand close together into figures, and parts them again where captions say they are several;
staves of music are drawings too."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sidecar.api import Box
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.lines import rows_of
from sidecar_pdf.pdfium.geometry import area, contains_centre, lies_within, overlap_across, union
from sidecar_pdf.pdfium.graphics import PageGraphics, PlacedImage
from sidecar_pdf.text.segments import Segment

# Points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_NEAR = 9.0  # between two drawings of one figure
_PIECE_GAP = 1.0  # between two pieces of one drawing, where captions part drawings that stand close
_CAPTION_INSIDE, _CAPTION_BELOW = 12.0, 36.0  # a figure's own caption begins so far down in it, or under it
_CAPTION_LEVEL = 24.0  # between two captions side by side
_GUTTER_BEFORE, _GUTTER_AFTER = 20.0, 6.0  # around the gap between two captions, where their drawings may be cut
_CROSSING = 1.0  # by which a piece reaches over a cut
_ABOVE_CAPTION = 400.0  # added to the distance of a drawing under a caption, which is hardly its own
_STAFF_GAP, _STAFF_EVEN = 9.0, 0.3  # between two lines of a staff; by which this differs within it
_DISPLAY_SIZE = 18.0  # type size from which on text over a picture is a title, and no label
_SEAM, _SIDE = 6.0, 8.0  # height of what parts the grounds of a slide's blocks; from their sides to its shadow
_ONE_SIZE = 1.0  # points by which the sides of cards differ
_EDGE = 2.0  # from the edge of the page, from which to the other a ground belongs to its design
_PRINT_EDGE = 29.0  # points: 0.4 inches, the margin browsers print with
_FRAME_NEAR, _CAPTION_REACH = 3.0, 3.0  # within the edge of a text box, of what draws it; ems to a caption
# Shares, factors and counts.
MIN_PATHS = 3  # paths that make a figure; also what a figure seen in a scan counts for
_DISPLAY_LARGER = 1.4  # times the usual size of type on a page, from which on such text is one too
_DISPLAY_LETTERS = 4  # of a title over a picture
_BANDS = 3  # paths beside the pictures of a figure that are grounds of headings
_BAR_WIDTH, _BAR_HEIGHT, _BAR_MARGIN = (0.1, 0.25), 0.9, 0.05  # of the page, of a side bar; from it to the edge
_GROUND_WIDTH, _BLOCK_LETTERS = 0.5, 6  # share of all that is drawn, of such a ground; letters that make text on it
_STAFF_LINES = 5
_LARGER = 1.15  # times the distance of the lines of a staff, as rows of a table of small print are not
_OVERLAP = 0.1  # of the smaller of two pictures: less, and they only touch
_CAPTION_TOP = 0.25  # of a cluster's height: a caption above is that of something else
_CENTRE_WEIGHT = 0.1  # of the distance between the middles of caption and drawing, against that between their edges
_BANNER_LETTERS, _BANNER_HEIGHT, _BANNER_SHAPE = 2, 3.0, 4.0  # letters; times the size of type; times its height
_FIELD_LINES = 5  # of a box whose text is read for itself
_MAX_CARDS = 64  # boxes of text that nothing touches
_MAX_CLUSTERS = 600  # more are left as they are


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
    is_text: bool = False
    """Whether it is but a frame with text in it."""
    pieces: list[tuple[Box, PlacedImage | None, int]] = field(default_factory=list[tuple[Box, PlacedImage | None, int]])

    @property
    def box(self) -> Box:
        """The figure's extent as shown."""
        return self.x0, self.y0, self.x1, self.y1

    def widen(self, box: Box) -> None:
        """Makes the extent hold a box too."""
        self.x0, self.y0, self.x1, self.y1 = union(self.box, box)


def without_text_boxes(
    figures: list[FoundFigure], graphics: PageGraphics, tables: Sequence[Box], around: Sequence[Segment]
) -> list[FoundFigure]:
    """The figures without those that are but grounds or frames of text, which is read as any. Small boxes stay, to be
    read each for itself: fields of forms stand side by side."""
    kept: list[FoundFigure] = []
    for figure in figures:
        if _is_banner(figure):
            continue
        if not _is_text_box(figure, graphics, around):
            kept.append(figure)
        elif len(rows_of(figure.segments)) <= _FIELD_LINES and not any(lies_within(t, figure.box) for t in tables):
            figure.is_text = True
            kept.append(figure)
    return kept


def _is_banner(figure: FoundFigure) -> bool:
    """Whether a drawing is but the ground of a single line of text, as headings have, or of two in bold."""
    segments = figure.segments
    rows = len(rows_of(segments))
    titled = rows == len(segments) == 2 and all(s.style.bold for s in segments)
    if not segments or any(s.vertical for s in segments) or (rows > 1 and not titled):
        return False
    width, height, size = figure.x1 - figure.x0, figure.y1 - figure.y0, max(s.style.size for s in segments)
    letters = sum(char.isalpha() for s in segments for char in s.text)
    return (
        letters > _BANNER_LETTERS and height < _BANNER_HEIGHT * (1 + rows) / 2 * size and width > _BANNER_SHAPE * height
    )


def _is_text_box(figure: FoundFigure, graphics: PageGraphics, around: Sequence[Segment]) -> bool:
    """Whether a figure is but a frame, or a ground, with text in it, and no caption of one among what stands `around`:
    a box with a notice, or the field of a form that is filled in."""
    if graphics.scanned or figure.images or not figure.segments or any(s.vertical for s in figure.segments):
        return False
    box, near = figure.box, _FRAME_NEAR
    inner = box[0] + near, box[1] + near, box[2] - near, box[3] - near
    drawn = [*graphics.shapes, *(s.box for s in graphics.specks), *(image.box for image in graphics.images)]
    drawn += [(x0, y, x1, y) for y, x0, x1 in graphics.horizontal] + [(x, y0, x, y1) for x, y0, y1 in graphics.vertical]
    drawn += [rect for rect in graphics.rects if not lies_within(inner, rect)]
    if any(one[0] < inner[2] and one[2] > inner[0] and one[1] < inner[3] and one[3] > inner[1] for one in drawn):
        return False
    reach = _CAPTION_REACH * max(s.style.size for s in figure.segments)
    beside = (s for s in around if s.x0 < box[2] and s.x1 > box[0] and s.y0 < box[3] + reach and s.y1 > box[1] - reach)
    return not any(match_caption(s.text) for s in (*beside, *figure.segments))


def take_staves(graphics: PageGraphics, segments: list[Segment]) -> None:
    """Makes staves of music drawings: five level lines of one extent, as far apart as one another, and so near that no
    letter between has room. Their lines, and the bar lines on them, rule no table."""
    extents: dict[tuple[int, int], set[float]] = {}
    for y, left, right in graphics.horizontal:
        extents.setdefault((round(left), round(right)), set()).add(round(y, 1))
    staves: list[Box] = []
    for (left, right), heights in extents.items():
        ys = sorted(heights)
        at = 0
        while at + _STAFF_LINES <= len(ys):
            lines = ys[at : at + _STAFF_LINES]
            gaps = [b - a for a, b in pairwise(lines)]
            staff = (float(left), lines[0], float(right), lines[-1])
            even = max(gaps) < min(_STAFF_GAP, min(gaps) + _STAFF_EVEN)
            if even and not _has_rows(staff, max(gaps), segments):
                staves.append(staff)
            at += _STAFF_LINES if even else 1
    for x0, y0, x1, y1 in staves:
        graphics.horizontal = [r for r in graphics.horizontal if not (y0 - 1 < r[0] < y1 + 1 and x0 - 1 < r[1] <= x1)]
        graphics.vertical = [r for r in graphics.vertical if not (y0 - 1 < r[1] and r[2] < y1 + 1 and x0 - 1 < r[0])]
        reach = (y1 - y0) / 2  # of the notes over and under the lines
        graphics.drawings.append((x0, y0 - reach, x1, y1 + reach))


def _has_rows(box: Box, gap: float, segments: list[Segment]) -> bool:
    """Whether words between lines so far apart have room there."""
    inside = [s for s in segments if contains_centre(box, s.box) and any(char.isalnum() for char in s.text)]
    return any(s.y1 - s.y0 < _LARGER * gap for s in inside)


def add_to_clusters(
    clusters: list[FoundFigure], box: Box, image: PlacedImage | None, weight: int, *, near: float = _NEAR
) -> None:
    """Adds a box to the first cluster within `near` points that it may be related to, or makes one of it. `weight` is
    the number of paths it counts for."""
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
        target.widen(box)
    target.drawn += weight
    target.pieces.append((box, image, weight))
    if image is not None:
        target.images.append(image)


def merge_touching(clusters: list[FoundFigure], *, near: float = _NEAR) -> None:
    """Joins clusters that have grown together, until none touch."""
    changed = True
    while changed and len(clusters) < _MAX_CLUSTERS:
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
    if not (len(one.pieces) == len(other.pieces) == 1):
        return False
    across, down = overlap_across(one.box, other.box), min(one.y1, other.y1) - max(one.y0, other.y0)
    if across > 0 and down > 0 and across * down > _OVERLAP * min(area(one.box), area(other.box)):
        return False
    sides = (abs(one.x0 - other.x0), abs(one.x1 - other.x1), abs(one.y0 - other.y0), abs(one.y1 - other.y1))
    return min(sides) > _NEAR


def merge(one: FoundFigure, other: FoundFigure) -> None:
    """Takes all of another cluster into the first."""
    one.widen(other.box)
    one.drawn += other.drawn
    one.images += other.images
    one.pieces += other.pieces
    one.segments += [s for s in other.segments if s not in one.segments]


def split_by_captions(cluster: FoundFigure, captions: list[Segment]) -> list[FoundFigure]:
    """A cluster over several captions is several figures drawn close together: each piece goes to its caption."""
    x0, y0, x1, y1 = cluster.box
    lowest = y0 + _CAPTION_TOP * (y1 - y0) if len(captions) <= 2 else y0
    own = [
        c for c in captions
        if y0 + _CAPTION_INSIDE < c.y0 < y1 + _CAPTION_BELOW and c.x0 < x1 and c.x1 > x0 and c.y0 > lowest
    ]  # fmt: skip
    if len(own) < 2:
        return [cluster]
    groups: list[FoundFigure] = []
    for box, image, weight in cluster.pieces:
        add_to_clusters(groups, box, image, weight, near=_PIECE_GAP)
    merge_touching(groups, near=_PIECE_GAP)
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
    if second.x0 < first.x1 or abs(first.y0 - second.y0) > _CAPTION_LEVEL:
        return [cluster]
    edges = [
        x
        for box, _, _ in cluster.pieces
        for x in (box[0], box[2])
        if first.x1 - _GUTTER_BEFORE <= x <= second.x0 + _GUTTER_AFTER
    ]
    if not edges:
        return [cluster]

    def crossing(x: float) -> tuple[int, float]:
        return sum(box[0] < x - _CROSSING and box[2] > x + _CROSSING for box, _, _ in cluster.pieces), abs(
            second.x0 - x
        )

    cut = min(edges, key=crossing)
    halves: list[FoundFigure] = []
    for low, high in ((cluster.x0, cut), (cut, cluster.x1)):
        own = [piece for piece in cluster.pieces if low <= (piece[0][0] + piece[0][2]) / 2 <= high]
        if not own:
            return [cluster]
        whole = [piece for piece in own if piece[0][0] >= low - _CROSSING and piece[0][2] <= high + _CROSSING] or own
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
    centres = abs((caption.x0 + caption.x1) - (group.x0 + group.x1)) / 2
    down = caption.y0 - (group.y0 + group.y1) / 2
    return aside + _CENTRE_WEIGHT * centres + (down if down >= 0 else _ABOVE_CAPTION - down)


def is_display(segment: Segment, usual: float = math.inf) -> bool:
    """Whether text is so large that it is a title over a picture, and no label: by itself, or against the `usual` size
    of type on its page, in points."""
    return segment.style.size >= min(_DISPLAY_SIZE, _DISPLAY_LARGER * usual) and _is_worded(segment)


def _is_worded(segment: Segment) -> bool:
    return sum(map(str.isalpha, segment.text)) >= _DISPLAY_LETTERS


def is_edge_to_edge(box: Box, width: float, height: float) -> bool:
    """Whether a box reaches from the left edge of the page to the right one, as the bands of its design do, on an
    upright page but for the margins that browsers print with."""
    edge = _EDGE if width > height else _PRINT_EDGE
    return box[0] < edge and box[2] > width - edge and _EDGE < box[3] - box[1] < height


def is_design(box: Box, width: float, height: float) -> bool:
    """Whether a box is a band of the page's design: from edge to edge, or a side bar from top to bottom, or nearly so
    within the margin."""
    side_bar = box[1] < _EDGE and box[3] > height - _EDGE and _EDGE < box[2] - box[0] < width
    least, most = _BAR_WIDTH
    narrow = least * width < box[2] - box[0] < most * width and box[3] - box[1] > _BAR_HEIGHT * height
    in_margin = narrow and (box[0] < _BAR_MARGIN * width or box[2] > (1 - _BAR_MARGIN) * width)
    return side_bar or in_margin or is_edge_to_edge(box, width, height)


def are_blocks(cluster: FoundFigure, inside: list[Segment]) -> bool:
    """Grounds of one width under one another, as slides have behind a title and its text: besides them only what is
    flat or stands at their sides, as seams and shadows do."""
    across = cluster.x1 - cluster.x0
    boxes = [box for box, _, _ in cluster.pieces if box[3] - box[1] > _SEAM]
    grounds = [box for box in boxes if box[2] - box[0] > _GROUND_WIDTH * across]
    if cluster.images or len(grounds) < 2 or not inside:
        return False
    left, right = min(box[0] for box in grounds), min(box[2] for box in grounds)
    level = all(box[0] - left < _SIDE and box[2] - right < _SIDE for box in grounds)
    foot = max(box[3] for box in grounds)
    sides = all(
        box[2] < left + _SIDE or box[0] > right - _SIDE or box[1] > foot - _SIDE for box in boxes if box not in grounds
    )
    texts = [s for s in inside if any(contains_centre(box, s.box) for box in grounds)]
    return level and sides and sum(map(str.isalpha, "".join(s.text for s in texts))) > _BLOCK_LETTERS


def is_tabbed(cluster: FoundFigure, inside: list[Segment]) -> bool:
    """Whether a drawing is a box with a tab on its left that holds its title, over a band as wide as the box: so
    documentation of programs sets off each function."""
    boxes = [box for box, _, _ in cluster.pieces if box[3] - box[1] > _SEAM and box[0] < cluster.x0 + _EDGE]
    bands = [box for box in boxes if box[2] > cluster.x1 - _SIDE]
    tabs = [box for box in boxes if box[1] < cluster.y0 + _EDGE and box[2] - box[0] > _SIDE]
    on_band = any(abs(tab[3] - band[1]) < _EDGE and tab[2] < band[2] - _SIDE for tab in tabs for band in bands)
    titled = any(sum(contains_centre(tab, s.box) for s in inside) == 1 for tab in tabs)
    return not cluster.images and on_band and titled


def _of_pieces(pieces: list[tuple[Box, PlacedImage | None, int]]) -> FoundFigure:
    figure = FoundFigure(*pieces[0][0], pieces=pieces)
    for box, image, weight in pieces:
        figure.widen(box)
        figure.drawn += weight
        figure.images += [image] if image is not None else []
    return figure


def without_cards(clusters: list[FoundFigure], segments: Sequence[Segment]) -> list[FoundFigure]:
    """The clusters without the cards in them: boxes of text level with one of their size that nothing touches, or under
    or over it, as slides have them in rows. Boxes of a diagram touch what leads from one to the next."""
    plain = (c for c in clusters if c.drawn < MIN_PATHS and len(c.pieces) == 1 and not c.images)
    alone = [c.box for c in plain if _holds_text(c.box, segments)]
    if not alone or len(alone) > _MAX_CARDS:
        return clusters
    found: list[FoundFigure] = []
    for cluster in clusters:
        rest = [
            (box, image, weight) for box, image, weight in cluster.pieces
            if image is not None or not any(_are_cards(box, other) for other in alone) or not _holds_text(box, segments)
        ]  # fmt: skip
        if rest:
            found.append(cluster if len(rest) == len(cluster.pieces) else _of_pieces(rest))
    return found


def _are_cards(one: Box, other: Box) -> bool:
    """Whether two boxes have one size and stand side by side or one under the other."""
    left, top, right, bottom = (abs(a - b) < _ONE_SIZE for a, b in zip(one, other, strict=True))
    sized = abs(one[2] - one[0] - other[2] + other[0]) < _ONE_SIZE > abs(one[3] - one[1] - other[3] + other[1])
    return sized and ((top and bottom) or (left and right))


def _holds_text(box: Box, segments: Sequence[Segment]) -> bool:
    """Whether words stand in a box."""
    return any(contains_centre(box, s.box) and len(s.words) > 1 for s in segments)


def without_bands(cluster: FoundFigure, inside: list[Segment]) -> FoundFigure:
    """The pictures of a figure alone, where they touch a few grounds of text, such as the band behind a heading."""
    bands = [box for box, image, _ in cluster.pieces if image is None]
    if not cluster.images or not 0 < len(bands) <= _BANDS or not inside:
        return cluster
    pictures = [piece for piece in cluster.pieces if piece[1] is not None]
    if any(contains_centre(box, s.box) for s in inside for box, _, _ in pictures):
        return cluster
    if not all(any(contains_centre(box, s.box) for s in inside) for box in bands):
        return cluster
    alone = _of_pieces(pictures)
    inside[:] = [s for s in inside if contains_centre(alone.box, s.box)]
    return alone
