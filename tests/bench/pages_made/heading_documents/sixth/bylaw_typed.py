"""A by-law as typewritten pages with centred articles; by reportlab."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

ARTICLES = (
    (1, "PART I - THE SOCIETY"), (2, "Article 1. Name"), (2, "Article 2. Objects"), (1, "PART II - MEMBERS"),
    (2, "Article 3. Admission"), (2, "Article 4. Fees"), (2, "Article 5. Expulsion"), (1, "PART III - MEETINGS"),
    (2, "Article 6. General meeting"), (2, "Article 7. Votes"), (1, "PART IV - DISSOLUTION"),
    (2, "Article 8. Assets"),
)  # fmt: skip


def make(path: Path, prose: Callable[[str, int], str], outline: bool) -> None:
    lines = [("BY-LAWS OF THE KELSO ROWING SOCIETY".center(64).rstrip(), 0), ("as amended in 1987".center(64), -1)]
    for level, title in ARTICLES:
        lines += [("", -1), ("", -1), (title.center(64).rstrip() if level == 1 else title, level), ("", -1)]
        if level == 2:
            lines += [(line, -1) for line in textwrap.wrap(prose("en", 3), 64)]
    canvas = Canvas(str(path), pagesize=A4)
    for number, at in enumerate(range(0, len(lines), 44), 1):
        canvas.setFont("Courier", 11)
        for row, (text, level) in enumerate(lines[at : at + 44]):
            canvas.drawString(85, 760 - row * 15, text)
            if outline and level >= 0:
                canvas.bookmarkPage(f"{number}-{row}")
                canvas.addOutlineEntry(text.strip(), f"{number}-{row}", level)
        canvas.drawCentredString(297, 50, f"-{number}-")
        canvas.showPage()
    canvas.save()
