"""Words found and their order in the PDF plugin's text, against expected texts.

    python tests/bench/formats/recall_pdf.py CORPUS_DOCS [--texts DIR]

Recall is the share of the expected words (NFKC, case-folded, with multiplicity) that we have; order is the share of the
expected pairs of neighbouring words. Expected are docling's `groundtruth/*.md`, unstructured's JSON elements, and, with
`--texts`, what other extractors said (kept by `parse_pdf.py --texts`). The worst files are listed with what is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from parse_pdf import docsidecar

from sidecar.api import FormatError

_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"<!--.*?-->|&amp;|&lt;|&gt;|\|")
_BULLET = re.compile(r"(?m)^([-|*] )(?:y )+")
"""List marks of a symbol font, which docling's texts give as the letter the font borrows."""
WORST = 10


@dataclass(frozen=True)
class Score:
    name: str
    words: int
    recall: float
    order: float
    missing: list[tuple[str, int]]


def words_of(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def score(name: str, expected: str, ours: str) -> Score:
    want, have = words_of(expected), words_of(ours)
    counts, found = Counter(want), Counter(have)
    pairs, found_pairs = Counter(pairwise(want)), Counter(pairwise(have))
    return Score(
        name,
        len(want),
        (counts & found).total() / max(counts.total(), 1),
        (pairs & found_pairs).total() / pairs.total() if pairs else 1.0,
        (counts - found).most_common(6),
    )


def expectations(corpus: Path) -> Iterator[tuple[str, Path, str]]:
    """`(set, pdf, expected text)`."""
    docling = corpus / "docling-project__docling" / "tests" / "data" / "pdf"
    for path in sorted((docling / "groundtruth").glob("*.md")):
        pdf = docling / "sources" / f"{path.stem}.pdf"
        if pdf.exists():
            yield "docling", pdf, _MARKUP.sub(" ", _BULLET.sub(r"\1", path.read_text(encoding="utf-8")))
    unstructured = corpus / "Unstructured-IO__unstructured"
    for path in sorted(unstructured.rglob("*.pdf.json")):
        pdf = next(iter((unstructured / "example-docs").rglob(path.name.removesuffix(".json"))), None)
        if pdf is not None:
            elements = json.loads(path.read_text(encoding="utf-8"))
            yield "unstructured", pdf, "\n".join(str(element.get("text", "")) for element in elements)


def report(name: str, scores: list[Score]) -> None:
    total = sum(s.words for s in scores) or 1
    recall, order = sum(s.recall * s.words for s in scores) / total, sum(s.order * s.words for s in scores) / total
    print(f"{name}: {len(scores)} files, {total} words, recall {recall:.4f}, order {order:.4f}")
    for s in sorted(scores, key=lambda s: s.recall)[:WORST]:
        print(f"    {s.recall:.3f} {s.order:.3f} {s.words:6} {s.name[-64:]} {s.missing}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--texts", type=Path)
    options = parser.parse_args()
    read = docsidecar()
    sets: dict[str, list[Score]] = {}
    for name, pdf, expected in expectations(options.corpus):
        sets.setdefault(name, []).append(score(pdf.name, expected, read(str(pdf))))
    for path in sorted(options.texts.glob("*.json")) if options.texts else []:
        if path.stem == "docsidecar":
            continue
        for pdf, expected in json.loads(path.read_text(encoding="utf-8")).items():
            if expected.strip():
                try:
                    ours = read(pdf)
                except FormatError:
                    ours = ""
                sets.setdefault(path.stem, []).append(score(pdf, expected, ours))
    for name, scores in sets.items():
        report(name, scores)


if __name__ == "__main__":
    main()
