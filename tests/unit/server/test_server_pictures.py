"""Pictures made in workers: sizes, formats, crops, limits, and sources that changed or cannot be trusted."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from PIL import Image

from sidecar.api import LimitError, Limits, ParsedDocument, Payload, Source, UnavailableError, UsageError
from sidecar.server.reading.drawing import FileRef, PictureOptions, PictureRegion, convert, draw_part, open_bytes

LIMITS = Limits()


def png(width: int, height: int, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height), "red" if mode == "RGB" else None).save(out, "PNG")
    return out.getvalue()


def opened(payload: Payload) -> Image.Image:
    return Image.open(io.BytesIO(payload.data))


class Drawer:
    """A format whose pages are all one size, and which hands out its own bytes."""

    name: str = "drawer"
    version: str = "1"
    media_types: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = (".draw",)

    def __init__(self) -> None:
        self.dpi = 0

    def score(self, source: Source) -> int:
        return 0

    def parse(self, source: Source, limits: Limits) -> ParsedDocument:
        return ParsedDocument()

    def open_embedded(self, source: Source, ref: str, limits: Limits) -> Payload:
        return Payload(source.read(), "application/octet-stream", ref)

    def picture(self, source: Source, part: int, dpi: int, limits: Limits) -> Payload:
        self.dpi = dpi
        size = (round(612 * dpi / 72), round(792 * dpi / 72))
        image = Image.new("RGB", size, "white")
        box = tuple(round(edge * dpi / 72) for edge in (100, 200, 300, 260))
        image.paste((0, 0, 255), (box[0], box[1], box[2], box[3]))
        out = io.BytesIO()
        image.save(out, "PNG")
        return Payload(out.getvalue(), "image/png", "", *size)


@pytest.fixture
def file(tmp_path: Path) -> FileRef:
    path = tmp_path / "a.draw"
    path.write_bytes(b"content")
    stat = path.stat()
    digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"
    return FileRef(str(path), stat.st_size, stat.st_mtime_ns, digest, "")


def test_a_picture_is_scaled_down_and_never_up() -> None:
    payload = Payload(png(400, 200), "image/png", "a.png")
    assert opened(convert(payload, PictureOptions(side=100), LIMITS)).size == (100, 50)
    assert opened(convert(payload, PictureOptions(side=4000), LIMITS)).size == (400, 200)
    assert convert(payload, PictureOptions(), LIMITS) is payload


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "L", "LA", "1", "I;16"])
@pytest.mark.parametrize(("form", "kind"), [("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WEBP")])
def test_every_kind_of_pixel_in_every_format(mode: str, form: str, kind: str) -> None:
    made = convert(Payload(png(20, 10, mode), "image/png"), PictureOptions(side=16, format=form), LIMITS)
    assert opened(made).format == kind
    assert made.media_type == f"image/{form}"
    assert max(opened(made).size) == 16


def test_wrong_wishes_and_bytes_are_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="png, jpeg or webp"):
        convert(Payload(png(2, 2), "image/png"), PictureOptions(format="bmp"), LIMITS)
    with pytest.raises(UnavailableError, match="cannot be converted"):
        convert(Payload(b"no picture", "image/png"), PictureOptions(side=16), LIMITS)
    with pytest.raises(LimitError, match="max_pixels"):
        convert(Payload(png(100, 100), "image/png"), PictureOptions(side=16), Limits(max_pixels=500))


@pytest.mark.parametrize(
    "hostile",
    [
        '<image href="file:///etc/passwd"/>',
        "<image xlink:href = 'http://example.org/x.png'/>",
        "<style>@import 'x.css'</style>",
        "<rect fill='url(http://example.org/#a)'/>",
    ],
)
def test_an_svg_that_reaches_out_is_not_drawn(hostile: str) -> None:
    names = "xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
    svg = f"<svg {names} width='9' height='9'>{hostile}</svg>"
    for data in (svg.encode(), svg.encode("utf-16"), gzip.compress(svg.encode())):
        with pytest.raises(UnavailableError, match="outside itself"):
            convert(Payload(data, "image/svg+xml"), PictureOptions(side=16), LIMITS)


def test_a_page_is_drawn_at_the_size_asked_for(file: FileRef) -> None:
    drawer = Drawer()
    made = draw_part(drawer, file, PictureRegion(1, (612, 792)), LIMITS, PictureOptions())
    assert (drawer.dpi, made.width, made.height) == (144, 1224, 1584)
    made = draw_part(drawer, file, PictureRegion(1, (612, 792)), LIMITS, PictureOptions(side=256))
    assert max(made.width, made.height) == 256
    assert drawer.dpi < 30
    draw_part(drawer, file, PictureRegion(1, (612, 792)), Limits(max_pixels=10_000), PictureOptions())
    assert (612 * drawer.dpi / 72) * (792 * drawer.dpi / 72) <= 10_000


def test_an_element_is_cut_out_of_its_page_with_a_margin(file: FileRef) -> None:
    made = draw_part(Drawer(), file, PictureRegion(1, (612, 792), (100, 200, 300, 260)), LIMITS, PictureOptions())
    assert (made.width, made.height) == (432, 152)  # 200 × 60 points and 8 around, at 144 dpi
    image = opened(made).convert("RGB")
    assert image.getpixel((2, 2)) == (255, 255, 255)
    assert image.getpixel((216, 76)) == (0, 0, 255)


def test_a_box_outside_the_page_gives_the_page(file: FileRef) -> None:
    made = draw_part(Drawer(), file, PictureRegion(1, (612, 792), (5000, 5000, 6000, 6000)), LIMITS, PictureOptions())
    assert (made.width, made.height) == (1224, 1584)


def test_a_file_that_changed_is_not_shown(file: FileRef) -> None:
    path = Path(file.path)
    path.touch()  # same content at another time: hashing tells
    assert open_bytes(Drawer(), file, "inner", LIMITS).data == b"content"
    path.write_bytes(b"another")
    with pytest.raises(UnavailableError, match="has changed"):
        open_bytes(Drawer(), file, "inner", LIMITS)
    path.unlink()
    with pytest.raises(UnavailableError, match="cannot be opened"):
        open_bytes(Drawer(), file, "inner", LIMITS)
