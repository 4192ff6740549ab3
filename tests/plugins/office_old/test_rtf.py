"""Rich Text Format: headings, lists, tables, notes, fields, changes, pictures, code pages; damaged files."""

from __future__ import annotations

import contextlib
import io
import os
import struct
from pathlib import Path

import pytest
from contract.conformance import check_embedded
from contract.pictures import PNG
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from sidecar_rtf import RtfFormat
from support.formats.plugin_reading import blocks, of, read, spans

from sidecar.api import (
    DamagedError,
    Equation,
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
)

RTF = RtfFormat()
CORPUS = Path(os.environ.get("DOCSIDECAR_CORPUS", "../shared/corpus"))
HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times New Roman;}{\f1\fnil\fcharset2 Symbol;}"
    rb"{\f2\fnil\fcharset204 Times New Roman Cyr;}{\f3\fnil\fcharset128 MS Mincho;}{\f4\fnil\fcharset238 Arial CE;}}"
    rb"{\colortbl;\red0\green0\blue0;\red255\green255\blue255;}"
    rb"{\stylesheet{\ql Normal;}{\s1\outlinelevel0\b\fs32 heading 1;}{\s2\sbasedon0 heading 2;}{\s3\sbasedon1 Mine;}"
    rb"{\s4 Title;}{\s5 Quote;}{\*\cs10\additive Default Paragraph Font;}}"
    rb"{\*\revtbl{Unknown;}{Ann Author;}}"
)


def rtf(body: bytes) -> ParsedDocument:
    return read(RTF, HEAD + body + b"}", "a.rtf")


def test_scores() -> None:
    assert RTF.score(Source.of_bytes(rb"{\rtf1 x}", "a.doc")) == 90
    assert RTF.score(Source.of_bytes(b"\r\n" + rb"{\rtf1 x}", "a.txt")) == 90
    assert RTF.score(Source.of_bytes(b"words", "a.rtf")) == 5
    assert RTF.score(Source.of_bytes(b"words", "a.doc")) == 0


def test_a_document_without_headings_has_those_it_shows_by_their_looks() -> None:
    """Short bold lines and numbered ones, but no lines of a table of contents; where there are headings, only these."""
    lines = (
        rb"\pard\b Summary\tab 2\par Results\tab 14\par\b0 The front.\par \b Summary\b0\par What was seen.\par "
        rb"And more.\par "
        rb"\b 2.1 Results\b0\par What {\b came} out of it.\par It ended well.\par "
    )
    found = rtf(lines)
    assert [(one.level, one.number, one.text) for one in of(found, Heading)] == [
        (1, "", "Summary"),
        (2, "2.1", "Results"),
    ]
    assert [spans(one.text, one.spans) for one in of(found, Heading)] == [
        [("bold", one, "")] for one in ("Summary", "Results")
    ]
    assert [one.text for one in of(rtf(rb"\pard\s1 One\par" + lines), Heading)] == ["One"]


def test_old_words() -> None:
    found = RTF.parse(Source.of_bytes(rb"{\rtf1\ansi Old words.\par}", "old.doc"), Limits())
    assert [getattr(b, "text", "") for b in found.parts[0].blocks] == ["Old words."]


def test_headings_and_paragraph_styles() -> None:
    document = rtf(
        rb"\pard\s4 The Title\par\pard\s1 One\par\pard plain\par\pard\s2 Two\par\pard\outlinelevel2 Three\par"
        rb"\pard\s3 Inherits\par\pard\s5 said\par"
    )
    assert [(one.text, one.level) for one in of(document, Heading)] == [
        ("One", 1), ("Two", 2), ("Three", 3), ("Inherits", 1),
    ]  # fmt: skip
    assert [(one.text, one.style) for one in of(document, Paragraph)] == [
        ("The Title", "title"), ("plain", ""), ("said", "quote"),
    ]  # fmt: skip


def test_a_drop_cap_is_the_first_letter_of_the_paragraph_after_it() -> None:
    document = rtf(
        rb"{\pard\dropcapli3\dropcapt1 O\par}\pard nce {\b more}\par then\par\pard\dropcapt2 L\par ast\par Not\par"
    )
    assert [one.text for one in of(document, Paragraph)] == ["Once more", "then", "Last", "Not"]


