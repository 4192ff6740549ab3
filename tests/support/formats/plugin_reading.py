"""What the tests of format plugins share: read bytes, check the result against the contract, look at its blocks."""

from __future__ import annotations

from typing import TypeVar

from contract.conformance import check_document, check_notes

from sidecar.api import AnyBlock, FormatPlugin, Limits, ParsedDocument, Source, Span

Kind = TypeVar("Kind", bound=AnyBlock)

__all__ = ["blocks", "of", "read", "spans"]


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
