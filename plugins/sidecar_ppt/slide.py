"""One slide turned into a `Part`: its shapes in reading order, then footers, speaker notes and comments. What stands
behind the words of a slide's shapes, and which shapes nobody sees for what lies over them or for their place ([MS-PPT]
2.5.1, 2.4.17; [MS-ODRAW] 2.2.13). What cannot be told hides nothing."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from sidecar.api import AnyBlock, Box, Figure, Heading, ListItem, Note, Paragraph, Part, Span
from sidecar.api.model import Cell, Equation, Merge
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.ole.officeart import ArtShape, picture, plain_colour, read_shape, records, walk
from sidecar.toolkit.ooxml.hidden_text import is_solid
from sidecar.toolkit.reading_order import reading_order
from sidecar.toolkit.visible import box_contains, boxes_overlap, joined, link_note
from sidecar.toolkit.word.embeds import StoryEmbeds
from sidecar.toolkit.word.mathtype.equations import equation_in
from sidecar_ppt.file import EDGE_PLACES, NOTES_EDGES, SUBTITLE, TITLES, Kind, PptFile, text_of
from sidecar_ppt.numbers import tagged
from sidecar_ppt.shapes import DrawnShape, flat, read_shapes
from sidecar_ppt.text import Line, SlideFields, SlideText, TextStyles, link_of, read_styles, read_texts

_SCHEME, _COLOURS = 0x07F0, 1
"""The record of a slide's own colours and its instance (SlideSchemeColorSchemeAtom, [MS-PPT] 2.4.17)."""
_ANIMATED = frozenset((0x1014, 0xF144))
_MASTER_OBJECTS, _MASTER_SCHEME, _MASTER_BACKGROUND = 1, 2, 4
"""What a slide takes from its master (SlideFlags, [MS-PPT] 2.13.25)."""
_BY_SCHEME = 0x08


class _SlideContext:
    """The colours and the drawing order of one slide."""

    def __init__(self, slide: bytes, master: bytes, shapes: list[DrawnShape], deck: "Deck") -> None:
        head = next((record.content for record in records(slide) if record.kind == Kind.SLIDE_HEAD), b"")
        flags = int.from_bytes(head[20:22], "little")
        self.scheme = _scheme(master if flags & _MASTER_SCHEME else slide) or _scheme(master)
        self._page = _background(master if flags & _MASTER_BACKGROUND else slide)
        below = deck.drawn_by(master) if flags & _MASTER_OBJECTS else []
        self._order = [*below, *(shape for shape in flat(shapes) if not shape.is_group)]
        self._slide: Box = (0.0, 0.0, deck.width, deck.height)
        self._pictures = deck.pictures
        self._moves = any(record.kind in _ANIMATED for record in walk(slide))

    def behind(self, shape: DrawnShape) -> int | None:
        """The colour that the words of a shape stand on; None where it is not told."""
        below = [other for other in self._order[: self._place(shape)] if boxes_overlap(other.box, shape.box)]
        for one in (shape, *reversed(below)):
            if one.shape.picture or one.shape.filled is None:
                return None
            if one.shape.filled:
                return self._colour(one.shape) if one is shape or box_contains(one.box, shape.box) else None
        return self._colour(self._page) if self._page is not None else None

    def hides(self, shape: DrawnShape) -> bool:
        """Whether a shape stands off the slide or under one that lets nothing through, and nothing moves."""
        if shape.box is None or self._moves:
            return False
        above = self._order[self._place(shape) + 1 :]
        return not boxes_overlap(self._slide, shape.box) or any(
            not one.shape.hidden and box_contains(one.box, shape.box) and self._is_opaque(one.shape) for one in above
        )

    def _is_opaque(self, shape: ArtShape) -> bool:
        if 1 <= shape.picture <= len(self._pictures):
            found = picture(self._pictures[shape.picture - 1])
            return found is not None and is_solid(found[0])
        return shape.is_square and bool(shape.filled) and shape.fill is not None

    def _place(self, shape: DrawnShape) -> int:
        return next((at for at, one in enumerate(self._order) if one is shape), 0)

    def _colour(self, shape: ArtShape) -> int | None:
        if shape.fill is None:
            return None
        number = shape.fill & 0xFF
        if shape.fill >> 24 == _BY_SCHEME:
            return self.scheme[number] if number < len(self.scheme) else None
        return plain_colour(shape.fill)


