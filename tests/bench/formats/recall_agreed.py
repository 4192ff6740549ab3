"""Words of PDFs that two other readers agree on, and how many of them we have.

    python tests/bench/formats/recall_agreed.py FOLDER --peers PYTHON [--keep DIR] [--worst N] [--file PART]

PYTHON is an interpreter that has pdfminer.six and pypdf; `pdftotext` (poppler-utils) stands on the PATH. A word (as
`recall_words` has it, with multiplicity) is agreed on where two of the three say it at least that often; numbers are
also counted with the sign before them, since a lost minus makes another number. Files that
we or fewer than two of the others can read are left out and named. `--keep` keeps what the others said, which takes
most of the time; `--file` prints all that is missing in the files whose path holds PART.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recall_words import agreed, counted, parted, sequence

PEERS = ("pdftotext", "pdfminer.six", "pypdf")
SECONDS = 60
_SIGNED = re.compile(r"(?<![\w.)\]%])[-\u2212]\d+(?:[.,]\d+)*")
_HOLD = 0.97
_TEXTS = ("number", "marker", "text", "label", "target")


@dataclass(frozen=True)
class Score:
    """A file: agreed words and those of them we have, the same of signed numbers, what is missing, and how many words
    found are parted otherwise."""

    name: str
    words: int
    found: int
    signed: int
    signed_found: int
    missing: Counter[str]
    parted: int


def signed_of(text: str) -> Counter[str]:
    return Counter(number.replace("\u2212", "-") for number in _SIGNED.findall(text))


def pdftotext(path: str) -> str:
    done = subprocess.run(["pdftotext", "-q", path, "-"], capture_output=True, timeout=SECONDS, check=True)
    return done.stdout.decode("utf-8", "replace")


def pdfminer(path: str) -> str:
    return str(importlib.import_module("pdfminer.high_level").extract_text(path))


def pypdf(path: str) -> str:
    library: Any = importlib.import_module("pypdf")
    return "\n".join(str(page.extract_text()) for page in library.PdfReader(path).pages)


READERS: dict[str, Callable[[str], str]] = {"pdftotext": pdftotext, "pdfminer.six": pdfminer, "pypdf": pypdf}


def read_one(name: str, path: str) -> None:
    """The worker of a peer: prints what it says of one file."""
    json.dump(READERS[name](path), sys.stdout)


def peer_text(python: str, name: str, path: Path) -> str | None:
    """What a peer says of a file; None where it fails or takes too long."""
    try:
        if name == "pdftotext":
            return pdftotext(str(path))
        command = [python, __file__, str(path), "--worker", name]
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
        return str(json.loads(done.stdout))
    except (subprocess.SubprocessError, ValueError):
        return None


def peer_texts(python: str, path: Path, keep: Path | None) -> dict[str, str | None]:
    kept = keep / f"{path.parent.name}-{path.name}.json" if keep else None
    if kept and kept.exists():
        return dict(json.loads(kept.read_text(encoding="utf-8")))
    said = {name: peer_text(python, name, path) for name in PEERS}
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(said), encoding="utf-8")
    return said


def our_text(path: Path) -> str:
    """All we say of a file: blocks, what is kept with pages, remarks and form fields."""
    from sidecar_pdf import PdfFormat

    from sidecar.api import Limits, Source

    lines: list[str] = []
    for part in PdfFormat().parse(Source.of(path), Limits(ocr=False)).parts:
        lines += part.metadata.values()
        for block in part.blocks:
            cells: Any = getattr(block, "rows", None)
            if cells is not None:
                lines += ["\n".join(row) for row in cells]
            lines.append(
                " ".join(str(getattr(block, key, "")) for key in ("number", "marker", "text", "label", "target"))
            )
            lines.append(str(getattr(block, "caption", "")) if cells is not None else "")
    return "\n".join(lines)


def score(name: str, texts: list[str], ours: str) -> Score:
    words, signed = agreed([counted(t) for t in texts]), agreed([signed_of(t) for t in texts])
    have, have_signed = sequence(ours), signed_of(ours)
    otherwise = parted(words, have)
    missing = words - Counter(have) - otherwise
    return Score(
        name, words.total(), words.total() - missing.total(), signed.total(), (signed & have_signed).total(),
        missing + (signed - have_signed), otherwise.total(),
    )  # fmt: skip


def report(scores: list[Score], worst: int) -> None:
    words, signed = sum(s.words for s in scores), sum(s.signed for s in scores)
    found, signed_found = sum(s.found for s in scores), sum(s.signed_found for s in scores)
    low = [s for s in scores if s.found < _HOLD * s.words]
    print(f"{len(scores)} files; words {found} of {words} = {found / words:.4f}, ", end="")
    print(f"{sum(s.parted for s in scores)} of them parted otherwise; ", end="")
    print(f"signed numbers {signed_found} of {signed}; {len(low)} files under {_HOLD}")
    for s in sorted(scores, key=lambda s: s.found - s.words)[:worst]:
        some = " ".join(f"{word}×{count}" for word, count in s.missing.most_common(14))
        signs = f"{s.signed - s.signed_found} of {s.signed} signed"
        print(f"  {s.words - s.found:5} of {s.words:6}, {signs}  {s.name}: {some}")
    print("files under the limit:")
    for s in sorted(low, key=lambda s: s.found / s.words):
        print(f"  {s.found / s.words:.3f} of {s.words:6}  {s.name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--file", default="")
    parser.add_argument("--worker", choices=PEERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        read_one(options.worker, str(options.folder))
        return
    scores: list[Score] = []
    for path in sorted(options.folder.rglob("*.pdf")):
        name = str(path.relative_to(options.folder))
        if options.file not in name:
            continue
        said = peer_texts(options.peers, path, options.keep)
        texts = [text for text in said.values() if text is not None]
        try:
            ours = our_text(path)
        except Exception as error:
            print(f"left out: {name}: {type(error).__name__} of ours; {len(texts)} others read it")
            continue
        if len(texts) < 2:
            print(f"left out: {name}: only {len(texts)} others read it")
            continue
        scores.append(score(name, texts, ours))
        if options.file:
            print(name, dict(scores[-1].missing))
    report([s for s in scores if s.words], options.worst)


if __name__ == "__main__":
    main()
