"""PDF text of fonts without ToUnicode: what the names of their glyphs say."""

from __future__ import annotations

import pytest
from sidecar_pdf.text.signs import with_composed_arrows
from support.formats.pdf_builder import Pdf, compact_font, rule, text
from support.formats.pdf_prose import read_pdf

from sidecar.api import Table


def named_font(pdf: Pdf, differences: str, name: str = "ABCDEF+SomeSymbols") -> int:
    """A Type 1 font whose encoding is given by names alone."""
    encoding = f"<< /Type /Encoding /Differences [{differences}] >>"
    widths = " ".join(["500"] * 256)
    return pdf.add(
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /FirstChar 0 /LastChar 255 /Widths [{widths}]"
        f" /Encoding {encoding} >>"
    )


def shown(x: float, y: float, codes: str, font: str = "S1") -> str:
    """Codes in hexadecimal, drawn in a font."""
    return f"q BT /{font} 10 Tf 1 0 0 1 {x} {y} Tm <{codes}> Tj ET Q\n"


def words(pdf: Pdf) -> str:
    document = read_pdf(pdf)
    return "\n".join(str(getattr(block, "text", "")) for part in document.parts for block in part.blocks)


@pytest.mark.parametrize(
    ("differences", "codes", "font", "expected"),
    [
        ("104 /angbracketleft /angbracketright", "68 69", "CMSY10", "⟨⟩"),
        ("48 /prime", "30 30", "CMSY7", "′′"),
        ("80 /summationtext /producttext", "50 51", "CMEX10", "∑∏"),
        ("0 /parenleftbig /parenrightBig", "00 01", "CMEX10", "()"),
        ("49 /H11001 /H11002 /H11003", "31 32 33", "Universal-GreekwithMathPi", "+−×"),
        ("97 /H9251 /H9252", "61 62", "Universal-GreekwithMathPi", "αβ"),
        ("33 /f_f_i /T_h", "21 22", "SomeSerif", "ffiTh"),
        ("65 /uni2264 /minus /a_b", "41 42", "Plain", "≤−"),
        ("2 /epsilon1 /prime", "02 03", "MathItalic", "ϵ′"),
        ("44 /nequal /nequivalence", "2c 2d", "txsyc", "≠≢"),
        ("44 /nequal 60 /nelement", "2c 3c", "txsyc", "≠∉"),
        ("33 /iintegtext /bbR", "21 22", "txexa", "∬ℝ"),
        ("12 /vextendsingle 33 /parenlefttp 124 /bracehtipupleft", "21 0c", "CMEX10", "⎛|"),
        ("48 /parenlefttp /parenrighttp", "30 31", "CMEX10", "⎛⎞"),
        ("82 /R /S", "52", "MSBM10", "ℝ"),
        ("76 /L /M", "4c 4d", "CMSY10", "ℒℳ"),
        ("103 /g /h", "67 20 68", "EUFM10", "𝔤 𝔥"),
        ("49 /one", "31", "dsrom10", "𝟙"),
    ],
)  # fmt: skip
def test_names_tell_what_glyphs_draw(differences: str, codes: str, font: str, expected: str) -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 700, "Before it stands a word") + shown(190, 700, codes.replace(" ", "")),
        fonts={"S1": named_font(pdf, differences, f"ABCDEF+{font}")},
    )
    assert expected in words(pdf)


def compact(pdf: Pdf, names: dict[int, str], name: str, more: str = "", *, ranges: bool = False) -> int:
    """A font whose compact program names its glyphs."""
    file = pdf.stream(compact_font(names, ranges=ranges), "/Subtype /Type1C")
    descriptor = pdf.add(
        f"<< /Type /FontDescriptor /FontName /ABCDEF+{name} /Flags 4 /FontBBox [0 -1000 1000 1000] /ItalicAngle 0"
        f" /Ascent 900 /Descent -200 /CapHeight 700 /StemV 47 /FontFile3 {file} 0 R >>"
    )
    return pdf.add(
        f"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+{name} /FirstChar 0 /LastChar 255"
        f" /Widths [{' '.join(['500'] * 256)}] /FontDescriptor {descriptor} 0 R {more} >>"
    )


