"""Turns one page's text and drawings into regions: running content apart, tables and figures found, the rest in reading
order."""

from statistics import median
from typing import NamedTuple

from sidecar.api import Box
from sidecar_pdf.layout.clusters import FoundFigure, take_staves, without_text_boxes
from sidecar_pdf.layout.drawn_apart import Placed
from sidecar_pdf.layout.equations import are_formulas, are_numbered
from sidecar_pdf.layout.figures import find_figures, without_diagram_boxes
from sidecar_pdf.layout.inline_math import type_tiers
from sidecar_pdf.layout.lines import Line, join_lines, rows_of, shift_spans
from sidecar_pdf.layout.margins import without_line_numbers, without_margin_notes
from sidecar_pdf.layout.reading_order import reading_order
from sidecar_pdf.layout.tables.aligned import aligned_tables, banded_tables
from sidecar_pdf.layout.tables.booktabs import booktabs_tables
from sidecar_pdf.layout.tables.borders.grounds import take_list_marks
from sidecar_pdf.layout.tables.borders.panels import add_panel_rules
from sidecar_pdf.layout.tables.borders.tick_boxes import are_fields, is_ticked, take_tick_boxes
from sidecar_pdf.layout.tables.borders.title_rules import without_link_rules, without_rules_of_text
from sidecar_pdf.layout.tables.columns.edges import end_lines, take_rows, takes_row_above
from sidecar_pdf.layout.tables.columns.leaders import join_leaders
from sidecar_pdf.layout.tables.columns.sides import sides_split
from sidecar_pdf.layout.tables.columns.stretches import is_in_middle, table_stretch
from sidecar_pdf.layout.tables.columns.told import parted
from sidecar_pdf.layout.tables.ends import is_head_above, take_sums, without_titles
from sidecar_pdf.layout.tables.flaws.around import flag_beside, flag_next_to
from sidecar_pdf.layout.tables.found import FoundTable, are_bracketed
from sidecar_pdf.layout.tables.headed import headed_tables
from sidecar_pdf.layout.tables.known_flaws import SUSPECT
from sidecar_pdf.layout.tables.listings import is_list
from sidecar_pdf.layout.tables.row_labels import take_names
from sidecar_pdf.layout.tables.ruled import ruled_tables
from sidecar_pdf.layout.tables.side_by_side import captions_split, level_labels
from sidecar_pdf.layout.tables.striped import head_filled_tables, striped_tables
from sidecar_pdf.layout.tables.tagged import tag_of, with_tagged_tables
from sidecar_pdf.pdfium.embedded import PageImages
from sidecar_pdf.pdfium.geometry import PageFrame, bounding_box, is_filled, lies_within
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.pdfium.tags import PageTags
from sidecar_pdf.structure.continuation import append_column
from sidecar_pdf.structure.headings.side_heads import in_reading_order
from sidecar_pdf.structure.numbering import is_numbered
from sidecar_pdf.structure.paragraphs import paragraphs
from sidecar_pdf.structure.regions import (
    PageRegions,
    Region,
    RunningPlace,
    insert_beside,
    mark_by_drawings,
    table_region,
)
from sidecar_pdf.structure.struck import mark_struck
from sidecar_pdf.text.annotations import Link
from sidecar_pdf.text.letters.initials import join_initials
from sidecar_pdf.text.orientation import Orientation
from sidecar_pdf.text.rotated import upright
from sidecar_pdf.text.segments import Segment, has_letters

# Chosen on the corpus.
_DEFAULT_SIZE = 10.0  # points: the type size of a page without text
_DRAWING_WIDTH = 0.9  # of the page width: a wider drawing is its background
_MAX_DRAWINGS = 400  # drawings kept for captions without a figure
_UNDERSCORES_WIDTH = 0.5  # of the page width: wider underscores are a rule
_SAME_TIER = 0.5  # of the height of a column of vertical writing: columns that begin so far down begin a new tier
_STAMP = 2.0  # times the usual size of type: slanted text so large is stamped over the page, and stands in no cell
_TITLE_SIZE = 1.1  # times the usual size of type of the rows around it: a title's
_VERTICAL_SHARE = 0.5  # of the characters of a column's first word that are of East Asian scripts


