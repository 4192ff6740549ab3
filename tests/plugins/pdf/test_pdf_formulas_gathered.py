"""Displayed formulas of PDFs whose parts stand far from one another, or close to what is none of them: what tall
delimiters hold, names before a fraction, limits at its bar, roots in it; and what is told where a place is not sure."""

from __future__ import annotations

import pytest
from sidecar_pdf.formulas.reading import read_formula
from sidecar_pdf.pdfium.graphics import PageGraphics
from sidecar_pdf.structure.equations.formulas import read_formulas
from sidecar_pdf.structure.regions import PageRegions, Region
from sidecar_pdf.text.glyphs import Glyph, told_apart

Rules = list[tuple[float, float, float]]
PROSE = "What was said of the measure holds here as well, and all of the tables show by how much it changed."


def signs(*placed: tuple[str, float, float], size: float = 10) -> list[Glyph]:
    """Signs by their left edge and baseline, in boxes half as wide and high as their size."""
    half = size / 2
    return [Glyph(sign, x, y - half, x + half, y, y, size, sign.isalpha(), bold=False, math=True)
            for sign, x, y in placed]  # fmt: skip


def spelled(name: str, x: float, y: float) -> list[Glyph]:
    """Upright letters side by side."""
    return [Glyph(sign, x + 5 * at, y - 5, x + 5 * at + 5, y, y, 10, italic=False, bold=False)
            for at, sign in enumerate(name)]  # fmt: skip


def drawn(sign: str, x0: float, y0: float, x1: float, y1: float, size: float = 10) -> Glyph:
    return Glyph(sign, x0, y0, x1, y1, y1, size, italic=False, bold=False, math=True)


def linear(found: list[Glyph], rules: Rules | None = None) -> str:
    made = read_formula(found, rules or [])
    return made.linear if made else ""


def sure(found: list[Glyph], rules: Rules | None = None) -> bool:
    made = read_formula(found, rules or [])
    return made is not None and made.sure


def read(regions: list[Region], found: list[Glyph], rules: Rules | None = None) -> list[Region]:
    """The regions of a page, prose around them, after its formulas are read."""
    prose = [Region("text", PROSE, (0, top, 400, top + 10), size=10) for top in (10, 300)]
    page = PageRegions(500, 500, regions=[prose[0], *regions, prose[1]])
    read_formulas(page, found, PageGraphics(horizontal=rules or []))
    return page.regions[1:-1]


def test_a_line_over_a_letter_that_reaches_below_its_line_is_over_its_bracket_as_well() -> None:
    low = Glyph("g", 20, 95, 25, 103, 100, 10, italic=True, bold=False)
    call = [low, drawn("(", 26, 91.5, 28, 103), *signs(("x", 29, 100)), drawn(")", 35, 91.5, 37, 103)]
    call = [glyph._replace(base=100) for glyph in call]
    assert linear([*signs(("u", 0, 100), ("=", 9, 100)), *call], [(90.5, 19.5, 37.5)]) == "u = overline(g(x))"


def test_the_sign_of_a_large_root_does_not_make_its_line_a_script() -> None:
    root = [drawn("√", 30, 85, 38, 115, size=25)._replace(base=113), *signs(("n", 39, 100))]
    assert linear([*signs(("s", 0, 100), ("=", 9, 100), ("p", 20, 100)), *root], [(85, 38, 45)]) == "s = p √n"


def test_the_line_of_a_root_is_no_line_of_what_stands_over_the_fraction_that_holds_it() -> None:
    half = [*signs(("e", 25, 97)), drawn("√", 20, 100, 26, 113)._replace(base=112), *signs(("v", 27, 110))]
    bars = [(98.8, 19.0, 40.0), (100.0, 26.0, 33.0)]
    assert linear([*signs(("x", 0, 102), ("=", 9, 102)), *half], bars) == "x = e / √v"


