"""An inspection report with numbered sections and findings; by fpdf2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fpdf import FPDF


class _Report(FPDF):
    def header(self) -> None:
        self.set_font("times", "I", 8)
        self.cell(0, 5, "Inspection report 25-0417 - Ulmer Weir", align="R", new_x="LMARGIN", new_y="NEXT")
        self.ln(3)

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("times", "", 8)
        self.cell(0, 5, f"{self.page_no()}", align="C")


def make(path: Path, prose: Callable[[str, int], str], outline: bool) -> None:
    pdf = _Report()
    pdf.add_page()

    def heading(level: int, text: str, size: int, style: Any) -> None:
        pdf.set_font("times", style, size)
        if outline:
            pdf.start_section(text, level)
        pdf.ln(2)
        pdf.cell(0, size * 0.5, text, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(1)

    def text(count: int) -> None:
        pdf.set_font("times", "", 11)
        pdf.multi_cell(0, 5, prose("en", count), new_x="LMARGIN", new_y="NEXT")

    heading(0, "Inspection of the pumps at Ulmer Weir", 16, "B")
    pdf.set_font("times", "", 11)
    for name, value in (("Client", "Kelso Water Board"), ("Inspector", "D. Whitlock"), ("Date", "17 April 2025")):
        pdf.cell(0, 5, f"{name}: {value}", new_x="LMARGIN", new_y="NEXT")
    heading(1, "1 Summary", 13, "B")
    text(4)
    heading(1, "2 Findings", 13, "B")
    for number, name in enumerate(("Pump 1", "Pump 2", "Control room"), 1):
        heading(2, f"2.{number} {name}", 11, "B")
        text(5)
        pdf.set_font("times", "B", 11)
        pdf.write(5, "Finding: ")
        pdf.set_font("times", "", 11)
        pdf.write(5, prose("en", 1))
        pdf.ln(6)
    heading(1, "3 Recommendations", 13, "B")
    heading(2, "3.1 Immediate", 11, "B")
    text(3)
    heading(2, "3.2 Within a year", 11, "B")
    text(3)
    heading(1, "Annex: Photographs", 13, "B")
    pdf.rect(20, pdf.get_y() + 3, 80, 40)
    pdf.ln(45)
    pdf.set_font("times", "I", 9)
    pdf.cell(0, 5, "Photo 1: Pump 2 seen from the north", new_x="LMARGIN", new_y="NEXT")
    pdf.output(str(path))
