"""Pictures as nodes for the plate: how large, whether with a caption, and small ones beside one another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from sidecar_render.markdown.inlines import Node

_NO_CAPTION = re.compile(
    r"(?:image|picture|figure|img|photo|logo|screenshot|alt text)[ _-]?\d*|[\w.-]+\.(?:png|jpe?g|gif|svg|webp)",
    re.IGNORECASE,
)
"""Alternative texts that programs wrote; nobody wants to read them under a picture."""
_LENGTH = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(px|%|)\s*")
_TALLEST = 560
_SMALL = 150
"""Points of width up to which pictures that follow one another stand in one row: badges, icons."""


@dataclass(frozen=True)
class Asset:
    """A picture that can be drawn: its path in the quill, its size in points at its natural resolution."""

    file: str
    width: float
    height: float


def image_node(asset: Asset, alt: str, title: str, room: float, attributes: Mapping[str, str] | None) -> Node:
    """The node of a picture. `attributes` are those of an HTML `img`, whose `width` and `height` in pixels or per cent
    are followed, and whose alternative text is not a caption; Markdown's is, unless a program wrote it."""
    caption = title
    width = asset.width * min(1.0, _TALLEST / asset.height) if asset.height else asset.width
    if attributes is None:
        caption = title or ("" if _NO_CAPTION.fullmatch(alt.strip()) else alt)
    else:
        width = min(_wanted(asset, attributes, room) or width, room)
        if asset.width and width * asset.height / asset.width > _TALLEST:
            width = _TALLEST * asset.width / asset.height
    return {"k": "image", "file": asset.file, "alt": alt, "caption": caption, "room": room, "width": width}


def _wanted(asset: Asset, attributes: Mapping[str, str], room: float) -> float:
    """The width in points that the attributes ask for, 0 for none (96 pixels an inch)."""
    wide = _LENGTH.fullmatch(attributes.get("width", ""))
    if wide:
        return room * min(float(wide[1]), 100) / 100 if wide[2] == "%" else float(wide[1]) * 0.75
    tall = _LENGTH.fullmatch(attributes.get("height", ""))
    if tall and tall[2] != "%" and asset.height:
        return float(tall[1]) * 0.75 * asset.width / asset.height
    return 0.0


def missing_node(source: str, alt: str, title: str) -> Node:
    """What stands in the place of a picture that cannot be shown: its text, else its file's name."""
    name = "" if source[:5].lower() == "data:" else unquote(re.split(r"[?#]", source)[0]).rstrip("/").rpartition("/")[2]
    return {"k": "missing", "t": " ".join((alt or title or name or "picture").split())[:120]}


def figures_of(shown: Sequence[Node]) -> list[Node]:
    """The nodes of a paragraph that holds nothing but pictures: a figure each, small ones in one line."""
    if len(shown) > 1 and all(map(_is_small, shown)):
        return [{"k": "p", "c": [piece for node in shown for piece in (node, " ")][:-1]}]
    return [_figure(node) for node in shown]


def in_rows(blocks: Sequence[Node]) -> list[Node]:
    """The blocks of one piece of HTML, with its pictures as figures, or in rows where small ones follow another."""
    found: list[Node] = []
    row: list[Node] = []
    for block in [*blocks, ""]:
        if isinstance(block, dict) and block["k"] in ("image", "missing"):
            row.append(block)
            continue
        found += figures_of(row)
        row = []
        if block:
            found.append(block)
    return found


def _is_small(node: Node) -> bool:
    return isinstance(node, dict) and (node["k"] == "missing" or (not node["caption"] and 0 < node["width"] <= _SMALL))


def _figure(node: Node) -> dict[str, Any]:
    if isinstance(node, dict) and node["k"] == "image":
        return {**node, "k": "figure"}
    return {"k": "p", "c": [node]}
