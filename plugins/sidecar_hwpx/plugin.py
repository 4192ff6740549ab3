"""The plugin class for Hancom's documents: recognised by their own words. Imports nothing heavy."""

from sidecar.api import DamagedError, Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import directory_head

_SUMMARY = "HwpSummaryInformation".encode("utf-16-le")
_VERSION_3 = b"HWP Document File"


class HwpxFormat:
    """Documents of Hancom Office: OWPML since 2010 (KS X 6101), and of version 5."""

    name = "hwpx"
    version = "16"
    media_types: tuple[str, ...] = ("application/hwp+zip", "application/vnd.hancom.hwpx", "application/x-hwp")
    suffixes: tuple[str, ...] = (".hwpx", ".hwtx", ".hwp", ".hwt")

    def score(self, source: Source) -> int:
        """95 to 100 where its first bytes or the directory of an OLE file say so, 60 for a zip or OLE file of one of
        the suffixes, 10 for the suffix alone (the parse then says what is wrong)."""
        ours = source.suffix in self.suffixes
        if source.head.startswith(_VERSION_3):
            return 95
        if source.head.startswith(OLE_MAGIC):
            return 95 if _SUMMARY in directory_head(source) else 60 if ours else 0
        if not source.head.startswith(b"PK"):
            return 10 if ours else 0
        return 100 if b"mimetypeapplication/hwp" in source.head[:120] else 60 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The document's chapters. Raises FormatError."""
        from sidecar_hwpx.parse import parse

        try:
            return parse(source, limits)
        except RecursionError as error:
            raise DamagedError(f"{source.name} nests its content too deeply to be read.") from error

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """A picture that stands in the document. Raises NotFoundError, FormatError."""
        from sidecar.toolkit.ooxml.embedded import open_part_of
        from sidecar_hwpx.hwp import packed

        return open_part_of(packed(source, limits), ref, limits)