def _scheme(container: bytes) -> Sequence[int]:
    found = next((r.content for r in records(container) if r.kind == _SCHEME and r.instance == _COLOURS), b"")
    parts = [found[at:end] for at, end in pairwise(range(0, len(found) + 1, 4))]
    return [red << 16 | green << 8 | blue for red, green, blue, _ in parts]


def _background(container: bytes) -> ArtShape | None:
    """The shape that paints the whole slide: it stands in the drawing beside the tree of the others."""
    drawing = next((record for record in records(container) if record.kind == Kind.DRAWING), None)
    outer = next(records(drawing.content), None) if drawing is not None else None
    own = next((record for record in records(outer.content) if record.kind == Kind.SHAPE), None) if outer else None
    shape = read_shape(own.content) if own is not None else None
    return shape if shape is not None and shape.filled else None


_TITLE_CHARS = 120
_HIDDEN_SLIDE = 0x0004
_NEAR = 0.1
"""Points within which two edges of a table's cells are one; programs write them alike to the unit (1/8 point)."""
_MAX_CELLS = 10_000


@dataclass
class Deck:
    """What the slides of one file share. `seen` are the words of masters and edges, told once."""

    file: PptFile
    embeds: StoryEmbeds
    pictures: list[bytes]
    objects: dict[int, int]
    """Number of an object → number it is kept under."""
    width: float
    height: float
    seen: set[str] = field(default_factory=set[str])
    _drawn: dict[bytes, list[DrawnShape]] = field(default_factory=dict[bytes, list[DrawnShape]])
    _styles: dict[bytes, TextStyles] = field(default_factory=dict[bytes, TextStyles])

    def styles_of(self, master: bytes) -> TextStyles:
        """What a master says of the kinds of text."""
        if master not in self._styles:
            self._styles[master] = read_styles(master)
        return self._styles[master]

    def drawn_by(self, master: bytes) -> list[DrawnShape]:
        """What a master draws itself on the slides that use it, from the lowest up: not the places of their texts."""
        if master not in self._drawn:
            shapes = flat(read_shapes(master))
            self._drawn[master] = [shape for shape in shapes if not shape.is_group and shape.place < 0]
        return self._drawn[master]


class SlideContainers(NamedTuple):
    """The containers of a slide, of its notes page, of its master and of what has that one's styles of text; b"" for
    none."""

    content: bytes
    notes: bytes
    master: bytes
    styles: bytes


def read_slide(
    deck: Deck, containers: SlideContainers, outline: list[SlideText], number: int, words: SlideFields
) -> Part:
    """The slide; `outline` are its texts in the outline."""
    content, notes, master, styles = containers
    shapes = read_shapes(content)
    context = _SlideContext(content, master, shapes, deck)
    reader = _SlideReader(deck, number, words, outline, context, deck.styles_of(styles))
    reader.write(shapes, top=True)
    title = next((block.text for block in reader.blocks if isinstance(block, Heading)), "")
    title = title or next((block.text for block in reader.blocks if isinstance(block, Paragraph | ListItem)), "")
    reader.edge("footer", words.footer)
    reader.master_words(master)
    reader.notes(notes)
    reader.blocks += _comments(content, number)
    info = next((record.content for record in records(content) if record.kind == Kind.SHOW_INFO), b"")
    hidden = len(info) >= 12 and bool(int.from_bytes(info[10:12], "little") & _HIDDEN_SLIDE)
    return Part(
        kind="slide", title=title.split("\n")[0][:_TITLE_CHARS], hidden=hidden, blocks=tuple(reader.blocks),
        width=deck.width, height=deck.height,
    )  # fmt: skip


