"""Electronic books (EPUB 2 and 3)."""

from sidecar_epub.plugin import EpubFormat as EpubFormat
