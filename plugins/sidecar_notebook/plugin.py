"""The notebook format plugin (.ipynb). Imports nothing heavy."""

from sidecar.api import LazyFormat, Source
from sidecar.toolkit.text import looks_binary


class NotebookFormat(LazyFormat):
    """Jupyter notebooks."""

    name = "notebook"
    version = "24"
    media_types: tuple[str, ...] = ("application/x-ipynb+json",)
    suffixes: tuple[str, ...] = (".ipynb",)

    def score(self, source: Source) -> int:
        """How sure the plugin is of a file; 0 declines."""
        head = source.head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not head.startswith(b"{") or looks_binary(source.head):
            return 0
        if source.suffix in self.suffixes:
            return 80
        return 65 if b'"cells"' in head and b'"cell_type"' in head else 0