def test_spans() -> None:
    paragraph = of(rtf(
        rb"a {\b bold {\i both}} \ul under\ulnone  {\strike gone} H{\sub 2}O x{\super 2} \b0\v secret\v0  end\par"
    ), Paragraph)[0]  # fmt: skip
    assert paragraph.text == "a bold both under gone H2O x2 secret end"
    assert set(spans(paragraph.text, paragraph.spans)) == {
        ("bold", "bold both", ""), ("italic", "both", ""), ("underline", "under", ""), ("strike", "gone", ""),
        ("sub", "2", ""), ("sup", "2", ""), ("hidden", "secret", ""),
    }  # fmt: skip


@pytest.mark.parametrize("run", [rb"{\v secret}", rb"{\fs2 secret}", rb"{\cf2 secret}"])
def test_hidden_text_is_flagged_and_counted(run: bytes) -> None:
    document = rtf(b"seen " + run + rb"\par")
    paragraph = of(document, Paragraph)[0]
    assert ("hidden", "secret", "") in spans(paragraph.text, paragraph.spans)
    assert "hidden_content" in [notice.code for notice in document.notices]
    assert not rtf(rb"{\cb1\cf2 white on black}{\cf2\embo white in relief}\par").notices


@pytest.mark.parametrize(("colour", "seen"), [(b"9851952", True), (b"16777215", False)])
def test_words_in_a_shape_stand_on_its_colour(colour: bytes, seen: bool) -> None:
    shape = rb"{\shp{\*\shpinst{\sp{\sn fillColor}{\sv " + colour + rb"}}{\shptxt \cf2 Boxed words\par}}}x\par"
    assert ("hidden_content" in [notice.code for notice in rtf(shape).notices]) is not seen


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"Gr\'fc\'dfe", "Grüße"),
        (rb"{\f2 \'cf\'f0\'e8\'e2\'e5\'f2}", "Привет"),
        (rb"{\f3 \'93\'fa\'96\'7b}", "日本"),
        (rb"{\f3 \'83\\\'83`}", "ソチ"),  # the second byte of a character may be a backslash or a letter
        (rb"{\f4 P\'f8\'edli\'9a}", "Příliš"),
        (rb"\u8364?\uc2\u8364\'80\'80{\uc0\u8364}x", "€€€x"),
        (rb"\u-10179?\u-8704?", "😀"),
        (rb"\u55357?\u56832?!", "😀!"),
        (rb"a\~b\_c\-d\emdash e\ldblquote f\rdblquote\{\}\\", "a\u00a0b-cd—e“f”{}\\"),
        (rb"one\line two\tab three", "one\ntwo\tthree"),
        (b"bro\r\nken", "broken"),
        (rb"{\upr{ascii}{\*\ud{\u31532?\u19968?}}}", "第一"),
        (rb"{\*\unknown skipped {deep}}kept", "kept"),
        (rb"{\pict\pngblip 00}{\nonshppict{\pict 00}}x", "x"),
    ],
)
def test_characters(body: bytes, text: str) -> None:
    assert of(rtf(rb"\pard " + body + rb"\par"), Paragraph)[0].text == text


def test_a_line_end_behind_a_backslash_ends_the_paragraph() -> None:
    document = rtf(b"\\pard One\\\nTwo\\\r\nThree\\par")
    assert [one.text for one in of(document, Paragraph)] == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("page", "raw", "text"),
    [(10000, "8e", "é"), (10007, "df", "я"), (1251, "ff", "я"), (65001, "c3\\'a9", "é"), (7, "e9", "é")],
)
def test_code_pages(page: int, raw: str, text: str) -> None:
    """Those of the Macintosh too, and one that nobody knows."""
    data = rf"{{\rtf1\ansi\ansicpg{page} a \'{raw}}}".encode()
    assert [para.text for para in of(read(RTF, data, "a.rtf"), Paragraph)] == [f"a {text}"]


def test_names_of_fonts_say_what_no_character_set_does() -> None:
    fonts = rb"{\fonttbl{\f1 Arial CE;}{\f2 Arial Cyr;}{\f3\fcharset161 Arial CE;}{\f4 Cyr;}}"
    body = b"".join(rb"{\f%d \'c0\'e1}\par " % font for font in (1, 2, 3, 4))
    found = read(RTF, rb"{\rtf1\ansi" + fonts + body + b"}", "a.rtf")
    assert [one.text for one in of(found, Paragraph)] == ["Ŕá", "Аб", "ΐα", "Àá"]


def test_lists() -> None:
    document = rtf(
        rb"{\listtext\pard\plain\f1 \'b7\tab}\pard\ls1\ilvl0 first\par"
        rb"{\listtext\pard\plain\f1 \u-3913?\tab}\pard\ls1\ilvl1 inner\par"
        rb"{\pntext\pard 1.\tab}\pard{\*\pn\pnlvlbody{\pntxta .}}one\par{\listtext a)\tab}two\par"
    )
    assert [(one.text, one.level, one.marker, one.ordered) for one in of(document, ListItem)] == [
        ("first", 0, "•", False), ("inner", 1, "•", False), ("one", 0, "1.", True), ("two", 0, "a)", True),
    ]  # fmt: skip


