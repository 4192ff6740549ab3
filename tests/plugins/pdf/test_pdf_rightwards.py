"""Scripts that run right to left, in the order in which they are read: the files show glyphs from the left, as any."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sidecar_pdf.layout.tables.found import as_lines
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.plugin import PdfFormat
from sidecar_pdf.text.letters.rightwards import turned
from sidecar_pdf.text.segments import RIGHTWARDS, Segment, Word
from support.formats.pdf_builder import Pdf, grid, rule, text
from support.formats.pdf_prose import read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Limits, ListItem, Merge, Paragraph, Source, Table

LIGATURE = "\ufefb"
"""Lam and alef as one sign, which the fonts of these files give as its two letters."""
MIRRORED = str.maketrans("()[]", ")(][")


def shown(
    line: list[tuple[str, int]], *, as_meant: bool, marked: bool = False, rows: Sequence[int] = (), below: str = "",
    at: Sequence[int] = (),
) -> Pdf:  # fmt: skip
    """One line of runs (text in reading order, left end in points), each drawn glyph by glyph from the left in a font
    of 1,000 units a character, whose Unicode gives brackets as they are meant or as they are shown; `marked` as
    Chromium does, with what each glyph says. `rows` are the runs of each line where there are several; `below` is drawn
    as it is, and `at` are the heights of the runs where they do not go down line by line."""
    pdf = Pdf()
    characters = sorted({char for run, _ in line for char in run})
    meant = [char if as_meant else char.translate(MIRRORED) for char in characters]
    units = ["06440627" if char == LIGATURE else f"{ord(char):04x}" for char in meant]
    pairs = " ".join(f"<{at:02x}> <{unit}>" for at, unit in enumerate(units, 33))
    unicode = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff>"
        f" endcodespacerange {len(characters)} beginbfchar {pairs} endbfchar endcmap end end"
    )
    widths = " ".join("500" for _ in characters)
    font = pdf.add(
        f"<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Hebrew /FirstChar 33 /LastChar {32 + len(characters)}"
        f" /Widths [{widths}] /ToUnicode {unicode} 0 R >>"
    )
    content, heights = "", [700 - 14 * row for row, runs in enumerate(rows or [len(line)]) for _ in range(runs)]
    for (run, x), y in zip(line, at or heights, strict=True):
        order = run if run.isascii() else run[::-1]
        codes = [f"{characters.index(char) + 33:02x}" for char in order]
        shows = f"<{''.join(codes)}> Tj"
        if marked and not run.isascii():
            said = zip(order, codes, strict=True)
            spans = [f"/Span<</ActualText <FEFF{ord(char):04x}>>> BDC <{code}> Tj EMC" for char, code in said]
            shows = f"/ReversedChars BMC {' '.join(spans)} EMC"
        content += f"BT /H 10 Tf {x} {y} Td {shows} ET\n"
    pdf.page(content + below, fonts={"H": font})
    return pdf


def shown_lines(*rows: list[tuple[str, int]]) -> Pdf:
    """Lines of runs, one above the other."""
    return shown([(run, x) for row in rows for run, x in row], as_meant=True, rows=[len(row) for row in rows])


def read(pdf: Pdf) -> list[str]:
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "hebrew.pdf"), Limits(ocr=False))
    return [block.text for block in document.parts[0].blocks if isinstance(block, Paragraph)]


@pytest.mark.parametrize("as_meant", [True, False])
def test_brackets_open_before_what_they_hold(*, as_meant: bool) -> None:
    line = [("ההכנסות", 300), ("עלו", 280), ("(ראו", 255), ("טבלה)", 225)]
    assert read(shown(line, as_meant=as_meant)) == ["ההכנסות עלו (ראו טבלה)"]


def test_words_of_another_script_stand_where_they_are_read() -> None:
    line = [("החברה", 330), ("Acme Corp", 275), ("פעלה", 245), ("בשלושה", 210), ("מחוזות", 175)]
    assert read(shown(line, as_meant=True)) == ["החברה Acme Corp פעלה בשלושה מחוזות"]


def test_a_ligature_of_lam_and_alef_is_its_letters_in_the_order_they_are_read() -> None:
    line = [("ك" + "ا" + LIGATURE, 330), (LIGATURE + "زم", 300), ("ال" + "كتاب", 265)]
    assert read(shown(line, as_meant=True)) == ["كالا لازم الكتاب"]


def test_forms_of_arabic_letters_become_the_letters() -> None:
    shaped = "\ufedb\ufe98\ufe8e\ufe8f"  # the initial, medial, final and lone forms of a word's letters
    assert read(shown([(shaped, 300)], as_meant=True)) == ["كتاب"]


def test_the_point_behind_a_number_stands_behind_it_though_it_is_shown_before() -> None:
    line = [("-", 372), ("2-5", 376), ("استاندارد", 320), ("كالا", 290)]
    assert read(shown(line, as_meant=True)) == ["2-5- استاندارد كالا"]


def test_words_that_chromium_prints_are_read_from_the_right_and_codes_among_them_from_the_left() -> None:
    line = [("كريب", 330), ("مع", 310), ("MW1251", 270)]
    assert read(shown(line, as_meant=True, marked=True)) == ["كريب مع MW1251"]


def test_a_comma_ends_a_word_that_chromium_wrote_backwards() -> None:
    assert read(shown([("كتب،", 330), ("مع", 300)], as_meant=True, marked=True)) == ["كتب، مع"]


def test_a_code_with_a_hyphen_keeps_its_order() -> None:
    line = [("הדגם", 330), ("ABC-12", 290), ("נבדק", 260)]
    assert read(shown(line, as_meant=True)) == ["הדגם ABC-12 נבדק"]


def test_a_year_at_the_end_of_a_sentence_stands_behind_it_with_its_point() -> None:
    assert read(shown([("בשנת", 300), (".", 268), ("2024", 273)], as_meant=True)) == ["בשנת 2024."]


def test_numbers_brackets_and_marks_among_words_of_another_script_are_where_they_are_read() -> None:
    names = [("תוכנת", 455), ("Excel 365", 405), (")", 395), ("Word", 375), ("(", 370)]
    line = [*names, ("ועוד", 345), ("ב", 335), ("-", 330), ("12.5%", 305)]
    assert read(shown(line, as_meant=True)) == ["תוכנת Excel 365 (Word) ועוד ב-12.5%"]


def test_a_name_of_a_file_is_whole_before_a_sentence_that_goes_on() -> None:
    line = [("פתחו", 440), ("את", 425), ("report_2023.pdf", 345), (".", 340), ("סגרו", 315)]
    assert read(shown(line, as_meant=True)) == ["פתחו את report_2023.pdf. סגרו"]


def test_arabic_numbers_have_their_signs_behind_them_that_are_shown_before() -> None:
    line = [("بنسبة", 400), ("%", 370), ("12.5", 375), ("هاتف", 345), ("22", 315), ("-", 325), ("11", 330)]
    assert read(shown(line, as_meant=True)) == ["بنسبة 12.5% هاتف 11-22"]


def test_a_mark_over_the_end_of_a_word_is_the_words() -> None:
    line = [("ايضا", 400), ("\u064b", 398), ("كتب", 380)]
    assert read(shown(line, as_meant=True)) == ["ايضا\u064b كتب"]


def test_a_word_of_another_script_without_a_blank_in_the_file_is_none_of_the_next() -> None:
    line = [("درس", 400), ("slide", 370), ("كتب", 352)]
    assert read(shown(line, as_meant=True)) == ["درس slide كتب"]


def test_a_paragraph_that_runs_right_to_left_ends_where_its_last_line_left_room() -> None:
    full = [("החברה", 475), ("פעלה", 450), ("בשלושה", 415), ("מחוזות", 380), ("ובערים", 345), ("רבות", 320)]
    short = [("נמצאו", 475), ("שם.", 455)]
    first = "החברה פעלה בשלושה מחוזות ובערים רבות"
    assert read(shown_lines(full, full, short, full, full)) == [f"{first} {first} נמצאו שם.", f"{first} {first}"]


def test_what_stands_under_a_limit_is_not_read_between_its_letters() -> None:
    text = "lim\u2192xy \u05d2\u05d1\u05d5\u05dc"
    places = [(10, 0), (15, 0), (17, 0), (12, 8), (10, 8), (18, 8)]  # the arrow and what it leads to below
    boxes = [(float(x), float(y), float(x + 5), float(y + 10)) for x, y in places]
    words = [Word("lim\u2192xy", 10.0, 0.0, 23.0, 18.0, NO_STYLE, joined=False, at=0)]
    assert [word.text for word in turned(words, text, lambda at: (boxes[at], NO_STYLE))] == ["lim\u2192xy"]


def test_a_raised_number_is_told_in_a_line_of_another_script_on_a_page_that_runs_right_to_left() -> None:
    noted = text(72, 560, "It stands in a note") + text(151.5, 564, "3", size=7) + text(158, 560, "of the second page")
    page = shown([("החברה", 330), ("פעלה", 300)], as_meant=True, below=noted)
    assert "It stands in a note³ of the second page" in read(page)


def test_marks_drawn_at_the_right_of_lines_open_their_items() -> None:
    def disc(x: float, y: float) -> str:
        over = f"{x} {y + 2} {x - 4} {y + 2} {x - 4} {y} c"
        return f"{x} {y} m {over} {x - 4} {y - 2} {x} {y - 2} {x} {y} c f\n"

    rows = [[("החברה", 475), ("פעלה", 450)], [("מחוזות", 470)], [("בשלושה", 470), ("ערים", 445)]]
    marks = "".join(disc(512, 703 - 14 * at) for at in range(3))
    line = [run for row in rows for run in row]
    pdf = shown(line, as_meant=True, rows=[len(row) for row in rows], below=marks)
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "list.pdf"), Limits(ocr=False))
    items = [block for part in document.parts for block in part.blocks if isinstance(block, ListItem)]
    assert [(item.text, item.level) for item in items] == [("החברה פעלה", 0), ("מחוזות", 0), ("בשלושה ערים", 0)]


def test_lines_of_an_uncertain_table_are_read_from_the_right() -> None:
    def segment(*words: tuple[str, int]) -> Segment:
        style = NO_STYLE._replace(size=10.0)
        first, *others = [Word(text, x, 0, x + 20, 10, style, joined=False) for text, x in words]
        found = Segment(first, 0)
        for word in others:
            found.add(word)
        found.rtl = RIGHTWARDS.search(words[0][0]) is not None
        return found

    rows = [[segment(("1403", 100)), segment(("החברה", 300), ("פעלה", 277))], [segment(("רבות", 300))]]
    first, second = as_lines(rows)
    assert first.split() == ["החברה", "פעלה", "1403"]
    assert second == "רבות"


def test_a_short_last_line_over_columns_stays_with_the_paragraph_that_spans_them() -> None:
    whole = ["הוועדה התכנסה בקומה השנייה של הטחנה הישנה ושמעה מה נעשה מאז האביב בתחנה הישנה", "סקר שני יראה בחורף"]
    right = ["מחירי העץ עלו בעוד שהמחסן חסך דלק בקיץ", "והדרך תישא משאיות בחורף ובאביב הבא שוב", "כל המשאיות"]
    left = ["צוותי הבנייה למדו זה מזה בכל יום ויום", "והגלריה נפתחה במאי עם חדרים שקטים רבים", "ומרפסת"]
    runs = [(run, 500 - 5 * len(run)) for run in whole + right] + [(run, 280 - 5 * len(run)) for run in left]
    document = shown(runs, as_meant=True, at=[700, 686, 640, 626, 612, 640, 626, 612])
    assert read(document) == [" ".join(whole), " ".join(right), " ".join(left)]


def test_the_first_column_of_a_table_is_the_right_one_and_a_head_over_two_stands_over_the_first() -> None:
    lines = [
        [("שםהעובד", 300), ("תשלומים", 185)],
        [("דודלוי", 300), ("120", 225), ("85", 150)],
        [("שרהכהן", 300), ("97", 225), ("44", 150)],
    ]
    ys = (712, 696, 682, 668)
    drawn = grid([140, 210, 280, 350], [*ys]).replace(rule(210, ys[0], 210, ys[-1]), rule(210, ys[1], 210, ys[-1]))
    runs = [(run, x) for line in lines for run, x in line]
    pdf = shown(runs, as_meant=True, rows=[len(line) for line in lines], below=drawn)
    (found,) = of(read_pdf(pdf), Table)
    assert found.rows == (("שםהעובד", "תשלומים", ""), ("דודלוי", "120", "85"), ("שרהכהן", "97", "44"))
    assert found.merges == (Merge(0, 1, 1, 2),)


def test_two_lines_beside_a_taller_one_are_not_read_one_into_the_other() -> None:
    placed = [
        ("\u05d0\u05d1", (60.0, 0.0, 80.0, 12.0)), ("\u05d2\u05d3", (30.0, 0.0, 55.0, 12.0)),
        ("\u05d4\u05d5", (62.0, 11.5, 80.0, 23.5)), ("\u05d6\u05d7", (35.0, 11.5, 58.0, 23.5)),
        ("\u05d8\u05d9\u05db", (200.0, 5.0, 260.0, 22.0)),
    ]  # fmt: skip
    words = [Word(text, *box, NO_STYLE, joined=False) for text, box in placed]
    read_so = turned(words, " ".join(text for text, _ in placed), lambda _: None)
    assert [word.text for word in read_so] == [text for text, _ in placed]
