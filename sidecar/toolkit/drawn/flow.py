"""A document of text typeset on pages of its own size: headings, paragraphs, lists, tables, pictures, charts, notes.

It breaks into pages as our typesetter does, not as the application would. Lengths in points."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sidecar.api import AnyBlock, Figure, Heading, Note, Paragraph, ParsedDocument, Table
from sidecar.toolkit.drawn.blocks import Bytes, EmbedBytes, RunStyle, figure_of, lines_of, paragraph_of, table_of
from sidecar.toolkit.drawn.model import FlowItem, PageDrawing, Stroke, TableCell, TableItem, TextBody, TextParagraph
from sidecar.toolkit.visible import visible

_MAX_CHARACTERS = 1_200_000
"""About 400 pages; more would not be typeset in the time a picture may take."""
_MIN_ROOM = 72.0
_SMALL = 0.82
_REMARK = "Typeset by DocSidecar, not as the application breaks it: do not cite page numbers from it."
_HEADINGS: Mapping[int, RunStyle] = {
    1: RunStyle(18, "#1f3864", bold=True, before=14, after=6),
    2: RunStyle(14.5, "#1f3864", bold=True, before=12, after=4),
    3: RunStyle(12.5, "#1f3864", bold=True, before=10, after=4), 4: RunStyle(11.5, bold=True, before=8, after=3),
}  # fmt: skip
_FRAME = Stroke(colour="#8c8c8c", width=0.5)
_ASIDE = frozenset(("footnote", "endnote"))
_UNDRAWN = {"comment": "comment", "annotation": "annotation", "form": "form field"}


@dataclass(frozen=True)
class FlowStyle:
    """The page of a document and its styles, as far as the file says; margins are left, top, right, bottom."""

    width: float = 595.3
    height: float = 841.9
    margins: tuple[float, float, float, float] = (72.0, 72.0, 72.0, 72.0)
    body: RunStyle = field(default_factory=RunStyle)
    headings: Mapping[int, RunStyle] = field(default_factory=lambda: _HEADINGS)
    title: RunStyle = field(default_factory=lambda: RunStyle(26, before=0, after=10))


def draw_text(document: ParsedDocument, style: FlowStyle, data: Bytes) -> PageDrawing:
    """The whole document as text that flows over pages."""
    left, top, right, bottom = style.margins
    if style.width - left - right < _MIN_ROOM or style.height - top - bottom < _MIN_ROOM:
        style = replace(
            style, margins=(36.0, 36.0, 36.0, 36.0), width=max(style.width, 180), height=max(style.height, 180)
        )
    return _Flow(document, style, data).draw()


class _Flow:
    def __init__(self, document: ParsedDocument, style: FlowStyle, data: Bytes) -> None:
        self.document = document
        self.style = style
        self.embeds = EmbedBytes(document.embedded, data)
        left, top, right, bottom = style.margins
        self.room = (style.width - left - right, style.height - top - bottom)
        self.omitted: Counter[str] = Counter()
        self.header: list[Note] = []
        self.footer: list[Note] = []
        self.notes: list[Note] = []

    def draw(self) -> PageDrawing:
        """The drawing; what is not part of the text is counted."""
        flow = list(self._items())
        if self.notes:
            small = replace(self.style.body, size=self.style.body.size * _SMALL, after=3)
            flow.append(TableItem(box=(0, 0, 0, 0), columns=(120.0,), heights=(1.0,), cells=(_rule(),)))
            for note in self.notes:
                flow += lines_of([f"{note.id} {note.text}".strip() if len(note.id) < 6 else note.text], small)
        edge = replace(self.style.body, size=self.style.body.size * _SMALL, colour="#595959", after=0)
        return PageDrawing(
            width=self.style.width, height=self.style.height, flow=tuple(flow) or (TextParagraph(),),
            margins=self.style.margins, header=tuple(lines_of([note.text for note in self.header[:1]], edge)),
            footer=tuple(lines_of([note.text for note in self.footer[:1]], edge)),
            omitted=tuple(f"{count} {what}{'s' * (count > 1)}" for what, count in self.omitted.items()), remark=_REMARK,
        )  # fmt: skip

    def _items(self) -> Iterator[FlowItem]:
        left = _MAX_CHARACTERS
        for part in self.document.parts:
            if part.hidden:
                continue
            for block in part.blocks:
                shown = visible(block)
                if shown.hidden:
                    continue
                left -= _length(shown)
                if left < 0:
                    self.omitted["rest of the document"] = 1
                    return
                yield from self._item(shown)

    def _item(self, block: AnyBlock) -> Iterator[FlowItem]:
        if isinstance(block, Table):
            yield from self._table(block)
        elif isinstance(block, Figure):
            yield from self._figure(block)
        elif isinstance(block, Note):
            yield from self._note(block)
        else:
            yield paragraph_of(block, self._style_of(block))

    def _style_of(self, block: AnyBlock) -> RunStyle:
        style = self.style
        if isinstance(block, Heading):
            return style.headings.get(min(block.level, max(style.headings)), style.body)
        role = block.style if isinstance(block, Paragraph) else ""
        if role == "title":
            return style.title
        if role == "subtitle":
            return replace(style.body, size=style.body.size * 1.3, colour="#595959")
        if role == "caption":
            return self._caption_style
        if role == "quote":
            return replace(style.body, italic=True)
        return style.body

    @property
    def _caption_style(self) -> RunStyle:
        return replace(self.style.body, size=self.style.body.size * 0.85, italic=True)

    def _table(self, block: Table) -> Iterator[FlowItem]:
        if block.caption:
            yield from lines_of([block.caption], self._caption_style)
        made = table_of(block, self.room[0], replace(self.style.body, size=self.style.body.size * 0.9))
        if made is not None:
            yield made

    def _figure(self, block: Figure) -> Iterator[FlowItem]:
        made = figure_of(block, self.embeds, self.room)
        if made is not None:
            yield made
        elif block.text.strip():
            yield _framed(block.text, self.room[0], self.style.body)
        else:
            embed = self.embeds.get(block.embed)
            self.omitted["linked picture" if embed is None else "object"] += 1
            if block.alt:
                yield _framed(block.alt, self.room[0], self.style.body)
        if block.caption:
            yield from lines_of([block.caption], self._caption_style)

    def _note(self, block: Note) -> Iterator[FlowItem]:
        if block.kind == "header":
            self.header.append(block)
        elif block.kind == "footer":
            self.footer.append(block)
        elif block.kind in _ASIDE:
            self.notes.append(block)
        elif block.kind in _UNDRAWN:
            self.omitted[_UNDRAWN[block.kind]] += 1
        elif block.text.strip():
            yield _framed(block.text, self.room[0], self.style.body)


def _length(block: AnyBlock) -> int:
    if isinstance(block, Table):
        return sum(len(cell) + 4 for row in block.rows for cell in row)
    return len(block.text) + 20


def _framed(text: str, width: float, style: RunStyle) -> TableItem:
    """Text in a frame of its own: text boxes, diagrams."""
    paragraphs: Sequence[TextParagraph] = list(lines_of(text.split("\n"), replace(style, before=0, after=2)))
    body = TextBody(paragraphs=tuple(paragraphs), inset=(6, 4, 6, 4))
    cell = TableCell(row=0, col=0, strokes=(_FRAME, _FRAME, _FRAME, _FRAME), body=body)
    return TableItem(box=(0, 0, 0, 0), columns=(min(width, 380.0),), heights=(0.0,), cells=(cell,))


def _rule() -> TableCell:
    return TableCell(row=0, col=0, strokes=(None, _FRAME, None, None), body=TextBody(inset=(0, 0, 0, 0)))
