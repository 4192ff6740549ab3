"""Finds figures: images, and clusters of drawn paths with the short text that labels them."""

from __future__ import annotations

from sidecar.api import Box
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.clusters import FoundFigure, add_to_clusters, merge, merge_touching, split_by_captions
from sidecar_pdf.layout.tables import FoundTable
from sidecar_pdf.pdfium.graphics import PageGraphics, PlacedImage
from sidecar_pdf.text.segments import INVISIBLE, Segment

_REACH = 13.0
"""Points around a drawing in which short text is one of its labels."""
_MIN_SIDE = 26.0
_MAX_BOXES = 4_000
_SENTENCE, _MAX_LABELS = 9, 400
"""Words of a line that is no label, and labels of a page that is one drawing."""
_SEEN = 3
"""What a figure seen in a scan counts for: as many paths as make a figure."""
_FRAMED, _LISTING = 16, 24
"""Paths that make no more than a frame, and letters that make a listing in it."""
_FRAME = 5.0
"""Points a frame drawn around a form field may be larger."""
_PANEL, _PANEL_WORDS = 6_000.0, 4
"""Square points of a panel, and words that make a line in it more than a label."""


def find_figures(
    graphics: PageGraphics, tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[FoundFigure]:
    """Figures of a page, with the text inside and right beside them that is no running text."""
    page_area = max(width * height, 1.0)
    clusters: list[FoundFigure] = []
    for box, image, weight in _material(graphics, tables, segments, width, height):
        add_to_clusters(clusters, box, image, weight)
    merge_touching(clusters)
    captions = [s for s in segments if not s.vertical and match_caption(s.text)]
    figures: list[FoundFigure] = []
    for cluster in [part for grown in clusters for part in split_by_captions(grown, captions)]:
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
    return _whole_page_figure(figures, tables, segments, width, height) or figures


def _whole_page_figure(
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
        merge(whole, figure)
    whole.segments = shown
    whole.x0, whole.y0 = min([x0, *(s.x0 for s in shown)]), min([y0, *(s.y0 for s in shown)])
    whole.x1, whole.y1 = max([x1, *(s.x1 for s in shown)]), max([y1, *(s.y1 for s in shown)])
    return [whole]


def _material(
    graphics: PageGraphics, tables: list[FoundTable], segments: list[Segment], width: float, height: float
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
        if image is None and any(
            f[0] - _FRAME < x0 and f[1] - _FRAME < y0 and x1 < f[2] + _FRAME and y1 < f[3] + _FRAME
            for f in graphics.fields
        ):
            return
        key = (int(x0 / 4), int(y0 / 4), int(x1 / 4), int(y1 / 4), image is not None)
        if key in seen:
            return
        seen.add(key)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if any(t.x0 - 2 <= x <= t.x1 + 2 and t.y0 - 2 <= y <= t.y1 + 2 for t in tables):
            return
        material.append(((x0, y0, x1, y1), image, weight))

    for image in graphics.images:
        x0, y0, x1, y1 = image.box
        if x1 - x0 >= 4 and y1 - y0 >= 4:
            take(image.box, image, 1)
    for box in graphics.shapes:
        take(box, None, 1)
    for box in graphics.drawings:
        take(box, None, _SEEN)
    texts = [s for s in segments if len(s.words) >= _PANEL_WORDS and not s.hidden]
    for box in graphics.rects:
        if not _is_panel(box, texts):
            take(box, None, 1)
    if material:
        for x, top, bottom in graphics.vertical:
            if bottom - top < 0.8 * height:
                take((x, top, x, bottom), None, 1)
        for y, left, right in graphics.horizontal:
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


def _is_typed(segment: Segment) -> bool:
    """Set in typewriter face, so that it shows: the layer over a scan is set in any face."""
    return segment.style.mono and segment.style.mode not in INVISIBLE


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
    letters = sum(len(s.text) for s in inside)
    if (
        not cluster.images
        and cluster.drawn < _FRAMED
        and sum(len(s.text) for s in inside if _is_typed(s)) > (0.6 * letters) > _LISTING
    ):
        return True  # the frame of a listing
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
    merge_touching(found, near=2.0)
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
            if not segment.vertical and not _is_isolated(segment, segments, figure.box):
                continue
            taken.add(id(segment))
            figure.segments.append(segment)
            figure.x0, figure.y0 = min(figure.x0, segment.x0), min(figure.y0, segment.y0)
            figure.x1, figure.y1 = max(figure.x1, segment.x1), max(figure.y1, segment.y1)
            grown = True
        if not grown:
            return


def _is_isolated(segment: Segment, segments: list[Segment], box: Box) -> bool:
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


def without_diagram_boxes(tables: list[FoundTable], figures: list[FoundFigure]) -> list[FoundTable]:
    """Without the boxes of a diagram that looked like small tables: their text goes to the figure around them."""
    kept: list[FoundTable] = []
    for table in tables:
        area = (table.x1 - table.x0) * (table.y1 - table.y0)
        x, y = (table.x0 + table.x1) / 2, (table.y0 + table.y1) / 2
        cells = sum(len(row) for row in table.rows)
        irregular = sum(m.rows * m.cols for m in table.merges) > 0.5 * cells
        for figure in figures:
            around = figure.x0 <= x <= figure.x1 and figure.y0 <= y <= figure.y1 and len(figure.pieces) >= 6
            share = (figure.x1 - figure.x0) * (figure.y1 - figure.y0) / max(area, 1.0)
            if around and (share > 2.5 or (irregular and share > 1.1)):
                taken = set(map(id, figure.segments))
                figure.segments += [s for s in table.segments if id(s) not in taken]
                break
        else:
            kept.append(table)
    return kept
