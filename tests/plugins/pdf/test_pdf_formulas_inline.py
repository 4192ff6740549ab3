"""Formulas in the midst of sentences, where their letters are of several fonts and sizes within one word."""

from __future__ import annotations

import pytest
from sidecar_pdf import PdfFormat
from sidecar_pdf.layout.inline_math import type_tiers
from sidecar_pdf.layout.scripts import typed_scripts
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.text.segments import Segment, Word
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, coded, symbol_font
from support.formats.plugin_reading import of

from sidecar.api import Limits, Paragraph, Source

Run = tuple[str, str, float, float]
"""What is set, by which font, how large, and by how much raised, in points."""


def said(*runs: Run) -> str:
    """The text of a page with runs in the midst of a sentence."""
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    shown = "BT 1 0 0 1 72 700 Tm /F1 10 Tf (In case of ) Tj\n"
    for run, font, size, rise in (*runs, (" all of them are told.", "F1", 10, 0)):
        escaped = run.replace("(", r"\(").replace(")", r"\)")
        shown += f"/{font} {size} Tf {rise} Ts ({escaped}) Tj\n"
    pdf.page(lines(72, 740, PROSE[:2]) + shown + "ET\n", fonts={"M": letters})
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    return " ".join(block.text for block in of(document, Paragraph))


@pytest.mark.parametrize(
    ("runs", "typed"),
    [
        ([("F", "M", 10, 0), ("k", "M", 7, -1.5), ("(x)", "F1", 10, 0)], "F_k(x)"),
        ([("R", "M", 10, 0), ("emp", "M", 7, -1.5), ("[f]", "M", 10, 0)], "R_emp[f]"),
        ([("10", "F1", 10, 0), ("-15", "F1", 7, 3.6), (",", "F1", 10, 0)], "10^(-15),"),
        ([("z", "M", 10, 0), (" or (Y", "F2", 10, 0), ("1", "F1", 7, -1.5), (",", "F1", 10, 0)], "z or (Y_1,"),
        ([("z", "M", 10, 0), (" or (", "F1", 10, 0), ("X", "M", 10, 0), ("1", "F1", 7, -1.5)], "z or (X_1"),
        ([("Z", "M", 10, 0), ("j", "M", 7, -1.5), ("*", "F1", 5, -0.5), (",", "F1", 10, 0)], "Z_(j^*),"),
        ([("VaR", "F1", 10, 0), ("a", "M", 7, -1.5), (".", "F1", 10, 0)], "VaR_a."),
        (
            [("(r", "M", 10, 0), (" +", "F1", 10, 0), (" 3)", "F1", 10, 0), ("2", "F1", 7, 3.6), (",", "F1", 10, 0)],
            "(r + 3)^2,",
        ),
    ],
    ids=[
        "index",
        "index of letters",
        "negative power",
        "of a bold letter",
        "behind a bracket",
        "of an index",
        "of a name",
        "of a bracket",
    ],
)
def test_scripts_within_a_word_are_typed(runs: list[Run], typed: str) -> None:
    assert f"In case of {typed} all" in said(*runs)


@pytest.mark.parametrize(
    ("runs", "plain"),
    [
        ([("(as", "F1", 10, 0), (" told)", "F1", 10, 0), ("2", "F1", 7, 3.6), (",", "F1", 10, 0)], "(as told)²,"),
        ([("H", "F1", 10, 0), ("2", "F1", 7, -1.5), ("O", "F1", 10, 0)], "H2O"),
    ],
    ids=["note", "chemical formula"],
)
def test_small_numbers_that_are_no_scripts_of_formulas_stay(runs: list[Run], plain: str) -> None:
    assert f"In case of {plain} all" in said(*runs)


def drawn_apart(pieces: str, rest: str = "all of them are told.") -> str:
    """The text of a page with pieces drawn after a sentence that leaves room for them."""
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    plain = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /KaTeX_Main-Regular /Encoding /WinAnsiEncoding >>")
    shown = text(72, 700, "In case of") + pieces + text(172, 700, rest)
    pdf.page(lines(72, 740, PROSE[:2]) + shown, fonts={"M": letters, "K": plain})
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    return " ".join(block.text for block in of(document, Paragraph))


@pytest.mark.parametrize("above", [[("2", 0.0)], [("i", -5.4), ("2", 0.0)]], ids=["power", "index and power"])
def test_scripts_drawn_after_their_line_go_into_the_gap_left_for_them(above: list[tuple[str, float]]) -> None:
    line = text(122, 700, "(b + ", font="K") + text(142, 700, "x", font="M") + text(152, 700, ")", font="K")
    late = "".join(text(147.4, 704 + by, script, size=7, font="K") for script, by in above)
    power = "_i^2" if len(above) > 1 else "^2"
    assert f"In case of (b + x{power}) all" in drawn_apart(line + late)


def test_a_script_of_a_script_drawn_later_is_there_once() -> None:
    line = text(122, 700, "(b + ", font="K") + text(142, 700, "x", font="M") + text(158, 700, ")", font="K")
    late = text(147.4, 704, "i", size=7, font="M") + text(153, 704, "j", size=7, font="K")
    least = text(149.8, 706, "n", size=4, font="K")
    for drawn in (late + least, least + late):
        signs = drawn_apart(line + drawn).partition("In case of")[2].partition("all of")[0]
        assert sorted(filter(str.isalpha, signs)) == ["b", "i", "j", "n", "x"]


