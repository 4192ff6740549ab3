"""Tesseract, where it is installed, run on one picture: bounded in time, and nothing of it is left running whatever
becomes of this process. What its words come to is the caller's business."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sidecar.toolkit.programs.process_tree import run_tree

if TYPE_CHECKING:
    from PIL import Image

_LIST_SECONDS: Final = 10.0
"""For the list of languages."""
_SAID_CHARS: Final = 200
"""How much of what it said is told of a failure."""


@dataclass(frozen=True)
class Recognition:
    """`table` is tesseract's TSV, below a line of headings: level, page, block, paragraph, line, word, left, top,
    width, height, confidence, text. "" where it did not run to its end: `failure` says why, or it `timed_out`."""

    table: str = ""
    failure: str = ""
    timed_out: bool = False


def find_tesseract() -> str | None:
    """The program, None where it is not installed."""
    return shutil.which("tesseract")


def recognise(program: str, image: Image.Image, seconds: float, *, language: str = "") -> Recognition:
    """Read a picture within so many seconds. `language` is tesseract's own name of it, or several joined by "+"."""
    with tempfile.TemporaryDirectory(prefix="tesseract-") as name:
        work = Path(name)
        image.save(work / "page.ppm", "PPM")
        languages = ["-l", language] if language else []
        command = [program, "page.ppm", "words", *languages, "--psm", "3", "tsv"]
        try:
            done = run_tree(command, seconds=seconds, cwd=work, env={**os.environ, "OMP_THREAD_LIMIT": "1"})
            if done is None:
                return Recognition(timed_out=True)
            if done.returncode:
                said = done.stdout.decode("utf-8", "replace").strip().splitlines()
                why = said[-1][:_SAID_CHARS] if said else f"exit code {done.returncode}"
                return Recognition(failure=f"tesseract failed: {why}")
            return Recognition((work / "words.tsv").read_text("utf-8", "replace"))
        except OSError as error:
            return Recognition(failure=f"tesseract could not be started: {error.strerror or error}")


def installed_languages(program: str) -> list[str]:
    """Tesseract's names of the languages it can read; empty where it does not say."""
    with tempfile.TemporaryDirectory(prefix="tesseract-") as work:
        try:
            done = run_tree([program, "--list-langs"], seconds=_LIST_SECONDS, cwd=Path(work))
        except OSError:
            return []
    return [] if done is None else done.stdout.decode("utf-8", "replace").split()
