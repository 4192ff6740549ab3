"""Makes the parts and blocks of a document of the regions of its pages, once body size, headings and captions are
known."""

import re
from dataclasses import dataclass
from itertools import pairwise
from textwrap import dedent

from msgspec.structs import replace

from sidecar.api import (
    TABLE_WINDOW,
    AnyBlock,
    Box,
    Code,
    Element,
    Equation,
    Figure,
    Heading,
    ListItem,
    Merge,
    Note,
    Paragraph,
    Part,
    Span,
    Table,
)
from sidecar.toolkit.text import with_raised
from sidecar_pdf.layout.lines import shift_spans, without_leaders
from sidecar_pdf.structure.captions import CaptionSides, associate_captions, caption_sides
from sidecar_pdf.structure.continuation import NOTE_MARK, in_foot_notes
from sidecar_pdf.structure.elements import ElementPlaces, mark_artifacts, page_elements
from sidecar_pdf.structure.headings.levels import Headings
from sidecar_pdf.structure.numbering import heading_text, is_next_number, number_and_text
from sidecar_pdf.structure.regions import PageRegions, Region

# Chosen on the corpus.
_MARGIN, _STAMP_CHARS = 0.1, 160  # of the page width, in which stamps stand that run up or down; characters of one
_BYLINES = 0.5  # of the height of a first page, in which authors stand
_FOOTNOTE_CHARS = 8  # a footnote has more characters than this
_LIST_INTERRUPTION = 3  # regions from one item to the next of a list
_LIST_COLUMN = 60.0  # points between the left edges of two columns
_LIST_INDENT = 4.0  # points by which a list of the next level is indented
_MAX_LIST_DEPTH = 8
_SAME_TYPE = 0.07  # of the size: the items of one list differ by less
_TITLE_CHARS = 200


@dataclass(frozen=True)
class DocumentContext:
    """What pages are finished by that only the whole document tells. `uses` counts the pages of each embedded image."""

    headings: Headings
    sides: CaptionSides
    uses: list[int]


def document_context(pages: list[PageRegions], headings: Headings, uses: list[int]) -> DocumentContext:
    """Looks over all pages before the first is finished."""
    mark_artifacts(pages)
    return DocumentContext(headings, caption_sides(pages, headings.body), uses)


def page_part(page: PageRegions, number: int, context: DocumentContext) -> tuple[Part, list[Element]]:
    """Page `number` (1-based) as a part, and its elements in order."""
    headings, sides = context.headings, context.sides
    associations = associate_captions(page, sides)
    captions = {b.target: page.regions[b.caption].text for b in associations if b.target is not None}
    blocks: list[AnyBlock] = []
    places: list[int] = []
    levels = _list_levels(page.regions, headings)
    furniture: dict[str, list[str]] = {}
    _resolve_notes(page, number, headings)
    for at, region in enumerate(page.regions):
        places.append(len(blocks) + 1)
        place = _edge_of(region, page)
        if place:
            furniture.setdefault(place, []).append(heading_text(region))
            continue
        if region.comes_back and not region.text:
            continue  # an ornament or a logo on page after page shows a reader nothing
        blocks += _blocks(region, number, page, headings, caption=captions.get(at, ""), level=levels.get(at, 0))
    blocks += page.notes
    elements = page_elements(ElementPlaces(page, number, associations, places, context.uses))
    for element in elements:
        at = element.block - 1
        if element.flaw and isinstance(equation := blocks[at], Equation):
            blocks[at] = replace(equation, element=element.label)
    _, _, width, height = page.shown((0.0, 0.0, page.width, page.height))
    title = next((b.text for b in blocks if isinstance(b, Heading)), "")
    part = Part(
        kind="page", title=title[:_TITLE_CHARS], name=page.name, blocks=tuple(blocks), width=width, height=height,
        metadata={place: "\n".join(texts) for place, texts in furniture.items()},
    )  # fmt: skip
    return part, elements


def _edge_of(region: Region, page: PageRegions) -> str:
    """Which of `PAGE_FURNITURE` a region is; "" where it is text of the page."""
    if region.running:
        return "header" if region.running == "head" else "footer"
    outside = region.box[2] < _MARGIN * page.width or region.box[0] > (1 - _MARGIN) * page.width
    if not outside or region.kind != "text" or not region.rotated or region.hidden or len(region.text) > _STAMP_CHARS:
        return ""
    return "margin" if any(r.kind == "text" and not r.rotated and not r.running for r in page.regions) else ""


def _blocks(
    region: Region, number: int, page: PageRegions, headings: Headings, *, caption: str, level: int
) -> list[AnyBlock]:
    box = page.shown(region.box)
    if region.kind == "table":
        return _tables(region, number, box, caption)
    if region.kind in {"figure", "equation"}:
        return [_float(region, number, box, caption)]
    apart = _set_apart(region, number, box, page.height, headings)
    return [apart] if apart is not None else _text_blocks(region, number, box, level, headings)


