"""Figures in scans: the picture of a page with its words known, from a text layer or from OCR, shows where its drawings
are. The scans are made from pages that are drawn first, so that the truth is known."""

from __future__ import annotations

import io
import zlib

import pytest
from PIL import Image
from sidecar_pdf.plugin import PdfFormat
from support.pdf_builder import Pdf, drawing, lines, text

from sidecar.api import Element, Limits, Source

PROSE = [
    f"{start} of the lower river was carried out in the dry months of the year and the next."
    for start in ("The survey", "A chart", "Most", "The sounding", "Half", "The map", "All", "A section")
]
CAPTION = "Figure 3. The transit instrument seen from the north."


def page(invisible: str = "", font: str = "F1") -> str:
    """Running text, a drawing with two labels, its caption, running text."""
    placed = [(72, 700 - 12 * at, 10, line) for at, line in enumerate(PROSE)]
    labels = ("Axis of collimation", "Object lens, 2 inches", "Clamp of the circle")
    placed += [(220, 470 - 12 * at, 8, label) for at, label in enumerate(labels)]
    placed.append((160, 380, 9, CAPTION))
    placed += [(72, 340 - 12 * at, 10, line) for at, line in enumerate(PROSE)]
    return "".join(text(x, y, line, size=size, font=font, more=invisible) for x, y, size, line in placed)


def drawn() -> bytes:
    pdf = Pdf()
    frame = "0.7 w 160 410 260 150 re S\n"  # all of it hangs together
    pdf.page(page() + drawing(160, 410, 260, 150) + frame)
    return pdf.bytes()


def scan(layer: str, shade: int = 0, under: bytes = b"") -> bytes:
    """A drawn page (`under`, or the one above) as a picture on a page, over which `layer` lies; `shade` darkens the
    paper."""
    picture = PdfFormat().picture(Source.of_bytes(under or drawn(), "drawn.pdf"), 1, 150, Limits())
    gray = Image.open(io.BytesIO(picture.data)).convert("L").point([max(0, value - shade) for value in range(256)])
    data = zlib.compress(gray.tobytes())
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {gray.width} /Height {gray.height} /ColorSpace /DeviceGray"
        f" /BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
    )
    pdf = Pdf()
    image = pdf.add(head.encode() + data + b"\nendstream")
    pdf.page("q 612 0 0 792 0 0 cm /Im0 Do Q\n" + layer, images={"Im0": image})
    return pdf.bytes()


def elements(data: bytes, *, ocr: bool = False) -> list[Element]:
    return list(PdfFormat().parse(Source.of_bytes(data, "scan.pdf"), Limits(ocr=ocr)).elements)


def assert_is_the_instrument(found: list[Element]) -> None:
    assert [(one.type, one.label) for one in found] == [("figure", "Figure 3")]
    box = found[0].box
    assert box is not None
    x0, y0, x1, y1 = box
    # The drawing lies at 160 … 420 across and 232 … 382 down; its caption, wider in one of the faces, ends at 416.
    assert (140 < x0 < 172, 215 < y0 < 240) == (True, True), box
    assert (410 < x1 < 460, 375 < y1 < 425) == (True, True), box
    assert (found[0].caption or "").startswith("Figure 3.")


@pytest.mark.parametrize("shade", [0, 60])
@pytest.mark.parametrize("font", ["F1", "F3"])  # recognition sets its layer in a typewriter face as often as not
def test_a_drawing_in_a_scan_with_a_text_layer_is_a_figure_in_its_place(font: str, shade: int) -> None:
    assert_is_the_instrument(elements(scan(page("3 Tr", font), shade)))


def test_a_drawing_in_a_scan_that_is_recognised_is_a_figure_in_its_place() -> None:
    assert_is_the_instrument(elements(scan(""), ocr=True))


def test_a_scan_of_text_alone_has_no_figure_but_shows_its_words() -> None:
    prose = "".join(lines(72, 700 - 130 * at, PROSE) for at in range(4))
    pdf = Pdf()
    pdf.page(prose)
    scanned = scan(prose.replace("BT ", "BT 3 Tr"), under=pdf.bytes())
    parsed = PdfFormat().parse(Source.of_bytes(scanned, "scan.pdf"), Limits(ocr=False))
    assert parsed.elements == ()
    assert not [notice for notice in parsed.notices if notice.code == "hidden_content"]
    assert sum("dry months" in getattr(block, "text", "") for block in parsed.parts[0].blocks) >= 4


def test_a_page_that_is_drawn_needs_no_look_at_its_ink() -> None:
    assert_is_the_instrument(elements(drawn()))
