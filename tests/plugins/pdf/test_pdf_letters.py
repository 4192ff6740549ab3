"""Letters set apart from their words: spaced out in titles, large at the start of a text, or raised at an end."""

from __future__ import annotations

import pytest
from PIL import ImageFont
from support.formats.pdf_builder import Pdf, lines, rule, text
from support.formats.pdf_prose import PROSE, PROSE_ON, parsed, read_pdf
from support.formats.plugin_reading import of

from sidecar.api import Heading, ListItem, Paragraph, ParsedDocument, Table


def paragraphs(document: ParsedDocument) -> list[str]:
    return [block.text for block in of(document, Paragraph)]


def shown(document: ParsedDocument) -> list[str]:
    return [block.text for kind in (Heading, Paragraph) for block in of(document, kind)]


def opened(initial: str, first: str, *, size: float = 33, width: float = 26, foot: float = 700) -> str:
    """Lines of prose, the first two beside an initial whose baseline is at `foot`."""
    said = [
        f"{first} was said there of the measure that it holds here, and the tables of the annex show",
        PROSE[1][:88],
    ]
    return text(72, foot, initial, size=size, font="F2") + lines(72 + width, 712, said) + lines(72, 688, PROSE_ON)


@pytest.mark.parametrize(("initial", "first", "whole"), [("D", "ocument", "Document"), ("S", "ome", "Some")])
@pytest.mark.parametrize("foot", [700, 697, 694])
def test_a_large_initial_begins_the_first_word_of_the_lines_beside_it(
    initial: str, first: str, whole: str, foot: float
) -> None:
    (paragraph,) = paragraphs(parsed(opened(initial, first, foot=foot)))
    assert paragraph.startswith(f"{whole} was said there of the measure that it holds here")


def test_an_initial_that_is_a_word_is_one() -> None:
    (first, *_) = paragraphs(parsed(opened("A", "measure")))
    assert first.startswith("A measure was said")
    (first, *_) = paragraphs(parsed(opened("The", "measure", width=66)))
    assert first.startswith("The measure was said")


def test_a_large_letter_that_opens_no_text_stays_what_it_is() -> None:
    beside = text(130, 705, "river at the station") + lines(72, 600, PROSE)
    assert "D" in " ".join(shown(parsed(text(72, 700, "D", size=33, font="F2") + beside))).split()
    through = text(72, 700, "D", size=60, font="F2") + lines(72, 712, PROSE)
    assert "D" in " ".join(shown(parsed(through))).split()


@pytest.mark.parametrize("step", [6.0, 12.0, 15.0])
def test_letters_of_a_title_spaced_out_far_are_words_where_they_are_several(step: float) -> None:
    title = text(72, 700, "The Freedom of Lakes", size=14, more=f"{step} Tc")
    assert "The Freedom of Lakes" in shown(parsed(title + "0 Tc\n" + lines(72, 660, PROSE)))


def test_letters_of_a_title_with_blanks_between_are_words_where_wider_blanks_part_them() -> None:
    title = text(72, 700, "C H A P T E R   O N E", size=14, font="F2")
    assert "CHAPTER ONE" in shown(parsed(title + lines(72, 660, PROSE)))


@pytest.mark.parametrize("row", ["A B C D E", "B D A C A   C A", "x y z   a b", "A   B   C   D   E   F   G   H"])
def test_labels_and_answers_are_no_spaced_words(row: str) -> None:
    document = parsed(text(72, 700, row, size=12) + lines(72, 660, PROSE))
    assert " ".join(row.split()) in " ".join(" ".join(shown(document)).split())


def test_blanks_are_kept_in_lines_whose_letters_are_drawn_one_by_one() -> None:
    """A file may draw each letter by itself and none of its blanks."""
    content = ""
    for at, line in enumerate(PROSE * 2):
        x = 72.0
        for char in line:
            if char != " ":
                content += text(round(x, 2), 700 - 14 * at, char, font="F3")
            x += 6
    assert " ".join(PROSE) in " ".join(paragraphs(parsed(content)))


def without_ascent(pdf: Pdf) -> int:
    """A font whose letters have boxes no taller than their ink, as those of LibreOffice are: its descriptor tells no
    ascent."""
    drawn = ImageFont.load_default(1000)
    assert isinstance(drawn, ImageFont.FreeTypeFont)
    file = pdf.stream(drawn.font_bytes)
    widths = " ".join(str(round(drawn.getlength(chr(code)))) for code in range(32, 127))
    about = pdf.add(
        "<< /Type /FontDescriptor /FontName /ABCDEF+Aileron /Flags 32 /Ascent 1 /Descent 0 /CapHeight 0 /StemV 80"
        f" /ItalicAngle 0 /FontBBox [-176 -303 1005 981] /FontFile2 {file} 0 R >>"
    )
    return pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Aileron /FirstChar 32 /LastChar 126"
        f" /Widths [{widths}] /Encoding /WinAnsiEncoding /FontDescriptor {about} 0 R >>"
    )


