"""Words found in the whole-document Markdown of Office files, against what docling and markitdown expect of them.

    python tests/bench/recall_office.py [--worst N]

Recall is the share of the expected words (NFKC, case-folded, with multiplicity) that are in our text. Expected are
docling's `tests/data/*/groundtruth/*.md`; markitdown's vectors are strings, counted as found or not. The worst files
are listed with the words they miss. Files come from DOCSIDECAR_CORPUS.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from recall_pdf import Score, report, score
from sidecar_docx import DocxFormat
from sidecar_pptx import PptxFormat
from sidecar_xlsx import XlsxFormat

from sidecar.api import Embed, EmbedKind, FormatError, Limits, Source
from sidecar.views.blocks.markdown import blocks_markdown

FORMATS = {".docx": DocxFormat, ".xlsx": XlsxFormat, ".pptx": PptxFormat, ".xlsm": XlsxFormat}
_MARKUP = re.compile(r"<!--.*?-->|&[a-z]+;|[|\\]|\$+")
_FORMATTED = re.compile(r"\]\((?:image|chart|media|embed)://[^)]*\)|</?(?:sub|sup)>|<br>")


def text_of(path: Path) -> str:
    """What a reader is shown of the whole document; "" for a file that cannot be read."""
    try:
        document = FORMATS[path.suffix.lower()]().parse(Source.of(path), Limits())
    except FormatError as error:
        print(f"    {error}")
        return ""
    embeds: dict[tuple[EmbedKind, int], Embed] = {(embed.kind, embed.id): embed for embed in document.embedded}
    shown = (f"{part.title}\n{blocks_markdown(part.blocks, 'd', embeds)}" for part in document.parts)
    return _FORMATTED.sub(" ", "\n".join((document.title, *shown)))


def expectations(docs: Path) -> Iterator[tuple[str, Path, str]]:
    """`(format, file, docling's Markdown)`."""
    data = docs / "docling-project__docling" / "tests" / "data"
    for path in sorted(data.glob("*/groundtruth/*.md")):
        source = path.parents[1] / "sources" / path.stem
        if source.suffix.lower() in FORMATS and source.is_file():
            yield source.suffix[1:].lower(), source, _MARKUP.sub(" ", path.read_text(encoding="utf-8"))


def vectors(docs: Path) -> None:
    """markitdown's own strings: how many are in our text, and which are not."""
    listed = docs / "markitdown_vectors.json"
    if not listed.is_file():
        print("no markitdown vectors")
        return
    found, missed = 0, list[str]()
    for vector in json.loads(listed.read_text(encoding="utf-8")):
        name = str(vector["filename"])
        path = next((docs / "microsoft__markitdown").rglob(name), None)
        if Path(name).suffix not in FORMATS or path is None:
            continue
        ours = " ".join(text_of(path).split())
        for wanted in vector["must_include"]:
            if "data:image" in wanted:
                continue  # our pictures come as URIs
            plain = re.sub(r"^!\[|\]?\(.*$", "", wanted) if wanted.startswith("![") else wanted
            words = re.findall(r"\w+", plain)
            if all(re.search(rf"(?<!\w){word}(?!\w)", ours) for word in words):
                found += 1
            else:
                missed.append(f"{name}: {wanted}")
    print(f"markitdown vectors: {found} of {found + len(missed)} strings found; missing {missed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    default = Path(__file__).parents[3] / "shared" / "corpus"
    docs = Path(os.environ.get("DOCSIDECAR_CORPUS", default)) / "docs"
    sets: dict[str, list[Score]] = {}
    for name, source, expected in expectations(docs):
        sets.setdefault(name, []).append(score(source.name, expected, text_of(source)))
    for name, scores in sets.items():
        report(f"docling {name}", scores)
    vectors(docs)


if __name__ == "__main__":
    main()
