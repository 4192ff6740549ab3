"""PowerPoint 97–2003: titles, bullets, tables, notes, comments, links, pictures, objects; damaged, protected files."""

from __future__ import annotations

import contextlib
import struct
import zlib

import pytest
from contract.conformance import check_embedded
from contract.containers import compound_file
from contract.pictures import PNG
from hypothesis import given, settings
from hypothesis import strategies as st
from sidecar_ppt import PptFormat
from support.formats.plugin_reading import of, read, spans
from support.office_old.powerpoint_binary import Slide, box, deck, group, link_action, record, text
from support.office_old.word_binary import blip

from sidecar.api import (
    DamagedError,
    EncryptedError,
    Figure,
    FormatError,
    Heading,
    Limits,
    ListItem,
    Merge,
    Note,
    NotFoundError,
    Paragraph,
    ParsedDocument,
    Source,
    Table,
    UnsupportedError,
)

PPT = PptFormat()
TITLE, BODY, NOTES, SUBTITLE = 0, 1, 2, 5


def ppt(*slides: Slide, **more: object) -> ParsedDocument:
    return read(PPT, deck(slides, **more), "a.ppt")  # pyright: ignore[reportArgumentType] - a test's words


def cstring(words: str, instance: int) -> bytes:
    return record(0x0FBA, words.encode("utf-16-le"), instance)


def test_scores_by_content() -> None:
    file = deck([Slide()])
    assert PPT.score(Source.of_bytes(file, "a.ppt")) == 95
    assert PPT.score(Source.of_bytes(file, "a.bin")) == 95
    assert PPT.score(Source.of_bytes(compound_file({"Workbook": b"x"}), "a.ppt")) == 65
    assert PPT.score(Source.of_bytes(compound_file({"Workbook": b"x"}), "a.xls")) == 0
    assert PPT.score(Source.of_bytes(b"words", "a.ppt")) == 5


def test_titles_bullets_and_plain_text_in_reading_order() -> None:
    found = ppt(
        Slide([
            box((50, 400, 300, 500), text("At the bottom")),
            box((50, 100, 600, 300), text("First\rSecond – “quoted”", BODY)),
            box((50, 20, 600, 80), text("The title", TITLE)),
            box((400, 400, 600, 500), text("A subtitle", SUBTITLE, narrow=True)),
        ]),
        Slide([box((0, 0, 10, 10), text("No title here"))], hidden=True),
    )  # fmt: skip
    assert [type(block).__name__ for block in found.parts[0].blocks] == [
        "Heading", "ListItem", "ListItem", "Paragraph", "Paragraph",
    ]  # fmt: skip
    assert of(found, Heading)[0].text == "The title"
    assert [item.text for item in of(found, ListItem)] == ["First", "Second – “quoted”"]
    assert [(para.text, para.style) for para in of(found, Paragraph)][:2] == [
        ("At the bottom", ""), ("A subtitle", "subtitle"),
    ]  # fmt: skip
    assert [(part.title, part.hidden) for part in found.parts] == [("The title", False), ("No title here", True)]
    assert (found.parts[0].width, found.parts[0].height) == (720.0, 540.0)
    assert "Slide 2 is hidden." in [notice.message for notice in found.notices]
    assert found.metadata["slides"] == "2"


def looks(*paragraphs: tuple[int, int, int | None, str], characters: tuple[tuple[int, int], ...] = ()) -> bytes:
    """Runs of paragraphs (count, level, has a bullet, its sign) and of characters (count, style bits)."""
    out = b""
    for count, level, has, sign in paragraphs:
        mask = (1 if has is not None else 0) | (0x80 if sign else 0)
        out += struct.pack("<IHI", count, level, mask)
        out += struct.pack("<H", has or 0) if has is not None else b""
        out += struct.pack("<H", ord(sign)) if sign else b""
    for count, style in characters:
        out += struct.pack("<IIH", count, 7 | (style & 0x3C00), style)
    return out


def level(has: int | None, sign: str = "", *, number: int | None = None, font: int | None = None) -> bytes:
    """What a master says of one level of a kind of text: whether it has a bullet and which; and of its characters."""
    mask = (1 if has is not None else 0) | (0x80 if sign else 0) | (0x10 if font is not None else 0)
    said = struct.pack("<H", number) if number is not None else b""
    said += struct.pack("<I", mask) + (struct.pack("<H", has) if has is not None else b"")
    said += (struct.pack("<H", ord(sign)) if sign else b"") + (struct.pack("<H", font) if font is not None else b"")
    return said + struct.pack("<IHH", 0x20001, 1, 20)


