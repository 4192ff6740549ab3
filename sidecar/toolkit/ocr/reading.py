"""Reads the words of pictures: by the networks aboard, and by tesseract, if installed, what they are unsure of.

A document has a time for all its pictures; those that lie on their side are read turned. A run of tesseract is bounded
in time too, and nothing of it is left running whatever becomes of this process."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image

from sidecar.toolkit.ocr.network import Network, knows
from sidecar.toolkit.ocr.words import Recognition, RecognizedWord, Recognizer
from sidecar.toolkit.platform import system
from sidecar.toolkit.programs.process_tree import exit_name, run_tree

_LIST_SECONDS: Final = 10.0
"""For the list of languages."""
_MAX_ERROR_CHARS: Final = 200
"""How much of what it said is told of a failure."""
_COLUMNS, _WORD = 12, "5"
"""Of its table, and the level of a row that is a word."""
_LANGUAGES = {
    "en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld", "ru": "rus",
    "zh": "chi_sim", "ja": "jpn", "ko": "kor", "pl": "pol", "sv": "swe", "da": "dan", "tr": "tur", "ar": "ara",
    "el": "ell", "he": "heb", "uk": "ukr", "hi": "hin", "th": "tha", "fa": "fas", "bg": "bul", "ka": "kat", "vi": "vie",
}  # fmt: skip
_OTHER_SCRIPTS: Final = ("rus", "ara", "jpn", "kor", "ell", "heb", "hin", "tha", "ukr", "kat", "fas", "bul")
"""What it is told to read together where the language is not known, the most written first."""
_MAX_LANGUAGES: Final = 8
"""Read together: seven take about twice the time of one."""
_PICTURE_SECONDS: Final = 40.0
"""For one picture."""
# Percent, by the readers' own reckoning; chosen on the corpus's scans.
_MIN_CONFIDENCE: Final = 30.0
"""Of a word that is kept."""
_CONFIDENT: Final = 60.0
"""Mean below which a picture may lie on its side."""
_BETTER: Final = 10.0
"""By which the mean of a turned picture must be better."""
_UNSURE: Final = 88.0
"""Mean of the networks below which tesseract reads a picture too. Of pages in Latin letters it is 95 and more, even of
noisy ones; of those in letters they do not know 60 to 83, and hardly a letter is right."""
UNSURE_READING: Final = (
    "most of it is unsure: the picture is poor, or in letters that tesseract reads where it is installed with their "
    "language."
)
"""What a notice says of a picture whose reading is unsure."""


@dataclass(frozen=True)
class Tesseract:
    """The program, and the languages it is told to read: its own names of them, joined by "+"."""

    program: str
    language: str
    name = "tesseract"
    clock = staticmethod(system.programs_seconds)

    def recognize(self, image: Image.Image, seconds: float) -> Recognition:
        """See `Recognizer`."""
        with tempfile.TemporaryDirectory(prefix="tesseract-") as name:
            work = Path(name)
            image.save(work / "page.ppm", "PPM")
            command = [self.program, "page.ppm", "words", "-l", self.language, "--psm", "3", "tsv"]
            try:
                done = run_tree(command, seconds=seconds, cwd=work, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
                if done is None:
                    return Recognition(timed_out=True)
                if done.returncode:
                    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
                    why = lines[-1][:_MAX_ERROR_CHARS] if lines else exit_name(done.returncode)
                    return Recognition(failure=f"tesseract failed: {why}")
                table = (work / "words.tsv").read_text("utf-8", "replace")
            except OSError as error:
                return Recognition(failure=f"tesseract could not be started: {error.strerror or error}")
        return Recognition(tuple(_words(table)))


def find_tesseract(language: str = "") -> Tesseract | None:
    """Tesseract for documents in `language` (BCP 47, may be empty), or where that is not known, or not installed and of
    a script the networks aboard do not read, for such scripts; None where it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    installed = installed_languages(program)
    wanted = _LANGUAGES.get(language[:2].lower(), "")
    others = _OTHER_SCRIPTS if not wanted or wanted in _OTHER_SCRIPTS else ()
    chosen = [name for name in ([wanted] if wanted in installed else others) if name in installed]
    return Tesseract(program, "+".join([*chosen[:_MAX_LANGUAGES], *(["eng"] if wanted != "eng" else [])]))


