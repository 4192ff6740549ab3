"""Picture files: pages, metadata, words read by tesseract, drawings, pictures drawn, broken and enormous files."""

from __future__ import annotations

import gzip
import io
import struct

import pytest
from contract.conformance import check_embedded
from contract.pictures import PNG, make_png
from contract.samples import SAMPLES
from PIL import Image, ImageDraw, ImageFont
from sidecar_image import ImageFormat
from support.formats.plugin_reading import of, read

from sidecar.api import (
    DamagedError,
    Figure,
    LimitError,
    Limits,
    NotFoundError,
    Paragraph,
    Source,
    UnavailableError,
    UnsupportedError,
)
from sidecar.toolkit.pictures import sniff_image

IMAGE = ImageFormat()
FILES = SAMPLES["image"]()


def test_a_picture_is_a_page_and_holds_itself() -> None:
    document = read(IMAGE, PNG, "picture.png")
    assert (document.parts[0].kind, document.parts[0].width, document.parts[0].height) == ("page", 30.0, 22.5)
    assert of(document, Figure)[0].embed == ("image", 0)
    assert document.metadata == {"width": "40", "height": "30"}
    source = Source.of_bytes(PNG, "picture.png")
    assert check_embedded(IMAGE, source, document) == 1
    assert IMAGE.open_embedded(source, "file", Limits()).data == PNG
    with pytest.raises(NotFoundError):
        IMAGE.open_embedded(source, "other", Limits())


def encoded(kind: str, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (60, 40)).save(out, kind, **({"no_jp2": True} if kind == "JPEG2000" and mode == "L" else {}))
    return out.getvalue()


PHOTOSHOP = b"8BPS\0\1" + bytes(6) + struct.pack(">HIIHH", 3, 40, 60, 8, 3) + bytes(14) + bytes(3 * 40 * 60)


@pytest.mark.parametrize(
    ("data", "name", "media_type"),
    [
        (encoded("JPEG2000"), "scan.jp2", "image/jp2"),
        (encoded("JPEG2000", "L"), "scan.j2k", "image/jp2"),
        (encoded("PPM"), "a.ppm", "image/x-portable-anymap"),
        (encoded("PPM", "1"), "a.pbm", "image/x-portable-anymap"),
        (b"P2\n# by hand\n60 40\n255\n" + b"0 " * 2400, "a.pgm", "image/x-portable-anymap"),
        (PHOTOSHOP, "logo.psd", "image/vnd.adobe.photoshop"),
    ],
)
def test_less_usual_kinds(data: bytes, name: str, media_type: str) -> None:
    source = Source.of_bytes(data, name)
    assert IMAGE.score(source) == 90
    document = read(IMAGE, data, name)
    assert (document.parts[0].width, document.parts[0].height) == (45.0, 30.0)
    assert document.embedded[0].media_type == media_type
    assert sniff_image(IMAGE.picture(source, 1, 96, Limits()).data) == ("image/png", 60, 40)
    assert IMAGE.score(Source.of_bytes(b"P1 is what we call the first plan.\n60 people came.\n", "notes.txt")) == 0


def test_metadata() -> None:
    document = read(IMAGE, FILES["photo.jpg"], "photo.jpg")
    assert (document.description, document.metadata["camera"]) == ("A caption", "The camera")
    assert document.elements[0].caption == "A caption"
    exif = Image.Exif()
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 30.0, 0.0), 3: "W", 4: (2.0, 0.0, 36.0)})
    exif.get_ifd(0x8769)[0x9003] = "2026:01:02 03:04:05"
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "JPEG", exif=exif)
    metadata = read(IMAGE, out.getvalue(), "a.jpg").metadata
    assert (metadata["location"], metadata["created"]) == ("48.50000, -2.01000", "2026-01-02T03:04:05")


def test_pages_of_a_tiff() -> None:
    document = read(IMAGE, FILES["pages.tif"], "pages.tif")
    assert [(part.width, part.height) for part in document.parts] == [(37.5, 15.0), (22.5, 30.0)]
    source = Source.of_bytes(FILES["pages.tif"], "pages.tif")
    drawn = IMAGE.picture(source, 2, 144, Limits())
    assert (drawn.media_type, drawn.width, drawn.height) == ("image/png", 30, 40)
    with pytest.raises(NotFoundError):
        IMAGE.picture(source, 3, 144, Limits())


def test_drawings() -> None:
    document = read(IMAGE, FILES["drawing.svg"], "drawing.svg")
    assert (document.title, of(document, Paragraph)[0].text) == ("Drawing", "Words in it")
    assert (document.embedded[0].media_type, document.embedded[0].width) == ("image/svg+xml", 40)
    packed = read(IMAGE, gzip.compress(FILES["drawing.svg"]), "drawing.svgz")
    assert packed.title == "Drawing"
    cut = read(IMAGE, gzip.compress(FILES["drawing.svg"])[:-8], "drawing.svgz")
    assert cut.title == "Drawing"
    with pytest.raises(UnavailableError):
        IMAGE.picture(Source.of_bytes(FILES["drawing.svg"], "drawing.svg"), 1, 144, Limits())


def test_words_are_read_and_said_to_be_read() -> None:
    image = Image.new("RGB", (700, 120), "white")
    ImageDraw.Draw(image).text((20, 30), "Mercator projection 1569", fill="black", font=ImageFont.load_default(48))
    out = io.BytesIO()
    image.save(out, "PNG")
    document = read(IMAGE, out.getvalue(), "scan.png", Limits())
    assert "Mercator projection" in of(document, Paragraph)[0].text
    assert [notice.code for notice in document.notices] == ["ocr"]
    assert "Mercator" in document.elements[0].text


def test_without_words_the_picture_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    document = read(IMAGE, make_png(100, 100), "a.png", Limits())
    assert document.notices == ()
    assert document.embedded[0].width == 100


def test_too_many_pixels() -> None:
    with pytest.raises(LimitError, match="max_pixels"):
        IMAGE.parse(Source.of_bytes(make_png(100, 100), "a.png"), Limits(max_pixels=9999))


def test_what_cannot_be_read() -> None:
    with pytest.raises(DamagedError, match=r"^[^<>]*$"):
        IMAGE.parse(Source.of_bytes(PNG[:60], "a.png"), Limits(ocr=False))
    with pytest.raises(DamagedError, match=r"^[^<>]*$"):
        IMAGE.parse(Source.of_bytes(b"not a picture", "a.png"), Limits(ocr=False))
    with pytest.raises(UnsupportedError, match="HEIC"):
        IMAGE.parse(Source.of_bytes(b"\0\0\0\x18ftypheic" + bytes(50), "a.heic"), Limits())


def test_scores() -> None:
    assert IMAGE.score(Source.of_bytes(PNG, "mislabelled.txt")) == 90
    assert IMAGE.score(Source.of_bytes(b"<html><svg></svg></html>", "a.html")) == 0
    assert IMAGE.score(Source.of_bytes(FILES["drawing.svg"], "a.xml")) == 80
    assert IMAGE.score(Source.of_bytes(b"", "a.png")) == 0
