"""Listings, and lists of terms with their definitions: what stays together, and line by line as it is set."""

from __future__ import annotations

import pytest
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, parsed, read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Code, Figure, ListItem, Note, Paragraph, Table


def typed(x: float, y: float, shown: list[str], size: float = 10) -> str:
    """Lines in a typewriter face, set word by word at the places their blanks give them."""
    return "".join(
        text(x + 0.6 * size * (len(line) - len(line.lstrip())), y - 12 * at, line.lstrip(), size=size, font="F3")
        for at, line in enumerate(shown)
        if line
    )


def test_a_listing_keeps_its_blank_lines_its_blanks_and_lines_that_open_as_items_do() -> None:
    shown = [
        "/* Opens the gate.",
        " * - first the lower one",
        " * 2. then the upper one",
        " */",
        "int gate(int side) {",
    ]
    shown += ["    int   y  = 0;", "", "", "    return y;", "}", "", "- done", "* all   of it"]
    document = parsed(lines(72, 740, PROSE * 2) + typed(90, 640, shown) + lines(72, 440, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)]
    assert not of(document, ListItem)


def test_a_listing_over_a_page_end_is_one_on_the_page_that_has_more_of_it() -> None:
    shown = [
        "def gate(side):",
        "    if side == 1:",
        "        return open_all()",
        "",
        "    for lock in locks:",
        "        lock()",
    ]
    above, below = lines(72, 740, PROSE * 2), lines(72, 600, PROSE * 2)
    long, short = typed(72, 700, shown[:5]), typed(72, 740, shown[5:])
    first, second = parsed(lines(72, 780, PROSE[:2]) + long, short + below).parts
    assert [block.text for block in first.blocks if isinstance(block, Code)] == ["\n".join(shown)]
    assert not [block for block in second.blocks if isinstance(block, Code)]
    first, second = parsed(above + typed(72, 100, shown[:1]), typed(72, 740, shown[1:]) + below).parts
    assert not [block for block in first.blocks if isinstance(block, Code)]
    assert [block.text for block in second.blocks if isinstance(block, Code)] == ["\n".join(shown)]


def test_what_stands_off_the_grid_of_a_listing_is_the_next_one() -> None:
    shown = ["gate open --all", "all gates open", "", "gate lock 4", "gate 4 locked"]
    apart = typed(72, 640, shown) + typed(72, 562, ["gate close --all", "all gates closed"])
    document = parsed(lines(72, 740, PROSE * 2) + apart + lines(72, 500, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown), "gate close --all\nall gates closed"]


def test_listings_may_fill_more_of_a_document_than_sentences() -> None:
    said = [
        "Read all of the gates as binary data, at once.",
        "Then close the ones that the tide has left open.",
        PROSE[0],
    ]
    shown = ["const gates = require(1);", "gates.open(1);", "gates.open(2);", "gates.close(1);"] * 2
    page = "".join(lines(72, 740 - 160 * at, [one]) + typed(72, 720 - 160 * at, shown) for at, one in enumerate(said))
    document = parsed(page)
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)] * 3
    assert [p.text for p in of(document, Paragraph)] == said


def test_a_line_of_words_set_as_longer_listings_are_is_one() -> None:
    single = lines(72, 740, PROSE * 2) + typed(72, 645, ["npm install gates"]) + lines(72, 620, PROSE * 2)
    longer = typed(72, 540, ["const gates = require(1);", "gates.open(1);"])
    assert next(code.text for code in of(parsed(single + longer), Code)) == "npm install gates"
    assert not of(parsed(single), Code)


def test_lines_of_a_listing_that_open_with_numbers_are_no_notes() -> None:
    shown = ["4   CARD32   OFFSET", "8   CARD32   LENGTH", "12  CARD32   CHECKSUM OF ALL"]
    document = parsed(lines(72, 740, PROSE * 4) + typed(72, 120, shown, size=8))
    assert not of(document, Note)


def test_names_in_a_typewriter_face_are_items_of_their_list_and_words_of_their_sentence() -> None:
    items = "".join(
        text(80, 640 - 14 * at, "\267") + text(92, 640 - 14 * at, name, font="F3")
        for at, name in enumerate(("gate_open", "gate_close", "gate_lock"))
    )
    said = text(72, 560, "The function") + text(132, 560, "gate_lock_both_sides_at_once", font="F3")
    said += text(305, 560, "also takes these:") + typed(72, 540, ["NORTH", "SOUTH"])
    document = parsed(lines(72, 740, PROSE * 2) + items + said + lines(72, 480, PROSE * 2))
    assert [item.text for item in of(document, ListItem)] == ["gate_open", "gate_close", "gate_lock"]
    assert "The function gate_lock_both_sides_at_once also takes these:" in [p.text for p in of(document, Paragraph)]
    assert [code.text for code in of(document, Code)] == ["NORTH\nSOUTH"]


