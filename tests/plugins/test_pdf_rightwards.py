"""Scripts that run right to left, in the order in which they are read: the files show glyphs from the left, as any."""

from __future__ import annotations

import pytest
from sidecar_pdf.plugin import PdfFormat
from support.pdf_builder import Pdf

from sidecar.api import Limits, Paragraph, Source

MIRRORED = str.maketrans("()[]", ")(][")


def shown(line: list[tuple[str, int]], *, as_meant: bool) -> Pdf:
    """One line of runs (text in reading order, left end in points), each drawn glyph by glyph from the left in a font
    of 1,000 units a character, whose Unicode gives brackets as they are meant or as they are shown."""
    pdf = Pdf()
    characters = sorted({char for run, _ in line for char in run})
    pairs = " ".join(
        f"<{at:02x}> <{ord(char if as_meant else char.translate(MIRRORED)):04x}>"
        for at, char in enumerate(characters, 33)
    )
    unicode = pdf.stream(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff>"
        f" endcodespacerange {len(characters)} beginbfchar {pairs} endbfchar endcmap end end"
    )
    widths = " ".join("500" for _ in characters)
    font = pdf.add(
        f"<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Hebrew /FirstChar 33 /LastChar {32 + len(characters)}"
        f" /Widths [{widths}] /ToUnicode {unicode} 0 R >>"
    )
    content = ""
    for run, x in line:
        order = run if run.isascii() else run[::-1]
        codes = "".join(f"{characters.index(char) + 33:02x}" for char in order)
        content += f"BT /H 10 Tf {x} 700 Td <{codes}> Tj ET\n"
    pdf.page(content, fonts={"H": font})
    return pdf


def read(pdf: Pdf) -> list[str]:
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "hebrew.pdf"), Limits(ocr=False))
    return [block.text for block in document.parts[0].blocks if isinstance(block, Paragraph)]


@pytest.mark.parametrize("as_meant", [True, False])
def test_brackets_open_before_what_they_hold(*, as_meant: bool) -> None:
    line = [("ההכנסות", 300), ("עלו", 280), ("(ראו", 255), ("טבלה)", 225)]
    assert read(shown(line, as_meant=as_meant)) == ["ההכנסות עלו (ראו טבלה)"]


def test_words_of_another_script_stand_where_they_are_read() -> None:
    line = [("החברה", 330), ("Acme Corp", 275), ("פעלה", 245), ("בשלושה", 210), ("מחוזות", 175)]
    assert read(shown(line, as_meant=True)) == ["החברה Acme Corp פעלה בשלושה מחוזות"]
