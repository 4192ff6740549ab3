"""The plugin class for OWPML documents: recognised by the package's own word. Imports nothing heavy."""

from __future__ import annotations

from sidecar.api import DamagedError, Limits, ParsedDocument, Payload, Source


class HwpxFormat:
    """Documents of Hancom Office since 2010 (KS X 6101)."""

    name = "hwpx"
    version = "1"
    media_types: tuple[str, ...] = ("application/hwp+zip", "application/vnd.hancom.hwpx")
    suffixes: tuple[str, ...] = (".hwpx", ".hwtx")

    def score(self, source: Source) -> int:
        """100 where the package says so in its first bytes, 60 for a zip file of one of the suffixes, 10 for the suffix
        alone (the parse then says what is wrong)."""
        ours = source.suffix in self.suffixes
        if not source.head.startswith(b"PK"):
            return 10 if ours else 0
        return 100 if b"mimetypeapplication/hwp" in source.head[:120] else 60 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The document's chapters. Raises FormatError."""
        from sidecar_hwpx.parse import parse

        try:
            return parse(source, limits)
        except RecursionError as error:
            raise DamagedError(f"{source.name} nests its content too deep to be read.") from error

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture that stands in the document. Raises NotFoundError, FormatError."""
        from sidecar.toolkit.ooxml.embedded import open_part_of

        return open_part_of(source, ref, limits)
