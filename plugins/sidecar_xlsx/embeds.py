"""The register of everything embedded in a workbook: each part once, numbered within its kind, its type told by its
bytes; and the way back from an embed's `ref` to its bytes."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field

from sidecar.api import ChartData, DamagedError, Embed, EmbedKind, LimitError, Limits, Payload
from sidecar.api.ooxml.ole import inner_file
from sidecar.api.ooxml.package import Package
from sidecar.api.pictures import HEAD_BYTES, sniff_image

_MEDIA = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".wav": "audio/wav", ".wma": "audio/x-ms-wma", ".mp4": "video/mp4",
    ".m4v": "video/mp4", ".mov": "video/quicktime", ".avi": "video/x-msvideo", ".wmv": "video/x-ms-wmv",
    ".mpg": "video/mpeg", ".mpeg": "video/mpeg", ".webm": "video/webm", ".mid": "audio/midi", ".ogg": "audio/ogg",
}  # fmt: skip
CHART_TYPE = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
_MOST_UNWRAPPED = 64 * 2**20
"""Attachments larger than this are not unwrapped for their name while parsing."""

EmbedKey = tuple[EmbedKind, int]


@dataclass
class Register:
    """Embeds in the order found. `place` says where the next ones stand."""

    package: Package
    limits: Limits
    embeds: list[Embed] = field(default_factory=list[Embed])
    full: bool = False
    """Whether something was left out because of `limits.max_embedded`."""
    _known: dict[tuple[EmbedKind, str], EmbedKey] = field(default_factory=dict[tuple[EmbedKind, str], EmbedKey])
    _counts: dict[EmbedKind, int] = field(default_factory=dict[EmbedKind, int])

    def knows(self, ref: str) -> bool:
        return any((kind, ref.lower()) in self._known for kind in ("image", "chart", "media", "attachment"))

    def file(
        self, ref: str, *, name: str = "", alt: str = "", part: int | None = None, block: int = 0, context: str = "",
        hidden: bool = False,
    ) -> EmbedKey | None:  # fmt: skip
        """A picture or media file that is a part of the package; None when absent or over the limit."""
        if ref not in self.package:
            return None
        info = None
        try:
            head = self.package.read(ref, 512)
            info = sniff_image(head)
            if info is not None and not info.width:
                info = sniff_image(self.package.read(ref, HEAD_BYTES)) or info
        except DamagedError:
            pass  # listed all the same; opening it will say what is wrong
        suffix = posixpath.splitext(ref)[1].lower()
        declared = self.package.content_type(ref)
        media_type = info.media_type if info else _MEDIA.get(suffix) or declared or "application/octet-stream"
        media = info is None and (suffix in _MEDIA or declared.startswith(("audio/", "video/")))
        return self._add(
            "media" if media else "image",
            ref,
            name=posixpath.basename(ref) or name,
            media_type=media_type,
            size=self.package.size(ref),
            width=info.width if info else 0,
            height=info.height if info else 0,
            alt=alt or name,
            part=part,
            block=block,
            context=context,
            hidden=hidden,
        )

    def chart(
        self, ref: str, data: ChartData, *, name: str, alt: str, part: int, block: int, context: str
    ) -> EmbedKey | None:
        return self._add(
            "chart", ref, name=name or posixpath.basename(ref), media_type=CHART_TYPE, size=self.package.size(ref),
            alt=alt, part=part, block=block, context=context, chart=data,
        )  # fmt: skip

    def attachment(
        self, ref: str, *, label: str = "", part: int | None = None, block: int = 0, context: str = ""
    ) -> EmbedKey | None:
        """An embedded file or OLE object, under the name and type of what is inside. Raises nothing."""
        name, media_type, size = posixpath.basename(ref), self.package.content_type(ref), self.package.size(ref)
        if size <= _MOST_UNWRAPPED:
            try:
                inner = inner_file(self.package.read(ref))
            except (DamagedError, LimitError):
                inner = None
            if inner is not None:
                stem, suffix = posixpath.splitext(inner.name)
                guessed = not inner.name or stem == "object"
                name = posixpath.splitext(name)[0] + (suffix or ".bin") if guessed else inner.name
                media_type, size = inner.media_type, len(inner.data)
        return self._add(
            "attachment", ref, name=name, media_type=media_type or "application/octet-stream", size=size, alt=label,
            part=part, block=block, context=context,
        )  # fmt: skip

    def _add(self, kind: EmbedKind, ref: str, **fields: object) -> EmbedKey | None:
        known = self._known.get((kind, ref.lower()))
        if known is not None:
            return known
        if len(self.embeds) >= self.limits.max_embedded:
            self.full = True
            return None
        number = self._counts.get(kind, 0)
        self._counts[kind] = number + 1
        self._known[kind, ref.lower()] = (kind, number)
        self.embeds.append(Embed(kind=kind, id=number, ref=ref, **fields))  # pyright: ignore[reportArgumentType]  # checked by the callers above
        return kind, number


def open_part(package: Package, ref: str) -> Payload:
    """The bytes behind an embed: attachments unwrapped, the rest as they are. Raises DamagedError when absent."""
    data = package.read(ref)
    if "/embeddings/" in f"/{ref.lower()}" or data.startswith(b"\xd0\xcf\x11\xe0"):
        inner = inner_file(data)
        name = inner.name if inner.name and not inner.name.startswith("object.") else posixpath.basename(ref)
        return Payload(inner.data, inner.media_type, name, inner.width, inner.height)
    info = sniff_image(data)
    if info is not None:
        return Payload(data, info.media_type, posixpath.basename(ref), info.width, info.height)
    suffix = posixpath.splitext(ref)[1].lower()
    media_type = _MEDIA.get(suffix) or package.content_type(ref) or "application/octet-stream"
    return Payload(data, media_type, posixpath.basename(ref))