def test_bullets_are_those_of_the_master_where_the_text_says_nothing() -> None:
    body = record(0x0FA3, struct.pack("<H", 3) + level(0) + level(1, "–") + level(None), BODY)
    half = record(0x0FA3, struct.pack("<H", 1) + level(1, "*", number=0), 7)
    texts = looks((6, 0, None, ""), (6, 1, None, ""), (5, 2, None, ""), (4, 0, 1, "+"))
    shapes = [
        box((0, 0, 300, 90), text("plain\rinner\rdeep\rown", BODY, texts)), box((0, 100, 300, 190), text("half", 7)),
        box((0, 200, 300, 290), text("quarter", 8)),
    ]  # fmt: skip
    found = ppt(Slide(shapes), styles=body + half)
    assert [(item.text, item.level, item.marker) for item in of(found, ListItem)] == [
        ("inner", 1, "–"), ("deep", 2, "–"), ("own", 0, "+"), ("half", 0, "*"),
    ]  # fmt: skip
    assert [para.text for para in of(found, Paragraph)] == ["plain", "quarter"]


def test_bullets_are_in_the_font_of_the_master_unless_they_are_in_that_of_the_text() -> None:
    body = record(0x0FA3, struct.pack("<H", 1) + level(1, "l", font=0), BODY)
    fonts = record(0x0FB7, "Monotype Sorts".encode("utf-16-le").ljust(68, b"\0"))
    of_text = struct.pack("<IHIHH", 5, 0, 0x82, 0, ord("l"))
    texts = looks((7, 0, None, ""), (4, 0, 1, "n"), (4, 0, 1, "\xe4")) + of_text
    found = ppt(Slide([box((0, 0, 300, 90), text("master\rown\rfar\rtext", BODY, texts))]), styles=body, document=fonts)
    assert [(item.text, item.marker) for item in of(found, ListItem)] == [
        ("master", "●"), ("own", "■"), ("far", "➤"), ("text", "l"),
    ]  # fmt: skip


def test_numbers_of_slides_on_the_master_are_none_of_its_words() -> None:
    number = record(0x0FD8, struct.pack("<i", 2)), record(0x0FD8, struct.pack("<i", 5))
    master = [
        box((0, 0, 9, 9), text("- * -", 4, b"", number[0])),
        box((0, 9, 9, 18), text("Page *", 4, b"", number[1])),
    ]
    found = ppt(Slide(), Slide(), master=master)
    assert [note.text for note in of(found, Note)] == ["Page 1"]


def numberings(*runs: tuple[int, int] | None) -> bytes:
    """A StyleTextProp9Atom: by run the number of its scheme and its first number, None for no number."""
    said = b""
    for run in runs:
        said += struct.pack("<IHHH", 0x03000000, 1, *run) if run else struct.pack("<I", 0)
        said += struct.pack("<II", 0, 0)
    return record(0x0FAC, said)


def tags(content: bytes) -> bytes:
    """What PowerPoint 2000 added to a shape or a document."""
    name = record(0x0FBA, "___PPT9".encode("utf-16-le"))
    return record(0x1388, record(0x138A, name + record(0x138B, content), holds=True), holds=True)


def markers(document: ParsedDocument) -> list[tuple[str, int, bool, str]]:
    return [(item.marker, item.level, item.ordered, item.text) for item in of(document, ListItem)]


def test_numbered_lists_count_by_level_and_scheme() -> None:
    words = "One\rTwo\rInner\rThree\rBullet\rAgain"
    runs = looks(
        (8, 0, 1, ""), (6, 1, 1, ""), (21, 0, 1, ""), characters=((8, 0), (6, 1 << 10), (6, 0), (7, 2 << 10), (6, 0)),
    )  # fmt: skip
    said = tags(numberings((3, 4), (4, 1), None))
    assert markers(ppt(Slide([box((0, 0, 9, 9), text(words, BODY, runs), client=said)]))) == [
        ("4.", 0, True, "One"), ("5.", 0, True, "Two"), ("(i)", 1, True, "Inner"), ("6.", 0, True, "Three"),
        ("•", 0, False, "Bullet"), ("4.", 0, True, "Again"),
    ]  # fmt: skip


