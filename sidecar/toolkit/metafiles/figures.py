"""Gives the figures of a document the words of the metafiles they show, and its elements too."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from sidecar.api import AnyBlock, Element, Embed, EmbedKind, Figure, FormatError, ParsedDocument, Part
from sidecar.toolkit.metafiles import METAFILES, metafile_words

_PACKED = (".emz", ".wmz")
_MAX_BYTES = 256 * 2**20
"""Of all metafiles of a document that are looked into, packed as they lie there."""
_MAX_ELEMENT_CHARS = 20_000

_Key = tuple[EmbedKind, int]
_Words = Mapping[_Key, str]
_Place = tuple[int | None, int]
"""A part and a block of it, both from 1."""


def with_drawn_words(document: ParsedDocument, read: Callable[[str], bytes]) -> ParsedDocument:
    """The document with what its metafiles say in the figures that show them. `read` gives the bytes behind an
    `Embed.ref`; what it cannot read (FormatError) says nothing."""
    words = _words(document.embedded, read)
    if not words:
        return document
    shown = {block.embed for part in document.parts for block in part.blocks if isinstance(block, Figure)}
    beside: Mapping[_Place, _Key] = {
        (embed.part, embed.block): (embed.kind, embed.id)
        for embed in document.embedded
        if (embed.kind, embed.id) in words and (embed.kind, embed.id) not in shown and embed.part and embed.block
    }  # the picture of an attached object stands where that does
    parts = tuple(_part(number, part, words, beside) for number, part in enumerate(document.parts, 1))
    elements = tuple(_element(element, words) for element in document.elements)
    return replace(document, parts=parts, elements=elements)


def _words(embedded: tuple[Embed, ...], read: Callable[[str], bytes]) -> _Words:
    found: dict[_Key, str] = {}
    left = _MAX_BYTES
    for embed in embedded:
        if not (embed.media_type in METAFILES or embed.name.lower().endswith(_PACKED)) or not embed.ref:
            continue
        left -= embed.size
        if left < 0:
            break
        try:
            words = metafile_words(read(embed.ref))
        except FormatError:
            continue
        if words:
            found[embed.kind, embed.id] = words
    return found


def _part(number: int, part: Part, words: _Words, beside: Mapping[_Place, _Key]) -> Part:
    def block_of(at: int, block: AnyBlock) -> AnyBlock:
        if not isinstance(block, Figure):
            return block
        text = words.get(block.embed, "") if block.embed is not None else ""
        text = text or words.get(beside.get((number, at), ("image", -1)), "")
        return replace(block, text="\n".join(filter(None, (block.text, text)))) if text else block

    blocks = tuple(block_of(at, block) for at, block in enumerate(part.blocks, 1))
    return replace(part, blocks=blocks) if any(a is not b for a, b in zip(blocks, part.blocks, strict=True)) else part


def _element(element: Element, words: _Words) -> Element:
    spoken = words.get(element.embed, "") if element.embed is not None else ""
    text = "\n".join(filter(None, (element.text, spoken)))
    return replace(element, text=text[:_MAX_ELEMENT_CHARS]) if spoken else element
