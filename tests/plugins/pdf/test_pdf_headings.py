"""Headings of PDFs that only what the document repeats gives away, and lines that look like headings and are none."""

from __future__ import annotations

import pytest
from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, gray_image, lines, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Heading, Limits, Paragraph, ParsedDocument, Source


def parsed(*content: str) -> ParsedDocument:
    """Two pages, the second with these operators."""
    pdf = Pdf()
    pdf.page(lines(72, 740, [f"Opening. {line}" for line in PROSE] * 4))
    pdf.page("".join(content))
    return read_pdf(pdf)


def run_in(y: float, title: str, width: float) -> str:
    """A paragraph whose first words are bold."""
    return text(72, y, title, font="F2") + text(72 + width, y, "Besides, " + PROSE[0][:60]) + lines(72, y - 12, PROSE)


def titles(document: ParsedDocument) -> list[str]:
    return [heading.text for heading in of(document, Heading)]


def test_bold_titles_that_run_into_their_paragraphs_are_headings() -> None:
    document = parsed(run_in(700, "Encoders", 52), run_in(630, "Inference", 52), run_in(560, "Run-time cost", 74))
    assert titles(document) == ["Encoders", "Inference", "Run-time cost"]
    first = next(block for block in of(document, Paragraph) if block.text.startswith("Besides"))
    assert first.text.endswith("came later.")


def test_one_bold_word_that_opens_a_paragraph_is_no_heading() -> None:
    assert titles(parsed(run_in(700, "Encoders", 52), lines(72, 600, PROSE))) == []


def test_notes_however_often_are_no_headings() -> None:
    document = parsed(*(run_in(700 - 70 * at, "Note.", 40) for at in range(4)))
    assert titles(document) == []


def test_heads_of_theorems_are_headings_with_their_names() -> None:
    content = text(72, 700, "Definition 5", font="F2") + text(138, 700, "(Closed sets). Let a set be closed where all")
    document = parsed(content + lines(72, 688, PROSE))
    assert titles(document) == ["Definition 5 (Closed sets)"]


def test_short_lines_in_italics_over_paragraphs_are_headings_where_there_are_several() -> None:
    def under(y: float, title: str) -> str:
        return text(72, y, title, font="F4") + lines(72, y - 14, [PROSE[0].capitalize(), *PROSE[1:]])

    assert titles(parsed(under(700, "Elastic stop nut"), under(620, "Wing nut"))) == ["Elastic stop nut", "Wing nut"]
    assert titles(parsed(under(700, "Elastic stop nut"))) == []


def test_names_over_an_address_are_no_headings() -> None:
    pdf = Pdf()
    byline = text(200, 700, "Anna Berg", size=12, font="F2") + text(330, 700, "Karl Thal", size=12, font="F2")
    address = text(240, 680, "University of the North") + text(240, 668, "{berg, thal}@north.example")
    head = text(120, 740, "How long a harbour freezes", size=16, font="F2")
    pdf.page(head + byline + address + text(72, 630, "Abstract", size=12, font="F2") + lines(72, 612, PROSE * 3))
    pdf.page(lines(72, 740, PROSE * 4))
    document = read_pdf(pdf)
    assert titles(document) == ["How long a harbour freezes", "Abstract"]


def test_fonts_flagged_as_fixed_pitch_are_judged_by_their_widths() -> None:
    pdf = Pdf()
    widths = " ".join("222" if chr(code) in "ijl" else "556" for code in range(32, 127))
    descriptor = pdf.add(
        "<< /Type /FontDescriptor /FontName /Plain /Flags 33 /ItalicAngle 0 /Ascent 700 /Descent -200 >>"
    )
    plain = pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Plain /FirstChar 32 /LastChar 126"
        f" /Widths [{widths}] /FontDescriptor {descriptor} 0 R >>"
    )
    pdf.page(
        text(72, 740, "Rivers of the north", size=16, font="P1")
        + "".join(text(72, 700 - 12 * at, line, font="P1") for at, line in enumerate(PROSE)),
        fonts={"P1": plain},
    )
    document = read_pdf(pdf)
    assert titles(document) == ["Rivers of the north"]
    assert of(document, Paragraph)