def test_numbers_of_texts_in_the_outline_and_of_schemes_without_a_name() -> None:
    runs = looks((8, 0, 1, ""), characters=((8, 0),))
    head = record(0x0FAF, struct.pack("<II", 256, BODY), 1)
    numbers = record(0x0FAE, head + numberings((200, 2)), holds=True)
    found = deck(
        [Slide([box((0, 0, 9, 9), record(0x0F9E, struct.pack("<i", 1)))], text("T", TITLE) + text("A\rB", BODY, runs))],
        document=record(0x07D0, tags(numbers), holds=True),
    )
    assert markers(read(PptFormat(), found, "a.ppt")) == [("2.", 0, True, "A"), ("3.", 0, True, "B")]


def test_numbers_that_are_cut_off_leave_bullets() -> None:
    runs = looks((4, 0, 1, ""), characters=((4, 0),))
    cut = tags(record(0x0FAC, struct.pack("<IH", 0x03000000, 1)))
    assert markers(ppt(Slide([box((0, 0, 9, 9), text("One", BODY, runs), client=cut)]))) == [("•", 0, False, "One")]


def test_levels_bullets_and_looks() -> None:
    words = "Top\rInner\rPlain"
    runs = looks((4, 0, None, ""), (6, 1, 1, "–"), (6, 0, 0, ""), characters=((4, 1), (2, 0), (3, 2), (7, 0)))
    found = ppt(Slide([box((0, 0, 9, 9), text(words, BODY, runs))]))
    top, inner = of(found, ListItem)
    assert (top.level, top.marker, inner.level, inner.marker) == (0, "•", 1, "–")
    assert spans(top.text, top.spans) == [("bold", "Top", "")]
    assert spans(inner.text, inner.spans) == [("italic", "ner", "")]
    assert [para.text for para in of(found, Paragraph)] == ["Plain"]


def test_text_that_stands_in_the_outline_only() -> None:
    reference = record(0x0F9E, struct.pack("<i", 1))
    outline = text("The title", TITLE) + text("From the outline", BODY)
    found = ppt(Slide([box((0, 50, 9, 90), reference), box((0, 0, 9, 9), record(0x0F9E, bytes(4)))], outline))
    assert [head.text for head in of(found, Heading)] == ["The title"]
    assert [item.text for item in of(found, ListItem)] == ["From the outline"]


def test_a_table_is_a_group_of_cells() -> None:
    cells = [((0, 0, 100, 20), "Name"), ((100, 0, 300, 20), "both"), ((0, 20, 100, 40), "a"), ((100, 20, 200, 40), "1"),
             ((200, 20, 300, 40), "2")]  # fmt: skip
    found = ppt(Slide([group((0, 0, 300, 40), *(box(at, text(word), child=True) for at, word in cells), table=True)]))
    [table] = of(found, Table)
    assert table.rows == (("Name", "both", ""), ("a", "1", "2"))
    assert table.merges == (Merge(0, 1, 1, 2),)
    assert [element.type for element in found.elements] == ["table"]


def test_groups_keep_their_texts() -> None:
    inner = group((0, 0, 50, 50), box((0, 0, 20, 20), text("Deep"), child=True))
    found = ppt(Slide([group((0, 0, 100, 100), box((50, 50, 80, 80), text("Inside"), child=True), inner)]))
    assert {para.text for para in of(found, Paragraph)} == {"Deep", "Inside"}


def test_notes_comments_footers_and_words_of_the_master() -> None:
    blob = record(0x2EE0, cstring("Ann Author", 0) + cstring("Is that so?", 1) + record(
        0x2EE1, struct.pack("<i8H8x", 1, 2024, 12, 2, 24, 9, 30, 0, 0)), holds=True)  # fmt: skip
    tags = record(0x1388, record(0x138A, cstring("___PPT10", 0) + record(0x138B, blob), holds=True), holds=True)
    edges = record(0x0FD9, record(0x0FDA, struct.pack("<hH", 0, 0x20)) + cstring("Company", 2), 3, holds=True)
    page = record(0x0FD8, struct.pack("<i", 5))
    number = record(0x0FD8, struct.pack("<i", 0))
    notes = [box((0, 0, 9, 9), text("Say it slowly.", NOTES)), box((0, 9, 9, 18), text("*", 4, b"", number))]
    body = box((0, 0, 9, 9), text("Page *.", 4, b"", page))
    found = ppt(
        Slide([body], notes=notes, more=edges + tags), Slide([body], more=edges),
        master=[box((0, 0, 9, 9), text("Confidential")), box((0, 0, 9, 9), text("Click to edit", BODY), client=PLACE)],
    )  # fmt: skip
    assert [para.text for para in of(found, Paragraph)] == ["Page 1.", "Page 2."]
    assert sorted((note.kind, note.text) for note in of(found, Note)) == [
        ("comment", "Is that so?"), ("footer", "Company"), ("speaker", "Say it slowly."), ("textbox", "Confidential"),
    ]  # fmt: skip
    comment = next(note for note in of(found, Note) if note.kind == "comment")
    assert (comment.author, comment.date) == ("Ann Author", "2024-12-24T09:30:00")


