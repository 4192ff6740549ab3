"""What a reader of pictures gives, whichever it is: words with their boxes, lines and paragraphs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from PIL import Image

from sidecar.api import Box


class RecognizedWord(NamedTuple):
    """A word where it stands in the picture."""

    text: str
    box: Box
    """Left, top, right, bottom in pixels."""
    confidence: float
    """In percent, by the reader's own reckoning."""
    line: int
    """Words of one line share it; lines are numbered through the picture, in reading order."""
    paragraph: int
    height: float
    """Pixels from the top of the line's tall letters to the foot of its deep ones, about."""


@dataclass(frozen=True)
class Recognition:
    """The words in reading order; without any, `failure` says why the reader ended early, or it `timed_out`."""

    words: tuple[RecognizedWord, ...] = ()
    failure: str = ""
    timed_out: bool = False
    sideways: bool = False
    """Its lines run up or down, so that it must be turned to be read."""

    @property
    def confidence(self) -> float:
        """The mean of its characters, in percent; 100 where there are none, 0 of a picture that lies on its side."""
        if self.sideways:
            return 0.0
        weight = sum(len(word.text) for word in self.words)
        return sum(word.confidence * len(word.text) for word in self.words) / weight if weight else 100.0


class Recognizer(Protocol):
    """Reads the words of pictures."""

    @property
    def name(self) -> str:
        """What a person knows it by."""
        ...

    @property
    def clock(self) -> Callable[[], float]:
        """What tells how many seconds of work it took: this process's, or a program's that it ran."""
        ...

    def recognize(self, image: Image.Image, seconds: float) -> Recognition:
        """Read a picture in shades of grey within `seconds` of its `clock`."""
        ...
