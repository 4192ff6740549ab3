"""A memorandum as typewritten pages, with page heads and feet; by reportlab."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

PARTS = (
    (0, "Abstract", 3), (0, "1.  Introduction", 6), (1, "1.1.  Terminology", 4), (1, "1.2.  Overview", 6),
    (0, "2.  Message Format", 5), (1, "2.1.  Header", 5), (2, "2.1.1.  Flags", 4), (2, "2.1.2.  Length", 4),
    (1, "2.2.  Body", 6), (0, "3.  Security Considerations", 6), (0, "4.  IANA Considerations", 2),
    (0, "5.  References", 2), (0, "Authors' Addresses", 1),
)  # fmt: skip


def make(path: Path, prose: Callable[[str, int], str], outline: bool) -> None:
    canvas = Canvas(str(path), pagesize=letter)
    lines: list[tuple[str, int]] = [("Tide Working Group                                             P. Oyelaran", -1)]
    lines += [("Memo: 114                                                       K. Amundsen", -1)]
    lines += [("Category: Informational                                          March 2025", -1), ("", -1), ("", -1)]
    lines += [("The Gauge Message Protocol (GMP)".center(72).rstrip(), 0), ("", -1)]
    for level, title, sentences in PARTS:
        lines += [("", -1), (title, level + 1), ("", -1)]
        lines += [("   " + line, -1) for line in textwrap.wrap(prose("en", sentences), 69)]
        if title.endswith("Header"):
            drawn = ("    0                   1", "   +-+-+-+-+-+-+-+-+-+-+-+", "   |  Type |    Length   |",
                     "   +-+-+-+-+-+-+-+-+-+-+-+", "          Figure 1: Header")  # fmt: skip
            lines += [("", -1), *((line, -1) for line in drawn)]
    for number, at in enumerate(range(0, len(lines), 46), 1):
        canvas.setFont("Courier", 10)
        if number > 1:
            canvas.drawString(90, 740, "Memo 114                 Gauge Message Protocol               March 2025")
        for row, (text, level) in enumerate(lines[at : at + 46]):
            canvas.drawString(90, 712 - row * 12.5, text)
            if outline and level >= 0:
                canvas.bookmarkPage(f"{number}-{row}")
                canvas.addOutlineEntry(text.strip(), f"{number}-{row}", max(level - 1, 0))
        canvas.drawString(90, 60, f"Oyelaran & Amundsen          Informational                     [Page {number}]")
        canvas.showPage()
    canvas.save()
