"""Cuts a flat run of blocks into chapters at its headings, and lists the labelled elements of the chapters.

Not responsible for finding headings, nor for parts of another kind (sheets, slides, pages)."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from sidecar.api.model import (
    AnyBlock,
    ChartData,
    Code,
    Element,
    ElementType,
    Embed,
    Equation,
    Figure,
    Heading,
    ListItem,
    Note,
    Paragraph,
    Part,
    Table,
)
from sidecar.toolkit.captions import match_caption
from sidecar.toolkit.text import leading_words, trailing_words
from sidecar.toolkit.visible import visible, visible_parts

_CONTEXT = 600


@dataclass(frozen=True)
class Chapters:
    """The document's own title ("" where no heading serves as one) and its chapters."""

    title: str
    parts: tuple[Part, ...]


def split_chapters(blocks: Sequence[AnyBlock], title: str = "", max_parts: int = 100_000) -> Chapters:
    """Chapters at the highest heading level that occurs at least twice; deeper headings stay blocks inside them.

    A heading that is alone on the top level and comes before the others names the document, not a chapter: its title
    is used (where none was given) and the level below cuts. So a README with one H1 and six H2 has six chapters, a book
    of twelve H1 has twelve, and a page with no or one heading has one. What stands before the first cut is a chapter of
    its own when it says anything, else it joins the first."""
    heads = [at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.text]
    levels = [block.level for block in blocks if isinstance(block, Heading) and block.text]
    if not levels:
        return Chapters(title, (Part(kind="chapter", title=title, blocks=tuple(blocks)),) if blocks else ())
    top = min(levels)
    named = levels[0] == top and levels.count(top) == 1
    if named:
        title = title or _text(blocks, heads[0])
    if len(heads) == 1:
        return Chapters(title, (Part(kind="chapter", title=_text(blocks, heads[0]), blocks=tuple(blocks)),))
    cut = next((level for level in sorted(set(levels)) if sum(other <= level for other in levels) >= 2), top)
    starts = [at for at, level in zip(heads, levels, strict=True) if level <= cut]
    titles = [_text(blocks, at) for at in starts]
    if named and _only_headings(blocks[starts[0] : starts[1]]):
        del starts[0], titles[0]  # the title stands directly above the first chapter, and goes with it
    if named or _only_headings(blocks[: starts[0]]):
        starts[0] = 0
    elif starts[0]:
        starts.insert(0, 0)
        titles.insert(0, "")
    starts, titles = starts[:max_parts], titles[:max_parts]
    ends = [*starts[1:], len(blocks)]
    return Chapters(
        title,
        tuple(
            Part(kind="chapter", title=name, blocks=tuple(blocks[start:end]))
            for name, start, end in zip(titles, starts, ends, strict=True)
        ),
    )


def behind_first(parts: tuple[Part, ...], blocks: Sequence[AnyBlock]) -> tuple[Part, ...]:
    """The parts with what belongs to every page (headers, footers) at the end of the first, made if there is none."""
    if not blocks:
        return parts
    first, *rest = parts or (Part(kind="chapter"),)
    return (replace(first, blocks=(*first.blocks, *blocks)), *rest)


def _text(blocks: Sequence[AnyBlock], at: int) -> str:
    block = blocks[at]
    return block.text if isinstance(block, Heading) else ""


def _only_headings(blocks: Sequence[AnyBlock]) -> bool:
    return all(isinstance(block, Heading) for block in blocks)


def block_text(block: AnyBlock) -> str:
    """The plain text of a block, as one would quote it: a table row by row with tabs."""
    if isinstance(block, Table):
        return "\n".join("\t".join(row) for row in block.rows)
    if isinstance(block, Figure):
        return "\n".join(filter(None, (block.caption or block.alt, block.text)))
    return block.text


