"""Reads a file of Word 6 to 2003 into chapters of blocks: paragraphs, headings, lists, tables, fields, notes;
headers and footers at the end of the first. Layout is left out. Total but for files without text: what a
damaged table says wrongly is left out."""

import re
from dataclasses import dataclass, field
from itertools import islice

from sidecar.api import Limits, Notice, ParsedDocument, Payload, Source
from sidecar.api.model import AnyBlock, Figure, Heading, ListItem, Note, Paragraph, Span
from sidecar.toolkit.markup.chapters import behind_first, elements_of, place_embeds, split_chapters
from sidecar.toolkit.metafiles.figures import with_drawn_words
from sidecar.toolkit.ole.properties import read_properties
from sidecar.toolkit.ole.vba import macro_file, macros_notice
from sidecar.toolkit.ooxml.hidden_text import WHITE
from sidecar.toolkit.text import cut_notice
from sidecar.toolkit.visible import changes_notice, hidden_notice
from sidecar.toolkit.word.conventions import FormField, displayed_equations, field_text, hyperlink, role
from sidecar.toolkit.word.embeds import StoryEmbeds
from sidecar.toolkit.word.headings import found_headings
from sidecar.toolkit.word.mathtype.equations import EquationText
from sidecar.toolkit.word.story import Mark, Story
from sidecar_doc.drawings import Drawings
from sidecar_doc.file import DocFile, Place, StoryPlace, places
from sidecar_doc.formatting import paragraph_runs, read_styles, text_runs
from sidecar_doc.forms import read_form
from sidecar_doc.lists import Lists
from sidecar_doc.notes import NoteText, bookmarks, headers, references, text_boxes
from sidecar_doc.properties import Characters, ParagraphProperties, SprmReader, read_fonts
from sidecar_doc.rows import UNKNOWN_COLOUR, RowLook

_SECTION_BYTES = 12
_ENDS = re.compile("[\r\x07\x0c]")
_CELL_ENDS = re.compile("\x07")
_MAX_CELLS = 2_000
"""Looked at for the end of a row."""
_SPECIAL = re.compile("[\x00-\x08\x0b-\x1f(]")
_PLAIN = {"\x0b": "\n", "\x0c": "\n", "\x0e": "\n", "\x1e": "\u2011", "\x1f": "\xad", "\x1d": ""}
_FIELD_BEGINS, _FIELD_PARTS, _FIELD_ENDS = "\x13", "\x14", "\x15"
_PICTURE, _DRAWING = "\x01", "\x08"


@dataclass
class _OpenField:
    instruction: list[str] = field(default_factory=list[str])
    in_result: bool = False
    link: str = ""
    form: FormField | None = None
    replaced: bool = False
    """Whether what it shows is a picture of an equation that was read."""
    start: int = 0
    """Where in the line its result begins."""


@dataclass
class _OpenRow:
    """The row being read: where it ends, how it looks, and which of its cells is read."""

    end: int = 0
    look: RowLook = field(default_factory=RowLook)
    cell: int = 0


