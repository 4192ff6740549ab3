"""What a picture file says about itself: EXIF (camera, date, place, caption), PNG and JPEG comments.

Source: Exif 3.0 (CIPA DC-008) tags of IFD0, the Exif and the GPS directories."""

import math
from collections.abc import Mapping
from typing import SupportsFloat, cast

from PIL import Image, UnidentifiedImageError

_IFD0 = {
    0x010E: "description", 0x010F: "make", 0x0110: "camera", 0x0131: "application", 0x013B: "author", 0x8298: "rights",
    0x9C9B: "title", 0x9C9C: "comment", 0x9C9D: "author", 0x9C9E: "keywords", 0x9C9F: "subject",
}  # fmt: skip
_PNG = {
    "title": "title", "author": "author", "description": "description", "copyright": "rights",
    "software": "application", "comment": "comment", "creation time": "created",
}  # fmt: skip


_BROKEN = (
    OSError, ValueError, KeyError, TypeError, SyntaxError, IndexError, EOFError, UnidentifiedImageError, OverflowError,
)  # fmt: skip
"""What Pillow raises for directories that are not as they should be."""


def _directories(image: Image.Image) -> tuple[Mapping[int, object], Mapping[int, object], Mapping[int, object]]:
    """The picture's own, that of the camera and that of the place."""
    try:
        exif = image.getexif()
        return dict(exif), exif.get_ifd(0x8769), exif.get_ifd(0x8825)
    except _BROKEN:
        return {}, {}, {}


def read_facts(image: Image.Image) -> dict[str, str]:
    """Metadata by our names. Total: broken directories give what can be read of them."""
    facts: dict[str, str] = {}
    own, detail, place = _directories(image)
    for tag, name in _IFD0.items():
        text = _text(own.get(tag), wide=tag >= 0x9C9B)
        if text:
            facts.setdefault(name, text)
    taken = _text(detail.get(0x9003)) or _text(own.get(0x0132))
    if taken:
        facts["created"] = _date(taken)
    comment = detail.get(0x9286)
    if isinstance(comment, bytes):
        shown = _text(comment[8:])
        if shown:
            facts.setdefault("comment", shown)
    where = _place(place)
    if where:
        facts["location"] = where
    for key, value in image.info.items():
        name = _PNG.get(str(key).lower())
        if name and isinstance(value, (str, bytes)):
            text = _text(value)
            if text:
                facts.setdefault(name, text)
    return facts


def _text(value: object, *, wide: bool = False) -> str:
    if isinstance(value, tuple) and wide:  # Windows' own tags: UTF-16 as numbers
        numbers = [number for number in cast("tuple[object, ...]", value) if isinstance(number, int)]
        value = bytes(number & 0xFF for number in numbers)
    if isinstance(value, bytes):
        encoding = "utf-16-le" if wide else "utf-8"
        value = value.decode(encoding, "replace")
    if not isinstance(value, str):
        return ""
    cleaned = "".join(character for character in value if character.isprintable() or character in "\n\t")
    return " ".join(cleaned.encode("utf-8", "replace").decode().split())[:2000]


def _date(value: str) -> str:
    """EXIF writes "2024:05:01 12:30:00"."""
    day, _, time = value.partition(" ")
    return f"{day.replace(':', '-')}T{time}" if day.count(":") == 2 and time else value


def _place(directory: Mapping[int, object]) -> str:
    latitude = _degrees(directory.get(2), directory.get(1), "S")
    longitude = _degrees(directory.get(4), directory.get(3), "W")
    return "" if latitude is None or longitude is None else f"{latitude:.5f}, {longitude:.5f}"


def _degrees(value: object, reference: object, negative: str) -> float | None:
    if not isinstance(value, tuple) or len(cast("tuple[object, ...]", value)) != 3:
        return None
    try:
        parts = [float(cast("SupportsFloat", part)) for part in cast("tuple[object, ...]", value)]
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
    if not math.isfinite(degrees) or abs(degrees) > 180:
        return None
    return -degrees if str(reference).strip("\0") == negative else degrees
