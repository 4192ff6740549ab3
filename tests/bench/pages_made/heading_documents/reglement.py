"""The rules of a French association; by fpdf2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fpdf import FPDF


def make(path: Path, prose: Callable[[str, int], str]) -> None:
    pdf = FPDF(format="A4")
    pdf.add_font("S", "", "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf")
    pdf.add_font("S", "B", "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf")
    pdf.set_margins(25, 20)
    pdf.add_page()

    def line(text: str, size: int, style: Any = "", align: str = "L", gap: float = 2.0) -> None:
        pdf.set_font("S", style, size)
        pdf.multi_cell(0, size * 0.5, text, align=align, new_x="LMARGIN", new_y="NEXT")
        pdf.ln(gap)

    line("RÈGLEMENT INTÉRIEUR", 16, "B", "C", 1)
    line("de l’association Les Jardins de l’Orme", 11, "", "C", 6)
    number = 0
    for title, articles in (
        ("TITRE I – DISPOSITIONS GÉNÉRALES", ("Objet", "Siège", "Durée")),
        ("TITRE II – MEMBRES", ("Admission", "Cotisation", "Radiation")),
        ("TITRE III – FONCTIONNEMENT", ("Conseil d’administration", "Assemblée générale")),
    ):
        line(title, 12, "", "C", 3)
        for name in articles:
            number += 1
            line(f"Article {number} : {name}", 11, "B", "L", 1)
            line(prose("fr", 3 + number % 3), 11, "", "J", 3)
    line("Fait à Ormeville, le 14 mai 2024", 11, "", "R")
    pdf.output(str(path))