def _float(region: Region, number: int, box: Box, caption: str) -> Figure | Equation:
    if region.kind == "figure":
        embed = ("image", region.images[0]) if region.images else None
        return Figure(page=number, box=box, embed=embed, caption=caption, text=region.text)
    label = f"({region.label})" if region.label else ""
    return Equation(text=region.text, latex=region.latex, label=label, flaw=region.flaw, page=number, box=box)


def _resolve_notes(page: PageRegions, number: int, headings: Headings) -> None:
    """Keeps of what may call a note what calls one of the page's, with its id. Raised numbers that call another, as one
    at the end of a document, and those that open text which is not a note, stay raised: they would read as part of the
    word beside."""
    _tag_called_notes(page, number, headings)
    for above, below in reversed([*pairwise(page.regions)]):  # long notes begin high on the page
        if _counts_to(above, below) and _footnote(below, page.height, headings) and not headings.level(above):
            above.tag = "Note"
    found = (_footnote(region, page.height, headings) for region in page.regions)
    marks = {mark[1]: f"{number}-{mark[1]}" for mark in found if mark}
    for region in page.regions:
        if not any(span.kind == "note" for span in region.spans):
            continue
        kept: list[Span] = []
        for span in region.spans:
            if span.kind != "note":
                kept.append(span)
            elif not span.start and _footnote(region, page.height, headings):
                continue  # its own mark
            elif span.start and span.value in marks:
                kept.append(Span("note", span.start, span.end, marks[span.value]))
            elif span.value.isdecimal() and not headings.level(region) and not region.running:
                region.text = with_raised(region.text, [(span.start, span.end)])
        notes = [(span.start, span.end) for span in kept if span.kind == "note"]
        region.spans = tuple(span for span in kept if span.kind != "link" or not _is_call(span, notes, region.text))


def _tag_called_notes(page: PageRegions, number: int, headings: Headings) -> None:
    """Tags text that opens with the raised number of a note which text over it calls, wherever it stands: notes behind
    a part of the page, or behind a table, are set as large as text at times. Where a first page has its authors, such
    numbers tell where they work."""
    called: set[str] = set()
    found: dict[str, Region] = {}
    notes = (_footnote(region, page.height, headings) for region in page.regions)
    known = {mark[1] for mark in notes if mark}
    for region in page.regions:
        opening = next((span.value for span in region.spans if span.kind == "note" and not span.start), "")
        free = region.kind == "text" and not (region.running or region.caption or headings.level(region))
        below = number > 1 or region.box[1] > _BYLINES * page.height
        if opening in called - known and free and below and len(region.text) > _FOOTNOTE_CHARS:
            found[opening] = min(region, found.get(opening, region), key=lambda one: one.size)
        called.update(span.value for span in region.spans if span.kind == "note" and span.start)
    for region in found.values():
        region.tag = "Note"


def _counts_to(above: Region, below: Region) -> bool:
    """Whether two texts set alike in one column open with one number and with the next."""
    first, second = NOTE_MARK.match(above.text), NOTE_MARK.match(below.text)
    if first is None or second is None or (above.kind, above.running, above.caption) != ("text", "", None):
        return False
    near = abs(above.column_left - below.column_left) < _LIST_INDENT and 0 < below.box[1] - above.box[3] < above.size
    return near and is_next_number(first[1], second[1]) and abs(above.size - below.size) < _SAME_TYPE * below.size


def _is_call(link: Span, notes: list[tuple[int, int]], text: str) -> bool:
    """Whether a link holds nothing but the number of a note, which leads there already, and the stop behind it."""
    own = (pair for pair in notes if link.start <= pair[0] < link.end)
    return any(not text[link.start : start].strip() and not text[end : link.end].strip(" .,;:)") for start, end in own)


def _set_apart(region: Region, number: int, box: Box, height: float, headings: Headings) -> Note | Heading | None:
    """A heading or a footnote; None where the region is running text."""
    full, hidden = heading_text(region), region.hidden
    rank = headings.level(region)
    if rank:
        own, text = number_and_text(full)
        return Heading(text=text, level=rank, number=own, page=number, box=box, hidden=hidden)
    if footnote := _footnote(region, height, headings):
        text = full[footnote.end() :].lstrip(".) ")
        return Note(kind="footnote", text=text, id=f"{number}-{footnote[1]}", page=number, box=box, hidden=hidden)
    return None


def _footnote(region: Region, height: float, headings: Headings) -> re.Match[str] | None:
    """The mark a footnote opens with; None of other text."""
    if region.code or region.running or region.kind not in {"text", "list"} or headings.level(region):
        return None
    footnote = NOTE_MARK.match(heading_text(region))
    marked = region.tag == "Note" or (
        in_foot_notes(region, headings.body, height) and len(region.text) > _FOOTNOTE_CHARS
        and (region.kind == "text" or not region.marker.startswith(("(", "[")))
    )  # fmt: skip
    return footnote if marked else None


