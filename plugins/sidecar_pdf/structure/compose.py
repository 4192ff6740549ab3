"""Turns one page's text and drawings into drafts: margins apart, tables and figures found, the rest in reading
order."""

from __future__ import annotations

from statistics import median

from sidecar.api import Span
from sidecar.toolkit.captions import match_caption
from sidecar_pdf.layout.clusters import FoundFigure
from sidecar_pdf.layout.columns import aligned_table, rule_bands
from sidecar_pdf.layout.figures import find_figures
from sidecar_pdf.layout.joining import Link, join_lines, line_glue
from sidecar_pdf.layout.layout import Line, Piece, reading_order, rows_of
from sidecar_pdf.layout.tables import FoundTable, ruled_tables
from sidecar_pdf.pdfium.pages import PageFrame
from sidecar_pdf.structure.drafts import Draft, DraftPage, PageImages
from sidecar_pdf.structure.paragraphs import paragraphs
from sidecar_pdf.text.scan import Scene
from sidecar_pdf.text.segments import Segment
from sidecar_pdf.text.turned import levelled
from sidecar_pdf.text.turns import Turn

_WORDS = 8
_BLEED = 3.0
"""Points from the edge of the paper within which a rule runs off it."""


def compose_page(
    frame: PageFrame,
    segments: list[Segment],
    scene: Scene,
    images: PageImages,
    links: list[Link],
    *,
    vocabulary: set[str],
    running: tuple[list[list[Segment]], list[list[Segment]]],
) -> DraftPage:
    """The drafts of a page in reading order; text found hidden comes last. `running` holds the rows of running head
    and foot, which stand apart from the text."""
    page = DraftPage(frame.width, frame.height, frame=frame, truncated=scene.truncated)
    page.texted = any(char.isalnum() for segment in segments for word in segment.words for char in word.text[:3])
    page.drawn = bool(
        scene.backdrop or scene.images or scene.shapes or scene.rects or scene.horizontal or scene.vertical
    )
    for segment in segments:
        for word in segment.words:
            if word.text[-1] != "\xad":
                vocabulary.add(word.text.lower())
    top, bottom = running
    apart = {id(segment) for row in (*top, *bottom) for segment in row}
    shown = [s for s in segments if not s.hidden and id(s) not in apart]
    unseen = [s for s in segments if s.hidden]
    shown = _typed_rules(shown, scene, frame.width)
    em = median(s.style.size for s in shown) if shown else 10.0
    tables, frames = ruled_tables(scene, shown, frame.width, frame.height) if scene.horizontal else ([], [])
    free = _without(shown, tables)
    tables += _banded(scene, tables, free, frame.width)
    free = _without(shown, tables)
    page.bits = frames
    figures: list[FoundFigure] = []
    if scene.images or scene.shapes or scene.rects or scene.drawings:
        figures = find_figures(scene, tables, free, frame.width, frame.height)
        tables = _dissolved(tables, figures)
        free = _without(free, figures)
        page.bits += [b for b in (*scene.shapes, *scene.rects) if b[2] - b[0] < 0.9 * frame.width][:400]
    for row in top:
        page.drafts.append(_margin_draft(row, "top", vocabulary, links))
    turned = [s for s in free if s.vertical]
    pieces: list[Piece] = [s for s in free if not s.vertical]
    pieces += tables
    pieces += figures
    for run in reading_order(pieces, em):
        _flow(page.drafts, _run(run, images, vocabulary, links), vocabulary)
    page.drafts += _turned([s for s in turned if s.turn is None], vocabulary)
    for turn in dict.fromkeys(s.turn for s in turned if s.turn is not None):
        page.drafts += _other_way([s for s in turned if s.turn == turn], turn, images, vocabulary)
    for row in bottom:
        page.drafts.append(_margin_draft(row, "bottom", vocabulary, links))
    if unseen:
        for draft in paragraphs([Line(row) for row in rows_of(unseen)], vocabulary, []):
            draft.hidden = True
            page.drafts.append(draft)
    return page


def _typed_rules(segments: list[Segment], scene: Scene, width: float) -> list[Segment]:
    """The segments without those that only draw a line across the page with underscores, which join the rules."""
    kept: list[Segment] = []
    for segment in segments:
        if segment.x1 - segment.x0 > 0.5 * width and len(segment.words) == 1 and not segment.text.strip("_"):
            scene.horizontal.append((segment.y1, segment.x0, segment.x1))
        else:
            kept.append(segment)
    return kept


