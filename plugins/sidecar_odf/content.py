"""Reads OpenDocument content in its order and writes blocks: headings, paragraphs, lists, notes, changes, frames.

Tables are in `tables`, what a frame holds in `frames`. Source: ODF 1.3 part 3, §5 (text), §6 (inline), §14 (fields)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from sidecar.api import AnyBlock, Heading, ListItem, Note, Paragraph
from sidecar.api.model import SpanKind
from sidecar.toolkit.markup.inline import Inline
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.ooxml.hidden_text import WHITE
from sidecar.toolkit.word.conventions import displayed_equations
from sidecar.toolkit.word.occlusion import Drawings
from sidecar.toolkit.xml import XmlElement, count_of, words_of
from sidecar_odf import frames
from sidecar_odf.names import DC, DRAW, LOEXT, OFFICE, TABLE, TEXT, XLINK
from sidecar_odf.numbering import OUTLINE, ListCounters
from sidecar_odf.objects import PackageObjects
from sidecar_odf.styles import Styles
from sidecar_odf.tables import read_table

_MAX_DEPTH = 100
_CONTAINERS = frozenset(
    f"{TEXT}{name}"
    for name in ("section", "index-body", "table-of-content", "illustration-index", "table-index", "object-index",
                 "user-index", "alphabetical-index", "bibliography", "index-title", "numbered-paragraph")
)  # fmt: skip
_INDEXES = frozenset(f"{TEXT}{name}" for name in ("table-of-content", "illustration-index", "table-index"))
_SILENT = frozenset(
    (f"{TEXT}tracked-changes", f"{TEXT}sequence-decls", f"{TEXT}variable-decls", f"{TEXT}user-field-decls",
     f"{OFFICE}forms", f"{TEXT}table-of-content-source", f"{OFFICE}annotation-end", f"{TEXT}note-citation")
)  # fmt: skip


@dataclass(frozen=True)
class TrackedChange:
    """A tracked change (ODF §5.5): `kind` is "insertion", "deletion" or "format-change"; `text` is what was deleted."""

    kind: str
    author: str
    date: str
    text: str


@dataclass
class ContentReader:
    """The blocks of one story so far. `page` is the slide or page being read, None in a text document."""

    styles: Styles
    pictures: Pictures
    objects: PackageObjects
    changes: dict[str, TrackedChange]
    counters: ListCounters
    page: int | None = None
    blocks: list[AnyBlock] = field(default_factory=list[AnyBlock])
    after: list[AnyBlock] = field(default_factory=list[AnyBlock])
    """Notes and frames met in the paragraph being read."""
    drawings: Drawings = field(default_factory=Drawings)
    """Those that hang on the paragraph being read."""
    line: Inline = field(default_factory=Inline)
    depth: int = 0
    background: int = WHITE
    """The colour that words stand on, -1 where it is not told."""
    in_cell: bool = False
    repeats: frames.Repeats = field(default_factory=frames.Repeats)
    _paragraph: str = ""
    """The style of the paragraph being read."""
    _open_changes: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def inner(self, family: str = "", style: str = "", shape: XmlElement | None = None) -> "ContentReader":
        """A reader of something set apart (a cell of a style, the words in a shape) that shares what this one knows."""
        background = self.styles.background(family, style, self.background)
        if shape is not None:
            background = self.styles.shape_background(shape, background)
        return ContentReader(
            self.styles, self.pictures, self.objects, self.changes, self.counters, self.page, depth=self.depth + 1,
            background=background, in_cell=family == "table-cell", repeats=self.repeats,
        )  # fmt: skip

    def content(self, node: XmlElement, style: str = "") -> None:
        """The blocks of everything inside a body, section, cell or box."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            text = words_of(node)
            if text:
                self.blocks.append(Paragraph(text=text, page=self.page))
        else:
            for child in node:
                self._child(child, style)
        self.depth -= 1

    def _child(self, child: XmlElement, style: str) -> None:
        tag = child.tag
        if not isinstance(tag, str) or tag in _SILENT:
            return
        if tag == f"{TEXT}p":
            self.paragraph(child, style)
        elif tag == f"{TEXT}h":
            self._heading(child)
        elif tag == f"{TEXT}list":
            self.list_(child, 0, "")
        elif tag == f"{TABLE}table":
            self.blocks += read_table(child, self)
        elif tag in _CONTAINERS:
            start = len(self.blocks)
            self.content(child, "toc" if tag in _INDEXES or style == "toc" else style)
            if child.get(f"{TEXT}display") == "none":  # a hidden section (ODF §5.4)
                self.blocks[start:] = [replace(block, hidden=True) for block in self.blocks[start:]]
        elif tag in (f"{TEXT}change-start", f"{TEXT}change-end", f"{TEXT}change"):
            self.change(child)
        elif tag.startswith(DRAW):
            frames.read_shape(child, self)
            self.flush_after()
        else:
            self.content(child, style)

    def _heading(self, node: XmlElement, number: str | None = None) -> None:
        """A heading; `number` is that of its list item, None for one outside lists, which the outline numbers."""
        name = self._paragraph = node.get(f"{TEXT}style-name") or ""
        level = min(count_of(node.get(f"{TEXT}outline-level")), 9)
        self._inline(node)
        anchor = self._anchor(node)
        text, spans = self.line.finish_line()
        unnumbered = node.get(f"{TEXT}is-list-header") == "true" or self.styles.is_unnumbered(name)
        if number is None and not unnumbered:
            restarts = node.get(f"{TEXT}restart-numbering") == "true"
            start = (node.get(f"{TEXT}start-value") or "1") if restarts else ""
            number = self.counters.next(OUTLINE, OUTLINE, level - 1, start)
        if text:
            number = (number or "").strip().rstrip(".")
            self.blocks.append(
                Heading(
                    text=text,
                    spans=spans,
                    level=level,
                    number=number,
                    anchor=anchor,
                    page=self.page,
                    hidden=self.drawings.cover(text),
                )
            )
        self.flush_after()

    def paragraph(self, node: XmlElement, style: str = "") -> None:
        """A paragraph, then the notes and frames that hang on it."""
        name = self._paragraph = node.get(f"{TEXT}style-name") or ""
        self._inline(node)
        text, spans = self.line.finish_line()
        if text:
            hidden = "hidden" in self.styles.spans("paragraph", name) or _is_hidden(node) or self.drawings.cover(text)
            if not hidden and self.styles.is_invisible("", "", name, self.background):
                hidden = next(node.iter(f"{TEXT}span"), None) is None
            anchor = self._anchor(node)
            shown = [] if self.in_cell else displayed_equations(text, spans, anchor)
            self.blocks += [replace(equation, hidden=hidden, page=self.page) for equation in shown] or [
                Paragraph(
                    text=text, spans=spans, style=style or self.styles.role(name), anchor=anchor, hidden=hidden,
                    page=self.page,
                )
            ]  # fmt: skip
        self.flush_after()

    def flush_after(self) -> None:
        """Move what hangs on the paragraph behind it."""
        self.blocks += self.drawings.end(self.after)
        self.after.clear()

    def list_(self, node: XmlElement, level: int, inherited: str, counted: str = "") -> None:
        """A list; inner lists take the outer one's style when they name none (ODF §5.3.1). `counted` is the list that
        an inner one is part of."""
        style = node.get(f"{TEXT}style-name") or inherited
        counted = counted or self.counters.list_of(node, style)
        for item in node:
            if item.tag not in (f"{TEXT}list-item", f"{TEXT}list-header"):
                continue
            marker: str | None = None
            for child in item:
                if child.tag == f"{TEXT}list" and level < _MAX_DEPTH:
                    self.list_(child, level + 1, style, counted)
                elif child.tag == f"{TEXT}list":
                    self.depth += _MAX_DEPTH
                    self.content(child)
                    self.depth -= _MAX_DEPTH
                elif child.tag in (f"{TEXT}p", f"{TEXT}h"):
                    if marker is None:  # an item that only holds an inner list is not counted
                        marker = "" if item.tag == f"{TEXT}list-header" else self._marker(item, style, level, counted)
                    self._item(child, level, style, marker)
                    marker = ""
                elif isinstance(child.tag, str):
                    self._child(child, "")

    def _marker(self, item: XmlElement, style: str, level: int, counted: str) -> str:
        number = self.counters.next(counted, style, level, item.get(f"{TEXT}start-value") or "")
        return number if self.styles.lists.counts(style, level) else "•"

    def _item(self, node: XmlElement, level: int, style: str, marker: str) -> None:
        ordered = self.styles.lists.counts(style, level)
        if node.tag == f"{TEXT}h":  # numbered headings stand in lists
            self._heading(node, marker if ordered else "")
            return
        if not self.styles.has_marker(style, level, node.get(f"{TEXT}style-name") or ""):
            self.paragraph(node)
            return
        self._inline(node)
        text, spans = self.line.finish_line()
        if not text and ordered and marker and self.in_cell:  # a column of numbers
            self.blocks.append(Paragraph(text=marker, page=self.page))
        if text:
            self.blocks.append(
                ListItem(text=text, spans=spans, level=level, marker=marker, ordered=ordered, page=self.page)
            )
        self.flush_after()

    def _anchor(self, node: XmlElement) -> str:
        for tag in (f"{TEXT}bookmark-start", f"{TEXT}bookmark"):
            mark = node.find(f".//{tag}")
            if mark is not None:
                return mark.get(f"{TEXT}name") or ""
        return ""

    def _inline(self, node: XmlElement) -> None:
        line = self.line
        if node.text:
            line.add(node.text)
        self.depth += 1
        for child in node:
            if isinstance(child.tag, str):
                if self.depth < _MAX_DEPTH * 2:
                    self._run(child)
                else:
                    line.add(words_of(child))
            if child.tail:
                line.add(child.tail)
        self.depth -= 1

    def _run(self, node: XmlElement) -> None:
        tag, line = node.tag, self.line
        if tag in (f"{TEXT}span", f"{TEXT}a"):
            start = line.length
            self._inline(node)
            if tag == f"{TEXT}a":
                line.span("link", start, node.get(f"{XLINK}href") or "")
            else:
                self._add_style_spans(node.get(f"{TEXT}style-name") or "", start)
        elif tag == f"{TEXT}s":
            line.add(" ")
        elif tag == f"{TEXT}tab":
            line.add_exact("\t" if line.length else "")
        elif tag == f"{TEXT}line-break":
            line.line_break()
        elif tag in _ASIDE:
            _ASIDE[tag](self, node)
        elif tag.startswith(DRAW):
            frames.read_shape(node, self)
        elif tag == f"{TEXT}ruby-text":
            line.add_exact("(")
            self._inline(node)
            line.add_exact(")")
        elif tag not in _SILENT:
            self._field(node)

    def _add_style_spans(self, style: str, start: int) -> None:
        """The spans that a text style means for what stands in the line from `start` on."""
        kinds = set(self.styles.spans("text", style))
        if self.styles.is_invisible("text", style, self._paragraph, self.background):
            kinds.add("hidden")
        for kind in sorted(kinds):
            self.line.span(kind, start)

    def _field(self, node: XmlElement) -> None:
        """Bookmarks, references and fields: they show their content, unless they say that they do not (§19.816)."""
        start = self.line.length
        self._inline(node)
        if _is_hidden_text(node) and self.line.length == start:
            self.line.add_exact(node.get(f"{TEXT}string-value") or "")  # LibreOffice keeps no result of it
        is_hidden = node.get(f"{TEXT}display") == "none" or _is_hidden_text(node)
        if is_hidden and self.line.length > start:
            self.line.span("hidden", start)

    def note(self, node: XmlElement) -> None:
        """A footnote or endnote: its mark goes into the line, its text behind the paragraph."""
        kind = "endnote" if node.get(f"{TEXT}note-class") == "endnote" else "footnote"
        citation = node.find(f"{TEXT}note-citation")
        mark = "".join(citation.itertext()).strip() if citation is not None else ""
        body = node.find(f"{TEXT}note-body")
        identity = node.get(f"{TEXT}id") or f"{kind}{mark}"
        start = self.line.length
        self.line.add_exact(f"[{mark}]" if mark else "")
        self.line.span("note", start, identity)
        if body is not None:
            inner = self.inner()
            inner.content(body)
            text, spans = frames.text_with_spans(inner.blocks)
            self.after.append(Note(kind=kind, id=identity, text=text, spans=spans, page=self.page))

    def comment(self, node: XmlElement) -> None:
        """A comment with its author; unnamed ones (presentations, old files) are counted over the document."""
        identity = node.get(f"{OFFICE}name") or self.counters.next_comment()
        inner = self.inner()
        for child in node:
            if child.tag in (f"{TEXT}p", f"{TEXT}list"):
                inner._child(child, "")
        start = self.line.length
        self.line.span("comment", start, identity)
        text, spans = frames.text_with_spans(inner.blocks)
        self.after.append(
            Note(
                kind="comment", id=identity, text=text, spans=spans, page=self.page,
                author=node.findtext(f"{DC}creator") or "", date=node.findtext(f"{DC}date") or "",
                parent=node.get(f"{LOEXT}parent-name") or "", resolved=node.get(f"{LOEXT}resolved") == "true",
            )
        )  # fmt: skip

    def change(self, node: XmlElement) -> None:
        """Tracked changes (ODF §5.5): inserted stretches lie between marks, deleted text is kept elsewhere."""
        key = node.get(f"{TEXT}change-id") or ""
        change = self.changes.get(key)
        if change is None:
            return
        line = self.line
        if node.tag == f"{TEXT}change":
            start = line.length
            line.add_exact(change.text)
            line.span("del", start, change.author, change.date)
        elif node.tag == f"{TEXT}change-start":
            self._open_changes[key] = (line.length, line.generation)
        elif key in self._open_changes and change.kind == "insertion":
            start, generation = self._open_changes.pop(key)
            kind: SpanKind = "ins"
            line.span(kind, start, change.author, change.date, generation=generation)


def _is_hidden_text(node: XmlElement) -> bool:
    """Whether a field is a text that its condition hides (`text:hidden-text`)."""
    return node.tag == f"{TEXT}hidden-text" and node.get(f"{TEXT}is-hidden") == "true"


def _is_hidden(paragraph: XmlElement) -> bool:
    """Whether a field hides the paragraph it stands in (ODF §7.7.8)."""
    return any(field.get(f"{TEXT}is-hidden") == "true" for field in paragraph.iter(f"{TEXT}hidden-paragraph"))


_ASIDE: Mapping[str, Callable[[ContentReader, XmlElement], None]] = {
    f"{TEXT}note": ContentReader.note,
    f"{OFFICE}annotation": ContentReader.comment,
    f"{TEXT}change-start": ContentReader.change,
    f"{TEXT}change-end": ContentReader.change,
    f"{TEXT}change": ContentReader.change,
}
"""What stands in a line and is not part of its text."""
