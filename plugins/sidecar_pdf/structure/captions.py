"""Associates captions with what they label: the nearest figure, table or equation on the page, or, where layout found
none, the drawing or blank between the caption and the text around it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sidecar.api import Box, ElementType
from sidecar_pdf.layout.lines import shift_spans
from sidecar_pdf.pdfium.geometry import area, overlap_across, union
from sidecar_pdf.structure.regions import PageRegions, Region

# Points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_MAX_DISTANCE = 90.0  # between a caption and what it labels
_MAX_MARGIN = 72.0  # between a caption set in the margin and what stands beside it
_PANEL_BESIDE, _PANEL_STACKED = 48.0, 40.0  # between two panels of one figure
_PANEL_OVERLAP = 6.0  # by which a panel may reach over its caption
_LABEL_REACH = 40.0  # beside a figure, in which its labels stand
_AREA_REACH = 60.0  # beside a caption, in which drawings of its figure stand
_MIN_AREA = 20.0  # height of the space that may hold a figure
_MIN_DRAWING = 4.0  # side of a drawing that counts
_FRAME_GAP, _FRAME_WIDTH, _FRAME_HEIGHT = 40.0, 60.0, 30.0  # between caption and frame; a frame's least sides
_TOUCH = 2.0  # by which what stands next to a caption may overlap it
# Points added to a distance where the association is less likely.
_OTHER_SIDE = 32.0  # on the side this document does not set captions on
_BESIDE = 40.0  # side by side
_OTHER_KIND = {
    "table": {"table": 0.0, "figure": 25.0},
    "equation": {"equation": 0.0, "figure": 30.0},
    "figure": {"figure": 0.0, "table": 30.0},
}  # what a caption may label, by its own kind
# Shares.
_SHARED_WIDTH = 0.3  # of the narrower of two: less, and they stand side by side
_SHARED_HEIGHT = 0.5  # of the lower of two that stand side by side
_FRAME_SHARE = 0.5  # of the caption's width that a frame covers
_PANEL_INSIDE, _PANEL_OUTSIDE = 0.5, 0.2  # of a panel in the figure's column; of the column a panel may be outside
_RUNNING_SIZE = 0.9  # of the body size: labels, keys and sources are set smaller
# Counts.
_RUNNING_CHARS, _LABEL_CHARS, _LABEL_LINES = 90, 60, 3  # of running text, at least, and of a label, at most
_TITLE_CHARS, _TITLE_LINES = 240, 4  # of a title below the label of a caption, at most
_TITLE_GAP, _TITLED_GAP = 2.5, 3.5  # ems from a label to its title, and from that to what it labels
_MAX_PAGES = 300  # pages with captions that are looked at for the side they are on
_MAX_CAPTIONS = 200  # of a page that are looked at for what they label; sheets of small pictures have a hundred

_FIGURES = frozenset(("figure", "diagram", "chart"))
_FLOATS = frozenset(("figure", "table", "equation"))


@dataclass(frozen=True)
class Association:
    """A caption and its area. `target` is the position of the region it labels, None where only the area is known."""

    caption: int
    target: int | None
    box: Box


@dataclass(frozen=True)
class CaptionSides:
    """Where this document sets its captions: below or above what they label. `body` is the size of its running text in
    points, 0 where that is not known."""

    table_below: bool = False
    figure_below: bool = True
    body: float = 0.0

    def below(self, kind: ElementType) -> bool:
        """Whether captions of this kind stand below."""
        return self.table_below if kind == "table" else self.figure_below


def join_caption_titles(regions: list[Region]) -> None:
    """Joins to a label that stands on a line of its own over a table or figure ("Table 1") the title between the two,
    as APA and GOST styles set them."""
    titles: list[Region] = []
    for at, (label, title) in enumerate(pairwise(regions)):
        if _is_titled(regions[max(at - 1, 0) : at], label, title, regions[at + 2 : at + 3]):
            titles.append(title)
            assert label.caption is not None  # noqa: S101 - only captions are titled
            label.caption = replace(label.caption, text=title.text)
            label.spans += shift_spans(title.spans, len(label.text) + 1)
            label.text = f"{label.text} {title.text}"
            label.box, label.lines = union(label.box, title.box), label.lines + title.lines
    regions[:] = [region for region in regions if not any(region is title for title in titles)]


def _is_titled(before: Sequence[Region], label: Region, title: Region, after: Sequence[Region]) -> bool:
    """Whether a title stands between a label and what it labels: right under it, and no label of what is above."""
    if label.caption is None or label.caption.text or label.kind != "text" or not label.in_flow:
        return False
    if title.kind != "text" or title.caption or title.code or not title.in_flow or title.text[:1].islower():
        return False
    em = max(label.size, 1.0)
    if len(title.text) > _TITLE_CHARS or title.lines > _TITLE_LINES or title.box[1] - label.box[3] > _TITLE_GAP * em:
        return False
    if any(r.kind in _FLOATS and label.box[1] - r.box[3] < _TITLE_GAP * em for r in before):
        return False
    return any(r.kind in {"table", "figure"} and -_TOUCH < r.box[1] - title.box[3] < _TITLED_GAP * em for r in after)


def caption_sides(pages: list[PageRegions], body: float) -> CaptionSides:
    """The sides by which most captions of the document find something close; stacked tables tell on their own page
    only the wrong story, each being as near to its neighbour's caption as to its own."""

    def fit(kind: str, *, below: bool) -> tuple[int, float]:
        sides = CaptionSides(below, below, body)
        count, total = 0, 0.0
        for page in captioned:
            for at, (candidate, distance) in _match(page, sides).items():
                caption = page.regions[at].caption
                if caption is not None and (caption.type == "table") == (kind == "table"):
                    count += page.regions[candidate].kind == kind
                    total -= distance
        return count, total

    captioned = [page for page in pages if any(region.caption for region in page.regions)][:_MAX_PAGES]
    return CaptionSides(
        table_below=fit("table", below=True) > fit("table", below=False),
        figure_below=fit("figure", below=True) >= fit("figure", below=False),
        body=body,
    )


