"""Where paragraphs, items and the lines of a list of contents begin and end, where type and white tell little."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, rule, text
from support.formats.pdf_prose import PROSE, parsed, read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Heading, ListItem, Note, Paragraph, Table


def paragraphs(*pages: str) -> list[str]:
    return [block.text for block in of(parsed(*pages), Paragraph)]


def test_short_lines_with_a_little_white_around_them_are_paragraphs_of_their_own() -> None:
    shown, y = lines(72, 740, PROSE * 3), 740 - 9 * 12 - 4
    for title in ("Method of the Study", "The measure of height and of weight, and how it was taken"):
        shown += text(86, y, title) + text(86, y - 16, PROSE[0][:-14]) + lines(72, y - 28, PROSE[1:])
        y -= 56
    found = paragraphs(shown)
    assert "Method of the Study" in found
    assert "The measure of height and of weight, and how it was taken" in found


def test_the_first_line_of_a_list_of_contents_is_no_running_head() -> None:
    entries = [[f"{chr(65 + at * 3 + line)} Gates of the {line + 2} harbours" for line in range(3)] for at in range(6)]
    pages = [
        "".join(text(72, 730 - 30 * at, f"{entry} {'.' * 40} {at + 3}") for at, entry in enumerate(page))
        for page in entries
    ]
    found = paragraphs(*pages)
    assert [text.split(" … ")[0] for text in found] == [entry for page in entries for entry in page]


def test_a_bold_word_that_closes_a_bracket_of_its_item_is_no_paragraph() -> None:
    item = text(82, 600, "\267") + text(
        96, 600, "the seed of the numbers that are drawn for each of the gates (by default:"
    )
    document = parsed(lines(72, 740, PROSE) + item + text(96, 588, "seed=99).", font="F2") + lines(72, 550, PROSE))
    assert [block.text for block in of(document, ListItem)] == [
        "the seed of the numbers that are drawn for each of the gates (by default: seed=99)."
    ]


def test_small_print_that_opens_with_a_long_number_is_no_note() -> None:
    small = lines(72, 80, ["0927-0248/ 2015 The keepers of the harbour. All rights are reserved by them."], size=7)
    document = parsed(lines(72, 740, PROSE * 6) + small)
    assert not of(document, Note)
    assert any(block.text.startswith("0927-0248/") for block in of(document, Paragraph))


def test_a_known_compound_is_joined_before_a_conjunction() -> None:
    body = [
        PROSE[0],
        "as is seen in gate-wise-and and the others of their kind, of which the last is called gate-wise-",
    ]
    found = " ".join(paragraphs(lines(72, 740, [*body, "and by those who keep it; others say water-", "and wind."])))
    assert "is called gate-wise-and by" in found
    assert "water- and wind" in found


def test_a_letter_before_a_hyphen_at_the_end_of_a_line_keeps_it() -> None:
    found = " ".join(
        paragraphs(lines(72, 740, [*PROSE[:2], "and whoever wants to know it is asked to send an e-", "mail."]))
    )
    assert "send an e-mail." in found


def test_a_line_of_an_item_that_opens_with_a_formula_carries_it_on() -> None:
    said = "the share of errors, which is set by the one who reads it, and that is otherwise taken to be as"
    rest = "x = 1/(2\327n\327m) where n = 2 and m = 3 \327 n."
    document = parsed(
        lines(72, 740, PROSE) + text(72, 650, "\267") + lines(90, 650, [said, rest]) + lines(72, 600, PROSE)
    )
    assert [block.text for block in of(document, ListItem)] == [f"{said} {rest}".replace("\327", "×")]


def test_a_sentence_whose_next_line_is_bold_goes_on() -> None:
    bold = text(72, 692, "gates or locks.", font="F2")
    found = paragraphs(lines(72, 740, [*PROSE, PROSE[0]]) + bold + lines(72, 660, PROSE))
    assert " ".join([*PROSE, PROSE[0], "gates or locks."]) in found


def test_a_comma_behind_a_change_of_type_follows_without_a_blank() -> None:
    said = text(72, 692, "and that is called", font="F4") + text(142.5, 692, ", in short, the gauge of the river")
    found = " ".join(paragraphs(lines(72, 740, PROSE) + said + lines(72, 640, PROSE)))
    assert "is called, in short, the gauge" in found


def test_paragraphs_of_a_line_or_two_each_are_parted_by_the_white_between_them() -> None:
    blocks = ["kind", PROSE[0], "one of them", "description", "the mark", PROSE[1], "inclusive, as is said", "class"]
    found: list[str] = []
    shown, y = "", 740.0
    for at, block in enumerate(blocks):
        two = at in {1, 5}
        shown += lines(72, y, [block, "and whatever else was found there."] if two else [block])
        found.append(f"{block} and whatever else was found there." if two else block)
        y -= 30 if two else 18
    assert paragraphs(shown) == found


def test_a_large_line_that_ends_as_a_chinese_sentence_does_is_no_heading() -> None:
    pdf = Pdf()
    said = {1: "所", 2: "有", 3: "董", 4: "事", 5: "出", 6: "席", 7: "。"}
    codes = "".join(f"<{code:02x}> <{ord(char):04x}>\n" for code, char in said.items())
    cmap = pdf.stream(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"{len(said)} beginbfchar\n{codes}endbfchar endcmap"
    )
    face = "/Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold"
    font = pdf.add(f"<< {face} /ToUnicode {cmap} 0 R >>")
    line = "q BT /F9 14 Tf 1 0 0 1 72 660 Tm <01020304050607> Tj ET Q\n"
    pdf.page(lines(72, 740, PROSE) + line + lines(72, 620, PROSE), fonts={"F9": font})
    document = read_pdf(pdf)
    assert not of(document, Heading)
    assert "所有董事出席。" in [block.text for block in of(document, Paragraph)]


def test_text_set_wider_than_the_listings_beside_it_runs_on() -> None:
    listing = lines(
        90, 740, [f"<sense n='{at}'><def>the gate of harbour {at}</def></sense>" for at in range(16)], font="F3"
    )
    wide = [
        *PROSE[:2],
        "so that whatever differs is due to it.",
        "The others are kept by those who came later than that.",
    ]
    found = paragraphs(listing + lines(72, 520, [*PROSE, "Simple as it is."], lead=18) + lines(72, 430, wide, lead=18))
    assert found == [" ".join([*PROSE, "Simple as it is."]), " ".join(wide[:3]), wide[3]]


def test_a_line_with_a_long_word_before_it_runs_on_where_listings_are_set_closer_than_it() -> None:
    """The second line leaves room, though not for "(loopback)", which opens the third as a sentence's words do."""
    listing = lines(112, 740, [f"port 1/x1/1/c{at}/1 no shutdown" for at in range(16)], lead=9.6, font="F3")
    said = [
        "With internal (or MAC-based) PXC, the egress path is cross-connected to the ingress path in the",
        "chip, without the need to consume a faceplate port, as shown in Figure 21: Internal connect",
        "(loopback) in a MAC chip. The number of the chips on a line card varies with the line card type.",
        "This information is essential for the correct configuration of the cross-connect.",
    ]
    footer = text(30, 40, "Release 23") + text(540, 40, "page 93 of it")
    assert " ".join(said) in paragraphs(listing + lines(72, 520, said, lead=12) + footer)


