"""Headings of PDFs that document programs: names in small letters and in typewriter type, titles over paragraphs that
open in bold or over program text in the type of the text, remarks on releases, marks on lines of their own or before
titles, and short openings of manuals."""

from __future__ import annotations

from sidecar_pdf.structure.headings.finding import find_headings
from sidecar_pdf.structure.regions import PageRegions, Region
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, parsed, titles

from sidecar.api import Figure, Heading, ListItem, Paragraph, Span


def pdf_of(page: str) -> Pdf:
    pdf = Pdf()
    pdf.page(page)
    return pdf


def coloured(y: float, words: str, colour: str, font: str = "F2", size: float = 10) -> str:
    return f"{colour} rg\n" + text(72, y, words, size=size, font=font) + "0 g\n"


def test_names_in_bold_and_a_colour_are_headings_in_small_letters() -> None:
    page = text(72, 740, "Elements", size=18, font="F2")
    names = ["manifest", "metainf", "service"]
    for number, name in enumerate(names):
        page += coloured(690 - 80 * number, name, "0 0 0.6") + lines(72, 670 - 80 * number, PROSE)
    assert titles(pdf_of(page)) == ["Elements", *names]


def test_words_in_bold_and_grey_are_none() -> None:
    page = text(72, 740, "Elements", size=18, font="F2")
    for number, name in enumerate(["manifest", "metainf", "service"]):
        page += coloured(690 - 80 * number, f"{name} of these", "0.3 0.3 0.3") + lines(72, 670 - 80 * number, PROSE)
    assert titles(pdf_of(page)) == ["Elements"]


def opening(y: float, title: str) -> str:
    """A title over a paragraph that opens in bold."""
    page = text(72, y, title, font="F2") + text(72, y - 16, "formatter", font="F2")
    page += lines(122, y - 16, ["is a whole one of its kind, for all"])
    return page + lines(
        72, y - 28, ["that is printed there, so that nothing else is", "needed for it, however long it is."]
    )


def test_a_title_over_a_paragraph_that_opens_in_bold_is_a_heading() -> None:
    page = lines(72, 740, PROSE * 2) + opening(640, "1 Formatter") + lines(72, 580, PROSE)
    page += opening(520, "2 Formats") + lines(72, 460, PROSE * 2)
    assert titles(pdf_of(page)) == ["1 Formatter", "2 Formats"]


def test_a_bold_title_with_a_name_in_typewriter_type_is_a_heading() -> None:
    page = lines(72, 740, PROSE * 2)
    for number, name in enumerate(["print", "scan"]):
        y = 640 - 120 * number
        page += text(72, y, f"{number + 1} The function", font="F2") + text(150, y, name, font="F3")
        page += lines(72, y - 20, PROSE * 2)
    assert titles(pdf_of(page)) == ["1 The function print", "2 The function scan"]


def test_titles_over_program_text_in_the_type_of_the_text_name_no_fields() -> None:
    """As word processors print listings whose font is missing; names of fields stand over a value each."""
    page = text(72, 740, "Methods", size=16, font="F2") + lines(72, 710, PROSE)
    shown = [f"table.{name}(lines, options);" for name in ("render", "close", "first", "second", "third")]
    for number, line in enumerate(shown):
        y = 640 - 70 * number
        page += coloured(y, f"Method {number + 1} of these", "0 0 0.6") + text(72, y - 18, line)
        page += text(72, y - 40, "What it gives")
    named = [f"Method {number + 1} of these" for number in range(len(shown))]
    assert titles(pdf_of(page)) == ["Methods", *named]


def test_remarks_in_italics_on_a_release_are_none() -> None:
    page = text(72, 740, "Tasks", size=18, font="F2")
    tasks = {"Packing": "1.10.9", "Reading": "1.7.0", "Signing": "1.6.2"}
    for number, (task, release) in enumerate(tasks.items()):
        y = 700 - 130 * number
        page += text(72, y, task, size=13, font="F2")
        page += text(72, y - 30, f"Since Tool {release}", font="F4") + lines(72, y - 46, PROSE * 2)
    assert titles(pdf_of(page)) == ["Tasks", *tasks]


def disc(x: float, y: float, radius: float = 2.0) -> str:
    k = 0.552 * radius
    return (
        f"{x + radius} {y} m {x + radius} {y + k} {x + k} {y + radius} {x} {y + radius} c "
        f"{x - k} {y + radius} {x - radius} {y + k} {x - radius} {y} c "
        f"{x - radius} {y - k} {x - k} {y - radius} {x} {y - radius} c "
        f"{x + k} {y - radius} {x + radius} {y - k} {x + radius} {y} c f\n"
    )


