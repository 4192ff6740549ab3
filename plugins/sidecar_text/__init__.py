"""Plain text, source code, reStructuredText, Org and delimited tables."""

from sidecar_text.plugin import CsvFormat, TextFormat

__all__ = ["CsvFormat", "TextFormat"]