@pytest.mark.parametrize("end", ["seen.", "https://example.org/"])
def test_lines_each_of_its_own_set_wide_do_not_run_on(end: str) -> None:
    listing = lines(
        90, 740, [f"<sense n='{at}'><def>the gate of harbour {at}</def></sense>" for at in range(16)], font="F3"
    )
    rows = [f"Harbour {at} of the northern coast, {'with all of its gates, ' * 3}as it was {end}" for at in range(4)]
    found = paragraphs(listing + lines(72, 520, rows, lead=18))
    assert [entry for entry in found if "Harbour" in entry] == rows


def test_a_name_in_a_typewriter_face_keeps_the_hyphen_at_which_a_line_breaks_it() -> None:
    said = lines(72, 740, PROSE) + text(
        72, 704, "so that the log of all of it, which is kept for as long as that, is named"
    )
    said += text(392, 704, "Node-", font="F3") + text(72, 692, "ttb", font="F3")
    said += text(92.8, 692, "in the folder of the harbour, and no more than that is known of it by then.")
    assert any("is named Node-ttb in the folder" in block for block in paragraphs(said))


def test_short_sentences_under_one_another_are_paragraphs_where_none_runs_on_over_a_line_end() -> None:
    said = [f"The gate of the harbour has been opened by the keeper ({at})." for at in range(4)]
    assert paragraphs(lines(72, 740, said)) == said
    aside = lines(
        72, 740, ["The gate of the harbour is open. The", "keeper is asked to close it again.", "It is late."]
    )
    assert paragraphs(aside) == ["The gate of the harbour is open. The keeper is asked to close it again. It is late."]