def elements_of(parts: Sequence[Part], embedded: Sequence[Embed] = ()) -> tuple[Element, ...]:
    """Every table, figure, chart (its words from `embedded`) and displayed equation as an element, in order.

    The label is the caption's own ("Table 5") where the block carries one or the paragraph right above or below it is
    one; otherwise "Table c3-1": the first table of the third part. Follow-on windows of a long table are not listed
    again, nor figures of which nothing is known but that they are there."""
    found: list[Element] = []
    charts: dict[tuple[str, int], ChartData] = {}
    words: dict[tuple[str, int], str] = {}
    if any(embed.chart is not None for embed in embedded):
        from sidecar.toolkit.ooxml.chart import chart_text  # loads an XML parser, which most texts do without

        charts = {("chart", embed.id): embed.chart for embed in embedded if embed.chart is not None}
        words = {key: chart_text(chart) for key, chart in charts.items()}
    for number, whole in enumerate(parts, 1):
        if not any(map(_element_type, whole.blocks)):
            continue
        (part,) = visible_parts([whole])
        counts: dict[str, int] = {}
        taken: set[int] = set()
        for at, block in enumerate(part.blocks):
            kind = _element_type(block)
            if kind is None:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            caption, label, labelled_type = _label(part.blocks, at, kind, taken)
            shown = (block.embed if isinstance(block, Figure) else None) or ("", 0)
            found.append(
                Element(
                    type=labelled_type if label and kind == "figure" else kind,
                    label=label or f"{kind.capitalize()} {part.kind[0]}{number}-{counts[kind]}", generated=not label,
                    part=number, block=at + 1, page=block.page, box=block.box,
                    caption=caption or (charts[shown].title if shown in charts else ""),
                    context=_context(part.blocks, at), text=words.get(shown) or _element_text(block),
                    latex=block.latex if isinstance(block, Equation) else "",
                    embed=block.embed if isinstance(block, Figure) else None,
                )
            )  # fmt: skip
    return tuple(found)


def _element_text(block: AnyBlock) -> str:
    return "" if isinstance(block, Equation) else block_text(block)[:20_000]


def _element_type(block: AnyBlock) -> ElementType | None:
    if not isinstance(block, (Figure, Table, Equation)):
        return None
    if isinstance(block, Table):
        return "table" if block.first_row == 0 else None
    if isinstance(block, Figure) and block.embed is not None and block.embed[0] == "chart":
        return "chart"
    if isinstance(block, Figure):
        return "figure" if block.embed or block.alt or block.caption or block.text else None
    return "equation"


def _label(blocks: Sequence[AnyBlock], at: int, kind: ElementType, taken: set[int]) -> tuple[str, str, ElementType]:
    """`(caption, label, type)` of the block at `at`; `taken` holds the caption paragraphs already given away."""
    block = blocks[at]
    own = block.caption if isinstance(block, (Table, Figure)) else ""
    if isinstance(block, Equation):
        return "", f"Equation {block.label}" if block.label else "", kind
    if own:
        match = match_caption(own)
        return own, match.label if match else "", match.type if match else kind
    # Captions of tables stand above them more often, those of figures below.
    for near in (at - 1, at + 1) if kind == "table" else (at + 1, at - 1):
        if 0 <= near < len(blocks) and near not in taken:
            beside = blocks[near]
            match = match_caption(beside.text) if isinstance(beside, (Paragraph, Heading)) else None
            if match and (match.type == "table") == (kind == "table"):
                taken.add(near)
                return block_text(beside), match.label, match.type
    return (block.alt if isinstance(block, Figure) else ""), "", kind


def _context(blocks: Sequence[AnyBlock], at: int) -> str:
    """Up to 600 characters of the text around a block: what leads to it first, then what follows."""
    before = after = ""
    for block in reversed(blocks[max(at - 3, 0) : at]):
        if isinstance(block, (Heading, Paragraph, ListItem, Code, Note)):
            before = f"{block.text}\n{before}"
        if len(before) >= _CONTEXT // 2:
            break
    for block in blocks[at + 1 : at + 4]:
        if isinstance(block, (Paragraph, ListItem, Code, Note)):
            after += f"{block.text}\n"
        if isinstance(block, Heading) or len(after) >= _CONTEXT // 2:
            break
    return (trailing_words(before, _CONTEXT // 2) + leading_words(after, _CONTEXT // 2)).strip()


def place_embeds(parts: Sequence[Part], embedded: Sequence[Embed]) -> tuple[Embed, ...]:
    """The embeds with the part and block of the first figure that shows each, and the text around it."""
    places: dict[tuple[str, int], tuple[int, int]] = {}
    for number, part in enumerate(parts, 1):
        for at, block in enumerate(part.blocks):
            if isinstance(block, Figure) and block.embed is not None:
                places.setdefault(block.embed, (number, at))
    placed: list[Embed] = []
    for embed in embedded:
        place = places.get((embed.kind, embed.id))
        if place is None:
            placed.append(embed)
            continue
        part, at = place
        near = parts[part - 1].blocks[max(at - 3, 0) : at + 4]
        context = _context([visible(block) for block in near], min(at, 3))[:200]
        placed.append(replace(embed, part=part, block=at + 1, context=embed.context or context))
    return tuple(placed)