def test_marks_on_lines_of_their_own_mark_the_items_under_them() -> None:
    page = text(72, 740, "Options", size=18, font="F2")
    names = ["onToken", "onComment", "onInsertedComma"]
    for number, name in enumerate(names):
        y = 690 - 90 * number
        page += disc(74, y) + text(72, y - 22, f"{name}:", font="F2")
        page += lines(80 + 7 * len(name), y - 22, ["If one is given, it is called with each of them"])
        page += lines(72, y - 34, ["that is found, before anything else is read of the whole text."])
    blocks = parsed(page).parts[0].blocks
    assert [b.text for b in blocks if isinstance(b, Heading)] == ["Options"]
    items = [b.text for b in blocks if isinstance(b, ListItem)]
    assert [item.split(":")[0] for item in items] == names


def test_discs_and_squares_over_lines_together_mark_no_items() -> None:
    """As the legend of a plot has them."""
    page = text(72, 740, "Options", size=18, font="F2")
    for number in range(6):
        y = 690 - 60 * number
        page += disc(74, y) if number < 4 else f"72 {y - 2} 4 4 re f\n"
        page += lines(72, y - 22, [f"Series {number}: what was weighed in that year"])
    assert not [block for block in parsed(page).parts[0].blocks if isinstance(block, ListItem)]


def member(y: float, name: str, white: float) -> str:
    return text(72, y, name, font="F2") + lines(72, y - 12 - white, PROSE)


def test_names_of_members_over_white_are_headings() -> None:
    page = text(72, 740, "Parameters", size=14, font="F2")
    names = ["tablesize", "flagsValue", "timeout"]
    for number, name in enumerate(names):
        page += member(700 - 90 * number, name, white=10)
    assert titles(pdf_of(page)) == ["Parameters", *names]


def test_terms_close_over_what_they_mean_are_none() -> None:
    page = text(72, 740, "Parameters", size=14, font="F2")
    for number, name in enumerate(["tablesize", "flagsValue", "timeout"]):
        page += member(700 - 90 * number, name, white=1)
    assert titles(pdf_of(page)) == ["Parameters"]


def test_two_lines_of_a_title_set_solid_are_one_though_a_stop_ends_the_first() -> None:
    page = text(72, 740, "Principles", size=18, font="F2")
    named = ["Simple.", "Usable.", "Scalable."]
    for number, name in enumerate(named):
        y = 690 - 120 * number
        page += text(72, y, name, size=14, font="F2") + text(72, y - 16, "Made for every screen.", size=14, font="F2")
        page += lines(72, y - 44, PROSE * 2, size=12, lead=14)
    assert titles(pdf_of(page)) == ["Principles", *(f"{name} Made for every screen." for name in named)]


def test_what_teams_are_called_is_a_heading_where_it_names_none() -> None:
    page = text(72, 740, "Toolkit", size=20, font="F2") + lines(72, 710, PROSE[:2])
    for number, name in enumerate(["Getting started", "Developers"]):
        y = 660 - 90 * number
        page += text(72, y, name, size=15, font="F2") + lines(72, y - 24, PROSE[:2])
    pdf = pdf_of(page)
    pdf.page(text(72, 740, "Support", size=15, font="F2") + lines(72, 700, PROSE * 3))
    assert titles(pdf) == ["Toolkit", "Getting started", "Developers", "Support"]


def test_a_line_level_with_a_paragraph_around_it_is_none() -> None:
    """As the name of a column in two lines over a table, whose other names were taken for a paragraph."""
    name = Region("text", "Size by", (190, 113, 232, 127), 12, bold=True, alone=True, column_left=190)
    names = Region(
        "text", "Escape Name Meaning default", (43, 120, 474, 140), 12, bold=True, lines=2, pieces=3, column_left=43
    )
    page = PageRegions(612, 792, regions=[name, names])
    parts = {180: "Parts of it", 300: "Colours", 420: "Other signs"}
    for y, title in parts.items():
        part = Region("text", title, (43, y, 120, y + 14), 12, bold=True, alone=True, column_left=43)
        page.regions += [
            part,
            Region("text", " ".join(PROSE * 2), (43, y + 20, 474, y + 100), 12, lines=6, column_left=43),
        ]
    found = find_headings([page], [])
    assert [r.text for r in page.regions if found.level(r)] == [*parts.values()]