def test_lists_that_go_on_and_lists_drawn_by_hand() -> None:
    document = rtf(
        rb"{\listtext\tab \u8226?\tab}\pard\ls1\ilvl0 one\par\pard\ls1\ilvl0 still one\par\pard plain\par"
        rb"\pard\li360\fi-360 \bullet\tx360\tab by {\b hand}\par\pard 12)\tab numbered\par\pard 12) plain\par"
    )
    items = of(document, ListItem)
    assert [(one.text, one.marker, one.ordered) for one in items] == [
        ("one", "•", False), ("still one", "", False), ("by hand", "•", False), ("numbered", "12)", True),
    ]  # fmt: skip
    assert spans(items[2].text, items[2].spans) == [("bold", "hand", "")]
    assert [one.text for one in of(document, Paragraph)] == ["plain", "12) plain"]


def test_lists_stand_below_items_of_others_that_they_are_indented_under() -> None:
    def item(number: int, indent: int, text: bytes) -> bytes:
        return rb"{\listtext \u8226?\tab}\pard\ls%d\ilvl0\li%d\fi-360 " % (number, indent) + text + rb"\par"

    drawn = rb"\pard\li360\fi-360 \bullet\tab outer\par\pard\li720\fi-360 \bullet\tab inner\par"
    document = rtf(
        item(1, 360, b"one") + item(2, 720, b"below") + item(1, 360, b"two") + rb"\pard words\par"
        + item(2, 720, b"alone") + rb"\pard words\par" + drawn
    )  # fmt: skip
    assert [(one.text, one.level) for one in of(document, ListItem)] == [
        ("one", 0), ("below", 1), ("two", 0), ("alone", 0), ("outer", 0), ("inner", 1),
    ]  # fmt: skip


def test_raised_text_and_lost_backslashes() -> None:
    document = rtf(rb"{*\generator Some program;}x{\up6 2} y{\dn6 3}\par")
    paragraph = of(document, Paragraph)[0]
    assert spans(paragraph.text, paragraph.spans) == [("sup", "2", ""), ("sub", "3", "")]
    assert paragraph.text == "x2 y3"


def test_tables() -> None:
    row = rb"\trowd\cellx1000\cellx2000\cellx3000"
    document = rtf(
        row.replace(rb"\trowd", rb"\trowd\trhdr") + rb"\pard\intbl A\cell {\b B}\cell C\cell\row"
        rb"\trowd\cellx1000\cellx3000\pard\intbl 1\cell wide\cell\row"
        rb"\trowd\clvmgf\cellx1000\clmgf\cellx2000\clmrg\cellx3000\pard\intbl tall\cell flat\cell\cell\row"
        rb"\trowd\clvmrg\cellx1000\cellx2000\cellx3000\pard\intbl\cell two\par lines\cell x\cell\row"
        rb"\pard after\par" + row + rb"\pard\intbl other\cell\cell\cell\row\pard"
    )
    first, second = of(document, Table)
    assert first.rows == (("A", "B", "C"), ("1", "wide", ""), ("tall", "flat", ""), ("", "two\nlines", "x"))
    assert first.header_rows == 1
    assert set(first.merges) == {Merge(1, 1, 1, 2), Merge(2, 1, 1, 2), Merge(2, 0, 2, 1)}
    assert [(cell.row, cell.col, cell.spans[0].kind) for cell in first.cells] == [(0, 1, "bold")]
    assert second.rows == (("other", "", ""),)
    assert [type(block).__name__ for block in blocks(document)] == ["Table", "Paragraph", "Table"]


def test_nested_tables() -> None:
    document = rtf(
        rb"\trowd\cellx2000\cellx4000\pard\intbl outer\par"
        rb"\pard\intbl\itap2 in 1\nestcell in 2\nestcell{\*\nesttableprops\trowd\cellx500\cellx1000\nestrow}"
        rb"{\nonesttables\par}\pard\intbl behind\cell last\cell\trowd\cellx2000\cellx4000\row\pard end\par"
    )
    table = of(document, Table)[0]
    assert table.rows == (("outer\nbehind", "last"),)
    assert table.cells[0].table is not None
    assert table.cells[0].table.rows == (("in 1", "in 2"),)
    assert of(document, Paragraph)[-1].text == "end"


