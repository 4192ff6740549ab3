"""Markers of numbered lists in the formats of Word: what a reader sees before each item (ECMA-376 part 1 §17.18.59)."""

import pytest
from sidecar_docx import DocxFormat
from support.office.docx_files import NS, numbered, package, para

from sidecar.api import Limits, ListItem, Source

FORMAT = DocxFormat()


def marker(form: str, number: int) -> str:
    """What stands before the first item of a list that begins with `number`."""
    named = form if form.startswith("<") else f'<w:numFmt w:val="{form}"/>'
    level = f'<w:lvl w:ilvl="0"><w:start w:val="{number}"/>{named}<w:lvlText w:val="%1"/></w:lvl>'
    definition = f'<w:abstractNum w:abstractNumId="0">{level}</w:abstractNum>'
    use = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    parts = {"word/numbering.xml": f"<w:numbering {NS}>{definition}{use}</w:numbering>".encode()}
    data = package(numbered("item", 1), parts, {"rN": ("numbering", "numbering.xml")})
    (item,) = FORMAT.parse(Source.of_bytes(data, "a.docx"), Limits()).parts[0].blocks
    assert isinstance(item, ListItem)
    return item.marker


@pytest.mark.parametrize(
    ("form", "markers"),
    [
        ("cardinalText", {1: "One", 13: "Thirteen", 20: "Twenty", 21: "Twenty-one", 115: "One hundred fifteen",
                          1005: "One thousand five"}),
        ("ordinalText", {1: "First", 5: "Fifth", 11: "Eleventh", 20: "Twentieth", 32: "Thirty-second",
                         100: "One hundredth", 101: "One hundred first", 112: "One hundred twelfth",
                         1009: "One thousand ninth"}),
        ("ordinal", {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 21: "21st", 112: "112th"}),
        ("hebrew1", {1: "א", 15: "טו", 16: "טז", 21: "כא", 115: "קטו", 999: "תתקצט"}),
        ("koreanCounting", {1: "일", 10: "십", 11: "십일", 20: "이십", 101: "백일", 999: "구백구십구", 1005: "천오"}),
        ("koreanDigital", {1: "일", 10: "일영", 21: "이일", 105: "일영오"}),
        ("koreanDigital2", {1: "一", 21: "二一"}),
        ("chineseCounting", {1: "一", 10: "十", 15: "十五", 20: "二十", 110: "一百一十", 123: "一百二十三"}),
        ("taiwaneseDigital", {9: "九", 21: "二一"}),
        ("ideographZodiac", {1: "子", 12: "亥", 13: "子子"}),
        ("upperLetter", {1: "A", 26: "Z", 27: "AA", 53: "AAA"}),
        ("lowerRoman", {4: "iv", 1999: "mcmxcix"}),
        ("decimalEnclosedCircle", {1: "①", 20: "⑳", 21: "21"}),
        ("decimalFullWidth", {12: "１２"}),
        ("hex", {10: "A", 255: "FF"}),
        ("a format of tomorrow", {7: "7"}),
    ],
)  # fmt: skip
def test_a_list_is_numbered_in_the_format_it_names(form: str, markers: dict[int, str]) -> None:
    assert {number: marker(form, number) for number in markers} == markers


def test_lists_stand_below_items_of_others_that_they_are_indented_under() -> None:
    """As the styles "List Bullet", "List Bullet 2" and "List Number 2" are, and what is pasted from web pages."""

    def placed(left: int) -> str:
        return f'<w:ind w:left="{left}" w:hanging="360"/>'

    def definition(number: int, left: int) -> str:
        text = '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>'
        one = f'<w:lvl w:ilvl="0">{text}<w:pPr>{placed(left)}</w:pPr></w:lvl>'
        two = one.replace('ilvl="0"', 'ilvl="1"').replace(str(left), str(left + 360))
        return f'<w:abstractNum w:abstractNumId="{number}">{one}{two}</w:abstractNum>'

    def style(name: str, more: str) -> str:
        return (
            f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:pPr><w:numPr>'
            f'<w:numId w:val="2"/></w:numPr>{more}</w:pPr></w:style>'
        )

    lists = "".join(definition(number, left) for number, left in ((1, 360), (2, 720), (3, 1080), (4, 360)))
    uses = "".join(f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n}"/></w:num>' for n in (1, 2, 3, 4))
    parts = {
        "word/numbering.xml": f"<w:numbering {NS}>{lists}{uses}</w:numbering>".encode(),
        "word/styles.xml": f"<w:styles {NS}>{style('Below', '') + style('Beside', placed(360))}</w:styles>".encode(),
    }
    far = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>' + placed(1080)
    body = (
        numbered("one", 1) + para("below one", "Below") + numbered("below that", 3) + numbered("its own level", 3, 1)
        + numbered("below two", 2) + numbered("two", 1) + numbered("beside two", 4) + para("words")
        + numbered("alone", 3) + para("words") + para("first", "Beside") + para("indented itself", extra=far)
    )  # fmt: skip
    data = package(body, parts, {"rN": ("numbering", "numbering.xml"), "rS": ("styles", "styles.xml")})
    blocks = FORMAT.parse(Source.of_bytes(data, "a.docx"), Limits()).parts[0].blocks
    assert [(item.text, item.level) for item in blocks if isinstance(item, ListItem)] == [
        ("one", 0), ("below one", 1), ("below that", 2), ("its own level", 3), ("below two", 1), ("two", 0),
        ("beside two", 0), ("alone", 0), ("first", 0), ("indented itself", 1),
    ]  # fmt: skip


def test_a_format_of_ones_own_is_shown_as_what_stands_for_it() -> None:
    """Word writes "001, 002, …" as a choice, with a format beside it for programs that know none of one's own."""
    own = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
        'Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice>'
    )
    fallback = '<mc:Fallback><w:numFmt w:val="decimalZero"/></mc:Fallback>'
    assert marker(f"{own}{fallback}</mc:AlternateContent>", 7) == "07"
    assert marker(f"{own}</mc:AlternateContent>", 7) == "7"
