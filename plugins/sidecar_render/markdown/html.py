"""HTML blocks inside Markdown as nodes for the plate: tables, paragraphs, lists, pictures. Markup nobody sees goes."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from sidecar.api import AnyBlock, Code, DamagedError, Equation, Figure, Heading, ListItem, Paragraph, Span, Table
from sidecar_render.markdown.images import in_rows
from sidecar_render.markdown.inlines import Node, attributes_of
from sidecar_render.markdown.text import breakable, slug

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary>", re.DOTALL | re.IGNORECASE)
_SPECIAL = re.compile(r"([\\`*_~!\[\]<>&$|])")
_MARKS = {"bold": "b", "italic": "i", "strike": "s", "underline": "u", "sub": "sub", "sup": "sup", "ins": "u",
          "del": "s", "code": "tt"}  # fmt: skip


_PICTURE = re.compile(r"<img\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE)
_STAND_IN = "picture-of-the-document-"
_CENTRED = re.compile(
    r"<(?:center\b|(?:div|p|h[1-6]|table|figure)\b[^>]*(?:align\s*=\s*[\"']?center|text-align\s*:\s*center))",
    re.IGNORECASE,
)
_CENTRE_OPENS = re.compile(r"<(?:div|center)\b[^>]*>", re.IGNORECASE)
_CENTRE_CLOSES = re.compile(r"</(?:div|center)\s*>", re.IGNORECASE)


class BlockReader(Protocol):
    """Who reads the Markdown around the HTML."""

    def table(self, rows: list[list[str]], head: int, align: list[str], caption: str = "") -> list[Node]:
        """A table of Markdown cells, the first `head` rows its header."""
        ...

    def image(self, source: str, alt: str, title: str, attributes: Mapping[str, str] | None = None) -> Node:
        """A picture."""
        ...

    def code(self, text: str, language: str) -> list[Node]:
        """A listing."""
        ...

    def equation(self, tex: str, label: str) -> Node:
        """A formula of its own, in LaTeX."""
        ...


def centring(content: str) -> tuple[int, int]:
    """How many centred `div` or `center` a piece of HTML leaves open for the Markdown that follows, and how many
    elements of that kind it closes that were open before it."""
    opened = closed = 0
    waiting: list[bool] = []
    for tag in re.finditer(f"{_CENTRE_OPENS.pattern}|{_CENTRE_CLOSES.pattern}", content, re.IGNORECASE):
        if _CENTRE_CLOSES.fullmatch(tag[0]) is None:
            waiting.append(_CENTRED.match(tag[0]) is not None)
        elif waiting:
            waiting.pop()
        else:
            closed += 1
    opened = sum(waiting)
    return opened, closed


def html_nodes(content: str, into: BlockReader) -> list[Node]:
    """The nodes of one HTML block. Never raises: what cannot be read as HTML is shown as text."""
    from sidecar.toolkit.markup.html import parse_html, read_html
    from sidecar.toolkit.markup.pictures import Pictures

    shown: list[Mapping[str, str]] = []

    def replacement(tag: re.Match[str]) -> str:
        attributes = attributes_of(tag[0])
        if not attributes.get("src") or attributes.get("width") == "1" or attributes.get("height") == "1":
            return ""
        shown.append(attributes)
        name = f"{_STAND_IN}{len(shown) - 1}"
        return f'<img src="{name}" alt="{name}">'

    bare = _SUMMARY.sub(r"<p><b>\1</b></p>", _COMMENT.sub("", content))
    bare = _PICTURE.sub(replacement, bare)
    if not re.sub(r"<[^>]*>", "", bare).strip() and "<img" not in bare and "<hr" not in bare.lower():
        return []
    try:
        blocks = read_html(parse_html(bare, "HTML in Markdown"), Pictures(0))
    except DamagedError:
        return [{"k": "p", "c": [breakable(" ".join(bare.split()))]}]
    nodes: list[Node] = []
    for block in blocks:
        if isinstance(block, ListItem):
            _add_item(nodes, block)
        else:
            nodes += _block_nodes(block, shown, into)
    nodes = in_rows(nodes)
    if nodes and _CENTRED.match(bare.lstrip()) and not centring(content)[0]:
        return [{"k": "center", "c": nodes}]
    return nodes


def _block_nodes(block: AnyBlock, shown: Sequence[Mapping[str, str]], into: BlockReader) -> list[Node]:
    """The nodes of a block; `shown` are the attributes of the pictures that names stand in for."""
    match block:
        case Paragraph():
            return [{"k": "p", "c": _runs(block.text, block.spans)}]
        case Heading():
            return [{"k": "h", "n": min(block.level, 6), "c": _runs(block.text, block.spans),
                     "id": "html-" + slug(block.text), "plain": block.text}]  # fmt: skip
        case Code():
            return into.code(block.text, block.language)
        case Equation():
            return [into.equation(block.latex or block.text, block.label)]
        case Figure():
            number = block.source.removeprefix(_STAND_IN)
            about = shown[int(number)] if number != block.source else {"src": block.source, "alt": block.alt}
            title = block.caption or about.get("title", "")
            return [into.image(about["src"], about.get("alt", ""), title, about)]
        case Table():
            rows = [[_markdown(value) for value in row] for row in block.rows]
            return into.table(rows, block.header_rows, [], block.caption)
        case _:
            return []


def _add_item(nodes: list[Node], block: ListItem) -> None:
    """One item after another; a deeper one belongs to the item above it."""
    kind, root = "ol" if block.ordered else "ul", nodes
    for _ in range(min(block.level, 8)):
        last = nodes[-1] if nodes else ""
        if not (isinstance(last, dict) and last["k"] in ("ul", "ol")):
            break
        nodes = last["items"][-1]
    item = _runs(block.text, block.spans)
    last = nodes[-1] if nodes else ""
    if isinstance(last, dict) and last["k"] == kind:
        last["items"].append(item)
        return
    number = re.match(r"\d+", block.marker)
    start = int(number[0]) if number else 1
    nodes.append({"k": kind, "tight": True, "outer": nodes is root, "start": start, "items": [item]})


def _runs(text: str, spans: Sequence[Span]) -> list[Node]:
    """The text cut where spans begin and end, each piece inside the marks that cover it."""
    edges = sorted({0, len(text), *(span.start for span in spans), *(span.end for span in spans)})
    nodes: list[Node] = []
    for start, end in pairwise(edges):
        node: Node = breakable(text[start:end])
        for span in spans:
            if span.start <= start and end <= span.end:
                if span.kind in _MARKS:
                    node = {"k": _MARKS[span.kind], "c": [node]}
                elif span.kind == "link" and re.match(r"(?:https?|mailto|tel|ftp):", span.value):
                    node = {"k": "a", "url": span.value, "c": [node]}
        nodes.append(node)
    return nodes


def _markdown(cell: str) -> str:
    lines = (_SPECIAL.sub(r"\\\1", " ".join(line.split())) for line in cell.split("\n"))
    return "<br>".join(filter(None, lines))
