"""Signs of formulas that browsers draw as shapes, as KaTeX has them: the roots, and bars taller than a line; and those
that fonts put together of pieces."""

from __future__ import annotations

import pytest
from sidecar_pdf.structure.equations.formulas import UNSURE_PLACES
from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, coded, read_pdf
from support.formats.plugin_reading import blocks, of

from sidecar.api import Equation, Paragraph, ParsedDocument

ROOT = "0 4 m 0.4 4 0.6 4.4 1.6 5.2 c 2.1 5.2 l 4.2 0.6 l 8.5 10.6 l 4000 10.6 l 4000 11 l 8.3 11 l 4 0 l 1.2 4 l h f"
"""A radical sign of 11 points, whose bar goes on to the right of the page until a clip path ends it."""
SAGGING = "0 11 m 0.4 10 1 9 1.6 8 c 4.2 0.6 l 8.5 10.6 l 4000 10.6 l 4000 11 l 8.3 11 l 4 0 l 1.2 7 l h f"
OPEN = ROOT.replace("4000 11 l 8.3 11 l", "4000 3 l 8.3 3 l")


def drawn(x: float, y: float, width: float, shape: str, height: float = 11.0) -> str:
    """A shape of 11 points from a place on, scaled to a height, of which what is in a width is seen."""
    scale = height / 11.0
    return f"q {x} {y} {width} {height} re W n {scale} 0 0 {scale} {x} {y} cm {shape} Q\n"


def read(shown: str, *, font: str = "CMMI10") -> ParsedDocument:
    """A page with a formula between paragraphs."""
    pdf = Pdf()
    letters = pdf.add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>")
    pdf.page(lines(72, 740, PROSE) + shown + lines(72, 560, PROSE), fonts={"M": letters})
    return read_pdf(pdf)


def math(x: float, y: float, shown: str) -> str:
    return text(x, y, shown, font="M")


@pytest.mark.parametrize("height", [11.0, 16.0], ids=["of the line", "taller"])
def test_a_root_drawn_as_a_shape_is_read(height: float) -> None:
    at = 9.0 * height / 11.0 + 231
    shown = math(200, 632, "z = k") + drawn(231, 629, at + 24 - 231, ROOT, height) + math(at, 632, "a + b")
    (equation,) = of(read(shown + math(at + 30, 632, "+ c")), Equation)
    assert (equation.text, equation.latex, equation.flaw) == ("z = k √(a + b) + c", r"z = k \sqrt{a + b} + c", "")


@pytest.mark.parametrize("height", [11.0, 13.5], ids=["as high as the line", "higher"])
def test_one_in_a_sentence_is_read(height: float) -> None:
    sentence = text(72, 640, "the length of them is") + drawn(168, 637, 35, ROOT, height) + math(179, 640, "a + b")
    document = read(sentence + text(207, 640, "as all of the others are told."))
    assert "the length of them is √(a + b) as all of" in " ".join(block.text for block in of(document, Paragraph))


@pytest.mark.parametrize("shape", [SAGGING, OPEN], ids=["without a hook", "a thick bar"])
def test_other_shapes_over_words_are_no_roots(shape: str) -> None:
    shown = math(200, 632, "z = k") + drawn(231, 629, 33, shape) + math(240, 632, "a + b")
    document = read(shown)
    assert "√" not in "".join(getattr(block, "text", "") for block in blocks(document))


def test_a_sign_over_nothing_is_no_root() -> None:
    document = read(math(200, 632, "z = a + b") + drawn(300, 629, 33, ROOT))
    assert "√" not in "".join(getattr(block, "text", "") for block in blocks(document))


BAR = math(200, 632, "z = g(x)") + "240.8 626 0.5 14 re f\n"
PARENTHESIS = "240 645 m 236 640 236 626 240 620 c 241 620 l 237 626 237 640 241 645 c h f\n"
FRAME = "0.5 w 195 620 140 25 re S\n"
ARRAY = "0.5 w 195 645 m 335 645 l S 195 620 m 335 620 l S 195 620 m 195 645 l S 335 620 m 335 645 l S\n"


def test_a_tall_bar_before_what_is_put_in_is_read() -> None:
    (equation,) = of(read(BAR + text(242.5, 626, "x = a", font="M", size=7)), Equation)
    assert (equation.text, equation.latex, equation.flaw) == ("z = g(x)|_(x=a)", r"z = g ( x ) |_{x = a}", "")


@pytest.mark.parametrize(
    ("shown", "flaw"),
    [
        (BAR + math(243, 632, "+ a + b"), UNSURE_PLACES),
        (math(200, 632, "z = k") + PARENTHESIS + math(243, 632, "a + b"), UNSURE_PLACES),
        (math(200, 632, "z = k + a + b") + FRAME, ""),
        (math(200, 632, "z = k + a + b") + ARRAY, ""),
        (math(200, 632, "z = k + a + b") + PARENTHESIS.replace("240 645 m", "1 0 0 1 150 0 cm 240 645 m"), ""),
    ],
    ids=["a bar in it", "a parenthesis in it", "a frame", "a frame of lines", "far from it"],
)
def test_other_signs_drawn_in_a_formula_are_told(shown: str, flaw: str) -> None:
    (equation,) = of(read(f"q {shown} Q\n"), Equation)
    assert equation.flaw == flaw


