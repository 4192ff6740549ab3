"""What of a document those who open it see: text that is flagged as hidden, and characters without shape, are counted
and left out. Views and the search index show the rest unless hidden text is asked for. What hides is `hidden`'s.

What an author's program hides by row, column, sheet or slide, and keeps for authors (speaker notes), is no hidden text:
it is shown and named."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple, TypedDict, Unpack

from msgspec.structs import replace

from sidecar.api.model import (
    AnyBlock,
    Box,
    Cell,
    Figure,
    Heading,
    ListItem,
    Note,
    Notice,
    Paragraph,
    Part,
    Span,
    SpanKind,
    Table,
)

ASK = "hidden"
"""The switch of a URI's query that asks for hidden text: `?hidden=1`."""

_ZERO_WIDTH = "\u200b\u200c\u200d\u2060-\u2064\ufeff\u180e\u034f\u115f\u1160\u3164\uffa0"
_SHAPELESS = re.compile(f"[{_ZERO_WIDTH}\ufe00-\ufe0f\U000e0000-\U000e01ef]")
"""Asked first: a tenth of the time."""
_INVISIBLE = re.compile(
    "(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0000-\U000e007f]+"
    "|(?<=\U0001f3f4)[\U000e0000-\U000e007f]{9,}"  # a flag of a region has six at most
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}"  # an emoji typed twice over has two
    f"|[{_ZERO_WIDTH}]{{6,}}"
)
"""The tag block (Unicode 16, §23.9), runs of variation selectors and of zero-width characters, which spell messages."""
_NO_COMMENT = re.compile(r"\[if|#|\s*/\*")
_LINK_COMMENT = re.compile(r"""^ {0,3}\[(?://|comment|_)[^\]\n]{0,80}\]: ?<?#?>? ?["'(](.*)$""", re.MULTILINE)
"""What Markdown has for comments: the definition of a link that nothing uses."""
_LINK_MARKS = ("[//", "[comment", "[_")
_SENTENCE = 4
"""Words that make a comment one of words."""
_LOOKED_AT = 2_000
"""Characters of one comment that are looked at for words."""
_IN_SOURCE = "comment in the source"
_MAX_COMMENTS = 1_000
"""How many comments of one page are kept; all are counted."""
_MAX_NAMED = 20
"""Hidden slides."""

_EDGE = 3.0
"""Points by which a shape's box, which is larger than its words, may stand out of what covers it."""

_LEFT_OUT = f"left out of views and search, ?{ASK}=1 shows it."


class _Place(TypedDict, total=False):
    page: int | None
    box: Box | None
    hidden: bool


class HiddenCount(NamedTuple):
    """How many stretches of text are hidden, and their characters."""

    places: int = 0
    characters: int = 0

    def plus(self, other: "HiddenCount") -> "HiddenCount":
        """Both together."""
        return HiddenCount(self.places + other.places, self.characters + other.characters)

    def __str__(self) -> str:
        where = "1 place" if self.places == 1 else f"{self.places:,} places"
        return f"{where} ({self.characters:,} characters)"


NOTHING = HiddenCount()
"""Nothing is hidden."""


def boxes_overlap(one: Box | None, other: Box | None) -> bool:
    """Whether two shapes' boxes have a place in common; one without a place may be anywhere."""
    if one is None or other is None:
        return True
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def union(boxes: Iterable[Box | None]) -> Box | None:
    """The smallest box around those given; None when there are none."""
    known = [box for box in boxes if box is not None]
    if not known:
        return None
    return (min(b[0] for b in known), min(b[1] for b in known), max(b[2] for b in known), max(b[3] for b in known))


def box_contains(cover: Box | None, box: Box | None) -> bool:
    """Whether the words in one shape's box are covered, or carried, as a whole by another's."""
    if cover is None or box is None:
        return False
    inside = cover[0] - _EDGE <= box[0] and box[2] <= cover[2] + _EDGE
    return inside and cover[1] - _EDGE <= box[1] and box[3] <= cover[3] + _EDGE