REFERENCES = [
    ["Amundsen, K., and Lake, B. (2019). On the measure of tides at the mouth of three rivers. Journal", "of Tides."],
    [
        "Oyelaran, P. (2003). Gates and bridges. Second edition, with a foreword by the author of the first",
        "and a map.",
    ],
    ["Poole, C. (2011). What pilots had not known. In: Harbours of the North, edited by A. Rivers, and", "B. Lake."],
    ["Rivers, A. (1999). Gates."],
    ["Zola, Q. (2001). Bridges and quays of the old town, from the drawings of those who built them in", "June."],
]


def hung(x: float, y: float, entries: list[list[str]], indent: float) -> str:
    """Paragraphs whose lines hang from the first."""
    shown = [(bool(at), line) for entry in entries for at, line in enumerate(entry)]
    return "".join(text(x + indent * hangs, y - 12 * at, line) for at, (hangs, line) in enumerate(shown))


def said(page: str) -> list[str]:
    prose = lines(72, 740, PROSE * 2), lines(72, 300, PROSE * 2)
    return [p.text for p in of(parsed(prose[0] + page + prose[1]), Paragraph)][1:-1]


def test_references_whose_lines_hang_are_a_paragraph_each() -> None:
    assert said(hung(72, 640, REFERENCES, 20)) == [" ".join(entry) for entry in REFERENCES]


def test_paragraphs_with_an_indented_first_line_are_told_from_those_that_hang() -> None:
    prose = [" ".join(PROSE)] * 3
    shown = "".join(text(72 + 20 * (not at % 3), 640 - 12 * at, line) for at, line in enumerate(PROSE * 3))
    assert said(shown) == prose


def test_terms_with_what_is_said_of_them_in_a_column_of_its_own_are_a_paragraph_each() -> None:
    terms = [
        ["ACK", "acknowledgement of what came in over the line from the other side"],
        ["API", "application programming interface"],
    ]
    shown = "".join(
        text(72, 640 - 12 * at, term) + text(150, 640 - 12 * at, means) for at, (term, means) in enumerate(terms)
    )
    assert said(shown) == [" ".join(term) for term in terms]


def test_a_term_under_what_is_said_of_another_begins_a_paragraph() -> None:
    page = text(72, 640, "gzip:stamp") + text(
        130, 640, "Stores the time at which the file was written. This is done where nothing else at all"
    )
    page += text(108, 628, "provided as its option.") + text(72, 616, "lrzip:compression=type")
    page += text(108, 604, "Uses the type that is named as the method of compression.")
    told = " ".join(said(page)[0].split())
    assert told.startswith("gzip:stamp") and told.endswith("provided as its option.")


def test_items_far_to_the_right_of_the_list_they_belong_to_are_items() -> None:
    page = text(80, 640, "\267 gates: the lower one and the upper one, of iron") + text(112, 628, "\267 lower")
    page += text(112, 616, "\267 upper") + text(80, 604, "\267 bridges")
    document = parsed(lines(72, 740, PROSE * 2) + page + lines(72, 500, PROSE * 2))
    texts = [item.text for item in of(document, ListItem)]
    assert texts == ["gates: the lower one and the upper one, of iron", "lower", "upper", "bridges"]


@pytest.mark.parametrize(
    ("name", "typewriter"),
    [
        ("NimbusMonL-ReguObli", True),
        ("SFST1000", True),
        ("CMSLTT10", True),
        ("ArialUnicodeMS", False),
        ("LMMonoProp10-Regular", False),
        ("MonotypeCorsiva", False),
    ],
)
def test_typewriter_faces_are_told_by_their_names(name: str, *, typewriter: bool) -> None:
    pdf = Pdf()
    font = pdf.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+{name} >>")
    shown = "".join(
        text(90, 640 - 12 * at, line, font="T1") for at, line in enumerate(("int y = gate();", "return y;"))
    )
    pdf.page(lines(72, 740, PROSE * 2) + shown + lines(72, 580, PROSE * 2), fonts={"T1": font})
    document = read_pdf(pdf)
    assert bool(of(document, Code)) is typewriter


def test_entries_of_a_list_of_contents_are_a_paragraph_each() -> None:
    names = ["Siting", "Care of the gauge and of the house around it", "Repair", "index"]
    entries = [f"{name} {'.' * (90 - 2 * len(name))} {at + 3}" for at, name in enumerate(names)]
    assert said(lines(72, 640, entries)) == [f"{name} … {at + 3}" for at, name in enumerate(names)]


