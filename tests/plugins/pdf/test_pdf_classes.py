"""Where a PDF's words may stand besides its pages' text: in the appearances of annotations and fields, in layers, in
fonts that are drawn, in the XML of a dynamic form, in attached files."""

from __future__ import annotations

import pytest
from sidecar_pdf.plugin import PdfFormat
from support.formats.pdf_builder import Pdf, text
from support.formats.pdf_prose import read_pdf as parsed
from support.formats.plugin_reading import of

from sidecar.api import Limits, Note, Paragraph, ParsedDocument, Source

BODY = "The licence is granted for one year and one river."
HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"


def notes(document: ParsedDocument) -> list[str]:
    return [note.text for note in of(document, Note)]


def appearance(pdf: Pdf, words: str) -> int:
    """A form that shows the words in a box of 200 by 50 points."""
    return pdf.stream(
        f"BT /F1 10 Tf 5 20 Td ({words}) Tj ET",
        f"/Type /XObject /Subtype /Form /BBox [0 0 200 50] /Resources << /Font << /F1 {HELVETICA} >> >>",
    )


def annotated(*entries: str, pdf: Pdf | None = None) -> Pdf:
    """A page of one sentence with these annotations, two at places of their own."""
    pdf = pdf or Pdf()
    numbers = [
        pdf.add(f"<< /Type /Annot /F 4 /Rect [100 {600 - 100 * at} 300 {650 - 100 * at}] {entry} >>")
        for at, entry in enumerate(entries)
    ]
    named = " ".join(f"{number} 0 R" for number in numbers)
    pdf.catalog += f" /AcroForm << /Fields [{named}] >>" if "/FT" in "".join(entries) else ""
    pdf.page(text(72, 700, BODY), more=f"/Annots [{named}]")
    return pdf


@pytest.mark.parametrize("kind", ["FreeText", "Stamp"])
def test_what_only_an_appearance_says_is_a_remark(kind: str) -> None:
    pdf = Pdf()
    shown = appearance(pdf, "Approved by the council")
    document = parsed(annotated(f"/Subtype /{kind} /AP << /N {shown} 0 R >> /T (Ann)", pdf=pdf))
    (note,) = of(document, Note)
    assert (note.text, note.author, note.kind) == ("Approved by the council", "Ann", "annotation")
    assert [block.text for block in of(document, Paragraph)] == [BODY]


def test_what_a_remark_says_is_not_read_from_its_appearance_as_well() -> None:
    pdf = Pdf()
    shown = appearance(pdf, "Shown")
    document = parsed(annotated(f"/Subtype /FreeText /Contents (Said) /AP << /N {shown} 0 R >>", pdf=pdf))
    assert notes(document) == ["Said"]


def test_a_hidden_stamp_is_not_brought_to_light() -> None:
    pdf = Pdf()
    shown = appearance(pdf, "Withdrawn")
    hidden = annotated(f"/Subtype /Stamp /AP << /N {shown} 0 R >>", pdf=pdf)
    hidden.objects = [body.replace(b"/F 4", b"/F 2") for body in hidden.objects]
    assert notes(parsed(hidden)) == []


def test_a_field_shows_the_value_that_only_its_appearance_has() -> None:
    pdf = Pdf()
    shown = appearance(pdf, "42 pounds")
    fields = (
        f"/Subtype /Widget /FT /Tx /T (fee) /AP << /N {shown} 0 R >>",
        "/Subtype /Widget /FT /Tx /T (name) /TU (Full name) /V (Ada Lovelace)",
    )
    assert sorted(notes(parsed(annotated(*fields, pdf=pdf)))) == ["Full name: Ada Lovelace", "fee: 42 pounds"]


def test_a_layer_that_is_off_is_hidden_and_one_that_is_on_is_not() -> None:
    pdf = Pdf()
    on, off = pdf.add("<< /Type /OCG /Name (Plan) >>"), pdf.add("<< /Type /OCG /Name (Draft) >>")
    groups = f"/OCGs [{on} 0 R {off} 0 R] /D << /ON [{on} 0 R] /OFF [{off} 0 R] >>"
    pdf.catalog = f"/OCProperties << {groups} >>"
    content = f"/OC /L1 BDC {text(72, 700, BODY)} EMC /OC /L2 BDC {text(72, 600, 'Not for print')} EMC"
    page = pdf.page(content)
    layers = f"/Properties << /L1 {on} 0 R /L2 {off} 0 R >> /XObject".encode()
    pdf.objects[page - 1] = pdf.objects[page - 1].replace(b"/XObject", layers)
    found = {block.text: block.hidden for block in of(parsed(pdf), Paragraph)}
    assert found == {BODY: False, "Not for print": True}


