"""A datasheet with short titles over lists and tables; by reportlab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import ListFlowable, Paragraph, SimpleDocTemplate, Table, TableStyle


def make(path: Path, prose: Callable[[str, int], str]) -> None:
    text = ParagraphStyle("text", fontName="Helvetica", fontSize=9, leading=11.5)
    head = ParagraphStyle(
        "head",
        fontName="Helvetica-Bold",
        fontSize=9.5,
        leading=12,
        backColor=colors.HexColor("#dde6f0"),
        spaceBefore=10,
        spaceAfter=4,
        borderPadding=2,
    )
    title = ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=20, leading=24)
    grid = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
            ("FONTSIZE", (0, 0), (-1, -1), 8),
            ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
        ]
    )
    story: list[Any] = [
        Paragraph("PS-200", title),
        Paragraph("Pressure sensor for tide gauges", ParagraphStyle("s", parent=text, fontSize=12, spaceAfter=8)),
    ]
    story += [
        Paragraph("Features", head),
        ListFlowable(
            [
                Paragraph(t, text)
                for t in ("Range 0 to 20 m of water", "Drift below 0.1 % a year", "Runs for two years on one battery")
            ],
            bulletType="bullet",
        ),
    ]
    story += [
        Paragraph("Applications", head),
        ListFlowable([Paragraph(t, text) for t in ("Tide gauges", "Wells", "Tanks")], bulletType="bullet"),
    ]
    story += [
        Paragraph("General Description", head),
        Paragraph(prose("en", 6), text),
        Paragraph("Absolute Maximum Ratings", head),
    ]
    story += [
        Table(
            [
                ["Symbol", "Parameter", "Min", "Max", "Unit"],
                ["V", "Supply voltage", "-0.3", "6.0", "V"],
                ["T", "Temperature", "-20", "70", "°C"],
            ],
            style=grid,
        )
    ]
    story += [
        Paragraph("Pin Functions", head),
        Table(
            [["Pin", "Name", "Function"], ["1", "VDD", "Supply"], ["2", "GND", "Ground"], ["3", "SDA", "Data"]],
            style=grid,
        ),
    ]
    story += [Paragraph("Ordering Information", head), Paragraph(prose("en", 3), text)]

    def feet(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 7)
        canvas.drawString(72, 30, "PS-200 Rev. C, March 2025")
        canvas.drawRightString(523, 30, "www.lisle.example")

    SimpleDocTemplate(str(path), pagesize=A4).build(story, onFirstPage=feet, onLaterPages=feet)
