"""Words of pages read from their picture: by the networks aboard and by tesseract, against the page's own text.

    python tests/bench/formats/scans.py FOLDER [--pages N] [--looks clean,noise,skew] [--lang eng+deu]

Pages of born-digital PDFs below FOLDER, drawn by chance from a fixed seed, are rasterised: clean at 200 dpi, at 150 dpi
with noise, blur and JPEG, at 300 dpi and 1.3 degrees askew. A word (NFKC, case-folded, typographic quotes and dashes as
typed ones, without marks around it) counts as often as the page says it; pages with East Asian letters are counted by
the character. Seconds are of processor time, one thread each, and include what is started.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

from sidecar.toolkit.ocr.network import Network
from sidecar.toolkit.ocr.reading import Tesseract, find_tesseract
from sidecar.toolkit.ocr.words import Recognizer

SEED = 7
LEAST_WORDS = 120
"""Of a page that tells anything."""
SECONDS = 120.0
AS_TYPED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "−": "-", "‐": "-"})


def noisy(image: Image.Image) -> Image.Image:
    """A bad copy: grain, blur, grey paper, JPEG of quality 60."""
    grain = np.random.default_rng(SEED).normal(0, 18, (image.height, image.width))
    spoilt = np.clip(np.asarray(image, np.float32) * 0.9 + 5 + grain, 0, 255).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(spoilt).filter(ImageFilter.GaussianBlur(0.7)).save(out, "JPEG", quality=60)
    return Image.open(out).convert("L")


LOOKS: dict[str, tuple[int, Callable[[Image.Image], Image.Image]]] = {
    "clean": (200, lambda image: image),
    "noise": (150, noisy),
    "skew": (300, lambda image: image.rotate(1.3, Image.Resampling.BICUBIC, expand=True, fillcolor=255)),
}


def words(text: str) -> Counter[str]:
    """The words, or characters where East Asian ones are many."""
    plain = unicodedata.normalize("NFKC", text).translate(AS_TYPED).casefold()
    plain = plain.replace("\x02", "-").replace("\ufffe", "-").replace("\xad", "-")
    dense = sum("\u2e80" <= char <= "\u9fff" for char in plain)
    if dense > 0.2 * len(plain):
        return Counter(char for char in plain if char.isalnum())
    parted = plain.replace("-", " ").split()
    stripped = (word.strip(".,;:()[]\"'!?*•|") for word in parted)
    return Counter(word for word in stripped if any(map(str.isalnum, word)))


def pages(folder: Path, count: int) -> list[tuple[Path, int]]:
    """Pages with enough words, of as many files."""
    files = sorted(folder.rglob("*.pdf"))
    chance = random.Random(SEED)
    chance.shuffle(files)
    found: list[tuple[Path, int]] = []
    for file in files:
        try:
            document = pypdfium2.PdfDocument(file)
            number = chance.randrange(min(len(document), 5))
            text = document[number].get_textpage().get_text_bounded()
        except (pypdfium2.PdfiumError, ValueError):
            continue
        if sum(words(text).values()) >= LEAST_WORDS:
            found.append((file, number))
        if len(found) == count:
            break
    return found


def processor_seconds() -> float:
    """Of this process and those it started."""
    kinds = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--looks", default=",".join(LOOKS))
    parser.add_argument("--lang", default="eng")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    readers: list[Recognizer] = [Network()]
    installed = find_tesseract()
    if installed is not None:
        readers.append(Tesseract(installed.program, arguments.lang))
    readers[0].recognize(Image.new("L", (64, 64), 255), SECONDS)  # loads the networks
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * 5)
    started = time.monotonic()
    for file, number in pages(arguments.folder, arguments.pages):
        page = pypdfium2.PdfDocument(file)[number]
        truth = words(page.get_textpage().get_text_bounded())
        for look in arguments.looks.split(","):
            dpi, spoil = LOOKS[look]
            scale: Any = dpi / 72
            image = spoil(page.render(scale=scale, grayscale=True).to_pil().convert("L"))
            for reader in readers:
                before = processor_seconds()
                found = reader.recognize(image, SECONDS)
                seconds = processor_seconds() - before
                got = words(" ".join(word.text for word in found.words))
                hit = sum((got & truth).values())
                row = (float(hit), float(truth.total()), float(got.total()), seconds, 1.0)
                for key in ((look, reader.name), ("all", reader.name)):
                    sums[key] = [a + b for a, b in zip(sums[key], row, strict=True)]
                if arguments.verbose:
                    print(f"{file.name}:{number + 1} {look} {reader.name} {hit / truth.total():.3f} {seconds:.2f} s")
    for (look, name), (hit, said, got, seconds, count) in sorted(sums.items()):
        figures = f"recall {hit / said:.4f}  precision {hit / max(got, 1.0):.4f}  {seconds / count:.2f} s a page"
        print(f"{look:6} {name:18} {figures}  {count:.0f} pages")
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