def associate_captions(page: PageRegions, sides: CaptionSides) -> list[Association]:
    """Every caption of the page with the region it labels; each is labelled once, the nearest pair first."""
    captions = _captions(page.regions)
    matched = _match(page, sides)
    used = {candidate for candidate, _ in matched.values()}
    associations: list[Association] = []
    for caption in captions:
        target = matched[caption][0] if caption in matched else None
        box = _area(page, caption, captions, sides) if target is None else _widened(page, caption, target, used, sides)
        associations.append(Association(caption, target, box))
    return associations


def _captions(regions: list[Region]) -> list[int]:
    return [at for at, r in enumerate(regions) if r.caption and not r.hidden][:_MAX_CAPTIONS]


def _match(page: PageRegions, sides: CaptionSides) -> dict[int, tuple[int, float]]:
    """`{caption: (region, distance)}` by position in the page's regions."""
    regions = page.regions
    candidates = [at for at, r in enumerate(regions) if r.kind in _FLOATS and not r.artifact]
    pairs: list[tuple[float, int, int]] = []
    for caption in _captions(regions):
        top, bottom = regions[caption].box[1] - _MAX_DISTANCE, regions[caption].box[3] + _MAX_DISTANCE
        for candidate in [at for at in candidates if regions[at].box[1] <= bottom and regions[at].box[3] >= top]:
            distance = _distance(regions[caption], regions[candidate], regions, sides)
            if distance is None or (regions[candidate].kind == "table" and _is_framed(page, regions[caption], sides)):
                continue
            pairs.append((distance, caption, candidate))
    matched: dict[int, tuple[int, float]] = {}
    used: set[int] = set()
    for distance, caption, candidate in sorted(pairs):
        if caption not in matched and candidate not in used:
            matched[caption] = (candidate, distance)
            used.add(candidate)
    return matched


