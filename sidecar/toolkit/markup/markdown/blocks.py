"""Block tokens of one Markdown text to our blocks, footnotes moved to where they are referred to.

Not responsible for front matter, chapters or the syntax itself."""

import re
import unicodedata
from collections.abc import Callable, Mapping, MutableMapping, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from sidecar.api.model import AnyBlock, Cell, Code, Equation, Figure, Heading, ListItem, Note, Paragraph, Span
from sidecar.toolkit.hidden import find_hidden, latex_hides, tag_hides
from sidecar.toolkit.markup.grid import table_windows
from sidecar.toolkit.markup.markdown.runs import InlineReader
from sidecar.toolkit.markup.markdown.syntax import MAX_NESTING, inline_parser
from sidecar.toolkit.markup.notes import notes_placed
from sidecar.toolkit.markup.pictures import Pictures
from sidecar.toolkit.visible import joined

_NO_SLUG = re.compile(r"[^a-z0-9_ -]+")
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_STYLE = re.compile(r"(?<!`)<style\b[^>]*>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)
TASK = re.compile(r"\[([ xX])\][ \t]+")
"""The box that opens an item of a task list (GFM 5.3)."""
ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:#([\w:.-]+))?[^{}]*\}[ \t]*$")
"""What an attribute list behind a heading says (`{#name .class}`, `{: #name}`): its name."""
_CALLOUT = re.compile(r"\[!(\w{1,40})\][+-]?[ \t]*([^\n]*+)\n?")
"""The first line of a quotation that GitHub and Obsidian show as a note."""
_DEFINITION = re.compile(r"(?:\n|\A):[ \t]+")
_OPTIONS = re.compile(r"\A(?::[\w-]+:.*(?:\n|\Z))+\n?")
"""The `:name: value` lines at the head of a MyST directive."""
_BLOCK_TAG = re.compile(r"<(/?)(div|section|article|aside|details|p|center|blockquote)\b([^<>]*)>", re.IGNORECASE)
_DIRECTIVES = frozenset([
    "note", "warning", "tip", "important", "caution", "danger", "admonition", "seealso", "hint", "attention", "error",
    "versionadded", "versionchanged", "deprecated", "dropdown", "card", "tab-item", "grid-item-card", "topic",
    "sidebar", "margin", "abstract", "info", "success", "question", "failure", "bug", "example", "quote",
])  # fmt: skip
"""MyST directives (and Quarto's callouts) whose body is Markdown under a title."""
_LISTINGS = frozenset(["code-block", "code", "sourcecode", "code-cell"])
_EMPTIED_LEVEL = MAX_NESTING - 2
_MARKERS = re.compile(r"^[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)])[ \t]*)*")
"""What quotations and list items begin with."""
_MAX_DEPTH = 20
"""Levels of texts inside texts (admonitions, directives, notes); what lies deeper is one paragraph."""


def read_markdown(parser: MarkdownIt, text: str, pictures: Pictures, sheets: Sequence[str] = ()) -> list[AnyBlock]:
    """The blocks of a Markdown text, in order; notes stand right after the block that first refers to them. `sheets`
    are style sheets that stand elsewhere."""
    builder = _Builder(parser, pictures, {}, {}, (*sheets, *style_sheets(text)))
    builder.text(text, 0)
    builder.flag_hidden()
    return notes_placed(builder.blocks)


def style_sheets(text: str) -> list[str]:
    """The style sheets that stand in a Markdown text."""
    return _STYLE.findall(_FENCED.sub("", text)) if "<style" in text or "<STYLE" in text else []


class _Builder:
    """Blocks so far, and where among lists and quotations the tokens are.

    What reads a construct (see `_READERS`) is given the index of its first token and answers with that of its last."""

    def __init__(
        self,
        parser: MarkdownIt,
        pictures: Pictures,
        slugs: dict[str, int],
        env: MutableMapping[str, object],
        sheets: Sequence[str],
    ) -> None:
        self.blocks: list[AnyBlock] = []
        self._parser = parser
        self._pictures = pictures
        self._slugs = slugs
        self._sheets = sheets
        self._env = env
        self._depth = 0
        self._quotes = 0
        self._hiding: tuple[str, int, int] | None = None  # the tag that hides, how deep it nests, the first block
        self._lists: list[tuple[bool, int]] = []  # ordered, next number
        self._marker: str | None = None  # "" after an item's first block, None outside items

    def text(self, text: str, depth: int) -> None:
        """Add the blocks of a text that stands `depth` texts inside another."""
        if depth > _MAX_DEPTH:
            self.blocks.append(Paragraph(text=" ".join(text.split())))
            return
        kept, self._depth = self._depth, depth
        tokens = self._parser.parse(text, self._env)
        at = 0
        while at < len(tokens):
            if tokens[at].level >= _EMPTIED_LEVEL:
                self._too_deep(text, tokens, at)
            read = _READERS.get(tokens[at].type)
            at = (read(self, tokens, at) if read else at) + 1
        self._depth = kept

    def _too_deep(self, text: str, tokens: Sequence[Token], at: int) -> None:
        """A quotation or list item whose inside the parser left out is one paragraph of its words."""
        token = tokens[at]
        if token.nesting == 1 and token.map and at + 1 < len(tokens) and tokens[at + 1].nesting == -1:
            lines = text.split("\n")[slice(*token.map)]
            words = " ".join(word for line in lines for word in _MARKERS.sub("", line).split())
            if words:
                self.blocks.append(Paragraph(text=words))

    def paragraph(self, tokens: Sequence[Token], at: int) -> int:
        content = tokens[at + 1].content
        if self._marker == "•":
            task = TASK.match(content)
            if task:
                self._marker = "☐" if task[1] == " " else "☑"
                content = content[task.end() :]
        if self._quotes and (callout := _CALLOUT.match(content)):
            self._title(": ".join(filter(None, (callout[1].capitalize(), callout[2].strip()))))
            content = content[callout.end() :].lstrip()
        elif self._marker is None and (content[:1] == ":" or "\n:" in content) and self._defined(content):
            return at + 2
        text, spans, figures, anchor = self._inline(content)
        if text:
            self._plain(text, spans, anchor)
        self.blocks += figures
        return at + 2

    def _defined(self, content: str) -> bool:
        """Add terms and what explains them behind colons (PHP Markdown Extra); False where it is none of them."""
        first, *definitions = _DEFINITION.split(content)
        terms = first.split("\n") if first else []
        if not definitions or not all(map(str.strip, definitions)):
            return False
        if not terms:  # a gap parts the term from it
            above = self.blocks[-1] if self.blocks else None
            if isinstance(above, Paragraph) and not above.style and "\n" not in above.text:
                self.blocks[-1] = ListItem(text=above.text, spans=_bold(above.text, above.spans))
            elif not (isinstance(above, ListItem) and above.level == 1 and not self._lists):
                return False
        for term in terms:
            text, spans, _, _ = self._inline(term)
            self.blocks.append(ListItem(text=text, spans=_bold(text, spans)))
        for definition in definitions:
            text, spans, figures, _ = self._inline(definition)
            self.blocks += [ListItem(text=text, spans=spans, level=1)] if text else []
            self.blocks += figures
        return True

    def heading(self, tokens: Sequence[Token], at: int) -> int:
        own, content = "", tokens[at + 1].content
        attributes = ATTRIBUTES.search(content) if content.endswith("}") else None
        if attributes:
            own, content = attributes[1] or "", content[: attributes.start()]
        text, spans, figures, anchor = self._inline(content)
        if text:
            text = text.replace("\n", " ")
            level = int(tokens[at].tag[1:])
            self.blocks.append(Heading(text=text, spans=spans, level=level, anchor=own or anchor or self._slug(text)))
        self.blocks += figures
        return at + 2

    def list_open(self, tokens: Sequence[Token], at: int) -> int:
        token = tokens[at]
        self._lists.append((token.type == "ordered_list_open", int(token.attrs.get("start", 1))))
        return at

    def list_close(self, tokens: Sequence[Token], at: int) -> int:
        self._lists.pop()
        self._marker = "" if self._lists else None
        return at

    def item(self, tokens: Sequence[Token], at: int) -> int:
        ordered, number = self._lists[-1]
        self._marker = f"{number}{tokens[at].markup or '.'}" if ordered else "•"
        self._lists[-1] = (ordered, number + 1)
        return at

    def quote(self, tokens: Sequence[Token], at: int) -> int:
        self._quotes += tokens[at].nesting
        return at

    def math(self, tokens: Sequence[Token], at: int) -> int:
        latex = tokens[at].content.strip()
        if not latex:
            return at
        self.blocks.append(Equation(text=latex, latex=latex, label=tokens[at].info, hidden=latex_hides(latex)))
        return at

    def admonition(self, tokens: Sequence[Token], at: int) -> int:
        """An admonition, a tab or the opening line of a container: its title, then its body."""
        token = tokens[at]
        if token.info:
            self._title(token.info.capitalize() if token.info.islower() else token.info)
        if token.content.strip():
            self.text(token.content, self._depth + 1)
        return at

    def code(self, tokens: Sequence[Token], at: int) -> int:
        info = tokens[at].info.strip()
        body = tokens[at].content.rstrip("\n")
        name = ""
        if info.startswith("{") and "}" in info:  # MyST and Quarto: {note} Title, {python}, {.python .numberLines}
            name, _, rest = info[1:].partition("}")
            name, rest = name.split()[0].lstrip(".:=") if name.split() else "", rest.strip()
            if self._directive(name, rest, body):
                return at
            if name in _LISTINGS:
                name, body = rest, _without_options(body)
        language = name or (info.split(maxsplit=1)[0].partition("{")[0].lstrip(".") if info else "")
        if language == "math":
            self.blocks.append(Equation(text=body, latex=body, hidden=latex_hides(body)))
        elif body.strip():
            self.blocks.append(Code(text=body, language=language))
        if self._marker:
            self._marker = ""
        return at

    def table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[str]] = []
        cells: list[Cell] = []
        figures: list[Figure] = []
        head = 0
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                text, spans, met, _ = self._inline(token.content)
                row, col = len(rows) - 1, len(rows[-1])
                if len(spans) == 1 and spans[0].kind == "link" and spans[0].end - spans[0].start == len(text):
                    cells.append(Cell(row, col, link=spans[0].value))
                elif spans:
                    cells.append(Cell(row, col, spans=spans))
                rows[-1].append(text)
                figures += met
            elif token.type == "thead_close":
                head = len(rows)
            at += 1
        if any(any(row) for row in rows):
            self.blocks += table_windows(rows, header_rows=head, cells=cells)
        self.blocks += figures
        return at

    def html(self, tokens: Sequence[Token], at: int) -> int:
        self._add_html(tokens[at].content)
        self._hide(tokens[at].content)
        return at

    def _add_html(self, content: str) -> None:
        bare = re.sub(r"<!--.*?(?:-->|\Z)", "", content, flags=re.DOTALL)
        if not re.sub(r"<[^<>]*>", "", bare).strip() and "<img" not in bare.lower():
            return
        from sidecar.api.errors import DamagedError
        from sidecar.toolkit.markup.html import parse_html, read_html

        try:
            root = parse_html(bare, "HTML in Markdown", self._sheets)
        except DamagedError:
            self._plain(" ".join(bare.split()), ())
            return
        self.blocks += read_html(root, self._pictures, hidden=find_hidden(root))

    def _tag_hides(self, tag: str) -> bool:
        """Whether a tag hides what is in it: by what it says, or by the text's own style sheets."""
        if tag_hides(tag):
            return True
        if not self._sheets or " " not in tag:
            return False
        from sidecar.toolkit.markup.html import parse_html

        return parse_html(f"{tag}x", "a tag", self._sheets).find(".//*[@hidden]") is not None

    def _hide(self, content: str) -> None:
        """Flag what stands between a tag that hides and its end: between two HTML blocks there is Markdown."""
        for closing, name, attributes in _BLOCK_TAG.findall(content):
            tag = name.lower()
            if self._hiding is None:
                if not closing and self._tag_hides(f"<{tag} {attributes}>"):
                    self._hiding = tag, 1, len(self.blocks)
            elif tag == self._hiding[0]:
                depth = self._hiding[1] + (-1 if closing else 1)
                self._hiding = tag, depth, self._hiding[2]
                if not depth:
                    self.flag_hidden()

    def flag_hidden(self) -> None:
        """Flag the blocks since the tag that hides; also where its end never comes."""
        if self._hiding is not None:
            start = self._hiding[2]
            self.blocks[start:] = [replace(block, hidden=True) for block in self.blocks[start:]]
            self._hiding = None

    def note(self, tokens: Sequence[Token], at: int) -> int:
        inner = _Builder(self._parser, self._pictures, self._slugs, self._env, self._sheets)
        inner.text(tokens[at].content, self._depth + 1)
        text, spans = joined(
            (block.text, block.spans if isinstance(block, (Paragraph, ListItem)) else ())
            for block in inner.blocks
            if isinstance(block, (Paragraph, ListItem, Code, Heading, Equation))
        )
        self.blocks.append(Note(kind="footnote", id=tokens[at].info, text=text, spans=spans))
        return at

    def _inline(self, content: str) -> tuple[str, tuple[Span, ...], list[Figure], str]:
        """Text, spans, pictures and the last anchor of an inline text."""
        runs = InlineReader(self._pictures, self._tag_hides)
        children: list[Token] = []
        parser = inline_parser()
        parser.inline.parse(content, parser, self._env, children)
        runs.add(children)
        text, spans = runs.line.finish_line()
        return text, spans, runs.figures, runs.anchor

    def _title(self, title: str) -> None:
        self._plain(title, (Span("bold", 0, len(title)),))

    def _plain(self, text: str, spans: tuple[Span, ...], anchor: str = "") -> None:
        """A paragraph, or the item it stands in; only an item's first block carries its marker."""
        if self._marker is None or not self._lists:
            self.blocks.append(Paragraph(text=text, spans=spans, style="quote" if self._quotes else "", anchor=anchor))
            return
        level = len(self._lists) - 1
        ordered = self._lists[-1][0]
        self.blocks.append(
            ListItem(text=text, spans=spans, level=level, marker=self._marker, ordered=ordered, anchor=anchor)
        )
        self._marker = ""

    def _slug(self, text: str) -> str:
        """The anchor GitHub gives a heading: letters, digits, `-` and `_` in lower case, blanks as `-`, made unique."""
        kept = (
            character for character in text.lower() if character in " -_" or unicodedata.category(character)[0] in "LNM"
        )
        slug = (_NO_SLUG.sub("", text.lower()) if text.isascii() else "".join(kept)).replace(" ", "-")
        seen = self._slugs.get(slug, 0)
        self._slugs[slug] = seen + 1
        return f"{slug}-{seen}" if seen else slug

    def _directive(self, name: str, argument: str, body: str) -> bool:
        """A MyST directive that shows something else than code; False where it is none."""
        if name in _DIRECTIVES:
            self._title(argument or name.capitalize())
            self.text(_OPTIONS.sub("", body), self._depth + 1)
        elif name in ("figure", "image"):
            embed = self._pictures.add(argument)
            self.blocks.append(Figure(embed=embed, source=argument, caption=_without_options(body)))
        else:
            return False
        return True


_READERS: Mapping[str, Callable[[_Builder, Sequence[Token], int], int]] = {
    "paragraph_open": _Builder.paragraph, "heading_open": _Builder.heading, "fence": _Builder.code,
    "code_block": _Builder.code, "bullet_list_open": _Builder.list_open, "ordered_list_open": _Builder.list_open,
    "bullet_list_close": _Builder.list_close, "ordered_list_close": _Builder.list_close,
    "list_item_open": _Builder.item, "blockquote_open": _Builder.quote, "blockquote_close": _Builder.quote,
    "table_open": _Builder.table, "html_block": _Builder.html, "math_block": _Builder.math,
    "math_block_label": _Builder.math, "footnote_def": _Builder.note, "admonition": _Builder.admonition,
    "container": _Builder.admonition,
}  # fmt: skip
"""What reads a construct, by the type of its first token; it answers with the index of the last."""


def _bold(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of a term that is explained."""
    return (Span("bold", 0, len(text)), *(span for span in spans if span.kind != "bold"))


def _without_options(body: str) -> str:
    """A MyST directive's body without its `:name: value` lines."""
    return _OPTIONS.sub("", body).strip()