def test_a_field_with_its_date_is_no_heading() -> None:
    document = parsed(lines(72, 700, PROSE), text(72, 640, "Date of visit: 12/01/2015", size=12), lines(72, 600, PROSE))
    assert titles(document) == []


def test_lines_in_a_typeface_that_sets_titles_are_headings_though_they_touch_their_paragraphs() -> None:
    pdf = Pdf()
    serif = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>")
    sections = ((740, "(1) What the rules say"), (660, "(2) What insurers did"), (580, "(3) What is left to do"))
    content = "".join(
        text(72, y, title, font="F5") + lines(72, y - 12, [PROSE[0].capitalize(), *PROSE[1:]]) for y, title in sections
    )
    pdf.page(content, fonts={"F5": serif})
    document = read_pdf(pdf)
    assert titles(document) == [title for _, title in sections]


def test_titles_told_by_their_colour_are_headings_and_the_same_type_in_black_is_none() -> None:
    def over(y: float, more: str) -> str:
        return text(72, y, "Where the water goes", more=more) + lines(72, y - 20, [PROSE[0].capitalize(), *PROSE[1:]])

    assert titles(parsed(over(700, "0 0.3 0.7 rg"), over(600, "0 0.3 0.7 rg"))) == ["Where the water goes"] * 2
    assert titles(parsed(over(700, ""), over(600, ""))) == []


def test_bold_lines_that_stand_over_nothing_but_one_another_are_no_headings() -> None:
    names = ["Our ambition", "Our approach", "Our partners", "The journey ahead"]
    listed = "".join(text(72, 700 - 40 * at, name, size=13, font="F2") for at, name in enumerate(names))
    title = text(72, 500, "Charting the path", size=15, font="F2") + lines(72, 470, PROSE)
    assert titles(parsed(listed, title)) == ["Charting the path"]


def test_type_emboldened_by_its_outline_is_bold() -> None:
    content = text(72, 700, "What was measured", more="2 Tr 0.3 w") + lines(72, 670, PROSE)
    assert titles(parsed(content)) == ["What was measured"]
    assert titles(parsed(content.replace("2 Tr", "0 Tr"))) == []


def test_a_title_on_a_coloured_ground_is_a_heading() -> None:
    pdf = Pdf()
    ground = pdf.add(gray_image())
    banner = "q 300 0 0 26 72 690 cm /Im1 Do Q\n" + text(80, 698, "2", size=13, font="F2")
    pdf.page(banner + text(110, 698, "Findings", size=13, font="F2") + lines(72, 660, PROSE), images={"Im1": ground})
    document = read_pdf(pdf)
    assert [(heading.number, heading.text) for heading in of(document, Heading)] == [("2", "Findings")]


def test_what_stands_at_the_other_margin_is_no_part_of_a_title() -> None:
    head = text(72, 700, "Booking order", size=16, font="F2") + text(450, 703, "Page 1 of 1", size=8)
    assert titles(parsed(head, lines(72, 660, PROSE))) == ["Booking order"]


def test_titles_numbered_in_sequence_are_headings_where_they_run_into_plain_text() -> None:
    def section(y: float, number: str, title: str) -> str:
        return lines(72, y, [f"{number} {title}. So far it was shown how much each of the", *PROSE])

    document = parsed(section(700, "3.3.1", "Cells and names"), section(640, "3.3.2", "Fetching"))
    assert [(h.number, h.text) for h in of(document, Heading)] == [("3.3.1", "Cells and names"), ("3.3.2", "Fetching")]
    assert titles(parsed(section(700, "3.3.1", "Cells and names"))) == []


