"""A statement of account without headings; by fpdf2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fpdf import FPDF


def make(path: Path, prose: Callable[[str, int], str], outline: bool) -> None:
    pdf = FPDF()
    pdf.set_author("with outline" if outline else "")
    for page in range(1, 3):
        pdf.add_page()
        pdf.set_font("helvetica", "B", 12)
        pdf.cell(0, 6, "KELSO SAVINGS BANK", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", "", 9)
        for line in ("Mrs M. Whitlock", "17 Quay Road", "Kelso KL2 4RT"):
            pdf.cell(0, 4.5, line, new_x="LMARGIN", new_y="NEXT")
        for name, value in (("Statement date:", "31 May 2025"), ("Account:", "01020304"), ("Page:", f"{page} of 2")):
            pdf.set_font("helvetica", "B", 9)
            pdf.cell(35, 4.5, name)
            pdf.set_font("helvetica", "", 9)
            pdf.cell(0, 4.5, value, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(4)
        for number in range(22):
            day, what = f"{number + 1:02} May", ("Card payment", "Transfer", "Cash", "Direct debit")[number % 4]
            for width, text in (
                (25, day),
                (90, what),
                (30, f"{17.35 * (number + page):.2f}"),
                (0, f"{900 - number}.10"),
            ):
                pdf.cell(width, 5, text)
            pdf.ln(5)
        pdf.set_font("helvetica", "B", 9)
        pdf.cell(0, 8, f"Balance carried forward: {800 - page}.10", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", "", 7)
        pdf.set_y(-25)
        pdf.multi_cell(0, 3, prose("en", 2))
    pdf.output(str(path))
