"""Lines of PDFs that are set as headings, and doubted by what all headings of the document say of them."""

from __future__ import annotations

from support.formats.pdf_builder import Pdf, lines, text
from support.formats.pdf_prose import PROSE, titles


def test_the_only_larger_line_of_plain_type_heads_nothing() -> None:
    """What is said larger once, in the midst of pages whose titles are bold."""
    pdf = Pdf()
    for name in ("Landing", "Mooring", "Ice"):
        pdf.page(text(72, 740, name, size=16, font="F2") + lines(72, 700, PROSE * 3))
    sample = lines(72, 700, PROSE * 2) + text(160, 560, "Harbour master", size=14) + text(72, 540, "and a note")
    pdf.page(text(72, 740, "Quays", size=16, font="F2") + sample + lines(72, 500, PROSE))
    assert titles(pdf) == ["Landing", "Mooring", "Ice", "Quays"]


def test_the_only_larger_line_of_plain_type_is_a_title_at_the_top_of_the_first_page() -> None:
    pdf = Pdf()
    pdf.page(text(72, 740, "Harbours of the north", size=20) + lines(72, 690, PROSE * 3))
    pdf.page(text(72, 740, "Landing", size=14, font="F2") + lines(72, 700, PROSE * 3))
    pdf.page(text(72, 740, "Mooring", size=14, font="F2") + lines(72, 700, PROSE * 3))
    assert titles(pdf) == ["Harbours of the north", "Landing", "Mooring"]


def test_a_numbered_title_is_one_however_alone_its_style_is() -> None:
    pdf = Pdf()
    for name in ("1 Landing", "2 Mooring"):
        pdf.page(text(72, 740, name, size=16, font="F2") + lines(72, 700, PROSE * 3))
    part = text(72, 560, "2.1 Ropes", size=14) + lines(72, 540, PROSE)
    pdf.page(lines(72, 740, PROSE * 3) + part)
    assert titles(pdf)[-1] == "2.1 Ropes"