def test_the_limit_of_a_sum_at_a_bar_is_no_line_of_its_half() -> None:
    total = [drawn("∑", 20, 105, 30, 121)._replace(base=118), *signs(("n", 23, 104), ("k", 22, 126), size=6)]
    found = [*signs(("x", 0, 101), ("=", 9, 101), ("y", 27, 94), ("w", 32, 117)), *total]
    assert linear(found, [(98.0, 19.0, 39.0)]) == "x = y / (∑_k^n w)"


def test_one_row_between_thin_brackets_has_cells() -> None:
    row = [drawn("[", 20, 89, 20.8, 103), *signs(("A", 23, 100), ("B", 39, 100), ("C", 55, 100)),
           drawn("]", 62, 89, 62.8, 103)]  # fmt: skip
    assert linear([*signs(("x", 0, 100), ("=", 9, 100)), *row]) == "x = [A, B, C]"


@pytest.mark.parametrize(
    "ends",
    [
        [("⎛", 20, 80, 25, 88), ("⎝", 20, 118, 25, 126), ("⎞", 60, 80, 65, 88), ("⎠", 60, 118, 65, 126)],
        [("⎛", 20, 80, 25, 95), ("⎝", 20, 95, 25, 126), ("⎞", 60, 80, 65, 95), ("⎠", 60, 95, 65, 126)],
    ],
    ids=["between them a shape", "touching"],
)
def test_the_ends_of_a_tall_delimiter_are_one(ends: list[tuple[str, float, float, float, float]]) -> None:
    cells = signs(("a", 30, 90), ("b", 48, 90), ("c", 30, 106), ("d", 48, 106), ("e", 30, 122), ("f", 48, 122))
    found = [*signs(("A", 0, 106), ("=", 9, 106)), *cells, *(drawn(*end) for end in ends)]
    assert linear(found) == "A = (a, b; c, d; e, f)"


def test_the_tips_of_mathjax_s_braces_are_a_brace() -> None:
    tips = [("\ue152", 20, 24), ("\ue154", 24, 30), ("\ue151", 30, 33), ("\ue150", 33, 36), ("\ue153", 44, 48)]
    brace = [drawn(tip, x0, 104, x1, 107) for tip, x0, x1 in tips]
    body = signs(("a", 21, 100), ("+", 31, 100), ("b", 42, 100), ("=", 54, 100), ("c", 62, 100))
    assert linear([*body, *brace, *signs(("n", 32, 114), size=7)]) == "underbrace(a + b)_n = c"


def test_a_sign_that_hangs_from_its_baseline_is_an_operator() -> None:
    assert told_apart(drawn("∪", 0, 100, 10, 114)._replace(base=100)).text == "⋃"
    assert told_apart(drawn("∪", 0, 94, 6, 101)._replace(base=100)).text == "∪"


def test_the_figure_of_a_limit_beside_an_integral_stays_with_its_sign() -> None:
    integral = drawn("∫", 20, 88, 27, 112)._replace(base=103)
    limit = [drawn("−", 24, 112.2, 28, 112.6, size=7)._replace(base=114), *signs(("1", 28.5, 114), size=7)]
    assert linear([*signs(("x", 0, 103), ("=", 9, 103), ("y", 36, 103)), integral, *limit]) == "x = ∫_(−1) y"


def test_a_mark_is_over_the_letter_whose_middle_it_is_over() -> None:
    mark = drawn("˙", 27, 89, 28, 90)
    assert linear([*signs(("d", 20, 100), ("q", 25.2, 100), ("=", 34, 100), ("c", 44, 100)), mark]) == "dq̇ = c"


