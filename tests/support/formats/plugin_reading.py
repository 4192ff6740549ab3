"""What the tests of format plugins share: read bytes, check the result against the contract, look at its blocks."""

from __future__ import annotations

import random
from typing import TypeVar

from contract.conformance import check_document, check_notes

from sidecar.api import AnyBlock, FormatError, FormatPlugin, Limits, ParsedDocument, Source, Span

Kind = TypeVar("Kind", bound=AnyBlock)

__all__ = ["blocks", "of", "read", "read_broken", "spans"]


def read(plugin: FormatPlugin, data: bytes | str, name: str, limits: Limits | None = None) -> ParsedDocument:
    """The document, after the contract's checks."""
    source = Source.of_bytes(data.encode() if isinstance(data, str) else data, name)
    document = plugin.parse(source, limits or Limits(ocr=False))
    check_document(document, limits)
    check_notes(document)
    return document


def blocks(document: ParsedDocument) -> list[AnyBlock]:
    return [block for part in document.parts for block in part.blocks]


def of(document: ParsedDocument, kind: type[Kind]) -> list[Kind]:
    """The blocks of one kind, in order."""
    return [block for block in blocks(document) if isinstance(block, kind)]


def spans(text: str, found: tuple[Span, ...]) -> list[tuple[str, str, str]]:
    """`(kind, the stretch of text, value)` of each span."""
    return [(span.kind, text[span.start : span.end], span.value) for span in found]


def read_broken(plugin: FormatPlugin, sound: bytes, name: str, noise: random.Random, *, kept: int, times: int) -> None:
    """Read a file so many times, each with up to eight bytes behind the first `kept` ones changed. It may be refused
    with a FormatError; whatever else is raised comes through."""
    for _ in range(times):
        broken = bytearray(sound)
        for _ in range(noise.randrange(1, 9)):
            broken[noise.randrange(kept, len(broken))] = noise.randrange(256)
        try:
            plugin.parse(Source.of_bytes(bytes(broken), name), Limits())
        except FormatError:
            continue