@pytest.mark.parametrize("ranges", [False, True])
def test_names_in_a_compact_font_tell_what_its_glyphs_draw(*, ranges: bool) -> None:
    pdf = Pdf()
    names = {88: "summationdisplay", 90: "integraldisplay", 16: "parenleftBig", 112: "radicalbig"}
    font = compact(pdf, names, "CMEX10", ranges=ranges)
    pdf.page(text(72, 700, "Before it stands a word") + shown(200, 700, "585a1070"), fonts={"S1": font})
    assert "∑∫(√" in words(pdf)


def mapped_font(pdf: Pdf, names: dict[int, str], characters: str, name: str) -> int:
    """A font whose glyphs have names, and a ToUnicode map (`characters` is its block) that may say something else."""
    mapped = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange <00> <FF>"
        f" endcodespacerange\n{characters} endcmap end end"
    )
    differences = " ".join(f"{code} /{glyph}" for code, glyph in names.items())
    more = f"/ToUnicode {mapped} 0 R /Encoding << /Type /Encoding /Differences [{differences}] >>"
    return compact(pdf, names, name, more)


@pytest.mark.parametrize(
    ("name", "names", "characters", "codes", "expected"),
    [
        pytest.param("CMSY10", {50: "element", 106: "bar", 161: "minus"},
                     "3 beginbfchar <32> <0032> <6a> <006a> <a1> <00a1> endbfchar", "32 20 6a 20 a1", "∈ | −",
                     id="codes, as TeXmacs writes them"),
        pytest.param("LMMathItalic10-Regular", {18: "theta", 32: "psi", 109: "m"},
                     "2 beginbfrange <12> <12> <00b9> <20> <20> <00c8> endbfrange 1 beginbfchar <6d> <006d> endbfchar",
                     "12206d", "θψm", id="other letters, as Ghostscript writes them"),
        pytest.param("CMEX10", {16: "parenleftBig", 40: "braceleftBig", 80: "summationtext"},
                     "1 beginbfrange <10> <50> <0010> endbfrange", "50 20 28", "∑ {", id="a sign given for another"),
        pytest.param("LMMathExtension10-Regular", {16: "parenleftBig", 34: "bracketleftBigg", 50: "bracketlefttp"},
                     "4 beginbfrange <10> <10> <f8f6> <22> <22> <f8f7> <32> <32> <f8ee> <33> <34> [<0028> <0029>] "
                     "endbfrange",
                     "10 20 22 20 32", "( [ ⎡", id="pieces of tall delimiters, as Ghostscript writes them"),
        pytest.param("CMSY10", {50: "element", 51: "owner"},
                     "2 beginbfchar <32> <2209> <33> <00660066> endbfchar", "32", "∉", id="signs stay"),
    ],
)  # fmt: skip
def test_names_tell_what_glyphs_draw_where_the_map_of_characters_gives_letters(
    name: str, names: dict[int, str], characters: str, codes: str, expected: str
) -> None:
    pdf = Pdf()
    shown_codes = "".join(shown(200 + 20 * at, 700, code) for at, code in enumerate(codes.split(" 20 ")))
    pdf.page(
        text(72, 700, "Before it stands a word") + shown_codes + text(72, 680, "j 2 and ( are letters of words"),
        fonts={"S1": mapped_font(pdf, names, characters, name)},
    )
    said = words(pdf)
    assert expected in said
    assert "j 2 and ( are letters of words" in said


