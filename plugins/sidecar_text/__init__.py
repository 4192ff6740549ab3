"""Plain text, source code, reStructuredText, Org and delimited tables."""

from sidecar_text.csv_plugin import CsvFormat
from sidecar_text.plugin import TextFormat

__all__ = ["CsvFormat", "TextFormat"]
