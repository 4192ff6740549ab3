"""Joins what a column or page end cuts in two: a paragraph that runs on in the next column, a sentence or a table that
runs on on the next page, a note that runs on on either."""

import re
from collections.abc import Container
from itertools import pairwise

from sidecar.api import UNCERTAIN_TABLE, Merge, Span
from sidecar_pdf.layout.lines import line_separator, shift_spans
from sidecar_pdf.layout.tables.columns.fields import are_labelled
from sidecar_pdf.layout.tables.found import as_lines
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.text.segments import Segment

NOTE_MARK = re.compile(r"^(\d{1,3}(?!\d|[-–./:]\d)|(?!§+\s?\d)[*∗†‡§¶]{1,3})(?!\s[-–—]\s)\s?(?=\S)")
"""What a footnote opens with, and not the number of a section of a law, a date or a longer number, nor that of a step
before a dash."""
STEP_MARK = re.compile(r"\d{1,3}:\s")
"""What a numbered line of an algorithm opens with."""
# Chosen on the corpus.
_SMALL_PRINT = 0.93  # of the size of running text: footnotes are set smaller than this
_HUGE = 3.0  # times the size of running text: a word behind it
_NOTES_TOP = 0.55  # of the page height: footnotes begin below this
_SAME_SIZE = 0.07  # of the size: two parts of a paragraph differ by less
_SAME_SIZE_POINTS = 0.5  # points: two parts of a word differ by no more
_SAME_EDGE = 4.0  # points between the edges of two parts of a table
_SHARED_COLUMN = 0.3  # of the narrower of two columns that are one
_LABEL_CHARS = 3  # of a label in a drawing
_FORMULA = 0.5  # share of the characters of a piece of a formula that are in mathematical type
_MAX_PASSED = 8  # footnotes and captions between the text and the page's end, or before the text of the next

_PROSE_LINES = 3  # of a paragraph without a full stop that breaks off in the midst of a sentence
_MAX_MODELS = 16  # tables of two pages, to whose columns rows between them may keep
_MAX_SENTENCE = 600  # characters of a sentence's rest
_SENTENCE_ENDS = ".!?:;。．！？：；…।۔؟"
_SCRIPT_WITHOUT_CASE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff、，]")
_OPENS_NAME = re.compile(r"[\"“„«(]?[^\W\d_]")
_OPENS_LABEL = re.compile(r"[^.:]{1,40}:\s")
_SENTENCE_END = re.compile(r"[。．！？]|(?<![A-Z\d])[.!?…][\"'”’)\]]*(?:\s|$)")


def append_column(regions: list[Region], column: list[Region], vocabulary: set[str]) -> None:
    """Appends a column; a paragraph that runs over from the last one is joined, past footnotes and floats."""
    head = next((r for r in column[:_MAX_PASSED] if not _is_passed(r, 0.0)), None) if regions else None
    if head is not None:
        last = next((r for r in regions[: -_MAX_PASSED - 1 : -1] if not _is_passed(r, head.size)), None)
        if last is not None and not _ends_column(last) and _runs_over(last, head):
            _append(last, head, vocabulary)
            column = [region for region in column if region is not head]
    regions += column


def _is_passed(region: Region, size: float) -> bool:
    """Whether a region may stand within a paragraph of `size` points that goes on behind it: a float, its caption, the
    steps of an algorithm, a label of a drawing, small print, what is turned, a word in huge letters behind the text."""
    if region.running or region.hidden or region.size < _SMALL_PRINT * size:
        return not region.running
    if (
        region.caption
        or region.rotated
        or region.size > _HUGE * size > 0
        or region.kind in {"table", "figure"}
        or STEP_MARK.match(region.text)
    ):
        return True
    return region.kind == "text" and region.lines == 1 and len(region.text) <= _LABEL_CHARS


def _append(region: Region, rest: Region, vocabulary: set[str]) -> None:
    """Puts the rest of a paragraph behind its beginning."""
    separator, drop = line_separator(region.text.rsplit(" ", 1)[-1], rest.text.split(" ", 1)[0], vocabulary)
    start = (region.text[:-1] if drop else region.text) + separator
    region.text = start + rest.text
    region.spans += shift_spans(rest.spans, len(start))
    region.lines += rest.lines


