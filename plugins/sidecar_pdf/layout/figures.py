"""Finds figures: images, and clusters of drawn paths with the short text that labels them."""

from itertools import pairwise
from math import inf
from statistics import median

from sidecar.api import Box
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.clusters import (
    MIN_PATHS,
    FoundFigure,
    add_to_clusters,
    are_blocks,
    is_design,
    is_display,
    is_tabbed,
    merge,
    merge_touching,
    split_by_captions,
    without_bands,
    without_cards,
)
from sidecar_pdf.layout.tables.borders.grounds import is_edge, text_grounds
from sidecar_pdf.layout.tables.found import FoundTable
from sidecar_pdf.pdfium.geometry import area, contains_centre, is_slide
from sidecar_pdf.pdfium.graphics import PageGraphics, PlacedImage
from sidecar_pdf.text.segments import INVISIBLE, Segment

# Points, chosen on the corpus (tests/bench/layout/pdf_elements.py).
_MIN_SIDE, _MIN_AREA = 26.0, 1_200.0  # of a figure; the area in square points
_MIN_IMAGE = 4.0  # side of an image that counts
_GRID = 4  # side of the squares in which one box counts once
_LABEL_REACH, _LABEL_OUTSIDE = 13.0, 60.0  # around a drawing, in which its labels stand; by which they may reach out
_LABEL_SIZE = 14.0  # type size of a label, at most
_LABEL_LEADING = 6.0  # between a label and a line of running text right above or below
_COLUMN_LEFT = 2.0  # by which the left edges of lines of one column differ
_IN_TABLE = 2.0  # around a table, which uses what is drawn in it
_FIELD_FRAME = 5.0  # a frame drawn around a form field may be larger by this
_PICTURE_GAP = 2.0  # between two pictures of one figure on a background
_GROUND_EDGE, _LISTING_LEFT = 8.0, 24.0  # from the edges of a listing's ground to its parts; to the leftmost line
_SEAM = 4.0  # of a box, which is a rule or a seam up to that side
_CAPTION_TOLERANCE = 1.0  # above a caption's line, in which its own pieces stand
# Counts.
_MAX_BOXES = 4_000  # boxes looked at on a page
_MIN_LABELLED = 4  # paths of a figure that has labels outside
_FRAMED, _LISTING_CHARS = 16, 24  # paths that make no more than a frame, and letters that make a listing in it
_SENTENCE_WORDS, _RUNNING_WORDS, _PROSE_WORDS, _PANEL_WORDS = 9, 5, 6, 4  # of lines that are not labels, by place
_LABEL_WORDS = 4
_PANEL_LINES = 3  # lines of running text that make a panel, or a background
_MAX_LABELS = 400  # labels of a page that is one drawing
_DIAGRAM_PIECES = 6  # of a figure whose boxes were taken for tables
_COLUMN_LINES = 3  # lines under one another that are running text
_FORM_FIELDS = 3  # fields to fill in on a page, which is a form then and no drawing
# Shares of the page.
_BACKGROUND_WIDTH, _BACKGROUND_HEIGHT = 0.92, 0.6  # of a path that is the background
_RULE_LENGTH = 0.8  # a longer rule parts the page
_PAGE_SHARE, _PICTURE_SHARE = 0.8, 0.6  # area of a figure that is the page, and of a picture that is its background
_SHEET_WIDTH, _SHEET_HEIGHT, _SHEET_LINES = 0.88, 0.84, 0.1  # of a page that is one drawing; its lines of running text
_TITLE_BOTTOM = 0.3  # height within which the title of a slide stands
_SHEET_COLUMNS = 0.25  # of its lines that stand in columns of text
# Shares of a figure.
_PROSE_WIDTH, _PROSE_HEIGHT = 0.55, 0.3  # width of a line of running text; height that such lines fill
_RUNNING_TEXT, _ALL_TEXT = 0.16, 0.55  # area of running text, and of any text, from which on it is a background
_TYPED = 0.6  # letters set in a typewriter face in a listing
_LABEL_WIDTH, _WIDE = 0.6, 0.5  # of the figure; of the page, a picture with a title over it
_GROUND_SHARE, _BOXED = 0.9, 0.3  # area of a ground; characters on it that stand in boxes
_CAPTION_BELOW = 0.5  # text under a caption that is still the drawing's
# Multiples of the type size.
_COLUMN_LEADING, _OVER_COLUMN, _TITLE_SIZE = 1.8, 1.5, 1.15  # of the lines of a column; under its title; of the title
_DIAGRAM, _IRREGULAR_DIAGRAM, _MERGED = 2.5, 1.1, 0.5  # times a table's area of the diagram around; cells merged