def test_a_table_that_holds_nothing_but_another_gives_that_one() -> None:
    document = rtf(
        rb"\trowd\cellx4000\pard\intbl\itap2 inner\nestcell{\*\nesttableprops\trowd\cellx900\nestrow}"
        rb"\pard\intbl\cell\row\pard\par"
    )
    assert [table.rows for table in of(document, Table)] == [(("inner",),)]


def test_a_head_of_pages_says_its_tables_in_their_places_and_what_is_in_them() -> None:
    inner = rb"\pard\intbl\itap2 inner\nestcell{\*\nesttableprops\trowd\cellx900\nestrow}"
    table = rb"\trowd\cellx1000\cellx2000\pard\intbl left\par " + inner + rb"\pard\intbl\itap1\cell right\cell\row"
    found = rtf(rb"{\header\pard before\par" + table + rb"\pard between\par" + table + rb"\pard after\par}Body\par")
    [head] = of(found, Note)
    assert head.text == "before\nleft inner\tright\nbetween\nleft inner\tright\nafter"


def test_notes_headers_and_comments() -> None:
    document = rtf(
        rb"{\header Head of page\par}{\footerf \chpgn\par}{\footer Foot\par}"
        rb"Text{\super\chftn}{\footnote{\super\chftn} The {\i note}.\par}"
        rb" and{\super\chftn}{\footnote\ftnalt end one\par}"
        rb" with {\*\atrfstart 7}a remark{\*\atrfend 7}{\*\atnid AA}{\*\atnauthor Ann}\chatn"
        rb"{\*\annotation{\*\atndate 1719171612}{\*\atnref 7}\chatn Why?\par} here.\par"
    )
    found = {note.kind: note for note in of(document, Note)}
    assert found["header"].text == "Head of page"
    assert found["footer"].text == "Foot"
    assert found["footnote"].text == "The note."
    assert spans(found["footnote"].text, found["footnote"].spans) == [("italic", "note", "")]
    assert found["endnote"].text == "end one"
    comment = found["comment"]
    assert (comment.text, comment.author, comment.date[:4]) == ("Why?", "Ann", "2003")
    paragraph = of(document, Paragraph)[0]
    assert paragraph.text == "Text[1] and[1] with a remark here."
    shown = spans(paragraph.text, paragraph.spans)
    assert ("note", "[1]", found["footnote"].id) in shown
    assert ("note", "[1]", found["endnote"].id) in shown
    assert ("comment", "a remark", comment.id) in shown


def test_fields_and_bookmarks() -> None:
    paragraphs = of(rtf(
        rb'{\field{\*\fldinst{HYPERLINK "http://example.org/a?b=1" }}{\fldrslt{\ul a link}}} and '
        rb'{\field{\*\fldinst HYPERLINK \\l "place"}{\fldrslt inner}} on page {\field{\*\fldinst PAGE}{\fldrslt 3}}\par'
        rb"{\*\bkmkstart place}{\*\bkmkend place}The place\par"
    ), Paragraph)  # fmt: skip
    assert paragraphs[0].text == "a link and inner on page 3"
    shown = spans(paragraphs[0].text, paragraphs[0].spans)
    assert ("link", "a link", "http://example.org/a?b=1") in shown
    assert ("link", "inner", "#place") in shown
    assert paragraphs[1].anchor == "place"


def test_the_result_of_a_field_is_shown_though_it_stands_behind_a_star_as_abiword_writes_it() -> None:
    (paragraph,) = of(
        rtf(rb'{\field{\*\fldinst {HYPERLINK "http://example.org/"}}{\*\fldrslt{a link}}}\par'), Paragraph
    )
    assert spans(paragraph.text, paragraph.spans) == [("link", "a link", "http://example.org/")]


def test_fields_without_a_result_show_what_their_instruction_says() -> None:
    ruby = rb'{\field{\*\fldinst EQ \\* jc2 \\* "Font:Mincho" \\* hps10 \\o\\ad(\\s\\up 9(kana),word)}{\fldrslt }}'
    [paragraph] = of(rtf(
        rb"{\field{\*\fldinst MACROBUTTON Name click here}{\fldrslt }} " + ruby + rb" {\field{\*\fldinst EQ \\f(1,2)}} "
        rb"{\field{\*\fldinst MACROBUTTON Name hidden}{\fldrslt shown}}{\field{\*\fldinst PAGE}}\par"
    ), Paragraph)  # fmt: skip
    assert paragraph.text == "click here word(kana) \\f(1,2) shown"
    [lowered] = of(rtf(rb"H{\field{\*\fldinst EQ \\s\\do5(2)}{\fldrslt }}O\par"), Paragraph)
    assert lowered.text == "H2O"
    [chosen] = of(rtf(
        rb'{\field{\*\fldinst IF 1 = 1 "yes" "no"}{\fldrslt }} {\field{\*\fldinst IF a > "b c" "yes" "no"}{\fldrslt }} '
        rb'{\field{\*\fldinst QUOTE "quoted words"}{\fldrslt }}{\field{\*\fldinst IF broken}{\fldrslt }}\par'
    ), Paragraph)  # fmt: skip
    assert chosen.text == "yes no quoted words"


