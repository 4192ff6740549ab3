"""The Markdown format plugin. Known by suffix, since Markdown has no signature. Imports nothing heavy."""

from sidecar.api import LazyFormat, Source
from sidecar.toolkit.text import looks_binary


class MarkdownFormat(LazyFormat):
    """Markdown files: `.md` and its relatives."""

    name = "markdown"
    version = "28"
    media_types: tuple[str, ...] = ("text/markdown", "text/x-markdown")
    suffixes: tuple[str, ...] = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")

    def score(self, source: Source) -> int:
        """70 for text of one of the suffixes."""
        if source.suffix not in self.suffixes or looks_binary(source.head):
            return 0
        return 70