def test_text_under_a_listing_with_wide_blanks_is_no_part_of_it() -> None:
    shown = text(72, 640, "> x <- data(Group = c(0, 25),", font="F3") + text(72, 628, "+", font="F3")
    shown += text(150, 628, "Line = c(30, 31))", font="F3") + text(92, 614, "Internally, this is a list.")
    document = parsed(lines(72, 740, PROSE * 2) + shown + lines(72, 560, PROSE * 2))
    assert [code.text for code in of(document, Code)] == [
        "> x <- data(Group = c(0, 25),\n+            Line = c(30, 31))"
    ]


def test_manuals_with_more_listings_than_text_have_listings() -> None:
    shown = ["int gate_open(struct gate *gate, int side, int speed, int how_far_it_is_to_go);", "int more;"] * 6
    document = parsed(
        *(lines(72, 740, PROSE[:2]) + typed(72, 700, shown) + lines(72, 540, PROSE[:2]) + typed(72, 500, shown),) * 2
    )
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)] * 4


def test_a_command_at_the_head_of_a_line_goes_on_with_its_sentence_and_ends_before_a_listing() -> None:
    full = "Whoever wants this for all of the columns, and for the names of the rows as well, gives a custom"
    shown = text(72, 640, full) + typed(72, 628, ["sanitize.text.function.", "", "mat <- round(x, 4)", "print(mat)"])
    document = parsed(lines(72, 740, PROSE * 2) + shown + lines(72, 540, PROSE * 2))
    assert f"{full} sanitize.text.function." in [p.text for p in of(document, Paragraph)]
    assert [code.text for code in of(document, Code)] == ["mat <- round(x, 4)\nprint(mat)"]


def test_each_entry_of_an_index_is_a_paragraph_of_its_own_with_the_lines_that_carry_it_on() -> None:
    left = ["gate, 12", "  lower, 13", "  operator =, 15", "harbour", "  of the north, 17", "  v, 18", "lock, see gate"]
    left += ["mole, 21, 22, 25,", "      31, 40", "pilots who had not", "      known, 41", "quay, 42f"]
    right = ["river, iv", "tide, 48-51", "  high, 49", "wharf, A-3", "wherry, 61", "yawl, 70n2"]
    shown = "".join(
        text(x + 6 * (len(entry) - len(entry.lstrip())), 700 - 12 * at, entry.lstrip(), size=9, font=font)
        for x, entries, font in ((72, left, "F1"), (330, right, "F3"))
        for at, entry in enumerate(entries)
    )
    document = parsed(lines(72, 740, PROSE * 4), shown)
    joined = {"mole, 21, 22, 25,": "mole, 21, 22, 25, 31, 40", "pilots who had not": "pilots who had not known, 41"}
    entries = [joined.get(entry, entry.strip()) for entry in left + right if not entry.startswith("      ")]
    assert [p.text for p in of(document, Paragraph)][-len(entries) :] == entries
    assert not of(document, Code)


def test_a_listing_on_a_ground_painted_line_by_line_is_no_figure() -> None:
    shown = [f"set gate_{at} open" for at in range(12)]
    strips = "".join(
        f"0.9 g {x} {635 - 12 * at} {width} 13 re f 0 g\n"
        for at in range(12)
        for x, width in ((72, 8), (78, 440), (512, 8))
    )
    document = parsed(lines(72, 740, PROSE * 2) + strips + typed(84, 640, shown) + lines(72, 440, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)]
    assert not of(document, Figure)


def test_a_paragraph_under_a_list_is_none_of_its_last_item() -> None:
    item = ["Highly recommended, but not required, are the manual pages, which nobody", "reads before something fails."]
    shown = text(82, 600, "6.") + text(98, 600, item[0]) + text(98, 588, item[1])
    under = "Keep in mind that most of them are rarely used, and can be left out safely where time is short. The others"
    document = parsed(lines(72, 740, PROSE * 2) + shown + text(90, 576, under) + lines(72, 564, PROSE))
    assert [found.text for found in of(document, ListItem)] == [" ".join(item)]
    assert f"{under} {' '.join(PROSE)}" in [found.text for found in of(document, Paragraph)]


def test_terms_with_their_sentences_under_them_are_paragraphs_of_their_own() -> None:
    terms = {
        "program-name": [
            "This attribute is required, and the names of variables are derived",
            "from it, as is said below.",
        ],
        "program-title": ["This attribute is required."],
        "program-values": [
            "This one is used if the program takes operands, and says which of",
            "them may be left out, and when.",
        ],
    }
    shown, y = "", 600
    for term, said in terms.items():
        shown += text(72, y, term) + lines(136, y - 12, said)
        y -= 12 * (len(said) + 1)
    document = parsed(lines(72, 740, PROSE * 2) + shown + lines(72, y - 24, PROSE))
    found = [one.text for one in of(document, Paragraph)]
    assert all(term in found and " ".join(said) in found for term, said in terms.items())


