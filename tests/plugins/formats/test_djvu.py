"""DjVu documents: recognised text, pages in their order, outline, links, properties, damaged ones."""

from __future__ import annotations

import random

import pytest
from sidecar_djvu import DjvuFormat
from support.formats.djvu_files import NOTES, OUTLINE, TEXT, chunk, document, page, text
from support.formats.plugin_reading import of, read, read_broken

from sidecar.api import DamagedError, Limits, Note, Paragraph, ParsedDocument, Source, UnsupportedError

DJVU = DjvuFormat()


def said(document: ParsedDocument) -> list[str]:
    return [block.text for block in of(document, Paragraph)]


def test_the_text_of_a_page_in_its_paragraphs() -> None:
    """A word parted at the end of a line is one."""
    found = read(DJVU, document([page(chunk(b"TXTz", TEXT))]), "bird.djvu")
    assert said(found) == ["The kakapo cannot fly.", "It climbs — höher als gedacht."]
    assert (found.parts[0].kind, found.parts[0].width, found.parts[0].height) == ("page", 612.0, 792.0)


def test_a_text_without_marks_of_paragraphs() -> None:
    lines = "A long line that goes on to the\nnext one and ends here.\nAnother of the same length begins\nand ends.\n"
    found = read(DJVU, document([page(text(lines + "\nAfter an empty line.\n"))]), "bird.djvu")
    assert said(found) == [
        "A long line that goes on to the next one and ends here.",
        "Another of the same length begins and ends.",
        "After an empty line.",
    ]


def test_pages_in_their_order_with_what_the_outline_calls_them() -> None:
    shared = chunk(b"ANTz", NOTES)
    pages = [page(text("first")), page(text("second"), chunk(b"ANTz", NOTES))]
    found = read(DJVU, document(pages, shared=shared, outline=OUTLINE), "birds.djvu")
    assert said(found) == ["first", "second"]
    assert [part.title for part in found.parts] == ["Birds", "Flight"]
    assert found.title == 'A "night" bird'
    assert found.metadata == {"author": "R. Parrot", "pages": "2"}
    notes = of(found, Note)
    assert [(note.text, [span.value for span in note.spans]) for note in notes] == [
        ("https://example.org/kakapo", ["https://example.org/kakapo"]),
        ("See the next page", []),
    ]
    only_shared = read(DJVU, document([page(text("a")), page(text("b"))], shared=shared), "birds.djvu")
    assert only_shared.metadata["author"] == "R. Parrot"


def test_a_page_without_text_is_told() -> None:
    found = read(DJVU, document([page(text("first")), page(chunk(b"Sjbz", bytes(9)))]), "birds.djvu")
    assert [(notice.code, notice.part) for notice in found.notices] == [("no_text_layer", 2)]


def test_what_is_no_document_with_pages() -> None:
    parts = document([page(), page()], bundled=False)
    with pytest.raises(UnsupportedError, match="read themselves"):
        DJVU.parse(Source.of_bytes(parts, "index.djvu"), Limits())
    with pytest.raises(UnsupportedError):
        DJVU.parse(Source.of_bytes(b"AT&T" + chunk(b"FORM", b"DJVI"), "shared.djvu"), Limits())
    for data in (b"AT&TFORM", b"AT&T", b"words", b"AT&T" + chunk(b"FORM", b"DJVM")):
        with pytest.raises(DamagedError):
            DJVU.parse(Source.of_bytes(data, "a.djvu"), Limits())


def test_a_damaged_text_costs_its_page_only() -> None:
    found = read(DJVU, document([page(chunk(b"TXTz", TEXT[:20])), page(text("second"))]), "birds.djvu")
    assert said(found) == ["second"]
    assert [(notice.code, notice.part) for notice in found.notices] == [("damaged_part", 1)]


def test_hostile_bytes_end_in_a_document_or_an_error() -> None:
    sound = document([page(chunk(b"TXTz", TEXT), chunk(b"ANTz", NOTES)), page(text("b"))], outline=OUTLINE)
    read_broken(DJVU, sound, "birds.djvu", random.Random(11), kept=4, times=400)


def test_limits_are_kept() -> None:
    found = DJVU.parse(
        Source.of_bytes(document([page(text("first")), page(text("second"))]), "a.djvu"), Limits(max_parts=1)
    )
    assert len(found.parts) == 1
    assert found.notices[-1].code == "truncated_at"
