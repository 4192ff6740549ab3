"""The text format plugin: prose, source code and the light markups, told apart by name. Imports nothing heavy.

It is also the last resort: any file that is text and that no other plugin wants is read here.
"""

from __future__ import annotations

from sidecar.api import Limits, ParsedDocument, Source
from sidecar.toolkit.text import looks_binary
from sidecar_text.languages import NOT_PLAIN, SUFFIXES, language_of

__all__ = ["TextFormat"]


class TextFormat:
    name = "text"
    version = "1"
    media_types: tuple[str, ...] = (
        "text/plain",
        "text/x-rst",
        "text/x-org",
        "application/json",
        "application/xml",
        "application/yaml",
    )
    suffixes: tuple[str, ...] = tuple(sorted(SUFFIXES))

    def score(self, source: Source) -> int:
        head = source.head
        if looks_binary(head) or head.lstrip().startswith(NOT_PLAIN):
            return 0
        if source.suffix in SUFFIXES or language_of(source.name, head) is not None:
            return 50
        return 10

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        from sidecar_text.parse import parse

        return parse(source, limits)
