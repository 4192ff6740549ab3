"""Opens and draws picture files with Pillow, under the pixel limit."""

import io
import warnings

from PIL import Image, ImageOps

from sidecar.api import DamagedError, LimitError, Limits, NotFoundError, Payload, Source, UnavailableError
from sidecar.toolkit.ocr.pictures import reading_errors
from sidecar.toolkit.pictures import sniff_image

_MAX_SIDE = 4096


def open_image(source: Source, limits: Limits) -> Image.Image:
    """The picture, not decoded yet. Raises LimitError beyond `max_pixels`, DamagedError when Pillow cannot read it."""
    data = source.read(limits.max_file_bytes)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # size warnings: the limit below is ours
            image = Image.open(io.BytesIO(data))
    except Image.DecompressionBombError as error:
        raise LimitError(f"{source.name} has more pixels than max_pixels ({limits.max_pixels:,}).") from error
    except reading_errors() as error:
        why = str(error).partition(" <")[0]  # Pillow names the object it reads from
        raise DamagedError(f"{source.name} is not a readable picture: {why}.") from error
    if image.width * image.height > limits.max_pixels:
        raise LimitError(
            f"{source.name} has {image.width:,} × {image.height:,} pixels; max_pixels is {limits.max_pixels:,}."
        )
    return image


def picture(source: Source, part: int, dpi: int, limits: Limits) -> Payload:
    """A frame as PNG, turned upright, at most 4096 pixels long. `dpi` is meaningless for pixels and ignored. Raises
    NotFoundError, DamagedError, UnavailableError."""
    info = sniff_image(source.head)
    if info is not None and info.media_type in ("image/svg+xml", "image/x-wmf", "image/x-emf"):
        raise UnavailableError(f"{source.name} is a vector drawing; read the image itself, a viewer can show it.")
    image = open_image(source, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if part != 1:  # the frames of a Photoshop file are its layers, and it opens at the picture they make
                image.seek(part - 1)
            shown = ImageOps.exif_transpose(image)
            if shown.mode not in ("L", "LA", "RGB", "RGBA"):
                shown = shown.convert("RGBA" if "transparency" in shown.info else "RGB")
            shown.thumbnail((_MAX_SIDE, _MAX_SIDE))
            out = io.BytesIO()
            shown.save(out, "PNG")
    except EOFError:
        raise NotFoundError(f"{source.name} has no page {part}.") from None
    except reading_errors() as error:
        raise DamagedError(f"{source.name} cannot be drawn: {error}.") from error
    return Payload(out.getvalue(), "image/png", "", shown.width, shown.height)