def test_raw_characters_of_two_bytes_whose_second_is_a_sign_of_the_syntax() -> None:
    japanese, chinese = "表ソ|к｛予".encode("cp932"), "功蓋".encode("cp950")
    assert b"\\" in japanese
    assert b"{" in japanese
    assert b"\\" in chinese
    head = rb"{\rtf1\ansi{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}{\f2\fcharset136 C;}}"
    raw = head + rb"\pard\f1 " + japanese + rb"\f2 " + chinese + b"\\'a5\\'5c}"
    [paragraph] = of(read(RTF, raw, "a.rtf"), Paragraph)
    assert paragraph.text == "表ソ|к｛予功蓋功"
    [cut] = of(read(RTF, head + rb"\f1 " + "表".encode("cp932")[:1] + rb"\par}", "a.rtf"), Paragraph)
    assert "par" in cut.text  # the half of a character takes what follows


def test_signs_of_symbol_fonts_and_of_symbol_fields() -> None:
    head = rb"{\rtf1\ansi{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}{\f3 Arial;}}"
    fields = (
        rb'{\field{\*\fldinst SYMBOL 119 \\f "Symbol" \\s 12}{\fldrslt\f1}}{\field{\*\fldinst SYMBOL 0x41}{\fldrslt }}'
    )
    body = rb"\f1 ab \u-3999?\f2\'fc\f3 ab\par " + fields + rb"\par}"
    first, second = of(read(RTF, head + body, "a.rtf"), Paragraph)
    assert (first.text, second.text) == ("αβ α✓ab", "ωA")


def test_a_star_that_begins_no_group_hides_nothing() -> None:
    [paragraph] = of(
        rtf(rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt \*\cs12 {shown}}}{\*\unknown hidden}\par"), Paragraph
    )
    assert paragraph.text == "shown"


def test_tracked_changes() -> None:
    document = rtf(
        rb"Kept {\revised\revauth1\revdttm1719171612 new}{\deleted\revauthdel1\revdttmdel1719171612 old} text\par"
    )
    paragraph = of(document, Paragraph)[0]
    assert paragraph.text == "Kept newold text"
    assert set(spans(paragraph.text, paragraph.spans)) == {("ins", "new", "Ann Author"), ("del", "old", "Ann Author")}
    assert paragraph.spans[0].date.startswith("2003-")
    assert "tracked_changes" in [notice.code for notice in document.notices]


def test_text_boxes() -> None:
    document = rtf(
        rb"{\shp{\*\shpinst\shpleft1{\sp{\sn shapeType}{\sv 202}}{\shptxt Boxed words\par}}{\shprslt{\*\do old}}}"
        rb"Text\par"
    )
    assert [note.text for note in of(document, Note)] == ["Boxed words"]
    assert of(document, Paragraph)[0].text == "Text"


def test_the_words_of_wordart_are_shown() -> None:
    document = rtf(rb"{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv Summer sale}}{\sp{\sn gtextSize}{\sv 9}}}}Text\par")
    assert [figure.alt for figure in of(document, Figure)] == ["Summer sale"]


def packaged(name: bytes, data: bytes) -> bytes:
    path = b"C:\\" + name + b"\0"
    native = b"\2\0" + name + b"\0" + path + b"\0\0\3\0" + struct.pack("<I", len(path)) + path
    native += struct.pack("<I", len(data)) + data
    kind = b"Package\0"
    return struct.pack("<III", 0x501, 2, len(kind)) + kind + bytes(8) + struct.pack("<I", len(native)) + native


