"""Items of lists by the signs they open with, entries of contents, and paragraphs that open alike."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, grid, lines, text
from support.formats.pdf_prose import PROSE, coded, parsed, symbol_font
from support.formats.pdf_prose import read_pdf as read
from support.formats.plugin_reading import of

from sidecar.api import Code, Heading, ListItem, Paragraph, ParsedDocument, Table

ITEMS = [
    "the start of each of the gates and the harbours it leads to is known",
    "the end of each of them lies within the harbour, and was seen",
    "whoever keeps them was asked, and has said so",
]


def paragraphs(*pages: str) -> list[str]:
    return [block.text for block in of(parsed(*pages), Paragraph)]


def test_the_letter_that_word_processors_take_for_a_ring_opens_items() -> None:
    shown = lines(72, 740, PROSE)
    for at, item in enumerate(ITEMS):
        shown += text(90, 680 - 18 * at, "o", font="F3") + text(108, 680 - 18 * at, item)
    document = parsed(shown + lines(72, 600, PROSE))
    assert [(block.marker, block.text, block.ordered) for block in of(document, ListItem)] == [
        ("o", item, False) for item in ITEMS
    ]
    assert not of(document, Table)


@pytest.mark.parametrize(
    "names", ["A. Meyer, B. C. Osei and C. Lindqvist", "A. U. Thor 1,2, B. Thor 2", "B.-D. Liu and Y. Xu"]
)
def test_the_initial_of_the_first_of_several_names_is_no_letter_of_a_list(names: str) -> None:
    assert names in paragraphs(text(72, 740, names) + lines(72, 700, PROSE))


def test_a_letter_before_a_word_and_a_comma_opens_an_item() -> None:
    shown = text(72, 740, "A. Harbours, gates and keepers") + text(72, 720, "B. Keepers, all of them")
    assert [block.marker for block in of(parsed(shown), ListItem)] == ["A.", "B."]


def test_a_plain_letter_before_a_word_opens_no_item() -> None:
    shown = lines(72, 740, [*PROSE[:2], "o rose of the harbours, thou art kept by the last of all the keepers."])
    assert not of(parsed(shown), ListItem)


def test_clubs_of_a_font_of_symbols_are_bullets_unless_they_are_suits() -> None:
    for signs, listed in (("\u2663", True), ("\u2663\u2660", False)):
        pdf = Pdf()
        font = symbol_font(pdf, "OpenSymbol", signs)
        shown = lines(72, 740, PROSE)
        for at, item in enumerate(ITEMS):
            code = "41" if listed or at != 1 else "42"
            shown += coded(90, 680 - 18 * at, code, font="S1") + text(108, 680 - 18 * at, item)
        pdf.page(shown, fonts={"S1": font})
        found = [(block.marker, block.text) for block in of(read(pdf), ListItem)]
        assert (found == [("▪", item) for item in ITEMS]) is listed


def test_an_entry_with_dots_is_none_of_the_one_without_over_it() -> None:
    shown, y = "", 740.0
    for chapter in range(1, 5):
        shown += text(72, y, f"{chapter} Harbour {chapter}") + text(534, y, f"{10 + 2 * chapter}")
        for part in range(1, 4):
            entry, page = f"{chapter}.{part} Gate {part} {'. ' * 60}", 10 + 2 * chapter + (part > 1)
            shown += text(84, y - 14 * part, entry) + text(534, y - 14 * part, f"{page}")
        y -= 64
    found = paragraphs(shown)
    assert [entry for entry in found if "Harbour" in entry] == [
        f"{at} Harbour {at} {10 + 2 * at}" for at in range(1, 5)
    ]


def test_a_bold_number_makes_a_title_of_words_in_a_script_without_a_bold_face() -> None:
    pdf = Pdf()
    font = symbol_font(pdf, "MS-Mincho", "監控好的容量計劃是必要，使系統能夠被連續")
    said = "".join(f"{code:02x}" for code in range(0x43, 0x55))
    shown = lines(72, 740, PROSE)
    for at, y in enumerate((690, 640, 590), 1):
        shown += text(72, y, f"4.3.{at}", font="F2") + coded(100, y, "4142", font="S1")
        shown += coded(72, y - 16, said * 2, font="S1") + coded(72, y - 28, said, font="S1")
    pdf.page(shown, fonts={"S1": font})
    document = read(pdf)
    joined = [block.text for block in of(document, Paragraph) if "監控" in block.text and "好的" in block.text]
    assert not joined
    assert [(block.number, block.text) for block in of(document, Heading)] == [
        (f"4.3.{at}", "監控") for at in (1, 2, 3)
    ]


def test_a_line_indented_as_the_first_of_its_paragraph_opens_another() -> None:
    shown, y = "", 740.0
    for last in ("of the piles", "and then it is over.", "in the order that is said above."):
        shown += text(89, y, PROSE[0][:-9]) + lines(72, y - 12, [PROSE[1], last])
        y -= 36
    shown += text(89, y, "Take the deck from whoever dealt it.") + text(89, y - 12, "Deal the cards as is said above.")
    found = paragraphs(shown)
    assert len(found) == 5
    assert found[0].endswith("of the piles")
    assert found[-2:] == ["Take the deck from whoever dealt it.", "Deal the cards as is said above."]


def test_a_name_with_a_capital_within_is_joined_where_it_is_known() -> None:
    body = [
        *PROSE[:2],
        "and the call of clearRecords is the first of those that are made, as it was before, by clear-",
        "Records itself, and not by the others; whoever asks for it is told so by the keeper of Mont-",
        "Blanc, where all of them are kept until the last of the days.",
    ]
    found = " ".join(paragraphs(lines(72, 740, body)))
    assert "by clearRecords itself" in found
    assert "keeper of Mont-Blanc" in found


def test_an_item_goes_on_in_the_name_that_its_line_breaks() -> None:
    item = ["seekPrevious, seekNext, eraseOne, eraseAll, eraseTheRange, addTheEvent of them, and change-", "TheEvent."]
    shown = lines(72, 740, PROSE) + text(82, 690, "\267") + lines(94, 690, item)
    document = parsed(shown + text(82, 664, "\267") + text(94, 664, "the others are said above"))
    assert next(block.text for block in of(document, ListItem)).endswith("change-TheEvent.")


def test_levels_hold_over_paragraphs_within_items_and_for_what_carries_on_a_list() -> None:
    shown, y = "", 740.0
    for term in ("subindent", "normalize"):
        for item in ("means the next of them", "means the one before"):
            shown += text(96, y, "\267") + text(106, y, f"{item} of {term}")
            y -= 14
        shown += text(80, y, "\267") + text(92, y, f"{term} n")
        for _ in range(4):
            shown += lines(92, y - 20, PROSE[:2])
            y -= 34
        y -= 20
    found = of(parsed(shown), ListItem)
    assert [block.level for block in found] == [1, 1, 0, 1, 1, 0]


def test_numbers_of_two_figures_that_begin_further_left_are_of_the_same_list() -> None:
    shown = "".join(
        text(72 if at > 9 else 78, 740 - 14 * at, f"{at}.") + text(92, 740 - 14 * at, f"the gate of harbour {at}")
        for at in range(8, 12)
    )
    assert [block.level for block in of(parsed(shown), ListItem)] == [0] * 4


def test_the_label_of_a_box_stands_before_what_it_says() -> None:
    said = [
        "when you restore a database, everything in your current one will be",
        "lost, and so will all copies of it.",
    ]
    shown = lines(72, 740, PROSE) + text(80, 664, "Important") + lines(140, 670, said)
    document = parsed(shown + grid([72, 134, 520], [655, 684]) + lines(72, 620, PROSE))
    found = [block.text for block in document.parts[0].blocks if isinstance(block, Paragraph)]
    assert f"Important {' '.join(said)}" in found


def test_a_line_in_small_typewriter_type_that_a_colon_leads_to_needs_no_white_over_it() -> None:
    command = "gcc $(pkg-config --libs --cflags harbour) example.c -o example"
    body = [*PROSE[:2], "whatever is asked for may be had by the following command, as said above:"]
    shown = lines(72, 740, body) + text(72, 707, command, size=7, font="F3") + lines(72, 670, PROSE * 2)
    assert [block.text for block in of(parsed(shown + lines(72, 560, PROSE * 3)), Code)] == [command]


CHINESE = "監控好的容量計劃是必要，使系統能夠被連續。"


def chinese(x: float, y: float, said: str) -> str:
    codes = "".join(f"{0x41 + CHINESE.index(sign):02x}" for sign in said)
    return coded(x, y, codes, font="S1")


def chinese_pages(*pages: str) -> ParsedDocument:
    pdf = Pdf()
    font = symbol_font(pdf, "MS-Mincho", CHINESE)
    for page in pages:
        pdf.page(page, fonts={"S1": font})
    return read(pdf)


def test_a_short_chinese_line_ends_its_paragraph() -> None:
    full = (CHINESE[:-1] * 3)[:45]
    shown = chinese(72, 740, CHINESE[:2]) + chinese(72, 728, full) + chinese(72, 716, full[:20] + "。")
    found = [block.text for block in chinese_pages(shown).parts[0].blocks if isinstance(block, (Paragraph, Heading))]
    assert found == [CHINESE[:2], full + full[:20] + "。"]


def test_a_chinese_sentence_over_the_end_of_a_page_is_one() -> None:
    full = (CHINESE[:-1] * 3)[:45]
    first = chinese(72, 740, full) + chinese(72, 728, full)
    second = chinese(72, 740, full[:9] + "。" + full[:35]) + chinese(72, 728, full[:20] + "。")
    pages = chinese_pages(first, second).parts
    assert [block.text for block in pages[0].blocks if isinstance(block, Paragraph)] == [full * 2 + full[:9] + "。"]
    assert [block.text for block in pages[1].blocks if isinstance(block, Paragraph)] == [full[:35] + full[:20] + "。"]


def test_an_item_ends_where_white_parts_a_paragraph_within_it() -> None:
    item = ["By the file of the harbour, as is said in the annex, and by whoever keeps the gates of", "it."]
    shown = text(72, 740, "1.") + lines(90, 740, item)
    for at, opening in enumerate(
        ("In this case a request for any of them is told", "Note: the gate opens to those who")
    ):
        shown += lines(90, 713 - 27 * at, [f"{opening} to the keeper, and it is he who opens or closes", "all of it."])
    shown += text(72, 656, "2.") + text(90, 656, "By the others.")
    blocks = parsed(shown).parts[0].blocks
    assert [block.text[:7] for block in blocks if isinstance(block, (ListItem, Paragraph))] == [
        "By the ", "In this", "Note: t", "By the ",
    ]  # fmt: skip


def test_entries_of_contents_whose_pages_a_word_precedes_are_entries() -> None:
    entries = ["Hakkinda", "Lisans", "Kurulum Rehberi", "Kullanim"]
    shown = "".join(text(72, 740 - 12 * at, f"{e}{'.' * (60 - len(e))} sayfa {at + 1}") for at, e in enumerate(entries))
    assert paragraphs(shown) == [f"{entry} … sayfa {at + 1}" for at, entry in enumerate(entries)]


def test_ligatures_whose_letters_are_given_with_their_bytes_swapped_are_letters() -> None:
    pdf = Pdf()
    signs = "speci昀椀atru琀最大"
    font = symbol_font(pdf, "Slides", signs, width=500)

    def set_as(x: float, y: float, said: str) -> str:
        return coded(x, y, "".join(f"{0x41 + signs.index(sign):02x}" for sign in said), font="S1")

    pdf.page(
        set_as(72, 740, "speci昀椀c") + set_as(140, 740, "a琀琀ri") + set_as(200, 740, "c最大"), fonts={"S1": font}
    )
    assert [block.text for block in read(pdf).parts[0].blocks if isinstance(block, (Paragraph, Heading))] == [
        "specific attri c最大"
    ]


def round_mark(x: float, y: float, side: float, paint: str) -> str:
    """A disc, or a ring, painted as browsers paint the marks of lists."""
    half, right = side / 2, x + side
    curves = f"{x} {y + half} {right} {y + half} {right} {y} c {right} {y - half} {x} {y - half} {x} {y} c"
    return f".4 w {x} {y} m {curves} {paint}\n"


@pytest.mark.parametrize("size", [10, 7])
def test_marks_that_browsers_draw_before_lines_open_items_as_deep_as_they_stand(size: float) -> None:
    shown, side = lines(72, 740, PROSE, size=size), 0.4 * size
    drawn = [
        (88, "f", "\u2022"),
        (88, "f", "\u2022"),
        (118, "S", "\u25e6"),
        (118, "S", "\u25e6"),
        (148, "re", "\u25aa"),
    ]
    for at, (x, paint, _) in enumerate(drawn):
        y = 680 - 14 * at
        ring = round_mark(x, y + 3, side, paint)
        shown += (f"{x} {y + 1} {side} {side} re f\n" if paint == "re" else ring) + text(
            x + 1.2 * size, y, ITEMS[at % 3], size=size
        )
    document = parsed(shown + lines(72, 580, PROSE, size=size))
    assert [(item.marker, item.text, item.level) for item in of(document, ListItem)] == [
        (sign, ITEMS[at % 3], (x - 88) // 30) for at, (x, _, sign) in enumerate(drawn)
    ]


def test_small_squares_alone_and_discs_within_a_line_open_no_items() -> None:
    legend = "".join(f"{100} {680 - 14 * at} 5 5 re f\n" + text(112, 680 - 14 * at, ITEMS[at]) for at in range(3))
    within = text(72, 600, "the gate") + round_mark(114, 603, 4, "f") + text(122, 600, "is drawn within a line of text")
    assert not of(parsed(lines(72, 740, PROSE) + legend + within + lines(72, 560, PROSE)), ListItem)


@pytest.mark.parametrize("day", ["15. November 2022", "11. 11. 2011", "3. desember 2021", "4. toukokuuta 2019"])
def test_a_date_that_opens_with_the_day_is_no_item(day: str) -> None:
    document = parsed(lines(72, 740, PROSE) + text(72, 690, day) + text(72, 660, "1. The gates of 2022"))
    assert [item.text for item in of(document, ListItem)] == ["The gates of 2022"]


def test_items_under_a_numbered_heading_are_the_first_level_of_their_list() -> None:
    content, y = "", 740
    for number in ("1. Gates", "2. Keepers"):
        content += text(72, y, number, font="F2", size=14) + text(90, y - 24, "\267") + text(102, y - 24, "is opened")
        content += text(90, y - 38, "\267") + text(102, y - 38, "is closed") + lines(72, y - 60, PROSE * 2)
        y -= 180
    items = of(parsed(content), ListItem)
    assert [(item.text, item.level) for item in items] == [("is opened", 0), ("is closed", 0)] * 2


def test_an_indented_line_under_an_item_that_had_room_for_it_is_none_of_its_text() -> None:
    content = lines(72, 740, PROSE) + text(72, 690, "3.") + text(87, 690, "The gates")
    content += text(102, 678, "3.1. Which are open") + text(102, 666, "3.2. Which are closed")
    document = parsed(content)
    assert [item.text for item in of(document, ListItem)] == ["The gates"]
    assert [block.text for block in of(document, Paragraph)][1:] == ["3.1. Which are open", "3.2. Which are closed"]


def test_a_line_under_the_words_of_an_item_is_its_own_whatever_room_was_left() -> None:
    content = lines(72, 740, PROSE) + text(72, 690, "\267") + text(87, 690, "gates.py, by the keepers")
    document = parsed(content + text(87, 678, "Opens the gates."))
    assert [item.text for item in of(document, ListItem)] == ["gates.py, by the keepers Opens the gates."]


def test_a_day_that_opens_a_line_of_an_item_is_no_item_under_it() -> None:
    entries = ["The keepers. A guide to the gates of the harbour and to all that they lead to.", "14. Jan. 2019."]
    content = lines(72, 740, PROSE)
    for at, number in enumerate(("[1]", "[2]")):
        content += text(72, 690 - 30 * at, number) + lines(90, 690 - 30 * at, entries)
    items = of(parsed(content), ListItem)
    assert [(item.marker, item.text, item.level) for item in items] == [
        (number, " ".join(entries), 0) for number in ("[1]", "[2]")
    ]


def test_what_the_stars_of_a_table_stand_for_is_no_item() -> None:
    said = "* p<.1, ** p<.05, *** p<.01"
    found = parsed(lines(72, 740, PROSE) + text(72, 640, said) + text(72, 600, "* An item"))
    assert said in [block.text for block in of(found, Paragraph)]
    assert [item.text for item in of(found, ListItem)] == ["An item"]


@pytest.mark.parametrize("numbers", ["123", "ABC"])
def test_numbered_paragraphs_are_items_of_one_list_though_the_first_is_not_indented(numbers: str) -> None:
    content = lines(72, 740, PROSE)
    for at, (number, item) in enumerate(zip(numbers, ITEMS, strict=True)):
        content += text(90 if at else 72, 680 - 24 * at, f"{number}. T{item[1:]} to all those who pass the gates,")
        content += text(72, 668 - 24 * at, "whichever way they came and whatever for.")
    items = of(parsed(content + lines(72, 560, PROSE)), ListItem)
    assert [(item.marker, item.level) for item in items] == [(f"{number}.", 0) for number in numbers]


def test_numbers_without_any_sign_that_count_from_one_open_items() -> None:
    """As ReportLab sets numbered lists."""
    shown = lines(72, 740, PROSE)
    said = [item.capitalize() for item in ITEMS]
    for at, item in enumerate(said, 1):
        shown += text(72, 690 - 24 * at, str(at)) + text(90, 690 - 24 * at, item)
    found = of(parsed(shown + lines(72, 560, PROSE)), ListItem)
    assert [(block.marker, block.text) for block in found] == [(str(at), item) for at, item in enumerate(said, 1)]


def test_a_heading_that_counts_on_with_a_list_of_items_is_none_of_them() -> None:
    pdf, names = Pdf(), ("Rivers", "Harbours", "Gates", "Ships")
    shown, y = "", 780
    for at, name in enumerate(names, 1):
        shown += text(72, y, f"{at}. {name}", size=15, font="F2") + lines(72, y - 20, PROSE)
        y -= 84
        if at == 3:
            shown += "".join(text(72, y - 16 * n, f"{n + 1}.") + text(86, y - 16 * n, i) for n, i in enumerate(ITEMS))
            y -= 60
    pdf.page(shown)
    document = read(pdf)
    assert [(heading.number.rstrip("."), heading.text) for heading in of(document, Heading)] == [
        (str(at), name) for at, name in enumerate(names, 1)
    ]
    assert [item.text for item in of(document, ListItem)] == ITEMS
