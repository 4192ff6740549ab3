"""Blocks split into chapters at the top-level headings, and headings found where a document styles none.

Front matter of a few lines (a title, a subtitle, a date) belongs to the first chapter; more is a chapter of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.api.model import AnyBlock, Heading, Note, Paragraph
from sidecar_docx.body.text import text_of

_FRONT_CHARACTERS = 400
_TITLED = re.compile(
    r"(?:chapter|part|section|appendix|annex|article|kapitel|teil|abschnitt|anhang|chapitre|partie|annexe|capítulo|"
    r"parte|sección|capitolo|hoofdstuk|глава|раздел)\s+(?:\d{1,3}|[ivxlc]{1,6}|[a-z])\b[.:–—-]?(?:\s|$)|"
    r"第\s*[0-9一二三四五六七八九十百]{1,4}\s*[章节部编]",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?[ \t\u3000]+(?=[^\W\d_])")
_LETTERED = re.compile(r"(?:[A-Z]|[IVX]{1,5})\.[ \t\u3000]+(?=[^\W\d_])")
_ENDS_A_SENTENCE = (".", ",", ";", ":", "!", "?", "。", "，", "；")


@dataclass(frozen=True)
class Chapter:
    """The body blocks `start` up to `end` (0-based, exclusive) and the title they go by."""

    start: int
    end: int
    title: str


def found_headings(blocks: list[AnyBlock], prominent: set[int]) -> list[AnyBlock]:
    """`blocks` with paragraphs that look like headings made headings, where the document styles none as such.

    "Chapter 3 …" and "2.1 Results" count by their words, other short lines by being wholly bold or in capitals. A
    guess must show a pattern: at least two, most of them followed by text, and fewer than half of all paragraphs.
    """
    if any(isinstance(block, Heading) for block in blocks):
        return blocks
    guesses: dict[int, tuple[int, str, str]] = {}
    paragraphs = 0
    for index, block in enumerate(blocks):
        if not isinstance(block, Paragraph) or block.style not in {"", "title"}:
            continue
        paragraphs += 1
        guess = _guess(block, id(block) in prominent)
        if guess is not None and block.style == "":
            guesses[index] = guess
    if len(guesses) < 2 or len(guesses) * 2 > paragraphs:
        return blocks
    runs = sum(index - 1 not in guesses for index in guesses)  # a heading of several lines is one
    followed = sum(index + 1 < len(blocks) and index + 1 not in guesses for index in guesses)
    if runs < 2 or followed * 2 < runs:
        return blocks
    for index in sorted(guesses):
        before = guesses.get(index - 1)
        level, number, text = guesses[index]
        if before is not None and before[0] == level and not number and not _TITLED.match(text):
            guesses[index] = (level + 1, number, text)  # the second line of a title
    deep = min(level for level, _, _ in guesses.values()) - 1
    made = list(blocks)
    for index, (level, number, text) in guesses.items():
        block = blocks[index]
        if isinstance(block, Paragraph):
            # Spans count from the paragraph's start, so they only fit when no number is taken off.
            spans = block.spans if not number else ()
            made[index] = Heading(
                text=text, level=level - deep, number=number, spans=spans, anchor=block.anchor, hidden=block.hidden
            )
    return made


def _guess(block: Paragraph, bold: bool) -> tuple[int, str, str] | None:
    """`(level, number, text)` of a paragraph that looks like a heading."""
    text = block.text
    if len(text) > 120 or "\n" in text or text.endswith(_ENDS_A_SENTENCE) or not any(map(str.isalpha, text)):
        return None
    if _TITLED.match(text):
        return 1, "", text
    numbered = _NUMBERED.match(text)
    if numbered and (bold or (len(text) <= 80 and text[numbered.end()].isupper())):
        return numbered[1].count(".") + 1, numbered[1], text[numbered.end() :]
    capitals = text.isupper() and len(text) <= 80 and sum(map(str.isalpha, text)) >= 4
    if (bold or capitals) and (lettered := _LETTERED.match(text)):
        return 2, lettered[0].strip(" \t\u3000."), text[lettered.end() :]
    return (1, "", text) if bold or capitals else None


def split(blocks: Sequence[AnyBlock], most: int) -> list[Chapter]:
    """Chapters of the body, at most `most` of them (what is over stays in the last)."""
    levels = [block.level for block in blocks if isinstance(block, Heading) and not block.hidden]
    if not levels:
        title = next((b.text for b in blocks if isinstance(b, Paragraph) and b.style == "title"), "")
        return [Chapter(0, len(blocks), _short(title))] if blocks else []
    top = min(levels)
    starts = [i for i, b in enumerate(blocks) if isinstance(b, Heading) and b.level == top and not b.hidden][:most]
    chapters = [
        Chapter(start, end, _title(blocks[start]))
        for start, end in zip(starts, [*starts[1:], len(blocks)], strict=True)
    ]
    if starts[0] == 0:
        return chapters
    front = blocks[: starts[0]]
    if _is_short(front):
        chapters[0] = Chapter(0, chapters[0].end, chapters[0].title)
        return chapters
    title = next((b.text for b in front if isinstance(b, Paragraph) and b.style == "title"), "")
    if not title:
        title = next((text_of(b) for b in front if isinstance(b, (Heading, Paragraph))), "")
    return [Chapter(0, starts[0], _short(title, 80)), *chapters]


def _is_short(front: Sequence[AnyBlock]) -> bool:
    plain = all(isinstance(block, (Paragraph, Note)) for block in front)
    return plain and sum(len(text_of(block)) for block in front) <= _FRONT_CHARACTERS


def _title(block: AnyBlock) -> str:
    if isinstance(block, Heading):
        return _short(f"{block.number} {block.text}" if block.number else block.text)
    return _short(text_of(block))


def _short(text: str, longest: int = 200) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