def in_foot_notes(region: Region, body: float, height: float) -> bool:
    """Whether text stands where, and is set as small as, footnotes are; `body` is the size of running text."""
    small, low = region.size < _SMALL_PRINT * body, region.box[1] > _NOTES_TOP * height
    return small and low and not region.caption


def join_cut_notes(pages: list[PageRegions], body: float, vocabulary: set[str], apart: Container[int]) -> None:
    """Puts the rest of a footnote, which goes on at the foot of the next column or page before the notes of its own,
    behind its beginning. `body`, `vocabulary` and `apart` are as for `join_cut_sentences`."""
    note: Region | None = None
    for before, page in pairwise([PageRegions(0, 0), *pages]):
        if note is not None and not any(region is note for region in before.regions):
            note = None  # a page without notes lies between
        for region in [*page.regions]:
            if region.running or region.kind not in {"text", "list"} or not in_foot_notes(region, body, page.height):
                continue
            if region.hidden or region.mono or id(region) in apart:
                note = None
            elif NOTE_MARK.match(region.text) or region.marker:
                note = region
            elif note is not None and _carries_on(note, region):
                _append(note, region, vocabulary)
                page.regions = [other for other in page.regions if other is not region]
                note = None


def _carries_on(note: Region, rest: Region) -> bool:
    """Whether text goes on with the sentence a note breaks off in."""
    if note.text[-1:] in _SENTENCE_ENDS or not rest.text[:1].islower():
        return False
    return abs(note.size - rest.size) <= _SAME_SIZE_POINTS and rest.lines > 1 and not rest.rotated


def _ends_column(region: Region) -> bool:
    """Whether the text before the region cannot run on after it: pieces of formulas do not."""
    stands_alone = region.caption is not None or region.math > _FORMULA
    return bool(region.running) or region.kind not in {"text", "list"} or stands_alone


def _runs_over(region: Region, head: Region) -> bool:
    return (
        head.kind == "text" and head.caption is None
        and _may_carry_on(region, head) and region.text[-1:] not in ".!?:;。．！？：；"
        and abs(region.size - head.size) < _SAME_SIZE * head.size and region.bold == head.bold
        and region.lines > 1 and (head.lines > 1 or _SENTENCE_END.search(head.text[-2:]) is not None)
    )  # fmt: skip


def _may_carry_on(region: Region, rest: Region) -> bool:
    """Whether what stands behind a region opens within a sentence: with a small letter, or behind a comma. Where a
    script has no small letters, words of it behind words of it do."""
    if _SCRIPT_WITHOUT_CASE.match(rest.text) and _SCRIPT_WITHOUT_CASE.match(region.text[-1:]):
        return True
    if rest.text[:1].islower() or (region.text[-1:] == "," and rest.text[:1].isalnum()):
        return True
    return _breaks_off(region) and _goes_on_with_name(rest)


def _breaks_off(region: Region) -> bool:
    """Whether a full line ends prose in the midst of a sentence, behind a small letter."""
    prose = region.lines >= _PROSE_LINES or (region.lines > 1 and _SENTENCE_END.search(region.text) is not None)
    return prose and region.full and region.text[-1:].islower()


def _goes_on_with_name(rest: Region) -> bool:
    """Whether prose may open within a sentence though it does with a capital, as names have and nouns of German."""
    opens = _OPENS_NAME.match(rest.text) is not None and _OPENS_LABEL.match(rest.text) is None
    return opens and rest.lines > 1 and _SENTENCE_END.search(rest.text) is not None


def join_cut_sentences(pages: list[PageRegions], body: float, vocabulary: set[str], apart: Container[int]) -> None:
    """Puts the rest of a sentence that a page end cuts in two on the page where it begins: neither half can be found,
    or understood, alone. `body` is the size of running text in points; `vocabulary` holds words seen unbroken, which
    tell a hyphen of the word's own from one of the line; `apart` are the ids of regions that are headings."""
    for page, following in pairwise(pages):
        last = _outermost_text(page.regions[::-1], body)
        first = _outermost_text(following.regions, body)
        if last is None or first is None or id(last) in apart or id(first) in apart or not _is_cut(last, first):
            continue
        end = _SENTENCE_END.search(first.text)
        length = end.end() if end and end.end() < _MAX_SENTENCE else len(first.text)
        if length > _MAX_SENTENCE:
            length = first.text.find(" ") + 1  # at least the word
        moved = first.text[:length].strip()
        separator, drop = line_separator(last.text.rsplit(" ", 1)[-1], moved.split(" ", 1)[0], vocabulary)
        start = (last.text[:-1] if drop else last.text) + separator
        last.spans += tuple(
            Span(s.kind, s.start + len(start), min(s.end, len(moved)) + len(start), s.value)
            for s in first.spans if s.start < len(moved)
        )  # fmt: skip
        last.text = start + moved
        first.spans = shift_spans(first.spans, -length)
        first.text, first.line_ends = first.text[length:], ()
        if not first.text:
            following.regions.remove(first)


