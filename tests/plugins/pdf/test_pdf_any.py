"""Any page of words, rules and fills is understood: no rule of the layout breaks off, and no word is lost."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, rule, text

from sidecar.api import Limits, Source

WORDS = [
    "Arno",
    "the gauge of",
    "12.5",
    "1,204",
    "-",
    "n/a",
    "2.1",
    "(3)",
    "see below.",
    "Q1 2024",
    "R> run(x)",
    "1",
    "a.",
]
COUNTED = ("Arno", "gauge", "1,204", "below")
WIDTHS = (40, 60, 90, 150)
cells = st.lists(st.sampled_from(["", *WORDS]), min_size=1, max_size=6)


@st.composite
def contents(draw: st.DrawFn) -> tuple[str, list[str]]:
    """What a page draws, and the words on it: blocks of rows of cells, some ruled or filled, between lines of prose."""
    y, drawn, said = 760.0, "", list[str]()
    for _ in range(draw(st.integers(1, 4))):
        step = draw(st.sampled_from(WIDTHS))
        left, size = draw(st.sampled_from((72, 90, 310))), draw(st.sampled_from((7.0, 10.0, 16.0)))
        lead, ruled = (
            size * draw(st.sampled_from((1.1, 1.5, 2.2))),
            draw(st.sampled_from(("", "rows", "ends", "grid", "fill"))),
        )
        rows = draw(st.lists(cells, min_size=1, max_size=7))
        top, right = y + size, left + step * max(map(len, rows))
        for at, row in enumerate(rows):
            if ruled == "fill" and at % 2:
                drawn += f"0.9 g {left} {y - 0.3 * size} {right - left} {lead} re f 0 g\n"
            for column, cell in enumerate(row):
                aside = draw(st.sampled_from((0.0, 0.0, 0.0, 0.4 * size)))
                font = draw(st.sampled_from(("F1", "F1", "F1", "F2", "F3", "F4")))
                if cell and y - aside > 20:
                    drawn += text(left + column * step, y - aside, cell, size=size, font=font)
                    said += cell.split()
            if ruled in {"rows", "grid"} or (ruled == "ends" and at in {0, len(rows) - 1}):
                drawn += rule(left, y - 0.4 * size, right, y - 0.4 * size)
            y -= lead
        if ruled == "grid":
            drawn += "".join(rule(x, y + lead, x, top) for x in range(left, int(right) + 1, step))
        y -= draw(st.sampled_from((0.0, 6.0, 30.0)))
    return drawn, said


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pages=st.lists(contents(), min_size=1, max_size=2))
def test_any_page_is_understood(pages: list[tuple[str, list[str]]]) -> None:
    pdf = Pdf()
    for drawn, _ in pages:
        pdf.page(drawn)
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "any.pdf"), Limits(ocr=False))
    assert not [notice for notice in document.notices if "understood" in notice.message]
    said = [word for _, words in pages for word in words]  # a sentence that a page end cuts stands on the first of both
    shown = repr(document.parts) + repr(document.elements)
    assert {word: shown.count(word) >= said.count(word) for word in COUNTED} == dict.fromkeys(COUNTED, True)
