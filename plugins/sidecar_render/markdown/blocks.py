"""The blocks of Markdown as nodes for the plate: one walk over what the parser found, with all that a block needs from
those before it (anchors, notes, the room that is left). Not responsible for inline text, HTML, or the look."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sidecar.toolkit.markup.markdown.blocks import ATTRIBUTES, TASK
from sidecar_render.markdown.callouts import ALERT, callout_node, is_callout, title_of, tone_of
from sidecar_render.markdown.code import language_name, listing
from sidecar_render.markdown.html import centring, html_nodes
from sidecar_render.markdown.images import Asset, figures_of, image_node, missing_node
from sidecar_render.markdown.inlines import Inlines, Node, plain_text
from sidecar_render.markdown.pagination import closing, is_block, mark_keep_with_next
from sidecar_render.markdown.parser import rendering_parser
from sidecar_render.markdown.table_layout import PORTRAIT
from sidecar_render.markdown.tables import TableCells, table_nodes
from sidecar_render.markdown.text import breakable, slug
from sidecar_render.model import Diagnostic

_PLAIN = re.compile(r"[^\\`*_~!\[\]<>&$^{\n]*")
_BREAK = re.compile(r"\\(?:newpage|pagebreak)\s*|<!--\s*page-?break\s*-->\s*", re.IGNORECASE)
_OPTIONS = re.compile(r"\A(?:[ \t]*:[\w-]+:.*\n?)+")
"""What a MyST directive says of itself at its head."""
_MYST = re.compile(r"^(?:`{3,}|:{3,})\{[\w:-]+\}|^\([\w.:-]+\)=[ \t]*$", re.MULTILINE)
_UNSEEN = re.compile(r"^(?:\([\w.:-]+\)=[ \t]*|%.*)(?:\n|\Z)", re.MULTILINE)
_ICONS = re.compile(r":(?:material|fontawesome|octicons|simple)-[\w-]+:(?:\{[^{}\n]*\})?[ \t]*")
"""Icons that MkDocs Material puts in by their names."""
_TAG = re.compile(r"\\tag(\*?)\{([^{}\\$]{1,20})\}")
_MAX_DEPTH = 12


@dataclass
class Body:
    """The blocks of a document, and what was noticed while reading it."""

    blocks: list[Node] = field(default_factory=list[Node])
    anchors: dict[str, bool] = field(default_factory=dict[str, bool])
    title: str = ""
    warnings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    headings: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class MarkdownReader:
    """Reads one document; what it finds is in `body`. `lang` is the language of words we add."""

    def __init__(self, pictures: Callable[[str], Asset | str], *, formulas: bool, lang: str) -> None:
        self.parser: MarkdownIt = rendering_parser()
        self.env: dict[str, Any] = {}
        self.body = Body()
        self._pictures = pictures
        self._inlines = Inlines(self.image, self._note, formulas=formulas)
        self._noted: set[str] = set()
        self._slugs: dict[str, int] = {}
        self._line = 0
        self._room = PORTRAIT
        self._lists = 0
        self._source: list[str] = []
        self._lang = lang
        self._myst = False

    def text(self, markdown: str, offset: int, depth: int) -> list[Node]:
        """The blocks of a whole text that begins after `offset` lines of the document."""
        line, source = self._line, self._source
        self._myst = self._myst or _MYST.search(markdown) is not None
        tokens = self.parser.parse(markdown, self.env)
        self._source = markdown.split("\n")
        nodes = self.blocks(tokens, offset, depth)
        self._line, self._source = line, source
        return nodes

    def blocks(self, tokens: Sequence[Token], offset: int, depth: int) -> list[Node]:
        """The nodes of these tokens; lines count from `offset` in the document, `depth` says how much encloses them."""
        nodes: list[Node] = []
        centred: list[int] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.map is not None:
                self._line = token.map[0] + offset + 1
            end = closing(tokens, at)
            if token.type == "html_block":
                self._html(token.content, nodes, centred)
            else:
                nodes += self._block(token, tokens[at + 1 : end], offset, depth)
            at = end + 1
        self._room += len(centred)
        mark_keep_with_next(nodes)
        return nodes

    def _block(self, token: Token, inside: Sequence[Token], offset: int, depth: int) -> list[Node]:
        """The nodes of one block; `inside` is what stands between its opening and its closing token."""
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                return self._list(token, inside, offset, depth)
            case "blockquote_open":
                return self._quote(inside, offset, depth)
            case "fence" | "code_block":
                return self._code(token, depth)
            case "admonition":
                return self._admonition(token, depth)
            case "definitions":
                return self._definitions(token, depth)
            case _:
                return self._simple(token, inside)

    def _simple(self, token: Token, inside: Sequence[Token]) -> list[Node]:
        """The nodes of a block without blocks in it."""
        match token.type:
            case "paragraph_open":
                return self._paragraph(inside[0].content, hidden=token.hidden)
            case "heading_open":
                return [self._heading(inside[0].content, int(token.tag[1:]))]
            case "table_open":
                return self._table(inside)
            case "math_block" | "math_block_label":
                return [self.equation(token.content.strip(), token.info)]
            case "hr":
                return [{"k": "hr"}]
            case "container" if token.info:
                return [{"k": "p", "c": [{"k": "b", "c": [token.info.capitalize()]}]}]
            case _:
                return []

    def _nested(self, markdown: str, depth: int) -> list[Node]:
        """Blocks of a text that the parser kept whole: a note, a callout."""
        if depth > _MAX_DEPTH:
            return [{"k": "p", "c": [breakable(" ".join(markdown.split()))]}]
        room, self._room = self._room, min(self._room, PORTRAIT - 24)
        nodes = self.text(markdown, self._line, depth + 1)
        self._room = room
        return nodes

    def _inline(self, content: str) -> tuple[list[Node], list[Token]]:
        if ":" in content and "`" not in content:
            content = _ICONS.sub("", content)
        if _PLAIN.fullmatch(content) and "://" not in content:  # most cells of tables: half the time of reading them
            token = Token("text", "", 0, content=content)
            return [breakable(content, self._inlines.longest_word)] if content else [], [token]
        tokens: list[Token] = []
        self.parser.inline.parse(content, self.parser, self.env, tokens)
        nodes = self._inlines.nodes(tokens)
        self._report_formulas()
        return nodes, tokens

    def _report_formulas(self) -> None:
        for tex in self._inlines.unread_formulas:
            shown = tex if len(tex) <= 60 else tex[:59] + "…"
            hint = "common LaTeX mathematics is set; macros of packages are not"
            self._warn(f"the formula {shown!r} is shown as its source", hint)
        self._inlines.unread_formulas.clear()

    def _warn(self, message: str, hint: str = "") -> None:
        self.body.warnings.append(Diagnostic(message, "warning", self._line or None, hint))

    def _paragraph(self, content: str, *, hidden: bool = False) -> list[Node]:
        if _BREAK.fullmatch(content):
            return [{"k": "break"}]
        if self._myst and content[:1] in "(%":  # targets of references, and remarks nobody is meant to read
            content = _UNSEEN.sub("", content)
        nodes, _ = self._inline(content)
        shown = [node for node in nodes if node not in ("", " ")]
        pictures = [node for node in shown if isinstance(node, dict) and node["k"] in ("image", "missing")]
        if shown and len(pictures) == len(shown):
            return figures_of(pictures)
        if not shown:
            return []
        if hidden:  # a tight list's item is not a paragraph
            return nodes
        return [{"k": "p", "c": nodes}]

    def _heading(self, content: str, level: int) -> Node:
        own = ATTRIBUTES.search(content)
        if own:
            content = content[: own.start()]
        nodes, tokens = self._inline(content)
        text = " ".join(plain_text(tokens).split())
        name = (own[1].lower() if own and own[1] else "") or slug(text) or "section"
        seen = self._slugs.get(name, 0)
        self._slugs[name] = seen + 1
        name = f"{name}-{seen}" if seen else name
        self.body.anchors[name] = True
        node: dict[str, object] = {"k": "h", "n": level, "c": nodes or [" "], "id": name, "plain": text}
        self.body.headings.append(node)
        return node

    def _code(self, token: Token, depth: int) -> list[Node]:
        info = token.info.strip()
        body = token.content.rstrip("\n")
        named = re.match(r"\{([\w:=.-]+)\}[ \t]*(.*)", info)
        name = named[1].lstrip(".:=") if named else info.split()[0] if info else ""
        if named and is_callout(name):
            return self._callout(name, named[2], _OPTIONS.sub("", body), depth)
        if name == "math":
            return [self.equation(body, "")]
        if name in ("code-block", "code", "sourcecode", "code-cell") and named:
            name = named[2].split()[0] if named[2] else ""
        if named:
            body = _OPTIONS.sub("", body).strip("\n")
        return self.code(body, language_name(name))

    def code(self, text: str, language: str) -> list[Node]:
        """The node of a code block; none when it is empty."""
        return list(listing(text, language, self._room))

    def _list(self, token: Token, inside: Sequence[Token], offset: int, depth: int) -> list[Node]:
        ordered = token.type == "ordered_list_open"
        items: list[list[Node]] = []
        done: list[bool | None] = []
        tight = True
        at = 0
        room, self._room = self._room, self._room - 22
        self._lists += 1
        while at < len(inside):
            end = closing(inside, at)
            within = inside[at + 1 : end]
            first = next((item for item in within if item.type == "inline"), None)
            task = TASK.match(first.content) if first and not ordered and within[0].type == "paragraph_open" else None
            if first and task:
                first.content = first.content[task.end() :]
            done.append(task[1] != " " if task else None)
            loose = (
                item.level == token.level + 2 and not item.hidden for item in within if item.type == "paragraph_open"
            )
            tight = tight and not any(loose)
            items.append(self.blocks(within, offset, depth + 1))
            at = end + 1
        self._room = room
        self._lists -= 1
        if depth >= _MAX_DEPTH:  # the engine lays out only so many levels; deeper items follow on the last one
            return [
                {"k": "p", "c": item} if item and not is_block(item[0]) else node for item in items for node in item
            ]
        if items and all(state is not None for state in done):
            tasks = [{"done": state, "c": item} for state, item in zip(done, items, strict=True)]
            return [{"k": "tasks", "tight": tight, "outer": not tight or not self._lists, "items": tasks}]
        boxed = [([("☑ " if state else "☐ "), *item] if state is not None else item)
                 for state, item in zip(done, items, strict=True)]  # fmt: skip
        kind: dict[str, object] = {"k": "ol", "start": int(token.attrs.get("start", 1))} if ordered else {"k": "ul"}
        return [{**kind, "tight": tight, "outer": not tight or not self._lists, "items": boxed}]

    def _quote(self, inside: Sequence[Token], offset: int, depth: int) -> list[Node]:
        first = inside[1] if len(inside) > 1 and inside[0].type == "paragraph_open" else None
        alert = ALERT.match(first.content) if first else None
        if first and alert:
            first.content = first.content[alert.end() :]
            tone = alert[1].lower()
            room, self._room = self._room, self._room - 27
            nodes = self.blocks(inside, offset, depth + 1)
            self._room = room
            return [callout_node(tone, title_of(tone, self._lang), nodes)]
        room, self._room = self._room, self._room - 24
        nodes = self.blocks(inside, offset, depth + 1)
        self._room = room
        return nodes if depth >= _MAX_DEPTH else [{"k": "quote", "c": nodes}]

    def _admonition(self, token: Token, depth: int) -> list[Node]:
        """MkDocs' `!!! tip "Title"`; the parser gives the title, and the kind stands only in the source."""
        line = self._source[token.map[0]] if token.map and token.map[0] < len(self._source) else ""
        kind = re.search(r"(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)", line)
        return self._callout(kind[1] if kind else "note", token.info, token.content, depth)

    def _definitions(self, token: Token, depth: int) -> list[Node]:
        room, self._room = self._room, self._room - 18
        items: list[dict[str, object]] = []
        for term, texts in cast("list[tuple[str, list[str]]]", token.meta["items"]):
            inside = [node for text in texts for node in self._nested(text, depth)]
            items.append({"term": self._inline(term)[0], "c": inside})
        self._room = room
        return [{"k": "dl", "items": items}]

    def _callout(self, kind: str, title: str, markdown: str, depth: int) -> list[Node]:
        word = kind.split(maxsplit=1)[0].lower() if kind else "note"
        named = bool(title) and title.lower() != word
        title = (title.capitalize() if title.islower() else title) if named else title_of(word, self._lang)
        return [callout_node(tone_of(word), title, self._nested(markdown, depth))]

    def equation(self, tex: str, label: str) -> Node:
        """The node of a displayed formula."""
        tags = _TAG.findall(tex)
        if len(tags) == 1 and not label:
            tex, label = _TAG.sub("", tex), tags[0][1] if tags[0][0] else f"({tags[0][1]})"
        node: Node = {"k": "eq", "label": label, **self._inlines.formula(tex)}
        self._report_formulas()
        return node

    def _table(self, inside: Sequence[Token]) -> list[Node]:
        rows: list[list[str]] = []
        align: list[str] = []
        head = 0
        for token in inside:
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open") and len(rows) == 1:
                style = str(token.attrs.get("style", ""))
                align.append({"right": "r", "center": "c", "left": "l"}.get(style.partition(":")[2].strip(), ""))
            elif token.type == "inline":
                rows[-1].append(token.content)
            elif token.type == "thead_close":
                head = len(rows)
        return self.table(rows, head, align)

    def table(self, rows: list[list[str]], head: int, align: list[str], caption: str = "") -> list[Node]:
        """The nodes of a table of Markdown cells; one too wide for a page becomes several."""
        nodes = table_nodes(TableCells(rows, head, align, caption), self._room, self._cell, self._plain)
        if len(nodes) > 1:
            self._warn(f"the table is too wide for a page and was set as {len(nodes)} tables")
        return nodes

    def _cell(self, content: str, longest_word: int) -> list[Node]:
        kept, self._inlines.longest_word = self._inlines.longest_word, longest_word
        nodes, _ = self._inline(content)
        self._inlines.longest_word = kept
        return nodes

    def _plain(self, cell: str) -> str:
        """The words of a cell, as wide as they will be."""
        if not re.search(r"[\\`*_~!\[<&$]", cell):
            return cell
        tokens: list[Token] = []
        self.parser.inline.parse(cell, self.parser, self.env, tokens)
        for token in tokens:
            if token.type == "code_inline":  # set in a wider face, with some room around it
                token.content += "0" * (len(token.content) // 8 + 1)
        return plain_text(tokens)

    def image(self, source: str, alt: str, title: str, attributes: Mapping[str, str] | None = None) -> Node:
        """The node of a picture, or of what stands in its place; `attributes` are those of an HTML tag."""
        asset = self._pictures(source)
        if isinstance(asset, str):
            if asset:
                self._warn(asset)
            return missing_node(source, alt, title)
        return image_node(asset, alt, title, self._room, attributes)

    def _note(self, label: str) -> Node:
        name = slug(label) + f"-{len(label)}"
        if label in self._noted:
            return {"k": "note", "id": name}
        self._noted.add(label)
        nodes = self._nested(str(self.env["footnotes"][label]), _MAX_DEPTH - 2)
        if nodes and isinstance(nodes[0], dict) and nodes[0]["k"] == "p":
            nodes[:1] = nodes[0]["c"]  # a note's first paragraph stands beside its number
        return {"k": "note", "id": name, "c": nodes}

    def _html(self, content: str, nodes: list[Node], centred: list[int]) -> None:
        """Add the nodes of a piece of HTML. `centred` holds where the centred parts begin that are open."""
        if _BREAK.fullmatch(content):
            nodes.append({"k": "break"})
            return
        opened, closed = centring(content)
        while closed and centred:
            begin = centred.pop()
            nodes[begin:] = [{"k": "center", "c": nodes[begin:]}] if nodes[begin:] else []
            closed -= 1
            self._room += 1
        begin = len(nodes)
        self._room -= opened  # and with that, no page is turned for a table within
        nodes += html_nodes(content, self)
        centred += [begin] * opened
