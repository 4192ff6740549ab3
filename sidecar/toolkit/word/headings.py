"""Headings of Word's formats found by their looks, where a document styles none: by what they say, by being wholly bold
or in capitals."""

import re
from collections.abc import Callable
from typing import Final

from sidecar.api.model import AnyBlock, Heading, Paragraph
from sidecar.toolkit.visible import spans_cover
from sidecar.toolkit.word.story import shifted

_TITLED: Final = re.compile(
    r"(?:chapter|part|section|appendix|annex|article|kapitel|teil|abschnitt|anhang|chapitre|partie|annexe|capítulo|"
    r"parte|sección|capitolo|hoofdstuk|глава|раздел)\s+(?:\d{1,3}|[ivxlc]{1,6}|[a-z])\b[.:–—-]?(?:\s|$)|"
    r"第\s*[0-9一二三四五六七八九十百]{1,4}\s*[章节部编]",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?[ \t\u3000]+(?=[^\W\d_])")
_LETTERED: Final = re.compile(r"(?:[A-Z]|[IVX]{1,5})\.[ \t\u3000]+(?=[^\W\d_])")
_ENDS_A_SENTENCE: Final = (".", ",", ";", ":", "!", "?", "。", "，", "；")
_MAX_CHARS: Final = 120
_CONTENTS: Final = re.compile(r"\t(?:\d{1,4}|[ivxlc]{1,7})$")
"""How a line of a table of contents ends: with the page behind a tab."""


def _is_bold(block: Paragraph) -> bool:
    """Whether all words of a short paragraph are bold."""
    return len(block.text) <= _MAX_CHARS and spans_cover(block.spans, block.text, "bold")


def found_headings(blocks: list[AnyBlock], is_bold: Callable[[Paragraph], bool] = _is_bold) -> list[AnyBlock]:
    """`blocks` with paragraphs that look like headings made headings, where the document styles none as such.

    "Chapter 3 …" and "2.1 Results" count by their words, other short lines by being wholly bold or in capitals. A
    guess must show a pattern: at least two, most of them followed by text, and fewer than half of all paragraphs."""
    if any(isinstance(block, Heading) for block in blocks):
        return blocks
    guesses = _guesses(blocks, is_bold)
    deep = min((level for level, _, _ in guesses.values()), default=1) - 1
    made = list(blocks)
    for index, (level, number, text) in guesses.items():
        block = blocks[index]
        if isinstance(block, Paragraph):
            spans = shifted(block.spans, len(text) - len(block.text))
            made[index] = Heading(
                text=text, level=level - deep, number=number, spans=spans, anchor=block.anchor, hidden=block.hidden
            )
    return made


def _guesses(blocks: list[AnyBlock], is_bold: Callable[[Paragraph], bool]) -> dict[int, tuple[int, str, str]]:
    """`(level, number, text)` of the paragraphs that look like headings; of none where that shows no pattern."""
    guesses: dict[int, tuple[int, str, str]] = {}
    paragraphs = 0
    for index, block in enumerate(blocks):
        if not isinstance(block, Paragraph) or block.style not in {"", "title"}:
            continue
        paragraphs += 1
        guess = _guess(block, is_bold(block))
        if guess is not None and block.style == "":
            guesses[index] = guess
    if len(guesses) < 2 or len(guesses) * 2 > paragraphs:
        return {}
    runs = sum(index - 1 not in guesses for index in guesses)  # a heading of several lines is one
    followed = sum(index + 1 < len(blocks) and index + 1 not in guesses for index in guesses)
    if runs < 2 or followed * 2 < runs:
        return {}
    for index in sorted(guesses):
        before = guesses.get(index - 1)
        level, number, text = guesses[index]
        if before is not None and before[0] == level and not number and not _TITLED.match(text):
            guesses[index] = (level + 1, number, text)  # the second line of a title
    return guesses


def _guess(block: Paragraph, bold: bool) -> tuple[int, str, str] | None:
    """`(level, number, text)` of a paragraph that looks like a heading."""
    text = block.text
    if _CONTENTS.search(text[-9:]):
        return None
    titled = _TITLED.match(text)
    if titled and (bold or titled.end() == len(text)) and not text.endswith((",", ";")) and len(text) <= _MAX_CHARS:
        return 1, "", text  # "ARTICLE I." ends with no sentence
    if len(text) > _MAX_CHARS or "\n" in text or text.endswith(_ENDS_A_SENTENCE) or not any(map(str.isalpha, text)):
        return None
    if titled:
        return 1, "", text
    numbered = _NUMBERED.match(text)
    if numbered and (bold or (len(text) <= 80 and text[numbered.end()].isupper())):
        return numbered[1].count(".") + 1, numbered[1], text[numbered.end() :]
    capitals = text.isupper() and len(text) <= 80 and sum(map(str.isalpha, text)) >= 4
    if (bold or capitals) and (lettered := _LETTERED.match(text)):
        return 2, lettered[0].strip(" \t\u3000."), text[lettered.end() :]
    return (1, "", text) if bold or capitals else None
