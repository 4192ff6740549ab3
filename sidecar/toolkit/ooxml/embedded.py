"""What lies embedded in a package, told by its bytes: pictures, sound and film, attached files under their own name and
type rather than their wrapper's; and the way back from a part to those bytes. Not responsible for fonts, nor for where
in a document a thing stands."""

import posixpath
from dataclasses import dataclass

from sidecar.api import DamagedError, LimitError, Limits, Payload, Source
from sidecar.toolkit.ole import OLE_MAGIC
from sidecar.toolkit.ole.objects import inner_file
from sidecar.toolkit.ooxml.package import Package
from sidecar.toolkit.pictures import HEAD_BYTES, sniff_image

OCTETS = "application/octet-stream"
_FIRST_BYTES = 512  # enough for every header but a JPEG's and some TIFFs'
_MAX_UNWRAPPED = 64 * 2**20
"""Attachments larger than this are not unwrapped for their name while parsing."""
_MEDIA = (
    (0, b"ID3", "audio/mpeg"), (0, b"\xff\xfb", "audio/mpeg"), (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"), (0, b"fLaC", "audio/flac"), (0, b"MThd", "audio/midi"),
    (0, b"\x1aE\xdf\xa3", "video/webm"), (0, b"0&\xb2u\x8ef\xcf\x11", "video/x-ms-wmv"),
    (0, b"\0\0\x01\xba", "video/mpeg"), (0, b"FLV", "video/x-flv"), (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/x-msvideo"), (4, b"ftypM4A", "audio/mp4"), (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"),
)  # fmt: skip
_BY_SUFFIX = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".wav": "audio/wav", ".ogg": "audio/ogg", ".mp4": "video/mp4",
    ".m4v": "video/mp4", ".mov": "video/quicktime", ".avi": "video/x-msvideo", ".wmv": "video/x-ms-wmv",
    ".wma": "audio/x-ms-wma", ".mpg": "video/mpeg", ".mpeg": "video/mpeg", ".webm": "video/webm",
    ".mkv": "video/x-matroska", ".aif": "audio/aiff", ".aiff": "audio/aiff", ".mid": "audio/midi", ".au": "audio/basic",
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".wdp": "image/vnd.ms-photo",
}  # fmt: skip
_OBJECTS = {
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
    ".docm": "application/vnd.ms-word.document.macroEnabled.12",
    ".pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.12",
    ".xlsb": "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    ".sldx": "application/vnd.openxmlformats-officedocument.presentationml.slide",
    ".pdf": "application/pdf",
}
"""Attached files that lie in the package as they are; anything else is looked into."""


@dataclass(frozen=True)
class FileFacts:
    """A part as a file of its own: `size` in bytes, `width` and `height` in pixels, 0 where there are none."""

    name: str
    media_type: str
    size: int
    width: int = 0
    height: int = 0

    @property
    def is_media(self) -> bool:
        """Whether it is sound or film rather than a picture."""
        return self.media_type.startswith(("audio/", "video/"))


def file_facts(package: Package, ref: str, *, strict: bool) -> FileFacts:
    """A picture, sound or film that is a part of the package. A damaged one keeps the type it is declared with, or
    raises FormatError when `strict`."""
    size = package.size(ref)
    try:
        head = package.read(ref, _FIRST_BYTES)
        info = sniff_image(head)
        if info is not None and not info.width and size > _FIRST_BYTES:
            # Sizes may stand late: after a long JPEG preamble, or in a TIFF's directory at the end.
            most = None if info.media_type == "image/tiff" else HEAD_BYTES * 4
            info = sniff_image(package.read(ref, most)) or info
    except (DamagedError, LimitError):
        if strict:
            raise
        head, info = b"", None  # listed all the same; opening it will say what is wrong
    name = posixpath.basename(ref)
    if info is not None:
        return FileFacts(name, info.media_type, size, info.width, info.height)
    return FileFacts(name, _media_type(head, ref) or package.content_type(ref) or OCTETS, size)


def object_facts(package: Package, ref: str) -> FileFacts:
    """An attached file or OLE object, under the name and type of what is inside."""
    name, size = posixpath.basename(ref), package.size(ref)
    known = _by_suffix(name, _OBJECTS)
    if known or size > _MAX_UNWRAPPED:
        return FileFacts(name, known or package.content_type(ref) or OCTETS, size)
    try:
        opened = _unwrapped(package.read(ref), name)
    except (DamagedError, LimitError):
        return FileFacts(name, OCTETS, size)
    return FileFacts(opened.name, opened.media_type, len(opened.data))


def open_part(package: Package, ref: str) -> Payload:
    """The bytes behind a part: attachments unwrapped, everything else as it is, with its true type.

    Raises:
        DamagedError: no such part, or it is damaged."""
    name, data = posixpath.basename(ref), package.read(ref)
    picture = sniff_image(data)
    if picture is not None:
        return Payload(data, picture.media_type, name, picture.width, picture.height)
    known = _by_suffix(name, _OBJECTS)
    if known:
        return Payload(data, known, name)
    if "/embeddings/" in f"/{ref.lower()}" or data.startswith(OLE_MAGIC):
        return _unwrapped(data, name)
    return Payload(data, _media_type(data[:_FIRST_BYTES], ref) or package.content_type(ref) or OCTETS, name)


def open_part_of(source: Source, ref: str, limits: Limits) -> Payload:
    """`open_part` of a file that is not open. Raises FormatError for one that is not a package, too."""
    with Package(source, limits) as package:
        return open_part(package, ref)


def _unwrapped(data: bytes, name: str) -> Payload:
    inner = inner_file(data, "" if name.lower().endswith(".bin") else name)
    if not inner.name or inner.name.startswith("object."):  # the file inside has no name of its own
        name = posixpath.splitext(name)[0] + (posixpath.splitext(inner.name)[1] or ".bin")
    else:
        name = inner.name
    return Payload(inner.data, inner.media_type, name, inner.width, inner.height)


def _media_type(head: bytes, name: str) -> str:
    """The type of a sound or film by its first bytes, else by its suffix; "" when neither tells."""
    media_type = next((known for at, magic, known in _MEDIA if head[at : at + len(magic)] == magic), "")
    return media_type or _by_suffix(name, _BY_SUFFIX)


def _by_suffix(name: str, known: dict[str, str]) -> str:
    return known.get(posixpath.splitext(name)[1].lower(), "")