class _Text(NamedTuple):
    """What the text of a page is made paragraphs by: words seen unbroken, links, plain frames that fields of a form may
    stand in, and where lines of the page may end, in points."""

    vocabulary: set[str]
    links: list[Link]
    frames: list[Box]
    edge: float


class ReadPage(NamedTuple):
    """What was read of a page before it is laid out; `vocabulary` is that of the document so far (`learn_words`)."""

    frame: PageFrame
    segments: list[Segment]
    graphics: PageGraphics
    links: list[Link]
    vocabulary: set[str]


def compose_page(
    read: ReadPage, images: PageImages, running: tuple[list[list[Segment]], list[list[Segment]]], tags: PageTags
) -> PageRegions:
    """The regions of a page in reading order; text found hidden comes last. `running` holds the rows of running head
    and foot, which stand apart from the text; `tags` are what its structure tree tells."""
    frame, segments, graphics, links, vocabulary = read
    page = _page(frame, segments, graphics)
    head, foot = running
    running_ids = {id(segment) for row in (*head, *foot) for segment in row}
    shown = [s for s in segments if not s.hidden and id(s) not in running_ids]
    _mark_vertical(shown)
    shown = join_leaders(join_initials(_without_underscores(shown, graphics, frame.width), vocabulary))
    shown, numbered = without_line_numbers(shown)
    if numbered:
        foot = [*foot, numbered]
    em = median(s.style.size for s in shown) if shown else _DEFAULT_SIZE
    stamps = [s for s in shown if s.vertical and s.style.size > _STAMP * em and _is_slanted(s)]
    without_link_rules(graphics, [box for box, _ in links])
    mark_struck(graphics, shown)
    tables, figures, free, frames = _floats(page, [s for s in shown if s not in stamps], graphics, tags)
    level_labels(free, graphics.horizontal, graphics.vertical)
    page.first_lines, page.last_lines = end_lines(free, [*tables, *figures])
    free, notes = without_margin_notes(type_tiers(free, [*graphics.horizontal, *graphics.bars]), em)
    about = _Text(vocabulary, links, frames, _edge(page, shown))
    page.regions += _running_regions(head, "head", about)
    for run in in_reading_order([*(s for s in free if not s.vertical), *tables, *figures], em):
        append_column(page.regions, _column_regions(run, images, about), vocabulary)
    insert_beside(page.regions, [region for note in notes for region in _text_regions(note, about)])
    vertical = [s for s in (*free, *stamps) if s.vertical]
    page.regions += _vertical_regions([s for s in vertical if s.orientation is None], vocabulary)
    for orientation in dict.fromkeys(s.orientation for s in vertical if s.orientation is not None):
        rotated = [s for s in vertical if s.orientation == orientation]
        page.regions += _rotated_regions(rotated, orientation, images, vocabulary)
    page.regions += _running_regions(foot, "foot", about)
    if tags.texts:
        _tag(page.regions, tags)
    mark_by_drawings(page, graphics)
    page.regions += _hidden_regions(segments, vocabulary)
    return page


def unlaid_page(read: ReadPage, why: str = "") -> PageRegions:
    """A page that is not laid out: its lines as they stand. Where its layout broke off, `why` names the exception."""
    frame, segments, graphics, links, vocabulary = read
    page = _page(frame, segments, graphics)
    shown = [segment for segment in segments if not segment.hidden]
    page.regions, page.failure = paragraphs(_lines(rows_of(shown)), vocabulary, links), why
    for region in page.regions:
        region.code = region.code if region.lines > 1 else ""
    page.regions += _hidden_regions(segments, vocabulary)
    return page


def plain_page(frame: PageFrame, text: str) -> PageRegions:
    """A page of nothing but lines of text, whose places are not known."""
    page = PageRegions(frame.width, frame.height, frame=frame, has_text=True)
    box = (0.0, 0.0, frame.width, frame.height)
    page.regions = [Region("text", line, box, size=_DEFAULT_SIZE) for line in text.splitlines() if line.strip()]
    return page


