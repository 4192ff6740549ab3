"""Words drawn in Windows metafiles: read where the picture stands, in the order a looker-on reads them."""

from __future__ import annotations

import gzip
import io
import random
import re
import struct
import zipfile
from collections.abc import Iterable

import pytest
from sidecar_docx import DocxFormat
from sidecar_image import ImageFormat
from sidecar_pptx import PptxFormat
from sidecar_rtf import RtfFormat
from support.formats.plugin_reading import of, read
from support.office import docx_files as docx

from sidecar.api import Figure, Paragraph
from sidecar.toolkit.metafiles import metafile_lines

WHITE, BLACK = 0xFFFFFF, 0


def record(kind: int, *numbers: int, more: bytes = b"") -> bytes:
    """An EMF record of 32-bit numbers."""
    more += bytes(-len(more) % 4)
    return struct.pack(f"<II{len(numbers)}i", kind, 8 + 4 * len(numbers) + len(more), *numbers) + more


def font(number: int, height: int = -10, turn: int = 0, name: str = "Arial", charset: int = 0) -> bytes:
    """EMR_EXTCREATEFONTINDIRECTW and the choice of it."""
    looks = struct.pack("<5i8B", height, 0, turn, turn, 400, 0, 0, 0, charset, 0, 0, 0, 0)
    return record(82, number, more=looks + name.encode("utf-16-le").ljust(64, b"\0")) + record(37, number)


def said(text: str, x: int, y: int, options: int = 0, advance: int | None = 5) -> bytes:
    """EMR_EXTTEXTOUTW; each character goes on by `advance`, None for not said."""
    raw = text.encode("utf-16-le")
    begin = 76 + len(raw) + len(raw) % 4
    spaces = struct.pack(f"<{len(text)}i", *[advance] * len(text)) if advance is not None else b""
    numbers = (0, 0, 0, 0, 1, 0, 0, x, y, len(text), 76, options, 0, 0, 0, 0, begin if spaces else 0)
    return record(84, *numbers, more=raw + bytes(len(raw) % 4) + spaces)


def emf(*records: bytes) -> bytes:
    """An EMF of 100 by 100 millimetres."""
    body = b"".join(records) + record(14, 0, 0, 20)
    head = struct.pack("<II8i4sIIIHHIII4i", 1, 88, 0, 0, 399, 399, 0, 0, 10000, 10000, b" EMF", 0x10000, 88 + len(body),
                       len(records) + 2, 9, 0, 0, 0, 0, 400, 400, 100, 100)  # fmt: skip
    return head + body


