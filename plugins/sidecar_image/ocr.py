"""Text in pictures, read by tesseract where it is installed; bounded in pixels and time."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from dataclasses import dataclass

from PIL import Image, ImageOps

from sidecar.api import Limits

__all__ = ["Recognised", "find_tesseract", "recognise"]

_MAX_PIXELS = 12_000_000
_LEAST_SIDE = 24
_SECONDS = 40.0
_LEAST_CONFIDENCE = 40.0


@dataclass(frozen=True)
class Recognised:
    """Paragraphs in reading order; `failure` says why there are none where tesseract did not run to its end."""

    paragraphs: tuple[str, ...] = ()
    failure: str = ""


def find_tesseract() -> str | None:
    """The program, None where it is not installed."""
    return shutil.which("tesseract")


def recognise(program: str, image: Image.Image, limits: Limits) -> Recognised:
    """The words tesseract is sure of, joined to lines and paragraphs. Small pictures hold no text worth the time."""
    if min(image.size) < _LEAST_SIDE:
        return Recognised()
    gray = ImageOps.exif_transpose(image).convert("L")
    if gray.width * gray.height > _MAX_PIXELS:
        scale = (_MAX_PIXELS / (gray.width * gray.height)) ** 0.5
        gray = gray.resize((max(int(gray.width * scale), 1), max(int(gray.height * scale), 1)))
    out = io.BytesIO()
    gray.save(out, "PPM")
    try:
        done = subprocess.run(
            [program, "stdin", "stdout", "--psm", "3", "tsv"],
            input=out.getvalue(),
            capture_output=True,
            timeout=min(_SECONDS, limits.max_seconds / 2),
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired:
        return Recognised(failure="tesseract took too long")
    except OSError as error:
        return Recognised(failure=f"tesseract could not be started: {error.strerror or error}")
    if done.returncode:
        return Recognised(failure=f"tesseract failed: {done.stderr.decode('utf-8', 'replace').strip()[:200]}")
    return Recognised(_paragraphs(done.stdout.decode("utf-8", "replace")))


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
