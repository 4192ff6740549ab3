"""Levels of headings of PDFs by kinds of numbers and styles, and headings told by their words or by all pages."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, PROSE_ON, levels, parsed, read_pdf


def under(y: float, title: str, *, size: float = 10, font: str = "F2", indent: float = 0) -> str:
    """A title, 20 points over a paragraph; 90 points in all."""
    return text(72 + indent, y, title, size=size, font=font) + lines(72, y - 20, PROSE)


def test_kinds_of_numbers_that_begin_anew_stand_under_those_they_stand_between() -> None:
    names = ["I. Soil", "A. Clay", "B. Sand", "II. Water", "A. Rain", "B. Rivers", "III. Air"]
    pages = ["".join(under(720 - 90 * at, name) for at, name in enumerate(names))]
    assert [level for _, level in levels(parsed(*pages))] == [1, 2, 2, 1, 2, 2, 1]


def test_appendices_stand_beside_the_chapters_before_them() -> None:
    names = ["1. Soil", "2. Water", "3. Air", "A. Tables of soils", "B. Tables of rivers"]
    assert {level for _, level in levels(parsed("".join(under(720 - 90 * i, n) for i, n in enumerate(names))))} == {1}


def test_articles_of_a_law_are_headings_in_plain_type_and_sentences_on_them_are_none() -> None:
    articles = "".join(under(720 - 90 * at, f"Article {at + 1}", font="F1") for at in range(3))
    mention = text(72, 450, "Article 2 of the treaty says:") + lines(72, 430, PROSE)
    assert levels(parsed(articles + mention)) == [("Article 1", 1), ("Article 2", 1), ("Article 3", 1)]


def test_a_label_with_a_further_number_is_no_title_of_the_label_over_it() -> None:
    def parts(*below: str) -> list[str]:
        tops = enumerate(range(720, 720 - 200 * len(below), -200))
        shown = "".join(
            text(72, top, f"Part {at + 1}", size=16, font="F2")
            + text(72, top - 30, below[at], size=14, font="F2")
            + lines(72, top - 60, PROSE)
            for at, top in tops
        )
        return [title for title, _ in levels(parsed(shown))]

    assert parts("Part 1.1", "Part 2.1", "Part 3.1") == [
        "Part 1",
        "Part 1.1",
        "Part 2",
        "Part 2.1",
        "Part 3",
        "Part 3.1",
    ]
    assert parts("Soil", "Water", "Air") == ["Part 1 Soil", "Part 2 Water", "Part 3 Air"]


def test_a_title_of_several_short_lines_is_one_heading() -> None:
    title = text(72, 720, "Instructions for", size=26) + text(72, 692, "Form 12-B of 2007", size=26)
    assert levels(parsed(title + lines(72, 640, PROSE * 3))) == [("Instructions for Form 12-B of 2007", 1)]


def test_a_title_at_the_height_of_the_running_heads_that_repeat_it_is_a_heading() -> None:
    head = text(72, 750, "How harbours freeze", font="F4")
    first = text(72, 750, "How harbours freeze", size=10, font="F2") + lines(72, 720, PROSE * 4)
    document = parsed(first, *(head + lines(72, 720, PROSE * 4) for _ in range(5)))
    assert levels(document) == [("How harbours freeze", 1)]


def test_what_repeats_beside_the_text_is_no_heading() -> None:
    beside = text(430, 700, "Shift work", size=14) + text(430, 684, "and families", size=14)
    names = ["Methods", "Participants", "Results", "Discussion", "References"]
    narrow = lines(72, 640, [line[:60] for line in PROSE] * 4)
    document = parsed(*(text(72, 660, name, size=12, font="F2") + beside + narrow for name in names))
    assert [title for title, _ in levels(document)] == names


def test_names_of_fields_over_their_values_and_dates_are_no_headings() -> None:
    fields = ["Ordered by", "Order number", "Your reference", "Delivered to", "Carrier", "Warehouse"]
    values = ["Anna Berg", "20431", "none", "North Quay 4", "Rail", "East"]
    form = "".join(
        text(72, 600 - 40 * at, name, font="F2") + text(72, 588 - 40 * at, value)
        for at, (name, value) in enumerate(zip(fields, values, strict=True))
    )
    title = text(72, 740, "Delivery note", size=18) + text(72, 700, "December 1998", font="F2")
    assert levels(parsed(title + lines(72, 680, PROSE) + form)) == [("Delivery note", 1)]


def test_run_in_titles_stand_under_the_headings_they_follow() -> None:
    def run_in(y: float, title: str, width: float) -> str:
        return text(72, y, title, font="F2") + text(72 + width, y, PROSE[0][:60]) + lines(72, y - 12, PROSE)

    head = text(72, 740, "Of frost", size=18, font="F2") + text(72, 700, "Ice", size=14, font="F2")
    run_ins = run_in(680, "Sweet water.", 70) + run_in(620, "Salt water.", 64) + run_in(560, "Example 4.", 60)
    tail = text(72, 490, "Snow", size=14, font="F2") + run_in(470, "Dry snow.", 60)
    assert levels(parsed(head + run_ins + tail)) == [
        ("Of frost", 1), ("Ice", 2), ("Sweet water", 3), ("Salt water", 3), ("Example 4", 3),
        ("Snow", 2), ("Dry snow", 3),
    ]  # fmt: skip


def test_a_title_close_to_the_next_column_is_no_part_of_its_line() -> None:
    rows = [
        text(72, 640 - 12 * at, f"Left {at} has a line") + text(182, 640 - 12 * at, f"right {at} has a line as well")
        for at in range(20)
    ]
    title = text(72, 592, "General rules", size=15, font="F2")
    rows[3:5] = [text(182, 604, "right 3 is here"), title + text(182, 592, "right 4 has a line as well as that")]
    assert levels(parsed("".join(rows))) == [("General rules", 1)]


def test_italics_stand_under_bold_of_their_size() -> None:
    titles = [("Soil", "F2"), ("1.1 Clay", "F4"), ("1.2 Sand", "F4"), ("Water", "F2"), ("2.1 Rain", "F4")]
    made = levels(parsed("".join(under(720 - 90 * at, name, font=font) for at, (name, font) in enumerate(titles))))
    assert [level for _, level in made] == [1, 2, 2, 1, 2]


def test_a_short_line_of_text_far_smaller_than_the_label_over_it_is_no_title() -> None:
    content = ""
    for at in range(3):
        y = 720 - 110 * at
        content += text(72, y, f"Section {at + 1}", size=16, font="F1") + text(72, y - 30, f"Gauge {at + 1} at noon")
        content += text(72, y - 56, f"Gauge {at + 1} at night")
    found = [heading for heading, _ in levels(parsed(content))]
    assert found == ["Section 1", "Section 2", "Section 3"]


def test_text_in_a_font_of_wide_stems_is_not_bold_where_its_name_says_regular() -> None:
    pdf = Pdf()
    named: dict[str, int] = {}
    for key, name in (("F5", "LMRoman10-Regular"), ("F6", "SFRM1000"), ("F7", "T10")):
        described = pdf.add(f"<< /Type /FontDescriptor /FontName /AAAAAA+{name} /Flags 32 /StemV 160 /ItalicAngle 0 >>")
        entries = f"/Subtype /TrueType /BaseFont /AAAAAA+{name} /FirstChar 32 /LastChar 126"
        widths = " ".join(["500"] * 73 + ["250"] + ["500"] * 21)
        named[key] = pdf.add(f"<< /Type /Font {entries} /Widths [{widths}] /FontDescriptor {described} 0 R >>")
    content = lines(72, 760, PROSE)
    for at, (key, title) in enumerate((("F5", "Of soils"), ("F6", "Of waters"), ("F7", "Of airs"))):
        content += text(72, 700 - 90 * at, title, font=key) + lines(72, 680 - 90 * at, PROSE)
    pdf.page(content, fonts=named)
    document = read_pdf(pdf)
    assert [heading for heading, _ in levels(document)] == ["Of airs"], (
        "a name that tells nothing leaves it to the stems"
    )


def test_remarks_of_listings_in_larger_type_than_the_text_are_no_headings() -> None:
    content = text(72, 770, "A reference of gauges", size=18, font="F2")
    for at, title in enumerate(("Vectors", "Matrices", "Lists")):
        y = 720 - 150 * at
        content += text(72, y, title, size=12, font="F2") + lines(72, y - 20, PROSE, size=7, lead=9)
        content += text(72, y - 70, f"// filled with zeros by {title}", font="F3")
        content += lines(72, y - 100, PROSE, size=7, lead=9)
    found = [heading for heading, _ in levels(parsed(content))]
    assert found == ["A reference of gauges", "Vectors", "Matrices", "Lists"]


def test_run_in_titles_under_a_deeper_heading_stand_under_it_though_most_do_under_higher_ones() -> None:
    def run_in(y: float, title: str, width: float) -> str:
        return text(72, y, title, font="F2") + text(72 + width, y, PROSE_ON[0][:60]) + lines(72, y - 12, PROSE_ON[1:])

    head = text(72, 730, "Water", size=18, font="F2")
    first = run_in(700, "Sweet water.", 70) + run_in(640, "Salt water.", 64) + run_in(580, "Rain water.", 64)
    tail = text(72, 520, "Snow", size=14, font="F2") + run_in(490, "Dry snow.", 60)
    assert levels(parsed(head + first + tail)) == [
        ("Water", 1), ("Sweet water", 2), ("Salt water", 2), ("Rain water", 2), ("Snow", 2), ("Dry snow", 3)
    ]  # fmt: skip


def test_a_title_alone_on_a_cover_stands_over_larger_parts() -> None:
    cover = text(230, 600, "Stream protocol", size=14, font="F2") + text(72, 200, "Document version: 1")
    parts = under(700, "Contents", size=16), under(640, "Structure of packets", size=14)
    assert levels(parsed(cover, *parts)) == [("Stream protocol", 1), ("Contents", 2), ("Structure of packets", 3)]


def test_a_title_in_the_middle_stands_over_parts_set_as_it_is() -> None:
    title = text(280, 740, "The site", size=14, font="F2")
    parts = under(690, "Purpose", size=14) + under(590, "Description", size=14)
    assert levels(parsed(title + parts)) == [("The site", 1), ("Purpose", 2), ("Description", 2)]


def test_steps_numbered_anew_under_a_part_do_not_set_the_level_of_the_numbered_parts() -> None:
    def part(name: str, *below: str) -> str:
        small = "".join(under(690 - 90 * at, title, size=12) for at, title in enumerate(below))
        return text(72, 740, name, size=16, font="F2") + small

    clauses = ["1 Spacing", "2 Address", "3 Subject", "4 Salutation", "5 Enclosures"]
    made = levels(
        parsed(
            text(200, 740, "A manual of letters", size=20, font="F2") + under(640, "1 Grounds", size=16),
            part("2 Commands", "2.1 Known ones", "2.2 New ones", *clauses),
            part("3 Files", "3.1 Styles", "3.2 Tables"),
        )
    )
    found = dict(made)
    assert found["1 Grounds"] == found["2 Commands"] == found["3 Files"] == 2
    assert found["2.1 Known ones"] == found["3.2 Tables"] == 3 <= found["1 Spacing"] == found["5 Enclosures"]


def test_contents_have_the_level_of_the_chapters() -> None:
    contents = text(72, 740, "Contents", size=12, font="F2") + lines(72, 700, PROSE * 2)
    chapters = [under(740, f"Chapter {at}. {name}", size=16) for at, name in ((1, "Soil"), (2, "Water"))]
    sections = "".join(under(600 - 100 * at, name, size=14) for at, name in enumerate(("Clay", "Sand")))
    found = dict(levels(parsed(contents, chapters[0] + sections, chapters[1])))
    assert found["Contents"] == found["Chapter 2. Water"] < found["Clay"]


def test_a_second_document_behind_the_first_lowers_no_parts_of_the_first() -> None:
    title = text(72, 740, "Of frost on lakes", size=24) + lines(72, 700, PROSE)
    parts = "".join(
        under(640 - 90 * at, name, size=14) for at, name in enumerate(("Ice", "Snow", "Rain", "Hail", "Dew"))
    )
    behind = text(72, 740, "Supplement on rivers", size=24, font="F2") + lines(72, 700, PROSE)
    made = levels(parsed(title + parts, behind + under(600, "Floods", size=14)))
    assert made == [
        ("Of frost on lakes", 1), ("Ice", 2), ("Snow", 2), ("Rain", 2), ("Hail", 2), ("Dew", 2),
        ("Supplement on rivers", 1), ("Floods", 2),
    ]  # fmt: skip
