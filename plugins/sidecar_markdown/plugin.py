"""The Markdown format plugin. Known by suffix, since Markdown has no signature. Imports nothing heavy."""

from __future__ import annotations

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.text import looks_binary

__all__ = ["MarkdownFormat"]


class MarkdownFormat:
    name = "markdown"
    version = "1"
    media_types: tuple[str, ...] = ("text/markdown", "text/x-markdown")
    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")

    def score(self, source: Source) -> int:
        if source.suffix not in self.suffixes or looks_binary(source.head):
            return 0
        return 70

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        from sidecar_markdown.parse import parse

        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        from sidecar_markdown.parse import open_embedded

        return open_embedded(source, ref, limits)
