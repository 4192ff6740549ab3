"""Reads an RTF file into blocks: its groups, destinations and properties (RTF 1.9.1).

Headings by style or outline level, lists by the marker text every writer leaves, tables, fields, notes, headers and
footers, comments, tracked changes, pictures and attached objects. Layout is left out. Total but for files that are not
RTF: broken groups end where the file does, but for a table of its head, which ends where text begins."""

from collections.abc import Callable, Mapping

from sidecar.api import AnyBlock, DamagedError, Figure, Payload
from sidecar.toolkit.text import code_page, cut_notice
from sidecar.toolkit.visible import hidden_notice
from sidecar.toolkit.word.embeds import StoryEmbeds
from sidecar.toolkit.word.mathtype.equations import equation_in
from sidecar.toolkit.word.rtf.header import TABLES, Header
from sidecar.toolkit.word.rtf.info import INFO, TIMES, Info, RtfDocument, file_notices
from sidecar.toolkit.word.rtf.lists import LIST_TABLES
from sidecar.toolkit.word.rtf.mathematics import MATH, begin_math
from sidecar.toolkit.word.rtf.notes import ABOUT_COMMENTS, Notes
from sidecar.toolkit.word.rtf.objects import Picture, from_digits, object_file
from sidecar.toolkit.word.rtf.row_head import ROW_HEAD, RowHead
from sidecar.toolkit.word.rtf.shapes import begin_shape
from sidecar.toolkit.word.rtf.state import (
    CHARACTERS,
    CODECS,
    FORM,
    KEPT,
    PASSING,
    PICTURES,
    PROPERTIES,
    SKIP,
    SKIPPED,
    STARRED,
    STORIES,
    Field,
    GroupState,
    ended_paragraph,
)
from sidecar.toolkit.word.rtf.tokens import Token, tokens
from sidecar.toolkit.word.rtf.unended import leave_head
from sidecar.toolkit.word.story import Mark, Story

_MAX_GROUPS = 10_000  # inside one another; files of real programs nest some dozens


