"""What each quick way beside a slower one gains: the same files read with it and without, by turns, in one process.

    python tests/bench/formats/twins.py [--files N] [--rounds N] [--only WORD]

Processor time from file to encoded outcome, as a worker spends it; of each file the least of the rounds, either way.
Files are spread over the corpus (DOCSIDECAR_CORPUS). "without" is the time where the quick way is put aside, so that
all goes the slower one, which has to be there in any case; files whose outcome differs are counted. Hold: a second
reader gains 20 % or more for a format; what is only a shorter way inside one reader (marked "inside"), or remembers
(marked "cache"), may gain less. Prints ratios; asserts nothing.

Decided with it, over all files of the corpus in one run: the scanner of plain paragraphs stays (21 % of 158 .docx, 25 %
of the largest third). Members straight from the bytes gain 11, 10 and 12 %, and stay for what zipfile does not do: a
wrong checksum loses no document, and parts that many files share are told by their packed bytes, worth 46 % of a .docx.
Out went a directory of our own beside zipfile's (8, 4 and 9 %) and the look at the bytes of layouts before they are
parsed (7 % of .pptx); 617 Office files then read byte for byte the same. Out went also the look whether a text of
Markdown is plain before it is parsed (5 % of 236 .md and .ipynb, 4 % of the largest third); 522 texts then read the
same.

No compiled step: mypyc on the four modules of cells that lead the profile of .xlsx (reading, scanning, strings,
references) took 3.06 to 4.28 ms of a file where Python took 3.24 to 4.35 (120 files, nine runs of each by turns on a
busy machine: gains of 16, 9, 9, 8, 7, 7 and 4 %, losses of 8 and 22), below the 20 %. Of 40 small .pptx no function
of ours takes a tenth.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sidecar_docx.document
import sidecar_xlsx.sheet.worksheet
from sidecar_xlsx.cells.scanning import split_sheet_slowly

from sidecar.api import Limits
from sidecar.ingest.reading.detect import Detector, detector_of
from sidecar.ingest.reading.files import read_file
from sidecar.ingest.reading.jobs import Job, Loader, encode
from sidecar.toolkit.markup.markdown import blocks, make_markdown_parser
from sidecar.toolkit.ooxml import package

CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", Path(__file__).parents[3] / ".." / "shared" / "corpus"))
OFFICE = ("docx", "xlsx", "pptx")
LIMITS = Limits(ocr=False)
Without = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True)
class Twin:
    """A quick way: where it is, the suffixes it is there for, and how it is put aside."""

    name: str
    kind: str
    suffixes: Sequence[str]
    without: Without


def _nothing(_: object) -> None:
    """Not the quick way."""


def _through_zipfile(self: package.Package, info: Any, limit: int | None, _: bytes | None = None) -> bytes:
    with self._archive.open(info.filename) as member:  # pyright: ignore[reportPrivateUsage]
        return member.read(info.file_size + 1 if limit is None else limit)


def _plain_markdown_it() -> AbstractContextManager[Any]:
    stack = ExitStack()
    stack.enter_context(patch("sidecar_markdown.parse.markdown_parser", make_markdown_parser))
    stack.enter_context(patch.object(blocks, "inline_parser", cache(partial(make_markdown_parser, 20))))
    return stack


class _Forgetful(package.PartCache):
    """Remembers nothing."""

    def put(self, key: Any, result: Any, size: int) -> None:
        """Nothing is kept."""


TWINS = (
    Twin(
        "docx: plain paragraphs scanned, else a tree", "reader", ("docx",),
        lambda: patch.object(sidecar_docx.document, "split_body", _nothing),
    ),
    Twin(
        "xlsx: rows scanned, else through a tree", "reader", ("xlsx",),
        lambda: patch.object(sidecar_xlsx.sheet.worksheet, "split_sheet", split_sheet_slowly),
    ),
    Twin(
        "zip members straight from the bytes, else ZipFile.open", "inside", OFFICE,
        lambda: patch.object(package.Package, "_unpacked", _through_zipfile),
    ),
    Twin(
        "parts that are the same in file after file, made once", "cache", OFFICE,
        lambda: patch.object(package, "_part_cache", lambda: _Forgetful(0)),
    ),
    Twin("md: rules asked by the first character, else all", "inside", ("md",), _plain_markdown_it),
)  # fmt: skip


def _read(path: Path, detector: Detector) -> tuple[int, list[bytes]]:
    """Nanoseconds of processor time, and the frames of the outcome."""
    started = time.process_time_ns()
    frames = [*encode(read_file(Job(os.fsencode(path)), detector, LIMITS))]
    return time.process_time_ns() - started, frames


def _measure(twin: Twin, files: Sequence[Path], detector: Detector, rounds: int) -> tuple[list[int], list[int], int]:
    """Nanoseconds of each file with the quick way and without it, and how many outcomes differ."""
    spent = {quick: [0] * len(files) for quick in (True, False)}
    differ = 0
    for turn in range(2 * rounds + 1):
        for at, path in enumerate(files):
            frames: list[list[bytes]] = []
            for quick in (True, False) if turn % 2 else (False, True):  # the second to read finds caches warm
                with ExitStack() as stack:
                    if not quick:
                        stack.enter_context(twin.without())
                    took, outcome = _read(path, detector)
                frames.append(outcome)
                spent[quick][at] = min(spent[quick][at], took) if turn else 10**12
            differ += not turn and frames[0] != frames[1]
    return spent[True], spent[False], differ


def _files(suffix: str, count: int) -> list[Path]:
    found = sorted(path for path in CORPUS.rglob(f"*.{suffix}") if path.is_file())
    return found[:: max(1, len(found) // count)][:count]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="twins whose name has this in it")
    options = parser.parse_args()
    formats = detector_of(Loader())
    for one in TWINS:
        if options.only not in one.name:
            continue
        print(f"{one.name} ({one.kind})")
        for suffix in one.suffixes:
            chosen = _files(suffix, options.files)
            quick, slow, differ = _measure(one, chosen, formats, options.rounds)
            third = sorted(range(len(chosen)), key=lambda at: chosen[at].stat().st_size)[-len(chosen) // 3 :]
            gains = [
                100 - 100 * sum(quick[at] for at in of) / sum(slow[at] for at in of) for of in (range(len(slow)), third)
            ]
            print(
                f"    {suffix:5} {len(chosen):3} files {sum(quick) / 1e6 / len(quick):8.3f} ms, without "
                f"{sum(slow) / 1e6 / len(slow):8.3f} ms: gains {gains[0]:4.0f} % ({gains[1]:4.0f} % in the largest "
                f"third); {differ} outcomes differ"
            )
