"""What a view would say twice: a caption that is also a paragraph beside its picture or table, the hidden flag on text
that is hidden anyway. Blocks go in, blocks without the repetition come out."""

from collections.abc import Mapping, Sequence

import msgspec

from sidecar.api import AnyBlock, ChartData, Embed, EmbedKind, Figure, Heading, ListItem, Note, Paragraph, Table
from sidecar.toolkit.captions import match_caption

_MAX_BETWEEN = 6
"""A caption paragraph stands at most this many blocks from what it labels: text boxes and table windows between."""


def without_repeats(blocks: Sequence[AnyBlock]) -> tuple[AnyBlock, ...]:
    """The blocks, each saying what no other says. A figure whose caption goes keeps the caption's label as its name."""
    made = list(blocks)
    for index, block in enumerate(blocks):
        if isinstance(block, (Figure, Table)):
            if block.caption and _repeats_text(blocks, index, block.caption):
                made[index] = _uncaptioned(block)
        elif block.hidden and isinstance(block, (Paragraph, Heading, ListItem, Note)) and block.spans:
            spans = tuple(span for span in block.spans if span.kind != "hidden")
            made[index] = msgspec.structs.replace(block, spans=spans)
    return tuple(made)


def chart_of(block: Figure, embeds: Mapping[tuple[EmbedKind, int], Embed]) -> ChartData | None:
    """The data of the chart a figure shows, None where it shows none."""
    embed = embeds.get(block.embed) if block.embed is not None else None
    return embed.chart if embed is not None else None


def _uncaptioned(block: Figure | Table) -> AnyBlock:
    if isinstance(block, Table) or block.alt:
        return msgspec.structs.replace(block, caption="")
    found = match_caption(block.caption)
    return msgspec.structs.replace(block, caption="", alt=found.label if found is not None else "")


def _repeats_text(blocks: Sequence[AnyBlock], index: int, caption: str) -> bool:
    wanted = _key(caption)
    for other in blocks[max(index - _MAX_BETWEEN, 0) : index + _MAX_BETWEEN + 1]:
        if isinstance(other, (Paragraph, Heading, ListItem)) and _key(other.text) == wanted:
            return True
        if isinstance(other, Note) and other.kind == "textbox" and _key(other.text) == wanted:
            return True
    return False


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
