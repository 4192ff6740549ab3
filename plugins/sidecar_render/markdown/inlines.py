"""Runs of one paragraph as nodes for the plate: what markdown-it finds in a line, and the few HTML tags people use.

Whatever a document says arrives as data; only link targets and formulas are judged here."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import unquote

from markdown_it.token import Token

from sidecar_render.markdown.parser import rendering_parser
from sidecar_render.markdown.tex.typst import to_typst
from sidecar_render.markdown.text import breakable

Node = str | dict[str, Any]

_MARKS = {"strong": "b", "em": "i", "s": "s", "link": "a"}
_TAGS = {
    "b": "b", "strong": "b", "i": "i", "em": "i", "u": "u", "ins": "u", "s": "s", "del": "s", "strike": "s",
    "sub": "sub", "sup": "sup", "mark": "mark", "kbd": "kbd", "code": "tt", "tt": "tt", "a": "a",
}  # fmt: skip
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(
    r"""\b(href|src|alt|title|width|height)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_UNSAFE = frozenset({"javascript", "vbscript", "data", "file"})
_BARE_URL = re.compile(r"https?://[^\s<>\"'()\[\]]+(?:\([^\s<>\"'()]*\))?[^\s<>\"'()\[\].,;:!?]*")
_ROLE = re.compile(r"\{([A-Za-z][\w:.+-]*)\}\Z")
_MARKED = re.compile(r"[*_`\[\\~]")
_MAX_DEPTH = 12


class MakesImage(Protocol):
    """Makes the node of a picture."""

    def __call__(self, source: str, alt: str, title: str, attributes: Mapping[str, str] | None = None, /) -> Node:
        """The node of the picture at `source`; `attributes` as written behind it."""
        ...


class Inlines:
    """Turns inline tokens into nodes. `image` and `note(label)` make the nodes of theirs, or ""."""

    def __init__(self, image: MakesImage, note: Callable[[str], Node], *, formulas: bool) -> None:
        self._image = image
        self._note = note
        self._formulas = formulas
        self.longest_word = 40
        self.unread_formulas: list[str] = []

    def nodes(self, tokens: Sequence[Token]) -> list[Node]:
        """The nodes of one line's tokens."""
        root: list[Node] = []
        stack: list[tuple[str, list[Node]]] = []  # what closes it, and the list that goes on after that
        into = root
        for token in tokens:
            kind = token.type
            name = kind.removesuffix("_open").removesuffix("_close")
            if kind.endswith("_open") and name in _MARKS:
                stack.append((name, into))
                into = self._open(into, _MARKS[name], str(token.attrs.get("href", "")), len(stack))
            elif kind.endswith("_close") and name in _MARKS:
                into = _close(stack, name, into)
            elif kind == "html_inline":
                into = self._tag(token.content, stack, into)
            else:
                self._leaf(token, into, linked=any(opened in ("link", "<a>") for opened, _ in stack))
        return root

    def formula(self, tex: str) -> dict[str, Any]:
        """A formula as the plate wants it: with `code` when it can be set, else only its source."""
        code = to_typst(tex) if self._formulas else None
        if code is None:
            self.unread_formulas.append(tex)
            return {"tex": tex}
        return {"tex": tex, "code": code}

    def _leaf(self, token: Token, into: list[Node], *, linked: bool) -> None:
        kind, content = token.type, token.content
        if kind == "text" and not linked:
            into += self._text(content)
        elif kind == "code_inline":
            self._code(content, into)
        elif kind == "softbreak":
            into.append(" ")
        elif kind == "hardbreak":
            into.append({"k": "br"})
        elif kind == "image":
            alt = plain_text(token.children or []) or content
            into.append(self._image(str(token.attrs.get("src", "")), alt, str(token.attrs.get("title", ""))))
        elif kind in ("math_inline", "math_inline_double"):
            into.append({"k": "math", **self.formula(content.strip())})
        elif kind == "footnote_ref":
            into.append(self._note(content))
        elif content:
            into.append(breakable(content, self.longest_word))

    def _code(self, content: str, into: list[Node]) -> None:
        """Code, or what a MyST role makes of it: {func}`~os.path.join`, {doc}`a title <target>`, {math}`x^2`."""
        before = into[-1] if into else None
        role = _ROLE.search(before) if isinstance(before, str) else None
        if role is None or not isinstance(before, str):
            into.append({"k": "code", "t": breakable(content, self.longest_word), "first": not into})
            return
        into[-1] = before[: role.start()]
        titled = re.fullmatch(r"(.+?)\s*<[^<>]+>", content)
        if role[1] == "math":
            into.append({"k": "math", **self.formula(content)})
        elif titled or role[1] in ("doc", "ref", "abbr", "term"):
            into.append(breakable(titled[1] if titled else content, self.longest_word))
        else:
            short = content[1:].rpartition(".")[2] if content.startswith("~") else content.lstrip("!")
            into.append({"k": "code", "t": breakable(short, self.longest_word), "first": not into})

    def _text(self, text: str) -> list[Node]:
        """Text, with bare addresses made links as GitHub does."""
        if "://" not in text:
            return [breakable(text, self.longest_word)] if text else []
        nodes: list[Node] = []
        at = 0
        for found in _BARE_URL.finditer(text):
            if found.start() > at:
                nodes.append(breakable(text[at : found.start()], self.longest_word))
            nodes.append({"k": "a", "url": found[0], "c": [breakable(found[0], self.longest_word)]})
            at = found.end()
        if at < len(text):
            nodes.append(breakable(text[at:], self.longest_word))
        return nodes

    def _open(self, into: list[Node], kind: str, target: str, depth: int) -> list[Node]:
        inner: list[Node] = []
        node = _link(target, inner) if kind == "a" else {"k": kind, "c": inner}
        if node is None or depth > _MAX_DEPTH:
            return into
        into.append(node)
        return inner

    def _tag(self, text: str, stack: list[tuple[str, list[Node]]], into: list[Node]) -> list[Node]:
        found = _TAG.match(text)
        if found is None:
            return into
        name = found[2].lower()
        attributes = attributes_of(text)
        if name == "br":
            into.append({"k": "br"})
        elif name == "img":
            title = attributes.get("title", "")
            into.append(self._image(attributes.get("src", ""), attributes.get("alt", ""), title, attributes))
        elif name in _TAGS:
            if found[1]:
                return _close(stack, f"<{name}>", into)
            stack.append((f"<{name}>", into))
            return self._open(into, _TAGS[name], attributes.get("href", ""), len(stack))
        return into