def bitmap_font(pdf: Pdf, names: dict[int, str], widths: dict[int, int], *, wide: int = 0, characters: str = "") -> int:
    """A font of Type 3 without a name, whose glyphs are boxes as wide as told, or so `wide` where their ink is."""
    boxes = {code: pdf.stream(f"{width} 0 0 0 {wide or width} 700 d1 0 0 {wide or width} 700 re f")
             for code, width in widths.items()}  # fmt: skip
    drawn = " ".join(f"/{names[code]} {box} 0 R" for code, box in boxes.items())
    differences = " ".join(f"{code} /{name}" for code, name in names.items())
    mapped = pdf.stream(
        f"begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n{characters} endcmap"
    ) if characters else 0  # fmt: skip
    first, last = min(widths), max(widths)
    wide_as = " ".join(str(widths.get(code, 0)) for code in range(first, last + 1))
    return pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0]"
        f" /FirstChar {first} /LastChar {last} /Widths [{wide_as}]"
        f" /Encoding << /Type /Encoding /Differences [{differences}] >> /CharProcs << {drawn} >>"
        f"{f' /ToUnicode {mapped} 0 R' if mapped else ''} >>"
    )


@pytest.mark.parametrize(
    ("greek", "typed"), [("03b2", "x_1 y_2 β_3"), ("007a", "x1 y2 z3")], ids=["variables", "letters"]
)
def test_a_font_without_a_name_that_sets_single_letters_sets_variables(greek: str, typed: str) -> None:
    pdf = Pdf()
    given = f"3 beginbfchar <61> <0078> <62> <0079> <63> <{greek}> endbfchar"
    font = bitmap_font(pdf, {97: "g1", 98: "g2", 99: "g3"}, dict.fromkeys((97, 98, 99), 500), characters=given)
    content = text(72, 720, "Before them stands a line of words") + text(72, 700, "In case of the letters")
    for at, code in enumerate(("61", "62", "63")):
        content += shown(180 + 14 * at, 700, code, "T1") + text(185 + 14 * at, 698.5, str(at + 1), size=7)
    pdf.page(content + text(225, 700, "all is as it was"), fonts={"T1": font})
    assert f"In case of the letters {typed} all is as it was" in words(pdf)


def test_an_accent_stands_over_a_letter_that_its_font_misnames() -> None:
    pdf = Pdf()
    theta = mapped_font(pdf, {18: "theta"}, "1 beginbfrange <12> <12> <00b9> endbfrange", "LMMathItalic10-Regular")
    hat = named_font(pdf, "94 /circumflex", "LMRoman10-Regular")
    content = text(72, 700, "Before it stands a word") + shown(200, 702.5, "5e", "S2") + shown(200, 700, "12")
    content += shown(230, 700, "12")
    pdf.page(content, fonts={"S1": theta, "S2": hat})
    assert "θ\u0302" in words(pdf)


def test_a_bitmap_font_is_told_by_one_sign_where_the_ink_of_another_is_wider_than_it() -> None:
    pdf = Pdf()
    signs = bitmap_font(pdf, {88: "summationdisplay", 90: "integraldisplay"}, {88: 1440, 90: 552}, wide=1440)
    letters = bitmap_font(pdf, {65: "A", 90: "Z", 102: "ff"}, {65: 750, 90: 610, 102: 583})
    content = text(72, 700, "Before them stands a word") + shown(210, 700, "5a", "T1") + shown(240, 700, "58", "T1")
    pdf.page(content + shown(280, 700, "415a", "T2"), fonts={"T1": signs, "T2": letters})
    assert {"∫", "∑", "AZ"} <= set(words(pdf).split())


def test_bitmap_fonts_whose_glyphs_are_called_by_their_codes_are_no_dingbats() -> None:
    pdf = Pdf()
    said, names = b"so (10) fits", {27: "a27", **{code: f"a{code}" for code in sorted(set(b"sofits(10)"))}}
    given = " ".join(f"<{code:02x}> <{0x2700 + code:04x}>" for code in names)
    font = bitmap_font(pdf, names, dict.fromkeys(names, 500), characters=f"{len(names)} beginbfchar {given} endbfchar")
    at = iter(range(72, 600, 20))
    pdf.page("".join(shown(next(at), 700, word.hex(), "T1") for word in said.split()), fonts={"T1": font})
    assert "so(10)fits" in words(pdf).replace(" ", "")


