"""Pages a processor second and recall of words of PDFs, ours beside pdfminer.six, markitdown and kreuzberg in one run.

    python tests/bench/formats/pdf_peers.py FOLDER --peers PYTHON [--step N] [--keep DIR]

PYTHON is an interpreter with pdfminer.six, markitdown[pdf], kreuzberg and pypdf; `pdftotext` stands on the PATH. Every
reader reads every Nth PDF of FOLDER in a process of its own, imports and a first file aside: its processor time counts,
threads and children included, and what it gives is compared with the words two of pdftotext, pdfminer.six and pypdf
agree on (`recall_agreed.py`). Nobody recognises scans. Ours is the parsed document as Markdown. Files that any of them
cannot read count for nobody. `--keep` keeps what the readers agree on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from recall_agreed import peer_texts
from recall_words import agreed, counted, parted, sequence

READERS = ("docsidecar", "pdfminer.six", "markitdown", "kreuzberg")
SECONDS = 900
_READ = """
import json, logging, resource, sys, time, warnings
warnings.simplefilter("ignore"); logging.disable()
name, out, files = sys.argv[1], sys.argv[2], json.loads(sys.stdin.read())
if name == "markitdown":
    from markitdown import MarkItDown
    convert = MarkItDown(enable_plugins=False).convert
    read = lambda file: convert(file).markdown
elif name == "kreuzberg":
    import kreuzberg
    config = kreuzberg.ExtractionConfig(use_cache=False)
    read = lambda file: kreuzberg.extract_file_sync(file, config=config).content
elif name == "pdfminer.six":
    from pdfminer.high_level import extract_text as read
else:
    from pathlib import Path
    from sidecar.api import Limits, Source
    from sidecar.views.blocks.markdown import blocks_markdown
    from sidecar_pdf import PdfFormat
    def read(file):
        parts = PdfFormat().parse(Source.of(Path(file)), Limits(ocr=False)).parts
        return "\\n\\n".join(blocks_markdown(part.blocks, "d") for part in parts)
def spent():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
said = {}
for file in files[:1] + files:
    begun = spent()
    try:
        text = str(read(file))
    except Exception:
        text = None
    said[file] = [spent() - begun, text]
with open(out, "w", encoding="utf-8") as kept:
    json.dump(said, kept)
"""


@dataclass(frozen=True)
class Reading:
    """What a reader said of a file (None where it failed), and the processor seconds that took."""

    seconds: float
    text: str | None


def read_all(python: str, name: str, files: list[Path]) -> dict[Path, Reading]:
    """What one reader says of the files."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "said.json")
        command = [python, "-c", _READ, name, str(out)]
        said = json.dumps([str(file) for file in files])
        subprocess.run(command, input=said, text=True, timeout=SECONDS, check=True, stdout=subprocess.DEVNULL)
        readings: dict[str, tuple[float, str | None]] = json.loads(out.read_text(encoding="utf-8"))
    return {Path(file): Reading(seconds, text) for file, (seconds, text) in readings.items()}


def pages_of(path: Path) -> int:
    """The number of pages of a PDF."""
    with pypdfium2.PdfDocument(path) as document:
        return len(document)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peers", required=True)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.pdf"))[:: options.step]
    read = {name: read_all(sys.executable if name == "docsidecar" else options.peers, name, files) for name in READERS}
    common = [file for file in files if all(read[name][file].text is not None for name in READERS)]
    pages = sum(map(pages_of, common))
    failed = {name: sum(one.text is None for one in readings.values()) for name, readings in read.items()}
    print(f"{len(common)} of {len(files)} files all can read, {pages} pages; failed: {failed}")
    if not common:
        return
    expected = {
        file: agreed([counted(said) for said in peer_texts(options.peers, file, options.keep).values() if said])
        for file in common
    }
    for name in READERS:
        seconds = sum(read[name][file].seconds for file in common)
        found = total = 0
        for file, words in expected.items():
            have = sequence(read[name][file].text or "")
            found += words.total() - (words - Counter(have) - parted(words, have)).total()
            total += words.total()
        print(f"{name:14} {pages / seconds:7.1f} pages/s, recall {found}/{total} = {found / max(total, 1):.4f}")


if __name__ == "__main__":
    main()
