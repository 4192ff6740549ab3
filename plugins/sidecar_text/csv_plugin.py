"""The delimited-table format plugin (CSV, TSV, PSV). Imports nothing heavy."""

from __future__ import annotations

from sidecar.api import Limits, ParsedDocument, Source
from sidecar.toolkit.text import looks_binary

__all__ = ["CsvFormat"]


class CsvFormat:
    name = "csv"
    version = "1"
    media_types: tuple[str, ...] = ("text/csv", "text/tab-separated-values")
    suffixes: tuple[str, ...] = (".csv", ".tsv", ".tab", ".psv", ".ssv")

    def score(self, source: Source) -> int:
        if source.suffix not in self.suffixes or looks_binary(source.head):
            return 0
        return 70

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        from sidecar_text.delimited import parse

        return parse(source, limits)