def short(kind: int, more: bytes) -> bytes:
    """A WMF record."""
    more += bytes(len(more) % 2)
    return struct.pack("<IH", 3 + len(more) // 2, kind) + more


def wmf(*records: bytes, placeable: bool = True) -> bytes:
    body = b"".join(records) + short(0, b"")
    head = b"\xd7\xcd\xc6\x9a\0\0" + struct.pack("<hhhhHIH", 0, 0, 2880, 1440, 1440, 0, 0) if placeable else b""
    return head + struct.pack("<HHHIHIH", 1, 9, 0x300, 9 + len(body) // 2, 4, 60, 0) + body


def wmf_font(charset: int, name: bytes = b"Arial") -> bytes:
    looks = struct.pack("<5h8B", -10, 0, 0, 0, 400, 0, 0, 0, charset, 0, 0, 0, 0)
    return short(0x02FB, looks + name.ljust(32, b"\0"))


def wmf_text(raw: bytes, x: int, y: int) -> bytes:
    return short(0x0A32, struct.pack("<hhHH", y, x, len(raw), 0) + raw)


TABLE = (
    font(1), said("North", 10, 40), said("120", 80, 40), said("South", 10, 55), said("98", 80, 55),
    said("Turnover by region", 10, 10),
)  # fmt: skip


def test_words_stand_in_the_order_of_their_places() -> None:
    """The heading was drawn last; cells on one baseline are one line."""
    assert metafile_lines(emf(*TABLE)) == ["Turnover by region", "North 120", "South 98"]


def test_pieces_of_a_word_are_one_word() -> None:
    letters = [said(letter, 10 + 6 * at, 20) for at, letter in enumerate("Meter")]
    assert metafile_lines(emf(font(1), *letters, said("reading", 10 + 6 * 5 + 3, 20))) == ["Meter reading"]


def test_labels_of_boxes_side_by_side_stay_whole() -> None:
    """Each was drawn at one go: they are not read across."""
    left = said("Check the", 10, 20), said("order", 10, 32)
    right = said("Ship the", 200, 20), said("goods", 200, 32)
    assert metafile_lines(emf(font(1), *left, *right)) == ["Check the", "order", "Ship the", "goods"]


def test_turned_words_come_last() -> None:
    axis = font(2, turn=900), said("Degrees", 5, 200), font(1)
    assert metafile_lines(emf(*axis, said("Time", 50, 300))) == ["Time", "Degrees"]


def test_a_text_that_goes_on_where_the_last_ended() -> None:
    at = record(22, 1), record(27, 10, 20)
    assert metafile_lines(emf(font(1), *at, said("Grand ", 0, 0), said("total", 0, 0))) == ["Grand total"]


def test_a_world_and_a_window_that_move_what_is_drawn() -> None:
    moved = record(33), record(35, more=struct.pack("<6f", 1, 0, 0, 1, 0, 200)), said("below", 10, 10), record(34, -1)
    window = record(17, 8), record(9, 1000, 1000), record(11, 100, 100)
    assert metafile_lines(emf(font(1), *moved, said("above", 10, 50))) == ["above", "below"]
    assert metafile_lines(emf(font(1, -100), *window, said("one", 10, 900, 0, 50), said("two", 10, 100, 0, 50))) == [
        "two",
        "one",
    ]


def test_what_is_not_seen_is_left_out() -> None:
    """White words on the ground, numbers of glyphs, a shadow of the same words."""
    white = record(18, 1), record(24, WHITE)
    assert metafile_lines(emf(font(1), *white, said("unseen words", 10, 10))) == []
    dark = record(39, 2, 0, 0x800000, 0), record(37, 2), record(43, 0, 0, 100, 100)
    assert metafile_lines(emf(font(1), *dark, *white, said("white on blue", 10, 10))) == ["white on blue"]
    glyphs = said("\x24\x25", 10, 10, options=0x10)
    assert metafile_lines(emf(font(1), glyphs, said("Shadow", 10, 30), said("Shadow", 11, 31))) == ["Shadow"]


def test_other_records_of_text() -> None:
    small = record(108, 10, 20, 5, 0x300, 1, 0, 0, more=b"small")
    ansi = record(83, 0, 0, 0, 0, 1, 0, 0, 10, 40, 4, 76, 0, 0, 0, 0, 0, 0, more=b"\xcc\xe8\xf0!")
    one = (10, 60, 3, 120, 0, 0, 0, 0, 0, 0)
    other = (60, 60, 3, 126, 0, 0, 0, 0, 0, 0)
    several = record(97, 0, 0, 0, 0, 1, 0, 0, 2, *one, *other, more="onetwo".encode("utf-16-le"))
    drawn = emf(font(1, charset=204), small, ansi, several)
    assert metafile_lines(drawn) == ["small", "Мир!", "one two"]


def test_letters_of_a_symbol_font_are_signs() -> None:
    assert metafile_lines(emf(font(1, name="Symbol", charset=2), said("Dm", 10, 20))) == ["Δμ"]


def plus(kind: int, flags: int, data: bytes) -> bytes:
    data += bytes(-len(data) % 4)
    return struct.pack("<HHII", kind, flags, 12 + len(data), len(data)) + data


def plus_comment(*records: bytes) -> bytes:
    data = b"EMF+" + b"".join(records)
    return record(70, len(data), more=data)


def plus_text(text: str, x: float, y: float) -> bytes:
    """DrawString, in black."""
    head = struct.pack("<IIIffff", 0xFF000000, 0, len(text), x, y, 100, 20)
    return plus(0x401C, 0x8001, head + text.encode("utf-16-le"))


PLUS_FONT = plus(
    0x4008, 0x0601, struct.pack("<IfIIII", 0xDBC01002, 10, 2, 0, 0, 5) + "Arial".encode("utf-16-le")
)  # fmt: skip


def test_words_of_newer_records() -> None:
    """EMF+ alone; where both kinds draw the same, it is read once."""
    driver = struct.pack("<IIII", 0xFF000000, 1, 0, 4) + "axis".encode("utf-16-le")
    driver += struct.pack("<8f", 10, 90, 15, 90, 20, 90, 25, 90)
    unseen = plus(0x401C, 0x8001, struct.pack("<IIIffff", 0x00000000, 0, 4, 0, 0, 9, 9) + "gone".encode("utf-16-le"))
    body = PLUS_FONT, plus_text("lower", 10, 50), plus_text("upper", 10, 10), plus(0x4036, 0x8001, driver), unseen
    head = struct.pack("<IIII", 0xDBC01002, 0, 96, 96)
    only = emf(plus_comment(plus(0x4001, 0, head), *body))
    assert metafile_lines(only) == ["upper", "lower", "axis"]
    dual = emf(plus_comment(plus(0x4001, 1, head), *body), font(1), said("upper", 10, 10), said("lower", 10, 50))
    assert metafile_lines(dual) == ["upper", "lower"]


def plus_world(kind: int, *numbers: float, flags: int = 0) -> bytes:
    return plus(kind, flags, struct.pack(f"<{len(numbers)}f", *numbers))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([plus_world(0x402D, 0, 100)], []),  # translate
        ([plus_world(0x402E, 1, 20)], []),  # scale
        ([plus_world(0x402F, 90)], []),  # rotate: turned words come last
        ([plus_world(0x402C, 1, 0, 0, 1, 0, 100)], []),  # multiply
        ([plus_world(0x402A, 1, 0, 0, 1, 0, 100)], [plus(0x402B, 0, b"")]),  # set and reset
        ([plus_world(0x402E, 1, 10), plus_world(0x402D, 0, -5, flags=0x2000)], []),  # 10 * 10 - 5, after the scale
        ([plus(0x4025, 0, bytes(4)), plus_world(0x402D, 0, 100)], [plus(0x4026, 0, bytes(4))]),  # save and restore
    ],
)
def test_a_world_that_newer_records_move(before: list[bytes], after: list[bytes]) -> None:
    ends = [*after, plus_text("still", 10, 20)] if after else []
    drawn = [PLUS_FONT, plus_text("fixed", 10, 90), *before, plus_text("moved", 10, 10), *ends]
    assert metafile_lines(emf(plus_comment(*drawn))) == [*(["still"] if after else []), "fixed", "moved"]


