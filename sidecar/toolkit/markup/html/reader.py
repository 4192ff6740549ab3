"""The state of reading an HTML tree: the line being filled, the blocks so far, lists, quotes and hidden elements.

Not responsible for what a tag means: that is a table of handlers (`tags`, `objects`); a tag without one is transparent.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sidecar.api.model import AnyBlock, Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Span, SpanKind
from sidecar.toolkit.markup.inline import Inline
from sidecar.toolkit.markup.notes import PageNote, PageNotes
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.visible import joined
from sidecar.toolkit.xml import XmlElement, words_of

MAX_DEPTH = 150
"""Nested elements read one by one; below, their text is taken as it is. One costs up to four of Python's frames."""

_INLINE = frozenset(
    ("a", "b", "strong", "i", "em", "cite", "dfn", "var", "u", "s", "strike", "del", "ins", "code", "kbd", "samp", "tt",
     "sub", "sup", "q", "rt")
)  # fmt: skip


class HtmlReader:
    """The blocks so far, and where in lists, quotations and hidden elements the text is.

    Handlers append to `blocks`, fill `line`, call `children` for what is inside an element and `flush` at the edges of
    one that stands on lines of its own.

    `silent` holds the handlers that show nothing, so that a hidden script is not reported as hidden text."""

    def __init__(
        self,
        handlers: "Mapping[str, Handler]",
        silent: "frozenset[Handler]",
        pictures: Pictures,
        notes: PageNotes | None = None,
    ) -> None:
        self._handlers = handlers
        self._silent = silent
        self.blocks: list[AnyBlock] = []
        self.line = Inline()
        self.pictures = pictures
        self.notes = notes or PageNotes()
        self.left_out = frozenset(self.notes.notes)
        self.special = self.left_out
        self._figures: list[Figure] = []
        self.depth = 0
        self.hidden = False
        self.values_only = False
        """Whether this is a cell of a table with heads, whose choices are values."""
        self.style = ""
        self.list_level = -1
        self.in_item = False
        self.marker = ""
        self.ordered = False
        self.anchor = ""

    def inner(self) -> "HtmlReader":
        """A reader of something set apart (a table cell) that shares what this one knows."""
        reader = HtmlReader(self._handlers, self._silent, self.pictures)
        reader.left_out, reader.special, reader.notes = self.left_out, self.special, self.notes
        reader.depth, reader.values_only = self.depth + 1, self.values_only
        return reader

    def children(self, node: XmlElement) -> None:
        """Read the text and elements inside `node`."""
        add = self.line.add
        if node.text:
            add(node.text)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            for text in list(node.itertext())[1 if node.text else 0 :]:
                add(text)
            self.depth -= 1
            return
        special = self.special
        handlers = self._handlers
        for child in node:
            if special and child in special:
                self.special_child(child)
            else:
                handler = handlers.get(child.tag)
                if handler is None:
                    self.children(child)
                else:
                    handler(self, child)
            tail = child.tail
            if tail:
                add(tail)
        self.depth -= 1

    def flush(self) -> None:
        """End the line: a paragraph, or a list item inside a list, then the pictures met in it."""
        if self.line.length:
            text, spans = self.line.finish_line()
            if text:
                block: AnyBlock
                if self.in_item:
                    block = ListItem(
                        text=text, spans=spans, level=max(self.list_level, 0), marker=self.marker, ordered=self.ordered,
                        anchor=self.anchor, hidden=self.hidden,
                    )  # fmt: skip
                    self.marker = ""
                else:
                    block = Paragraph(text=text, spans=spans, style=self.style, anchor=self.anchor, hidden=self.hidden)
                self.anchor = ""
                self.blocks.append(block)
        if self._figures:
            self.blocks += self._figures
            self._figures.clear()

    def figure(self, figure: Figure) -> None:
        """Keep a picture until the line it stands in is done."""
        self._figures.append(figure)

    def block(self, node: XmlElement) -> None:
        """An element on lines of its own."""
        self.flush()
        self.children(node)
        self.flush()

    def leave_out(self, nodes: frozenset[XmlElement]) -> None:
        """Skip these elements from here on: their content was taken already."""
        self.left_out |= nodes
        self.special |= nodes

    def element(self, node: XmlElement) -> None:
        """Handle one element by its tag."""
        handler = self._handlers.get(node.tag)
        if handler is None:
            self.children(node)
        else:
            handler(self, node)

    def special_child(self, node: XmlElement) -> None:
        """An element of `special`: left out, or read with everything in it flagged as hidden."""
        if node in self.left_out:
            return
        handler = self._handlers.get(node.tag)
        if self.hidden or "mwe-math" in (node.get("class") or ""):
            # MediaWiki hides the MathML it shows as a picture; the formula itself is seen.
            self.element(node)
        elif all(self._handlers.get(one.tag) is None or one.tag in _INLINE for one in node.iter()):
            start, generation = self.line.length, self.line.generation
            self.element(node)
            self.line.span("hidden", start, generation=generation)
        elif handler not in self._silent:
            self.flush()
            self.hidden = True
            self.element(node)
            self.flush()
            self.hidden = False

    def note_blocks(self, node: XmlElement, note: PageNote) -> list[AnyBlock]:
        """A footnote's words as one block; what else is in it (tables, pictures) stands behind."""
        inner = self.inner()
        inner.children(node)
        inner.flush()
        lines: list[tuple[str, tuple[Span, ...]]] = []
        others: list[AnyBlock] = []
        for block in inner.blocks:
            if isinstance(block, (Paragraph, ListItem, Heading)):
                unseen = (Span("hidden", 0, len(block.text)),) if block.hidden else ()
                lines.append((block.text, (*block.spans, *unseen)))
            elif isinstance(block, (Code, Equation)):
                lines.append((block.text, ()))
            else:
                others.append(block)
        text, spans = joined(lines)
        return [Note(kind=note.kind, id=note.id, text=text or words_of(node), spans=spans, hidden=note.hidden), *others]

    def marked(self, kind: SpanKind, node: XmlElement, value: str = "", date: str = "") -> None:
        """The content of an inline element under a span."""
        start, generation = self.line.length, self.line.generation
        self.children(node)
        self.line.span(kind, start, value, date, generation=generation)

    def formula(self, text: str, latex: str, *, display: bool) -> None:
        """A formula: a block of its own, or a stretch of the line."""
        if not text:
            return
        if display:
            self.flush()
            self.blocks.append(Equation(text=text, latex=latex, hidden=self.hidden))
            return
        start = self.line.length
        self.line.add_exact(text)
        self.line.span("math", start, latex)


Handler: TypeAlias = Callable[[HtmlReader, XmlElement], None]
