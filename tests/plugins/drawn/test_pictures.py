"""Picture sniffing: types and sizes against pictures Pillow writes and headers built by hand."""

from __future__ import annotations

import io
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sidecar.toolkit.pictures import EXTENSIONS, ImageInfo, sniff_image


def drawn(form: str, size: tuple[int, int] = (37, 21), **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (200, 10, 10)).save(out, form, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    ("form", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("TIFF", "image/tiff"),
        ("BMP", "image/bmp"),
        ("WEBP", "image/webp"),
    ],
)
def test_raster_formats_give_their_type_and_size(form: str, media_type: str) -> None:
    assert sniff_image(drawn(form)) == ImageInfo(media_type, 37, 21)
    assert media_type in EXTENSIONS


def test_webp_variants() -> None:
    assert sniff_image(drawn("WEBP", lossless=True)) == ImageInfo("image/webp", 37, 21)
    out = io.BytesIO()
    Image.new("RGBA", (300, 5), (1, 2, 3, 4)).save(out, "WEBP", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0")
    assert sniff_image(out.getvalue()) == ImageInfo("image/webp", 300, 5)


def test_a_jpeg_with_a_long_preamble_and_a_progressive_frame() -> None:
    plain = drawn("JPEG", progressive=True)
    segment = b"\xff\xe1" + struct.pack(">H", 60_000) + b"\xff\xc0" * 29_999
    assert sniff_image(plain[:2] + segment + plain[2:]) == ImageInfo("image/jpeg", 37, 21)


def test_an_icon_gives_its_largest_picture() -> None:
    out = io.BytesIO()
    Image.new("RGB", (256, 256)).save(out, "ICO", sizes=[(16, 16), (256, 256), (32, 32)])
    assert sniff_image(out.getvalue()) == ImageInfo("image/vnd.microsoft.icon", 256, 256)


def test_metafiles_are_measured_at_96_dpi() -> None:
    wmf = b"\xd7\xcd\xc6\x9a\0\0" + struct.pack("<hhhhH", 0, 0, 2880, 1440, 1440) + b"\0" * 20
    assert sniff_image(wmf) == ImageInfo("image/x-wmf", 192, 96)
    emf = struct.pack("<II", 1, 108) + b"\0" * 16 + struct.pack("<iiii", 0, 0, 2540, 5080) + b" EMF" + b"\0" * 60
    assert sniff_image(emf) == ImageInfo("image/x-emf", 96, 192)


@pytest.mark.parametrize(
    ("svg", "size"),
    [
        ('<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80px"/>', (120, 80)),
        ('<?xml version="1.0"?>\n<!-- c --><svg width="1in" height="2.54cm"></svg>', (96, 96)),
        ('<svg viewBox="0 0 640 480" width="100%"></svg>', (640, 480)),
        ('<svg:svg xmlns:svg="x" viewBox="0,0,10,20" width="5"/>', (5, 10)),
        ('\ufeff<svg stroke-width="3"/>', (0, 0)),
    ],
)
def test_svg_lengths_and_view_boxes(svg: str, size: tuple[int, int]) -> None:
    assert sniff_image(svg.encode()) == ImageInfo("image/svg+xml", *size)


def test_what_is_no_picture_is_none() -> None:
    for data in (b"", b"hello", b"%PDF-1.7", b"PK\x03\x04", b"<html><body>", b"BMW is a car maker, said the text"):
        assert sniff_image(data) is None


def test_a_header_cut_short_still_tells_its_type() -> None:
    assert sniff_image(drawn("PNG")[:12]) == ImageInfo("image/png", 0, 0)
    assert sniff_image(drawn("TIFF")[:8]) == ImageInfo("image/tiff", 0, 0)


MAGIC = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF89a",
    b"II*\0",
    b"MM\0+",
    b"BM",
    b"RIFF",
    b"\0\0\x01\0",
    b"<svg ",
    b"",
]


def test_a_directory_beyond_the_bytes() -> None:
    assert sniff_image(b"MM\0+" + b"\0\x08\0\0" + b"\x80" + b"\0" * 7) == ImageInfo("image/tiff", 0, 0)


@given(st.sampled_from(MAGIC), st.binary(max_size=200))
def test_no_bytes_make_it_raise(magic: bytes, rest: bytes) -> None:
    info = sniff_image(magic + rest)
    assert info is None or (info.width >= 0 and info.height >= 0 and info.media_type in EXTENSIONS)
