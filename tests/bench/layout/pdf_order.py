"""Reading order of PDFs, ours and others': pages whose sentences' order is known, printed by two programs.

    python tests/bench/layout/pdf_order.py FOLDER [--half 0|1] [--peers PYTHON] [--list]

The pages of `pdf_order.json` in `data/`, with the flows of sentences whose order is certain, are printed into
FOLDER by Chromium (half 0) and WeasyPrint (half 1; on the path) and read. Counted: neighbouring sentences of a flow
that follow one another with no other sentence between (all of another flow may stand there, as a box in a column
does), sentences that stand whole, and labels of diagrams that stand in their figure. `--peers` is a Python with
kreuzberg and markitdown; pdftotext is asked with and without `-layout`. Half 0 was worked on, half 1 counted before
and after.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.shared.pdf_pages_files import print_file
from sidecar_pdf import PdfFormat

from sidecar.api import Figure, Limits, Source, Table

DATA = Path(__file__).parent / "data" / "pdf_order.json"
PEERS = """
import sys, json
from kreuzberg import extract_file_sync
from markitdown import MarkItDown
made = {"kreuzberg": {}, "markitdown": {}}
for path in sys.argv[1:]:
    made["kreuzberg"][path] = extract_file_sync(path).content
    made["markitdown"][path] = MarkItDown().convert(path).text_content
print(json.dumps(made))
"""


def bare(text: str) -> str:
    """What is compared: letters and figures alone."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def ours(path: Path) -> tuple[str, str]:
    """The text of a file as read, and that of its figures."""
    texts: list[str] = []
    figures: list[str] = []
    for part in PdfFormat().parse(Source.of(path), Limits()).parts:
        for block in part.blocks:
            if isinstance(block, Table):
                rows = [*block.lines] if block.lines else [" ".join(row) for row in block.rows]
                texts += rows
            else:
                texts.append(getattr(block, "text", ""))
            if isinstance(block, Figure):
                figures.append(block.text)
        texts += part.metadata.values()
    return "\n".join(texts), bare(" ".join(figures))


def judge(sheet: dict[str, Any], text: str) -> tuple[int, int, int, int]:
    """Neighbours right, neighbours asked, sentences whole, sentences."""
    whole = bare(text)
    sentences = [bare(sentence) for flow in sheet["flows"] for sentence in flow]
    places = {s: whole.find(s) if s in whole else whole.find(s[: max(len(s) // 2, 8)]) for s in sentences}
    groups = [{bare(sentence) for sentence in flow} for flow in sheet["flows"]]
    right = asked = 0
    for flow in sheet["flows"]:
        for one, other in pairwise(flow):
            start, end = places[bare(one)], places[bare(other)]
            asked += 1
            between = {s for s, place in places.items() if start < place < end}
            whole_flows = all(between.issuperset(group) or not between & group for group in groups)
            right += 0 <= start < end and not between & {bare(s) for s in flow} and whole_flows
    return right, asked, sum(s in whole for s in sentences), len(sentences)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1), default=0)
    parser.add_argument("--peers", default="")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    pages: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    made = {name: sheet for name, sheet in pages.items() if name.endswith(str(arguments.half))}
    for name, sheet in made.items():
        source, target = folder / f"{name}.html", folder / f"{name}.pdf"
        source.write_text(sheet["html"], encoding="utf-8")
        if not target.exists():
            by_browser = not arguments.half or "vertical" in name or "magazine" in name  # which WeasyPrint cannot
            print_file(source, target, "chromium" if by_browser else "weasyprint", "")
    texts: dict[str, dict[str, str]] = {"ours": {}}
    labels = found = 0
    for name, sheet in made.items():
        texts["ours"][name], figures = ours(folder / f"{name}.pdf")
        labels += len(sheet["labels"])
        found += sum(bare(label) in figures for label in sheet["labels"])
    files = [str(folder / f"{name}.pdf") for name in made]
    if arguments.peers:
        said = subprocess.run([arguments.peers, "-c", PEERS, *files], capture_output=True, check=True, text=True).stdout
        for peer, read in json.loads(said.splitlines()[-1]).items():
            texts[peer] = {Path(path).stem: text for path, text in read.items()}
    if arguments.peers and shutil.which("pdftotext"):
        for flag in ("", "-layout", "-raw"):
            texts[f"pdftotext {flag}"] = {
                Path(path).stem: subprocess.run(
                    ["pdftotext", *([flag] if flag else []), path, "-"], capture_output=True, check=True, text=True
                ).stdout
                for path in files
            }
    for reader, read in texts.items():
        sums = [0, 0, 0, 0]
        for name, sheet in made.items():
            counts = judge(sheet, read[name])
            sums = [a + b for a, b in zip(sums, counts, strict=True)]
            if arguments.list and reader == "ours" and (counts[0] < counts[1] or counts[2] < counts[3]):
                print(f"  {name}: neighbours {counts[0]}/{counts[1]}, whole {counts[2]}/{counts[3]}")
        print(f"{reader}: neighbours {sums[0]}/{sums[1]} = {sums[0] / sums[1]:.3f}, whole {sums[2]}/{sums[3]}")
    print(f"labels in their figure: {found}/{labels}")


if __name__ == "__main__":
    main()
