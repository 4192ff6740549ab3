"""What cells show under number formats: a table of codes, values and the text Excel shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sidecar_xlsx.cells.styles import read_styles
from sidecar_xlsx.number_formats.formats import BUILTIN, compile_format
from sidecar_xlsx.sheet.notes import defined_name, headers_and_footers

from sidecar.toolkit.ooxml.hidden_text import HiddenText
from sidecar.toolkit.times import serial_iso
from sidecar.toolkit.xml import etree

NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

ACCOUNTING = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'

NUMBERS = [
    ("General", 0.1 + 0.2, "0.3"),
    ("General", 12345678901.0, "12345678901"),
    ("General", 123456789012.0, "1.23457E+11"),
    ("General", 1e11, "1E+11"),
    ("General", 1234567.891234, "1234567.891"),
    ("General", 1 / 3, "0.333333333"),
    ("General", -1 / 3, "-0.333333333"),
    ("General", 0.00001, "0.00001"),
    ("General", 1.23456e-5, "1.23456E-05"),
    ("General", 1e-10, "1E-10"),
    ("General", 99999999999.9, "1E+11"),
    ("General", 1e21, "1E+21"),
    ("General", -0.0, "0"),
    ("0", 2.5, "3"),
    ("0", -2.5, "-3"),
    ("0.00", 1.005, "1.01"),
    ("0.000", 0.0005, "0.001"),
    ("#,##0.00", 1234567.891, "1,234,567.89"),
    ("#,##0", 999.0, "999"),
    ("#,##0", 999.5, "1,000"),
    ("#", 0.0, ""),
    ("#.##", 0.5, ".5"),
    ("0.##", 5.0, "5."),
    ("0.0#", 1.5, "1.5"),
    ("0,000", 5.0, "0,005"),
    ("00000", 42.0, "00042"),
    ("#,##0,", 1234567.0, "1,235"),
    ('0.0,,"M"', 1234567.0, "1.2M"),
    ("0%", 0.256, "26%"),
    ("0.00%", 0.12345, "12.35%"),
    ("0.00E+00", 12345.0, "1.23E+04"),
    ("0.00E+00", 9.999e9, "1.00E+10"),
    ("##0.0E+0", 12345.0, "12.3E+3"),
    ("0.00E-00", 0.00012, "1.20E-04"),
    ("0.0E+0", 0.0, "0.0E+0"),
    ("# ?/?", 1.5, "1 1/2"),
    ("# ??/??", 0.3333333, "1/3"),
    ("# ?/8", 1.25, "1 2/8"),
    ("?/?", 1.5, "3/2"),
    ("# ?/?", 2.0, "2"),
    ("# ?/?", 0.0, "0"),
    ("# ?/?", -1.5, "-1 1/2"),
    ("[$€-407] #,##0.00", 1234.5, "€ 1,234.50"),
    ("#,##0.00\\ [$€-407]", -1234.5, "-1,234.50 €"),
    ("[$USD] 0.00", 3.0, "USD 3.00"),
    (ACCOUNTING, 1234.5, "$1,234.50"),
    (ACCOUNTING, -5.0, "$(5.00)"),
    (ACCOUNTING, 0.0, "$-"),
    ("[Red](#,##0);[Color 12]0", 5.0, "(5)"),
    ("000-00-0000", 123456789.0, "123-45-6789"),
    ("(000) 000-0000", 5551234567.0, "(555) 123-4567"),
    ("[<=9999999]###-####;(###) ###-####", 5551234.0, "555-1234"),
    ("[<=9999999]###-####;(###) ###-####", 5551234567.0, "(555) 123-4567"),
    ("[>=100]0.0;0.00", 150.0, "150.0"),
    ("[>=100]0.0;0.00", -50.0, "-50.00"),
    ("[Red][<0]0;0", -5.0, "5"),
    ('"yes";"no";"zero"', 1.0, "yes"),
    ('"yes";"no";"zero"', -1.0, "no"),
    ('"yes";"no";"zero"', 0.0, "zero"),
    (";;;", 5.0, ""),
    ("0.00;[Red]-0.00", -3.0, "-3.00"),
    ("@", 5.5, "5.5"),
    ('General" units"', 5.0, "5 units"),
    ("00\\:00", 1234.0, "12:34"),
    ("yyyy-mm-dd", 43902.0, "2020-03-12"),
    ("m/d/yyyy h:mm", 43902.4375, "3/12/2020 10:30"),
    ("d-mmm-yy", 43902.0, "12-Mar-20"),
    ("mmmmm", 43902.0, "M"),
    ("h:mm:ss AM/PM", 0.75, "6:00:00 PM"),
    ("h:mm a/p", 0.25, "6:00 a"),
    ("h:mm", 0.9999999, "23:59"),
    ("h:mm:ss", 0.9999999, "0:00:00"),
    ("[h]:mm:ss", 1.5, "36:00:00"),
    ("[h]:mm", -0.5, "-12:00"),
    ("[mm]:ss", 0.5, "720:00"),
    ("[ss]", 0.5, "43200"),
    ("mm:ss.0", 60.1 / 86400, "01:00.1"),
    ("hh:mm:ss.000", 0.123456789, "02:57:46.667"),
    ('h "h" m "min"', 0.5, "12 h 0 min"),
    ("dddd, mmmm d, yyyy", 43902.0, "Thursday, March 12, 2020"),
    ("[$-407]dddd, d. mmmm yyyy", 43902.0, "Donnerstag, 12. März 2020"),
    ("[$-F800]dddd, mmmm dd, yyyy", 43902.0, "Thursday, March 12, 2020"),
    ('yyyy"年"m"月"d"日"', 43902.0, "2020年3月12日"),
    ("yyyy-mm-dd", 60.0, "1900-02-29"),
    ("yyyy-mm-dd", 59.0, "1900-02-28"),
    ("yyyy-mm-dd", 61.0, "1900-03-01"),
    ("m/d/yyyy", 0.0, "1/0/1900"),
    ("yyyy-mm-dd", -1.0, "-1"),
    ("yyyy-mm-dd", 3e6, "3000000"),
    ("mm/dd/yy;@", 43902.0, "03/12/20"),
    # As Excel stores them of TEXT(): words within numbers, small letters.
    ("|#\\:#=/=#|", 23.75, "|23:3=/=4|"),
    ("|#\\:#=/=0|", -0.75, "-|3=/=4|"),
    ("|#-#-#\\:#/#|", 0.0, "|--0|"),
    ("|#\\:0=/=#|", 1.0, "|1:0=/=1|"),
    ("|#_#/#|", 3.75, "|15 /4|"),
    ("# ?0#/000", 23.75, "23 03/004"),
    ("#,##0.00e+00", 3.14159, "3.14e+00"),
    ("|#%e+#|", 123456.789, "|1%e+5|"),
    ("|0,000000.0000|e-|0|", 123456.789, "|0,123,456.7890|e|0|"),
    ("|#.#|e+|0|", 1.2345678e-142, "|1.2|e|-142|"),
    ("|#.#|e+|#|", 0.0, "|0.|e|+0|"),
    ("hh:mm:ss.000 am/pm", 37653.1702084375, "04:05:06.009 AM"),
    ('s:m" @ hour "[hh]', 3.14159, "53:23 @ hour 75"),
]


@pytest.mark.parametrize(("code", "value", "shown"), NUMBERS)
def test_number_shows_as_in_excel(code: str, value: float, shown: str) -> None:
    assert compile_format(code).number(value) == shown


@pytest.mark.parametrize(
    ("number", "value", "shown"),
    [
        (0, 5.0, "5"), (1, 5.4, "5"), (2, 5.0, "5.00"), (3, 5000.0, "5,000"), (9, 0.5, "50%"), (11, 5.0, "5.00E+00"),
        (12, 0.5, "1/2"), (14, 43902.0, "3/12/2020"), (17, 43902.0, "Mar-20"), (18, 0.5, "12:00 PM"),
        (22, 43902.5, "3/12/2020 12:00"), (37, -5.0, "(5)"), (44, 5.0, "$5.00"), (46, 2.0, "48:00:00"),
        (47, 0.5, "00:00.0"), (48, 1234.0, "1.2E+3"), (49, 7.0, "7"),
    ],
)  # fmt: skip
def test_builtin_id_shows_as_in_us_english(number: int, value: float, shown: str) -> None:
    assert compile_format(BUILTIN[number]).number(value) == shown


@pytest.mark.parametrize(
    ("code", "text", "shown"),
    [
        ('0;-0;;"<"@">"', "x", "<x>"),
        (ACCOUNTING, "x", "x"),
        (";;;", "x", ""),
        ("\\(@\\)", "a", "(a)"),
        ("0.00", "x", "x"),
        (";;;General", "x", "x"),
        (';;;"<"General', "x", "<x"),
    ],
)
def test_text_section_words_strings(code: str, text: str, shown: str) -> None:
    render = compile_format(code).text
    assert (render(text) if render else text) == shown


def test_workbooks_counting_from_1904_show_their_own_dates() -> None:
    assert compile_format("yyyy-mm-dd", date1904=True).number(0.0) == "1904-01-01"
    assert serial_iso(0.0, date1904=True) == "00:00:00"
    assert serial_iso(1.0, date1904=True) == "1904-01-02"
    assert serial_iso(43902.4375, date1904=False) == "2020-03-12T10:30:00"
    assert serial_iso(43902.0, date1904=False) == "2020-03-12"
    assert serial_iso(-1.0, date1904=False) == ""


@given(st.text(max_size=30), st.floats())
def test_any_code_shows_any_number(code: str, value: float) -> None:
    form = compile_format(code)
    assert isinstance(form.number(value), str)
    assert isinstance(form.text("x") if form.text else "x", str)


@given(
    st.text(alphabet='0#?.,%E+-/;[]$"\\_*@ymdhs:AP<>=10 ', max_size=25),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_any_code_of_the_alphabet_shows_any_number(code: str, value: float) -> None:
    assert isinstance(compile_format(code).number(value), str)


@given(st.floats(min_value=-1e10, max_value=1e10))
def test_general_keeps_ten_digits(value: float) -> None:
    shown = float(compile_format("General").number(value))
    assert shown == pytest.approx(value, rel=1e-5, abs=1e-11)
    if abs(value) >= 1:
        assert shown == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize(
    "code", ["0." + "0" * 240, "%" * 200 + "0", "0" * 300, "0.0E+0" + "0" * 200, "#" * 250, "0,,,,"]
)
@pytest.mark.parametrize("value", [1e308, 5e-324, -1.5, 0.0])
def test_monstrous_code_still_shows_a_number(code: str, value: float) -> None:
    assert isinstance(compile_format(code).number(value), str)


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("greater", [">", "&gt;"])
def test_a_condition_is_read_however_its_sign_is_written(greater: str, quote: str) -> None:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    part = (
        f'<styleSheet xmlns="{main}"><numFmts><numFmt numFmtId="170" formatCode="[{greater}=100]0.00;0"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>'
    ).replace('"', quote)
    formats = read_styles(part.encode(), "styles").formats
    assert [one.code for one in formats] == ["", "[>=100]0.00;0"]


@pytest.mark.parametrize(("code", "told"), [("&CPage &P of &N", []), ("&A", []), ("Draft &P", ["Draft [Page]"])])
def test_a_footer_that_only_counts_pages_is_left_out(code: str, told: list[str]) -> None:
    sheet, group, footer = (etree.Element(f"{{{NS}}}{name}") for name in ("rest", "headerFooter", "oddFooter"))
    footer.text = code
    group.append(footer)
    sheet.append(group)
    assert [note.text for note in headers_and_footers(sheet, HiddenText())] == told


@pytest.mark.parametrize(
    ("formula", "kept"), [("#REF!", 0), ("Data!#REF!", 0), ("#N/A", 0), ("Data!$A$1", 1), ("7", 1)]
)
def test_a_name_that_stands_for_an_error_is_none(formula: str, kept: int) -> None:
    assert (defined_name("Rate", formula, "", sheet="", hidden=False) is not None) == kept


@pytest.mark.parametrize(
    ("name", "formula", "shown"),
    [
        ("Excel_BuiltIn_Print_Area", "Data!$A$1:$B$9", "Print area = Data!$A$1:$B$9"),
        ("Excel_BuiltIn__FilterDatabase", "Data!$A$1:$B$9", None),
        ("Excel_BuiltIn_Sheet_Title", '"Data"', None),
        ("Excel_Rate", "0.19", "Excel_Rate = 0.19"),
    ],
)
def test_built_in_names_of_workbooks_that_libreoffice_converted(name: str, formula: str, shown: str | None) -> None:
    note = defined_name(name, formula, "", sheet="Data", hidden=False)
    assert (note.text if note is not None else None) == shown
