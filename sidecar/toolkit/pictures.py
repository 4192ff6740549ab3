"""What kind of picture some bytes are, and its size in pixels, told from the leading bytes alone.

Pure Python and total: nothing is decoded, nothing raises. Not responsible for drawing or converting pictures.
Vector formats (SVG, WMF, EMF) have no pixels; their size is given at 96 dpi, as a browser would show them."""

import base64
import binascii
import re
import struct
from collections.abc import Callable
from typing import NamedTuple

from sidecar.toolkit.answers.budget import PICTURE_TOKENS, picture_cost

HEAD_BYTES = 65_536
"""Enough leading bytes for every format but a JPEG with a very long preamble or a TIFF with its directory last."""

_DPI = 96
_SOF = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
_SVG_TAG = re.compile(rb"<(?:\w+:)?svg\b([^>]*)", re.IGNORECASE)
_SVG_LENGTH = re.compile(
    rb"""(?<![-\w:])(width|height)\s*=\s*["']\s*([0-9.]+(?:e[+-]?\d+)?)\s*([a-z%]*)""", re.IGNORECASE
)
_SVG_VIEWBOX = re.compile(rb"""viewBox\s*=\s*["']([^"']*)""", re.IGNORECASE)
_NETPBM = re.compile(rb"P[1-6]\s+(?:#[^\n]{0,200}\n\s*)*(\d{1,6})\s+(?:#[^\n]{0,200}\n\s*)*(\d{1,6})\s")
_UNITS = {b"": 1.0, b"px": 1.0, b"pt": 96 / 72, b"pc": 16.0, b"mm": 96 / 25.4, b"cm": 96 / 2.54, b"in": 96.0}
_TIFF_SIZES = {1: "B", 3: "H", 4: "I", 16: "Q"}


Size = tuple[int, int]
"""Width and height in pixels."""


class ImageInfo(NamedTuple):
    """The true media type, and width and height in pixels (0 when the leading bytes do not say)."""

    media_type: str
    width: int
    height: int


EXTENSIONS = {
    "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/tiff": ".tif", "image/bmp": ".bmp",
    "image/webp": ".webp", "image/svg+xml": ".svg", "image/x-wmf": ".wmf", "image/x-emf": ".emf",
    "image/vnd.microsoft.icon": ".ico", "image/jp2": ".jp2", "image/x-portable-anymap": ".pnm",
    "image/vnd.adobe.photoshop": ".psd",
}  # fmt: skip
"""The usual file suffix of every media type `sniff_image` answers."""