def read_rtf(data: bytes, name: str, max_embedded: int, max_chars: int) -> RtfDocument:
    """The document.

    Raises:
        DamagedError: the bytes are not RTF; `name` names them."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise DamagedError(f"{name} is not an RTF file: it does not begin with {{\\rtf.")
    reader = _RtfReader(max_embedded, max_chars)
    reader.read(data)
    return reader.document()


class _RtfReader:
    def __init__(self, max_embedded: int, max_chars: int) -> None:
        self.header = Header()
        self._info = Info()
        self._embeds = StoryEmbeds(max_embedded)
        self._max_chars = max_chars
        self._chars = self._changes = 0
        self._body = Story()
        self._state = GroupState("", self._body)
        self._groups: list[GroupState] = []
        self._default_font = 0
        self._bytes = bytearray()
        self._to_skip = 0
        self._beyond = 0  # groups too deep for a state of their own, whose text is read all the same
        self._table_depth = 0  # how many groups the last table of the file's head stands in
        self._words: list[str] = []  # of a destination in `KEPT`, as far as read
        self._row = RowHead()
        self._picture: Picture | None = None
        self._notes = Notes()
        self._starred = self._cut = self._unended = False

    def read(self, data: bytes) -> None:
        """Read all of a file."""
        opened = False
        for token in tokens(data, lambda: self.header.codec_of(self._state.font)):
            if token.text and token.word != "bin":
                if token.text == b"*" and opened:
                    self._starred = True  # "{*\\generator": the backslash was lost on the way
                else:
                    self._text(token.text)
                opened = False
                continue
            begun, opened = opened, token.word == "{"
            self._flush()
            if token.word in "{}":
                if not self._brace(token.word):
                    break  # what follows the file's own group is not part of it
            elif token.word == "\\*":  # elsewhere it says nothing, and some writers leave it there
                self._starred = begun
            else:
                self._word(token)
                self._starred = False
        self._flush()
        self._unended = bool(self._groups)
        while self._groups:
            self._end_group()
        self._end_paragraph()
        self._body.to_depth(0)

    def document(self) -> RtfDocument:
        """What was read."""
        notices = file_notices(unended=self._unended, changes=self._changes)
        notices[:0] = [cut_notice(self._max_chars)] if self._cut else []
        blocks, edges = self._body.blocks, list(self._notes.edges.values())
        notices += hidden_notice([*blocks, *edges])
        return RtfDocument(blocks, edges, self._info.metadata, self._embeds, (*notices,))

    def _brace(self, brace: str) -> bool:
        """Begin or end a group; False at the end of the file's own."""
        self._to_skip = 0
        if self._beyond or (brace == "{" and len(self._groups) >= _MAX_GROUPS):
            self._beyond += 1 if brace == "{" else -1
        elif brace == "{":
            self._groups.append(self._state)
            self._state, self._starred = self._state.inner(), False
        else:
            self._end_group()
            return bool(self._groups)
        return True

    def _end_group(self) -> None:
        ended = self._state
        if self._groups:
            if ended.on_end is not None:
                ended.on_end()
            self._state, self._starred = self._groups.pop(), False

    def _text(self, raw: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(raw))
            self._to_skip -= skipped
            raw = raw[skipped:]
        if self._picture is not None and self._state.destination == "pict":
            self._picture.digits.append(raw)
        elif self._state.destination not in (SKIP, "pict"):
            self._bytes += raw

    def _flush(self) -> None:
        """Decode the bytes so far: two of them may be one character, so they are taken together."""
        if self._bytes:
            raw, self._bytes = self._bytes, bytearray()
            self._characters(raw.decode(self.header.codec_of(self._state.font), "replace"))

    def _characters(self, text: str) -> None:
        destination = self._state.destination
        if destination == "":
            self._add(self.header.to_unicode(text, self._state.font))
        elif destination in TABLES:
            self.header.text(destination, text)
        elif destination == MATH and self._state.math is not None:
            self._state.math.text(text)
        elif destination in KEPT or destination in INFO:
            self._words.append(text)

    def _add(self, text: str, *more: Mark) -> None:
        self._chars += len(text)
        self._cut = self._cut or self._chars > self._max_chars
        if self._cut:
            return
        marks = self._state.marks(self.header, self._row)
        self._state.story.line.append((text, marks.union(more)))

    # Control words.

    def _word(self, token: Token) -> None:
        word, number = token.word, token.number
        state = self._state
        if state.destination == SKIP:
            return
        leave_head([*self._groups, state], word, self._table_depth)
        if self._starred and word not in STARRED:
            state.destination = SKIP
        elif word in _ACTIONS:
            _ACTIONS[word](self, number)
        elif word in ROW_HEAD:
            ROW_HEAD[word](self._row, number)
        elif word in CODECS:
            self.header.codec = CODECS[word]
        elif self._is_destination(word, number):
            pass
        elif word in CHARACTERS:
            self._to_skip = 0
            self._characters(CHARACTERS[word])
        elif word in PICTURES and self._picture is not None:
            self._picture.media_type = self._picture.media_type or PICTURES[word]
        elif word == "bin" and self._picture is not None:
            self._picture.data = token.text
        elif state.destination in _NUMBERED:
            self._number(word, number or 0)
        elif word in PROPERTIES:
            PROPERTIES[word](state, number)
            self._changes += word in ("revised", "deleted") and number != 0

    def _is_destination(self, word: str, number: int | None) -> bool:
        """Whether the word says what becomes of its group's text; then it is done."""
        if self._state.math is not None and self._state.destination == MATH:
            return self._state.math.takes(self._state, word, number)
        if word in TABLES or word in PASSING:
            self.header.begin()
            self._state.destination, self._table_depth = word, len(self._groups)
        elif word in _DESTINATIONS:
            _DESTINATIONS[word](self)
        elif word in SKIPPED or (word.startswith("m") and word.endswith("Pr")):
            self._state.destination = SKIP
        elif word in INFO and self._groups and self._groups[-1].destination == "info":
            self._collect(word, lambda: self._info.add(INFO[word], "".join(self._words)))
        elif word in TIMES:
            self._collect(word, lambda: self._info.moment(word))
        elif word in KEPT:
            self._collect(word, lambda: self._end_collected(word))
        elif word in STORIES:
            self._begin_story(word)
        else:
            return False
        return True

    def _collect(self, word: str, on_end: Callable[[], None]) -> None:
        self._state.destination = word
        self._state.on_end = on_end
        self._words = []

    def _number(self, word: str, number: int) -> None:
        """A word whose number is what a destination tells."""
        if self._state.destination in TABLES:
            self.header.word(word, number)
        elif self._state.destination in LIST_TABLES:
            self.header.lists.word(self._state.destination, word, number)
        elif self._state.destination != "formfield":
            self._info.number(self._state.destination, word, number)
        elif self._state.field:
            self._state.field.form_number(word, number)

    def _end_collected(self, word: str) -> None:
        """What a small destination says, at its end."""
        text, self._words = "".join(self._words), []
        value = text.strip()
        if word in ("listtext", "pntext"):
            self._state.story.marker, self.header.lists.written = value, True
        elif word == "leveltext":
            self.header.lists.level_text(text)
        elif word == "fldinst" or word in FORM:
            if self._state.field:
                self._state.field.say(word, text, self._chars)
        elif word == "bkmkstart":
            self._state.story.anchor = self._state.story.anchor or ("" if value == "_GoBack" else value)
        elif word in ABOUT_COMMENTS:
            self._notes.facts[word] = value
        elif word == "atrfstart":
            self._notes.begin_range(value, self._state.story)
        elif word in ("sn", "propname"):
            self._info.property = value
        elif word == "staticval":
            self._info.own(value)
        elif word == "sv":
            self._shape_property(value)
        elif word == "objdata":
            self._object(object_file(from_digits(text.encode("latin-1", "ignore"))))

    def _shape_property(self, value: str) -> None:
        """The value of the property of a shape that was named last; a shape's group holds those of its properties."""
        name, words = self._info.property, " ".join(value.split())
        if self._state.shape is not None and len(self._groups) > 1 and self._groups[-2].destination != "picprop":
            self._state.shape.say(name, value)
        if name == "gtextUNICODE" and words:  # WordArt
            self._show(Figure(alt=words))
        if name == "wzDescription" and self._picture is not None:
            self._picture.alt = words

    # Paragraphs and tables.

    def end_paragraph(self, _number: int | None = None) -> None:
        if self._state.destination == "" and not self._state.initial:
            self._end_paragraph()
        self._state.initial = 0

    def _end_paragraph(self) -> None:
        self._state.story.add(ended_paragraph(self._state, self.header), self._state.depth)

    def end_cell(self, _number: int | None = None) -> None:
        self._state.in_table, self._state.nesting = True, 1
        self._end_paragraph()
        self._state.story.end_cell(1)
        self._row.ended_cell()

    def end_nested_cell(self, _number: int | None = None) -> None:
        self._state.in_table, self._state.nesting = True, max(self._state.nesting, 2)
        self._end_paragraph()
        self._state.story.end_cell(self._state.depth)

    def end_row(self, _number: int | None = None) -> None:
        self._state.story.end_row(self._row.row, 1)
        self._row.ended_row()

    def end_nested_row(self, _number: int | None = None) -> None:
        self._state.story.end_row(self._row.row, max(self._state.depth, 2))

    def plain(self, _number: int | None) -> None:
        self._state.plain(self._default_font)

    def set_code_page(self, number: int | None) -> None:
        self.header.codec = code_page(number or 1252)

    def set_default_font(self, number: int | None) -> None:
        self._default_font = self._state.font = number or 0

    def unicode(self, number: int | None) -> None:
        code = (number or 0) & 0xFFFF
        if code:
            in_marker = self._state.destination in ("listtext", "pntext")
            self._characters("•" if in_marker and 0xF000 <= code < 0xF100 else chr(code))
        self._to_skip = min(self._state.fallback, 8)

    def begin_field(self) -> None:
        field = self._state.field = Field()
        self._state.on_end = lambda: self._end_field(field)

    def _end_field(self, field: Field) -> None:
        shown = field.shown if self._chars == field.chars else ""
        self._add(shown)
        self._show(field.form.note(shown) if field.form else None)

    def end_ansi_text(self) -> None:
        if len(self._groups) > 1:
            self._state.destination = self._groups[-2].destination

    def endnotes(self) -> None:
        self._notes.is_endnote = True

    def math(self) -> None:
        begin_math(self._state, self._add)

    def result(self) -> None:
        if self._state.replaced:
            self._state.destination = SKIP

    def begin_shape(self) -> None:
        self._state.shape, self._state.on_end = begin_shape(self._state.story)

    def begin_picture(self) -> None:
        if self._picture is None:
            self._picture = Picture()
            self._state.on_end = self._end_picture
        self._state.destination = "pict"

    def _begin_story(self, word: str) -> None:
        kind = STORIES[word]
        outer, inner = self._state.story, Story()
        self._state.story, self._state.destination = inner, ""
        if kind in ("footnote", "comment"):
            self._state.plain(self._default_font)
        self._state.default_paragraph()
        self._notes.begin(kind)

        def end() -> None:
            self._end_paragraph()
            inner.to_depth(0)
            self._notes.end(kind, outer, inner)

        self._state.on_end = end

    def _end_picture(self) -> None:
        picture, self._picture = self._picture, None
        if picture is not None:
            if self._state.shape is not None:
                self._state.shape.picture = picture.bytes
            self._show(self._embeds.add(picture.bytes(), picture.media_type, "", picture.alt))

    def _object(self, attached: Payload | None) -> None:
        """An attached file, or an equation in the line; the picture that follows shows the same."""
        equation = equation_in(attached)
        if equation is not None:
            self._groups[-1].replaced = True
            self._add(equation.text, Mark("math", equation.latex))
        elif attached is not None:
            self._show(self._embeds.add_file(attached))

    def _show(self, figure: AnyBlock | None) -> None:
        if figure is not None:
            self._state.story.after.append(figure)


_NUMBERED = frozenset([*TABLES, *TIMES, *LIST_TABLES, "userprops", "formfield"])
_ACTIONS: Mapping[str, Callable[[_RtfReader, int | None], None]] = {
    "par": _RtfReader.end_paragraph, "\\\n": _RtfReader.end_paragraph, "\\\r": _RtfReader.end_paragraph,
    "sect": _RtfReader.end_paragraph, "cell": _RtfReader.end_cell, "nestcell": _RtfReader.end_nested_cell,
    "row": _RtfReader.end_row, "nestrow": _RtfReader.end_nested_row,
    "plain": _RtfReader.plain,
    "ansicpg": _RtfReader.set_code_page, "deff": _RtfReader.set_default_font, "u": _RtfReader.unicode,
}  # fmt: skip
_DESTINATIONS: Mapping[str, Callable[[_RtfReader], None]] = {
    "field": _RtfReader.begin_field, "ud": _RtfReader.end_ansi_text, "ftnalt": _RtfReader.endnotes,
    "pict": _RtfReader.begin_picture, "shpinst": _RtfReader.begin_shape, "result": _RtfReader.result,
    "moMath": _RtfReader.math,
}  # fmt: skip