def _text_blocks(region: Region, number: int, box: Box, level: int, headings: Headings) -> list[AnyBlock]:
    """Running text; the title a paragraph opens with is a heading of its own."""
    length, rank = headings.title(region)
    if not length:
        return [_text_block(region, number, box, level)]
    rest = region.text[length:].lstrip(" .:—–-")
    spans = shift_spans(region.spans, len(rest) - len(region.text))
    own, title = number_and_text(region.text[:length].strip().rstrip(".:—–-").strip())
    heading = Heading(text=title, level=rank, number=own, page=number, box=box, hidden=region.hidden)
    return (
        [heading, Paragraph(text=rest, spans=spans, page=number, box=box, hidden=region.hidden)] if rest else [heading]
    )


def _text_block(region: Region, number: int, box: Box, level: int) -> ListItem | Code | Paragraph:
    hidden = region.hidden
    if region.code:
        return Code(text=dedent(region.code), page=number, box=box, hidden=hidden)
    text, spans = without_leaders(_with_line_ends(region), region.spans)
    if region.kind == "list":
        ordered = region.marker != "o" and (region.marker[:1].isalnum() or region.marker[1:2].isalnum())
        return ListItem(
            text=text, level=level, marker=region.marker, ordered=ordered, spans=spans, page=number, box=box,
            hidden=hidden,
        )  # fmt: skip
    style = "caption" if region.caption else "quote" if region.quoted else ""
    return Paragraph(text=text, style=style, spans=spans, page=number, box=box, hidden=hidden)


def _with_line_ends(region: Region) -> str:
    """Its text, with line ends where a person ended its lines."""
    if not region.line_ends:
        return region.text
    text = list(region.text)
    for at in region.line_ends:
        if text[at : at + 1] == [" "]:
            text[at] = "\n"
    return "".join(text)


def _tables(region: Region, number: int, box: Box, caption: str) -> list[AnyBlock]:
    """The table, in windows where it has many rows. The part of one that goes on from an earlier page says its header,
    so that it can be read, and asked, by itself."""
    tables: list[AnyBlock] = []
    header = [*region.header] if region.first_row else []
    for first in range(0, len(region.rows), TABLE_WINDOW):
        above = header if not first else []
        rows = [*above, *region.rows[first : first + TABLE_WINDOW]]
        merges = tuple(
            Merge(m.row - first + len(above), m.col, min(m.rows, first + TABLE_WINDOW - m.row), m.cols)
            for m in region.merges if first <= m.row < first + TABLE_WINDOW
        )  # fmt: skip
        heads = 0 if first else len(above) or region.header_rows
        tables.append(
            Table(
                rows=tuple(tuple(row) for row in rows), header_rows=heads,
                first_row=region.first_row + first, merges=merges, caption=caption, page=number, box=box,
                confidence=region.confidence, flaws=region.flaws,
                lines=region.table_lines if not first else (),
            )
        )  # fmt: skip
    return tables


def _list_levels(regions: list[Region], headings: Headings) -> dict[int, int]:
    """Depth of each list item, by how far it is indented against the items before it in the same list. Text indented
    further than an item belongs to it; items before a first one of a lesser indent carry on one of a page before."""
    levels: dict[int, int] = {}
    stack: list[float] = []
    run: list[int] = []
    last = -_LIST_INTERRUPTION - 1
    for at, region in enumerate(regions):
        if region.kind != "list" or headings.level(region):
            continue
        x = region.opens
        inner = bool(run) and _is_within(regions[last], regions[last + 1 : at + 1])
        far = at - last > _LIST_INTERRUPTION and not inner
        if far or abs(region.column_left - regions[last].column_left) > _LIST_COLUMN:
            stack, run = [], []
        counts_on = last >= 0 and _follows(regions[last].marker, region.marker)
        last = at
        while stack and x < stack[-1] - _LIST_INDENT:
            stack.pop()
        if run and not stack and inner and not region.marker[:1].isdigit():  # "10." may begin left of "9."
            levels.update({earlier: min(levels[earlier] + 1, _MAX_LIST_DEPTH) for earlier in run})
        if stack and counts_on:
            stack[-1] = x  # the first of paragraphs that are indented at their first line is often not
        elif not stack or x > stack[-1] + _LIST_INDENT:
            stack.append(x)
        levels[at] = min(len(stack) - 1, _MAX_LIST_DEPTH)
        run = [*run, at] if inner else [at]
    return levels


def _follows(one: str, other: str) -> bool:
    """Whether a number, or a letter, is the next."""
    one, other = one.strip("()[]."), other.strip("()[].")
    letters = len(one) == len(other) == 1 and one.isalpha()
    return is_next_number(one, other) or (letters and ord(other) == ord(one) + 1)


def _is_within(item: Region, others: list[Region]) -> bool:
    """Whether what stands between an item and the last of the others, set alike, is indented further than both."""
    later = others[-1]
    if (item.bold, item.marker.isalnum()) != (later.bold, later.marker.isalnum()):
        return False
    alike = abs(item.size - later.size) < _SAME_TYPE * item.size
    left = max(item.opens, later.opens) + _LIST_INDENT
    return alike and all(r.box[0] > left and r.kind in {"text", "equation"} for r in others[:-1])
