"""The text of a block in runs of one look: bold, italic, code, links, formulas. What Word and PowerPoint are given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from msgspec import structs

from sidecar.api import Paragraph, Span
from sidecar.toolkit.ooxml.omml import plain
from sidecar.toolkit.xml import XmlElement
from sidecar_render.office.content import clean
from sidecar_render.office.formulas import to_omml

_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*", re.IGNORECASE)
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_OPEN = re.compile(r"(?:https?|mailto|ftp|file):", re.IGNORECASE)
"""Links that a program may follow; library URIs are shown, for no Office program opens them."""

CODE_FONT = "Courier New"


@dataclass(frozen=True)
class Run:
    """A stretch of one look; `link` is "" for none, `note` the id of the note it refers to. `formula` is one of
    Office mathematics, and `text` then its characters in one line."""

    text: str
    formatting: frozenset[str] = frozenset()
    link: str = ""
    note: str = ""
    formula: XmlElement | None = None


def runs_of(text: str, spans: Sequence[Span]) -> list[Run]:
    """The text in runs, hidden and deleted stretches left out."""
    edges = sorted({0, len(text), *(edge for span in spans for edge in (span.start, span.end) if edge <= len(text))})
    runs: list[Run] = []
    for start, end in pairwise(edges):
        over = [span for span in spans if span.start <= start and span.end >= end]
        formatting = frozenset(span.kind for span in over)
        if formatting & {"hidden", "del"}:
            continue
        link = next((span.value for span in over if span.kind == "link" and _OPEN.match(span.value)), "")
        note = next((span.value for span in over if span.kind == "note"), "")
        tex = next((span for span in over if span.kind == "math"), None)
        if tex is None:
            runs.append(Run(clean(text[start:end]), formatting, link, note))
        elif start == tex.start:
            runs.append(formula_run(tex.value, text[tex.start : tex.end]))
    return runs


def formula_run(tex: str, text: str) -> Run:
    """A formula as a run; what is not understood is shown as `text`."""
    made = to_omml(tex) if tex else None
    return Run(clean(text)) if made is None else Run(clean(plain(made)), formula=made)


def alert(block: Paragraph) -> tuple[str, Paragraph]:
    """The kind of one of GitHub's alerts ("warning"), "" for any other paragraph, and the paragraph with its kind in
    words before its text."""
    mark = _ALERT.match(block.text) if block.style == "quote" else None
    if mark is None:
        return "", block
    title = f"{mark[1].capitalize()}: "
    moved = len(title) - mark.end()
    spans = (
        structs.replace(span, start=span.start + moved, end=span.end + moved)
        for span in block.spans
        if span.start >= mark.end()
    )
    bold = Span("bold", 0, len(title))
    return mark[1].lower(), structs.replace(block, text=title + block.text[mark.end() :], spans=(bold, *spans))


def reads_right_to_left(text: str) -> bool:
    """Whether more than half of a text is in Hebrew, Arabic or their kin."""
    return len(_RTL.findall(text)) * 2 > len(text)


def style_run(run: Any, formatting: frozenset[str]) -> None:
    """Give a run of python-docx or python-pptx its look."""
    font = run.font
    for kind, name in (("bold", "bold"), ("italic", "italic"), ("underline", "underline")):
        if kind in formatting:
            setattr(font, name, True)
    if formatting & {"code"}:
        font.name = CODE_FONT
