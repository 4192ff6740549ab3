"""Elements of a slide: its pictures, tables, charts, diagrams and equations, each bound to its caption or given a
stable label; and which shapes connectors make a diagram. Not responsible for finding the others in the file."""

from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.api import AnyBlock, Box, Element, ElementType, Heading, ListItem, Paragraph
from sidecar.toolkit.captions import Caption, match_caption
from sidecar.toolkit.ooxml.embeds import EmbedKey
from sidecar.toolkit.ooxml.namespaces import A
from sidecar.toolkit.visible import visible
from sidecar_pptx.shapes import Shape, flat

_FITS: dict[ElementType, frozenset[ElementType]] = {
    # What a caption word may name: people write "Figure" under charts and diagrams, and "Diagram" under a picture.
    "figure": frozenset({"figure", "chart", "diagram"}),
    "diagram": frozenset({"diagram", "figure", "chart"}),
    "chart": frozenset({"chart", "figure", "diagram"}),
    "table": frozenset({"table", "figure"}),
    "equation": frozenset({"equation", "figure"}),
}
_FARTHEST = 120.0  # points between a caption and what it names
_CONTEXT = 600
_ENDS = (f"{A}stCxn", f"{A}endCxn")
_MIN_SHAPES = 3
"""Shapes joined by connectors that make a diagram."""


@dataclass
class ElementCandidate:
    """An element on a slide; `block` is the 1-based block it stands in."""

    type: ElementType
    block: int
    box: Box | None = None
    text: str = ""
    latex: str = ""
    embed: EmbedKey | None = None
    caption: str = ""


def label_elements(found: Sequence[ElementCandidate], blocks: Sequence[AnyBlock], number: int) -> list[Element]:
    """Elements of slide `number`. A caption binds to the nearest element it can name that stands within 120 points;
    each caption and each element is used once. The rest are "Figure p3-1": kind, slide, ordinal of the kind."""
    if not found:
        return []
    captions = _bound(found, blocks)
    words = words_of(blocks)
    counts: dict[ElementType, int] = {}
    made: list[Element] = []
    for index, item in enumerate(found):
        counts[item.type] = counts.get(item.type, 0) + 1
        caption = captions.get(index)
        label = caption.label if caption else f"{item.type.capitalize()} p{number}-{counts[item.type]}"
        made.append(
            Element(
                type=item.type,
                label=label,
                part=number,
                block=item.block,
                page=number,
                box=item.box,
                caption=caption.text if caption else item.caption,
                context=context_of(words, item.block),
                text=item.text,
                latex=item.latex,
                embed=item.embed,
                generated=caption is None,
            )
        )
    return made


def words_of(blocks: Sequence[AnyBlock]) -> list[tuple[int, str]]:
    """The text of a slide that its readers see, by the number of its block."""
    seen = ((index, visible(block)) for index, block in enumerate(blocks, 1))
    return [(index, block.text) for index, block in seen if isinstance(block, Heading | Paragraph | ListItem)]


def context_of(words: Sequence[tuple[int, str]], block: int, size: int = _CONTEXT) -> str:
    """The text of a slide around a block: up to half of `size` characters from before it, the rest from after."""
    before = "\n".join(text for index, text in words if index < block)
    after = "\n".join(text for index, text in words if index >= block)
    head = before[-max(size // 2, size - len(after) - 1) :]
    return f"{head}\n{after}".strip()[:size].strip()


def _bound(found: Sequence[ElementCandidate], blocks: Sequence[AnyBlock]) -> dict[int, Caption]:
    pairs: list[tuple[float, int, int, Caption]] = []
    for position, block in enumerate(blocks, 1):
        if not isinstance(block, Heading | Paragraph | ListItem):
            continue
        caption = match_caption(block.text)
        if caption is None:
            continue
        for index, item in enumerate(found):
            if item.type not in _FITS[caption.type]:
                continue
            distance = _distance(block.box, item.box) if block.box and item.box else 20.0 * abs(position - item.block)
            if distance <= _FARTHEST:
                # An exact kind wins over a loose one at about the same distance.
                pairs.append((distance + (0 if item.type == caption.type else 20), position, index, caption))
    captions: dict[int, Caption] = {}
    used: set[int] = set()
    for _, position, index, caption in sorted(pairs, key=lambda pair: pair[:3]):
        if position not in used and index not in captions:
            used.add(position)
            captions[index] = caption
    return captions


def _distance(first: Box, second: Box) -> float:
    """Points of empty space between two boxes, sideways counting double: captions stand above or below."""
    sideways = max(first[0] - second[2], second[0] - first[2], 0.0)
    upright = max(first[1] - second[3], second[1] - first[3], 0.0)
    return 2 * sideways + upright


def connected(shapes: list[Shape]) -> list[list[Shape]]:
    """Groups of at least three shapes that glued connectors join (§20.1.2.2), each in drawing order."""
    every = [shape for shape in flat(shapes) if shape.id]
    above: dict[str, str] = {}

    def root(key: str) -> str:
        while above.setdefault(key, key) != key:
            key = above[key]
        return key

    for shape in every:
        if shape.kind != "connector":
            continue
        ends = [node.get("id", "") for name in _ENDS for node in shape.node.iter(name)]
        if len(ends) == 2 and all(ends):
            above[root(ends[0])] = root(ends[1])
    groups: dict[str, list[Shape]] = {}
    for shape in every:
        if shape.id in above and shape.kind != "connector":
            groups.setdefault(root(shape.id), []).append(shape)
    return [group for group in groups.values() if len(group) >= _MIN_SHAPES]