WEB_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The media types every assistant and browser shows as pictures."""

_BRANDS = {
    b"ftypheic": "image/heic", b"ftypheix": "image/heic", b"ftypmif1": "image/heic", b"ftypmsf1": "image/heic",
    b"ftyphevc": "image/heic", b"ftypavif": "image/avif", b"ftypavis": "image/avif",
}  # fmt: skip


def sniff_video_picture(head: bytes) -> str | None:
    """The media type of a picture coded like a film frame (HEIF, ISO/IEC 23008-12), by its brand. Size unknown."""
    return _BRANDS.get(head[4:12])


def sniff_image(data: bytes) -> ImageInfo | None:
    """What picture `data` begins; None but for PNG JPEG GIF TIFF BMP WEBP SVG WMF EMF ICO, JPEG 2000, PNM and PSD."""
    for magics, media_type, read_size in _KINDS:
        if data.startswith(magics):
            try:
                size = read_size(data)
            except struct.error:  # cut off inside the header: the magic number still told the type
                return ImageInfo(media_type, 0, 0)
            if size is not None:
                return ImageInfo(media_type, *size)
    found = _NETPBM.match(data)
    return ImageInfo("image/x-portable-anymap", int(found[1]), int(found[2])) if found else _svg(data)


def _png_size(data: bytes) -> Size:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _gif_size(data: bytes) -> Size:
    width, height = struct.unpack_from("<HH", data, 6)
    return width, height


def _jpeg_size(data: bytes) -> Size:
    """Walk the marker segments (ITU T.81 B.1.1) to the first start-of-frame."""
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            at = data.find(b"\xff", at)
            if at < 0:
                break
            continue
        marker = data[at + 1]
        if marker in _SOF:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        if marker == 0xFF:
            at += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        elif marker in (0xD9, 0xDA):
            break
        else:
            at += 2 + max(2, struct.unpack_from(">H", data, at + 2)[0])
    return 0, 0


def _tiff_size(data: bytes) -> Size:
    """ImageWidth (256) and ImageLength (257) of the first directory (TIFF 6.0 section 2; BigTIFF)."""
    order = "<" if data[:2] == b"II" else ">"
    big = data[2:4] in (b"+\0", b"\0+")
    if big:
        at = struct.unpack_from(order + "Q", data, 8)[0]
        if at >= len(data):  # beyond what we have; the largest offsets would not even fit an index
            return 0, 0
        count, at, step, value_at = struct.unpack_from(order + "Q", data, at)[0], at + 8, 20, 12
    else:
        at = struct.unpack_from(order + "I", data, 4)[0]
        count, at, step, value_at = struct.unpack_from(order + "H", data, at)[0], at + 2, 12, 8
    found = {256: 0, 257: 0}
    for index in range(min(count, 512)):
        tag, kind = struct.unpack_from(order + "HH", data, at + index * step)
        if tag in found and kind in _TIFF_SIZES:
            found[tag] = struct.unpack_from(order + _TIFF_SIZES[kind], data, at + index * step + value_at)[0]
    return found[256], found[257]


def _bmp_size(data: bytes) -> Size | None:
    if len(data) < 18 or data[6:10] != b"\0\0\0\0":
        return None
    header = struct.unpack_from("<I", data, 14)[0]
    if header != 12 and not 40 <= header <= 256:
        return None
    width, height = struct.unpack_from("<HH" if header == 12 else "<ii", data, 18)
    return abs(width), abs(height)


def _webp_size(data: bytes) -> Size | None:
    if data[8:12] != b"WEBP":
        return None
    chunk = data[12:16]
    if chunk == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if chunk == b"VP8L" and data[20:21] == b"\x2f":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if chunk == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _wmf_size(data: bytes) -> Size:
    """Of one with the header that gives its bounds (MS-WMF 2.3.2.3)."""
    left, top, right, bottom, inch = struct.unpack_from("<hhhhH", data, 6)
    scale = _DPI / (inch or 1440)
    return round(abs(right - left) * scale), round(abs(bottom - top) * scale)


def _emf_size(data: bytes) -> Size | None:
    """The frame rectangle of an EMF header is in 0.01 mm (MS-EMF 2.2.9)."""
    if data[40:44] != b" EMF":
        return None
    left, top, right, bottom = struct.unpack_from("<iiii", data, 24)
    scale = _DPI / 2540
    return round(abs(right - left) * scale), round(abs(bottom - top) * scale)


def _ico_size(data: bytes) -> Size | None:
    """The largest picture of the icon; a zero byte means 256."""
    count = int.from_bytes(data[4:6], "little")
    sizes = [data[at : at + 2] for at in range(6, 6 + 16 * min(count, 64), 16)]
    if not 0 < count < 256 or data[9:10] != b"\0" or len(sizes[-1]) < 2:
        return None
    return max((width or 256, height or 256) for width, height in sizes)


def _jp2_size(data: bytes) -> Size:
    """The image header box (ITU-T T.800, I.5.3.1)."""
    at = data.find(b"ihdr")
    height, width = struct.unpack_from(">II", data, at + 4) if at >= 0 else (0, 0)
    return width, height


def _j2k_size(data: bytes) -> Size:
    """The SIZ marker segment of a bare codestream (ITU-T T.800, A.5.1)."""
    right, bottom, left, top = struct.unpack_from(">IIII", data, 8)
    return max(right - left, 0), max(bottom - top, 0)


def _psd_size(data: bytes) -> Size:
    height, width = struct.unpack_from(">II", data, 14)
    return width, height


_KINDS: tuple[tuple[tuple[bytes, ...], str, Callable[[bytes], Size | None]], ...] = (
    ((b"\x89PNG\r\n\x1a\n",), "image/png", _png_size),
    ((b"\xff\xd8\xff",), "image/jpeg", _jpeg_size),
    ((b"GIF87a", b"GIF89a"), "image/gif", _gif_size),
    ((b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"), "image/tiff", _tiff_size),
    ((b"BM",), "image/bmp", _bmp_size),
    ((b"RIFF",), "image/webp", _webp_size),
    ((b"\xd7\xcd\xc6\x9a",), "image/x-wmf", _wmf_size),
    ((b"\x01\0\0\0",), "image/x-emf", _emf_size),
    ((b"\x01\0\x09\0\0\x03", b"\x02\0\x09\0\0\x03", b"\x01\0\x09\0\0\x01"), "image/x-wmf", lambda _: (0, 0)),
    ((b"\0\0\x01\0",), "image/vnd.microsoft.icon", _ico_size),
    ((b"\0\0\0\x0cjP  \r\n\x87\n",), "image/jp2", _jp2_size),
    ((b"\xff\x4f\xff\x51",), "image/jp2", _j2k_size),
    ((b"8BPS\0\1",), "image/vnd.adobe.photoshop", _psd_size),
)
"""Magic numbers, the media type, and what reads width and height in pixels; None where it is not of that kind."""


def _svg(data: bytes) -> ImageInfo | None:
    head = data[:HEAD_BYTES]
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        head = head.decode("utf-16", "replace").encode()
    if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return None
    tag = _SVG_TAG.search(head)
    if tag is None:
        return None
    sizes = {b"width": 0.0, b"height": 0.0}
    for name, number, unit in _SVG_LENGTH.findall(tag[1]):
        sizes[name.lower()] = _number(number) * _UNITS.get(unit.lower(), 0.0)
    width, height = sizes[b"width"], sizes[b"height"]
    box = _SVG_VIEWBOX.search(tag[1])
    if box and not (width and height):
        edges = [_number(word) for word in box[1].replace(b",", b" ").split()]
        if len(edges) == 4 and edges[2] > 0 and edges[3] > 0:
            if width:
                height = width * edges[3] / edges[2]
            elif height:
                width = height * edges[2] / edges[3]
            else:
                width, height = edges[2], edges[3]
    return ImageInfo("image/svg+xml", round(min(width, 1e9)), round(min(height, 1e9)))


def _number(text: bytes) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0 <= value < 1e9 else 0.0


def picture_tokens(data: bytes | str) -> int:
    """What seeing a picture costs in tokens, from its size in pixels; the most there is where its head does not tell.

    `data` is the bytes, or their base64."""
    if isinstance(data, str):
        try:
            data = base64.b64decode(data[: HEAD_BYTES // 3 * 4])
        except binascii.Error:
            return PICTURE_TOKENS
    found = sniff_image(data[:HEAD_BYTES])
    return PICTURE_TOKENS if found is None else picture_cost(found.width, found.height)
