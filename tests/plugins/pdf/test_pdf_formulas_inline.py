"""Formulas in the midst of sentences, where their letters are of several fonts and sizes within one word."""

from __future__ import annotations

import pytest
from sidecar_pdf import PdfFormat
from support.formats.pdf_builder import Pdf, lines
from support.formats.pdf_prose import PROSE
from support.formats.plugin_reading import of

from sidecar.api import Limits, Paragraph, Source

Run = tuple[str, str, float, float]
"""What is set, by which font, how large, and by how much raised, in points."""


def said(*runs: Run) -> str:
    """The text of a page with runs in the midst of a sentence."""
    pdf = Pdf()
    letters = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /CMMI10 /Encoding /WinAnsiEncoding >>")
    shown = "BT 1 0 0 1 72 700 Tm /F1 10 Tf (In case of ) Tj\n"
    for run, font, size, rise in (*runs, (" all of them are told.", "F1", 10, 0)):
        escaped = run.replace("(", r"\(").replace(")", r"\)")
        shown += f"/{font} {size} Tf {rise} Ts ({escaped}) Tj\n"
    pdf.page(lines(72, 740, PROSE[:2]) + shown + "ET\n", fonts={"M": letters})
    document = PdfFormat().parse(Source.of_bytes(pdf.bytes(), "made.pdf"), Limits(ocr=False))
    return " ".join(block.text for block in of(document, Paragraph))


@pytest.mark.parametrize(
    ("runs", "typed"),
    [
        ([("F", "M", 10, 0), ("k", "M", 7, -1.5), ("(x)", "F1", 10, 0)], "F_k(x)"),
        ([("R", "M", 10, 0), ("emp", "M", 7, -1.5), ("[f]", "M", 10, 0)], "R_emp[f]"),
        ([("10", "F1", 10, 0), ("-15", "F1", 7, 3.6), (",", "F1", 10, 0)], "10^(-15),"),
        ([("z", "M", 10, 0), (" or (Y", "F2", 10, 0), ("1", "F1", 7, -1.5), (",", "F1", 10, 0)], "z or (Y_1,"),
        ([("z", "M", 10, 0), (" or (", "F1", 10, 0), ("X", "M", 10, 0), ("1", "F1", 7, -1.5)], "z or (X_1"),
        ([("Z", "M", 10, 0), ("j", "M", 7, -1.5), ("*", "F1", 5, -0.5), (",", "F1", 10, 0)], "Z_(j^*),"),
        ([("VaR", "F1", 10, 0), ("a", "M", 7, -1.5), (".", "F1", 10, 0)], "VaR_a."),
        (
            [("(r", "M", 10, 0), (" +", "F1", 10, 0), (" 3)", "F1", 10, 0), ("2", "F1", 7, 3.6), (",", "F1", 10, 0)],
            "(r + 3)^2,",
        ),
    ],
    ids=[
        "index",
        "index of letters",
        "negative power",
        "of a bold letter",
        "behind a bracket",
        "of an index",
        "of a name",
        "of a bracket",
    ],
)
def test_scripts_within_a_word_are_typed(runs: list[Run], typed: str) -> None:
    assert f"In case of {typed} all" in said(*runs)


@pytest.mark.parametrize(
    ("runs", "plain"),
    [
        ([("(as", "F1", 10, 0), (" told)", "F1", 10, 0), ("2", "F1", 7, 3.6), (",", "F1", 10, 0)], "(as told)²,"),
        ([("H", "F1", 10, 0), ("2", "F1", 7, -1.5), ("O", "F1", 10, 0)], "H2O"),
    ],
    ids=["note", "chemical formula"],
)
def test_small_numbers_that_are_no_scripts_of_formulas_stay(runs: list[Run], plain: str) -> None:
    assert f"In case of {plain} all" in said(*runs)