def _page(frame: PageFrame, segments: list[Segment], graphics: PageGraphics) -> PageRegions:
    page = PageRegions(frame.width, frame.height, frame=frame, truncated=graphics.truncated)
    page.has_text, page.has_graphics = has_letters(segments), graphics.scanned or graphics.has_objects
    return page


def _hidden_regions(segments: list[Segment], vocabulary: set[str]) -> list[Region]:
    """What a reader of the page does not see."""
    hidden = paragraphs([Line(row) for row in rows_of(s for s in segments if s.hidden)], vocabulary, [])
    for region in hidden:
        region.hidden = True
    return hidden


def _tag(regions: list[Region], tags: PageTags) -> None:
    """Gives text the kind of its element; what is tagged as a list item and opens with a sign is one."""
    for region in regions:
        if region.kind not in {"text", "list"} or region.running:
            continue
        region.tag = tag_of(region.box, tags.texts)
        marker, _, rest = region.text.partition(" ")
        if region.tag == "LI" and region.kind == "text" and rest and len(marker) == 1 and not marker.isalnum():
            region.kind, region.marker, region.text = "list", marker, rest
            region.spans = shift_spans(region.spans, -2)


def _floats(
    page: PageRegions, shown: list[Segment], graphics: PageGraphics, tags: PageTags
) -> tuple[list[FoundTable], list[FoundFigure], list[Segment], list[Box]]:
    """The tables and figures of a page, the text that is in none of them, and plain frames around some of it."""
    take_staves(graphics, shown)
    take_tick_boxes(graphics, shown)
    take_list_marks(graphics, shown)
    without_rules_of_text(graphics, shown)
    add_panel_rules(graphics)
    tables, frames, diagrams = ruled_tables(graphics, shown, page.width, page.height)
    drawn = [*tables]
    headed = headed_tables(graphics, tables, _without(shown, tables))
    tables += [table for table in headed if table.score >= SUSPECT]
    ruled_off = booktabs_tables(graphics, tables, _without(shown, tables), page.width)
    pictures = [] if graphics.scanned else [image.box for image in graphics.images]
    for table in ruled_off:  # what stands between two rules may be a diagram, or a picture that fills its frame
        filled = any(is_filled(table.box, picture) for picture in pictures)
        if filled or any(lies_within(box, table.box) for box in diagrams):
            graphics.shapes.append(table.box)
        else:
            tables.append(table)
    tables += striped_tables(graphics, tables, _without(shown, tables))
    tables += head_filled_tables(graphics, tables, _without(shown, tables))
    left = set(map(id, _without(shown, tables)))
    tables += [t for t in headed if t.score < SUSPECT and all(id(s) in left for s in t.segments)]
    tables = [t for t in tables if t in drawn or not (is_ticked(t) or are_fields(t, frames))]
    tables = with_tagged_tables(tables, tags, shown) if tags.tables else tables
    without_titles(tables)
    take_sums(tables, _without(shown, tables))
    take_rows(tables, _without(shown, tables))
    take_names(tables, _without(shown, tables))
    free = _without(shown, tables)
    for table in tables:
        flag_beside(table, free)
        flag_next_to(table, [*free, *(s for other in tables if other is not table for s in other.segments)])
    page.loose_drawings = frames
    figures: list[FoundFigure] = []
    if graphics.images or graphics.shapes or graphics.rects or graphics.drawings:
        found = find_figures(graphics, tables, free, page.width, page.height)
        figures = without_text_boxes(found, graphics, [table.box for table in tables], free)
        tables = without_diagram_boxes(tables, figures)
        free = _without(free, figures)
        drawn = [b for b in (*graphics.shapes, *graphics.rects) if b[2] - b[0] < _DRAWING_WIDTH * page.width]
        page.loose_drawings += drawn[:_MAX_DRAWINGS]
    return tables, figures, free, frames


def _without_underscores(segments: list[Segment], graphics: PageGraphics, width: float) -> list[Segment]:
    """The segments without those that only draw a line across the page with underscores, which join the rules."""
    kept: list[Segment] = []
    for segment in segments:
        wide = segment.x1 - segment.x0 > _UNDERSCORES_WIDTH * width
        if wide and len(segment.words) == 1 and not segment.text.strip("_"):
            graphics.horizontal.append((segment.y1, segment.x0, segment.x1))
        else:
            kept.append(segment)
    return kept


