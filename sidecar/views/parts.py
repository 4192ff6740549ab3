"""A part, a section, a paragraph or a run of parts as Markdown, text or HTML, each with its source line and bounded.

Sheets go through `sheets`; this module puts pages around blocks and knows when to stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sidecar.api import (
    AnyBlock,
    Code,
    Embed,
    EmbedKind,
    Equation,
    Figure,
    Heading,
    Table,
    format_uri,
)
from sidecar.store.documents.records import PartRecord
from sidecar.toolkit.cell_references import EVERYWHERE
from sidecar.views.html import blocks_html
from sidecar.views.markdown import Embeds, blocks_markdown
from sidecar.views.markup import Markup, element, join, page
from sidecar.views.plain import blocks_text
from sidecar.views.sheets import grid, sheet_html, sheet_markdown, sheet_text
from sidecar.views.sources import Origin, part_facts, part_title

__all__ = ["BlockRange", "PartView", "from_block", "needed_embeds", "render", "size_of", "take"]


_SHEET_CHARS = 400_000
"""Of a sheet inside a larger view no more is shown."""


@dataclass(frozen=True)
class BlockRange:
    """Consecutive blocks of one part. `first_block` numbers the first of them (from 1)."""

    part: PartRecord
    blocks: Sequence[AnyBlock]
    first_block: int = 1


@dataclass(frozen=True)
class PartView:
    """What to show: the pieces in order, where they came from, and how to go on when something was left out."""

    origin: Origin
    pieces: Sequence[BlockRange]
    doc: str
    closing: str = ""
    titled: bool = True
    """Put the part's title above blocks that do not begin with a heading."""
    embeds: Embeds = field(default_factory=dict[tuple[EmbedKind, int], Embed])
    formulas: bool = False
    notices: Sequence[str] = ()
    """Remarks that stand above everything: an attached document has no outline that says them."""


def render(shown: PartView, suffix: str) -> str:
    """The text for a suffix: "md", "txt" or "html" (a whole page)."""
    if suffix == "html":
        return _html(shown)
    source = shown.origin.line() if suffix == "txt" else shown.origin.markdown()
    texts = [source, "\n".join(f"{'' if suffix == 'txt' else '- '}Notice: {_flat(text)}" for text in shown.notices)]
    for piece in shown.pieces:
        if piece.part.kind == "sheet":
            texts.append(_sheet(shown, piece, suffix))
            continue
        if suffix == "md" and len(shown.pieces) > 1 and piece.part.kind in {"slide", "page"} and piece.first_block == 1:
            texts.append(f"<!-- {piece.part.kind} {piece.part.n} -->")
        title = _title(shown, piece)
        if title:
            flag = " (hidden)" if piece.part.hidden else ""
            texts.append(f"{title}{flag}" if suffix == "txt" else f"# {title}{flag}")
        facts = _facts(shown, piece)
        texts.append("\n".join(facts if suffix == "txt" else [f"- {fact}" for fact in facts]))
        if suffix == "txt":
            texts.append(blocks_text(piece.blocks, shown.embeds, formulas=shown.formulas))
        else:
            texts.append(blocks_markdown(piece.blocks, shown.doc, shown.embeds, formulas=shown.formulas))
    if shown.closing:
        texts.append(f"*({shown.closing})*" if suffix == "md" else shown.closing)
    return "\n\n".join(text for text in texts if text)


def take(piece: BlockRange, max_chars: int) -> tuple[BlockRange, int | None, int]:
    """As many blocks as fit, at least one; the number of the first left out (None: all fit); the characters taken."""
    used = 0
    for index, block in enumerate(piece.blocks):
        size = size_of(block)
        if used + size > max_chars and index:
            return BlockRange(piece.part, piece.blocks[:index], piece.first_block), piece.first_block + index, used
        used += size
    return piece, None, used


def size_of(block: AnyBlock) -> int:
    """About how many characters the block is when shown."""
    if isinstance(block, Table):
        return sum(len(text) + 3 for row in block.rows for text in row) + len(block.caption) + 8
    if isinstance(block, Figure):
        return len(block.alt) + len(block.caption) + len(block.text) + 40
    if isinstance(block, Equation):
        return len(block.latex or block.text) + len(block.label) + 4
    if isinstance(block, Code):
        return len(block.text) + 8
    return len(block.text) + sum(len(span.value) + 4 for span in block.spans) + 4


def needed_embeds(blocks: Sequence[AnyBlock]) -> bool:
    """Whether showing the blocks needs the records of embedded things: a chart's data, an attachment's name."""
    return any(isinstance(block, Figure) and block.embed is not None and block.embed[0] != "image" for block in blocks)


def _title(shown: PartView, piece: BlockRange) -> str:
    title = part_title(piece.part)
    if not shown.titled or not title or piece.first_block > 1:
        return ""
    if piece.part.kind == "page" and title == piece.part.name:
        return ""  # a page's label is in the source line
    if any(isinstance(block, Heading) for block in piece.blocks[:4]):
        return ""
    if not piece.part.name and any(_opens_with(block, title) for block in piece.blocks):
        # The title was taken from the text; said above it, it would stand there twice.
        return f"Message {piece.part.n}" if piece.part.kind == "message" else ""
    return title


def _opens_with(block: AnyBlock, title: str) -> bool:
    text = "" if isinstance(block, (Figure, Table)) else " ".join(block.text[: len(title) + 200].split())
    return text.startswith(title.removesuffix("...").rstrip("… "))


def _facts(shown: PartView, piece: BlockRange) -> list[str]:
    return part_facts(piece.part) if shown.titled and piece.first_block == 1 else []


def _sheet(shown: PartView, piece: BlockRange, suffix: str) -> str:
    """A sheet inside a larger view; its own origin line is the view's already."""
    part = piece.part
    found = grid(piece.blocks, EVERYWHERE, _SHEET_CHARS, whole=True)
    if suffix == "txt":
        return sheet_text(found, part, shown.doc, shown.origin, shown.embeds).partition("\n\n")[2]
    whole = sheet_markdown(found, part, shown.doc, shown.origin, shown.embeds, formulas=shown.formulas)
    return whole.partition("\n\n")[2]


def _html(shown: PartView) -> str:
    body: list[Markup] = [element("p", shown.origin.line(), class_="source")]
    body += [element("p", f"Notice: {_flat(text)}", class_="source") for text in shown.notices]
    for piece in shown.pieces:
        if piece.part.kind == "sheet":
            found = grid(piece.blocks, EVERYWHERE, _SHEET_CHARS, whole=True)
            others = blocks_html(found.others, shown.doc, shown.embeds)
            body.append(sheet_html(found, piece.part, shown.doc, None, others))
            continue
        title = _title(shown, piece)
        blocks = blocks_html(piece.blocks, shown.doc, shown.embeds, formulas=shown.formulas)
        kind_id = f"{piece.part.kind}-{piece.part.n}"
        flag = " (hidden)" if piece.part.hidden else ""
        facts = [element("p", fact, class_="source") for fact in _facts(shown, piece)]
        body.append(element("section", *([element("h1", title + flag)] if title else []), *facts, blocks, id=kind_id))
    if shown.closing:
        body.append(element("p", shown.closing))
    return page(shown.origin.title or shown.origin.file, join(*body, between="\n"))


def _flat(text: str) -> str:
    return " ".join(text.split())


def from_block(doc: str, part: PartRecord, block: int, suffix: str = "") -> str:
    """The URI that goes on with that block of a part."""
    return format_uri(part.kind, doc, part.n, suffix=suffix, query={"from": str(block)})
