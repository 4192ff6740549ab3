"""What the source of a printed document says of its blocks, as pandoc reads it: headings, paragraphs, items of lists,
listings, captions, notes and places of tables, in their order, with what is bold, slanted and linked in them."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMATS = {
    ".md": "gfm+footnotes+definition_lists+implicit_figures", ".rst": "rst", ".html": "html", ".htm": "html",
    ".docbook": "docbook", ".docx": "docx", ".odt": "odt",
}  # fmt: skip
"""What pandoc calls the formats of sources, by the ends of their names."""
SECONDS = 60  # for a file
SHAPES = str.maketrans("’‘“”−–—‐‑", "''\"\"-----")
SIGNS = re.compile(r"[\s\u00ad\u200b\ufeff\ue000-\uf8ff¶]")

Node = dict[str, Any]


@dataclass
class Block:
    """A block of a document: `kind` is "heading", "paragraph", "item", "code", "caption", "note", "table" or "term"."""

    kind: str
    text: str
    level: int = 0
    """Of a heading from 1, of an item from 0."""
    ordered: bool = False
    quoted: bool = False
    marked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """What is "bold" or "italic", and the addresses of a "link"."""

    @property
    def folded(self) -> str:
        """Its letters as they are compared."""
        text = NUMBER.sub(r"\1 ", self.text, count=1) if self.kind == "heading" else self.text
        return folded(text.removeprefix("- "))


NUMBER = re.compile(r"((?:\d+\.)*\d+)[.)]?\s+")


def folded(text: str) -> str:
    """A text without white space, shapes of quotes and dashes, and ligatures."""
    return SIGNS.sub("", unicodedata.normalize("NFKC", text).translate(SHAPES))


def read_source(path: Path, pandoc: str) -> list[Block]:
    """The blocks of a source."""
    command = [pandoc, "-f", FORMATS[path.suffix.lower()], "-t", "json", str(path)]
    made = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True, cwd=path.parent)
    document = json.loads(made.stdout)
    walk = _Walk()
    told = () if FORMATS[path.suffix.lower()] == "html" else ("title", "subtitle")
    for name in told:
        if said := document["meta"].get(name):
            walk.add("heading", said.get("c", []), level=1)
    walk.blocks(document["blocks"], depth=-1)
    return [block for block in walk.found if block.kind == "table" or block.folded]


class _Walk:
    """The blocks met so far, and notes that wait for the block they are called in."""

    def __init__(self) -> None:
        self.found: list[Block] = []
        self.quoted = 0

    def add(self, kind: str, inlines: list[Node], *, level: int = 0, ordered: bool = False) -> None:
        """Adds a block of inline text, and behind it the notes that it calls."""
        text, marked, notes = _inlines(inlines)
        self.found.append(Block(kind, text, level, ordered, bool(self.quoted), marked))
        for note in notes:
            for block in note:
                if block["t"] in {"Para", "Plain"}:
                    self.found.append(Block("note", _inlines(block["c"])[0]))

    def blocks(self, blocks: list[Node], depth: int) -> None:
        """Adds blocks within lists of some depth."""
        for block in blocks:
            self.block(block["t"], block.get("c"), depth)

    def block(self, kind: str, content: Any, depth: int) -> None:
        """Adds a block."""
        if kind in {"Para", "Plain"}:
            self.add("caption" if _is_picture(content) else "paragraph", content)
        elif kind == "Header":
            self.add("heading", content[2], level=content[0])
        elif kind == "CodeBlock":
            self.found.append(Block("code", content[1]))
        elif kind == "LineBlock":
            for line in content:
                self.add("paragraph", line)
        elif kind in {"BulletList", "OrderedList"}:
            for item in content if kind == "BulletList" else content[1]:
                self.item(item, depth + 1, ordered=kind == "OrderedList")
        elif kind == "Div":
            self.blocks(content[1], depth)
        else:
            self.rarer(kind, content, depth)

    def rarer(self, kind: str, content: Any, depth: int) -> None:
        """Adds a quotation, a list of terms, a table or a figure."""
        if kind == "BlockQuote":
            self.quoted += 1
            self.blocks(content, depth)
            self.quoted -= 1
        elif kind == "DefinitionList":
            for term, definitions in content:
                self.add("term", term)
                for definition in definitions:
                    self.blocks(definition, depth)
        elif kind in {"Table", "Figure"}:
            for block in content[1][1]:
                if block["t"] in {"Para", "Plain"}:
                    self.add("caption", block["c"])
                else:
                    self.block(block["t"], block.get("c"), depth)
            if kind == "Table":
                self.found.append(Block("table", " ".join(_cells(content))))

    def item(self, blocks: list[Node], depth: int, *, ordered: bool) -> None:
        """Adds an item of a list, and what stands under it."""
        rest = blocks
        if blocks and blocks[0]["t"] in {"Para", "Plain"}:
            self.add("item", blocks[0]["c"], level=depth, ordered=ordered)
            rest = blocks[1:]
        self.blocks(rest, depth)


def _is_picture(inlines: list[Node]) -> bool:
    """Whether a paragraph is a picture with its caption, as pandoc before 3 tells it."""
    return len(inlines) == 1 and inlines[0]["t"] == "Image" and inlines[0]["c"][2][1].startswith("fig:")


def _cells(content: Any) -> Iterator[str]:
    """The texts of a table's cells."""
    if isinstance(content, dict):
        if content.get("t") in {"Para", "Plain"}:
            yield _inlines(content["c"])[0]
        else:
            yield from _cells(content.get("c"))
    elif isinstance(content, list):
        for part in content:
            yield from _cells(part)