def _without(segments: list[Segment], found: list[FoundTable] | list[FoundFigure]) -> list[Segment]:
    taken = {id(segment) for item in found for segment in item.segments}
    return [segment for segment in segments if id(segment) not in taken] if taken else segments


def _running_regions(rows: list[list[Segment]], place: RunningPlace, about: _Text) -> list[Region]:
    regions = [paragraphs([line], about.vocabulary, about.links)[0] for line in _lines(rows)]
    for region in regions:
        region.running = place
    return regions


def _mark_vertical(segments: list[Segment]) -> None:
    """On a page of vertical writing, takes level pieces of a character or two for columns."""
    columns = sum(len(s.text) for s in segments if s.vertical and s.orientation is None and _is_vertical_writing(s))
    for s in segments if 2 * columns > sum(len(s.text) for s in segments) else ():
        upright = s.y1 - s.y0 > s.x1 - s.x0 or len(s.text) == 1
        s.vertical = s.vertical or (upright and _is_vertical_writing(s))


def _is_slanted(segment: Segment) -> bool:
    """Whether text runs along no axis of the page, as what is stamped across it does."""
    return segment.orientation is None and not _is_vertical_writing(segment)


def _vertical_regions(segments: list[Segment], vocabulary: set[str]) -> list[Region]:
    """Text that runs up or down. Columns of vertical writing are read right to left and joined where they stand close;
    vertical labels stay one by one."""
    columns = [s for s in segments if _is_vertical_writing(s)]
    groups: list[list[Segment]] = [[s] for s in segments if not _is_vertical_writing(s)]
    tiers: list[list[Segment]] = []
    tall = 0.0  # the longest column of the last tier
    for segment in sorted(columns, key=lambda s: s.y0):
        if tiers and segment.y0 < tiers[-1][0].y0 + _SAME_TIER * tall:
            tiers[-1].append(segment)
        else:
            tiers.append([segment])
            tall = 0.0
        tall = max(tall, segment.y1 - segment.y0)
    for tier in tiers:
        before: Segment | None = None
        for segment in sorted(tier, key=lambda s: -s.x1):
            if before is not None and before.x0 - segment.x1 < segment.x1 - segment.x0:
                groups[-1].append(segment)
            else:
                groups.append([segment])
            before = segment
    regions: list[Region] = []
    for group in groups:
        text, _ = join_lines([Line([segment]) for segment in group], vocabulary, [])
        box = bounding_box((s.x0, s.y0, s.x1, s.y1) for s in group)
        regions.append(Region("text", text, box, size=group[0].style.size))
    return regions


def _rotated_regions(
    segments: list[Segment], orientation: Orientation, images: PageImages, vocabulary: set[str]
) -> list[Region]:
    """Text that runs another way along an axis of the page, as if the page were rotated."""
    regions: list[Region] = []
    pieces: list[Placed] = [upright(segment, orientation) for segment in segments]
    em = median(segment.style.size for segment in segments)
    for run in reading_order(pieces, em):
        regions += _column_regions(run, images, _Text(vocabulary, [], [], 0.0))
    back = orientation.inverse()
    for region in regions:
        region.box = back.box(region.box)
        region.opens, region.column_left, region.rotated = region.box[0], region.box[0], True
    return regions


def _is_vertical_writing(segment: Segment) -> bool:
    return sum("\u2e80" <= c <= "\uffef" for c in segment.words[0].text) > _VERTICAL_SHARE * len(segment.words[0].text)


def _edge(page: PageRegions, shown: list[Segment]) -> float:
    """Where the lines of a page may end: as far from its right edge as others begin from its left, or behind that."""
    level = [s for s in shown if not s.vertical]
    return max([page.width - min((s.x0 for s in level), default=page.width), *(s.x1 for s in level)])


