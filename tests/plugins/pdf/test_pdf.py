"""PDF text: reading order, paragraphs, headings, lists, running matter, notes, links, hidden text, rotation."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import SURVEY as PROSE
from support.formats.pdf_prose import read_pdf as parse

from sidecar.api import AnyBlock, Code, Heading, ListItem, Note, Paragraph, ParsedDocument


def blocks(document: ParsedDocument, page: int = 1) -> tuple[AnyBlock, ...]:
    return document.parts[page - 1].blocks


def body(document: ParsedDocument, page: int = 1) -> str:
    return "\n".join(str(getattr(block, "text", "")) for block in blocks(document, page))


def test_lines_of_a_paragraph_are_joined_and_paragraphs_parted() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE) + lines(72, 630, [line.replace("survey", "second") for line in PROSE]))
    found = [block for block in blocks(parse(pdf)) if isinstance(block, Paragraph)]
    assert [block.text for block in found] == [" ".join(PROSE), " ".join(PROSE).replace("survey", "second")]
    assert found[0].box is not None
    left, top, right, bottom = found[0].box
    assert (round(left), round(bottom)) == (72, (792 - 700 + 3 * 12 + 2))
    assert top < 95 < bottom < right


def test_hyphens_at_line_ends_go_unless_the_word_has_its_own() -> None:
    pdf = Pdf()
    pdf.page(
        lines(
            72,
            700,
            [
                "We measured the temper-",
                "ature with a well-known instru-",
                "ment, which is well-",
                "known in the field.",
            ],
        )
    )
    assert (
        body(parse(pdf))
        == "We measured the temperature with a well-known instrument, which is well-known in the field."
    )


def test_two_columns_are_read_one_after_the_other_under_a_heading_across() -> None:
    left = [f"left{at} column text fills the line" for at in range(12)]
    right = [f"right{at} column text fills it too" for at in range(12)]
    pdf = Pdf()
    across = text(72, 740, "A title that stands over both of the columns here", size=18, font="F2")
    rows = "".join(lines(72, 700 - 12 * at, [left[at]]) + lines(330, 700 - 12 * at, [right[at]]) for at in range(12))
    for content in (lines(72, 700, left) + lines(330, 700, right), rows):  # drawn by column, and drawn by row
        pdf = Pdf()
        pdf.page(across + content)
        document = parse(pdf)
        found = body(document)
        order = [found.index(word) for word in ("A title", "left0", "left11", "right0", "right11")]
        assert order == sorted(order)
        assert isinstance(blocks(document)[0], Heading)


def test_boxes_of_few_lines_side_by_side_are_read_one_after_the_other_whichever_is_drawn_first() -> None:
    left = ["Causes", "Deep scour", "Blocked fish pass", "No inspection"]
    right = ["Consequences", "Two weeks closed", "Large repairs"]
    pdf = Pdf()
    pdf.page(
        text(40, 350, "Why the weir failed", size=28) + lines(360, 300, right, size=16, lead=20)
        + lines(40, 300, left, size=16, lead=20) + text(400, 120, "Look at it every year!", size=16),
        box="0 0 720 405",
    )  # fmt: skip
    found = body(parse(pdf))
    order = [found.index(words) for words in ("Why", *left, *right, "Look")]
    assert order == sorted(order), found


def test_a_column_beside_a_picture_over_the_next_is_read_whole_before_a_box_beside_both() -> None:
    left = [f"Line {at} of the column on the left" for at in range(1, 24)]
    right = [f"Row {at} under a picture over it all" for at in range(12, 24)]
    facts = ["Facts", "14 miles of new meadow", "3 weirs taken down", "0 houses flooded"]
    pdf = Pdf()
    pdf.page(
        text(50, 740, "A title that stands over both of the columns and over the box", size=18)
        + lines(50, 700, left) + "0.5 g 215 580 145 128 re f 0 g\n" + lines(215, 568, right)
        + lines(405, 690, facts, size=8, lead=16) + lines(405, 570, ["1. Buy land early", "2. Ask the anglers"], size=8)
    )  # fmt: skip
    found = body(parse(pdf))
    order = [
        found.index(words) for words in ("A title", "Line 1 ", "Line 11", "Line 12", "Line 23", "Row 12", "Row 23")
    ]
    assert order == sorted(order)
    assert not found.index("Line 1 ") < found.index("14 miles") < found.index("Row 23")


def test_names_of_authors_across_two_columns_are_no_rows_of_them() -> None:
    """The middle one of three authors stands over the strip between the columns, which begin level, with a heading
    each."""
    authors = ((120, "Ada Vale", "Aarhus"), (285, "Ben Moor", "Bristol"), (440, "Cleo Frey", "Cluj"))
    names = "".join(text(x, 700, name) + text(x, 686, place) for x, name, place in authors)
    left = [f"Line {at} of the column on the left tells how it went on." for at in range(1, 30)]
    right = [
        "[1] Ada Vale. A paper on the strips between columns of a",
        "page. In: Pages, 2020.",
        "[2] Ben Moor. Another paper on strips, and on what",
        "stands over them. In: Pages, 2021.",
        "[3] Cleo Frey. More.",
    ]
    pdf = Pdf()
    pdf.page(
        text(110, 740, "How the columns of a page are to be read", size=20) + names
        + text(50, 640, "Abstract", size=12, font="F2") + lines(50, 620, left)
        + text(312, 640, "References", size=12, font="F2") + lines(312, 620, right)
    )  # fmt: skip
    found = body(parse(pdf))
    order = [
        found.index(word) for word in ("Ada", "Aarhus", "Ben", "Bristol", "Cleo", "Abstract", "Line 29", "References")
    ]
    assert order == sorted(order)


def test_a_paragraph_that_runs_over_into_the_next_column_is_one() -> None:
    pdf = Pdf()
    start = [*(f"some words that fill the line {at}" for at in range(9)), "and this sentence is not over be-"]
    rest = ["cause it goes on in the next one", "and comes to its end right here."]
    pdf.page(lines(72, 700, start) + lines(330, 700, rest))
    assert "not over because it goes on in the next one and comes" in body(parse(pdf))


def test_headings_come_from_size_weight_and_number_with_consistent_levels() -> None:
    pdf = Pdf()
    for page, title in enumerate(("Rivers", "Lakes")):
        pdf.page(
            text(72, 720, f"{page + 1} {title}", size=16, font="F2")
            + lines(72, 690, PROSE)
            + text(72, 620, f"{page + 1}.1 Section", size=12, font="F2")
            + lines(72, 600, PROSE)
            + text(72, 530, "Bold aside", size=10, font="F2")
            + lines(72, 505, PROSE)
        )
    found = [(b.number, b.text, b.level) for p in (1, 2) for b in blocks(parse(pdf), p) if isinstance(b, Heading)]
    assert found == [
        ("1", "Rivers", 1), ("1.1", "Section", 2), ("", "Bold aside", 3),
        ("2", "Lakes", 1), ("2.1", "Section", 2), ("", "Bold aside", 3),
    ]  # fmt: skip


def test_the_outline_decides_levels() -> None:
    pdf = Pdf()
    page = pdf.page(
        text(72, 700, "Plain Opening") + lines(72, 660, PROSE) + text(72, 590, "Its Part") + lines(72, 560, PROSE)
    )
    root = len(pdf.objects) + 1
    pdf.add(f"<< /Type /Outlines /First {root + 1} 0 R /Last {root + 1} 0 R /Count 1 >>")
    pdf.add(
        f"<< /Title (Plain Opening) /Parent {root} 0 R /Dest [{page} 0 R /Fit]"
        f" /First {root + 2} 0 R /Last {root + 2} 0 R /Count 1 >>"
    )
    pdf.add(f"<< /Title (Its Part) /Parent {root + 1} 0 R /Dest [{page} 0 R /Fit] >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    found = [(b.text, b.level) for b in blocks(parse(pdf)) if isinstance(b, Heading)]
    assert found == [("Plain Opening", 1), ("Its Part", 2)]


def test_list_items_keep_marker_level_and_continuation() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 720, PROSE)
        + text(80, 650, "1. First thing to do")
        + text(80, 638, "2. Second thing to do, which takes more than the one line that")
        + text(92, 626, "a reader might have expected")
        + text(100, 614, "a) a detail of it")
        + text(80, 602, "3. Third thing")
    )  # fmt: skip
    found = [(b.marker, b.level, b.text) for b in blocks(parse(pdf)) if isinstance(b, ListItem)]
    assert found == [
        ("1.", 0, "First thing to do"),
        ("2.", 0, "Second thing to do, which takes more than the one line that a reader might have expected"),
        ("a)", 1, "a detail of it"),
        ("3.", 0, "Third thing"),
    ]


def test_running_heads_and_page_numbers_are_set_apart() -> None:
    pdf = Pdf()
    for number in range(1, 6):
        pdf.page(text(72, 760, "Annals of Rivers") + lines(72, 700, PROSE) + text(300, 30, f"{number}", size=9))
    document = parse(pdf)
    for number in range(1, 6):
        assert document.parts[number - 1].metadata == {"header": "Annals of Rivers", "footer": str(number)}
        assert [b.text for b in blocks(document, number) if isinstance(b, Paragraph)] == [" ".join(PROSE)]


def test_what_repeats_at_page_ends_because_it_repeats_everywhere_is_text() -> None:
    pdf = Pdf()
    repeated = "No attribute is required of it."
    for number in range(1, 7):
        entries = "".join(
            lines(72, y, [PROSE[number % 3], PROSE[0]]) + text(72, y - 40, repeated) for y in (600, 480, 360)
        )
        last = text(72, 80, repeated) if number % 2 else lines(72, 300, PROSE)
        pdf.page(text(72, 760, "Annals of Rivers") + entries + last + text(300, 30, f"{number}", size=9))
    document = parse(pdf)
    for number in range(1, 7):
        assert document.parts[number - 1].metadata == {"header": "Annals of Rivers", "footer": str(number)}
        said = [b.text for b in blocks(document, number) if isinstance(b, Paragraph)]
        assert said.count(repeated) == 3 + number % 2


@pytest.mark.parametrize(
    ("heads", "further"),
    [
        ([[(72, 760, "int"), (160, 760, "gate{}(sea)")], [(72, 740, "code:"), (160, 740, "a point")]], 5),
        ([[(72, 770, "void")], [(72, 756, "open_gate{}(sea *sea,")], [(96, 742, "tide *{})")], [(72, 728, ")")]], 0),
    ],
)
def test_rows_of_a_list_and_ends_of_code_at_page_tops_are_text(
    heads: list[list[tuple[int, int, str]]], further: int
) -> None:
    pdf = Pdf()
    for number in range(1, 7):
        name = "abcdef"[number - 1]
        top = "".join(text(x, y, piece.replace("{}", name)) for line in heads for x, y, piece in line)
        own = text(72, 300, heads[-1][0][2]) + text(160, 300, heads[-1][-1][2]) if further else ""
        pdf.page((top if number % 2 else "") + lines(72, 690, PROSE) + own + lines(72, 250, PROSE))
    document = parse(pdf)
    assert not any(part.metadata.get("header") for part in document.parts)


def test_text_at_the_top_of_one_page_is_no_running_head() -> None:
    pdf = Pdf()
    pdf.page(text(72, 760, "A title only here", size=16) + lines(72, 700, PROSE))
    pdf.page(lines(72, 700, PROSE))
    assert not [b for b in blocks(parse(pdf)) if isinstance(b, Note)]


def test_monospaced_lines_keep_their_breaks() -> None:
    pdf = Pdf()
    pdf.page(
        lines(72, 720, PROSE) + lines(90, 650, ["def area(r):", "    return 3 * r"], font="F3") + lines(72, 600, PROSE)
    )
    code = [b for b in blocks(parse(pdf)) if isinstance(b, Code)]
    assert [line.strip() for line in code[0].text.split("\n")] == ["def area(r):", "return 3 * r"]


def test_footnotes_are_notes() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE * 3) + text(72, 90, "1 See the annual report of the office.", size=7))
    notes = [b for b in blocks(parse(pdf)) if isinstance(b, Note)]
    assert [(n.kind, n.text) for n in notes] == [("footnote", "See the annual report of the office.")]


@pytest.mark.parametrize(
    ("hiding", "why"),
    [
        (text(72, 500, "SECRET words here", more="1 g"), "white on white"),
        (text(900, 500, "SECRET words here"), "off the page"),
        (text(72, 500, "SECRET words here", more="3 Tr"), "invisible"),
    ],
)
def test_what_a_reader_cannot_see_is_kept_and_flagged(hiding: str, why: str) -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE) + hiding)
    document = parse(pdf)
    secret = [b for b in blocks(document) if "SECRET" in getattr(b, "text", "")]
    assert [b.hidden for b in secret] == [True], why
    assert [n.part for n in document.notices if n.code == "hidden_content"] == [1]


@pytest.mark.parametrize("more", ["", "/Rotate 90", "/Rotate 180", "/Rotate 270", "/CropBox [50 60 600 700]"])
def test_covered_text_is_told_from_text_in_view_beside_it(more: str) -> None:
    """Both lie below a panel as far as their places tell: the second lies in the hole that is left in it."""
    pdf = Pdf()
    covered = text(300, 420, "SECRET words here") + text(300, 330, "OPEN words here")
    panel = "0.2 0.2 0.5 rg 250 300 m 560 300 l 560 450 l 250 450 l h 280 320 m 280 350 l 450 350 l 450 320 l h f*\n"
    pdf.page(lines(72, 660, PROSE) + covered + panel, more=more)
    found = {b.text: b.hidden for b in blocks(parse(pdf)) if isinstance(b, Paragraph)}
    assert {text: hidden for text, hidden in found.items() if "words here" in text} == {
        "OPEN words here": False,
        "SECRET words here": True,
    }


def test_text_that_is_drawn_again_over_what_covers_it_is_seen() -> None:
    pdf = Pdf()
    label = text(72, 500, "The label")
    pdf.page(lines(72, 700, PROSE) + label + "1 g 60 490 300 30 re f 0 g\n" + label)
    document = parse(pdf)
    assert "The label" in body(document)
    assert not document.notices


def test_white_text_on_a_dark_ground_is_seen() -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE) + "0 0 0.5 rg 60 490 300 30 re f\n" + text(72, 500, "Plain to see", more="1 g"))
    document = parse(pdf)
    assert "Plain to see" in body(document)
    assert not document.notices


def test_white_text_under_a_dark_panel_stays_hidden() -> None:
    pdf = Pdf()
    panel = "0.2 0.2 0.5 rg 60 490 300 30 re f\n"
    pdf.page(lines(72, 700, PROSE) + text(72, 500, "SECRET words here", more="1 g") + panel)
    secret = [b for b in blocks(parse(pdf)) if "SECRET" in getattr(b, "text", "")]
    assert [b.hidden for b in secret] == [True]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_those_of_the_page_as_shown(turn: int) -> None:
    pdf = Pdf()
    pdf.page(text(100, 700, "Marker"), more=f"/Rotate {turn} /CropBox [50 100 562 742]")
    document = parse(pdf)
    part, box = document.parts[0], blocks(document)[0].box
    assert (part.width, part.height) == ((512, 642) if turn % 180 == 0 else (642, 512))
    assert box is not None
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    expected = {0: (66, 38), 90: (604, 66), 180: (446, 604), 270: (38, 446)}[turn]
    assert abs(middle[0] - expected[0]) < 6
    assert abs(middle[1] - expected[1]) < 6


def test_links_remarks_and_fields() -> None:
    pdf = Pdf()
    base = len(pdf.objects)
    pdf.add("<< /Type /Annot /Subtype /Link /Rect [72 695 110 712] /A << /S /URI /URI (https://example.org/a) >> >>")
    pdf.add(f"<< /Type /Annot /Subtype /Link /Rect [160 695 220 712] /Dest [{base + 6} 0 R /Fit] >>")
    pdf.add(
        "<< /Type /Annot /Subtype /Text /Rect [400 600 420 620] /Contents (Please check) /T (Ada)"
        " /M (D:20240102030405Z) /NM (n1) >>"
    )
    pdf.add(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (city) /TU (City of birth) /V (Lima) /Rect [72 500 200 520]"
        " /DA (/Helv 0 Tf 0 g) >>"
    )
    pdf.page(
        text(72, 700, "Example") + text(160, 700, "elsewhere") + lines(72, 660, PROSE),
        more=f"/Annots [{base + 1} 0 R {base + 2} 0 R {base + 3} 0 R {base + 4} 0 R]",
    )
    pdf.catalog = f"/AcroForm << /Fields [{base + 4} 0 R] >>"
    document = parse(pdf)
    spans = {(b.text[s.start : s.end], s.value) for b in blocks(document) if isinstance(b, Paragraph) for s in b.spans}
    assert spans == {("Example", "https://example.org/a"), ("elsewhere", "#page=1")}
    notes = {n.kind: n for n in blocks(document) if isinstance(n, Note)}
    remark, entry = notes["annotation"], notes["form"]
    assert (remark.text, remark.author, remark.date, remark.id) == ("Please check", "Ada", "2024-01-02T03:04:05Z", "n1")
    assert entry.text == "City of birth: Lima"
    assert entry.target == "city"


def test_metadata_and_page_labels() -> None:
    pdf = Pdf(info="/Title (Rivers) /Author (Ada) /CreationDate (D:20240102030405+01'00')")
    pdf.catalog = "/Lang (en-GB) /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 1 /P (A-) >>] >>"
    pdf.page(text(72, 700, "one"))
    pdf.page(text(72, 700, "two"))
    document = parse(pdf)
    assert document.title == "Rivers"
    assert document.metadata["author"] == "Ada"
    assert document.metadata["created"] == "2024-01-02T03:04:05+01:00"
    assert document.metadata["language"] == "en-GB"
    assert document.metadata["pages"] == "2"
    assert [part.name for part in document.parts] == ["i", "A-1"]


def test_text_turned_on_its_side_is_kept_apart_from_the_lines_it_crosses() -> None:
    pdf = Pdf()
    turned = "BT /F1 10 Tf 0 1 -1 0 40 300 Tm (sidewaysstamp of the archive) Tj ET\n"
    pdf.page(lines(72, 700, PROSE) + turned)
    document = parse(pdf)
    assert [b.text for b in blocks(document) if isinstance(b, Paragraph)] == [" ".join(PROSE)]
    assert document.parts[0].metadata == {"margin": "sidewaysstamp of the archive"}