def _flow(drafts: list[Draft], column: list[Draft], vocabulary: set[str]) -> None:
    """Appends a column; a paragraph that runs over from the last one is joined, past footnotes."""
    if column and drafts:
        head = column[0]
        for at in range(len(drafts) - 1, -1, -1):
            draft = drafts[at]
            if draft.margin or draft.kind not in {"text", "list"} or draft.caption:
                break
            if draft.size < 0.93 * head.size:
                continue
            if _runs_over(draft, head):
                glue, drop = line_glue(draft.text.rsplit(" ", 1)[-1], head.text.split(" ", 1)[0], vocabulary)
                start = draft.text[:-1] if drop else draft.text
                shift = len(start) + len(glue)
                draft.text = start + glue + head.text
                draft.spans += tuple(Span(s.kind, s.start + shift, s.end + shift, s.value) for s in head.spans)
                draft.lines += head.lines
                column = column[1:]
            break
    drafts += column


def _runs_over(draft: Draft, head: Draft) -> bool:
    return (
        head.kind == "text" and head.caption is None and head.text[:1].islower() and draft.text[-1:] not in ".!?:;。"
        and abs(draft.size - head.size) < 0.07 * head.size and draft.bold == head.bold
        and draft.lines > 1 and head.lines > 1 and not head.mono and not draft.mono
    )  # fmt: skip


def _without(segments: list[Segment], found: list[FoundTable] | list[FoundFigure]) -> list[Segment]:
    taken = {id(segment) for item in found for segment in item.segments}
    return [segment for segment in segments if id(segment) not in taken] if taken else segments


def _dissolved(tables: list[FoundTable], figures: list[FoundFigure]) -> list[FoundTable]:
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


def _banded(scene: Scene, tables: list[FoundTable], free: list[Segment], width: float) -> list[FoundTable]:
    """Tables set between horizontal rules only."""
    found: list[FoundTable] = []
    for band in rule_bands(scene, tables, free):
        if band and band[0][0] < _BLEED and band[0][2] > width - _BLEED:
            continue  # from edge to edge of the paper: a design, or parts of the page set apart
        done: list[FoundTable] = []
        stops = sorted({y for _, top, _, bottom in band for y in (top, bottom)})
        for at, (x0, y0, x1, y1) in enumerate(band):
            if any(t.y0 < y1 - 2 and t.y1 > y0 + 2 and t.x0 < x1 - 2 and t.x1 > x0 + 2 for t in (*found, *done)):
                continue
            inside = [
                s for s in free
                if not s.vertical and x0 - 6 <= (s.x0 + s.x1) / 2 <= x1 + 6 and y0 - 2 <= (s.y0 + s.y1) / 2 <= y1 + 2
            ]  # fmt: skip
            rows = rows_of(inside)
            if len(rows) < (3 if at else 2):
                continue
            if any(y0 + 2 < y < y1 - 2 for y in stops) and any(_is_line(row, x1 - x0) for row in rows):
                continue  # text between two tables of one width
            table = aligned_table(rows, between_rules=True, rules=stops)
            if table is None:
                continue
            table.x0, table.y0 = min(x0, table.x0), min(y0, table.y0)
            table.x1, table.y1 = max(x1, table.x1), max(y1, table.y1)
            table.ruled = True
            done.append(table)
            taken = set(map(id, inside))
            free = [s for s in free if id(s) not in taken]
        found += done
    return found


def _is_line(row: list[Segment], width: float) -> bool:
    """Whether a row is a line of running text as wide as the table would be."""
    return len(row) == 1 and len(row[0].words) >= _WORDS and row[0].x1 - row[0].x0 > 0.85 * width


def _margin_draft(row: list[Segment], margin: str, vocabulary: set[str], links: list[Link]) -> Draft:
    draft = paragraphs([Line(row)], vocabulary, links)[0]
    draft.margin = "top" if margin == "top" else "bottom"
    return draft


def _turned(segments: list[Segment], vocabulary: set[str]) -> list[Draft]:
    """Text that runs up or down. Columns of vertical writing are read right to left and joined where they stand close;
    turned labels stay one by one."""
    columns = [s for s in segments if _is_vertical_writing(s)]
    groups: list[list[Segment]] = [[s] for s in segments if not _is_vertical_writing(s)]
    tiers: list[list[Segment]] = []
    for segment in sorted(columns, key=lambda s: s.y0):
        if tiers and segment.y0 < tiers[-1][0].y0 + 0.5 * (tiers[-1][0].y1 - tiers[-1][0].y0):
            tiers[-1].append(segment)
        else:
            tiers.append([segment])
    for tier in tiers:
        before: Segment | None = None
        for segment in sorted(tier, key=lambda s: -s.x1):
            if before is not None and before.x0 - segment.x1 < segment.x1 - segment.x0:
                groups[-1].append(segment)
            else:
                groups.append([segment])
            before = segment
    drafts: list[Draft] = []
    for group in groups:
        text, _ = join_lines([Line([segment]) for segment in group], vocabulary, [])
        box = (min(s.x0 for s in group), min(s.y0 for s in group), max(s.x1 for s in group), max(s.y1 for s in group))
        drafts.append(Draft("text", text, box, size=group[0].style.size))
    return drafts


