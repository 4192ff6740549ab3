"""The plugin class: recognises Word files by content and hands them to the reading modules, imported only then."""

import re
import struct
import zipfile
from typing import TYPE_CHECKING

from sidecar.api import DamagedError, EncryptedError, Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.drawn.pages import OfficePages
from sidecar.toolkit.markup.flat_opc import flat_folder, package_head, packed
from sidecar.toolkit.ole import OLE_MAGIC

if TYPE_CHECKING:
    from sidecar.toolkit.drawn.model import PageDrawing
    from sidecar.toolkit.ooxml.package import Package

_ZIP = b"PK\x03\x04"
_WORD_2003 = re.compile(rb"<(?:\w+:)?wordDocument\b[^>]*schemas\.microsoft\.com/office/word/2003/wordml")
_FIRST_PARTS = re.compile(rb"PK\x03\x04.{26}/?(word|xl|ppt)[/\\]", re.DOTALL)


class DocxFormat(OfficePages):
    """Word documents as OOXML packages, flat ones and those of Word 2003's XML among them."""

    name = "docx"
    version = "38"
    suffixes: tuple[str, ...] = (".docx", ".docm", ".dotx", ".dotm")
    media_types: tuple[str, ...] = (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "application/vnd.ms-word.document.macroEnabled.12",
        "application/vnd.ms-word.template.macroEnabled.12",
    )

    def score(self, source: Source) -> int:
        """By content: 95 for a package with a Word main part, 60 for a protected file under one of our names,
        10 for what only has the name (so that it is told apart as damaged unless somebody knows better)."""
        head = source.head
        ours = source.suffix in self.suffixes
        if head.startswith(_ZIP):
            first = _FIRST_PARTS.search(package_head(head))
            folder = first[1] if first else _main_folder(source)
            if folder is None:
                return 40 if ours else 0
            return 95 if folder == b"word" else 0
        if flat_folder(head) == "word" or _is_word_2003(head):
            return 95
        if head.startswith(OLE_MAGIC):
            return 60 if ours else 0
        return 10 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """See `FormatPlugin.parse`."""
        from sidecar_docx.document import read_document

        try:
            source = _packed(source, limits)
            _refuse_others(source, limits)
            return read_document(source, limits)
        except RecursionError as error:
            raise DamagedError(f"{source.name} nests its content too deeply to be read.") from error

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """See `OpensEmbedded`. Raises NotFoundError for an unknown ref, FormatError for damaged bytes."""
        from sidecar_docx.embeds import open_ref

        with _open(source, limits) as package:
            return open_ref(source, package, ref)

    def layout(self, source: Source, part: int, limits: Limits) -> "PageDrawing":
        """The document as text that flows over pages, whichever is asked for. Raises FormatError."""
        from sidecar.toolkit.drawn.blocks import bytes_of
        from sidecar.toolkit.drawn.flow import draw_text
        from sidecar_docx.page_styles import read_flow_style

        document = self.parse(source, limits)
        with _open(source, limits) as package:
            style = read_flow_style(package)
        return draw_text(document, style, bytes_of(self, document, source, limits))


def _is_word_2003(head: bytes) -> bool:
    """Whether a file that begins so is Word 2003 XML."""
    return b"wordDocument" in head and _WORD_2003.search(head) is not None  # asked of every text: in microseconds


def _open(source: Source, limits: Limits) -> "Package":
    from sidecar.toolkit.ooxml.package import Package

    return Package(_packed(source, limits), limits)


def _packed(source: Source, limits: Limits) -> Source:
    if _is_word_2003(source.head):
        from sidecar_docx.word_2003 import packed_2003

        return packed_2003(source, limits)
    return packed(source, limits)


def _refuse_others(source: Source, limits: Limits) -> None:
    """Raise EncryptedError for a package protected by a password, DamagedError for what is not a package."""
    from sidecar.toolkit.ole.compound import Compound, damage_errors

    if source.size == 0:
        raise DamagedError(f"{source.name} is empty.")
    if source.head.startswith(_ZIP):
        return
    if not source.head.startswith(OLE_MAGIC):
        raise DamagedError(f"{source.name} is not a Word document, whatever its name says.")
    with damage_errors(source.name):
        compound = Compound(source.read(limits.max_file_bytes))
    # MS-OFFCRYPTO 2.3.4: an encrypted package lies in a compound file.
    if "EncryptedPackage" in compound:
        raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
    raise DamagedError(f"{source.name} is a compound file without Word text.")


def _main_folder(source: Source) -> bytes | None:
    """The folder of the main part by the zip directory at the end of the file; None when it cannot be told."""
    try:
        with source.open() as file, zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
        return None
    lowered = {name.replace("\\", "/").lstrip("/").lower() for name in names}
    for folder, main in ((b"word", "word/document"), (b"xl", "xl/workbook"), (b"ppt", "ppt/presentation")):
        if any(name.startswith(main) for name in lowered):
            return folder
    return b"zip"