def _is_cut(last: Region, first: Region) -> bool:
    """Whether a page ends within a sentence that the next one carries on."""
    if first.marker or not _may_carry_on(last, first) or abs(last.size - first.size) > _SAME_SIZE_POINTS:
        return False
    if last.text[-1:] in "-\u2010":
        return last.text[-2:-1].isalpha()
    return last.text[-1:] not in _SENTENCE_ENDS and last.bold == first.bold and last.lines > 1


def _outermost_text(regions: list[Region], body: float) -> Region | None:
    """The first running text among the regions, past what may stand outside it."""
    passed = 0
    for region in regions:
        if not region.running and not _is_passed(region, body):
            return region if region.kind in {"text", "list"} and not region.mono else None
        passed += not (region.running or STEP_MARK.match(region.text))
        if passed > _MAX_PASSED:
            return None
    return None


def take_rows_overleaf(pages: list[PageRegions]) -> None:
    """Makes lines at the end of a page, or the beginning of the next one, a table that keep to the columns of the one
    with which the other page begins or ends: a row or two say nothing of columns by themselves. Labels with colons on
    both sides that keep to the columns of a table of these pages are such lines too."""
    for page, following in pairwise(pages):
        last, first = _outermost_table(page.regions[::-1], 0.0), _outermost_table(following.regions, 0.0)
        if last is not None and first is None and last.edges is not None:
            _make_table(following, last, *last.edges.opening_rows(following.first_lines))
        elif first is not None and last is None and first.edges is not None:
            _make_table(page, first, *first.edges.closing_rows(page.last_lines))
        elif last is None and first is None and page.last_lines and following.first_lines:
            _take_cut_list(page, following)


def _take_cut_list(page: PageRegions, following: PageRegions) -> None:
    """Makes the labels and values with which a page ends and those with which the next one begins tables."""
    models = [region for region in (*page.regions[::-1], *following.regions) if region.edges is not None]
    for model in models[:_MAX_MODELS]:
        if model.edges is None:
            continue
        rows, lines = model.edges.closing_rows(page.last_lines)
        further, further_lines = model.edges.opening_rows(following.first_lines)
        if rows and further and are_labelled([*rows, *further]):
            _make_table(page, model, rows, lines)
            _make_table(following, model, further, further_lines)
            return


def _make_table(page: PageRegions, model: Region, rows: list[list[str]], lines: list[list[Segment]]) -> None:
    """Puts rows in place of the text that their lines are, where it is of nothing else, as a table like another."""
    if not lines:
        return
    top, bottom = min(s.y0 for s in lines[0]), max(s.y1 for line in lines for s in line)
    middles = [(region, (region.box[1] + region.box[3]) / 2) for region in page.regions if region.in_flow]
    own = [region for region, middle in middles if top < middle < bottom]
    if not own or any(
        region.kind not in {"text", "list"} or region.box[1] < top - _SAME_EDGE or region.box[3] > bottom + _SAME_EDGE
        for region in own
    ):
        return
    made = Region(
        "table", "", (model.box[0], top, model.box[2], bottom), size=model.size, rows=rows, columns=model.columns,
        confidence=model.confidence, flaws=model.flaws, edges=model.edges,
    )  # fmt: skip
    if made.confidence < UNCERTAIN_TABLE:
        made.table_lines = as_lines(lines)
    at = next(at for at, region in enumerate(page.regions) if region is own[0])
    page.regions[at] = made
    taken = set(map(id, own))
    page.regions = [region for region in page.regions if id(region) not in taken]


