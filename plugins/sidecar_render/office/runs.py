"""The text of a block in runs of one look: bold, italic, code, links. What Word and PowerPoint are given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sidecar.api import Span
from sidecar_render.office.content import clean

_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_OPEN = re.compile(r"(?:https?|mailto|ftp|file):", re.IGNORECASE)
"""Links that a program may follow; library URIs are shown, for no Office program opens them."""


@dataclass(frozen=True)
class Run:
    """A stretch of one look; `link` is "" for none."""

    text: str
    looks: frozenset[str] = frozenset()
    link: str = ""


def runs_of(text: str, spans: Sequence[Span]) -> list[Run]:
    """The text in runs, hidden and deleted stretches left out."""
    edges = sorted({0, len(text), *(edge for span in spans for edge in (span.start, span.end) if edge <= len(text))})
    runs: list[Run] = []
    for start, end in pairwise(edges):
        over = [span for span in spans if span.start <= start and span.end >= end]
        looks = frozenset(span.kind for span in over)
        if looks & {"hidden", "del"}:
            continue
        link = next((span.value for span in over if span.kind == "link" and _OPEN.match(span.value)), "")
        runs.append(Run(clean(text[start:end]), looks, link))
    return runs


def reads_right_to_left(text: str) -> bool:
    """Whether more than half of a text is in Hebrew, Arabic or their kin."""
    return len(_RTL.findall(text)) * 2 > len(text)


def style_run(run: Any, looks: frozenset[str], code_font: str) -> None:
    """Give a run of python-docx or python-pptx its look."""
    font = run.font
    for kind, name in (("bold", "bold"), ("italic", "italic"), ("underline", "underline")):
        if kind in looks:
            setattr(font, name, True)
    if looks & {"code"}:
        font.name = code_font
