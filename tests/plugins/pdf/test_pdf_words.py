"""Words and their order where lines, columns and pages part them: what is drawn apart, what stands between, hyphens,
initials, ligatures of one glyph and fonts of bitmaps."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import read_pdf as parsed
from support.formats.plugin_reading import of

from sidecar.api import Code, Note, Paragraph, ParsedDocument, Table

FULL = [
    "What was said there of the measure holds here as well, and the tables of the annex show by how",
    "much each of the three changed from one year to the next while nothing else was changed at all",
    "so that whatever differs between the columns is due to it alone and to nothing that came later.",
]
NARROW = [
    "The council had asked for a report on",
    "every gate and every bridge that was",
    "built before the war, and on the cost",
    "of each of them, as far as it is known",
    "to the office that keeps the accounts",
]
ASIDE = ["Harbours were closed", "from May on, which the", "pilots had not known,", "and nobody told them."]
SECOND = ["Lamps along the quay", "were painted in June,", "but those of the mole", "stayed as they were."]


def said(*pages: str) -> str:
    """All that is read of pages with these operators."""
    pdf = Pdf()
    for page in pages:
        pdf.page(page)
    document = parsed(pdf)
    return " ".join(block.text for block in of(document, Paragraph))


def parsed_page(page: str) -> ParsedDocument:
    pdf = Pdf()
    pdf.page(page)
    return parsed(pdf)


def full(y: float, count: int = 9) -> str:
    return lines(72, y, (FULL * 3)[:count])


def test_a_box_that_text_runs_around_is_read_before_it() -> None:
    box = lines(330, 592, ASIDE, size=9)
    below = ["so that whoever asked was told, and the rest were left to find it out when the summer was over and"]
    around = lines(72, 592, NARROW) + lines(72, 532, [*below, *FULL[1:]])
    read = said(full(730) + box + around + full(460))
    assert " ".join(ASIDE) in read
    assert " ".join([*NARROW, *below, *FULL[1:]]) in read


def test_notes_in_the_margin_do_not_cut_the_text_they_stand_beside() -> None:
    body = [*FULL, *FULL, *FULL]

    def line(at: int) -> str:
        return text(50, 700 - 12 * at, body[at], size=8)

    drawn = "".join(line(at) for at in range(3)) + lines(430, 676, ASIDE) + "".join(line(at) for at in range(3, 9))
    read = said(drawn + full(560))
    assert " ".join(ASIDE) in read
    assert " ".join(body) in read


def test_columns_of_a_few_lines_between_full_ones_are_read_one_after_the_other() -> None:
    read = said(full(730) + lines(100, 560, ASIDE) + lines(330, 560, SECOND) + full(460))
    assert " ".join(ASIDE) in read
    assert " ".join(SECOND) in read


def test_figures_drawn_column_by_column_stay_in_their_rows() -> None:
    labels = ["Water level", "Discharge", "Sediment", "Temperature"]
    figures = ["12.5", "340.1", "7.25", "11.8"]
    read = said(full(730) + lines(100, 560, labels) + lines(330, 560, figures) + full(460))
    assert "Water level 12.5" in read or "Water level" not in read  # a table, or rows


def test_a_word_behind_the_page_does_not_end_the_sentence_it_stands_between() -> None:
    mark = "q 0.9 g BT /F2 90 Tf 0.7 0.7 -0.7 0.7 150 200 Tm (DRAFT) Tj ET Q\n"
    first = lines(72, 120, [*FULL, "the office of fisheries acknowledged the har-"])
    read = said(mark + full(730) + first, mark + lines(72, 730, ["bour lamps.", *FULL]))
    assert "acknowledged the harbour lamps." in read


def test_a_broken_word_goes_on_in_an_indented_line() -> None:
    verse = text(100, 560, "Counterbalanced the re-") + text(120, 546, "frigeration machinery")
    verse += text(100, 532, "Overestimated the wa-") + text(120, 518, "terproof instruments")
    read = said(verse)
    assert "Counterbalanced the refrigeration machinery" in read
    assert "Overestimated the waterproof instruments" in read


def test_a_hyphen_stays_where_the_document_has_the_word_with_it() -> None:
    here = lines(72, 730, ['They met in the "coffee-', 'house" circle of the town, and in the', "well-", "known hall."])
    read = said(here, lines(72, 730, ['The "coffee-house" and the well-known hall were one.']))
    assert 'the "coffee-house" circle' in read
    assert "the well-known hall. " in f"{read} "


def test_an_initial_over_two_lines_opens_the_first() -> None:
    drawn = text(72, 700, "T", size=34) + text(
        92.8, 712, "HE pilots left the station whenever the wind had turned to", size=10
    )
    drawn += text(93, 700, "the west, which nobody at the harbour had ever seen before")
    drawn += lines(72, 688, FULL)
    read = said(drawn)
    assert "THE pilots left the station whenever the wind had turned to the west, which nobody" in read


def test_both_letters_of_a_ligature_of_one_glyph_stay() -> None:
    pdf = Pdf()
    table = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def"
        " 1 begincodespacerange <00> <FF> endcodespacerange"
        " 2 beginbfrange <41> <5A> <0041> <61> <7A> <0061> endbfrange"
        " 1 beginbfchar <1B> <00660066> endbfchar endcmap end end"
    )
    unicode = pdf.stream(table)
    font = pdf.add(
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {unicode} 0 R"
        " /Encoding << /Type /Encoding /Differences [27 /f] >> >>"
    )
    pdf.page("BT /T1 12 Tf 72 700 Td (sta\x1b) Tj 0 -20 Td (o\x1b) Tj 0 -20 Td (o\x1bers) Tj ET", fonts={"T1": font})
    words = " ".join(block.text for block in of(parsed(pdf), Paragraph)).split()
    assert words == ["staff", "off", "offers"]


def bitmap_font(pdf: Pdf, codes: str, widths: dict[str, int], name: str = "a{}") -> int:
    """A Type 3 font whose glyphs are called by their codes, as pdfTeX embeds fonts of bitmaps."""
    glyph = pdf.stream("500 0 0 0 500 500 d1 0 0 400 500 re f")
    first, last = min(map(ord, codes)), max(map(ord, codes))
    named = " ".join(f"{ord(code)} /{name.format(ord(code))}" for code in sorted(codes))
    procs = " ".join(f"/{name.format(ord(code))} {glyph} 0 R" for code in codes)
    wide = " ".join(str(widths.get(chr(code), 500)) for code in range(first, last + 1))
    return pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0]"
        f" /FirstChar {first} /LastChar {last} /Widths [{wide}] /CharProcs << {procs} >>"
        f" /Encoding << /Type /Encoding /Differences [{named}] >> >>"
    )


def test_bitmap_fonts_of_tex_say_their_ligatures_and_quotes_by_codes() -> None:
    pdf = Pdf()
    codes = "abcdefghijklmnopqrstuvwxyz,.\x0b\x0c\x0e\\\x22{"
    font = bitmap_font(pdf, codes, {"\x0b": 583, "\x0c": 556, "\x0e": 833})
    string = r"an o\016ce of \\con\014guration\042 { sta\013 and a\013airs."
    pdf.page(f"BT /T3 12 Tf 72 700 Td ({string}) Tj ET", fonts={"T3": font})
    assert [block.text for block in of(parsed(pdf), Paragraph)] == ["an office of “configuration” – staff and affairs."]


def test_bitmap_fonts_that_ghostscript_made_say_their_ligatures_by_the_characters_of_their_codes() -> None:
    pdf = Pdf()
    codes = "abcdefghijklmnopqrstuvwxyz,.\x0b\x0c\x0d\x0e"
    font = bitmap_font(pdf, codes, {"\x0b": 583, "\x0c": 556, "\x0d": 556, "\x0e": 570}, "#{:02x}")
    string = r"the \014rst o\016ce set a \015ag o\013 the wall."
    pdf.page(f"BT /T3 12 Tf 94 Tz 72 700 Td ({string}) Tj ET", fonts={"T3": font})  # as wide as in print, or nearly
    assert [block.text for block in of(parsed(pdf), Paragraph)] == ["the first office set a flag off the wall."]


def test_bitmap_fonts_of_titles_are_known_by_letters_as_wide_as_one_another() -> None:
    """A title has neither full stops nor digits."""
    pdf = Pdf()
    font = bitmap_font(pdf, "hotendgswpril\x1c", {"i": 280, "l": 280, "w": 720, "\x1c": 556})
    pdf.page(r"BT /T3 12 Tf 72 700 Td (how to \034nd the pro\034le) Tj ET", fonts={"T3": font})
    assert [block.text for block in of(parsed(pdf), Paragraph)] == ["how to find the profile"]


@pytest.mark.parametrize(
    ("codes", "widths"), [("xyz\x0b", {}), ("abcdhnpquxyz\x0b", dict(zip("bdhnpqu", range(430, 605, 25), strict=True)))]
)
def test_bitmap_fonts_of_variables_have_no_ligatures(codes: str, widths: dict[str, int]) -> None:
    pdf = Pdf()
    font = bitmap_font(pdf, codes, {"\x0b": 640, **widths})
    pdf.page(f"{lines(72, 740, FULL)} BT /T3 12 Tf 72 600 Td (x\\013y) Tj ET", fonts={"T3": font})
    assert "ff" not in " ".join(block.text for block in of(parsed(pdf), Paragraph)).replace("differs", "")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("den Wasser-", "und Abwasserverband der Stadt", "den Wasser- und Abwasserverband"),
        ("all of the pre-", "and post-war bridges there", "the pre- and post-war bridges"),
        ("a new self-", "taught watchmaker of the town", "a new self-taught watchmaker"),
        ("toute l'avant-", "garde de ce temps", "avant-garde de ce"),
        ("most of these are self-", "ish and will stay as they are", "are selfish and"),
        ("volume 12 of that year, 129\xb1", "263, and no more than that", "year, 129–263, and no more"),
        ("he wrote sen-", "tences/articles and sentences", "wrote sentences/articles and sentences"),
        ("the LO-", "CATION of the location now", "the LOCATION of the location"),
        ("a house half-docu-", "mented in documented papers", "half-documented in documented"),
    ],
)
def test_hyphens_at_the_end_of_lines(first: str, second: str, expected: str) -> None:
    assert expected in said(lines(72, 730, [first, second, "and so on."]))


def test_an_initial_set_apart_stays_in_its_column() -> None:
    initial = text(72, 548, "H", size=34)
    left = [text(100, 560, ASIDE[0][1:]), text(100, 548, ASIDE[1]), text(72, 536, ASIDE[2]), text(72, 524, ASIDE[3])]
    read = said(full(730) + initial + "".join(left) + lines(330, 560, SECOND) + full(460))
    assert " ".join(SECOND) in read
    assert f"H {SECOND[0]}" not in read


def test_authors_side_by_side_are_no_columns() -> None:
    one = text(100, 640, "Ada Lamp", size=10, font="F2") + lines(
        100, 628, ["Institute of Harbours", "ada@kiel.example"]
    )
    other = text(330, 640, "Bo Quay", size=10, font="F2") + lines(330, 628, ["Office of Bridges", "bo@dover.example"])
    pdf = Pdf()
    pdf.page(text(100, 700, "Lamps along the Quay", size=17, font="F2") + one + other + full(560))
    assert "Ada Lamp" not in [block.text for block in of(parsed(pdf), Paragraph)]  # which would be taken for a title


def test_bitmap_fonts_with_letters_of_one_width_are_typewritten_and_draw_their_codes() -> None:
    pdf = Pdf()
    codes = "abcdefghijklmnopqrstuvwxyz,.<>{}|\\\x22"
    font = bitmap_font(pdf, codes, {})
    shown = "BT /T3 10 Tf 72 600 Td (> gate <- {\\042left\\042}) Tj 0 -12 Td (> mean|gate) Tj ET"
    pdf.page(lines(72, 740, FULL) + shown + lines(72, 560, FULL), fonts={"T3": font})
    assert [block.text for block in of(parsed(pdf), Code)] == ['> gate <- {"left"}\n> mean|gate']


def test_words_in_the_margin_beside_a_column_are_no_part_of_its_lines() -> None:
    column = "".join(text(150, 700 - 12 * at, line, size=9) for at, line in enumerate(FULL * 4))
    read = said(text(60, 700, "ER") + text(60, 688, "29,2") + text(60, 640, "164") + column)
    assert " ".join(FULL * 4) in read


def test_a_large_initial_that_is_no_word_belongs_to_its_word_across_more_white() -> None:
    initial = text(72, 676, "G", size=34) + text(104, 692, "arden gates and bridges were built")
    read = said(initial + text(104, 680, "before the war, and the cost") + lines(72, 668, [*NARROW, *NARROW]))
    assert read.startswith("Garden gates and bridges were built before the war")


def test_a_column_goes_on_behind_a_comma_with_a_capital_letter() -> None:
    left = [*NARROW, *NARROW, "that was signed by everybody in town,"]
    right = ["December of that year, when the winter", "had come and everything was closed.", *NARROW, *NARROW[:3]]
    texts = [block.text for block in of(parsed_page(lines(72, 700, left) + lines(320, 700, right)), Paragraph)]
    assert any("signed by everybody in town, December of that year, when" in text for text in texts)


def test_the_number_of_a_section_of_a_law_is_no_footnote() -> None:
    page = full(740) + text(72, 200, "§ 39.13 [Amended] as told", size=8) + text(72, 120, "§ See there.", size=8)
    notes = [note.text for note in of(parsed_page(page), Note)]
    assert notes == ["See there."]


def test_the_last_line_of_a_paragraph_at_the_head_of_a_column_belongs_to_it() -> None:
    left, right = (
        [*NARROW, *NARROW, "that were signed by everybody in the"],
        ["town at last.", "", *NARROW, *NARROW[:3]],
    )
    texts = [block.text for block in of(parsed_page(lines(72, 700, left) + lines(320, 700, right)), Paragraph)]
    assert any("signed by everybody in the town at last." in text for text in texts)


def test_dots_that_lead_to_a_number_or_are_to_be_written_on_are_one_sign() -> None:
    shown = [
        "2.1 How the gate is opened . . . . . . . . . . . . . . . . . . . . . 14",
        "2.2 How it is closed again ........................................ 15",
        "and so on ... to the end.",
        "Name: . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .",
    ]
    pdf = Pdf()
    link = pdf.add("<< /Type /Annot /Subtype /Link /Rect [70 695 500 712] /A << /S /URI /URI (https://a.b) >> >>")
    pdf.page("".join(text(72, 700 - 30 * at, line) for at, line in enumerate(shown)), more=f"/Annots [{link} 0 R]")
    paragraphs = of(parsed(pdf), Paragraph)
    assert [one.text for one in paragraphs] == [
        "2.1 How the gate is opened … 14", "2.2 How it is closed again … 15", "and so on ... to the end.", "Name: …",
    ]  # fmt: skip
    linked = [span for span in paragraphs[0].spans if span.kind == "link"]
    assert [paragraphs[0].text[span.start : span.end] for span in linked] == [paragraphs[0].text]


def test_lines_set_word_by_word_are_sentences_though_a_figure_writes_its_blanks() -> None:
    said = [
        "They",
        "were",
        "told",
        "that",
        "five",
        "oars",
        "were",
        "lost",
        "once",
        "high",
        "tide",
        "rose",
        "over",
        "this",
        "town",
        "last",
        "year",
        "even",
        "ones",
        "that",
        "were",
        "tied",
        "fast",
        "with",
        "good",
        "rope",
        "near",
        "dock",
        "nine",
        "from",
        "what",
        "they",
        "knew",
        "then,",
        "only",
    ]
    words = "".join(text(72 + 25 * (at % 10), 700 - 12 * (at // 10), word) for at, word in enumerate(said))
    labels = "".join(text(90 + 150 * at, 600, f"A gate of the {side}") for at, side in enumerate(("east", "west")))
    document = parsed_page(words + labels)
    assert " ".join(said) in [block.text for block in of(document, Paragraph)]
    assert not of(document, Table)


def test_an_address_that_a_line_breaks_has_no_blank_in_it() -> None:
    body = [
        "The keepers of the harbour have put all of what was measured there on https://harbour.example.org/",
        "tides/2024_03/ for everybody, and more of it is to be had at https://harbour.example.org/",
        "where it stays.",
    ]
    pdf = Pdf()
    pdf.page(lines(72, 740, body))
    said = " ".join(block.text for block in of(parsed(pdf), Paragraph))
    assert "https://harbour.example.org/tides/2024_03/ for" in said
    assert "https://harbour.example.org/ where" in said


def test_large_figures_side_by_side_are_read_each_with_what_it_counts() -> None:
    boxes = [("45k", "for moving the lift and racks"), ("12k", "for training, over two years")]
    drawn = text(40, 700, "What it costs to merge both yards", size=24)
    for at, (figure, what) in enumerate(boxes):
        drawn += text(40 + 220 * at, 640, figure, size=36) + text(40 + 220 * at, 616, what)
    read = said(
        drawn + lines(40, 560, ["All of it is paid by the town and by nobody else, as was agreed in spring."] * 3)
    )
    assert all(f"{figure} {what}" in " ".join(read.split()) for figure, what in boxes), read
