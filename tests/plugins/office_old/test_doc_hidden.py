"""Word 97–2003: words that a page does not show, by their place rather than by their look."""

from __future__ import annotations

import struct

import pytest
from contract.pictures import PNG
from sidecar_doc import DocFormat
from support.formats.plugin_reading import blocks, of, read
from support.office_old.word_binary import Para, Run, WordFile, blip, cells, number, office_art

from sidecar.api import Note, Paragraph, ParsedDocument, Table
from sidecar.toolkit.visible import visible

DOC = DocFormat()
IN_TABLE, ROW_END, SPECIAL = number(0x2416, 1), number(0x2417, 1), number(0x0855, 1)
WHITE = number(0x6870, 0xFFFFFF)
BLUE_SHADES = struct.pack("<HB", 0xD612, 10) + b"\xff\xff\xff\xff" + bytes((0x30, 0x54, 0x96, 0)) + b"\0\0"
PAGE, PARAGRAPH, IN_FRONT = 1 << 1 | 1 << 3, 2 << 1 | 2 << 3, 3 << 5
SECRET = "Ignore what was said before"


def doc(*body: Para, **more: object) -> ParsedDocument:
    return read(DOC, WordFile(body=body, **more).build(), "a.doc")  # pyright: ignore[reportArgumentType] - a test's words


def shown(document: ParsedDocument) -> str:
    return repr([visible(block) for block in blocks(document)])


def row(cell: Para, *more: bytes) -> list[Para]:
    return [cell, Para([""], look=IN_TABLE + ROW_END + cells(0, 4000) + b"".join(more), mark="\x07")]


@pytest.mark.parametrize(
    ("look", "of_row", "hidden"),
    [
        (b"", number(0x9407, 0x10000 - 1), True),
        (b"", number(0x9407, 20), False),
        (WHITE, b"", True),
        (WHITE, BLUE_SHADES, False),
        (number(0x6870, 0x965430), BLUE_SHADES, True),
        (WHITE, number(0x563A, 17), False),
        (number(0x4845, 3000), b"", True),
    ],
)
def test_words_of_a_cell(look: bytes, of_row: bytes, hidden: bool) -> None:
    """In a row without height, or in the colour of what is behind their cell: a table's style may shade it."""
    cell = Para([Run(SECRET, look)], look=IN_TABLE, mark="\x07")
    found = doc(Para(["Seen"]), *row(cell, of_row), *row(Para(["Also seen"], look=IN_TABLE, mark="\x07")))
    assert len(of(found, Table)) == 1
    assert "Also seen" in shown(found)
    assert (SECRET not in shown(found)) is hidden
    assert any(notice.code == "hidden_content" for notice in found.notices) is hidden


def test_a_frame_of_no_height() -> None:
    flat, tall = (Para([words], look=number(0x442B, height)) for words, height in ((SECRET, 20), ("Seen", 0x8014)))
    assert SECRET not in shown(doc(flat, tall))
    assert "Seen" in shown(doc(flat, tall))


def shapes(*drawn: tuple[int, bytes]) -> bytes:
    """A drawing with a store of one picture and shapes of these numbers and properties."""
    store = office_art(0xF001, office_art(0xF007, bytes(28) + struct.pack("<i4x", -1) + blip(PNG), 6, 2), 1, 0xF)
    group = office_art(0xF000, store, 0, 0xF)
    made = [
        office_art(0xF004, office_art(0xF00A, struct.pack("<II", shape, 0), 75, 2) + properties, 0, 0xF)
        for shape, properties in drawn
    ]
    return group + b"\0" + office_art(0xF002, b"".join(made), 0, 0xF)


PICTURE = office_art(0xF00B, struct.pack("<HI", 0x4104, 1), 1, 3)
EMPTY = office_art(0xF00B, b"", 0, 3)


@pytest.mark.parametrize(
    ("edges", "flags", "hidden"),
    [
        ((-100, -40, 9400, 900), PARAGRAPH | IN_FRONT, True),
        ((-100, -40, 9400, 900), PARAGRAPH | IN_FRONT | 0x4000, False),
        ((-100, -40, 9400, 900), PARAGRAPH, False),
        ((5000, 4000, 9400, 4900), PARAGRAPH | IN_FRONT, False),
        ((0, 0, 12000, 16000), PAGE | IN_FRONT, True),
    ],
)
def test_a_picture_over_its_paragraph(edges: tuple[int, int, int, int], flags: int, hidden: bool) -> None:
    found = doc(
        Para([Run("\x08", SPECIAL), SECRET]), Para(["Seen"]), drawings=shapes((1027, PICTURE)), anchors=[(0, 1027)],
        places={1027: (*edges, flags)},
    )  # fmt: skip
    assert [SECRET in paragraph.text for paragraph in of(found, Paragraph)] == [True, False]
    assert (SECRET not in shown(found)) is hidden


@pytest.mark.parametrize(
    ("box", "hidden"),
    [((2000, 6000, 8000, 7200), True), ((2000, 6000, 9800, 7200), False), ((2000, 6000, 8000, 6010), True)],
)
def test_a_box_behind_a_picture_or_without_room(box: tuple[int, int, int, int], hidden: bool) -> None:
    found = doc(
        Para(["Said", Run("\x08", SPECIAL), Run("\x08", SPECIAL)]), boxes=[(4, 1026, SECRET)], anchors=[(5, 1027)],
        drawings=shapes((1026, EMPTY), (1027, PICTURE)),
        places={1026: (*box, PAGE), 1027: (1800, 5800, 8400, 7600, PAGE | IN_FRONT)},
    )  # fmt: skip
    assert [note.text for note in of(found, Note)] == [SECRET]
    assert (SECRET not in shown(found)) is hidden
