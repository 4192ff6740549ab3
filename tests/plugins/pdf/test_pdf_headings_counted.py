"""Headings of PDFs that count on, by letters or around a long title, and names of terms, notes and sections of CVs."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, grid, lines, rule, text
from support.formats.pdf_prose import PROSE, levels, read_pdf, titles
from support.formats.plugin_reading import of

from sidecar.api import Heading

MEANT = [
    "A long explanation of what the word above means to those who use it",
    "in their work, and of where it comes from.",
]


def glossary(letters: str, *, closely: bool = True) -> Pdf:
    """A page of terms over what they mean, under letters."""
    page, y = text(72, 740, "Words of the water board", size=20, font="F2"), 700.0
    for letter in letters:
        page += text(72, y, letter, size=16, font="F2")
        page += text(72, y - 30, f"{letter}quifer", font="F2") + lines(102, y - 43 - 6 * (not closely), MEANT)
        page += text(72, y - 70, f"{letter}bstraction", font="F2") + lines(102, y - 83 - 6 * (not closely), MEANT)
        y -= 130
    pdf = Pdf()
    pdf.page(page)
    return pdf


def test_letters_that_count_on_head_the_parts_of_a_glossary_and_its_terms_head_nothing() -> None:
    assert titles(glossary("ABC")) == ["Words of the water board", "A", "B", "C"]


def test_letters_in_no_order_head_nothing() -> None:
    assert not {"Q", "C", "A"} & set(titles(glossary("QCA")))


def test_bold_lines_set_apart_over_indented_text_stay_headings() -> None:
    assert "Aquifer" in titles(glossary("ABC", closely=False))


def test_a_long_line_between_two_numbered_headings_set_alike_is_one() -> None:
    asked = ["2.2 Why are there links on the official discs that are called as once,",
             "although those who made the discs said that nothing on them is old,",
             "and what should be done with links that lead nowhere!"]  # fmt: skip
    pdf = Pdf()
    pdf.page(
        text(72, 740, "2.1 Where to get the discs", size=10.5, font="F2") + lines(72, 720, PROSE * 2)
        + lines(72, 620, asked, size=10.5, lead=13, font="F2") + lines(72, 570, PROSE * 2)
        + text(72, 460, "2.3 What to do then", size=10.5, font="F2") + lines(72, 440, PROSE * 3)
    )  # fmt: skip
    assert len(titles(pdf)) == 3


@pytest.mark.parametrize("label", ["Warning", "Hinweis", "Nota:"])
def test_the_label_over_a_note_heads_nothing(label: str) -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 740, "Locks and keys", size=16, font="F2") + lines(72, 715, PROSE * 3)
        + text(72, 590, label, font="F2") + lines(72, 570, PROSE * 2)
        + text(72, 460, "Opening hours", size=16, font="F2") + lines(72, 435, PROSE * 3)
    )  # fmt: skip
    assert titles(pdf) == ["Locks and keys", "Opening hours"]


@pytest.mark.parametrize(("label", "heads"), [("Value:", False), ("Value", True), ("References:", True)])
def test_one_word_with_a_colon_in_the_style_of_headings_heads_nothing_unless_it_names_a_part(
    label: str, heads: bool
) -> None:
    pdf = Pdf()
    names = ["Locks and keys", "Opening hours", label, "Closing a lock"]
    page = "".join(
        text(72, 740 - 150 * at, name, font="F2") + lines(72, 720 - 150 * at, PROSE * 2)
        for at, name in enumerate(names)
    )
    pdf.page(page)
    assert titles(pdf) == [name for name in names if heads or name != label]


def test_the_last_item_of_a_list_over_a_paragraph_is_no_title_though_plain_titles_count_as_it_does() -> None:
    pdf = Pdf()
    names = ["Locks", "Opening hours", "Keys", "Closing a lock", "Holidays", "Going on"]
    sections = [
        text(72, 750 - 115 * at, f"{at + 1}. {name}") + lines(72, 730 - 115 * at, PROSE)
        for at, name in enumerate(names)
    ]
    items = text(90, 570, "1. The lower lock") + text(90, 552, "2. The upper lock") + lines(72, 530, PROSE)
    pdf.page("".join([*sections[:2], items, *(f"q 1 0 0 1 0 -70 cm {part} Q " for part in sections[2:])]))
    assert titles(pdf) == [f"{at} {name}" for at, name in enumerate(names, 1)]


def test_titles_in_italics_a_little_smaller_than_the_text_under_them() -> None:
    pdf = Pdf()
    names = ["Short title", "Interpretation", "Powers of inspectors"]
    pdf.page(
        "".join(
            text(72, 740 - 150 * at, name, size=10, font="F4") + lines(72, 724 - 150 * at, PROSE * 2, size=11, lead=13)
            for at, name in enumerate(names)
        )
    )
    assert titles(pdf) == names


def test_sections_of_a_cv_in_capitals_smaller_than_the_entries_under_them() -> None:
    pdf = Pdf()
    sections = ["EXPERIENCE", "EDUCATION", "AWARDS", "LANGUAGES"]
    page = text(72, 760, "Anna Green", size=22, font="F2")
    for at, name in enumerate(sections):
        y = 720 - 110 * at
        page += text(72, y, name, size=9.5, font="F2") + text(72, y - 24, "Head of operations", size=12, font="F2")
        page += text(72, y - 42, "Northfield Water") + lines(90, y - 58, PROSE[:2])
    pdf.page(page)
    assert [title for title in titles(pdf) if title.isupper()] == sections


def test_the_last_item_of_an_agenda_is_a_heading_though_nothing_stands_under_it() -> None:
    items = ["1. Welcome", "2. Minutes of the last meeting", "3. Reports of members", "4. Close"]
    pdf = Pdf()
    page = text(72, 740, "Committee agenda", size=16, font="F2")
    for at, item in enumerate(items):
        page += text(72, 700 - 70 * at, item, size=12, font="F2")
        page += lines(72, 680 - 70 * at, PROSE) if item != items[-1] else ""
    pdf.page(page)
    assert titles(pdf)[1:] == [item.replace(".", "") for item in items]


def test_the_labels_of_fields_of_an_invoice_head_nothing() -> None:
    pdf = Pdf()
    page = text(72, 740, "INVOICE", size=20, font="F2")
    for at, label in enumerate(["Billed to", "Shipped to", "Invoice number"]):
        page += text(72, 700 - 60 * at, label, font="F2")
        page += lines(72, 686 - 60 * at, ["The mill at the river in the north of the town,", "by the old bridge."])
    pdf.page(page + text(72, 510, "Terms", size=12, font="F2") + lines(72, 490, PROSE))
    assert titles(pdf) == ["INVOICE", "Terms"]


def test_bold_headings_of_one_size_nest_where_slanted_ones_stand_right_over_upright_ones() -> None:
    pdf = Pdf()
    slanted = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-BoldOblique >>")
    page = text(72, 740, "Handbook", size=20, font="F2")
    for at, (name, under) in enumerate([("Tools", ["Hoe", "Rake"]), ("Plants", ["Trees", "Shrubs"])]):
        y = 700 - 250 * at
        page += text(72, y, name, size=14, font="F9")
        for place, lower in enumerate(under):
            page += text(72, y - 25 - 100 * place, lower, size=14, font="F2") + lines(72, y - 45 - 100 * place, PROSE)
    pdf.page(page, fonts={"F9": slanted})
    told = dict(levels(read_pdf(pdf)))
    assert told["Tools"] == told["Plants"] < told["Hoe"] == told["Shrubs"]


def east_asian(pdf: Pdf, characters: dict[str, str]) -> int:
    """A font whose codes say characters of East Asian scripts."""
    pairs = " ".join(f"<{ord(code):02x}> <{told.encode('utf-16-be').hex()}>" for code, told in characters.items())
    unicode = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff>"
        f" endcodespacerange {len(characters)} beginbfchar {pairs} endbfchar endcmap end end"
    )
    return pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Some /FirstChar 33 /LastChar 126"
        f" /Widths [{' '.join(['1000'] * 94)}] /ToUnicode {unicode} 0 R >>"
    )


def test_titles_in_brackets_over_articles_head_them() -> None:
    pdf = Pdf()
    told = east_asian(
        pdf, {"a": "第", "b": "一", "c": "条", "d": "（", "e": "目", "f": "的", "g": "）", "h": "文", "i": "。"}
    )
    page = ""
    for at, title in enumerate(["defg", "dehg"]):
        page += text(72, 700 - 80 * at, title, font="F9") + text(
            72, 680 - 80 * at, "abc hhhhhhhhhhhhhhhhhhhhi", font="F9"
        )
    pdf.page(page, fonts={"F9": told})
    assert titles(pdf) == ["（目的）", "（目文）"]


def test_a_word_of_another_script_with_a_number_counts_on() -> None:
    pdf = Pdf()
    told = east_asian(pdf, {"a": "議", "b": "題", "1": "１", "2": "２", "3": "３", "h": "文", "i": "。"})
    page = ""
    for at in range(3):
        y = 700 - 50 * at
        page += text(72, y, f"ab{at + 1}", font="F9") + text(110, y, "hhb", font="F9")
        page += lines(72, y - 16, ["h" * 40, "hhhhi"], lead=14, font="F9")
    pdf.page(page, fonts={"F9": told})
    assert titles(pdf) == ["議題１ 文文題", "議題２ 文文題", "議題３ 文文題"]


def test_the_titles_of_a_form_whose_other_text_stands_in_tables_are_headings() -> None:
    names = ["Delivery note", "Cancelled delivery note", "Draft of the delivery note"]
    pdf = Pdf()
    cells = text(78, 662, "Date", size=12) + text(256, 662, "Ward", size=12)
    pdf.page(grid([72, 250, 430], [680, 655, 630]) + cells + "".join(
        text(220, 500 - 60 * at, name, size=16, font="F2") for at, name in enumerate(names)
    ) + text(72, 300, "Signed", size=12))  # fmt: skip
    assert {*names[1:]} <= {*titles(pdf)}


def test_questions_in_a_type_of_their_own_are_headings() -> None:
    asked = ["What is a season ticket?", "May I bring my dog?", "When does the park close?"]
    page = text(72, 740, "Help", size=20, font="F2")
    for at, question in enumerate(asked):
        page += text(72, 700 - 70 * at, question, size=10.4) + lines(
            72, 675 - 70 * at, ["You may read all of it at the gate."]
        )
    pdf = Pdf()
    pdf.page(page + lines(72, 480, PROSE * 2))
    assert titles(pdf)[1:] == asked


def test_articles_of_a_korean_statute_count_on() -> None:
    pdf = Pdf()
    told = east_asian(
        pdf, {"a": "제", "b": "조", "1": "1", "2": "2", "3": "3", "d": "(", "e": "목", "g": ")", "h": "문", "i": "."}
    )
    page = ""
    for at in range(3):
        page += text(72, 700 - 50 * at, f"a{at + 1}bdeg", font="F9")
        page += lines(72, 684 - 50 * at, ["h" * 40, "hhhhi"], lead=14, font="F9")
    pdf.page(page, fonts={"F9": told})
    assert titles(pdf) == ["제1조(목)", "제2조(목)", "제3조(목)"]


def test_sections_of_a_chinese_statute_stand_under_its_chapters_set_alike() -> None:
    pdf = Pdf()
    told = east_asian(pdf, {"a": "第", "b": "一", "j": "二", "c": "章", "d": "节", "h": "文", "i": "。"})
    page = ""
    for at, head in enumerate(["abc", "ajc", "abd", "ajd"]):
        page += text(72, 700 - 90 * at, head, size=14, font="F9") + text(130, 700 - 90 * at, "hh", size=14, font="F9")
        page += lines(72, 670 - 90 * at, ["h" * 40, "h" * 40, "hhhhi"], lead=14, font="F9")
    pdf.page(page, fonts={"F9": told})
    ranks = [level for _, level in levels(read_pdf(pdf))]
    assert ranks[0] == ranks[1] < ranks[2] == ranks[3]


def test_the_only_part_with_parts_of_its_own_stands_over_them() -> None:
    pdf = Pdf()
    slanted = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-BoldOblique >>")
    page = text(72, 760, "Club news", size=20, font="F2")
    for at, (name, font) in enumerate(
        [("Sale", "F9"), ("Walk", "F9"), ("Matters", "F9"), ("Members", "F2"), ("Fees", "F2")]
    ):
        y = 730 - 90 * at + 60 * (at > 2)
        page += text(72, y, name, size=14, font=font) + (lines(72, y - 20, PROSE) if name != "Matters" else "")
    pdf.page(page, fonts={"F9": slanted})
    told = dict(levels(read_pdf(pdf)))
    assert told["Sale"] == told["Matters"] < told["Members"] == told["Fees"]


def test_titles_over_rules_in_the_type_of_the_entries_under_them() -> None:
    pdf = Pdf()
    page = text(72, 760, "Emma Hill", size=22)
    for at, name in enumerate(["Employment", "Education", "Interests"]):
        y = 720 - 90 * at
        page += text(72, y, name, font="F2") + rule(72, y - 4, 540, y - 4)
        page += text(72, y - 24, "Gardener", font="F2") + text(480, y - 24, "2015-2022")
        page += text(72, y - 36, "Northfield Parks", font="F4") + lines(92, y - 60, [PROSE[0]])
    pdf.page(page)
    assert titles(pdf)[1:] == ["Employment", "Education", "Interests"]


@pytest.mark.parametrize(
    ("font", "names"),
    [("F2", ["1.1.History of parcels", "1.1.1.BOOM", "1.1.2.A detour"]), ("F4", ["1.1: In scope", "1.2: Out of scope"]),
     ("F4", ["Section 4.1 Tasks of members", "Section 4.2 Votes of members"])],
)  # fmt: skip
def test_numbers_set_close_before_a_colon_or_behind_a_word_head_parts(font: str, names: list[str]) -> None:
    pdf, page = Pdf(), text(72, 760, "Parcels", size=20, font="F2") + lines(72, 735, PROSE)
    for at, name in enumerate(names):
        page += text(72, 640 - 130 * at, name, font=font, size=11) + lines(72, 615 - 130 * at, PROSE)
    remarks = [f"so said the {name}, who was asked about it." for name in ("baker", "smith", "miller", "tailor")]
    pdf.page(page + lines(72, 180, remarks, font="F4", size=11, lead=28))
    found = list(of(read_pdf(pdf), Heading))[1:]
    assert len(found) == len(names)
    assert [heading.number + heading.text for heading in found] == [name.replace(".H", "H").replace(".B", "B")
        .replace(".A", "A").replace(": ", "") for name in names]  # fmt: skip


def test_numbers_over_points_that_are_not_indented_from_them_count_headings() -> None:
    """In a form all of whose lines are bold; points under the items of a list are indented."""
    for indent in (0, 20):
        pdf = Pdf()
        asked = "".join(
            text(72, 700 - 90 * at, f"{at + 1}. {title}", font="F2")
            + "".join(
                text(72 + indent, 676 - 90 * at - 24 * n, "\x95 The agent may act for me", font="F2") for n in (0, 1)
            )
            for at, title in enumerate(["Care of health", "Staying at home", "Offices", "Matters of money"])
        )
        pdf.page(text(200, 750, "Power", size=14, font="F2") + asked)
        assert len(titles(pdf)) == (1 if indent else 5)


def test_plain_numbered_titles_that_count_on_are_headings_whatever_little_stands_under_some() -> None:
    """By how deep their numbers go; prompts with numbers are none."""
    parts = [("1. Interval timer", PROSE), ("2. Extended memory", PROSE), ("2.1 User mode", PROSE[:1]),
             ("2.2 MAS 5.0", PROSE), ("3. Channels", PROSE), ("3.1 Drums", ["Unused."]),
             ("4 error>", PROSE), ("3.2 Disks", PROSE)]  # fmt: skip
    pdf, content, y = Pdf(), text(72, 760, "The machine", size=16, font="F2"), 730.0
    for title, under in parts:
        content += text(72, y, title) + lines(72, y - 24, under)
        y -= 50 + 12 * len(under)
    pdf.page(content)
    found = levels(read_pdf(pdf))
    assert [(title.split()[0].rstrip("."), level) for title, level in found[1:]] == [
        ("1", 2), ("2", 2), ("2.1", 3), ("2.2", 3), ("3", 2), ("3.1", 3), ("3.2", 3),
    ]  # fmt: skip


def test_a_number_that_stands_apart_from_its_title_is_the_number_of_it() -> None:
    """As at the left of a page that an equation in its middle parts into two columns."""
    pdf, content = Pdf(), text(72, 760, "4.2 Efficiency", size=14, font="F2")
    for at, name in enumerate(("Spillover", "Blockage", "Roughness"), 1):
        y = 760 - 170 * at
        content += lines(72, y + 90, PROSE * 3)
        content += text(72, y, f"4.2.{at}", font="F2") + text(112, y, f"{name} of the dish", font="F2")
    pdf.page(content + lines(72, 220, PROSE * 3))
    assert titles(pdf)[1:] == [f"4.2.{at} {name} of the dish" for at, name in (
        (1, "Spillover"), (2, "Blockage"), (3, "Roughness"))]  # fmt: skip


def test_the_last_of_bold_numbers_is_a_heading_over_nothing_but_a_line_to_fill_in() -> None:
    pdf, content, y = Pdf(), text(72, 770, "Power of attorney", size=16, font="F2"), 740.0
    for number, name in enumerate(("Health", "Housing", "Offices", "Post"), 1):
        content += text(72, y, f"{number}. {name}", font="F2") + lines(72, y - 20, PROSE * 2)
        y -= 90 + 12
    pdf.page(content + text(72, y, "5. Further rules", font="F2") + rule(72, y - 40, 300, 1))
    assert titles(pdf)[-1] == "5 Further rules"


@pytest.mark.parametrize("title", [
    '"trace" sections', "(Short) introduction", "\\looseness", "#defines", "512-bit logarithms", "316/516 Line printer",
    "1st possibility", "940-0024C clone", "316/516-12 Real time clock", "'configure' stops", '".NET" or its long name',
])  # fmt: skip
def test_a_number_is_told_from_a_title_that_begins_with_no_letter(title: str) -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 740, "2 Parts", size=16, font="F2") + lines(72, 715, PROSE * 2)
        + text(72, 640, f"2.1 {title}", size=13, font="F2") + lines(72, 620, PROSE * 3)
    )  # fmt: skip
    assert [(one.number, one.level) for one in of(read_pdf(pdf), Heading)] == [("2", 1), ("2.1", 2)]


def test_sentences_behind_deep_numbers_in_larger_type_are_headings() -> None:
    """As those of lists of questions are, of which few end as a sentence does; without such a number that is text."""
    asked = ["5.1 The dialogs for the choice of a file do not show what lies in a folder.",
             "5.2 Where are the files of the version before?", "5.3 How fast is it?"]  # fmt: skip
    pdf = Pdf()
    pdf.page(
        text(72, 740, "5 Questions", size=16, font="F2") + lines(72, 710, PROSE)
        + text(72, 620, asked[0], size=12) + lines(72, 590, PROSE * 2)
        + text(72, 470, asked[1], size=12) + lines(72, 440, PROSE * 2)
        + text(72, 320, asked[2], size=12) + lines(72, 290, PROSE)
        + text(72, 220, "This is said in larger type than the text and is no title of anything.", size=13)
        + lines(72, 190, PROSE)
    )  # fmt: skip
    assert titles(pdf) == ["5 Questions", *asked]
