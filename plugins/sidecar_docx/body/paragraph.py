"""One paragraph's content: its text with spans, in a single pass over the XML, and what floats out of it.

Handles runs, tracked changes, links, fields, marks of notes and comments, inline mathematics (ECMA-376 part 1 §17.3.3,
§17.13, §17.16, §22.1). What the paragraph is (heading, item, caption) is the story's business.
"""

from __future__ import annotations

from collections.abc import Callable

from sidecar.api.model import AnyBlock, Span, SpanKind
from sidecar.toolkit.ooxml.hidden_text import HiddenKind
from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.word.symbols import symbol as symbol_of
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.body.context import StoryState
from sidecar_docx.body.covers import covered_characters
from sidecar_docx.body.drawings import read_drawing
from sidecar_docx.body.fields import ComplexField, form_note, form_value, meaning_of
from sidecar_docx.body.text import better_anchor, tidy
from sidecar_docx.qualified_names import (
    ALTERNATE,
    AUTHOR,
    BOOKMARK_START,
    CHOICE,
    COMMENT_END,
    COMMENT_START,
    DATE,
    DEL,
    DRAWING,
    FALLBACK,
    FLD_CHAR,
    FLD_SIMPLE,
    HYPERLINK,
    ID,
    INS,
    MOVE_FROM,
    MOVE_TO,
    O_MATH,
    O_MATH_PARA,
    OBJECT,
    PICT,
    PPR,
    R_ID,
    R_RUN,
    RPR,
    SDT,
    SDT_CONTENT,
    SDT_PR,
    VAL,
    T,
    W,
)
from sidecar_docx.styles.run_properties import (
    HIDDEN,
    UNDERLINE,
    hidden_by,
    mask_of,
    mask_spans,
    over,
)

DEEPEST = 40
"""Containers inside containers; beyond, only the bare text is kept, so that no file can exhaust the stack."""