def test_a_typewriter_s_bitmap_font_may_have_glyphs_without_width() -> None:
    pdf = Pdf()
    names = {code: f"a{code}" for code in (23, *sorted(set(b"while(datmx<|)){}yz,.0123")), 94)}
    widths = {code: 0 if code in (23, 94) else 525 for code in names}
    font = bitmap_font(pdf, names, widths)
    said = b"while (data <" + bytes([23]) + b"< max) {}"
    pdf.page(shown(72, 700, said.hex(), "T1"), fonts={"T1": font})
    assert "(data<<max){}" in words(pdf).replace(" ", "")


def overlaid(x: float, y: float, codes: str, back: int, font: str = "S1") -> str:
    """Two codes, the second set back by so many thousandths of the type size, as TeX joins signs."""
    first, second = codes.split()
    return f"q BT /{font} 10 Tf 1 0 0 1 {x} {y} Tm [<{first}> {back} <{second}>] TJ ET Q\n"


@pytest.mark.parametrize(
    ("differences", "codes", "expected"),
    [
        ("33 /mapsto /arrowright", "21 22", "y ↦ z"), ("61 /equal /arrowdblright", "3d 3e", "y ⟹ z"),
        ("33 /minus /arrowright", "21 22", "y ⟶ z"), ("33 /arrowdblleft /arrowdblright", "21 22", "y ⟺ z"),
    ],
)  # fmt: skip
def test_signs_drawn_over_one_another_are_one_arrow(differences: str, codes: str, expected: str) -> None:
    pdf = Pdf()
    drawn = text(72, 700, "Here it is said that y") + overlaid(178, 700, codes, 200) + text(192, 700, "z holds of them")
    pdf.page(drawn, fonts={"S1": named_font(pdf, differences, "ABCDEF+CMSY10")})
    assert expected in words(pdf)


def test_a_letter_in_the_ring_that_tex_draws_around_it_is_the_sign_of_copyright() -> None:
    ring, inside, behind = (0.0, 0.0, 10.0, 10.0), (3.0, 0.0, 7.0, 10.0), (10.0, 0.0, 14.0, 10.0)
    for said, boxes in (("©c 2003", (ring, inside)), ("c◯ 2003", (inside, ring))):
        assert with_composed_arrows(said, dict(enumerate(boxes)).get).replace("\u200b", "") == "© 2003"
    assert with_composed_arrows("©canner", dict(enumerate((ring, behind))).get) == "©canner"


def test_letters_of_words_are_in_no_alphabet_of_another_font_on_the_page() -> None:
    pdf = Pdf()
    font = {"S1": named_font(pdf, "82 /R", "ABCDEF+MSBM10")}
    pdf.page(text(72, 700, "The set R of A and B is") + shown(190, 700, "52") + text(200, 700, "I"), fonts=font)
    pdf.page(shown(72, 700, "52") + text(80, 700, "R is no other"), fonts=font)
    said = words(pdf)
    assert ("The set R of A and B is ℝ" in said, "ℝ R is no other" in said) == (True, True)


def test_accents_stand_over_letters_that_have_none_of_their_own() -> None:
    pdf = Pdf()
    over = "q BT /S1 10 Tf 1 0 0 1 150 700 Tm [<21> 500 <22>] TJ ET Q\n"
    pdf.page(
        text(72, 700, "The mean of all") + over + text(160, 700, "stands here"),
        fonts={"S1": named_font(pdf, "33 /macron /x", "ABCDEF+CMMI10")},
    )
    assert "all x̄ stands" in words(pdf)


def test_a_stroke_before_a_sign_negates_it() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 700, "It holds that a") + shown(150, 700, "363d"),
        fonts={"S1": named_font(pdf, "54 /negationslash 61 /equal", "ABCDEF+CMSY10")},
    )
    assert "≠" in words(pdf)