def test_pictures_and_attached_files() -> None:
    binary = b"{\\pict\\pngblip\\bin%d " % len(PNG) + PNG + b"}"
    body = (
        rb"{\*\shppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv A chart}}}\pngblip\picw40 " + PNG.hex().encode() +
        rb"}}{\nonshppict{\pict\wmetafile8 0102}}\par " + binary + rb"\par{\object\objemb{\*\objclass Package}" +
        rb"{\*\objdata " + packaged(b"notes.txt", b"attached words").hex().encode() + rb"}{\result icon}}\par"
    )  # fmt: skip
    source = Source.of_bytes(HEAD + body + b"}", "a.rtf")
    document = RTF.parse(source, Limits())
    assert [(embed.kind, embed.media_type) for embed in document.embedded][:1] == [("image", "image/png")]
    assert [embed.name for embed in document.embedded if embed.kind == "attachment"] == ["notes.txt"]
    assert of(document, Figure)[0].alt == "A chart"
    assert check_embedded(RTF, source, document) == len(document.embedded)
    attached = next(embed for embed in document.embedded if embed.kind == "attachment")
    assert RTF.open_embedded(source, attached.ref, Limits()).data == b"attached words"
    with pytest.raises(NotFoundError):
        RTF.open_embedded(source, "none", Limits())


def test_a_bitmap_is_a_file_again() -> None:
    out = io.BytesIO()
    Image.new("RGB", (3, 2), "red").save(out, "BMP")
    bitmap = out.getvalue()
    source = Source.of_bytes(HEAD + rb"{\pict\dibitmap0 " + bitmap[14:].hex().encode() + rb"}\par}", "a.rtf")
    [embed] = RTF.parse(source, Limits()).embedded
    assert (embed.media_type, embed.width, embed.height) == ("image/bmp", 3, 2)
    assert RTF.open_embedded(source, embed.ref, Limits()).data == bitmap


def test_what_the_file_says_of_itself() -> None:
    document = read(RTF, (
        rb"{\rtf1\ansi{\info{\title The \'d6 title}{\author Ann}{\keywords a, b}{\doccomm About it}"
        rb"{\operator Bea}{\creatim\yr2024\mo2\dy29\hr8\min5}{\revtim\yr0\mo0\dy0}{\printim\yr2024\mo13\dy1}}x\par}"
    ), "a.rtf")  # fmt: skip
    assert (document.title, document.description) == ("The Ö title", "About it")
    assert document.metadata == {
        "author": "Ann", "modified_by": "Bea", "keywords": "a, b", "created": "2024-02-29T08:05:00",
    }  # fmt: skip


def test_a_file_cut_short_gives_what_it_has() -> None:
    document = RTF.parse(Source.of_bytes(HEAD + rb"\pard One\par {\b Two", "a.rtf"), Limits())
    assert [one.text for one in of(document, Paragraph)] == ["One", "Two"]
    assert "damaged_part" in [notice.code for notice in document.notices]


@pytest.mark.parametrize("data", [b"", b"words", b"{\\html}", bytes(100)])
def test_what_is_no_rtf(data: bytes) -> None:
    with pytest.raises(DamagedError):
        RTF.parse(Source.of_bytes(data, "a.rtf"), Limits())


def test_text_in_very_many_groups_is_read() -> None:
    document = read(RTF, HEAD + b"before " + b"{" * 100_000 + b"deep" + b"}" * 100_000 + rb" after\par}", "a.rtf")
    assert [block.text for block in of(document, Paragraph)] == ["before deep after"]
    assert not document.notices


def test_size_and_nesting_are_bounded() -> None:
    document = read(RTF, HEAD + rb"word " * 1000 + rb"\par}", "a.rtf", Limits(max_text_chars=100))
    assert "truncated_at" in [notice.code for notice in document.notices]
    for body in (
        b"{" * 50_000,
        rb"\pard\intbl\itap900 x\nestcell " * 200,
        rb"{\footnote " * 3000,
        rb"\cell\row" * 3000,
    ):
        RTF.parse(Source.of_bytes(HEAD + body, "a.rtf"), Limits())


@settings(max_examples=300)
@given(st.lists(st.sampled_from([
    b"{", b"}", rb"\par ", rb"\cell ", rb"\row ", rb"\trowd ", rb"\cellx900 ", rb"\intbl ", rb"\itap2 ", rb"\nestcell ",
    rb"\nestrow ", rb"{\footnote ", rb"{\*\annotation ", rb"{\header ", rb"{\field ", rb"{\*\fldinst ", rb"{\pict ",
    rb"{\fonttbl ", rb"{\stylesheet ", rb"{\colortbl ", rb"{\upr ", rb"{\*\ud ", rb"{\info ", rb"{\title ", rb"\bin9 ",
    rb"\u-1 ", rb"\'", rb"\'ff", rb"\*", rb"{\*\objdata ", b"0a", b";", b"text", rb"\clmrg ", rb"\clvmrg ", rb"\pard ",
]), max_size=40))  # fmt: skip
def test_any_order_of_words_gives_a_document(pieces: list[bytes]) -> None:
    with contextlib.suppress(FormatError):
        RTF.parse(Source.of_bytes(rb"{\rtf1 " + b"".join(pieces), "a.rtf"), Limits())


