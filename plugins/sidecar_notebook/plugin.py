"""The notebook format plugin (.ipynb). Imports nothing heavy."""

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.text import looks_binary


class NotebookFormat:
    """Jupyter notebooks."""

    name = "notebook"
    version = "7"
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

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document. Raises FormatError."""
        from sidecar_notebook.parse import parse

        return parse(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes behind an `Embed.ref` of the document. Raises NotFoundError."""
        from sidecar_notebook.parse import open_embedded

        return open_embedded(source, ref, limits)
