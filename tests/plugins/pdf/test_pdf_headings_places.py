"""Headings of PDFs that only their place, or the type around them, tells: titles of slides, among running heads, on
pages in small print, and over text that the file calls bold; and lines set as headings are that are none."""

from __future__ import annotations

import pytest
from sidecar_pdf.structure.headings.edges import within_text
from sidecar_pdf.structure.regions import PageRegions, Region
from support.formats.pdf_builder import Pdf, lines, rule, sfnt, text
from support.formats.pdf_prose import PROSE_ON as PROSE
from support.formats.pdf_prose import read_pdf as read
from support.formats.plugin_reading import of

from sidecar.api import Heading, Paragraph, Table

SLIDE = "0 0 792 612"


def titles(pdf: Pdf) -> list[str]:
    return [heading.text for heading in of(read(pdf), Heading)]


@pytest.mark.parametrize(("name", "stem"), [("CMR10", 151), ("SimSun", 333)])
def test_a_plain_font_with_the_stems_of_a_bold_one_is_plain(name: str, stem: int) -> None:
    """Ghostscript measures the stems of plain fonts too thick, and xdvipdfmx writes what is no stem for Chinese ones:
    all their text would be bold, and no title is."""
    pdf = Pdf()
    file = pdf.stream(sfnt({code - 29: chr(code) for code in range(32, 127)}))
    descriptor = pdf.add(
        f"<< /Type /FontDescriptor /FontName /ABCDEF+{name} /Flags 32 /FontBBox [0 -200 1000 900] /ItalicAngle 0"
        f" /Ascent 900 /Descent -200 /CapHeight 700 /StemV {stem} /FontFile2 {file} 0 R >>"
    )
    plain = pdf.add(
        f"<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+{name} /Encoding /WinAnsiEncoding /FirstChar 32"
        f" /LastChar 126 /Widths [{' '.join(['500'] * 95)}] /FontDescriptor {descriptor} 0 R >>"
    )
    pdf.page(text(72, 700, "Closing a file", font="F2") + lines(72, 684, PROSE * 3, font="G1"), fonts={"G1": plain})
    assert titles(pdf) == ["Closing a file"]
    assert [span.kind for paragraph in of(read(pdf), Paragraph) for span in paragraph.spans] == []


def test_numbered_titles_that_repeat_under_running_heads_are_no_part_of_them() -> None:
    pdf = Pdf()
    for at in range(1, 5):
        head = text(250, 760, "Guide of the developer") + text(72, 730, f"4.{at}. Synopsis", font="F2")
        pdf.page(head + lines(72, 700, PROSE * 4))
    assert titles(pdf) == ["Synopsis"] * 4


def test_large_titles_between_rows_that_repeat_are_no_running_heads() -> None:
    """Each page begins with the name of a command and the same head of its first part."""
    pdf = Pdf()
    for name in ("Balls", "Render", "Stereo", "Label"):
        head = text(250, 770, "Manual 2.7", size=8) + text(72, 740, name, size=18, font="F2")
        pdf.page(head + text(72, 715, "SYNOPSIS", font="F2") + lines(72, 690, PROSE * 4))
    assert titles(pdf) == [word for name in ("Balls", "Render", "Stereo", "Label") for word in (name, "SYNOPSIS")]


def test_feet_of_wide_pages_with_their_number_are_no_text() -> None:
    pdf = Pdf()
    for at in range(1, 5):
        foot = text(72, 84, "Features of the font", font="F2") + text(600, 84, f"Page {at} of 4", font="F2")
        pdf.page(lines(72, 500, PROSE * 4) + foot, box=SLIDE)
    assert not [block for block in read(pdf).parts[1].blocks if "Features" in repr(block)]


