"""Kindle books: all ways of packing, chapters, pictures, protection and damage."""

from __future__ import annotations

import pytest
from contract.conformance import check_embedded, outcome
from sidecar_epub import EpubFormat
from support.formats.kindle_books import kindle, palm_text
from support.formats.plugin_reading import of, read

from sidecar.api import DamagedError, EncryptedError, Figure, Limits, Paragraph, Source

EPUB = EpubFormat()
HTML = (
    "<html><head><guide></guide></head><body><h1>One</h1><p>The weka keeps to the trees, the weka sleeps.</p>"
    '<mbp:pagebreak/><h1>Two</h1><p>Größe: été.</p><img recindex="00001" alt="A bird"/></body></html>'
)
KF8 = HTML.replace('recindex="00001"', 'src="kindle:embed:0001?mime=image/png"')


@pytest.mark.parametrize("packing", ["plain", "palmdoc", "huffman"])
def test_a_book_is_read_by_chapters(packing: str) -> None:
    data = kindle(HTML, packing=packing)
    source = Source.of_bytes(data, "a.mobi")
    assert EPUB.score(source) == 100
    found = read(EPUB, data, "a.mobi")
    assert (found.title, found.metadata["author"], found.metadata["language"]) == ("The book", "Ann Smith, Bob", "en")
    assert [part.title for part in found.parts] == ["One", "Two"]
    assert [block.text for block in of(found, Paragraph)] == [
        "The weka keeps to the trees, the weka sleeps.", "Größe: été.",
    ]  # fmt: skip
    assert [figure.alt for figure in of(found, Figure)] == ["A bird"]
    assert check_embedded(EPUB, source, found) == 1


def test_the_text_of_kf8_ends_where_its_style_sheets_begin() -> None:
    data = kindle(KF8 + ".a { color: red }", version=8, cut=len(KF8.encode()))
    found = read(EPUB, data, "a.azw3")
    assert [part.title for part in found.parts] == ["One", "Two"]
    assert "color" not in str(found.parts)
    assert len(found.embedded) == 1


def test_a_text_of_palmdoc() -> None:
    found = read(EPUB, palm_text("One line\nof text.\n\nThe next one, the next one."), "a.prc")
    assert [block.text for block in of(found, Paragraph)] == ["One line of text.", "The next one, the next one."]


def test_protected_and_damaged_books_are_told_apart() -> None:
    with pytest.raises(EncryptedError, match="copy protection"):
        read(EPUB, kindle(HTML, locked=True), "a.azw")
    for broken in (b"no book", kindle(HTML)[:70]):
        with pytest.raises(DamagedError):
            read(EPUB, broken, "a.mobi")


@pytest.mark.parametrize("packing", ["palmdoc", "huffman"])
def test_spoiled_books_are_read_or_refused(packing: str) -> None:
    data = kindle(HTML, packing=packing)
    for at in range(60, len(data), max(len(data) // 50, 1)):
        for spoiled in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            outcome(EPUB, Source.of_bytes(spoiled, "a.mobi"), Limits())
