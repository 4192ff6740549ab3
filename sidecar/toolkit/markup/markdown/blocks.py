"""Block tokens of one Markdown text to our blocks, footnotes moved to where they are referred to.

Not responsible for front matter, chapters or the syntax itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sidecar.api.model import (
    AnyBlock,
    Cell,
    Code,
    Equation,
    Figure,
    Heading,
    ListItem,
    Note,
    Paragraph,
    Span,
    Table,
)
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.markup.markdown.quick import quick_inline
from sidecar.toolkit.markup.markdown.runs import Runs
from sidecar.toolkit.markup.markdown.segments import Fence, Grid, Head, Items, Rest, Segment, Text, split_segments
from sidecar.toolkit.markup.pictures import Pictures

__all__ = ["read_markdown"]

_SPECIAL = re.compile(r"[\\`*_~!\[<&$\n]")
"""Without one of these an inline text is plain."""
_TASK = re.compile(r"\[([ xX])\][ \t]+")
_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:#([\w:.-]+))?[^{}]*\}[ \t]*$")
_DIRECTIVES = frozenset(
    [
        "note",
        "warning",
        "tip",
        "important",
        "caution",
        "danger",
        "admonition",
        "seealso",
        "hint",
        "attention",
        "error",
        "versionadded",
        "versionchanged",
        "deprecated",
        "dropdown",
        "card",
        "tab-item",
        "grid-item-card",
        "topic",
        "sidebar",
        "margin",
        "abstract",
        "info",
        "success",
        "question",
        "failure",
        "bug",
        "example",
        "quote",
    ]
)
_DEEPEST = 20


def read_markdown(parser: MarkdownIt, text: str, pictures: Pictures, *, quick: bool = True) -> list[AnyBlock]:
    """The blocks of a Markdown text, in order; notes stand right after the block that first refers to them.

    Without `quick` everything goes through the full parser; the result is the same.
    """
    walk = _Walk(parser, pictures, {}, quick=quick)
    walk.text(text, 0)
    return _notes_placed(walk.blocks)


class _Walk:
    def __init__(self, parser: MarkdownIt, pictures: Pictures, slugs: dict[str, int], *, quick: bool) -> None:
        self._quick = quick
        self.blocks: list[AnyBlock] = []
        self._parser = parser
        self._pictures = pictures
        self._slugs = slugs
        self._env: dict[str, object] = {}
        self._depth = 0
        self._quotes = 0
        self._lists: list[tuple[bool, int]] = []  # ordered, next number
        self._marker: str | None = None  # "" after an item's first block, None outside items

    def text(self, text: str, depth: int) -> None:
        if depth > _DEEPEST:
            self.blocks.append(Paragraph(text=" ".join(text.split())))
            return
        kept, self._depth = self._depth, depth
        segments = split_segments(text) if self._quick else None
        if segments is None:
            self._tokens(self._parser.parse(text, self._env))
        else:
            # Definitions of links and notes may stand behind what uses them: all blocks first, then what is in them.
            parsed = [self._parser.parse(one.content, self._env) if isinstance(one, Rest) else one for one in segments]
            for one in parsed:
                self._segment(one)
        self._depth = kept

    def _segment(self, segment: Segment | list[Token]) -> None:
        if isinstance(segment, list):
            self._tokens(segment)
        elif isinstance(segment, Text):
            self._paragraph(segment.content)
        elif isinstance(segment, Head):
            self._heading(segment.content, segment.level)
        elif isinstance(segment, Items):
            self._items(segment)
        elif isinstance(segment, Fence):
            self._code(segment.info, segment.body)
        elif isinstance(segment, Grid):
            self._grid(segment.rows, 1)

    def _items(self, found: Items) -> None:
        base = len(self._lists)
        for level, marker, content in found.items:
            self._lists = [*self._lists[:base], *[(marker != "•", 0)] * (level + 1)]
            self._marker = marker
            self._paragraph(content)
        del self._lists[base:]
        self._marker = "" if self._lists else None

    def _tokens(self, tokens: Sequence[Token]) -> None:
        at = 0
        count = len(tokens)
        while at < count:
            token = tokens[at]
            kind = token.type
            if kind == "paragraph_open":
                self._paragraph(tokens[at + 1].content)
                at += 2
            elif kind == "heading_open":
                self._heading(tokens[at + 1].content, int(token.tag[1:]))
                at += 2
            elif kind in ("fence", "code_block"):
                self._code(token.info.strip(), token.content)
            elif kind in ("bullet_list_open", "ordered_list_open"):
                self._lists.append((kind == "ordered_list_open", int(token.attrs.get("start", 1))))
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self._lists.pop()
                self._marker = "" if self._lists else None
            elif kind == "list_item_open":
                ordered, number = self._lists[-1]
                self._marker = f"{number}{token.markup or '.'}" if ordered else "•"
                self._lists[-1] = (ordered, number + 1)
            elif kind == "blockquote_open":
                self._quotes += 1
            elif kind == "blockquote_close":
                self._quotes -= 1
            elif kind == "table_open":
                at = self._table(tokens, at)
            elif kind == "html_block":
                self._html(token.content)
            elif kind == "math_block":
                self.blocks.append(Equation(text=token.content, latex=token.content, label=token.info))
            elif kind == "footnote_def":
                self._footnote(token)
            elif kind in ("admonition", "container"):
                if token.info:
                    title = token.info.capitalize() if token.info.islower() else token.info
                    self._plain(title, (Span("bold", 0, len(title)),))
                if token.content.strip():
                    self.text(token.content, self._depth + 1)
            at += 1

    def _inline(self, content: str) -> tuple[str, tuple[Span, ...], list[Figure], str]:
        if _SPECIAL.search(content) is None:
            return content.strip(), (), [], ""
        if self._quick:
            found = quick_inline(content, references=bool(self._env))
            if found is not None:
                return found[0], found[1], [], ""
        runs = Runs(self._pictures)
        children: list[Token] = []
        self._parser.inline.parse(content, self._parser, self._env, children)
        runs.add(children)
        text, spans = runs.line.take()
        return text, spans, runs.figures, runs.anchor

    def _paragraph(self, content: str) -> None:
        if self._marker and self._marker == "•":
            task = _TASK.match(content)
            if task:
                self._marker = "☐" if task[1] == " " else "☑"
                content = content[task.end() :]
        text, spans, figures, anchor = self._inline(content)
        if text:
            self._plain(text, spans, anchor)
        self.blocks += figures

    def _plain(self, text: str, spans: tuple[Span, ...], anchor: str = "") -> None:
        if self._marker is not None and self._lists:
            ordered = self._lists[-1][0]
            self.blocks.append(
                ListItem(
                    text=text,
                    spans=spans,
                    level=len(self._lists) - 1,
                    marker=self._marker,
                    ordered=ordered,
                    anchor=anchor,
                )
            )
            self._marker = ""
        else:
            self.blocks.append(Paragraph(text=text, spans=spans, style="quote" if self._quotes else "", anchor=anchor))

    def _heading(self, content: str, level: int) -> None:
        own = ""
        attributes = _ATTRIBUTES.search(content) if content.endswith("}") else None
        if attributes:
            own, content = attributes[1] or "", content[: attributes.start()]
        text, spans, figures, anchor = self._inline(content)
        if text:
            text = text.replace("\n", " ")
            self.blocks.append(Heading(text=text, spans=spans, level=level, anchor=own or anchor or self._slug(text)))
        self.blocks += figures

    def _slug(self, text: str) -> str:
        """The anchor GitHub gives a heading: letters, digits, `-` and `_` in lower case, blanks as `-`, made unique."""
        kept = (
            "-" if character == " " else character
            for character in text.lower()
            if character in " -_" or unicodedata.category(character)[0] in "LNM"
        )
        slug = "".join(kept)
        seen = self._slugs.get(slug, 0)
        self._slugs[slug] = seen + 1
        return f"{slug}-{seen}" if seen else slug

    def _code(self, info: str, content: str) -> None:
        body = content.rstrip("\n")
        name = ""
        if info.startswith("{") and "}" in info:  # MyST and Quarto: {note} Title, {python}, {.python .numberLines}
            name, _, rest = info[1:].partition("}")
            name, rest = name.split()[0].lstrip(".:=") if name.split() else "", rest.strip()
            if name in _DIRECTIVES:
                title = rest or name.capitalize()
                self._plain(title, (Span("bold", 0, len(title)),))
                self.text(re.sub(r"\A(?::[\w-]+:.*\n?)+", "", body), self._depth + 1)
                return
            if name in ("figure", "image"):
                self.blocks.append(Figure(embed=self._pictures.add(rest), source=rest, caption=_without_options(body)))
                return
            if name in ("code-block", "code", "sourcecode", "code-cell"):
                name, body = rest, _without_options(body)
        language = name or (info.split(maxsplit=1)[0].partition("{")[0].lstrip(".") if info else "")
        if language == "math":
            self.blocks.append(Equation(text=body, latex=body))
        elif body.strip():
            self.blocks.append(Code(text=body, language=language))
        if self._marker:
            self._marker = ""

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[str]] = []
        head = 0
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token.content)
            elif token.type == "thead_close":
                head = len(rows)
            at += 1
        self._grid(rows, head)
        return at

    def _grid(self, contents: list[list[str]], head: int) -> None:
        """A table from the inline source of its cells."""
        rows: list[list[str]] = []
        cells: list[Cell] = []
        figures: list[Figure] = []
        for row, line in enumerate(contents):
            rows.append([])
            for col, content in enumerate(line):
                text, spans, met, _ = self._inline(content)
                if len(spans) == 1 and spans[0].kind == "link" and spans[0].end - spans[0].start == len(text):
                    cells.append(Cell(row, col, link=spans[0].value))
                elif spans:
                    cells.append(Cell(row, col, spans=spans))
                rows[-1].append(text)
                figures += met
        if any(any(row) for row in rows):
            tables: list[Table] = table_windows(rows, header_rows=head, cells=cells)
            self.blocks += tables
        self.blocks += figures

    def _html(self, content: str) -> None:
        bare = re.sub(r"<!--.*?(?:-->|\Z)", "", content, flags=re.DOTALL)
        if not re.sub(r"<[^>]*>", "", bare).strip() and "<img" not in bare.lower():
            return
        from sidecar.api.errors import DamagedError
        from sidecar.toolkit.markup.html import parse_html, read_html

        try:
            root = parse_html(bare, "HTML in Markdown")
        except DamagedError:
            self._plain(" ".join(bare.split()), ())
            return
        self.blocks += read_html(root, self._pictures).blocks

    def _footnote(self, token: Token) -> None:
        inner = _Walk(self._parser, self._pictures, self._slugs, quick=self._quick)
        inner._env = self._env
        inner.text(token.content, self._depth + 1)
        texts: list[str] = []
        spans: list[Span] = []
        at = 0
        for block in inner.blocks:
            if isinstance(block, (Paragraph, ListItem, Code, Heading, Equation)):
                if isinstance(block, (Paragraph, ListItem)):
                    spans += [Span(s.kind, s.start + at, s.end + at, s.value, s.date) for s in block.spans]
                texts.append(block.text)
                at += len(block.text) + 1
        self.blocks.append(Note(kind="footnote", id=token.info, text="\n".join(texts), spans=tuple(spans)))


def _without_options(body: str) -> str:
    """A MyST directive's body without its `:name: value` lines."""
    return re.sub(r"\A(?::[\w-]+:.*(?:\n|\Z))+\n?", "", body).strip()


def _notes_placed(blocks: list[AnyBlock]) -> list[AnyBlock]:
    notes = {block.id: block for block in blocks if isinstance(block, Note)}
    if not notes:
        return blocks
    placed: list[AnyBlock] = []
    given: set[str] = set()
    for block in blocks:
        if isinstance(block, Note):
            continue
        placed.append(block)
        spans = getattr(block, "spans", ())
        if isinstance(block, Table):
            spans = [span for cell in block.cells for span in cell.spans]
        for span in spans:
            if span.kind == "note" and span.value in notes and span.value not in given:
                given.add(span.value)
                placed.append(notes[span.value])
    placed += [note for key, note in notes.items() if key not in given]
    return placed