def test_slides_that_are_bold_and_large_throughout_have_titles() -> None:
    pdf = Pdf()
    pdf.page(text(300, 300, "Modeling of systems", size=34, font="F2") + text(300, 250, "Ada Vale", size=26, font="F2"),
             box=SLIDE)  # fmt: skip
    for title in ("Falling edge", "Rising edge", "Arbiter", "Blocking master"):
        told = ["Provides access to slaves,", "waits until it is granted and", "goes on with the next of them."]
        pdf.page(
            text(74, 530, title, size=32, font="F2") + lines(90, 420, told, size=30, lead=36, font="F2"), box=SLIDE
        )
    assert titles(pdf) == ["Modeling of systems", "Falling edge", "Rising edge", "Arbiter", "Blocking master"]


def test_points_of_slides_and_labels_of_what_they_show_are_no_headings() -> None:
    """Points are set bold and large, labels larger than most; bold lines over plain ones head parts of a slide."""
    pdf = Pdf()
    for title in ("The sender", "The queue", "The receiver"):
        points = text(90, 430, "The goal is to show:", size=24, font="F2") + text(90, 120, "Traffic module", size=16)
        parts = text(90, 330, "Colours", size=18, font="F2") + text(90, 300, "- red, green and blue", size=14)
        small = lines(90, 260, ["what is said there is said in small type, and it is most of it"] * 4, size=12)
        pdf.page(text(72, 540, title, size=32, font="F2") + points + parts + small, box=SLIDE)
    assert titles(pdf) == [word for title in ("The sender", "The queue", "The receiver") for word in (title, "Colours")]


def test_the_title_of_some_slides_in_turn_is_no_running_head() -> None:
    pdf = Pdf()
    for at in range(12):
        title = "Step by step. . ." if at in {3, 4, 5, 6} else f"Part {'ABCDEFGHIJKL'[at]} of the work"
        pdf.page(text(30, 570, title, size=24, font="F2") + lines(40, 400, PROSE[:2], size=14, lead=20), box=SLIDE)
    assert titles(pdf).count("Step by step. . .") == 4


def test_bold_lines_left_of_all_text_are_headings_beside_terms_set_as_they_are() -> None:
    """As in manual pages, whose terms are as bold as the titles of their parts."""
    pdf = Pdf()
    for part in ("Coprocesses", "Pipelines", "Lists"):
        terms = "".join(
            text(108, 680 - 60 * at, f"{term} list; do list; done", font="F2") + lines(130, 668 - 60 * at, PROSE)
            for at, term in enumerate(("while", "until", "for", "select"))
        )
        pdf.page(text(87, 440, part, font="F2") + lines(108, 426, PROSE * 4) + terms)
    assert titles(pdf) == ["Coprocesses", "Pipelines", "Lists"]


def test_what_is_typed_at_a_prompt_and_options_are_no_headings() -> None:
    pdf = Pdf()
    shown = text(72, 700, "Showing tokens", size=14, font="F2") + lines(72, 680, PROSE)
    typed = text(72, 620, "% tokens", font="F2") + lines(72, 600, PROSE) + text(72, 540, "--debugger", font="F2")
    pdf.page(shown + typed + lines(72, 520, PROSE * 2))
    assert titles(pdf) == ["Showing tokens"]


def test_titles_on_a_page_in_small_print_alone_are_headings() -> None:
    pdf = Pdf()
    for _ in range(3):
        pdf.page(lines(72, 700, PROSE * 8, size=12, lead=14))
    content = ""
    for at, title in enumerate(("5. COMBINING DOCUMENTS", "6. COLLECTIONS", "7. TERMINATION", "8. TRANSLATION")):
        content += text(72, 700 - 80 * at, title, size=7, font="F2") + lines(
            72, 686 - 80 * at, PROSE * 2, size=7, lead=8
        )
    pdf.page(content)
    assert titles(pdf) == ["COMBINING DOCUMENTS", "COLLECTIONS", "TERMINATION", "TRANSLATION"]


def test_the_number_of_a_grant_in_a_title_does_not_make_it_a_field() -> None:
    title = "Parallel Toolbox of the Seventh Programme, Grant no.: 225149"
    pdf = Pdf()
    pdf.page(text(127, 700, title, size=16) + lines(72, 640, PROSE * 3))
    pdf.page(lines(72, 700, PROSE * 4))
    assert titles(pdf) == [title]


