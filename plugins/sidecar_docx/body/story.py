"""Block content in order: paragraphs, lists, tables, equations, of the body or of any other story (notes, headers).

One `Story` reads one XML part. Responsible for what a paragraph is; `inline` for what it says, `tables` for grids."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from sidecar.api import AnyBlock, Code, Heading, ListItem, Note, Paragraph, Span
from sidecar.toolkit.markup.inline import note_marks
from sidecar.toolkit.visible import invisible_spans, spans_cover
from sidecar.toolkit.word.conventions import number_beside
from sidecar.toolkit.word.nesting import ListNesting
from sidecar.toolkit.word.numbering import Marker
from sidecar.toolkit.word.symbols import without_private
from sidecar.toolkit.xml import XmlElement, child_of
from sidecar_docx.body.alt_chunks import read_alt_chunk
from sidecar_docx.body.context import DocumentState, StoryState
from sidecar_docx.body.fields import form_note
from sidecar_docx.body.line import Line
from sidecar_docx.body.paragraph import MAX_DEPTH, math, math_paragraph, read_content
from sidecar_docx.body.plain_paragraphs import read_pieces, read_properties
from sidecar_docx.body.scanning import Child, PlainParagraph
from sidecar_docx.body.tables import read_table
from sidecar_docx.body.text import after_initial, better_anchor, cut, equation, unstructured
from sidecar_docx.qualified_names import (
    ALT_CHUNK,
    ALTERNATE,
    BOOKMARK_START,
    CHOICE,
    COMMENT_END,
    COMMENT_START,
    CUSTOM_XML,
    DEL,
    FALLBACK,
    ID,
    INS,
    MOVE_FROM,
    MOVE_TO,
    O_MATH,
    O_MATH_PARA,
    PPR,
    R_ID,
    SDT,
    SDT_CONTENT,
    SECT_PR,
    SUB_DOC,
    TBL,
    P,
    W,
)
from sidecar_docx.styles.paragraph_properties import ParagraphProperties, paragraph_properties
from sidecar_docx.styles.run_properties import BOLD, INVISIBLE
from sidecar_docx.styles.styles import Style

_NO_PROPERTIES = ParagraphProperties()
_CONTAINERS = frozenset({CUSTOM_XML, INS, DEL, MOVE_FROM, MOVE_TO, f"{W}smartTag"})
_MAX_HEADING_CHARS = 400
_MAX_LISTING_CHARS = 20_000
"""A longer listing goes on in another block: each line that is added copies those before it."""


class Story(StoryState):
    """One part of the package being read; `main` for the document's body."""

    def __init__(self, document: DocumentState, part: str, main: bool = False) -> None:
        super().__init__(document, part)
        self.main = main
        self._anchor = ""
        self._inside = 0
        """Cells, boxes and notes around what is being read."""
        self._blanks = 0
        """Blank lines since the last text, -1 where one of them is of no listing."""
        self._initial = ""
        self._nesting = ListNesting()
        self._looks: dict[str, tuple[int, _Kind]] = {}
        """What runs inherit in plain paragraphs and what these are, by what is written in their `w:pPr`."""

    def inner(self, node: XmlElement, depth: int) -> list[AnyBlock]:
        """See `StoryState.inner`."""
        if depth > MAX_DEPTH:
            return unstructured(node)
        # Fields do not reach out of a cell or a box; a broken one inside must not swallow what follows.
        fields, codes_open = self.fields, self.codes_open
        self.fields, self.codes_open = [], 0
        self._inside += 1
        found: list[AnyBlock] = []
        self.blocks(node, found, depth)
        self._inside -= 1
        self.fields, self.codes_open = fields, codes_open
        return found

    def blocks(self, node: XmlElement, out: list[AnyBlock], depth: int = 0) -> None:
        """Append the blocks of `node`'s children to `out`."""
        if depth > MAX_DEPTH:
            out += unstructured(node)
            return
        for child in node:
            self._block(child, out, depth)

    def body(self, children: Iterable[Child], out: list[AnyBlock]) -> None:
        """Append the blocks of a body that was taken apart. Raises Irregular when it must be read as a tree."""
        for child in children:
            if isinstance(child, PlainParagraph):
                self._plain_paragraph(child, out)
            else:
                self._block(child, out, 0)

    def _block(self, child: XmlElement, out: list[AnyBlock], depth: int) -> None:
        tag = child.tag
        if tag == P:
            self.paragraph(child, out, depth)
        elif tag == TBL:
            read_table(self, child, out, depth + 1)
        elif tag == SDT:
            self._content_control(child, out, depth)
        elif tag in _CONTAINERS:
            self.blocks(child, out, depth + 1)
        elif tag == ALTERNATE:
            self._alternate(child, out, depth)
        elif tag == SECT_PR and self.main:
            self.document.end_section(child, self.relations)
        elif tag in (O_MATH_PARA, O_MATH):
            line = Line(self)
            (math_paragraph if tag == O_MATH_PARA else math)(line, child, depth, 0)
            self._emit(line, None, out)
        elif tag in (ALT_CHUNK, SUB_DOC):
            self._alt_chunk(child.get(R_ID, ""), out)
        else:
            self._range_mark(child)

    def _range_mark(self, node: XmlElement) -> None:
        """Where a bookmark or a commented range begins, or ends, between paragraphs (§17.13)."""
        if node.tag == BOOKMARK_START:
            self._anchor = better_anchor(self._anchor, node.get(f"{W}name", ""))
        elif node.tag == COMMENT_START:
            self.begin_comment(node.get(ID, ""), 0)
        elif node.tag == COMMENT_END:
            self.open_comments.pop(node.get(ID, ""), None)

    def _alt_chunk(self, relation_id: str, out: list[AnyBlock]) -> None:
        """An `w:altChunk` or `w:subDoc`: another document put in place."""
        relation = self.relation(relation_id)
        if relation is None:
            return
        document = self.document
        if relation.external:
            document.external(relation.target)
        else:
            read_alt_chunk(document.package, relation.target, document.embeds, document.notices, out)

    def _content_control(self, node: XmlElement, out: list[AnyBlock], depth: int) -> None:
        content = child_of(node, SDT_CONTENT)
        if content is not None:
            self.blocks(content, out, depth + 1)
        note = form_note(node)
        if note is not None:
            out.append(note)

    def _alternate(self, node: XmlElement, out: list[AnyBlock], depth: int) -> None:
        before = len(out)
        for branch in (*node.iterchildren(CHOICE), *node.iterchildren(FALLBACK)):
            self.blocks(branch, out, depth + 1)
            if len(out) > before:
                return

    def paragraph(self, node: XmlElement, out: list[AnyBlock], depth: int) -> None:
        """Append what one `w:p` gives: usually one block, then what floats out of it."""
        line = Line(self)
        properties = child_of(node, PPR)
        section = child_of(properties, SECT_PR) if properties is not None else None
        given = paragraph_properties(properties) if properties is not None else _NO_PROPERTIES
        style = self.document.styles.style(given.style)
        read_content(line, node, depth + 1, _inherited(style, given))
        kind = self._kind(style, given)
        if section is not None and not line.length:
            kind = kind._replace(num=None)  # the mark of a section's end, which Word shows without a number
        self._emit(line, kind, out)
        if section is not None and self.main:
            self.document.end_section(section, self.relations)

    def _plain_paragraph(self, paragraph: PlainParagraph, out: list[AnyBlock]) -> None:
        """As `paragraph`, for one that was scanned."""
        known = self._looks.get(paragraph.properties)
        if known is None:
            properties = read_properties(paragraph.properties)
            style = self.document.styles.style(properties.style)
            known = self._looks[paragraph.properties] = _inherited(style, properties), self._kind(style, properties)
        inherited, kind = known
        line = Line(self)
        read_pieces(line, paragraph.pieces(), inherited)
        self._emit(line, kind, out)

    def _kind(self, style: Style, given: ParagraphProperties) -> "_Kind":
        """What a paragraph is by its style and its own properties."""
        num, num_level, outline, style = given.num, given.num_level, given.outline, style.in_font(given.font)
        if num is None and style.num:
            num = style.num
        if num is not None and num_level is None:
            found = self.document.numbering.level_of_style(num, given.style or "")
            num_level = found if found is not None else (style.num_level or 0)
        level = style.level if outline is None else (outline + 1 if 0 <= outline < 9 else 0)
        indent = given.indent
        if indent is None and num is not None:  # a list of the style's own stands where the style says (§17.9.23)
            listed = self.document.numbering.indent(num, num_level or 0)
            indent = style.indent if given.num is None and style.indent is not None else listed
        return _Kind(style, level, num, num_level or 0, given.fill or style.fill, given.initial, indent)

    def _emit(self, line: Line, kind: "_Kind | None", out: list[AnyBlock]) -> None:
        text, spans = line.finish(kind.fill or self.background if kind is not None else self.background)
        anchor = better_anchor(self._anchor, line.anchor)
        self.document.count_text(len(text))
        if line.maths and self._equations(line, text, spans, anchor, out):
            self._anchor = ""
        elif text.strip():
            self._anchor = ""
            if self._initial:
                text, spans, anchor = after_initial(out, self._initial, text, spans, anchor)
            self._append(self._made(line, text, spans, anchor, kind), kind, out)
            self._initial = text if kind is not None and kind.initial else ""
        else:
            self._anchor = anchor  # an empty paragraph names the next block
            self._blank(spans, kind, out)
        out += line.floats

    def _append(self, made: AnyBlock, kind: "_Kind | None", out: list[AnyBlock]) -> None:
        """A line of a listing, which is a paragraph by itself, goes to the lines before it; an item of a list stands
        below those that it is indented under."""
        last = out[-1] if out else None
        if not isinstance(last, (ListItem, Note)):
            self._nesting.end()
        if isinstance(made, ListItem) and kind is not None:
            level = self._nesting.level(kind.num or "", made.level, kind.indent)
            made = made if level == made.level else msgspec.structs.replace(made, level=level)
        if (
            isinstance(made, Code) and isinstance(last, Code) and made.hidden == last.hidden and not made.anchor
            and self._blanks >= 0 and len(last.text) < _MAX_LISTING_CHARS
        ):  # fmt: skip
            out[-1] = msgspec.structs.replace(last, text=last.text + "\n" * (1 + self._blanks) + made.text)
        else:
            out.append(made)
        self._blanks = 0

    def _blank(self, spans: list[Span], kind: "_Kind | None", out: list[AnyBlock]) -> None:
        """A paragraph without words counts in its list all the same. The marks of its notes are shown, in a cell its
        number too (a column of numbers); a comment on nothing goes to the end of the text before it."""
        is_line = kind is not None and kind.style.role == "code" and not kind.level and self._blanks >= 0
        self._blanks = self._blanks + 1 if is_line else -1
        marker = self._marker(kind) if kind is not None and not self.covered else None
        text, marks = note_marks(spans)
        if text and marker is not None and marker.ordered:
            out.append(ListItem(text=text, level=marker.level, marker=marker.text, ordered=True, spans=marks))
        elif text:
            out.append(Paragraph(text=text, spans=marks))
        elif marker is not None and marker.ordered and marker.text and self._inside:
            out.append(Paragraph(text=marker.text))
        last = out[-1] if out else None
        if isinstance(last, (Paragraph, Heading, ListItem)):
            end = len(last.text)
            comments = [Span(s.kind, end, end, s.value, s.date) for s in spans if s.kind == "comment"]
            if comments:
                out[-1] = msgspec.structs.replace(last, spans=(*last.spans, *comments))

    def _marker(self, kind: "_Kind") -> Marker | None:
        """Count a paragraph in its list, if it is in one."""
        if kind.num is None or kind.num == "0":
            return None
        return self.document.numbering.next(kind.num, kind.num_level)

    def _made(self, line: Line, text: str, spans: list[Span], anchor: str, kind: "_Kind | None") -> AnyBlock:
        # Characters for private use are not printable, which is found out faster than whether any is there.
        if not text.isascii() and not text.isprintable():
            text = without_private(text)
        shapeless = invisible_spans(text)
        if shapeless:
            spans += shapeless
            line.hidden.add("characters")
        behind = 0 < len(text) <= line.covered
        if behind:
            line.hidden.add("place")
        for reason in line.hidden:
            self.document.hidden.add(reason)
        hidden = behind or (bool(spans) and spans_cover(spans, text))
        if kind is None:
            text, kept = cut(text, spans, 0, len(text))
            return Paragraph(text=text, spans=kept, anchor=anchor, hidden=hidden)
        style = kind.style
        marker = self._marker(kind)
        if style.role == "code" and not kind.level:
            return Code(text=text.rstrip("\n"), anchor=anchor, hidden=hidden)
        text, kept = cut(text, spans, 0, len(text)) if text[0].isspace() or text[-1].isspace() else (text, tuple(spans))
        if kind.level and len(text) <= _MAX_HEADING_CHARS:
            number = marker.text.rstrip(".") if marker is not None and marker.ordered else ""
            return Heading(text=text, level=kind.level, number=number, spans=kept, anchor=anchor, hidden=hidden)
        role = "caption" if line.sequence and style.role == "" and len(text) < 1000 else style.role
        if marker is not None and role in {"", "quote"}:
            return ListItem(
                text=text, level=marker.level, marker=marker.text if marker.ordered else marker.text or "•",
                ordered=marker.ordered, spans=kept, anchor=anchor, hidden=hidden,
            )  # fmt: skip
        block = Paragraph(text=text, style=role, spans=kept, anchor=anchor, hidden=hidden)
        prominent = self.main and not role and not style.is_term and len(text) <= 120
        if prominent and (style.run_mask & BOLD or spans_cover(kept, text, "bold")):
            self.document.prominent.add(id(block))
            self.document.kept.append(block)  # ids stay unique while the block lives
        return block

    def _equations(self, line: Line, text: str, spans: list[Span], anchor: str, out: list[AnyBlock]) -> bool:
        """Displayed equations as blocks of their own. True when the paragraph is used up.

        A paragraph of nothing but mathematics (and perhaps its number) is displayed whatever its markup."""
        at = 0
        rest: list[str] = []
        for start, end, _ in line.maths:
            rest.append(text[at:start])
            at = end
        rest.append(text[at:])
        number = number_beside("".join(rest))
        if number is not None:
            for index, (start, end, source) in enumerate(line.maths):
                label = number if index == len(line.maths) - 1 else ""
                out.append(equation(text[start:end], source, label, anchor, hidden=self._hides(spans, start, end)))
            return True
        if not line.displayed:
            return False
        at = 0
        for index in line.displayed:
            start, end, source = line.maths[index]
            self._piece(text, spans, at, start, out)
            out.append(equation(text[start:end], source, "", anchor, hidden=self._hides(spans, start, end)))
            at = end
        self._piece(text, spans, at, len(text), out)
        return True

    def _hides(self, spans: list[Span], start: int, end: int) -> bool:
        """Whether an equation is not seen, which is counted."""
        hidden = any(span.kind == "hidden" and span.start <= start and end <= span.end for span in spans)
        if hidden:
            self.document.hidden.add("formatting")
        return hidden

    def _piece(self, text: str, spans: list[Span], start: int, end: int, out: list[AnyBlock]) -> None:
        piece, kept = cut(text, spans, start, end)
        if piece:
            out.append(Paragraph(text=piece, spans=kept))


class _Kind(NamedTuple):
    """What a paragraph's properties say about it."""

    style: Style
    level: int
    num: str | None
    num_level: int
    fill: int
    initial: bool
    indent: int | None


def _inherited(style: Style, given: ParagraphProperties) -> int:
    """What runs take from their paragraph of being seen."""
    return style.run_mask & INVISIBLE | given.unseen
