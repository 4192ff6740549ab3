"""The format plugin: tells spreadsheets by their first bytes and hands them to the reader of their kind.

Imports nothing heavy: the serving process loads this class only to know its name and suffixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from sidecar.api import AttachedBounds, DamagedError, Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.markup.flat_odf import flat_kind, packed
from sidecar.toolkit.markup.flat_opc import package_head
from sidecar.toolkit.markup.openoffice_1 import older_kind
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import directory_head
from sidecar_xlsx.signatures import ODS, ZIP, excel_version, exchanged_kind, is_xml_2003

if TYPE_CHECKING:
    from sidecar.toolkit.drawn.model import PageDrawing

_OLDER = (".xls", ".xlt", ".xla")
_EXCHANGED = (".gnumeric", ".slk", ".sylk", ".dif", ".wk1", ".wk3", ".wk4", ".wks", ".123", ".wq1", ".wb1", ".wb2")
_SUFFIXES = (
    ".xlsx", ".xlsm", ".xltx", ".xltm", ".xlam", ".xlsb", *_OLDER, ".ods", ".ots", ".fods", ".sxc", ".stc",
    *_EXCHANGED,
)  # fmt: skip
_STREAMS = tuple((name + "\0").encode("utf-16-le") for name in ("Workbook", "Book"))
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class XlsxFormat:
    """Reads workbooks: a part a sheet, with values as Excel shows them and all that stands beside the cells."""

    name = "xlsx"
    version = "57"
    media_types: tuple[str, ...] = (
        _XLSX, "application/vnd.ms-excel.sheet.macroEnabled.12",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
        "application/vnd.ms-excel.template.macroEnabled.12", "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
        "application/vnd.ms-excel", "application/vnd.oasis.opendocument.spreadsheet",
    )  # fmt: skip
    suffixes: tuple[str, ...] = _SUFFIXES
    attached = AttachedBounds()

    def score(self, source: Source) -> int:
        """100 by content, less where the first bytes leave it open; for other content under an older suffix less than
        anything else gives, for web pages and text tables named .xls are common and others read them."""
        head, ours = source.head, source.suffix in _SUFFIXES
        if head.startswith(ZIP):
            if older := older_kind(source):
                return 100 if older == "spreadsheet" else 0
            head = package_head(head)
            if ODS in head[:160] or b"xl/workbook." in head or b"xl/worksheets/" in head:
                return 100
            if b"word/" in head or b"ppt/" in head or b"mimetypeapplication/" in head[:80]:
                return 0
            return 60 if ours else 20 if b"xl/" in head else 0
        if head.startswith(OLE_MAGIC):
            if "Workbook".encode("utf-16-le") in head:
                return 90
            # What lies in a document of another kind may have such a stream as well.
            named = directory_head(source)
            return 85 if any(stream in named for stream in _STREAMS) else 60 if ours else 0
        if excel_version(head):
            return 95
        if is_xml_2003(head) or flat_kind(head).startswith("spreadsheet") or exchanged_kind(head, source.suffix):
            return 95
        return 5 if source.suffix in (*_OLDER, *_EXCHANGED) else 10 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """See `FormatPlugin.parse`."""
        source = _decrypted(source, limits)
        head = source.head
        if not head:
            raise DamagedError(f"{source.name} is empty; there is no workbook in it.")
        if flat_kind(head) or older_kind(source):
            return _parse_zip(packed(source, limits), limits)
        if head.startswith(ZIP):
            read = _parse_zip
        elif head.startswith(OLE_MAGIC) or excel_version(head):
            read = _parse_xls
        elif is_xml_2003(head):
            read = _parse_xml
        elif exchanged_kind(head, source.suffix):
            read = _parse_exchanged
        else:
            text = f"{source.name} is not a spreadsheet: it is neither a zip package nor an old Excel file."
            raise DamagedError(text)
        from sidecar_xlsx.results import with_results

        return with_results(read(source, limits), source, limits, _parse_zip)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """See `OpensEmbedded`. Raises FormatError for a part that is absent or damaged."""
        from sidecar.toolkit.ooxml.embedded import open_part, open_part_of

        source = _decrypted(source, limits)
        if source.head.startswith(OLE_MAGIC) or excel_version(source.head):
            from sidecar_xlsx.binary.xls.package import open_xls

            package, _ = open_xls(source, limits)
            return open_part(package, ref)
        return open_part_of(packed(source, limits), ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """A sheet drawn by LibreOffice on one page, hidden sheets too.

        Raises:
            NotFoundError: there is no such sheet.
            UnavailableError: the sheet is empty, or there is no LibreOffice."""
        from sidecar.toolkit.programs.libreoffice import draw_page
        from sidecar_xlsx.layout import check_drawable

        check_drawable(self.parse(source, limits), part, source.name)
        return draw_page(source, part, dpi, limits)

    def layout(self, source: Source, part: int, limits: Limits) -> PageDrawing:
        """Sheet `part` as a grid. Raises NotFoundError, UnavailableError, FormatError."""
        from sidecar_xlsx.layout import lay_out

        source = _decrypted(source, limits)
        return lay_out(self.parse(source, limits), source, part, limits)


def _decrypted(source: Source, limits: Limits) -> Source:
    """The source, or the package in it that Excel opens without asking. Raises EncryptedError where a password is
    needed: that is told without the reader of older files, which takes long to load."""
    if not source.head.startswith(OLE_MAGIC):
        return source
    from sidecar.toolkit.ooxml.package import Package, is_encrypted

    if not is_encrypted(directory_head(source) or source.read(limits.max_file_bytes)):
        return source
    from sidecar.toolkit.ole.decryption import decrypted

    source = decrypted(source, limits)
    if not source.head.startswith(ZIP):
        Package(source, limits)  # which says what is wrong
    return source


def _parse_xml(source: Source, limits: Limits) -> ParsedDocument:
    from sidecar_xlsx.binary.markup import MAIN
    from sidecar_xlsx.workbook import read_workbook
    from sidecar_xlsx.xml_2003 import open_xml

    package, metadata = open_xml(source, limits)
    return _older(read_workbook(package, MAIN, limits), metadata)


def _parse_xls(source: Source, limits: Limits) -> ParsedDocument:
    from sidecar.toolkit.ole.properties import read_properties
    from sidecar_xlsx.binary.markup import MAIN
    from sidecar_xlsx.binary.xls.package import open_xls
    from sidecar_xlsx.workbook import read_workbook

    package, compound = open_xls(source, limits)
    return _older(read_workbook(package, MAIN, limits), read_properties(compound))


def _parse_exchanged(source: Source, limits: Limits) -> ParsedDocument:
    from sidecar_xlsx.binary.markup import MAIN
    from sidecar_xlsx.exchanged.gnumeric import open_gnumeric
    from sidecar_xlsx.exchanged.lotus import open_lotus
    from sidecar_xlsx.exchanged.text_sheets import open_text_sheet
    from sidecar_xlsx.workbook import read_workbook

    opened = {"gnumeric": open_gnumeric, "lotus": open_lotus, "text": open_text_sheet}
    package, metadata = opened[exchanged_kind(source.head, source.suffix)](source, limits)
    return _older(read_workbook(package, MAIN, limits), metadata)


def _older(document: ParsedDocument, metadata: dict[str, str]) -> ParsedDocument:
    """A workbook from before .xlsx, with what it says of itself, which stands apart from its sheets."""
    return replace(
        document,
        title=metadata.pop("title", ""),
        description=metadata.pop("description", ""),
        media_type="application/vnd.ms-excel",
        metadata=metadata,
    )


def _parse_zip(source: Source, limits: Limits) -> ParsedDocument:
    from sidecar.toolkit.ooxml.package import Package

    with Package(source, limits) as package:
        if "content.xml" in package and "xl/workbook.xml" not in package:
            from sidecar_xlsx.ods import parse_ods

            return parse_ods(package, source, limits)
        main = package.main_part()
        if not main.lower().startswith(("xl/", "xl\\")) and "workbook" not in main.lower():
            raise DamagedError(f"{source.name} is an Office file, but not a workbook ({main}).")
        from sidecar_xlsx.workbook import read_words, read_workbook

        if main.lower().endswith(".bin"):
            from sidecar_xlsx.binary.xlsb.package import BinaryPackage

            return read_workbook(BinaryPackage(source, limits), main, limits)
        words = read_words(package, main, limits) if limits.words_only else None
        return words or read_workbook(package, main, limits)