def test_bold_lines_that_end_as_run_in_titles_do_are_headings_over_their_paragraphs() -> None:
    content = text(72, 700, "Filing a late return.", font="F2") + lines(72, 688, [PROSE[0].capitalize(), *PROSE[1:]])
    others = [run_in(600 - 70 * at, title, 60) for at, title in enumerate(("Encoders", "Inference", "Cost at run"))]
    assert titles(parsed(content, *others))[0] == "Filing a late return"
    assert titles(parsed(content)) == []


def test_one_long_stretch_in_bold_does_not_make_bold_type_text() -> None:
    bold = lines(72, 700, PROSE, font="F2")
    first, second = text(72, 640, "Intent", font="F2"), text(72, 560, "Submissions", font="F2")
    content = bold + first + lines(72, 620, PROSE) + second + lines(72, 540, PROSE)
    assert titles(parsed(content)) == ["Intent", "Submissions"]


def test_a_running_head_beside_its_page_number_is_none_on_a_single_page_too() -> None:
    pdf = Pdf()
    head = text(120, 752, "Observations of three sources", size=12, font="F4") + text(530, 752, "5", size=12)
    pdf.page(head + text(72, 700, "3.1 Method", font="F2") + lines(72, 680, PROSE * 6))
    document = read_pdf(pdf)
    assert titles(document) == ["Method"]
    assert all("Observations" not in paragraph.text for paragraph in of(document, Paragraph))


def test_parts_that_are_known_by_their_names_are_headings_in_small_type() -> None:
    content = text(280, 700, "Abstract", size=9, font="F2") + lines(72, 680, PROSE)
    other = text(280, 600, "Stations", size=9, font="F2") + lines(72, 580, PROSE)
    assert titles(parsed(content, other)) == ["Abstract"]


@pytest.mark.parametrize("line", ["https://rivers.example/list", "Volume 15, ISSN 1098-612X", "5 ft 3 in long arm"])
def test_addresses_and_measures_in_large_type_are_no_headings(line: str) -> None:
    assert titles(parsed(text(72, 700, line, size=18), lines(72, 660, PROSE))) == []


@pytest.mark.parametrize("line", ["Effective as at 9 April 2019", "Taken from https://harbours.example/annex"])
def test_dates_from_which_something_holds_and_where_it_is_from_are_no_headings(line: str) -> None:
    assert titles(parsed(text(72, 740, line, size=14) + lines(72, 700, PROSE))) == []


def test_a_larger_type_that_sets_nothing_but_titles_sets_headings_however_many() -> None:
    pdf = Pdf()
    for page in range(11):
        content = ""
        for at in range(4):
            name = f"Harbour of the River {chr(65 + page)}{chr(97 + at)}"
            content += text(72, 600 - 60 * at, name, size=12.1) + text(72, 575 - 60 * at, PROSE[0], size=10)
        pdf.page(content)
    assert len(titles(read_pdf(pdf))) == 44


def test_bold_capitals_before_a_colon_are_a_heading() -> None:
    title = "FOR COMPLETION IF A REVIEW OF THE HARBOUR WAS UNDERTAKEN:"
    assert titles(parsed(text(72, 740, title, font="F2") + lines(72, 700, PROSE))) == [title]


def test_long_numbered_questions_in_bold_are_headings() -> None:
    asked = "1. I know that times may not be given twice but the data of my stations has them all the same"
    answer = lines(72, 640, PROSE)
    assert titles(
        parsed(text(72, 672, asked, size=11, font="F2"), text(72, 659, "What now?", size=11, font="F2"), answer)
    ) == [asked.removeprefix("1. ") + " What now?"]


def test_heads_of_theorems_are_known_in_other_languages() -> None:
    content = text(72, 700, "Aufgabe 5.", font="F2") + text(138, 700, "Wie lang ist der Fluss von der Quelle bis")
    assert titles(parsed(content + lines(72, 688, PROSE))) == ["Aufgabe 5"]


