"""The PowerPoint plugin over the shared corpus and through LibreOffice, held to what other projects expect."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from pptx import Presentation as presentation  # noqa: N813  a function, whatever its name
from sidecar_ppt import PptFormat
from sidecar_pptx import PptxFormat
from support.formats.corpus import DOCS as CORPUS

from sidecar.api import (
    Cell,
    Equation,
    Figure,
    FormatError,
    Heading,
    Limits,
    ListItem,
    Note,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
    UnavailableError,
)

FORMAT = PptxFormat()
LIMITS = Limits()
SUFFIXES = (".pptx", ".pptm", ".potx", ".ppsx")
LABELS = frozenset({"author", "time", "comment", "bar", "line", "pie", "chart", "other", "image"})
"""Words expected outputs add of their own: field names and the kinds of things."""


def corpus_files() -> list[Path]:
    return sorted(path for path in CORPUS.rglob("*.*") if path.suffix.lower() in SUFFIXES)


def words_of(document: ParsedDocument) -> str:
    """Everything a reader would find, in order."""
    found: list[str] = []
    for part in document.parts:
        for block in part.blocks:
            match block:
                case Table(rows=rows):
                    found += [cell for row in rows for cell in row]
                case Figure(text=text, alt=alt):
                    found += [alt, text]
                case Note(text=text, author=author, date=date):
                    found += [text, author, date]
                case Heading(text=text) | Paragraph(text=text) | ListItem(text=text) | Equation(text=text):
                    found.append(text)
                case _:
                    pass
    found += [element.text for element in document.elements if element.type == "chart"]
    return "\n".join(found)


def counted(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


@pytest.mark.corpus
def test_every_file_reads_or_is_refused() -> None:
    files = corpus_files()
    refused: list[str] = []
    for path in files:
        source = Source.of(path)
        assert FORMAT.score(source) >= 60
        try:
            document = FORMAT.parse(source, LIMITS)
        except FormatError as error:
            refused.append(f"{path.name}: {error}")
            continue
        for element in document.elements:
            assert 1 <= element.block <= len(document.parts[element.part - 1].blocks)
        keys = {(embed.kind, embed.id) for embed in document.embedded}
        assert len(keys) == len(document.embedded)
        for part in document.parts:
            for block in part.blocks:
                text = getattr(block, "text", "")
                cells: tuple[Cell, ...] = getattr(block, "cells", ())
                assert all(0 <= s.start < s.end <= len(text) for s in getattr(block, "spans", ()))
                assert all(span.end <= len(block.rows[c.row][c.col]) for c in cells for span in c.spans)  # pyright: ignore[reportAttributeAccessIssue]  only tables have cells
                assert getattr(block, "embed", None) in keys | {None}
    assert not refused


@pytest.mark.corpus
def test_words_docling_expects_are_there() -> None:
    expected = sorted(CORPUS.glob("docling*/tests/data/pptx/groundtruth/*.pptx.md"))
    for path in expected:
        source = path.parents[1] / "sources" / path.name.removesuffix(".md")
        text = re.sub(r"<!--.*?-->", " ", path.read_text(encoding="utf-8")).replace("&amp;", "&")
        wanted = counted(re.sub(r"[|*_#`\\]", " ", text))
        missing = wanted - counted(words_of(FORMAT.parse(Source.of(source), LIMITS)))
        # Docling adds a comment author's initials; the full name is what we keep.
        lost = [word for word in missing if word not in LABELS and len(word) > 2]
        assert not lost, f"{path.name}: {lost}"


@pytest.mark.corpus
def test_strings_markitdown_expects_are_there() -> None:
    vectors = CORPUS / "markitdown_vectors.json"
    for vector in json.loads(vectors.read_text(encoding="utf-8")):
        if not vector["filename"].endswith(".pptx"):
            continue
        path = next((CORPUS / "microsoft__markitdown").rglob(vector["filename"]))
        found = words_of(FORMAT.parse(Source.of(path), LIMITS))
        for wanted in vector["must_include"]:
            if "data:image" in wanted:
                continue
            words = re.sub(r"^!\[|\]?(\(.*)?$", "", wanted) if wanted.startswith("![") else wanted
            assert words in found


@pytest.mark.tool("soffice")
def test_slides_are_drawn(tmp_path: Path) -> None:
    deck = presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "made.pptx"))
    picture = FORMAT.picture(Source.of(tmp_path / "made.pptx"), 1, 72, LIMITS)
    assert picture.media_type == "image/png"
    assert abs(picture.width - 720) <= 2
    assert abs(picture.height - 540) <= 2


@pytest.mark.corpus
def test_old_presentations_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.toolkit.programs.libreoffice.find_soffice", lambda: None)
    old = PptFormat()
    files = sorted(CORPUS.rglob("legacy_sample.ppt"))
    document = old.parse(Source.of(files[0]), LIMITS)
    assert [part.title for part in document.parts[:2]] == ["Test Table Slide", "Second slide title"]
    unseen = Source.of_bytes(files[0].read_bytes() + b"\0", "another.ppt")  # not drawn before, so not in the cache
    with pytest.raises(UnavailableError, match="LibreOffice"):
        old.picture(unseen, 1, 72, LIMITS)