def invisible_spans(text: str) -> list[Span]:
    """The stretches of characters without shape that spell something, as "hidden" spans."""
    if text.isascii() or _SHAPELESS.search(text) is None:
        return []
    return [Span("hidden", found.start(), found.end()) for found in _INVISIBLE.finditer(text)]


def visible_text(text: str) -> str:
    """The text without characters that have no shape and spell something."""
    return text if text.isascii() or _SHAPELESS.search(text) is None else _INVISIBLE.sub("", text)


def moved(spans: Sequence[Span], by: int) -> Sequence[Span]:
    """Spans of a text that stands `by` characters further on."""
    return [Span(s.kind, s.start + by, s.end + by, s.value, s.date) for s in spans] if by else spans


def spans_cover(spans: Sequence[Span], text: str, kind: SpanKind = "hidden") -> bool:
    """Whether spans of a kind cover all of a text that is not white space."""
    if not spans:
        return False
    covered = sorted([(span.start, span.end) for span in spans if span.kind == kind])
    at = 0
    for start, end in covered:
        if text[at:start].strip():
            return False
        at = max(at, end)
    return bool(covered) and not text[at:].strip()


def joined(lines: Iterable[tuple[str, Sequence[Span]]]) -> tuple[str, tuple[Span, ...]]:
    """Texts with their spans as one, a line each."""
    texts: list[str] = []
    spans: list[Span] = []
    at = 0
    for text, own in lines:
        texts.append(text)
        spans += moved(own, at)
        at += len(text) + 1
    return "\n".join(texts), tuple(spans)


def trimmed(text: str, spans: Sequence[Span]) -> tuple[str, tuple[Span, ...]]:
    """Text without the white space around it, its spans moved and clipped to what is left; of those that nothing is
    left of, a comment's stay."""
    bare = text.strip()
    if bare == text:
        return text, tuple(spans)
    cut = len(text) - len(text.lstrip())
    kept: list[Span] = []
    for span in spans:
        start, end = max(span.start - cut, 0), min(max(span.end - cut, 0), len(bare))
        if start < end or span.kind == "comment":
            kept.append(Span(span.kind, min(start, end), end, span.value, span.date))
    return bare, tuple(kept)


def visible(block: AnyBlock) -> AnyBlock:
    """The block without its hidden text: the same object where there is none, a hidden paragraph without text where
    nothing is left, so that the numbers of the blocks after it stay true."""
    if block.hidden:
        return Paragraph(text="", page=block.page, hidden=True)
    if isinstance(block, (Paragraph, ListItem, Heading, Note)):
        for span in block.spans:
            if span.kind == "hidden":
                return _visible_line(block)
        return block if block.text.isascii() or _SHAPELESS.search(block.text) is None else _visible_line(block)
    if isinstance(block, Table):
        return _visible_table(block)
    if isinstance(block, Figure):
        caption, alt, text = visible_text(block.caption), visible_text(block.alt), visible_text(block.text)
        same = (caption, alt, text) == (block.caption, block.alt, block.text)
        return block if same else replace(block, caption=caption, alt=alt, text=text)
    text = visible_text(block.text)
    return block if text == block.text else replace(block, text=text)


def is_empty(block: AnyBlock) -> bool:
    """Whether it is what `visible` leaves of a block that is hidden as a whole."""
    return block.hidden and isinstance(block, Paragraph) and not block.text