def test_a_world_that_is_multiplied() -> None:
    """EMR_MODIFYWORLDTRANSFORM: before what is there, after it, in its place, and none."""
    below = struct.pack("<6f", 1, 0, 0, 1, 0, 100)
    drawn = [font(1), said("fixed", 10, 90)]
    for mode in (2, 3, 4):
        assert metafile_lines(emf(*drawn, record(36, more=below + struct.pack("<I", mode)), said("moved", 10, 10))) == [
            "fixed", "moved"
        ]  # fmt: skip
    back = record(36, more=below + struct.pack("<I", 2)), record(36, more=below + struct.pack("<I", 1))
    assert metafile_lines(emf(*drawn, *back, said("back", 10, 10))) == ["back", "fixed"]


@pytest.mark.parametrize("ground", [plus(0x400A, 0x8000, struct.pack("<I", 0xFF000080)), plus(0x401A, 0, bytes(24))])
def test_white_words_on_what_newer_records_fill(ground: bytes) -> None:
    white = plus(0x401C, 0x8001, struct.pack("<IIIffff", 0xFFFFFFFF, 0, 5, 10, 10, 9, 9) + "white".encode("utf-16-le"))
    assert metafile_lines(emf(plus_comment(PLUS_FONT, white))) == []
    assert metafile_lines(emf(plus_comment(PLUS_FONT, ground, white))) == ["white"]


@pytest.mark.parametrize("placeable", [True, False])
def test_words_of_an_older_metafile(placeable: bool) -> None:
    pen = short(0x02FA, bytes(10))
    drawn = wmf(
        pen, wmf_font(204), short(0x012D, struct.pack("<H", 1)), wmf_text("второй".encode("cp1251"), 10, 60),
        short(0x0521, struct.pack("<H", 6) + "первый".encode("cp1251") + struct.pack("<hh", 20, 10)),
        short(0x01F0, struct.pack("<H", 1)), wmf_font(0), short(0x012D, struct.pack("<H", 1)),
        wmf_text(b"third \xfc", 10, 90), placeable=placeable,
    )  # fmt: skip
    assert metafile_lines(drawn) == ["первый", "второй", "third ü"]


def test_packed_ones_and_other_bytes() -> None:
    assert metafile_lines(gzip.compress(emf(*TABLE)))[0] == "Turnover by region"
    for data in (b"", b"\x1f\x8b", b"\x89PNG\r\n\x1a\n" + bytes(40), gzip.compress(b"words")):
        assert metafile_lines(data) == []


def test_damaged_ones_say_what_can_be_read() -> None:
    whole = emf(*TABLE)
    assert metafile_lines(whole[:-90]) == ["North 120", "South 98"]
    noise = random.Random(7)
    for sound in (
        whole,
        wmf(wmf_font(0), wmf_text(b"words", 1, 1)),
        emf(plus_comment(PLUS_FONT, plus_text("a", 1, 1))),
    ):
        for _ in range(300):
            broken = bytearray(sound)
            for _ in range(noise.randrange(1, 12)):
                broken[noise.randrange(len(broken))] = noise.randrange(256)
            assert all("\0" not in line for line in metafile_lines(bytes(broken)))


def texts(figures: Iterable[Figure]) -> list[str]:
    return [figure.text for figure in figures]


def test_a_picture_in_a_word_document_says_them() -> None:
    data = docx.package(
        docx.para(docx.run("Before")) + docx.para(docx.picture("r1")) + docx.para(docx.picture("r2")),
        {"word/media/image1.emf": emf(*TABLE), "word/media/image2.emf": emf(font(1), said("x", 1, 1), said("2", 9, 1))},
        {"r1": ("image", "media/image1.emf"), "r2": ("image", "media/image2.emf")},
    )
    document = read(DocxFormat(), data, "a.docx")
    assert texts(of(document, Figure)) == ["Turnover by region\nNorth 120\nSouth 98", ""]