def test_a_list_that_is_indented_far_begins_under_a_line_with_room_left() -> None:
    content = lines(72, 740, [*PROSE, "It is told as follows."])
    content += lines(150, 740 - 12 * (len(PROSE) + 1), ["1) The gate is opened.", "2) The keeper is called."])
    found = of(parsed(content), ListItem)
    assert [(item.marker, item.text) for item in found] == [
        ("1)", "The gate is opened."), ("2)", "The keeper is called."),
    ]  # fmt: skip


def test_a_sentence_goes_on_overleaf_with_a_name() -> None:
    above = [
        *PROSE,
        "The keepers are asked to say what they have seen. Whoever wants to know more of this asks for the",
        "books of the harbour and of the gates, of which one is kept by the keeper of the old house at the",
    ]
    below = ["Saint Malo, who shows it to whoever comes. The others are kept in the house of the keeper.", *PROSE]
    found = paragraphs(lines(72, 740, above), lines(72, 740, below))
    assert any("of the old house at the Saint Malo, who shows it to whoever comes." in text for text in found)
    note = ["Note: the books of the others are kept in the house of the keeper and are not shown to any.", *PROSE]
    found = paragraphs(lines(72, 740, above), lines(72, 740, note))
    assert any(text.startswith("Note: the books") for text in found)


def test_the_parts_of_a_figure_belong_to_its_caption() -> None:
    caption = ["Figure 1. The gates of the harbour as they are seen from the quay by those who come in.",
               "(a) The gate of the north, with its lamps; and (b) that of the south, in the evening."]  # fmt: skip
    document = parsed(lines(72, 740, PROSE) + lines(72, 660, caption) + lines(72, 600, PROSE))
    assert not of(document, ListItem)
    assert any(" ".join(caption) in text for text in [block.text for block in of(document, Paragraph)])


def test_numbers_of_every_fifth_line_are_no_text() -> None:
    shown = lines(72, 740, PROSE * 8)
    for at in range(1, 5):
        shown += text(530, 740 - 12 * (5 * at - 1), str(5 * at))
    assert not [text for text in paragraphs(shown) if text.strip().isdecimal()]
    rows = "".join(text(72, 740 - 40 * at, f"Gate {at}") + text(530, 740 - 40 * at, str(5 * at)) for at in range(1, 5))
    assert all(str(5 * at) in str(parsed(rows).parts) for at in range(1, 5))


def test_entries_led_by_dots_and_ellipses_are_apart() -> None:
    dots = "\xbc"  # an ellipsis in the encoding of the standard fonts (ISO 32000, D.2)
    led = {"old": dots * 7 + "....", "new": f"..{dots}..", "great": "...." + dots * 6 + "."}
    entries = [f"Gates of the {name} harbour{leader}{at}" for at, (name, leader) in enumerate(led.items(), 3)]
    found = paragraphs("".join(text(72, 740 - 12 * at, entry) for at, entry in enumerate(entries)))
    assert found == [f"Gates of the {name} harbour … {at}" for at, name in enumerate(led, 3)]


def test_names_far_under_one_another_are_paragraphs_where_each_leaves_room_for_the_next() -> None:
    names = [f"harbour.gates.{name}" for name in ("open", "close", "keepkeepers", "raise", "lower", "paint")]
    content = "".join(text(72, 700 - 24 * at, name) for at, name in enumerate(names))
    assert paragraphs(content + text(400, 500, "The gates of the harbour.")) == [*names, "The gates of the harbour."]