def assembled(x: float, top: float, sign: str, pieces: int) -> str:
    """A delimiter of pieces of 10 points from the top down, of which the first is written as its text."""
    drawn = "".join(text(x, top - 10 * at, sign, size=14) for at in range(pieces))
    return f"/Span << /ActualText (\\{sign}) >> BDC {drawn} EMC\n"


@pytest.mark.parametrize(
    ("pieces", "linear"), [(3, "z = (a; b; c) + d"), (1, "(a)\nz = b + d\nc")], ids=["of pieces", "of one"]
)
def test_a_delimiter_put_together_of_pieces_is_as_tall_as_all_of_them(pieces: int, linear: str) -> None:
    rows = math(218, 646, "a") + math(218, 632, "b") + math(218, 618, "c")
    shown = math(190, 632, "z =") + assembled(208, 643, "(", pieces) + rows + assembled(226, 643, ")", pieces)
    (equation,) = of(read(shown + math(236, 632, "+ d")), Equation)
    assert equation.text == linear


def characters(pdf: Pdf, signs: str) -> int:
    """The map to Unicode of a font whose codes from 41 (hexadecimal) on stand for signs."""
    codes = "".join(f"<{code:02x}> <{ord(sign):04x}>\n" for code, sign in enumerate(signs, 0x41))
    space = "1 begincodespacerange <00> <ff> endcodespacerange"
    return pdf.stream(f"begincmap {space}\n{len(signs)} beginbfchar\n{codes}endbfchar endcmap")


def test_the_middle_of_a_delimiter_that_is_stretched_is_as_tall_as_its_clip_path() -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    widths = "/FirstChar 65 /LastChar 71 /Widths [500 500 500 500 500 500 900]"
    named = f"/Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Any {widths}"
    signs = pdf.add(f"<< {named} /ToUnicode {characters(pdf, '⎡⎢⎣⎤⎥⎦')} 0 R >>")
    shown = math(190, 632, "z =") + math(218, 646, "a") + math(218, 632, "b") + math(218, 618, "c")
    for x, (top, middle, foot) in ((208, ("41", "42", "43")), (226, ("44", "45", "46"))):
        stretched = f"q {x} 624 6 20 re W n BT /S 14 Tf 1 0 0 500 {x} -1847 Tm <{middle}> Tj ET Q\n"
        shown += coded(x, 643, top, font="S", size=14) + stretched + coded(x, 615, foot, font="S", size=14)
    shown += math(240, 632, "+ d") + lines(72, 560, PROSE[:1]) + math(190, 530, "x =")
    shown += math(212, 536, "u + v") + math(212, 522, "w + z") + "0.5 w 211 532 m 238 532 l S\n"
    pdf.page(lines(72, 740, PROSE) + shown + lines(72, 480, PROSE), fonts={"M": letters, "S": signs})
    found = [(equation.text, equation.flaw) for equation in of(read_pdf(pdf), Equation)]
    assert found == [("z = [a; b; c] + d", ""), ("x = (u + v) / (w + z)", "")]


SIGNS = {"l": ("l", 0, 600), "o": ("o", 0, 450), "g": ("g", -100, 450), "=": ("equal", 100, 400), "+": ("plus", 0, 500),
         "Δ": ("Delta", 0, 600)}  # fmt: skip


def unnamed(pdf: Pdf) -> int:
    """A font without a name, as browsers write those of pages, of some letters and signs."""
    drawn = {name: pdf.stream(f"500 0 0 {low} 480 {high} d1 0 {low} 480 {high - low} re f")
             for name, low, high in SIGNS.values()}  # fmt: skip
    return pdf.add(
        f"<< /ToUnicode {characters(pdf, ''.join(SIGNS))} 0 R /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0]"
        f" /FontMatrix [.001 0 0 .001 0 0] /FirstChar 65 /LastChar 70 /Widths [{' 500' * len(drawn)}]"
        f" /CharProcs << {' '.join(f'/{name} {at} 0 R' for name, at in drawn.items())} >>"
        f" /Encoding << /Type /Encoding /Differences [65 {' '.join(f'/{name}' for name in drawn)}] >> >>"
    )


def signs(x: float, *shown: str) -> str:
    """Signs of such a font on one line: low letters a little raised, as letters are whose boxes are those of their
    ink."""
    codes = {sign: f"{code:02x}" for code, sign in enumerate(SIGNS, 0x41)}
    return "".join(
        coded(x + 5 * at, 632.95 if sign in "og" else 632, codes[sign], font="N") for at, sign in enumerate(shown)
    )


@pytest.mark.parametrize(
    ("shown", "latex"),
    [
        (signs(190, "Δ") + signs(200, "=") + signs(212, *"log") + math(230, 632, "b") + signs(240, "+")
         + signs(252, *"log") + math(270, 632, "c"), r"\Delta = \log b + \log c"),
        (text(190, 632, "S", font="F2") + signs(202, "=") + text(212, 632, "P", font="F2"), r"\mathbf{S} = \mathbf{P}"),
    ],
    ids=["names of functions", "a sign between bold letters"],
)  # fmt: skip
def test_signs_and_names_in_a_font_without_a_name_are_upright_and_of_formulas(shown: str, latex: str) -> None:
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    fonts = {"M": letters, "N": unnamed(pdf)}
    pdf.page(lines(72, 740, PROSE) + shown + lines(72, 560, PROSE), fonts=fonts)
    (equation,) = of(read_pdf(pdf), Equation)
    assert equation.latex == latex