def attributes_of(tag: str) -> dict[str, str]:
    """The attributes of an HTML tag that matter here, by names in lower case."""
    return {
        match[1].lower(): html.unescape(match[2] or match[3] or match[4] or "") for match in _ATTRIBUTE.finditer(tag)
    }


def plain_text(tokens: Sequence[Token]) -> str:
    """The words of inline tokens, for alternative texts, anchors and column widths."""
    words = (
        " " if token.type in ("softbreak", "hardbreak")
        else plain_text(token.children) if token.children
        else token.content if token.type != "html_inline"
        else ""
        for token in tokens
    )  # fmt: skip
    return "".join(words)


def title_text(title: str) -> str:
    """A title of front matter without its marks of Markdown, which people write there; what looks like HTML stays."""
    if not _MARKED.search(title):
        return title
    parser, tokens = rendering_parser(), list[Token]()
    parser.inline.parse(title, parser, {}, tokens)
    words = (token.content if token.type == "html_inline" else plain_text([token]) for token in tokens)
    return "".join(words).strip() or title


def _close(stack: list[tuple[str, list[Node]]], name: str, into: list[Node]) -> list[Node]:
    """Back to where the mark began; a closing tag nothing opened is nothing, a missing one ends with its parent."""
    if all(opened != name for opened, _ in stack):
        return into
    while True:
        opened, outer = stack.pop()
        if opened == name:
            return outer


def _link(target: str, inner: list[Node]) -> dict[str, Any] | None:
    """The node of a link; None where the target would run something, or lead to a file beside the document."""
    target = "".join(target.split())
    if target.startswith("#") and len(target) > 1:
        return {"k": "a", "to": unquote(target[1:]).lower(), "c": inner}
    scheme = _SCHEME.match(target)
    if scheme is None or scheme[1].lower() in _UNSAFE or len(target) > 2000:
        return None
    return {"k": "a", "url": target, "c": inner}