@pytest.mark.parametrize("spacing", [0, 125])
@pytest.mark.parametrize(
    "words", ["A Quick Guide", "gypsum board", "quay of the upper port", "no moor in it, a quiet ring"]
)
def test_words_in_fonts_without_ascent_are_whole(words: str, spacing: int) -> None:
    """Letters may be `spacing` thousandths of an em apart, as LibreOffice sets them."""
    pdf = Pdf()
    letters = f" {-spacing} ".join(f"({char})" for char in words)
    title = f"BT /F9 16 Tf 1 0 0 1 72 700 Tm [{letters}] TJ ET\n"
    pdf.page(title + lines(72, 660, PROSE), fonts={"F9": without_ascent(pdf)})
    assert words in shown(read_pdf(pdf))


@pytest.mark.parametrize(("spaced", "word"), [("A B S T R A C T", "ABSTRACT"), ("k e y w o r d s", "keywords")])
def test_a_spaced_word_that_stands_alone_is_one_word(spaced: str, word: str) -> None:
    assert word in shown(parsed(text(72, 740, spaced) + lines(72, 710, PROSE)))


@pytest.mark.parametrize("row", ["J F M A M J J A S O N D", "a e i o u", "A B C D E F", "B C D C C B", "M T W T F S S"])
def test_single_letters_in_a_row_are_no_word(row: str) -> None:
    assert row in shown(parsed(text(72, 740, row) + lines(72, 710, PROSE)))


def test_a_year_among_spaced_words_is_one_number() -> None:
    spaced = "".join(text(72 + 9 * at, 740, sign, font="F3") for at, sign in enumerate("SEASON  2024") if sign != " ")
    assert "SEASON 2024" in shown(parsed(spaced + lines(72, 710, PROSE)))


def test_close_labels_of_a_drawing_do_not_tell_how_far_lines_of_text_stand_apart() -> None:
    labels = "".join(text(72 + at % 3, 640 - 5.2 * at, f"k{at}", size=10) for at in range(20))
    item = [
        "2. the core was cut lengthwise and photographed under a",
        "raking light, so that thin layers throw shadows.",
    ]
    hung = text(72, 520, item[0]) + text(84, 508, item[1]) + lines(72, 490, PROSE * 3)
    assert " ".join(item)[3:] in [one.text for one in of(parsed(labels + hung), ListItem)]


def superiors_font(pdf: Pdf) -> int:
    """A Type 3 font of ASCII whose codes from 128 on draw figures, and a to f, small and raised, and say those."""
    plain, small = range(33, 127), dict(zip(range(128, 144), "0123456789abcdef", strict=True))
    usual = pdf.stream("500 0 0 -10 460 660 d1 40 0 400 660 re f")
    raised = pdf.stream("320 0 0 350 290 700 d1 30 350 260 350 re f")
    procs = " ".join(f"/g{code} {raised if code in small else usual} 0 R" for code in (*plain, *small))
    wide = " ".join("320" if code in small else "500" if code in plain else "250" for code in range(32, 144))
    says = "".join(
        f"<{code:02x}> <{ord(char):04x}>\n" for code, char in (*((c, chr(c)) for c in plain), *small.items())
    )
    cmap = pdf.stream(
        "begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <20> <0020> endbfchar\n"
        + "".join(f"1 beginbfchar\n{line}\nendbfchar\n" for line in says.splitlines())
        + "endcmap"
    )
    names = " ".join(f"{code} /g{code}" for code in (*plain, *small))
    return pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -200 750 900] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32"
        f" /LastChar 143 /Widths [{wide}] /CharProcs << {procs} >> /ToUnicode {cmap} 0 R"
        f" /Encoding << /Type /Encoding /Differences [{names}] >> >>"
    )


def test_superiors_of_a_font_are_marks_behind_what_they_follow() -> None:
    """Their characters are those of plain figures, and they stand on the line of the text, in its size."""
    pdf = Pdf()

    def said(x: float, y: float, string: str) -> str:
        codes = "".join(f"{ord(c):02x}" for c in string)
        return f"q BT /S1 10 Tf 1 0 0 1 {x} {y} Tm <{codes}> Tj ET Q\n"

    prose = [
        "The wells were read by hand\x81, and what was read was",
        "written down. It was low in 2019 and in May.\x82",
    ]
    rows = [["Place", "Share", "Year"], ["Alder\x8a", "79.9%\x81", "2004\x82"], ["Brack", "12.5%", "2007\x8b"]]
    drawn = [said(72, 700 - 12 * at, line) for at, line in enumerate(prose)]
    drawn += [said(72 + 120 * c, 640 - 18 * r, cell) for r, row in enumerate(rows) for c, cell in enumerate(row)]
    rules = "".join(rule(68, 653 - 18 * at, 420, 653 - 18 * at) for at in range(4))
    pdf.page("".join(drawn) + rules, fonts={"S1": superiors_font(pdf)})
    document = read_pdf(pdf)
    assert [block.text for block in of(document, Paragraph)] == [
        "The wells were read by hand¹, and what was read was written down. It was low in 2019 and in May.²"
    ]
    assert [table.rows for table in of(document, Table)] == [
        (("Place", "Share", "Year"), ("Alder^a", "79.9%^1", "2004^2"), ("Brack", "12.5%", "2007^b"))
    ]