PLACE = record(0x0BC3, struct.pack("<iBBxx", 0, 0x0E, 0))


def test_links_of_words_and_of_shapes() -> None:
    links = record(0x0FD7, record(0x0FD3, struct.pack("<I", 7)) + cstring("https://example.org/a", 1), holds=True)
    places = record(0x0FDF, struct.pack("<II", 4, 8))
    found = ppt(
        Slide([box((0, 0, 9, 9), text("See this", 4, b"", link_action(7), places)),
               box((0, 50, 9, 59), client=link_action(7))]),
        document=record(0x0409, links, holds=True),
    )  # fmt: skip
    [para] = of(found, Paragraph)
    assert spans(para.text, para.spans) == [("link", "this", "https://example.org/a")]
    assert [note.text for note in of(found, Note)] == ["https://example.org/a"]


def test_pictures_sounds_and_objects() -> None:
    native = b"\x02\0note.txt\0C:\\note.txt\0" + struct.pack("<HHI", 0, 3, 5) + b"temp\0"
    native += struct.pack("<I", 5) + b"hello"
    inner = compound_file({"\x01Ole10Native": struct.pack("<I", len(native)) + native})
    storage = record(0x1011, struct.pack("<I", len(inner)) + zlib.compress(inner), 1)
    head = record(0x0FC3, struct.pack("<IIIIII", 1, 0, 3, 0, 500, 0))
    sound = record(0x07E6, cstring("Bell", 0) + record(0x07E7, b"RIFF....WAVE"), holds=True)
    shown = record(0x0BC1, struct.pack("<I", 3))
    file = deck(
        [Slide([box((0, 0, 9, 9), properties={0x4104: 1, 0x0381: "A small square"}),
                box((0, 50, 9, 59), client=shown)])],
        document=record(0x0409, record(0x0FCC, head, holds=True), holds=True) + record(0x07E4, sound, holds=True),
        pictures=[blip(PNG)], objects={500: storage},
    )  # fmt: skip
    found = read(PPT, file, "a.ppt")
    assert [(figure.embed, figure.alt) for figure in of(found, Figure)] == [
        (("image", 0), "A small square"), (("attachment", 0), ""),
    ]  # fmt: skip
    assert [(e.kind, e.name, e.part) for e in found.embedded] == [
        ("image", "picture0.png", 1), ("attachment", "note.txt", 1), ("media", "Bell", None),
    ]  # fmt: skip
    source = Source.of_bytes(file, "a.ppt")
    check_embedded(PPT, source, found)
    assert PPT.open_embedded(source, found.embedded[1].ref, Limits()).data == b"hello"
    with pytest.raises(NotFoundError, match="nothing"):
        PPT.open_embedded(source, "nothing", Limits())


def test_the_words_of_wordart_are_shown() -> None:
    found = ppt(Slide([box((0, 0, 90, 90), properties={0x00C0: "Summer sale", 0x0381: "in red"})]))
    assert [figure.alt for figure in of(found, Figure)] == ["Summer sale in red"]


def test_what_cannot_be_read_says_why() -> None:
    with pytest.raises(EncryptedError, match="password"):
        ppt(Slide(), token=0xF3D1C4DF)
    with pytest.raises(DamagedError, match="without a presentation"):
        read(PPT, compound_file({"Workbook": b"x"}), "a.ppt")
    with pytest.raises(DamagedError, match="where its slides are"):
        read(PPT, compound_file({"PowerPoint Document": bytes(64)}), "a.ppt")
    with pytest.raises(DamagedError, match="not a presentation"):
        read(PPT, b"hello", "a.ppt")
    with pytest.raises(DamagedError, match="is empty"):
        read(PPT, b"", "a.ppt")


