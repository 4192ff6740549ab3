"""A conference paper in one column with run-in third heads; by reportlab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Table, TableStyle


class _Mark(Flowable):
    def __init__(self, title: str, level: int) -> None:
        super().__init__()
        self.title, self.level = title, level

    def draw(self) -> None:
        self.canv.bookmarkPage(self.title)
        self.canv.addOutlineEntry(self.title, self.title, self.level)


def _edges(canvas: Canvas, document: Any) -> None:
    canvas.setFont("Helvetica", 7)
    if document.page == 1:
        canvas.drawString(70, 40, "Proc. 14th Conf. on Cheap Instruments (CCI 2025), pp. 88-91")
    else:
        canvas.drawString(70, 800, "Oyelaran et al." if document.page % 2 == 0 else "Cheap tides")
    canvas.drawRightString(525, 40, str(87 + document.page))


def make(path: Path, prose: Callable[[str, int], str], outline: bool) -> None:
    text = ParagraphStyle("text", fontName="Helvetica", fontSize=9.5, leading=12, alignment=4, spaceAfter=4)
    one = ParagraphStyle("one", parent=text, fontName="Helvetica-Bold", fontSize=12, spaceBefore=10)
    two = ParagraphStyle("two", parent=text, fontName="Helvetica-Bold", spaceBefore=6)
    title = ParagraphStyle("title", parent=one, fontSize=18, leading=22, alignment=1, spaceAfter=8)
    middle = ParagraphStyle("middle", parent=text, alignment=1)
    note = ParagraphStyle("note", parent=text, fontSize=8, alignment=1)
    story: list[Any] = []

    def heading(level: int, words: str, style: ParagraphStyle) -> None:
        if outline:
            story.append(_Mark(words, level))
        story.append(Paragraph(words, style))

    heading(0, "Reading Tides with a Ten-Pound Sensor", title)
    story.append(Paragraph("Piet Oyelaran<super>1</super>, Hester Quill<super>1,2</super> and Kari Amundsen", middle))
    story.append(Paragraph("<super>1</super>Institute of Coastal Studies, Kelso<br/>piet@kelso.example", middle))
    heading(1, "Abstract", two)
    story.append(Paragraph(prose("en", 4), text))
    heading(0, "1. Introduction", one)
    story += [Paragraph(prose("en", 6), text) for _ in range(2)]
    heading(0, "2. The sensor", one)
    heading(1, "2.1. Housing", two)
    story.append(Paragraph(prose("en", 5), text))
    heading(1, "2.2. Electronics", two)
    story.append(Paragraph(prose("en", 5), text))
    story.append(Paragraph("<b>Supply.</b> " + prose("en", 3), text))
    story.append(Paragraph("<b>Radio.</b> " + prose("en", 3), text))
    rows = [["Part", "Price"], ["Sensor", "4.10"], ["Board", "3.20"], ["Case", "2.40"]]
    rules = [("LINEABOVE", (0, 0), (-1, 0), 1, "black"), ("LINEBELOW", (0, -1), (-1, -1), 1, "black")]
    story.append(Table(rows, style=TableStyle(rules)))
    story.append(Paragraph("<b>Table 1.</b> Parts and prices in pounds", note))
    heading(0, "3. Field trial", one)
    story += [Paragraph(prose("en", 8), text) for _ in range(2)]
    heading(0, "4. Results and discussion", one)
    story += [Paragraph(prose("en", 7), text) for _ in range(3)]
    heading(0, "Acknowledgements", one)
    story.append(Paragraph(prose("en", 1), text))
    heading(0, "References", one)
    story.append(Paragraph("[1] Marsh, O.: Clocks by the Water. Kelso, 2021.", text))
    story.append(Paragraph("[2] Penrose, E.: Harbours. London, 1999.", text))
    frame = Frame(70, 60, 455, 720)
    document = BaseDocTemplate(str(path), pagesize=A4)
    document.addPageTemplates(PageTemplate("page", [frame], onPage=_edges))
    document.build(story)
