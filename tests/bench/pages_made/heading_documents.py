"""Makes the documents of `pdf_pages_headings_third.json` of the sources in `heading_documents/`.

    python tests/bench/pages_made/heading_documents.py FOLDER

Needs typst, reportlab and fpdf2, Chromium, LibreOffice, pandoc and groff; FOLDER gets a PDF each under `made`. What
stands as `{{en 3}}` in a source is three sentences out of `prose.json`, in turn. `.htm` is printed by Chromium, `.html`
by LibreOffice.
"""

from __future__ import annotations

import html
import importlib
import importlib.util
import itertools
import json
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.shared.pdf_pages_files import print_file

SOURCES = Path(__file__).with_name("heading_documents")
_PLACE = re.compile(r"\{\{(\w+) (\d+)\}\}")


def prose() -> Callable[[str, int], str]:
    """Gives so many sentences of a language, the next ones at each call."""
    told: dict[str, list[str]] = json.loads((SOURCES / "prose.json").read_text(encoding="utf-8"))
    turns = {language: itertools.cycle(sentences) for language, sentences in told.items()}
    return lambda language, count: " ".join(next(turns[language]) for _ in range(count))


def filled(text: str) -> str:
    say = prose()

    def sentences(match: re.Match[str]) -> str:
        if match[1] == "pre":
            return textwrap.fill(say("en", int(match[2])), 72, initial_indent="   ", subsequent_indent="   ")
        return say(match[1], int(match[2]))

    return _PLACE.sub(sentences, text)


def make(source: Path, target: Path) -> None:
    if source.suffix == ".py":
        spec = importlib.util.spec_from_file_location(source.stem, source)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.make(target, prose())
        return
    text = filled(source.read_text(encoding="utf-8"))
    if source.suffix == ".typ":
        typst: Any = importlib.import_module("typst")
        target.write_bytes(typst.compile(text.encode()))
        return
    if source.suffix == ".man":
        command = ["groff", "-man", "-Tutf8", "-Kutf8", "-P-bcou"]
        lines = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout.decode()
        text = f"<meta charset=utf-8><pre style=\"font:10pt 'Liberation Mono'\">{html.escape(lines)}</pre>"
    with tempfile.TemporaryDirectory() as scratch:
        written = Path(scratch, source.stem + (".html" if source.suffix in {".htm", ".man"} else source.suffix))
        written.write_text(text, encoding="utf-8")
        if source.suffix == ".md":
            opened = written.with_suffix(".pptx" if source.stem == "slides" else ".docx")
            subprocess.run(["pandoc", "-s", str(written), "-o", str(opened)], check=True)
            written = opened
        print_file(written, target, "chromium" if source.suffix in {".htm", ".man"} else "office", "")


def main() -> None:
    folder = Path(sys.argv[1], "made")
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(SOURCES.iterdir()):
        if source.suffix != ".json" and source.is_file():
            make(source, folder / f"{source.stem}.pdf")


if __name__ == "__main__":
    main()