def _is_framed(page: PageRegions, region: Region, sides: CaptionSides) -> bool:
    caption = region.caption
    if caption is None or caption.type not in _FIGURES:
        return False
    return _frame(page, region.box, up=sides.figure_below) is not None


def _distance(caption: Region, candidate: Region, regions: list[Region], sides: CaptionSides) -> float | None:
    """How far the candidate is in points, with a preference for the usual side; None where it cannot be the one."""
    assert caption.caption is not None  # noqa: S101 - callers pass captions only
    kind = caption.caption.type
    extra = _OTHER_KIND.get(kind, _OTHER_KIND["figure"]).get(candidate.kind)
    if extra is None:
        return None
    a, b = caption.box, candidate.box
    if overlap_across(a, b) < _SHARED_WIDTH * min(a[2] - a[0], b[2] - b[0]):
        level = min(a[3], b[3]) - max(a[1], b[1]) > _SHARED_HEIGHT * min(a[3] - a[1], b[3] - b[1])
        across = max(b[0] - a[2], a[0] - b[2])
        return extra + _BESIDE + across if level and across < _MAX_MARGIN else None
    below, above = b[1] - a[3], a[1] - b[3]
    gap = max(below, above, 0.0)
    if gap > _MAX_DISTANCE or _between(caption, candidate, regions, sides):
        return None
    other_side = below > 0 if sides.below(kind) else above > 0
    return extra + gap + (_OTHER_SIDE if other_side else 0)


def _is_running(region: Region, sides: CaptionSides) -> bool:
    """Running text, against the labels, keys and sources that belong to a figure or table and are set smaller."""
    return len(region.text) > _RUNNING_CHARS and region.size >= _RUNNING_SIZE * sides.body


def _between(caption: Region, candidate: Region, regions: list[Region], sides: CaptionSides) -> bool:
    """Whether running text, or another caption, stands between the two."""
    top, bottom = min(caption.box[3], candidate.box[3]), max(caption.box[1], candidate.box[1])
    for region in regions:
        if region is caption or region is candidate or region.hidden or region.running:
            continue
        if region.kind not in {"text", "list"} or not top < (region.box[1] + region.box[3]) / 2 < bottom:
            continue
        overlaps = overlap_across(region.box, caption.box) > _SHARED_WIDTH * (region.box[2] - region.box[0])
        other_caption = region.caption and region.caption != caption.caption
        if overlaps and (_is_running(region, sides) or other_caption):
            return True
    return False


def _widened(page: PageRegions, caption: int, target: int, used: set[int], sides: CaptionSides) -> Box:
    """The target with its caption, the other panels of the same figure, and the labels between them."""
    regions = page.regions
    box = regions[target].box
    own_caption = regions[caption].caption
    if own_caption is not None and own_caption.type in _FIGURES:
        box = _panels(page, caption, target, used, sides)
    box = union(box, regions[caption].box)
    left, right = box[0] - _LABEL_REACH, box[2] + _LABEL_REACH
    for region in regions:
        level = box[1] <= (region.box[1] + region.box[3]) / 2 <= box[3]
        if level and left <= region.box[0] and region.box[2] <= right and _is_label(region):
            box = union(box, region.box)
    return box


def _is_label(region: Region) -> bool:
    short = len(region.text) <= _LABEL_CHARS and region.lines <= _LABEL_LINES
    return region.kind == "text" and short and not (region.running or region.caption or region.hidden)