def installed_languages(program: str) -> list[str]:
    """Tesseract's names of the languages it can read; empty where it does not say."""
    with tempfile.TemporaryDirectory(prefix="tesseract-") as work:
        try:
            done = run_tree([program, "--list-langs"], seconds=_LIST_SECONDS, cwd=Path(work))
        except OSError:
            return []
    return [] if done is None else done.stdout.decode("utf-8", "replace").split()


def _words(table: str) -> Iterator[RecognizedWord]:
    """The words of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence,
    text. Lines and paragraphs are numbered within what holds them there."""
    lines: dict[tuple[str, ...], int] = {}
    paragraphs: dict[tuple[str, ...], int] = {}
    height = 0.0
    for row in table.split("\n")[1:]:
        cells = row.rstrip("\r").split("\t")
        if len(cells) != _COLUMNS:
            continue
        try:
            left, top, width, tall = (float(cell) for cell in cells[6:10])
            confidence = float(cells[10])
        except ValueError:
            continue
        height = tall if cells[0] != _WORD and tall else height
        text = cells[11].strip()
        if cells[0] == _WORD and text:
            line = lines.setdefault(tuple(cells[2:5]), len(lines))
            paragraph = paragraphs.setdefault(tuple(cells[2:4]), len(paragraphs))
            yield RecognizedWord(
                text, (left, top, left + width, top + tall), confidence, line, paragraph, height or tall
            )


@dataclass(frozen=True)
class ReadPicture:
    """The words of a picture, which was `turned` counter-clockwise by so many degrees before it was read."""

    words: tuple[RecognizedWord, ...]
    turned: int = 0
    unsure: bool = False
    """Whether many of its words may be wrong, or all, in letters that nobody here reads."""


@dataclass
class PictureReader:
    """A reader for one document."""

    recognizer: Recognizer
    seconds: float
    """What is left of the document's time for OCR."""
    other: Callable[[], Recognizer | None] = lambda: None
    """Finds who is asked besides where the first is unsure."""
    unsure: bool = False
    """Whether what was read of a picture is unsure."""
    failure: str = ""
    """Why a picture was not read, or not by the other, where not for want of time."""

    def read(self, image: Image.Image) -> ReadPicture | None:
        """The words of a picture in shades of grey; None where it could not be read. One that reads as noise is tried
        turned, since scans often lie on their side."""
        found, turned = self._recognize(self.recognizer, image), 0
        if found is None:
            return None
        if found.confidence < _CONFIDENT:
            for angle in (90, 270, 180) if found.sideways else (180, 90, 270):
                other = self._recognize(self.recognizer, image.rotate(angle, expand=True))
                if other and other.words and other.confidence > max(found.confidence + _BETTER, _CONFIDENT):
                    found, turned = other, angle
                    break
        if found.confidence < _UNSURE:
            found = self._surer(found, image.rotate(turned, expand=True) if turned else image)
        words = tuple(word for word in found.words if word.confidence >= _MIN_CONFIDENCE)
        unsure = found.confidence < _UNSURE
        self.unsure = self.unsure or unsure
        return ReadPicture(words, turned, unsure)

    def _surer(self, found: Recognition, image: Image.Image) -> Recognition:
        """What the other reader says, where it is surer: then it reads the rest of the document."""
        asked = self.other()
        other = self._recognize(asked, image) if asked is not None else None
        if asked is None or other is None:
            self.other = lambda: None
        elif other.words and other.confidence > found.confidence:
            self.recognizer, self.other = asked, lambda: None
            return other
        return found

    def _recognize(self, recognizer: Recognizer, image: Image.Image) -> Recognition | None:
        if self.seconds <= 0:
            return None
        started, seconds = recognizer.clock(), min(_PICTURE_SECONDS, self.seconds)
        found = recognizer.recognize(image, seconds)
        self.seconds -= seconds if found.timed_out else recognizer.clock() - started
        self.failure = found.failure or self.failure
        return None if found.timed_out or found.failure else found


def picture_reader(language: str, seconds: float) -> PictureReader:
    """A reader for a document in `language` (BCP 47, may be empty) that may take `seconds` in all."""
    return PictureReader(Network(), seconds, cache(lambda: find_tesseract(language)))


def figure_reader(language: str, text: str, seconds: float) -> PictureReader:
    """A reader of pictures that show few words, such as diagrams and screenshots, in a document that says `text`: the
    networks aboard alone where they know its letters. In 15 figures of the corpus's PDFs they find 508 of 530 words;
    tesseract, which looks for columns of text, finds 398 in three times the time."""
    return PictureReader(Network(), seconds) if knows(text) else picture_reader(language, seconds)
