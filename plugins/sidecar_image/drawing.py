"""Opens and draws picture files with Pillow, under the pixel limit, and has their words read, bounded in pixels."""

import io
import warnings
from itertools import groupby

from PIL import Image, ImageOps, UnidentifiedImageError

from sidecar.api import DamagedError, LimitError, Limits, NotFoundError, Payload, Source, UnavailableError
from sidecar.toolkit.ocr import PictureReader
from sidecar.toolkit.pictures import sniff_image

_MAX_PIXELS = 12_000_000
_LEAST_SIDE = 24
_LEAST_CONFIDENCE = 40.0
"""Percent: of a word in a picture that may hold none."""


def read_paragraphs(reader: PictureReader, image: Image.Image) -> tuple[str, ...]:
    """Paragraphs in reading order, of the words the reader is sure of. Small pictures hold no text worth the time."""
    if min(image.size) < _LEAST_SIDE:
        return ()
    gray = ImageOps.exif_transpose(image).convert("L")
    if gray.width * gray.height > _MAX_PIXELS:
        scale = (_MAX_PIXELS / (gray.width * gray.height)) ** 0.5
        gray = gray.resize((max(int(gray.width * scale), 1), max(int(gray.height * scale), 1)))
    found = reader.read(gray)
    words = [word for word in found.words if word.confidence >= _LEAST_CONFIDENCE] if found else []
    texts = [
        "\n".join(" ".join(word.text for word in line) for _, line in groupby(paragraph, lambda word: word.line))
        for _, paragraph in groupby(words, lambda word: word.paragraph)
    ]
    return tuple(text for text in texts if any(character.isalnum() for character in text))


_LONGEST = 4096


def reading_errors() -> tuple[type[Exception], ...]:
    """What Pillow raises on broken files, wherever in its decoders it notices."""
    return (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, AttributeError, OverflowError,
            ZeroDivisionError, RuntimeError, NotImplementedError, MemoryError, UnidentifiedImageError,
            Image.DecompressionBombError)  # fmt: skip


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
        raise DamagedError(f"{source.name} is not a readable picture: {error}.") from error
    if image.width * image.height > limits.max_pixels:
        raise LimitError(
            f"{source.name} has {image.width:,} × {image.height:,} pixels; max_pixels is {limits.max_pixels:,}."
        )
    return image


def picture(source: Source, part: int, dpi: int, limits: Limits) -> Payload:
    """A frame as PNG, turned upright, at most 4096 pixels long. `dpi` is meaningless for pixels and ignored."""
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
            shown.thumbnail((_LONGEST, _LONGEST))
            out = io.BytesIO()
            shown.save(out, "PNG")
    except EOFError:
        raise NotFoundError(f"{source.name} has no page {part}.") from None
    except reading_errors() as error:
        raise DamagedError(f"{source.name} cannot be drawn: {error}.") from error
    return Payload(out.getvalue(), "image/png", "", shown.width, shown.height)