def _other_way(segments: list[Segment], turn: Turn, images: PageImages, vocabulary: set[str]) -> list[Draft]:
    """Text that runs another way along an axis of the page, as if the page were turned."""
    drafts: list[Draft] = []
    pieces: list[Piece] = [levelled(segment, turn) for segment in segments]
    em = median(segment.style.size for segment in segments)
    for run in reading_order(pieces, em):
        drafts += _run(run, images, vocabulary, [])
    back = turn.inverse()
    for draft in drafts:
        draft.box = back.box(draft.box)
        draft.column_left = draft.box[0]
    return drafts


def _is_vertical_writing(segment: Segment) -> bool:
    return sum("\u2e80" <= char <= "\uffef" for char in segment.words[0].text) > 0.5 * len(segment.words[0].text)


def _run(run: list[Piece], images: PageImages, vocabulary: set[str], links: list[Link]) -> list[Draft]:
    """One column from top to bottom; tables and figures interrupt its text where they stand."""
    drafts: list[Draft] = []
    blocks = sorted((p for p in run if not isinstance(p, Segment)), key=lambda p: (p.y0, p.x0))
    waiting = [p for p in run if isinstance(p, Segment)]
    for block in blocks:
        middle = (block.y0 + block.y1) / 2
        above = [s for s in waiting if (s.y0 + s.y1) / 2 < middle]
        waiting = [s for s in waiting if (s.y0 + s.y1) / 2 >= middle]
        drafts += _text(above, vocabulary, links)
        drafts.append(_block(block, images, vocabulary))
    return drafts + _text(waiting, vocabulary, links)


def _block(block: Piece, images: PageImages, vocabulary: set[str]) -> Draft:
    box = (block.x0, block.y0, block.x1, block.y1)
    if isinstance(block, FoundTable):
        return Draft("table", "", box, rows=block.rows, merges=block.merges, header_rows=block.header_rows)
    assert isinstance(block, FoundFigure)  # noqa: S101 - the layout holds nothing else
    lines = [Line(row) for row in rows_of(s for s in block.segments if not s.vertical)]
    lines += [Line([s]) for s in block.segments if s.vertical]
    text = "\n".join(join_lines([line], vocabulary, [])[0] for line in lines)
    return Draft("figure", text, box, images=images.of(block.images), drawn=block.drawn)


def _text(segments: list[Segment], vocabulary: set[str], links: list[Link]) -> list[Draft]:
    """Paragraphs, with the tables that only alignment shows."""
    if not segments:
        return []
    rows = [part for row in rows_of(segments) for part in _captions_apart(row)]
    drafts: list[Draft] = []
    pending: list[list[Segment]] = []
    at = 0
    while at < len(rows):
        end = _table_end(rows, at) if len(rows[at]) >= 2 else at
        table = aligned_table(rows[at:end], between_rules=False) if end - at >= 3 else None
        if table is None:
            stop = max(end, at + 1) if end - at < 3 else end
            pending += rows[at:stop]
            at = stop
            continue
        drafts += paragraphs([Line(row) for row in pending], vocabulary, links)
        pending = []
        box = (table.x0, table.y0, table.x1, table.y1)
        drafts.append(Draft("table", "", box, rows=table.rows, header_rows=table.header_rows))
        at = end
    return drafts + paragraphs([Line(row) for row in pending], vocabulary, links)


def _captions_apart(row: list[Segment]) -> list[list[Segment]]:
    """Captions of two figures side by side are two lines, not one."""
    if len(row) < 2 or not any(match_caption(s.text) for s in row[1:]):
        return [row]
    parts: list[list[Segment]] = []
    for segment in sorted(row, key=lambda s: s.x0):
        if not parts or (match_caption(segment.text) and match_caption(parts[-1][0].text)):
            parts.append([segment])
        else:
            parts[-1].append(segment)
    return parts


def _table_end(rows: list[list[Segment]], start: int) -> int:
    """Where a stretch of rows with several pieces each, evenly spaced, ends."""
    end = last = start + 1
    while end < len(rows):
        above, row = rows[end - 1], rows[end]
        gap = min(s.y0 for s in row) - max(s.y1 for s in above)
        if gap > 1.6 * max(row[0].style.size, 4.0):
            break
        if len(row) >= 2:
            last = end + 1
        elif end - last >= 1:
            break
        end += 1
    return last