def _column_regions(run: list[Placed], images: PageImages, about: _Text) -> list[Region]:
    """One column from top to bottom; tables and figures interrupt its text where they stand."""
    regions: list[Region] = []
    floats = sorted((p for p in run if not isinstance(p, Segment)), key=lambda p: (p.y0, p.x0))
    waiting = [p for p in run if isinstance(p, Segment)]
    for piece in floats:
        middle = (piece.y0 + piece.y1) / 2
        above = [s for s in waiting if (s.y0 + s.y1) / 2 < middle]
        waiting = [s for s in waiting if (s.y0 + s.y1) / 2 >= middle]
        regions += _text_regions(above, about)
        if isinstance(piece, FoundFigure) and piece.is_text:
            regions += _text_regions(piece.segments, about)
        else:
            regions.append(_float_region(piece, images, about.vocabulary))
    return regions + _text_regions(waiting, about)


def _float_region(piece: Placed, images: PageImages, vocabulary: set[str]) -> Region:
    if isinstance(piece, FoundTable):
        return table_region(piece, vocabulary)
    assert isinstance(piece, FoundFigure)  # noqa: S101 - the layout holds nothing else
    lines = [Line(row) for row in rows_of(s for s in piece.segments if not s.vertical)]
    lines += [Line([s]) for s in piece.segments if s.vertical]
    text = "\n".join(join_lines([line], vocabulary, [])[0] for line in lines)
    return Region("figure", text, piece.box, images=images.of(piece.images), drawn=piece.drawn)


def _text_regions(segments: list[Segment], about: _Text) -> list[Region]:
    """Paragraphs, with the tables that only alignment shows."""
    rows = [part for row in rows_of(segments) for part in captions_split(row)]
    pieces = [parted(row) for row in rows]
    regions: list[Region] = []
    pending: list[list[Segment]] = []
    banded = {start: (stop, table) for start, stop, table in banded_tables(pieces)}
    at = 0
    while at < len(rows):
        if at in banded:
            stop, table = banded[at]
            regions += paragraphs(_lines(pending), about.vocabulary, about.links, about.edge)
            regions.append(table_region(table, about.vocabulary))
            pending, at = [], stop
            continue
        end = _title_row(pieces, at, table_stretch(pieces, at)) if len(pieces[at]) >= 2 else at
        headed = at and end > at + 1 and pending
        if headed and (is_in_middle(pieces, at) or is_head_above(*pieces[at - 1 : at + 2])):
            at -= 1
            pending.pop()
        done = at
        for start, stop, table in aligned_tables(pieces[at:end]) if end - at > 1 else []:
            own = rows[at + start : at + stop]
            listed = is_ticked(table) or is_list(table) or are_fields(table, about.frames)
            formulas = are_numbered(own) or are_formulas(own, aligned=table.score >= SUSPECT)
            if listed or formulas or are_bracketed(own):
                continue
            pending += rows[done : at + start]
            while pending and takes_row_above(table, pending[-1]):
                pending.pop()
            regions += paragraphs(_lines(pending), about.vocabulary, about.links, about.edge)
            around = (*rows[max(at + start - 1, 0) : at + start], *rows[at + stop : at + stop + 1])
            flag_next_to(table, [s for row in around for s in row])
            regions.append(table_region(table, about.vocabulary))
            pending, done = [], at + stop
        at = max(end, at + 1)
        pending += rows[done:at]
    return regions + paragraphs(_lines(pending), about.vocabulary, about.links, about.edge)


def _title_row(rows: list[list[Segment]], start: int, end: int) -> int:
    """The first row from `start` on, before `end`, that is a title between two lists of columns: a single piece in
    bold, or one behind a number, larger than the type around it. `end` where there is none."""
    usual = median(segment.style.size for row in rows[start:end] for segment in row) if end > start else 0.0
    for at in range(start + 1, end):
        row, style = rows[at], rows[at][0].style
        alone = len(row) == 1 and style.bold
        numbered = len(row) == 2 and is_numbered(f"{row[0].text} {row[1].text}") and row[1].style == style
        if (alone or numbered) and style.size > _TITLE_SIZE * usual and has_letters(row):
            return at
    return end


def _lines(rows: list[list[Segment]]) -> list[Line]:
    return [Line(side) for side in sides_split(rows)]
