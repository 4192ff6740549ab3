"""Collects the pictures a marked-up text shows: `data:` URLs and members of its container become embeds, the rest is
counted as lying outside. Never fetches anything."""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from sidecar.api import ChartData, Embed, EmbedKind, NotFoundError, Notice, Payload
from sidecar.toolkit.pictures import EXTENSIONS, HEAD_BYTES, sniff_image

_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]{1,127}/[\w!#$&^.+-]{1,127}", re.ASCII)
_HEAD_CHARS = HEAD_BYTES * 4 // 3
_KINDS: tuple[tuple[str, EmbedKind], ...] = (
    ("image/", "image"), ("audio/", "media"), ("video/", "media"), ("font/", "font"),
)  # fmt: skip


@dataclass(frozen=True)
class InnerFile:
    """A file inside the container: the plugin's key for it, its name, declared type, size and leading bytes."""

    ref: str
    name: str
    media_type: str
    size: int
    head: bytes
    apart: bool = False
    """Whether it is a document of its own, whatever its type."""


class Pictures:
    """The embeds of one document, in order of appearance, each distinct one once.

    `resolve` finds the member of the container that a `src` names, None where it names nothing inside. The n-th
    distinct `data:` URL gets the reference `data:n`; `wanted` is the one whose URL to keep for `open_data_url`."""

    def __init__(
        self, max_embedded: int, resolve: Callable[[str], InnerFile | None] | None = None, wanted: str = ""
    ) -> None:
        self.embedded: list[Embed] = []
        self.found_url = ""
        self._max = max_embedded
        self._resolve = resolve
        self._wanted = wanted
        self._by_ref: dict[str, tuple[EmbedKind, int] | None] = {}
        self._known: dict[str, tuple[EmbedKind, int] | None] = {}
        self._outside: list[str] = []
        self._urls = 0
        self._dropped = 0
        self._next: dict[EmbedKind, int] = {}

    def add(self, src: str, alt: str = "") -> tuple[EmbedKind, int] | None:
        """The embed that `src` shows, None when its bytes lie outside the document."""
        src = src.strip()
        if not src:
            return None
        if src in self._known:
            return self._known[src]
        inner: InnerFile | None = None
        if src[:5].lower() == "data:":
            inner = self._data_url(src)
        elif self._resolve is not None:
            inner = self._resolve(src)
        key = None
        if inner is not None:
            # Two addresses may name one file.
            key = self._by_ref[inner.ref] = self._by_ref.get(inner.ref) or self._embed(inner, alt)
        if inner is None and not src.startswith("#"):
            self._outside.append(src if len(src) <= 80 else src[:79] + "…")
        self._known[src] = key
        return key

    def add_chart(self, chart: ChartData, alt: str = "") -> tuple[EmbedKind, int] | None:
        """A chart that is its data; None where no more are kept."""
        if len(self.embedded) >= self._max:
            self._dropped += 1
            return None
        number = self._next.get("chart", 0)
        self._next["chart"] = number + 1
        name = f"chart{number + 1}"
        self.embedded.append(
            Embed(kind="chart", id=number, name=name, media_type="application/json", alt=alt, chart=chart)
        )
        return "chart", number

    def notices(self) -> tuple[Notice, ...]:
        """What the reader should know of the pictures: some stand outside the document, or were too many."""
        notices: list[Notice] = []
        if self._outside:
            count = len(self._outside)
            some = ", ".join(self._outside[:3]) + (", …" if count > 3 else "")
            lies = "1 picture lies" if count == 1 else f"{count:,} pictures lie"
            notices.append(Notice("external_content", f"{lies} outside this file and cannot be shown: {some}."))
        if self._dropped:
            notices.append(
                Notice("truncated_at", f"{self._dropped:,} embedded files beyond max_embedded were left out.")
            )
        return tuple(notices)

    def _data_url(self, url: str) -> InnerFile:
        ref = f"data:{self._urls}"
        self._urls += 1
        if ref == self._wanted:
            self.found_url = url
        media_type, encoded, at = _split_data_url(url)
        head = _decoded(url[at : at + _HEAD_CHARS], encoded)
        size = (len(url) - at) * 3 // 4 - url[-2:].count("=") if encoded else len(unquote_to_bytes(url[at:]))
        return InnerFile(ref, "", media_type, size, head)

    def _embed(self, inner: InnerFile, alt: str) -> tuple[EmbedKind, int] | None:
        if len(self.embedded) >= self._max:
            self._dropped += 1
            return None
        info = sniff_image(inner.head)
        media_type = info.media_type if info else _type(inner.media_type)
        kinds: list[EmbedKind] = [kind for prefix, kind in _KINDS if media_type.startswith(prefix)]
        kind: EmbedKind = kinds[0] if kinds and not inner.apart else "attachment"
        number = self._next.get(kind, 0)
        self._next[kind] = number + 1
        self.embedded.append(
            Embed(
                kind=kind, id=number, name=inner.name or f"{kind}{number}{EXTENSIONS.get(media_type, '')}",
                media_type=media_type, ref=inner.ref, size=inner.size, width=info.width if info else 0,
                height=info.height if info else 0, alt=alt,
            )
        )  # fmt: skip
        return kind, number


def _type(declared: str) -> str:
    """A declared media type where it is one (RFC 6838 §4.2)."""
    return declared if _MEDIA_TYPE.fullmatch(declared) else "application/octet-stream"


def _split_data_url(url: str) -> tuple[str, bool, int]:
    """`(media type, is base64, offset of the data)` of a `data:` URL (RFC 2397)."""
    comma = url.find(",", 5, 500)
    if comma < 0:
        return "", False, len(url)
    fields = [field.strip().lower() for field in url[5:comma].split(";")]
    return fields[0] or "text/plain", "base64" in fields[1:], comma + 1


def payload(data: bytes, declared: str, name: str = "") -> Payload:
    """Bytes found in a container: with the type they show, else the declared one where it is one."""
    info = sniff_image(data[:HEAD_BYTES])
    if info:
        return Payload(data, info.media_type, name, info.width, info.height)
    return Payload(data, declared if declared.count("/") == 1 else "application/octet-stream", name)


def open_data_url(url: str, name: str, ref: str) -> Payload:
    """The bytes of a whole `data:` URL, which stands in the file `name` under `ref`. Raises NotFoundError where there
    is none or it is broken."""
    if not url:
        raise NotFoundError(f"{name} holds no embedded file {ref!r}.")
    media_type, encoded, at = _split_data_url(url)
    data = _decoded(url[at:], encoded)
    if not data:
        raise NotFoundError(f"{name}: {ref} holds no readable bytes.")
    info = sniff_image(data[:HEAD_BYTES])
    if info:
        return Payload(data, info.media_type, "", info.width, info.height)
    return Payload(data, _type(media_type))


def _decoded(text: str, is_base64: bool) -> bytes:
    if not is_base64:
        return unquote_to_bytes(text)
    packed = unquote_to_bytes(text).translate(None, b" \t\r\n").rstrip(b"=")
    packed = packed.replace(b"-", b"+").replace(b"_", b"/")
    if len(packed) % 4 == 1:
        packed = packed[:-1]
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return b""