@pytest.mark.corpus
def test_the_corpus() -> None:
    found = {file.name: file for file in CORPUS.rglob("*.rtf")}
    document = RTF.parse(Source.of(found["fake-doc.rtf"]), Limits())
    assert [(one.text, one.level) for one in of(document, Heading)] == [("My First Heading", 1)]
    assert [one.text for one in of(document, Paragraph)] == ["My first paragraph.", "Table Example:"]
    assert of(document, Table)[0].rows == (
        ("Column 1", "Column 2"), ("Row 1, Cell 1", "Row 1, Cell 2"), ("Row 2, Cell 1", "Row 2, Cell 2"),
    )  # fmt: skip
    document = RTF.parse(Source.of(found["eng_spa_mult.rtf"]), Limits())
    texts = [one.text for one in of(document, Paragraph)]
    assert len(texts) == 5
    assert texts[0].startswith("All human beings are born free and equal in dignity and rights.")
    assert "dotados como están de razón y conciencia" in texts[4]


def test_properties_of_the_users_own() -> None:
    own = (
        rb"{\*\userprops{\propname Client}\proptype30{\staticval Kakapo Ltd}{\propname Paid}\proptype11{\staticval 1}}"
    )
    told = rtf(own + rb"Words\par").metadata
    assert (told["custom.client"], told["custom.paid"]) == ("Kakapo Ltd", "true")


def test_numbers_of_lists_that_the_file_defines_and_does_not_write_out() -> None:
    def level(form: int, text: bytes, more: bytes = b"") -> bytes:
        template = rb"{\leveltext" + text + rb";}{\levelnumbers\'01;}}"
        return rb"{\listlevel\levelnfc%d\levelstartat1" % form + more + template

    lists = (
        rb"{\*\listtable{\list" + level(0, rb"\'02\'00.") + level(4, rb"\'04\'00.\'01)") + rb"\listid7}"
        rb"{\list" + level(23, rb"\'01\u8226 ?") + rb"\listid8}}{\*\listoverridetable{\listoverride\listid7\ls1}"
        rb"{\listoverride\listid8\ls2}{\listoverride\listid7{\lfolevel\listoverridestartat\levelstartat5}\ls3}}"
    )
    items = [(1, 0, b"One"), (1, 1, b"Under"), (1, 1, b"Next"), (1, 0, b"Two"), (2, 0, b"Point"), (3, 0, b"Five")]
    body = b"".join(rb"\pard\ls%d\ilvl%d " % (number, at) + text + rb"\par" for number, at, text in items)
    found = of(rtf(lists + body), ListItem)
    assert [(item.marker, item.text, item.level) for item in found] == [
        ("1.", "One", 0), ("1.a)", "Under", 1), ("1.b)", "Next", 1), ("2.", "Two", 0), ("•", "Point", 0),
        ("5.", "Five", 0),
    ]  # fmt: skip
    mixed = of(rtf(lists + rb"\pard\ls1{\listtext 7.}Seven\par\pard\ls1 goes on\par"), ListItem)
    assert [item.marker for item in mixed] == ["7.", ""]


@pytest.mark.parametrize(
    ("form", "result", "shown", "said"),
    [
        (rb"{\fftype2\ffdefres1\ffres25{\*\ffname Town}{\*\ffl Ghent}{\*\ffl Bruges}", b"", "Bruges", "Ghent"),
        (rb"{\fftype2\ffres0{\*\ffl Ghent}{\*\ffl Bruges}{\*\ffhelptext Where}", b"", "Ghent", "Bruges, Where"),
        (rb"{\fftype1\ffres1{\*\ffname Paid}", b"", "☒", ""),
        (rb"{\fftype0{\*\ffdeftext Nobody}{\*\ffstattext Your name}", b"Ann", "Ann", "Nobody, Your name"),
        (rb"{\fftype0{\*\ffdeftext Nobody}", b"", "Nobody", ""),
    ],
)
def test_fields_of_forms(form: bytes, result: bytes, shown: str, said: str) -> None:
    field = rb"{\field{\*\fldinst{ FORM {\*\formfield" + form + rb"}}}}{\fldrslt " + result + b"}}"
    found = rtf(rb"Say: " + field + rb" done\par")
    assert of(found, Paragraph)[0].text == f"Say: {shown} done"
    assert [note.text for note in of(found, Note)] == ([said] if said else [])


