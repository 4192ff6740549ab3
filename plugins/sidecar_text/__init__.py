"""Plain text, source code, reStructuredText, Org and delimited tables."""

from sidecar_text.plugin import CsvFormat as CsvFormat
from sidecar_text.plugin import TextFormat as TextFormat
