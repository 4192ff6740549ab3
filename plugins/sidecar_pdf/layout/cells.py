"""The text of table cells, and what it tells: whether it is a figure, and whether the first row names columns."""

from __future__ import annotations

import re

from sidecar_pdf.text.segments import Word

NUMERIC = re.compile(
    r"^[\s$€£¥%()+\-–−.,\d/:*†‡§<>≤≥~±×#]*\d[\s$€£¥%()+\-–−.,\d/:*†‡§<>≤≥~±×kKMBx]*$|^[-–—]+$|^n/?a$", re.IGNORECASE
)


def cell_text(words: list[Word]) -> str:
    """The words of a cell in order, lines joined by a space and hyphenation undone."""
    if not words:
        return ""
    text = ""
    previous: Word | None = None
    for word in words:
        if previous is None:
            text = word.text
        elif text.endswith("\xad"):
            text = text[:-1] + word.text
        elif word.glued and word.y0 < previous.y1 and word.x0 - previous.x1 < 0.5:
            text += word.text
        else:
            text += " " + word.text
        previous = word
    return text.replace("\xad", "-").strip()


def header_rows(rows: list[list[str]], *, bold: bool = False) -> int:
    """1 when the first row names columns: set in bold, or words above numbers."""
    if len(rows) < 2:
        return 0
    first = [text for text in rows[0] if text]
    if not first or any(NUMERIC.match(text) and not re.fullmatch(r"(?:19|20)\d\d", text) for text in first):
        return 0
    if bold:
        return 1
    body = [text for row in rows[1:] for text in row if text]
    return int(bool(body) and sum(bool(NUMERIC.match(text)) for text in body) >= 0.25 * len(body))
