"""The image format plugin: recognised by content alone. Imports nothing heavy."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sidecar.api import Limits, ParsedDocument, Payload, Source
from sidecar.toolkit.pictures import sniff_image, sniff_video_picture


class ImageFormat:
    """Settings: `ocr` (default true): read the words in pictures where `[limits]` allows it.

    Photographs that a camera took and pictures too small to hold words are never searched for text."""

    name = "image"
    version = "15"
    media_types: tuple[str, ...] = (
        "image/png", "image/jpeg", "image/gif", "image/tiff", "image/bmp", "image/webp", "image/svg+xml", "image/x-wmf",
        "image/x-emf", "image/vnd.microsoft.icon", "image/heic", "image/avif", "image/jp2", "image/x-portable-anymap",
        "image/vnd.adobe.photoshop",
    )  # fmt: skip
    suffixes: tuple[str, ...] = (
        ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".gif", ".tif", ".tiff", ".bmp", ".dib", ".webp", ".svg", ".svgz",
        ".wmf", ".emf", ".ico", ".heic", ".heif", ".avif", ".jp2", ".j2k", ".jpx", ".jpf", ".pnm", ".pbm", ".pgm",
        ".ppm", ".psd",
    )  # fmt: skip

    def __init__(self, settings: Mapping[str, Any] | None = None) -> None:
        self._ocr = bool((settings or {}).get("ocr", True))

    def score(self, source: Source) -> int:
        """80 to 90 for what is a picture by content, 50 for one of the suffixes."""
        head = source.head
        if sniff_video_picture(head):
            return 90
        info = sniff_image(head)
        if info is not None:
            if info.media_type != "image/svg+xml":
                return 90
            # Pages may hold drawings; a file is one when it begins with it or says so.
            return 80 if source.suffix == ".svg" or head.lstrip()[:4].lower() == b"<svg" else 0
        if head[:2] == b"\x1f\x8b" and source.suffix == ".svgz":
            return 80
        return 50 if source.suffix in self.suffixes and head else 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        """The file as a document. Raises FormatError."""
        from sidecar_image.parse import parse

        return parse(source, limits if self._ocr else replace(limits, ocr=False))

    def as_pages(self, source: Source, limits: Limits) -> Payload | None:
        """The file as a PDF, where it shows pages. Raises FormatError."""
        if not self._ocr:
            return None
        from sidecar_image.pages import as_pages

        return as_pages(source, limits)

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        """The bytes behind an `Embed.ref` of the document. Raises NotFoundError."""
        from sidecar_image.parse import open_embedded

        return open_embedded(source, ref, limits)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        """A frame as PNG. Raises FormatError."""
        from sidecar_image.drawing import picture

        return picture(source, part, dpi, limits)
