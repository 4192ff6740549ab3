"""Reads pages without a text layer with tesseract, where it is installed: bounded in time, one page at a time."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field

from sidecar_pdf.drafts import Draft
from sidecar_pdf.drawing import page_image
from sidecar_pdf.pages import Opened

_DPI = 200
_MAX_PIXELS = 12_000_000
_PAGE_SECONDS = 40.0
_SHARE = 0.5
"""Of the time a parse may take, what OCR may use."""
_LEAST_CONFIDENCE = 30.0
_LANGUAGES = {
    "en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "pt": "por", "nl": "nld", "ru": "rus",
    "zh": "chi_sim", "ja": "jpn", "ko": "kor", "pl": "pol", "sv": "swe", "da": "dan", "tr": "tur", "ar": "ara",
}  # fmt: skip


@dataclass
class Reader:
    """Tesseract for one document. `read` answers None when the page could not be read."""

    program: str
    language: str
    seconds: float
    """What is left of the document's time for OCR."""
    failure: str = field(default="")

    def read(self, document: Opened, page: int) -> list[Draft] | None:
        if self.seconds <= 0 or self.failure:
            return None
        started = time.monotonic()
        image = page_image(document, page, _DPI, _MAX_PIXELS, gray=True)
        scale = float(image.width) / max(float(_page_width(page)), 0.1)
        out = io.BytesIO()
        image.save(out, "PPM")
        try:
            done = subprocess.run(
                [self.program, "stdin", "stdout", "-l", self.language, "--psm", "3", "tsv"],
                input=out.getvalue(),
                capture_output=True,
                timeout=min(_PAGE_SECONDS, self.seconds),
                check=False,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        except subprocess.TimeoutExpired:
            self.seconds -= time.monotonic() - started
            return None
        except OSError as error:
            self.failure = f"tesseract could not be started: {error.strerror or error}"
            return None
        self.seconds -= time.monotonic() - started
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            self.failure = f"tesseract failed: {said[-1] if said else done.returncode}"
            return None
        return _drafts(done.stdout.decode("utf-8", "replace"), scale)


def _page_width(page: int) -> float:
    from sidecar_pdf import raw

    return float(raw.page_width(page))


def find_reader(language: str, max_seconds: float) -> Reader | None:
    """A reader for documents in `language` (BCP 47, may be empty); None where tesseract is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    wanted = _LANGUAGES.get(language[:2].lower(), "")
    if wanted not in {"", "eng"}:
        try:
            listed = subprocess.run([program, "--list-langs"], capture_output=True, timeout=10, check=False)
        except (subprocess.TimeoutExpired, OSError):
            return None
        have = listed.stdout.decode("utf-8", "replace").split()
        wanted = f"{wanted}+eng" if wanted in have else ""
    return Reader(program, wanted or "eng", max_seconds * _SHARE)


def _drafts(tsv: str, scale: float) -> list[Draft]:
    """Paragraphs from tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text."""
    drafts: list[Draft] = []
    lines: dict[tuple[str, str], dict[str, list[tuple[str, float, float, float, float]]]] = {}
    for row in tsv.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != 12 or cells[0] != "5" or not cells[11].strip():
            continue
        try:
            confidence = float(cells[10])
            left, top, width, height = (float(cell) / scale for cell in cells[6:10])
        except ValueError:
            continue
        if confidence >= _LEAST_CONFIDENCE:
            paragraph = lines.setdefault((cells[2], cells[3]), {})
            paragraph.setdefault(cells[4], []).append((cells[11].strip(), left, top, left + width, top + height))
    for paragraph in lines.values():
        text = ""
        words = [word for line in paragraph.values() for word in line]
        for line in paragraph.values():
            joined = " ".join(word[0] for word in line)
            if text.endswith("-") and joined[:1].islower():
                text = text[:-1] + joined
            else:
                text += (" " if text else "") + joined
        box = (min(w[1] for w in words), min(w[2] for w in words), max(w[3] for w in words), max(w[4] for w in words))
        heights = sorted(w[4] - w[2] for w in words)
        drafts.append(Draft("text", text, box, size=heights[len(heights) // 2], lines=len(paragraph)))
    return drafts
