"""Labelled things of a document: captions bound to their figures and tables, and labels for what has none.

A caption stands right before or after what it labels; tables are mostly captioned above and figures below, which
settles which side is looked at first. Labels of our own count by chapter ("Figure c2-1"): Word files have no pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from sidecar.api.model import AnyBlock, Element, ElementType, Equation, Figure, Note, Paragraph, Table
from sidecar.toolkit.captions import Caption, match_caption
from sidecar.toolkit.ooxml.embeds import EmbedKey
from sidecar.toolkit.visible import visible
from sidecar_docx.body.text import text_of

_CONTEXT = 600
_TEXT = 4000
_LABELS: dict[ElementType, str] = {
    "figure": "Figure", "table": "Table", "equation": "Equation", "diagram": "Diagram", "chart": "Chart",
}  # fmt: skip
_BINDS: dict[ElementType, tuple[ElementType, ...]] = {
    "figure": ("figure", "chart", "diagram"), "table": ("table", "figure"), "equation": ("equation", "figure"),
    "diagram": ("diagram", "figure", "chart"), "chart": ("chart", "figure", "diagram"),
}  # fmt: skip
"""Caption type → the kinds of thing it may label, the likeliest first."""


@dataclass
class _Labelled:
    index: int
    type: ElementType
    caption: Caption | None = None
    caption_at: int = -1


def find_elements(
    chapters: list[list[AnyBlock]], bodies: Sequence[int], words: Mapping[EmbedKey, str]
) -> list[Element]:
    """The elements of all chapters; captions are written into the blocks they label (in place).

    Args:
        chapters: the blocks of every chapter.
        bodies: how many of a chapter's blocks are its body; a logo in a header after it is not a figure of the text.
        words: what charts say, by their embed."""
    made: list[Element] = []
    for number, (blocks, body) in enumerate(zip(chapters, bodies, strict=True), 1):
        made += _of_chapter(number, blocks, body, words)
    return made


def _of_chapter(number: int, blocks: list[AnyBlock], body: int, words: Mapping[EmbedKey, str]) -> list[Element]:
    things: dict[int, _Labelled] = {}
    captions: list[tuple[int, Caption]] = []
    for index, block in enumerate(blocks[:body]):
        kind = _type(block)
        if kind is not None:
            things[index] = _Labelled(index, kind)
        elif isinstance(block, Paragraph) and block.style != "toc":
            caption = match_caption(block.text) if len(block.text) <= 2000 else None
            if caption is not None and (block.style == "caption" or len(block.text) <= 600):
                captions.append((index, caption))
        elif isinstance(block, Note) and block.kind == "textbox" and len(block.text) <= 600:
            # Captions of pictures that text flows around live in a text box of their own.
            caption = match_caption(block.text)
            if caption is not None:
                captions.append((index, caption))
    loose = _bind(blocks, things, captions)
    found = [_element(number, blocks, thing, words) for thing in things.values() if _is_figure(blocks, thing)]
    found += [_by_caption(number, blocks, index, caption) for index, caption in loose]
    found.sort(key=lambda element: element.block)
    return _labelled(number, found)


def _type(block: AnyBlock) -> ElementType | None:
    if isinstance(block, Table):
        return "table" if block.first_row == 0 else None
    if isinstance(block, Equation):
        return "equation"
    if isinstance(block, Note):
        return "diagram" if block.kind == "smartart" else None
    if isinstance(block, Figure):
        if block.embed is not None and block.embed[0] in {"attachment", "media", "font"}:
            return None
        return "chart" if block.embed is not None and block.embed[0] == "chart" else "figure"
    return None


def _is_figure(blocks: list[AnyBlock], thing: _Labelled) -> bool:
    """The picture Word shows for an attached file is that file's, not a figure of the text."""
    before = blocks[thing.index - 1] if thing.index else None
    if thing.type != "figure" or thing.caption is not None or not isinstance(before, Figure):
        return True
    return before.embed is None or before.embed[0] != "attachment"


