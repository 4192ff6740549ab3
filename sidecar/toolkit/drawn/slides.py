"""A slide by the boxes of its blocks, for formats whose shapes' look is not read: words, tables, pictures and charts at
their places on white. Not responsible for fills and fonts."""

from dataclasses import replace
from itertools import groupby

import msgspec

from sidecar.api import AnyBlock, Box, Figure, Heading, Note, NotFoundError, Paragraph, ParsedDocument, Part, Table
from sidecar.toolkit.drawn.blocks import Bytes, EmbedBytes, RunStyle, figure_of, paragraph_of, table_of
from sidecar.toolkit.drawn.model import PageDrawing, PlacedItem, ShapeItem, TextBody, TextParagraph, solid
from sidecar.toolkit.visible import visible

_WIDTH, _HEIGHT = 720.0, 540.0
_REMARK = "Drawn by DocSidecar from texts, pictures and their places: backgrounds, shapes and fonts are not shown."
_BESIDE = frozenset(("speaker", "comment", "annotation"))
_MARGIN = 0.06


def draw_boxes(document: ParsedDocument, number: int, name: str, data: Bytes) -> PageDrawing:
    """Slide `number`, 1-based. Raises NotFoundError where there is none."""
    if not 1 <= number <= len(document.parts):
        raise NotFoundError(f"{name} has {len(document.parts)} slides; there is no slide {number}.")
    part = document.parts[number - 1]
    width, height = part.width or _WIDTH, part.height or _HEIGHT
    embeds = EmbedBytes(document.embedded, data)
    items: list[PlacedItem] = []
    blocks = [shown for shown in map(visible, part.blocks) if not shown.hidden and _is_on_slide(shown)]
    for box, group in groupby(blocks, key=lambda block: block.box):
        texts: list[TextParagraph] = []
        gathered = list(group)
        place = box or _default(gathered[0], part, width, height)
        for block in gathered:
            item = _item(block, embeds, place)
            if item is not None:
                items.append(item)
            elif not isinstance(block, Table | Figure):
                texts.append(paragraph_of(block, _run_style(block)))
        if texts:
            body = TextBody(paragraphs=tuple(texts), fit=True)
            items.append(ShapeItem(box=place, body=body))
    return PageDrawing(width=width, height=height, fill=solid("#ffffff"), items=tuple(items), remark=_REMARK)


def _is_on_slide(block: AnyBlock) -> bool:
    return not (isinstance(block, Note) and block.kind in _BESIDE)


def _default(block: AnyBlock, part: Part, width: float, height: float) -> Box:
    """Where what says no place stands: titles at the top, the rest below."""
    left, right = width * _MARGIN, width * (1 - _MARGIN)
    if isinstance(block, Heading):
        return left, height * _MARGIN, right, height * 0.24
    return left, height * (0.28 if part.title else _MARGIN), right, height * (1 - _MARGIN)


def _run_style(block: AnyBlock) -> RunStyle:
    if isinstance(block, Heading):
        return RunStyle(30, align="center", after=4)
    if isinstance(block, Note) and block.kind in ("header", "footer"):
        return RunStyle(10, colour="#666666", after=0)
    return RunStyle(18 if not isinstance(block, Paragraph) or not block.style else 20, after=4)


def _item(block: AnyBlock, embeds: EmbedBytes, place: Box) -> PlacedItem | None:
    """A table, picture or chart at its place; None for words."""
    room = (max(place[2] - place[0], 20.0), max(place[3] - place[1], 20.0))
    if isinstance(block, Table):
        made = table_of(block, room[0], replace(RunStyle(14), after=0), place)
        if made is None:
            return None
        stretched = room[0] / sum(made.columns)  # a table on a slide is as wide as its frame
        return msgspec.structs.replace(made, columns=tuple(column * stretched for column in made.columns))
    if not isinstance(block, Figure):
        return None
    made = figure_of(block, embeds, room)
    if made is None:
        words = block.text or block.alt
        if not words:
            return None
        body = TextBody(paragraphs=(paragraph_of(Paragraph(text=words), RunStyle(14)),), fit=True)
        return ShapeItem(box=place, body=body)
    at = place if block.box is not None else (*place[:2], place[0] + made.box[2], place[1] + made.box[3])
    return msgspec.structs.replace(made, box=at)
