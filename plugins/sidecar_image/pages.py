"""Pictures of pages (scans, faxes) as a PDF, so that they are read as the pages of a scanned one are. They are told by
their size and shape, and by the paper, which is light."""

import io
import warnings
from math import log

from PIL import Image, ImageOps

from sidecar.api import DamagedError, Limits, Payload, Source
from sidecar.toolkit.metafiles import METAFILES
from sidecar.toolkit.ocr.pictures import reading_errors, taken_by_camera
from sidecar.toolkit.pictures import sniff_image
from sidecar_image.drawing import open_image

MAX_PAGES = 200
_MIN_LONG, _MIN_SHORT = 1000, 600
"""Pixels of the sides of a page: A4 has 1,170 by 827 at 100 dots an inch."""
_MAX_RATIO = 1.6
"""Of its sides: paper has 1.3 to 1.42, a screen 1.6 and more."""
_LIGHT, _PAPER = 140, 0.6
"""Shade from which on paper is seen, and the share of the page that it is at least."""
_THUMB = 96
_LENGTH, _RESOLUTIONS = 842.0, (72, 100, 150, 200, 300, 400, 600)
"""Points of the longer side of A4, and dots an inch that pages are scanned with: what is small on a page is told in
points, and a page drawn with its own dots is as sharp as its scan."""
_MAX_PIXELS = 12_000_000
_MAX_BYTES = 64 * 2**20
"""Of all pages as JPEG."""
_QUALITY = 95


def frames_of(image: Image.Image) -> int:
    """How many of its frames are pages: all of a TIFF, one of others."""
    if image.format != "TIFF":
        return 1
    try:
        return min(max(int(getattr(image, "n_frames", 1)), 1), MAX_PAGES)
    except reading_errors():
        return 1  # counting walks all directories, and a later one is broken


def is_page(image: Image.Image) -> bool:
    """Whether a picture may show a page: no photograph of a camera, large, shaped as paper is, and mostly light."""
    short, long = sorted(image.size)
    if long < _MIN_LONG or short < _MIN_SHORT or long > _MAX_RATIO * short or taken_by_camera(image):
        return False
    shades = image.resize((_THUMB, _THUMB), Image.Resampling.NEAREST).convert("L").histogram()
    return sum(shades[_LIGHT:]) >= _PAPER * sum(shades)


def as_pages(source: Source, limits: Limits) -> Payload | None:
    """See `ShowsPages.as_pages`. Raises FormatError."""
    info = sniff_image(source.head)
    if info is None or info.media_type in METAFILES or info.media_type in ("image/svg+xml", "image/heic"):
        return None
    image = open_image(source, limits)
    pages: list[tuple[bytes, int, int]] = []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not is_page(image):
                return None
            for number in range(min(frames_of(image), limits.max_parts)):
                if number:
                    image.seek(number)
                pages.append(_page(image, limits))
                if sum(len(data) for data, _, _ in pages) > _MAX_BYTES:
                    return None
    except reading_errors() as error:
        raise DamagedError(f"{source.name} is a broken picture: {error}.") from error
    return Payload(_pdf(pages), "application/pdf", f"{source.path.stem}.pdf")


def _page(image: Image.Image, limits: Limits) -> tuple[bytes, int, int]:
    """A frame as JPEG in shades of grey, with its width and height. Raises ValueError beyond `max_pixels`."""
    if image.width * image.height > limits.max_pixels:
        raise ValueError(f"a page has {image.width:,} × {image.height:,} pixels")
    gray = ImageOps.exif_transpose(image).convert("L")
    scale = min((_MAX_PIXELS / (gray.width * gray.height)) ** 0.5, 1.0)
    if scale < 1.0:
        gray = gray.resize((max(int(gray.width * scale), 1), max(int(gray.height * scale), 1)))
    out = io.BytesIO()
    gray.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue(), gray.width, gray.height


def _pdf(pages: list[tuple[bytes, int, int]]) -> bytes:
    """A PDF (ISO 32000-1, 7.5) of pages that each show one picture of DCT data."""
    kids = " ".join(f"{3 + 3 * at} 0 R" for at in range(len(pages)))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode()]
    for data, across, down in pages:
        dots = min(_RESOLUTIONS, key=lambda one: abs(log(max(across, down) * 72 / one / _LENGTH)))
        first, scale = len(objects) + 1, 72 / dots
        width, height = across * scale, down * scale
        drawn = f"{width:.2f} 0 0 {height:.2f} 0 0 cm /P Do".encode()
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:.2f} {height:.2f}]/Contents {first + 1} 0 R"
            f"/Resources<</XObject<</P {first + 2} 0 R>>>>>>".encode(),
            b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn),
            f"<</Type/XObject/Subtype/Image/Width {across}/Height {down}/ColorSpace/DeviceGray/BitsPerComponent 8"
            f"/Filter/DCTDecode/Length {len(data)}>>stream\n".encode()
            + data
            + b"\nendstream",
        ]
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    table = out.tell()
    entries = b"".join(b"%010d 00000 n \n" % place for place in places)
    out.write(b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, entries))
    out.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table))
    return out.getvalue()
