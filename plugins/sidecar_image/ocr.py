"""The words of a picture file as paragraphs; bounded in pixels and time."""

from itertools import groupby

from PIL import Image, ImageOps

from sidecar.toolkit.ocr import PictureReader

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