def test_glyphs_that_are_drawings_are_read_by_their_unicode() -> None:
    pdf = Pdf()
    square = pdf.stream("500 0 0 0 500 700 d1 0 0 400 700 re f")
    unicode = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff>"
        " endcodespacerange 2 beginbfchar <61> <0041> <62> <0042> endbfchar endcmap end end"
    )
    drawn = pdf.add(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0]"
        f" /CharProcs << /sq {square} 0 R /tr {square} 0 R >> /Encoding << /Type /Encoding /Differences [97 /sq /tr] >>"
        f" /FirstChar 97 /LastChar 98 /Widths [500 500] /ToUnicode {unicode} 0 R >>"
    )
    pdf.page(text(72, 700, "abba", font="T3"), fonts={"T3": drawn})
    assert [block.text for block in of(parsed(pdf), Paragraph)] == ["ABBA"]


def test_a_mathematical_letter_for_which_a_glyph_gives_two_is_read_once() -> None:
    pdf = Pdf()
    unicode = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff>"
        " endcodespacerange 2 beginbfchar <61> <d835dc61d835dc61> <62> <d835dc62> endbfchar endcmap end end"
    )
    cambria = pdf.add(
        "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+CambriaMath /FirstChar 97 /LastChar 98 /Widths [500 500]"
        f" /ToUnicode {unicode} 0 R >>"
    )
    pdf.page(text(72, 700, BODY) + text(72, 600, "aabb", font="T3"), fonts={"T3": cambria})
    letters = "\N{MATHEMATICAL ITALIC SMALL T}" * 2 + "\N{MATHEMATICAL ITALIC SMALL U}" * 2
    assert letters in " ".join(block.text for block in of(parsed(pdf), Paragraph))
    assert "\N{MATHEMATICAL ITALIC SMALL T}" + letters not in " ".join(b.text for b in of(parsed(pdf), Paragraph))


RICH = "Sign twice. Post it."
XFA = "http://www.xfa.org/schema"
TEMPLATE = (
    f'<template xmlns="{XFA}/xfa-template/2.8/"><subform name="form1">'
    "<draw><value><text>Application for a fishing licence</text></value></draw>"
    '<field name="Applicant"><caption><value><text>Name:</text></value></caption></field>'
    '<draw><value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml"><p>Sign <b>twice</b>.</p>'
    "<p>Post it.</p></body></exData></value></draw></subform></template>"
)
DATA = (
    f'<xfa:datasets xmlns:xfa="{XFA}/xfa-data/1.0/"><xfa:data><form1><Applicant>Ada Lovelace</Applicant>'
    "<Fee>42.50</Fee></form1></xfa:data></xfa:datasets>"
)


@pytest.mark.parametrize(
    ("template", "data", "said"),
    [
        (TEMPLATE, DATA, ["Application for a fishing licence", "Name: Ada Lovelace", RICH, "Fee: 42.50"]),
        ("", DATA, ["Applicant: Ada Lovelace", "Fee: 42.50"]),
        (TEMPLATE, "", ["Application for a fishing licence", "Name", RICH]),
    ],
)
def test_a_dynamic_form_gives_the_words_of_its_template_and_its_data(template: str, data: str, said: list[str]) -> None:
    pdf = Pdf()
    packets = " ".join(
        f"({name}) {pdf.stream(content)} 0 R"
        for name, content in (("template", template), ("datasets", data))
        if content
    )
    pdf.catalog = f"/AcroForm << /Fields [] /XFA [{packets}] >> /NeedsRendering true"
    pdf.page(text(72, 700, "Please wait..."))
    assert [line.rstrip(":") for line in notes(parsed(pdf))] == said