def test_parts_of_one_name_under_larger_titles_are_headings() -> None:
    """Beside what is indented under them, as the descriptions of functions have them; not so the marks of a chart."""
    page = text(72, 760, "Functions", size=18, font="F2")
    names = ["translate ()", "scale ()", "rotate ()", "transform ()"]
    for number, name in enumerate(names):
        y = 720 - 150 * number
        page += text(72, y, name, size=14, font="F2") + lines(72, y - 24, PROSE)
        page += text(72, y - 70, "Parameters", font="F2") + text(160, y - 90, "cr, a context and what is in it")
    found = titles(pdf_of(page))
    assert found.count("Parameters") == len(names)
    marks = "".join(
        text(72, 420 - 30 * at, "Parameters", font="F2") + lines(160, 420 - 30 * at, ["7"]) for at in range(4)
    )
    assert "Parameters" not in titles(pdf_of(lines(72, 740, PROSE * 6) + marks))


def test_a_plain_line_of_links_is_none_though_in_capitals() -> None:
    linked = (Span("link", 0, 6, "#page=2"), Span("link", 8, 15, "#page=3"))
    places = Region("text", "DB_ENV, DB_LOCK", (72, 140, 170, 152), 12, alone=True, column_left=72, spans=linked)
    told = Region("text", " ".join(PROSE * 2), (72, 170, 474, 250), 12, lines=6, column_left=72)
    title = Region("text", "Class", (72, 100, 120, 118), 16, bold=True, alone=True, column_left=72)
    found = find_headings([PageRegions(612, 792, regions=[title, places, told])], [])
    assert [bool(found.level(region)) for region in (title, places, told)] == [True, False, False]


def test_numbers_of_parts_in_the_margin_are_no_labels_of_values() -> None:
    def margin(number: str, y: float, size: float) -> Region:
        return Region("text", number, (39, y, 59, y + size), size, alone=True, column_left=39)

    told = Region("text", " ".join(PROSE * 2), (87, 490, 460, 560), 10, lines=6, column_left=87)
    title = Region("text", "Classes", (87, 400, 139, 414.5), 14.5, alone=True, column_left=87)
    more = Region("text", " ".join(PROSE), (87, 200, 460, 240), 10, lines=3, column_left=87)
    over = Region("text", "The interface", (87, 150, 200, 168), 18, alone=True, column_left=87)
    regions = [margin("3", 150, 18), margin("3.1", 400, 14.5), margin("3.1.1", 430, 12), over, more, title, told]
    found = find_headings([PageRegions(612, 792, regions=regions)], [])
    assert [region.text for region in regions if found.level(region)] == ["The interface", "Classes"]


def test_releases_with_their_days_are_headings_of_a_list_of_changes() -> None:
    page = text(72, 740, "Changelog", size=20, font="F2")
    names = ["2.16.0 (October 21st, 2026)", "2.15.1 - 2026-09-19", "[2.15.0] (2026-08-02)"]
    for number, name in enumerate(names):
        page += text(72, 690 - 110 * number, name, size=14, font="F2") + lines(72, 665 - 110 * number, PROSE * 2)
    assert titles(pdf_of(page)) == ["Changelog", *names]


def test_days_from_one_to_another_are_none_however_large() -> None:
    page = text(72, 740, "Meeting", size=20, font="F2") + text(72, 690, "12.03.2026 - 14.03.2026", size=14, font="F2")
    assert titles(pdf_of(page + lines(72, 660, PROSE * 3))) == ["Meeting"]


def test_a_box_with_a_tab_for_its_title_is_text() -> None:
    """As documentation of programs sets off each function: the box, a band at its top with a round corner, the title on
    a tab over it, a shadow at its right."""
    page = text(72, 740, "Functions", size=18, font="F2")
    for at, name in enumerate(("peer_init()", "peer_destroy()")):
        top = 690 - 120 * at
        for painted in ("f", "S"):
            page += f"0.87 0.9 0.95 rg 60 {top - 40} m 540 {top - 40} l 540 {top - 24} l "
            page += f"540 {top - 22} 538 {top - 20} 536 {top - 20} c 60 {top - 20} l h {painted}\n"
            page += f"60 {top - 20} m 170 {top - 20} l 170 {top - 2} l 170 {top} 168 {top + 2} 166 {top + 2} c "
            page += f"60 {top + 2} l h {painted}\n"
        page += f"0.6 0.6 0.6 rg 538.5 {top - 92} 2 52 re f 538.5 {top - 40} 2 20 re f 60 {top - 92} 480 2 re f 0 g\n"
        page += text(66, top - 14, name, size=14) + text(66, top - 34, f"void {name} of peers", size=9)
        page += text(66, top - 60, f"Definition at line {41 + at}.", size=9)
    blocks = parsed(page).parts[0].blocks
    assert not [block for block in blocks if isinstance(block, Figure)]
    said = [block.text for block in blocks if isinstance(block, Heading | Paragraph)]
    assert said[-3:] == ["peer_destroy()", "void peer_destroy() of peers", "Definition at line 42."]