def test_titles_between_lists_in_columns_are_headings_and_no_rows() -> None:
    def rows(y: float, names: list[str]) -> str:
        return "".join(
            text(72, y - 12 * at, name) + text(300, y - 12 * at, f"key {at} {name[:1]}")
            for at, name in enumerate(names)
        )

    first, second = (
        ["Open a file", "Close it again", "Save all files"],
        ["Undo a change", "Redo a change", "Find a word"],
    )
    title = text(72, 662, "Changing text", size=12, font="F2")
    document = parsed(rows(700, first), title, rows(646, second))
    assert titles(document) == ["Changing text"]


def test_names_between_a_title_and_its_date_are_no_headings() -> None:
    pdf = Pdf()
    title = text(215, 700, "Rivers and their years", size=18) + text(262, 670, "Rita Calder", size=13)
    pdf.page(
        title + text(255, 640, "January 16, 2022", size=13) + lines(72, 600, [f"Opening. {line}" for line in PROSE])
    )
    pdf.page(lines(72, 740, PROSE * 4))
    document = read_pdf(pdf)
    assert titles(document) == ["Rivers and their years"]


def test_the_name_of_a_part_in_the_corner_at_the_head_is_no_heading() -> None:
    assert titles(parsed(text(480, 755, "Weather", size=15), lines(72, 700, PROSE * 4))) == []


def under(y: float, title: str) -> str:
    """A line of the type of the text over a paragraph."""
    return text(72, y, title) + lines(72, y - 24, [PROSE[0].capitalize(), *PROSE[1:]])


def test_lines_whose_numbers_count_on_over_text_are_headings_in_the_type_of_the_text() -> None:
    numbered = ("1. Foreword", "2. State of the banks", "2.1. Bank", "3. Conclusions")
    document = parsed(*(under(740 - 90 * at, title) for at, title in enumerate(numbered)))
    assert titles(document) == ["Foreword", "State of the banks", "Bank", "Conclusions"]


def test_the_items_of_a_list_are_no_headings_though_they_are_numbered() -> None:
    items = "".join(text(72, 700 - 24 * at, f"{at}. Ask for offer {at}") for at in range(1, 6))
    assert titles(parsed(items + lines(72, 540, [PROSE[0].capitalize(), *PROSE[1:]]))) == []


def test_underlined_lines_over_text_are_headings() -> None:
    shown = {"Road works": 700, "Road waste": 600, "Road rules": 500}
    made = [under(y, title) + f"72 {y - 2} 50 0.6 re f " for title, y in shown.items()]
    assert titles(parsed(*made)) == list(shown)


def test_sentences_of_numbered_paragraphs_are_no_headings_where_others_have_no_title() -> None:
    openings = ("1.1 Every measure counts. But", "1.2 What was said there of", "1.3 Nothing else was changed. And")
    made = [lines(72, 700 - 80 * at, [opening + " they", *PROSE]) for at, opening in enumerate(openings)]
    assert titles(parsed(*made)) == []


def test_a_line_with_nothing_under_it_at_the_end_and_a_sum_are_no_headings() -> None:
    prose = lines(72, 700, [PROSE[0].capitalize(), *PROSE[1:]])
    assert titles(parsed(prose + text(72, 640, "Total 787.50 NOK", font="F2", size=14) + lines(72, 600, PROSE))) == []
    assert titles(parsed(prose + text(250, 600, "END OF EXAMINATION", font="F2"))) == []


def test_a_centred_line_that_says_which_part_it_is_begins_a_title_of_its_own() -> None:
    first = text(270, 700, "SCHEDULE", font="F2") + text(240, 680, "Part A: Equipment", font="F2")
    second = text(245, 560, "Part B: Place of use", font="F2") + lines(72, 540, PROSE)
    document = parsed(first, lines(72, 660, PROSE), second)
    assert titles(document) == ["SCHEDULE", "Part A: Equipment", "Part B: Place of use"]


