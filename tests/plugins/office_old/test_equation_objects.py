"""Equation Editor's and MathType's objects as text and LaTeX, in every format that holds them; hostile ones."""

import random
import struct
import zlib

import pytest
from contract.pictures import PNG
from sidecar_doc import DocFormat
from sidecar_docx import DocxFormat
from sidecar_ppt import PptFormat
from sidecar_pptx import PptxFormat
from sidecar_rtf import RtfFormat
from support.formats.plugin_reading import of, read, spans
from support.formats.processor import processor_limit
from support.office.docx_files import package, packed
from support.office_old.equation_objects import FUNCTION, TEXT, Equations, equation_object
from support.office_old.powerpoint_binary import Slide, box, deck, record
from support.office_old.word_binary import Para, Run, WordFile, blip, number
from support.trials import pptx_trial

from sidecar.api import Equation, Figure, Limits, Paragraph, ParsedDocument, Source, Table

THREE, FIVE = Equations(3), Equations(5)
SUM = THREE.stream(
    THREE.chars("S="),
    THREE.template(29, 1, THREE.line(THREE.char("i")), THREE.line(THREE.chars("i=1")), THREE.line(THREE.char("n"))),
)
SUM_SHOWN = ("S=∑_(i=1)^n i", r"S=\sum_{i=1}^{n} i")


def attached(stream: bytes) -> bytes:
    """An equation with the picture that shows it."""
    inner = equation_object(stream)
    data = struct.pack("<III", 0x501, 2, 11) + b"Equation.3\0" + struct.pack("<III", 0, 0, len(inner)) + inner
    picture = rb"{\pict\pngblip " + PNG.hex().encode() + b"}"
    head = rb"{\object\objemb{\*\objclass Equation.3}{\*\objdata "
    return head + data.hex().encode() + rb"}{\result " + picture + b"}}"


def rtf(*streams: bytes, around: str = "") -> ParsedDocument:
    """A paragraph with equations."""
    body = b"".join(map(attached, streams))
    return read(RtfFormat(), rb"{\rtf1\ansi " + around.encode() + body + rb"\par}", "a.rtf")


def shown(stream: bytes) -> tuple[str, str]:
    [equation] = of(rtf(stream), Equation)
    return equation.text, equation.latex


@pytest.mark.parametrize("kind", [THREE, FIVE])
def test_structures_that_both_versions_have(kind: Equations) -> None:
    def template(three: int, five: int, *slots: bytes, variations: tuple[int, int] = (0, 3)) -> bytes:
        at = 1 if kind is FIVE else 0
        return kind.template((three, five)[at], variations[at], *slots)

    def line(text: str) -> bytes:
        return kind.line(kind.chars(text))

    def one(*inside: bytes) -> tuple[str, str]:
        return shown(kind.stream(*inside))

    x = kind.char("x")
    assert one(x, template(14, 11, line("a+b"), line("c"), variations=(0, 0))) == ("x(a+b)/c", r"x\frac{a+b}{c}")
    assert one(x, template(15, 28, kind.empty(), line("2"), variations=(0, 0))) == ("x^2", "x^{2}")
    assert one(x, template(15, 27, line("ij"), kind.empty(), variations=(1, 0))) == ("x_ij", "x_{ij}")
    assert one(x, template(15, 29, line("i"), line("2"), variations=(2, 0))) == ("x_i^2", "x_{i}^{2}")
    assert one(template(13, 10, line("y"), kind.empty(), variations=(0, 0))) == ("√(y)", r"\sqrt{y}")
    assert one(template(13, 10, line("y"), line("3"), variations=(1, 1))) == ("3√(y)", r"\sqrt[3]{y}")
    assert one(template(1, 1, line("a"))) == ("(a)", r"\left( a \right)")
    assert one(template(2, 2, kind.pile(line("a"), line("b")), variations=(1, 1))) == (
        "{a b", r"\left\{ \begin{gathered}a \\ b\end{gathered} \right.",
    )  # fmt: skip
    assert one(template(17, 13, line("AB"), variations=(0, 0))) == ("AB", r"\overline{AB}")
    limit = kind.line(kind.chars("lim", FUNCTION)), line("n→∞")
    assert one(template(39, 23, *limit, variations=(1, 1)), x)[1] == r"\lim_{n\rightarrow\infty}x"
    integral = template(21, 15, line("f"), line("0"), line("1"), variations=(2, 0x11))
    assert one(integral) == ("∫_0^1 f", r"\int_{0}^{1} f")
    assert one(kind.chars("a=b", 0), kind.chars(" if x", TEXT)) == ("a=b if x", r"a=b\text{ if x}")
    assert one(x, kind.chars("sin", FUNCTION), kind.char("y")) == ("x sin y", r"x \sin y")
    assert one(kind.char("v", marks=[11]), kind.char("f", marks=[5])) == ("vf′", r"\vec{v}f'")
    assert one(kind.char("=", marks=[10])) == ("≠", r"\neq")
    cells = [line(text) for text in "abcd"]
    assert one(kind.matrix(2, *cells)) == ("a b c d", r"\begin{matrix}a & b \\ c & d\end{matrix}")


