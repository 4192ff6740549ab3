"""The file that a wrapped object really holds, and what a compound file is by its streams.

`inner_file` unwraps OLE packages (`Ole10Native`), embedded OOXML, ODF and PDF, and names the type of what stays a
compound file (old Office documents). Not responsible for how a compound file is laid out."""

import struct
from collections.abc import Callable

from sidecar.api import DamagedError, Payload
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.compound import Compound, write_compound
from sidecar.toolkit.ole.vba import macro_file
from sidecar.toolkit.pictures import EXTENSIONS, sniff_image

_OCTETS = "application/octet-stream"

# Streams that tell what an old compound document is.
_DOCUMENTS = (
    ("WordDocument", "application/msword", ".doc"),
    ("Workbook", "application/vnd.ms-excel", ".xls"),
    ("Book", "application/vnd.ms-excel", ".xls"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint", ".ppt"),
    ("VisioDocument", "application/vnd.visio", ".vsd"),
    ("__properties_version1.0", "application/vnd.ms-outlook", ".msg"),
    ("Equation Native", "application/x-mathtype", ".mtef"),
)
_OOXML = {
    b"word/": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
    b"xl/": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"),
    b"ppt/": ("application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"),
}
_MAGIC = {b"%PDF": ("application/pdf", ".pdf"), b"{\\rtf": ("application/rtf", ".rtf")}
_BY_SUFFIX = {
    ".txt": "text/plain", ".csv": "text/csv", ".html": "text/html", ".htm": "text/html", ".xml": "application/xml",
    ".json": "application/json", ".md": "text/markdown", ".mp3": "audio/mpeg", ".wav": "audio/wav",
    ".mp4": "video/mp4", ".avi": "video/x-msvideo", ".msg": "application/vnd.ms-outlook", ".eml": "message/rfc822",
    ".exe": "application/vnd.microsoft.portable-executable",
}  # fmt: skip


def inner_file(data: bytes, name: str = "") -> Payload:
    """The file inside an embedded object's part: unwrapped when it is an OLE wrapper, itself, called `name`, otherwise.

    Its name is the file's own where the wrapper keeps one, else a suffix-only guess such as "object.xls"."""
    if not data.startswith(OLE_MAGIC):
        return _with_type(data, name)
    try:
        compound = Compound(data)
    except (DamagedError, struct.error):
        return Payload(data, "application/x-ole-storage", "object.ole")
    wrapped = _wrapped(compound.stream)
    if wrapped is not None:
        return wrapped
    macros = macro_file(compound) if "dir" in compound else None
    if macros is not None:
        return macros
    media_type, suffix = _inner_type(compound)
    return Payload(data, media_type, f"object{suffix}")


def inner_storage(compound: Compound, path: tuple[str, ...]) -> Payload | None:
    """The file that an object stored as part of another compound file holds; None where that is not one file.

    An object that is itself an old Office document is written out as a compound file of its own."""
    names = compound.storage(path)
    if not names:
        return None
    wrapped = _wrapped(lambda name: compound.stream_in(path, name))
    if wrapped is not None:
        return wrapped
    lowered = {name.lower() for name in names}
    kind = next(((media, suffix) for name, media, suffix in _DOCUMENTS if name.lower() in lowered), None)
    if kind is None:
        return None
    streams = {name: compound.stream_in(path, name) or b"" for name, is_storage in names.items() if not is_storage}
    return Payload(write_compound(streams), kind[0], f"object{kind[1]}")


def _wrapped(stream: Callable[[str], bytes | None]) -> Payload | None:
    """The file in an object's storage, by its streams; None where no stream of it is one."""
    native = stream("\x01Ole10Native")
    if native is not None:
        name, inner = _native(native)
        return _with_type(inner, name)
    for name in ("Package", "EmbeddedOdf", "CONTENTS", "package_stream"):
        inner = stream(name)
        if inner is not None and (name != "CONTENTS" or inner.startswith((b"%PDF", b"PK"))):
            return _with_type(inner, "")
    return None


def _native(stream: bytes) -> tuple[str, bytes]:
    """An `Ole10Native` stream: size, flags, label, file name, two numbers, temporary path, size, bytes.

    The form is documented nowhere whole; this reads what Windows' packager writes, and takes everything after the
    size where that does not fit (MS-OLEDS 2.3.6: then the data is the native data as it is)."""
    whole = stream[4:]
    try:
        if struct.unpack_from("<H", stream, 4)[0] != 2:
            return "", whole
        label, at = _asciiz(stream, 6)
        path, at = _asciiz(stream, at)
        at += 4
        length = struct.unpack_from("<I", stream, at)[0]
        _, _ = _asciiz(stream, at + 4)
        at += 4 + length
        size = struct.unpack_from("<I", stream, at)[0]
    except (struct.error, ValueError):
        return "", whole
    if size > len(stream) - at - 4:
        return "", whole
    body = stream[at + 4 : at + 4 + size]
    name = label or path
    wide = _unicode_name(stream, at + 4 + size)
    return (wide or name).replace("\\", "/").rpartition("/")[2], body


def _unicode_name(stream: bytes, at: int) -> str:
    """Newer packagers append command, label and path again in UTF-16; the label is the second."""
    try:
        length = struct.unpack_from("<I", stream, at)[0]
        at += 4 + length * 2
        length = struct.unpack_from("<I", stream, at)[0]
    except struct.error:
        return ""
    raw = stream[at + 4 : at + 4 + length * 2]
    if not 0 < length <= 260 or len(raw) < length * 2:
        return ""
    return raw.decode("utf-16-le", "replace").rstrip("\0")


def _asciiz(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(b"\0", at)
    raw = data[at:end]
    try:
        return raw.decode("utf-8"), end + 1
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace"), end + 1


def _with_type(data: bytes, name: str) -> Payload:
    """`data` with the type its bytes tell, and a name that at least ends as the type does."""
    media_type, suffix = _type_of(data)
    picture = sniff_image(data)
    if picture is not None:
        media_type, suffix = picture.media_type, EXTENSIONS[picture.media_type]
    own = "." + name.rpartition(".")[2].lower() if "." in name else ""
    if media_type == _OCTETS and own in _BY_SUFFIX:
        media_type = _BY_SUFFIX[own]
    size = (picture.width, picture.height) if picture is not None else (0, 0)
    return Payload(data, media_type, name or f"object{suffix}", *size)


def _type_of(data: bytes) -> tuple[str, str]:
    """Media type and usual suffix, by the first bytes."""
    if data.startswith(b"PK\x03\x04"):
        return _zip_type(data)
    if data.startswith(OLE_MAGIC):
        try:
            return _inner_type(Compound(data))
        except (DamagedError, struct.error):
            return "application/x-ole-storage", ".ole"
    return next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), (_OCTETS, ".bin"))


def _zip_type(data: bytes) -> tuple[str, str]:
    """An OpenDocument file begins with its type, uncompressed (ODF 1.3 part 2 §3.3); the folders of an Office package
    stand near its beginning or in the directory at its end."""
    if data[30:38] == b"mimetype":
        kind = data[38:110].split(b"PK")[0].decode("ascii", "replace")
        return kind, ".odt" if "text" in kind else ".ods" if "spreadsheet" in kind else ".odp"
    found = (media for folder, media in _OOXML.items() if folder in data[:4096] or folder in data[-65536:])
    return next(found, ("application/zip", ".zip"))


def _inner_type(compound: Compound) -> tuple[str, str]:
    """Media type and usual suffix of a compound file, by the streams it has."""
    for stream, media_type, suffix in _DOCUMENTS:
        if stream in compound:
            return media_type, suffix
    return "application/x-ole-storage", ".ole"
