"""A paper in two columns with Roman numbers; by reportlab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, NextPageTemplate, PageTemplate, Paragraph


def make(path: Path, prose: Callable[[str, int], str]) -> None:
    text = ParagraphStyle("text", fontName="Times-Roman", fontSize=10, leading=11.5, alignment=4, firstLineIndent=10)
    one = ParagraphStyle("one", parent=text, alignment=1, spaceBefore=9, spaceAfter=4, firstLineIndent=0)
    two = ParagraphStyle("two", parent=text, fontName="Times-Italic", spaceBefore=6, spaceAfter=2, firstLineIndent=0)
    title = ParagraphStyle("title", parent=one, fontSize=22, leading=26)
    author = ParagraphStyle("author", parent=one, fontSize=11, leading=13)
    small = ParagraphStyle("small", parent=text, fontName="Times-Bold", fontSize=9, leading=10)

    def capitals(number: str, words: str) -> Paragraph:
        shown = " ".join(f'{w[0]}<font size="8">{w[1:].upper()}</font>' for w in words.split())
        return Paragraph(f"{number} {shown}", one)

    story: list[Any] = [
        Paragraph("Estimating Tides from Cheap Pressure Sensors", title),
        Paragraph("Piet Oyelaran and Kari Amundsen, <i>Member, HAL</i>", author),
        NextPageTemplate("later"),
        FrameBreak(),
    ]
    story += [
        Paragraph(f"<i>Abstract</i>—{prose('en', 4)}", small),
        Paragraph("<i>Index Terms</i>—tides, sensors, pressure.", small),
    ]
    story += [
        capitals("I.", "Introduction"),
        *(Paragraph(prose("en", 6), text) for _ in range(2)),
        capitals("II.", "Related Work"),
        Paragraph(prose("en", 7), text),
    ]
    story += [
        Paragraph("A. Acoustic gauges", two),
        Paragraph(prose("en", 6), text),
        Paragraph("B. Gauges that measure pressure", two),
        Paragraph(prose("en", 8), text),
    ]
    story += [
        capitals("III.", "Method"),
        Paragraph(prose("en", 6), text),
        Paragraph("A. Calibration", two),
        Paragraph(prose("en", 6), text),
        Paragraph("B. Drift", two),
        Paragraph(prose("en", 6), text),
    ]
    story += [
        capitals("IV.", "Results"),
        *(Paragraph(prose("en", 7), text) for _ in range(3)),
        capitals("V.", "Conclusion"),
        Paragraph(prose("en", 4), text),
    ]
    story += [
        capitals("", "References"),
        Paragraph("[1] A. Berg, “Tides of the north,” <i>Coastal Works</i>, vol. 3, 2011.", text),
    ]
    left, right = Frame(50, 50, 250, 560, id="l"), Frame(312, 50, 250, 560, id="r")
    full = [Frame(50, 50, 250, 690, id="l2"), Frame(312, 50, 250, 690, id="r2")]

    def first(canvas: Any, document: Any) -> None:
        canvas.setFont("Times-Roman", 7)
        canvas.drawString(50, 765, "LINDVIK TRANSACTIONS ON MEASUREMENT, VOL. 4, NO. 2, MARCH 2025")
        canvas.drawRightString(562, 765, str(document.page))

    pages = [
        PageTemplate("first", [Frame(50, 620, 512, 130), left, right], onPage=first),
        PageTemplate("later", full, onPage=first),
    ]
    BaseDocTemplate(str(path), pagesize=letter, pageTemplates=pages).build(story)
