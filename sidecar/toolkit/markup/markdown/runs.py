"""Inline Markdown tokens to text and spans; pictures in a line go to a list of figures."""

import html
import re
from collections.abc import Callable, Mapping, Sequence

from markdown_it.token import Token

from sidecar.api.model import Figure, SpanKind
from sidecar.toolkit.hidden import latex_hides
from sidecar.toolkit.markup.inline import Inline
from sidecar.toolkit.markup.pictures import Pictures

_MARKS: dict[str, SpanKind] = {"strong_open": "bold", "em_open": "italic", "s_open": "strike"}
_SPANS: Mapping[str, Callable[[str], tuple[SpanKind, str, str]]] = {
    "code_inline": lambda content: ("code", content, ""),
    "math_inline": lambda content: ("math", content.strip(), content.strip()),
    "math_inline_double": lambda content: ("math", content.strip(), content.strip()),
    "footnote_ref": lambda content: ("note", f"[{content}]", content),
}
"""Tokens that are one span of text: its kind, what it shows, its value."""
_TAGS: dict[str, SpanKind] = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "s": "strike", "del": "del",
    "ins": "ins", "sub": "sub", "sup": "sup", "kbd": "code", "code": "code", "a": "link",
}  # fmt: skip
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)")
_ATTRIBUTE = re.compile(r"""\b(href|src|alt|id|name|title)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


_HIDES = "\0hidden"
"""Stands for a tag that hides what is in it, where other tags have their address."""


class InlineReader:
    """Turns inline tokens into one `Inline` line; `figures` are the pictures met, `anchor` the last `<a id>`."""

    def __init__(self, pictures: Pictures, tag_hides: Callable[[str], bool]) -> None:
        self.line = Inline()
        self.figures: list[Figure] = []
        self.anchor = ""
        self._pictures = pictures
        self._tag_hides = tag_hides
        self._looked_through: Sequence[Token] = ()
        self._alone = True

    def add(self, tokens: Sequence[Token]) -> None:
        """Append the tokens of one inline text."""
        line = self.line
        opened: list[tuple[str, int, str]] = []
        for token in tokens:
            kind = token.type
            if kind == "text":
                line.add_exact(token.content)
            elif kind in _SPANS:
                start = line.length
                span, shown, value = _SPANS[kind](token.content)
                line.add_exact(shown)
                line.span(span, start, value)
                if span == "math" and latex_hides(value):
                    line.span("hidden", start)
            elif kind == "softbreak":
                line.add(" ")
            elif kind == "hardbreak":
                line.line_break()
            elif kind in _MARKS or kind == "link_open":
                opened.append((kind, line.length, str(token.attrs.get("href", ""))))
            elif kind in ("strong_close", "em_close", "s_close", "link_close"):
                mark, start, value = opened.pop() if opened else ("", 0, "")
                line.span(_MARKS.get(mark, "link"), start, value)
            elif kind == "image":
                self._image(str(token.attrs.get("src", "")), token.content, str(token.attrs.get("title", "")), tokens)
            elif kind == "html_inline":
                self._html(token.content, opened)
            elif token.content:
                line.add_exact(token.content)

    def _image(self, src: str, alt: str, title: str, tokens: Sequence[Token] = ()) -> None:
        key = self._pictures.add(src, alt)
        if alt and tokens and not self._only_pictures(tokens):
            # A picture inside a sentence: its text belongs to the sentence.
            start = self.line.length
            self.line.add_exact(alt)
            if key is None:
                self.line.span("link", start, src)
                return
        outside = "" if key or src[:5].lower() == "data:" else src
        if key or alt or outside:
            self.figures.append(Figure(embed=key, alt=alt, caption=title, source=outside))

    def _only_pictures(self, tokens: Sequence[Token]) -> bool:
        """Whether nothing stands beside the pictures of a text, looked through once for all of them."""
        if tokens is not self._looked_through:
            self._looked_through = tokens
            self._alone = all(
                token.type in ("image", "softbreak", "hardbreak", "link_open", "link_close", "html_inline")
                or not token.content.strip()
                for token in tokens
            )
        return self._alone

    def _html(self, tag: str, opened: list[tuple[str, int, str]]) -> None:
        found = _TAG.match(tag)
        if found is None:
            return
        closing, name = bool(found[1]), found[2].lower()
        if name in ("br", "wbr"):
            self.line.line_break()
            return
        facts = {key.lower(): html.unescape(a or b or c) for key, a, b, c in _ATTRIBUTE.findall(tag)}
        if name == "img":
            self._image(facts.get("src", ""), facts.get("alt", ""), facts.get("title", ""))
        kind = _TAGS.get(name)
        if kind is None and not closing and self._tag_hides(tag):
            opened.append((f"<{name}", self.line.length, _HIDES))
            return
        if not closing and kind:
            self.anchor = facts.get("id") or facts.get("name") or self.anchor
            opened.append((f"<{name}", self.line.length, facts.get("href", "")))
            return
        for depth in range(len(opened) - 1, -1, -1):
            if opened[depth][0] == f"<{name}":
                _, start, value = opened.pop(depth)
                if value == _HIDES:
                    self.line.span("hidden", start)
                elif kind and (kind != "link" or value):
                    self.line.span(kind, start, value)
                break