def test_scripts_take_what_they_stand_at() -> None:
    squared = FIVE.template(28, 0, FIVE.empty(), FIVE.line(FIVE.char("2")))
    fence = FIVE.template(1, 3, FIVE.line(FIVE.chars("a+b")))
    assert shown(FIVE.stream(FIVE.chars("x10"), squared)) == ("x10^2", "x{10}^{2}")
    assert shown(FIVE.stream(fence, squared)) == ("(a+b)^2", r"{\left( a+b \right)}^{2}")
    before = FIVE.template(28, 1, FIVE.empty(), FIVE.line(FIVE.chars("14")))
    assert shown(FIVE.stream(before, FIVE.char("C")))[1] == "{}_{}^{14}C"


def test_an_equation_in_a_line_is_mathematics_in_it() -> None:
    found = rtf(SUM, around="Take ")
    [para] = of(found, Paragraph)
    assert spans(para.text, para.spans) == [("math", *SUM_SHOWN)]
    assert para.text == f"Take {SUM_SHOWN[0]}"
    assert not of(found, Figure)  # the picture shows the same once more


def test_an_equation_alone_with_its_number_is_displayed() -> None:
    found = rtf(SUM, around="(2.1) ")
    assert [(block.text, block.latex, block.label) for block in of(found, Equation)] == [(*SUM_SHOWN, "(2.1)")]
    assert [element.label for element in found.elements] == ["Equation (2.1)"]


def test_an_equation_in_a_cell_keeps_its_latex() -> None:
    [table] = of(
        read(
            RtfFormat(),
            rb"{\rtf1\ansi\trowd\cellx2000\cellx4000\intbl Sum\cell " + attached(SUM) + rb"\cell\row\pard After\par}",
            "a.rtf",
        ),
        Table,
    )
    assert table.rows == (("Sum", SUM_SHOWN[0]),)
    [rich] = table.cells
    assert spans(table.rows[0][1], rich.spans) == [("math", *SUM_SHOWN)]


def test_in_word_97() -> None:
    special = number(0x0855, 1)
    looks = special + number(0x080A, 1) + number(0x6A03, 9)
    field = [Run("\x13", special), " EMBED Equation.3 ", Run("\x14", looks), Run("\x01", special + number(0x6A03, 0))]
    picture = struct.pack("<iH", 68 + len(blip(PNG)), 68) + struct.pack("<h", 0x64) + bytes(60) + blip(PNG)
    body = [Para(["Take ", *field, Run("\x15", special), " here"])]
    file = WordFile(body=body, streams={"ObjectPool/_9/Equation Native": SUM}, data=picture).build()
    found = read(DocFormat(), file, "a.doc")
    [para] = of(found, Paragraph)
    assert para.text == f"Take {SUM_SHOWN[0]} here"
    assert spans(para.text, para.spans) == [("math", *SUM_SHOWN)]
    assert not of(found, Figure)


def test_in_docx() -> None:
    content = (
        '<w:p><w:r><w:t xml:space="preserve">Take </w:t></w:r><w:r><w:object><v:shape><v:imagedata r:id="rP"/>'
        '</v:shape><o:OLEObject Type="Embed" ProgID="Equation.3" r:id="rO"/></w:object></w:r></w:p>'
    )
    parts = {"word/embeddings/oleObject1.bin": equation_object(SUM), "word/media/image1.png": PNG}
    relations = {"rO": ("oleObject", "embeddings/oleObject1.bin"), "rP": ("image", "media/image1.png")}
    found = read(DocxFormat(), package(content, parts, relations), "a.docx")
    [para] = of(found, Paragraph)
    assert spans(para.text, para.spans) == [("math", *SUM_SHOWN)]
    assert not of(found, Figure)


