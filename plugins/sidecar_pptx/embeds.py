"""The register of everything embedded in a presentation: each part once, numbered within its kind, its type told by
its bytes. Not responsible for opening them again.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from sidecar.api import ChartData, DamagedError, Embed, EmbedKind, Limits
from sidecar.api.ooxml.package import Package
from sidecar.api.pictures import HEAD_BYTES, sniff_image

_FIRST_BYTES = 512  # enough for every header but a JPEG's and some TIFFs'
_MEDIA = (
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"MThd", "audio/midi"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"0&\xb2u\x8ef\xcf\x11", "video/x-ms-wmv"),
    (0, b"\0\0\x01\xba", "video/mpeg"),
    (0, b"FLV", "video/x-flv"),
    (8, b"WAVE", "audio/wav"),
    (8, b"AVI ", "video/x-msvideo"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"),
)
_BY_SUFFIX = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".wav": "audio/wav", ".mp4": "video/mp4", ".m4v": "video/mp4",
    ".mov": "video/quicktime", ".avi": "video/x-msvideo", ".wmv": "video/x-ms-wmv", ".wma": "audio/x-ms-wma",
    ".mpg": "video/mpeg", ".mpeg": "video/mpeg", ".webm": "video/webm", ".mkv": "video/x-matroska",
    ".aif": "audio/aiff", ".aiff": "audio/aiff", ".mid": "audio/midi", ".au": "audio/basic",
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".wdp": "image/vnd.ms-photo",
}  # fmt: skip

EmbedKey = tuple[EmbedKind, int]


@dataclass
class Entry:
    """An embed in the making; where it stands is filled in when the slide is done."""

    kind: EmbedKind
    id: int
    name: str
    media_type: str
    ref: str = ""
    size: int = 0
    width: int = 0
    height: int = 0
    alt: str = ""
    part: int | None = None
    block: int = 0
    context: str = ""
    hidden: bool = False
    chart: ChartData | None = None

    def done(self) -> Embed:
        return Embed(**{name: getattr(self, name) for name in Embed.__struct_fields__})


@dataclass
class Embeds:
    package: Package
    limits: Limits
    entries: list[Entry] = field(default_factory=list[Entry])
    full: bool = False
    """Whether something was left out because of `limits.max_embedded`."""
    _by_ref: dict[tuple[EmbedKind, str], Entry] = field(default_factory=dict[tuple[EmbedKind, str], Entry])
    _counts: dict[EmbedKind, int] = field(default_factory=dict[EmbedKind, int])

    def add(self, kind: EmbedKind, ref: str, *, name: str = "", media_type: str = "", **more: object) -> Entry | None:
        """The entry of a part, made on first sight. None when the limit is reached."""
        key = (kind, ref.lower())
        known = self._by_ref.get(key)
        if known is not None:
            return known
        if len(self.entries) >= self.limits.max_embedded:
            self.full = True
            return None
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        entry = Entry(kind, number, name or posixpath.basename(ref), media_type, ref)
        for field_name, value in more.items():
            setattr(entry, field_name, value)
        self.entries.append(entry)
        self._by_ref[key] = entry
        return entry

    def known(self, kind: EmbedKind, ref: str) -> bool:
        return (kind, ref.lower()) in self._by_ref

    def file(self, kind: EmbedKind, ref: str, alt: str = "", part: int | None = None) -> Entry | None:
        """A picture, sound or film that is a part of the package: type and size told by its first bytes."""
        if self.known(kind, ref):
            entry = self.add(kind, ref)
            if entry is not None and alt and not entry.alt:
                entry.alt = alt
            return entry
        if ref not in self.package:
            return None
        try:
            head = self.package.read(ref, _FIRST_BYTES)
            info = sniff_image(head)
            if info is not None and not info.width:
                info = sniff_image(self.package.read(ref, HEAD_BYTES)) or info
        except DamagedError:
            head, info = b"", None
        media_type = (
            (info.media_type if info is not None else "")
            or media_type_of(head, ref)
            or self.package.content_type(ref)
            or "application/octet-stream"
        )
        entry = self.add(kind, ref, media_type=media_type)
        if entry is not None:
            entry.size, entry.alt, entry.part = self.package.size(ref), alt, part
            if info is not None:
                entry.width, entry.height = info.width, info.height
        return entry


def media_type_of(head: bytes, name: str) -> str:
    """The type of a sound or film by its first bytes, else by its suffix; "" when neither tells."""
    told = next((known for at, magic, known in _MEDIA if head[at : at + len(magic)] == magic), "")
    return told or _BY_SUFFIX.get(posixpath.splitext(name)[1].lower(), "")
