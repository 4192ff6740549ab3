"""Electronic books (EPUB 2 and 3)."""

from sidecar_epub.plugin import EpubFormat

__all__ = ["EpubFormat"]
