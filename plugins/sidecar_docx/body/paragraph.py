"""What of a paragraph's XML becomes its text with spans (a `Line`), in a single pass, and what floats out of it.

Handles runs, tracked changes, links, fields, marks of notes and comments, inline mathematics (ECMA-376 part 1 §17.3.3,
§17.13, §17.16, §22.1). What the paragraph is (heading, item, caption) is the story's business."""

from collections.abc import Callable

from sidecar.api.model import Span, SpanKind
from sidecar.toolkit.ooxml.namespaces import M
from sidecar.toolkit.ooxml.omml import latex, plain
from sidecar.toolkit.word.symbols import symbol as symbol_of
from sidecar.toolkit.xml import XmlElement
from sidecar_docx.body.drawings import equation_object, read_drawing
from sidecar_docx.body.fields import ComplexField, form_note, legacy_form, meaning_of
from sidecar_docx.body.line import Line
from sidecar_docx.body.occlusion import occluded_characters
from sidecar_docx.body.text import better_anchor, normalized
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
    VAL,
    T,
    W,
    is_on,
)
from sidecar_docx.styles.run_properties import HIDDEN, INVISIBLE, UNDERLINE, inherited_mask, mask_of

MAX_DEPTH = 40
"""Containers inside containers; beyond, only the bare text is kept, so that no file can exhaust the stack."""

_DEL_TEXT, _INSTR = f"{W}delText", f"{W}instrText"
_TEXTS = frozenset({T, _DEL_TEXT})
_MATH_RUNS = frozenset({f"{M}r", R_RUN})
_CHARACTERS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "-", f"{W}softHyphen": ""}
_BR = f"{W}br"
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


def read_content(line: Line, node: XmlElement, depth: int = 0, inherited: int = 0) -> None:
    """Read the children of a paragraph or of a container inside one."""
    if depth > MAX_DEPTH:
        line.add("".join(text.text or "" for text in node.iter(T, _DEL_TEXT)))
        return
    for child in node:
        tag = child.tag
        if tag == R_RUN:
            _run(line, child, depth, inherited)
        elif tag == PPR:
            continue
        else:
            handler = _HANDLERS.get(tag)
            if handler is not None:
                handler(line, child, depth + 1, inherited)