def _bind(
    blocks: list[AnyBlock], things: dict[int, _Labelled], captions: list[tuple[int, Caption]]
) -> list[tuple[int, Caption]]:
    """Give each caption its thing; the captions left over."""
    loose: list[tuple[int, Caption]] = []
    for index, caption in captions:
        steps = (1, -1) if caption.type == "table" else (-1, 1)
        found: _Labelled | None = None
        for allowed in _BINDS[caption.type]:
            for step in steps:
                near = _near(blocks, things, index, step)
                if near is not None and near.type == allowed and near.caption is None:
                    found = near
                    break
            if found is not None:
                break
        if found is None:
            loose.append((index, caption))
            continue
        found.caption, found.caption_at = caption, index
        block = blocks[found.index]
        if isinstance(block, (Figure, Table)):
            blocks[found.index] = msgspec.structs.replace(block, caption=text_of(blocks[index]))
    return loose


def _near(blocks: list[AnyBlock], things: dict[int, _Labelled], index: int, step: int) -> _Labelled | None:
    """The thing right before or after a caption; text boxes and further windows of a table do not come between."""
    at = index + step
    for _ in range(64):
        if not 0 <= at < len(blocks):
            return None
        if at in things:
            return things[at]
        block = blocks[at]
        if not isinstance(block, Table) and not (isinstance(block, Note) and block.kind in {"textbox", "form"}):
            return None
        at += step
    return None


def _element(number: int, blocks: list[AnyBlock], thing: _Labelled, words: Mapping[EmbedKey, str]) -> Element:
    block = visible(blocks[thing.index])
    label, caption = "", ""
    kind = thing.type
    if thing.caption is not None:
        label, caption = thing.caption.label, text_of(visible(blocks[thing.caption_at]))
        kind = thing.caption.type if thing.type == "figure" else thing.type
    elif isinstance(block, Equation) and block.label:
        label = f"Equation {block.label.strip('()[] ')}"
    if isinstance(block, Table):
        text = "\n".join("\t".join(row) for row in block.rows)
    elif isinstance(block, Figure):
        text = (words.get(block.embed) if block.embed is not None else "") or block.text or block.alt
    else:
        text = text_of(block)
    return Element(
        type=kind, label=label, part=number, block=thing.index + 1,
        caption=caption or (block.alt if isinstance(block, Figure) else ""),
        context=_context(blocks, thing.index, thing.caption_at), text=text[:_TEXT],
        latex=block.latex if isinstance(block, Equation) else "",
        embed=block.embed if isinstance(block, Figure) else None,
    )  # fmt: skip


def _by_caption(number: int, blocks: list[AnyBlock], index: int, caption: Caption) -> Element:
    """A caption whose thing is drawn in ways that leave no block: the caption itself is where it stands."""
    return Element(
        type=caption.type, label=caption.label, part=number, block=index + 1, caption=text_of(visible(blocks[index])),
        context=_context(blocks, index, index),
    )  # fmt: skip


def _labelled(number: int, found: list[Element]) -> list[Element]:
    """Labels for those without; a caption bound to several pictures labels the first, the others are ours."""
    counts: dict[ElementType, int] = {}
    made: list[Element] = []
    for element in found:
        if not element.label:
            counts[element.type] = counts.get(element.type, 0) + 1
            label = f"{_LABELS[element.type]} c{number}-{counts[element.type]}"
            made.append(msgspec.structs.replace(element, label=label, generated=True))
        else:
            made.append(element)
    return made


def _context(blocks: list[AnyBlock], index: int, skip: int) -> str:
    """Up to 600 characters around a block: first what leads to it, then what follows."""
    before: list[str] = []
    after: list[str] = []
    for texts, step in ((before, -1), (after, 1)):
        at, room = index + step, _CONTEXT // 2
        while 0 <= at < len(blocks) and room > 0 and abs(at - index) <= 6:
            block = blocks[at]
            if at != skip and not isinstance(block, (Note, Table, Figure)):
                text = " ".join(text_of(visible(block)).split())
                if text:
                    texts.append(text[-room:] if step < 0 else text[:room])
                    room -= len(text) + 1
            at += step
    return "\n".join([*reversed(before), *after])[:_CONTEXT]
