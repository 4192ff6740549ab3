"""An annual report: a cover, a list of contents, numbered headings, a running head; by reportlab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle


def make(path: Path, prose: Callable[[str, int], str]) -> None:
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=10.5, leading=14, spaceAfter=6, alignment=4)
    h1 = ParagraphStyle(
        "h1",
        fontName="Helvetica",
        fontSize=18,
        leading=22,
        textColor=colors.HexColor("#336600"),
        spaceBefore=12,
        spaceAfter=10,
    )
    h2 = ParagraphStyle("h2", fontName="Helvetica-Bold", fontSize=11, leading=14, spaceBefore=8, spaceAfter=2)
    h3 = ParagraphStyle("h3", fontName="Times-Italic", fontSize=10.5, leading=14, spaceBefore=6)
    cover = ParagraphStyle("cover", fontName="Helvetica", fontSize=34, leading=40, spaceBefore=200)
    story: list[Any] = [
        Paragraph("Annual Report 2024", cover),
        Spacer(1, 20),
        Paragraph("Water Works of Lindvik", ParagraphStyle("c2", parent=h1)),
        PageBreak(),
    ]
    story.append(Paragraph("Contents", h1))
    for line, page in (
        ("1 Letter from the director", 3),
        ("2 Supply", 3),
        ("2.1 Wells", 3),
        ("2.2 Network", 3),
        ("3 People", 4),
        ("4 Accounts", 4),
    ):
        story.append(Paragraph(f"{line} {'.' * 60} {page}", body))
    story += [PageBreak(), Paragraph("1 Letter from the director", h1)]
    story += [
        Paragraph(prose("en", 5), body),
        Paragraph(prose("en", 5), body),
        Paragraph("<b>Kari Amundsen</b><br/>Director", body),
    ]
    story += [
        Paragraph("2 Supply", h1),
        Paragraph(prose("en", 3), body),
        Paragraph("2.1 Wells", h2),
        Paragraph(prose("en", 5), body),
    ]
    story += [Paragraph("2.2 Network", h2), Paragraph(prose("en", 4), body)]
    for name in ("Old town", "Harbour", "Northern hills"):
        story += [Paragraph(name, h3), Paragraph(prose("en", 4), body)]
    story += [Paragraph("3 People", h1), Paragraph(prose("en", 6), body), Paragraph("4 Accounts", h1)]
    rows = [
        ["", "2023", "2024"],
        ["Income", "4,210", "4,377"],
        ["Staff", "1,900", "1,984"],
        ["Energy", "870", "911"],
        ["Result", "310", "288"],
    ]
    story += [
        Table(
            rows,
            style=TableStyle(
                [("LINEBELOW", (0, 0), (-1, 0), 1, colors.black), ("FONTNAME", (0, 4), (-1, 4), "Helvetica-Bold")]
            ),
        ),
        Paragraph(prose("en", 4), body),
    ]

    def later(canvas: Any, document: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, 805, "WATER WORKS OF LINDVIK")
        canvas.drawRightString(523, 40, f"Annual Report 2024 | {document.page}")

    SimpleDocTemplate(str(path), pagesize=A4).build(story, onLaterPages=later)