@pytest.mark.parametrize(
    "head",
    [
        rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}",  # never ended
        rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;",  # nor is an entry
        rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}{\fonttbl{\f0 Times;}",
        rb"{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}{\*\listtable{\list{\listlevel\fi-360}\listid7}",
    ],
)
def test_text_behind_a_table_that_is_never_ended(head: bytes) -> None:
    body = rb"{\info{\title T}}\sectd\pard\plain\s1 Top\par\pard\plain words {\b here}\par"
    found = read(RTF, rb"{\rtf1\ansi" + head + body + b"}", "a.rtf")
    assert [(type(block), block.text) for block in blocks(found) if isinstance(block, (Heading, Paragraph))] == [
        (Heading, "Top"), (Paragraph, "words here"),
    ]  # fmt: skip
    assert "damaged_part" in [notice.code for notice in found.notices]


def test_properties_of_a_style_are_no_text() -> None:
    found = read(RTF, rb"{\rtf1{\stylesheet\fs20 Normal;{\s1\pard\plain\fs32 heading 1;}}\pard\s1 Top\par}", "a.rtf")
    assert [(block.text, block.level) for block in of(found, Heading)] == [("Top", 1)]


def test_what_libreoffice_copied_is_no_property_of_the_users() -> None:
    own = b"".join(
        rb"{\propname " + name + rb"}\proptype30{\staticval x}" for name in (b"ScaleCrop", b"AppVersion", b"Client")
    )
    found = rtf(rb"{\*\userprops" + own + rb"}words\par")
    assert {name for name in found.metadata if name.startswith("custom.")} == {"custom.client"}


@pytest.mark.parametrize(
    ("inside", "shown", "latex"),
    [
        (rb"{\mf{\mfPr{\mctrlPr\f34}}{\mnum{\mr a+b}}{\mden{\mr 2c}}}", "(a+b)/2c", r"\frac{a+b}{2c}"),
        (rb"{\msSup{\msSupPr}{\me{\mr\mscr0\msty2 x}}{\msup{\mr 2}}}", "x^2", "x^{2}"),
        (
            rb"{\mnary{\mnaryPr{\mchr \u8721\'3f}{\mlimLoc undOvr}}{\msub{\mr i=1}}{\msup{\mr n}}{\me{\mr i}}}",
            "∑_(i=1)^n i", r"\sum_{i=1}^{n} i",
        ),
        (rb"{\mrad{\mradPr{\mdegHide on}}{\mdeg}{\me{\mr x}}}", "√(x)", r"\sqrt{x}"),
        (rb"{\md{\mdPr{\mbegChr [}{\mendChr ]}}{\me{\mr a}}}", "[a]", r"\left[ a \right]"),
        (rb"{\mr\mnor if }{\mr x}", "if x", r"\text{if }x"),
        (rb"{\mf{\mnum{\mr a}}", "a/", r"\frac{a}{}"),  # cut short
    ],
)  # fmt: skip
def test_equations(inside: bytes, shown: str, latex: str) -> None:
    found = rtf(rb"Take {\mmath{\*\moMath" + inside + rb"}} here\par")
    [para] = of(found, Paragraph)
    assert spans(para.text, para.spans) == [("math", shown, latex)]
    assert para.text == f"Take {shown} here" or inside.count(b"{") != inside.count(b"}")
    [alone] = of(rtf(rb"{\*\moMathPara{\*\moMathParaPr{\mjc center}}{\*\moMath" + inside + rb"}}\par"), Equation)
    assert (alone.text, alone.latex) == (shown, latex)


def test_deep_equations_end() -> None:
    deep = rtf(rb"{\*\moMath" + rb"{\mf{\mnum" * 3_000 + rb"{\mr x}" + b"}}" * 3_000 + rb"}\par After\par")
    assert of(deep, Paragraph)[-1].text.endswith("After")


def test_text_behind_one_end_too_many_is_read_and_what_else_follows_is_not() -> None:
    body = rb"{\rtf1\ansi {\i Before}} {\rtlch\fcs1 \af0 behind.}\par}"
    for after in (b"", rb"{\rtf1 Another file}", b"\0\0", b"junk {more} junk"):
        found = RTF.parse(Source.of_bytes(body + after, "a.rtf"), Limits())
        assert [block.text for block in found.parts[0].blocks if isinstance(block, Paragraph)] == ["Before behind."]
        assert not found.notices