def test_addresses_and_versions_on_a_cover_are_no_headings() -> None:
    pdf = Pdf()
    cover = text(150, 650, "The Compiler and its Interface", size=24, font="F2")
    cover += text(150, 540, "ada.vale@example.org", size=12, font="F2") + text(
        150, 510, "Version 0.71", size=12, font="F2"
    )
    pdf.page(cover + text(150, 90, "141 Parkway, Junction, MD 20701", size=16, font="F2"))
    pdf.page(lines(72, 700, PROSE * 4))
    assert titles(pdf) == ["The Compiler and its Interface"]


def test_a_line_of_a_listing_is_no_heading_that_ends_as_it_does() -> None:
    pdf = Pdf()
    listing = text(100, 570, "[cluster]", font="F3") + lines(100, 550, ["Name = c4", "Members = n1 n2"], font="F3")
    pdf.page(text(72, 700, "3.2 Testing the cluster", size=14, font="F2") + lines(72, 680, PROSE * 2) + listing)
    entry = pdf.add(f"<< /Title (Testing the cluster) /Parent 99 0 R /Dest [{pdf.pages[0]} 0 R /Fit] >>")
    root = pdf.add(f"<< /Type /Outlines /First {entry} 0 R /Last {entry} 0 R /Count 1 >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert titles(pdf) == ["Testing the cluster"]


def test_large_pieces_within_a_paragraph_are_told() -> None:
    """Samples of a script, which the file draws over the lines of a list."""
    paragraph = Region("text", "False: Ka True: Kra", (72, 77, 351, 282), size=10, lines=14)
    sample = Region("text", "Kra", (134, 194, 142, 211), size=12)
    title = Region("text", "List of features", (72, 61, 196, 72), size=12)
    page = PageRegions(595, 842, regions=[title, paragraph, sample])
    assert within_text(page) == {id(sample)}


def test_a_large_title_between_two_tables_of_one_extent_is_no_row_of_them() -> None:
    first = [
        "Mainframe fixed-width data files; needs",
        "the layout of records, passed",
        "through its options;",
        "ebc alone",
    ]
    second = {
        "HTML": ["Both image embedding and", "referencing are supported"],
        "Markdown": [],
        "JSON": ["Lossless serialization of the", "Document"],
        "XML": ["Serialization that follows", "a schema"],
        "Text": ["Plain text, without Markdown", "markers"],
    }
    content = "".join(rule(94, y, 502, y) for y in (786, 764, 666, 600, 578, 370))
    content += text(94, 624, "Supported output formats", size=18, font="F2")
    for y in (770, 584):
        content += text(94, y, "Format", size=12, font="F2") + text(250, y, "Description", size=12, font="F2")
    content += lines(250, 750, first, size=12, lead=18)
    content += text(94, 674, "JSON", size=12) + text(250, 674, "JSON-serialized Document", size=12)
    y = 563
    for label, told in second.items():
        content += text(94, y, label, size=12) + lines(250, y, told, size=12, lead=18)
        y -= 18 * max(len(told), 1) + 3
    pdf = Pdf()
    pdf.page(content, box="0 0 595 842")
    assert titles(pdf) == ["Supported output formats"]
    assert [table.rows[0] for table in of(read(pdf), Table)] == [("Format", "Description")] * 2


def test_the_bold_name_a_sentence_begins_with_is_no_part_of_the_title_before_it() -> None:
    pdf = Pdf()
    content = ""
    for at, (title, width) in enumerate((("2.1. Special methods. Rcpp", 132), ("2.2. Finalizers. Rcpp", 99))):
        opening = text(72, 700 - 90 * at, title, font="F2") + text(
            72 + width, 700 - 90 * at, "considers " + PROSE[0][:50]
        )
        content += opening + lines(72, 688 - 90 * at, PROSE)
    pdf.page(content)
    assert titles(pdf) == ["Special methods", "Finalizers"]


def test_the_notes_of_a_staff_in_a_music_font_are_no_headings() -> None:
    pdf = Pdf()
    staff = text(72, 640, "cccccccccccc 555", size=16, font="F2") + lines(72, 600, PROSE)
    pdf.page(text(72, 700, "Repeats", size=14, font="F2") + lines(72, 680, PROSE) + staff)
    assert titles(pdf) == ["Repeats"]


def band(y: float, height: float) -> str:
    """Three pieces of colour over the whole width of a slide, as themes draw a ground for its title."""
    return "".join(f"0.{at} 0.5 0.8 rg {264 * at} {y} 264 {height} re f " for at in range(3)) + "0 g "


def test_titles_of_slides_on_bands_of_colour_are_no_part_of_a_figure() -> None:
    """Bands at the head, the foot and behind terms reach to every edge of a slide, as drawings do that fill a page."""
    pdf = Pdf()
    for title in ("List of specials", "Colours", "Objects", "Fonts"):
        pieces = "".join(
            band(460 - 110 * at, 36) + text(20, 470 - 110 * at, term, size=26, font="F2")
            + text(60, 430 - 110 * at, "annot, bann, eann", size=20)
            for at, term in enumerate(("Annotation", "Outline", "Article"))
        )  # fmt: skip
        pdf.page(band(540, 72) + text(260, 560, title, size=40, font="F2") + pieces + band(0, 30), box=SLIDE)
    slide = read(pdf).parts[1]
    assert next(block.text for block in slide.blocks if isinstance(block, Heading)) == "Colours"
    assert "annot, bann, eann" in [block.text for block in slide.blocks if isinstance(block, Paragraph)]


def test_a_running_foot_with_a_year_beside_the_number_of_the_page_is_no_heading() -> None:
    """Where text comes close to the foot, only what other pages have there tells it."""
    pdf = Pdf()
    for at in range(1, 11):
        content = lines(72, 688, PROSE * (15 if at in {5, 6, 7} else 4), lead=14)
        pdf.page(content + text(200, 55, f"Page {at} - Guide V5 - March 6, 2011", size=12))
    assert titles(pdf) == []


def test_who_wrote_a_document_is_no_heading_of_its_cover() -> None:
    covers = {
        "by Brian S. Vale": [("by Brian S. Vale", 14, "F2")],
        "The Vale Development Team": [("The Vale Development Team", 16, "F2")],
        "Ada Vale (editor)": [("Ada Vale (editor)", 14, "F1")],
        "MIT": [("Release 1.20.1", 17, "F2"), ("MIT", 17, "F2")],
        "Lisa Dale": [("Lisa Dale", 14, "F2"), ("November 07, 2022", 10, "F2")],
    }
    for author, said in covers.items():
        pdf = Pdf()
        cover = text(150, 650, "The User Guide", size=24, font="F2")
        pdf.page(
            cover + "".join(text(150, 560 - 40 * at, *one[:1], size=one[1], font=one[2]) for at, one in enumerate(said))
        )
        pdf.page(lines(72, 700, PROSE * 4))
        found = titles(pdf)
        assert found[:1] == ["The User Guide"] and author not in found


def test_a_title_that_ends_with_a_version_is_no_field() -> None:
    pdf = Pdf()
    pdf.page(text(200, 700, "The manual of the compiler, version 1.04", size=17) + lines(72, 640, PROSE * 3))
    pdf.page(lines(72, 700, PROSE * 4))
    assert titles(pdf) == ["The manual of the compiler, version 1.04"]


def test_a_name_with_its_release_on_a_cover_is_no_sum() -> None:
    for said, found in (("Malaga 7.12", ["Malaga 7.12"]), ("Total 7.12", [])):
        pdf = Pdf()
        pdf.page(text(72, 600, said, size=20, font="F2") + text(360, 570, "The manual of its users", size=11))
        pdf.page(lines(72, 700, PROSE * 4))
        assert titles(pdf) == found


def test_lines_of_a_title_are_one_where_the_first_leads_on() -> None:
    pdf = Pdf()
    pdf.page(
        text(160, 704, "Introduction to", size=20, font="F2") + text(160, 674, "Field Notation", size=28, font="F2")
    )
    pdf.page(lines(72, 700, PROSE * 4))
    assert titles(pdf) == ["Introduction to Field Notation"]


def test_a_style_far_larger_than_text_sets_no_labels() -> None:
    """The title of a document stands alone on its cover, on the page behind it, and over the list of contents."""
    pdf = Pdf()
    for y in (400, 420, 440):
        pdf.page(text(150, y, "A short history", size=21, font="F2"))
    for _ in range(3):
        pdf.page(lines(72, 700, PROSE * 6))
    assert titles(pdf)[:1] == ["A short history"]


def test_a_bold_title_stands_apart_from_a_line_that_names_in_bold_fill() -> None:
    """The line under the title begins plain, and most of its letters are those of a name of a function."""
    pdf = Pdf()
    named = text(102, 686, "The function") + text(170, 686, "archive_entry_symlink_type_of_the_reader()", font="F2")
    told = named + text(450, 686, "returns what the") + lines(102, 673, PROSE, lead=13)
    pdf.page(text(72, 699, "DESCRIPTION", font="F2") + told)
    pdf.page(lines(72, 700, PROSE * 6, lead=13))
    assert titles(pdf) == ["DESCRIPTION"]


def test_marks_of_notes_join_no_author_to_a_title() -> None:
    pdf = Pdf()
    cover = text(150, 700, "Tables of quality for a publication", size=17) + text(418, 706, "*", size=12)
    cover += text(250, 681, "Simon Vale", size=12) + text(225, 667, "University of Ternay", size=12)
    pdf.page(cover + text(230, 640, "Printed 2 avril 2011", size=12) + lines(72, 600, PROSE * 5))
    pdf.page(lines(72, 700, PROSE * 6))
    assert titles(pdf) == ["Tables of quality for a publication *"]


def test_a_heading_said_again_in_typewriter_type_is_an_example() -> None:
    pdf = Pdf()
    said = text(72, 700, "clean", size=14, font="F2") + text(110, 676, "CLEAN", font="F3") + lines(72, 650, PROSE)
    pdf.page(said)
    entry = pdf.add(f"<< /Title (clean) /Parent 99 0 R /Dest [{pdf.pages[0]} 0 R /Fit] >>")
    root = pdf.add(f"<< /Type /Outlines /First {entry} 0 R /Last {entry} 0 R /Count 1 >>")
    pdf.catalog = f"/Outlines {root} 0 R"
    assert titles(pdf) == ["clean"]


def test_a_bold_title_in_capitals_stands_apart_from_an_indented_bold_line() -> None:
    pdf = Pdf()
    for name in ("cluster", "prune"):
        more = text(72, 500, "SEE ALSO", font="F2") + text(100, 487, f"{name}(1), gvpr(1)", font="F2")
        pdf.page(text(72, 700, "DESCRIPTION", font="F2") + lines(100, 687, PROSE * 3, lead=13) + more)
    assert titles(pdf) == ["DESCRIPTION", "SEE ALSO"] * 2


def test_names_of_columns_side_by_side_are_no_heading() -> None:
    names = text(72, 700, "Feature", font="F2") + text(220, 700, "Sample", font="F2") + text(370, 700, "Use", font="F2")
    pdf = Pdf()
    pdf.page(text(72, 740, "Swashes", size=18, font="F2") + names + lines(72, 670, PROSE * 4))
    assert titles(pdf) == ["Swashes"]


def test_bold_items_among_plain_ones_are_no_headings() -> None:
    """A list of sources sets the names of functions in bold."""
    names = ["bash", "The author", "DEFVAR", "COMPILE-FILE", "The C language", "Other readers"]
    items = ""
    for at, name in enumerate(names):
        items += text(72, 600 - 40 * at, f"{at + 1}.  {name}", font="F2" if name.isupper() else "F1")
        items += text(92, 586 - 40 * at, f"http://example.org/HyperSpec/Body/{at + 3}.html")
    pdf = Pdf()
    pdf.page(text(72, 740, "Sources", size=18, font="F2") + lines(72, 710, PROSE) + items)
    assert titles(pdf) == ["Sources"]


def test_lines_of_contents_without_dots_are_no_headings() -> None:
    entries = [
        "1 Overview",
        "1.1 Parts of it",
        "2 Use of the manager",
        "2.1 Options",
        "2.2 Limits",
        "3 Faults seen",
        "3.1 Ports",
    ]
    contents = "".join(
        text(72, 700 - 13 * at, f"{name} {3 * at + 2}", font="F1" if "." in name else "F2", size=12)
        for at, name in enumerate(entries)
    )
    pdf = Pdf()
    pdf.page(text(72, 740, "What is where", size=18, font="F2") + contents)
    pdf.page(text(72, 740, "Foreword", size=18, font="F2") + lines(72, 710, PROSE * 4))
    assert titles(pdf) == ["What is where", "Foreword"]


def test_a_running_head_that_says_the_heading_under_it_is_none() -> None:
    pdf = Pdf()
    for name in ("Slanted faces", "Upright faces"):
        pdf.page(text(72, 735, name, font="F2") + text(72, 700, name, size=18, font="F2") + lines(72, 670, PROSE * 4))
    assert titles(pdf) == ["Slanted faces", "Upright faces"]


def test_bold_keys_before_what_they_do_are_no_titles() -> None:
    names = ["Alt+F", "Ctrl+Shift+G", "Shift+Tab", "Alt+Enter and O", "Alt+P", "Ctrl+Y"]
    keys = "".join(
        text(72, y, f"{name}:", font="F2")
        + text(78 + 6 * len(name), y, f"stores the entry at hand and shows number {at}")
        for at, name in enumerate(names)
        for y in [640 - 12 * at - 30 * (at // 2)]
    )
    pdf = Pdf()
    pdf.page(text(72, 740, "Keys", size=18, font="F2") + lines(72, 710, PROSE) + keys)
    assert titles(pdf) == ["Keys"]


def test_boxes_of_signs_and_who_signed_a_paper_are_no_headings() -> None:
    signed = text(72, 722, "Ann Lee, revised 3-May-2005", size=13)
    drawn = text(72, 600, "|--- INTERRUPT", font="F2")
    pdf = Pdf()
    pdf.page(text(72, 740, "Interrupts", size=18, font="F2") + signed + lines(72, 700, PROSE * 3) + drawn)
    pdf.page(lines(72, 740, PROSE * 9))
    assert titles(pdf) == ["Interrupts"]


def test_a_numbered_title_at_the_top_of_a_page_is_no_running_head_though_another_page_begins_with_its_words() -> None:
    """Where the margin above is wide, the first line of the text stands where running heads do."""
    pdf = Pdf()
    tops = ("1.2 Delays", "2.1 Delays", "3.3 Sites visited", "4.2 Key figures", "5.1 Delays")
    for at, top in enumerate(tops, 1):
        shown = text(72, 770, top, font="F2") + lines(72, 748, PROSE * 2)
        pdf.page(shown + text(72, 560, f"{at}.{at + 3} Further results", font="F2") + lines(72, 538, PROSE * 2))
    numbers = [heading.number for heading in of(read(pdf), Heading)]
    assert numbers == [number for at, top in enumerate(tops, 1) for number in (top.split()[0], f"{at}.{at + 3}")]


def test_the_number_of_a_page_right_under_its_text_is_none_of_it() -> None:
    pdf = Pdf()
    for at in range(3):
        body = lines(72, 776, PROSE * 20 if at == 1 else PROSE * 5)  # to the line over the number
        pdf.page(body + text(270, 56, f"Page {at + 1} of 3", size=8))
    assert not any("Page" in block.text for block in of(read(pdf), Paragraph))
