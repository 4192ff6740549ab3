"""Sheets laid out to be drawn: what of a workbook can be, and where its looks and pictures come from.

Not responsible for the grid (`sidecar.toolkit.drawn.sheets`), nor for reading formats (`sheet.formatting`)."""

from contextlib import suppress

from sidecar.api import EmbedKind, FormatError, Limits, NotFoundError, ParsedDocument, Source, UnavailableError
from sidecar.toolkit.drawn.model import PageDrawing
from sidecar.toolkit.drawn.sheets import SheetStyle, draw_sheet
from sidecar.toolkit.markup.flat_odf import packed
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ooxml.namespaces import R
from sidecar.toolkit.ooxml.package import Package
from sidecar_xlsx.signatures import is_xml_2003


def check_drawable(document: ParsedDocument, part: int, name: str) -> None:
    """Raises NotFoundError where there is no such sheet, UnavailableError where nothing of it can be drawn."""
    if not 1 <= part <= len(document.parts):
        raise NotFoundError(f"{name} has {len(document.parts)} sheets; there is no sheet {part}.")
    sheet = document.parts[part - 1]
    if sheet.metadata.get("kind") in ("pivotCache", "connections"):
        raise UnavailableError(f"{sheet.name} of {name} is stored beside the sheets; no program draws it.")
    if not sheet.blocks:
        raise UnavailableError(f"The sheet {sheet.name} of {name} is empty; nothing can be drawn.")


def lay_out(document: ParsedDocument, source: Source, part: int, limits: Limits) -> PageDrawing:
    """Sheet `part` of the workbook, which has been read as `document`.

    Raises:
        NotFoundError, UnavailableError: as `check_drawable` does.
        FormatError: the file cannot be opened again."""
    check_drawable(document, part, source.name)
    package, main = _opened(source, limits)
    name = document.parts[part - 1].name
    style = _look(package, main, name)
    refs = {(embed.kind, embed.id): embed.ref for embed in document.embedded}

    def data(kind: EmbedKind, number: int) -> bytes:
        with suppress(FormatError):
            return package.read(refs[kind, number])
        return b""

    return draw_sheet(document, part, style, data)


def _opened(source: Source, limits: Limits) -> tuple[Package, str]:
    from sidecar_xlsx.binary.markup import MAIN

    if source.head.startswith(OLE_MAGIC):
        from sidecar_xlsx.binary.xls.package import open_xls

        return open_xls(source, limits)[0], MAIN
    if is_xml_2003(source.head):
        from sidecar_xlsx.xml_2003 import open_xml

        return open_xml(source, limits)[0], MAIN
    package = Package(packed(source, limits), limits)
    main = "" if "content.xml" in package and "xl/workbook.xml" not in package else package.main_part()
    if main.lower().endswith(".bin"):
        from sidecar_xlsx.binary.xlsb.package import BinaryPackage

        return BinaryPackage(source, limits), main
    return package, main


def _look(package: Package, main: str, name: str) -> SheetStyle:
    """The look of the sheet with that name; that of an OpenDocument sheet is not read."""
    if not main:
        return SheetStyle(known=False)
    from sidecar_xlsx.sheet.formatting import read_sheet_style

    with suppress(FormatError):
        relationships = package.relationships(main)
        for node in package.xml(main).iter("{*}sheet"):
            found = relationships.get(node.get(f"{R}id", ""))
            if node.get("name") == name and found is not None and not found.external:
                return read_sheet_style(package, main, found.target)
    return SheetStyle(known=False)
