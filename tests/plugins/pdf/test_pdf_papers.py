"""Papers, theses and drafts as LaTeX sets them: heads and feet, titles, notes and paragraphs, each in a document of the
test's own."""

from __future__ import annotations

from sidecar_pdf.structure.headings.edges import mark_running
from sidecar_pdf.structure.regions import PageRegions, Region
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Heading, Note, Paragraph, ParsedDocument

COLUMN = [
    "what was said there of the measure holds here",
    "as well, and the tables of the annex show how",
    "much each of the three changed from one year",
    "to the next while nothing else was changed or",
]
NOTE = (
    "The pilots left the station whenever it was that the wind had turned to the west of Kiel, Dover and very many"
    " other places on the coast,"
)
FOOT = "each of the harbours was measured"


def parsed(*pages: str, box: str = "0 0 612 792", fonts: str = "") -> ParsedDocument:
    """Pages with these operators; `fonts` names the font of F5."""
    pdf = Pdf()
    own = {"F5": pdf.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{fonts} >>")} if fonts else None
    for content in pages:
        pdf.page(content, box=box, fonts=own)
    return read_pdf(pdf)


def titles(document: ParsedDocument) -> list[str]:
    return [" ".join(filter(None, (heading.number, heading.text))) for heading in of(document, Heading)]


def paragraphs(document: ParsedDocument) -> list[str]:
    return [block.text for block in of(document, Paragraph)]


def level_of(document: ParsedDocument, title: str) -> int:
    return next(heading.level for heading in of(document, Heading) if heading.text == title)


def section(y: float, title: str, size: float = 14) -> str:
    return text(72, y, title, size=size, font="F2") + lines(72, y - 24, PROSE)


def test_numbers_of_lines_of_paragraphs_set_apart_are_no_text() -> None:
    heights = [740 - 14 * at - 8 * (at // 3) for at in range(12)]
    said = [PROSE[at % 3].replace("so that", f"so {at} that") for at in range(12)]
    numbered = "".join(
        text(64 - 5.6 * len(str(at)), y, str(at)) + text(90, y, line)
        for at, (y, line) in enumerate(zip(heights, said, strict=True), 1)
    )
    assert paragraphs(parsed(numbered)) == [" ".join(said[at : at + 3]) for at in range(0, 12, 3)]


def test_small_numbers_before_lines_however_far_apart_are_no_text() -> None:
    heights = [700, 686, 672, 640, 626, 600, 586]
    words = [PROSE[at % 3] for at in range(7)]
    numbered = "".join(
        text(60, y + 1, str(at), size=5) + text(73, y, word, size=10)
        for at, (y, word) in enumerate(zip(heights, words, strict=True), 1)
    )
    document = parsed(numbered)
    assert " ".join(paragraphs(document)) == " ".join(words)


def test_capitals_made_of_a_smaller_size_are_a_heading_and_not_the_paragraph_under_it() -> None:
    def headed(y: float, number: str, title: str, x: float) -> str:
        return text(x, y, number) + text(x + 16, y, title, size=8) + lines(72, y - 14, PROSE * 2)

    small = lines(72, 120, [*PROSE] * 3, size=8, lead=9.5)
    long = headed(580, "II.", "COMPARISON OF THE HARBOURS WITH EARLIER ONES", 190)
    document = parsed(
        headed(700, "I.", "INTRODUCTION", 280) + long + small,
        headed(700, "III.", "RESULTS", 280) + headed(580, "IV.", "CONCLUDING REMARKS", 260) + small,
    )  # fmt: skip
    assert titles(document) == [
        "I INTRODUCTION", "II COMPARISON OF THE HARBOURS WITH EARLIER ONES", "III RESULTS", "IV CONCLUDING REMARKS",
    ]  # fmt: skip


def test_page_numbers_well_above_the_edge_of_a_page_are_no_text() -> None:
    document = parsed(*(lines(72, 690, PROSE * 9) + text(300, 116, str(at)) for at in range(1, 6)))
    assert all(not paragraph.strip().isdigit() for paragraph in paragraphs(document))
    assert [part.metadata["footer"] for part in document.parts] == ["1", "2", "3", "4", "5"]


def test_page_numbers_far_above_the_foot_are_no_text_where_several_pages_have_them_there() -> None:
    document = parsed(*(lines(72, 690, PROSE * 13) + text(300, 150, str(at)) for at in range(1, 6)))
    assert [part.metadata.get("footer") for part in document.parts] == ["1", "2", "3", "4", "5"]


def test_titles_of_parts_that_change_in_the_running_head_are_no_headings() -> None:
    heads = ["Grounds", "Grounds", "Grounds", "", "Methods", "", "", "", "", "", "Remarks", ""]
    document = parsed(*(
        (text(250, 740, head, font="F4") if head else "") + lines(72, 700, PROSE * 12)
        for head in heads
    ))  # fmt: skip
    assert titles(document) == []
    assert not any("Methods" in paragraph or "Remarks" in paragraph for paragraph in paragraphs(document))


def test_what_stands_where_the_other_pages_have_their_number_is_no_text() -> None:
    first = lines(72, 700, PROSE * 12) + text(72, 60, "Preprint submitted to the Journal of Tides   March 3", font="F4")
    document = parsed(first, *(lines(72, 700, PROSE * 12) + text(300, 60, str(at)) for at in range(2, 5)))
    assert not any("Preprint" in paragraph for paragraph in paragraphs(document))
    assert document.parts[0].metadata["footer"].startswith("Preprint submitted")


def test_titles_of_slides_at_one_place_are_headings() -> None:
    named = ["Grounds", "Methods", "Results", "Remarks", "Thanks", "Outlook"]
    pages = [text(20, 250, name, size=14) + lines(20, 220, COLUMN[:3], size=10) for name in named]
    assert titles(parsed(*pages, box="0 0 363 273")) == named


def test_a_bold_face_that_only_the_name_of_the_font_tells_sets_headings() -> None:
    def headed(y: float, title: str) -> str:
        return text(72, y, title, font="F5", size=10) + lines(72, y - 20, PROSE * 2)

    assert titles(parsed(lines(72, 740, PROSE * 9), headed(700, "Grounds"), fonts="SFSX1000")) == ["Grounds"]


def test_lines_of_a_table_of_contents_are_no_headings_where_heads_of_chapters_say_more() -> None:
    listed = "".join(
        text(72, 650 - 40 * at, f"{at} {name}", font="F2") + text(500, 650 - 40 * at, str(at * 3), font="F2")
        + text(90, 636 - 40 * at, f"{at}.1 More of it" + " ." * 60 + f" {at * 3}")
        for at, name in enumerate(("Grounds", "Methods", "Results"), 1)
    )  # fmt: skip
    chapters = [
        text(72, 640, f"Kapitel {at}", size=20, font="F2") + text(72, 600, name, size=24, font="F2")
        + lines(72, 560, PROSE * 4)
        for at, name in enumerate(("Grounds", "Methods", "Results"), 1)
    ]  # fmt: skip
    document = parsed(text(72, 700, "Inhaltsverzeichnis", size=24, font="F2") + listed, *chapters)
    assert [t for t in titles(document) if "More" not in t] == [
        "Inhaltsverzeichnis", "Kapitel 1 Grounds", "Kapitel 2 Methods", "Kapitel 3 Results",
    ]  # fmt: skip


def test_who_wrote_a_thesis_is_no_heading_of_its_cover() -> None:
    cover = text(150, 560, "On the Tides of Small Harbours", size=24, font="F2") + text(
        250, 450, "Ingrid Vale", size=14
    )
    assert titles(parsed(cover, section(700, "1 Grounds") + section(500, "2 Methods"))) == [
        "On the Tides of Small Harbours", "1 Grounds", "2 Methods",
    ]  # fmt: skip


def test_an_abstract_set_small_has_the_level_of_the_numbered_parts() -> None:
    abstract = text(280, 690, "Abstract", size=9, font="F2") + lines(
        100, 670, [line[:80] for line in PROSE], size=9, lead=11
    )
    top = text(150, 740, "On the Tides of Harbours", size=18, font="F2")
    document = parsed(
        top + abstract + section(600, "1 Grounds") + section(500, "1.1 Places", 12) + section(400, "1.2 Days", 12)
        + section(300, "2 Methods")
    )  # fmt: skip
    assert level_of(document, "Abstract") == level_of(document, "Grounds") < level_of(document, "Places")


def test_steps_of_an_algorithm_are_no_headings() -> None:
    def algorithm(y: float) -> str:
        return text(72, y, "4: if that is so then", font="F2") + lines(72, y - 22, PROSE)

    assert titles(parsed(lines(72, 740, PROSE * 2) + algorithm(600) + algorithm(400))) == []


def test_titles_in_italics_that_run_into_their_paragraphs_are_headings() -> None:
    def run_in(y: float, title: str, width: float) -> str:
        rest = text(72 + width, y, "Besides, " + PROSE[0][:50].lower())
        return text(72, y, title, font="F4") + rest + lines(72, y - 12, PROSE[1:])

    told = run_in(700, "Baselines.", 46) + run_in(630, "Hardware.", 46) + run_in(560, "Why so many?", 62)
    proofs = "".join(run_in(490 - 70 * at, "Proof.", 34) for at in range(3))
    assert titles(parsed(lines(72, 760, PROSE), told + proofs)) == ["Baselines", "Hardware", "Why so many?"]


def test_a_bold_numbered_title_that_runs_in_is_a_heading_though_its_number_follows_none() -> None:
    start = text(72, 600, "1.1. Limitations.", font="F2") + text(158, 600, f"Besides, {PROSE[1][:70]}")
    document = parsed(section(700, "1. Grounds") + start + lines(72, 588, [PROSE[2]] * 2) + section(500, "2. Methods"))
    assert titles(document) == ["1 Grounds", "1.1 Limitations", "2 Methods"]
    assert level_of(document, "Limitations") == level_of(document, "Grounds") + 1


def test_a_title_in_bold_that_runs_in_behind_a_plain_number_is_a_heading() -> None:
    start = text(72, 600, "1.1.") + text(96, 600, "Limits.", font="F2") + text(134, 600, f"Besides, {PROSE[1][:72]}")
    document = parsed(section(700, "1. Grounds") + start + lines(72, 588, [PROSE[2]] * 2) + section(500, "2. Methods"))
    assert titles(document) == ["1 Grounds", "1.1 Limits", "2 Methods"]


def test_an_appendix_in_capitals_of_the_size_of_notes_is_a_heading() -> None:
    small = lines(72, 120, [*PROSE] * 3, size=8, lead=9.5)
    appendix = text(230, 500, "APPENDIX A. MORE OF THE HARBOURS", size=8) + lines(72, 480, PROSE)
    assert titles(parsed(lines(72, 740, PROSE * 4) + appendix + small)) == ["APPENDIX A. MORE OF THE HARBOURS"]


def test_bold_numbered_lines_a_little_smaller_than_the_text_are_headings() -> None:
    def headed(y: float, title: str) -> str:
        return text(72, y, title, size=9, font="F2") + lines(72, y - 24, PROSE)

    document = parsed(lines(72, 740, PROSE) + headed(660, "A. Grounds") + headed(560, "B. Ways of measuring"))
    assert titles(document) == ["A Grounds", "B Ways of measuring"]


def test_heads_of_theorems_may_have_roman_numbers() -> None:
    theorem = text(72, 700, "Proposition II.1", font="F2") + text(150, 700, "(Closed sets). Let a set be closed where")
    assert titles(parsed(theorem + lines(72, 688, PROSE))) == ["Proposition II.1 (Closed sets)"]


def test_a_running_head_whose_ends_change_places_is_no_text() -> None:
    words = lines(72, 690, PROSE * 12)
    left = text(72, 740, "Tides and Harbours, Brest, June 2021", size=8) + text(480, 740, "Ingrid Vale", size=8)
    right = text(72, 740, "On Joins of Gauges", size=8) + text(380, 740, "Tides and Harbours, Brest, June 2021", size=8)
    document = parsed(words, left + words, right + words)
    assert not any("Brest" in paragraph for paragraph in paragraphs(document))


def test_an_author_over_the_day_is_no_heading() -> None:
    top = text(210, 740, "On the Tides of Harbours", size=17)
    top += text(270, 710, "Ingrid Vale", size=12) + text(258, 696, "March 26, 2021", size=12)
    document = parsed(top + section(640, "1 Grounds") + section(500, "2 Methods"), section(700, "3 Results"))
    assert titles(document) == ["On the Tides of Harbours", "1 Grounds", "2 Methods", "3 Results"]


def test_the_title_of_a_document_stands_over_numbered_parts_as_large() -> None:
    document = parsed(
        text(150, 740, "On the Tides", size=14, font="F2") + section(700, "1 Grounds") + section(500, "2 Ways")
    )
    assert level_of(document, "On the Tides") < level_of(document, "Grounds") == level_of(document, "Ways")


def test_names_with_the_number_of_their_place_are_no_headings() -> None:
    names = text(80, 690, "Marta Vale 1", font="F2", size=12)
    top = text(150, 740, "On the Tides of Harbours", size=18, font="F2")
    document = parsed(top + names + section(620, "1 Grounds") + section(480, "2 Methods"), section(700, "3 Results"))
    assert titles(document) == ["On the Tides of Harbours", "1 Grounds", "2 Methods", "3 Results"]


def test_the_second_line_of_a_note_that_hangs_from_its_number_belongs_to_it() -> None:
    note = text(72, 104, "4", size=5) + text(80, 100, NOTE, size=8)
    note += text(80, 90, "Brest and Hull, as they said.", size=8)
    document = parsed(lines(72, 740, PROSE * 10) + note)
    (found,) = of(document, Note)
    assert found.text.endswith("many other places on the coast, Brest and Hull, as they said.")


def test_a_paragraph_goes_on_in_the_next_column_under_a_table_that_stands_at_its_head() -> None:
    left = lines(50, 740, [f"{line}." if at == 3 else line for at, line in enumerate(COLUMN)] * 13)
    left += lines(50, 116, [*COLUMN[:3], FOOT + " in"])
    caption = text(320, 740, "Table 1: What the harbours measured in a year.")
    cells = "".join(text(330 + 80 * c, 720 - 14 * r, f"{r}{c}.5") for r in range(4) for c in range(3))
    right = lines(320, 640, ["the years that went before, as all of them", "tell. Later ones were not."] + COLUMN * 10)
    document = parsed(left + caption + cells + right)
    assert any(FOOT + " in the years that went before" in paragraph for paragraph in paragraphs(document))


def test_a_sentence_goes_on_overleaf_behind_an_algorithm() -> None:
    first = lines(72, 740, PROSE * 15 + [PROSE[0], FOOT + " in"])
    steps = "".join(text(80, 722 - 14 * at, f"{at}: set the level of all gauges to zero") for at in range(1, 11))
    algorithm = text(72, 740, "Algorithm 1 How the gauges are set.") + steps
    rest = lines(72, 540, ["the years that went before. " + PROSE[0][:60], *PROSE[1:]])
    document = parsed(first, algorithm + rest + lines(72, 480, PROSE))
    assert any(FOOT + " in the years that went before." in paragraph for paragraph in paragraphs(document))


def test_rows_of_authors_that_reach_between_two_columns_do_not_run_them_together() -> None:
    person = ("Ingrid Vale Moor", "Department of the Tides and Harbours", "Kiel, Holstein", "vale@kiel.example")
    names = "".join(
        text(x, y - 12 * at, line, size=9)
        for y, places in ((690, (83, 254, 425)), (620, (60, 312))) for x in places for at, line in enumerate(person)
    )  # fmt: skip
    wide = [f"{line} {word}" for line, word in zip(COLUMN, ("and there", "by now", "to another", "so"), strict=True)]
    left, right = (lines(x, y, wide * 10) for x, y in ((49, 540), (318, 541)))
    found = " ".join(paragraphs(parsed(text(187, 740, "On the Tides of Harbours", size=20) + names + left + right)))
    assert found.count(" ".join(wide[:3])) == 20


def test_a_stamp_across_the_text_is_no_heading() -> None:
    pages: list[PageRegions] = []
    for name in ("Ropes", "Lights", "Anchors", "Sails", "Flags"):
        title = Region("text", name, (72, 60, 150, 80), size=18, bold=True)
        line = Region("text", "running text " * 20, (72, 90, 500, 126), size=10, lines=3)
        stamp = Region("text", "Confidential", (40, 80, 560, 600), size=50)
        pages.append(PageRegions(595, 842, regions=[title, line, stamp]))
    mark_running(pages, 10.0)
    assert [[region.running for region in page.regions] for page in pages] == [["", "", "foot"]] * 5


def test_a_head_that_text_stands_close_to_runs_as_on_other_pages() -> None:
    heads = [Region("text", f"Manual 2.9, page {at}", (200, 57, 380, 71), size=12, running="head") for at in range(5)]
    heads[3].running = ""
    mark_running([PageRegions(595, 842, regions=[head]) for head in heads], 12.0)
    assert [head.running for head in heads] == ["head"] * 5


def test_a_title_in_plain_capitals_stands_apart_from_the_indented_paragraph_under_it() -> None:
    text_of_part = text(84, 678, PROSE[0]) + lines(72, 666, PROSE[1:])
    document = parsed(lines(72, 740, PROSE) + text(72, 692, "CLASSIFICATION OF ERRORS") + text_of_part)
    assert titles(document) == ["CLASSIFICATION OF ERRORS"]


def test_a_foot_above_a_wide_margin_is_a_running_foot() -> None:
    pages = [
        lines(72, 740, PROSE) + lines(72, 680, PROSE[::-1][:at]) + text(250, 150, "Draft of 3 May")
        for at in range(1, 4)
    ]
    document = parsed(*pages)
    assert [part.metadata.get("footer", "") for part in document.parts] == ["Draft of 3 May"] * 3
    assert not any("Draft" in getattr(block, "text", "") for part in document.parts for block in part.blocks)


def test_the_last_words_of_pages_of_which_each_is_another_are_no_running_foot() -> None:
    names = ("the keepers", "the pilots", "the masters", "the mates", "the cooks")
    document = parsed(*(lines(72, 740, PROSE) + text(250, 150, f"Signed by {name}") for name in names))
    assert all(any("Signed" in getattr(block, "text", "") for block in part.blocks) for part in document.parts)