_DEL_TEXT, _INSTR = f"{W}delText", f"{W}instrText"
_TEXTS = frozenset({T, _DEL_TEXT})
_MATH_RUNS = frozenset({f"{M}r", R_RUN})
_CHARACTERS = {
    f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}softHyphen": "",
}  # fmt: skip
_BR = f"{W}br"
_LINE_BREAKS = frozenset({None, "textWrapping"})
_SYM = f"{W}sym"
_NOTES: dict[str, SpanKind] = {
    f"{W}footnoteReference": "note", f"{W}endnoteReference": "note", f"{W}commentReference": "comment",
}  # fmt: skip
_RUBY = f"{W}ruby"
_RSTYLE = f"{W}rStyle"
_CHANGES: dict[str, SpanKind] = {INS: "ins", DEL: "del", MOVE_TO: "ins", MOVE_FROM: "del"}
_CONTAINERS = frozenset(
    {f"{W}{name}" for name in ("smartTag", "customXml", "dir", "bdo", "subDoc", "sdtContent", "rubyBase", "rt")}
)
_FLOATING = frozenset({DRAWING, PICT, OBJECT})
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class Line:
    """The paragraph being read."""

    __slots__ = (
        "anchor",
        "covered",
        "displayed",
        "floats",
        "hidden",
        "length",
        "masks",
        "maths",
        "parts",
        "sequence",
        "spans",
        "story",
    )

    def __init__(self, story: StoryState) -> None:
        self.story = story
        self.parts: list[str] = []
        self.length = 0
        self.spans: list[Span] = []
        self.masks: list[tuple[int, int, int]] = []
        self.floats: list[AnyBlock] = []
        self.maths: list[tuple[int, int, str]] = []
        self.displayed: list[int] = []
        """Indexes into `maths` of displayed equations."""
        self.sequence = False
        """Whether a SEQ field numbers it, as Word's captions are."""
        self.anchor = ""
        self.hidden: set[HiddenKind] = set()
        self.covered = 0
        """Characters of it that a picture in front covers."""
        """Why some of its text is not seen; known when it is finished."""
        for frame in story.fields:
            frame.start = 0
        for number in story.open_comments:
            story.open_comments[number] = 0

    def add(self, text: str, mask: int = 0) -> None:
        """Append shown text, unless a field code is being read."""
        if self.story.codes_open:
            frame = self.story.fields[-1]
            frame.held.append(text)
            if frame.in_code:
                frame.code.append(text)
            return
        end = self.length + len(text)
        self.parts.append(text)
        if mask:
            self.masks.append((self.length, end, mask))
        self.length = end

    def run_break(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:br` (§17.3.3.1)."""
        self.add_break(node.get(f"{W}type"), mask)

    def add_break(self, kind: str | None, mask: int) -> None:
        """A line break; a page or column break is a line's end where it stands between words."""
        if kind in _LINE_BREAKS or (self.length and not self.parts[-1].endswith((" ", "\n"))):
            self.add("\n", mask)

    def read(self, node: XmlElement, depth: int = 0, inherited: int = 0) -> None:
        """Read the children of a paragraph or of a container inside one."""
        if depth > DEEPEST:
            self.add("".join(text.text or "" for text in node.iter(T, _DEL_TEXT)))
            return
        for child in node:
            tag = child.tag
            if tag == R_RUN:
                self._run(child, depth, inherited)
            elif tag == PPR:
                continue
            else:
                handler = _HANDLERS.get(tag)
                if handler is not None:
                    handler(self, child, depth + 1, inherited)

    def _run(self, node: XmlElement, depth: int, mask: int) -> None:
        for child in node:
            tag = child.tag
            if tag in _TEXTS:
                text = child.text
                if text:
                    if "\n" in text or "\xad" in text:
                        text = tidy(text, preserved=child.get(_SPACE) == "preserve")
                    self.add(text, mask)
            elif tag == RPR:
                if len(child):
                    mask = self._mask_of(child, mask)
            elif tag in _CHARACTERS:
                self.add(_CHARACTERS[tag], mask)
            else:
                handler = _RUN_CONTENT.get(tag)
                if handler is not None:
                    handler(self, child, depth + 1, mask)

    def _mask_of(self, properties: XmlElement, inherited: int) -> int:
        if properties[0].tag == _RSTYLE:
            # Underlines of character styles are mostly links, which have a span of their own.
            inherited = over(inherited, self.story.document.styles.style(properties[0].get(VAL)).run_mask & ~UNDERLINE)
        return mask_of(properties, inherited)

    def field_code(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:instrText` (§17.16.23)."""
        if self.story.fields and self.story.fields[-1].in_code:
            self.story.fields[-1].code.append(node.text or "")

    def drawing(self, node: XmlElement, depth: int, mask: int) -> None:
        """A drawing, VML picture or object: blocks that float out of the paragraph."""
        self.floats += read_drawing(self.story, node, depth)
        self.covered = max(self.covered, covered_characters(self.story, node))

    def note_reference(self, node: XmlElement, depth: int, mask: int) -> None:
        """A call of a footnote, endnote or comment (§17.11, §17.13.4)."""
        number = node.get(ID, "")
        if self.story.codes_open or not number:
            return
        kind = _NOTES[node.tag]
        if kind == "comment":
            shown = self.story.document.refer("comment", number)
            if not any(span.kind == "comment" and span.value == number for span in self.spans):
                self.spans.append(Span("comment", self.length, self.length, shown))
            return
        shown = self.story.document.refer("footnote" if "foot" in node.tag else "endnote", number)
        self.spans.append(Span("note", self.length, self.length, shown))

    def symbol(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:sym` (§17.3.3.30)."""
        try:
            code = int(node.get(f"{W}char", ""), 16)
        except ValueError:
            return
        self.add(symbol_of(code, node.get(f"{W}font", "")), mask)

    def ruby(self, node: XmlElement, depth: int, mask: int) -> None:
        """Base text, with its reading in brackets (§17.3.3.25)."""
        for name, opening, closing in (("rubyBase", "", ""), ("rt", "(", ")")):
            part = node.find(W + name)
            if part is not None and len(part):
                self.add(opening, mask)
                self.read(part, depth, mask)
                self.add(closing, mask)

    def field_char(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:fldChar` (§17.16.18): a complex field begins, its result begins, or it ends."""
        story = self.story
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            story.fields.append(ComplexField(form=node.find(f"{W}ffData"), start=self.length))
            story.codes_open += 1
        elif not story.fields:
            return
        elif kind == "separate":
            frame = story.fields[-1]
            if frame.in_code:
                self._begin_result(frame)
        elif kind == "end":
            frame = story.fields.pop()
            if frame.in_code:
                story.codes_open -= 1
                frame.meaning = meaning_of("".join(frame.code))
                frame.start = self.length
                self.add(form_value(frame.form) or frame.meaning.shown)
            elif frame.form is not None and self.length == frame.start:
                self.add(form_value(frame.form))
            self.close(frame)

    def _begin_result(self, frame: ComplexField) -> None:
        code = "".join(frame.code)
        frame.in_code = False
        self.story.codes_open -= 1
        frame.meaning = meaning_of(code)
        frame.start = self.length
        self.sequence = self.sequence or code.lstrip().upper().startswith("SEQ")

    def close(self, frame: ComplexField) -> None:
        """Span the result of a field up to here."""
        meaning = frame.meaning
        if meaning.kind and meaning.value and self.length > frame.start and not self.story.codes_open:
            self.spans.append(Span(meaning.kind, frame.start, self.length, meaning.value))

    def finish(self, behind: int) -> tuple[str, list[Span]]:
        """The text and all spans, on a background of `behind`; what stays open (fields, comment ranges) goes on in the
        next paragraph."""
        story = self.story
        for frame in list(story.fields):
            if frame.in_code:
                # A field code that does not end in its paragraph is a broken field, not a lost paragraph.
                story.fields.remove(frame)
                story.codes_open -= 1
                if not story.codes_open:
                    self.add("".join(frame.held))
            else:
                self.close(frame)
        for number, start in story.open_comments.items():
            self._comment(number, start)
        text = "".join(self.parts)
        spans = mask_spans(self._seen(text, behind)) if self.masks else []
        spans += self.spans
        spans += [Span("math", start, end, source) for start, end, source in self.maths]
        return text, spans

    def _seen(self, text: str, behind: int) -> list[tuple[int, int, int]]:
        """The masks, with those of text that is not seen made hidden."""
        made: list[tuple[int, int, int]] = []
        for start, end, mask in self.masks:
            kind = hidden_by(mask, behind)
            if kind is not None and (kind == "formatting" or text[start:end].strip()):
                self.hidden.add(kind)
                made.append((start, end, mask | HIDDEN))
            else:
                made.append((start, end, mask))
        return made

    def _comment(self, number: str, start: int) -> None:
        if self.length > start:
            self.story.document.commented(number, "".join(self.parts)[start : self.length])
            self.spans.append(Span("comment", start, self.length, number))

    # What follows is called as handler(line, node, depth, mask).

    def change(self, node: XmlElement, depth: int, mask: int) -> None:
        """A tracked insertion, deletion or move (§17.13.5)."""
        if self._replaces(node):
            self.add(" ", mask)
        start = self.length
        self.read(node, depth, mask)
        if self.length > start:
            self.story.document.changes += 1
            self.spans.append(Span(_CHANGES[node.tag], start, self.length, node.get(AUTHOR, ""), node.get(DATE, "")))

    def _replaces(self, node: XmlElement) -> bool:
        """Whether a change follows its counterpart without a space: the old and the new word of a replacement must
        stay two words, or neither would be found."""
        before = self.spans[-1] if self.spans else None
        if before is None or before.end != self.length or before.kind not in {"ins", "del"}:
            return False
        if before.kind == _CHANGES[node.tag] or not self.parts[-1][-1:].isalnum():
            return False
        first = next((text.text for text in node.iter(T, _DEL_TEXT) if text.text), "")
        return first[:1].isalnum()

    def hyperlink(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:hyperlink` (§17.16.22)."""
        start = self.length
        self.read(node, depth, mask)
        target = self.story.link_target(node.get(R_ID), node.get(f"{W}anchor"))
        if target and self.length > start:
            self.spans.append(Span("link", start, self.length, target))

    def simple_field(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:fldSimple` (§17.16.19)."""
        start = self.length
        self.read(node, depth, mask)
        code = node.get(f"{W}instr", "")
        meaning = meaning_of(code)
        self.sequence = self.sequence or code.lstrip().upper().startswith("SEQ")
        if meaning.shown and self.length == start:
            self.add(meaning.shown, mask)
        if meaning.kind and meaning.value and self.length > start:
            self.spans.append(Span(meaning.kind, start, self.length, meaning.value))

    def content_control(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:sdt` between runs (§17.5.2)."""
        content = node.find(SDT_CONTENT)
        if content is not None:
            self.read(content, depth, mask)
        properties = node.find(SDT_PR)
        if properties is not None:
            note = form_note(properties)
            if note is not None:
                self.floats.append(note)

    def container(self, node: XmlElement, depth: int, mask: int) -> None:
        """What only groups runs."""
        self.read(node, depth, mask)

    def alternate(self, node: XmlElement, depth: int, mask: int) -> None:
        """Alternate content between runs."""
        self._first_shown(node, depth, mask, self.read)

    def alternate_in_run(self, node: XmlElement, depth: int, mask: int) -> None:
        """Alternate content inside a run."""
        self._first_shown(node, depth, mask, self._run)

    def _first_shown(
        self, node: XmlElement, depth: int, mask: int, read: Callable[[XmlElement, int, int], None]
    ) -> None:
        """The first choice that shows anything, else the fallback, so nothing is doubled (part 3 §9.3)."""
        before = (self.length, len(self.floats))
        for branch in (*node.iterchildren(CHOICE), *node.iterchildren(FALLBACK)):
            read(branch, depth, mask)
            if (self.length, len(self.floats)) != before:
                return

    def math(self, node: XmlElement, depth: int, mask: int) -> None:
        """An `m:oMath`: its plain text, and a span with its LaTeX."""
        source, line = latex(node), plain(node)
        if source or line:
            start = self.length
            self.add(line or source)
            if self.length > start:
                self.maths.append((start, self.length, source))

    def math_paragraph(self, node: XmlElement, depth: int, mask: int) -> None:
        """An `m:oMathPara`: displayed equations, and runs between them."""
        for child in node:
            if child.tag == O_MATH:
                self.displayed.append(len(self.maths))
                self.math(child, depth, mask)
            elif child.tag in _MATH_RUNS:
                self._run(child, depth, mask)

    def comment_start(self, node: XmlElement, depth: int, mask: int) -> None:
        """Where the text a comment is about begins (§17.13.4.4)."""
        self.story.open_comments[node.get(ID, "")] = self.length

    def comment_end(self, node: XmlElement, depth: int, mask: int) -> None:
        """Where it ends."""
        start = self.story.open_comments.pop(node.get(ID, ""), None)
        if start is not None:
            self._comment(node.get(ID, ""), start)

    def bookmark(self, node: XmlElement, depth: int, mask: int) -> None:
        """A `w:bookmarkStart` (§17.13.6.2)."""
        self.anchor = better_anchor(self.anchor, node.get(f"{W}name", ""))


_HANDLERS: dict[str, Callable[[Line, XmlElement, int, int], None]] = {
    **dict.fromkeys(_CHANGES, Line.change),
    **dict.fromkeys(_CONTAINERS, Line.container),
    HYPERLINK: Line.hyperlink,
    FLD_SIMPLE: Line.simple_field,
    SDT: Line.content_control,
    ALTERNATE: Line.alternate,
    O_MATH: Line.math,
    O_MATH_PARA: Line.math_paragraph,
    COMMENT_START: Line.comment_start,
    COMMENT_END: Line.comment_end,
    BOOKMARK_START: Line.bookmark,
}

_RUN_CONTENT: dict[str, Callable[[Line, XmlElement, int, int], None]] = {
    **dict.fromkeys(_NOTES, Line.note_reference),
    **dict.fromkeys(_FLOATING, Line.drawing),
    _BR: Line.run_break,
    _INSTR: Line.field_code,
    FLD_CHAR: Line.field_char,
    _SYM: Line.symbol,
    ALTERNATE: Line.alternate_in_run,
    _RUBY: Line.ruby,
}
"""What a run may hold besides text and properties (§17.3.3)."""