def join_continued_tables(pages: list[PageRegions], body: float, vocabulary: set[str]) -> None:
    """Lets a table that opens a page, or a column, go on with the one that closed that before, if its columns are so:
    its rows are counted on, headers that are set again are not rows, and the rest of a row that the page end cuts
    stands behind its beginning. `body` and `vocabulary` are as for `join_cut_sentences`."""
    open_table: Region | None = None
    for page in pages:
        first = _outermost_table(page.regions, body)
        if first is not None and open_table is not None:
            repeated = _repeated_header(open_table, first)
            if repeated or _goes_on(open_table, first):
                _continue(open_table, first, repeated)
                _join_cut_row(open_table, first, vocabulary)
                if not first.rows:
                    page.regions = [region for region in page.regions if region is not first]
                    continue
        for table, further in pairwise(page.regions):
            if table.kind == further.kind == "table" and _is_beside(table, further):
                above = further.box[1] < table.box[1]  # else tables of a kind may stand side by side
                repeated = _repeated_header(table, further) if above else 0
                if repeated or _goes_on(table, further, further.box[0] - table.box[0]):
                    _continue(table, further, repeated)
        open_table = _outermost_table(page.regions[::-1], body)


def _outermost_table(regions: list[Region], body: float) -> Region | None:
    """The table that stands before (or, in reverse, after) all running text of a page."""
    for region in regions:
        if region.kind == "table":
            return region
        outside = not region.in_flow or region.caption
        if not outside and (region.kind == "figure" or region.size >= _SMALL_PRINT * body):
            return None
    return None


def _repeated_header(table: Region, further: Region) -> int:
    """How many rows at the head of a further part say the header of the table again."""
    header = table.header or table.rows[: max(table.header_rows, 1)]
    folded = [[cell.casefold() for cell in row] for row in header]
    same = [[cell.casefold() for cell in row] for row in further.rows[: len(header)]] == folded
    return len(header) if same and len(further.rows) > len(header) and any(map(any, header)) else 0


def _is_beside(table: Region, further: Region) -> bool:
    """Whether a table stands in the next column of a page, and begins no lower than the one before."""
    return further.box[0] > table.box[2] and further.box[1] < table.box[1] + _SAME_EDGE


def _goes_on(table: Region, further: Region, aside: float = 0.0) -> bool:
    """Whether a further part has the columns of the table, at the same edges or `aside` points off, and no header."""
    if further.caption or further.header_rows or len(table.columns) != len(further.columns) or not table.columns:
        return False
    edges = abs(table.box[0] + aside - further.box[0]), abs(table.box[2] + aside - further.box[2])
    columns = [(left + aside, right + aside) for left, right in table.columns]
    return max(edges) < _SAME_EDGE and all(
        min(one[1], other[1]) - max(one[0], other[0]) > _SHARED_COLUMN * min(one[1] - one[0], other[1] - other[0])
        for one, other in zip(columns, further.columns, strict=True)
    )


def _continue(table: Region, further: Region, repeated: int) -> None:
    further.first_row = table.first_row + len(table.rows)
    further.header = table.header or table.rows[: max(table.header_rows, repeated)]
    further.header_rows = 0
    further.rows = further.rows[repeated:]
    merges = [Merge(m.row - repeated, m.col, m.rows, m.cols) for m in further.merges if m.row >= repeated]
    further.merges = tuple(merges)


def _join_cut_row(table: Region, further: Region, vocabulary: set[str]) -> None:
    """Puts what goes on in the first row of a further part behind the cells of the last row before: of these, some
    break off within a sentence, and no other has anything there."""
    if not further.rows or not table.rows or any(m.row == 0 for m in further.merges):
        return
    above, rest = table.rows[-1], further.rows[0]
    going = [at for at, text in enumerate(rest) if text]
    if not going or len(above) != len(rest) or len(going) == len(rest):
        return
    if not all(above[at] and above[at][-1] not in _SENTENCE_ENDS and rest[at][0].islower() for at in going):
        return
    for at in going:
        separator, drop = line_separator(above[at].rsplit(" ", 1)[-1], rest[at].split(" ", 1)[0], vocabulary)
        above[at] = (above[at][:-1] if drop else above[at]) + separator + rest[at]
    further.rows = further.rows[1:]
    further.merges = tuple(Merge(m.row - 1, m.col, m.rows, m.cols) for m in further.merges)
