"""How blocks stand in a document: what belongs together on a page of its own, what opens and closes what."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from markdown_it.token import Token

from sidecar_render.markdown.inlines import Node

_LED = frozenset(["pre", "ul", "ol", "tasks", "dl", "table", "eq", "figure", "quote"])
"""Blocks that a line ending in a colon announces."""
_LINE = 85
"""Characters of a line of text, about."""
_KEPT_LINES = 14
_MAX_LEAD = 3 * _LINE
_PAGE, _TALL_PAGE = 697.0, 863.0
"""Points of height that a page of A4, and of US legal, has for text."""
_PITCH, _CODE_PITCH, _ROW_PITCH, _GAP = 14.1, 10.5, 16.0, 4.0
"""Points from line to line of text, of code, of a table's rows, and between blocks: the default quill's."""


def on_their_own_pages(blocks: Sequence[Node]) -> list[Node]:
    """Tables that need a page turned on its side, together with the headings right above them."""
    found: list[Node] = []
    for block in blocks:
        if not (isinstance(block, dict) and block["k"] == "table" and block["wide"]):
            found.append(block)
            continue
        last = found[-1] if found else None
        if isinstance(last, dict) and last["k"] == "flipped":
            last["c"].append(block)
            continue
        begin = len(found)
        while begin and isinstance(above := found[begin - 1], dict) and above["k"] == "h":
            begin -= 1
        found[begin:] = [{"k": "flipped", "c": [*found[begin:], block]}]
    return found


def closing(tokens: Sequence[Token], at: int) -> int:
    """The index of the token that closes the one at `at`; itself when it opens nothing."""
    if tokens[at].nesting != 1:
        return at
    level = tokens[at].level
    for end in range(at + 1, len(tokens)):
        if tokens[end].level == level and tokens[end].nesting == -1:
            return end
    return len(tokens) - 1


def is_block(node: Node) -> bool:
    """Whether the node is a block of its own, not a piece of a line."""
    return isinstance(node, dict) and node["k"] in (
        "p", "h", "ul", "ol", "tasks", "dl", "quote", "callout", "center", "pre", "eq", "table", "figure", "hr",
        "break",
    )  # fmt: skip


def mark_keep_with_next(blocks: Sequence[Node]) -> None:
    """Mark the paragraphs that must not be left behind at a page's foot: those that end in a colon before what they
    announce, and those all in bold, which stand for headings."""
    for block, after in pairwise(blocks):
        if not (isinstance(block, dict) and isinstance(after, dict) and block["k"] == "p" and is_block(after)):
            continue
        inside = cast("list[Node]", block["c"])
        text = _text(inside)
        if len(text) > _MAX_LEAD:
            continue
        bold = len(inside) == 1 and isinstance(inside[0], dict) and inside[0]["k"] == "b" and len(text) <= _LINE
        if bold or (after["k"] in _LED and text.rstrip().endswith((":", "："))):
            block["lead"] = True


def keeps_together(nodes: Sequence[Node]) -> bool:
    """Whether the blocks under a title of one line are few enough to be kept on one page with it."""
    return 1 + _lines(nodes) <= _KEPT_LINES


def _lines(nodes: Sequence[Node]) -> int:
    """How many lines the blocks take, about; what is not text counts for as many as keep nothing together."""
    total = 0
    inline = ""
    for node in nodes:
        if not is_block(node):
            inline += _text([node])
            continue
        block = cast("dict[str, Any]", node)
        match block["k"]:
            case "p" | "h":
                total += len(_text(block["c"])) // _LINE + 2
            case "pre":
                total += str(block["t"]).count("\n") + 3
            case "ul" | "ol":
                total += sum(map(_lines, block["items"]))
            case "tasks" | "dl":
                total += sum(_lines(item["c"]) + 1 for item in block["items"])
            case _:
                total += _KEPT_LINES
    return total + (len(inline) // _LINE + 1 if inline else 0)


def _text(nodes: Sequence[Node]) -> str:
    """The words of inline nodes; code and formulas stand for themselves."""
    return "".join(
        node if isinstance(node, str) else str(node.get("t") or node.get("tex") or _text(node.get("c") or ()))
        for node in nodes
    )


def about_pages(blocks: Sequence[Node], paper: str) -> int:
    """How many pages the blocks will take: rarely more than they do, as pictures and long cells count for little."""
    return round(_height(blocks) / (_TALL_PAGE if paper == "us-legal" else _PAGE))


def _height(blocks: Sequence[Node]) -> float:
    total = 0.0
    inline = 0
    for node in blocks:
        if not is_block(node):
            inline += len(_text([node]))
            continue
        total += _block_height(cast("dict[str, Any]", node))
    return total + ((inline // 100 + 1) * _PITCH if inline else 0.0)


def _block_height(block: dict[str, Any]) -> float:
    match block["k"]:
        case "p":
            return (len(_text(block["c"])) // 100 + 1) * _PITCH + _GAP
        case "pre":
            return (str(block["t"]).count("\n") + 1) * _CODE_PITCH + _GAP + 16
        case "ul" | "ol":
            return sum(map(_height, block["items"]))
        case "tasks" | "dl":
            return sum(_height(item["c"]) + _PITCH for item in block["items"])
        case "quote" | "callout" | "center" | "flipped":
            return _height(block["c"]) + _GAP
        case "table":
            return len(block["rows"]) * _ROW_PITCH
        case "break" | "hr":
            return _GAP
        case _:
            return 3 * _PITCH
