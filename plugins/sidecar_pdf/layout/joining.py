"""Joins the lines of a paragraph to one text: hyphens, scripts written without spaces, and the stretches that look
different or lead elsewhere."""

from __future__ import annotations

import re

from sidecar.api import Box, Span
from sidecar_pdf.layout.layout import Line
from sidecar_pdf.text.segments import Word

Link = tuple[Box, str]
"""Where a link can be clicked, and its target."""

_CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u30ff]")


def join_lines(lines: list[Line], vocabulary: set[str], links: list[Link]) -> tuple[str, tuple[Span, ...]]:
    """The text of the lines as one paragraph, and its bold, italic and linked stretches."""
    parts: list[str] = []
    length = 0
    marks: list[tuple[int, int, Word]] = []
    last = ""
    mixed = _is_mixed(lines)
    for number, line in enumerate(lines):
        for place, segment in enumerate(line.segments):
            for at, word in enumerate(segment.words):
                token = word.text
                if length == 0:
                    glue = ""
                elif at == 0 and place == 0 and number:
                    glue, drop = line_glue(last, token, vocabulary)
                    if drop:
                        parts[-1] = parts[-1][:-1]
                        length -= 1
                elif at and word.glued:
                    glue = ""
                else:
                    glue = " "
                start = length + len(glue)
                parts.append(glue + token)
                length = start + len(token)
                last = token
                if mixed or links:
                    marks.append((start, length, word))
    text = "".join(parts)
    if "\xad" in text:
        text = text.replace("\xad", "-")  # a hyphen that stayed: one character for one, so that spans hold
    return text, (*_looks(marks, mixed), *_linked(marks, links))


def line_glue(last: str, token: str, vocabulary: set[str]) -> tuple[str, bool]:
    """What to put between the last word of a line and the first of the next, and whether the hyphen goes."""
    end = last[-1:]
    if end in "-\xad\u2010" and len(last) > 1 and (last[-2].isalpha() or last[-2].isdigit()):
        stem = last[:-1]
        first = re.match(r"\w+", token)
        if token[:1].islower() and stem[-1:].isalpha():
            word = first[0] if first else token
            joined, kept = (stem + word).lower(), f"{stem}-{word}".lower()
            compound = "-" in stem or (kept in vocabulary and joined not in vocabulary)
            return "", not compound
        return "", False
    if end and token and _CJK.match(end) and _CJK.match(token):
        return "", False
    return " ", False


def _is_mixed(lines: list[Line]) -> bool:
    first = lines[0].style
    return any(
        word.style is not first and (word.style.bold != first.bold or word.style.italic != first.italic)
        for line in lines for segment in line.segments for word in segment.words
    )  # fmt: skip


def _looks(marks: list[tuple[int, int, Word]], mixed: bool) -> list[Span]:
    spans: list[Span] = []
    if not mixed:
        return spans
    for kind in ("bold", "italic"):
        start = end = -1
        for left, right, word in [*marks, (1 << 30, 1 << 30, None)]:
            if word is not None and (word.style.bold if kind == "bold" else word.style.italic):
                start = left if start < 0 else start
                end = right
            elif start >= 0:
                spans.append(Span(kind, start, end))
                start = -1
    return spans


def _linked(marks: list[tuple[int, int, Word]], links: list[Link]) -> list[Span]:
    spans: list[Span] = []
    for box, target in links:
        start = end = -1
        for left, right, word in marks:
            x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
            if box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1:
                start = left if start < 0 else start
                end = right
        if start >= 0:
            spans.append(Span("link", start, end, target))
    return spans