def test_labels_that_repeat_on_a_page_are_no_headings() -> None:
    charts = "".join(
        text(72, 700 - 140 * at, "Mathematics", size=14) + lines(72, 680 - 140 * at, PROSE) for at in range(3)
    )
    assert titles(parsed(text(72, 740, "Results", size=14) + charts)) == ["Results"]


def test_bold_lines_that_letters_count_are_headings_and_small_print_does_not_hide_them() -> None:
    titles = ("Applicability", "Required Actions", "Related Information")
    content = [
        text(72, 740 - 90 * at, f"({letter}) {title}", font="F2", size=9) + lines(72, 728 - 90 * at, PROSE, size=9)
        for at, (letter, title) in enumerate(zip("abc", titles, strict=True))
    ]
    assert [
        heading.text[-len(title) :] for heading, title in zip(of(parsed(*content), Heading), titles, strict=True)
    ] == list(titles)


def test_numbers_of_lines_in_the_margin_are_no_text_and_those_of_items_are() -> None:
    said = [f"the witness said that {at} of them went on" for at in range(12)]
    numbers = lines(60, 700, [str(at + 1) for at in range(14)], lead=20)
    transcript = parsed(numbers, lines(100, 700, said, lead=20))
    assert "0 of them went on the witness said that 1 of" in " ".join(b.text for b in of(transcript, Paragraph))
    names = ["Anna", "Bert", "Carl", "Dora", "Emil", "Fritz", "Gerd", "Hans", "Ida", "Jan", "Kai", "Lea", "Max", "Nora"]
    listed = parsed(numbers, lines(100, 700, [f"{name} rowed" for name in names], lead=20))
    shown = str(listed.parts[1].blocks)
    assert "Anna rowed" in shown and "14" in shown


LETTER = [
    (720, "Harbour Board", "F2"), (700, "4 Quay Road", "F1"), (660, "Mrs M. Whitlock", "F1"),
    (620, "Dear Mrs Whitlock,", "F1"), (595, "Your mooring at the north pier", "F2"),
    (500, "Yours sincerely,", "F1"), (460, "Clerk to the Board", "F2"),
]  # fmt: skip


def test_the_sender_of_a_letter_and_who_signs_it_are_no_headings() -> None:
    content = "".join(text(72, y, words, font=font) for y, words, font in LETTER) + lines(72, 570, PROSE)
    pdf = Pdf()
    pdf.page(content)
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "letter.pdf"), Limits(ocr=False))
    assert titles(document) == ["Your mooring at the north pier"]


@pytest.mark.parametrize(
    "names",
    [
        ("Origins (1871-1905)", "Growth (1906-1939)", "Decline (1940-1978)"),
        ("c:areaChart", "c:barChart", "c:pieChart"),
        ("Test 1:", "Test 2:", "Test 3:"),
    ],
)
def test_larger_titles_with_years_in_names_of_programs_and_before_a_colon_are_headings(names: tuple[str, ...]) -> None:
    under = (text(72, 700 - 90 * at, n, size=13) + lines(72, 680 - 90 * at, PROSE) for at, n in enumerate(names))
    assert titles(parsed(*under)) == list(names)


def test_bold_titles_over_one_sentence_each_are_headings() -> None:
    names = ["Scores", "Grades", "Types", "Limits", "Uses"]
    told = (text(72, 700 - 90 * at, name, font="F2") + text(72, 680 - 90 * at, "What is said of these is this:")
            + text(90, 660 - 90 * at, "one") for at, name in enumerate(names))  # fmt: skip
    assert titles(parsed(*told)) == names


def test_a_large_sentence_in_quotation_marks_is_no_heading() -> None:
    document = parsed(lines(72, 700, PROSE), text(72, 640, '"We filled eleven cans."', size=16), lines(72, 600, PROSE))
    assert titles(document) == []