class _StoryReader:
    """Reads the stories of one file."""

    def __init__(self, file: DocFile, embeds: StoryEmbeds) -> None:
        self._file = file
        self._text_runs = text_runs(file)
        self._paragraph_runs = paragraph_runs(file)
        fonts = read_fonts(file)
        self._properties = SprmReader(read_styles(file), fonts, file.strings(Place.REVISION_AUTHORS))
        self._lists = Lists(file, [font.name for font in fonts])
        self._drawings = Drawings(file, embeds)
        self._references = references(file)
        self._boxes = text_boxes(file)
        self._anchors = bookmarks(file)
        self._section_ends = frozenset(bound - 1 for bound in places(file.table(Place.SECTIONS), _SECTION_BYTES)[0])
        self._fields: list[_OpenField] = []
        self._background = WHITE
        self._row = _OpenRow()
        self._counts: dict[str, int] = {}
        self.changes = 0

    def body(self) -> list[AnyBlock]:
        """The main story, and the text boxes that nothing in it refers to."""
        story = self._story(*self._file.story(StoryPlace.MAIN))
        for box in self._boxes.values():
            story.blocks += self._note(box)
        return story.blocks

    def edges(self) -> list[AnyBlock]:
        """Headers and footers, each text and each picture once."""
        found: dict[tuple[str, object], AnyBlock] = {}
        for text in [*headers(self._file), *text_boxes(self._file, of_headers=True).values()]:
            story = self._story(text.start, text.end, UNKNOWN_COLOUR if text.kind == "textbox" else WHITE)
            for block in story.blocks:
                if isinstance(block, Figure):
                    found.setdefault(("figure", block.embed or block.alt), block)
                elif isinstance(block, Note):
                    found.setdefault((block.kind, block.id), block)
            shown, spans = story.text()
            if shown and not shown.isdecimal():  # a bare page number
                found.setdefault((text.kind, shown), Note(kind=text.kind, text=shown, spans=spans))
        return list(found.values())

    def _story(self, start: int, end: int, background: int = WHITE) -> Story:
        """Read the characters of one story, or of one note in it, that stands on a colour."""
        outer, outer_row, outer_background = self._fields, self._row, self._background
        self._fields, self._row, self._background = [], _OpenRow(), background
        story = Story()
        while start < end:
            stop = self._paragraph_end(start, end)
            self._paragraph(story, start, stop)
            start = stop
        story.to_depth(0)
        self._fields, self._row, self._background = outer, outer_row, outer_background
        return story

    def _paragraph_end(self, start: int, end: int) -> int:
        """One past the mark that ends the paragraph; a page break within one does not."""
        for mark in _ENDS.finditer(self._file.text, start, end):
            if mark[0] != "\x0c" or mark.start() in self._section_ends:
                return mark.end()
        return end

    def _paragraph(self, story: Story, start: int, stop: int) -> None:
        file = self._file
        last = stop - 1
        mark = file.text[last]
        ended = mark in "\r\x07\x0c"
        kept = self._paragraph_runs.at(file.offset(last))
        properties = self._properties.paragraph(kept, file.piece(last).changes)
        if properties.depth and start >= self._row.end:
            self._row = self._row_from(start)
        named = self._anchors.between(start, stop)
        if named:
            story.anchor = named
        self._characters(story, start, last if ended else stop, properties)
        if properties.initial and mark == "\r":
            return  # the next paragraph goes on with it
        text, spans = story.finish_line()
        anchor, story.anchor = story.anchor, ""
        if (properties.ends_row or (file.layout.is_plain and not text)) and mark == "\x07":
            story.end_row(properties.row, 1)
            return
        if properties.ends_inner_row:
            story.end_row(properties.row, max(properties.depth, 2))
            return
        depth = properties.depth or int(mark == "\x07")
        self._row.cell += mark == "\x07"
        story.add(self._block(story, text, spans, anchor, properties), depth)
        if mark == "\x07" or properties.ends_inner_cell:
            story.end_cell(depth)

    def _row_from(self, start: int) -> "_OpenRow":
        """The row that a paragraph at `start` stands in, whose end says how it looks."""
        for mark in islice(_CELL_ENDS.finditer(self._file.text, start), _MAX_CELLS):
            at = mark.start()
            kept = self._paragraph_runs.at(self._file.offset(at))
            properties = self._properties.paragraph(kept, self._file.piece(at).changes)
            if properties.ends_row:
                return _OpenRow(mark.end(), properties.look)
        return _OpenRow(start + 1, RowLook(beyond=UNKNOWN_COLOUR))

    def _block(
        self, story: Story, text: str, spans: tuple[Span, ...], anchor: str, properties: ParagraphProperties
    ) -> list[AnyBlock]:
        marker = self._lists.next(properties.list, properties.level) if properties.list and text else None
        if not text:
            return []
        equations = displayed_equations(text, spans, anchor) if marker is None else []
        if equations:
            return [*equations]
        if properties.outline and not properties.depth:
            number = marker.text if marker and marker.ordered else ""
            return [
                Heading(
                    text=text.replace("\n", " "), spans=spans, level=properties.outline, number=number, anchor=anchor
                )
            ]
        if marker is not None and marker.text:
            indent = properties.indent
            indent = self._lists.indent(properties.list, properties.level) if indent is None else indent
            level = story.nesting.level(str(properties.list), marker.level, indent)
            return [
                ListItem(
                    text=text, spans=spans, level=level, marker=marker.text, ordered=marker.ordered,
                    anchor=anchor,
                )
            ]  # fmt: skip
        return [Paragraph(text=text, spans=spans, style=role(properties.style.name), anchor=anchor)]

    # The characters of a paragraph.

    def _characters(self, story: Story, start: int, end: int, properties: ParagraphProperties) -> None:
        file, background, unseen = self._file, self._background, False
        if properties.depth == 1:
            cell = self._row.look.background(self._row.cell)
            background, unseen = background if cell is None else cell, self._row.look.is_flat
        elif properties.depth:
            background = UNKNOWN_COLOUR
        while start < end:
            piece = file.piece(start)
            stop = min(end, piece.end) if piece.end > start else end
            first = piece.offset + (start - piece.start) * piece.width
            last = first + (stop - start) * piece.width
            for begin, until, kept in self._text_runs.between(first, last):
                looks = self._properties.characters(kept, piece.changes, properties, background, unseen=unseen)
                at = start + (begin - first) // piece.width
                self._run(story, at, start + (until - first) // piece.width, looks)
            start = stop

    def _run(self, story: Story, start: int, end: int, looks: Characters) -> None:
        """Equally formatted characters: plain text in stretches, what stands for something else one by one."""
        text = self._file.text
        self.changes += any(mark.kind in ("ins", "del") for mark in looks.marks)
        at = start
        for found in _SPECIAL.finditer(text, start, end):
            char = found[0]
            if char == "(" and not (looks.special and looks.symbol):
                continue
            self._add(story, text[at : found.start()], looks)
            at = found.end()
            self._one(story, char, found.start(), looks)
        self._add(story, text[at:end], looks)

    def _add(self, story: Story, text: str, looks: Characters) -> None:
        if self._file.layout.is_old and not self._file.wide_codec:
            text = text.encode("latin-1", "replace").decode(looks.codec or self._file.encoding, "replace")
        self._put(story, text, looks)

    def _put(self, story: Story, text: str, looks: Characters) -> None:
        if not text:
            return
        for opened in reversed(self._fields):
            if not opened.in_result:
                opened.instruction.append(text)
                return
        link = next((opened.link for opened in reversed(self._fields) if opened.link), "")
        story.line.append((text, looks.marks | {Mark("link", link)} if link else looks.marks))

    def _one(self, story: Story, char: str, at: int, looks: Characters) -> None:
        if char in (_FIELD_BEGINS, _FIELD_PARTS, _FIELD_ENDS):
            self._field_mark(story, char, looks)
        elif char in _PLAIN:
            self._put(story, _PLAIN[char], looks)
        elif looks.special and looks.symbol and char == "(":
            self._put(story, looks.symbol, looks)
        elif char == _PICTURE:
            self._picture(story, looks)
        elif char == _DRAWING:
            self._shape(story, at)
        if at in self._references and char not in _PLAIN:
            for note in self._references.pop(at):
                self._refer(story, note)

    def _field_mark(self, story: Story, char: str, looks: Characters) -> None:
        if char == _FIELD_BEGINS:
            self._fields.append(_OpenField())
        elif char == _FIELD_PARTS:
            self._part_field(story, looks)
        elif self._fields:
            self._end_field(story, self._fields.pop(), looks)

    def _part_field(self, story: Story, looks: Characters) -> None:
        """The instruction is read; what follows is what the field shows."""
        if not self._fields:
            return
        opened = self._fields[-1]
        opened.in_result, opened.start = True, len(story.line)
        opened.link = hyperlink("".join(opened.instruction))
        stored = self._drawings.stored(looks.stored) if looks.stored >= 0 else None
        if isinstance(stored, EquationText):
            opened.replaced = True
            story.line.append((stored.text, looks.marks | {Mark("math", stored.latex)}))
        else:
            self._show(story, stored)

    def _end_field(self, story: Story, ended: _OpenField, looks: Characters) -> None:
        """What stands for a result that is not there, and what a form says besides."""
        if ended.form is not None:
            shown = "".join(text for text, _ in story.line[ended.start :]) if ended.in_result else ""
            if not shown:
                shown = ended.form.shown()
                self._put(story, shown, looks)
            self._show(story, ended.form.note(shown))
        elif not ended.in_result:
            self._put(story, field_text("".join(ended.instruction)), looks)

    def _picture(self, story: Story, looks: Characters) -> None:
        """A picture in the line, or the data of the form field whose instruction it stands in."""
        if looks.form >= 0 and self._fields:
            self._fields[-1].form = read_form(self._file.data, looks.form)
        elif looks.picture >= 0 and not any(opened.replaced for opened in self._fields):
            self._show(story, self._drawings.inline(looks.picture))

    def _shape(self, story: Story, at: int) -> None:
        """A shape beside the text: its picture, or the text in it."""
        number = self._drawings.anchors.get(at)
        if number is None:
            return
        box = self._boxes.pop(number, None)
        held = self._note(box) if box is not None else []
        story.after += held
        self._show(story, self._drawings.floating(number))
        place = self._drawings.place(number, len(story.drawings))
        if place is not None:
            story.drawings.add(place, held)

    def _show(self, story: Story, figure: AnyBlock | None) -> None:
        if figure is not None:
            story.after.append(figure)

    # Notes.

    def _refer(self, story: Story, note: NoteText) -> None:
        number = self._counts[note.kind] = self._counts.get(note.kind, 0) + 1
        identity = f"{note.kind}{number}"
        if note.kind == "comment":
            for place in range(len(story.line) - 1, -1, -1):  # the file marks its end; the paragraph is what is sure
                piece, marks = story.line[place]
                story.line[place] = piece, marks | {Mark("comment", identity)}
        else:
            story.line.append((f"[{number}]", frozenset({Mark("note", identity)})))
        story.after += self._note(note, identity)

    def _note(self, note: NoteText, identity: str = "") -> list[AnyBlock]:
        background = self._drawings.background(note.shape) if note.kind == "textbox" else WHITE
        inner = self._story(note.start, note.end, UNKNOWN_COLOUR if background is None else background)
        text, spans = inner.text()
        beside: list[AnyBlock] = [block for block in inner.blocks if isinstance(block, (Figure, Note))]
        if not text and not identity:
            return beside
        unseen = note.kind == "textbox" and self._drawings.has_no_room(note.shape)
        made = Note(
            kind=note.kind, id=identity, text=text, spans=spans, author=note.author, date=note.date, hidden=unseen
        )
        return [*beside, made]


def _read_blocks(file: DocFile, embeds: StoryEmbeds) -> tuple[list[AnyBlock], list[AnyBlock], int]:
    """The blocks of the text, the headers and footers with their pictures, and how many stretches are tracked changes.

    Pictures and attached files are put into `embeds` as they are met."""
    reader = _StoryReader(file, embeds)
    blocks = reader.body()
    return blocks, reader.edges(), reader.changes


def parse(source: Source, limits: Limits) -> ParsedDocument:
    """The file as a document of chapters. Raises FormatError."""
    file = DocFile(source.read(limits.max_file_bytes), source.name, limits.max_text_chars)
    embeds = StoryEmbeds(limits.max_embedded)
    blocks, edges, changes = _read_blocks(file, embeds)
    macros = _macros(file, embeds)
    metadata = read_properties(file.compound)
    chapters = split_chapters(found_headings(blocks), metadata.pop("title", ""), limits.max_parts)
    parts = behind_first(chapters.parts, edges)
    notices: list[Notice] = []
    if file.cut:
        notices.append(cut_notice(limits.max_text_chars))
    notices += changes_notice(changes)
    if macros is not None or "Macros" in file.compound:
        notices.append(macros_notice("document", shown=macros is not None))
    document = ParsedDocument(
        title=chapters.title, description=metadata.pop("description", ""), metadata=metadata, parts=parts,
        elements=elements_of(parts, embeds.pictures.embedded), embedded=place_embeds(parts, embeds.pictures.embedded),
        notices=(*notices, *hidden_notice([*blocks, *edges]), *embeds.pictures.notices()),
    )  # fmt: skip
    return with_drawn_words(document, embeds.files.__getitem__)


def _macros(file: DocFile, embeds: StoryEmbeds) -> Payload | None:
    """The source of the file's macros, attached to it."""
    macros = macro_file(file.compound, ("Macros",))
    if macros is not None:
        embeds.add_file(macros)
    return macros


def open_embedded(source: Source, ref: str, limits: Limits) -> Payload:
    """The picture or attached file of that name. Raises NotFoundError."""
    file = DocFile(source.read(limits.max_file_bytes), source.name, limits.max_text_chars)
    embeds = StoryEmbeds(limits.max_embedded)
    _read_blocks(file, embeds)
    _macros(file, embeds)
    return embeds.open(ref, source.name)