def test_a_picture_in_rich_text_says_them() -> None:
    metafile = wmf(wmf_font(0), short(0x012D, bytes(2)), wmf_text(b"Quarterly plan", 1, 1), placeable=False)
    data = rb"{\rtf1\ansi Before\par{\pict\wmetafile8 " + metafile.hex().encode() + rb"}\par}"
    document = read(RtfFormat(), data, "a.rtf")
    assert texts(of(document, Figure)) == ["Quarterly plan"]


VML = (
    b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shape id="s7"/>'
    b'<v:shape id="_x0000_s1026"><v:imagedata o:relid="rId1"/></v:shape></xml>'
)


@pytest.mark.parametrize("beside", [False, True])
def test_the_picture_of_an_attached_object_says_them(beside: bool) -> None:
    """On a slide the object is the figure, and the picture of it stands within, or in a VML drawing beside the slide as
    PowerPoint 2007 writes it."""
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_ole_object(io.BytesIO(b"PK"), "Drawing.1", Inches(1), Inches(1))
    made = io.BytesIO()
    deck.save(made)
    with zipfile.ZipFile(made) as package:
        files = {name: package.read(name) for name in package.namelist()}
    picture = next(name for name in files if name.startswith("ppt/media"))
    files[picture] = emf(*TABLE)
    if beside:
        page, listed = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
        files[page] = re.sub(rb"<p:pic>.*?</p:pic>", b"", files[page], flags=re.DOTALL)
        files[page] = files[page].replace(b"<p:oleObj ", b'<p:oleObj spid="_x0000_s1026" ')
        files["ppt/drawings/vmlDrawing1.vml"] = VML
        at = f"../media/{picture.rpartition('/')[2]}".encode()
        files["ppt/drawings/_rels/vmlDrawing1.vml.rels"] = (
            b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            b'<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" '
            b'Target="' + at + b'"/></Relationships>'
        )  # fmt: skip
        files[listed] = (
            files[listed]
            .replace(at, b"../drawings/vmlDrawing1.vml")
            .replace(b"relationships/image", b"relationships/vmlDrawing")
        )
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as copy:
        for name, content in files.items():
            copy.writestr(name, content)
    document = read(PptxFormat(), changed.getvalue(), "a.pptx")
    assert texts(of(document, Figure)) == ["Turnover by region\nNorth 120\nSouth 98"]


def test_a_metafile_by_itself_is_a_page_of_its_words() -> None:
    document = read(ImageFormat(), emf(*TABLE), "plan.emf")
    assert [block.text for block in of(document, Paragraph)] == ["Turnover by region", "North 120", "South 98"]
    assert document.elements[0].text.startswith("Turnover")


@pytest.mark.parametrize(
    ("records", "lines"),
    [
        ([wmf_text(b"below", 10, 50), wmf_text(b"above", 10, 20)], ["above", "below"]),
        # SetWindowExt with a height below 0: y grows upwards.
        ([short(0x020C, struct.pack("<hh", -100, 100)), wmf_text(b"below", 10, 20), wmf_text(b"above", 10, 50)],
         ["above", "below"]),
        # SaveDC, white, RestoreDC(-1).
        ([short(0x001E, b""), short(0x0209, struct.pack("<I", WHITE)), wmf_text(b"unseen", 10, 20),
          short(0x0127, struct.pack("<h", -1)), wmf_text(b"seen", 10, 50)], ["seen"]),
        # SetTextAlign(TA_UPDATECP) and MoveTo: each text goes on where the last one ended.
        ([short(0x012E, struct.pack("<H", 1)), short(0x0214, struct.pack("<hh", 20, 10)), wmf_text(b"first ", 0, 0),
          wmf_text(b"second", 0, 0)], ["first second"]),
        # A black brush, made and chosen, fills a rectangle below white words without a ground of their own (SetBkMode).
        ([short(0x0102, struct.pack("<H", 1)), short(0x02FC, struct.pack("<HIH", 0, BLACK, 0)),
          short(0x012D, struct.pack("<H", 1)), short(0x041B, struct.pack("<4h", 100, 100, 0, 0)),
          short(0x0209, struct.pack("<I", WHITE)), wmf_text(b"white on black", 10, 20)], ["white on black"]),
    ],
)  # fmt: skip
def test_records_of_a_wmf_change_where_and_how_words_are_drawn(records: list[bytes], lines: list[str]) -> None:
    assert metafile_lines(wmf(wmf_font(0), short(0x012D, struct.pack("<H", 0)), *records)) == lines