class _SlideReader:
    def __init__(
        self,
        deck: Deck,
        number: int,
        words: SlideFields,
        outline: list[SlideText],
        context: _SlideContext,
        styles: TextStyles,
    ) -> None:
        self._deck = deck
        self._styles = styles
        self._number = number
        self._words = words
        self._outline = outline
        self._context = context
        self.blocks: list[AnyBlock] = []

    def write(self, shapes: list[DrawnShape], *, top: bool) -> None:
        """Blocks of the shapes in reading order; the slide's title first, wherever it stands."""
        order = reading_order([shape.box for shape in shapes])
        if top:
            order.sort(key=lambda at: not any(text.kind in TITLES for text in self._texts(shapes[at])))
        for at in order:
            shape = shapes[at]
            if shape.is_group and shape.shape.is_table:
                self.blocks += self._table(shape)
            elif shape.is_group:
                self.write(shape.children, top=False)
            else:
                self._shape(shape)

    def edge(self, kind: str, text: str) -> None:
        """A header or footer, told on the first slide that has it."""
        if text and text not in self._deck.seen:
            self._deck.seen.add(text)
            self.blocks.append(Note(kind="header" if kind == "header" else "footer", text=text, page=self._number))

    def master_words(self, master: bytes) -> None:
        """Words that the master draws itself are on every slide that uses it; they are told once, on the first."""
        for shape in self._deck.drawn_by(master):
            text = "\n".join(line.text for line in self._lines(shape))
            said = self._without_number(shape, text)
            if any(map(str.isalnum, said)) and said not in self._deck.seen:
                self._deck.seen.add(said)
                self.blocks.append(
                    Note(kind="textbox", text=text, target="every slide of this layout", page=self._number)
                )

    def notes(self, notes: bytes) -> None:
        """What the speaker wrote below the slide."""
        for shape in flat(read_shapes(notes)):
            lines = self._lines(shape) if shape.place not in NOTES_EDGES else []
            text, spans = _joined(lines)
            if text and self._without_number(shape, text):
                self.blocks.append(Note(kind="speaker", text=text, spans=spans, page=self._number))

    def _without_number(self, shape: DrawnShape, text: str) -> str:
        """The words of a shape but for the number of the slide, where it shows that."""
        numbered = any(record.kind == Kind.SLIDE_NUMBER for record in shape.texts)
        return text.replace(self._words.number, "", 1) if numbered else text

    def _texts(self, shape: DrawnShape) -> list[SlideText]:
        own = read_texts(shape.texts, self._words)
        if not any(text.raw for text in own) and 0 <= shape.outline < len(self._outline):
            own = [self._outline[shape.outline]]
        for text in own:
            text.numbers = shape.numbers or text.numbers
            text.styles = self._styles
            text.scheme, text.behind = self._context.scheme, self._context.behind(shape)
        return own

    def _lines(self, shape: DrawnShape) -> list[Line]:
        return [line for text in self._texts(shape) for line in text.lines(self._words)]

    def _shape(self, shape: DrawnShape) -> None:
        at = len(self.blocks)
        for text in self._texts(shape):
            self._text(shape, text)
        hidden, alt = shape.shape.hidden, shape.shape.description
        figure = self._figure(shape, alt)
        if figure is not None:
            self.blocks.append(figure)
        elif alt and len(self.blocks) == at:
            self.blocks.append(Figure(alt=alt, page=self._number, box=shape.box, hidden=hidden))
        target = link_of(shape.action, self._words.links) if shape.action is not None else ""
        if target:
            self._link(shape, target)

    def _text(self, shape: DrawnShape, text: SlideText) -> None:
        lines = text.lines(self._words)
        if not lines:
            return
        page, box, hidden = self._number, shape.box, shape.shape.hidden or self._context.hides(shape)
        edge = EDGE_PLACES.get(shape.place)
        if edge is not None:
            shown = "\n".join(line.text for line in lines)
            if edge != "number" or shown != str(page):  # the slide is called by this number already
                self.edge(edge, shown)
        elif text.kind in TITLES:
            joined, spans = _joined(lines)
            # A heading is one line; the break becomes a space so that the spans stay where they are.
            self.blocks.append(Heading(text=joined.replace("\n", " "), spans=spans, page=page, box=box, hidden=hidden))
        else:
            for line in lines:
                self.blocks.append(_paragraph(line, text.kind, page, box, hidden=hidden))

    def _link(self, shape: DrawnShape, target: str) -> None:
        about, hidden = shape.shape.description, shape.shape.hidden
        self.blocks.append(link_note(target, about, page=self._number, box=shape.box, hidden=hidden))

    def _figure(self, shape: DrawnShape, alt: str) -> Figure | None:
        """The picture a shape shows, and the object that it stands for."""
        deck = self._deck
        page, box, hidden = self._number, shape.box, shape.shape.hidden
        number = shape.shape.picture
        found = picture(deck.pictures[number - 1]) if 1 <= number <= len(deck.pictures) else None
        made = deck.embeds.add(found[0], found[1], "", alt) if found is not None else None
        stored = deck.file.stored(deck.objects[shape.object]) if shape.object in deck.objects else None
        equation = equation_in(stored)
        if equation is not None:
            self.blocks.append(Equation(text=equation.text, latex=equation.latex, page=page, box=box, hidden=hidden))
            return None
        attached = deck.embeds.add(stored.data, stored.media_type, stored.name, alt) if stored is not None else None
        if attached is not None and made is not None:
            self.blocks.append(Figure(embed=attached.embed, alt=alt, page=page, box=box, hidden=hidden))
        shown = made or attached
        return Figure(embed=shown.embed, alt=alt, page=page, box=box, hidden=hidden) if shown is not None else None

    def _table(self, group: DrawnShape) -> list[AnyBlock]:
        """A table: shapes that are its cells, told by where they stand."""
        cells = [shape for shape in flat(group.children) if shape.box is not None and self._texts(shape)]
        if not cells:
            return []
        cells = cells[:_MAX_CELLS]
        columns = _edges([box for shape in cells if (box := shape.box) is not None], 0)
        rows = _edges([box for shape in cells if (box := shape.box) is not None], 1)
        grid = [[""] * len(columns) for _ in rows]
        merges: list[Merge] = []
        rich: list[Cell] = []
        for shape in cells:
            box = shape.box or (0.0, 0.0, 0.0, 0.0)
            row, column = _index(rows, box[1]), _index(columns, box[0])
            high = max(sum(box[1] - _NEAR <= edge < box[3] - _NEAR for edge in rows), 1)
            wide = max(sum(box[0] - _NEAR <= edge < box[2] - _NEAR for edge in columns), 1)
            text, spans = _joined(self._lines(shape))
            if grid[row][column]:  # cells that lie upon one another: nothing is lost
                text, spans = f"{grid[row][column]}\n{text}", ()
            grid[row][column] = text
            if spans:
                rich.append(Cell(row, column, spans=spans))
            if high > 1 or wide > 1:
                merges.append(Merge(row, column, high, wide))
        return [
            replace(table, page=self._number, box=group.box) for table in table_windows(grid, merges=merges, cells=rich)
        ]


