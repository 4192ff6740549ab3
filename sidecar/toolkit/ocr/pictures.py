"""Paragraphs of the words in a picture, for pictures that may hold none: only words the reader is sure of, and none of
photographs."""

import re
from itertools import groupby

from PIL import Image, ImageOps, UnidentifiedImageError

from sidecar.toolkit.ocr.reading import PictureReader

_MAX_PIXELS = 12_000_000
_MIN_SIDE = 24
_MIN_CONFIDENCE = 40.0
"""Percent: of a word in a picture that may hold none."""
_WORD = re.compile(r"[^\W_]{3,}")
_TICK = re.compile(r"\W{0,2}\d{1,2}(?:[.,]\d+)?%?")
_MIN_WORDS = 0.3
"""Share of words of three letters or digits among what is no small number: less are the shades of a drawing, taken for
letters."""


def read_paragraphs(reader: PictureReader, image: Image.Image) -> tuple[str, ...]:
    """Paragraphs in reading order, of the words the reader is sure of. Small pictures hold no text worth the time."""
    if min(image.size) < _MIN_SIDE:
        return ()
    gray = ImageOps.exif_transpose(image).convert("L")
    if gray.width * gray.height > _MAX_PIXELS:
        scale = (_MAX_PIXELS / (gray.width * gray.height)) ** 0.5
        gray = gray.resize((max(int(gray.width * scale), 1), max(int(gray.height * scale), 1)))
    found = reader.read(gray)
    words = [word for word in found.words if word.confidence >= _MIN_CONFIDENCE] if found else []
    texts = [
        "\n".join(" ".join(word.text for word in line) for _, line in groupby(paragraph, lambda word: word.line))
        for _, paragraph in groupby(words, lambda word: word.paragraph)
    ]
    return tuple(text for text in texts if any(character.isalnum() for character in text))


def are_words(text: str) -> bool:
    """Whether what was recognised in a picture that may hold no words are some."""
    words = [word for word in text.split() if not _TICK.fullmatch(word)]
    return bool(words) and sum(_WORD.search(word) is not None for word in words) >= _MIN_WORDS * len(words)


def taken_by_camera(image: Image.Image) -> bool:
    """Whether the picture is a photograph: it names an exposure time (EXIF tag 0x829A). There are many, words on them
    are few, and each costs a second."""
    try:
        return 0x829A in image.getexif().get_ifd(0x8769)
    except (OSError, ValueError, KeyError, TypeError, SyntaxError, IndexError, EOFError, OverflowError):
        return False


def reading_errors() -> tuple[type[Exception], ...]:
    """What Pillow raises on broken files, wherever in its decoders it notices."""
    return (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, AttributeError, OverflowError,
            ZeroDivisionError, RuntimeError, NotImplementedError, MemoryError, UnidentifiedImageError,
            Image.DecompressionBombError)  # fmt: skip
