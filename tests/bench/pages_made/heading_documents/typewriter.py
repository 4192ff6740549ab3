"""Italian notes whose headings are in the type of the text, numbered and underlined; by fpdf2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fpdf import FPDF


def make(path: Path, prose: Callable[[str, int], str]) -> None:
    pdf = FPDF(format="A4")
    pdf.add_font("S", "", "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf")
    pdf.set_margins(25, 20)
    pdf.add_page()
    pdf.set_font("S", "", 11)

    def line(text: str, align: str = "L", gap: float = 3.0, style: Any = "") -> None:
        pdf.set_font("S", style, 11)
        pdf.multi_cell(0, 5.5, text, align=align, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(gap)

    line("RELAZIONE SULLE ACQUE DEL LAGO", "C", 6)
    for at, name in enumerate(
        (
            "Premessa",
            "Stato delle rive",
            "Livelli e portate nel corso dell’anno",
            "Qualità dell’acqua",
            "Interventi proposti",
            "Conclusioni",
        ),
        1,
    ):
        line(f"{at}. {name}", "L", 2)
        line(prose("it", 5), "J", 2)
        line(prose("it", 3), "J", 4)
        if at == 4:
            for sub in ("a) Prelievi", "b) Analisi"):
                line(sub, "L", 1, "U")
                line(prose("it", 4), "J", 3)
    pdf.output(str(path))