def test_of_powerpoint_95_the_texts_are_read_and_what_is_older_is_told_apart() -> None:
    streams = {
        "PowerPoint Document": b"\3\0\0\0\xff\xff\0\0" + bytes(60),
        "Header": b"Microsoft (R) PowerPoint (R) Windows  \0\7\0\0\0",
        "Text_Content": "\r\rSommerfest\rGäste\vund Gastgeber\r\r \rEine Notiz".encode("cp1252") + bytes(4096),
    }
    document = read(PPT, compound_file(streams), "a.ppt")
    assert [para.text for para in of(document, Paragraph)] == ["Sommerfest", "Gäste\nund Gastgeber", "Eine Notiz"]
    assert ["PowerPoint 95" in notice.message for notice in document.notices] == [True]
    both = compound_file(streams | {"PowerPoint Document": b""})
    assert len(read(PPT, both, "a.ppt", Limits(max_text_chars=12)).notices) == 2
    for old in (b"\xed\xde\xad\x0b\3\0\0\0", b"\x0b\xad\xde\xed\0\0\0\2", compound_file({"PP40": b"x"})):
        with pytest.raises(
            UnsupportedError, match=r"a\.ppt was written by a program older than PowerPoint 95; save it"
        ):
            read(PPT, old, "a.ppt")
    with pytest.raises(DamagedError, match="where its slides are"):
        read(PPT, compound_file(streams | {"Header": b"another"}), "a.ppt")


@pytest.mark.parametrize(("cover", "hidden"), [((0, 90, 400, 300), True), ((0, 90, 90, 300), False)])
def test_words_behind_a_picture_are_hidden(cover: tuple[int, int, int, int], hidden: bool) -> None:
    slide = Slide([
        box((0, 0, 90, 90), text("Seen", TITLE)), box((10, 100, 300, 200), text("Ignore the rest")),
        box(cover, properties={0x4104: 1}),
    ])  # fmt: skip
    found = ppt(slide, pictures=[blip(PNG)])
    assert [para.hidden for para in of(found, Paragraph)] == [hidden]
    assert any(notice.code == "hidden_content" for notice in found.notices) is hidden


@pytest.mark.parametrize(("flags", "hidden"), [(0, True), (1, False)])
def test_words_in_the_colour_of_the_page_are_seen_on_what_the_master_draws(flags: int, hidden: bool) -> None:
    filled = {0x01BF: 0x00100010}
    page = box((0, 0, 720, 540), properties=filled | {0x0181: 0xFFFFFF})
    band = box((0, 480, 720, 540), properties=filled | {0x0181: 0x2020C0})
    white = struct.pack("<IHI", 6, 0, 0) + struct.pack("<III", 6, 0x40000, 0xFEFFFFFF)
    words = box((10, 500, 300, 520), text("White", 4, white), properties={0x01BF: 0x00100000})
    (para,) = of(ppt(Slide([words], flags=flags, background=page), master=[band]), Paragraph)
    assert [span.kind for span in para.spans] == ["hidden"] * hidden


def test_a_file_whose_last_edit_is_lost_is_read_all_the_same() -> None:
    file = deck([Slide([box((0, 0, 9, 9), text("Still there"))])])
    damaged = file.replace(struct.pack("<II", 20, 0xE391C05F), struct.pack("<II", 20, 0), 1)
    at = damaged.index(struct.pack("<II", 20, 0)) + 8
    damaged = damaged[:at] + bytes(4) + damaged[at + 4 :]
    assert [para.text for para in of(read(PPT, damaged, "a.ppt"), Paragraph)] == ["Still there"]


RICH = deck(
    [Slide([box((0, 0, 9, 9), text("Title", TITLE)), box((0, 20, 9, 40), text("a\rb", BODY, looks((2, 0, 1, "–")))),
            group((0, 0, 30, 40), box((0, 0, 30, 40), text("cell"), child=True), table=True),
            box((0, 50, 9, 60), properties={0x4104: 1, 0x0381: "alt"})],
           notes=[box((0, 0, 9, 9), text("note", NOTES))])],
    pictures=[blip(PNG)],
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(RICH) - 1), st.integers(0, 255)), min_size=1, max_size=20))
def test_damaged_files_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    data = bytearray(RICH)
    for at, value in changes:
        data[at] = value
    with contextlib.suppress(FormatError):
        PPT.parse(Source.of_bytes(bytes(data), "a.ppt"), Limits())


@given(st.integers(0, len(RICH)))
def test_cut_off_files_end_in_a_document_or_a_sentence(length: int) -> None:
    with contextlib.suppress(FormatError):
        PPT.parse(Source.of_bytes(RICH[:length], "a.ppt"), Limits())