def test_a_single_line_of_a_listing_is_one() -> None:
    def shown(line: str, x: float = 90) -> str:
        return lines(72, 740, PROSE) + typed(x, 680, [line]) + lines(72, 656, PROSE) + lines(72, 590, PROSE)

    assert [code.text for code in of(parsed(shown("corbaloc:iiop:example.org:1234/Gate")), Code)]
    assert [code.text for code in of(parsed(shown("$ cp -r /cdrom tmp")), Code)] == ["$ cp -r /cdrom tmp"]
    assert not of(parsed(shown("keeper@example.org")), Code)
    assert not of(parsed(shown("Municipality", x=72)), Code)
    led = (
        lines(72, 740, [*PROSE, "It is then called by:"]) + typed(72, 680, ["gate --close"]) + lines(72, 656, PROSE * 3)
    )
    assert [code.text for code in of(parsed(led), Code)] == ["gate --close"]


def test_an_option_over_what_is_said_of_it_is_no_listing() -> None:
    options, y = "", 690
    for option in ("--close now", "--open all", "--lock both"):
        options += typed(72, y, [option]) + lines(90, y - 16, PROSE[:2])
        y -= 50
    document = parsed(lines(72, 740, PROSE) + options + lines(72, y, PROSE * 3))
    assert not of(document, Code)


def proportional(x: float, y: float, shown: list[str]) -> str:
    """Lines in letters of all widths, indented by five points a blank."""
    return "".join(
        text(x + 5 * (len(line) - len(line.lstrip())), y - 12 * at, line.lstrip()) for at, line in enumerate(shown)
    )


def test_program_text_in_a_proportional_face_is_a_listing_with_its_indents() -> None:
    shown = [
        "#include <gates.h>",
        "int close(int side) {",
        "  /* the lower one first */",
        "  for (int at = 0; at < side; at++) {",
        "    gates[at] = CLOSED;",
        "    tell(at, side);",
        "  }",
        "  return 0;",
        "}",
    ]
    document = parsed(lines(72, 740, PROSE * 2) + proportional(72, 650, shown) + lines(72, 500, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)]
    assert [block.text for block in of(document, Paragraph)] == [" ".join(PROSE * 2)] * 2


def test_lines_of_prose_that_end_with_semicolons_are_no_program_text() -> None:
    said = [
        "the gates of the harbour (see the annex);",
        "the locks that were built before the war;",
        "the bridges, as far as they are known (in part);",
        "whatever else was asked for (2019);",
    ]
    document = parsed(lines(72, 740, PROSE * 2) + lines(72, 650, said) + lines(72, 560, PROSE * 2))
    assert not of(document, Code)


def numbered(y: float, numbers: list[int], shown: list[str]) -> str:
    """Typewritten lines, each behind a number in another face."""
    return "".join(
        text(84 - 5 * len(str(number)), y - 12 * at, str(number), size=9) + typed(90, y - 12 * at, [line])
        for at, (number, line) in enumerate(zip(numbers, shown, strict=True))
    )


def test_numbers_that_count_typewritten_lines_are_no_part_of_the_listing() -> None:
    shown = ["\\gate {side}", "{", "  \\open {lower}", "  \\open {upper}", "", "  \\wait", "}"]
    numbers = [97 + at for at, _ in enumerate(shown)]
    document = parsed(lines(72, 740, PROSE * 2) + numbered(640, numbers, shown) + lines(72, 520, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)]
    assert not of(document, Note)
    assert sorted(document.parts[0].metadata["footer"].split()) == sorted(map(str, numbers))


def test_columns_of_a_listing_behind_numbers_are_no_table() -> None:
    shown = ["SET gate     lower", "SET lock     upper", "SET light    both", "WAIT         ten", "STOP"]
    document = parsed(lines(72, 740, PROSE * 2) + numbered(640, [1, 2, 3, 4, 5], shown) + lines(72, 520, PROSE * 2))
    assert [code.text for code in of(document, Code)] == ["\n".join(shown)]
    assert not of(document, Table)


def test_numbers_that_do_not_count_stay_before_what_is_typewritten() -> None:
    shown = ["gate", "lock", "light", "tide"]
    rows = numbered(640, [4, 19, 23, 70], shown)
    document = parsed(lines(72, 740, PROSE * 2) + rows + lines(72, 520, PROSE * 2))
    said = " ".join(str(block) for block in document.parts[0].blocks)
    assert all(number in said for number in ("19", "23", "70"))
