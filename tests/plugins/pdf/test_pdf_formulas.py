"""Displayed formulas of PDFs, typeset by the engine aboard and read back as linear text and LaTeX."""

from __future__ import annotations

import re
import unicodedata

import pytest
from sidecar_pdf import PdfFormat
from sidecar_pdf.formulas.reading import read_formula
from sidecar_pdf.layout.inline_math import type_tiers
from sidecar_pdf.layout.scripts import typed_scripts
from sidecar_pdf.pdfium.fonts import NO_STYLE
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.structure.equations.formulas import read_formulas
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.text.glyphs import Glyph
from sidecar_pdf.text.segments import Segment, Word
from support.clients.rendering import drawn
from support.formats.pdf_builder import Pdf, lines, rule, text
from support.formats.pdf_prose import PROSE, coded, symbol_font
from support.formats.plugin_reading import of

from sidecar.api import Equation, Heading, Limits, Paragraph, ParsedDocument, Source, Table

SENTENCE = "What was said of the {} holds here as well, and all of the tables show by how much each of them changed."
SUBJECTS = (
    "measure",
    "harbour",
    "river",
    "annex",
    "column",
    "letter",
    "winter",
    "engine",
    "mill",
    "tower",
    "canal",
    "garden",
    "market",
)
FORMULAS = {
    r"x = \frac{-b \pm \sqrt{b^2 - 4 a c}}{2 a}": "x = (−b ± √(b^2 − 4ac)) / (2a)",
    r"f(A, B) = \frac{2 \cdot \sum f(\tilde{A}, \tilde{B})}{|A| + |B|}": "f(A, B) = 2·∑ f(Ã, B̃) / (|A| + |B|)",
    r"\int_{0}^{\infty} e^{- x^{2}} d x = \frac{\sqrt{\pi}}{2}": "∫_0^∞ e^(−x^2)dx = √π / 2",
    r"\lim_{x \rightarrow 0} \frac{\sin x}{x} = 1": "lim_(x→0) sin x / x = 1",
    r"A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}": "A = (a, b; c, d)",
    r"| x | = \begin{cases} x & x \geq 0 \\ - x & x < 0 \end{cases}": "|x| = {x, x ≥ 0; −x, x < 0",
    r"\sqrt[3]{x + y} = \frac{1}{1 + \frac{1}{z}}": "∛(x + y) = 1 / (1 + 1 / z)",
    r"v = \sqrt{\frac{2 E}{m}}": "v = √(2E / m)",
    r"y_{t} = \alpha y_{t - 1}^{2} + \sum_{i = 1}^{n} x_{i j}": "y_t = αy_(t−1)^2 + ∑_(i=1)^n x_ij",
    r"k = \frac{m_{3}}{m_{2}^{\frac{3}{2}}} ( X )^{\frac{3}{2}}": "k = m_3 / m_2^(3/2) (X)^(3/2)",
    r"q = \begin{bmatrix} \frac{1 - w}{2} & 0 & w \end{bmatrix}": "q = [(1 − w) / 2, 0, w]",
    r"s = \widehat{s k} + 1": "s = sk̂ + 1",
    r"\sum_{i, j} \{ y_{i} \log \nu_{i} - y_{j} \}": "∑_(i,j) {y_i log ν_i − y_j}",
}


def parsed(pdf: bytes) -> ParsedDocument:
    return PdfFormat().parse(Source.of_bytes(pdf, "made.pdf"), Limits(ocr=False))


def same(latex: str) -> str:
    """LaTeX without spaces and the braces that change nothing."""
    return re.sub(r"\{(\w)\}", r"\1", re.sub(r"\s+", "", latex))


@pytest.fixture(scope="module")
def typeset() -> list[Equation]:
    shown = (f"{SENTENCE.format(about)}\n\n$${tex}$$" for about, tex in zip(SUBJECTS, FORMULAS, strict=True))
    return of(parsed(drawn("\n\n".join([*shown, SENTENCE.format("bridge")])).data[0]), Equation)


def test_formulas_are_read_as_a_reader_would_type_them(typeset: list[Equation]) -> None:
    assert [equation.text for equation in typeset] == list(FORMULAS.values())


def test_formulas_have_the_latex_they_were_typeset_from(typeset: list[Equation]) -> None:
    assert [same(equation.latex) for equation in typeset] == list(map(same, FORMULAS))


def test_halves_without_a_bar_stay_as_they_stand() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    halves = text(200, 641, "u + v", font="F4") + text(160, 632, "x =", font="F4") + text(200, 624, "w - z", font="F4")
    pdf.page(lines(72, 700, prose) + halves + text(360, 632, "(2)") + lines(72, 570, prose))
    equation = of(parsed(pdf.bytes()), Equation)[0]
    assert (sorted(equation.text.split()), equation.latex) == (sorted(["u", "+", "v", "x", "=", "w", "-", "z"]), "")


DOT = "q 28 0 0 -0.5 198 636.25 cm BI /IM true /W 1 /H 1 /BPC 1 ID \x00\nEI Q\n"
"""A dot as long as a bar, as Ghostscript writes the rules of dvips."""


@pytest.mark.parametrize("bar", [rule(198, 636, 226, 636), DOT], ids=["line", "dot"])
def test_a_bar_makes_a_fraction_and_the_number_at_the_margin_is_no_part_of_it(bar: str) -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    halves = text(200, 641, "u + v", font="F4") + text(160, 632, "x =", font="F4") + text(200, 624, "w + z", font="F4")
    pdf.page(lines(72, 700, prose) + halves + bar + text(360, 632, "(2)") + lines(72, 570, prose))
    equation = of(parsed(pdf.bytes()), Equation)[0]
    assert (equation.text, equation.latex, equation.label) == (
        "x = (u + v) / (w + z)",
        r"x = \frac{u + v}{w + z}",
        "(2)",
    )


