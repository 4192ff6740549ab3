"""What the index keeps of a document beside its blocks, without hidden text: titles, elements, embedded things, facts.

Blocks are kept as they are, so that hidden text can be asked for; `toolkit.visible` says what of them is shown."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sidecar.api.model import AnyBlock, Element, Embed, Figure, Heading, Paragraph, ParsedDocument, Part, Table
from sidecar.toolkit.text import map_texts
from sidecar.toolkit.visible import invisible_spans, visible_parts, visible_text
from sidecar.views.searchable import row_texts

_ELEMENT_CHARS = 20_000
"""Of the text of a table that lost hidden cells."""


def clean_head(parsed: ParsedDocument, head: bytes) -> ParsedDocument:
    """The document without characters that have no shape in everything but its blocks; `head` is that, as JSON."""
    if head.isascii() or not invisible_spans(head.decode()):
        return parsed
    parts = tuple(
        [
            replace(one, title=visible_text(one.title), name=visible_text(one.name), metadata=_texts(one.metadata))
            for one in parsed.parts
        ]
    )
    return replace(
        parsed, title=visible_text(parsed.title), printed_title=visible_text(parsed.printed_title),
        description=visible_text(parsed.description),
        metadata=_texts(parsed.metadata), parts=parts, elements=map_texts(parsed.elements, visible_text),
        embedded=tuple([_clean_embed(embed) for embed in parsed.embedded]),
        notices=map_texts(parsed.notices, visible_text),
    )  # fmt: skip


def _texts(metadata: Mapping[str, str]) -> dict[str, str]:
    return {visible_text(key): visible_text(value) for key, value in metadata.items()}


def _clean_embed(embed: Embed) -> Embed:
    """Its `ref` stays: it leads to the bytes."""
    texts = {name: visible_text(getattr(embed, name)) for name in ("name", "alt", "context")}
    return replace(embed, chart=map_texts(embed.chart, visible_text), **texts)


def without_hidden(parsed: ParsedDocument) -> tuple[ParsedDocument, Sequence[Part]]:
    """The document with titles, elements and embedded things that quote no hidden text, and its parts without such.

    Elements that stand in hidden text are not listed, and of a hidden picture nothing but its bytes is told."""
    shown = visible_parts(parsed.parts)
    if any(one.hidden for one in parsed.embedded):
        embedded = [replace(one, alt="", context="") if one.hidden else one for one in parsed.embedded]
        parsed = replace(parsed, embedded=tuple(embedded))
    if all(one is other for one, other in zip(parsed.parts, shown, strict=True)):
        return parsed, shown
    left = _changed(parsed.parts, shown)
    parts, shown = _retitled(parsed.parts, left), _retitled(shown, left)
    elements = [made for element in parsed.elements if (made := _element(element, parsed.parts, shown, left))]
    titles = {name: left.get(_key(getattr(parsed, name)), getattr(parsed, name)) for name in ("title", "printed_title")}
    return replace(parsed, **titles, parts=parts, elements=tuple(elements)), shown


def named_embeds(part: Part) -> set[tuple[str, int]]:
    """What the figures of a part show, hidden ones too: nobody else needs to tell of it."""
    return {block.embed for block in part.blocks if isinstance(block, Figure) and block.embed is not None}


def _changed(parts: Sequence[Part], shown: Sequence[Part]) -> dict[str, str]:
    """The text of each heading and paragraph with hidden text in it → what is left of it."""
    found: dict[str, str] = {}
    for part, other in zip(parts, shown, strict=True):
        if part is not other:
            for block, seen in zip(part.blocks, other.blocks, strict=True):
                if block is not seen and isinstance(block, (Heading, Paragraph)):
                    found[_key(block.text)] = _key(getattr(seen, "text", ""))
    return found


def _retitled(parts: Sequence[Part], left: Mapping[str, str]) -> tuple[Part, ...]:
    return tuple([replace(part, title=left[_key(part.title)]) if _key(part.title) in left else part for part in parts])


def _key(text: str) -> str:
    return " ".join(text.split())


def _element(element: Element, parts: Sequence[Part], shown: Sequence[Part], left: Mapping[str, str]) -> Element | None:
    """The element as it is shown; None where all of it is hidden."""
    caption = left.get(_key(element.caption), element.caption)
    found = _at(element, parts), _at(element, shown)
    if found[0] is not found[1]:
        if isinstance(found[1], Table):
            element = replace(element, text="\n".join(row_texts(found[1]))[:_ELEMENT_CHARS])
        elif isinstance(found[1], Paragraph) and not found[1].text:
            return None
    return element if caption == element.caption else replace(element, caption=caption)


def _at(element: Element, parts: Sequence[Part]) -> AnyBlock | None:
    """The block an element stands in."""
    if not 0 < element.part <= len(parts):
        return None
    blocks = parts[element.part - 1].blocks
    return blocks[element.block - 1] if 0 < element.block <= len(blocks) else None
