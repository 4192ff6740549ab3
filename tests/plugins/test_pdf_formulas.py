"""Displayed formulas of PDFs, typeset by the engine aboard and read back as linear text and LaTeX."""

from __future__ import annotations

import re
import unicodedata

import pytest
from sidecar_pdf import PdfFormat
from support.pdf_builder import Pdf, lines, rule, text
from support.plugin_reading import of
from support.render_support import drawn

from sidecar.api import Equation, Heading, Limits, Paragraph, ParsedDocument, Source

SENTENCE = "What was said of the {} holds here as well, and all of the tables show by how much each of them changed."
SUBJECTS = ("measure", "harbour", "river", "annex", "column", "letter", "winter", "engine", "mill")
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


def test_a_bar_makes_a_fraction_and_the_number_at_the_margin_is_no_part_of_it() -> None:
    pdf = Pdf()
    prose = [SENTENCE.format(about) for about in SUBJECTS[:3]]
    halves = text(200, 641, "u + v", font="F4") + text(160, 632, "x =", font="F4") + text(200, 624, "w + z", font="F4")
    bar = rule(198, 636, 226, 636)
    pdf.page(lines(72, 700, prose) + halves + bar + text(360, 632, "(2)") + lines(72, 570, prose))
    equation = of(parsed(pdf.bytes()), Equation)[0]
    assert (equation.text, equation.latex, equation.label) == (
        "x = (u + v) / (w + z)",
        r"x = \frac{u + v}{w + z}",
        "(2)",
    )


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
