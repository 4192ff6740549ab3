"""How blocks stand in a document: what belongs together on a page of its own, what opens and closes what."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from sidecar_render.inlines import Node

__all__ = ["closing", "figure_of", "is_block", "on_their_own_pages"]


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
    return isinstance(node, dict) and node["k"] in (
        "p", "h", "ul", "ol", "tasks", "quote", "callout", "pre", "eq", "table", "figure", "hr", "break",
    )  # fmt: skip


def figure_of(node: Node) -> Node:
    if isinstance(node, dict) and node["k"] == "image":
        return {**node, "k": "figure"}
    return {"k": "p", "c": [node]}