def test_text_that_is_set_with_two_lines_between_is_one_paragraph() -> None:
    content = "".join(text(72, 700 - 24 * at, line) for at, line in enumerate([*PROSE, "The gates are old."]))
    assert paragraphs(content) == [" ".join([*PROSE, "The gates are old."])]


def test_a_line_that_had_room_for_all_of_the_next_ends_a_paragraph() -> None:
    address = ["Keepers of the Harbour", "7 Quay of the North", "Port of the Gates"]
    assert paragraphs(lines(72, 740, PROSE) + lines(72, 690, address))[1:] == address


def test_a_term_and_what_is_said_of_it_further_right_are_two_paragraphs() -> None:
    said = ["Opens the gate and says which of the keepers has asked for it, and at which hour of the day", "it was."]
    content = lines(72, 740, PROSE) + text(72, 690, "open_gate(keeper)") + lines(102, 678, said)
    assert paragraphs(content)[1:] == ["open_gate(keeper)", " ".join(said)]


def test_what_hangs_under_the_words_behind_a_number_carries_them_on() -> None:
    content = (
        lines(72, 740, PROSE)
        + text(72, 690, "7a")
        + text(90, 690, "Keepers of the Northern")
        + text(90, 678, "Harbour")
    )
    assert any("Keepers of the Northern Harbour" in found for found in paragraphs(content))


QUOTED = [
    "The keepers of the gates were asked by all of the",
    "others to close them, and none of them did, for",
    "none.",
]


def quotes(content: str) -> list[str]:
    return [block.text for block in of(parsed(content), Paragraph) if block.style == "quote"]


def test_what_is_set_in_from_both_edges_among_paragraphs_is_quoted() -> None:
    around = lines(72, 740, PROSE) + lines(72, 620, PROSE)
    assert quotes(around + lines(102, 690, QUOTED)) == [" ".join(QUOTED)]
    assert not quotes(around + lines(102, 690, PROSE))


def test_what_a_bar_marks_is_quoted_and_what_stands_in_a_frame_is_not() -> None:
    around = lines(72, 740, PROSE) + lines(72, 600, PROSE)
    bar = "q 1 w 73 664 m 73 702 l S Q\n"
    content = around + text(84, 690, "The keepers of the gates.") + text(84, 672, "They were asked.")
    assert quotes(content + bar) == ["The keepers of the gates.", "They were asked."]
    assert not quotes(content + bar + "q 1 w 500 664 m 500 702 l S Q\n")


def test_a_bar_beside_the_upper_half_of_low_type_marks_nothing() -> None:
    pdf = Pdf()
    descriptor = pdf.add(
        "<< /Type /FontDescriptor /FontName /Low /Flags 32 /FontBBox [0 -50 1000 450] /ItalicAngle 0 /Ascent 450"
        " /Descent -50 /CapHeight 450 /StemV 80 >>"
    )
    low = pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Low /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126"
        f" /Widths [{'420 560 ' * 48}] /FontDescriptor {descriptor} 0 R >>"
    )
    bar = "q 1 w 73 693.25 m 73 699.25 l S Q\n"
    pdf.page(lines(72, 740, PROSE) + text(84, 690, "The keepers of the gates.", font="L1") + bar, fonts={"L1": low})

    document = read_pdf(pdf)

    assert [(one.text, one.style) for one in of(document, Paragraph)][-1] == ("The keepers of the gates.", "")
    assert not document.notices


def test_the_last_line_of_a_paragraph_is_none_of_its_own_where_it_happens_to_stand_in_the_middle_of_the_page() -> None:
    body = [f"{opening} the keepers of the gates have seen each of them, and all of it" for opening in ("And", "where")]
    shown = text(72, 740, "The Gates", size=14) + lines(230, 740, [*body, f"since{body[0][3:]}"])
    found = paragraphs(shown + text(230, 704, "open to those who have come to"))
    assert any(said.endswith("all of it open to those who have come to") for said in found)


def test_lines_of_an_address_stay_lines() -> None:
    address = ["Harbour Office", "Attn. Maria Holm", "12 Quay Street", "Port Ellen"]
    assert paragraphs(lines(72, 740, address)) == ["\n".join(address)]


