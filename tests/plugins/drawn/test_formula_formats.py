"""One formula in six formats has one LaTeX: Word's and PowerPoint's OMML, OpenDocument's and the web's MathML, TeX in
Markdown, and the glyphs of a PDF."""

from __future__ import annotations

import io
import re
from typing import Any

import pptx
import pytest
from contract.containers import make_zip
from sidecar_docx import DocxFormat
from sidecar_html import HtmlFormat
from sidecar_markdown import MarkdownFormat
from sidecar_odf import OdfFormat
from sidecar_pdf import PdfFormat
from sidecar_pptx import PptxFormat
from support.clients.rendering import drawn
from support.formats.plugin_reading import of
from support.office.docx_files import package, para

from sidecar.api import Equation, Limits, Source
from sidecar.toolkit.ooxml.namespaces import A, M
from sidecar.toolkit.xml import parse_xml

BEFORE, AFTER = "The measure of all the others is given by", "where each letter stands for what it stood for before."
DRAWING = "http://schemas.microsoft.com/office/drawing/2010/main"
MATHML = '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{}</math>'
FORMULAS = {
    "fraction and root": (
        r"x_{i} = \frac{a + b}{2} + \sqrt{y^{2}}",
        "<m:sSub><m:e>{x}</m:e><m:sub>{i}</m:sub></m:sSub>{=}<m:f><m:num>{a}{+}{b}</m:num><m:den>{2}</m:den></m:f>{+}"
        '<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:sSup><m:e>{y}</m:e><m:sup>{2}</m:sup></m:sSup>'
        "</m:e></m:rad>",
        "<msub><mi>x</mi><mi>i</mi></msub><mo>=</mo>"
        "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><mo>+</mo>"
        "<msqrt><msup><mi>y</mi><mn>2</mn></msup></msqrt>",
    ),
    "alphabet and both scripts": (
        r"y_{i}^{2} = \mathbb{R}",
        "<m:sSubSup><m:e>{y}</m:e><m:sub>{i}</m:sub><m:sup>{2}</m:sup></m:sSubSup>{=}"
        '<m:r><m:rPr><m:scr m:val="double-struck"/></m:rPr><m:t>R</m:t></m:r>',
        '<msubsup><mi>y</mi><mi>i</mi><mn>2</mn></msubsup><mo>=</mo><mi mathvariant="double-struck">R</mi>',
    ),
    "sum and accent": (
        r"\hat{x} = \sum_{i = 1}^{n} x_{i}",
        '<m:acc><m:accPr><m:chr m:val="\u0302"/></m:accPr><m:e>{x}</m:e></m:acc>{=}'
        '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{i}{=}{1}</m:sub><m:sup>{n}</m:sup>'
        "<m:e><m:sSub><m:e>{x}</m:e><m:sub>{i}</m:sub></m:sSub></m:e></m:nary>",
        '<mover accent="true"><mi>x</mi><mo>^</mo></mover><mo>=</mo>'
        "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
        "<msub><mi>x</mi><mi>i</mi></msub>",
    ),
}


def omml(body: str) -> str:
    """A formula of Word, each sign in braces being a run of its own."""
    runs = re.sub("{(.)}", r"<m:r><m:t>\1</m:t></m:r>", body)
    return f'<m:oMath xmlns:m="{M[1:-1]}">{runs}</m:oMath>'


def slides(formula: str) -> bytes:
    deck = pptx.Presentation()
    slide: Any = deck.slides.add_slide(deck.slide_layouts[6])
    frame = slide.shapes.add_textbox(914400, 914400, 5486400, 914400).text_frame
    wrapped = f'<a14:m xmlns:a14="{DRAWING}"><m:oMathPara xmlns:m="{M[1:-1]}">{formula}</m:oMathPara></a14:m>'
    paragraph: Any = parse_xml(f'<a:p xmlns:a="{A[1:-1]}">{wrapped}</a:p>'.encode(), "slide")
    frame._txBody.append(paragraph)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


def open_document(formula: str, *, flat: bool) -> bytes:
    names = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("office", "office"), ("text", "text"), ("draw", "drawing"))
    )
    linked = 'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="./Object 1"'
    shown = f"<draw:object>{formula}</draw:object>" if flat else f"<draw:object {linked}/>"
    body = (
        f"<office:body><office:text><text:p>{BEFORE}</text:p><text:p><draw:frame>{shown}</draw:frame></text:p>"
        f"<text:p>{AFTER}</text:p></office:text></office:body>"
    )
    kind = "application/vnd.oasis.opendocument.text"
    if flat:
        return f'<office:document {names} office:mimetype="{kind}">{body}</office:document>'.encode()
    content = f"<office:document-content {names}>{body}</office:document-content>".encode()
    members = {"mimetype": kind.encode(), "content.xml": content, "Object 1/content.xml": formula.encode()}
    return make_zip(members, stored=("mimetype",))


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_has_one_latex_in_every_format(name: str) -> None:
    latex, structure, markup = FORMULAS[name]
    mathml, markdown = MATHML.format(markup), f"{BEFORE}\n\n$${latex}$$\n\n{AFTER}\n"
    sources: list[tuple[Any, str, bytes]] = [
        (DocxFormat(), "a.docx", package(para(omml(structure)))),
        (PptxFormat(), "a.pptx", slides(omml(structure))),
        (OdfFormat(), "a.odt", open_document(mathml, flat=False)),
        (OdfFormat(), "a.fodt", open_document(mathml, flat=True)),
        (HtmlFormat(), "a.html", f"<p>{BEFORE}</p><p>{mathml}</p><p>{AFTER}</p>".encode()),
        (MarkdownFormat(), "a.md", markdown.encode()),
        (PdfFormat(), "a.pdf", drawn(markdown).data[0]),
    ]
    found = {
        file: [equation.latex for equation in of(plugin.parse(Source.of_bytes(data, file), Limits()), Equation)]
        for plugin, file, data in sources
    }
    assert {file: [same(one) for one in every] for file, every in found.items()} == {
        file: [same(latex)] for file in found
    }


def same(latex: str) -> str:
    """LaTeX without its blanks."""
    return re.sub(r"\s", "", latex)
