"""Sections of OneNote, stored both ways: pages, lists, tables, links, pictures and files; locked and damaged ones."""

from __future__ import annotations

import pytest
from contract.conformance import check_embedded, outcome
from contract.pictures import PNG
from sidecar_onenote import OnenoteFormat
from support.formats.onenote_files import element, file, page, picture, section, stored, table, text, web
from support.formats.plugin_reading import blocks, of, read, spans

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Figure,
    Heading,
    Limits,
    ListItem,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
)

ONENOTE = OnenoteFormat()
LINK = '\ufddfHYPERLINK "https://example.org/"'
SPACES = section(
    page(
        "Capybaras", [element(text("below"))],
        [
            element(text("Habits", style="h2")),
            element(text("They rest", ascii_only=True), children=[element(text("in water"), mark="*")]),
            element(text("first"), mark="\ufffd."), element(text("second"), mark="\ufffd."),
            element(text(f"See {LINK}here", runs=[(4, {}), (4 + len(LINK), {0x08001E16: 1}), (99, {0x08001C04: 1})])),
            element(table([["Name", "Seen"], ["Ina", "2"]])), element(picture(PNG, "A capybara")),
            element(file("notes.txt", b"A note.")),
        ],
        down=(9.0, 1.0),
    ),
    page("", [element(text("no title"))], author="Bob"), page("Gone", [element(text("deleted"))]), named=2,
)  # fmt: skip
FILES = {"stored": stored(SPACES), "web": web(SPACES)}


@pytest.fixture(params=FILES, scope="module")
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def document(kind: str) -> ParsedDocument:
    return read(ONENOTE, FILES[kind], "notes.one")


def test_pages_are_chapters_in_the_order_of_the_section(kind: str) -> None:
    assert ONENOTE.score(Source.of_bytes(FILES[kind], "notes.bin")) == 95
    found = document(kind)
    assert [part.title for part in found.parts] == ["Capybaras", ""]
    assert found.parts[0].metadata["created"].startswith("2020-10-27")
    assert found.metadata["author"] == "Ann, Bob"
    said = [block.text for block in blocks(found) if isinstance(block, (Heading, Paragraph, ListItem))]
    assert said == [
        "Capybaras", "Monday", "Habits", "They rest", "in water", "first", "second", "See here", "below", "Monday",
        "no title",
    ]  # fmt: skip


def test_lines_are_headings_list_items_and_tables(kind: str) -> None:
    found = document(kind)
    assert [(block.text, block.level) for block in of(found, Heading)] == [("Capybaras", 1), ("Habits", 2)]
    assert [(one.text, one.marker, one.level) for one in of(found, ListItem)] == [
        ("in water", "•", 1), ("first", "1.", 0), ("second", "2.", 0),
    ]  # fmt: skip
    assert of(found, Table)[0].rows == (("Name", "Seen"), ("Ina", "2"))
    [see] = [block for block in of(found, Paragraph) if block.text == "See here"]
    assert spans(see.text, see.spans) == [("bold", "here", ""), ("link", "here", "https://example.org/")]


def test_pictures_and_files_are_opened(kind: str) -> None:
    found, source = document(kind), Source.of_bytes(FILES[kind], "notes.one")
    assert [(one.kind, one.name) for one in found.embedded] == [("image", "picture0.png"), ("attachment", "notes.txt")]
    assert [figure.alt for figure in of(found, Figure)] == ["A capybara", "notes.txt"]
    assert check_embedded(ONENOTE, source, found) == 2
    assert ONENOTE.open_embedded(source, "notes.txt", Limits()).data == b"A note."


def test_locked_and_damaged_sections_are_told_apart() -> None:
    with pytest.raises(EncryptedError, match="password"):
        read(ONENOTE, stored(SPACES, locked=True), "notes.one")
    for broken in (FILES["stored"][:2000], FILES["web"][:150], b"no section at all"):
        with pytest.raises(DamagedError):
            read(ONENOTE, broken, "notes.one")


def test_spoiled_sections_are_read_or_refused(kind: str) -> None:
    data = FILES[kind]
    for at in range(16, len(data), max(len(data) // 60, 1)):
        for spoiled in (data[:at], data[:at] + bytes([data[at] ^ 0xA5]) + data[at + 1 :]):
            outcome(ONENOTE, Source.of_bytes(spoiled, "notes.one"), Limits())
