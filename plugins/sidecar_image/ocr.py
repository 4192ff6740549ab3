"""Text in pictures, read by tesseract where it is installed; bounded in pixels and time."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageOps

from sidecar.api import Limits
from sidecar.toolkit.programs import tesseract

__all__ = ["Recognised", "recognise"]

_MAX_PIXELS = 12_000_000
_LEAST_SIDE = 24
_SECONDS = 40.0
_LEAST_CONFIDENCE = 40.0


@dataclass(frozen=True)
class Recognised:
    """Paragraphs in reading order; `failure` says why there are none where tesseract did not run to its end."""

    paragraphs: tuple[str, ...] = ()
    failure: str = ""


def recognise(program: str, image: Image.Image, limits: Limits) -> Recognised:
    """The words tesseract is sure of, joined to lines and paragraphs. Small pictures hold no text worth the time."""
    if min(image.size) < _LEAST_SIDE:
        return Recognised()
    gray = ImageOps.exif_transpose(image).convert("L")
    if gray.width * gray.height > _MAX_PIXELS:
        scale = (_MAX_PIXELS / (gray.width * gray.height)) ** 0.5
        gray = gray.resize((max(int(gray.width * scale), 1), max(int(gray.height * scale), 1)))
    found = tesseract.recognise(program, gray, min(_SECONDS, limits.max_seconds / 2))
    if found.timed_out:
        return Recognised(failure="tesseract took too long")
    return Recognised(_paragraphs(found.table), found.failure)


def _paragraphs(table: str) -> tuple[str, ...]:
    """Tesseract's TSV: level, page, block, paragraph, line, word, box, confidence, text."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in table.split("\n")[1:]:
        fields = row.rstrip("\r").split("\t")
        if len(fields) < 12 or fields[0] != "5" or not fields[11].strip():
            continue
        try:
            sure = float(fields[10]) >= _LEAST_CONFIDENCE
        except ValueError:
            continue
        if sure:
            found.setdefault((fields[2], fields[3]), {}).setdefault(fields[4], []).append(fields[11].strip())
    texts = ["\n".join(" ".join(words) for words in lines.values()) for lines in found.values()]
    return tuple(text for text in texts if any(character.isalnum() for character in text))