def visible_parts(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts with `visible` blocks; the same objects where nothing is hidden."""
    made: list[Part] = []
    for part in parts:
        blocks = tuple(map(visible, part.blocks))
        made.append(part if blocks == part.blocks else replace(part, blocks=blocks))
    return tuple(made)


def left_out(block: AnyBlock, shown: AnyBlock) -> HiddenCount:
    """What `visible(block)`, given as `shown`, lacks."""
    if shown is block:
        return NOTHING
    if isinstance(block, Table):
        sizes = _table_sizes(block, shown)
    elif isinstance(block, Figure):
        sizes = [len(block.caption) + len(block.alt) + len(block.text)]
    else:
        stretches = [] if block.hidden else _hidden_stretches(block.text, getattr(block, "spans", ()))
        sizes = [end - start for start, end in stretches] or [len(block.text)]
    return HiddenCount(sum(size > 0 for size in sizes), sum(sizes))


def _table_sizes(table: Table, shown: AnyBlock) -> list[int]:
    if not isinstance(shown, Table):
        return [sum(len(cell) for row in table.rows for cell in row)]
    return [
        len(one) - len(other)
        for row, kept in zip(table.rows, shown.rows, strict=True)
        if row is not kept
        for one, other in zip(row, kept, strict=True)
    ]


def hidden_slides_notice(parts: Iterable[Part]) -> tuple[Notice, ...]:
    """The remark that names the slides which are hidden; none where none is."""
    hidden = [str(number) for number, part in enumerate(parts, 1) if part.hidden]
    shown = ", ".join(hidden[:_MAX_NAMED]) + (" …" if len(hidden) > _MAX_NAMED else "")
    which = f"Slide {shown} is hidden." if len(hidden) == 1 else f"Slides {shown} are hidden."
    return (Notice("hidden_content", which),) if hidden else ()


def hidden_notice(blocks: Iterable[AnyBlock], part: int | None = None) -> tuple[Notice, ...]:
    """The remark that counts what is hidden in the blocks, comments in the source apart; none where nothing is."""
    found = NOTHING
    for block in blocks:
        if isinstance(block, Note) and block.target == _IN_SOURCE:
            continue
        shown = visible(block)
        if shown is not block:
            found = found.plus(left_out(block, shown))
    if not found.places:
        return ()
    return (Notice("hidden_content", f"Text hidden from readers in {found}; {_LEFT_OUT}", part),)


def changes_notice(changes: int) -> tuple[Notice, ...]:
    """The remark that counts insertions and deletions an author's program tracked; none where there are none."""
    if not changes:
        return ()
    counted = f"{changes:,} tracked change{'s' if changes > 1 else ''}"
    return (Notice("tracked_changes", f"The text holds {counted}; insertions and deletions are both kept."),)


def source_comments(source: str, *, markdown: bool = False) -> list[str]:
    """The comments of words in a source of HTML, or of Markdown, which has its own besides; readers do not see them."""
    found: list[str] = []
    begun = source.find("<!--")
    while begun >= 0:
        begun += 4
        if not _NO_COMMENT.match(source, begun):
            end = source.find("-->", begun)
            found.append(source[begun:end] if end >= 0 else source[begun:])
            begun = end + 3 if end >= 0 else len(source)
        begun = source.find("<!--", begun)
    if markdown and "]:" in source and any(mark in source for mark in _LINK_MARKS):
        found += map(_unquoted, _LINK_COMMENT.findall(source))
    return [comment for comment in found if _is_sentence(comment)]


def comments_notice(comments: Sequence[str], part: int | None = None) -> tuple[Notice, ...]:
    """The remark that counts the comments of a source; none where there are none."""
    if not comments:
        return ()
    what = "1 comment" if len(comments) == 1 else f"{len(comments):,} comments"
    size = sum(map(len, comments))
    message = f"{what} in the source ({size:,} characters), which readers do not see, left out; ?{ASK}=1 shows it."
    return (Notice("left_out", message, part),)


def comment_notes(comments: Sequence[str]) -> tuple[Note, ...]:
    """The comments of a source as hidden notes."""
    texts = [" ".join(comment.split()) for comment in comments[:_MAX_COMMENTS]]
    return tuple(Note(kind="annotation", text=text, target=_IN_SOURCE, hidden=True) for text in texts)


def link_note(target: str, about: str, tip: str = "", **place: Unpack[_Place]) -> Note:
    """Where a click on `about`, which is no text, leads, with its screen tip: a reader sees it under the pointer."""
    spans = (Span("link", 0, len(target), target),)
    return Note(kind="annotation", text=f"{target} — {tip}" if tip else target, target=about, spans=spans, **place)


def _unquoted(title: str) -> str:
    """The title of a link's definition, to the end of its line, without the mark that closes it."""
    title = title.rstrip(" ")
    return title[:-1] if title.endswith(('"', "'", ")")) else title


def _is_sentence(comment: str) -> bool:
    words = (word.strip(",.:;!?'’()-") for word in comment[:_LOOKED_AT].split())
    return sum(len(word) > 1 and word.isalpha() for word in words) >= _SENTENCE


def _visible_line(block: Heading | ListItem | Note | Paragraph) -> AnyBlock:
    """A block of text and spans without its hidden stretches; empty where nothing is left that can be seen."""
    stretches = _hidden_stretches(block.text, block.spans)
    if not stretches:
        return block
    text, kept = _without(block.text, block.spans, stretches)
    if not text.strip():
        return Paragraph(text="", page=block.page, hidden=True)
    return replace(block, text=text, spans=kept)


def _hidden_stretches(text: str, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Where the text is hidden: by its spans and by its characters, in order and apart from one another."""
    found = [(max(span.start, 0), min(span.end, len(text))) for span in spans if span.kind == "hidden"]
    found += [(span.start, span.end) for span in invisible_spans(text)]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if start >= end:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _without(text: str, spans: Sequence[Span], stretches: Sequence[tuple[int, int]]) -> tuple[str, tuple[Span, ...]]:
    """The text without those stretches, and its other spans where they stand then; those left empty go."""
    starts = [start for start, _ in stretches]
    gone = [0, *accumulate(end - start for start, end in stretches)]

    def moved(place: int) -> int:
        before = bisect_right(starts, place)
        if before and place < stretches[before - 1][1]:
            return starts[before - 1] - gone[before - 1]
        return place - gone[before]

    kept: list[Span] = []
    for span in spans:
        start, end = moved(max(span.start, 0)), moved(min(span.end, len(text)))
        if span.kind != "hidden" and (end > start or span.start == span.end):
            kept.append(replace(span, start=start, end=end))
    edges = [0, *chain.from_iterable(stretches), len(text)]
    return "".join([text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]), tuple(kept)


def _visible_table(table: Table) -> AnyBlock:
    """The table without hidden text in its cells, its name and its caption; a cell that shows nothing holds nothing."""
    name, caption = visible_text(table.name), visible_text(table.caption)
    concealed = [cell for cell in table.cells if (cell.spans or cell.table is not None) and _hides_text(cell)]
    plain = "\n".join(map("".join, table.rows))
    smuggled = bool(invisible_spans(plain))
    if not concealed and not smuggled:  # lines of a table that is uncertain say what its cells say
        unchanged = name == table.name and caption == table.caption
        return table if unchanged else replace(table, name=name, caption=caption)
    rows = {number: list(row) for number, row in enumerate(table.rows) if smuggled and not "".join(row).isascii()}
    for row in rows.values():
        row[:] = [visible_text(text) for text in row]
    changed: dict[int, Cell | None] = {}
    for cell in concealed:
        if 0 <= cell.row < len(table.rows):
            row = rows.setdefault(cell.row, list(table.rows[cell.row]))
            text = table.rows[cell.row][cell.col] if cell.col < len(row) else ""
            shown, spans = _without(text, cell.spans, _hidden_stretches(text, cell.spans))
            if cell.col < len(row):
                row[cell.col] = shown
            nested = cell.table if cell.table is None else _nested(cell.table)
            kept = replace(cell, spans=spans, table=nested)
            if not shown.strip():
                kept = Cell(cell.row, cell.col, table=nested) if nested is not None else None
            changed[id(cell)] = kept
    cells = tuple([one for cell in table.cells if (one := changed.get(id(cell), cell)) is not None])
    shown_rows = tuple([tuple(rows[number]) if number in rows else row for number, row in enumerate(table.rows)])
    return replace(table, rows=shown_rows, cells=cells, name=name, caption=caption)


def _hides_text(cell: Cell) -> bool:
    for span in cell.spans:
        if span.kind == "hidden":
            return True
    return cell.table is not None and _nested(cell.table) is not cell.table


def _nested(table: Table) -> Table | None:
    """A table in a cell; None where all of it is hidden."""
    shown = visible(table)
    return shown if isinstance(shown, Table) else None
