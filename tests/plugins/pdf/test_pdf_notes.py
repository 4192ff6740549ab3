"""Footnotes of PDFs that a column or a page end cuts in two."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, parsed, read_pdf
from support.formats.plugin_reading import of

from sidecar.api import ListItem, Note, Paragraph
from sidecar.views.blocks.markdown import blocks_markdown

CUT = ["7 The magnitude of the change varies with the height of the water and with the", "temperature of the air over"]
REST = ["the harbour, and would be limited by both where the pilots", "left the station before noon."]

WIDE = [
    "The gauges of the lower river were read at noon by those who live there,",
    "and whatever they wrote down was sent to the office in the next town, where",
    "somebody compared it with what had been told of the same place before, and",
    "with the level of the sea, which the harbour master gave them every evening",
    "so that the higher tides of the spring could be told from floods in time.",
]


def small(y: float, strings: list[str]) -> str:
    return lines(72, y, strings, size=8, lead=9.5)


def test_a_note_that_goes_on_overleaf_is_one_note() -> None:
    own = small(80, ["8 More than ten degrees for more than a day."])
    document = parsed(lines(72, 740, PROSE * 6) + small(100, CUT), lines(72, 740, PROSE * 6) + small(110, REST) + own)
    assert [(note.id, note.text) for note in of(document, Note)] == [
        ("1-7", " ".join([*CUT, *REST])[2:]),
        ("2-8", "More than ten degrees for more than a day."),
    ]
    assert all("harbour" not in paragraph.text for paragraph in of(document, Paragraph))


def test_small_print_after_a_note_that_ends_is_no_part_of_it() -> None:
    ended = [*CUT[:1], "temperature of the air over it."]
    document = parsed(lines(72, 740, PROSE * 6) + small(100, ended), lines(72, 740, PROSE * 6) + small(110, REST))
    assert [note.text for note in of(document, Note)] == [" ".join(ended)[2:]]
    assert any("harbour" in paragraph.text for paragraph in of(document, Paragraph))


def test_short_notes_of_one_length_are_notes_of_their_own() -> None:
    notes = "".join(
        text(72, 90 - 11 * at, str(at + 1), size=5) + text(76, 87 - 11 * at, f"202{at} estimate", size=9)
        for at in range(3)
    )
    prose = lines(72, 700, ["Every measure of the annex holds here as well, and the tables show by how much."] * 8)
    pdf = Pdf()
    pdf.page(prose + notes)
    document = read_pdf(pdf)
    assert [note.text for note in of(document, Note)] == ["2020 estimate", "2021 estimate", "2022 estimate"]


def test_check_boxes_of_a_symbol_font_open_items() -> None:
    pdf = Pdf()
    codes = pdf.stream(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <6e> <0084> endbfchar endcmap"
    )
    font = pdf.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Boxes /FirstChar 110 /LastChar 110 /Widths [800]"
        f" /ToUnicode {codes} 0 R >>"
    )
    rows = range(700, 664, -12)
    pdf.page(
        "".join(text(72, y, "n", font="S1") + text(86, y, f"Yes, at level {y} of the three") for y in rows),
        fonts={"S1": font},
    )
    blocks = read_pdf(pdf).parts[0].blocks
    assert [(block.marker, block.text) for block in blocks if isinstance(block, ListItem)] == [
        ("•", f"Yes, at level {y} of the three") for y in rows
    ]


def raised(x: float, y: float, string: str) -> str:
    return text(x, y + 4, string, size=6)


def test_raised_numbers_call_the_notes_of_their_page_and_are_no_part_of_a_word() -> None:
    said = (
        text(72, 600, "The gauges of the river")
        + raised(175.4, 600, "7")
        + text(181, 600, "were read at noon, over 20 m")
    )
    said += raised(310, 600, "2") + text(316, 600, "and by those who live there") + raised(438, 600, "9")
    notes = small(100, ["7 More than ten degrees for more than a day.", "2 As far as it was measured at all."])
    document = parsed(lines(72, 740, PROSE * 3) + said + notes)
    block = next(found for found in of(document, Paragraph) if "gauges" in found.text)
    called = [(span.value, block.text[span.start : span.end]) for span in block.spans if span.kind == "note"]
    assert called == [("1-7", "7")]
    assert blocks_markdown([block], "made").startswith("The gauges of the river[^1-7] were read")


def test_raised_numbers_that_call_notes_elsewhere_stay_raised() -> None:
    said = text(72, 600, "The gauges of the river") + raised(175.4, 600, "12")
    document = parsed(lines(72, 740, PROSE * 3) + said + text(184, 600, "were read at noon by those who live there"))
    assert any("of the river¹² were read" in found.text for found in of(document, Paragraph))


@pytest.mark.parametrize("size", [6, 8.3], ids=["small", "as browsers print it"])
def test_raised_numbers_behind_a_number_or_unit_stay_raised(size: float) -> None:
    """103 samples are not 10³; of a fraction nothing is raised."""
    said, x = "", 72.0  # Courier: six points a letter
    for word, power in (
        ("We took 10", "3"),
        ("samples of 25 m", "2"),
        ("in 2004", "12"),
        ("per mol", "-1"),
        ("or 2 3", "/4"),
    ):
        said += text(x, 600, word, font="F3") + text(x + 6 * len(word), 603, power, font="F3", size=size)
        x += 6 * (len(word) + 2)
    document = parsed(lines(72, 740, PROSE * 3) + said)
    assert any(
        "We took 10³ samples of 25 m² in 2004¹² per mol⁻¹ or 2 3" in found.text for found in of(document, Paragraph)
    )


def test_steps_with_a_dash_behind_their_number_are_no_notes() -> None:
    steps = [f"{at} - Open the gate of the harbour, and see whoever is there" for at in (1, 2, 3)]
    document = parsed(lines(72, 740, PROSE * 6) + small(120, steps))
    assert not of(document, Note)


def test_a_link_that_is_the_number_of_a_note_is_the_call_alone() -> None:
    pdf = Pdf()
    said = text(72, 600, "The gauges of the river") + raised(175.4, 600, "7")
    said += text(179, 600, ".") + text(185, 600, "They were read at noon by those who live there")
    link = "<< /Type /Annot /Subtype /Link /Rect [174 600 181 612] /A << /S /URI /URI (https://example.org/7) >> >>"
    annotation = pdf.add(link)
    notes = small(100, ["7 More than ten degrees for more than a day."])
    pdf.page(lines(72, 740, PROSE * 3) + said + notes, more=f"/Annots [{annotation} 0 R]")
    document = read_pdf(pdf)
    block = next(found for found in of(document, Paragraph) if "gauges" in found.text)
    assert blocks_markdown([block], "made").startswith("The gauges of the river[^1-7]. They were read")


def calling(x: float, y: float, before: str, mark: str, after: str, *, blank: float) -> str:
    """A line with a raised mark, so many points behind the words before it (Courier: six points a letter)."""
    at = x + 6 * len(before) + blank
    shown = text(x, y, before, font="F3") + text(at, y + 4, mark, font="F3", size=6)
    return shown + text(at + 4 * len(mark) + 4, y, after, font="F3")


def test_a_raised_number_with_blanks_around_it_calls_its_note() -> None:
    body = "".join(
        text(72, 740 - 12 * at, line, font="F3") for at, line in enumerate(["The harbour was measured."] * 4)
    )
    body += calling(72, 692, "Reports", "1", "from the pilots and the", blank=3) + text(
        72, 680, "keepers agree.", font="F3"
    )
    document = parsed(body + lines(72, 90, ["1 Both of them were written in the same year."], size=7, font="F3"))
    told = " ".join(blocks_markdown([block], "d", {}) for block in of(document, Paragraph))
    assert "Reports [^1-1] from the pilots" in told


def test_a_small_numerator_behind_a_blank_calls_no_note() -> None:
    body = "".join(
        text(72, 740 - 12 * at, line, font="F3") for at, line in enumerate(["The harbour was measured."] * 4)
    )
    body += calling(72, 692, "They are reduced by only", "1", "/2 of the whole.", blank=3)
    said = " ".join(block.text for block in of(parsed(body), Paragraph))
    assert "by only 1 /2 of" in said or "by only 1/2 of" in said


def test_notes_that_begin_high_on_the_page_are_notes_where_they_count_on() -> None:
    notes = small(376, ["1 A report that was written down before any of the others, and by", "other pilots."])
    notes += small(352, ["2 It has been lost, and nobody has read it since the harbour was", "opened."])
    notes += small(328, ["3 The keepers say so."])
    document = parsed(lines(72, 740, PROSE * 6) + notes)
    assert [note.id for note in of(document, Note)] == ["1-1", "1-2", "1-3"]


def test_a_raised_number_that_touches_a_broad_letter_opens_a_paragraph_as_a_mark() -> None:
    opened = raised(72, 600, "3") + text(75.4, 600, "Watermen of the office were asked, and their answers are given")
    document = parsed(lines(72, 740, PROSE) + opened + lines(72, 588, PROSE))
    (found,) = [block.text for block in of(document, Paragraph) if "Watermen" in block.text]
    assert found.startswith("³Watermen of the office")


def test_notes_behind_a_part_of_a_page_are_those_that_the_text_over_them_calls() -> None:
    said = text(72, 640, "The gauges of the river") + raised(175.4, 640, "1") + text(181, 640, "were read at noon")
    note = raised(72, 600, "1") + text(75.4, 600, "Wells were read by hand, and only where somebody lived near them.")
    verse = raised(72, 560, "4") + text(75.4, 560, "Marshes were left out, as the survey of the year before had done.")
    document = parsed(lines(72, 740, PROSE), lines(72, 740, PROSE) + said + note + verse + lines(72, 500, PROSE))
    (found,) = of(document, Note)
    assert (found.id, found.text) == ("2-1", "Wells were read by hand, and only where somebody lived near them.")
    calls = [(b.text, s.value) for b in of(document, Paragraph) for s in b.spans if s.kind == "note"]
    assert [(text[:24], value) for text, value in calls] == [("The gauges of the river1", "2-1")]
    assert any(block.text.startswith("⁴Marshes were left out") for block in of(document, Paragraph))


def test_notes_in_the_margin_stand_before_the_paragraph_they_stand_beside() -> None:
    notes = text(60, 740, "v3.08", size=8) + text(60, 640, "v3.11", size=8) + text(60, 631, "see there", size=8)
    page = lines(120, 740, WIDE) + lines(120, 660, WIDE[2:]) + notes + lines(120, 540, WIDE)
    found = [block.text for block in of(parsed(page), Paragraph)]
    assert found == ["v3.08", " ".join(WIDE), "v3.11 see there", " ".join(WIDE[2:]), " ".join(WIDE)]


def test_labels_in_small_print_beside_what_they_name_are_no_notes() -> None:
    rows = [("Name", "Ifeoma Okonkwo"), ("Street", "28b Tannery Row"), ("Town", "Leicester"), ("Born", "14 May 1979")]
    page = "".join(
        text(60, 740 - 20 * at, name, size=8) + text(120, 740 - 20 * at, value) for at, (name, value) in enumerate(rows)
    )
    shown = blocks_markdown([*parsed(page).parts[0].blocks], "made")
    assert all(shown.index(name) < shown.index(value) for name, value in rows)
    assert [shown.index(value) for _, value in rows] == sorted(shown.index(value) for _, value in rows)


def test_a_raised_number_that_touches_its_word_is_no_word_of_its_own_where_it_is_drawn_apart() -> None:
    said = text(72, 600, "The gauges of the river") + text(186, 600, "were read at noon") + raised(174.9, 600, "12")
    document = parsed(lines(72, 740, PROSE) + said)
    texts = [found.text for found in of(document, Paragraph)]
    assert any("of the river¹² were read" in found for found in texts), texts