def test_in_a_shape_of_docx() -> None:
    content = (
        '<w:p><w:r><w:t>Before</w:t></w:r><w:r><w:pict><v:shape style="position:absolute"><v:imagedata r:id="rP"/>'
        '</v:shape><o:OLEObject Type="Embed" ProgID="Equation.3" r:id="rO"/></w:pict></w:r></w:p>'
    )
    parts = {"word/embeddings/oleObject1.bin": equation_object(SUM), "word/media/image1.png": PNG}
    relations = {"rO": ("oleObject", "embeddings/oleObject1.bin"), "rP": ("image", "media/image1.png")}
    found = read(DocxFormat(), package(content, parts, relations), "a.docx")
    assert [(block.text, block.latex) for block in of(found, Equation)] == [SUM_SHOWN]
    assert not of(found, Figure)


def test_in_presentations() -> None:
    inner = equation_object(SUM)
    storage = record(0x1011, struct.pack("<I", len(inner)) + zlib.compress(inner), 1)
    head = record(0x0FC3, struct.pack("<IIIIII", 1, 0, 3, 0, 500, 0))
    shape = box((0, 50, 9, 59), client=record(0x0BC1, struct.pack("<I", 3)))
    listed = record(0x0409, record(0x0FCC, head, holds=True), holds=True)
    found = read(PptFormat(), deck([Slide([shape])], document=listed, objects={500: storage}), "a.ppt")
    assert [(block.text, block.latex) for block in of(found, Equation)] == [SUM_SHOWN]

    attached = pptx_trial.token("attachment") + ".xlsx"
    parts: dict[str, str | bytes] = {
        name: data.replace(f"embeddings/{attached}", "embeddings/oleObject1.bin") if isinstance(data, str) else data
        for name, data in pptx_trial.parts().items()
    }
    parts["ppt/embeddings/oleObject1.bin"] = equation_object(SUM)
    slides = read(PptxFormat(), packed(parts), "a.pptx")
    assert SUM_SHOWN in [(block.text, block.latex) for block in of(slides, Equation)]
    assert SUM_SHOWN in [(e.text, e.latex) for e in slides.elements if e.type == "equation"]


def test_damaged_and_hostile_ones_stay_attached_files() -> None:
    nested = b"".join(FIVE.template(1, 3)[:-1] + b"\x01\x00" for _ in range(30_000))
    for stream in (b"", SUM[:40], SUM[:28] + b"\x09" + SUM[29:], FIVE.stream(nested), b"\xff" * 300):
        found = rtf(stream)
        assert not of(found, Equation)
        assert [embed.media_type for embed in found.embedded] == ["application/x-mathtype", "image/png"]


def test_changed_bytes_are_read_in_time() -> None:
    noise = random.Random(7)
    many = FIVE.stream(*(FIVE.template(28, 1, FIVE.empty(), FIVE.line(FIVE.char("2"))) for _ in range(12_000)))
    with processor_limit(20):
        assert of(rtf(many), Equation)
        plugin = RtfFormat()
        for _ in range(200):
            broken = bytearray(equation_object(FIVE.stream(FIVE.chars("abc"), FIVE.matrix(2, *[FIVE.line()] * 4))))
            for _ in range(9):
                broken[noise.randrange(512, len(broken))] = noise.randrange(256)
            data = struct.pack("<III", 0x501, 2, 11) + b"Equation.3\0" + struct.pack("<III", 0, 0, len(broken)) + broken
            text = rb"{\rtf1 {\object\objemb{\*\objdata " + data.hex().encode() + rb"}}\par}"
            plugin.parse(Source.of_bytes(text, "a.rtf"), Limits())


def test_an_object_shown_often_is_read_once() -> None:
    long = FIVE.stream(*(FIVE.template(28, 1, FIVE.empty(), FIVE.line(FIVE.char("2"))) for _ in range(9_000)))
    shown_again = '<w:r><w:object><o:OLEObject Type="Embed" ProgID="Equation.3" r:id="rO"/></w:object></w:r>' * 300
    parts = {"word/embeddings/oleObject1.bin": equation_object(long)}
    file = package(f"<w:p>{shown_again}</w:p>", parts, {"rO": ("oleObject", "embeddings/oleObject1.bin")})
    with processor_limit(20):
        DocxFormat().parse(Source.of_bytes(file, "a.docx"), Limits())