def test_a_sign_before_a_title_makes_no_item_of_it() -> None:
    page = text(72, 740, "Functions", size=20, font="F2") + lines(72, 715, PROSE)
    names = ["read_peer()", "write_peer()", "close_peer()"]
    for number, name in enumerate(names):
        page += text(72, 640 - 120 * number, f"\x95 {name}", size=14) + lines(72, 616 - 120 * number, PROSE)
    assert titles(pdf_of(page)) == ["Functions", *(f"\u2022 {name}" for name in names)]


def test_items_in_large_type_are_no_titles() -> None:
    page = text(72, 740, "Functions", size=20, font="F2") + lines(72, 715, PROSE)
    for number, name in enumerate(["Reading", "Writing", "Closing"]):
        page += text(72, 640 - 20 * number, f"\x95 {name}", size=14)
    assert titles(pdf_of(page + lines(72, 560, PROSE * 2))) == ["Functions"]


def parts_of(page: str, names: list[str], size: float, top: float) -> str:
    """Parts of a short manual: a title, a sentence of a line and a line of a program."""
    for number, name in enumerate(names):
        y = top - 76 * number
        page += text(72, y, name, size=size) + text(72, y - 24, "This is how it is done in all of these cases.")
        page += text(72, y - 44, "install --now", size=9, font="F3")
    return page


def test_titles_over_sentences_of_a_line_name_no_authors() -> None:
    pdf, names = Pdf(), ["Quick start", "Yarn", "Import", "Upload", "Removal"]
    title = text(72, 740, "Parcels", size=26) + text(72, 716, "A program that does what a person wants of it.")
    pdf.page(parts_of(title, names, 15, 680))
    pdf.page(lines(72, 740, PROSE * 8))
    assert titles(pdf) == ["Parcels", *names]


def test_a_sign_that_leads_to_a_title_marks_no_author() -> None:
    page = text(72, 740, "Notes on a release", size=24, font="F2") + text(72, 710, "This one is new.")
    page += text(72, 640, "Incompatible Changes\u00b6", size=16, font="F2") + lines(72, 616, PROSE * 3)
    pdf = pdf_of(page)
    pdf.page(lines(72, 740, PROSE * 8))
    assert titles(pdf) == ["Notes on a release", "Incompatible Changes\u00b6"]


def test_what_is_done_with_a_team_is_no_name_of_it() -> None:
    pdf = pdf_of(
        text(72, 740, "A library", size=24, font="F2") + text(72, 700, "Meet the team", size=16, font="F2")
        + lines(72, 670, PROSE * 6)
    )  # fmt: skip
    pdf.page(lines(72, 740, PROSE * 8))
    assert titles(pdf) == ["A library", "Meet the team"]


def test_the_name_of_a_command_ends_a_title_in_its_second_line() -> None:
    page = lines(72, 740, PROSE * 2)
    page += text(72, 640, "1.2 There is no hook for", size=14, font="F2") + text(93, 623, "parcel", size=14, font="F3")
    page += lines(72, 596, PROSE * 4)
    assert titles(pdf_of(page)) == ["1.2 There is no hook for parcel"]


def test_the_last_line_is_a_heading_where_others_are_set_in_its_larger_type() -> None:
    page = text(72, 740, "Functions", size=20, font="F2") + lines(72, 715, PROSE)
    names = ["Reading", "Writing", "Closing"]
    for number, name in enumerate(names):
        page += text(72, 640 - 120 * number, name, size=14)
        page += lines(72, 616 - 120 * number, PROSE) if number < 2 else ""
    assert titles(pdf_of(page)) == ["Functions", *names]
    assert titles(pdf_of(page.replace("(Writing)", "").replace("(Reading)", ""))) == ["Functions"]