def _inlines(inlines: list[Node]) -> tuple[str, list[tuple[str, str]], list[list[Node]]]:
    """The text of inline nodes, what is marked in it, and the notes it calls."""
    parts: list[str] = []
    marked: list[tuple[str, str]] = []
    notes: list[list[Node]] = []

    def walk(node: Node) -> None:
        kind: str = node["t"]
        content: Any = node.get("c")
        start = len(parts)
        if kind == "Str":
            parts.append(content)
        elif kind in {"Space", "SoftBreak", "LineBreak"}:
            parts.append(" ")
        elif kind in {"Code", "Math"}:
            parts.append(content[1])
        elif kind == "Note":
            notes.append(content)
        elif kind != "RawInline" and isinstance(content, list):
            quote = _quote(node)
            parts.append(quote)
            for child in _children(node):
                walk(child)
            parts.append(quote)
            marked.extend(_marks(node, "".join(parts[start:]).strip()))

    for node in inlines:
        walk(node)
    return re.sub(r"\s+", " ", "".join(parts)).strip(), marked, notes


def _quote(node: Node) -> str:
    """What stands on either side of what is in a node."""
    return ("'" if node["c"][0]["t"] == "SingleQuote" else '"') if node["t"] == "Quoted" else ""


def _children(node: Node) -> list[Node]:
    """The inline nodes within one; of pictures only captions stand on the page."""
    kind, content = node["t"], node["c"]
    if kind == "Image" and not content[2][1].startswith("fig:"):
        return []
    return content if kind in PLAIN else content[1]


def _marks(node: Node, text: str) -> list[tuple[str, str]]:
    """How a node marks its text."""
    kind = node["t"]
    if not text or kind not in {"Strong", "Emph", "Link"}:
        return []
    if kind == "Link":
        address = node["c"][2][0]
        return [("link", address)] if re.match(r"https?:|mailto:", address) else []
    return [("bold" if kind == "Strong" else "italic", text)]


PLAIN = {"Emph", "Strong", "Underline", "Strikeout", "Superscript", "Subscript", "SmallCaps"}
"""Inline nodes whose content is nothing but the nodes in them."""
