"""Textile, Typst and wiki text: headings and listings; the words of DXF drawings."""

import pytest
from sidecar_text import TextFormat
from support.formats.plugin_reading import of, read
from support.formats.processor import processor_limit

from sidecar.api import Code, Heading, Paragraph, ParsedDocument

TEXT = TextFormat()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.textile", 'h1. Top\n\nSome words.\n\nh2(#id). See "the site":https://example.org\n\nbc. x = 1\n\nMore.\n'),
        ("a.typ", "// a remark\n= Top <top>\n\nSome words.\n\n== See *the site*\n\n```py\nx = 1\n```\n\nMore.\n"),
        (
            "a.wiki",
            "= Top =\n\nSome words.\n\n== See ''[[Page|the site]]'' ==\n\n"
            '<syntaxhighlight lang="py">\nx = 1\n</syntaxhighlight>\n\nMore.\n',
        ),
    ],
)
def test_headings_and_listings(name: str, text: str) -> None:
    found = read(TEXT, text, name)
    assert [(block.text, block.level) for block in of(found, Heading)] == [("Top", 1), ("See the site", 2)]
    assert [block.text for block in of(found, Code)] == ["x = 1"]
    assert [block.text for block in of(found, Paragraph)] == ["Some words.", "More."]
    assert [part.title for part in found.parts] == ["Top", "See the site"] or len(found.parts) == 1


def test_what_only_looks_like_a_heading() -> None:
    for name, text in (("a.wiki", "a == b ==\n\n== no end"), ("a.typ", "x = 1\n\n=no blank"), ("a.textile", "h7. no")):
        assert not of(read(TEXT, text, name), Heading), name
    unended = read(TEXT, "<pre>\nleft open\n", "a.wiki")
    assert [block.text for block in of(unended, Code)] == ["left open"]


def dxf(*things: str) -> ParsedDocument:
    """A drawing of things, each as a kind and "code value" by blanks, pairs apart by "|"."""
    lines: list[str] = ["999", "made by hand"]
    for thing in things:
        kind, *pairs = thing.split("|")
        lines += ["  0", kind]
        for pair in pairs:
            code, _, value = pair.partition(" ")
            lines += [f"  {code}", value]
    return read(TEXT, "\r\n".join([*lines, "  0", "EOF", ""]), "a.dxf")


def test_the_words_of_a_drawing() -> None:
    found = dxf(
        "SECTION|2 TABLES", "LAYER|2 0|70 0", "LAYER|2 Walls|70 0", "ENDSEC",
        "SECTION|2 BLOCKS", "BLOCK|2 Title block", "ATTDEF|1 ?|2 DRAWN|3 Drawn by", "TEXT|8 0|10 1.5|1 Company",
        "ENDBLK", "ENDSEC",
        "SECTION|2 ENTITIES", "LINE|10 1.0|20 2.0", r"TEXT|1 %%c20 %%p0.1 at 45%%d",
        r"MTEXT|3 {\fArial;First part, }|1 \C1;then more\Pnew line \S1/2; \U+00e9",
        "INSERT|2 Title block", "ATTRIB|1 Ann|2 DRAWN", "DIMENSION|1 <>", "DIMENSION|1 see A", "TEXT|1 _", "SEQEND",
        "ENDSEC",
    )  # fmt: skip
    assert found.metadata == {"layers": "Walls"}
    assert [block.text for block in of(found, Heading)] == ["Title block"]
    text = "\n".join(block.text for block in of(found, Paragraph))
    assert text.split("\n") == [
        "Ø20 ±0.1 at 45°", "First part, then more", "new line 1/2 é", "DRAWN: Ann", "see A", "DRAWN: ?", "Company",
    ]  # fmt: skip


def test_a_text_that_is_no_drawing_stays_a_text() -> None:
    assert [block.text for block in of(read(TEXT, "Only words\nof a note\n", "a.dxf"), Code)] == [
        "Only words\nof a note"
    ]
    cut = read(TEXT, "  0\nSECTION\n  2\nENTITIES\n  0\nTEXT\n  1\nHalf\n  0", "a.dxf")
    assert [block.text for block in of(cut, Paragraph)] == ["Half"]


def test_long_lines_are_read_in_time() -> None:
    with processor_limit(20):
        lines = {"a.wiki": "= a" + "\t" * 200_000, "a.typ": "= a" + " " * 200_000 + "b", "a.textile": "h1. " * 99_000}
        for name, line in lines.items():
            read(TEXT, f"{line}\n" * 3, name)