def _panels(page: PageRegions, caption: int, target: int, used: set[int], sides: CaptionSides) -> Box:
    """The figure with its other panels: drawings beside it or stacked on it, on its side of the caption, with no
    running text between. Boxes of a diagram that were taken for small tables become part of the figure."""
    regions = page.regions
    own, box = regions[caption].box, regions[target].box
    above = box[1] < own[1]
    panels = [target]
    blocked = [
        r.box for at, r in enumerate(regions)
        if r.running or r.artifact or _is_running(r, sides) or r.caption or (at in used and at != target)
    ]  # fmt: skip
    drawings = [
        b for b in page.loose_drawings
        if min(b[2] - b[0], b[3] - b[1]) >= _MIN_DRAWING and not any(_overlap(b, other) for other in blocked)
    ]  # fmt: skip

    def on_its_side(panel: Box) -> bool:
        return panel[3] <= own[1] + _PANEL_OVERLAP if above else panel[1] >= own[3] - _PANEL_OVERLAP

    grown = True
    while grown:
        grown = False
        for at, region in enumerate(regions):
            if region.kind not in {"figure", "table"} or at in used or region.artifact or not on_its_side(region.box):
                continue
            near = _is_near(region.box, box) and _in_reach(region.box, own, box)
            if near and not _between(regions[caption], region, regions, sides):
                box = union(box, region.box)
                used.add(at)
                panels.append(at)
                grown = True
        for drawing in drawings:
            near = on_its_side(drawing) and union(box, drawing) != box and _is_near(drawing, box)
            if near and _in_reach(drawing, own, box, aside=False):
                box = union(box, drawing)
                grown = True
    if len(panels) > 1:
        for panel in (regions[at] for at in panels):
            if panel.kind == "table":
                panel.kind = "figure"
                panel.text = "\n".join(" ".join(filter(None, row)) for row in panel.rows)
    return box


def _is_near(panel: Box, figure: Box) -> bool:
    across = max(panel[0] - figure[2], figure[0] - panel[2])
    down = max(panel[1] - figure[3], figure[1] - panel[3])
    return across < _PANEL_BESIDE and down < _PANEL_STACKED


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _in_reach(panel: Box, caption: Box, figure: Box, *, aside: bool = True) -> bool:
    """Whether a panel lies in the column its figure and caption stand in, or, with `aside`, hardly outside."""
    column = union(caption, figure)
    if overlap_across(column, panel) > _PANEL_INSIDE * (panel[2] - panel[0]):
        return True
    return aside and max(panel[0] - column[2], column[0] - panel[2]) < _PANEL_OUTSIDE * (column[2] - column[0])


def _frame(page: PageRegions, own: Box, *, up: bool) -> Box | None:
    """The largest frame or panel right above or below a caption: figures that are set in type, such as algorithms."""
    framed = [
        b for b in page.loose_drawings
        if -_TOUCH <= (own[1] - b[3] if up else b[1] - own[3]) < _FRAME_GAP
        and b[2] - b[0] > _FRAME_WIDTH and b[3] - b[1] > _FRAME_HEIGHT
        and overlap_across(own, b) > _FRAME_SHARE * (own[2] - own[0])
    ]  # fmt: skip
    return max(framed, key=area, default=None)


def _area(page: PageRegions, caption: int, captions: list[int], sides: CaptionSides) -> Box:
    """For a caption without a target: the space to the next running text on its usual side, if anything is in it."""
    regions = page.regions
    own = regions[caption].box
    kind = regions[caption].caption
    upward = kind is None or kind.type in _FIGURES
    others = frozenset(captions)
    labels = [r.box for r in regions if not r.running and not r.hidden and not _is_running(r, sides)]
    limits = [
        r.box for at, r in enumerate(regions)
        if at != caption and not r.hidden and overlap_across(own, r.box) > 0
        and (_is_running(r, sides) or r.running or at in others or r.kind in {"figure", "table"})
    ]  # fmt: skip
    for up in (upward, not upward):
        frame = _frame(page, own, up=up)
        if frame is not None:
            return union(own, frame)
        if up:
            low, high = max([0.0, *(b[3] for b in limits if b[3] <= own[1] + _TOUCH)]), own[1]
        else:
            low, high = own[3], min([page.height, *(b[1] for b in limits if b[1] >= own[3] - _TOUCH)])
        things = [
            b for b in (*page.loose_drawings, *labels)
            if b[1] >= low - _TOUCH and b[3] <= high + _TOUCH
            and b[2] > own[0] - _AREA_REACH and b[0] < own[2] + _AREA_REACH
        ]  # fmt: skip
        if things and high - low > _MIN_AREA:
            box = own
            for thing in things:
                box = union(box, thing)
            return box
    return own