def _run(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    for child in node:
        tag = child.tag
        if tag in _TEXTS:
            text = child.text
            if text:
                if "\n" in text or "\xad" in text:
                    text = normalized(text, preserved=child.get(_SPACE) == "preserve")
                line.add(text, mask)
        elif tag == RPR:
            if len(child):
                mask = _mask_of(line, child, mask)
        elif tag in _CHARACTERS:
            line.add(_CHARACTERS[tag], mask)
        else:
            handler = _RUN_CONTENT.get(tag)
            if handler is not None:
                handler(line, child, depth + 1, mask)


def _mask_of(line: Line, properties: XmlElement, inherited: int) -> int:
    if properties[0].tag == _RSTYLE:
        # Underlines of character styles are mostly links, which have a span of their own.
        inherited = inherited_mask(
            inherited, line.story.document.styles.style(properties[0].get(VAL)).run_mask & ~UNDERLINE
        )
    return mask_of(properties, inherited)


# Handlers are called as handler(line, node, depth, mask).


def _run_break(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:br` (§17.3.3.1)."""
    line.add_break(node.get(f"{W}type"), mask)


def _field_code(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:instrText` (§17.16.23)."""
    if line.story.fields and line.story.fields[-1].in_code:
        line.story.fields[-1].code.append(node.text or "")


def _drawing(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A drawing, VML picture or object: blocks that float out of the paragraph, or an equation in it."""
    equation = equation_object(line.story, node) if node.tag == OBJECT else None
    if equation is not None:
        _mathematics(line, equation.text, equation.latex, mask)
        return
    line.floats += read_drawing(line.story, node, depth)
    line.covered = max(line.covered, occluded_characters(line.story, node))


def _note_reference(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A call of a footnote, endnote or comment (§17.11, §17.13.4)."""
    number = node.get(ID, "")
    if line.story.codes_open or not number:
        return
    kind = _NOTES[node.tag]
    if kind == "comment":
        shown = line.story.document.refer("comment", number)
        if number not in line.commented:
            line.commented.add(number)
            line.spans.append(Span("comment", line.length, line.length, shown))
        return
    shown = line.story.document.refer("footnote" if "foot" in node.tag else "endnote", number)
    line.spans.append(Span("note", line.length, line.length, shown))


def _symbol(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:sym` (§17.3.3.30)."""
    try:
        code = int(node.get(f"{W}char", ""), 16)
    except ValueError:
        return
    line.add(symbol_of(code, node.get(f"{W}font", "")), mask)


def _ruby(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """Base text, with its reading in brackets (§17.3.3.25)."""
    for name, opening, closing in (("rubyBase", "", ""), ("rt", "(", ")")):
        part = node.find(W + name)
        if part is not None and len(part):
            line.add(opening, mask)
            read_content(line, part, depth, mask)
            line.add(closing, mask)


def _field_char(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:fldChar` (§17.16.18): a complex field begins, its result begins, or it ends."""
    story = line.story
    kind = node.get(f"{W}fldCharType")
    if kind == "begin":
        story.fields.append(ComplexField(form=legacy_form(node.find(f"{W}ffData")), start=line.length))
        story.codes_open += 1
    elif not story.fields:
        return
    elif kind == "separate":
        frame = story.fields[-1]
        if frame.in_code:
            _begin_result(line, frame)
    elif kind == "end":
        frame = story.fields.pop()
        if frame.in_code:
            story.codes_open -= 1
            frame.meaning = meaning_of("".join(frame.code))
            frame.start = line.length
            line.add((frame.form.shown() if frame.form else "") or frame.meaning.shown)
        elif frame.form is not None and line.length == frame.start:
            line.add(frame.form.shown())
        line.close(frame)
        note = frame.form.note(line.since(frame.start)) if frame.form is not None else None
        if note is not None:
            line.floats.append(note)


def _begin_result(line: Line, frame: ComplexField) -> None:
    code = "".join(frame.code)
    frame.in_code = False
    line.story.codes_open -= 1
    frame.meaning = meaning_of(code)
    frame.start = line.length
    line.sequence = line.sequence or code.lstrip().upper().startswith("SEQ")


def _change(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A tracked insertion, deletion or move (§17.13.5)."""
    if _replaces(line, node):
        line.add(" ", mask)
    start = line.length
    read_content(line, node, depth, mask)
    if line.length > start:
        line.story.document.changes += 1
        line.spans.append(Span(_CHANGES[node.tag], start, line.length, node.get(AUTHOR, ""), node.get(DATE, "")))


def _replaces(line: Line, node: XmlElement) -> bool:
    """Whether a change follows its counterpart without a space: the old and the new word of a replacement must
    stay two words, or neither would be found."""
    before = line.spans[-1] if line.spans else None
    if before is None or before.end != line.length or before.kind not in {"ins", "del"}:
        return False
    if before.kind == _CHANGES[node.tag] or not line.parts[-1][-1:].isalnum():
        return False
    first = next((text.text for text in node.iter(T, _DEL_TEXT) if text.text), "")
    return first[:1].isalnum()


def _hyperlink(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:hyperlink` (§17.16.22)."""
    start = line.length
    read_content(line, node, depth, mask)
    target = line.story.link_target(node.get(R_ID), node.get(f"{W}anchor"))
    if target and line.length > start:
        line.spans.append(Span("link", start, line.length, target))


def _simple_field(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:fldSimple` (§17.16.19)."""
    start = line.length
    read_content(line, node, depth, mask)
    code = node.get(f"{W}instr", "")
    meaning = meaning_of(code)
    line.sequence = line.sequence or code.lstrip().upper().startswith("SEQ")
    if meaning.shown and line.length == start:
        line.add(meaning.shown, mask)
    if meaning.kind and meaning.value and line.length > start:
        line.spans.append(Span(meaning.kind, start, line.length, meaning.value))


def _content_control(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:sdt` between runs (§17.5.2)."""
    content = node.find(SDT_CONTENT)
    if content is not None:
        read_content(line, content, depth, mask)
    note = form_note(node)
    if note is not None:
        line.floats.append(note)


def _alternate(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """Alternate content between runs."""
    _first_shown(line, node, depth, mask, read_content)


def _alternate_in_run(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """Alternate content inside a run."""
    _first_shown(line, node, depth, mask, _run)


def _first_shown(
    line: Line, node: XmlElement, depth: int, mask: int, read: Callable[[Line, XmlElement, int, int], None]
) -> None:
    """The first choice that shows anything, else the fallback, so nothing is doubled (part 3 §9.3)."""
    before = (line.length, len(line.floats))
    for branch in (*filter(_is_understood, node.iterchildren(CHOICE)), *node.iterchildren(FALLBACK)):
        read(line, branch, depth, mask)
        if (line.length, len(line.floats)) != before:
            return


def math(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """An `m:oMath`: its plain text, and a span with its LaTeX."""
    source, shown = latex(node), plain(node)
    if source or shown:
        _mathematics(line, shown or source, source, _math_mask(node))


def _mathematics(line: Line, shown: str, source: str, mask: int) -> None:
    start = line.length
    line.add(shown, mask)
    if line.length > start:
        line.maths.append((start, line.length, source))


def _math_mask(node: XmlElement) -> int:
    """What all words of an equation have that may hide them: phantoms show none (§22.1.2.81)."""
    masks: set[int] = set()
    for run in node.iter(f"{M}r"):
        properties = run.find(f"{W}rPr")
        shows = (show for above in run.iterancestors(f"{M}phant") for show in above.iterfind(f"{M}phantPr/{M}show"))
        own = mask_of(properties) if properties is not None else 0
        masks.add(HIDDEN if any(not is_on(show.get(f"{M}val")) for show in shows) else own & INVISIBLE)
    return masks.pop() if len(masks) == 1 else 0


def _is_understood(choice: XmlElement) -> bool:
    """Whether programs of today show a choice of alternate content (part 3 §9.3)."""
    spaces = (choice.nsmap.get(prefix, "") for prefix in (choice.get("Requires") or "").split())
    return all(space.startswith("http://schemas.microsoft.com/") for space in spaces)


def math_paragraph(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """An `m:oMathPara`: displayed equations, and runs between them."""
    for child in node:
        if child.tag == O_MATH:
            line.displayed.append(len(line.maths))
            math(line, child, depth, mask)
        elif child.tag in _MATH_RUNS:
            _run(line, child, depth, mask)


def _comment_start(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """Where the text a comment is about begins (§17.13.4.4)."""
    line.story.begin_comment(node.get(ID, ""), line.length)


def _comment_end(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """Where it ends."""
    start = line.story.open_comments.pop(node.get(ID, ""), None)
    if start is not None:
        line.comment(node.get(ID, ""), start)


def _bookmark(line: Line, node: XmlElement, depth: int, mask: int) -> None:
    """A `w:bookmarkStart` (§17.13.6.2)."""
    line.anchor = better_anchor(line.anchor, node.get(f"{W}name", ""))


_HANDLERS: dict[str, Callable[[Line, XmlElement, int, int], None]] = {
    **dict.fromkeys(_CHANGES, _change), **dict.fromkeys(_CONTAINERS, read_content), HYPERLINK: _hyperlink,
    FLD_SIMPLE: _simple_field, SDT: _content_control, ALTERNATE: _alternate, O_MATH: math, O_MATH_PARA: math_paragraph,
    COMMENT_START: _comment_start, COMMENT_END: _comment_end, BOOKMARK_START: _bookmark,
}  # fmt: skip

_RUN_CONTENT: dict[str, Callable[[Line, XmlElement, int, int], None]] = {
    **dict.fromkeys(_NOTES, _note_reference), **dict.fromkeys(_FLOATING, _drawing), _BR: _run_break,
    _INSTR: _field_code, FLD_CHAR: _field_char, _SYM: _symbol, ALTERNATE: _alternate_in_run, _RUBY: _ruby,
}  # fmt: skip
"""What a run may hold besides text and properties (§17.3.3)."""