def test_lines_at_the_right_edge_stay_lines() -> None:
    block = ["Invoice no.: 2024-0317-A", "Date: 14 March 2024", "Due: 13 April 2024"]
    assert paragraphs(
        "".join(text(400 - 6 * len(line), 740 - 12 * at, line, font="F3") for at, line in enumerate(block))
    ) == ["\n".join(block)]


def test_lines_of_names_and_amounts_stay_lines() -> None:
    block = ["MILK 1L      2.30", "BREAD        1.85", "APPLES       1.84", "DISCOUNT        -1.00"]
    found = paragraphs(lines(72, 740, block, font="F4"))
    assert "\n".join(found).split("\n") == [" ".join(line.split()) for line in block]


@pytest.mark.parametrize(
    "body",
    [
        ["We wrote to the Harbour Office of the Ministry of Trade and Transport, and to the Guild of", "Pilots."],
        ["The keepers of the lights between the northern and the southern shore were paid by the", "Crown, and by us."],
    ],
)
def test_a_name_at_the_start_of_a_line_of_prose_ends_none(body: list[str]) -> None:
    assert " ".join(body) in paragraphs(lines(72, 740, PROSE) + lines(72, 640, body))


def test_clauses_that_count_on_are_paragraphs_of_their_own() -> None:
    clauses = [
        "2.1. The Hirer shall pay the Owner 1,450 a week, in advance, without deduction or set-off.",
        "2.2. Where payment is late by more than seven days the Owner may:",
        "2.2.1. charge interest at 4 per cent above base rate; and",
        "2.2.2. withdraw the Vessel from service.",
        "2.3. The Hirer shall keep the Vessel clean and in good order, and shall bear what is told in",
        "2.1 above.",
    ]
    found = paragraphs(lines(72, 740, PROSE) + lines(72, 640, clauses))
    assert found[-5:] == [*clauses[:4], " ".join(clauses[4:])]


def test_a_line_of_a_ragged_column_that_a_long_word_ends_early_goes_on_in_the_next() -> None:
    column = [
        "Costs of timber rose in the autumn, and",
        "the depot saved fuel for yet another year",
        "until winter came to the town.",
        "Notwithstanding all of that the fee for",
        "children was lowered once more, as those",
        "who had asked for it were told in spring",
    ]
    assert paragraphs(lines(72, 740, column)) == [" ".join(column)]
    column[3] = "It was so that the yearly fee for small"
    assert paragraphs(lines(72, 740, column)) == [" ".join(column[:3]), " ".join(column[3:])]


def test_what_is_written_over_the_rules_of_a_form_stands_behind_its_labels() -> None:
    fields = [("Surname", "PETROVA", "First name", "ANNA"), ("School", "Mill Lane", "Swimmer", "yes")]
    fields += [("Town", "Harbourton", "Born", "4 May 2015")]
    page = text(72, 760, "Please write in capitals and return the form by the first of May.")
    for at, (label, value, other, entry) in enumerate(fields):
        y = 720 - 24 * at
        page += text(72, y, label) + text(140, y + 8, value) + rule(140, y - 4, 280, y - 4)
        page += text(300, y, other) + text(370, y + 8, entry) + rule(370, y - 4, 500, y - 4)
    blocks = parsed(page).parts[0].blocks
    said = " ".join(
        " ".join(" ".join(row) for row in block.rows) if isinstance(block, Table) else block.text for block in blocks
    )
    assert said.endswith(" ".join(" ".join(row) for row in fields))


def test_an_entry_of_a_form_with_a_label_on_its_own_line_stays_there() -> None:
    page = text(72, 700, "Interest", size=9) + text(240, 700, "12.50", size=9) + rule(240, 694, 300, 694)
    page += text(72, 690, "Dividends of all kinds, ordinary ones", size=9)
    said = " ".join(
        " ".join(str(row) for row in b.rows) if isinstance(b, Table) else b.text for b in parsed(page).parts[0].blocks
    )
    assert said.index("Interest") < said.index("12.50") < said.index("Dividends")
