"""HTML blocks inside Markdown as nodes for the plate: tables, paragraphs, lists, pictures. Markup nobody sees goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from sidecar.api.errors import DamagedError
from sidecar.api.model import Code, Equation, Figure, Heading, ListItem, Paragraph, Span, Table
from sidecar_render.inlines import Node
from sidecar_render.words import breakable, slug

__all__ = ["html_nodes"]

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SUMMARY = re.compile(r"<summary\b[^>]*>(.*?)</summary>", re.DOTALL | re.IGNORECASE)
_SPECIAL = re.compile(r"([\\`*_~!\[\]<>&$|])")
_MARKS = {"bold": "b", "italic": "i", "strike": "s", "underline": "u", "sub": "sub", "sup": "sup", "ins": "u",
          "del": "s", "code": "tt"}  # fmt: skip


class Blocks(Protocol):
    """Who reads the Markdown around the HTML."""

    def table(self, rows: list[list[str]], head: int, align: list[str], caption: str = "") -> list[Node]: ...

    def figure(self, source: str, alt: str, caption: str) -> Node: ...

    def equation(self, tex: str, label: str) -> Node: ...


def html_nodes(content: str, into: Blocks) -> list[Node]:
    """The nodes of one HTML block. Never raises: what cannot be read as HTML is shown as text."""
    from sidecar.api.markup.html import parse_html, read_html
    from sidecar.api.markup.pictures import Pictures

    bare = _SUMMARY.sub(r"<p><b>\1</b></p>", _COMMENT.sub("", content))
    if not re.sub(r"<[^>]*>", "", bare).strip() and "<img" not in bare.lower() and "<hr" not in bare.lower():
        return []
    try:
        blocks = read_html(parse_html(bare, "HTML in Markdown"), Pictures(0)).blocks
    except DamagedError:
        return [{"k": "p", "c": [breakable(" ".join(bare.split()))]}]
    nodes: list[Node] = []
    for block in blocks:
        match block:
            case Paragraph():
                nodes.append({"k": "p", "c": _runs(block.text, block.spans)})
            case Heading():
                nodes.append({"k": "h", "n": min(block.level, 6), "c": _runs(block.text, block.spans),
                              "id": "html-" + slug(block.text), "plain": block.text})  # fmt: skip
            case ListItem():
                _add_item(nodes, block)
            case Code():
                nodes.append(
                    {
                        "k": "pre",
                        "t": breakable(block.text, 84),
                        "lang": block.language,
                        "keep": block.text.count("\n") < 14,
                    }
                )
            case Equation():
                nodes.append(into.equation(block.latex or block.text, block.label))
            case Figure():
                nodes.append(into.figure(block.source, block.alt, block.caption))
            case Table():
                rows = [[_markdown(value) for value in row] for row in block.rows]
                nodes += into.table(rows, block.header_rows, [])
            case _:
                pass
    return nodes


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
    return _SPECIAL.sub(r"\\\1", " ".join(cell.split()))
