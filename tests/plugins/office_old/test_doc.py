"""Word 97–2003: headings, lists, tables, notes, fields, changes, pictures, objects; damaged and protected files."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib

import pytest
from contract.conformance import check_embedded
from contract.containers import compound_file
from contract.pictures import PNG
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from sidecar_doc import DocFormat
from support.formats.plugin_reading import blocks, of, read, spans
from support.office_old.word_6 import OldNote, OldPara, OldWordFile
from support.office_old.word_binary import Note as NoteOf
from support.office_old.word_binary import Para, Run, WordFile, blip, cells, number, office_art

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

DOC = DocFormat()
BOLD, ITALIC, HIDDEN = number(0x0835, 1), number(0x0836, 1), number(0x083C, 1)
SPECIAL = number(0x0855, 1)
IN_TABLE, ROW_END = number(0x2416, 1), number(0x2417, 1)


def doc(*body: Para | str, **more: object) -> ParsedDocument:
    paras = [Para([para]) if isinstance(para, str) else para for para in body]
    return read(DOC, WordFile(body=paras, **more).build(), "a.doc")  # pyright: ignore[reportArgumentType] - a test's words


def test_scores_by_content() -> None:
    file = WordFile(body=[Para(["x"])]).build()
    assert DOC.score(Source.of_bytes(file, "a.doc")) == 95
    assert DOC.score(Source.of_bytes(file, "a.bin")) == 95
    assert DOC.score(Source.of_bytes(compound_file({"Workbook": b"x"}), "a.xls")) == 0
    assert DOC.score(Source.of_bytes(compound_file({"Workbook": b"x"}), "a.doc")) == 65
    assert DOC.score(Source.of_bytes(b"words", "a.doc")) == 5
    assert DOC.score(Source.of_bytes(b"words", "a.txt")) == 0


@pytest.mark.parametrize("small", [False, True])
def test_text_with_its_looks(small: bool) -> None:
    para = Para(["Plain ", Run("bold", BOLD), " and ", Run("both", BOLD + ITALIC), Run(" low", number(0x2A48, 2))])
    found = doc(para, "Größe – “naïve” €", small=small)
    first, second = of(found, Paragraph)
    assert first.text == "Plain bold and both low"
    assert sorted(spans(first.text, first.spans)) == [
        ("bold", "bold", ""), ("bold", "both", ""), ("italic", "both", ""), ("sub", " low", ""),
    ]  # fmt: skip
    assert second.text == "Größe – “naïve” €"


def test_a_document_without_headings_has_those_it_shows_by_their_looks() -> None:
    found = doc(
        Para([Run("Summary\t2", BOLD)]), Para([Run("Summary", BOLD)]), "What was seen.", "And more.",
        Para([Run("2.1 Results", BOLD)]), "What came out of it.", "It ended well.",
    )  # fmt: skip
    assert [(one.level, one.number, one.text) for one in of(found, Heading)] == [
        (1, "", "Summary"), (2, "2.1", "Results"),
    ]  # fmt: skip


def test_characters_beyond_the_first_plane_keep_their_places() -> None:
    found = doc(Para(["a 😀 b ", Run("bold", BOLD)]))
    [para] = of(found, Paragraph)
    assert para.text == "a 😀 b bold"
    assert spans(para.text, para.spans) == [("bold", "bold", "")]


def test_headings_by_style_and_by_outline_level() -> None:
    styles = (
        ("Normal", 0, b"", b""), ("Überschrift 1", 1, b"", b""), ("heading 2", 2, b"", b""),
        ("Mine", 0xFFE, number(0x2640, 0), b""), ("Body", 0xFFE, number(0x2640, 9), b""), ("Title", 62, b"", b""),
    )  # fmt: skip
    found = doc(
        Para(["Report"], 5), Para(["One"], 1), "text", Para(["Two"], 3), Para(["Deeper"], 2), Para(["No heading"], 4),
        Para(["By hand"], 0, number(0x2640, 2)), styles=styles,
    )  # fmt: skip
    assert [(head.text, head.level) for head in of(found, Heading)] == [
        ("One", 1), ("Two", 1), ("Deeper", 2), ("By hand", 3),
    ]  # fmt: skip
    assert [part.title for part in found.parts] == ["", "One", "Two"]
    assert of(found, Paragraph)[0].style == "title"


def test_a_drop_cap_is_the_first_letter_of_the_paragraph_after_it() -> None:
    found = doc(Para(["O"], 0, number(0x442C, 3 << 3 | 1)), "nce", Para(["N"], 0, number(0x442C, 3 << 3)), "ot")
    assert [one.text for one in of(found, Paragraph)] == ["Once", "N", "ot"]


def level(form: int, text: str, start: int = 1, looks: bytes = b"", paragraph: bytes = b"") -> bytes:
    head = struct.pack("<iBB18xBBBB", start, form, 0, len(looks), len(paragraph), 0, 0)
    return head + paragraph + looks + struct.pack("<H", len(text)) + text.encode("utf-16-le")


def test_lists_are_counted() -> None:
    empty = b"".join(level(255, "") for _ in range(7))
    levels = level(0, "\0.") + level(4, "\0.\1)") + empty + level(23, "\uf0b7")
    heads = struct.pack("<H", 2) + struct.pack("<i22xBx", 7, 0) + struct.pack("<i22xBx", 9, 1)
    overrides = struct.pack("<I", 3) + b"".join(struct.pack("<i8xBxxx", name, changes) for name, changes in
                                               ((7, 0), (9, 0), (7, 1)))  # fmt: skip
    overrides += struct.pack("<II", 0, 0) + struct.pack("<IiI", 0, 5, 0x10)

    def item(text: str, of_list: int, at: int = 0) -> Para:
        return Para([text], 0, number(0x460B, of_list) + number(0x260A, at))

    found = doc(
        item("first", 1), item("inner", 1, 1), item("inner too", 1, 1), item("second", 1), item("dot", 2),
        item("anew", 3), item("no list", 9), Para(["Head"], 1, number(0x460B, 1)), lists=(heads, levels, overrides),
    )  # fmt: skip
    assert [(li.text, li.marker, li.level, li.ordered) for li in of(found, ListItem)] == [
        ("first", "1.", 0, True), ("inner", "1.a)", 1, True), ("inner too", "1.b)", 1, True),
        ("second", "2.", 0, True), ("dot", "•", 0, False), ("anew", "5.", 0, True),
    ]  # fmt: skip
    assert [(head.text, head.number) for head in of(found, Heading)] == [("Head", "6.")]
    assert [para.text for para in of(found, Paragraph)] == ["no list"]


def test_lists_stand_below_items_of_others_that_they_are_indented_under() -> None:
    levels = b"".join(level(0, "\0.", paragraph=number(0x840F, left)) for left in (360, 720))
    heads = struct.pack("<H", 2) + struct.pack("<i22xBx", 7, 1) + struct.pack("<i22xBx", 9, 1)
    overrides = struct.pack("<I", 2) + struct.pack("<i8xBxxx", 7, 0) + struct.pack("<i8xBxxx", 9, 0) + bytes(8)

    def item(text: str, of_list: int, more: bytes = b"") -> Para:
        return Para([text], 0, number(0x460B, of_list) + more)

    found = doc(
        item("one", 1), item("below", 2), item("two", 1), "words", item("alone", 2), "words", item("three", 1),
        item("beside", 2, number(0x845E, 360)), lists=(heads, levels, overrides),
    )  # fmt: skip
    assert [(one.text, one.level) for one in of(found, ListItem)] == [
        ("one", 0), ("below", 1), ("two", 0), ("alone", 0), ("three", 0), ("beside", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "markers"),
    [(30, ["甲", "乙"]), (12, ["ｱ", "ｲ"]), (59, ["А", "Б"]), (57, ["- 1 -", "- 2 -"]), (22, ["01", "02"])],
)
def test_numbers_of_lists_in_other_scripts(form: int, markers: list[str]) -> None:
    levels = level(form, "\0")
    heads = struct.pack("<H", 1) + struct.pack("<i22xBx", 7, 1)
    overrides = struct.pack("<I", 1) + struct.pack("<i8xBxxx", 7, 0) + struct.pack("<I", 0)
    found = doc(*(Para(["x"], 0, number(0x460B, 1)) for _ in markers), lists=(heads, levels, overrides))
    assert [item.marker for item in of(found, ListItem)] == markers


def row(*texts: str, shape: bytes = b"", head: bool = False) -> list[Para]:
    inside = [Para([text], 0, IN_TABLE, "\x07") for text in texts]
    more = number(0x3404, 1) if head else b""
    return [*inside, Para([], 0, IN_TABLE + ROW_END + more + shape, "\x07")]


def test_tables_with_merged_cells_and_heading_rows() -> None:
    three, wide = cells(0, 1000, 2000, 3000), cells(0, 2000, 3000)
    found = doc(
        "before",
        *row("Name", "Amount", "Note", shape=three, head=True),
        *row("both", "n", shape=wide),
        *row("a", "1", "top", shape=cells(0, 1000, 2000, 3000, flags=(0, 0, 0x60))),
        *row("b", "2", "", shape=cells(0, 1000, 2000, 3000, flags=(0, 0, 0x20))),
        "after",
    )
    [table] = of(found, Table)
    assert table.rows == (("Name", "Amount", "Note"), ("both", "", "n"), ("a", "1", "top"), ("b", "2", ""))
    assert table.header_rows == 1
    assert set(table.merges) == {Merge(1, 0, 1, 2), Merge(2, 2, 2, 1)}
    assert [type(block).__name__ for block in blocks(found)] == ["Paragraph", "Table", "Paragraph"]


def test_a_table_inside_a_cell() -> None:
    deep = IN_TABLE + number(0x6649, 2)
    found = doc(
        Para(["outer"], 0, IN_TABLE),
        Para(["x"], 0, deep + number(0x244B, 1)),
        Para(["y"], 0, deep + number(0x244B, 1)),
        Para([], 0, deep + number(0x244C, 1) + cells(0, 100, 200)),
        *row("", shape=cells(0, 3000)),
    )
    [table] = of(found, Table)
    [cell] = table.cells
    assert table.rows == (("outer",),)
    assert cell.table is not None
    assert cell.table.rows == (("x", "y"),)


def test_notes_comments_headers_and_text_boxes() -> None:
    body = [Para(["A claim", Run("\x02", SPECIAL), " and", Run("\x02", SPECIAL), " more", Run("\x05", SPECIAL), "."])]
    body.append(Para([Run("\x08", SPECIAL), "Anchored"]))
    found = doc(
        *body, footnotes=[NoteOf(7, "\x02 Its source")], endnotes=[NoteOf(12, "\x02 At the end")],
        comments=[NoteOf(18, "\x05Is that so?", "Ann Author")], headers=["", "Page head", "", "Page foot", "", ""],
        boxes=[(21, 1025, "In a box")],
    )  # fmt: skip
    assert [para.text for para in of(found, Paragraph)] == ["A claim[1] and[1] more.", "Anchored"]
    notes = {note.kind: note for note in of(found, Note)}
    assert {kind: note.text for kind, note in notes.items()} == {
        "footnote": "Its source", "endnote": "At the end", "comment": "Is that so?", "header": "Page head",
        "footer": "Page foot", "textbox": "In a box",
    }  # fmt: skip
    assert notes["comment"].author == "Ann Author"
    marks = spans(of(found, Paragraph)[0].text, of(found, Paragraph)[0].spans)
    assert ("note", "[1]", notes["footnote"].id) in marks
    assert ("comment", "A claim[1] and[1] more", notes["comment"].id) in marks


def test_fields_show_their_results() -> None:
    def begin(instruction: str) -> list[Run]:
        return [Run("\x13", SPECIAL), Run(instruction), Run("\x14", SPECIAL)]

    end = Run("\x15", SPECIAL)
    page = [*begin(" PAGE "), "3", end]
    found = doc(
        Para(["See ", *begin(' HYPERLINK "https://example.org/a" '), "the site", end, " on ", *page]),
        Para([*begin(" TOC \\o "), "One 1"]), Para(["Two 2", end]),
        Para([*begin(' HYPERLINK \\l "place" '), "there", end]),
        Para([Run("\x13", SPECIAL), " MACROBUTTON Name click here ", end, " ", Run("\x13", SPECIAL), " PAGE ", end]),
    )  # fmt: skip
    first, second, third, last, button = of(found, Paragraph)
    assert button.text == "click here"
    assert first.text == "See the site on 3"
    assert spans(first.text, first.spans) == [("link", "the site", "https://example.org/a")]
    assert (second.text, third.text) == ("One 1", "Two 2")
    assert spans(last.text, last.spans) == [("link", "there", "#place")]


@pytest.mark.parametrize(
    ("flags", "told", "result", "shown", "said"),
    [
        (0 | 25 << 2, ["Your name", "Nobody", "", "Who", ""], "", "Nobody", "Who"),
        (0 | 25 << 2, ["", "Nobody", "", "", "Type"], "Ann", "Ann", "Nobody, Type"),
        (1 | 1 << 2, ["", 0, "", "", ""], "", "☒", ""),
        (1 | 25 << 2, ["", 0, "", "", ""], "", "☐", ""),
        (2 | 25 << 2, ["Town", 1, "", "", "", "", "", ["Ghent", "Bruges"]], "", "Bruges", "Ghent"),
        (2 | 0 << 2, ["Town", 1, "", "", "", "", "", ["Ghent", "Bruges"]], "", "Ghent", "Bruges"),
        (3, ["", 0, "", "", ""], "", "", ""),
    ],
)
def test_fields_of_forms(flags: int, told: list[str | int | list[str]], result: str, shown: str, said: str) -> None:
    def packed(one: str | int | list[str]) -> bytes:
        if isinstance(one, int):
            return struct.pack("<H", one)
        if isinstance(one, list):
            texts = [struct.pack("<H", len(text)) + text.encode("utf-16-le") for text in one]
            return struct.pack("<HHH", 0xFFFF, len(one), 0) + b"".join(texts)
        return struct.pack("<H", len(one)) + one.encode("utf-16-le") + b"\0\0"

    field = struct.pack("<IHHH", 0xFFFFFFFF, flags, 0, 0) + b"".join(map(packed, told + [""] * (7 - len(told))))
    data = struct.pack("<iH62x", 68 + len(field), 68) + field
    mark = Run("\x01", SPECIAL + number(0x6A03, 0) + number(0x0806, 1))
    para = Para([
        "Say: ", Run("\x13", SPECIAL), " FORM ", mark, Run("\x14", SPECIAL), result, Run("\x15", SPECIAL), " done",
    ])  # fmt: skip
    found = doc(para, data=data)
    assert of(found, Paragraph)[0].text == f"Say: {shown} done"
    assert [note.text for note in of(found, Note)] == ([said] if said else [])
    for cut in range(0, len(data), 5):
        assert of(doc(para, data=data[:cut]), Paragraph)


def test_tracked_changes_and_hidden_text() -> None:
    when = 30 | 9 << 6 | 24 << 11 | 12 << 16 | (2024 - 1900) << 20
    added = number(0x0801, 1) + number(0x4804, 1) + number(0x6805, when)
    taken = number(0x0800, 1) + number(0x4863, 0)
    found = doc(
        Para(["Within ", Run("ninety", taken), Run("sixty", added), " days"]),
        Para(["Seen ", Run("unseen", HIDDEN)]),
        Para(["Dark ", Run("white", number(0x6870, 0xFFFFFF)), Run(" tiny", number(0x4A43, 2))]),
        authors=["Ann", "Bob"],
    )
    first, second, third = of(found, Paragraph)
    assert first.text == "Within ninetysixty days"
    kinds = {span.kind: span for span in first.spans}
    assert (kinds["del"].value, kinds["ins"].value, kinds["ins"].date) == ("Ann", "Bob", "2024-12-24T09:30")
    assert ("hidden", "unseen", "") in spans(second.text, second.spans)
    assert {text.strip() for kind, text, _ in spans(third.text, third.spans) if kind == "hidden"} & {
        "white",
        "white tiny",
    }
    codes = [notice.code for notice in found.notices]
    assert "tracked_changes" in codes
    assert "hidden_content" in codes


@pytest.mark.parametrize(("relief", "value"), [(0x0858, 1), (0x0854, 0x81)])
def test_white_words_in_relief_are_seen(relief: int, value: int) -> None:
    """Their edges are drawn in light and shade."""
    found = doc(Para(["Seen ", Run("embossed", number(0x6870, 0xFFFFFF) + number(relief, value))]))
    assert not found.notices


def test_symbols_line_breaks_and_bookmarks() -> None:
    sign = SPECIAL + struct.pack("<HHH", 0x6A09, 1, 0xF0FC)
    found = doc(
        Para(["Done ", Run("(", sign), " (plain)\x0bnew line\x1eword"]), fonts=["Times", "Wingdings"],
        bookmarks=[(0, "place"), (3, "_GoBack")],
    )  # fmt: skip
    [para] = of(found, Paragraph)
    assert para.text == "Done ✓ (plain)\nnew line\u2011word"
    assert para.anchor == "place"


def inline_picture(alt: str, art: bytes = blip(PNG)) -> bytes:
    told = alt.encode("utf-16-le") + b"\0\0"
    properties = office_art(0xF00B, struct.pack("<HI", 0x8381, len(told)) + told, 1, 3)
    shape = office_art(0xF004, office_art(0xF00A, struct.pack("<II", 1026, 0), 75, 2) + properties, 0, 0xF)
    content = shape + office_art(0xF007, bytes(36) + art, 6, 2)
    return struct.pack("<iHh60x", 68 + len(content), 68, 0x64) + content


def test_pictures_and_their_descriptions() -> None:
    found = doc(Para([Run("\x01", SPECIAL + number(0x6A03, 0)), " beside"]), data=inline_picture("A small square"))
    [figure] = of(found, Figure)
    assert figure.alt == "A small square"
    assert figure.embed == ("image", 0)
    [embed] = found.embedded
    assert (embed.media_type, embed.size) == ("image/png", len(PNG))


def metafile(kind: int, instance: int, data: bytes, *, packed: bool) -> bytes:
    """A picture record of a metafile ([MS-ODRAW] 2.2.24, 2.2.25, 2.2.31): its digests (two for an odd instance), then
    34 bytes about it."""
    stored = zlib.compress(data) if packed else data
    about = struct.pack("<I24xI2B", len(data), len(stored), 0 if packed else 0xFE, 0xFE)
    return office_art(kind, bytes(32 if instance & 1 else 16) + about + stored, instance)


def bitmap(bits: int) -> bytes:
    """A file of a bitmap."""
    out = io.BytesIO()
    if bits == 32:  # with masks behind its head, as programs write them
        pixels = struct.pack("<2I", 0x000000FF, 0x0000FF00)
        head = struct.pack("<I2i2H6I", 40, 2, 1, 1, 32, 3, len(pixels), 0, 0, 0, 0)
        masks = struct.pack("<3I", 0xFF0000, 0xFF00, 0xFF)
        return struct.pack("<2sIHHI", b"BM", 14 + 40 + 12 + len(pixels), 0, 0, 14 + 40 + 12) + head + masks + pixels
    Image.new("P" if bits == 8 else "RGB", (3, 2), 1).save(out, "BMP")
    return out.getvalue()


@pytest.mark.parametrize(
    ("art", "data", "media_type"),
    [
        (metafile(0xF01A, 0x3D4, b"EMF" * 400, packed=True), b"EMF" * 400, "image/x-emf"),
        (metafile(0xF01A, 0x3D5, b"EMF" * 400, packed=True), b"EMF" * 400, "image/x-emf"),
        (metafile(0xF01B, 0x216, b"WMF" * 400, packed=False), b"WMF" * 400, "image/x-wmf"),
        *(
            (office_art(0xF01F, bytes(17) + bitmap(bits)[14:], 0x7A8), bitmap(bits), "image/bmp")
            for bits in (8, 24, 32)
        ),
    ],
    ids=("emf", "emf-two-digests", "wmf-stored", "bmp-8", "bmp-24", "bmp-32"),
)  # fmt: skip
def test_metafiles_and_bitmaps_are_files_again(art: bytes, data: bytes, media_type: str) -> None:
    file = WordFile([Para([Run("\x01", SPECIAL + number(0x6A03, 0))])], data=inline_picture("", art)).build()
    source = Source.of_bytes(file, "a.doc")
    [embed] = DOC.parse(source, Limits()).embedded
    opened = DOC.open_embedded(source, embed.ref, Limits())
    assert (opened.media_type, opened.data) == (media_type, data)


def test_a_picture_beside_the_text() -> None:
    store = office_art(0xF001, office_art(0xF007, bytes(28) + struct.pack("<i4x", -1) + blip(PNG), 6, 2), 1, 0xF)
    group = office_art(0xF000, store, 0, 0xF)
    head = office_art(0xF00A, struct.pack("<II", 1027, 0), 75, 2)
    shape = office_art(0xF004, head + office_art(0xF00B, struct.pack("<HI", 0x4104, 1), 1, 3), 0, 0xF)
    drawing = office_art(0xF002, office_art(0xF003, shape, 0, 0xF), 0, 0xF)
    found = doc(Para([Run("\x08", SPECIAL), "Beside"]), drawings=group + b"\0" + drawing, anchors=[(0, 1027)])
    assert [figure.embed for figure in of(found, Figure)] == [("image", 0)]


def test_attached_objects_are_files() -> None:
    native = (
        b"\x02\0note.txt\0C:\\note.txt\0" + struct.pack("<HHI", 0, 3, 5) + b"temp\0" + struct.pack("<I", 5) + b"hello"
    )
    stored = {
        "ObjectPool/_77/\x01Ole10Native": struct.pack("<I", len(native)) + native,
        "ObjectPool/_78/Workbook": b"\x09\x08\x10\0cells",
    }

    def attached(place: int) -> list[Run | str]:
        looks = SPECIAL + number(0x080A, 1) + number(0x6A03, place)
        return [Run("\x13", SPECIAL), " EMBED Package ", Run("\x14", looks), Run("\x15", SPECIAL)]

    body = [Para(["See", *attached(77)]), Para(["and", *attached(78)])]
    file = WordFile(body=body, streams=stored).build()
    found = read(DOC, file, "a.doc")
    assert [(embed.name, embed.media_type) for embed in found.embedded] == [
        ("note.txt", "text/plain"), ("object.xls", "application/vnd.ms-excel"),
    ]  # fmt: skip
    source = Source.of_bytes(file, "a.doc")
    check_embedded(DOC, source, found)
    assert DOC.open_embedded(source, found.embedded[0].ref, Limits()).data == b"hello"
    with pytest.raises(NotFoundError, match="nothing"):
        DOC.open_embedded(source, "nothing", Limits())


def properties(**values: str) -> bytes:
    numbers = {"title": 2, "author": 4}
    entries = [(1, struct.pack("<Ihxx", 2, 1252))]
    for name, value in values.items():
        raw = value.encode("cp1252") + b"\0"
        entries.append((numbers[name], struct.pack("<II", 30, len(raw)) + raw + bytes(-len(raw) % 4)))
    at, places, body = 8 + 8 * len(entries), b"", b""
    for number_of, content in entries:
        places += struct.pack("<II", number_of, at + len(body))
        body += content
    return bytes(44) + struct.pack("<I", 48) + struct.pack("<II", at + len(body), len(entries)) + places + body


def test_what_the_file_says_of_itself() -> None:
    found = doc("Words", streams={"\x05SummaryInformation": properties(title="Der Plan", author="Ann Müller")})
    assert found.title == "Der Plan"
    assert found.metadata["author"] == "Ann Müller"


@pytest.mark.parametrize(("page", "codec"), [(1252, "cp1252"), (1200, "utf-16-le")])
def test_properties_of_the_users_own(page: int, codec: str) -> None:
    name, value = "Client\0".encode(codec), "Käkapo\0".encode(codec)
    length = len(name) // (2 if page == 1200 else 1)
    dictionary = struct.pack("<III", 1, 2, length) + name + bytes(-len(name) % 4)
    said = struct.pack("<II", 30, len(value)) + value
    first = 8 + 3 * 8
    places = struct.pack("<IIIIII", 0, first, 1, first + len(dictionary), 2, first + len(dictionary) + 8)
    section = struct.pack("<II", 0, 3) + places + dictionary + struct.pack("<IHxx", 2, page) + said
    whole = bytes(24) + struct.pack("<I16xI16xI", 2, 68, 76) + struct.pack("<II", 8, 0) + section
    found = doc("Words", streams={"\x05DocumentSummaryInformation": whole})
    assert found.metadata["custom.client"] == "Käkapo"
    kinds = {2: ("<h", -7), 4: ("<f", 0.5), 5: ("<d", 1234.25), 11: ("<hxx", -1), 20: ("<q", 10**17)}
    for kind, shown in {2: "-7", 4: "0.5", 5: "1234.25", 11: "true", 20: "100000000000000000"}.items():
        plain = whole[: -len(said)] + struct.pack("<I", kind) + struct.pack(*kinds[kind]).ljust(8, b"\0")
        told = doc("Words", streams={"\x05DocumentSummaryInformation": plain}).metadata
        assert told["custom.client"] == shown
    for at in range(60, len(whole), 7):
        assert doc("Words", streams={"\x05DocumentSummaryInformation": whole[:at] + b"\xff" * 4 + whole[at + 4 :]})


def test_a_quickly_saved_file_has_the_changes_of_its_pieces() -> None:
    [para] = of(doc("all bold", changes=[BOLD]), Paragraph)
    assert spans(para.text, para.spans) == [("bold", "all bold", "")]


@pytest.mark.parametrize("damaged", [(0, 10, 999, 30, 40), (0, 999, 20, 30, 40), (0, 10, 20, 5, 40)])
def test_a_damaged_bound_of_a_piece_costs_no_more_than_two_pieces(damaged: tuple[int, ...]) -> None:
    body = [Para(["0123456789" * 3 + "the end.."])]
    [para] = of(read(DOC, WordFile(body=body, bounds=damaged).build(), "a.doc"), Paragraph)
    assert len(para.text) >= 29
    assert para.text.endswith("the end..")


def test_what_cannot_be_read_says_why() -> None:
    with pytest.raises(EncryptedError, match="password"):
        doc("x", flags=0x0300)
    with pytest.raises(EncryptedError, match="password"):
        read(DOC, compound_file({"EncryptionInfo": b"x", "EncryptedPackage": b"y"}), "a.doc")
    with pytest.raises(EncryptedError, match="password"):
        word_95(OldPara([(b"x", b"")]), flags=0x0100)
    with pytest.raises(UnsupportedError, match=r"older than Word 2; save it as \.docx"):
        word_95(OldPara([(b"x", b"")]), version=0x64, magic=0xA5DC)
    for older in (b"\x9b\xa5\x21\0", b"\xfe\x37\0\x23", b"\x31\xbe\0\0"):
        with pytest.raises(UnsupportedError, match=r"older than Word 2"):
            read(DOC, older.ljust(600, b"\0"), "a.doc")
    with pytest.raises(DamagedError, match="without Word text"):
        read(DOC, compound_file({"Workbook": b"x"}), "a.doc")
    with pytest.raises(DamagedError, match="not a Word document"):
        read(DOC, b"hello", "a.doc")
    with pytest.raises(DamagedError, match="is empty"):
        read(DOC, b"", "a.doc")


def test_long_text_is_cut_and_said() -> None:
    file = WordFile(body=[Para(["word " * 100])] * 20).build()
    found = read(DOC, file, "a.doc", Limits(max_text_chars=1000))
    assert "truncated_at" in [notice.code for notice in found.notices]
    assert sum(len(para.text) for para in of(found, Paragraph)) <= 1000


RICH = WordFile(
    body=[
        Para(["Head"], 1), Para(["A ", Run("\x02", SPECIAL), Run("b", BOLD)]),
        *row("a", "b", shape=cells(0, 10, 20)), Para([Run("\x01", SPECIAL + number(0x6A03, 0))]),
    ],
    footnotes=[NoteOf(7, "note")], data=inline_picture("x"), headers=["h", "h", "f", "f", "", ""],
).build()  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(RICH) - 1), st.integers(0, 255)), min_size=1, max_size=20))
def test_damaged_files_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    data = bytearray(RICH)
    for at, value in changes:
        data[at] = value
    with contextlib.suppress(FormatError):
        DOC.parse(Source.of_bytes(bytes(data), "a.doc"), Limits(max_text_chars=100_000))


@given(st.integers(0, len(RICH)))
def test_cut_off_files_end_in_a_document_or_a_sentence(length: int) -> None:
    with contextlib.suppress(FormatError):
        DOC.parse(Source.of_bytes(RICH[:length], "a.doc"), Limits(max_text_chars=100_000))


def word_95(*body: OldPara, **more: object) -> ParsedDocument:
    return read(DOC, OldWordFile(body, **more).build(), "a.doc")  # pyright: ignore[reportArgumentType] - a test's words


def test_word_95_headings_looks_and_tracked_changes() -> None:
    found = word_95(
        OldPara([(b"The heading", b"")], style=1),
        OldPara([(b"Plain ", b""), (b"bold", bytes([85, 1])), (b" gone", bytes([65, 1])), (b" up", bytes([104, 1]))]),
        OldPara([(b"By its style", b"")], style=2, look=bytes([23, 255, 0, 1, 9, 9, 9, 5, 1])),
        styles=[("Normal", 0, b""), ("heading 1", 1, b""), ("Own", 0, bytes([24, 0]))],
    )
    assert [(head.level, head.text) for head in of(found, Heading)] == [(1, "The heading")]
    [first, second] = of(found, Paragraph)
    assert spans(first.text, first.spans) == [("bold", "bold", ""), ("del", " gone", ""), ("sup", " up", "")]
    assert second.text == "By its style"
    assert [notice.code for notice in found.notices] == ["tracked_changes"]


def test_word_95_tables() -> None:
    edges = struct.pack("<B4h", 3, 0, 100, 200, 300) + b"".join(struct.pack("<H8x", flag) for flag in (1, 2, 0))
    row_end = bytes([24, 1, 25, 1, 190]) + struct.pack("<H", len(edges) + 1) + edges
    cell = bytes([24, 1])
    [table] = of(word_95(
        OldPara([(b"Both", b"")], look=cell, mark=b"\x07"), OldPara([(b"", b"")], look=cell, mark=b"\x07"),
        OldPara([(b"c", b"")], look=cell, mark=b"\x07"), OldPara([(b"", b"")], look=row_end, mark=b"\x07"),
        OldPara([(b"After", b"")]),
    ), Table)  # fmt: skip
    assert table.rows == (("Both", "", "c"),)
    assert table.merges == (Merge(0, 0, 1, 2),)


def test_word_95_notes_headers_comments_and_text_boxes() -> None:
    found = word_95(
        OldPara([(b"Words", b""), (b"\x02", bytes([117, 1])), (b" said", b""), (b"\x05", bytes([117, 1]))]),
        notes=[OldNote(5, b"The note")], comments=[OldNote(11, b"A remark", "Ann")], header=b"On top\r",
        footer=b"Below\r", boxes=[b"In a box"],
    )  # fmt: skip
    assert {(note.kind, note.text, note.author) for note in of(found, Note)} == {
        ("footnote", "The note", ""), ("comment", "A remark", "Ann"), ("header", "On top", ""), ("footer", "Below", ""),
        ("textbox", "In a box", ""),
    }  # fmt: skip


def test_word_95_letters_are_those_of_font_and_language() -> None:
    words, cyrillic = "Příliš".encode("cp1250"), "Привет".encode("cp1251")
    body = OldPara([(words + b" ", b""), (cyrillic, bytes([93, 1, 0])), (b" (", bytes([74, 3, 2, 0, 0x61, 117, 1]))])
    fonts = [("Times", 0), ("Times CYR", 204), ("Symbol", 2)]
    for named_pages in (1, 2):  # a table of pages that names the first alone
        found = word_95(body, fonts=fonts, language=0x0405, named_pages=named_pages)
        assert [para.text for para in of(found, Paragraph)] == ["Příliš Привет α"]


def test_word_6_of_japan_has_two_bytes_a_character() -> None:
    said = b"".join(bytes(reversed(raw)) for raw in ("管".encode("cp932"), "理".encode("cp932"), b"\0A", b"\0 "))
    found = word_95(
        OldPara([(said, b"")], mark=b"\r\0"), flags=0x1000, version=0x65, magic=0xA697, char_bytes=2, named_pages=2
    )
    assert [para.text for para in of(found, Paragraph)] == ["管理A"]


def word_2(text: bytes, notes: bytes = b"", header: bytes = b"") -> bytes:
    """A file of Word 2: its places have lengths of two bytes, and it is not a compound file."""
    first = 0x200
    out = bytearray(first) + text + notes + header
    struct.pack_into("<HH2xH", out, 0, 0xA5DB, 0x2D, 0x0409)
    struct.pack_into("<II", out, 24, first, len(out))
    struct.pack_into("<3i", out, 0x34, len(text), len(notes), len(header))
    at = text.find(b"\x02")
    tables = {
        2: struct.pack("<IIH", at, len(text), 1) if notes else b"", 3: struct.pack("<III", 0, len(notes), len(notes)),
        11: struct.pack("<II", 0, len(header)),
    }  # fmt: skip
    for place, data in tables.items():
        struct.pack_into("<IH", out, 0x58 + 6 * place, len(out), len(data))
        out += data
    return bytes(out)


def test_word_2_text_tables_notes_and_headers() -> None:
    file = word_2(b"First \x13DATE\x14today\x15\x02 caf\xe9\rA\x07B\x07\x07Last\r", b"\x02The note\r", b"On top\r")
    assert DOC.score(Source.of_bytes(file, "a.doc")) == 90
    found = read(DOC, file, "a.doc")
    assert [para.text for para in of(found, Paragraph)] == ["First today[1] café", "Last"]
    assert [table.rows for table in of(found, Table)] == [(("A", "B"),)]
    assert [(note.kind, note.text) for note in of(found, Note)] == [("footnote", "The note"), ("header", "On top")]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 700), st.integers(0, 255)), min_size=1, max_size=8))
def test_damaged_files_of_word_2_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    data = bytearray(word_2(b"A\x07\x07Words\x02\r", b"\x02note\r", b"top\r"))
    for at, value in changes:
        data[at % len(data)] = value
    with contextlib.suppress(FormatError):
        read(DOC, bytes(data), "a.doc")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6000), st.integers(0, 255)), min_size=1, max_size=8))
def test_damaged_files_of_word_95_end_in_a_document_or_a_sentence(changes: list[tuple[int, int]]) -> None:
    body = [
        OldPara([(b"Words", bytes([85, 1])), (b"\x02", bytes([117, 1]))], look=bytes([24, 1]), mark=b"\x07"),
        OldPara([(b"", b"")], look=bytes([24, 1, 25, 1])),
    ]
    data = bytearray(OldWordFile(body, notes=[OldNote(5, b"note")], fonts=[("A", 204)], header=b"h\r").build())
    for at, value in changes:
        data[at % len(data)] = value
    with contextlib.suppress(FormatError):
        read(DOC, bytes(data), "a.doc")
