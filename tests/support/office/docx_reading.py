"""Reads Word packages made in memory through the plugin's public surface."""

from __future__ import annotations

from sidecar_docx import DocxFormat

from sidecar.api import AnyBlock, Limits, ParsedDocument, Source

FORMAT = DocxFormat()
LIMITS = Limits()


def parsed(data: bytes, name: str = "a.docx") -> ParsedDocument:
    return FORMAT.parse(Source.of_bytes(data, name), LIMITS)


def blocks(data: bytes) -> list[AnyBlock]:
    return [block for chapter in parsed(data).parts for block in chapter.blocks]