def test_functions_of_one_name_are_headings_over_their_declarations() -> None:
    page = text(72, 740, "Constructors", size=16, font="F2") + lines(72, 715, PROSE)
    for number, given in enumerate(["", "String name", "String name, int place"]):
        y = 640 - 120 * number
        page += text(72, y, "Parcel", font="F2", size=9.5) + text(72, y - 20, f"public Parcel({given})", font="F3")
        page += lines(72, y - 40, PROSE)
    assert titles(pdf_of(page)) == ["Constructors", *["Parcel"] * 3]


def test_a_line_of_links_is_none_though_one_word_of_it_leads_nowhere() -> None:
    """As the line over documentation of programs that names its parts, the one that is shown among them."""
    pdf, words = Pdf(), ["OVERVIEW", "PACKAGE", "CLASS", "TREE", "DEPRECATED", "INDEX"]
    places = [72, 138, 198, 243, 282, 358]
    page = text(72, 740, "Class of parcels", size=16, font="F2") + lines(72, 715, PROSE * 2)
    page += "".join(text(x, 620, word) for x, word in zip(places, words, strict=True)) + lines(72, 590, PROSE)
    links = [
        f"<</Type /Annot /Subtype /Link /Rect [{x} 616 {x + 7 * len(word)} 632] /A <</S /URI /URI (file:///api/{word}.html)>>>>"
        for x, word in zip(places, words, strict=True) if word != "CLASS"
    ]  # fmt: skip
    pdf.page(page, more=f"/Annots [{' '.join(links)}]")
    assert titles(pdf) == ["Class of parcels"]


def test_the_way_to_a_page_with_slashes_is_none() -> None:
    def under(way: str) -> list[str]:
        page = text(72, 750, way, size=12) + text(72, 710, "Processes", size=20, font="F2")
        return titles(pdf_of(page + lines(72, 680, PROSE * 2)))

    assert under("/ Anatomy of an application / Processes") == under("Manual / Anatomy / Processes") == ["Processes"]
    assert under("Reading / writing") == ["Reading / writing", "Processes"]


def test_navigation_in_capitals_is_not_the_type_of_the_text_and_a_name_in_a_listing_connects_nothing() -> None:
    page = lines(
        72, 770, ["OVERVIEW PACKAGE CLASS TREE DEPRECATED INDEX HELP", "PREV CLASS NEXT CLASS NO FRAMES"], size=9
    )
    page += text(72, 730, "Interface of parcels", size=15, font="F2") + text(
        72, 700, "public interface Parcel", size=11
    )
    page += text(72, 670, "Fields inherited from boxes", size=12, font="F2") + text(72, 650, "in", size=11, font="F3")
    page += text(72, 610, "Method detail", size=13, font="F2") + text(
        72, 580, "Gives names of parcels, in order", size=11
    )
    page += lines(
        72, 60, ["OVERVIEW PACKAGE CLASS TREE DEPRECATED INDEX HELP", "PREV CLASS NEXT CLASS NO FRAMES"], size=9
    )
    assert titles(pdf_of(page)) == ["Interface of parcels", "Fields inherited from boxes", "Method detail"]


def test_a_title_right_under_one_a_little_larger_is_another() -> None:
    page = text(72, 740, "Usage", size=20, font="F2") + text(72, 718, "Simple usage of parcels", size=18, font="F2")
    assert titles(pdf_of(page + lines(72, 690, PROSE * 3))) == ["Usage", "Simple usage of parcels"]


def test_marks_of_what_a_function_gives_are_no_headings_and_what_is_declared_in_large_bold_is_one() -> None:
    page = text(72, 740, "Reference", size=20, font="F2")
    page += text(72, 700, "glob(pattern: string, options: Options | string[]) =>", size=13, font="F3B")
    page += text(72, 684, "Promise<string[]>", size=13, font="F3B") + lines(72, 660, PROSE)
    page += text(72, 600, "Returns", size=12, font="F2") + lines(72, 580, PROSE)
    page += text(72, 480, "[transfer full]", size=12, font="F2") + lines(72, 460, PROSE)
    page += text(72, 360, "deficon option", size=9.6, font="F2") + lines(72, 336, PROSE)
    pdf = Pdf()
    typed = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold >>")
    pdf.page(page, fonts={"F3B": typed})
    assert [title.partition("(")[0] for title in titles(pdf)] == ["Reference", "glob", "Returns", "deficon option"]