def test_minus_signs_named_by_number_stay_with_the_figures_of_a_table() -> None:
    pdf = Pdf()
    content = rule(72, 712, 300, 712) + rule(72, 696, 300, 696) + rule(72, 640, 300, 640)
    content += text(75, 700, "Mass") + text(200, 700, "Potential")
    for at, figure in enumerate(("0.9393", "0.8276", "0.8825")):
        content += text(75, 684 - 16 * at, str(at)) + shown(196, 684 - 16 * at, "03" + figure.encode().hex())
    pdf.page(content, fonts={"S1": named_font(pdf, "1 /C15 3 /C0", "ABCDEF+AdvMacMthSyN")})
    document = read_pdf(pdf)
    (table,) = (block for block in document.parts[0].blocks if isinstance(block, Table))
    assert [row[1] for row in table.rows] == ["Potential", "−0.9393", "−0.8276", "−0.8825"]


def test_letters_written_twice_stay_where_the_widths_of_a_font_are_wrong() -> None:
    pdf = Pdf()
    wide = pdf.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 126"
        f" /Widths [{' '.join(['760'] * 95)}] >>"
    )
    steps = " ".join(f"({char}) 200" for char in "1998 access")
    pdf.page(f"q BT /W1 10 Tf 1 0 0 1 72 700 Tm [{steps}] TJ ET Q\n", fonts={"W1": wide})
    assert "1998 access" in words(pdf)


def test_private_characters_of_the_font_symbol_are_what_it_draws() -> None:
    pdf = Pdf()
    codes = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        "1 beginbfrange <20> <FF> <F020> endbfrange endcmap end end"
    )
    symbol = pdf.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol /FirstChar 32 /LastChar 255"
        f" /Widths [{' '.join(['500'] * 224)}] /ToUnicode {codes} 0 R >>"
    )
    pdf.page(text(72, 700, "A width of 3 ") + shown(135, 700, "2d352062a3", "S1"), fonts={"S1": symbol})
    assert "−5" in words(pdf)
    assert "β≤" in words(pdf)


def test_codes_stay_where_a_name_says_nothing() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 700, "Before it stands a word") + shown(190, 700, "4142"),
        fonts={"S1": named_font(pdf, "65 /G01 /H18554")},
    )
    assert "AB" in words(pdf)


@pytest.mark.parametrize(
    ("font", "codes", "expected"),
    [
        pytest.param("ABCDEF+AdvPS7DA6", "32", "Change −15%", id="minus"),
        pytest.param("AdvMathSymb", "FE", "Change +15%", id="plus"),
        pytest.param("SomeSerif", "32", "Change 215%", id="a figure in any other font"),
    ],
)
def test_signs_of_pi_fonts_are_not_the_letters_they_declare(font: str, codes: str, expected: str) -> None:
    pdf = Pdf()
    declared = pdf.add(
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /FirstChar 0 /LastChar 255"
        f" /Widths [{' '.join(['500'] * 256)}] /Encoding /WinAnsiEncoding >>"
    )
    pdf.page(text(72, 700, "Change ") + shown(110, 700, codes) + text(115, 700, "15%"), fonts={"S1": declared})
    assert words(pdf) == expected


def test_a_small_index_right_behind_does_not_make_a_blackboard_letter_plain() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 740, "Before it stands a line of words") + shown(72, 700, "45", "S1") + text(77, 700, "t"),
        fonts={"S1": named_font(pdf, "69 /E", "ABCDEF+MSBM10")},
    )
    assert "𝔼t" in words(pdf).replace(" ", "")


def test_letters_beyond_the_first_plane_put_nothing_behind_them_out_of_its_place() -> None:
    """pdfium has such a letter, by the name of its glyph, in its text, and leaves it out of what it gives as UTF-16."""
    pdf = Pdf()
    pdf.page(
        text(72, 700, "Let") + shown(92, 700, "6162") + text(106, 700, "be two of the letters of this sentence.")
        + text(72, 640, "A second paragraph stands below in Helvetica.")
        + shown(72, 600, "6161") + text(86, 600, "end it."),
        fonts={"S1": named_font(pdf, "97 /u1D44E /u1D44F", "STIXMath-Italic")},
    )  # fmt: skip

    assert words(pdf).split("\n") == [
        "Let 𝑎𝑏 be two of the letters of this sentence.",
        "A second paragraph stands below in Helvetica.",
        "𝑎𝑎 end it.",
    ]