@pytest.mark.parametrize(
    ("font", "script", "rise", "typed"),
    [("F3", "2", -2.5, "x_2"), ("F3", "2", 4, "x^2"), ("F3", "n", 4, "x^n"), ("F1", "2", 4, "x²")],
    ids=["index", "power", "power of a letter", "upright letter with a note"],
)
def test_a_lone_letter_in_italics_has_scripts(font: str, script: str, rise: float, typed: str) -> None:
    pdf = Pdf()
    slanted = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Italic /Encoding /WinAnsiEncoding >>")
    shown = f"BT 1 0 0 1 72 700 Tm /F1 10 Tf (In case of ) Tj /{font} 10 Tf (x) Tj\n"
    shown += f"/F1 7 Tf {rise} Ts ({script}) Tj /F1 10 Tf 0 Ts ( all of them are told.) Tj ET\n"
    pdf.page(lines(72, 740, PROSE[:2]) + shown, fonts={"F3": slanted})
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    assert f"In case of {typed} all" in " ".join(block.text for block in of(document, Paragraph))


@pytest.mark.parametrize(
    ("signs", "font", "typed"),
    [("^y", "OpenSymbol", "ŷ"), ("y^", "Times-Italic", "ŷ"), ("y\u02c9", "KaTeX_Main-Regular", "ȳ")],
    ids=["hat before its letter", "hat behind its letter", "macron"],
)
def test_marks_drawn_beside_their_letter_are_put_over_it(signs: str, font: str, typed: str) -> None:
    pdf = Pdf()
    own = symbol_font(pdf, f"ABCDEF+{font}", signs, width=500)
    shown = text(72, 700, "In case of") + coded(124, 700, "4142", font="S") + text(142, 700, "all of them are told.")
    pdf.page(lines(72, 740, PROSE[:2]) + shown, fonts={"S": own})
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    assert f"In case of {typed} all" in " ".join(block.text for block in of(document, Paragraph))


def word(text: str, x: float, y: float = 0, size: float = 10, *, italic: bool = False, math: bool = False) -> Word:
    """A word whose box is as tall as its type."""
    style = NO_STYLE._replace(size=size, italic=italic, math=math)
    return Word(text, x, y, x + size / 2 * len(text), y + size, style, joined=False)


@pytest.mark.parametrize(
    ("base", "script", "typed"),
    [
        (word("x", 0, italic=True), word("ir", 5, 6, 6, italic=True), "x _ir"),
        (word("R", 0, italic=True), word("p", 5, -2, 6, italic=True), "R ^p"),
        (word("cov", 0), word("i", 15, 6, 6, italic=True), "cov _i"),
        (word("k", 0, italic=True), word("′", 5, -2, 6, italic=True), "k ′"),
        (word("1−R", 0), word("2", 15, -2, 6), "1−R ^2"),
        (word("∼2×10", 0), word("9", 25, -2, 6), "∼2×10 ^9"),
        (word("n", 0, math=True), word("2", 5, 2, 6, math=True), "n _2"),
        (word("R", 0, italic=True), word("2", 5, -2, 6), "R 2"),
    ],
    ids=["index", "power", "index of a name", "prime", "behind a sign", "of ten", "in the box of its base", "note"],
)
def test_scripts_in_the_fonts_of_text_are_typed(base: Word, script: Word, typed: str) -> None:
    assert " ".join(made.text for made in typed_scripts([[base, script]])) == typed


@pytest.mark.parametrize("math", [False, True], ids=["word processor", "display"])
def test_halves_as_large_as_their_sentence_are_a_fraction_of_it_in_the_type_of_text(*, math: bool) -> None:
    """Word processors set them so; in mathematical type they belong to a display that stands near the sentence."""
    before, after = Segment(word("and", 0), 0), Segment(word("stands", 75), 1)
    for said, line in ((word("the", 20), before), (word("term", 40), before), (word("x", 110, math=True), after)):
        line.add(said)
    halves = [Segment(word(text, 65, y, math=math), order) for text, y, order in (("1", -7, 2), ("2", 7, 3))]
    shown = [segment.text for segment in type_tiers([before, after, *halves], [(5, 63.5, 71.5)])]
    assert ("and the term 1/2 stands x" in shown) is not math


Sign = tuple[str, float, float, float]
"""A text, its left end and its top, in points, and its type size."""


def tiers(*signs: Sign, rules: tuple[tuple[float, float, float], ...] = ()) -> str:
    """A sentence with signs between its words, each a stretch of its own where it stands over or under the line."""
    line = Segment(word("the", 0), 0)
    line.add(word("number", 20))
    others: list[Segment] = []
    for text_, x, y, size in signs:
        made = word(text_, x, y, size, math=True)
        if y:
            others.append(Segment(made, len(others) + 1))
        else:
            line.add(made)
    end = max(x + size / 2 for _, x, _, size in signs)
    for text_, x in (("and", end + 3), ("others", end + 21)):
        line.add(word(text_, x))
    return " / ".join(segment.text for segment in type_tiers([line, *others], rules))


def test_the_index_of_a_root_in_a_sentence_stands_in_its_angle() -> None:
    root: tuple[Sign, ...] = (("√", 53, 0, 10), ("3", 54, 0.1, 5))
    assert tiers(*root, ("x", 58, 0, 10), rules=((0.5, 58, 63),)) == "the number ∛x and others"


def test_two_terms_over_one_another_in_parentheses_are_typed_apart() -> None:
    over: tuple[Sign, ...] = (("(", 53, 0, 10), ("n", 58, -2, 6), ("k", 58.5, 6, 6), (")", 62, 0, 10))
    assert tiers(*over) == "the number (n; k) and others"
    assert ";" not in tiers(*over, rules=((5, 58, 62),)), "a fraction"
    assert ";" not in tiers(over[0], ("n", 58, -2, 6), ("k", 65, 6, 6), (")", 69, 0, 10)), "beside one another"
    assert ";" not in tiers(over[0], ("n", 58, 0, 10), ("k", 58.5, 6, 6), (")", 64, 0, 10)), "an index"