@pytest.mark.parametrize(
    ("code", "box"), [("58", (0, -1400, 1440, 0)), ("0b", (0, 0, 640, 440))], ids=["hangs", "control character"]
)
def test_signs_of_bitmap_fonts_that_are_not_known_are_said_and_give_no_latex(
    code: str, box: tuple[int, int, int, int]
) -> None:
    pdf = Pdf()
    x0, y0, x1, y1 = box
    glyph = pdf.stream(f"{x1} 0 {x0} {y0} {x1} {y1} d1 {x0} {y0} {x1 - x0} {y1 - y0} re f")
    number = int(code, 16)
    font = pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 -1500 1500 1000] /FontMatrix [.001 0 0 .001 0 0]"
        f" /FirstChar {number} /LastChar {number} /Widths [{x1}] /CharProcs << /a{number} {glyph} 0 R >>"
        f" /Encoding << /Type /Encoding /Differences [{number} /a{number}] >> >>"
    )
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    sign = f"q BT /T3 10 Tf 1 0 0 1 182 647 Tm <{code}> Tj ET Q\n"
    formula = text(160, 640, "x =", font="F4") + sign + text(200, 640, "y + z", font="F4") + text(480, 640, "(7)")
    pdf.page(lines(72, 700, prose) + formula + lines(72, 600, prose), fonts={"T3": font})
    document = parsed(pdf.bytes())
    (equation,) = of(document, Equation)
    assert ("�" in equation.text, "X" in equation.text, equation.latex) == (True, False, "")
    assert any("does not tell what all its signs are" in notice.message for notice in document.notices)


def test_lines_with_numbers_of_their_own_are_equations_of_their_own() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    rows = "".join(
        text(160, y, said, font="M1") + text(480, y, number)
        for y, said, number in ((638, "x + y = u", "(3)"), (622, "z + w = v", "(4)"), (606, "a + b = c + d", "(5)"))
    )
    pdf.page(lines(72, 700, prose) + rows + lines(72, 560, prose), fonts={"M1": letters})
    found = [(equation.label, equation.text) for equation in of(parsed(pdf.bytes()), Equation)]
    assert found == [("(3)", "x + y = u"), ("(4)", "z + w = v"), ("(5)", "a + b = c + d")]


def test_fractions_of_names_are_held_together_by_their_bars() -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")

    def half(x: float, y: float, variable: str) -> str:
        return (
            text(x, y, "post(")
            + text(x + 22.3, y, f"{variable} {variable} {variable}", font="M1")
            + text(x + 49, y, ")")
        )

    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    shown = half(160, 641, "a") + half(160, 624, "b") + rule(160, 636, 212, 636) + text(218, 633, "=")
    shown += half(232, 641, "c") + half(232, 624, "d") + rule(232, 636, 284, 636)
    pdf.page(lines(72, 700, prose) + shown + lines(72, 570, prose), fonts={"M1": letters})
    (equation,) = of(parsed(pdf.bytes()), Equation)
    assert equation.text.replace(" ", "") == "post(aaa)/(post(bbb))=post(ccc)/(post(ddd))"


def test_numbered_fractions_close_under_one_another_are_no_table() -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    shown = ""
    for at, (y, name) in enumerate(((640, "D"), (614, "F"), (588, "H")), 3):
        shown += text(176, y, f"{name} =", font="M1") + text(206, y + 6.4, "c - d", font="M1") + text(480, y, f"({at})")
        shown += text(200, y - 6.6, "c + d + t", font="M1") + rule(200, y + 3, 242, y + 3)
    pdf.page(lines(72, 700, prose) + shown + lines(72, 540, prose), fonts={"M1": letters})
    document = parsed(pdf.bytes())
    assert of(document, Table) == []
    assert [equation.label for equation in of(document, Equation)] == ["(3)", "(4)", "(5)"]


def test_aligned_rows_of_nothing_but_formulas_are_no_table() -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    rows = "".join(
        text(160, y, f"w = {left}", font="M1") + text(260, y, right, font="M1")
        for y, left, right in ((640, "p", "q < r"), (624, "s", "q > r"), (608, "t", "q = r"))
    )
    pdf.page(lines(72, 700, prose) + rows + lines(72, 540, prose), fonts={"M1": letters})
    document = parsed(pdf.bytes())
    assert of(document, Table) == []
    assert " ".join(equation.text for equation in of(document, Equation)).count("=") == 4