@pytest.mark.parametrize(
    "foot", ["notes.txt  1/1", "Aviation World | October 2006 | 41", "Leased by Brook, Page 1 of 1"]
)
def test_a_page_number_at_the_end_of_the_foot_of_a_single_page_takes_it_out_of_the_text(foot: str) -> None:
    pdf = Pdf()
    pdf.page(lines(72, 700, PROSE * 3) + text(72, 30, foot, size=8))
    part = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "one.pdf"), Limits(ocr=False)).parts[0]
    assert part.metadata["footer"] == " ".join(foot.split())
    assert not any(block.text.endswith("1") for block in part.blocks if isinstance(block, Paragraph))


@pytest.mark.parametrize(
    ("head", "where"),
    [
        ("12/1/26, 3:12 AM", "header"),
        ("2026-12-01 03:12 Invoice 17", "header"),
        ("Visit 2 of 12/1/26, 3:12 AM in all", ""),
    ],
    ids=["date alone", "before the title", "within a line"],
)
def test_when_a_browser_printed_a_single_page_is_no_part_of_its_text(head: str, where: str) -> None:
    pdf = Pdf()
    pdf.page(text(72, 778, head, size=8) + lines(72, 700, PROSE * 3))
    part = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "one.pdf"), Limits(ocr=False)).parts[0]
    assert part.metadata.get("header", "") == (head if where else "")
    assert any(block.text == head for block in part.blocks if isinstance(block, Paragraph)) == (not where)


def test_bold_titles_before_a_colon_over_lists_are_headings_and_labels_that_recur_are_none() -> None:
    names = [f"Trial {at}:" for at in range(1, 6)]
    lists = (text(72, 700 - 90 * at, name, font="F2") + text(90, 680 - 90 * at, "- one")
             + text(90, 668 - 90 * at, "- two") for at, name in enumerate(names))  # fmt: skip
    assert titles(parsed(*lists)) == names
    assert titles(parsed(*(run_in(700 - 70 * at, "Finding:", 45) for at in range(4)))) == []


def test_terms_that_a_line_explains_are_no_titles() -> None:
    terms = {"Band": 28, "Triangle": 44, "Diagonals": 51, "Square": 39}
    listed = [
        text(72, 700 - 24 * at, term, font="F2")
        + text(72 + width, 700 - 24 * at, f"Real matrices of {at + 2} columns and rows, packed")
        for at, (term, width) in enumerate(terms.items())
    ]
    assert titles(parsed(*listed, lines(72, 560, PROSE))) == []


def test_titles_that_count_on_at_the_head_of_each_page_are_no_running_heads() -> None:
    """Larger than the text, each with a number of its own; a large head that holds the page's number stays out of the
    text, and one that repeats as it is is the title of the first page alone."""

    def under(head: str) -> list[str]:
        pdf = Pdf()
        for number in range(1, 5):
            pdf.page(
                text(72, 720, head.format(number), size=15, font="F2")
                + lines(72, 690, [PROSE[0].capitalize(), *PROSE[1:]] * 4)
            )
        return titles(read_pdf(pdf))

    assert under("Problem {}") == [f"Problem {number}" for number in range(1, 5)]
    assert under("Works of 2019") == ["Works of 2019"]
    assert under("The works | Page {}") == []


def test_lines_that_no_rule_tells_are_headings_where_all_that_is_known_of_them_says_so() -> None:
    def part(y: float, title: str, size: float) -> str:
        return text(72, y, title, font="F2", size=size) + lines(72, y - 30, PROSE)

    first = part(700, "\x95 Getting a pointer", 16) + part(520, "\x95 Setting a value", 16)
    assert titles(parsed(first)) == ["• Getting a pointer", "• Setting a value"]
    small = part(700, "\x95 Getting a pointer", 10) + part(520, "\x95 Setting a value", 10)
    assert titles(parsed(small)) == []
