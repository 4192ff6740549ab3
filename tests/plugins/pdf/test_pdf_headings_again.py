"""Lines of PDFs that say headings again, and are none: running heads of parts of a page or two, and lists of contents
without pages; and what else words or rules tell to be none."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, drawing, grid, lines, rule, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import titles


@pytest.mark.parametrize(
    ("head", "font"),
    [
        ("Residual lifetime", "F1"),
        ("10 2.2 Residual lifetime YLL", "F2"),
        ("The barometer and residual 12", "F2"),
        ("CHAPTER 2. RESIDUAL LIFETIME", "F4"),
    ],
)
def test_a_head_that_says_the_title_of_the_page_before_runs(head: str, font: str) -> None:
    title = "2.2 Residual lifetime" if "barometer" not in head else "The barometer and residual things"
    pdf = Pdf()
    pdf.page(text(72, 700, title, size=16, font="F2") + lines(72, 670, PROSE * 6))
    pdf.page(text(72, 750, head, font=font) + lines(72, 720, PROSE * 6))
    assert titles(pdf) == [title]


def test_a_title_at_the_head_of_a_page_that_is_as_bold_as_the_one_before_stays() -> None:
    pdf = Pdf()
    for y in (600, 760):
        pdf.page(text(72, y, "Exercise of the day", size=16, font="F2") + lines(72, y - 30, PROSE * 6))
    assert titles(pdf) == ["Exercise of the day"] * 2


@pytest.mark.parametrize(("title", "size"), [("The pages of the site", 10), ("Contents", 14)])
def test_bold_lines_that_larger_headings_say_again_are_a_list_of_contents(title: str, size: float) -> None:
    """Under the name of such a part in larger type as well, as long as the headings are not smaller."""
    names = ["Navigation", "Container", "Header of the page", "Footer"]
    listed = (text(72, 650 - 30 * at, f"{at + 1}. {name}", size=size, font="F2") for at, name in enumerate(names))
    pdf = Pdf()
    pdf.page(text(72, 700, title, size=18, font="F2") + "".join(listed) + lines(72, 480, PROSE * 4))
    for at, name in enumerate(names):
        y = 640 - 40 * at
        pdf.page(text(72, y, name, size=16, font="F2") + lines(72, y - 30, PROSE * 4))
    assert titles(pdf)[1:] == names


@pytest.mark.parametrize(
    "line",
    ["//Start of the streaming", "2 von 4", "Continued on the back",
     "Version 1.0, Stand 15.09.2003", "[-scale number]", "(%o3) 3 sines and 4 more", "Out[3]: the sum of both",
     "2There are other letters that are affected by capitals, and some use the 'Letters.'"],
)  # fmt: skip
def test_remarks_numbers_of_pages_days_options_and_notes_are_no_headings(line: str) -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Streaming", size=16, font="F2") + lines(72, 670, PROSE * 3)
             + text(72, 560, line, size=14) + lines(72, 530, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Streaming"]


def test_edges_of_a_box_within_a_line_do_not_underline_it() -> None:
    pdf = Pdf()
    boxes = "".join(rule(150, 558 - at, 270, 558 - at) for at in (0.0, 0.5, 1.0))
    pdf.page(text(72, 700, "Facts", size=16, font="F2") + lines(72, 670, PROSE * 3)
             + text(72, 560, "The program writes a file with the name of facts.txt into it") + boxes
             + lines(72, 530, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Facts"]


def test_notes_of_a_staff_in_letters_are_no_heading() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Rhythms", size=16, font="F2") + lines(72, 670, PROSE * 3)
             + text(72, 560, "2 h h h h P h w h k", size=18) + lines(72, 530, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Rhythms"]


def test_lines_of_listings_set_as_names_in_the_outline_are_no_headings() -> None:
    pdf = Pdf()
    names = ["fitted", "residuals", "predict"]
    for at, name in enumerate(names):
        content = text(72, 700 - 20 * at, name, size=11, font="F3") + lines(72, 670 - 20 * at, PROSE * 3)
        pdf.page(content + (text(72, 400, "Criterion at the end", size=11, font="F3") if at == 1 else ""))
    first = len(pdf.objects) + 1
    root, last = first + len(names), first + len(names) - 1
    for at, name in enumerate(names):
        links = f"/Next {first + at + 1} 0 R " * (at + 1 < len(names)) + f"/Prev {first + at - 1} 0 R" * (at > 0)
        pdf.add(f"<< /Title ({name}) /Parent {root} 0 R /Dest [{pdf.pages[at]} 0 R /Fit] {links} >>")
    pdf.add(f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(names)} >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert titles(pdf) == names


def test_the_name_of_an_axis_in_the_middle_under_a_plot_is_no_heading() -> None:
    pdf = Pdf()
    plot = "".join(drawing(150, 300 + 75 * at, 250, 70) for at in range(2))
    pdf.page(text(72, 740, "Plots", size=16, font="F2") + lines(72, 700, PROSE * 3) + plot
             + text(225, 285, "Dimensions of it", font="F2") + lines(72, 240, PROSE * 3))  # fmt: skip
    assert titles(pdf) == ["Plots"]


def test_bold_names_between_a_title_and_its_abstract_are_no_headings() -> None:
    pdf = Pdf()
    names = text(250, 690, "Ada Lovelace", size=12, font="F2") + text(246, 674, "Charles Babbage", size=12, font="F2")
    pdf.page(text(200, 730, "On the engine", size=16, font="F2") + names + text(72, 640, "ABSTRACT", size=12, font="F2")
             + lines(72, 620, PROSE * 2) + text(72, 520, "GEARS", size=12, font="F2")
             + lines(72, 500, PROSE * 4))  # fmt: skip
    pdf.page(text(72, 640, "WHEELS", size=12, font="F2") + lines(72, 600, PROSE * 4))
    assert titles(pdf) == ["On the engine", "ABSTRACT", "GEARS", "WHEELS"]


def test_bold_lines_that_lead_to_later_pages_are_a_list_of_contents() -> None:
    names = ["1 Required classes", "2 Public functions"]
    pdf = Pdf()
    links = [
        f"<< /Type /Annot /Subtype /Link /Rect [72 {646 - 30 * at} 300 {662 - 30 * at}] /Border [0 0 0]"
        f" /Dest [{at + 1} /Fit] >>"
        for at in range(len(names))
    ]
    listed = "".join(text(72, 650 - 30 * at, name, font="F2") for at, name in enumerate(names))
    more = f"/Annots [{' '.join(links)}]"
    pdf.page(text(72, 700, "Contents", size=14, font="F2") + listed + lines(72, 500, PROSE), more=more)
    for name in names:
        pdf.page(text(72, 700, name, size=14, font="F2") + lines(72, 670, PROSE * 4))
    assert titles(pdf) == ["Contents", *names]


def test_what_is_to_be_filled_in_behind_a_label_is_no_paragraph_under_a_title() -> None:
    """Though three paragraphs open with a title in bold as it does."""
    said = {"Purpose:": 48, "Release:": 46, "Limitations:": 62}
    content = "".join(
        text(72, 700 - 40 * at, label, font="F2") + text(74 + width, 700 - 40 * at, PROSE[0].capitalize()[:70])
        + lines(72, 688 - 40 * at, [PROSE[1][:60]])
        for at, (label, width) in enumerate(said.items())
    )  # fmt: skip
    signed = text(72, 560, "Signature:", font="F2") + text(128, 560, "_" * 40 + " Date: " + "_" * 16)
    pdf = Pdf()
    pdf.page(content + signed)
    assert titles(pdf) == [label.rstrip(":") for label in said]


def test_titles_in_a_colour_of_their_own_are_headings_though_tables_say_most() -> None:
    pdf = Pdf()
    for names in (("Jobs", "Research"), ("Languages", "Travels")):
        content = ""
        for at, name in enumerate(names):
            y = 740 - 300 * at
            content += f"0 0.4 0.7 rg {text(72, y, name)} 0 g " + grid(
                [70, 190, 420], [y - 20 - 16 * row for row in range(7)]
            )
            for row in range(6):
                content += text(74, y - 32 - 16 * row, f"Period {row}")
                content += text(194, y - 32 - 16 * row, f"In the town of Harbour {row}")
        pdf.page(content)
    assert titles(pdf) == ["Jobs", "Research", "Languages", "Travels"]


def test_larger_lines_over_listings_are_headings() -> None:
    pdf = Pdf()
    content = text(72, 750, "From facts to graphs", size=20, font="F2")
    for at, name in enumerate(("Step one. Detect the overlaps", "Step two. Draw the edges", "Step three. Merge them")):
        y = 700 - 150 * at
        content += text(72, y, name, size=11) + text(80, y - 24, "python3 graph.py facts.txt", font="F3", size=9)
        content += lines(72, y - 50, PROSE)
    pdf.page(content)
    assert titles(pdf)[1:] == ["Step one. Detect the overlaps", "Step two. Draw the edges", "Step three. Merge them"]


def test_lines_in_the_sizes_of_a_type_are_no_headings_where_headings_have_fewer_levels() -> None:
    sizes = (30, 26, 22, 19, 17, 15, 13, 12)
    for count in (6, 8):
        tops = [700 - 2.2 * sum(sizes[:at]) for at in range(count)]
        shown = "".join(
            text(72, y, f"Hydrogen {y:.0f}", size=size, font="F2") for y, size in zip(tops, sizes, strict=False)
        )
        pdf = Pdf()
        pdf.page(shown + lines(72, 240, PROSE * 6))
        assert len(titles(pdf)) == (6 if count == 6 else 0)


def test_a_note_at_the_foot_of_a_page_is_no_heading() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Streaming", size=16, font="F2") + lines(72, 670, PROSE * 6)
             + text(72, 440, "4 see the list of the streams", font="F2"))  # fmt: skip
    pdf.page(text(72, 700, "Going on", size=16, font="F2") + lines(72, 670, PROSE * 6))
    assert titles(pdf) == ["Streaming", "Going on"]


def test_heads_of_columns_at_the_head_of_a_page_are_headings_and_a_name_in_its_corner_is_none() -> None:
    for left in ("Reading files", "A line of the text"):
        pdf = Pdf()
        first = text(60, 760, left, size=13, font="F2" if left == "Reading files" else "F1")
        pdf.page(first + lines(60, 735, PROSE * 3) + text(320, 760, "Package making", size=13, font="F2")
                 + lines(320, 735, ["A line of the second column", "goes on under its head and", "ends here."] * 3)
                 + text(60, 600, "Others", size=13, font="F2") + lines(60, 570, PROSE * 3))  # fmt: skip
        assert ("Package making" in titles(pdf)) is (left == "Reading files")


def test_lines_of_contents_that_were_joined_are_no_headings() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "The game", size=24, font="F2") + lines(72, 660, PROSE * 6))
    listed = [["Requirements 3", "Installing 4"], ["Getting Started 7", "Credits 12"]]
    joined = "".join(lines(72, 660 - 80 * at, names, size=14, lead=20) for at, names in enumerate(listed))
    pdf.page(text(72, 700, "Contents", size=18, font="F2") + joined)
    pdf.page(text(72, 700, "Requirements", size=18, font="F2") + lines(72, 670, PROSE * 6))
    assert titles(pdf) == ["The game", "Contents", "Requirements"]