def test_lines_of_a_system_whose_limits_touch_are_parted_by_their_numbers() -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    fonts = {"S1": pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>"), "M1": letters}
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    rows = "".join(
        text(160, y, f"{name} =", font="M1") + text(182, y, "\xe5", font="S1") + text(194, y, "y", font="M1")
        + text(184, y - 8, "k", size=6, font="M1") + text(184, y + 9, "n", size=6, font="M1") + text(480, y, number)
        for y, name, number in ((640, "x", "(3)"), (616, "z", "(4)"))
    )  # fmt: skip
    pdf.page(lines(72, 700, prose) + rows + lines(72, 540, prose), fonts=fonts)
    found = [(equation.label, equation.text) for equation in of(parsed(pdf.bytes()), Equation)]
    assert found == [("(3)", "x = ∑_k^n y"), ("(4)", "z = ∑_k^n y")]


def test_a_paragraph_whose_last_words_repeat_at_the_head_of_pages_is_no_running_head() -> None:
    pdf = Pdf()
    for about in SUBJECTS[:6]:
        opening = f"{SENTENCE.format(about)} from one year on"
        pdf.page(lines(72, 740, [opening, "to the next one."]) + lines(72, 690, [SENTENCE.format("bridge")] * 3))
    document = parsed(pdf.bytes())
    assert all(
        any("from one year on" in p.text for p in part.blocks if isinstance(p, Paragraph)) for part in document.parts
    )
    assert of(document, Heading) == []


def test_scripts_of_formulas_in_sentences_are_typed_and_raised_numbers_of_notes_are_not() -> None:
    sentence = "The terms $x_i^2$ and $a_1$ and $e^{-kt}$ and $(a + b)^2$ stand here beside the words of the sentence."
    said = " ".join(block.text for block in of(parsed(drawn(sentence).data[0]), Paragraph))
    typed = re.sub(r"\s+", "", unicodedata.normalize("NFKC", said))
    assert "termsx_i^2anda_1ande^(−kt)and(a+b)^2stand" in typed
    noted = Pdf()
    noted.page(text(72, 700, "What the harbour measured") + text(190, 704, "3", size=6) + text(200, 700, "holds here."))
    assert not any("^" in block.text for block in of(parsed(noted.bytes()), Paragraph))


def test_fractions_and_stacked_scripts_in_sentences_are_typed_where_they_stand() -> None:
    formulas = {r"\frac{x + 1}{y}": "(x + 1)/y", r"\sum_{i=1}^{n} x_i": "∑_(i=1)^n x_i", r"\frac{p}{q}, z": "p/q, z"}
    markdown = "\n\n".join(f"The term ${latex}$ stands here, as the notes on the measure say." for latex in formulas)
    said = " ".join(block.text for block in of(parsed(drawn(markdown).data[0]), Paragraph))
    typed = re.sub(r"\s+", "", unicodedata.normalize("NFKC", said))
    assert [re.sub(r"\s+", "", f"term{formula}stands") in typed for formula in formulas.values()] == [True] * 3


def glyphs(*signs: tuple[str, float, float], size: float = 10) -> list[Glyph]:
    """Signs by their left edge and baseline, in boxes as letters of 5 points are drawn; those over one letter long are
    set in smaller type."""
    return [
        Glyph(sign[:1], x, y - 5 * scale, x + 5 * scale, y, y, size * scale, sign[:1].isalpha(), False)
        for sign, x, y in signs for scale in ((0.7,) if sign[1:] else (1.0,))
    ]  # fmt: skip


def dot(sign: str, x: float, y: float) -> Glyph:
    return Glyph(sign, x, y - 1, x + 1, y, y, 10, italic=False, bold=False)


def linear(found: list[Glyph], rules: list[tuple[float, float, float]] | None = None) -> str:
    made = read_formula(found, rules or [])
    return made.linear if made else ""


def test_three_dots_are_an_ellipsis_level_upright_or_sloping() -> None:
    for sign, (x, y), expected in ((".", (4, 0), "…"), ("·", (4, 0), "⋯"), (".", (0, 4), "⋮"), (".", (4, 3), "⋱")):
        row = [*glyphs(("x", 0, 100), ("=", 9, 100)), *(dot(sign, 20 + at * x, 92 + at * y) for at in range(3))]
        assert linear(row) == f"x = {expected}"


def test_a_label_over_a_relation_is_its_own() -> None:
    assert linear(glyphs(("a", 0, 100), ("=", 12, 100), ("d.", 13, 92), ("b", 24, 100))) == "a =^d b"
    arrow = Glyph("⟶", 12, 96, 30, 98, 100, 10, italic=False, bold=False)
    made = read_formula([*glyphs(("a", 0, 100), ("d.", 18, 94), ("b", 38, 100)), arrow], [])
    assert made is not None and (made.linear, same(made.latex)) == ("a →^d b", r"a\xrightarrowdb")


def test_a_brace_under_a_stretch_holds_it_together() -> None:
    tips = [Glyph(tip, x, y, x + 5, y + 3, y, 10, italic=False, bold=False)
            for tip, x, y in (("╰", 0, 103), ("╮", 10, 105), ("╭", 15, 105), ("╯", 25, 103))]  # fmt: skip
    stretch = glyphs(("a", 0, 100), ("+", 12, 100), ("b", 24, 100), ("=", 40, 100), ("c", 52, 100), ("n.", 14, 116))
    assert linear([*stretch, *tips], [(105, 5, 10), (105, 20, 25)]) == "underbrace(a + b)_n = c"


@pytest.mark.parametrize(("before", "expected"), [(5.5, "y = c^i√Y"), (9.0, "y = c i√Y")], ids=["power", "index"])
def test_a_power_before_a_root_is_no_index_of_it(before: float, expected: str) -> None:
    sign = Glyph("√", 10, 90, 18, 102, 91, 10, italic=False, bold=False)
    found = [*glyphs(("y", -20, 100), ("=", -11, 100), ("c", 0, 100), ("i.", before, 94), ("Y", 19, 100)), sign]
    assert linear(found, [(90, 18, 25)]) == expected


def test_a_bar_in_braces_parts_terms_and_a_pair_of_bars_does_not() -> None:
    inside = glyphs(("{", 0, 100), ("x", 6, 100), ("|", 16, 100), ("y", 26, 100), ("}", 32, 100))
    assert linear(inside) == "{x | y}"
    assert linear(glyphs(("|", 0, 100), ("x", 9, 100), ("|", 18, 100), ("=", 28, 100), ("y", 38, 100))) == "|x| = y"


def test_close_integrals_are_one_and_apart_two() -> None:
    tail = [("=", 30, 100), ("x", 42, 100)]
    assert linear(glyphs(("∫", 0, 100), ("∫", 5, 100), *tail)).startswith("∬")
    assert linear(glyphs(("∫", 0, 100), ("∫", 9, 100), *tail)).startswith("∫ ∫")


def test_limits_over_and_under_an_integral_are_its_own() -> None:
    sign = Glyph("∫", 20, 88, 27, 110, 89, 10, italic=False, bold=False)
    around = glyphs(("a", 0, 100), ("=", 9, 100), ("b.", 22, 87), ("c.", 22, 115), ("x", 30, 100))
    assert linear([*around, sign]) == "a = ∫_c^b x"


def test_a_script_of_the_upper_limit_stays_there_over_the_relation_of_the_lower() -> None:
    sign = Glyph("∑", 0, 88, 11, 100, 97, 10, italic=False, bold=False)
    scripts = glyphs(("j.", 12, 102), ("=.", 18, 102), ("1.", 24, 102), ("T.", 12, 91))
    index = Glyph("i", 17, 89, 18.5, 93, 93, 5, italic=True, bold=False)
    assert (
        linear([sign, *scripts, index, *glyphs(("x", 30, 97), ("=", 39, 97), ("y", 48, 97))]) == "∑_(j=1)^(T_i) x = y"
    )


UNPAIRED = [Glyph("}", 40, 88, 44, 122, 118, 10, italic=False, bold=False)]


@pytest.mark.parametrize(
    ("found", "sure"),
    [
        (glyphs(("∑", 0, 100), ("=", 12, 100), ("x", 24, 100)), False),
        (glyphs(("x", 0, 100), ("+", 12, 100), ("=", 24, 100), ("y", 36, 100)), False),
        (glyphs(("x", 0, 100), ("∗", 6, 100), ("=", 24, 100), ("y", 36, 100)), True),
        (glyphs(("x", 0, 100), ("=", 12, 100), ("⋮", 24, 100)), False),
        (glyphs(("x", 0, 100), ("=", 12, 100), ("y", 24, 100), ("(.", 29, 104), ("a.", 34, 104)), False),
        (glyphs(("x", 24, 86), ("z", 0, 100), ("=", 12, 100), ("y", 24, 100), ("w", 24, 114)), False),
        (glyphs(("x", 0, 100), ("=", 12, 100), ("y", 24, 100), ("=", 12, 114), ("w", 24, 114)), True),
        ([*glyphs(("x", 0, 100), ("=", 12, 100), ("y", 0, 114), ("=", 12, 114), ("w", 24, 114)), *UNPAIRED], False),
    ],
    ids=["a sum of nothing", "a sign before a relation", "a star", "dots of rows", "an open script", "rows of nothing",
         "lines that go on", "an unpaired brace"],
)  # fmt: skip
def test_a_reading_that_no_formula_has_is_unsure(found: list[Glyph], *, sure: bool) -> None:
    made = read_formula(found, [])
    assert made is not None and made.sure is sure


def test_pieces_of_tall_braces_and_roots_are_one_sign() -> None:
    tips = [Glyph(tip, 20, top, 24, foot, foot, 10, italic=False, bold=False)
            for tip, top, foot in (("⎧", 80, 90), ("⎪", 90, 95), ("⎨", 95, 105), ("⎩", 112, 122))]  # fmt: skip
    rows = glyphs(("x", 0, 102), ("=", 9, 102), ("a", 30, 92), ("b", 30, 118))
    assert linear([*rows, *tips]) == "x = {a; b"
    pieces = (("⎷", 20, 96, 106), ("\ue000", 24, 88, 97), ("\ue001", 24, 80, 90))
    root = [Glyph(piece, left, top, left + 5, foot, foot, 10, italic=False, bold=False)
            for piece, left, top, foot in pieces]  # fmt: skip
    body = glyphs(("x", 0, 102), ("=", 9, 102), ("a", 31, 102), ("+", 38, 102), ("b", 47, 102))
    assert linear([*body, *root], [(80, 29, 52)]) == "x = √(a + b)"


def test_a_tilde_close_over_a_script_is_its_mark() -> None:
    mark = Glyph("~", 6, 96.3, 8, 97, 99, 7, italic=False, bold=False)
    assert linear([*glyphs(("V", 0, 100), ("b.", 5, 102), ("=", 12, 100), ("y", 24, 100)), mark]) == "V_(b\u0303) = y"


def test_a_bar_over_a_letter_takes_none_of_the_brackets_beside_it() -> None:
    found = glyphs(("a", 0, 100), ("=", 9, 100), ("(", 18, 100), ("I", 23, 100), (")", 28, 100))
    assert linear(found, [(93, 23, 28)]) == "a = (Ī)"


def test_a_formula_of_italic_letters_is_found_where_it_is_set_apart() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    formula = text(220, 640, "f", font="F4") + text(230, 640, ":") + text(238, 640, "X", font="F4")
    formula += text(252, 640, "<") + text(266, 640, "Y + Z", font="F4") + text(480, 640, "(7)")
    pdf.page(lines(72, 700, prose) + formula + lines(72, 600, prose))
    equation = of(parsed(pdf.bytes()), Equation)[0]
    assert (equation.text, equation.label) == ("f : X < Y + Z", "(7)")


def test_an_upper_half_close_under_a_short_line_is_the_formulas() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    halves = text(200, 665, "u + v", font="F4") + text(160, 656, "x =", font="F4") + text(200, 648, "w + z", font="F4")
    opening = [*prose, "Note of it, which was said in the words of every column before, and of all the others as"]
    bar, number = rule(198, 660, 226, 660), text(480, 656, "(2)")
    pdf.page(lines(72, 712, opening) + halves + bar + number + lines(72, 600, prose))
    document = parsed(pdf.bytes())
    assert [equation.text for equation in of(document, Equation)] == ["x = (u + v) / (w + z)"]
    assert any(block.text.endswith("and of all the others as") for block in of(document, Paragraph))


def sentence(*words: tuple[str, float, float, float]) -> str:
    """Words in mathematical type, by left edge, top and size, as the text of a line."""
    math = NO_STYLE._replace(math=True)
    made = [Word(text, x, y, x + size * len(text) / 2, y + size, math._replace(size=size), joined=False)
            for text, x, y, size in words]  # fmt: skip
    return "".join(
        word.text if word.joined or not at else f" {word.text}" for at, word in enumerate(typed_scripts([made]))
    )


def test_a_raised_number_behind_a_ten_that_is_multiplied_by_is_a_power() -> None:
    plain = NO_STYLE
    for before, expected in (("×", "3 × 10^8"), ("of", "3 of 10 8")):
        words = [Word("3", 0, 0, 5, 10, plain._replace(size=10), joined=False),
                 Word(before, 8, 0, 14, 10, plain._replace(size=10), joined=False),
                 Word("10", 18, 0, 28, 10, plain._replace(size=10), joined=False),
                 Word("8", 28, -1, 31, 6, plain._replace(size=7), joined=False)]  # fmt: skip
        typed = typed_scripts([words])
        assert "".join(w.text if w.joined or not at else f" {w.text}" for at, w in enumerate(typed)) == expected


def test_roots_degrees_ellipses_and_scripts_of_scripts_are_typed() -> None:
    assert sentence(("√", 0, 0, 10), ("3", 1, -2, 5), ("x", 6, 0, 10)) == "∛ x"
    assert sentence(("90", 0, 0, 10), ("◦", 10, -2, 7)) == "90°"
    assert sentence(("a", 0, 0, 10), *((".", at, 0, 10) for at in (6, 12, 18)), ("b", 26, 0, 10)) == "a … b"
    assert sentence(*((".", at, 0, 10) for at in (6, 12, 18, 24))) == ". . . ."
    assert sentence(("x", 0, 0, 10), ("′", 5, -2, 7)) == "x′"
    assert sentence(("e", 0, 0, 10), ("−x", 5, -2, 7), ("2", 12, -3, 5)) == "e^(−x^2)"


def test_letters_with_a_mark_over_them_have_scripts() -> None:
    assert sentence(("x\u0304", 0, 0, 10), ("k", 10, 6, 7)) == "x\u0304_k"
    assert sentence(("\u0302x", 0, 0, 10), ("k", 10, 6, 7)) == "x\u0302_k"  # the mark drawn first
    assert sentence(("\u0302", 0, 0, 10), ("x", 1, 0, 10), ("k", 6, 6, 7)) == "x\u0302_k"  # as a word of its own
    assert sentence(("y", 0, 0, 10), ("ˆ", 0.5, -3, 10), ("+", 12, 0, 10)) == "ŷ +"
    assert sentence(("β^", 0, 0, 10), ("+", 12, 0, 10)) == "β\u0302 +"


def test_a_number_has_a_power_that_has_one_itself() -> None:
    plain, math = NO_STYLE, NO_STYLE._replace(math=True)
    words = [Word("2", 0, 0, 5, 10, plain._replace(size=10), joined=False),
             Word("2", 5, -2, 9, 5, plain._replace(size=7), joined=False),
             Word("n", 9, -4, 12, 1, math._replace(size=5), joined=False)]  # fmt: skip
    assert "".join(word.text for word in typed_scripts([words])) == "2^(2^n)"
    noted = [words[0], words[1], words[2]._replace(style=plain._replace(size=10), y0=0, y1=10, x0=14, x1=19)]
    assert not any("^" in word.text for word in typed_scripts([noted]))


def test_a_figure_in_the_box_of_its_ink_beside_a_low_letter_is_its_index() -> None:
    math = NO_STYLE._replace(math=True)
    words = [Word("ω", 0, 5.4, 6, 10, math._replace(size=10), joined=False),
             Word("1", 6, 6.1, 9, 10.7, math._replace(size=7), joined=False)]  # fmt: skip
    assert "".join(word.text for word in typed_scripts([words])) == "ω_1"


def test_a_root_in_a_sentence_holds_what_its_bar_is_over() -> None:
    math = NO_STYLE._replace(math=True, size=10)
    words = [Word(word, at, 0, at + 5 * len(word), 10, NO_STYLE._replace(size=10), joined=False)
             for word, at in (("the", 0), ("length", 20), ("and", 110), ("others", 130))]  # fmt: skip
    formula = [Word(sign, at, 0, at + 6, 10, math, joined=False)
               for sign, at in (("√", 55), ("a", 61), ("+", 71), ("b", 81), ("=", 93))]  # fmt: skip
    line = Segment(words[0], 0)
    for word in (words[1], *formula, *words[2:]):
        line.add(word)
    [typed] = type_tiers([line], [(0.5, 61, 88)])
    assert typed.text == "the length √(a + b) = and others"


def test_a_sign_of_a_root_larger_than_its_line_leaves_the_root_in_it() -> None:
    plain, math = NO_STYLE._replace(size=10), NO_STYLE._replace(math=True, size=10)
    words = [Word(word, at, 0, at + 5 * len(word), 10, plain, joined=False)
             for word, at in (("the", 0), ("length", 20), ("and", 130), ("others", 150))]  # fmt: skip
    sign = Word("√", 55, -8, 61, 8, math._replace(size=16), joined=False)
    formula = [Word(text, x0, 0, x1, 10, math, joined=False)
               for text, x0, x1 in (("1.29", 61, 80), ("=", 83, 90), ("1.13", 93, 112))]  # fmt: skip
    line = Segment(words[0], 0)
    for word in (words[1], sign, *formula, *words[2:]):
        line.add(word)
    [typed] = type_tiers([line], [(-7.5, 61, 80)])
    assert typed.text == "the length √1.29 = 1.13 and others"


@pytest.mark.parametrize(
    ("signs", "bar", "typed"),
    [
        ((("√", 55), ("π,", 61), ("=", 72), ("z", 82)), (0.5, 61, 67), "the length √π, = z and others"),
        ((("x", 55), ("+", 65), ("y", 75)), (1.5, 75, 81), "the length x + ȳ and others"),
    ],
    ids=["a stop behind a root", "a bar over a letter"],
)
def test_a_bar_in_a_sentence_is_over_signs_alone(
    signs: tuple[tuple[str, float], ...], bar: tuple[float, float, float], typed: str
) -> None:
    plain, math = NO_STYLE._replace(size=10), NO_STYLE._replace(math=True, size=10)
    words = [Word(word, at, 0, at + 5 * len(word), 10, plain, joined=False)
             for word, at in (("the", 0), ("length", 20), ("and", 95), ("others", 115))]  # fmt: skip
    line = Segment(words[0], 0)
    for word in (words[1], *(Word(sign, at, 0, at + 6, 10, math, joined=False) for sign, at in signs), *words[2:]):
        line.add(word)
    assert [segment.text for segment in type_tiers([line], [bar])] == [typed]


def test_limits_of_operators_close_beside_one_another_are_each_its_own() -> None:
    limits = [("i.", 0, 110), ("=.", 4, 110), ("1.", 8, 110), ("j.", 12.5, 110), ("=.", 16.5, 110), ("1.", 20.5, 110)]
    assert linear(glyphs(("∑", 3.5, 100), ("∑", 16, 100), ("a", 28, 100), *limits)) == "∑_(i=1) ∑_(j=1) a"


def test_bold_letters_are_no_word() -> None:
    bold = [Glyph(sign, x, 95, x + 5, 100, 100, 10, italic=False, bold=True) for sign, x in (("A", 0), ("x", 5))]
    made = read_formula([*bold, *glyphs(("=", 16, 100), ("y", 28, 100))], [])
    assert made is not None and made.latex.startswith(r"\mathbf{A} \mathbf{x}")


def test_letters_in_the_italics_of_text_are_a_word_beside_letters_in_those_of_mathematics() -> None:
    word = glyphs(("a", 12, 100), ("n", 17, 100), ("d", 22, 100))
    around = [glyph._replace(math=True) for glyph in glyphs(("x", 0, 100), ("=", 34, 100), ("y", 46, 100))]
    made, alone = read_formula([*word, *around], []), read_formula([*word, *glyphs(("=", 34, 100), ("y", 46, 100))], [])
    assert made is not None and (made.linear, same(made.latex)) == ("x and = y", r"x\text{and}=y")
    assert alone is not None and same(alone.latex) == "and=y"


def word(text: str, x: float, *, bold: bool = False) -> list[Glyph]:
    """Upright letters of 5 points, side by side on the baseline at 100."""
    return [Glyph(sign, x + 5 * at, 95, x + 5 * at + 5, 100, 100, 10, italic=False, bold=bold)
            for at, sign in enumerate(text)]  # fmt: skip


def latex(found: list[Glyph], rules: list[tuple[float, float, float]] | None = None) -> str:
    made = read_formula(found, rules or [])
    return made.latex if made else ""


def test_blanks_around_words_stand_inside_their_text() -> None:
    relation = glyphs(("x", 0, 100), ("=", 9, 100), ("y", 18, 100))
    assert latex([*relation, *word("for", 27), *word("all", 45), *glyphs(("z", 64, 100))]) == (
        r"x = y \text{ for all } z"
    )


def test_bold_letters_that_spell_a_word_are_one_and_three_vectors_are_not() -> None:
    sides = glyphs(("=", 34, 100), ("y", 44, 100))
    assert latex([*word("then", 0, bold=True), *sides]) == r"\textbf{then} = y"
    assert latex([*word("log", 0, bold=True), *glyphs(("x", 18, 100)), *sides]) == r"\log x = y"
    assert latex([*word("abc", 0, bold=True), *sides]) == r"\mathbf{a} \mathbf{b} \mathbf{c} = y"


def test_variation_selectors_behind_signs_are_no_signs() -> None:
    tall = [Glyph(sign, 0, 90, 5, 110, 90, 10, italic=False, bold=False) for sign in ("∑", "\ufe01")]
    made = read_formula([*tall, *glyphs(("x", 9, 100), ("=", 20, 100), ("y", 30, 100))], [])
    assert made is not None and (made.linear, made.latex) == ("∑ x = y", r"\sum x = y")


def test_a_line_close_under_a_letter_underlines_it_and_one_letter_under_another_is_a_fraction() -> None:
    relation = glyphs(("v", 0, 100), ("=", 9, 100), ("y", 18, 100))
    under = [(101.5, 0.0, 5.0)]
    assert (linear(relation, under), latex(relation, under)) == ("v\u0332 = y", r"\underline{v} = y")
    assert latex([*relation, *glyphs(("w", 0, 108))], under) == r"\frac{v}{w} = y"
    comma = Glyph(",", 5.2, 99, 6.2, 101, 100, 10, italic=False, bold=False)
    assert linear([*relation, comma], under) == "v\u0332, = y"


def test_a_word_at_the_margin_is_no_part_of_the_display_that_begins_beside_it() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    pieces = ((200, 641, "u + v"), (150, 632, "t = x +"), (232, 632, "+ y = z"), (200, 624, "w + z"))
    shown = "".join(text(x, y, piece, font="F4") for x, y, piece in pieces) + rule(198, 636, 226, 636)
    pdf.page(lines(72, 700, prose) + text(72, 646, "where") + shown + lines(72, 570, prose))
    document = parsed(pdf.bytes())
    assert [equation.text for equation in of(document, Equation)] == ["t = x + (u + v) / (w + z) + y = z"]
    assert "where" in [paragraph.text for paragraph in of(document, Paragraph)]


def test_a_numerator_is_no_word_beside_which_a_display_begins() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    upper = text(72, 646, "dT") + text(200, 641, "u + v", font="F4")
    pieces = ((150, 632, "t = x +"), (232, 632, "+ y = z"), (200, 624, "w + z"))
    shown = "".join(text(x, y, piece, font="F4") for x, y, piece in pieces) + rule(198, 636, 226, 636)
    pdf.page(lines(72, 700, prose) + upper + shown + lines(72, 570, prose))
    assert "dT" not in [paragraph.text for paragraph in of(parsed(pdf.bytes()), Paragraph)]


def test_a_product_of_variables_is_no_word_of_prose() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    pdf.page(lines(72, 700, prose) + text(180, 632, "U = CpdT", font="F4") + lines(72, 570, prose))
    assert [equation.text for equation in of(parsed(pdf.bytes()), Equation)] == ["U = CpdT"]


def test_a_fraction_in_an_exponent_and_a_power_in_the_least_size_are_scripts() -> None:
    least = [Glyph(sign, x, y - 2, x + 2, y, y, 5, sign.isalpha(), bold=False)
             for sign, x, y in (("a", 6, 93), ("x", 8, 93), ("2", 10.5, 91), ("b", 9, 98))]  # fmt: skip
    relation = glyphs(("e", 0, 100), ("=", 20, 100), ("y", 30, 100))
    found, bars = [*least, *relation], [(94.5, 5.5, 13.0)]
    assert (linear(found, bars), latex(found, bars)) == ("e^(ax^2/b) = y", r"e^{\frac{a x^{2}}{b}} = y")


def test_a_display_without_a_relation_is_a_formula_and_a_name_in_brackets_is_none() -> None:
    shown = r"$$\alpha + \frac{\beta}{\gamma} \cdot x$$"
    page = "\n\n".join(
        [
            SENTENCE.format("measure"),
            shown,
            SENTENCE.format("river"),
            r"$$(v - \nu) - 2 \mu \log(u - \mu)$$",
            SENTENCE.format("roof"),
            r"$$\langle name \rangle$$",
            SENTENCE.format("mill"),
        ]
    )
    assert [equation.text for equation in of(parsed(drawn(page).data[0]), Equation)] == [
        "α + β / γ·x", "(v − ν) − 2μ log(u − μ)"]  # fmt: skip


def test_cases_between_a_brace_of_low_pieces_are_told_apart() -> None:
    pieces = (("⎧", 12, 86, 93), ("⎪", 12, 93, 98), ("⎨", 10, 97.5, 105), ("⎪", 12, 105, 110), ("⎩", 12, 109.5, 117))
    brace = [Glyph(sign, x, y0, x + 4, y1, y1, 10, italic=False, bold=False) for sign, x, y0, y1 in pieces]
    rows = glyphs(("x", 0, 102), ("=", 6, 102), ("a", 20, 95), ("u", 50, 95), ("b", 20, 112), ("v", 50, 112))
    assert linear([*rows, *brace]) == "x = {a, u; b, v"


def test_a_row_of_cases_is_no_part_of_a_fraction_close_under_it_that_holds_a_small_one() -> None:
    row, fraction = glyphs(("0", 20, 86)), glyphs(("F", 20, 100), ("a.", 27, 97), ("b.", 27, 104), ("c", 24, 114))
    low = [Glyph(",", 26, 85, 28, 92, 86, 10, italic=False, bold=False)]
    assert linear([*row, *low, *fraction], [(98, 26.5, 31), (106, 19, 32)]) == "0,\nF a / b / c"


def test_fractions_close_under_one_another_take_nothing_of_each_other() -> None:
    upper = glyphs(("x", 0, 100), ("=", 6, 100), ("a.", 14, 97), ("b.", 14, 104))
    lower = glyphs(("y", 0, 117), ("=", 6, 117), ("c.", 14, 114), ("d.", 14, 121))
    assert linear([*upper, *lower], [(98.5, 13, 19), (115.5, 13, 19)]) == "x = a / b\ny = c / d"


def test_an_arrow_over_a_letter_is_its_mark() -> None:
    arrow = Glyph("→", 0, 91, 5, 94, 97, 7, italic=False, bold=False)
    assert linear([*glyphs(("x", 0, 100), ("=", 12, 100), ("y", 18, 100)), arrow]) == "x\u20d7 = y"


def test_the_box_of_an_equation_is_no_taller_than_its_ink() -> None:
    equation = Region("equation", "x = y", (0, 85, 40, 150), size=10)
    read_formulas(
        PageRegions(500, 500, regions=[equation]), glyphs(("x", 0, 100), ("=", 12, 100), ("y", 18, 100)), PageGraphics()
    )
    assert (equation.text, equation.box) == ("x = y", (0, 89, 40, 106))


def test_a_small_sign_a_little_lower_is_an_index() -> None:
    assert linear([*glyphs(("x", 0, 100), ("=", 12, 100), ("y", 18, 100)), *glyphs(("i.", 5.5, 100.7))]) == "x_i = y"


def test_a_row_of_cases_close_over_a_fraction_is_no_part_of_it() -> None:
    brace = Glyph("{", 12, 79, 16, 116, 97, 10, italic=False, bold=False)
    low = Glyph(",", 26, 89, 28, 92, 91, 10, italic=False, bold=False)
    first = glyphs(("x", 0, 100), ("=", 6, 100), ("0", 20, 91), ("u", 60, 91), ("v", 60, 107))
    assert linear([*first, *glyphs(("p", 30, 100.3), ("q", 30, 114)), brace, low], [(104, 20, 45)]) == (
        "x = {0, u; p / q, v"
    )


@pytest.mark.parametrize("words", ["Figure 1. ", "Lemma 2.4. Write ", "(ii) If ", "2The result is "])
def test_a_caption_a_theorem_an_item_or_a_note_with_a_relation_is_no_equation(words: str) -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    relation = "R = xyz(x - z)(x + z)(y - z)(y + z)"
    shown = text(180, 632, words) + text(180 + 5.3 * len(words), 632, relation, font="F4")
    pdf.page(lines(72, 700, prose) + shown + lines(72, 570, prose))
    assert of(parsed(pdf.bytes()), Equation) == []


def test_a_relation_and_one_letter_between_two_fractions_are_part_of_the_formula() -> None:
    pdf = Pdf()
    font = symbol_font(pdf, "ABCDEF+Any", "\u210e=\u2202", width=600)
    pdf.objects[font - 1] = pdf.objects[font - 1].replace(b"600 600 600", b"576 778 531")
    shown = coded(260, 610, "4341", font="S1") + coded(262, 590, "4341", font="S1")
    shown += coded(278, 600, "42", font="S1") + coded(290, 600, "41", font="S1")
    shown += coded(300, 610, "4341", font="S1") + coded(300, 590, "4341", font="S1")
    shown += "0.5 w 259 603 m 274 603 l S 299 603 m 314 603 l S\n"
    pdf.page(lines(72, 740, PROSE) + lines(72, 640, PROSE[:1]) + shown + lines(72, 560, PROSE), fonts={"S1": font})
    (found,) = of(parsed(pdf.bytes()), Equation)
    assert "=" in found.text
    assert found.text.count("\u2202") == 4


def test_scripts_before_a_comma_or_a_bracket_are_typed_as_any() -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    shown, x = text(72, 700, "In case of"), 124.0
    for sign, after in (("1", ","), ("2", ","), ("4", ").")):
        shown += text(x, 700, "x", font="M") + text(x + 5.2, 698.5, sign, size=7) + text(x + 9.2, 700, after, font="M")
        x += 18
    pdf.page(lines(72, 740, PROSE[:2]) + shown + text(x, 700, "all of them are told."), fonts={"M": letters})
    said = " ".join(block.text for block in of(parsed(pdf.bytes()), Paragraph))
    assert "In case of x_1, x_2, x_4). all" in said


def test_scripts_within_a_script_stay_with_it_whichever_side_of_the_line_they_are_on() -> None:
    def least(sign: str, x: float, y: float) -> Glyph:
        return Glyph(sign, x, y - 3, x + 2.5, y, y, 5, sign.isalpha(), bold=False)

    relation = glyphs(("x", 0, 100), ("i_", 5.5, 102), ("=", 20, 100), ("y", 30, 100))
    assert linear([*relation, least("t", 9.5, 100.5)]) == "x_(i^t) = y"
    assert linear([*relation, least("2", 9.5, 103.5), least("j", 9.7, 100.0)]) == "x_(i_2^j) = y"
    assert linear([*relation, *glyphs(("2^", 5.5, 96))]) == "x_i^2 = y"


def test_a_mark_over_a_script_is_its_own() -> None:
    mark = Glyph("\u02c6", 6, 97, 8.5, 98.3, 106, 10, italic=False, bold=False)
    assert latex([*glyphs(("x", 0, 100), ("i_", 5.5, 102), ("=", 20, 100), ("y", 30, 100)), mark]) == (
        r"x_{\hat{i}} = y"
    )


def test_a_power_in_the_least_size_over_one_letter_is_one_though_sizes_are_rounded() -> None:
    least = [Glyph(sign, x, y - 2, x + 2, y, y, size, sign.isalpha(), bold=False)
             for sign, x, y, size in (("x", 6, 93, 4.981), ("2", 8.5, 91, 4.979), ("b", 7, 98, 4.98))]  # fmt: skip
    relation = glyphs(("e", 0, 100), ("=", 20, 100), ("y", 30, 100))
    assert linear([*least, *relation], [(94.5, 5.5, 11.0)]) == "e^(x^2/b) = y"


def upright(word: str, x: float) -> list[Glyph]:
    """Letters and figures in upright type that touch one another, at the baseline of 100."""
    return [Glyph(sign, x + 5 * at, 95, x + 5 * at + 5, 100, 100, 10, italic=False, bold=False)
            for at, sign in enumerate(word)]  # fmt: skip


@pytest.mark.parametrize(("word", "typed"), [("log1p", "log1p(x)"), ("log2", "log 2(x)"), ("minE", "min E(x)")])
def test_figures_between_the_letters_of_a_name_are_part_of_it_and_a_capital_behind_it_is_not(
    word: str, typed: str
) -> None:
    after = 20 + 5 * len(word)
    signs = glyphs(("y", 0, 100), ("=", 9, 100), ("(", after, 100), ("x", after + 5, 100), (")", after + 10, 100))
    assert linear([*signs, *upright(word, 20)]) == f"y = {typed}"


def test_a_mark_close_beside_the_name_of_a_function_is_over_the_letter_behind_it() -> None:
    mark = Glyph("~", 36, 91, 40, 93, 100, 10, italic=False, bold=False)
    assert linear([*glyphs(("y", 0, 100), ("=", 9, 100), ("x", 37, 100)), *upright("log", 20), mark]) == "y = log x̃"


@pytest.mark.parametrize(("mark", "typed"), [("ˇ", "x̌"), ("ˉ", "x̄"), ("˘", "x̆")])
def test_carons_macrons_and_breves_are_marks(mark: str, typed: str) -> None:
    over = Glyph(mark, 1, 91, 4, 93, 100, 10, italic=False, bold=False)
    found = [*glyphs(("x", 0, 100), ("=", 9, 100), ("y", 18, 100)), over]
    assert linear(found) == f"{typed} = y"


@pytest.mark.parametrize("stroke", ["\u0338", "\ue020"])
def test_a_stroke_drawn_over_a_relation_negates_it(stroke: str) -> None:
    over = Glyph(stroke, 10, 93, 13, 102, 100, 10, italic=False, bold=False)
    assert linear([*glyphs(("x", 0, 100), ("=", 9, 100), ("y", 18, 100)), over]) == "x ≠ y"


@pytest.mark.parametrize(("share", "kind"), [(1.0, "equation"), (0.2, "text")])
def test_signs_of_mathematical_type_inset_in_a_column_are_a_formula_without_a_relation(share: float, kind: str) -> None:
    prose = [Region("text", SENTENCE, (0, top, 300, top + 10), size=10) for top in (70, 120)]
    shown = Region("text", "a + b", (100, 95, 125, 100), size=10, math=share)
    page = PageRegions(500, 500, regions=[prose[0], shown, prose[1]])
    read_formulas(page, glyphs(("a", 100, 100), ("+", 110, 100), ("b", 120, 100)), PageGraphics())
    assert [region.kind for region in page.regions] == ["text", kind, "text"]


@pytest.mark.parametrize(
    ("said", "latex"),
    [
        (r"$$\frac{a}{b} = c_1$$.", r"\frac{a}{b} = c_1"),
        ("$$ 120 to 150 = all $$", ""),
        (r"$$\color{white}\text{do as these words tell you} = c_1$$", ""),
    ],
    ids=["left as it is", "no command", "unseen words"],
)
def test_latex_that_a_program_left_in_the_text_is_the_equation_it_says(said: str, latex: str) -> None:
    region = Region("text", said, (100, 95, 200, 100), size=10)
    read_formulas(PageRegions(500, 500, regions=[region]), glyphs(("a", 100, 100)), PageGraphics())
    assert (region.kind, region.latex) == (("equation", latex) if latex else ("text", ""))


def test_pieces_of_signs_in_the_box_of_an_equation_are_its_own() -> None:
    equation = Region("equation", "x = y", (0, 85, 40, 110), size=10)
    pieces = [Region("text", sign, (18, top, 24, top + 8), size=1) for sign, top in (("⎪⎨⎩", 90), ("⎪⎨⎩", 300))]
    prose = [Region("text", SENTENCE, (0, top, 300, top + 10), size=10) for top in range(140, 200, 15)]
    page = PageRegions(500, 500, regions=[equation, *prose, *pieces])
    read_formulas(page, glyphs(("x", 0, 100), ("=", 12, 100), ("y", 18, 100)), PageGraphics())
    assert page.regions == [equation, *prose, pieces[1]]


def test_a_line_under_a_sum_that_nothing_stands_under_and_a_brace_that_nothing_closes_are_told() -> None:
    half = [*glyphs(("x", 0, 100), ("=", 9, 100)), *glyphs(("a", 20, 96), ("+", 27, 96), ("b", 34, 96))]
    brace = glyphs(("x", 0, 100), ("=", 9, 100), ("{", 20, 100), ("a", 27, 100))
    for signs, rules in ((half, [(98.0, 19.0, 40.0)]), (brace, [])):
        equation = Region("equation", "x = a", (0, 85, 40, 110), size=10)
        read_formulas(PageRegions(500, 500, regions=[equation]), signs, PageGraphics(horizontal=rules))
        assert equation.flaw
