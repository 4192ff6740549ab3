"""The text of a block in runs of one look: bold, italic, code, links, formulas. What Word and PowerPoint are given."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from msgspec import structs

from sidecar.api import AnyBlock, Paragraph, Span
from sidecar.toolkit.ooxml.omml import plain
from sidecar.toolkit.xml import XmlElement
from sidecar_render.office.content import clean
from sidecar_render.office.formulas import to_omml

_ALERT = re.compile(r"(Note|Tip|Important|Warning|Caution)(: .*)?")
"""The title of a quotation that is one, all bold."""
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


def with_alerts(blocks: Sequence[AnyBlock]) -> Iterator[tuple[str, AnyBlock]]:
    """The blocks, each with the kind of one of GitHub's alerts ("warning") that it is, "" for all others. The kind,
    which stands in a paragraph before it, is in words before its text."""
    title = ""
    for block, below in zip_longest(blocks, blocks[1:]):
        if not isinstance(block, Paragraph) or block.style != "quote":
            yield "", block
        elif title:
            moved = (structs.replace(s, start=s.start + len(title), end=s.end + len(title)) for s in block.spans)
            spans = (Span("bold", 0, len(title)), *moved)
            yield title.removesuffix(": ").lower(), structs.replace(block, text=title + block.text, spans=spans)
            title = ""
        else:
            mark = _ALERT.fullmatch(block.text) if block.spans[:1] == (Span("bold", 0, len(block.text)),) else None
            if mark and not mark[2] and isinstance(below, Paragraph) and below.style == "quote":
                title = f"{mark[1]}: "
            else:
                yield mark[1].lower() if mark else "", block


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
