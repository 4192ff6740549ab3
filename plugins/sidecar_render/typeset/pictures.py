"""The pictures of a document as files for the engine: library pictures that were fetched, and `data:` URLs."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sidecar.toolkit.pictures import EXTENSIONS, HEAD_BYTES, WEB_PICTURES, sniff_image
from sidecar_render.markdown.images import Asset
from sidecar_render.model import LoadedPicture

_DRAWABLE = WEB_PICTURES | {"image/svg+xml"}
_MAX_PIXELS = 50_000_000
_MAX_BYTES = 32 << 20


class Assets:
    """Pictures by address, written into the folder `home` when first asked for."""

    def __init__(self, home: Path, pictures: Mapping[str, LoadedPicture]) -> None:
        self._home = home
        self._pictures = pictures
        self._known: dict[str, Asset | str] = {}

    def get(self, source: str) -> Asset | str:
        """The picture, or a sentence that says why there is none."""
        if source not in self._known:
            placed = self._place(source)
            self._known[source] = _sentence(source, placed) if isinstance(placed, str) else placed
        return self._known[source]

    def drop_undrawable(self, refused: Callable[[str], str]) -> None:
        """Forget the pictures that the engine cannot decode: `refused(file)` tries one alone, and gives why, or ""."""
        for source, asset in self._known.items():
            if not isinstance(asset, str) and (why := refused(asset.file)):
                self._known[source] = _sentence(source, f"cannot be decoded: {why}")

    def _place(self, source: str) -> Asset | str:
        data = self._bytes(source)
        if isinstance(data, str):
            return data
        info = sniff_image(data[:HEAD_BYTES])
        if info is None or info.media_type not in _DRAWABLE:
            return "is not a PNG, JPEG, GIF, WebP or SVG picture"
        if len(data) > _MAX_BYTES or info.width * info.height > _MAX_PIXELS:
            return f"is too large: {info.width:,} × {info.height:,} pixels, {len(data):,} bytes"
        folder = self._home / "assets" / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        name = f"p{len(self._known)}{EXTENSIONS[info.media_type]}"
        (folder / name).write_bytes(data)
        scale = 0.75 if info.media_type == "image/svg+xml" else 0.5  # 96 pixels an inch, and 144 for photographs
        return Asset(f"assets/pictures/{name}", info.width * scale, info.height * scale)

    def _bytes(self, source: str) -> bytes | str:
        picture = self._pictures.get(source)
        if picture is not None:
            return picture.data or f"cannot be had: {picture.reason}"
        if source[:5].lower() == "data:":
            from sidecar.api.errors import NotFoundError
            from sidecar.toolkit.markup.pictures import open_data_url

            try:
                return open_data_url(source, "The document", "data:").data
            except NotFoundError:
                return "holds no readable bytes"
        if re.match(r"https?:", source, re.IGNORECASE):
            return "lies on the web and is not fetched; use a picture of the library by its URI"
        return "is not part of the library; use image://, element://, chart:// or page:// URIs"


def _sentence(source: str, why: str) -> str:
    return f"the picture {source if len(source) <= 80 else source[:79] + '…'} {why}".rstrip(".")
