"""Reads the words of pictures with what there is: tesseract where it is installed, the networks aboard elsewhere.
Within a time for the whole document; pictures that lie on their side are read turned."""

import time
from dataclasses import dataclass, field
from typing import Final

from PIL import Image

from sidecar.toolkit.ocr.network import Network
from sidecar.toolkit.ocr.tesseract import find_tesseract
from sidecar.toolkit.ocr.words import Recognition, RecognizedWord, Recognizer

_PICTURE_SECONDS: Final = 40.0
"""For one picture."""
# Percent, by the readers' own reckoning; chosen on the corpus's scans.
_LEAST_CONFIDENCE: Final = 30.0
"""Of a word that is kept."""
_CONFIDENT: Final = 60.0
"""Mean below which a picture may lie on its side."""
_BETTER: Final = 10.0
"""By which the mean of a turned picture must be better."""


@dataclass(frozen=True)
class ReadPicture:
    """The words of a picture, which was `turned` counter-clockwise by so many degrees before it was read."""

    words: tuple[RecognizedWord, ...]
    turned: int = 0


@dataclass
class PictureReader:
    """A reader for one document."""

    recognizer: Recognizer
    seconds: float
    """What is left of the document's time for OCR."""
    failure: str = field(default="")
    """Why the last picture was not read, where not for want of time."""

    def read(self, image: Image.Image) -> ReadPicture | None:
        """The words of a picture in shades of grey; None where it could not be read. One that reads as noise is tried
        turned, since scans often lie on their side."""
        found = self._recognize(image)
        if found is None or found.confidence >= _CONFIDENT:
            return found and ReadPicture(_kept(found))
        for angle in (90, 270, 180) if found.sideways else (180, 90, 270):
            turned = self._recognize(image.rotate(angle, expand=True))
            if turned and turned.words and turned.confidence > max(found.confidence + _BETTER, _CONFIDENT):
                return ReadPicture(_kept(turned), angle)
        return ReadPicture(_kept(found))

    def _recognize(self, image: Image.Image) -> Recognition | None:
        if self.seconds <= 0 or self.failure:
            return None
        started = time.monotonic()
        found = self.recognizer.recognize(image, min(_PICTURE_SECONDS, self.seconds))
        self.seconds -= time.monotonic() - started
        self.failure = found.failure
        return None if found.timed_out or found.failure else found


def picture_reader(language: str, seconds: float) -> PictureReader:
    """A reader for a document in `language` (BCP 47, may be empty) that may take so many seconds in all."""
    return PictureReader(find_tesseract(language) or Network(), seconds)


def _kept(found: Recognition) -> tuple[RecognizedWord, ...]:
    return tuple(word for word in found.words if word.confidence >= _LEAST_CONFIDENCE)