def find_figures(
    graphics: PageGraphics, tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[FoundFigure]:
    """Figures of a page, with the text inside and right beside them that is not running text and no title of a
    slide."""
    page_area = max(width * height, 1.0)
    title = _slide_title(segments, width, height)
    segments = [s for s in segments if s not in title] if title else segments
    usual = median([s.style.size for s in segments for _ in s.words] or [0.0])
    clusters: list[FoundFigure] = []
    for box, image, weight in _material(graphics, tables, segments, width, height):
        add_to_clusters(clusters, box, image, weight)
    merge_touching(clusters)
    captions = [s for s in segments if not s.vertical and match_caption(s.text)]
    columns = _columns(segments) if clusters else []
    figures: list[FoundFigure] = []
    clusters = without_cards(clusters, segments)
    for cluster in [part for grown in clusters for part in split_by_captions(grown, captions)]:
        across, down = cluster.x1 - cluster.x0, cluster.y1 - cluster.y0
        if across < _MIN_SIDE or down < _MIN_SIDE or across * down < _MIN_AREA:
            continue
        if not cluster.images and cluster.drawn < MIN_PATHS:
            continue
        level = [s for s in segments if s.y0 <= cluster.y1 and s.y1 >= cluster.y0]
        inside = [s for s in level if contains_centre(cluster.box, s.box)]
        inside = _before_caption(inside, captions)
        blocks = (is_slide(width, height) and are_blocks(cluster, inside)) or is_tabbed(cluster, inside)
        is_ground = _is_background(cluster, inside, across * down / page_area)
        if blocks or is_ground or (_is_card(cluster, inside, usual) and not graphics.scanned):
            figures += _pictures(cluster, inside, page_area)
            continue
        figure = without_bands(cluster, inside)
        figure.segments = _labels_of(figure, inside, columns, usual if across > _WIDE * width else inf)
        figures.append(figure)
    for figure in figures:
        _take_labels(figure, segments)
    shows_slide = any(is_display(s) for s in title)
    filled_in = len(graphics.fields) >= _FORM_FIELDS
    whole = [] if shows_slide or filled_in else _whole_page_figure(figures, tables, segments, width, height)
    set_in_columns = sum(map(len, columns)) > _SHEET_COLUMNS * len(segments)
    return whole if whole and not set_in_columns else figures


def _slide_title(segments: list[Segment], width: float, height: float) -> list[Segment]:
    """The lines of a slide that stand near its top in its largest type: a band of colour
    or a picture behind a title makes it no label of a figure."""
    shown = segments if is_slide(width, height) else []
    largest = max((s.style.size for s in shown), default=0.0)
    title = [s for s in shown if s.style.size == largest]
    near_top = all(s.y1 < _TITLE_BOTTOM * height and not s.vertical for s in title)
    return title if near_top and any(map(str.isalpha, "".join(s.text for s in title))) else []


def _columns(segments: list[Segment]) -> list[list[Segment]]:
    """Lines of running text by the column they stand in: several of one size, under one another, with one left edge."""
    edges: dict[tuple[int, int], list[Segment]] = {}
    for segment in segments:
        if len(segment.words) >= _PANEL_WORDS and not segment.vertical:
            edges.setdefault((round(segment.x0 / _COLUMN_LEFT), round(segment.style.size)), []).append(segment)
    columns: list[list[Segment]] = []
    for lines in edges.values():
        lines.sort(key=lambda line: line.y0)
        run = lines[:1]
        for above, line in pairwise(lines):
            if line.y0 - above.y0 > _COLUMN_LEADING * max(line.style.size, 1.0):
                columns.append(run)
                run = []
            run.append(line)
        columns.append(run)
    return [column for column in columns if len(column) >= _COLUMN_LINES]


def _labels_of(
    cluster: FoundFigure, inside: list[Segment], columns: list[list[Segment]], usual: float
) -> list[Segment]:
    """The text inside a figure that is its own: not the lines of a column that goes on outside it, nor the title over
    that column, nor a title in type over pictures that is large against the `usual` size."""
    own = {id(segment) for segment in inside}
    others: set[int] = set()
    for column in columns:
        within = [line for line in column if id(line) in own]
        if not within or len(within) == len(column):
            continue
        others.update(map(id, within))
        first = min(column, key=lambda line: line.y0)
        others.update(id(segment) for segment in inside if _is_over(segment, first))
    pictured = bool(cluster.images) and cluster.drawn < _FRAMED
    return [s for s in inside if id(s) not in others and not (pictured and is_display(s, usual))]


def _is_over(segment: Segment, first: Segment) -> bool:
    """Whether a line is the title over the first line of a column."""
    size = segment.style.size
    near = 0 <= first.y0 - segment.y0 < (1 + _OVER_COLUMN) * size
    return near and size > _TITLE_SIZE * first.style.size and abs(segment.x0 - first.x0) < _OVER_COLUMN * size


def _whole_page_figure(
    figures: list[FoundFigure], tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[FoundFigure]:
    """One figure where the page is nothing but a drawing: parts out to every edge, and no line of running text. Files
    made to be placed in another document are such, and drawings of machines."""
    parts: list[FoundFigure | FoundTable] = [*figures, *tables]
    shown = [s for s in segments if not s.hidden]
    lines = sum(len(s.words) >= _SENTENCE_WORDS for s in shown)
    if not figures or len(parts) < 2 or lines > _SHEET_LINES * len(shown) or len(shown) > _MAX_LABELS:
        return []
    pictures = all(figure.images and figure.drawn == len(figure.images) for figure in figures)
    if pictures and any(is_display(s) and not any(contains_centre(f.box, s.box) for f in figures) for s in shown):
        return []  # pictures around the title of a cover
    x0, y0 = min(p.x0 for p in parts), min(p.y0 for p in parts)
    x1, y1 = max(p.x1 for p in parts), max(p.y1 for p in parts)
    if x1 - x0 < _SHEET_WIDTH * width or y1 - y0 < _SHEET_HEIGHT * height:
        return []
    whole = FoundFigure(x0, y0, x1, y1)
    for figure in figures:
        merge(whole, figure)
    whole.segments = shown
    whole.x0, whole.y0 = min([x0, *(s.x0 for s in shown)]), min([y0, *(s.y0 for s in shown)])
    whole.x1, whole.y1 = max([x1, *(s.x1 for s in shown)]), max([y1, *(s.y1 for s in shown)])
    return [whole]


_Material = tuple[Box, PlacedImage | None, int]
"""What a figure can be made of: a box, the image in it, and how many paths it counts for."""


def _material(
    graphics: PageGraphics, tables: list[FoundTable], segments: list[Segment], width: float, height: float
) -> list[_Material]:
    """Boxes figures can be made of, once each on a grid of four points: what tables use is left out."""
    collected = _Collected(graphics, tables, width, height)
    for image in graphics.images:
        if min(image.box[2] - image.box[0], image.box[3] - image.box[1]) >= _MIN_IMAGE:
            collected.add(image.box, image, 1)
    grounds = set(text_grounds(graphics.rects, segments, width, height))
    boxes = [(box, 1) for box in graphics.shapes]
    boxes += [(box, MIN_PATHS) for box in graphics.drawings]
    boxes += [(box, 1) for box in graphics.rects if box not in grounds]
    for box, weight in boxes:
        collected.add(box, None, weight)
    if collected.material:
        for x, top, bottom in graphics.vertical:
            if bottom - top < _RULE_LENGTH * height and not is_edge((x, top, x, bottom), grounds):
                collected.add((x, top, x, bottom), None, 1)
        for y, left, right in graphics.horizontal:
            if right - left < _RULE_LENGTH * width and not is_edge((left, y, right, y), grounds):
                collected.add((left, y, right, y), None, 0)
    return collected.material


class _Collected:
    """The material of a page's figures as it is gathered."""

    def __init__(self, graphics: PageGraphics, tables: list[FoundTable], width: float, height: float) -> None:
        self.material: list[_Material] = []
        self._fields, self._tables, self._width, self._height = graphics.fields, tables, width, height
        self._seen: set[tuple[int, int, int, int, bool]] = set()

    def add(self, box: Box, image: PlacedImage | None, weight: int) -> None:
        """Takes what is visible, is no background and no frame of a form field, and is not there already."""
        x0, y0, x1, y1 = max(box[0], 0.0), max(box[1], 0.0), min(box[2], self._width), min(box[3], self._height)
        if x1 < x0 or y1 < y0 or len(self.material) > _MAX_BOXES:
            return
        if image is None and self._is_background((x0, y0, x1, y1)):
            return
        key = (int(x0 / _GRID), int(y0 / _GRID), int(x1 / _GRID), int(y1 / _GRID), image is not None)
        if key in self._seen:
            return
        self._seen.add(key)
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        near = _IN_TABLE
        if not any(t.x0 - near <= x <= t.x1 + near and t.y0 - near <= y <= t.y1 + near for t in self._tables):
            self.material.append(((x0, y0, x1, y1), image, weight))

    def _is_background(self, box: Box) -> bool:
        x0, y0, x1, y1 = box
        if x1 - x0 > _BACKGROUND_WIDTH * self._width and y1 - y0 > _BACKGROUND_HEIGHT * self._height:
            return True
        if is_design(box, self._width, self._height):
            return True
        near = _FIELD_FRAME
        return any(
            f[0] - near < x0 and f[1] - near < y0 and x1 < f[2] + near and y1 < f[3] + near for f in self._fields
        )


def _before_caption(inside: list[Segment], captions: list[Segment]) -> list[Segment]:
    """A frame may enclose the caption too: the caption and the lines under it are not part of the drawing's text."""
    ids = set(map(id, inside))
    for caption in captions:
        if id(caption) not in ids:
            continue
        lower = sum(s.y0 >= caption.y0 - _CAPTION_TOLERANCE for s in inside)
        if lower <= _CAPTION_BELOW * len(inside):
            return [s for s in inside if s.y0 < caption.y0 - _CAPTION_TOLERANCE]
        return [s for s in inside if s is not caption]
    return inside


def _is_prose(segment: Segment, width: float) -> bool:
    """A line of running text, against a label: long, and nearly as wide as where it stands."""
    return len(segment.words) >= _PROSE_WORDS and segment.x1 - segment.x0 > _PROSE_WIDTH * width


def _is_background(cluster: FoundFigure, inside: list[Segment], share: float) -> bool:
    """A panel behind running text, a scanned page under its text layer, or a page's frame."""
    if not inside:
        return False
    if share > _PAGE_SHARE:
        return True
    width, height = cluster.x1 - cluster.x0, cluster.y1 - cluster.y0
    if not cluster.images and _is_listing(cluster, inside):
        return True
    prose = sum(s.y1 - s.y0 for s in inside if _is_prose(s, width))
    if prose > _PROSE_HEIGHT * height:
        return True
    running = sum(area(s.box) for s in inside if len(s.words) >= _RUNNING_WORDS)
    if running > _RUNNING_TEXT * width * height:
        return True
    return sum(area(s.box) for s in inside) > _ALL_TEXT * width * height and not cluster.images


def _is_card(cluster: FoundFigure, inside: list[Segment], usual: float) -> bool:
    """Whether a drawing is but the ground of a title, large against the `usual` size, and what stands under it, with
    buttons and rules at most: boxes of diagrams hold most text themselves, bars of charts none."""
    if cluster.images or cluster.drawn >= _FRAMED or not any(is_display(s, usual) for s in inside):
        return False
    whole = _GROUND_SHARE * area(cluster.box)
    inner = [b for b, _, _ in cluster.pieces if area(b) < whole and min(b[2] - b[0], b[3] - b[1]) > _SEAM]
    held = [[s for s in inside if contains_centre(box, s.box)] for box in inner]
    boxed = {id(s): len(s.text) for row in held for s in row}
    ground = len(inner) < len(cluster.pieces) and any(area(box) >= whole for box, _, _ in cluster.pieces)
    return ground and all(held) and sum(boxed.values()) < _BOXED * sum(len(s.text) for s in inside)


def _is_listing(cluster: FoundFigure, inside: list[Segment]) -> bool:
    """Text in a typewriter face, at the left of nothing but a frame or a ground, which may be painted line by line."""
    share = _TYPED * sum(len(s.text) for s in inside)
    if sum(len(s.text) for s in inside if s.style.mono and s.style.mode not in INVISIBLE) <= share:
        return False
    if cluster.drawn < _FRAMED and share > _LISTING_CHARS:
        return True
    at_edges = all(min(box[0] - cluster.x0, cluster.x1 - box[2]) < _GROUND_EDGE for box, _, _ in cluster.pieces)
    return at_edges and min(s.x0 for s in inside) - cluster.x0 < _LISTING_LEFT


def _pictures(cluster: FoundFigure, inside: list[Segment], page_area: float) -> list[FoundFigure]:
    """The pictures of a region that as a whole is text on a background, but for that background and its tiles."""
    found: list[FoundFigure] = []
    for box, image, _ in cluster.pieces:
        small = min(box[2] - box[0], box[3] - box[1]) < _MIN_SIDE
        if image is None or small or area(box) > _PICTURE_SHARE * page_area:
            continue
        within = [s for s in inside if contains_centre(box, s.box) and not is_display(s)]
        if sum(len(s.words) >= _RUNNING_WORDS for s in within) >= _PANEL_LINES:
            continue
        found.append(FoundFigure(*box, images=[image], drawn=1, pieces=[(box, image, 1)], segments=within))
    merge_touching(found, near=_PICTURE_GAP)
    return [one for one in found if area(one.box) <= _PICTURE_SHARE * page_area]


def _take_labels(figure: FoundFigure, segments: list[Segment]) -> None:
    """Adds axis titles, tick labels and the like, which stand just outside the drawing."""
    taken = set(map(id, figure.segments))
    for _ in range(2):
        before = figure.box
        width = before[2] - before[0]
        x0, y0 = before[0] - _LABEL_REACH, before[1] - _LABEL_REACH
        x1, y1 = before[2] + _LABEL_REACH, before[3] + _LABEL_REACH
        near = [s for s in segments if s.y0 <= y1 and s.y1 >= y0 and s.x0 <= x1 and s.x1 >= x0]
        for segment in near:
            if id(segment) not in taken and _is_label(segment, before, figure, segments, width):
                taken.add(id(segment))
                figure.segments.append(segment)
                figure.widen(segment.box)
        if figure.box == before:
            return


def _is_label(segment: Segment, box: Box, figure: FoundFigure, segments: list[Segment], width: float) -> bool:
    """Whether a piece of text near the `box` of a figure labels it: short, small, plain, and beside no running text."""
    outside = max(box[0] - segment.x0, 0) + max(segment.x1 - box[2], 0)
    narrow = segment.x1 - segment.x0 < _LABEL_WIDTH * width and outside < _LABEL_OUTSIDE
    short = len(segment.words) <= _LABEL_WORDS and narrow
    if not (short or segment.vertical) or figure.drawn < _MIN_LABELLED or segment.style.size > _LABEL_SIZE:
        return False
    if match_caption(segment.text) or segment.text.endswith((".", ":", ",")) or segment.style.bold:
        return False
    return segment.vertical or _is_isolated(segment, segments, figure.box)


def _is_isolated(segment: Segment, segments: list[Segment], box: Box) -> bool:
    """A label has no long line right above or below it; the short last line of a paragraph has."""
    for other in segments:
        if other is segment or len(other.words) < _RUNNING_WORDS or contains_centre(box, other.box):
            continue
        if (
            min(abs(other.y0 - segment.y1), abs(segment.y0 - other.y1)) < _LABEL_LEADING
            and other.x0 < segment.x1
            and other.x1 > segment.x0
        ):
            return False
    return True


def without_diagram_boxes(tables: list[FoundTable], figures: list[FoundFigure]) -> list[FoundTable]:
    """Without the boxes of a diagram that looked like small tables: their text goes to the figure around them."""
    kept: list[FoundTable] = []
    for table in tables:
        cells = sum(len(row) for row in table.rows)
        irregular = sum(m.rows * m.cols for m in table.merges) > _MERGED * cells
        least = _IRREGULAR_DIAGRAM if irregular else _DIAGRAM
        for figure in figures:
            around = contains_centre(figure.box, table.box) and len(figure.pieces) >= _DIAGRAM_PIECES
            if around and not table.is_headed() and area(figure.box) / max(area(table.box), 1.0) > least:
                taken = set(map(id, figure.segments))
                figure.segments += [s for s in table.segments if id(s) not in taken]
                break
        else:
            kept.append(table)
    return kept