CHOICES = (
    f'<template xmlns="{XFA}/xfa-template/2.8/"><subform name="form1">'
    '<exclGroup name="Season"><caption><value><text>Season</text></value></caption>'
    "<field><ui><checkButton/></ui><caption><value><text>Summer</text></value></caption>"
    "<items><text>1</text></items></field>"
    "<field><ui><checkButton/></ui><caption><value><text>Winter</text></value></caption>"
    "<items><text>2</text></items></field></exclGroup>"
    '<field name="Boat"><ui><checkButton/></ui><caption><value><text>With a boat</text></value></caption>'
    "<items><text>yes</text><text>no</text></items></field>"
    '<field name="River"><caption><value><text>River:</text></value></caption>'
    '<items save="1"><text>r1</text><text>r2</text></items><items><text>Rhine</text><text>Ruhr</text></items></field>'
    "</subform></template>"
)


def test_boxes_and_lists_of_a_dynamic_form_show_what_is_chosen() -> None:
    data = DATA.replace("<Fee>42.50</Fee>", "<Season>2</Season><Boat>no</Boat><River>r2</River>")
    pdf = Pdf()
    packets = " ".join(f"({name}) {pdf.stream(xml)} 0 R" for name, xml in (("template", CHOICES), ("datasets", data)))
    pdf.catalog = f"/AcroForm << /Fields [] /XFA [{packets}] >> /NeedsRendering true"
    pdf.page(text(72, 700, "Please wait..."))
    assert notes(parsed(pdf)) == [
        "Season:", "[ ] Summer", "[x] Winter", "[ ] With a boat", "River: Ruhr", "Applicant: Ada Lovelace"
    ]  # fmt: skip


def test_a_form_whose_fields_stand_on_its_pages_is_not_told_once_more_by_its_xml() -> None:
    pdf = Pdf()
    packets = f"(template) {pdf.stream(TEMPLATE)} 0 R (datasets) {pdf.stream(DATA)} 0 R"
    document = annotated("/Subtype /Widget /FT /Tx /T (Applicant) /V (Ada Lovelace)", pdf=pdf)
    document.catalog = document.catalog.replace("/Fields", f"/XFA [{packets}] /Fields")
    assert notes(parsed(document)) == ["Applicant: Ada Lovelace"]


def test_a_form_whose_xml_is_broken_is_still_a_document() -> None:
    pdf = Pdf()
    pdf.catalog = f"/AcroForm << /Fields [] /XFA [(template) {pdf.stream('<template><draw>')} 0 R] >>"
    pdf.page(text(72, 700, BODY))
    assert [block.text for block in of(parsed(pdf), Paragraph)] == [BODY]


def test_the_files_of_a_portfolio_are_attachments() -> None:
    pdf = Pdf()
    inner = pdf.stream("inner words", "/Type /EmbeddedFile")
    file = pdf.add(f"<< /Type /Filespec /F (inner.txt) /UF (inner.txt) /EF << /F {inner} 0 R >> >>")
    names = f"/Names << /EmbeddedFiles << /Names [(inner.txt) {file} 0 R] >> >>"
    pdf.catalog = f"{names} /Collection << /Type /Collection /View /D >>"
    pdf.page(text(72, 700, BODY))
    source = Source.of_bytes(pdf.bytes(), "portfolio.pdf")
    (embed,) = parsed(pdf).embedded
    assert embed.name == "inner.txt"
    assert PdfFormat().open_embedded(source, embed.ref, Limits()).data == b"inner words"


def test_a_word_in_spaced_letters_is_one_though_its_end_is_an_object_of_its_own() -> None:
    # As scanners write it: all but the last letter, the last letter, and the blank with the next word.
    pieces = [("Chin", 72), ("a", 102.2), (" Ocea", 110.1), ("n", 148.8)]
    pdf = Pdf()
    pdf.page(" ".join(f"BT /F1 10 Tf 2.4 Tc 1 0 0 1 {x} 700 Tm ({words}) Tj ET" for words, x in pieces))
    assert [block.text for block in of(parsed(pdf), Paragraph)] == ["China Ocean"]


def test_words_in_spaced_letters_stay_apart_where_the_step_between_them_is_wider() -> None:
    pdf = Pdf()
    pdf.page("BT /F1 10 Tf 2.4 Tc 1 0 0 1 72 700 Tm (China) Tj 1 0 0 1 117 700 Tm (Ocean) Tj ET")
    assert [block.text for block in of(parsed(pdf), Paragraph)] == ["China Ocean"]
