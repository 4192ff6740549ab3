"""Blocks of AsciiDoc files as we read them beside what Asciidoctor makes of them.

    python tests/bench/formats/asciidoc_blocks.py FOLDER [--half worked|held] [--file PART]

`asciidoctor` stands on the PATH. Its HTML, read by our reader of web pages, is the truth: a block is its kind, what it
is at (level of a heading, whether an item is numbered) and its words, letters and digits alone. Files are halved by a
hash of their names. First counts, on 80 of git's manuals, 80 files of Markdown and reStructuredText that pandoc wrote
as AsciiDoc, and Asciidoctor's own (halved by the names they had before, boxes of notes counted as tables): F1 0.348 in
both halves while lists and tables were lines of prose, then 0.974 in the worked half and 0.980 in the held one, whose
misses nobody has seen. `--file` prints what differs in such files.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sidecar_html import HtmlFormat
from sidecar_text import TextFormat

from sidecar.api import Code, Figure, Heading, Limits, ListItem, Paragraph, ParsedDocument, Source, Table

_SIGNS = re.compile(r"[\W_]+")
_ADMONITION = re.compile(
    r'<div class="admonitionblock[^>]*>\s*<table>\s*<tr>\s*<td class="icon">\s*<div class="title">(\w+)</div>\s*</td>'
    r'\s*<td class="content">(.*?)</td>\s*</tr>\s*</table>\s*</div>',
    re.DOTALL,
)
"""A box that Asciidoctor draws by a table."""


def half_of(path: Path) -> str:
    return "worked" if int(hashlib.sha256(path.name.encode()).hexdigest()[-1], 16) % 2 else "held"


def _words(text: str) -> str:
    return _SIGNS.sub(" ", text).strip().lower()


def blocks(document: ParsedDocument) -> Iterator[tuple[str, object, str]]:
    """Kind, what it is at, and words of each block that has any."""
    for block in (block for part in document.parts for block in part.blocks):
        if isinstance(block, Heading):
            yield "heading", block.level, _words(block.text)
        elif isinstance(block, ListItem):
            yield "item", block.ordered, _words(block.text)
        elif isinstance(block, Paragraph):
            yield "paragraph", None, _words(block.text)
        elif isinstance(block, Code):
            yield "listing", None, _words(block.text)
        elif isinstance(block, Table):
            yield from (("row", None, "|".join(map(_words, row))) for row in block.rows)
        elif isinstance(block, Figure):
            yield "figure", None, "figure"


def truth(path: Path) -> Counter[tuple[str, object, str]]:
    """The blocks of what Asciidoctor makes of a file."""
    command = ["asciidoctor", "-q", "-s", "-a", "showtitle", "-o", "-", str(path)]
    made = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    shown = _ADMONITION.sub(r"<p>\1</p><div>\2</div>", made)
    page = f"<html><body>{shown}</body></html>"
    found = HtmlFormat().parse(Source.of_bytes(page.encode(), "page.html"), Limits())
    return Counter(block for block in blocks(found) if block[2].strip("|"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("worked", "held"), default="")
    parser.add_argument("--file", default="")
    given = parser.parse_args()
    paths = [path for path in sorted(given.folder.rglob("*.adoc")) if given.half in ("", half_of(path))]
    counts: Counter[tuple[str, str]] = Counter()
    for path in paths:
        if given.file not in path.name:
            continue
        expected = truth(path)
        ours = TextFormat().parse(Source.of(path), Limits())
        found = Counter(block for block in blocks(ours) if block[2].strip("|"))
        for name, some in (("expected", expected), ("found", found), ("both", expected & found)):
            for (kind, _, _), number in some.items():
                counts[kind, name] += number
                counts["all", name] += number
        if given.file:
            print(
                *(f"- {block}" for block in expected - found), *(f"+ {block}" for block in found - expected), sep="\n"
            )
    for kind in sorted({kind for kind, _ in counts}):
        expected, found, both = (counts[kind, name] for name in ("expected", "found", "both"))
        print(f"{kind:10} {expected:6} expected {found:6} found  F1 {2 * both / max(expected + found, 1):.4f}")


if __name__ == "__main__":
    main()