def _paragraph(line: Line, kind: int, page: int, box: Box | None, *, hidden: bool) -> AnyBlock:
    if line.marker and kind != SUBTITLE:
        return ListItem(
            text=line.text, level=line.level, marker=line.marker, ordered=line.ordered, spans=line.spans, page=page,
            box=box, hidden=hidden,
        )  # fmt: skip
    style = "subtitle" if kind == SUBTITLE else ""
    return Paragraph(text=line.text, style=style, spans=line.spans, page=page, box=box, hidden=hidden)


def _joined(lines: list[Line]) -> tuple[str, tuple[Span, ...]]:
    """Paragraphs as one text, a line each."""
    return joined((line.text, line.spans) for line in lines)


def _edges(boxes: list[Box], side: int) -> list[float]:
    found: list[float] = []
    for edge in sorted(box[side] for box in boxes):
        if not found or edge - found[-1] > _NEAR:
            found.append(edge)
    return found


def _index(edges: list[float], at: float) -> int:
    return min(range(len(edges)), key=lambda number: abs(edges[number] - at))


def _comments(content: bytes, page: int) -> Iterator[Note]:
    """Comments of PowerPoint 2002 and later, in the slide's tags ([MS-PPT] 2.5.14)."""
    for number, comment in enumerate(tagged(records(content), Kind.COMMENT), 1):
        texts = {record.instance: text_of(record) for record in records(comment.content) if record.kind == Kind.STRING}
        head = next((record.content for record in records(comment.content) if record.kind == Kind.COMMENT_HEAD), b"")
        yield Note(
            kind="comment", id=f"comment{page}-{number}", text=texts.get(1, "").replace("\r", "\n").strip(),
            author=texts.get(0) or texts.get(2, ""), date=_moment(head[4:20]), page=page,
        )  # fmt: skip


def _moment(raw: bytes) -> str:
    """A SYSTEMTIME as ISO 8601, "" where it is none."""
    if len(raw) < 16:
        return ""
    year, month, _, day, hour, minute, second, _ = struct.unpack("<8H", raw)
    try:
        # Local to whoever wrote it; the file does not say where that was.
        return datetime(year, month, day, hour, minute, second).isoformat()  # noqa: DTZ001
    except ValueError:
        return ""