def test_what_stands_between_tall_delimiters_and_a_name_beside_a_fraction_belong_to_their_equation() -> None:
    fence = [drawn("(", 20, 76, 24, 128), drawn(")", 76, 76, 80, 128)]
    cells = signs(("a", 30, 85), ("b", 60, 85), ("c", 30, 102), ("d", 60, 102), ("e", 30, 119), ("f", 60, 119))
    columns = [Region("text", text, (x, 78, x + 10, 122), size=10, math=1.0, lines=3)
               for text, x in (("a c e", 28), ("b d f", 58))]  # fmt: skip
    relation = Region("equation", "A =", (0, 92, 16, 106), size=10)
    (equation,) = read([columns[1], relation, columns[0]], [*signs(("A", 0, 102), ("=", 9, 102)), *fence, *cells])
    assert equation.text == "A = (a, b; c, d; e, f)"

    name = Region("text", "softmax = (7)", (0, 96, 400, 106), size=10, math=0.1)
    upper = Region("text", "u", (62, 85, 68, 95), size=10, math=1.0)
    lower = Region("equation", "∑ v", (60, 101, 80, 115), size=10, math=1.0)
    half = [*signs(("u", 65, 95)), drawn("∑", 61, 103, 69, 114)._replace(base=112), *signs(("v", 71, 112))]
    found = [*spelled("softmax", 0, 102), *signs(("=", 40, 102)), *half, *spelled("(7)", 380, 102)]
    (equation,) = read([upper, name, lower], found, [(99.0, 60.0, 78.0)])
    assert (equation.text, equation.label) == ("softmax = u / (∑ v)", "7")


def test_cases_with_words_beside_their_rows_are_a_formula() -> None:
    brace = drawn("{", 40, 84, 44, 118)
    rows = [*signs(("x", 50, 94)), *spelled("if", 70, 94), *signs(("y", 50, 112)), *spelled("otherwise", 70, 112)]
    found = [*signs(("f", 20, 103), ("=", 30, 103)), brace, *rows]
    boxes = {"f = { x": (20, 84, 56, 118), "if": (70, 88, 80, 96), "y otherwise": (50, 106, 116, 114)}
    parts = [Region("text", said, box, size=10, math=0.5) for said, box in boxes.items()]
    (equation,) = read(parts, found)
    assert (equation.kind, equation.text, equation.flaw) == ("equation", "f = {x, if; y, otherwise", "")


@pytest.mark.parametrize(
    ("found", "rules"),
    [
        (signs(("x", 0, 100), ("=", 9, 100), ("a", 20, 100), ("+", 27, 100), ("+", 34, 100), ("b", 42, 100)), []),
        ([*signs(("x", 0, 100), ("=", 9, 100), ("v", 30, 100)), drawn("√", 20, 90, 27, 102)], []),
        (signs(("x", 0, 100), ("=", 9, 100), ("y", 20, 100), ("a", 26, 100), ("3", 31, 101.2)), []),
        ([*signs(("a", 10, 100), ("+", 20, 100), ("b", 30, 100), ("=", 40, 100), ("c", 50, 100)),
          drawn("⏟", 18, 104, 27, 107)], []),
    ],
    ids=["a sign twice", "a root over nothing", "an index as large as its letter", "a brace under a sign alone"],
)  # fmt: skip
def test_what_has_no_sure_place_is_told(found: list[Glyph], rules: Rules) -> None:
    assert not sure(found, rules)
    assert sure(signs(("x", 0, 100), ("=", 9, 100), ("y", 20, 100), ("3", 40, 100)))


def test_what_is_left_out_under_an_equation_is_told() -> None:
    found = signs(("x", 0, 100), ("=", 9, 100), ("y", 20, 100))
    for top, flawed in ((108, True), (140, False)):
        limit = Region("text", "k", (20, top, 25, top + 6), size=6, math=1.0)
        equation = Region("equation", "x = y", (0, 92, 26, 102), size=10)
        told = next(region for region in read([equation, limit], found) if region.kind == "equation")
        assert bool(told.flaw) is flawed


def test_the_box_of_an_equation_holds_what_of_its_ink_stands_over_it() -> None:
    found = signs(("x", 0, 100), ("=", 9, 100), ("y", 22, 97), ("z", 22, 108))
    (equation,) = read([Region("equation", "x = y z", (0, 95, 26, 105), size=10)], found, [(99.0, 20.0, 29.0)])
    assert (equation.text, equation.box) == ("x = y / z", (0, 92, 27, 108))
