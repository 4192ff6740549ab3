"""The plugin class: recognises Word files by content and hands them to the reading modules, imported only then."""

from __future__ import annotations

import re
import struct
import zipfile
from typing import TYPE_CHECKING

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Limits,
    ParsedDocument,
    Payload,
    Source,
    UnavailableError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from sidecar.toolkit.ooxml.package import Package

_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FIRST_PARTS = re.compile(rb"PK\x03\x04.{26}/?(word|xl|ppt)[/\\]", re.DOTALL)
_PACKAGES = (".docx", ".docm", ".dotx", ".dotm")
_CONVERTED = (".doc", ".dot")


class DocxFormat:
    """Word documents: OOXML packages read directly, older and foreign ones through LibreOffice when it is there."""

    name = "docx"
    version = "2"
    suffixes = (*_PACKAGES, *_CONVERTED)
    media_types = (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
        "application/vnd.ms-word.document.macroEnabled.12",
        "application/vnd.ms-word.template.macroEnabled.12",
        "application/msword",
    )

    def score(self, source: Source) -> int:
        """By content: 95 for a package with a Word main part, 60 for an old or protected file under one of our names,
        10 for what only has the name (so that it is told apart as damaged unless somebody knows better)."""
        head = source.head
        ours = source.suffix in self.suffixes
        if head.startswith(_ZIP):
            first = _FIRST_PARTS.search(head)
            folder = first[1] if first else _main_folder(source)
            if folder is None:
                return 40 if ours else 0
            return 95 if folder == b"word" else 0
        if head.startswith(_OLE):
            return 60 if ours else 0
        return 10 if ours else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """See `FormatPlugin.parse`."""
        from sidecar_docx.document import read_document

        try:
            return read_document(self._package_source(source, limits), limits)
        except RecursionError as error:
            raise DamagedError(f"{source.name} nests its content too deep to be read.") from error
        except UnavailableError as error:
            raise UnsupportedError(str(error)) from error

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """See `OpensEmbedded`. Raises NotFoundError for an unknown ref, FormatError for damaged bytes."""
        from sidecar_docx.embeds import open_ref

        with _open(self._package_source(source, limits), limits) as package:
            return open_ref(source, package, ref)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """Page `part` (1-based) of the document as LibreOffice lays it out. Raises UnavailableError without it."""
        from sidecar.toolkit.libreoffice import draw_page

        return draw_page(source, part, dpi, limits)

    def _package_source(self, source: Source, limits: Limits) -> Source:
        """The source itself when it is a package, else what LibreOffice makes of it."""
        head = source.head
        if source.size == 0:
            raise DamagedError(f"{source.name} is empty.")
        if head.startswith(_OLE):
            _refuse_protected(source, limits)
        elif head.startswith(_ZIP):
            return source
        else:
            raise DamagedError(f"{source.name} is not a Word document, whatever its name says.")
        from sidecar.toolkit.libreoffice import convert_once

        try:
            return Source.of_bytes(convert_once(source, "docx", limits), source.name)
        except UnavailableError as error:
            raise UnsupportedError(f"{source.name} is not an Office Open XML file. {error}") from error


def _open(source: Source, limits: Limits) -> Package:
    from sidecar.toolkit.ooxml.package import Package

    return Package(source, limits)


def _refuse_protected(source: Source, limits: Limits) -> None:
    """Raise EncryptedError for password-protected files, DamagedError for compound files that hold no Word text."""
    from sidecar.toolkit.ooxml.ole import Compound

    try:
        compound = Compound(source.read(limits.max_file_bytes))
        word = compound.stream("WordDocument")
    except (DamagedError, struct.error) as error:
        raise DamagedError(f"{source.name} is a damaged compound file.") from error
    # MS-DOC 2.5.2: bit 8 of the flags at offset 10 is fEncrypted.
    if "EncryptedPackage" in compound or (word is not None and len(word) > 11 and word[11] & 1):
        raise EncryptedError(f"{source.name} is protected by a password; save a copy without one to index it.")
    if word is None:
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
