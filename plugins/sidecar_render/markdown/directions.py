"""Which way each block of a document runs, once all of it is read (UAX #9 for the lines within; this is for what stands
around them: the side a paragraph leans on, the side of a list's bullets and of a quotation's bar)."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from sidecar_render.markdown.inlines import Node
from sidecar_render.markdown.text import starts_rtl

_ENOUGH = 200


def mostly_rtl(blocks: Sequence[Node]) -> bool:
    """Whether most headings and paragraphs begin right to left: then the document does."""
    return bool(_majority(_words(block) for block in blocks if isinstance(block, dict) and block["k"] in ("h", "p")))


def turn(blocks: Sequence[Node], rtl: bool, *, in_list: bool = False) -> None:
    """Mark the blocks that run against what surrounds them with `turn`: "rtl" or "ltr". An item's paragraphs stay
    beside its bullet."""
    for block in blocks:
        if not isinstance(block, dict):
            continue
        own = None if in_list and block["k"] == "p" else _own(block)
        now = rtl if own is None else own
        if now != rtl:
            block["turn"] = "rtl" if now else "ltr"
        for inside in _containers(block):
            turn(inside, now, in_list=block["k"] not in ("quote", "callout", "center"))


def _own(block: dict[str, Any]) -> bool | None:
    match block["k"]:
        case "p":
            return starts_rtl(_words(block))
        case "h":  # a heading of an Arabic document stays on its side, whatever its words are
            return starts_rtl(_words(block)) or None
        case "ul" | "ol" | "tasks" | "dl" | "quote" | "callout":
            return _majority(" ".join(map(_words, inside)) for inside in _containers(block))
        case "table":
            return _majority(" ".join(map(_words, cell)) for cell in _cells(block))
        case _:
            return None


def _containers(block: dict[str, Any]) -> list[list[Node]]:
    """The lists of blocks within a block."""
    match block["k"]:
        case "quote" | "callout" | "center":
            return [cast("list[Node]", block["c"])]
        case "ul" | "ol":
            return cast("list[list[Node]]", block["items"])
        case "tasks" | "dl":
            return [item["c"] for item in cast("list[dict[str, Any]]", block["items"])]
        case _:
            return []


def _cells(block: dict[str, Any]) -> Iterator[list[Node]]:
    yield from block["head"]
    for row in block["rows"][:20]:
        yield from (cell["c"] for cell in row)


def _majority(texts: Iterator[str]) -> bool | None:
    rightwards = [one for one in map(starts_rtl, texts) if one is not None]
    return sum(rightwards) * 2 > len(rightwards) if rightwards else None


def _words(node: Node) -> str:
    """The first words within a node."""
    if isinstance(node, str):
        return node
    if node["k"] in ("code", "math", "note", "pre", "eq"):
        return ""
    text = ""
    inside: Any = node.get("c") or [item for items in _containers(node) for item in items]
    for child in inside:
        text += _words(child)
        if len(text) > _ENOUGH:
            break
    return text
